"""`memnets eval`: measure a trained run on its data."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import tyro
from rich.console import Console

from memnets.cli.tables import metrics_table
from memnets.inference import open_run


@dataclass(frozen=True)
class Evaluate:
    """Measure a trained run on the questions of a split."""

    run: tyro.conf.Positional[Path]
    """The run folder."""
    split: Literal["train", "valid", "test"] = "test"
    """Which questions."""
    data: Path | None = None
    """Where the data are now, if they have moved."""


def main(arguments: Sequence[str]) -> int:
    """Print the metrics of a split."""
    options = tyro.cli(Evaluate, args=list(arguments), prog="memnets eval")
    from memnets.training.runs import RunFolder

    opened = open_run(options.run)
    run: Any = opened.run
    if options.data is not None:
        run = replace(run, data=replace(run.data, path=options.data))
    experiment = run.prepare().experiment
    RunFolder.open(options.run).load_weights(experiment.model)
    experiment.phases[-1].prepare(experiment.model)
    experiment.model.eval()
    ratios = experiment.task.evaluate(experiment.model, options.split)
    if not ratios:
        raise ValueError(
            f"--split {options.split}: the data of {options.run} have no such part. "
            f"Pass --split valid."
        )
    metrics = {name: ratio.mean for name, ratio in ratios.items()}
    Console().print(metrics_table({options.split: metrics}))
    return 0
