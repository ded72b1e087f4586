"""`memnets quickstart`: the whole way, from nothing to an answer with its evidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.console import Console

from memnets.cli import report
from memnets.cli.ask import show
from memnets.cli.tables import metrics_table
from memnets.experiments.execute import finished, start
from memnets.inference import load_run, progress, resume
from memnets.studies import recipe

RECIPE = "memn2n/babi-generated"
TASK = 2
"""The task whose first test story is asked about: its questions need two sentences."""


@dataclass(frozen=True)
class Quickstart:
    """Train a memory network on generated stories, ask it about one, show what it read."""

    out: Path = Path("runs/quickstart")
    """The run folder; a run that is there already is not trained again."""


def main(arguments: Sequence[str]) -> int:
    """Train, measure, ask, report."""
    options = tyro.cli(Quickstart, args=list(arguments), prog="memnets quickstart")
    folder, console = options.out, Console()
    if not (folder / "run.json").exists():
        console.print(f"Training {RECIPE} (tasks 1 and 2, generated stories) in {folder}")
        result = start(recipe(RECIPE)(), folder, RECIPE, show=progress())
    elif finished(folder) is None:
        result = resume(folder)
    else:
        console.print(f"Trained before: {folder} (remove the folder to train again)")
        result = finished(folder) or {}
    console.print(metrics_table({"test": result["metrics"]["test"]}))
    answer = next(load_run(folder).examples("test", TASK))
    console.print("One test story and what was read at each hop (* marks the true evidence):")
    show(answer)
    page = report.write(folder)
    console.print(f"report: {page}\nask it yourself: memnets ask {folder}", highlight=False)
    return 0
