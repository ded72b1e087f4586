"""Recurrent cores over unequal lengths, and fed ones, against torch's own."""

import pytest
import torch
from torch.testing import assert_close

from memnets.layers.recurrent import GRU, LSTM, FedLSTM, GRUState, LSTMState


def test_unequal_lengths_end_where_each_does():
    core, x, length = LSTM(3, 5, layers=2), torch.randn(4, 6, 3), torch.tensor([4, 6, 0, 1])
    states, end = core.read(x, length)
    for row, steps in enumerate(length.tolist()):
        assert not states[row, steps:].any()
        if not steps:
            assert not end.hidden[row].any()
            assert not end.cell[row].any()
            continue
        alone, last = core(x[row : row + 1, :steps], core.init_state(1))
        assert_close(states[row, :steps], alone[0])
        assert_close(end.hidden[row], last.hidden[0])
        assert_close(end.cell[row], last.cell[0])


def test_no_sequences_have_no_states():
    states, end = LSTM(3, 5, layers=2).read(torch.zeros(0, 6, 3), torch.zeros(0, dtype=torch.long))
    assert states.shape == (0, 6, 5)
    assert end.hidden.shape == (0, 2, 5)


def run(core, x, fed):
    """Return the outputs of a fed LSTM, step by step, and where it ends."""
    state, outputs, layers = core.init_state(len(x)), [], core.opened()
    for given, more in zip(core.given(x).unbind(1), fed.unbind(1), strict=True):
        output, state = core.feed(layers, given, more, state)
        outputs.append(output)
    return torch.stack(outputs, 1), state


def test_a_fed_lstm_is_torchs_over_both_inputs():
    """Values and the gradients of all weights."""
    core, x, fed = FedLSTM(3, 2, 5, layers=2), torch.randn(4, 6, 3), torch.randn(4, 6, 2)
    found, end = run(core, x, fed)
    expected, last = core(torch.cat([x, fed], -1), core.init_state(4))
    assert_close(found, expected)
    assert_close(end.cell, last.cell)
    outer, weights = torch.randn_like(found), list(core.parameters())
    for one, other in zip(
        torch.autograd.grad(found, weights, outer),
        torch.autograd.grad(expected, weights, outer),
        strict=True,
    ):
        assert_close(one, other, rtol=1e-4, atol=1e-5)
    swapped, _ = run(core, x, fed.flip(-1))
    assert not torch.allclose(swapped, expected)


def test_dropout_is_between_layers_and_in_training_only():
    core, x, fed = FedLSTM(3, 2, 5, 2, dropout=1.0), torch.randn(4, 6, 3), torch.randn(4, 6, 2)
    with torch.no_grad():
        for _, recurrent, bias, more in core.cells.all_weights:
            for weight in (recurrent, bias, more):
                weight.zero_()
    assert not run(core, x, fed)[0].any()  # nothing comes to the second layer
    assert run(core.eval(), x, fed)[0].any()
    assert run(FedLSTM(3, 2, 5, 1, dropout=1.0), x, fed)[0].any()


def test_a_width_of_nothing_is_refused():
    with pytest.raises(ValueError, match=r"FedLSTM\(fed=0\): expected at least 1"):
        FedLSTM(3, 0, 5)


@pytest.mark.parametrize("kind", [LSTMState, GRUState])
def test_states_are_detached_begun_anew_and_put_in_order_part_by_part(kind):
    parts = [torch.randn(4, 2, 5, requires_grad=True) for _ in kind._fields]
    state = kind(*parts)
    for part, whole in zip(state.detach(), parts, strict=True):
        assert not part.requires_grad
        assert torch.equal(part, whole)
    for part, whole in zip(
        state.reset(torch.tensor([True, False, True, False])), parts, strict=True
    ):
        assert not part[[0, 2]].any()
        assert torch.equal(part[[1, 3]], whole[[1, 3]])
    for part, whole in zip(state.index_select(torch.tensor([3, 0, 3])), parts, strict=True):
        assert torch.equal(part, whole[[3, 0, 3]])


@pytest.mark.parametrize("kind", [LSTM, GRU])
def test_windows_of_a_core_add_up_to_the_whole_and_its_state_is_of_every_layer(kind):
    core, x = kind(3, 5, layers=2), torch.randn(4, 6, 3)
    whole, end = core(x, core.init_state(4))
    first, between = core(x[:, :2], core.init_state(4))
    then, last = core(x[:, 2:], between)
    assert_close(torch.cat([first, then], 1), whole)
    assert_close(last, end)
    assert end.hidden.shape == (4, 2, 5)
    assert_close(end.hidden[:, -1], whole[:, -1])
    assert not any(part.any() for part in core.init_state(4))


@pytest.mark.parametrize("kind", [LSTM, GRU])
def test_dropout_of_a_core_is_told_to_torch_where_there_are_layers_between(kind):
    assert kind(3, 5, layers=2, dropout=0.25).cells.dropout == 0.25
    assert kind(3, 5, layers=1, dropout=0.25).cells.dropout == 0.0
    assert (kind(3, 5, layers=3).cells.num_layers, kind(3, 5).cells.hidden_size) == (3, 5)
    with pytest.raises(ValueError, match=rf"{kind.__name__}\(dropout=1.5\)"):
        kind(3, 5, dropout=1.5)
