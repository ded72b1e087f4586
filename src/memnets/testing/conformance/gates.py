"""What every gate of an episodic memory must do."""

import torch
from torch import Tensor

from memnets.layers import Gate
from memnets.testing.conformance.claims import agree, claim
from memnets.testing.conformance.gradients import gradients_hold
from memnets.testing.conformance.inputs import SEED

ROWS, SLOTS, HIDDEN = 3, 7, 5


def check_gate(gate_class: type[Gate]) -> None:
    """Check a gate: its example must take slots, questions and memories 5 wide.

    Raises:
        AssertionError: the gate breaks a rule; the text says which, where and by how much.
    """
    name = gate_class.__name__
    torch.manual_seed(0)
    gate = gate_class.example(HIDDEN).double()
    draw = torch.Generator().manual_seed(SEED)
    slots = torch.randn(ROWS, SLOTS, HIDDEN, generator=draw).double()
    question, memory = torch.randn(2, ROWS, 1, HIDDEN, generator=draw).double()
    scores = gate(slots, question, memory)
    found = tuple(scores.shape)
    claim(found == (ROWS, SLOTS), f"{name}: shape {found} came, expected {(ROWS, SLOTS)}.")
    _counts_its_features(gate, slots, memory, name)
    _slots_are_scored_one_by_one(gate, slots, question, memory, name)
    _what_is_remembered_serves_every_hop(gate, slots, question, memory, name)
    _all_of_them_count(gate, slots, question, memory, name)
    _nothing_to_score(gate, slots, question, memory, name)
    # The first hop has m = q, and a slot may be the question itself: |f - q| has a kink there.
    kinked = slots.clone().requires_grad_()
    gate(kinked, kinked[:, :1], kinked[:, :1]).sum().backward()
    finite = kinked.grad is not None and bool(kinked.grad.isfinite().all())
    claim(finite, f"{name}: the gradient is not finite where a slot is the question.")
    gradients_hold(
        gate, lambda *leaves: gate(*leaves), (slots, question, memory), f"{name}: gradient"
    )


def _counts_its_features(gate: Gate, slots: Tensor, memory: Tensor, name: str) -> None:
    found = gate.shared(slots, memory).shape[-1], gate.alone(slots).shape[-1]
    by_question, by_memory, alone = gate.widths(HIDDEN)
    claim(
        found == (by_question, alone) and by_question == by_memory,
        f"{name}: {found} features came, `widths` says {(by_question, alone)}.",
    )


def _slots_are_scored_one_by_one(
    gate: Gate, slots: Tensor, question: Tensor, memory: Tensor, name: str
) -> None:
    whole = gate(slots, question, memory)
    for row in range(ROWS):
        for slot in range(SLOTS):
            one = gate(slots[row, slot], question[row, 0], memory[row, 0])
            agree(whole[row, slot], one, f"{name}: slot {slot} of row {row} by itself")


def _what_is_remembered_serves_every_hop(
    gate: Gate, slots: Tensor, question: Tensor, memory: Tensor, name: str
) -> None:
    known = gate.remember(slots, question)
    for hop in range(3):
        memory = memory + 1
        text = f"{name}: match(remember(...)) at hop {hop} = forward"
        agree(gate.match(known, memory), gate(slots, question, memory), text)


def _all_of_them_count(
    gate: Gate, slots: Tensor, question: Tensor, memory: Tensor, name: str
) -> None:
    scores = gate(slots, question, memory)
    others = {
        "slot": gate(slots + 1, question, memory),
        "question": gate(slots, question + 1, memory),
        "memory": gate(slots, question, memory + 1),
    }
    for changed, other in others.items():
        claim(not torch.equal(scores, other), f"{name}: another {changed} changes no score.")


def _nothing_to_score(
    gate: Gate, slots: Tensor, question: Tensor, memory: Tensor, name: str
) -> None:
    found = tuple(gate(slots[:, :0], question, memory).shape)
    claim(found == (ROWS, 0), f"{name}: no slots gave {found}.")
