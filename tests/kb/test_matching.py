"""Answers by matching of strings alone."""

import pytest

from memnets import kb
from memnets.kb.questions.matching import StringMatcher, _stems

FACTS = [
    ("Alien", "directed_by", "Ada Reed"),
    ("Alien", "release_year", "1979"),
    ("Up", "directed_by", "Ada Reed"),
    ("Zone", "directed_by", "Mercury"),
    ("Mercury", "directed_by", "Ada Reed"),
    ("Blade Runner", "directed_by", "Ben"),
    ("Ada", "directed_by", "Ben"),
    ("Ada", "born_in", "Rome"),
    ("Ada Reed", "born_in", "Oslo"),
]


@pytest.fixture(scope="module")
def matcher(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kb") / "my.kb"
    kb.build(FACTS, folder)
    return StringMatcher(kb.Store.open(folder))


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who directed Alien?", ("Ada Reed",)),
        ("the director of alien", ("Ada Reed",)),  # stems, no case
        ("when was Alien released?", ("1979",)),
        ("what did Ada Reed direct?", ("Alien", "Up", "Mercury")),  # from object to subject
        ("where was Ada Reed born?", ("Oslo",)),  # the longest name
        ("where was Ada born?", ("Rome",)),
        ("who directed Ben?", ("Blade Runner", "Ada")),  # he has it in this direction alone
        ("who directed the film Mercury?", ("Ada Reed",)),
        ("who directed blade runer?", ("Ben",)),  # the nearest spelling
        ("who is Alien?", ()),  # no word of a relation
        ("who directed that?", ()),  # no name
        ("when was Up released?", ()),  # no such fact
    ],
)
def test_the_relation_that_shares_most_stems_answers(matcher, question, answers):
    assert matcher.ask(question) == answers


def test_stems_are_words_without_endings():
    words = ["who", "the", "directing", "director", "directs", "rivers", "river", "red"]
    assert _stems(words) == {"direct", "riv", "red"}
