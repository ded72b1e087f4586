"""MemN2N's C++ op against its plain twin: values, gradients, bits, and what it must leave alone.

The plain twin is compared with the paper's loops in tests/models.
"""

import threading

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensorMode
from torch.autograd import forward_ad, gradcheck
from torch.testing import assert_close

from memnets.attention import Attention, Identity, ScaledDot, Softmax
from memnets.layers import BagOfWords, CentredPositionEncoding, PositionEncoding
from memnets.models.memn2n import Adjacent, LayerWise, MemN2N, Untied
from memnets.ops import native
from pairwise import covering

pytestmark = pytest.mark.skipif(not native.available(), reason="there is no compiler")

VOCAB, MEMORY, WORDS, DIM = 17, 11, 5, 7
TYINGS = {"untied": Untied(), "adjacent": Adjacent(), "layer-wise": LayerWise()}
READERS = (BagOfWords, PositionEncoding, CentredPositionEncoding)
# What is read how, and how many slots.
ALIGNS = {
    "softmax": (Softmax(), 0),
    "empty slots": (Softmax(), MEMORY),
    "room for less": (Softmax(), 3),
    "linear": (Identity(), 0),
    "linear, empty slots": (Identity(), MEMORY),
}


def build(
    tying="adjacent",
    reader=CentredPositionEncoding,
    align="softmax",
    relu=False,
    hops=3,
    memory=MEMORY,
    dim=DIM,
):
    """Return a model whose softmax is far from flat, but no winner takes it all."""
    activation = nn.ReLU() if relu else None
    model = MemN2N(
        VOCAB, reader(WORDS), memory, dim, hops, TYINGS[tying], activation, *ALIGNS[align]
    ).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0.0, 0.4)
    return model


def inputs():
    """Return ragged stories: holes, gaps in time, a story of one sentence and one of none."""
    sentences = torch.randint(1, VOCAB, (13, 4))
    sentences[[1, 4, 8], 3] = 0
    sentences[4, 2] = 0
    time = torch.zeros(5, 7, dtype=torch.long)
    time[0] = torch.tensor([11, 9, 5, 4, 3, 2, 1])
    time[1, :5] = torch.tensor([5, 4, 0, 2, 1])
    time[2, 0] = 1
    time[4, :4] = torch.tensor([7, 5, 4, 1])
    question = torch.randint(1, VOCAB, (5, 3))
    question[1, 2] = 0
    return sentences, torch.randint(0, 13, (5, 7)), time, question


def natively(model, arrays):
    """Return all outputs of the op, and make sure that it was the op."""
    reply = model(*arrays)
    assert is_native(reply)
    return outputs(reply)


def plainly(model, arrays):
    """Return all outputs of the plain twin."""
    sentences, story, time, question = arrays
    return outputs(model.answer(model.remember(sentences, story, time), question))


def is_native(reply):
    return any("_Answer" in type(step[0]).__name__ for step in reply.logits.grad_fn.next_functions)


def outputs(reply):
    read = [part for hop in reply.hops for part in (hop.weights, hop.value)]
    return [reply.logits, *read]


def gradients(found, parameters, seed=7):
    """Return the gradients for random gradients of all outputs."""
    generator = torch.Generator().manual_seed(seed)
    outer = [torch.randn(part.shape, generator=generator).to(part) for part in found]
    return torch.autograd.grad(found, parameters, outer)


def compare(model, arrays, value=1e-10, gradient=1e-10):
    """Raise an AssertionError where op and twin differ, by the largest number of each tensor."""
    parameters = list(model.parameters())
    fast, slow = natively(model, arrays), plainly(model, arrays)
    found, expected = gradients(fast, parameters), gradients(slow, parameters)
    same(fast, slow, value)
    same(found, expected, gradient)


def same(found, expected, tolerance):
    for one, other in zip(found, expected, strict=True):
        largest = float(other.detach().abs().max()) if other.numel() else 0.0
        assert_close(one, other, rtol=tolerance, atol=tolerance * largest)


@pytest.mark.parametrize(
    ("tying", "reader", "align", "relu", "hops", "memory"),
    covering(TYINGS, READERS, ALIGNS, [False, True], [1, 2, 3], [0, MEMORY]),
)
def test_equals_its_plain_twin(tying, reader, align, relu, hops, memory):
    model, arrays = build(tying, reader, align, relu, hops, memory), inputs()
    compare(model, arrays)
    compare(model.float(), arrays, value=1e-5, gradient=1e-4)


@pytest.mark.parametrize("dim", [1, 2, 8, 16, 20, 50, 61])
def test_equals_its_plain_twin_in_any_width(dim):
    compare(build("layer-wise", dim=dim), inputs())


@pytest.mark.parametrize("kind", [torch.int32, torch.int64])
def test_takes_integers_of_either_size_and_any_layout(kind):
    arrays = [array.to(kind) for array in inputs()]
    compare(build(), arrays)
    compare(build(), [array.T.contiguous().T for array in arrays])


@pytest.mark.parametrize(("tying", "align"), covering(TYINGS, ALIGNS, together=1))
def test_gradients_equal_differences_of_its_own_values(tying, align):
    model, arrays = build(tying, align=align, hops=2, dim=3), inputs()

    def call(*parameters):
        named = dict(zip(dict(model.named_parameters()), parameters, strict=True))
        reply = torch.func.functional_call(model, named, arrays)
        assert is_native(reply)
        return tuple(outputs(reply))

    assert gradcheck(call, tuple(model.parameters()), fast_mode=True)


@pytest.mark.parametrize("one", range(3), ids=["logits", "weights", "values"])
def test_the_gradient_of_each_output_alone(one):
    model, arrays = build("layer-wise"), inputs()
    parameters = list(model.parameters())
    fast, slow = (
        gradients([found[:1], found[1::2], found[2::2]][one], parameters)
        for found in (natively(model, arrays), plainly(model, arrays))
    )
    same(fast, slow, 1e-10)


def test_a_parameter_that_does_not_learn_gets_no_gradient():
    model, arrays = build("layer-wise"), inputs()
    for frozen, learning in (
        (model.tables, model.carry.weight),
        (model.carry.weight, model.tables),
    ):
        frozen.requires_grad_(False)
        model.zero_grad()
        natively(model, arrays)[0].sum().backward()
        assert frozen.grad is None
        assert learning.grad.any()
        frozen.requires_grad_(True)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_same_inputs_give_the_same_bits(dtype):
    model, arrays = build("layer-wise").to(dtype), inputs()
    parameters = list(model.parameters())
    first = natively(model, arrays)
    expected = [*first, *gradients(first, parameters)]
    for _ in range(5):
        found = natively(model, [array.clone() for array in arrays])
        for one, other in zip([*found, *gradients(found, parameters)], expected, strict=True):
            assert torch.equal(one, other)


@pytest.mark.parametrize("align", ALIGNS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_padding_changes_no_bit_of_values_and_gradients(dtype, align):
    model = build("layer-wise", align=align).to(dtype)
    sentences, story, time, question = inputs()
    parameters = list(model.parameters())
    whole = natively(model, (sentences, story, time, question))
    expected = gradients(whole, parameters)
    nowhere = story.masked_fill(time == 0, 10**9)  # an empty slot names no sentence at all
    for padded in (
        (sentences, story, time, F.pad(question, (0, 1))),
        (sentences, F.pad(story, (0, 61), value=-5), F.pad(time, (0, 61)), question),
        (sentences, nowhere, time.masked_fill(time == 0, -3), question),
    ):
        found = natively(model, padded)
        for one, other in zip(found, whole, strict=True):
            assert torch.equal(one, other)
        for one, other in zip(gradients(found, parameters), expected, strict=True):
            assert torch.equal(one, other)


def test_the_words_of_nobody_get_no_gradient_but_as_answers():
    model, (sentences, story, time, question) = build("untied"), inputs()
    arrays = sentences.clamp(max=VOCAB - 2), story, time, question.clamp(max=VOCAB - 2)
    found = gradients(natively(model, arrays)[1:], [model.tables])[0]
    assert found[0, :-1].all()  # nil fills sentences and questions up
    assert not found[VOCAB - 1].any()
    assert not found[:, -1].any()  # nobody asked for the logits


def test_a_batch_of_none_and_a_memory_of_none():
    model, (sentences, story, time, question) = build(), inputs()
    for arrays in (
        (sentences, story[:0], time[:0], question[:0]),
        (sentences, story[:, :0], time[:, :0], question),
    ):
        compare(model, arrays)
    (logits, *_) = natively(model, (sentences[:0], story, torch.zeros_like(time), question))
    assert_close(logits, natively(model, (sentences, story, 0 * time, question))[0])


@pytest.mark.parametrize("relu", [False, True], ids=["plain", "relu"])
@pytest.mark.parametrize("align", ALIGNS)
def test_nan_stays_nan_and_in_its_story(align, relu):
    model, arrays = build(align=align, relu=relu, memory=MEMORY), inputs()
    with torch.no_grad():
        model.tables[VOCAB + 8, 0] = torch.nan  # time 9, told in the first story only
    fast, slow = natively(model, arrays), plainly(model, arrays)
    assert fast[0][0].isnan().all()
    assert fast[0][1:].isfinite().all()
    assert fast[1][0].isnan().any()
    assert torch.equal(fast[0].isnan(), slow[0].isnan())


@pytest.mark.parametrize("align", ALIGNS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_scores_too_large_for_the_exponential_do_no_harm(align, dtype):
    model, arrays = build(align=align, hops=1).to(dtype), inputs()
    with torch.no_grad():
        model.tables.mul_(30.0)
    fast, slow = natively(model, arrays), plainly(model, arrays)
    same(fast, slow, {torch.float32: 1e-3, torch.float64: 1e-10}[dtype])  # e^s takes s's error


def test_threads_may_answer_at_once():
    models = [build("layer-wise"), build("untied", align="empty slots")]
    # Large enough for the calls to overlap: a call lets other threads run.
    stories = [[array.repeat(101, 1) for array in inputs()] for _ in models]
    expected = [natively(*pair)[0] for pair in zip(models, stories, strict=True)]
    wrong = []

    def answer_often(number):
        for _ in range(31):
            found = natively(models[number], stories[number])[0]
            if not torch.equal(found, expected[number]):
                wrong.append(number)

    threads = [threading.Thread(target=answer_often, args=(number,)) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_what_training_updates_in_between_is_told():
    model, arrays = build(), inputs()
    logits = natively(model, arrays)[0]
    with torch.no_grad():
        model.tables.add_(1.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        logits.sum().backward()


def test_a_second_derivative_is_refused():
    model, arrays = build(), inputs()
    loss = natively(model, arrays)[0].square().sum()
    (first,) = torch.autograd.grad(loss, model.tables, create_graph=True)
    with pytest.raises(RuntimeError, match="differentiate twice"):
        first.sum().backward()


# What the op does not know is left to the plain twin.


def another_score(model):
    model.attention.score = ScaledDot()


def another_align(model):
    class Halved(Softmax):
        def forward(self, *arguments):
            return super().forward(*arguments) / 2

    model.attention.align = Halved()


def another_reader(model):
    class Doubled(BagOfWords):
        def forward(self, words, tables):
            return 2 * super().forward(words, tables)

    model.reader = Doubled(WORDS)


def another_activation(model):
    model.activation = nn.Tanh()


def another_model(model):
    class Silent(MemN2N):
        def answer(self, memory, question):
            reply = super().answer(memory, question)
            return reply._replace(logits=0 * reply.logits)

    model.__class__ = Silent


def a_hook(model):
    model.attention.align.register_forward_hook(lambda module, given, weights: weights / 3)


def a_hook_of_the_score(model):
    model.attention.score.register_forward_hook(lambda module, given, scores: scores / 3)


def a_hook_of_the_reader(model):
    model.reader.register_forward_hook(lambda module, given, read: read / 3)


def a_hook_of_the_activation(model):
    model.activation.register_forward_hook(lambda module, given, state: state / 3)


def a_hook_of_what_carries(model):
    model.carry.register_forward_hook(lambda module, given, state: state / 3)


def another_carry(model):
    model.carry = nn.Tanh()


def another_attention(model):
    class Faint(Attention):
        def attend_shared(self, *given):
            found = super().attend_shared(*given)
            return found._replace(value=found.value / 2)

    model.attention = Faint(model.attention.score, model.attention.align)


@pytest.mark.parametrize(
    "change",
    [
        another_score,
        another_align,
        another_reader,
        another_activation,
        another_model,
        a_hook,
        a_hook_of_the_score,
        a_hook_of_the_reader,
        a_hook_of_the_activation,
        a_hook_of_what_carries,
        another_carry,
        another_attention,
    ],
    ids=lambda change: change.__name__,
)
def test_another_part_is_run_as_it_is(change):
    model, arrays = build(), inputs()
    model.attention.align = Softmax()
    before = natively(model, arrays)[0]
    change(model)
    reply = model(*arrays)
    assert not is_native(reply)
    assert not torch.allclose(reply.logits, before)
    assert torch.equal(reply.logits, plainly(model, arrays)[0])


def test_half_precision_is_left_to_the_plain_twin():
    model, arrays = build().bfloat16(), inputs()
    assert not is_native(model(*arrays))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert not is_native(build().float()(*arrays))


def test_transforms_are_left_to_the_plain_twin():
    model, arrays = build(), inputs()
    expected = gradients(natively(model, arrays)[:1], [model.tables])[0]
    outer = torch.randn(5, VOCAB + MEMORY, generator=torch.Generator().manual_seed(7)).double()

    def loss(tables):
        logits = torch.func.functional_call(model, {"tables": tables}, arrays).logits
        return (logits * outer).sum()

    assert_close(torch.func.grad(loss)(model.tables.detach()), expected)
    with forward_ad.dual_level():  # the bags of words have no forward mode
        dual = forward_ad.make_dual(model.tables.detach(), expected)
        with pytest.raises(NotImplementedError, match="forward AD with _embedding_bag"):
            loss(dual)


def test_fake_tensors_leave_nothing_behind():
    model, arrays = build(dim=19), inputs()
    mode = FakeTensorMode()
    tables = mode.from_tensor(model.tables)
    with mode, pytest.raises(DataDependentOutputException):  # the length of the longest story
        torch.func.functional_call(model, {"tables": tables}, tuple(map(mode.from_tensor, arrays)))
    compare(model, arrays)


def test_inference_mode_leaves_nothing_behind():
    model, arrays = build(dim=23), inputs()
    with torch.inference_mode():
        model(*arrays)
    compare(model, arrays)


@pytest.mark.parametrize(
    ("place", "row", "number"),
    [
        (0, 3, VOCAB + MEMORY),
        (0, 3, -1),
        (1, 0, 13),
        (1, 0, 13 + MEMORY),
        (1, 0, -1),
        (2, 0, MEMORY + 1),
        (3, 2, VOCAB + MEMORY),
        (3, 2, -1),
    ],
)
def test_a_number_that_names_nothing_is_an_error_on_both_paths(monkeypatch, place, row, number):
    model, arrays = build(), list(inputs())
    arrays[place][row, 0] = number
    for setting in ("0", "1"):
        monkeypatch.setenv("MEMNETS_PLAIN", setting)
        with pytest.raises((IndexError, RuntimeError), match=r"out of bounds|Expected idx"):
            model(*arrays)


def test_without_a_compiler_the_answer_is_the_same(monkeypatch):
    model, arrays = build(), inputs()
    expected = natively(model, arrays)
    monkeypatch.setenv("CXX", "false")
    monkeypatch.setenv("MEMNETS_CACHE", "nowhere")
    native.OPS.forget()
    reply = model(*arrays)
    native.OPS.forget()
    assert not is_native(reply)
    for one, other in zip(outputs(reply), expected, strict=True):
        assert_close(one, other, rtol=1e-10, atol=1e-12)
