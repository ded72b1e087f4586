"""What a run, its data or its configuration have become is said, and never passed over."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import memnets
from memnets.cli import main as cli
from memnets.cli import report
from memnets.cli.main import USAGE, main
from memnets.experiments import execute
from memnets.experiments.overrides import override
from memnets.experiments.run import to_json
from memnets.inference.runs import load_run, resume
from memnets.studies import recipe
from memnets.studies.kb_qa.data import KBData
from memnets.studies.kb_qa.recipes import KBQA
from memnets.training import loop
from memnets.training.record import describe
from memnets.training.runs import RunFolder
from memnets.training.stopping import DivergenceError

RECIPE = "memn2n/babi-generated"
STORY, QUESTION = ["Mary moved to the bathroom."], "Where is Mary?"


@pytest.fixture
def mine(run, tmp_path):
    return shutil.copytree(run, tmp_path / "mine")


def rewrite(path, **changes):
    record = json.loads(path.read_text())
    path.write_text(json.dumps({**record, **changes}))


def test_data_that_have_changed_are_not_measured(mine):
    rewrite(mine / "run.json", data={"name": "bAbI", "sha256": "0123456789abcdef"})
    said = r"mine: this run was begun with bAbI, sha256 0123456789ab; .* Put the same files back"
    for measure in (
        lambda: memnets.evaluate(mine),
        lambda: memnets.load(mine).evaluate(),
        lambda: report.write(mine),
    ):
        with pytest.raises(ValueError, match=said):
            measure()
    assert memnets.load(mine).ask(STORY, QUESTION).text == "bathroom"


def test_a_vocabulary_in_another_order_is_not_used(mine):
    words = json.loads((mine / "vocabulary.json").read_text())["words"]
    words[3], words[4] = words[4], words[3]
    rewrite(mine / "vocabulary.json", words=words)
    for use in (memnets.load, memnets.evaluate, report.write):
        with pytest.raises(ValueError, match=r"vocabulary\.json: changed since the run wrote it"):
            use(mine)
    rewrite(mine / "run.json", sha256={})  # as runs of before
    memnets.load(mine)
    with pytest.raises(ValueError, match=r"this version of memnets makes another vocabulary\.json"):
        memnets.evaluate(mine)
    rewrite(mine / "vocabulary.json", words=5)
    with pytest.raises(ValueError, match=r"vocabulary\.json: not as a run writes it .* train anew"):
        memnets.load(mine)


def test_a_run_of_before_is_used_as_it_was(mine, run):
    for name in ("run.json", "result.json"):
        record = json.loads((mine / name).read_text())
        (mine / name).write_text(json.dumps({k: v for k, v in record.items() if k != "sha256"}))
    assert memnets.load(mine).ask(STORY, QUESTION) == memnets.load(run).ask(STORY, QUESTION)
    assert memnets.evaluate(mine, "valid") == memnets.evaluate(run, "valid")


def test_a_run_that_has_not_ended_is_used_by_naming_a_checkpoint(mine, run):
    (mine / "result.json").unlink()
    for use in (memnets.load, memnets.evaluate, report.write):
        with pytest.raises(FileNotFoundError, match=r"the training has not ended; .* --resume"):
            use(mine)
    last = sorted((mine / "checkpoints").iterdir())[-1]
    named = memnets.load(last)
    assert "whose training has not ended" in repr(named)
    assert named.ask(STORY, QUESTION) == memnets.load(run).ask(STORY, QUESTION)
    assert memnets.evaluate(last, "valid") == memnets.evaluate(run, "valid")
    assert report.write(last) == mine / f"report-{int(last.name)}" / "index.html"
    with pytest.raises(ValueError, match=rf"a checkpoint; .* memnets train --resume {mine}$"):
        resume(last)
    resume(mine, show=False)
    assert memnets.load(mine).ask(STORY, QUESTION) == memnets.load(run).ask(STORY, QUESTION)


def test_two_do_not_go_on_with_one_run(mine):
    (mine / "result.json").unlink()
    with (
        RunFolder.open(mine).locked(),
        pytest.raises(ValueError, match=r"mine: another process is training here"),
    ):
        resume(mine, show=False)


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_a_start_that_fails_leaves_nothing(failure, tmp_path, monkeypatch):
    def launch(config):
        assert (tmp_path / "run" / "run.json").exists()
        raise failure("no such device")

    monkeypatch.setattr(loop, "launch", launch)
    with pytest.raises(failure):
        execute.start(recipe("recall/episodes-lstm")(), tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_diverges_tells_so_in_its_folder(tmp_path, monkeypatch):
    def launch(config):
        raise DivergenceError("the loss of update 3")

    monkeypatch.setattr(loop, "launch", launch)
    with pytest.raises(DivergenceError):
        execute.start(recipe("recall/episodes-lstm")(), tmp_path / "run")
    assert (tmp_path / "run" / "run.json").exists()


def test_paths_in_a_record_are_found_from_anywhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    record = to_json(KBQA(data=KBData(path=Path("films.kb"), phrases=Path("a/phrases.toml"))))
    assert record["data"]["path"] == str(tmp_path / "films.kb")
    assert record["data"]["phrases"] == str(tmp_path / "a" / "phrases.toml")


def test_no_memory_names_the_largest_numbers(tmp_path, monkeypatch, capsys):
    def allocate(run):
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 8")

    run = override(RECIPE, recipe(RECIPE)(), {"model.dim": 10**9})
    monkeypatch.setattr(type(run), "prepare", allocate)
    said = r"not fit into memory\. .* model\.dim 1,000,000,000, .* as --model\.dim 100000000\.$"
    with pytest.raises(MemoryError, match=said):
        execute.start(run, tmp_path / "run")
    assert main(["train", RECIPE, "--model.dim", "1000000000", "--out", str(tmp_path / "a")]) == 2
    assert capsys.readouterr().err.startswith("memnets: the run does not fit into memory.")

    def other(run):
        raise RuntimeError("something else")

    monkeypatch.setattr(type(run), "prepare", other)
    with pytest.raises(RuntimeError, match="something else"):
        execute.start(run, tmp_path / "run")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(28, "No space left on device", "a/b"), "a/b: no space left on device. Free some"),
        (PermissionError(13, "Permission denied", "x"), "x: permission denied. Name a place that"),
        (IsADirectoryError(21, "Is a directory", "x"), "x: is a directory. This is a folder; name"),
        (OSError(5, "Input/output error", "x"), "x: input/output error. Check the path, and"),
        (FileNotFoundError("x: ours."), "x: ours."),
        (MemoryError(), "there is not enough memory for this. Ask for less"),
        (RuntimeError("CUDA out of memory. Tried"), "there is not enough memory for this."),
    ],
)
def test_the_system_is_translated(error, said, monkeypatch, capsys):
    def fail(words):
        raise error

    monkeypatch.setattr(cli, "_dispatch", fail)
    assert main(["train"]) == USAGE
    assert capsys.readouterr().err.startswith(f"memnets: {said}")


GENERATED = {
    "memnn/babi": {"data.source": "generated"},
    "kb_qa/films": {"data.rows": 53, "training.questions": 7, "training.tested": 7},
    "language/lstm": {"data.text": "generated"},
    "memn2n_lm/words": {"data.text": "generated"},
    "recall/episodes-lstm": {},
    "simulated_world/rnn": {"data.stories": 3},
}


@pytest.mark.parametrize("name", GENERATED)
def test_an_answerer_knows_the_checksum_of_its_data(name, tmp_path):
    run = override(name, recipe(name)(), GENERATED[name])
    prepared = run.prepare()
    data = {"name": prepared.data.name, "sha256": prepared.data.sha256}
    record = describe(run.kind, to_json(run), run.loop, data)
    folder = RunFolder.create(tmp_path / "run", record, prepared.files)
    run.restore(folder.path).check_data()
    other = run.restore(folder.path)
    other.folder = replace(folder, record={**folder.record, "data": {"sha256": "0" * 64}})
    with pytest.raises(ValueError, match="Put the same files back"):
        other.check_data()


def test_data_that_a_run_has_not_are_not_moved(tmp_path):
    run = recipe("recall/episodes-lstm")()
    RunFolder.create(tmp_path / "run", describe(run.kind, to_json(run), run.loop))
    with pytest.raises(ValueError, match=r"this run has no files of data\. Leave it out"):
        memnets.evaluate(tmp_path / "run", data=tmp_path)
    with pytest.raises(FileNotFoundError, match="has written no weights yet"):
        load_run(tmp_path / "run")
