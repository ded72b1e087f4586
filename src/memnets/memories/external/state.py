"""What an external memory carries from step to step, and what a first step finds."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.layers.controllers import Controller
from memnets.memories.external.addresses import Looked
from memnets.ops.sizes import at_least_one

CONSTANT = 1e-6
"""What every number of a memory is at first, where that is not learned (Collier and Beel, 2018)."""


class ExternalState(NamedTuple):
    """The memory and all that its heads and its controller carry; rows of any age side by side.

    A row that has made no step holds zeros: its first step puts the start in their place, so that
    a start that is learned is the weights' of that time, and has their gradient.

    Attributes:
        memory: $M_{t-1}$.
        reading: where the read heads looked.
        writing: where the write heads did.
        reads: $r_{t-1}$, what was read.
        controller: what the controller carries.
        steps: how many steps each row has made.
    """

    memory: Float[Tensor, "batch slot dim"]
    reading: Looked
    writing: Looked
    reads: Float[Tensor, "batch head dim"]
    controller: Any
    steps: Int[Tensor, " batch"]

    def detach(self) -> "ExternalState":
        return each(lambda tensor: tensor.detach(), self)

    def reset(self, rows: Bool[Tensor, " batch"]) -> "ExternalState":
        """Return a state whose marked rows begin anew."""
        return each(lambda part: part.masked_fill(_along(rows, part), 0), self)

    def index_select(self, index: Int[Tensor, " row"]) -> "ExternalState":
        """Return the rows in another order or number (beam search, batching)."""
        return each(lambda tensor: tensor.index_select(0, index), self)


def each(change: Callable[..., Tensor], state: Any, *others: Any) -> Any:
    """Return nested named tuples of one structure, a tensor made of every group of theirs."""
    if isinstance(state, Tensor):
        return change(state, *others)
    return type(state)(*(each(change, *parts) for parts in zip(state, *others, strict=True)))


def tensors(state: Any) -> Iterator[Tensor]:
    """Yield the tensors of nested named tuples, in order."""
    if isinstance(state, Tensor):
        yield state
    else:
        for part in state:
            yield from tensors(part)


@dataclass(frozen=True)
class Beginning:
    """What the paper leaves open about a sequence's first step.

    Attributes:
        memory: every number the same small one, which learns most easily (Collier and Beel,
            2018), or a slot's numbers each "learned", as in the paper.
        weights: where the heads stand: "learned", all at the "first" slot, or "uniform".
        carried: what was read, and what the controller carries: "learned", or "zeros".

    Raises:
        ValueError: nothing would tell one slot from another.
    """

    memory: Literal["constant", "learned"] = "constant"
    weights: Literal["learned", "first", "uniform"] = "learned"
    carried: Literal["learned", "zeros"] = "learned"

    def __post_init__(self) -> None:
        if (self.memory, self.weights) == ("constant", "uniform"):
            raise ValueError(
                "Beginning(memory='constant', weights='uniform'): all slots would be alike, and "
                "stay so for ever. Learn one of them, or begin at the first slot."
            )


class Start(nn.Module):
    """The state that a first step finds, one for all rows.

    Args:
        slots: of the memory.
        dim: width of a slot.
        heads: that read, and that write.
        controller: whose state it holds too.
        beginning: what of it is learned.

    Raises:
        ValueError: a size is below 1.
    """

    def __init__(
        self,
        slots: int,
        dim: int,
        heads: tuple[int, int],
        controller: Controller,
        beginning: Beginning,
    ) -> None:
        super().__init__()
        at_least_one("Start", slots=slots, dim=dim)
        self.shape, self.heads, self.beginning = (slots, dim), heads, beginning
        learned = beginning.carried == "learned"
        self.memory = _drawn(beginning.memory == "learned", slots, dim, scale=(slots + dim) ** -0.5)
        # Wide enough apart that a head stands somewhere rather than everywhere.
        stands = beginning.weights == "learned"
        self.reading = _drawn(stands, heads[0], slots, scale=1.0)
        self.writing = _drawn(stands, heads[1], slots, scale=1.0)
        self.reads = _drawn(learned, heads[0], dim, scale=0.05)
        carried = tensors(controller.init_state(1))
        self.carried = nn.ParameterList(
            _drawn(True, *part.shape[1:], scale=0.05) for part in carried if learned
        )

    def forward(self, state: ExternalState) -> ExternalState:
        """Return the state with the start in the rows that have made no step."""
        carried = iter(self.carried) if len(self.carried) else None
        start = ExternalState(
            self._remembered(state.memory),
            state.reading._replace(weights=self._stands(self.reading, state.reading.weights)),
            state.writing._replace(weights=self._stands(self.writing, state.writing.weights)),
            state.reads if self.reads is None else self.reads,
            state.controller
            if carried is None
            else each(lambda _: next(carried), state.controller),
            state.steps,
        )
        new = state.steps == 0
        return each(
            lambda old, first: torch.where(_along(new, old), first.to(old.dtype), old), state, start
        )

    def _remembered(self, like: Tensor) -> Tensor:
        return torch.full_like(like, CONSTANT) if self.memory is None else self.memory

    def _stands(self, logits: Tensor | None, like: Tensor) -> Tensor:
        if logits is not None:
            wide = logits.float() if logits.dtype.itemsize < 4 else logits
            return wide.softmax(-1)
        if self.beginning.weights == "uniform":
            return torch.full_like(like, 1 / self.shape[0])
        return (torch.arange(self.shape[0], device=like.device) == 0).expand_as(like)


def _drawn(learned: bool, *shape: int, scale: float) -> nn.Parameter | None:
    return nn.Parameter(scale * torch.randn(shape)) if learned else None


def _along(rows: Tensor, part: Tensor) -> Tensor:
    """Return marks of rows, so that they broadcast over the other axes."""
    return rows.view(-1, *(1,) * (part.ndim - 1))
