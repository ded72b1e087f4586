"""Words that mean nearly the same: from WordNet's files, or from vectors in GloVe's text format."""

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

SYNONYM, KIND_OF = 0.9, 0.8
"""How much a synonym says that a word is meant, and what the word is a kind of."""
NEAR = 0.8
"""The least cosine of the vectors of two words that mean nearly the same."""
PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
HYPERNYM = "@"


@runtime_checkable
class Synonyms(Protocol):
    """Where words that mean nearly the same come from."""

    def near(self, word: str, terms: Collection[str]) -> float:
        """Return how nearly a word means one of some terms: from 0 to below 1."""


def read_synonyms(path: Path) -> Synonyms:
    """Open a folder of WordNet's files, or a file of vectors.

    Raises:
        FileNotFoundError: there is no such file, or WordNet's are not in the folder.
    """
    return WordNet(path) if path.is_dir() else WordVectors(path)


class _Synset(NamedTuple):
    words: tuple[str, ...]
    hypernyms: tuple[int, ...]
    """Where those that it is a kind of begin in the file."""


class WordNet:
    """Synonyms by WordNet's database files (`index.noun`, `data.noun` ...).

    Args:
        folder: that they are in, such as /usr/share/wordnet.

    Raises:
        FileNotFoundError: they are not there.
    """

    def __init__(self, folder: Path) -> None:
        here = [p for p in PARTS_OF_SPEECH if (folder / f"index.{p}").is_file()]
        if not here or not all((folder / f"data.{part}").is_file() for part in here):
            raise FileNotFoundError(
                f"{folder}: WordNet's files are not here; expected index.noun and data.noun. Name "
                f"the folder of WordNet's database, such as /usr/share/wordnet."
            )
        self._index = {part: b"\n" + (folder / f"index.{part}").read_bytes() for part in here}
        self._data = {part: (folder / f"data.{part}").read_bytes() for part in here}
        self._found: dict[str, dict[str, float]] = {}

    def near(self, word: str, terms: Collection[str]) -> float:
        if word not in self._found:
            self._found[word] = self._of(word)
        kin = self._found[word]
        return max((kin[term] for term in terms if term in kin), default=0.0)

    def _of(self, word: str) -> dict[str, float]:
        kin: dict[str, float] = {}
        for part, offset in self._senses(word):
            synset = self._synset(part, offset)
            kin |= dict.fromkeys(synset.words, SYNONYM)
            for above in synset.hypernyms:
                for one in self._synset(part, above).words:
                    kin.setdefault(one, KIND_OF)
        return kin

    def _senses(self, word: str) -> Iterator[tuple[str, int]]:
        """Yield where the synsets of a word begin, by the line of it in each index."""
        for part, index in self._index.items():
            at = index.find(f"\n{word} ".encode())
            if at < 0:
                continue
            fields = index[at + 1 : index.find(b"\n", at + 1)].decode().split()
            for offset in fields[-int(fields[2]) :]:
                yield part, int(offset)

    def _synset(self, part: str, offset: int) -> _Synset:
        data = self._data[part]
        fields = data[offset : data.find(b"\n", offset)].decode().partition(" | ")[0].split()
        many = int(fields[3], 16)
        words = tuple(one.casefold().partition("(")[0] for one in fields[4 : 4 + 2 * many : 2])
        pointers = fields[5 + 2 * many :]
        above = (i for i in range(0, len(pointers) - 3, 4) if pointers[i] == HYPERNYM)
        return _Synset(words, tuple(int(pointers[i + 1]) for i in above))


class WordVectors:
    """Words whose vectors have nearly the same direction.

    The file may hold millions of words: it is gone through once, at the first question, and only
    the vectors of words that are asked for are kept.

    Args:
        path: a word and its numbers a line, parted by spaces, as GloVe's files are.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: its first line holds no vector.
    """

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise FileNotFoundError(
                f"{path}: no such file. Name a file of word vectors in GloVe's text format, or the "
                f"folder of WordNet's database."
            )
        self._path, self._known = path, dict[str, NDArray[np.float32] | None]()
        with path.open("rb") as file:
            first = file.readline()
        if not first:
            raise ValueError(f"{path}: is empty; expected a word and its numbers a line.")
        self._width = first.rstrip().count(b" ")
        self._numbers(1, first)

    def near(self, word: str, terms: Collection[str]) -> float:
        mine = self.vector(word)
        if mine is None:
            return 0.0
        others = [vector for term in terms if (vector := self.vector(term)) is not None]
        cosine = max((float(mine @ other) for other in others), default=0.0)
        return min(cosine, SYNONYM) if cosine >= NEAR else 0.0

    def vector(self, word: str) -> NDArray[np.float32] | None:
        """Return the vector of a word, of length 1; None where the file lacks it.

        Raises:
            ValueError: its line holds no numbers, or another count of them than the first.
        """
        if word not in self._known:
            place = self._places.get(word.encode())
            self._known[word] = None if place is None else self._read(*place)
        return self._known[word]

    @cached_property
    def _places(self) -> Mapping[bytes, tuple[int, int]]:
        """The number of each word's line, and where it begins."""
        places, begin = dict[bytes, tuple[int, int]](), 0
        with self._path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                places.setdefault(line.partition(b" ")[0], (number, begin))
                begin += len(line)
        return places

    def _read(self, number: int, begin: int) -> NDArray[np.float32]:
        with self._path.open("rb") as file:
            file.seek(begin)
            vector = self._numbers(number, file.readline())
        return vector / (float(np.linalg.norm(vector)) or 1.0)

    def _numbers(self, number: int, line: bytes) -> NDArray[np.float32]:
        rest = line.rstrip().partition(b" ")[2]
        try:
            vector = np.array(rest.split(), np.float32)
        except ValueError:
            vector = np.zeros(0, np.float32)
        if len(vector) != self._width or not self._width or not np.isfinite(vector).all():
            raise ValueError(
                f"{self._path}:{number}: came {rest[:40]!r}; expected {self._width or 'some'} "
                f"numbers after the word, as in the first line. Correct the line, or name another "
                f"file."
            )
        return vector
