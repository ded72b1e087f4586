"""Measures and draws what the page on memory says: slots, what is cut, and what converges.

    python docs/figures/draw_memory.py

Writes results/memory.json, and memory-slots.png, memory-cut.png and memory-learning.png beside
itself. Nothing is trained for longer than a second.
"""

import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import torch
import tyro
from torch import Tensor

from memnets import results
from memnets.attention import Attention, Dot, Softmax
from memnets.memories import SlotMemory
from memnets.memories.hopfield import (
    Asynchronous,
    BoltzmannChains,
    BoltzmannRule,
    Hebb,
    HopfieldNetwork,
    LearningRule,
    flipped,
    random_patterns,
)
from memnets.report import plots
from memnets.report.recall import STYLES
from memnets.results import Row, Series, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SEEDS = 10
ITEMS, KEY = 16, 32
"""Items that are told one after the other, and the width of what they are found by."""
MEMORIES = 25
"""Memories of a seed, each told items of its own."""
DAMAGES = (0.1, 0.3, 0.4)
"""Shares of a cue that are turned."""
SLOTS = tuple(range(1, ITEMS + 1))
NEURONS, STORED, CUE = 200, (10, 20), 0.1
CUTS = tuple(number / 10 for number in range(10))
UNITS, LOADS = 100, (0.1, 0.2)
UPDATES = (1, 2, 3, 5, 10, 20, 50, 100, 300)
LISTED = (1, 2, 5, 300)
"""Of these the figures are listed; of all they are drawn."""
LINES = (("", "X"), ("-", "o"), (":", "v"))
"""How each rule is drawn: its line and its marks."""
LEARNERS = {"Hebb": None, "Boltzmann": BoltzmannRule, "Boltzmann by chains": BoltzmannChains}
LIKE = 0.9
"""Overlap with its pattern from which a cut network has recalled it."""


@dataclass(frozen=True)
class Draw:
    """Measure recall of slots, of cut networks and of two rules, and draw it."""

    results: Path = field(default_factory=results.results_folder)
    """Where memory.json goes."""
    pictures: Path = Path(__file__).parent
    """Where the pictures go."""
    seeds: int = SEEDS
    """Networks and memories of every kind."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, write and draw."""
    options = tyro.cli(Draw, args=arguments, prog="python docs/figures/draw_memory.py")
    found = measure(options.seeds)
    results.write(found, options.results)
    draw(found, options.pictures)


def measure(seeds: int) -> Table:
    """Return everything that the pictures show, and its figures."""
    curves: list[Series] = []
    rows: list[Row] = []
    for damage in DAMAGES:
        by_seed = [[of_slots(slots, damage, seed) for slots in SLOTS] for seed in range(seeds)]
        name = f"slots, {damage:.0%} of a cue turned"
        curves.append(_curve(name, SLOTS, by_seed))
        rows.extend(_row(f"{slots} {name}", by_seed, SLOTS.index(slots)) for slots in (4, 16))
    for patterns in STORED:
        by_seed = [list(of_cut(patterns, seed)) for seed in range(seeds)]
        name = f"couplings cut, {patterns} patterns in {NEURONS} neurons"
        curves.append(_curve(name, CUTS, by_seed))
        rows.extend(_row(f"{CUTS[at]:.0%} of {name}", by_seed, at) for at in (5, 8))
    by_seed = [list(of_lost(STORED[0], seed)) for seed in range(seeds)]
    curves.append(_curve("slots lost", CUTS, by_seed))
    rows.extend(_row(f"{CUTS[at]:.0%} of slots lost", by_seed, at) for at in (5, 8))
    for load in LOADS:
        for name, learner in LEARNERS.items():
            counts = UPDATES if learner else (1,)
            learnt = [of_rule(learner, load, seed) for seed in range(seeds)]
            shares, times = ([one[part] for one in learnt] for part in (0, 1))
            for place, updates in enumerate(counts):
                if updates in LISTED or learner is None:
                    row = f"{name}, updates: {updates}" if learner else name
                    rows.append(_row(f"{row}, load {load:g}", shares, place))
                    rows.append(_row(f"{row}, load {load:g}, time", times, place, in_time=True))
            curves.append(_curve(f"{name}, load {load:g}", counts, shares))
            middle = [[statistics.median(column) for column in zip(*times, strict=True)]]
            curves.append(_curve(f"{name}, load {load:g}, time", counts, middle))
    return Table(
        name="memory",
        command="python docs/figures/draw_memory.py",
        config={"seeds": seeds, "items": ITEMS, "key": KEY, "neurons": NEURONS, "units": UNITS},
        data=results.Data("random patterns of 1 and -1", None, "every stored pattern"),
        rows=tuple(rows),
        series=tuple(curves),
    )


def of_slots(slots: int, damage: float, seed: int) -> float:
    """Return the share of items that a damaged cue brings back, of a row of slots.

    All are told; where no slot is free the oldest goes.
    """
    generator = torch.Generator().manual_seed(seed)
    keys, values = (
        random_patterns(MEMORIES * ITEMS, KEY, generator).float().view(MEMORIES, ITEMS, KEY)
        for _ in range(2)
    )
    memory = SlotMemory(slots, KEY, KEY)
    state = memory.init_state(MEMORIES)
    for item in range(ITEMS):
        state = memory.step(state, keys[:, item], values[:, item])
    cues = flipped(keys, damage, generator)
    read = Attention(Dot(), Softmax())(cues, state.keys, state.values, state.mask.unsqueeze(-2))
    return float((read.value.sign() == values).all(-1).double().mean())


def of_cut(patterns: int, seed: int) -> list[float]:
    """Return the share of patterns that is recalled, by the share of couplings that is cut."""
    generator = torch.Generator().manual_seed(seed)
    stored = random_patterns(patterns, NEURONS, generator)
    cues = flipped(stored, CUE, generator)
    weights = Hebb().learn(stored).weights
    order = torch.rand(weights.shape, generator=generator).triu(1)
    order = order + order.mT  # what is cut goes both ways
    cut = (HopfieldNetwork(weights * (order >= share)) for share in CUTS)
    return [_recalled(network, stored, cues, LIKE) for network in cut]


def of_lost(patterns: int, seed: int) -> list[float]:
    """Return the share of patterns that is recalled, by the share of slots that is lost."""
    generator = torch.Generator().manual_seed(seed)
    stored = random_patterns(patterns, NEURONS, generator).float()
    cues = flipped(stored, CUE, generator)
    memory = SlotMemory(patterns, NEURONS, NEURONS)
    state = memory.init_state(1)
    for pattern in stored:
        state = memory.step(state, pattern.unsqueeze(0), pattern.unsqueeze(0))
    order, found = torch.randperm(patterns, generator=generator), []
    for share in CUTS:
        left = order >= round(share * patterns)
        read = Attention(Dot(), Softmax())(cues.unsqueeze(0), state.keys, state.values, left[None])
        overlaps = (read.value[0] * stored).mean(1)
        found.append(float((overlaps >= LIKE).double().mean()))
    return found


def of_rule(
    learner: type[BoltzmannRule] | type[BoltzmannChains] | None, load: float, seed: int
) -> tuple[list[float], list[float]]:
    """Return recall, and the milliseconds that it took to learn, by updates; none are Hebb's."""
    generator = torch.Generator().manual_seed(seed)
    stored = random_patterns(round(load * UNITS), UNITS, generator)
    cues = flipped(stored, CUE, generator)
    rules: list[LearningRule] = [learner(one) for one in UPDATES] if learner else [Hebb()]
    rules[0].learn(stored)  # once beforehand, so that no first call is timed
    shares, times = [], []
    for rule in rules:
        begun = time.perf_counter()
        network = rule.learn(stored)
        times.append(1000 * (time.perf_counter() - begun))
        shares.append(_recalled(network, stored, cues, 1.0))
    return shares, times


def _recalled(network: HopfieldNetwork, stored: Tensor, cues: Tensor, overlap: float) -> float:
    states = Asynchronous().recall(network, cues).states
    overlaps = (states.double() * stored).mean(1)
    return float((overlaps >= overlap - 1e-6).double().mean())


def _curve(name: str, x: Sequence[float], by_seed: Sequence[Sequence[float]]) -> Series:
    columns = list(zip(*by_seed, strict=True))
    ends = [results.interval(column) or (column[0], column[0]) for column in columns]
    return Series(
        name=name,
        x=tuple(map(float, x)),
        y=tuple(sum(column) / len(column) for column in columns),
        spread=tuple((high - low) / 2 for low, high in ends),
    )


def _row(
    name: str, by_seed: Sequence[Sequence[float]], place: int, *, in_time: bool = False
) -> Row:
    values = {seed: values[place] for seed, values in enumerate(by_seed)}
    return results.measured(
        name,
        "time to learn" if in_time else "patterns recalled",
        values,
        unit="ms" if in_time else "share",
        better="lower" if in_time else "higher",
        # A pause of the machine would move the mean of times.
        reported=statistics.median(values.values()) if in_time else None,
        selection="median of all seeds" if in_time else "mean of all seeds",
    )


def draw(table: Table, folder: Path) -> None:
    """Draw the three pictures."""
    curves = {series.name: series for series in table.series}
    for name, drawn in (("slots", _slots), ("cut", _cut), ("learning", _learning)):
        plots.save(drawn(curves), folder / f"memory-{name}.png")


def _slots(curves: Mapping[str, Series]) -> "Figure":
    figure = plots._figure(6.4, 3.2)
    axes = figure.subplots()
    for place, damage in enumerate(DAMAGES):
        curve = curves[f"slots, {damage:.0%} of a cue turned"]
        _plot(axes, place, curve, f"{damage:.0%} of a cue turned")
    kept = [slots / ITEMS for slots in SLOTS]
    axes.plot(SLOTS, kept, ":", color="black", label="what is still there")
    return _finished(figure, axes, "slots", f"recalled of {ITEMS} items")


def _cut(curves: Mapping[str, Series]) -> "Figure":
    figure = plots._figure(6.4, 3.2)
    axes = figure.subplots()
    for place, patterns in enumerate(STORED):
        name = f"couplings cut, {patterns} patterns in {NEURONS} neurons"
        _plot(axes, place, curves[name], name)
    _plot(axes, 2, curves["slots lost"], f"slots lost, {STORED[0]} patterns in {STORED[0]} slots")
    return _finished(figure, axes, "share that is cut or lost", "patterns recalled")


def _learning(curves: Mapping[str, Series]) -> "Figure":
    figure = plots._figure(7.6, 3.2)
    steps, clock = figure.subplots(1, 2, sharey=True)
    for place, load in enumerate(LOADS):
        for name, (line, mark) in zip(LEARNERS, LINES, strict=True):
            recall = curves[f"{name}, load {load:g}"]
            label, style = f"{name}, load {load:g}", {"color": STYLES[place][0], "markersize": 5}
            spent = curves[f"{name}, load {load:g}, time"].y
            steps.plot(recall.x, recall.y, mark, linestyle=line, label=label, **style)
            clock.plot(spent, recall.y, mark, linestyle=line, label=label, **style)
    for axes in (steps, clock):
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
    _finished(figure, clock, "time to learn (ms)", "")
    clock.get_legend().remove()
    return _finished(figure, steps, "updates; Hebb: one sum", "patterns recalled", across=1.05)


def _plot(axes: "Axes", place: int, curve: Series, label: str) -> None:
    colour, style = STYLES[place]
    axes.plot(curve.x, curve.y, style, color=colour, markersize=4, label=label)
    pairs = list(zip(curve.y, curve.spread or (0.0,) * len(curve.y), strict=True))
    low = [max(0.0, y - half) for y, half in pairs]
    high = [min(1.0, y + half) for y, half in pairs]
    axes.fill_between(curve.x, low, high, color=colour, alpha=0.18, linewidth=0)


def _finished(figure: "Figure", axes: "Axes", x: str, y: str, *, across: float = 0.5) -> "Figure":
    plots.plain_axes(axes)
    axes.set(ylim=(-0.03, 1.05), xlabel=x, ylabel=y)
    place = (across, -0.2)
    axes.legend(loc="upper center", bbox_to_anchor=place, ncols=2, frameon=False, fontsize=8)
    return figure


if __name__ == "__main__":
    main()
