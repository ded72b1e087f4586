"""What a memory must do: what is carried from step to step, and what a row of slots keeps of it."""

from typing import Any

import torch
from torch import Tensor, nn

from memnets.memories import SlotMemory, Slots, ZoneMemory
from memnets.testing.conformance.claims import claim, identical
from memnets.testing.conformance.kept import Kept, Said, check_kept

BATCH = 3


def check_memory(memory: Any, dim: int | None = None) -> None:
    """Check a memory: its state is passed in and returned, row by row.

    A row that is reset begins anew, rows can be selected, `detach` stops the gradient, nothing is
    written in place, and a window is the same as its steps one by one. A `SlotMemory` is also
    compared with a Python list: written at the end, the oldest forgotten.

    Args:
        memory: a `SlotMemory`, a `ZoneMemory`, or a core: a module with `init_state(batch)` and
            `forward(x (batch, time, dim), state) -> (output, state)`, in float64.
        dim: width of a core's input.

    Raises:
        AssertionError: the memory breaks a rule; the text says which, where and by how much.
        ValueError: a core came without the width of its input.
    """
    torch.manual_seed(0)
    if isinstance(memory, SlotMemory):
        _check_slots(memory)
        check_kept(_slots(memory))
    elif isinstance(memory, ZoneMemory):
        check_kept(_zones(memory))
    elif dim is None:
        raise ValueError(
            f"check_memory({type(memory).__name__}): a core came without the width of its input. "
            f"Pass check_memory(core, dim=5), with the width that it was built for."
        )
    else:
        check_kept(_core(memory, dim))


def _slots(memory: SlotMemory) -> Kept:
    def step(state: Slots, given: Said) -> tuple[Slots, Said]:
        return memory.step(state, *given), ()

    def draw() -> Said:
        return tuple(part.requires_grad_() for part in _write(memory))

    return Kept(str(memory), memory.init_state, step, draw)


def _zones(memory: ZoneMemory, hidden: int = 2) -> Kept:
    def to_key(values: Tensor, filled: Tensor) -> Tensor:
        return torch.cat([values.sum(1), filled[:, None].to(values)], 1)

    def begin(batch: int) -> Any:
        return memory.init_state(batch, hidden, hidden + 1, torch.zeros((), dtype=torch.float64))

    def step(state: Any, given: Said) -> tuple[Any, Said]:
        return memory.write(state, given[0], to_key), ()

    def draw() -> Said:
        return (torch.randn(BATCH, hidden, dtype=torch.float64, requires_grad=True),)

    return Kept(str(memory), begin, step, draw)


def _core(core: nn.Module, dim: int) -> Kept:
    made: Any = core

    def step(state: Any, given: Said) -> tuple[Any, Said]:
        output, state = made(given[0].unsqueeze(1), state)
        return state, (output.squeeze(1),)

    def scan(state: Any, given: list[Said]) -> tuple[Any, Said]:
        output, state = made(torch.stack([one for (one,) in given], 1), state)
        return state, (output,)

    def draw() -> Said:
        return (torch.randn(BATCH, dim, dtype=torch.float64, requires_grad=True),)

    return Kept(type(core).__name__, made.init_state, step, draw, scan)


def _check_slots(memory: SlotMemory) -> None:
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
