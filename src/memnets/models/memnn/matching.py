r"""The score $s(x, y)$ of MemNN."""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from memnets.layers.bag_features import BagFeatures
from memnets.ops.sizes import at_least, within


@dataclass(frozen=True)
class Matching:
    r"""What a score function is made of; MemNN has two, with weights of their own.

    $$ s(x, y) = E(\Phi_x(x))^\top E(\Phi_y(y)) + \lambda\, \Phi_x(x)^\top \Phi_y(y) $$

    Linear (Weston et al. 2014, Eq. 7): $E(\phi) = U \phi$. Not linear (Weston et al. 2015, "NL"):
    $E(\phi) = \tanh(W \tanh(U \phi))$.

    Deviations: none known; of the second form the paper says "two-layer neural network with tanh".
    Cite: weston2014, weston2015

    Args:
        dim: width of an embedding, n.
        nonlinear: whether E has two layers of tanh.
        exact_match: the weight lambda of the words that x and y share (2014, section 3.6).
        contexts: whether words can be read by their contexts (2014, section 3.5).
        scale: standard deviation of the initial weights; the papers name none.

    Raises:
        ValueError: the width is below 1, or the weights would start at nothing.
    """

    dim: int = 50
    nonlinear: bool = False
    exact_match: float = 0.0
    contexts: bool = False
    scale: float = 0.05

    def __post_init__(self) -> None:
        at_least(1, "Matching", dim=self.dim)
        expected = (
            "more than 0. A score is a product of two embeddings: where both start at 0, neither "
            "is ever learnt."
        )
        within(lambda x: x > 0, "Matching", expected, scale=self.scale)
        expected = "a number of at least 0. Pass 0 where words that both texts hold do not count."
        within(lambda x: x >= 0, "Matching", expected, exact_match=self.exact_match)

    def build(self, features: int, roles: int) -> "Match":
        return Match(self, features, roles)


class Match(nn.Module):
    """One score function: U with its roles, and E."""

    def __init__(self, matching: Matching, features: int, roles: int) -> None:
        super().__init__()
        dim, self.exact_match = matching.dim, matching.exact_match
        self.features = BagFeatures(features, roles, dim, matching.contexts, matching.scale)
        self.layer = nn.Linear(dim, dim, bias=False) if matching.nonlinear else None
        self.reset_parameters()

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw U small, and W so that it keeps lengths."""
        self.features.reset_parameters(generator)
        if self.layer is not None:
            with torch.no_grad():
                width = 1 / math.sqrt(self.layer.in_features)
                self.layer.weight.normal_(0.0, width, generator=generator)

    def embed(self, summed: Float[Tensor, "*bag dim"]) -> Float[Tensor, "*bag dim"]:
        """Return E, given the sums of the rows of U."""
        return summed if self.layer is None else torch.tanh(self.layer(torch.tanh(summed)))
