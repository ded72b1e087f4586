"""`memnets capacity`: how many patterns a Hopfield network recalls, and all its attractors."""

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rich import box
from rich.console import Console
from rich.table import Table

from memnets.cli.options import parse
from memnets.results import interval

if TYPE_CHECKING:
    from memnets.results import Series

Rule = Literal["hebb", "storkey", "pseudo-inverse", "boltzmann", "exponential"]
LISTED = 40
"""Attractors that are printed and drawn, those with the largest basins."""


@dataclass(frozen=True)
class Capacity:
    """Measure how many random patterns a Hopfield network recalls, load by load.

    With --attractors every stable state of a small network is listed, with how many states lead to
    it. The table `hopfield-capacity` holds the whole measurement: memnets reproduce.
    """

    rules: tuple[Rule, ...] = ("hebb", "storkey", "pseudo-inverse")
    """Learning rules; all are given the same patterns."""
    neurons: int = 100
    """Number of neurons."""
    loads: tuple[float, ...] = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6)
    """Patterns that are stored, as shares of the neurons."""
    noise: float = 0.1
    """Share of a pattern's neurons that its cue has turned; 0 asks whether patterns are stable."""
    overlap: float = 1.0
    """Overlap with the pattern from which it counts as recalled; 1 is exactly."""
    seeds: int = 10
    """Number of networks for each load."""
    attractors: int | None = None
    """Number of patterns to store in one small network, whose stable states are listed instead."""
    seed: int = 0
    """With --attractors: seed of its patterns."""
    picture: Path | None = None
    """PNG or PDF to draw the result into."""

    def __post_init__(self) -> None:
        for name, value in (("neurons", self.neurons), ("seeds", self.seeds)):
            if value < 1:
                raise ValueError(f"--{name} {value}: expected at least 1. Pass --{name} 10, say.")
        if self.seed < 0:
            raise ValueError(f"--seed {self.seed}: expected at least 0. Pass --seed 0.")
        if not 0 <= self.noise <= 1 or not 0 < self.overlap <= 1:
            raise ValueError(
                f"--noise {self.noise:g} --overlap {self.overlap:g}: expected a noise from 0 to 1 "
                f"and an overlap above 0, up to 1. Pass --noise 0.1 --overlap 1."
            )
        said = f"--loads {' '.join(f'{load:g}' for load in self.loads)}"
        fit = all(0 < load < math.inf for load in self.loads)
        if not self.loads or not fit or list(self.loads) != sorted(set(self.loads)):
            raise ValueError(
                f"{said}: expected finite loads above 0, from small to large. "
                f"Pass --loads 0.05 0.1 0.2, say."
            )
        if "pseudo-inverse" in self.rules and min(self.loads) >= 1:
            raise ValueError(
                f"{said}: the rule pseudo-inverse holds fewer patterns than neurons, expected a "
                f"load below 1. Pass --loads 0.5, say, or other --rules."
            )
        if self.attractors is not None and self.attractors < 1:
            raise ValueError(
                f"--attractors {self.attractors}: expected the number of patterns to store, at "
                f"least 1. Pass --attractors 3 --neurons 16, say."
            )

    def run(self) -> int:
        return self._measure() if self.attractors is None else self._list()

    def _measure(self) -> int:
        from memnets.memories.hopfield.capacity import capacity
        from memnets.studies.hopfield.capacity import Curve, measure, series

        drawn, halves = [], []
        for rule in self.rules:
            loads = tuple(load for load in self.loads if rule != "pseudo-inverse" or load < 1)
            curve = Curve(
                rule=rule,
                neurons=self.neurons,
                loads=loads,
                noise=self.noise,
                overlap=self.overlap,
            )
            shares = measure(curve, range(self.seeds))
            drawn.append(series(curve, shares))
            halves.append(_with_interval([capacity(loads, of_seed) for of_seed in shares]))
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column("patterns a neuron", overflow="fold")
        for rule in self.rules:
            table.add_column(rule, justify="right", overflow="fold")
        for place, load in enumerate(self.loads):
            shares_at = (curve.y[place] if place < len(curve.y) else None for curve in drawn)
            table.add_row(f"{load:g}", *("–" if y is None else f"{y:.1%}" for y in shares_at))
        table.add_section()
        table.add_row("half recalled at", *halves)
        Console().print(table)
        print(
            f"{self.neurons} neurons, {self.noise:.0%} of a cue's turned, {self.seeds} networks a "
            f"load; recalled: overlap {self.overlap:g} or more. Below, the load at which half are "
            f"recalled, with its 95 % interval."
        )
        if self.picture is not None:
            self._draw(drawn)
        return 0

    def _draw(self, curves: "list[Series]") -> None:
        from memnets.memories.hopfield.capacity import AMIT, most_stable, share_stable
        from memnets.report.plots import save
        from memnets.report.recall import Law, capacity_plot

        assert self.picture is not None
        last = max(self.loads)
        fine = tuple(last * step / 100 for step in range(1, 101))
        laws = [
            Law("0.138", (AMIT,)),
            Law("1 / (2 ln N)", (most_stable(max(2, self.neurons)),)),
            Law(
                "stable by the erfc law (Hebb)",
                fine,
                tuple(share_stable(load, self.neurons) for load in fine),
            ),
        ]
        save(capacity_plot(curves, laws), self.picture)
        print(self.picture, file=sys.stderr)

    def _list(self) -> int:
        import torch

        from memnets.memories.hopfield import LearningRule, attractors, random_patterns
        from memnets.memories.hopfield.capacity import RULES

        assert self.attractors is not None
        rule = self.rules[0]
        learner = RULES[rule]()
        if not isinstance(learner, LearningRule):
            raise ValueError(
                f"--rules {rule} --attractors: expected a rule that makes couplings. "
                f"Pass --rules hebb, say."
            )
        generator = torch.Generator().manual_seed(self.seed)
        patterns = random_patterns(self.attractors, self.neurons, generator)
        network = learner.learn(patterns)
        found = attractors(network)
        called = [_called(state, patterns.tolist()) for state in found.states.tolist()]
        basins = (found.basin.double() / 2**self.neurons).tolist()
        energies = (found.energies.double() / network.scale).tolist()
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for name in ("stable state", "what it is", "states that end here", "energy"):
            table.add_column(name, justify="right" if "en" in name else "left", overflow="fold")
        rows = list(zip(found.states.tolist(), called, basins, energies, strict=True))[:LISTED]
        for state, name, basin, energy in rows:
            drawn = "".join("#" if one > 0 else "." for one in state)
            table.add_row(drawn, name, f"{basin:.2%}", f"{energy:.4g}")
        Console().print(table)
        spurious = called.count("neither")
        print(
            f"{rule}, {self.neurons} neurons, {self.attractors} patterns: {len(called)} stable "
            f"states, {spurious} of them neither stored nor the negative of one; neurons have "
            f"their turns in order."
        )
        if self.picture is not None:
            from memnets.report.plots import save
            from memnets.report.recall import attractors_plot

            states, names, shares, depths = zip(*rows, strict=True)
            save(attractors_plot(states, shares, depths, names), self.picture)
            print(self.picture, file=sys.stderr)
        return 0


def _called(state: list[int], patterns: list[list[int]]) -> str:
    for number, pattern in enumerate(patterns, start=1):
        if state == pattern:
            return f"stored {number}"
        if state == [-one for one in pattern]:
            return f"negative of stored {number}"
    return "neither"


def _with_interval(values: list[float]) -> str:
    mean, ends = sum(values) / len(values), interval(values)
    return f"{mean:.3f}" + (f" ± {ends[1] - mean:.3f}" if ends else "")


def main(arguments: Sequence[str]) -> int:
    """Measure, print and draw."""
    return parse(Capacity, arguments, prog="memnets capacity").run()
