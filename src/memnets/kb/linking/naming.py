"""The names of entities: which stand in a question, rightly or misspelt as a whole."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property

from memnets.kb.index.index import Index
from memnets.kb.index.keeping import make_room
from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.index.rules import Rule
from memnets.kb.linking.mention import MOST, How, Mention
from memnets.kb.linking.parts import Parts, part_words
from memnets.kb.linking.recognising import Recogniser
from memnets.kb.linking.spelling import ALIKE, SHORTEST, alike, alike_word_by_word, trigrams
from memnets.kb.linking.words import other_names, question_words

NEAREST = Rule(top_n=5)
"""So many names that share the rarest trigrams are compared letter by letter."""
LONGEST = 12
"""Words of the longest name that is looked for."""


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

    def beside(self, ordinary: Collection[str]) -> "Names":
        """Return the same names beside other ordinary words; what is on disk is not opened again.

        Args:
            ordinary: words of questions, in place of those that were given.
        """
        others = copy(self)
        others.ordinary = frozenset(ordinary)
        vars(others).pop("_lately", None)
        return others

    def mentions(self, words: Sequence[str]) -> list[Mention]:
        """Return what a question names, in the order of its words; none overlap.

        Parts of names, and those of which a word is misspelt, are looked for only where no name is
        spelt rightly; a whole name that is misspelt only where these are not found.
        """
        asked = (*words,)
        if asked not in self._lately:
            make_room(self._lately)
            # One that were kept would hold these names, and their files, in a circle.
            self._lately[asked] = Recogniser(self).mentions(words)
        return self._lately[asked]

    def learnt(self, words: Sequence[str], unknown: str | None = None) -> list[Mention]:
        """Return what a question names that is made to learn from: no parts of names.

        Args:
            words: of the question.
            unknown: an entity that is passed over, as if the KB did not have it.
        """
        return Recogniser(self).learnt(words, unknown)

    @cached_property
    def _lately(self) -> dict[tuple[str, ...], list[Mention]]:
        """What was named by the words asked of last: a question is looked at more than once."""
        return {}

    def exactly_named(self, words: Sequence[str]) -> frozenset[str]:
        """Return the words of a question that are in names or aliases which stand there whole."""
        found = self.spelt(words, None)
        return frozenset(word for one in found for word in words[one.begin : one.end])

    def spelt(self, words: Sequence[str], unknown: str | None) -> list[Mention]:
        found: list[Mention] = []
        for length in range(min(self.longest, len(words)), 0, -1):
            for begin in range(len(words) - length + 1):
                end = begin + length
                if any(begin < other.end and other.begin < end for other in found):
                    continue
                if length == 1 and words[begin] in INTERROGATIVES:
                    continue
                mention = self.named(" ".join(words[begin:end]), begin, end, unknown)
                if mention:
                    found.append(mention)
        return sorted(found)

    def named(self, name: str, begin: int, end: int, unknown: str | None) -> Mention | None:
        kinds: tuple[tuple[How, Mapping[str, Sequence[str]]], ...]
        kinds = (("name", self.names), ("alias", self.aliases))
        for how, names in kinds:
            entities = names.get(name, ())
            if unknown is not None:
                entities = [entity for entity in entities if entity != unknown]
            if entities:
                return Mention(begin, end, tuple(entities[:MOST]), how, name)
        return None

    def misspelt(self, words: Sequence[str], unknown: str | None) -> Mention | None:
        best: Mention | None = None
        for begin, end in _spans(words, self.longest + 1, STOP_WORDS | self.ordinary):
            if end == begin + 1 and self.is_word(words[begin]):
                continue  # "lives" is none of "olives"
            for name, likeness in self.spelt_nearly(" ".join(words[begin:end])):
                if best and likeness <= best.likeness:
                    continue
                mention = self.named(name, begin, end, unknown)
                if mention:
                    best = mention._replace(how="spelling", likeness=likeness)
        return best

    def spelt_nearly(self, text: str) -> list[tuple[str, float]]:
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
