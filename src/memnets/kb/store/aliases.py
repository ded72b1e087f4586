"""Which entities a few words may name: the alias table of a knowledge base."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnets.kb.index import vocabulary
from memnets.kb.index.folders import Arrays
from memnets.kb.index.ngrams import Entity
from memnets.kb.index.strings import Strings, distinct, offsets_of
from memnets.kb.index.vocabulary import Vocabulary

KINDS: dict[str, type] = vocabulary.KINDS | {"offsets": np.int64, "entities": np.int32}
"""The arrays of an alias table; the entities of each alias, those of most links first."""


def name_words(text: str) -> list[str]:
    """Return the words of a name or a question: letters and digits, without regard to case."""
    return re.findall(r"[^\W_]+", text.casefold())


class Words(NamedTuple):
    """The words of many texts: those of text n are numbers[offsets[n]:offsets[n + 1]]."""

    aliases: Strings
    """Each text as its words, joined by a space."""
    distinct: Strings
    numbers: NDArray[np.int32]
    offsets: NDArray[np.int64]


END, SPACE = 0, ord(" ")
_PLAIN = bytes(
    byte if byte == END else ord(chr(byte).lower()) if chr(byte).isalnum() else SPACE
    for byte in range(128)
).ljust(256, b" ")
"""Of every ASCII letter what stays of it in a word."""


def words_of_all(texts: Strings) -> Words:
    """Return the words of many texts, as `name_words` does of one."""
    joined = _ended(texts)
    if joined.isascii():
        plain = joined.translate(_PLAIN)
    else:
        folded = joined.decode("utf-8", "surrogatepass").casefold()
        plain = re.sub(r"[^\w \0]|_", " ", folded).encode()
    # All at once, and only where a text differs from its words.
    if b"  " in plain:
        plain = re.sub(b" {2,}", b" ", plain)
    plain = plain.removeprefix(b" ")
    if b" \0" in plain or b"\0 " in plain:
        plain = re.sub(b" ?\0 ?", b"\0", plain)
    letters = np.frombuffer(plain, np.uint8)
    ends = np.flatnonzero((letters == END) | (letters == SPACE))
    starts = np.concatenate([[0], ends + 1])[:-1]
    last = letters[ends] == END
    words = starts < ends  # a text may have none
    found = distinct(letters, starts[words], ends[words])
    counted = np.concatenate([[0], np.cumsum(words)[last]])
    borders = np.concatenate([[0], ends[last] - np.arange(len(texts))])
    return Words(
        Strings(letters[letters != END], borders),
        Strings.cut(letters, found.starts, found.ends),
        found.numbers,
        counted,
    )


def _ended(texts: Strings) -> bytes:
    """Return texts end to end, with a zero after each and none within."""
    ended = np.zeros(len(texts.letters) + len(texts), np.uint8)
    within = np.ones(len(ended), np.bool_)
    within[texts.offsets[1:] + np.arange(len(texts))] = False
    ended[within] = np.where(texts.letters == END, SPACE, texts.letters)
    return ended.tobytes()


class Aliases(Mapping[str, Sequence[Entity]]):
    """For every alias the entities that it may name, those that stand in most facts first.

    An alias is words joined by single spaces, as `name_words` splits them.

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
    aliases: Strings,
    entities: NDArray[np.int32],
    links: NDArray[np.int64],
    folder: Path,
) -> None:
    """Save the arrays of an alias table.

    Args:
        aliases: they may come more than once.
        entities: the number of the entity that each may name.
        links: how many facts an entity stands in, by its number.
        folder: where the arrays go.
    """
    known, numbers = aliases.distinct()
    numbers = vocabulary.write_strings(known, folder)[numbers]
    order = np.lexsort((entities, -links[entities], numbers))
    numbers, entities = numbers[order], entities[order]
    new = np.ones(len(numbers), np.bool_)
    new[1:] = (numbers[1:] != numbers[:-1]) | (entities[1:] != entities[:-1])
    offsets = offsets_of(np.bincount(numbers[new], minlength=len(known)))
    np.save(folder / "offsets.npy", offsets)
    np.save(folder / "entities.npy", entities[new])
