"""A knowledge base that is asked in several processes: an interpreter uses one core at a time."""

import multiprocessing
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from memnets.experiments.jobs import end_with_parent
from memnets.inference.kb import KB
from memnets.kb.questions.judged import Given

ENOUGH = 100
"""Questions for which a process is worth starting: it opens the knowledge base anew."""


class Opening(NamedTuple):
    """How a knowledge base is opened; see `KB`."""

    path: Path
    trained: Path | None = None
    synonyms: Path | None = None

    def open(self) -> KB:
        """Open it."""
        return KB(self.path, self.trained, synonyms=self.synonyms)


def worth_starting(questions: int) -> int:
    """Return how many processes are worth starting: at most one a core."""
    return max(1, min(os.cpu_count() or 1, questions // ENOUGH))


@contextmanager
def asked_apart(
    opening: Opening, questions: Iterable[str], processes: int
) -> Iterator[Callable[[str], Given]]:
    """Let processes answer questions, which are handed out in their order.

    Args:
        opening: how each of them opens the knowledge base.
        questions: that will be asked.
        processes: how many there are.

    Yields:
        What returns the answer to one of the questions, when it is there.

    Raises:
        ChildProcessError: a process was ended from outside.
    """
    context = multiprocessing.get_context("spawn")
    texts = dict.fromkeys(questions)
    processes = min(processes, max(1, len(texts)))  # a pool makes room for each, however many
    with ProcessPoolExecutor(
        processes, mp_context=context, initializer=_open, initargs=(opening,)
    ) as pool:
        given = {text: pool.submit(_given, text) for text in texts}
        try:
            yield lambda question: given[question].result()
        except BrokenProcessPool:
            raise ChildProcessError(
                "A process that answered was ended from outside, for want of memory perhaps. Give "
                "the same command again, with --workers 1 where memory is short."
            ) from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


_opened: KB
"""Of this process."""


def _open(opening: Opening) -> None:
    global _opened
    end_with_parent()
    _opened = opening.open()


def _given(question: str) -> Given:
    return _opened.answerer.given(question)
