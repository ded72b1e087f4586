"""Pictures of recall."""

from dataclasses import replace

import pytest

pytest.importorskip("matplotlib")

from draw_recall import Reach, by_age, by_lag, choosing, main, reach
from memnets import results
from memnets.experiments.run import to_json
from memnets.studies.recall.recipes import CRANRecall, LSTMRecall


def row(name, value, status="done"):
    return results.measured(
        name,
        "questions right",
        {0: value, 1: value + 2.0},
        unit="%",
        better="higher",
        selection="mean",
        status=status,
    )


def table(name, *rows):
    lags = tuple(map(float, range(2, 47)))
    series = tuple(
        results.Series(
            name=f"{which}, {kind}",
            x=lags,
            y=tuple(99.0 if lag <= 35 and which == "CRAN" else 12.5 for lag in lags),
            spread=tuple(3.0 for _ in lags),
        )
        for which in ("CRAN", "LSTM")
        for kind in ("recall", "cliff", "young")
    )
    return results.Table(
        name=f"recall-{name}",
        command="python -m memnets.studies.recall.tables",
        config={"CRAN": to_json(CRANRecall()), "LSTM": to_json(LSTMRecall())},
        data=None,
        rows=rows or (row("CRAN", 97.0), row("LSTM", 30.0)),
        series=series,
    )


CHOICES = table(
    "choosing",
    *(row(f"{kept} of 4 zones of 10", 20.0 * kept) for kept in (4, 1, 2)),
    *(row(f"{kept} of 4 zones of 10, at random", 10.0 * kept) for kept in (1, 2)),
    results.not_run("4 of 8 zones of 5", "questions right", unit="%", better="higher"),
)


def texts(figure):
    axes = figure.axes[0]
    return [text.get_text() for text in [*axes.texts, *axes.get_legend().get_texts()]]


def test_the_reach_is_that_of_the_rows_core():
    assert reach(table("stream"), "CRAN") == Reach(zones=4, slots=10, window=20)
    assert Reach(4, 10, 20).surely == 30
    assert Reach(4, 10, 20).at_most == 40


def test_curves_stand_with_their_limits():
    figure = by_lag(table("stream"), "cliff", ("CRAN", "LSTM"))
    assert texts(figure) == ["window ", "(N − 1) L ", " N L", "chance", "CRAN", "LSTM"]
    axes = figure.axes[0]
    assert list(axes.lines[0].get_ydata())[:2] == [99.0, 99.0]
    assert [line.get_xdata()[0] for line in axes.lines[2:5]] == [20, 30, 40]
    assert axes.lines[5].get_ydata()[0] == pytest.approx(12.5)
    top = max(point[1] for path in axes.collections for point in path.get_paths()[0].vertices)
    assert top == 100.0


def test_a_limit_outside_the_picture_is_left_out():
    stream = table("stream")
    short = tuple(replace(s, x=s.x[:30], y=s.y[:30], spread=s.spread[:30]) for s in stream.series)
    figure = by_lag(replace(stream, series=short), "recall", ("CRAN",))
    assert texts(figure) == ["window ", "(N − 1) L ", "chance", "CRAN"]


def test_age_has_no_limits():
    assert texts(by_age(table("stream"), ("CRAN", "LSTM"))) == ["chance", "CRAN", "LSTM"]


def test_choices_stand_in_order_with_those_at_random():
    figure = choosing(CHOICES)
    assert texts(figure) == ["N = 4, L = 10", "N = 4, L = 10, at random"]
    lines = [container.lines[0] for container in figure.axes[0].containers]
    assert list(lines[0].get_xdata()) == [1, 2, 4]
    assert list(lines[0].get_ydata()) == [21.0, 41.0, 81.0]


def test_what_is_missing_is_named():
    stream = table("stream")
    with pytest.raises(ValueError, match=r"recall-stream\.json: there is no curve 'GRU, recall'"):
        by_lag(stream, "recall", ("GRU",))
    with pytest.raises(ValueError, match=r"recall-stream\.json: 'LSTM' has no memory of zones"):
        by_lag(stream, "recall", ("LSTM",))
    with pytest.raises(ValueError, match=r"recall-stream\.json: no row that was run is named"):
        choosing(stream)


def test_the_command_draws_what_there_is(tmp_path, capsys):
    assert main(["--results", f"{tmp_path}"]) == 0
    assert capsys.readouterr().out == ""
    for made in (table("stream"), table("long"), CHOICES):
        results.write(made, tmp_path)
    assert main(["--results", f"{tmp_path}", "--out", f"{tmp_path}/figures"]) == 0
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert names == {
        "recall-lags.png",
        "recall-cliff.png",
        "recall-long-lags.png",
        "recall-young.png",
        "recall-long-young.png",
        "recall-long-cliff.png",
        "recall-choosing.png",
    }


def test_what_was_not_run_is_not_drawn(tmp_path, capsys):
    results.write(replace(table("stream"), series=()), tmp_path)
    empty = results.not_run("1 of 4 zones of 10", "questions right", unit="%", better="higher")
    results.write(table("choosing", empty), tmp_path)
    assert main(["--results", f"{tmp_path}", "--out", f"{tmp_path}/figures"]) == 0
    assert capsys.readouterr().out == ""
