"""Which answers a report shows."""

from types import SimpleNamespace

from memnets.cli.report import LOOKED_AT, choose
from memnets.evidence import Answer


def answerer(*gold):
    """Says "hall" to every question; counts how many were asked."""
    asked = []

    def examples(split, task):
        for number, right in enumerate(gold):
            asked.append((split, task))
            yield Answer(f"{number}?", "hall", 1.0, (), (), gold="hall" if right else "office")

    return SimpleNamespace(examples=examples, asked=asked)


def shown(one, right, wrong):
    return [answer.question for answer in choose(one, 7, right=right, wrong=wrong)]


def test_so_many_right_and_wrong_answers_are_shown():
    one = answerer(True, True, False, True, False, True, False)
    assert shown(one, right=3, wrong=1) == ["0?", "1?", "2?", "3?"]
    assert one.asked == [("test", 7)] * 4  # no more than needed
    assert shown(answerer(True, True, False), right=0, wrong=2) == ["2?"]


def test_the_search_for_a_wrong_answer_ends():
    one = answerer(*[True] * (LOOKED_AT + 50))
    assert shown(one, right=1, wrong=1) == ["0?"]
    assert len(one.asked) == LOOKED_AT
