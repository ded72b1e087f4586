"""Where nothing is left, where numbers are none, and where others take the derivatives."""

from copy import deepcopy

import pytest
import torch
from torch.func import grad, hessian, jvp, vmap
from torch.testing import assert_close

from memnets.attention import (
    Additive,
    Align,
    AlignContext,
    Aligned,
    Attention,
    Baseline,
    Cosine,
    Dot,
    Entmax,
    Entmax15,
    LearnedCosine,
    LocalM,
    Location,
    Monotonic,
    MultiHead,
    PaddedSoftmax,
    QueryHeads,
    ScaledDot,
    Score,
    SelfAttention,
    Softmax,
    Sparsemax,
    TopK,
    TopKOfSoftmax,
    causal_mask,
    max_pool,
    start_at_first,
)
from memnets.attention.attend import consecutive
from memnets.attention.scores import Remembered
from memnets.attention.sparse import centred, entmax
from memnets.ops import twins
from memnets.testing import discover

ROWS, QUERIES, DIM = 3, 2, 5
SPARSE = [Sparsemax(), Entmax15(), Entmax(1.5)]
DRAWS = ("Sampled", "GumbelStraightThrough")

pytestmark = pytest.mark.usefixtures("shapes_unchecked")


def name(part):
    return getattr(part, "__name__", type(part).__name__)


def given(slots, rows=ROWS):
    """Return a context that has everything."""
    return AlignContext(
        query=torch.randn(rows, QUERIES, DIM),
        positions=torch.arange(slots),
        length=torch.full((rows,), max(slots, 1)),
        step=torch.zeros(rows, QUERIES, dtype=torch.long),
        previous=torch.rand(rows, QUERIES, slots),
        coverage=torch.zeros(rows, QUERIES, slots),
        strength=torch.ones(rows, QUERIES),
        generator=torch.Generator().manual_seed(0),
    )


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("part", [*discover(Score), *discover(Align)], ids=name)
def test_a_memory_without_slots_reads_zeros(part, masked):
    """List 14: one policy, a row with nothing to read."""
    is_score = issubclass(part, Score)
    score = part.example(DIM, DIM) if is_score else Dot()
    attention = Attention(score, Softmax() if is_score else part.example())
    query, keys = torch.randn(ROWS, QUERIES, DIM, requires_grad=True), torch.zeros(ROWS, 0, DIM)
    mask = torch.ones(ROWS, 1, 0, dtype=torch.bool) if masked else None
    readout = attention(query, keys, mask=mask, context=given(0))
    assert readout.value.shape == (ROWS, QUERIES, DIM)
    assert not readout.value.any()
    assert readout.weights.shape == (ROWS, QUERIES, 0)
    for chance in (readout.log_prob, readout.entropy):
        assert chance is None or chance.tolist() == [[0.0] * QUERIES] * ROWS


def test_the_largest_of_no_slots_is_zero():
    for mask in (None, torch.ones(ROWS, 0, dtype=torch.bool)):
        pooled = max_pool(torch.zeros(ROWS, 0, DIM), mask)
        assert pooled.value.tolist() == [[0.0] * DIM] * ROWS
        assert pooled.weights.shape == (ROWS, 0, DIM)


@pytest.mark.parametrize("align", SPARSE, ids=name)
@pytest.mark.parametrize("number", [torch.nan, torch.inf])
def test_what_is_no_number_makes_no_weights(align, number):
    """As a softmax does: its row is NaN, also on the way back, and no other row."""
    scores = torch.randn(2, 7)
    scores[0, 1] = number
    scores.requires_grad_()
    weights = align(scores)
    assert weights.isnan().any(-1).tolist() == [True, False]
    assert_close(weights[1].sum(), torch.tensor(1.0))
    weights[:, 2].sum().backward()
    assert scores.grad.isnan().any(-1).tolist() == [True, False]
    hidden = torch.ones(2, 7, dtype=torch.bool)
    hidden[0, 1] = False
    assert align(scores, hidden).isfinite().all()


@pytest.mark.parametrize("excess", [1e-2, 1e-4, 1e-6, 1e-9, 0.0])
def test_entmax_near_alpha_one_is_exact_in_float32(excess):
    """List 7: weights and the gradient of alpha pass to those of a softmax."""
    scores = 2 * torch.randn(5, 13)
    align = Entmax(1.5)
    with torch.no_grad():
        align.raw_alpha.copy_(torch.tensor(excess).double().expm1().log())  # softplus, inverted
    weights = align(scores)
    wide = centred(scores.double(), torch.ones(5, 13, dtype=torch.bool))
    exact = entmax(wide, torch.tensor(max(excess, 1e-30)).double())
    assert_close(weights.double(), exact, rtol=0, atol=1e-6)
    softmax = scores.double().softmax(-1)
    assert (exact - softmax).abs().max() <= 2 * excess + 1e-12
    if 0 < excess < 1e-3:
        weights[:, 3].sum().backward()
        bend = softmax * softmax.log().square()
        moved = (softmax * bend.sum(-1, keepdim=True) - bend)[:, 3].sum() / 2
        found = align.raw_alpha.grad / torch.sigmoid(align.raw_alpha.detach())
        assert_close(found.double(), moved, rtol=1e-2, atol=1e-4)


def of_transforms(part):
    is_score = issubclass(part, Score)
    score = part.example(DIM, DIM) if is_score else Dot()
    attention = Attention(score, Softmax() if is_score else part.example())
    context = given(7)._replace(query=None)
    if name(part) not in DRAWS:
        context = context._replace(generator=None)

    def read(query, keys, mask):
        return attention(query, keys, mask=mask, context=context).value

    return read


@pytest.mark.parametrize("part", [*discover(Score), *discover(Align)], ids=name)
def test_transforms_of_every_part(part):
    """Many memories at once, each with a mask of its own; and both kinds of derivatives."""
    read, many = of_transforms(part), 3
    query, keys = torch.randn(many, ROWS, QUERIES, DIM), torch.randn(many, ROWS, 7, DIM)
    mask = torch.rand(many, ROWS, 1, 7) < 0.7
    if name(part) in DRAWS:
        mapped = vmap(read, randomness="different")(query, keys, mask)
        assert mapped.shape == (many, ROWS, QUERIES, DIM)
        return
    expected = torch.stack([read(*one) for one in zip(query, keys, mask, strict=True)])
    assert_close(vmap(read)(query, keys, mask), expected)

    def loss(query, keys, mask):
        return read(query, keys, mask).square().sum()

    gradients = vmap(grad(loss))(query, keys, mask)
    value, slope = jvp(lambda query: loss(query, keys[0], mask[0]), (query[0],), (keys[0, :, :2],))
    assert_close(value, loss(query[0], keys[0], mask[0]))
    assert_close(slope, (gradients[0] * keys[0, :, :2]).sum(), rtol=1e-4, atol=1e-5)
    leaf = query[0].clone().requires_grad_()
    found = loss(leaf, keys[0], mask[0])
    if found.requires_grad:
        (exact,) = torch.autograd.grad(found, leaf, allow_unused=True, materialize_grads=True)
        assert_close(gradients[0], exact, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("align", SPARSE, ids=name)
def test_second_derivatives_by_transforms(align):
    scores, align = torch.randn(4).double(), deepcopy(align).double()

    def entropy(scores):
        return align(scores[None])[0].square().sum()

    leaf = scores.clone().requires_grad_()
    assert_close(hessian(entropy)(scores), torch.autograd.functional.hessian(entropy, leaf))


def test_read_under_a_transform_looks_at_no_step():
    attention = Attention(Dot(), LocalM(2))
    query, keys = torch.randn(2, ROWS, 7, DIM), torch.randn(2, ROWS, 7, DIM)
    steps = torch.arange(7).expand(2, ROWS, 7)

    def read(query, keys, step):
        return attention.read(query, keys, context=AlignContext(None, torch.arange(7), None, step))

    expected = [read(*one) for one in zip(query, keys, steps, strict=True)]
    assert_close(vmap(read)(query, keys, steps), torch.stack(expected))


def test_what_is_hidden_from_some_queries_changes_nothing_if_it_is_finite():
    """List 14: the promise under a mask a query; NaN there reaches the value, not the weights."""
    attention, query, keys = Attention(ScaledDot(), Softmax()), torch.randn(1, 6, DIM), None
    keys = torch.randn(1, 6, DIM)
    clean = attention(query, keys, mask=causal_mask(6))
    for number in (1e30, torch.nan):
        changed = keys.clone()
        changed[0, 4] = number
        found = attention(query, changed, mask=causal_mask(6))
        assert torch.equal(found.weights[:, :4], clean.weights[:, :4])
        assert torch.equal(found.value[:, :4], clean.value[:, :4]) is (number == 1e30)


@pytest.mark.parametrize("score", [Dot(), Additive(DIM, DIM, 7)], ids=name)
def test_hooks_of_a_score_are_called(score):
    """Whoever reads: forward, read, attend, heads and shared entries; and they may alter it."""
    seen = []
    attention = Attention(score, Softmax())
    query, keys = torch.randn(ROWS, 1, DIM), torch.randn(ROWS, 7, DIM)
    plain = attention(query, keys).weights
    hook = score.register_forward_hook(lambda part, inputs, scores: seen.append(inputs) or -scores)
    turned = attention(query, keys).weights
    assert_close(turned[plain.argmax(-1, keepdim=True) == torch.arange(7)], turned.amin(-1)[:, 0])
    attention.read(query, keys)
    attention.attend(query, score.remember(keys), keys)
    QueryHeads(attention)(query.unsqueeze(1), keys)
    entries, mask = torch.randint(0, 7, (ROWS, 4, 2)), torch.ones(ROWS, 4, dtype=torch.bool)
    attention.attend_shared(query[:, 0], keys[0], keys[0], entries, mask)
    assert len(seen) == 5
    assert isinstance(seen[0][1], Remembered)
    hook.remove()
    assert torch.equal(attention(query, keys).weights, plain)


@pytest.mark.parametrize("kind", ["", "_pre"])
def test_hooks_on_the_way_back_are_called(kind):
    """A part that only they watch is watched: no kernel may pass it by."""
    score, seen = Dot(), []
    register = getattr(score, f"register_full_backward{kind}_hook")
    hook = register(lambda *given: seen.append(given))
    assert twins.is_watched(score)
    query, keys = (torch.randn(ROWS, 1, DIM, requires_grad=True) for _ in range(2))
    Attention(score, Softmax()).read(query, keys).sum().backward()
    assert len(seen) == 1
    hook.remove()
    assert not twins.is_watched(score)


# Faults that were planted once, and passed.


def test_consecutive_returns_the_slot_and_not_the_step():
    query, step = torch.randn(ROWS, 7, DIM), torch.arange(5, 12).expand(ROWS, -1)
    context = AlignContext(positions=torch.arange(3, 20), step=step)
    assert consecutive(LocalM(2), query, context) == 2
    attention, keys = Attention(Dot(), LocalM(2)), torch.randn(ROWS, 17, DIM)
    found = attention.read(query, keys, context=context)
    assert_close(found, attention(query, keys, context=context).value)


def test_what_derives_from_softmax_is_read_as_it_says():
    class Faint(Softmax):
        def forward(self, scores, mask=None, context=AlignContext()):
            return super().forward(scores, mask, context) / 2

    attention = Attention(Dot(), Faint())
    query, keys = torch.randn(ROWS, 1, DIM), torch.randn(ROWS, 7, DIM)
    assert_close(attention.read(query, keys), attention(query, keys).value)


def test_several_queries_in_every_head_with_a_local_align():
    """Each head asks from the same places: the steps are repeated head by head."""
    attention = Attention(Dot(), LocalM(1))
    queries, keys = torch.randn(ROWS, 2, 4, DIM), torch.randn(ROWS, 9, DIM)
    step = torch.stack([torch.tensor([0, 3, 5, 8]) - row for row in range(ROWS)])
    context = AlignContext(positions=torch.arange(9), step=step)
    found = QueryHeads(attention)(queries, keys, context=context)
    for head in range(2):
        alone = attention(queries[:, head], keys, context=context)
        assert_close(found.weights[:, head], alone.weights)
    multi = MultiHead(Attention(Dot(), LocalM(1)), heads=2, dim=4)
    weights = multi(torch.randn(ROWS, 4, 4), torch.randn(ROWS, 9, 4), context=context).weights
    assert torch.equal(weights[:, 0] > 0, alone.weights > 0)


def test_the_norm_of_a_cosine_is_bounded_below_and_taken_in_float32():
    small = torch.zeros(1, 1, 4)
    small[..., 0] = 1e-7  # a tenth of the bound
    one = torch.zeros(1, 1, 4)
    one[..., 0] = 1.0
    assert_close(Cosine(1.0)(one, small).item(), 0.1)
    large = torch.full((1, 1, 4), 40000.0, dtype=torch.float16)  # its norm is beyond float16
    assert_close(Cosine(1.0)(large, large).item(), 1.0, rtol=1e-3, atol=0)
    assert Cosine(1.0)(large, large).dtype == LearnedCosine()(large, large).dtype == torch.float16


def test_alpha_of_entmax_is_not_rounded_to_half_precision():
    align, scores = Entmax(1.3), torch.randn(2, 7).bfloat16()
    exact = align(scores.float())
    with torch.no_grad():
        halved = align.bfloat16()
        wide = Entmax(1.3)
        wide.raw_alpha.copy_(halved.raw_alpha)  # what bfloat16 keeps of the parameter
    assert exact.dtype == halved(scores).dtype == torch.float32
    assert torch.equal(halved(scores), wide(scores.float()))


def test_a_hard_walk_stops_above_zero_and_not_at_it():
    """An even chance is not enough to stop (e + r > 0)."""
    previous = start_at_first(torch.ones(1, 3, dtype=torch.bool))
    align = Monotonic(bias=0.5).hard()
    weights = align(torch.tensor([[-0.5, -0.5, 0.0]]), None, AlignContext(previous=previous))
    assert weights.tolist() == [[0.0, 0.0, 1.0]]


# Limits: what just fits is taken.


def test_what_is_just_at_its_limit_is_taken():
    query, keys = torch.randn(1, 2, DIM), torch.randn(1, 3, DIM)
    assert Location(DIM, max_slots=3)(query, keys).shape == (1, 2, 3)
    with pytest.raises(ValueError, match="a memory of 4 slots came"):
        Location(DIM, max_slots=3)(query, torch.randn(1, 4, DIM))
    assert not Cosine(strength=0.0)(query, keys).any()
    assert_close(PaddedSoftmax(slots=1)(keys), keys.softmax(-1))
    old = Baseline.start(2.0)
    assert old.update(torch.tensor([3.0, 5.0]), decay=1.0).mean.item() == 2.0
    assert old.update(torch.tensor([3.0, 5.0]), decay=0.0).mean.item() == 4.0
    assert old.update(torch.tensor([3.0, 5.0], dtype=torch.float64)).mean.dtype == torch.float32


@pytest.mark.parametrize("k", [1, 2, 3, 4, 99])
def test_the_best_k_of_few_slots(k):
    """Of three slots, two readable; no more than there are, whatever is asked for."""
    scores, mask = torch.tensor([[0.5, 9.0, 1.5]]), torch.tensor([[True, False, True]])
    taken = min(k, 2)
    expected = torch.zeros(3)
    best = torch.tensor([2, 0])[:taken]
    expected[best] = scores[0, best].softmax(0)
    assert_close(TopK(k)(scores, mask)[0], expected)
    every = scores.masked_fill(~mask, -torch.inf).softmax(-1)[0]
    assert_close(TopKOfSoftmax(k)(scores, mask)[0], torch.where(expected > 0, every, 0.0))
    assert TopK(k).align(scores).indices.shape == (1, min(k, 3))


def test_weights_of_one_slot_kept_twice_are_added():
    aligned = Aligned(torch.tensor([[0.25, 0.5, 0.125]]), torch.tensor([[2, 0, 2]]))
    assert aligned.dense(4).tolist() == [[0.5, 0.0, 0.375, 0.0]]


def test_a_readout_is_as_wide_as_the_memory():
    """Weights and scores, also where the end is cut off; kept slots are as many as are kept."""
    query, keys = torch.randn(2, 3, DIM), torch.randn(2, 9, DIM)
    mask = (torch.arange(9) < 4).expand(2, 1, 9)
    found = Attention(Dot(), Softmax())(query, keys, mask=mask)
    assert found.weights.shape == found.scores.shape == (2, 3, 9)
    assert_close(found.scores[..., :4], query @ keys[:, :4].mT)
    kept = Attention(Dot(), TopK(2))(query, keys, mask=mask)
    assert kept.weights.shape == kept.indices.shape == (2, 3, 2)
    assert kept.scores.shape == (2, 3, 9)
    step = SelfAttention(Attention(Dot(), Softmax()), DIM, DIM, DIM)(keys, mask)
    assert (step.value.shape, step.weights.shape) == ((2, 9, DIM), (2, 9, 9))


@pytest.mark.parametrize("steps", [0, 1, 7])
@pytest.mark.parametrize("slots", [0, 1, 7])
def test_consecutive_steps_and_slots_of_any_number(steps, slots):
    """Without a step or a slot there is nothing to be consecutive."""
    query = torch.randn(ROWS, steps, DIM)
    context = AlignContext(
        positions=torch.arange(4, 4 + slots), step=torch.arange(3, 3 + steps).expand(ROWS, -1)
    )
    expected = -1 if steps and slots else None
    assert consecutive(LocalM(2), query, context) == expected
    found = Attention(Dot(), LocalM(2)).read(query, torch.randn(ROWS, slots, DIM), context=context)
    assert found.shape == (ROWS, steps, DIM)


def test_steps_or_slots_that_leave_one_out_are_not_consecutive():
    query, count = torch.randn(1, 3, DIM), torch.arange(3)
    for step, places in ((count * 2, count), (count, count * 2), (count.flip(0), count)):
        assert (
            consecutive(LocalM(2), query, AlignContext(positions=places, step=step[None])) is None
        )
    assert consecutive(LocalM(2), query, AlignContext(positions=count, step=count[None])) == 0
    assert consecutive(Softmax(), query, AlignContext(positions=count, step=count[None])) is None
    assert consecutive(LocalM(2), query, AlignContext(positions=count, step=1)) is None


def test_the_largest_of_one_slot_is_it():
    pooled = max_pool(torch.tensor([[[-3.0, 2.0]]]), torch.tensor([[True]]))
    assert (pooled.value.tolist(), pooled.indices.tolist()) == ([[-3.0, 2.0]], [[0, 0]])
    assert pooled.weights.tolist() == [[[1.0, 1.0]]]
    nothing = max_pool(torch.zeros(2, 0, 3))
    assert nothing.indices.tolist() == [[0] * 3] * 2


@pytest.mark.parametrize("time", [0, 1, 3])
def test_every_step_may_read_itself(time):
    expected = [[j <= i for j in range(time)] for i in range(time)]
    assert causal_mask(time).tolist() == expected
