"""First weights: as the papers drew them, and as one draws them now."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor, nn

from memnets.attention.structured import StructuredAlign

Initial = Callable[[nn.Module, torch.Generator | None], None]
"""Draws all weights of a model in place, by the generator that is given."""

SPREAD = 0.1
"""Luong et al.: uniform between minus and plus this."""

LITTLE, LEAST = 0.01, 0.001
"""Bahdanau et al.: standard deviations of most matrices, and of those of the alignment model."""


def modern_initial(model: nn.Module, generator: torch.Generator | None = None) -> None:
    """Draw matrices as Xavier does, recurrent ones orthogonal, embeddings normal; biases are 0.

    Embeddings have a standard deviation of 0.1. Numbers that are no matrices and no biases, such
    as the strength of a cosine, stay what they are.
    """
    for name, weight in to_be_drawn(model):
        if _is_recurrent(name):
            _orthogonal(weight, generator)
        elif "embedding" in name:
            weight.normal_(std=SPREAD, generator=generator)
        elif weight.ndim > 1:
            nn.init.xavier_uniform_(weight, generator=generator)
        elif weight.ndim:
            weight.zero_()


def bahdanau_initial(model: nn.Module, generator: torch.Generator | None = None) -> None:
    r"""Draw weights as Bahdanau et al. did (B.1).

    Recurrent matrices are orthogonal, $W_a$ and $U_a$ normal with a standard deviation of 0.001,
    $v_a$ and biases 0, all others normal with 0.01. A short run hardly leaves this start: with
    $v_a = 0$ the matrices of the score have no gradient at first.
    """
    for name, weight in to_be_drawn(model):
        if _is_recurrent(name):
            _orthogonal(weight, generator)
        elif ".score." in name and "hidden_weight" in name:
            weight.zero_()
        elif weight.ndim > 1:
            weight.normal_(std=LEAST if ".score." in name else LITTLE, generator=generator)
        elif weight.ndim:
            weight.zero_()


def luong_initial(model: nn.Module, generator: torch.Generator | None = None) -> None:
    """Draw all weights uniform between -0.1 and 0.1, as Luong et al. did (section 4.1)."""
    for _, weight in to_be_drawn(model):
        if weight.ndim:
            weight.uniform_(-SPREAD, SPREAD, generator=generator)


def to_be_drawn(model: nn.Module) -> Iterator[tuple[str, Tensor]]:
    """Yield all weights with their names, but those of structured aligns: these say their start."""
    structured = (part for part in model.modules() if isinstance(part, StructuredAlign))
    said = {id(weight) for part in structured for weight in part.parameters()}
    for name, weight in model.named_parameters():
        if id(weight) not in said:
            yield name, weight


def _is_recurrent(name: str) -> bool:
    """Return whether a weight leads from a state to the next; both names are of our layers."""
    return ("recurrent" in name or "weight_hh" in name) and "bias" not in name


def _orthogonal(weight: Tensor, generator: torch.Generator | None) -> None:
    """Draw every gate's matrix of its own."""
    for block in weight.flatten(0, -2).split(weight.shape[-1]):
        nn.init.orthogonal_(block, generator=generator)
