"""`memnets kb eval`: questions of one's own, asked of a knowledge base and judged."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.console import Console

from memnets.cli.judged import ask_all, check_files, tally_table, write_files
from memnets.cli.streams import print_json
from memnets.cli.terminal import say
from memnets.data.qa.asked import read_asked
from memnets.data.qa.judged import tallies
from memnets.inference.processes import Opening, asked_apart, worth_starting
from memnets.kb.questions.judged import Given
from memnets.kb.questions.matching import StringMatcher


@dataclass(frozen=True)
class Evaluate:
    """Ask a knowledge base the questions of a file, and count right, declined and wrong answers.

    The file has a line a question: question, a TAB, and its answers, parted by " | ", none where
    the question cannot be answered. Its first line names the columns: question, answers and, if you
    like, kind. An answer is right if it names all of them and nothing else.
    """

    kb: tyro.conf.Positional[Path]
    """Folder of the knowledge base, built and trained."""
    questions: tyro.conf.Positional[Path]
    """File of the questions."""
    trained: Path | None = None
    """Folder of the trained model; by default KB.trained, beside the knowledge base."""
    synonyms: Path | None = None
    """Folder of WordNet's database files, or file of word vectors in GloVe's text format."""
    baseline: bool = False
    """Whether string matching answers, which needs no training, and not the trained model."""
    workers: int | None = None
    """Processes that answer at the same time; by default one a core, if it has 100 questions."""
    answers: Path | None = None
    """File for every question with its answer, probability and verdict."""
    misses: Path | None = None
    """File for the questions that were not answered rightly, in the same form."""
    overwrite: bool = False
    """Whether existing files of answers and misses are replaced."""
    json: bool = False
    """Whether to print one JSON record a kind."""

    def __post_init__(self) -> None:
        if self.workers is not None and self.workers < 1:
            raise ValueError(f"--workers {self.workers}: expected at least 1. Pass --workers 1.")

    def run(self) -> int:
        check_files(self.answers, self.misses, self.overwrite)
        asked = read_asked(self.questions)
        with self._ask([one.text for one in asked]) as ask:
            judged = ask_all(asked, ask)
        rows = tallies(judged)
        if self.json:
            for row in rows:
                print_json(row._asdict())
        else:
            Console().print(tally_table(rows))
        write_files(judged, self.answers, self.misses, error=self.json)
        return 0

    @contextmanager
    def _ask(self, questions: Sequence[str]) -> Iterator[Callable[[str], Given]]:
        opening = Opening(self.kb, self.trained, self.synonyms)
        kb = opening.open()
        if self.baseline:
            matcher = StringMatcher(kb.store)
            yield lambda question: (matcher.ask(question), 1.0)
            return
        if kb.changes:
            say(f"memnets: {kb.changes}", error=True)
        workers = self.workers or worth_starting(len(questions))
        if workers == 1:
            yield kb.answerer.given
            return
        with asked_apart(opening, questions, workers) as ask:
            yield ask
