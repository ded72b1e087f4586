"""Supports: which slots are read, whether all of them are, and how likely that is by chance."""

from itertools import product

import pytest
import torch

from memnets.data.babi.generate import make_stories
from memnets.tasks.stories import StoryVocabulary, number_stories
from memnets.tasks.supports import LOST, chance, most_read, named, reads_all


def test_the_heaviest_slot_of_a_hop_is_read_of_those_that_a_sentence_fills():
    class Hop:
        def __init__(self, *weights: float) -> None:
            self.weights = torch.tensor(weights).view(1, 1, -1)

    hops = Hop(0.9, 0.1, 0.0), Hop(0.1, 0.8, 0.1), Hop(0.1, 0.2, 0.7)
    told = torch.ones(1, 3, dtype=torch.bool)
    assert most_read(hops, told).tolist() == [[0, 1, 2]]
    # Of slots that no sentence fills none counts as read most, in a story or behind it.
    hops = Hop(0.0, 0.1, 0.9), Hop(0.1, 0.0, 0.2, 0.9), Hop(-0.3, -0.2)
    told[0, 2] = False
    assert most_read(hops[:2], told).tolist() == [[1, 0]]
    assert most_read(hops[2:], told).tolist() == [[1]]
    assert most_read((Hop(-0.3, -0.2, -0.1),), told).tolist() == [[1]]


def test_all_supports_are_read_where_each_is_at_some_hop_and_in_memory():
    support = torch.tensor([[True, False, True, False]] * 4)
    read = torch.tensor([[2, 1, 0], [2, 2, 1], [0, 2, 2], [0, 2, 3]])
    supports = torch.tensor([2, 2, 2, 3])  # the last question has one that no slot holds
    assert reads_all(read, support, supports).tolist() == [True, False, True, False]


def test_chance_is_the_share_of_all_ways_to_read():
    stories = [story for task in (1, 2, 3) for story in make_stories(task, 30, seed=3)]
    data = number_stories(stories, StoryVocabulary.of(stories, memory=50))
    few = data.take((data.length <= 9).nonzero().flatten())
    support, number = named(few.supports, few.story.shape[1])
    assert number.unique().tolist() == [1, 2, 3]
    for hops in (1, 2, 3):
        found = chance(support, number, few.length, hops)
        for likely, length, mask in zip(found, few.length, support, strict=True):
            wanted = set(mask.nonzero().flatten().tolist())
            ways = [wanted <= set(way) for way in product(range(int(length)), repeat=hops)]
            assert float(likely) == pytest.approx(sum(ways) / len(ways), abs=1e-12)
    # One that the memory does not hold:
    assert not chance(support, number + 1, few.length, 3).any()


def test_supports_are_slots_and_a_number():
    support, number = named(torch.tensor([[2, LOST, 2], [0, -1, -1], [-1, -1, -1]]), slots=3)
    assert support.tolist() == [[False, False, True], [True, False, False], [False] * 3]
    assert number.tolist() == [2, 1, 0]


def test_nobody_reads_by_chance_more_supports_than_there_are_hops_or_sentences():
    support = torch.tensor([[True, True, False], [True, False, False], [False, False, False]])
    supports, length = torch.tensor([2, 1, 0]), torch.tensor([2, 1, 3])
    assert chance(support, supports, length, 1).tolist() == [0.0, 1.0, 1.0]
    assert chance(support, supports, length, 2).tolist() == pytest.approx([0.5, 1.0, 1.0])
    none = chance(support[:0], supports[:0], length[:0], 2)
    assert none.tolist() == []
