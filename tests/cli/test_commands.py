"""The commands, from end to end, in a folder of their own."""

import dataclasses
import json
import re
import subprocess
import sys

import pytest

from memnets.cli import main as cli
from memnets.cli.main import COMMANDS, main
from memnets.cli.status import FAULT, USAGE
from memnets.cli.train import next_free, parse_run
from memnets.studies import recipe
from memnets.studies.babi.data import BabiData

TRAIN = [
    *("train", "memn2n/babi-generated", "--data.tasks", "1", "--data.size", "1k"),
    *("--training.epochs", "4", "--training.linear-epochs", "1"),
]
STORY = "Mary moved to the bathroom.\nJohn went to the hallway.\nWhere is Mary?\n"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A small trained run."""
    folder = tmp_path_factory.mktemp("runs") / "one"
    assert main([*TRAIN, "--out", str(folder)]) == 0
    return folder


@pytest.fixture
def fails(capsys):
    """Run a command that must be refused, and return what it says."""

    def call(*words: str) -> str:
        assert main(words) == USAGE
        said = capsys.readouterr().err
        assert "Traceback" not in said
        # An option that is refused while it is parsed comes in a box.
        return " ".join(said.replace("│", " ").split())

    return call


def test_help_names_every_command(capsys):
    assert main(["--help"]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in COMMANDS)
    assert main([]) == USAGE


def test_the_version_is_told(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("memnets 0.")


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"data"}))
def test_every_command_has_help(name, capsys):
    assert main([name, "--help"]) == 0
    assert "usage" in capsys.readouterr().out.lower()


def test_light_commands_do_not_import_torch():
    # In one process: if none has brought torch in, none does. The first to do so is named.
    commands = [["--help"], ["list"], ["train", "--help"], ["cite", "memn2n/babi"]]
    code = f"""
import sys
from memnets.cli.main import main
for words in {commands}:
    assert main(words) == 0, words
    assert "torch" not in sys.modules, words
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_process_that_ends_looks_for_no_garbage():
    code = """
import atexit
import gc
import sys
from memnets.cli.main import main

atexit.register(lambda: print(gc.get_freeze_count()))  # what is registered last is called first
main(["--version"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert int(done.stdout.split()[-1]) > 1000


def test_list_shows_recipes_and_tables(capsys):
    assert main(["list"]) == 0
    said = capsys.readouterr().out
    assert "memn2n/babi-joint" in said
    assert "memn2n-babi-1k-single" in said


def test_cite_prints_bibtex(capsys):
    assert main(["cite", "memn2n/babi"]) == 0
    said = capsys.readouterr().out
    assert "@inproceedings{sukhbaatar2015," in said


def test_an_unknown_command_names_the_nearest(fails):
    assert "no command 'trian'. Did you mean train?" in fails("trian")


def test_an_unknown_recipe_is_refused(fails):
    assert "no recipe 'memn2n/bab'. Did you mean memn2n/babi?" in fails("train", "memn2n/bab")


def test_an_unknown_field_is_refused(fails):
    said = fails("train", "memn2n/babi", "--model.hop", "4")
    assert "no field model.hop. Did you mean model.hops (now 3)?" in said


def test_an_impossible_value_is_refused(fails):
    assert "model.hops is 0: expected at least 1" in fails(
        "train", "memn2n/babi", "--model.hops", "0"
    )


def test_the_recipe_comes_first(fails):
    assert "the recipe comes first, before --out" in fails("train", "--out", "x", "memn2n/babi")


@pytest.mark.parametrize("words", [["x" * 5000], ["list", "x" * 5000], ["train", "x y " * 5000]])
def test_a_complaint_shows_long_texts_by_their_beginning(words, fails, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    said = fails(*words)
    assert len(said) < 3000
    assert re.search(r"\[\.\.\. [\d,]+ (characters|lines) \.\.\.\]", said)
    assert re.search("memnets (--help|list)", said[-300:])  # how to mend it


def test_options_that_would_do_nothing_are_refused(fails, tmp_path):
    assert "--data" in fails("results", "--data", str(tmp_path))
    assert "--right -1: expected a number of answers" in fails("report", "run", "--right", "-1")


def test_missing_data_are_never_replaced(fails, tmp_path):
    said = fails("train", "memn2n/babi", "--data", str(tmp_path), "--out", str(tmp_path / "run"))
    assert str(tmp_path) in said
    assert not (tmp_path / "run").exists()


def test_data_is_short_for_the_path_of_the_data(tmp_path):
    for words in (["--data", str(tmp_path)], [f"--data={tmp_path}"]):
        assert parse_run("memn2n/babi", words).run.data.path == tmp_path


def test_a_run_is_complete_and_names_what_it_was(run):
    record = json.loads((run / "run.json").read_text())
    assert record["recipe"] == "memn2n/babi-generated"
    assert record["config"]["training"]["epochs"] == 4
    assert record["data"]["name"] == "bAbI generated, task 1"
    names = {path.name for path in run.iterdir()}
    assert {"model.safetensors", "result.json", "log.jsonl", "vocabulary.json"} <= names
    assert not [name for name in names if name.endswith((".pkl", ".pt", ".bin"))]


def test_an_existing_folder_is_noticed_before_the_data_are_read(tmp_path, fails, monkeypatch):
    (tmp_path / "mine").write_text("kept")
    monkeypatch.setattr(BabiData, "load", lambda self: pytest.fail("the data were read"))
    assert "not empty" in fails(*TRAIN, "--out", str(tmp_path))


def test_brackets_are_no_markup(run, tmp_path, capsys):
    story = tmp_path / "story.txt"
    story.write_text("Mary moved to the bathroom.\nThe [/] box [bold] fell.\n", "utf-8")
    words = ["ask", str(run), "--story", str(story), "--question", "Where is [/bold] Mary [/]?"]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "Where is [/bold] Mary [/]?" in said
    assert "The [/] box [bold] fell." in said


def test_what_is_no_number_is_refused(fails):
    assert "training.learning_rate is nan" in fails(*TRAIN, "--training.learning-rate", "nan")
    assert "loop.checkpoint_seconds is nan" in fails(*TRAIN, "--loop.checkpoint-seconds", "nan")


def test_an_existing_run_is_never_overwritten(run, fails):
    before = (run / "model.safetensors").read_bytes()
    assert "not empty" in fails(*TRAIN, "--out", str(run))
    assert (run / "model.safetensors").read_bytes() == before


def test_resuming_a_finished_run_says_so(run, capsys):
    assert main(["train", "--resume", str(run)]) == 0
    assert "finished" in capsys.readouterr().out


def test_resume_takes_a_folder_and_nothing_else(run, fails, tmp_path):
    assert "--resume takes one run folder" in fails(
        "train", "--resume", str(run), "--loop.seed", "1"
    )
    assert "not the folder of a run" in fails("train", "--resume", str(tmp_path))


def test_resume_refuses_other_data(run, fails, tmp_path):
    record = json.loads((run / "run.json").read_text())
    record["data"]["sha256"] = "0" * 64
    (tmp_path / "run.json").write_text(json.dumps(record))
    said = fails("train", "--resume", str(tmp_path))
    assert "begun with bAbI generated, task 1, sha256 000000000000" in said


def test_the_next_free_folder_is_taken(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert next_free("memn2n/babi").name == "memn2n-babi-1"
    (tmp_path / "runs" / "memn2n-babi-1").mkdir(parents=True)
    assert next_free("memn2n/babi").name == "memn2n-babi-2"


def test_eval_repeats_the_figure_of_the_training(run, capsys):
    assert main(["eval", str(run)]) == 0
    accuracy = json.loads((run / "result.json").read_text())["metrics"]["test"]["accuracy"]
    assert f"{accuracy:.1%}" in capsys.readouterr().out


@pytest.fixture
def questions(tmp_path):
    """A file of two stories, of which the last question cannot be answered rightly."""
    (tmp_path / "questions.txt").write_text(
        "1 Mary moved to the bathroom.\n2 Where is Mary?\tbathroom\t1\n"
        "1 John went to the hallway.\n2 Where is John?\thallway\t1\n"
        "3 Where is John?\tmoon\t1\n"
    )
    return tmp_path / "questions.txt"


def test_eval_measures_and_judges_a_file_of_questions(run, questions, capsys, tmp_path):
    answers, misses = tmp_path / "answers.tsv", tmp_path / "misses.tsv"
    command = ["eval", str(run), "--questions", str(questions), "--answers", str(answers)]
    assert main([*command, "--misses", str(misses)]) == 0
    lines = capsys.readouterr().out.splitlines()
    (measured,) = (line.split() for line in lines if line.strip().startswith("file"))
    assert measured[:3] == ["file", "all", "66.7%"]
    assert lines[-2:] == [f"{answers}: 3 of 3 questions", f"{misses}: 1 of 3 questions"]
    head, *rows = (line.split("\t") for line in answers.read_text().splitlines())
    assert head == ["kind", "verdict", "probability", "question", "answered", "right answers"]
    assert [row[1] for row in rows] == ["right", "right", "wrong"]
    assert rows[0][3:] == ["Where is Mary?", "bathroom", "bathroom"]
    assert [line.split("\t") for line in misses.read_text().splitlines()] == [head, rows[2]]


def test_what_eval_would_write_is_not_there_yet(run, questions, fails, tmp_path, capsys):
    there = tmp_path / "there.tsv"
    there.write_text("mine")
    command = ("eval", str(run), "--questions", str(questions))
    for name in ("--answers", "--misses"):
        assert "there.tsv: this file is there already" in fails(*command, name, str(there))
        assert there.read_text() == "mine"
    both = ("--answers", str(tmp_path / "a"), "--misses", str(tmp_path / "a"))
    assert "one would replace the other" in fails(*command, *both)
    assert main([*command, "--misses", str(there), "--overwrite"]) == 0
    assert there.read_text().startswith("kind\tverdict")
    (tmp_path / "bad.txt").write_text("1 Mary went.\n2 Where is Mary?\n")
    assert "bad.txt:2: the question has no answer" in fails(*command[:3], str(tmp_path / "bad.txt"))


def test_options_of_a_file_of_questions_are_not_ignored(run, questions, fails, tmp_path):
    for option in (("--answers", "a.tsv"), ("--misses", "m.tsv"), ("--overwrite",)):
        said = fails("eval", str(run), *option)
        assert f"{option[0]} is for the questions of a file, and would be ignored" in said
    both = ("--questions", str(questions), "--split", "valid")
    assert "--split and --questions: expected one of them" in fails("eval", str(run), *both)


def test_ask_answers_with_evidence(run, capsys, tmp_path):
    story = tmp_path / "story.txt"
    story.write_text(STORY)
    assert main(["ask", str(run), "--story", str(story)]) == 0
    said = capsys.readouterr().out
    assert "Where is Mary?" in said
    assert "hop 3" in said
    assert "Mary moved to the bathroom." in said


def test_ask_names_unknown_words(run, capsys, tmp_path):
    story = tmp_path / "story.txt"
    story.write_text(STORY)
    assert main(["ask", str(run), "--story", str(story), "--question", "Where is Zoe"]) == 0
    assert "unknown words, read as nothing: zoe" in capsys.readouterr().out


def test_ask_prints_json(run, capsys, tmp_path):
    story = tmp_path / "story.txt"
    story.write_text(STORY)
    assert main(["ask", str(run), "--story", str(story), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["question"] == "Where is Mary?"
    assert len(answer["steps"][0]["supports"]) == 2


def test_ask_says_that_nothing_was_asked(run, fails, tmp_path):
    (tmp_path / "story.txt").write_text("Mary moved to the garden.\n")
    said = fails("ask", str(run), "--story", str(tmp_path / "story.txt"))
    assert 'nothing was asked. End a line with "?"' in said


def test_ask_refuses_a_story_it_cannot_read(run, fails, tmp_path):
    assert "no such file" in fails("ask", str(run), "--story", str(tmp_path / "none.txt"))
    (tmp_path / "bytes.txt").write_bytes(b"Mary \xff\n")
    assert "byte 5 is not UTF-8" in fails("ask", str(run), "--story", str(tmp_path / "bytes.txt"))


def test_report_writes_a_page(run, capsys, tmp_path):
    assert main(["report", str(run), "--out", str(tmp_path)]) == 0
    page = (tmp_path / "index.html").read_text()
    assert "gold" in page
    assert "http" not in page.replace("http://www.w3.org", "")
    assert list(tmp_path.glob("*.png"))


def test_a_fault_of_ours_is_owned_and_kept(capsys, monkeypatch):
    def broken(words: list[str]) -> int:
        raise RuntimeError("the wires are crossed")

    monkeypatch.setattr(cli, "_dispatch", broken)
    monkeypatch.delenv("MEMNETS_TRACEBACK", raising=False)
    assert main(["list"]) == FAULT
    said = capsys.readouterr().err
    assert "a fault of ours (RuntimeError: the wires are crossed)" in said
    assert "Traceback" not in said


def test_a_traceback_can_be_asked_for(monkeypatch):
    monkeypatch.setenv("MEMNETS_TRACEBACK", "1")
    with pytest.raises(ValueError, match="no command"):
        main(["nonsense"])

    def broken(words: list[str]) -> int:
        raise RuntimeError("the wires are crossed")

    monkeypatch.setattr(cli, "_dispatch", broken)
    with pytest.raises(RuntimeError, match="the wires are crossed"):
        main(["list"])


@pytest.mark.parametrize(
    ("error", "status"), [(KeyboardInterrupt(), 130), (SystemExit("no"), USAGE), (SystemExit(7), 7)]
)
def test_an_interrupted_command_says_so(error, status, monkeypatch, capsys):
    def stopped(words: list[str]) -> int:
        raise error

    monkeypatch.setattr(cli, "_dispatch", stopped)
    assert main(["list"]) == status
    told = "memnets: stopped.\n" if status == 130 else ""
    assert capsys.readouterr() == ("", told)


def test_a_reader_that_left_is_no_fault():
    command = f"{sys.executable} -m memnets list | head -c 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert done.stderr == ""


def test_the_quick_start_goes_the_whole_way_and_is_quick_again(tmp_path, capsys, monkeypatch):
    quick = recipe("memn2n/babi-generated")()
    training = dataclasses.replace(quick.training, epochs=1)
    data = dataclasses.replace(quick.data, size="1k")
    small = dataclasses.replace(quick, training=training, data=data)
    monkeypatch.setattr("memnets.cli.quickstart.recipe", lambda name: lambda: small)
    words = ["quickstart", "--out", str(tmp_path / "run")]
    assert main(words) == 0
    said = capsys.readouterr().out
    assert "hop 3" in said
    assert "Mary picked up the apple." in said
    assert (tmp_path / "run" / "report" / "index.html").exists()
    # Its pictures take longer than all else, and would be the same.
    monkeypatch.setattr("memnets.cli.quickstart.report.write", lambda folder: folder)
    assert main(words) == 0
    assert "Trained before" in capsys.readouterr().out
    (tmp_path / "run" / "result.json").unlink()
    assert main(words) == 0  # goes on from the last checkpoint


def test_the_quick_start_takes_no_run_of_something_else(run, fails, tmp_path):
    record = json.loads((run / "run.json").read_text())
    (tmp_path / "run.json").write_text(json.dumps({**record, "recipe": "memn2n/babi"}))
    said = fails("quickstart", "--out", str(tmp_path))
    assert "holds a run of memn2n/babi; the quick start trains memn2n/babi-generated" in said


def test_eval_finds_data_that_have_moved(run, fails, tmp_path):
    assert "data.source is generated" in fails("eval", str(run), "--data", str(tmp_path))


def test_reproduce_refuses_what_it_does_not_know(fails, tmp_path):
    assert "no table 'memn2n-babi'" in fails("reproduce", "memn2n-babi")
    # Elsewhere than in the checkout, whose source may have changes that are not committed yet.
    single = ("reproduce", "memn2n-babi-1k-single", "--results", str(tmp_path / "results"))
    assert "matches no row" in fails(*single, "--only", "task 77")
    assert "is no regular expression" in fails(*single, "--only", "(")
    place = str(tmp_path / "file")
    (tmp_path / "file").write_text("mine")
    for option in ("--runs", "--results"):
        said = fails(*single, option, f"{place}/below")
        assert f"{place}: a file is in the way. Choose another folder with {option}." in said
    assert "--workers 0" in fails(*single, "--workers", "0")


def test_a_command_that_has_gone_names_what_stands_for_it(fails):
    assert "run: python -m tools.babi_check DIR" in fails("data", "check", "folder", "--verbose")
    assert "data make is called data generate now" in fails("data", "make", "--longer", "2")
