"""Choose MemNN's margin, initial weights and number of rivals, by questions held out for it.

Every setting of a small grid learns the first 90 % of the training questions of some tasks; the
last 10 % decide, and no test question does.
"""

import hashlib
import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

from memnets import results
from memnets.recipes.babi import BabiData
from memnets.recipes.memnn import MemNNBabi, babi
from memnets.recipes.reproduction import Job, ended, seeded, without_path
from memnets.recipes.run import to_json
from memnets.recipes.searched import slug
from memnets.recipes.tables import COMMAND, PlannedTable

TASKS = (3, 5, 7, 8, 10, 14, 17, 18, 19)
"""Those published below 100 % for AM+NG+NL, and the one of the longest stories."""
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
"""What is tried. All rivals cost more, and have fewer settings."""


@dataclass(frozen=True, kw_only=True)
class SettingSearch(PlannedTable):
    """Settings, and the tasks by whose held-out questions they are compared.

    Args:
        title: of the table.
        base: the run whose settings are searched.
        grid: the settings; the first of equals is chosen.
        tasks: of bAbI, each learnt by itself.
        seeds: of the runs of every setting and task.
    """

    title: str
    base: MemNNBabi
    grid: tuple[Setting, ...]
    tasks: tuple[int, ...]
    seeds: tuple[int, ...]

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        wanted = [job for job in self.jobs(name, root, data) if re.search(only, job.name)]
        if not wanted:
            names = ", ".join(repr(setting.name) for setting in self.grid)
            raise ValueError(f"--only {only!r} matches no row of {name}. Its rows are {names}.")
        yield wanted

    def jobs(self, name: str, root: Path, data: Path | None) -> list[Job]:
        """List every run with its folder, setting by setting."""
        return [
            Job(
                setting.name,
                (setting.name,),
                seeded(setting.of(self.base, task), seed, data),
                seed,
                root / name / slug(setting.name) / f"{task}" / f"{seed}",
                "memnn/babi",
            )
            for seed in self.seeds
            for setting in self.grid
            for task in self.tasks
        ]

    def collect(self, name: str, root: Path, data: Path | None) -> results.Table:
        every = [job for job in self.jobs(name, root, data) if ended(job.folder)]
        found = {
            setting: [_ran(job) for job in every if job.name == setting.name]
            for setting in self.grid
        }
        needed = len(self.tasks) * len(self.seeds)
        whole = {setting: runs for setting, runs in found.items() if len(runs) == needed}
        errors = {setting: _mean_error(runs) for setting, runs in whole.items()}
        best = choose(errors) if len(errors) == len(self.grid) else None
        checksums = sorted({ran.sha256 for runs in found.values() for ran in runs})
        return results.Table(
            name=name,
            command=f"{COMMAND} {name}",
            config=without_path(to_json(self.base)),
            data=results.Data(
                f"bAbI v1.2 en, tasks {', '.join(map(str, self.tasks))}",
                hashlib.sha256("\n".join(checksums).encode()).hexdigest(),
                "the last 10 % of the training questions",
            ),
            rows=tuple(
                _row(setting, whole[setting], setting == best)
                if setting in whole
                else results.not_run(setting.name, METRIC, unit="%", better="lower")
                for setting in self.grid
            ),
            series=tuple(_by_task(setting, runs) for setting, runs in whole.items()),
        )


def memnn_babi_1k_search() -> SettingSearch:
    """MemNN's settings on bAbI 1k, chosen by questions held out of training."""
    return SettingSearch(
        title="MemNN on bAbI 1k: margin, initial weights and number of rivals",
        base=babi(),
        grid=GRID,
        tasks=TASKS,
        seeds=(0,),
    )


def choose(errors: Mapping[Setting, float]) -> Setting:
    """Return the setting of the lowest error, the first of equals."""
    return min(errors, key=errors.__getitem__)


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
        {seed: _mean_error(of_seed) for seed, of_seed in _grouped(runs, "seed").items()},
        unit="%",
        better="lower",
        selection=SELECTION,
        wall_s=sum(ran.wall_s for ran in runs),
        note="chosen: the lowest" if chosen else "",
    )
    return replace(row, commit=", ".join(sorted({ran.commit for ran in runs})))


def _by_task(setting: Setting, runs: Sequence[Ran]) -> results.Series:
    """Return the mean error of each task."""
    errors = {task: _mean_error(of_task) for task, of_task in _grouped(runs, "task").items()}
    return results.Series(name=setting.name, x=tuple(map(float, errors)), y=tuple(errors.values()))


def _grouped(runs: Sequence[Ran], field: str) -> dict[int, list[Ran]]:
    groups: dict[int, list[Ran]] = {}
    for ran in runs:
        groups.setdefault(getattr(ran, field), []).append(ran)
    return groups
