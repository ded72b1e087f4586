"""Where a data set is looked for, in which order, and what is said when it is nowhere."""

import re

import pytest

from memnets.data.sources import SOURCES, cache_folder, locate, source


@pytest.fixture(autouse=True)
def _nowhere(tmp_path, monkeypatch):
    monkeypatch.delenv("MEMNETS_DATA", raising=False)
    monkeypatch.setenv("MEMNETS_CACHE", str(tmp_path / "cache"))


def put(place):
    folder = place / "tasks_1-20_v1-2"
    (folder / "en").mkdir(parents=True)
    return folder


def find(path=None):
    return locate("babi", path, holds=("en", "hn"))


def test_the_order_is_path_then_setting_then_cache(tmp_path, monkeypatch):
    cached = put(tmp_path / "cache" / "babi")
    assert find() == cached
    setting = put(tmp_path / "setting")
    monkeypatch.setenv("MEMNETS_DATA", str(tmp_path / "setting"))
    assert find() == setting
    named = put(tmp_path / "named")
    assert find(tmp_path / "named") == named
    assert find(named) == named
    assert find(str(named)) == named


def test_a_setting_that_holds_other_sets_is_passed_over(tmp_path, monkeypatch):
    monkeypatch.setenv("MEMNETS_DATA", str(tmp_path))
    cached = put(tmp_path / "cache" / "babi")
    assert find() == cached


def test_a_named_path_is_never_passed_over(tmp_path):
    put(tmp_path / "cache" / "babi")
    with pytest.raises(FileNotFoundError, match=r"the path holds no tasks_1-20_v1-2 \(babi\)"):
        find(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"none: the path is no folder, so it holds no"):
        find(tmp_path / "none")


def test_a_setting_that_is_no_folder_is_refused(tmp_path, monkeypatch):
    put(tmp_path / "cache" / "babi")
    monkeypatch.setenv("MEMNETS_DATA", str(tmp_path / "none"))
    with pytest.raises(FileNotFoundError, match="none: MEMNETS_DATA is no folder"):
        find()


def test_nowhere_names_places_address_checksum_and_remedies(tmp_path, monkeypatch):
    monkeypatch.setenv("MEMNETS_DATA", str(tmp_path))
    first = SOURCES["babi"].archives[0]
    with pytest.raises(FileNotFoundError, match="the data set was not found") as caught:
        find()
    for part in (
        f"{tmp_path}, {tmp_path / 'cache' / 'babi'}",
        first.address,
        str(first.sha256),
        "memnets data get babi",
        "MEMNETS_DATA",
    ):
        assert part in str(caught.value)


def test_the_cache_is_the_systems_unless_set(monkeypatch):
    monkeypatch.delenv("MEMNETS_CACHE")
    assert cache_folder().name == "memnets"


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"'squad': there is no data set of this name\. .* babi"):
        source("squad")


@pytest.mark.parametrize("known", SOURCES.values(), ids=list(SOURCES))
def test_each_source_is_complete(known):
    assert SOURCES[known.name] is known
    assert known.licence
    assert known.citation
    for archive in known.archives:
        assert archive.address.startswith("http")
        assert archive.sha256 is None or re.fullmatch("[0-9a-f]{64}", archive.sha256)
