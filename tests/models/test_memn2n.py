"""MemN2N: hand-worked numbers, sizes, and what must not change an answer."""

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from memnets.attention import Identity
from memnets.layers import BagOfWords, CentredPositionEncoding, PositionEncoding
from memnets.models import memn2n
from memnets.models.memn2n import Adjacent, LayerWise, MemN2N, Untied
from memnets.testing import check_model

pytestmark = pytest.mark.usefixtures("path")

VOCAB, MEMORY, DIM = 13, 7, 5


def build(tying=Adjacent(), memory=MEMORY, linear=False, slots=0):
    model = MemN2N(VOCAB, CentredPositionEncoding(5), memory, DIM, hops=3, tying=tying, slots=slots)
    if linear:
        model.attention.align = Identity()
    return model


def inputs():
    sentences = torch.randint(1, VOCAB, (11, 3))
    story = torch.tensor([[3, 5, 3, 9, 0], [2, 1, 0, 0, 0]])
    time = torch.tensor([[4, 3, 2, 1, 0], [2, 1, 0, 0, 0]])
    return sentences, story, time, torch.randint(1, VOCAB, (2, 2))


def exactly(numbers):
    return torch.tensor(numbers, dtype=torch.float64)


@pytest.mark.parametrize(
    ("linear", "logits", "weights"),
    [
        # u = 1, m = (1, 2): p = (0.26894, 0.73106), o = 3 p1 - p2 = 0.07577
        (False, [0.0, 3.2272970564, -1.0757656855], [0.2689414214, 0.7310585786]),
        # p = (1, 2), o = 3 - 2 = 1
        (True, [0.0, 6.0, -2.0], [1.0, 2.0]),
    ],
    ids=["softmax", "linear"],
)
def test_one_hop_by_hand(linear, logits, weights):
    model = MemN2N(vocab=3, reader=BagOfWords(1), memory=0, dim=1, hops=1).double()
    model.tables.data = torch.tensor([[[0.0], [0.0]], [[1.0], [3.0]], [[2.0], [-1.0]]]).double()
    if linear:
        model.attention.align = Identity()
    story = torch.tensor([[1], [2]]), torch.tensor([[0, 1]]), torch.tensor([[2, 1]])
    reply = model(*story, torch.tensor([[1]]))
    assert_close(reply.logits, exactly([logits]), rtol=1e-9, atol=1e-9)
    assert_close(reply.hops[0].weights, exactly([[weights]]), rtol=1e-9, atol=1e-9)


def test_time_words_and_position_encoding_by_hand():
    # J = 2 and d = 1: l_1 = 0.5, l_2 = 1. u = 0.5, m = (0.5 - 1, 1 + 1), c = (2.5, 1.5).
    model = MemN2N(vocab=3, reader=PositionEncoding(2), memory=2, dim=1, hops=1).double()
    found_by, read = [0.0, 1.0, 2.0, 1.0, -1.0], [0.0, 3.0, -1.0, 2.0, 1.0]
    model.tables.data = torch.tensor([found_by, read]).double().T.unsqueeze(-1).contiguous()
    story = torch.tensor([[1], [2]]), torch.tensor([[0, 1]]), torch.tensor([[2, 1]])
    reply = model(*story, torch.tensor([[1]]))
    # scores (-0.25, 1): p_1 = 1 / (1 + e^1.25) = 0.22270, o = 1.5 + p_1, u + o = 2.22270
    state = 0.5 + 1.5 + 0.2227001388
    expected = exactly([[0.0, 3 * state, -state, 2 * state, state]])
    assert_close(reply.logits, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("hops", [1, 2, 3])
@pytest.mark.parametrize("memory", [0, 7])
def test_number_of_parameters(hops, memory):
    rows = VOCAB + memory  # a time word is a row of every table
    expected = {
        Adjacent(): (hops + 1) * rows * DIM,
        LayerWise(): 4 * rows * DIM + DIM**2,
        Untied(): (2 * hops + 2) * rows * DIM,
    }
    for tying, number in expected.items():
        model = MemN2N(VOCAB, BagOfWords(5), memory, DIM, hops, tying)
        assert sum(parameter.numel() for parameter in model.parameters()) == number, tying


@pytest.mark.parametrize(
    "tying", [Adjacent(), LayerWise(), Untied()], ids=lambda t: type(t).__name__
)
@pytest.mark.parametrize("linear", [False, True], ids=["softmax", "linear"])
def test_order_matters_only_through_the_time_words(tying, linear):
    sentences, story, time, question = inputs()
    story, time = torch.tensor([[3, 5, 2, 9, 0]]), torch.tensor([[5, 4, 3, 2, 1]])
    order, question = torch.tensor([3, 0, 4, 1, 2]), question[:1]
    for memory, same in ((0, True), (MEMORY, False)):
        model = build(tying, memory, linear).double()
        straight = model(sentences, story, time, question).logits
        shuffled = model(sentences, story[:, order], time, question).logits
        assert torch.allclose(straight, shuffled, rtol=1e-12, atol=1e-14) is same
        # Moved together with their times, sentences are the same story.
        together = model(sentences, story[:, order], time[:, order], question).logits
        assert_close(together, straight, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("linear", [False, True], ids=["softmax", "linear"])
@pytest.mark.parametrize("slots", [0, 3, 11])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_padding_changes_nothing_bit_for_bit(dtype, slots, linear):
    model = build(linear=linear, slots=slots).to(dtype)
    sentences, story, time, question = inputs()
    whole = model(sentences, story, time, question)
    cases = {
        "words of a sentence": (F.pad(sentences, (0, 1)), story, time, question),
        "words of a question": (sentences, story, time, F.pad(question, (0, 2))),
        "capacity": (sentences, F.pad(story, (0, 61), value=4), F.pad(time, (0, 61)), question),
        "empty slots": (sentences, story.masked_fill(time == 0, 7), time, question),
    }
    for what, padded in cases.items():
        reply = model(*padded)
        assert torch.equal(reply.logits, whole.logits), what
        for hop, expected in zip(reply.hops, whole.hops, strict=True):
            assert torch.equal(hop.weights, expected.weights), what


def test_padded_example_conforms():
    torch.manual_seed(0)
    _, (sentences, story, time, question) = memn2n.example()
    padded = sentences, F.pad(story, (0, 5)), F.pad(time, (0, 5)), F.pad(question, (0, 1))
    check_model(memn2n, padded)


def test_sentences_that_no_story_tells_change_nothing():
    model = build().double()
    sentences, story, time, question = inputs()
    whole = model(sentences, story, time, question)
    more = model(torch.cat([sentences, sentences]), story, time, question)
    assert_close(more.logits, whole.logits, rtol=1e-12, atol=1e-14)


def test_sharing_sentences_changes_nothing():
    model = build().double()
    sentences, story, time, question = inputs()
    repeated = sentences[story.flatten()]
    own = torch.arange(story.numel()).view_as(story)
    shared = model(sentences, story, time, question).logits
    assert_close(model(repeated, own, time, question).logits, shared, rtol=1e-12, atol=1e-14)


def test_a_memory_answers_many_questions():
    model = build().double()
    sentences, story, time, question = inputs()
    memory = model.remember(sentences, story, time)
    for asked in (question, question.flip(0), question):
        answered = model.answer(memory, asked).logits
        anew = model.answer(model.remember(sentences, story, time), asked).logits
        assert torch.equal(answered, anew)
        expected = model(sentences, story, time, asked).logits
        assert_close(answered, expected, rtol=1e-12, atol=1e-14)


def test_an_empty_story_is_answered_from_the_question():
    model = build().double()
    sentences, story, _, question = inputs()
    reply = model(sentences, story, torch.zeros_like(story), question)
    nil = sum(model.reader.place(j, model.tables) for j in (3, 4)) * model.tables[0, 0]
    state = model.reader(question, model.tables[:, :1]).squeeze(1) + nil
    assert_close(reply.logits, state @ model.tables[:, 3].mT)


def test_every_hop_shows_what_it_read():
    reply = build()(*inputs())
    assert len(reply.hops) == 3
    for hop in reply.hops:
        assert_close(hop.weights.sum(-1), torch.ones(2, 1))
        assert not hop.weights[1, :, 2:].any()


@pytest.mark.parametrize(
    ("tying", "kept"), [(Adjacent(), []), (LayerWise(), [2, 3]), (Untied(), [6, 7])], ids=str
)
def test_nil_is_cleared_in_the_tables_that_read_the_memory(tying, kept):
    model = build(tying)
    assert model.tables[0].all()
    assert float(model.tables.detach().std()) == pytest.approx(0.1, abs=0.02)
    model.clear_nil()
    assert model.tables[0].any(-1).nonzero().flatten().tolist() == kept
    assert model.tables[1:].all()


def test_empty_slots_take_their_share_of_the_softmax():
    # As above by hand, m = (1, 2), and three slots of nil, which scores 0 and holds 0.
    model = MemN2N(vocab=3, reader=BagOfWords(1), memory=0, dim=1, hops=1, slots=5).double()
    model.tables.data = torch.tensor([[[0.0], [0.0]], [[1.0], [3.0]], [[2.0], [-1.0]]]).double()
    story = torch.tensor([[1], [2]]), torch.tensor([[0, 1]]), torch.tensor([[2, 1]])
    reply = model(*story, torch.tensor([[1]]))
    shares = exactly([1.0, 2.0, 0.0, 0.0, 0.0]).exp()
    expected = shares / shares.sum()
    assert_close(reply.hops[0].weights, expected.view(1, 1, 5), rtol=1e-9, atol=1e-9)
    state = 1 + 3 * expected[0] - expected[1]
    assert_close(reply.logits, state * exactly([[0.0, 3.0, -1.0]]), rtol=1e-9, atol=1e-9)


def test_nil_fills_sentences_questions_and_empty_slots_by_hand():
    # Two places for words and one for a time. Sentence: 1, nil; question: nil, 1 as two bags.
    model = MemN2N(vocab=2, reader=BagOfWords(3), memory=1, dim=1, hops=1, slots=2).double()
    model.tables.data = exactly([[0.5, -2.0], [1.0, 3.0], [0.25, 4.0]]).unsqueeze(-1)
    story = torch.tensor([[1]]), torch.tensor([[0]]), torch.tensor([[1]])
    reply = model(*story, torch.tensor([[1]]))
    # u = 1 + 0.5; m = 1 + 0.5 + 0.25 and, empty, 3 x 0.5; c = 3 - 2 + 4 and 3 x -2.
    scores = exactly([1.5 * 1.75, 1.5 * 1.5])
    weights = scores.softmax(0)
    assert_close(reply.hops[0].weights.flatten(), weights, rtol=1e-9, atol=1e-9)
    state = 1.5 + 5 * weights[0] - 6 * weights[1]
    assert_close(reply.logits, state * exactly([[-2.0, 3.0, 4.0]]), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("tying", [Adjacent(), LayerWise()], ids=str)
def test_the_loss_is_the_cross_entropy_of_the_logits_and_so_is_its_gradient(tying):
    model, arrays = build(tying, slots=7).double(), inputs()
    with torch.no_grad():
        model.tables.mul_(7.0)
    answer, parameters = torch.tensor([5, VOCAB + 1]), list(model.parameters())
    loss, right = model.loss(*arrays, answer)
    logits = model(*arrays).logits
    expected = F.cross_entropy(logits, answer, reduction="sum")
    assert_close(loss, expected, rtol=1e-10, atol=1e-10)
    assert int(right) == int((logits.argmax(-1) == answer).sum())
    found = torch.autograd.grad(3.0 * loss, parameters)
    for one, other in zip(found, torch.autograd.grad(3.0 * expected, parameters), strict=True):
        assert_close(one, other, rtol=1e-10, atol=1e-10)
    likely = logits.argmax(-1)
    assert int(model.loss(*arrays, likely).right) == len(likely)
    with torch.no_grad():
        assert not model.loss(*arrays, answer).sum.requires_grad


def test_the_same_generator_draws_the_same_weights():
    one, other = build(LayerWise()), build(LayerWise())
    for model in (one, other):
        model.reset_parameters(torch.Generator().manual_seed(7))
    assert torch.equal(one.tables, other.tables)
    assert torch.equal(one.carry.weight, other.carry.weight)
    other.reset_parameters(torch.Generator().manual_seed(11))
    assert not torch.equal(one.tables, other.tables)


@pytest.mark.parametrize(
    ("size", "value", "least"),
    [("vocab", 1, 2), ("memory", -1, 0), ("dim", 0, 1), ("hops", 0, 1), ("slots", -1, 0)],
)
def test_a_size_too_small_is_refused(size, value, least):
    sizes = {"vocab": 13, "memory": 7, "dim": 5, "hops": 3, size: value}
    with pytest.raises(ValueError, match=rf"MemN2N\({size}={value}\): expected at least {least}"):
        MemN2N(reader=BagOfWords(5), **sizes)


def test_a_question_too_long_is_refused():
    sentences, story, time, _ = inputs()
    with pytest.raises(ValueError, match=r"of 5 words came, the reader has places for 4"):
        build()(sentences, story, time, torch.ones(2, 5, dtype=torch.long))
    with pytest.raises(ValueError, match=r"of 6 words came, the reader has places for 5"):
        build(memory=0)(sentences, story, time, torch.ones(2, 6, dtype=torch.long))
