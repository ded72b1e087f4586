r"""Linear chains of states: the sum over all taggings of a sequence, and how likely each state is.

$$ p(z) \propto \exp\Bigl(\sum_t u_t(z_t) + \sum_{t>1} \theta_t(z_{t-1}, z_t)\Bigr) $$

Forward, in log space, and moved at every step so that its largest is 0,

$$ \alpha_t(z') = u_t(z') + \log \sum_z \exp(\alpha_{t-1}(z) + \theta_t(z, z')) $$

The terms of the sum, divided by it, are the chances $P_t(z \mid z')$ of the state before a state.
Backward, $p_{t-1}(z) = \sum_{z'} P_t(z \mid z') \, p_t(z')$: from here on there are chances only,
which neither overflow nor cancel, however long the sequence.

What is masked is passed by: the steps about it are neighbours. The C++ op (chain.cpp) takes sixteen
sequences at once. A gradient of a chance is a derivative of the chances along what reaches them, as
chances are derivatives of log Z, and second derivatives have no order: the way back is one more
pass forth and back, which takes no exponentials.
"""

import math
from collections.abc import Callable
from ctypes import Structure, byref, c_int64
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from memnets.ops import native
from memnets.ops.binding import are_plain, by_precision, fields, pointers, threads_for
from memnets.ops.masking import widen
from memnets.ops.twins import gradients_of_twin, runs_eagerly

NEVER = -1e30
"""The potential of what cannot be. Not minus infinity: whose differences are NaN."""

ROWS = 16
"""Sequences that the op takes at once, `ROWS` of chain.cpp."""

THREAD = 2**18
"""Exponentials for which a further thread is worth starting."""

Unary = Float[Tensor, "*batch slot state"]
Pairwise = Float[Tensor, "*steps state state"]
Mask = Bool[Tensor, "*#batch slot"]


class ChainSums(NamedTuple):
    """What is known of all taggings together.

    Attributes:
        log_partition: $\\log Z$; 0 where there is nothing to tag.
        marginals: how likely each state is at each step; 0 where a step is masked.
    """

    log_partition: Float[Tensor, "*batch"]
    marginals: Float[Tensor, "*batch slot state"]


def sum_over_chains(unary: Unary, pairwise: Pairwise, mask: Mask | None = None) -> ChainSums:
    """Return log Z and the marginals of a linear chain, by forward and backward passes.

    Half precision is computed in float32. Any order of gradients is to be had.

    Args:
        unary: u, one number a step and state.
        pairwise: theta, before it is after: one matrix for all steps, or one a step but the first,
            `(*batch, slot - 1, state, state)`. The matrix of a step stands before it.
        mask: True where a step is there.
    """
    rows, link, readable = _as_rows(unary, pairwise, mask)
    if _can_run(rows, link, readable):
        apply: Any = _Sums.apply
        log_partition, marginals = apply(rows, link, readable)
    else:
        log_partition, marginals = _plain(rows, link, readable)
    return ChainSums(log_partition.reshape(unary.shape[:-2]), marginals.reshape(unary.shape))


def edges_of_chains(
    unary: Unary, pairwise: Pairwise, mask: Mask | None = None
) -> Float[Tensor, "*batch slot state state"]:
    """Return how likely each pair of states is, of a step and the one that is there before it.

    Steps that are masked, and the first that is not, have none: theirs are zeros.
    """
    rows, link, readable = _as_rows(unary, pairwise, mask)
    passed = _pass(rows, link, readable, torch.logsumexp)
    marginals = _back(passed, _shares(passed, link))
    edges = _shares(passed, link) * marginals[:, 1:].unsqueeze(-2)
    edges = torch.cat([edges.new_zeros(edges[:, :1].shape), edges], 1) if rows.shape[1] else edges
    edges = edges.masked_fill(~passed.follows[..., None, None], 0.0)
    return edges.reshape(*unary.shape, unary.shape[-1])


def entropy_of_chains(
    unary: Unary, pairwise: Pairwise, mask: Mask | None = None
) -> Float[Tensor, "*batch"]:
    """Return the entropy of the taggings: of the last state, and of each one before the next."""
    rows, link, readable = _as_rows(unary, pairwise, mask)
    passed = _pass(rows, link, readable, torch.logsumexp)
    shares = _shares(passed, link)
    marginals = _back(passed, shares)
    of_each = (torch.special.entr(shares).sum(-2) * marginals[:, 1:]).sum(-1)
    total = (of_each * passed.follows[:, 1:]).sum(-1)
    last = torch.special.entr(passed.last.softmax(-1)).sum(-1)
    return (total + last * readable.any(-1)).reshape(unary.shape[:-2])


def best_of_chains(
    unary: Unary, pairwise: Pairwise, mask: Mask | None = None
) -> Float[Tensor, "*batch slot state"]:
    """Return the likeliest tagging (Viterbi): 1 at its states. Of equals, the lowest states."""
    rows, link, readable = _as_rows(unary.detach(), pairwise.detach(), mask)
    passed = _pass(rows, link, readable, torch.amax)
    found = _back(passed, _shares(passed, link, _one_hot), _one_hot)
    return found.masked_fill(~readable.unsqueeze(-1), 0.0).reshape(unary.shape)


def draw_of_chains(
    unary: Unary,
    pairwise: Pairwise,
    mask: Mask | None = None,
    generator: torch.Generator | None = None,
) -> Float[Tensor, "*batch slot state"]:
    """Return a tagging, drawn: filtered forth, drawn back. It has 1 at its states."""
    rows, link, readable = _as_rows(unary.detach(), pairwise.detach(), mask)
    passed = _pass(rows, link, readable, torch.logsumexp)

    def drawn(chances: Tensor, _: int = -1) -> Tensor:
        total = chances.cumsum(-1)
        shape = (*total.shape[:-1], 1)
        number = torch.rand(shape, generator=generator, dtype=total.dtype, device=total.device)
        # The first state whose running total exceeds the number; rounding may leave none.
        place = (total <= number * total[..., -1:]).sum(-1, keepdim=True)
        return torch.zeros_like(total).scatter(-1, place.clamp(max=total.shape[-1] - 1), 1.0)

    found = _back(passed, _shares(passed, link), drawn)
    return found.masked_fill(~readable.unsqueeze(-1), 0.0).reshape(unary.shape)


def log_chances_of_chains(
    unary: Unary,
    pairwise: Pairwise,
    states: Int[Tensor, "*batch slot"],
    mask: Mask | None = None,
) -> Float[Tensor, "*batch"]:
    """Return the log-probability of a tagging: of its last state, and of each before the next.

    A sum of logarithms of chances: never above 0, as a score less log Z is by rounding.
    """
    rows, link, readable = _as_rows(unary, pairwise, mask)
    passed = _pass(rows, link, readable, torch.logsumexp)
    chosen, log_shares = states.reshape(readable.shape), _shares(passed, link, torch.log_softmax)
    before = passed.last.new_zeros(len(chosen), dtype=torch.long)
    total = torch.zeros_like(passed.log_partition)
    for t in range(chosen.shape[1]):
        here = chosen[:, t]
        if t:
            column = log_shares[:, t - 1].gather(
                -1, here[:, None, None].expand(-1, rows.shape[-1], 1)
            )
            share = column.squeeze(-1).gather(-1, before.unsqueeze(-1)).squeeze(-1)
            total = total + torch.where(passed.follows[:, t], share, 0.0)
        before = torch.where(readable[:, t], here, before)
    last = passed.last.log_softmax(-1).gather(-1, before.unsqueeze(-1)).squeeze(-1)
    return (total + torch.where(readable.any(-1), last, 0.0)).reshape(unary.shape[:-2])


def _as_rows(unary: Tensor, pairwise: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor, Tensor]:
    """Lay the batch out as rows: potentials of float32 or wider, and which steps are there.

    What is masked becomes 0, not to be met: 0 * NaN is NaN.
    """
    *batch, steps, states = unary.shape
    rows = math.prod(batch)
    wide, link = widen(unary), widen(pairwise)
    readable = torch.ones_like(wide[..., 0], dtype=torch.bool)
    if mask is not None:
        readable = readable & mask
        wide = wide.masked_fill(~readable.unsqueeze(-1), 0.0)
    if link.ndim == 2:
        link = link[None, None]
    else:
        link = link.reshape(rows, max(steps - 1, 0), states, states)
        if mask is not None:  # the matrix of a step that is masked is not met either
            link = link.masked_fill(~readable.reshape(rows, steps)[:, 1:, None, None], 0.0)
    readable = readable.reshape(rows, steps)
    return wide.reshape(rows, steps, states), link.to(wide.dtype), readable


class _Passed(NamedTuple):
    """What a pass forth leaves: row, slot, state."""

    before: Tensor  # alpha, as it comes to each step
    last: Tensor  # alpha, behind the last
    follows: Tensor  # whether a step is there and another before it
    log_partition: Tensor


def _pass(unary: Tensor, link: Tensor, readable: Tensor, join: Callable[..., Tensor]) -> _Passed:
    alpha, moved = torch.zeros_like(unary[:, :0].sum(1)), torch.zeros_like(unary[:, :0].sum((1, 2)))
    follows = readable & (readable.cumsum(-1) > 1)
    before = []
    for t in range(unary.shape[1]):
        before.append(alpha)
        came = unary[:, t]
        if t:
            matrix = link[:, min(t, link.shape[1]) - 1]
            joined = join(alpha.unsqueeze(-1) + matrix, -2)
            came = came + torch.where(follows[:, t, None], joined, 0.0)
        alpha = torch.where(readable[:, t, None], came, alpha)
        largest = alpha.detach().amax(-1, keepdim=True)
        alpha, moved = alpha - largest, moved + largest.squeeze(-1)
    log_partition = torch.where(readable.any(-1), moved + join(alpha, -1), 0.0)
    laid_out = torch.stack(before, 1) if before else torch.zeros_like(unary)
    return _Passed(laid_out, alpha, follows, log_partition)


def _shares(
    passed: _Passed, link: Tensor, share: Callable[[Tensor, int], Tensor] = torch.softmax
) -> Tensor:
    """Return the chances of the state before each state, of all steps but the first."""
    return share(passed.before[:, 1:].unsqueeze(-1) + link, -2)


def _back(
    passed: _Passed, shares: Tensor, pick: Callable[[Tensor, int], Tensor] | None = None
) -> Tensor:
    """Return the states of all steps, from those of the last; `pick` settles on one of each."""
    chances = passed.last.softmax(-1)
    chances = chances if pick is None else pick(chances, -1)
    found = [chances]
    for t in reversed(range(1, shares.shape[1] + 1)):
        earlier = (shares[:, t - 1] @ chances.unsqueeze(-1)).squeeze(-1)
        earlier = earlier if pick is None else pick(earlier, -1)
        chances = torch.where(passed.follows[:, t, None], earlier, chances)
        found.append(chances)
    return torch.stack(found[::-1], 1) if passed.before.shape[1] else passed.before


def _one_hot(numbers: Tensor, dim: int) -> Tensor:
    best = numbers.argmax(dim, keepdim=True)
    return torch.zeros_like(numbers).scatter(dim, best, 1.0)


def _plain(unary: Tensor, link: Tensor, readable: Tensor) -> tuple[Tensor, Tensor]:
    passed = _pass(unary, link, readable, torch.logsumexp)
    marginals = _back(passed, _shares(passed, link))
    return passed.log_partition, marginals.masked_fill(~readable.unsqueeze(-1), 0.0)


class _Sums(torch.autograd.Function):
    """Both sums, whose gradients come apart: there need not be one of each."""

    @staticmethod
    def forward(ctx: Any, unary: Tensor, link: Tensor, readable: Tensor) -> tuple[Tensor, Tensor]:
        call = _Call(unary.contiguous(), link.contiguous(), readable.contiguous())
        log_partition, marginals, shares = call.forward()
        ctx.save_for_backward(unary, link, readable, marginals, shares)
        ctx.set_materialize_grads(False)
        return log_partition, marginals

    @staticmethod
    def backward(ctx: Any, *outer: Tensor | None) -> tuple[Tensor | None, ...]:
        unary, link, readable, marginals, shares = ctx.saved_tensors
        if torch.is_grad_enabled():  # to be differentiated again: the plain twin can

            def twin(unary: Tensor, link: Tensor) -> tuple[Tensor, Tensor]:
                return _plain(unary, link, readable)

            wanted = ctx.needs_input_grad[:2]
            return *gradients_of_twin(twin, (unary, link), outer, wanted), None
        call = _Call(unary.contiguous(), link.contiguous(), readable.contiguous())
        return *call.backward(marginals, shares, outer), None


class _Sizes(Structure):
    """Mirrors `Sizes` of chain.cpp, field by field."""

    _fields_ = fields(c_int64, "rows steps states shared threads")


_FORWARD = by_precision("chain_forward", "sizes inputs found")
_BACKWARD = by_precision("chain_backward", "sizes inputs found gradients")


class _Call:
    """A call of the library, made once for the way there and once more for the way back."""

    def __init__(self, unary: Tensor, link: Tensor, readable: Tensor) -> None:
        self.inputs = unary, link, readable
        rows, steps, states = unary.shape
        self.blocks = (rows + ROWS - 1) // ROWS
        shared = link.shape[:2] == (1, 1)
        self.shared = shared
        threads = threads_for(rows * steps * states * states, THREAD)
        self.sizes = _Sizes(rows, steps, states, shared, threads)

    def forward(self) -> tuple[Tensor, Tensor, Tensor]:
        """Return log Z, the marginals, and the chances that the way back needs."""
        unary = self.inputs[0]
        (rows, steps, states), new = unary.shape, unary.new_empty
        log_partition, marginals = new(rows), new(rows, steps, states)
        shares = new(self.blocks, steps, states, states, ROWS)
        self._call(_FORWARD, (log_partition, marginals, shares))
        return log_partition, marginals, shares

    def backward(
        self, marginals: Tensor, shares: Tensor, outer: tuple[Tensor | None, ...]
    ) -> tuple[Tensor, Tensor]:
        """Return the gradients of both potentials from those of log Z and of the marginals."""
        unary, link, _ = self.inputs
        given = [None if part is None else part.contiguous() for part in outer]
        to_unary = torch.empty_like(unary)
        to_link = (
            link.new_empty(self.blocks, *link.shape[1:])
            if self.shared
            else link.new_empty(link.shape)
        )
        self._call(_BACKWARD, (None, marginals, shares), (*given, to_unary, to_link))
        return to_unary, to_link.sum(0, keepdim=True) if self.shared else to_link

    def _call(self, op: Any, *tensors: Any) -> None:
        groups = (pointers(*group) for group in (self.inputs, *tensors))
        op[self.inputs[0].dtype](byref(self.sizes), *groups)


def _can_run(unary: Tensor, link: Tensor, readable: Tensor) -> bool:
    rows, steps, states = unary.shape
    return (
        runs_eagerly()
        and not native.plain_is_forced()
        and native.available()
        and are_plain(unary, link, indices=(readable,))
        and unary.numel() > 0
        and link.shape in ((1, 1, states, states), (rows, steps - 1, states, states))
    )
