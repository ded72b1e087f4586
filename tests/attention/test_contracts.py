"""What later parts will need: small scores and aligns of every kind, run through the suite."""

import pytest
import torch
from torch import nn

from memnets.attention import Align, AlignContext, Aligned, Attention, Dot, Score, Softmax
from memnets.ops.masking import masked_softmax
from memnets.testing import check_align, check_pair, check_score
from memnets.testing.conformance.inputs import QUERY_DIM, SLOTS, draw


class Location(Score):
    """The place of a slot is all that counts; the keys are not read."""

    depends_on_positions = True

    def __init__(self, query_dim, slots):
        super().__init__()
        self.place = nn.Linear(query_dim, slots)

    def match(self, query, remembered, context=AlignContext()):
        return self.place(query)[..., : remembered.shape[-2]]

    @classmethod
    def example(cls, query_dim, key_dim):
        return cls(query_dim, SLOTS)


class LocationConvolution(Score):
    """An additive score that also sees the weights of the step before."""

    depends_on_positions = True

    def __init__(self, query_dim, key_dim, hidden):
        super().__init__()
        self.query_weight = nn.Linear(query_dim, hidden)
        self.key_weight = nn.Linear(key_dim, hidden, bias=False)
        self.filters = nn.Conv1d(1, hidden, 3, padding=1, bias=False)
        self.hidden_weight = nn.Linear(hidden, 1, bias=False)

    def remember(self, keys):
        return self.key_weight(keys)

    def match(self, query, remembered, context=AlignContext()):
        previous = context.require("previous", "LocationConvolution")
        rows = previous.reshape(-1, 1, previous.shape[-1])
        seen = self.filters(rows).mT.unflatten(0, previous.shape[:-1])
        pre = self.query_weight(query).unsqueeze(-2) + remembered.unsqueeze(-3) + seen
        return self.hidden_weight(torch.tanh(pre)).squeeze(-1)

    @classmethod
    def example(cls, query_dim, key_dim):
        return cls(query_dim, key_dim, hidden=2)


class LocalP(Align):
    """A softmax inside a window, times a Gaussian about a predicted place."""

    depends_on_positions = True
    sums_to = None

    def __init__(self, query_dim, window):
        super().__init__()
        self.window = window
        self.hidden = nn.Linear(query_dim, query_dim, bias=False)
        self.centre = nn.Linear(query_dim, 1, bias=False)

    def forward(self, scores, mask=None, context=AlignContext()):
        query, positions, length = (
            context.require(field, "LocalP") for field in ("query", "positions", "length")
        )
        share = torch.sigmoid(self.centre(torch.tanh(self.hidden(query))))
        centre = length[..., None, None] * share
        near = (positions - centre.floor()).abs() <= self.window
        mask = near if mask is None else mask & near
        distance = (positions - centre) / (self.window / 2)
        return masked_softmax(scores, mask) * torch.exp(-(distance**2) / 2)

    @classmethod
    def example(cls):
        return cls(QUERY_DIM, window=3)


class Monotonic(Align):
    """The expected place of the first stop at or after the last one, by recursion."""

    depends_on_positions = True
    sums_to = None

    def forward(self, scores, mask=None, context=AlignContext()):
        previous = context.require("previous", "Monotonic")
        stop = torch.sigmoid(scores.float() if scores.dtype.itemsize < 4 else scores)
        stop = stop if mask is None else stop.masked_fill(~mask, 0.0)
        arrived, weights = torch.zeros_like(stop[..., 0]), []
        for slot in range(scores.shape[-1]):
            arrived = arrived + previous[..., slot]
            weights.append(stop[..., slot] * arrived)
            arrived = arrived - weights[-1]
        return torch.stack(weights, -1)


class Sampled(Align):
    """One slot, drawn from the softmax, and what REINFORCE needs."""

    def align(self, scores, mask=None, context=AlignContext()):
        generator = context.require("generator", "Sampled")
        weights = masked_softmax(scores, mask)
        noise = torch.rand(weights.shape, generator=generator, dtype=weights.dtype)
        readable = weights > 0
        log = weights.masked_fill(~readable, 1.0).log()
        chosen = (log - (-noise.log()).log()).masked_fill(~readable, -torch.inf).argmax(-1, True)
        return Aligned(
            readable.any(-1, keepdim=True).to(weights.dtype),
            chosen,
            log.gather(-1, chosen).squeeze(-1),
            -(weights * log).sum(-1),
        )

    def forward(self, scores, mask=None, context=AlignContext()):
        weights, indices, _, _ = self.align(scores, mask, context)
        return torch.zeros_like(scores).scatter(-1, indices, weights.to(scores.dtype))


class TopK(Align):
    """A softmax over the highest scores; the others have no weights at all."""

    def __init__(self, kept):
        super().__init__()
        self.kept = kept

    def align(self, scores, mask=None, context=AlignContext()):
        kept = min(self.kept, scores.shape[-1])
        lowered = scores if mask is None else scores.masked_fill(~mask, -torch.inf)
        highest, indices = lowered.topk(kept, -1)
        return Aligned(
            masked_softmax(highest.nan_to_num(neginf=0.0), highest > -torch.inf), indices
        )

    def forward(self, scores, mask=None, context=AlignContext()):
        weights, indices = self.align(scores, mask, context)[:2]
        return weights.new_zeros(scores.shape).scatter(-1, indices, weights)

    @classmethod
    def example(cls):
        return cls(kept=3)


SCORES = [Location, LocationConvolution]
ALIGNS = [LocalP, Monotonic, Sampled, TopK]
PAIRS = [(score, align) for score in (Dot, *SCORES) for align in (Softmax, *ALIGNS)]


@pytest.mark.parametrize("score", SCORES)
def test_score_conforms(score):
    check_score(score)


@pytest.mark.parametrize("align", ALIGNS)
def test_align_conforms(align):
    check_align(align)


@pytest.mark.parametrize(("score", "align"), PAIRS)
def test_pair_conforms(score, align):
    check_pair(score, align)


def test_location_does_not_read_the_keys():
    inputs, score = draw(), Location(QUERY_DIM, SLOTS).double()
    assert torch.equal(
        score(inputs.query, inputs.keys * torch.nan), score(inputs.query, inputs.keys)
    )


def test_local_p_sums_to_less_than_one_and_reaches_its_predictor():
    inputs = draw()
    attention = Attention(Location(QUERY_DIM, SLOTS), LocalP.example()).double()
    readout = attention(inputs.query, inputs.keys, None, inputs.mask, inputs.context())
    assert (readout.weights.sum(-1) < 1).all()
    readout.value.sum().backward()
    assert attention.align.centre.weight.grad.any()
    assert attention.align.hidden.weight.grad.any()


def test_monotonic_by_hand():
    stop = torch.tensor([[0.2, 0.5, 0.9]], dtype=torch.float64)
    start = torch.tensor([[1.0, 0.0, 0.0]], dtype=torch.float64)
    first = Monotonic()(stop.logit(), None, AlignContext(previous=start))
    torch.testing.assert_close(first, torch.tensor([[0.2, 0.4, 0.36]], dtype=torch.float64))
    second = Monotonic()(torch.zeros_like(stop), None, AlignContext(previous=first))
    torch.testing.assert_close(second, torch.tensor([[0.1, 0.25, 0.305]], dtype=torch.float64))


def test_a_sampled_read_carries_what_reinforce_needs():
    inputs = draw()
    query = inputs.query.requires_grad_()
    keys = inputs.keys[..., :5]
    readout = Attention(Dot(), Sampled())(query, keys, None, inputs.mask, inputs.context())
    assert readout.indices.shape == readout.weights.shape == (2, 3, 1)
    assert inputs.mask.expand(2, 3, SLOTS).gather(-1, readout.indices).all()
    weights = Attention(Dot(), Softmax())(query, keys, None, inputs.mask).weights
    chosen = weights.gather(-1, readout.indices).squeeze(-1)
    torch.testing.assert_close(readout.log_prob.exp(), chosen)
    assert (readout.entropy > 0).all()
    readout.log_prob.sum().backward()
    assert query.grad.any()


def test_top_k_holds_no_dense_weights():
    inputs = draw(5, 5)
    attention = Attention(Dot(), TopK(kept=3))
    readout = attention(inputs.query, inputs.keys, inputs.values, inputs.mask)
    assert readout.weights.shape == readout.indices.shape == (2, 3, 3)
    whole = Attention(Dot(), TopK(SLOTS))(inputs.query, inputs.keys, inputs.values, inputs.mask)
    softmax = Attention(Dot(), Softmax())(inputs.query, inputs.keys, inputs.values, inputs.mask)
    torch.testing.assert_close(whole.value, softmax.value)


@pytest.mark.parametrize(
    ("part", "field"),
    [
        (LocationConvolution, "previous"),
        (LocalP, "query"),
        (LocalP, "positions"),
        (LocalP, "length"),
        (Monotonic, "previous"),
        (Sampled, "generator"),
    ],
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


@pytest.mark.parametrize("field", AlignContext._fields)
def test_require_returns_what_is_there(field):
    assert AlignContext(**{field: 7}).require(field, "Part") == 7
    with pytest.raises(ValueError, match=rf"Part needs the context's `{field}`"):
        AlignContext().require(field, "Part")
