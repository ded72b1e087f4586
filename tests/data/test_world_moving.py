"""Tasks 9 to 14, generated: rumours, companions, and moves over a day.

The shares are those of the official 10k training files.
"""

import re
from collections import Counter
from functools import cache
from itertools import pairwise

import pytest

from memnets.data.babi import Statement, Story
from memnets.data.babi.generate import make_stories, story_fingerprint
from memnets.data.babi.generate.days import TIMES, displaced
from memnets.data.babi.generate.dice import Dice

QUESTIONS = 4999
WENT = r"(?:went|journeyed|travelled|went back|moved) to the (\w+)"


@cache
def made(task: int) -> list[Story]:
    return make_stories(task, QUESTIONS, seed=11)


def statements(story: Story) -> list[Statement]:
    return [item for item in story.items if isinstance(item, Statement)]


def share(values: list[bool]) -> float:
    return sum(values) / len(values)


@pytest.mark.parametrize(
    ("task", "pinned"),
    [
        (9, "12b68de23b03f109"),
        (10, "6959d26109975edb"),
        (11, "8b2c279522d0c159"),
        (12, "9ae3d58701e6b343"),
        (13, "577f977d13b4e432"),
        (14, "ada6fa7c39d9d56c"),
    ],
)
def test_the_same_seed_gives_the_same_bytes_everywhere(task, pinned):
    assert story_fingerprint(make_stories(task, 101, seed=7))[:16] == pinned


@pytest.mark.parametrize("task", [9, 10, 11, 12, 13])
def test_a_question_follows_each_pair(task):
    for story in made(task):
        assert [len(told) for told, _ in story.asked()] == [2, 4, 6, 8, 10][: len(story.questions)]


@pytest.mark.parametrize(
    ("task", "shares"),
    [
        (9, {"to": 0.495, "is in": 0.25, "is not in": 0.125, "is no longer in": 0.13}),
        (10, {"to": 0.499, "is in": 0.25, "is either in": 0.25}),
    ],
)
def test_what_is_told_of_a_move(task, shares):
    kinds = Counter(
        re.search(r"is( \w+| no longer)? in|to", statement.text)[0]
        for story in made(task)
        for statement in statements(story)
    )
    assert set(kinds) == set(shares)
    for kind, expected in shares.items():
        assert kinds[kind] / kinds.total() == pytest.approx(expected, abs=0.015)


def test_a_negated_place_is_the_one_just_left():
    known = again = 0
    for story in made(9):
        place: dict[str, str] = {}
        denied: dict[str, str] = {}
        for statement in statements(story):
            actor, here = statement.text.split()[0], statement.text.split()[-1]
            if " not " in statement.text or " no longer " in statement.text:
                known += actor in place
                again += actor in denied
                assert place.pop(actor, here) == here
                assert denied.get(actor) != here
                denied[actor] = here
            else:
                assert place.get(actor) != here
                place[actor] = here
                denied.pop(actor, None)
    assert known > 100
    assert again > 100


def test_after_a_negation_only_the_negated_place_is_asked():
    answers = Counter()
    for story in made(9):
        for told, question in story.asked():
            text = {statement.line: statement.text for statement in told}[question.supports[0]]
            denied = " not " in text or " no longer " in text
            answers[denied, question.answer] += 1
            if denied:
                assert text.split()[-1].rstrip(".") == question.text.split()[-1].rstrip("?")
    assert answers[True, "yes"] == 0
    yes, no = answers[False, "yes"], answers[False, "no"]
    assert yes / (yes + no) == pytest.approx(0.5, abs=0.02)
    assert yes / QUESTIONS == pytest.approx(0.375, abs=0.02)


def test_one_of_two_places_means_maybe_and_both_can_be_the_same():
    same, answers = [], Counter()
    for story in made(10):
        for told, question in story.asked():
            text = {statement.line: statement.text for statement in told}[question.supports[0]]
            either = re.search(r"either in the (\w+) or the (\w+)", text)
            if either:
                same.append(either[1] == either[2])
                asked = question.text.split()[-1].rstrip("?")
                assert question.answer == ("maybe" if asked in either.groups() else "no")
            answers[question.answer] += 1
    assert share(same) == pytest.approx(1 / 6, abs=0.03)
    assert answers["maybe"] / QUESTIONS == pytest.approx(0.147, abs=0.015)
    assert answers["yes"] / QUESTIONS == pytest.approx(0.377, abs=0.02)


def test_he_and_she_are_those_of_the_line_before():
    for story in made(11):
        for go, on in zip(statements(story)[::2], statements(story)[1::2], strict=True):
            first = re.fullmatch(rf"(Mary|Sandra|John|Daniel) {WENT}\.", go.text)
            second = re.fullmatch(
                rf"(?:Then|After that|Following that|Afterwards) (he|she) {WENT}\.", on.text
            )
            assert (second[1] == "she") == (first[1] in ("Mary", "Sandra"))
            assert first[2] != second[2]


@pytest.mark.parametrize("task", [12, 13])
def test_two_go_where_neither_is(task):
    pairs = Counter()
    for story in made(task):
        at: dict[str, str] = {}
        who: tuple[str, ...] = ()
        for statement in statements(story):
            named = re.fullmatch(rf"(\w+) and (\w+) {WENT}\.", statement.text)
            if named:
                who = named.groups()[:2]
                pairs[who] += 1
            else:
                assert re.fullmatch(
                    rf"(?:Then|After that|Following that|Afterwards) they {WENT}\.", statement.text
                )
            place = re.search(WENT, statement.text)[1]
            assert all(at.get(name) != place for name in who)
            at |= dict.fromkeys(who, place)
    assert len(pairs) == 12
    assert max(pairs.values()) / min(pairs.values()) < 1.35


@pytest.mark.parametrize(("task", "latest"), [(11, 0.655), (12, 0.718), (13, 0.9235)])
def test_how_often_the_latest_trip_is_asked(task, latest):
    asked = [
        question.supports[-1] == told[-1].line
        for story in made(task)
        for told, question in story.asked()
    ]
    assert share(asked) == pytest.approx(latest, abs=0.025)


@pytest.mark.parametrize("task", [11, 13])
def test_two_lines_prove_what_a_pronoun_says(task):
    assert all(q.supports[0] + 1 == q.supports[1] for s in made(task) for q in s.questions)


def day(statement: Statement) -> tuple[str, int, str]:
    """Who, when and where."""
    (time,) = [i for i, name in enumerate(TIMES) if name in statement.text.lower()]
    found = re.search(rf"(Fred|Bill|Mary|Julie) {WENT}", statement.text)
    return found[1], time, found[2]


def test_a_day_goes_on_without_gaps_but_a_pair_is_told_backwards():
    backwards = 0
    for story in made(14):
        at: dict[str, list[str]] = {}
        block: list[tuple[str, int, str]] = []
        for item in story.items:
            if isinstance(item, Statement):
                block.append(day(item))
                continue
            for actor, time, place in sorted(block, key=lambda move: move[1]):
                before = at.setdefault(actor, [])
                assert time == len(before)
                assert before[-1:] != [place]
                before.append(place)
            if len(block) == 2 and block[0][0] == block[1][0]:
                assert block[0][1] > block[1][1]
                backwards += 1
            block = []
    assert backwards > 1000


def test_the_answer_of_task_14_is_where_he_was_the_step_before():
    descending = []
    for story in made(14):
        for told, question in story.asked():
            moves = {statement.line: day(statement) for statement in told}
            (actor, later, place), (same, earlier, answer) = (moves[x] for x in question.supports)
            assert question.text == f"Where was {actor} before the {place}?"
            assert (actor, later, question.answer) == (same, earlier + 1, answer)
            descending.append(question.supports[0] > question.supports[1])
    assert share(descending) == pytest.approx(0.628, abs=0.025)


def test_the_first_question_of_task_14_waits_for_a_second_move():
    first = Counter(len(next(story.asked())[0]) for story in made(14))
    assert first[2] / first.total() == pytest.approx(0.25, abs=0.04)
    assert first[4] / first.total() == pytest.approx(0.654, abs=0.05)
    gaps = {
        after - before
        for story in made(14)
        for before, after in pairwise(len(told) for told, _ in story.asked())
    }
    assert gaps == {2}


def test_half_of_the_times_come_first():
    first = [s.text.startswith(("Y", "T")) for story in made(14) for s in statements(story)]
    assert share(first) == pytest.approx(0.5, abs=0.02)


def test_what_is_displaced_makes_one_cycle():
    seen = Counter(tuple(displaced("abcd", Dice("cycle", seed))) for seed in range(3001))
    assert len(seen) == 6
    assert min(seen.values()) > 400
    for order in seen:
        place, steps = "a", 0
        while steps == 0 or place != "a":
            place, steps = order["abcd".index(place)], steps + 1
        assert steps == 4
