"""The loops themselves, by hand: an oracle that errs would make everything else err with it."""

import numpy as np
import pytest

from memnets.reference import attention, memn2n

KEYS = np.array([[1.0, 2.0], [0.0, -1.0], [3.0, 0.5]])
EVERYTHING = np.ones(3, dtype=bool)


def test_dot_and_scaled_dot():
    query = np.array([2.0, 1.0])
    assert attention.dot(query, KEYS).tolist() == [4.0, -1.0, 6.5]
    np.testing.assert_allclose(
        attention.scaled_dot(query, KEYS), np.array([4.0, -1.0, 6.5]) / 1.4142135623730951
    )


def test_softmax():
    weights = attention.softmax(np.array([-2.0, 0.0, 0.5]), EVERYTHING)
    np.testing.assert_allclose(weights, [0.0486, 0.3592, 0.5922], atol=5e-5)
    masked = attention.softmax(np.array([-2.0, 0.0, 0.0]), np.array([False, True, True]))
    assert masked.tolist() == [0.0, 0.5, 0.5]
    assert not attention.softmax(np.array([1.0, 2.0, 3.0]), ~EVERYTHING).any()


def test_identity_and_read():
    weights = attention.identity(np.array([2.0, -1.0, 5.0]), np.array([True, True, False]))
    assert weights.tolist() == [2.0, -1.0, 0.0]
    assert attention.read(weights, KEYS).tolist() == [2.0, 5.0]


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        # J = 2, d = 2, rows j, columns k
        (memn2n.position, [[0.5, 0.5], [0.5, 1.0]]),
        (memn2n.centred_position, [[1.25, 0.75], [0.75, 1.25]]),
        (memn2n.bag, [[1.0, 1.0], [1.0, 1.0]]),
    ],
)
def test_positions(place, expected):
    assert [[place(j, k, 2, 2) for k in (1, 2)] for j in (1, 2)] == expected


def test_a_sentence_with_its_time_word_in_the_last_place():
    table = np.array([[9.0, 9.0], [1.0, 2.0], [4.0, 8.0]])  # nil, a word, time 1
    sizes = memn2n.Sizes(words=2, said=1, first_time_word=2)
    plain = memn2n.sentence([1], None, table, sizes, memn2n.position)
    assert plain.tolist() == [0.5, 1.0]
    timed = memn2n.sentence([1], 2, table, sizes, memn2n.position)
    assert timed.tolist() == [0.5 + 2.0, 1.0 + 8.0]


def test_nil_stands_where_no_word_does():
    table = np.array([[9.0, 9.0], [1.0, 2.0], [4.0, 8.0]])
    sizes = memn2n.Sizes(words=2, said=1, first_time_word=2)
    empty = memn2n.sentence([], 0, table, sizes, memn2n.position)
    assert empty.tolist() == [0.5 * 9 + 0.5 * 9, 0.5 * 9 + 1.0 * 9]


def test_two_hops_by_hand_in_a_linear_start():
    # One dimension: u = 1, m = (1, 2), c = (3, -1).
    A, C = np.array([[0.0], [1.0], [2.0]]), np.array([[0.0], [3.0], [-1.0]])  # noqa: N806
    sizes = memn2n.Sizes(words=1, said=1, first_time_word=None)
    weights = memn2n.Weights([A, A], [C, C], A, C, np.array([[0.5]]))
    logits, read_at = memn2n.answer(
        [[1], [2]], [2, 1], [1], weights, sizes, memn2n.bag, align=attention.identity
    )
    # hop 1: p = (1, 2), o = 1, u = 0.5 + 1; hop 2: p = (1.5, 3), o = 1.5, u = 0.75 + 1.5
    assert [p.tolist() for p in read_at] == [[1.0, 2.0], [1.5, 3.0]]
    assert logits.tolist() == [0.0, 6.75, -2.25]


def test_the_activation_comes_after_the_sum():
    A, C = np.array([[0.0], [1.0], [2.0]]), np.array([[0.0], [-3.0], [-1.0]])  # noqa: N806
    sizes = memn2n.Sizes(words=1, said=1, first_time_word=None)
    weights = memn2n.Weights([A], [C], A, A)
    logits, _ = memn2n.answer(
        [[1]], [1], [1], weights, sizes, memn2n.bag, activation=lambda u: np.maximum(u, 0.0)
    )
    assert logits.tolist() == [0.0, 0.0, 0.0]  # u = 1 - 3, cut to 0
