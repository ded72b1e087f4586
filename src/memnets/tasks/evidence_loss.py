"""Teaching a model what to read: a loss on the scores of its slots, from the supports of the data.

For every model that reads in hops: its readouts have the scores, the data have the supports.
"""

from collections.abc import Sequence

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from memnets.attention import Readout
from memnets.ops.masking import widen


def in_order(
    supports: Int[Tensor, "batch support"], hops: int, slots: int, end: int | None = None
) -> Float[Tensor, "batch hop slot"]:
    """Return what each hop is to read: hop t the t-th support (Kumar et al., section 2.5).

    A hop after the last support is to read the slot `end`, or is free (a row of zeros) where there
    is none; so is one whose support no slot holds.

    Args:
        supports: slots, in the order that the data give; below 0 where there is none.
        hops: how many there are.
        slots: how many there are.
        end: the slot that ends the hops.
    """
    supports = F.pad(supports.long(), (0, max(0, hops - supports.shape[1])), value=-1)[:, :hops]
    if end is not None:
        supports = supports.masked_fill(supports == -1, end)
    places = torch.arange(slots, device=supports.device)
    return (supports.unsqueeze(-1) == places).float()


def in_any_order(
    supports: Int[Tensor, "batch support"], hops: int, slots: int
) -> Float[Tensor, "batch hop slot"]:
    """Return what each hop is to read: all supports alike, each with an equal share.

    For tasks with more supports than hops. Arguments as of `in_order`.
    """
    held = supports >= 0
    target = torch.zeros(len(supports), slots, device=supports.device)
    target = target.scatter_add(1, supports.long().clamp(min=0), held.float()).clamp(max=1)
    share = target / target.sum(-1, keepdim=True).clamp(min=1)
    return share.unsqueeze(1).expand(-1, hops, -1)


def evidence_loss(
    hops: Sequence[Readout],
    mask: Bool[Tensor, "batch slot"],
    target: Float[Tensor, "batch hop slot"],
    compete: bool = True,
) -> Float[Tensor, " batch"]:
    r"""Return the cross entropy of what was read and what was to be, summed over hops.

    $$ -\sum_t \sum_i y_i^t \log \mathrm{softmax}(e^t)_i $$

    Where slots do not compete, each has a gate by itself and is to be open or shut:

    $$ -\sum_t \sum_i [y_i^t > 0] \log \sigma(e_i^t) + [y_i^t = 0] \log \sigma(-e_i^t) $$

    It is computed of the scores: their softmax may be too small for a logarithm. A hop that is to
    read nothing does not count.

    Args:
        hops: what was read; one query each.
        mask: True where a slot may be read.
        target: as `in_order` and `in_any_order` return it.
        compete: whether slots compete, as in a softmax.

    Raises:
        ValueError: a readout has no scores.
    """
    scores = widen(torch.cat([_scores(hop) for hop in hops], 1))
    mask = mask[:, : scores.shape[-1]].unsqueeze(1)
    target = target[..., : scores.shape[-1]].to(scores.dtype)
    wanted = target.any(-1)
    if compete:
        log_share = scores.masked_fill(~mask, -torch.inf).log_softmax(-1)
        each = -torch.where(target > 0, target * log_share, 0.0).sum(-1)
    else:
        open_or_shut = torch.where(target > 0, F.logsigmoid(scores), F.logsigmoid(-scores))
        each = -open_or_shut.masked_fill(~mask, 0.0).sum(-1)
    return torch.where(wanted, each, 0.0).sum(-1)


def _scores(hop: Readout) -> Tensor:
    if hop.scores is None:
        raise ValueError(
            "evidence_loss(hops=...): a readout without scores came, such as a kernel returns that "
            "keeps none. Read with Attention.attend, or set MEMNETS_PLAIN=1."
        )
    return hop.scores
