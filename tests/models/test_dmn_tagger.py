"""The tagger against the paper's loops, and what holds for every model."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn

from memnets.attention import Sigmoid, Softmax
from memnets.layers import BagOfWords, KumarGate, SentencesOfStory, SummedDirections, XiongGate
from memnets.memories import AttentionGRU, EpisodicMemory, GatedGRU, GRUUpdate, SoftSum
from memnets.models.dmn import DMNTagger
from memnets.reference import dmn as loops
from memnets.reference.attention import sigmoid, softmax
from memnets.reference.encoders import Linear
from memnets.testing import check_model

VOCAB, DIM, HIDDEN, TAGS = 11, 4, 3, 5


def build(read=GatedGRU, align=Sigmoid, hops=2, **memory):
    fused = SummedDirections(nn.GRU(DIM, HIDDEN, bidirectional=True))
    model = DMNTagger(
        VOCAB,
        DIM,
        SentencesOfStory(BagOfWords(3), DIM, fused),
        EpisodicMemory(
            KumarGate(HIDDEN),
            align(),
            read(HIDDEN) if read is not SoftSum else SoftSum(),
            GRUUpdate(HIDDEN),
            hops,
            **memory,
        ),
        TAGS,
    ).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.7)
    return model.eval()


def inputs():
    words = torch.randint(1, VOCAB, (9, 3))
    words[1, 1:], words[4, 2] = 0, 0
    sentence = torch.randint(0, 9, (3, 6))
    sentence[0, :2] = torch.tensor([1, 4])
    return words, sentence, torch.tensor([6, 1, 4])


def array(tensor):
    return tensor.detach().numpy()


def recurrence(gru, suffix=""):
    names = (f"{part}{suffix}" for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
    return loops.GRU(*(array(getattr(gru, name)) for name in names))


def by_loops(model, spelt):
    """Return the scores of the tags of one sentence, and the gates of all hops."""
    table, memory, h = array(model.embedding), model.memory, HIDDEN
    gru = model.story.fusion.recurrence
    bags = np.array([loops.bag(parts, table) for parts in spelt])
    f = loops.fused(bags, recurrence(gru, "_l0"), recurrence(gru, "_l0_reverse"))
    weight = array(memory.gate.first.weight)
    m_at, f_at = 3 * h + 1, 6 * h + 2  # [q fq |f-q| fWq][m fm |f-m| fWm][f], to the printed order
    blocks = [(f_at, h), (m_at, h), (0, h), (h, h), (m_at + h, h)]
    blocks += [(2 * h, h), (m_at + 2 * h, h), (3 * h, 1), (m_at + 3 * h, 1)]
    columns = [column for first, width in blocks for column in range(first, first + width)]
    inner = Linear(weight[:, columns], array(memory.gate.first.bias))
    outer = Linear(array(memory.gate.second.weight), array(memory.gate.second.bias))
    normalise = sigmoid if isinstance(memory.align, Sigmoid) else softmax
    w_b = array(memory.gate.bilinear.weight)
    parts = memory.read.input.weight, memory.read.recurrent.weight
    parts += memory.read.input.bias, memory.read.recurrent.bias
    run = loops.attention_gru if memory.read.gates == 2 else loops.gated_gru

    def gates(f, m, q):
        return loops.gates(
            np.array([loops.features(c, m, q, w_b) for c in f]), inner, outer, normalise
        )

    def episode(f, g):
        return run(f, g, loops.GRU(*map(array, parts)))

    tied = recurrence(memory.update.cell)
    updates = [lambda m, c, q: loops.gru(c, m, tied)] * memory.hops
    q = array(model.question)
    _, seen = loops.passes(f, q, gates, lambda f, g: episode(f, g)[-1], updates)
    w, b = array(model.tag.weight), array(model.tag.bias)
    return np.array([w @ e + b for e in episode(f, seen[-1])]), seen


def compare(model):
    words, sentence, length = inputs()
    reply = model(words, sentence, length)
    for row, slots in enumerate(sentence.tolist()):
        n = int(length[row])
        spelt = [words[slot][words[slot] > 0].tolist() for slot in slots[:n]]
        scores, seen = by_loops(model, spelt)
        np.testing.assert_allclose(array(reply.scores[row, :n]), scores, rtol=1e-10, atol=1e-12)
        for hop, expected in zip(reply.hops, seen, strict=True):
            found = array(hop.weights[row, 0])
            np.testing.assert_allclose(found[:n], expected, rtol=1e-10, atol=1e-12)
        assert reply.told[row].tolist() == [slot < n for slot in range(6)]


@pytest.mark.parametrize("read", [GatedGRU, AttentionGRU])
@pytest.mark.parametrize("align", [Sigmoid, Softmax])
def test_equals_the_loops(read, align, path):
    compare(build(read, align))


def test_gradients_are_those_of_finite_differences(path):
    model, given = build(), inputs()
    wanted = torch.randint(0, TAGS, (3, 6))

    def loss():
        reply = model(*given)
        return nn.functional.cross_entropy(reply.scores[reply.told], wanted[reply.told])

    weights = list(model.parameters())
    gradients = torch.autograd.grad(loss(), weights)
    line = [torch.randn_like(part) for part in weights]  # which all weights are on
    ends = []
    for step in (1e-5, -2e-5):
        with torch.no_grad():
            for part, way in zip(weights, line, strict=True):
                part.add_(way, alpha=step)
            ends.append(float(loss()))
    along = sum(float((g * way).sum()) for g, way in zip(gradients, line, strict=True))
    assert along == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-6, abs=1e-8)


def test_a_tag_is_of_the_last_hop(native, monkeypatch):
    model = build()
    compare(model)
    real = model.memory.read.states
    first = {}

    def of_the_first_hop(remembered, weights, mask):
        return real(remembered, first["hop"].weights.squeeze(-2), mask)

    def remembering(*given):
        found = type(model.memory).forward(model.memory, *given)
        first["hop"] = found.hops[0]
        return found

    monkeypatch.setattr(model.memory, "forward", remembering)
    monkeypatch.setattr(model.memory.read, "states", of_the_first_hop)
    with pytest.raises(AssertionError):
        compare(model)


def example():
    model = build().float()
    return model, inputs()


def test_the_model_conforms():
    check_model(SimpleNamespace(__name__="memnets.models.dmn.tagger", example=example))


def test_sentences_beside_it_and_padding_change_no_bit():
    model = build().float()
    words, sentence, length = inputs()
    alone = model(words, sentence, length)
    wider = torch.cat([words, torch.zeros(9, 2, dtype=torch.long)], 1)
    spare = torch.cat([sentence, torch.full((3, 4), 8)], 1)
    model.story.reader.words = 5
    padded = model(wider, spare, length)
    assert torch.equal(alone.scores[alone.told], padded.scores[padded.told])
    one = model(words, sentence[2:], length[2:])
    torch.testing.assert_close(one.scores[0], alone.scores[2, :4], atol=1e-6, rtol=1e-5)


def test_a_word_knows_of_what_follows_it():
    model, (words, sentence, length) = build(), inputs()
    changed = sentence.clone()
    changed[0, 5] = (changed[0, 5] + 1) % 9
    before, after = model(words, sentence, length), model(words, changed, length)
    assert not torch.allclose(before.scores[0, 0], after.scores[0, 0])
    assert torch.equal(before.scores[2, :4], after.scores[2, :4])


def test_no_sentence_is_tagged_as_nothing():
    reply = build()(torch.ones(1, 3).long(), torch.zeros(0, 6).long(), torch.zeros(0).long())
    assert reply.scores.shape == (0, 0, TAGS)


def test_a_memory_that_cannot_tag_is_refused():
    with pytest.raises(TypeError, match=r"reads by SoftSum: expected a recurrent read.*GatedGRU"):
        build(SoftSum)
    with pytest.raises(ValueError, match=r"a slot that ends its hops: expected none.*ends=False"):
        build(ends=True)


def test_the_gate_may_be_another_one():
    memory = EpisodicMemory(
        XiongGate(HIDDEN), Sigmoid(), AttentionGRU(HIDDEN), GRUUpdate(HIDDEN), 1
    )
    fused = SummedDirections(nn.GRU(DIM, HIDDEN, bidirectional=True))
    model = DMNTagger(VOCAB, DIM, SentencesOfStory(BagOfWords(3), DIM, fused), memory, TAGS)
    assert model(*inputs()).scores.shape == (3, 6, TAGS)


def test_embeddings_and_question_begin_small_and_uniform_and_biases_at_nothing():
    memory = EpisodicMemory(KumarGate(32), Sigmoid(), GatedGRU(32), GRUUpdate(32), 2)
    model = DMNTagger(200, 32, SentencesOfStory(BagOfWords(3), 32), memory, TAGS)
    assert model.dropout.p == 0.0
    for part, weight in model.named_parameters():
        if weight.ndim == 1 and part != "question":
            assert not weight.any(), part
            continue
        small = part in ("embedding", "question")
        bound = 0.1 if small else (6 / sum(weight.shape)) ** 0.5
        assert 0.8 * bound < float(weight.detach().abs().max()) <= bound, part
        if weight.numel() > 400:
            assert float(weight.detach().std()) == pytest.approx(bound / 3**0.5, rel=0.1), part
    assert model.question.min() < 0 < model.question.max()
    drawn = []
    for before in (0, 1):  # by the generator that is given alone
        torch.manual_seed(before)
        model.reset_parameters(torch.Generator().manual_seed(7))
        drawn.append([weight.detach().clone() for weight in model.parameters()])
    assert all(map(torch.equal, *drawn))


def test_dropout_stands_before_the_tags_and_in_training_only():
    memory = EpisodicMemory(KumarGate(DIM), Sigmoid(), GatedGRU(DIM), GRUUpdate(DIM), 2)
    story = SentencesOfStory(BagOfWords(3), DIM)
    model = DMNTagger(VOCAB, DIM, story, memory, TAGS, dropout=1.0)
    reply = model(*inputs())
    torch.testing.assert_close(reply.scores, model.tag.bias.expand(3, 6, TAGS))
    assert model.eval()(*inputs()).scores[reply.told].all()
