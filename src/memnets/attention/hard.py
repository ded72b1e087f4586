"""Hard aligns: one slot is read. The read gathers it by its index."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from memnets.attention.aligns import Align, Aligned, KeepsSome
from memnets.attention.context import AlignContext
from memnets.ops.masking import masked_softmax, widen
from memnets.ops.sizes import within


class Argmax(KeepsSome):
    r"""Read the slot that matches best; of equal ones the lowest.

    $$ w_j = [j = \arg\max_k e_k] $$

    Deviations: none. The choice passes no gradient; `StraightThroughArgmax` does.
    Cite: xu2015
    """

    passes_gradient = False

    def align(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Aligned:
        return Aligned(*_best(scores, mask))


class StraightThroughArgmax(Align):
    r"""Read the slot that matches best, and learn as if it had been a softmax.

    $$ w = \mathrm{onehot}(\arg\max_k e_k) + p - \mathrm{stop}(p), \qquad p = \mathrm{softmax}(e) $$

    Every slot takes part in the gradient, so the weights are dense.

    Deviations: none; the estimator has no paper among ours.
    """

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        hard = Aligned(*_best(scores, mask)).dense(scores.shape[-1])
        return _straight_through(hard, self.relaxed(scores, mask, context))

    def relaxed(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        """Return the softmax, whose gradient is passed on."""
        return masked_softmax(scores, mask)


class Sampled(KeepsSome):
    r"""Read one slot, drawn from the softmax, and say what REINFORCE needs.

    $$ s \sim p = \mathrm{softmax}(e), \qquad \log p_s, \qquad H = -\sum_j p_j \log p_j $$
    (Xu et al., section 4.1, "hard" attention)

    One number is drawn for each query, so that the length of the memory does not move the draws.
    Baseline and loss are in `memnets.attention.reinforce`.

    Deviations: none.
    Cite: xu2015

    Raises:
        ValueError: the context has no generator.
    """

    passes_gradient = False

    def align(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Aligned:
        generator = context.require("generator", "Sampled")
        log, readable = _masked_log_softmax(scores, mask)
        if log.shape[-1] == 0:
            certain = log.sum(-1)
            return Aligned(log, log.long(), certain, certain)
        total = log.detach().exp().masked_fill(~readable, 0.0).cumsum(-1)
        shape = (*total.shape[:-1], 1)
        # Where the generator is, so that its numbers are the same for any device.
        drawn = torch.rand(shape, generator=generator, dtype=total.dtype, device=generator.device)
        drawn = drawn.to(total.device)
        # The first slot whose running total exceeds the number; rounding may leave none, and then
        # it is the last that has any weight: the first where the total is at its largest.
        passed = (total <= drawn * total[..., -1:]).sum(-1, keepdim=True)
        chosen = torch.minimum(passed, total.argmax(-1, keepdim=True))
        return Aligned(
            readable.any(-1, keepdim=True).to(log.dtype),
            chosen,
            log.gather(-1, chosen).squeeze(-1),
            -(log.exp() * log).sum(-1),
        )


class GumbelStraightThrough(Align):
    r"""Read one slot, drawn from the softmax, and learn as if the draw had been soft.

    $$ g_j = -\log(-\log u_j), \qquad w = \mathrm{onehot}(\arg\max_j(e_j + g_j)) + p
       - \mathrm{stop}(p), \qquad p = \mathrm{softmax}((e + g) / \tau) $$
    (Jang et al., Eq. 1 and 2, and section 2.2)

    Deviations: none.
    Cite: jang2017

    Args:
        temperature: $\tau$; the lower, the less biased and the more variable the gradient.

    Raises:
        ValueError: the temperature is not above 0; the context has no generator.
    """

    def __init__(self, temperature: float = 1.0) -> None:
        super().__init__()
        expected = "a number above 0. For no noise at all use StraightThroughArgmax()."
        within(lambda x: x > 0, "GumbelStraightThrough", expected, temperature=temperature)
        self.temperature = temperature

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        noisy = self._noisy(scores, context)
        hard = Aligned(*_best(noisy, mask)).dense(scores.shape[-1])
        return _straight_through(hard, masked_softmax(noisy / self.temperature, mask))

    def relaxed(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        """Return the soft draw, whose gradient is passed on."""
        return masked_softmax(self._noisy(scores, context) / self.temperature, mask)

    def _noisy(self, scores: Tensor, context: AlignContext) -> Tensor:
        generator = context.require("generator", "GumbelStraightThrough")
        wide = widen(scores)
        # -log u is exponential; torch never draws a zero from it.
        waited = torch.empty_like(wide).exponential_(generator=generator)
        return wide - waited.log()


class _Best(NamedTuple):
    weights: Tensor
    indices: Tensor


def _best(scores: Tensor, mask: Tensor | None) -> _Best:
    """Return the best slot of every row, the lowest of equals, and a one, or zero if none is."""
    wide = widen(scores.detach())
    if wide.shape[-1] == 0:
        return _Best(wide, wide.long())
    if mask is None:
        indices = wide.argmax(-1, keepdim=True)
        return _Best(torch.ones_like(indices, dtype=wide.dtype), indices)
    indices = wide.masked_fill(~mask, -torch.inf).argmax(-1, keepdim=True)
    readable = mask.any(-1, keepdim=True).expand_as(indices)
    return _Best(readable.to(wide.dtype), indices)


def _straight_through(hard: Tensor, soft: Tensor) -> Tensor:
    # In this order the difference is exactly zero, and the weights are exactly the hard ones.
    return hard + (soft - soft.detach())


def _masked_log_softmax(scores: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    """Return log-probabilities, zero where a slot is unreadable, and which slots are not."""
    wide = widen(scores)
    readable = torch.ones_like(wide, dtype=torch.bool) if mask is None else mask.expand_as(wide)
    nothing = ~readable.any(-1, keepdim=True)
    log = wide.masked_fill(~(readable | nothing), -torch.inf).log_softmax(-1)
    return log.masked_fill(~readable, 0.0), readable
