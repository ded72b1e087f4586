import json

import pytest

from memnets.evidence import Answer, Step, Support
from memnets.evidence.heat import visible


def step(*weights, gold=(), known=True):
    return Step(
        "hop 1",
        tuple(
            Support(slot, f"sentence {slot}", weight, (slot in gold) if known else None)
            for slot, weight in enumerate(weights)
        ),
    )


def answer(*steps, gold="kitchen"):
    return Answer("Where is Mary?", "kitchen", 0.9, (("garden", 0.1),), steps, gold=gold)


def test_most_read_is_the_slot_with_the_largest_weight():
    assert step(0.1, 0.7, 0.2).most_read.slot == 1
    assert step(-3.0, -1.0).most_read.slot == 1
    assert step().most_read is None


@pytest.mark.parametrize(
    ("gold", "correct"),
    [("kitchen", True), ("garden", False), ("kit", False), ("kitchen,hall", False), (None, None)],
)
def test_correct_compares_with_the_gold_answer(gold, correct):
    assert answer(gold=gold).correct is correct


def test_one_step_on_gold_evidence_is_enough():
    assert answer(step(0.9, 0.1, gold=[1]), step(0.2, 0.8, gold=[1])).rests_on_gold is True
    assert answer(step(0.9, 0.1, gold=[1])).rests_on_gold is False


def test_nobody_said_what_is_gold():
    assert answer(step(0.9, 0.1, known=False)).rests_on_gold is None
    assert answer().rests_on_gold is None
    assert answer(step()).rests_on_gold is None


def test_an_answer_is_plain_json():
    record = json.loads(json.dumps(answer(step(0.25, 0.75, gold=[0])).to_json()))
    assert record["text"] == "kitchen"
    assert record["runners_up"] == [["garden", 0.1]]
    assert record["steps"][0]["supports"][1] == {
        "slot": 1,
        "text": "sentence 1",
        "weight": 0.75,
        "gold": False,
    }


def test_an_answer_prints_short():
    answer = Answer("Where?", "bathroom", 0.9984, (("hall", 0.001),), ())
    assert str(answer) == "bathroom (99.8%)"
    assert repr([answer]) == "[Answer(bathroom (99.8%))]"


def test_what_would_steer_a_terminal_or_turn_a_line_is_seen_instead():
    assert visible("a\x1b[2J\0\x7f\x9b\r\u202eb\u2066\u200f\ud800") == (
        "a<U+001B>[2J<U+0000><U+007F><U+009B><U+000D><U+202E>b<U+2066><U+200F><U+D800>"
    )
    assert visible("tab\t, line\nand wörd 😀") == "tab\t, line\nand wörd 😀"
    assert visible(" \n") == "␣⏎"
    read = Step("hop 1", (Support(0, "read \x1b", 1.0),))
    given = Answer("q\u202e?", "a\x1b", 1.0, (("b\x1b", 0.0),), (read,), unknown_words=("\u2067",))
    assert not set("\x1b\u202e\u2067") & set(given.to_html() + str(given))


def test_an_answer_draws_itself_and_everything_is_escaped():
    hostile = "<script>alert(1)</script>"
    step = Step(f"hop {hostile}", (Support(0, f"Mary {hostile}", 0.75, gold=True),))
    answer = Answer(
        f"Mary? {hostile}", hostile, 0.5, ((hostile, 0.25),), (step,), (hostile,), gold=hostile
    )
    drawn = answer._repr_html_()
    assert "<script" not in drawn
    assert "http" not in drawn
    assert drawn.count("&lt;") == 14  # 7 places, twice each
    assert '<td style="--depth:75.0%"' in drawn or 'class="dark" style="--depth:75.0%"' in drawn
    assert "★ <b><mark>Mary</mark>" in drawn
    assert drawn.startswith('<div class="memnets"><style>')
