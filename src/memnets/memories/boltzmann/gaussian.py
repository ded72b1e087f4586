"""The restricted machine of numbers: each visible one is Gaussian, given the hidden bits."""

import math

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from memnets.memories.boltzmann.machine import SMALL, Machine
from memnets.ops.sizes import at_least, within


class GaussianBoltzmannMachine(Machine):
    r"""Visible numbers and hidden bits, coupled across and not among themselves.

    $$ E(v, h) = \tfrac12 \Big\lVert \frac{v - b}{\sigma} \Big\rVert^2 -
       \Big(\frac{v}{\sigma}\Big)^{\!\top} W h - c^\top h $$

    $$ v_i \mid h \sim \mathcal N(b_i + \sigma_i W_{i \cdot} h,\; \sigma_i^2), \qquad
       p(h_j = 1 \mid v) = \sigma\big(c_j + (v / \sigma)^\top W_{\cdot j}\big) $$

    $$ F(v) = \tfrac12 \Big\lVert \frac{v - b}{\sigma} \Big\rVert^2 -
       \sum_j \mathrm{softplus}\big(c_j + (v / \sigma)^\top W_{\cdot j}\big) $$

    So it is a mixture of $2^H$ Gaussians of one spread. Bring data to mean 0 and deviation 1 and
    leave the spread at 1; a rate a tenth of that for bits keeps it from running away.

    Deviations: the spread is given, not learnt.
    Cite: hinton2006

    Args:
        visible: numbers that are seen.
        hidden: bits that are not.
        spread: $\sigma$, of every number by itself, or of all.

    Raises:
        TypeError: a size is no whole number, or the spread no number.
        ValueError: a size is below 1; the spread is not above 0, not finite, or of another width.
    """

    spread: Tensor

    def __init__(
        self, visible: int, hidden: int, spread: float | Float[Tensor, " dim"] = 1.0
    ) -> None:
        super().__init__()
        at_least(1, "GaussianBoltzmannMachine", "Something must be seen.", visible=visible)
        at_least(1, "GaussianBoltzmannMachine", "Pass more.", hidden=hidden)
        if not isinstance(spread, Tensor):
            expected = "a finite number above 0. Pass 1.0, or a tensor of one for each number."
            within(lambda x: x > 0, "GaussianBoltzmannMachine", expected, spread=spread)
        wide = torch.as_tensor(spread, dtype=torch.get_default_dtype())
        if wide.shape not in ((), (visible,)) or not (wide.isfinite() & (wide > 0)).all():
            raise ValueError(
                f"GaussianBoltzmannMachine(spread={spread}): expected a finite number above 0, or "
                f"{visible} of them, one for each visible number. Pass 1.0, and data.std(0) where "
                f"data are not brought to deviation 1."
            )
        self.visible, self.hidden = visible, hidden
        self.register_buffer("spread", wide.expand(visible).clone())
        self.weight = nn.Parameter(SMALL * torch.randn(visible, hidden))
        self.visible_bias = nn.Parameter(torch.zeros(visible))
        self.hidden_bias = nn.Parameter(torch.zeros(hidden))

    def hidden_field(self, visible: Float[Tensor, "*batch dim"]) -> Float[Tensor, "*batch hidden"]:
        """Return what pulls at the hidden bits; its sigmoid is how likely they are 1.

        Raises:
            ValueError: a number is NaN or infinite, or a row has another width.
        """
        if visible.shape[-1:] != (self.visible,) or not visible.isfinite().all():
            raise ValueError(
                f"GaussianBoltzmannMachine: rows of shape {tuple(visible.shape)} came, or some "
                f"number is NaN or infinite; expected rows of {self.visible} finite numbers. "
                f"Where they grew in training, bring data to deviation 1 and lower the rate."
            )
        return (visible / self.spread) @ self.weight + self.hidden_bias

    def visible_mean(self, hidden: Float[Tensor, "*batch hidden"]) -> Float[Tensor, "*batch dim"]:
        """Return the means of the visible numbers, whose deviations are the spread."""
        return self.visible_bias + self.spread * (hidden @ self.weight.mT)

    def energy(
        self, visible: Float[Tensor, "*batch dim"], hidden: Float[Tensor, "*batch hidden"]
    ) -> Float[Tensor, "*batch"]:
        """Return the energy of both layers together."""
        field = self.hidden_field(visible)
        return self._away(visible) - (field * hidden).sum(-1)

    def free_energy(self, visible: Float[Tensor, "*batch dim"]) -> Float[Tensor, "*batch"]:
        """Return the energy of visible numbers, the hidden bits summed out."""
        field = self.hidden_field(visible)
        return self._away(visible) - F.softplus(field).sum(-1)

    def _away(self, visible: Tensor) -> Tensor:
        return 0.5 * ((visible - self.visible_bias) / self.spread).square().sum(-1)

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
        return self._drawn_around(self.visible_bias.expand(chains, -1), generator)

    @torch.no_grad()
    def step(
        self, chain: Float[Tensor, "batch _"], generator: torch.Generator | None = None
    ) -> Float[Tensor, "batch _"]:
        chance = torch.sigmoid(self.hidden_field(chain))
        drawn = torch.rand(chance.shape, dtype=chance.dtype, generator=generator) < chance
        return self._drawn_around(self.visible_mean(drawn.to(chance.dtype)), generator)

    def _drawn_around(self, mean: Tensor, generator: torch.Generator | None) -> Tensor:
        noise = torch.randn(mean.shape, dtype=mean.dtype, generator=generator)
        return mean + self.spread * noise

    def log_base(self) -> Float[Tensor, ""]:
        return self._log_volume() + F.softplus(self.hidden_bias).sum()

    def log_weights(self, hidden: Float[Tensor, "state hidden"]) -> Float[Tensor, " state"]:
        r"""Return $\ln \int e^{-E(v, h)} dv$ of states of the hidden bits."""
        pull = hidden @ self.weight.mT
        own = pull @ (self.visible_bias / self.spread) + 0.5 * pull.square().sum(-1)
        return own + hidden @ self.hidden_bias + self._log_volume()

    def _log_volume(self) -> Tensor:
        return self.spread.log().sum() + 0.5 * self.visible * math.log(2 * math.pi)

    @torch.no_grad()
    def towards(self, base: Float[Tensor, " dim"], share: float) -> "GaussianBoltzmannMachine":
        other = GaussianBoltzmannMachine(self.visible, self.hidden).to(self.weight.dtype)
        other.spread.copy_(self.spread)
        other.weight.copy_(share * self.weight)
        other.hidden_bias.copy_(share * self.hidden_bias)
        other.visible_bias.copy_((1 - share) * base.to(self.weight) + share * self.visible_bias)
        return other

    def flip_gain(self, visible: Float[Tensor, "batch dim"]) -> Float[Tensor, "batch dim"]:
        raise ValueError(
            "GaussianBoltzmannMachine: numbers cannot be turned as bits can, so that there is no "
            "pseudo-likelihood. Train it by Contrastive or Persistent chains, and measure it by "
            "log_likelihood() or annealed()."
        )
