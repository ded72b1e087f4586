"""What WikiMovies is answered from: triples, official blocks, keys with values, plots.

A block is a movie's lines, numbered from 1, with a blank line after it.
"""

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memnets.data import official
from memnets.data.facts import Triple
from memnets.data.rows import BadRows, decoded, existing, fields, numbered, records, wrong
from memnets.data.wikimovies.entities import Entities
from memnets.data.wikimovies.questions import Question, analyse

RELATIONS = (
    "directed_by",
    "written_by",
    "starred_actors",
    "release_year",
    "in_language",
    "has_tags",
    "has_genre",
    "has_imdb_votes",
    "has_imdb_rating",
)
"""The nine relations of the knowledge base."""

PLOT = "has_plot"
"""A tenth one, in the full knowledge base: its object is a text."""

_BLOCK_LINE = re.compile(rf"(\d+) (.+?) ({'|'.join((*RELATIONS, PLOT))}) (.+)")
_NUMBERED = re.compile(r"(\d+) (.+)")


class Slot(NamedTuple):
    """A key and the values behind it, as in extracted triples and windows."""

    key: str
    values: tuple[str, ...]


class Document(NamedTuple):
    """The sentences of one article or movie."""

    sentences: tuple[str, ...]


class Plot(NamedTuple):
    """What happens in a movie; title and text are in lower case and without most punctuation."""

    title: str
    text: str


class Coverage(NamedTuple):
    """How many questions plots can answer at all."""

    questions: int
    with_plot: int
    """The movie that is asked about, or one that is an answer, has a plot."""
    answerable: int
    """A plot of the movie that is asked about names an answer; or, where movies are asked for, a
    plot of an answer names what is asked about."""


def load_triples(path: str | os.PathLike[str] | None = None) -> tuple[Triple, ...]:
    """Load the rebuilt knowledge base, 130,471 lines ``movie|relation|object``.

    Args:
        path: the folder of the set, or one that contains it; by default MEMNETS_DATA.
    """
    file = official.find("wikimovies", ("kb_triples.txt",), path)
    return tuple(read_triples(file))


def load_plots(path: str | os.PathLike[str] | None = None) -> tuple[Plot, ...]:
    """Load the plots, 17,341 lines ``movie|has_plot|text``; not to be passed on (see docs)."""
    return tuple(read_plots(official.find("wikimovies", ("omdb_plots.txt",), path)))


def read_triples(path: str | os.PathLike[str], bad: BadRows | None = None) -> Iterator[Triple]:
    """Stream lines ``movie|relation|object``."""
    return records(path, lambda line: Triple(*fields(line, "|", "movie|relation|object")), bad)


def read_blocks(
    path: str | os.PathLike[str], entities: Entities, bad: BadRows | None = None
) -> Iterator[Triple]:
    """Stream the official knowledge base: ``1 Blade Runner directed_by Ridley Scott``.

    Titles hold spaces and objects hold ", ": the relation's name parts them, the entity list
    parts the objects.

    Args:
        path: the file.
        entities: they say where an object ends.
        bad: counts bad rows; without it the first one is an error.
    """

    def read(line: str) -> list[Triple]:
        found = _BLOCK_LINE.fullmatch(line)
        if not found:
            raise wrong(line, "N movie relation object, object")
        _, movie, relation, text = found.groups()
        objects = (text,) if relation == PLOT else entities.split(text)
        return [Triple(movie, relation, each) for each in objects]

    return (triple for line in records(path, read, bad) for triple in line)


def read_slots(path: str | os.PathLike[str], bad: BadRows | None = None) -> Iterator[Slot]:
    """Stream keys with values, ``key<TAB>value<TAB>value``; a line number before it is dropped."""

    def read(line: str) -> Slot:
        key, *values = line.split("\t")
        key = re.sub(r"^\d+ (?=.)", "", key)
        if not (key and values and all(values)):
            raise wrong(line, "key\tvalue")
        return Slot(key, tuple(values))

    return records(path, read, bad)


def read_documents(path: str | os.PathLike[str], bad: BadRows | None = None) -> Iterator[Document]:
    """Stream documents of numbered sentences; a blank line or a number 1 begins the next one."""
    path = existing(path)
    sentences: list[str] = []
    for row, data in numbered(path):
        try:
            line = decoded(data)
            found = _NUMBERED.fullmatch(line)
            if line.strip(" \t") and not found:
                raise wrong(line, "N sentence")
        except ValueError as error:
            if bad is None:
                raise ValueError(f"{path}:{row}: {error}") from None
            bad.add(f"{path}:{row}: {error}")
            continue
        if sentences and (not found or found[1] == "1"):
            yield Document(tuple(sentences))
            sentences = []
        if found:
            sentences.append(found[2])
    if sentences:
        yield Document(tuple(sentences))


def read_plots(path: str | os.PathLike[str], bad: BadRows | None = None) -> Iterator[Plot]:
    """Stream plots, ``movie|has_plot|text``; a "|" in the text belongs to it."""

    def read(line: str) -> Plot:
        title, _, rest = line.partition("|")
        relation, _, text = rest.partition("|")
        if not (title and text and relation == PLOT):
            raise wrong(line, f"movie|{PLOT}|text")
        return Plot(title, text)

    return records(path, read, bad)


def folded(text: str) -> str:
    """Return a text as the plots spell it: lower case, no accents, only letters, digits, spaces."""
    plain = unicodedata.normalize("NFKD", text).lower()
    return " ".join(re.sub(r"[^\w\s]|_", "", plain.replace("-", " ")).split())


def coverage(questions: Iterable[Question], plots: Iterable[Plot], entities: Entities) -> Coverage:
    """Count the questions that plots can answer: figures on plots are figures on these."""
    known: dict[str, str] = {}
    for plot in plots:
        title = folded(plot.title)
        known[title] = f"{known.get(title, ' ')}{folded(plot.text)} "
    questions = list(questions)
    with_plot = answerable = 0
    for asked in analyse(questions, entities):
        about = [folded(asked.entity)]
        answers = [folded(answer) for answer in asked.question.answers]
        if asked.question.category.endswith("_to_movie"):
            about, answers = answers, about
        here = [known[title] for title in about if title in known]
        with_plot += bool(here)
        answerable += any(f" {word} " in text for text in here for word in answers if word)
    return Coverage(len(questions), with_plot, answerable)
