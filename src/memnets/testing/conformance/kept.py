"""What is carried from step to step, by whatever memory: what its state must do."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import torch
from torch import Tensor

from memnets.testing.conformance.claims import agree, claim, identical

BATCH, STEPS = 3, 7
Said = tuple[Tensor, ...]


class Kept(NamedTuple):
    """A memory, as these checks see it.

    Attributes:
        name: of it, for the texts.
        begin: returns the state of so many new rows.
        step: takes one step with the numbers of all rows; returns the state, and what is said.
        draw: returns the numbers that all rows are given at a step, with a gradient.
        scan: takes several steps at once; None where there is no such way.
    """

    name: str
    begin: Callable[[int], Any]
    step: Callable[[Any, Said], tuple[Any, Said]]
    draw: Callable[[], Said]
    scan: Callable[[Any, list[Said]], tuple[Any, Said]] | None = None


def check_kept(memory: Kept) -> None:
    """Check that the state is passed in and returned, row by row, and that nothing else is kept.

    Raises:
        AssertionError: a rule is broken; the text says which, where and by how much.
    """
    inputs = [memory.draw() for _ in range(2 * STEPS)]
    state, _ = _run(memory, memory.begin(BATCH), inputs[:STEPS])
    rest = inputs[STEPS:]
    _batch_comes_first(memory, state)
    _nothing_is_written_in_place(memory, state, rest[0])
    _a_marked_row_begins_anew(memory, state, rest)
    _rows_are_selected(memory, state, rest)
    _detach_stops_the_gradient(memory, state)
    if memory.scan is not None:
        _a_scan_is_its_steps(memory, state, rest)


def numbers(state: Any, name: str = "") -> Iterator[tuple[str, Tensor]]:
    """Yield the tensors of nested named tuples with their names."""
    if isinstance(state, Tensor):
        yield name, state
    elif state is not None:
        for field, part in zip(getattr(state, "_fields", range(len(state))), state, strict=True):
            yield from numbers(part, f"{name}.{field}" if name else str(field))


def _run(memory: Kept, state: Any, inputs: list[Said]) -> tuple[Any, list[Said]]:
    said = []
    for given in inputs:
        state, one = memory.step(state, given)
        said.append(one)
    return state, said


def _batch_comes_first(memory: Kept, state: Any) -> None:
    for name, part in numbers(state):
        fits = part.ndim > 0 and len(part) == BATCH
        claim(fits, f"{memory.name}: {name} has shape {tuple(part.shape)}, expected rows first.")


def _nothing_is_written_in_place(memory: Kept, state: Any, given: Said) -> None:
    before = [(name, part.detach().clone()) for name, part in numbers(state)]
    memory.step(state, given)
    state.reset(torch.ones(BATCH, dtype=torch.bool))
    state.index_select(torch.zeros(BATCH, dtype=torch.int64))
    for (name, kept), (_, part) in zip(before, numbers(state), strict=True):
        identical(
            part.detach(), kept, f"{memory.name}: it wrote into the state it was given, {name}"
        )


def _a_marked_row_begins_anew(memory: Kept, state: Any, rest: list[Said]) -> None:
    marked = torch.tensor([False, True, False])
    found = _run(memory, state.reset(marked), rest)
    old, new = _run(memory, state, rest), _run(memory, memory.begin(BATCH), rest)
    text = f"{memory.name}: after reset of row 1"
    for (name, part), (_, kept), (_, begun) in _together(found, old, new):
        agree(part[~marked], kept[~marked], f"{text}, {name} of the others")
        agree(part[marked], begun[marked], f"{text}, {name}")


def _rows_are_selected(memory: Kept, state: Any, rest: list[Said]) -> None:
    index = torch.tensor([2, 0, 0, 1, 2])
    chosen = [tuple(part[index] for part in given) for given in rest]
    found = _run(memory, state.index_select(index), chosen)
    for (name, part), (_, whole) in _together(found, _run(memory, state, rest)):
        agree(part, whole[index], f"{memory.name}: index_select, {name}")


def _detach_stops_the_gradient(memory: Kept, state: Any) -> None:
    attached = any(part.requires_grad for _, part in numbers(state))
    claim(attached, f"{memory.name}: no gradient reaches what was written.")
    for (name, part), (_, kept) in zip(numbers(state.detach()), numbers(state), strict=True):
        claim(not part.requires_grad, f"{memory.name}: detach() lets a gradient through, {name}.")
        identical(part, kept.detach(), f"{memory.name}: detach() changes {name}")


def _a_scan_is_its_steps(memory: Kept, state: Any, rest: list[Said]) -> None:
    assert memory.scan is not None
    end, said = _run(memory, state, rest)
    found, together = memory.scan(state, rest)
    for (name, part), (_, other) in zip(numbers(found), numbers(end), strict=True):
        agree(part, other, f"{memory.name}: all steps at once and one by one, {name}")
    for place, part in enumerate(together):
        steps = torch.stack([one[place] for one in said], 1)
        agree(part, steps, f"{memory.name}: what all steps at once say and one by one")


def _together(*runs: tuple[Any, list[Said]]) -> Iterator[tuple[tuple[str, Tensor], ...]]:
    """Yield what runs ended with and said, side by side."""
    yield from zip(*(_all_of(run) for run in runs), strict=True)


def _all_of(run: tuple[Any, list[Said]]) -> Iterator[tuple[str, Tensor]]:
    state, said = run
    yield from numbers(state)
    for step, parts in enumerate(said):
        for part in parts:
            yield f"what step {step} says", part
