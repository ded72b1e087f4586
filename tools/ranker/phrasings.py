"""Questions as they were written for invented tables: `examples/phrasings`."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from memnets.kb.linking.words import question_words
from memnets.kb.programs.lexicon import asking_words
from memnets.kb.values.typed import Kind

PHRASINGS = Path(__file__).resolve().parents[2] / "examples" / "phrasings"
KINDS: Mapping[str, Kind] = {
    "link": "link", "name": "text", "number": "number", "date": "date", "flag": "yes or no"
}  # fmt: skip
"""What the objects of a column are, as the files say it, and as the package does."""
WAYS: Mapping[str, tuple[bool, ...]] = {
    "f": (False,), "b": (True,), "h": (False, False), "r": (True, False),
    "t": (False, False, False), "w": (True, True), "o": (False, True), "n": (),
}  # fmt: skip
"""Of what a question asks for: whether each column, one after the other, is read backwards."""
NAMED = "{}"
"""Stands for what a question names."""


class Column(NamedTuple):
    """A column of an invented table."""

    words: str
    """Of its name."""
    kind: Kind
    objects: tuple[str, ...]


class Step(NamedTuple):
    """A column that is read, from its row or backwards."""

    column: str
    backwards: bool = False


class Phrasing(NamedTuple):
    """A question, as it is put to a ranker."""

    path: tuple[Step, ...]
    """What is asked for, step by step; nothing where no column answers."""
    text: str


class Table(NamedTuple):
    """An invented table, and how people ask about it."""

    columns: Mapping[str, Column]
    phrasings: Sequence[Phrasing]


def read_tables(folder: Path = PHRASINGS) -> list[Table]:
    """Read all files of a folder."""
    return [read_table(path) for path in sorted(folder.glob("*.tsv"))]


def read_table(path: Path) -> Table:
    """Read a file: its columns, a line each, an empty line, and the questions.

    Raises:
        ValueError: a line is none of these.
    """
    columns: dict[str, Column] = {}
    phrasings: list[Phrasing] = []
    ended = False
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        fields = line.split("\t")
        if not line:
            ended = True
        elif len(fields) == 3 and not ended and fields[1] in KINDS:
            objects = tuple(one.strip() for one in fields[2].split(";"))
            columns[fields[0]] = Column(_name(fields[0]), KINDS[fields[1]], objects)
        elif len(fields) == 3 and ended and fields[1] in WAYS:
            phrasings.append(_phrasing(fields, columns, f"{path}:{number}"))
        else:
            raise ValueError(
                f"{path}:{number}: came {line!r}; expected three fields with tabs between them: a "
                f"column, one of {', '.join(KINDS)}, and objects; or, behind an empty line, "
                f"columns, one of {', '.join(WAYS)}, and a question."
            )
    return Table(columns, phrasings)


def _phrasing(fields: list[str], columns: Mapping[str, Column], where: str) -> Phrasing:
    way = WAYS[fields[1]]
    asked = tuple(fields[0].split(" > ")) if way else ()
    if len(asked) != len(way) or not {*asked} <= {*columns}:
        raise ValueError(
            f"{where}: came columns {fields[0]!r}; expected {len(way)} of those above."
        )
    return Phrasing(tuple(map(Step, asked, way)), " ".join(_words(fields[2])))


def _name(column: str) -> str:
    return " ".join(question_words(re.sub(r"_|(?<=[a-z])(?=[A-Z])", " ", column)))


def _words(question: str) -> list[str]:
    """Return the words of a question, "it" for what it names."""
    return asking_words(question_words(question.replace(NAMED, "it")))
