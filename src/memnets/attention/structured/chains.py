"""Taggings of sequences as a distribution: what is known of all of them together, and of one."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from memnets.ops.chain import (
    ChainSums,
    best_of_chains,
    draw_of_chains,
    edges_of_chains,
    entropy_of_chains,
    log_chances_of_chains,
    sum_over_chains,
)


class Chains:
    r"""All taggings of a sequence, as likely as the potentials of a linear chain say.

    $$ p(z) = \frac{1}{Z} \exp\Bigl(\sum_t u_t(z_t) + \sum_{t>1} \theta_t(z_{t-1}, z_t)\Bigr) $$
    (Kim et al., section 3.2; the sums are the forward-backward algorithm's)

    Steps that are masked are passed by: those about them are neighbours. All is computed in log
    space or of chances, in float32 or wider, and has gradients of any order but what is chosen:
    the best tagging, a draw.

    Deviations: none. [section recalled]
    Cite: kim2017

    Args:
        unary: $u$, one number a step and state.
        pairwise: $\theta$, `(state, state)`, from a state to the next; or one matrix a step but
            the first, `(*batch, slot - 1, state, state)`, which stands before its step.
        mask: True where a step is there, `(*batch, slot)`.

    Raises:
        ValueError: the shapes do not belong together.
    """

    def __init__(
        self,
        unary: Float[Tensor, "*batch slot state"],
        pairwise: Float[Tensor, "*steps state state"],
        mask: Bool[Tensor, "*#batch slot"] | None = None,
    ) -> None:
        _expect(unary, pairwise, mask)
        self.unary, self.pairwise, self.mask = unary, pairwise, mask
        self._sums: ChainSums | None = None

    @property
    def sums(self) -> ChainSums:
        """Log Z and the marginals, which come from one pass."""
        if self._sums is None:  # torch.compile cannot look into a cached property
            self._sums = sum_over_chains(self.unary, self.pairwise, self.mask)
        return self._sums

    @property
    def log_partition(self) -> Float[Tensor, "*batch"]:
        """The logarithm of $Z$; 0 where there is nothing to tag."""
        return self.sums.log_partition

    @property
    def marginals(self) -> Float[Tensor, "*batch slot state"]:
        """How likely each state is at each step; 0 where a step is masked."""
        return self.sums.marginals

    @property
    def edges(self) -> Float[Tensor, "*batch slot state state"]:
        """How likely each pair of states is, before and at each step; 0 at the first."""
        return edges_of_chains(self.unary, self.pairwise, self.mask)

    @property
    def entropy(self) -> Float[Tensor, "*batch"]:
        """The entropy of the taggings, in nats."""
        return entropy_of_chains(self.unary, self.pairwise, self.mask)

    @property
    def best(self) -> Float[Tensor, "*batch slot state"]:
        """The likeliest tagging (Viterbi), 1 at its states; 0 where a step is masked."""
        return best_of_chains(self.unary, self.pairwise, self.mask)

    @property
    def argmax(self) -> Int[Tensor, "*batch slot"]:
        """The states of the likeliest tagging; 0 where a step is masked."""
        return self.best.argmax(-1)

    def log_prob(self, states: Int[Tensor, "*batch slot"]) -> Float[Tensor, "*batch"]:
        """Return the log-probability of a tagging, never above 0. Masked steps do not matter."""
        return log_chances_of_chains(self.unary, self.pairwise, states, self.mask)

    def sample(self, generator: torch.Generator | None = None) -> Int[Tensor, "*batch slot"]:
        """Draw a tagging; 0 where a step is masked."""
        return draw_of_chains(self.unary, self.pairwise, self.mask, generator).argmax(-1)


def _expect(unary: Tensor, pairwise: Tensor, mask: Tensor | None) -> None:
    *batch, slots, states = unary.shape
    each = (*batch, max(slots - 1, 0), states, states)
    if tuple(pairwise.shape) not in ((states, states), each):
        raise ValueError(
            f"Chains: the pairwise potentials have shape {tuple(pairwise.shape)}, expected "
            f"{(states, states)} for all steps or {each} for each. "
            f"Pass one number for each state and the next."
        )
    if mask is not None and (mask.dtype != torch.bool or mask.shape[-1:] != unary.shape[-2:-1]):
        raise ValueError(
            f"Chains: the mask is {mask.dtype} of shape {tuple(mask.shape)}, expected torch.bool "
            f"of {(*batch, slots)}. Pass True where a step is there."
        )
