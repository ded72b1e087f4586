"""`memnets list`: the recipes. Reads recipe files only."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from memnets.cli.options import parse
from memnets.studies import recipes, tables


@dataclass(frozen=True)
class List:
    """List what can be trained and what can be reproduced."""


def main(arguments: Sequence[str]) -> int:
    """Print every recipe and every table with one line each."""
    parse(List, arguments, prog="memnets list")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("recipe", overflow="fold")
    table.add_column("what it trains", overflow="fold")
    for name, function in recipes().items():
        table.add_row(name, (inspect.getdoc(function) or "").splitlines()[0])
    filled = Table(box=None, pad_edge=False, header_style="bold")
    filled.add_column("table", overflow="fold")
    filled.add_column("what it reproduces", overflow="fold")
    for name, planned_table in tables().items():
        filled.add_row(name, planned_table().title)
    console = Console()
    console.print(table)
    console.print()
    console.print(filled)
    console.print("\nmemnets train RECIPE [--field value]\nmemnets reproduce TABLE", markup=False)
    return 0
