"""The official files of question-answering sets, where they are at hand: counts and traps."""

import os
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from memnets.data.qa import metaqa, simplequestions, webquestions, wikimovies, wikiqa
from memnets.data.qa.wikimovies import CLASSES, split_by_template_and_entity
from memnets.data.qa.wikimovies.documents import write_about

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def root() -> Path:
    setting = os.environ.get("MEMNETS_DATA")
    if not setting:
        pytest.skip("set MEMNETS_DATA to the folder that holds the sets")
    return Path(setting)


def folder(root: Path, name: str) -> Path:
    if not (root / name).is_dir():
        pytest.skip(f"there is no {name} in MEMNETS_DATA")
    return root / name


@pytest.fixture(scope="module")
def movies(root) -> Path:
    return folder(root, "wikimovies")


@pytest.fixture(scope="module")
def entities(movies):
    return wikimovies.load_entities(movies)


@pytest.fixture(scope="module")
def questions(movies, entities):
    return wikimovies.load_questions("dev", entities, movies)


def test_wikimovies_entities(entities):
    assert len(entities) == 75_542
    assert sum(", " in name for name in entities) == 238
    assert all(name in entities for name in ("FM", "$", "\u00a0"))


def test_wikimovies_questions_and_classes(questions, movies, entities):
    counts = Counter(one.category for one in questions)
    assert [counts[name] for name in CLASSES] == [
        *(907, 541, 1_141, 1_331, 1_073, 24, 8, 278, 854, 1_124, 1_458, 378, 883)
    ]
    tags = wikimovies.load_class("tag_to_movie", "dev", entities, movies)
    assert set(tags) == {one for one in questions if one.category == "tag_to_movie"}


def test_wikimovies_answers_are_entities(questions, entities):
    answers = [one for question in questions for one in question.answers]
    assert sum(one not in entities for one in answers) == 11
    lists = [question for question in questions if ", " in ", ".join(question.answers)]
    assert len(lists) == 3_305
    naive = sum(
        any(piece not in entities for piece in ", ".join(one.answers).split(", "))
        for one in questions
    )
    assert naive == 98


def test_wikimovies_entities_asked_about_are_those_that_metaqa_marks(questions, movies, entities):
    marked = {one.text: one.entity for one in metaqa.load_questions(1, "dev", movies)}
    both = [
        one
        for one in wikimovies.analyse(questions, entities)
        if one.question.text.removesuffix("?") in marked
    ]
    assert len(both) > 9_900
    assert all(one.entity == marked[one.question.text.removesuffix("?")] for one in both)


def test_wikimovies_split_shares_no_template_entity_or_question(questions, entities):
    split = split_by_template_and_entity(questions, entities)
    assert split.sha256 == "984b27496a663b929ed4747ca8bfefe4a67ed464c59de9a7dab9150e232b2f5a"
    assert {side: len(ones) for side, ones in split.sides.items()} == {
        **{"train": 3_638, "valid": 1_763, "test": 3_764}
    }
    for one, other in combinations(split.sides, 2):
        assert not split.templates(one) & split.templates(other)
        assert not split.entities(one) & split.entities(other)
        texts = [{asked.question.text for asked in split.sides[side]} for side in (one, other)]
        assert not texts[0] & texts[1]
    for side in split.sides.values():
        assert {one.question.category for one in side} == set(CLASSES)


def test_wikimovies_knowledge_answers_most_questions(questions, movies, entities):
    triples = wikimovies.load_triples(movies)
    assert len(set(triples)) == len(triples) == 130_471
    assert Counter(one.relation for one in triples)["starred_actors"] == 32_747
    near: dict[str, set[str]] = {}
    for subject, _, item in triples:
        near.setdefault(subject, set()).add(item)
        near.setdefault(item, set()).add(subject)
    reached = sum(
        bool(near.get(one.entity, set()) & set(one.question.answers))
        for one in wikimovies.analyse(questions, entities)
    )
    assert reached == len(set(questions)) == 9_999  # one question is there twice
    documents = list(write_about(triples))
    assert len(documents) == 16_426
    assert sum(
        len(fact.objects) for one in documents for s in one.sentences for fact in s.facts
    ) == (len(triples))


def test_wikimovies_plots_answer_few_questions(questions, movies, entities):
    plots = wikimovies.load_plots(movies)
    assert len(plots) == 17_341
    covered = wikimovies.coverage(questions, plots, entities)
    assert covered.questions == 10_000
    assert 0.02 < covered.answerable / covered.questions < 0.08
    texts = wikimovies.PlotTexts(plots)
    sides = split_by_template_and_entity(questions, entities).sides
    by_side = {side: texts.coverage(asked) for side, asked in sides.items()}
    assert {side: one.answerable for side, one in by_side.items()} == {
        "train": 220, "valid": 97, "test": 235
    }  # fmt: skip
    assert all(one.with_plot >= one.questions - 1 for one in by_side.values())


@pytest.mark.parametrize(("hops", "count"), [(1, 9_992), (2, 14_872), (3, 14_274)])
def test_metaqa_questions(movies, hops, count):
    questions = metaqa.load_questions(hops, "dev", movies)
    assert len(questions) == count
    assert all("[" not in one.text or "[" in one.entity for one in questions)


def test_simplequestions_and_its_mapping(root):
    place = folder(root, "simplequestions_mini")
    assert len(simplequestions.load_questions("valid", place)) == 10_845
    mapped = simplequestions.load_wikidata("train", place)
    assert len(mapped) == 34_374
    assert len(simplequestions.load_wikidata("valid", place)) == 4_867
    assert all(one.fact.relation.startswith("P") for one in mapped)


def test_simplequestions_mini(root):
    mini = simplequestions.load_mini(folder(root, "simplequestions_mini"))
    assert (len(mini.facts), len(mini.names)) == (21_669, 30_475)
    assert (len(mini.train), len(mini.valid)) == (14_687, 1_000)
    facts = {(one.subject, one.relation, item) for one in mini.facts for item in one.objects}
    assert all(tuple(one.fact) in facts for one in (*mini.train, *mini.valid))


@pytest.mark.parametrize(
    ("split", "count", "single"), [("trainmodel", 2_834, 1_936), ("val", 755, 514)]
)
def test_webquestions(root, split, count, single):
    questions = webquestions.load_questions(split, folder(root, "webquestions"))
    assert len(questions) == count
    assert sum(len(one.answers) == 1 for one in questions) == single
    assert all(one.topic for one in questions)
    assert webquestions.scores([one.answers for one in questions], questions).f1 == 1


@pytest.mark.parametrize(
    ("split", "counts"),
    [
        ("train", (2_118, 20_360, 873, 857, 1_040)),
        ("dev", (296, 2_733, 126, 122, 140)),
        ("test", (633, 6_165, 243, 237, 293)),
    ],
)
def test_wikiqa(root, split, counts):
    questions = wikiqa.load_questions(split, folder(root, "wikiqa"))
    assert counts == (
        len(questions),
        sum(len(one.candidates) for one in questions),
        sum(one.answered for one in questions),
        sum(one.mixed for one in questions),
        sum(candidate.right for one in questions for candidate in one.candidates),
    )
