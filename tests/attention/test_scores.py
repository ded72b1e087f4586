"""Scores: what each is the same as, what it does not read, and what it refuses."""

from concurrent.futures import ThreadPoolExecutor

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from memnets.attention import (
    Additive,
    AlignContext,
    Attention,
    Bilinear,
    Concat,
    Cosine,
    Coverage,
    Dot,
    General,
    KeyStrengthCosine,
    LearnedCosine,
    Location,
    LocationConvolution,
    LuongConcat,
    NormalisedAdditive,
    ProjectedDot,
    Saliency,
    ScaledDot,
    Sigmoid,
    Softmax,
    coverage_loss,
    start_at_first,
    start_uniform,
)


@pytest.fixture
def query():
    return torch.randn(2, 3, 5).double()


@pytest.fixture
def keys():
    return torch.randn(2, 13, 7).double()


def copy(*pairs):
    with torch.no_grad():
        for to, value in pairs:
            to.copy_(value)


def test_additive_is_concat_of_its_matrices(query, keys):
    """List 2: one function, two spellings."""
    additive, concat = Additive(5, 7, 11).double(), Concat(5, 7, 11).double()
    side_by_side = torch.cat([additive.query_weight.weight, additive.key_weight.weight], 1)
    copy(
        (concat.joint_weight.weight, side_by_side),
        (concat.hidden_weight.weight, additive.hidden_weight.weight),
    )
    assert_close(concat(query, keys), additive(query, keys), rtol=1e-12, atol=1e-14)


def test_the_identity_half_is_additive_with_the_identity(query, keys):
    """List 2: Luong's footnote 15."""
    additive, luong = Additive(5, 7, 7).double(), LuongConcat(5, 7).double()
    copy(
        (additive.query_weight.weight, luong.query_weight.weight),
        (additive.key_weight.weight, torch.eye(7)),
        (additive.hidden_weight.weight, luong.hidden_weight.weight),
    )
    assert_close(luong(query, keys), additive(query, keys), rtol=1e-12, atol=1e-14)


def test_additive_by_hand():
    score = Additive(query_dim=1, key_dim=1, hidden=1)
    copy(*((weight, torch.tensor(2.0)) for weight in score.parameters()))
    scores = score(torch.tensor([[0.25]]), torch.tensor([[0.25], [-0.25]]))
    assert_close(scores, torch.tensor([[1.523188, 0.0]]))  # 2 tanh(1), 2 tanh(0)


def test_a_bias_moves_every_key_alike(query, keys):
    score, plain = Additive(5, 7, 11, bias=True).double(), Additive(5, 7, 11).double()
    copy(
        *(
            (getattr(plain, name).weight, getattr(score, name).weight)
            for name in ("query_weight", "key_weight", "hidden_weight")
        )
    )
    moved = plain.remember(keys) + score.key_weight.bias
    assert_close(score(query, keys), plain.match(query, moved))
    assert plain.key_weight.bias is None


def test_the_length_of_a_normalised_vector_is_its_gain(query, keys):
    score = NormalisedAdditive(5, 7, 11).double()
    assert score.gain.item() == pytest.approx(11**-0.5)
    assert_close(score.vector().norm(), score.gain.detach())
    before = score(query, keys)
    copy((score.hidden_weight.weight, 3 * score.hidden_weight.weight))
    assert_close(score(query, keys), before)
    copy((score.gain, 2 * score.gain))
    assert_close(score(query, keys), 2 * before)


def test_general_with_the_identity_is_dot(query):
    """List 3: general with W = I is dot."""
    score, keys = General(5, 5).double(), torch.randn(2, 13, 5).double()
    copy((score.weight.weight, torch.eye(5)))
    assert_close(score(query, keys), Dot()(query, keys))
    assert Bilinear is General


def test_general_projects_whichever_side_is_shorter(query, keys):
    score = General(5, 7).double()
    expected = torch.einsum("bqi,ij,bnj->bqn", query, score.weight.weight, keys)
    assert_close(score(query, keys), expected)
    many = query.repeat(1, 7, 1)  # 21 queries, 13 slots: the keys are projected
    assert_close(score(many, keys), expected.repeat(1, 7, 1))


def test_projected_dot_of_identities_is_scaled_dot(query):
    """List 3: projected dot with identities is scaled dot; its root is that of the projections."""
    score, keys = ProjectedDot(5, 5, 5).double(), torch.randn(2, 13, 5).double()
    copy((score.query_weight.weight, torch.eye(5)), (score.key_weight.weight, torch.eye(5)))
    assert_close(score(query, keys), ScaledDot()(query, keys))
    narrow, keys = ProjectedDot(5, 7, 3).double(), torch.randn(2, 13, 7).double()
    asked, known = query @ narrow.query_weight.weight.mT, keys @ narrow.key_weight.weight.mT
    assert_close(narrow(query, keys), asked @ known.mT / 3**0.5)


def test_scaled_dot_undone_is_dot(query):
    """List 3: scaled dot times the root of the key's width is dot."""
    keys = torch.randn(2, 13, 5).double()
    assert_close(ScaledDot()(query, keys) * 5**0.5, Dot()(query, keys))


def test_scaled_dot_by_hand():
    query, keys = torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([[1.0, 1.0, 1.0, 1.0]])
    assert ScaledDot()(query, keys).item() == 5.0  # 10 / sqrt(4)


def test_cosine_does_not_see_lengths(query):
    """List 3: cosine is invariant to scaling query and keys by positive numbers."""
    keys = torch.randn(2, 13, 5).double()
    scales = torch.rand(2, 13, 1).double() + 0.1
    assert_close(Cosine()(3 * query, keys * scales), Cosine()(query, keys))


def test_a_strong_cosine_picks_the_best(query):
    """List 3: with a large strength the softmax is an argmax."""
    keys = torch.randn(2, 13, 5).double()
    weights = Attention(Cosine(1e6), Softmax())(query, keys).weights
    best = Cosine()(query, keys).argmax(-1)
    assert_close(weights, F.one_hot(best, 13).double())


def test_a_bare_cosine_is_nearly_a_mean():
    """The most that one of 100 slots can get without a strength: e^2 / (e^2 + 99) = 6.9 %."""
    query = torch.tensor([[1.0, 0.0]])
    keys = torch.cat([query, (-query).expand(99, 2)])
    weights = Attention(Cosine(1.0), Softmax())(query, keys).weights
    assert weights.max().item() == pytest.approx(0.069, abs=5e-4)


@pytest.mark.parametrize("zero", ["query", "keys"])
@pytest.mark.parametrize("score", [Cosine(), LearnedCosine()])
def test_zero_vectors_have_a_finite_gradient(score, zero):
    inputs = {"query": torch.randn(1, 3, 5), "keys": torch.randn(1, 7, 5)}
    inputs[zero][0, 1] = 0.0
    query, keys = (inputs[name].requires_grad_() for name in ("query", "keys"))
    scores = score(query, keys)
    scores.sum().backward()
    assert scores.isfinite().all()
    assert query.grad.isfinite().all()
    assert keys.grad.isfinite().all()


def test_strengths_are_where_they_were_put(query):
    keys = torch.randn(2, 13, 5).double()
    bare = Cosine(1.0)(query, keys)
    for strength in (0.3, 7.0, 900.0):
        learned = LearnedCosine(strength).double()
        assert learned.strength(AlignContext()).item() == pytest.approx(strength, rel=1e-6)
        assert_close(learned(query, keys), strength * bare, rtol=1e-6, atol=1e-6)
    steps = torch.rand(2, 3).double()
    found = KeyStrengthCosine()(query, keys, AlignContext(strength=steps))
    assert_close(found, steps.unsqueeze(-1) * bare)


def test_location_does_not_read_the_keys(query, keys):
    """List 4: NaN keys change nothing in the scores."""
    score = Location(5, max_slots=17).double()
    assert torch.equal(score(query, keys * torch.nan), score(query, keys))
    assert score.remember(keys).numel() == 0
    assert [name for name, _ in score.named_parameters()] == ["weight.weight"]  # W_a q alone


def test_location_is_cut_before_it_is_aligned(query, keys):
    """List 4: the weights of a memory shorter than the longest sum to one."""
    attention = Attention(Location(5, max_slots=17), Softmax()).double()
    weights = attention(query, keys).weights
    assert_close(weights.sum(-1), torch.ones(2, 3).double())
    whole = (query @ attention.score.weight.weight.mT).softmax(-1)
    assert (whole[..., :13].sum(-1) < 0.999).all()  # what aligning first would give


def test_a_memory_too_long_for_its_places_is_refused(query, keys):
    """List 4: with both numbers."""
    message = r"Location\(max_slots=11\): a memory of 13 slots came, expected 11 at most\. Build"
    with pytest.raises(ValueError, match=message):
        Location(5, max_slots=11).double()(query, keys)


def test_location_convolution_without_its_layer_is_additive(query, keys):
    """List 5: with C = 0 it is additive, whatever was read before."""
    score, additive = (
        LocationConvolution(5, 7, 11, filters=2, width=5).double(),
        Additive(5, 7, 11, bias=True).double(),
    )
    additive.load_state_dict(score.state_dict(), strict=False)
    copy((score.located_weight.weight, torch.zeros(11, 2)))
    context = AlignContext(previous=torch.rand(2, 3, 13).double())
    assert_close(score(query, keys, context), additive(query, keys), rtol=1e-12, atol=1e-14)


def test_a_delta_filter_gives_back_the_previous_weights(query, keys):
    """List 5: a filter that is one in its middle."""
    score = LocationConvolution(5, 7, 1, filters=1, width=5).double()
    copy(*((weight, torch.zeros(())) for weight in score.parameters()))
    copy(
        (score.filters.weight[0, 0, 2], torch.tensor(1.0)),
        (score.located_weight.weight, torch.ones(1, 1)),
        (score.hidden_weight.weight, torch.ones(1, 1)),
    )
    previous = torch.rand(2, 3, 13).double()
    assert_close(score(query, keys, AlignContext(previous=previous)).atanh(), previous)


def test_the_two_first_steps():
    """List 5: uniform over what may be read, or at the first of it."""
    mask = torch.tensor([[False, True, True], [True, False, True], [False, False, False]])
    half = torch.tensor([[0.0, 0.5, 0.5], [0.5, 0.0, 0.5], [0.0, 0.0, 0.0]])
    assert torch.equal(start_uniform(mask), half)
    first = torch.tensor([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    assert torch.equal(start_at_first(mask), first)


def test_wide_weights_are_carried_by_a_narrow_model(query, keys):
    """Weights come back in float32 from a model in half precision, and go in again."""
    for score in (LocationConvolution(5, 7, 11, 2, 5), Coverage(5, 7, 11)):
        attention = Attention(score, Softmax()).half()
        carried = torch.zeros(2, 3, 13)
        for _ in range(2):
            context = AlignContext(previous=carried, coverage=carried)
            readout = attention(query.half(), keys.half(), context=context)
            assert readout.weights.dtype == torch.float32
            carried = carried + readout.weights


def test_coverage_of_nothing_is_additive(query, keys):
    score, additive = Coverage(5, 7, 11).double(), Additive(5, 7, 11, bias=True).double()
    additive.load_state_dict(score.state_dict(), strict=False)
    context = AlignContext(coverage=torch.zeros(2, 3, 13).double())
    assert_close(score(query, keys, context), additive(query, keys))


def test_coverage_steers_away_and_is_not_written(query, keys):
    """With a negative weight a slot that was read is read less."""
    score = Coverage(5, 7, 11).double()
    copy(
        (score.hidden_weight.weight, torch.ones(1, 11)),
        (score.coverage_weight.weight, -torch.ones(11, 1)),
    )
    attention, coverage = Attention(score, Softmax()), torch.zeros(2, 3, 13).double()
    first = attention(query, keys, context=AlignContext(coverage=coverage)).weights
    assert not coverage.any()
    later = attention(query, keys, context=AlignContext(coverage=5 * first)).weights
    best = first.argmax(-1, keepdim=True)
    assert (later.gather(-1, best) < first.gather(-1, best)).all()


def test_coverage_loss_by_hand():
    weights, coverage = torch.tensor([[0.5, 0.3, 0.2]]), torch.tensor([[0.1, 0.9, 0.0]])
    assert_close(coverage_loss(weights, coverage), torch.tensor([0.4]))  # 0.1 + 0.3 + 0
    assert not coverage_loss(weights, torch.zeros(1, 3)).any()
    two = coverage_loss(weights.expand(2, 2, 3), coverage.expand(2, 2, 3))
    assert_close(two, torch.full((2, 2), 0.4))  # one for each query of each batch


def test_saliency_hears_no_query(query, keys):
    score = Saliency(7).double()
    assert torch.equal(score(query, keys), score(query * torch.nan, keys))


def test_gating_is_saliency_with_a_sigmoid(keys):
    """The notes' gate: every slot let through by itself, and the weights say how far."""
    attention = Attention(Saliency(7, bias=-2.5), Sigmoid()).double()
    value, weights, *_ = attention(torch.zeros(2, 1, 5).double(), keys)
    gates = torch.sigmoid(keys @ attention.score.weight.weight[0] - 2.5)
    assert_close(weights.squeeze(1), gates)
    assert_close(value.squeeze(1), (gates.unsqueeze(-1) * keys).sum(1))


def test_threads_may_share_a_module(query, keys):
    """List 21: two memories read at the same time by one module, many times over."""
    attention = Attention(Additive(5, 7, 11), Softmax()).double()
    memories = [keys, keys.flip(-1) + 1]
    expected = [attention(query, memory).value for memory in memories]

    def read(i):
        return i, attention(query, memories[i]).value

    with ThreadPoolExecutor(2) as pool:
        for i, value in pool.map(read, [0, 1] * 20):
            assert torch.equal(value, expected[i])


@pytest.mark.parametrize("score", [Dot, ScaledDot, Cosine, LearnedCosine, KeyStrengthCosine])
def test_unequal_widths_are_refused(score):
    message = rf"{score.__name__}\(\): the query has width 5 and the keys 7\. .*equal widths"
    with pytest.raises(ValueError, match=message):
        score()(torch.randn(3, 5), torch.randn(13, 7))


@pytest.mark.parametrize(
    ("build", "name", "size"),
    [
        (lambda: General(0, 7), "General", "query_dim=0"),
        (lambda: General(5, 0), "General", "key_dim=0"),
        (lambda: ProjectedDot(0, 7, 4), "ProjectedDot", "query_dim=0"),
        (lambda: ProjectedDot(5, 0, 4), "ProjectedDot", "key_dim=0"),
        (lambda: ProjectedDot(5, 7, 0), "ProjectedDot", "dim=0"),
        (lambda: Additive(5, 0), "Additive", "key_dim=0"),
        (lambda: Additive(5, 7, 0), "Additive", "hidden=0"),
        (lambda: NormalisedAdditive(0, 7), "NormalisedAdditive", "query_dim=0"),
        (lambda: Concat(5, 7, -1), "Concat", "hidden=-1"),
        (lambda: LuongConcat(5, 0), "LuongConcat", "key_dim=0"),
        (lambda: Location(5, 0), "Location", "max_slots=0"),
        (lambda: LocationConvolution(5, 7, 11, 0), "LocationConvolution", "filters=0"),
        (lambda: Coverage(5, 7, 0), "Coverage", "hidden=0"),
        (lambda: Saliency(0), "Saliency", "key_dim=0"),
    ],
)
def test_a_size_below_one_is_refused(build, name, size):
    with pytest.raises(ValueError, match=rf"{name}\({size}\): expected at least 1\. Pass the size"):
        build()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Cosine(-1.0), r"Cosine\(strength=-1.0\): expected a number of at least 0"),
        (lambda: Cosine(float("nan")), r"Cosine\(strength=nan\): expected a number"),
        (lambda: LearnedCosine(0.0), r"LearnedCosine\(strength=0.0\): expected a number above 0"),
        (
            lambda: LocationConvolution(5, 7, 11, width=4),
            r"LocationConvolution\(width=4\): expected an odd number",
        ),
    ],
)
def test_what_else_scores_refuse(build, message):
    with pytest.raises(ValueError, match=message):
        build()
