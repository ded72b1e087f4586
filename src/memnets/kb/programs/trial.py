"""The likeliest programs, carried out: which have an answer, and one that fits."""

from collections.abc import Sequence

from memnets.kb.programs.hops import Scored
from memnets.kb.programs.operators import And, Count, Named, Path, Program
from memnets.kb.programs.reading import Reading
from memnets.kb.programs.running import Outcome, Programs
from memnets.kb.programs.understood import Candidate
from memnets.kb.questions.relations import fits

TRIED = 12
"""Of the programs that explain most so many are carried out, to prefer those with an answer."""
EMPTY = 0.75
"""What a program loses that gives nothing, in words explained."""
UNFIT = 2.0
"""What it loses whose answers the asking word rules out: "when" for a name, say."""


class Trial:
    """Carries programs out, and ranks them by what comes of it.

    Args:
        programs: by which they are carried out.
    """

    def __init__(self, programs: Programs) -> None:
        self._programs = programs

    def of(self, ranked: Sequence[Scored], reading: Reading) -> tuple[Candidate, ...]:
        """Return programs that were tried, the best first, and the others behind them.

        Args:
            ranked: programs with how much of a question they explain, most first.
            reading: of the question.
        """
        tried = [self._tried(program, score, reading) for program, score in ranked[:TRIED]]
        rest = (Candidate(program, score - EMPTY) for program, score in ranked[TRIED:])
        return (*sorted(tried, key=lambda one: -one.score), *rest)

    def _tried(self, program: Program, score: float, reading: Reading) -> Candidate:
        outcome = self._programs.run(program)
        empty = not outcome.answers or (isinstance(program, Count) and outcome.answers == ("0",))
        rivalled = empty and self._is_rivalled(program, reading)
        unfit = not fits(reading.words, outcome.answers) or _is_named(program, outcome, reading)
        told = empty and self._is_surely_asked(program, reading)
        lost = EMPTY * (empty - told + rivalled) + UNFIT * unfit
        return Candidate(program, score - lost, outcome)

    def _is_surely_asked(self, program: Program, reading: Reading) -> bool:
        """Whether one relation of what is named is asked by its name: it may well have none."""
        if not isinstance(program, Path) or not isinstance(program.start, Named):
            return False
        said = [one for one in reading.asked if not one.hints]
        sure = len(said) == 1 and said[0].options[:1] == ((program.relations[0], 1.0),)
        return sure and len(program.relations) == 1 and len(program.start.names) == 1

    def _is_rivalled(self, program: Program, reading: Reading) -> bool:
        """Whether the words of a first hop say another as surely, and only that leads somewhere.

        "Lies" says `lies on river`, and `lies in` of what lies on none.
        """
        if not isinstance(program, Path) or not isinstance(program.start, Named):
            return False
        first = program.relations[0]
        said = (one.options.surely.weights for one in reading.asked)
        rivals = {name for names in said if first in names for name in names}
        one_hop = {name: Path(program.start, (name,)) for name in rivals}
        leading = {name for name, path in one_hop.items() if self._programs.run(path).answers}
        return bool(leading) and first not in leading


def _is_named(program: Program, outcome: Outcome, reading: Reading) -> bool:
    """Whether only what a question names comes out again: "Ada the welder", Ada's boss's staff."""
    starts = [one.names for one in reading.arguments if one.out_of]
    if isinstance(program, Path):  # one of several of a name may well lead to another of them
        starts = [names for names in starts if len(names) == 1]
    named = {name for names in starts for name in names}
    there = isinstance(program, And | Path) and bool(outcome.answers)
    return there and named.issuperset(outcome.answers)
