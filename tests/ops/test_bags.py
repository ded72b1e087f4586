"""Bags of words, and rows of unequal length laid end to end: the places by hand."""

import pytest
import torch
from torch.testing import assert_close

from memnets.ops.bags import NIL, distinct_told, weighted_bag
from memnets.ops.ragged import Places


@pytest.mark.parametrize("each", [False, True], ids=["a weight a place", "a weight a word"])
def test_words_are_weighted_and_nil_adds_nothing(each):
    words = torch.tensor([[3, NIL, 1], [NIL, NIL, NIL], [2, 2, 2]])
    tables = torch.randn(5, 2, 3)
    tables[NIL] = torch.nan
    weights = torch.rand(3, 3) if each else torch.rand(3)
    found = weighted_bag(words, weights, tables)
    for row in range(3):
        expected = torch.zeros(2, 3)
        for place, word in enumerate(words[row].tolist()):
            weight = weights[row, place] if each else weights[place]
            expected += 0 if word == NIL else weight * tables[word]
        assert_close(found[row], expected)


def test_sentences_that_are_told_are_kept_once_and_no_other():
    """What a slot without a sentence holds does not matter, nor does it name one to be kept."""
    sentences = torch.arange(14).view(7, 2)
    story = torch.tensor([[5, 3, 6], [3, 5, 4]])
    told = torch.tensor([[True, True, False], [True, False, False]])
    kept, number = distinct_told(sentences, story, told)
    assert kept.tolist() == [[0, 1], [6, 7], [10, 11]]  # sentence 0 stands for no sentence
    assert torch.equal(kept[number][told], sentences[story][told])


def test_as_many_slots_as_sentences_are_left_as_they_are():
    """Finding the distinct ones costs as much as reading all: from one sentence more on it pays."""
    story, told = torch.tensor([[2, 2, 5]]), torch.ones(1, 3, dtype=torch.bool)
    three, four = torch.arange(3)[:, None], torch.arange(6)[:, None]
    assert distinct_told(three, story, told)[0] is three
    assert distinct_told(three, story, told)[1] is story
    kept, number = distinct_told(four, story, told)
    assert (kept.flatten().tolist(), number.tolist()) == ([2, 5], [[0, 0, 1]])


@pytest.mark.parametrize("shape", [(3, 4), (1, 1), (0, 4), (3, 0), (0, 0)], ids=str)
def test_what_is_picked_goes_back_to_its_place(shape):
    torch.manual_seed(1)
    mask, slots = torch.rand(shape) < 0.6, torch.randn(*shape, 2)
    places = Places.of(mask)
    assert places.shape == shape
    assert torch.equal(places.pick(slots), slots[mask])
    assert torch.equal(places.row, mask.nonzero()[:, 0])
    assert torch.equal(places.lay_out(places.pick(slots)), slots * mask.unsqueeze(-1))
    alone = places.lay_out(places.row.float() + 1)  # numbers without a width
    assert torch.equal(alone, (torch.arange(shape[0]).float() + 1)[:, None] * mask)
