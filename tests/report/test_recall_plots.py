"""Pictures of what energy memories recall: every line, bar and word where it belongs."""

import builtins

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from matplotlib.colors import to_hex
from PIL import Image

from memnets.report.plots import BLUE, GREY
from memnets.report.recall import (
    STYLES,
    Law,
    Told,
    attractors_plot,
    capacity_plot,
    recall_plot,
    save_animation,
)
from memnets.results import Series


def line(one):
    return one.get_xdata().tolist(), one.get_ydata().tolist(), one.get_label()


def band(one):
    """Return where a band is filled: its lower and its upper edge by place."""
    edges = {}
    for x, y in one.get_paths()[0].vertices.round(6).tolist():
        edges.setdefault(x, set()).add(y)
    return {x: (min(ys), max(ys)) for x, ys in edges.items()}


def test_capacities_are_drawn_with_their_spread_and_their_laws():
    curves = (
        Series(name="a", x=(0.1, 0.2), y=(0.95, 0.03), spread=(0.1, 0.05)),
        *(Series(name=str(n), x=(0.1, 0.3), y=(1.0, 0.5)) for n in range(len(STYLES))),
    )
    laws = (
        Law("both", (0.1, 0.3), (0.9, 0.2)),
        Law("one", (0.14,)),
        Law("two", (0.6, 0.7)),
    )
    figure = capacity_plot(curves, laws)
    (axes,) = figure.axes
    drawn, straight = axes.lines[: len(curves) + 1], axes.lines[len(curves) + 1 :]
    assert [line(one) for one in drawn] == [
        *((list(one.x), list(one.y), one.name) for one in curves),
        ([0.1, 0.3], [0.9, 0.2], "both"),
    ]
    for place, one in enumerate(drawn[:-1]):
        colour, style = STYLES[place % len(STYLES)]
        assert (one.get_color(), one.get_marker() + one.get_linestyle()) == (colour, style)
        assert axes.collections[place].get_facecolor()[0] == pytest.approx(
            [int(to_hex(colour)[at : at + 2], 16) / 255 for at in (1, 3, 5)] + [0.18], abs=0.01
        )
    assert drawn[0].get_color() == drawn[-2].get_color()  # the styles come round again
    assert drawn[-1].get_color() == "black"
    assert band(axes.collections[0]) == {0.1: (0.85, 1.0), 0.2: (0.0, 0.08)}  # none beyond all
    assert band(axes.collections[1]) == {0.1: (1.0, 1.0), 0.3: (0.5, 0.5)}
    assert [one.get_xdata() for one in straight] == [[0.14, 0.14], [0.6, 0.6]]
    words = [(one.get_text(), one.xy, one.xyann) for one in axes.texts]
    assert words == [("one", (0.14, 1.0), (3, 15)), ("two", (0.6, 1.0), (3, 4))]
    assert (axes.get_xlim()[0], axes.get_ylim()) == (0, (-0.03, 1.03))
    assert (axes.get_xlabel(), axes.get_ylabel()) == (
        *("load (patterns a neuron)", "patterns recalled"),
    )
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend == [*(one.name for one in curves), "both"]
    assert not capacity_plot(curves[:1]).axes[0].texts


def test_attractors_stand_in_rows_with_their_share_and_energy():
    states = [[1, -1, 1], [-1, 1, -1], [1, 1, 1]]
    called = ["stored 1", "its negative", "stored 2"]
    figure = attractors_plot(states, [0.5, 0.25, 0.125], [-3.14159, 2.0, 0.0], called)
    assert figure.get_size_inches().tolist() == pytest.approx([8.2, 0.24 * 3 + 0.9])
    neurons, shares = figure.axes
    (shown,) = neurons.images
    assert shown.get_array().tolist() == states
    assert shown.get_clim() == (-1.4, 1.4)
    labels = [(text.get_position()[1], text.get_text()) for text in neurons.get_yticklabels()]
    assert labels == [(0, "stored 1  E -3.14"), (1, "its negative  E 2"), (2, "stored 2  E 0")]
    assert not any(text.get_parse_math() for text in neurons.get_yticklabels())
    assert list(neurons.get_xticks()) == list(shares.get_yticks()) == []
    bars = [(bar.get_y() + bar.get_height() / 2, bar.get_width()) for bar in shares.patches]
    assert bars == [pytest.approx(one) for one in ((0, 50.0), (1, 25.0), (2, 12.5))]
    assert [to_hex(bar.get_facecolor()) for bar in shares.patches] == [
        *map(to_hex, (BLUE, GREY, BLUE))
    ]
    assert shares.get_ylim() == (2.5, -0.5)  # the rows of both panels are side by side
    assert neurons.get_ylim() == (2.5, -0.5)
    assert (neurons.get_xlabel(), shares.get_xlabel()) == ("neuron", "states that end here (%)")
    with pytest.raises(ValueError, match="zip"):
        attractors_plot(states, [0.5] * 3, [0.0] * 2, called)


TOLD = Told(
    np.zeros((2, 2)), np.ones((2, 2)), [np.full((2, 2), n / 4) for n in range(4)],
    [3.0, 1.0, 0.0, -1.0], "it ends",
)  # fmt: skip


@pytest.mark.parametrize(("step", "at"), [(None, 3), (0, 0), (2, 2)])
def test_a_recall_is_drawn_as_far_as_it_has_come(step, at):
    *pictures, energy = recall_plot(TOLD, step).axes
    assert [axes.get_title() for axes in pictures] == ["stored", "cue", f"after {at} flips"]
    for axes, expected in zip(pictures, (0.0, 1.0, at / 4), strict=True):
        (picture,) = axes.images
        assert np.array_equal(picture.get_array(), np.full((2, 2), expected))
        assert (picture.get_clim(), picture.get_cmap().name) == ((0, 1), "Greys")
        assert list(axes.get_xticks()) == list(axes.get_yticks()) == []
    above = pictures[0].figure
    assert above.get_suptitle() == "it ends"
    whole, gone, place = ((list(one.get_xdata()), list(one.get_ydata())) for one in energy.lines)
    assert whole == (list(range(4)), TOLD.energies)
    assert gone == (list(range(at + 1)), TOLD.energies[: at + 1])
    assert place == ([at], [TOLD.energies[at]])
    assert [one.get_color() for one in energy.lines] == ["#cccccc", BLUE, BLUE]
    assert energy.get_ylim() == pytest.approx((-1.32, 3.32))
    assert energy.get_xlim() == pytest.approx((-0.06, 3.06))
    assert (energy.get_xlabel(), energy.get_ylabel()) == ("flips", "energy")


def test_an_energy_that_never_changes_has_room_too():
    *_, energy = recall_plot(TOLD._replace(states=TOLD.states[:1], energies=[2.0])).axes
    assert energy.get_ylim() == pytest.approx((1.92, 2.08))
    assert energy.get_xlim() == pytest.approx((-0.02, 1.02))


@pytest.mark.parametrize(("frames", "shown"), [(20, [0, 1, 2, 3]), (3, [0, 2, 3]), (1, [0])])
def test_an_animation_shows_frames_from_cue_to_end_the_last_for_longer(
    frames, shown, tmp_path, monkeypatch
):
    drawn = []

    def plot(told, step):
        drawn.append(step)
        return recall_plot(told, step)

    monkeypatch.setattr("memnets.report.recall.recall_plot", plot)
    save_animation(TOLD, tmp_path / "a.gif", frames, 50)
    assert drawn == shown
    with Image.open(tmp_path / "a.gif") as made:
        stays = []
        for frame in range(getattr(made, "n_frames", 1)):
            made.seek(frame)
            stays.append(made.info["duration"])
        assert stays == [50] * (len(shown) - 1) + [500]
        assert made.info.get("loop") == 0


def test_what_writes_animations_is_named_where_it_is_missing(tmp_path, monkeypatch):
    real = builtins.__import__

    def refused(name, *rest):
        if name == "PIL":
            raise ModuleNotFoundError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", refused)
    with pytest.raises(ImportError, match=r"written by Pillow, .* pip install 'memnets\[plot\]'"):
        save_animation(TOLD, tmp_path / "a.gif")
