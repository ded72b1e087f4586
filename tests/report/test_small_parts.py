"""Parts of pages, pictures and printed tables, worked out by hand."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from memnets.cli.results import _stale
from memnets.report import html, svg, tables
from memnets.report.logs import curve, is_wide, phases
from memnets.report.tables import Cells, origin
from memnets.report.tasks import TaskScore, task_scores

# Logs


def test_phases_begin_after_the_line_before_their_first():
    log = [
        {"update": 5, "phase": "a"},
        {"update": 10, "phase": "a"},
        {"update": 12, "phase": "b"},
        {"phase": "b"},
        {"update": 20, "phase": "c"},
    ]
    assert phases(log) == [(0.0, "a"), (10.0, "b"), (12.0, "c")]
    assert phases(log[:2]) == phases([]) == []


def test_a_curve_has_the_points_that_are_finite():
    log = [
        {"update": 1, "train": {"loss": 3.0, "loss_median": 1.0, "bits": 2.0}},
        {"update": 2, "train": {"loss": None}},
        {"train": {"loss": 5.0}},
        {"update": 4, "train": None},
        {"update": 5, "train": {"loss": float("inf"), "bits": 0}},
        {"update": 6, "train": {"loss": 4}},
    ]
    assert curve(log, "train", "loss") == ([1.0, 6.0], [1.0, 4.0])
    assert curve(log, "train", "bits") == ([1.0, 5.0], [2.0, 0.0])
    assert not is_wide([1.0, 300.0])


# Tasks


def test_a_tasks_score_is_of_its_own_metrics():
    metrics = {
        "accuracy/10": 0.75, "accuracy/9": 0.5, "accuracy/b": 1.0, "accuracy/a": 0.25,
        "supports_read/9": 0.1, "supports_chance/9": 0.2, "gold_read/9": 0.3,
        "gold_read_1/9": 0.4, "gold_read_2/9": 0.6, "gold_read_4/9": 0.7,
    }  # fmt: skip
    nine, ten, a, b = task_scores(metrics, {"accuracy/9": 50.0, "accuracy/10": 24.9})
    assert nine == TaskScore("9", 0.5, 0.1, 0.2, 0.3, published=0.5, hops=(0.4, 0.6))
    assert (ten.task, ten.published, ten.hops, ten.gold_read) == ("10", 0.751, (), None)
    assert (nine.missed, ten.missed, a.missed) == (False, True, False)
    assert (a.task, b.task) == ("a", "b")


# Scales


@pytest.mark.parametrize(
    ("low", "high", "step", "ticks"),
    [
        (0.0, 10.0, 2.0, [0, 2, 4, 6, 8, 10]),
        (0.0, 11.0, 5.0, [0, 5, 10]),
        (0.0, 5.0, 1.0, [0, 1, 2, 3, 4, 5]),
        (0.0, 0.3, 0.1, [0, 0.1, 0.2, 0.3]),
        (-3.0, 27.0, 10.0, [0, 10, 20]),
        (0.0, 0.0, 0.2, [0, 0.2, 0.4, 0.6, 0.8, 1.0]),
    ],
)
def test_ticks_are_round_values(low, high, step, ticks):
    scale = svg._Scale(low, high, 10, 110)
    assert scale.step == pytest.approx(step)
    assert scale.ticks() == ticks
    assert (scale.place(low), scale.place(max(high, low + (low == high)))) == (10.0, 110.0)


def test_a_logarithmic_axis_has_its_ends_at_powers_of_ten():
    up = svg._Logarithmic(0.05, 3e9, 200, 0)
    assert up.ticks() == [1e-2, 1.0, 1e2, 1e4, 1e6, 1e8, 1e10]
    assert (up.place(0.01), up.place(1e4), up.place(1e10)) == (200.0, 100.0, 0.0)
    assert svg._Logarithmic(1.0, 1000.0, 0, 1).ticks() == [1.0, 10.0, 100.0, 1000.0]


def test_a_drawing_has_its_lines_dots_phases_and_axes_where_they_belong(make_log):
    log = [
        {"update": 10, "phase": "a", "train": {"loss": 4.0}},
        {"update": 20, "phase": "b", "train": {"loss": 2.0}, "valid": {"loss": 1.0}},
    ]
    drawn = svg.curves(log, "loss", ("train", "valid", "quick"))
    # 362 pixels for 20 updates from 48 on; 174 for 4 of loss, from 204 up.
    assert 'class="line-0" points="229.0,30.0 410.0,117.0"' in drawn
    assert '<circle class="dot-0" cx="410.0" cy="117.0" r="3"/>' in drawn
    assert '<circle class="dot-1" cx="410.0" cy="160.5" r="3"/>' in drawn
    assert "dot-2" not in drawn
    assert re.findall(r"<title>(\w+)</title>", drawn) == ["train", "valid"]
    assert '<line class="phase" x1="48.0" x2="48.0" y1="30" y2="204"/>' in drawn
    assert '<text x="50.0" y="24">a</text>' in drawn
    assert '<text x="231.0" y="12">b</text>' in drawn  # a line higher than its neighbour
    assert '<text x="229.0" y="220" text-anchor="middle">10</text>' in drawn
    assert drawn.startswith('<svg class="curves" viewBox="0 0 420 240"')
    assert '<text x="410" y="236" text-anchor="end">update</text>' in drawn
    below = [{"update": 1, "train": {"loss": y}} for y in (-2.0,)]
    assert 'points="410.0,204.0"' in svg.curves(below, "loss", ("train",))


# Pages


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("accuracy", 0.125, "12.5%"),
        ("supports_chance", 1.0, "100.0%"),
        ("loss", None, "–"),
        ("loss", 1234.0, "1,234"),
        ("loss", 1234.5678, "1,235"),
        ("accuracy_of_names", 0.125, "0.125"),
    ],
)
def test_a_figure_of_a_page(name, value, shown):
    assert html._figure(name, value) == shown


@pytest.mark.parametrize(
    ("name", "one"),
    [
        ("accuracy", False),
        ("accuracy/3", True),
        ("recall/13", True),
        ("accuracy/two words", True),
        ("gold_read_1/a", True),
        ("bits/reporting", False),
        ("loss", False),
    ],
)
def test_figures_of_one_task_of_many_are_known(name, one):
    assert html._of_one(name) is one


def test_bars_are_as_long_as_their_share_and_stay_in_their_cell():
    said = '<span class="bar right-bar" style="--share:{}"></span>{}'
    for share, width, told in ((0.125, "12.5%", "12.5%"), (1.5, "100.0%", "150.0%")):
        assert html._bar(share, "right-bar") == said.format(width, told)
    assert "--share:0.0%" in html._bar(-0.5, "x")


def test_tasks_have_a_column_for_what_any_of_them_has():
    assert html._tasks([]) == ""
    page = html._tasks([TaskScore("1", 0.5, hops=(0.25, 0.75)), TaskScore("2", 1.0, gold_read=0.1)])
    assert re.findall(r"<th[^>]*>([^<]*)</th>", page) == [
        "task", "answered rightly", "any support read", "at hop 1", "at hop 2",
    ]  # fmt: skip
    cells = [re.sub("<[^>]*>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", page)]
    assert cells == ["1", "50.0%", "–", "25.0%", "75.0%", "2", "100.0%", "10.0%", "–", "–"]


def test_facts_of_a_record_in_words():
    record = {"a_b": {"x": None, "y": (1, 2)}, "command": ["m", "n"]}
    page = html._facts(record)
    assert "<tr><th>a b</th><td>x: unknown, y: 1 2</td></tr>" in page
    assert "<tr><th>command</th><td>m n</td></tr>" in page
    assert "details" not in page
    assert html._links([]) == ""
    assert html._links(["a b.png", "c"]) == (
        '<p>Beside this page: <a href="a%20b.png">a b.png</a>, <a href="c">c</a>.</p>'
    )


def test_a_column_of_numbers_is_set_right_and_a_miss_is_bold():
    page = html._table(["row", "n"], [["a", "1"]], numeric=["n"])
    assert page == (
        '<div class="wide"><table><tr><th>row</th><th class="number">n</th></tr>'
        '<tr><td>a</td><td class="number">1</td></tr></table></div>'
    )
    for bad in ("missed", "slower"):
        assert html._cell(bad) == f'<b class="bad">{bad}</b>'
    assert html._cell("reached") == "reached"


# Printed tables


def row(**changes):
    given = {"selection": "", "source": None, "created": "2026-01-02T03:04:05Z", "commit": "a"}
    given |= {"machine": "m", "wall_s": None}
    return SimpleNamespace(**(given | changes))


def test_where_figures_come_from(table, make_row):
    first = table.rows[0]
    rows = tuple(
        replace(
            first, commit=commit, created=f"2026-01-0{day}T00:00:00Z", machine=machine, wall_s=wall
        )
        for day, commit, machine, wall in (
            (3, "c, a", "m", 299.0), (1, "a", "n", 300.0), (2, None, "m", None),
        )
    )  # fmt: skip
    assert origin(replace(table, rows=rows, data=None)) == [
        "Reported: the mean.", "Published: a paper, Table 1.",
        "Commit c, a, none, 2026-01-01 to 2026-01-03, m; n, 599 s in all.",
    ]  # fmt: skip
    many = tuple(replace(one, commit=f"{n}, {n}b", wall_s=300.0) for n, one in enumerate(rows))
    assert origin(replace(table, rows=many))[-1] == (
        "Commit 0 and 5 others, 2026-01-01 to 2026-01-03, m; n, 15 min in all."
    )
    two = tuple(replace(one, wall_s=300.0) for one in rows[:2])
    assert origin(replace(table, rows=two))[-1].endswith(", 10 min in all.")
    bare = replace(table, data=replace(table.data, sha256=None), rows=())
    assert origin(bare) == ["Data: stories, test."]
    assert tables._few("aab", most=2) == "a, b"
    assert tables._few("abcd") == "a and 3 others"


def test_columns_are_as_wide_as_their_words_and_then_as_they_want():
    texts = [["ab cd", "a"], ["abcdef"], ["x y z w"]]
    assert tables._widths(texts, 9) == [2, 6, 1]
    assert tables._widths(texts, 10) == [2, 6, 2]
    assert tables._widths(texts, 13) == [3, 6, 4]
    assert tables._widths(texts, 100) == [5, 6, 7]
    assert tables._widths(texts, 7) == [2, 4, 1]
    assert tables._widths(texts, 0) == [1, 1, 1]


def test_a_table_fits_where_its_longest_words_do():
    told = Cells(("row", "note"), (("abcd ef", "long note"),))
    options = SimpleNamespace(max_width=3 * 2 + 4 + 4 - 1)
    assert tables._fits(told, (), options)
    assert not tables._fits(told, (), SimpleNamespace(max_width=options.max_width - 1))
    assert tables._texts(told, {"note"}) == {"row": ["row", "abcd ef"]}


def test_figures_and_goals_in_print(make_row):
    def shown(**changes):
        return tables._row(make_row("t", 10.0, **changes))

    lower, higher = shown(target=12.0), shown(target=12.0, better="higher")
    assert (lower["target"], higher["target"], shown()["target"]) == ("≤ 12.0", "≥ 12.0", "")
    assert shown(unit="")["metric"] == "error"
    assert [tables._difference(x, "%") for x in (0, 0.25, -1.5, 0.04)] == [
        "0", "+0.2", "−1.5", "+<0.1",
    ]  # fmt: skip
    assert tables._difference(-0.000123456, "") == "−0.0001235"


def test_what_is_good_is_green_and_what_is_bad_is_red():
    for cell in ("missed", "slower, partial"):
        assert tables._coloured(cell) == f"[bold red]{cell}[/bold red]"
    for cell in ("reached", "within 1.5", "target met", "faster"):
        assert tables._coloured(cell) == f"[green]{cell}[/green]"
    assert tables._coloured("not run") == "[dim]not run[/dim]"
    assert tables._coloured("done") == "done"


def test_equal_speed_is_not_slower(benchmark_result):
    fast = benchmark_result.rows[0]
    status = [
        tables._bench_row(replace(fast, ratio=ratio))["status"] for ratio in (1.0, 0.999, 1.001)
    ]
    assert status == ["faster", "slower", "faster"]
    shown = tables._bench_row(replace(fast, ratio=1.23456, ratio_interval=(1.0, 2.34567)))
    assert shown["faster"] == "1.23× (1 to 2.35)"
    assert (shown["measured"], shown["baseline"], shown["pairs"]) == ("1", "3", "7")


def test_a_result_that_no_table_of_today_makes_is_not_checked(table, capsys):
    assert _stale({"no such": table}, None) == 0
    assert capsys.readouterr().out == ""
