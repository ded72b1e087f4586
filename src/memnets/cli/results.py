"""`memnets results`: the measured tables beside the published ones."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import tyro
from rich.console import Console

from memnets.cli.options import parse
from memnets.lookup import named
from memnets.report.tables import Terminal
from memnets.results import Result, Table, known_results, read_all

WIDTH = 110
"""Columns of a table that is written to a file or a pipe."""


@dataclass(frozen=True)
class Results:
    """Print measured figures next to the published ones, misses included."""

    name: tyro.conf.Positional[str | None] = None
    """One table or benchmark (bench-NAME); all of them by default."""
    results: Path = field(default_factory=known_results)
    """Folder of results, such as results after `memnets reproduce`; by default memnets' own."""
    picture: Path | None = None
    """Draw the named table, measured beside published, into this PNG or PDF."""
    stale: bool = False
    """Print the rows that the code of today would no longer make instead: the first updates of
    each row's first run are made again and compared with its fingerprint. Where only rounding
    differs the training is the same, but a single run may end elsewhere."""
    data: Path | None = None
    """With --stale: folder of the data; by default MEMNETS_DATA, then the download cache."""

    def __post_init__(self) -> None:
        if self.picture is not None and self.name is None:
            raise ValueError(
                f"--picture {self.picture} without a table. Name one: memnets results NAME."
            )
        if self.data is not None and not self.stale:
            raise ValueError(
                f"--data {self.data} without --stale would be ignored. Pass --stale too, or leave "
                f"it out."
            )

    def run(self) -> int:
        known = read_all(self.results)
        if self.name is not None:
            known = {self.name: named(self.name, known, "result", "memnets results")}
        if self.stale:
            return _stale(known, self.data)
        console = Console()
        if not console.is_terminal:
            console.width = max(console.width, WIDTH)
        for result in known.values():
            console.print(Terminal(result), "")
            if self.picture is not None:
                _draw(result, self.picture)
        if not known:
            console.print(f"{self.results} holds no results yet.", highlight=False, markup=False)
        return 0


def _stale(known: Mapping[str, Result], data: Path | None) -> int:
    """Print what became of every row; 1 where one is stale."""
    from memnets.experiments.staleness import check
    from memnets.studies import table, tables

    stale = False
    for name, result in known.items():
        if not isinstance(result, Table) or name not in tables():
            continue
        found: Counter[str] = Counter()
        try:
            for checked in check(table(name), result, data):
                found[checked.found] += len(checked.rows)
                if checked.found == "other":
                    print(f"{name}: stale: {'; '.join(checked.rows)}", flush=True)
        except FileNotFoundError as error:
            print(f"{name}: not checked: {error}", flush=True)
            continue
        print(
            f"{name}: {found['same bits']} rows with the same bits, {found['but for rounding']} "
            f"but for rounding, {found['other']} stale, {found['no fingerprint']} without a "
            f"fingerprint.",
            flush=True,
        )
        stale = stale or found["other"] > 0
    return 1 if stale else 0


def _draw(result: Result, path: Path) -> None:
    from memnets.report.plots import published_against_measured, save

    if not isinstance(result, Table):
        raise ValueError(f"{result.name} is a benchmark: it has nothing published to draw.")
    save(published_against_measured(result), path)


def main(arguments: Sequence[str]) -> int:
    """Print the tables."""
    return parse(Results, arguments, prog="memnets results").run()
