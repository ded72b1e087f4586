"""Pictures of a trained DMN: what its hops read of a story, and how hard its gates choose.

    memnets train dmn-plus/babi --data.tasks 2 --data.size 10k --out runs/dmn
    python docs/figures/draw_dmn.py runs/dmn            # several runs: those of other seeds

Draws dmn-football.png and dmn-gates.png beside itself, and writes results/dmn-gates.json: for the
test questions of the runs, how far each read is from that of the slot alone that was read most, by
the entropy of its gates, and how many answers are right if that slot alone is read. Without a run
it draws dmn-distance.png alone, from results/dmn-babi-distance.json.
"""

import itertools
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import torch
import torch.nn.functional as F
import tyro
from torch import Tensor

from memnets import load, results
from memnets.attention import Argmax, Readout
from memnets.experiments.run import to_json
from memnets.models.dmn import DMN
from memnets.report import plots
from memnets.results import Data, Row, Table
from memnets.studies.babi.dmn.recipes import DMNAnswerer
from memnets.tasks.supported import SupportedQuestions

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STORY = (
    "Mary journeyed to the garden.",
    "Daniel moved to the hallway.",
    "Mary got the football there.",
    "John went back to the bathroom.",
    "Mary travelled to the kitchen.",
    "Daniel went to the bedroom.",
    "Sandra moved to the garden.",
)
QUESTION = "Where is the football?"
BINS = (0.0, 0.1, 0.3, 1.0, 5.0)
"""Edges of entropies, in nats, whose reads are put together in a row."""
BATCH = 500
DISTANCE = "dmn-babi-distance"
"""The table of accuracy by how long ago the earliest support was told."""
LOOKS = (
    *((plots.BLUE, "-", "o"), (plots.ORANGE, "--", "s")),
    *((plots.RED, "-.", "^"), ("#009E73", ":", "D")),
)
"""Colour, line and marker of each curve, in order."""


@dataclass(frozen=True)
class Draw:
    """Draw what a trained DMN reads."""

    runs: tyro.conf.Positional[tuple[Path, ...]] = ()
    """Folders of runs of a DMN on bAbI that differ in their seed; the first is drawn."""
    results: Path | None = None
    """Where the figures go, and come from; by default the checkout's results folder."""
    pictures: Path = Path(__file__).parent


class Reads(NamedTuple):
    """Of each question: every hop's entropy and distance, and whether the answers are right."""

    entropy: Tensor  # hop question
    distance: Tensor  # hop question
    soft: Tensor
    hard: Tensor


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the pictures and write the figures."""
    options = tyro.cli(Draw, args=arguments, prog="python docs/figures/draw_dmn.py")
    if not options.runs:
        table = results.read((options.results or results.results_folder()) / f"{DISTANCE}.json")
        assert isinstance(table, Table)
        plots.save(by_distance(table), options.pictures / "dmn-distance.png")
        return
    trained = [opened(path) for path in options.runs]
    answer = trained[0].ask(STORY, QUESTION)
    plots.save(plots.evidence(answer), options.pictures / "dmn-football.png")
    found = {
        one.run.loop.seed: reads(one.model, one.vocabulary.number(one.stories.test))
        for one in trained
    }
    results.write(summed_up(found, trained[0]), options.results or results.results_folder())
    plots.save(picture(next(iter(found.values()))), options.pictures / "dmn-gates.png")


def opened(path: Path) -> DMNAnswerer:
    """Return the trained model of a run."""
    answerer = load(path)
    if not isinstance(answerer, DMNAnswerer):
        sys.exit(f"{path}: expected a run of a DMN on bAbI. Train one: memnets train dmn-plus/babi")
    answerer.check_data()
    return answerer


@torch.no_grad()
def reads(model: DMN, data: SupportedQuestions) -> Reads:
    """Read every question softly, and then each hop's slot of largest weight alone."""
    soft_align, parts = model.memory.align, []
    for rows in torch.arange(data.number).split(BATCH):
        asked = data.sentences, data.story[rows], data.length[rows], data.question[rows]
        soft = model(*asked)
        story = model.remember(*asked[:3])
        found, _ = model.episodes(story, asked[3])
        entropy, distance = zip(*apart(model, found.hops, found.remembered), strict=True)
        model.memory.align = Argmax()
        hard = model(*asked)
        model.memory.align = soft_align
        right = [
            model.head.words(reply.scores)[:, 0] == data.answer[rows, 0] for reply in (soft, hard)
        ]
        parts.append(Reads(torch.stack(entropy), torch.stack(distance), *right))
    return Reads(*(torch.cat(part, -1) for part in zip(*parts, strict=True)))


def apart(
    model: DMN, hops: Sequence[Readout], remembered: Tensor
) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield each hop's entropy, and its distance from the hard read over that one's length."""
    for hop in hops:
        weights, value = hop.weights.squeeze(-2), hop.value.squeeze(-2)
        alone = F.one_hot(weights.argmax(-1), weights.shape[-1]).to(weights)
        hard = model.memory.read(remembered, alone)
        yield torch.special.entr(weights).sum(-1), (value - hard).norm(dim=-1) / hard.norm(dim=-1)


def summed_up(found: Mapping[int, Reads], answerer: DMNAnswerer) -> Table:
    """Return the mean distance of the reads of such entropies, and what is right, over seeds."""
    rows = []
    for low, high in itertools.pairwise(BINS):
        means = {
            seed: one.distance[inside].mean().item()
            for seed, one in found.items()
            if (inside := (one.entropy >= low) & (one.entropy < high)).any()
        }
        name, metric = f"{low:g} to {high:g} nats", "distance of the read from that of one slot"
        if means:
            rows.append(measured(name, metric, means, "", "lower"))
        else:
            rows.append(results.not_run(name, metric, unit="", better="lower", note="no such read"))
    for name in ("soft", "hard"):
        right = {
            seed: 100 * getattr(one, name).float().mean().item() for seed, one in found.items()
        }
        rows.append(measured(f"{name} gates", "questions right", right, "%", "higher"))
    return Table(
        name="dmn-gates",
        command="python docs/figures/draw_dmn.py RUN ...",
        config={"run": to_json(answerer.run)},
        data=Data(**asdict(answerer.stories.record), split="test"),
        rows=tuple(rows),
    )


def measured(
    name: str,
    metric: str,
    values: Mapping[int, float],
    unit: str,
    better: Literal["higher", "lower"],
) -> Row:
    """Return a row of the mean over seeds."""
    return results.measured(
        name, metric, values, unit=unit, better=better, selection="mean over all seeds"
    )


def picture(found: Reads) -> "Figure":
    """Draw the reads of each hop: their distance from that of one slot, by their entropy."""
    from matplotlib.figure import Figure

    hops = len(found.entropy)
    figure = Figure(figsize=(3.4 * hops, 3.2))
    panels = figure.subplots(1, hops, sharex=True, sharey=True, squeeze=False)[0]
    right = found.soft
    for hop, axes in enumerate(panels):
        for which, colour, label in (
            (right, plots.BLUE, "answered right"),
            (~right, plots.RED, "answered wrong"),
        ):
            axes.plot(
                found.entropy[hop, which].numpy(),
                found.distance[hop, which].numpy(),
                ".",
                color=colour,
                markersize=3,
                alpha=0.5,
                label=label,
            )
        axes.set_title(f"hop {hop + 1}", fontsize=10, loc="left")
        axes.set_xlabel("entropy of the gates (nats)", fontsize=9)
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel(
        "distance of the read from that of\nthe slot read most, over its length", fontsize=9
    )
    panels[-1].legend(frameon=False, fontsize=8, markerscale=3)
    figure.subplots_adjust(wspace=0.08)
    return figure


def by_distance(table: Table) -> "Figure":
    """Draw accuracy over how long ago the earliest support was told, with each mean's interval."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.5, 3.4))
    axes = figure.subplots()
    for curve, (colour, line, marker) in zip(table.series, LOOKS, strict=False):
        spread = curve.spread or (0.0,) * len(curve.y)
        low, high = (
            [y + sign * s for y, s in zip(curve.y, spread, strict=True)] for sign in (-1, 1)
        )
        axes.fill_between(curve.x, low, high, color=colour, alpha=0.15, linewidth=0)
        axes.plot(curve.x, curve.y, linestyle=line, marker=marker, color=colour, label=curve.name)
    axes.set(xscale="log", ylim=(0, 103))
    axes.set_xticks(table.series[0].x, [f"{x:g}" for x in table.series[0].x])
    axes.minorticks_off()
    axes.set_xlabel("sentences since the earliest support, at most")
    axes.set_ylabel("questions right (%)")
    axes.legend(frameon=False, fontsize=8, loc="lower left")
    plots.plain_axes(axes)
    return figure


if __name__ == "__main__":
    main()
