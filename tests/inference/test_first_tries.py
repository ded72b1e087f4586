"""First tries of a new user in a notebook: each works, or says in one line what to do."""

import json
import os
import shutil
from pathlib import Path

import pytest
import torch

import memnets
from memnets.inference import KB

STORY = ["Mary moved to the bathroom.", "John went to the hallway."]
QUESTION = "Where is Mary?"
RECIPE = "memn2n/babi-generated"
TAKES = "memn2n/babi-generated takes ask(story, question), where story is a list of sentences"


@pytest.fixture(scope="module")
def answerer(run):
    return memnets.load(run)


@pytest.fixture
def says():
    """Try what must be refused, and return the one line that is said."""

    def call(attempt, kind=ValueError):
        with pytest.raises(kind) as caught:
            attempt()
        said = str(caught.value)
        assert "\n" not in said
        return said

    return call


def test_a_path_may_be_a_text_or_a_path(run):
    for path in (str(run), Path(run)):
        assert memnets.load(path).ask(STORY, QUESTION).text == "bathroom"


def test_a_question_needs_no_mark(answerer):
    assert answerer.ask(STORY, "Where is Mary").text == "bathroom"


def test_a_story_may_be_one_text(answerer):
    asked = [answerer.ask(STORY, QUESTION)]
    for between in ("\n", "\n\n", " ", "  \r\n"):
        asked.append(answerer.ask(between.join(STORY), QUESTION))
    assert asked == asked[:1] * 5
    assert len(asked[0].steps[0].supports) == 2


def test_names_may_be_given(answerer):
    assert answerer.ask(question=QUESTION, story=STORY).text == "bathroom"


def test_several_questions_give_several_answers(answerer):
    answers = answerer.ask(STORY, [QUESTION, "Where is John?"])
    assert [answer.text for answer in answers] == ["bathroom", "hallway"]
    assert answers[0] == answerer.ask(STORY, QUESTION)
    assert answerer.ask(STORY, []) == []


def test_an_empty_story(answerer, says):
    for story in ([], "", "\n"):
        said = says(lambda story=story: answerer.ask(story, QUESTION))
        assert said.startswith('"Where is Mary?" came before any sentence was told. Tell the story')


def test_unknown_words(answerer, says):
    answer = answerer.ask(["Zoe moved to the bathroom.", *STORY], "Where is Zoe?")
    assert answer.unknown_words == ("zoe",)
    assert "holds no word that this model knows" in says(lambda: answerer.ask(STORY, "Qui?"))


@pytest.mark.parametrize(
    ("given", "named", "came"),
    [
        ((QUESTION,), {}, "no question came"),
        ((None, QUESTION), {}, "no story came"),
        ((STORY, QUESTION, QUESTION), {}, "3 things came"),
        ((STORY,), {"quesion": QUESTION}, "there is no 'quesion'"),
        ((STORY, QUESTION), {"story": STORY}, "story came twice"),
        ((STORY, 3), {}, "questions came as 3"),
        (([1], QUESTION), {}, "story came as [1]"),
        ((QUESTION, STORY), {}, "'Where is Mary?' came in the story"),
    ],
)
def test_what_cannot_be_asked(answerer, says, given, named, came):
    assert says(lambda: answerer.ask(*given, **named)).startswith(f"{came}, but {TAKES}")


def test_an_answer_is_printed_and_drawn(answerer, capsys):
    answer = answerer.ask(STORY, QUESTION)
    print(answer)
    assert capsys.readouterr().out.startswith("bathroom (")
    assert repr(answer).startswith("Answer(bathroom (")
    drawn = answer._repr_html_()
    assert "<mark>Mary</mark> moved to the bathroom." in drawn
    assert "hop 3" in drawn
    assert repr(answerer).startswith("MemN2NAnswerer(memn2n/babi-generated in ")


def test_a_path_that_is_no_run(tmp_path, run, monkeypatch, says):
    monkeypatch.chdir(tmp_path)
    said = says(lambda: memnets.load("none"), FileNotFoundError)
    assert said.startswith("none: neither the folder of a run (it has no run.json) nor a knowledge")
    assert said.endswith("memnets.build_kb has made.")
    shutil.copytree(run, tmp_path / "runs" / "mine")
    said = says(lambda: memnets.load(tmp_path), FileNotFoundError)
    assert said.endswith("memnets.build_kb has made, such as runs/mine.")
    shutil.copytree(run, tmp_path / "runs" / "a-newer-one")
    os.utime(tmp_path / "runs" / "mine" / "run.json", (1, 1))
    said = says(lambda: memnets.load(tmp_path), FileNotFoundError)
    assert said.endswith("such as runs/a-newer-one.")


def test_a_run_that_is_not_finished(tmp_path, run, says):
    for name in ("run.json", "vocabulary.json"):
        shutil.copy(run / name, tmp_path)
    said = says(lambda: memnets.load(tmp_path), FileNotFoundError)
    assert said.endswith(f"or go on: memnets train --resume {tmp_path}")


def test_a_recipe_or_field_that_is_not_there(says):
    assert "Did you mean memn2n/babi-generated?" in says(lambda: memnets.train(RECIPE[:-1]))
    for name in ("training.epoch", "epochs"):
        said = says(lambda name=name: memnets.train(RECIPE, {name: 3}))
        assert said.endswith(f"has no field {name}. Did you mean training.epochs (now 6)?")


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("training.epochs", "three", "int, such as 6 (its value now)."),
        ("training.epochs", 3.0, "int, such as 6 (its value now)."),
        ("data.tasks", 1, "tuple[int, ...], such as (1, 2) (its value now)."),
        ("data.tasks", "1", "tuple[int, ...], such as (1, 2) (its value now)."),
        (
            "model.tying",
            "none",
            "one of 'adjacent', 'layer-wise', 'untied', such as 'adjacent' (its value now).",
        ),
    ],
)
def test_a_value_of_another_type(says, name, value, expected):
    said = says(lambda: memnets.train(RECIPE, {name: value}))
    assert said == f"{name} came as {value!r}; expected {expected}"


def test_a_value_that_the_run_refuses(says):
    said = says(lambda: memnets.train(RECIPE, {"model.hops": 0}))
    assert said.startswith("model.hops is 0: expected at least 1.")


def test_the_next_free_folder_is_taken_and_progress_told(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    small = {"data.tasks": (1,), "data.size": "1k", "training.epochs": 1}
    memnets.train(RECIPE, small | {"training.linear_epochs": 0})
    assert "update 28  softmax" in capsys.readouterr().out
    memnets.train(RECIPE, small | {"training.linear_epochs": 0}, show=False)
    assert capsys.readouterr().out == ""
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == [
        "memn2n-babi-generated-1",
        "memn2n-babi-generated-2",
    ]
    record = json.loads((tmp_path / "runs/memn2n-babi-generated-2/run.json").read_text())
    assert record["config"]["training"]["linear_epochs"] == 0
    assert record["config"]["data"]["tasks"] == [1]


def test_it_is_measured_again(run, answerer, says):
    assert memnets.evaluate(str(run), "valid") == answerer.metrics["valid"]
    assert says(lambda: answerer.evaluate("vali")) == (
        "split 'vali': expected one of train, valid, test."
    )


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is one")
def test_a_device_that_is_not_here(run, says):
    said = says(lambda: memnets.load(run, device="cuda"))
    assert said.startswith("device='cuda' cannot be used here (")
    assert said.endswith("). Leave it out for the CPU.")
    said = says(lambda: memnets.load(run, device="gpu"))
    assert said == "device='gpu': memn2n/babi-generated can be asked on cpu or cuda or mps."


def test_a_kb_is_asked(kb):
    answer = kb.ask("who directed up?")
    assert answer.text == "Ben, Ada"
    assert str(answer).startswith("Ben, Ada (")
    assert "Up | <mark>directed</mark>_by | Ben, Ada" in answer._repr_html_()
    assert [one.declined for one in kb.ask(["who directed Alien", "banana?"])] == [False, True]
    assert memnets.load(str(kb.path)).ask("who directed up?") == answer
    assert memnets.load(kb.trained).ask("who directed up?") == answer
    assert kb.metrics["test"]["accuracy"] > 0.5


def test_a_kb_is_asked_before_it_is_trained(tmp_path, says):
    facts = tmp_path / "facts.csv"
    facts.write_text("Alien,directed_by,Ada\n")
    kb = memnets.build_kb(str(facts), str(tmp_path / "my.kb"))
    assert repr(kb).endswith("my.kb: 1 facts, 1 relations; not trained yet: train() comes first)")
    said = says(lambda: kb.ask("who directed Alien?"), FileNotFoundError)
    assert said.endswith("(in Python: kb.train())")


def test_a_kb_is_told_a_story(kb, says):
    said = says(lambda: kb.ask(STORY, QUESTION))
    assert said.startswith("2 things came, but kb-qa takes ask(question)")


def test_a_kb_of_facts_that_are_none(tmp_path, says):
    for fact in (("Alien", "Ada"), ("Alien", "release_year", 1979), "abc"):
        said = says(lambda fact=fact: memnets.build_kb([fact], tmp_path / "my.kb"))
        assert said.startswith(f"fact 1 came as {fact!r}; expected three texts")
    (tmp_path / "rows.csv").write_text("Alien,won,Oscar\nAlien\n")
    with pytest.warns(UserWarning, match=r"1 bad rows left out: .*rows.csv:2"):
        memnets.build_kb(tmp_path / "rows.csv", tmp_path / "my.kb")


def test_a_kb_with_what_was_trained_otherwise(kb, run, says):
    said = says(lambda: KB(kb.path, trained=run).ask("who?"))
    assert "one: a run of another kind (babi/memn2n); expected one of `memnets kb train`" in said


def test_a_kb_that_has_changed_since_it_was_trained(kb, tmp_path):
    other = memnets.build_kb([("Heat", "directed_by", "Ada"), ("Heat", "won", "Oscar")], tmp_path)
    asked = KB(other.path, trained=kb.trained)
    with pytest.warns(UserWarning, match=r"has changed since the training; never learnt: won\."):
        assert asked.ask("who directed Heat?").text == "Ada"
