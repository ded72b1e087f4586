"""Sequences as they are written: one line, its parts by spaces. Imports no torch."""

import re

import numpy as np

from memnets.data.sequences.problems import (
    Copy,
    Drawn,
    NGrams,
    PrioritySort,
    Problem,
    Recall,
    RepeatCopy,
)

FORMS = {
    "copy": "vectors of 8 bits, such as 01101001 11000101",
    "repeat-copy": "vectors of 8 bits and how often, such as 01101001 11000101 x3",
    "associative-recall": (
        "items of three vectors of 6 bits and one of them again behind a question mark, such as "
        "000111/010101/111000 001100/110011/101010 ? 000111/010101/111000"
    ),
    "n-grams": "6 bits or more, such as 0110100111",
    "priority-sort": "vectors of 8 bits with priorities, such as 01101001:0.5 11000101:-0.25",
}
MOST = 1000
"""Parts of a line, and times that it is to be said, at most."""


def written(problem: Problem, line: str) -> Drawn:
    """Return one sequence as it is written; `FORMS` says how.

    Raises:
        ValueError: it is not written so.
    """
    drawn = _read(problem, line.split())
    if drawn is None:
        raise ValueError(
            f"{line.strip()[:80]!r} is nothing that {problem.name} can be asked: expected "
            f"{FORMS[problem.name]}, of at most {MOST:,} parts. Write it so."
        )
    return drawn


def line_of(problem: Problem, drawn: Drawn) -> str:
    """Return the line that `written` lays out as this sequence, the first where several came."""
    shown = drawn.shown[0]
    if isinstance(problem, NGrams):
        return _bits(drawn.said[0, :, 0])
    told = shown[: np.argmax(drawn.asked)]  # before anything is to be said
    if isinstance(problem, Recall):
        return _items(problem, told)
    if isinstance(problem, RepeatCopy):
        times = round(float(told[-1, -1]) * problem.deviation + problem.mean)
        return " ".join([*map(_bits, told[:-2, : problem.bits]), f"x{times}"])
    vectors = map(_bits, told[:-1, : problem.said])
    if isinstance(problem, PrioritySort):
        return " ".join(f"{one}:{told[n, problem.bits]!s}" for n, one in enumerate(vectors))
    return " ".join(vectors)


def _items(problem: Recall, told: np.ndarray) -> str:
    every = problem.rows + 1
    rows = [_bits(row) for row in told[:, : problem.bits]]
    items = ["/".join(rows[at + 1 : at + every]) for at in range(0, len(rows) - 1, every)]
    return " ".join([*items[:-1], "?", items[-1]])


def _bits(vector: np.ndarray) -> str:
    return "".join(str(int(bit)) for bit in vector)


def _read(problem: Problem, words: list[str]) -> Drawn | None:
    if not words or len(words) > MOST:
        return None
    if isinstance(problem, Copy):
        told = _vectors(words, problem.bits)
        return None if told is None else problem.laid(told)
    if isinstance(problem, RepeatCopy):
        told = _vectors(words[:-1], problem.bits)
        times = re.fullmatch(r"x([1-9]\d{0,2})", words[-1])
        return None if told is None or times is None else problem.laid(told, int(times[1]))
    if isinstance(problem, PrioritySort):
        return _sorted(problem, words)
    if isinstance(problem, Recall):
        return _recalled(problem, words)
    if isinstance(problem, NGrams) and len(words) == 1:
        bits = _vectors(words, len(words[0]))
        known = bits is not None and problem.fewest <= len(words[0]) <= MOST
        return problem.laid(bits[0].astype(np.int64)) if known and bits is not None else None
    return None


def _recalled(problem: Recall, words: list[str]) -> Drawn | None:
    items = [*words[:-2], words[-1]]
    parts = [_vectors(item.split("/"), problem.bits) for item in items]
    if words[-2:-1] != ["?"] or len(items) < problem.fewest + 1:
        return None
    known = [part[0] for part in parts if part is not None and part.shape[1] == problem.rows]
    places = [place for place, item in enumerate(items[:-2]) if item == items[-1]]
    if len(known) < len(parts) or not places:
        return None
    return problem.laid(np.array(known[:-1])[None], np.array(places[:1]))


def _sorted(problem: PrioritySort, words: list[str]) -> Drawn | None:
    split = [word.partition(":") for word in words]
    told = _vectors([bits for bits, _, _ in split], problem.bits)
    try:
        priority = np.array([[float(number) for _, _, number in split]], np.float32)
    except ValueError:
        return None
    within = bool((np.abs(priority) <= 1).all())
    enough = len(words) >= problem.fewest
    return problem.laid(told, priority) if told is not None and within and enough else None


def _vectors(words: list[str], bits: int) -> np.ndarray | None:
    """Return vectors as an array of one sequence; None where some word is none."""
    if not words or any(len(word) != bits or set(word) - {"0", "1"} for word in words):
        return None
    return np.array([[[float(bit) for bit in word] for word in words]], np.float32)
