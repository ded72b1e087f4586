"""What every encoder of sequences must do."""

from copy import deepcopy

import torch
import torch.nn.functional as F
from torch import Tensor

from memnets.layers import Encoder
from memnets.testing.conformance.claims import agree, claim, identical
from memnets.testing.conformance.gradients import gradients_hold
from memnets.testing.conformance.inputs import SEED

ROWS, TIME, DIM = 3, 13, 5
LENGTHS = (11, 6, 0)
"""The first row is as long as any, but for two steps that nobody fills; the last holds nothing."""
SPARE = (1, 3, 61)


def check_encoder(encoder_class: type[Encoder]) -> None:
    """Check an encoder: its example must take steps 5 wide, and declare how far it sees.

    Raises:
        AssertionError: the encoder breaks a rule; the text says which, where and by how much.
    """
    name = encoder_class.__name__
    torch.manual_seed(0)
    encoder = encoder_class.example(DIM).double().eval()
    x = torch.randn(ROWS, TIME, DIM, generator=torch.Generator().manual_seed(SEED)).double()
    mask = torch.arange(TIME) < torch.tensor(LENGTHS).unsqueeze(-1)
    _shape(encoder, x, name)
    _nothing_is_written(encoder, x, mask, name)
    _masked_steps_are_zero(encoder, x, mask, name)
    _a_row_is_its_own_batch(encoder, x, mask, name)
    _padding_changes_nothing(encoder, x, mask, name)
    _holes_are_not_read(encoder, x, mask, name)
    _nothing_to_read(encoder, x, mask, name)
    _reach(encoder, x, name)
    gradients_hold(
        encoder, lambda leaf: encoder(leaf, mask[:2, :7]), (x[:2, :7],), f"{name}: gradient"
    )


def _shape(encoder: Encoder, x: Tensor, name: str) -> None:
    for rows, time in ((ROWS, TIME), (ROWS, 1), (0, TIME), (ROWS, 0)):
        found, expected = tuple(encoder(x[:rows, :time]).shape), (rows, time, encoder.hidden)
        claim(found == expected, f"{name}: shape {found} came, expected {expected}.")


def _nothing_is_written(encoder: Encoder, x: Tensor, mask: Tensor, name: str) -> None:
    before = x.clone(), mask.clone()
    encoder(x, mask)
    encoder(x)
    identical(x, before[0], f"{name}: it wrote into the caller's x")
    identical(mask, before[1], f"{name}: it wrote into the caller's mask")


def _masked_steps_are_zero(encoder: Encoder, x: Tensor, mask: Tensor, name: str) -> None:
    found = encoder(x, mask)
    claim(bool((found[~mask] == 0).all()), f"{name}: a masked step is not zero.")
    claim(bool(found[mask].any(-1).all()), f"{name}: a readable step is zero.")


def _a_row_is_its_own_batch(encoder: Encoder, x: Tensor, mask: Tensor, name: str) -> None:
    whole = encoder(x, mask)
    for row, length in enumerate(LENGTHS[:2]):
        alone = encoder(x[row : row + 1, :length])
        text = f"{name}: row {row} of a ragged batch = the row alone"
        agree(whole[row : row + 1, :length], alone, text)


def _padding_changes_nothing(encoder: Encoder, x: Tensor, mask: Tensor, name: str) -> None:
    """Compare values and gradients bit for bit, the padding full of NaN."""
    for dtype in (torch.float32, torch.float64):
        twin, short = deepcopy(encoder).to(dtype), x.to(dtype)
        expected = _with_gradients(twin, short.masked_fill(~mask.unsqueeze(-1), 0.0), mask)
        for room in (0, *SPARE):
            text = f"{name}: NaN in padding, with {room} more steps of it, changes"
            poisoned = short.masked_fill(~mask.unsqueeze(-1), torch.nan)
            longer = F.pad(poisoned, (0, 0, 0, room), value=torch.nan)
            found = _with_gradients(twin, longer, F.pad(mask, (0, room), value=False))
            identical(found[0][:, :TIME], expected[0], f"{text} what comes out")
            identical(found[1][:, :TIME], expected[1], f"{text} the gradient of x")
            for number, (one, other) in enumerate(zip(found[2:], expected[2:], strict=True)):
                identical(one, other, f"{text} the gradient of weight {number}")


def _with_gradients(encoder: Encoder, x: Tensor, mask: Tensor) -> list[Tensor]:
    leaf = x.detach().clone().requires_grad_()
    found = encoder(leaf, mask)
    # Weighted, and over the readable steps only: a sum of normalised steps would not move.
    loss = (found * torch.linspace(-1, 2, found.shape[-1]).to(found))[mask].sum()
    return [found.detach(), *torch.autograd.grad(loss, (leaf, *encoder.parameters()))]


def _holes_are_not_read(encoder: Encoder, x: Tensor, mask: Tensor, name: str) -> None:
    holey = mask.clone()
    holey[0, 4] = False
    twice = [encoder(x.index_fill(1, torch.tensor(4), value), holey) for value in (0.0, torch.nan)]
    identical(twice[1][0], twice[0][0], f"{name}: a masked step within a sequence is read")


def _nothing_to_read(encoder: Encoder, x: Tensor, mask: Tensor, name: str) -> None:
    for where, empty in (("in one row", mask), ("in no row", torch.zeros_like(mask))):
        leaf = x.detach().clone().requires_grad_()
        loss = encoder(leaf, empty).square().sum()
        with torch.autograd.set_detect_anomaly(True):  # not before: every op's stack is kept then
            (gradient,) = torch.autograd.grad(loss, leaf)
        text = f"{name}: with nothing to read {where},"
        claim(bool((gradient[~empty.any(-1)] == 0).all()), f"{text} x has a gradient.")


def _reach(encoder: Encoder, x: Tensor, name: str) -> None:
    """Compare which steps each one depends on with the declared reach."""
    leaf = x[:1].detach().clone().requires_grad_()
    encoded = encoder(leaf)
    before, after = encoder.reach
    for step in range(TIME):
        loss = (encoded[:, step] * torch.linspace(-1, 2, encoder.hidden).double()).sum()
        (gradient,) = torch.autograd.grad(loss, leaf, retain_graph=True)
        for other in range(TIME):
            seen, should = bool(gradient[0, other].any()), -before <= other - step <= after
            claim(
                seen == should,
                f"{name}: reach is {encoder.reach}, but step {step} "
                f"{'sees' if seen else 'does not see'} step {other}.",
            )
