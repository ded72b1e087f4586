"""Names as strangers type them: a surname alone, a possessive without its apostrophe, an error.

They are looked for only where a question holds no name as the KB spells it.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from operator import and_
from typing import NamedTuple

import numpy as np

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.common import POSSESSIVE, everyday
from memnets.kb.linking.parts import (
    NAMES_TOO,
    NOBODY,
    SEVERAL,
    Parts,
    Rows,
    distance,
    sound_nearly,
)
from memnets.kb.linking.words import question_words

BEFORE_A_NAME = frozenset(
    re.findall(
        r"\S+", "of for about by from to with is was are were does did do has had can and or"
    )
)
"""After one of them an everyday word may be a name: "does will work", "the salary of hope"."""
NOT_BEFORE_A_NAME = frozenset(
    re.findall(r"\S+", "a an my our your his her their its some any no 's")
)
"""After one of them no part of a name stands: "my boss" is not Ada Boss, nor is "Ben's boss"."""
LONG = 6
"""Letters of a misspelt name that is looked for beside a kind: "tortose tent"."""


class PartFound(NamedTuple):
    """Words of a question that are parts of names."""

    begin: int
    end: int
    """The words from `begin` to `end`, not included."""
    entities: tuple[str, ...]
    likeness: float
    """Of what was typed to the words of the names; 1 where these are spelt rightly."""
    name: str
    """The words of the names."""


class _Word(NamedTuple):
    """What a word of a question may be among the words of names."""

    entities: Rows
    likeness: float
    name: str


NOTHING = _Word(NOBODY, 0.0, "")


def parts_named(
    words: Sequence[str],
    parts: Parts,
    ordinary: frozenset[str],
    most: int,
    is_word: Callable[[str], bool],
) -> list[PartFound]:
    """Return the names of which a question holds parts, in the order of its words.

    Words that stand side by side have to be of one name. All entities that have them are kept; a
    part beside a word that says nothing else is taken for one of a longer, unknown name.

    Args:
        words: of the question.
        parts: of all names.
        ordinary: words of questions; they stand for a name only where no other word does.
        most: so many entities are kept.
        is_word: whether a word is known, so that it is no other by its sound.
    """
    known = everyday(ordinary)
    plain = [word in known for word in words]
    readings = [
        NOTHING if is_plain else _reading(word, parts, not is_word(word))
        for word, is_plain in zip(words, plain, strict=True)
    ]
    for place, one in enumerate(readings):  # "salery" is like Valery, and more like salary
        spelt = one.likeness == 1 or words[place] == f"{one.name}s"
        nearest = 0.0 if spelt else known.nearest(words[place])
        if nearest > one.likeness or nearest == one.likeness > 0:
            readings[place] = NOTHING
            plain[place] = True
    for place, word in enumerate(words[:-1]):
        asks = word == POSSESSIVE and words[max(0, place - 1)] in INTERROGATIVES  # "what's"
        if word in NOT_BEFORE_A_NAME and not asks:
            readings[place + 1] = NOTHING

        elif len(word) == 1 and len(parts.having(word + words[place + 1])):  # O'Hara
            plain[place] = True

    def acts(begin: int, end: int) -> bool:
        """Whether the one named does what the last word says, or has it done to them.

        So it is in "when did Lund die" and "when was Lund hired".
        """
        before, last = words[max(0, begin - 1)], words[-1]
        done = before in ("was", "were", "is") and last.endswith(("ed", "en", "rn", "wn"))
        return end == len(words) - 1 and (done or before in ("do", "does", "did"))

    is_known = [one or is_word(word) for one, word in zip(plain, words, strict=True)]
    readings = _by_ear(words, readings, is_known, parts)
    found = list(_runs(readings, plain, parts.entity, most, acts))
    if not found:
        found = list(_everyday(words, plain, parts, most))
    return _meant(found, words)


def _meant(found: Sequence[PartFound], words: Sequence[str]) -> list[PartFound]:
    """Return those that are spelt rightly, or the likest one; beside kinds this one, too.

    So it is in "how many projects does beatris lund lead".
    """
    likest = sorted(found, key=lambda one: (-one.likeness, one.begin))
    right = [one for one in found if one.likeness == 1 or words[one.begin] == f"{one.name}s"]
    if not right:
        return likest[:1]
    if any(name != name.lower() for one in right for name in one.entities):
        return [one for one in right if one.likeness == 1] or likest[:1]
    longer = [one for one in likest if one not in right and len(one.name) >= LONG]
    return sorted([*right, *longer[:1]])


def _by_ear(
    words: Sequence[str], readings: Sequence[_Word], known: Sequence[bool], parts: Parts
) -> list[_Word]:
    """Return the readings of words, and of those beside them that sound nearly like the rest of a
    name: "renay" beside "Balai"; and of two that sound so both: "rasheed benmusa".

    Args:
        words: of the question.
        readings: of each.
        known: whether each is a word of its own.
        parts: of all names.
    """
    found = list(readings)
    for place in range(len(words) - 1):
        pair = slice(place, place + 2)
        unread = [not len(one.entities) for one in found[pair]]
        if not any(unread) or any(map(and_, known[pair], unread)):
            continue
        of = [
            parts.sounding(word) if is_unread else reading.entities
            for word, reading, is_unread in zip(words[pair], found[pair], unread, strict=True)
        ]
        both = of[0][np.isin(of[0], of[1])][:SEVERAL]
        if len(both):
            for at in (place, place + 1):
                if not len(found[at].entities):
                    found[at] = _sounding(words[at], both, parts.entity)
    return found


def _sounding(word: str, entities: Rows, entity: Callable[[int], str]) -> _Word:
    """Return those of some entities that have a word in their name which sounds nearly so."""
    found: dict[int, tuple[float, str]] = {}
    for number in entities.tolist():
        for part in question_words(entity(number)):
            if sound_nearly(word, part):
                alike = 1 - distance(word, part) / max(len(word), len(part))
                found[number] = (alike, part)
    alike, name = max(found.values(), default=(0.0, ""))
    named = [number for number, one in found.items() if one == (alike, name)]
    return _Word(np.array(named, np.int32), alike, name)


def _reading(word: str, parts: Parts, by_ear: bool) -> _Word:
    """Return what a word is: a part as it is spelt, without the s of a possessive, or nearly."""
    stem = word.removesuffix("s")
    for form in (word, stem):
        if len(having := parts.having(form)):
            return _Word(having, 2 * len(form) / (len(form) + len(word)), form)
    for near, form in max(*(parts.nearly(one, by_ear)[:1] for one in (word, stem))):
        return _Word(parts.having(form), near, form)
    return NOTHING


def _runs(
    readings: Sequence[_Word],
    plain: Sequence[bool],
    entity: Callable[[int], str],
    most: int,
    acts: Callable[[int, int], bool],
) -> Iterator[PartFound]:
    """Yield the longest runs of words that are all of one name, with nothing strange beside."""
    begin = 0
    while begin < len(readings):
        entities, end = readings[begin].entities, begin + 1
        if not len(entities):
            begin += 1
            continue
        while end < len(readings) and len(readings[end].entities):
            both = entities[np.isin(entities, readings[end].entities)]
            if not len(both):
                break
            entities, end = both, end + 1
        beside = [*plain[max(0, begin - 1) : begin], *plain[end : end + 1]]
        if all(beside) or acts(begin, end):
            name = " ".join(one.name for one in readings[begin:end])
            alike = float(np.mean([one.likeness for one in readings[begin:end]]))
            named = tuple(map(entity, entities[:most].tolist()))
            yield PartFound(begin, end, named, alike, name)
        begin = end


def _everyday(
    words: Sequence[str], plain: Sequence[bool], parts: Parts, most: int
) -> Iterator[PartFound]:
    """Yield everyday words that are parts of names, and stand where a name does."""
    for place, word in enumerate(words):
        follows = place > 0 and words[place - 1] in BEFORE_A_NAME
        owns = words[place + 1 : place + 2] == [POSSESSIVE]
        stop = word in (STOP_WORDS | INTERROGATIVES) - NAMES_TOO
        beside = [*plain[max(0, place - 1) : place], *plain[place + 1 : place + 2]]
        if plain[place] and (follows or owns) and not stop and all(beside):
            having = parts.having(word)
            if len(having):
                named = tuple(map(parts.entity, having[:most].tolist()))
                yield PartFound(place, place + 1, named, 1.0, word)
