"""`memnets eval`: measure a trained run on its data."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import tyro
from rich.console import Console

from memnets.cli.options import parse
from memnets.cli.tables import metrics_table
from memnets.inference import evaluate


@dataclass(frozen=True)
class Evaluate:
    """Measure a trained run on the questions of a split."""

    run: tyro.conf.Positional[Path]
    """Folder of the run."""
    split: Literal["train", "valid", "test"] = "test"
    """Split to measure on."""
    data: Path | None = None
    """Folder of the data, where they have moved since training."""


def main(arguments: Sequence[str]) -> int:
    """Print the metrics of a split."""
    options = parse(Evaluate, arguments, prog="memnets eval")
    metrics = evaluate(options.run, options.split, options.data)
    Console().print(metrics_table({options.split: metrics}))
    return 0
