"""Which slots a heat map shows."""

from dataclasses import replace

from memnets.evidence import Step, Support
from memnets.evidence.heat import MOST, heat_map, left_out, matched
from memnets.report.tasks import TaskScore, task_scores


def test_a_short_memory_is_shown_whole(make_answer):
    heat = heat_map(make_answer(2).steps)
    assert heat.columns == ("hop 1", "hop 2", "hop 3")
    assert [(row.slot, row.gold) for row in heat.rows] == [(0, False), (1, True)]
    assert heat.rows[1].weights == (0.15, 0.85, 0.15)
    assert heat.left_out == 0


def test_a_long_memory_shows_what_was_read_and_what_is_gold(make_answer):
    heat = heat_map(make_answer(61, gold=47).steps)  # the others were read by 0.3 / 61 < 0.005
    assert [row.slot for row in heat.rows] == [0, 1, 2, 47]
    assert heat.left_out == 57
    assert left_out(57) == "57 slots that were hardly read are left out"
    assert left_out(1) == "1 slot that was hardly read is left out"


def test_a_long_memory_read_evenly_is_cut_but_never_its_gold(make_answer):
    even = make_answer(97, hops=1, gold=89)
    supports = tuple(replace(s, weight=1 / 97) for s in even.steps[0].supports)
    heat = heat_map((Step("read", supports),))
    assert len(heat.rows) == MOST
    assert 89 in [row.slot for row in heat.rows]
    assert [row.slot for row in heat.rows] == sorted(row.slot for row in heat.rows)


def test_steps_that_read_different_slots_share_a_map(make_answer):
    first = Step("a", (Support(3, "three", 1.0),))
    second = Step("b", (Support(2, "two", 0.25), Support(3, "three", 0.75, gold=True)))
    heat = heat_map((first, second))
    assert heat.rows == ((2, "two", False, (0.0, 0.25)), (3, "three", True, (1.0, 0.75)))


def test_an_answer_says_whether_it_is_right(make_answer):
    assert make_answer(2).in_words == "✓ right: kitchen (87.5%)"
    wrong = make_answer(2, right=False).in_words
    assert wrong == "✗ wrong: kitchen (87.5%); right is office"
    assert replace(make_answer(2), gold=None).in_words == "kitchen (87.5%)"


def test_tasks_are_read_from_metrics_in_their_order():
    metrics = {"accuracy": 0.9, "accuracy/10": 0.75, "accuracy/2": 0.939, "gold_read/2": 0.5}
    assert task_scores(metrics, {"accuracy/2": 6.1}) == [
        TaskScore("2", 0.939, gold_read=0.5, published=0.939),
        TaskScore("10", 0.75),
    ]
    scores = task_scores(metrics, {"accuracy/2": 6.1, "accuracy/10": 24.0})
    assert [score.missed for score in scores] == [False, True]


def test_words_of_the_question_are_found_in_what_was_read():
    pieces = matched("Alien | directed_by | the Ada", "Who directed the alien?")
    assert [text for text, both in pieces if both] == ["Alien", "directed"]
    assert "".join(text for text, _ in pieces) == "Alien | directed_by | the Ada"
    assert matched("", "who") == []
    assert matched("Ada", "who is the") == [("Ada", False)]


def test_a_weight_below_zero_counts_by_its_size():
    supports = tuple(Support(n, f"sentence {n}", -0.5 if n == 3 else 0.001) for n in range(30))
    heat = heat_map([Step("hop 1", supports)])
    assert [row.slot for row in heat.rows] == [3]
