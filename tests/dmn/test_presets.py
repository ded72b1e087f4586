"""Of which parts, and of which sizes, the models of both papers are made: as the papers say."""

from functools import partial

import pytest
import torch
from torch import nn

from memnets.attention import Sigmoid, Softmax
from memnets.layers import (
    KumarGate,
    OwnLengthPositionEncoding,
    RecurrentReader,
    SentencesOfStory,
    SummedDirections,
    WordsOfStory,
    XiongGate,
)
from memnets.memories.episodic import AttentionGRU, GatedGRU, GRUUpdate, SoftSum, UntiedReLU
from memnets.models.dmn import Decoder, OneAnswer, dmn, dmn2, dmn3, dmn_plus, odmn

VOCAB, ANSWERS, END, LONGEST = 13, 7, 2, 5
WORDS, FUSED = (WordsOfStory, KumarGate), (SentencesOfStory, XiongGate)
PARTS = {
    "dmn": (partial(dmn, VOCAB, END, LONGEST), *WORDS, Sigmoid, GatedGRU, GRUUpdate, Decoder),
    "odmn": (
        partial(odmn, VOCAB, ANSWERS, END),
        *(WordsOfStory, XiongGate, Softmax, SoftSum, GRUUpdate, OneAnswer),
    ),
    "dmn2": (partial(dmn2, VOCAB, ANSWERS), *FUSED, Softmax, SoftSum, GRUUpdate, OneAnswer),
    "dmn3": (partial(dmn3, VOCAB, ANSWERS), *FUSED, Softmax, AttentionGRU, GRUUpdate, OneAnswer),
    "dmn_plus": (
        partial(dmn_plus, VOCAB, ANSWERS),
        *(*FUSED, Softmax, AttentionGRU, UntiedReLU, OneAnswer),
    ),
}


@pytest.mark.parametrize("name", PARTS)
def test_a_preset_is_made_of_the_parts_that_are_named(name):
    make, *parts = PARTS[name]
    for sizes, hidden, hops, dropout in (({}, 80, 3, 0.1), *[
        ({"hidden": 4, "hops": 2, "dropout": 0.25}, 4, 2, 0.25)
    ]):  # fmt: skip
        model = make(**sizes)
        memory = model.memory
        found = (model.story, memory.gate, memory.align, memory.read, memory.update, model.head)
        assert [type(part) for part in found] == parts
        assert (tuple(model.embedding.shape), memory.hops) == ((VOCAB, hidden), hops)
        assert (memory.gate.hidden, model.story.hidden) == (hidden, hidden)
        dropouts = [part.p for part in model.modules() if isinstance(part, nn.Dropout)]
        assert dropouts == [dropout, dropout]  # of the story and before the answer
        assert type(model.question) is RecurrentReader
        if isinstance(memory.update, UntiedReLU):
            assert len(memory.update.layers) == hops
        if parts[0] is WordsOfStory:
            assert model.story.end == END
            assert not model.story.encoder.recurrence.bidirectional
        else:
            assert type(model.story.reader) is OwnLengthPositionEncoding
            assert type(model.story.fusion) is SummedDirections
        if name == "dmn":
            assert tuple(memory.end.shape) == (hidden,)
            assert (model.head.end, model.head.longest, model.head.vocab) == (END, LONGEST, VOCAB)
        else:
            assert memory.end is None
            assert model.head.choice.out_features == ANSWERS


def test_what_may_be_said_otherwise_is_heard():
    assert dmn(VOCAB, END, LONGEST, hidden=4, ends=False).memory.end is None
    update = GRUUpdate(4)
    assert dmn_plus(VOCAB, ANSWERS, hidden=4, update=update).memory.update is update


@pytest.mark.parametrize("name", PARTS)
def test_the_first_weights_are_those_that_are_named(name):
    """Embeddings uniform with variance 1, matrices as Xavier draws them, all else at nothing."""
    model = PARTS[name][0](hidden=32)
    if name == "dmn":
        assert not model.memory.end.any()
    for part, weight in model.named_parameters():
        if weight.ndim == 1:
            assert not weight.any(), part
            continue
        bound = 3**0.5 if part == "embedding" else (6 / sum(weight.shape)) ** 0.5
        assert 0.8 * bound < float(weight.detach().abs().max()) <= bound, part
        if weight.numel() > 400:
            assert float(weight.detach().std()) == pytest.approx(bound / 3**0.5, rel=0.1), part
            assert abs(float(weight.detach().mean())) < 0.15 * bound, part


@pytest.mark.parametrize("name", PARTS)
def test_no_stories_are_answered_with_nothing(name):
    model = PARTS[name][0](hidden=4)
    none = torch.zeros(0, 3, dtype=torch.long)
    reply = model(torch.ones(2, 3, dtype=torch.long), none, none[:, 0], none)
    assert reply.scores.shape[0] == reply.memory.shape[0] == 0
    assert len(reply.hops) == 3
