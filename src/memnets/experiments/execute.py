"""Carry a run out, from its configuration to its folder, and open what was carried out."""

import dataclasses
import os
from pathlib import Path
from typing import Any, NamedTuple

from memnets.experiments.measure import prepare
from memnets.experiments.run import Run, from_json, to_json


class OpenedRun(NamedTuple):
    """A run folder and what it was made from."""

    path: Path
    name: str
    """Of the recipe, or of the kind of run where no recipe made it."""
    run: Run
    record: dict[str, Any]


def start(run: Run, path: Path, recipe: str | None = None, show: Any = None) -> dict[str, Any]:
    """Train a run in a new folder and return its result.

    Args:
        run: what is trained.
        path: of the folder.
        recipe: whose run it is; None where it is the user's own, or a table's.
        show: who is told of the progress.

    Raises:
        ValueError: the folder holds something already, or the configuration does not fit.
    """
    from memnets.training.loop import fit
    from memnets.training.runs import RunFolder, describe

    if os.environ.get("RANK", "0") == "0":
        RunFolder.expect_free(path)  # before the data are read, which may take long
    prepared = prepare(run)
    data = dataclasses.asdict(prepared.data)
    record = describe(run.kind, to_json(run), run.loop, data, recipe)
    folder = RunFolder.create(path, record, prepared.files)
    for text in prepared.notes if show else ():
        show.note(text)
    return fit(prepared.experiment, run.loop, folder, show=show)


def resume(path: Path, kind: type[Run], show: Any = None) -> dict[str, Any]:
    """Go on with a run that was interrupted, to the same bits.

    Raises:
        ValueError: the folder holds no run of this kind, or the data are not those it was begun
            with.
    """
    from memnets.training.loop import fit
    from memnets.training.runs import RunFolder

    opened = open_as(path, kind)
    prepared = prepare(opened.run)
    before, now = opened.record["data"], dataclasses.asdict(prepared.data)
    if before != now:
        raise ValueError(
            f"{path}: this run was begun with {before['name']}, sha256 {before['sha256'][:12]}; "
            f"the data found now are {now['name']}, sha256 {now['sha256'][:12]}. "
            f"Put the same files back, or train anew."
        )
    folder = RunFolder.open(path)
    return fit(prepared.experiment, opened.run.loop, folder, resume=True, show=show)


def finished(path: Path) -> dict[str, Any] | None:
    """Return the result of a run folder; None while there is none."""
    from memnets.training.runs import RunFolder

    return RunFolder.open(path).result


def open_as(path: Path, kind: type[Run]) -> OpenedRun:
    """Open a run folder that holds a run of a known kind.

    Raises:
        FileNotFoundError: it is none.
        ValueError: it was written by another version, or damaged.
    """
    from memnets.training.runs import RunFolder

    record = RunFolder.open(path).record
    run = from_json(kind, record["config"], f"{path / 'run.json'}")
    return OpenedRun(path, record.get("recipe") or kind.kind, run, record)
