"""Batches of sentences of like length: what they pad, and that they are those of any other run."""

import math
from itertools import islice

import pytest
import torch

from memnets.training.task import shuffled, shuffled_by_length


def captions(number):
    """Lengths of pairs of sentences that are spread as those of Multi30k are."""
    generator = torch.Generator().manual_seed(7)
    source = (torch.randn(number, generator=generator) * 4 + 12.4).clamp(min=3).round()
    target = (source + torch.randn(number, generator=generator) * 2.5).clamp(min=3).round()
    return torch.stack((source, target), 1).long()


def padding(batches, lengths):
    """How many words are computed for each word, on either side."""
    computed = sum(len(rows) * lengths[rows].amax(0) for rows in batches)
    return computed / sum(lengths[rows].sum(0) for rows in batches)


@pytest.mark.parametrize("batch", [32, 128])
def test_batches_of_like_length_pad_little(batch):
    """List 15: every pair once an epoch, and fewer than 1.2 words computed for each word."""
    lengths, generator = captions(9_001), torch.Generator().manual_seed(5)
    updates = math.ceil(len(lengths) / batch)
    epoch = [rows for (rows,) in islice(shuffled_by_length(lengths, batch, generator, 0), updates)]
    mixed = [rows for (rows,) in islice(shuffled(len(lengths), batch, generator, 0), updates)]
    assert sorted(torch.cat(epoch).tolist()) == list(range(len(lengths)))
    assert padding(epoch, lengths).max() < 1.2
    assert padding(mixed, lengths).min() > 1.5
    # Short batches are not all at one end.
    widths = torch.tensor([int(lengths[rows].max()) for rows in epoch])
    assert widths[: updates // 2].sum() / widths.sum() == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize(("number", "batch", "pool"), [(23, 3, 2), (6, 3, 5), (1, 5, 1)])
def test_batches_of_like_length_are_the_same_whatever_batch_they_begin_at(number, batch, pool):
    """List 15: the order is that of seed and epoch alone, and another one in every epoch."""
    lengths, updates = captions(number), math.ceil(number / batch)
    generator = torch.Generator().manual_seed(5)
    generator_used = torch.Generator().manual_seed(5)
    torch.rand(7, generator=generator_used)  # what was drawn before changes nothing
    stream = shuffled_by_length(lengths, batch, generator, 0, pool)
    first = [next(stream)[0] for _ in range(3 * updates)]
    epochs = [torch.cat(first[at : at + updates]) for at in range(0, 3 * updates, updates)]
    assert all(sorted(epoch.tolist()) == list(range(number)) for epoch in epochs)
    if number > 1:
        assert len({tuple(epoch.tolist()) for epoch in epochs}) > 1
    for position in range(2 * updates):
        again = shuffled_by_length(lengths, batch, generator_used, position, pool)
        for rows in first[position : position + updates]:
            assert torch.equal(next(again)[0], rows)


def test_of_equal_longest_sides_those_of_as_many_words_come_together():
    lengths = torch.tensor([[5, 1], [5, 5], [2, 5], [4, 5], [9, 1], [1, 8]])
    for seed in range(5):
        stream = shuffled_by_length(lengths, 2, torch.Generator().manual_seed(seed), 0)
        epoch = {frozenset(rows.tolist()) for (rows,) in islice(stream, 3)}
        assert epoch == {frozenset({0, 2}), frozenset({1, 3}), frozenset({4, 5})}
    halves = shuffled_by_length(lengths, 1, torch.Generator().manual_seed(0), 0, 2)
    assert len({int(rows) for (rows,) in islice(halves, 6)}) == 6
