"""How likely an answer is right: what is made of a question in several ways, weighed together."""

from typing import NamedTuple

from memnets.kb.linking.words import question_words
from memnets.kb.programs.possible import WEIGHTS, Weights
from memnets.kb.programs.running import Outcome
from memnets.kb.questions.relations import fits
from memnets.studies.kb_qa.clues import agreeing, clues
from memnets.studies.kb_qa.reranking import AnswerReranker, reranker
from memnets.studies.kb_qa.voices import Option, Voices, meant_of, options

MOST_STRANGE = 3.0
"""Where the words of a question are stranger than two unknown names, some do not decide alone."""
LEAST = 0.4
"""An answer that is less likely right is not given."""
ALONE = 0.9
"""No answer is surer that is given in one way alone: strangers ask less kindly than those did whose
questions were learnt from."""
BY_WORDS = 0.5
"""So sure at least is what the words leave no doubt of; what a user taught is as sure as it is."""
TOLD = 0.01
"""How likely an answer is right where nothing is asked."""


class Weighed(NamedTuple):
    """An answer and how likely it is right."""

    objects: tuple[str, ...]
    probability: float
    outcome: Outcome | None = None
    """Of the program that gave it, where one did."""


def weigh(
    voices: Voices, by: AnswerReranker | None = None, possible: Weights = WEIGHTS
) -> list[Weighed]:
    """Return what may be answered, the likeliest first.

    Args:
        voices: what was made of a question.
        by: what tells how likely each is right, if not what is part of this package.
        possible: weights of what speaks for a program over what is named.
    """
    meant = meant_of(voices, possible)
    found = options(voices, meant)
    if not found:
        return []
    likely = (by or reranker()).probabilities(*clues(voices, meant, found)).tolist()
    weighed = [
        Weighed(option.objects, _bounded(probability, option, voices), option.outcome)
        for option, probability in zip(found, likely, strict=True)
    ]
    return sorted(weighed, key=lambda one: -one.probability)


def _bounded(likely: float, option: Option, voices: Voices) -> float:
    """Return how likely an answer is right by what was not among what was learnt, too."""
    answer, understood, objects = voices.answer, voices.understood, option.objects
    if understood.told:
        return min(likely, TOLD)
    asked = question_words(answer.answer.question)
    known = understood.strange < MOST_STRANGE and (fits(asked, objects) or "many" not in asked)
    if sum(agreeing(option, voices)) < 2:
        likely = min(likely, ALONE)
    said = answer.by_words and {*objects} == {*answer.objects}
    if said and known and not understood.gives:
        likely = max(likely, answer.probability if answer.taught else BY_WORDS)
    # A name that is only similar may be another one: no answer about it is surer than that.
    return min(likely, answer.likeness)
