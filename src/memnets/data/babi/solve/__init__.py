"""A reader that knows only the text answers every question and names the lines that prove it.

It shares nothing with the generator: it searches the sentences, where the generator keeps books.
So it checks the books, and the official labels too. One solver a task.
"""

from collections.abc import Sequence

from memnets.data.babi.solve.solvers import SOLVERS, Solved
from memnets.data.babi.stories import Statement

__all__ = ["SOLVERS", "Solved", "solve"]


def solve(task: int, told: Sequence[Statement], question: str) -> Solved:
    """Answer a question from the statements told before it.

    Args:
        task: one of `SOLVERS`.
        told: the memory of the question, as `Story.asked` gives it.
        question: its text with the question mark.

    Raises:
        ValueError: the task has no solver, or the text is not one that its solver understands.
    """
    if task not in SOLVERS:
        raise ValueError(
            f"task={task!r}: there is no solver for this task. "
            f"Choose one of {', '.join(map(str, SOLVERS))}."
        )
    return SOLVERS[task](told, question)
