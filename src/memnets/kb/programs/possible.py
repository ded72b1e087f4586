"""What may be asked of what a question names, whatever its other words are.

Few relations lead from a name or to it, so that "which of them were presents from Père Lachance"
can hardly ask for anything but what has him as `given_by`, though no word says so.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.guessing import Brought, Guessing
from memnets.kb.programs.meaning import Meanings, Way
from memnets.kb.programs.nesting import SHARING
from memnets.kb.programs.operators import MOST_HOPS, Having, Named, OtherThan, Path
from memnets.kb.programs.reading import Reader, Reading
from memnets.kb.programs.running import Outcome, Programs
from memnets.kb.questions.relations import fits
from memnets.kb.store.layouts import REVERSED, reverse

TRIED = 12
"""So many of the likeliest are carried out."""
MANY = 100
"""Of more relations, only those that a thing has are compared with a question about it."""
WORTH = 4.0
"""How much a relation's being brought to mind counts beside what the ranker says."""
NONE = "none"
"""The weight of nothing that is named being asked for in this way."""
Weights = Mapping[str, float]
WEIGHTS: Weights = {
    "none": 0.374, "said": 0.249, "answers": -0.335, "fits": 1.876, "many": -0.897,
    "backwards": 0.472, "backwards said": -0.780, "other names": -2.088, "hop": -0.097,
    "hop said": 0.490, "hop unsaid": -0.599, "hop back": -1.228, "hop ends back": 0.449,
    "hop on": 0.088, "means": 0.826, "absent": -2.878, "besides": -1.290, "unheard": -0.617,
    "words unheard": 0.339, "back shared": 0.106,
}  # fmt: skip
"""Of each feature, as `python -m tools.weighing` fits them in a checkout of the repository."""


class Possible(NamedTuple):
    """A program of one relation, or of a path of them, that may be meant."""

    program: Path | Having | OtherThan
    outcome: Outcome
    features: Mapping[str, float]
    """What speaks for it, and against it."""


class Possibilities:
    """Finds what may be asked of what a question names.

    Args:
        reader: of questions.
        guessing: what words bring to mind.
        programs: carries programs out.
        meanings: compares questions with relations.
    """

    def __init__(
        self, reader: Reader, guessing: Guessing, programs: Programs, meanings: Meanings
    ) -> None:
        self._reader, self._guessing, self._programs = reader, guessing, programs
        self._meanings = meanings

    def of(self, question: str) -> list[Possible]:
        """Return the likeliest of what leads from what is named, or to it, with what it gives."""
        reading = self._reader.read(question)
        shares = not SHARING.isdisjoint(reading.words)
        ways = [self._ways(one, shares) for one in reading.arguments]
        places = [(one.begin, one.end) for one in reading.arguments]
        names = {name for some in ways for one in some for name in _names(one)}
        brought = self._guessing.brought(reading, names)
        strengths = self._meanings.of(reading.words, places, ways)
        found: list[tuple[float, float, Argument, Way]] = []
        for argument, some, means in zip(reading.arguments, ways, strengths, strict=True):
            for way, strength in zip(some, means, strict=True):
                said = self._surely(reading, way, brought)
                surely = strength + WORTH * math.fsum(said) / len(said)
                found.append((surely, strength, argument, way))
        found.sort(key=lambda one: -one[0])
        return [
            self._possible(reading, brought, strength, argument, way)
            for _, strength, argument, way in found[:TRIED]
        ]

    def _ways(self, argument: Argument, shares: bool) -> list[Way]:
        """Return what leads from an argument and to it, and on from there.

        Relations that it does not have, and others have, may be asked for as well; and where it is
        asked who shares something, those of the same number or date.
        """
        every = [one.relation for one in self._programs.columns]
        some = argument.out_of and len(every) <= MANY
        ways: list[Way] = [(name,) for name in sorted(every if some else argument.out_of)]
        ways += [(reverse(name),) for name in sorted(argument.into)]
        ends = [way for way in ways if way[0] in argument.out_of or way[0][:1] == REVERSED]
        for _ in range(1, MOST_HOPS):
            ends = [way for before in ends for way in self._further(argument, before)]
            ways += ends
        if shares:
            ways += (
                (name, reverse(name)) for name in sorted(argument.out_of) if self._counts(name)
            )
        return ways

    def _counts(self, name: str) -> bool:
        """Whether a relation leads to numbers or dates, of which nothing else is known."""
        return self._programs.columns.of(name).kind in ("number", "date")

    def _further(self, argument: Argument, way: Way) -> Iterator[Way]:
        """Yield ways with one step more, which leads to something.

        The first and the second may be backwards, "whose boss lives in Rome", or the second alone,
        "what else is by its author"; such a way ends with its second step.
        """
        if _back(way) and len(way) > 1:
            return
        kind = "link" if _back(way) else self._programs.columns.of(way[-1]).kind
        if kind in ("link", "text"):
            reached = self._programs.run(Path(Named(argument.names), way)).answers
            into, out_of = self._reader.linked(reached)
            for name in sorted(out_of) if kind == "link" else ():
                yield *way, name
            for name in sorted(into) if len(way) == 1 else ():
                yield *way, reverse(name)

    def _surely(self, reading: Reading, way: Way, brought: Brought) -> list[float]:
        """Return how surely each relation of a way is brought to mind, if it gives such answers."""
        *before, last = [brought.surely(name) for name in _names(way)]
        gives = way[-1][:1] == REVERSED or self._guessing.answers(way[-1], reading.words)
        return [*before, gives * last]

    def _said(self, reading: Reading, way: Way, said: Sequence[float]) -> dict[str, float]:
        forwards, hop = way[-1][:1] != REVERSED, len(way) > 1
        answers = forwards and self._guessing.answers(way[-1], reading.words)
        return {
            "said": (forwards and not hop) * said[0],
            "answers": float(answers),
            "backwards": float(not forwards and not hop),
            "backwards said": (not forwards and not hop) * said[0],
            "hop ends back": float(not forwards and hop),
            "other names": float(not forwards and len(reading.arguments) > 1),
            "hop": float(hop),
            "back shared": float(_there_and_back(way) and not SHARING.isdisjoint(reading.words)),
            "hop back": float(hop and way[0][:1] == REVERSED),
            "hop on": float(max(0, len(way) - 2)),
            "hop said": hop * math.fsum(said) / len(said),
            "hop unsaid": float(hop and min(said) == 0),
        }

    def _possible(
        self, reading: Reading, brought: Brought, strength: float, argument: Argument, way: Way
    ) -> Possible:
        program = _program(argument, way)
        outcome = self._programs.run(program)
        features = {
            "means": strength,
            **self._said(reading, way, self._surely(reading, way, brought)),
            **_unsaid(way, brought),
            "fits": float(fits(reading.words, outcome.answers)),
            "many": math.log1p(len(outcome.answers)),
            "absent": float(not outcome.answers),
        }
        return Possible(program, outcome, features)


def _names(way: Way) -> list[str]:
    return [name.removeprefix(REVERSED) for name in way]


def _unsaid(way: Way, brought: Brought) -> dict[str, float]:
    """Return what speaks against a way: words of which it leaves something out."""
    names = _names(way)
    unheard, telling = brought.unheard(names), brought.telling
    return {
        "besides": brought.besides(names),
        "unheard": len(unheard) / max(1, len(telling)),
        "words unheard": float(len(unheard)),
    }


def _back(way: Way) -> bool:
    """Whether some step of a way is backwards."""
    return any(name[:1] == REVERSED for name in way)


def _there_and_back(way: Way) -> bool:
    """Whether a way leads to all that share something with what is named."""
    return len(way) > 1 and way[0][:1] != REVERSED and way[-1][:1] == REVERSED


def _program(argument: Argument, way: Way) -> Path | Having | OtherThan:
    named = Named(argument.names)
    if len(way) == 1 and _back(way):
        return Having(reverse(way[0]), named)
    path = Path(named, way)
    return OtherThan(path, named) if _there_and_back(way) else path


def probabilities(possible: Sequence[Possible], weights: Weights = WEIGHTS) -> list[float]:
    r"""Return how likely each is meant: the softmax of its weighed features, with one of none.

    $$p_i = \frac{e^{w \cdot x_i}}{e^b + \sum_j e^{w \cdot x_j}}$$
    """
    told = [math.exp(math.fsum(weights[n] * x for n, x in p.features.items())) for p in possible]
    total = math.exp(weights[NONE]) + math.fsum(told)
    return [one / total for one in told]
