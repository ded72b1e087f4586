"""Questions about a story that somebody tells, or a data set: for all models of stories."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memnets.data.babi import Question, Statement, Story
from memnets.data.qa.asked import ANY_KIND, AskedQuestion
from memnets.data.qa.judged import Judged
from memnets.evidence import Step, Support

YOURS = "the story you told"
"""Where a story that somebody tells stands."""
QUESTIONS = "lines with a question and its answer, N question?<TAB>answer<TAB>line numbers"
"""What a file of stories holds besides what is told."""


class Asked(NamedTuple):
    """A question, the story before it, and what is known of the answer.

    Attributes:
        context: the sentences of the story, oldest first.
        question: what is asked.
        gold: the right answer, where it is known.
        gold_slots: which sentences (from 0) prove it, where that is known.
    """

    context: Sequence[str]
    question: str
    gold: str | None = None
    gold_slots: frozenset[int] | None = None

    @classmethod
    def of(cls, story: Story, question: Question) -> "Asked":
        """Return a question of a data set."""
        told = story.statements_before(question)
        slots = frozenset(slot for slot, line in enumerate(told) if line.line in question.supports)
        return cls([line.text for line in told], question.text, question.answer.lower(), slots)

    def story(self) -> Story:
        """Return a story that ends in the question."""
        lines = [Statement(line, text) for line, text in enumerate(self.context, start=1)]
        asked = Question(len(lines) + 1, self.question, self.gold or "", ())
        return Story((*lines, asked), 0, YOURS, 1)

    def step(self, name: str, weights: Iterable[float], unread: int = 0) -> Step:
        """Return what was read of the story at once, the right sentences marked if known.

        Args:
            name: of the step.
            weights: of the sentences that were read.
            unread: how many stand before them.
        """
        supports = tuple(
            Support(
                slot,
                self.context[slot],
                weight,
                None if self.gold_slots is None else slot in self.gold_slots,
            )
            for slot, weight in enumerate(weights, start=unread)
        )
        return Step(name, supports)

    def check(self, known: bool, words: Sequence[str]) -> None:
        """Refuse a question without a story, or none of whose words is known.

        Args:
            known: whether any word of the question is.
            words: all that are.

        Raises:
            ValueError: it is so.
        """
        if not self.context:
            raise ValueError(
                f'"{self.question}" came before any sentence was told. Tell the story first, one '
                f"sentence a line."
            )
        if not known:
            raise ValueError(
                f'"{self.question}" holds no word that this model knows. It was trained on '
                f"{len(words)} words, for example: {', '.join(words[:7])}."
            )


def judged_stories(stories: Iterable[Story], given: Iterable[tuple[str, float]]) -> list[Judged]:
    """Judge the answers to all questions of stories; the order of an answer's words counts.

    Args:
        stories: with the right answers.
        given: to each question, one story after the other: an answer and its probability.
    """
    asked = [(story.task, question) for story in stories for question in story.questions]
    return [
        Judged(
            AskedQuestion(question.text, (question.answer,), f"task {task}" if task else ANY_KIND),
            (text,),
            probability,
            text == question.answer.lower(),
        )
        for (task, question), (text, probability) in zip(asked, given, strict=True)
    ]
