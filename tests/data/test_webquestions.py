"""WebQuestions: both forms, topics, and the F1 of Berant et al."""

import json

import pytest

from memnets.data.qa.webquestions import (
    Scores,
    WebQuestion,
    berant_f1,
    load_questions,
    read_questions,
    read_topics,
    scores,
)
from memnets.data.rows import BadRows

ONE = {"qId": "wqr000001", "answers": ["Padm\u00e9 Amidala"], "qText": "what character?"}


def put(path, value):
    text = value if isinstance(value, str) else json.dumps(value)
    path.write_text(text, encoding="utf-8-sig")
    return path


def original(target: str) -> list[dict[str, str]]:
    address = "http://www.freebase.com/view/en/natalie_portman"
    return [{"utterance": "what character?", "targetValue": target, "url": address}]


def test_the_redistributed_form_takes_topics_from_their_file(tmp_path):
    topics = read_topics(
        put(tmp_path / "k.json", [{"qId": "wqr000001", "freebaseKey": "natalie_portman"}])
    )
    path = put(tmp_path / "q.json", [ONE, {**ONE, "qId": "wqr2"}])
    assert read_questions(path, topics) == [
        WebQuestion("wqr000001", "what character?", ("Padmé Amidala",), "natalie_portman"),
        WebQuestion("wqr2", "what character?", ("Padmé Amidala",)),
    ]


@pytest.mark.parametrize(
    ("target", "answers"),
    [
        ('(list (description "New York City"))', ("New York City",)),
        ('(list (description Bahamas) (description "A (b) C"))', ("Bahamas", "A (b) C")),
        (r'(list (description "the \"real\" one"))', ('the "real" one',)),
    ],
)
def test_the_original_form_is_read(tmp_path, target, answers):
    assert read_questions(put(tmp_path / "q.json", original(target))) == [
        WebQuestion("0", "what character?", answers, "natalie_portman")
    ]


@pytest.mark.parametrize(
    "target",
    ["", "New York", "(list)", "(list (name x))", "(list (description x)", "(list (description))"],
)
def test_answers_in_another_form_are_refused(tmp_path, target):
    path = put(tmp_path / "q.json", original(target))
    with pytest.raises(
        ValueError, match=r"q\.json: entry 1: came the answers .*expected \(list"
    ) as got:
        read_questions(path)
    assert repr(target) in str(got.value)


@pytest.mark.parametrize(
    "entry",
    [
        {},
        {**ONE, "answers": []},
        {**ONE, "answers": "x"},
        {**ONE, "answers": ["x", 7]},
        {**ONE, "qId": 7},
        {"utterance": "who?"},
    ],
)
def test_an_entry_that_is_no_question_is_refused_or_counted(tmp_path, entry):
    path = put(tmp_path / "q.json", [ONE, entry])
    with pytest.raises(ValueError, match=r'q\.json: entry 2: came \{.*expected \{"qId"'):
        read_questions(path)
    bad = BadRows()
    assert len(read_questions(path, bad=bad)) == bad.count == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('[\n{"qId": }]', r"q\.json:2: damaged JSON"),
        ('{"qId": "a"}', r"q\.json: came .*expected a JSON list of objects"),
        ("[1]", "expected a JSON list of objects"),
    ],
)
def test_what_is_no_list_is_refused(tmp_path, text, complaint):
    with pytest.raises(ValueError, match=complaint):
        read_questions(put(tmp_path / "q.json", text))


def test_bytes_that_are_no_text_are_refused(tmp_path):
    (tmp_path / "q.json").write_bytes(b'[{"qId": "\xff"}]')
    with pytest.raises(ValueError, match=r"q\.json: byte 10 is not UTF-8 text"):
        read_questions(tmp_path / "q.json")


def test_a_topic_without_a_key_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r'k\.json: entry 1: came \{"qId": "a"\}; expected'):
        read_topics(put(tmp_path / "k.json", [{"qId": "a"}]))


@pytest.mark.parametrize("folder", ["main/", ""])
def test_a_split_is_loaded_with_its_topics(tmp_path, folder):
    for inner in ("main", "d-freebase"):
        (tmp_path / inner).mkdir()
    put(tmp_path / f"{folder}devtest.json", [ONE])
    put(tmp_path / "d-freebase" / "devtest.json", [{"qId": "wqr000001", "freebaseKey": "portman"}])
    with pytest.warns(UserWarning, match="published") as told:
        (question,) = load_questions("devtest", tmp_path)
    assert question.topic == "portman"
    assert "it has 1 records, where 189 were published" in str(told[-1].message)


def test_an_unknown_split_is_refused():
    with pytest.raises(ValueError, match=r"'train': there is no such split\. .* trainmodel, val"):
        load_questions("train")


@pytest.mark.parametrize(
    ("predicted", "gold", "expected"),
    [
        ([], ["a"], (1.0, 0.0, 0.0)),
        (["a"], ["a"], (1.0, 1.0, 1.0)),
        (["b"], ["a"], (0.0, 0.0, 0.0)),
        (["a", "b", "c"], ["a", "d"], (1 / 3, 1 / 2, 2 / 5)),
        (["a", "a", "b"], ["a"], (2 / 3, 1.0, 4 / 5)),
    ],
)
def test_f1_by_hand(predicted, gold, expected):
    assert berant_f1(predicted, gold) == pytest.approx(expected)


def test_scores_are_means_whatever_the_case():
    questions = [WebQuestion("1", "q", ("Red", "Blue")), WebQuestion("2", "q", ("White",))]
    found = scores([["red"], []], questions)
    assert found == Scores(precision=1.0, recall=0.25, f1=1 / 3, first=0.5, questions=2)
    assert scores([["green", "BLUE"], ["white"]], questions).first == 0.5


@pytest.mark.parametrize("count", [0, 1])
def test_as_many_predictions_as_questions(count):
    questions = [WebQuestion("1", "q", ("Red",))] * count
    with pytest.raises(
        ValueError, match=f"2 predictions for {count} questions" if count else "0 pre"
    ):
        scores([[]] * 2 * count, questions)
