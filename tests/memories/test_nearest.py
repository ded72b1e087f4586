"""Nearest keys: exact whatever the data, in order, and in part of the keys with faiss."""

import builtins

import pytest
import torch

from memnets.memories import nearest
from memnets.memories.nearest import exact, inverted
from memnets.ops import native


def brute(keys, queries, most):
    scores = queries.double() @ keys.double().T
    return scores.sort(dim=1, descending=True, stable=True).indices[:, :most]


@pytest.fixture(autouse=True, params=["four bits", "halves"])
def way(request, monkeypatch):
    """Both kinds of coarse keys."""
    monkeypatch.setenv("MEMNETS_PLAIN", str(int(request.param == "halves")))
    if request.param == "four bits" and not native.available():
        pytest.skip("there is no compiler")
    return request.param


@pytest.fixture
def multiplied(monkeypatch):
    """How many keys are multiplied in float32, query by query, after the most likely ones."""
    counts = []
    best = nearest._best

    def counting(scores, places, most):
        counts.append(len(places))
        return best(scores, places, most)

    monkeypatch.setattr(nearest, "_best", counting)
    return counts


def unit(*shape, seed=0):
    vectors = torch.randn(*shape, generator=torch.Generator().manual_seed(seed))
    return vectors / vectors.norm(dim=-1, keepdim=True)


def test_unclustered_keys_are_found_exactly(multiplied):
    keys, queries = unit(20_011, 64), unit(37, 64, seed=1)
    found = exact(keys)(queries, 7)
    assert torch.equal(found.places, brute(keys, queries, 7))
    torch.testing.assert_close(found.scores, (queries @ keys.T).topk(7).values)
    assert len(multiplied) == 37
    assert max(multiplied) < 1_000  # of most keys the bounds are proof enough


def test_keys_closer_than_the_bounds_tell_are_found_exactly(multiplied):
    """All lie within a hundredth of one another: nothing can be proved, all is multiplied."""
    keys = unit(1, 67) + 1e-3 * unit(5_003, 67, seed=1)
    queries = unit(5, 67) + 0.1 * unit(5, 67, seed=2)
    assert torch.equal(exact(keys)(queries, 11).places, brute(keys, queries, 11))
    assert len(multiplied) == 5


def test_keys_of_very_unlike_lengths_are_found_exactly():
    keys = unit(4_003, 33) * 10.0 ** torch.randint(-6, 7, (4_003, 1))
    queries = unit(5, 33, seed=1) * 1e-3
    assert torch.equal(exact(keys)(queries, 9).places, brute(keys, queries, 9))


@pytest.mark.parametrize("size", [1e-38, 1e-22, 1e22, 1e38])
def test_queries_of_any_length_find_exactly(size):
    """The squares of such numbers are 0, or infinite, in float32: no bound may come from them."""
    keys, queries = unit(4_003, 33), (unit(5, 33, seed=1) * size).requires_grad_()
    found = exact(keys)(queries, 9)
    assert torch.equal(found.places, brute(keys, queries, 9))
    scores = (queries.double() @ keys.double().T).topk(9).values.float()
    torch.testing.assert_close(found.scores, scores.detach(), rtol=1e-5, atol=0)


@pytest.mark.parametrize("size", [1e-30, 1e15])
def test_keys_of_any_length_are_found_exactly(size):
    keys, queries = unit(4_003, 33) * size, unit(5, 33, seed=1)
    assert torch.equal(exact(keys)(queries, 9).places, brute(keys, queries, 9))


def test_of_equal_keys_the_first_come_first():
    keys = torch.randint(-1, 2, (3_001, 5), generator=torch.Generator().manual_seed(0)).float()
    queries = torch.randint(-3, 4, (13, 5), generator=torch.Generator().manual_seed(1)).float()
    assert torch.equal(exact(keys)(queries, 17).places, brute(keys, queries, 17))


def test_of_keys_of_zeros_the_first_come_first():
    queries = torch.cat((unit(31, 67), -unit(31, 67), torch.zeros(1, 67)))
    found = exact(torch.zeros(1_001, 67))(queries, 5)
    assert (found.places == torch.arange(5)).all()


@pytest.mark.parametrize("count", [1, 2, 67, 2_560, 2_563])
def test_any_number_of_keys(count):
    keys, queries = -unit(count, 3).abs(), unit(3, 3, seed=1).abs()
    most = min(count, 5)  # all products are below zero, as padding must not be
    assert torch.equal(exact(keys)(queries, most).places, brute(keys, queries, most))


def test_queries_go_in_parts(monkeypatch):
    keys, queries = unit(3_001, 5), unit(11, 5, seed=1)
    whole = exact(keys)(queries, 3)
    monkeypatch.setattr(nearest, "QUERIES", 2)
    assert torch.equal(exact(keys)(queries, 3).places, whole.places)


def test_changed_keys_need_a_new_search_and_gradients_stay_with_the_caller():
    keys = unit(101, 5).requires_grad_()
    found = exact(keys)(unit(2, 5, seed=1), 3)
    assert not found.scores.requires_grad
    (keys[found.places] @ torch.ones(5)).sum().backward()
    assert keys.grad is not None


@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (5,), (2, 3, 5)])
def test_keys_must_be_rows(shape):
    text = r"keys of shape \(.*\): expected \(key, dim\), one key of one number at least"
    with pytest.raises(ValueError, match=text):
        exact(torch.zeros(shape))


@pytest.mark.parametrize("wrong", [torch.nan, torch.inf, -torch.inf])
def test_keys_must_be_finite(wrong):
    keys = torch.zeros(5, 3)
    keys[3, 1] = keys[4, 0] = wrong
    with pytest.raises(ValueError, match="key 3 holds NaN or infinity; expected finite numbers"):
        exact(keys)


def test_keys_whose_sum_overflows_are_finite_all_the_same():
    keys = torch.full((5, 3), 3e38)
    keys[3] = -keys[3]
    found = exact(keys)(torch.tensor([[1e-3, 0, 0]]), 4)
    assert found.places.tolist() == [[0, 1, 2, 4]]
    assert found.scores.isfinite().all()


def test_keys_may_be_a_view_of_others():
    """Every other column of a wider matrix, turned: nothing lies where it would be looked for."""
    keys, queries = unit(10, 4_001).mT[:, ::2], unit(3, 5, seed=1)
    assert torch.equal(exact(keys)(queries, 5).places, brute(keys, queries, 5))


def test_no_queries_find_nothing():
    found = exact(unit(101, 5))(torch.zeros(0, 5), 3)
    assert (found.scores.shape, found.places.shape) == ((0, 3), (0, 3))
    assert (found.scores.dtype, found.places.dtype) == (torch.float32, torch.int64)


def test_queries_must_be_finite():
    with pytest.raises(ValueError, match="a query holds NaN or infinity; expected finite numbers"):
        exact(torch.zeros(5, 3))(torch.full((1, 3), torch.nan), 1)


@pytest.mark.parametrize(("shape", "most"), [((2, 4), 1), ((5,), 1), ((2, 5), 0), ((2, 5), 4)])
def test_queries_must_fit_the_keys(shape, most):
    text = rf"queries of shape \(.*\), most={most}: expected \(query, 5\) and 1 to 3 keys"
    with pytest.raises(ValueError, match=text):
        exact(torch.zeros(3, 5))(torch.zeros(shape), most)


@pytest.fixture
def faiss():
    return pytest.importorskip("faiss", reason="faiss is not installed: pip install memnets[ann]")


def test_lists_find_nearly_all_behind_the_same_call(faiss):
    keys, queries = unit(4_001, 17), unit(29, 17, seed=1)
    truth = brute(keys, queries, 5)
    every = inverted(keys, lists=13, probes=13)(queries, 5)
    assert torch.equal(every.places, truth)
    some = inverted(keys, probes=31)(queries, 5)
    recall = (some.places[:, :, None] == truth[:, None]).any(1).float().mean()
    assert recall > 0.8
    chosen = torch.einsum("qd,qmd->qm", queries, keys[some.places])
    torch.testing.assert_close(some.scores, chosen)


def test_lists_that_hold_too_few_say_so(faiss):
    found = inverted(torch.eye(5), lists=5, probes=1)(torch.eye(5)[:2], 2)
    assert found.places.tolist() == [[0, -1], [1, -1]]
    assert found.scores[:, 1].tolist() == [-torch.inf, -torch.inf]


def test_more_lists_than_keys_are_refused(faiss):
    with pytest.raises(ValueError, match=r"inverted\(lists=7\): 5 keys; expected 1 to 5 lists"):
        inverted(torch.eye(5), lists=7)


def test_without_faiss_it_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def without(name, *arguments):
        if name == "faiss":
            raise ModuleNotFoundError("No module named 'faiss'", name="faiss")
        return real(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ModuleNotFoundError, match=r"faiss is not installed.*memnets\[ann\]"):
        inverted(torch.eye(5))


def test_keys_are_parted_into_the_root_of_their_number_of_lists(faiss, monkeypatch):
    """Where nobody says how many; and as many of these are looked at as are asked for."""
    made, build = [], faiss.IndexIVFFlat
    monkeypatch.setattr(
        faiss, "IndexIVFFlat", lambda *given: made.append(build(*given)) or made[-1]
    )
    inverted(unit(50, 3))
    inverted(torch.ones(1, 3), probes=2)
    inverted(unit(50, 3), lists=50)
    assert [index.nlist for index in made] == [7, 1, 50]
    assert [index.nprobe for index in made] == [16, 2, 16]
