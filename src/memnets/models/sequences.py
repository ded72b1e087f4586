"""A model that is shown a sequence step by step and says bits: any core, and a linear answer."""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from memnets.layers.recurrent import LSTM
from memnets.ops.sizes import at_least


class SequenceModel(nn.Module):
    r"""Say bits at every step.

    $$ p(b_t = 1 \mid x_{\le t}) = \sigma(W \, \mathrm{core}(x_t, h_{t-1}) + b) $$

    Every core is treated alike, so that cores can be compared.

    Deviations: none; it is no paper's.

    Args:
        core: has `init_state(batch)` and `forward(x (batch, time, dim), state) -> (output, state)`;
            an `NTM`, an `LSTM`.
        hidden: width of the core's output.
        bits: how many are said at a step.

    Raises:
        ValueError: a number is below 1.
    """

    def __init__(self, core: nn.Module, hidden: int, bits: int) -> None:
        super().__init__()
        at_least(1, "SequenceModel", hidden=hidden, bits=bits)
        self.core: Any = core
        self.answer_weight = nn.Linear(hidden, bits)

    def forward(self, shown: Float[Tensor, "batch time dim"]) -> Float[Tensor, "batch time _"]:
        """Return the logits of the bits that every step says, from the core's start."""
        output, _ = self.core(shown, self.core.init_state(len(shown)))
        return self.answer_weight(output)


def example() -> tuple[SequenceModel, tuple[Tensor, ...]]:
    """Return a small model and its inputs for the conformance tests."""
    return SequenceModel(LSTM(5, 7), 7, 3), (torch.randn(2, 11, 5),)
