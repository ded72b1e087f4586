"""Misspelt words of questions, put right where there is no doubt."""

import pytest

from memnets.kb.linking.naming import Names
from memnets.kb.linking.words import question_words
from memnets.kb.programs.everyday import everyday_sounding, is_everyday
from memnets.kb.programs.respelling import Respelling

NAMES = {"Swan Fiddle": 3, "Drunken Goose": 2, "Tall Clock": 2, "Lady Ash": 4, "Arne May": 1}
RELATIONS = ["made_by", "first described", "mayor", "Goes Well With", "Previous Clubs"]


@pytest.fixture(scope="module")
def respelling():
    return Respelling(Names(NAMES), RELATIONS)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("who maed the swan fidddle?", "who made the swan fiddle?"),  # swapped, doubled
        ("Wgat is the ttall clock's weihgt", "What is the tall clock's weight"),
        ("whcih, whih and whhich", "which, which and which"),  # any error in a question word
        ("Ann's previuos clubs", "Ann's previous clubs"),  # of a relation
        ("how haevy, and wherre", "how heavy, and where"),
        ("Frist DESCRIBED", "First DESCRIBED"),
        ("fery old", "ferry old"),  # a double letter single
        ("the decribed and pervious clubs", "the described and previous clubs"),  # of relations
        ("the wiht in 1979, 3l", "the with in 1979, 3l"),
    ],
)
def test_an_error_that_leaves_one_word_is_put_right(respelling, typed, meant):
    text, changed = respelling.respelt(typed)
    assert text == meant
    before, after = question_words(typed), question_words(meant)
    wrong = {one: other for one, other in zip(before, after, strict=True) if one != other}
    assert dict(changed) == wrong


@pytest.mark.parametrize(
    "typed",
    [
        "who is the mayr of Osk",  # "mary" by a swap, but "mayor" is of the knowledge base
        "the drunken gose",  # a goose, or what goes
        "where is the trial",  # English, and no trail
        "who made lay ash",  # a letter lost from a word of four: it may be anything
        "teh Käferl o'goos",  # short, elsewhere put right; and unknown
        "painted colours, directing and directed",  # forms of what is known
        "profession of herr Käferle",  # no "her"
        "which aren't, weren't, haven't, hasn't, doesn't or couldn't",
        "who is chen",  # no "when": question words begin with a w
        "xkcdq",
        "b" + 100_000 * "a",  # no word, and soon passed over
        "",
    ],
)
def test_a_doubt_or_a_known_word_is_left(respelling, typed):
    assert respelling.respelt(typed) == (typed, ())


def test_what_is_like_a_name_is_not_put_right():
    """With any error a word may be a name's as well as a relation's."""
    respelling = Respelling(Names({"Carrier Dove": 1}), ["carries", "captain"])
    assert respelling.respelt("carriex captaix captxin")[0] == "carriex captain captain"
    assert respelling.respelt("captn")[0] == "captn"  # two letters are lost


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("who speeks polish", "who speaks polish"),  # by ear, of any question
        ("how deap is it", "how deep is it"),
        ("wich has a crain", "wich has a crane"),  # of a relation
        ("what can I swop it for", "what can I swap it for"),  # another form of one
        ("Who inports it", "Who imports it"),
        ("hwo meny, haw menny and hwo big", "how many, how many and how big"),
        ("how mutch is it", "how much is it"),
        ("hwo is it", "who is it"),
        ("whomade it, whereis it", "who made it, where is it"),
        ("madeby somewhere, whoever", "made by somewhere, whoever"),  # English words are not parted
        ("room 3o9 or 3O8", "room 309 or 3O8"),  # which is no name
        ("wat yr, and the mgr", "what year, and the manager"),
        ("a swax", "a swax"),  # one letter from "swap", and not alike
        ("the eighth passenger", "the eighth passenger"),  # an alias, and not "eight"
        ("on the lowr deck", "on the lowr deck"),  # a letter from a name's "lower"
        ("the wiht", "the with"),
        ("a carrot for Batterby", "a carrot for Batterby"),  # English, and written as a name
        ("batterby", "batter by"),
        ("WHO SPEEKS", "WHO SPEAKS"),
        ("felix quint", "felix quint"),  # more than two errors from "kind"
    ],
)
def test_what_was_typed_by_ear_or_in_a_hurry_is_put_right(typed, meant):
    links = {"309": 2, "Alien": 3, "Lower Mill": 1, "Zephyr": 2}
    names = Names(links, further=[("Alien", "The Eighth Passenger")])
    respelling = Respelling(names, ["crane", "can be swapped for", "imported", "made by"])
    assert respelling.respelt(typed)[0] == meant
    assert not typed.startswith("hwo meny") or dict(respelling.respelt(typed)[1]) == {
        **{"hwo": "how", "meny": "many", "haw": "how", "menny": "many"}
    }


def test_kinds_are_put_right_in_the_number_that_was_typed():
    respelling = Respelling(Names({"surgeon": 3, "Surgeon General": 1, "printer": 2}), ["ward"])
    assert respelling.respelt("how many surgons")[0] == "how many surgeons"
    assert respelling.respelt("a surgon, printters")[0] == "a surgeon, printers"
    assert respelling.respelt("genaral")[0] == "genaral"  # of a name, and no kind
    assert Respelling(Names({"parrot": 3}), ["ward"]).respelt("a carrot")[0] == "a carrot"


def test_what_sounds_like_a_name_as_well_is_left():
    respelling = Respelling(Names({"Crayne Street": 1}), ["crane", "can be swapped for"])
    assert respelling.respelt("the crain")[0] == "the crain"
    assert Respelling(Names({"Grain": 1}), ["crane"]).respelt("a crain")[0] == "a crane"
    stems = Respelling(Names({"Ada": 1}), ["can be swapped for", "swims in", "importer"])
    assert stems.respelt("swop, swom")[0] == "swap, swim"
    assert stems.respelt("inports")[0] == "imports"
    assert stems.respelt("swup")[0] == "swap"
    doubt = Respelling(Names({"Ada": 1}), ["swapped for", "swipped by"])
    assert doubt.respelt("swop")[0] == "swop"


def test_an_english_word_of_the_same_sound_is_the_likest_if_one_is():
    assert everyday_sounding("deap") == "deep"
    assert everyday_sounding("nock") == "knock"  # which begins otherwise
    assert everyday_sounding("sel") is None  # too short, though it sounds like "sell"
    assert everyday_sounding("meet") == "meet"
    assert everyday_sounding("xyzzy") is None
    assert everyday_sounding("kolor") == "color"  # rather than "collar" or "colour"
    assert everyday_sounding("altor") is None  # an altar, or to alter


def test_a_word_that_lost_a_letter_of_a_long_one_and_short_ones_are_put_right():
    respelling = Respelling(Names({"Wen Rank": 1}), ["rating", "Day Job", "Landing Fee", "tax"])
    assert respelling.respelt("ratng, day jbo, landing fe")[0] == "rating, day job, landing fee"
    assert respelling.respelt("wat days, WHN, the atx")[0] == "what days, WHEN, the tax"
    for kept in ("wen rank", "ten jobs", "axt", "bo", "fo"):
        assert respelling.respelt(kept) == (kept, ())


def test_a_word_beside_all_others_of_a_relation_is_its_own_with_any_error():
    respelling = Respelling(Names({"Ada": 1}), ["exam_date", "head of government", "spare_key_at"])
    typed = "Exam dat, hed of goverment and spare kee of Ada"
    text, changed = respelling.respelt(typed)
    assert text == "Exam date, head of government and spare key of Ada"
    assert dict(changed)["dat"] == "date"
    assert respelling.respelt("Spare Kee of Ada")[0] == "Spare Key of Ada"
    doubtful = Respelling(Names({"Ada": 1}), ["exam_date", "exam_day"])
    assert doubtful.respelt("exam dae, exam dat") == ("exam dae, exam dat", ())
    for kept in ("exam dax of", "dat of the exam", "exam late", "spare one", "my kee"):
        assert respelling.respelt(kept) == (kept, ())


def test_words_of_a_knowledge_base_are_known_in_their_plurals(respelling):
    assert respelling.respelt("mayors of fiddles")[1] == ()


def test_everyday_words_are_those_that_bring_a_relation_to_mind():
    assert all(
        map(is_everyday, ("which", "weight", "weigh", "born", "landlord", "lease", "written"))
    )
    assert not any(
        map(is_everyday, ("frobnicator", "landlor", "andlord", "how+deep", "lord lease"))
    )
