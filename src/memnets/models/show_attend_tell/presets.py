"""Show, Attend and Tell as the notes, the paper and the authors' code have it."""

from typing import Any

import torch
from torch import Tensor

from memnets.attention import Additive, Attention, Softmax
from memnets.layers.recurrent import FedLSTM
from memnets.layers.stepwise import LastState, StepReader, Stepwise
from memnets.models.show_attend_tell.drawn import Drawn, coin_for_all
from memnets.models.show_attend_tell.network import ShowAttendTell
from memnets.models.show_attend_tell.parts import (
    ContextGate,
    DeepOutput,
    NoGate,
    OutputAsRun,
    ScoreAsRun,
    StartByMean,
)
from memnets.ops.bags import NIL


def ungated(
    vocab: int, context: int, dim: int = 512, hidden: int = 512, reader: StepReader | None = None
) -> ShowAttendTell:
    """Return the model of the paper's section 3, without the gate that section 4.2.1 adds.

    It is told without the doubly stochastic penalty too: leave that out of the loss.

    Args:
        vocab: number of words, nil included.
        context: width of an annotation, $D$.
        dim: width of an embedded word, $m$.
        hidden: of the LSTM, $n$.
        reader: sees places; soft attention with an additive score as wide as the state by default.
    """
    return _composed(vocab, context, dim, hidden, reader, gate=NoGate())


def show_attend_tell(
    vocab: int,
    context: int,
    dim: int = 512,
    hidden: int = 512,
    reader: StepReader | None = None,
    dropout: float = 0.0,
) -> ShowAttendTell:
    """Return the paper's model, with its gate; soft attention, unless a reader is given.

    Args:
        vocab: number of words, nil included.
        context: width of an annotation, $D$; 512 of VGG.
        dim: width of an embedded word, $m$.
        hidden: of the LSTM, $n$.
        reader: sees places: `Drawn(Additive(hidden, context, hidden, bias=True))` is the paper's
            hard attention.
        dropout: in training.
    """
    return _composed(vocab, context, dim, hidden, reader, ContextGate(hidden), dropout)


def as_run(
    vocab: int,
    context: int = 512,
    dim: int = 512,
    hidden: int = 1800,
    hard: bool = False,
    dropout: float = 0.5,
) -> ShowAttendTell:
    """Return the model as the authors' script for COCO builds it.

    Two layers of attention, two of the first state, a tanh before the output, biases; where places
    are drawn, one coin a batch, and at test the expectation.

    Args:
        vocab: number of words, nil included; 10,000 in the script.
        context: width of an annotation.
        dim: width of an embedded word.
        hidden: of the LSTM.
        hard: whether places are drawn.
        dropout: in training.
    """
    score = ScoreAsRun(hidden, context)
    return ShowAttendTell(
        vocab,
        dim,
        StartByMean(context, hidden, shared=1),
        Drawn(score, coin_for_all(), Softmax()) if hard else Stepwise(Attention(score, Softmax())),
        ContextGate(hidden),
        FedLSTM(dim, context, hidden),
        OutputAsRun(dim, hidden, context),
        dropout,
    )


def without_attention(
    vocab: int, context: int, dim: int = 512, hidden: int = 512
) -> ShowAttendTell:
    """Return the control: every step sees the mean of all places, and looks nowhere.

    Args:
        vocab: number of words, nil included.
        context: width of an annotation.
        dim: width of an embedded word.
        hidden: of the LSTM.
    """
    return show_attend_tell(vocab, context, dim, hidden, LastState())


def soft(hidden: int, context: int, width: int | None = None) -> StepReader:
    """Return soft attention: a softmax of additive scores.

    Args:
        hidden: of the LSTM.
        context: width of an annotation.
        width: of the score's hidden layer; as the LSTM's by default.
    """
    return Stepwise(Attention(Additive(hidden, context, width or hidden, bias=True), Softmax()))


def _composed(
    vocab: int,
    context: int,
    dim: int,
    hidden: int,
    reader: StepReader | None,
    gate: Any,
    dropout: float = 0.0,
) -> ShowAttendTell:
    return ShowAttendTell(
        vocab,
        dim,
        StartByMean(context, hidden),
        reader or soft(hidden, context),
        gate,
        FedLSTM(dim, context, hidden),
        DeepOutput(dim, hidden, context),
        dropout,
    )


def example() -> tuple[ShowAttendTell, tuple[Tensor, ...]]:
    """Return a small model and its inputs for the conformance tests."""
    model = show_attend_tell(vocab=13, context=7, dim=5, hidden=6)
    target = torch.randint(1, 13, (3, 5))
    target[1, 3:] = NIL
    return model, (torch.randn(3, 4, 7), target)
