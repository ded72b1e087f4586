"""Which entity a question names: by its name, by another form of it, or by one spelt nearly so."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial, reduce
from typing import Literal, NamedTuple

import numpy as np

from memnets.kb.index.index import Index
from memnets.kb.index.keeping import make_room
from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.index.rules import Rule
from memnets.kb.linking.loosely import COMMON, parts_named
from memnets.kb.linking.parts import Parts, part_words
from memnets.kb.linking.spelling import (
    ALIKE,
    SHORTEST,
    alike,
    alike_word_by_word,
    share_in_order,
    trigrams,
)
from memnets.kb.linking.standing import Standing, standing
from memnets.kb.linking.words import other_names, question_words

LONG = 6
"""Letters of a misspelt name of one word that is looked for beside a kind: "tortose tent"."""
NEAREST = Rule(top_n=5)
"""So many names that share the rarest trigrams are compared letter by letter."""
MOST = 20
"""Of the entities of one name so many are kept, those with the most facts."""
LEARNT = 2
"""So many of them are read to learn from."""
HARDLY, BESIDE = 0.9, 3
"""How like a name of more words a misspelt one is where a shorter name stands in it; so many stand
beside that at most."""
LONGEST = 12
"""Words of the longest name that is looked for."""

How = Literal["name", "alias", "spelling", "part"]
_ASKING = STOP_WORDS | INTERROGATIVES


class Mention(NamedTuple):
    """Where a question names entities, and how that was recognised."""

    begin: int
    end: int
    """The words from `begin` to `end`, not included."""
    entities: tuple[str, ...]
    """Those of this name, the one with the most facts first."""
    how: How
    name: str
    """The name that was recognised, as the KB is searched for it."""
    likeness: float = 1.0
    """Of a spelling to the name."""
    others: tuple[str, ...] = ()
    """Those that have the name in theirs: they are meant where those of the name have no answer."""


class Names:
    """All names of a KB.

    Args:
        links: how many facts each entity stands in.
        ordinary: words of questions; an entity whose name is one of them is meant only where no
            other is named.
        further: what else some entities are called.
        labels: the names of entities that are told apart from namesakes: "Ada" of "Ada (Rome)".
    """

    rows: frozenset[str] = frozenset()
    """What rows are called, so that it is no part of a name where it stands alone."""
    is_word: Callable[[str], bool] = staticmethod(lambda _: False)
    """Whether a word is English, so that no name is meant which only sounds like it."""

    def __init__(
        self,
        links: Mapping[str, int],
        ordinary: Collection[str] = (),
        further: Iterable[tuple[str, str]] = (),
        labels: Mapping[str, str] = {},
    ) -> None:
        self.ordinary = frozenset(ordinary)
        self.labels = labels
        names: dict[str, list[str]] = {}
        aliases: dict[str, list[str]] = {}
        called: dict[str, list[str]] = {}
        for entity, name in further:
            called.setdefault(entity, []).append(" ".join(question_words(name)))
        self.ranked: Sequence[str] = sorted(links, key=lambda one: (-links[one], one))
        for entity in self.ranked:
            label = labels.get(entity, entity)
            name = " ".join(question_words(label))
            names.setdefault(name, []).append(entity)
            others = [*other_names(label), *called.get(entity, ())]
            if label != entity:
                others.append(" ".join(question_words(entity)))
            for other in dict.fromkeys(others):
                if other not in (name, ""):
                    aliases.setdefault(other, []).append(entity)
        self.names: Mapping[str, Sequence[str]] = names
        """The entities of each name, the one with the most facts first."""
        self.aliases: Mapping[str, Sequence[str]] = aliases
        """The entities that may be called so as well."""
        every = (*names, *aliases)
        self.longest = min(LONGEST, max((name.count(" ") + 1 for name in every), default=0))
        """Words of the longest name."""

    def mentions(self, words: Sequence[str]) -> list[Mention]:
        """Return what a question names, in the order of its words; none overlap.

        Parts of names, and those of which a word is misspelt, are looked for only where no name is
        spelt rightly; a whole name that is misspelt only where these are not found.
        """
        asked = (*words,)
        if asked not in self._lately:
            make_room(self._lately)
            self._lately[asked] = self._mentions(words)
        return self._lately[asked]

    @cached_property
    def _lately(self) -> dict[tuple[str, ...], list[Mention]]:
        """What was named by the words asked of last: a question is looked at more than once."""
        return {}

    def _mentions(self, words: Sequence[str]) -> list[Mention]:
        found = self._spelt(words, None)
        telling = self._telling(found, words, COMMON)
        if telling and all(mention.name.isdigit() for mention in telling):  # "hern 4"
            whole = self._misspelt(words, None)
            if whole and whole.likeness < 1:
                return [whole]
        if telling:
            plain = STOP_WORDS | COMMON | self.ordinary
            longer = [self._whole(one, words, plain, plain, self._having(one)) for one in telling]
            longer = [self._wider(one, words, plain) or one for one in longer]
            exact = [mention._replace(others=self._others(mention)) for mention in longer]
            return sorted([*exact, *self._beside_kinds(exact, words)])
        if parts := self._of_parts(words):
            return self._with_whole(parts, words)
        misspelt = self._misspelt(words, None)
        # One that is not is an ordinary word, which is a name as well.
        return [misspelt] if misspelt and misspelt.likeness < 1 else found

    def exactly_named(self, words: Sequence[str]) -> frozenset[str]:
        """Return the words of a question that are in names or aliases which stand there whole."""
        found = self._spelt(words, None)
        return frozenset(word for one in found for word in words[one.begin : one.end])

    def learnt(self, words: Sequence[str], unknown: str | None = None) -> list[Mention]:
        """Return what a question names that is made to learn from: no parts of names.

        Args:
            words: of the question.
            unknown: an entity that is passed over, as if the KB did not have it.
        """
        found = self._spelt(words, unknown)
        telling = self._telling(found, words)
        misspelt = None if telling else self._misspelt(words, unknown)
        kept = telling or ([misspelt] if misspelt else found)
        return [mention._replace(entities=mention.entities[:LEARNT]) for mention in kept]

    def _of_parts(self, words: Sequence[str]) -> list[Mention]:
        """Return the parts of names in a question, some with a word beside them."""
        plain = _ASKING | self.ordinary
        spelt = parts_named(words, self.parts, self.ordinary, MOST, self.is_word)
        found = (self._of_part(*part) for part in spelt)
        telling = [one for one in found if not self.rows.issuperset(words[one.begin : one.end])]
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
                    for name, alike in self._spelt_nearly(" ".join(words[first:last])):
                        whole = self._named(name, first, last, None)
                        if whole and alike >= HARDLY:
                            found.append(whole._replace(how="spelling", likeness=alike))
        return max(found, key=lambda one: one.likeness, default=None)

    def _strange(self, words: Sequence[str], plain: Collection[str]) -> bool:
        """Whether one of some words is of no name, and none that questions are made of."""
        return any(word not in plain and not len(self.parts.having(word)) for word in words)

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
        whole, plain = self._misspelt(words, None), STOP_WORDS | COMMON | self.ordinary
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
            names = map(str.split, other_names(self.labels.get(entity, entity)))
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
        one, other = map(self.parts.having, pair)
        both = np.intersect1d(one, other, assume_unique=True)
        text = " ".join(pair)
        having = map(self.parts.entity, both[:MOST].tolist())
        found = tuple(one for one in having if text in " ".join(question_words(one)))
        return Mention(at, at + 2, found, "part", text) if found else None

    def _having(self, mention: Mention) -> tuple[str, ...]:
        """Return the entities that have all words of a name in theirs."""
        rows = [self.parts.having(word) for word in mention.name.split()]
        telling = [some for some in rows if len(some)] or rows[:1]
        every = reduce(partial(np.intersect1d, assume_unique=True), telling)
        return tuple(map(self.parts.entity, every[:MOST].tolist()))

    def _others(self, mention: Mention) -> tuple[str, ...]:
        """Return the other entities that have a name of one word in theirs."""
        having = self._having(mention) if mention.end - mention.begin == 1 else ()
        return tuple(one for one in having if one not in mention.entities)

    def _telling(
        self, found: Sequence[Mention], words: Sequence[str], common: Collection[str] = ()
    ) -> list[Mention]:
        """Return the names that are not made of words of questions alone."""
        ordinary = (STOP_WORDS, common, self.ordinary)
        plain = [any(word in some for some in ordinary) for word in words]
        return [m for m in found if not all(plain[m.begin : m.end])]

    def _of_part(
        self, begin: int, end: int, having: tuple[str, ...], alike: float, name: str
    ) -> Mention:
        """Return the mention of a part; an entity of no other name than that comes first."""
        how: How = "part" if alike == 1 else "spelling"
        whole = self._named(name, begin, end, None)
        if whole and alike == 1 and set(having) <= {*whole.entities}:
            return whole
        entities = dict.fromkeys([*(whole.entities if whole else ()), *having])
        return Mention(begin, end, tuple(entities)[:MOST], how, name, alike)

    def _spelt(self, words: Sequence[str], unknown: str | None) -> list[Mention]:
        found: list[Mention] = []
        for length in range(min(self.longest, len(words)), 0, -1):
            for begin in range(len(words) - length + 1):
                end = begin + length
                if any(begin < other.end and other.begin < end for other in found):
                    continue
                if length == 1 and words[begin] in INTERROGATIVES:
                    continue
                mention = self._named(" ".join(words[begin:end]), begin, end, unknown)
                if mention:
                    found.append(mention)
        return sorted(found)

    def _named(self, name: str, begin: int, end: int, unknown: str | None) -> Mention | None:
        kinds: tuple[tuple[How, Mapping[str, Sequence[str]]], ...]
        kinds = (("name", self.names), ("alias", self.aliases))
        for how, names in kinds:
            entities = names.get(name, ())
            if unknown is not None:
                entities = [entity for entity in entities if entity != unknown]
            if entities:
                return Mention(begin, end, tuple(entities[:MOST]), how, name)
        return None

    def _misspelt(self, words: Sequence[str], unknown: str | None) -> Mention | None:
        best: Mention | None = None
        for begin, end in _spans(words, self.longest + 1, STOP_WORDS | self.ordinary):
            for name, likeness in self._spelt_nearly(" ".join(words[begin:end])):
                if best and likeness <= best.likeness:
                    continue
                mention = self._named(name, begin, end, unknown)
                if mention:
                    best = mention._replace(how="spelling", likeness=likeness)
        return best

    def _spelt_nearly(self, text: str) -> list[tuple[str, float]]:
        """Return the names that some words may be a misspelling of, with how alike they are."""
        if text not in self._looked_for:  # parts of a question hold the same words
            make_room(self._looked_for)
            slots = self.trigrams.candidates(trigrams(text), NEAREST).tolist()
            near = ((name, alike(text, name)) for name in map(self.listed.__getitem__, slots))
            self._looked_for[text] = [
                one for one in near if one[1] >= ALIKE and alike_word_by_word(text, one[0])
            ]
        return self._looked_for[text]

    @cached_property
    def _looked_for(self) -> dict[str, list[tuple[str, float]]]:
        """What was found of late by `_spelt_nearly`."""
        return {}

    @cached_property
    def parts(self) -> Parts:
        """The words of names."""
        labels = [self.labels.get(one, one) for one in self.ranked]
        words = [list(part_words(one, question_words(one))) for one in labels]
        return Parts(self.ranked, words)

    @cached_property
    def apart(self) -> Mapping[str, tuple[str, ...]]:
        """The entities of each name that are told apart."""
        of: dict[str, tuple[str, ...]] = {}
        for entity, name in self.labels.items():
            of[name] = (*of.get(name, ()), entity)
        return of

    @cached_property
    def listed(self) -> Sequence[str]:
        """The names that may be misspelt."""
        return [name for name in {**self.names, **self.aliases} if len(name) >= SHORTEST]

    @cached_property
    def trigrams(self) -> Index:
        """Finds listed names by three letters that follow each other."""
        index = Index()
        index.add([trigrams(name) for name in self.listed])
        return index


def _is_telling(mention: Mention) -> bool:
    """Whether a misspelt name is meant beside a kind: "tortose tent"."""
    return mention.end - mention.begin > 1 or _is_long(mention)


def _is_long(mention: Mention) -> bool:
    """Whether a misspelt word is all of a long name: "tortose" of "Tortoise", or one so called."""
    called = other_names(mention.entities[0])
    return mention.how == "spelling" and len(mention.name) >= LONG and mention.name in called


def _spans(
    words: Sequence[str], longest: int, ordinary: Collection[str]
) -> Iterator[tuple[int, int]]:
    """Yield where a misspelt name may stand: not among words that questions are made of."""
    plain = [word in ordinary or word in INTERROGATIVES for word in words]
    for begin in range(len(words)):
        for end in range(begin + 1, min(len(words), begin + longest) + 1):
            long_enough = len(" ".join(words[begin:end])) >= SHORTEST
            if (
                long_enough
                and not all(plain[begin:end])
                and not INTERROGATIVES & {*words[begin:end]}
            ):
                yield begin, end
