"""Answers beside the right ones."""

from memnets.data.qa.asked import AskedQuestion
from memnets.data.qa.judged import Tally, tallies
from memnets.kb.questions.judged import judge

ASKED = [
    AskedQuestion("one", ("Zoë Marsh", "Ben"), "plain"),
    AskedQuestion("part", ("Ada", "Ben"), "plain"),
    AskedQuestion("more", ("Ada",), "plain"),
    AskedQuestion("kept", ("Ada",), "plain"),
    AskedQuestion("none", (), "lost"),
    AskedQuestion("made up", (), "lost"),
]
SAID = {
    "one": (("ben", "zoe marsh"), 0.5),
    "part": (("Ada",), 0.9),
    "more": (("Ada", "Ben"), 0.91),
    "kept": ((), 0.99),
    "none": ((), 0.99),
    "made up": (("Ada",), 0.95),
}


def test_all_answers_and_no_other_are_right():
    told: list[int] = []
    judged = judge(ASKED, SAID.__getitem__, told.append)
    verdicts = ["right", "wrong", "wrong", "declined", "right", "wrong"]
    assert [one.verdict for one in judged] == verdicts
    assert told == [1, 2, 3, 4, 5, 6]
    assert tallies(judged) == [
        Tally("plain", asked=4, right=1, declined=1, wrong=2, sure=1),
        Tally("lost", asked=2, right=1, declined=0, wrong=1, sure=1),
        Tally("all", asked=6, right=2, declined=1, wrong=3, sure=2),
    ]
    assert tallies(judged[:4]) == [Tally("plain", 4, 1, 1, 2, 1)]


def test_a_question_without_words_is_declined_unasked():
    def ask(question):
        raise AssertionError(question)

    (judged,) = judge([AskedQuestion("?!", ())], ask)
    assert judged.verdict == "right"
