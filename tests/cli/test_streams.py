"""What is printed reaches terminals that do not know all of Unicode."""

import io
import json
import re
import sys
from pathlib import Path

import pytest

from memnets import __version__
from memnets.citations import AUTHORS, TITLE
from memnets.cli.main import COMMANDS, main
from memnets.cli.status import USAGE
from memnets.cli.streams import SPELLED, print_json, spell_what_is_missing

CITATION = Path(__file__).parents[2] / "CITATION.cff"


@pytest.fixture
def terminal(monkeypatch):
    """Stdout and stderr of an encoding; return what was printed."""

    def open_(encoding):
        streams = []
        for name in ("stdout", "stderr"):
            stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="strict")
            monkeypatch.setattr(sys, name, stream)
            streams.append(stream)

        def printed():
            for stream in streams:
                stream.flush()
            return "".join(stream.buffer.getvalue().decode(encoding) for stream in streams)

        return printed

    return open_


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1", "cp437"])
@pytest.mark.parametrize("words", [["list"], ["data", "list"], ["ask", "--help"], ["tráin→"]])
def test_commands_print_in_any_encoding(encoding, words, terminal):
    printed = terminal(encoding)
    assert main(words) in (0, USAGE)
    assert "fault of ours" not in printed()
    assert len(printed()) > 20


def test_signs_are_spelled(terminal):
    printed = terminal("ascii")
    spell_what_is_missing()
    print("a → b × c ≤ é ╭─│ 🚀 …")
    assert printed() == "a -> b x c <= e +-| ? ...\n"


def test_what_the_encoding_has_is_left_as_it_is(terminal):
    printed = terminal("cp1252")
    spell_what_is_missing()
    print("“é” × → …")
    assert printed() == "“é” × -> …\n"
    assert all(spelled.isascii() for spelled in SPELLED.values())


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_json_stays_what_it_is(encoding, terminal):
    printed, record = terminal(encoding), {"text": "→ é 🚀 “x”"}
    spell_what_is_missing()
    print_json(record)
    assert json.loads(printed()) == record
    assert ("→" in printed()) == (encoding == "utf-8")


def test_memnets_itself_is_cited(capsys):
    assert main(["cite", "memnets"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("@software{memnets,")
    assert said.count("{") == said.count("}")
    citation = CITATION.read_text("utf-8")
    assert f'title: "{TITLE}"' in citation
    assert f"name: {AUTHORS}" in citation
    (version,) = re.findall(r"^version: (\S+)$", citation, re.MULTILINE)
    assert version == __version__
    assert all(part in said for part in (TITLE, AUTHORS, version))


def test_the_version_is_told_in_short(capsys):
    assert main(["-V"]) == 0
    short = capsys.readouterr().out
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == short == f"memnets {__version__}\n"


def test_a_shell_completes_commands_and_options(capsys):
    assert main(["--print-completion", "bash"]) == 0
    script = capsys.readouterr().out
    assert all(re.search(rf"\b{name}\b", script) for name in COMMANDS)
    assert all(option in script for option in ("--question", "--held-out", "--resume", "--table"))
    for words in (["tcsh"], [], ["bash", "zsh"]):
        assert main(["--print-completion", *words]) == USAGE
        assert "Expected one of bash, zsh and fish" in capsys.readouterr().err
