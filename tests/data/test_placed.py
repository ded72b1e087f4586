"""Questions with the lines that answer them, and what is said of files that hold no such thing."""

import pytest

from memnets.data.qa.placed import PlacedQuestion, read_placed

HEAD = "question\tfile\tline\tkind\n"


def test_questions_are_read_with_their_places(tmp_path):
    path = tmp_path / "asked.tsv"
    path.write_text(
        HEAD + "when is it open?\tleisure/pool.md\t7\theading\n\nwho?\ta.md\t1\tplain\n"
    )
    assert read_placed(path) == [
        PlacedQuestion("when is it open?", "leisure/pool.md", 7, "heading"),
        PlacedQuestion("who?", "a.md", 1, "plain"),
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", r"asked\.tsv: this holds no questions; expected the line question<TAB>file<TAB>line"),
        (HEAD, "this holds no questions"),
        ("file\tline\n", r"asked\.tsv:1: came 'file\\tline'; expected question<TAB>file<TAB>line"),
        (HEAD + "who?\ta.md\t1\n", r"asked\.tsv:2: came .*; expected question<TAB>file<TAB>line"),
        (HEAD + "who?\t \t1\tplain\n", r"asked\.tsv:2: came"),
        (HEAD + "who?\ta.md\t0\tplain\n", r"asked\.tsv:2: .*expected a line's number from 1"),
        (HEAD + "who?\ta.md\tone\tplain\n", r"expected a line's number from 1"),
    ],
)
def test_what_is_no_such_file_is_refused(tmp_path, text, complaint):
    path = tmp_path / "asked.tsv"
    path.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        read_placed(path)
