"""An index on disk is whole or not there, for many readers, whatever happens to its builder."""

import json
import subprocess
import sys
import time

import numpy as np
import pytest

from memnets.kb import Index, building, verify
from memnets.kb.index import folders

LISTS = [["ada", "went"], ["bob", "went"], ["ada", "slept"]]


@pytest.fixture
def facts(tmp_path):
    folder = tmp_path / "facts"
    build(folder)
    return folder


def build(folder, lists=LISTS):
    with building(folder) as builder:
        builder.add(lists)


def array(folder, name):
    (path,) = folder.glob(f"*/{name}.npy")
    return path


def change(folder, **fields):
    manifest = json.loads((folder / "index.json").read_text())
    (folder / "index.json").write_text(json.dumps(manifest | fields))


def test_what_was_built_is_found_in_another_process(facts):
    script = (
        "import sys; from pathlib import Path; from memnets.kb import Index;"
        "print(Index.open(Path(sys.argv[1])).candidates(['ada']).tolist())"
    )
    readers = [
        subprocess.Popen([sys.executable, "-c", script, facts], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert [reader.communicate()[0] for reader in readers] == ["[0, 2]\n"] * 2


def test_what_cannot_be_removed_does_not_stop_the_new_one(facts, monkeypatch):
    removed = []

    def remove(path, ignore_errors=False):  # as where a reader holds a file open
        removed.append(path)
        if not ignore_errors:
            raise PermissionError(path)

    before = folders.in_force(facts)
    monkeypatch.setattr(folders.shutil, "rmtree", remove)
    build(facts, [["eve"]])
    assert folders.in_force(facts) != before
    assert facts / before in removed
    assert Index.open(facts).candidates(["eve"]).tolist() == [0]


def test_a_generation_holds_what_was_to_be_built_and_nothing_else(tmp_path):
    folder = tmp_path / "any"
    with folders.generation(folder, {"one": np.int64, "deep/two": np.int64}) as aside:
        (aside / "deep").mkdir()
        for name in ("one", "deep/two", "spare", "deep/spare"):
            np.save(aside / f"{name}.npy", np.arange(3))
        (aside / "notes.txt").touch()
    (built,) = (path for path in folder.iterdir() if path.is_dir())
    files = sorted(str(path.relative_to(built)) for path in built.rglob("*") if path.is_file())
    assert files == ["deep/two.npy", "one.npy"]
    name, arrays = folders.open_arrays(folder, {"one": np.int64, "deep/two": np.int64})
    assert name == built.name == folders.in_force(folder)
    assert [array.tolist() for array in arrays.values()] == [[0, 1, 2]] * 2
    assert folders.in_force(tmp_path / "nowhere") is None
    (tmp_path / "empty").mkdir()
    assert folders.in_force(tmp_path / "empty") is None


def test_what_was_built_in_vain_is_gone(tmp_path):
    def build():
        with folders.generation(tmp_path / "any", {"one": np.int64}) as aside:
            np.save(aside / "one.npy", np.arange(3))
            raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        build()
    assert not (tmp_path / "any" / folders.BUILDING).exists()


def test_no_index_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"nowhere: no index here, since index\.json is missing"):
        Index.open(tmp_path / "nowhere")


def test_another_version_is_refused(facts):
    change(facts, version=7)
    with pytest.raises(ValueError, match=r"index\.json: the index is of version 7; expected ver"):
        Index.open(facts)


def test_another_format_is_refused(facts):
    change(facts, format="memnets shop")
    with pytest.raises(ValueError, match="the format is 'memnets shop'; expected 'memnets index'"):
        Index.open(facts)


@pytest.mark.parametrize("name", ["words.letters", "keys.slots", "values.offsets", "size"])
def test_a_file_cut_short_is_refused(facts, name):
    path = array(facts, name)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    text = rf"{name}\.npy: {len(whole) - 1:,} bytes; expected {len(whole):,}\. Build"
    with pytest.raises(ValueError, match=text):
        Index.open(facts)


def test_a_missing_file_is_refused(facts):
    array(facts, "keys.times").unlink()
    with pytest.raises(ValueError, match=r"keys\.times\.npy: no such file\. Build the index again"):
        Index.open(facts)
    with pytest.raises(ValueError, match=r"keys\.times\.npy: the sha256 is none, for there is no"):
        verify(facts)


def test_a_file_of_something_else_is_refused(facts):
    path = array(facts, "keys.slots")
    path.write_bytes(b"x" * path.stat().st_size)
    with pytest.raises(ValueError, match=r"keys\.slots\.npy: not an array of NumPy's format"):
        Index.open(facts)


@pytest.mark.parametrize(
    "damage",
    [
        (b"}", b" "),
        (b"'shape'", b"'shape "),
        (b"(6,)", b"(2,)"),
        (b"(6,)", b"(9,)"),
        (b"'<i4'", b"'|O' "),
        (b"NUMPY\x01", b"NUMPY\x02"),
    ],
)
def test_a_damaged_header_is_refused(facts, damage):
    path = array(facts, "keys.slots")
    content = path.read_bytes()
    path.write_bytes(content.replace(*damage, 1))
    assert path.read_bytes() != content
    with pytest.raises(ValueError, match=r"keys\.slots\.npy: not an array of NumPy's format"):
        Index.open(facts)


def test_an_array_of_another_type_is_refused(facts):
    path = array(facts, "keys.slots")
    np.save(path, np.zeros(6, np.float32))
    with pytest.raises(ValueError, match=r"holds float32 in 1 dimensions; expected int32 in one"):
        Index.open(facts)


def test_one_changed_byte_is_found(facts):
    verify(facts)
    path = array(facts, "keys.slots")
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    Index.open(facts)  # which does not read it whole
    with pytest.raises(ValueError, match=r"keys\.slots\.npy: the sha256 is .*; expected"):
        verify(facts)


def test_an_exception_leaves_the_index_that_was_there(facts):
    def lists():
        yield ["other"]
        raise KeyError

    with pytest.raises(KeyError):
        build(facts, lists())
    assert Index.open(facts).candidates(["ada"]).tolist() == [0, 2]
    assert not (facts / ".building").exists()


KILLED = """
import os, signal, sys
from pathlib import Path
from memnets import kb
from memnets.kb.index import folders
from memnets.kb.index import postings

def killed(*_):
    os.kill(os.getpid(), signal.SIGKILL)

if sys.argv[2] == "adding":
    postings.RUN, postings.Spool.lay_out = 1, killed
else:
    folders.write_json = killed
with kb.building(Path(sys.argv[1])) as builder:
    builder.add([["other"], ["other"]])
"""


@pytest.mark.parametrize("when", ["adding", "finishing"])
def test_a_builder_killed_half_way_leaves_the_index_that_was_there(facts, tmp_path, when):
    for folder in (facts, tmp_path / "new"):
        done = subprocess.run([sys.executable, "-c", KILLED, folder, when], capture_output=True)
        assert done.returncode == -9, done.stderr
    verify(facts)
    assert Index.open(facts).candidates(["ada", "other"]).tolist() == [0, 2]
    with pytest.raises(ValueError, match="no index here"):
        Index.open(tmp_path / "new")
    # What was left lying is cleared away by the next builder.
    for folder in (facts, tmp_path / "new"):
        build(folder, [["next"]])
        assert Index.open(folder).candidates(["next"]).tolist() == [0]
        assert len([path for path in folder.iterdir() if path.is_dir()]) == 1


def test_a_reader_keeps_what_it_opened(facts):
    before = Index.open(facts)
    build(facts, [["ada"]] * 5)
    assert before.candidates(["ada"]).tolist() == [0, 2]
    assert Index.open(facts).candidates(["ada"]).tolist() == [0, 1, 2, 3, 4]


def test_a_reader_that_comes_between_two_generations_opens_the_next(facts, monkeypatch):
    map_arrays = folders._map

    def meanwhile(*given):
        monkeypatch.setattr(folders, "_map", map_arrays)
        build(facts, [["ada"]])
        return map_arrays(*given)

    monkeypatch.setattr(folders, "_map", meanwhile)
    assert Index.open(facts).candidates(["ada"]).tolist() == [0]


def test_building_the_same_again_changes_nothing(facts):
    before = {path: path.stat().st_ino for path in facts.glob("*/*")}
    build(facts)
    assert {path: path.stat().st_ino for path in facts.glob("*/*")} == before


def cut_short(path):
    path.write_bytes(path.read_bytes()[:-1])


def flip(path):
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


def become_a_folder(path):
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [cut_short, flip, become_a_folder, lambda path: path.unlink()])
def test_building_again_mends_what_is_damaged_and_only_that(facts, damage):
    damaged, whole = array(facts, "keys.slots"), array(facts, "keys.times")
    before = whole.stat().st_ino
    damage(damaged)
    build(facts)
    verify(facts)
    assert Index.open(facts).candidates(["ada"]).tolist() == [0, 2]
    assert whole.stat().st_ino == before


def test_a_reader_keeps_what_it_opened_of_an_index_that_is_mended(facts):
    reader = Index.open(facts)
    cut_short(array(facts, "words.offsets"))
    build(facts)
    assert reader.candidates(["ada"]).tolist() == [0, 2]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"format": "memnets index"}', '{"generation": 3}']
)
def test_a_damaged_manifest_is_named_and_built_anew(facts, text):
    (facts / "index.json").write_text(text)
    with pytest.raises(ValueError, match=r"index\.json.*Build the index again from its source, in"):
        Index.open(facts)
    build(facts)
    assert Index.open(facts).candidates(["ada"]).tolist() == [0, 2]


@pytest.mark.parametrize(
    "fields", [{"files": []}, {"files": {}}, {"files": {"size": 3}}, {"generation": "../other"}]
)
def test_a_manifest_of_damaged_fields_is_named(facts, fields):
    change(facts, **fields)
    for look in (Index.open, verify) if fields != {"files": {}} else (Index.open,):
        with pytest.raises(ValueError, match=r"index\.json: .*Build the index again from its sou"):
            look(facts)


@pytest.mark.parametrize("lacks", ["bytes", "sha256"])
def test_a_manifest_that_says_too_little_of_a_file_is_named(facts, lacks):
    files = json.loads((facts / "index.json").read_text())["files"]
    del files["keys.slots"][lacks]
    change(facts, files=files)
    for look in (Index.open, verify):
        with pytest.raises(ValueError, match=r"index\.json: it says nothing of keys\.slots; expec"):
            look(facts)


def test_folders_are_made_in_folders_and_mended(tmp_path):
    folder, kinds = tmp_path / "new" / "any", {"deep/two": np.int64}

    def once():
        with folders.generation(folder, kinds) as aside:
            (aside / "deep").mkdir()
            np.save(aside / "deep/two.npy", np.arange(3))

    once()
    (file,) = folder.glob("*/deep/two.npy")
    file.unlink()
    file.parent.rmdir()
    once()
    assert folders.open_arrays(folder, kinds)[1]["deep/two"].tolist() == [0, 1, 2]
    assert not (folder / folders.BUILDING).exists()


def test_what_a_killed_builder_left_is_no_part_of_the_next(facts):
    left = facts / folders.BUILDING / "deep"
    left.mkdir(parents=True)
    (left / "spare.npy").touch()
    with folders.generation(facts, {"one": np.int64}) as aside:
        assert not any(aside.iterdir())
        np.save(aside / "one.npy", np.arange(2))
    assert [path.name for path in facts.glob("*/*")] == ["one.npy"]


@pytest.mark.parametrize("name", ["notes", "index.txt", "0123456789abcde"])
def test_a_folder_of_other_things_is_not_built_in(tmp_path, name):
    (tmp_path / ".hidden").touch()
    (tmp_path / "z").touch()
    (tmp_path / name).touch()
    with pytest.raises(ValueError, match=rf"'{name}' is there; expected a new folder"):
        build(tmp_path)
    (tmp_path / name).unlink()
    (tmp_path / "z").unlink()
    build(tmp_path)  # what begins with a dot is nobody's
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match=r"'file' is there"):
        build(tmp_path / "file")


def test_what_another_command_has_built_is_not_replaced(facts):
    change(facts, format="memnets shop")
    before = {path: path.read_bytes() for path in facts.rglob("*") if path.is_file()}
    text = (
        r"facts: this holds something else \(memnets shop\); expected a new folder, or one of mem"
    )
    with pytest.raises(ValueError, match=text):
        build(facts)
    assert {path: path.read_bytes() for path in facts.rglob("*") if path.is_file()} == before


def test_a_folder_with_a_manifest_of_somebody_else_is_not_built_in(tmp_path):
    (tmp_path / "index.json").write_text("[1, 2]")
    with pytest.raises(ValueError, match=r"'index\.json' is there; expected a new folder"):
        build(tmp_path)
    assert (tmp_path / "index.json").read_text() == "[1, 2]"


def test_two_builders_in_one_folder_are_refused(facts):
    text = r"facts: another process, or an unfinished builder of this one, is building here"
    with building(facts) as builder:
        with pytest.raises(ValueError, match=text):
            build(facts)
        builder.add([["kept"]])
    assert Index.open(facts).candidates(["kept"]).tolist() == [0]


def test_saving_over_what_another_has_built_is_refused(facts):
    ours, theirs = Index.open(facts), Index.open(facts)
    theirs.add([["theirs"]])
    theirs.save(facts)
    ours.add([["ours"]])
    with pytest.raises(ValueError, match=r"facts: built anew since this index was opened from it"):
        ours.save(facts)
    assert Index.open(facts).candidates(["theirs", "ours"]).tolist() == [3]


def test_saving_twice_is_saving(facts):
    index = Index.open(facts)
    for count in (1, 2):
        index.add([["more"]])
        index.save(facts)
        assert len(Index.open(facts).candidates(["more"])) == count


def test_a_million_slots_build_and_open_quickly_and_stay_small(tmp_path):
    """Bounds four times what was seen, for other machines and for other work on this one."""
    rng = np.random.default_rng(0)
    words = np.array([f"word{number}" for number in range(10_007)], object)
    chosen = words[rng.zipf(1.3, (100_003, 5)) % len(words)].tolist()
    began = time.perf_counter()
    with building(tmp_path / "many") as builder:
        for _ in range(10):
            builder.add(chosen)
    assert time.perf_counter() - began < 40
    began = time.perf_counter()
    index = Index.open(tmp_path / "many")
    assert time.perf_counter() - began < 0.1
    assert len(index) == 1_000_030
    assert sum(path.stat().st_size for path in (tmp_path / "many").rglob("*")) < 50e6
