"""Keys apart from values, and a sequence that reads itself: against the notes' formulas."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

from memnets.attention import (
    Aligned,
    Attention,
    Dot,
    LocalM,
    Sampled,
    ScaledDot,
    SelfAttention,
    Softmax,
    TopK,
    causal_mask,
)
from memnets.reference import attention as loops
from memnets.reference import multihead as reference
from memnets.testing.conformance.inputs import SEED, draw

BATCH, WIDTH, SLOTS = 2, 5, 13


def array(tensor):
    return tensor.detach().numpy()


def dense(readout, slots=SLOTS):
    return Aligned(readout.weights, readout.indices).dense(slots)


def test_key_value_attention_is_the_notes_sum():
    """Weights from the keys, the value from the values: att = sum_n softmax(s(k_n, q)) v_n."""
    inputs = draw(7, 7)
    found = Attention(Dot(), Softmax())(inputs.query, inputs.keys, inputs.values, inputs.mask)
    for row, i in np.ndindex(BATCH, 3):
        scores = loops.dot(array(inputs.query[row, i]), array(inputs.keys[row]))
        shares = np.exp(scores) * array(inputs.mask[row, 0])
        expected = sum(w * v for w, v in zip(shares, array(inputs.values[row]), strict=True))
        np.testing.assert_allclose(array(found.value[row, i]), expected / shares.sum(), rtol=1e-10)


def sequence(**parts):
    torch.manual_seed(SEED)
    attention = Attention(parts.get("score", ScaledDot()), parts.get("align", Softmax()))
    return SelfAttention(attention, 7, WIDTH, 11).double(), torch.randn(BATCH, SLOTS, 7).double()


def matrices(reader):
    layers = reader.query_weight, reader.key_weight, reader.value_weight
    return [array(layer.weight) for layer in layers]


def compare_sequence(found, x, matrices):
    for row in range(BATCH):
        expected = reference.self_attention(array(x[row]).T, *matrices)
        np.testing.assert_allclose(array(found[row]).T, expected, rtol=1e-10, atol=1e-14)


def test_self_attention_is_the_notes_matrix_form():
    """Its items are columns, ours are rows."""
    reader, x = sequence()
    compare_sequence(reader(x).value, x, matrices(reader))


def test_no_step_reads_what_comes_after_it():
    reader, x = sequence()
    found = reader(x, causal_mask(SLOTS))
    assert not found.weights.triu(1).any()
    later = x.clone()
    later[:, 8:] = 0.0
    assert_close(reader(later, causal_mask(SLOTS)).value[:, :8], found.value[:, :8])
    assert_close(found.value[:, 0], reader.value_weight(x[:, 0]))
    assert causal_mask(2).tolist() == [[True, False], [True, True]]


@pytest.mark.parametrize("align", [Softmax(), TopK(3), Sampled()], ids=lambda a: type(a).__name__)
@pytest.mark.parametrize("room", [0, 1, 61])
def test_a_padded_sequence_is_the_same_to_the_bit(align, room):
    """List 14: NaN in holes and padding; a step that none may read asks nothing either."""
    reader, x = sequence(align=align)
    mask = draw().mask
    x = x.masked_fill(~mask.mT, torch.nan)

    def read(x, mask):
        leaf = x.clone().requires_grad_()
        readout = reader(leaf, mask, torch.Generator().manual_seed(SEED))
        value = readout.value.square().sum()
        moving = (leaf, *reader.parameters())
        # A sample passes no gradient to queries and keys.
        return readout, torch.autograd.grad(value, moving, materialize_grads=True)

    small, gradients = read(x.nan_to_num(), mask)
    pad = nn.functional.pad
    large, grown = read(pad(x, (0, 0, 0, room), value=torch.nan), pad(mask, (0, room)))
    assert large.value.shape == (BATCH, SLOTS + room, 11)
    assert torch.equal(large.value[:, :SLOTS], small.value)
    assert not large.value[:, SLOTS:].any()
    assert not large.value[:, :SLOTS].masked_fill(mask.mT, 0.0).any()
    assert torch.equal(dense(large, SLOTS + room)[:, :SLOTS, :SLOTS], dense(small))
    assert torch.equal(grown[0][:, :SLOTS], gradients[0])
    for after, before in zip(grown[1:], gradients[1:], strict=True):
        assert torch.equal(after, before)
    for chance in (small.log_prob, large.log_prob):
        assert (chance is None) == (not isinstance(align, Sampled))


def test_a_window_moves_along_the_sequence():
    """Places, steps and lengths are known without being told."""
    reader, x = sequence(align=LocalM(2))
    assert_close(reader(x).weights, reader(x).weights.tril(2).triu(-2))
    wide, _ = sequence(align=LocalM(SLOTS))
    assert_close(wide(x).value, sequence()[0](x).value)


def test_the_true_length_reaches_the_align(monkeypatch):
    reader, x = sequence()
    seen = []
    forward = Softmax.forward
    monkeypatch.setattr(Softmax, "forward", lambda *a: seen.append(a[3].length) or forward(*a))
    reader(x, torch.arange(SLOTS) < torch.tensor([[11], [6]]).unsqueeze(-1))
    reader(x)
    assert (seen[0].tolist(), seen[1]) == ([11, 6], SLOTS)


@pytest.mark.parametrize("size", ["dim", "key_dim", "value_dim"])
def test_a_sequence_of_no_width_is_refused(size):
    sizes = {"dim": 7, "key_dim": 5, "value_dim": 3} | {size: 0}
    with pytest.raises(ValueError, match=rf"SelfAttention\({size}=0\): expected at least 1"):
        SelfAttention(Attention(Dot(), Softmax()), **sizes)


def test_keys_made_by_the_matrix_of_queries_are_caught():
    """As the notes misprint it: k_i from W_q."""
    reader, x = sequence()
    right = matrices(reader)
    reader.key_weight = reader.query_weight
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        compare_sequence(reader(x).value, x, right)
