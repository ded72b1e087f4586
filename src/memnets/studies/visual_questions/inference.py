"""Answer a question about a picture, and show which regions each hop read."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch

from memnets.data.pictures.asked import AskedPictures
from memnets.data.pictures.images import read_image, resized
from memnets.evidence import Answer, Regions, Step, Support
from memnets.models.dmn import DMNOutput, VisualDMN
from memnets.studies.visual_questions.data import Kept
from memnets.studies.visual_questions.encoding import as_channels, asked

RUNNERS_UP = 3
"""How many other answers are named."""

Circle = tuple[float, float, float] | None


def see(model: VisualDMN, kept: Kept, picture: Any, question: str) -> Answer:
    """Answer a question about a picture.

    A step of the evidence is a hop: how much of each region was taken.

    Args:
        model: a trained model.
        kept: what is kept beside it.
        picture: the file of a picture, or an array `(height, width, 3)` from 0 to 255.
        question: what is asked.

    Raises:
        ValueError: the picture cannot be read, no word is known, or the run takes features.
    """
    if kept.features is not None:
        told = kept.features
        raise ValueError(
            f"this run reads features of {told['network']}, layer {told['layer']}, and no "
            f"pictures. Compute those of your pictures with compute_features, and evaluate it on "
            f"them with --data."
        )
    unknown = kept.words.unknown(question)
    words = [word for word in kept.words.split(question) if any(map(str.isalnum, word))]
    if set(words) <= set(unknown):
        raise ValueError(
            f"{question!r}: no word of this question came in training. Expected a question such "
            f"as the data have, of the words {', '.join(kept.words.words[:20])} ..."
        )
    if isinstance(picture, np.ndarray):
        image = resized(picture, kept.side[0])
    else:
        image = read_image(picture, kept.side[0])
    return _answers(model, kept, image, [question])[0]


def examples(model: VisualDMN, kept: Kept, part: AskedPictures, split: str) -> Iterator[Answer]:
    """Answer the questions of a split, picture by picture, each beside its right answer.

    Of generated pictures the evidence names the object that a hop should read: at first the one
    that is named, from the second hop on that which is asked for, where there is one.
    """
    hops = model.memory.hops
    for picture in range(len(part.images)):
        rows = np.flatnonzero(part.of == picture).tolist()
        questions = [part.questions[row] for row in rows]
        golds = [part.answers[row] for row in rows]
        circles = [_circles(part, row, hops) for row in rows]
        yield from _answers(model, kept, part.images[picture], questions, golds, circles)


@torch.no_grad()
def _answers(
    model: VisualDMN,
    kept: Kept,
    image: np.ndarray,
    questions: Sequence[str],
    golds: Sequence[str] = (),
    circles: Sequence[Sequence[Circle]] = (),
) -> list[Answer]:
    device = next(model.parameters()).device
    seen = torch.from_numpy(image) if kept.features else as_channels(image[None])[0]
    given = seen.unsqueeze(0).to(device)
    given = given.float() / 255 if given.dtype == torch.uint8 else given
    words = asked(list(questions), kept.words).to(device)
    of = torch.zeros(len(words), dtype=torch.long, device=device)
    reply = model(given, words, of)
    return [
        _answer(
            model,
            kept,
            reply,
            row,
            image,
            question,
            golds[row] if golds else None,
            circles[row] if circles else (),
        )
        for row, question in enumerate(questions)
    ]


def _answer(
    model: VisualDMN,
    kept: Kept,
    reply: DMNOutput,
    row: int,
    image: np.ndarray,
    question: str,
    gold: str | None,
    circles: Sequence[Circle],
) -> Answer:
    shares = reply.scores[row, 0].softmax(-1)
    best = shares.topk(min(1 + RUNNERS_UP, len(kept.answers)))
    told = [
        (kept.answers[number], share)
        for number, share in zip(best.indices.tolist(), best.values.tolist(), strict=True)
    ]
    maps = np.array(
        [model.regions.on_grid(hop.weights[row, 0]).double().cpu().numpy() for hop in reply.hops]
    )
    names = [f"hop {number}" for number in range(1, len(maps) + 1)]
    regions = None
    if kept.features is None and len(maps):
        regions = Regions(image, names, maps, np.ones(len(maps)), circles)
    return Answer(
        question,
        *told[0],
        tuple(told[1:]),
        tuple(_step(name, weights) for name, weights in zip(names, maps, strict=True)),
        tuple(dict.fromkeys(kept.words.unknown(question))),
        gold,
        regions=regions,
    )


def _step(name: str, weights: np.ndarray) -> Step:
    columns = weights.shape[1]
    return Step(
        name,
        tuple(
            Support(slot, f"row {slot // columns + 1}, column {slot % columns + 1}", weight)
            for slot, weight in enumerate(weights.flatten().tolist())
        ),
    )


def _circles(part: AskedPictures, row: int, hops: int) -> tuple[Circle, ...]:
    """Return the object that each hop should read; none where that is not known."""
    objects = part.objects
    if objects is None:
        return ()

    def circle(item: int) -> Circle:
        x, y = objects.centres[part.of[row], item].tolist()
        return x, y, objects.radius

    named, meant = int(objects.named[row]), int(objects.meant[row])
    return tuple(circle(named if hop == 0 or meant < 0 else meant) for hop in range(hops))
