"""Freebase: triples, grouped facts and names, whatever way its identifiers are spelt.

``www.freebase.com/m/0f3xg_``, ``/m/0f3xg_``, ``ns:m.0f3xg_`` and
``<http://rdf.freebase.com/ns/m.0f3xg_>`` are one thing; here all are ``m.0f3xg_``, and a relation
is ``people.person.place_of_birth``.

The service closed in 2016; the last dump has about 1.9 billion triples, so everything streams.
"""

import os
import re
from collections.abc import Iterator
from typing import NamedTuple

from memnets.data.facts import Fact, Triple
from memnets.data.rows import BadRows, fields, records, wrong

NAMESPACE = "http://rdf.freebase.com/ns/"
"""How an address of the RDF dump begins."""

_PREFIX = re.compile(
    rf"(?:{re.escape(NAMESPACE)}|(?:https?://)?(?:www\.)?freebase\.com/|ns:|fb:|/)"
)
_PATH = re.compile(r"\w+(?:/\w+)+", re.ASCII)
_STATEMENT = re.compile(
    r"<([^>]*)>\s+<([^>]*)>\s+"
    r'(?:<([^>]*)>|"((?:[^"\\]|\\.)*)"(?:@([A-Za-z0-9-]+)|\^\^<[^>]*>)?)\s*\.\s*'
)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_SHORT = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}
_NTRIPLE = '<subject> <relation> <object> . or <subject> <relation> "text"@en .'


class RDFStatement(NamedTuple):
    """One line of an RDF dump.

    Args:
        subject: an identifier.
        relation: an identifier.
        object: an identifier, or the text of a literal.
        literal: whether the object is a text.
        language: of a literal, e.g. "en"; empty where none is given.
    """

    subject: str
    relation: str
    object: str
    literal: bool
    language: str


def identifier(text: str) -> str:
    """Return an identifier in its short form, ``m.0f3xg_``; another text as it stands."""
    found = _PREFIX.match(text)
    inner = text[found.end() :] if found else text
    return inner.replace("/", ".") if _PATH.fullmatch(inner) or found else inner


def read_triples(path: str | os.PathLike[str], bad: BadRows | None = None) -> Iterator[Triple]:
    """Stream atomic facts, ``subject<TAB>relation<TAB>object``, gzipped or not."""

    def read(line: str) -> Triple:
        subject, relation, item = fields(line, "\t", "subject\trelation\tobject")
        return Triple(identifier(subject), identifier(relation), identifier(item))

    return records(path, read, bad)


def read_facts(path: str | os.PathLike[str], bad: BadRows | None = None) -> Iterator[Fact]:
    """Stream grouped facts as in FB2M and FB5M, ``subject<TAB>relation<TAB>object object``."""

    def read(line: str) -> Fact:
        subject, relation, items = fields(line, "\t", _GROUPED)
        objects = tuple(identifier(item) for item in items.split(" ") if item)
        if not objects:
            raise wrong(line, _GROUPED)
        return Fact(identifier(subject), identifier(relation), objects)

    return records(path, read, bad)


def read_ntriples(
    path: str | os.PathLike[str], bad: BadRows | None = None
) -> Iterator[RDFStatement]:
    """Stream an RDF dump: N-Triples, gzipped or not, parted by spaces or TABs."""

    def read(line: str) -> RDFStatement:
        found = _STATEMENT.fullmatch(line)
        if not found:
            raise wrong(line, _NTRIPLE)
        subject, relation, item, text, language = found.groups()
        if text is None:
            return RDFStatement(
                identifier(subject), identifier(relation), identifier(item), False, ""
            )
        literal = _ESCAPE.sub(_unescaped, text)
        return RDFStatement(
            identifier(subject), identifier(relation), literal, True, language or ""
        )

    return records(path, read, bad)


def read_names(path: str | os.PathLike[str], bad: BadRows | None = None) -> dict[str, str]:
    """Read names, ``identifier<TAB>name``; the first name of an identifier is kept."""

    def read(line: str) -> tuple[str, str]:
        key, name = fields(line, "\t", "identifier\tname")
        return identifier(key), name

    names: dict[str, str] = {}
    for key, name in records(path, read, bad):
        names.setdefault(key, name)
    return names


_GROUPED = "subject\trelation\tobject object"


def _unescaped(found: re.Match[str]) -> str:
    short, long, letter = found.groups()
    if letter is not None:
        return _SHORT.get(letter, letter)
    code = int(short or long, 16)
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        raise ValueError(
            f"came the escape {found[0]!r}; expected a character of Unicode. "
            f"Correct the line, or fetch the file anew."
        )
    return chr(code)
