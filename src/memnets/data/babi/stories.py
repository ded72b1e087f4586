"""The records of bAbI: a story is statements and questions, in the order they are told."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Statement:
    """Something told, e.g. line 1, "Mary moved to the bathroom."."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """Something asked, with its answer and the lines that prove it.

    Args:
        line: its number in the story; questions consume numbers too.
        text: the question with its question mark.
        answer: as written; several answers are joined by a comma ("apple,milk") and are one class.
        supports: line numbers of the evidence in the file's order, which carries meaning.
        before_tab: what parts the question from the TAB: a space in tasks 1-3 and 5-14 of the
            official files, nothing in the others.
    """

    line: int
    text: str
    answer: str
    supports: tuple[int, ...]
    before_tab: str = " "


@dataclass(frozen=True, slots=True)
class Story:
    """One story of a task.

    Args:
        items: statements and questions as told.
        task: 1 to 20, or 0 where the source does not say.
        source: the file it was read from, or "generated:..." for generated stories.
        line: the line of that file where the story starts, counted from 1.
    """

    items: tuple[Statement | Question, ...]
    task: int
    source: str
    line: int

    @property
    def questions(self) -> tuple[Question, ...]:
        return tuple(item for item in self.items if isinstance(item, Question))

    def statements_before(self, question: Question) -> tuple[Statement, ...]:
        """The memory of a question: what was told before it; earlier questions are no memories."""
        return tuple(
            item for item in self.items if isinstance(item, Statement) and item.line < question.line
        )

    def asked(self) -> Iterator[tuple[tuple[Statement, ...], Question]]:
        """Each question with the statements told before it."""
        told: list[Statement] = []
        for item in self.items:
            if isinstance(item, Statement):
                told.append(item)
            else:
                yield tuple(told), item


_DROPPED = str.maketrans("", "", ".?")


def tokens(text: str) -> tuple[str, ...]:
    r"""Split a sentence into the words that published figures count.

    Lower case, "." and "?" dropped and nothing else, split on white space: "apple,milk" stays one
    word. Much public code writes ``re.split("(\W+)?", text)`` instead; since Python 3.7 that
    pattern matches the empty string and returns single characters and ``None``. Never use it.
    """
    return tuple(text.lower().translate(_DROPPED).split())
