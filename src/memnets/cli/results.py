"""`memnets results`: the measured tables beside the published ones."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import tyro
from rich.console import Console

from memnets.recipes import named
from memnets.report.tables import terminal
from memnets.results import read_all, results_folder


@dataclass(frozen=True)
class Results:
    """Print measured figures next to the published ones, misses included."""

    name: tyro.conf.Positional[str | None] = None
    """One table or benchmark (bench-NAME); all of them by default."""
    results: Path = field(default_factory=results_folder)
    """Folder of the results' JSON files."""

    def run(self) -> int:
        known = read_all(self.results)
        if self.name is not None:
            known = {self.name: named(self.name, known, "result", "memnets results")}
        console = Console()
        for result in known.values():
            console.print(terminal(result), "")
        if not known:
            console.print(f"{self.results} holds no results yet.", highlight=False, markup=False)
        return 0


def main(arguments: Sequence[str]) -> int:
    """Print the tables."""
    return tyro.cli(Results, args=list(arguments), prog="memnets results").run()
