"""What is written to an index: slots as lists of words, checked and taken some at a time."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

Words = Sequence[str]
CHUNK = 2**15
"""Slots that are taken at once from a stream of any length."""
MOST_SLOTS = 2**31
"""A slot's number has 32 bits, one of them for the sign."""


class Chunk(NamedTuple):
    """Some slots, one after the other."""

    first: int
    keys: list[Words]
    values: list[Words]
    """As many as keys, or none."""


def chunks(
    first: int, keys: Iterable[Words], values: Iterable[Words] | None, where: object
) -> Iterator[Chunk]:
    """Take slots from a stream.

    Args:
        first: the number of the first.
        keys: the words of every slot's key.
        values: the words of every slot's value; None where slots have none.
        where: the index that is written, for complaints.

    Raises:
        ValueError: a slot is no list of words, keys and values differ in number, or they are
            more than fit.
    """
    keys, values = iter(keys), None if values is None else iter(values)
    while True:
        some = Chunk(first, _some(keys, first, where), _some(values, first, where))
        if values is not None and len(some.keys) != len(some.values):
            raise ValueError(
                f"{where}: {first + len(some.keys)} keys and {first + len(some.values)} values, "
                f"counted from slot 0; expected a value for every key. Give both for each slot."
            )
        if not some.keys:
            return
        first += len(some.keys)
        if first > MOST_SLOTS:
            raise ValueError(
                f"{where}: more than {MOST_SLOTS:,} slots; expected that many at most. "
                f"Cut them over several indexes."
            )
        yield some


def _some(stream: Iterator[Words] | None, first: int, where: object) -> list[Words]:
    taken = [] if stream is None else list(islice(stream, CHUNK))
    for number, words in enumerate(taken, start=first):
        if isinstance(words, str):
            raise ValueError(
                f"{where}: slot {number} came as the text {words!r:.60}; expected its words, one "
                f"by one. Split it first, for example with .split()."
            )
    return taken
