"""One way of taking the names of a question, and the programs that it allows.

Each name is where a path starts, or narrows a set by a relation. What is said of relations besides
is what is asked of the set, hop by hop.
"""

from collections.abc import Iterator
from itertools import pairwise, product

from memnets.kb.programs.asked import Asked
from memnets.kb.programs.cues import Cues
from memnets.kb.programs.extremes import ALONE, Extremes
from memnets.kb.programs.fitness import ASIDE, Fitness
from memnets.kb.programs.forms import same_stem
from memnets.kb.programs.hops import UNSAID_WORD, UNUSED, Hop, Hops, Scored
from memnets.kb.programs.lacking import Lacking
from memnets.kb.programs.left import Left
from memnets.kb.programs.lexicon import NOT, SAID
from memnets.kb.programs.narrowing import Narrowing
from memnets.kb.programs.nouns import Nouns
from memnets.kb.programs.operators import (
    MOST_HOPS,
    And,
    Compare,
    Compared,
    Count,
    Having,
    IsIt,
    IsThere,
    Named,
    Or,
    OtherThan,
    Path,
    Program,
    Set,
)
from memnets.kb.programs.reading import Reader, Reading
from memnets.kb.programs.roles import Filter, Frame
from memnets.kb.programs.shapes import Shapes
from memnets.kb.programs.verdicts import Verdicts, all_of
from memnets.kb.store.layouts import REVERSED

ASKS = 0.5
"""What it counts for all objects of a relation that they are to be counted, or some left out."""
LOOSE = 1.0
"""What a hop costs that is said by a noun of the kind of answers: "which companies ..."."""
MERGED = 2.0
"""What two places count that say one relation, taken together."""
OBJECTS = 0.5
"""What it costs to count those that have texts, where these are counted."""
OPTIONS = 5
"""Relations that a word may say, of which so many are tried."""
FAR_FETCHED, PHRASE = 1.0, 3
"""What it costs to narrow by a relation of yes and no of whose name nothing is said, by fewer words
than these."""
UNSURE = 0.5
"""What it costs where words may name something, and may as well not."""
LEFT_OVER = 2.0
"""What it costs where a path could start from several names, for each but the first."""
ALL_OF_A_KIND = 0.2
"""What it counts that a noun says of what kind answers are, where none is named."""
HALF_SAID = 0.5
"""What "which towns" counts, where other words say a relation more surely."""


class Assembly:
    """Puts the parts of a question together.

    Args:
        reader: of the question.
        shapes: of the relations.
        reading: what was recognised.
        cues: what is to be done.
        frame: how the arguments are taken.
    """

    def __init__(
        self, reader: Reader, shapes: Shapes, reading: Reading, cues: Cues, frame: Frame
    ) -> None:
        self._kind, self._relations = reader.kind, reader.relations
        self._words, self._arguments = reading.words, reading.arguments
        self._asked, self._heads, self._cues = reading.asked, reading.heads, cues
        self._nouns = Nouns(reader, reading)
        self._filters = [role for role in frame.roles if role]
        self._starts = [
            argument
            for number, (argument, role) in enumerate(
                zip(reading.arguments, frame.roles, strict=True)
            )
            if role is None and number not in cues.left_out
        ]
        narrowing = [self._arguments[one.argument] for one in self._filters]
        self._lacking = Lacking(reader, shapes, reading, cues)
        self._hops = Hops(reader, shapes, reading, self._starts, narrowing)
        self._verdicts = Verdicts(reader, shapes, reading, cues, self._starts, self._filters)
        self._narrowing = Narrowing(reader, reading, cues)
        self._extremes = Extremes(reader, reading, cues, self._nouns, self._hops)
        self._fitness = Fitness(reader, shapes, reading, cues, self._nouns, self._starts)
        self._left = Left(reader, reading, cues, self._nouns, self._filters)

    def programs(self) -> Iterator[Scored]:
        """Yield every program with how much of the question it explains."""
        narrowed = [self._narrowing.narrowed(one) for one in self._filters]
        base = sum(self._narrowing.worth(one) for one in self._filters) + len(self._starts)
        base -= UNSURE * sum(not one.surely for one in self._arguments) + self._left.cost
        base -= LEFT_OVER * max(0, len(self._starts) - 1 - self._cues.either)
        for kind, left, score in self._kinds():
            sets = [*narrowed, *kind, *self._left.sorts]
            options = [asked.options[:OPTIONS] for asked in left]
            for chosen in product(*options[:MOST_HOPS]):
                said = [
                    (a, r, w * self._certainty(a)) for a, (r, w) in zip(left, chosen, strict=False)
                ]
                for program, more in self._of(sets, said):
                    total = base + score + more + self._fitness.of(program)
                    yield self._finished(self._of_sort(program, said)), total

    def _of_sort(self, program: Program, said: list[Hop]) -> Program:
        """Return a program that ends where a sort belongs to somebody, for that sort alone."""
        last = program.relations[-1] if isinstance(program, Path) else ""
        sorts = (a.sort for a, relation, _ in said if a.sort and REVERSED + relation == last)
        sort = next(sorts, None)
        return And((program, sort)) if sort and isinstance(program, Path) else program

    def _kinds(self) -> Iterator[tuple[list[Set], list[Asked], float]]:
        """Yield what nouns say of the kind of the answers, with what else is asked.

        "Which keepers" are the objects of `keeper`, "which players" the subjects of `plays_for`.
        """
        hints = [asked for asked in self._left.asked if asked.hints]
        left = [asked for asked in self._left.asked if not asked.hints] or hints
        for one in (left, *self._left.merged(left)):
            gained = MERGED * (len(left) - len(one))
            heads = [asked for asked in one if self._nouns.is_head(asked)]
            heads = [asked for asked in heads if not self._extremes.orders_by(asked)]
            loose = [asked for asked in heads if not self._nouns.is_whole(asked)]
            if self._starts or not any(map(self._nouns.is_doer, heads)):
                kinds = sum(asked.options[0][1] == 1 for asked in loose)
                others = 2 * kinds * bool(self._starts and len(one) > len(loose))
                yield [], one, gained - LOOSE * (others + len(loose) * self._narrows)
            for asked in heads:
                rest = [other for other in one if other is not asked]
                if asked in loose:
                    yield [], rest, gained + ALL_OF_A_KIND * (not self._starts)
                if self._starts and not self._cues.yes_or_no:
                    continue
                for relation, weight in asked.options[:OPTIONS]:
                    if self._cues.counts and self._kind(relation) == "number":
                        continue  # "the number of seats" is no number of those that have it
                    if asked not in loose or self._nouns.is_doer(asked):
                        weight -= UNSAID_WORD * self._hops.unsaid(relation)
                        weight -= OBJECTS * self._counts_objects(asked, relation)
                        yield [self._standing_for(asked, relation)], rest, weight + gained

    def _standing_for(self, asked: Asked, relation: str) -> Set:
        """Return what a noun stands for: all keepers of `keeper`, all players of `plays_for`.

        Of texts that are counted by the name of their relation, the texts: "how many clubs".
        """
        if self._counts_objects(asked, relation) and not self._filters:
            return Path(Having(relation), (relation,))
        return Having(self._nouns.standing_for(asked, relation))

    def _counts_objects(self, asked: Asked, relation: str) -> bool:
        """Whether texts are counted, by the name of their relation."""
        called = self._nouns.is_called(asked, self._relations[relation])
        return self._cues.counts and called and self._kind(relation) == "text"

    @property
    def _narrows(self) -> bool:
        """Whether there is a set that a noun may belong to, so that it need not be a hop."""
        return not self._starts and bool(self._filters or self._cues.degree)

    def _certainty(self, asked: Asked) -> float:
        """Return how surely words say a relation: "which towns" rather what is looked for."""
        before = self._words[asked.begin - 1] if asked.begin else ""
        surer = any(one.options[0][1] > asked.options[0][1] for one in self._asked)
        return HALF_SAID if before in ("which", "what") and surer else 1.0

    def _finished(self, program: Program) -> Program:
        """Return a program without what is left out, counted where a number is asked for."""
        if isinstance(program, IsIt | IsThere | Count):
            return program
        for number in sorted(self._cues.left_out):
            names = self._arguments[number].names
            if names and not any(one.argument == number for one in self._filters):
                program = OtherThan(program, self._without(number, program))
        last = program.relations[-1] if isinstance(program, Path) else REVERSED
        is_number = not last.startswith(REVERSED) and self._kind(last) == "number"
        # "How many inhabitants has Rome" asks for a number that is known.
        return Count(program) if self._cues.counts and not is_number else program

    def _without(self, number: int, program: Set) -> Set:
        """Return what is left out: the one named, or all that are of a kind: "but no flamingos"."""
        argument = self._arguments[number]
        named = Named(argument.names)
        if argument.out_of or isinstance(program, Path) or not argument.into:
            return named
        return Having(min(argument.into), named)

    def _of(self, narrowed: list[Set], said: list[Hop]) -> Iterator[Scored]:
        flags = [one for one in said if self._kind(one[1]) == "yes or no"]
        rest = [one for one in said if one not in flags]
        if self._cues.either and self._cues.degree and len(self._starts) == 2:
            one, other = (Named(start.names) for start in self._starts)
            for relation, weight, least, _ in self._extremes.orders(rest):
                if self._kind(relation) in ("number", "date"):
                    yield Compare(one, other, relation, least), 1 + weight
            return
        if self._cues.yes_or_no and not (self._cues.either and self._cues.degree):
            yield from self._verdicts.programs(narrowed, flags, rest, self._flag)
            return
        with_ = {self._words[flag[0].begin - 2] for flag in flags if flag[0].begin > 1} == {"with"}
        alone = not with_ and len(flags) == len(said) == len(self._starts) == 1 and not narrowed
        alone = alone and not (self._cues.counts and len(self._starts[0].names) > 1)
        # "Ada remote?", but no "remote workers in Rome".
        if alone and (flags[0][0].begin >= self._starts[0].end or len(self._starts[0].names) == 1):
            yield Path(Named(self._starts[0].names), (flags[0][1],)), 1 + flags[0][2]
        narrowed = self._either(narrowed)
        sets = list(dict.fromkeys([*narrowed, *(self._flag(flag) for flag in flags)]))
        weight = sum(flag[2] - FAR_FETCHED * self._is_far_fetched(flag) for flag in flags)
        for start in self._starts[:1]:
            weight -= ALONE * bool(sets and len(start.names) == 1)
            sets.insert(0, Named(start.names))
        for program, score in self._asked_of(sets, rest):
            yield program, score + weight

    def _is_far_fetched(self, flag: Hop) -> bool:
        """Whether a word or two say a relation of yes and no, and are not in its name.

        "Whose house" narrows by no `driving_licence`, "open to the public" by `visitors_welcome`.
        """
        asked, relation, weight = flag
        words = self._words[asked.begin : asked.end]
        alike = (same_stem(word, part) for word in words for part in self._relations[relation])
        return weight <= SAID and len(words) < PHRASE and not any(alike)

    def _either(self, narrowed: list[Set]) -> list[Set]:
        """Join what "or" stands between: "speaks French, Welsh or Czech", "is red or from Rome"."""
        found: list[Set] = []
        joined: list[Set] = []
        for number, (one, part) in enumerate(zip(self._filters, narrowed, strict=False)):
            joined.append(part)
            if not self._goes_on(number, one):
                found.append(Or(tuple(joined)) if len(joined) > 1 else part)
                joined = []
        return [*found, *narrowed[len(self._filters) :]]  # kinds come last

    def _goes_on(self, number: int, one: Filter) -> bool:
        """Whether a filter is one of several that "or" joins, and not the last of them."""
        for before, other in pairwise(self._filters[number:]):
            end, begin = self._arguments[before.argument].end, self._arguments[other.argument].begin
            alike = one.relation == other.relation
            between = self._words[end:begin]
            if "or" in between:
                return alike or other.weight > 0
            if between or not alike:
                return False
        return False

    def _flag(self, flag: Hop) -> Set:
        """Narrow by a relation of yes and no, denied where "not" stands before it or within."""
        asked, relation, _ = flag
        ends = [one.end for one in self._arguments if one.end <= asked.begin]
        denied = any(max(ends, default=-1) <= at < asked.begin for at in self._cues.denies)
        within = {*self._words[asked.begin : asked.end]} - {*self._relations[relation]}
        denied = denied or not NOT.isdisjoint(within)
        return Compared(relation, "in", "no" if denied else "yes")

    def _asked_of(self, sets: list[Set], rest: list[Hop]) -> Iterator[Scored]:
        every = all_of(sets)
        if self._cues.degree:
            yield from self._extremes.programs(every, rest)
            if self._starts:  # "when was Ada first elected"
                for program, score in self._hops.followed(every or sets[0], rest):
                    yield program, score - ASIDE
        elif every is not None:
            yield from self._hops.followed(every, rest)
            for some in filter(self._is_some, rest):
                both = all_of([every, Having(some[1])])
                for program, score in self._hops.followed(both or every, _beside(rest, some)):
                    yield program, score + some[2]
            yield from self._lacking.programs(every, rest)
        else:
            yield from self._lacking.programs(None, rest)
            yield from self._of_all(rest)

    def _is_some(self, hop: Hop) -> bool:
        """Whether there is to be any of something: "who has a mentor and lives in Rome"."""
        asked = hop[0]
        before, behind = self._words[: asked.begin][-1:], self._words[asked.end :][:1]
        said = before in (["a"], ["an"], ["any"]) and behind in (["and"], ["but"])
        return said and self._kind(hop[1]) in ("link", "text")

    def _of_all(self, rest: list[Hop]) -> Iterator[Scored]:
        """Yield all that have something, or what they have, where nothing is named."""
        for asked, relation, weight in rest:
            unused = self._unused(rest, asked)
            done = self._words[asked.end - 1].endswith("ed") and self._kind(relation) == "date"
            who = not {"who", "which"}.isdisjoint(self._words)  # "who has been discharged"
            before = [word for word in self._words[: asked.begin] if word not in ("a", "an", "any")]
            if before[-1:] in (["have"], ["has"], ["had"]) and asked.end == len(self._words):
                yield Having(relation), weight + ASKS - unused  # "how many have a manager"
            if (self._cues.counts and self._heads) or (done and who):
                # "in how many countries is there a king"
                yield Having(relation), weight - unused
            if self._kind(relation) in ("link", "text"):
                asks = ASKS * (self._cues.counts or bool(self._cues.left_out))
                yield Path(Having(relation), (relation,)), weight + asks - unused

    def _unused(self, rest: list[Hop], asked: Asked) -> float:
        return UNUSED * sum(weight**2 for one, _, weight in rest if one is not asked)


def _beside(rest: list[Hop], hop: Hop) -> list[Hop]:
    """Return what is said beside one, and beside all else that says its relation."""
    return [one for one in rest if one[1] != hop[1]]
