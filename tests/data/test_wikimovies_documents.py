"""Documents from facts: every fact is told, once, by the rules of the set's README."""

import hashlib
import re

import pytest

from memnets.data.facts import Fact, Triple
from memnets.data.qa.wikimovies import RELATIONS
from memnets.data.qa.wikimovies.documents import (
    LADDER,
    MOST_JOINS,
    TEMPLATES,
    MovieDocument,
    Style,
    WrittenSentence,
    write_about,
)

RED = [
    Triple("Red", "directed_by", "Kieslowski"),
    Triple("Red", "starred_actors", "Jacob"),
    Triple("Red", "starred_actors", "Trintignant"),
    Triple("Red", "starred_actors", "Feder"),
    Triple("Red", "release_year", "1994"),
    Triple("Red", "has_tags", "judge"),
    Triple("Red", "has_genre", "Drama"),
]
MANY = [
    Triple(f"m{movie}", relation, f"{relation} {movie}.{number}")
    for movie in range(101)
    for relation in RELATIONS
    for number in range(1 + movie % 3)
]
STYLES = [*LADDER.values(), Style("all", 1.0, 1.0)]


def texts(document: MovieDocument) -> list[str]:
    return [sentence.text for sentence in document.sentences]


def test_one_template_a_field():
    assert texts(next(write_about(RED))) == [
        "Kieslowski directed Red.",
        "Jacob, Trintignant and Feder starred in Red.",
        "Red was released in 1994.",
        "Red is about judge.",
        "The genre of Red is Drama.",
    ]


def test_the_order_of_facts_is_no_matter():
    """Sentences are in the order of the relations; items of one stay in theirs."""
    assert texts(next(write_about(RED[::-1])))[0] == "Kieslowski directed Red."
    assert texts(next(write_about(RED[::-1])))[-1] == "The genre of Red is Drama."


def test_every_mention_after_the_first_may_be_a_pronoun():
    assert texts(next(write_about(RED, Style(coreference=1.0)))) == [
        "Kieslowski directed Red.",
        "Jacob, Trintignant and Feder starred in it.",
        "It was released in 1994.",
        "It is about judge.",
        "The genre of it is Drama.",
    ]


def test_everything_but_tags_may_be_joined():
    (joined, tags) = next(write_about(RED, Style(conjunction=1.0))).sentences
    assert len(joined.facts) == 4
    assert joined.text.count(", and ") == 3
    assert tags == WrittenSentence("Red is about judge.", (Fact("Red", "has_tags", ("judge",)),))


@pytest.mark.parametrize("style", STYLES)
def test_every_fact_is_told_once_where_it_is_said_to_be(style):
    documents = list(write_about(MANY, style, seed=5))
    assert [document.title for document in documents] == [f"m{movie}" for movie in range(101)]
    told = []
    for document in documents:
        for sentence in document.sentences:
            for fact in sentence.facts:
                assert fact.subject == document.title
                assert all(item in sentence.text for item in fact.objects)
                told += [Triple(fact.subject, fact.relation, item) for item in fact.objects]
    assert sorted(told) == sorted(MANY)


@pytest.mark.parametrize("style", STYLES)
def test_the_title_is_named_before_any_pronoun(style):
    for document in write_about(MANY, style, seed=5):
        whole = " ".join(texts(document))
        mentions = re.findall(rf"\b({document.title}|[Ii]t)\b", whole)
        assert mentions[0] == document.title
        assert len(mentions) >= len(TEMPLATES) - whole.count(f"{document.title}.") - 9


def test_joins_are_binomial_and_at_most_seven():
    def sentences(share: float) -> float:
        documents = list(write_about(MANY, Style(conjunction=share)))
        return sum(len(document.sentences) for document in documents) / len(documents)

    assert sentences(0.0) == 9
    assert sentences(1.0) == 9 - MOST_JOINS
    # 8 can be joined, so binomial(7, 0.5); its mean over 101 movies has a standard error of 0.13
    assert abs(sentences(0.5) - (9 - 3.5)) < 0.5


def test_all_templates_are_used():
    told = " ".join(text for one in write_about(MANY, Style("all")) for text in texts(one))
    for choice in TEMPLATES.values():
        for words in choice:
            literal = max(re.split("<movie>|<objects>", words), key=len)
            assert literal[1:] in told


def test_the_same_seed_writes_the_same_whatever_else_is_written():
    style = LADDER["all templates + conjunction + coreference"]
    one = list(write_about(MANY, style, seed=11))
    assert list(write_about(MANY, style, seed=11)) == one
    assert list(write_about(MANY, style, seed=13)) != one
    assert list(write_about([*RED, *MANY], style, seed=11))[1:] == one


@pytest.mark.parametrize(
    ("rung", "pinned"),
    list(
        zip(
            LADDER,
            (
                "f3ad7678706bf727",
                "fd79fc16e5979fa8",
                "83ce4b5687ef7c52",
                "13c419e168fc11a2",
                "2137ee11133d2e64",
            ),
            strict=True,
        )
    ),
)
def test_the_documents_of_a_rung_are_the_same_everywhere(rung, pinned):
    """Rows are measured on them; if rules are changed on purpose, renew the digests."""
    told = repr(list(write_about(MANY, LADDER[rung], seed=7)))
    assert hashlib.sha256(told.encode()).hexdigest()[:16] == pinned


def test_by_default_one_template_is_written_with_the_first_seed():
    assert list(write_about(MANY)) == list(write_about(MANY, LADDER["one template"], seed=0))
    assert Style() == Style("one", 0.0, 0.0)
    both = Style("all", 0.7, 0.5)
    assert LADDER["all templates + conjunction + coreference"] == both
    assert list(write_about(MANY, both)) == list(write_about(MANY, both, seed=0))
    assert Style("all", 1.0, 1.0) != Style("all", 0.0, 0.0)  # both ends are probabilities


def test_names_that_look_like_slots_or_start_small_stay_as_they_are():
    odd = [
        Triple("<objects>", "directed_by", "k.d. <movie>"),
        Triple("<objects>", "in_language", "x"),
    ]
    assert texts(next(write_about(odd))) == [
        "k.d. <movie> directed <objects>.",
        "<objects> is in x.",
    ]


def test_the_keys_are_the_relations():
    assert tuple(sorted(TEMPLATES)) == tuple(sorted(RELATIONS))


def test_a_relation_without_a_template_is_refused():
    with pytest.raises(
        ValueError, match=r"\(Red, has_plot, x\): there is no template for 'has_plot'"
    ):
        write_about([Triple("Red", "has_plot", "x")])


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"conjunction": 1.5}, r"Style\(conjunction=1\.5\): expected a probability"),
        ({"templates": "some"}, r"Style\(templates='some'\): expected 'one' or 'all'"),
        ({"coreference": -0.5}, r"Style\(coreference=-0\.5\): expected a probability"),
    ],
)
def test_a_style_that_cannot_be_is_refused(fields, complaint):
    with pytest.raises(ValueError, match=complaint):
        Style(**fields)
