"""Vocabularies of sentences: words and subwords, there and back."""

import json
import random
import sys

import pytest

from memnets.data.pairs import (
    BEGIN,
    END,
    PADDING,
    SPECIAL,
    UNKNOWN,
    Subwords,
    Words,
    join_words,
    split_words,
    vocabulary_from_json,
)

TEXTS = (
    "Zwei Männer gehen, zwei Männer laufen.",
    "Ein Mann und zwei Hunde laufen im Schnee.",
    "Die Männer laufen mit zwei Hunden.",
)


def test_special_words_come_first_and_padding_is_nothing():
    assert (PADDING, UNKNOWN, BEGIN, END) == (0, 1, 2, 3)
    assert SPECIAL[PADDING] == ""


# Words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A dog, running.", "A dog , running ."),
        ("A man's T-shirt isn't red.", "A man 's T-shirt isn 't red ."),
        ("Glas- und Keramikteile", "Glas- und Keramikteile"),
        ("It costs 3.50 $ (or 1,000)...", "It costs 3.50 $ ( or 1,000 ) . . ."),
        ("„Ja“ – \u00a0so…", "„ Ja “ – so …"),
        ("हिन्दी में।", "हिन्दी में ।"),
        ("'s - --", "' s - - -"),
        ("", ""),
    ],
)
def test_marks_around_words_stand_alone(text, words):
    assert split_words(text) == words.split()


@pytest.mark.parametrize(
    "text",
    [
        'A man (with a "big" dog) isn\'t here, is he? No!',
        "Ein Schild: „Vorsicht“, 100% echt; Glas- und Holzteile.",
        "A girl's T-shirt says 'Hello' #1.",
    ],
)
def test_words_are_put_together_as_they_stood(text):
    assert join_words(split_words(text)) == text


@pytest.mark.parametrize("mark", ["'", "’"])
@pytest.mark.parametrize("ending", ["s", "m", "d", "t", "re", "ve", "ll", "S", "Re", "LL"])
def test_what_is_left_of_a_short_word_stands_alone_and_follows_the_one_before(mark, ending):
    text = f"a I{mark}{ending} b"
    assert split_words(text) == ["a", "I", f"{mark}{ending}", "b"]
    assert join_words(split_words(text)) == text


def test_other_endings_are_part_of_their_word():
    for text in ("o'clock", "I'll's", "d'un", "x's-y", "man'st"):
        assert "".join(split_words(text)) == text
    assert split_words("o'clock") == ["o'clock"]
    assert split_words("man'st") == ["man'st"]
    assert split_words("I'll's") == ["I'll", "'s"]


def test_marks_go_where_they_belong():
    for mark in "([{„‚‘«¿¡#$£":
        assert join_words(["a", mark, "b"]) == f"a {mark}b"
    for mark in ".,;:!?)]}”’»%…":
        assert join_words(["a", mark, "b"]) == f"a{mark} b"
    for mark in "\"“'`":
        assert join_words(["a", mark, "b", mark, "c", mark, "d"]) == f"a {mark}b{mark} c {mark}d"
    for mark in "–&+":
        assert join_words(["a", mark, "b"]) == f"a {mark} b"
    assert join_words(["„", "a", "“", "b", "“", "c"]) == "„a“ b “c"


def test_words_that_occur_twice_are_known_the_most_frequent_first():
    vocabulary = Words.of(TEXTS)
    assert vocabulary.symbols == (*SPECIAL, "zwei", ".", "laufen", "männer")
    assert len(vocabulary) == 8
    text = "Zwei Katzen laufen."
    numbers = vocabulary.numbers(text)
    assert numbers == [4, UNKNOWN, 6, 5]
    assert vocabulary.split(text) == ["Zwei", "Katzen", "laufen", "."]
    assert vocabulary.unknown(text) == ("Katzen",)
    assert vocabulary.word_places(numbers) == [0, 1, 2, 3]
    assert vocabulary.text([BEGIN, *numbers, END, 6, PADDING]) == "zwei <unk> laufen."
    assert vocabulary.pieces([BEGIN, 4, END, PADDING]) == ["<s>", "zwei", "</s>", ""]


def test_letters_counts_and_size_are_choices():
    assert Words.of(TEXTS, lower=False).words == (".", "Männer", "laufen", "zwei")
    assert Words.of(TEXTS, most=2).words == ("zwei", ".")
    assert len(Words.of(TEXTS, least=1).words) == 15
    with pytest.raises(ValueError, match="of 24 words none occurs 9 times"):
        Words.of(TEXTS, least=9)


def test_a_mark_of_its_own_makes_no_other_word():
    vocabulary = Words.of(["Ba\u0308ren"] * 2)
    assert vocabulary.words == ("b\u00e4ren",)
    assert vocabulary.numbers("B\u00e4ren") == vocabulary.numbers("Ba\u0308ren") == [4]
    assert vocabulary.unknown("Ba\u0308ren") == ()


def test_what_looks_like_a_special_word_is_text():
    vocabulary = Words.of(["<unk> </s>"] * 2)
    assert not {PADDING, BEGIN, END, UNKNOWN} & set(vocabulary.numbers("<unk> </s>"))


@pytest.mark.parametrize("lower", [True, False])
def test_words_come_back_from_json(lower):
    vocabulary = Words.of(TEXTS, lower=lower)
    assert vocabulary_from_json(json.loads(json.dumps(vocabulary.to_json()))) == vocabulary


def test_a_vocabulary_of_another_kind_is_refused():
    with pytest.raises(ValueError, match="of the kind 'letters' is not known; expected words or"):
        vocabulary_from_json({"kind": "letters"})


# Subwords


@pytest.fixture(scope="module")
def subwords():
    pytest.importorskip("tokenizers", reason="not installed: pip install memnets[translation]")
    return Subwords.of(TEXTS, most=300)


def test_subwords_are_learnt_silently(capfd):
    pytest.importorskip("tokenizers", reason="not installed: pip install memnets[translation]")
    Subwords.of(TEXTS, most=300)
    assert capfd.readouterr() == ("", "")


def test_subwords_are_bytes_and_what_was_merged(subwords):
    assert 260 < len(subwords) <= 300
    assert subwords.symbols[: len(SPECIAL)] == SPECIAL
    assert len(set(subwords.symbols)) == len(subwords)
    assert subwords.split("zwei Männer, Rad") == [" zwei", " Männer", ",", " ", "R", "a", "d"]
    assert subwords.unknown("Ünïcödé") == ()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("it's 3rd, we'll he's'll", "it 's Ġ3 rd , Ġwe 'll Ġhe 's 'll"),
        ("I'm he'd isn't we're", "I 'm Ġhe 'd Ġisn 't Ġwe 're"),
        ("I've o'clock x'st", "I 've Ġo ' clock Ġx ' st"),
        ("MAN'S 12x34 a--b  c ", "MAN ' S Ġ12 x 34 Ġa - - b Ġ Ġc Ġ"),
        ("\tx \n\ny", "ĉ x ĠĊ Ċ y"),
    ],
)
def test_letters_are_merged_within_words_numbers_and_marks(subwords, text, parts):
    found = subwords._tokenizer.pre_tokenizer.pre_tokenize_str(text)
    assert [part for part, _ in found] == parts.split()


def test_signs_of_vowels_are_part_of_their_word(subwords):
    assert len(subwords._tokenizer.pre_tokenizer.pre_tokenize_str("हिन्दी में")) == 2


def test_an_empty_sentence_has_no_subwords(subwords):
    assert subwords.numbers("") == subwords.split("") == []


def test_there_are_no_more_subwords_than_allowed(subwords):
    for most in (260, 265):
        assert len(Subwords.of(TEXTS, most=most)) == most
    assert len(Subwords.of(TEXTS, most=300, least=5)) < len(subwords)


def test_the_same_sentences_give_the_same_subwords(subwords):
    assert Subwords.of(iter(TEXTS), most=300) == subwords
    assert Subwords.of(TEXTS[::-1], most=300) == subwords


def test_subwords_are_numbered_as_the_library_numbers_them(subwords):
    import tokenizers

    learner = tokenizers.Tokenizer(tokenizers.models.BPE())
    learner.pre_tokenizer = subwords._tokenizer.pre_tokenizer
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=300 - len(SPECIAL),
        min_frequency=2,
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    learner.train_from_iterator([f" {text}" for text in TEXTS], trainer)
    for text in TEXTS:
        numbers = [number + len(SPECIAL) for number in learner.encode(f" {text}").ids]
        assert subwords.numbers(text) == numbers


def any_texts(number):
    """Texts of letters, marks, spaces and signs of all planes, lone surrogates left out."""
    draw = random.Random(4)
    for _ in range(number):
        ranges = [(32, 127), (9, 14), (0xA0, 0x250), (0x900, 0x980), (0x2000, 0x2100), (0, 0xD800)]
        letters = (draw.randrange(*draw.choice([*ranges, (0xE000, 0x110000)])) for _ in range(12))
        yield "".join(map(chr, letters))


@pytest.mark.parametrize(
    "text", ["", *TEXTS, "<s> </s>", " ", "  a  b ", "Ġ", "👩‍🚀", "".join(any_texts(300))]
)
def test_subwords_give_back_every_text(subwords, text):
    numbers = subwords.numbers(text)
    assert subwords.text(numbers) == text
    assert all(len(SPECIAL) <= number < len(subwords) for number in numbers)
    assert subwords.text([BEGIN, *numbers, END, *numbers, PADDING]) == text
    # Every word has its pieces, in order, and none else has one.
    places = subwords.word_places(numbers)
    assert places == sorted(places)
    assert len(places) == len(numbers)


@pytest.mark.parametrize("text", [*TEXTS, "A man's 'T-shirt' – 3.50$ …", "ein 👩 हिन्दी  \u00a0x"])
def test_pieces_belong_to_their_words(subwords, text):
    places = subwords.word_places(subwords.numbers(text))
    assert sorted(set(places)) == list(range(len(split_words(text))))
    pieces = [""] * len(split_words(text))
    for place, number in zip(places, subwords.numbers(text), strict=True):
        pieces[place] += subwords.symbols[number]
    decoded = [subwords._decoded([subwords.symbols.index(s) for s in word]) for word in pieces]
    assert [word.strip() for word in decoded] == split_words(text)


def test_a_part_of_a_letter_shows_as_a_question_mark(subwords):
    numbers = subwords.numbers("é")
    assert subwords.pieces([BEGIN, *numbers]) == ["<s>", " ", "\ufffd", "\ufffd"]


def test_too_few_subwords_are_refused():
    with pytest.raises(ValueError, match=r"most=259: .* at least 260 numbers, of 4 special words"):
        Subwords.of(TEXTS, most=259)


def test_subwords_come_back_from_json(subwords):
    again = vocabulary_from_json(json.loads(json.dumps(subwords.to_json())))
    assert again == subwords
    assert again.numbers(TEXTS[0]) == subwords.numbers(TEXTS[0])


def test_without_tokenizers_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ModuleNotFoundError, match=r"tokenizers.*'memnets\[translation\]'"):
        Subwords.of(TEXTS)
