"""What is said of relations and belongs to none of a question's filters, so that it is asked."""

from collections.abc import Iterator, Sequence

from memnets.kb.programs.asked import Asked
from memnets.kb.programs.cues import Cues, is_compared
from memnets.kb.programs.direction import backwards
from memnets.kb.programs.hops import once
from memnets.kb.programs.nouns import Nouns
from memnets.kb.programs.operators import Set
from memnets.kb.programs.reading import Reader, Reading
from memnets.kb.programs.roles import Filter
from memnets.kb.programs.saying import Options
from memnets.kb.programs.wordings import LITTLE


class Left:
    """What is left of all that is said of relations, where some of it is said of filters.

    Args:
        reader: of the question.
        reading: what was recognised.
        cues: what is to be done; their words ask for no relation.
        nouns: of the question.
        filters: by which a set is narrowed.
    """

    def __init__(
        self,
        reader: Reader,
        reading: Reading,
        cues: Cues,
        nouns: Nouns,
        filters: Sequence[Filter],
    ) -> None:
        self._kind, self._relations = reader.kind, reader.relations
        self._words, self._arguments, self._cues = reading.words, reading.arguments, cues
        self._nouns, self._filters = nouns, filters
        self.cost = 0.0
        """Of filters whose relation is not said, or in another direction."""
        self.sorts: list[Set] = []
        """Which words that are said of filters name."""
        kept = (a for a in reading.asked if cues.words.isdisjoint(range(a.begin, a.end)))
        self.asked = self._unconsumed(list(kept))

    def merged(self, left: list[Asked]) -> Iterator[list[Asked]]:
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

    def _unconsumed(self, asked: list[Asked]) -> list[Asked]:
        for one in self._filters:
            argument = self._arguments[one.argument]
            if one.counts:  # "teaches more than one subject" is no place where
                asked = [a for a in asked if not is_compared(a, argument, self._cues)]
            elif self._kind(one.relation) != "link":
                # "23 km from town" of `distance_to_town` asks for no town
                asked = [a for a in asked if not self._is_of_name(a, one.relation)]
            fit = [a for a in asked if one.relation in a.options.weights]
            asked = [a for a in asked if a in fit or not self._nouns.is_little(a, argument)]
            if not fit:
                # Attributes share a word, "speaks French and Welsh"; entities need their own, if
                # no adjective compares them.
                own = argument.out_of and one.argument not in self._cues.adjectives
                self.cost += (1 + one.weight) * bool(own and one.weight)
                continue
            nearest = min(
                fit, key=lambda a: min(abs(a.begin - argument.end), abs(argument.begin - a.end))
            )
            if nearest.sort and self._relations[one.relation] in nearest.own:
                self.sorts.append(nearest.sort)
            if argument.out_of and not one.compares:
                parts = self._relations[one.relation]
                self.cost -= backwards(self._words, argument, nearest, parts)
            asked.remove(nearest)
            asked = [a for a in asked if not self._says_again(a, nearest, one.relation)]
            if self._kind(one.relation) != "link":  # said twice, as in "earn a salary of"
                asked = [a for a in asked if a.options[0][0] != one.relation]
        return once(asked, self._kind)

    def _is_of_name(self, asked: Asked, relation: str) -> bool:
        """Whether words are a part of a relation's name, and another relation is said by them."""
        said = {*self._words[asked.begin : asked.end]} - LITTLE
        own = relation in asked.options.weights
        return bool(said) and not own and said.issubset(self._relations[relation])

    def _says_again(self, asked: Asked, other: Asked, relation: str) -> bool:
        """Whether a relation is said twice, as in "took its stones from" of `stones_taken_from`."""
        apart = max(asked.begin - other.end, other.begin - asked.end)
        return apart < 2 and {1} == {
            one.options.weights.get(relation, 0.0) for one in (asked, other)
        }
