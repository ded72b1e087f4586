"""Tagging as a run, as a command and as a table, on a small set that is made here."""

import io
import json
import os
import random

import pytest
import torch

from elsewhere import check_task
from memnets.cli.main import main
from memnets.data.treebanks import read_tagged
from memnets.inference import load_run
from memnets.studies import table
from memnets.studies.tagging.data import Tagged, TaggingData, digest, most_frequent_tag
from memnets.studies.tagging.recipes import Tagging, TaggingModel, TaggingTraining
from memnets.studies.tagging.task import TaggingVocabulary, number, shape, spelling

SMALL = [
    *("--model.dim", "8", "--model.hidden", "8", "--model.least", "1", "--model.dropout", "0"),
    *("--training.batch", "8", "--training.learning-rate", "0.05", "--training.epochs", "2"),
    *("--training.word-dropout", "0.05"),
]
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*this is not the published file"),
    pytest.mark.filterwarnings("ignore:.*records, where .* were published"),
]


def made(sentences: int, seed: int) -> str:
    """Tell sentences in which "can" is a noun after "the", and else a verb."""
    draw = random.Random(seed)
    lines = []
    for _ in range(sentences):
        who = draw.choice(("Ada", "Bo", "Cy"))
        verb, thing = draw.choice(("can", "sees", "likes")), draw.choice(("can", "cat", "dogs"))
        lines += [f"{who}\tPROPN\tNNP", f"{verb}\tVERB\tVBZ", "the\tDET\tDT"]
        lines += [f"{thing}\tNOUN\t{'NNS' if thing == 'dogs' else 'NN'}", ".\tPUNCT\t.", ""]
    return "\n".join(lines)


def small_run(data):
    model, training = TaggingModel(dim=3, hidden=3, least=1, dropout=0.0), TaggingTraining(batch=5)
    return Tagging(data=TaggingData(data), model=model, training=training)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data") / "ud_english_ewt"
    folder.mkdir()
    (folder / "train.tsv").write_text(made(120, 0))
    (folder / "dev.tsv").write_text(made(20, 1) + "\nzebras\tNOUN\tNNS\n\nPhew\tINTJ\tUH\n")
    return folder


@pytest.fixture(scope="module")
def run(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "one"
    options = ["--data.path", f"{data}", *SMALL, "--out", f"{folder}"]
    assert main(["train", "dmn/tagging", *options]) == 0
    return folder


def test_a_made_set_is_learnt(run):
    metrics = json.loads((run / "result.json").read_text())["metrics"]
    assert metrics["train"]["accuracy"] >= 0.99
    assert metrics["valid"]["accuracy"] >= 0.97  # "zebras" is among them
    assert metrics["test"].keys() == {"loss", "accuracy", "accuracy_unknown"}
    assert "accuracy_unknown" not in metrics["train"]


def test_a_sentence_is_tagged_with_its_evidence(run):
    answer = load_run(run).ask("Ada can the can.")
    assert answer.text == "Ada/PROPN can/VERB the/DET can/NOUN ./PUNCT"
    assert 0.1 < answer.probability <= 1
    assert [step.name for step in answer.steps] == ["hop 1", "hop 2"]
    assert [support.text for support in answer.steps[1].supports] == answer.text.split()
    assert all(0 <= support.weight <= 1 for step in answer.steps for support in step.supports)
    assert answer.gold is None
    strange = load_run(run).ask("Xu likes cats")
    assert strange.unknown_words == ("Xu", "cats")
    assert strange.remarks == ("unknown words: Xu, cats",)
    with pytest.raises(ValueError, match=r"no word to tag in this text\. Type a sentence\."):
        load_run(run).ask(" ")


def test_a_question_mark_is_a_word(run):
    assert load_run(run).ask("Ada can?").text.split()[2].startswith("?/")


def test_every_line_is_asked(run, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("Ada sees the cat.\n\nThe dogs\n"))
    assert main(["ask", f"{run}", "--json"]) == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["question"] for one in said] == ["Ada sees the cat .", "The dogs"]
    assert main(["ask", f"{run}", "--question", "Bo likes dogs"]) == 0
    shown = capsys.readouterr().out
    assert "Bo/PROPN likes/VERB" in shown
    assert "hop 2" in shown
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert main(["ask", f"{run}"]) != 0
    assert "nothing was asked. Type a text, or pass --question." in capsys.readouterr().err


def test_examples_have_right_and_wrong_tags(run):
    answers = list(load_run(run).examples("test", 0))
    assert len(answers) == 11  # the odd half of 22
    assert answers[0].correct
    assert answers[-1].question == "Phew"
    assert answers[-1].gold == "Phew/INTJ"  # a tag that no training sentence has
    assert not answers[-1].correct


def test_a_report_is_written(run, tmp_path, capsys):
    assert main(["report", f"{run}", "--out", f"{tmp_path / 'page'}", "--right", "1"]) == 0
    page = (tmp_path / "page" / "index.html").read_text()
    assert "Ada/PROPN" in page or "Bo/PROPN" in page or "Cy/PROPN" in page
    assert "accuracy unknown" in page


def test_the_halves_of_dev_are_its_even_and_odd_sentences(data):
    dev = list(read_tagged(data / "dev.tsv"))
    splits = TaggingData(data).load()
    assert [part.words[0] for part in splits["valid"]] == [one.words[0].form for one in dev[::2]]
    assert [part.words[0] for part in splits["test"]] == [one.words[0].form for one in dev[1::2]]
    assert set(TaggingData(data, "xpos").load()["train"][0].tags) <= {"NNP", "VBZ", "DT", "NN", "."}
    assert digest(splits) != digest(TaggingData(data, "xpos").load())


def test_the_floor_counts_tags():
    train = [Tagged(("a", "b"), ("X", "Y")), Tagged(("a", "a"), ("Y", "Y"))]
    asked = [Tagged(("a", "b", "c", "d"), ("Y", "X", "N", "M"))]
    assert most_frequent_tag(train, asked, "N") == (2, 4, 1, 2)


def test_spelling():
    assert spelling("Running") == ["-g", "-ng", "-ing", "-ning", "shape Xx"]
    assert spelling("US") == ["-s", "-us", "shape X"]
    assert [shape(word) for word in ("3,500", "McDonald's", "--", "a1b2", "日本")] == [
        *("d,d", "XxXx'x", "-", "xdxd", "x")
    ]


def test_rare_parts_are_unknown_and_a_word_keeps_its_spelling():
    train = [Tagged(("sing", "sing", "bring"), ("V", "V", "V"))]
    vocabulary = TaggingVocabulary.of(train, least=2, spelt=True)
    assert vocabulary.language.words == ("-g", "-ing", "-ng", "-sing", "shape x", "word sing")
    assert [vocabulary.knows(word) for word in ("sing", "bring")] == [True, False]
    ends = [vocabulary.language[part] for part in ("-g", "-ng", "-ing", "shape x")]
    assert vocabulary.parts("bring") == [1, *ends] == vocabulary.parts_unknown("bring")
    assert vocabulary.parts("King") == [1, *ends[:3]]
    plain = TaggingVocabulary.of(train, least=2, spelt=False)
    assert plain.parts("sing") == [plain.language["word sing"]]
    assert plain.parts("bring") == plain.parts_unknown("sing") == [1]
    again = TaggingVocabulary.from_json(json.loads(json.dumps(vocabulary.to_json())))
    assert again.parts("sing") == vocabulary.parts("sing")
    assert (again.tags, again.spelt) == (("V",), True)


def test_unseen_words_are_those_of_no_training_sentence():
    train = [Tagged(("a", "a", "b"), ("X", "X", "Y"))]
    vocabulary = TaggingVocabulary.of(train, least=2, spelt=False)
    numbered = number([Tagged(("b", "c"), ("Y", "Z"))], vocabulary, frozenset("ab"))
    assert numbered.unseen.tolist() == [[False, True]]
    assert numbered.tags.tolist() == [[1, -1]]


def test_the_task_is_the_same_on_another_device(data):
    experiment = small_run(data).prepare().experiment
    experiment.model.story.fusion = None  # torch packs sequences by lengths of the CPU
    check_task(experiment.task, experiment.model, {"train": None})


def test_the_table_has_floors_and_goes_on(data, run, tmp_path):
    place = "dmn-tagging", tmp_path / "runs", data
    planned = table("dmn-tagging")
    (jobs,) = planned.stages(*place, "")
    assert len(jobs) == 9
    (only,) = planned.stages(*place, "words only")
    assert {job.run.model.spelling for job in only} == {False}
    rows = {row.row: row for row in planned.collect(*place).rows}
    # Of the words that training has not, only "Phew" is in the reported half.
    assert rows["most frequent tag, UPOS"].status == "done"
    assert rows["most frequent tag, XPOS, unknown words"].measured == 0.0
    assert rows["UPOS"].status == "not run"
    assert rows["UPOS"].target == 92.0
    assert rows["XPOS"].target is None
    assert {"UPOS, words only, unknown words", "UPOS minus UPOS, words only"} <= rows.keys()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: TaggingModel(hops=0), r"model\.hops is 0: expected at least 1"),
        (lambda: TaggingModel(dropout=1.0), r"model\.dropout is 1\.0: expected a share"),
        (lambda: TaggingTraining(word_dropout=-0.1), r"training\.word_dropout is -0\.1"),
    ],
)
def test_what_cannot_be_trained_is_refused(make, said):
    with pytest.raises(ValueError, match=said):
        make()


@pytest.mark.data
def test_the_floor_on_the_whole_set():
    if not os.environ.get("MEMNETS_DATA"):
        pytest.skip("set MEMNETS_DATA to the folder that holds ud_english_ewt")
    splits = TaggingData().load()
    floor = most_frequent_tag(splits["train"], splits["test"], "NOUN")
    assert floor == (10_784, 12_495, 306, 1_001)
    xpos = TaggingData(tags="xpos").load()
    floor = most_frequent_tag(xpos["train"], xpos["test"], "NN")
    assert floor == (10_528, 12_495, 221, 1_001)


def test_the_weights_are_drawn_from_the_seed(data):
    first, again = (small_run(data).prepare().experiment.model for _ in range(2))
    assert all(map(torch.equal, first.parameters(), again.parameters()))
