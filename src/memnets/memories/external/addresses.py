"""Where the heads of an external memory look: by content alone, or by content and location."""

from abc import ABC, abstractmethod
from typing import Literal, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from memnets.attention import (
    Align,
    AlignContext,
    KeyStrengthCosine,
    KeyStrengthDot,
    Score,
    Softmax,
)
from memnets.ops.addressing import interpolate, sharpen, shift, shift_by
from memnets.ops.sizes import at_least, at_least_one

Activation = Literal["none", "tanh"]
"""What is done to a key, or to what is added, before it is used."""


class Looked(NamedTuple):
    """Where heads looked at the step before.

    Attributes:
        weights: how much of each slot was taken.
        coverage: the sum of all weights so far, where it is asked for; else of no width.
    """

    weights: Float[Tensor, "batch head slot"]
    coverage: Float[Tensor, "batch head _"]


class Address(nn.Module, ABC):
    """Turns what a controller says to each head into weights.

    Attributes:
        size: how many numbers it is said a head.
        looks_back: whether it wants the sum of all weights so far.
    """

    size: int
    looks_back: bool = False

    @abstractmethod
    def forward(
        self,
        said: Float[Tensor, "batch head _"],
        memory: Float[Tensor, "batch slot dim"],
        before: Looked,
        steps: Tensor,
    ) -> Float[Tensor, "batch head slot"]:
        """Return how much of each slot is taken.

        Args:
            said: `size` numbers a head.
            memory: what is addressed.
            before: where the heads looked at the step before.
            steps: how many steps there were before, a row.
        """


class ByContent(Address):
    """Look where a key matches: any score and any align.

    The key comes first in what is said; where the score wants a strength, its softplus follows.
    All that a read may need besides is given: the weights of the step before, their sum, places
    of slots, the step. A choice that is drawn needs a generator, which there is none of here.

    Args:
        score: how well a slot matches a key.
        align: how much of each slot is taken.
        dim: width of a key.
        activation: what is done to the key.

    Raises:
        ValueError: the width is below 1.
    """

    def __init__(
        self, score: Score, align: Align, dim: int, activation: Activation = "none"
    ) -> None:
        super().__init__()
        at_least_one("ByContent", dim=dim)
        self.score, self.align, self.dim, self.activation = score, align, dim, activation
        self.steered = isinstance(score, KeyStrengthCosine | KeyStrengthDot)
        self.size = dim + self.steered
        self.looks_back = score.looks_back or align.looks_back

    def forward(
        self,
        said: Float[Tensor, "batch head _"],
        memory: Float[Tensor, "batch slot dim"],
        before: Looked,
        steps: Tensor,
    ) -> Float[Tensor, "batch head slot"]:
        slots, key = memory.shape[1], activate(said[..., : self.dim], self.activation)
        context = AlignContext(
            query=key,
            positions=torch.arange(slots, device=memory.device),
            length=torch.full_like(steps, slots),
            step=steps,
            previous=before.weights,
            coverage=before.coverage if self.looks_back else None,
            strength=F.softplus(said[..., self.dim]) if self.steered else None,
        )
        scores = self.score(key, memory, context)
        return self.align.align(scores, None, context).dense(slots)


class Shift(nn.Module, ABC):
    """Turns what a controller says to each head into a move along the slots.

    Attributes:
        size: how many numbers it is said a head.
    """

    size: int

    @abstractmethod
    def forward(
        self, weights: Float[Tensor, "batch head slot"], said: Float[Tensor, "batch head _"]
    ) -> Float[Tensor, "batch head slot"]:
        """Return the weights, moved."""


class ShiftNearby(Shift):
    """Move by a few slots at most: a softmax over the moves (Graves et al., section 3.3.2).

    Args:
        reach: the furthest that is moved, either way.

    Raises:
        ValueError: the reach is below 0.
    """

    def __init__(self, reach: int = 1) -> None:
        super().__init__()
        at_least(0, "ShiftNearby", "Pass 1 to move by a slot at most.", reach=reach)
        self.reach, self.size = reach, 2 * reach + 1

    def forward(
        self, weights: Float[Tensor, "batch head slot"], said: Float[Tensor, "batch head _"]
    ) -> Float[Tensor, "batch head slot"]:
        return shift(weights, F.softmax(said.float() if said.dtype.itemsize < 4 else said, -1))


class ShiftAnywhere(Shift):
    """Move by one number, however far: 6.7 is by 6 slots, and by 7 (Graves et al., 3.3.2)."""

    size = 1

    def forward(
        self, weights: Float[Tensor, "batch head slot"], said: Float[Tensor, "batch head _"]
    ) -> Float[Tensor, "batch head slot"]:
        return shift_by(weights, said.squeeze(-1))


class ByContentAndLocation(Address):
    r"""Look where a key matches, or from where the head stood; move along; sharpen.

    $$ w^g = g w^c + (1 - g) w_{t-1}, \qquad \tilde w = w^g * s, \qquad
       w = \tilde w^\gamma / \textstyle\sum \tilde w^\gamma $$  (Graves et al., Eq. 5 to 9)

    After what the content is said come $g$ (its sigmoid is taken), the move, and $\gamma$ (1 and
    its softplus).

    Deviations: as in `sharpen`; the paper names no activations.
    Cite: graves2014

    Args:
        content: how $w^c$ is found.
        move: how far it is moved.
    """

    def __init__(self, content: ByContent, move: Shift) -> None:
        super().__init__()
        self.content, self.move = content, move
        self.size = content.size + 1 + move.size + 1
        self.looks_back = content.looks_back

    def forward(
        self,
        said: Float[Tensor, "batch head _"],
        memory: Float[Tensor, "batch slot dim"],
        before: Looked,
        steps: Tensor,
    ) -> Float[Tensor, "batch head slot"]:
        sizes = [self.content.size, 1, self.move.size, 1]
        asked, gate, move, exponent = said.split(sizes, -1)
        content = self.content(asked, memory, before, steps)
        mixed = interpolate(content, before.weights, gate.squeeze(-1).sigmoid())
        return sharpen(self.move(mixed, move), 1 + F.softplus(exponent.squeeze(-1)))


def by_cosine(dim: int, reach: int = 1, activation: Activation = "none") -> ByContentAndLocation:
    """Return the addressing of the Neural Turing Machine.

    Args:
        dim: width of a slot.
        reach: the furthest that a head moves, either way.
        activation: what is done to a key.
    """
    content = ByContent(KeyStrengthCosine(), Softmax(), dim, activation)
    return ByContentAndLocation(content, ShiftNearby(reach))


def activate(said: Tensor, activation: Activation) -> Tensor:
    """Return what is said, squeezed by tanh where it is asked for."""
    return said.tanh() if activation == "tanh" else said
