"""An external memory over a window by the C++ op, where its parts are those that the op knows."""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from memnets.attention import KeyStrengthCosine, Softmax
from memnets.layers.controllers import Controller, FeedForward, LSTMController
from memnets.layers.recurrent import LSTMState
from memnets.memories.external.addresses import (
    Address,
    ByContent,
    ByContentAndLocation,
    ShiftNearby,
)
from memnets.memories.external.state import ExternalState
from memnets.memories.external.writes import EraseAdd, Write
from memnets.ops import ntm as op
from memnets.ops.twins import is_watched


class Parts(NamedTuple):
    """What a memory is made of, in the order of its own arguments."""

    controller: Controller
    interface: nn.Linear
    read: Address
    write: Write
    place: Address | None
    heads: tuple[int, int]
    order: str
    clip: float


def run(
    parts: Parts, x: Float[Tensor, "batch time dim"], state: ExternalState
) -> tuple[Tensor, ExternalState] | None:
    """Return h and what was read of all steps, and what is carried on.

    None where only the plain twin will do. The start is in its place already.
    """
    plan, fed = _plan(parts), _fed(parts.controller)
    if plan is None or fed is None:
        return None
    carried = state.controller
    hidden = carried.hidden[:, 0] if plan.lstm else x.new_zeros(len(x), parts.controller.hidden)
    ran = op.run(
        plan,
        op.NTMWindow(
            parts.controller.given(x),
            fed,
            parts.interface.weight,
            parts.interface.bias,
            state.memory,
            state.reading.weights,
            state.writing.weights,
            torch.cat([hidden, state.reads.flatten(1)], 1),
            carried.cell[:, 0] if plan.lstm else hidden[:, :0],
        ),
    )
    if ran is None:
        return None
    h, reads = ran.output[:, -1].split([hidden.shape[1], state.reads[0].numel()], 1)
    after = ExternalState(
        ran.memory,
        state.reading._replace(weights=ran.reading),
        state.writing._replace(weights=ran.writing),
        reads.view_as(state.reads),
        LSTMState(h.unsqueeze(1), ran.cell.unsqueeze(1)) if plan.lstm else carried,
        state.steps + x.shape[1],
    )
    return ran.output, after


def _plan(parts: Parts) -> op.NTMPlan | None:
    read, place, write = parts.read, parts.place, parts.write
    if (
        not _by_cosine(read)
        or not _by_cosine(place)
        or type(write) is not EraseAdd
        or any(is_watched(part) for one in _modules(parts) for part in one.modules())
    ):
        return None
    assert isinstance(read, ByContentAndLocation)
    assert isinstance(place, ByContentAndLocation)
    assert isinstance(read.move, ShiftNearby)
    assert isinstance(place.move, ShiftNearby)
    if (read.move.reach, read.content.activation) != (place.move.reach, place.content.activation):
        return None
    return op.NTMPlan(
        *parts.heads,
        read.move.reach,
        parts.order == "write first",
        type(parts.controller) is LSTMController,
        read.content.activation == "tanh",
        write.activation == "tanh",
        parts.clip,
    )


def _by_cosine(address: Address | None) -> bool:
    """Return whether an address is the Turing machine's."""
    return (
        type(address) is ByContentAndLocation
        and type(address.move) is ShiftNearby
        and type(address.content) is ByContent
        and type(address.content.score) is KeyStrengthCosine
        and type(address.content.align) is Softmax
    )


def _fed(controller: Controller) -> Tensor | None:
    """Return the weights of what is fed at every step: what was read, behind h in an LSTM."""
    if type(controller) is FeedForward:
        return controller.linear.weight[:, controller.dim :]
    if type(controller) is LSTMController and controller.cells.cells.num_layers == 1:
        into, recurrent, *_ = controller.cells.cells.all_weights[0]
        return torch.cat([recurrent, into[:, controller.dim :]], 1)
    return None


def _modules(parts: Parts) -> tuple[nn.Module, ...]:
    return tuple(part for part in parts if isinstance(part, nn.Module))
