"""Files of typed questions."""

import gzip

import pytest

from memnets.data.qa.asked import AskedQuestion, read_asked


def test_columns_stand_in_any_order_and_further_ones_are_passed_over(tmp_path):
    path = tmp_path / "q.tsv"
    text = "kind\tquery\tquestion\tanswers\nplain\tx\tWho?\tAda | Ben\n\nlost\t\tWhy?\t\n"
    path.write_text(text)
    known = [AskedQuestion("Who?", ("Ada", "Ben"), "plain"), AskedQuestion("Why?", (), "lost")]
    assert read_asked(path) == known
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()))
    assert read_asked(str(path)) == known


def test_without_a_kind_all_questions_are_of_one(tmp_path):
    path = tmp_path / "q.tsv"
    path.write_text("question\tanswers\nWho?\t|Ada|| \n")
    assert read_asked(path) == [AskedQuestion("Who?", ("Ada",), "question")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", r"q\.tsv: this holds no questions; .*question<TAB>answers"),
        ("question\tanswers\n", r"q\.tsv: this holds no questions"),
        ("Who?\tAda\n", r"q\.tsv:1: came 'Who\?.*expected a first line with question<TAB>answers"),
        ("question\tanswers\n\nWho?\n", r"q\.tsv:3: came 'Who\?'; expected question<TAB>answers"),
        ("question\tanswers\n \tAda\n", r"q\.tsv:2: came .*expected question<TAB>answers"),
        ("question\tanswers\nWho?\tAda\tBen\n", r"q\.tsv:2: came"),
    ],
)
def test_a_bad_row_is_named(tmp_path, text, told):
    (tmp_path / "q.tsv").write_text(text)
    with pytest.raises(ValueError, match=told):
        read_asked(tmp_path / "q.tsv")
