"""What a decoder reads of its source, step by step or many steps at once.

Keys are remembered once a sentence. What a score or an align must know of the steps before goes
along in a `Past`; where none looks back, all steps are asked in one call.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.attention import (
    AlignContext,
    Aligned,
    Attention,
    HardMonotonic,
    Monotonic,
    Readout,
    start_at_first,
    start_uniform,
)

Begins = Callable[[Tensor, torch.dtype], Tensor]
"""`begins(mask, dtype)` returns the weights before the first step."""


class Annotations(NamedTuple):
    """What there is to read, remembered once for all steps; one row a sentence.

    Attributes:
        remembered: the keys, as the score remembers them.
        values: what is read.
        mask: True where there is something.
        length: how much there is.
        generator: source of randomness for a sampled read.
    """

    remembered: Float[Tensor, "batch slot _"]
    values: Float[Tensor, "batch slot dim"]
    mask: Bool[Tensor, "batch 1 slot"]
    length: Int[Tensor, " batch"]
    generator: torch.Generator | None = None

    def index_select(self, index: Int[Tensor, " row"]) -> "Annotations":
        """Return the sentences in another order or number."""
        rows = (part.index_select(0, index) for part in self[:4])
        return Annotations._make((*rows, self.generator))


class Past(NamedTuple):
    """What the next step must know of those before; weights only where a part looks back.

    Attributes:
        step: how many steps there were.
        previous: the weights of the last one.
        coverage: the sum of all.
    """

    step: Int[Tensor, " row"]
    previous: Float[Tensor, "row slot"] | None = None
    coverage: Float[Tensor, "row slot"] | None = None


class StepReader(nn.Module, ABC):
    """Reads annotations for the queries of a decoder.

    A sentence may have several rows of queries, as many as any other, one behind the other: the
    hypotheses of a beam. What is remembered of it is shared by them, and never laid out for each.
    """

    @abstractmethod
    def remember(
        self,
        states: Float[Tensor, "batch slot dim"],
        last: Float[Tensor, "batch dim"],
        length: Int[Tensor, " batch"],
        generator: torch.Generator | None = None,
    ) -> Annotations:
        """Prepare a source for all steps.

        Args:
            states: of its words, zero behind the last.
            last: the state behind all of them.
            length: how many words there are.
            generator: source of randomness for a sampled read.
        """

    def start(self, annotations: Annotations) -> Past:
        """Return what the first step must know."""
        return Past(torch.zeros_like(annotations.length))

    @abstractmethod
    def forward(
        self, annotations: Annotations, query: Float[Tensor, "row step _"], past: Past
    ) -> tuple[Readout, Past]:
        """Read for some steps, and return what the one after them must know.

        The weights of the readout are dense, one a slot.
        """


class Stepwise(StepReader):
    """Read by attention, with any score and any align.

    The context has the places of the words, their number, the step, the generator, and where a
    part looks back the weights of the steps before.

    Args:
        attention: a score and an align.
        begins: the weights before the first step, as `start_uniform` or `start_at_first` give
            them. By default a monotonic align stands at the first word, as its paper has it, and
            all others have read every word alike.
    """

    def __init__(self, attention: Attention, begins: Begins | None = None) -> None:
        super().__init__()
        self.attention = attention
        forward_only = isinstance(attention.align, Monotonic | HardMonotonic)
        self.begins = begins or (start_at_first if forward_only else start_uniform)

    @property
    def looks_back(self) -> bool:
        """Whether steps must follow one another."""
        return self.attention.score.looks_back or self.attention.align.looks_back

    def remember(
        self,
        states: Float[Tensor, "batch slot dim"],
        last: Float[Tensor, "batch dim"],
        length: Int[Tensor, " batch"],
        generator: torch.Generator | None = None,
    ) -> Annotations:
        remembered = self.attention.score.remember(states)
        return Annotations(remembered, states, _mask(states, length), length, generator)

    def start(self, annotations: Annotations) -> Past:
        past = super().start(annotations)
        if not self.looks_back:
            return past
        first = self.begins(annotations.mask, annotations.values.dtype).squeeze(1)
        return Past(past.step, first, torch.zeros_like(first))

    def forward(
        self, annotations: Annotations, query: Float[Tensor, "row step _"], past: Past
    ) -> tuple[Readout, Past]:
        if not self.looks_back or query.shape[1] == 1:
            return self._ask(annotations, query, past)
        found = []
        for asked in query.split(1, 1):
            readout, past = self._ask(annotations, asked, past)
            found.append(readout)
        return in_turn(found), past

    def _ask(self, annotations: Annotations, query: Tensor, past: Past) -> tuple[Readout, Past]:
        rows, steps, _ = query.shape
        sentences, slots = len(annotations.length), annotations.mask.shape[-1]
        together = sentences, rows // max(sentences, 1) * steps  # hypotheses are queries

        def by_sentence(of_rows: Tensor | None) -> Tensor | None:
            return None if of_rows is None else of_rows.reshape(*together, *of_rows.shape[2:])

        later = torch.arange(steps, device=query.device)
        context = AlignContext(
            positions=torch.arange(slots, device=query.device),
            length=annotations.length,
            step=by_sentence(past.step.unsqueeze(1) + later),
            previous=by_sentence(_one_step(past.previous)),
            coverage=by_sentence(_one_step(past.coverage)),
            generator=annotations.generator,
        )
        asked = query.reshape(*together, query.shape[-1])
        remembered, values, mask = annotations[:3]
        readout = self.attention.attend(asked, remembered, values, mask, context)
        weights = Aligned(readout.weights, readout.indices).dense(slots)
        dense = readout._replace(weights=weights, indices=None)
        readout = dense.each(lambda part: part.reshape(rows, steps, *part.shape[2:]))
        return readout, self._after(past, readout)

    def _after(self, past: Past, readout: Readout) -> Past:
        step = past.step + readout.weights.shape[1]
        if past.previous is None or past.coverage is None:
            return Past(step)
        weights = readout.weights.squeeze(1)
        return Past(step, weights, past.coverage + weights)


class LastState(StepReader):
    """Read the state behind all words, whatever is asked: the control without attention.

    The weights are zero: it looks at no word.

    Deviations: none; so do the RNN encoder-decoder that Bahdanau et al. compare with, and Cho et
    al. before them.
    Cite: cho2014
    """

    def remember(
        self,
        states: Float[Tensor, "batch slot dim"],
        last: Float[Tensor, "batch dim"],
        length: Int[Tensor, " batch"],
        generator: torch.Generator | None = None,
    ) -> Annotations:
        return Annotations(states[..., :0], last.unsqueeze(1), _mask(states, length), length)

    def forward(
        self, annotations: Annotations, query: Float[Tensor, "row step _"], past: Past
    ) -> tuple[Readout, Past]:
        rows, steps, _ = query.shape
        several = rows // max(len(annotations.length), 1)
        value = annotations.values.repeat_interleave(several, 0).expand(-1, steps, -1)
        weights = value.new_zeros(rows, steps, annotations.mask.shape[-1])
        return Readout(value, weights), Past(past.step + steps)


def in_turn(steps: Sequence[Readout]) -> Readout:
    """Join the readouts of steps that followed one another."""
    parts = zip(*steps, strict=True)
    return Readout._make(None if part[0] is None else torch.cat(part, 1) for part in parts)


def _mask(states: Tensor, length: Tensor) -> Tensor:
    return (torch.arange(states.shape[1], device=length.device) < length[:, None])[:, None]


def _one_step(weights: Tensor | None) -> Tensor | None:
    return None if weights is None else weights.unsqueeze(1)
