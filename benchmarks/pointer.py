"""Teaching a pointer network: all choices in one call, and step by step as others do.

    python benchmarks/pointer.py      writes results/bench-pointer.json

Both have the same weights, the same sets of points and the same loss, which goes back to all
weights. The loop takes a step of the second LSTM, projects every point again, scores them with the
hidden layer laid out, and takes the logarithm of their softmax, as public implementations do; a
second one projects the points once, before its steps. Sets have 5, 10 and 50 points, targets are
their hulls; tours of 10 and 50 points have a choice for every point.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
import tyro
from rich.console import Console
from torch import Tensor

from memnets import results
from memnets.data.geometry import PROBLEMS
from memnets.models.pointer import PointNetwork, paper
from memnets.models.seq2seq import modern_initial
from memnets.ops import native
from memnets.report.tables import Terminal
from timing import compare


@dataclass(frozen=True)
class Setting:
    """What is taught.

    Attributes:
        problem: what is asked of the points.
        points: of a set.
        batch: sets of an update.
        hidden: width of a state.
    """

    problem: str
    points: int
    batch: int = 128
    hidden: int = 128


SETTINGS = (
    Setting("hull", 5),
    Setting("hull", 10),
    Setting("tour", 10),
    Setting("hull", 50),
    Setting("tour", 50),
    Setting("tour", 50, hidden=256),
)


@dataclass(frozen=True)
class Options:
    """What is measured."""

    only: str = ""
    """Part of a row's name; nothing is written then."""
    repeats: int = 9
    """Pairs of a row."""
    threads: tuple[int, ...] = (1,)
    """Threads of torch; a row for each."""
    results: Path | None = None
    """Folder for the result; by default results, in the checkout or else where you are."""


def at_once(model: PointNetwork, points: Tensor, length: Tensor, target: Tensor) -> Tensor:
    """Return the loss of a batch: ours."""
    return model.loss(points, length, target).sum()


def by_step(
    model: PointNetwork, points: Tensor, length: Tensor, target: Tensor, again: bool = True
) -> Tensor:
    """Return the same loss, one choice after the other.

    Args:
        model: as ours.
        points: sets of one size.
        length: how many points each has.
        target: what is to be chosen, 0 behind it.
        again: whether the points are projected at every step.
    """
    decoder, rows = model.decoder, torch.arange(len(points))
    embedded = model.embedding(points)
    states, (hidden, cell) = model.source.core.cells(embedded)
    keys = torch.cat([decoder.stop.expand(len(points), 1, -1), states], 1)
    cells = decoder.core.cells
    weights = cells.weight_ih_l0, cells.weight_hh_l0, cells.bias_ih_l0, cells.bias_hh_l0
    state, given = (hidden[0], cell[0]), model.first.expand(len(points), -1)
    projected = decoder.score.key_weight(keys)
    told = torch.nn.functional.pad(target, (0, 1))
    going, loss = torch.ones(len(points), dtype=torch.bool), torch.zeros(())
    for chosen in told.unbind(1):
        state = torch._VF.lstm_cell(given, state, *weights)
        known = decoder.score.key_weight(keys) if again else projected
        asked = decoder.score.query_weight(state[0]).unsqueeze(1)
        scores = decoder.score.hidden_weight(torch.tanh(known + asked)).squeeze(-1)
        log_prob = scores.log_softmax(-1)
        loss = loss - log_prob[rows, chosen].masked_fill(~going, 0.0).sum()
        going = going & (chosen > 0)
        if not going.any():
            break
        given = embedded[rows, (chosen - 1).clamp(min=0)]
    return loss


Way = Callable[..., Tensor]
LOOPS: dict[str, Way] = {
    "a loop that projects the points at every step": by_step,
    "a loop that projects the points once": partial(by_step, again=False),
}


def taught(way: Way, setting: Setting) -> Callable[[], list[Tensor]]:
    """Return a function that teaches a batch, and returns the loss and all gradients."""
    model = paper(2, setting.hidden, setting.hidden // 2, initial=modern_initial)
    model.reset_parameters(torch.Generator().manual_seed(0))
    dice = np.random.default_rng(0)
    drawn = PROBLEMS[setting.problem].draw(dice, setting.batch, setting.points)
    points, target = map(torch.from_numpy, drawn)
    length = torch.full((setting.batch,), setting.points)
    weights = list(model.parameters())

    def once() -> list[Tensor]:
        loss = way(model, points, length, target)
        return [loss.detach(), *torch.autograd.grad(loss, weights)]

    return once


def are_close(mine: list[Tensor], theirs: list[Tensor]) -> bool:
    """Return whether losses and gradients agree, each to a part of its largest number."""
    return all(
        bool((one - other).abs().max() <= 1e-4 * other.abs().max())
        for one, other in zip(mine, theirs, strict=True)
    )


def main() -> None:
    options = tyro.cli(Options, description=__doc__)
    rows = []
    for threads in options.threads:
        for setting in SETTINGS:
            name = f"{setting.problem} of {setting.points} points, {setting.hidden} units"
            name += f", {threads} thread{'s' * (threads > 1)}"
            for baseline, loop in LOOPS.items():
                if options.only in f"{name} against {baseline}":
                    calls = taught(at_once, setting), taught(loop, setting)
                    rows.append(
                        compare(
                            name,
                            *calls,
                            baseline_name=baseline,
                            same=are_close,
                            repeats=options.repeats,
                            threads=threads,
                        )
                    )
    bench = results.Benchmark(
        name="pointer",
        command="python benchmarks/pointer.py",
        config={"repeats": options.repeats, "kernels": native.kernels()},
        rows=tuple(rows),
    )
    Console().print(Terminal(bench))
    if not options.only:
        path = results.write(bench, options.results or results.results_folder())
        Console().print(f"\n{path}")


if __name__ == "__main__":
    main()
