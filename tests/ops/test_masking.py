import pytest
import torch
from torch.testing import assert_close

from memnets.ops.masking import masked_softmax, readable_slots, silence


@pytest.mark.parametrize(
    ("filled", "kept"),
    [([], 1), ([0], 1), ([4], 5), ([0, 3], 4), ([12], 13)],
)
def test_memory_is_cut_after_the_last_readable_slot_of_the_batch(filled, kept):
    mask = torch.zeros(2, 3, 13, dtype=torch.bool)
    mask[1, 2, filled] = True
    assert readable_slots(mask) == kept


def test_no_slots_stay_none():
    assert readable_slots(torch.zeros(2, 3, 0, dtype=torch.bool)) == 0


def test_a_slot_that_one_query_may_read_is_not_silenced():
    memory, mask = torch.full((2, 5, 3), torch.nan), torch.zeros(2, 7, 5, dtype=torch.bool)
    mask[0, 6, 1] = True
    expected = torch.zeros(2, 5, 3)
    expected[0, 1] = torch.nan
    assert_close(silence(memory, mask), expected, equal_nan=True)
    assert memory.isnan().all(), "the caller's memory was written to"


def test_softmax_over_readable_slots():
    scores, mask = torch.randn(2, 3, 13).double(), torch.rand(2, 3, 13) < 0.6
    mask[0, 0] = False
    weights = masked_softmax(scores, mask)
    exponentials = scores.exp() * mask
    expected = exponentials / exponentials.sum(-1, keepdim=True)
    assert_close(weights, expected.nan_to_num(0.0))
    assert_close(masked_softmax(scores), scores.softmax(-1))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_widened(dtype):
    scores = torch.tensor([[20.0, 20.0, -20.0]], dtype=dtype)
    assert masked_softmax(scores).dtype == torch.float32
    mask = torch.tensor([[True, True, False]])
    assert_close(masked_softmax(scores, mask), torch.tensor([[0.5, 0.5, 0.0]]))


def test_large_scores_do_not_overflow():
    scores = torch.tensor([[1e30, -1e30, 1e30]])
    assert_close(masked_softmax(scores), torch.tensor([[0.5, 0.0, 0.5]]))
