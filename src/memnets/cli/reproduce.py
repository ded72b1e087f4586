"""`memnets reproduce`: fill a table, cell by cell."""

import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

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
from memnets.cli.options import parse
from memnets.cli.places import expect_folder
from memnets.experiments.jobs import carry_out, ended
from memnets.studies import table as table_named


@dataclass(frozen=True)
class Reproduce:
    """Fill a table, run by run. Finished runs are kept, interrupted ones are resumed.

    Rows whose runs are not in the folder of runs stay as the table has them, unless their
    configuration has changed; to those that have run in part the seeds that are run here are added.
    """

    name: tyro.conf.Positional[str]
    """Name of the table; `memnets list` lists them."""
    data: Path | None = None
    """Folder of the data; by default MEMNETS_DATA, then the download cache."""
    only: str = ""
    """Regular expression: only rows whose name ("PE LS RN, task 4") it matches are run; others stay
    as NAME.json has them."""
    missing: bool = False
    """Run only seeds of which NAME.json has no figure yet, whether their runs are here or not."""
    runs: Path = Path("runs/reproduce")
    """Folder for the run folders."""
    results: Path | None = None
    """Folder for NAME.json; by default results, in the checkout or else where you are."""
    workers: int = os.cpu_count() or 1
    """Number of runs at the same time, one thread each."""
    device: Literal["cpu", "cuda", "mps"] = "cpu"
    """Where the runs train that are begun now; "cuda" shares one GPU among all workers."""

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


def committed_results() -> Path:
    """Return the checkout's folder of results, where every row names the commit that made it.

    Raises:
        ValueError: the source has changes that no commit holds.
    """
    if (results.commit() or "").endswith(results.DIRTY):
        raise ValueError(
            "the source has changes that no commit holds, so that the rows could not be made "
            "again from the commit that they name. Commit the changes, or have the table written "
            "elsewhere with --results FOLDER."
        )
    return results.results_folder()


def main(arguments: Sequence[str]) -> int:
    """Run what is missing, and write the table after every run."""
    options = parse(Reproduce, arguments, prog="memnets reproduce")
    table = table_named(options.name)
    _expect_data(options, needed=not getattr(table, "generated", False))
    place = options.name, options.runs, options.data
    folder = options.results or committed_results()
    expect_folder(options.runs, "--runs")
    expect_folder(folder, "--results")
    path = folder / f"{options.name}.json"
    known = results.read(path) if path.exists() else None
    before = known if isinstance(known, results.Table) else None
    with _bar() as bar:
        line = bar.add_task(options.name, total=0)
        for wanted in table.stages(*place, options.only):
            todo = [job for job in wanted if not ended(job.folder)]
            if options.missing and before is not None:
                todo = [job for job in todo if table.lacks(job, before)]
            done = bar.tasks[line].completed + len(wanted) - len(todo)
            bar.update(line, total=done + len(todo), completed=done)
            for job in carry_out(todo, options.workers, options.device):
                bar.update(line, advance=1, description=f"{job.name}, seed {job.seed}")
                results.write(table.collect(*place, before), folder)
    results.write(table.collect(*place, before), folder)
    from memnets.cli.results import main as show

    show([options.name, "--results", str(folder)])
    print(f"{path}")
    return 0


def _expect_data(options: Reproduce, needed: bool) -> None:
    """Refuse a folder of data that is not there, or that nothing would be read from."""
    if options.data is None:
        return
    if not needed:
        raise ValueError(
            f"{options.name} is measured on generated data, so --data {str(options.data)!r} would "
            f"be ignored. Leave it out."
        )
    if not options.data.is_dir():
        raise ValueError(
            f"--data {str(options.data)!r}: there is no such folder. Name the folder of the data, "
            f"or leave it out to have them looked for in MEMNETS_DATA and the cache."
        )


def _bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(file=sys.stderr),
    )
