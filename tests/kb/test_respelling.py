"""Misspelt words of questions, put right where there is no doubt."""

import pytest

from memnets.kb.linking.naming import Names, question_words
from memnets.kb.programs.respelling import Respelling, is_everyday

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


def test_a_word_that_lost_a_letter_of_a_long_one_and_short_ones_are_put_right():
    respelling = Respelling(Names({"Wen Rank": 1}), ["rating", "Day Job", "Landing Fee", "tax"])
    assert respelling.respelt("ratng, day jbo, landing fe")[0] == "rating, day job, landing fee"
    assert respelling.respelt("wat days, WHN, the atx")[0] == "what days, When, the tax"
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
