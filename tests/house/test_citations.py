"""The bibliography, and every key that a docstring cites."""

import re
from pathlib import Path

import pytest

from memnets.citations import bibliography, cite

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "memnets"


def cited(path: Path) -> list[tuple[int, str]]:
    """Return the keys after `Cite:`, each with its line."""
    return [
        (number, key.strip())
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if (match := re.fullmatch(r"\s*Cite: (\w+(?:, \w+)*)\.?", line))
        for key in match[1].split(",")
    ]


def unknown(paths) -> list[str]:
    return [
        f"{path}:{line} cites {key}, which bibliography.bib lacks"
        for path in paths
        for line, key in cited(path)
        if key not in bibliography()
    ]


def test_every_key_in_the_text_is_in_the_bibliography():
    assert unknown(sorted(PACKAGE.rglob("*.py"))) == []


def test_an_unknown_key_in_a_text_is_named(tmp_path):
    (tmp_path / "part.py").write_text('"""A part.\n\nCite: luong2015, luong1915.\n"""\n')
    (said,) = unknown([tmp_path / "part.py"])
    assert said.endswith("part.py:3 cites luong1915, which bibliography.bib lacks")


def test_keys_are_found_in_the_text():
    keys = {key for path in PACKAGE.rglob("*.py") for _, key in cited(path)}
    assert {"luong2015", "sukhbaatar2015"} <= keys


def test_entries_are_complete_and_sorted():
    assert list(bibliography()) == sorted(bibliography())
    for key, entry in bibliography().items():
        assert entry.startswith("@")
        assert f"{{{key}," in entry
        assert entry.count("{") == entry.count("}")
        for field in ("author", "title", "year", "url"):
            assert re.search(rf"^  {field} += \{{", entry, re.MULTILINE), f"{key} lacks {field}"


def test_cite_keeps_the_order_and_prints_an_entry_once():
    text = cite(["vaswani2017", "luong2015", "vaswani2017"])
    assert re.findall(r"^@\w+\{(\w+),", text, re.MULTILINE) == ["vaswani2017", "luong2015"]


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("sukhbaatar15", "Did you mean sukhbaatar2015?"),
        ("x", "Known are ackley1985, alpaydin1998, amit1985, andreas2016, antol2015, arora2024"),
    ],
)
def test_an_unknown_key_is_refused(key, hint):
    with pytest.raises(ValueError, match=rf"has no entry '{key}'\. {re.escape(hint)}"):
        cite([key])
