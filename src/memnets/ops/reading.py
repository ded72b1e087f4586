"""Reading: from weights and values to what was read."""

from jaxtyping import Float, Int
from torch import Tensor


def read(
    weights: Float[Tensor, "*batch query slot"], values: Float[Tensor, "*batch slot dim"]
) -> Float[Tensor, "*batch query dim"]:
    r"""Return the weighted sum of the values, $r_i = \sum_j w_{ij} v_j$."""
    return weights.to(values.dtype) @ values


def gather_slots(
    values: Float[Tensor, "*batch slot dim"], indices: Int[Tensor, "*batch query kept"]
) -> Float[Tensor, "*batch query kept dim"]:
    """Pick the slots that each query kept, without a row for the ones it did not."""
    rows = indices.flatten(-2).unsqueeze(-1).expand(*indices.shape[:-2], -1, values.shape[-1])
    return values.gather(-2, rows).unflatten(-2, indices.shape[-2:])


def read_indexed(
    weights: Float[Tensor, "*batch query kept"],
    values: Float[Tensor, "*batch slot dim"],
    indices: Int[Tensor, "*batch query kept"],
) -> Float[Tensor, "*batch query dim"]:
    """Return the weighted sum over the slots that each query kept."""
    kept = gather_slots(values, indices)
    return (weights.to(values.dtype).unsqueeze(-2) @ kept).squeeze(-2)
