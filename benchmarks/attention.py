"""The kernels of attention against the ways that others take, in time and in memory.

    python benchmarks/attention.py      writes results/bench-attention.json

Additive scores against the broadcast that lays the hidden layer out, and torch.compile of it; reads
by dot product against torch's fused kernel called by hand; windows against a band mask; sparse
aligns against the package entmax, where that can be imported. Both sides of a row get the same
inputs and must return the same numbers.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import importlib.util
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import torch
import torch.nn.functional as F
import tyro
from rich.console import Console
from torch import Tensor

from memnets import results
from memnets.attention import Entmax15, Sparsemax
from memnets.ops import native
from memnets.ops.additive import LIMITS, additive_scores
from memnets.ops.dot import read_dot
from memnets.ops.masking import masked_softmax
from memnets.ops.windows import band, read_windows
from memnets.report.tables import Terminal
from memnets.results import BenchRow
from timing import compare, ratio_interval

Call = Callable[..., Tensor]


class Sizes(NamedTuple):
    """How much is scored: `hidden` is the width of the scored space, or of a key."""

    batch: int
    queries: int
    slots: int
    hidden: int

    def __str__(self) -> str:
        return f"{self.batch} x {self.queries} queries, {self.slots} slots, width {self.hidden}"


@dataclass(frozen=True)
class Options:
    """Time the kernels of attention, and measure what memory they take."""

    repeats: int = 7
    """Pairs of a comparison."""
    processes: int = 3
    """Pairs of processes whose memory is measured."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""


ADDITIVE = Sizes(16, 64, 256, 256)
DECODING = Sizes(128, 1, 15, 512)
READING = Sizes(64, 512, 512, 64)
WINDOWS = (Sizes(1, 4096, 4096, 256), Sizes(8, 512, 512, 256))
HALF_WIDTH = 10
SPARSE = Sizes(16, 64, 256, 1)

PASSES = ("forward", "both passes")
MEMORY = "extra memory of a call (MB)"


def main() -> None:
    options = tyro.cli(Options, description=__doc__)
    torch.manual_seed(0)
    measured = []
    for row in rows(options):
        print(f"{row.row}: {row.ratio and round(row.ratio, 2)}", file=sys.stderr, flush=True)
        measured.append(row)
    bench = results.Benchmark(
        name="attention",
        command="python benchmarks/attention.py",
        config={"repeats": options.repeats, "kernels": native.kernels()},
        rows=tuple(measured),
    )
    path = results.write(bench, options.results or results.results_folder())
    Console().print(Terminal(bench), f"\n{path}", sep="\n")


def rows(options: Options) -> Iterator[BenchRow]:
    for threads in (1, 2):
        yield from additive(options, threads)
    yield from compiled(options)
    yield from decoding(options)
    yield from beyond_the_limit(options)
    yield from memory(options)
    yield from reading(options)
    yield from windows(options)
    yield from sparse(options)


# Additive scores.


def broadcast(query: Tensor, keys: Tensor, vector: Tensor) -> Tensor:
    """Score as most people write it: the hidden layer of all pairs, then its sum."""
    return torch.tanh(query.unsqueeze(-2) + keys.unsqueeze(-3)) @ vector


def in_pytorch(query: Tensor, keys: Tensor, vector: Tensor) -> Tensor:
    """Score as we do where there is no compiler.

    The attribute is swapped by hand: a mock takes a millisecond, which is a share of a small call.
    """
    available = native.available
    setattr(native, "available", lambda: False)  # noqa: B010
    try:
        return additive_scores(query, keys, vector)
    finally:
        setattr(native, "available", available)  # noqa: B010


WAYS: dict[str, Call] = {
    "broadcast": broadcast,
    "native": additive_scores,
    "no compiler": in_pytorch,
}


def halves(sizes: Sizes, scale: float = 1.0) -> list[Tensor]:
    batch, queries, slots, hidden = sizes
    shapes = ((batch, queries, hidden), (batch, slots, hidden), (hidden,))
    return [scale * torch.randn(shape) for shape in shapes]


def additive(options: Options, threads: int) -> Iterator[BenchRow]:
    name = f"additive, {{}}, {threads} thread{'s' if threads > 1 else ''}"
    for way in ("native", "no compiler"):
        yield from both_passes(
            name.format(way), WAYS[way], broadcast, halves(ADDITIVE), options, threads, "broadcast"
        )


def compiled(options: Options) -> Iterator[BenchRow]:
    """What torch.compile makes of the broadcast, its first call not counted."""
    theirs = torch.compile(broadcast)
    name = "torch.compile of broadcast"
    yield from both_passes(
        "additive, native, against a compiler",
        additive_scores,
        theirs,
        halves(ADDITIVE),
        options,
        1,
        name,
    )


def decoding(options: Options) -> Iterator[BenchRow]:
    for way in ("native", "no compiler"):
        yield from both_passes(
            f"additive, one query, {way}",
            WAYS[way],
            broadcast,
            halves(DECODING),
            options,
            1,
            "broadcast",
        )


def beyond_the_limit(options: Options) -> Iterator[BenchRow]:
    """Projections whose exponentials overflow: every pair takes its own."""
    parts = halves(ADDITIVE, scale=LIMITS[torch.float32])
    for way in ("native", "no compiler"):
        yield from both_passes(
            f"additive, beyond the limit, {way}",
            WAYS[way],
            broadcast,
            parts,
            options,
            1,
            "broadcast",
        )


# Reads by dot product.


def reading(options: Options) -> Iterator[BenchRow]:
    batch, queries, slots, dim = READING
    parts = [torch.randn(batch, length, dim) for length in (queries, slots, slots)]
    mask = torch.rand(batch, 1, slots) > 0.3

    def ours(*parts: Tensor) -> Tensor:
        return read_dot(*parts, mask, 0.125)

    def fused(*parts: Tensor) -> Tensor:
        query, keys, values = (part.unsqueeze(0) for part in parts)
        return F.scaled_dot_product_attention(
            query, keys, values, attn_mask=mask.unsqueeze(0), scale=0.125
        ).squeeze(0)

    def explicit(query: Tensor, keys: Tensor, values: Tensor) -> Tensor:
        return masked_softmax(0.125 * query @ keys.mT, mask) @ values

    for theirs, name in ((fused, "SDPA by hand"), (explicit, "weights laid out")):
        yield from both_passes(f"dot read, {name}", ours, theirs, parts, options, 1, name)


def windows(options: Options) -> Iterator[BenchRow]:
    for batch, queries, slots, dim in WINDOWS:
        parts = [dim**-0.25 * torch.randn(batch, n, dim) for n in (queries, slots, slots)]
        near = band(parts[0], slots, HALF_WIDTH)

        def ours(*parts: Tensor) -> Tensor:
            return read_windows(*parts, HALF_WIDTH)

        def masked(*parts: Tensor, near: Tensor = near) -> Tensor:
            return read_dot(*parts, near)

        yield from both_passes(
            f"windows, {slots} slots", ours, masked, parts, options, 1, "SDPA under a band mask"
        )


# Sparse aligns.


def sparse(options: Options) -> Iterator[BenchRow]:
    scores = [torch.randn(SPARSE[:3])]
    for name, align in (("sparsemax", Sparsemax()), ("entmax15", Entmax15())):
        if importlib.util.find_spec("entmax") is None:
            for suffix in PASSES:
                yield not_run(f"{name}, {suffix}", "entmax", "pip install entmax")
            continue
        import entmax

        yield from both_passes(
            name, align, getattr(entmax, name), scores, options, 1, f"entmax {entmax.__version__}"
        )


# What all rows share.


def both_passes(
    row: str,
    ours: Call,
    theirs: Call,
    parts: list[Tensor],
    options: Options,
    threads: int,
    baseline_name: str,
) -> Iterator[BenchRow]:
    """Compare forward alone, as in answering, and with backward, as in training."""
    with torch.no_grad():
        outer = torch.randn_like(ours(*parts))
    for suffix, run in zip(PASSES, (answered, trained), strict=True):
        yield compare(
            f"{row}, {suffix}",
            run(ours, parts, outer),
            run(theirs, parts, outer),
            baseline_name=baseline_name,
            same=agree,
            repeats=options.repeats,
            threads=threads,
        )


def answered(call: Call, parts: list[Tensor], outer: Tensor) -> Callable[[], tuple[Tensor, ...]]:
    def run() -> tuple[Tensor, ...]:
        with torch.no_grad():
            return (call(*parts),)

    return run


def trained(call: Call, parts: list[Tensor], outer: Tensor) -> Callable[[], tuple[Tensor, ...]]:
    """Return a function that gives back the result and the gradients of all parts."""

    def run() -> tuple[Tensor, ...]:
        fresh = [part.detach().requires_grad_() for part in parts]
        found = call(*fresh)
        return (found.detach(), *torch.autograd.grad(found, fresh, outer))

    return run


def agree(ours: tuple[Tensor, ...], theirs: tuple[Tensor, ...]) -> bool:
    """Return whether values and gradients are the same but for rounding, each by its largest."""
    return len(ours) == len(theirs) and all(
        torch.allclose(mine, other, rtol=1e-4, atol=1e-4 * float(other.abs().max()))
        for mine, other in zip(ours, theirs, strict=True)
    )


def not_run(row: str, baseline_name: str, remedy: str) -> BenchRow:
    return BenchRow(
        row=row,
        metric="time of a call (ms)",
        measured=None,
        baseline=None,
        baseline_name=baseline_name,
        ratio=None,
        ratio_interval=None,
        repeats=0,
        commit=None,
        created=None,
        machine=None,
        note=f"not run: {remedy}",
    )


# Memory: a process for each way, as the peak of a process never falls.


def memory(options: Options) -> Iterator[BenchRow]:
    if not Path("/proc/self/clear_refs").exists():
        yield not_run("additive, memory", "broadcast", "needs Linux")
        return
    grown = {way: [growth(way) for _ in range(options.processes)] for way in WAYS}
    for way in ("native", "no compiler"):
        for at, suffix in enumerate(PASSES):
            pairs = [
                (mine[at], theirs[at])
                for mine, theirs in zip(grown[way], grown["broadcast"], strict=True)
            ]
            ratio, low, high = ratio_interval(pairs)
            yield BenchRow(
                row=f"additive, {way}, memory, {suffix}",
                metric=MEMORY,
                measured=sum(mine for mine, _ in pairs) / len(pairs),
                baseline=sum(theirs for _, theirs in pairs) / len(pairs),
                baseline_name="broadcast",
                ratio=ratio,
                ratio_interval=(low, high),
                repeats=len(pairs),
                commit=results.commit(),
                created=results.now(),
                machine=results.machine(),
                note="growth of the peak of a process",
            )


def growth(way: str) -> tuple[float, float]:
    """Return the megabytes by which forward, then both passes, raise the peak of a new process."""
    script = f"import attention; attention.print_growth({way!r}, {tuple(ADDITIVE)!r})"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parent,
        check=True,
        stdout=subprocess.PIPE,
    )
    forward, both = json.loads(done.stdout)
    return forward, both


def print_growth(way: str, sizes: tuple[int, int, int, int]) -> None:
    """Run in the new process: what starts threads and builds libraries comes first."""
    torch.set_num_threads(1)
    small, parts = halves(Sizes(2, 5, 7, 11)), halves(Sizes(*sizes))
    grown = []
    for run in (answered, trained):
        run(WAYS[way], small, torch.ones(2, 5, 7))()
        call = run(WAYS[way], parts, torch.ones(sizes[:3]))
        Path("/proc/self/clear_refs").write_text("5")  # the peak is what there is now
        before = status("VmRSS")
        call()
        grown.append(max(status("VmHWM") - before, 0.1))
    print(json.dumps(grown))


def status(field: str) -> float:
    """Return a figure of this process in megabytes, as /proc tells it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith(f"{field}:"))
    return int(line.split()[1]) / 1000


if __name__ == "__main__":
    main()
