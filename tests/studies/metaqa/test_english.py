"""Questions for paths: every one is whole, and says what its path asks for."""

import itertools
import random

import pytest

from memnets.studies.metaqa.english import Asker, phrases, words_of

pytestmark = pytest.mark.usefixtures("shapes_unchecked")  # there are none
PEOPLE = ("directed_by", "written_by", "starred_actors")
OTHERS = ("release_year", "in_language", "has_genre", "has_tags", "has_imdb_rating")
EVERY = (*PEOPLE, *OTHERS, "has_imdb_votes")


def paths():
    """Every path of one hop, and longer ones in which every turn of the grammar is taken."""
    forth, back = (("directed_by", "has_genre"), ("!directed_by", "!written_by", "!has_genre"))
    yield from ((one,) for one in (*EVERY, *(f"!{name}" for name in EVERY)))
    yield from itertools.chain(itertools.product(forth, back), itertools.product(back, forth))
    yield from itertools.product(("directed_by",), back, ("written_by", "release_year"))
    yield from itertools.product(back, forth, back[:2])


def asked(path, times, seed=0):
    asker = Asker(random.Random(seed))
    return {asker.question(path) for _ in range(times)}


def test_every_path_is_asked_for_in_whole_questions():
    for path in paths():
        for question in asked(path, 1):
            assert question.count("[]") == 1, question
            assert not set("{}()|") & set(question), question
            assert "  " not in question
            assert len(words_of(question)) <= 40, question


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (("directed_by",), "who directed []"),
        (("release_year",), "when []"),
        (("has_genre",), "genre []"),
        (("!written_by",), "[] write"),
        (("!starred_actors", "starred_actors"), "who with []"),
        (("directed_by", "!directed_by"), "films same director []"),
        (("written_by", "!directed_by", "has_genre"), "films whose also []"),
    ],
)
def test_some_questions_for_a_path_have_the_words_that_one_expects(path, words):
    assert any(set(words.split()) <= set(words_of(question)) for question in asked(path, 40))


def test_words_of_a_relation_tell_it_from_others():
    verbs = {"directed_by": "directed", "written_by": "wrote", "starred_actors": "starred"}
    for relation, verb in verbs.items():
        said = [question.split() for question in asked((relation,), 30)]
        assert any(verb in words for words in said)
        others = set(verbs.values()) - {verb}
        assert not any(others & set(words) for words in said)


def test_a_film_is_called_one_and_a_person_is_not():
    assert any("called []" in question for question in asked(("directed_by",), 90))
    assert not any("called []" in question for question in asked(("!directed_by",), 90))


def test_the_same_seed_asks_the_same():
    path = ("written_by", "!starred_actors", "in_language")
    assert asked(path, 9, seed=1) == asked(path, 9, seed=1) != asked(path, 9, seed=2)


def test_every_relation_has_its_phrases():
    known = phrases()
    for relation in EVERY:
        kinds = {"noun", "nouns", *(("past", "base", "by") if relation in PEOPLE else ("asks",))}
        assert kinds <= known[relation].keys(), relation


def test_a_question_is_read_in_small_letters_with_its_entity_in_one_piece():
    assert words_of("Who's the co-star of [], 1999?") == [
        *("who", "s", "the", "co", "star", "of", "[]", "1999")
    ]
