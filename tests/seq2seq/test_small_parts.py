"""Parts of translation that its oracles leave out: dropout, first weights, widths, what begins."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from memnets.attention import (
    Attention,
    Baseline,
    General,
    HardMonotonic,
    LocationConvolution,
    Monotonic,
    Readout,
    Sampled,
    ScaledDot,
    Softmax,
    reinforce,
    start_at_first,
    start_uniform,
)
from memnets.layers.recurrent import LSTM
from memnets.layers.reset_first import ResetFirstEncoder
from memnets.layers.stepwise import Annotations, LastState, Stepwise
from memnets.models.seq2seq import (
    BothWays,
    Stacked,
    Taught,
    WithHeads,
    bahdanau_initial,
    luong,
    luong_fed,
    modern_initial,
    replace_unknown,
    rnnsearch,
    rnnsearch_torch,
)

pytestmark = pytest.mark.usefixtures("shapes_unchecked")
H = 6


def small(build, **options):
    """Return a model of 11 and 7 words, 3 wide, whose state is 6 wide."""
    return build(11, 7, 3, H, 2, initial=modern_initial, **options).double()


class Doubled(nn.Module):
    def forward(self, x):
        return 2 * x


def inputs():
    source, target = torch.randint(1, 11, (3, 5)), torch.randint(1, 7, (3, 4))
    target[0, 2:] = 0
    return source, torch.tensor([5, 2, 3]), target


@pytest.mark.parametrize("build", [rnnsearch, luong_fed])
def test_dropout_is_of_both_embeddings_and_of_what_words_are_chosen_by(build):
    """A dropout that doubles is as if these weights were twice as large."""
    model, given = small(build, dropout=0.0), inputs()
    dropped = small(build, dropout=0.0)
    dropped.load_state_dict(model.state_dict())
    dropped.dropout = Doubled()
    with torch.no_grad():
        for layer in (model.source_embedding, model.target_embedding, model.output):
            layer.weight.mul_(2)
    assert_close(dropped(*given).log_prob, model(*given).log_prob)
    word = torch.tensor([2, 0, 5])
    steps = [one.step(one.start(*given[:2]), word).log_prob for one in (dropped, model)]
    assert_close(*steps)


@pytest.mark.parametrize("build", [rnnsearch, rnnsearch_torch, luong, luong_fed])
def test_dropout_reaches_every_part_and_is_in_training_only(build):
    model = small(build, dropout=0.4)
    shares = {module.p for module in model.modules() if isinstance(module, nn.Dropout)}
    assert shares == {0.4}
    stacks = [module for module in model.modules() if isinstance(module, nn.LSTM)]
    assert [stack.dropout for stack in stacks] == [0.4] * (2 if build in (luong, luong_fed) else 0)
    given = inputs()
    assert not torch.equal(model(*given).log_prob, model(*given).log_prob)
    model.eval()
    assert torch.equal(model(*given).log_prob, model(*given).log_prob)


def test_widths_are_those_that_were_asked_for():
    search, other = (build(11, 7, 3, H, 2) for build in (rnnsearch, rnnsearch_torch))
    for model in (search, other):
        decoder, score = model.decoder, model.decoder.reader.attention.score
        assert (model.source.dim, decoder.dim, decoder.cell.hidden) == (2 * H, 2, H)
        assert score.hidden_weight.weight.shape == (1, H)
        assert score.query_weight.weight.shape == (H, H)
        assert score.key_weight.weight.shape == (H, 2 * H)
        assert decoder.start_weight.weight.shape == (H, H)
        assert decoder.context_readout.weight.shape == (4, 2 * H)
        assert isinstance(decoder.reader.attention.align, Softmax)
    for build in (luong, luong_fed):
        model = build(11, 7, 3, H, 2)
        assert model.decoder.core.cells.num_layers == model.source.reader.core.cells.num_layers == 2
        assert model.decoder.combined.weight.shape == (H, 2 * H)
        assert model.decoder.reader.attention.score.weight.weight.shape == (H, H)
        assert build(11, 7, 3, H, 2, backwards=False).source.core.cells.num_layers == 2
    assert search.source_embedding.weight.shape == (11, 3)
    assert search.target_embedding.weight.shape == (7, 3)
    assert search.output.weight.shape == (7, 2)


def test_modern_first_weights_are_xaviers_orthogonal_and_small():
    for build in (rnnsearch_torch, luong):
        model = build(90, 90, 40, 30, 2, initial=modern_initial)
        for name, weight in model.named_parameters():
            if "bias" in name:
                assert not weight.any(), name
            elif "embedding" in name:
                assert weight.std().item() == pytest.approx(0.1, rel=0.1), name
            elif "recurrent" in name or "weight_hh" in name:
                for gate in weight.split(30):
                    assert_close(gate @ gate.mT, torch.eye(30), rtol=0, atol=1e-5)
            else:
                most = (6 / sum(weight.shape)) ** 0.5
                assert 0.8 * most < weight.abs().max().item() <= most, name


def test_bahdanaus_first_weights_are_of_two_sizes():
    model = rnnsearch(90, 90, 40, 30, 20)
    for name in ("query_weight", "key_weight"):
        weight = getattr(model.decoder.reader.attention.score, name).weight
        assert weight.std().item() == pytest.approx(0.001, rel=0.1)
    for weight in (model.source_embedding.weight, model.decoder.cell.word_weight.weight):
        assert weight.std().item() == pytest.approx(0.01, rel=0.1)
    assert not model.decoder.cell.word_weight.bias.any()
    for way in model.source.encoder.gate_recurrent:
        for gate in way.split(30):
            assert_close(gate @ gate.mT, torch.eye(30), rtol=0, atol=1e-5)


@pytest.mark.parametrize("initial", [modern_initial, bahdanau_initial])
def test_first_weights_follow_from_the_generator(initial):
    drawn = []
    for seed in (3, 3, 4):
        model = rnnsearch(11, 7, 3, H, 2, initial=initial)
        model.reset_parameters(torch.Generator().manual_seed(seed))
        drawn.append(torch.cat([weight.flatten() for weight in model.parameters()]))
    assert torch.equal(drawn[0], drawn[1])
    same = (drawn[0] == drawn[2]) & (drawn[0] != 0)
    assert not same.any()


def test_an_encoder_of_its_own_begins_between_the_roots_of_its_width():
    encoder = ResetFirstEncoder(3, 16)
    for recurrent in (encoder.gate_recurrent, encoder.candidate_recurrent):
        assert 0.2 < recurrent.max().item() <= 0.25
        assert -0.25 <= recurrent.min().item() < -0.2


def test_only_monotonic_aligns_begin_at_the_first_word():
    first = Monotonic(), HardMonotonic(Monotonic())
    for align, begins in (
        *((align, start_at_first) for align in first),
        (Softmax(), start_uniform),
    ):
        assert Stepwise(Attention(General(H, H), align)).begins is begins
    reader = Stepwise(Attention(General(H, H), Monotonic()), start_uniform)
    assert reader.begins is start_uniform


def test_what_was_read_before_is_carried_where_a_part_looks_back():
    reader = Stepwise(Attention(LocationConvolution(H, H, 4, 2, 3), Softmax()))
    length = torch.tensor([4, 2])
    annotations = reader.remember(torch.randn(2, 4, H), torch.randn(2, H), length)
    past = reader.start(annotations)
    assert past.step.tolist() == [0, 0]
    assert past.previous.tolist() == [[0.25] * 4, [0.5, 0.5, 0, 0]]
    assert not past.coverage.any()
    readout, past = reader(annotations, torch.randn(2, 3, H), past)
    assert past.step.tolist() == [3, 3]
    assert_close(past.previous, readout.weights[:, -1])
    assert_close(past.coverage, readout.weights.sum(1))
    plain = Stepwise(Attention(General(H, H), Softmax()))
    annotations = plain.remember(torch.randn(2, 4, H), torch.randn(2, H), length)
    assert plain.start(annotations)[1:] == (None, None)
    past = plain(annotations, torch.randn(2, 3, H), plain.start(annotations))[1]
    assert (past.step.tolist(), *past[1:]) == ([3, 3], None, None)


def test_the_control_reads_the_last_state_and_no_word():
    reader, last = LastState(), torch.randn(2, H)
    annotations = reader.remember(torch.randn(2, 4, H), last, torch.tensor([4, 2]))
    readout, past = reader(annotations, torch.randn(4, 3, 9), reader.start(annotations))
    assert_close(readout.value, last.repeat_interleave(2, 0)[:, None].expand(-1, 3, -1))
    assert readout.weights.shape == (4, 3, 4)
    assert not readout.weights.any()
    assert past.step.tolist() == [3, 3]


def test_sentences_that_are_selected_keep_their_draws():
    generator = torch.Generator()
    length = torch.tensor([4, 2, 3])
    parts = torch.randn(3, 4, 2), torch.randn(3, 4, 5), torch.ones(3, 1, 4).bool()
    some = Annotations(*parts, length, generator).index_select(torch.tensor([2, 0]))
    assert some.generator is generator
    assert some.length.tolist() == [3, 4]
    for part, whole in zip(some[:3], parts, strict=True):
        assert torch.equal(part, whole[[2, 0]])


def test_what_is_maximised_weighs_rewards_and_entropies():
    log_prob, drawn, spread = (torch.randn(2, 3) for _ in range(3))
    told = torch.ones(2, 3).bool()
    readout = Readout(torch.randn(2, 3, 4), torch.rand(2, 3, 5), log_prob=drawn, entropy=spread)
    baseline = Baseline.start(-1.5)
    found = Taught(log_prob, readout, told).objective(baseline, 0.5, 0.25)
    sums = log_prob.sum(-1), drawn.sum(-1), spread.sum(-1)
    assert_close(found, reinforce(*sums, baseline, 0.5, 0.25))
    assert_close(Taught(log_prob, readout, told).objective(baseline), reinforce(*sums, baseline))
    plain = readout._replace(log_prob=None, entropy=None)
    assert_close(Taught(log_prob, plain, told).objective(baseline, 0.5, 0.25), sums[0])


def test_a_translation_draws_by_its_generator():
    model = small(luong, attention=Attention(General(H, H), Sampled())).eval()
    source, length, _ = inputs()
    found = [
        model.translate(source, length, 1, 9, 2, generator=torch.Generator().manual_seed(seed))
        for seed in (0, 0, 1)
    ]
    assert torch.equal(found[0].evidence.weights, found[1].evidence.weights)
    assert not torch.equal(found[0].evidence.weights, found[2].evidence.weights)


def test_known_words_are_left_as_they_were_said():
    weights = torch.tensor([[0.1, 0.9], [0.8, 0.2]])
    assert replace_unknown(["a", "UNK"], ["Haus", "Zug"], weights, "UNK") == ["a", "Haus"]
    assert replace_unknown(["UNK"], ["Haus", "Zug"], weights, "UNK", {"Haus": "x"}) == ["Zug"]
    with pytest.raises(ValueError, match="for 2 words said of 3, expected"):
        replace_unknown(["a", "b"], ["x", "y", "z"], weights, "UNK")


def test_both_directions_end_where_they_have_read_everything():
    """The forward direction at the last word of each row, the backward one at its first."""
    torch.manual_seed(0)
    reader = BothWays(ResetFirstEncoder(3, 4))
    length = torch.tensor([5, 2, 1])
    read = reader(torch.randn(3, 5, 3), length)
    for row, number in enumerate(length.tolist()):
        assert_close(read.last[row, :4], read.states[row, number - 1, :4])
        assert_close(read.last[row, 4:], read.states[row, 0, 4:])
    assert_close(read.start, read.last[:, 4:])


def test_a_word_stands_beside_what_it_reads_of_the_others():
    """What was read says who reads whom, the words are what is read; the start is the reader's."""
    source = WithHeads(Stacked(LSTM(2, 4)), Attention(ScaledDot(), Softmax()), 2, 5)
    words, length = torch.randn(3, 5, 2), torch.tensor([5, 2, 1])
    read, plain = source(words, length), source.reader(words, length)
    assert source.dim == 2 + 2
    assert not read.states[1, 2:].any()
    weights = source.read_heads(plain.states, words, length).weights
    for row, number in enumerate(length.tolist()):
        state, word = plain.states[row, :number], words[row, :number]
        score = state @ source.query_weight.weight.T @ source.key_weight.weight @ state.T
        expected = (score / 5**0.5).softmax(-1)
        assert_close(weights[row, :number, :number], expected)
        assert_close(read.states[row, :number], torch.cat([word, expected @ word], -1))
        assert_close(read.last[row], read.states[row, number - 1])
    for part, other in zip(read.start, plain.start, strict=True):
        assert torch.equal(part, other)


def test_words_without_heads_are_read_alone():
    source = WithHeads(Stacked(LSTM(2, 4)), None, 2, 5)
    words, length = torch.randn(2, 3, 2), torch.tensor([3, 1])
    read = source(words, length)
    assert source.dim == 2
    assert_close(read.states[0], words[0])
    assert_close(read.last, torch.stack([words[0, 2], words[1, 0]]))
    assert not read.states[1, 1:].any()


@pytest.mark.parametrize(("sizes", "named"), [((0, 5), "dim=0"), ((2, 0), "key_dim=0")])
def test_words_beside_their_heads_have_a_width(sizes, named):
    with pytest.raises(ValueError, match=rf"WithHeads\({named}\): expected at least 1"):
        WithHeads(Stacked(LSTM(2, 4)), None, *sizes)
