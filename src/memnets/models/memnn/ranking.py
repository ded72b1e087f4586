"""Which slot is preferred to which, and what it costs where that is the wrong one."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from memnets.ops.bags import NIL


def older(one: Int[Tensor, "*batch"], other: Int[Tensor, "*batch"]) -> Float[Tensor, "*batch"]:
    """Return 1 where a slot was written before another, -1 elsewhere."""
    return torch.where(one < other, 1.0, -1.0)


def preference(
    scores: tuple[Float[Tensor, "*batch"], Float[Tensor, "*batch"]],
    time: Float[Tensor, "*#batch time"],
    latest: Int[Tensor, "*batch"],
    slots: tuple[Int[Tensor, "*batch"], Int[Tensor, "*batch"]],
) -> Float[Tensor, "*batch"]:
    r"""Return by how much one slot is preferred to another, $s_{Ot}(x, y, y')$.

    $$ s_{Ot}(x, y, y') = s_O(x, y) - s_O(x, y')
       + E(\Phi_x(x))^\top U_t \Phi_t(x, y, y') $$  (2014, section 3.4)

    $\Phi_t$ has three features: x is older than y, x older than y', y older than y'. The age of x
    is that of the support found last; a question is newer than every slot.

    Args:
        scores: of y and of y'.
        time: what each of the three features counts, given x.
        latest: the slot that x was written to.
        slots: of y and of y'.
    """
    y, rival = slots
    first, second, third = time.unbind(-1)
    said = first * older(latest, y) + second * older(latest, rival) + third * older(y, rival)
    return scores[0] - scores[1] + said


def tournament(
    scores: Float[Tensor, "batch slot"],
    time: Float[Tensor, "batch time"],
    latest: Int[Tensor, " batch"],
    length: Int[Tensor, " batch"],
) -> Int[Tensor, " batch"]:
    """Return the slot that is left when each in turn challenges the best (2014, Algorithm 1).

    All questions play at once; the loop is over slots.
    """
    best = torch.zeros_like(length)
    for slot in range(1, int(length.max()) if len(length) else 0):
        rival = torch.full_like(best, slot)
        held = scores.gather(1, best[:, None]).squeeze(1)
        keeps = preference((held, scores[:, slot]), time, latest, (best, rival)) > 0
        best = torch.where(keeps | (slot >= length), best, rival)
    return best


def against_all(
    scores: Float[Tensor, "batch slot"],
    time: Float[Tensor, "batch time"],
    latest: Int[Tensor, " batch"],
    chosen: Int[Tensor, " batch"],
) -> Float[Tensor, "batch slot"]:
    """Return by how much the chosen slot is preferred to each; 0 to itself."""
    slots = torch.arange(scores.shape[1], device=scores.device).expand_as(scores)
    held = scores.gather(1, chosen[:, None]).expand_as(scores)
    own = chosen[:, None].expand_as(slots)
    margins = preference(
        (held, scores), time.unsqueeze(1), latest[:, None].expand_as(slots), (own, slots)
    )
    return margins.masked_fill(slots == own, 0.0)


def ranking_loss(
    margin: float, preferred: Float[Tensor, "*batch"], counted: Bool[Tensor, "*batch"]
) -> Float[Tensor, ""]:
    r"""Return $\sum \max(0, \gamma - s)$ over what is counted, s by how much the right one wins."""
    return (F.relu(margin - preferred) * counted).sum()


def support_loss(
    scores: Float[Tensor, "batch hop slot"],
    time: Float[Tensor, "batch hop time"] | None,
    wanted: Int[Tensor, "batch hop"],
    length: Int[Tensor, " batch"],
    margin: float,
    rivals: Int[Tensor, "batch hop draw"] | None,
) -> Float[Tensor, ""]:
    r"""Return the ranking loss of the slots that are wanted at each hop (2014, Eqs. 8 and 9).

    With time a pair counts in both orders:

    $$ \max(0, \gamma - s_{Ot}(x, m_o, f)) + \max(0, \gamma + s_{Ot}(x, f, m_o)) $$

    Rivals are all slots by default.
    """
    if rivals is None:
        rivals = torch.arange(scores.shape[-1], device=scores.device).expand_as(scores)
    rivals, target = rivals.long(), wanted.clamp(min=0).unsqueeze(-1)
    counted = (wanted >= 0).unsqueeze(-1) & (rivals != target)
    counted = counted & (rivals < length[:, None, None])
    right = scores.gather(2, target).expand(rivals.shape)
    other = scores.gather(2, rivals.clamp(max=scores.shape[-1] - 1))
    if time is None:
        return ranking_loss(margin, right - other, counted)
    latest = latest_slots(wanted[:, :-1], length).unsqueeze(-1).expand_as(rivals)
    time, target = time.unsqueeze(2), target.expand_as(rivals)
    ahead = preference((right, other), time, latest, (target, rivals))
    behind = preference((other, right), time, latest, (rivals, target))
    return ranking_loss(margin, ahead, counted) + ranking_loss(margin, -behind, counted)


def word_loss(
    logits: Float[Tensor, "batch said vocab"],
    answer: Int[Tensor, "batch said"],
    margin: float,
    wrong: Int[Tensor, "batch draw"] | None,
) -> Float[Tensor, ""]:
    """Return the ranking loss of the words of the answers (2014, Eq. 10).

    Rivals are all words by default; the right one and nil are none.
    """
    right = logits.gather(2, answer.clamp(min=0).long().unsqueeze(-1))
    rivals = torch.arange(logits.shape[-1], device=logits.device)
    if wrong is not None:
        rivals = wrong.long().unsqueeze(1).expand(-1, answer.shape[1], -1)
    other = logits if wrong is None else logits.gather(2, rivals)
    counted = (answer >= 0).unsqueeze(-1) & (rivals != answer.unsqueeze(-1)) & (rivals != NIL)
    return ranking_loss(margin, right - other, counted)


def preferred_slot(
    scores: Float[Tensor, "batch slot"],
    time: Float[Tensor, "batch time"] | None,
    latest: Int[Tensor, " batch"],
    length: Int[Tensor, " batch"],
) -> tuple[Int[Tensor, " batch"], Float[Tensor, "batch slot"], Float[Tensor, " batch"]]:
    """Return the slot that wins, by how much it is preferred to each, and its score."""
    told = torch.arange(scores.shape[1], device=scores.device) < length[:, None]
    if time is None:
        chosen = scores.masked_fill(~told, -torch.inf).argmax(-1)
        beaten = scores.gather(1, chosen[:, None]) - scores
    else:
        with torch.no_grad():
            chosen = tournament(scores, time, latest, length.long())
        beaten = against_all(scores, time, latest, chosen)
    own = scores.gather(1, chosen[:, None]).squeeze(1)
    return chosen, beaten.masked_fill(~told, 0.0), own


def latest_slots(
    supports: Int[Tensor, "batch hop"], length: Int[Tensor, " batch"]
) -> Int[Tensor, "batch state"]:
    """Return which slot x was written to after 0, 1, ... supports; a question after all slots."""
    given = supports >= 0
    asked = length.long()[:, None]
    last = supports.long().gather(1, last_given(given))
    return torch.cat([asked, torch.where(given[:, :1], last, asked)], 1)


def last_given(given: Bool[Tensor, "batch hop"]) -> Int[Tensor, "batch hop"]:
    """Return, for each hop, the place of the last support given by then."""
    return (given.long().cumsum(1) - 1).clamp(min=0)


def draw_rivals(
    wanted: Int[Tensor, "batch hop"],
    length: Int[Tensor, " batch"],
    number: int,
    generator: torch.Generator,
) -> Int[Tensor, "batch hop draw"]:
    """Draw slots of each story, with replacement, none the one that is wanted."""
    others = (length - 1).clamp(min=1)[:, None, None]
    share = torch.rand(*wanted.shape, number, generator=generator, device=generator.device)
    drawn = (share * others).long()
    return drawn + (drawn >= wanted.unsqueeze(-1)).long()
