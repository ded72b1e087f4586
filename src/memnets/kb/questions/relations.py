"""Which relation the words of a question ask for, by strings alone: what learning must not undo.

Words are compared by stem, by spelling, as compounds and as initials; what a user has taught counts
like a relation's name. Where all that was found says the same, it decides; a question whose words
point to several relations, or which counts, compares or denies, is left to what is learnt.
"""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.common import COMMON
from memnets.kb.linking.mention import Mention
from memnets.kb.linking.parts import NearWords, distance, likeness
from memnets.kb.linking.words import question_words
from memnets.kb.questions.english import SYNONYMS, WEEKDAY, numbers, relation_words, stem
from memnets.kb.questions.phrases import IT, kind_of
from memnets.kb.questions.synonyms import Synonyms
from memnets.kb.store.layouts import REVERSED

OPERATORS = frozenset(
    re.findall(
        r"\S+",
        """not no never without except besides than most least more less fewer highest lowest
        largest smallest biggest oldest youngest longest shortest latest earliest before after
        between since until either neither nor both number other average total sum count first
        last isn aren doesn don didn wasn""",
    )
)
"""A question with one of them asks for more than a fact, unless a relation is called so."""
AUXILIARIES = frozenset({"do", "does", "did"})
AMOUNTS = frozenset({"much", "many", "high", "old", "long", "big", "tall", "far"})
TIMES = frozenset({"year", "years", "date", "dates", "day", "days"})
FILLERS = frozenset(re.findall(r"\S+", "called call again anybody everybody please pls plz thanks"))
"""Words that ask for nothing, wherever they stand."""
COMPOUND = 4
"""Letters of a word that another may begin or end with: "startdate" asks for `started_on`."""
KEPT = 4096
"""Words whose likeness to all relations is remembered."""

Strengths = NDArray[np.float64]
Alike = tuple[NDArray[np.int64], float]
"""The relations that a word says most of, by their places, and how much."""


class RelationFound(NamedTuple):
    """The fact that the words of a question ask for."""

    relation: str
    """With a "!" before it if its subjects are asked for."""
    objects: tuple[str, ...]
    """All of them; none where the entity has no such fact."""


class RelationScorer:
    """Compares the words of questions with the names of relations.

    Args:
        relations: of the KB, in either direction.
        taught: what users call some of them.
        synonyms: where words that mean nearly the same come from.
    """

    _last: tuple[list[str], Strengths, str] | None = None
    """Words that were looked at last, what they tell and what of it is beyond one fact."""

    def __init__(
        self,
        relations: Iterable[str],
        taught: Mapping[str, Sequence[str]] | None = None,
        synonyms: Synonyms | None = None,
    ) -> None:
        self._synonyms = synonyms
        names = dict.fromkeys(name.removeprefix(REVERSED) for name in relations)
        self._names = list(names | dict.fromkeys(taught or {}))
        self._terms = [_terms(name) for name in names]
        self._having: dict[str, list[int]] = {}
        for number, terms in enumerate(self._terms):
            for term in terms:
                self._having.setdefault(term, []).append(number)
        self._near = NearWords(self._having)
        self._heard: dict[str, Alike] = {}
        self._taught = {
            (stems, relation)
            for relation, phrases in (taught or {}).items()
            for phrase in phrases
            if (stems := frozenset(_telling(question_words(phrase.replace(IT, " ")))))
        }
        called = {word for name in names for word in relation_words(name)}
        self._operators = OPERATORS - called - {w for stems, _ in self._taught for w in stems}

    def scores(self, words: Sequence[str]) -> dict[str, dict[int, float]]:
        """Return, by relation, how much each word of a question tells of it, by its place.

        Args:
            words: of the question; an empty one stands for each word of a name.
        """
        told = self._told(words)
        return {
            self._names[row]: {
                at: float(told[row, at]) for at in np.flatnonzero(told[row]).tolist()
            }
            for row in np.flatnonzero(told.any(1)).tolist()
        }

    def is_taught(self, words: Sequence[str]) -> bool:
        """Whether a question holds a phrase that a user taught."""
        return self._taught_in(filter(None, map(_telling_stem, words))) is not None

    def _taught_in(self, stems: Iterable[str]) -> tuple[frozenset[str], str] | None:
        """Return the longest phrase of a user of which some stems hold all, and what it says."""
        told = {*stems}
        found = (one for one in self._taught if one[0] <= told)
        return max(found, key=lambda one: (len(one[0]), one[1]), default=None)

    def _told(self, words: Sequence[str]) -> Strengths:
        """Return the same as a matrix, relations by words."""
        stems = {at: one for at, word in enumerate(words) if (one := _telling_stem(word))}
        told = np.zeros((len(self._names), len(words)))
        if phrase := self._taught_in(stems.values()):
            taught, relation = phrase
            places = [at for at, one in stems.items() if one in taught]
            told[self._names.index(relation), places] = 1.0
            return told
        for at, one in stems.items():
            rows, much = self._alike(words[at], one)
            told[rows, at] = much
        return told

    def _alike(self, word: str, its_stem: str) -> Alike:
        """Return which relations a word says are asked for, and how much, from 0 to 1.

        Where it is in the name of one, that it is like another's says nothing.
        """
        if word not in self._heard:
            if len(self._heard) >= KEPT:
                self._heard.clear()
            strengths = self._compared(word, its_stem)
            much = float(strengths.max(initial=0.0))
            self._heard[word] = np.flatnonzero((strengths == much) & (strengths > 0)), much
        return self._heard[word]

    def _compared(self, word: str, its_stem: str) -> Strengths:
        forms = dict.fromkeys((word, its_stem))
        near = [(likeness(one, t), t) for one in forms for t in self._near.candidates(one)]
        few = [
            (1 - 1 / COMPOUND, term)
            for term in self._near.candidates(word)
            if len(word) == COMPOUND <= len(term) and distance(word, term) == 1
        ]
        within = [
            (len(term) / len(word), term)
            for size in range(COMPOUND, len(word) + 1)
            for term in (word[:size], word[-size:])
        ]
        found = self._synonymous(word)
        for kind in (within, few, near, [(1.0, its_stem)]):  # the later, the surer
            best = np.zeros(len(self._names))
            for much, term in kind:
                rows = self._having.get(term, [])
                best[rows] = np.maximum(best[rows], much)
            found = np.where(best > 0, best, found)
        return found

    def _synonymous(self, word: str) -> Strengths:
        found = np.zeros(len(self._names))
        if self._synonyms is not None and word not in COMMON:
            for row, terms in enumerate(self._terms):
                forms = (word, word.removesuffix("s"))
                found[row] = max(self._synonyms.near(one, terms) for one in forms)
        return found

    def decide(
        self,
        words: Sequence[str],
        mentions: Sequence[Mention],
        facts: Mapping[str, tuple[str, ...]],
        subjects: Container[str] = (),
    ) -> RelationFound | None:
        """Return what is asked for, where the words leave no doubt of it.

        Args:
            words: of the question.
            mentions: what it names; of several nothing is decided.
            facts: of the entity that is named.
            subjects: those of its objects that have facts themselves.
        """
        if len(mentions) != 1:
            return None
        begin, end = mentions[0].begin, mentions[0].end
        rest = _without_names(words, mentions)
        told, beyond = self._looked_at(rest)
        if beyond:
            return None
        sums = told.sum(1)
        best = np.flatnonzero(sums == sums.max(initial=0.0))
        if len(best) != 1 or not sums[best[0]]:
            return None
        if (told.any(0) & (told[best[0]] == 0)).any():
            return None  # another word may ask for another relation
        relation, places = self._names[best[0]], np.flatnonzero(told[best[0]]).tolist()
        return self._directed(rest, begin, end, relation, places, facts, subjects)

    def beyond(self, words: Sequence[str], mentions: Sequence[Mention]) -> str:
        """Return what asks for more than one fact, in words; nothing where nothing does.

        Args:
            words: of the question.
            mentions: what it names.
        """
        return self._looked_at(_without_names(words, mentions))[1]

    def _looked_at(self, rest: list[str]) -> tuple[Strengths, str]:
        """Return what words tell, and what of it is beyond one fact: both are wanted twice."""
        last = self._last
        if last is None or last[0] != rest:
            told = self._told(rest)
            self._last = last = rest, told, self._beyond(rest, told)
        return last[1:]

    def _beyond(self, rest: list[str], strengths: Strengths) -> str:
        operators = self._operators.intersection(rest) - {"number"}
        if operators:
            return f"the word {min(operators, key=rest.index)!r}"
        if "number of" in " ".join(rest) and "number" in self._operators:
            return "the words 'number of'"
        exactly = strengths == 1
        some = exactly[:, exactly.any(0)]
        # Relations that the same words say are of one number; of many words it is Python's own.
        numbered = some @ np.array([2**at for at in range(some.shape[1])])
        _, first = np.unique(numbered, return_index=True)
        told = [
            (self._names[row], {*np.flatnonzero(exactly[row]).tolist()})
            for row in sorted(first.tolist())
        ]
        for one, places in told:
            if len({stem(rest[at]) for at in places}) < len(places):
                return f"{one!r} twice"  # the manager of somebody's manager
            for other, others in told:
                if places - others and others - places:
                    return f"both {one!r} and {other!r}"
        return ""

    def _directed(
        self,
        rest: Sequence[str],
        begin: int,
        end: int,
        relation: str,
        places: Sequence[int],
        facts: Mapping[str, tuple[str, ...]],
        subjects: Container[str],
    ) -> RelationFound | None:
        """Return the fact in the direction that the order of the words tells."""
        forwards, backwards = facts.get(relation, ()), facts.get(REVERSED + relation, ())
        is_subject = any(not name.startswith(REVERSED) for name in facts)
        if backwards and (_asks_back(rest, begin, end, places) or not is_subject):
            return RelationFound(REVERSED + relation, backwards)
        if not is_subject:
            return None
        linked = bool(backwards) or any(one in subjects for one in forwards)
        if linked and _asks_further(rest, places):
            return None
        if forwards and not fits(rest, forwards):
            return None
        return RelationFound(relation, forwards)


def _without_names(words: Sequence[str], mentions: Sequence[Mention]) -> list[str]:
    """Return the words of a question, each of a name empty."""
    named = {at for mention in mentions for at in range(mention.begin, mention.end)}
    return ["" if at in named else word for at, word in enumerate(words)]


def _terms(relation: str) -> frozenset[str]:
    """Return the stems that ask for a relation: of its words, their synonyms and initials."""
    words = relation_words(relation)
    found = [word for word in words if word not in STOP_WORDS]
    found += [
        one
        for word in words
        for form in numbers(word)
        for one in SYNONYMS.get(form, ())
        if " " not in one
    ]
    initials = ["".join(word[0] for word in words)] if len(words) > 2 else []
    found += [*initials, "".join(words)]
    return frozenset([*found, *map(stem, found)])


def _telling(words: Iterable[str]) -> list[str]:
    return [one for word in words if (one := _telling_stem(word))]


def _telling_stem(word: str) -> str:
    """Return the stem of a word; nothing of one that says nothing."""
    little = not word or word == "'s" or word in STOP_WORDS or word in INTERROGATIVES
    return "" if little else stem(word)


def _asks_back(rest: Sequence[str], begin: int, end: int, places: Sequence[int]) -> bool:
    """Whether the words ask for the subjects of the entity: "mentored by Ada", "whose boss is"."""
    for at in places:
        after_name = at >= end
        whose = at > 0 and rest[at - 1] == "whose"
        done_by = at < begin and "by" in rest[at + 1 : begin]
        does = after_name and at == end and AUXILIARIES & {*rest[:begin]}
        of_whom = after_name and {"whom", "who"} & {*rest[at + 1 :]} and "of" in rest[at + 1 :]
        like = rest[end:at] if after_name else rest[end : end + 1]
        has = "as" in like and "has" in rest[:begin]  # "who has Ada as a boss", "has a boss ..."
        if whose or done_by or does or of_whom or has:
            return True
    return False


def _asks_further(rest: Sequence[str], places: Sequence[int]) -> bool:
    """Whether more is asked of whom a relation leads to: "what does Ada's boss earn"."""
    asks = {"what", "which", "where", "when", "how", "why", "whom"} & {*rest}
    told = {at for at, w in enumerate(rest) if w in FILLERS or not _telling_stem(w)} | {*places}
    return bool(asks) and len(told) < len(rest)


def fits(words: Sequence[str], objects: Sequence[str]) -> bool:
    """Whether the word that asks may ask for such objects: "when" for none without a number.

    Args:
        words: of a question; several that ask are no hint.
        objects: of a fact.
    """
    asks = [at for at, word in enumerate(words) if word in INTERROGATIVES]
    if len(asks) != 1 or not objects:
        return True
    asking, then = words[asks[0]], words[asks[0] + 1 : asks[0] + 2]
    if asking != "what" and {*objects} <= {"yes", "no"}:
        return False
    if asking == "when" or (asking == "how" and AMOUNTS & {*then}):
        return any(letter.isdigit() for one in objects for letter in one)
    if asking in ("which", "what") and TIMES & {*then}:
        return any(letter.isdigit() for one in objects for letter in one) or any(
            map(WEEKDAY.match, objects)
        )
    if asking in ("who", "whom", "where"):
        return kind_of(objects) == "name"
    return True
