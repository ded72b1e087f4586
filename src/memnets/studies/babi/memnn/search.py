"""Choose MemNN's margin, initial weights and number of rivals, by questions held out for it.

Every setting of a small grid learns the first 90 % of the training questions of some tasks; the
last 10 % decide, and no test question does. Those that come near the lowest error run with more
seeds. The setting in use is given up for one that is better beyond chance.
"""

import hashlib
import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import NamedTuple

from memnets import results
from memnets.experiments.jobs import FinishedRun, Job, ran, seeded, slug, without_path
from memnets.experiments.run import to_json
from memnets.experiments.tables import COMMAND, PlannedTable, joined, matching, row_of
from memnets.studies.babi.data import BabiData
from memnets.studies.babi.memnn.recipes import MemNNBabi, babi

TASKS = (3, 5, 7, 8, 10, 14, 17, 18, 19)
"""Those published below 100 % for AM+NG+NL, and the one of the longest stories."""
NEAR = 0.5
"""So many points from the lowest error a setting comes near it."""
METRIC = "mean validation error"
SELECTION = "last update of every run"


class SearchSetting(NamedTuple):
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
    SearchSetting(margin, scale, rivals)
    for rivals, margins, scales in (
        (10, (1.0, 0.1, 3.0, 0.3), (0.05, 0.1)),
        (0, (1.0, 0.1), (0.05,)),
    )
    for margin, scale in product(margins, scales)
)
"""What is tried. All rivals cost more, and have fewer settings."""


Errors = Mapping[tuple[int, int], float]
"""Of the questions held out, in per cent, by seed and task."""
ByPlace = Mapping[tuple[int, int], FinishedRun]
"""Finished runs by seed and task."""


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
    grid: tuple[SearchSetting, ...]
    tasks: tuple[int, ...]
    seeds: tuple[int, ...]

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        first, *more = self.seeds
        wanted = matching(only, name, self.grid, lambda setting: (setting.name,))
        every = partial(self.jobs, name, root, data)
        yield [job for setting in wanted for job in every(setting, first)]
        near = self.near(name, root, data)
        yield [job for seed in more for one in wanted if one in near for job in every(one, seed)]

    def jobs(
        self, name: str, root: Path, data: Path | None, setting: SearchSetting, seed: int
    ) -> list[Job]:
        """List the runs of a setting, one a task."""
        return [
            Job(
                setting.name,
                (setting.name,),
                seeded(setting.of(self.base, task), seed, data),
                root / name / slug(setting.name) / f"{task}" / f"{seed}",
            )
            for task in self.tasks
        ]

    def near(self, name: str, root: Path, data: Path | None) -> list[SearchSetting]:
        """Return the setting in use and those near the lowest error; none before all have run."""
        first = {one: self._ran(name, root, data, one, self.seeds[:1]) for one in self.grid}
        if not all(first.values()):
            return []
        means = {one: statistics.fmean(_errors(runs).values()) for one, runs in first.items()}
        most = min(means.values()) + NEAR
        return [one for one in self.grid if one == self.grid[0] or means[one] <= most]

    def _ran(
        self, name: str, root: Path, data: Path | None, setting: SearchSetting, seeds: Sequence[int]
    ) -> ByPlace:
        """Return the runs of a setting, of the seeds of which all tasks have ended."""
        found: dict[tuple[int, int], FinishedRun] = {}
        for seed in seeds:
            jobs = self.jobs(name, root, data, setting, seed)
            done = [one for job in jobs if (one := ran(job)) is not None]
            if len(done) == len(jobs):
                found |= {(seed, one.run.data.tasks[0]): one for one in done}
        return found

    def collect(
        self, name: str, root: Path, data: Path | None, before: results.Table | None = None
    ) -> results.Table:
        every = {one: self._ran(name, root, data, one, self.seeds) for one in self.grid}
        found = {one: runs for one, runs in every.items() if runs}
        last = {one: _errors(found[one]) for one in self.near(name, root, data)}
        if not all(len(of) == len(self.tasks) * len(self.seeds) for of in last.values()):
            last = {}
        chosen = choose(last) if last else None
        checksums = sorted({one.sha256 for runs in found.values() for one in runs.values()})
        return results.Table(
            name=name,
            command=f"{COMMAND} {name}",
            config=without_path(to_json(self.base)),
            data=results.Data(
                f"bAbI v1.2 en, tasks {', '.join(map(str, self.tasks))}",
                hashlib.sha256("\n".join(checksums).encode()).hexdigest(),
                "the last 10 % of the training questions",
            ),
            rows=tuple(_row(one, runs, _note(one, chosen, last)) for one, runs in every.items()),
            series=tuple(_by_task(one, _errors(runs)) for one, runs in found.items()),
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


def choose(errors: Mapping[SearchSetting, Errors]) -> SearchSetting:
    """Return the setting of the lowest mean error, if it is better than the first beyond chance.

    Else the first. Both are compared seed by seed and task by task.
    """
    first, *_ = errors
    best = min(errors, key=lambda one: statistics.fmean(errors[one].values()))
    return best if best != first and difference(errors, best)[1] < 0 else first


def difference(errors: Mapping[SearchSetting, Errors], one: SearchSetting) -> tuple[float, float]:
    """Return the 95 % interval of how much more errors a setting makes than the first."""
    first, *_ = errors
    pairs = [errors[one][key] - errors[first][key] for key in errors[one]]
    return results.interval(pairs) or (-math.inf, math.inf)


def _errors(runs: ByPlace) -> Errors:
    return {at: 100 * (1 - one.metrics["valid"]["accuracy"]) for at, one in runs.items()}


def _note(
    one: SearchSetting, chosen: SearchSetting | None, last: Mapping[SearchSetting, Errors]
) -> str:
    """Say what was chosen, and how the others that came near compare with the one in use."""
    if one not in last:
        return ""
    first, *_ = last
    low, high = difference(last, one)
    interval = f"95 % interval of the difference to the first row {low:.1f} to {high:.1f}"
    return joined(("chosen" if one == chosen else "", interval if one != first else ""))


def _row(setting: SearchSetting, runs: ByPlace, note: str) -> results.Row:
    return row_of(
        setting.name,
        METRIC,
        _means(_errors(runs), by=0),
        commits=[one.commit for one in runs.values()],
        whole=True,
        note=note,
        selection=SELECTION,
        wall_s=sum((one.result["wall_s"] for one in runs.values()), 0.0),
        unit="%",
        better="lower",
    )


def _by_task(setting: SearchSetting, errors: Errors) -> results.Series:
    """Return the mean error of each task."""
    means = _means(errors, by=1)
    return results.Series(name=setting.name, x=tuple(map(float, means)), y=tuple(means.values()))


def _means(errors: Errors, by: int) -> dict[int, float]:
    """Return the mean error by seed (0) or by task (1)."""
    groups: dict[int, list[float]] = {}
    for at, error in errors.items():
        groups.setdefault(at[by], []).append(error)
    return {one: statistics.fmean(group) for one, group in groups.items()}
