"""The index against brute force, at its borders, and as it grows."""

import math
from collections import Counter
from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memnets.kb import LUA_WIKIMOVIES, PAPER, Index, Rule, building
from memnets.kb.index import index as module
from memnets.kb.index import postings, slots
from memnets.kb.index.postings import distinct

WORDS = st.sampled_from(["ada", "bob", "went", "to", "the", "kitchen", "x y", "ünder", "", "ada "])
LISTS = st.lists(st.lists(WORDS, max_size=5), max_size=23)
RULES = st.builds(
    Rule,
    max_df=st.none() | st.integers(1, 7),
    max_bucket=st.none() | st.integers(1, 11),
    entities_only=st.booleans(),
    hash_value=st.booleans(),
    top_n=st.none() | st.integers(1, 5),
    newest=st.none() | st.integers(1, 5),
    doc_window=st.integers(0, 3),
)
ENTITIES = {"ada", "kitchen", "x y"}
EVERY = 7
"""Slots of a document."""


def brute(keys, values, question, rule, without):
    """Candidates, by going through all slots for every word."""
    scores = Counter()
    for word in dict.fromkeys(question):
        key_times = {slot: key.count(word) for slot, key in enumerate(keys) if word in key}
        times = Counter(key_times)
        if rule.hash_value:
            times.update({slot: v.count(word) for slot, v in enumerate(values) if word in v})
        if rule.entities_only and word not in ENTITIES:
            continue
        if rule.max_df is not None and len(key_times) >= rule.max_df:
            continue
        if rule.max_bucket is not None and len(times) >= rule.max_bucket:
            continue
        for slot, n in times.items():
            scores[slot] += n * math.log(len(keys) / len(times))
    chosen = sorted(set(scores) - {without})
    if rule.top_n is not None:
        chosen = sorted(
            sorted(chosen, key=lambda slot: (-round(scores[slot], 9), slot))[: rule.top_n]
        )
    if rule.newest is not None:
        chosen = chosen[-rule.newest :]
    near = {
        slot + step
        for slot in chosen
        for step in range(-rule.doc_window, rule.doc_window + 1)
        if 0 <= slot + step < len(keys) and (slot + step) // EVERY == slot // EVERY
    }
    return sorted(near)


def fill(index, keys, values, begin=0):
    """Write slots from a number on, one by one, with a document every seven."""
    for slot in range(begin, len(keys)):
        if slot % EVERY == 0:
            index.begin_document()
        index.add([keys[slot]], [values[slot]], entities=ENTITIES)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return (tmp_path_factory.mktemp("index") / str(number) for number in range(10_000))


@settings(max_examples=20, deadline=None)
@given(LISTS, LISTS, st.lists(WORDS, max_size=6), RULES, st.integers(0, 23), st.data())
def test_candidates_are_those_of_brute_force(folders, left, right, question, rule, without, data):
    """Built, added in memory, or built and added to after: all the same."""
    keys, values = (list(islice(side, min(len(left), len(right)))) for side in (left, right))
    if not keys or not any(values):
        keys, values = [["ada"], *keys], [["bob"], *values]
    cut = data.draw(st.integers(0, len(keys)))
    folder, again = next(folders), next(folders)
    with building(folder) as builder:
        fill(builder, keys[:cut], values)
    grown, whole = Index.open(folder), Index()
    fill(grown, keys, values, begin=cut)
    fill(whole, keys, values)
    grown.save(again)
    expected = brute(keys, values, question, rule, without)
    for index in (whole, grown, Index.open(again)):
        found = index.candidates(question, rule, without)
        assert found.tolist() == expected
        assert found.dtype == np.int32
        assert len(index) == len(keys)
        assert index.frequency("ada") == sum("ada" in key for key in keys)
        # A slot that is left out need not be there to be found.
        assert index.is_entity("ada")
        assert not index.is_entity("bob")


@pytest.fixture
def small(tmp_path):
    """Word n stands in n slots, for n up to 7."""
    with building(tmp_path / "small") as builder:
        builder.add([str(n) for n in range(1, 8) if slot < n] for slot in range(11))
    return Index.open(tmp_path / "small")


def test_a_word_at_exactly_the_cut_off_is_left_out(small):
    assert small.candidates(["5"], Rule(max_df=5)).tolist() == []
    assert small.candidates(["5"], Rule(max_df=6)).tolist() == [0, 1, 2, 3, 4]
    assert small.candidates(["5"], Rule(max_bucket=5)).tolist() == []
    assert small.candidates(["5"], Rule(max_bucket=6)).tolist() == [0, 1, 2, 3, 4]
    assert small.candidates(["7", "2"], Rule(max_df=7)).tolist() == [0, 1]


def test_nothing_to_look_up_gives_no_candidates(small):
    for question in ([], ["unknown"], ["7", "6"], ["", "1 "]):
        assert small.candidates(question, Rule(max_df=6)).tolist() == []
        assert small.candidates(question, Rule(max_df=6, top_n=3)).tolist() == []
    assert Index().candidates(["7"]).tolist() == []
    assert len(Index()) == 0


def test_an_index_of_nothing_opens(tmp_path):
    with building(tmp_path / "empty"):
        pass
    index = Index.open(tmp_path / "empty")
    assert len(index) == 0
    assert index.candidates(["any"]).tolist() == []
    index.add([["any"]])
    assert index.candidates(["any"]).tolist() == [0]


def test_a_word_told_twice_leads_to_a_slot_once(small):
    assert small.candidates(["2", "3", "2"]).tolist() == [0, 1, 2]
    index = Index()
    index.add([["a", "a", "b"], ["b"]])
    assert index.candidates(["a", "b"]).tolist() == [0, 1]
    assert index.frequency("a") == 1


def test_candidates_are_the_callers_own(small):
    small.candidates(["5"])[:] = 99
    assert small.candidates(["5"]).tolist() == [0, 1, 2, 3, 4]


def test_adding_leaves_what_was_found_alone():
    index = Index()
    index.add([["a"], ["a"]])
    before = index.candidates(["a"])
    assert index.add([["a"]] * 100) == range(2, 102)
    assert before.tolist() == [0, 1]
    assert len(index.candidates(["a"])) == 102


def test_tf_idf_keeps_the_best_and_of_equals_the_first():
    index = Index()
    index.add([["rare", "old"], ["old"], ["old", "old"], ["old"], ["new"]])
    assert index.candidates(["rare", "old"], Rule(top_n=1)).tolist() == [0]
    assert index.candidates(["rare", "old"], Rule(top_n=2)).tolist() == [0, 2]
    assert index.candidates(["rare", "old"], Rule(top_n=3)).tolist() == [0, 1, 2]
    assert index.candidates(["rare", "old"], Rule(top_n=2), without=0).tolist() == [1, 2]


def test_a_word_of_every_slot_weighs_nothing():
    index = Index()
    index.add([["all"] * 4, ["all", "some"], ["all"], ["all", "some", "some"]])
    assert index.candidates(["all", "some"], Rule(top_n=1)).tolist() == [3]
    assert index.candidates(["all", "some"], Rule(top_n=2)).tolist() == [1, 3]


def test_a_rule_asks_for_nothing_by_default():
    assert Rule() == Rule(None, None, False, False, None, None, 0)
    assert Rule(1000) == PAPER
    assert Rule(10_000, 1000, True, False, None, 1000, 0) == LUA_WIKIMOVIES


def test_the_newest_are_kept_of_the_best_and_neighbours_come_last():
    index = Index()
    index.begin_document()
    index.add([["a", "a"], ["a"], ["a", "a"], ["b"], ["b"]])
    assert index.candidates(["a"], Rule(top_n=2, newest=1)).tolist() == [2]
    assert index.candidates(["a"], Rule(newest=2)).tolist() == [1, 2]
    assert index.candidates(["a"], Rule(newest=1, doc_window=1)).tolist() == [1, 2, 3]
    # A slot that is none is left out before any are counted, and comes as a neighbour only.
    assert index.candidates(["a"], Rule(newest=1), without=2).tolist() == [1]
    assert index.candidates(["a"], Rule(newest=1, doc_window=1), without=2).tolist() == [0, 1, 2]


def test_a_window_ends_with_its_document():
    index = Index()
    for words in (["a", "b", "c"], ["d", "e"]):
        index.begin_document()
        index.add([word] for word in words)
    assert index.candidates(["c"], Rule(doc_window=1)).tolist() == [1, 2]
    assert index.candidates(["d", "a"], Rule(doc_window=5)).tolist() == [0, 1, 2, 3, 4]


def test_values_count_for_the_bucket_and_not_for_the_frequency():
    index = Index()
    index.add([["a"], ["b"], ["a"]], [["b"], ["a"], ["a"]])
    assert index.frequency("a") == 2
    assert index.candidates(["a"], Rule(hash_value=True, max_df=3)).tolist() == [0, 1, 2]
    assert index.candidates(["a"], Rule(hash_value=True, max_bucket=3)).tolist() == []
    assert index.candidates(["a"], Rule(max_bucket=3)).tolist() == [0, 2]


def test_presets_are_as_published(tmp_path):
    """999 and 1,000 slots on either side of the paper's cut-off; entities only in the code's."""
    with building(tmp_path / "presets") as builder:
        builder.add([["rare", "it", "999"]] * 999, entities=["999"])
        builder.add([["rare"]])
    index = Index.open(tmp_path / "presets")
    assert len(index.candidates(["it", "rare"], PAPER)) == 999
    assert index.candidates(["rare"], PAPER).tolist() == []
    assert index.candidates(["it"], LUA_WIKIMOVIES).tolist() == []
    assert len(index.candidates(["it", "999"], LUA_WIKIMOVIES)) == 999
    index.add([["999"]])
    assert index.candidates(["999"], LUA_WIKIMOVIES).tolist() == []  # its bucket is thrown away
    names = [str(n) for n in range(2000, 3003)]
    index.add([[name] for name in names], entities=names)
    found = index.candidates(names, LUA_WIKIMOVIES)
    assert found.tolist() == list(range(1004, 2004))  # a memory of 1,000: the oldest fall out


@pytest.mark.parametrize(("run", "chunk"), [(1, 1), (5, 3), (7, 53)])
def test_runs_and_chunks_of_any_size_give_the_same_bytes(tmp_path, monkeypatch, run, chunk):
    rng = np.random.default_rng(7)
    lists = [[str(word) for word in rng.zipf(1.5, 5) % 97] for _ in range(53)]
    with building(tmp_path / "whole") as builder:
        builder.add(lists, lists[::-1])
    monkeypatch.setattr(postings, "RUN", run)
    monkeypatch.setattr(slots, "CHUNK", chunk)
    with building(tmp_path / "cut") as builder:
        for first, last in pairwise([0, 1, 23, 53]):
            builder.add(lists[first:last], lists[::-1][first:last])
    assert contents(tmp_path / "cut") == contents(tmp_path / "whole")


def test_saving_gives_the_bytes_of_building_at_once(tmp_path):
    lists = [["b", "a"], ["a", "a"], ["c", "ü"], ["a"]]
    with building(tmp_path / "whole") as builder:
        builder.begin_document()
        builder.add(lists, lists, entities=["ü", "b"])
    with building(tmp_path / "grown") as builder:
        builder.begin_document()
        builder.add(lists[:2], lists[:2], entities=["b"])
    grown = Index.open(tmp_path / "grown")
    grown.add(lists[2:], lists[2:], entities=["ü"])
    grown.save(tmp_path / "grown")
    assert contents(tmp_path / "grown") == contents(tmp_path / "whole")
    Index.open(tmp_path / "grown").save(tmp_path / "again")
    assert contents(tmp_path / "again") == contents(tmp_path / "whole")
    # The object goes on with what it has.
    assert grown.candidates(["a"]).tolist() == [0, 1, 3]


def test_words_that_share_a_hash_are_told_apart(tmp_path):
    with building(tmp_path / "collision") as builder:
        builder.add([["plumless"], ["buckeroo"], ["other"]])  # CRC-32 4ddb0c25, both
    index = Index.open(tmp_path / "collision")
    assert index.candidates(["plumless"]).tolist() == [0]
    assert index.candidates(["buckeroo"]).tolist() == [1]


def test_a_word_of_a_broken_encoding_is_kept(tmp_path):
    broken = b"caf\xe9".decode("utf-8", "surrogateescape")
    with building(tmp_path / "broken") as builder:
        builder.add([[broken], ["café"]])
    index = Index.open(tmp_path / "broken")
    assert index.candidates([broken]).tolist() == [0]
    index.save(tmp_path / "again")
    assert Index.open(tmp_path / "again").candidates([broken]).tolist() == [0]


def test_times_stop_at_255():
    index = Index()
    index.add([["a"] * 300], [["a"] * 7])
    assert index.candidates(["a"], Rule(top_n=1, hash_value=True)).tolist() == [0]
    run = postings.sorted_run(np.zeros(300, np.int32), np.zeros(300, np.int32))
    assert run.postings.times.tolist() == [255]


@pytest.mark.parametrize("name", ["max_df", "max_bucket", "top_n", "newest"])
def test_a_limit_below_one_is_refused(name):
    with pytest.raises(ValueError, match=rf"Rule\({name}=0\): expected 1 or more, or None"):
        Rule(**{name: 0})


def test_a_window_below_nothing_is_refused():
    with pytest.raises(ValueError, match=r"Rule\(doc_window=-1\): expected 0 or more\. Correct"):
        Rule(doc_window=-1)


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (Rule(hash_value=True), r"small: hash_value=True would be ignored.*add\(keys, values\)"),
        (Rule(entities_only=True), r"small: entities_only=True would be ignored.*entities=\.\.\."),
        (Rule(doc_window=2), r"small: doc_window=2 would be ignored.*begin_document\(\)"),
    ],
)
def test_an_option_that_would_be_ignored_is_refused(small, rule, text):
    with pytest.raises(ValueError, match=text):
        small.candidates(["1"], rule)


def test_a_text_is_no_list_of_words(tmp_path):
    with (
        pytest.raises(ValueError, match=r"facts: slot 1 came as the text 'Bob left'; expected its"),
        building(tmp_path / "facts") as builder,
    ):
        builder.add([["Ada"], "Bob left"])
    assert list((tmp_path / "facts").glob("[!.]*")) == []
    index = Index()
    index.add([["Ada"], ["Bob"]])
    with pytest.raises(ValueError, match="slot 3 came as the text 'Eve'"):
        index.add([["Cy"], "Eve"])
    with pytest.raises(ValueError, match="the index in memory: slot 0 came as the text 'Ada'"):
        Index().add(["Ada"])


def test_keys_and_values_must_be_as_many():
    index = Index()
    index.add([["a"]])
    with pytest.raises(ValueError, match="in memory: 3 keys and 2 values, counted from slot 0"):
        index.add([["a"], ["b"]], [["c"]])
    with pytest.raises(ValueError, match="in memory: 2 keys and 3 values, counted from slot 0"):
        index.add([["a"]], [["c"], ["d"]])


def test_more_slots_than_fit_are_refused(monkeypatch):
    monkeypatch.setattr(slots, "MOST_SLOTS", 2)
    index = Index()
    index.add([["a"], ["b"]])
    with pytest.raises(ValueError, match="in memory: more than 2 slots; expected that many"):
        index.add([["c"]])


def contents(folder):
    """Every file of an index, by its name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_sums_of_many_slots_are_those_of_few(monkeypatch):
    dice = np.random.default_rng(0)
    slots, weights = dice.integers(0, 97, 1009).astype(np.int32), dice.random(1009)
    wanted = module._sums(slots, weights)
    monkeypatch.setattr(module, "MANY", 0)
    for one, other in zip(module._sums(slots, weights), wanted, strict=True):
        assert one.tolist() == other.tolist()
        assert one.dtype == other.dtype


@pytest.mark.parametrize("numbers", [[], [3], [3, 1, 3, 2, 1], [2, 2]])
def test_distinct_numbers_are_each_once_and_ascending(numbers):
    found = distinct(np.array(numbers, np.int32))
    assert found.tolist() == sorted({*numbers})
    assert found.dtype == np.int32
