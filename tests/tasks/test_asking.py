"""A question about a story: what becomes of it, and when it cannot be asked."""

import re

import pytest

from memnets.data.babi import Question, Statement
from memnets.data.babi.reader import parse_stories
from memnets.evidence import Support
from memnets.tasks.asking import YOURS, Asked

TEXT = "1 A b.\n2 C d.\n3 Who? \tC,D\t2\n4 E f.\n5 Where? \tHall\t4 1\n"


def test_a_question_of_a_data_set_has_what_was_told_before_it_and_its_supports():
    (story,) = parse_stories(TEXT, 1, "qa.txt")
    first, second = (Asked.of(story, one) for one in story.questions)
    assert first == (["A b.", "C d."], "Who?", "c,d", frozenset({1}))
    assert second == (["A b.", "C d.", "E f."], "Where?", "hall", frozenset({0, 2}))


def test_a_question_is_a_story_that_ends_in_it():
    story = Asked(["A b.", "C d."], "Who?", "c").story()
    assert story.items == (
        *(Statement(1, "A b."), Statement(2, "C d.")), Question(3, "Who?", "c", ())
    )  # fmt: skip
    assert (story.task, story.source, story.line) == (0, YOURS, 1)
    assert Asked(["A b."], "Who?").story().items[-1].answer == ""


def test_what_was_read_is_told_with_the_slots_and_the_gold():
    asked = Asked(["a", "b", "c"], "Who?", None, frozenset({2}))
    step = asked.step("hop 7", [0.25, 0.75], unread=1)
    assert step.name == "hop 7"
    assert step.supports == (Support(1, "b", 0.25, False), Support(2, "c", 0.75, True))
    plain = Asked(["a", "b"], "Who?").step("hop", [0.5, 0.5])
    assert plain.supports == (Support(0, "a", 0.5, None), Support(1, "b", 0.5, None))
    nothing = Asked(["a"], "Who?", None, frozenset()).step("hop", [1.0])
    assert nothing.supports == (Support(0, "a", 1.0, False),)


def test_a_question_that_cannot_be_asked_says_why():
    words = [f"w{n}" for n in range(9)]
    Asked(["a"], "Who?").check(True, words)
    for context, known in (([], True), ([], False)):
        with pytest.raises(ValueError, match=r'^"Who\?" came before any sentence was told\. Tell'):
            Asked(context, "Who?").check(known, words)
    said = (
        '"Who?" holds no word that this model knows. It was trained on 9 words, for example: '
        "w0, w1, w2, w3, w4, w5, w6."
    )
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        Asked(["a"], "Who?").check(False, words)
