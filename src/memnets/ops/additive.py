"""Additive scores: one hidden layer over query and key, summed to a number a pair."""

import torch
from jaxtyping import Float
from torch import Tensor


def additive_scores(
    query: Float[Tensor, "*#batch query hidden"],
    keys: Float[Tensor, "*#batch slot hidden"],
    vector: Float[Tensor, " hidden"],
) -> Float[Tensor, "*#batch query slot"]:
    r"""Score every slot for every query with a hidden layer whose two halves are already projected.

    $$ e_{ij} = v^\top \tanh(a_i + b_j) $$

    Args:
        query: $a_i = W q_i$.
        keys: $b_j = U k_j$.
        vector: $v$.
    """
    return torch.tanh(query.unsqueeze(-2) + keys.unsqueeze(-3)) @ vector
