"""Questions that nobody has written, and the ones that the KB does not answer."""

import hashlib
import random
from collections import Counter
from itertools import islice

import pytest

from memnets.data.facts import Triple
from memnets.data.worlds.invented import WORLDS, films
from memnets.kb.linking.words import question_words
from memnets.kb.questions.phrases import SIDES, Phrases, templates, ways_of_asking
from memnets.kb.questions.questions import (
    SAMPLE,
    UNANSWERABLE,
    Facts,
    QuestionGenerator,
    examples_of,
    misspelt,
    untidy,
)
from memnets.kb.store.layouts import reverse
from memnets.kb.store.store import Store, build

FACTS = Facts(islice(films(0), 211))
WAYS = ways_of_asking(FACTS.relations)


def test_facts_are_grouped_in_both_directions():
    facts = Facts(
        [Triple("Alien", "by", "Ada"), Triple("Alien", "by", "Ben"), Triple("Up", "by", "Ada")]
    )
    assert facts.of("Alien") == {"by": ("Ada", "Ben")}
    assert facts.of("Ada") == {"!by": ("Alien", "Up")}
    assert facts.of("Eve") == {}
    assert facts.links() == {"Alien": 2, "Ada": 2, "Ben": 1, "Up": 1}
    assert facts.relations == {"by": ["Ada", "Ben", "Ada"]}
    assert reverse("by") == "!by"
    assert reverse("!by") == "by"


@pytest.mark.parametrize("side", SIDES)
def test_an_answerable_question_is_right_by_the_facts(side):
    asker = QuestionGenerator(FACTS, WAYS, side)
    for _ in range(113):
        question = asker.known()
        assert question.answers == FACTS.of(question.entity)[question.relation]
        assert question.phrase in WAYS[question.relation]._asdict()[side]


def test_each_kind_of_unanswerable_question_is_one():
    asker = QuestionGenerator(FACTS, WAYS, "learn")
    for kind in UNANSWERABLE:
        for _ in range(53):
            question = asker.unanswerable(kind)
            assert question.kind == kind
            assert question.answers == ()
            if kind == "inapplicable relation":
                assert question.relation not in FACTS.of(question.entity)
            if kind == "missing fact":
                assert question.relation in FACTS.of(question.entity)


STAFF = Facts(
    Triple(f"P{number}", "manager", f"P{number // 7}") for number in range(1, 100)
)  # fifteen manage somebody, all but the first of them are managed themselves


def test_who_is_on_both_sides_of_a_relation_is_learnt_oftener():
    shares = {}
    for side in ("learn", "test"):
        asked = QuestionGenerator(STAFF, ways_of_asking(STAFF.relations), side)
        found = [asked.known() for _ in range(500)]
        of = [one.entity for one in found if one.relation == "manager"]
        shares[side] = sum("!manager" in STAFF.of(entity) for entity in of) / len(of)
    assert shares["test"] < 0.25
    assert shares["learn"] > 0.45


def test_kinds_are_tested_equally_often_and_hard_ones_learnt_oftener():
    shares = {}
    for side in ("learn", "tune", "test"):
        asker = QuestionGenerator(STAFF, ways_of_asking(STAFF.relations), side)
        kinds = Counter(asker._unanswerable_kind() for _ in range(2000))
        shares[side] = [kinds[kind] / 2000 for kind in UNANSWERABLE]
    assert shares["test"] == pytest.approx([0.2] * 5, abs=0.04)
    assert shares["tune"] == pytest.approx([0.2] * 5, abs=0.04)
    assert shares["learn"] == pytest.approx([0.125, 0.375, 0.25, 0.125, 0.125], abs=0.04)


def test_the_stock_of_foreign_questions_is_divided():
    said = {
        side: {
            QuestionGenerator(FACTS, WAYS, side, seed=n).unanswerable("foreign").phrase
            for n in range(97)
        }
        for side in SIDES
    }
    stock = set(templates()["foreign"]["questions"])
    assert said["tune"] <= stock
    assert said["test"] <= stock
    assert not said["tune"] & said["test"]
    assert not said["learn"] & (said["tune"] | said["test"])


def test_a_foreign_question_is_none_that_the_kb_answers():
    facts = Facts([Triple("Rome", "motto", "SPQR"), Triple("Rome", "owned_by", "Italy")])
    ways = ways_of_asking(facts.relations)
    said = {
        QuestionGenerator(facts, ways, side, seed).unanswerable("foreign").phrase
        for side in SIDES
        for seed in range(97)
    }
    assert not any("motto" in phrase or "owns" in phrase for phrase in said)


def test_the_share_of_unanswerable_questions_and_the_seed():
    asked = QuestionGenerator(FACTS, WAYS, "test", seed=2).questions(1009, 0.3)
    assert len(asked) == 1009
    assert sum(q.kind != "known" for q in asked) == pytest.approx(303, abs=60)
    assert asked == QuestionGenerator(FACTS, WAYS, "test", seed=2).questions(1009, 0.3)
    assert asked != QuestionGenerator(FACTS, WAYS, "test", seed=3).questions(1009, 0.3)


@pytest.mark.parametrize(
    ("side", "pinned"),
    [("learn", "2ba2e86216568394"), ("tune", "ba001de056700182"), ("test", "32e0596d170e26c9")],
)
def test_the_questions_of_a_seed_are_the_same_everywhere(side, pinned):
    """A model is known by them; if they are changed on purpose, renew the digests."""
    asked = QuestionGenerator(FACTS, WAYS, side).questions(499, 0.4)
    assert hashlib.sha256(repr(asked).encode()).hexdigest()[:16] == pinned


def test_questions_name_their_entity():
    asked = QuestionGenerator(FACTS, WAYS, "learn").questions(211, 0.0)
    whole = [
        q for q in asked if set(question_words(q.entity)) - {"the"} <= set(question_words(q.text))
    ]
    assert len(whole) == len(asked)


def test_one_fact_and_no_phrases_will_do():
    one = Facts([Triple("Rome", "mayor", "Ada")])
    assert (
        len(QuestionGenerator(one, ways_of_asking(one.relations), "test").questions(31, 0.5)) == 31
    )
    nothing = QuestionGenerator(one, {"mayor": Phrases(), "!mayor": Phrases()}, "test").questions(
        31, 0.5
    )
    assert {q.kind for q in nothing} <= {"nonsense", "foreign"}


def test_untidy_keeps_what_tells():
    dice = random.Random(0)
    for _ in range(300):
        words = untidy(["who", "is", "the", "director", "of", "{it}"], dice)
        assert "{it}" in words
        assert any(word[:1] == "d" for word in words)
    assert len({misspelt("director", dice) for _ in range(100)}) > 10
    assert "director" not in {word for _ in range(100) for word in [misspelt("actor", dice)]}


@pytest.mark.parametrize("world", WORLDS)
def test_invented_facts_are_the_same_for_a_seed_and_none_repeats(world):
    first = list(islice(WORLDS[world](7), 307))
    assert first == list(islice(WORLDS[world](7), 307))
    assert first != list(islice(WORLDS[world](8), 307))
    assert len(set(first)) == len(first)


@pytest.mark.parametrize(
    ("world", "pinned"), [("films", "f4aebf300a4df8c7"), ("towns", "b042e989e0ec6f27")]
)
def test_invented_facts_are_the_same_everywhere(world, pinned):
    """Examples and figures are made of them; if changed on purpose, renew the digests."""
    facts = list(islice(WORLDS[world](7), 307))
    assert hashlib.sha256(repr(facts).encode()).hexdigest()[:16] == pinned


def test_relations_have_the_same_examples_on_disk_as_in_memory(tmp_path):
    triples = [*islice(films(0), 211), Triple("Alien", "tagged", "b"), Triple("Up", "tagged", "a")]
    triples += [Triple("Alien", "numbered", str(n)) for n in range(SAMPLE + 3)]
    build(triples, tmp_path / "my.kb")
    found = examples_of(Store.open(tmp_path / "my.kb"))
    assert list(found.items()) == list(Facts(triples).relations.items())
    assert len(found["numbered"]) == SAMPLE
