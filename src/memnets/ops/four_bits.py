"""Keys of four bits a number, and how high their products with a query can be at most.

Looking at all keys costs what reading them costs, and at four bits a number they are an eighth as
large. With whole numbers $0 \\le n_d \\le 15$ and a step $s$ of its own a key becomes $\\hat k$,
and with bytes $m_d$ a query becomes $\\hat q$:

$$ \\hat k_d = s (n_d - 7.5), \\qquad \\hat q_d = t\\, m_d $$

By Cauchy and Schwarz, no product is higher than

$$ q^\\top k \\le \\hat q^\\top \\hat k + \\lVert q \\rVert \\lVert k - \\hat k \\rVert
   + \\lVert q - \\hat q \\rVert \\lVert \\hat k \\rVert, $$

so that whoever looks for the highest products can leave out the keys whose bound is lower.
"""

from ctypes import Structure, byref, c_int64
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from memnets.ops import native
from memnets.ops.binding import Op, fields, threads_for

BLOCK = 16
"""Keys whose codes lie together."""
MIDDLE = 7.5
"""The code of zero."""
THREAD = 2**24
"""Products for which a further thread is worth starting."""


class Packed(NamedTuple):
    """Packed keys, in whole blocks; what is beyond the last key means nothing.

    Attributes:
        codes: two numbers a byte; `_in_order` says how they lie.
        steps: of every key, $s$.
        lost: the length of what a key has lost, in steps: the most of all keys.
        kept: the length of a packed key, in steps: the most of all keys.
        keys: how many there are.
        dim: their width.
    """

    codes: Tensor
    steps: Tensor
    lost: float
    kept: float
    keys: int
    dim: int


class Whole(NamedTuple):
    """Queries in bytes.

    Attributes:
        numbers: (query, width) the whole numbers $m$, of a width in whole eights.
        scales: of every query, $t$.
        offs: what is added to $t \\sum_d n_d m_d$ for the bound, in steps.
    """

    numbers: Tensor
    scales: Tensor
    offs: Tensor


def pack(keys: Float[Tensor, "key dim"]) -> Packed:
    """Pack keys, each with a step of its own."""
    keys = keys.contiguous()
    count, dim = keys.shape
    blocks = -(-count // BLOCK)
    codes = torch.zeros(blocks * BLOCK * _width(dim) // 2, dtype=torch.uint8)
    steps, lengths = torch.ones(blocks * BLOCK), torch.zeros(blocks, 2)
    way = _pack_natively if native.available() else _pack_plain
    way(keys, codes, steps, lengths)
    lost, kept = lengths.amax(0).tolist()
    return Packed(codes, steps, lost, kept, count, dim)


def whole(packed: Packed, queries: Float[Tensor, "query dim"]) -> Whole:
    """Round queries to bytes, and add up what their products with packed keys can lose.

    A little is added for the rounding of float32, here and in the product that is bounded.
    """
    scales = queries.abs().amax(1).clamp(min=torch.finfo().tiny) / 127
    numbers = (queries / scales[:, None]).round_().clamp_(-127, 127)
    lost = (queries - numbers * scales[:, None]).norm(dim=1)
    longest = packed.lost + packed.kept + 2 * MIDDLE  # keys of zeros have codes, too
    rounding = 4 * packed.dim * torch.finfo().eps * longest
    offs = (packed.lost + rounding) * queries.norm(dim=1) + packed.kept * lost
    padded = torch.zeros(len(queries), _width(packed.dim), dtype=torch.int8)
    padded[:, : packed.dim] = numbers
    return Whole(padded, scales, offs - MIDDLE * scales * numbers.sum(1))


def highest(packed: Packed, queries: Whole) -> Float[Tensor, "query block"]:
    """Return the highest bound of every block of keys."""
    if not native.available():
        blocks = torch.arange(len(packed.steps) // BLOCK)
        return torch.stack([_bounds_plain(packed, one, blocks).amax(1) for one in _each(queries)])
    count = len(queries.numbers)
    found = torch.empty(count, len(packed.steps) // BLOCK)
    threads = threads_for(count * packed.keys * packed.dim, THREAD)
    _HIGHEST(_sizes(packed.keys, packed.dim, count, threads), *packed[:2], *queries, found)
    return found


def bounds(
    packed: Packed, query: Whole, blocks: Int[Tensor, " block"]
) -> Float[Tensor, "block key"]:
    """Return the bounds of the keys of some blocks with a single query; -inf beyond the last."""
    if not native.available():
        return _bounds_plain(packed, query, blocks)
    found = torch.empty(len(blocks), BLOCK)
    sizes = _sizes(packed.keys, packed.dim)
    _BOUNDS(sizes, *packed[:2], *query, len(blocks), blocks.contiguous(), found)
    return found


def _each(queries: Whole) -> list[Whole]:
    return [Whole(*parts) for parts in zip(*(part.split(1) for part in queries), strict=True)]


def _width(dim: int) -> int:
    return -(-dim // 8) * 8


# In PyTorch.


def _pack_plain(keys: Tensor, codes: Tensor, steps: Tensor, lengths: Tensor) -> None:
    count, dim = keys.shape
    step = keys.abs().amax(1, keepdim=True).clamp(min=15 * torch.finfo().tiny) / MIDDLE
    exact = keys / step
    numbers = (exact + MIDDLE).round().clamp(0, 15)
    steps[:count] = step.squeeze(1)
    lengths[0] = torch.stack(
        [(exact - (numbers - MIDDLE)).norm(dim=1).amax(), (numbers - MIDDLE).norm(dim=1).amax()]
    )
    padded = torch.zeros(len(steps), _width(dim), dtype=torch.uint8)
    padded[:count, :dim] = numbers
    low, high = padded.view(-1, BLOCK, _width(dim) // 8, 2, 4).unbind(3)
    codes[:] = (low | high << 4).transpose(1, 2).flatten()


def _in_order(packed: Packed) -> Tensor:
    """Return the numbers of packed keys, (block, key, width).

    They lie by block, in these by eights, in these by key; a byte has numbers d and d + 4.
    """
    codes = packed.codes.view(len(packed.steps) // BLOCK, -1, BLOCK, 4)
    return torch.stack((codes & 15, codes >> 4), dim=3).transpose(1, 2).flatten(2)


def _bounds_plain(packed: Packed, query: Whole, blocks: Tensor) -> Tensor:
    products = _in_order(packed)[blocks].float() @ query.numbers[0].float()
    found = packed.steps.view(-1, BLOCK)[blocks] * (products * query.scales + query.offs)
    places = blocks[:, None] * BLOCK + torch.arange(BLOCK)
    return found.masked_fill(places >= packed.keys, -torch.inf)


# In C++ (four_bits.cpp).


_PACK = Op("four_bits_pack", "sizes keys codes steps lengths")
_HIGHEST = Op("four_bits_highest", "sizes codes steps queries scales offs highest")
_BOUNDS = Op("four_bits_bounds", "sizes codes steps query scale off chosen# blocks bounds")


class _Sizes(Structure):
    """Mirrors `Sizes` of four_bits.cpp, field by field."""

    _fields_ = fields(c_int64, "queries keys dim width threads")


def _sizes(keys: int, dim: int, queries: int = 1, threads: int = 1) -> Any:
    return byref(_Sizes(queries, keys, dim, _width(dim), threads))


def _pack_natively(keys: Tensor, codes: Tensor, steps: Tensor, lengths: Tensor) -> None:
    sizes = _sizes(len(keys), keys.shape[1], threads=threads_for(keys.numel(), THREAD))
    _PACK(sizes, keys, codes, steps, lengths)
