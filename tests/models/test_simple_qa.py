"""Simple QA: the equations by loops, by hand, and what must hold of them."""

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from memnets.models import simple_qa
from memnets.models.simple_qa import NEVER, NO_FACT, Bags, Rivals, SimpleQA, ensemble
from memnets.reference import simple_qa as reference
from memnets.testing import check_model

WORDS, ENTITIES, RELATIONS, DIM = 13, 11, 5, 7
SYMBOLS = ENTITIES + RELATIONS
QUESTIONS = [[1, 2, 3], [4, 5, 5, 12], []]
FACTS = [(0, 11, [1]), (2, 12, [3, 4, 5]), (6, 13, [7, 8]), (9, 15, [10]), (0, 12, [3])]
STRINGS = [([1, 6, 7], [2, 3]), ([8, 9, 9], []), ([3], [10])]


def bags(lists):
    """Make bags of (feature, weight) pairs."""
    width = max(map(len, lists))
    filled = [[*pairs, *[(0, 0.0)] * (width - len(pairs))] for pairs in lists]
    return Bags(
        torch.tensor([[feature for feature, _ in pairs] for pairs in filled]),
        torch.tensor([[weight for _, weight in pairs] for pairs in filled], dtype=torch.float64),
    )


def asked():
    return bags([[(word, 1.0) for word in words] for words in QUESTIONS])


def known():
    return bags(
        [
            [(WORDS + s, 1.0), (WORDS + r, 1.0), *((WORDS + o, 1 / len(objects)) for o in objects)]
            for s, r, objects in FACTS
        ]
    )


def in_strings():
    return bags(
        [
            [*((word, 1.0) for word in words), *((WORDS + symbol, 1.0) for symbol in symbols)]
            for words, symbols in STRINGS
        ]
    )


@pytest.fixture
def model():
    torch.manual_seed(0)
    return SimpleQA(WORDS, SYMBOLS, ENTITIES, DIM).double()


@pytest.fixture
def matrices(model):
    return [w.detach().numpy().T for w in (model.word_weight, model.symbol_weight)]


def all_candidates(count):
    return torch.arange(count).repeat(len(QUESTIONS), 1)


def test_conforms():
    questions, facts, candidates = simple_qa.example()[1]
    spare = torch.full((2, 3), NO_FACT)
    wide = Bags(*(torch.nn.functional.pad(part, (0, 2)) for part in questions))
    model, _ = simple_qa.example()
    torch.manual_seed(0)
    model.reset_parameters()
    plain = model(questions, facts, candidates).slot
    padded = model(wide, facts, torch.cat([candidates, spare], 1)).slot
    assert torch.equal(plain, padded)
    check_model(simple_qa)


def test_scores_are_the_papers(model, matrices):
    scores = model(asked(), known(), all_candidates(len(FACTS))).scores.detach().numpy()
    for number, words in enumerate(QUESTIONS):
        for slot, fact in enumerate(FACTS):
            expected = reference.s_qa(
                *matrices, reference.g(words, WORDS), reference.f(*fact, SYMBOLS)
            )
            np.testing.assert_allclose(scores[number, slot], expected, rtol=1e-10, atol=1e-14)


def test_facts_in_strings_are_scored_by_both_matrices_in_one(model, matrices):
    scores = model(asked(), in_strings(), all_candidates(len(STRINGS))).scores.detach().numpy()
    for number, words in enumerate(QUESTIONS):
        for slot, (said, symbols) in enumerate(STRINGS):
            fact = reference.h(said, symbols, WORDS, SYMBOLS)
            expected = reference.s_rvb(*matrices, reference.g(words, WORDS), fact)
            np.testing.assert_allclose(scores[number, slot], expected, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("fault", ["whole objects", "no length", "symbols as words"])
def test_the_oracle_catches_faults(model, matrices, fault):
    """A planted fault changes the score by far more than the tolerance."""
    words, fact = QUESTIONS[0], FACTS[1]
    question = reference.g(words, WORDS)
    right = float(model(asked(), known(), all_candidates(5)).scores[0, 1].detach())
    if fault == "whole objects":
        features = reference.f(*fact, SYMBOLS)
        features[list(fact[2])] = 1
        wrong = reference.s_qa(*matrices, question, features)
    elif fault == "no length":
        w_v, w_s = matrices
        wrong = float(
            reference.embed(w_v, question) @ reference.embed(w_s, reference.f(*fact, SYMBOLS))
        )
    else:
        wrong = reference.s_rvb(
            *matrices, question, reference.h([fact[0], fact[1] % WORDS], [], WORDS, SYMBOLS)
        )
    assert abs(wrong - right) > 1e-3


def test_both_matrices_are_the_one(model):
    whole = model.weight.untyped_storage().data_ptr()
    assert model.word_weight.untyped_storage().data_ptr() == whole
    assert model.symbol_weight.untyped_storage().data_ptr() == whole
    assert len(list(model.parameters())) == 1
    with torch.no_grad():
        model.weight[WORDS] = 3.0
    assert (model.symbol_weight[0] == 3.0).all()


def test_loss_is_the_papers(model, matrices):
    right, own, strangers = [0, 2, 3], [[1, 2], [0, 4], [1, 2]], [4, 3]
    facts = known()
    rows = torch.tensor([slot for slots in own for slot in slots])
    pairs = zip(right, own, strict=True)
    counted = torch.tensor([[s != r for s in (*o, *strangers)] for r, o in pairs])
    rivals = Rivals(
        Bags(facts.features[rows], facts.weights[rows]),
        Bags(facts.features[strangers], facts.weights[strangers]),
        counted,
    )
    held = Bags(facts.features[right], facts.weights[right])
    loss, _ = model.loss(asked(), held, rivals, margin=0.3)
    expected = 0.0
    for words, r, o in zip(QUESTIONS, right, own, strict=True):
        question = reference.g(words, WORDS)
        scores = [
            reference.s_qa(*matrices, question, reference.f(*fact, SYMBOLS)) for fact in FACTS
        ]
        wrong = [scores[slot] for slot in (*o, *strangers) if slot != r]
        expected += reference.ranking_loss(scores[r], wrong, 0.3)
    np.testing.assert_allclose(float(loss.detach()), expected, rtol=1e-10)
    assert loss.requires_grad


def test_a_right_fact_that_is_only_as_good_as_a_rival_does_not_win(model):
    facts, right, no = known(), [0, 2, 3], torch.zeros(3, 2, dtype=torch.bool)
    own = Bags(facts.features[right], facts.weights[right])  # each its own rival
    strangers = Bags(facts.features[[4]], facts.weights[[4]])
    for counts, wins in ((True, 0), (False, 3)):
        counted = no.index_fill(1, torch.tensor([0]), counts)
        _, won = model.loss(asked(), own, Rivals(own, strangers, counted))
        assert int(won) == wins


def test_it_begins_with_vectors_of_length_one():
    weight = SimpleQA(900, 70, 30, 25).weight.detach()
    np.testing.assert_allclose(float(weight.square().sum(1).mean()), 1.0, rtol=0.1)


def test_gradients_of_the_loss_are_right(model):
    facts, right = known(), [0, 2, 3]
    rivals = Rivals(
        Bags(facts.features[[1, 4, 1]], facts.weights[[1, 4, 1]]),
        Bags(facts.features[[4]], facts.weights[[4]]),
        torch.ones(3, 2, dtype=torch.bool),
    )
    held = Bags(facts.features[right], facts.weights[right])
    plain, _ = model.loss(asked(), held, rivals, margin=0.7)
    plain.backward()
    dense = model.weight.grad.clone()
    step = 1e-6
    for row, column in ((1, 0), (12, 3), (WORDS, 2), (WORDS + 12, 6)):
        values = []
        for sign in (1, -1):
            with torch.no_grad():
                model.weight[row, column] += sign * step
                values.append(float(model.loss(asked(), held, rivals, margin=0.7)[0]))
                model.weight[row, column] -= sign * step
        slope = (values[0] - values[1]) / (2 * step)
        np.testing.assert_allclose(float(dense[row, column]), slope, rtol=1e-6, atol=1e-8)


def test_sparse_gradients_are_the_same(model):
    twin = SimpleQA(WORDS, SYMBOLS, ENTITIES, DIM, sparse=True).double()
    twin.load_state_dict(model.state_dict())
    with torch.sparse.check_sparse_tensor_invariants():
        for one in (model, twin):
            one(asked(), known(), all_candidates(5)).scores.square().sum().backward()
    assert twin.weight.grad.is_sparse
    assert_close(twin.weight.grad.to_dense()[1:], model.weight.grad[1:])


def test_cosine_by_hand():
    model = SimpleQA(words=3, symbols=2, entities=1, dim=2)
    with torch.no_grad():
        model.weight[1:] = torch.tensor([[1.0, 0.0], [0.0, 2.0], [0.6, 0.8], [-3.0, 0.0]])
    facts = Bags(torch.tensor([[3], [4]]), torch.ones(2, 1))
    found = model(Bags(torch.tensor([[1]]), torch.ones(1, 1)), facts, torch.tensor([[0, 1]]))
    assert_close(found.scores, torch.tensor([[0.6, -1.0]]))
    assert found.slot.tolist() == [0]


def test_cosine_knows_no_length(model):
    short = known()
    long = Bags(short.features, short.weights * 17)
    scores = [model(asked(), facts, all_candidates(5)).scores for facts in (short, long)]
    assert_close(*scores, rtol=1e-12, atol=1e-12)
    same = model(asked(), asked(), torch.tensor([[0], [1], [2]])).scores
    assert_close(same, torch.tensor([[1.0], [1.0], [0.0]], dtype=torch.float64))


def test_objects_share_one():
    assert reference.f(0, 11, [3, 4, 5], SYMBOLS)[3:6].sum() == pytest.approx(1)
    assert known().weights[1, 2:5].sum() == pytest.approx(1)


def test_a_question_without_candidates_finds_nothing(model):
    none = torch.full((3, 2), NO_FACT)
    found = model(asked(), known(), none)
    assert found.slot.tolist() == [-1, -1, -1]
    assert (found.scores == NEVER).all()
    assert model(asked(), known(), none[:, :0]).slot.tolist() == [-1, -1, -1]


def test_only_entities_are_shortened(model):
    with torch.no_grad():
        model.weight.mul_(3.0)
        model.symbol_weight[:2].mul_(0.1)  # shorter than 1: they stay as they are
    expected = reference.renormalised(model.symbol_weight.detach().numpy().T, ENTITIES)
    words = model.word_weight.detach().clone()
    model.renormalise()
    np.testing.assert_allclose(model.symbol_weight.detach().numpy().T, expected, rtol=1e-12)
    assert torch.equal(model.word_weight, words)
    lengths = model.symbol_weight.norm(dim=-1)
    assert (lengths[:ENTITIES] <= 1 + 1e-12).all()
    assert (lengths[:2] < 0.9).all()
    assert (lengths[ENTITIES:] > 1).any()


def test_bags_are_no_wider_than_they_need_be():
    """The last column with a feature stays, holes before it too; of nothing one column is left."""
    few = bags([[(3, 1.0), (0, 0.0), (4, 0.5)], [(5, 1.0)], []])
    wide = Bags(*(torch.nn.functional.pad(part, (0, 2)) for part in few))
    for found in (wide.cut(), few.cut()):
        assert torch.equal(found.features, few.features)
        assert torch.equal(found.weights, few.weights)
    taken = wide.take(torch.tensor([1, 2, 1]))
    assert taken.features.tolist() == [[5], [0], [5]]
    assert taken.weights.tolist() == [[1.0], [0.0], [1.0]]
    assert wide.take(torch.tensor([2])).features.shape == (1, 1)
    nothing = Bags(torch.zeros(2, 0, dtype=torch.long), torch.zeros(2, 0)).cut()
    assert nothing.features.shape == nothing.weights.shape == (2, 0)


def test_symbols_begin_as_they_are_called_and_others_as_they_were(model):
    before = model.weight.detach().clone()
    called = [[(1, 1.0), (2, 2.0)], [], [(3, 1.0)], *[[]] * (SYMBOLS - 3)]
    model.begin_as_called(bags(called))
    expected = before[WORDS:].clone()
    for symbol, total in ((0, before[1] + 2 * before[2]), (2, before[3])):
        expected[symbol] = total / total.norm()
    assert_close(model.symbol_weight, expected)
    assert torch.equal(model.word_weight, before[:WORDS])


def test_it_begins_with_nil_at_zero_and_no_entity_longer_than_one(model):
    model.reset_parameters(torch.Generator().manual_seed(3))
    lengths = model.weight.detach().norm(dim=1)
    assert lengths[0] == 0
    assert (lengths[1:WORDS] > 1).any()
    assert (lengths[WORDS : WORDS + ENTITIES] <= 1 + 1e-12).all()
    assert (lengths[WORDS : WORDS + ENTITIES] == 1).sum() < ENTITIES


def test_of_equal_facts_the_first_is_found():
    tied = simple_qa.found(torch.tensor([[0.1, 0.5, 0.5], [NEVER, -1.0, NEVER]]))
    assert tied.slot.tolist() == [1, 1]  # the lowest cosine is still a fact


def test_a_fact_that_one_model_lacks_is_lacking_in_an_ensemble():
    """Its score stays `NEVER`, and what is the least of facts is still found before it."""
    few = torch.tensor([[NEVER, 0.5]])
    found = ensemble([few, torch.tensor([[NEVER, -0.9]]), torch.tensor([[NEVER, -0.9]])])
    assert found.scores.tolist() == [[NEVER, pytest.approx(-1.3)]]
    assert ensemble([few]).slot.tolist() == [1]


def test_the_sum_of_low_scores_is_theirs_though_it_be_below_that_of_no_fact():
    far = torch.tensor([[NEVER, -0.9, 0.25]])
    assert_close(ensemble([far, far, far]).scores, torch.tensor([[NEVER, -2.7, 0.75]]))
    assert ensemble([far[:, :2]] * 3).slot.tolist() == [1]
    assert ensemble([far[:, :0]] * 3).slot.tolist() == [-1]


def test_an_ensemble_sums_scores():
    one = torch.tensor([[0.9, 0.1, NEVER], [NEVER, NEVER, NEVER]])
    other = torch.tensor([[0.2, 0.8, NEVER], [NEVER, NEVER, NEVER]])
    third = torch.tensor([[0.1, 0.6, NEVER], [NEVER, NEVER, NEVER]])
    found = ensemble([one, other, third])
    assert found.slot.tolist() == [1, -1]
    summed = reference.summed([one[0].tolist(), other[0].tolist(), third[0].tolist()])
    assert_close(found.scores[0, :2], torch.tensor(summed[:2]))


def test_learns_what_it_is_told():
    torch.manual_seed(0)
    model = SimpleQA(WORDS, SYMBOLS, ENTITIES, DIM, sparse=True).double()
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.3)
    facts, right = known(), [3, 1]
    questions = Bags(*(part[:2] for part in asked()))
    held = Bags(facts.features[right], facts.weights[right])
    counted = torch.ones(2, 5, dtype=torch.bool)
    counted[[0, 1], right] = False
    none = Bags(torch.zeros(0, 1, dtype=torch.long), torch.zeros(0, 1, dtype=torch.float64))
    for _ in range(30):
        loss, hits = model.loss(questions, held, Rivals(none, facts, counted), margin=0.1)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        model.renormalise()
    assert int(hits) == 2
    assert model(questions, facts, all_candidates(5)[:2]).slot.tolist() == right


@pytest.mark.parametrize(
    ("sizes", "text"),
    [
        ({"words": 1}, r"SimpleQA\(words=1\): expected at least 2"),
        ({"symbols": 0}, r"SimpleQA\(symbols=0\): expected at least 1"),
        ({"entities": -1}, r"SimpleQA\(entities=-1\): expected at least 0"),
        ({"dim": 0}, r"SimpleQA\(dim=0\): expected at least 1"),
        ({"entities": 17}, r"SimpleQA\(entities=17\): expected at most 16, all symbols"),
    ],
)
def test_sizes_that_cannot_be_are_refused(sizes, text):
    with pytest.raises(ValueError, match=text):
        SimpleQA(**({"words": WORDS, "symbols": SYMBOLS, "entities": ENTITIES, "dim": DIM} | sizes))
