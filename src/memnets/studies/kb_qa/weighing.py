"""How likely an answer is right: what the model, the words and the programs say, weighed together.

A logistic regression whose weights were fitted to questions that were typed for this, about
knowledge bases that no table reports (`tools/weighing.py`). `MATCHED` and `ALONE` were set by hand,
after the totals of two that a table does report had been seen.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from memnets.kb.linking.naming import question_words
from memnets.kb.programs.operators import Path
from memnets.kb.programs.understood import Understood
from memnets.kb.questions.relations import fits
from memnets.studies.kb_qa.inference import KBAnswer, names_of

MOST_SCORE, MOST_MARGIN, MOST_GUESSED = 6.0, 2.0, 3.0
"""Beyond these a program is no surer."""
MOST_STRANGE = 3.0
"""Where the words of a question are stranger than two unknown names, some do not decide alone."""
LEAST = 0.5
"""An answer that is less likely right is not given."""
WEIGHTS = {
    "1": -0.940, "words": 0.882, "model": 1.204, "all learnt": 0.558, "other words": -0.220,
    "model declines": 0.095, "program": 1.901, "score": 0.204, "margin": 0.874, "single": -0.740,
    "other program": -1.266, "other margin": -0.908, "empty": -0.076, "surely empty": -0.335,
    "strange": -1.231, "matching": 0.475, "unfit": -0.942, "unread": -1.079, "unsaid": 0.148,
    "guess": -0.720, "guessed": 0.603, "equal": -0.305, "unheard": -1.447, "strays": -0.048,
    "counted": -0.177, "rivals": -0.223, "misspelt": -0.183, "names": -0.477, "many": -0.602,
}  # fmt: skip
"""Of each feature, as `python -m tools.weighing` fits them in a checkout of the repository."""
MATCHED = 0.6
"""How sure matching of strings is where nothing else says anything."""
ALONE = 0.9
"""No answer is surer that is given in one way alone: that another way agrees is not weighed enough
by questions that are kinder than a stranger's."""


@dataclass(frozen=True)
class Weighed:
    """An answer and how likely it is right."""

    objects: tuple[str, ...]
    probability: float
    of_program: bool


class Voices(NamedTuple):
    """What was made of a question in three ways."""

    answer: KBAnswer
    """Of the model, or of the question's words."""
    understood: Understood
    """The programs that it may mean."""
    matched: tuple[str, ...]
    """What matching of strings answers; nothing where it declines."""
    labels: Mapping[str, str] = {}
    """The names of entities that were told apart from namesakes, by which all answer."""


def options(voices: Voices) -> list[tuple[tuple[str, ...], bool]]:
    """Return what may be answered, each with whether it is of a program."""
    given = _of_program(voices)
    found = {frozenset(given): (given, True)} if given else {}
    for objects in (voices.answer.objects, voices.matched):
        if objects:
            found.setdefault(frozenset(objects), (objects, False))
    return list(found.values())


def _of_program(voices: Voices) -> tuple[str, ...]:
    first = next(iter(voices.understood.candidates), None)
    return names_of(first.outcome.answers, voices.labels) if first and first.outcome else ()


def weigh(voices: Voices, weights: Mapping[str, float] = WEIGHTS) -> list[Weighed]:
    """Return what may be answered, the likeliest first."""
    answer, understood, matched, _ = voices
    given = _of_program(voices)
    found = []
    for objects, of_program in options(voices):
        likely = probability(features(objects, voices), weights)
        if sum({*one} == {*objects} for one in (given, answer.objects, matched)) == 1:
            likely = min(likely, ALONE)
        asked = question_words(answer.answer.question)
        known = understood.strange < MOST_STRANGE and (fits(asked, objects) or "many" not in asked)
        if answer.by_words and known and not given and {*objects} == {*answer.objects}:
            likely = max(likely, answer.probability)  # a word that was taught, say
        if not understood.candidates and not answer.objects:
            likely = max(likely, MATCHED)
        # A name that is only similar may be another one: no answer about it is surer than that.
        found.append(Weighed(objects, min(likely, answer.likeness), of_program))
    return sorted(found, key=lambda one: -one.probability)


def features(objects: tuple[str, ...], voices: Voices) -> dict[str, float]:
    """Return what speaks for an answer, and against it."""
    answer, understood, matched, labels = voices
    doubts = understood.doubts
    candidates = understood.candidates
    first = candidates[0] if candidates else None
    best = _of_program(voices)
    others = (
        one.score
        for one in candidates[1:]
        if one.outcome and {*names_of(one.outcome.answers, labels)} != {*best}
    )
    margin = min(first.score - max(others, default=0.0), MOST_MARGIN) if first else 0.0
    told = {*answer.objects} == {*objects}
    by_program = {*best} == {*objects}
    score = min(first.score, MOST_SCORE) if first else 0.0
    path = first.program if first else None
    single = isinstance(path, Path) and len(path.relations) == 1
    return {
        "1": 1.0,
        "words": float(told and answer.by_words),
        "model": told * answer.probability,
        "all learnt": float(told and not answer.answer.unknown_words),
        "other words": float(bool(answer.objects) and not told and answer.by_words),
        "model declines": (not answer.objects) * answer.probability,
        "program": float(by_program),
        "score": by_program * score,
        "margin": by_program * margin,
        "single": float(by_program and single),
        "other program": float(bool(best) and not by_program),
        "other margin": (bool(best) and not by_program) * margin,
        "empty": float(first is not None and not best),
        "surely empty": (first is not None and not best) * score,
        "strange": understood.strange,
        "matching": float({*matched} == {*objects}),
        "unfit": float(not fits(question_words(answer.answer.question), objects)),
        "unread": by_program * doubts.unread,
        "unsaid": by_program * doubts.unsaid,
        "guess": float(by_program and doubts.guessed > 0),
        "guessed": by_program * min(doubts.guessed, MOST_GUESSED),
        "equal": by_program * doubts.equal,
        "unheard": by_program * doubts.unheard,
        "strays": float(by_program and doubts.strays),
        "counted": float(by_program and doubts.guessed > 0 and best in (("0",), ("1",))),
        "rivals": by_program * math.log1p(doubts.rivals),
        "misspelt": float(by_program and doubts.misspelt),
        "names": float(doubts.names > 0),
        "many": math.log1p(len(objects)),
    }


def probability(found: Mapping[str, float], weights: Mapping[str, float] = WEIGHTS) -> float:
    """Return the probability of what speaks for an answer."""
    return 1 / (1 + math.exp(-sum(weights[name] * value for name, value in found.items())))
