"""CRAN over a window by the C++ op, where its parts are those that the op knows."""

from typing import cast

import torch
from jaxtyping import Float
from torch import Tensor, nn

from memnets.attention.scores import Dot, InnerProduct, ScaledDot
from memnets.layers import zone_choice
from memnets.layers.zone_keys import LinearKey, MLPKey
from memnets.models.cran.cell import CRANCell, CRANState
from memnets.models.cran.parts import GatedUpdate, JointQuery
from memnets.ops import cran as op
from memnets.ops.twins import is_watched

_RULES: dict[type, op.Rule] = {
    zone_choice.TopZones: "plain",
    zone_choice.RandomZones: "plain",
    zone_choice.RenormalisedZones: "renormalised",
    zone_choice.TwiceSoftmaxZones: "twice",
}


def run(
    cell: CRANCell, x: Float[Tensor, "batch time dim"], state: CRANState, detached: bool
) -> tuple[Float[Tensor, "batch time hidden"], CRANState] | None:
    """Return the states of all steps, and what is carried on.

    None where only the plain twin will do. All rows are of one age.
    """
    plan = _plan(cell, detached)
    if plan is None or state.values.requires_grad:
        return None
    written = int(cell.memory.age(state.written)[0])
    window = op.CRANWindow(
        query_x=cell.query.from_input(x),
        read_x=cell.read.query.from_input(x),
        update_x=cell.update.from_input(x),
        hidden=state.hidden,
        values=state.values,
        keys=state.keys,
        partial=_partial(cell, state, written),
        written=written,
        ranking=_ranking(cell, state, x.shape[1]),
    )
    ran = op.run(plan, _weights(cell), window)
    if ran is None:
        return None
    hidden = ran.hidden[:, -1].detach() if detached else ran.hidden[:, -1]
    return ran.hidden, CRANState(hidden, ran.values, ran.keys, state.written + x.shape[1])


def _plan(cell: CRANCell, detached: bool) -> op.CRANPlan | None:
    scores = cell.zone_score, cell.slot_score
    if (
        type(cell.choice) not in _RULES
        or not isinstance(cell.key, MLPKey)
        or type(cell.key) not in (MLPKey, LinearKey)  # others may make it in their own way
        or any(type(score) not in (Dot, ScaledDot) for score in scores)
        or cell.memory.padded
        or any(is_watched(part) for part in cell.modules())
    ):
        return None
    return op.CRANPlan(
        cell.memory.zones,
        cell.memory.slots,
        cell.choice.k,
        _RULES[type(cell.choice)],
        _scale(scores[0], cell.key.dim),
        _scale(scores[1], cell.read.key.out_features),
        gated=type(cell.update) is GatedUpdate,
        relu=cell.key.relu,
        detached=detached,
    )


def _scale(score: InnerProduct, width: int) -> float:
    return width**-0.5 if type(score) is ScaledDot else 1.0


def _weights(cell: CRANCell) -> op.CRANWeights:
    update, bias = cell.update, None
    if isinstance(update, GatedUpdate):
        matrix, bias = torch.cat([update.gates.state_weight, update.read.weight]), update.read.bias
    else:
        matrix = update.state_weight
    assert isinstance(cell.key, MLPKey)
    layers = cast(list[nn.Linear], list(cell.key.deeper))
    return op.CRANWeights(
        query=cell.query.state_weight if isinstance(cell.query, JointQuery) else None,
        read=cell.read.query.state_weight if cell.read.query.state else None,
        project=cell.read.key.weight,
        project_bias=cell.read.key.bias,
        update=matrix,
        update_bias=bias,
        key=cell.key.first.weight,
        key_bias=cell.key.first.bias,
        deeper=torch.stack([layer.weight for layer in layers]) if layers else None,
        deeper_bias=torch.stack([layer.bias for layer in layers]) if layers else None,
    )


def _partial(cell: CRANCell, state: CRANState, written: int) -> Tensor | None:
    """Return the first layer of the open zone's key; None where no zone is open."""
    left = written % cell.memory.slots
    if not left:
        return None
    newest = min(written // cell.memory.slots, cell.memory.zones - 1)
    return cell.key.begin(state.values[:, newest, :left]).parts[0]


def _ranking(cell: CRANCell, state: CRANState, steps: int) -> Tensor | None:
    """Return what zones are chosen by, where that is not how well they match."""
    if not isinstance(cell.choice, zone_choice.RandomZones):
        return None
    like, ranks = state.keys[..., 0], []
    for step in range(steps):
        written = state.written + step
        live = cell.memory.readable(written).any(-1)
        ranks.append(cell.choice.rank(like, live, written))
    return torch.stack(ranks, 1)
