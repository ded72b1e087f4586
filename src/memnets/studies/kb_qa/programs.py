"""Questions of one fact or of several: programs beside the model, and how sure both are."""

from collections.abc import Mapping
from dataclasses import replace

from memnets.evidence import Answer
from memnets.kb.programs.parsing import Parser
from memnets.kb.programs.running import Outcome
from memnets.kb.programs.understood import Understood
from memnets.kb.questions.matching import StringMatcher
from memnets.studies.kb_qa.encoding import in_words
from memnets.studies.kb_qa.inference import RUNNERS_UP, UNSURE, KBAnswer, called, names_of
from memnets.studies.kb_qa.voices import Voices
from memnets.studies.kb_qa.weighing import LEAST, Weighed, weigh

SLIGHT = 0.01
"""A runner-up that is less likely is not told."""


def voices_of(
    answer: KBAnswer, parser: Parser, matcher: StringMatcher, labels: Mapping[str, str] = {}
) -> Voices:
    """Return what is made of a question in four ways.

    Args:
        answer: of the trained model, or of a question's words.
        parser: over the same KB.
        matcher: over the same KB.
        labels: the names of entities that were told apart from namesakes.
    """
    question = answer.answer.question
    matched = names_of(matcher.ask(question), labels)
    possible = parser.possibilities.of(question)
    return Voices(called(answer, labels), parser.parse(question), matched, labels, possible)


def with_programs(
    answer: KBAnswer, parser: Parser, matcher: StringMatcher, labels: Mapping[str, str] = {}
) -> KBAnswer:
    """Return what is likeliest right: the answer of the model, that of a program, or none.

    Args:
        answer, parser, matcher, labels: as of `voices_of`.
    """
    voices = voices_of(answer, parser, matcher, labels)
    answer, understood, *_ = voices
    weighed = weigh(voices)
    if not weighed:
        return answer
    best, *others = weighed
    if best.probability < LEAST:
        return _declined(answer, best)
    told = [one for one in others if one.probability >= SLIGHT][:RUNNERS_UP]
    rivals = tuple((in_words(one.objects), one.probability) for one in told)
    if {*best.objects} == {*answer.objects}:  # which may name the entity of each
        same = replace(answer.answer, probability=best.probability, runners_up=rivals)
        return replace(answer, answer=_understood(same, understood))
    if best.outcome:
        return _carried_out(answer, best, best.outcome, understood, parser, rivals)
    other = replace(
        answer.answer,
        text=in_words(best.objects),
        probability=best.probability,
        runners_up=rivals,
    )
    return replace(answer, answer=other, objects=best.objects)


def _declined(answer: KBAnswer, best: Weighed) -> KBAnswer:
    """Return no answer, with the likeliest one among those that were not given."""
    rivals = ((in_words(best.objects), best.probability),)
    if answer.declined:
        return replace(answer, answer=replace(answer.answer, runners_up=rivals))
    told = replace(answer.answer, text=UNSURE, probability=1 - best.probability, runners_up=rivals)
    return replace(answer, answer=told, objects=())


def _carried_out(
    answer: KBAnswer,
    best: Weighed,
    outcome: Outcome,
    understood: Understood,
    parser: Parser,
    rivals: tuple[tuple[str, float], ...],
) -> KBAnswer:
    """Return what the likeliest program gave, with the facts that it read."""
    told = replace(
        _understood(answer.answer, understood),
        text=in_words(best.objects),
        probability=best.probability,
        runners_up=rivals,
        steps=parser.programs.steps(outcome),
        caution=outcome.caution,
    )
    taken = tuple(one for one in answer.corrected if one[0] not in understood.words)
    return replace(answer, answer=told, objects=best.objects, corrected=taken)


def _understood(told: Answer, understood: Understood) -> Answer:
    """Return an answer without words of the question that a program explains."""
    unknown = tuple(one for one in told.unknown_words if one not in understood.words)
    return replace(told, unknown_words=unknown)
