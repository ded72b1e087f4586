"""How a knowledge base is trained, and what a run is measured with: without any training."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest

import memnets
from memnets.experiments.run import to_json
from memnets.inference import kb as module
from memnets.inference import runs
from memnets.inference.kb import KB, _train_aside, build
from memnets.kb.programs.vectors import RelationVectors
from memnets.kb.questions.ranking import asking
from memnets.kb.questions.ranking import ranker as the_ranker
from memnets.kb.values.columns import open_columns
from memnets.studies import RENAMED, recipe
from memnets.studies.kb_qa.data import MEASURED, KBData
from memnets.studies.kb_qa.recipes import KBQA
from memnets.training.record import describe
from memnets.training.runs import RunFolder

FACTS = [("Alien", "directed_by", "Ada"), ("Up", "directed_by", "Ben")]


@pytest.fixture
def built(tmp_path):
    return memnets.build_kb(FACTS, tmp_path / "films.kb")


@pytest.fixture
def begun(monkeypatch):
    """Runs that are begun, in place of training; each leaves its folder."""
    made = []

    def start(run, folder, show=None):
        made.append((run, folder, show))
        folder.mkdir()
        (folder / "run.json").write_text(f"{run.data.held_out}")

    monkeypatch.setattr(module, "start", start)
    return made


def test_the_model_that_is_measured_has_not_learnt_all_and_stands_within_the_other(begun, tmp_path):
    out, told = tmp_path / "films.kb.trained", []
    show = SimpleNamespace(note=told.append)
    run = KBQA(data=KBData(path=tmp_path, held_out=False))
    _train_aside(run, out, show)
    assert [one.data.held_out for one, *_ in begun] == [True, False]
    assert {replace(one, data=run.data) for one, *_ in begun} == {run}
    assert [one[2] for one in begun] == [show, show]
    assert (out / "run.json").read_text() == "False"
    assert (out / MEASURED / "run.json").read_text() == "True"
    assert [said[:6] for said in told] == ["1 of 2", "2 of 2"]
    assert [path.name for path in tmp_path.iterdir()] == [out.name]
    (out / "old").touch()
    _train_aside(run, out, None)  # the one before is replaced, whole
    assert not (out / "old").exists()
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


def test_what_was_trained_before_stays_where_training_fails(begun, tmp_path, monkeypatch):
    out, run = tmp_path / "trained", KBQA(data=KBData(path=tmp_path, held_out=False))
    _train_aside(run, out, None)
    whole = module.start

    def fail(run, folder, show=None):
        whole(run, folder, show)
        if not run.data.held_out:
            raise ValueError("no")

    monkeypatch.setattr(module, "start", fail)
    (out / "old").touch()
    with pytest.raises(ValueError, match="no"):
        _train_aside(run, out, None)
    assert (out / "old").exists()
    assert [path.name for path in tmp_path.iterdir()] == [out.name]
    (tmp_path / "mine").mkdir()
    with pytest.raises(ValueError, match="mine: this is there already, and is no trained model"):
        _train_aside(run, tmp_path / "mine", None)


def test_training_is_as_it_was_asked_for(built, monkeypatch):
    trained, opened = [], []
    monkeypatch.setattr(module, "_train_aside", lambda *given: trained.append(given))
    monkeypatch.setattr(module, "open_names", opened.append)
    built.__dict__["answerer"] = SimpleNamespace()
    show = object()
    assert built.train(1234, seed=5, threads=3, show=show) is built
    ((run, out, shown),) = trained
    assert (out, shown, opened) == (built.trained, show, [built.store])
    assert (run.data.path, run.data.held_out) == (built.path, False)
    assert run.data.phrases == module.beside(built.path, "phrases.toml")
    assert (run.training.questions, run.loop.seed, run.loop.threads) == (1234, 5, 3)
    assert "answerer" not in built.__dict__  # what was loaded is of the model before
    columns, ranker = open_columns(built.store), Mock(fingerprint=the_ranker().fingerprint)
    kept = RelationVectors(ranker, columns, built.store).of(["directed_by"])
    assert not ranker.encode.called  # the first question need not wait
    text = asking("directed by", "text", ("Ada", "Ben"))[0]
    np.testing.assert_allclose(kept[0], the_ranker().encode([text])[0], atol=1e-5)


def test_figures_are_those_of_the_model_that_is_measured(built, monkeypatch):
    built.__dict__["answerer"] = SimpleNamespace(metrics={"test": {"accuracy": 0.25}})
    assert built.metrics == {"test": {"accuracy": 0.25}}  # as it was trained before
    asked = []
    results = iter([{"metrics": {"test": {"accuracy": 0.5}}}, None])
    monkeypatch.setattr(module, "finished", lambda path: asked.append(path) or next(results))
    (built.trained / MEASURED).mkdir(parents=True)
    assert built.metrics == {"test": {"accuracy": 0.5}}
    assert built.metrics == {}
    assert asked == [built.trained / MEASURED] * 2
    assert repr(built).endswith("2 facts, 1 relations; ask(question))")


def test_what_is_said_of_a_file_is_handed_on(tmp_path):
    (tmp_path / "t.csv").write_text("name;id;likes\nAda;7;tea\nBo;8;tea\n")
    asked = {"form": None, "header": None, "names": ()}
    made = build(tmp_path / "t.csv", tmp_path / "t.kb", table=True, subject="id", **asked)
    assert (made.facts, made.bad.count, made.merged) == (4, 0, ())
    assert ("7", "likes", "tea") in list(KB(tmp_path / "t.kb").store.facts)
    (tmp_path / "f.tsv").write_text("subject\trelation\tobject\n")
    asked |= {"table": False, "subject": None}
    rows = build(tmp_path / "f.tsv", tmp_path / "f.kb", **{**asked, "header": False})
    assert rows.facts == 1
    said = []
    build(FACTS, tmp_path / "g.kb", tell=said.append, **asked)
    assert [one.step for one in said] == ["read", "index"]


# Runs


def test_a_run_is_measured_on_data_that_have_moved(tmp_path, monkeypatch):
    run = recipe("memn2n/babi")()
    RunFolder.create(tmp_path / "run", describe(run.kind, to_json(run), run.loop))
    asked = []
    monkeypatch.setattr(runs, "measure", lambda *given: asked.append(given) or {"loss": 1.0})
    assert runs.evaluate(tmp_path / "run", data=str(tmp_path)) == {"loss": 1.0}
    assert runs.evaluate(str(tmp_path / "run"), "valid") == {"loss": 1.0}
    (moved, folder, split), (same, _, valid) = asked
    assert moved == replace(run, data=replace(run.data, path=tmp_path))
    assert (same, split, valid, folder.path) == (run, "test", "valid", tmp_path / "run")


@pytest.mark.parametrize("name", ["memn2n/babi", *list(RENAMED)[:2]])
def test_a_run_of_before_is_of_the_kind_of_its_recipe(name, tmp_path):
    run = recipe(RENAMED.get(name, name))()
    record = {"recipe": name, "config": to_json(run)}
    folder = RunFolder.create(tmp_path / "run", record)
    assert runs.kind_of(folder.path) is type(run)


def test_the_first_number_that_is_free_is_taken(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number in (1, 2, 4):
        (tmp_path / "runs" / f"a-b-c-{number}").mkdir(parents=True)
    assert runs.next_free("a/b/c") == Path("runs/a-b-c-3")


def test_a_recipe_is_trained_with_what_was_overridden(tmp_path, monkeypatch):
    asked = []
    monkeypatch.setattr(runs.execute, "start", lambda *given, **named: asked.append((given, named)))
    monkeypatch.setattr(runs, "load_run", lambda folder: folder)
    assert runs.train("recall/stream", {"loop.seed": 7}, out=tmp_path / "x") == tmp_path / "x"
    (((run, folder, name), named),) = asked
    assert (run.loop.seed, folder, name) == (7, tmp_path / "x", "recall/stream")
    assert named["show"] is not None
    monkeypatch.setattr(runs.execute, "resume", lambda *given: given)
    monkeypatch.setattr(runs, "kind_of", lambda path: (path, "kind"))
    path = tmp_path / "x"
    assert runs.resume(str(path), show=False) == (path, (path, "kind"), None)
