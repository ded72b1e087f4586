"""What every align must do."""

from copy import deepcopy
from dataclasses import replace

import torch
from torch import Tensor

from memnets.attention import Align
from memnets.testing.conformance.claims import agree, claim, identical
from memnets.testing.conformance.gradients import gradients_hold
from memnets.testing.conformance.inputs import BATCH, QUERIES, SEED, SLOTS, Inputs, draw, shuffled


def check_align(align_class: type[Align]) -> None:
    """Check an align: its example must take queries 5 wide and 13 slots.

    An align that draws (it needs the context's generator) is held to repeat itself with the same
    generator; that a batch is a loop is asked only of the others.

    Raises:
        AssertionError: the align breaks a rule; the text says which, where and by how much.
    """
    name = align_class.__name__
    torch.manual_seed(0)
    align, inputs, scores = align_class.example().double(), draw(), _scores()
    ragged = _ragged_mask()
    _nothing_is_written(align, scores, ragged, inputs, name)
    _unreadable_slots_get_nothing(align, scores, ragged, inputs, name)
    _same_generator_same_weights(align, scores, ragged, inputs, name)
    _unreadable_scores_do_not_matter(align, scores, ragged, inputs, name)
    _sum(align, scores, ragged, inputs, name)
    _order(align, scores, inputs, name)
    _mask_broadcasts(align, scores, inputs, name)
    _half_precision(align, scores, ragged, inputs, name)
    if not draws(align, scores, inputs):
        _batch_is_a_loop(align, scores, ragged, inputs, name)
    _passes_gradient(align, scores, ragged, inputs, name)
    _gradients(align, scores, ragged, inputs, name)


def draws(align: Align, scores: Tensor, inputs: Inputs) -> bool:
    """Return whether an align draws: it does if it will not do without a generator."""
    try:
        align.align(scores, None, inputs.context()._replace(generator=None))
    except ValueError:
        return True
    return False


def _scores() -> Tensor:
    generator = torch.Generator().manual_seed(SEED + 1)
    return torch.randn(BATCH, QUERIES, SLOTS, generator=generator, dtype=torch.float64)


def _ragged_mask() -> Tensor:
    """Return a mask with holes, one slot only in one row and nothing at all in another."""
    mask = torch.rand(BATCH, QUERIES, SLOTS, generator=torch.Generator().manual_seed(SEED)) < 0.7
    mask[0, 1], mask[1, 2] = False, False
    mask[0, 1, 4] = True
    return mask


def _weights(align: Align, scores: Tensor, mask: Tensor | None, inputs: Inputs) -> Tensor:
    return align.align(scores, mask, inputs.context()).dense(scores.shape[-1])


def _nothing_is_written(
    align: Align, scores: Tensor, mask: Tensor, inputs: Inputs, name: str
) -> None:
    kept = scores.clone(), mask.clone(), inputs.previous.clone()
    _weights(align, scores, mask, inputs)
    identical(scores, kept[0], f"{name}: it wrote into the caller's scores")
    identical(mask, kept[1], f"{name}: it wrote into the caller's mask")
    identical(inputs.previous, kept[2], f"{name}: it wrote into the caller's previous weights")


def _same_generator_same_weights(
    align: Align, scores: Tensor, mask: Tensor, inputs: Inputs, name: str
) -> None:
    first = _weights(align, scores, mask, inputs)
    text = "the same generator gives the same weights, whatever the global seed"
    torch.manual_seed(1)
    identical(_weights(align, scores, mask, inputs), first, f"{name}: {text}")
    identical(_weights(deepcopy(align), scores, mask, inputs), first, f"{name}: a deep copy")


def _unreadable_scores_do_not_matter(
    align: Align, scores: Tensor, mask: Tensor, inputs: Inputs, name: str
) -> None:
    found = _weights(align, scores.masked_fill(~mask, 50.0), mask, inputs)
    expected = _weights(align, scores, mask, inputs)
    identical(found, expected, f"{name}: what unreadable slots score changes other weights")


def _unreadable_slots_get_nothing(
    align: Align, scores: Tensor, mask: Tensor, inputs: Inputs, name: str
) -> None:
    # Unreadable slots have the largest scores: a mask that only lowers them a little shows.
    tempting = scores.masked_fill(~mask, 50.0)
    weights = _weights(align, tempting, mask, inputs)
    claim(bool(weights.isfinite().all()), f"{name}: a weight is not finite.")
    zero = torch.zeros_like(weights)
    identical(weights.masked_fill(mask, 0.0), zero, f"{name}: unreadable slots have weight 0")
    leaf = tempting.clone().requires_grad_()
    outputs = _differentiable(align, leaf, mask, inputs)
    if not outputs:
        return
    # Not a plain sum: that of a row's weights is a constant and has no gradient.
    loss = torch.stack([(output * output.detach().cos()).sum() for output in outputs]).sum()
    with torch.autograd.set_detect_anomaly(True):  # not before: every op's stack is kept then
        (gradient,) = torch.autograd.grad(loss, leaf)
    claim(bool(gradient.isfinite().all()), f"{name}: a gradient is not finite.")
    text = f"{name}: unreadable slots have a gradient of 0"
    identical(gradient.masked_fill(mask, 0.0), zero, text)


def _differentiable(
    align: Align, scores: Tensor, mask: Tensor, inputs: Inputs
) -> tuple[Tensor, ...]:
    """Return everything that has a gradient: weights, log-probability, entropy."""
    aligned = align.align(scores, mask, inputs.context())
    outputs = aligned.dense(SLOTS), aligned.log_prob, aligned.entropy
    return tuple(output for output in outputs if output is not None and output.requires_grad)


def _sum(align: Align, scores: Tensor, mask: Tensor, inputs: Inputs, name: str) -> None:
    whole = _weights(align, scores, None, inputs).sum(-1).detach()
    ragged = _weights(align, scores, mask, inputs).sum(-1).detach()
    if align.sums_to is None:
        sums = torch.cat([whole.flatten(), ragged[mask.any(-1)]])
        text = f"sums_to is None, but all rows sum to {float(sums[0]):.9g}: declare it."
        claim(not torch.allclose(sums, sums[0].expand_as(sums)), f"{name}: {text}")
    else:
        text = f"{name}: a readable row sums to {align.sums_to:g} (sums_to)"
        agree(whole, torch.full_like(whole, align.sums_to), text)
        agree(ragged, align.sums_to * mask.any(-1), text)


def _order(align: Align, scores: Tensor, inputs: Inputs, name: str) -> None:
    if draws(align, scores, inputs):
        return
    order = shuffled(SLOTS)
    for mask in (None, inputs.mask):
        moved = inputs.reorder(order)
        here = None if mask is None else moved.mask
        found = _weights(align, scores[..., order], here, moved)
        expected = _weights(align, scores, mask, inputs)[..., order]
        if not align.depends_on_positions:
            text = f"{name}: slots have no order (depends_on_positions is False)"
            agree(found, expected, text)
        else:
            claim(
                not torch.allclose(found, expected),
                f"{name}: depends_on_positions is True, but another order changed nothing.",
            )


def _mask_broadcasts(align: Align, scores: Tensor, inputs: Inputs, name: str) -> None:
    for mask in (inputs.mask, inputs.mask[:1], inputs.mask[1].expand(QUERIES, SLOTS)):
        whole = mask.expand(BATCH, QUERIES, SLOTS)
        found, expected = (_weights(align, scores, each, inputs) for each in (mask, whole))
        agree(found, expected, f"{name}: a mask of shape {tuple(mask.shape)} is broadcast")


def _half_precision(align: Align, scores: Tensor, mask: Tensor, inputs: Inputs, name: str) -> None:
    for dtype in (torch.float16, torch.bfloat16):
        half, wide = scores.to(dtype), scores.to(dtype).float()
        found = _weights(deepcopy(align).float(), half, mask, inputs.to(torch.float32))
        expected = _weights(deepcopy(align).float(), wide, mask, inputs.to(torch.float32))
        text = f"{name}: scores in {dtype}, weights computed in float32"
        agree(found, expected, text, rtol=1e-6, atol=1e-6)


def _batch_is_a_loop(align: Align, scores: Tensor, mask: Tensor, inputs: Inputs, name: str) -> None:
    whole = _weights(align, scores, mask, inputs)
    rows = [_weights(align, scores[b], mask[b], inputs.row(b)) for b in range(BATCH)]
    agree(whole, torch.stack(rows), f"{name}: a batch = a loop over its rows")
    singles = [
        _weights(align, scores[:, i : i + 1], mask[:, i : i + 1], inputs.ask(slice(i, i + 1)))
        for i in range(QUERIES)
    ]
    agree(whole, torch.cat(singles, -2), f"{name}: queries = a loop over queries")


def _passes_gradient(align: Align, scores: Tensor, mask: Tensor, inputs: Inputs, name: str) -> None:
    found = _weights(align, scores.clone().requires_grad_(), mask, inputs).requires_grad
    text = f"passes_gradient is {align.passes_gradient}, but the weights' requires_grad is {found}."
    claim(found == align.passes_gradient, f"{name}: {text}")


def _gradients(align: Align, scores: Tensor, mask: Tensor, inputs: Inputs, name: str) -> None:
    """Hold weights to the gradient of their relaxed form, and all else to finite differences."""

    def relaxed(leaf: Tensor, query: Tensor) -> tuple[Tensor, ...]:
        _, *others = align.align(leaf, mask, replace(inputs, query=query).context())[1:]
        outputs = others if not align.passes_gradient else [soft(leaf, query), *others]
        return tuple(output for output in outputs if output is not None)

    def soft(leaf: Tensor, query: Tensor) -> Tensor:
        return align.relaxed(leaf, mask, replace(inputs, query=query).context())

    if align.passes_gradient:
        leaf = scores.clone().requires_grad_()
        weights = _weights(align, leaf, mask, inputs)
        outer = torch.linspace(-1, 2, weights.numel()).to(weights).reshape(weights.shape)
        found, expected = (
            torch.autograd.grad((output * outer).sum(), leaf)[0]
            for output in (weights, soft(leaf, inputs.query))
        )
        agree(found, expected, f"{name}: the gradient of the weights = that of relaxed")
    if relaxed(scores, inputs.query):
        gradients_hold(align, relaxed, (scores, inputs.query), f"{name}: gradient")
