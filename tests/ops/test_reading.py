import torch
from torch.testing import assert_close

from memnets.ops.bags import weighted_bag
from memnets.ops.reading import gather_scores, gather_slots, read, read_indexed, read_shared


def test_reading_is_the_weighted_sum():
    weights, values = torch.randn(2, 3, 13).double(), torch.randn(2, 13, 5).double()
    expected = (weights.unsqueeze(-1) * values.unsqueeze(-3)).sum(-2)
    assert_close(read(weights, values), expected)


def test_reading_takes_the_precision_of_the_values():
    assert read(torch.rand(3, 13), torch.rand(13, 5).bfloat16()).dtype == torch.bfloat16


def test_kept_slots_are_those_of_the_indices():
    values, indices = torch.randn(2, 13, 5), torch.randint(0, 13, (2, 3, 7))
    kept = gather_slots(values, indices)
    for row, query, place in ((0, 0, 0), (1, 2, 6), (0, 1, 3)):
        assert torch.equal(kept[row, query, place], values[row, indices[row, query, place]])


def test_reading_kept_slots_is_reading_with_dense_weights():
    values = torch.randn(2, 13, 5).double()
    weights, indices = torch.rand(2, 3, 7).double(), torch.randint(0, 13, (2, 3, 7))
    dense = torch.zeros(2, 3, 13).double().scatter_add(-1, indices, weights)
    assert_close(read_indexed(weights, values, indices), read(dense, values))


def test_shared_entries_add_up():
    scores, entries = torch.randn(3, 11).double(), torch.randint(0, 11, (3, 7, 2))
    found = gather_scores(scores, entries)
    for query in range(3):
        assert_close(found[query], scores[query][entries[query]].sum(-1))
    weights, values = torch.rand(3, 7).double(), torch.randn(11, 5).double()
    laid_out = values[entries].sum(-2)
    assert_close(read_shared(weights, values, entries), (weights[..., None] * laid_out).sum(1))


def test_a_bag_is_the_weighted_sum_of_its_words():
    words, weights = torch.randint(1, 13, (3, 5)), torch.randn(5).double()
    words[1, 2], words[2, 4] = 0, 0
    tables = torch.randn(13, 2, 7).double()
    expected = (tables[words] * (weights * (words != 0))[..., None, None]).sum(1)
    assert_close(weighted_bag(words, weights, tables), expected)


def test_a_bag_passes_no_gradient_to_the_nil_word():
    tables = torch.randn(13, 2, 7).double().requires_grad_()
    weighted_bag(torch.tensor([[3, 0, 5]]), torch.ones(3).double(), tables).sum().backward()
    reached = tables.grad.flatten(1).any(1)
    assert reached.nonzero().flatten().tolist() == [3, 5]
