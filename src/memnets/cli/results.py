"""`memnets results`: the measured tables beside the published ones."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import tyro
from rich.console import Console

from memnets.lookup import named
from memnets.report.tables import terminal
from memnets.results import Result, Table, read_all, results_folder

WIDTH = 110
"""Columns of a table that is written to a file or a pipe."""


@dataclass(frozen=True)
class Results:
    """Print measured figures next to the published ones, misses included."""

    name: tyro.conf.Positional[str | None] = None
    """One table or benchmark (bench-NAME); all of them by default."""
    results: Path = field(default_factory=results_folder)
    """Folder of the results' JSON files."""
    picture: Path | None = None
    """Draw the named table, measured beside published, into this PNG or PDF."""

    def __post_init__(self) -> None:
        if self.picture is not None and self.name is None:
            raise ValueError(
                f"--picture {self.picture} without a table. Name one: memnets results NAME."
            )

    def run(self) -> int:
        known = read_all(self.results)
        if self.name is not None:
            known = {self.name: named(self.name, known, "result", "memnets results")}
        console = Console()
        if not console.is_terminal:
            console.width = max(console.width, WIDTH)
        for result in known.values():
            console.print(terminal(result), "")
            if self.picture is not None:
                _draw(result, self.picture)
        if not known:
            console.print(f"{self.results} holds no results yet.", highlight=False, markup=False)
        return 0


def _draw(result: Result, path: Path) -> None:
    from memnets.report.plots import published_against_measured, save

    if not isinstance(result, Table):
        raise ValueError(f"{result.name} is a benchmark: it has nothing published to draw.")
    save(published_against_measured(result), path)


def main(arguments: Sequence[str]) -> int:
    """Print the tables."""
    return tyro.cli(Results, args=list(arguments), prog="memnets results").run()
