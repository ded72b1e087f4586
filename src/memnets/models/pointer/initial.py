"""First weights of pointer networks."""

import torch
from torch import nn

SPREAD = 0.08
"""Vinyals et al.: uniform between minus and plus this."""


def paper_initial(model: nn.Module, generator: torch.Generator | None = None) -> None:
    """Draw all weights uniform between -0.08 and 0.08, as Vinyals et al. did (section 4.1)."""
    for weight in model.parameters():
        weight.uniform_(-SPREAD, SPREAD, generator=generator)
