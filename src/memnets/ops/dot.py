"""Reading by dot product and softmax where nobody asks for the weights: torch's fused kernel."""

import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor

from memnets.ops.masking import masked_softmax
from memnets.ops.native import plain_is_forced
from memnets.ops.reading import read


def read_dot(
    query: Float[Tensor, "*batch query dim"],
    keys: Float[Tensor, "*batch slot dim"],
    values: Float[Tensor, "*batch slot _"],
    mask: Bool[Tensor, "*#batch #query slot"] | None = None,
    scale: float = 1.0,
) -> Float[Tensor, "*batch query _"]:
    r"""Return what is read, without the weights: they are never held for all slots at once.

    $$ r_i = \sum_j \mathrm{softmax}_j(s\, q_i^\top k_j)\, v_j $$

    A row with nothing to read is zero and passes no gradient. The memory must hold finite numbers
    where the mask is False.

    Args:
        query: what is asked.
        keys: what the slots are found by.
        values: what is read from them.
        mask: True where a slot may be read.
        scale: what the dot products are multiplied by, $s$.
    """
    if plain_is_forced():
        return read(masked_softmax((query * scale) @ keys.mT, mask), values)
    batch = query.shape[:-2]
    if mask is not None and len(batch) > 2:
        mask = mask.expand(*batch, -1, -1)
    found = F.scaled_dot_product_attention(
        _with_two_batch_axes(query),
        _with_two_batch_axes(keys),
        _with_two_batch_axes(values),
        attn_mask=None if mask is None else _with_two_batch_axes(mask),
        scale=scale,
    )
    return found.reshape(*batch, *found.shape[-2:])


def _with_two_batch_axes(part: Tensor) -> Tensor:
    """Torch takes the fused kernel for tensors with a batch and a head only."""
    if part.dim() > 4:
        return part.flatten(0, -4)
    return part[(None,) * (4 - part.dim())]
