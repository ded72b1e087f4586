"""The Neural Turing Machine's training step: its C++ op, its plain twin, and another's NTM.

    python benchmarks/ntm.py --peer PATH      writes results/bench-ntm.json

PATH is a checkout of pytorch-ntm; without it there are no rows of it. A step is forward, backward
and an update of copies of 20 vectors. The peer's network is of the paper's sizes too, with as many
heads; its start, its cosine and the place of its reads differ, and so do its losses' bits.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
import tyro
from rich.console import Console
from torch import Tensor, nn

from memnets import results
from memnets.models.ntm import NTM, Conventions
from memnets.ops import native
from memnets.report.tables import Terminal
from timing import compare

BITS = 8
PEER = "pytorch-ntm"


@dataclass(frozen=True)
class Setting:
    """Sizes of a training step; those of memory and controller are the paper's.

    Attributes:
        batch: sequences of an update.
        steps: of a sequence; half of them are to be said.
        hidden: width of the controller's state.
        slots: of the memory.
        width: of a slot.
    """

    batch: int
    steps: int = 40
    hidden: int = 100
    slots: int = 128
    width: int = 20

    @property
    def title(self) -> str:
        return f"{self.batch} sequences of {self.steps} steps"


SETTINGS = (Setting(1), Setting(16), Setting(64))


@dataclass(frozen=True)
class Options:
    """Time a training step of the Turing machine against its plain twin and a peer."""

    peer: Path | None = None
    """A checkout of pytorch-ntm."""
    only: str = ""
    """Only the rows whose name has this in it; nothing is then written."""
    repeats: int = 7
    """Pairs of a comparison."""
    threads: tuple[int, ...] = (1, 2)
    """Threads of both; each number is tried."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""


def main() -> None:
    options = tyro.cli(Options, description=__doc__)
    rows = [row for make, name in plan(options) if options.only in name for row in (make(),)]
    bench = results.Benchmark(
        name="ntm",
        command="python benchmarks/ntm.py --peer PATH",
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
    peer = None if options.peer is None else peer_at(options.peer)
    return [
        row
        for threads in options.threads
        for setting in SETTINGS
        for row in (
            _row(setting, "plain twin", plain_step(setting), threads, options.repeats, same),
            *(
                [_row(setting, PEER, peer_step(peer, setting), threads, options.repeats)]
                if peer is not None
                else []
            ),
        )
    ]


def _row(
    setting: Setting,
    name: str,
    theirs: Callable[[], Any],
    threads: int,
    repeats: int,
    same: Callable[[Any, Any], bool] | None = None,
) -> Row:
    title = f"NTM, {setting.title}, beside {name}, {threads} threads"

    def measure() -> results.BenchRow:
        return compare(
            title,
            our_step(setting),
            theirs,
            baseline_name=name,
            same=same,
            repeats=repeats,
            threads=threads,
            note=f"forward, backward and RMSProp; T {setting.steps}, B {setting.batch}",
        )

    return measure, title


def copies(setting: Setting) -> tuple[Tensor, Tensor]:
    """Return sequences to be copied, and what is to be said; none of it is a delimiter."""
    generator = torch.Generator().manual_seed(0)
    half = setting.steps // 2
    told = torch.randint(0, 2, (setting.batch, half, BITS), generator=generator).float()
    shown = torch.zeros(setting.batch, setting.steps, BITS + 1)
    shown[:, :half, :BITS] = told
    return shown, told


class Ours(nn.Module):
    """A Turing machine with a linear answer, that reads before it writes as the peer does."""

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        conventions = Conventions(order="read first")
        sizes = setting.hidden, setting.slots, setting.width
        self.core = NTM(BITS + 1, *sizes, conventions=conventions)
        self.answer = nn.Linear(self.core.hidden, BITS)

    def forward(self, shown: Tensor) -> Tensor:
        return self.answer(self.core(shown)[0]).sigmoid()


def our_step(setting: Setting) -> Callable[[], Tensor]:
    """Return a function that trains by one update and returns the loss of the first weights."""
    shown, told = copies(setting)
    return _step(lambda: _seeded(lambda: Ours(setting)), lambda model: model(shown), told)


def plain_step(setting: Setting) -> Callable[[], Tensor]:
    """Return the same by the plain twin."""
    once = our_step(setting)

    def without_the_op() -> Tensor:
        before = os.environ.get(native.PLAIN)
        os.environ[native.PLAIN] = "1"
        try:
            return once()
        finally:
            if before is None:
                del os.environ[native.PLAIN]
            else:
                os.environ[native.PLAIN] = before

    return without_the_op


def peer_at(path: Path) -> Any:
    """Return the peer's module of the whole network.

    Raises:
        FileNotFoundError: there is none.
    """
    if not (path / "ntm" / "aio.py").is_file():
        raise FileNotFoundError(
            f"--peer {path}: expected a checkout of pytorch-ntm, with ntm/aio.py in it. "
            f"Run git clone https://github.com/loudinthecloud/pytorch-ntm {path}."
        )
    sys.path.insert(0, str(path))
    try:
        return importlib.import_module("ntm.aio")
    finally:
        sys.path.remove(str(path))


def peer_step(peer: Any, setting: Setting) -> Callable[[], Tensor]:
    """Return a function that trains the peer by one update, as its own training script does."""
    shown, told = copies(setting)

    def build() -> nn.Module:
        sizes = setting.hidden, 1, 1, setting.slots, setting.width
        return peer.EncapsulatedNTM(BITS + 1, BITS, *sizes)

    def run(model: Any) -> Tensor:
        model.init_sequence(setting.batch)
        said = [model(step)[0] for step in shown.unbind(1)]
        return torch.stack(said, 1)

    return _step(lambda: _seeded(build), run, told)


def _seeded(build: Callable[[], nn.Module]) -> nn.Module:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return build()


def _step(
    build: Callable[[], nn.Module], run: Callable[[Any], Tensor], told: Tensor
) -> Callable[[], Tensor]:
    model = build()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-9, momentum=0.9, alpha=0.95)

    def once() -> Tensor:
        optimizer.zero_grad()
        loss = F.binary_cross_entropy(run(model)[:, -told.shape[1] :], told)
        loss.backward()
        for weight in model.parameters():
            weight.grad.clamp_(-10, 10)
        optimizer.step()
        return loss.detach()

    return once


def same(one: Tensor, other: Tensor) -> bool:
    """Return whether two losses agree."""
    return bool(torch.allclose(one, other, rtol=1e-4))


if __name__ == "__main__":
    main()
