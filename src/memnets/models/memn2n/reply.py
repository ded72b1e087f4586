"""What MemN2N returns."""

from typing import NamedTuple

from jaxtyping import Float, Int
from torch import Tensor

from memnets.attention import Readout


class Reply(NamedTuple):
    """Scores of all words as the answer, and what each hop read, empty slots included."""

    logits: Float[Tensor, "batch vocab"]
    hops: tuple[Readout, ...]


class Loss(NamedTuple):
    """The cross entropy summed over the questions, and how many of them were answered right."""

    sum: Float[Tensor, ""]
    right: Int[Tensor, ""]
