"""SimpleQuestions: the official lines, the mapping to Wikidata, the mini set."""

import pytest

from memnets.data.facts import Fact, Triple
from memnets.data.qa.simplequestions import (
    SimpleQuestion,
    load_mini,
    load_questions,
    load_wikidata,
    read_questions,
    read_wikidata,
)

LINE = (
    "www.freebase.com/m/07f3jg\twww.freebase.com/people/person/place_of_birth\t"
    "www.freebase.com/m/0565d\twhere  was sasha vujačić BORN\n"
)
BORN = SimpleQuestion(
    "m.07f3jg", "people.person.place_of_birth", "m.0565d", "where  was sasha vujačić BORN"
)


def put(path, text: str):
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_a_question_is_kept_as_it_was_asked(tmp_path):
    assert list(read_questions(put(tmp_path / "q.txt", LINE))) == [BORN]
    assert BORN.fact == Triple("m.07f3jg", "people.person.place_of_birth", "m.0565d")


@pytest.mark.parametrize("line", ["a\tb\tc", "a\tb\tc\td\te", "a\t\tc\td"])
def test_a_line_without_four_fields_is_refused(tmp_path, line):
    with pytest.raises(
        ValueError, match=r"q\.txt:2: came .*subject<TAB>relation<TAB>object<TAB>que"
    ):
        list(read_questions(put(tmp_path / "q.txt", f"{LINE}{line}\n")))


@pytest.mark.parametrize(
    "name", ["SimpleQuestions_v2/annotated_fb_data_valid.txt", "official_valid.txt"]
)
def test_both_layouts_are_known(tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    put(tmp_path / name, LINE)
    with pytest.warns(UserWarning, match="published") as told:
        assert load_questions("valid", tmp_path) == (BORN,)
    assert "it has 1 records, where 10,845 were published" in str(told[-1].message)


@pytest.mark.parametrize("load", [load_questions, load_wikidata])
def test_an_unknown_split_is_refused(load):
    with pytest.raises(
        ValueError, match=r"'dev': there is no such split\. Choose train, valid or te"
    ):
        load("dev")


def test_a_relation_asked_backwards_is_turned(tmp_path):
    path = put(
        tmp_path / "wd.txt", "Q12439\tR19\tQ6106580\twho was born in detroit\nQ1\tP162\tQ2\tx"
    )
    backwards, forwards = read_wikidata(path)
    assert backwards.fact == Triple("Q6106580", "P19", "Q12439")
    assert forwards.fact == Triple("Q1", "P162", "Q2")


@pytest.mark.parametrize(
    "line",
    [
        "m.01\tP19\tQ2\tx",
        "Q1\tS19\tQ2\tx",
        "Q1\tP\tQ2\tx",
        "Q1\tP1\tQ\tx",
        "Q1\tP1\tQ2b\tx",
        "Q1\tP1b\tQ2\tx",
    ],
)
def test_what_is_no_wikidata_is_refused(tmp_path, line):
    with pytest.raises(
        ValueError, match=r"wd\.txt:1: came .*; expected Q<number><TAB>P<number> or R"
    ):
        list(read_wikidata(put(tmp_path / "wd.txt", line)))


def test_answerable_questions_are_a_file_of_their_own(tmp_path):
    put(tmp_path / "annotated_wd_data_valid_answerable.txt", "Q1\tP162\tQ2\tx")
    with pytest.warns(UserWarning, match="published") as told:
        assert len(load_wikidata("valid", tmp_path, answerable=True)) == 1
    assert "it has 1 records, where 2,820 were published" in str(told[-1].message)
    with pytest.raises(FileNotFoundError, match=r"annotated_wd_data_valid\.txt"):
        load_wikidata("valid", tmp_path)


def test_all_questions_that_could_be_mapped_are_taken_unless_told_otherwise(tmp_path):
    put(tmp_path / "annotated_wd_data_test.txt", "Q1\tP162\tQ2\tx")
    with pytest.warns(UserWarning, match="published") as told:
        load_wikidata("test", tmp_path)
    assert "it has 1 records, where 9,961 were published" in str(told[-1].message)


def test_the_mini_set_is_loaded_whole(tmp_path):
    put(tmp_path / "kb.tsv", "/m/01\t/a/b\t/m/02\n")
    put(tmp_path / "names.tsv", "/m/01\tRed\n")
    put(tmp_path / "train.tsv", LINE)
    put(tmp_path / "valid.tsv", LINE)
    with pytest.warns(UserWarning, match="published"):
        mini = load_mini(tmp_path)
    assert mini.facts == (Fact("m.01", "a.b", ("m.02",)),)
    assert mini.names == {"m.01": "Red"}
    assert mini.train == mini.valid == (BORN,)
