"""Ask a trained model of recall, and see which steps it read."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

import torch
from torch import Tensor

from memnets.data.worlds.recall import NextItem, RecallWorld, joined
from memnets.evidence import Answer, ReadText, Step, Support
from memnets.models.recall import Recall
from memnets.studies.recall.task import HELD_OUT

RUNNERS_UP = 3
"""How many other answers are named."""
EXAMPLES = 20
"""Rows of which examples are shown."""
NOTHING = "nothing"
"""How a step is written that shows neither a key nor a value."""


def ask(model: Recall, world: RecallWorld, told: Sequence[str], question: str) -> Answer:
    """Answer a question about steps, each written as what it shows: `k12 v3`, or `k12` alone.

    Raises:
        ValueError: a step is not written so, or there is no such key or value.
    """
    steps = [step_numbers(world, text) for text in (*told, question)]
    keys, values = torch.tensor(steps).T
    return _answer(model, world, keys, values, None, None)


def examples(model: Recall, world: RecallWorld, split: str) -> Iterator[Answer]:
    """Answer the last question of the first windows of a split, row after row."""
    windows = list(islice(world.batches(HELD_OUT[split], EXAMPLES), world.settling + 1))
    steps = joined(windows)
    for row in range(EXAMPLES):
        keys, values, answers, lags = (torch.tensor(array[row]) for array in steps[:4])
        last = int((lags > 0).nonzero().max())
        told = last - int(lags[last])
        shown = slice(0, last + 1)
        yield _answer(model, world, keys[shown], values[shown], int(answers[last]), told)


def read_windows(
    model: Recall, world: RecallWorld, split: str, rows: int = 2
) -> Iterator[ReadText]:
    """Tell of a window of a split, row after row, what every step read; nothing without zones."""
    if not hasattr(model.core, "trace"):
        return
    windows = list(islice(world.batches(HELD_OUT[split], EXAMPLES), world.settling + 1))
    keys, values = (torch.tensor(array[:rows]) for array in joined(windows)[:2])
    with torch.no_grad():
        trace = model.core.trace(model.embed(keys, values))
    first = keys.shape[1] - windows[-1].keys.shape[1]
    for row in range(rows):
        steps = zip(keys[row, first:].tolist(), values[row, first:].tolist(), strict=True)
        yield ReadText(
            [_text(world, *step) for step in steps],
            trace.zones[row, first:].double().cpu().numpy(),
            trace.slots[row, first:].double().cpu().numpy(),
            trace.steps[row, first:].cpu().numpy() - first,
            first,
            "step",
        )


@torch.no_grad()
def _answer(
    model: Recall,
    world: RecallWorld,
    keys: Tensor,
    values: Tensor,
    gold: int | None,
    told: int | None,
) -> Answer:
    reply = model(keys[None], values[None])
    likely = reply.logits[0, -1].softmax(-1).topk(min(1 + RUNNERS_UP, world.answers))
    named = [
        (f"{_letter(world)}{number}", probability)
        for number, probability in zip(likely.indices.tolist(), likely.values.tolist(), strict=True)
    ]
    texts = [_text(world, *step) for step in zip(keys.tolist(), values.tolist(), strict=True)]
    return Answer(
        question=texts[-1],
        text=named[0][0],
        probability=named[0][1],
        runners_up=tuple(named[1:]),
        steps=tuple(_evidence(model, keys, values, texts, told)),
        gold=None if gold is None else f"{_letter(world)}{gold}",
        given=tuple(texts[:-1]),
    )


def _evidence(
    model: Recall, keys: Tensor, values: Tensor, texts: Sequence[str], told: int | None
) -> Iterator[Step]:
    """Yield what the last step read, oldest first; nothing where the core cannot tell."""
    if not hasattr(model.core, "trace"):
        return
    trace = model.core.trace(model.embed(keys[None], values[None]))
    weights = (trace.zones[0, -1].unsqueeze(-1) * trace.slots[0, -1]).flatten().tolist()
    supports = (
        Support(step, texts[step], weight, None if told is None else step == told)
        for step, weight in zip(trace.steps[0, -1].flatten().tolist(), weights, strict=True)
        if step >= 0
    )
    yield Step("read", tuple(supports))


def _letter(world: RecallWorld) -> str:
    return "k" if isinstance(world, NextItem) else "v"


def _text(world: RecallWorld, key: int, value: int) -> str:
    shown = [f"k{key}"] * (key < world.keys) + [f"v{value}"] * (value < world.values)
    return " ".join(shown) or NOTHING


def step_numbers(world: RecallWorld, text: str) -> tuple[int, int]:
    """Return the key and the value of a step, as numbers; that of none where one is left out.

    Raises:
        ValueError: it is not written so, or there is no such key or value.
    """
    if text.strip() == NOTHING:
        return world.keys, world.values
    found = re.fullmatch(r"(?:k(\d+))?\s*(?:v(\d+))?\??", text.strip())
    key, value = (None, None) if found is None else found.groups()
    if key is None and value is None:
        raise ValueError(
            f"{text!r} is no step: expected a key and a value, such as k12 v3, one of them, "
            f"or {NOTHING!r}. Write k0 to k{world.keys - 1} and v0 to v{world.values - 1}."
        )
    for name, number, count in (("key", key, world.keys), ("value", value, world.values)):
        if number is not None and int(number) >= count:
            raise ValueError(
                f"{text!r}: there is no {name} {number}; expected 0 to {count - 1}. "
                f"Write another, or ask a run with more {name}s."
            )
    return (
        world.keys if key is None else int(key),
        world.values if value is None else int(value),
    )
