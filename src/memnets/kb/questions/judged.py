"""Answers of a knowledge base to questions of a file, judged by the names that they give."""

from collections.abc import Callable, Iterable, Sequence

from memnets.data.qa.asked import AskedQuestion
from memnets.data.qa.judged import Judged
from memnets.kb.linking.words import question_words

Given = tuple[Sequence[str], float]
"""All that was answered, nothing where it was declined, and its probability."""


def judge(
    questions: Iterable[AskedQuestion],
    ask: Callable[[str], Given],
    tell: Callable[[int], None] = lambda _: None,
) -> list[Judged]:
    """Ask questions, and judge the answers; nothing is answered to one without words.

    Args:
        questions: with the right answers.
        ask: returns what is answered to a question, and how probable it is.
        tell: is told how many were asked so far.
    """
    judged = []
    for number, question in enumerate(questions, start=1):
        told = question_words(question.text)  # asking refuses a question without any
        objects, probability = ask(question.text) if told else ((), 0.0)
        judged.append(compared(question, objects, probability))
        tell(number)
    return judged


def compared(asked: AskedQuestion, given: Sequence[str], probability: float) -> Judged:
    """Judge an answer: right is one with all objects and no other, or none where there is none.

    Case, accents and punctuation do not count.
    """
    return Judged(asked, tuple(given), probability, _plain(given) == _plain(asked.answers))


def _plain(answers: Iterable[str]) -> frozenset[str]:
    return frozenset(" ".join(question_words(answer)) for answer in answers)
