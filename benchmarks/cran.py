"""CRAN over a window: its C++ op, its plain twin, its cell step by step, and an LSTM.

    python benchmarks/cran.py      writes results/bench-cran.json

A window is read forward and backward, the memory full. A twin has the same weights and state and
must give the same output. A row on memory compares the peaks of reading a short and a long text.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import torch
import tyro
from rich.console import Console
from torch import Tensor, nn

from memnets import results
from memnets.experiments.configs.cran import CRANCore
from memnets.models.cran import CRAN, CRANState
from memnets.models.cran.window import Window
from memnets.ops import native
from memnets.report.tables import Terminal
from timing import compare, ratio_interval


@dataclass(frozen=True)
class Setting:
    """A network, and the windows that it reads.

    Attributes:
        title: names the setting.
        core: the network; its inputs are as wide as its state.
        batch: how many texts are read at once.
        steps: of a window.
    """

    title: str
    core: CRANCore
    batch: int
    steps: int

    @property
    def tokens(self) -> int:
        return self.batch * self.steps


def core(hidden: int, key_dim: int, zones: int, slots: int, kept: int) -> CRANCore:
    """Return a network of the seed's simplest parts: 1.1, 2.2, 3.1, 4.1."""
    return CRANCore(
        hidden, key_dim, zones, slots, kept, query="input", read="joint", refresh="write"
    )


WIDE = Setting("width 256, 10 zones of 20", core(256, 256, 10, 20, 4), 32, 35)
NARROW = Setting("width 128, 10 zones of 20", core(128, 64, 10, 20, 4), 64, 40)
SMALL = Setting("width 64, 4 zones of 10", core(64, 64, 4, 10, 4), 64, 20)
AUTHOR = Setting("width 300, 5 zones of 10", core(300, 300, 5, 10, 3), 20, 35)
KEYS = {
    "4.2": replace(WIDE.core, key="mlp"),
    "4.3": replace(WIDE.core, key="bilstm"),
    "4.4": replace(WIDE.core, key="transformer"),
}


class InPyTorch(CRAN):
    """The plain twin of the op."""

    def forward(self, x: Tensor, state: CRANState | None = None) -> tuple[Tensor, CRANState]:
        assert state is not None
        return Window(self.cell, self.refreshed(state), self.detached).run(x)


class StepByStep(CRAN):
    """The cell in a loop: chosen zones are projected at each step, the memory copied at a write."""

    def forward(self, x: Tensor, state: CRANState | None = None) -> tuple[Tensor, CRANState]:
        assert state is not None
        output = []
        for step in x.unbind(1):
            state, _ = self.cell(step, state)
            output.append(state.hidden)
        return torch.stack(output, 1), state


class Recurrent(nn.Module):
    """An LSTM that begins anew in each window."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.lstm = nn.LSTM(width, width, batch_first=True)

    def forward(self, x: Tensor, state: CRANState) -> tuple[Tensor, CRANState]:
        return self.lstm(x)[0], state


TWINS: dict[type[CRAN], str] = {
    CRAN: "C++",
    InPyTorch: "window in PyTorch",
    StepByStep: "cell step by step",
}


@dataclass(frozen=True)
class Options:
    """Time CRAN's window against its plain twins and an LSTM of the same width."""

    only: str = ""
    """Only the rows whose name has this in it; nothing is then written."""
    repeats: int = 7
    """Pairs of a comparison."""
    threads: tuple[int, ...] = (1, 2)
    """Threads of both; each number is tried."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""
    windows: int = 0
    """Only read so many windows, and print the peak of memory (MB)."""


def main() -> None:
    options = tyro.cli(Options, description=__doc__)
    if options.windows:
        print(read_text(options.windows))
        return
    rows = [row for make, name in plan(options) if options.only in name for row in (make(),)]
    bench = results.Benchmark(
        name="cran",
        command="python benchmarks/cran.py",
        config={"repeats": options.repeats, "kernels": native.kernels()},
        rows=tuple(rows),
    )
    Console().print(Terminal(bench))
    if not options.only:
        path = results.write(bench, options.results or results.results_folder())
        Console().print(f"\n{path}")


Row = tuple[Callable[[], results.BenchRow], str]


def plan(options: Options) -> list[Row]:
    """Return every row by its name, to be measured when it is called."""
    rows: list[Row] = []
    for threads in options.threads:
        for setting in (WIDE, NARROW, SMALL, AUTHOR):
            for twin in (StepByStep, InPyTorch):
                rows.append(_twins(setting, CRAN, twin, threads, options.repeats))
            rows.append(_lstm(setting, threads, options.repeats))
        rows.append(_twins(WIDE, InPyTorch, StepByStep, threads, options.repeats))
        rows.append(_twins(WIDE, CRAN, StepByStep, threads, options.repeats, learns=False))
        rows.append(_twins(WIDE, InPyTorch, StepByStep, threads, options.repeats, learns=False))
    for number, with_key in KEYS.items():
        setting = replace(WIDE, title=f"{WIDE.title}, key {number}", core=with_key)
        rows.append(_twins(setting, InPyTorch, StepByStep, 1, options.repeats))
        if with_key.key == "mlp":  # the other two are none that the op knows
            rows.append(_twins(setting, CRAN, StepByStep, 1, options.repeats))
    rows.append((lambda: peaks(options.repeats), "memory"))
    return rows


def _twins(
    setting: Setting,
    mine: type[CRAN],
    theirs: type[CRAN],
    threads: int,
    repeats: int,
    learns: bool = True,
) -> Row:
    what = "" if learns else ", read only"
    name = f"{setting.title}, {TWINS[mine]}{what}, {threads} threads"

    def measure() -> results.BenchRow:
        calls = [pass_over(build(setting, kind), setting, learns) for kind in (mine, theirs)]
        row = compare(
            f"{setting.title}, {TWINS[mine]}{what}",
            *calls,
            baseline_name=TWINS[theirs],
            same=lambda one, other: torch.allclose(one, other, rtol=1e-4, atol=1e-5),
            repeats=repeats,
            threads=threads,
        )
        return _per_second(row, setting)

    return measure, f"{name} against {TWINS[theirs]}"


def _lstm(setting: Setting, threads: int, repeats: int) -> Row:
    def measure() -> results.BenchRow:
        width = setting.core.hidden
        torch.manual_seed(0)
        lstm = Recurrent(width)
        calls = [pass_over(model, setting, True) for model in (build(setting, CRAN), lstm)]
        row = compare(
            f"{setting.title}, C++",
            *calls,
            baseline_name=f"nn.LSTM({width}, {width})",
            repeats=repeats,
            threads=threads,
        )
        return _per_second(row, setting)

    return measure, f"{setting.title}, C++, {threads} threads against nn.LSTM"


def _per_second(row: results.BenchRow, setting: Setting) -> results.BenchRow:
    assert row.measured is not None
    assert row.baseline is not None
    mine, theirs = (1e3 * setting.tokens / time for time in (row.measured, row.baseline))
    note = f"{mine:,.0f} tokens/s, theirs {theirs:,.0f}"
    return replace(row, metric="time of a window (ms)", note=note)


def build(setting: Setting, kind: type[CRAN]) -> CRAN:
    """Return the network of a setting; its weights are those of all its twins."""
    torch.manual_seed(0)
    model = setting.core.build(setting.core.hidden)
    model.__class__ = kind
    return model


def pass_over(model: nn.Module, setting: Setting, learns: bool) -> Callable[[], Tensor]:
    """Return a function that reads a window, backward too if it learns, and returns the output."""
    generator = torch.Generator().manual_seed(0)

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    width = setting.core.hidden
    x = draw(setting.batch, setting.steps, width).requires_grad_(learns)
    outer = draw(setting.batch, setting.steps, width)
    state = full_memory(setting)

    def once() -> Tensor:
        for part in (x, *model.parameters()):
            part.grad = None
        with torch.set_grad_enabled(learns):
            output, _ = model(x, state)
        if learns:
            output.backward(outer)
        return output.detach()

    return once


@torch.no_grad()
def full_memory(setting: Setting) -> CRANState:
    """Return what the network remembers of a text just long enough to fill its memory."""
    model, zones = build(setting, CRAN), setting.core
    generator = torch.Generator().manual_seed(1)
    shape = (setting.batch, zones.zones * zones.slots, zones.hidden)
    return model(torch.randn(shape, generator=generator), model.init_state(setting.batch))[1]


def peaks(repeats: int, short: int = 20, long: int = 200) -> results.BenchRow:
    """Compare the peaks of memory of learning from a short text and from a long one."""
    pairs = [(_peak_of(long), _peak_of(short)) for _ in range(repeats)]
    ratio, low, high = ratio_interval(pairs)
    middle = [sorted(side)[repeats // 2] for side in zip(*pairs, strict=True)]
    return results.BenchRow(
        row=f"{NARROW.title}, memory of a text of {long} windows",
        metric="peak (MB)",
        measured=middle[0],
        baseline=middle[1],
        baseline_name=f"text of {short} windows",
        ratio=ratio,
        ratio_interval=(low, high),
        repeats=repeats,
        commit=results.commit(),
        created=results.now(),
        machine=f"{results.machine()}, 1 thread",
        note="the whole process, PyTorch included",
    )


def _peak_of(windows: int) -> float:
    command = [sys.executable, __file__, "--windows", str(windows)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def read_text(windows: int) -> float:
    """Learn from a text, window by window, and return the peak of this process (MB)."""
    torch.set_num_threads(1)
    model, state = build(NARROW, CRAN), full_memory(NARROW)
    for _ in range(windows):
        x = torch.randn(NARROW.batch, NARROW.steps, NARROW.core.hidden)
        output, state = model(x, state.detach())
        output.sum().backward()
        model.zero_grad()
    # Not getrusage, which begins with the peak of the process that started this one.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.findall(r"VmHWM:\s+(\d+)", status)[0]) / 1024


if __name__ == "__main__":
    main()
