"""Tables that several commands print: what was read, with the words of the question."""

from memnets.cli.tables import evidence_table
from memnets.evidence import Answer, Step, Support


def test_words_of_the_question_are_underlined_where_they_are_read():
    supports = (Support(0, "Red [1994] directed by K.", 0.75, True), Support(1, "a war", 0.25))
    answer = Answer("who directed Red?", "K.", 1.0, (), (Step("hop 1", supports),))
    read, _ = evidence_table(answer).columns
    first, second = read.cells
    assert first.plain == "Red [1994] directed by K. *"
    marked = [first.plain[one.start : one.end] for one in first.spans if one.style == "underline"]
    assert marked == ["Red", "directed"]
    assert (second.plain, second.spans) == ("a war", [])
