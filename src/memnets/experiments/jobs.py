"""The runs of a table: each in a folder of its own, many at a time, from where they stopped."""

import ctypes
import multiprocessing
import os
import re
import signal
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memnets.experiments.run import Run, plain, to_json, up_to_date
from memnets.files import read_json, write_json
from memnets.results import Row
from memnets.training.config import Device
from memnets.training.stopping import DivergenceError

if TYPE_CHECKING:
    from memnets.training.runs import RunFolder

DIVERGED = "diverged.json"
"""What the folder of a run of a table holds in place of a result where training diverged."""


class Job(NamedTuple):
    """One run, and the cells or rows that it fills."""

    name: str
    cells: tuple[str, ...]
    run: Run
    folder: Path

    @property
    def seed(self) -> int:
        return self.run.loop.seed


class FinishedRun(NamedTuple):
    """A run of a table that has its result."""

    run: Any
    folder: "RunFolder"
    result: Mapping[str, Any]

    @property
    def metrics(self) -> Mapping[str, Mapping[str, Any]]:
        """What was measured, by split."""
        return self.result["metrics"]

    @property
    def commit(self) -> str:
        return str(self.folder.record["commit"])

    @property
    def sha256(self) -> str:
        """Of the data."""
        return str(self.folder.record["data"]["sha256"])

    @property
    def device(self) -> str:
        """On which it was trained."""
        return str(self.folder.record["device"])


class Runs(NamedTuple):
    """Runs that differ in their seed alone, by seed."""

    done: Mapping[int, FinishedRun]
    lost: frozenset[int]
    """Seeds whose runs diverged."""
    before: Mapping[tuple[str, str], Row] = {}
    """Rows of earlier runs, by name and metric, that stand where there are fewer runs here."""

    @property
    def wall_s(self) -> float:
        """Seconds that all took together."""
        return sum((ran.result["wall_s"] for ran in self.done.values()), 0.0)

    @property
    def fingerprint(self) -> str | None:
        """Of the first seed's run; None where it has none, or not a CPU's, which alone repeats."""
        first = next(iter(self.done.values()), None)
        return first.result.get("fingerprint") if first and first.device == "cpu" else None


def seeded(run: Any, seed: int, data: Path | None) -> Any:
    """Return a run with another seed, and with its data at another place."""
    run = replace(run, loop=replace(run.loop, seed=seed))
    return run if data is None else replace(run, data=replace(run.data, path=data))


def without_path(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration of a run without the place of its data on one machine."""
    data = config["data"]
    return {**config, "data": {name: None if name == "path" else data[name] for name in data}}


def as_now(told: Mapping[str, Any], now: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a configuration as told before, when data without a place were told to have none."""
    data = {k: v for k, v in told.get("data", {}).items() if k != "path" or k in now["data"]}
    return {**told, "data": data}


def _comparable(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration of a run without what two machines may differ in."""
    return {**without_path(config), "loop": {**config["loop"], "device": None}}


def slug(name: str) -> str:
    """Return the name of a folder for a row."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def carry_out(todo: Sequence[Job], workers: int, device: Device = "cpu") -> Iterator[Job]:
    """Carry out the runs that are not finished, and yield each one when it is.

    Every run has a folder of its own, so that a table goes on where it was interrupted. A run that
    diverges has ended too; its folder says so (`diverged`), and the others go on.

    Args:
        todo: the runs.
        workers: how many at a time.
        device: where they train; a run that was begun stays where it is.

    Raises:
        ChildProcessError: a process that trained was ended from outside.
    """
    context = multiprocessing.get_context("spawn")
    workers = min(workers, max(1, len(todo)))  # a pool makes room for each, however many
    with ProcessPoolExecutor(workers, mp_context=context, initializer=end_with_parent) as pool:
        futures = {pool.submit(_carry_out_one, _placed(job, device)): job for job in todo}
        try:
            for future in as_completed(futures):
                future.result()
                yield futures[future]
        except BrokenProcessPool:
            raise ChildProcessError(
                "A process that trained was ended from outside, for want of memory perhaps. All "
                "runs are kept as they were last saved: give the same command again, with "
                "--workers 1 where memory is short."
            ) from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def gather(jobs: Iterable[Job]) -> Runs:
    """Return what has become of runs that differ in their seed alone.

    Raises:
        ValueError: a folder holds a run of another configuration.
    """
    jobs = sorted(jobs, key=lambda job: job.seed)
    found = {job.seed: one for job in jobs if (one := ran(job)) is not None}
    return Runs(found, frozenset(job.seed for job in jobs if diverged(job.folder) is not None))


def ran(job: Job) -> FinishedRun | None:
    """Return a run that has its result; None before, and where it diverged.

    Raises:
        ValueError: the folder holds a run of another configuration.
    """
    from memnets.training.runs import RunFolder

    if not ended(job.folder):
        return None
    folder = RunFolder.open(job.folder)
    told = up_to_date(type(job.run), folder.record["config"])  # a field may be newer than the run
    if _comparable(told) != _comparable(plain(to_json(job.run))):
        raise ValueError(
            f"{job.folder}: it was run with another configuration than {job.name!r} has now. "
            f"Remove the folder, or pass another one with --runs."
        )
    return None if folder.result is None else FinishedRun(job.run, folder, folder.result)


def ended(folder: Path) -> bool:
    """Whether a run needs no more work: it has its result, or it diverged."""
    return (folder / "result.json").exists() or diverged(folder) is not None


def diverged(folder: Path) -> str | None:
    """Return what a run of a table said when its training diverged; None where it did not."""
    path = folder / DIVERGED
    if (folder / "result.json").exists() or not path.exists():
        return None
    return str(read_json(path, needed=("message",))["message"])


def device_note(runs: Iterable[FinishedRun]) -> str:
    """Say where the runs of a row were trained, unless it was on CPUs."""
    devices = sorted({one.device for one in runs} - {"cpu"})
    return f"trained on {', '.join(devices)}" if devices else ""


def diverged_note(seeds: Collection[int]) -> str:
    """Say which runs of a row diverged."""
    return f"diverged and not counted: seeds {', '.join(map(str, sorted(seeds)))}" if seeds else ""


def skipped_note(skipped: Mapping[int, int]) -> str:
    """Say how many updates were skipped, by seed, because a gradient was not finite."""
    counts = [f"{count} of seed {seed}" for seed, count in sorted(skipped.items()) if count]
    return f"updates skipped: {', '.join(counts)}" if counts else ""


def _placed(job: Job, device: Device) -> Job:
    """Return a run on a device."""
    return job._replace(run=replace(job.run, loop=replace(job.run.loop, device=device)))


def _carry_out_one(job: Job) -> None:
    """Start a run, go on with it, or leave it as it is."""
    from memnets.experiments.execute import resume, start

    parent = multiprocessing.parent_process()
    if parent is not None and os.getppid() != parent.pid:
        os._exit(130)  # it went while the last job was ending, and its signal was taken for that
    os.environ["OMP_NUM_THREADS"] = str(job.run.loop.threads)
    try:
        if not (job.folder / "run.json").exists():
            start(job.run, job.folder)
        elif not ended(job.folder):
            resume(job.folder, type(job.run))
    except DivergenceError as error:
        # A figure of the table like any other, and it would diverge again.
        write_json(job.folder / DIVERGED, {"message": str(error)})
    except (SystemExit, KeyboardInterrupt):
        # Asked to stop, once or twice: the pool would take it for a failed job, and go on.
        os._exit(130)


def end_with_parent() -> None:
    """Ask Linux to stop this process when the one that started it is gone, killed or not."""
    if sys.platform == "linux":
        set_death_signal = 1  # PR_SET_PDEATHSIG
        ctypes.CDLL(None).prctl(set_death_signal, signal.SIGTERM)
