"""Runs at a learning rate that is searched: short trials choose it, then every seed runs at it."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memnets.experiments.jobs import Job, diverged

TRIAL = 100
"""The seed of the runs that choose a learning rate; those that are reported have others."""


@dataclass(frozen=True, kw_only=True)
class Search:
    """The runs of one model of a table.

    Args:
        row: the model's name.
        rows: every row that its runs fill.
        folder: where its run folders go.
        rates: learning rates to choose from; a single one is taken as it is.
        seeds: how many runs are reported.
        run: makes the run of a learning rate and a seed; a trial's seed is `TRIAL`.
        loss: what a trial has reached on questions that are not reported, less being better; None
            while it is not finished.
    """

    row: str
    rows: tuple[str, ...]
    folder: Path
    rates: tuple[float, ...]
    seeds: int
    run: Callable[[float, int], Any]
    loss: Callable[[Job], float | None]

    def trials(self) -> list[Job]:
        """Return the runs that choose the learning rate; none where nothing is to be chosen."""
        if len(self.rates) == 1:
            return []
        return [self._job(rate, TRIAL, f"rate-{rate:g}", f", rate {rate:g}") for rate in self.rates]

    def rate(self) -> float | None:
        """Return the rate of the best trial; None while one is missing."""
        if len(self.rates) == 1:
            return self.rates[0]
        losses = [math.inf if diverged(job.folder) else self.loss(job) for job in self.trials()]
        known = [loss for loss in losses if loss is not None]
        return self.rates[known.index(min(known))] if len(known) == len(self.rates) else None

    def reported(self) -> list[Job]:
        """Return the runs that are reported; none before the trials are finished."""
        rate = self.rate()
        if rate is None:
            return []
        return [self._job(rate, seed, f"{seed}") for seed in range(self.seeds)]

    def _job(self, rate: float, seed: int, folder: str, remark: str = "") -> Job:
        run = self.run(rate, seed)
        return Job(self.row + remark, self.rows, run, seed, self.folder / folder)


def stages(name: str, searches: Sequence[Search], only: str = "") -> Iterator[list[Job]]:
    """Yield the trials, and once they are made the runs that are reported.

    Args:
        name: of the table.
        searches: its models.
        only: a regular expression; models none of whose rows it matches are left out.

    Raises:
        ValueError: no row matches.
    """
    wanted = [one for one in searches if any(re.search(only, row) for row in one.rows)]
    if not wanted:
        rows = ", ".join(repr(row) for one in searches for row in one.rows)
        raise ValueError(f"--only {only!r} matches no row of {name}. Its rows are {rows}.")
    yield [job for one in wanted for job in one.trials()]
    reported = [one.reported() for one in wanted]
    # Every row has its first run before any has a second.
    yield [job for jobs in zip(*reported, strict=True) for job in jobs]
