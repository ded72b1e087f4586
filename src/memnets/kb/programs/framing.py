"""Every way in which the names and values of a question may be taken."""

import re
from collections.abc import Iterator, Sequence
from itertools import product

from memnets.kb.programs.amounts import EXACTLY
from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.asked import Asked
from memnets.kb.programs.cues import Cues, is_compared
from memnets.kb.programs.extremes import tells_age
from memnets.kb.programs.reading import Reader, Reading
from memnets.kb.programs.roles import Filter, Frame
from memnets.kb.programs.shapes import Shapes
from memnets.kb.programs.wordings import likeness
from memnets.kb.questions.english import PREPOSITIONS
from memnets.kb.values.columns import Column, Columns
from memnets.kb.values.typed import Value, measures_alike, unit_of

MOST_ARGUMENTS = 6
"""A question of more names and values is not understood."""
OF_UNIT = 0.2
"""What a comparison counts whose column has a unit."""
_YEARS = re.compile(r"\d+( to \d+)?")
_TIMES = frozenset({"before", "after", "since", "until", "from", "in", "during"})
"""Before a year they say that it is one."""
_NOT_PLACING = frozenset({"of", "by", "with", "for"})
"""They stand before much: "used by Ada" is not `ruled_by`."""


class Framing:
    """Takes the names and values of a question as starts, or as what narrows a set.

    Args:
        reader: of the question.
        columns: the typed relations.
        shapes: of these.
        reading: what was recognised.
        cues: what is to be done.
    """

    def __init__(
        self, reader: Reader, columns: Columns, shapes: Shapes, reading: Reading, cues: Cues
    ) -> None:
        self._relations, self._columns, self._shapes = reader.relations, columns, shapes
        self._words, self._arguments, self._asked = reading.words, reading.arguments, reading.asked
        self._cues = cues
        self._said: dict[str, float] = {}
        for asked in reading.asked:
            self._said |= asked.options.weights

    def frames(self) -> Iterator[Frame]:
        """Yield every way of taking names and values: as a start, or as what narrows a set."""
        options = [
            list(self._roles(number, argument)) for number, argument in enumerate(self._arguments)
        ]
        if len(options) > MOST_ARGUMENTS:
            return
        for chosen in product(*options):
            if sum(one is None for one in chosen) <= 2:
                yield Frame(chosen)

    def _roles(self, number: int, argument: Argument) -> Iterator[Filter | None]:
        """Yield the relations by which an argument may narrow a set, and None for a start."""
        if number in self._cues.compared or (self._cues.between and number in self._cues.between):
            yield from self._comparable(number)
            return
        if argument.out_of or number in self._cues.left_out:
            yield None
        if number in self._cues.left_out:
            return
        owns = self._words[argument.end : argument.end + 1] == ["'s"]
        asks = owns or any(not one.hints for one in self._asked)
        into = set(argument.into)
        if self._cues.yes_or_no and argument.out_of:  # "no" is an answer too
            into |= {name for name in self._said if self._columns.of(name).kind == "link"}
        of = sorted(into, key=lambda name: (-self._said.get(name, 0.0), name))
        compared = list(self._comparable(number) if argument.value else ())
        compared = [one for one in compared if one.relation not in into]
        if of:  # "who joined in 1987", where somebody was born then
            compared = [one for one in compared if one.relation in self._said]
            surely = any(self._said[one.relation] == 1 for one in compared)
            of = [name for name in of if name in self._said] if surely else of
        for relation in of:
            placed = self._is_placed(argument, relation)
            # Who is no row is asked about through the row that is theirs: a tenant's flat.
            sole = placed or (asks and not argument.out_of and self._shapes.is_own(relation))
            weight, rivals = self._said.get(relation, 0.0), 1 if sole else len(of)
            yield Filter(number, relation, weight, rivals, placed=placed)
        yield from compared

    def _is_of_unit(self, unit: str, column: Column) -> bool:
        """Whether a column may be of a unit: by its cells, or as its name tells."""
        named = (unit_of(word) for word in self._relations[column.relation])
        bare = not unit and column.kind == "number"
        return bare or measures_alike(unit, column.unit) or unit in named

    def _are_years(self, column: Column) -> bool:
        """Whether numbers may all be years."""
        return self._columns.are_years(column.relation)

    def _is_placed(self, argument: Argument, relation: str) -> bool:
        """Whether a preposition of a relation stands before an argument: "in Rome" of "lies in"."""
        before = [word for word in self._words[: argument.begin] if word not in ("the", "a", "an")]
        own = PREPOSITIONS.intersection(self._relations[relation]) - _NOT_PLACING
        return before[-1:] != [] and before[-1] in own

    def _several(self, number: int) -> Filter | None:
        """Return the relation of whose objects a number is said: "more than two languages"."""
        argument = self._arguments[number]
        behind = next((one for one in self._asked if one.begin == argument.end), None)
        said = number in self._cues.compared or self._words[argument.begin - 1] in EXACTLY
        if behind is None or not said or not _is_bare(argument.value):
            return None
        relation, weight = behind.options[0]
        if self._columns.of(relation).kind not in ("link", "text"):
            return None
        return Filter(number, relation, weight, 1, compares=True, counts=True)

    def _with_unit(self, number: int) -> Value | None:
        """Return the value of an argument; of "600 and 700 EUR" both are euros."""
        both = self._cues.between or ()
        values = [self._arguments[n].value for n in both if number in both]
        with_unit = (value for value in values if value and value.unit)
        return next(with_unit, self._arguments[number].value)

    def _comparable(self, number: int) -> Iterator[Filter]:
        """Yield the relations that an argument may be compared by."""
        argument = self._arguments[number]
        if several := self._several(number):
            yield several
            return
        columns: Sequence[Column] = self._columns.compared
        value = self._with_unit(number)
        degree = self._cues.adjectives.get(number)
        if degree:
            hints = degree.hints.split()
            hinted = [c for c in columns if _is_hinted(hints, self._relations[c.relation])]
            if degree.is_of_age:  # "older" is of no `yearly_salary`, and of whatever is dated
                dated = [c for c in columns if c.kind == "date" or self._are_years(c)]
                aged = [c for c in hinted if c in dated or tells_age(self._relations[c.relation])]
                hinted = aged or dated
            # "A salary higher than" is no height.
            columns = [c for c in columns if self._said.get(c.relation) == 1] or hinted
        if value:
            # The unit of bare numbers may stand in the relation's name, as in "price_eur".
            fit = [c for c in columns if c.kind == value.kind and self._is_of_unit(value.unit, c)]
            if value.kind == "date" and _YEARS.fullmatch(argument.text):
                before = self._words[: argument.begin][-1:]
                timed = not _TIMES.isdisjoint(before)  # "before 1990" is no price
                fit += [
                    c
                    for c in columns
                    if c.kind == "number"
                    and (c.relation in self._said or not timed or self._are_years(c))
                ]
        else:
            fit = [c for c in columns if c.relation in argument.out_of]
        with_unit = [c for c in fit if value and value.unit and measures_alike(c.unit, value.unit)]
        behind = [
            c
            for c in fit
            for asked in self._asked
            if c.relation in asked.options.weights
            and (asked.begin == argument.end or _is_measured(asked, argument, self._cues))
        ]  # "600 pages", "desk numbers above 370"
        of = behind or with_unit or fit
        for column in of:
            weight = self._said.get(column.relation, 0.0)
            unlike = value is not None and value.kind != column.kind and weight < 1
            weight += OF_UNIT * bool(column.unit) + bool(behind or degree) - unlike
            yield Filter(number, column.relation, weight, len(of), compares=True)


def _is_bare(value: Value | None) -> bool:
    """Whether a value is a number without a unit."""
    return value is not None and value.kind == "number" and not value.unit


def _is_measured(asked: Asked, argument: Argument, cues: Cues) -> bool:
    """Whether a relation's name is compared with a value."""
    return asked.options[0][1] == 1 and is_compared(asked, argument, cues)


def _is_hinted(hints: list[str], relation: tuple[str, ...]) -> bool:
    return any(likeness(hint, relation) for hint in hints)
