"""Reading bAbI's line format: what is accepted, what is refused, and where."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnets.data.babi import Question, Statement, Story, read_stories, tokens
from memnets.data.babi.reader import parse_stories

STORY = """\
1 Mary moved to the bathroom.
2 John went to the hallway.
3 Where is Mary? \tbathroom\t1
4 Daniel took the milk there.
5 Is John in the hallway?\tyes\t2 4
"""


def parse(text: str) -> list[Story]:
    return parse_stories(text, 1, "story.txt")


def test_a_story_is_statements_and_questions():
    (story,) = parse(STORY)
    assert story.items == (
        Statement(1, "Mary moved to the bathroom."),
        Statement(2, "John went to the hallway."),
        Question(3, "Where is Mary?", "bathroom", (1,), before_tab=" "),
        Statement(4, "Daniel took the milk there."),
        Question(5, "Is John in the hallway?", "yes", (2, 4), before_tab=""),
    )
    assert (story.task, story.source, story.line) == (1, "story.txt", 1)


def test_a_questions_memory_is_what_was_told_before_it():
    (story,) = parse(STORY)
    lines = [[told.line for told in memory] for memory, _ in story.asked()]
    assert lines == [[1, 2], [1, 2, 4]]
    for memory, question in story.asked():
        assert story.statements_before(question) == memory
    assert [question.line for question in story.questions] == [3, 5]


def test_number_one_starts_a_story():
    stories = parse(STORY + STORY)
    assert [story.line for story in stories] == [1, 6]
    assert stories[0].items == stories[1].items


@pytest.mark.parametrize(
    "text",
    [
        STORY.rstrip("\n"),
        STORY.replace("\n", "\r\n"),
        STORY.replace("\n", "\r"),
        STORY.replace("\n", "\n\n"),
        "\n \n" + STORY + "\n\n",
        STORY.replace("\t1\n", "\t 1 \n").replace("\tyes", "\t yes "),
        STORY.replace("1 Mary", " 1  Mary"),
    ],
    ids=["no last line end", "CRLF", "CR", "blank lines", "blank ends", "fields", "indented"],
)
def test_what_carries_no_meaning_is_accepted(text):
    assert [story.items for story in parse(text)] == [story.items for story in parse(STORY)]


def test_a_byte_order_mark_is_dropped(tmp_path):
    file = tmp_path / "qa13_compound-coreference_test.txt"
    file.write_bytes(b"\xef\xbb\xbf" + STORY.encode())
    (story,) = read_stories(file)
    assert story.items == parse(STORY)[0].items
    assert (story.task, story.source) == (13, str(file))
    assert read_stories(file, task=7)[0].task == 7


@pytest.mark.parametrize("cut", [2, 3, 5, 12])
def test_a_file_that_ends_within_a_line_is_refused(cut, tmp_path):
    file = tmp_path / "cut.txt"
    file.write_text(STORY[:-cut])
    with pytest.raises(
        ValueError, match=r"cut\.txt:5: the file ends within this line, .* anew; or"
    ):
        read_stories(file)
    file.write_text(STORY.replace("\n", "\r"))
    assert read_stories(file)[0].items == parse(STORY)[0].items


def test_a_name_that_says_nothing_is_task_0(tmp_path):
    (tmp_path / "mine.txt").write_text(STORY)
    assert read_stories(tmp_path / "mine.txt")[0].task == 0


@pytest.mark.parametrize(
    ("name", "task"),
    [
        *(("qa1_a.txt", 1), ("qa20_a.txt", 20), ("qa07_a.txt", 7)),
        *(("qa123_a.txt", 0), ("qa1a_a.txt", 0), ("qa13.txt", 0), ("my-qa1_a.txt", 0)),
        *(("qa_a.txt", 0), ("QA1_a.txt", 0)),
    ],
)
def test_a_task_is_named_by_one_or_two_digits_at_the_beginning(tmp_path, name, task):
    (tmp_path / name).write_text(STORY)
    assert read_stories(tmp_path / name)[0].task == task


def test_the_end_of_the_line_that_is_cut_is_told(tmp_path):
    file = tmp_path / "cut.txt"
    file.write_text("1 Mary left.\n2 " + "x" * 50 + " end")
    said = rf"cut\.txt:2: the file ends within this line, '{'x' * 36} end': it has no line end"
    with pytest.raises(ValueError, match=said):
        read_stories(file)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("3 c?\td\t1 7 9", r"line 7 as its evidence, but this story has lines 1 to 2 above it"),
        ("3 c?\td\t2 3", r"line 3 as its evidence, but this story has lines 1 to 2 above it"),
        ("3 c?\td\t0", r"line 0 as its evidence, but this story has lines 1 to 2 above it"),
        ("3 c?\td\t1 x y", r"names 'x' as its evidence"),
        ("3 c?\td\t1\t2\t3", r"the question has 5 columns"),
        ("3 c?\t \t1", r"the answer has no text"),
        ("3 \td\t1", r"the question has no text"),
        ("2 c", r"line 2 follows line 2 of the same story"),
        ("1x c", r"the line starts with '1x', not with a number"),
        ("3 ", r"line 3 of the story has no text"),
    ],
)
def test_the_very_thing_that_is_wrong_is_named(line, said):
    with pytest.raises(ValueError, match=rf"mine:3: .*{said}"):
        parse_stories(f"1 a.\n2 b.\n{line}\n", 1, "mine")


def test_a_byte_that_no_text_has_is_refused(tmp_path):
    file = tmp_path / "nul.txt"
    file.write_bytes(b"1 A.\n2 B\0C.\n")
    with pytest.raises(ValueError, match=r"nul\.txt:2: a byte of the line is 0"):
        read_stories(file)


def test_evidence_may_be_left_out():
    for ending in ("", "\t", "\t "):
        (story,) = parse(f"1 Where am I?\tHere{ending}\n")
        assert story.items == (Question(1, "Where am I?", "Here", (), ""),)
        assert list(story.asked()) == [((), story.items[0])]


def test_a_story_may_ask_nothing_and_number_with_gaps():
    (story,) = parse("1 Zoë ging nach Köln.\n7 Ça va.\n")
    assert story.items == (Statement(1, "Zoë ging nach Köln."), Statement(7, "Ça va."))


def test_a_number_of_nine_digits_is_one():
    (story,) = parse("1 A.\n999999999 B.\n")
    assert [item.line for item in story.items] == [1, 999_999_999]


def test_stories_say_in_which_line_they_start():
    assert [story.line for story in parse("\n1 A.\n2 B.\n\n1 C.\n2 D.\n1 E?\tf\n")] == [2, 5, 7]


def test_other_line_breaks_are_text():
    # str.splitlines would cut here.
    (story,) = parse("1 one\x0ctwo\u2028three\x85four\n")
    assert story.items == (Statement(1, "one\x0ctwo\u2028three\x85four"),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "story.txt: there is no story in this file"),
        ("\n \n", "story.txt: there is no story in this file"),
        ("1 A.\nB.\n", "story.txt:2: the line starts with 'B.', not with a number"),
        ("1 A.\r\nB.\r\n", "story.txt:2: the line starts with 'B.', not with a number"),
        ("1 A.\n2 B?\tc\t0\n", "line 0 as its evidence, but this story has lines 1 to 1 above"),
        ("1 A.\n2 B?\tc\t2\n", "line 2 as its evidence, but this story has lines 1 to 1 above"),
        ("1 A?\tb\n2 C?\td\t1\n", "line 1 as its evidence, but that is not a statement of this"),
        ("1 A.\n" + "9" * 10 + " B.\n", "story.txt:2: the line starts with '9999999999'"),
        ("1 A.\n+2 B.\n", "story.txt:2: the line starts with '+2', not with a number"),
        ("1 A.\n٢ B.\n", "story.txt:2: the line starts with '٢', not with a number"),
        ("1 A.\n" + "9" * 5000 + " B.\n", "story.txt:2: the line starts with '999"),
        ("1 A.\n\n2\n", "story.txt:3: line 2 of the story has no text"),
        ("1 A.\n2 \t \n", "story.txt:2: line 2 of the story has no text"),
        ("4 A.\n", "story.txt:1: the first story starts at line 4"),
        ("1 A.\n2 B.\n2 C.\n", "story.txt:3: line 2 follows line 2 of the same story"),
        ("1 A.\n5 B.\n3 C.\n", "story.txt:3: line 3 follows line 5 of the same story"),
        ("1 A.\n1 B.\n2 C?\td\t1\n", "story.txt:2: line 1 follows line 1"),
        ("1 A.\n2 B? \n", "story.txt:2: the question has no answer"),
        ("1 A.\n2 B? c 1\n", "story.txt:2: no TAB stands between the question and its answer"),
        ("1 A.\n2 B?  c\n", "story.txt:2: no TAB stands between the question and its answer"),
        ("1 A.\n2 B?\tc\t1\t1\n", "story.txt:2: the question has 4 columns"),
        ("1 A.\n2 \tc\t1\n", "story.txt:2: the question has no text"),
        ("1 A.\n2 B?\t \t1\n", "story.txt:2: the answer has no text"),
        ("1 A.\n2 B?\tc\t1 x\n", "story.txt:2: the answer names 'x' as its evidence"),
        ("1 A.\n2 B?\tc\t-1\n", "story.txt:2: the answer names '-1' as its evidence"),
        (
            "1 A.\n2 B?\tc\t12\n",
            "story.txt:2: the answer names line 12 as its evidence, "
            "but this story has lines 1 to 1 above it",
        ),
        ("1 A.\n2 B?\tc\t2\n", "names line 2 as its evidence, but this story has lines 1 to 1"),
        ("1 A.\n2 B?\tc\t1\n3 D?\te\t2\n", "names line 2 as its evidence, but that is not a stat"),
        ("1 A.\n2 B.\n1 C.\n2 D?\te\t0\n", "story.txt:4: the answer names line 0 as its evidence"),
    ],
)
def test_what_would_be_misread_is_refused(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        parse(text)


def test_evidence_from_the_story_before_is_refused():
    with pytest.raises(ValueError, match=r"story\.txt:5: the answer names line 3 .* lines 1 to 1"):
        parse("1 A.\n2 B.\n3 C.\n1 D.\n2 E?\tf\t3\n")


def test_bytes_that_are_not_utf8_are_refused(tmp_path):
    file = tmp_path / "latin.txt"
    file.write_bytes(b"1 A.\n2 B.\n3 Zo\xeb went.\n")
    with pytest.raises(ValueError, match=r"latin\.txt:3: byte 0xeb is not UTF-8 text"):
        read_stories(file)


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.txt: this does not exist; expected a file"):
        read_stories(tmp_path / "none.txt")
    with pytest.raises(FileNotFoundError, match="this is a folder; expected a file"):
        read_stories(tmp_path)


LINES = st.lists(
    st.one_of(
        st.text(max_size=13),
        st.builds("{} {}".format, st.integers(0, 5), st.text(max_size=13)),
        st.builds(
            "{} {}\t{}\t{}".format,
            st.integers(0, 5),
            st.text(max_size=7),
            st.text(max_size=7),
            st.integers(0, 5),
        ),
    ),
    max_size=7,
)


def outcome(read: Callable[[], list[Story]]) -> str | None:
    """None where it reads, the message where it refuses; any other exception passes."""
    try:
        stories = read()
    except ValueError as error:
        return str(error)
    assert all(story.items for story in stories)
    return None


@given(LINES)
def test_any_text_is_read_or_refused(lines):
    said = outcome(lambda: parse("\n".join(lines)))
    assert said is None or said.startswith("story.txt")


@given(st.binary(max_size=61))
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    file: Path = tmp_path_factory.mktemp("bytes") / "any.txt"
    file.write_bytes(data)
    said = outcome(lambda: read_stories(file))
    assert said is None or said.startswith(str(file))


def test_tokens_are_lower_case_words_without_full_stop_and_question_mark():
    assert tokens("Mary went back to the Office.") == (
        "mary",
        "went",
        "back",
        "to",
        "the",
        "office",
    )
    assert tokens("Where is  Zoë? ") == ("where", "is", "zoë")
    assert tokens("apple,milk") == ("apple,milk",)
    assert tokens("it's (not) 3-4!") == ("it's", "(not)", "3-4!")
    assert tokens("?") == ()
