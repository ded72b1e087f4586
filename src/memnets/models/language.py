"""A language model: it reads a text symbol by symbol and predicts the next one."""

from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.layers.recurrent import LSTM
from memnets.ops.sizes import at_least, within


class NextSymbol(NamedTuple):
    """What follows each symbol of a window, and what is carried on.

    Attributes:
        logits: of the next symbol, at every step.
        state: the core's, for the window that follows.
        hidden: what the logits are made of; a neural cache remembers it.
    """

    logits: Float[Tensor, "batch time vocab"]
    state: Any
    hidden: Float[Tensor, "batch time hidden"]


class LanguageModel(nn.Module):
    r"""Predict the next symbol from the symbols so far.

    $$ p(x_{t+1} \mid x_{\le t}) = \mathrm{softmax}(O h_t + b), \qquad
       h_t = \mathrm{core}(E x_t, h_{t-1}) $$

    Every core is treated alike, so that cores can be compared: the same embedding $E$, the same
    decoder $O$, and dropout before the core and before the decoder, never between steps.

    Deviations: none; it is no paper's.

    Args:
        vocab: how many symbols there are.
        core: has `init_state(batch)` and `forward(x (batch, time, dim), state) -> (output, state)`;
            an `LSTM`, a `GRU`, a `CRAN`.
        dim: width of a symbol's embedding.
        dropout: the share of units left out in training.
        tied: whether the decoder's weights are the embedding's.

    Raises:
        ValueError: a size is below 1; or the weights are tied and the core's output has another
            width than the embedding.
    """

    def __init__(
        self, vocab: int, core: nn.Module, dim: int, dropout: float = 0.0, tied: bool = False
    ) -> None:
        super().__init__()
        at_least(1, "LanguageModel", "Pass 65, say.", vocab=vocab, dim=dim)
        expected = "a share from 0 to 1. Pass 0 to drop nothing."
        within(lambda x: 0 <= x <= 1, "LanguageModel", expected, dropout=dropout)
        width = _width(core, dim)
        if tied and width != dim:
            raise ValueError(
                f"LanguageModel(dim={dim}, tied=True) with a core of width {width}: expected the "
                f"same widths. Pass dim={width}, or untie the weights."
            )
        # The scale at which the first logits of a core bounded by 1 are moderate.
        weight = torch.randn(vocab, width) * width**-0.5
        self.embedding = nn.Embedding(vocab, dim)
        self.core = core
        self.dropout = nn.Dropout(dropout)
        self.bias = nn.Parameter(torch.zeros(vocab))
        self.weight = None if tied else nn.Parameter(weight)
        if tied:
            self.embedding.weight.data = weight

    def init_state(self, batch: int) -> Any:
        """Return what the core begins a text with."""
        return self.core.init_state(batch)  # type: ignore[operator]

    def forward(self, words: Int[Tensor, "batch time"], state: Any = None) -> NextSymbol:
        """Read a window.

        Args:
            words: the number of every symbol.
            state: what the window before returned; a fresh one by default.
        """
        state = self.init_state(len(words)) if state is None else state
        output, state = self.core(self.dropout(self.embedding(words)), state)
        hidden = self.dropout(output)
        weight = self.embedding.weight if self.weight is None else self.weight
        return NextSymbol(F.linear(hidden, weight, self.bias), state, hidden)


@torch.no_grad()
def _width(core: Any, dim: int) -> int:
    """Return the width of a core's output, by a step of it."""
    output, _ = core(torch.zeros(1, 1, dim), core.init_state(1))
    return int(output.shape[-1])


def example() -> tuple[LanguageModel, tuple[Tensor, ...]]:
    """Return a small model and its inputs for the conformance tests."""
    model = LanguageModel(13, LSTM(5, 7, layers=2), dim=5)
    # Every symbol occurs, so that every embedding learns.
    return model, (torch.randperm(13).expand(3, 13),)
