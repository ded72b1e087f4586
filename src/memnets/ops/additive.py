"""Additive scores: one hidden layer over query and key, summed to a number a pair.

The hidden layer of all pairs, `(*batch, query, slot, hidden)`, is what this score costs. The plain
twin lays it out. The fast paths keep the two projections only, compute the layer piece by piece in
the cache, and once more on the way back. Their tanh is a division:

$$ \\tanh(a + b) = 1 - 2 / (e^{2a} e^{2b} + 1) $$

The exponentials are taken of queries and keys, not of pairs. Where one would overflow, the tanh of
every pair is taken after all. Where all are small, so that the 1 would round their digits away, it
is $t / (t + 2)$ with $t = e^{2(a + b)} - 1$, made of the factors less one.
"""

import logging
import math
from collections.abc import Callable, Iterator
from ctypes import Structure, byref, c_double, c_int64
from functools import cache
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable

from memnets.ops import native
from memnets.ops.binding import Op, are_plain, by_precision, fields, threads_for
from memnets.ops.masking import widen
from memnets.ops.twins import runs_eagerly

LIMITS = {torch.float32: 40.0, torch.float64: 350.0}
"""How large a projection may be for factors: exp(2 * 40) is a float32 with room to spare. Nothing
is clamped: a pair of a large query and a large key may cancel."""

SMALL = 0.5
"""How large projections may be for the factors less one, which keep the digits of tiny ones."""

LAID_OUT = 2**17
"""Numbers of the hidden layer up to which it is laid out where there is no compiler: the calls
that chunks take cost more than they save."""

ALONE = 1
"""Queries up to which it is laid out in training, there: it is no larger than the keys then, and
computing it twice is the slower way."""

CHUNK = 2**19
"""Numbers of the hidden layer that are computed at a time without the native op: 2 MB."""

SEVERAL = 4
"""Queries from which the factorised exponentials pay in the native op."""

THREAD = 2**20
"""Numbers of the hidden layer for which a further thread is worth starting."""


def additive_scores(
    query: Float[Tensor, "*#batch query hidden"],
    keys: Float[Tensor, "*#batch slot hidden"],
    vector: Float[Tensor, " hidden"],
) -> Float[Tensor, "*#batch query slot"]:
    r"""Score every slot for every query with a hidden layer whose two halves are already projected.

    $$ e_{ij} = v^\top \tanh(a_i + b_j) $$

    Half precision is computed in float32.

    Args:
        query: $a_i = W q_i$.
        keys: $b_j = U k_j$.
        vector: $v$.

    Raises:
        RuntimeError: its gradient is differentiated again; set MEMNETS_PLAIN=1 for that.
    """
    wide = widen(query), widen(keys), widen(vector.unsqueeze(0)).squeeze(0)
    fast = runs_eagerly() and not native.plain_is_forced()
    if not (fast and are_plain(*wide) and _fit_together(*wide)):
        return _plain(*wide).to(query.dtype)
    batch = torch.broadcast_shapes(query.shape[:-2], keys.shape[:-2])
    if not native.available() and _is_small(math.prod(batch), *wide):
        return _plain(*wide).to(query.dtype)
    rows, slots = (
        part.expand(*batch, -1, -1).reshape(math.prod(batch), *part.shape[-2:]).contiguous()
        for part in wide[:2]
    )
    apply: Any = _Recomputed.apply
    scores = apply(rows, slots, wide[2].contiguous(), _way(rows, slots))
    return scores.view(*batch, *scores.shape[1:]).to(query.dtype)


def _plain(query: Tensor, keys: Tensor, vector: Tensor) -> Tensor:
    return torch.tanh(query.unsqueeze(-2) + keys.unsqueeze(-3)) @ vector


def _is_small(batch: int, query: Tensor, keys: Tensor, vector: Tensor) -> bool:
    """Return whether laying the hidden layer out is the quicker way without a compiler."""
    queries, numbers = query.shape[-2], query.shape[-2] * keys.shape[-2] * len(vector)
    trains = torch.is_grad_enabled() and any(part.requires_grad for part in (query, keys, vector))
    return batch * numbers <= LAID_OUT or (trains and queries <= ALONE)


def _fit_together(query: Tensor, keys: Tensor, vector: Tensor) -> bool:
    """Return whether the widths agree; where they do not, the plain twin says so."""
    return query.shape[-1:] == keys.shape[-1:] == vector.shape


class _Way(NamedTuple):
    """How the scores are computed from (query, keys, vector), and the gradients of all three."""

    scores: Callable[[Tensor, Tensor, Tensor], Tensor]
    gradients: Callable[[Tensor, Tensor, Tensor, Tensor], tuple[Tensor, Tensor, Tensor]]


def _way(query: Tensor, keys: Tensor) -> _Way:
    if native.available():
        return _natively
    if not (_are_within(LIMITS[query.dtype], query) and _are_within(LIMITS[keys.dtype], keys)):
        _say_slower(LIMITS[query.dtype])
        return _by_tanh
    small = _are_within(SMALL, query) and _are_within(SMALL, keys)
    return _by_small_factors if small else _by_factors


def _are_within(limit: float, numbers: Tensor) -> bool:
    """Return whether all exponentials are ordinary numbers. A NaN is not within."""
    return numbers.numel() == 0 or all(abs(end) <= limit for end in numbers.aminmax())


@cache
def _say_slower(limit: float) -> None:
    logging.getLogger("memnets").warning(
        "additive scores: a projected query or key is beyond %g, NaN, or infinite, where the "
        "factorised exponentials would overflow; such calls take the tanh of every pair instead, "
        "slower and otherwise the same.",
        limit,
    )


class _Recomputed(torch.autograd.Function):
    """Scores that keep nothing but their inputs."""

    @staticmethod
    def forward(ctx: Any, query: Tensor, keys: Tensor, vector: Tensor, way: _Way) -> Tensor:
        ctx.way = way
        ctx.save_for_backward(query, keys, vector)
        return way.scores(query, keys, vector)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        return *ctx.way.gradients(*ctx.saved_tensors, grad.contiguous()), None


# In PyTorch, a chunk of the hidden layer at a time.


class _Tanh(NamedTuple):
    """How the hidden layer is computed: what of each half, and what of each pair."""

    half: Callable[[Tensor], Tensor]
    pair: Callable[[Tensor, Tensor], Tensor]


def _chunked(tanh: _Tanh) -> _Way:
    def scores(query: Tensor, keys: Tensor, vector: Tensor) -> Tensor:
        found = query.new_empty(*query.shape[:2], keys.shape[1])
        query, keys = tanh.half(query), tanh.half(keys)
        for b, q in _chunks(query, keys):
            found[b, q] = tanh.pair(query[b, q, None], keys[b, None]) @ vector
        return found

    def gradients(
        query: Tensor, keys: Tensor, vector: Tensor, grad: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        to_query, to_keys, to_vector = map(torch.zeros_like, (query, keys, vector))
        query, keys, one = tanh.half(query), tanh.half(keys), query.new_ones(())
        for b, q in _chunks(query, keys):
            hidden, outer = tanh.pair(query[b, q, None], keys[b, None]), grad[b, q]
            to_vector.addmv_(hidden.flatten(0, -2).mT, outer.flatten())
            through = torch.addcmul(one, hidden, hidden, value=-1, out=hidden)
            through *= outer.unsqueeze(-1)
            to_query[b, q] = through.sum(2)
            to_keys[b] += through.sum(1)
        return to_query.mul_(vector), to_keys.mul_(vector), to_vector

    return _Way(scores, gradients)


def _chunks(query: Tensor, keys: Tensor) -> Iterator[tuple[slice, slice]]:
    """Cut the pairs into parts whose hidden layer fits into the cache, by rows and queries."""
    batch, queries, hidden = query.shape
    one = max(keys.shape[1] * hidden, 1)
    step = min(max(CHUNK // one, 1), max(queries, 1))
    rows = max(CHUNK // (one * step), 1)
    for b in range(0, batch, rows):
        for q in range(0, queries, step):
            yield slice(b, b + rows), slice(q, q + step)


def _exponential(half: Tensor) -> Tensor:
    return (2 * half).exp_()


def _divide(query: Tensor, key: Tensor) -> Tensor:
    one = query.new_ones(())
    pairs = torch.addcmul(one, query, key).reciprocal_()
    return torch.sub(one, pairs, alpha=2, out=pairs)


def _exponential_less_one(half: Tensor) -> Tensor:
    return (2 * half).expm1_().div_(2)


def _divide_less_one(query: Tensor, key: Tensor) -> Tensor:
    pairs = (query + key).addcmul_(query, key, value=2)  # t / 2
    return pairs.reciprocal_().add_(1).reciprocal_()  # in place, as a second chunk takes the cache


_by_small_factors = _chunked(_Tanh(_exponential_less_one, _divide_less_one))
_by_factors = _chunked(_Tanh(_exponential, _divide))
_by_tanh = _chunked(_Tanh(lambda half: half, lambda query, key: (query + key).tanh_()))


# In C++ (additive.cpp).


class _Sizes(Structure):
    """Mirrors `Sizes` of additive.cpp, field by field."""

    _fields_ = (*fields(c_int64, "batch queries slots hidden threads"), ("limit", c_double))


_FORWARD = by_precision("additive_forward", "sizes queries keys factors vector scores")
_BACKWARD = by_precision(
    "additive_backward",
    "sizes queries keys factors vector to_scores to_queries to_keys to_vector",
)


def _native_scores(query: Tensor, keys: Tensor, vector: Tensor) -> Tensor:
    found = query.new_empty(*query.shape[:2], keys.shape[1])
    _call(_FORWARD, query, keys, vector, found)
    return found


def _native_gradients(
    query: Tensor, keys: Tensor, vector: Tensor, grad: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    to_query, to_keys = torch.zeros_like(query), torch.zeros_like(keys)
    to_vector = vector.new_zeros(len(query), len(vector))
    _call(_BACKWARD, query, keys, vector, grad, to_query, to_keys, to_vector)
    return to_query, to_keys, to_vector.sum(0)


_natively = _Way(_native_scores, _native_gradients)


def _call(op: dict[torch.dtype, Op], query: Tensor, keys: Tensor, *others: Tensor) -> None:
    batch, queries, hidden = query.shape
    slots, dtype = keys.shape[1], query.dtype
    threads = threads_for(batch * queries * slots * hidden, THREAD)
    factors = query.new_empty(query.numel() + keys.numel()) if queries >= SEVERAL else None
    sizes = byref(_Sizes(batch, queries, slots, hidden, threads, LIMITS[dtype]))
    op[dtype](sizes, query, keys, factors, *others)
