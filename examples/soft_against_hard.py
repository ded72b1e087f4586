"""Is a spiky softmax near hard attention? How far the two reads are apart, by entropy.

    python examples/soft_against_hard.py

writes results/soft-against-hard.json and draws docs/figures/soft-against-hard.png from it. Queries,
keys and values are random; the scores of each read are multiplied by ever larger scales, which is
one over a temperature. Beside the distance stands what is left of the gradient.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import torch
import tyro
from rich.console import Console
from torch import Tensor

from memnets import results
from memnets.attention import Argmax, Attention, ScaledDot, Softmax
from memnets.report.plots import BLUE, GREY, ORANGE, save
from memnets.report.tables import Terminal
from memnets.results import Row, Series, Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

SOFT = Attention(score=ScaledDot(), align=Softmax())
HARD = Attention(score=ScaledDot(), align=Argmax())

DISTANCE = "distance of the soft from the hard read"
GRADIENT = "gradient of the read by its scores"
BESIDE = "over the length of the hard one"
CARRIERS = "smallest share of the reads that carries nine tenths of the gradient"
BINS = ((0.0, 0.1), (0.1, 1.0), (1.0, 2.0), (2.0, math.inf))
"""Entropies, in nats, whose reads are put together in a row."""
SHOWN = (1.0, 4.0, 16.0)
"""Scales of the example."""
EXAMPLE = 5, 9, 8
"""Its queries, slots and width."""
DOTS = 59
"""Reads a scale that are drawn one by one."""


@dataclass(frozen=True)
class Options:
    """Compare soft with hard reads of random memories."""

    seeds: int = 11
    reads: int = 499
    """Reads a seed and a scale, each of a memory of its own."""
    slots: int = 16
    dim: int = 32
    scales: tuple[float, ...] = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
    """What the scores are multiplied by."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""
    picture: Path = Path(__file__).parents[1] / "docs" / "figures" / "soft-against-hard.png"


class Reads(NamedTuple):
    """What the reads of one seed came to, a row a scale."""

    entropy: Tensor
    distance: Tensor
    gradient: Tensor


def main() -> None:
    """Measure, write the figures and draw the picture."""
    options = tyro.cli(Options, description=__doc__)
    drawn = [reads(seed, options) for seed in range(options.seeds)]
    table = summed_up(drawn, options)
    path = results.write(table, options.results or results.results_folder())
    save(picture(table, drawn[0], options), options.picture)
    Console().print(Terminal(table), f"\n{path}\n{options.picture}", sep="\n")


def reads(seed: int, options: Options) -> Reads:
    """Read random memories softly, at every scale, and hard."""
    generator = torch.Generator().manual_seed(seed)
    query, keys, values = (
        torch.randn(options.reads, count, options.dim, generator=generator, dtype=torch.float64)
        for count in (1, options.slots, options.slots)
    )
    hard = HARD(query, keys, values).value
    length = hard.norm(dim=-1)
    found = []
    for scale in options.scales:
        soft, weights, *_ = SOFT(scale * query, keys, values)
        entropy = torch.special.entr(weights).sum(-1)
        distance = (soft - hard).norm(dim=-1) / length
        gradient = jacobian(weights, values, soft).flatten(-2).norm(dim=-1, keepdim=True) / length
        found.append(torch.stack([entropy, distance, gradient]).squeeze(-1))
    return Reads(*torch.stack(found, 1))


def jacobian(weights: Tensor, values: Tensor, read: Tensor) -> Tensor:
    r"""Return how a read moves with its scores, $\partial r / \partial e_j = w_j (v_j - r)$."""
    return weights.mT * (values - read)


def summed_up(drawn: Sequence[Reads], options: Options) -> Table:
    """Return the means over the reads of a seed, by entropy and by scale."""
    measured = {DISTANCE: [seed.distance for seed in drawn], GRADIENT: [s.gradient for s in drawn]}
    entropies = [seed.entropy for seed in drawn]
    return Table(
        name="soft-against-hard",
        command="python examples/soft_against_hard.py",
        config={
            **{
                name: value
                for name, value in asdict(options).items()
                if name not in ("results", "picture")
            },
            "series": "the mean over seeds by scale; spread: half of its 95 % interval",
        },
        data=None,
        rows=(
            *(
                _row(what, low, high, _in_bin(entropies, of_seeds, low, high))
                for what, of_seeds in measured.items()
                for low, high in BINS
            ),
            *(
                _share(scale, [carriers(seed.gradient[place]) for seed in drawn])
                for place, scale in enumerate(options.scales)
            ),
        ),
        series=tuple(
            _series(name, options.scales, of_seeds)
            for name, of_seeds in (("entropy", entropies), *measured.items())
        ),
    )


def _in_bin(
    entropies: Sequence[Tensor], of_seeds: Sequence[Tensor], low: float, high: float
) -> dict[int, float]:
    """Return the mean of every seed that has reads of such entropies."""
    inside = [(low <= entropy) & (entropy < high) for entropy in entropies]
    return {
        seed: numbers[where].mean().item()
        for seed, (numbers, where) in enumerate(zip(of_seeds, inside, strict=True))
        if where.any()
    }


def _row(what: str, low: float, high: float, values: dict[int, float]) -> Row:
    entropies = f"{low:g} to {high:g}" if high < math.inf else f"over {low:g}"
    name, metric = f"{what.split()[0]}, {entropies} nats", f"{what}, {BESIDE}"
    if not values:
        return results.not_run(name, metric, unit="", better="lower", note="no such read")
    return results.measured(
        name, metric, values, unit="", better="lower", selection="mean over all seeds"
    )


def carriers(gradient: Tensor) -> float:
    """Return the smallest share of the reads that has nine tenths of all their gradient, in %."""
    total = gradient.sort(descending=True).values.cumsum(0)
    return 100 * ((total < 0.9 * total[-1]).sum().item() + 1) / len(gradient)


def _share(scale: float, shares: Sequence[float]) -> Row:
    return results.measured(
        f"share, scores ×{scale:g}",
        CARRIERS,
        dict(enumerate(shares)),
        unit="%",
        better="higher",
        selection="mean over all seeds",
    )


def _series(name: str, scales: Sequence[float], of_seeds: Sequence[Tensor]) -> Series:
    means = torch.stack(list(of_seeds)).mean(-1).T.tolist()  # scale seed
    ends = [results.interval(values) or (values[0], values[0]) for values in means]
    return Series(
        name=name,
        x=tuple(scales),
        y=tuple(statistics.fmean(values) for values in means),
        spread=tuple((high - low) / 2 for low, high in ends),
    )


def picture(table: Table, dots: Reads, options: Options) -> "Figure":
    """Draw both curves over the entropy, and one example beside its hard read."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.5, 6.3))
    above, below = figure.subfigures(2, 1, height_ratios=(1.5, 1))
    panels = above.subplots(1, 2)
    above.subplots_adjust(left=0.07, right=0.98, bottom=0.14, top=0.88, wspace=0.2)
    entropy, distance, gradient = table.series
    titles = "The spikier the weights, the nearer the reads", "… and the fewer reads still learn"
    for axes, curve, of_reads, colour, title in zip(
        panels,
        (distance, gradient),
        (dots.distance, dots.gradient),
        (BLUE, ORANGE),
        titles,
        strict=True,
    ):
        axes.plot(
            dots.entropy[:, :DOTS].flatten().numpy(),
            of_reads[:, :DOTS].flatten().numpy(),
            ".",
            color="#bbbbbb",
            markersize=2.5,
            label="one read",
            zorder=1,
        )
        _draw_curve(axes, entropy, curve, colour, options)
        axes.set_title(title, fontsize=11, loc="left", fontweight="bold", pad=14)
        axes.set_ylabel(f"{curve.name},\n{BESIDE}", fontsize=9)
    _draw_example(below)
    return figure


def _draw_curve(
    axes: "Axes", entropy: Series, curve: Series, colour: str, options: Options
) -> None:
    axes.errorbar(
        entropy.y,
        curve.y,
        xerr=entropy.spread,
        yerr=curve.spread,
        fmt="o-",
        color=colour,
        markersize=4.5,
        linewidth=1.6,
        capsize=2,
        zorder=3,
        label=f"mean of {options.seeds} seeds, 95 % interval",
    )
    for scale, x, y in zip(curve.x, entropy.y, curve.y, strict=True):
        axes.annotate(
            f"×{scale:g}",
            (x, y),
            (5, -11),
            textcoords="offset points",
            fontsize=8,
            zorder=2,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.6},
        )
    uniform = math.log(options.slots)
    axes.axvline(uniform, color=GREY, linewidth=0.8, linestyle=":")
    axes.annotate(
        "all slots alike",
        (uniform, 1),
        (-2, 3),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        ha="right",
        fontsize=8,
        color=GREY,
    )
    axes.set_xlabel("entropy of the softmax weights (nats)", fontsize=9)
    axes.set(xlim=(-0.05, uniform + 0.12), ylim=(-0.03, None))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8, loc="best")


def _draw_example(part: "SubFigure") -> None:
    queries, slots, dim = EXAMPLE
    generator = torch.Generator().manual_seed(0)
    query, keys = (torch.randn(count, dim, generator=generator) for count in (queries, slots))
    shown = [(f"softmax of scores ×{s:g}", SOFT(s * query, keys).weights) for s in SHOWN]
    hard = HARD(query, keys)
    shown.append(("argmax: the hard read", HARD.align(SOFT.score(query, keys))))
    panels = part.subplots(1, len(shown))
    part.subplots_adjust(left=0.07, right=0.98, bottom=0.17, top=0.76, wspace=0.08)
    for axes, (title, weights) in zip(panels, shown, strict=True):
        soft = weights @ keys
        apart = (soft - hard.value).norm() / hard.value.norm()
        mean = torch.special.entr(weights).sum(-1).mean()
        _draw_weights(axes, weights)
        axes.set_title(f"{title}\nentropy {mean:.2f}, distance {apart:.2f}", fontsize=9)
    panels[0].set_ylabel("query", fontsize=9)
    panels[0].set_yticks(range(queries))


def _draw_weights(axes: "Axes", weights: Tensor) -> None:
    axes.imshow(weights.numpy(), cmap="Blues", vmin=0, vmax=1.05, aspect="auto")
    for row, column in torch.cartesian_prod(*map(torch.arange, weights.shape)).tolist():
        weight = weights[row, column].item()
        if weight >= 0.05:
            axes.text(
                column,
                row,
                f"{weight:.1f}".lstrip("0"),
                ha="center",
                va="center",
                fontsize=7.5,
                color="white" if weight > 0.55 else "black",
            )
    axes.set_xticks(range(weights.shape[1]))
    axes.set_yticks([])
    axes.set_xlabel("slot", fontsize=9)
    axes.tick_params(length=0, labelsize=8)
    axes.spines[:].set_visible(False)


if __name__ == "__main__":
    main()
