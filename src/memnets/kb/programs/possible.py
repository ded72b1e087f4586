"""What may be asked of what a question names, whatever its other words are.

Few relations lead from a name or to it, so that "which of them were presents from Père Lachance"
can hardly ask for anything but what has him as `given_by`, though no word says so.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.guessing import ENOUGH, Guessing
from memnets.kb.programs.meaning import Meanings
from memnets.kb.programs.operators import Having, Named, Path
from memnets.kb.programs.reading import Reader, Reading
from memnets.kb.programs.running import Outcome, Programs
from memnets.kb.questions.relations import fits

NONE = "none"
"""The weight of nothing that is named being asked for in this way."""
Weights = Mapping[str, float]
WEIGHTS: Weights = {
    "none": 4.343, "said": 4.491, "answers": -0.052, "fits": 1.669, "many": -0.189,
    "backwards": 0.949, "backwards said": 2.550, "other names": -1.910,
}  # fmt: skip
"""Of each feature, as `python -m tools.weighing` fits them in a checkout of the repository."""
WITH_ENCODER: Weights = {
    "none": 4.776, "said": 3.013, "answers": -0.081, "fits": 1.530, "many": -0.308,
    "backwards": 1.095, "backwards said": 1.799, "other names": -1.707, "means": 2.020,
    "means objects": 3.032, "backwards means": 2.728,
}  # fmt: skip
"""The same where an encoder of sentences tells what questions mean."""


class Possible(NamedTuple):
    """A program of one relation that may be meant."""

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
        meanings: compares questions with plain ones, where there is an encoder of sentences.
    """

    def __init__(
        self,
        reader: Reader,
        guessing: Guessing,
        programs: Programs,
        meanings: Meanings | None = None,
    ) -> None:
        self._reader, self._guessing, self._programs = reader, guessing, programs
        self._meanings, self.encoded = meanings, meanings is not None

    def of(self, question: str) -> list[Possible]:
        """Return each relation that leads from what is named, or to it, with what it gives."""
        reading = self._reader.read(question)
        own = frozenset().union(*(one.out_of | one.into for one in reading.arguments))
        strengths, _ = self._guessing.strengths(reading, own)
        said = {name: 1 - math.exp(-strength / ENOUGH) for name, strength in strengths.items()}
        found: list[Possible] = []
        if not reading.arguments:
            return found
        places = [(one.begin, one.end) for one in reading.arguments]
        meant: Sequence[Mapping[str, tuple[float, ...]]] = [{}] * len(places)
        if self._meanings:
            meant = self._meanings.of(reading.words, places, own)
        for argument, means in zip(reading.arguments, meant, strict=True):
            for relation, program in _about(argument):
                outcome = self._programs.run(program)
                speaks = self._features(reading, relation, program, outcome, said)
                speaks |= _meant(means[relation], program) if means else {}
                found.append(Possible(program, outcome, speaks))
        return found

    def _features(
        self,
        reading: Reading,
        relation: str,
        program: Path | Having,
        outcome: Outcome,
        said: Mapping[str, float],
    ) -> dict[str, float]:
        backwards = isinstance(program, Having)
        heard, answers = said.get(relation, 0.0), self._guessing.answers(relation, reading.words)
        return {
            "said": (not backwards) * heard,
            "answers": float(not backwards and answers),
            "fits": float(fits(reading.words, outcome.answers)),
            "many": math.log1p(len(outcome.answers)),
            "backwards": float(backwards),
            "backwards said": backwards * heard,
            "other names": float(backwards and len(reading.arguments) > 1),
        }


def _about(argument: Argument) -> Iterator[tuple[str, Path | Having]]:
    """Yield the relations that lead from an argument and to it, each with what reads it."""
    named = Named(argument.names)
    for relation in sorted(argument.out_of):
        yield relation, Path(named, (relation,))
    for relation in sorted(argument.into):
        yield relation, Having(relation, named)


def _meant(cosines: tuple[float, ...], program: Path | Having) -> dict[str, float]:
    plain, with_objects, backwards = cosines
    leads = isinstance(program, Path)
    return {
        "means": leads * plain,
        "means objects": leads * with_objects,
        "backwards means": (not leads) * backwards,
    }


def weights_of(encoded: bool) -> Weights:
    """Return the weights of what speaks for a program, with an encoder of sentences or without."""
    return WITH_ENCODER if encoded else WEIGHTS


def probabilities(possible: Sequence[Possible], weights: Weights) -> list[float]:
    r"""Return how likely each is meant: the softmax of its weighed features, with one of none.

    $$p_i = \frac{e^{w \cdot x_i}}{e^b + \sum_j e^{w \cdot x_j}}$$
    """
    told = [math.exp(math.fsum(weights[n] * x for n, x in p.features.items())) for p in possible]
    total = math.exp(weights[NONE]) + math.fsum(told)
    return [one / total for one in told]
