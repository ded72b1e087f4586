"""The language model against the paper's loops: values, gradients, and faults to be caught."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from memnets.models import memn2n_lm
from memnets.models.memn2n_lm import NOTHING, HalfLinear, LastWords, MemN2NLanguageModel
from memnets.reference import memn2n_lm as reference

VOCAB, MEMORY, DIM, HOPS, LINEAR = 13, 7, 5, 3, 2
BATCH, TIME = 3, 11


@pytest.fixture(params=["shared by all", "laid out by row"])
def way(request, monkeypatch):
    """Score the words of the vocabulary, or those of each row's stretch of text."""
    cost = 0 if request.param == "laid out by row" else 100
    monkeypatch.setattr(memn2n_lm, "LAYING_OUT", cost)
    return 41 if cost == 0 else VOCAB  # with few words, the first way would be taken anyhow


def build(vocab=VOCAB, memory=MEMORY, hops=HOPS, linear=LINEAR):
    """Return a model with weights large enough for the softmax to be far from flat."""
    model = MemN2NLanguageModel(vocab, memory, DIM, hops, linear).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(0.7 * torch.randn_like(parameter))
    return model


def texts(vocab=VOCAB, memory=MEMORY):
    """Return the words before and the words now: of a whole, a short and an empty history."""
    before, words = torch.randint(vocab, (BATCH, memory - 1)), torch.randint(vocab, (BATCH, TIME))
    before[1, : memory // 2] = NOTHING
    before[2] = NOTHING
    return words, LastWords(before)


def weights_of(parameters, vocab):
    """Lay the tables out as the paper names them."""
    A, C, H, W = parameters  # noqa: N806
    return reference.Weights(A[:vocab], C[:vocab], A[vocab:], C[vocab:], H, W)


def by_loops(parameters, vocab, memory, hops, linear, words, state):
    """Return what the loops predict and read, word by word."""
    weights = weights_of(parameters, vocab)
    logits = np.zeros((*words.shape, vocab))
    read_at = np.zeros((hops, *words.shape, memory))
    for row, text in enumerate(torch.cat([state.words, words], 1).tolist()):
        for step in range(words.shape[1]):
            so_far = [word for word in text[: memory + step] if word != NOTHING]
            logits[row, step], hop = reference.predict(so_far, weights, hops, linear)
            read_at[:, row, step, memory - min(memory, len(so_far)) :] = hop
    return logits, read_at


def arrays(model):
    return [parameter.detach().numpy() for parameter in model.parameters()]


def compare(model, words, state, hops=HOPS, linear=LINEAR):
    """Raise an AssertionError where the model and the loops differ."""
    logits, read_at = by_loops(arrays(model), model.vocab, model.memory, hops, linear, words, state)
    found = model(words, state)
    weights = np.stack([hop.weights.detach().numpy() for hop in found.hops])
    np.testing.assert_allclose(found.logits.detach().numpy(), logits, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(weights, read_at, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("linear", [0, LINEAR, DIM])
@pytest.mark.parametrize("hops", [1, 2, 5])
def test_equals_the_loops(way, hops, linear):
    compare(build(way, hops=hops, linear=linear), *texts(way), hops, linear)


@pytest.mark.parametrize("memory", [1, 2, 19])
def test_equals_the_loops_for_any_size_of_memory(way, memory):
    compare(build(way, memory=memory), *texts(way, memory))


def test_both_ways_are_taken(way, monkeypatch):
    laid_out = []
    embedding = F.embedding
    monkeypatch.setattr(F, "embedding", lambda *given: laid_out.append(1) or embedding(*given))
    build(way)(*texts(way))
    assert len(laid_out) == (0 if way == VOCAB else 2)


def test_gradients_equal_central_differences_of_the_loops(way):
    model, (words, state) = build(way), texts(way)
    parameters = list(model.parameters())
    outer = torch.randn(BATCH, TIME, way).double()
    gradients = torch.autograd.grad((model(words, state).logits * outer).sum(), parameters)

    def loss(move, direction):
        moved = [
            (p + move * d).detach().numpy() for p, d in zip(parameters, direction, strict=True)
        ]
        logits, _ = by_loops(moved, way, MEMORY, HOPS, LINEAR, words, state)
        return (logits * outer.numpy()).sum()

    step = 1e-5
    for _ in range(3):
        direction = [torch.randn_like(parameter) for parameter in parameters]
        found = sum(float((g * d).sum()) for g, d in zip(gradients, direction, strict=True))
        expected = (loss(step, direction) - loss(-step, direction)) / (2 * step)
        assert found == pytest.approx(expected, rel=1e-6)


# Faults. Each changes one thing in the model; the comparison above must then fail.


def oldest_word_first_in_time(patch, model):
    patch.setattr(torch.Tensor, "flip", lambda tensor, axis: tensor)


def another_first_state(patch, model):
    patch.setattr(memn2n_lm, "QUERY", 0.2)


def a_relu_on_all_units(patch, model):
    patch.setattr(HalfLinear, "forward", lambda self, state: state.relu())


def no_relu_at_all(patch, model):
    patch.setattr(HalfLinear, "forward", lambda self, state: state)


def a_relu_on_the_other_half(patch, model):
    patch.setattr(
        HalfLinear,
        "forward",
        lambda self, state: torch.cat([state[..., :2].relu(), state[..., 2:]], -1),
    )


def leave_out_the_matrix(patch, model):
    patch.setattr(model, "carry", torch.nn.Identity())


def transpose_the_matrix(patch, model):
    patch.setattr(model.carry, "weight", torch.nn.Parameter(model.carry.weight.detach().mT))


def swap_keys_and_values(patch, model):
    keys = model.keys
    patch.setattr(model, "keys", model.values)
    patch.setattr(model, "values", keys)


def read_where_nothing_is(patch, model):
    remember = model._remember
    patch.setattr(model, "_remember", lambda stretch: remember(stretch)._replace(told=None))


def remember_one_word_too_early(patch, model):
    remember = model._remember

    def early(stretch):
        memory = remember(stretch)
        return memory._replace(entries=memory.entries.roll(1, 1))

    patch.setattr(model, "_remember", early)


def times_of_the_keys_in_the_values(patch, model):
    remember = model._remember

    def mixed(stretch):
        memory = remember(stretch)
        return memory._replace(value_times=memory.key_times)

    patch.setattr(model, "_remember", mixed)


FAULTS = [
    oldest_word_first_in_time,
    another_first_state,
    a_relu_on_all_units,
    no_relu_at_all,
    a_relu_on_the_other_half,
    leave_out_the_matrix,
    transpose_the_matrix,
    swap_keys_and_values,
    read_where_nothing_is,
    remember_one_word_too_early,
    times_of_the_keys_in_the_values,
]


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_planted_fault_is_caught(fault, way, monkeypatch):
    model, given = build(way), texts(way)
    logits, read_at = by_loops(arrays(model), way, MEMORY, HOPS, LINEAR, *given)
    np.testing.assert_allclose(model(*given).logits.detach().numpy(), logits, rtol=1e-10)
    fault(monkeypatch, model)
    found = model(*given)
    weights = np.stack([hop.weights.detach().numpy() for hop in found.hops])
    assert not (
        np.allclose(found.logits.detach().numpy(), logits) and np.allclose(weights, read_at)
    )
