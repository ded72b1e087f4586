"""What MemN2N answers."""

from typing import NamedTuple

from jaxtyping import Float
from torch import Tensor

from memnets.attention import Readout


class MemN2NOutput(NamedTuple):
    """Scores of all words as the answer, and what each hop read, empty slots included."""

    logits: Float[Tensor, "batch vocab"]
    hops: tuple[Readout, ...]
    state: Float[Tensor, "batch dim"]
    """$u^{K+1}$, which the scores are of."""
