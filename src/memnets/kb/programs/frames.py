"""One way of taking the names of a question, and the programs that it allows.

Each name is where a path starts, or narrows a set by a relation. What is said of relations besides
is what is asked of the set, hop by hop.
"""

from collections.abc import Iterator
from itertools import product

from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.asked import Asked
from memnets.kb.programs.cues import Cues, is_compared
from memnets.kb.programs.direction import backwards
from memnets.kb.programs.forms import singulars, word_set
from memnets.kb.programs.heads import SOME
from memnets.kb.programs.hops import UNSAID_WORD, UNUSED, Hop, Hops, Scored, once
from memnets.kb.programs.lexicon import NOT, Degree
from memnets.kb.programs.nouns import Nouns
from memnets.kb.programs.operators import (
    MOST_HOPS,
    And,
    Between,
    Compare,
    Compared,
    Count,
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
    Several,
    relations_of,
)
from memnets.kb.programs.reading import Reader, Reading
from memnets.kb.programs.roles import Filter, Frame
from memnets.kb.programs.saying import Options
from memnets.kb.programs.shapes import Shapes
from memnets.kb.programs.verdicts import Verdicts, all_of
from memnets.kb.programs.wordings import likeness
from memnets.kb.store.layouts import REVERSED

UNSAID = 2.0
"""What it costs to take an entity of facts of its own for an object of what is not said."""
ASKS = 0.5
"""What it counts for all objects of a relation that they are to be counted, or some left out."""
NEXT = 0.5
"""What a relation counts that is said right behind "highest" or the like."""
LOOSE = 1.0
"""What a hop costs that is said by a noun of the kind of answers: "which companies ..."."""
PLACING = frozenset({"in", "at", "from", "by", "on", "with"})
"""Before a name they narrow a set by it, whatever the relation: "animals in the Aviary"."""
HAVING = word_set(
    "have has had got any a an the single t own known know who we be been ever yet one to do "
    "anybody anyone anything noted as person"
)
"""Between "not" and what is not had."""
COUNTED = frozenset({"number", "kinds", "sorts", "types"})
"""Nouns that say nothing of what is counted: "the most sorts of goods"."""
MERGED = 2.0
"""What two places count that say one relation, taken together."""
HEADS = 1.5
"""What a path counts that leads to what "which" asks for."""
SAME = 0.75
"""What it counts where another word for it is asked for, or those of a link are."""
UNLIKE = 1.2
"""What a path loses whose answers are of another kind than is asked for."""
OTHERS = 0.6
"""What a path loses to what no noun says, where "which films" asks for others."""
OPTIONS = 5
"""Relations that a word may say, of which so many are tried."""
OTHER_WAY = 0.4
"""What it costs to count objects of what has many, where it is not said so; or the reverse."""
ALONE = 1.5
"""What it costs to narrow a set of one."""
UNSURE = 0.5
"""What it costs where words may name something, and may as well not."""
LEFT_OVER = 2.0
"""What it costs where a path could start from several names, for each but the first."""
NARROWS = 1.5
"""What a filter counts, besides what its relation does."""
RIVALS = 0.3
"""What a filter loses to each other relation that it might be of, if none is said."""
PLACED = 2.5
"""By how much less it costs to take an entity for an object behind "in" or the like."""
ALL_OF_A_KIND = 0.2
"""What it counts that a noun says of what kind answers are, where none is named."""
ASIDE = 0.3
"""What it costs to leave "first", or what is asked for, unread."""
HINTED = 0.4
"""What it counts that "where" or "when" may say the last relation of a path."""
OF_BOTH = 0.1
"""How much surer the more is meant of what a noun and "longer" name together."""
RANKED = 0.99
"""What a word that hints at a relation counts, of the one before it."""
HALF_SAID = 0.5
"""What "which towns" counts, where other words say a relation more surely."""
DATED, HINTED_ORDER, ANY_ORDER = 0.5, 0.8, 0.2
"""What it counts to order by dates after "oldest" or the like; by what its meaning hints at; by
what nothing hints at, which is what the others are measured from."""


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
        self._shapes, self._columns_of = shapes, reader.subjects
        self._whole = reader.kinds.whole
        self._hops = Hops(reader, shapes, reading, self._starts, narrowing)
        self._verdicts = Verdicts(reader, shapes, reading, cues, self._starts, self._filters)
        self._asked_for = self._nouns.asked_for(reading.asked)
        self._score = 0.0
        self._sorts: list[Set] = []
        kept = (a for a in reading.asked if cues.words.isdisjoint(range(a.begin, a.end)))
        self._left = self._unconsumed(list(kept))

    def programs(self) -> Iterator[Scored]:
        """Yield every program with how much of the question it explains."""
        narrowed = [self._narrowed(one) for one in self._filters]
        base = sum(self._worth(one) for one in self._filters) + len(self._starts)
        base -= UNSURE * sum(not one.surely for one in self._arguments) - self._score
        base -= LEFT_OVER * max(0, len(self._starts) - 1 - self._cues.either)
        for kind, left, score in self._kinds():
            sets = [*narrowed, *kind, *self._sorts]
            options = [asked.options[:OPTIONS] for asked in left]
            for chosen in product(*options[:MOST_HOPS]):
                said = [
                    (a, r, w * self._certainty(a)) for a, (r, w) in zip(left, chosen, strict=False)
                ]
                for program, more in self._of(sets, said):
                    total = base + score + more + self._liked(program)
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
        hints = [asked for asked in self._left if asked.hints]
        left = [asked for asked in self._left if not asked.hints] or hints
        for one in (left, *self._merged(left)):
            gained = MERGED * (len(left) - len(one))
            heads = [asked for asked in one if self._nouns.is_head(asked)]
            heads = [asked for asked in heads if not self._is_ordered_by(asked)]
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
                        yield (
                            [Having(self._nouns.standing_for(asked, relation))],
                            rest,
                            weight + gained,
                        )

    def _is_ordered_by(self, asked: Asked) -> bool:
        """Whether it is what "the highest" or the like is said of, as in "the highest price"."""
        said = self._cues.degree is not None and asked.begin == self._cues.degree_at + 1
        relation = asked.options[0][0]
        return (
            said
            and self._kind(relation) in ("number", "date")
            and (
                self._is_meant(relation) or self._nouns.is_called(asked, self._relations[relation])
            )
        )

    @property
    def _narrows(self) -> bool:
        """Whether there is a set that a noun may belong to, so that it need not be a hop."""
        return not self._starts and bool(self._filters or self._cues.degree)

    def _merged(self, left: list[Asked]) -> Iterator[list[Asked]]:
        """Yield what is left where two places say one relation: "which year ... published"."""
        for n, one in enumerate(left):
            for other in left[n + 1 :]:
                said = other.options.weights
                parted = one.options == other.options and one.parted and other.parted
                if any(self._kind(r) == "link" for r, _ in one.options) and not parted:
                    continue  # "the manager of ... reports to" are two hops
                both = Options((r, max(w, said[r])) for r, w in one.options if r in said)
                if not both or one.inverse or other.inverse:
                    continue
                surely, less = sorted((one, other), key=lambda a: -a.options[0][1])
                merged = surely._replace(options=both)
                yield [merged if a is surely else a for a in left if a is not less]

    def _liked(self, program: Program) -> float:
        """Return how well the answers fit the word that asks: "when" a date, "who" a name."""
        last = program.relations[-1] if isinstance(program, Path) else ""
        read = {*relations_of(program)}
        many = ["how", "many"]
        numbers = (a for a in self._asked if self._words[a.begin : a.begin + 2] == many)
        if any(read.isdisjoint(asked.options.weights) for asked in numbers):
            return -UNLIKE  # "how many seats" asks for these
        if self._cues.counts and self._is_of_one(program):
            return -2 * UNLIKE  # nothing is counted of which there is one
        heads = self._asked_for
        of_set = isinstance(program, Path) and not isinstance(program.start, Named)
        if of_set and self._nouns.name_others(self._asked, last):
            return -OTHERS
        if heads.get(last):
            far = not self._starts and self._kind(last) in ("link", "yes or no")
            return HEADS * (heads[last] == 1 and not far) or SAME
        if last.startswith(REVERSED) and last.removeprefix(REVERSED) in heads:
            return -UNLIKE
        if not last:
            hints = [self._words[one.begin : one.end] for one in self._asked if one.hints]
            if not isinstance(program, Having | And):
                return -ASIDE * bool(hints)
            if any(self._words[a.begin] == "how" for a in self._asked) and not self._cues.counts:
                return -UNLIKE  # "how large is Ada's flat" asks for no flat
            # What has something may be a place: "where can you get pretzels".
            return -UNLIKE * bool(hints) / (3 if hints == [["where"]] else 1)
        kind = "link" if last.startswith(REVERSED) else self._kind(last)
        liked = 0.0
        for asked in self._asked:
            if asked.hints:
                when = {"where", "place"}.isdisjoint(self._words[asked.begin : asked.end])
                fits = kind == "date" if when else kind in ("link", "text")
                fits = fits or last in asked.options.weights  # "on which days" of `runs_on`
                liked += HINTED * (last in asked.options.weights) if fits else -UNLIKE
        whose = any(self._words[one.begin] == "whose" for one in self._asked)  # "whose idea"
        if (whose or {"who", "whom"} & {*self._words}) and kind not in ("link", "text"):
            liked -= UNLIKE
        if self._words[:2] == ["how", "much"] and kind != "number":
            liked -= UNLIKE
        return liked

    def _is_of_one(self, program: Program) -> bool:
        """Whether a program gives what a thing has one of: whom it belongs to, say."""
        if not isinstance(program, Path) or not isinstance(program.start, Named):
            return False
        last = program.relations[-1]
        things = not last.startswith(REVERSED) and self._kind(last) in ("link", "text")
        return things and len(program.start.names) == 1 and self._shapes.is_single(last)

    def _certainty(self, asked: Asked) -> float:
        """Return how surely words say a relation: "which towns" rather what is looked for."""
        before = self._words[asked.begin - 1] if asked.begin else ""
        surer = any(one.options[0][1] > asked.options[0][1] for one in self._asked)
        return HALF_SAID if before in ("which", "what") and surer else 1.0

    def _unconsumed(self, asked: list[Asked]) -> list[Asked]:
        """Return what is said of relations and is not said of a filter."""
        for one in self._filters:
            argument = self._arguments[one.argument]
            if one.counts:  # "teaches more than one subject" is no place where
                asked = [a for a in asked if not is_compared(a, argument, self._cues)]
            fit = [a for a in asked if one.relation in a.options.weights]
            asked = [a for a in asked if a in fit or not self._nouns.is_little(a, argument)]
            if not fit:
                # Attributes share a word, "speaks French and Welsh"; entities need their own.
                self._score -= (1 + one.weight) * bool(argument.out_of and one.weight)
                continue
            nearest = min(
                fit, key=lambda a: min(abs(a.begin - argument.end), abs(argument.begin - a.end))
            )
            if nearest.sort and self._relations[one.relation] in nearest.own:
                self._sorts.append(nearest.sort)
            if argument.out_of and not one.compares:
                self._score += backwards(
                    self._words, argument, nearest, self._relations[one.relation]
                )
            asked.remove(nearest)
            asked = [a for a in asked if not self._says_again(a, nearest, one.relation)]
            if self._kind(one.relation) != "link":  # said twice, as in "earn a salary of"
                asked = [a for a in asked if a.options[0][0] != one.relation]
        return once(asked, self._kind)

    def _says_again(self, asked: Asked, other: Asked, relation: str) -> bool:
        """Whether a relation is said twice, as in "took its stones from" of `stones_taken_from`."""
        apart = max(asked.begin - other.end, other.begin - asked.end)
        return apart < 2 and {1} == {
            one.options.weights.get(relation, 0.0) for one in (asked, other)
        }

    def _worth(self, one: Filter) -> float:
        argument = self._arguments[one.argument]
        worth = NARROWS + one.weight - RIVALS * (one.rivals - 1) * (one.weight <= 0)
        if not argument.out_of or one.weight or one.placed:
            return worth
        before = self._words[argument.begin - 1] if argument.begin else ""
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

    def _narrowed(self, one: Filter) -> Set:
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
        if degree and self._kind(one.relation) == "date":
            how = "less than" if degree.least_of_dates else "more than"
        return Compared(one.relation, how, argument.text or Named(argument.names))

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
            for relation, weight, least, _ in self._degrees(rest):
                if self._kind(relation) in ("number", "date"):
                    yield Compare(one, other, relation, least), 1 + weight
            return
        if self._cues.yes_or_no and not (self._cues.either and self._cues.degree):
            yield from self._verdicts.programs(narrowed, flags, rest, self._flag)
            return
        with_ = {self._words[flag[0].begin - 2] for flag in flags if flag[0].begin > 1} == {"with"}
        alone = not with_ and len(flags) == len(said) == len(self._starts) == 1 and not narrowed
        # "Ada remote?", but no "remote workers in Rome".
        if alone and (flags[0][0].begin >= self._starts[0].end or len(self._starts[0].names) == 1):
            yield Path(Named(self._starts[0].names), (flags[0][1],)), 1 + flags[0][2]
        narrowed = self._either(narrowed)
        sets = list(dict.fromkeys([*narrowed, *(self._flag(flag) for flag in flags)]))
        weight = sum(flag[2] for flag in flags)
        for start in self._starts[:1]:
            weight -= ALONE * bool(sets and len(start.names) == 1)
            sets.insert(0, Named(start.names))
        for program, score in self._asked_of(sets, rest):
            yield program, score + weight

    def _either(self, narrowed: list[Set]) -> list[Set]:
        """Join what "or" stands between, of one relation: "speaks French or Welsh"."""
        found: list[Set] = []
        before: Filter | None = None
        for one, part in zip(self._filters, narrowed, strict=False):  # kinds come last
            if before and before.relation == one.relation and isinstance(part, Having):
                end = self._arguments[before.argument].end
                if "or" in self._words[end : self._arguments[one.argument].begin]:
                    found[-1] = Or((found[-1], part))
                    continue
            found.append(part)
            before = one
        return [*found, *narrowed[len(self._filters) :]]

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
            yield from self._of_most(every, rest)
            if self._starts:  # "when was Ada first elected"
                for program, score in self._hops.followed(every or sets[0], rest):
                    yield program, score - ASIDE
        elif every is not None:
            yield from self._hops.followed(every, rest)
            for some in filter(self._is_some, rest):
                both = all_of([every, Having(some[1])])
                for program, score in self._hops.followed(both or every, _beside(rest, some)):
                    yield program, score + some[2]
            yield from self._lacking(every, rest)
        else:
            yield from self._lacking(None, rest)
            yield from self._of_all(rest)

    def _is_some(self, hop: Hop) -> bool:
        """Whether there is to be any of something: "who has a mentor and lives in Rome"."""
        asked = hop[0]
        before, behind = self._words[: asked.begin][-1:], self._words[asked.end :][:1]
        said = before in (["a"], ["an"], ["any"]) and behind in (["and"], ["but"])
        return said and self._kind(hop[1]) in ("link", "text")

    def _of_most(self, every: Set | None, rest: list[Hop]) -> Iterator[Scored]:
        """Yield what has the most of something, what that leads to, and how much it is."""
        behind = self._behind_degree
        for relation, weight, least, used in self._degrees(rest):
            if used and used.begin == behind:  # "the highest salary"
                weight += NEXT
            elif behind in self._heads and not self._nouns.says(
                self._asked, behind
            ):  # "the most books"
                counts = self._kind(relation) in ("link", "text")
                weight += NEXT if counts else -NEXT
            weight -= ALONE * (isinstance(every, Named) and len(every.names) == 1)
            others = [one for one in rest if one[0] is not used and one[1] != relation]
            for most, cost in self._most(relation, every, least):
                if self._asks_value(relation):
                    yield Path(most, (relation,)), 1 + weight + NEXT - cost
                    continue
                for program, score in self._hops.followed(most, others):
                    # "The oldest manager" is no manager of the oldest.
                    if not isinstance(program, Path):
                        yield program, 1 + weight + score - cost
                    elif not cost:
                        far = any(a.begin == behind for a, _, _ in others)
                        last = program.relations[-1]
                        valued = self._is_meant(relation) and self._asks_value(last)
                        yield program, 1 + weight + score - NEXT * (far - valued)

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

    def _is_meant(self, relation: str) -> bool:
        """Whether the word for the most means a relation, or may mean any: "tallest" a height."""
        hints = self._cues.degree.hints if self._cues.degree else ""
        if not hints or ("date" in hints and self._kind(relation) == "date"):
            return True
        words = self._relations[relation]
        return any(likeness(hint, words) for hint in hints.split())

    def _asks_value(self, relation: str) -> bool:
        """Whether it is asked how much the most is: "how tall is the tallest tree"."""
        adverb = self._cues.degree and "date" in self._cues.degree.hints and self._arguments
        if relation.startswith(REVERSED) or adverb:  # "when was Ada first elected"
            return False
        before = self._words[: self._cues.degree_at]
        asked = (one for one in self._asked if one.end <= len(before))
        return (self._kind(relation) == "date" and "when" in before) or (
            self._kind(relation) in ("number", "date")
            and any(
                relation in one.options.weights
                and (one.hints or "how" in self._words[: one.end] or self._words[one.end] == "of")
                for one in asked
            )
        )

    @property
    def _behind_degree(self) -> int:
        """The place of what the most is asked of: "most number of pages"."""
        behind = self._cues.degree_at + 1
        noun, of = [*self._words[behind : behind + 2], "", ""][:2]
        return behind + 2 * (noun in COUNTED and of == "of")

    def _most(self, relation: str, every: Set | None, least: bool) -> Iterator[tuple[Set, float]]:
        """Yield who has the most of a relation, or those of whom most have it, and what it costs.

        "Who speaks the most languages" is not which language most speak.
        """
        if self._kind(relation) not in ("link", "text"):
            yield Most(relation, every, least), 0.0
        elif self._cues.of_numbers and every != Having(REVERSED + relation):
            owned = self._nouns.are_objects(self._asked, self._behind_degree, relation)
            yield Oftenest(relation, every, least), OTHER_WAY * owned
            if every is None:
                yield Oftenest(REVERSED + relation, every, least), OTHER_WAY * (not owned)

    def _unused(self, rest: list[Hop], asked: Asked) -> float:
        return UNUSED * sum(weight**2 for one, _, weight in rest if one is not asked)

    def _lacking(self, every: Set | None, rest: list[Hop]) -> Iterator[Scored]:
        """Yield those of whom nothing is said: "who has no mentor", "films that won nothing"."""
        words = self._words
        for asked, relation, weight in rest:
            first = asked.begin
            while first and words[first - 1] in HAVING:  # "do not have any", "has got no"
                first -= 1
            unknown = not {"know", "known"}.isdisjoint(words[first : asked.begin])
            before = range(max(0, first - 2), asked.begin)
            behind = words[asked.end : asked.end + 5]
            asks = words[asked.begin - 1 : asked.begin] in (["whose"], ["which"])
            if asks and not {"know", "known"}.isdisjoint(behind):  # "whose job do we not know"
                before, unknown = range(max(0, first - 2), asked.end + 5), True
            if self._cues.denies.isdisjoint(before) or self._cues.denied:
                continue
            others = [one for one in rest if one[0] is not asked and not _is_part(one[0], asked)]
            whole = every or self._whole(Having(self._commonest(relation)))
            unused = UNUSED * sum(w**2 for _, _, w in others)
            own = self._relations[relation] in asked.own
            some: Set = Having(REVERSED * own + relation)
            is_number = self._kind(relation) == "number" and not unknown
            if is_number and self._shapes.may_be_none(relation):
                some = Compared(relation, "more than", "0")
            yield OtherThan(whole, some), 1 + weight - unused

    def _commonest(self, relation: str) -> str:
        """Return the relation that most have of those that have another."""
        beside = [one for one in self._shapes.having(relation) if not one.startswith(REVERSED)]
        return max(sorted(beside), key=self._columns_of)

    def _degrees(self, rest: list[Hop]) -> Iterator[tuple[str, float, bool, Asked | None]]:
        """Yield by which relation the most is meant, how surely, whether the least, and where."""
        degree = self._cues.degree
        if degree is None:
            return
        least = {"date": degree.least_of_dates}
        # "How tall is the oldest tree" orders by no height.
        meant = [one for one in rest if not self._asks_value(one[1]) or self._is_meant(one[1])]
        for asked, relation, weight in meant:
            kind = self._kind(relation)
            yield relation, weight, least.get(kind, degree.least), asked
            for longer in self._measuring(self._words[asked.begin : asked.end], degree):
                yield longer, weight + OF_BOTH, degree.least, asked
        if any(self._kind(relation) in ("number", "date") for _, relation, _ in meant):
            return
        for relation in self._relations:
            kind = self._kind(relation)
            if kind not in ("number", "date") or (
                not degree.hints and (rest or not self._arguments)
            ):
                continue
            if any(relation in asked.options.weights for asked, _, _ in rest):
                continue  # "planted" may say who did, and says when: that is tried besides
            words = self._relations[relation]
            hints = [hint for hint in degree.hints.split() if kind == "date" or hint != "date"]
            # Of two numbers that are hinted at, the earlier is meant: a size before a height.
            ranked = RANKED if kind == "number" else 1.0
            fits = (likeness(hint, words) * ranked**place for place, hint in enumerate(hints))
            hinted = max(fits, default=0.0)
            hinted = max(hinted, DATED * ("date" in degree.hints and kind == "date"))
            unsaid = HINTED_ORDER * hinted if degree.hints else ANY_ORDER
            yield relation, unsaid - ANY_ORDER, least.get(kind, degree.least), None

    def _measuring(self, noun: list[str], degree: Degree) -> Iterator[str]:
        """Yield the numbers whose names hold a noun and what it has most of: "longer episodes"."""
        forms = {*noun, *singulars(noun[-1])} if len(noun) == 1 else set()
        for relation, words in self._relations.items():
            both = not forms.isdisjoint(words) and not {*degree.hints.split()}.isdisjoint(words)
            if both and self._kind(relation) == "number":
                yield relation


def _is_part(one: Asked, other: Asked) -> bool:
    """Whether two places say parts of one name: "drills that used no vehicles"."""
    return one.parted and other.parted and one.options == other.options


def _beside(rest: list[Hop], hop: Hop) -> list[Hop]:
    """Return what is said beside one, and beside all else that says its relation."""
    return [one for one in rest if one[1] != hop[1]]
