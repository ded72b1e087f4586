"""How likely an answer is right: what the model, the words and the programs say, weighed together.

A logistic regression whose weights were fitted to questions that were typed for this, about
knowledge bases that no table reports (`tools/weighing.py`). `MATCHED` and `ALONE` were set by hand,
after the totals of two that a table does report had been seen.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memnets.kb.linking.naming import question_words
from memnets.kb.programs.operators import Path
from memnets.kb.programs.possible import Possible, Weights, probabilities, weights_of
from memnets.kb.programs.running import Outcome
from memnets.kb.programs.understood import Understood
from memnets.kb.questions.relations import fits
from memnets.studies.kb_qa.inference import KBAnswer, names_of

MOST_SCORE, MOST_MARGIN, MOST_GUESSED = 6.0, 2.0, 3.0
"""Beyond these a program is no surer."""
MOST_MEANS = 10.0
"""Beyond this, either way, a relation is no more asked for."""
MOST_STRANGE = 3.0
"""Where the words of a question are stranger than two unknown names, some do not decide alone."""
MOST_MEANT = 3
"""Of what the names lead to, so many are options beside what is understood."""
UNLIKELY = 0.01
"""Less likely is the same."""
LEAST = 0.45
"""An answer that is less likely right is not given."""
SMALL = {
    "1": -1.580, "words": 1.482, "model": -0.166, "all learnt": 0.827, "other words": 0.057,
    "model declines": 0.015, "program": 4.197, "score": 0.035, "margin": -0.080, "single": -2.178,
    "other program": 0.062, "other margin": -0.831, "empty": 0.363, "surely empty": -0.240,
    "strange": -1.266, "other strange": 0.300, "matching": -1.620, "unfit": -0.986,
    "unread": -1.052, "unsaid": -1.687, "guess": -0.742, "guessed": 0.116, "equal": 0.628,
    "unheard": -1.402, "strays": -0.129, "counted": -0.528, "rivals": -0.608, "misspelt": 0.366,
    "names": -0.812, "many": 3.598, "very many": -1.431, "margin meant": -0.271,
    "single meant": 1.657, "meant": 1.050, "log meant": -0.092, "log likely": 1.140,
    "other meant": -0.956, "not meant": 1.768, "means": 0.060, "only meant": -0.029,
}  # fmt: skip
"""Of each feature, as `python -m tools.weighing` fits them in a checkout of the repository."""
LARGE = {
    "1": -1.222, "words": 1.522, "model": -0.290, "all learnt": 0.861, "other words": 0.226,
    "model declines": 0.068, "program": 4.233, "score": 0.027, "margin": -0.170, "single": -2.288,
    "other program": 0.029, "other margin": -0.760, "empty": 0.497, "surely empty": -0.166,
    "strange": -1.379, "other strange": 0.356, "matching": -1.905, "unfit": -1.220,
    "unread": -1.259, "unsaid": -1.583, "guess": -0.243, "guessed": -0.010, "equal": 0.034,
    "unheard": -1.370, "strays": 0.127, "counted": -0.578, "rivals": -0.536, "misspelt": 0.366,
    "names": -0.847, "many": 3.411, "very many": -1.357, "margin meant": -0.306,
    "single meant": 2.042, "meant": 0.892, "log meant": 0.046, "log likely": 1.150,
    "other meant": -1.038, "not meant": 2.132, "means": 0.048, "only meant": -0.163,
}  # fmt: skip
"""The same where the large ranker tells what questions mean."""
TOLD = 0.01
"""How likely an answer is right where nothing is asked."""
MATCHED = 0.6
"""How sure matching of strings is where nothing else says anything."""
ALONE = 0.9
"""No answer is surer that is given in one way alone: that another way agrees is not weighed enough
by questions that are kinder than a stranger's."""


class Weighed(NamedTuple):
    """An answer and how likely it is right."""

    objects: tuple[str, ...]
    probability: float
    outcome: Outcome | None = None
    """Of the program that gave it, where one did."""
    means: float = 0.0
    """How strongly it is asked for, as the ranker of relations tells."""


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
    large: bool = False
    """Whether the large ranker of relations told what it means."""


def meant_of(voices: Voices, weights: Weights | None = None) -> list[Weighed]:
    """Return what the names of a question lead to, the likeliest first.

    Args:
        voices: what was made of it.
        weights: of what speaks for a program, if not those that were fitted.
    """
    weights = weights_of(voices.large) if weights is None else weights
    found: dict[frozenset[str], Weighed] = {}
    for one, likely in zip(voices.possible, probabilities(voices.possible, weights), strict=True):
        objects = names_of(one.outcome.answers, voices.labels)
        new = Weighed(objects, 0.0, one.outcome, one.features["means"])
        known = found.get(frozenset(objects), new)
        means = max(known.means, one.features["means"])
        likely += known.probability
        found[frozenset(objects)] = known._replace(probability=likely, means=means)
    return sorted(found.values(), key=lambda one: -one.probability)


def options(
    voices: Voices, meant: Sequence[Weighed]
) -> list[tuple[tuple[str, ...], Outcome | None]]:
    """Return what may be answered, each with the outcome of the program that gives it.

    Args:
        voices: what was made of a question.
        meant: what its names lead to, the likeliest first.
    """
    first = next(iter(voices.understood.candidates), None)
    found: dict[frozenset[str], tuple[tuple[str, ...], Outcome | None]] = {}
    for objects, outcome in (
        (_of_program(voices), first.outcome if first else None),
        (voices.answer.objects, None),
        (voices.matched, None),
        *((one.objects, one.outcome) for one in meant[:MOST_MEANT]),
    ):
        if objects:
            found.setdefault(frozenset(objects), (objects, outcome))
    return list(found.values())


def _of_program(voices: Voices) -> tuple[str, ...]:
    first = next(iter(voices.understood.candidates), None)
    return names_of(first.outcome.answers, voices.labels) if first and first.outcome else ()


def weigh(
    voices: Voices, weights: Weights | None = None, possible: Weights | None = None
) -> list[Weighed]:
    """Return what may be answered, the likeliest first.

    Args:
        voices: what was made of a question.
        weights: of what speaks for an answer, if not those that were fitted.
        possible: of what speaks for a program over what is named, likewise.
    """
    if weights is None:
        weights = LARGE if voices.large else SMALL
    answer, understood, matched, *_ = voices
    given, meant = _of_program(voices), meant_of(voices, possible)
    found = []
    for objects, outcome in options(voices, meant):
        likely = probability(features(objects, voices, meant), weights)
        if sum({*one} == {*objects} for one in (given, answer.objects, matched)) < 2:
            likely = min(likely, ALONE)
        asked = question_words(answer.answer.question)
        known = understood.strange < MOST_STRANGE and (fits(asked, objects) or "many" not in asked)
        if answer.by_words and known and not given and {*objects} == {*answer.objects}:
            likely = max(likely, answer.probability)  # a word that was taught, say
        if not understood.candidates and not answer.objects and {*objects} == {*matched}:
            likely = max(likely, MATCHED)
        if understood.told:
            likely = min(likely, TOLD)
        # A name that is only similar may be another one: no answer about it is surer than that.
        found.append(Weighed(objects, min(likely, answer.likeness), outcome))
    return sorted(found, key=lambda one: -one.probability)


def features(
    objects: tuple[str, ...], voices: Voices, meant: Sequence[Weighed] = ()
) -> dict[str, float]:
    """Return what speaks for an answer, and against it.

    Args:
        objects: the answer.
        voices: what was made of the question.
        meant: what its names lead to.
    """
    answer, understood, matched, labels, *_ = voices
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
    of_meaning = _of_meaning(objects, meant, (best, answer.objects, matched))
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
        "strange": by_program * understood.strange,
        "other strange": (not by_program) * understood.strange,
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
        "very many": math.log1p(len(objects)) ** 2,
        "margin meant": by_program * margin * of_meaning["log meant"],
        "single meant": (by_program and single) * of_meaning["meant"],
        **of_meaning,
    }


def _of_meaning(
    objects: tuple[str, ...],
    meant: Sequence[Weighed],
    others: Sequence[tuple[str, ...]],
) -> dict[str, float]:
    """Return what speaks for an answer, and against it, of all that the names lead to."""
    own = next((one for one in meant if {*one.objects} == {*objects}), None)
    likely = own.probability if own else 0.0
    any_ = math.fsum(one.probability for one in meant) or 1.0
    rivals = (one.probability for one in meant if one is not own)
    return {
        "meant": likely / any_,
        "log meant": math.log(likely / any_ + UNLIKELY),
        "log likely": math.log(likely + UNLIKELY),
        "other meant": max(rivals, default=0.0) / any_,
        "not meant": float(own is None),
        "means": max(-MOST_MEANS, min(own.means, MOST_MEANS)) if own else 0.0,
        "only meant": float(all({*one} != {*objects} for one in others)),
    }


def probability(found: Mapping[str, float], weights: Weights = SMALL) -> float:
    """Return the probability of what speaks for an answer."""
    return 1 / (1 + math.exp(-sum(weights[name] * value for name, value in found.items())))
