import pytest
import torch
from torch.testing import assert_close

from memnets.attention import (
    Additive,
    Aligned,
    Argmax,
    Attention,
    Dot,
    General,
    Softmax,
    Sparsemax,
    TopK,
)
from memnets.memories import SharedSlots, SlotMemory
from memnets.testing import check_memory


def name(part):
    return type(part).__name__


@pytest.mark.parametrize("slots", [1, 2, 7])
def test_slot_memory_conforms(slots):
    check_memory(SlotMemory(slots, key_dim=3, value_dim=5))


@pytest.mark.parametrize("field", ["slots", "key_dim", "value_dim"])
def test_a_size_of_zero_is_refused(field):
    sizes = {"slots": 7, "key_dim": 3, "value_dim": 5, field: 0}
    with pytest.raises(ValueError, match=rf"SlotMemory\({field}=0\): expected at least 1"):
        SlotMemory(**sizes)


@pytest.mark.parametrize("score", [Dot(), General(3, 3), Additive(3, 3, 5)], ids=name)
@pytest.mark.parametrize("align", [Softmax(), TopK(2), Argmax(), Sparsemax()], ids=name)
def test_any_attention_reads_shared_slots_as_it_does_laid_out(score, align):
    """Slots of one, two and three entries; a score that is linear in the keys, and one that not."""
    attention = Attention(score, align).double()
    keys, values, query = torch.randn(11, 3), torch.randn(11, 5), torch.randn(4, 3)
    for parts in (1, 2, 3):
        entries, mask = torch.randint(0, 11, (4, 7, parts)), torch.rand(4, 7) < 0.7
        mask[0], mask[1] = True, False
        shared = SharedSlots(keys.double(), values.double(), entries, mask)
        found = attention.attend_shared(query.double(), *shared)
        apart = shared.laid_out()
        expected = attention.attend(
            query.double().unsqueeze(1),
            attention.score.remember(apart.keys),
            apart.values,
            apart.mask.unsqueeze(1),
        )
        assert_close(found.value, expected.value)
        dense = (Aligned(read.weights, read.indices).dense(7) for read in (found, expected))
        assert_close(*dense)
        assert_close(found.scores[mask[:, None]], expected.scores[mask[:, None]])
        assert not found.value[1].any()


def test_shared_slots_read_as_they_do_laid_out():
    keys, values = torch.randn(11, 3).double(), torch.randn(11, 5).double()
    entries, mask = torch.randint(0, 11, (2, 7, 2)), torch.rand(2, 7) < 0.7
    mask[:, 0] = True
    shared, query = SharedSlots(keys, values, entries, mask), torch.randn(2, 3).double()
    attention = Attention(Dot(), Softmax())
    found = attention.attend_shared(query, *shared)
    apart = shared.laid_out()
    expected = attention(query.unsqueeze(1), apart.keys, apart.values, apart.mask.unsqueeze(1))
    assert_close(found.value, expected.value)
    assert_close(found.weights, expected.weights)
    assert not apart.values[~mask].any()
    assert not apart.keys[~mask].any()


def test_a_state_written_in_turn_is_read_by_attention():
    memory = SlotMemory(7, key_dim=3, value_dim=5)
    state = memory.init_state(2)
    key, value = torch.randn(2, 3), torch.randn(2, 5)
    state = memory.step(state, key, value)
    readout = Attention(Dot(), Softmax())(
        torch.randn(2, 1, 3), state.keys, state.values, state.mask.unsqueeze(-2)
    )
    assert_close(readout.value, value.unsqueeze(1))  # one slot is filled: all the weight is its
    assert readout.weights.tolist() == [[[1.0] + [0.0] * 6]] * 2


def test_a_full_memory_forgets_its_oldest_slot_and_no_row_waits_for_another():
    """Row 0 is written to five times, row 1 begins anew at the third: by lists."""
    memory = SlotMemory(3, key_dim=1, value_dim=2)
    state, rows = memory.init_state(2), [[], []]
    for number in range(1, 6):
        if number == 3:
            state, rows[1] = state.reset(torch.tensor([False, True])), []
        value = torch.tensor([[number, -number], [10 * number, 0]]).float()
        state = memory.step(state, value[:, :1], value)
        for row in range(2):
            rows[row] = [*rows[row], value[row].tolist()][-3:]
            free = 3 - len(rows[row])
            assert state.values[row].tolist() == rows[row] + [[0.0, 0.0]] * free
            assert state.keys[row].flatten().tolist() == [v for v, _ in rows[row]] + [0.0] * free
            assert state.mask[row].tolist() == [True] * len(rows[row]) + [False] * free


def test_rows_that_are_selected_and_a_state_that_is_cut_are_slots_still():
    """Names and all: whoever reads `.keys` of them gets the keys."""
    memory = SlotMemory(3, key_dim=1, value_dim=2)
    state = memory.step(memory.init_state(2), torch.ones(2, 1), torch.full((2, 2), 5.0))
    for found in (state.index_select(torch.tensor([1, 0])), state.detach()):
        assert type(found) is type(state)
        assert found.keys[:, 0].tolist() == [[1.0]] * 2
        assert found.values[:, 0].tolist() == [[5.0, 5.0]] * 2
        assert found.mask.tolist() == [[True, False, False]] * 2


def test_entries_of_holes_may_name_anything_that_there_is():
    """By hand: a slot is the sum of its entries, in keys and in values; a hole is nothing."""
    keys, values = torch.tensor([[1.0], [10.0], [100.0]]), torch.tensor([[2.0], [3.0], [5.0]])
    entries = torch.tensor([[[0, 1], [2, 2], [1, 1]]])
    mask = torch.tensor([[True, False, True]])
    apart = SharedSlots(keys, values, entries, mask).laid_out()
    assert apart.keys.flatten().tolist() == [11.0, 0.0, 20.0]
    assert apart.values.flatten().tolist() == [5.0, 0.0, 6.0]
    assert apart.mask.tolist() == mask.tolist()
