"""The one shape of every result: a table of measured figures, each next to its published one.

Every figure of the documents comes from a file in the checkout's `results/`, written by the run
that measured it and read here strictly: a file that does not fit is refused, with its place.
"""

from memnets.results.provenance import commit, machine, now, results_folder
from memnets.results.reading import Result, keeping, read, read_all, write
from memnets.results.records import (
    BENCHMARK,
    Benchmark,
    BenchRow,
    Data,
    Row,
    Series,
    Table,
    measured,
    not_run,
)
from memnets.results.statistics import interval, spread

__all__ = [
    "BENCHMARK",
    "BenchRow",
    "Benchmark",
    "Data",
    "Result",
    "Row",
    "Series",
    "Table",
    "commit",
    "interval",
    "keeping",
    "machine",
    "measured",
    "not_run",
    "now",
    "read",
    "read_all",
    "results_folder",
    "spread",
    "write",
]
