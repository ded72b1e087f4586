"""Those of whom something is not said: "who has no mentor", "films that won nothing"."""

from collections.abc import Iterator

from memnets.kb.programs.asked import Asked
from memnets.kb.programs.cues import Cues
from memnets.kb.programs.denials import NOBODY
from memnets.kb.programs.forms import word_set
from memnets.kb.programs.hops import UNUSED, Hop, Scored
from memnets.kb.programs.operators import Compared, Having, OtherThan, Set
from memnets.kb.programs.reading import Reader, Reading
from memnets.kb.programs.shapes import Shapes
from memnets.kb.store.layouts import REVERSED

HAVING = word_set(
    "have has had got any a an the single t own known know who we be been ever yet one to do "
    "anybody anyone anything noted as person"
)
"""Between "not" and what is not had."""
LISTED = word_set("have has had got with")
"""Before "no" or "nothing" they say that something is not there, with more words than one."""
FAR = 6
"""Words behind "no" within which it is said what is not there: "no date when they were hired"."""
SAID_LAST = 0.5
"""What it counts that "nobody" stands behind what is not had."""
KNOWN = frozenset({"know", "known"})


class Lacking:
    """Finds those of whom nothing is said.

    Args:
        reader: of the question.
        shapes: of the relations.
        reading: what was recognised.
        cues: what is to be done.
    """

    def __init__(self, reader: Reader, shapes: Shapes, reading: Reading, cues: Cues) -> None:
        self._kind, self._relations = reader.kind, reader.relations
        self._shapes, self._subjects = shapes, reader.subjects
        self._whole, self._cues = reader.kinds.whole, cues
        self._words, self._said = reading.words, reading.said

    def programs(self, every: Set | None, rest: list[Hop]) -> Iterator[Scored]:
        """Yield those that lack something, and how much of the question that explains.

        Args:
            every: of whom; of all without it.
            rest: relations that are said.
        """
        for asked, relation, weight in rest:
            first = self._first(asked, [one for one, *_ in rest if one.end <= asked.begin])
            nobody = self._is_of_nobody(asked)
            denied = nobody or self._is_listed(asked) or self._is_denied(asked, first)
            if self._cues.denied or not denied:
                continue
            others = (w for one, _, w in rest if one is not asked and not _is_part(one, asked))
            unused = UNUSED * sum(w**2 for w in others)
            again = sum(w for one, name, w in rest if one is not asked and name == relation)
            whole = every or self._whole(Having(self._commonest(relation)))
            worth = 1 + weight - unused + (again + SAID_LAST) * nobody
            yield OtherThan(whole, self._had(asked, relation, first)), worth

    def _is_denied(self, asked: Asked, first: int) -> bool:
        """Whether it is said before what begins at `first` that it is not, or is not known."""
        end = asked.end + 5 if self._is_unknown(asked) else asked.begin
        return not self._cues.denies.isdisjoint(range(max(0, first - 2), end))

    def _is_unknown(self, asked: Asked) -> bool:
        """Whether it is asked of whom something is known: "whose job do we not know"."""
        asks = self._words[asked.begin - 1 : asked.begin] in (["whose"], ["which"])
        return asks and not KNOWN.isdisjoint(self._words[asked.end : asked.end + 5])

    def _had(self, asked: Asked, relation: str, first: int) -> Set:
        """Return those that have what others lack; a number that may be 0 is had above it."""
        known = self._is_unknown(asked) or not KNOWN.isdisjoint(self._words[first : asked.begin])
        if self._kind(relation) == "number" and not known and self._shapes.may_be_none(relation):
            return Compared(relation, "more than", "0")
        return Having(REVERSED * (self._relations[relation] in asked.own) + relation)

    def _first(self, asked: Asked, verbs: list[Asked]) -> int:
        """Return where what is not had begins: at "any" of "has not got any", "has not won any"."""
        first = asked.begin
        while first:
            denied = {
                one.end: one.begin
                for one in verbs
                if not self._cues.denies.isdisjoint((one.begin - 1, one.begin - 2))
            }
            if self._words[first - 1] in HAVING:
                first -= 1
            elif first in denied:
                first = denied[first]
            else:
                break
        return first

    def _is_of_nobody(self, asked: Asked) -> bool:
        """Whether "nobody" stands behind: "shares a car with nobody"."""
        places = self._cues.denies.intersection((asked.end, asked.end + 1))
        return any(self._words[at] in NOBODY for at in places)

    def _is_listed(self, asked: Asked) -> bool:
        """Whether it is said with more words that something is not there: "no number of pages"."""
        places = (at for at in self._cues.denies if at < asked.begin <= at + FAR)
        return any(
            self._words[at] in NOBODY | {"no"}
            and self._words[at - 1 : at] != []
            and self._words[at - 1] in LISTED
            and self._said.isdisjoint(range(at, asked.begin))
            for at in places
        )

    def _commonest(self, relation: str) -> str:
        """Return the relation that most have of those that have another."""
        beside = [one for one in self._shapes.having(relation) if not one.startswith(REVERSED)]
        return max(sorted(beside), key=self._subjects)


def _is_part(one: Asked, other: Asked) -> bool:
    """Whether two places say parts of one name: "drills that used no vehicles"."""
    return one.parted and other.parted and one.options == other.options
