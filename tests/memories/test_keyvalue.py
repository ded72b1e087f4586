"""Ragged rows: laid end to end, taken in any order, and a softmax of each."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from memnets.memories.keyvalue import KeyValues, Ragged, softmax_by_row

ROWS = st.lists(st.lists(st.integers(0, 97), max_size=7), min_size=1, max_size=11)


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, seed=st.integers(0, 1000))
def test_rows_are_taken_as_from_a_list(rows, seed):
    ragged = Ragged.of(rows)
    chosen = np.random.default_rng(seed).integers(0, len(rows), 13)
    taken = ragged.take(torch.from_numpy(chosen))
    assert [taken.row(number) for number in range(13)] == [rows[number] for number in chosen]
    assert [ragged.row(number) for number in range(ragged.rows)] == rows
    assert ragged.lengths.tolist() == [len(row) for row in rows]
    assert ragged.owners().tolist() == [n for n, row in enumerate(rows) for _ in row]


@settings(max_examples=60, deadline=None)
@given(rows=ROWS, size=st.sampled_from([1.0, 1000.0]))
def test_the_softmax_is_that_of_each_row(rows, size):
    ragged = Ragged.of(rows)
    scores = torch.randn(len(ragged.items), generator=torch.Generator().manual_seed(3)) * size
    weights = softmax_by_row(scores.double(), ragged)
    expected = [part.softmax(-1) for part in scores.double().split(ragged.lengths.tolist())]
    assert_close(weights, torch.cat(expected))


def test_scores_far_below_zero_have_a_softmax():
    """Each row is measured from its own largest score, not from 0, below which all would vanish."""
    weights = softmax_by_row(torch.tensor([-500.0, -500.0, -900.0]), Ragged.of([(1, 2), (3,)]))
    assert_close(weights, torch.tensor([0.5, 0.5, 1.0]))


def test_no_rows_are_taken():
    taken = Ragged.of([(1, 2), (3,)]).take(torch.zeros(0, dtype=torch.long))
    assert taken.rows == 0
    assert len(taken.items) == 0


def test_items_are_left_out_row_by_row():
    rows = Ragged.of([range(1000), (), range(500)])
    thinned = rows.thinned(0.3, torch.Generator().manual_seed(0))
    assert thinned.row(1) == []
    assert thinned.row(0) == sorted(thinned.row(0))
    assert thinned.lengths[[0, 2]].tolist() == pytest.approx([700, 350], abs=40)
    assert rows.thinned(0.0, torch.Generator()) is rows


def test_a_share_is_left_out_by_the_numbers_that_are_drawn():
    """Item by item, in their order: the draws of published rows."""
    rows = Ragged.of([(5, 6, 7), (), (8,), (9, 4)])
    draws = torch.rand(6, generator=torch.Generator().manual_seed(3)).tolist()
    thinned = rows.thinned(0.4, torch.Generator().manual_seed(3))
    kept = iter(draw >= 0.4 for draw in draws)
    expected = [[item for item in rows.row(row) if next(kept)] for row in range(4)]
    assert [thinned.row(row) for row in range(4)] == expected
    assert int(thinned.offsets[0]) == 0
    assert 0 < len(thinned.items) < 6
    assert not len(rows.thinned(1.0, torch.Generator()).items)


def test_there_may_be_no_rows():
    none = Ragged.of([])
    assert (none.rows, none.lengths.tolist(), none.owners().tolist()) == (0, [], [])
    assert softmax_by_row(torch.zeros(0), none).shape == (0,)


def test_items_are_numbered_through():
    rows = Ragged.of([(7, 7), (), (3,)]).numbered()
    assert [rows.row(number) for number in range(3)] == [[0, 1], [], [2]]


def test_half_precision_is_summed_in_float():
    rows = Ragged.of([range(5000)])
    weights = softmax_by_row(torch.zeros(5000, dtype=torch.bfloat16), rows)
    assert weights.dtype == torch.bfloat16
    assert float(weights.float().sum()) == pytest.approx(1.0, abs=0.01)


def test_slots_are_taken_with_key_and_value():
    memory = KeyValues(Ragged.of([(1, 2), (3,)]), Ragged.of([(4,), (5, 6)]))
    taken = memory.take(torch.tensor([1, 1, 0]))
    assert [taken.keys.row(number) for number in range(3)] == [[3], [3], [1, 2]]
    assert [taken.values.row(number) for number in range(3)] == [[5, 6], [5, 6], [4]]
