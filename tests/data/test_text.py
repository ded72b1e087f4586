"""Texts as numbers: counts, parts, digests, and what is said of a file that is not what it was."""

import hashlib
import re

import numpy as np
import pytest

from memnets.data.text import (
    END,
    TEXTS,
    UNKNOWN,
    Part,
    SymbolVocabulary,
    Text,
    TextSet,
    characters,
    files,
    find_parts,
    letters,
    load_text,
    make_text,
    texts,
    units,
    words,
)

LINES = {"train": " a b a <unk> \n b c \n", "valid": " c a z \n\n", "test": " b \n"}


@pytest.fixture
def published(monkeypatch):
    """Make the lines above a published set of words, and of its letters."""
    parts = {
        split: Part((f"toy.{split}.txt", f"{split}.txt"), len(text), split != "test")
        for split, text in LINES.items()
    }
    digests = {
        f"ptb/{split}": hashlib.sha256(text.encode()).hexdigest() for split, text in LINES.items()
    }
    counts = {split: len(words(text)) for split, text in LINES.items()}
    monkeypatch.setitem(files.SETS, "ptb", TextSet("a drawer", parts))
    monkeypatch.setattr(files, "_digests", lambda: digests)
    monkeypatch.setitem(texts.TEXTS, "ptb", texts.Known("ptb", words, counts))
    monkeypatch.delenv("MEMNETS_DATA", raising=False)
    return digests


def put(folder, names="toy.{}.txt", change=lambda text: text, splits=tuple(LINES)):
    folder.mkdir(parents=True, exist_ok=True)
    for split in splits:
        (folder / names.format(split)).write_bytes(change(LINES[split]).encode())
    return folder


def test_every_line_ends_with_a_symbol_blank_ones_too():
    assert words(" a b \n\nc\n") == ["a", "b", END, END, "c", END]


@pytest.mark.parametrize("read", [words, letters])
def test_line_ends_of_windows_and_a_missing_last_one_change_no_count(read):
    plain = read(" a b \n c \n")
    assert read(" a b \r\n c \r\n") == plain
    assert read(" a b \n c ") == plain


def test_lines_end_at_line_ends_only():
    assert words("a\x85b\u2028c\n") == ["a", "b", "c", END]


def test_letters_are_made_of_words():
    assert letters(" no <unk> \n\n") == [*"no_<unk>", END, END]
    assert characters("a \n") == ["a", " ", "\n"]


def test_the_most_frequent_symbol_comes_first():
    vocabulary = SymbolVocabulary.of("banana")
    assert vocabulary.symbols == ("a", "n", "b", UNKNOWN)
    assert vocabulary.number("nab").tolist() == [1, 0, 2]
    assert vocabulary.number("nab").dtype == np.int32


def test_of_equally_frequent_symbols_the_first_by_name_comes_first():
    """Whatever their order in the text: numbers depend on the counts alone."""
    expected = ("c", "a", "b", UNKNOWN)
    assert SymbolVocabulary.of("bcacbca").symbols == SymbolVocabulary.of("abccbac").symbols
    assert SymbolVocabulary.of("bcacbca").symbols == expected


def test_what_training_lacks_is_one_symbol_and_counted():
    text = Text.of("toy", {"train": "abab", "valid": "azzy"}, characters)
    assert text.splits["valid"].tolist() == [0, 2, 2, 2]
    assert text.vocabulary.unknown == 2
    assert text.lacking == {"train": {}, "valid": {"y": 1, "z": 2}}


def test_an_unknown_word_in_the_training_text_is_that_symbol():
    text = Text.of("toy", LINES, words)
    assert text.vocabulary.symbols.count(UNKNOWN) == 1
    assert text.splits["valid"][2] == text.vocabulary.numbers[UNKNOWN]


def test_the_vocabulary_is_of_the_training_part_only():
    first = Text.of("toy", LINES, words).vocabulary
    assert Text.of("toy", LINES | {"valid": "new words\n"}, words).vocabulary == first


@pytest.mark.parametrize("names", ["toy.{}.txt", "{}.txt"])
def test_both_names_of_a_file_are_known(published, tmp_path, names):
    text = load_text("ptb", put(tmp_path / "text", names))
    assert {split: len(part) for split, part in text.splits.items()} == dict(TEXTS["ptb"].counts)
    assert text.unit == "words"


def test_the_digest_decides_between_two_names(published, tmp_path):
    put(tmp_path, "toy.{}.txt", str.upper)
    put(tmp_path, "{}.txt")
    assert find_parts("ptb", tmp_path)["train"].path.name == "train.txt"


def test_the_setting_holds_a_folder_of_texts(published, tmp_path, monkeypatch):
    put(tmp_path / "text")
    monkeypatch.setenv("MEMNETS_DATA", str(tmp_path))
    assert find_parts("ptb")["valid"].path == tmp_path / "text" / "toy.valid.txt"


def test_a_file_with_other_line_ends_is_refused_with_both_digests(published, tmp_path):
    put(tmp_path, change=lambda text: text.replace("\n", "\r\n"))
    found = hashlib.sha256((tmp_path / "toy.train.txt").read_bytes()).hexdigest()
    with pytest.raises(
        ValueError,
        match=rf"toy\.train\.txt: this is not the train part of ptb: sha256 {found}, 22 bytes.*"
        rf"{published['ptb/train']}, 20 bytes\. Put the original back.*line ends",
    ):
        load_text("ptb", tmp_path)


def test_a_missing_file_is_named_with_its_digest(published, tmp_path):
    put(tmp_path, splits=("train",))
    with pytest.raises(
        FileNotFoundError,
        match=rf"toy\.valid\.txt: the valid part of ptb is not there \(sha256 "
        rf"{published['ptb/valid']}.*toy\.valid\.txt or valid\.txt.*a drawer",
    ):
        load_text("ptb", tmp_path)


def test_a_test_part_that_is_held_back_is_not_missed(published, tmp_path):
    put(tmp_path, splits=("train", "valid"))
    assert set(load_text("ptb", tmp_path).splits) == {"train", "valid"}
    put(tmp_path)
    assert set(load_text("ptb", tmp_path).splits) == {"train", "valid", "test"}


def test_a_set_that_is_nowhere_is_not_replaced(published, tmp_path, monkeypatch):
    monkeypatch.setenv("MEMNETS_CACHE", str(tmp_path / "cache"))
    with pytest.raises(FileNotFoundError, match=r"text \(ptb\): the data set was not found.*LDC"):
        load_text("ptb")


def test_another_part_under_the_name_of_one_without_a_digest_is_refused(
    published, tmp_path, monkeypatch
):
    # As the training part of WikiText-2, whose digest nobody published.
    monkeypatch.delitem(published, "ptb/train")
    put(tmp_path)
    assert find_parts("ptb", tmp_path)["train"].sha256 not in published.values()
    (tmp_path / "toy.train.txt").write_text(LINES["valid"])
    with pytest.raises(ValueError, match=r"toy\.train\.txt: this is not the train part of ptb"):
        find_parts("ptb", tmp_path)


def test_a_part_with_another_number_of_words_is_refused(published, tmp_path, monkeypatch):
    monkeypatch.delitem(published, "ptb/train")
    put(tmp_path, change=lambda text: text if text != LINES["train"] else text + "more\n")
    with pytest.raises(
        ValueError, match=r"toy\.train\.txt: the train part of ptb has 10 words; expected 8\."
    ):
        load_text("ptb", tmp_path)


def test_an_unknown_text_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"'enwik8': there is no text of this name.*shakespeare"):
        load_text("enwik8")


def test_every_digest_belongs_to_a_file():
    listed = {f"{name}/{split}" for name, one in files.SETS.items() for split in one.parts}
    assert files._digests().keys() == listed - {"wikitext-2/train"}
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in files._digests().values())
    assert units.UNITS.keys() == {known.read for known in TEXTS.values()}


def test_an_undivided_text_is_trained_on_its_first_nine_tenths(tmp_path, monkeypatch):
    whole = "abcdefghijklmnopqrs"  # 19: nine tenths are 17.1
    part = Part(("input.txt",), None)
    monkeypatch.setitem(files.SETS, "shakespeare", TextSet("a drawer", {"all": part}))
    monkeypatch.setattr(files, "_digests", dict)
    counts = {"train": 17, "valid": 2}
    monkeypatch.setitem(texts.TEXTS, "shakespeare", texts.Known("shakespeare", characters, counts))
    (tmp_path / "input.txt").write_text(whole)
    text = load_text("shakespeare", tmp_path)
    symbols = text.vocabulary.symbols
    assert [symbols[n] for n in text.splits["train"]] == list(whole[:17])
    assert text.lacking["valid"] == {"r": 1, "s": 1}
    # Of the parts in the order of their names: train, then valid.
    assert text.sha256 == hashlib.sha256(f"{whole[:17]}\0{whole[17:]}".encode()).hexdigest()


def test_only_the_test_part_of_war_and_peace_may_be_missing():
    spare = {
        (name, split)
        for name, one in files.SETS.items()
        for split, part in one.parts.items()
        if not part.needed
    }
    assert spare == {("war-and-peace", "test")}
    assert [part.names for part in files.SETS["ptb"].parts.values()] == [
        (f"ptb.{split}.txt", f"{split}.txt") for split in ("train", "valid", "test")
    ]


def test_a_generated_text_says_so():
    text = make_text()
    assert text.name.startswith("generated")
    assert text.sha256 == make_text().sha256
    # The same everywhere; if the stories are changed on purpose, renew both.
    assert {split: len(part) for split, part in text.splits.items()} == {
        "train": 60_139,
        "valid": 3_571,
    }
    assert text.sha256[:16] == "a05589c7885c1c85"
    assert not text.lacking["valid"]


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "symbols", "lacking"),
    [("shakespeare", 65, {}), ("war-and-peace", 109, {"œ": 2})],
)
def test_the_texts_at_hand_have_the_published_counts(name, symbols, lacking):
    text = load_text(name)
    assert len(text.vocabulary.symbols) == symbols + 1
    assert text.lacking["valid"] == lacking
    counts = {split: len(part) for split, part in text.splits.items()}
    assert counts.items() >= dict(TEXTS[name].counts).items()


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "symbols"), [("ptb", 10_000), ("ptb-characters", 50), ("wikitext-2", 33_278)]
)
def test_texts_that_may_not_be_at_hand_have_the_published_counts(name, symbols):
    try:
        text = load_text(name)
    except FileNotFoundError as missing:
        pytest.skip(f"{missing}")
    known = text.vocabulary.symbols
    assert len(known) - (name == "ptb-characters") == symbols
