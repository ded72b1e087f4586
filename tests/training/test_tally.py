"""The figures of a line of the log, where a few updates make the mean."""

import math

import pytest
import torch

from memnets.training.processes import Processes
from memnets.training.progress import MEDIAN, in_words
from memnets.training.tally import Tally
from memnets.training.task import Step


def tally(losses, weight=2, first=1):
    """A tally of updates whose losses are sums over `weight` questions."""
    found = Tally()
    for update, loss in enumerate(losses, start=first):
        found.add(update, Step(torch.tensor(loss), weight, (), {}))
    found.flush()
    return found


def test_a_mean_of_one_update_has_the_median_beside_it():
    means = tally([4.0, 2e6, 2.0, 6.0, 3.0]).means
    assert means["loss"] == pytest.approx(200_001.5)
    assert means[MEDIAN] == 2.0


def test_a_mean_that_tells_stands_alone():
    assert MEDIAN not in tally([4.0, 2.0, 6.0, 3.0]).means
    assert MEDIAN not in tally([9.9, 1.0, 1.0, 1.0]).means
    assert MEDIAN not in tally([]).means
    assert MEDIAN not in tally([math.nan, 1.0, 1.0]).means


@pytest.mark.parametrize(("largest", "told"), [(36.9, False), (37.1, True)])
def test_the_median_is_told_where_the_mean_is_ten_times_as_large(largest, told):
    """The mean of 37 and three times 1 is 10."""
    assert (MEDIAN in tally([1.0, largest, 1.0, 1.0]).means) is told


def test_losses_below_zero_have_a_mean():
    assert MEDIAN not in tally([-4.0, -2e6, -2.0]).means


def test_a_checkpoint_keeps_every_loss():
    whole, before, after = tally([4.0, 2e6, 2.0, 6.0]), tally([4.0, 2e6]), Tally()
    after.merge(before.tensors())
    for update, loss in ((3, 2.0), (4, 6.0)):
        after.add(update, Step(torch.tensor(loss), 2, (), {}))
    after.flush()
    assert after == whole
    after.merge({"weight": torch.tensor(0.0)})  # as a checkpoint of before holds it
    assert after == whole


def test_what_two_processes_learnt_from_one_update_is_added_up():
    """As where one process goes on with what two have written."""
    merged = Tally()
    for own in (tally([4.0, 2e6], weight=2), tally([1.0, 3.0, 5.0], weight=1)):
        merged.merge(own.tensors())
    assert merged.losses == {1: (5.0, 3), 2: (2_000_003.0, 3), 3: (5.0, 1)}
    assert (merged.weight, merged.sums) == (7, {"loss": 2_000_013.0})


def test_two_processes_tell_the_median_of_the_whole_batches():
    whole = tally([4.0, 2e6, 2.0, 6.0], weight=3, first=5)
    first, second = tally([3.0, 1e6, 1.0, 2.0], 2, 5), tally([1.0, 1e6, 1.0], 1, 5)
    second.add(8, Step(torch.tensor(4.0), 1, (), {}))
    second.flush()

    class Two(Processes):
        """The first of two, which knows what the second says."""

        world, rank = 2, 0
        theirs = iter(((4.0, 1_000_006.0), (1.0, 1e6, 1.0, 4.0), (1.0,) * 4))

        def total(self, *numbers):
            return [a + b for a, b in zip(numbers, next(self.theirs), strict=True)]

        def least(self, number):
            return number

        def agree(self, value):
            return value

    assert first.over(Two(None)) == (whole.weight, whole.means)
    assert whole.over(Processes(type("Fabric", (), {"world_size": 1}))) == (12, whole.means)


def test_a_line_tells_the_median_and_what_the_mean_is():
    record = {
        "update": 562,
        "phase": "linear start",
        "learning_rate": 0.005,
        "train": {"loss": 54935.3637, "accuracy": 0.4735, MEDIAN: 1.5787},
        "per_second": 1.0,
    }
    said = in_words(record, "stories")
    assert "train: loss 1.5787 (median; mean 5.49e+04) accuracy 0.4735  1" in said


def test_a_process_that_had_nothing_to_do_tells_what_the_other_learnt():
    """A batch of one row: the second process had no share of any update."""
    whole = tally([1.0, 2e6, 3.0], weight=1, first=5)

    class Idle(Processes):
        """The second of two, which knows what the first says."""

        world, rank = 2, 1
        theirs = iter(((3.0, 2_000_004.0), (1.0, 2e6, 3.0), (1.0,) * 3))

        def total(self, *numbers):
            return [a + b for a, b in zip(numbers, next(self.theirs), strict=True)]

        def least(self, number):
            return min(number, 5.0 if number > 0 else -7.0)

        def agree(self, value):
            return ["loss"]

    weight, means = Tally().over(Idle(None))
    assert (weight, means) == (3.0, whole.means)
    assert means[MEDIAN] == 3.0
