"""Questions that are answered by yes or no: whether there is any, whether it is so, or more."""

from collections.abc import Callable, Iterator
from itertools import pairwise

from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.cues import Cues
from memnets.kb.programs.hops import UNUSED, Hop, Scored
from memnets.kb.programs.operators import (
    And,
    Having,
    IsIt,
    IsThere,
    Named,
    Not,
    Or,
    Path,
    Set,
)
from memnets.kb.programs.reading import Reader, Reading
from memnets.kb.programs.roles import Filter
from memnets.kb.programs.shapes import Shapes

ANY = frozenset(
    [
        *("any", "anybody", "anyone", "anything", "some", "somebody", "someone", "there"),
        *("nobody", "none", "nothing", "no"),
    ]
)
"""Ask whether there is any of which something is so."""
SAME = frozenset({"same", "share", "shares"})
"""Ask whether two have one thing in common."""
IN_COMMON = 6.0
"""What it counts that "the same" is asked of two: more than that one is the other's."""
NAMED_BOTH = 1.5
"""What counts for "male or female" that two values of one relation are named."""


class Verdicts:
    """Puts together what is answered by yes or no.

    Args:
        reader: of the question.
        shapes: of the relations.
        reading: what was recognised.
        cues: what is to be done.
        starts: the names where paths start.
        filters: the names and values that narrow a set.
    """

    def __init__(
        self,
        reader: Reader,
        shapes: Shapes,
        reading: Reading,
        cues: Cues,
        starts: list[Argument],
        filters: list[Filter],
    ) -> None:
        self._kind, self._relations, self._shapes = reader.kind, reader.relations, shapes
        self._arguments, self._words, self._cues = reading.arguments, reading.words, cues
        self._asked, self._starts, self._filters = reading.asked, starts, filters

    def programs(
        self,
        narrowed: list[Set],
        flags: list[Hop],
        rest: list[Hop],
        flag: Callable[[Hop], Set],
    ) -> Iterator[Scored]:
        """Yield programs, and how much of the question each explains.

        Args:
            narrowed: sets by the filters.
            flags: relations of yes and no that are said.
            rest: other relations that are.
            flag: makes a set of a relation of yes and no.
        """
        unused = UNUSED * sum(weight**2 for _, _, weight in rest)
        if not self._starts:
            sets = [*narrowed, *map(flag, flags)]
            if narrowed or (sets and not ANY.isdisjoint(self._words)):
                every = all_of(sets) or sets[0]
                weight = sum(w for _, _, w in flags) - unused
                yield IsThere(every, none=self._cues.nobody), weight
            return
        yield from self._same(rest)
        start = self._starts[0]
        entity = Named(start.names)
        if not narrowed:
            yield from self._flagged(start, flags, rest, unused)
            yield from self._one_of(start, rest)
            if not flags:
                yield from self._known(start, rest)
        if len(self._filters) == 1 and isinstance(narrowed[0], Having | Not):
            yield from self._is_it(start, narrowed[0], unused)
        either = self._either(start, narrowed)
        if either:
            yield either, NAMED_BOTH - unused
        elif narrowed and not self._unknown_of(start):
            yield IsThere(And((entity, *narrowed)), none=self._cues.nobody), 0.5 - unused

    def _same(self, rest: list[Hop]) -> Iterator[Scored]:
        """Yield whether two have the same of something: "do Ada and Bo have the same boss"."""
        if len(self._starts) != 2 or SAME.isdisjoint(self._words) or self._filters:
            return
        for asked, relation, weight in rest:
            shared = not SAME.isdisjoint(self._relations[relation])  # with whom, and not what
            if not shared and all(relation in one.out_of for one in self._starts):
                others = UNUSED * sum(w**2 for a, _, w in rest if a is not asked)
                both = (Path(Named(one.names), (relation,)) for one in self._starts)
                yield IsThere(And(tuple(both))), IN_COMMON + weight - others

    def _flagged(
        self, start: Argument, flags: list[Hop], rest: list[Hop], unused: float
    ) -> Iterator[Scored]:
        """Yield what a cell of yes and no says, of the one named or of whom a relation leads to."""
        entity = Named(start.names)
        for _, relation, weight in flags:
            if relation in start.out_of:
                yield Path(entity, (relation,)), 1 + weight - unused
            for asked, hop, more in rest:
                others = UNUSED * sum(w**2 for a, _, w in rest if a is not asked)
                yield Path(entity, (hop, relation)), 1 + weight + more - others

    def _known(self, start: Argument, rest: list[Hop]) -> Iterator[Scored]:
        """Yield whether anything is known: "is the Act in force", "has Ada got a mentor"."""
        for asked, relation, weight in rest:
            before = self._words[max(0, asked.begin - 2) : asked.begin]
            had = not {"has", "have", "had", "got"}.isdisjoint(self._words[: asked.begin])
            known = relation in start.out_of and self._kind(relation) != "number"
            if known and (had or before[-1:] not in (["a"], ["an"], ["the"])):
                others = UNUSED * sum(w**2 for a, _, w in rest if a is not asked)
                yield IsThere(And((Named(start.names), Having(relation)))), weight - others

    def _unknown_of(self, start: Argument) -> bool:
        """Whether nothing is known of what is asked, so that neither yes nor no is told."""
        relations = [one.relation for one in self._filters]
        return any(self._kind(r) != "link" and r not in start.out_of for r in relations)

    def _one_of(self, start: Argument, rest: list[Hop]) -> Iterator[Scored]:
        """Yield what "a boy or a girl" asks for: the relation that both say."""
        for one, other in pairwise(self._asked):
            if "or" not in self._words[one.end : other.begin]:
                continue
            for asked, relation, weight in rest:
                both = relation in one.options.weights and relation in other.options.weights
                if both and asked in (one, other) and relation in start.out_of:
                    yield Path(Named(start.names), (relation,)), 1 + weight

    def _is_it(self, start: Argument, narrowed: Having | Not, unused: float) -> Iterator[Scored]:
        value = narrowed.value
        relation = self._filters[0].relation
        if value is None:
            return
        entity = Named(start.names)
        if relation in start.out_of or self._kind(relation) != "link":
            yield IsIt(entity, relation, value), 1 - unused
        if self._shapes.mutual(relation) and isinstance(narrowed, Having):
            both = Or((narrowed, Path(value, (relation,))))
            yield IsThere(And((entity, both))), 1.1 - unused

    def _either(self, start: Argument, narrowed: list[Set]) -> Path | None:
        """Return what is asked by "male or female": which of two objects one has."""
        relations = {one.relation for one in self._filters}
        if len(narrowed) != 2 or len(self._filters) != 2:  # other sets are narrowed to as well
            return None
        if len(relations) != 1 or not relations <= start.out_of:
            return None
        first, second = (self._arguments[one.argument] for one in self._filters)
        between = self._words[first.end : second.begin]
        return Path(Named(start.names), (*relations,)) if "or" in between else None


def all_of(sets: list[Set]) -> Set | None:
    """Return what is in every one of some sets; nothing where there are none."""
    if len(sets) < 2:
        return sets[0] if sets else None
    return And(tuple(sets))
