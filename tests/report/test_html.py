"""The page of a run: complete in itself, robust against gaps, deaf to hostile text."""

import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from memnets.report.html import write_report
from memnets.report.svg import curves

METRICS = {
    "loss": 0.25, "accuracy": 0.9, "supports_read": 0.6, "gold_read": 0.8,
    "accuracy/1": 0.875, "supports_read/1": 0.5, "supports_chance/1": 0.25, "gold_read/1": 0.75,
    "accuracy/2": 0.991,
}  # fmt: skip
VOID = {"meta", "br", "link", "img", "circle", "line", "polyline"}


class Page(HTMLParser):
    """Collects tags and text, and checks that every tag is closed in turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture
def no_matplotlib(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)


def written(folder, **parts):
    parts = {"title": "a run", "record": {"recipe": "toy"}} | parts
    path = write_report(folder / "index.html", **parts)
    return Page(path.read_text("utf-8"))


def test_the_page_tells_what_ran_and_how_it_went(
    tmp_path, no_matplotlib, make_answer, make_log, table
):
    page = written(
        tmp_path,
        record={"recipe": "toy", "seed": 7, "commit": None, "config": {"model": {"dim": 23}}},
        log=make_log(),
        result={"train": METRICS, "test": METRICS},
        answers=[make_answer(5), make_answer(61, right=False)],
        tables=[table],
        published={"accuracy/1": 5.0, "accuracy/2": 0.9},
    )
    for words in (
        "seed7", "commitunknown", '"dim": 23', "loss0.250.25", "accuracy90.0%90.0%",
        "supports read60.0%60.0%", "gold read80.0%80.0%",
        "187.5%95.0% ✗ below50.0%25.0%75.0%", "299.1%99.1%–––",
        "✓ right: kitchen (87.5%)", "✗ wrong: kitchen (87.5%); right is office",
        "then garden 6.2%", "★ gold evidence", "58 slots that were hardly read",
        "linear start", "13.0 ± 1.4", "Written by memnets reproduce toy.",
        "None were written: pictures need matplotlib",
    ):  # fmt: skip
        assert words in page.text
    assert sum(tag == "polyline" for tag, _ in page.tags) == 4
    hovers = [given["title"] for _, given in page.tags if "title" in given]
    assert "hop 2, slot 2: 0.760000" in hovers
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_the_page_loads_nothing(tmp_path, make_answer, make_log, table, hostile):
    pytest.importorskip("matplotlib")
    page = written(
        tmp_path,
        title=hostile,
        log=[{**record, "phase": hostile + record["phase"]} for record in make_log()],
        result={"test": METRICS | {f"accuracy/{hostile}": 0.5}},
        answers=[make_answer(2)],
        tables=[table],
    )
    assert {tag for tag, _ in page.tags}.isdisjoint({"script", "link", "iframe", "img", "object"})
    loads = [given.get("src") or given.get("href") or "" for _, given in page.tags]
    names = {path.name for path in tmp_path.iterdir()} - {"index.html"}
    assert names == {"curves.png", "tasks.png", "toy.png", "answer-01.png"}
    assert set(filter(None, loads)) == names
    style = (tmp_path / "index.html").read_text("utf-8").split("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style


def test_hostile_text_stays_text(tmp_path, no_matplotlib, make_answer, table, hostile):
    answer = make_answer(2, text=hostile)
    odd = replace(answer.steps[0].supports[0], text=hostile)
    step = replace(answer.steps[0], name=hostile, supports=(odd,))
    record = {hostile: hostile, "config": {"path": f"</pre>{hostile}"}}
    page = written(
        tmp_path,
        title=hostile,
        record=record,
        answers=[
            replace(answer, question=hostile, steps=(step,), unknown_words=(hostile,)),
        ],
        result={hostile: {"loss": 1.0}},
        tables=[replace(table, rows=(replace(table.rows[0], row=hostile, note=hostile),))],
    )
    assert all(tag != "script" for tag, _ in page.tags)
    assert page.text.count(hostile) >= 11
    assert any(
        (given.get("title") or "").startswith(f"{hostile}, slot 1") for _, given in page.tags
    )


def test_a_run_that_nobody_published_has_no_column_for_it(tmp_path, no_matplotlib):
    page = written(tmp_path, result={"test": METRICS})
    assert "published" not in page.text
    assert "187.5%50.0%25.0%75.0%" in page.text


def test_the_page_of_a_text_shows_quick_looks_halves_and_spaces(
    tmp_path, no_matplotlib, make_answer
):
    page = written(
        tmp_path,
        log=[{"update": 7, "train": {"loss": 2.0, "bits": 3.0}, "quick": {"loss": 1, "bits": 2}}],
        result={"valid": {"bits": 3.5, "bits/reporting": 3.25, "recall/13": 0.5}, "test": {}},
        answers=[replace(make_answer(2), text=" ", runners_up=(("\n", 0.5),), gold="\n")],
    )
    for words in (
        "loss: train quick", "bits: train quick", "validbits3.5bits, reporting3.25",
        "✗ wrong: ␣ (87.5%); right is ⏎", "then ⏎ 50.0%",
    ):  # fmt: skip
        assert words in page.text
    assert "accuracy:" not in page.text  # which the log does not tell
    assert "recall, 13" not in page.text  # one of many, and no figure of the whole


def test_missing_parts_are_left_out(tmp_path):
    page = written(tmp_path, record={})
    assert [tag for tag, _ in page.tags].count("h2") == 0
    assert page.text.strip().endswith("a run")


def test_a_log_of_one_point_is_drawn(make_log):
    assert "<circle" in curves(make_log(1), "loss", ("train", "valid"))
    assert curves(make_log(1), "colour", ("train",)) == ""
    assert curves([], "loss", ("train",)) == ""


def test_points_of_a_curve_lie_where_they_belong():
    log = [{"update": update, "train": {"loss": loss}} for update, loss in ((5, 4.0), (10, 0.0))]
    drawn = curves(log, "loss", ("train",))
    assert 'points="229.0,30.0 410.0,204.0"' in drawn
    assert '<text x="42" y="121.0" text-anchor="end">2</text>' in drawn
