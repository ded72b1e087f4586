"""Sentiment as runs, as a command and as a table, on a small set that is made here."""

import io
import json
import os
import random
from pathlib import Path

import pytest
import torch

from elsewhere import check_task
from memnets.cli.main import main
from memnets.inference import load_run
from memnets.studies import table
from memnets.studies.sentiment.data import (
    Labelled,
    SentimentData,
    digest,
    naive_bayes_accuracy,
)
from memnets.studies.sentiment.recipes import (
    Sentiment,
    SentimentModel,
    SentimentTraining,
    sentiment_binary,
)
from memnets.studies.sentiment.task import QUESTION, number, vocabulary_of

SMALL = [
    *("--model.hidden", "8", "--model.least", "1", "--model.dropout", "0"),
    *("--training.batch", "8", "--training.learning-rate", "0.05", "--training.epochs", "2"),
    *("--training.looks", "1", "--training.word-dropout", "0"),
]
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*this is not the published file"),
    pytest.mark.filterwarnings("ignore:.*records, where .* were published"),
    pytest.mark.filterwarnings("ignore:.*are those of dev.txt once more"),
]
GOOD, BAD = ("good", "great", "fine"), ("bad", "dull", "poor")


def made(split: str, sentences: int) -> str:
    """Tell how things are, the thing of a name that no other sentence has."""
    draw = random.Random(split)
    trees = []
    for place in range(sentences):
        label = draw.choice((0, 4))
        word, thing = draw.choice(GOOD if label else BAD), f"{split}{place}"
        trees.append(f"({label} (2 {thing}) ({label} (2 so) ({label} {word})))\n")
    return "".join(trees) + f"(2 (2 {split}) (2 Film))\n"


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "trees"
    folder.mkdir()
    for split, sentences in (("train", 90), ("dev", 15), ("test", 15)):
        (folder / f"{split}.txt").write_text(made(split, sentences))
    return folder


@pytest.fixture(scope="module")
def run(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "one"
    options = ["--data.path", f"{data}", "--data.phrases", "False", *SMALL, "--out", f"{folder}"]
    assert main(["train", "dmn/sentiment-binary", *options]) == 0
    return folder


def small_run(data):
    model, training = SentimentModel(hidden=3, least=1, dropout=0.0), SentimentTraining(batch=5)
    return Sentiment(data=SentimentData(data), model=model, training=training)


def test_a_made_set_is_learnt(run):
    metrics = json.loads((run / "result.json").read_text())["metrics"]
    assert metrics["train"]["accuracy"] >= 0.99
    assert metrics["test"]["accuracy"] >= 0.99
    assert metrics["test"].keys() == {"loss", "accuracy"}


def test_a_sentence_is_judged_with_its_evidence(run):
    answerer = load_run(run)
    answer = answerer.ask("The Film: so GREAT")
    assert answer.text == "positive"
    assert [name for name, _ in answer.runners_up] == ["negative"]
    assert [step.name for step in answer.steps] == ["hop 1", "hop 2"]
    words = [support.text for support in answer.steps[0].supports]
    assert words == ["The", "Film", ":", "so", "GREAT"]
    assert answer.remarks == ("unknown words: the, film, :",)
    with pytest.raises(ValueError, match=r"no word in this text\. Type a sentence\."):
        answerer.ask("")


def test_every_line_is_asked(run, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("Book so dull\nBook so fine\n"))
    assert main(["ask", f"{run}", "--json"]) == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["text"] for one in said] == ["negative", "positive"]


def test_examples_are_the_sentences_of_a_split(run):
    answers = list(load_run(run).examples("test", 0))
    assert len(answers) == 15  # the neutral one is left out
    assert all(answer.gold in ("negative", "positive") for answer in answers)


def test_phrases_are_learnt_from_once_each(data):
    (data.parent / "other").mkdir(exist_ok=True)
    folder = data.parent / "other"
    for split in ("dev", "test"):
        (folder / f"{split}.txt").write_text("(1 (2 Not) (3 it))\n")
    (folder / "train.txt").write_text("(3 (2 a) (4 B))\n(2 (2 A) (2 c))\n(3 (2 a) (4 B))\n")
    fine = SentimentData(folder).load()
    assert fine["train"] == (
        *(Labelled(("a", "b"), 3), Labelled(("a",), 2), Labelled(("b",), 4)),
        *(Labelled(("a", "c"), 2), Labelled(("c",), 2)),
    )
    assert fine["test"] == (Labelled(("not", "it"), 1),)
    binary = SentimentData(folder, "binary").load()
    assert binary["train"] == (Labelled(("a", "b"), 1), Labelled(("b",), 1))
    assert binary["valid"] == (Labelled(("not", "it"), 0),)
    alone = SentimentData(folder, phrases=False).load()
    assert [one.label for one in alone["train"]] == [3, 2, 3]
    assert len({digest(splits) for splits in (fine, binary, alone)}) == 3


def test_words_are_slots_and_the_question_is_one_word():
    train = [Labelled(("a", "b"), 0), Labelled(("a", "a"), 1)]
    vocabulary = vocabulary_of(train, least=2)
    assert vocabulary.words == (QUESTION, "a")
    found = number([*train, Labelled(("c",), 1)], vocabulary)
    assert found.question.tolist() == [[2]] * 3
    assert found.label.tolist() == [[0], [1], [1]]
    assert found.words.words[found.words.sentence[0]].flatten().tolist() == [3, 1]
    some = found.take(torch.tensor([2]))
    assert some.words.sentence.shape == (1, 1)


def test_naive_bayes_counts_words():
    train = [Labelled(("good",), 1), Labelled(("good", "film"), 1), Labelled(("bad", "film"), 0)]
    asked = [Labelled(("bad",), 0), Labelled(("good", "bad", "good"), 1), Labelled(("x",), 0)]
    assert naive_bayes_accuracy(train, asked) == pytest.approx(2 / 3)  # of "x": most are good


def test_the_task_is_the_same_on_another_device(data):
    experiment = small_run(data).prepare().experiment
    experiment.model.story.fusion = None  # torch packs sequences by lengths of the CPU
    check_task(experiment.task, experiment.model, {"train": None})


def test_the_weights_are_drawn_from_the_seed(data):
    first, again = (small_run(data).prepare().experiment.model for _ in range(2))
    assert all(map(torch.equal, first.parameters(), again.parameters()))
    assert first.embedding.abs().max() <= 0.1


def test_the_table_has_floors_and_what_was_published(data, tmp_path):
    place = "dmn-sentiment", tmp_path / "runs", data
    planned = table("dmn-sentiment")
    (jobs,) = planned.stages(*place, "")
    assert {job.run.data.classes for job in jobs} == {"fine", "binary"}
    assert len(jobs) == 6
    assert all(job.run.data.phrases for job in jobs)
    rows = {row.row: row for row in planned.collect(*place).rows}
    assert rows["naive Bayes on words, binary"].status == "done"
    assert (rows["DMN, fine"].published, rows["DMN, binary"].published) == (52.1, 88.6)
    assert "recalled" in rows["DMN, fine"].source
    assert rows["DMN, binary"].target == 82.0


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: SentimentModel(hops=0), r"model\.hops is 0: expected at least 1"),
        (lambda: SentimentTraining(looks=0), r"training\.looks is 0: expected at least 1"),
        (lambda: SentimentTraining(word_dropout=1.0), r"training\.word_dropout is 1\.0"),
    ],
)
def test_what_cannot_be_trained_is_refused(make, said):
    with pytest.raises(ValueError, match=said):
        make()


def test_recipes_differ_in_their_classes_alone():
    binary = sentiment_binary()
    assert binary.names == ("negative", "positive")
    assert binary.model == Sentiment().model
    assert binary.training == Sentiment().training


@pytest.mark.data
def test_the_floor_on_the_whole_set():
    place = Path(os.environ.get("MEMNETS_DATA") or "nowhere")
    if not any((folder / "dev.txt").exists() for folder in (place / "trees", place / "sst")):
        pytest.skip("set MEMNETS_DATA to the folder that holds the folder trees of SST")
    for classes, share in (("fine", 0.4014), ("binary", 0.8177)):
        splits = SentimentData(classes=classes, phrases=False).load()
        found = naive_bayes_accuracy(splits["train"], splits["test"])
        assert found == pytest.approx(share, abs=1e-4)


def test_every_split_is_of_its_own_file(data):
    splits = SentimentData(data, phrases=False).load()
    firsts = {split: part[0].words for split, part in splits.items()}
    names = {"train": "train0", "valid": "dev0", "test": "test0"}
    assert {split: words[0] for split, words in firsts.items()} == names
