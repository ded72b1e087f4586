"""From the modules of CRAN to the loops of `memnets.reference.cran`, weights and all."""

from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from memnets.attention import ScaledDot
from memnets.layers import BiLSTMKey, LastKey, MeanKey, MLPKey, TransformerKey
from memnets.layers import zone_choice as choices
from memnets.models.cran import GatedUpdate, InputQuery, InputRead
from memnets.reference import cran as loops
from memnets.reference.multihead import Heads


def array(tensor):
    return tensor.detach().numpy()


def linear(layer):
    """Return a linear layer as the loops have it; an identity is left to them."""
    bias = torch.zeros(layer.out_features) if layer.bias is None else layer.bias
    return loops.Linear(array(layer.weight), array(bias).astype(float))


def norm(layer):
    return array(layer.weight), array(layer.bias)


def lstm(layer):
    return loops.LSTM(
        array(layer.weight_ih_l0),
        array(layer.weight_hh_l0),
        array(layer.bias_ih_l0) + array(layer.bias_hh_l0),
    )


def block(layer):
    heads, width = layer.heads, layer.heads.head_dim
    q, k, v = (
        array(part.weight).reshape(-1, width, part.in_features)
        for part in (heads.query_weight, heads.key_weight, heads.value_weight)
    )
    return loops.Block(
        norm(layer.norms[0]),
        Heads(q, k, v, array(heads.output_weight.weight)),
        norm(layer.norms[1]),
        linear(layer.inner_weight),
        linear(layer.outer_weight),
    )


def key(layer, slots):
    """Return a key's function of the states that a zone holds."""
    match layer:
        case MLPKey(deeper=deeper) if len(deeper) == 0:
            return partial(loops.linear_key, layer=linear(layer.first), slots=slots, cut=layer.relu)
        case MLPKey():
            layers = [linear(part) for part in (layer.first, *layer.deeper)]
            return partial(loops.mlp_key, layers=layers, slots=slots, cut=layer.relu)
        case BiLSTMKey():
            pair = (lstm(layer.forwards), lstm(layer.backwards))
            return partial(loops.bilstm_key, layers=[pair], out=linear(layer.output))
        case TransformerKey():
            encoder = layer.encoder
            return partial(
                loops.transformer_key,
                into=linear(encoder.input_weight),
                blocks=[block(part) for part in encoder.blocks],
                out=linear(layer.output),
            )
        case LastKey():
            return partial(loops.last_key, out=_projection(layer))
        case MeanKey():
            return partial(loops.mean_key, out=_projection(layer))


def _projection(layer):
    if isinstance(layer.project, nn.Identity):
        return loops.Linear(np.eye(layer.dim), np.zeros(layer.dim))
    return linear(layer.project)


def cell(module):
    """Return a cell as the loops have it."""
    return loops.Cell(
        query=_query(module.query),
        read=_read(module.read),
        project=linear(module.read.key),
        update=_update(module.update),
        key=key(module.key, module.memory.slots),
        choose=_choose(module.choice),
        capacity=module.memory.zones,
        slots=module.memory.slots,
        zone_scale=_scale(module.zone_score, module.key.dim),
        slot_scale=_scale(module.slot_score, module.read.key.out_features),
    )


def _query(part):
    if not isinstance(part, InputQuery):
        return partial(loops.joint_query, layer=linear(part.linear))
    if isinstance(part.project, nn.Identity):
        return loops.input_query
    return partial(loops.input_query, P=array(part.project.weight))


def _read(part):
    read = loops.input_read if isinstance(part, InputRead) else loops.joint_read
    return partial(read, layer=linear(part.query.linear))


def _update(part):
    if not isinstance(part, GatedUpdate):
        return partial(loops.relu_update, layer=linear(part.linear))
    gates, hidden = linear(part.gates.linear), part.read.in_features
    r, z = (
        loops.Linear(gates.W[rows], gates.b[rows])
        for rows in (slice(None, hidden), slice(hidden, None))
    )
    return partial(loops.gated_update, r=r, z=z, n=linear(part.candidate), i=linear(part.read))


def _choose(part):
    if isinstance(part, choices.NoZones):
        return np.zeros_like
    rules = {
        choices.TopZones: loops.top_zones,
        choices.RenormalisedZones: loops.renormalised_zones,
        choices.TwiceSoftmaxZones: loops.twice_softmax_zones,
    }
    return partial(rules[type(part)], k=part.k)


def _scale(score, width):
    return width**-0.5 if isinstance(score, ScaledDot) else 1.0


def row(state, number, memory):
    """Return one row of a state as the loops have it."""
    values, keys = array(state.values[number]), array(state.keys[number])
    written, zones = int(state.written[number]), []
    opened = -(-written // memory.slots)
    for zone in range(max(0, opened - memory.zones), opened):
        filled, place = min(memory.slots, written - zone * memory.slots), len(zones)
        zones.append(loops.Zone(values[place, :filled], keys[place]))
    return loops.State(array(state.hidden[number]), tuple(zones), written)


class Run(NamedTuple):
    """What the loops found for a batch, laid out as the model lays it out."""

    output: np.ndarray
    hidden: np.ndarray
    values: np.ndarray
    keys: np.ndarray
    written: np.ndarray
    zones: np.ndarray
    slots: np.ndarray
    steps: np.ndarray


def run(model, x, state):
    """Run the loops over every row of a batch."""
    parts, memory = cell(model.cell), model.cell.memory
    rows = []
    for number in range(len(x)):
        start = row(state, number, memory)
        output, end, seen = loops.run(array(x[number]), start, parts, model.refresh)
        rows.append((output, *_state(end, model), *_evidence(seen, memory)))
    return Run(*(np.stack(part) for part in zip(*rows, strict=True)))


def compare(trace, expected):
    """Raise an AssertionError where what a model did and what the loops did differ."""
    found = (trace.output, *trace.state, trace.zones, trace.slots, trace.steps)
    for name, one, other in zip(Run._fields, found, expected, strict=True):
        np.testing.assert_allclose(array(one), other, rtol=1e-10, atol=1e-12, err_msg=name)


def _state(state, model):
    memory = model.cell.memory
    values = np.zeros((memory.zones, memory.slots, model.cell.hidden))
    keys = np.zeros((memory.zones, model.cell.key.dim))
    for number, zone in enumerate(state.zones):
        values[number, : len(zone.states)], keys[number] = zone.states, zone.key
    return state.hidden, values, keys, np.array(state.written)


def _evidence(seen, memory):
    shape = (len(seen), memory.zones, memory.slots)
    zones, slots, steps = np.zeros(shape[:2]), np.zeros(shape), np.full(shape, -1)
    for t, evidence in enumerate(seen):
        for zone, (alpha, a, numbers) in enumerate(zip(*evidence, strict=True)):
            zones[t, zone] = alpha
            slots[t, zone, : len(a)], steps[t, zone, : len(a)] = a, numbers
    return zones, slots, steps
