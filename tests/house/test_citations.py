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


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_every_key_in_the_text_is_in_the_bibliography(path):
    for line, key in cited(path):
        assert key in bibliography(), f"{path}:{line} cites {key}, which bibliography.bib lacks"


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
        ("x", "Known are arora2024, bahdanau2015, bordes2015, cho2014"),
    ],
)
def test_an_unknown_key_is_refused(key, hint):
    with pytest.raises(ValueError, match=rf"has no entry '{key}'\. {re.escape(hint)}"):
        cite([key])
