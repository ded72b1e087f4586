"""End-to-end memory networks from tables to answer and loss in one C++ op (memn2n.cpp).

An update of the smallest published model takes a millisecond in PyTorch, nearly all of it the
calling of some hundred operators on a few thousand numbers each. The plain twin is
`MemN2N.remember` and `MemN2N.answer`, which say what is computed.
"""

from ctypes import POINTER, Structure, byref, c_int64, c_void_p
from functools import lru_cache
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.autograd.function import once_differentiable

from memnets.ops import native
from memnets.ops.binding import Op, are_plain, by_precision, fields
from memnets.ops.twins import runs_eagerly

_SHOWN = Op("memn2n_shown", "inputs", returns=True)
_ANSWER = by_precision(
    "memn2n_answer", "inputs tables carry places states weights values", returns=True
)
_BACKWARD = by_precision(
    "memn2n_answer_backward",
    "inputs tables carry places to_states to_weights to_values to_tables to_carry",
    returns=True,
)
_LEARN = by_precision(
    "memn2n_learn",
    "inputs tables carry places gold loss right to_tables to_carry",
    returns=True,
)
_LARGEST = 2**31 - 1
"""Of the integers that the op reads; no vocabulary and no story is as large."""


class MemN2NPlan(NamedTuple):
    """What a model computes, besides its weights.

    Args:
        vocab: number of words, nil included; the rows of the time words follow.
        memory: number of time words.
        keys: the table that holds the keys, hop by hop.
        values: the same of the values.
        question: the table that the question is read with.
        answer: the table that the answer is scored with.
        softmax: whether scores go through a softmax, or are the weights themselves.
        room: how many slots, filled or empty, are read; 0 for the filled ones.
        relu: whether a ReLU follows each hop.
    """

    vocab: int
    memory: int
    keys: tuple[int, ...]
    values: tuple[int, ...]
    question: int
    answer: int
    softmax: bool
    room: int
    relu: bool


class MemN2NWeights(NamedTuple):
    """What a model has learnt, and where its words stand.

    Args:
        tables: the embeddings, the time words behind the vocabulary; tables that read the memory
            come first.
        carry: the matrix H that carries the state from hop to hop.
        places: $l_j$ by which a word in place j is multiplied; the last is the time word's.
    """

    tables: Float[Tensor, "vocab table dim"]
    carry: Float[Tensor, "dim dim"] | None
    places: Float[Tensor, "place dim"]


class StoryBatch(NamedTuple):
    """Stories and questions.

    Args:
        sentences: distinct sentences; nothing is computed of one that no story tells.
        story: which of the sentences a slot holds.
        time: how long ago it was written, 1 the newest; 0 where the slot is empty.
        question: the words of the questions.
    """

    sentences: Int[Tensor, "sentence word"]
    story: Int[Tensor, "batch slot"]
    time: Int[Tensor, "batch slot"]
    question: Int[Tensor, "batch _"]


class Answered(NamedTuple):
    """The scores of all words, and what each hop read with which weights."""

    logits: Float[Tensor, "batch vocab"]
    weights: Float[Tensor, "hop batch 1 slot"]
    values: Float[Tensor, "hop batch 1 dim"]
    states: Float[Tensor, "batch dim"]
    """After the last hop."""


class Loss(NamedTuple):
    """The cross entropy summed over the questions, and how many of them were answered right."""

    sum: Float[Tensor, ""]
    right: Int[Tensor, ""]


def answer(plan: MemN2NPlan, weights: MemN2NWeights, asked: StoryBatch) -> Answered | None:
    """Answer a question about each story, or return None where only the plain twin will do.

    Raises:
        RuntimeError: its gradient is differentiated again.
    """
    if not _can_run(plan, weights, asked):
        return None
    call = _Call(plan, weights, asked)
    shown, tables = call.shown(), weights.tables
    states = tables.new_empty(len(asked.story), tables.shape[2])
    read = tables.new_zeros(len(plan.keys), len(asked.story), 1, shown)
    values = tables.new_empty(len(plan.keys), len(asked.story), 1, tables.shape[2])
    if not call(_ANSWER, states, read, values):
        return None
    apply: Any = _Answer.apply
    states, read, values = apply(weights.tables, weights.carry, call, states, read, values)
    return Answered(states @ tables[:, plan.answer].mT, read, values, states)


def learn(
    plan: MemN2NPlan, weights: MemN2NWeights, asked: StoryBatch, gold: Int[Tensor, " batch"]
) -> Loss | None:
    """Return the loss of a batch, its gradient computed along with it; None as in `answer`."""
    if not (
        _can_run(plan, weights, asked)
        and are_plain(weights.tables, indices=(gold,))
        and gold.shape == asked.story.shape[:1]
    ):
        return None
    call = _Call(plan, weights, asked)
    loss, right = weights.tables.new_empty(()), torch.empty((), dtype=torch.int64)
    gradients = _zeros_like(weights)
    if not call(_LEARN, gold.long().contiguous(), loss, right, *gradients):
        return None
    apply: Any = _Learn.apply
    return Loss(apply(weights.tables, weights.carry, loss, gradients), right)


def _can_run(plan: MemN2NPlan, weights: MemN2NWeights, asked: StoryBatch) -> bool:
    return (
        runs_eagerly()
        and native.available()
        and are_plain(*weights, indices=asked)
        and _fit_together(plan, weights, asked)
    )


class _Call:
    """A call of the library, made once for the way there and once more for the way back."""

    def __init__(self, plan: MemN2NPlan, weights: MemN2NWeights, asked: StoryBatch) -> None:
        carry = None if weights.carry is None else weights.carry.detach().contiguous()
        tables, places = weights.tables.detach().contiguous(), weights.places.contiguous()
        self.weights = MemN2NWeights(tables, carry, places)
        self.asked = StoryBatch(*map(_narrow, asked))
        self.inputs = _inputs(plan, self.weights, self.asked)

    def __call__(self, op: dict[torch.dtype, Op], *others: Tensor | None) -> int:
        done: int = op[self.weights.tables.dtype](byref(self.inputs), *self.weights, *others)
        return done

    def shown(self) -> int:
        """Return how many slots the weights are of, and keep it."""
        shown: int = _SHOWN(byref(self.inputs))
        self.inputs.shown = shown
        return shown


class _Answer(torch.autograd.Function):
    """Gives what was computed its way back."""

    @staticmethod
    def forward(
        ctx: Any,
        tables: Tensor,
        carry: Tensor | None,
        call: _Call,
        states: Tensor,
        weights: Tensor,
        values: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:
        ctx.call = call
        ctx.save_for_backward(tables, carry)  # an update in between is told by torch
        ctx.set_materialize_grads(False)
        return states, weights, values

    @staticmethod
    @once_differentiable  # like the bags of words of the plain twin
    def backward(
        ctx: Any, states: Tensor | None, weights: Tensor | None, values: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        tables, carry = ctx.saved_tensors
        gradients = _zeros_like(MemN2NWeights(tables, carry, tables))
        if states is None:
            states = tables.new_zeros(ctx.call.inputs.batch, tables.shape[2])
        given = (None if part is None else part.contiguous() for part in (states, weights, values))
        ctx.call(_BACKWARD, *given, *gradients)
        return *gradients, None, None, None, None


class _Learn(torch.autograd.Function):
    """Gives a loss the gradient that was computed with it."""

    @staticmethod
    def forward(
        ctx: Any,
        tables: Tensor,
        carry: Tensor | None,
        loss: Tensor,
        gradients: tuple[Tensor, Tensor | None],
    ) -> Tensor:
        ctx.gradients = gradients
        return loss

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, outer: Tensor) -> tuple[Tensor | None, ...]:
        tables, carry = ctx.gradients
        return tables * outer, None if carry is None else carry * outer, None, None


def _zeros_like(weights: MemN2NWeights) -> tuple[Tensor, Tensor | None]:
    carry = weights.carry
    zeros = torch.zeros_like(weights.tables, memory_format=torch.contiguous_format)
    if carry is None:
        return zeros, None
    return zeros, torch.zeros_like(carry, memory_format=torch.contiguous_format)


def _narrow(index: Tensor) -> Tensor:
    """Return 32-bit integers; a number that does not fit stays one that names nothing."""
    if index.dtype != torch.int32:
        index = index.clamp(-1, _LARGEST).int()
    return index.contiguous()


class _Inputs(Structure):
    """Mirrors `Inputs` of memn2n.cpp, field by field."""

    _fields_ = (
        *fields(c_void_p, "sentences story time question"),
        *fields(POINTER(c_int64), "key_tables value_tables"),
        *fields(c_int64, "batch slots shown sentence_count words question_words vocab memory"),
        *fields(c_int64, "tables memory_tables question_table answer_table dim places hops"),
        *fields(c_int64, "softmax room relu"),
    )


def _inputs(plan: MemN2NPlan, weights: MemN2NWeights, asked: StoryBatch) -> _Inputs:
    return _Inputs(
        *(part.data_ptr() for part in asked),
        *_tables_of(plan),
        *asked.story.shape,
        0,  # shown, which is counted where it is wanted
        *asked.sentences.shape,
        asked.question.shape[1],
        plan.vocab,
        plan.memory,
        weights.tables.shape[1],
        max(*plan.keys, *plan.values) + 1,
        plan.question,
        plan.answer,
        weights.tables.shape[2],
        len(weights.places),
        len(plan.keys),
        plan.softmax,
        plan.room,
        plan.relu,
    )


@lru_cache(maxsize=64)
def _tables_of(plan: MemN2NPlan) -> tuple[Any, Any]:
    hops = len(plan.keys)
    return (c_int64 * hops)(*plan.keys), (c_int64 * hops)(*plan.values)


def _fit_together(plan: MemN2NPlan, weights: MemN2NWeights, asked: StoryBatch) -> bool:
    """Return whether the op would read and write inside of all tensors, whatever the indices."""
    rows, count, dim = weights.tables.shape
    carry, places = weights.carry, weights.places
    said = len(places) - (1 if plan.memory else 0)
    return (
        rows == plan.vocab + plan.memory
        and count > max(*plan.keys, *plan.values, plan.question, plan.answer)
        and places.shape[1] == dim
        and (carry is None or carry.shape == (dim, dim))
        and asked.story.shape == asked.time.shape
        and len(asked.story) == len(asked.question)
        and max(asked.sentences.shape[1], asked.question.shape[1]) <= said
    )
