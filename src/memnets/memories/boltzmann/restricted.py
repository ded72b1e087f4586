"""The restricted machine: visible and hidden bits, coupled across and not among themselves."""

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from memnets.memories.boltzmann.machine import SMALL, BoltzmannMachine, Machine
from memnets.ops.sizes import at_least


class RestrictedBoltzmannMachine(Machine):
    r"""Bits in two layers, so that one layer is drawn at once, given the other.

    $$ E(v, h) = -v^\top W h - b^\top v - c^\top h, \qquad
       F(v) = -b^\top v - \sum_j \mathrm{softplus}(c_j + v^\top W_{\cdot j}) $$

    Its chains are of visible bits; the temperature is 1.

    Deviations: none.
    Cite: hinton2002

    Args:
        visible: bits that are seen.
        hidden: bits that are not.

    Raises:
        TypeError: a size is no whole number.
        ValueError: a size is below 1.
    """

    def __init__(self, visible: int, hidden: int) -> None:
        super().__init__()
        at_least(1, "RestrictedBoltzmannMachine", "Something must be seen.", visible=visible)
        at_least(1, "RestrictedBoltzmannMachine", "Pass more.", hidden=hidden)
        self.visible, self.hidden = visible, hidden
        self.weight = nn.Parameter(SMALL * torch.randn(visible, hidden))
        self.visible_bias = nn.Parameter(torch.zeros(visible))
        self.hidden_bias = nn.Parameter(torch.zeros(hidden))

    def hidden_field(self, visible: Float[Tensor, "*batch dim"]) -> Float[Tensor, "*batch hidden"]:
        """Return what pulls at the hidden bits; its sigmoid is how likely they are 1."""
        return visible @ self.weight + self.hidden_bias

    def visible_field(self, hidden: Float[Tensor, "*batch hidden"]) -> Float[Tensor, "*batch dim"]:
        """Return what pulls at the visible bits."""
        return hidden @ self.weight.mT + self.visible_bias

    def energy(
        self, visible: Float[Tensor, "*batch dim"], hidden: Float[Tensor, "*batch hidden"]
    ) -> Float[Tensor, "*batch"]:
        """Return the energy of both layers together."""
        return -(visible * self.visible_field(hidden)).sum(-1) - hidden @ self.hidden_bias

    def free_energy(self, visible: Float[Tensor, "*batch dim"]) -> Float[Tensor, "*batch"]:
        """Return the energy of visible bits, the hidden ones summed out."""
        pulled = F.softplus(self.hidden_field(visible)).sum(-1)
        return -(visible @ self.visible_bias) - pulled

    def cost(
        self, visible: Float[Tensor, "batch dim"], generator: torch.Generator | None = None
    ) -> Float[Tensor, " batch"]:
        return self.free_energy(visible)

    def chain_cost(self, chain: Float[Tensor, "batch _"]) -> Float[Tensor, " batch"]:
        return self.free_energy(chain)

    def chain_at(
        self, visible: Float[Tensor, "batch dim"], generator: torch.Generator | None = None
    ) -> Float[Tensor, "batch _"]:
        return visible

    @torch.no_grad()
    def random_chain(
        self, chains: int, generator: torch.Generator | None = None
    ) -> Float[Tensor, "batch _"]:
        return _drawn(self.visible_bias.expand(chains, -1), generator)

    @torch.no_grad()
    def step(
        self, chain: Float[Tensor, "batch _"], generator: torch.Generator | None = None
    ) -> Float[Tensor, "batch _"]:
        hidden = _drawn(self.hidden_field(chain), generator)
        return _drawn(self.visible_field(hidden), generator)

    def log_base(self) -> Float[Tensor, ""]:
        return F.softplus(self.visible_bias).sum() + F.softplus(self.hidden_bias).sum()

    @torch.no_grad()
    def towards(self, base: Float[Tensor, " dim"], share: float) -> "RestrictedBoltzmannMachine":
        other = RestrictedBoltzmannMachine(self.visible, self.hidden).to(self.weight.dtype)
        other.weight.copy_(share * self.weight)
        other.hidden_bias.copy_(share * self.hidden_bias)
        other.visible_bias.copy_((1 - share) * base.to(self.weight) + share * self.visible_bias)
        return other

    def flip_gain(self, visible: Float[Tensor, "batch dim"]) -> Float[Tensor, "batch dim"]:
        turn = 1 - 2 * visible
        field = self.hidden_field(visible)
        turned = field.unsqueeze(1) + turn.unsqueeze(2) * self.weight  # batch dim hidden
        lost = F.softplus(field).sum(-1, keepdim=True) - F.softplus(turned).sum(-1)
        return lost - turn * self.visible_bias

    @torch.no_grad()
    def as_general(self) -> BoltzmannMachine:
        """Return the same machine as one of bits that might all be coupled."""
        other = BoltzmannMachine(self.visible, self.hidden, "bits").to(self.weight.dtype)
        other.couplings.zero_()
        other.couplings[: self.visible, self.visible :] = self.weight
        other.bias.copy_(torch.cat((self.visible_bias, self.hidden_bias)))
        return other


def _drawn(field: Tensor, generator: torch.Generator | None) -> Tensor:
    chance = torch.sigmoid(field)
    drawn = torch.rand(chance.shape, dtype=chance.dtype, generator=generator) < chance
    return drawn.to(chance.dtype)
