"""Pictures of energy memories: recall over the load, attractors, a recall in frames."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memnets.files import write_bytes
from memnets.report.plots import BLUE, DPI, GREY, ORANGE, RED, _figure, plain_axes
from memnets.results import Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

STYLES = ((BLUE, "o-"), (ORANGE, "s--"), (RED, "^-."), (GREY, "d:"))


class Law(NamedTuple):
    """What theory says: a load where something ends, or a curve where there are points."""

    name: str
    loads: tuple[float, ...]
    shares: tuple[float, ...] = ()


def capacity_plot(curves: Sequence[Series], laws: Sequence[Law] = ()) -> "Figure":
    """Draw how many patterns are recalled over the load, with intervals, and what laws say."""
    figure = _figure(6.4, 3.6)
    axes = figure.subplots()
    plain_axes(axes)
    for place, curve in enumerate(curves):
        colour, style = STYLES[place % len(STYLES)]
        spread = curve.spread or (0.0,) * len(curve.x)
        axes.plot(curve.x, curve.y, style, color=colour, markersize=4, label=curve.name)
        low = [max(0.0, y - half) for y, half in zip(curve.y, spread, strict=True)]
        high = [min(1.0, y + half) for y, half in zip(curve.y, spread, strict=True)]
        axes.fill_between(curve.x, low, high, color=colour, alpha=0.18, linewidth=0)
    for place, law in enumerate(laws):
        if law.shares:
            axes.plot(law.loads, law.shares, color="black", linewidth=1, label=law.name)
            continue
        axes.axvline(law.loads[0], color="black", linewidth=0.9, linestyle=":")
        axes.annotate(
            law.name,
            (law.loads[0], 1.0),
            (3, 4 + 11 * (place % 2)),  # on two lines, so that none covers its neighbour
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            fontsize=8,
        )
    axes.set(ylim=(-0.03, 1.03), xlabel="load (patterns a neuron)", ylabel="patterns recalled")
    axes.set_xlim(left=0)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=2, frameon=False, fontsize=8)
    return figure


def attractors_plot(
    states: Sequence[Sequence[int]],
    basins: Sequence[float],
    energies: Sequence[float],
    called: Sequence[str],
) -> "Figure":
    """Draw stable states, one a row: its neurons, its share of all states, its energy.

    Args:
        states: of 1 and -1.
        basins: share of all states that end there.
        energies: of the states.
        called: what each is: a stored pattern, its negative, or neither.
    """
    count = len(states)
    figure = _figure(8.2, 0.24 * count + 0.9)
    neurons, shares = figure.subplots(1, 2, width_ratios=(2.2, 1))
    figure.subplots_adjust(wspace=0.06)
    neurons.imshow(states, cmap="Greys", vmin=-1.4, vmax=1.4, aspect="auto")
    neurons.set_yticks(range(count))
    words = [f"{name}  E {energy:.3g}" for name, energy in zip(called, energies, strict=True)]
    neurons.set_yticklabels(words, fontsize=8, parse_math=False)
    neurons.set_xlabel("neuron", fontsize=9)
    neurons.set_xticks([])
    neurons.tick_params(length=0)
    plain_axes(shares, grid="x")
    stored = ["stored" in name for name in called]
    colours = [BLUE if one else GREY for one in stored]
    shares.barh(range(count), [100 * basin for basin in basins], color=colours, height=0.7)
    shares.set(ylim=(count - 0.5, -0.5), yticks=[])
    shares.set_xlabel("states that end here (%)", fontsize=9)
    return figure


class Told(NamedTuple):
    """A recall to be drawn: pictures as rows of grey from 0 to 1, and the energy flip by flip.

    Attributes:
        stored: the pattern that the cue resembles most.
        cue: where it began.
        states: after every flip, the cue first.
        energies: of these.
        title: what is told of the end.
    """

    stored: Any
    cue: Any
    states: Sequence[Any]
    energies: Sequence[float]
    title: str


def recall_plot(told: Told, step: int | None = None) -> "Figure":
    """Draw a recall: stored, cue, and where it has come to; the energy below.

    Args:
        told: the recall.
        step: flips that it has come; by default to its end.
    """
    step = len(told.states) - 1 if step is None else step
    figure = _figure(6.4, 4.2)
    parts: Any = figure.subfigures(2, 1, height_ratios=(1.5, 1))
    above, below = parts
    shown = (("stored", told.stored), ("cue", told.cue), (f"after {step} flips", told.states[step]))
    for axes, (name, picture) in zip(above.subplots(1, 3), shown, strict=True):
        axes.imshow(picture, cmap="Greys", vmin=0, vmax=1, interpolation="nearest")
        axes.set(xticks=[], yticks=[])
        axes.set_title(name, fontsize=10)
    above.suptitle(told.title, fontsize=10)
    above.subplots_adjust(top=0.78, bottom=0.02, left=0.05, right=0.95)
    _draw_energy(below.subplots(), told, step)
    below.subplots_adjust(bottom=0.32, left=0.14, right=0.95, top=0.95)
    return figure


def _draw_energy(axes: "Axes", told: Told, step: int) -> None:
    plain_axes(axes)
    axes.plot(told.energies, "-", color="#cccccc", linewidth=1.2)
    axes.plot(told.energies[: step + 1], "-", color=BLUE, linewidth=1.8)
    axes.plot(step, told.energies[step], "o", color=BLUE, markersize=5)
    low, high = min(told.energies), max(told.energies)
    room = 0.08 * (high - low or 1)
    last = max(1, len(told.energies) - 1)
    axes.set(ylim=(low - room, high + room), xlim=(-0.02 * last, 1.02 * last))
    axes.set_xlabel("flips", fontsize=9)
    axes.set_ylabel("energy", fontsize=9)


def save_animation(told: Told, path: Path, frames: int = 20, milliseconds: int = 160) -> None:
    """Write a recall as a GIF; its last frame stays longer.

    Args:
        told: the recall.
        path: of the file.
        frames: of which there are no more.
        milliseconds: that a frame stays.

    Raises:
        ImportError: Pillow or matplotlib is not installed.
    """
    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise ImportError(
            "animations are written by Pillow, which is not installed. "
            "Run: pip install 'memnets[plot]'"
        ) from None
    last = len(told.states) - 1
    shown = sorted({round(last * frame / max(1, frames - 1)) for frame in range(frames)})
    drawn = []
    for step in shown:
        buffer = io.BytesIO()
        recall_plot(told, step).savefig(buffer, format="png", dpi=DPI // 2, facecolor="white")
        drawn.append(Image.open(buffer).convert("P"))
    stays = [milliseconds] * (len(drawn) - 1) + [10 * milliseconds]
    gif = io.BytesIO()
    drawn[0].save(gif, "GIF", save_all=True, append_images=drawn[1:], duration=stays, loop=0)
    write_bytes(path, gif.getvalue())
