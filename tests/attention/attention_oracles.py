"""The loops of memnets.reference beside the parts they are the oracle of."""

from typing import NamedTuple

import numpy as np
import torch

from memnets import attention as parts
from memnets.reference import attention as reference
from memnets.reference import structured
from memnets.testing.conformance.inputs import QUERIES, SEED, SLOTS
from memnets.testing.conformance.scores import example_with_inputs


class Seen(NamedTuple):
    """What one query of one row knows, as numbers."""

    query: np.ndarray
    positions: np.ndarray
    length: int
    step: int
    previous: np.ndarray
    coverage: np.ndarray
    strength: float
    drawn: float
    noise: np.ndarray


def array(tensor):
    return tensor.detach().numpy()


def additive(score, query, keys, seen):
    bias = None if score.key_weight.bias is None else array(score.key_weight.bias)
    weights = score.query_weight.weight, score.key_weight.weight, score.hidden_weight.weight[0]
    return reference.additive(query, keys, *map(array, weights), bias)


def normalised_additive(score, query, keys, seen):
    vector = array(score.hidden_weight.weight[0])
    vector = score.gain.item() * vector / np.sqrt(sum(v * v for v in vector))
    weights = map(array, (score.query_weight.weight, score.key_weight.weight))
    return reference.additive(query, keys, *weights, vector, array(score.key_weight.bias))


def concat(score, query, keys, seen):
    weights = map(array, (score.joint_weight.weight, score.hidden_weight.weight[0]))
    return reference.concat(query, keys, *weights)


def luong_concat(score, query, keys, seen):
    weights = array(score.query_weight.weight), np.eye(keys.shape[1])
    return reference.additive(query, keys, *weights, array(score.hidden_weight.weight[0]))


def seeing(score, query, keys, layer):
    weights = score.query_weight.weight, score.key_weight.weight, score.hidden_weight.weight[0]
    bias = array(score.key_weight.bias)
    return reference.additive(query, keys, *map(array, weights), bias, layer)


def location_convolution(score, query, keys, seen):
    found = reference.convolved(seen.previous, array(score.filters.weight[:, 0]))
    weight = array(score.located_weight.weight)
    layer = np.array([reference.product(weight, features) for features in found])
    return seeing(score, query, keys, layer)


def coverage(score, query, keys, seen):
    layer = np.outer(seen.coverage, array(score.coverage_weight.weight[:, 0]))
    return seeing(score, query, keys, layer)


SCORES = {
    parts.Dot: lambda score, query, keys, seen: reference.dot(query, keys),
    parts.ScaledDot: lambda score, query, keys, seen: reference.scaled_dot(query, keys),
    parts.StrengthDot: lambda score, query, keys, seen: score.strength * reference.dot(query, keys),
    parts.KeyStrengthDot: lambda score, query, keys, seen: (
        seen.strength * reference.dot(query, keys)
    ),
    parts.General: lambda score, query, keys, seen: reference.general(
        query, keys, array(score.weight.weight)
    ),
    parts.ProjectedDot: lambda score, query, keys, seen: reference.projected_dot(
        query, keys, array(score.query_weight.weight), array(score.key_weight.weight)
    ),
    parts.Cosine: lambda score, query, keys, seen: reference.cosine(query, keys, 10.0),
    parts.LearnedCosine: lambda score, query, keys, seen: reference.cosine(
        query, keys, float(np.log1p(np.exp(array(score.raw_strength))))
    ),
    parts.KeyStrengthCosine: lambda score, query, keys, seen: reference.cosine(
        query, keys, seen.strength
    ),
    parts.Additive: additive,
    parts.NormalisedAdditive: normalised_additive,
    parts.Concat: concat,
    parts.LuongConcat: luong_concat,
    parts.Location: lambda score, query, keys, seen: reference.location(
        query, len(keys), array(score.weight.weight)
    ),
    parts.LocationConvolution: location_convolution,
    parts.Coverage: coverage,
    parts.Saliency: lambda score, query, keys, seen: reference.saliency(
        keys, array(score.weight.weight[0]), score.weight.bias.item()
    ),
}


def centre(align, seen):
    weights = map(array, (align.hidden_weight.weight, align.centre_weight.weight[0]))
    return reference.centre(seen.query, seen.length, *weights)


def local_p(align, scores, mask, seen):
    return reference.local_p(scores, mask, seen.positions, centre(align, seen), align.window)


def normalised_local_p(align, scores, mask, seen):
    place = centre(align, seen)
    return reference.normalised_local_p(scores, mask, seen.positions, place, align.window)


def monotonic(align, scores, mask, seen):
    return reference.monotonic(scores, mask, seen.previous, align.bias.item())


ALIGNS = {
    parts.Softmax: lambda align, scores, mask, seen: reference.softmax(scores, mask),
    parts.PaddedSoftmax: lambda align, scores, mask, seen: reference.padded_softmax(
        scores, mask, align.slots
    ),
    parts.Identity: lambda align, scores, mask, seen: reference.identity(scores, mask),
    parts.Sigmoid: lambda align, scores, mask, seen: reference.sigmoid(scores, mask),
    parts.Smoothing: lambda align, scores, mask, seen: reference.smoothing(scores, mask),
    parts.Sparsemax: lambda align, scores, mask, seen: reference.entmax(scores, mask, 2.0),
    parts.Entmax15: lambda align, scores, mask, seen: reference.entmax(scores, mask, 1.5),
    parts.Entmax: lambda align, scores, mask, seen: reference.entmax(
        scores, mask, 1 + float(np.log1p(np.exp(array(align.raw_alpha))))
    ),
    parts.Argmax: lambda align, scores, mask, seen: reference.argmax(scores, mask),
    parts.StraightThroughArgmax: lambda align, scores, mask, seen: reference.argmax(scores, mask),
    parts.Sampled: lambda align, scores, mask, seen: reference.sampled(scores, mask, seen.drawn),
    parts.GumbelStraightThrough: lambda align, scores, mask, seen: reference.argmax(
        scores + seen.noise, mask
    ),
    parts.LocalM: lambda align, scores, mask, seen: reference.local_m(
        scores, mask, seen.positions, seen.step, align.window
    ),
    parts.LocalP: local_p,
    parts.NormalisedLocalP: normalised_local_p,
    parts.Monotonic: monotonic,
    parts.ClippedMonotonic: monotonic,  # the clip is far away from 13 slots
    parts.HardMonotonic: lambda align, scores, mask, seen: reference.hard_monotonic(
        scores, mask, seen.previous, align.bias.item()
    ),
    parts.TopK: lambda align, scores, mask, seen: reference.top_k(scores, mask, align.k),
    parts.TopKOfSoftmax: lambda align, scores, mask, seen: reference.top_k_of_softmax(
        scores, mask, align.k
    ),
    parts.LinearChain: lambda align, scores, mask, seen: structured.linear_chain(
        scores, mask, array(align.pairwise)
    ),
    parts.Segments: lambda align, scores, mask, seen: structured.segments(
        scores, mask, array(align.lengths)
    ),
    parts.ExactlyK: lambda align, scores, mask, seen: structured.exactly_k(scores, mask, align.k),
    parts.HardStructure: lambda align, scores, mask, seen: structured.hard_linear_chain(
        scores, mask, array(align.soft.pairwise)
    ),
}

# Whose gradient a straight-through align passes on.
RELAXED = {
    parts.StraightThroughArgmax: lambda align, scores, mask, seen: reference.softmax(scores, mask),
    parts.GumbelStraightThrough: lambda align, scores, mask, seen: reference.softmax(
        (scores + seen.noise) / align.temperature, mask
    ),
}


class Case:
    """A read by a pair of parts, and the same read by the loops."""

    def __init__(self, score, align):
        torch.manual_seed(20150917)
        self.inputs, module = example_with_inputs(score)
        self.attention = parts.Attention(module, align.example()).double()
        generator = torch.Generator().manual_seed(SEED)
        # The last slot is readable: nothing is cut, and the noise has a number for every slot.
        self.mask = torch.rand(2, QUERIES, SLOTS, generator=generator) < 0.7
        self.mask[0, 0, -1], self.mask[1, 2] = True, False
        self.leaves = self.inputs.query, self.inputs.keys, self.inputs.values

    def read(self, query, keys, values):
        context = self.inputs.context()._replace(query=None)
        readout = self.attention(query, keys, values, self.mask, context)
        return parts.Aligned(readout.weights, readout.indices).dense(SLOTS), readout.value

    def by_loops(self, query, keys, values, relaxed=False):
        score, align = type(self.attention.score), type(self.attention.align)
        oracle = RELAXED[align] if relaxed else ALIGNS[align]
        weights = np.zeros(self.mask.shape)
        read = np.zeros((*self.mask.shape[:2], values.shape[-1]))
        for row, i in np.ndindex(*self.mask.shape[:2]):
            seen, mask = self._seen(row, i, array(query[row, i])), array(self.mask[row, i])
            scores = SCORES[score](self.attention.score, seen.query, array(keys[row]), seen)
            weights[row, i] = oracle(self.attention.align, scores, mask, seen)
            read[row, i] = reference.read(weights[row, i], array(values[row]))
        return weights, read

    def _seen(self, row, i, query):
        inputs, shape = self.inputs, (2, QUERIES, SLOTS)
        generators = [torch.Generator().manual_seed(SEED) for _ in range(2)]
        drawn = torch.rand(*shape[:2], 1, generator=generators[0], dtype=torch.float64)
        waited = torch.empty(shape, dtype=torch.float64).exponential_(generator=generators[1])
        return Seen(
            query,
            array(inputs.positions),
            int(inputs.length[row]),
            int(inputs.step[row]),
            array(inputs.previous[row, i]),
            array(inputs.coverage[row, i]),
            float(inputs.strength[row, i]),
            float(drawn[row, i]),
            -np.log(array(waited[row, i])),
        )


def compare(case):
    """Raise an AssertionError where attention and the loops differ."""
    weights, read = case.by_loops(*case.leaves)
    found = case.read(*case.leaves)
    np.testing.assert_allclose(array(found[0]), weights, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(array(found[1]), read, rtol=1e-10, atol=1e-14)
