"""Questions and facts as tokens."""

import zlib

import pytest

from memnets.kb.linking.naming import Names
from memnets.kb.linking.words import question_words
from memnets.kb.questions.phrases import ways_of_asking
from memnets.kb.questions.vocabulary import (
    ASKED,
    BESIDE,
    LACKING,
    MARKS,
    MOST_BUCKETS,
    MOST_LACKING,
    NOTHING,
    UNKNOWN,
    TokenVocabulary,
)

RELATIONS = {"directed_by": ["Ada"], "release_year": ["1982"]}
LEXICON = TokenVocabulary.of(ways_of_asking(RELATIONS), entities=3)
NAMES = Names({"Alien": 3, "Ada Lovelace": 2, "Up": 1}, LEXICON.words)


def heard(question: str):
    words = question_words(question)
    return LEXICON.hear(words, NAMES.mentions(words))


def numbers(*tokens: str) -> set[int]:
    return {LEXICON._numbers[token] for token in tokens}


def test_words_their_beginnings_and_their_places():
    found = heard("who directed Alien")
    assert found.tokens[0] == LEXICON._numbers[ASKED]
    assert LEXICON.entity("Alien") in found.tokens
    expected = numbers("directed", "dire-", "before directed", "leading directed", "before who")
    assert expected <= set(found.tokens)
    assert not numbers("leading who", "after who") & set(found.tokens)
    after = set(heard("Alien was directed by whom").tokens)
    assert numbers("after directed", "following was", "by") <= after
    assert not numbers("before directed", "following directed") & after


def test_a_question_without_a_name_has_no_places():
    tokens = set(heard("who directed").tokens)
    assert not any(LEXICON._numbers[f"{p} directed"] in tokens for p in ("before", "after"))


def test_unknown_words_are_told_from_those_beside_a_name():
    found = heard("zebra who directed Alien resurrection")
    assert found.unknown == ("zebra", "resurrection")
    assert numbers(UNKNOWN, BESIDE) <= set(found.tokens)


def test_a_misspelt_word_is_read_as_the_nearest():
    found = heard("who drected Alien")
    assert found.corrected == (("drected", "directed"),)
    assert found.unknown == ()
    assert numbers("directed") <= set(found.tokens)


def test_general_nouns_are_alike_unless_a_relation_has_them():
    assert heard("which town did Ada Lovelace direct") == heard(
        "which books did Ada Lovelace direct"
    )
    with_book = TokenVocabulary.of(ways_of_asking({"book": ["a"]}), entities=3)
    assert "book" in with_book.words
    words = ["book", "of", "alien"]
    assert with_book.hear(words, []) != with_book.hear(["thing", "of", "alien"], [])


def test_keys_and_values():
    assert LEXICON.key("Alien", "directed_by") == (
        LEXICON.entity("Alien"),
        LEXICON._numbers["relation directed_by"],
    )
    assert LEXICON.key("Alien", "new") == (LEXICON.entity("Alien"),)
    assert LEXICON.key("Alien", "directed_by") != LEXICON.key("Alien", "!directed_by")
    assert LEXICON.value(("Up", "Alien")) == (LEXICON.entity("Up"), LEXICON.entity("Alien"))
    assert len(LEXICON.value(tuple(map(str, range(53))))) == 20


def test_entities_have_few_buckets_for_each_until_they_share_some():
    small, large = (TokenVocabulary.of({}, entities=n) for n in (1000, 10**6))
    assert small.buckets == 2**12
    assert large.buckets == MOST_BUCKETS == 2**16  # an update goes over all of them


def test_a_relation_that_is_lacking_has_a_key_of_its_own():
    own = LEXICON.key("Alien", "directed_by")
    assert LEXICON.key("Alien", "directed_by", lacking=True) == (*own, *numbers(LACKING))
    assert LEXICON.value(()) == (MARKS.index(NOTHING),)
    assert LEXICON.lacking("Ada", {"!directed_by": ()}) == [
        "directed_by", "release_year", "!release_year"
    ]  # fmt: skip


def test_of_very_many_relations_that_are_lacking_the_reverses_and_some_others_count():
    many = TokenVocabulary(
        ["who"], [f"{mark}r{n}" for n in range(101) for mark in ("", "!")], buckets=7
    )
    has = {"r3", "!r97", "r100"}
    lacking = many.lacking("Ada", has)
    assert set(lacking[:3]) == {"!r3", "r97", "!r100"}
    assert len(set(lacking)) == len(lacking) == MOST_LACKING
    assert not has & set(lacking)
    assert lacking == many.lacking("Ada", has)
    assert lacking != many.lacking("Ben", has)


def test_as_many_relations_as_are_set_beside_an_entity_keep_their_order():
    names = [f"r{n}" for n in range(65)]
    assert TokenVocabulary(["who"], names[:64], 7).lacking("Ada", ()) == names[:64]
    assert TokenVocabulary(["who"], names, 7).lacking("Ada", {"r3"}) == [*names[:3], *names[4:]]
    drawn = TokenVocabulary(["who"], names, 7).lacking("Ada", ())
    assert len(drawn) == 64
    assert drawn != sorted(drawn, key=names.index)


def test_a_word_of_four_letters_is_its_own_beginning_and_a_shorter_one_has_none():
    few = TokenVocabulary(["who", "born", "borne"], (), 7)
    assert {token for token in few._numbers if token[-1:] == "-" and " " not in token} == {"born-"}
    assert few.to_json() == {"words": ["born", "borne", "who"], "relations": [], "buckets": 7}


def test_words_between_two_names_stand_neither_before_nor_after_them():
    found = heard("who Alien directed Ada Lovelace by").tokens
    after, before = numbers("after by", "following by"), numbers("before who", "leading who")
    assert after | before | numbers("directed", "dire-") <= set(found)
    assert not numbers("before directed", "after directed", "following who") & set(found)


def test_a_word_on_either_side_of_a_name_is_beside_it():
    for question, mark in (
        ("zebra Alien", BESIDE),
        ("Alien zebra", BESIDE),
        ("zebra is Alien", UNKNOWN),
    ):
        tokens = set(heard(question).tokens)
        assert tokens & numbers(BESIDE, UNKNOWN) == numbers(mark)


def test_those_that_count_are_drawn_by_checksum():
    names = [f"{'long ' * (n % 3)}ü{n}" for n in range(101)]
    many = TokenVocabulary(["who"], names, buckets=7)
    for entity in ("Ada", "", "Änne \ud800"):
        drawn = {name: zlib.crc32(f"{entity} {name}".encode("utf-8", "replace")) for name in names}
        assert many.lacking(entity, ()) == sorted(names, key=drawn.__getitem__)[:MOST_LACKING]


def test_an_entity_is_within_the_table_whatever_its_name():
    for name in ("Alien", "never seen", "\udc80", ""):
        assert len(LEXICON) - LEXICON.buckets <= LEXICON.entity(name) < len(LEXICON)


def test_saving_keeps_every_number():
    again = TokenVocabulary.from_json(LEXICON.to_json())
    assert len(again) == len(LEXICON)
    assert again.hear(["who", "directed"], []) == LEXICON.hear(["who", "directed"], [])
    assert again.key("Up", "!release_year") == LEXICON.key("Up", "!release_year")


@pytest.mark.parametrize("mark", MARKS)
def test_marks_are_tokens(mark):
    assert LEXICON._numbers[mark] == MARKS.index(mark)
