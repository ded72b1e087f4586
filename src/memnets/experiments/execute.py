"""Carry a run out, from its configuration to its folder, and open what was carried out."""

import dataclasses
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memnets.experiments.measure import prepare
from memnets.experiments.run import Run, fields, from_json, to_json
from memnets.training.stopping import DivergenceError

if TYPE_CHECKING:
    from memnets.training.runs import RunFolder


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

    A start that fails before anything was learnt leaves no folder.

    Raises:
        ValueError: the folder holds something already, or the configuration does not fit.
        MemoryError: the run does not fit into memory.
    """
    from memnets.training.loop import fit
    from memnets.training.record import describe
    from memnets.training.runs import RunFolder

    if os.environ.get("RANK", "0") == "0":
        RunFolder.expect_free(path)  # before the data are read, which may take long
    with _memory_told(run):
        prepared = prepare(run)
        data = dataclasses.asdict(prepared.data)
        record = describe(run.kind, to_json(run), run.loop, data, recipe)
        folder = RunFolder.create(path, record, prepared.files)
        for text in prepared.notes if show else ():
            show.note(text)
        with _forgotten_unbegun(folder), folder.locked():
            return fit(prepared.experiment, run.loop, folder, show=show)


@contextmanager
def _forgotten_unbegun(folder: "RunFolder") -> Iterator[None]:
    """Remove the folder of a run that fails before there is anything to go on from."""
    try:
        yield
    except DivergenceError:  # the run's own outcome, which its folder is to tell
        raise
    except BaseException:
        folder.forget_unbegun()
        raise


def resume(path: Path, kind: type[Run], show: Any = None) -> dict[str, Any]:
    """Go on with a run that was interrupted, to the same bits.

    Raises:
        ValueError: the folder holds no run of this kind, another process goes on with it, or the
            data are not those it was begun with.
        MemoryError: the run does not fit into memory.
    """
    from memnets.training.loop import fit
    from memnets.training.runs import RunFolder

    opened, folder = open_as(path, kind), RunFolder.open(path)
    if folder.at is not None:
        raise ValueError(
            f"{path}: a checkpoint; a run goes on from its last one by itself. "
            f"Name the run: memnets train --resume {folder.path}"
        )
    with folder.locked(), _memory_told(opened.run):
        prepared = prepare(opened.run)
        folder.check_data(prepared.data.sha256)
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

    folder = RunFolder.open(path)
    record = folder.record
    run = from_json(kind, record["config"], f"{folder.path / 'run.json'}")
    return OpenedRun(path, record.get("recipe") or kind.kind, run, record)


@contextmanager
def _memory_told(run: Run) -> Iterator[None]:
    """Say which numbers of a run are the largest where it does not fit into memory."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not out_of_memory(error):
            raise
        whole = {
            name: n for name, n in fields(run).items() if type(n) is int and "seed" not in name
        }
        most = sorted(whole, key=lambda name: -whole[name])[:3]
        raise MemoryError(
            f"the run does not fit into memory. Its largest numbers are "
            f"{', '.join(f'{name} {whole[name]:,}' for name in most)}: make one of them smaller, "
            f"such as --{most[0].replace('_', '-')} {max(1, whole[most[0]] // 10)}."
        ) from None


_NO_MEMORY = ("can't allocate memory", "out of memory", "Storage size calculation overflowed")


def out_of_memory(error: BaseException) -> bool:
    """Whether an error says that there is no more memory; torch has no type of its own for it."""
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError) and any(words in str(error) for words in _NO_MEMORY)
    )
