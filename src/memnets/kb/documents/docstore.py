"""Documents on disk: their sentences, where each stands, and how those for a question are found.

Nothing is learnt here. Sentences are ranked by the words that they share with a question, which is
what a trained reader is to beat, and what it chooses its candidates by.
"""

import time
import unicodedata
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import filterfalse
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np

from memnets.data.rows import BadRows
from memnets.kb.documents import texts
from memnets.kb.documents.documents import DocumentSentence, capitalised, find_files, sentences
from memnets.kb.documents.texts import Texts, TextWriter
from memnets.kb.index import folders, vocabulary
from memnets.kb.index.building import KINDS as INDEX_KINDS
from memnets.kb.index.building import Builder
from memnets.kb.index.index import Index
from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.index.rules import Rule
from memnets.kb.index.vocabulary import Vocabulary
from memnets.kb.store import aliases
from memnets.kb.store.layouts import Find, ReadDocument, read

FORMAT = folders.Format("memnets docs", 1, "store of documents")
PARTS: Mapping[str, Mapping[str, type]] = {
    "index": INDEX_KINDS,
    "sentences": {**texts.KINDS, "lines": np.int32},
    "titles": texts.KINDS,
    "files": texts.KINDS,
    "ordinary": vocabulary.KINDS,
    "words": {"total": np.int64},
}
KINDS = {f"{part}/{name}": kind for part, kinds in PARTS.items() for name, kind in kinds.items()}
"""The arrays of a store, part by part."""
SMALL = STOP_WORDS | INTERROGATIVES
"""Words of a question that no sentence is looked up by."""
CANDIDATES = Rule(top_n=1000)
"""So many sentences are ranked."""
K1, B = 1.2, 0.75
"""The usual constants of BM25: how soon repeats count no more, and how much length does."""


class FoundSentence(NamedTuple):
    """A sentence that shares words with a question, and where it stands."""

    text: str
    score: float
    matched: tuple[str, ...]
    """The words of the question that it, or its title, has."""
    title: str
    file: str
    line: int


class BuiltDocuments(NamedTuple):
    """What was built, and what was left out."""

    files: int
    documents: int
    sentences: int
    words: int
    skipped: tuple[str, ...]
    """Files that are not read, by their names."""
    links: tuple[str, ...]
    """Links that are not followed, by their names."""
    bad: BadRows
    seconds: float


class DocumentsProgress(NamedTuple):
    """How far building is."""

    files: int
    of: int
    sentences: int


def build(
    folder: Path, out: Path, tell: Callable[[DocumentsProgress], None] = lambda _: None
) -> BuiltDocuments:
    """Build a store of the text and Markdown files of a folder, there when this has ended well.

    The same files give the same bytes. An exception, or the end of the process, leaves what was
    there before, if anything.

    Args:
        folder: of the documents.
        out: the folder of the store; made where it is missing.
        tell: is told how far it is.

    Raises:
        FileNotFoundError: there is no folder of documents.
        ValueError: it holds no text, or something else is being built there.
    """
    began = time.perf_counter()
    files, others, links = find_files(folder)
    bad = BadRows()
    with folders.generation(out, KINDS, FORMAT) as aside:
        writer = _Writer(out, aside)
        for number, path in enumerate(files):
            tell(DocumentsProgress(number, len(files), len(writer.lines)))
            writer.add(str(path.relative_to(folder)), sentences(path, bad))
        if not writer.lines:
            raise ValueError(
                f"{folder}: {len(files):,} files without a sentence; expected text. "
                f"{bad.first[0] if bad.first else 'They are empty.'}"
            )
        writer.finish()
    skipped, linked = (
        tuple(str(path.relative_to(folder)) for path in paths) for paths in (others, links)
    )
    counts = len(files), len(writer.titles), len(writer.lines), writer.words
    return BuiltDocuments(*counts, skipped, linked, bad, time.perf_counter() - began)


def plain_words(text: str) -> list[str]:
    """Return the words of a text, without regard to case and accents."""
    letters = unicodedata.normalize("NFKD", text)
    return aliases.name_words("".join(filterfalse(unicodedata.combining, letters)))


class _Writer:
    """Takes the sentences of files, one file after another."""

    def __init__(self, folder: Path, aside: Path) -> None:
        for part in PARTS:
            (aside / part).mkdir()
        self.titles = TextWriter(aside / "titles")
        self.lines = array("i")
        self.words = 0
        self._aside = aside
        self._texts = TextWriter(aside / "sentences")
        self._files = TextWriter(aside / "files")
        self._ordinary: set[str] = set()
        self._index = Builder(folder, aside / "index")

    def add(self, file: str, found: Iterable[DocumentSentence]) -> None:
        self._index.add(self._keys(file, found))

    def _keys(self, file: str, found: Iterable[DocumentSentence]) -> Iterator[list[str]]:
        title, of_title = None, list[str]()
        for sentence in found:
            if sentence.title != title:
                title, of_title = sentence.title, plain_words(sentence.title)
                # Slots are counted once a chunk is taken: the place is that of the text.
                self._index.count(self._index.slots, [len(self._texts)], ())
                self.titles.add(title)
                self._files.add(file)
            self._texts.add(sentence.text)
            self.lines.append(sentence.line)
            self._ordinary.update(filter(str.islower, sentence.text.split()))
            own = plain_words(sentence.text)
            self.words += len(own)
            yield own + of_title

    def finish(self) -> None:
        """Save all parts."""
        self._index.finish()
        for written in (self._texts, self.titles, self._files):
            written.finish()
        words = sorted({word for text in self._ordinary for word in plain_words(text)})
        vocabulary.write(words, self._aside / "ordinary")
        np.save(self._aside / "sentences" / "lines.npy", np.array(self.lines, np.int32))
        np.save(self._aside / "words" / "total.npy", np.array([self.words]))


class DocStore:
    """Documents that were built.

    store = DocStore.open(Path("my.docs"))
    store.ask("When was Red released?")[0]  # FoundSentence("It was released in 1994.", ...)
    for reading in store.readings():
        slots = LAYOUTS["window + center + title"].slots(reading)
    """

    def __init__(self, folder: Path, generation: str, arrays: folders.Arrays) -> None:
        parts = {part: {name: arrays[f"{part}/{name}"] for name in PARTS[part]} for part in PARTS}
        self.folder = folder
        self.index = Index.of(folder, generation, parts["index"])
        """Finds sentences by their words and those of their titles."""
        self.sentences = Texts(parts["sentences"])
        self.titles = Texts(parts["titles"])
        """Of each document."""
        self.files = Texts(parts["files"])
        """That each document is in."""
        self._lines = parts["sentences"]["lines"]
        self._first = parts["index"]["documents"]
        self._ordinary = Vocabulary(parts["ordinary"])
        self._mean = float(parts["words"]["total"].sum()) / len(self.sentences)

    @classmethod
    def open(cls, folder: Path) -> "DocStore":
        """Open a store without reading it; any number of processes may.

        Raises:
            ValueError: there is none, or it is of another version, cut short or damaged.
        """
        return cls(folder, *folders.open_arrays(folder, KINDS, FORMAT))

    def __len__(self) -> int:
        """How many sentences there are."""
        return len(self.sentences)

    def ask(self, question: str, most: int = 5) -> list[FoundSentence]:
        """Return the sentences that share the rarest words with a question, the best first.

        The score is BM25 over the words of a sentence and its title; small words do not count.

        $$ s = \\sum_w \\ln(1 + \\frac{N - n_w + 1/2}{n_w + 1/2})
               \\frac{f_w (k_1 + 1)}{f_w + k_1 (1 - b + b\\, l / \\bar l)} $$

        N sentences, of which $n_w$ have the word; $f_w$ times it stands in this one, of l words.

        Args:
            question: in words.
            most: how many sentences.

        Returns:
            None of them where no word of the question but small ones is known.
        """
        asked = [word for word in dict.fromkeys(plain_words(question)) if word not in SMALL]
        found = [self._found(int(slot), asked) for slot in self.index.candidates(asked, CANDIDATES)]
        return sorted(found, key=lambda one: -one.score)[:most]

    def readings(self, find: Find | None = None) -> Iterator[ReadDocument]:
        """Read the documents one by one, for layouts and extraction.

        Args:
            find: finds entities; by default names are capitalised words and numbers.
        """
        find = find or capitalised(_Words(self._ordinary))
        for document, title in enumerate(self.titles):
            yield read(title, [self.sentences[place] for place in self._span(document)], find)

    def _span(self, document: int) -> range:
        end = len(self) if document + 1 == len(self.titles) else int(self._first[document + 1])
        return range(int(self._first[document]), end)

    def _found(self, slot: int, asked: Iterable[str]) -> FoundSentence:
        document = int(np.searchsorted(self._first, slot, side="right")) - 1
        text, title = self.sentences[slot], self.titles[document]
        said = plain_words(text)
        times = Counter(said + plain_words(title))
        matched = tuple(word for word in asked if word in times)
        length = K1 * (1 - B + B * len(said) / self._mean)
        score = sum(
            self._rarity(word) * times[word] * (K1 + 1) / (times[word] + length) for word in matched
        )
        where = self.files[document], int(self._lines[slot])
        return FoundSentence(text, score, matched, title, *where)

    def _rarity(self, word: str) -> float:
        having = self.index.frequency(word)
        return log(1 + (len(self) - having + 0.5) / (having + 0.5))


class _Words:
    """A vocabulary as a container of words."""

    def __init__(self, words: Vocabulary) -> None:
        self._words = words

    def __contains__(self, word: object) -> bool:
        plain = " ".join(plain_words(word)) if isinstance(word, str) else ""
        return self._words.number(plain) is not None
