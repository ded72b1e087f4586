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


def gather_scores(
    scores: Float[Tensor, "query entry"], entries: Int[Tensor, "query slot part"]
) -> Float[Tensor, "query slot"]:
    r"""Add up the scores of the entries that make a slot, $e_{ij} = \sum_p s_{i,x_{ijp}}$."""
    return scores.gather(-1, entries.flatten(1)).unflatten(-1, entries.shape[1:]).sum(-1)


def read_shared(
    weights: Float[Tensor, "query slot"],
    values: Float[Tensor, "entry dim"],
    entries: Int[Tensor, "query slot part"],
) -> Float[Tensor, "query dim"]:
    r"""Return the weighted sum of slots that are sums of shared entries.

    $$ r_i = \sum_j w_{ij} \sum_p v_{x_{ijp}} $$

    The weights are added up by entry first: nothing of the size `(query, slot, dim)` is made.
    """
    parts = weights.unsqueeze(-1).expand(entries.shape).flatten(1)
    by_entry = weights.new_zeros(len(weights), len(values))
    return read(by_entry.scatter_add(-1, entries.flatten(1), parts), values)
