"""MemN2N by the C++ op, where its parts are those that the op knows."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol, TypeVar, runtime_checkable

import torch
from torch import Tensor, nn

from memnets.attention import Attention, Dot, Identity, Readout, Softmax
from memnets.layers.sentences import PlacedWords, fixed_places
from memnets.models.memn2n.reply import MemN2NOutput
from memnets.models.memn2n.tying import Tying
from memnets.ops import memn2n as op
from memnets.ops.twins import is_watched, runs_eagerly

T = TypeVar("T")


@runtime_checkable  # for the checks of shapes in tests
class Network(Protocol):
    """What is read of a `MemN2N`."""

    vocab: int
    memory: int
    hops: int
    slots: int
    tying: Tying
    reader: PlacedWords
    attention: Attention
    activation: nn.Module
    carry: nn.Module
    tables: nn.Parameter


def answer(model: Network, *asked: Tensor) -> MemN2NOutput | None:
    """Return what `MemN2N.forward` does; None where only the plain twin will do."""
    found = _run(op.answer, model, op.StoryBatch(*asked))
    if found is None:
        return None
    hops = zip(found.values.unbind(), found.weights.unbind(), strict=True)
    read = tuple(Readout(value, weights) for value, weights in hops)
    return MemN2NOutput(found.logits, read, found.states)


def loss(model: Network, *asked: Tensor, gold: Tensor) -> op.Loss | None:
    """Return what `MemN2N.loss` does, its gradient computed along with it; None as in `answer`."""
    if not torch.is_grad_enabled():
        return None
    return _run(op.learn, model, op.StoryBatch(*asked), gold)


def _run(compute: Callable[..., T | None], model: Network, *inputs: Any) -> T | None:
    if not runs_eagerly():
        return None
    plan, places = _plan_of(model), fixed_places(model.reader, model.tables)
    if plan is None or places is None:
        return None
    weights = op.MemN2NWeights(model.tables, getattr(model.carry, "weight", None), places)
    return compute(plan, weights, *inputs)


def _plan_of(model: Network) -> op.MemN2NPlan | None:
    """Return what the op computes; None for parts it does not know, or that a hook watches."""
    align = model.attention.align
    called = (model.attention.score, align, model.reader, model.activation, model.carry)
    if (
        type(model.attention) is not Attention
        or type(model.attention.score) is not Dot
        or type(align) not in (Softmax, Identity)
        or type(model.activation) not in (nn.Identity, nn.ReLU)
        or type(model.carry) not in (nn.Identity, nn.Linear)
        or any(is_watched(part) for part in called)
    ):
        return None
    softmax, relu = type(align) is Softmax, type(model.activation) is nn.ReLU
    sizes = (model.vocab, model.memory, model.slots)
    return _plan(model.tying, model.hops, *sizes, softmax, relu)


@lru_cache(maxsize=64)
def _plan(
    tying: Tying, hops: int, vocab: int, memory: int, slots: int, softmax: bool, relu: bool
) -> op.MemN2NPlan:
    return op.MemN2NPlan(
        vocab=vocab,
        memory=memory,
        keys=tuple(tying.keys(hop) for hop in range(hops)),
        values=tuple(tying.values(hop) for hop in range(hops)),
        question=tying.question(hops),
        answer=tying.answer(hops),
        softmax=softmax,
        room=slots,
        relu=relu,
    )
