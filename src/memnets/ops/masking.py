"""Masks: cut to what may be read, silence what may not, normalise over the rest.

A mask is Bool and True means "may be read". It broadcasts to the weights, `(*batch, query, slot)`.
"""

import torch
from jaxtyping import Bool, Float
from torch import Tensor


def readable_slots(mask: Bool[Tensor, "*batch query slot"]) -> int:
    """Return how many slots are left when the unreadable end of the memory is cut off.

    One is left where nothing is readable: an empty axis has no maximum and no windows, and no
    score or align should need a case of its own for it. While a graph is captured, and under the
    transforms of `torch.func`, the answer is "all": no length may depend on data there.
    """
    if torch.compiler.is_compiling() or torch._C._are_functorch_transforms_active():
        return mask.shape[-1]
    readable = mask.flatten(0, -2).any(0)
    return int(readable.nonzero()[-1]) + 1 if readable.any() else min(1, len(readable))


def silence(
    memory: Float[Tensor, "*batch slot dim"], mask: Bool[Tensor, "*#batch query slot"]
) -> Float[Tensor, "*batch slot dim"]:
    """Put zeros into the slots that no query may read.

    A weight of zero is not enough: 0 * NaN is NaN, in the value and in the gradient.
    """
    return memory.masked_fill(~mask.any(-2).unsqueeze(-1), 0.0)


def widen(scores: Float[Tensor, "..."]) -> Float[Tensor, "..."]:
    """Return scores in float32, or wider if they came so."""
    return scores.float() if scores.dtype in (torch.float16, torch.bfloat16) else scores


def masked_softmax(
    scores: Float[Tensor, "*batch query slot"],
    mask: Bool[Tensor, "*#batch #query slot"] | None = None,
) -> Float[Tensor, "*batch query slot"]:
    r"""Normalise scores over the readable slots, in float32 or wider.

    $$ w_i = \exp(e_i) / \sum_{j \text{ readable}} \exp(e_j) $$

    A row with nothing to read has weights of zero and passes no gradient.
    """
    wide = widen(scores)
    if mask is None:
        return wide.softmax(-1)
    # In a row with nothing to read every score is -inf and the softmax would be NaN: let such a
    # row be uniform first, and take its weights away afterwards.
    nothing = ~mask.any(-1, keepdim=True)
    weights = wide.masked_fill(~(mask | nothing), -torch.inf).softmax(-1)
    return weights.masked_fill(~mask, 0.0)
