"""What is published of the figures that a run measures."""

from memnets import studies
from memnets.experiments.jobs import without_path
from memnets.experiments.reproduction import ERROR, Reproduction
from memnets.experiments.run import Run, to_json


def published_for(run: Run) -> dict[str, float]:
    """Return the published test error, in per cent, of every metric that this run could repeat."""
    planned = (table() for table in studies.tables().values())
    return {
        cell.metric: cell.published
        for table in planned
        if isinstance(table, Reproduction) and table.measure == ERROR
        for cell in table.cells
        if cell.published is not None and _learnt(cell.run) == _learnt(run)
    }


def _learnt(run: Run) -> dict[str, object]:
    """Return what a run learns, without the seed and the place of its data."""
    config = without_path(to_json(run))
    del config["loop"]
    return {"kind": run.kind, **config}
