"""A memory outside the network that controls it: read and written at every step."""

from typing import Any, Literal, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from memnets.layers.controllers import Controller
from memnets.memories.external import native
from memnets.memories.external.addresses import Address, Looked
from memnets.memories.external.state import Beginning, ExternalState, Start
from memnets.memories.external.writes import Write
from memnets.ops.sizes import at_least, within


class Watched(NamedTuple):
    """A sequence, and what every step read and wrote.

    Attributes:
        output: what every step says.
        state: what is carried on.
        reading: how much the read heads took of each slot.
        writing: how much the write heads wrote to each slot.
        reads: what was read.
        memory: as every step left it.
    """

    output: Float[Tensor, "batch time hidden"]
    state: ExternalState
    reading: Float[Tensor, "batch time head slot"]
    writing: Float[Tensor, "batch time head slot"]
    reads: Float[Tensor, "batch time head dim"]
    memory: Float[Tensor, "batch time slot dim"]


class ControlledMemory(nn.Module):
    r"""A network and a memory of slots beside it, over sequences, in the place of `nn.LSTM`.

    $$ h_t = \mathrm{controller}([x_t; r_{t-1}], h_{t-1}), \qquad
       M_t = \mathrm{write}(M_{t-1}, h_t), \qquad r_t = \mathrm{read}(M_t, h_t) $$

    One linear map of $h_t$ says to all heads what they need; the output is $[h_t; r_t]$. How a head
    finds its slots is an `Address`, what is written there a `Write`: the Neural Turing Machine is
    one choice of them, and a softmax of any score another.

    Deviations: what is said to the heads is kept within 20 of zero, so that no number of theirs
    can overflow.

    Args:
        controller: fed the input and what was read; `fed` is read_heads x dim.
        slots: of the memory.
        dim: width of a slot.
        read: where the read heads look.
        write: what the write heads write.
        place: where the write heads write; None where the read heads stand.
        heads: how many read, and how many write.
        beginning: what a first step finds.
        order: whether the read heads address, and read, the memory that this step has written, or
            the one that it found.
        says: what the output is made of.
        clip: how far from zero what is said to the heads may be.

    Raises:
        ValueError: a size is below 1, the controller is fed another width, the clip is not above
            0, or the read heads' places are to be written to before there are any.
    """

    def __init__(
        self,
        controller: Controller,
        slots: int,
        dim: int,
        read: Address,
        write: Write,
        place: Address | None,
        heads: tuple[int, int] = (1, 1),
        beginning: Beginning = Beginning(),
        order: Literal["write first", "read first"] = "write first",
        says: Literal["state and reads", "state"] = "state and reads",
        clip: float = 20.0,
    ) -> None:
        super().__init__()
        name = type(self).__name__
        at_least(1, name, "Pass 128 slots of 20 numbers, say.", slots=slots, dim=dim)
        at_least(1, name, "Pass heads=(1, 1).", read_heads=heads[0], write_heads=heads[1])
        within(lambda x: x > 0, name, "a number above 0. Pass 20.", clip=clip)
        if controller.fed != heads[0] * dim:
            raise ValueError(
                f"{name}(controller fed {controller.fed}): expected {heads[0] * dim}, what "
                f"{heads[0]} read heads read of slots of {dim}. Build it with fed={heads[0] * dim}."
            )
        if place is None and (order == "write first" or heads[0] != heads[1]):
            raise ValueError(
                f"{name}(place=None, order={order!r}, heads={heads}): the write heads write where "
                f"the read heads stand, so these come first and are as many. Pass "
                f"order='read first' and heads=({heads[0]}, {heads[0]})."
            )
        self.controller, self.read, self.write, self.place = controller, read, write, place
        self.slots, self.dim, self.heads = slots, dim, heads
        self.order, self.says, self.clip = order, says, clip
        standing = (heads[0], 0 if place is None else heads[1])
        self.start = Start(slots, dim, standing, controller, beginning)
        self.said = (
            heads[0] * read.size,
            heads[1] * (write.size + (0 if place is None else place.size)),
        )
        self.interface = nn.Linear(controller.hidden, sum(self.said))

    @property
    def hidden(self) -> int:
        """Width of the output."""
        reads = self.heads[0] * self.dim if self.says == "state and reads" else 0
        return self.controller.hidden + reads

    def init_state(self, batch: int) -> ExternalState:
        """Return rows that have made no step; their first puts the start in place of zeros."""
        like, (reading, writing) = self.interface.weight, self.start.heads

        def looked(heads: int, address: Address | None) -> Looked:
            summed = self.slots if address is not None and address.looks_back else 0
            new = like.new_zeros
            return Looked(new(batch, heads, self.slots), new(batch, heads, summed))

        return ExternalState(
            like.new_zeros(batch, self.slots, self.dim),
            looked(reading, self.read),
            looked(writing, self.place),
            like.new_zeros(batch, reading, self.dim),
            self.controller.init_state(batch),
            torch.zeros(batch, dtype=torch.int64, device=like.device),
        )

    def forward(
        self, x: Float[Tensor, "batch time dim"], state: ExternalState | None = None
    ) -> tuple[Float[Tensor, "batch time hidden"], ExternalState]:
        """Run over a window of steps.

        Args:
            x: the inputs.
            state: what the window before returned; the start at first.

        Returns:
            What all steps say, and what is carried on.
        """
        state = self.init_state(len(x)) if state is None else state
        if not x.numel():
            return x.new_zeros(*x.shape[:2], self.hidden), state
        state = self.start(state)
        fast = native.run(self._parts(), x, state)
        if fast is not None:
            output, state = fast
            return output[..., : self.hidden], state
        output, state, _ = self._steps(x, state)
        return output, state

    def watch(
        self, x: Float[Tensor, "batch time dim"], state: ExternalState | None = None
    ) -> Watched:
        """Run over a window and keep what each step did; slower than `forward`."""
        state = self.start(self.init_state(len(x)) if state is None else state)
        output, state, steps = self._steps(x, state)
        writing = torch.stack([weights for _, weights in steps], 1)
        after = [one for one, _ in steps]
        return Watched(
            output,
            state,
            torch.stack([one.reading.weights for one in after], 1),
            writing,
            torch.stack([one.reads for one in after], 1),
            torch.stack([one.memory for one in after], 1),
        )

    def _parts(self) -> native.Parts:
        return native.Parts(
            *(self.controller, self.interface, self.read, self.write, self.place),
            *(self.heads, self.order, self.clip),
        )

    def _steps(
        self, x: Tensor, state: ExternalState
    ) -> tuple[Tensor, ExternalState, list[tuple[ExternalState, Tensor]]]:
        """Take the steps one by one; return also the state behind each, and where it wrote."""
        opened, says, steps = self.controller.opened(), [], []
        for given in self.controller.given(x).unbind(1):
            said, state, writing = self._step(opened, given, state)
            says.append(said)
            steps.append((state, writing))
        return torch.stack(says, 1), state, steps

    def _step(
        self, opened: Any, given: Tensor, state: ExternalState
    ) -> tuple[Tensor, ExternalState, Tensor]:
        fed = state.reads.flatten(1).to(given.dtype)
        h, controller = self.controller.step(opened, given, fed, state.controller)
        said = self.interface(h).clamp(-self.clip, self.clip)
        to_read, to_write = said.split(list(self.said), 1)
        memory, reading, writing = state.memory, state.reading, state.writing
        if self.order == "read first":
            reading = self._look(self.read, to_read, memory, reading, state)
            reads = _read(reading, memory)
            memory, writing, wrote = self._write(to_write, memory, reading, state)
        else:
            memory, writing, wrote = self._write(to_write, memory, reading, state)
            reading = self._look(self.read, to_read, memory, reading, state)
            reads = _read(reading, memory)
        after = ExternalState(memory, reading, writing, reads, controller, state.steps + 1)
        return self._output(h, reads), after, wrote

    def _output(self, h: Tensor, reads: Tensor) -> Tensor:
        """Return what is said of states and reads, of one step or of many."""
        return h if self.says == "state" else torch.cat([h, reads.flatten(-2).to(h.dtype)], -1)

    def _look(
        self, address: Address, said: Tensor, memory: Tensor, before: Looked, state: ExternalState
    ) -> Looked:
        heads = before.weights.shape[1]
        weights = address(said.unflatten(1, (heads, -1)), memory, before, state.steps)
        weights = weights.to(before.weights.dtype)
        return Looked(weights, before.coverage + weights if address.looks_back else before.coverage)

    def _write(
        self, said: Tensor, memory: Tensor, reading: Looked, state: ExternalState
    ) -> tuple[Tensor, Looked, Tensor]:
        """Return the memory written to, what the write heads carry, and where they wrote."""
        by_head, writing = said.unflatten(1, (self.heads[1], -1)), state.writing
        if self.place is None:
            return self.write(memory, reading.weights, by_head), writing, reading.weights
        where, what = by_head.split([self.place.size, self.write.size], -1)
        writing = self._look(self.place, where.flatten(1), memory, writing, state)
        return self.write(memory, writing.weights, what), writing, writing.weights


def _read(looked: Looked, memory: Tensor) -> Tensor:
    return looked.weights.to(memory.dtype) @ memory
