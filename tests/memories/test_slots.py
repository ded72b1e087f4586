import pytest

from memnets.memories import SlotMemory
from memnets.testing import check_memory


@pytest.mark.parametrize("slots", [1, 2, 7])
def test_slot_memory_conforms(slots):
    check_memory(SlotMemory(slots, key_dim=3, value_dim=5))


@pytest.mark.parametrize("field", ["slots", "key_dim", "value_dim"])
def test_a_size_of_zero_is_refused(field):
    sizes = {"slots": 7, "key_dim": 3, "value_dim": 5, field: 0}
    with pytest.raises(ValueError, match=rf"SlotMemory\({field}=0\): expected at least 1"):
        SlotMemory(**sizes)
