r"""Dependency trees of any shape: the sum over all of them, and how likely each arc is.

By the matrix-tree theorem $Z$ is the determinant of a Laplacian (Tutte, 1984; Koo et al., 2007).
Where all potentials are within `NEAR` nats of each other, it is taken by LU, and the chances are
read off the inverse. That subtracts nearly equal numbers as soon as two words prefer each other to
all else, and by some forty nats the determinant is lost in rounding. Beyond `NEAR`, words are
eliminated one by one, each from the graph of those that are left, in the manner of Grassmann,
Taksar and Heyman (1985), which subtracts nothing and so can be done in log space:

$$ d_k = \sum_i A_{ik} + \rho_k, \qquad A'_{ij} = A_{ij} + A_{ik} A_{kj} / d_k, \qquad
   \rho'_j = \rho_j + \rho_k A_{kj} / d_k, \qquad Z = \prod_k d_k $$

Where just one word may be a root, $\rho_k$ is left out of all $d_k$ but the last word's: that is
the part of $Z$ of first degree in $\rho$. On the way back the words return one by one, and the
expected arcs of the smaller graph are shared between an arc and the way past the word.

The C++ op (matrix_tree.cpp) eliminates always, several sentences at once, and where potentials
leave it room the numbers themselves.
"""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from memnets.ops.chain import NEVER
from memnets.ops.tree_sums import Arcs, Lengths, Roots, TreeOp, TreeSums
from memnets.ops.twins import runs_eagerly

NEAR = 12.0
"""How far apart potentials may be for LU in float64 to keep ten digits."""


def sum_over_trees(arcs: Arcs, roots: Roots, lengths: Lengths, single_root: bool) -> TreeSums:
    """Return log Z and expected arcs of all trees over the first words of each row.

    Args:
        arcs: the potential of each head of each word.
        roots: that of being a root.
        lengths: how many words of each row there are.
        single_root: whether just one word is a root, not several.
    """
    return _OP(arcs, roots, lengths, single_root)


def _plain(arcs: Tensor, roots: Tensor, lengths: Tensor, single_root: bool) -> TreeSums:
    if not arcs.numel():
        return TreeSums(arcs.sum((1, 2)), arcs, roots)
    way = _by_inverse if runs_eagerly() and _are_near(arcs, roots) else _by_elimination
    return way(arcs, roots, lengths, single_root)


def _kept(words: int, single_root: bool) -> int:
    """Return how many numbers the steps keep: step k a square of k + 1 and one."""
    return words * (words + 1) * (2 * words + 1) // 6 + words - 2


_OP = TreeOp("matrix_tree", _kept, _plain)


def _are_near(arcs: Tensor, roots: Tensor) -> bool:
    """Return whether all that can be is about as likely. A NaN is not near."""
    both = torch.cat([arcs, roots.unsqueeze(-1)], -1).detach()
    largest = both.amax()
    least = both.masked_fill(both <= NEVER / 2, torch.inf).amin()
    return bool(least == torch.inf) or bool(largest - least <= NEAR)


def _by_inverse(arcs: Tensor, roots: Tensor, lengths: Tensor, single_root: bool) -> TreeSums:
    word = torch.arange(arcs.shape[-1], device=arcs.device)
    there = word < lengths.unsqueeze(-1)
    # What all heads of a word have in common goes into log Z at once.
    common = torch.maximum(arcs.amax(-1), roots).detach().masked_fill(~there, 0.0)
    arc = (arcs - common.unsqueeze(-1)).exp()
    root = (roots - common).exp()
    total = arc.sum(-1) if single_root else arc.sum(-1) + root
    laplacian = torch.diag_embed(total.masked_fill(~there, 1.0)) - arc
    if single_root:  # the roots stand where the first word's column would
        first = root.masked_fill((lengths == 0).unsqueeze(-1) & (word == 0), 1.0)
        laplacian = torch.cat([first.unsqueeze(-1), laplacian[..., 1:]], -1)
    inverse = torch.linalg.inv_ex(laplacian).inverse
    of_child, of_head = inverse.diagonal(0, 1, 2).unsqueeze(-1), inverse.mT
    chosen = inverse[:, 0] if single_root else of_child.squeeze(-1)
    if single_root:
        of_child = of_child * (word > 0).unsqueeze(-1)
        of_head = of_head * (word > 0)
    log_partition = torch.linalg.slogdet(laplacian).logabsdet + common.sum(-1)
    return TreeSums(log_partition, arc * (of_child - of_head), root * chosen)


def _by_elimination(arcs: Tensor, roots: Tensor, lengths: Tensor, single_root: bool) -> TreeSums:
    words = arcs.shape[-1]
    there = torch.arange(words, device=arcs.device) < lengths.unsqueeze(-1)
    common = torch.maximum(arcs.amax(-1), roots).detach().masked_fill(~there, 0.0)
    heads, roots = (arcs - common.unsqueeze(-1)).mT, roots - common  # head child
    gone: list[_Gone] = []
    total = common.sum(-1)
    for k in reversed(range(1, words)):
        order = _next_last(heads, there) if single_root else None
        if order is not None:
            heads, roots = _ordered(heads, order), roots.gather(-1, order)
        step = _eliminate(heads, roots, there[:, k].to(arcs.dtype), single_root, order)
        total = total + torch.where(there[:, k], step.through, 0.0)
        gone.append(step)
        heads, roots = step.heads, step.roots
    total = total + torch.where(lengths > 0, roots[:, 0], 0.0)
    expected, chosen = torch.zeros_like(heads), there[:, :1].to(arcs.dtype)
    for step in reversed(gone):
        expected, chosen = _bring_back(step, expected, chosen, single_root)
        if step.order is not None:
            expected, chosen = _ordered(expected, step.order), chosen.gather(-1, step.order)
    return TreeSums(total, expected.mT, chosen)


def _next_last(heads: Tensor, there: Tensor) -> Tensor:
    """Return an order in which the word that goes next is the last, and that in its place.

    Where just one word may be a root, none is sure to be left to the end, and one whose heads are
    all gone would be as good as impossible: what is possible would be lost in the rounding of that.
    So one goes whose best head is still there.
    """
    last = heads.shape[-1] - 1
    place = torch.arange(last + 1, device=heads.device)
    best = heads.detach().masked_fill(place == place.unsqueeze(-1), -torch.inf).amax(1)
    best = best.masked_fill(~there[:, : last + 1], -torch.inf)
    chosen = last - best.flip(-1).argmax(-1)  # of equals, the last
    chosen = torch.where(there[:, last], chosen, last).unsqueeze(-1)
    swapped = torch.where(place == chosen, last, place)
    return torch.where(place == last, chosen, swapped)


def _ordered(square: Tensor, order: Tensor) -> Tensor:
    """Put both axes of squares in an order."""
    rows = square.gather(1, order.unsqueeze(2).expand_as(square))
    return rows.gather(2, order.unsqueeze(1).expand_as(square))


class _Gone(NamedTuple):
    """What is left when the last word is eliminated, and what each part of it had before."""

    heads: Tensor
    roots: Tensor
    through: Tensor  # log d
    past: Tensor  # the share of the way past the word in each arc that is left, head child
    past_root: Tensor  # the same in each root
    into: Tensor  # the share of each head in d, and the root's behind them
    there: Tensor  # 1, or 0 for padding
    order: Tensor | None  # that it became the last by, which is its own reverse


def _eliminate(
    heads: Tensor, roots: Tensor, there: Tensor, single_root: bool, order: Tensor | None
) -> _Gone:
    k = heads.shape[-1] - 1
    into, out = heads[:, :k, k], heads[:, k, :k]
    root = torch.full_like(roots[:, k:], NEVER) if single_root else roots[:, k:]
    arriving = torch.cat([into, root], -1)
    through = torch.logsumexp(arriving, -1)
    ways = into.unsqueeze(-1) + (out - through.unsqueeze(-1)).unsqueeze(-2)
    root_ways = roots[:, k:] + out - through.unsqueeze(-1)
    left, past = _both(heads[:, :k, :k], ways)
    left_roots, past_root = _both(roots[:, :k], root_ways)
    shares = arriving.softmax(-1)
    return _Gone(left, left_roots, through, past, past_root, shares, there, order)


def _both(one: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
    """Return the logarithm of the sum of two, and the share of the second in it."""
    both = torch.stack([one, other])  # not logaddexp, whose second derivative overflows
    return torch.logsumexp(both, 0), both.softmax(0)[1]


def _bring_back(
    step: _Gone, expected: Tensor, chosen: Tensor, single_root: bool
) -> tuple[Tensor, Tensor]:
    """Return the expected arcs and roots of the graph that still has the word."""
    past, past_root = expected * step.past, chosen * step.past_root
    # What all ways past the word take together may be more than one: then d is divided by.
    taken = past.sum((-2, -1)) + past_root.sum(-1)
    of_through = (step.there - taken).unsqueeze(-1) * step.into
    into = past.sum(-1) + of_through[:, :-1]
    out = past.sum(-2) + past_root
    root = past_root.sum(-1, keepdim=True)
    root = root if single_root else root + of_through[:, -1:]
    left = torch.cat([expected - past, into.unsqueeze(-1)], -1)
    below = F.pad(out, (0, 1)).unsqueeze(-2)
    return torch.cat([left, below], -2), torch.cat([chosen - past_root, root], -1)


def best_tree(scores: list[list[float]]) -> list[int]:
    """Return the head of each node of the best tree that hangs from node 0 (Chu-Liu, Edmonds).

    Args:
        scores: of each head (column) of each node (row); minus infinity where there is no arc.
            The first row is not looked at.

    Returns:
        The heads; that of node 0 is itself.
    """
    size = len(scores)
    heads = [0] + [
        max((h for h in range(size) if h != c), key=lambda h: (scores[c][h], -h))
        for c in range(1, size)
    ]
    circle = _circle(heads)
    if not circle:
        return heads
    # The circle becomes one node, the last; an arc into it must be worth the one it breaks.
    outer = [node for node in range(size) if node not in circle]
    small = [[scores[c][h] for h in outer] for c in outer]
    leaves = [max(circle, key=lambda h: (scores[c][h], -h)) for c in outer]
    dear = {c: scores[c][heads[c]] for c in circle}  # what it costs to break the circle there
    enters = [max(circle, key=lambda c: (scores[c][h] - dear[c], -c)) for h in outer]
    for row, c, leaf in zip(small, outer, leaves, strict=True):
        row.append(scores[c][leaf])
    broken = [scores[c][h] - dear[c] for h, c in zip(outer, enters, strict=True)]
    small.append([*broken, float("-inf")])
    found = best_tree(small)
    for place, c in enumerate(outer):
        if place:
            heads[c] = outer[found[place]] if found[place] < len(outer) else leaves[place]
    entered = found[-1]
    heads[enters[entered]] = outer[entered]
    return heads


def _circle(heads: list[int]) -> list[int]:
    """Return the nodes of a circle of heads, or none. Node 0 heads itself and is not one."""
    for start in range(1, len(heads)):
        seen, node = [start], heads[start]
        while node and node not in seen:
            seen.append(node)
            node = heads[node]
        if node:
            return seen[seen.index(node) :]
    return []
