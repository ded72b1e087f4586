"""Bags of words: many short sentences summed in one lookup."""

import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

NIL = 0
"""The word that fills a sentence up; it adds nothing."""


def weighted_bag(
    words: Int[Tensor, "sentence word"],
    weights: Float[Tensor, " word"],
    tables: Float[Tensor, "vocab table dim"],
) -> Float[Tensor, "sentence table dim"]:
    r"""Sum the weighted words of each sentence in all tables at once.

    $$ s_{it} = \sum_j a_j\, E_t[x_{ij}] $$

    The words are never laid out side by side: neither pass holds a `(sentence, word, dim)` tensor.
    """
    bag = F.embedding_bag(
        words,
        tables.flatten(1),
        mode="sum",
        per_sample_weights=(words != NIL) * weights,
        padding_idx=NIL,
    )
    return bag.unflatten(-1, tables.shape[1:])
