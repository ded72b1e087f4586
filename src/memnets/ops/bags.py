"""Bags of words: many short sentences summed in one lookup."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

NIL = 0
"""The word that fills a sentence up; it adds nothing."""


def weighted_bag(
    words: Int[Tensor, "sentence word"],
    weights: Float[Tensor, "*#sentence word"],
    tables: Float[Tensor, "vocab table dim"],
) -> Float[Tensor, "sentence table dim"]:
    r"""Sum the weighted words of each sentence in all tables at once.

    $$ s_{it} = \sum_j a_j\, E_t[x_{ij}] $$

    The weights are those of a place, or of each sentence ($a_{ij}$) where they have two axes.

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


def distinct_told(
    sentences: Int[Tensor, "sentence word"],
    story: Int[Tensor, "batch slot"],
    told: Bool[Tensor, "batch slot"],
) -> tuple[Int[Tensor, "_ word"], Int[Tensor, "batch slot"]]:
    """Keep the sentences that are told, each once, where finding them costs less than reading.

    Args:
        sentences: those that stories may tell.
        story: which of them a slot holds.
        told: which slots hold one.

    Returns:
        The sentences that are kept, and the story in their numbers.
    """
    if len(sentences) <= story.numel():
        return sentences, story
    which, number = torch.unique(story.masked_fill(~told, 0), return_inverse=True)
    return sentences[which], number
