"""Ask a model about a sequence, and see where its heads stood."""

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from memnets.data.sequences import Drawn
from memnets.evidence import Answer, Step, Support
from memnets.memories.external import ControlledMemory
from memnets.models.sequences import SequenceModel

SHOWN = 0.01
"""A slot is shown if some head took as much of it at some step."""


def one_of(drawn: Drawn, place: int) -> Drawn:
    """Return one sequence of many."""
    here = slice(place, place + 1)
    return Drawn(drawn.shown[here], drawn.said[here], drawn.asked)


@torch.no_grad()
def answer(model: SequenceModel, drawn: Drawn, name: str) -> Answer:
    """Return what a model says of one sequence, its vectors by spaces.

    The evidence is where every head stood at every step, the read heads as `read`, the write heads
    as `write`; a core without such heads has none. The probability is that of all bits together.

    Args:
        model: a trained model.
        drawn: one sequence.
        name: what is asked, as it is told.
    """
    device = next(model.parameters()).device
    shown = torch.from_numpy(drawn.shown).to(device)
    logits = model(shown)[0].float().cpu()[torch.from_numpy(drawn.asked)]
    sure = torch.maximum(logits.sigmoid(), (-logits).sigmoid()).double()
    return Answer(
        question=name,
        text=_text(logits > 0),
        probability=float(sure.log().sum().exp()),
        runners_up=(),
        steps=tuple(_heads(model, shown, drawn.asked)),
        gold=_text(torch.from_numpy(drawn.said[0, drawn.asked]) > 0.5),
    )


def _heads(model: SequenceModel, shown: Tensor, asked: np.ndarray) -> Iterator[Step]:
    if not isinstance(model.core, ControlledMemory):
        return
    watched = model.core.watch(shown)
    writing, reading = watched.writing[0].cpu(), watched.reading[0].cpu()
    taken = torch.cat([writing, reading], 1).amax((0, 1)) >= SHOWN
    slots = taken.nonzero().flatten().tolist()
    for step, answers in enumerate(asked.tolist()):
        for kind, heads in (("write", writing[step]), ("read", reading[step])):
            for number, weights in enumerate(heads.tolist(), start=1):
                head = f" {number}" if len(heads) > 1 else ""
                yield Step(
                    f"{step + 1}{' says' if answers else ''}: {kind}{head}",
                    tuple(Support(slot, f"slot {slot}", weights[slot]) for slot in slots),
                )


def _text(bits: Tensor) -> str:
    rows = ["".join(str(int(bit)) for bit in row) for row in bits.tolist()]
    return "".join(rows) if bits.shape[1] == 1 else " ".join(rows)
