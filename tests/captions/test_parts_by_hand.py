"""Show, Attend and Tell: what training, several captions and a stem change, by hand."""

import pytest
import torch
from torch import nn

from memnets.attention import Additive, Argmax, Baseline, Sampled, Softmax
from memnets.layers.decoding import by_length, by_log_prob
from memnets.layers.stems import Given, SmallCNN
from memnets.layers.stepwise import LastState, Stepwise
from memnets.models import show_attend_tell as sat

V, M, N, D, L = 7, 3, 5, 4, 3
SIZES = {"dim": M, "hidden": N}
TARGET = torch.tensor([[3, 1, 2, 6], [5, 6, 0, 0], [6, 0, 0, 0], [4, 4, 6, 0]])

pytestmark = pytest.mark.usefixtures("shapes_unchecked")


def drawn(model):
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.8)
        model.embedding.weight[0] = 0.0
    return model.double()


def places(images=2):
    return torch.randn(images, L, D, dtype=torch.float64)


class Dropped(nn.Module):
    """Drops all that is given at some of its calls, and keeps what it was given."""

    def __init__(self, *calls):
        super().__init__()
        self.calls, self.given = calls, []

    def forward(self, x):
        self.given.append(x)
        return torch.zeros_like(x) if len(self.given) - 1 in self.calls else x


def test_dropout_is_before_the_first_state_on_states_and_on_what_chooses_words():
    model, pictures = drawn(sat.show_attend_tell(V, D, **SIZES)).eval(), places(4)
    usual = model(pictures, TARGET)
    model.dropout = Dropped()
    assert torch.equal(model(pictures, TARGET).log_prob, usual.log_prob)
    mean, states, features = model.dropout.given
    torch.testing.assert_close(mean, pictures.mean(1))
    assert (states.shape, features.shape) == ((4, 4, N), (4, 4, M))
    embedded = model.embedding(torch.tensor([[0, 3, 1, 2]]))
    read = usual.seen.gate[0, :, None] * (usual.seen.weights[0] @ pictures[0])
    torch.testing.assert_close(features[:1], model.features(embedded, states[:1], read[None]))
    model.dropout = Dropped(0)
    state = model.start(pictures).decoder.core
    none = model.begin(torch.zeros(4, D, dtype=torch.float64))
    assert torch.equal(state.hidden, none.hidden)
    assert torch.equal(state.cell, none.cell)
    model.dropout = Dropped(1)  # of what a word is chosen by, and of no step after it
    found = model(pictures, TARGET)
    assert torch.equal(found.seen.weights, usual.seen.weights)
    without = model.features(embedded, torch.zeros_like(states[:1]), read[None])
    torch.testing.assert_close(model.dropout.given[2][:1], without)
    model.dropout = Dropped(2)
    chance = torch.tensor(1 / V).double().log()
    torch.testing.assert_close(model(pictures, TARGET).log_prob[0], chance.expand(4))


def test_dropout_is_that_of_the_model():
    for model, share in (
        (sat.show_attend_tell(V, D, **SIZES, dropout=0.25), 0.25),
        (sat.show_attend_tell(V, D, **SIZES), 0.0),
        (sat.as_run(V, D, **SIZES), 0.5),
        (sat.ungated(V, D, **SIZES), 0.0),
    ):
        assert type(model.dropout) is nn.Dropout
        assert model.dropout.p == share


def test_presets_have_their_parts():
    reader = LastState()
    assert sat.ungated(V, D, **SIZES, reader=reader).reader is reader
    assert type(sat.ungated(V, D, **SIZES).gate) is sat.NoGate
    assert type(sat.without_attention(V, D, **SIZES).gate) is sat.ContextGate
    usual = sat.show_attend_tell(V, D, **SIZES).reader.attention
    assert (type(usual.score), type(usual.align)) == (Additive, Softmax)
    for width, expected in ((None, N), (2, 2)):
        score = sat.soft(N, D, width).attention.score
        assert score.key_weight.weight.shape == (expected, D)
        assert score.query_weight.weight.shape == (expected, N)
        assert score.key_weight.bias is not None
    hard, soft = sat.as_run(V, D, **SIZES, hard=True), sat.as_run(V, D, **SIZES)
    assert (type(hard.reader), type(soft.reader)) == (sat.Drawn, Stepwise)
    assert type(hard.reader.test) is Softmax
    tossed = [hard.reader.coin(20, torch.Generator().manual_seed(n)).tolist() for n in range(9)]
    assert sorted({sum(one) for one in tossed}) == [0, 20]
    assert (len(hard.begin.shared), hard.begin.shared[0].weight.shape) == (1, (D, D))
    assert type(soft.features) is sat.OutputAsRun
    assert type(soft.reader.attention.score) is sat.ScoreAsRun


def test_a_coin_falls_as_often_as_it_is_told():
    dice = torch.Generator().manual_seed(0)
    for coin in (sat.coin_for_each, sat.coin_for_all):
        assert not coin(0.0)(50, dice).any()
        assert coin(1.0)(50, dice).all()
    assert 20 < int(sat.coin_for_each(0.1)(400, dice).sum()) < 70
    often = sum(bool(sat.coin_for_all(0.1)(3, dice).any()) for _ in range(200))
    assert 5 < often < 45


def hard(coin, seed=1):
    torch.manual_seed(seed)
    reader = sat.Drawn(Additive(N, D, 2, bias=True), coin)
    return drawn(sat.show_attend_tell(V, D, **SIZES, reader=reader))


def test_what_is_never_drawn_is_soft_attention_for_several_captions_too():
    model = hard(sat.coin_for_each(1.0)).train()
    soft = sat.show_attend_tell(V, D, **SIZES, reader=sat.soft(N, D, 2)).double()
    with torch.no_grad():
        for one, other in zip(soft.parameters(), model.parameters(), strict=True):
            one.copy_(other)
    pictures, dice = places(), torch.Generator().manual_seed(0)
    found, expected = model(pictures, TARGET, dice), soft(pictures, TARGET)
    torch.testing.assert_close(found.log_prob, expected.log_prob)
    torch.testing.assert_close(found.seen.weights, expected.seen.weights)
    assert not found.seen.log_prob.any()
    plain = found.objective(Baseline.start(-3.0), 0.4)
    torch.testing.assert_close(plain, found.log_prob.sum(-1))


def test_places_are_drawn_in_training_alone_and_expected_only_of_a_coin():
    model, pictures = hard(sat.coin_for_each(1.0)), places(4)
    for training in (True, False):  # at test the likeliest place is read, whatever the coin
        model.train(training)
        weights = model(pictures, TARGET, torch.Generator().manual_seed(0)).seen.weights[0]
        assert bool(((weights == 0) | (weights == 1)).all()) is not training
    assert torch.equal(weights, model(pictures, TARGET).seen.weights[0])
    never = hard(None).train()
    weights = never(pictures, TARGET, torch.Generator().manual_seed(0)).seen.weights
    assert ((weights == 0) | (weights == 1)).all()
    assert type(never.reader.test) is Argmax
    assert type(never.reader.drawing.attention.align) is Sampled


def test_captions_of_a_picture_stand_one_behind_the_other_and_their_draws_too():
    model, pictures = drawn(sat.show_attend_tell(V, D, **SIZES)).eval(), places()
    both = model(pictures, TARGET)
    for row in range(4):
        alone = model(pictures[row // 2 : row // 2 + 1], TARGET[row : row + 1])
        words = alone.log_prob.shape[1]
        torch.testing.assert_close(both.log_prob[row, :words], alone.log_prob[0])
    drawing = hard(None).train()
    dice = torch.Generator().manual_seed(0)
    twice = drawing(pictures, TARGET, dice, samples=3)
    assert torch.equal(twice.told, (TARGET > 0).repeat_interleave(3, 0))
    assert torch.equal(twice.seen.weights.sum(-1) > 0, twice.told)
    with pytest.raises(ValueError, match=r"ShowAttendTell: 1 captions came for 0 pictures, expect"):
        model(places(0), TARGET[:1])


def test_the_likeliest_words_are_told_and_the_loss_is_of_whole_captions():
    model, pictures = drawn(sat.show_attend_tell(V, D, **SIZES)).eval(), places(4)
    found, state = model(pictures, TARGET), model.start(pictures)
    before = torch.zeros(4, dtype=torch.long)
    for place in range(4):
        following = model.step(state, before)
        state, before = following.state, TARGET[:, place]
        best = (following.log_prob.argmax(-1) == before) & (before > 0)
        assert torch.equal(found.best[:, place], best)
    assert found.best.any()
    torch.testing.assert_close(model.loss(pictures, TARGET), -found.log_prob.sum(1))


def test_a_search_ranks_as_it_is_told_and_never_says_nil():
    model, pictures = drawn(sat.show_attend_tell(V, D, **SIZES)).eval(), places()
    for divisor in (by_log_prob, by_length(1.0)):
        found = model.caption(pictures, 6, 4, 9, divisor)
        torch.testing.assert_close(found.scores, found.log_prob / divisor(found.lengths))
    assert found.words.shape[:2] == (2, 9)
    there = torch.arange(found.words.shape[2]) < found.lengths[..., None]
    assert torch.equal(found.words > 0, there)
    assert (found.words[found.ended].amax(-1) == 6).all()


class Echo(nn.Module):
    """Returns what it was asked."""

    def forward(self, *given):
        return given

    caption = forward


def test_a_captioner_sees_once_and_passes_on_what_it_is_told():
    stem = Given(D, (1, L))
    model, pictures, dice = sat.Captioner(stem, Echo()), places(), torch.Generator()
    told = model.forward(pictures, TARGET, torch.tensor([1, 0, 1, 1]), dice, 5)
    assert torch.equal(told[0], pictures[[1, 0, 1, 1]])
    assert (told[1] is TARGET, told[2] is dice, told[3]) == (True, True, 5)
    assert model.forward(pictures, TARGET)[0] is pictures
    divisor = by_length(2.0)
    said = model.caption(pictures, 3, 9, 4, divisor, dice)
    assert said == (pictures, 3, 9, 4, divisor, dice)


def test_first_weights_of_a_captioner_are_those_of_its_seed_in_both_parts():
    def built(seed):
        whole = sat.Captioner(SmallCNN((3,), (4, 4)), sat.show_attend_tell(V, 3, **SIZES))
        whole.reset_parameters(torch.Generator().manual_seed(seed))
        return whole.state_dict()

    one, again, other = built(1), built(1), built(2)
    assert all(torch.equal(one[name], again[name]) for name in one)
    for name in ("stem.places", "stem.layers.0.weight", "teller.embedding.weight"):
        assert not torch.equal(one[name], other[name])
    assert not one["teller.embedding.weight"][0].any()
    assert one["teller.embedding.weight"][1:].all()
