"""All models of pointer networks against their loops: values, gradients, planted faults."""

from functools import partial

import numpy as np
import pytest
import torch
from torch import nn

from memnets.attention import Additive, Score, Sparsemax
from memnets.layers.recurrent import LSTM, FedLSTM
from memnets.models import pointer
from memnets.models.pointer import decoders, network
from memnets.models.seq2seq import Stacked
from memnets.reference import attention as parts
from memnets.reference import pointer as loops

H, E, MOST = 3, 4, 7
NETWORKS = {
    "paper": partial(pointer.paper, hidden=H),
    "embedded": partial(pointer.paper, hidden=H, inputs=E),
    "notes": partial(pointer.notes, hidden=H, inputs=E),
    "numbers": partial(pointer.paper, 1, hidden=H),
    "attentive": partial(pointer.attentive, MOST, hidden=H, inputs=E),
    "plain": partial(pointer.plain, MOST, hidden=H, inputs=E),
}
each_network = pytest.mark.parametrize("name", NETWORKS)


def build(name):
    model = NETWORKS[name]().double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.7)
    return model


def inputs(dim=2):
    """Return sets of unequal sizes, of one point and of none too."""
    target = torch.tensor([[2, 1, 3, 2], [6, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]])
    return torch.randn(4, 6, dim).double(), torch.tensor([3, 6, 1, 0]), target


def array(tensor):
    return tensor.detach().numpy()


def lstm_of(core):
    cells = core.cells
    w, u, b, more = (
        array(getattr(cells, f"{name}_l0"))
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    )
    return loops.LSTM(w, u, b + more)


def by_loops(model, points, said):
    """Return log p of every index of one set and of the stop, and the weights."""
    decoder, line = model.decoder, model.embedding
    own = [array(line.weight), array(line.bias)] if isinstance(line, nn.Linear) else [None, None]
    reads = loops.Reads(*own, array(model.first), lstm_of(model.source.core), lstm_of(decoder.core))
    score = getattr(decoder, "score", None) or getattr(decoder, "attention", decoder)
    score = getattr(score, "score", score)
    if isinstance(decoder, decoders.PlainDecoder):
        out = array(decoder.output.weight), array(decoder.output.bias)
        return loops.plain(points, said, reads, *out), None
    match = loops.Match(
        array(score.key_weight.weight), array(score.query_weight.weight), array(score.vector())
    )
    if isinstance(decoder, decoders.AttentiveDecoder):
        out = array(decoder.output.weight), array(decoder.output.bias)
        log_prob, weights = loops.attentive(points, said, reads, match, *out)
        return log_prob, np.pad(weights, ((0, 0), (1, 0)))
    at_points = decoder.keys is pointer.by_points
    return loops.pointer(points, said, reads, match, array(decoder.stop), at_points)


def compare(model):
    """Raise an AssertionError where the model and the loops differ."""
    points, length, target = inputs(model.dim)
    found = model(points, length, target)
    for row, choices in enumerate(target):
        said = choices[choices > 0].tolist()
        number, steps = int(length[row]), len(said) + 1
        if number == 0:
            continue
        expected, weights = by_loops(model, array(points[row, :number]), said)
        log_prob = array(found.log_prob[row])
        np.testing.assert_allclose(log_prob[:steps], expected, rtol=1e-10, atol=1e-12)
        assert not log_prob[steps:].any()
        assert found.told[row].sum() == steps
        seen = array(found.weights[row])
        assert not seen[steps:].any()
        assert not seen[:, 1 + number :].any()
        if weights is not None:
            np.testing.assert_allclose(seen[:steps, : 1 + number], weights, rtol=1e-10, atol=1e-12)


@each_network
@pytest.mark.usefixtures("shapes_unchecked")
def test_equals_the_loops(name):
    """List 10: every decoder, values and weights."""
    compare(build(name))


def test_its_shapes_are_as_annotated():
    """List 10: with the checks that the tests beside it leave out."""
    for name in ("embedded", "notes", "attentive", "plain"):
        compare(build(name))


@pytest.mark.usefixtures("shapes_unchecked")
def test_of_another_align_the_logarithm_is_taken_of_its_weights():
    decoder = pointer.PointerDecoder(LSTM(2, H), Additive(H, H, H), H, align=Sparsemax())
    model = pointer.PointNetwork(2, nn.Identity(), 2, Stacked(LSTM(2, H)), decoder).double()
    points, length, target = inputs()
    found = model(points, length, target)
    state = model.start(points, length)
    first = torch.zeros(4, dtype=torch.long)
    d, _ = decoder.core(model.first.expand(4, 1, -1), state.decoder)
    scores = decoder.score.match(d, state.remembered.keys)[0, 0]
    expected = parts.entmax(array(scores), array(state.remembered.mask[0, 0]), 2.0)
    np.testing.assert_allclose(array(model.step(state, first).weights[0]), expected, atol=1e-12)
    np.testing.assert_allclose(found.log_prob[0, 0].detach(), np.log(expected[2]), rtol=1e-10)


def along_lines(model, given, lines=2):
    """Raise an AssertionError where a gradient is not that of finite differences."""
    weights = list(model.parameters())
    loss = model.loss(*given).sum()
    gradients = torch.autograd.grad(loss, weights, allow_unused=True, materialize_grads=True)

    def moved(line, step):
        with torch.no_grad():
            for part, way in zip(weights, line, strict=True):
                part.add_(way, alpha=step)
            return float(model.loss(*given).sum())

    for _ in range(lines):
        line = [torch.randn_like(part) for part in weights]
        ends = moved(line, 1e-5), moved(line, -2e-5)
        moved(line, 1e-5)
        along = sum(float((g * way).sum()) for g, way in zip(gradients, line, strict=True))
        assert along == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-6, abs=1e-7)


@each_network
@pytest.mark.usefixtures("shapes_unchecked")
def test_gradients_are_those_of_finite_differences(name):
    """List 10: along lines of all weights."""
    model = build(name)
    along_lines(model, inputs(model.dim))


@pytest.mark.usefixtures("shapes_unchecked")
def test_scores_by_hand():
    """List 8: of four slots, the third right; the gradient is p less the right one."""
    scores = torch.tensor([[[0.3, -0.7, 1.1, 0.0]]], dtype=torch.float64, requires_grad=True)

    class Given(Score):
        def match(self, query, remembered, context):
            return scores

        @classmethod
        def example(cls, query_dim, key_dim):
            return cls()

    decoder = pointer.PointerDecoder(LSTM(1, 1), Given(), 1).double()
    model = pointer.PointNetwork(1, nn.Identity(), 1, Stacked(LSTM(1, 1)), decoder).double()
    points, length = torch.rand(1, 3, 1).double(), torch.tensor([3])
    said = model.step(model.start(points, length), torch.tensor([0]))
    p = torch.tensor([[0.2307, 0.0849, 0.5135, 0.1709]], dtype=torch.float64)
    torch.testing.assert_close(said.weights, p, atol=5e-5, rtol=0)
    torch.testing.assert_close(said.log_prob.exp(), said.weights, rtol=1e-12, atol=0)
    (slope,) = torch.autograd.grad(-said.log_prob[0, 2], scores)
    right = torch.tensor([0.0, 0, 1, 0], dtype=torch.float64)
    torch.testing.assert_close(slope[0], said.weights - right, rtol=1e-12, atol=1e-12)


def given(change):
    """Have a decoder given something else."""
    return lambda real: (
        lambda self, remembered, state, inputs: real(self, *change(remembered, state, inputs))
    )


FAULTS = {
    "a step is given the point of the step itself": (
        network.PointNetwork, "_choose",
        lambda real: lambda self, state, before: real(self, state, before.roll(-1, 1)), "paper",
    ),
    "a step is given the encoder's state of the point": (
        network.PointNetwork, "start",
        lambda real: lambda self, points, length: (
            lambda state: state._replace(remembered=state.remembered._replace(
                inputs=state.remembered.inputs.roll(1, -1)))
        )(real(self, points, length)),
        "paper",
    ),
    "the stop stands behind the points": (
        decoders.PointerDecoder, "remember",
        lambda real: lambda self, points, source: tuple(
            part.roll(-1, 1) for part in real(self, points, source)
        ),
        "paper",
    ),
    "the stop is not to be chosen": (
        decoders.PointerDecoder, "forward",
        given(lambda r, s, i: (r._replace(mask=r.mask & (torch.arange(7) > 0)), s, i)), "paper",
    ),
    "padded points may be chosen": (
        decoders.PointerDecoder, "forward",
        given(lambda r, s, i: (r._replace(mask=torch.ones_like(r.mask)), s, i)), "paper",
    ),
    "the decoder starts from zeros": (
        network.Decoder, "start",
        lambda real: lambda self, source: type(source.start)(
            *(torch.zeros_like(part) for part in source.start)
        ),
        "paper",
    ),
    "the decoder starts behind the padding": (
        LSTM, "read",
        lambda real: lambda self, x, length: real(self, x, torch.full_like(length, x.shape[1])),
        "paper",
    ),
    "the hidden layer has no tanh": (
        Additive, "match",
        lambda real: lambda self, query, remembered, context: (
            self.query_weight(query).unsqueeze(-2) + remembered.unsqueeze(-3)
        ) @ self.vector(),
        "paper",
    ),
    "the states are pointed at": (
        pointer.PointerDecoder, "remember",
        lambda real: lambda self, points, source: real(self, source.states[..., :2], source),
        "notes",
    ),
    "what was read is not fed": (
        FedLSTM, "feed",
        lambda real: lambda self, layers, given, fed, state: real(
            self, layers, given, torch.zeros_like(fed), state
        ),
        "attentive",
    ),
    "state and what was read change places": (
        decoders, "_indices",
        lambda real: lambda logits, remembered: real(logits.flip(-1), remembered), "attentive",
    ),
    "attention reads the stop": (
        decoders.AttentiveDecoder, "remember",
        lambda real: lambda self, points, source: (
            real(self, points, source)[0], source.states.roll(1, 1)
        ),
        "attentive",
    ),
    "indices that are not there are chosen": (
        decoders, "_indices",
        lambda real: lambda logits, remembered: real(
            logits, remembered._replace(mask=torch.ones_like(remembered.mask))
        ),
        "plain",
    ),
}  # fmt: skip


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_caught(fault, monkeypatch):
    """List 11: one of every equation."""
    where, attribute, wrong, name = FAULTS[fault]
    monkeypatch.setattr(where, attribute, wrong(getattr(where, attribute)))
    with pytest.raises(AssertionError):
        compare(build(name))


WITHOUT_GRADIENT = {
    "what is fed": (
        FedLSTM, "feed",
        lambda real: lambda self, layers, given, fed, state: real(
            self, layers, given, fed.detach(), state
        ),
        "attentive",
    ),
    "what is remembered": (
        Additive, "remember", lambda real: lambda self, keys: real(self, keys.detach()), "paper",
    ),
    "where the decoder starts": (
        network.Decoder, "start",
        lambda real: lambda self, source: type(source.start)(
            *(part.detach() for part in source.start)
        ),
        "paper",
    ),
}  # fmt: skip


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize("fault", WITHOUT_GRADIENT)
def test_a_fault_of_the_gradient_is_caught(fault, monkeypatch):
    """List 11: of right values."""
    where, attribute, wrong, name = WITHOUT_GRADIENT[fault]
    monkeypatch.setattr(where, attribute, wrong(getattr(where, attribute)))
    model = build(name)
    compare(model)
    with pytest.raises(AssertionError):
        along_lines(model, inputs())
