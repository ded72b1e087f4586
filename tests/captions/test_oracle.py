"""Show, Attend and Tell against its loops: values, gradients, and faults planted by hand."""

import numpy as np
import pytest
import torch

from memnets.attention import Additive, Baseline, Sampled
from memnets.layers.recurrent import FedLSTM
from memnets.models import show_attend_tell as sat
from memnets.models.show_attend_tell import drawn as drawing
from memnets.models.show_attend_tell import network, parts
from memnets.reference import attention as weighing
from memnets.reference import show_attend_tell as loops
from memnets.reference.cran import LSTM

V, M, N, D, PLACES, K = 7, 3, 5, 4, 6, 2
SIZES = {"dim": M, "hidden": N}


def hard(coin=None):
    return sat.Drawn(Additive(N, D, K, bias=True), coin)


NETWORKS = {
    "soft": lambda: sat.show_attend_tell(V, D, **SIZES),
    "ungated": lambda: sat.ungated(V, D, **SIZES),
    "as run": lambda: sat.as_run(V, D, **SIZES, dropout=0.0),
    "drawn": lambda: sat.show_attend_tell(V, D, **SIZES, reader=hard()),
    "drawn, some soft": lambda: sat.show_attend_tell(
        V, D, **SIZES, reader=hard(lambda images, generator: torch.arange(images) % 2 == 0)
    ),
    "drawn, as run": lambda: sat.as_run(V, D, **SIZES, hard=True, dropout=0.0),
    "no attention": lambda: sat.without_attention(V, D, **SIZES),
}
each_network = pytest.mark.parametrize("name", NETWORKS)


def build(name):
    model = NETWORKS[name]().double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.7)
        model.embedding.weight[0] = 0.0
    return model.train()  # hard attention draws in training; there is no dropout


def inputs():
    """Return pictures, and captions of unequal lengths, of one word too."""
    target = torch.randint(1, V, (3, 5))
    target[0, 1:], target[2, 3:] = 0, 0
    return torch.randn(3, PLACES, D, dtype=torch.float64), target


def array(tensor):
    return tensor.detach().numpy()


def layer(linear):
    bias = linear.bias if linear.bias is not None else torch.zeros(linear.out_features).double()
    return array(linear.weight), array(bias)


def score_of(reader):
    drawing = getattr(reader, "drawing", reader)
    return drawing.attention.score


def alphas(score, a):
    """Return what weighs the places of one picture softly, by the loops."""
    v, w = array(score.hidden_weight.weight[0]), array(score.query_weight.weight)

    def weigh(h, t):
        if isinstance(score, parts.ScoreAsRun):
            e = loops.scores_as_run(h, a, layer(score.key_weight), layer(score.second_weight), w, v)
        else:
            u, b = layer(score.key_weight)
            e = weighing.additive(h, a, w, u, v, b)
        return weighing.softmax(e, np.ones(len(a), dtype=bool))

    return weigh


def by_loops(model, a, words, weigh):
    start = loops.Start(
        *layer(model.begin.hidden_weight),
        *layer(model.begin.cell_weight),
        [layer(one) for one in model.begin.shared],
    )
    w, u, b, more = (array(weight) for weight in model.core.cells.all_weights[0])
    (l_h, b_h), (l_z, b_z) = (
        layer(model.features.state_weight),
        layer(model.features.context_weight),
    )
    l_o, b_o = layer(model.output)
    as_run = isinstance(model.features, sat.OutputAsRun)
    gate = None
    if isinstance(model.gate, sat.ContextGate):
        gate = loops.Gate(array(model.gate.weight.weight[0]), model.gate.weight.bias.item())
    y = array(model.embedding.weight)[[0, *words[:-1]]]
    assert not y[0].any()
    return loops.tell(
        a,
        y,
        start,
        LSTM(w, u, b + more),
        loops.Output(l_h, l_z, l_o, b_h + b_z, b_o, as_run),
        weigh,
        gate,
    )


def compare(model):
    """Raise an AssertionError where the model and the loops differ."""
    places, target = inputs()
    found = model(places, target, torch.Generator().manual_seed(0))
    attends = hasattr(model.reader, "attention") or hasattr(model.reader, "drawing")
    for row, said in enumerate(target):
        a, words = array(places[row]), said[said > 0].tolist()
        seen = array(found.seen.weights[row])
        if not attends:
            weigh = lambda h, t: np.full(PLACES, 1 / PLACES)  # noqa: E731
        elif found.seen.log_prob is None:
            weigh = alphas(score_of(model.reader), a)
        else:  # the draws are given, whatever they are
            weigh = lambda h, t, seen=seen: seen[t]  # noqa: E731
        told = by_loops(model, a, words, weigh)
        log_prob = array(found.log_prob[row])
        expected = loops.log_probability(told.logits, words)
        np.testing.assert_allclose(log_prob[: len(words)], expected, rtol=1e-10, atol=1e-12)
        beta = array(found.seen.gate[row])
        np.testing.assert_allclose(beta[: len(words)], told.beta, rtol=1e-10)
        assert not log_prob[len(words) :].any()
        assert not beta[len(words) :].any()
        if attends:
            np.testing.assert_allclose(seen[: len(words)], told.alpha, rtol=1e-10, atol=1e-12)
            assert not seen[len(words) :].any()
            uneven = loops.uneven(seen[: len(words)])
            np.testing.assert_allclose(array(found.unevenness[row]), uneven, rtol=1e-10)
        if found.seen.log_prob is not None:
            compare_draws(model, found, row, a, words, told)


def compare_draws(model, found, row, a, words, told):
    """Raise an AssertionError where draws are not of the loops' alpha, or not put together so."""
    seen = array(found.seen.weights[row, : len(words)])
    one_hot = ((seen == 0) | (seen == 1)).all()
    alpha = np.array(
        [
            alphas(score_of(model.reader), a)(h, t)
            for t, h in enumerate(states(model, a, words, seen))
        ]
    )
    if not one_hot:
        np.testing.assert_allclose(seen, alpha, rtol=1e-10)
    weights = loops.Reinforced(-3.0, 0.4, 0.02)
    expected = loops.estimate(
        told, alpha, seen.argmax(-1), words, weights, loops.reward(told, words), not one_hot
    )
    gained = found.objective(Baseline.start(-3.0), 0.4, 0.02)[row]
    np.testing.assert_allclose(array(gained), expected, rtol=1e-10)


def states(model, a, words, seen):
    """Return h_{t-1} of every step: what asks, seen by the loops as they go."""
    asked = []

    def weigh(h, t):
        asked.append(h)
        return seen[t]

    by_loops(model, a, words, weigh)
    return asked


@each_network
@pytest.mark.usefixtures("shapes_unchecked")
def test_equals_the_loops(name):
    """List 1: every variant, words, weights, gates, and what is learnt of draws."""
    compare(build(name))


@pytest.mark.usefixtures("shapes_unchecked")
def test_its_shapes_are_as_annotated():
    """List 1: with the checks that the tests beside it leave out."""
    import jaxtyping

    jaxtyping.config.update("jaxtyping_disable", False)
    for name in ("soft", "drawn, some soft", "as run"):
        compare(build(name))


@each_network
@pytest.mark.usefixtures("shapes_unchecked")
def test_gradients_are_those_of_finite_differences(name, monkeypatch):
    """List 1: along lines of all weights; draws stay where they fell."""
    model, (places, target) = build(name), inputs()
    fixed = {}

    def objective():
        found = model(places, target, torch.Generator().manual_seed(0))
        fixed.setdefault("draws", found.seen.weights.detach())
        fixed.setdefault("reward", found.log_prob.sum(-1).detach())
        drawn, spread = found.seen.log_prob, found.seen.entropy
        loss = found.log_prob.sum() + 0.3 * found.unevenness.sum() * (drawn is None)
        if drawn is None:
            return loss
        assert torch.equal(fixed["draws"] == 1, found.seen.weights == 1)
        gained = 0.4 * ((fixed["reward"] + 3) * drawn.sum(-1)).sum() + 0.02 * spread.sum()
        return loss + gained

    weights = list(model.parameters())
    gradients = torch.autograd.grad(objective(), weights, allow_unused=True)
    if fixed["draws"] is not None and "drawn" in name:  # the objective has the same gradient
        told = model(places, target, torch.Generator().manual_seed(0))
        gained = told.objective(Baseline.start(-3.0), 0.4, 0.02).sum()
        for one, other in zip(
            torch.autograd.grad(gained, weights, allow_unused=True), gradients, strict=True
        ):
            torch.testing.assert_close(one, other)
    ways = [torch.randn_like(weight) for weight in weights]
    ways[0][0] = 0.0  # nil is embedded as zeros, and learns nothing

    def moved(step):
        with torch.no_grad():
            for weight, way in zip(weights, ways, strict=True):
                weight.add_(way, alpha=step)
            return float(objective())

    ends = moved(1e-6), moved(-2e-6)
    along = sum(
        float((g * way).sum()) for g, way in zip(gradients, ways, strict=True) if g is not None
    )
    assert along == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-6, abs=1e-6)


def late(real):
    """Ask with the state behind the step."""

    def feed(self, layers, given, fed, state):
        _, after = real(self, layers, given, fed, state)
        return real(self, layers, given, fed, after)[0], after

    return feed


FAULTS = {
    "the first state is of the first place": (
        sat.ShowAttendTell, "start",
        lambda real: lambda self, places, generator=None: real(
            self, places, generator
        )._replace(decoder=real(self, places[:, :1], generator).decoder),
        "soft",
    ),
    "h and c change places at first": (
        sat.StartByMean, "forward",
        lambda real: lambda self, mean: type(real(self, mean))(*reversed(real(self, mean))),
        "soft",
    ),
    "the state behind the step asks": (FedLSTM, "feed", late, "soft"),
    "the gate is left out": (
        sat.ContextGate, "forward", lambda real: sat.NoGate.forward, "soft",
    ),
    "the gate hears something else": (
        sat.ContextGate, "forward", lambda real: lambda self, state: real(self, 2 * state), "soft",
    ),
    "the output hears the word itself": (
        sat.DeepOutput, "forward",
        lambda real: lambda self, words, states, read: real(
            self, words.roll(-1, 1), states, read
        ),
        "soft",
    ),
    "a tanh in the paper's output": (
        sat.DeepOutput, "forward",
        lambda real: lambda self, *given: torch.tanh(real(self, *given)), "ungated",
    ),
    "no tanh in the authors' output": (
        sat.OutputAsRun, "forward", lambda real: sat.DeepOutput.forward, "as run",
    ),
    "a tanh between the authors' layers": (
        sat.ScoreAsRun, "remember",
        lambda real: lambda self, keys: torch.tanh(
            self.second_weight(torch.tanh(self.key_weight(keys)))
        ),
        "as run",
    ),
    "no layer below the first state": (
        torch.nn.functional, "relu", lambda real: lambda x: x, "as run",
    ),
    "the word before is the word itself": (
        network.ShowAttendTell, "_say",
        lambda real: lambda self, state, words: real(self, state, words.roll(-1, 1)), "soft",
    ),
    "the LSTM's input and forget gates change places": (
        FedLSTM, "given",
        lambda real: lambda self, x: torch.cat(
            [real(self, x)[..., N : 2 * N], real(self, x)[..., :N], real(self, x)[..., 2 * N :]], -1
        ),
        "soft",
    ),
    "the penalty counts one step": (
        network, "doubly_stochastic",
        lambda real: lambda weights, told: real(weights[:, :1], told[:, :1]), "soft",
    ),
    "draws say the log of another place": (
        Sampled, "align",
        lambda real: lambda self, scores, mask=None, context=None: real(
            self, scores, mask, context
        )._replace(log_prob=real(self, scores, mask, context).log_prob - 0.1),
        "drawn",
    ),
    "a soft row speaks of its draws": (
        drawing, "_softened",
        lambda real: lambda annotations, readout, soft: real(
            annotations, readout, soft
        )._replace(log_prob=readout.log_prob),
        "drawn, some soft",
    ),
    "a soft row reads its draw": (
        drawing, "_softened",
        lambda real: lambda annotations, readout, soft: real(
            annotations, readout, soft
        )._replace(value=readout.value),
        "drawn, some soft",
    ),
    "the entropy's sign": (
        network, "reinforce",
        lambda real: lambda *given: real(*given[:-1], -given[-1]), "drawn",
    ),
    "the baseline is added": (
        network, "reinforce",
        lambda real: lambda reward, drawn, spread, baseline, *weights: real(
            reward, drawn, spread, Baseline(-baseline.mean), *weights
        ),
        "drawn",
    ),
}  # fmt: skip


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault, monkeypatch):
    """List 2: each differs from the loops at once."""
    where, name, wrong, variant = FAULTS[fault]
    model = build(variant)
    compare(model)
    monkeypatch.setattr(where, name, wrong(getattr(where, name)))
    with pytest.raises(AssertionError):
        compare(model)
