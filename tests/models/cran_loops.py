"""From the modules of CRAN to the loops of `memnets.reference.cran`, weights and all."""

from functools import partial

import numpy as np
import torch
from torch import nn

from memnets.layers import BiLSTMKey, LastKey, MeanKey, MLPKey, TransformerKey
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
