"""`memnets quickstart`: the whole way, from nothing to an answer with its evidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from memnets.cli import report
from memnets.cli.options import parse
from memnets.cli.tables import metrics_table, show
from memnets.experiments.execute import finished, start
from memnets.inference import load_run, open_run, progress, resume
from memnets.studies import recipe

RECIPE = "memn2n/babi-generated"
FOLDER = Path("runs/quickstart")
STORY = (
    "Mary picked up the apple.",
    "John went to the office.",
    "Mary moved to the garden.",
    "Daniel went to the kitchen.",
)
QUESTION = "Where is the apple?"
"""No sentence says it: who has the apple is to be read first, then where she went."""


@dataclass(frozen=True)
class Quickstart:
    """Train a memory network on generated stories, tell it another, show what it read."""

    out: Path = FOLDER
    """The run folder; a run that is there already is not trained again."""


def main(arguments: Sequence[str]) -> int:
    """Train, measure, ask, report."""
    options = parse(Quickstart, arguments, prog="memnets quickstart")
    # Paths must stay whole, for those who copy them.
    folder, console = options.out, Console(highlight=False, soft_wrap=True, markup=False)
    result = trained(folder)
    Console().print(metrics_table({"test": result["metrics"]["test"]}))
    console.print("A new story, the answer, and how much of each sentence was read at each hop:")
    show(load_run(folder).answer(STORY, QUESTION))
    page = report.write(folder)
    console.print(f"report: {page}\nask it yourself: memnets ask {folder}")
    return 0


def trained(folder: Path) -> dict[str, Any]:
    """Train the run in a folder unless it is there, and return its result."""
    console = Console(highlight=False, soft_wrap=True, markup=False)
    if not (folder / "run.json").exists():
        console.print(f"Training {RECIPE} (tasks 1 and 2, generated stories) in {folder}")
        return start(recipe(RECIPE)(), folder, RECIPE, show=progress())
    _expect_own(folder)
    result = finished(folder)
    if not result:
        return resume(folder)
    console.print(f"Trained before: {folder} (remove the folder to train again)")
    return result


def _expect_own(folder: Path) -> None:
    """Refuse the folder of a run of something else."""
    name = open_run(folder).name
    if name != RECIPE:
        raise ValueError(
            f"{folder}: this folder holds a run of {name}; the quick start trains {RECIPE}. Choose "
            f"another folder with --out."
        )
