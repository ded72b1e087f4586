"""Pictures of the table of capacities: every rule on the same patterns, and Hebb's two laws.

memnets reproduce hopfield-capacity
python docs/figures/draw_capacity.py        # draws capacity-rules.png and capacity-laws.png
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import tyro

from memnets import results
from memnets.memories.hopfield.capacity import AMIT, most_stable, share_stable
from memnets.report import plots
from memnets.report.recall import Law, capacity_plot
from memnets.results import Series, Table

CLAIMED = 0.6
"""Patterns a neuron that a textbook gives a Boltzmann machine, without saying by what criterion."""
NEURONS = 100
RULES = ("hebb", "storkey", "pseudo-inverse", "boltzmann")
LARGE = 1000


@dataclass(frozen=True)
class Draw:
    """Draw the table of capacities."""

    results: Path = field(default_factory=results.results_folder)
    """Folder of hopfield-capacity.json."""
    pictures: Path = Path(__file__).parent
    """Where the pictures go."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw both pictures."""
    options = tyro.cli(Draw, args=arguments, prog="python docs/figures/draw_capacity.py")
    table = results.read(options.results / "hopfield-capacity.json")
    assert isinstance(table, Table)
    rules = [called(table, f"{rule}, N = {NEURONS}, 10% turned", rule) for rule in RULES]
    claim = [Law("0.138", (AMIT,)), Law("0.6, claimed", (CLAIMED,))]
    plots.save(capacity_plot(rules, claim), options.pictures / "capacity-rules.png")
    start = f"hebb, N = {LARGE}, from the pattern"
    laws = [
        called(table, start, "exactly stable"),
        called(table, f"{start}, overlap 0.9", "overlap of 0.9 and more"),
    ]
    loads = laws[0].x
    told = [
        Law("1 / (2 ln N)", (most_stable(LARGE),)),
        Law("0.138", (AMIT,)),
        Law("stable by the erfc law", loads, tuple(share_stable(load, LARGE) for load in loads)),
    ]
    plots.save(capacity_plot(laws, told), options.pictures / "capacity-laws.png")


def called(table: Table, name: str, words: str) -> Series:
    """Return a curve of the table, under another name.

    Raises:
        ValueError: it was not measured.
    """
    for series in table.series:
        if series.name == name:
            return replace(series, name=words)
    raise ValueError(
        f"{table.name} holds no curve {name!r}. Measure it: memnets reproduce {table.name}"
    )


if __name__ == "__main__":
    main()
