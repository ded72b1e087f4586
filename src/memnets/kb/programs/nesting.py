"""Questions within questions: "who owns [the server that Payday runs on]?"

A part of a question that says by its own words which things are meant is asked first. What answers
it then stands in its place as a name does, and what was asked of both makes one program.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import islice, pairwise
from typing import Any

from memnets.kb.programs.arguments import NOTHING
from memnets.kb.programs.operators import (
    MOST_HOPS,
    And,
    Count,
    Having,
    Most,
    Named,
    OtherThan,
    Path,
    Program,
    Set,
    parts_of,
)
from memnets.kb.programs.reading import Reader
from memnets.kb.programs.running import Programs
from memnets.kb.programs.spans import PLACE, Part, parts
from memnets.kb.programs.understood import Candidate, Understood
from memnets.kb.store.layouts import REVERSED
from memnets.kb.values.typed import Kind

MOST_PARTS = 24
"""Of a question are tried."""
MOST_NAMES = 200
"""What so many answer is no name."""
NESTED = 0.25
"""What it costs that a question has a part."""
HINTED = 1.0
"""What it costs that of a part only the place or time is asked."""
BROUGHT = 0.5
"""What it costs that a part only brings to mind what is meant."""
NOTHING_THERE = 2.0
"""What it costs that a question with a part has no answer: it may well mean something else."""
ELSE = "else"
"""Leaves out what leads to the part: "what else does the owner of Zoë own"."""
SHARING = frozenset({ELSE, "other", "others", "same", "also", "another", "share", "shares"})
"""They ask for all that share something with what is named."""
TURNED = 2.5
"""What it costs to go back to them where none of these words is."""


Parse = Callable[..., Understood]
"""Returns what a question may mean as a whole: `Parser._parse`."""


class Nesting:
    """Asks parts of questions first.

    Args:
        reader: of questions.
        programs: carries programs out.
    """

    def __init__(self, reader: Reader, programs: Programs) -> None:
        self._reader, self._programs = reader, programs

    def understood(self, question: str, parse: Parse) -> Understood:
        """Return what a question may mean, as a whole or with a part of it asked first.

        Args:
            question: as it was typed.
            parse: returns what a question may mean as a whole.
        """
        best = parse(question, NOTHING)
        reading = self._reader.read(question)
        shared = not SHARING.isdisjoint(reading.words)
        once = {one.options[0][0] for one in reading.asked if one.parted}
        for part in islice(parts(question, reading, self._reader.kinds.rows), MOST_PARTS):
            found = self._put_together(part, parse, ELSE in reading.words, shared, once)
            if found and found.score > best.score:
                best = found
        return best

    def _put_together(
        self, part: Part, parse: Parse, other: bool, shared: bool, once: Collection[str]
    ) -> Understood | None:
        """Return what a question with a part may mean; None where its part means no things."""
        inner = parse(part.inner, NOTHING, forwards=part.told)
        if part.pronoun and inner.doubts.unsaid:  # which may mean the one that is named
            return None
        first = next(iter(inner.candidates), None)
        names = first.outcome.answers if first and first.outcome else ()
        if first is None or not isinstance(first.program, Path | Having | And | Most):
            return None
        if not self._are_names(
            names, first.program, ("link",) if part.hinted else ("link", "text")
        ):
            return None
        outer = parse(part.outer, {PLACE: names})
        score = inner.score - 1 - NESTED - BROUGHT * part.brought - HINTED * part.hinted
        made = (
            (_without(program, first.program) if other else program, one.score + score)
            for one in outer.candidates
            if (program := put_in(one.program, names, first.program)) is not None
            and (shared or not turns_back(program))
            and not _is_twice(program, once)
        )
        return Understood(
            tuple(self._tried(of, worth) for of, worth in made),
            tuple(word for word in (*inner.words, *outer.words) if word != PLACE),
            inner.strange + outer.strange,
            inner.doubts.or_worse(outer.doubts),
        )

    def _tried(self, program: Program, score: float) -> Candidate:
        outcome = self._programs.run(program)
        return Candidate(program, score - NOTHING_THERE * (not outcome.answers), outcome)

    def _are_names(self, names: tuple[str, ...], of: Set, kinds: tuple[Kind, ...]) -> bool:
        """Whether what a program gives can be asked about as if it were named.

        Args:
            names: what it gives.
            of: the program.
            kinds: what relations give that lead to names.
        """
        if not names or len(names) > MOST_NAMES:
            return False
        if {*names} <= {*_named_in(of)}:  # "the Defence ministry"
            return False
        last = of.relations[-1] if isinstance(of, Path) else REVERSED
        return last.startswith(REVERSED) or self._reader.kind(last) in kinds


def turns_back(program: Program) -> bool:
    """Whether a program goes back where it came from: to all that share what was read of one."""
    match program:
        case Having(relation, Path(_, relations)):
            return relations[-1] == relation
        case Path(start, (relation,)) if relation in _fixed(start):
            return True  # "in the networking category" asks for no category
        case Path(Having(relation, value), relations) if value is not None:
            return relations[0] == relation or turns_back(program.start)
        case Path(start, _) | OtherThan(start, _) | Count(start):
            return turns_back(start)
        case Most(relation, Having(other, _), _) if relation == other:
            return True
        case And(some):
            return any(map(turns_back, some))
    return False


def _fixed(some: Set) -> Iterator[str]:
    """Yield the relations of which a set has one object: `Category` of what is of networking."""
    match some:
        case Having(relation, Named()):
            yield relation
        case And(parts):
            for one in parts:
                yield from _fixed(one)
        case Most(_, of) if of is not None:
            yield from _fixed(of)


def _is_twice(program: Program, once: Collection[str]) -> bool:
    """Whether a relation is read twice in a row that is said once, by two parts of its name."""
    path = program.relations if isinstance(program, Path) else ()
    return any(one == other and one in once for one, other in pairwise(path))


def put_in(outer: Program, names: tuple[str, ...], inner: Set) -> Program | None:
    """Return a program with another in place of what is named; None where it names nothing so."""
    placed: Program = _put_in(outer, Named(names), inner)
    return None if placed == outer else placed


def _put_in(outer: Any, named: Named, inner: Set) -> Any:
    if outer == named:
        return inner
    if isinstance(outer, tuple):
        return tuple(_put_in(one, named, inner) for one in outer)
    if not is_dataclass(outer):
        return outer
    put = {one.name: _put_in(getattr(outer, one.name), named, inner) for one in fields(outer)}
    made = replace(outer, **put)  # type: ignore[type-var]
    return _joined(made) if isinstance(made, Path) else made


def _joined(path: Path) -> Path:
    """Return a path from a path as one, where it is short enough."""
    start = path.start
    if isinstance(start, Path) and len(start.relations) + len(path.relations) <= MOST_HOPS:
        return Path(start.start, (*start.relations, *path.relations))
    return path


def _without(program: Program, part: Set) -> Program:
    """Return what "else" is asked for: not what led to the part."""
    named = tuple(_named_in(part))
    if not isinstance(program, Path | Having | And) or not named:
        return program
    return OtherThan(program, Named(named))


def _named_in(program: Program) -> list[str]:
    """Return all names that a program begins with."""
    return [name for one in parts_of(program) if isinstance(one, Named) for name in one.names]
