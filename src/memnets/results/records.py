"""What a result is: a table of measured figures, each next to its published one."""

import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from memnets.results.provenance import machine, now, running_commit
from memnets.results.statistics import spread

BENCHMARK = "bench-"
"""How the file name of a benchmark begins."""


@dataclass(frozen=True)
class Data:
    """What a table was measured on."""

    name: str
    sha256: str | None
    """None where the data are generated."""
    split: str


@dataclass(frozen=True, kw_only=True)
class Row:
    """One figure, how it was got, and what it is compared with.

    Raises:
        ValueError: the fields contradict each other.
    """

    row: str
    metric: str
    unit: str
    better: Literal["higher", "lower"]
    measured: float | None
    spread: float | None
    """Standard deviation over the seeds; None for a single one."""
    values: tuple[float, ...]
    """One a seed."""
    seeds: tuple[int, ...]
    selection: str
    """How the reported run was chosen; never by test labels."""
    published: float | None
    source: str | None
    """Paper, table and row of the published figure."""
    target: float | None
    """What the figure has to reach; where it is None, the published one."""
    status: Literal["done", "partial", "not run"]
    commit: str | None
    created: str | None
    machine: str | None
    wall_s: float | None
    fingerprint: str | None
    """Of the run of its first seed after a few updates: SHA-256 and norm of the weights; None
    where no run is trained, or was before these were kept."""
    note: str

    def __post_init__(self) -> None:
        if (self.measured is None) != (self.status == "not run"):
            raise ValueError(
                f"row {self.row!r}: status {self.status!r} with measured {self.measured}. "
                f"A row that ran has a figure, one that did not has null; correct one of the two."
            )
        if len(self.values) != len(self.seeds):
            raise ValueError(
                f"row {self.row!r}: {len(self.values)} values and {len(self.seeds)} seeds; "
                f"expected one value a seed. Write the row with results.measured()."
            )
        if (self.published is None) != (self.source is None):
            raise ValueError(
                f"row {self.row!r}: published {self.published} with source {self.source!r}; "
                f"expected both or neither. Say where the figure was published."
            )

    @property
    def goal(self) -> float | None:
        return self.published if self.target is None else self.target

    @property
    def reached(self) -> bool | None:
        """Whether the goal was reached; None where there is no goal or no figure."""
        if self.measured is None or self.goal is None:
            return None
        return self.measured >= self.goal if self.better == "higher" else self.measured <= self.goal


@dataclass(frozen=True, kw_only=True)
class Series:
    """A curve.

    Raises:
        ValueError: its parts are of unequal length.
    """

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    spread: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        lengths = [len(part) for part in (self.x, self.y, self.spread) if part is not None]
        if len(set(lengths)) > 1:
            raise ValueError(
                f"series {self.name!r}: x, y and spread hold {lengths} numbers; "
                f"expected as many of each. Give one y, and one spread or none, for every x."
            )


@dataclass(frozen=True, kw_only=True)
class Table:
    """The result of one command: `results/NAME.json`."""

    name: str
    command: str
    config: dict[str, Any]
    data: Data | None
    """None where nothing is learnt from data."""
    rows: tuple[Row, ...]
    series: tuple[Series, ...] = ()

    @property
    def file_name(self) -> str:
        return f"{self.name}.json"


@dataclass(frozen=True, kw_only=True)
class BenchRow:
    """Our time beside a named peer's, both from one run.

    Raises:
        ValueError: it gives some of its figures, but not all.
    """

    row: str
    metric: str
    """What was timed, with its unit."""
    measured: float | None
    baseline: float | None
    baseline_name: str
    ratio: float | None
    """How many times faster than the baseline: its time over ours."""
    ratio_interval: tuple[float, ...] | None
    """95 % interval of the ratio: low, high."""
    repeats: int
    """Interleaved pairs."""
    commit: str | None
    created: str | None
    machine: str | None
    note: str

    def __post_init__(self) -> None:
        figures = (self.measured, self.baseline, self.ratio, self.ratio_interval)
        if len({figure is None for figure in figures}) > 1:
            raise ValueError(
                f"row {self.row!r}: measured, baseline, ratio and ratio_interval are {figures}; "
                f"expected all four, or null for each where it was not run."
            )
        if self.ratio_interval is not None and len(self.ratio_interval) != 2:
            raise ValueError(
                f"row {self.row!r}: ratio_interval is {self.ratio_interval}; "
                f"expected two numbers, [low, high]."
            )


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """Ratios of speed that one command measured: `results/bench-NAME.json`."""

    name: str
    command: str
    config: dict[str, Any]
    rows: tuple[BenchRow, ...]

    @property
    def file_name(self) -> str:
        return f"{BENCHMARK}{self.name}.json"


Result = Table | Benchmark


def measured(
    row: str,
    metric: str,
    values: Mapping[int, float],
    *,
    unit: str,
    better: Literal["higher", "lower"],
    selection: str,
    reported: float | None = None,
    published: float | None = None,
    source: str | None = None,
    target: float | None = None,
    status: Literal["done", "partial"] = "done",
    wall_s: float | None = None,
    fingerprint: str | None = None,
    note: str = "",
) -> Row:
    """Return the row of figures that this process has measured.

    Args:
        values: the figure of every seed.
        reported: the figure of the run that `selection` chose; by default the mean.
        wall_s: seconds that all seeds took together.
        row, metric, unit, better, selection, published, source, target, status: see `Row`.
        fingerprint, note: see `Row`.

    Raises:
        ValueError: there are no values, or the fields contradict each other.
    """
    if not values:
        raise ValueError(
            f"row {row!r}: no values. Pass one a seed, or use results.not_run() for an empty row."
        )
    figures = tuple(values.values())
    return Row(
        row=row,
        metric=metric,
        unit=unit,
        better=better,
        measured=statistics.fmean(figures) if reported is None else reported,
        spread=spread(figures),
        values=figures,
        seeds=tuple(values),
        selection=selection,
        published=published,
        source=source,
        target=target,
        status=status,
        commit=running_commit(),
        created=now(),
        machine=machine(),
        wall_s=wall_s,
        fingerprint=fingerprint,
        note=note,
    )


def not_run(
    row: str,
    metric: str,
    *,
    unit: str,
    better: Literal["higher", "lower"],
    published: float | None = None,
    source: str | None = None,
    target: float | None = None,
    note: str = "",
) -> Row:
    """Return the row of a figure that nobody has measured yet."""
    return Row(
        row=row,
        metric=metric,
        unit=unit,
        better=better,
        measured=None,
        spread=None,
        values=(),
        seeds=(),
        selection="",
        published=published,
        source=source,
        target=target,
        status="not run",
        commit=None,
        created=None,
        machine=None,
        wall_s=None,
        fingerprint=None,
        note=note,
    )
