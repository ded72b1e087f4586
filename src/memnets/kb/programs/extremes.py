"""What has the most of something: "the tallest tree", "the highest salary", "the most books"."""

from collections.abc import Iterator, Sequence

from memnets.kb.programs.asked import Asked
from memnets.kb.programs.cues import Cues
from memnets.kb.programs.forms import singulars
from memnets.kb.programs.hops import Hop, Hops, Scored
from memnets.kb.programs.lexicon import Degree
from memnets.kb.programs.nouns import Nouns
from memnets.kb.programs.operators import Having, Most, Named, Oftenest, Path, Set
from memnets.kb.programs.reading import Reader, Reading
from memnets.kb.programs.wordings import likeness
from memnets.kb.store.layouts import REVERSED

AGES = frozenset({"age", "aged", "old", "years"})
"""Words of relations that tell an age by a number."""
NEXT = 0.5
"""What a relation counts that is said right behind "highest" or the like."""
COUNTED = frozenset({"number", "kinds", "sorts", "types"})
"""Nouns that say nothing of what is counted: "the most sorts of goods"."""
OTHER_WAY = 0.4
"""What it costs to count objects of what has many, where it is not said so; or the reverse."""
ALONE = 1.5
"""What it costs to narrow a set of one."""
OF_BOTH = 0.1
"""How much surer the more is meant of what a noun and "longer" name together."""
RANKED = 0.99
"""What a word that hints at a relation counts, of the one before it."""
DATED, HINTED_ORDER, ANY_ORDER = 0.5, 0.8, 0.2
"""What it counts to order by dates after "oldest" or the like; by what its meaning hints at; by
what nothing hints at, which is what the others are measured from."""


class Extremes:
    """Finds by which relation the most is meant, and what has the most of it.

    Args:
        reader: of the question.
        reading: what was recognised.
        cues: what is to be done.
        nouns: of the question.
        hops: from what has the most to what is asked of it.
    """

    def __init__(
        self, reader: Reader, reading: Reading, cues: Cues, nouns: Nouns, hops: Hops
    ) -> None:
        self._kind, self._relations = reader.kind, reader.relations
        self._are_years = reader.are_years
        self._words, self._arguments = reading.words, reading.arguments
        self._asked, self._heads = reading.asked, reading.heads
        self._cues, self._nouns, self._hops = cues, nouns, hops

    def orders_by(self, asked: Asked) -> bool:
        """Whether it is what "the highest" or the like is said of, as in "the highest price"."""
        said = self._cues.degree is not None and asked.begin == self._cues.degree_at + 1
        relation = asked.options[0][0]
        return (
            said
            and self._kind(relation) in ("number", "date")
            and (self.is_meant(relation) or self._nouns.is_called(asked, self._relations[relation]))
        )

    def programs(self, every: Set | None, rest: list[Hop]) -> Iterator[Scored]:
        """Yield what has the most of something, what that leads to, and how much it is."""
        behind = self._behind_degree
        for relation, weight, least, used in self.orders(rest):
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
                        valued = self.is_meant(relation) and self._asks_value(last)
                        yield program, 1 + weight + score - NEXT * (far - valued)

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

    def orders(self, rest: list[Hop]) -> Iterator[tuple[str, float, bool, Asked | None]]:
        """Yield by which relation the most is meant, how surely, whether the least, and where."""
        degree = self._cues.degree
        if degree is None:
            return
        aged, timed = degree.is_of_age, "date" in degree.hints.split()
        # "How tall is the oldest tree" orders by no height.
        meant = [one for one in rest if not self._asks_value(one[1]) or self.is_meant(one[1])]
        for asked, relation, weight in meant:
            yield relation, weight, self._least(relation, degree), asked
            for longer in self._measuring(self._words[asked.begin : asked.end], degree):
                yield longer, weight + OF_BOTH, degree.least, asked
        if any(self._kind(relation) in ("number", "date") for _, relation, _ in meant):
            return
        said = (name for asked, _, _ in rest for name in asked.options.surely.weights)
        if timed and any(self._kind(name) == "date" for name in said):
            return  # "planted the earliest" orders by `planted_on`, not by another date
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
            dated = kind == "date" or self._are_years(relation)
            if (aged or timed) and not dated and not (aged and tells_age(words)):
                continue
            hinted = max(hinted, DATED * (timed and dated))
            unsaid = HINTED_ORDER * hinted if degree.hints else ANY_ORDER
            yield relation, unsaid - ANY_ORDER, self._least(relation, degree), None

    def _least(self, relation: str, degree: Degree) -> bool:
        """Whether the least is asked for: the oldest has the most years, of those the least."""
        dated = self._kind(relation) == "date" or self._are_years(relation)
        return degree.least_of_dates if dated else degree.least

    def is_meant(self, relation: str) -> bool:
        """Whether the word for the most means a relation, or may mean any: "tallest" a height."""
        hints = self._cues.degree.hints if self._cues.degree else ""
        if not hints or ("date" in hints and self._kind(relation) == "date"):
            return True
        words = self._relations[relation]
        return any(likeness(hint, words) for hint in hints.split())

    def _measuring(self, noun: list[str], degree: Degree) -> Iterator[str]:
        """Yield the numbers whose names hold a noun and what it has most of: "longer episodes"."""
        forms = {*noun, *singulars(noun[-1])} if len(noun) == 1 else set()
        for relation, words in self._relations.items():
            both = not forms.isdisjoint(words) and not {*degree.hints.split()}.isdisjoint(words)
            if both and self._kind(relation) == "number":
                yield relation


def tells_age(relation: Sequence[str]) -> bool:
    """Whether a number may be an age, by the words of its relation."""
    return not AGES.isdisjoint(relation)
