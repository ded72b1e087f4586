"""How facts and texts become slots of a key-value memory: section 3.2 of Miller et al. (2016).

A slot is a key, which questions are compared with, and a value, which is read. Both are bags of
words; the name of an entity is one word, spaces and all.

>>> reading = read("Red", ["Red is a film by Kieslowski."], entities.mentions)
>>> layout = LAYOUTS["window + center + title"]
>>> slots = list(layout.slots(reading))
>>> asked = layout.question(words("who made Red?", entities.mentions))

Keys and windows are those of the released code: sentences of a document are joined, so a window
crosses their borders, but not the document's; punctuation marks are words. Names of entities keep
their case, other words lose it.

Cite: miller2016
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

REVERSED = "!"
"""Stands before a relation that leads from the object to the subject."""
SECOND = "1:"
"""Stands before a word of the second dictionary: one beside the centre of a window."""
CENTER_MARK = "__WINDOW_CENTER__"
"""Stands in the key of a window whose value is its centre, where other values occur."""
TITLE_MARK = "__MOVIE__"
"""Stands in the key of a window whose value is the title, as the released code spells it."""
WIDTH = 7
"""Words of a window: the centre and three on either side."""

_TOKEN = re.compile(r"\w+|[^\w\s]")

Words = tuple[str, ...]
Find = Callable[[str], Iterable[tuple[str, int, int]]]
"""Finds entities in a text: their names, and where they begin and end; none overlap."""


def reverse(relation: str) -> str:
    """Return the name of a relation in the other direction."""
    return relation.removeprefix(REVERSED) if relation[:1] == REVERSED else REVERSED + relation


class Origin(NamedTuple):
    """Where a slot comes from."""

    document: str
    """Its title."""
    sentence: int
    """Its place in the document, from 0."""
    start: int
    """Where it begins in the sentence, in characters: a centre, or the whole sentence."""
    end: int


class Slot(NamedTuple):
    """A key with its value; origin is None for a fact."""

    key: Words
    value: Words
    origin: Origin | None = None


class Token(NamedTuple):
    """A word in its sentence."""

    word: str
    is_entity: bool
    sentence: int
    start: int
    end: int


class ReadDocument(NamedTuple):
    """A document, and its sentences word by word."""

    title: str
    sentences: tuple[str, ...]
    tokens: tuple[Token, ...]


class Layout(NamedTuple):
    """How documents become slots, and what the words of a question become beside them."""

    slots: Callable[[ReadDocument], Iterator[Slot]]
    question: Callable[[Words], Words]


def triple_slots(triples: Iterable[tuple[str, str, str]]) -> Iterator[Slot]:
    """Make two slots of each fact: subject, relation -> object; object, !relation -> subject."""
    for subject, relation, item in triples:
        yield Slot((subject, relation), (item,))
        yield Slot((item, REVERSED + relation), (subject,))


def read(title: str, sentences: Sequence[str], find: Find) -> ReadDocument:
    """Split a document into words.

    Args:
        title: what it is about; it need not stand in a sentence.
        sentences: in their order.
        find: finds entities, such as `Entities.mentions`.
    """
    tokens = (token for place, text in enumerate(sentences) for token in _tokens(text, place, find))
    return ReadDocument(title, tuple(sentences), tuple(tokens))


def words(text: str, find: Find) -> Words:
    """Return the words of a text, such as a question; each entity is one."""
    return tuple(token.word for token in _tokens(text, 0, find))


def doubled(words: Words) -> Words:
    """Return the words of a question in both dictionaries, for keys that use the second one."""
    return (*words, *(SECOND + word for word in words))


def sentence_slots(reading: ReadDocument) -> Iterator[Slot]:
    """Make a slot of each sentence: key and value are its words."""
    bags: list[list[str]] = [[] for _ in reading.sentences]
    for token in reading.tokens:
        bags[token.sentence].append(token.word)
    for place, bag in enumerate(map(tuple, bags)):
        if bag:
            origin = Origin(reading.title, place, 0, len(reading.sentences[place]))
            yield Slot(bag, bag, origin)


def window_slots(
    reading: ReadDocument, width: int = WIDTH, beside: Callable[[str], str] = str
) -> Iterator[Slot]:
    """Make a slot of each entity: the words around it, and the entity itself, lead to it.

    Args:
        reading: the document.
        width: words of a window, with the centre in its middle.
        beside: how a word beside the centre is written in the key.

    Raises:
        ValueError: the width is not odd, or below 1.
    """
    for center, key in _windows(reading, width, beside):
        yield Slot(key, (center.word,), _origin(reading, center))


def title_slots(
    reading: ReadDocument, width: int = WIDTH, beside: Callable[[str], str] = str
) -> Iterator[Slot]:
    """Make two slots of each entity: a window that leads to it, and one that leads to the title.

    The first one's key holds the title too; it is left out where the entity is the title itself.
    The arguments are those of `window_slots`.
    """
    for center, key in _windows(reading, width, beside):
        origin = _origin(reading, center)
        if center.word != reading.title:
            yield Slot((CENTER_MARK, beside(reading.title), *key), (center.word,), origin)
        yield Slot((TITLE_MARK, *key), (reading.title,), origin)


def _second(word: str) -> str:
    return SECOND + word


def _as_they_are(words: Words) -> Words:
    return words


LAYOUTS: Mapping[str, Layout] = MappingProxyType(
    {
        "sentence": Layout(sentence_slots, _as_they_are),
        "window": Layout(window_slots, _as_they_are),
        "window + center": Layout(partial(window_slots, beside=_second), doubled),
        "window + title": Layout(title_slots, _as_they_are),
        "window + center + title": Layout(partial(title_slots, beside=_second), doubled),
    }
)
"""The layouts of documents, by the paper's names; the last one is the best in its Table 3."""


def _windows(
    reading: ReadDocument, width: int, beside: Callable[[str], str]
) -> Iterator[tuple[Token, Words]]:
    if width < 1 or width % 2 == 0:
        raise ValueError(
            f"width={width}: expected an odd number of words, from 1: the centre and as many on "
            f"either side. Pass {width + 1 if width > 0 else WIDTH}."
        )
    side = width // 2
    for place, center in enumerate(reading.tokens):
        if center.is_entity:
            before = reading.tokens[max(0, place - side) : place]
            after = reading.tokens[place + 1 : place + 1 + side]
            key = (
                *(beside(token.word) for token in before),
                center.word,
                *(beside(token.word) for token in after),
            )
            yield center, key


def _origin(reading: ReadDocument, token: Token) -> Origin:
    return Origin(reading.title, token.sentence, token.start, token.end)


def _tokens(text: str, sentence: int, find: Find) -> Iterator[Token]:
    done = 0
    for name, start, end in sorted(find(text), key=lambda mention: mention[1]):
        yield from _plain(text, done, start, sentence)
        yield Token(name, True, sentence, start, end)
        done = end
    yield from _plain(text, done, len(text), sentence)


def _plain(text: str, start: int, end: int, sentence: int) -> Iterator[Token]:
    for found in _TOKEN.finditer(text, start, end):
        yield Token(found[0].lower(), False, sentence, found.start(), found.end())
