"""What is read otherwise than meant is refused, in one sentence that says how to mend it."""

import pytest
import torch

from memnets.attention import (
    AlignContext,
    Attention,
    Dot,
    MultiHead,
    QueryHeads,
    ScaledDot,
    SelfAttention,
    Softmax,
    causal_mask,
)

ROWS, SLOTS, DIM = 3, 7, 5
attention = Attention(Dot(), Softmax())
query, keys = torch.randn(ROWS, 1, DIM), torch.randn(ROWS, SLOTS, DIM)
many = torch.randn(ROWS, ROWS, DIM)  # as many queries as rows
mask = torch.rand(ROWS, SLOTS) < 0.7
line = mask.unsqueeze(-2)
half = torch.float16
heads = torch.randn(ROWS, 2, 1, DIM)
multi = MultiHead(Attention(ScaledDot(), Softmax()), heads=1, dim=DIM)

pytestmark = pytest.mark.usefixtures("shapes_unchecked")


@pytest.mark.parametrize(
    ("call", "given", "named", "says"),
    [
        (
            attention,
            (query, keys),
            {"mask": mask},
            r"expected \(\*batch, query, slot\), any but the last .* mask.unsqueeze\(-2\)",
        ),
        (attention.read, (query, keys), {"mask": mask}, r"mask.unsqueeze\(-2\)"),
        (attention.attend, (query, keys, keys), {"mask": mask}, r"mask.unsqueeze\(-2\)"),
        (attention.read_remembered, (query, keys, keys), {"mask": mask}, r"mask.unsqueeze\(-2\)"),
        (attention, (many, keys), {"mask": mask}, r"a line a row or .* mask.unsqueeze\(0\)"),
        (attention, (query[:, 0], keys), {}, r"query.unsqueeze\(-2\)"),
        (attention, (query[0, 0], keys[0]), {}, r"query.unsqueeze\(-2\)"),
        (attention, (query, keys[0]), {}, r"keys.expand"),
        (attention, (query[:2], keys), {}, r"\(2, 1, 5\) and the keys \(3, 7, 5\)"),
        (
            attention,
            (query, keys),
            {"mask": line[..., :4]},
            r"\(3, 1, 4\) .*\(3, 1, 7\), .* as many slots",
        ),
        (attention, (query, keys), {"mask": line[..., :1]}, r"\(3, 1, 1\) .* as many slots"),
        (attention, (query, keys), {"mask": mask[0]}, r"\(7,\) .* pass 1 for a batch"),
        (attention, (query, keys), {"mask": line[None]}, r"\(1, 3, 1, 7\)"),
        (
            attention,
            (query, keys, keys[:, :4]),
            {},
            r"values .*\(3, 4, 5\) and the keys \(3, 7, 5\)",
        ),
        (attention, (query, keys, keys[:1]), {}, r"values have shape \(1, 7, 5\)"),
        (multi, (query, keys), {"mask": mask}, r"MultiHead: .* mask.unsqueeze\(-2\)"),
        (multi, (query[:, 0], keys), {}, r"query.unsqueeze\(-2\)"),
        (QueryHeads(attention), (heads, keys), {"mask": mask}, r"QueryHeads: .*unsqueeze\(-2\)"),
        (
            QueryHeads(attention).attend,
            (heads, keys, keys),
            {"mask": mask},
            r"QueryHeads: .*unsqueeze\(-2\)",
        ),
        (QueryHeads(attention), (query, keys), {}, r"expected \(\*batch, head, query, dim\)"),
        (SelfAttention(attention, DIM, DIM, DIM), (keys, mask), {}, r"mask.unsqueeze\(-2\)"),
    ],
)
def test_shapes_that_do_not_belong_together(call, given, named, says):
    with pytest.raises(ValueError, match=says):
        call(*given, **named)


@pytest.mark.parametrize(
    ("given", "named", "says"),
    [
        ((query, keys), {"mask": line.float()}, r"torch.float32, expected a Bool .* mask.bool\(\)"),
        ((query, keys), {"mask": line.int()}, "torch.int32, expected a Bool tensor"),
        ((query, keys), {"mask": line.numpy()}, "ndarray, expected a Bool tensor"),
        (([1.0], keys), {}, r"the query is a list, .* Pass torch\.as_tensor\(\.\.\.\)\.$"),
        ((query, keys.numpy()), {}, "the keys are a ndarray"),
        ((query.long(), keys), {}, r"query is a tensor of torch.int64, .*\.float\(\)"),
        ((query, keys, keys.long()), {}, "values are a tensor of torch.int64"),
        ((query, keys, keys.numpy()), {}, "the values are a ndarray"),
        (
            (query.to(half), keys),
            {},
            r"float16 and the keys are torch.float32.*query.to\(keys.dtype\)",
        ),
        ((query, keys), {"context": {}}, r"is a dict, expected an AlignContext"),
        ((query, keys), {"context": AlignContext}, r"is a class, AlignContext, expected"),
    ],
)
def test_what_is_of_another_type(given, named, says):
    with pytest.raises(TypeError, match=says):
        attention(*given, **named)


@pytest.mark.parametrize(
    ("parts", "named", "kind"),
    [
        ((Softmax(), Dot()), r"\(score=\.\.\.\): Softmax came", "Score"),
        ((Dot, Softmax), r"\(score=\.\.\.\): the class Dot came", "Score"),
        ((Dot(), torch.softmax), r"\(align=\.\.\.\): builtin_function_or_method came", "Align"),
    ],
)
def test_only_a_score_and_an_align_make_an_attention(parts, named, kind):
    with pytest.raises(TypeError, match=rf"{named}, expected an object that derives from {kind}\."):
        Attention(*parts)


@pytest.mark.parametrize(
    "given",
    [line, line[:1], line.expand(-1, ROWS, -1), torch.rand(2, SLOTS) < 0.5, mask[:1]],
    ids=lambda found: str(tuple(found.shape)),
)
def test_a_mask_that_is_meant_is_read(given):
    queries = torch.randn(ROWS, 2 if given.shape[-2] == 2 else ROWS, DIM)
    weights = attention(queries, keys, mask=given).weights
    hidden = ~given.expand_as(weights)
    assert not weights[hidden].any()
    assert weights[~hidden].all()


def test_one_row_may_have_a_mask_without_the_axis_of_rows():
    """Of one row there is one meaning: its line is that of all queries."""
    one = torch.tensor([[True, False, True]])
    weights = attention(torch.randn(1, 5, DIM), torch.randn(1, 3, DIM), mask=one).weights
    assert (weights > 0).tolist() == [[[True, False, True]] * 5]


def test_heads_beside_queries_are_no_rows():
    """One row, two heads and two queries: their masks are a line a query, without a doubt."""
    two = MultiHead(Attention(ScaledDot(), Softmax()), heads=2, dim=6)
    x, one_a_query = torch.randn(1, 2, 6), torch.tensor([[True, False], [True, True]])
    assert two(x, x, mask=one_a_query).weights[0, :, 0, 1].tolist() == [0.0, 0.0]
    shared, asked = QueryHeads(attention), torch.randn(4, 2, 2, DIM)  # 4 rows, 2 heads of 2
    found = shared(asked, torch.randn(4, 2, DIM), mask=one_a_query)
    assert not found.weights[:, :, 0, 1].any()


def test_a_causal_mask_of_as_many_steps_as_rows_says_so():
    layer, x = SelfAttention(attention, DIM, DIM, DIM), torch.randn(SLOTS, SLOTS, DIM)
    with pytest.raises(ValueError, match=r"mask.unsqueeze\(0\) for the queries"):
        layer(x, causal_mask(SLOTS))
    assert not layer(x, causal_mask(SLOTS)[None]).weights.triu(1).any()


def test_autocast_may_mix_precisions():
    with torch.autocast("cpu", torch.bfloat16):
        assert attention(query.bfloat16(), keys).weights.shape == (ROWS, 1, SLOTS)
