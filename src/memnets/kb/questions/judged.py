"""Answers to questions of a file, judged: right, declined, wrong, and wrong though sure."""

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

from memnets.data.qa.asked import AskedQuestion
from memnets.kb.linking.naming import question_words

SURE = 0.9
"""The probability above which a wrong answer misleads."""
ALL = "all"

Given = tuple[Sequence[str], float]
"""All that was answered, nothing where it was declined, and its probability."""
Verdict = Literal["right", "declined", "wrong"]


class Judged(NamedTuple):
    """A question with the answer that it was given."""

    asked: AskedQuestion
    given: tuple[str, ...]
    probability: float

    @property
    def verdict(self) -> Verdict:
        """Right is an answer with all objects and no other, or none where there is none.

        Case, accents and punctuation do not count.
        """
        if _plain(self.given) == _plain(self.asked.answers):
            return "right"
        return "wrong" if self.given else "declined"


class Tally(NamedTuple):
    """How many questions of a kind were answered how."""

    kind: str
    asked: int
    right: int
    declined: int
    """Of those that have an answer."""
    wrong: int
    sure: int
    """Wrong with a probability above `SURE`."""


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
        judged.append(Judged(question, tuple(objects), probability))
        tell(number)
    return judged


def tallies(judged: Sequence[Judged]) -> list[Tally]:
    """Count by kind, in the order in which kinds first come; all together come last."""
    kinds = dict.fromkeys(one.asked.kind for one in judged)
    rows = [_tally(kind, [one for one in judged if one.asked.kind == kind]) for kind in kinds]
    return rows if len(rows) == 1 else [*rows, _tally(ALL, judged)]


def _tally(kind: str, judged: Sequence[Judged]) -> Tally:
    verdicts = [one.verdict for one in judged]
    sure = sum(one.verdict == "wrong" and one.probability > SURE for one in judged)
    return Tally(
        kind,
        asked=len(judged),
        right=verdicts.count("right"),
        declined=verdicts.count("declined"),
        wrong=verdicts.count("wrong"),
        sure=sure,
    )


def _plain(answers: Iterable[str]) -> frozenset[str]:
    return frozenset(" ".join(question_words(answer)) for answer in answers)
