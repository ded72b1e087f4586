"""A memory of zones against lists in Python: what it holds, which steps those were, what goes."""

import pytest
import torch
from torch.testing import assert_close

from memnets.memories import BlankZones, PaddedZones, ZoneMemory, Zones

HIDDEN, DIM = 3, 5
SIZES = [(1, 1), (1, 3), (3, 1), (2, 2), (3, 5), (11, 2), (23, 1)]


def to_key(values, filled):
    """Return a key that tells the filled states of a zone, and their number."""
    told = (torch.arange(values.shape[1]) < filled[:, None]).unsqueeze(-1)
    total = torch.where(told, values, 0.0).sum(1)
    return torch.cat([total, filled[:, None].to(total), filled[:, None].to(total) ** 2], 1)


class Lists:
    """One row of the same memory: zones of (step, state), the oldest first."""

    def __init__(self):
        self.zones, self.written = [], 0

    def write(self, value, memory):
        if self.written % memory.slots == 0:
            self.zones = [*self.zones, []][-memory.zones :]
        self.zones[-1] = [*self.zones[-1], (self.written, value)]
        self.written += 1

    def compare(self, state, memory, row):
        """Raise an AssertionError where a row of the memory differs; zeros are in the rest."""
        values = torch.zeros(memory.zones, memory.slots, HIDDEN).double()
        keys, steps = (
            torch.zeros(memory.zones, DIM).double(),
            -torch.ones(memory.zones, memory.slots),
        )
        for zone, slots in enumerate(self.zones):
            for slot, (step, value) in enumerate(slots):
                values[zone, slot], steps[zone, slot] = value, step
            keys[zone] = to_key(values[zone : zone + 1], torch.tensor([len(slots)]))[0]
        assert_close(state.values[row], values, rtol=0, atol=0)
        assert_close(state.keys[row], keys, rtol=0, atol=0)
        assert state.written[row] == self.written
        count = state.written[row : row + 1]
        assert memory.steps(count)[0].tolist() == steps.tolist()
        assert memory.readable(count)[0].tolist() == (steps >= 0).tolist()
        assert memory.filled(count)[0].tolist() == (steps >= 0).sum(-1).tolist()
        oldest = self.zones[0][0][0] if self.zones else 0
        assert memory.first(count)[0] * memory.slots == oldest


def empty(memory, batch):
    return memory.init_state(batch, HIDDEN, DIM, torch.zeros((), dtype=torch.float64))


def written(memory, steps, batch=3):
    """Return a memory after some writes, row r one write younger than row r - 1."""
    state = empty(memory, batch)
    for step in range(steps):
        state = memory.write(state, torch.randn(batch, HIDDEN).double(), to_key)
        state = state.reset(torch.arange(batch) > step)
    return state


@pytest.mark.parametrize(("zones", "slots"), SIZES)
def test_rows_of_any_age_are_lists(zones, slots):
    """Each row starts at its own write, so that rows open and forget zones at different times."""
    memory, rows = ZoneMemory(zones, slots), [Lists() for _ in range(3)]
    state = empty(memory, 3)
    for step in range(2 * zones * slots + 3):
        for row in range(3):
            rows[row].compare(state, memory, row)
        value = torch.randn(3, HIDDEN).double()
        state = memory.write(state, value, to_key)
        late = torch.arange(3) > step
        state = state.reset(late)
        for row in range(3):
            if late[row]:
                rows[row] = Lists()
            else:
                rows[row].write(value[row], memory)


@pytest.mark.parametrize("kind", [BlankZones, PaddedZones])
@pytest.mark.parametrize(("zones", "slots"), SIZES[:5])
def test_blank_zones_are_read_until_they_go_and_no_step_wrote_them(kind, zones, slots):
    """Each row starts at its own write, as it does anew when it is reset."""
    memory, state = kind(zones, slots), empty(kind(zones, slots), 3)
    rows = [[[-1] * slots] * zones] * 3  # the newest zone first
    for step in range(2 * zones * slots + 3):
        value = torch.full((3, HIDDEN), step + 1.0).double()
        late = torch.arange(3) > step
        state = memory.write(state, value, to_key).reset(late)
        for row in range(3):
            written = step - row
            if not late[row]:
                newest, *others = [[], *rows[row]] if written % slots == 0 else rows[row]
                rows[row] = [[*newest, written], *others][:zones]
            shown = [zone + [-1] * (slots - len(zone)) for zone in rows[row][::-1]]
            count = state.written[row : row + 1]
            assert memory.steps(count)[0].tolist() == shown
            assert memory.filled(count)[0].tolist() == [
                sum(one >= 0 for one in zone) for zone in shown
            ]
            full = [[slot < len(zone) for slot in range(slots)] for zone in rows[row][::-1]]
            every = [[True] * slots] * zones
            assert memory.readable(count)[0].tolist() == (full if kind is BlankZones else every)
            told = torch.tensor(shown) >= 0
            values = torch.where(told, torch.tensor(shown) + row + 1, 0)
            assert_close(state.values[row, ..., 0], values.double(), rtol=0, atol=0)
            assert state.written[row] == max(0, written + 1)
            assert not state.keys[row][~told.any(-1)].any()


@pytest.mark.parametrize(("zones", "slots"), SIZES)
def test_the_readable_steps_are_the_law_s(zones, slots):
    """Steps (max(1, m - N + 1) - 1) L to c - 1, where m = ceil(c / L)."""
    memory = ZoneMemory(zones, slots)
    for count in range(3 * zones * slots + 2):
        newest = -(-count // slots)
        law = list(range((max(1, newest - zones + 1) - 1) * slots, count))
        steps = memory.steps(torch.tensor([count])).flatten()
        assert steps[steps >= 0].tolist() == law


def test_what_an_empty_slot_holds_is_never_kept():
    memory = ZoneMemory(3, 5)
    for steps in (1, 4, 7, 15, 16, 23):
        state = written(memory, steps)
        hole = ~memory.readable(state.written)
        poisoned = state._replace(
            values=state.values.masked_fill(hole.unsqueeze(-1), torch.nan),
            keys=state.keys.masked_fill(
                ~memory.readable(state.written).any(-1)[..., None], torch.nan
            ),
        )
        value = torch.randn(3, HIDDEN).double()
        clean, found = (memory.write(each, value, to_key) for each in (state, poisoned))
        told = memory.readable(clean.written)
        assert torch.equal(clean.values[told], found.values[told])
        assert torch.equal(clean.keys[told.any(-1)], found.keys[told.any(-1)])


def test_only_the_newest_zone_s_key_is_made_anew():
    memory = ZoneMemory(3, 5)
    state = written(memory, 13, batch=1)
    for count in range(13, 29):
        after = memory.write(state, torch.randn(1, HIDDEN).double(), lambda v, f: to_key(v, f) + 1)
        moved = 1 if count >= 15 and count % 5 == 0 else 0
        newest = min(count // 5, 2)
        kept = state.keys[:, moved:]
        assert torch.equal(after.keys[:, :newest], kept[:, :newest])
        assert not torch.equal(after.keys[:, newest], kept[:, newest : newest + 1].squeeze(1))
        state = after


def test_nothing_is_written_in_place():
    memory = ZoneMemory(2, 3)
    state = written(memory, 5)
    before = [field.clone() for field in state]
    memory.write(state, torch.ones(3, HIDDEN).double(), to_key)
    state.reset(torch.tensor([True, False, True]))
    state.detach()
    assert all(map(torch.equal, state, before))


def test_reset_begins_anew():
    state = written(ZoneMemory(2, 3), 7).reset(torch.tensor([False, True, False]))
    fresh = empty(ZoneMemory(2, 3), 3)
    assert all(torch.equal(found[1], new[1]) for found, new in zip(state, fresh, strict=True))
    assert state.written.tolist() == [7, 0, 5]
    assert state.values[0].any()


def test_rows_are_selected():
    memory, index = ZoneMemory(2, 3), torch.tensor([2, 0, 0, 1])
    state, value = written(memory, 7), torch.randn(3, HIDDEN).double()
    first = memory.write(state.index_select(index), value[index], to_key)
    then = memory.write(state, value, to_key).index_select(index)
    assert isinstance(first, Zones)
    assert all(map(torch.equal, first, then))


def test_what_was_written_gets_gradient_until_it_is_forgotten_or_cut():
    memory, value = ZoneMemory(2, 2), torch.ones(1, HIDDEN).double().requires_grad_()
    state = memory.write(empty(memory, 1), value, to_key)
    other = torch.zeros(1, HIDDEN).double()
    for count in range(1, 6):
        (gradient,) = torch.autograd.grad(
            state.values.sum() + state.keys.sum(), value, retain_graph=True
        )
        # Once as a state and once in its zone's key, until the zone goes at the fifth write.
        assert gradient.tolist() == [[2.0 if count < 5 else 0.0] * HIDDEN]
        state = memory.write(state, other, to_key)
    cut = memory.write(empty(memory, 1), value, to_key).detach()
    assert not cut.values.requires_grad
    assert not cut.keys.requires_grad


def test_precision_is_that_of_the_model():
    memory = ZoneMemory(2, 3)
    state = memory.init_state(5, HIDDEN, DIM, torch.zeros((), dtype=torch.float16))
    assert (state.values.dtype, state.keys.dtype) == (torch.float16, torch.float16)
    assert (state.written.dtype, state.written.shape) == (torch.int64, (5,))


@pytest.mark.parametrize(("zones", "slots"), [(0, 3), (2, 0), (-1, 3)])
def test_a_memory_of_nothing_is_refused(zones, slots):
    said = r"ZoneMemory\((zones|slots)=(0|-1)\): expected at least 1\. A memory of nothing"
    with pytest.raises(ValueError, match=said):
        ZoneMemory(zones, slots)


# Faults. Each changes one thing; the comparison with the lists must then fail.


def forget_when_full(patch):
    """At the write that fills the memory, not at the next."""
    write = ZoneMemory.write

    def early(self, state, value, key):
        after = write(self, state, value, key)
        full = after.written % (self.zones * self.slots) == 0
        return after._replace(
            values=torch.where(full[:, None, None, None], after.values.roll(-1, 1), after.values)
        )

    patch.setattr(ZoneMemory, "write", early)


def forget_the_newest(patch):
    roll = torch.Tensor.roll
    patch.setattr(torch.Tensor, "roll", lambda self, shift, axis: roll(self, 0, axis))


def count_one_zone_more(patch):
    patch.setattr(ZoneMemory, "_opened", lambda self, count: count // self.slots + 1)


def open_a_zone_late(patch):
    first = ZoneMemory.first
    patch.setattr(ZoneMemory, "first", lambda self, count: first(self, (count - 1).clamp(min=0)))


def keep_the_count(patch):
    reset = Zones.reset
    patch.setattr(
        Zones, "reset", lambda self, rows: reset(self, rows)._replace(written=self.written)
    )


@pytest.mark.parametrize(
    "fault",
    [forget_when_full, forget_the_newest, count_one_zone_more, open_a_zone_late, keep_the_count],
)
def test_a_fault_is_caught(monkeypatch, fault):
    fault(monkeypatch)
    with pytest.raises(AssertionError):
        test_rows_of_any_age_are_lists(2, 2)
