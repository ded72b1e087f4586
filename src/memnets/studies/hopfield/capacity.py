"""Tables of capacities: curves of recall over the load, measured seed by seed. Imports no torch."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from memnets import results
from memnets.experiments.jobs import Job, slug
from memnets.experiments.tables import COMMAND, PlannedTable, interval_note, matching, row_of
from memnets.files import read_json, write_json

METRIC = "load at which half of the patterns are recalled"


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Recall over the load, of one rule, one size and one noise.

    Args:
        rule: of `memnets.memories.hopfield.capacity.RULES`.
        neurons: of the network.
        loads: patterns a neuron, from small to large.
        noise: share of a pattern's neurons that its cue has turned.
        overlap: from which a pattern counts as recalled; 1 is exactly.
        published, source: the load that a law names.
    """

    rule: str
    neurons: int
    loads: tuple[float, ...]
    noise: float = 0.0
    overlap: float = 1.0
    published: float | None = None
    source: str | None = None

    def __str__(self) -> str:
        cue = f"{self.noise:.0%} turned" if self.noise else "from the pattern"
        end = "" if self.overlap == 1 else f", overlap {self.overlap:g}"
        return f"{self.rule}, N = {self.neurons}, {cue}{end}"


@dataclass(frozen=True, kw_only=True)
class CapacityTable(PlannedTable):
    """Loads at which half of the patterns are recalled; nothing is trained.

    A curve is kept in a file of the folder of runs as soon as all its seeds are measured.

    Args:
        title: of the table.
        curves: one a row.
        seeds: networks of each.
    """

    title: str
    curves: tuple[Curve, ...]
    seeds: int = 10
    generated: bool = True

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        for curve in matching(only, name, self.curves, lambda one: (str(one),)):
            path = _file(root, name, curve)
            if not path.exists():
                begun = time.perf_counter()
                shares = measure(curve, range(self.seeds))
                seconds = time.perf_counter() - begun
                record = {"curve": _plain(curve), "shares": shares, "wall_s": seconds}
                write_json(path, {**record, "commit": results.commit()})
            yield []

    def collect(
        self, name: str, root: Path, data: Path | None, before: results.Table | None = None
    ) -> results.Table:
        curves = [_plain(curve) for curve in self.curves]
        known = _standing(before, curves, self.seeds)
        filled = [self._filled(curve, name, root, known) for curve in self.curves]
        return results.Table(
            name=name,
            command=f"{COMMAND} {name}",
            config={"seeds": self.seeds, "curves": curves},
            data=results.Data("random patterns of 1 and -1", None, "every stored pattern"),
            rows=tuple(row for row, _ in filled),
            series=tuple(series for _, series in filled if series is not None),
        )

    def _filled(
        self, curve: Curve, name: str, root: Path, known: "_Known"
    ) -> tuple[results.Row, results.Series | None]:
        path = _file(root, name, curve)
        if not path.exists():
            return known.get(str(curve), (_row(curve, {}, self.seeds), None))
        record = read_json(path, needed=("curve", "shares", "wall_s", "commit"))
        shares = record["shares"]
        if record["curve"] != _plain(curve) or len(shares) != self.seeds:
            raise ValueError(
                f"{path}: it was measured with other numbers than {str(curve)!r} has now. Remove "
                f"the file, or pass another folder with --runs."
            )
        row = _row(curve, dict(enumerate(shares)), self.seeds, record["commit"], record["wall_s"])
        return row, series(curve, shares)


_Known = dict[str, tuple[results.Row, results.Series | None]]


def measure(curve: Curve, seeds: Sequence[int]) -> list[list[float]]:
    """Return the share of recalled patterns, seed by seed and load by load."""
    from memnets.memories.hopfield.capacity import RULES, recalled

    return [
        list(
            recalled(
                RULES[curve.rule](),
                curve.neurons,
                curve.loads,
                noise=curve.noise,
                overlap=curve.overlap,
                seed=seed,
            )
        )
        for seed in seeds
    ]


def series(curve: Curve, shares: Sequence[Sequence[float]]) -> results.Series:
    """Return the mean curve of all seeds, and half of its 95 % interval."""
    columns = list(zip(*shares, strict=True))
    ends = [results.interval(column) or (column[0], column[0]) for column in columns]
    return results.Series(
        name=str(curve),
        x=curve.loads,
        y=tuple(sum(column) / len(column) for column in columns),
        spread=tuple((high - low) / 2 for low, high in ends),
    )


def _row(
    curve: Curve,
    shares: dict[int, list[float]],
    seeds: int,
    commit: str | None = None,
    wall_s: float | None = None,
) -> results.Row:
    from memnets.memories.hopfield.capacity import capacity

    values = {seed: capacity(curve.loads, of_seed) for seed, of_seed in shares.items()}
    return row_of(
        str(curve),
        METRIC,
        values,
        commits=(commit,),
        whole=len(values) == seeds,
        note=interval_note(list(values.values()), ""),
        selection="mean over all seeds",
        wall_s=wall_s,
        unit="",
        better="higher",
        published=curve.published,
        source=curve.source,
    )


def _standing(before: results.Table | None, curves: list[dict[str, Any]], seeds: int) -> _Known:
    """Return what was measured before of curves that are as they were."""
    if before is None or before.config.get("seeds") != seeds:
        return {}
    told = before.config.get("curves", [])
    lines = {one.name: one for one in before.series}
    rows = {row.row: row for row in before.rows}
    same = [Curve(**_tupled(one)) for one in told if one in curves]
    return {str(one): (rows[str(one)], lines.get(str(one))) for one in same}


def _tupled(curve: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(v) if isinstance(v, list) else v for name, v in curve.items()}


def _plain(curve: Curve) -> dict[str, Any]:
    """Return a curve as it is read back from a file."""
    return {one.name: _listed(getattr(curve, one.name)) for one in fields(curve)}


def _listed(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _file(root: Path, name: str, curve: Curve) -> Path:
    return root / name / f"{slug(str(curve))}.json"
