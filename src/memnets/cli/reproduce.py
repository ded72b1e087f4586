"""`memnets reproduce`: fill a paper's table, cell by cell."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
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
from memnets.recipes import comparison
from memnets.recipes.comparison import comparisons
from memnets.recipes.reproduction import Job, collect, ended, jobs, reproduce, reproduction


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
    compared = options.name in comparisons()
    stages, collected = (_comparison if compared else _published)(options)
    folder = options.results or results.results_folder()
    with _bar() as bar:
        line = bar.add_task(options.name, total=0)
        for wanted in stages:
            todo = [job for job in wanted if not ended(job.folder)]
            done = bar.tasks[line].completed + len(wanted) - len(todo)
            bar.update(line, total=done + len(todo), completed=done)
            for job in reproduce("", todo, options.workers):
                bar.update(line, advance=1, description=f"{job.name}, seed {job.seed}")
                results.write(collected(), folder)
    path = results.write(collected(), folder)
    from memnets.cli.results import main as show

    show([options.name, "--results", str(folder)])
    print(f"{path}")
    return 0


Plan = tuple[Iterable[list[Job]], Callable[[], results.Table]]
"""Runs in stages, each made before the next is asked for; and what makes the table of them."""


def _published(options: Reproduce) -> Plan:
    table = reproduction(options.name)
    every = [
        job._replace(recipe=table.recipe)
        for job in jobs(options.name, table, options.runs, options.data)
    ]
    wanted = [job for job in every if any(re.search(options.only, cell) for cell in job.cells)]
    if not wanted:
        raise ValueError(
            f"--only {options.only!r} matches no cell of {options.name}. "
            f"Its cells are {table.cells[0].name!r} to {table.cells[-1].name!r}."
        )
    return [wanted], lambda: collect(options.name, _command(options), table, every)


def _comparison(options: Reproduce) -> Plan:
    table = comparisons()[options.name]()
    where = table, options.runs, options.data
    stages = comparison.stages(options.name, *where, only=options.only)
    return stages, lambda: comparison.collect(options.name, _command(options), *where)


def _command(options: Reproduce) -> str:
    return f"memnets reproduce {options.name}"


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(file=sys.stderr),
    )
