"""MemN2N against the paper's loops: values, gradients, and faults that must be caught."""

import numpy as np
import pytest
import torch
from torch import nn

from memnets.attention import Attention, Dot, Identity, Softmax
from memnets.layers import BagOfWords, CentredPositionEncoding, PositionEncoding
from memnets.layers import sentences as readers
from memnets.models.memn2n import Adjacent, LayerWise, MemN2N, Untied
from memnets.reference import attention as loops
from memnets.reference import memn2n as reference
from pairwise import covering

VOCAB, MEMORY, WORDS, DIM = 17, 7, 5, 3
PLACES = {
    BagOfWords: reference.bag,
    PositionEncoding: reference.position,
    CentredPositionEncoding: reference.centred_position,
}
# What is read how, and how many slots.
ALIGNS = {
    "softmax": (Softmax(), loops.softmax, 0),
    "empty slots": (Softmax(), loops.softmax, 11),
    "room for less": (Softmax(), loops.softmax, 3),
    "linear": (Identity(), loops.identity, 0),
    "linear, empty slots": (Identity(), loops.identity, 11),
}
OTHER = dict(zip(ALIGNS, [*list(ALIGNS)[1:], "softmax"], strict=True))
TYINGS = {"untied": Untied(), "adjacent": Adjacent(), "layer-wise": LayerWise()}


def build(
    tying="adjacent",
    reader=CentredPositionEncoding,
    align="softmax",
    relu=False,
    hops=2,
    memory=MEMORY,
):
    """Return a model with weights large enough for the softmax to be far from flat."""
    activation = nn.ReLU() if relu else None
    part, _, slots = ALIGNS[align]
    model = MemN2N(
        VOCAB, reader(WORDS), memory, DIM, hops, TYINGS[tying], activation, part, slots
    ).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter))
    return model


def inputs():
    """Return ragged stories: holes, gaps in time, a story of one sentence and one of none."""
    sentences = torch.randint(1, VOCAB, (11, 4))
    sentences[[1, 4, 8], 3] = 0
    sentences[4, 2] = 0
    story = torch.randint(0, 11, (5, 7))
    time = torch.tensor(
        [
            [7, 6, 5, 4, 3, 2, 1],
            [5, 4, 0, 2, 1, 0, 0],
            [1, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0],
            [7, 5, 4, 1, 0, 0, 0],
        ]
    )
    question = torch.randint(1, VOCAB, (5, 3))
    question[1, 2] = 0
    return sentences, story, time, question


def weights_of(tables, carry, tying, hops):
    """Lay the tables out as the paper names them, without asking the model."""
    if tying == "adjacent":
        A, C = [tables[:, k] for k in range(hops)], [tables[:, k + 1] for k in range(hops)]  # noqa: N806
        return reference.Weights(A, C, tables[:, 0], tables[:, hops])
    if tying == "layer-wise":
        A, C, B, W = (tables[:, k] for k in range(4))  # noqa: N806
        return reference.Weights([A] * hops, [C] * hops, B, W, carry)
    A, C = [tables[:, 2 * k] for k in range(hops)], [tables[:, 2 * k + 1] for k in range(hops)]  # noqa: N806
    return reference.Weights(A, C, tables[:, 2 * hops], tables[:, 2 * hops + 1])


def by_loops(weights, arrays, place, memory=MEMORY, align="softmax", relu=False):
    """Return what the loops answer and read, story by story, padded as the model pads."""
    sentences, story, time, question = arrays
    _, by, room = ALIGNS[align]
    width = max(room, int((time > 0).any(0).nonzero()[-1]) + 1)
    logits, read_at = [], []
    for slots, times, asked in zip(story.tolist(), time.tolist(), question.tolist(), strict=True):
        filled = [slot for slot in range(len(slots)) if times[slot] > 0]
        empty = [slot for slot in range(room) if slot not in filled]
        sizes = reference.Sizes(
            WORDS,
            WORDS - 1 if memory else WORDS,
            VOCAB if memory else None,
            len(filled) + len(empty),
        )
        answer, hops = reference.answer(
            [sentences[slots[slot]].tolist() for slot in filled],
            [times[slot] for slot in filled],
            asked,
            weights,
            sizes,
            place,
            by,
            (lambda u: np.maximum(u, 0.0)) if relu else (lambda u: u),
        )
        padded = np.zeros((len(hops), width))
        padded[:, filled + empty] = hops
        logits.append(answer)
        read_at.append(padded)
    return np.array(logits), np.array(read_at)


def compare(
    model, arrays, tying="adjacent", reader=CentredPositionEncoding, align="softmax", relu=False
):
    """Raise an AssertionError where the model and the loops differ."""
    tables = model.tables.detach().numpy()
    carry = model.carry.weight.detach().numpy() if tying == "layer-wise" else None
    weights = weights_of(tables, carry, tying, model.hops)
    logits, read_at = by_loops(weights, arrays, PLACES[reader], model.memory, align, relu)
    reply = model(*arrays)
    found = np.stack([hop.weights.detach().squeeze(1).numpy() for hop in reply.hops], axis=1)
    np.testing.assert_allclose(reply.logits.detach().numpy(), logits, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(found, read_at, rtol=1e-10, atol=1e-12)


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize(
    ("tying", "reader", "align", "relu"), covering(TYINGS, PLACES, ALIGNS, [False, True])
)
def test_equals_the_loops(tying, reader, align, relu):
    model = build(tying, reader, align, relu)
    compare(model, inputs(), tying, reader, align, relu)


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("hops", [1, 3])
@pytest.mark.parametrize("tying", TYINGS)
def test_equals_the_loops_for_any_number_of_hops(tying, hops):
    compare(build(tying, hops=hops), inputs(), tying)


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("tying", TYINGS)
def test_equals_the_loops_without_time_words(tying):
    compare(build(tying, memory=0), inputs(), tying)


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize(("tying", "align"), covering(TYINGS, ALIGNS, together=1))
def test_gradients_equal_central_differences_of_the_loops(tying, align):
    model, arrays = build(tying, align=align), inputs()
    parameters = list(model.parameters())
    outer = torch.randn(5, VOCAB + MEMORY).double()
    gradients = torch.autograd.grad((model(*arrays).logits * outer).sum(), parameters)

    def loss(move, direction):
        moved = [
            (p + move * d).detach().numpy() for p, d in zip(parameters, direction, strict=True)
        ]
        weights = weights_of(moved[0], moved[-1], tying, model.hops)
        logits, _ = by_loops(weights, arrays, PLACES[CentredPositionEncoding], align=align)
        return (logits * outer.numpy()).sum()

    step = 1e-5
    for _ in range(5):
        direction = [torch.randn_like(parameter) for parameter in parameters]
        found = sum(float((g * d).sum()) for g, d in zip(gradients, direction, strict=True))
        expected = (loss(step, direction) - loss(-step, direction)) / (2 * step)
        assert found == pytest.approx(expected, rel=1e-6)


# Faults. Each changes one thing in the plain model; the comparison above must then fail. Those of
# the C++ op are compared with the plain model in tests/ops.


def shift_time(patch, model):
    whole = MemN2N._time_words
    patch.setattr(MemN2N, "_time_words", lambda self, tables: whole(self, tables).roll(1, 0))


def flip_sign(patch, model):
    match = Dot.match
    patch.setattr(Dot, "match", lambda *arguments: -match(*arguments))


def wrong_axis(patch, model):
    patch.setattr(
        Softmax,
        "forward",
        lambda self, scores, mask, context: scores.masked_fill(~mask, -1e30).softmax(0),
    )


def ignore_mask(patch, model):
    patch.setattr(Softmax, "forward", lambda self, scores, mask, context: scores.softmax(-1))


def position_from_zero(patch, model):
    places = readers._places
    patch.setattr(
        readers,
        "_places",
        lambda words, like: (places(words, like)[0] - 1 / words, places(words, like)[1]),
    )


def dimension_from_zero(patch, model):
    places = readers._places
    patch.setattr(
        readers,
        "_places",
        lambda words, like: (places(words, like)[0], places(words, like)[1] - 1 / like.shape[-1]),
    )


def sentence_length_for_j(patch, model):
    # J is the longest sentence of the data set, time word included; here it leaves that out.
    places = readers._places
    patch.setattr(
        readers,
        "_places",
        lambda words, like: (places(words, like)[0] * words / (words - 1), places(words, like)[1]),
    )


def time_word_in_the_next_free_place(patch, model):
    place = CentredPositionEncoding.place
    patch.setattr(
        CentredPositionEncoding,
        "place",
        lambda self, position, like: place(self, position - 1, like),
    )


def question_without_position_encoding(patch, model):
    answer, plain = MemN2N.answer, BagOfWords(WORDS)

    def without(self, memory, question):
        reader, self.reader = self.reader, plain
        reply = answer(self, memory, question)
        self.reader = reader
        return reply

    patch.setattr(MemN2N, "answer", without)


def question_with_a_time_word(patch, model):
    class Timed(CentredPositionEncoding):
        def forward(self, words, tables):
            read = super().forward(words, tables)
            newest = tables[VOCAB] * self.place(self.words, tables)
            return read + newest if tables.shape[1] == 1 else read

    patch.setattr(model, "reader", Timed(WORDS))


def untie_the_answer(patch, model):
    patch.setattr(Adjacent, "answer", lambda self, hops: 0)


def untie_the_question(patch, model):
    patch.setattr(Adjacent, "question", lambda self, hops: 1)


def swap_keys_and_values(patch, model):
    keys, values = Adjacent.keys, Adjacent.values
    patch.setattr(Adjacent, "keys", values)
    patch.setattr(Adjacent, "values", keys)


def read_the_hops_backwards(patch, model):
    remember = MemN2N.remember
    patch.setattr(MemN2N, "remember", lambda *arguments: remember(*arguments)[::-1])


def add_what_was_read_twice(patch, model):
    attend = Attention.attend_shared

    def twice(*arguments):
        readout = attend(*arguments)
        return readout._replace(value=2 * readout.value)

    patch.setattr(Attention, "attend_shared", twice)


def forget_the_state(patch, model):
    class Forget(nn.Identity):
        def forward(self, state):
            return torch.zeros_like(state)

    patch.setattr(model, "carry", Forget())


def leave_nil_out(patch, model):
    patch.setattr(MemN2N, "_read", lambda self, words, tables: self.reader(words, tables))


FAULTS = [
    leave_nil_out,
    shift_time,
    flip_sign,
    wrong_axis,
    ignore_mask,
    position_from_zero,
    dimension_from_zero,
    sentence_length_for_j,
    time_word_in_the_next_free_place,
    question_without_position_encoding,
    question_with_a_time_word,
    untie_the_answer,
    untie_the_question,
    swap_keys_and_values,
    read_the_hops_backwards,
    add_what_was_read_twice,
    forget_the_state,
]


@pytest.mark.usefixtures("eager")
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_caught(fault, monkeypatch):
    model, arrays = build(), inputs()
    compare(model, arrays)
    fault(monkeypatch, model)
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        compare(model, arrays)


def leave_out_the_matrix(model):
    model.carry.weight.data = torch.eye(DIM).double()


def transpose_the_matrix(model):
    model.carry.weight.data = model.carry.weight.data.T.clone()


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("fault", [leave_out_the_matrix, transpose_the_matrix])
def test_a_fault_in_the_carried_state_is_caught(fault):
    model, arrays = build("layer-wise"), inputs()
    weights = weights_of(
        model.tables.detach().numpy(), model.carry.weight.detach().numpy().copy(), "layer-wise", 2
    )
    logits, _ = by_loops(weights, arrays, PLACES[CentredPositionEncoding])
    np.testing.assert_allclose(model(*arrays).logits.detach().numpy(), logits, rtol=1e-10)
    fault(model)
    assert not np.allclose(model(*arrays).logits.detach().numpy(), logits)


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("align", ALIGNS)
@pytest.mark.parametrize("relu", [False, True])
def test_a_forgotten_option_is_caught(align, relu):
    model, arrays = build(align=OTHER[align], relu=relu), inputs()
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        compare(model, arrays, align=align, relu=relu)
    model = build(align=align, relu=not relu)
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        compare(model, arrays, align=align, relu=relu)
