"""The five problems: what is shown and said, bit by bit, and the floor of the n-grams."""

import numpy as np
import pytest

from memnets.data.sequences import PROBLEMS, Copy, NGrams, PrioritySort, Recall, RepeatCopy

SIZES = {"copy": 3, "repeat-copy": 3, "associative-recall": 4, "n-grams": 20, "priority-sort": 5}


def drawn(problem, number=7, size=3, times=1, seed=0):
    return problem.draw(np.random.default_rng(seed), number, size, times)


@pytest.mark.parametrize("name", PROBLEMS)
def test_what_all_have_in_common(name):
    problem, size = PROBLEMS[name], SIZES[name]
    found, again = drawn(problem, size=size, times=2), drawn(problem, size=size, times=2)
    other = drawn(problem, size=size, times=2, seed=1)
    for one, same in zip(found, again, strict=True):
        np.testing.assert_array_equal(one, same)
    assert not np.array_equal(found.said, other.said)
    time = len(found.asked)
    assert found.shown.shape == (7, time, problem.shown)
    assert found.said.shape == (7, time, problem.said)
    assert set(np.unique(found.said)) == {0, 1}
    assert not found.said[:, ~found.asked].any()
    if name != "n-grams":
        assert not found.shown[:, found.asked].any()
    assert {found.shown.dtype, found.said.dtype} == {np.dtype(np.float32)}


def test_copy():
    shown, said, asked = drawn(Copy())
    np.testing.assert_array_equal(shown[:, :3, :8], said[:, 4:])
    assert shown[..., 8].tolist() == [[0, 0, 0, 1, 0, 0, 0]] * 7
    assert asked.tolist() == [False] * 4 + [True] * 3


def test_repeat_copy():
    shown, said, asked = drawn(RepeatCopy(), times=2)
    for time in range(2):
        first = 5 + 3 * time
        np.testing.assert_array_equal(said[:, first : first + 3, :8], shown[:, :3, :8])
    assert said[..., 8].tolist() == [[0] * 11 + [1]] * 7
    assert not said[:, -1, :8].any()
    assert shown[0, 3, 8] == 1
    assert shown[..., 8].sum() == 7
    assert shown[0, 4, 9] == pytest.approx((2 - 5.5) / 8.25**0.5)
    assert asked.sum() == 7
    shares = [drawn(RepeatCopy(), 1, 1, times).shown[0, 2, 9] for times in range(1, 11)]
    assert np.mean(shares) == pytest.approx(0, abs=1e-6)
    assert np.var(shares) == pytest.approx(1)


def test_associative_recall():
    shown, said, asked = drawn(Recall(), 50, 4)
    assert shown[0, :, 6].nonzero()[0].tolist() == [0, 4, 8, 12]
    assert shown[0, :, 7].nonzero()[0].tolist() == [16, 20]
    assert asked.nonzero()[0].tolist() == [21, 22, 23]
    found = set()
    for row in range(50):
        items = [shown[row, 4 * place + 1 : 4 * place + 4, :6] for place in range(4)]
        place = [np.array_equal(item, shown[row, 17:20, :6]) for item in items].index(True)
        np.testing.assert_array_equal(said[row, 21:], items[place + 1])
        found.add(place)
    assert found == {0, 1, 2}


def test_n_grams_show_the_bit_before():
    shown, said, _ = drawn(NGrams(), 50, 20)
    np.testing.assert_array_equal(shown[:, 1:, 0], said[:, :-1, 0])
    assert shown[..., 1].tolist() == [[1] + [0] * 19] * 50
    assert not shown[:, 0, 0].any()


def test_the_floor_of_n_grams_is_that_of_the_reference():
    """132.3 bits for 200 of them, of which 5 are the first bits'; even bits cost one each."""
    found = drawn(NGrams(), 4000, 200)
    assert NGrams().floor(found) == pytest.approx(132.3, abs=1.0)
    even = found._replace(said=drawn(Copy(), 4000, 200).said[:, 201:, :1])
    assert NGrams().floor(even) > 200
    assert Copy().floor(drawn(Copy())) is None


def test_priority_sort():
    shown, said, asked = drawn(PrioritySort(), size=20)
    assert asked.sum() == 16
    assert shown[:, 20, 9].all()
    assert np.abs(shown[:, :20, 8]).max() <= 1
    for row in range(7):
        order = sorted(range(20), key=lambda place: -shown[row, place, 8])[:16]
        np.testing.assert_array_equal(said[row, 21:], shown[row, order, :8])
