"""The Neural Turing Machine (Graves, Wayne and Danihelka, 2014), and a simpler external memory."""

import math
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from memnets.attention import Align, Score
from memnets.layers.controllers import FeedForward, LSTMController
from memnets.memories.external import (
    Beginning,
    ByContent,
    ControlledMemory,
    EraseAdd,
    by_cosine,
)
from memnets.ops.sizes import at_least, within


@dataclass(frozen=True)
class Conventions:
    """What the paper leaves open; all of it is recorded with a run.

    Attributes:
        beginning: what a first step finds.
        order: whether the read heads meet the memory that the step has written (the paper's Eq. 2
            reads $M_t$, which Eq. 4 has written), or the one that it found, as much public code.
        says: what the output is made of: all public code has the reads in it.
        key: what is done to a key.
        add: what is done to what is added.
        clip: how far from zero what is said to the heads may be.
        strength: how sharply heads look for content before anything is learnt, $\beta$ but for what
            the controller says of it; None for what a linear layer says at first, some 0.7, with
            which 128 slots look nearly alike, whatever they hold.

    Raises:
        ValueError: the clip or the strength is not above 0.
    """

    beginning: Beginning = Beginning()
    order: Literal["write first", "read first"] = "write first"
    says: Literal["state and reads", "state"] = "state and reads"
    key: Literal["none", "tanh"] = "none"
    add: Literal["none", "tanh"] = "none"
    clip: float = 20.0
    strength: float | None = None

    def __post_init__(self) -> None:
        within(lambda x: x > 0, "Conventions", "a number above 0. Pass 20.", clip=self.clip)
        if self.strength is not None:
            within(
                lambda x: x > 0, "Conventions", "a number above 0. Pass 4.", strength=self.strength
            )


class NTM(ControlledMemory):
    r"""A Neural Turing Machine over sequences, in the place of `nn.LSTM`.

    Its heads find slots by content and by location, and its write heads erase and add.

    Deviations: those of `ControlledMemory` and `sharpen`; `Conventions` says how what the paper
    leaves open is settled.
    Cite: graves2014

    Args:
        dim: width of the input.
        hidden: width of the controller's state; 100 in most of the paper's tasks.
        slots: of the memory; 128 in the paper.
        width: of a slot; 20 in the paper.
        heads: how many read, and how many write.
        controller: an LSTM, or a layer that carries nothing.
        reach: the furthest that a head moves at a step, either way.
        conventions: what the paper leaves open.

    Raises:
        ValueError: a size is below 1, or the conventions contradict each other.
    """

    def __init__(
        self,
        dim: int,
        hidden: int = 100,
        slots: int = 128,
        width: int = 20,
        heads: tuple[int, int] = (1, 1),
        controller: Literal["lstm", "feed-forward"] = "lstm",
        reach: int = 1,
        conventions: Conventions = Conventions(),
    ) -> None:
        sizes = {"dim": dim, "hidden": hidden, "slots": slots, "width": width}
        at_least(1, "NTM", "Pass 128 slots of 20 numbers, say.", **sizes)
        at_least(1, "NTM", "Pass heads=(1, 1).", read_heads=heads[0], write_heads=heads[1])
        at_least(0, "NTM", "Pass 1 to move by a slot at most.", reach=reach)
        kind = LSTMController if controller == "lstm" else FeedForward
        super().__init__(
            kind(dim, heads[0] * width, hidden),
            slots,
            width,
            read=by_cosine(width, reach, conventions.key),
            write=EraseAdd(width, conventions.add),
            place=by_cosine(width, reach, conventions.key),
            heads=heads,
            beginning=conventions.beginning,
            order=conventions.order,
            says=conventions.says,
            clip=conventions.clip,
        )
        if conventions.strength is not None:
            self._look_sharply(conventions.strength)

    @torch.no_grad()
    def _look_sharply(self, strength: float) -> None:
        """Say a strength to every head, whatever the controller says: the key comes before it."""
        to_read, bias = self.said[0], self.interface.bias
        for heads, told in zip(self.heads, (bias[:to_read], bias[to_read:]), strict=True):
            # The inverse of a softplus, without an overflow.
            told.view(heads, -1)[:, self.dim] = strength + math.log(-math.expm1(-strength))


def simplified(
    dim: int,
    hidden: int,
    slots: int,
    width: int,
    score: Score,
    align: Align,
    key: int | None = None,
) -> ControlledMemory:
    r"""Return a Turing machine whose one head looks by content alone, to read and to write.

    $$ \alpha_t = \mathrm{align}(s(m_{t,n}, q_t)), \quad r_t = \sum_n \alpha_{t,n} m_{t,n}, \quad
       m_{t+1,n} = m_{t,n} \circ (1 - \alpha_{t,n} e_t) + \alpha_{t,n} a_t $$

    What the memory holds at first is learned: were all slots alike, no content could ever tell one
    from another.

    Args:
        dim: width of the input.
        hidden: width of the LSTM's state.
        slots: of the memory.
        width: of a slot.
        score: how well a slot matches what is asked.
        align: how much of each slot is taken.
        key: width of what is asked; that of a slot by default.
    """
    looking = score.looks_back or align.looks_back
    return ControlledMemory(
        LSTMController(dim, width, hidden),
        slots,
        width,
        read=ByContent(score, align, width if key is None else key),
        write=EraseAdd(width),
        place=None,
        beginning=Beginning("learned", "learned" if looking else "uniform"),
        order="read first",
    )


def example() -> tuple[NTM, tuple[Tensor, ...]]:
    """Return a small model and its inputs for the conformance tests."""
    model = NTM(5, hidden=7, slots=11, width=3, heads=(2, 1))
    return model, (torch.randn(2, 13, 5),)
