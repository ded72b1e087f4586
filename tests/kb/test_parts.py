"""Names as strangers type them: parts of them, without apostrophes, with errors."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnets.kb.linking.mention import Mention
from memnets.kb.linking.naming import Names
from memnets.kb.linking.parts import (
    ONE_ERROR,
    NearWords,
    Parts,
    distance,
    features,
    likeness,
    part_words,
    sound_nearly,
)
from memnets.kb.linking.standing import standing
from memnets.kb.linking.words import question_words

STAFF = Names(
    {
        "Hope": 9,
        "Legal": 8,
        "Łukasz Wróz": 7,
        "Søren Kjærby": 7,
        "Niall O'Creagh": 7,
        "Ilse Jellicoe-Rand": 6,
        "Tamsin Jellicoe-Rand": 5,
        "Sam K. Odell": 7,
        "Sam J. Odell": 6,
        "Zoë Marsh": 7,
        "Marten Hale": 7,
        "Hope Ferris": 6,
        "Will May": 6,
        "Elias Threlfell": 5,
        "Grace Boss": 5,
        "Leopoldine Pell": 4,
        "Valery Stone": 4,
        "Temp 1": 3,
        "38400 EUR": 1,
        "Bo'sun's Pride": 1,
        "The Baker's Wife": 1,
    },
    ordinary={"salary", "manager", "department", "started", "remote", "based", "in"},
)


def named(question: str) -> list[Mention]:
    return STAFF.mentions(question_words(question))


@pytest.mark.parametrize(
    ("question", "entities"),
    [
        ("lukasz wroz salary", ["Łukasz Wróz"]),  # no accent, yet typed without
        ("soren kjaerby", ["Søren Kjærby"]),
        ("where is kiaerby basd", ["Søren Kjærby"]),  # beside a misspelt word of questions
        ("ocreagh manager", ["Niall O'Creagh"]),
        ("salary of niall o‘creagh", ["Niall O'Creagh"]),
        ("Threlfell salary?", ["Elias Threlfell"]),
        ("Threlfall salary?", ["Elias Threlfell"]),
        ("Therlfell salary?", ["Elias Threlfell"]),
        ("leopoldines departement pls", ["Leopoldine Pell"]),
        ("when did threlfell start", ["Elias Threlfell"]),  # a form of a word that is known
        ("Odell's salary", ["Sam K. Odell", "Sam J. Odell"]),
        ("jellicoerand manager", ["Ilse Jellicoe-Rand", "Tamsin Jellicoe-Rand"]),
        ("tamsin rand", ["Tamsin Jellicoe-Rand"]),
        ("hopes salary", ["Hope", "Hope Ferris"]),
        ("does will work remote", ["Will May"]),
        ("salery of marten hale", ["Marten Hale"]),
        ("manager of hale and threlfell", ["Marten Hale", "Elias Threlfell"]),
        ("the bakers wife salary", ["The Baker's Wife"]),  # without the apostrophes within
        ("bakers wife salary", ["The Baker's Wife"]),
        ("manager of bosuns pride", ["Bo'sun's Pride"]),
        ("when does threlfell retire", ["Elias Threlfell"]),  # he does it, whatever it is
    ],
)
def test_names_are_found_as_they_are_typed(question, entities):
    assert [entity for mention in named(question) for entity in mention.entities] == entities


@pytest.mark.parametrize(
    "question",
    [
        "salary of Zoë Hale",  # parts of two names
        "salary of Gideon Marsh",  # a part beside a strange word
        "when did temp 9 start",
        "who has more than 30000 EUR",
        "what is my boss",
        "will it rain",
        "salery",  # rather salary than Valery
        "hele",  # too short for an error
        "salary of Ines Pell",  # one word of a name is another, and no error
        "is gideon threlfell",
    ],
)
def test_what_is_no_name_is_none(question):
    assert named(question) == []


def test_a_part_and_an_error_are_told():
    (part,), (misspelt,) = named("threlfell"), named("threlfall")
    assert (part.how, part.likeness, part.name) == ("part", 1, "threlfell")
    assert (misspelt.how, misspelt.name) == ("spelling", "threlfell")
    assert misspelt.likeness == pytest.approx(1 - 1 / 9)


def test_a_part_in_the_possessive_is_as_like_as_without_it():
    (mention,) = named("threlfalls salary")
    assert (mention.begin, mention.end, mention.name) == (0, 1, "threlfell")
    assert mention.likeness == pytest.approx(1 - 1 / 9)


def test_parts_go_as_far_as_one_name_and_nothing_strange_stands_beside():
    names = Names({"Anna Maria Sophia Berg": 3, "Ben Berg": 7}, ordinary={"salary", "manager"})
    for question, begin, end, entities in (
        ("manager maria sophia salary", 1, 3, ("Anna Maria Sophia Berg",)),
        ("maria sophia berg manager", 0, 3, ("Anna Maria Sophia Berg",)),
        ("salary of berg", 2, 3, ("Ben Berg", "Anna Maria Sophia Berg")),
        ("sophia salary xyzzy", 0, 1, ("Anna Maria Sophia Berg",)),
        ("xyzzy salary sophia", 2, 3, ("Anna Maria Sophia Berg",)),
    ):
        (mention,) = names.mentions(question.split())
        assert (mention.begin, mention.end, mention.entities) == (begin, end, entities)
        assert mention.name == " ".join(question.split()[begin:end])
    for question in ("sophia xyzzy", "salary xyzzy sophia", "sophia ben"):
        assert names.mentions(question.split()) == []


def test_whoever_has_an_everyday_name_in_theirs_comes_after_who_is_called_so():
    names = Names({"Will": 2, "Will May": 6})
    (mention,) = names.mentions(["does", "will", "work"])
    assert (mention.entities, mention.how, mention.begin) == (("Will", "Will May"), "part", 1)
    (mention,) = Names({"Will": 2, "May": 6}).mentions(["does", "will", "work"])
    assert (mention.entities, mention.how) == (("Will",), "name")


def test_whoever_has_a_name_in_theirs_is_kept_beside_it():
    (mention,) = named("hope salary")
    assert (mention.entities, mention.others) == (("Hope",), ("Hope Ferris",))


def test_a_word_of_anybody_s_questions_is_a_name_where_no_other_is():
    names = Names({"People": 9, "Ada": 1})
    (mention,) = names.mentions(["people", "under", "ada"])
    assert mention.entities == ("Ada",)
    (mention,) = names.mentions(["who", "is", "in", "people"])
    assert (mention.entities, mention.how) == (("People",), "name")


def test_errors_are_letters_lost_added_changed_and_swapped():
    assert distance("frank", "frank") == 0
    assert [distance("frank", other) for other in ("frak", "fraank", "frunk", "farnk")] == [1] * 4
    assert distance("frank", "") == 5
    assert distance("ca", "abc") == 3  # no letter is touched twice
    assert likeness("frank", "farnk") == 0.8
    assert likeness("hale", "hall") == 0
    assert likeness("abcdefg", "abcdxyg") == 0
    assert likeness("abcdefgh", "abcdxygh") == 0.75
    assert likeness("abcdefgh", "abcxxxgh") == 0


def test_a_word_is_found_by_its_trigrams_and_by_itself_less_a_letter():
    of_anna = [" an", "ann", "nna", "na ", "-anna", "-nna", "-ana", "-ann", "=ana", "~an"]
    assert features("anna") == of_anna  # the last are how it sounds
    assert features("ab") == [" ab", "ab ", "-ab", "-b", "-a", "=ab", "~ab"]


def test_a_word_is_found_by_its_sound_unless_it_may_not_be():
    parts = Parts(
        ["Zephyr", "Wharf", "Fuchs", "Ocean"], [["zephyr"], ["wharf"], ["fuchs"], ["ocean"]]
    )
    assert parts.nearly("zefyr") == [(1 - 2 / 6 / 2, "zephyr")]  # each of two errors counts half
    assert parts.nearly("oshen") == [(1 - 3 / 5 / 2, "ocean")]
    assert parts.nearly("zefyr", by_ear=False) == parts.nearly("oshen", by_ear=False) == []
    assert parts.nearly("warf")[0][1] == "wharf"  # of four letters by its sound alone
    assert parts.nearly("warf", by_ear=False) == parts.nearly("fux") == []
    assert parts.nearly("wharv", by_ear=False) == parts.nearly("wharv") == [(0.8, "wharf")]
    assert likeness("fux", "fuchs") == 0  # too short
    assert likeness("fotograf", "photograph") == 0  # the same sound, but four errors
    assert likeness("fotograf", "photograf") == pytest.approx(1 - 2 / 9 / 2)
    assert parts.within("warf", 1)
    assert not parts.within("warb", 1)


def test_words_sound_nearly_alike_with_few_errors():
    assert sound_nearly("renay", "renee")
    assert sound_nearly("fux", "fuchs")  # the same sound, whatever the errors
    assert not sound_nearly("tim", "toom")  # two errors in three letters
    assert not sound_nearly("rune", "rhinoa")
    assert not sound_nearly("rune", "rule")


def test_a_word_that_sounds_the_same_is_of_a_name_that_stands_around_it():
    found = standing([["quiet", "ocean"]], ["the", "quiet", "oshen"], (1, 2), (), False)
    assert found is not None
    assert found[2:] == (1, "quiet ocean")
    assert standing([["dagmar", "fuchs"]], ["dagmar", "fux"], (0, 1), (), False) is not None
    assert standing([["quiet", "ocean"]], ["quiet", "osier"], (0, 1), (), False) is None


def test_words_with_one_error_share_more_than_letters():
    for other in ("threlfll", "threlfelll", "threlfall", "therlfell"):
        shared = {*features("threlfell")} & {*features(other)}
        assert [one for one in shared if one.startswith("-")]


def test_the_nearest_of_many_words():
    words = [f"{one}{two}ville" for one in "bcdfghklm" for two in "aeiou"]
    parts = Parts([f"{word} x" for word in words], [[word] for word in words])
    assert parts.nearly("bavillle")[0][1] == "baville"
    assert parts.nearly("abville")[0][1] == "baville"
    assert parts.nearly("bavi") == []
    short = Parts(["x"] * 3, [["marna"], ["barnx"], ["marlo"]])
    assert [word for _, word in short.nearly("marnx")] == ["barnx", "marna"]  # of equals by letters
    assert len("marnx") == ONE_ERROR
    assert short.nearly("marn") == []


def test_the_words_that_stand_for_a_name():
    words = {
        "Jean-Luc O'Hara": ["jean", "luc", "hara", "jeanluc", "ohara"],
        "The Will of D. Ng": ["will"],
        "70 kg": [],
        "38400 EUR": [],
        "Route 66": [],
        "Route 66 Diner": ["route", "diner"],
        "Rome": ["rome"],
        "Ng Eve": ["eve"],
        "Ada Bea Cleo Dora Elsa Fay": ["ada", "bea", "cleo", "dora", "elsa", "fay"],
        "a text of more words than six": [],
    }
    for entity, of_entity in words.items():
        assert list(part_words(entity, question_words(entity))) == of_entity


WORDS = st.text("abc\u0441d", min_size=1, max_size=10)


@given(st.lists(WORDS, max_size=8), WORDS)
def test_no_word_that_is_nearly_another_is_passed_over(words, word):
    found = NearWords(words).candidates(word)
    assert [one for one in words if likeness(word, one)] == [o for o in found if likeness(word, o)]
    if 0 < len(word) < 8:
        assert [o for o in words if distance(word, o) == 1] == [
            o for o in found if distance(word, o) == 1
        ]


def test_hardly_any_other_word_is_compared_letter_by_letter():
    assert NearWords(["manager", "mentor", "based", "salary"]).candidates("manger") == ["manager"]
