"""What a slot memory must do."""

import torch
from torch import Tensor

from memnets.memories import SlotMemory, Slots
from memnets.testing.conformance.claims import claim, identical

BATCH = 3


def check_memory(memory: SlotMemory) -> None:
    """Check a slot memory against a Python list: written at the end, the oldest forgotten.

    Raises:
        AssertionError: the memory breaks a rule; the text says which, where and by how much.
    """
    torch.manual_seed(0)
    writes = [_write(memory) for _ in range(2 * memory.slots + 1)]
    _is_empty(memory.init_state(BATCH), memory)
    _keeps_the_newest(memory, writes)
    _nothing_is_written_in_place(memory, writes)
    _reset_empties_the_marked_rows(memory, writes)
    _rows_are_selected(memory, writes)
    _detach_stops_the_gradient(memory)


def _write(memory: SlotMemory) -> tuple[Tensor, Tensor]:
    return torch.randn(BATCH, memory.key_dim), torch.randn(BATCH, memory.value_dim)


def _run(memory: SlotMemory, writes: list[tuple[Tensor, Tensor]]) -> Slots:
    state = memory.init_state(BATCH)
    for key, value in writes:
        state = memory.step(state, key, value)
    return state


def _is_empty(state: Slots, memory: SlotMemory) -> None:
    claim(not bool(state.mask.any()), f"{memory}: a new memory has filled slots.")
    shapes = tuple(state.keys.shape), tuple(state.values.shape), tuple(state.mask.shape)
    expected = tuple(
        (BATCH, memory.slots, *width) for width in ((memory.key_dim,), (memory.value_dim,), ())
    )
    claim(shapes == expected, f"{memory}: shapes {shapes} came, expected {expected}.")


def _keeps_the_newest(memory: SlotMemory, writes: list[tuple[Tensor, Tensor]]) -> None:
    # Each row starts at its own write, so that rows are full at different times.
    state, kept = memory.init_state(BATCH), [list[tuple[Tensor, Tensor]]() for _ in range(BATCH)]
    for number, (key, value) in enumerate(writes):
        state = memory.step(state, key, value)
        late = torch.arange(BATCH) >= number + 1
        state = state.reset(late)
        for row in range(BATCH):
            kept[row] = [] if late[row] else [*kept[row], (key[row], value[row])][-memory.slots :]
        _equals_lists(state, kept, f"{memory} after {number + 1} writes")


def _equals_lists(state: Slots, kept: list[list[tuple[Tensor, Tensor]]], text: str) -> None:
    for row, slots in enumerate(kept):
        filled = torch.arange(state.mask.shape[-1]) < len(slots)
        identical(state.mask[row], filled, f"{text}: row {row}, filled slots")
        for slot, (key, value) in enumerate(slots):
            identical(state.keys[row, slot], key, f"{text}: row {row}, key of slot {slot}")
            identical(state.values[row, slot], value, f"{text}: row {row}, value of slot {slot}")


def _nothing_is_written_in_place(memory: SlotMemory, writes: list[tuple[Tensor, Tensor]]) -> None:
    state = _run(memory, writes[: memory.slots])
    before = [field.clone() for field in state]
    memory.step(state, *writes[-1])
    state.reset(torch.ones(BATCH, dtype=torch.bool))
    for name, field, kept in zip(Slots._fields, state, before, strict=True):
        identical(field, kept, f"{memory}: it wrote into the state it was given, {name}")


def _reset_empties_the_marked_rows(memory: SlotMemory, writes: list[tuple[Tensor, Tensor]]) -> None:
    state = _run(memory, writes)
    found = state.reset(torch.tensor([False, True, False]))
    for name, field, old, new in zip(
        Slots._fields, found, state, memory.init_state(BATCH), strict=True
    ):
        expected = torch.stack([old[0], new[1], old[2]])
        identical(field, expected, f"{memory}: after reset of row 1, {name}")


def _rows_are_selected(memory: SlotMemory, writes: list[tuple[Tensor, Tensor]]) -> None:
    state, index = _run(memory, writes), torch.tensor([2, 0, 0, 1, 2])
    for name, field, old in zip(Slots._fields, state.index_select(index), state, strict=True):
        identical(field, old[index], f"{memory}: index_select, {name}")


def _detach_stops_the_gradient(memory: SlotMemory) -> None:
    key, value = (tensor.requires_grad_() for tensor in _write(memory))
    state = memory.step(memory.init_state(BATCH), key, value)
    attached = state.keys.requires_grad and state.values.requires_grad
    claim(attached, f"{memory}: no gradient reaches what was written.")
    cut = state.detach()
    claim(
        not (cut.keys.requires_grad or cut.values.requires_grad),
        f"{memory}: detach() lets a gradient through.",
    )
