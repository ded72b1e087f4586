"""Which relation the words of a question ask for, by strings alone."""

import pytest

from memnets.kb.linking.naming import Names
from memnets.kb.linking.words import question_words
from memnets.kb.questions import relations
from memnets.kb.questions.relations import RelationFound, RelationScorer, fits

FACTS = {
    "Will May": {
        "Manager": ("Ada Reed",),
        "started_on": ("2001-02-03",),
        "salary": ("300 EUR",),
        "based in": ("Hope",),
        "!mentor": ("Ben Ng",),
        "mentor": ("Ada Reed",),
        "job title": ("cook",),
    },
    "Hope": {"!based in": ("Will May", "Ben Ng")},
}
SCORER = RelationScorer(
    ["Manager", "started_on", "salary", "based in", "mentor", "job title", "birthday"],
    {"salary": ["take home"], "!mentor": ["pupil"]},
)
NAMES = Names({"Will May": 7, "Hope": 2})


def decided(question: str) -> RelationFound | None:
    words = question_words(question)
    mentions = NAMES.mentions(words)
    entity = mentions[0].entities[0] if mentions else ""
    return SCORER.decide(words, mentions, FACTS.get(entity, {}), {"Ada Reed", "Ben Ng"})


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("who is the manager of Will May", "Manager"),
        ("who is Will May's managr", "Manager"),  # a letter is missing
        ("when did Will May start", "started_on"),
        ("startdate of Will May", "started_on"),  # a compound
        ("where is Will May basd", "based in"),
        ("who is Will May's boss", "Manager"),  # a synonym
        ("what does Will May take home", "salary"),  # taught
        ("jobtitle of Will May", "job title"),
        ("sorry, but who was it that mentors Will May", "mentor"),
        ("whose mentor is Will May", "!mentor"),
        ("who was mentored by Will May", "!mentor"),
        ("did Will May mentor anybody", "!mentor"),
        ("who has Will May as mentor", "!mentor"),
        ("Will May is mentor of whom", "!mentor"),
        ("Will May is the mentor of who", "!mentor"),
        ("who is based in Hope", "!based in"),
        ("Will May's birthday", "birthday"),  # there is no such fact
    ],
)
def test_words_that_leave_no_doubt_decide(question, relation):
    entity = "Hope" if "Hope" in question else "Will May"
    assert decided(question) == RelationFound(relation, FACTS[entity].get(relation, ()))


@pytest.mark.parametrize(
    "question",
    [
        "what shoe size has Will May",  # no word of a relation
        "who is the manager of Will May's mentor",  # two relations
        "who is the manager of the manager of Will May",  # twice the same
        "what does Will May's mentor earn",  # more is asked of the mentor
        "who started before Will May",  # an operator
        "the number of people based in Hope",
        "how much is the job title of Will May",  # no amount
        "manager of Nobody",
        "manager of Will May or Hope",  # two names
        "salary in Hope",  # nobody's
    ],
)
def test_doubt_is_left_to_what_is_learnt(question):
    assert decided(question) is None


def test_one_object_with_facts_is_enough_for_more_to_be_asked_of_it():
    words, both = question_words("what does Will May's manager bake"), ("Zed", "Ada Reed")
    told = words, NAMES.mentions(words), {"Manager": both}
    assert SCORER.decide(*told) == RelationFound("Manager", both)
    assert SCORER.decide(*told, subjects={"Ada Reed"}) is None


def test_what_asks_for_more_than_a_fact_is_told():
    def beyond(question):
        words = question_words(question)
        return SCORER.beyond(words, NAMES.mentions(words))

    assert beyond("who is the manager of Will May's mentor") == "both 'Manager' and 'mentor'"
    assert beyond("the manager of the manager of Will May") == "'Manager' twice"
    assert beyond("who is not based in Hope") == "the word 'not'"
    assert beyond("number of people in Hope") == "the words 'number of'"
    assert beyond("which number has Will May") == ""
    assert RelationScorer(["first name"]).beyond(["first", "name"], []) == ""


@pytest.mark.parametrize(
    ("question", "objects", "expected"),
    [
        ("when was it", ("Oslo",), False),
        ("when was it", ("19th century",), True),
        ("where is it", ("1979",), False),
        ("where is it", ("Oslo",), True),
        ("who is it", ("1979",), False),
        ("how much is it", ("Oslo",), False),
        ("how much is it", ("300 EUR",), True),
        ("how is it", ("Oslo",), True),
        ("who was it when", ("1979",), True),  # two words that ask
        ("when was it", (), True),
        ("in which year was it", ("Oslo",), False),
        ("what day was it", ("1979-02-03",), True),
        ("which town was it", ("Oslo",), True),
    ],
)
def test_the_word_that_asks_is_of_the_kind_of_what_answers(question, objects, expected):
    assert fits(question.split(), objects) is expected


def test_how_much_a_word_tells_of_a_relation():
    scorer = RelationScorer(["date of birth", "name", "town hall", "last visit"])
    assert scorer.scores(["dob"]) == {"date of birth": {0: 1.0}}  # its initials
    assert scorer.scores(["nane"]) == {"name": {0: 0.75}}  # four letters, one of them wrong
    assert scorer.scores(["townplan"]) == {"town hall": {0: 0.5}}  # half of it is "town"
    assert scorer.beyond(["last", "visit"], []) == ""  # a relation is called so
    assert RelationScorer(["visit"]).beyond(["last", "visit"], []) == "the word 'last'"
    assert RelationScorer(["visit"], {"visit": ["last seen"]}).beyond(["last"], []) == ""


def test_a_word_says_the_same_again_whatever_was_said_between(monkeypatch):
    monkeypatch.setattr(relations, "KEPT", 1)
    scorer = RelationScorer(["date of birth", "name"])
    for _ in range(2):
        assert scorer.scores(["born", "dob"]) == {"date of birth": {1: 1.0}}
        assert scorer.scores(["name"]) == {"name": {0: 1.0}}
    assert RelationScorer([]).scores(["name"]) == {}
    assert RelationScorer([]).beyond(["name"], []) == ""


def test_of_what_is_taught_the_longest_is_heard():
    scorer = RelationScorer(["pay", "bonus"], {"pay": ["extra"], "bonus": ["extra money"]})
    assert scorer.scores(["extra", "money"]) == {"bonus": {0: 1.0, 1: 1.0}}
    assert scorer.scores(["extra"]) == {"pay": {0: 1.0}}
    told = {("the", "extra", "money"): True, ("extra",): True, ("money", "pay"): False}
    assert {words: scorer.is_taught(words) for words in told} == told


def test_whom_asks_for_names():
    for asking in ("who", "whom", "where"):
        assert not fits([asking, "is", "it"], ("1979",))
        assert fits([asking, "is", "it"], ("Oslo",))
        assert not fits([asking, "is", "it"], ("no",))
    assert not fits(["which", "car", "is", "it"], ("yes", "no"))
    assert fits(["what", "about", "cars"], ("no",))
    assert fits(["which", "days", "is", "it"], ("Mon", "Tuesdays"))
    assert not fits(["which", "days", "is", "it"], ("Oslo",))
