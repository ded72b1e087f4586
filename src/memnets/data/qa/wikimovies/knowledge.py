"""What WikiMovies is answered from: triples, official blocks, keys with values.

A block is a movie's lines, numbered from 1, with a blank line after it.
"""

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from memnets.data import official
from memnets.data.facts import Triple
from memnets.data.qa.wikimovies.entities import Entities
from memnets.data.rows import BadRows, decoded, existing, fields, numbered, records, wrong

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


class AnswerSlot(NamedTuple):
    """A key and the values behind it, as in extracted triples and windows."""

    key: str
    values: tuple[str, ...]


class Document(NamedTuple):
    """The sentences of one article or movie."""

    sentences: tuple[str, ...]


def load_triples(path: str | os.PathLike[str] | None = None) -> tuple[Triple, ...]:
    """Load the rebuilt knowledge base, 130,471 lines ``movie|relation|object``.

    Args:
        path: the folder of the set, or one that contains it; by default MEMNETS_DATA.
    """
    file = official.find("wikimovies", ("kb_triples.txt",), path)
    return tuple(read_triples(file))


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


def read_slots(path: str | os.PathLike[str], bad: BadRows | None = None) -> Iterator[AnswerSlot]:
    """Stream keys with values, ``key<TAB>value<TAB>value``; a line number before it is dropped."""

    def read(line: str) -> AnswerSlot:
        key, *values = line.split("\t")
        key = re.sub(r"^\d+ (?=.)", "", key)
        if not (key and values and all(values)):
            raise wrong(line, "key\tvalue")
        return AnswerSlot(key, tuple(values))

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
