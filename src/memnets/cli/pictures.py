"""What commands about pictures share: drawing where a model looked, and asking about a picture."""

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from memnets.cli.status import USAGE
from memnets.cli.streams import print_json
from memnets.cli.tables import show
from memnets.evidence import Answer
from memnets.evidence.heat import brief
from memnets.experiments.answerer import Answerer, as_question

SHOWN = 3
"""Regions of each hop that are printed: those it read most."""


def ask_picture(
    answerer: Answerer, image: Path, questions: Iterable[str], out: Path | None, json: bool
) -> int:
    """Answer questions about a picture, and draw each into a folder if there is one.

    A question that cannot be answered is named, and the others go on.

    Args:
        answerer: that takes a picture and a question.
        image: the file of the picture.
        questions: with or without a question mark.
        out: the folder for a page and a PNG of each, named as the picture and numbered.
        json: whether records are printed in place of tables.

    Returns:
        The exit status: 0 where every question was answered.

    Raises:
        ValueError: nothing was asked, or one question alone cannot be answered.
    """
    if not image.is_file():
        raise FileNotFoundError(f"--image {image}: there is no such file. Correct the path.")
    number = unanswered = 0
    for line in filter(None, map(str.strip, questions)):
        number += 1
        question = as_question(line) or f"{line}?"
        try:
            answer = answerer.answer([str(image)], question)
        except ValueError as error:
            unanswered += 1
            print(f"memnets: {brief(str(error))}", file=sys.stderr, flush=True)
            if json:
                print_json({"question": question, "error": str(error)})
            continue
        show(answer if json else shortened(answer), json)
        if out is not None:
            draw(answer, out, f"{image.stem}-{number}")
    if not number:
        raise ValueError('nothing was asked. Pass --question "...", or type a question a line.')
    return USAGE if unanswered else 0


def shortened(answer: Answer) -> Answer:
    """Return an answer with the regions alone that some hop read most: there are many."""
    kept = {
        support.slot
        for step in answer.steps
        for support in sorted(step.supports, key=lambda one: -one.weight)[:SHOWN]
    }
    steps = tuple(
        replace(step, supports=tuple(one for one in step.supports if one.slot in kept))
        for step in answer.steps
    )
    return replace(answer, steps=steps)


def draw(answer: Answer, folder: Path, name: str) -> None:
    """Write a page and a PNG of where a model looked, and say where they are.

    Raises:
        ValueError: it looked at no place.
    """
    from memnets.report.gallery import write_gallery

    if answer.regions is None:
        raise ValueError(
            f"{answer.question}: this run looks at no place, so there is nothing to draw. "
            f"Leave --out out."
        )
    for path in write_gallery(folder, name, answer):
        print(f"memnets: {path}", file=sys.stderr)
