"""Two ways to what is far away: more layers, or attention. How far back does an encoder recall?

    python examples/recall_versus_distance.py

A sequence of random symbols has one marked step; the last step has to name the symbol that stood
there. Encoders of about as many parameters learn it from the same sequences, with marks at all
distances, and are then asked at each. Writes results/recall-distance.json and
docs/figures/recall-distance.png; takes a few minutes on one core.
"""

import math
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
import tyro
from torch import Tensor, nn

from memnets import results
from memnets.layers import (
    ConvolutionalEncoder,
    Encoder,
    RecurrentEncoder,
    SelfAttentionEncoder,
)
from memnets.report import plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAME = "recall-distance"
SYMBOLS = 8
STEP = SYMBOLS + 1
"""Width of a step: its symbol as one of eight, and the mark."""
TEST_SEED = 1_000_003


@dataclass(frozen=True)
class Options:
    """Measure recall against distance, for convolution, recurrence and self-attention."""

    steps: int = 32
    """Length of a sequence; the mark stands 0 to steps - 1 before its end."""
    parameters: int = 10_000
    """How many each encoder may have."""
    updates: int = 800
    """How often each is trained, with Adam."""
    batch: int = 32
    """Sequences of an update."""
    learning_rate: float = 3e-3
    """Of Adam."""
    seeds: int = 3
    """How often everything is repeated."""
    asked: int = 100
    """Test sequences of each distance."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""
    picture: Path | None = None
    """Where the picture goes; by default into the checkout's documents."""


def convolution(layers: int) -> Callable[[int], Encoder]:
    """Return what builds convolutions of a depth, for any width."""
    return lambda hidden: ConvolutionalEncoder(STEP, hidden, width=5, layers=layers)


ENCODERS: dict[str, Callable[[int], Encoder]] = {
    "convolution, 2 layers": convolution(2),
    "convolution, 4 layers": convolution(4),
    "convolution, 8 layers": convolution(8),
    "recurrence (GRU)": lambda hidden: RecurrentEncoder(nn.GRU(STEP, hidden)),
    "self-attention, 1 block": lambda hidden: SelfAttentionEncoder(STEP, 2 * hidden, heads=2),
}
GREEN = "#009E73"
STYLES = {
    "convolution, 2 layers": (plots.GREY, ":", 1.8),
    "convolution, 4 layers": (plots.ORANGE, "--", 1.8),
    "convolution, 8 layers": (GREEN, "-", 1.8),
    "recurrence (GRU)": (plots.RED, "-", 4.5),
    "self-attention, 1 block": (plots.BLUE, "-", 1.8),
}
"""Colour, line and width; the wide one lies under whatever it coincides with."""


class Recall(nn.Module):
    """Name a symbol from what the encoder makes of the last step."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.symbol_weight = nn.Linear(encoder.hidden, SYMBOLS)

    def forward(self, x: Tensor) -> Tensor:
        return self.symbol_weight(self.encoder(x)[:, -1])


def main() -> None:
    """Measure, write the figures, draw them."""
    options = tyro.cli(Options, description=__doc__)
    table = measure(options)
    path = results.write(table, options.results or results.results_folder())
    figures = results.results_folder().parent / "docs" / "figures"
    picture = options.picture or figures / f"{NAME}.png"
    plots.save(draw(table), picture)
    print(path, picture, sep="\n")


def measure(options: Options) -> results.Table:
    """Train every encoder with every seed, and return its recall by distance."""
    rows, series = [], []
    for name, make in ENCODERS.items():
        began, recall = time.perf_counter(), {}
        for seed in range(options.seeds):
            torch.manual_seed(seed)
            model = within(options.parameters, make)
            train(model, options, seed)
            recall[seed] = asked_at_each_distance(model, options)
            print(f"{name}, seed {seed}: {statistics.fmean(recall[seed]):.1f} %", file=sys.stderr)
        rows.append(
            results.measured(
                name,
                "recall, mean over distances",
                {seed: statistics.fmean(curve) for seed, curve in recall.items()},
                unit="%",
                better="higher",
                selection="last update; nothing was chosen",
                wall_s=time.perf_counter() - began,
                note=described(within(options.parameters, make)),
            )
        )
        series.append(by_distance(name, list(recall.values())))
    kept = {k: v for k, v in asdict(options).items() if k not in ("results", "picture")}
    return results.Table(
        name=NAME,
        command="python examples/recall_versus_distance.py",
        config={**kept, "spread": "half of the 95 % interval of the mean over seeds"},
        data=results.Data("marked symbols, generated", None, "test"),
        rows=tuple(rows),
        series=tuple(series),
    )


def within(parameters: int, make: Callable[[int], Encoder]) -> Recall:
    """Return the widest model that has no more parameters."""
    hidden = 1
    while count(Recall(make(hidden + 1))) <= parameters:
        hidden += 1
    return Recall(make(hidden))


def count(model: nn.Module) -> int:
    """Return how many parameters a model has."""
    return sum(parameter.numel() for parameter in model.parameters())


def described(model: Recall) -> str:
    """Say how far back a model sees, and how large it is."""
    before = model.encoder.reach.before
    sight = "all steps" if before == math.inf else f"{before:.0f} steps"
    return f"sees {sight} back; {count(model):,} parameters"


def sequences(distances: Tensor, steps: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Return sequences with a mark at these distances from their end, and the marked symbols."""
    symbols = torch.randint(SYMBOLS, (len(distances), steps), generator=generator)
    marked = (steps - 1 - distances).unsqueeze(-1)
    mark = torch.arange(steps) == marked
    x = torch.cat([F.one_hot(symbols, SYMBOLS), mark.unsqueeze(-1)], -1)
    return x.float(), symbols.gather(-1, marked).squeeze(-1)


def train(model: Recall, options: Options, seed: int) -> None:
    """Train a model on marks at all distances."""
    generator = torch.Generator().manual_seed(seed)
    adam = torch.optim.Adam(model.parameters(), options.learning_rate)
    for _ in range(options.updates):
        distances = torch.randint(options.steps, (options.batch,), generator=generator)
        x, symbols = sequences(distances, options.steps, generator)
        adam.zero_grad()
        F.cross_entropy(model(x), symbols).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()


@torch.no_grad()
def asked_at_each_distance(model: Recall, options: Options) -> list[float]:
    """Return how often the marked symbol was named, in per cent, by distance."""
    generator = torch.Generator().manual_seed(TEST_SEED)

    def recall() -> Iterator[float]:
        for distance in range(options.steps):
            distances = torch.full((options.asked,), distance)
            x, symbols = sequences(distances, options.steps, generator)
            yield 100 * float((model(x).argmax(-1) == symbols).float().mean())

    return list(recall())


def by_distance(name: str, curves: list[list[float]]) -> results.Series:
    """Return the mean over seeds, and half of its interval."""
    points = list(zip(*curves, strict=True))
    intervals = [results.interval(point) for point in points]
    halves = tuple((high - low) / 2 for low, high in filter(None, intervals))
    return results.Series(
        name=name,
        x=tuple(float(distance) for distance in range(len(points))),
        y=tuple(statistics.fmean(point) for point in points),
        spread=halves or None,
    )


def draw(table: results.Table) -> "Figure":
    """Draw recall over distance, with the interval of every mean."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 3.6))
    axes = figure.subplots()
    axes.axhline(100 / SYMBOLS, color=plots.GREY, linewidth=0.8, linestyle=":")
    axes.annotate("guessing", (0, 100 / SYMBOLS), (0, -10), textcoords="offset points", fontsize=8)
    for series in table.series:
        colour, style, width = STYLES[series.name]
        axes.plot(series.x, series.y, style, color=colour, linewidth=width, label=series.name)
        if series.spread is not None:
            low = [max(0.0, y - half) for y, half in zip(series.y, series.spread, strict=True)]
            high = [min(100.0, y + half) for y, half in zip(series.y, series.spread, strict=True)]
            axes.fill_between(series.x, low, high, color=colour, alpha=0.15, linewidth=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set(ylim=(0, 103), xlim=(0, None))
    axes.set_xlabel("distance of the marked step from the end (steps)")
    axes.set_ylabel("recall (%)")
    axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=9)
    return figure


if __name__ == "__main__":
    main()
