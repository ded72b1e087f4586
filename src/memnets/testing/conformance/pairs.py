"""What every pair of a score and an align must do, read through `Attention`."""

from copy import deepcopy
from dataclasses import replace

import torch
from torch import Tensor

from memnets.attention import Align, Attention, Readout, Score
from memnets.attention.aligns import Aligned
from memnets.testing.conformance.aligns import draws
from memnets.testing.conformance.claims import agree, claim, identical
from memnets.testing.conformance.inputs import BATCH, SLOTS, VALUE_DIM, Inputs
from memnets.testing.conformance.scores import example_with_inputs

MANY_QUERIES = 7
SPARE = (1, 3, 61)


def check_pair(score_class: type[Score], align_class: type[Align]) -> None:
    """Check `Attention(score, align)`: masks, padding, spare capacity, empty and half-wide reads.

    Raises:
        AssertionError: the pair breaks a rule; the text says which, where and by how much.
    """
    name = f"{score_class.__name__} with {align_class.__name__}"
    torch.manual_seed(0)
    inputs, score = example_with_inputs(score_class, MANY_QUERIES)
    attention = Attention(score, align_class.example()).double()
    _spare_capacity(attention, inputs, name)
    _nan_in_holes(attention, inputs, name)
    _nothing_to_read(attention, inputs, name)
    _no_rows_no_queries(attention, inputs, name)
    _keys_are_values(attention, inputs, name)
    _mask_broadcasts(attention, inputs, name)
    _half_precision(attention, inputs, name)
    if not _needs_context(attention, inputs):
        _shared_entries_are_laid_out(attention, name)
    scores = score(inputs.query, inputs.keys, inputs.context())
    if not draws(attention.align, scores, inputs):
        _a_row_is_its_own_memory(attention, inputs, name)
        _queries_are_a_loop(attention, inputs, name)
        _read_without_weights(attention, inputs, name)


def _read(attention: Attention, inputs: Inputs) -> Readout:
    return attention(inputs.query, inputs.keys, inputs.values, inputs.mask, inputs.context())


def _weights(readout: Readout, slots: int) -> Tensor:
    return Aligned(readout.weights, readout.indices).dense(slots)


def _read_with_gradients(
    attention: Attention, inputs: Inputs, watch: bool = False
) -> tuple[Readout, list[Tensor]]:
    """Return the readout and the gradients of queries, keys and values for a fixed loss.

    Watched, a step on the way back that gives NaN is an error. The way forth is never watched:
    torch would write down the stack at every op, a fifth of the whole check's time.
    """
    leaves = [
        tensor.detach().clone().requires_grad_()
        for tensor in (inputs.query, inputs.keys, inputs.values)
    ]
    query, keys, values = leaves
    readout = _read(attention, replace(inputs, query=query, keys=keys, values=values))
    loss = (readout.value * torch.linspace(-1, 2, VALUE_DIM).to(readout.value)).sum()
    with torch.autograd.set_detect_anomaly(watch):
        gradients = torch.autograd.grad(loss, leaves, allow_unused=True, materialize_grads=True)
    return readout, list(gradients)


def _spare_capacity(attention: Attention, inputs: Inputs, name: str) -> None:
    for dtype in (torch.float32, torch.float64):
        attention, inputs = deepcopy(attention).to(dtype), inputs.to(dtype)
        small, gradients = _read_with_gradients(attention, inputs)
        for room in SPARE:
            text = f"{name}: {room} spare slots full of NaN change"
            large, grown = _read_with_gradients(attention, inputs.grow(room))
            identical(large.value, small.value, f"{text} the value")
            weights = _weights(large, SLOTS + room)[..., :SLOTS]
            identical(weights, _weights(small, SLOTS), f"{text} the weights")
            for field, before, after in zip(
                ("query", "keys", "values"), gradients, grown, strict=True
            ):
                cut = after if field == "query" else after[..., :SLOTS, :]
                identical(cut, before, f"{text} the gradient of the {field}")


def _nan_in_holes(attention: Attention, inputs: Inputs, name: str) -> None:
    clean, gradients = _read_with_gradients(attention, inputs)
    poisoned, after = _read_with_gradients(attention, inputs.poison(), watch=True)
    text = f"{name}: NaN in unreadable slots changes"
    identical(poisoned.value, clean.value, f"{text} the value")
    identical(poisoned.weights, clean.weights, f"{text} the weights")
    for field, before, now in zip(("query", "keys", "values"), gradients, after, strict=True):
        identical(now, before, f"{text} the gradient of the {field}")


def _nothing_to_read(attention: Attention, inputs: Inputs, name: str) -> None:
    second_row_only = inputs.mask & torch.tensor([False, True])[:, None, None]
    cases = (
        ("in no row", inputs.hide_all(), slice(None)),
        ("in one row", replace(inputs, mask=second_row_only), slice(0, 1)),
    )
    for where, case, empty in cases:
        text = f"{name}: with nothing to read {where}"
        readout, gradients = _read_with_gradients(attention, case.poison(), watch=True)
        for field, tensor in (("value", readout.value), ("weights", readout.weights)):
            claim(bool((tensor[empty] == 0).all()), f"{text}, the {field} is not zero.")
        for field, gradient in zip(("query", "keys", "values"), gradients, strict=True):
            claim(bool((gradient[empty] == 0).all()), f"{text}, {field} have a gradient.")
        slots = _weights(readout, SLOTS).shape[-1]
        claim(slots == SLOTS, f"{text}, {slots} weights came, expected {SLOTS}.")


def _no_rows_no_queries(attention: Attention, inputs: Inputs, name: str) -> None:
    for what, case in (("rows", inputs.rows(slice(0, 0))), ("queries", inputs.ask(slice(0, 0)))):
        found = tuple(_read(attention, case).value.shape)
        expected = (*case.query.shape[:-1], VALUE_DIM)
        claim(found == expected, f"{name}: no {what} gave a value {found}, expected {expected}.")


def _keys_are_values(attention: Attention, inputs: Inputs, name: str) -> None:
    found = attention(inputs.query, inputs.keys, mask=inputs.mask, context=inputs.context())
    expected = _read(attention, replace(inputs, values=inputs.keys))
    identical(found.value, expected.value, f"{name}: without values the keys are read")


def _mask_broadcasts(attention: Attention, inputs: Inputs, name: str) -> None:
    for mask in (inputs.mask[:1], inputs.mask[1]):
        narrow = _read(attention, replace(inputs, mask=mask))
        whole = mask.expand(BATCH, MANY_QUERIES, SLOTS)
        wide = _read(attention, replace(inputs, mask=whole))
        text = f"{name}: a mask of shape {tuple(mask.shape)} is broadcast"
        agree(narrow.value, wide.value, text)
        agree(narrow.weights, wide.weights, text)


def _half_precision(attention: Attention, inputs: Inputs, name: str) -> None:
    sums_to = attention.align.sums_to
    for dtype in (torch.float16, torch.bfloat16):
        readout = _read(deepcopy(attention).to(dtype), inputs.to(dtype))
        text = f"{name}: in {dtype}"
        claim(readout.value.dtype == dtype, f"{text} the value is {readout.value.dtype}.")
        claim(bool(readout.value.isfinite().all()), f"{text} the value is not finite.")
        if sums_to is not None:
            sums = readout.weights.float().sum(-1)
            agree(sums, torch.full_like(sums, sums_to), f"{text} the weights' sum", 1e-3, 1e-3)


def _needs_context(attention: Attention, inputs: Inputs) -> bool:
    try:
        attention(inputs.query, inputs.keys, inputs.values, inputs.mask)
    except ValueError:
        return True
    return False


def _shared_entries_are_laid_out(attention: Attention, name: str) -> None:
    """Compare slots that are sums of shared entries with the same slots, each by itself."""
    inputs, _ = example_with_inputs(type(attention.score), 1)
    keys, values = inputs.keys[0], inputs.values[0]
    generator = torch.Generator().manual_seed(0)
    entries = torch.randint(0, SLOTS, (BATCH, SLOTS, 2), generator=generator)
    mask = inputs.mask & torch.tensor([True, False])[:, None, None]  # one row holds nothing
    slots = keys[entries].sum(-2), values[entries].sum(-2)
    shared = attention.attend_shared(inputs.query.squeeze(1), keys, values, entries, mask[:, 0])
    apart = attention(inputs.query, *slots, mask)
    text = f"{name}: shared entries = the slots laid out"
    agree(shared.value, apart.value, f"{text}, value")
    agree(_weights(shared, SLOTS), _weights(apart, SLOTS), f"{text}, weights")


def _a_row_is_its_own_memory(attention: Attention, inputs: Inputs, name: str) -> None:
    """Compare a ragged batch with each row read alone, its memory no longer than it need be."""
    whole = _read(attention, inputs)
    for row in range(BATCH):
        alone = inputs.row(row)
        length = int(alone.length)
        alone = alone.reorder(torch.arange(length))
        alone = replace(alone, positions=alone.positions[:length])
        readout = _read(attention, alone)
        text = f"{name}: row {row} of a ragged batch = the row alone"
        agree(whole.value[row], readout.value, f"{text}, value")
        weights = _weights(whole, SLOTS)[row]
        agree(weights[..., :length], _weights(readout, length), f"{text}, weights")


def _queries_are_a_loop(attention: Attention, inputs: Inputs, name: str) -> None:
    whole = _read(attention, inputs)
    for query in range(MANY_QUERIES):
        single = _read(attention, inputs.ask(slice(query, query + 1)))
        text = f"{name}: query {query} of {MANY_QUERIES} = the query alone"
        agree(whole.value[..., query : query + 1, :], single.value, f"{text}, value")
        agree(whole.weights[..., query : query + 1, :], single.weights, f"{text}, weights")


def _read_without_weights(attention: Attention, inputs: Inputs, name: str) -> None:
    """Compare `read`, which may take a fused kernel, with the value that `forward` reads."""
    for case in (inputs, inputs.poison(), inputs.hide_all()):
        found = attention.read(case.query, case.keys, case.values, case.mask, case.context())
        agree(found, _read(attention, case).value, f"{name}: read = the value of forward")
