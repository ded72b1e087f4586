import pytest
import torch
from torch.testing import assert_close

from memnets.attention import Attention, Dot, Softmax
from memnets.memories import SharedSlots, SlotMemory
from memnets.testing import check_memory


@pytest.mark.parametrize("slots", [1, 2, 7])
def test_slot_memory_conforms(slots):
    check_memory(SlotMemory(slots, key_dim=3, value_dim=5))


@pytest.mark.parametrize("field", ["slots", "key_dim", "value_dim"])
def test_a_size_of_zero_is_refused(field):
    sizes = {"slots": 7, "key_dim": 3, "value_dim": 5, field: 0}
    with pytest.raises(ValueError, match=rf"SlotMemory\({field}=0\): expected at least 1"):
        SlotMemory(**sizes)


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
