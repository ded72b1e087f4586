"""The table of questions that strangers typed, over a knowledge base of three facts."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from memnets.data.qa.asked import AskedQuestion, read_asked
from memnets.experiments.execute import start
from memnets.experiments.jobs import FinishedRun, Runs
from memnets.experiments.seeds import Entry
from memnets.files import write_json
from memnets.kb.store.store import Store
from memnets.studies import tables
from memnets.studies.kb_qa.data import KBData
from memnets.studies.kb_qa.recipes import KBQA, KBQATraining
from memnets.studies.kb_qa.strangers import (
    ASKED,
    HELPS,
    Help,
    figures_of,
    find_wordnet,
    strangers,
)

SMALL = KBQA(
    data=KBData(held_out=False),
    training=KBQATraining(questions=211, tested=101, epochs=1, batch=67),
)


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    facts = "subject,relation,object\nRome,mayor,Ada\nBari,mayor,Ben\nAda,born_in,Bari\n"
    (folder / "towns.csv").write_text(facts)
    (folder / "towns.questions.tsv").write_text(
        "kind\tquestion\tanswers\nplain\tWho is the mayor of Rome?\tAda\n"
        "counting\tHow many mayors are there?\t2\nno such name\tmayor of Paris?\t\n"
    )
    return folder


def small():
    entries = (Entry(row="towns", run=SMALL),)
    return replace(strangers(), entries=entries, seeds=1, helped=())


def test_the_table_is_found():
    table = tables()["strangers"]()
    rows = [entry.row for entry in table.entries]
    assert rows[:4] == ["theatre", "workshop", "kitchen", "league"]
    assert rows[4:] == ["museum", "lands", "railway", "seeds"]
    assert table.wide == ("workshop", "kitchen", "seeds")
    assert {entry.run.training.questions for entry in table.entries} == {8000}


def test_a_table_has_a_row_an_entity(tmp_path, data):
    (data / "towns.csv").write_text("town,mayor,river\nRome,Ada,Tiber\nBari,Ben,\n")
    ((job,),) = replace(small(), wide=("towns",)).stages("strangers", tmp_path, data, "")
    facts = [*Store.open(job.run.data.path).facts]
    assert facts == [("Rome", "mayor", "Ada"), ("Rome", "river", "Tiber"), ("Bari", "mayor", "Ben")]


def test_runs_are_asked_when_they_have_ended(tmp_path, data):
    ((job,),) = small().stages("strangers", tmp_path, data, "")
    assert job.run.data.path == tmp_path / "strangers" / "towns.kb"
    rows = small().collect("strangers", tmp_path, data).rows
    assert {row.status for row in rows if row.row == "towns"} == {"not run"}
    start(job.run, job.folder)
    rows = {(row.row, row.metric): row for row in small().collect("strangers", tmp_path, data).rows}
    assert (job.folder / ASKED).is_file()
    assert rows["towns", "right: plain"].measured == 100
    assert rows["towns", "right: counting"].measured == 100
    assert rows["towns", "unanswerable, and declined"].measured == 100
    assert rows["towns, string matching", "right: plain"].measured == 100
    assert rows["towns, string matching", "right: counting"].measured == 0
    matched = rows["towns, string matching", "right: plain"]
    assert (matched.seeds, matched.target, matched.status) == ((0,), None, "done")
    assert matched.selection == "nothing is learnt"
    elsewhere = replace(small(), sources=data).collect("strangers", tmp_path, None).rows
    assert [(row.row, row.measured) for row in elsewhere] == [
        (row.row, row.measured) for row in small().collect("strangers", tmp_path, data).rows
    ]


def test_runs_are_asked_again_with_wordnet_where_it_is(tmp_path, data, monkeypatch):
    told = []
    monkeypatch.setattr(
        "memnets.studies.kb_qa.strangers.KBAnswerer",
        lambda run, path, synonyms: told.append(synonyms) or Answerer(),
    )

    class Answerer:
        def understand(self, question):
            return SimpleNamespace(objects=("Ada",) if told[-1] else (), probability=1.0)

    monkeypatch.setattr("memnets.studies.kb_qa.strangers.read_synonyms", lambda path: path.name)
    there = [None]
    help_ = Help(", with WordNet", "asked-with-wordnet.json", lambda: there[0])
    table = replace(small(), helped=(help_,))
    ((job,),) = table.stages("strangers", tmp_path, data, "")
    start(job.run, job.folder)

    def plain_rows():
        rows = table.collect("strangers", tmp_path, data).rows
        return {row.row: row.measured for row in rows if row.metric == "right: plain"}

    assert plain_rows() == {
        "towns": 0, "towns, with WordNet": None, "towns, string matching": 100
    }  # fmt: skip
    there[0] = tmp_path / "wordnet"
    for _ in range(2):  # what was answered is kept
        assert plain_rows()["towns, with WordNet"] == 100
    assert told == [None, "wordnet"]
    targets = {
        row.row: row.target
        for row in table.collect("strangers", tmp_path, data).rows
        if row.metric == "right: synonyms"
    }
    assert targets == {"towns": 60, "towns, with WordNet": 80, "towns, string matching": None}


def test_help_is_looked_for_where_it_is_put(tmp_path, monkeypatch):
    monkeypatch.setattr("memnets.studies.kb_qa.strangers.WORDNET", tmp_path / "wordnet")
    assert find_wordnet() is None
    (tmp_path / "wordnet").mkdir()
    assert find_wordnet() == tmp_path / "wordnet"
    assert [one.find for one in strangers().helped] == [find_wordnet]
    assert {one.kept for one in HELPS}.isdisjoint({ASKED})


def test_facts_that_are_not_there_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"towns.csv: no such file. Run this in a checkout"):
        list(small().stages("strangers", tmp_path, tmp_path, ""))


def test_figures_are_shares_of_their_questions():
    asked = [
        AskedQuestion("a", ("A",), "plain"),
        AskedQuestion("b", ("B",), "plain"),
        AskedQuestion("c", (), "no such name"),
        AskedQuestion("d", (), "not a question"),
    ]
    said = {"a": (("A",), 0.7), "b": ((), 0.9), "c": (("C",), 0.95), "d": ((), 1.0)}
    found = figures_of(asked, said.__getitem__)
    assert (found["plain"], found["declined"], found["refused"]) == (0.5, 0.5, 0.5)
    assert (found["right"], found["wrong"], found["sure"]) == (0.5, 0.25, 0.25)
    assert found["failed"] == 0


def test_what_has_no_words_is_declined_unasked():
    def ask(question):
        raise AssertionError(question)

    found = figures_of([AskedQuestion("?!", (), "not a question")], ask)
    assert (found["declined"], found["failed"]) == (1, 0)


@pytest.mark.parametrize("error", [ValueError, KeyError, IndexError, TypeError])
def test_a_question_at_which_answering_fails_is_wrong_and_not_sure(error):
    def ask(question):
        if question == "b":
            raise error("not so")
        return (), 1.0

    found = figures_of(
        [AskedQuestion("a", (), "not a question"), AskedQuestion("b", (), "no such name")], ask
    )
    assert (found["declined"], found["wrong"], found["sure"]) == (0.5, 0.5, 0)
    assert found["failed"] == 0.5


def test_a_row_of_what_is_wrong_says_how_much_of_it_failed(tmp_path, data):
    def ask(question):
        if "Rome" in question:
            raise ValueError("not so")
        return (), 1.0

    write_json(tmp_path / ASKED, figures_of(read_asked(data / "towns.questions.tsv"), ask))
    folder = SimpleNamespace(path=tmp_path, record={"commit": "a1b2c3d", "device": "cpu"})
    ran = FinishedRun(SMALL, folder, {"metrics": {}, "wall_s": 1.0})
    rows = small().rows({"towns": Runs({0: ran}, frozenset())}, data)
    assert {(row.metric, row.note) for row in rows if row.note} == {
        ("wrong, of all", "answering fails at 33.3 %, which count as wrong")
    }
