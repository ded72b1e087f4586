"""What may be asked of what a question names, whatever its other words are.

Few relations lead from a name or to it, so that "which of them were presents from Père Lachance"
can hardly ask for anything but what has him as `given_by`, though no word says so.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.guessing import ENOUGH, Guessing
from memnets.kb.programs.meaning import Meanings, Way
from memnets.kb.programs.operators import MOST_HOPS, Having, Named, Path
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
    "none": 0.866, "said": 1.250, "answers": -0.205, "fits": 1.321, "many": -0.725,
    "backwards": 0.193, "backwards said": -0.145, "other names": -1.922, "hop": 0.195,
    "hop said": 1.623, "hop unsaid": -0.726, "hop back": -2.007, "hop on": 0.335, "means": 0.740,
    "absent": -3.284,
}  # fmt: skip
"""Of each feature, as `python -m tools.weighing` fits them in a checkout of the repository."""


class Possible(NamedTuple):
    """A program of one relation, or of a path of them, that may be meant."""

    program: Path | Having
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
        ways = [self._ways(one) for one in reading.arguments]
        places = [(one.begin, one.end) for one in reading.arguments]
        names = {name.removeprefix(REVERSED) for some in ways for one in some for name in one}
        heard = self._heard(reading, names)
        strengths = self._meanings.of(reading.words, places, ways)
        found: list[tuple[float, Path | Having, dict[str, float]]] = []
        for argument, some, means in zip(reading.arguments, ways, strengths, strict=True):
            for way, strength in zip(some, means, strict=True):
                said = [heard.get(name.removeprefix(REVERSED), 0.0) for name in way]
                speaks = {"means": strength, **self._said(reading, way, said)}
                strength += WORTH * math.fsum(said) / len(said)
                found.append((strength, _program(argument, way), speaks))
        found.sort(key=lambda one: -one[0])
        return [self._possible(reading, program, said) for _, program, said in found[:TRIED]]

    def _ways(self, argument: Argument) -> list[Way]:
        """Return what leads from an argument and to it, and on from there.

        Relations that it does not have, and others have, may be asked for as well.
        """
        every = [one.relation for one in self._programs.columns]
        some = argument.out_of and len(every) <= MANY
        ways: list[Way] = [(name,) for name in sorted(every if some else argument.out_of)]
        ways += [(reverse(name),) for name in sorted(argument.into)]
        ends = [way for way in ways if way[0] in argument.out_of or way[0][:1] == REVERSED]
        for _ in range(1, MOST_HOPS):
            ends = [way for before in ends for way in self._further(argument, before)]
            ways += ends
        return ways

    def _further(self, argument: Argument, way: Way) -> Iterator[Way]:
        """Yield ways with one step more, which leads to something."""
        back = way[0][:1] == REVERSED
        if len(way) == 1 if back else self._programs.columns.of(way[-1]).kind == "link":
            reached = self._programs.run(Path(Named(argument.names), way)).answers
            for name in sorted(self._reader.out_of(reached)):
                yield *way, name

    def _heard(self, reading: Reading, names: set[str]) -> dict[str, float]:
        """Return how strongly words bring relations to mind, from 0 to 1."""
        strengths, _ = self._guessing.strengths(reading, frozenset(names))
        return {name: 1 - math.exp(-strength / ENOUGH) for name, strength in strengths.items()}

    def _said(self, reading: Reading, way: Way, said: Sequence[float]) -> dict[str, float]:
        forwards, hop = way[-1][:1] != REVERSED, len(way) > 1
        answers = forwards and self._guessing.answers(way[-1], reading.words)
        return {
            "said": (forwards and not hop) * said[0],
            "answers": float(answers),
            "backwards": float(not forwards),
            "backwards said": (not forwards) * said[0],
            "other names": float(not forwards and len(reading.arguments) > 1),
            "hop": float(hop),
            "hop back": float(hop and way[0][:1] == REVERSED),
            "hop on": float(max(0, len(way) - 2)),
            "hop said": hop * math.fsum(said) / len(said),
            "hop unsaid": float(hop and min(said) == 0),
        }

    def _possible(
        self, reading: Reading, program: Path | Having, speaks: Mapping[str, float]
    ) -> Possible:
        outcome = self._programs.run(program)
        fit = float(fits(reading.words, outcome.answers))
        many, absent = math.log1p(len(outcome.answers)), float(not outcome.answers)
        return Possible(program, outcome, {**speaks, "fits": fit, "many": many, "absent": absent})


def _program(argument: Argument, way: Way) -> Path | Having:
    named = Named(argument.names)
    back = len(way) == 1 and way[0][:1] == REVERSED
    return Having(reverse(way[0]), named) if back else Path(named, way)


def probabilities(possible: Sequence[Possible], weights: Weights = WEIGHTS) -> list[float]:
    r"""Return how likely each is meant: the softmax of its weighed features, with one of none.

    $$p_i = \frac{e^{w \cdot x_i}}{e^b + \sum_j e^{w \cdot x_j}}$$
    """
    told = [math.exp(math.fsum(weights[n] * x for n, x in p.features.items())) for p in possible]
    total = math.exp(weights[NONE]) + math.fsum(told)
    return [one / total for one in told]
