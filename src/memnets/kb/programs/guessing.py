"""Which relation a question brings to mind that says none by its name: "who holds the lease"."""

import math
from collections.abc import Collection, Mapping
from typing import NamedTuple

from memnets.kb.programs.asked import DAYS, Asked
from memnets.kb.programs.associations import LITTLE, Associations
from memnets.kb.programs.forms import BASES, word_set
from memnets.kb.programs.lexicon import SAID, YES_OR_NO
from memnets.kb.programs.reading import Reading
from memnets.kb.programs.saying import Options
from memnets.kb.values.columns import Columns
from memnets.kb.values.typed import Kind

GUESSES = 5
"""Relations that words bring to mind, of which so many are tried."""
RULED = 1.5
"""How strongly a word that says a relation by some rule brings it to mind."""
ENOUGH = 1.5
"""How strongly a relation is brought to mind for being said rather than not."""
DATED: frozenset[Kind] = frozenset({"number", "date"})
EVERY_KIND: frozenset[Kind] = frozenset({"link", "text", "number", "date", "yes or no"})
COUNTING = word_set("many much")
"""They ask for a number, and name no relation."""
MEASURED = word_set("long far tall high deep wide thick thin big large small old heavy fast")
"""Behind "how" they ask for a number."""


class Brought(NamedTuple):
    """What the words of a question bring to mind."""

    strengths: Mapping[str, float]
    """How strongly each relation; the more, the more."""
    places: Mapping[str, set[int]]
    """The words that do."""
    telling: set[int]
    """The words that tell something, whether they bring any to mind or none."""

    def surely(self, relation: str) -> float:
        """Return how surely a relation is brought to mind, from 0 to 1."""
        return 1 - math.exp(-self.strengths.get(relation, 0.0) / ENOUGH)

    def by(self, relations: Collection[str]) -> set[int]:
        """Return the words that bring some of these relations to mind."""
        return {at for name in relations for at in self.places.get(name, ())}

    def besides(self, relations: Collection[str]) -> float:
        """Return how surely another is brought to mind, by words that bring none of these."""
        by = self.by(relations)
        others = (name for name, at in self.places.items() if at.isdisjoint(by))
        return max(map(self.surely, others), default=0.0)

    def unheard(self, relations: Collection[str]) -> set[int]:
        """Return the telling words that bring none of these to mind."""
        return self.telling - self.by(relations)


class Guessing:
    """Guesses what is asked of the one thing that a question names.

    Args:
        associations: of the relations.
        columns: their types.
    """

    def __init__(self, associations: Associations, columns: Columns) -> None:
        self._associations, self._columns = associations, columns

    def guessed(self, reading: Reading) -> Reading | None:
        """Return a question with what its words bring to mind in place of what they may say.

        None where a relation is said for certain, or not one thing is named.
        """
        surely = any(one.options[0][1] == 1 for one in reading.asked if not one.hints)
        things = [one.begin for one in reading.arguments if one.out_of]
        lost = bool(things) and any(  # "neighbours of Ada who use the Euro"
            not one.out_of and one.begin > things[0] and reading.words[one.begin - 1] == "the"
            for one in reading.arguments
        )
        if surely or lost or len(things) != 1 or _leads_to(reading, things[0]):
            return None
        (thing,) = (one for one in reading.arguments if one.out_of)
        brought = self.brought(reading, thing.out_of)
        strengths = [
            one for one in brought.strengths.items() if self.answers(one[0], reading.words)
        ]
        found = sorted(strengths, key=lambda one: -one[1])[:GUESSES]
        if not found:
            return None
        (first, strength), *others = found
        second = others[0][1] if others else 0.0
        places = brought.places[first]
        if not _tells(reading, places, brought.telling):
            return None
        by = [at for at in sorted(places) if reading.words[at] not in COUNTING | {"how"}]
        at, most = (by or [min(places)])[0], brought.surely(first)
        options = Options((name, most * worth / strength) for name, worth in found)
        guess = Asked(at, at + 1, options, guessed=(strength, strength - second))
        hints = (one for one in reading.asked if one.hints and not one.begin <= at < one.end)
        told = reading._replace(asked=(*hints, guess), brought=frozenset(places))
        return told.forwards(values=reading.words[0] in YES_OR_NO)

    def brought(self, reading: Reading, own: Collection[str]) -> Brought:
        """Return which relations the words bring to mind, and what else these tell.

        Args:
            reading: of a question.
            own: relations, of which others are not asked for.
        """
        free = [at for at in range(len(reading.words)) if at not in reading.said]
        strengths: dict[str, float] = {}
        places: dict[str, set[int]] = {}

        def bring(relation: str, strength: float, by: set[int]) -> None:
            if relation in own:
                strengths[relation] = strengths.get(relation, 0.0) + strength
                places.setdefault(relation, set()).update(by)

        for asked in reading.asked:
            for name, weight in asked.options if not asked.hints else ():
                even = (asked.end - asked.begin) / asked.options.best
                ruled = RULED * weight / SAID * even**0.5
                bring(name, ruled, {*range(asked.begin, asked.end)})
        for one in self._associations.of(reading.words, free):
            bring(one.relation, one.strength, {*one.places})
        telling = {at for at in free if reading.words[at] not in LITTLE | {"'s"}}
        return Brought(strengths, places, telling)

    def answers(self, relation: str, words: list[str]) -> bool:
        """Whether a relation gives what the words ask for, so that "when" asks for no name."""
        kinds, kind = _answering(words), self._columns.of(relation).kind
        if kind not in kinds:
            return False
        return kinds != DATED or kind != "number" or self._columns.are_years(relation)


def _tells(reading: Reading, brought: Collection[int], telling: set[int]) -> bool:
    """Whether a relation is brought to mind by words that tell something, or all do that there are.

    "How many" alone brings no number of visitors to mind where corners are asked for.
    """
    counts = any(reading.words[at] in COUNTING for at in brought)
    return not (counts and telling) or not telling.isdisjoint(brought)


def _leads_to(reading: Reading, at: int) -> bool:
    """Whether it is asked what leads to what is named: "films by Ada", "natives of Rome"."""
    (named,) = (one for one in reading.arguments if one.begin == at)
    done, by = ["", "", *reading.words[max(0, at - 2) : at]][-2:]
    if by == "by" and (done.endswith("ed") or done in BASES):
        return True
    others = named.into - named.out_of
    return any(one.options[0][0] in others for one in reading.asked if not one.hints)


def _answering(words: list[str]) -> frozenset[Kind]:
    """Return what relations may give that answer a question, by the words that ask."""
    if words[0] in YES_OR_NO:
        return EVERY_KIND
    asking = {*words}
    if not {"who", "whom", "whose"}.isdisjoint(asking):
        return frozenset({"link", "text"})
    if "when" in asking:
        return frozenset({"date", "number", "text", "link"})
    if "how" in asking and {"many", "much"} & asking:
        return frozenset({"number", "text"})
    if "how" in asking and not MEASURED.isdisjoint(asking):
        return frozenset({"number", "text", "date"})
    if not DAYS.isdisjoint(asking) and not {"what", "which"}.isdisjoint(asking):
        return DATED
    return EVERY_KIND - {"yes or no"}
