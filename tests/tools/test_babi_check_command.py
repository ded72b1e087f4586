"""`python -m tools.babi_check`: what it prints, writes and refuses."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memnets.data.babi import read_stories, write_stories
from memnets.data.babi.files import file_name
from memnets.data.babi.generate import make_stories
from tools.babi_check import official_statistics, statistics_of, write_reference
from tools.babi_check.__main__ import main
from tools.babi_check.folders import files_by_task
from tools.babi_check.reference import read_reference

NAME = "qa12_conjunction_train.txt"
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def made(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    folder = tmp_path / "made" / "en-generated"
    folder.mkdir(parents=True)
    write_stories(folder / NAME, make_stories(12, 503, seed=1))
    return tmp_path / "made"


@pytest.fixture
def changed(made):
    file = made / "en-generated" / NAME
    file.write_text(file.read_text().replace("travelled to", "went to"))
    return made


def test_generated_stories_pass(made, capsys):
    assert main([str(made)]) == 0
    printed = capsys.readouterr().out
    # No heading and no verdict is cut short.
    assert {"corrected", "variation", "limit", "broken", "words", "alike"} <= set(printed.split())
    assert "tests. Nothing is rejected." in printed
    assert max(map(len, printed.splitlines())) <= 80


def test_changed_stories_are_rejected(changed, capsys, tmp_path):
    assert main([str(changed), "--verbose", "--json", str(tmp_path / "all.json")]) == 1
    printed = capsys.readouterr().out
    assert "task 12: statement forms: corrected p = " in printed
    assert "Rejected: 12." in printed
    found = json.loads((tmp_path / "all.json").read_text())
    assert found["rejected"] == [12]
    assert found["tasks"]["12"]["tested"]["statement forms"]["corrected_p"] < 0.01
    assert len(found["tasks"]["12"]["tested"]) + 1 == found["tests"]


def test_a_broken_rule_is_named_with_file_and_line(made, capsys):
    file = made / "en-generated" / NAME
    lines = file.read_text().splitlines(keepends=True)
    assert lines[2].startswith("3 Where is ")
    lines[2] = lines[2].replace("? \t", "?\t")
    file.write_text("".join(lines))
    assert main([str(made)]) == 1
    printed = capsys.readouterr().out
    assert f"task 12: space before the TAB: not so at {file}:3\n" in printed


def test_a_reference_can_be_written_and_used(changed, tmp_path, capsys):
    kept = tmp_path / "kept.json"
    assert main([str(changed), "--write-reference", str(kept)]) == 0
    assert "(statistics of 1 tasks)" in capsys.readouterr().out
    assert main([str(changed), "--against", str(kept)]) == 0
    assert main([str(changed), "--against", str(changed)]) == 0


def test_what_is_written_reads_back(changed, tmp_path):
    measured = statistics_of(changed)
    write_reference(tmp_path / "kept.json", measured)
    back = read_reference(tmp_path / "kept.json")
    assert back.keys() == measured.keys() == {12}
    for field in ("stories", "questions", "constants", "words", "forms"):
        assert getattr(back[12], field) == getattr(measured[12], field)
    for name, (cells, sums) in measured[12].histograms.items():
        assert back[12].histograms[name].cells == cells
        assert back[12].histograms[name].moments.square.tolist() == sums.square.tolist()


def test_the_statistics_of_all_tasks_are_kept():
    standards = official_statistics()
    assert list(standards) == list(range(1, 21))
    assert standards[1].constants["gap"] == 2
    assert {standards[task].questions for task in (1, 12, 13)} == {9995}


@pytest.mark.parametrize("option", ["--against", "--json"])
def test_an_option_that_would_be_ignored_is_refused(made, tmp_path, option):
    options = ["--write-reference", str(tmp_path / "a.json"), option, str(tmp_path / "b.json")]
    with pytest.raises(ValueError, match=f"{option}: it would be ignored, since --write-ref"):
        main([str(made), *options])


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere: there is no such folder\. Expected one"):
        main([str(tmp_path / "nowhere")])


def test_a_refusal_is_one_line_and_no_rejection():
    command = [sys.executable, "-m", "tools.babi_check", "nowhere"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    (said,) = done.stderr.split("\n")[1:-1]  # after the progress bar's
    assert said.startswith("memnets: nowhere: there is no such folder.")


def test_a_folder_without_stories_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing")
    with pytest.raises(ValueError, match=r"no file in it is named like .*qa1_single-supporting"):
        main([str(tmp_path)])


def test_an_unknown_task_is_refused(made):
    (made / "en-generated" / "qa21_more_train.txt").write_text("1 Mary went.\n")
    with pytest.raises(ValueError, match=r"qa21_more_train\.txt: bAbI has no task 21\. Expected"):
        main([str(made)])


def test_two_folders_of_stories_are_refused(made):
    (made / "other").mkdir()
    (made / "other" / NAME).write_text("1 Mary went.\n")
    with pytest.raises(ValueError, match=r"several .* \(en-generated, other\)\. Expected one"):
        main([str(made)])


def test_what_is_no_story_is_refused_with_its_line(made):
    (made / "en-generated" / NAME).write_text("1 Mary went to the park.\nMary\n")
    with pytest.raises(ValueError, match=rf"{NAME}:2: the line starts with 'Mary'"):
        main([str(made)])


def test_a_task_with_nothing_to_compare_is_refused(made, tmp_path):
    write_reference(tmp_path / "none.json", {1: official_statistics()[1]})
    with pytest.raises(ValueError, match=rf"{NAME}: there is nothing to compare task 12 with"):
        main([str(made), "--against", str(tmp_path / "none.json")])


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("{", r"bad\.json:1: damaged JSON"),
        ('{"1": {"stories": 3}}', r"bad\.json: not a file of statistics .* Write it anew"),
        ('{"one": {}}', r"bad\.json: not a file of statistics"),
        ('{"1": 5}', r"bad\.json: not a file of statistics"),
    ],
)
def test_a_damaged_reference_is_refused(tmp_path, text, error):
    (tmp_path / "bad.json").write_text(text)
    with pytest.raises(ValueError, match=error):
        read_reference(tmp_path / "bad.json")


def test_a_reference_of_another_version_is_refused(tmp_path):
    standard = official_statistics()[1]
    other = standard._replace(constants={"old statistic": 5})
    write_reference(tmp_path / "old.json", {1: other})
    with pytest.raises(ValueError, match=r"task 1 has the statistic 'old statistic'\. Expected"):
        read_reference(tmp_path / "old.json")


def test_the_official_folder_takes_task_3_from_the_small_files(tmp_path):
    root = tmp_path / "tasks_1-20_v1-2"
    for folder in ("en", "en-10k"):
        (root / folder).mkdir(parents=True)
    with pytest.raises(FileNotFoundError, match=r"en-10k/qa1_.*: no such file, .* is incomplete"):
        files_by_task(root)
    for task in range(1, 21):
        folder = "en" if task == 3 else "en-10k"
        names = ("train", "test") if task == 3 else ("train",)
        for name in names:
            story = make_stories(task, 1, seed=0)
            write_stories(root / folder / file_name(task, name), story)
    found = files_by_task(root)
    assert [file.parent.name for file in found[3]] == ["en", "en"]
    assert [file.parent.name for file in found[4]] == ["en-10k"]
    assert len(read_stories(found[4][0])) == 1
