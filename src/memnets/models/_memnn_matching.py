r"""The score $s(x, y)$ of MemNN, and how supports are found by it."""

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.layers.bag_features import BagFeatures


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
        if self.dim < 1:
            raise ValueError(f"Matching(dim={self.dim}): expected at least 1.")
        if self.scale <= 0:
            raise ValueError(
                f"Matching(scale={self.scale}): expected more than 0. A score is a product of two "
                f"embeddings: where both start at 0, neither is ever learnt."
            )

    def build(self, features: int, roles: int) -> "Match":
        return Match(self, features, roles)


class Match(nn.Module):
    """One score function: U with its roles, and E."""

    def __init__(self, matching: Matching, features: int, roles: int) -> None:
        super().__init__()
        dim = matching.dim
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


def older(one: Int[Tensor, "*batch"], other: Int[Tensor, "*batch"]) -> Float[Tensor, "*batch"]:
    """Return 1 where a slot was written before another, -1 elsewhere."""
    return torch.where(one < other, 1.0, -1.0)


def preference(
    scores: tuple[Float[Tensor, "*batch"], Float[Tensor, "*batch"]],
    time: Float[Tensor, "*#batch time"],
    latest: Int[Tensor, "*batch"],
    slots: tuple[Int[Tensor, "*batch"], Int[Tensor, "*batch"]],
) -> Float[Tensor, "*batch"]:
    r"""Return by how much one slot is preferred to another, $s_{Ot}(x, y, y')$.

    $$ s_{Ot}(x, y, y') = s_O(x, y) - s_O(x, y')
       + E(\Phi_x(x))^\top U_t \Phi_t(x, y, y') $$  (2014, section 3.4)

    $\Phi_t$ has three features: x is older than y, x older than y', y older than y'. The age of x
    is that of the support found last; a question is newer than every slot.

    Args:
        scores: of y and of y'.
        time: what each of the three features counts, given x.
        latest: the slot that x was written to.
        slots: of y and of y'.
    """
    y, rival = slots
    first, second, third = time.unbind(-1)
    said = first * older(latest, y) + second * older(latest, rival) + third * older(y, rival)
    return scores[0] - scores[1] + said


def tournament(
    scores: Float[Tensor, "batch slot"],
    time: Float[Tensor, "batch time"],
    latest: Int[Tensor, " batch"],
    length: Int[Tensor, " batch"],
) -> Int[Tensor, " batch"]:
    """Return the slot that is left when each in turn challenges the best (2014, Algorithm 1).

    All questions play at once; the loop is over slots.
    """
    best = torch.zeros_like(length)
    for slot in range(1, int(length.max()) if len(length) else 0):
        rival = torch.full_like(best, slot)
        held = scores.gather(1, best[:, None]).squeeze(1)
        keeps = preference((held, scores[:, slot]), time, latest, (best, rival)) > 0
        best = torch.where(keeps | (slot >= length), best, rival)
    return best


def against_all(
    scores: Float[Tensor, "batch slot"],
    time: Float[Tensor, "batch time"],
    latest: Int[Tensor, " batch"],
    chosen: Int[Tensor, " batch"],
) -> Float[Tensor, "batch slot"]:
    """Return by how much the chosen slot is preferred to each; 0 to itself."""
    slots = torch.arange(scores.shape[1], device=scores.device).expand_as(scores)
    held = scores.gather(1, chosen[:, None]).expand_as(scores)
    own = chosen[:, None].expand_as(slots)
    margins = preference(
        (held, scores), time.unsqueeze(1), latest[:, None].expand_as(slots), (own, slots)
    )
    return margins.masked_fill(slots == own, 0.0)


def ranking_loss(
    margin: float, preferred: Float[Tensor, "*batch"], counted: Bool[Tensor, "*batch"]
) -> Float[Tensor, ""]:
    r"""Return $\sum \max(0, \gamma - s)$ over what is counted, s by how much the right one wins."""
    return (F.relu(margin - preferred) * counted).sum()
