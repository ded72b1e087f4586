"""Both papers' models against their loops: values, gradients, planted faults."""

import sys
from functools import partial

import numpy as np
import pytest
import torch

from memnets.attention import (
    Additive,
    Argmax,
    Attention,
    General,
    LocalM,
    LocalP,
    Location,
    LocationConvolution,
    Monotonic,
    Softmax,
    Sparsemax,
)
from memnets.layers import reset_first, stepwise
from memnets.layers.recurrent import FedLSTM
from memnets.layers.stepwise import LastState, Stepwise
from memnets.models.seq2seq import luong, luong_fed, modern_initial, rnnsearch, sources
from memnets.models.seq2seq.luong import Attentional, FedLuongDecoder
from memnets.models.seq2seq.network import Seq2Seq
from memnets.models.seq2seq.rnnsearch import SearchDecoder
from memnets.reference import attention as parts
from memnets.reference import seq2seq as loops

FROM, TO, E, H, L = 11, 7, 2, 3, 2
SIZES = {"dim": E, "hidden": H, "initial": modern_initial}


def search(score=None, align=None):
    given = Attention(score, align) if score else None
    return rnnsearch(FROM, TO, maxout=L, attention=given, **SIZES)


def stacked(build, score=None, align=None, backwards=True):
    given = Attention(score, align) if score else None
    return build(FROM, TO, layers=2, attention=given, backwards=backwards, **SIZES)


NETWORKS = {
    "rnnsearch": search,
    "rnnsearch, by convolution": lambda: search(
        LocationConvolution(H, 2 * H, 4, 2, 3), Softmax()
    ),
    "luong": partial(stacked, luong),
    "luong, local-p": lambda: stacked(luong, General(H, H), LocalP(H, 2), False),
    "luong, local-m": lambda: stacked(luong, General(H, H), LocalM(1)),
    "luong, location": lambda: stacked(luong, Location(H, 6), Softmax()),
    "luong, argmax": lambda: stacked(luong, General(H, H), Argmax()),
    "luong, last state": lambda: luong(
        FROM, TO, layers=2, attention=LastState(), **SIZES
    ),
    "fed": partial(stacked, luong_fed),
    "fed, monotonic": lambda: stacked(luong_fed, General(H, H), Monotonic(0.2)),
    "fed, local-m": lambda: stacked(luong_fed, General(H, H), LocalM(1)),
    "fed, sparse": lambda: stacked(luong_fed, Additive(H, H, 4), Sparsemax()),
}  # fmt: skip
each_network = pytest.mark.parametrize("name", NETWORKS)


def build(name):
    model = NETWORKS[name]().double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.7)
    return model


def inputs():
    """Return sources and targets of unequal lengths, of one word too."""
    source, target = torch.randint(1, FROM, (3, 6)), torch.randint(1, TO, (3, 5))
    target[0, 1:], target[2, 3:] = 0, 0
    return source, torch.tensor([4, 6, 1]), target


def array(tensor):
    return tensor.detach().numpy()


def thirds(weight):
    """Return the matrices or biases of reset, update and candidate."""
    return np.split(array(weight), 3)


def unit_of(cell):
    (w_r, w_z, w), (b_r, b_z, b) = thirds(cell.word_weight.weight), thirds(cell.word_weight.bias)
    c_r, c_z, c = thirds(cell.context_weight.weight)
    u_r, u_z = np.split(array(cell.gate_recurrent.weight), 2)
    u = array(cell.candidate_recurrent.weight)
    return loops.Unit(w, w_z, w_r, u, u_z, u_r, c, c_z, c_r, b, b_z, b_r)


def directions(encoder):
    for way, (weight, bias) in enumerate(
        zip(encoder.input_weight.weight.chunk(2), encoder.input_weight.bias.chunk(2), strict=True)
    ):
        (w_r, w_z, w), (b_r, b_z, b) = thirds(weight), thirds(bias)
        u_r, u_z = np.split(array(encoder.gate_recurrent[way]), 2)
        u = array(encoder.candidate_recurrent[way])
        yield loops.Unit(w, w_z, w_r, u, u_z, u_r, None, None, None, b, b_z, b_r)


def layers_of(core):
    cells = core.cells
    for layer in range(cells.num_layers):
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        w, u, b, more = (array(getattr(cells, f"{name}_l{layer}")) for name in names)
        yield loops.LSTM(w, u, b + more)


def weigher(reader, words, ends):
    """Return what weighs the states of one source, by the loops of its score and align."""
    if isinstance(reader, LastState):
        return lambda query, h, step: np.eye(words)[ends]
    score, align = reader.attention.score, reader.attention.align
    mask, places = np.ones(words, dtype=bool), np.arange(words)
    first = np.eye(words)[0] if isinstance(align, Monotonic) else mask / words
    before = [first]

    def scored(query, h):
        if isinstance(score, Location):
            return parts.location(query, words, array(score.weight.weight))
        if isinstance(score, General):
            return parts.general(query, h, array(score.weight.weight))
        w, u = array(score.query_weight.weight), array(score.key_weight.weight)
        v, bias, seen = array(score.hidden_weight.weight[0]), None, None
        if isinstance(score, LocationConvolution):
            filters = array(score.filters.weight[:, 0])
            seen = parts.convolved(before[-1], filters) @ array(score.located_weight.weight).T
            bias = array(score.key_weight.bias)
        return parts.additive(query, h, w, u, v, bias, seen)

    def weigh(query, h, step):
        e = scored(query, h)
        if isinstance(align, LocalP):
            hidden, out = array(align.hidden_weight.weight), array(align.centre_weight.weight[0])
            found = parts.local_p(
                e, mask, places, parts.centre(query, words, hidden, out), align.window
            )
        elif isinstance(align, LocalM):
            found = parts.local_m(e, mask, places, step, align.window)
        elif isinstance(align, Monotonic):
            found = parts.monotonic(e, mask, before[-1], align.bias.item())
        elif isinstance(align, Sparsemax):
            found = parts.entmax(e, mask, 2.0)
        else:
            found = (parts.argmax if isinstance(align, Argmax) else parts.softmax)(e, mask)
        before.append(found)
        return found

    return weigh


def by_loops(model, source, target):
    """Return log p of every word of one target, and its weights."""
    x = array(model.source_embedding.weight)[source]
    y = array(model.target_embedding.weight)[[0, *target[:-1]]]
    decoder, out = model.decoder, (array(model.output.weight), array(model.output.bias))
    if isinstance(decoder, SearchDecoder):
        h = loops.annotations(x, *directions(model.source.encoder))
        reads = decoder.state_readout, decoder.word_readout, decoder.context_readout
        d = loops.Search(
            array(decoder.start_weight.weight), array(decoder.start_weight.bias),
            *(array(layer.weight) for layer in reads), array(decoder.word_readout.bias), *out,
        )  # fmt: skip
        weigh = weigher(decoder.reader, len(source), -1)
        logits, weights = loops.rnnsearch(h, y, unit_of(decoder.cell), d, weigh)
    else:
        backwards = isinstance(model.source, sources.Backwards)
        inner = model.source.reader if backwards else model.source
        read = loops.turned_round if backwards else loops.stacked
        h, start = read(x, list(layers_of(inner.core)))
        d = loops.Attentional(array(decoder.combined.weight), *out)
        weigh = weigher(decoder.reader, len(source), 0 if backwards else -1)
        run = loops.luong_fed if isinstance(decoder, FedLuongDecoder) else loops.luong
        logits, weights = run(h, y, start, list(layers_of(decoder.core)), d, weigh)
    return loops.log_probability(logits, target), weights


def compare(model):
    """Raise an AssertionError where the model and the loops differ."""
    source, length, target = inputs()
    found = model(source, length, target)
    for row, said in enumerate(target):
        words = said[said > 0].tolist()
        expected, weights = by_loops(model, source[row, : length[row]].tolist(), words)
        log_prob = array(found.log_prob[row])
        np.testing.assert_allclose(log_prob[: len(words)], expected, rtol=1e-10, atol=1e-12)
        assert not log_prob[len(words) :].any()
        if not isinstance(model.decoder.reader, LastState):
            seen = array(found.readout.weights[row])
            there = seen[: len(words), : length[row]]
            np.testing.assert_allclose(there, weights, rtol=1e-10, atol=1e-12)
            assert not seen[len(words) :].any()
            assert not seen[:, length[row] :].any()


@each_network
@pytest.mark.usefixtures("shapes_unchecked")
def test_equals_the_loops(name):
    """List 1: every decoder, values and weights."""
    compare(build(name))


@pytest.mark.usefixtures("shapes_unchecked")
def test_its_shapes_are_as_annotated():
    """List 1: with the checks that the tests beside it leave out."""
    import jaxtyping

    jaxtyping.config.update("jaxtyping_disable", False)
    for name in ("rnnsearch", "luong, local-p", "fed, monotonic", "luong, last state"):
        compare(build(name))


def along_lines(model, given, lines=2):
    """Raise an AssertionError where a gradient is not that of finite differences."""
    weights = list(model.parameters())
    gradients = torch.autograd.grad(model.loss(*given).sum(), weights)

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


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize(
    "name", ["rnnsearch", "rnnsearch, by convolution", "luong", "luong, local-p", "fed",
             "fed, monotonic"]
)  # fmt: skip
def test_gradients_are_those_of_finite_differences(name):
    """List 1: along lines of all weights."""
    along_lines(build(name), inputs())


def late(real):
    """Hand a decoder's reader the state behind the step."""

    def forward(self, annotations, state, words):
        readout, _past = self.reader(annotations, state.hidden.unsqueeze(1), state.past)
        s = self.cell(self.cell.given(words)[:, 0], readout.value.squeeze(1), state.hidden)
        return real(self, annotations, state._replace(hidden=s), words)

    return forward


def reset_last(gates, candidate, state, gate_weight, candidate_weight):
    r, z = torch.sigmoid(gates + state @ gate_weight.mT).chunk(2, -1)
    return torch.lerp(state, torch.tanh(candidate + r * (state @ candidate_weight.mT)), z)


def halves(pairs):
    return pairs.unflatten(-1, (2, -1)).amax(-2)


FAULTS = {
    "the reset stands behind the matrix": (
        reset_first, "reset_first", lambda real: reset_last, "rnnsearch",
    ),
    "the update is turned round": (
        torch, "lerp", lambda real: lambda a, b, w: real(b, a, w), "rnnsearch",
    ),
    "the state behind the step asks and is read out": (
        SearchDecoder, "forward", late, "rnnsearch",
    ),
    "halves instead of neighbours": (
        sys.modules[SearchDecoder.__module__], "maxout", lambda real: halves,
        "rnnsearch",
    ),
    "the start is of the last word": (
        sources.BothWays, "forward",
        lambda real: lambda self, words, length: (
            lambda source: source._replace(start=source.states[:, -1, H:])
        )(real(self, words, length)),
        "rnnsearch",
    ),
    "the backward direction goes forward": (
        reset_first, "turned",
        lambda real: lambda length, time: torch.arange(time).expand(len(length), -1), "rnnsearch",
    ),
    "previous weights are those of the first step": (
        Stepwise, "_after",
        lambda real: lambda self, past, readout: past._replace(step=past.step + 1),
        "rnnsearch, by convolution",
    ),
    "the state and what was read change places": (
        Attentional, "attentional", lambda real: lambda self, c, h: real(self, h, c), "luong",
    ),
    "what is fed is the state": (
        FedLSTM, "feed",
        lambda real: lambda self, layers, given, fed, state: real(
            self, layers, given, state.hidden[:, -1], state
        ),
        "fed",
    ),
    "the source is read forward": (
        sources, "turned",
        lambda real: lambda length, time: torch.arange(time).expand(len(length), -1), "luong",
    ),
    "states stand where they were read": (
        sources.Backwards, "forward",
        lambda real: lambda self, words, length: self.reader(
            words.gather(1, sources.turned(length, 6).unsqueeze(-1).expand_as(words)), length
        ),
        "luong",
    ),
    "every step is the first": (
        Stepwise, "_after",
        lambda real: lambda self, past, read: real(self, past, read)._replace(step=past.step),
        "fed, local-m",
    ),
    "the word before is the word itself": (
        Seq2Seq, "_say",
        lambda real: lambda self, state, words: real(self, state, words.roll(-1, 1)), "luong",
    ),
    "the first step has read every word alike": (
        stepwise, "start_at_first", lambda real: stepwise.start_uniform, "fed, monotonic",
    ),
}  # fmt: skip


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_caught(fault, monkeypatch):
    """List 2: one of every equation."""
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
        "fed",
    ),
    "what is remembered": (
        Additive, "remember", lambda real: lambda self, keys: real(self, keys.detach()),
        "rnnsearch",
    ),
    "weights of the step before": (
        Stepwise, "_after",
        lambda real: lambda self, past, read: real(
            self, past, read._replace(weights=read.weights.detach())
        ),
        "rnnsearch, by convolution",
    ),
}  # fmt: skip


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize("fault", WITHOUT_GRADIENT)
def test_a_fault_of_the_gradient_is_caught(fault, monkeypatch):
    """List 2: of right values."""
    where, attribute, wrong, name = WITHOUT_GRADIENT[fault]
    monkeypatch.setattr(where, attribute, wrong(getattr(where, attribute)))
    model = build(name)
    compare(model)
    with pytest.raises(AssertionError):
        along_lines(model, inputs())
