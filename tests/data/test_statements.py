"""The world of statements: supports are those that prove the answers, and nothing else."""

import hashlib

import pytest

from memnets.data.worlds.statements import FRAMES, StatementWorld, made_up

WORLD = StatementWorld(2003, seed=3, names=101, words=53, relations=7)


def test_the_same_fields_give_the_same_world():
    again = StatementWorld(2003, seed=3, names=101, words=53, relations=7)
    assert list(again.texts()) == list(WORLD.texts())
    assert again.questions(11, seed=5, renamed=0.5) == WORLD.questions(11, seed=5, renamed=0.5)
    assert list(StatementWorld(2003, seed=4, names=101, words=53, relations=7).texts()) != list(
        WORLD.texts()
    )
    assert WORLD.questions(11, seed=5) != WORLD.questions(11, seed=6)


def test_the_world_is_the_same_everywhere():
    """If its rules are changed on purpose, renew the digest."""
    told = [list(WORLD.texts()), WORLD.questions(11, seed=5, renamed=0.5)]
    assert hashlib.sha256(repr(told).encode()).hexdigest()[:16] == "7427c24f0bdcd8e2"
    large = StatementWorld(1)
    assert (large.seed, large.names, large.words, large.relations) == (0, 200_000, 100_000, 1_000)


def test_ten_thousand_statements_and_more_come_each_once():
    world = StatementWorld(20_003, seed=3, names=101, words=53, relations=7)
    told = list(world.triples())
    assert len(told) == 20_003
    for number in (9_999, 10_000, 19_999, 20_000, 20_002):
        subject, relation, way, thing = world.facts[number].tolist()
        expected = world.name(subject), world._way(relation, way), world.name(thing)
        assert tuple(told[number]) == expected


def test_questions_keep_the_names_of_their_statements_unless_asked():
    asked = WORLD.questions(11, seed=5)
    assert asked == WORLD.questions(11, seed=5, renamed=0.0)
    assert asked != WORLD.questions(11, seed=5, renamed=1.0)


def test_words_are_distinct_and_no_frame_is_one():
    words = [made_up(number) for number in range(10_007)]
    assert len(set(words)) == len(words)
    assert not {word for frame in FRAMES for side in frame for word in side} & set(words)


def test_names_are_distinct_and_of_one_to_three_words():
    assert len(set(WORLD.named)) == len(WORLD.named)
    assert {len(name) for name in WORLD.named} == {1, 2, 3}


def test_frequent_words_are_more_frequent():
    counts = [
        sum(name.count(word) for name in StatementWorld(1, names=3001, words=23).named)
        for word in range(23)
    ]
    assert counts[0] > 2 * counts[11] > 2 * counts[22] > 0


def test_supports_are_all_statements_with_the_subject_and_the_relation():
    facts = WORLD.facts.tolist()
    texts = list(WORLD.texts())
    shared = 0
    for question in WORLD.questions(97, seed=1):
        subject, relation = facts[question.supports[0]][:2]
        same = [n for n, fact in enumerate(facts) if fact[:2] == [subject, relation]]
        assert list(question.supports) == same
        assert set(question.answers) == {" ".join(WORLD.name(facts[n][3])) for n in same}
        for support in same:
            name = list(WORLD.name(subject))
            assert texts[support][: len(name)] == name
            assert question.words[: 1 + len(name)] == ("what", *name)
        shared += bool(set(question.words[1 + len(name) :]) & set(texts[same[0]]))
    assert 0 < shared < 97  # the relation is sometimes said in the same way, not always


def test_renamed_words_are_in_no_statement():
    told = {word for text in WORLD.texts() for word in text}
    for question in WORLD.questions(29, seed=1, renamed=1.0):
        subject = WORLD.facts[question.supports[0]][0]
        synonyms = question.words[1 : 1 + len(WORLD.name(int(subject)))]
        assert not told & set(synonyms)


def test_a_share_of_the_words_is_renamed():
    plain, renamed = (WORLD.questions(997, seed=1, renamed=share) for share in (0.0, 0.3))
    pairs = [
        (before, after)
        for one, other in zip(plain, renamed, strict=True)
        for before, after in zip(one.words, other.words, strict=True)
    ]
    words = sum(len(WORLD.name(int(WORLD.facts[q.supports[0]][0]))) for q in plain)
    assert 0.26 < sum(before != after for before, after in pairs) / words < 0.34


@pytest.mark.parametrize("name", ["statements", "names", "words", "relations"])
def test_nothing_of_something_is_refused(name):
    fields = {"statements": 7} | {name: 0}
    with pytest.raises(
        ValueError, match=rf"StatementWorld\(.*{name}=0.*expected 1 or more of each"
    ):
        StatementWorld(**fields)
