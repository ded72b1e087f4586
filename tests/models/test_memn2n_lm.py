"""What holds for the memory network as a language model, whatever its weights."""

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from memnets.attention import Attention, Dot, Identity, Softmax, TopK
from memnets.models.memn2n_lm import NOTHING, HalfLinear, LastWords, MemN2NLanguageModel

VOCAB, MEMORY, DIM, HOPS, LINEAR = 13, 7, 5, 3, 2


def build(**sizes):
    """Return a model with weights far from zero."""
    given = {"vocab": VOCAB, "memory": MEMORY, "dim": DIM, "hops": HOPS, "linear": LINEAR}
    model = MemN2NLanguageModel(**(given | sizes)).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(10.0)
    return model


def test_by_hand():
    # Two words, both in memory: 0 long ago, 1 just now. Keys 1 and 2, times 0.5 (newest), -0.5.
    model = MemN2NLanguageModel(vocab=2, memory=2, dim=1, hops=1, linear=0).double()
    with torch.no_grad():
        model.keys.copy_(torch.tensor([[1.0], [2.0], [0.5], [-0.5]]))
        model.values.copy_(torch.tensor([[4.0], [-3.0], [1.0], [2.0]]))
        model.carry.weight.fill_(30.0)
        model.decoder.weight.copy_(torch.tensor([[1.0], [-2.0]]))
    found = model(torch.tensor([[1]]), LastWords(torch.tensor([[0]])))
    # Scores 0.1 (1 - 0.5) and 0.1 (2 + 0.5); values 4 + 2 and -3 + 1; u = 3 + what was read.
    new = 1 / (1 + torch.tensor(-0.2, dtype=torch.float64).exp())
    assert_close(found.hops[0].weights.flatten(), torch.stack([1 - new, new]))
    hidden = 3 + 6 * (1 - new) - 2 * new
    assert_close(found.hidden.flatten(), hidden.reshape(1))
    assert_close(found.logits.flatten(), torch.stack([hidden, -2 * hidden]))


def test_is_what_attention_reads_of_shared_slots():
    model, words, state = build(), torch.randint(VOCAB, (2, 11)), build().init_state(2)
    found = model(words, state)
    stretch = torch.cat([state.words, words], 1).unfold(1, MEMORY, 1).flatten(0, 1)
    times = VOCAB + torch.arange(MEMORY - 1, -1, -1).expand_as(stretch)
    entries = torch.stack([stretch.clamp(min=0), times], -1)
    attention = Attention(Dot(), Softmax())
    hidden = torch.full((len(stretch), DIM), 0.1).double()
    for hop in found.hops:
        read = attention.attend_shared(hidden, model.keys, model.values, entries, stretch >= 0)
        assert_close(hop.weights.flatten(0, 1), read.weights.squeeze(1))
        hidden = model.activation(model.carry(hidden) + read.value.squeeze(1))
    assert_close(found.logits.flatten(0, 1), model.decoder(hidden))


def test_every_text_begins_with_the_same_state():
    model = build(hops=1)
    with torch.no_grad():
        model.values.zero_()  # nothing is read: what is left is H u
    hidden = model(torch.randint(VOCAB, (3, 5))).hidden
    start = model.activation(model.carry(torch.full((DIM,), 0.1).double()))
    assert_close(hidden, start.expand(3, 5, DIM))
    assert start.any()


def test_units_before_the_border_are_linear_and_the_one_at_it_is_not():
    state = torch.tensor([[-1.0, -2.0, 3.0, -4.0]])
    for linear, expected in ((0, [0, 0, 3, 0]), (1, [-1, 0, 3, 0]), (3, [-1, -2, 3, 0])):
        assert HalfLinear(linear)(state).tolist() == [expected]
    assert torch.equal(HalfLinear(4)(state), state)
    assert build(linear=DIM).activation.linear == DIM


def test_half_of_the_state_is_linear():
    model = build()
    hidden = model(torch.randint(VOCAB, (7, 31))).hidden
    assert (hidden[..., :LINEAR] < 0).any(dim=(0, 1)).all()
    assert (hidden[..., LINEAR:] >= 0).all()
    assert (hidden[..., LINEAR:] == 0).any(dim=(0, 1)).all()


@pytest.mark.parametrize("vocab", [VOCAB, 997])
@pytest.mark.parametrize("cut", [1, 3, 10])
def test_a_text_may_be_cut_anywhere(vocab, cut):
    model, words = build(vocab=vocab), torch.randint(vocab, (2, 23))
    whole = model(words)
    state, found = model.init_state(2), []
    for part in words.split(cut, 1):
        predicted = model(part, state)
        state = predicted.state
        found.append(predicted.logits)
    assert_close(torch.cat(found, 1), whole.logits)
    assert torch.equal(state.words, whole.state.words)


def test_reads_no_word_that_comes_later_nor_any_before_its_memory():
    model, words = build(), torch.randint(VOCAB, (1, 23))
    whole = model(words).logits
    changed = words.clone()
    changed[0, 11] = (words[0, 11] + 1) % VOCAB
    moved = (model(changed).logits != whole).any(-1).squeeze(0)
    assert moved.nonzero().flatten().tolist() == list(range(11, 11 + MEMORY))


def test_the_order_of_words_counts_only_by_their_times():
    model, words = build(), torch.randint(VOCAB, (1, MEMORY))
    order = torch.randperm(MEMORY)
    last = model(words).logits[:, -1], model(words[:, order]).logits[:, -1]
    assert not torch.allclose(*last)
    with torch.no_grad():
        model.keys[VOCAB:], model.values[VOCAB:] = 0.0, 0.0
    assert_close(model(words).logits[:, -1], model(words[:, order]).logits[:, -1])


def test_weights_sum_to_one_and_nothing_is_read_where_nothing_is():
    model, words = build(), torch.randint(VOCAB, (2, 5))
    state = LastWords(torch.tensor([[NOTHING] * 6, [NOTHING, NOTHING, 1, 2, 3, 4]]))
    for hop in model(words, state).hops:
        assert_close(hop.weights.sum(-1), torch.ones(2, 5).double())
        assert hop.weights[0, 0].nonzero().flatten().tolist() == [6]
        assert hop.weights[1, 0].nonzero().flatten().tolist() == [2, 3, 4, 5, 6]


@pytest.mark.parametrize("align", [Identity(), TopK(3)], ids=str)
def test_another_align_may_read(align):
    model, words = build(align=align), torch.randint(VOCAB, (2, 11))
    found = model(words)
    assert found.logits.isfinite().all()
    if isinstance(align, TopK):
        assert ((found.hops[-1].weights > 0).sum(-1) <= 3).all()


def test_nothing_is_read_in_reduced_precision_but_what_is_read_anyhow():
    model, words = build().float(), torch.randint(VOCAB, (2, 11))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found = model(words)
    assert found.hops[0].weights.dtype == torch.float32
    assert found.logits.isfinite().all()


def test_the_state_follows_its_rows():
    state = LastWords(torch.arange(6).reshape(3, 2))
    reset = state.reset(torch.tensor([False, True, False]))
    assert reset.words.tolist() == [[0, 1], [NOTHING, NOTHING], [4, 5]]
    assert state.index_select(torch.tensor([2, 2, 0])).words.tolist() == [[4, 5], [4, 5], [0, 1]]
    assert state.detach() is state
    assert build(memory=1).init_state(3).words.shape == (3, 0)


def test_weights_are_drawn_from_the_papers_normal():
    model = MemN2NLanguageModel(vocab=101)
    assert [tuple(p.shape) for p in model.parameters()] == [
        (201, 150),
        (201, 150),
        (150, 150),
        (101, 150),
    ]
    for parameter in model.parameters():
        assert float(parameter.detach().std()) == pytest.approx(0.05, rel=0.05)
    other = MemN2NLanguageModel(vocab=101)
    for each in (model, other):
        each.reset_parameters(torch.Generator().manual_seed(7))
    assert torch.equal(model.keys, other.keys)


def test_learns_to_copy_what_stands_two_words_back():
    torch.manual_seed(3)
    model = MemN2NLanguageModel(vocab=5, memory=7, dim=13, hops=1, linear=6)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    for _ in range(150):
        start = torch.randint(5, (31, 2))
        words = start.repeat(1, 6)  # a b a b a b ...
        loss = F.cross_entropy(
            model(words[:, :-1]).logits[:, 2:].flatten(0, 1), words[:, 3:].flatten()
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.1


@pytest.mark.parametrize(
    ("size", "value", "least"),
    [("vocab", 1, 2), ("memory", 0, 1), ("dim", 0, 1), ("hops", 0, 1), ("linear", -1, 0)],
)
def test_a_size_too_small_is_refused(size, value, least):
    message = rf"MemN2NLanguageModel\({size}={value}\): expected at least {least}"
    with pytest.raises(ValueError, match=message):
        build(**{size: value})


def test_more_linear_units_than_there_are_are_refused():
    with pytest.raises(ValueError, match=r"\(linear=6\): the state has 5 units. Pass .* 0 to 5"):
        build(linear=6)
