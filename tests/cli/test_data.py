"""`memnets data`: what it prints, writes and refuses."""

import hashlib
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import fields
from pathlib import Path

import pytest

from memnets.cli.data import main
from memnets.cli.generate import _tasks
from memnets.data.babi import load_task
from memnets.data.babi.generate import Variant, make_stories, story_fingerprint
from memnets.data.sources import SOURCES
from memnets.files import read_json

DATA = os.environ.get("MEMNETS_DATA")
STORY = "1 Mary moved to the office.\n2 Where is Mary? \toffice\t1\n"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.delenv("MEMNETS_DATA", raising=False)
    monkeypatch.setenv("MEMNETS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def copy(tmp_path):
    folder = tmp_path / "copy" / "tasks_1-20_v1-2" / "en"
    folder.mkdir(parents=True)
    (folder / "qa1_single-supporting-fact_train.txt").write_text(STORY)
    return tmp_path / "copy"


def test_list_shows_every_source(capsys):
    assert main(["list"]) == 0
    printed = capsys.readouterr().out
    for known in SOURCES.values():
        assert known.name in printed
        assert known.licence in printed
    assert "tasks 1 to 20" in printed


def test_info_compares_with_the_official_files(capsys, copy):
    assert main(["info", "babi", "--path", str(copy)]) == 0
    printed = capsys.readouterr().out
    assert str(copy / "tasks_1-20_v1-2") in printed
    assert "changed: en/qa1_single-supporting-fact_train.txt" in printed
    assert "missing: en/qa1_single-supporting-fact_test.txt" in printed
    assert "not here: en-10k, hn," in printed
    assert "arXiv:1502.05698" in printed


def test_info_knows_the_setting(capsys, copy, monkeypatch):
    monkeypatch.setenv("MEMNETS_DATA", str(copy))
    assert main(["info", "babi"]) == 0
    assert str(copy) in capsys.readouterr().out


def test_info_of_what_is_nowhere_is_refused():
    with pytest.raises(FileNotFoundError, match="the data set was not found"):
        main(["info", "babi"])


@pytest.mark.parametrize("verb", ["get", "info"])
def test_an_unknown_set_is_refused(verb):
    with pytest.raises(ValueError, match="'squad': there is no data set of this name"):
        main([verb, "squad"])


def test_get_of_what_is_in_the_cache_needs_no_network(capsys, tmp_path):
    folder = tmp_path / "cache" / "babi" / "tasks_1-20_v1-2"
    folder.mkdir(parents=True)
    assert main(["get", "babi"]) == 0
    printed = capsys.readouterr().out
    assert str(folder) in printed
    assert "CC BY 3.0" in printed


def test_get_of_a_text_says_where_to_get_it():
    with pytest.raises(
        ValueError, match=r"ptb: this set is not downloaded \(LDC .*simple-examples"
    ):
        main(["get", "ptb"])


@pytest.mark.data
def test_info_of_a_text_shows_its_files(capsys):
    assert main(["info", "shakespeare", "--path", str(DATA)]) == 0
    assert "tinyshakespeare.txt (sha256 86c4e6aa" in capsys.readouterr().out


def test_get_shows_the_bytes_as_they_come(monkeypatch, tmp_path, capsys):
    shown = []

    def download(source, progress):
        progress.total = 61
        progress.update(61)
        progress.reset()
        progress.update(61)
        progress.close()
        shown.append((source.name, progress.total))
        return tmp_path

    monkeypatch.setattr("memnets.cli.data.download", download)
    assert main(["get", "babi"]) == 0
    assert shown == [("babi", 61)]


def make(out, *more: str) -> int:
    return main(["generate", "babi", "--out", str(out), "--questions", "53", *more])


def test_make_writes_official_names_under_a_folder_that_says_generated(tmp_path, capsys):
    assert make(tmp_path, "--task", "1", "3") == 0
    names = sorted(path.name for path in (tmp_path / "en-generated").glob("qa*"))
    assert names == [
        "qa1_single-supporting-fact_test.txt",
        "qa1_single-supporting-fact_train.txt",
        "qa3_three-supporting-facts_test.txt",
        "qa3_three-supporting-facts_train.txt",
    ]
    assert "53 questions, generated with seed 0" in capsys.readouterr().out
    train, test = (load_task(3, s, folder="en-generated", path=tmp_path) for s in ("train", "test"))
    assert sum(len(story.questions) for story in train) == 53
    assert train[0].items != test[0].items


def test_make_is_the_same_for_the_same_seed(tmp_path):
    digests = []
    for seed in ("7", "7", "8"):
        assert make(tmp_path, "--task", "2", "--seed", seed, "--split", "test", "--overwrite") == 0
        (file,) = (tmp_path / "en-generated").glob("qa*")
        digests.append(hashlib.sha256(file.read_bytes()).digest())
    assert digests[0] == digests[1] != digests[2]


def test_make_never_replaces_files_unasked(tmp_path):
    make(tmp_path, "--task", "1", "--split", "test")
    with pytest.raises(ValueError, match=r"qa1_.*_test\.txt: this file is there already"):
        make(tmp_path, "--task", "2", "1")
    assert len(list((tmp_path / "en-generated").glob("qa*"))) == 1


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (["--task", "1", "21"], "task=21: there is no such bAbI task"),
        (["--task", "1", "two"], r"--task two: this is no task. Expected numbers .* 3 5-14"),
        (["--task", "9-7"], "--task 9-7: this is no task"),
        (["--questions", "0"], "questions=0: expected at least one"),
        (["--task", "1-3", "--objects", "5"], "objects=5: task 1 has nothing that this could chan"),
        (["--task", "1", "4", "--length", "3"], "places=6: too few for task 4 with length=3"),
        (["--task", "1", "--actors", "45"], "actors=45: expected 4 to 44"),
        (["--language", "xx"], "language='xx': there is no table of this language"),
    ],
)
def test_make_of_what_cannot_be_made_leaves_nothing_behind(tmp_path, wrong, error):
    with pytest.raises(ValueError, match=error):
        make(tmp_path, *wrong)
    assert list(tmp_path.iterdir()) == []


def test_make_takes_ranges_and_makes_all_tasks_unless_told(tmp_path):
    assert make(tmp_path / "some", "--task", "3", "2-4", "--split", "test") == 0
    names = sorted(path.name[:3] for path in (tmp_path / "some" / "en-generated").glob("qa*"))
    assert names == ["qa2", "qa3", "qa4"]
    assert make(tmp_path / "all", "--split", "train") == 0
    assert len(list((tmp_path / "all" / "en-generated").glob("qa*"))) == 20


def test_a_made_set_is_inspected_without_missing_files(tmp_path, capsys):
    make(tmp_path, "--task", "1")
    capsys.readouterr()
    assert main(["info", "babi", "--path", str(tmp_path)]) == 0
    assert "missing:" not in capsys.readouterr().out


def test_make_records_how_each_file_was_made(tmp_path, capsys):
    make(tmp_path, "--task", "2", "--split", "test")
    make(tmp_path, "--task", "1", "--actors", "7", "--held-out", "--balanced", "--split", "train")
    assert "generated with seed 0, actors=7, held_out=True, bal" in capsys.readouterr().out
    made = read_json(tmp_path / "en-generated" / "made.json")
    assert list(made) == [
        "qa2_two-supporting-facts_test.txt",
        "qa1_single-supporting-fact_train.txt",
    ]
    file = tmp_path / "en-generated" / "qa1_single-supporting-fact_train.txt"
    assert made[file.name] == {
        "task": 1,
        "split": "train",
        "questions": 53,
        "seed": 0,
        "variant": {"actors": 7, "held_out": True, "balanced": True},
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
    }
    assert main(["info", "babi", "--path", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert f"en-generated/{file.name}: actors=7, held_out=True, balanced=True" in printed
    assert "qa2_two-supporting-facts_test.txt:" not in printed


def test_make_takes_every_option(tmp_path):
    options = ("--actors", "8", "--places", "12", "--objects", "6", "--length", "3")
    options += ("--held-out", "--balanced", "--language", "de", "--questions", "11")
    make(tmp_path, "--task", "6", *options)
    variant = Variant(8, 12, 6, 3, held_out=True, balanced=True, language="de")
    for split in ("train", "test"):
        (file,) = (tmp_path / "de-generated").glob(f"qa6_*_{split}.txt")
        stories = make_stories(6, 11, 0, split, variant)
        assert hashlib.sha256(file.read_bytes()).hexdigest() == story_fingerprint(stories)


def test_german_files_are_loaded_by_the_name_of_their_folder(tmp_path, capsys):
    with pytest.raises(FileNotFoundError):
        load_task(1, "test", folder="de-generated", path=tmp_path)
    make(tmp_path, "--task", "1", "--language", "de")
    stories = load_task(1, "test", folder="de-generated", path=tmp_path)
    assert stories[0].questions[0].text.startswith("Wo ist ")
    with pytest.raises(FileNotFoundError, match="generate babi --task 2 --language de --out DIR"):
        load_task(2, "test", folder="de-generated", path=tmp_path)
    capsys.readouterr()
    assert main(["info", "babi", "--path", str(tmp_path)]) == 0
    assert "de-generated" in capsys.readouterr().out


PAGE = (Path(__file__).resolve().parents[2] / "docs" / "data.md").read_text("utf-8")
EXAMPLES = re.findall(
    r"```console\n\$ memnets data (generate .*) --out worlds\n\$ (cat|cut) (.*)\n([^`]*)```", PAGE
)


@pytest.mark.parametrize("example", EXAMPLES, ids=[command for command, *_ in EXAMPLES])
def test_the_page_shows_what_is_made(tmp_path, example):
    command, tool, file, shown = example
    assert main([*command.split(), "--out", str(tmp_path / "worlds")]) == 0
    (name,) = re.findall(r"worlds/\S+", file)
    text = (tmp_path / name).read_text("utf-8")
    if tool == "cut":  # -s -f 2 FILE | sort | uniq -c
        answers = Counter(line.split("\t")[1] for line in text.splitlines() if "\t" in line)
        text = "".join(f"{count:7} {answer}\n" for answer, count in sorted(answers.items()))
    assert shown == text


def test_the_page_has_an_example_of_every_option():
    commands = " ".join(command for command, *_ in EXAMPLES)
    for field in fields(Variant):
        assert f"--{field.name.replace('_', '-')}" in commands


@pytest.mark.parametrize(
    ("option", "tasks"), re.findall(r"^\| `--(\S+).*?` \| (.*?) \|", PAGE, re.MULTILINE)
)
def test_the_page_names_the_tasks_that_take_an_option(option, tasks):
    value = {"held_out": True, "balanced": True, "language": "de", "length": 2}
    name = option.replace("-", "_")
    variant = Variant(**{name: value.get(name, 10)})
    able = []
    for task in range(1, 21):
        try:
            make_stories(task, 1, 0, variant=variant)
        except ValueError as error:
            if "nothing that this could change" in str(error):
                continue
        able.append(task)
    assert able == (list(range(1, 21)) if tasks == "all" else _tasks(tasks.split(", ")))


def test_the_command_imports_nothing_heavy():
    code = (
        "import sys, memnets.cli.data, memnets.data.babi.generate, memnets.data.download;"
        "sys.exit(bool({'torch', 'numpy', 'pooch', 'requests'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
