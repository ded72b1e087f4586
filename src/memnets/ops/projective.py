r"""Projective dependency trees: the sum over all of them, and how likely each arc is.

Eisner's charts (1996). An incomplete span $I(i, j)$ is an arc between its ends with all that hangs
between them; a complete one $C(i, j)$ has its head at one end and nothing to add on that side:

$$ I(i, j) = \bigoplus_k C_r(i, k) \, C_l(k + 1, j) \, \theta, \quad
   C_r(i, j) = \bigoplus_k I_r(i, k) \, C_r(k, j), \quad
   C_l(i, j) = \bigoplus_k C_l(i, k) \, I_l(k, j) $$

All spans of one width are joined at once. A chart is kept twice, by where its spans start and by
where they end: then the parts of a span are one slice of each. Outside, the expected number of each
span is handed down to its parts by the shares they had of it: chances only, from one on.

`join` and `share` make it a sum and expected numbers (logsumexp, softmax), the best tree (maximum,
its place), or a draw. The C++ op (projective.cpp) does the first, of several sentences at once.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from memnets.ops.chain import NEVER
from memnets.ops.tree_sums import Arcs, Lengths, Roots, TreeOp, TreeSums

Share = Callable[[Tensor], Tensor]
"""Give the last axis to the parts of a span, so that it sums to 1."""


def soft_shares(joined: Tensor) -> Tensor:
    """Share by chance: sums over all trees."""
    return joined.softmax(-1)


def best_shares(joined: Tensor) -> Tensor:
    """Give all to the best: the best tree."""
    best = joined.argmax(-1, keepdim=True)
    return torch.zeros_like(joined).scatter(-1, best, 1.0)


def drawn_shares(generator: torch.Generator | None) -> Share:
    """Give all to one that is drawn: a draw from all trees."""

    def share(joined: Tensor) -> Tensor:
        total = joined.softmax(-1).cumsum(-1)
        shape = (*total.shape[:-1], 1)
        number = torch.rand(shape, generator=generator, dtype=total.dtype, device=total.device)
        place = (total <= number * total[..., -1:]).sum(-1, keepdim=True)
        place = place.clamp(max=total.shape[-1] - 1)
        return torch.zeros_like(total).scatter(-1, place, 1.0)

    return share


def sum_over_projective(
    arcs: Arcs,
    roots: Roots,
    lengths: Lengths,
    single_root: bool,
    share: Share = soft_shares,
    join: Callable[..., Tensor] = torch.logsumexp,
) -> TreeSums:
    """Return log Z and expected arcs of projective trees over the first words of each row.

    Args:
        arcs: the potential of each head of each word.
        roots: that of being a root.
        lengths: how many words of each row there are.
        single_root: whether just one word is a root, not several.
        share: what each part has of a span.
        join: how the parts make a span; `torch.amax` with `best_shares`.
    """
    if share is soft_shares and join is torch.logsumexp:
        return _OP(arcs, roots, lengths, single_root)
    return _plain(arcs, roots, lengths, single_root, share, join)


def _plain(
    arcs: Tensor,
    roots: Tensor,
    lengths: Tensor,
    single_root: bool,
    share: Share = soft_shares,
    join: Callable[..., Tensor] = torch.logsumexp,
) -> TreeSums:
    if single_root:
        return _single(arcs, roots, lengths, share, join)
    # The root is one more word, before all others.
    whole = F.pad(torch.cat([roots.unsqueeze(-1), arcs], -1), (0, 0, 1, 0))
    charts = _inside(whole, share, join)
    row = torch.arange(len(arcs), device=arcs.device)
    zero = torch.zeros_like(whole)
    goal = _one_hot(lengths, whole.shape[-1], zero)
    start = F.pad(goal.unsqueeze(1), (0, 0, 0, whole.shape[1] - 1))
    found = _outside(charts, _Counts(start, zero, zero, zero))
    return TreeSums(charts.right_by_start[row, 0, lengths], found[:, 1:, 1:], found[:, 1:, 0])


def _kept(words: int, single_root: bool) -> int:
    """Return how many parts spans have: of three kinds, each as many as they are wide."""
    nodes = words + (not single_root)
    return (nodes + 1) * nodes * (nodes - 1) // 2


_OP = TreeOp("projective", _kept, _plain)


def _single(
    arcs: Tensor, roots: Tensor, lengths: Tensor, share: Share, join: Callable[..., Tensor]
) -> TreeSums:
    words = arcs.shape[-1]
    if not words:
        return TreeSums(arcs.sum((1, 2)), arcs, roots)
    charts = _inside(arcs, share, join)
    row, word = torch.arange(len(arcs), device=arcs.device), torch.arange(words, device=arcs.device)
    last = (lengths - 1).clamp(min=0)
    behind = (last.unsqueeze(-1) - word).clamp(min=0)  # words behind each
    right = charts.right_by_end[row.unsqueeze(-1), last.unsqueeze(-1), behind]
    total = charts.left_by_start[:, 0] + right + roots
    total = total.masked_fill(word >= lengths.unsqueeze(-1), NEVER)
    there = lengths > 0
    chosen = share(total) * there.unsqueeze(-1)
    zero = torch.zeros_like(arcs)
    left = F.pad(chosen.unsqueeze(1), (0, 0, 0, words - 1))
    places = _one_hot(behind, words, zero) * chosen.unsqueeze(-1)  # of each root, a width
    ends = _one_hot(last, words, zero).unsqueeze(-1) * places.sum(1).unsqueeze(1)
    found = _outside(charts, _Counts(zero, ends, left, zero))
    return TreeSums(torch.where(there, join(total, -1), 0.0), found, chosen)


def _one_hot(places: Tensor, size: int, like: Tensor) -> Tensor:
    return (places.unsqueeze(-1) == torch.arange(size, device=places.device)).to(like.dtype)


class _Charts(NamedTuple):
    """Complete spans by their ends and widths, and the shares that parts had: a tensor a width."""

    right_by_start: Tensor  # batch start width
    right_by_end: Tensor  # batch end width
    left_by_start: Tensor
    shares: list[tuple[Tensor, Tensor, Tensor]]  # of incomplete, right and left spans


def _inside(arcs: Tensor, share: Share, join: Callable[..., Tensor]) -> _Charts:
    words = arcs.shape[-1]
    none = torch.zeros_like(arcs[..., :1])
    right_start, right_end, left_start, left_end = none, none, none, none
    open_right, open_left = none[..., :0], none[..., :0]  # incomplete, from width 1 on
    shares = []
    for w in range(1, words):
        spans = words - w
        inner = right_start[:, :spans] + left_end[:, w:].flip(-1)
        joined = join(inner, -1)
        open_right = _with(open_right, joined + arcs.diagonal(-w, 1, 2), start=True)
        open_left = _with(open_left, joined + arcs.diagonal(w, 1, 2), start=False)
        to_right = open_right[:, :spans] + right_end[:, w:].flip(-1)
        to_left = left_start[:, :spans] + open_left[:, w:].flip(-1)
        right, left = join(to_right, -1), join(to_left, -1)
        right_start, right_end = _with(right_start, right, True), _with(right_end, right, False)
        left_start, left_end = _with(left_start, left, True), _with(left_end, left, False)
        shares.append((share(inner), share(to_right), share(to_left)))
    return _Charts(right_start, right_end, left_start, shares)


def _with(chart: Tensor, spans: Tensor, start: bool) -> Tensor:
    """Add a width to a chart, its spans by where they start, or by where they end."""
    room = chart.shape[1] - spans.shape[1]
    return torch.cat([chart, F.pad(spans, (0, room) if start else (room, 0)).unsqueeze(-1)], -1)


class _Counts(NamedTuple):
    """How many of each complete span are expected: batch place width."""

    right_by_start: Tensor
    right_by_end: Tensor
    left_by_start: Tensor
    left_by_end: Tensor


def _outside(charts: _Charts, counts: _Counts) -> Tensor:
    """Return how many of each arc are expected, `(batch, child, head)`."""
    right_start, right_end, left_start, left_end = counts
    words = right_start.shape[-1]
    open_right, open_left = torch.zeros_like(right_start), torch.zeros_like(right_start)
    rightward, leftward = [], []  # arcs by where they start, a tensor a width
    for w in reversed(range(1, words)):
        inner, to_right, to_left = charts.shares[w - 1]
        spans = words - w
        part = (right_start[:, :spans, w] + right_end[:, w:, w]).unsqueeze(-1) * to_right
        open_right, right_end = (
            open_right + _starting(part, words),
            right_end + _ending(part, words),
        )
        part = (left_start[:, :spans, w] + left_end[:, w:, w]).unsqueeze(-1) * to_left
        left_start, open_left = (
            left_start + _starting(part, words),
            open_left + _ending(part, words),
        )
        rightward.append(F.pad(open_right[:, :spans, w - 1], (0, w)))
        leftward.append(F.pad(open_left[:, w:, w - 1], (0, w)))
        part = (rightward[-1] + leftward[-1])[:, :spans].unsqueeze(-1) * inner
        right_start, left_end = (
            right_start + _starting(part, words),
            left_end + _ending(part, words),
        )
    return _as_matrix(rightward[::-1], leftward[::-1], right_start)


def _starting(parts: Tensor, words: int) -> Tensor:
    """Give parts their place in a chart by where spans start, the narrowest first."""
    return F.pad(parts, (0, words - parts.shape[2], 0, words - parts.shape[1]))


def _ending(parts: Tensor, words: int) -> Tensor:
    """Give the other parts theirs by where spans end, which are the wider the narrower those."""
    return F.pad(parts.flip(-1), (0, words - parts.shape[2], words - parts.shape[1], 0))


def _as_matrix(rightward: list[Tensor], leftward: list[Tensor], like: Tensor) -> Tensor:
    """Lay arcs out by child and head; they come by width, and by their first word."""
    if not rightward:
        return torch.zeros_like(like)
    place = torch.arange(like.shape[-1], device=like.device)
    child, head = place.unsqueeze(-1), place
    width, first = (child - head).abs(), torch.minimum(child, head)
    known = (width - 1).clamp(min=0)
    right, left = torch.stack(rightward, -1), torch.stack(leftward, -1)
    found = torch.where(child > head, right[:, first, known], left[:, first, known])
    return found.masked_fill(width == 0, 0.0)
