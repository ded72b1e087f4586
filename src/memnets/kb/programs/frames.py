"""One way of taking the names of a question, and the programs that it allows.

Each name is where a path starts, or narrows a set by a relation. What is said of relations besides
is what is asked of the set, hop by hop.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product

from memnets.kb.programs.cues import Cues
from memnets.kb.programs.direction import backwards, goes_back
from memnets.kb.programs.lexicon import likeness
from memnets.kb.programs.operators import (
    MOST_HOPS,
    And,
    Between,
    Compare,
    Compared,
    Count,
    Exceeds,
    Having,
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
)
from memnets.kb.programs.reading import Asked, Reader, Reading
from memnets.kb.store.layouts import REVERSED

Scored = tuple[Program, float]
UNUSED = 0.8
"""What a relation counts that is said and not read."""
UNSAID = 1.5
"""What it costs to take an entity of facts of its own for an object of what is not said."""
ASKS = 0.5
"""What it counts for all objects of a relation that they are to be counted, or some left out."""
OUT_OF_ORDER = 0.9
"""What a path loses whose hops stand in an unusual order, or direction."""


@dataclass(frozen=True)
class Filter:
    """An argument that narrows a set by a relation."""

    argument: int
    relation: str
    weight: float
    """How surely the question says the relation."""
    rivals: int
    """Relations by which it might."""
    compares: bool = False
    placed: bool = False
    """Whether a preposition of the relation's name stands before the argument."""


@dataclass(frozen=True)
class Frame:
    """For every argument how it narrows a set, or None where it does not."""

    roles: tuple[Filter | None, ...]


class Assembly:
    """Puts the parts of a question together.

    Args:
        reader: of the question.
        reading: what was recognised.
        cues: what is to be done.
        frame: how the arguments are taken.
    """

    def __init__(self, reader: Reader, reading: Reading, cues: Cues, frame: Frame) -> None:
        self._kind, self._relations = reader.kind, reader.relations
        self._words, self._arguments = reading.words, reading.arguments
        self._asked, self._cues = reading.asked, cues
        self._filters = [role for role in frame.roles if role]
        self._starts = [
            argument
            for number, (argument, role) in enumerate(
                zip(reading.arguments, frame.roles, strict=True)
            )
            if role is None and number not in cues.left_out
        ]
        self._score = 0.0
        self._left = self._unconsumed(list(reading.asked))

    def programs(self) -> Iterator[Scored]:
        """Yield every program with how much of the question it explains."""
        narrowed = [self._narrowed(one) for one in self._filters]
        base = sum(self._worth(one) for one in self._filters) + len(self._starts)
        base -= 0.5 * sum(not one.surely for one in self._arguments) - self._score
        base -= 2.0 * max(0, len(self._starts) - 1 - self._cues.either)
        options = [asked.options[:2] for asked in self._left]
        for chosen in product(*options[:MOST_HOPS]):
            said = [
                (a, r, w * self._certainty(a))
                for a, (r, w) in zip(self._left, chosen, strict=False)
            ]
            for program, score in self._of(narrowed, said):
                yield self._finished(program), base + score

    def _certainty(self, asked: Asked) -> float:
        """Return how surely words say a relation: "which towns" rather what is looked for."""
        before = self._words[asked.begin - 1] if asked.begin else ""
        surer = any(one.options[0][1] > asked.options[0][1] for one in self._asked)
        return 0.5 if before in ("which", "what") and surer else 1.0

    def _unconsumed(self, asked: list[Asked]) -> list[Asked]:
        """Return what is said of relations and is not said of a filter."""
        for one in self._filters:
            argument = self._arguments[one.argument]
            fit = [a for a in asked if one.relation in dict(a.options)]
            if not fit:
                # Attributes share a word, "speaks French and Welsh"; entities need their own.
                self._score -= (1 + one.weight) * bool(argument.out_of and one.weight)
                continue
            nearest = min(
                fit, key=lambda a: min(abs(a.begin - argument.end), abs(argument.begin - a.end))
            )
            if argument.out_of and not one.compares:
                self._score += backwards(
                    self._words, argument, nearest, self._relations[one.relation]
                )
            asked.remove(nearest)
            if self._kind(one.relation) != "link":  # said twice, as in "earn a salary of"
                asked = [a for a in asked if a.options[0][0] != one.relation]
        return _once(asked, self._kind, self._words)

    def _worth(self, one: Filter) -> float:
        argument = self._arguments[one.argument]
        worth = 1.5 + one.weight - (0.3 * (one.rivals - 1) if not one.weight else 0.0)
        return worth - UNSAID * bool(argument.out_of and not one.weight and not one.placed)

    def _narrowed(self, one: Filter) -> Set:
        argument, cues = self._arguments[one.argument], self._cues
        denied = one.argument in cues.denied
        if cues.between and one.argument in cues.between:
            low, high = (self._arguments[number].text for number in cues.between)
            return Between(one.relation, low, high)
        if one.compares:
            how = cues.compared.get(one.argument, "in")
            value = argument.text or Named(argument.names)
            return Compared(one.relation, how, value)
        if denied:
            return Not(one.relation, Named(argument.names))
        return Having(one.relation, Named(argument.names))

    def _finished(self, program: Program) -> Program:
        """Return a program without what is left out, counted where a number is asked for."""
        if isinstance(program, IsIt | IsThere | Exceeds | Count):
            return program
        for number in sorted(self._cues.left_out):
            names = self._arguments[number].names
            if names and not any(one.argument == number for one in self._filters):
                program = OtherThan(program, Named(names))
        return Count(program) if self._cues.counts else program

    def _of(self, narrowed: list[Set], said: list[tuple[Asked, str, float]]) -> Iterator[Scored]:
        flags = [one for one in said if self._kind(one[1]) == "yes or no"]
        rest = [one for one in said if one not in flags]
        if self._cues.either and self._cues.degree and len(self._starts) == 2:
            one, other = (Named(start.names) for start in self._starts)
            for relation, weight, least, _ in self._degrees(rest):
                if self._kind(relation) in ("number", "date"):
                    yield Compare(one, other, relation, least), 1 + weight
            return
        if self._cues.yes_or_no:
            yield from self._yes_or_no(narrowed, flags, rest)
            return
        narrowed = self._either(narrowed)
        sets = list(dict.fromkeys([*narrowed, *(self._flag(flag) for flag in flags)]))
        weight = sum(flag[2] for flag in flags)
        for start in self._starts[:1]:
            sets.insert(0, Named(start.names))
        for program, score in self._asked_of(sets, rest):
            yield program, score + weight

    def _either(self, narrowed: list[Set]) -> list[Set]:
        """Join what "or" stands between, of one relation: "speaks French or Welsh"."""
        found: list[Set] = []
        before: Filter | None = None
        for one, part in zip(self._filters, narrowed, strict=True):
            if before and before.relation == one.relation and isinstance(part, Having):
                end = self._arguments[before.argument].end
                if "or" in self._words[end : self._arguments[one.argument].begin]:
                    found[-1] = Or((found[-1], part))
                    continue
            found.append(part)
            before = one
        return found

    def _flag(self, flag: tuple[Asked, str, float]) -> Set:
        """Narrow by a relation of yes and no, which is denied where "not" stands before it."""
        asked, relation, _ = flag
        ends = [one.end for one in self._arguments if one.end <= asked.begin]
        denied = any(max(ends, default=-1) <= at < asked.begin for at in self._cues.denies)
        return Compared(relation, "in", "no" if denied else "yes")

    def _asked_of(self, sets: list[Set], rest: list[tuple[Asked, str, float]]) -> Iterator[Scored]:
        every = _all_of(sets)
        if self._cues.degree:
            for relation, weight, least, used in self._degrees(rest):
                most: Set = Most(relation, every, least)
                if self._kind(relation) in ("link", "text"):
                    most = Oftenest(relation, every, least)
                others = [one for one in rest if one[0] is not used and one[1] != relation]
                for program, score in self._followed(most, others):
                    yield program, 1 + weight + score
        elif every is not None:
            yield from self._followed(every, rest)
        else:
            for asked, relation, weight in rest:
                unused = UNUSED * sum(w**2 for a, _, w in rest if a is not asked)
                asks = ASKS * (self._cues.counts or bool(self._cues.left_out))
                yield Path(Having(relation), (relation,)), weight + asks - unused

    def _degrees(
        self, rest: list[tuple[Asked, str, float]]
    ) -> Iterator[tuple[str, float, bool, Asked | None]]:
        """Yield by which relation the most is meant, how surely, whether the least, and where."""
        degree = self._cues.degree
        if degree is None:
            return
        least = {"date": degree.least_of_dates}
        for asked, relation, weight in rest:
            kind = self._kind(relation)
            yield relation, weight, least.get(kind, degree.least), asked
        if any(self._kind(relation) in ("number", "date") for _, relation, _ in rest):
            return
        for relation in self._relations:
            kind = self._kind(relation)
            if kind not in ("number", "date") or (
                not degree.hints and (rest or not self._arguments)
            ):
                continue
            words = self._relations[relation]
            hinted = max((likeness(hint, words) for hint in degree.hints.split()), default=0.0)
            hinted = max(hinted, 0.5 * ("date" in degree.hints and kind == "date"))
            unsaid = 0.8 * hinted if degree.hints else 0.2
            yield relation, unsaid - 0.2, least.get(kind, degree.least), None

    def _followed(self, start: Set, rest: list[tuple[Asked, str, float]]) -> Iterator[Scored]:
        """Yield paths over what is asked of a set, in every order and direction that is allowed."""
        order = self._order([asked for asked, _, _ in rest])
        unused = UNUSED * sum(weight**2 for _, _, weight in rest)
        if not isinstance(start, Named):
            yield start, -unused
        for size in range(1, len(rest) + 1):
            for hops in permutations(rest, size):
                usual = [asked for asked, _, _ in hops] == [
                    a for a in order if a in {h[0] for h in hops}
                ]
                worth = sum(weight + UNUSED * weight**2 for _, _, weight in hops) - unused
                worth -= 0.0 if usual else OUT_OF_ORDER
                for relations, score in self._directed(start, hops):
                    yield Path(start, relations), worth + score

    def _directed(
        self, start: Set, hops: tuple[tuple[Asked, str, float], ...]
    ) -> Iterator[tuple[tuple[str, ...], float]]:
        for signs in product((False, True), repeat=len(hops)):
            score, fits = 0.0, True
            for hop, (back, (asked, relation, _)) in enumerate(zip(signs, hops, strict=True)):
                is_link = self._kind(relation) == "link"
                if (back or hop < len(hops) - 1) and not is_link:
                    fits = False
                    break
                if hop == 0 and isinstance(start, Named) and self._starts:
                    first = self._starts[0]
                    fits = relation in first.into if back else bool(first.out_of)
                    score += (
                        (1 if back else -1)
                        * backwards(self._words, first, asked, self._relations[relation])
                        * is_link
                    )
                else:
                    words = self._relations[relation]
                    usual = goes_back(self._words, asked, self._anchor, words)
                    score -= (back != usual) * OUT_OF_ORDER
                if not fits:
                    break
            if fits:
                names = [one[1] for one in hops]
                yield tuple(REVERSED * b + r for b, r in zip(signs, names, strict=True)), score

    @property
    def _anchor(self) -> int:
        """The place of the name where a path starts; the end of the question without one."""
        anchors = self._starts or [self._arguments[one.argument] for one in self._filters]
        return anchors[0].begin if anchors else len(self._words)

    def _order(self, asked: list[Asked]) -> list[Asked]:
        """Return relations as hops follow each other: "the salary of Ada's manager"."""
        anchors = self._starts or [self._arguments[one.argument] for one in self._filters]
        if not anchors:
            return asked
        begin, end = anchors[0].begin, anchors[0].end
        behind = [one for one in asked if one.begin >= end]
        near: list[Asked] = []
        for one in behind:
            if not {*self._words[end : one.begin]} <= {"'s"}:
                break
            near.append(one)
            end = one.end
        before = [one for one in asked if one.end <= begin]
        order = [*near, *reversed(before), *(one for one in behind if one not in near)]
        # Of text, numbers and dates nothing more can be asked: they come last.
        return sorted(order, key=lambda one: self._kind(one.options[0][0]) != "link")

    def _yes_or_no(
        self,
        narrowed: list[Set],
        flags: list[tuple[Asked, str, float]],
        rest: list[tuple[Asked, str, float]],
    ) -> Iterator[Scored]:
        unused = UNUSED * sum(weight**2 for _, _, weight in rest)
        compared = [n for n in self._cues.compared if self._arguments[n] in self._starts]
        if len(self._starts) == 2 and compared:
            one, other = (Named(start.names) for start in self._starts)
            least = self._cues.compared[compared[0]] in ("less than", "at most")
            for _, relation, weight in rest:
                if self._kind(relation) in ("number", "date"):
                    yield Exceeds(one, other, relation, least), 2 + weight
            return
        sets = [*narrowed, *(self._flag(flag) for flag in flags)]
        if not self._starts:
            if sets:
                yield IsThere(_all_of(sets) or sets[0]), sum(w for _, _, w in flags) - unused
            return
        start = self._starts[0]
        entity = Named(start.names)
        for _, relation, weight in flags:
            if not narrowed and relation in start.out_of:
                yield Path(entity, (relation,)), 1 + weight - unused
        if len(self._filters) == 1 and isinstance(narrowed[0], Having | Not):
            one_filter = self._filters[0]
            value = narrowed[0].value
            if one_filter.relation in start.out_of and value is not None:
                yield IsIt(entity, one_filter.relation, value), 1 - unused
        if narrowed:
            yield IsThere(And((entity, *narrowed))), 0.5 - unused


def _all_of(sets: list[Set]) -> Set | None:
    if len(sets) < 2:
        return sets[0] if sets else None
    return And(tuple(sets))


def _once(asked: list[Asked], kind: object, words: list[str]) -> list[Asked]:
    """Drop what says again what is no hop: of "where ... based" one is enough."""
    kept: list[Asked] = []
    for one in asked:
        relation = one.options[0][0]
        again = [other for other in kept if other.options[0][0] == relation]
        if again and kind(relation) != "link":  # type: ignore[operator]
            if one.options[0][1] > again[0].options[0][1]:
                kept[kept.index(again[0])] = one
            continue
        kept.append(one)
    return kept
