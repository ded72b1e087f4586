"""Compare two callables in speed: interleaved pairs in one process, under equal threads.

Only the ratio is worth keeping: an absolute time depends on the machine and its other work, which
both of a pair meet alike.
"""

import gc
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from memnets import results
from memnets.results import BenchRow

MEASURE_SECONDS = 0.02
"""A callable is repeated until one measurement takes at least this long."""


def compare(
    row: str,
    ours: Callable[[], Any],
    baseline: Callable[[], Any],
    *,
    baseline_name: str,
    same: Callable[[Any, Any], bool] | None = None,
    repeats: int = 7,
    warmup: int = 2,
    threads: int = 1,
    note: str = "",
) -> BenchRow:
    """Time two callables in pairs, the first of a pair in turn, and return how they compare.

    On a GPU each callable must wait for its own result.

    Args:
        row: what is compared.
        ours: does the work once.
        baseline: does the same work in the way it is compared with.
        baseline_name: whose way that is, with its version.
        same: whether two outputs agree; asked once, before anything is timed.
        repeats: pairs, 7 or more.
        warmup: untimed calls of each, at least one.
        threads: torch's threads, for both.
        note: what a reader should know besides.

    Raises:
        ValueError: too few pairs, unequal outputs, or one of the two sets torch's threads itself.
    """
    if repeats < 7 or warmup < 1:
        raise ValueError(
            f"compare({row!r}): repeats={repeats} and warmup={warmup}; expected 7 and 1 at least. "
            f"Fewer pairs give no interval worth printing."
        )
    with _threads(threads, row), _no_collection():
        outputs = [[call() for _ in range(warmup)][-1] for call in (ours, baseline)]
        if same is not None and not same(*outputs):
            raise ValueError(
                f"compare({row!r}): our output differs from that of {baseline_name}. "
                f"Give both the same weights and inputs, or compare them as different models."
            )
        del outputs
        calls = [_calls(ours), _calls(baseline)]
        pairs = []
        for repeat in range(repeats):
            pair = {}
            for side in (0, 1) if repeat % 2 == 0 else (1, 0):
                pair[side] = _seconds((ours, baseline)[side], calls[side])
            pairs.append((pair[0], pair[1]))
    ratio, low, high = ratio_interval(pairs)
    return BenchRow(
        row=row,
        metric="time of a call (ms)",
        measured=1e3 * statistics.median(mine for mine, _ in pairs),
        baseline=1e3 * statistics.median(theirs for _, theirs in pairs),
        baseline_name=baseline_name,
        ratio=ratio,
        ratio_interval=(low, high),
        repeats=repeats,
        commit=results.commit(),
        created=results.now(),
        machine=f"{results.machine()}, {threads} thread{'s' if threads > 1 else ''}",
        note=note,
    )


def ratio_interval(pairs: list[tuple[float, float]]) -> tuple[float, float, float]:
    """Return the mean ratio of pairs (ours, baseline) and its 95 % interval, by their logarithms.

    The ratio is the baseline's time over ours: above 1, ours is faster.
    """
    logs = [math.log(theirs / mine) for mine, theirs in pairs]
    low, high = results.interval(logs) or (-math.inf, math.inf)
    return math.exp(statistics.fmean(logs)), math.exp(low), math.exp(high)


def _calls(call: Callable[[], Any]) -> int:
    calls = 1
    while (seconds := _seconds(call, calls) * calls) < MEASURE_SECONDS:
        calls = max(2 * calls, math.ceil(calls * MEASURE_SECONDS / max(seconds, 1e-6)))
    return calls


def _seconds(call: Callable[[], Any], calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - start) / calls


@contextmanager
def _threads(threads: int, row: str) -> Iterator[None]:
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
        if torch.get_num_threads() != threads:
            raise ValueError(
                f"compare({row!r}): a callable set torch's threads to {torch.get_num_threads()}; "
                f"expected {threads} for both. Pass threads= and leave them alone."
            )
    finally:
        torch.set_num_threads(before)


@contextmanager
def _no_collection() -> Iterator[None]:
    enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
