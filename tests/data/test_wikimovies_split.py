"""The split by template and by entity: nothing on two sides, the same on every machine."""

import random
from itertools import combinations

import pytest

from memnets.data.qa.wikimovies import (
    Entities,
    MovieQuestion,
    read_split,
    split_by_template_and_entity,
    write_split,
)

MOVIES = [f"Movie {number}" for number in range(97)]
PEOPLE = [f"Person {number}" for number in range(61)]
ENTITIES = Entities([*MOVIES, *PEOPLE, "the movie", "What"])
WORDS = {
    "movie_to_director": ["who directed {}?", "who made the movie {}?", "{} was directed by whom?"],
    "movie_to_year": ["when was {} released?", "in what year was {}?", "{}: which year?"],
    "director_to_movie": [
        "what did {} direct?",
        "films by {}?",
        "What films are {}'s?",
        "{} made?",
    ],
}


def made(seed: int = 7) -> list[MovieQuestion]:
    draw = random.Random(seed)
    questions = {
        MovieQuestion(draw.choice(words).format(draw.choice(names)), ("a", "b"), category)
        for category, words in WORDS.items()
        for names in [PEOPLE if category == "director_to_movie" else MOVIES]
        for _ in range(101)
    }
    return sorted(questions, key=lambda one: one.text)


def nothing_shared(split) -> None:
    for one, other in combinations(split.sides, 2):
        assert not split.templates(one) & split.templates(other)
        assert not split.entities(one) & split.entities(other)
        texts = [{asked.question.text for asked in split.sides[side]} for side in (one, other)]
        assert not texts[0] & texts[1]


def test_no_template_entity_or_question_is_on_two_sides():
    questions = made()
    split = split_by_template_and_entity(questions, ENTITIES)
    nothing_shared(split)
    assert sum(map(len, split.sides.values())) + split.dropped == len(questions)
    assert all(split.sides.values())


def test_every_side_has_every_class():
    split = split_by_template_and_entity(made(), ENTITIES)
    for asked in split.sides.values():
        assert {one.question.category for one in asked} == set(WORDS)


def test_a_side_without_a_class_gets_its_next_template_whoever_lacks_more():
    """Of two templates of a size the small side has one, though the large one lacks more."""
    questions = [
        MovieQuestion(
            f"who directed {movie}?" if number < 11 else f"{movie} is whose?", ("a",), "c"
        )
        for number, movie in enumerate(MOVIES[:22])
    ]
    split = split_by_template_and_entity(questions, ENTITIES, {"train": 0.8, "test": 0.2})
    assert {side: len(asked) for side, asked in split.sides.items()} == {"train": 11, "test": 11}


def test_the_order_of_questions_has_no_influence():
    questions = made()
    digest = split_by_template_and_entity(questions, ENTITIES).sha256
    random.Random(3).shuffle(questions)
    assert split_by_template_and_entity(questions, ENTITIES).sha256 == digest


def test_every_machine_gives_the_same_split():
    questions = [
        MovieQuestion(f"who directed {movie}?" if number % 2 else f"{movie} is whose?", ("a",))
        for number, movie in enumerate(MOVIES[:11])
    ]
    split = split_by_template_and_entity(questions, ENTITIES, {"train": 0.5, "test": 0.5})
    assert split.sha256.startswith("96a65617d2a5eb75")


def test_the_split_of_the_default_shares_is_the_same_everywhere():
    split = split_by_template_and_entity(made(), ENTITIES)
    assert list(split.sides) == ["train", "valid", "test"]
    assert split.sha256.startswith("a9b3b68d9e08efff")


def test_what_the_other_sides_ask_about():
    split = split_by_template_and_entity(made(), ENTITIES)
    for side in split.sides:
        others = [split.entities(other) for other in split.sides if other != side]
        assert split.entities_elsewhere(side) == others[0] | others[1]


def test_an_entity_goes_where_most_of_its_questions_are():
    questions = [
        *(MovieQuestion(f"who directed {movie}?", ("a",), "c") for movie in MOVIES[:7]),
        *(MovieQuestion(f"{movie} is whose?", ("a",), "c") for movie in MOVIES[4:9]),
        *(MovieQuestion(f"whose was {movie}?", ("a",), "d") for movie in MOVIES[4:7]),
        *(MovieQuestion(f"{movie}: by whom?", ("a",), "d") for movie in MOVIES[:9]),
    ]
    split = split_by_template_and_entity(questions, ENTITIES, {"train": 0.5, "test": 0.5})
    side_of = {one.template: side for side, ones in split.sides.items() for one in ones}
    votes = {}
    for question in questions:
        entity = max((name for name in MOVIES[:9] if name in question.text), key=len)
        side = side_of[question.text.replace(entity, "[entity]")]
        votes.setdefault(entity, []).append(side)
    for side in split.sides:
        for entity in split.entities(side):
            assert 2 * votes[entity].count(side) >= len(votes[entity])
    assert split.dropped == len(questions) - sum(map(len, split.sides.values())) > 0


def test_shares_are_about_kept():
    split = split_by_template_and_entity(made(), ENTITIES, {"train": 0.25, "test": 0.75})
    assert len(split.sides["train"]) < len(split.sides["test"])


@pytest.mark.parametrize(
    "shares", [{"train": 0.5, "test": 0.4}, {"train": 1.5, "test": -0.5}, {}, {"a": 1.0, "b": 0.0}]
)
def test_shares_that_are_none_are_refused(shares):
    with pytest.raises(
        ValueError, match="expected a positive share for each side, 1 in all"
    ) as got:
        split_by_template_and_entity(made(), ENTITIES, shares)
    assert str(shares) in str(got.value)


def test_a_split_comes_back_from_its_file(tmp_path):
    split = split_by_template_and_entity(made(), ENTITIES)
    write_split(split, tmp_path / "split.tsv")
    back = read_split(tmp_path / "split.tsv")
    assert back == split
    assert back.sha256 == split.sha256
    nothing_shared(back)


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        (
            "train\tc\tw [entity]\tA\tx\ntest\tc\tw [entity]\tB\tx\n",
            r"template 'w \[entity\]' is on",
        ),
        ("train\tc\tw [entity]\tA\tx\ntest\tc\tv [entity]\tA\tx\n", "entity 'A' is on two sides"),
        ("train\tc\tw [entity]\tA\n", r"split\.tsv:1: came .* expected side<TAB>category"),
    ],
)
def test_a_file_with_a_leak_is_refused(tmp_path, lines, complaint):
    (tmp_path / "split.tsv").write_text(lines)
    with pytest.raises(ValueError, match=complaint):
        read_split(tmp_path / "split.tsv")
