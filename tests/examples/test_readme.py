"""The README's Python runs as it stands, from its first lines to the parts for one's own model."""

import functools
import re
from pathlib import Path

import pytest

import memnets

README = Path(__file__).resolve().parents[2] / "README.md"
FIRST, OWN_MODEL = re.findall(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.M | re.S)


def run(lines):
    space = {}
    exec(compile(lines, README.name, "exec"), space)
    return space


def test_the_first_lines_run(tmp_path, monkeypatch, capsys):
    little = {"training.epochs": 1, "data.tasks": [2], "data.size": "1k"}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(memnets, "train", functools.partial(memnets.train, overrides=little))
    answer = run(FIRST)["answer"]
    assert [step.name for step in answer.steps] == ["hop 1", "hop 2", "hop 3"]
    assert not answer.unknown_words
    assert capsys.readouterr().out.endswith(f"{answer}\n")


@pytest.mark.slow
def test_the_first_lines_print_and_read_what_the_readme_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    answer = run(FIRST)["answer"]
    said = re.search(r"print\(answer\)  # (\w+) ", FIRST)[1]
    assert capsys.readouterr().out.splitlines()[-1].startswith(f"{said} (")
    assert answer.probability > 0.95
    # as in docs/figures/story.png
    read = [step.most_read.text for step in answer.steps]
    assert read[1:] == ["Sandra dropped the apple.", "Sandra moved to the garden."]


def test_an_attention_reads_a_memory():
    space = run(OWN_MODEL)
    assert space["value"].shape == (4, 1, 32)
    assert space["weights"].shape == (4, 1, 50)
    assert space["weights"].sum(-1).allclose(space["weights"].new_ones(()))
