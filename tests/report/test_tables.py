"""What a reader sees of a result."""

import re
from dataclasses import replace

import pytest
from rich.console import Console

from memnets.cli.results import main
from memnets.report.tables import Terminal, cells, number, verdict
from memnets.results import write
from tools.render import markdown, only_rows


def printed(result) -> str:
    console = Console(width=200, record=True, force_terminal=False, file=None)
    with console.capture() as capture:
        console.print(Terminal(result))
    return capture.get()


def test_measured_stands_beside_published(table):
    shown = cells(table)
    rows = [dict(zip(shown.columns, row, strict=True)) for row in shown.rows]
    assert rows[0] == {
        "row": "task 1",
        "metric": "error (%)",
        "measured": "7.0 ± 1.4",
        "seeds": "2",
        "published": "11.0",
        "difference": "−4.0",
        "target": "≤ 12.0",
        "status": "reached",
        "note": "easy | quick",
    }
    assert [row["status"] for row in rows] == ["reached", "missed", "not run", "reached, partial"]
    assert [row["difference"] for row in rows] == ["−4.0", "+2.0", "–", "0"]
    assert rows[2]["measured"] == "–"


def test_columns_that_are_empty_throughout_are_left_out(table):
    assert "target" not in cells(replace(table, rows=table.rows[1:3])).columns


def test_columns_can_be_chosen(table):
    assert cells(table, ["published", "row"]).rows[0] == ("11.0", "task 1")
    with pytest.raises(ValueError, match=r"toy has no column 'colour'. Choose among row, metric"):
        cells(table, ["colour"])


def test_rows_can_be_chosen(table):
    assert [row.row for row in only_rows(table, "task 1*").rows] == ["task 1", "task 10"]
    with pytest.raises(ValueError, match=r"toy has no row like 'Task'. Its rows are 'task 1', "):
        only_rows(table, "Task")


def test_a_difference_that_rounds_to_nothing_is_not_called_nothing(make_row, table):
    shown = cells(replace(table, rows=(make_row("t", 11.04),)), ["difference", "status"])
    assert shown.rows == (("+<0.1", "missed"),)


@pytest.mark.parametrize(
    ("value", "unit", "text"), [(12.345, "%", "12.3"), (0.000123456, "", "0.0001235")]
)
def test_figures_have_sensible_digits(value, unit, text):
    assert number(value, unit) == text


def test_a_row_without_a_goal_is_done(make_row):
    assert verdict(make_row("t", 3.0, None, source=None)) == "done"


def test_a_goal_of_our_own_is_told_from_a_published_figure(make_row):
    """Nothing is reached where nothing is published, and a miss within a goal says how wide."""
    assert verdict(make_row("t", 10.0)) == "reached"
    assert verdict(make_row("t", 12.0, target=12.5)) == "within 1.5"
    assert verdict(make_row("t", 13.0, target=12.5)) == "missed"
    assert verdict(make_row("t", 12.0, None, source=None, target=12.5)) == "target met"
    assert verdict(make_row("t", 13.0, None, source=None, target=12.5)) == "missed"


def test_beside_a_chosen_run_stands_the_mean_of_all(table, make_row):
    rows = (make_row("chosen", 7.0, reported=6.0), make_row("mean", 7.0))
    shown = cells(replace(table, rows=rows), ["measured", "mean of all"])
    assert shown.rows == (("6.0", "7.0 ± 1.4"), ("7.0 ± 1.4", "–"))


def test_markdown_marks_misses_and_keeps_its_columns(table):
    lines = markdown(table).splitlines()
    assert "| **missed** |" in lines[3]
    assert "easy \\| quick" in lines[2]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines[:6]} == {10}
    below = "\n".join(lines[6:])
    assert "Written by `memnets reproduce toy`." in below
    assert "Data: stories, test, sha256 abababababab." in below
    assert "Published: a paper, Table 1." in below
    assert "39 s in all" in below


def test_a_benchmark_says_how_many_times_faster(benchmark_result):
    shown = cells(benchmark_result, ["row", "faster", "status"])
    assert shown.rows == (
        ("fast", "3× (2.5 to 3.5)", "faster"),
        ("slow", "0.5× (0.4 to 0.6)", "slower"),
        ("gpu", "–", "not run"),
    )
    assert "**slower**" in markdown(benchmark_result)
    assert "Commit abc1234, 2026-01-02, 2 cores." in markdown(benchmark_result)


def test_the_terminal_shows_the_same_and_takes_no_text_for_markup(table, make_row):
    text = printed(replace(table, rows=(*table.rows, make_row("[red]row[/red]", 3.0))))
    assert "[red]row[/red]" in text
    for word in ("missed", "not run", "reached, partial", "7.0 ± 1.4", "memnets reproduce toy"):
        assert word in text


def test_the_command_prints_every_result(table, benchmark_result, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["--results", str(tmp_path)]) == 0
    assert "holds no results yet" in capsys.readouterr().out
    write(table, tmp_path)
    write(benchmark_result, tmp_path)
    assert main(["--results", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "task 10" in out
    assert "a peer 1.0" in out


def test_the_command_prints_one_result(table, benchmark_result, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    write(table, tmp_path)
    write(benchmark_result, tmp_path)
    assert main(["bench-toy", "--results", str(tmp_path)]) == 0
    assert "task 10" not in capsys.readouterr().out
    with pytest.raises(ValueError, match=r"there is no result 'bench-to'. Did you mean bench-toy"):
        main(["bench-to", "--results", str(tmp_path)])


def test_a_table_is_drawn_on_request(table, benchmark_result, tmp_path, capsys):
    write(table, tmp_path)
    write(benchmark_result, tmp_path)
    words = [table.name, "--results", str(tmp_path), "--picture"]
    assert main([*words, str(tmp_path / "toy.png")]) == 0
    assert (tmp_path / "toy.png").read_bytes().startswith(b"\x89PNG")
    stem = benchmark_result.file_name.removesuffix(".json")
    with pytest.raises(ValueError, match="is a benchmark: it has nothing published to draw"):
        main([stem, *words[1:], str(tmp_path / "x.png")])


def test_a_picture_needs_a_table(tmp_path, capsys):
    with pytest.raises(SystemExit):
        main(["--results", str(tmp_path), "--picture", "x.png"])
    assert "--picture x.png without a table" in " ".join(capsys.readouterr().err.split())
