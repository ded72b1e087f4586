"""Load what was trained, whatever it is, and ask it. Imports no torch by itself."""

from pathlib import Path

from memnets import studies
from memnets.experiments.execute import Opened, open_as
from memnets.experiments.run import Run
from memnets.lookup import named


def open_run(path: Path) -> Opened:
    """Open a run folder.

    Raises:
        FileNotFoundError: it is none.
        ValueError: it was written by another version, or damaged.
    """
    return open_as(path, kind_of(path))


def kind_of(path: Path) -> type[Run]:
    """Return the kind of run that a folder holds.

    Raises:
        FileNotFoundError: it holds none.
        ValueError: it was written by another version, or damaged.
    """
    from memnets.training.runs import RunFolder

    record = RunFolder.open(path).record
    if "kind" not in record:  # written before 0.2: the recipe told the kind
        return type(studies.recipe(record["recipe"])())
    return named(record["kind"], studies.kinds(), "kind of run", "memnets list")
