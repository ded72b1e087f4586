"""The modern, continuous Hopfield network: its energy, and recall by attention."""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from memnets.layers.associative import HopfieldRetrieval, Retrieved, recalling_strength
from memnets.memories.hopfield.states import expect_tensor


class ModernHopfield:
    r"""Patterns of any numbers, recalled by reading them until nothing moves.

    $$ E(\xi) = -\mathrm{lse}(\beta, X \xi) + \tfrac12 \xi^\top \xi + \tfrac1\beta \ln P
       + \tfrac12 \max_\mu \lVert x_\mu \rVert^2, \qquad
       \mathrm{lse}(\beta, z) = \tfrac1\beta \ln \sum_\mu e^{\beta z_\mu} $$

    $$ \xi \leftarrow X^\top \mathrm{softmax}(\beta X \xi) $$  (Ramsauer et al., Eq. 1 and 3)

    Each read lowers the energy or leaves it. Small $\beta$ settle at averages of several patterns.

    Deviations: none. [equation numbers recalled]
    Cite: ramsauer2021

    Args:
        patterns: what is stored.
        beta: $\beta$; where it is None, what recalls the patterns (`recalling_strength`).

    Raises:
        TypeError: the patterns are no tensor.
        ValueError: there is no pattern, or one of whole numbers, NaN or infinity; beta is negative
            or infinite, or none recalls the patterns.
    """

    def __init__(self, patterns: Float[Tensor, "slot dim"], beta: float | None = None) -> None:
        expect_tensor("ModernHopfield(patterns=...)", patterns)
        if patterns.ndim != 2 or not patterns.numel():
            raise ValueError(
                f"ModernHopfield(patterns=...): shape {tuple(patterns.shape)} came, expected "
                f"(pattern, dim) with one pattern at least. Stack them: torch.stack(patterns)."
            )
        if not patterns.is_floating_point() or not patterns.isfinite().all():
            raise ValueError(
                f"ModernHopfield(patterns=...): numbers of {patterns.dtype} came, or NaN or "
                f"infinity; expected finite floating numbers. Pass patterns.float(), and look at "
                f"what they were computed from."
            )
        self.patterns = patterns
        self.beta = float(recalling_strength(patterns)) if beta is None else beta
        self.retrieval = HopfieldRetrieval(self.beta)

    def energy(self, states: Float[Tensor, "*batch dim"]) -> Float[Tensor, "*batch"]:
        """Return the energy of every state, 0 or above."""
        products = states @ self.patterns.mT
        if self.beta:
            many = math.log(len(self.patterns))
            pull = (torch.logsumexp(self.beta * products, -1) - many) / self.beta
        else:
            pull = products.mean(-1)  # what it comes to
        longest = self.patterns.square().sum(-1).amax()
        return 0.5 * (states.square().sum(-1) + longest) - pull

    def recall(self, cues: Float[Tensor, "query dim"]) -> Retrieved:
        """Return what each cue leads to."""
        found: Retrieved = self.retrieval(cues, self.patterns)
        return found
