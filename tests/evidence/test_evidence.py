import json
from dataclasses import replace

import pytest

from memnets.evidence import Alignment, Answer, Step, Support
from memnets.evidence.heat import brief, heat_map, visible


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


def test_an_alignment_is_steps_that_read_the_same_words():
    alignment = Alignment(("ein", "Hund"), ("a", "dog", "."), ((0.9, 0.1), (0.2, 0.8), (0.5, 0.5)))
    assert [step.name for step in alignment.steps] == ["a", "dog", "."]
    assert alignment.steps[1].most_read == Support(1, "Hund", 0.8)
    assert answer(*alignment.steps).alignment == alignment
    assert answer().alignment == Alignment((), (), ())
    other = replace(alignment.steps[2], supports=alignment.steps[2].supports[:1])
    assert answer(*alignment.steps[:2], other).alignment is None


@pytest.mark.parametrize("weights", [((1.0,),), ((0.5, 0.5), (1.0,)), ()])
def test_an_alignment_of_another_shape_is_refused(weights):
    with pytest.raises(ValueError, match="expected 2 rows of 2: a row for each word"):
        Alignment(("ein", "Hund"), ("a", "dog"), weights)


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


def test_of_slots_that_are_read_alike_the_first_is_named():
    assert step(0.2, 0.4, 0.4).most_read.slot == 1


def test_a_memory_of_twenty_slots_is_shown_whole_and_a_larger_one_is_not():
    for slots, shown in ((20, 20), (21, 1)):
        heat = heat_map([step(1.0, *[0.0] * (slots - 1))])
        assert (len(heat.rows), heat.left_out) == (shown, slots - shown)


def test_a_slot_that_is_read_by_just_the_least_share_is_left_out():
    heat = heat_map([step(*[0.005] * 20, 0.0051)])
    assert [row.slot for row in heat.rows] == [20]
    heat = heat_map([step(*[0.0] * 20, -0.1, gold=[3])])  # gold, or read against
    assert [row.slot for row in heat.rows] == [3, 20]


def test_of_many_slots_those_that_some_step_read_most_are_shown_in_their_order():
    rising = [0.01 * n for n in range(1, 61)]
    heat = heat_map([step(*rising), step(*rising[::-1], gold=[30])])
    # The two steps read one end each: the least read stand in the middle, one of them is gold.
    assert [row.slot for row in heat.rows] == [*range(25), 30, *range(36, 60)]
    assert [row.slot for row in heat.rows if row.gold] == [30]
    assert heat.left_out == 10


def test_a_slot_is_gold_where_any_step_says_so():
    said, silent = Support(3, "s", 0.5, gold=True), Support(3, "s", 0.5)
    for supports in ((said, silent), (silent, said)):
        (row,) = heat_map([Step("hop", (support,)) for support in supports]).rows
        assert row.gold
    (row,) = heat_map([Step("hop", (silent,))]).rows
    assert not row.gold


def drawn(weight):
    one = Step("hop", (Support(6, "s", weight),))
    return Answer("q", "a", 1.0, (), (one,)).to_html()


def test_a_cell_is_as_deep_as_its_weight_is_large_and_white_where_it_is_dark():
    assert '<td style="--depth:77.0%" title="hop, slot 7: 0.770000">0.77</td>' in drawn(0.77)
    assert '<td class="dark" style="--depth:78.0%" title="hop, slot 7: 0.780000">' in drawn(0.78)
    deepest = '<td class="dark" style="--depth:100.0%" title="hop, slot 7: -3.000000">-3.00</td>'
    assert deepest in drawn(-3.0)
    assert '<td class="text">s</td>' in drawn(0.5)  # no star: nobody said that it is gold
    assert "★" not in drawn(0.5)


def test_what_stands_beside_an_answer_is_said_in_its_drawing():
    told = answer(step(0.25, 0.75, gold=[1]))
    html = told.to_html()
    assert '<p class="good">✓ right: kitchen (90.0%)</p>' in html
    assert '<p class="remark">then garden 10.0%; ★ gold evidence</p>' in html
    assert '<p class="bad">' in answer(gold="hall").to_html()
    plain = replace(answer(step(*[0.9, *[0.0] * 22])), gold=None, runners_up=())
    assert '<p class="">kitchen (90.0%)</p>' in plain.to_html()
    assert '<p class="remark">22 slots that were hardly read are left out</p>' in plain.to_html()


def test_what_was_not_read_is_said_with_the_answer():
    part = replace(answer(step(0.5, 0.5)), gold=None, unread=1234, unknown_words=("zoe", "yak"))
    last = "only the last 2 of 1,236 sentences were read: the memory holds no more"
    assert part.remarks == (last, "unknown words, read as nothing: zoe, yak")
    assert str(part) == f"kitchen (90.0%); {last}"
    assert str(replace(part, unread=0)) == "kitchen (90.0%)"
    assert replace(part, unread=0, unit="character").remarks == ("unknown characters: zoe, yak",)
    assert answer(step(1.0)).remarks == ()
    careful = replace(part, caution="taking 'Alein' for 'Alien'")
    assert careful.in_words == "taking 'Alein' for 'Alien': kitchen (90.0%)"


@pytest.mark.parametrize(
    ("probability", "said"), [(0.0, "0.0%"), (0.0004, "below 0.1%"), (0.0006, "0.1%")]
)
def test_an_unlikely_answer_is_not_called_impossible(probability, said):
    told = replace(answer(), gold=None, probability=probability)
    assert told.in_words == f"kitchen ({said})"


def test_a_long_complaint_keeps_its_beginning_and_its_end():
    text = "".join(chr(ord("a") + n % 26) for n in range(1501))
    assert brief(text[:1500]) == text[:1500]
    assert brief(text) == f"{text[:750]} [... 251 characters ...] {text[-500:]}"
    assert brief("a\x1b") == "a<U+001B>"
