"""Writing bAbI's line format: what is written reads back as the same."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memnets.data.babi import Question, Statement, Story, read_stories, write_stories
from memnets.data.babi.reader import parse_stories
from memnets.data.babi.writer import format_stories

# What stands in one field: no TAB, no line end, no byte 0, nothing that strip() would take.
FIELD = st.text(
    st.characters(blacklist_characters="\0\t\r\n", blacklist_categories=("Cs",)),
    min_size=1,
    max_size=11,
).filter(lambda text: text == text.strip() and not text.startswith("\ufeff"))
# A statement is no question, with or without its answer.
TOLD = FIELD.filter(lambda text: not re.search(r"\?(\s|$)", text))


@st.composite
def plans(draw) -> list[list[tuple]]:
    """Stories as the arguments of their lines (building records draws random numbers in tests)."""
    made = []
    for _ in range(draw(st.integers(1, 3))):
        lines, told, number = [], [], 1
        for _ in range(draw(st.integers(1, 7))):
            if draw(st.booleans()):
                lines.append((number, draw(TOLD)))
                told.append(number)
            else:
                supports = draw(st.lists(st.sampled_from(told), max_size=3)) if told else []
                gap = draw(st.sampled_from(["", " ", "  "]))
                lines.append((number, draw(FIELD), draw(FIELD), tuple(supports), gap))
            number += draw(st.integers(1, 3))
        if len(lines) > 1 or len(lines[0]) > 2:  # one statement alone would be a repeated line 1
            made.append(lines)
    return made or [[(1, "Mary left."), (2, "John left.")]]


def build(plan: list[list[tuple]]) -> list[Story]:
    return [
        Story(tuple(Statement(*x) if len(x) == 2 else Question(*x) for x in lines), 1, "made", 1)
        for lines in plan
    ]


@given(plans())
def test_written_stories_read_back_as_the_same(tmp_path_factory, plan):
    made = build(plan)
    file = tmp_path_factory.mktemp("written") / "qa1_.txt"
    write_stories(file, made)
    assert [story.items for story in read_stories(file)] == [story.items for story in made]


@given(plans())
def test_well_formed_text_comes_back_unchanged(plan):
    text = format_stories(build(plan))
    assert format_stories(parse_stories(text, 1, "text")) == text


def one(*items) -> list[Story]:
    return [Story(items, 1, "mine", 5)]


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (one(Statement(1, "a\tb")), "the story from mine:5 would read back as another"),
        (one(Statement(1, " a")), "the story from mine:5 would read back as another"),
        (one(Statement(1, "a"), Statement(1, "b")), "line 1 follows line 1"),
        (one(Statement(1, "a?")), "the question has no answer"),
        (one(Statement(1, "a? b 1")), "no TAB stands between the question and its answer"),
        (one(Statement(1, "a\0b")), "a byte of the line is 0"),
        (one(Statement(1, "a")) + one(Statement(2, "b")), "the story from mine:5 would read back"),
        (one(Statement(1, "a")) + one(), "the story from mine:5 would read back as another"),
        (one(Statement(1, "a\n2 b")), "the story from mine:5 would read back as another"),
        (one(Statement(2, "a")), "the first story starts at line 2"),
        (one(Statement(1, "a"), Question(2, "b?", "c", (2,))), "names line 2 as its evidence"),
        (one(Question(1, "b?", "", ())), "the answer has no text"),
        (one(Statement(1, "\ud800")), "surrogates not allowed"),
        ([], "there is no story"),
    ],
)
def test_what_would_not_read_back_is_not_written(tmp_path, made, message):
    file = tmp_path / "kept.txt"
    file.write_text("old")
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        write_stories(file, made)
    assert str(file) in str(caught.value)
    assert "othing was written" in str(caught.value)
    assert file.read_text() == "old"


def test_stories_are_looked_at_though_they_come_but_once(tmp_path):
    told = Story((Statement(1, "Mary left."), Statement(2, " John left.")), 1, "made", 1)
    with pytest.raises(ValueError, match="the story from made:1 would read back as another"):
        write_stories(tmp_path / "qa1.txt", iter([told]))
    assert not (tmp_path / "qa1.txt").exists()


def test_a_failed_write_leaves_the_old_file_alone(tmp_path, monkeypatch):
    file = tmp_path / "kept.txt"
    file.write_text("old")

    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_stories(file, one(Statement(1, "new")))
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]
    assert file.read_text() == "old"
