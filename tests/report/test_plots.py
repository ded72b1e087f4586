"""Pictures: they hold what they should, nothing is clipped, and nothing outside is touched."""

import sys
from dataclasses import replace

import pytest

pytest.importorskip("matplotlib")

import matplotlib as mpl
from matplotlib.text import Text
from PIL import Image

from memnets.report import plots
from memnets.report.tasks import TaskScore


def texts(figure) -> str:
    figure.canvas.draw()
    found = [text.get_text() for axes in figure.axes for text in axes.texts]
    for axes in figure.axes:
        found += [label.get_text() for label in (*axes.get_xticklabels(), *axes.get_yticklabels())]
        found += [axes.get_xlabel(), axes.get_ylabel()]
    return "\n".join(found)


@pytest.mark.parametrize("sentences", [2, 61])
def test_evidence_shows_sentences_weights_and_verdict(make_answer, tmp_path, sentences):
    path = tmp_path / "evidence.png"
    figure = plots.evidence(make_answer(sentences, right=False))
    text = texts(figure)
    assert "★ Sentence 1 of Mary." in text
    assert "Where is Mary?" in text
    assert "✗ wrong: kitchen (87.5%); right is office" in text
    assert text.count("0.85" if sentences == 2 else "0.70") == 3
    assert ("58 slots that were hardly read" in text) == (sentences == 61)
    plots.save(figure, path)
    assert list(tmp_path.iterdir()) == [path]


def test_no_text_is_clipped(make_answer, tmp_path):
    long = make_answer(3, text="A very long word that goes on " * 3)
    path = tmp_path / "long.png"
    plots.save(plots.evidence(replace(long, question="Is it so that " * 17 + "?")), path)
    image = Image.open(path).convert("L")
    across, down = image.size
    edges = [(0, 0, across, 5), (0, down - 5, across, down), (0, 0, 5, down)]
    edges.append((across - 5, 0, across, down))
    assert all(image.crop(edge).getextrema() == (255, 255) for edge in edges)


def test_texts_are_no_formulas(make_answer, hostile):
    answer = make_answer(2)
    odd = replace(answer.steps[0].supports[0], text="$x^2 costs $5 \\frac")
    step = replace(answer.steps[0], name="$\\oops$", supports=(odd,))
    figure = plots.evidence(replace(answer, question=hostile, text="$\\no$", steps=(step,)))
    assert "$x^2 costs $5 \\frac" in texts(figure)
    marked = [text for text in figure.findobj(Text) if "$" in text.get_text()]
    assert len(marked) >= 4
    assert not any(text.get_parse_math() for text in marked)


def test_curves_show_splits_and_phases(make_log):
    figure = plots.learning_curves(make_log(23))
    loss, accuracy = figure.axes
    assert [line.get_label() for line in loss.lines[:2]] == ["train", "valid"]
    assert list(loss.lines[1].get_ydata())[:2] == [3.0, 1.5]
    assert "linear start" in texts(figure)
    assert accuracy.get_ylabel() == "accuracy"
    assert [line.get_xdata()[0] for line in loss.lines[2:]] == [0, 33]  # where phases begin


def test_curves_of_a_log_with_gaps(make_log):
    records = make_log(3)
    del records[0]["valid"]
    records[1]["train"] = {"loss": float("nan")}
    figure = plots.learning_curves(records)
    assert [list(line.get_xdata()) for line in figure.axes[0].lines] == [[11, 33], [22, 33]]
    plots.learning_curves([])


def test_a_table_shows_misses_and_what_was_not_run(table):
    figure = plots.published_against_measured(table)
    text = texts(figure)
    assert len(figure.axes) == 2  # per cents and tasks
    assert text.count("missed") == 1
    assert "13.0 missed" in text
    assert text.count("not run") == 1
    assert "← better" in text
    markers = [line.get_marker() for line in figure.axes[0].lines]
    assert markers.count("X") == 2  # the miss and the legend


def test_accuracy_stands_beside_evidence():
    figure = plots.accuracy_and_evidence([TaskScore("1", 0.875, 0.75), TaskScore("2", 0.5)])
    bars = [bar.get_width() for bar in figure.axes[0].patches]
    assert bars == [87.5, 50.0, 75.0, 0.0]
    assert "unknown" in texts(figure)


def test_no_global_state_is_touched(make_answer, tmp_path):
    before, backend = dict(mpl.rcParams), mpl.get_backend(auto_select=False)
    plots.save(plots.evidence(make_answer(2)), tmp_path / "a.png")
    assert dict(mpl.rcParams) == before
    assert mpl.get_backend(auto_select=False) == backend


def test_missing_matplotlib_is_named(make_answer, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(
        ImportError, match=r"need matplotlib, .* Run: pip install 'memnets\[plot\]'"
    ):
        plots.evidence(make_answer(2))


def test_the_spread_lies_about_the_mean_of_all_runs(table, make_row):
    chosen = make_row("chosen", 7.0, reported=6.0)
    (axes,) = plots.published_against_measured(replace(table, rows=(chosen,))).axes
    (bar,) = (segment for lines in axes.collections for segment in lines.get_segments())
    assert [float(x) for x, _ in bar] == pytest.approx([7.0 - 2**0.5, 7.0 + 2**0.5])
    assert [6.0] in [list(map(float, line.get_xdata())) for line in axes.lines]
