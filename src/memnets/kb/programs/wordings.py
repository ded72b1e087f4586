"""How relations are said: by their names, by other words for them, by rules, with small errors."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from string import ascii_lowercase
from typing import NamedTuple

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.parts import NearWords, distance
from memnets.kb.linking.parts import likeness as nearly
from memnets.kb.programs.forms import BASES, TAILS, base_of, inflected, same_stem, word_set
from memnets.kb.programs.lexicon import (
    ASKED,
    GENERAL,
    GENERIC,
    LONG,
    PART_OF,
    QUALIFIED,
    QUALIFYING,
    SAID,
    SHORT,
)
from memnets.kb.questions.english import PREPOSITIONS


class Rule(NamedTuple):
    """Which relations a phrase asks for."""

    of: frozenset[str]
    """Words of their names."""
    kind: str
    """Of their objects: name, number, date, or yes or no; "" for any."""
    inverse: bool = False
    """Whether the phrase names their subjects: "the children of" those who are a mother."""
    otherwise: frozenset[str] = frozenset()
    """Words of the names of others, which are asked for where there are none of these."""


def written(name: str) -> Iterator[list[str]]:
    """Yield the lines of a table that was written by hand, in its columns."""
    for line in Path(__file__).with_name(f"{name}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split(" | ")


@cache
def groups() -> tuple[frozenset[str], ...]:
    """Return the sets of words that are said for the same relation."""
    return tuple(word_set(words) for (words,) in written("groups"))


@cache
def of_countries() -> Mapping[str, tuple[str, ...]]:
    """Return the countries of "Danish", and "danish" of Denmark, in lower case."""
    sets = [words.casefold().split() for (words,) in written("peoples")]
    found = {people: tuple(countries) for people, *countries in sets}
    return found | {country: (people,) for people, *countries in sets for country in countries}


@cache
def phrases() -> Mapping[str, tuple[int, ...]]:
    """Return what is said for relations, each phrase with the numbers of its rules."""
    found: dict[str, tuple[int, ...]] = {}
    for number, (_, _, said, *_) in enumerate(_written_rules()):
        for phrase in chain.from_iterable(map(inflected, said.split(", "))):
            found[phrase] = (*found.get(phrase, ()), number)
    return found


@lru_cache(2**16)
def rules(phrase: tuple[str, ...]) -> tuple[Rule, ...]:
    """Return which relations a phrase asks for, given by its words."""
    return tuple(map(_rule, phrases().get(" ".join(phrase), ())))


@cache
def _rule(number: int) -> Rule:
    kind, of, _, *otherwise = _written_rules()[number]
    return Rule(
        word_set(of),
        "" if kind in ("any", "inverse") else kind,
        kind == "inverse",
        word_set(" ".join(otherwise)),
    )


@cache
def _written_rules() -> tuple[list[str], ...]:
    return tuple(written("rules"))


def having_of(forms: Iterable[str]) -> frozenset[str]:
    """Return words of the relations that things of a kind have, whatever else has them too.

    Args:
        forms: a noun, in the singular.
    """
    asked = {*forms}
    return frozenset().union(*(of for say, of in _kinds() if say & asked))


@cache
def _kinds() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    return tuple((word_set(nouns), word_set(of)) for nouns, of in written("kinds"))


_KNOWING = word_set("know knows")
LITTLE = STOP_WORDS - word_set("made make own part use used")
"""Words that say nothing of a relation. The others of the stop words may: `made_by`, `used_in`."""


@lru_cache(2**16)
def likeness(word: str, relation: tuple[str, ...]) -> float:
    """Return how much a word of a question says a relation: 1 by its name, less by another word.

    Args:
        word: of the question, in lower case.
        relation: the words of its name.
    """
    last = ("last",) * (relation[0] == "last")
    telling = [part for part in (*last, *_literally(relation)) if part not in LITTLE]
    if word in LITTLE - {"under"} or not telling:
        return 0.0
    if word in _KNOWING and word not in relation:  # "do you know" asks for nothing that is known
        return 0.0
    if word == "".join(relation):
        return 1.0
    if word not in INTERROGATIVES and any(same_stem(word, part) for part in telling):
        qualified = len(telling) > 1 and telling[0] in QUALIFYING and word != telling[0]
        return QUALIFIED if qualified else SAID if is_about(word, relation) else 1.0
    if _saying(word).isdisjoint(_said_by(tuple(telling))) or _is_no_agent(word, relation):
        return 0.0
    return ASKED if word in INTERROGATIVES or word in GENERAL else SAID


@lru_cache(2**16)
def is_about(word: str, relation: tuple[str, ...]) -> bool:
    """Whether a word is only what a compound is about: "station" of `station_master`.

    Verbs have no such words ("year built", "grows well beside"), nor has "birth date".
    """
    telling = [part for part in relation if part not in LITTLE]
    verbal = any(part in BASES or part.endswith("ed") for part in telling)
    places = {relation[0], relation[-1], *(part for part in relation if part not in PART_OF)}
    if verbal or not places.isdisjoint(PREPOSITIONS):  # "lies on river" is verbal too
        return False
    cut = next((at for at, part in enumerate(relation) if part in PART_OF), len(relation))
    heads = [part for part in relation[:cut] if part not in LITTLE][-1:]
    if not heads or heads[0] in GENERIC or same_stem(word, heads[0]):
        return False
    return any(same_stem(word, part) for part in telling)


@lru_cache(2**16)
def _saying(word: str) -> frozenset[int]:
    """Return the numbers of the groups that a word of a question belongs to."""
    alike = (
        one
        for one in _grouped().get(base_of(word)[:2], ())
        if len(one) > 3 and same_stem(word, one)
    )
    return frozenset(number for one in (word, *alike) for number in _numbers().get(one, ()))


def says(word: str) -> bool:
    """Whether a word is said for some relation, whatever knowledge base has it."""
    return bool(_saying(word)) or word in phrases()


def _literally(relation: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a name that mean what they say: what "takes place" takes no place."""
    if relation[0] == "last":  # "last restored" is no length of time
        return relation[1:] or relation
    idiom = relation[0] in ("takes", "take", "took") and relation[1:2] == ("place",)
    return ("happens", *relation[2:]) if idiom else relation


@lru_cache(2**16)
def _said_by(relation: tuple[str, ...]) -> frozenset[int]:
    """Return the numbers of the groups that name a relation."""
    return frozenset(number for part in _literally(relation) for number in _naming(part))


@lru_cache(2**16)
def _naming(part: str) -> frozenset[int]:
    """Return the numbers of the groups with a word that names a relation of one word."""
    words, tails = _grouped(), (tail for tail in TAILS if part.endswith(tail))
    may = {*words.get(part[:2], ()), *words.get(BASES.get(part, part)[:2], ()), *tails}
    return frozenset(
        number for one in may if named(one, (part,)) for number in _numbers().get(one, ())
    )


@cache
def _numbers() -> Mapping[str, tuple[int, ...]]:
    """Return the numbers of the groups that each word is in."""
    found: dict[str, tuple[int, ...]] = {}
    for number, group in enumerate(groups()):
        for one in group:
            found[one] = (*found.get(one, ()), number)
    return found


@cache
def _grouped() -> Mapping[str, tuple[str, ...]]:
    """Return the words of all groups by the two letters that they, or their bases, begin with."""
    found: dict[str, tuple[str, ...]] = {}
    for one in _numbers():
        for letters in {one[:2], BASES.get(one, one)[:2]}:
            found[letters] = (*found.get(letters, ()), one)
    return found


@lru_cache(2**16)
def meant(of: frozenset[str], relation: tuple[str, ...]) -> bool:
    """Whether a rule that asks for some names asks for a relation of such a name."""
    return any(named(one, relation) for one in of if not _is_no_agent(one, relation))


def _is_no_agent(word: str, relation: tuple[str, ...]) -> bool:
    """Whether a relation leads to a place, and no one who acts: no keeper is `kept_in`."""
    acts = word.removesuffix("s").endswith(("er", "or"))
    return acts and len(relation) > 1 and relation[-1] in ("in", "at", "on")


@lru_cache(2**16)
def misspelt(word: str, relation: tuple[str, ...]) -> float:
    """Return how nearly a word is spelt like one of a relation's name, or 0."""
    telling = [part for part in relation if part not in LITTLE]
    return SAID * max(_nearly(word, part) for part in (*telling, "".join(relation)))


def _nearly(word: str, part: str) -> float:
    """Return how nearly a word is spelt like another; short ones with a letter lost: "livs"."""
    lost = {len(word), len(part)} == {SHORT, SHORT + 1} and word[0] == part[0]
    if lost and distance(word, part) == 1:
        return 1 - 1 / max(len(word), len(part))
    return nearly(word, part)


@cache
def _known() -> NearWords:
    return NearWords(sorted(word for word in _numbers() if len(word) >= SHORT))


@lru_cache(2**12)
def spelt(word: str) -> str | None:
    """Return the word of a group that one may be a misspelling of: "jion" is "join"."""
    if len(word) < SHORT or word in _numbers():
        return None
    known = [one for one in _known().candidates(word) if one[0] == word[0]]
    if len(word) < LONG:  # two letters that are swapped, or any short word may be another one
        known = [one for one in known if sorted(one) == sorted(word)]
    best = max(((_nearly(word, one), one) for one in known), default=(0.0, ""))
    return best[1] if best[0] else None


def with_a_letter(word: str) -> Iterator[str]:
    """Yield what a word may be without one of its letters, which is not the first."""
    places = range(1, len(word) + 1)
    longer = (word[:at] + letter + word[at:] for at in places for letter in ascii_lowercase)
    yield from dict.fromkeys(longer)


def named(word: str, relation: Iterable[str]) -> bool:
    """Whether a relation is called so, or by a compound of it: "birth" names "birthplace"."""
    return any(
        same_stem(word, part)
        or (part.startswith(word) and part[len(word) :] in TAILS)
        or (part.endswith(word) and word in TAILS)
        for part in relation
    )
