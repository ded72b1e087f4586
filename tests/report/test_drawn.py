"""What stands in a picture, and where."""

from dataclasses import replace

import pytest

pytest.importorskip("matplotlib")

from matplotlib.colors import to_hex

from memnets.evidence import Answer, Step, Support
from memnets.report import plots
from memnets.report.tasks import TaskScore


def texts(axes):
    return [text.get_text() for text in axes.texts]


def test_evidence_is_drawn_cell_by_cell():
    def step(name, *weights):
        return Step(name, tuple(Support(n, f"s{n}", w, n == 1) for n, w in enumerate(weights)))

    answer = Answer(
        "q?", "a", 0.5, (), (step("one", 0.755, -0.8), step("two", 1.5, 0.25)), gold="b"
    )
    (axes,) = plots.evidence(answer).axes
    cells = [(one.get_x(), one.get_y(), one.get_width()) for one in axes.patches]
    assert cells == [(0, 0, 1), (1, 0, 1), (0, 1, 1), (1, 1, 1)]
    numbers = {text.get_text(): text for text in axes.texts}
    assert [numbers[n].get_color() for n in ("0.76", "1.50", "-0.80", "0.25")] == [
        "black", "white", "white", "black",
    ]  # fmt: skip
    assert numbers["0.76"].get_position() == (0.5, 0.5)
    assert numbers["0.25"].get_position() == (1.5, 1.5)
    assert [numbers[s].get_fontweight() for s in ("s0", "★ s1")] == ["normal", "bold"]
    assert numbers["✗ wrong: a (50.0%); right is b"].get_color() == plots.RED_TEXT
    assert "★ gold evidence" in numbers
    assert (axes.get_xlim(), axes.get_ylim()) == ((0, 2), (2, 0))
    assert [label.get_text() for label in axes.get_xticklabels()] == ["one", "two"]
    deep = [one.get_facecolor() for one in axes.patches]
    assert sum(deep[1][:3]) < sum(deep[2][:3]) < sum(deep[0][:3]) < sum(deep[3][:3])
    right = plots.evidence(replace(answer, gold="a")).axes[0]
    assert {t.get_text(): t for t in right.texts}["✓ right: a (50.0%)"].get_color() == plots.BLUE


def test_long_sentences_take_the_lines_that_they_need():
    supports = (Support(0, "word " * 20, 0.5), Support(1, "short", 0.25))
    (axes,) = plots.evidence(Answer("q?", "a", 0.5, (), (Step("one", supports),))).axes
    assert [(one.get_y(), one.get_height()) for one in axes.patches] == [(0, 2), (2, 1)]
    assert {t.get_text(): t.get_position()[1] for t in axes.texts}["short"] == 2.5


def test_curves_have_the_colour_of_their_split_and_phases_stand_on_two_lines(make_log):
    loss, accuracy = plots.learning_curves(make_log(19)).axes
    drawn = [(to_hex(line.get_color()).upper(), line.get_linestyle()) for line in loss.lines[:2]]
    assert drawn == [(plots.BLUE, "-"), (plots.ORANGE, "--")]
    assert {line.get_marker() for line in loss.lines[:2]} == {"o"}
    assert (loss.get_xlabel(), loss.get_ylabel(), loss.get_xlim()[0]) == ("update", "loss", 0.0)
    assert [text.xyann for text in loss.texts] == [(2, 3), (2, 14)]
    assert loss.get_legend() is not None
    many = plots.learning_curves(make_log(20)).axes[0].lines[0]
    assert many.get_marker() in (None, "None")
    (empty,) = plots.learning_curves([]).axes
    assert empty.get_legend() is None
    assert accuracy.get_ylabel() == "accuracy"


def test_pairs_are_drawn_row_by_row(table, make_row):
    rows = (
        make_row("hit", 10.0), make_row("miss", 12.0), make_row("partial", 9.0, status="partial"),
        make_row("none", None),
    )  # fmt: skip
    (axes,) = plots.published_against_measured(replace(table, rows=rows)).axes
    pairs = [line for line in axes.lines if len(line.get_xdata()) == 2]
    assert [(list(one.get_xdata()), list(one.get_ydata())) for one in pairs] == [
        ([11.0, 10.0], [0, 0]), ([11.0, 12.0], [1, 1]), ([11.0, 9.0], [2, 2]),
    ]  # fmt: skip
    assert [one.get_color() for one in pairs] == [plots.BLUE, plots.RED, plots.BLUE]
    said = {text.get_text(): text for text in axes.texts}
    assert {name: said[name].xy for name in said if name != table.name} == {
        "12.0 missed": (1, 1), "not run": (1, 3),
    }  # fmt: skip
    assert said["not run"].get_color() == plots.GREY
    assert said["12.0 missed"].get_color() == plots.RED_TEXT
    assert [label.get_text() for label in axes.get_yticklabels()] == [row.row for row in rows]
    assert axes.get_ylim() == (3.6, -0.6)
    assert axes.get_xlim()[0] == 0.0
    assert axes.get_xlabel() == "error (%)   ← better"
    better = replace(table, rows=(make_row("t", 12.0, better="higher", unit=""),))
    assert plots.published_against_measured(better).axes[0].get_xlabel() == "error   better →"
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend == ["published", "measured", "measured, missed"]


def test_tasks_stand_from_the_top_with_their_bars():
    (axes,) = plots.accuracy_and_evidence([TaskScore("1", 0.5, 0.25), TaskScore("b", 1.0)]).axes
    bars = [(round(one.get_y() + one.get_height() / 2, 6), one.get_width()) for one in axes.patches]
    assert bars == [(-0.2, 50.0), (0.8, 100.0), (0.2, 25.0), (1.2, 0.0)]
    assert texts(axes) == ["50.0%", "100.0%", "25.0%", "unknown"]
    assert (axes.get_xlim(), axes.get_ylim()) == ((0.0, 100.0), (1.6, -0.6))
    assert [label.get_text() for label in axes.get_yticklabels()] == ["1", "b"]
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend == ["answered rightly", "all supports read"]
