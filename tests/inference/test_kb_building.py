"""A knowledge base by its Python calls, before it is trained: what is built, said and found."""

import inspect
import os
from types import SimpleNamespace

import pytest

import memnets
from memnets.data.rows import BadRows
from memnets.inference import kb as module
from memnets.inference.kb import KB, beside, is_kb, namesakes_in_words
from memnets.inference.loading import load
from memnets.inference.runs import resume, shown
from memnets.kb.questions.phrase_files import read_phrases
from memnets.kb.questions.phrases import ways_of_asking
from memnets.kb.store.store import BuiltStore
from memnets.studies.kb_qa.recipes import KBQATraining

FACTS = [("Alien", "directed_by", "Ada"), ("Up", "release_year", "2009")]
BUILT = BuiltStore(2, 0, 4, 2, BadRows(), 0.1)


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture
def built(tmp_path):
    return memnets.build_kb(FACTS, tmp_path / "films.kb")


def test_what_was_built_is_a_kb_that_is_not_trained(built, tmp_path):
    assert list(built.store.facts) == FACTS
    assert repr(built) == (
        f"KB({tmp_path}/films.kb: 2 facts, 2 relations; not trained yet: train() comes first)"
    )
    assert (built.trained, built.device) == (tmp_path / "films.kb.trained", None)
    assert KB(built.path, tmp_path / "own", "cuda").trained == tmp_path / "own"
    assert KB(built.path, device="cuda").device == "cuda"
    with pytest.raises(FileNotFoundError, match=r"films\.kb\.trained: no trained model is here"):
        built.answerer  # noqa: B018


@pytest.mark.parametrize("many", [dict, list, iter])
def test_further_names_may_be_pairs_or_a_mapping(tmp_path, many):
    names = {"Alien": "Xenomorph", "nobody": "x"}
    further = many(names) if many is dict else many(names.items())
    built = memnets.build_kb(FACTS, tmp_path / "films.kb", names=further)
    assert [entity.name for entity in built.store.aliases["xenomorph"]] == ["Alien"]


def test_further_names_may_be_in_a_file(tmp_path):
    (tmp_path / "names.tsv").write_text("Alien\tXenomorph\n")
    for path in (tmp_path / "names.tsv", str(tmp_path / "names.tsv")):
        built = memnets.build_kb(FACTS, tmp_path / "films.kb", names=path)
        assert [entity.name for entity in built.store.aliases["xenomorph"]] == ["Alien"]
    (tmp_path / "names.tsv").write_text("Alien\n")
    with pytest.raises(ValueError, match=r"names\.tsv:1: .*expected entity<TAB>name"):
        memnets.build_kb(FACTS, tmp_path / "films.kb", names=tmp_path / "names.tsv")


def test_bad_rows_are_warned_of_with_the_first(tmp_path):
    (tmp_path / "films.tsv").write_text("a\tr\tb\nc\nd\n")
    with pytest.warns(UserWarning, match=r"^2 bad rows left out: .*films\.tsv:2: came 'c'") as told:
        memnets.build_kb(tmp_path / "films.tsv", tmp_path / "films.kb")
    assert len(told) == 1
    assert told[0].filename == __file__


def test_one_name_in_rows_that_contradict_each_other_is_warned_of(tmp_path):
    path = tmp_path / "staff.csv"
    path.write_text("name,room\nAda,1\nAda,2\nBo,3\nBo,4\n")
    with pytest.warns(UserWarning, match=r"^2 names stand in .*'Ada' .*; \.\.\.\. If each"):
        memnets.build_kb(path, tmp_path / "staff.kb", table=True)
    path.write_text("name,room\nAda,1\nAda,\nAda,1\n")
    assert len(memnets.build_kb(path, tmp_path / "staff.kb", table=True).store.facts) == 1


def test_names_that_were_put_together_are_counted_and_some_are_shown():
    def told(*merged: str) -> str:
        return namesakes_in_words(BUILT._replace(merged=merged), 2)

    assert told("Ada").startswith("1 name stands in several rows")
    assert told("Ada", "Bo", "Cy").startswith("3 names stand in several rows")
    assert "were put together: Ada; Bo; .... If each" in told("Ada", "Bo", "Cy")
    assert "were put together: Ada; Bo. If each" in told("Ada", "Bo")
    assert told() == ""


def test_rows_that_were_told_apart_are_counted_and_some_are_shown():
    two = namesakes_in_words(BUILT._replace(apart=("Ada (1)", "Ada (2)")), 1)
    assert two.startswith("2 rows share their name")
    assert "told apart: 'Ada (1)', 'Ada (2)'. To tell" in two
    three = namesakes_in_words(BUILT._replace(apart=("Ada (1)", "Ada (2)", "Ada (3)")), 1)
    assert "told apart: 'Ada (1)', 'Ada (2)', .... To tell" in three


@pytest.mark.parametrize("fact", ["Alien", ("a", "b"), ("a", "b", 3), ("a", "b", "c", "d")])
def test_what_is_no_fact_is_named_by_its_place(tmp_path, fact):
    with pytest.raises(ValueError, match=r"^fact 3 came as .*; expected three texts"):
        memnets.build_kb([*FACTS, fact], tmp_path / "films.kb")


def test_a_table_without_facts_is_refused_with_its_first_bad_row(tmp_path):
    (tmp_path / "t.csv").write_text("name,room\nAda\n")
    with pytest.raises(ValueError, match=r"no facts in this table, and 1 bad rows; .*t\.csv:2: "):
        memnets.build_kb(tmp_path / "t.csv", tmp_path / "t.kb", table=True)
    (tmp_path / "t.csv").write_text("name,room\nAda,\n")
    with pytest.raises(ValueError, match=r"and 0 bad rows; .* without --table\.$"):
        memnets.build_kb(tmp_path / "t.csv", tmp_path / "t.kb", table=True)


def test_a_kb_is_told_from_a_run_and_from_any_folder(built, tmp_path, monkeypatch):
    assert is_kb(built.path)
    assert not is_kb(tmp_path)
    assert isinstance(load(built.path, "cpu"), KB)
    assert load(str(built.path), "cpu").device == "cpu"
    (built.path / "run.json").touch()
    assert not is_kb(built.path)
    assert beside(tmp_path / "a.kb", "trained") == tmp_path / "a.kb.trained"


def test_phrases_are_written_once_and_by_the_seed(built, tmp_path):
    path = built.phrases(seed=3)
    relations = {"directed_by": ["Ada"], "release_year": ["2009"]}
    assert path == tmp_path / "films.kb.phrases.toml"
    assert read_phrases(path, relations) == ways_of_asking(relations, 3)
    written = path.read_text()
    assert built.phrases(seed=4).read_text() == written
    path.unlink()
    assert read_phrases(built.phrases(), relations) == ways_of_asking(relations, 0)
    (tmp_path / "own.toml").touch()
    assert built.phrases(str(tmp_path / "own.toml")) == tmp_path / "own.toml"
    with pytest.raises(FileNotFoundError, match=r"none\.toml: no such file\. Leave --phrases out"):
        built.phrases(tmp_path / "none.toml")
    assert not (tmp_path / "none.toml").exists()


def test_what_is_trained_by_default():
    given = inspect.signature(KB.train).parameters
    defaults = {name: one.default for name, one in given.items() if name != "self"}
    assert defaults == {
        "questions": KBQATraining.questions,
        "seed": 0,
        "threads": 1,
        "phrases": None,
        "show": True,
    }


@pytest.mark.parametrize(("spare", "checked"), [(0, 1), (-1, 0)])
def test_a_kb_of_the_limit_is_checked_before_it_is_asked(built, monkeypatch, spare, checked):
    size = sum(file.stat().st_size for file in built.path.rglob("*.npy"))
    seen = []
    monkeypatch.setattr(module, "SMALL", size + spare)
    monkeypatch.setattr(module.kb, "verify", lambda path, form: seen.append((path, form.name)))
    built.trained.mkdir()
    with pytest.raises(FileNotFoundError, match=r"run\.json"):
        built.answerer  # noqa: B018
    assert seen == [(built.path, "memnets kb")] * checked


def test_the_model_computes_where_it_is_told_with_what_was_taught(built, monkeypatch):
    made = []

    class Answerer:
        def __init__(self, *given):
            made.append(given)

        def to(self, device):
            self.device = device

    run = SimpleNamespace(kind=module.KBQA.kind)
    monkeypatch.setattr(module, "KBAnswerer", Answerer)
    monkeypatch.setattr(module, "open_run", lambda path: SimpleNamespace(run=run, path=path))
    built.trained.mkdir()
    assert built.answerer.device == "cpu"
    assert built.teach("helmsman", "Directed by") == "directed_by"
    assert built.answerer.device == "cpu"  # another, that knows what was taught
    assert KB(built.path, device="cuda").answerer.device == "cuda"
    assert [(of.kind, path, store.folder) for of, path, store, *_ in made] == [
        (run.kind, built.trained, built.path)
    ] * 3
    names = {"directed_by": ("helmsman",)}
    told = [{name: tuple(said) for name, said in one[3].items()} for one in made]
    assert told == [{}, names, names]
    assert [one[4] for one in made] == [None] * 3
    run.kind = "memn2n"
    with pytest.raises(
        ValueError, match=r"films\.kb\.trained: a run of another kind \(memn2n\); exp"
    ):
        KB(built.path).answerer  # noqa: B018


def test_a_change_since_the_training_is_warned_of_with_every_question(built):
    built.__dict__["answerer"] = SimpleNamespace(
        changed=True, never_learnt=["won", "wrote"], ask=lambda *given, **named: (given, named)
    )
    said = (
        "the knowledge base has changed since the training; never learnt: won, wrote. New facts "
        f"are read; to learn new relations: memnets kb train {built.path}"
    )
    assert built.changes == said
    with pytest.warns(UserWarning, match="never learnt: won, wrote") as told:
        assert built.ask("who?", most=3) == (("who?",), {"most": 3})
    assert told[0].filename == __file__
    built.answerer.never_learnt = []
    assert built.changes.startswith("the knowledge base has changed since the training. New facts")
    built.answerer.changed = False
    assert built.changes == ""
    assert built.ask() == ((), {})


def test_the_newest_run_is_named_where_a_folder_is_none(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for age, name in ((3, "b"), (1, "c"), (2, "a")):
        record = tmp_path / "runs" / name / "run.json"
        record.parent.mkdir(parents=True)
        record.touch()
        os.utime(record, (10**9 - age, 10**9 - age))
    with pytest.raises(FileNotFoundError, match=r"none: neither .* such as runs/c\.$"):
        load("none")


def test_the_test_part_is_measured_and_progress_shown_unless_told_otherwise():
    defaults = {
        (call.__name__, name): one.default
        for call in (memnets.train, resume, memnets.evaluate, memnets.build_kb)
        for name, one in inspect.signature(call).parameters.items()
        if one.default is not one.empty
    }
    assert defaults == {
        ("train", "overrides"): None,
        ("train", "out"): None,
        ("train", "show"): True,
        ("resume", "show"): True,
        ("evaluate", "split"): None,  # the test part; with questions, none
        ("evaluate", "data"): None,
        ("evaluate", "questions"): None,
        ("build_kb", "form"): None,
        ("build_kb", "header"): None,
        ("build_kb", "names"): (),
        ("build_kb", "table"): False,
        ("build_kb", "subject"): None,
        ("build_kb", "key"): None,
    }


def test_who_is_told_of_progress():
    told = object()
    assert shown(told) is told
    assert shown(False) is None
    assert shown(None) is None
    assert hasattr(shown(True), "note")
