"""Text and Markdown files, sentence by sentence, and the names that they hold.

A file is streamed, whatever its size. It is UTF-8, or UTF-16 with a byte order mark; a line that is
neither is read as Windows-1252, and counted.
"""

import codecs
import os
import re
from bisect import bisect
from collections.abc import Callable, Container, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from memnets.data.rows import LOOKED_AT, BadRows, expect_text
from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS

MARKDOWN = frozenset({".md", ".markdown"})
SUFFIXES = frozenset({".txt", ".text", *MARKDOWN})
"""Of the files that are read."""
WRAPPED = 40
"""A line of fewer letters was not wrapped: it ends its sentence."""
MOST = 2**16
"""So many letters are joined to a paragraph at most."""
MARKED = 300
"""So many letters stand between two marks of Markdown at most."""
TAIL = 20
"""More letters than any abbreviation has."""

_END = re.compile(r"[.!?…][\"'”’)\]]*\s+(?=[^\sa-z])")
_ABBREVIATION = re.compile(
    r"(?:\b[^\W\d_]|\b(?:mrs?|ms|dr|st|prof|jr|sr|vs|etc|no|vol|fig|ca|approx|e\.g|i\.e))\.$", re.I
)
_HEADING = re.compile(r"(#{1,6})\s+(.*?)[\s#]*$")
_FENCE = re.compile(r"\s*(```|~~~)")
_RULE = re.compile(r"[\s\-=*_|:]*$")
_BULLET = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)]|>)\s+")
_MARKUP = (
    (re.compile(r"<[^<>]*>"), ""),
    (re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)"), r"\1"),
    (re.compile(rf"(\*\*|__|`|\*)(?=\S)(.{{1,{MARKED}}}?)(?<=\S)\1"), r"\2"),
    (re.compile(rf"\b_(.{{1,{MARKED}}}?)_\b"), r"\1"),
)
_WORD = re.compile(r"\d+(?:[.,:]\d+)+(?!\w)|\w+(?:['’\-.]\w+)*|[^\w\s]")
_YEAR = re.compile(r"\d{4}")
_MONTHS = frozenset(
    re.findall(
        r"\S+",
        "january february march april may june july august september october november december",
    )
)
_LINKS = frozenset({"of", "the", "de", "del", "la", "van", "von", "der", "du", "da"})


class DocumentSentence(NamedTuple):
    """A sentence of a file."""

    title: str
    """What it is about: the last heading of the first level, or the file's name."""
    line: int
    """Where it begins, from 1."""
    text: str
    headings: tuple[str, ...] = ()
    """That it stands below, from the second level on, the highest first."""


class _Line(NamedTuple):
    number: int
    text: str


class _Heading(NamedTuple):
    level: int
    line: _Line


class _Place:
    """Where in a file one is: below which title, and below which other headings."""

    def __init__(self, title: str) -> None:
        self.title = title
        self._open: list[_Heading] = []
        self._said = True

    def say(self, line: int, text: str) -> DocumentSentence:
        self._said = True
        return DocumentSentence(self.title, line, text, self._names(self._open))

    def enter(self, heading: _Heading) -> Iterator[DocumentSentence]:
        """Go below a heading; the one before is a sentence if nothing stood below it."""
        if self._open and heading.level <= self._open[-1].level:
            yield from self.leave()
        self._open = [one for one in self._open if one.level < heading.level]
        if heading.level == 1:
            self.title = heading.line.text
        else:
            self._open.append(heading)
            self._said = False

    def leave(self) -> Iterator[DocumentSentence]:
        if not self._said:
            *above, (_, line) = self._open
            yield DocumentSentence(self.title, line.number, line.text, self._names(above))
            self._said = True

    def _names(self, headings: Sequence[_Heading]) -> tuple[str, ...]:
        return tuple(heading.line.text for heading in headings)


class FoundFiles(NamedTuple):
    """What a folder and its folders hold, each list sorted; hidden ones are passed over."""

    read: list[Path]
    """Files of text."""
    others: list[Path]
    """Files that are not read, by their names."""
    links: list[Path]
    """To files or folders, in this folder or elsewhere. None is followed: what is in the folder is
    read where it lies, and nobody has asked for what is not."""


def find_files(folder: str | os.PathLike[str]) -> FoundFiles:
    """Return the files of a folder and its folders.

    Raises:
        FileNotFoundError: there is no such folder.
        ValueError: it holds no file that is read.
    """
    folder = Path(folder)
    if not folder.is_dir():
        what = "is a file" if folder.exists() else "does not exist"
        raise FileNotFoundError(
            f"{folder}: this {what}; expected a folder of text files. Correct the path."
        )
    seen = sorted(
        path
        for path in folder.rglob("*")
        if not any(part[0] == "." for part in path.relative_to(folder).parts)
    )
    links = [path for path in seen if path.is_symlink()]
    every = [path for path in seen if path.is_file() and not path.is_symlink()]
    read = [path for path in every if path.suffix.lower() in SUFFIXES]
    if not read:
        linked = f" (and {len(links):,} links, which are not followed)" if links else ""
        raise ValueError(
            f"{folder}: no text in {len(every):,} files{linked}; expected files that end with one "
            f"of {', '.join(sorted(SUFFIXES))}. Name another folder, or save the documents there "
            f"as text."
        )
    others = [path for path in every if path.suffix.lower() not in SUFFIXES]
    return FoundFiles(read, others, links)


def sentences(path: Path, bad: BadRows) -> Iterator[DocumentSentence]:
    """Stream the sentences of a file.

    A heading is one only where nothing stands below it; otherwise it is said with each sentence
    that does.

    Args:
        path: of a text file; Markdown by its name.
        bad: counts what was not in UTF-8, and files that are no text.
    """
    place = _Place(re.sub(r"[\s_]+", " ", path.stem).strip())
    with path.open("rb") as raw:
        begin = raw.read(LOOKED_AT)
    wide = begin.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not wide:
        try:
            expect_text(path, begin)
        except ValueError as error:
            bad.add(str(error))
            return
    encoding, errors = ("utf-16", "replace") if wide else ("utf-8-sig", "surrogateescape")
    with path.open(encoding=encoding, errors=errors) as file:
        paragraphs = _plain if path.suffix.lower() not in MARKDOWN else _markdown
        for paragraph in paragraphs(_lines(file, path, bad)):
            if isinstance(paragraph, _Heading):
                yield from place.enter(paragraph)
                continue
            for number, text in _cut(paragraph):
                yield place.say(number, text)
        yield from place.leave()


def capitalised(ordinary: Container[str]) -> Callable[[str], list[tuple[str, int, int]]]:
    """Return what finds names in a sentence: words with a capital that stand together, and numbers.

    Args:
        ordinary: words, in lower case, that also stand in lower case: none of them is a name
            where it begins a sentence.
    """

    def find(text: str) -> list[tuple[str, int, int]]:
        runs = _runs(list(_WORD.finditer(text)))
        trimmed = (_trimmed(run, ordinary) for run in runs)
        spans = [(run[0].start(), run[-1].end()) for run in trimmed if run]
        return [(text[start:end], start, end) for start, end in spans]

    return find


def _lines(file: TextIO, path: Path, bad: BadRows) -> Iterator[_Line]:
    number = 0
    whole = True
    while text := file.readline(MOST):
        number += whole  # a line that is longer than is read at once keeps its number
        whole = text.endswith("\n")
        try:
            text.encode()
        except UnicodeEncodeError:
            text = text.encode("utf-8", "surrogateescape").decode("cp1252", "replace")
            bad.add(
                f"{path}:{number}: not UTF-8, read as Windows-1252: {text.strip()[:60]!r}. "
                f"Save the file as UTF-8."
            )
        yield _Line(number, text.rstrip("\n"))


_Paragraph = list[_Line] | _Heading
"""Lines that belong together; or a heading."""


def _plain(lines: Iterator[_Line]) -> Iterator[_Paragraph]:
    paragraph: list[_Line] = []
    size = 0
    for line in lines:
        text = " ".join(line.text.split())
        if text:
            paragraph.append(_Line(line.number, text))
            size += len(text)
        if paragraph and (len(text) < WRAPPED or size >= MOST):
            yield paragraph
            paragraph, size = [], 0
    if paragraph:
        yield paragraph


def _markdown(lines: Iterator[_Line]) -> Iterator[_Paragraph]:
    block: list[_Line] = []
    size = 0
    for line in _without_code(lines):
        heading, bullet = _HEADING.match(line.text), _BULLET.match(line.text)
        if block and (heading or bullet or _RULE.match(line.text) or size >= MOST):
            yield block
            block, size = [], 0
        if heading:
            text = _unmarked(heading[2])
            if text:
                yield _Heading(len(heading[1]), _Line(line.number, text))
        elif not _RULE.match(line.text):
            text = line.text[bullet.end() :] if bullet else line.text
            block.append(_Line(line.number, _unmarked(text)))
            size += len(text)
    if block:
        yield block


def _without_code(lines: Iterator[_Line]) -> Iterator[_Line]:
    """Leave out what is no prose: settings before the text, and code."""
    until = ""
    for line in lines:
        text = line.text.strip()
        if until:
            until = "" if text.startswith(until) else until
        elif fence := _FENCE.match(line.text):
            until = fence[1]
        elif line.number == 1 and text == "---":
            until = text
        else:
            yield line


def _unmarked(text: str) -> str:
    for mark, plain in _MARKUP:
        text = mark.sub(plain, text)
    return " ".join(text.split())


def _cut(paragraph: Sequence[_Line]) -> Iterator[tuple[int, str]]:
    """Cut a paragraph into sentences, each with the line on which it begins."""
    text = " ".join(line.text for line in paragraph)
    begins = [0]
    for line in paragraph[:-1]:
        begins.append(begins[-1] + len(line.text) + 1)
    start = 0
    for end in (*(found.end() for found in _END.finditer(text)), len(text)):
        # Only its end tells whether a sentence ends there: looking at all of it takes minutes
        # where there are ten thousand initials.
        if end == len(text) or not _ABBREVIATION.search(
            text[max(start, end - TAIL) : end].rstrip()
        ):
            if said := text[start:end].rstrip():
                yield paragraph[bisect(begins, start) - 1].number, said
            start = end


def _runs(words: Sequence[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    """Yield the words of each name; small words are part of it between two that begin large."""
    run: list[re.Match[str]] = []
    links: list[re.Match[str]] = []
    for word in words:
        # A year is a name of its own ("in 1994 Oslo won"), but for that of a month.
        alone = _YEAR.fullmatch(word[0]) and not (run and run[-1][0].lower() in _MONTHS)
        if alone:
            yield run
            yield [word]
            run, links = [], []
        elif word[0][0].isupper() or word[0][0].isdigit():
            run += [*links, word]  # in place: a run may be as long as its line
            links = []
        elif run and word[0] in _LINKS and (links or word[0] != "the"):
            links.append(word)
        else:
            yield run
            run, links = [], []
    yield run


def _trimmed(run: list[re.Match[str]], ordinary: Container[str]) -> list[re.Match[str]]:
    """Return a name without the words before it that only begin the sentence."""
    while run:
        word = run[0][0].lower()
        small = word in STOP_WORDS or word in INTERROGATIVES or word in _LINKS
        if not small and not (run[0].start() == 0 and word in ordinary):
            break
        # "The Hague" keeps its article inside a sentence.
        if run[0].start() > 0 and len(run) > 1:
            break
        run = run[1:]
    return run
