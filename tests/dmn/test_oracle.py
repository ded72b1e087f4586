"""The dynamic memory networks against the papers' loops: values, gradients, planted faults."""

from functools import partial

import numpy as np
import pytest
import torch

from memnets.attention import Sigmoid
from memnets.layers import gates, sentences
from memnets.memories import SumUpdate, episodic
from memnets.models.dmn import dmn, dmn2, dmn3, dmn_plus, odmn
from memnets.reference import dmn as loops
from memnets.reference.attention import sigmoid, softmax
from memnets.reference.encoders import Linear

VOCAB, ANSWERS, END, LONGEST, HIDDEN, HOPS = 13, 7, 1, 3, 3, 2
SIZES = {"hidden": HIDDEN, "hops": HOPS}
NETWORKS = {
    "dmn": partial(dmn, VOCAB, END, LONGEST, ends=False, **SIZES),
    "odmn": partial(odmn, VOCAB, ANSWERS, END, **SIZES),
    "dmn2": partial(dmn2, VOCAB, ANSWERS, **SIZES),
    "dmn3": partial(dmn3, VOCAB, ANSWERS, **SIZES),
    "dmn plus": partial(dmn_plus, VOCAB, ANSWERS, **SIZES),
    "sums what it reads": partial(dmn_plus, VOCAB, ANSWERS, update=SumUpdate(), **SIZES),
}
each_network = pytest.mark.parametrize("name", NETWORKS)


def build(name):
    model = NETWORKS[name]().double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.7)
    return model


def inputs():
    """Return ragged stories, of one sentence too, and sentences of one word."""
    words = torch.randint(2, VOCAB, (9, 4))
    words[1, 2:], words[4, 1:] = 0, 0
    story, question = torch.randint(0, 9, (4, 6)), torch.randint(2, VOCAB, (4, 3))
    story[0, :2] = torch.tensor([1, 4])
    question[1, 1:] = 0
    return words, story, torch.tensor([6, 3, 1, 4]), question


def array(tensor):
    return tensor.detach().numpy()


def linear(layer):
    return Linear(array(layer.weight), array(layer.bias))


def recurrence(gru, suffix=""):
    names = (f"{part}{suffix}" for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
    return loops.GRU(*(array(getattr(gru, name)) for name in names))


def cell(read):
    parts = read.input.weight, read.recurrent.weight, read.input.bias, read.recurrent.bias
    return loops.GRU(*map(array, parts))


def printed_order(gate):
    """Return W_1 with the columns of features where the papers print them."""
    weight, h = array(gate.first.weight), HIDDEN
    if isinstance(gate, gates.XiongGate):  # [fq |f-q| fm |f-m|] -> [fq fm |f-q| |f-m|]
        blocks = [(0, h), (2 * h, h), (h, h), (3 * h, h)]
    else:  # [q fq |f-q| fWq][m fm |f-m| fWm][f] -> [f m q fq fm |f-q| |f-m| fWq fWm]
        m, f = 3 * h + 1, 6 * h + 2
        blocks = [(f, h), (m, h), (0, h), (h, h), (m + h, h)]
        blocks += [(2 * h, h), (m + 2 * h, h), (3 * h, 1), (m + 3 * h, 1)]
    columns = [column for first, width in blocks for column in range(first, first + width)]
    return Linear(weight[:, columns], array(gate.first.bias))


def facts_of(model, told, table):
    if hasattr(model.story, "encoder"):
        ended = [[*sentence, END] for sentence in told]
        return loops.word_facts(ended, table, recurrence(model.story.encoder.recurrence, "_l0"))
    facts = np.array([loops.placed(sentence, table) for sentence in told])
    gru = model.story.fusion.recurrence
    return loops.fused(facts, recurrence(gru, "_l0"), recurrence(gru, "_l0_reverse"))


def by_loops(model, told, asked):
    """Return the scores of the answer to one story, and the gates of all hops."""
    table, memory = array(model.embedding), model.memory
    f = facts_of(model, told, table)
    q = loops.question(asked, table, recurrence(model.question.encoder.recurrence, "_l0"))
    inner, outer = printed_order(memory.gate), linear(memory.gate.second)
    normalise = sigmoid if isinstance(memory.align, Sigmoid) else softmax

    def gates_of(f, m, q):
        if isinstance(memory.gate, gates.XiongGate):
            z = np.array([loops.features_plus(each, m, q) for each in f])
        else:
            w_b = array(memory.gate.bilinear.weight)
            z = np.array([loops.features(each, m, q, w_b) for each in f])
        return loops.gates(z, inner, outer, normalise)

    def attend(f, g):
        if isinstance(memory.read, episodic.SoftSum):
            return loops.soft(f, g)
        run = loops.attention_gru if memory.read.gates == 2 else loops.gated_gru
        return run(f, g, cell(memory.read))[-1]

    m, seen = loops.passes(f, q, gates_of, attend, updates_of(memory.update))
    head = model.head
    if hasattr(head, "cell"):
        before = np.zeros((LONGEST, VOCAB))
        for word in range(1, LONGEST):
            scores = loops.said(q, m, before, recurrence(head.cell), array(head.choice.weight))
            before[word, scores[word - 1].argmax()] = 1
        return loops.said(q, m, before, recurrence(head.cell), array(head.choice.weight)), seen
    return loops.answer(q, m, linear(head.choice))[None], seen


def updates_of(update):
    if isinstance(update, episodic.UntiedReLU):
        layers = map(linear, update.layers)
        return [lambda m, c, q, w=w: loops.relu_update(m, c, q, w) for w in layers]
    if isinstance(update, SumUpdate):
        return [lambda m, c, q: loops.added(m, c)] * HOPS
    tied = recurrence(update.cell)
    return [lambda m, c, q: loops.gru(c, m, tied)] * HOPS


def compare(model):
    """Raise an AssertionError where the model and the loops differ."""
    words, story, length, question = inputs()
    reply = model(words, story, length, question)
    for row, told in enumerate(story.tolist()):
        sentences_told = [words[s][words[s] > 0].tolist() for s in told[: length[row]]]
        asked = question[row][question[row] > 0].tolist()
        scores, seen = by_loops(model, sentences_told, asked)
        np.testing.assert_allclose(array(reply.scores[row]), scores, rtol=1e-10, atol=1e-12)
        for hop, expected in zip(reply.hops, seen, strict=True):
            found = array(hop.weights[row, 0])
            np.testing.assert_allclose(found[: len(expected)], expected, rtol=1e-10, atol=1e-12)
            assert not found[len(expected) :].any()


@each_network
def test_equals_the_loops(name, path):
    """List 1: every network, on both paths."""
    compare(build(name))


@each_network
def test_gradients_are_those_of_finite_differences(name, path):
    """List 1: along lines of all weights."""
    model, given = build(name), inputs()
    said = torch.tensor([[2, 1, -1], [3, 4, 1], [1, -1, -1], [2, -2, 1]])
    said = said if name == "dmn" else said[:, :1].abs() % ANSWERS
    loss = model.loss(*given, said)[0].sum()
    weights = list(model.parameters())
    gradients = torch.autograd.grad(loss, weights)
    for _ in range(3):  # along a line each, which all weights are on
        line = [torch.randn_like(part) for part in weights]
        ends = []
        for step in (1e-5, -2e-5):
            with torch.no_grad():
                for part, way in zip(weights, line, strict=True):
                    part.add_(way, alpha=step)
                ends.append(float(model.loss(*given, said)[0].sum()))
        with torch.no_grad():
            for part, way in zip(weights, line, strict=True):
                part.add_(way, alpha=1e-5)
        along = sum(float((g * way).sum()) for g, way in zip(gradients, line, strict=True))
        assert along == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-6, abs=1e-7)


FAULTS = {
    "position of the longest sentence": (
        sentences.OwnLengthPositionEncoding,
        "forward",
        lambda real: (
            lambda self, words, tables: sentences.PositionEncoding(words.shape[1])(words, tables)
        ),
        "dmn plus",
    ),
    "one direction twice": (
        torch,
        "cat",
        lambda real: lambda parts, dim=0: real([parts[0]] * len(parts), dim),
        "dmn3",
    ),
    "memory and question change places": (
        episodic.UntiedReLU,
        "forward",
        lambda real: lambda self, hop, m, c, q: real(self, hop, q, c, m),
        "dmn plus",
    ),
    "one layer for all hops": (
        episodic.UntiedReLU,
        "forward",
        lambda real: lambda self, hop, m, c, q: real(self, 0, m, c, q),
        "dmn plus",
    ),
    "the GRU's input is the memory": (
        episodic.GRUUpdate,
        "forward",
        lambda real: lambda self, hop, m, c, q: real(self, hop, c, m, q),
        "odmn",
    ),
    "the difference keeps its sign": (
        gates.XiongGate,
        "shared",
        lambda real: lambda self, f, s: torch.cat([f * s, f - s], -1),
        "dmn2",
    ),
    "facts are read backwards": (
        episodic,
        "last_of_gated_gru",
        lambda real: lambda p, g, *rest, mask: real(p.flip(1), g.flip(1), *rest, mask=mask.flip(1)),
        "dmn3",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_caught(fault, monkeypatch, native):
    where, attribute, wrong, name = FAULTS[fault]
    model = build(name)
    compare(model)
    monkeypatch.setattr(where, attribute, wrong(getattr(where, attribute)))
    with pytest.raises(AssertionError):
        compare(model)


def test_weights_are_counted_as_in_the_paper():
    """List 9: at H = 80 and three hops, biases as torch has them: 226,161 beside 241 a word."""
    for vocab in (22, 36):
        model = dmn_plus(vocab, vocab)
        assert sum(part.numel() for part in model.parameters()) == 226_161 + 241 * vocab
        # One layer of 3 H x H and its bias for all hops, where every hop has one.
        spared = sum(part.numel() for part in model.memory.update.layers[1:].parameters())
        assert 226_161 - spared == 187_601


def test_every_hop_has_weights_of_its_own():
    """List 9: its gradients differ."""
    model = build("dmn plus")
    model.loss(*inputs(), torch.zeros(4, 1, dtype=torch.long))[0].sum().backward()
    first, second = (layer.weight for layer in model.memory.update.layers)
    assert first is not second
    assert not torch.equal(first.grad, second.grad)


def test_stories_beside_it_and_padding_change_no_bit():
    """List 4: longer sentences, more slots and longer questions."""
    for name in NETWORKS:
        model = build(name).float()
        words, story, length, question = inputs()
        alone = model(words, story, length, question)
        wider = torch.cat([words, torch.zeros(9, 2, dtype=torch.long)], 1)
        spare = torch.cat([story, torch.full((4, 3), 8)], 1)
        padded = model(wider, spare, length, torch.cat([question, 0 * question], 1))
        assert torch.equal(alone.scores, padded.scores)
        one = model(words, story[1:2], length[1:2], question[1:2])
        torch.testing.assert_close(one.scores, alone.scores[1:2], atol=1e-6, rtol=1e-5)


@each_network
def test_the_loss_is_that_of_what_is_said(name):
    """Of the memory and the question that the reply shows, in this order."""
    model, given = build(name), inputs()
    reply = model(*given)
    asked = model.question(given[3], model.embedding.unsqueeze(1)).squeeze(1)
    torch.testing.assert_close(reply.asked, asked)
    torch.testing.assert_close(model.head(reply.memory, reply.asked), reply.scores)
    said = reply.scores.argmin(-1)[:, :1]
    loss, found = model.loss(*given, said)
    likely = reply.scores[:, 0].log_softmax(-1)
    torch.testing.assert_close(loss, -likely.gather(1, said).squeeze(1))
    torch.testing.assert_close(found.memory, reply.memory)
    assert len(found.hops) == len(reply.hops) == HOPS
