"""What rankers of relations learn from: questions that were written for them, and others."""

import pytest

from tests.tools.ranker_cases import Everything, table
from tools.ranker.batches import batch_of
from tools.ranker.further import asked_alone, with_other_words, words_of
from tools.ranker.phrasings import (
    PHRASINGS,
    WAYS,
    Column,
    Phrasing,
    Step,
    Table,
    read_tables,
)


def test_a_file_is_read_as_it_is_written(tmp_path):
    staff = table(tmp_path)
    assert staff.columns["baseTown"] == Column("base town", "text", ("Rome", "Bari", "Oslo"))
    assert [one.words for one in staff.columns.values()] == ["boss", "base town", "paid from"]
    boss, town = Step("boss"), Step("baseTown")
    assert staff.phrasings == [
        Phrasing((boss,), "who tells it what to do"),
        Phrasing((Step("boss", True),), "who does it 's bidding"),
        Phrasing((Step("baseTown", True),), "anybody in it"),
        Phrasing((boss, town), "where does it 's boss sit"),
        Phrasing(
            (Step("baseTown", True), Step("paid_from")), "since when do those in it get money"
        ),
        Phrasing((boss, boss, town), "where is the boss of it 's boss"),
        Phrasing((Step("baseTown", True), Step("boss", True)), "whose boss sits in it"),
        Phrasing((boss, Step("boss", True)), "who else has it 's boss"),
        Phrasing((), "does it snore"),
    ]


@pytest.mark.parametrize(
    ("line", "number"),
    [("boss\tf", 5), ("boss\tz\twho", 5), ("chief\tf\twho", 5), ("boss\th\twho", 5)],
)
def test_a_line_that_is_neither_is_named(tmp_path, line, number):
    text = "boss\tlink\tAda\n\nboss\tf\twho\n\n" + line
    with pytest.raises(ValueError, match=rf"staff.tsv:{number}: came "):
        table(tmp_path, text)


def test_what_is_shipped_can_be_read_and_covers_every_way():
    tables = read_tables()
    assert len(tables) == len([*PHRASINGS.glob("*.tsv")])
    ways = {*WAYS.values()}
    for one in tables:
        assert {tuple(step.backwards for step in asked.path) for asked in one.phrasings} == ways
        assert {step.column for asked in one.phrasings for step in asked.path} == {*one.columns}


def test_a_question_is_put_beside_all_that_it_may_ask_for(tmp_path):
    staff = table(tmp_path)
    other = Table({"colour": Column("colour", "text", ("red",))}, [])
    batch = batch_of(staff, staff.phrasings, [other], Everything(0))
    assert [one.words for one in batch.forwards] == ["boss", "base town", "paid from", "colour"]
    assert [one.words for one in batch.backwards] == ["boss", "base town", "colour"]
    on = [(0, then) for then in (0, 1, 2, 4)]  # the last one backwards
    back = [(first, then) for first in (4, 5) for then in (0, 1, 2, 4)]
    three = [(0, 0, 0), (0, 0, 1), (0, 0, 2)]
    assert batch.paths == [[*on, (1, 5), *back], three]  # and back to others of the town
    two, none = 4 + 3, 4 + 3 + 13 + 3
    right = [0, 4, 5, two + 1, two + 5 + 6, two + 13 + 1, two + 5 + 7, two + 3, none]
    assert batch.right.tolist() == right
    assert batch.own.tolist() == [True] * 3 + [False] + [True] * 2 + [False] + [True] * 17
    backwards = [True, False, False]  # from what is a row; all from what is none
    thing = [True] * 4 + backwards + [True] * 9 + [False] * 4 + [True] * 3 + [True]
    value = [False] * 4 + [True] * 3 + [False] * 5 + [True] * 8 + [False] * 3 + [True]
    asked_of = [thing, thing, value, thing, value, thing, value, thing, thing]
    assert batch.visible.tolist() == asked_of


class LeavesOut(Everything):
    """Leaves the first column out."""

    def randint(self, least, most):
        return 1

    def sample(self, some, number):
        return some[:number]


def test_none_is_right_where_the_column_is_left_out(tmp_path):
    staff = table(tmp_path)
    batch = batch_of(staff, staff.phrasings, [], LeavesOut(0))
    assert [one.words for one in batch.forwards] == ["base town", "paid from"]
    assert batch.paths == [[(0, 2), (2, 0), (2, 1)], []]
    none = len(batch.own) - 1
    assert batch.right.tolist() == [none, none, 2, none, 3 + 2, *[none] * 4]


def test_every_word_is_asked_for_alone(tmp_path):
    texts = asked_alone(["boss", "it", "town", "wage", "year"])
    assert texts == [
        *(f"what is its {word}" for word in ("boss", "town", "wage", "year")),
        *(f"which have it as {word}" for word in ("boss", "year")),
    ]
    (tmp_path / "pieces.json").write_text('{"model": {"vocab": {"zebra": 0, "z": 1, "##s": 2}}}')
    words = words_of([table(tmp_path)], tmp_path / "pieces.json")
    assert {"zebra", "bidding", "rome", "paid", "'s"} <= {*words}
    assert not {"z", "##s", "2001-02-03"} & {*words}


@pytest.mark.parametrize(
    ("question", "changed"),
    [
        ("who does it 's bidding", {"who does it 's violet"}),
        ("is it ok", set()),  # a short word tells nothing, as little as "which" or "how"
        ("red hats", {"violet hats", "red violet", "violet violet"}),
    ],
)
def test_questions_have_other_words_where_these_tell_something(question, changed):
    asked = [Table({}, [Phrasing((), question)])]
    some = (with_other_words(asked, ["violet", "o'clock", "an"], seed) for seed in range(20))
    assert {text for one in some for text in one} == changed


def test_other_words_are_the_same_for_a_seed(tmp_path):
    staff = table(tmp_path)
    one, again, other = (
        with_other_words([staff], ["violet", "lead", "who"], seed) for seed in (0, 0, 1)
    )
    assert one == again
    assert sorted(one) != sorted(other)
