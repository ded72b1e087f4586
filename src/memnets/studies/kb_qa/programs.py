"""Questions of several facts: a program in the place of "I don't know"."""

from collections.abc import Collection
from dataclasses import replace

from memnets.kb.programs.operators import Path, Program
from memnets.kb.programs.parsing import Candidate, Parser
from memnets.studies.kb_qa.encoding import in_words
from memnets.studies.kb_qa.inference import KBAnswer

SURE = 0.7
"""The probability that is told of a program's answer; it is not calibrated."""


def by_program(answer: KBAnswer, parser: Parser) -> KBAnswer:
    """Return what the likeliest program of a question gives, where one fact did not answer it.

    Args:
        answer: of the trained model; one that is given stays.
        parser: over the same KB.
    """
    if not answer.declined:
        return answer
    understood = parser.parse(answer.answer.question)
    best = next(iter(understood.candidates), None)
    if best is None or _is_one_fact(best.program):
        return answer
    return _carried_out(answer, best, understood.words, parser)


def _is_one_fact(program: Program) -> bool:
    """Whether a program is what the model has looked at already."""
    return isinstance(program, Path) and len(program.relations) == 1


def _carried_out(
    answer: KBAnswer, best: Candidate, words: Collection[str], parser: Parser
) -> KBAnswer:
    outcome = best.outcome
    if outcome is None or not outcome.answers:
        return answer
    told = replace(
        answer.answer,
        text=in_words(outcome.answers),
        probability=SURE,
        runners_up=(),
        unknown_words=tuple(one for one in answer.answer.unknown_words if one not in words),
        steps=parser.programs.steps(outcome),
        caution=outcome.caution,
    )
    return replace(answer, answer=told, objects=outcome.answers)
