"""Pictures of Turing machines: what they do, step by step, and their costs at other lengths.

    memnets reproduce ntm-copy --runs RUNS
    memnets reproduce ntm-repeat-copy --runs RUNS
    memnets reproduce ntm-recall --runs RUNS
    python docs/figures/draw_ntm.py RUNS

Draws beside itself ntm-copy.png, ntm-repeat-copy.png and ntm-recall.png, what the machine that
validation would choose says, writes, reads and where its heads stand when it copies 30 vectors, or
10 of them ten times, and when it is asked which of 6 items came after one; and ntm-lengths.png,
what a sequence costs beyond the lengths that were learnt, from each table that is whole.
"""

import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import torch
import tyro
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from torch import Tensor

from memnets import load, results
from memnets.files import read_json
from memnets.memories.external import Watched
from memnets.report import plots
from memnets.studies.sequences.inference import one_of
from memnets.studies.sequences.recipes import SequencesAnswerer

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STEPS = {"ntm-copy": 30, "ntm-repeat-copy": 10, "ntm-recall": 6}
"""Of each table whose sequences are drawn step by step: vectors that are copied, once or ten times;
items."""
CORES = {"NTM, LSTM controller": "o-", "NTM, feed-forward controller": "s--", "LSTM": "^:"}
"""Rows that are drawn, and how."""
LENGTHS = {
    "ntm-copy": ("vectors", 20, (20, 30, 50, 120)),
    "ntm-repeat-copy": ("vectors, ten times", 10, (10, 20)),
    "ntm-recall": ("items", 6, (6, 8, 10, 12, 15)),
}
"""Of each table: what is counted, the most that was learnt from, and what was tested."""


@dataclass(frozen=True)
class Draw:
    """Draw what trained Turing machines do."""

    runs: tyro.conf.Positional[Path]
    """Folder with the folders of the tables' runs."""
    results: Path = field(default_factory=results.results_folder)
    """Where the results of the tables are."""
    pictures: Path = Path(__file__).parent
    """Where the pictures go."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw all pictures."""
    options = tyro.cli(Draw, args=arguments, prog="python docs/figures/draw_ntm.py")
    for name, size in STEPS.items():
        answerer = load(_chosen(options.runs / name / "ntm-lstm-controller"))
        assert isinstance(answerer, SequencesAnswerer)
        plots.save(_steps(answerer, size), options.pictures / f"{name}.png")
    plots.save(_lengths(options.results), options.pictures / "ntm-lengths.png")


def _chosen(row: Path) -> Path:
    """Return the run of a row with the lowest validation loss."""
    found = {read_json(one)["metrics"]["valid"]["loss"]: one for one in row.glob("*/result.json")}
    if not found:
        sys.exit(f"{row}: no finished run. Run both tables first.")
    return found[min(found)].parent


@torch.no_grad()
def _steps(answerer: SequencesAnswerer, size: int) -> Figure:
    drawn = one_of(answerer.run.data.held_out("test")[size], 0)
    shown = torch.from_numpy(drawn.shown)
    model = answerer.model
    said, watched = model(shown)[0].sigmoid(), model.core.watch(shown)
    said[~torch.from_numpy(drawn.asked)] = 0.0
    figure = Figure(figsize=(11, 6.4), layout="constrained")
    axes = figure.subplots(3, 2, sharex=True, height_ratios=(1, 2, 4))
    slots = _used(watched)
    stood = torch.einsum("ts,tsd->td", watched.writing[0, :, 0], watched.memory[0])
    panels: tuple[tuple[str, Tensor, str], ...] = (
        ("shown", shown[0], "Greys"),
        ("said", said, "Greys"),
        ("where it wrote, afterwards", stood, "RdBu"),
        ("read", watched.reads[0, :, 0], "RdBu"),
        ("writing: slots", watched.writing[0, :, 0, slots], "Greys"),
        ("reading: slots", watched.reading[0, :, 0, slots], "Greys"),
    )
    for one, (name, values, colours) in zip(axes.flat, panels, strict=True):
        most = 1.0 if colours == "Greys" else float(values.abs().max())
        one.imshow(
            values.mT, aspect="auto", cmap=colours, vmin=-most if colours == "RdBu" else 0.0,
            vmax=most, interpolation="nearest",
        )  # fmt: skip
        one.set_title(name, fontsize=10, loc="left")
        one.set_yticks([])
    for one in axes[-1]:
        one.set_xlabel("step")
    return figure


def _used(watched: Watched) -> Tensor:
    """Return the slots where a head stood, from the first that was written on around the ring."""
    slots = watched.writing.shape[-1]
    first = int(watched.writing[0, 0, 0].argmax())
    ring = (torch.arange(slots) + first) % slots
    taken = torch.cat([watched.writing[0, :, 0], watched.reading[0, :, 0]]).amax(0) > 0.05
    return ring[taken[ring]]


def _lengths(folder: Path) -> Figure:
    measured = {name: rows for name in LENGTHS if (rows := _measured(folder, name))}
    figure = Figure(figsize=(5.5 * len(measured), 3.6), layout="constrained")
    panels = figure.subplots(1, len(measured), squeeze=False)[0]
    for axes, (name, rows) in zip(panels, measured.items(), strict=True):
        words, most, sizes = LENGTHS[name]
        for core, style in CORES.items():
            costs = [rows[f"{core}: {size} {words}"].values for size in sizes]
            middle = [statistics.median(values) for values in costs]
            axes.plot(sizes, middle, style, label=core)
            axes.fill_between(sizes, [min(v) for v in costs], [max(v) for v in costs], alpha=0.15)
        _label(axes, words, most)
    return figure


def _measured(folder: Path, name: str) -> dict[str, results.Row]:
    """Return the rows of a table by their names; none where some are not run yet."""
    table = results.read(folder / f"{name}.json")
    assert isinstance(table, results.Table)
    rows = {row.row: row for row in table.rows}
    return rows if all(row.values for row in table.rows) else {}


def _label(axes: "Axes", words: str, most: int) -> None:
    axes.axvspan(0, most, color="0.93", zorder=0)
    axes.set_xlim(left=0)
    axes.set_yscale("symlog", linthresh=0.01)
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(f"{words}; learnt from up to {most}")
    axes.set_ylabel("bits a sequence")
    axes.legend(fontsize=8)


if __name__ == "__main__":
    main()
