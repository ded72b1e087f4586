"""The keys nearest to a query, by their products: all keys looked at, or a part, behind one call.

    search = exact(keys)             # or inverted(keys), above a few hundred thousand
    found = search(queries, 10)      # found.places, found.scores

Gradients do not flow through a search: take the keys at `places` and multiply them anew.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor

from memnets.ops import four_bits, native

CANDIDATES = 4
"""So many times as many candidates as keys are wanted are multiplied in full precision."""
LEAST_CANDIDATES = 40
BLOCK = four_bits.BLOCK
"""Keys that are looked at as one, by the highest bound of theirs."""
ERROR = 2**-7
"""How far a product in bfloat16 may be off, times the lengths: query, key and product are each
rounded by 2^-9 at most."""
MANY = 1 / 8
"""Share of the keys above which candidates are not gathered: all are multiplied."""
QUERIES = 32
"""Queries that are multiplied at once."""


class Nearest(NamedTuple):
    """Of every query the keys of the highest products, best first; of equal ones the first.

    Attributes:
        scores: (query, most) the products, in float32.
        places: (query, most) where the keys are.
    """

    scores: Float[Tensor, "query most"]
    places: Int[Tensor, "query most"]


Search = Callable[[Tensor, int], Nearest]
"""Takes queries (query, dim) and how many keys are wanted of each."""

Coarse = Callable[[Tensor], tuple[Tensor, Callable[[int, Tensor], Tensor]]]
"""From queries the highest bound of every block of keys, (query, block), and a function: from the
number of a query and those of blocks the bound of every key in them, (block, key)."""


def exact(keys: Tensor) -> Search:
    """Search all keys: coarsely first, and in float32 what may be among the nearest.

    Coarse keys are of four bits a number (`memnets.ops.four_bits`), and of bfloat16 where there is
    no compiler. Both give upper bounds of products, so that the keys left out are proved to be
    farther; where hardly one is, all are multiplied in float32.

    Args:
        keys: (key, dim).

    Raises:
        ValueError: there are no keys, or they hold NaN or infinity.
    """
    keys = _checked(keys)
    coarse = _in_four_bits(keys) if native.available() else _in_halves(keys)

    def one(
        query: Tensor, highest: Tensor, bounds: Callable[[Tensor], Tensor], most: int
    ) -> tuple[Tensor, Tensor]:
        wanted = min(max(CANDIDATES * most, LEAST_CANDIDATES), len(highest))
        likely = _places(highest.topk(wanted, sorted=False).indices, len(keys))
        least = (keys.index_select(0, likely) @ query).topk(most).values[-1]
        blocks = (highest >= least).nonzero().flatten()
        if BLOCK * len(blocks) > MANY * len(keys):
            return _in_full(keys, query, most)
        places = _places(blocks, len(keys), bounds(blocks) >= least)
        return _best(keys.index_select(0, places) @ query, places, most)

    def some(queries: Tensor, most: int) -> Nearest:
        highest, bounds = coarse(queries)
        return _stacked(
            one(query, highest[number], partial(bounds, number), most)
            for number, query in enumerate(queries)
        )

    return _by_parts(some, keys)


def inverted(keys: Tensor, lists: int | None = None, probes: int = 16) -> Search:
    """Search the lists of keys whose centres are nearest to a query, with faiss (extra `ann`).

    Keys of other lists are missed; places are -1 where the lists hold fewer than are wanted.

    Args:
        keys: (key, dim).
        lists: into how many the keys are parted; by default the root of their number.
        probes: lists that are looked at.

    Raises:
        ModuleNotFoundError: faiss is not installed.
        ValueError: there are no keys, or fewer than lists.
    """
    try:
        import faiss
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "faiss is not installed; searching in lists needs it. "
            "Install memnets[ann], or search with exact(keys)."
        ) from None
    keys = _checked(keys)
    lists = lists or max(1, round(len(keys) ** 0.5))
    if not 1 <= lists <= len(keys):
        raise ValueError(
            f"inverted(lists={lists}): {len(keys)} keys; expected 1 to {len(keys)} lists. "
            f"Ask for fewer."
        )
    centres = faiss.IndexFlatIP(keys.shape[1])
    index = faiss.IndexIVFFlat(centres, keys.shape[1], lists, faiss.METRIC_INNER_PRODUCT)
    index.cp.min_points_per_centroid = 1  # it would warn, and the reader of this can do nothing
    index.train(keys.numpy())
    index.add(keys.numpy())
    index.nprobe = probes

    def some(queries: Tensor, most: int) -> Nearest:
        wanted = max(CANDIDATES * most, LEAST_CANDIDATES)
        found = torch.from_numpy(index.search(queries.numpy(), wanted)[1]).sort(dim=1).values
        scores = [
            keys.index_select(0, one) @ q
            for one, q in zip(found.clamp(min=0), queries, strict=True)
        ]
        return _stacked(
            _best(some.masked_fill(places < 0, -torch.inf), places, most)
            for some, places in zip(scores, found, strict=True)
        )

    return _by_parts(some, keys)


def _in_four_bits(keys: Tensor) -> Coarse:
    packed = four_bits.pack(keys)

    def coarse(queries: Tensor) -> tuple[Tensor, Callable[[int, Tensor], Tensor]]:
        whole = four_bits.whole(packed, queries)

        def bounds(number: int, blocks: Tensor) -> Tensor:
            one = four_bits.Whole(*(part[number : number + 1] for part in whole))
            return four_bits.bounds(packed, one, blocks)

        return four_bits.highest(packed, whole), bounds

    return coarse


def _in_halves(keys: Tensor) -> Coarse:
    blocks = -(-len(keys) // BLOCK)
    halves = torch.zeros(blocks * BLOCK, keys.shape[1], dtype=torch.bfloat16)
    halves[: len(keys)] = keys
    # In double precision: the squares of very small numbers would vanish from the bounds.
    longest = torch.linalg.vector_norm(keys, dim=1, dtype=torch.float64).max().float()

    def coarse(queries: Tensor) -> tuple[Tensor, Callable[[int, Tensor], Tensor]]:
        off = ERROR * longest * queries.norm(dim=1, keepdim=True)
        bounds = (queries.bfloat16() @ halves.T).float() + off
        bounds[:, len(keys) :] = -torch.inf
        bounds = bounds.view(len(queries), blocks, BLOCK)
        return bounds.amax(2), lambda number, some: bounds[number, some]

    return coarse


def _places(blocks: Tensor, keys: int, wanted: Tensor | None = None) -> Tensor:
    """Return where the keys of some blocks are, or the wanted ones of these."""
    places = blocks[:, None] * BLOCK + torch.arange(BLOCK)
    return places[places < keys if wanted is None else wanted & (places < keys)]


def _checked(keys: Tensor) -> Tensor:
    if keys.ndim != 2 or not keys.numel():
        raise ValueError(
            f"keys of shape {tuple(keys.shape)}: expected (key, dim), one key of one number at "
            f"least. Pass a row a key."
        )
    keys = keys.detach().float().cpu().contiguous()
    if keys.sum().isfinite():
        return keys
    wrong = (~keys.isfinite()).any(dim=1).nonzero()
    if len(wrong):
        raise ValueError(
            f"key {int(wrong[0])} holds NaN or infinity; expected finite numbers, whose products "
            f"have an order. Look for it where the keys are made."
        )
    return keys


def _by_parts(some: Search, keys: Tensor) -> Search:
    """Search for a few queries at once, which bounds the memory."""

    def search(queries: Tensor, most: int) -> Nearest:
        if queries.ndim != 2 or queries.shape[1] != keys.shape[1] or not 1 <= most <= len(keys):
            raise ValueError(
                f"queries of shape {tuple(queries.shape)}, most={most}: expected "
                f"(query, {keys.shape[1]}) and 1 to {len(keys)} keys. Pass a row a query."
            )
        if not queries.isfinite().all():
            raise ValueError(
                "a query holds NaN or infinity; expected finite numbers, whose products have an "
                "order. Look for it where the queries are made."
            )
        if not len(queries):
            return Nearest(torch.zeros(0, most), torch.zeros(0, most, dtype=torch.long))
        # Their largest number is made about 1 by a power of two, which rounds nothing: else bounds,
        # which are made of squares, would vanish or overflow where queries are very short or long.
        wide = queries.detach().double().cpu()
        powers = 2.0 ** wide.abs().amax(1, keepdim=True).frexp().exponent
        with torch.no_grad():
            parts = [some(part, most) for part in (wide / powers).float().split(QUERIES)]
        scores, places = map(torch.cat, zip(*parts, strict=True))
        return Nearest((scores * powers).float(), places)

    return search


def _in_full(keys: Tensor, query: Tensor, most: int) -> tuple[Tensor, Tensor]:
    """Multiply all keys in full precision."""
    scores = keys @ query
    places = (scores >= scores.topk(most).values[-1]).nonzero().flatten()
    return _best(scores[places], places, most)


def _best(scores: Tensor, places: Tensor, most: int) -> tuple[Tensor, Tensor]:
    """Keep the best of one query, whose places are in order."""
    order = scores.argsort(descending=True, stable=True)[:most]
    return scores[order], places[order]


def _stacked(found: Iterable[tuple[Tensor, Tensor]]) -> Nearest:
    return Nearest(*map(torch.stack, zip(*found, strict=True)))
