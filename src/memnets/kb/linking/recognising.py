"""Which entities a question names: by their names, by parts of them, or by what is nearly one."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial, reduce
from typing import Protocol

import numpy as np

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.common import COMMON
from memnets.kb.linking.loosely import LONG, parts_named
from memnets.kb.linking.mention import MOST, How, Mention
from memnets.kb.linking.parts import Parts
from memnets.kb.linking.spelling import share_in_order
from memnets.kb.linking.standing import Standing, standing
from memnets.kb.linking.words import other_names, question_words

LEARNT = 2
"""So many entities of a name are read to learn from."""
HARDLY, BESIDE = 0.9, 3
"""How like a name of more words a misspelt one is where a shorter name stands in it; so many stand
beside that at most."""
_ASKING = STOP_WORDS | INTERROGATIVES


class Known(Protocol):
    """Names that are known; see `memnets.kb.linking.naming.Names`."""

    ordinary: frozenset[str]
    labels: Mapping[str, str]
    rows: frozenset[str]
    is_word: Callable[[str], bool]

    @property
    def parts(self) -> Parts:
        """The words of names."""

    def named(self, name: str, begin: int, end: int, unknown: str | None) -> Mention | None:
        """Return the mention of a name or alias that stands somewhere."""

    def spelt(self, words: Sequence[str], unknown: str | None) -> list[Mention]:
        """Return the names and aliases that stand in a question."""

    def misspelt(self, words: Sequence[str], unknown: str | None) -> Mention | None:
        """Return the likest name to some words of a question."""

    def spelt_nearly(self, text: str) -> list[tuple[str, float]]:
        """Return the names that some words may be a misspelling of, with how alike they are."""


class Recogniser:
    """Finds what questions name.

    Args:
        names: of the entities.
    """

    def __init__(self, names: Known) -> None:
        self._names = names

    def mentions(self, words: Sequence[str]) -> list[Mention]:
        """Return what a question names; see `Names.mentions`."""
        found = self._names.spelt(words, None)
        telling = self._telling(found, words, COMMON)
        if telling and all(mention.name.isdigit() for mention in telling):  # "hern 4"
            whole = self._names.misspelt(words, None)
            if whole and whole.likeness < 1:
                return [whole]
        if telling:
            plain = STOP_WORDS | COMMON | self._names.ordinary
            longer = [self._whole(one, words, plain, plain, self._having(one)) for one in telling]
            longer = [self._wider(one, words, plain) or one for one in longer]
            exact = [mention._replace(others=self._others(mention)) for mention in longer]
            return sorted([*exact, *self._beside_kinds(exact, words)])
        if parts := self._of_parts(words):
            return self._with_whole(parts, words)
        misspelt = self._names.misspelt(words, None)
        # One that is not is an ordinary word, which is a name as well.
        return [misspelt] if misspelt and misspelt.likeness < 1 else found

    def learnt(self, words: Sequence[str], unknown: str | None = None) -> list[Mention]:
        """Return what a question names that is made to learn from: no parts of names.

        Args:
            words: of the question.
            unknown: an entity that is passed over, as if the KB did not have it.
        """
        found = self._names.spelt(words, unknown)
        telling = self._telling(found, words)
        misspelt = None if telling else self._names.misspelt(words, unknown)
        kept = telling or ([misspelt] if misspelt else found)
        return [mention._replace(entities=mention.entities[:LEARNT]) for mention in kept]

    def _of_parts(self, words: Sequence[str]) -> list[Mention]:
        """Return the parts of names in a question, some with a word beside them."""
        plain = _ASKING | self._names.ordinary
        spelt = parts_named(
            words, self._names.parts, self._names.ordinary, MOST, self._names.is_word
        )
        found = (self._of_part(*part) for part in spelt)
        telling = [
            one for one in found if not self._names.rows.issuperset(words[one.begin : one.end])
        ]
        if any(one.how == "part" for one in telling):
            telling = [one for one in telling if one.how == "part" or _is_telling(one)]
        return [self._whole(one, words, _ASKING, plain, one.entities) for one in telling]

    def _whole(
        self,
        mention: Mention,
        words: Sequence[str],
        beside: Collection[str],
        plain: Collection[str],
        having: Sequence[str],
    ) -> Mention:
        """Return the names of which a mention is a part, by more words of the question.

        Args:
            mention: of a name, or of a part of some.
            words: of the question.
            beside: words that are no part of a name beside another.
            plain: words that are not misspelt.
            having: the entities that have it in their names.
        """
        if longer := self._longer(mention, words, beside):
            mention, having = longer, longer.entities
        return self._nearly(mention, words, plain, having) or mention

    def _wider(
        self, mention: Mention, words: Sequence[str], plain: Collection[str]
    ) -> Mention | None:
        """Return a whole name that is hardly misspelt around a name: "thunder clap" of Thunderclap.

        None where each word beside it is known, by itself.
        """
        begin, end = mention.begin, mention.end
        found: list[Mention] = []
        for first in range(max(0, begin - BESIDE), begin + 1):
            for last in range(end, min(len(words), end + BESIDE) + 1):
                if self._strange([*words[first:begin], *words[end:last]], plain):
                    for name, alike in self._names.spelt_nearly(" ".join(words[first:last])):
                        whole = self._names.named(name, first, last, None)
                        if whole and alike >= HARDLY:
                            found.append(whole._replace(how="spelling", likeness=alike))
        return max(found, key=lambda one: one.likeness, default=None)

    def _strange(self, words: Sequence[str], plain: Collection[str]) -> bool:
        """Whether one of some words is of no name, and none that questions are made of."""
        return any(word not in plain and not len(self._names.parts.having(word)) for word in words)

    def _beside_kinds(self, exact: Sequence[Mention], words: Sequence[str]) -> list[Mention]:
        """Return long names that are misspelt beside kinds: "cold chaon (the route)".

        Kinds are in small letters; where a question names anything else, that is what it is about.
        """
        if any(name != name.lower() for one in exact for name in one.entities):
            return []
        taken = {place for one in exact for place in range(one.begin, one.end)}
        rest = ["" if place in taken else word for place, word in enumerate(words)]
        found = self._with_whole(self._of_parts(rest), rest)
        return [one for one in found if _is_telling(one)]

    def _with_whole(self, parts: list[Mention], words: Sequence[str]) -> list[Mention]:
        """Return the parts of names, and a whole name of several words that is misspelt instead.

        "what town is penny bakry based in" does not ask of Ash Town: a word that is in several
        names is none of them where another name stands beside it.
        """
        whole, plain = self._names.misspelt(words, None), STOP_WORDS | COMMON | self._names.ordinary
        if not whole or whole.likeness == 1 or not self._is_meant_beside(whole, parts):
            return parts
        if any(
            not self._strange([*words[whole.begin : one.begin], *words[one.end : whole.end]], plain)
            for one in parts
            if {*whole.entities} & {*one.entities}
        ):
            return parts
        apart = [one for one in parts if one.end <= whole.begin or whole.end <= one.begin]
        if any(one.begin < whole.begin or whole.end < one.end for one in parts if one not in apart):
            return parts
        return sorted([whole, *(one for one in apart if len(one.entities) == 1)])

    def _is_meant_beside(self, whole: Mention, parts: Sequence[Mention]) -> bool:
        """Whether a misspelt name is meant where parts of names stand: one word is so of kinds, or
        is more like the name than like the part: "peathouse" of Peat House.
        """
        if whole.end - whole.begin > 1:
            return True
        if any(one.begin == whole.begin for one in parts):
            return all(one.likeness < whole.likeness for one in parts)
        kinds = all(name == name.lower() for one in parts for name in one.entities)
        return kinds and (not parts or _is_long(whole))

    def _longer(
        self, mention: Mention, words: Sequence[str], not_in: Collection[str]
    ) -> Mention | None:
        """Return what a name of one word is a part of, with a word beside it: "cherry tart".

        None where no name has the two side by side, or the other is to be left out.
        """
        if mention.end - mention.begin > 1:
            return None
        places = (one for one in (mention.begin, mention.begin - 1) if one >= 0)
        pairs = (self._pair(at, words, not_in) for at in places)
        return next(filter(None, pairs), None)

    def _nearly(
        self, mention: Mention, words: Sequence[str], not_in: Collection[str], having: Sequence[str]
    ) -> Mention | None:
        """Return the names that stand whole where a part of them does, some of their words
        misspelt: "karsholm centrall".

        Of several the longest are meant, and of these those with the fewest errors; the others
        where these have no answer. None where none stands there, or what would be misspelt is a
        word of questions.

        Args:
            mention: of the part.
            words: of the question.
            not_in: words of questions.
            having: the entities that have the part in their names.
        """
        # beside what is a name itself, short words are right: "both rock" is no "Goth Rock"
        short = mention.how not in ("name", "alias")
        owns = words[mention.begin] == f"{mention.name}s"  # "hopes salary"
        least = mention.end - mention.begin + (mention.how != "spelling" or owns)
        found: dict[str, Standing] = {}
        for entity in having:
            names = map(str.split, other_names(self._names.labels.get(entity, entity)))
            longer = (name for name in names if len(name) >= least)
            one = standing(longer, words, (mention.begin, mention.end), not_in, short)
            found |= {entity: one} if one else {}
        if not found:
            return None
        best = max(found.values())
        meant = tuple(entity for entity, one in found.items() if one[:2] == best[:2])
        others = tuple(one for one in having if one not in meant)
        likeness = share_in_order(" ".join(words[best.begin : best.end]), best.name)
        return Mention(best.begin, best.end, meant, "spelling", best.name, likeness, others)

    def _pair(self, at: int, words: Sequence[str], not_in: Collection[str]) -> Mention | None:
        """Return what has two words side by side in its name, none of which is to be left out."""
        pair = words[at : at + 2]
        if len(pair) < 2 or not frozenset(not_in).isdisjoint(pair):
            return None
        one, other = map(self._names.parts.having, pair)
        both = np.intersect1d(one, other, assume_unique=True)
        text = " ".join(pair)
        having = map(self._names.parts.entity, both[:MOST].tolist())
        found = tuple(one for one in having if text in " ".join(question_words(one)))
        return Mention(at, at + 2, found, "part", text) if found else None

    def _having(self, mention: Mention) -> tuple[str, ...]:
        """Return the entities that have all words of a name in theirs."""
        rows = [self._names.parts.having(word) for word in mention.name.split()]
        telling = [some for some in rows if len(some)] or rows[:1]
        every = reduce(partial(np.intersect1d, assume_unique=True), telling)
        return tuple(map(self._names.parts.entity, every[:MOST].tolist()))

    def _others(self, mention: Mention) -> tuple[str, ...]:
        """Return the other entities that have a name of one word in theirs."""
        having = self._having(mention) if mention.end - mention.begin == 1 else ()
        return tuple(one for one in having if one not in mention.entities)

    def _telling(
        self, found: Sequence[Mention], words: Sequence[str], common: Collection[str] = ()
    ) -> list[Mention]:
        """Return the names that are not made of words of questions alone."""
        ordinary = (STOP_WORDS, common, self._names.ordinary)
        plain = [any(word in some for some in ordinary) for word in words]
        return [m for m in found if not all(plain[m.begin : m.end])]

    def _of_part(
        self, begin: int, end: int, having: tuple[str, ...], alike: float, name: str
    ) -> Mention:
        """Return the mention of a part; an entity of no other name than that comes first."""
        how: How = "part" if alike == 1 else "spelling"
        whole = self._names.named(name, begin, end, None)
        if whole and alike == 1 and set(having) <= {*whole.entities}:
            return whole
        entities = dict.fromkeys([*(whole.entities if whole else ()), *having])
        return Mention(begin, end, tuple(entities)[:MOST], how, name, alike)


def _is_telling(mention: Mention) -> bool:
    """Whether a misspelt name is meant beside a kind: "tortose tent"."""
    return mention.end - mention.begin > 1 or _is_long(mention)


def _is_long(mention: Mention) -> bool:
    """Whether a misspelt word is all of a long name: "tortose" of "Tortoise", or one so called."""
    called = other_names(mention.entities[0])
    return mention.how == "spelling" and len(mention.name) >= LONG and mention.name in called
