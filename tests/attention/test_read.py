"""Reading where nobody asks for the weights: by a fused kernel, by windows, or as ever."""

import pytest
import torch
from torch.testing import assert_close

from memnets.attention import (
    AlignContext,
    Attention,
    Cosine,
    Dot,
    General,
    LocalM,
    ScaledDot,
    Softmax,
    Sparsemax,
    attend,
)

QUERIES, SLOTS, DIM, VALUE = 97, 101, 7, 5
SCORES = {
    "dot": Dot(),
    "scaled dot": ScaledDot(),
    "general": General(DIM, DIM),
    "cosine": Cosine(),
}


def arrays(batch=(3,), queries=QUERIES, slots=SLOTS):
    query, keys = torch.randn(*batch, queries, DIM), torch.randn(*batch, slots, DIM)
    mask = torch.rand(*batch, 1, slots) < 0.8
    mask[0] = False  # one row has nothing to read
    return query.double(), keys.double(), torch.randn(*batch, slots, VALUE).double(), mask


def both(attention, query, keys, values, mask, context=AlignContext()):
    """Return value and gradients of `forward`, then of `read`."""
    for way in (lambda *given: attention(*given).value, attention.read):
        leaves = [part.clone().requires_grad_() for part in (query, keys, values)]
        value = way(*leaves, mask, context)
        outer = torch.linspace(-1, 2, value.numel()).view_as(value).to(value)
        yield [value, *torch.autograd.grad(value, leaves, outer)]


@pytest.fixture
def taken(monkeypatch):
    """Return a list that names the kernels as they are called."""
    calls = []
    for name in ("read_dot", "read_windows"):
        kernel = getattr(attend, name)

        def watched(*given, _name=name, _kernel=kernel, **named):
            calls.append(_name)
            return _kernel(*given, **named)

        monkeypatch.setattr(attend, name, watched)
    return calls


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("batch", [(3,), (3, 2)])
def test_a_softmax_of_inner_products_is_read_by_the_fused_kernel(score, batch, taken):
    attention = Attention(SCORES[score], Softmax()).double()
    forward, read = both(attention, *arrays(batch))
    assert taken == ["read_dot"]
    for expected, found in zip(forward, read, strict=True):
        assert_close(found, expected, rtol=1e-10, atol=1e-12)
    assert not read[0][0].any()


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("start", [0, 13])
def test_consecutive_local_steps_are_read_by_windows(score, start, taken):
    attention = Attention(SCORES[score], LocalM(window=2)).double()
    step = torch.arange(start, start + QUERIES).expand(3, -1)
    context = AlignContext(positions=torch.arange(SLOTS), step=step)
    forward, read = both(attention, *arrays(), context)
    assert "read_windows" in taken
    for expected, found in zip(forward, read, strict=True):
        assert_close(found, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    "change",
    [
        {"step": torch.arange(QUERIES).flip(0).expand(3, -1)},
        {"step": torch.stack([torch.arange(QUERIES) + row for row in range(3)])},
        {"positions": torch.arange(SLOTS).flip(0)},
        {"positions": 2 * torch.arange(SLOTS)},
        {"step": torch.arange(3)},
        {"step": 2},
    ],
    ids=["steps fall", "rows differ", "slots fall", "slots leap", "one a row", "one for all"],
)
def test_other_local_steps_are_read_as_ever(change, taken):
    attention = Attention(Dot(), LocalM(window=2))
    context = AlignContext(positions=torch.arange(SLOTS), step=torch.arange(QUERIES).expand(3, -1))
    forward, read = both(attention, *arrays(), context._replace(**change))
    assert taken == []
    for expected, found in zip(forward, read, strict=True):
        assert_close(found, expected)


class Halved(Dot):
    def match(self, *given):
        return super().match(*given) / 2


def hooked():
    score = Dot()
    score.register_forward_hook(lambda *given: None)
    return score


@pytest.mark.parametrize(
    "attention",
    [Attention(Halved(), Softmax()), Attention(Dot(), Sparsemax()), Attention(hooked(), Softmax())],
    ids=["another score", "another align", "a score that is watched"],
)
def test_anything_else_is_read_as_ever(attention, taken):
    forward, read = both(attention, *arrays())
    assert taken == []
    for expected, found in zip(forward, read, strict=True):
        assert_close(found, expected)


def test_without_a_mask_and_without_values():
    attention = Attention(ScaledDot(), Softmax())
    query, keys, _, _ = arrays()
    assert_close(attention.read(query, keys), attention(query, keys).value)


@pytest.mark.usefixtures("taken")
def test_nan_in_unreadable_slots_changes_nothing():
    attention = Attention(Dot(), Softmax())
    query, keys, values, mask = arrays()
    clean = attention.read(query, keys, values, mask)
    hole = ~mask.any(-2).unsqueeze(-1)
    poisoned = (part.masked_fill(hole, torch.nan) for part in (keys, values))
    assert torch.equal(attention.read(query, *poisoned, mask), clean)
