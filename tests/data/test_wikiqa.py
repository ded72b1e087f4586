"""WikiQA: both forms, groups, and MAP and MRR by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memnets.data.qa.wikiqa import (
    HEADER,
    Candidate,
    Ranking,
    WikiQAQuestion,
    load_questions,
    ranking,
    read_questions,
    read_sentences,
)
from memnets.data.rows import BadRows

ROWS = [
    'Q1\twho "was" he\tD1\tHim\tD1-0\tHe said "no".\t0',
    'Q1\twho "was" he\tD1\tHim\tD1-1\tA king\t1',
    "Q2\twhere\tD2\tIt\tD2-0\tThere\t0",
]
FIRST = (Candidate('He said "no".', False), Candidate("A king", True))


def put(path, *lines: str):
    path.write_text("\r\n".join(lines), encoding="utf-8", newline="")
    return path


def question(*right: int) -> WikiQAQuestion:
    return WikiQAQuestion("q", tuple(Candidate("s", bool(one)) for one in right))


def test_rows_of_a_question_are_grouped(tmp_path):
    assert list(read_questions(put(tmp_path / "a.tsv", HEADER, *ROWS))) == [
        WikiQAQuestion('who "was" he', FIRST, "Q1", "Him"),
        WikiQAQuestion("where", (Candidate("There", False),), "Q2", "It"),
    ]


def test_sentences_are_grouped_by_the_text_of_the_question(tmp_path):
    short = ["\t".join(row.split("\t")[column] for column in (1, 5, 6)) for row in ROWS]
    assert list(read_sentences(put(tmp_path / "a.txt", *short))) == [
        WikiQAQuestion('who "was" he', FIRST),
        WikiQAQuestion("where", (Candidate("There", False),)),
    ]


@pytest.mark.parametrize("row", ["Q1\tq\tD1", ROWS[0][:-1] + "2", ROWS[0][:-2], ROWS[0] + "\tx"])
def test_a_bad_row_is_refused_or_counted(tmp_path, row):
    path = put(tmp_path / "a.tsv", HEADER, ROWS[1], row)
    with pytest.raises(ValueError, match=r"a\.tsv:3: came .*expected QuestionID<TAB>Question<TAB>"):
        list(read_questions(path))
    bad = BadRows()
    assert len(list(read_questions(path, bad))) == bad.count == 1
    with pytest.raises(
        ValueError, match=r"b\.txt:1: came .*expected question<TAB>sentence<TAB>label"
    ):
        list(read_sentences(put(tmp_path / "b.txt", "q\ts\tyes")))


def test_either_form_is_loaded(tmp_path):
    put(tmp_path / "WikiQASent-dev.txt", "q\ts\t1")
    with pytest.warns(UserWarning, match="published"):
        assert load_questions("dev", tmp_path) == (WikiQAQuestion("q", (Candidate("s", True),)),)
    put(tmp_path / "WikiQA-dev.tsv", HEADER, *ROWS)
    with pytest.warns(UserWarning, match="published") as told:
        assert load_questions("dev", tmp_path)[0].name == "Q1"
    # Sentences are counted, not questions.
    assert "it has 3 records, where 2,733 were published" in str(told[-1].message)


def test_an_unknown_split_is_refused():
    with pytest.raises(
        ValueError, match=r"'valid': there is no such split\. Choose one of train, dev"
    ):
        load_questions("valid")


def test_a_question_may_have_no_answer_or_only_answers():
    assert [question(0, 0).answered, question(0, 1).answered] == [False, True]
    assert [question(1, 1).mixed, question(0, 1).mixed, question(0, 0).mixed] == [
        False,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("right", "scores", "precision", "reciprocal"),
    [
        ((1, 0, 0), (3.0, 2.0, 1.0), 1, 1),
        ((0, 1, 0), (3.0, 2.0, 1.0), 1 / 2, 1 / 2),
        ((0, 1, 1), (1.0, 3.0, 2.0), 1, 1),
        ((1, 0, 1, 0, 1), (5.0, 4.0, 3.0, 2.0, 1.0), (1 + 2 / 3 + 3 / 5) / 3, 1),
        ((0, 1), (1.0, 1.0), 1 / 2, 1 / 2),
        ((1, 0), (1.0, 1.0), 1, 1),
        ((0, 0), (1.0, 2.0), 0, 0),
    ],
)
def test_map_and_mrr_by_hand(right, scores, precision, reciprocal):
    found = ranking([question(*right)], [scores])
    assert found == pytest.approx((precision, reciprocal, 1, int(not any(right))))


def test_means_are_over_the_questions_that_are_given():
    questions = [question(1, 0), question(0, 0)]
    assert ranking(questions, [[2.0, 1.0]] * 2) == Ranking(0.5, 0.5, 2, 1)
    answered = [one for one in questions if one.answered]
    assert ranking(answered, [[2.0, 1.0]]) == Ranking(1.0, 1.0, 1, 0)


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 5)), min_size=1, max_size=11))
def test_only_the_order_of_scores_matters(pairs):
    asked = [question(*(int(right) for right, _ in pairs))]
    plain = ranking(asked, [[float(score) for _, score in pairs]])
    assert ranking(asked, [[score**3 - 7.0 for _, score in pairs]]) == plain
    assert 0 <= min(plain[:2]) <= max(plain[:2]) <= 1


def test_scores_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="'q': 1 scores for 2 candidates"):
        ranking([question(0, 1)], [[1.0]])
    with pytest.raises(ValueError, match="no questions were given"):
        ranking([], [])
