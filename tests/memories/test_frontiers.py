"""A memory of facts that is hashed anew at every hop, held against facts in dictionaries."""

import random
from collections import Counter

import pytest
import torch

from memnets.memories.frontiers import FactMemory, Frontier

ENTITIES, SLOTS = 12, 3


def drawn(seed):
    """Return facts, and the memory of them."""
    draw = random.Random(seed)
    facts = {
        (draw.randrange(ENTITIES), draw.randrange(SLOTS), draw.randrange(ENTITIES))
        for _ in range(30)
    }
    told = sorted(facts, key=lambda fact: draw.random())
    return told, FactMemory.of(torch.tensor(told), ENTITIES, SLOTS)


def rows_of(frontier):
    """Return each row as entities with their ways."""
    ways = frontier.weights.split(frontier.entities.lengths.tolist())
    return [
        dict(zip(frontier.entities.row(row), one.tolist(), strict=True))
        for row, one in enumerate(ways)
    ]


def read(told, ways, slot):
    reached = Counter()
    for first, by, last in told:
        if by == slot and first in ways:
            reached[last] += ways[first]
    return dict(reached)


@pytest.mark.parametrize("seed", range(20))
def test_a_frontier_is_what_the_facts_lead_to_by_the_slot_of_each_row(seed):
    told, memory = drawn(seed)
    draw = random.Random(seed)
    topics = [draw.randrange(ENTITIES) for _ in range(5)]
    frontier, expected = Frontier.at(torch.tensor(topics)), [{topic: 1} for topic in topics]
    for _ in range(3):
        hashed = [[bool(read(told, ways, slot)) for slot in range(SLOTS)] for ways in expected]
        assert memory.hashed(frontier).tolist() == hashed
        slots = [draw.randrange(SLOTS) for _ in topics]
        frontier = memory.read(frontier, torch.tensor(slots))
        expected = [read(told, *each) for each in zip(expected, slots, strict=True)]
        assert rows_of(frontier) == expected


def test_entities_are_ranked_by_the_ways_that_lead_to_them_row_by_row():
    told = [(0, 0, 2), (0, 0, 3), (1, 0, 3), (2, 1, 5), (3, 1, 4), (2, 1, 4), (3, 1, 6)]
    memory = FactMemory.of(torch.tensor(told), ENTITIES, SLOTS)
    frontier = memory.read(Frontier.at(torch.tensor([0, 7, 1])), torch.tensor([0, 0, 0]))
    frontier = memory.read(frontier, torch.tensor([1, 1, 1]))
    assert rows_of(frontier) == [{4: 2, 5: 1, 6: 1}, {}, {4: 1, 6: 1}]
    assert frontier.first().tolist() == [4, -1, 4]
    assert frontier.ranked().entities.row(0) == [4, 5, 6]
    without = frontier.without(torch.tensor([4, 0, 6]))
    assert rows_of(without) == [{5: 1, 6: 1}, {}, {4: 1}]
    assert without.first().tolist() == [5, -1, 4]


def test_rows_that_have_ended_are_kept_beside_those_that_go_on():
    ended, reached = (Frontier.at(torch.tensor(rows)) for rows in ([1, 2, 3], [4, 5, 6]))
    reached = reached.without(torch.tensor([0, 0, 6]))
    both = ended.or_else(reached, torch.tensor([False, True, False]))
    assert rows_of(both) == [{4: 1}, {2: 1}, {}]
