"""What translation with attention must do, whatever its parts are."""

import pytest
import torch
from torch import nn

from memnets.attention import (
    Align,
    Attention,
    Baseline,
    Dot,
    General,
    HardStructure,
    KeyStrengthCosine,
    KeyStrengthDot,
    LearnedCosine,
    LinearChain,
    LocalP,
    LocationConvolution,
    Score,
    Segments,
    Softmax,
    StraightThroughArgmax,
)
from memnets.layers.decoding import by_length, greedy, select_rows
from memnets.layers.reset_first import ResetFirstCell, ResetLastCell
from memnets.layers.stepwise import LastState
from memnets.models.seq2seq import (
    bahdanau_initial,
    luong,
    luong_fed,
    luong_initial,
    maxout,
    modern_initial,
    replace_unknown,
    rnnsearch,
    rnnsearch_torch,
)
from memnets.testing import discover

FROM, TO, H, END = 11, 7, 5, 1
pytestmark = pytest.mark.usefixtures("shapes_unchecked")


def search(attention=None, build=rnnsearch):
    return build(FROM, TO, 3, H, 2, attention, initial=modern_initial)


def stacked(attention=None, build=luong):
    return build(FROM, TO, 3, H, 2, attention, initial=modern_initial)


NETWORKS = {
    "rnnsearch": search,
    "rnnsearch on torch": lambda: search(build=rnnsearch_torch),
    "luong": stacked,
    "fed": lambda: stacked(build=luong_fed),
    "looking back": lambda: stacked(Attention(LocationConvolution(H, H, 4, 2, 3), Softmax())),
    "local-p": lambda: stacked(Attention(General(H, H), LocalP(H, 2)), luong_fed),
    "no attention": lambda: search(LastState()),
}
each_network = pytest.mark.parametrize("name", NETWORKS)


def build(name, dtype=torch.float32):
    model = NETWORKS[name]().to(dtype).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.5)
    return model


def inputs():
    source, target = torch.randint(1, FROM, (4, 6)), torch.randint(1, TO, (4, 5))
    target[0, 1:], target[2, 3:] = 0, 0
    return source, torch.tensor([4, 6, 1, 3]), target


def gradients(model, *given):
    loss, weights = model.loss(*given).sum(), list(model.parameters())
    return torch.autograd.grad(loss, weights, allow_unused=True, materialize_grads=True)


@each_network
def test_padding_changes_no_bit(name):
    """List 5: of source and target, whatever words stand in it; of values and gradients."""
    model, (source, length, target) = build(name), inputs()
    before, slopes = model(source, length, target), gradients(model, source, length, target)
    room = torch.randint(0, FROM, (4, 3))
    longer = torch.cat([source, room], 1)
    longer[torch.arange(9) >= length[:, None]] = 3
    spare = torch.cat([target, 0 * room], 1)
    after = model(longer, length, spare)
    assert torch.equal(before.log_prob, after.log_prob)
    assert torch.equal(before.readout.weights, after.readout.weights)
    for weight, one, other in zip(
        model.parameters(), slopes, gradients(model, longer, length, spare), strict=True
    ):
        assert torch.equal(one, other), weight.shape


@each_network
def test_a_batch_is_its_sentences_one_by_one(name):
    """List 5: in value and gradient."""
    model, (source, length, target) = build(name, torch.float64), inputs()
    together = model.loss(source, length, target)
    slopes = gradients(model, source, length, target)
    rows = [
        (source[row : row + 1, : length[row]], length[row : row + 1], target[row : row + 1])
        for row in range(4)
    ]
    alone = torch.cat([model.loss(*row) for row in rows])
    torch.testing.assert_close(alone, together, rtol=1e-10, atol=1e-12)
    summed = [sum(parts) for parts in zip(*(gradients(model, *row) for row in rows), strict=True)]
    for one, other in zip(summed, slopes, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-8, atol=1e-10)


@each_network
def test_words_one_by_one_are_all_words_at_once(name):
    """List 7: the steps of a translation are those of the loss."""
    model, (source, length, target) = build(name, torch.float64), inputs()
    taught, state = model(source, length, target), model.start(source, length)
    before = torch.zeros(4, dtype=torch.long)
    for place in range(5):
        word = model.step(state, before)
        before, state = target[:, place], word.state
        said = before > 0
        found = word.log_prob.gather(1, before[:, None])[:, 0][said]
        torch.testing.assert_close(found, taught.log_prob[:, place][said], rtol=1e-10, atol=1e-12)
        seen = word.readout.weights[said], taught.readout.weights[:, place][said]
        torch.testing.assert_close(*seen, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", ["rnnsearch", "fed", "looking back", "no attention"])
def test_a_beam_of_a_batch_is_that_of_each_sentence(name):
    """List 9: and its log-probability is what the loss says of its words."""
    model, (source, length, _) = build(name, torch.float64), inputs()
    found = model.translate(source, length, END, 6, 3, by_length())
    assert found.words.shape[:2] == (4, 3)
    for row in range(4):
        one = length[row : row + 1]
        alone = model.translate(source[row : row + 1, : int(one)], one, END, 6, 3, by_length())
        steps = alone.words.shape[2]
        assert torch.equal(alone.words[0], found.words[row, :, :steps])
        torch.testing.assert_close(alone.scores[0], found.scores[row])
        weights = found.evidence.weights[row, :, :steps, : int(one)]
        torch.testing.assert_close(alone.evidence.weights[0], weights)
    taught = model(source, length, found.words[:, 0])
    torch.testing.assert_close(taught.log_prob.sum(-1), found.log_prob[:, 0])
    steps = taught.log_prob.shape[1]
    torch.testing.assert_close(taught.readout.weights, found.evidence.weights[:, 0, :steps])


def test_hypotheses_share_what_is_remembered_of_their_sentence():
    model, (source, length, _) = build("looking back"), inputs()
    state = model.start(source, length)
    beam = state.index_select(torch.arange(4).repeat_interleave(3))
    assert beam.annotations is state.annotations
    crossed = beam.index_select(torch.tensor([0, 0, 2, 3, 4, 4, 7, 6, 8, 9, 10, 11]))
    assert crossed.annotations is state.annotations
    fewer = crossed.index_select(torch.tensor([3, 4, 5, 9, 9, 9]))
    assert fewer.annotations.length.tolist() == [6, 3]
    uneven = fewer.index_select(torch.tensor([5, 0, 1]))
    assert uneven.annotations.length.tolist() == [3, 6, 6]
    word = torch.tensor([2, 3, 4])
    expected = model.step(
        select_rows(model.start(source[[3, 1, 1]], length[[3, 1, 1]]), torch.arange(3)), word
    )
    torch.testing.assert_close(model.step(uneven, word).log_prob, expected.log_prob)


def test_greedy_is_a_beam_of_one():
    """List 9: by the step itself."""
    model, (source, length, _) = build("rnnsearch"), inputs()
    one = model.translate(source, length, END, 6)
    first = torch.zeros(4, dtype=torch.long)
    state = model.start(source, length)
    allowed = lambda said, row: torch.arange(TO)[None] > 0  # noqa: E731
    found = greedy(model.step, state, first, END, 6, allowed)
    assert torch.equal(found.words, one.words)
    assert torch.equal(found.evidence.weights, one.evidence.weights)


def test_the_first_word_does_not_hear_the_cell():
    """List 3: it hears s_0, what stands before it and what was read."""
    model, (source, length, target) = build("rnnsearch"), inputs()
    before = model(source, length, target).log_prob
    with torch.no_grad():
        for parameter in model.decoder.cell.parameters():
            parameter.add_(1.0)
    after = model(source, length, target).log_prob
    assert torch.equal(before[:, 0], after[:, 0])
    assert not torch.equal(before[:, 1], after[:, 1])


def test_the_start_is_the_backward_state_at_the_first_word():
    """List 4: in padded batches too; the forward direction plays no part."""
    model, (source, length, _) = build("rnnsearch"), inputs()
    before = model.start(source, length).decoder.hidden
    with torch.no_grad():
        model.source.encoder.gate_recurrent[0].add_(1.0)
    after = model.start(source, length).decoder.hidden
    assert torch.equal(before, after)
    with torch.no_grad():
        model.source.encoder.gate_recurrent[1].add_(1.0)
    assert not torch.equal(model.start(source, length).decoder.hidden[0], after[0])


def test_maxout_is_of_neighbours():
    """List 6: (2k - 1, 2k), not of halves."""
    assert maxout(torch.tensor([[1.0, 5.0, 3.0, 2.0]])).tolist() == [[5, 3]]


def test_a_source_is_read_from_its_end_and_weighed_in_its_order():
    """List 8: reversal leads to the same as sources turned round by hand, columns turned back."""
    model, (source, length, target) = build("luong"), inputs()
    turned = source.clone()
    for row, words in enumerate(length.tolist()):
        turned[row, :words] = source[row, :words].flip(0)
    forward = stacked()
    forward.load_state_dict(model.state_dict())
    forward.source = forward.source.reader
    there, back = model.eval()(source, length, target), forward.eval()(turned, length, target)
    torch.testing.assert_close(there.log_prob, back.log_prob)
    for row, words in enumerate(length.tolist()):
        seen = back.readout.weights[row, :, :words].flip(-1)
        torch.testing.assert_close(there.readout.weights[row, :, :words], seen)


def test_torchs_cell_is_torchs_and_not_the_papers():
    """List 2: its weights are those of nn.GRUCell; the paper's cell says otherwise with them."""
    cell, context = ResetLastCell(3, 4, H), torch.randn(2, 4)
    torchs = nn.GRUCell(3 + 4, H)
    with torch.no_grad():
        both = torch.cat([cell.word_weight.weight, cell.context_weight.weight], 1)
        torchs.weight_ih.copy_(both)
        torchs.bias_ih.copy_(cell.word_weight.bias)
        torchs.weight_hh.copy_(cell.recurrent.weight)
        torchs.bias_hh.copy_(cell.recurrent.bias)
    word, state = torch.randn(2, 3), torch.randn(2, H)
    expected = torchs(torch.cat([word, context], 1), state)
    torch.testing.assert_close(cell(cell.given(word), context, state), expected)
    paper = ResetFirstCell(3, 4, H)
    with torch.no_grad():  # the same matrices, no second bias
        cell.recurrent.bias.zero_()
        paper.word_weight.load_state_dict(cell.word_weight.state_dict())
        paper.context_weight.load_state_dict(cell.context_weight.state_dict())
        paper.gate_recurrent.weight.copy_(cell.recurrent.weight[: 2 * H])
        paper.candidate_recurrent.weight.copy_(cell.recurrent.weight[2 * H :])
    given = cell.given(word)
    assert not torch.allclose(paper(given, context, state), cell(given, context, state))
    # Not even with the update turned round, which torch calls the other way.
    with torch.no_grad():
        for weight in (paper.word_weight.weight, paper.word_weight.bias):
            weight[H : 2 * H].neg_()
        paper.context_weight.weight[H : 2 * H].neg_()
        paper.gate_recurrent.weight[H:].neg_()
    other = paper(paper.given(word), context, state)
    assert not torch.allclose(other, cell(given, context, state))
    with torch.no_grad():  # but where U is diagonal, before and behind are the same
        for weight in (paper.candidate_recurrent.weight, cell.recurrent.weight[2 * H :]):
            weight.copy_(torch.eye(H))
    same = paper(paper.given(word), context, state), cell(given, context, state)
    torch.testing.assert_close(*same)


def pairs():
    """Return every score and every align, each at least once; a strength nobody here emits."""
    steered = (KeyStrengthCosine, KeyStrengthDot)
    scores = [score for score in discover(Score) if score not in steered]
    aligns = discover(Align)
    rounds = max(len(scores), len(aligns))
    return [(scores[k % len(scores)], aligns[k % len(aligns)]) for k in range(rounds)]


def test_every_score_and_every_align_goes_with_a_decoder():
    """List 10: a loss, its gradient and a translation, finite; draws by a generator."""
    source, length, target = inputs()
    for place, (score, align) in enumerate(pairs()):
        attention = Attention(score.example(5, 5), align.example())
        decoder = (luong, luong_fed, rnnsearch)[place % 2 if score.needs_equal_widths else 2]
        if decoder is rnnsearch:
            model = search(Attention(score.example(5, 10), align.example())).eval()
        else:
            model = decoder(FROM, TO, 3, H, 1, attention, initial=modern_initial).eval()
        taught = model(source, length, target, torch.Generator().manual_seed(1))
        objective = taught.objective(Baseline.start())
        objective.sum().backward()
        assert objective.isfinite().all(), (score, align)
        slopes = [weight.grad for weight in model.parameters() if weight.grad is not None]
        assert all(slope.isfinite().all() for slope in slopes), (score, align)
        generator = torch.Generator().manual_seed(1)
        found = model.translate(source, length, END, 2, 2, generator=generator)
        assert found.scores.isfinite().all(), (score, align)


def test_a_score_of_equal_widths_says_that_they_are_not():
    model = search(Attention(Dot(), Softmax()))
    with pytest.raises(ValueError, match=r"Dot.*the query has width 5 and the keys 10"):
        model.loss(*inputs())


def test_hard_weights_are_dense():
    model = stacked(Attention(General(H, H), StraightThroughArgmax())).eval()
    source, length, target = inputs()
    weights = model(source, length, target).readout.weights
    assert weights.shape == (4, 5, 6)
    assert torch.equal(weights.sum(-1), (target > 0).float())


def test_an_empty_source_and_an_empty_batch_are_said_of():
    for name in NETWORKS:
        model = build(name)
        source, length, target = inputs()
        loss = model.loss(source, length * torch.tensor([1, 0, 1, 1]), target)
        assert loss.isfinite().all()
        assert model.loss(source, 0 * length, target).isfinite().all()
        assert model.loss(source[:0], length[:0], target[:0]).shape == (0,)
        found = model.translate(source[:, :0], 0 * length, END, 3)
        assert found.scores.isfinite().all()


def test_what_cannot_be_meant_is_said():
    model, (source, length, target) = build("luong"), inputs()
    with pytest.raises(ValueError, match=r"a length of 7 words came, and sources of 6 columns"):
        model.loss(source, length + 1, target)
    target[1, 0] = 0
    with pytest.raises(ValueError, match=r"nil \(0\) stands before a word of a target"):
        model.loss(source, length, target)


def test_first_weights_are_the_papers():
    """Orthogonal, tiny, or none (Bahdanau et al., B.1); uniform (Luong et al., 4.1)."""
    model = rnnsearch(50, 50, 30, 40, 20)
    cell, score = model.decoder.cell, model.decoder.reader.attention.score
    for recurrent in (*cell.gate_recurrent.weight.split(40), cell.candidate_recurrent.weight):
        torch.testing.assert_close(recurrent @ recurrent.mT, torch.eye(40), rtol=0, atol=1e-5)
    assert not score.hidden_weight.weight.any()
    assert not model.output.bias.any()
    assert score.query_weight.weight.std().item() == pytest.approx(0.001, rel=0.1)
    assert model.output.weight.std().item() == pytest.approx(0.01, rel=0.1)
    model = luong(50, 50, 30, 40, 2)
    for weight in model.parameters():
        assert 0.08 < weight.abs().max().item() <= 0.1
    cosine = luong(9, 9, 3, H, 1, Attention(LearnedCosine(7.0), Softmax()))
    before = cosine.decoder.reader.attention.score.raw_strength.item()
    for initial in (modern_initial, bahdanau_initial, luong_initial):
        with torch.no_grad():
            initial(cosine, None)
        assert cosine.decoder.reader.attention.score.raw_strength.item() == before


@pytest.mark.parametrize("initial", [modern_initial, bahdanau_initial, luong_initial])
def test_structured_aligns_start_as_they_were_told_to(initial):
    chain = luong(9, 9, 3, H, 1, Attention(General(H, H), LinearChain(stay=0.7)))
    segments = luong(9, 9, 3, H, 1, Attention(General(H, H), HardStructure(Segments(3, 0.5))))
    with torch.no_grad():
        initial(chain, None)
        initial(segments, None)
    assert torch.equal(chain.decoder.reader.attention.align.pairwise, 0.7 * torch.eye(2))
    assert (segments.decoder.reader.attention.align.soft.lengths == 0.5).all()
    assert (chain.decoder.reader.attention.score.weight.weight != 0).all()


def test_unknown_words_are_those_that_were_read_most():
    """List 13: of words; the dictionary comes first, else the word is copied."""
    weights = torch.tensor([[0.1, 0.9, 0.0], [0.8, 0.2, 0.0], [0.2, 0.3, 0.9], [0.5, 0.1, 0.0]])
    said, source = ["the", "UNK", "UNK", "."], ["Haus", "Zagreb"]
    found = replace_unknown(said, source, weights, "UNK", {"Haus": "house"})
    assert found == ["the", "house", "Zagreb", "."]  # of slots that are words: not the padding
    assert replace_unknown(said, [], weights, "UNK") == said
    with pytest.raises(ValueError, match=r"weights of shape \(4, 3\) came for 5 words"):
        replace_unknown([*said, "x"], source, weights, "UNK")
