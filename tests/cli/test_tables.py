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


def test_hops_that_do_not_fit_beside_each_other_have_a_line_each():
    def hop(number, *weights):
        slots = (Support(slot, f"slot {slot}", weight) for slot, weight in enumerate(weights))
        return Step(f"{number} says: read", tuple(slots))

    steps = (
        hop(1, 0.1, 0.05, 0.25, 0.2, 0.3),
        hop(2, 0.05, 0.95, 0.0, 0.0, 0.0),
        hop(3, 0.06, 0.04, 0.0, 0.0, 0.0),
    )
    answer = Answer("1?", "1", 1.0, (), steps)
    assert len(evidence_table(answer, 3 * (5 + 2) + 12).columns) == 4
    table = evidence_table(answer, 3 * (5 + 2) + 11)
    named, slots, weights = ([str(cell) for cell in column.cells] for column in table.columns)
    assert named == ["1 says: read", "", "", "2 says: read", "3 says: read"]
    assert slots == ["slot 4", "slot 2", "slot 3", "slot 1", "slot 0"]
    assert weights == ["0.30", "0.25", "0.20", "0.95", "0.06"]
