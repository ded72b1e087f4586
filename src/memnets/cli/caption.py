"""`memnets caption`: tell what pictures show, and draw where each word looked."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.console import Console

from memnets.cli.options import parse
from memnets.cli.pictures import draw
from memnets.cli.places import expect_folder
from memnets.cli.streams import print_json
from memnets.evidence import Answer
from memnets.evidence.heat import brief, visible
from memnets.inference import load_run


@dataclass(frozen=True)
class Caption:
    """Tell what pictures show with a trained run.

    A caption stands in a line of its own. With --out, a page and a PNG of each picture show it once
    for every word, dark where the word did not look.
    """

    run: tyro.conf.Positional[Path]
    """Folder of the run."""
    image: tyro.conf.Positional[tuple[Path, ...]]
    """Files of pictures."""
    out: Path | None = None
    """Folder for the pages and drawings, named as the pictures; needs memnets[plot]."""
    beam: int = 5
    """Hypotheses of a caption that are gone on with; 1 takes the likeliest word each time."""
    json: bool = False
    """Whether to print JSON, one record with all weights a line."""

    def __post_init__(self) -> None:
        if self.beam < 1:
            raise ValueError(f"--beam {self.beam}: expected at least 1 hypothesis a caption.")
        if not self.image:
            raise ValueError("no picture came. Name a file: memnets caption RUN IMAGE")
        stems = [path.stem for path in self.image]
        twice = next((name for name in stems if stems.count(name) > 1), None)
        if self.out is not None and twice is not None:
            raise ValueError(
                f"--out {self.out}: two pictures are called {twice}, and one drawing would be "
                f"written over the other. Give them one by one."
            )


def main(arguments: Sequence[str]) -> int:
    """Tell of every picture."""
    options = parse(Caption, arguments, prog="memnets caption")
    answerer = load_run(options.run)
    if not hasattr(answerer, "caption"):
        raise ValueError(
            f"{options.run}: {answerer.name} does not tell of pictures. Train one that does: "
            f"memnets list captions"
        )
    if options.out is not None:
        expect_folder(options.out, "--out")
    for path in options.image:
        answer = answerer.caption([path], options.beam)[0]
        _show(answer, options.json)
        if options.out is not None:
            draw(answer, options.out, path.stem)
    return 0


def _show(answer: Answer, json: bool) -> None:
    if answer.caution:
        print(f"memnets: {brief(f'{answer.question}: {answer.caution}')}", file=sys.stderr)
    if json:
        print_json(answer.to_json())
        return
    console = Console(soft_wrap=True, markup=False, highlight=False)
    console.print(visible(answer.text))
