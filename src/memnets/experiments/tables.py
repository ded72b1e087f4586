"""Tables that `memnets reproduce` fills, whatever their kind."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

from memnets import results
from memnets.experiments.jobs import Job

COMMAND = "memnets reproduce"
"""Followed by the name of a table: what writes it."""


class PlannedTable(ABC):
    """A table, and the runs that fill it."""

    title: str

    @abstractmethod
    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        """Yield the runs that fill the table; those of a stage wait for the one before.

        Args:
            name: of the table.
            root: where the run folders go.
            data: where the data are; None for their usual place.
            only: a regular expression; rows that it does not match are left out.

        Raises:
            ValueError: no row matches.
        """

    @abstractmethod
    def collect(self, name: str, root: Path, data: Path | None) -> results.Table:
        """Make the table from the runs that have ended; the rest says that it was not run.

        Raises:
            ValueError: a run folder holds another configuration than the table's.
        """
