"""Documents on disk: their sentences, where each stands, and how those for a question are found.

Sentences are found by the stems that they, their headings, title and file share with a question.
What was learnt from questions to other documents weighs the best of them anew.
"""

import re
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from memnets.data.rows import BadRows
from memnets.kb.documents import texts
from memnets.kb.documents.clues import Asked, Candidate
from memnets.kb.documents.documents import DocumentSentence, capitalised, find_files, sentences
from memnets.kb.documents.ranking import Fields, bm25, rarity
from memnets.kb.documents.reranking import LEARNT, Reranker
from memnets.kb.documents.stems import asked_stems, plain_words, stems
from memnets.kb.documents.texts import Texts, TextWriter
from memnets.kb.index import folders, vocabulary
from memnets.kb.index.building import KINDS as INDEX_KINDS
from memnets.kb.index.building import Builder
from memnets.kb.index.index import Index
from memnets.kb.index.porter import porter
from memnets.kb.index.rules import Rule
from memnets.kb.index.vocabulary import Vocabulary
from memnets.kb.store.layouts import Find, ReadDocument, read

FORMAT = folders.Format("memnets docs", 2, "store of documents")
PARTS: Mapping[str, Mapping[str, type]] = {
    "index": INDEX_KINDS,
    "sentences": {**texts.KINDS, "lines": np.int32},
    "sections": {**texts.KINDS, "first": np.int32},
    "titles": texts.KINDS,
    "files": texts.KINDS,
    "ordinary": vocabulary.KINDS,
    "words": {"total": np.int64},
}
KINDS = {f"{part}/{name}": kind for part, kinds in PARTS.items() for name, kind in kinds.items()}
"""The arrays of a store, part by part."""
CANDIDATES = Rule(top_n=1000)
"""So many sentences are ranked."""
LOOKED_AT = 50
"""So many of them are weighed by a re-ranker."""
NEAR = 5
"""So many sentences on either side say what a section is about."""
BETWEEN = "\n"
"""Stands between the headings of a section; none of them holds it."""


class FoundSentence(NamedTuple):
    """A sentence that shares stems with a question, and where it stands."""

    text: str
    score: float
    matched: tuple[str, ...]
    """The words of it, its headings, its title and its file that the question has in some form."""
    title: str
    file: str
    line: int
    headings: tuple[str, ...] = ()
    """That it stands below, from the second level on."""


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
        self._sections = TextWriter(aside / "sections")
        self._first = array("i")
        self._files = TextWriter(aside / "files")
        self._ordinary: set[str] = set()
        self._index = Builder(folder, aside / "index")

    def add(self, file: str, found: Iterable[DocumentSentence]) -> None:
        self._index.add(self._keys(file, found))

    def _keys(self, file: str, found: Iterable[DocumentSentence]) -> Iterator[list[str]]:
        title, headings = None, None
        above: list[str] = []
        for sentence in found:
            if (sentence.title, sentence.headings) != (title, headings):
                if sentence.title != title:
                    self._begin(sentence.title, file)
                title, headings = sentence.title, sentence.headings
                self._first.append(len(self._texts))
                self._sections.add(BETWEEN.join(headings))
                above = stems(" ".join((title, *headings, file_words(file))))
            self._texts.add(sentence.text)
            self.lines.append(sentence.line)
            self._ordinary.update(filter(str.islower, sentence.text.split()))
            own = stems(sentence.text)
            self.words += len(own)
            yield own + above

    def _begin(self, title: str, file: str) -> None:
        # Slots are counted once a chunk is taken: the place is that of the text.
        self._index.count(self._index.slots, [len(self._texts)], ())
        self.titles.add(title)
        self._files.add(file)

    def finish(self) -> None:
        """Save all parts."""
        self._index.finish()
        for written in (self._texts, self._sections, self.titles, self._files):
            written.finish()
        words = sorted({word for text in self._ordinary for word in plain_words(text)})
        vocabulary.write(words, self._aside / "ordinary")
        np.save(self._aside / "sentences" / "lines.npy", np.array(self.lines, np.int32))
        np.save(self._aside / "sections" / "first.npy", np.array(self._first, np.int32))
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
        """Finds sentences by their stems and those of what stands above them."""
        self.sentences = Texts(parts["sentences"])
        self.titles = Texts(parts["titles"])
        """Of each document."""
        self.files = Texts(parts["files"])
        """That each document is in."""
        self._sections = Texts(parts["sections"])
        self._below = parts["sections"]["first"]
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

    def ask(
        self, question: str, most: int = 5, reranker: Reranker | None = LEARNT
    ) -> list[FoundSentence]:
        """Return the sentences that best match a question, the best first.

        Found are those that share the rarest stems with it, by BM25 over a sentence, its headings,
        its title and its file's name (`ranking.bm25`); small words of the question do not count.
        The best of these are weighed by further clues (`clues.Clues`), and the score of each is its
        weight: all together are one. Without a re-ranker the score is BM25.

        Args:
            question: in words.
            most: how many sentences.
            reranker: weighs what was found; by default as it was learnt from other documents.

        Returns:
            None of them where no word of the question but small ones is known.
        """
        asked, found = self.candidates(question, most if reranker is None else max(most, LOOKED_AT))
        scores = [one.score for one in found]
        if reranker is not None:
            scores = reranker.weigh(asked, found).tolist()
        order = sorted(range(len(found)), key=lambda place: -scores[place])[:most]
        return [self._found(found[place], scores[place], asked) for place in order]

    def candidates(self, question: str, most: int = LOOKED_AT) -> tuple[Asked, list[Candidate]]:
        """Return how a question is read, and the sentences of the highest BM25, the best first."""
        known = self.index.frequency
        told = {
            one: rarity(len(self), known(one))
            for one in asked_stems(question, lambda word: known(word) > 0)
        }
        slots = map(int, self.index.candidates(told, CANDIDATES))
        best = sorted((-bm25(told, self._fields(slot), self._mean), slot) for slot in slots)[:most]
        return Asked.of(question, told), [self._candidate(slot, -cost) for cost, slot in best]

    def place(self, slot: int) -> tuple[str, int]:
        """Return the file that a sentence stands in, and the line on which it begins."""
        return self._above(slot)[2], int(self._lines[slot])

    def title(self, slot: int) -> str:
        """Return the title of a sentence's document."""
        return self._above(slot)[1]

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

    def _candidate(self, slot: int, score: float) -> Candidate:
        section = self._section(slot)
        near = range(max(section.start, slot - NEAR), min(section.stop, slot + NEAR + 1))
        around = {place: tuple(stems(self.sentences[place])) for place in near}
        every = frozenset(chain.from_iterable(around.values()))
        sides = around.get(slot - 1, ()), around.get(slot + 1, ())
        return Candidate(slot, self.sentences[slot], score, self._fields(slot), *sides, every)

    def _section(self, slot: int) -> range:
        """Return the sentences below the same heading."""
        section = int(np.searchsorted(self._below, slot, side="right")) - 1
        last = section + 1 == len(self._below)
        return range(
            int(self._below[section]), len(self) if last else int(self._below[section + 1])
        )

    def _fields(self, slot: int) -> Fields:
        """Return the stems of a sentence and of what stands above it."""
        headings, title, file = self._above(slot)
        own = tuple(stems(self.sentences[slot]))
        return Fields(own, _above(headings), _above(title), _above(file_words(file)))

    def _above(self, slot: int) -> tuple[str, str, str]:
        """Return the headings of a sentence, its title and its file."""
        document, section = (
            int(np.searchsorted(first, slot, side="right")) - 1
            for first in (self._first, self._below)
        )
        return self._sections[section], self.titles[document], self.files[document]

    def _found(self, found: Candidate, score: float, asked: Asked) -> FoundSentence:
        headings, title, file = self._above(found.slot)
        texts = found.text, headings, title, file_words(file)
        words = dict.fromkeys(plain_words(" ".join(texts)))
        matched = tuple(word for word in words if porter(word) in asked.stems)
        below = tuple(headings.split(BETWEEN)) if headings else ()
        line = int(self._lines[found.slot])
        return FoundSentence(found.text, score, matched, title, file, line, below)


@lru_cache(2**12)
def _above(text: str) -> tuple[str, ...]:
    """Return the stems of what stands above many sentences."""
    return tuple(stems(text))


def file_words(file: str) -> str:
    """Return the words of a file's path, without its ending."""
    return re.sub(r"[\W_]+", " ", str(Path(file).with_suffix("")))


class _Words:
    """A vocabulary as a container of words."""

    def __init__(self, words: Vocabulary) -> None:
        self._words = words

    def __contains__(self, word: object) -> bool:
        plain = " ".join(plain_words(word)) if isinstance(word, str) else ""
        return self._words.number(plain) is not None
