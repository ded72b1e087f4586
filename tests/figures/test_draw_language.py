"""Pictures of comparisons."""

from dataclasses import replace

import pytest

pytest.importorskip("matplotlib")

from draw_language import COLOURS, DASHES, main, rows_with_seeds, training
from memnets import results


def row(name, values, metric="bits per character", **changes):
    return results.measured(
        name, metric, values, unit="bits", better="lower", selection="mean", **changes
    )


ROWS = (
    row("LSTM", {0: 2.0, 1: 2.5}),
    row("LSTM + cache", {0: 1.5, 1: 2.0}),
    row("CRAN", {0: 3.0}, status="partial"),
    results.not_run("MemN2N", "bits per character", unit="bits", better="lower"),
    row("CRAN minus LSTM", {0: 1.0}, "difference in bits per character"),
    row("CRAN minus LSTM + cache", {0: 1.5}, "difference in bits per character"),
)
TABLE = results.Table(
    name="language-toy",
    command="memnets reproduce language-toy",
    config={},
    data=None,
    rows=ROWS,
    series=tuple(
        results.Series(name=f"{name}, quick bits", x=(1e6, 3e6), y=(high, high - 1.0))
        for name, high in (("LSTM", 3.0), ("CRAN", 4.0))
    ),
)


def test_rows_stand_beside_their_seeds_and_baselines():
    (axes,) = rows_with_seeds(TABLE).axes
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert names == ["LSTM", "LSTM + cache", "CRAN (partial)"]
    drawn = [list(line.get_xdata()) for line in axes.lines]
    assert drawn == [[2.0, 2.5], [2.25], [1.5, 2.0], [1.75], [3.0], [3.0], [2.25] * 2, [1.75] * 2]
    legend = [text.get_text() for text in axes.get_legend().get_texts()]
    assert legend == ["LSTM", "LSTM + cache"]


def test_rows_without_a_baseline_have_no_legend():
    (axes,) = rows_with_seeds(replace(TABLE, rows=ROWS[:3])).axes
    assert axes.get_legend() is None


def test_curves_are_drawn_over_the_symbols():
    (axes,) = training(TABLE).axes
    assert [line.get_label() for line in axes.lines] == ["LSTM", "CRAN"]
    assert list(axes.lines[1].get_xdata()) == [1.0, 3.0]  # millions
    assert list(axes.lines[1].get_ydata()) == [4.0, 3.0]
    assert len(set(COLOURS)) == len(set(DASHES)) == 7


@pytest.mark.parametrize(
    ("draw", "table", "message"),
    [
        (rows_with_seeds, replace(TABLE, rows=ROWS[3:4]), r"language-toy\.json: no row was run"),
        (
            training,
            replace(TABLE, series=()),
            r"toy\.json: it has no curve named 'ROW, quick bits'",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, table, message):
    with pytest.raises(ValueError, match=message):
        draw(table)


def test_every_table_of_texts_is_drawn(tmp_path, capsys):
    results.write(TABLE, tmp_path / "results")
    results.write(replace(TABLE, name="other"), tmp_path / "results")
    begun = replace(TABLE, name="language-begun", rows=ROWS[3:4], series=())
    results.write(begun, tmp_path / "results")  # nothing of it is there to draw
    out = tmp_path / "figures"
    assert main(["--results", str(tmp_path / "results"), "--out", str(out)]) == 0
    pictures = sorted(out.iterdir())
    assert [path.name for path in pictures] == ["language-toy-training.png", "language-toy.png"]
    assert capsys.readouterr().out.splitlines() == [str(path) for path in reversed(pictures)]
