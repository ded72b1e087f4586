"""The statistics that others are compared with: measured from files, or kept in one.

Kept beside this are those of the official files, ``official.json``: shares, sums and products over
stories, words and sentence forms. ``python -m tools.babi_check FOLDER --write-reference FILE``
writes such a file. No story can be read back from it.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from memnets.files import read_json, write_json
from tools.babi_check.moments import (
    Cell,
    Moments,
    Numbers,
    Scale,
    Texts,
    moments,
    pooled,
    scale,
    sum_up,
)
from tools.babi_check.seen import Seen
from tools.babi_check.table import STATISTICS

_MEND = "Write it anew: python -m tools.babi_check FOLDER --write-reference FILE"


class Histogram(NamedTuple):
    """The cells of a statistic, and what was counted in them."""

    cells: Scale
    moments: Moments


class Standard(NamedTuple):
    """The statistics of a task.

    Args:
        stories: how many.
        questions: how many.
        histograms: by statistic.
        constants: the statistics that have one value only, and the value.
        memory: of the sum of the sizes of memories and their number.
        words: how often each occurs.
        forms: the sentences, names taken out.
    """

    stories: int
    questions: int
    histograms: dict[str, Histogram]
    constants: dict[str, Cell]
    memory: Moments
    words: dict[str, int]
    forms: frozenset[str]


def measure(seen: Seen) -> Standard:
    """Sum up what was seen."""
    histograms, constants = {}, {}
    for name, stories in seen.cells.items():
        counts = pooled(stories)
        if len(counts) == 1:
            (constants[name],) = counts
        elif len((cells := scale(counts)).names) > 1:
            histograms[name] = Histogram(cells, sum_up(stories, cells))
    return Standard(
        seen.stories,
        seen.questions,
        histograms,
        constants,
        memory_moments(seen),
        dict(sorted(seen.words.items())),
        seen.forms,
    )


def memory_moments(seen: Seen) -> Moments:
    """Each story's sum of the sizes of its memories, and how many it has."""
    return moments(np.array([[sum(sizes), len(sizes)] for sizes in seen.memory], dtype=float))


def official_statistics() -> dict[int, Standard]:
    """The statistics of the official files: en-10k, and both files of en for task 3."""
    return read_reference(Path(__file__).with_name("official.json"))


def write_reference(path: Path, standards: dict[int, Standard]) -> None:
    """Write statistics to a file, atomically."""
    write_json(path, {str(task): _plain(standard) for task, standard in standards.items()})


def read_reference(path: Path) -> dict[int, Standard]:
    """Read what `write_reference` wrote.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is damaged, or was written for another list of statistics.
    """
    plain = read_json(path)
    try:
        standards = {int(task): _standard(values) for task, values in plain.items()}
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        raise ValueError(f"{path}: not a file of statistics ({error}). {_MEND}") from None
    for task, standard in standards.items():
        expected = {statistic.name for statistic in STATISTICS if task in statistic.tasks}
        strange = (standard.histograms.keys() | standard.constants.keys()) - expected
        if strange:
            raise ValueError(
                f"{path}: task {task} has the statistic {min(strange)!r}. "
                f"Expected those of this version. {_MEND}"
            )
    return standards


def _plain(standard: Standard) -> dict[str, Any]:
    plain = standard._asdict()
    plain["histograms"] = {
        name: {"cells": _plain_cells(cells), **_plain_moments(sums)}
        for name, (cells, sums) in standard.histograms.items()
    }
    plain["memory"] = _plain_moments(standard.memory)
    plain["forms"] = sorted(standard.forms)
    return plain


def _standard(plain: dict[str, Any]) -> Standard:
    histograms = {
        name: Histogram(_cells(values["cells"]), _moments(values))
        for name, values in plain["histograms"].items()
    }
    return Standard(
        plain["stories"],
        plain["questions"],
        histograms,
        plain["constants"],
        _moments(plain["memory"]),
        plain["words"],
        frozenset(plain["forms"]),
    )


def _plain_cells(cells: Scale) -> dict[str, Any]:
    return cells._asdict()


def _cells(plain: dict[str, Any]) -> Scale:
    if "bounds" in plain:
        return Numbers(tuple(plain["bounds"]))
    return Texts(tuple(plain["texts"]), plain["rest"])


def _plain_moments(sums: Moments) -> dict[str, Any]:
    # Counts are whole numbers, and the products are symmetric: half of them will do. One text a
    # histogram keeps the file short.
    half = sums.square[np.tril_indices(len(sums.total))]
    return {
        "stories": sums.stories,
        "total": " ".join(f"{value:.0f}" for value in sums.total),
        "square": " ".join(f"{value:.0f}" for value in half),
    }


def _moments(plain: dict[str, Any]) -> Moments:
    total = np.array([float(value) for value in plain["total"].split()])
    square = np.zeros((len(total), len(total)))
    square[np.tril_indices(len(total))] = [float(value) for value in plain["square"].split()]
    return Moments(plain["stories"], total, np.tril(square) + np.tril(square, -1).T)
