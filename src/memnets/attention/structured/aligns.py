r"""Aligns over structures: a weight is the chance that a slot is among those that are read.

$$ w_j = \mathbb{E}_{z \sim p} [z_j] = p(z_j = 1), \qquad r = \sum_j w_j v_j = \mathbb{E}_{z \sim p}
   \Bigl[\sum_j z_j v_j\Bigr] $$  (Kim et al., section 3)

Each is a chain of few states that goes over the slots in their order: a state says whether its slot
is read. Which states may follow each other, and how gladly, makes the structure.
"""

from abc import abstractmethod
from typing import ClassVar, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from memnets.attention.aligns import Align
from memnets.attention.context import AlignContext
from memnets.attention.structured.chains import Chains
from memnets.ops.chain import NEVER
from memnets.ops.masking import widen
from memnets.ops.sizes import any_finite, at_least, within


class Tagging(NamedTuple):
    """How an align tags the slots.

    Attributes:
        chains: over the slots, with `ends` more steps on either side.
        reads: the first state that reads its slot; so do all behind it.
        ends: 1 where a step before and one behind the slots say how a structure starts and ends.
    """

    chains: Chains
    reads: int
    ends: int

    def weights(self, states: Float[Tensor, "*batch slot state"]) -> Tensor:
        """Return how much each slot is read, from the chances of its states."""
        stop = states.shape[-2] - self.ends
        return states[..., self.ends : stop, self.reads :].sum(-1)


class StructuredAlign(Align):
    """Take each slot by the chance that it is read, where slots are chosen together.

    A subclass says how the slots are tagged. `tagging(scores, mask).chains` has the rest of the
    distribution: its entropy, the chance of a tagging, draws.
    """

    depends_on_positions: ClassVar[bool] = True
    sums_to: ClassVar[float | None] = None

    @abstractmethod
    def tagging(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
    ) -> Tagging:
        """Return all taggings of the readable slots; others are passed by."""

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        if scores.shape[-1] == 0:
            return widen(scores)
        tagging = self.tagging(scores, mask)
        return tagging.weights(tagging.chains.marginals)

    def hard(self) -> "HardStructure":
        """Return the align that reads the likeliest structure; it shares this one's weights."""
        return HardStructure(self)


class LinearChain(StructuredAlign):
    r"""Read slots by a chain of on and off: whether a slot is read depends on its neighbours.

    $$ p(z) \propto \exp\Bigl(\sum_j e_j z_j + \sum_{j>1} b_{z_{j-1} z_j}\Bigr), \qquad
       w_j = p(z_j = 1) $$  (Kim et al., section 3.2 and Eq. 5, "segmentation attention")

    The four $b$ are learned. With $b_{00}$ and $b_{11}$ above the others, neighbours are read
    together: runs of slots, where a softmax picks one. At $b = 0$ it is `Sigmoid`. As there, a
    score above 0 speaks for its slot, and nothing bounds the sum of the weights.

    Deviations: none. [section and equation recalled]
    Cite: kim2017

    Args:
        stay: where $b_{00}$ and $b_{11}$ start; the others start at 0.

    Raises:
        ValueError: it is not finite.
    """

    def __init__(self, stay: float = 0.0) -> None:
        super().__init__()
        within(any_finite, "LinearChain", "a finite number. Pass 0 for no preference.", stay=stay)
        self.pairwise = nn.Parameter(stay * torch.eye(2))

    def tagging(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
    ) -> Tagging:
        wide, readable = _prepared(scores, mask)
        unary = torch.stack([torch.zeros_like(wide), wide], -1)
        return Tagging(Chains(unary, self.pairwise, readable), reads=1, ends=0)

    @classmethod
    def example(cls) -> "LinearChain":
        return cls(stay=0.7)


class Segments(StructuredAlign):
    r"""Read slots in segments of bounded length, each length as likely as it has learned to be.

    $$ p(\text{segments}) \propto \exp \sum_{[i, j]} \Bigl(\sum_{k=i}^{j} e_k + b_{j-i+1}\Bigr),
       \qquad w_j = p(j \text{ is in a segment}) $$

    No slot is in two segments; two may touch, and what is in none is passed by. With segments of
    one slot it is $\sigma(e_j + b_1)$. A semi-Markov chain (Sarawagi and Cohen, 2004): its states
    say how many slots of its segment a slot closes, so that the sums are a chain's.

    Deviations: none; as an attention it has no paper of its own.
    Cite: sarawagi2004

    Args:
        longest: how many slots a segment has at most.
        length: where every $b$ starts. Below 0, few long segments are likelier than many short.

    Raises:
        ValueError: there is no length; the start is not finite.
    """

    def __init__(self, longest: int = 4, length: float = 0.0) -> None:
        super().__init__()
        at_least(1, "Segments", "Pass how many slots a segment may have.", longest=longest)
        within(any_finite, "Segments", "a finite number. Pass 0 for none.", length=length)
        self.longest = longest
        self.lengths = nn.Parameter(torch.full((longest,), float(length)))

    def tagging(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
    ) -> Tagging:
        wide, readable = _prepared(scores, mask)
        states = self.longest + 1  # in none; the first, second ... of a segment
        unary = F.pad(wide.unsqueeze(-1).expand(*wide.shape, self.longest), (1, 0))
        outside = torch.zeros_like(wide[..., 0])
        unary = _with_ends(unary, outside, outside)
        # A segment ends where none or a new one follows: then its length is known.
        ended = F.pad(
            self.lengths.to(wide.dtype).unsqueeze(-1).expand(-1, 2), (0, states - 2, 1, 0)
        )
        place = torch.arange(states, device=wide.device)
        follows = (place <= 1) | (place == place.unsqueeze(-1) + 1)
        pairwise = ended.masked_fill(~follows, NEVER)
        return Tagging(Chains(unary, pairwise, F.pad(readable, (1, 1), value=True)), 1, 1)

    @classmethod
    def example(cls) -> "Segments":
        align = cls(longest=3)
        with torch.no_grad():
            align.lengths.copy_(torch.tensor([-0.5, 0.25, 0.75]))
        return align


class ExactlyK(StructuredAlign):
    r"""Read exactly `k` slots, whichever they are: a softmax over the subsets of that size.

    $$ p(S) \propto \exp \sum_{j \in S} e_j, \quad |S| = k, \qquad w_j = p(j \in S) $$

    With `k = 1` it is `Softmax`. The weights sum to `k`, none is above 1; where no more than `k`
    slots are readable, all are read. The order of the slots does not matter.

    Deviations: none; as an attention it has no paper of ours.

    Args:
        k: how many slots are read.

    Raises:
        ValueError: it is below 1.
    """

    depends_on_positions = False

    def __init__(self, k: int) -> None:
        super().__init__()
        at_least(1, "ExactlyK", "Pass how many slots to read.", k=k)
        self.k = k

    def tagging(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
    ) -> Tagging:
        wide, readable = _prepared(scores, mask)
        # States: 0 to k have been read and this one is not; 1 to k have been and this is the last.
        unary = F.pad(wide.unsqueeze(-1).expand(*wide.shape, self.k), (self.k + 1, 0))
        unary = _with_ends(
            unary, torch.zeros_like(wide[..., 0]), readable.sum(-1).clamp(max=self.k)
        )
        count = torch.arange(self.k + 1, device=wide.device)
        count, reads = torch.cat([count, count[1:]]), torch.arange(2 * self.k + 1) > self.k
        follows = count == count.unsqueeze(-1) + reads.to(wide.device)
        pairwise = torch.zeros_like(follows, dtype=wide.dtype).masked_fill(~follows, NEVER)
        chains = Chains(unary, pairwise, F.pad(readable, (1, 1), value=True))
        return Tagging(chains, self.k + 1, 1)

    @classmethod
    def example(cls) -> "ExactlyK":
        return cls(k=3)


class HardStructure(Align):
    r"""Read the slots of the likeliest structure, each with a weight of one (Viterbi).

    $$ w = \arg\max_z p(z) $$

    Made by `hard()` of the align that was trained. Of structures that are alike likely, which one
    is taken is not defined.

    Deviations: none.
    Cite: kim2017

    Args:
        soft: the align whose structures they are; its weights are used.
    """

    depends_on_positions = True
    sums_to = None
    passes_gradient = False

    def __init__(self, soft: StructuredAlign) -> None:
        super().__init__()
        self.soft = soft

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        if scores.shape[-1] == 0:
            return widen(scores.detach())
        tagging = self.soft.tagging(scores.detach(), mask)
        return tagging.weights(tagging.chains.best)

    @classmethod
    def example(cls) -> "HardStructure":
        return cls(LinearChain.example())


def _prepared(scores: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    """Return scores of full precision and which of them are readable."""
    wide = widen(scores)
    readable = torch.ones_like(wide, dtype=torch.bool)
    return wide, readable if mask is None else readable & mask


def _with_ends(unary: Tensor, start: Tensor, end: Tensor) -> Tensor:
    """Add a step before the slots and one behind them, each in a state that is given."""
    places = torch.arange(unary.shape[-1], device=unary.device)
    steps = [
        torch.zeros_like(unary[..., 0, :]).masked_fill(places != state.unsqueeze(-1), NEVER)
        for state in (start, end)
    ]
    return torch.cat([steps[0].unsqueeze(-2), unary, steps[1].unsqueeze(-2)], -2)
