"""What is made of a question in several ways, and the answers that these give."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memnets.kb.programs.operators import And, Named, Path
from memnets.kb.programs.possible import WEIGHTS, Possible, Weights, probabilities
from memnets.kb.programs.running import Outcome
from memnets.kb.programs.understood import Candidate, Understood
from memnets.studies.kb_qa.inference import KBAnswer, names_of

MOST_PROGRAMS = 5
"""So many of the programs that a question may mean give an answer each."""
MOST_MEANT = 6
"""Of what the names lead to, so many are options beside what is understood."""


class Voices(NamedTuple):
    """What was made of a question in four ways."""

    answer: KBAnswer
    """Of the model, or of the question's words."""
    understood: Understood
    """The programs that it may mean."""
    matched: tuple[str, ...]
    """What matching of strings answers; nothing where it declines."""
    labels: Mapping[str, str] = {}
    """The names of entities that were told apart from namesakes, by which all answer."""
    possible: Sequence[Possible] = ()
    """What may be asked of what it names."""


class Meant(NamedTuple):
    """What names lead to, by one program or by several."""

    objects: tuple[str, ...]
    probability: float
    """That it is meant, of all that they lead to and of none."""
    outcome: Outcome
    """Of the first program."""
    strongest: Possible
    """The program that is most strongly asked for."""


class Option(NamedTuple):
    """An answer that may be given."""

    objects: tuple[str, ...]
    outcome: Outcome | None = None
    """Of a program that gives it, where one does."""
    program: Candidate | None = None
    """The likeliest program that a question may mean and that gives it."""
    meant: Meant | None = None
    """The same as what names lead to."""


def meant_of(voices: Voices, weights: Weights = WEIGHTS) -> list[Meant]:
    """Return what the names of a question lead to, the likeliest first.

    Args:
        voices: what was made of it.
        weights: of what speaks for a program.
    """
    found: dict[frozenset[str], Meant] = {}
    for one, likely in zip(voices.possible, probabilities(voices.possible, weights), strict=True):
        objects = names_of(one.outcome.answers, voices.labels)
        known = found.get(frozenset(objects), Meant(objects, 0.0, one.outcome, one))
        strongest = max(known.strongest, one, key=lambda of: of.features["means"])
        likely += known.probability
        found[frozenset(objects)] = known._replace(probability=likely, strongest=strongest)
    return sorted(found.values(), key=lambda one: -one.probability)


def options(voices: Voices, meant: Sequence[Meant]) -> list[Option]:
    """Return what may be answered.

    Args:
        voices: what was made of a question.
        meant: all that its names lead to, the likeliest first.
    """
    programs = [
        (names_of(one.outcome.answers, voices.labels) if one.outcome else (), one)
        for one in voices.understood.candidates[:MOST_PROGRAMS]
    ]
    given = [(objects, one.outcome) for objects, one in programs[:1]]
    given += [(voices.answer.objects, None), (voices.matched, None)]
    given += [(one.objects, one.outcome) for one in meant[:MOST_MEANT]]
    given += [(objects, one.outcome) for objects, one in programs[1:]]
    first: dict[frozenset[str], tuple[tuple[str, ...], Outcome | None]] = {}
    for objects, outcome in given:
        if objects:
            first.setdefault(frozenset(objects), (objects, outcome))
    by_program = {frozenset(objects): one for objects, one in reversed(programs)}
    by_names = {frozenset(one.objects): one for one in meant}
    told_apart = {frozenset(objects) for objects, one in programs if objects and _tells_apart(one)}
    return [
        Option(objects, outcome, by_program.get(of), by_names.get(of))
        for of, (objects, outcome) in first.items()
        if not any(of > some for some in told_apart)
    ]


def _tells_apart(one: Candidate) -> bool:
    """Whether of several of a name some are meant, by what else is said: "the dessert Snowball".

    No answer is given of the others then.
    """
    start = one.program
    while isinstance(start, Path):
        start = start.start
    parts = start.parts if isinstance(start, And) and isinstance(one.program, Path) else ()
    return any(isinstance(part, Named) and len(part.names) > 1 for part in parts)
