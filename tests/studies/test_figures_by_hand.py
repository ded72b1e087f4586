"""What tasks count and teach, by hand: models that reply what they are told to."""

import hashlib
import math
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
import torch
from torch import nn

from memnets.attention import Readout
from memnets.data.facts import Triple
from memnets.data.qa.wikimovies import EntityQuestion, MovieQuestion
from memnets.data.qa.wikiqa import Candidate, WikiQAQuestion
from memnets.data.treebanks import LabelledPhrase
from memnets.data.worlds.recall import Stream
from memnets.experiments.jobs import FinishedRun, Runs
from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.memories.keyvalue import KeyValues, Ragged
from memnets.models.kv_memnn import KVMemNN
from memnets.models.language import NextSymbol
from memnets.studies.babi.memn2n import task as babi
from memnets.studies.kb_qa import task as kb_qa
from memnets.studies.kb_qa.numbering import EncodedQuestions
from memnets.studies.language.neural_cache import Grid, find_matches, join, mix
from memnets.studies.language.task import LanguageTask, read
from memnets.studies.recall import task as recall
from memnets.studies.recall.comparison import RecallTable
from memnets.studies.sentiment import data as sentiment_data
from memnets.studies.sentiment import task as sentiment
from memnets.studies.sentiment.data import Labelled, SentimentData
from memnets.studies.sentiment.task import SentimentTask, vocabulary_of
from memnets.studies.sentiment.task import number as number_phrases
from memnets.studies.simple_qa.task import reach
from memnets.studies.tagging import task as tagging
from memnets.studies.tagging.data import Tagged
from memnets.studies.tagging.data import digest as tagged_digest
from memnets.studies.tagging.task import TaggingTask, TaggingVocabulary
from memnets.studies.tagging.task import number as number_tagged
from memnets.studies.wikimovies.data import WikiMoviesData
from memnets.studies.wikimovies.hits import Hits, HitsTable
from memnets.studies.wikimovies.knowledge import WikiMovies
from memnets.studies.wikiqa.recipes import digest as ranked_digest
from memnets.tasks.episodes import EpisodeTask
from memnets.tasks.memnn import MemNNTask
from memnets.tasks.stories import StoryQuestions
from memnets.tasks.supported import SupportedQuestions
from memnets.tasks.supports import LOST


def like(kind, **parts):
    """Return what passes for one of a kind, of which nothing but this is asked."""
    return Mock(spec=kind, **parts)


def means(ratios):
    return {name: ratio.mean for name, ratio in ratios.items()}


# bAbI

STORIES = StoryQuestions(
    sentences=torch.zeros(4, 2, dtype=torch.int32),
    story=torch.tensor([[1, 2, 3], [1, 2, 3], [1, 2, 0], [2, 0, 0]]),
    length=torch.tensor([3, 3, 2, 1]),
    question=torch.zeros(4, 2, dtype=torch.int32),
    answer=torch.tensor([2, 1, -1, 0]),
    supports=torch.tensor([[0, 2], [1, -1], [LOST, 1], [0, -1]]),
    task=torch.tensor([1, 7, 7, 7]),
)
SHARES = torch.tensor([[0.2, 0.3, 0.5], [0.5, 0.4, 0.1], [0.1, 0.6, 0.3], [0.7, 0.2, 0.1]])
READ = torch.tensor(
    [
        [[0.6, 0.3, 0.1], [0.1, 0.3, 0.6]],  # both supports, in their order
        [[0.6, 0.3, 0.1], [0.2, 0.5, 0.3]],  # the support, at the second hop
        [[0.2, 0.3, 0.5], [0.6, 0.4, 0.0]],  # at the first, beside what nobody told
        [[0.1, 0.0, 0.9], [0.1, 0.2, 0.7]],  # there is but one sentence
    ]
)


class Told(nn.Module):
    """Replies so to the questions in their order."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def forward(self, sentences, story, time, question):
        first = sum(len(one) for one in self.asked)
        self.asked.append(time)
        rows = slice(first, first + len(story))
        hops = [READ[rows, hop].unsqueeze(1) for hop in range(2)]
        return SimpleNamespace(logits=SHARES[rows].log(), hops=tuple(Readout(h, h) for h in hops))


@pytest.mark.parametrize("most", [500, 3, 1])
def test_questions_of_stories_are_counted_by_hand(monkeypatch, most):
    monkeypatch.setattr(babi, "EVALUATION_BATCH", most)
    model = Told()
    found = means(babi.BabiTask({"test": STORIES}, memory=50).evaluate(model, "test"))
    assert torch.cat(model.asked).tolist() == [[3, 2, 1], [3, 2, 1], [2, 1, 0], [1, 0, 0]]
    each = {
        "accuracy": [True, False, False, True],
        "supports_read": [True, True, False, True],  # of the third one is lost
        "supports_chance": [2 / 9, 5 / 9, 0.0, 1.0],
        "gold_read": [True, True, True, True],
        "gold_read_1": [True, False, True, True],
        "gold_read_2": [True, True, False, True],
    }
    expected = {f"{name}/1": float(values[0]) for name, values in each.items()}
    expected |= {f"{name}/7": sum(values[1:]) / 3 for name, values in each.items()}
    expected |= {name: sum(each[name]) / 4 for name in list(each)[:4]}
    expected["loss"] = -(math.log(0.5) + math.log(0.4) + math.log(0.7)) / 4
    assert found == pytest.approx(expected, abs=1e-6)


def test_an_epoch_of_stories_has_the_last_batch_too_where_none_is_drawn_twice():
    three = like(StoryQuestions, number=3)
    supported = like(SupportedQuestions, number=3)
    for batch, updates in ((1, 3), (2, 2), (3, 1), (4, 1)):
        assert EpisodeTask({"train": supported}, batch).updates_per_epoch == updates
        assert MemNNTask({"train": supported}, batch).updates_per_epoch == updates
    for batch, updates in ((1, 3), (2, 1), (3, 1), (4, 1)):
        assert babi.BabiTask({"train": three}, 50, batch).updates_per_epoch == updates


# A KB


def encoded(*kinds):
    rows = Ragged.of([()] * len(kinds))
    memory = KeyValues(Ragged.of([(0,)]), Ragged.of([(0,)]))
    return EncodedQuestions(rows, memory, rows, rows, rows, torch.tensor(kinds))


def test_what_is_answered_and_declined_by_hand(monkeypatch):
    decided = {
        "valid": kb_qa.Decided(torch.tensor([0.6, 0.2]), torch.tensor([True, False])),
        "test": kb_qa.Decided(
            torch.tensor([0.4, 0.39, 0.9, 0.5, 0.41, 0.1, 0.2]),
            torch.tensor([True, True, False, True, False, False, True]),
        ),
    }
    sides = {"valid": encoded(0, 2), "test": encoded(0, 0, 0, 0, 2, 2, 5)}
    task = kb_qa.KBQATask(sides, batch=3, lost=0.5)
    monkeypatch.setattr(task, "_decided", lambda model, split: (decided[split], 14.0))
    model = Mock(spec=KVMemNN)
    found = task.evaluate(model, "test")
    assert means(found) == pytest.approx(
        {
            "loss": 2.0,
            "accuracy": 2 / 4,
            "refused": 1 / 4,
            "declined": 2 / 3,
            "threshold": 0.4,
            f"declined/{kb_qa.KINDS[2]}": 1 / 2,
            f"declined/{kb_qa.KINDS[5]}": 1.0,
        }
    )
    assert task.threshold(model) == pytest.approx(0.4)
    assert (found["accuracy"].weight, found["declined"].weight) == (4, 3)
    task.questions["train"] = encoded(0, 0, 0, 0)
    assert task.updates_per_epoch == 2


class Scored(KVMemNN):
    """Gives each candidate a score that was agreed upon, and tells what it heard."""

    def __init__(self, scores):
        super().__init__(vocab=5, dim=1, hops=1)
        self.scores, self.heard = torch.tensor(scores), []

    def read(self, questions, memory, candidates):
        self.heard.append(questions)
        return torch.ones(candidates.rows, 1), ()

    def embed_answers(self, answers):
        return self.scores[answers.items - 1, None]


def test_the_loss_of_a_kb_is_that_of_all_right_candidates_together():
    shares = [0.5, 0.25, 0.25, 0.4, 0.6]
    asked = EncodedQuestions(
        Ragged.of([(1, 2, 3, 4)] * 2),
        KeyValues(Ragged.of([(1,)] * 5), Ragged.of([(1,), (2,), (3,), (4,), (5,)])),
        Ragged.of([(0, 1, 2), (3, 4)]),
        Ragged.of([(0, 1, 1), (1, 0)]),
        Ragged.of([(0, 1, 2), (1, 2)]),
        torch.tensor([0, 0]),
    )
    model = Scored([math.log(share) for share in shares])
    task = kb_qa.KBQATask({"train": asked}, batch=2, lost=0.5)
    batch = task.collate("train", (torch.tensor([0, 1]),))
    steps = [task.loss(model, batch, (), torch.Generator().manual_seed(seed)) for seed in range(20)]
    assert float(steps[0].loss_sum) == pytest.approx(-math.log(0.5) - math.log(0.4), rel=1e-5)
    assert (int(steps[0].sums["accuracy"]), steps[0].weight) == (0, 2)  # none has more than half
    heard = sum(len(one.items) for one in model.heard) / 20
    assert 3 < heard < 5  # of eight words
    assert kb_qa.decide(model, asked).support.tolist() == pytest.approx([0.25, 0.6])


# Words


class Constant(nn.Module):
    """Gives every sentence the same scores, word by word."""

    def __init__(self, scores):
        super().__init__()
        self.scores = torch.tensor(scores).log()
        self.unknown = []

    def forward(self, words, sentence, length):
        self.unknown.append(int((sentence >= len(words) // 2).sum()))
        return SimpleNamespace(
            scores=self.scores.expand(len(sentence), -1, -1)[:, : sentence.shape[1]]
        )


TAGGED = [Tagged(("a", "b"), ("N", "V")), Tagged(("a", "z", "q"), ("N", "N", "X"))]


def test_tags_are_counted_word_by_word(monkeypatch):
    train = [Tagged(("a", "b"), ("N", "V"))]
    vocabulary = TaggingVocabulary.of(train, least=1, spelt=False)
    parts = {
        "train": number_tagged(train * 40, vocabulary, frozenset("ab")),
        "test": number_tagged(TAGGED, vocabulary, frozenset("ab")),
    }
    task = TaggingTask(parts, batch=7, word_dropout=0.5)
    model = Constant([[0.75, 0.25], [0.4, 0.6], [0.9, 0.1]])
    found = task.evaluate(model, "test")
    right = math.log(0.75) * 2 + math.log(0.6) + math.log(0.4)
    assert means(found) == pytest.approx(
        {"loss": -right / 5, "accuracy": 3 / 5, "accuracy_unknown": 0.0}
    )
    assert found["accuracy_unknown"].weight == 2
    with monkeypatch.context() as patch:
        patch.setattr(tagging, "EVALUATION_BATCH", 1)
        assert means(task.evaluate(model, "test")) == pytest.approx(means(found))
        assert task.evaluate(model, "test")["accuracy_unknown"].weight == 2
    assert task.updates_per_epoch == 6
    batch = task.collate("train", (torch.arange(40),))
    step = task.loss(model, batch, (), torch.Generator().manual_seed(0))
    assert float(step.loss_sum) == pytest.approx(-40 * (math.log(0.75) + math.log(0.6)))
    assert (step.weight, int(step.sums["accuracy"])) == (80, 80)
    assert model.unknown[0] == 0
    assert 25 < model.unknown[-1] < 55  # of 80


def test_the_first_tag_of_equal_ones_is_the_most_frequent():
    from memnets.studies.tagging.data import most_frequent_tag

    train = [Tagged(("a", "a", "b"), ("Y", "X", "Z"))]
    asked = [Tagged(("a",), ("Y",)), Tagged(("b", "q"), ("Z", "Y"))]
    assert most_frequent_tag(train, asked, "N") == (2, 3, 0, 1)


def test_checksums_are_of_splits_words_and_labels():
    one = {"train": (Tagged(("a", "b"), ("N", "V")),), "test": (Tagged(("c",), ("N",)),)}
    told = b"train\ta b\tN V\ntest\tc\tN\n"
    assert tagged_digest(one) == hashlib.sha256(told).hexdigest()
    two = {"train": (Labelled(("a", "b"), 3),), "test": (Labelled(("c",), 0),)}
    told = b"train\ta b\t3\ntest\tc\t0\n"
    assert sentiment_data.digest(two) == hashlib.sha256(told).hexdigest()
    candidates = Candidate("s", True), Candidate("t", False)
    asked = {"valid": [WikiQAQuestion("q", candidates)]}
    told = b"valid\tq\ts\t1\nvalid\tq\tt\t0\n"
    assert ranked_digest(asked) == hashlib.sha256(told).hexdigest()


def test_a_word_of_a_phrase_counts_once():
    train = [Labelled(("so", "so", "good"), 1), Labelled(("good", "so"), 1), Labelled(("x",), 0)]
    assert vocabulary_of(train, 2).words[1:] == ("good", "so")
    assert vocabulary_of(train[:1], 2).words[1:] == ()
    assert vocabulary_of(train, 1).words[1:] == ("good", "so", "x")


def test_the_dev_sentences_choose_and_the_test_sentences_are_reported(monkeypatch):
    def tree(*words):
        phrase = LabelledPhrase(words, 3)
        return SimpleNamespace(sentence=phrase, phrases=[phrase])

    trees = {split: [tree(split)] for split in ("train", "dev", "test")}
    monkeypatch.setattr(sentiment_data, "load_sentiment", lambda path: trees)
    for phrases in (True, False):
        splits = SentimentData(phrases=phrases).load()
        words = {split: part[0].words for split, part in splits.items()}
        assert words == {"train": ("train",), "valid": ("dev",), "test": ("test",)}
    trees["train"] *= 2
    assert [len(SentimentData(phrases=one).load()["train"]) for one in (True, False)] == [1, 2]


class Judge(nn.Module):
    """Costs a phrase as much as it has words; of its classes it says 0, 1, 2 and so on."""

    def __init__(self):
        super().__init__()
        self.unknown, self.head = [], self

    def __call__(self, words, sentence, length, question):
        self.unknown.append(int((sentence >= len(words) // 2).sum()))
        return SimpleNamespace(memory=length, asked=None, scores=length)

    def loss(self, *given):
        if len(given) == 3:
            return given[0].float()
        return self(*given[:4]).memory.float(), None

    def words(self, scores):
        return torch.arange(len(scores)).unsqueeze(-1)


def test_phrases_are_counted_one_by_one(monkeypatch):
    phrases = [Labelled(("a",), 0), Labelled(("b", "a"), 2), Labelled(("a",) * 4, 2)]
    vocabulary = vocabulary_of(phrases, 1)
    numbered = number_phrases(phrases, vocabulary)
    task = SentimentTask({"train": numbered, "test": numbered}, batch=2, word_dropout=0.5)
    model = Judge()
    found = task.evaluate(model, "test")
    assert means(found) == pytest.approx({"loss": 7 / 3, "accuracy": 2 / 3})
    with monkeypatch.context() as patch:
        patch.setattr(sentiment, "EVALUATION_BATCH", 2)  # of which it says 0, 1 and 0
        in_parts = task.evaluate(model, "test")
        assert means(in_parts) == pytest.approx({"loss": 7 / 3, "accuracy": 1 / 3})
        assert in_parts["loss"].weight == 3
    assert task.updates_per_epoch == 2
    step = task.loss(model, task.collate("train", (torch.tensor([2, 1]),)), (), torch.Generator())
    assert (float(step.loss_sum), step.weight) == (6.0, 2)
    batch = task.collate("train", (torch.tensor([2] * 30),))
    task.loss(model, batch, (), torch.Generator().manual_seed(0))
    assert model.unknown[0] == 0
    assert 40 < model.unknown[-1] < 80  # of 120


# Recall


def test_young_memories_are_counted_ten_windows_at_a_time(monkeypatch):
    monkeypatch.setattr(recall, "SETTLING", 30)
    world = like(Stream, near=7, carried=True)
    task = recall.RecallTask({"test": world}, lambda rows: (), counted={"test": 5})
    batch = torch.tensor([0, 9, 9, 10, 19, 29, 30, 34])
    right = torch.tensor([1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0])
    asked = recall.Outcomes(batch, *[right] * 6)
    young = task._young(asked)
    assert means(young) == pytest.approx({"young/0": 2 / 3, "young/70": 0.0, "young/140": 1.0})
    assert [ratio.weight for ratio in young.values()] == [3, 2, 1]


def test_questions_of_recall_are_counted_by_hand(monkeypatch):
    lag = torch.tensor([1, 7, 8, 8])
    nan = math.nan
    every = recall.Outcomes(
        batch=torch.tensor([0, 1, 1, 2]),
        lag=lag,
        loss=torch.tensor([1.0, 2.0, 3.0, 6.0]),
        right=torch.tensor([1.0, 0.0, 1.0, 0.0]),
        ceiling=torch.tensor([1.0, 1.0, 0.5, 0.25]),
        read=torch.tensor([nan, nan, 1.0, 0.0]),
        zone=torch.tensor([nan, nan, 1.0, 1.0]),
    )
    worlds = {split: like(Stream, near=7, carried=False) for split in ("valid", "test")}
    task = recall.RecallTask(worlds, lambda rows: ())
    monkeypatch.setattr(task, "_asked", lambda model, split: every)
    expected = {
        **{"loss": 3.0, "accuracy": 0.5, "ceiling": 0.6875},
        **{"accuracy_near": 0.5, "ceiling_near": 1.0},
        **{"accuracy_beyond": 0.5, "ceiling_beyond": 0.375},
        **{"gold_read": 0.5, "gold_zone": 1.0},
    }
    assert means(task.evaluate(nn.Identity(), "valid")) == pytest.approx(expected)
    by_lag = {"recall/1": 1.0, "recall/7": 0.0, "recall/8": 0.5}
    assert means(task.evaluate(nn.Identity(), "test")) == pytest.approx(expected | by_lag)
    task.worlds["cliff"] = worlds["valid"]
    with_cliff = task.evaluate(nn.Identity(), "test")
    assert with_cliff.keys() - expected.keys() - by_lag.keys() == {"cliff/1", "cliff/7", "cliff/8"}
    assert "cliff/1" not in task.evaluate(nn.Identity(), "valid")


# Language


class Table(nn.Module):
    """Predicts by the symbol before, in states that are like each other in various ways."""

    def forward(self, seen, state=None):
        logits = torch.tensor([[1.0, 0.2, 0.1], [0.3, 0.9, 0.5], [0.2, 0.4, 2.0]])[seen]
        return NextSymbol(logits, (), logits)


def test_a_cache_is_mixed_and_joined_by_the_scalars_of_the_first_half_of_valid():
    valid, test = (
        torch.tensor([0, 1, 1, 2, 2, 0, 1, 2, 0, 0, 2, 1]),
        torch.tensor([2, 0, 0, 2, 0, 2]),
    )
    grid = Grid(window=3, flatness=(0.0, 0.7), shares=(0.1, 0.4), offsets=(-1.0, 0.5))
    task = LanguageTask(
        {"train": valid, "valid": valid, "test": test}, lambda rows: (), 1, 3, cache=grid
    )
    half = read(Table(), valid[:6])
    best = {}
    for theta in grid.flatness:
        ((wanted,), (whole,)) = find_matches(
            half.hidden, half.following, half.following, 3, (theta,)
        )
        for share in grid.shares:
            best["cache", theta, share] = float(mix(half.log_prob, wanted, whole, share).sum())
        for offset in grid.offsets:
            joined = join(half.log_prob, half.total, wanted, whole, offset)
            best["joint", theta, offset] = float(joined.sum())
    for split, text in (("valid", valid), ("test", test)):
        found, whole_text = means(task.evaluate(Table(), split)), read(Table(), text)
        for kind, other in (("cache", "share"), ("joint", "offset")):
            key = max((key for key in best if key[0] == kind), key=best.__getitem__)
            assert (found[f"{kind}_flatness"], found[f"{kind}_{other}"]) == pytest.approx(key[1:])
            ((wanted,), (whole,)) = find_matches(
                whole_text.hidden, whole_text.following, whole_text.following, 3, key[1:2]
            )
            ours = (
                mix(whole_text.log_prob, wanted, whole, key[2])
                if kind == "cache"
                else join(whole_text.log_prob, whole_text.total, wanted, whole, key[2])
            )
            bits = -ours / math.log(2)
            assert found[f"{kind}_bits"] == pytest.approx(float(bits.mean()), rel=1e-5)
            if split == "valid":
                parts = found[f"{kind}_bits/tuning"], found[f"{kind}_bits/reporting"]
                assert parts == pytest.approx((float(bits[:5].mean()), float(bits[5:].mean())))


# What is told beside a figure


def ran(**test):
    training = SimpleNamespace(total=12345, learning_rate=0.002)
    run = SimpleNamespace(training=training)
    return like(FinishedRun, run=run, metrics={"test": test})


def notes(table, entry, figure, done, values):
    runs = Runs(done, frozenset({4}))
    return [one for one in table.notes(entry, figure, runs, values) if one]


def test_a_row_of_recall_tells_its_ceiling_and_its_rate():
    table = RecallTable(title="", data="", entries=())
    done = {0: ran(ceiling=0.5, ceiling_near=1.0), 1: ran(ceiling=0.75, ceiling_near=1.0)}
    entry = Entry(row="", rates=(1, 2, 3), run=SimpleNamespace(memory=object()))
    accuracy, read = (Figure(metric=one, words="") for one in ("accuracy", "gold_read"))
    said = notes(table, entry, accuracy, done, {0: 98.0, 1: 100.0})
    assert said == [
        "95 % interval 86.3 to 100.0",
        "ceiling 62.5",
        "12,345 updates at 0.002, best of 3",
        "diverged and not counted: seeds 4",
    ]
    assert notes(table, entry, accuracy, done, {0: 1.0, 1: 2.0})[0] == "95 % interval 0.0 to 7.9"
    assert notes(table, entry, read, done, {0: 98.0}) == ["diverged and not counted: seeds 4"]
    unknown = notes(table, entry, accuracy, {0: ran()}, {0: 98.0})
    assert unknown[0] == "12,345 updates at 0.002, best of 3"  # what can be reached is not known
    plain = Entry(row="", run=SimpleNamespace(memory=None))
    assert notes(table, plain, accuracy, done, {0: 98.0})[0] == "12,345 updates at 0.002"


def test_a_difference_has_as_many_runs_as_its_rows_have():
    figure, result = Figure(metric="accuracy", words=""), {"wall_s": 1.0}
    entries = [Entry(row=row, run=None, seeds=seeds) for row, seeds in (("a", 3), ("b", 4))]
    table = SeedsTable(
        title="", data="", entries=(*entries,), figures=(figure,), seeds=2, contrasts=(("a", "b"),)
    )

    def status(a, b):
        made = [
            like(
                FinishedRun,
                metrics={"test": {"accuracy": 0.1}},
                commit="c",
                device="cpu",
                result=result,
            )
            for _ in range(4)
        ]
        found = {
            "a": Runs(dict(enumerate(made[:a])), frozenset()),
            "b": Runs(dict(enumerate(made[:b])), frozenset()),
        }
        return [row.status for row in table.rows(found, None)]

    assert status(3, 4) == ["done", "done", "done"]
    assert status(2, 4) == ["partial", "done", "partial"]


def test_a_row_of_questions_tells_how_sure_they_make_it():
    table = HitsTable(title="", entries=())
    done = {0: ran(asked=100.0), 1: ran(asked=100.0)}
    some, every = Hits(metric="m", asked="asked", note="n"), Hits(metric="m", note="n")
    lost = "diverged and not counted: seeds 4"
    assert notes(table, Entry(row="", run=None), some, done, {0: 49.0, 1: 51.0}) == [
        *("n", lost, "100 questions", "95 % interval 37.3 to 62.7 over seeds"),
        "40.4 to 59.6 over questions",
    ]
    assert notes(table, Entry(row="", run=None), some, done, {0: 50.0, 1: 50.0}) == [
        *("n", lost, "100 questions", "40.4 to 59.6 over questions")
    ]
    assert notes(table, Entry(row="", run=None), every, done, {0: 49.0, 1: 51.0}) == [
        *("n", lost, "95 % interval 37.3 to 62.7")
    ]


# WikiMovies


def test_of_few_questions_those_of_the_least_checksums_are_asked_half_as_many_for_validation():
    asked = [EntityQuestion(MovieQuestion(f"who is {n}?", ()), "", "") for n in range(9)]

    def checksum(one):
        return hashlib.sha256(one.question.text.encode()).hexdigest()

    order = sorted(asked, key=checksum)
    data = WikiMoviesData(asked=5)
    assert data._some(asked, "test") == order[:5]
    assert data._some(asked, "valid") == order[:2]
    assert WikiMoviesData()._some(asked, "test") == asked


def test_the_memory_is_about_the_movies_asked_about_and_as_many_others():
    facts = tuple(
        Triple(f"M{n}", relation, f"{relation} of M{n}")
        for n in range(8)
        for relation in ("a", "b")
    )
    movies = like(WikiMovies, triples=facts)

    def asked(entity, *answers):
        return EntityQuestion(MovieQuestion("", answers), "", entity)

    questions = [asked("M1", "a of M1"), asked("a of M5", "M5"), asked("nobody", "M1")]
    kept = WikiMoviesData(asked=3)._triples(movies, questions)
    others = [f"M{n}" for n in range(8) if n not in (1, 5)]
    first = sorted(others, key=lambda name: hashlib.sha256(name.encode()).hexdigest())[:2]
    assert list(kept) == [one for one in facts if one.subject in {"M1", "M5", *first}]
    assert WikiMoviesData()._triples(movies, questions) == facts


def test_a_slot_of_a_fact_has_its_entity_its_relation_and_how_that_begins():
    def slots(fact, common=frozenset(), **data):
        made = WikiMoviesData(**data)._slots([fact], like(WikiMovies), common, None)
        return [tuple(slot)[:2] for slot in made]

    fact = Triple("Red", "directed_by", "K.")
    assert slots(fact) == [
        (("1:Red", "directed_by", "^dir", "^by"), ("K.",)),
        (("1:K.", "!directed_by", "^dir", "^by"), ("Red",)),
    ]
    assert slots(fact, letters=0)[0][0] == ("1:Red", "directed_by")
    assert slots(fact, frozenset({"by"}), letters=2)[0][0] == ("1:Red", "directed_by", "^di")


def test_reach_counts_candidates_and_not_what_fills_up():
    from memnets.studies.simple_qa.memory import FactQuestions

    found = reach(
        FactQuestions(None, torch.tensor([[3, 5, -1], [4, -1, -1]]), torch.tensor([5, -1]))
    )
    assert found["recall"].tolist() == [True, False]
    assert found["candidates"].tolist() == [2, 1]
    assert found["guess"].tolist() == [0.5, 0.0]
