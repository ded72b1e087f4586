"""Reverb: facts as it extracts them from text, three strings with a confidence.

The least form is ``arg1<TAB>relation<TAB>arg2``. Releases differ in their columns, so a file's are
named; what is not named is ignored.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from memnets.data.rows import SHOWN, BadRows, records

COLUMNS: Mapping[str, int] = MappingProxyType({"arg1": 0, "relation": 1, "arg2": 2})
"""The least form."""

SCORED: Mapping[str, int] = MappingProxyType({**COLUMNS, "confidence": 3})
"""With a confidence in the fourth column."""

NAMES = ("arg1", "relation", "arg2", "confidence", "arg1_link", "arg2_link")
"""The columns that can be named."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """One extracted fact.

    Args:
        subject: a string, not an entity.
        relation: words.
        object: a string.
        confidence: from 0 to 1; None where the file has none.
        subject_link: the entity of a knowledge base that it was linked to; empty for none.
        object_link: the object's.
    """

    subject: str
    relation: str
    object: str
    confidence: float | None = None
    subject_link: str = ""
    object_link: str = ""


def read_extractions(
    path: str | os.PathLike[str],
    columns: Mapping[str, int] = COLUMNS,
    bad: BadRows | None = None,
) -> Iterator[Extraction]:
    """Stream extractions, gzipped or not.

    Args:
        path: the file; its columns are parted by TABs.
        columns: the number of each column from 0, by a name of `NAMES`.
        bad: counts bad rows; without it the first one is an error.

    Raises:
        ValueError: the columns cannot be, or a row is bad.
    """
    _check(columns)
    least = 1 + max(columns.values())

    def read(line: str) -> Extraction:
        cells = line.split("\t")
        if len(cells) < least:
            raise ValueError(
                f"came {len(cells)} columns, {line[:SHOWN]!r}; expected at least {least}, for "
                f"{dict(columns)}. Correct the line, or name the columns of this file."
            )
        found = {name: cells[column] for name, column in columns.items()}
        for name in ("arg1", "relation", "arg2"):
            if not found[name].strip():
                raise ValueError(
                    f"the column {name} is empty in {line[:SHOWN]!r}; expected some words. "
                    f"Correct the line."
                )
        return Extraction(
            found["arg1"],
            found["relation"],
            found["arg2"],
            _confidence(found["confidence"]) if "confidence" in found else None,
            found.get("arg1_link", ""),
            found.get("arg2_link", ""),
        )

    return records(path, read, bad)


def _check(columns: Mapping[str, int]) -> None:
    unknown = [name for name in columns if name not in NAMES]
    missing = [name for name in COLUMNS if name not in columns]
    if unknown or missing or min(columns.values()) < 0:
        raise ValueError(
            f"columns={dict(columns)}: expected numbers from 0 for {', '.join(COLUMNS)}, and for "
            f"nothing but {', '.join(NAMES)}. For example {dict(SCORED)}."
        )


def _confidence(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise ValueError(
            f"came the confidence {text!r}; expected a number from 0 to 1. Correct the line."
        )
    return value
