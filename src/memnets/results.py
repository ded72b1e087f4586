"""The one shape of every result: a table of measured figures, each next to its published one.

Every figure of the documents comes from a file in `results/`, written by the run that measured it
and read here strictly: a file that does not fit is refused, with its place.
"""

import json
import os
import platform
import re
import statistics
import subprocess
import types
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, is_dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from memnets.files import write_bytes

DIGITS = 6
"""Significant digits of a figure on disk."""
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
Record = TypeVar("Record")


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
    note: str = "",
) -> Row:
    """Return the row of figures that this process has measured.

    Args:
        values: the figure of every seed.
        reported: the figure of the run that `selection` chose; by default the mean.
        wall_s: seconds that all seeds took together.
        row, metric, unit, better, selection, published, source, target, status, note: see `Row`.

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
        commit=commit(),
        created=now(),
        machine=machine(),
        wall_s=wall_s,
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
        note=note,
    )


def spread(values: Sequence[float]) -> float | None:
    """Return the standard deviation (n - 1), or None of a single value."""
    return statistics.stdev(values) if len(values) > 1 else None


def interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean (Student's t), or None of a single value."""
    if len(values) < 2:
        return None
    mean = statistics.fmean(values)
    half = _t(len(values) - 1) * statistics.stdev(values) / len(values) ** 0.5
    return mean - half, mean + half


def _t(freedom: int) -> float:
    """Return the 97.5 % quantile of Student's t; above 10 degrees of freedom by expansion."""
    if freedom <= len(_T):
        return _T[freedom - 1]
    z, n = 1.959964, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


_T = (12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600, 2.26216, 2.22814)


def now() -> str:
    """Return the time in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def machine() -> str:
    """Return what a figure depends on, without naming anyone's computer."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    name = f"{cores} cores, {platform.machine()}, {platform.system()}"
    try:
        return f"{name}, torch {metadata.version('torch')}"
    except metadata.PackageNotFoundError:
        return name


def commit() -> str | None:
    """Return the short hash of the checkout, with "-dirty" where its source was changed."""
    root = _checkout()
    if root is None:
        return None
    git = ["git", "-C", str(root)]
    try:
        head = subprocess.run(
            [*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True
        ).stdout.strip()
        changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "src"], check=False)
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{head}-dirty" if changed.returncode else head


def results_folder() -> Path:
    """Return the checkout's `results`, or the one of the current folder."""
    return (_checkout() or Path()) / "results"


def _checkout() -> Path | None:
    root = Path(__file__).parents[2]
    return root if (root / "pyproject.toml").exists() and (root / ".git").exists() else None


def write(result: Result, folder: Path) -> Path:
    """Write a result to its file, atomically, and return the path.

    Raises:
        ValueError: a figure is NaN or infinite.
    """
    path = folder / result.file_name
    record = asdict(result)
    for part in ("rows", "series"):
        if part in record:
            record[part] = [_rounded(item) for item in record[part]]
    try:
        text = json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False)
    except ValueError:
        raise ValueError(
            f"{path}: the result holds NaN or infinity; expected numbers. "
            f"Write what did not converge as results.not_run(), with a note."
        ) from None
    write_bytes(path, f"{_lists_on_one_line(text)}\n".encode())
    return path


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value


def _lists_on_one_line(text: str) -> str:
    # A raw line break never stands in a JSON string, so only lists of plain numbers match.
    def joined(match: re.Match[str]) -> str:
        return f"[{' '.join(match[1].split())}]"

    return re.sub(r"\[\n([^\[\]{}\"]*)\]", joined, text)


def read_all(folder: Path) -> dict[str, Result]:
    """Return every result of a folder, by the name of its file without `.json`.

    Raises:
        ValueError: there is no such folder, or a file does not fit.
    """
    if not folder.is_dir():
        raise ValueError(
            f"{folder}: no such folder. Name the one that holds the results' JSON files "
            f"with --results."
        )
    return {path.stem: read(path) for path in sorted(folder.glob("*.json"))}


def read(path: Path) -> Result:
    """Read a result.

    Raises:
        ValueError: the file does not hold exactly the fields of its kind, each of its type.
        FileNotFoundError: there is no such file.
    """
    record = _load(path)
    kind: Any = Benchmark if path.name.startswith(BENCHMARK) else Table
    hints = get_type_hints(kind)
    for part in ("rows", "series"):
        if part in hints and isinstance(record.get(part), list):
            row_kind = get_args(hints[part])[0]
            record[part] = [
                _structure(row_kind, item, f"{path}: {part}[{index}]")
                for index, item in enumerate(record[part])
            ]
    if isinstance(record.get("data"), dict):
        record["data"] = _structure(Data, record["data"], f"{path}: data")
    result: Result = _structure(kind, record, f"{path}")
    if result.file_name != path.name:
        raise ValueError(
            f"{path}: the name inside is {result.name!r}, which belongs into "
            f"{result.file_name}. Rename the file, or correct the name."
        )
    return result


def _load(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text("utf-8"), parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise ValueError(f"{path}:{error.lineno}: not JSON ({error.msg}). {_WRITE_ANEW}") from None
    except _NoNumberError as error:
        raise ValueError(
            f"{path}: holds {error}; expected numbers or null. {_WRITE_ANEW}"
        ) from None
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: byte {error.start} is not UTF-8. {_WRITE_ANEW}") from None
    if not isinstance(record, dict):
        raise ValueError(f"{path}: expected an object, found {record!r:.40}. {_WRITE_ANEW}")
    return record


class _NoNumberError(Exception):
    pass


def _no_number(text: str) -> None:
    raise _NoNumberError(text)


_WRITE_ANEW = "Let the command that measured it write it anew."


def _structure(kind: type[Record], record: Any, where: str) -> Record:
    if not isinstance(record, dict):
        raise ValueError(f"{where}: expected an object, found {record!r:.40}. {_WRITE_ANEW}")
    if "row" in record:
        where = f"{where} ({record['row']!r})"
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    missing = [name for name in known if name not in record]
    unknown = [name for name in record if name not in known]
    for problem, names in (("lacks", missing), ("has the unknown field", unknown)):
        if names:
            raise ValueError(
                f"{where} {problem} {', '.join(names)}; expected the fields {', '.join(known)}. "
                f"{_WRITE_ANEW}"
            )
    hints = get_type_hints(kind)
    for name, hint in hints.items():
        if not _fits(record[name], hint):
            raise ValueError(
                f"{where}: {name} is {record[name]!r:.60}; expected {_words(hint)}. {_WRITE_ANEW}"
            )
    try:
        return kind(**{name: _typed(record[name], hint) for name, hint in hints.items()})
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _fits(value: Any, hint: Any) -> bool:
    kind, inner = get_origin(hint), get_args(hint)
    if kind in (Union, types.UnionType):
        return any(_fits(value, choice) for choice in inner)
    if kind is Literal:
        return value in inner
    if kind is tuple:
        return isinstance(value, list) and all(_fits(item, inner[0]) for item in value)
    if hint is float:
        return type(value) in (int, float)
    return type(value) is (kind or hint)


def _typed(value: Any, hint: Any) -> Any:
    """Return a value that fits as the type itself: tuples for lists, 2.0 for a 2 on disk."""
    kind, inner = get_origin(hint), get_args(hint)
    if kind in (Union, types.UnionType):
        return _typed(value, next(choice for choice in inner if _fits(value, choice)))
    if kind is tuple:
        return tuple(_typed(item, inner[0]) for item in value)
    return float(value) if hint is float else value


def _words(hint: Any) -> str:
    kind, inner = get_origin(hint), get_args(hint)
    if kind in (Union, types.UnionType):
        return " or ".join(_words(choice) for choice in inner)
    if kind is Literal:
        return " or ".join(repr(choice) for choice in inner)
    if kind is tuple:
        return f"a list, each item {_words(inner[0])}"
    if is_dataclass(hint):
        return "an object"
    names = {float: "a number", int: "a whole number", str: "text", dict: "an object"}
    return "null" if hint is types.NoneType else names[kind or hint]
