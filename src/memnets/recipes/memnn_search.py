"""Choose MemNN's margin, initial weights and number of rivals, by questions held out for it.

    python -m memnets.recipes.memnn_search --data PATH

Every setting of a small grid learns the first 90 % of the training questions of some tasks; the
last 10 % decide, and no test question does. Writes results/memnn-babi-1k-search.json after every
run; what was run before is kept.
"""

import hashlib
import os
import statistics
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import tyro

from memnets import results
from memnets.recipes.babi import BabiData
from memnets.recipes.memnn import MemNNBabi, babi
from memnets.recipes.reproduction import Job, ended, reproduce, seeded, without_path
from memnets.recipes.run import to_json

NAME = "memnn-babi-1k-search"
COMMAND = "python -m memnets.recipes.memnn_search"
TASKS = (3, 5, 7, 8, 10, 14, 17, 18, 19)
"""Those published below 100 % for AM+NG+NL, and the one of the longest stories."""
SEEDS = (0,)
METRIC = "mean validation error"
SELECTION = "last update of every run"


class Ran(NamedTuple):
    """A finished run."""

    seed: int
    task: int
    error: float
    """Of the questions held out, in per cent."""
    sha256: str
    commit: str
    wall_s: float


class Setting(NamedTuple):
    """What is chosen."""

    margin: float
    scale: float
    rivals: int

    @property
    def name(self) -> str:
        rivals = f"{self.rivals} rivals" if self.rivals else "all rivals"
        return f"margin {self.margin:g}, weights {self.scale:g}, {rivals}"

    def of(self, run: MemNNBabi, task: int) -> MemNNBabi:
        """Return the run of a task, its last tenth of questions held out."""
        # The questions of a story stand together: the last ones are of stories of their own.
        return replace(
            run,
            data=BabiData(tasks=(task,), validate="last", validation=0.1),
            model=replace(run.model, initial_scale=self.scale),
            training=replace(run.training, margin=self.margin, negatives=self.rivals),
        )


GRID = tuple(
    Setting(margin, scale, rivals)
    for rivals, margins, scales in (
        (10, (1.0, 0.1, 3.0, 0.3), (0.05, 0.1)),
        (0, (1.0, 0.1), (0.05,)),
    )
    for margin, scale in product(margins, scales)
)
"""What is tried; the first of equals is chosen. All rivals cost more, and have fewer settings."""


@dataclass(frozen=True)
class Options:
    """Choose MemNN's settings by held-out training questions."""

    data: Path | None = None
    """Where bAbI is; by default MEMNETS_DATA, then the download cache."""
    runs: Path = Path("runs/search")
    """Where the run folders go."""
    results: Path = field(default_factory=results.results_folder)
    """Where the record goes."""
    workers: int = os.cpu_count() or 1
    """Runs at the same time, one thread each."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is missing, and write the record after every run."""
    options = tyro.cli(Options, args=arguments, prog=COMMAND)
    every = jobs(babi(), options.runs, options.data)
    todo = [job for job in every if not ended(job.folder)]
    for job in reproduce("memnn/babi", todo, options.workers):
        print(f"{job.name}, {job.folder.parent.name}", file=sys.stderr, flush=True)
        results.write(collect(every), options.results)
    print(results.write(collect(every), options.results))
    return 0


def jobs(base: MemNNBabi, root: Path, data: Path | None) -> list[Job]:
    """List every run with its folder, setting by setting."""
    return [
        Job(
            setting.name,
            (setting.name,),
            seeded(setting.of(base, task), seed, data),
            seed,
            root / NAME / setting.name.replace(", ", "-").replace(" ", "-") / str(task) / str(seed),
        )
        for seed in SEEDS
        for setting in GRID
        for task in TASKS
    ]


def collect(every: Sequence[Job]) -> results.Table:
    """Make the record of the runs that are finished.

    Raises:
        ValueError: a folder holds a run of another configuration.
    """
    found = {
        setting: [_ran(job) for job in every if job.name == setting.name and ended(job.folder)]
        for setting in GRID
    }
    whole = {
        setting: runs for setting, runs in found.items() if len(runs) == len(TASKS) * len(SEEDS)
    }
    best = choose({setting: _mean_error(runs) for setting, runs in whole.items()})
    checksums = sorted({ran.sha256 for runs in found.values() for ran in runs})
    return results.Table(
        name=NAME,
        command=COMMAND,
        config=without_path(to_json(babi())),
        data=results.Data(
            f"bAbI v1.2 en, tasks {', '.join(map(str, TASKS))}",
            hashlib.sha256("\n".join(checksums).encode()).hexdigest(),
            "the last 10 % of the training questions",
        ),
        rows=tuple(
            _row(setting, whole[setting], setting == best) if setting in whole else _to_run(setting)
            for setting in GRID
        ),
        series=tuple(_by_task(setting, runs) for setting, runs in whole.items()),
    )


def choose(errors: Mapping[Setting, float]) -> Setting | None:
    """Return the setting of the lowest error once the whole grid has run; None before."""
    return min(errors, key=errors.__getitem__) if len(errors) == len(GRID) else None


def _ran(job: Job) -> Ran:
    from memnets.training.runs import RunFolder

    folder = RunFolder.open(job.folder)
    record, result = folder.record, folder.result
    if without_path(record["config"]) != without_path(to_json(job.run)):
        raise ValueError(
            f"{job.folder}: it was run with another configuration than {job.name!r} has now. "
            f"Remove the folder, or pass another one with --runs."
        )
    assert result is not None
    assert isinstance(job.run, MemNNBabi)
    return Ran(
        seed=job.seed,
        task=job.run.data.tasks[0],
        error=100 * (1 - result["metrics"]["valid"]["accuracy"]),
        sha256=record["data"]["sha256"],
        commit=str(record["commit"]),
        wall_s=result["wall_s"],
    )


def _mean_error(runs: Sequence[Ran]) -> float:
    return statistics.fmean(ran.error for ran in runs)


def _row(setting: Setting, runs: Sequence[Ran], chosen: bool) -> results.Row:
    row = results.measured(
        setting.name,
        METRIC,
        {seed: _mean_error([ran for ran in runs if ran.seed == seed]) for seed in SEEDS},
        unit="%",
        better="lower",
        selection=SELECTION,
        wall_s=sum(ran.wall_s for ran in runs),
        note="chosen: the lowest" if chosen else "",
    )
    return replace(row, commit=", ".join(sorted({ran.commit for ran in runs})))


def _to_run(setting: Setting) -> results.Row:
    return results.not_run(setting.name, METRIC, unit="%", better="lower")


def _by_task(setting: Setting, runs: Sequence[Ran]) -> results.Series:
    """Return the mean error of each task."""
    errors = [_mean_error([ran for ran in runs if ran.task == task]) for task in TASKS]
    return results.Series(name=setting.name, x=tuple(map(float, TASKS)), y=tuple(errors))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except ValueError as error:
        sys.exit(f"memnets: {error}")
