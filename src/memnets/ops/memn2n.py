"""End-to-end memory networks from tables to answer in one C++ op (memn2n.cpp).

An update of the smallest published model takes a millisecond in PyTorch, nearly all of it the
calling of some hundred operators on a few thousand numbers each. The plain twin is
`MemN2N.remember` and `MemN2N.answer`, which say what is computed.
"""

import ctypes
from ctypes import POINTER, byref, c_int64, c_void_p
from functools import cache
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.autograd import forward_ad
from torch.autograd.function import once_differentiable

from memnets.ops import native

_SUFFIX = {torch.float32: "float", torch.float64: "double"}
_INTEGERS = (torch.int64, torch.int32)


class Plan(NamedTuple):
    """What a model computes, besides its weights.

    Args:
        vocab: number of words, nil included; the rows of the time words follow.
        memory: number of time words.
        keys: the table that holds the keys, hop by hop.
        values: the same of the values.
        question: the table that the question is read with.
        answer: the table that the answer is scored with.
        softmax: whether scores go through a softmax, or are the weights themselves.
        room: how many slots, filled or empty, the softmax runs over; 0 for the filled ones.
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


class Answered(NamedTuple):
    """The scores of all words, and what each hop read with which weights."""

    logits: Float[Tensor, "batch vocab"]
    weights: Float[Tensor, "hop batch 1 slot"]
    values: Float[Tensor, "hop batch 1 dim"]


def runs_eagerly() -> bool:
    """Return whether tensors are computed here and now: not traced, transformed or narrowed.

    Where it is False, only the plain twin will do.
    """
    return not (
        torch.compiler.is_compiling()
        or torch._C._get_tracing_state() is not None
        or torch.is_autocast_enabled("cpu")
        or forward_ad._current_level >= 0
        or torch._C._are_functorch_transforms_active()
        or torch._C._len_torch_dispatch_stack() > 0
    )


def answer(
    plan: Plan,
    tables: Float[Tensor, "vocab table dim"],
    carry: Float[Tensor, "dim dim"] | None,
    places: Float[Tensor, "place dim"],
    sentences: Int[Tensor, "sentence word"],
    story: Int[Tensor, "batch slot"],
    time: Int[Tensor, "batch slot"],
    question: Int[Tensor, "batch _"],
) -> Answered | None:
    r"""Answer a question about each story, or return None where only the plain twin will do.

    Args:
        plan: what is computed.
        tables: the embeddings, the time words behind the vocabulary; tables that read the memory
            come first.
        carry: the matrix H that carries the state from hop to hop.
        places: $l_j$ by which a word in place j is multiplied; the last is the time word's.
        sentences: the distinct sentences of all stories.
        story: which of the sentences a slot holds.
        time: how long ago it was written, 1 the newest; 0 where the slot is empty.
        question: the words of the questions.

    Raises:
        RuntimeError: its gradient is differentiated again.
    """
    floats = (tables, places) if carry is None else (tables, places, carry)
    indices = (sentences, story, time, question)
    if not (
        runs_eagerly()
        and native.available()
        and _are_plain(floats, indices)
        and _fit_together(plan, tables, carry, places, *indices)
    ):
        return None
    sentences, story, time, question = (index.long().contiguous() for index in indices)
    inputs = _inputs(plan, tables, places, sentences, story, time, question)
    inputs.kept = _function("memn2n_kept")(byref(inputs))
    if inputs.kept < 0:  # a number names nothing: the plain twin says which
        return None
    apply: Any = _MemN2N.apply
    return Answered(*apply(tables, carry, places, sentences, story, time, question, plan, inputs))


class _MemN2N(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        tables: Tensor,
        carry: Tensor | None,
        places: Tensor,
        sentences: Tensor,
        story: Tensor,
        time: Tensor,
        question: Tensor,
        plan: Plan,
        inputs: "_Inputs",
    ) -> tuple[Tensor, Tensor, Tensor]:
        tables = tables.contiguous()
        carry = None if carry is None else carry.contiguous()
        hops, batch, dim = inputs.hops, inputs.batch, inputs.dim
        entries = tables.new_empty(len(sentences) + plan.memory, inputs.memory_tables, dim)
        states = tables.new_zeros(hops + 1, batch, dim)
        weights = tables.new_zeros(hops, batch, 1, inputs.kept)
        values = tables.new_zeros(hops, batch, 1, dim)
        _function("memn2n_forward", tables.dtype)(
            byref(inputs), *_addresses(tables, carry, places, entries, states, weights, values)
        )
        ctx.plan = plan
        ctx.save_for_backward(
            *(tables, carry, places, sentences, story, time, question, entries, states, weights)
        )
        ctx.set_materialize_grads(False)
        return states[-1] @ tables[:, plan.answer].mT, weights, values

    @staticmethod
    @once_differentiable  # like the bags of words of the plain twin
    def backward(
        ctx: Any,
        grad_logits: Tensor | None,
        grad_weights: Tensor | None,
        grad_values: Tensor | None,
    ) -> tuple[Tensor | None, ...]:
        tables, carry, places, *indices, entries, states, weights = ctx.saved_tensors
        inputs = _inputs(ctx.plan, tables, places, *indices)
        inputs.kept = weights.shape[-1]
        grad_tables = torch.zeros_like(tables)
        grad_carry = None if carry is None else torch.zeros_like(carry)
        if grad_logits is None:
            grad_state = torch.zeros_like(states[-1])
        else:
            grad_state = grad_logits @ tables[:, ctx.plan.answer]
            grad_tables[:, ctx.plan.answer].addmm_(grad_logits.mT, states[-1])
        if grad_weights is not None:
            grad_weights = grad_weights.contiguous()
        if grad_values is not None:
            grad_values = grad_values.contiguous()
        read = (carry, places, entries, states, weights, grad_weights, grad_values)
        written = (grad_state, torch.zeros_like(entries), grad_tables, grad_carry)
        _function("memn2n_backward", tables.dtype)(byref(inputs), *_addresses(*read, *written))
        return grad_tables, grad_carry, *(None,) * 7


class _Inputs(ctypes.Structure):
    """Mirrors `Inputs` of memn2n.cpp, field by field."""

    _fields_ = (
        *((name, c_void_p) for name in ("sentences", "story", "time", "question")),
        *((name, POINTER(c_int64)) for name in ("key_tables", "value_tables")),
        *((name, c_int64) for name in ("batch", "slots", "kept", "sentence_count", "words")),
        *((name, c_int64) for name in ("question_words", "vocab", "memory", "tables")),
        *((name, c_int64) for name in ("memory_tables", "question_table", "dim", "places")),
        *((name, c_int64) for name in ("hops", "softmax", "room", "relu")),
    )


def _inputs(
    plan: Plan,
    tables: Tensor,
    places: Tensor,
    sentences: Tensor,
    story: Tensor,
    time: Tensor,
    question: Tensor,
) -> _Inputs:
    hops = len(plan.keys)
    return _Inputs(
        *_addresses(sentences, story, time, question),
        (c_int64 * hops)(*plan.keys),
        (c_int64 * hops)(*plan.values),
        *story.shape,
        0,  # kept, which is counted later
        *sentences.shape,
        question.shape[1],
        plan.vocab,
        plan.memory,
        tables.shape[1],
        max(*plan.keys, *plan.values) + 1,
        plan.question,
        tables.shape[2],
        len(places),
        hops,
        plan.softmax,
        plan.room,
        plan.relu,
    )


def _addresses(*tensors: Tensor | None) -> tuple[int | None, ...]:
    return tuple(None if tensor is None else tensor.data_ptr() for tensor in tensors)


@cache
def _function(name: str, dtype: torch.dtype | None = None) -> Any:
    found = getattr(native.library(), name if dtype is None else f"{name}_{_SUFFIX[dtype]}")
    arguments = {"memn2n_kept": 0, "memn2n_forward": 7, "memn2n_backward": 11}[name]
    found.argtypes = [c_void_p] * (1 + arguments)
    found.restype = c_int64 if name == "memn2n_kept" else None
    return found


def _are_plain(floats: tuple[Tensor, ...], indices: tuple[Tensor, ...]) -> bool:
    """Return whether all are ordinary tensors on the CPU, the floats of one precision."""
    dtype = floats[0].dtype
    return (
        all(type(part) in (Tensor, nn.Parameter) and part.is_cpu for part in (*floats, *indices))
        and dtype in _SUFFIX
        and all(part.dtype == dtype for part in floats)
        and all(index.dtype in _INTEGERS for index in indices)
    )


def _fit_together(
    plan: Plan,
    tables: Tensor,
    carry: Tensor | None,
    places: Tensor,
    sentences: Tensor,
    story: Tensor,
    time: Tensor,
    question: Tensor,
) -> bool:
    """Return whether the op would read and write inside of all tensors, whatever the indices."""
    rows, count, dim = tables.shape
    return (
        rows == plan.vocab + plan.memory
        and count > max(*plan.keys, *plan.values, plan.question, plan.answer)
        and places.shape[1] == dim
        and (carry is None or carry.shape == (dim, dim))
        and story.shape == time.shape
        and len(story) == len(question)
        and max(sentences.shape[1], question.shape[1]) <= len(places)
    )
