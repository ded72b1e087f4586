"""What a question names: entities of the knowledge base, values, and what stands for entities."""

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import islice, pairwise
from types import MappingProxyType
from typing import NamedTuple

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.mention import Mention
from memnets.kb.linking.naming import Names
from memnets.kb.programs.amounts import EDGES, SPAN, ordinal, values_in
from memnets.kb.programs.everyday import is_everyday
from memnets.kb.programs.examples import NAMED
from memnets.kb.programs.forms import singulars
from memnets.kb.programs.heads import head_nouns, is_done
from memnets.kb.programs.lexicon import DEGREES, FILLING, PEOPLE, is_here
from memnets.kb.programs.saying import Sayings
from memnets.kb.programs.wordings import of_countries
from memnets.kb.store.store import Store
from memnets.kb.values.typed import Value, read

LONGEST = 4
"""Words of the longest plural."""
MOST_CALLED = 20
"""Of those with a word in their names so many are meant."""
MOST_NUMBERED = 100
"""Names that end in a number are looked for up to it: "Stage 9"."""
_ASIDE = frozenset({"off", "out", "up", "down", "over", "back"})
"""Words of verbs, which alone are no part of a name: "take my coat off" is not "off-dry"."""
A_KIND = frozenset({"the", "a", "an", "which", "what", "every", "each", "any"})
"""Before a word that is in many names they make it a noun."""


Standing = Mapping[str, tuple[str, ...]]
"""Words of a question that stand for entities."""
NOTHING: Standing = MappingProxyType({})


class Argument(NamedTuple):
    """A name or a value in a question."""

    begin: int
    end: int
    """Its words, the last one not included."""
    names: tuple[str, ...] = ()
    """The entities of that name; none where it is only a value."""
    text: str = ""
    """The value as it can be read."""
    value: Value | None = None
    plural: bool = False
    """Whether it is named in the plural: "welders"."""
    surely: bool = True
    """Whether the name was spelt so."""
    apart: bool = False
    """Whether a comma or a bracket stands behind it: "Monk (the wheat)"."""
    into: frozenset[str] = frozenset()
    """The relations that lead to it."""
    out_of: frozenset[str] = frozenset()
    """The relations that lead from it."""


class Arguments:
    """Finds the names and values of questions.

    Args:
        store: a KB that was opened.
        names: of its entities.
        sayings: what words say of its relations.
        plain: words that name nothing alone.
        units: of its numbers.
    """

    def __init__(
        self,
        store: Store,
        names: Names,
        sayings: Sayings,
        plain: Collection[str],
        units: Collection[str],
    ) -> None:
        self._store, self._names, self._sayings = store, names, sayings
        self._plain, self._units = plain, units
        self._counted_nouns = sayings.counted

    def named(
        self, pieces: list[str], starts: list[int], words: list[str], standing: Standing
    ) -> list[Argument]:
        """Return what is named, with what stands for entities.

        Args:
            pieces: of the question, between spaces.
            starts: the place of the first word of each, and the end.
            words: of the question.
            standing: words that stand for entities.
        """
        return self._standing(words, self._named(pieces, starts, words), standing)

    def with_values(
        self, named: list[Argument], pieces: list[str], starts: list[int], words: list[str]
    ) -> list[Argument]:
        """Return names and values with the relations that lead to and from them."""
        values = [
            Argument(starts[one.begin], starts[one.end], text=one.text, value=one.value)
            for one in values_in(pieces, self._units, self._counted_nouns)
        ]
        values = [self._counted(words, one) for one in values]
        values += self._ordinals(words)
        linked = map(self.linked, self._merged(named, values))
        return [one for one in linked if not self._is_numbered(words, one)]

    def _ordinals(self, words: list[str]) -> Iterator[Argument]:
        """Yield what counts as a relation of bare numbers does: "the third floor" of `floor`."""
        for at, (word, behind) in enumerate(pairwise(words)):
            number = ordinal(word)
            if number is not None and self._sayings.numbers(behind):
                yield Argument(at, at + 1, text=str(number), value=read(str(number), "number"))

    def _counted(self, words: list[str], one: Argument) -> Argument:
        """Return a bare number where what looks like its unit begins a relation's name.

        So it is in "over 100 days in court", where there are `days_in_court`.
        """
        unit, number = one.end - 1, " ".join(words[one.begin : one.end - 1])
        named = (tuple(words[unit:end]) for end in range(one.end + 1, one.end + LONGEST))
        if not number.isdigit() or not any(map(self._sayings.of_name, named)):
            return one
        return Argument(one.begin, unit, text=number, value=read(number, "number"))

    def linked(self, argument: Argument) -> Argument:
        """Return an argument with the relations that lead to and from it."""
        if not argument.names:
            return argument
        slots = self._store.names.candidates(argument.names)
        numbers = self._store.facts.relations[slots // 2]
        into, out_of = (
            frozenset(map(self._store.relations.word, {*numbers[slots % 2 == side].tolist()}))
            for side in (1, 0)
        )
        return argument._replace(into=into, out_of=out_of)

    def _standing(
        self, words: list[str], named: list[Argument], standing: Standing
    ) -> list[Argument]:
        """Return what is named, with what stands for entities."""
        places = {at for at, word in enumerate(words) if word in standing}
        others = [one for one in named if places.isdisjoint(range(one.begin, one.end))]
        return [*others, *(Argument(at, at + 1, standing[words[at]]) for at in sorted(places))]

    def _is_numbered(self, words: list[str], one: Argument) -> bool:
        """Whether a number is a part of a name, as others are called: "Stage 9"."""
        before = words[one.begin - 1 : one.begin]
        if not before or not (one.end == one.begin + 1 and words[one.begin].isdigit()):
            return False
        named = (self._names.names.get(f"{before[0]} {n}") for n in range(MOST_NUMBERED))
        return len(list(islice(filter(None, named), NAMED))) == NAMED

    def _named(self, pieces: list[str], starts: list[int], words: list[str]) -> list[Argument]:
        """Return what is named: as it is, in the plural, or as a word that is common otherwise."""
        exactly = [*self._exactly(pieces, starts), *self._kinds(words), *self._countries(words)]
        plural = list(self._plural(words))
        heads = {*head_nouns(words, frozenset())}
        found = [  # "how many books" are no part of the name of Lantern Books
            one
            for one in self._names.mentions(words)
            if one.how in ("name", "alias")
            or _is_misspelt(words, one)
            or not heads.intersection(range(*one[:2]))
        ]
        found = [one for one in found if one.how in ("name", "alias") or not _is_said(words, one)]
        arguments = [
            Argument(m.begin, m.end, m.entities, surely=m.how != "spelling") for m in found
        ]
        kept: list[Argument] = []
        for one in sorted(
            [*exactly, *plural, *arguments], key=lambda a: (a.begin - a.end, a.begin)
        ):
            if any(one.begin < other.end and other.begin < one.end for other in kept):
                continue
            if self._is_role(words, one):
                continue
            is_common = self._is_common(words[one.begin : one.end])
            is_common = is_common and not _is_one(words, one.begin)
            if one not in exactly and is_common and not _is_written(one, pieces, starts):
                continue
            kept.append(self._surname(one, pieces, starts))
        return kept or list(self._exactly(pieces[:1], starts, first=True))

    def _is_role(self, words: list[str], one: Argument) -> bool:
        """Whether what may be a value says a relation: "the teacher of Ada's teacher"."""
        if one.end > one.begin + 1 or one.plural or one.names[0] != words[one.begin]:
            return False
        return _is_owned(words, one.begin) and bool(self._sayings.of_word(words[one.begin]))

    def _surname(self, one: Argument, pieces: list[str], starts: list[int]) -> Argument:
        """Return those with a word in their names that is a common noun else: "Frost"."""
        typed = [p.strip(EDGES) for p, at in zip(pieces, starts, strict=False) if at == one.begin]
        capital = bool(typed) and typed[0][:1].isupper() and one.begin > 0
        if not capital or one.end > one.begin + 1 or any(n != n.lower() for n in one.names):
            return one
        parts = self._names.parts
        having = map(parts.entity, parts.having(typed[0].casefold()).tolist())
        called = tuple(name for name in having if typed[0] in name.split())
        return one._replace(names=called[:MOST_CALLED]) if called else one

    def _is_common(self, words: list[str]) -> bool:
        """Whether words are rather said of anything than a name."""
        common = STOP_WORDS | PEOPLE | DEGREES.keys()
        return common.issuperset(words) or (len(words) == 1 and self._sayings.calls(words[0]))

    def _exactly(
        self, pieces: list[str], starts: list[int], first: bool = False
    ) -> Iterator[Argument]:
        """Yield single words that are names letter by letter, with a capital within a sentence.

        Args:
            pieces: of the question, between spaces.
            starts: the place of the first word of each.
            first: whether the first one may be a name, too.
        """
        for at, piece in enumerate(pieces):
            name = piece.strip(EDGES)
            apart = (
                at
                or first
                or piece.endswith((",", "'s"))
                or (pieces[1:2] and pieces[1].startswith("("))
            )
            capital = name != name.lower() and (apart or name == name.upper() != name.lower())
            owned = name.casefold().removesuffix("'s") not in INTERROGATIVES
            owned = owned and not self._called(name)
            owned = owned and name.endswith("'s")
            name = name.removesuffix("'s") if owned else name
            if capital and len(name) > 1 and (called := self._called(name)):
                yield Argument(starts[at], starts[at + 1] - owned, called)
            for end in range(at + 2, min(at + LONGEST, len(pieces)) + 1):  # "use the Old Tongue"
                name = " ".join(pieces[at:end]).strip(EDGES)
                capitals = all(piece[:1].isupper() for piece in name.split())
                if capitals and (called := self._called(name)):
                    yield Argument(starts[at], starts[end], called)

    def _called(self, name: str) -> tuple[str, ...]:
        """Return the entities that are called so letter by letter: one, or those of its name."""
        if self._store.entities.number(name) is not None:
            return (name,)
        return self._names.apart.get(name, ())

    def _countries(self, words: list[str]) -> Iterator[Argument]:
        """Yield what is of a country, or the country, where the other is named: "Danish wine"."""
        for at, word in enumerate(words):
            named = (self._names.names.get(one, ()) for one in of_countries().get(word, ()))
            entities = tuple(entity for some in named for entity in some)
            if entities and not self._names.names.get(word):
                yield Argument(at, at + 1, entities[:2])

    def _kinds(self, words: list[str]) -> Iterator[Argument]:
        """Yield plurals of values, which a relation's name may be like: "musicals", `music_by`."""
        for at, word in enumerate(words):
            if word in self._plain or is_done(words, at):
                continue
            if self._sayings.names(word) and not _is_one(words, at):
                continue
            does = () if self._sayings.of_word(word) else _done_by(word)
            for last in (*singulars(word), *does):
                named = self._names.names.get(last, ())
                if named and named[0] == last:
                    yield Argument(at, at + 1, tuple(named[:2]), plural=True)

    def _plural(self, words: list[str]) -> Iterator[Argument]:
        single = [
            singulars(word) or ((word[:-1],) if re.fullmatch(r"\d+s", word) and at else ())
            for at, word in enumerate(words)
        ]  # "Kite 15s"
        for begin in range(len(words)):
            for end in range(begin + 1, min(len(words), begin + LONGEST) + 1):
                for last in single[end - 1]:
                    if last in INTERROGATIVES or is_done(words, end - 1):  # "whos"
                        continue
                    entities = self._names.names.get(" ".join([*words[begin : end - 1], last]))
                    if entities:
                        common = entities[0] == entities[0].lower()  # of a kind, and no one's name
                        yield Argument(begin, end, tuple(entities[:2]), plural=common)

    def _merged(self, named: list[Argument], values: list[Argument]) -> list[Argument]:
        """Join a name and a value that are the same words; of others the longer stays."""
        kept = []
        for value in values:
            over = [one for one in named if one.begin < value.end and value.begin < one.end]
            if any(one.end - one.begin > value.end - value.begin for one in over):
                continue
            same = [one for one in over if (one.begin, one.end) == (value.begin, value.end)]
            named = [one for one in named if one not in over]
            names = same[0].names if same and not SPAN.fullmatch(value.text) else ()
            kept.append(value._replace(names=names))
        return sorted([*named, *kept], key=lambda one: one.begin)


def _is_misspelt(words: list[str], mention: Mention) -> bool:
    """Whether a name of several words holds one that is no English: it is no "wall clock" then."""
    typed, named = words[mention.begin : mention.end], mention.name.split()
    strange = (word for word in typed if word not in named and not is_everyday(word))
    return mention.how == "spelling" and len(typed) > 1 and any(strange)


def _is_one(words: list[str], at: int) -> bool:
    """Whether a noun that ends as "trainee" does is one, and nobody's, asked by `trained_by`."""
    return words[at].removesuffix("s").endswith("ee") and not _is_owned(words, at)


def _is_owned(words: list[str], at: int) -> bool:
    """Whether a noun is somebody's: "Ada's teacher", "the teacher of"."""
    return words[at - 1 : at] == ["'s"] or words[at + 1 : at + 2] == ["of"]


def _done_by(word: str) -> Iterator[str]:
    """Yield what somebody does: swimming of "swimmers", sailing of a "sailor"."""
    if found := re.fullmatch(r"(\w{3,})[eo]rs?", word):
        yield found[1] + "ing"


def _is_written(one: Argument, pieces: list[str], starts: list[int]) -> bool:
    """Whether a word within a sentence is written as a name is: "where was Marrin born"."""
    lower = sum(piece == piece.lower() for piece in pieces)
    typed = [p.strip(EDGES) for p, at in zip(pieces, starts, strict=False) if at == one.begin]
    capital = bool(typed) and typed[0][:1].isupper() and typed[0][1:] == typed[0][1:].lower()
    return capital and one.begin > 0 and one.end == one.begin + 1 and 2 * lower >= len(pieces)


def _is_said(words: list[str], mention: Mention) -> bool:
    """Whether a part of a name is a word that is said of anything: "how tall", "right now"."""
    said = words[mention.begin : mention.end]
    if said == ["left"] and not {"have", "has", "got", "is", "are"}.isdisjoint(words):
        return True
    if len(said) == 1 and (said[0] in _ASIDE or is_here(words, mention.begin)):
        return True
    if len(said) == 1 and len(mention.entities) >= NAMED and words[mention.begin - 1] in A_KIND:
        return True  # "the room with" is no part of "Music Room"
    return FILLING.issuperset(said) or words[mention.begin - 1 : mention.begin] == ["how"]
