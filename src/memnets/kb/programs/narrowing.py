"""What narrows a set: a name or a value of a relation, or a comparison with it."""

from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.cues import Cues
from memnets.kb.programs.heads import SOME
from memnets.kb.programs.operators import (
    Between,
    Compared,
    Having,
    Named,
    Not,
    OtherThan,
    Set,
    Several,
)
from memnets.kb.programs.reading import Reader, Reading
from memnets.kb.programs.roles import Filter

UNSAID = 2.0
"""What it costs to take an entity of facts of its own for an object of what is not said."""
PLACING = frozenset({"in", "at", "from", "by", "on", "with"})
"""Before a name they narrow a set by it, whatever the relation: "animals in the Aviary"."""
NARROWS = 1.5
"""What a filter counts, besides what its relation does."""
RIVALS = 0.3
"""What a filter loses to each other relation that it might be of, if none is said."""
PLACED = 2.5
"""By how much less it costs to take an entity for an object behind "in" or the like."""


class Narrowing:
    """Makes sets of filters.

    Args:
        reader: of the question.
        reading: what was recognised.
        cues: what is to be done.
    """

    def __init__(self, reader: Reader, reading: Reading, cues: Cues) -> None:
        self._kind, self._cues, self._heads = reader.kind, cues, reading.heads
        self._are_years = reader.are_years
        self._words, self._arguments = reading.words, reading.arguments

    def worth(self, one: Filter) -> float:
        """Return how much of the question a filter explains."""
        argument = self._arguments[one.argument]
        worth = NARROWS + one.weight - RIVALS * (one.rivals - 1) * (one.weight <= 0)
        if not argument.out_of or one.weight or one.placed:
            return worth
        before = self._before(argument)
        ends = {one.end for one in self._arguments if one.names and not one.out_of}
        if not argument.plural and not ends.isdisjoint(
            (argument.begin, argument.begin - (before == "called"))
        ):
            return worth - UNSAID  # "the nurse Ada" is she
        kinds = [one for one in self._arguments if one.names and not one.out_of]
        if any(one.begin == argument.end and not one.plural for one in kinds):
            return worth - UNSAID  # "the Teapot charger" is that
        begins = {one.begin for one in kinds}
        the = self._words[argument.end : argument.end + 1] in (["the"], ["a"], ["an"])
        if argument.apart and argument.end + the in begins:
            return worth - 2 * UNSAID  # "Ada, the nurse"
        if argument.plural or before in ("a", "an"):  # a kind of things, and not one of them
            return worth
        if before in ("the", "a", "an"):
            before = self._words[argument.begin - 2] if argument.begin > 1 else ""
        place = argument.begin - 2
        if before == "of" and place >= 0 and self._words[place] in SOME:
            return worth - 2 * UNSAID  # "which of Ada's"
        narrows = before in PLACING or (before == "of" and place in self._heads)
        # "Rome's towns", "Rome towns"
        narrows = narrows or not self._heads.isdisjoint((argument.end, argument.end + 1))
        return worth - (UNSAID / PLACED if narrows else UNSAID)

    def _before(self, argument: Argument) -> str:
        """Return the word before an argument, or before the first that it is joined to by "or"."""
        before = self._words[argument.begin - 1] if argument.begin else ""
        if before in ("or", "and"):
            ends = (one for one in self._arguments if one.end == argument.begin - 1)
            return next((self._before(one) for one in ends), before)
        return before

    def narrowed(self, one: Filter) -> Set:
        """Return the set of all that a filter lets through."""
        argument, cues = self._arguments[one.argument], self._cues
        denied = one.argument in cues.denied
        compared = self._compared(one, argument)
        if compared:  # "not opened in 2011": opened, but in another year
            return OtherThan(Having(one.relation), compared) if denied else compared
        if denied:
            return Not(one.relation, Named(argument.names))
        return Having(one.relation, Named(argument.names))

    def _compared(self, one: Filter, argument: Argument) -> Set | None:
        """Return what a value narrows; None of a filter that compares nothing."""
        cues = self._cues
        if one.counts:
            return Several(one.relation, cues.compared.get(one.argument, "in"), argument.text)
        if cues.between and one.argument in cues.between:
            low, high = (self._arguments[number].text for number in cues.between)
            return Between(one.relation, low, high)
        if not one.compares:
            return None
        first, to, last = argument.text.partition(" to ")
        if to:  # of years
            return Between(one.relation, first, last)
        how = cues.compared.get(one.argument, "in")
        degree = cues.adjectives.get(one.argument)
        if degree and (self._kind(one.relation) == "date" or self._are_years(one.relation)):
            how = "less than" if degree.least_of_dates else "more than"
        return Compared(one.relation, how, argument.text or Named(argument.names))
