"""Many strings at once: C++ and NumPy do the same, and what one would do string by string."""

import logging
from itertools import chain
from zlib import crc32

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memnets.kb.index import strings, vocabulary
from memnets.kb.index.strings import Strings, distinct, fields_of
from memnets.kb.store import facts, store
from memnets.native import compiler_command

PER_WAY = [HealthCheck.function_scoped_fixture]
"""The way is the same for all examples."""
ANY = st.lists(st.binary(max_size=19), max_size=41)


@pytest.fixture(autouse=True, params=["C++", "NumPy"])
def way(request, monkeypatch):
    """Both ways, however short the text."""
    monkeypatch.setenv("MEMNETS_PLAIN", str(int(request.param == "NumPy")))
    monkeypatch.setattr(strings, "LARGE", 0)
    if request.param == "C++" and not strings.LIBRARY.available():
        pytest.skip("there is no compiler")
    assert strings._natively(np.empty(1, np.uint8)) == (request.param == "C++")


@settings(max_examples=100, deadline=None, suppress_health_check=PER_WAY)
@given(ANY, st.randoms(use_true_random=False))
def test_strings_are_a_list_of_bytes(words, random):
    found = Strings.of(words)
    assert list(found) == words == [found[n] for n in range(len(found))]
    chosen = [random.randrange(len(words)) for _ in words]
    assert list(found.taken(np.array(chosen, np.int64))) == [words[n] for n in chosen]
    assert list(Strings.joined([found, Strings.of(()), found])) == words + words
    assert found.checksums().tolist() == list(map(crc32, words))
    once, numbers = found.distinct()
    assert list(once) == list(dict.fromkeys(words))
    assert [once[n] for n in numbers.tolist()] == words


def test_many_strings_that_differ_in_one_letter_are_distinct():
    """As many as make the table grow several times."""
    words = [f"{number:017}".encode() for number in range(20_011)]
    once, numbers = Strings.of(words * 2).distinct()
    assert list(once) == words
    assert numbers.tolist() == [*range(20_011)] * 2


def test_nothing_is_read_beyond_the_text():
    letters = np.frombuffer(b"abcdefgh", np.uint8)[:3]
    found = distinct(letters, np.array([0, 1, 0]), np.array([3, 2, 3]))
    assert found.numbers.tolist() == [0, 1, 0]


LINES = st.lists(st.sampled_from(["a", "b\t", "\t", "\n", "ü", "a\tb\tc\n"]), max_size=9)


@settings(max_examples=200, deadline=None, suppress_health_check=PER_WAY)
@given(LINES, st.integers(0, 5))
def test_fields_are_those_of_lines_that_all_have_three(pieces, long):
    text = "".join([*pieces, "x" * long, "\ty\tz\n"])
    lines = [line.split("\t") for line in text.split("\n")[:-1]]
    data = text.encode()
    found = fields_of(np.frombuffer(data, np.uint8), data.count(b"\n"), "\t")
    if any(len(fields) != 3 or not all(fields) for fields in lines):
        assert found is None
    else:
        told = [data[a:b].decode() for a, b in zip(*map(np.ndarray.tolist, found), strict=True)]
        assert told == list(chain.from_iterable(lines))


def test_no_lines_have_no_fields():
    assert fields_of(np.empty(0, np.uint8), 0, "\t") is None


def test_both_ways_build_the_same_bytes(tmp_path, monkeypatch):
    told = [(f"Name {n % 97} é", f"r{n % 5}", f"The {n % 89}th, of it") for n in range(4_001)]
    folders = {}
    for plain in ("0", "1"):
        monkeypatch.setenv("MEMNETS_PLAIN", plain)
        file = tmp_path / "facts.tsv"
        file.write_text("".join("\t".join(fact) + "\n" for fact in told))
        store.build(file, tmp_path / plain)
        folders[plain] = store.Store.open(tmp_path / plain).generation
    assert folders["0"] == folders["1"]  # named by what it holds


def test_blocks_of_any_size_build_the_same_bytes(tmp_path, monkeypatch):
    file = tmp_path / "facts.tsv"
    file.write_text("".join(f"s{n % 7}\tr{n % 3}\to{n % 11}\n" for n in range(301)))
    generations = set()
    for block in (9, 100, 2**20):
        monkeypatch.setattr(facts, "BLOCK", block)
        store.build(file, tmp_path / str(block))
        generations.add(store.Store.open(tmp_path / str(block)).generation)
    assert len(generations) == 1


def test_words_that_share_a_checksum_are_in_the_order_of_their_letters(tmp_path):
    pair = [b"plumless", b"buckeroo"]  # a known collision of CRC-32
    assert crc32(pair[0]) == crc32(pair[1])
    assert vocabulary.write_strings(Strings.of(pair), tmp_path).tolist() == [1, 0]


def test_without_a_compiler_it_says_so_and_does_the_same(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("MEMNETS_PLAIN", "0")
    monkeypatch.setenv("CXX", "false")
    strings.LIBRARY.forget()
    with caplog.at_level(logging.WARNING):
        once, numbers = Strings.of([b"a", b"b", b"a"]).distinct()
    strings.LIBRARY.forget()
    assert (list(once), numbers.tolist()) == ([b"a", b"b"], [0, 1, 0])
    assert compiler_command() == ["false"]
    assert "memnets runs without its C++ strings, slower and otherwise the same" in caplog.text


def test_short_texts_need_no_compiler(monkeypatch):
    monkeypatch.setattr(strings, "LARGE", 2**20)
    monkeypatch.setenv("MEMNETS_PLAIN", "0")
    assert not strings._natively(np.empty(2**20 - 1, np.uint8))
