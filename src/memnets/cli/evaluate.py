"""`memnets eval`: measure a trained run on its data, or on a file of questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import tyro
from rich.console import Console

from memnets.cli.judged import check_files, write_files
from memnets.cli.options import parse
from memnets.cli.tables import metrics_table
from memnets.inference import evaluate, judge
from memnets.inference.kb import is_kb


@dataclass(frozen=True)
class Evaluate:
    """Measure a trained run on the questions of a split, or of a file.

    A file has the form of the run's own data: bAbI's stories with questions; WikiMovies'
    "1 question<TAB>answer, answer"; MetaQA's "question with [entity]<TAB>answer|answer";
    SimpleQuestions' subject, relation, object and question; WikiQA's rows; for a knowledge base
    the table of `memnets kb eval`.
    """

    run: tyro.conf.Positional[Path]
    """Folder of the run."""
    split: Literal["train", "valid", "test"] | None = None
    """Split to measure on; by default test."""
    data: Path | None = None
    """Folder of the data, where they have moved since training."""
    questions: Path | None = None
    """File of questions to measure on in place of a split."""
    answers: Path | None = None
    """With --questions: file for every question with its answer, probability and verdict."""
    misses: Path | None = None
    """With --questions: file for the questions that were not answered rightly, in the same form."""
    overwrite: bool = False
    """Whether existing files of answers and misses are replaced."""


def main(arguments: Sequence[str]) -> int:
    """Print the metrics of a split, or of a file of questions."""
    options = parse(Evaluate, arguments, prog="memnets eval")
    if is_kb(options.run):
        raise ValueError(
            f"{options.run}: a knowledge base; expected the folder of a run. Ask it the questions "
            f"of a file: memnets kb eval {options.run} QUESTIONS"
        )
    if options.questions is None:
        for name in ("answers", "misses", "overwrite"):
            if getattr(options, name):
                raise ValueError(
                    f"--{name} is for the questions of a file, and would be ignored. "
                    f"Pass --questions FILE, or leave it out."
                )
        split = options.split or "test"
        Console().print(metrics_table({split: evaluate(options.run, split, options.data)}))
        return 0
    return _judge(options)


def _judge(options: Evaluate) -> int:
    """Print what was measured on a file of questions, and write the answers."""
    assert options.questions is not None
    if options.split is not None:
        raise ValueError("--split and --questions: expected one of them. Leave one out.")
    check_files(options.answers, options.misses, overwrite=options.overwrite)
    metrics, judged = judge(options.run, options.questions, options.data)
    Console().print(metrics_table({"file": metrics}))
    write_files(judged, options.answers, options.misses)
    return 0
