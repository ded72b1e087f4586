"""Paths over what a question asks: hops in their order, each forwards or backwards."""

from collections.abc import Callable, Iterator
from itertools import pairwise, permutations, product

from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.asked import Asked
from memnets.kb.programs.direction import RATHER, backwards, goes_back
from memnets.kb.programs.heads import THAT
from memnets.kb.programs.nouns import Nouns
from memnets.kb.programs.operators import MOST_HOPS, Named, Path, Program, Set
from memnets.kb.programs.reading import Reader, Reading
from memnets.kb.programs.shapes import Shapes
from memnets.kb.store.layouts import REVERSED
from memnets.kb.values.typed import Kind

Scored = tuple[Program, float]
Hop = tuple[Asked, str, float]
"""Where a relation is said, the relation, and how surely."""
UNUSED = 0.8
"""What a relation counts that is said and not read."""
OUT_OF_ORDER = 0.9
"""What a path loses whose hops stand in an unusual order, or direction."""
LONGER = 0.05
"""What every further hop counts: where two relations are said, two are meant."""
OWNED = 4.0
"""What it counts that "whose boss's boss is Ada" is read from Ada to those who have them."""
FAR = 0.8
"""What a hop from a set costs that another word says than the relation's own."""
UNSAID_WORD = 0.02
"""What it costs for every word of a relation's name that the question does not hold."""
BRIDGE = 0.5
"""What it costs to go on over a relation that nothing says: "the coach of Ada's club"."""
OTHER_BRIDGES = 0.2
"""What it costs besides for each other relation that would do."""


THERE_AND_BACK = 1.0
"""What it costs to go back over the relation by which one came."""
PASSED_OVER = 1.0
"""What it costs to pass over what stands right behind a name: "when was Ada's manager born"."""
PLACES = frozenset(
    {"in", "country", "location", "located", "part", "plays", "club", "team", "company", "band"}
)
"""Words of relations over which a path may go on though the question holds no unknown word."""


class Hops:
    """Follows what is asked of a set.

    Args:
        reader: of the question.
        shapes: of the relations.
        reading: what was recognised.
        starts: the names where paths start.
        narrowing: those that narrow a set.
    """

    def __init__(
        self,
        reader: Reader,
        shapes: Shapes,
        reading: Reading,
        starts: list[Argument],
        narrowing: list[Argument],
    ) -> None:
        self._shapes, self._bridges = shapes, reading.unknown
        self._kind, self._relations = reader.kind, reader.relations
        self._leading = reader.kinds.leading
        self._words, self._nouns = reading.words, Nouns(reader, reading)
        self._hinted = {one.hints for one in reading.asked} == {True, False}
        self._starts, self._anchors = starts, starts or narrowing

    def followed(self, start: Set, rest: list[Hop]) -> Iterator[Scored]:
        """Yield paths over what is asked of a set, in every order and direction that is allowed."""
        order = self._order([asked for asked, _, _ in rest])
        unused = UNUSED * sum(weight**2 for _, _, weight in rest)
        if not isinstance(start, Named):
            yield start, -unused
        for size in range(1, len(rest) + 1):
            for hops in permutations(rest, size):
                if self._says_again(hops):
                    continue
                usual = [hop for one in order for hop in hops if hop[0] is one]
                worth = sum(weight + UNUSED * weight**2 for _, _, weight in hops) - unused
                worth += sum(
                    UNUSED * weight**2 for one, _, weight in rest if self._is_led_to(one, hops)
                )
                if [*hops] != usual and self._is_possible(start, usual):
                    worth -= OUT_OF_ORDER
                if (
                    not isinstance(start, Named) and not self._hinted
                ):  # all that is said of a set narrows it, rather
                    far = [a for a, _, w in hops if w < 1 and not self._nouns.is_head(a)]
                    worth -= FAR * len(far)
                worth += LONGER * (size - 1)
                worth -= PASSED_OVER * self._passes_over(start, hops, rest)
                worth -= UNSAID_WORD * sum(self.unsaid(relation) for _, relation, _ in hops)
                for relations, score in self._directed(start, hops):
                    yield Path(start, relations), worth + score

    def _says_again(self, hops: tuple[Hop, ...]) -> bool:
        """Whether one relation is said on both sides of a name: "who taught Ada the trade"."""
        name = self._starts[0] if self._starts else None
        for (one, relation, _), (other, again, _) in permutations(hops, 2):
            if name and relation == again and one.end <= name.begin <= other.begin:
                between = self._words[name.end : other.begin]
                if between in ([], ["the"]) and self._words[one.end : name.begin] in ([], ["the"]):
                    return True
        return False

    def _is_led_to(self, asked: Asked, hops: tuple[Hop, ...]) -> bool:
        """Whether a noun, itself no hop, says what one leads to: "the town that Ada lives in"."""
        before = self._words[asked.begin - 1 : asked.begin]
        behind = self._words[asked.end : asked.end + 1]
        named = before == ["the"] and bool(behind) and behind[0] in THAT
        if not named or any(one is asked for one, _, _ in hops):
            return False
        leading = self._leading(self._words[asked.end - 1])
        return any(relation in leading for _, relation, _ in hops)

    def _passes_over(self, start: Set, hops: tuple[Hop, ...], rest: list[Hop]) -> bool:
        """Whether what is asked is not that of "Ada's manager", but of Ada."""
        if not isinstance(start, Named) or not self._starts:
            return False
        end = self._starts[0].end
        owned = {asked for asked, _, _ in rest if asked.begin == end + 1}
        owns = self._words[end : end + 1] == ["'s"] and bool(owned)
        return owns and owned.isdisjoint(asked for asked, _, _ in hops)

    def _is_possible(self, start: Set, hops: list[Hop]) -> bool:
        names = [relation for _, relation, _ in hops]
        signed = (_signed(names, signs) for signs in product((False, True), repeat=len(names)))
        return any(self._shapes.possible(Path(start, path)) for path in signed)

    def unsaid(self, relation: str) -> int:
        """Return how many words of a relation's name the question does not hold."""
        return sum(part not in self._words for part in self._relations[relation])

    def _directed(
        self, start: Set, hops: tuple[Hop, ...]
    ) -> Iterator[tuple[tuple[str, ...], float]]:
        for signs in product((False, True), repeat=len(hops)):
            scores = [
                self._score(start, number, len(hops), hop, back)
                for number, (hop, back) in enumerate(zip(hops, signs, strict=True))
            ]
            known = [score for score in scores if score is not None]
            if len(known) < len(scores):
                continue
            path = _signed([one[1] for one in hops], signs)
            there = (one == f"{REVERSED}{other}" for one, other in pairwise(reversed(path)))
            back = THERE_AND_BACK * sum(there)
            owned = OWNED * (all(signs) and self._is_whose([one[0] for one in hops]))
            yield path, sum(known) + owned - back
            bridges = self._bridged(start, path, hops[0])
            for bridge in bridges:
                yield (bridge, *path), abs(sum(known)) - BRIDGE - OTHER_BRIDGES * (len(bridges) - 1)

    def _is_whose(self, asked: list[Asked]) -> bool:
        """Whether all that is said is what somebody has: "whose manager's mentor is Ada"."""
        places = [(one.begin, one.end) for one in reversed(asked)]
        between = [self._words[e:b] for (_, e), (b, _) in pairwise(places)]
        whose = self._words[places[0][0] - 1 : places[0][0]] == ["whose"]
        return whose and len(asked) > 1 and all(words == ["'s"] for words in between)

    def _score(self, start: Set, number: int, many: int, hop: Hop, back: bool) -> float | None:
        """Return what speaks for the direction of a hop; None where it cannot be."""
        asked, relation, _ = hop
        is_link = self._kind(relation) == "link"
        if back and asked.hints:  # "where" asks for what is at the end of `lies_in`
            return None
        if asked.sort and back != (self._relations[relation] in asked.own):
            return None
        if not back and not asked.sort and self._nouns.is_doer_of(asked):
            return None
        if (back or number < many - 1) and not is_link:
            return None
        words = self._relations[relation]
        if number or not isinstance(start, Named) or not self._starts:
            usual = back if asked.sort else goes_back(self._words, asked, self._anchor, words)
            return -(back != usual) * OUT_OF_ORDER
        first = self._starts[0]
        if relation not in first.into if back else not first.out_of:
            return None
        tells = (1 if back else -1) * backwards(self._words, first, asked, words)
        # Where there is one direction alone, its words need not say it.
        return tells if back or relation in first.into else max(0.0, tells)

    def _bridged(self, start: Set, path: tuple[str, ...], hop: Hop) -> list[str]:
        """Return relations of a name over which a path goes on that it has not itself."""
        if not isinstance(start, Named) or len(path) >= MOST_HOPS:
            return []
        out_of = self._starts[0].out_of if self._starts else frozenset[str]()
        if not self._bridges:  # the currency of a town is its country's
            out_of = frozenset(one for one in out_of if not PLACES.isdisjoint(self._relations[one]))
        if self._shapes.possible(Path(start, path[:1])):
            return []
        if (
            self._starts
            and backwards(self._words, self._starts[0], hop[0], self._relations[hop[1]]) >= RATHER
        ):
            return []  # "whose coach is Ada"
        return sorted(r for r in out_of if path[0] in self._shapes.after(r))

    @property
    def _anchor(self) -> int:
        """The place of the name where a path starts; the end of the question without one."""
        return self._anchors[0].begin if self._anchors else len(self._words)

    def _order(self, asked: list[Asked]) -> list[Asked]:
        """Return relations as hops follow each other: "the salary of Ada's manager"."""
        if not self._anchors:
            return asked
        begin, end = self._anchors[0].begin, self._anchors[0].end
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


def _signed(names: list[str], signs: tuple[bool, ...]) -> tuple[str, ...]:
    """Return relations with a "!" before those that are read backwards."""
    return tuple(REVERSED * back + name for name, back in zip(names, signs, strict=True))


def once(asked: list[Asked], kind: Callable[[str], Kind]) -> list[Asked]:
    """Drop what says again what is no hop: of "where ... based" one is enough."""
    kept: list[Asked] = []
    for one in asked:
        relation = one.options[0][0]
        again = [other for other in kept if other.options[0][0] == relation]
        if again and kind(relation) != "link":
            if one.options[0][1] > again[0].options[0][1]:
                kept[kept.index(again[0])] = one
            continue
        kept.append(one)
    return kept
