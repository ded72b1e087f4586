"""What commands show, figure by figure: tables, answers, texts that are gone on with, places."""

import io
import json
import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from memnets.cli import (
    docs,
    generate,
    kb_asked,
    kb_build,
    kb_train,
    main,
    new,
    report,
    reproduce,
    writing,
)
from memnets.cli.ask import Ask, _prompts, _question, _read
from memnets.cli.data import _terms
from memnets.cli.kb_build import looks_like_a_table
from memnets.cli.options import Complaining, wrapped
from memnets.cli.places import expect_folder
from memnets.cli.tables import answer_line, evidence_table, metrics_table, show
from memnets.cli.writing import Writing, places_tables, show_texts
from memnets.data.rows import BadRows
from memnets.data.sources import SOURCES
from memnets.evidence import Answer, CodedText, Step, Support
from memnets.evidence.coded_text import CodedSymbol, Expected
from memnets.files import read_json, sha256
from memnets.kb.store.store import BuiltStore


def rows(table):
    """Return a table of rich as lists of texts, its columns first."""
    columns = [[str(column.header), *map(str, column.cells)] for column in table.columns]
    return [list(row) for row in zip(*columns, strict=True)]


STORY = {"loss": 0.25, "accuracy": 0.5, "supports_read": 0.75, "supports_chance": 0.125}
HEAD = ["split", "task", "questions right", "all supports read", "by chance", "loss"]


def test_questions_supports_and_chance_stand_by_task_where_there_are_several():
    tasks = {"accuracy/10": 0.1, "accuracy/2": 1.0, "supports_read/2": 0.2, "supports_chance/2": 0}
    assert rows(metrics_table({"test": {**STORY, **tasks}})) == [
        HEAD,
        ["test", "2", "100.0%", "20.0%", "0.0%", ""],
        ["test", "10", "10.0%", "–", "–", ""],
        ["test", "all", "50.0%", "75.0%", "12.5%", "0.2500"],
    ]
    one = metrics_table({"valid": {**STORY, "accuracy/7": 0.3}, "test": STORY})
    assert rows(one) == [
        HEAD,
        ["valid", "7", "50.0%", "75.0%", "12.5%", "0.2500"],
        ["test", "all", "50.0%", "75.0%", "12.5%", "0.2500"],
    ]


def test_other_figures_stand_in_a_line_each_and_a_column_a_split():
    found = metrics_table({"train": {"loss": 2.0}, "none": {}, "test": {"bits/a_b": 1234.5678}})
    assert rows(found) == [
        ["", "train", "test"],
        ["loss", "2", "–"],
        ["bits, a b", "–", "1,234.57"],
    ]


def test_weights_are_bold_from_a_half_and_dim_below_a_tenth():
    weights = (0.5, 0.49, 0.1, 0.099, -0.6)
    supports = tuple(Support(n, f"s{n}", weight) for n, weight in enumerate(weights))
    first = Step("hop 1", supports)
    second = Step("hop 2", tuple(replace(one, weight=0.25) for one in supports))
    read, one, other = evidence_table(Answer("q?", "a", 1.0, (), (first, second))).columns
    assert [cell.plain for cell in read.cells] == ["s0", "s1", "s2", "s3", "s4"]
    assert [cell.plain for cell in one.cells] == ["0.50", "0.49", "0.10", "0.10", "-0.60"]
    assert [str(cell.style) for cell in one.cells] == ["bold", "", "", "dim", "bold"]
    assert {cell.plain for cell in other.cells} == {"0.25"}
    assert (one.header, other.header) == ("hop 1", "hop 2")


def test_an_answer_stands_before_its_rivals_and_after_its_caution():
    answer = Answer("q?", "hall", 0.9, (("office", 0.05), ("\n", 0.01)), ())
    assert answer_line(answer).plain == "hall  90.0%   then office 5.0%, ⏎ 1.0%"
    assert answer_line(replace(answer, runners_up=())).plain == "hall  90.0%"
    careful = answer_line(replace(answer, caution="Alein for Alien"))
    assert careful.plain.startswith("Alein for Alien:\nhall  90.0%")


def test_remarks_are_shown_below_the_answer(capsys):
    show(Answer("q?", "hall", 0.9, (), (), unknown_words=("zoe",)))
    lines = capsys.readouterr().out.splitlines()
    assert lines[:4] == ["", "q?", "hall  90.0%", "unknown words, read as nothing: zoe"]
    show(Answer("q?", "hall", 0.9, (), ()), json=True)
    assert json.loads(capsys.readouterr().out)["text"] == "hall"


# Texts


def test_the_places_that_were_read_most_are_counted_backwards():
    weights = [0.01 * (n + 1) for n in range(10)]
    supports = tuple(Support(n, f"p{n}\n", weight) for n, weight in enumerate(weights))
    first, second = places_tables(
        Answer("q", "a", 1.0, (), (Step("cache", supports), Step("memory", supports[:1])))
    )
    shown = rows(first)
    assert shown[0][0] == "read by the cache for the first symbol → what followed there"
    assert shown[1:3] == [["p9⏎", "1", "0.10"], ["p8⏎", "2", "0.09"]]
    assert shown[-1] == ["p2⏎", "8", "0.03"]  # eight are shown
    assert rows(second)[1:] == [["p0⏎", "1", "0.01"]]


NEXT = Expected((("a", 0.5),), ())


class Talker:
    def __init__(self):
        self.asked = []

    def write(self, *given):
        self.asked.append(given)
        return Answer(given[0], "rest", 1.0, (("r", 0.75), (" ", 0.25)), (), ("é",))

    def surprisal(self, text):
        symbols = (CodedSymbol(s, b, NEXT) for s, b in zip(text[1:], (4.0, 4.5, 0.5), strict=False))
        return CodedText(text, "character", text[0], tuple(symbols), NEXT)


def test_a_text_is_gone_on_with_as_it_is_asked_for(capsys):
    one, how = Talker(), Writing(length=7, temperature=0.5, seed=3)
    show_texts(one, ["ab", "", "c"], how, False)
    assert one.asked == [("ab", 7, 0.5, 3), ("c", 7, 0.5, 3)]
    said = capsys.readouterr().out.split("\n\n")
    assert said[0].split("\n") == ["", "abrest"]
    assert said[1].splitlines()[0] == "first symbol: 'r' 75.0%, ' ' 25.0%"
    assert "symbols it has never seen: 'é'" in said[1]
    show_texts(one, ["xabc"], replace(how, surprisal=True), True)
    told = json.loads(capsys.readouterr().out)
    assert (told["text"], told["bits"], len(told["symbols"])) == ("xabc", 3.0, 3)
    show_texts(one, ["xabc"], replace(how, surprisal=True), False)
    said = capsys.readouterr().out
    assert "3 symbols, 3.000 bits each" in said
    with pytest.raises(ValueError, match="'x': a text of one symbol surprises nobody"):
        show_texts(one, ["x"], replace(how, surprisal=True), False)
    assert next(line.split() for line in said.splitlines() if "'" in line) == ["'a'", "4.00"]
    assert [writing._shade(bits) for bits in (4.1, 4.0, 1.0, 0.9)] == ["bold red", "", "", "dim"]


def test_a_whole_story_and_every_question_is_gone_on_with(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    asked = Ask(tmp_path, tmp_path / "a.txt", ("three",))
    assert list(_prompts(asked)) == ["one\ntwo", "three"]
    monkeypatch.setattr("sys.stdin", io.StringIO(" a \n\nb"))
    assert list(_prompts(Ask(tmp_path))) == [" a ", "", "b"]
    assert [_question(text) for text in ("who", "who?", "«who?»")] == ["who?"] * 3
    assert _read(tmp_path / "a.txt") == ["one", "two"]


# Knowledge bases


def mention(how, *entities):
    return SimpleNamespace(entities=entities, how=how, name="alein", likeness=0.8)


def test_it_is_said_how_a_question_was_understood():
    answer = Answer("q?", "a", 1.0, (), (), unknown_words=("zoe", "yak"))
    asked = SimpleNamespace(
        mentions=[mention("name", "Alien"), mention("alias", "A", "B"), mention("spelling", "C")],
        corrected=[("dirceted", "directed")],
        answer=answer,
    )
    assert list(kb_asked.understood(asked)) == [
        "named: Alien (by its name, 'alein')",
        "named: A or B (by another form of its name, 'alein')",
        "named: C (by its spelling, 'alein', 80% alike)",
        "read 'dirceted' as 'directed'",
        "not understood: zoe, yak",
    ]
    bare = SimpleNamespace(mentions=[], corrected=[], answer=replace(answer, unknown_words=()))
    assert list(kb_asked.understood(bare)) == ["named: nothing that the knowledge base knows"]


def test_figures_of_a_trained_kb_are_told_by_what_they_are_of(capsys):
    kb_train._report({"accuracy": 0.5, "refused": 0.25, "declined": 0.125})
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("a first model, on made-up questions in phrases held out of its")
    assert lines[1:4] == [
        "   50.0%  answerable questions answered with all objects",
        "   25.0%  answerable questions declined",
        "   12.5%  unanswerable questions declined, among them",
    ]
    assert all(line.startswith("       –    ") for line in lines[4:])
    assert "         –    inapplicable relation" in [f"  {line}" for line in lines[4:]]


@pytest.mark.parametrize(
    ("facts", "relations", "subjects", "table"),
    [
        (4, 4, 4, False),  # too few to tell
        (5, 3, 1, True),  # relations hardly come again
        (6, 3, 5, False),
        (10, 2, 10, True),  # subjects never do
        (10, 2, 9, False),
        (20, 2, 20, False),  # few relations
        (19, 2, 19, True),
    ],
)
def test_facts_look_like_a_table(facts, relations, subjects, table):
    class Facts:
        def __init__(self):
            self.subjects = np.arange(facts) % subjects

        def __len__(self):
            return facts

    store = SimpleNamespace(facts=Facts(), relations=range(relations))
    assert looks_like_a_table(store) is table


# Places and options


def test_a_place_that_cannot_be_a_folder_is_refused(tmp_path, monkeypatch):
    expect_folder(tmp_path / "new" / "below", "--out")
    with pytest.raises(ValueError, match=r"^--runs 'a\\x00b': a path holds no NUL character"):
        expect_folder(Path("a\0b"), "--runs")
    asked = []
    monkeypatch.setattr(os, "access", lambda path, mode: asked.append((path, mode)))
    with pytest.raises(ValueError, match=rf"^{tmp_path}: this folder cannot be written to\. .*--a"):
        expect_folder(tmp_path / "new" / "below", "--a")
    assert asked == [(tmp_path, os.W_OK)]


def test_the_middle_of_a_long_complaint_is_left_out():
    stream = io.StringIO()
    Complaining(stream).write("\n".join(map(str, range(24))))
    assert stream.getvalue() == "\n".join(map(str, range(24)))
    stream = io.StringIO()
    Complaining(stream).write("\n".join(map(str, range(1026))))
    lines = stream.getvalue().split("\n")
    assert lines == [*map(str, range(12)), "[... 1,002 lines ...]", *map(str, range(1014, 1026))]


@pytest.mark.parametrize(
    ("line", "width", "pieces"),
    [
        ("abcd efgh", 9, ["abcd efgh"]),
        ("abcd efgh", 8, ["abcd", "efgh"]),
        ("12345  a b c", 9, ["12345  a", "b c"]),  # a head of more than half gives no indent
        ("123  a b c", 9, ["123  a b", "c"]),
        ("12  a b c d", 9, ["12  a b c", "    d"]),
    ],
)
def test_lines_are_broken_where_there_is_no_room(line, width, pieces):
    assert wrapped(line, width).split("\n") == pieces


def test_tasks_are_numbers_and_ranges_each_once():
    assert generate._tasks(["3", "5-7", "6", "2-2"]) == [3, 5, 6, 7, 2]
    for wrong in ("7-5", "x", "3-", "-3", ""):
        with pytest.raises(ValueError, match=rf"^--task {wrong}: this is no task"):
            generate._tasks([wrong])


def test_files_are_recorded_each_with_its_own_making(tmp_path):
    def run(**changes):
        made = generate.Generate(name="babi", out=tmp_path, task=("1",), questions=2, **changes)
        assert made.run() == 0

    run(split="test", seed=3)
    run(split="train")
    folder = tmp_path / "en-generated"
    record = read_json(folder / "made.json")
    (first, one), (second, other) = sorted(record.items())
    assert ("test" in first, "train" in second) == (True, True)
    assert (one["task"], one["split"], one["questions"], one["seed"]) == (1, "test", 2, 3)
    assert (other["split"], other["seed"], other["variant"]) == ("train", 0, {})
    assert one["sha256"] == sha256(folder / first) != sha256(folder / second)


def test_a_set_says_how_it_is_come_by():
    loaded = next(one for one in SOURCES.values() if one.archives and one.archives[0].size)
    size = f"{loaded.archives[0].size / 1e6:.0f} MB"
    bare = replace(loaded, makes="")
    assert _terms(bare) == f"download, {size}; licence: {loaded.licence}"
    assert _terms(replace(bare, archives=())) == f"from a folder; licence: {loaded.licence}"
    made = replace(loaded, makes="stories")
    assert _terms(made) == f"download, {size}; licence: {loaded.licence}; can be generated: stories"
    unknown = replace(bare, archives=(replace(loaded.archives[0], size=None),))
    assert _terms(unknown) == f"download, size unknown; licence: {loaded.licence}"


# Reports and tables


def test_a_report_shows_tasks_in_their_order_and_right_and_wrong_alike():
    metrics = {"test": {"accuracy/10": 1.0, "accuracy/9": 1.0, "accuracy": 1.0}}
    assert report._tasks(metrics) == [9, 10]
    assert report._tasks({"valid": metrics["test"]}) == []
    made = report.Report(Path("run"))
    assert (made.right, made.wrong, made.out) == (2, 2, None)


def test_data_of_a_table_are_there_and_wanted(tmp_path):
    def options(data):
        return reproduce.Reproduce("t", data=data)

    reproduce._expect_data(options(None), needed=True)
    reproduce._expect_data(options(None), needed=False)
    reproduce._expect_data(options(tmp_path), needed=True)
    with pytest.raises(ValueError, match=r"t is measured on generated data, so --data .* ignored"):
        reproduce._expect_data(options(tmp_path), needed=False)
    with pytest.raises(ValueError, match="there is no such folder"):
        reproduce._expect_data(options(tmp_path / "none"), needed=True)


def test_a_fault_of_ours_is_written_down_whole(capsys, monkeypatch):
    def broken(words):
        raise RuntimeError("crossed")

    monkeypatch.setattr(main, "_dispatch", broken)
    monkeypatch.delenv("MEMNETS_TRACEBACK", raising=False)
    assert main.main([]) == 70
    path = Path(capsys.readouterr().err.split("report it with ")[1].strip().rstrip("."))
    written = path.read_text()
    path.unlink()
    assert written.startswith("Traceback")
    assert written.endswith("RuntimeError: crossed\n")


@pytest.mark.parametrize(
    ("more", "told"), [(0, None), (1, "  and 1 more"), (1000, "  and 1,000 m")]
)
def test_five_bad_rows_are_shown_and_others_counted(more, told, tmp_path, capsys, monkeypatch):
    bad = BadRows()
    for number in range(5 + more):
        bad.add(f"row {number}")
    made = BuiltStore(10, 1234, 7, 2, bad, 0.5)
    monkeypatch.setattr(kb_build, "build", lambda *given, **named: made)
    assert kb_build.Build(tmp_path / "facts.nt", tmp_path / "my.kb", form="ntriples").run() == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        f"{tmp_path}/my.kb: 10 facts (1,234 came again), 7 entities, 2 relations; 0.5 s, "
        f"20 facts a second"
    )
    assert lines[1:7] == [f"{5 + more:,} bad rows left out:", *(f"  row {n}" for n in range(5))]
    assert lines[7].startswith(told or "next: memnets kb train")


@pytest.mark.parametrize(("lines", "more"), [(20, False), (21, True)])
def test_twenty_complaints_of_documents_are_shown(lines, more, tmp_path, capsys, monkeypatch):
    (tmp_path / "a.txt").write_bytes("ö\n".encode("cp1252") * lines)
    assert docs.Build(tmp_path, tmp_path / "my.docs").run() == 0
    assert ("... and 1 lines more" in capsys.readouterr().out) is more


def test_a_report_is_of_the_run_its_log_and_its_answers(tmp_path, monkeypatch):
    asked, wrote = [], []
    folder = SimpleNamespace(
        at=None, path=tmp_path / "run", record={"data": {"name": "stories"}}, log=lambda: ["log"]
    )
    answerer = SimpleNamespace(
        folder=folder,
        metrics={"test": {"accuracy/9": 1.0, "accuracy/10": 1.0}},
        name="its/recipe",
        run="run",
        check_data=lambda: asked.append("data"),
        read_texts=lambda: (),
    )

    def choose(one, task, right, wrong):
        asked.append((task, right, wrong))
        return [f"answer {task}"]

    monkeypatch.setattr(report, "load_run", lambda path: answerer)
    monkeypatch.setattr(report, "choose", choose)
    monkeypatch.setattr(report, "published_for", lambda run: {run: 1})
    monkeypatch.setattr(
        "memnets.report.html.write_report", lambda *given, **named: wrote.append((given, named))
    )
    report.write(tmp_path / "run", right=3, wrong=1)
    assert asked == ["data", (9, 3, 1), (10, 3, 1)]
    (((page,), said),) = wrote
    assert page == tmp_path / "run" / "report" / "index.html"
    assert said == {
        "title": "its/recipe: stories",
        "record": folder.record,
        "log": ["log"],
        "result": answerer.metrics,
        "answers": ["answer 9", "answer 10"],
        "published": {"run": 1},
        "pages": [],
    }
    answerer.metrics, folder.at = {}, 7
    report.write(tmp_path / "run")
    assert asked[-1] == (report.WHOLE, 2, 2)
    assert wrote[1][0] == (tmp_path / "run" / "report-7" / "index.html",)
    report.write(tmp_path / "run", tmp_path / "out")
    assert wrote[2][0] == (tmp_path / "out" / "index.html",)


def test_what_is_to_be_filled_in_is_named_by_its_line(tmp_path):
    path = tmp_path / "data.py"
    path.write_text('a = 1\nb = 2  # FILL IN "what b is".\n')
    assert list(new.left([path])) == [(path, 2, "what b is")]
