"""Heads with a memory to read, shared by the tests of heads."""

from dataclasses import replace

import torch

from memnets.attention import (
    Aligned,
    Attention,
    MultiHead,
    ScaledDot,
    Softmax,
)
from memnets.testing.conformance.inputs import SEED, draw

BATCH, HEADS, WIDTH, SLOTS = 2, 3, 5, 13
DIM = HEADS * WIDTH


def array(tensor):
    return tensor.detach().numpy()


class Case:
    """Heads with a memory to read; rows of 11 and 6 slots with a hole each, two nobody can read."""

    def __init__(self, score=ScaledDot, align=Softmax, queries=7, **sizes):
        torch.manual_seed(SEED)
        self.attention = Attention(score.example(WIDTH, WIDTH), align.example())
        self.heads = MultiHead(self.attention, HEADS, DIM, 7, 11, **sizes).double()
        self.inputs = draw(DIM, 7, queries)
        self.each = [draw(WIDTH, WIDTH, queries) for _ in range(HEADS)]
        for head, inputs in enumerate(self.each):
            self.each[head] = replace(
                inputs,
                previous=inputs.previous.roll(head, 1),
                coverage=inputs.coverage.roll(head, 1),
                strength=inputs.strength + head,
            )

    def context(self, inputs=None, **others):
        """Return the context of all heads: what comes with a weight has a head axis."""
        stacked = {
            name: torch.stack([getattr(head, name) for head in self.each], 1)
            for name in ("previous", "coverage", "strength")
        }
        context = self.inputs.context() if inputs is None else inputs.context()
        return context._replace(**stacked, **others)

    def read(self, inputs=None, **context):
        inputs = inputs or self.inputs
        return self.heads(
            inputs.query, inputs.keys, inputs.values, inputs.mask, self.context(inputs, **context)
        )

    def projected(self, head):
        """Return query, keys and values in the space of one head."""
        share, inputs = slice(head * WIDTH, (head + 1) * WIDTH), self.inputs
        pairs = (
            (self.heads.query_weight, inputs.query),
            (self.heads.key_weight, inputs.keys),
            (self.heads.value_weight, inputs.values),
        )
        return [x @ layer.weight[share].mT for layer, x in pairs]


def dense(readout, slots=SLOTS):
    return Aligned(readout.weights, readout.indices).dense(slots)
