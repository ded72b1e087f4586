"""Weights that make the patterns likely: a Boltzmann machine without hidden units, made cold.

Two ways to learn them: by every neuron's chance given the others, which is exact, and by states
that the machine draws, as its authors did.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Num
from torch import Tensor

from memnets.memories.boltzmann import BoltzmannMachine, pseudo_log_likelihood
from memnets.memories.hopfield.network import HopfieldNetwork
from memnets.memories.hopfield.rules import LearningRule, patterns_of
from memnets.ops.sizes import at_least, within


@dataclass(frozen=True)
class BoltzmannRule(LearningRule):
    r"""Raise every neuron's chance given all others, by gradient, and recall at no temperature.

    $$ \max_W \sum_\mu \sum_i \ln \sigma(2 \xi_i^\mu h_i^\mu)
       - \tfrac{\lambda}{2} \lVert W \rVert^2 $$

    It is slower than the other rules by far, and holds more.

    Deviations: pseudo-likelihood in place of chains.
    Cite: ackley1985

    Args:
        updates: of Adam, each with all patterns.
        rate: of Adam.
        decay: $\lambda$, a pattern.

    Raises:
        TypeError: a number is of another type.
        ValueError: there is no update, the rate is not above 0, or the decay is negative.
    """

    updates: int = 300
    rate: float = 0.05
    decay: float = 1e-4

    def __post_init__(self) -> None:
        at_least(1, "BoltzmannRule", "Pass 300, say.", updates=self.updates)
        within(lambda x: x > 0, "BoltzmannRule", "a number above 0. Pass 0.05.", rate=self.rate)
        expected = "a number of at least 0. Pass 1e-4."
        within(lambda x: x >= 0, "BoltzmannRule", expected, decay=self.decay)

    def learn(
        self, patterns: Num[Tensor, "pattern dim"], bias: Num[Tensor, " dim"] | None = None
    ) -> HopfieldNetwork:
        """Return a network that holds these patterns; a bias is not learnt, but held fast."""
        rows = patterns_of("BoltzmannRule", patterns).float()
        machine = _uncoupled(rows.shape[1], bias)
        optimizer = torch.optim.Adam([machine.couplings], lr=self.rate)
        for _ in range(self.updates):
            size = self.decay * machine.weights.square().sum()
            loss = size / 2 - pseudo_log_likelihood(machine, rows).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        return HopfieldNetwork(machine.weights.detach().double(), bias)


@dataclass(frozen=True)
class BoltzmannChains(LearningRule):
    r"""Lower the energy of the patterns, and raise that of states that the machine draws.

    $$ \Delta w_{ij} = \eta \left( \langle \xi_i \xi_j \rangle_{\text{patterns}}
       - \langle s_i s_j \rangle_{\text{chains}} \right) $$

    Deviations: chains go on from update to update, every neuron drawn once in each; the paper's
    are cooled anew for every update.
    Cite: ackley1985

    Args:
        updates: each with all patterns.
        rate: $\eta$.
        chains: states that are drawn side by side.
        seed: of what is drawn.

    Raises:
        TypeError: a number is of another type.
        ValueError: there is no update or chain, the rate is not above 0, or the seed is below 0.
    """

    updates: int = 20
    rate: float = 0.1
    chains: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        at_least(1, "BoltzmannChains", "Pass 20, say.", updates=self.updates, chains=self.chains)
        at_least(0, "BoltzmannChains", "Pass 0, say.", seed=self.seed)
        within(lambda x: x > 0, "BoltzmannChains", "a number above 0. Pass 0.1.", rate=self.rate)

    @torch.no_grad()
    def learn(
        self, patterns: Num[Tensor, "pattern dim"], bias: Num[Tensor, " dim"] | None = None
    ) -> HopfieldNetwork:
        """Return a network that holds these patterns; a bias is not learnt, but held fast."""
        rows = patterns_of("BoltzmannChains", patterns).float()
        machine = _uncoupled(rows.shape[1], bias)
        generator = torch.Generator().manual_seed(self.seed)
        chain = machine.random_chain(self.chains, generator)
        for _ in range(self.updates):
            chain = machine.step(chain, generator)
            difference = rows.mT @ rows / len(rows) - chain.mT @ chain / len(chain)
            machine.couplings.add_(self.rate * difference.triu(1))
        return HopfieldNetwork(machine.weights.double(), bias)


def _uncoupled(neurons: int, bias: Tensor | None) -> BoltzmannMachine:
    """Return a machine of signs without couplings."""
    machine = BoltzmannMachine(neurons)
    with torch.no_grad():
        machine.couplings.zero_()
        machine.bias.copy_(torch.zeros(neurons) if bias is None else bias)
    return machine
