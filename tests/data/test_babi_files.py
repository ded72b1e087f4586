"""The official names, folders and checksums of bAbI."""

import hashlib
import re

import pytest

from memnets.data.babi import FOLDERS, TASKS, fingerprint, load_task, task_file
from memnets.data.babi.files import GENERATED, file_name, official_checksums, state

STORY = "1 Mary moved to the office.\n2 Where is Mary? \toffice\t1\n"


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "tasks_1-20_v1-2" / "en"
    folder.mkdir(parents=True)
    (folder / "qa1_single-supporting-fact_train.txt").write_text(STORY)
    return tmp_path / "tasks_1-20_v1-2"


def test_the_checksum_table_names_the_official_files():
    names = [file_name(task, split) for task in TASKS for split in ("train", "test")]
    expected = {f"{folder}/{name}" for folder in ("en", "en-10k") for name in names}
    missing = {"en-10k/qa3_three-supporting-facts_train.txt"}
    assert set(official_checksums()) == expected - missing
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in official_checksums().values())


def test_the_names_of_files():
    assert list(TASKS) == list(range(1, 21))
    for slug, title in TASKS.values():
        short = title.replace("argument", "arg").replace(" and ", " ").replace("'", "")
        assert short.replace("/", "-").replace(" ", "-") == slug
    assert len(FOLDERS) == 8
    assert file_name(19, "test", "hn-10k") == "qa19_path-finding_test.txt"
    assert file_name(3, "valid", "en-valid") == "qa3_valid.txt"
    assert file_name(3, "train", "en-valid-10k") == "qa3_train.txt"
    assert file_name(20, "train", GENERATED) == "qa20_agents-motivations_train.txt"


def test_a_task_is_loaded_from_the_folder_or_the_one_around_it(root):
    for path in (root, root.parent):
        (story,) = load_task(1, "train", path=path)
        assert story.task == 1
        assert story.questions[0].answer == "office"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, "train", "en"), "task=0: there is no such bAbI task. Choose one of 1 to 20."),
        ((21, "train", "en"), "task=21: there is no such bAbI task"),
        ((1, "train", "fr"), "folder='fr': bAbI has no such folder. Choose one of en, en-10k"),
        ((1, "valid", "en"), "split='valid': the folder en has the splits train, test only"),
        ((1, "valid", GENERATED), "split='valid': the folder en-generated has the splits train"),
    ],
)
def test_what_is_not_official_is_refused(root, arguments, message):
    task, split, folder = arguments
    with pytest.raises(ValueError, match=re.escape(message)):
        load_task(task, split, folder=folder, path=root)


def test_a_missing_file_says_how_to_get_it(root):
    with pytest.raises(FileNotFoundError, match=r"qa2_.*_train\.txt: no such file.*data get babi"):
        task_file(2, "train", path=root)
    with pytest.raises(FileNotFoundError, match="Generate it: memnets data generate babi --task 2"):
        task_file(2, "train", folder=GENERATED, path=root)


@pytest.mark.parametrize("folder", ["en-10k", "hn-10k", "shuffled-10k", "en-valid-10k"])
def test_the_missing_file_of_task_3_has_an_honest_substitute(root, folder):
    with pytest.raises(FileNotFoundError) as caught:
        task_file(3, "train", folder=folder, path=root)
    assert "missing from many copies" in str(caught.value)
    assert "memnets data generate babi --task 3" in str(caught.value)
    assert 'label every figure trained on it "task 3 generated"' in str(caught.value)


def test_a_file_that_asks_nothing_is_refused(root):
    file = root / "en" / "qa1_single-supporting-fact_train.txt"
    file.write_text("1 A.\n2 B.\n")
    with pytest.raises(ValueError, match=r"nothing is asked in this file.*TABs into spaces"):
        load_task(1, "train", path=root)
    file.write_text(STORY.replace("\t", "    "))
    with pytest.raises(ValueError, match=r"train\.txt:\d: no TAB stands between"):
        load_task(1, "train", path=root)


def test_a_changed_file_is_told_from_an_official_one(root, monkeypatch):
    name = "en/qa1_single-supporting-fact_train.txt"
    assert state(root, name) == "changed"
    assert state(root, "en/qa1_single-supporting-fact_test.txt") == "missing"
    assert state(root, "hn/qa1_single-supporting-fact_test.txt") == "missing"  # and has no checksum
    (root / "hn").mkdir()
    (root / "hn" / "qa1_single-supporting-fact_train.txt").write_text(STORY)
    assert state(root, "hn/qa1_single-supporting-fact_train.txt") == "unlisted"
    digest = hashlib.sha256(STORY.encode()).hexdigest()
    monkeypatch.setattr("memnets.data.babi.files.official_checksums", lambda: {name: digest})
    assert state(root, name) == "official"


def test_a_fingerprint_stands_for_the_bytes(tmp_path):
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("a")
    two.write_text("b")
    assert fingerprint([one]) == hashlib.sha256(b"a").hexdigest()
    both = fingerprint([one, two])
    assert both == fingerprint([two, str(one)])
    assert both not in (fingerprint([one]), fingerprint([two]))
    # By hand: sha256sum one.txt two.txt | sort | head -c -1 | sha256sum
    assert both == "38930f33cb900873157c087cfcd5385af2f425682234eccb23cc90e83e122cd1"
    two.write_text("c")
    assert fingerprint([one, two]) != both
    with pytest.raises(ValueError, match=r"fingerprint\(\[\]\): there is no file"):
        fingerprint([])
