"""Train a recipe, go on with a run, load it, measure it."""

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from memnets import studies
from memnets.experiments import execute
from memnets.experiments.answerer import Answerer
from memnets.experiments.execute import OpenedRun, open_as
from memnets.experiments.judging import JudgedFile
from memnets.experiments.measure import measure
from memnets.experiments.overrides import override
from memnets.experiments.run import Run

StrPath = str | os.PathLike[str]


def train(
    recipe: str,
    overrides: Mapping[str, Any] | None = None,
    *,
    out: StrPath | None = None,
    show: Any = True,
) -> Answerer:
    """Train a recipe in a new run folder, and return what it has learnt, to be asked.

        memnets.train("memn2n/babi-generated", {"training.epochs": 3})

    Args:
        recipe: its name; `memnets list` names them all.
        overrides: other values of its fields, by dotted name.
        out: the run folder; by default the next free one under runs/.
        show: whether progress is printed; or who is told of it.

    Raises:
        ValueError: recipe, field or value will not do, or the folder holds something already.
        FileNotFoundError: the data are not at hand.
    """
    run = override(recipe, studies.recipe(recipe)(), overrides or {})
    folder = next_free(recipe) if out is None else Path(out)
    execute.start(run, folder, recipe, show=shown(show))
    return load_run(folder)


def resume(path: StrPath, show: Any = True) -> dict[str, Any]:
    """Go on with a run that was interrupted, to the same bits, and return its result.

    Raises:
        FileNotFoundError: there is no run.
        ValueError: it is damaged, or the data are not those it was begun with.
    """
    path = Path(path)
    return execute.resume(path, kind_of(path), shown(show))


def load_run(path: StrPath, device: str | None = None, data: StrPath | None = None) -> Answerer:
    """Load the trained model of a run folder; see `load`."""
    run = _with_data(open_run(Path(path)).run, data)
    answerer: Answerer = run.restore(Path(path))
    if data is not None and answerer.reads_data:
        answerer.check_data()
    return answerer.to(device or "cpu")


def load_to_ask(path: StrPath, data: StrPath | None = None) -> Answerer:
    """Load a run to be asked and nothing else: data that it would not read are refused.

    Raises:
        ValueError: it answers without its data; or see `load`.
    """
    answerer = load_run(path, data=data)
    if data is not None and not answerer.reads_data:
        raise ValueError(
            f"--data {data}: {answerer.name} answers without its data, so this would be ignored. "
            f"Leave it out."
        )
    return answerer


def evaluate(
    path: StrPath,
    split: str | None = None,
    data: StrPath | None = None,
    questions: StrPath | None = None,
) -> dict[str, float]:
    """Measure a trained run on a part of its data, or on a file of questions.

        memnets.evaluate("runs/movies", questions="mine.txt")

    Args:
        path: the run folder, or one of its checkpoints.
        split: "train", "valid" or "test"; by default "test".
        data: where the data are now, if they have moved.
        questions: a file in the form of the questions of the run's own data, in place of a split.

    Raises:
        FileNotFoundError: there is no run, its training has not ended, or its data are missing.
        ValueError: run or data have changed since the training, there is no such part, a line of
            the file cannot be read, or the run answers no file of questions.
    """
    from memnets.training.runs import RunFolder

    path = Path(path)
    if questions is not None:
        if split is not None:
            raise ValueError(
                f"split={split} and questions={questions}: expected one of them. Leave one out."
            )
        return judge(path, questions, data).metrics
    run = _with_data(open_run(path).run, data)
    return measure(run, RunFolder.open(path), split or "test")


def judge(path: StrPath, questions: StrPath, data: StrPath | None = None) -> JudgedFile:
    """Answer the questions of a file by a trained run, and judge every answer.

    Args:
        path: the run folder, or one of its checkpoints.
        questions: a file in the form of the questions of the run's own data.
        data: where the data that answers are read from are now, if they have moved.

    Raises:
        FileNotFoundError: there is no run, no such file, or the data are missing.
        ValueError: run or data have changed since the training, a line of the file cannot be
            read, or the run answers no file of questions.
    """
    return load_to_ask(path, data).judge(questions)


def _with_data(run: Any, data: StrPath | None) -> Any:
    """Return a run whose data are somewhere else now."""
    if data is None:
        return run
    if not hasattr(getattr(run, "data", None), "path"):
        raise ValueError(f"data={data}: this run has no files of data. Leave it out.")
    return replace(run, data=replace(run.data, path=Path(data)))


def open_run(path: Path) -> OpenedRun:
    """Open a run folder.

    Raises:
        FileNotFoundError: it is none.
        ValueError: it was written by another version, or damaged.
    """
    return open_as(path, kind_of(path))


def kind_of(path: Path) -> type[Run]:
    """Return the kind of run that a folder holds.

    Raises:
        FileNotFoundError: it holds none.
        ValueError: it was written by another version, or damaged.
    """
    from memnets.training.runs import RunFolder

    record = RunFolder.open(path).record
    if "kind" not in record:  # written before 0.2: the recipe told the kind
        return type(studies.recipe(studies.RENAMED.get(record["recipe"], record["recipe"]))())
    return studies.kind(record["kind"])


def next_free(name: str) -> Path:
    """Return the next run folder of a recipe that does not exist."""
    stem, number = name.replace("/", "-"), 1
    while (folder := Path("runs") / f"{stem}-{number}").exists():
        number += 1
    return folder


def shown(show: Any) -> Any:
    """Return who is told of the progress: `progress()` for True, nobody for False."""
    return progress() if show is True else show or None


def progress() -> Any:
    """Return a bar on a terminal, plain lines elsewhere, as in a notebook."""
    from memnets.training.progress import show_on

    return show_on(sys.stdout)
