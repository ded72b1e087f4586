"""`memnets data`: what it prints, writes and refuses."""

import hashlib
import subprocess
import sys

import pytest

from memnets.cli.data import main
from memnets.data.babi import load_task
from memnets.data.sources import SOURCES

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
    return main(["make", "babi", "--out", str(out), "--questions", "53", *more])


def test_make_writes_official_names_under_a_folder_that_says_generated(tmp_path, capsys):
    assert make(tmp_path, "--task", "1", "3") == 0
    names = sorted(path.name for path in (tmp_path / "en-generated").iterdir())
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
        (file,) = (tmp_path / "en-generated").iterdir()
        digests.append(hashlib.sha256(file.read_bytes()).digest())
    assert digests[0] == digests[1] != digests[2]


def test_make_never_replaces_files_unasked(tmp_path):
    make(tmp_path, "--task", "1", "--split", "test")
    with pytest.raises(ValueError, match=r"qa1_.*_test\.txt: this file is there already"):
        make(tmp_path, "--task", "2", "1")
    assert len(list((tmp_path / "en-generated").iterdir())) == 1


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (["--task", "1", "21"], "task=21: there is no such bAbI task"),
        (["--task", "1", "two"], r"--task two: this is no task. Expected numbers .* 3 5-14"),
        (["--task", "9-7"], "--task 9-7: this is no task"),
        (["--questions", "0"], "questions=0: expected at least one"),
    ],
)
def test_make_of_what_cannot_be_made_leaves_nothing_behind(tmp_path, wrong, error):
    with pytest.raises(ValueError, match=error):
        make(tmp_path, *wrong)
    assert list(tmp_path.iterdir()) == []


def test_make_takes_ranges_and_makes_all_tasks_unless_told(tmp_path):
    assert make(tmp_path / "some", "--task", "3", "2-4", "--split", "test") == 0
    names = sorted(path.name[:3] for path in (tmp_path / "some" / "en-generated").iterdir())
    assert names == ["qa2", "qa3", "qa4"]
    assert make(tmp_path / "all", "--split", "train") == 0
    assert len(list((tmp_path / "all" / "en-generated").iterdir())) == 20


def test_a_made_set_is_inspected_without_missing_files(tmp_path, capsys):
    make(tmp_path, "--task", "1")
    capsys.readouterr()
    assert main(["info", "babi", "--path", str(tmp_path)]) == 0
    assert "missing:" not in capsys.readouterr().out


def test_the_command_imports_nothing_heavy():
    code = (
        "import sys, memnets.cli.data, memnets.data.babi_world, memnets.data.download;"
        "sys.exit(bool({'torch', 'numpy', 'pooch', 'requests'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
