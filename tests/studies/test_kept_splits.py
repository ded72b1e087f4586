"""Studies of data that may not be passed on, on a few examples made here: runs, rows and notes."""

import hashlib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
import torch

from memnets.data.babi import Story
from memnets.data.facts import Fact, Triple
from memnets.data.qa.reverb import Extraction
from memnets.data.qa.wikimovies import CLASSES, MovieQuestion
from memnets.data.qa.wikiqa import Candidate, WikiQAQuestion
from memnets.experiments.jobs import FinishedRun, Runs
from memnets.experiments.run import DataRecord
from memnets.experiments.seeds import Figure, SeedsTable
from memnets.kb import Entity
from memnets.kb.documents.extraction import ExtractedTriple
from memnets.memories.keyvalue import SlotsRead
from memnets.models.simple_qa import NO_FACT
from memnets.studies import tables
from memnets.studies.babi import data as babi_data
from memnets.studies.babi.data import BabiData
from memnets.studies.sentiment.data import Labelled, SentimentData
from memnets.studies.sentiment.recipes import Sentiment, SentimentModel, SentimentTraining
from memnets.studies.simple_qa.memory import Groups, Memory, SimpleQAVocabulary, aliases_of
from memnets.studies.simple_qa.strings import StringBags, ask_strings
from memnets.studies.simple_qa.task import MadeQuestions
from memnets.studies.tagging.data import Tagged, TaggingData
from memnets.studies.tagging.recipes import Tagging, TaggingModel, TaggingTraining
from memnets.studies.wikimovies.extraction import _right
from memnets.studies.wikimovies.knowledge import WordsAsked
from memnets.studies.wikimovies.recipes import KVMemNNModel, WikiMoviesAnswerer
from memnets.studies.wikimovies.task import SlotVocabulary
from memnets.studies.wikiqa import task as wikiqa_task
from memnets.studies.wikiqa.recipes import WikiQA, WikiQAData, WikiQAModel, WikiQATraining
from memnets.studies.wikiqa.task import SentenceRanker, WeightedVocabulary
from memnets.training.best import Best


def rates(phase):
    return [phase.learning_rate(update) for update in range(phase.updates)]


TAGGED = {
    "train": (Tagged(("a", "b"), ("N", "V")), Tagged(("a",), ("N",))) * 6,
    "valid": (Tagged(("a", "c"), ("N", "N")),) * 2,
    "test": (Tagged(("b", "c", "d"), ("V", "N", "N")), Tagged(("a", "b"), ("V", "V"))),
}


def test_a_tagger_is_trained_as_is_said(monkeypatch):
    monkeypatch.setattr(TaggingData, "load", lambda data: TAGGED)
    training = TaggingTraining(batch=5, epochs=2, patience=3, learning_rate=0.5, word_dropout=0.25)
    model = TaggingModel(dim=3, hidden=3, least=7, spelling=False)
    prepared = Tagging(model=model, training=training, data=TaggingData(tags="xpos")).prepare()
    experiment = prepared.experiment
    (phase,) = experiment.phases
    assert (phase.updates, phase.evaluate_every, rates(phase)) == (6, 3, [0.5] * 6)
    assert experiment.keep == Best("valid/accuracy", "higher", 3)
    assert experiment.reduction == "mean"
    task = experiment.task
    assert (task.batch, task.word_dropout) == (5, 0.25)
    assert {split: len(part.tags) for split, part in task.sentences.items()} == {
        **{"train": 12, "valid": 2, "test": 2}
    }
    # Seen is what training has, known what it has seven times.
    assert task.sentences["test"].unseen.tolist() == [[False, True, True], [False] * 3]
    record = prepared.files["vocabulary.json"]
    assert (record["words"], list(record["tags"])) == (("word a",), ["N", "V"])
    assert record["spelt"] is False
    assert prepared.data.name == "UD English-EWT, xpos"


PHRASES = {
    "train": tuple(Labelled((word, "so"), 0) for word in "abcdefghijklmnopqrstuvw"),
    "valid": (Labelled(("a",), 1), Labelled(("so",), 1)),
    "test": (Labelled(("so", "b"), 0), Labelled(("x",), 1), Labelled(("y",), 0)),
}


def test_what_tells_sentiment_is_trained_as_is_said(monkeypatch):
    monkeypatch.setattr(SentimentData, "load", lambda data: PHRASES)
    training = SentimentTraining(
        batch=5, epochs=2, looks=4, patience=3, learning_rate=0.5, word_dropout=0.25
    )
    data = SentimentData(classes="binary")
    run = Sentiment(model=SentimentModel(hidden=3, least=2), training=training, data=data)
    prepared = run.prepare()
    experiment = prepared.experiment
    (phase,) = experiment.phases
    assert (phase.updates, phase.evaluate_every, rates(phase)) == (10, 2, [0.5] * 10)
    assert experiment.keep == Best("valid/accuracy", "higher", 3)
    assert experiment.reduction == "mean"
    task = experiment.task
    assert (task.batch, task.word_dropout) == (5, 0.25)
    assert {split: len(part.label) for split, part in task.phrases.items()} == {
        **{"train": 23, "valid": 2, "test": 3}
    }
    assert prepared.files["vocabulary.json"]["words"][1:] == ("so",)
    assert prepared.data.name == "SST, binary"
    assert experiment.model.head.choice.out_features == 2
    low, high = experiment.model.embedding.aminmax()
    assert -0.1 <= low < 0 < high <= 0.1
    fine = replace(run, data=SentimentData()).prepare().experiment.model
    assert fine.head.choice.out_features == 5


ASKED = tuple(
    WikiQAQuestion(f"who is {n}", (Candidate(f"it is {n}", True), Candidate("no", False)))
    for n in range(7)
)


def test_a_ranker_of_sentences_is_trained_as_is_said(monkeypatch):
    splits = {"train": ASKED, "valid": ASKED[:2], "test": ASKED[:3]}
    monkeypatch.setattr(WikiQAData, "load", lambda data: splits)
    training = WikiQATraining(epochs=2, batch=3, learning_rate=0.5, dropout=0.25)
    model = WikiQAModel(memory="sentences", dim=3, hops=3, place=True, least=100)
    prepared = WikiQA(model=model, training=training).prepare()
    experiment = prepared.experiment
    (phase,) = experiment.phases
    assert (phase.updates, phase.evaluate_every, rates(phase)) == (6, 3, [0.5] * 6)
    task = experiment.task
    assert (task.batch, task.dropout, experiment.reduction) == (3, 0.25, "mean")
    assert {split: len(part) for split, part in task.questions.items()} == {
        **{"train": 7, "valid": 2, "test": 3}
    }
    assert task.numbered["train"].slots.lengths.tolist() == [2] * 7  # whole sentences
    assert experiment.model.place
    assert experiment.model.features.tolist() == [0.0, 0.5, 0.0]
    assert (len(experiment.model.memory.carry), experiment.model.memory.table.shape[1]) == (3, 3)
    assert prepared.files["vocabulary.json"]["words"][-2:] == ("#", "who")


def test_a_sentence_is_given_by_hand(monkeypatch):
    """Of all windows of a sentence together; the right one that is given is gold."""
    one = WikiQAQuestion("who rules", tuple(Candidate(text, text in "bd") for text in "abcde"))
    home = torch.tensor([0, 0, 1, 1, 1, 2, 3, 4])
    weights = torch.tensor([0.1, 0.1, 0.1, 0.15, 0.05, 0.2, 0.1, 0.2])
    monkeypatch.setattr(wikiqa_task, "number", lambda *given: SimpleNamespace(home=home))
    vocabulary = WeightedVocabulary.of([one], 1)
    for shares, best, gold in (
        ([0.1, 0.15, 0.4, 0.3, 0.05], "c", "b"),
        ([0.1, 0.15, 0.3, 0.4, 0.05], "d", "d"),
    ):
        reply = torch.tensor(shares).log(), (SlotsRead(None, weights, None),)
        model = Mock(spec=SentenceRanker, side_effect=lambda given, reply=reply: reply)
        answer = wikiqa_task.ask(model, vocabulary, "windows", one)
        assert (answer.text, answer.gold) == (best, gold)
        assert answer.probability == pytest.approx(0.4)
        assert [text for text, _ in answer.runners_up] == [{"c": "d", "d": "c"}[best], "b", "a"]
        assert [share for _, share in answer.runners_up] == pytest.approx([0.3, 0.15, 0.1])
        (step,) = answer.steps
        assert [support.weight for support in step.supports] == pytest.approx(
            [0.2, 0.3, 0.2, 0.1, 0.2]
        )
        assert [support.gold for support in step.supports] == [False, True, False, True, False]
        assert [support.slot for support in step.supports] == list(range(5))


# Rows


def finished(**test):
    return Mock(spec=FinishedRun, metrics={"test": test}, result={})


@pytest.mark.parametrize(
    ("name", "learnt_from"),
    [
        *(("dmn-tagging", ()), ("dmn-sentiment", ()), ("captions", ()), ("visual-questions", ())),
        ("translation-attention", ()),
        *(("ntm-copy", ("40,000 sequences",)), ("ntm-sort", ("100,000 sequences",))),
    ],
)
def test_a_row_tells_how_sure_its_seeds_make_it_and_which_diverged(name, learnt_from):
    table = tables()[name]()
    runs = Runs({0: finished(), 1: finished()}, frozenset({2}))
    figure = Figure(metric="accuracy", words="", note="n")
    said = table.notes(table.entries[0], figure, runs, {0: 49.0, 1: 51.0})
    assert [*filter(None, said)] == [
        *("n", "diverged and not counted: seeds 2", "95 % interval 37.3 to 62.7", *learnt_from)
    ]


def test_what_counts_of_tags_reach_is_of_the_reported_half(monkeypatch):
    loaded = []

    def load(data):
        loaded.append((data.tags, data.path))
        return TAGGED

    monkeypatch.setattr(TaggingData, "load", load)
    table = tables()["dmn-tagging"]()
    rows = [row for tags in ("upos", "xpos") for row in table._counted(tags, None)]
    assert loaded == [("upos", None), ("xpos", None)]
    assert [(row.row, row.measured) for row in rows] == [
        ("most frequent tag, UPOS", pytest.approx(40.0)),
        ("most frequent tag, UPOS, unknown words", 0.0),
        ("most frequent tag, XPOS", pytest.approx(40.0)),
        ("most frequent tag, XPOS, unknown words", 0.0),
    ]
    assert [row.note for row in rows] == ["unknown words are NOUN"] * 2 + [
        "unknown words are NN"
    ] * 2


def test_naive_bayes_is_taught_by_sentences_and_asked_test_sentences(monkeypatch):
    def load(data):
        assert not data.phrases
        return PHRASES | {"train": (Labelled(("x",), 1), Labelled(("so", "y"), 0))}

    monkeypatch.setattr(SentimentData, "load", load)
    table = tables()["dmn-sentiment"]()
    row = table._counted(Sentiment(data=SentimentData(classes="binary")), None)
    assert (row.row, row.measured) == ("naive Bayes on words, binary", 100.0)


BABI = [name for name in tables() if "babi" in name]


@pytest.mark.parametrize("name", BABI)
def test_a_row_of_a_task_is_measured_on_that_task(name):
    table = tables()[name]()
    for entry in table.entries if isinstance(table, SeedsTable) else ():
        for figure in table.figures_of(entry):
            metric, _, task = figure.metric.partition("/")
            assert metric == "accuracy"
            if task:
                assert f"task {task}" in f"{figure.row}, {entry.row}"
                tasks = entry.run.data.tasks
                assert tasks in ((int(task),), tuple(range(1, 21)))
                assert (len(tasks) > 1) == ("joint" in entry.row + name or "multi" in entry.row)
            else:
                assert entry.run.data.tasks == (2,)


# WikiMovies and SimpleQuestions


def test_a_key_value_memory_is_built_as_is_said():
    vocabulary = SlotVocabulary(tuple("abcdefg"), ("a",))
    model = KVMemNNModel(dim=3, hops=4, bias=False, own_answers=True, power=0.25, length=2.0)
    built = model.build(vocabulary)
    assert (tuple(built.table.shape), len(built.carry)) == ((7, 3), 4)
    assert built.carry[0].bias is None
    assert built.answer_table is not None
    assert (built.power, built.length, built.sparse) == (0.25, 2.0, True)
    usual = KVMemNNModel(dim=3).build(vocabulary)
    assert usual.carry[0].bias is not None
    assert (usual.answer_table, usual.power, usual.length) == (None, 1.0, 3.0)


def test_examples_of_movies_are_of_a_class_and_were_asked():
    first, second = CLASSES[:2]
    answerer = WikiMoviesAnswerer.__new__(WikiMoviesAnswerer)
    made = WordsAsked((), "m", ("x",), first)
    asked = [made, *(WordsAsked((), "a", (kind,), kind, f"{kind}?") for kind in (second, first))]
    answerer.sources = SimpleNamespace(test=asked, valid=asked[:1])
    answerer._answer = lambda question: question
    texts = {task: [one.text for one in answerer.examples("test", task)] for task in (0, 1, 2, 3)}
    assert texts == {0: [f"{second}?", f"{first}?"], 1: [f"{first}?"], 2: [f"{second}?"], 3: []}
    assert next(answerer.examples("test", 1)) == MovieQuestion(f"{first}?", (first,))
    assert list(answerer.examples("valid", 0)) == []


def test_a_statement_is_right_where_a_fact_relates_its_ends_either_way():
    facts = [Triple("a", "r", "b"), Triple("c", "r", "d")]

    def statement(one, other):
        return Mock(spec=ExtractedTriple, subject=one, object=other)

    pairs = [("a", "b"), ("d", "c"), ("a", "d"), ("a", "x")]
    assert _right([statement(*pair) for pair in pairs], facts) == 0.5
    assert _right([], facts) == 0.0


def test_half_of_the_made_questions_are_drawn_by_relation():
    relation = torch.tensor([0] * 99 + [1])
    made = MadeQuestions.__new__(MadeQuestions)
    made.memory = Mock(spec=Memory, facts=[None] * 100, by_relation=Groups.by(relation, 2))
    drawn = made.draw(2001, torch.Generator().manual_seed(0))
    assert len(drawn) == 2001
    rare = (drawn == 99).float()
    assert float(rare[:1000].mean()) == pytest.approx(0.5, abs=0.05)
    assert float(rare[1000:].mean()) < 0.03
    assert len(drawn[1000:].unique()) > 90


def test_facts_in_strings_are_words_where_they_are_not_linked():
    facts = [Fact("m.1", "film.film.genre", ("m.2",))]
    aliases = aliases_of({"m.1": "Red Sun", "m.2": "Western"}, facts)
    texts = ["films genre", "films genre", "sun red", "sun red"]
    vocabulary = SimpleQAVocabulary.of(facts, aliases, texts)
    told = [Extraction("Red Sun", "genres", "Western"), Extraction("Red Sun", "is", "nothing")]

    def named(linked_by):
        strings = StringBags(told, linked_by, vocabulary)
        numbers = {row: name for name, row in vocabulary.entity_rows.items()}
        numbers |= dict(enumerate(vocabulary.grams))
        return strings, [{numbers[n] for n in row if n} for row in strings.bags.features.tolist()]

    strings, plain = named({})
    assert plain == [{"genre", "red", "sun", "red sun", "western"}, {"is", "red", "sun", "red sun"}]
    assert strings.share_linked == 0
    strings, linked = named(aliases)
    assert linked == [{"genre", "m.1", "m.2"}, {"is", "m.1"}]
    assert strings.share_linked == pytest.approx(2 / 3)
    assert strings.aliases == {"red sun": (Entity("red sun", 2),)}
    asked = ask_strings(["what is red sun", "what is it"], strings, aliases)
    assert asked.candidates.tolist() == [[0, 1], [NO_FACT, NO_FACT]]
    assert asked.right.tolist() == [NO_FACT, NO_FACT]


def test_stories_of_each_split_are_from_where_it_is_said(monkeypatch):
    def made(task, questions, seed, split, variant):
        return iter([Story((), task, f"made {split} {task} {questions} {seed}", 1)])

    def read(task, split, folder, path):
        return [Story((), task, f"read {split} {task} {folder} {path}", 1)]

    monkeypatch.setattr(babi_data, "make_stories", made)
    monkeypatch.setattr(babi_data, "load_task", read)
    monkeypatch.setattr(babi_data, "task_file", lambda *given, **where: given)
    monkeypatch.setattr(babi_data, "fingerprint", str)
    monkeypatch.setattr(babi_data, "story_fingerprint", lambda stories: f"{len(stories)} made")

    def loaded(**data):
        train, test, record = BabiData(**data).load()
        return [one.source for one in train], [one.source for one in test], record

    both = loaded(tasks=(3, 1), size="10k", path=Path("x"), test_source="generated")
    assert both[:2] == (
        ["read train 3 en-10k x", "read train 1 en-10k x"],
        ["made test 3 1000 0", "made test 1 1000 0"],
    )
    digest = hashlib.sha256(f"{[(3, 'train'), (1, 'train')]}\n2 made\n".encode()).hexdigest()
    assert both[2] == DataRecord("bAbI en-10k, tested on generated, tasks 3, 1", digest)
    other = loaded(source="generated", test_source="official", size="10k")
    assert other[:2] == (["made train 1 10000 0"], ["read test 1 en-10k None"])
    assert loaded(source="generated")[0] == ["made train 1 1000 0"]
    assert loaded(language="hn")[1] == ["read test 1 hn None"]
