r"""Where a head of a Neural Turing Machine stands, and what it writes there (Graves et al., 2014).

$$ w^c \xrightarrow{g, w_{t-1}} w^g \xrightarrow{s} \tilde w \xrightarrow{\gamma} w $$

What content alone says is mixed with where the head stood, moved along, and made sharp. Every stage
takes weights that sum to one and gives such weights. All is computed in float32 or wider.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from memnets.ops.masking import widen

SMALLEST_WEIGHT = 1e-12
"""Below it a weight counts as this much before it is sharpened: 0 has no logarithm."""

Weights = Float[Tensor, "*batch slot"]
Number = Float[Tensor, "*batch"]


def interpolate(content: Weights, previous: Weights, gate: Number) -> Weights:
    r"""Mix what content says with where the head stood.

    $$ w^g = g \, w^c + (1 - g) \, w_{t-1} $$  (Graves et al., Eq. 7)

    Args:
        content: $w^c$.
        previous: $w_{t-1}$.
        gate: $g$, from 0 to 1.
    """
    share = widen(gate.unsqueeze(-1))
    return share * widen(content) + (1 - share) * widen(previous)


def shift(weights: Weights, by: Float[Tensor, "*batch offset"]) -> Weights:
    r"""Move weights around the ring of slots: a circular convolution.

    $$ \tilde w(i) = \sum_{k=-r}^{r} w^g((i - k) \bmod N) \, s(k) $$  (Graves et al., Eq. 8)

    All of $s$ on $k = 1$ moves the focus from each slot to the next, and from the last to the
    first.

    Args:
        weights: $w^g$.
        by: $s$, how much is moved by $-r$ slots, ..., by none, ..., by $r$.

    Raises:
        ValueError: there is an even number of moves.
    """
    moves = by.shape[-1]
    if moves % 2 == 0:
        raise ValueError(
            f"shift(): {moves} moves came, expected an odd number, as many down as up and none "
            f"at all in the middle. Pass 3 numbers for moves by -1, 0 and 1."
        )
    wide, shares = widen(weights), widen(by)
    rolled = [wide.roll(k - moves // 2, -1) * shares[..., k : k + 1] for k in range(moves)]
    return torch.stack(rolled).sum(0)


def shift_by(weights: Weights, amount: Number) -> Weights:
    r"""Move weights around the ring by one number, which need not be whole.

    $$ s(\lfloor x \rfloor) = 1 - f, \quad s(\lfloor x \rfloor + 1) = f, \quad
       f = x - \lfloor x \rfloor $$  (Graves et al., section 3.3.2)

    6.7 moves three tenths by 6 slots and seven tenths by 7. Gradient reaches the fraction alone.

    Args:
        weights: $w^g$.
        amount: $x$, of either sign.
    """
    wide, slots = widen(weights), weights.shape[-1]
    whole = widen(amount.unsqueeze(-1)).detach().floor()
    fraction = widen(amount.unsqueeze(-1)) - whole
    place = torch.arange(slots, device=weights.device)
    lower = wide.gather(-1, (place - whole.long()) % slots)
    return (1 - fraction) * lower + fraction * lower.roll(1, -1)


def sharpen(weights: Weights, exponent: Number) -> Weights:
    r"""Undo what a shift has blurred.

    $$ w(i) = \tilde w(i)^\gamma / \sum_j \tilde w(j)^\gamma $$  (Graves et al., Eq. 9)

    It is a softmax of $\gamma \log \tilde w$, so that no power of a small weight is lost and a
    weight of 0 has a gradient. An exponent of any size is safe.

    Deviations: a weight below 1e-12 counts as 1e-12.

    Args:
        weights: $\tilde w$.
        exponent: $\gamma$, 1 or more.
    """
    logs = widen(weights).clamp(min=SMALLEST_WEIGHT).log()
    # From the highest: however large the exponent, that one stays 0 and the sum is 1 or more.
    below = logs - logs.detach().amax(-1, keepdim=True)
    return (widen(exponent.unsqueeze(-1)) * below).softmax(-1)


def erase_add(
    memory: Float[Tensor, "*batch slot dim"],
    weights: Float[Tensor, "*batch head slot"],
    erase: Float[Tensor, "*batch head dim"],
    add: Float[Tensor, "*batch head dim"],
) -> Float[Tensor, "*batch slot dim"]:
    r"""Return the memory after all heads have erased, and then all have added.

    $$ M_t(i) = M_{t-1}(i) \circ \prod_h (1 - w_h(i) \, e_h) + \sum_h w_h(i) \, a_h $$
    (Graves et al., Eq. 3 and 4)

    The order of the heads does not matter. Were each to erase and add before the next, it would.

    Args:
        memory: $M_{t-1}$.
        weights: $w$, of every head.
        erase: $e$, from 0 to 1.
        add: $a$.
    """
    weights, kept = weights.to(memory.dtype), memory
    for weight, gone in zip(weights.unbind(-2), erase.unbind(-2), strict=True):
        kept = kept * (1 - weight.unsqueeze(-1) * gone.unsqueeze(-2))
    return kept + weights.mT @ add
