"""Choose MemNN's margin, initial weights and number of rivals, by questions held out for it.

Every setting of a small grid learns the first 90 % of the training questions of some tasks; the
last 10 % decide, and no test question does. Those that come near the lowest error run with more
seeds. The setting in use is given up for one that is better beyond chance.
"""

import hashlib
import math
import re
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

from memnets import results
from memnets.experiments.jobs import Job, ended, finished, seeded, slug, without_path
from memnets.experiments.run import to_json
from memnets.experiments.tables import COMMAND, PlannedTable
from memnets.studies.babi.data import BabiData
from memnets.studies.babi.memnn.recipes import MemNNBabi, babi

TASKS = (3, 5, 7, 8, 10, 14, 17, 18, 19)
"""Those published below 100 % for AM+NG+NL, and the one of the longest stories."""
NEAR = 0.5
"""So many points from the lowest error a setting comes near it."""
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
        # The questions of a story stand together: the last ones are of other stories, save one.
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


Errors = Mapping[tuple[int, int], float]
"""Of the questions held out, by seed and task."""


@dataclass(frozen=True, kw_only=True)
class SettingSearch(PlannedTable):
    """Settings, and the tasks by whose held-out questions they are compared.

    Args:
        title: of the table.
        base: the run whose settings are searched.
        grid: the settings, the one in use first.
        tasks: of bAbI, each learnt by itself.
        seeds: the first is of all settings, the others of those that come near the lowest error.
    """

    title: str
    base: MemNNBabi
    grid: tuple[Setting, ...]
    tasks: tuple[int, ...]
    seeds: tuple[int, ...]

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        first, *more = self.seeds
        wanted = [one for one in self.grid if re.search(only, one.name)]
        if not wanted:
            names = ", ".join(repr(setting.name) for setting in self.grid)
            raise ValueError(f"--only {only!r} matches no row of {name}. Its rows are {names}.")
        every = partial(self.jobs, name, root, data)
        yield [job for setting in wanted for job in every(setting, first)]
        near = self.near(name, root, data)
        yield [job for seed in more for one in wanted if one in near for job in every(one, seed)]

    def jobs(
        self, name: str, root: Path, data: Path | None, setting: Setting, seed: int
    ) -> list[Job]:
        """List the runs of a setting, one a task."""
        return [
            Job(
                setting.name,
                (setting.name,),
                seeded(setting.of(self.base, task), seed, data),
                seed,
                root / name / slug(setting.name) / f"{task}" / f"{seed}",
            )
            for task in self.tasks
        ]

    def near(self, name: str, root: Path, data: Path | None) -> list[Setting]:
        """Return the setting in use and those near the lowest error; none before all have run."""
        errors = {}
        for setting in self.grid:
            jobs = self.jobs(name, root, data, setting, self.seeds[0])
            if not all(ended(job.folder) for job in jobs):
                return []
            errors[setting] = statistics.fmean(_ran(job).error for job in jobs)
        most = min(errors.values()) + NEAR
        return [one for one in self.grid if one == self.grid[0] or errors[one] <= most]

    def collect(self, name: str, root: Path, data: Path | None) -> results.Table:
        found: dict[Setting, list[Ran]] = {}
        for setting, seed in product(self.grid, self.seeds):
            jobs = self.jobs(name, root, data, setting, seed)
            if all(ended(job.folder) for job in jobs):
                found.setdefault(setting, []).extend(map(_ran, jobs))
        near = self.near(name, root, data)
        last = {one: _errors(found[one]) for one in near}
        whole = near and all(len(of) == len(self.tasks) * len(self.seeds) for of in last.values())
        chosen = choose(last) if whole else None
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
                _row(one, found[one], _note(one, chosen, last if whole else {}))
                if one in found
                else results.not_run(one.name, METRIC, unit="%", better="lower")
                for one in self.grid
            ),
            series=tuple(_by_task(setting, runs) for setting, runs in found.items()),
        )


def memnn_babi_1k_search() -> SettingSearch:
    """MemNN's settings on bAbI 1k, chosen by questions held out of training."""
    return SettingSearch(
        title="MemNN on bAbI 1k: margin, initial weights and number of rivals",
        base=babi(),
        grid=GRID,
        tasks=TASKS,
        seeds=(0, 1, 2),
    )


def choose(errors: Mapping[Setting, Errors]) -> Setting:
    """Return the setting of the lowest mean error, if it is better than the first beyond chance.

    Else the first. Both are compared seed by seed and task by task.
    """
    first, *_ = errors
    best = min(errors, key=lambda one: statistics.fmean(errors[one].values()))
    return best if best != first and difference(errors, best)[1] < 0 else first


def difference(errors: Mapping[Setting, Errors], one: Setting) -> tuple[float, float]:
    """Return the 95 % interval of how much more errors a setting makes than the first."""
    first, *_ = errors
    pairs = [errors[one][key] - errors[first][key] for key in errors[one]]
    return results.interval(pairs) or (-math.inf, math.inf)


def _ran(job: Job) -> Ran:
    folder = finished(job)
    assert folder is not None
    record, result = folder.record, folder.result
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


def _errors(runs: Sequence[Ran]) -> Errors:
    return {(ran.seed, ran.task): ran.error for ran in runs}


def _note(one: Setting, chosen: Setting | None, last: Mapping[Setting, Errors]) -> str:
    """Say what was chosen, and how the others that came near compare with the one in use."""
    if one not in last:
        return ""
    first, *_ = last
    words = ["chosen"] if one == chosen else []
    if one != first:
        low, high = difference(last, one)
        words.append(f"95 % interval of the difference to the first row {low:.1f} to {high:.1f}")
    return "; ".join(words)


def _row(setting: Setting, runs: Sequence[Ran], note: str) -> results.Row:
    row = results.measured(
        setting.name,
        METRIC,
        {seed: _mean(of_seed) for seed, of_seed in _grouped(runs, "seed").items()},
        unit="%",
        better="lower",
        selection=SELECTION,
        wall_s=sum(ran.wall_s for ran in runs),
        note=note,
    )
    return replace(row, commit=", ".join(sorted({ran.commit for ran in runs})))


def _mean(runs: Sequence[Ran]) -> float:
    return statistics.fmean(ran.error for ran in runs)


def _by_task(setting: Setting, runs: Sequence[Ran]) -> results.Series:
    """Return the mean error of each task."""
    errors = {task: _mean(of_task) for task, of_task in _grouped(runs, "task").items()}
    return results.Series(name=setting.name, x=tuple(map(float, errors)), y=tuple(errors.values()))


def _grouped(runs: Sequence[Ran], field: str) -> dict[int, list[Ran]]:
    groups: dict[int, list[Ran]] = {}
    for ran in runs:
        groups.setdefault(getattr(ran, field), []).append(ran)
    return groups
