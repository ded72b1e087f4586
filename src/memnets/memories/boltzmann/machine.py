"""Boltzmann machines: units that are drawn by their fields, some seen and some hidden."""

from abc import ABC, abstractmethod
from typing import Literal, get_args

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from memnets.ops.sizes import at_least, within

Units = Literal["signs", "bits"]
"""What units are: -1 and 1, or 0 and 1."""
SMALL = 0.01
"""Standard deviation of the first weights."""
POSITIVE = "a number above 0. 1 is the machine as it is; Hopfield's is what is left near 0."


class Machine(nn.Module, ABC):
    """States with an energy, each as likely as its energy is low: $p(s) = e^{-E(s) / T} / Z$.

    A *chain* is a state that is drawn again and again; what it consists of is the machine's own.
    """

    visible: int
    """Units that data are about, the first of all."""

    @abstractmethod
    def cost(
        self, visible: Float[Tensor, "batch dim"], generator: torch.Generator | None = None
    ) -> Float[Tensor, " batch"]:
        """Return $E / T$ of data; hidden units are summed out, or else drawn."""

    @abstractmethod
    def chain_cost(self, chain: Float[Tensor, "batch _"]) -> Float[Tensor, " batch"]:
        """Return $E / T$ of chains."""

    @abstractmethod
    def chain_at(
        self, visible: Float[Tensor, "batch dim"], generator: torch.Generator | None = None
    ) -> Float[Tensor, "batch _"]:
        """Return chains that begin at data."""

    @abstractmethod
    def random_chain(
        self, chains: int, generator: torch.Generator | None = None
    ) -> Float[Tensor, "batch _"]:
        """Return chains whose every unit is drawn as if no other were there."""

    @abstractmethod
    def step(
        self, chain: Float[Tensor, "batch _"], generator: torch.Generator | None = None
    ) -> Float[Tensor, "batch _"]:
        """Return chains all of whose units were drawn once more, each given the others."""

    @abstractmethod
    def log_base(self) -> Float[Tensor, ""]:
        """Return $\\ln Z$ of the same machine without couplings."""

    @abstractmethod
    def towards(self, base: Float[Tensor, " dim"], share: float) -> "Machine":
        """Return a machine between units that follow `base` alone (0) and this one (1).

        Args:
            base: biases of the visible units; hidden ones have none there.
            share: how much of this machine there is.
        """

    @abstractmethod
    def flip_gain(self, visible: Float[Tensor, "batch dim"]) -> Float[Tensor, "batch dim"]:
        """Return by how much data would cost more with each unit by itself turned."""

    @torch.no_grad()
    def sample(
        self,
        chain: Float[Tensor, "batch _"],
        steps: int,
        generator: torch.Generator | None = None,
    ) -> Float[Tensor, "batch _"]:
        """Return chains after some steps."""
        for _ in range(steps):
            chain = self.step(chain, generator)
        return chain


class BoltzmannMachine(Machine):
    r"""Units that all may be coupled to each other; the first are seen, the rest are hidden.

    $$ E(s) = -\tfrac12 s^\top W s - b^\top s, \qquad p(s_i = 1 \mid \text{rest}) =
       \sigma(2 h_i / T) \text{ of signs}, \; \sigma(h_i / T) \text{ of bits} $$

    Units are drawn one after the other: all at once would be another distribution.

    Deviations: none.
    Cite: ackley1985

    Args:
        visible: units that are seen.
        hidden: units that are not.
        units: -1 and 1 (signs), or 0 and 1 (bits).
        temperature: $T$.

    Raises:
        TypeError: a size is no whole number, or the temperature no number.
        ValueError: a size is too small, the temperature is not above 0, or the units are others.
    """

    def __init__(
        self, visible: int, hidden: int = 0, units: Units = "signs", temperature: float = 1.0
    ) -> None:
        super().__init__()
        at_least(1, "BoltzmannMachine", "Something must be seen.", visible=visible)
        at_least(0, "BoltzmannMachine", "Pass 0 for none.", hidden=hidden)
        within(lambda x: x > 0, "BoltzmannMachine", POSITIVE, temperature=temperature)
        if units not in get_args(Units):
            raise ValueError(
                f"BoltzmannMachine(units={units!r}): expected signs or bits. Pass units='bits' for "
                f"units that are 0 or 1."
            )
        self.visible, self.hidden, self.units = visible, hidden, units
        self.temperature = temperature
        total = visible + hidden
        self.couplings = nn.Parameter(SMALL * torch.randn(total, total))
        self.bias = nn.Parameter(torch.zeros(total))

    @property
    def weights(self) -> Float[Tensor, "dim dim"]:
        """The couplings of all pairs: symmetric, with nothing on the diagonal."""
        upper = self.couplings.triu(1)
        return upper + upper.mT

    def energy(self, states: Float[Tensor, "*batch dim"]) -> Float[Tensor, "*batch"]:
        """Return the energy of whole states."""
        return -0.5 * ((states @ self.weights) * states).sum(-1) - states @ self.bias

    def field(self, states: Float[Tensor, "*batch dim"]) -> Float[Tensor, "*batch dim"]:
        """Return what pulls at every unit."""
        return states @ self.weights + self.bias

    def chance(self, field: Float[Tensor, "*batch"]) -> Float[Tensor, "*batch"]:
        """Return how likely units are 1, by their fields."""
        return torch.sigmoid(self._span * field / self.temperature)

    @property
    def _span(self) -> int:
        return 2 if self.units == "signs" else 1

    def _drawn(self, field: Tensor, generator: torch.Generator | None) -> Tensor:
        chance = self.chance(field)
        on = torch.rand(chance.shape, dtype=chance.dtype, generator=generator) < chance
        return self._span * on.to(chance.dtype) - (self._span - 1)

    def cost(
        self, visible: Float[Tensor, "batch dim"], generator: torch.Generator | None = None
    ) -> Float[Tensor, " batch"]:
        """Return $E / T$ of data, hidden units drawn with the data held fast."""
        return self.chain_cost(self.chain_at(visible, generator))

    def chain_cost(self, chain: Float[Tensor, "batch _"]) -> Float[Tensor, " batch"]:
        return self.energy(chain) / self.temperature

    HOLDING = 10
    """Times that hidden units are drawn while data are held fast."""

    @torch.no_grad()
    def chain_at(
        self, visible: Float[Tensor, "batch dim"], generator: torch.Generator | None = None
    ) -> Float[Tensor, "batch _"]:
        if not self.hidden:
            return visible
        start = self._drawn(self.bias[self.visible :].expand(len(visible), -1), generator)
        chain = torch.cat((visible.to(start), start), 1)
        for _ in range(self.HOLDING):
            chain = self._swept(chain, range(self.visible, self.visible + self.hidden), generator)
        return chain

    @torch.no_grad()
    def random_chain(
        self, chains: int, generator: torch.Generator | None = None
    ) -> Float[Tensor, "batch _"]:
        return self._drawn(self.bias.expand(chains, -1), generator)

    @torch.no_grad()
    def step(
        self, chain: Float[Tensor, "batch _"], generator: torch.Generator | None = None
    ) -> Float[Tensor, "batch _"]:
        return self._swept(chain, range(chain.shape[1]), generator)

    def _swept(self, chain: Tensor, places: range, generator: torch.Generator | None) -> Tensor:
        chain, weights = chain.clone(), self.weights
        for i in places:
            chain[:, i] = self._drawn(chain @ weights[i] + self.bias[i], generator)
        return chain

    def log_base(self) -> Float[Tensor, ""]:
        scaled = self._span * self.bias / self.temperature
        return (F.softplus(scaled) - (self._span - 1) * self.bias / self.temperature).sum()

    @torch.no_grad()
    def towards(self, base: Float[Tensor, " dim"], share: float) -> "BoltzmannMachine":
        other = BoltzmannMachine(self.visible, self.hidden, self.units, self.temperature)
        other.to(self.bias.dtype)
        start = F.pad(base.to(self.bias), (0, self.hidden))
        other.couplings.copy_(share * self.couplings)
        other.bias.copy_((1 - share) * start + share * self.bias)
        return other

    def flip_gain(self, visible: Float[Tensor, "batch dim"]) -> Float[Tensor, "batch dim"]:
        if self.hidden:
            raise ValueError(
                f"BoltzmannMachine(hidden={self.hidden}): with hidden units no unit's chance given "
                f"the other visible ones is known. Train it by its chains, or take one without."
            )
        signs = 2 * visible - 1 if self.units == "bits" else visible
        return self._span * signs * self.field(visible) / self.temperature

    @torch.no_grad()
    def as_bits(self) -> "BoltzmannMachine":
        """Return the machine of bits whose state $(s + 1) / 2$ is as likely as $s$ is here."""
        if self.units == "bits":
            return self
        other = BoltzmannMachine(self.visible, self.hidden, "bits", self.temperature)
        other.to(self.bias.dtype)
        other.couplings.copy_(4 * self.couplings)
        other.bias.copy_(2 * self.bias - 2 * self.weights.sum(1))
        return other
