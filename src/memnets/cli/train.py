"""`memnets train`: a recipe in a new folder, or an interrupted run to its end."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Generic, TypeVar

import tyro
from rich.console import Console

from memnets.cli.options import Wrapping, parse
from memnets.cli.tables import metrics_table
from memnets.experiments.execute import start
from memnets.experiments.overrides import check_overrides
from memnets.experiments.run import Run
from memnets.inference import next_free, progress, resume
from memnets.studies import recipe

R = TypeVar("R", bound=Run)

HELP = """\
usage: memnets train RECIPE [--out FOLDER] [--data PATH] [--any.field value]
       memnets train --resume RUN

Train a recipe (`memnets list` names them), or go on with an interrupted run.
`memnets train RECIPE --help` lists every field with its value."""


@dataclass(frozen=True)
class Train(Generic[R]):
    """Train a recipe in a new run folder."""

    run: Annotated[R, tyro.conf.arg(name="")]
    out: Path | None = None
    """The run folder; by default the next free one under runs/."""


def main(arguments: Sequence[str]) -> int:
    """Train, and say what to do with the result."""
    words = list(arguments)
    if not words or words[0] in ("-h", "--help"):
        print(HELP, file=Wrapping(sys.stdout))
        return 0 if words else 2
    if words[0] == "--resume":
        folder = _resumed(words[1:])
        result = resume(folder)
    else:
        name = words.pop(0)
        if name.startswith("-"):
            raise ValueError(f"the recipe comes first, before {name}: memnets train RECIPE {name}")
        train = parse_run(name, words)
        folder = train.out or next_free(name)
        result = start(train.run, folder, name, show=progress())
    summarise(folder, result)
    return 0


def parse_run(name: str, words: Sequence[str]) -> Train[Any]:
    """Apply `--field value` arguments to a recipe's run.

    Raises:
        ValueError: the recipe or a field is unknown, or a value is refused.
    """
    run = recipe(name)()
    # --data PATH is short for --data.path PATH.
    words = ["--data.path" if word == "--data" else word for word in words]
    words = [word.replace("--data=", "--data.path=", 1) for word in words]
    check_overrides(name, run, words)
    kind: Any = Train[type(run)]  # type: ignore[misc]
    return parse(
        kind,
        words,
        default=Train(run),
        prog=f"memnets train {name}",
        config=(tyro.conf.FlagConversionOff,),
    )


def summarise(folder: Path, result: dict[str, Any]) -> None:
    """Print what a run has reached."""
    console = Console()
    console.print(metrics_table(result["metrics"]))
    console.print(f"\nThe run is in {folder}. Next:")
    console.print(f"  memnets ask {folder}\n  memnets report {folder}", highlight=False)


def _resumed(words: list[str]) -> Path:
    if len(words) != 1:
        raise ValueError(
            f"--resume takes one run folder and nothing else, but {len(words)} words came. "
            f"A run goes on with the configuration it was started with: memnets train --resume RUN"
        )
    return Path(words[0])
