"""What a part needs besides scores: a missing field is named, and long memories cut it."""

import pytest
import torch

from memnets.attention import (
    Align,
    AlignContext,
    Attention,
    ClippedMonotonic,
    Coverage,
    Dot,
    GumbelStraightThrough,
    HardMonotonic,
    KeyStrengthCosine,
    LocalM,
    LocalP,
    LocationConvolution,
    Monotonic,
    NormalisedLocalP,
    Sampled,
    Score,
)
from memnets.testing import discover
from memnets.testing.conformance.inputs import draw

NEEDED = {
    LocationConvolution: ["previous"],
    Coverage: ["coverage"],
    KeyStrengthCosine: ["strength"],
    Sampled: ["generator"],
    GumbelStraightThrough: ["generator"],
    LocalM: ["positions", "step"],
    LocalP: ["query", "positions", "length"],
    NormalisedLocalP: ["query", "positions", "length"],
    Monotonic: ["previous"],
    ClippedMonotonic: ["previous"],
    HardMonotonic: ["previous"],
}


@pytest.mark.parametrize(
    ("part", "field"), [(part, field) for part, fields in NEEDED.items() for field in fields]
)
def test_a_missing_field_is_named(part, field):
    inputs = draw(5, 5)
    context = inputs.context()._replace(**{field: None})
    message = (
        rf"{part.__name__} needs the context's `{field}`, which is missing.*AlignContext\({field}="
    )
    if issubclass(part, Score):
        module, arguments = part.example(5, 5), (inputs.query, inputs.keys)
    else:
        module, arguments = part.example(), (inputs.query @ inputs.keys.mT, inputs.mask)
    with pytest.raises(ValueError, match=message):
        module.double()(*arguments, context)


def test_who_looks_back_at_earlier_steps_says_so():
    """A decoder has to ask these one step after the other."""
    looking = {part for part in (*discover(Score), *discover(Align)) if part.looks_back}
    assert looking == {
        part for part, fields in NEEDED.items() if {"previous", "coverage"} & set(fields)
    }


@pytest.mark.parametrize("field", AlignContext._fields)
def test_require_returns_what_is_there(field):
    assert AlignContext(**{field: 7}).require(field, "Part") == 7
    with pytest.raises(ValueError, match=rf"Part needs the context's `{field}`"):
        AlignContext().require(field, "Part")


def test_the_query_of_a_read_is_in_its_context():
    """Local-p predicts from it; a decoder that predicts from another state passes its own."""
    inputs = draw(5, 5)
    attention = Attention(Dot(), LocalP.example()).double()
    context = inputs.context()._replace(query=None)
    found = attention(inputs.query, inputs.keys, None, inputs.mask, context)
    own = context._replace(query=inputs.query)
    same = attention(inputs.query, inputs.keys, None, inputs.mask, own)
    assert torch.equal(found.weights, same.weights)
    other = context._replace(query=-inputs.query)
    moved = attention(inputs.query, inputs.keys, None, inputs.mask, other)
    assert not torch.allclose(found.weights, moved.weights)
