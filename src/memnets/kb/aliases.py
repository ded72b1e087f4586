"""Which entities a few words may name: the alias table of a knowledge base."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, count, repeat
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnets.kb import vocabulary
from memnets.kb.folders import Arrays
from memnets.kb.ngrams import Entity
from memnets.kb.vocabulary import Vocabulary

KINDS: dict[str, type] = vocabulary.KINDS | {"offsets": np.int64, "entities": np.int32}
"""The arrays of an alias table; the entities of each alias, those of most links first."""


def words_of(text: str) -> list[str]:
    """Return the words of a name or a question: letters and digits, without regard to case."""
    return re.findall(r"[^\W_]+", text.casefold())


class Words(NamedTuple):
    """The words of many texts: those of text n are numbers[offsets[n]:offsets[n + 1]]."""

    aliases: list[bytes]
    """Each text as its words, joined by a space, in UTF-8."""
    distinct: list[bytes]
    numbers: NDArray[np.int32]
    offsets: NDArray[np.int64]


def words_of_all(texts: Sequence[bytes]) -> Words:
    """Return the words of many texts in UTF-8, as `words_of` does of one."""
    if any(map(bytes.__contains__, texts, repeat(0))):
        texts = [text.replace(b"\0", b" ") for text in texts]
    joined = b"\0".join([*texts, b""]).decode("utf-8", "surrogatepass").casefold()
    # All at once, and only where a text differs from its words.
    joined = re.sub(" {2,}", " ", re.sub(r"[^\w \0]|_", " ", joined)).removeprefix(" ")
    if " \0" in joined or "\0 " in joined:
        joined = re.sub(" ?\0 ?", "\0", joined)
    plain = joined.encode()
    found = plain.replace(b"\0", b" \0 ").split()
    distinct = defaultdict[bytes, int](count(-1).__next__)
    numbers = np.fromiter(map(distinct.__getitem__, chain([b"\0"], found)), np.int32)[1:]
    borders = np.flatnonzero(numbers < 0)
    offsets = np.concatenate([[0], borders - np.arange(len(borders))])
    return Words(plain.split(b"\0")[:-1], list(distinct)[1:], numbers[numbers >= 0], offsets)


class Aliases(Mapping[str, Sequence[Entity]]):
    """For every alias the entities that it may name, those that stand in most facts first.

    An alias is words joined by single spaces, as `words_of` splits them.

    Args:
        arrays: those of `KINDS`.
        name: the name of an entity by its number.
        links: how many facts an entity stands in, by its number.
    """

    def __init__(
        self, arrays: Arrays, name: Callable[[int], str], links: Callable[[int], int]
    ) -> None:
        self._vocabulary = Vocabulary(arrays)
        self._offsets = arrays["offsets"]
        self._entities = arrays["entities"]
        self._name = name
        self._links = links

    def __len__(self) -> int:
        return len(self._vocabulary)

    def __iter__(self) -> Iterator[str]:
        return iter(self._vocabulary)

    def __contains__(self, alias: object) -> bool:
        return isinstance(alias, str) and self._vocabulary.number(alias) is not None

    def __getitem__(self, alias: str) -> list[Entity]:
        number = self._vocabulary.number(alias)
        if number is None:
            raise KeyError(alias)
        row = self._entities[self._offsets[number] : self._offsets[number + 1]]
        return [Entity(self._name(entity), self._links(entity)) for entity in row.tolist()]


def write(
    aliases: Sequence[bytes],
    entities: NDArray[np.int32],
    links: NDArray[np.int64],
    folder: Path,
) -> None:
    """Save the arrays of an alias table.

    Args:
        aliases: in UTF-8; they may come more than once.
        entities: the number of the entity that each may name.
        links: how many facts an entity stands in, by its number.
        folder: where the arrays go.
    """
    first = defaultdict[bytes, int](count().__next__)
    numbers = np.fromiter(map(first.__getitem__, aliases), np.int32, len(aliases))
    numbers = vocabulary.write_encoded(list(first), folder)[numbers]
    order = np.lexsort((entities, -links[entities], numbers))
    numbers, entities = numbers[order], entities[order]
    new = np.ones(len(numbers), np.bool_)
    new[1:] = (numbers[1:] != numbers[:-1]) | (entities[1:] != entities[:-1])
    offsets = np.zeros(len(first) + 1, np.int64)
    np.cumsum(np.bincount(numbers[new], minlength=len(first)), out=offsets[1:])
    np.save(folder / "offsets.npy", offsets)
    np.save(folder / "entities.npy", entities[new])
