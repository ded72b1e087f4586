"""The harness that times two callables in pairs."""

import math
import time

import pytest
import torch

import timing
from timing import compare, ratio_interval


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(timing, "MEASURE_SECONDS", 0.002)


@pytest.fixture
def wait(monkeypatch):
    """Calls that take the time they say, by a clock that nothing else moves."""
    now = 0.0
    monkeypatch.setattr(time, "perf_counter", lambda: now)

    def make(milliseconds):
        def call():
            nonlocal now
            now += milliseconds / 1e3

        return call

    return make


def test_the_ratio_says_how_many_times_faster_we_are(wait):
    row = compare("waiting", wait(0.3), wait(0.9), baseline_name="a slow one", note="toy")
    assert row.ratio == pytest.approx(3)
    assert row.ratio_interval == pytest.approx((3, 3))
    assert row.measured == pytest.approx(0.3)
    assert row.baseline == pytest.approx(0.9)
    assert (row.baseline_name, row.repeats, row.note) == ("a slow one", 7, "toy")
    assert row.machine.endswith(", 1 thread")


def test_pairs_are_interleaved_and_their_order_alternates(monkeypatch):
    order = []

    def seconds(call, calls):
        order.append(call())
        return 1.0

    monkeypatch.setattr(timing, "_seconds", seconds)
    compare("order", lambda: "a", lambda: "b", baseline_name="b", repeats=8)
    assert "".join(order) == "ab" + "abba" * 4  # the first two find how often to call


def test_the_interval_of_a_ratio_by_hand():
    ratio, low, high = ratio_interval([(1.0, 2.0), (1.0, 8.0)])
    # logs are log 2 and log 8: mean log 4, sd log(4) / sqrt 2, t(1) = 12.7062
    half = 12.7062 * math.log(4) / 2
    assert ratio == pytest.approx(4)
    assert (low, high) == pytest.approx((4 * math.exp(-half), 4 * math.exp(half)))


def test_torch_has_equal_threads_and_gets_its_own_back(wait):
    before = torch.get_num_threads()
    seen, work = set(), wait(0.1)

    def call():
        seen.add(torch.get_num_threads())
        work()

    compare("threads", call, call, baseline_name="itself", threads=2)
    assert (seen, torch.get_num_threads()) == ({2}, before)


def test_a_callable_that_sets_threads_is_refused(wait):
    before, work = torch.get_num_threads(), wait(0.1)

    def greedy():
        torch.set_num_threads(3)
        work()

    with pytest.raises(
        ValueError, match=r"compare\('greedy'\): .* torch's threads to 3; expected 1"
    ):
        compare("greedy", greedy, wait(0.1), baseline_name="b")
    assert torch.get_num_threads() == before


def test_unequal_outputs_are_refused():
    with pytest.raises(
        ValueError, match=r"compare\('sum'\): our output differs from that of numpy"
    ):
        compare("sum", lambda: 1, lambda: 2, baseline_name="numpy", same=lambda a, b: a == b)


def test_too_few_pairs_are_refused(wait):
    with pytest.raises(ValueError, match=r"compare\('few'\): repeats=3 and warmup=2; expected 7"):
        compare("few", wait(1), wait(1), baseline_name="b", repeats=3)
