"""`memnets reproduce`: fill a paper's table, cell by cell."""

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from memnets import results
from memnets.recipes.execute import finished
from memnets.recipes.reproduction import Job, collect, jobs, reproduce, reproduction


@dataclass(frozen=True)
class Reproduce:
    """Fill a published table. What was run before is kept; an interrupted run goes on."""

    name: tyro.conf.Positional[str]
    """The table; `memnets list` names them."""
    data: Path | None = None
    """Where the data are; by default MEMNETS_DATA, then the download cache."""
    only: str = ""
    """A regular expression: run just the cells whose name ("PE LS RN, task 4") it matches."""
    runs: Path = Path("runs/reproduce")
    """Where the run folders go."""
    results: Path | None = None
    """Where NAME.json goes; by default the checkout's results folder."""
    workers: int = os.cpu_count() or 1
    """Runs at the same time, one thread each."""

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise ValueError(f"--workers {self.workers}: expected at least 1. Pass --workers 1.")
        try:
            re.compile(self.only)
        except re.error as error:
            raise ValueError(
                f"--only {self.only!r} is no regular expression ({error}). "
                f"Pass part of a cell's name, such as 'task 4'."
            ) from None


def main(arguments: Sequence[str]) -> int:
    """Run what is missing, and write the table after every run."""
    options = tyro.cli(Reproduce, args=list(arguments), prog="memnets reproduce")
    table = reproduction(options.name)
    every = jobs(options.name, table, options.runs, options.data)
    wanted = [job for job in every if any(re.search(options.only, cell) for cell in job.cells)]
    if not wanted:
        raise ValueError(
            f"--only {options.only!r} matches no cell of {options.name}. "
            f"Its cells are {table.cells[0].name!r} to {table.cells[-1].name!r}."
        )
    todo = [job for job in wanted if not _is_finished(job)]
    command = f"memnets reproduce {options.name}"
    folder = options.results or results.results_folder()
    with _bar() as bar:
        line = bar.add_task(options.name, total=len(wanted), completed=len(wanted) - len(todo))
        for job in reproduce(table.recipe, todo, options.workers):
            bar.update(line, advance=1, description=f"{job.name}, seed {job.seed}")
            results.write(collect(options.name, command, table, every), folder)
    path = results.write(collect(options.name, command, table, every), folder)
    from memnets.cli.results import main as show

    show([options.name, "--results", str(folder)])
    print(f"{path}")
    return 0


def _is_finished(job: Job) -> bool:
    return (job.folder / "run.json").exists() and finished(job.folder) is not None


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(file=sys.stderr),
    )
