"""Programs carried out over a knowledge base: exact answers, and every fact that was read.

Sets are sorted arrays of numbers. The facts of a few entities are found by their slots, those of
many by passing over one relation; no program loops over facts in Python.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from memnets.evidence.records import Step, Support
from memnets.kb.index.postings import distinct
from memnets.kb.programs.operators import (
    And,
    Between,
    Compare,
    Compared,
    Count,
    Having,
    How,
    IsIt,
    IsThere,
    Most,
    Named,
    Not,
    Oftenest,
    Or,
    OtherThan,
    Path,
    Program,
    Set,
    Several,
    in_words,
)
from memnets.kb.store.layouts import REVERSED, reverse
from memnets.kb.store.store import Store
from memnets.kb.values.columns import Columns, ColumnValues, Ids, OddCell, open_columns
from memnets.kb.values.typed import Value, read

FEW = 1000
"""The facts of so many entities are looked up, not looked for among all of a relation."""
MOST_ANSWERS = 100_000
"""More answers are counted, but not named."""
SHOWN = 20
"""Facts of one read that are put into words."""


class RefusedError(ValueError):
    """A program that this knowledge base cannot carry out, and why."""


@dataclass(frozen=True)
class Read:
    """What one operator read."""

    program: Program
    rows: Ids = field(repr=False)
    """The facts, ascending."""
    kept: Ids = field(repr=False)
    """Those of them on which what comes out rests."""
    odd: tuple[OddCell, ...] = field(default=(), repr=False)
    """Facts of the relation that were left out, since they cannot be compared with the others."""


@dataclass(frozen=True)
class Outcome:
    """What a program gave."""

    answers: tuple[str, ...]
    """Names by their letters, a number, or yes or no."""
    found: int
    """How many answers there are, also of those too many to be named."""
    reads: tuple[Read, ...]
    """In the order in which they were made."""
    refused: str = ""
    """Why there are no answers, where the program could not be carried out."""

    @property
    def caution(self) -> str:
        """Which facts could not be compared; nothing where all could."""
        odd = {cell.fact: cell.text for read_ in self.reads for cell in read_.odd}
        if not odd:
            return ""
        some = ", ".join(map(repr, list(odd.values())[:3]))
        return f"{len(odd):,} facts could not be compared and were left out, such as {some}"


class Programs:
    """Carries out programs over a knowledge base.

    Args:
        store: a KB that was opened.
        columns: its typed relations, where they are shared with others.
    """

    def __init__(self, store: Store, columns: Columns | None = None) -> None:
        self._store, self._facts = store, store.facts
        self.columns = columns or open_columns(store)

    def run(self, program: Program) -> Outcome:
        """Carry a program out."""
        reads: list[Read] = []
        try:
            answer = self._answer(program, reads)
        except RefusedError as error:
            return Outcome((), 0, tuple(reads), str(error))
        if isinstance(answer, str):
            return Outcome((answer,), 1, tuple(reads))
        names = map(self._store.entities.word, answer[:MOST_ANSWERS].tolist())
        return Outcome(tuple(sorted(names)), len(answer), tuple(reads))

    def steps(self, outcome: Outcome) -> tuple[Step, ...]:
        """Return what was read, in words, as evidence: of every read the first facts."""
        return tuple(map(self._step, outcome.reads))

    def _step(self, read_: Read) -> Step:
        shown = read_.kept[:SHOWN] if len(read_.kept) else read_.rows[:SHOWN]
        weight = 1 / len(read_.kept) if len(read_.kept) else 0.0
        supports = tuple(Support(row, " ".join(self._facts[row]), weight) for row in shown.tolist())
        facts = "1 fact" if len(read_.rows) == 1 else f"{len(read_.rows):,} facts"
        return Step(f"{in_words(read_.program)} ({facts} read)", supports)

    def _answer(self, program: Program, reads: list[Read]) -> str | Ids:
        match program:
            case Count(of):
                return str(len(self._set(of, reads)))
            case IsThere(of, none):
                return _yes((len(self._set(of, reads)) > 0) is not none)
            case IsIt(entity, relation, value):
                rows = self._rows(self._set(entity, reads), relation)
                if not len(rows):
                    raise RefusedError(f"nothing is known of {relation!r} of {in_words(entity)}")
                kept = rows[_isin(self._ends(rows, relation), self._set(value, reads))]
                reads.append(Read(program, rows, kept))
                return _yes(len(kept) > 0)
            case _:
                return self._set(program, reads)

    def _set(self, of: Set, reads: list[Read]) -> Ids:
        match of:
            case Named(names):
                return self._named(names)
            case Path(start, relations):
                return self._path(of, self._set(start, reads), relations, reads)
            case Having(relation, None):
                return self._read_ends(of, self._all(relation), reverse(relation), reads)
            case Having(relation, value) if value is not None:
                rows = self._rows(self._set(value, reads), reverse(relation))
                return self._read_ends(of, rows, reverse(relation), reads)
            case Not(relation, value):
                return self._not(of, relation, self._set(value, reads), reads)
            case Compared(relation, _, _) | Between(relation, _, _):
                return self._compared(of, self._values(relation), reads)
            case Several():
                return self._several(of, reads)
            case And(parts):
                return _joined(_both, [self._set(part, reads) for part in parts])
            case Or(parts):
                return _joined(_either, [self._set(part, reads) for part in parts])
            case OtherThan(one, but):
                whole = self._set(one, reads)
                return np.setdiff1d(whole, self._set(but, reads), assume_unique=True)
            case Most(relation, among, least):
                some = None if among is None else self._set(among, reads)
                return self._most(of, self._values(relation), some, least, reads)
            case Oftenest(relation, among, least):
                some = None if among is None else self._set(among, reads)
                return self._oftenest(of, some, relation, least, reads)
            case Compare(one, other, relation, least):
                sides = [self._set(side, reads) for side in (one, other)]
                for side, ids in zip((one, other), sides, strict=True):
                    self._expect_values(ids, relation, in_words(side))
                both = _either(*sides)
                return self._most(of, self._values(relation), both, least, reads)
        raise ValueError(f"came {of!r}; expected one of the operators that give a set.")

    def _named(self, names: tuple[str, ...]) -> Ids:
        numbers = [self._store.entities.number(name) for name in names]
        for name, number in zip(names, numbers, strict=True):
            if number is None:
                raise RefusedError(f"the knowledge base has no {name!r}")
        return distinct(np.array(numbers, np.int32))

    def _path(self, of: Path, ids: Ids, relations: tuple[str, ...], reads: list[Read]) -> Ids:
        for hop, relation in enumerate(relations, 1):
            rows = self._rows(ids, relation)
            ids = self._read_ends(Path(of.start, relations[:hop]), rows, relation, reads)
        return ids

    def _all(self, relation: str) -> Ids:
        """Return all facts of a relation."""
        rows = self.columns.rows(relation.removeprefix(REVERSED))
        if not len(rows):
            raise RefusedError(f"the knowledge base has no relation {relation!r}")
        return rows

    def _rows(self, ids: Ids, relation: str) -> Ids:
        """Return the facts by which a relation leads on from entities."""
        back = relation.startswith(REVERSED)
        if len(ids) > FEW:
            every = self._all(relation)
            return every[_isin(self._ends(every, reverse(relation)), ids)]
        wanted = self._store.relations.number(relation.removeprefix(REVERSED))
        if wanted is None:
            raise RefusedError(f"the knowledge base has no relation {relation!r}")
        slots = self._store.slots_of(ids)
        rows: Ids = distinct(slots[slots % 2 == back] // 2)
        return rows[self._facts.relations[rows] == wanted]

    def _ends(self, rows: Ids, relation: str) -> Ids:
        ends: Ids
        back = relation.startswith(REVERSED)
        ends = self._facts.subjects[rows] if back else self._facts.objects[rows]
        return ends

    def _read_ends(self, of: Program, rows: Ids, relation: str, reads: list[Read]) -> Ids:
        reads.append(Read(of, rows, rows))
        return distinct(self._ends(rows, relation))

    def _not(self, of: Not, relation: str, value: Ids, reads: list[Read]) -> Ids:
        rows = self._all(relation)
        owners = self._ends(rows, reverse(relation))
        without = distinct(owners[_isin(self._ends(rows, relation), value)])
        kept = ~_isin(owners, without)
        reads.append(Read(of, rows, rows[kept]))
        return distinct(owners[kept])

    def _several(self, of: Several, reads: list[Read]) -> Ids:
        rows, number = self._all(of.relation), read(of.number, "number")
        if number is None:
            raise RefusedError(f"{of.number!r} is no number of {of.relation!r}")
        owners = self._ends(rows, reverse(of.relation))  # no fact is there twice
        ids, times = np.unique(owners, return_counts=True)
        fits = _fit(of.how, times, times, float(number.low), float(number.high))
        reads.append(Read(of, rows, rows[_isin(owners, ids[fits])]))
        return ids[fits]

    def _values(self, relation: str) -> ColumnValues:
        self._all(relation)
        try:
            values = self.columns.values(relation)
        except ValueError as error:
            raise RefusedError(str(error)) from None
        return values

    def _bound(self, text: str, values: ColumnValues) -> tuple[float, float]:
        kind = values.column.kind
        value = read(text, kind)
        if value is None:
            raise RefusedError(f"{text!r} is no {kind} to compare {values.column.relation!r} with")
        return self._place(value, values)

    def _place(self, value: Value, values: ColumnValues) -> tuple[float, float]:
        try:
            return values.place(value)
        except ValueError as error:
            raise RefusedError(f"{values.column.relation}: {error}") from None

    def _expect_values(self, ids: Ids, relation: str, name: str) -> ColumnValues:
        """Return the values of some entities alone; refused where there are none."""
        values = self._values(relation)
        some = _isin(self._facts.subjects[values.rows], ids)
        if not some.any():
            raise RefusedError(f"no {relation!r} of {name} is known that can be compared")
        return ColumnValues(
            values.column, values.rows[some], values.low[some], values.high[some], values.bounds
        )

    def _compared(self, of: Compared | Between, values: ColumnValues, reads: list[Read]) -> Ids:
        if isinstance(of, Between):
            low, high = self._bound(of.low, values)[0], self._bound(of.high, values)[1]
            fits = (values.low >= low) & (values.high <= high)
        else:
            low, high = self._limits(of, values, reads)
            fits = _fit(of.how, values.low, values.high, low, high)
        kept = values.rows[fits]
        reads.append(Read(of, values.rows, kept, values.exceptions))
        return distinct(self._facts.subjects[kept])

    def _limits(self, of: Compared, values: ColumnValues, reads: list[Read]) -> tuple[float, float]:
        if isinstance(of.value, str):
            return self._bound(of.value, values)
        ids = self._set(of.value, reads)
        own = self._expect_values(ids, of.relation, in_words(of.value))
        reads.append(Read(Path(of.value, (of.relation,)), own.rows, own.rows))
        if of.how in ("less than", "at most"):
            return float(own.low.min()), float(own.high.min())
        return float(own.low.max()), float(own.high.max())

    def _most(
        self, of: Set, values: ColumnValues, among: Ids | None, least: bool, reads: list[Read]
    ) -> Ids:
        """Return those that none is wholly above, or below."""
        rows, low, high = values.rows, values.low, values.high
        if among is not None:
            some = _isin(self._facts.subjects[rows], among)
            rows, low, high = rows[some], low[some], high[some]
        if not len(rows):
            raise RefusedError(
                f"nothing to compare: no {values.column.relation!r} is known of these"
            )
        kept = rows[low <= high.min()] if least else rows[high >= low.max()]
        reads.append(Read(of, rows, kept, values.exceptions))
        return distinct(self._facts.subjects[kept])

    def _oftenest(
        self, of: Set, among: Ids | None, relation: str, least: bool, reads: list[Read]
    ) -> Ids:
        rows = self._all(relation)
        if among is not None:
            rows = rows[_isin(self._ends(rows, reverse(relation)), among)]
        if not len(rows):
            raise RefusedError(f"nothing to count: no {relation!r} is known of these")
        ids, owners, times = np.unique(
            self._ends(rows, relation), return_inverse=True, return_counts=True
        )
        best = times == (times.min() if least else times.max())
        reads.append(Read(of, rows, rows[best[owners]]))
        return ids[best]


def _fit(
    how: How, low: NDArray[np.int64], high: NDArray[np.int64], least: float, most: float
) -> NDArray[np.bool_]:
    """Return which values, from `low` to `high`, compare so with one from `least` to `most`."""
    fits: dict[How, NDArray[np.bool_]] = {
        "more than": low > most,
        "less than": high < least,
        "at least": low >= least,
        "at most": high <= most,
        "in": (low >= least) & (high <= most),
    }
    return fits[how]


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def _isin(ids: Ids, among: Ids) -> NDArray[np.bool_]:
    """Whether each is in a sorted array."""
    if not len(among):
        return np.zeros(len(ids), np.bool_)
    places = np.searchsorted(among, ids)
    found: NDArray[np.bool_] = among[np.minimum(places, len(among) - 1)] == ids
    return found


def _both(one: Ids, other: Ids) -> Ids:
    """Return those of two sets that are in both."""
    once = distinct(one)
    return once[_isin(once, distinct(other))]


def _either(one: Ids, other: Ids) -> Ids:
    """Return those that are in one of two sets at least."""
    return distinct(np.concatenate([one, other]))


def _joined(join: Callable[[Ids, Ids], Ids], sets: list[Ids]) -> Ids:
    if not sets:
        raise RefusedError("no sets to join; expected one at least")
    return reduce(join, sets)
