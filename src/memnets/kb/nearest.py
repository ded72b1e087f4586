"""The keys nearest to a query, by their products: all keys looked at, or a part, behind one call.

    search = exact(keys)             # or inverted(keys), above a few hundred thousand
    found = search(queries, 10)      # found.places, found.scores

Gradients do not flow through a search: take the keys at `places` and multiply them anew.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

Tensor = Any
"""Torch's, which is imported when it is wanted."""

CANDIDATES = 4
"""So many times as many keys as are wanted are multiplied again in full precision."""
LEAST_CANDIDATES = 40
BLOCKS = 64
"""Keys of which one is the highest: blocks of so many are looked at as one."""
ERROR = 2**-7
"""How far a product in bfloat16 may be off, times the lengths: query, key and product are each
rounded by 2^-9 at most."""
QUERIES = 32
"""Queries that are multiplied at once."""


class Nearest(NamedTuple):
    """Of every query the keys of the highest products, best first; of equal ones the first.

    Attributes:
        scores: (query, most) the products, in float32.
        places: (query, most) where the keys are.
    """

    scores: Tensor
    places: Tensor


Search = Callable[[Tensor, int], Nearest]
"""Takes queries (query, dim) and how many keys are wanted of each."""


def exact(keys: Tensor) -> Search:
    """Search all keys: in bfloat16 first, and in float32 what may be among the nearest.

    The keys left out are proved to be farther, by the most that bfloat16 can be off; a query for
    which that cannot be proved is multiplied with all keys in float32.

    Args:
        keys: (key, dim).

    Raises:
        ValueError: there are no keys.
    """
    import torch

    keys = _checked(keys)
    rows = -(-len(keys) // BLOCKS)
    coarse = torch.zeros(rows * BLOCKS, keys.shape[1], dtype=torch.bfloat16)
    coarse[: len(keys)] = keys
    longest = keys.norm(dim=1).max()

    def some(queries: Tensor, most: int) -> Nearest:
        wanted = max(CANDIDATES * most, LEAST_CANDIDATES)
        if rows < wanted:
            return _in_full(keys, queries, most)
        products = queries.bfloat16() @ coarse.T
        products[:, len(keys) :] = -torch.inf
        # The best are in the blocks of the best maxima, as many blocks as are wanted.
        blocks = products.view(len(queries), BLOCKS, rows)
        best = blocks.amax(1).topk(wanted).indices
        within = blocks.gather(2, best[:, None].expand(-1, BLOCKS, -1)).flatten(1)
        highest, at = within.topk(wanted)
        places = torch.div(at, wanted, rounding_mode="floor") * rows + best.gather(1, at % wanted)
        found = _again(keys, queries, places, most)
        off = ERROR * longest * queries.norm(dim=1)
        unsure = (found.scores[:, -1] <= highest[:, -1] + off).nonzero().flatten()
        if len(unsure):
            anew = _in_full(keys, queries[unsure], most)
            found.scores[unsure], found.places[unsure] = anew
        return found

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
    import torch

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
        places = torch.from_numpy(index.search(queries.numpy(), wanted)[1])
        return _again(keys, queries, places, most)

    return _by_parts(some, keys)


def _checked(keys: Tensor) -> Tensor:
    if keys.ndim != 2 or not len(keys):
        raise ValueError(
            f"keys of shape {tuple(keys.shape)}: expected (key, dim), one key at least. "
            f"Pass a row a key."
        )
    return keys.detach().float().cpu().contiguous()


def _by_parts(some: Search, keys: Tensor) -> Search:
    """Search for a few queries at once, which bounds the memory."""
    import torch

    def search(queries: Tensor, most: int) -> Nearest:
        if queries.ndim != 2 or queries.shape[1] != keys.shape[1] or not 1 <= most <= len(keys):
            raise ValueError(
                f"queries of shape {tuple(queries.shape)}, most={most}: expected "
                f"(query, {keys.shape[1]}) and 1 to {len(keys)} keys. Pass a row a query."
            )
        with torch.no_grad():
            parts = [some(part, most) for part in queries.detach().float().cpu().split(QUERIES)]
        return Nearest(*map(torch.cat, zip(*parts, strict=True)))

    return search


def _again(keys: Tensor, queries: Tensor, places: Tensor, most: int) -> Nearest:
    """Multiply candidates in full precision, and keep the best."""
    import torch

    places = places.sort(dim=1).values
    scores = torch.einsum("qd,qcd->qc", queries, keys[places])
    scores[places < 0] = -torch.inf
    order = scores.argsort(dim=1, descending=True, stable=True)[:, :most]
    return Nearest(scores.gather(1, order), places.gather(1, order))


def _in_full(keys: Tensor, queries: Tensor, most: int) -> Nearest:
    """Multiply all keys in full precision."""
    import torch

    found = []
    for scores in queries @ keys.T:
        places = (scores >= scores.topk(most).values[-1]).nonzero().flatten()
        order = scores[places].argsort(descending=True, stable=True)[:most]
        found.append((scores[places[order]], places[order]))
    return Nearest(*map(torch.stack, zip(*found, strict=True)))
