"""KV-MemNN against the paper's loops, by hand, and in the cases where a bag or a row is empty."""

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from memnets.memories.keyvalue import KeyValues, Ragged, read_all, read_candidates
from memnets.models.kv_memnn import KVMemNN
from memnets.reference import kv_memnn as reference

VOCAB, DIM, HOPS = 13, 3, 2
QUESTIONS = [(1, 2, 5), (3, 4), (6,), (), (1, 1, 7)]
KEYS = [(1, 2), (3, 2), (1, 4), (5,), (), (3, 4, 6), (2, 2)]
VALUES = [(7,), (8,), (9, 10), (7,), (11,), (), (10, 12, 9)]
CANDIDATES = [(0, 2, 3), (1, 4, 5, 6), (), (2,), (6, 0)]
ANSWERS = [(7,), (8,), (9, 10), (11,), (12,), (10,), (1, 7)]
SAID = [0, 4, 2, 6, 6]


def build(power=0.5, bias=True, own_answers=True):
    """Return a model with weights large enough for the softmax to be far from flat."""
    model = KVMemNN(VOCAB, DIM, HOPS, bias, own_answers, power).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.8)
    return model


def inputs(candidates=CANDIDATES):
    memory = KeyValues(Ragged.of(KEYS), Ragged.of(VALUES))
    return Ragged.of(QUESTIONS), memory, Ragged.of(candidates), Ragged.of(ANSWERS)


def weights_of(model):
    """Lay a copy of the weights out as the paper names them."""
    state = {name: tensor.clone().numpy() for name, tensor in model.state_dict().items()}
    return reference.Weights(
        state["table"],
        state.get("answer_table", state["table"]),
        [state[f"carry.{hop}.weight"] for hop in range(HOPS)],
        [state.get(f"carry.{hop}.bias", np.zeros(DIM)) for hop in range(HOPS)],
    )


def by_loops(weights, power=0.5):
    """Return the scores of each question, and what its hops read, one after the other."""
    scores, read_at = [], []
    for question, slots in zip(QUESTIONS, CANDIDATES, strict=True):
        keys, values = ([side[slot] for slot in slots] for side in (KEYS, VALUES))
        found, hops = reference.answer(question, keys, values, ANSWERS, weights, power)
        scores.append(found)
        read_at.append([p[: len(slots)] for p in hops])
    hops = [np.concatenate([read[hop] for read in read_at]) for hop in range(HOPS)]
    return np.array(scores), hops


def loss_by_loops(weights, power=0.5):
    scores, _ = by_loops(weights, power)
    everything = range(len(ANSWERS))
    return sum(
        reference.loss(row, right, [c for c in everything if c != right])
        for row, right in zip(scores, SAID, strict=True)
    )


def full_loss(model, arrays):
    """Return the loss with all answers drawn."""
    *asked, answers = arrays
    said = torch.tensor(SAID)
    spared = said[:, None] == torch.arange(len(ANSWERS))
    return model.loss(*asked, answers.take(said), answers, spared)


def compare(model, arrays, power=0.5):
    reply = model(*arrays)
    scores, hops = by_loops(weights_of(model), power)
    np.testing.assert_allclose(reply.logits.detach().numpy(), scores, rtol=1e-10, atol=1e-12)
    for readout, expected in zip(reply.hops, hops, strict=True):
        np.testing.assert_allclose(readout.weights.detach().numpy(), expected, rtol=1e-10)


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(0)


@pytest.mark.parametrize("power", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("own_answers", [True, False])
def test_it_is_the_papers_equations(power, bias, own_answers):
    compare(build(power, bias, own_answers), inputs(), power)


def test_the_loss_is_the_loops():
    model = build()
    np.testing.assert_allclose(
        full_loss(model, inputs()).item(), loss_by_loops(weights_of(model)), rtol=1e-10
    )


def test_gradients_are_central_differences_of_the_loops():
    model = build(own_answers=True)
    full_loss(model, inputs()).backward()
    weights, step = weights_of(model), 1e-6
    gradients = [model.table.grad, model.answer_table.grad]
    gradients += [carry.weight.grad for carry in model.carry]
    gradients += [carry.bias.grad for carry in model.carry]
    arrays = [weights.A, weights.B, *weights.R, *weights.b]
    for found, of in zip(gradients, arrays, strict=True):
        expected = np.zeros_like(of)
        for place in np.ndindex(of.shape):
            kept, sides = of[place], []
            for sign in (1, -1):
                of[place] = kept + sign * step
                sides.append(loss_by_loops(weights))
            of[place] = kept
            expected[place] = (sides[0] - sides[1]) / (2 * step)
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6, atol=1e-8)


def test_sparse_gradients_are_the_dense_ones():
    model, other = build(), KVMemNN(VOCAB, DIM, HOPS, own_answers=True, sparse=True).double()
    other.load_state_dict(model.state_dict())
    for one in (model, other):
        full_loss(one, inputs()).backward()
    for name in ("table", "answer_table"):
        sparse = getattr(other, name).grad
        assert sparse.is_sparse
        assert_close(sparse.to_dense(), getattr(model, name).grad)


def test_by_hand():
    model = KVMemNN(vocab=5, dim=1, hops=1, power=0.0)
    with torch.no_grad():
        model.table.copy_(torch.tensor([[0.0], [2.0], [0.5], [3.0], [1.0]]))
        model.carry[0].weight.fill_(2.0)
        model.carry[0].bias.fill_(-1.0)
    memory = KeyValues(Ragged.of([(1,), (2, 2)]), Ragged.of([(3,), (4,)]))
    reply = model(Ragged.of([(4,)]), memory, Ragged.of([(0, 1)]), Ragged.of([(3,), (4,)]))
    # q = 1, keys 2 and 1: softmax(2, 1) = .731059, .268941; o = 3 * .731059 + .268941 = 2.462117
    assert_close(reply.hops[0].weights, torch.tensor([0.731059, 0.268941]), rtol=0, atol=1e-6)
    state = 2 * (1 + 2.462117) - 1
    assert_close(reply.logits, torch.tensor([[3 * state, state]]), rtol=0, atol=1e-5)


# Each is a fault that could be made in the model; the oracle must see it.


def the_wrong_hop(model):
    model.carry = torch.nn.ModuleList(reversed(model.carry))


def answers_by_the_other_table(model):
    model.answer_table, model.table = model.table, model.answer_table


def another_power(model):
    model.power = 1.0


def no_bias(model):
    model.carry[1].bias.data.zero_()


def a_turned_matrix(model):
    model.carry[1].weight.data = model.carry[1].weight.data.T.clone()


@pytest.mark.parametrize(
    "plant", [the_wrong_hop, answers_by_the_other_table, another_power, no_bias, a_turned_matrix]
)
def test_a_planted_fault_is_caught(plant):
    model = build()
    weights = weights_of(model)
    plant(model)
    scores, _ = by_loops(weights)
    with torch.no_grad(), pytest.raises(AssertionError):
        np.testing.assert_allclose(model(*inputs()).logits.numpy(), scores, rtol=1e-6)


def test_a_softmax_over_all_slots_is_caught():
    model = build()
    everything = inputs([range(len(KEYS))] * len(QUESTIONS))
    with torch.no_grad(), pytest.raises(AssertionError):
        np.testing.assert_allclose(
            model(*everything).logits.numpy(), by_loops(weights_of(model))[0], rtol=1e-6
        )


def test_all_slots_are_read_as_a_plain_softmax_would():
    model = build()
    questions, memory, everything, answers = inputs([range(len(KEYS))] * len(QUESTIONS))
    hashed = model(questions, memory, everything, answers)
    keys, values, state = (model.embed(bags) for bags in (*memory, questions))
    for carry in model.carry:
        state = carry(state + (state @ keys.mT).softmax(-1) @ values)
    assert_close(hashed.logits, state @ model.embed_answers(answers).mT)


def test_slots_that_are_no_candidates_do_not_matter():
    model = build()
    questions, memory, candidates, answers = inputs()
    more = KeyValues(Ragged.of([*KEYS, (1, 2), (3,)]), Ragged.of([*VALUES, (9,), (8,)]))
    one = model(questions, memory, candidates, answers)
    assert torch.equal(one.logits, model(questions, more, candidates, answers).logits)


def test_questions_do_not_know_of_each_other():
    model, (questions, memory, candidates, answers) = build(), inputs()
    together = model(questions, memory, candidates, answers).logits
    for number in range(len(QUESTIONS)):
        rows = torch.tensor([number])
        alone = model(questions.take(rows), memory, candidates.take(rows), answers).logits
        assert_close(alone[0], together[number])


def test_a_question_without_candidates_reads_a_null_slot():
    model = build()
    questions, memory, _, answers = inputs()
    nothing = Ragged.of([()] * len(QUESTIONS))
    reply = model(questions, memory, nothing, answers)
    assert reply.logits.isfinite().all()
    assert all(not readout.value.any() and not len(readout.weights) for readout in reply.hops)
    loss = full_loss(model, (questions, memory, nothing, answers))
    loss.backward()
    assert all(parameter.grad.isfinite().all() for parameter in model.parameters())


def test_the_loss_counts_only_what_was_drawn_and_is_not_right():
    model = build()
    questions, memory, candidates, answers = inputs()
    said, drawn = torch.tensor(SAID), torch.tensor([5, 0, 2])
    spared = torch.tensor([[False, True, True]] * len(QUESTIONS))  # 0 and 2 are right as well
    right, others = answers.take(said), answers.take(drawn)
    found = model.loss(questions, memory, candidates, right, others, spared)
    scores, _ = by_loops(weights_of(model))
    expected = sum(reference.loss(row, y, [5]) for row, y in zip(scores, SAID, strict=True))
    np.testing.assert_allclose(found.item(), expected, rtol=1e-10)


def test_the_weights_of_a_question_sum_to_one():
    candidates = Ragged.of(CANDIDATES)
    keys = torch.randn(len(candidates.items), DIM).double()
    read = read_candidates(torch.randn(5, DIM).double() * 50, keys, keys, candidates)
    sums = torch.zeros(5).double().index_add(0, candidates.owners(), read.weights)
    assert_close(sums, torch.tensor([1.0, 1, 0, 1, 1]).double())


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_one_question_reads_all_slots_as_any_reads_its_own_to_the_last_bit(dtype):
    query, keys, values = (torch.randn(rows, 64).to(dtype) * 0.3 for rows in (1, 80, 80))
    expected = read_candidates(query, keys, values, Ragged.of([range(80)]))
    value, weights = read_all(query[0], keys, values)
    assert torch.equal(value, expected.value[0])
    assert torch.equal(weights, expected.weights)


@pytest.mark.parametrize("own_answers", [True, False])
def test_one_question_is_answered_as_among_others(own_answers):
    model, everything = build(own_answers=own_answers), [range(len(KEYS))] * len(QUESTIONS)
    questions, memory, candidates, _ = inputs(everything)
    scores, hops = model(questions, memory, candidates, memory.values)
    for row, question in enumerate(QUESTIONS):
        found, read = model.read_one(question, KEYS, VALUES)
        assert_close(found, scores[row])
        assert_close(read, torch.stack([hop.weights.view(-1, len(KEYS))[row] for hop in hops]))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"vocab": 0}, r"KVMemNN\(vocab=0\): expected at least 1"),
        ({"vocab": 3, "dim": 0}, r"KVMemNN\(dim=0\): expected at least 1"),
        ({"vocab": 3, "hops": 0}, r"KVMemNN\(hops=0\): expected at least 1"),
        ({"vocab": 3, "power": 1.5}, r"KVMemNN\(power=1.5\): expected a power from 0 to 1"),
    ],
)
def test_sizes_that_make_no_model_are_refused(arguments, text):
    with pytest.raises(ValueError, match=text):
        KVMemNN(**arguments)


def test_words_begin_with_the_length_that_is_asked_for():
    table = KVMemNN(1009, 25, 1, length=0.5).table.detach()
    torch.testing.assert_close(table.square().sum(1).mean(), torch.tensor(0.25), rtol=0.1, atol=0)


def test_it_learns_four_questions():
    memory = KeyValues(
        Ragged.of([(1, 5), (1, 6), (2, 5), (2, 6)]), Ragged.of([(7,), (8,), (9,), (10,)])
    )
    questions = Ragged.of([(1, 3), (1, 4), (2, 3), (2, 4)])
    candidates = Ragged.of([(0, 1), (0, 1), (2, 3), (2, 3)])
    answers = Ragged.of([(word,) for word in range(7, 11)])
    model = KVMemNN(vocab=11, dim=17, hops=2)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    said = torch.arange(4)
    for _ in range(60):
        optimizer.zero_grad()
        spared = torch.eye(4, dtype=torch.bool)
        model.loss(questions, memory, candidates, answers.take(said), answers, spared).backward()
        optimizer.step()
    assert torch.equal(model(questions, memory, candidates, answers).logits.argmax(-1), said)
