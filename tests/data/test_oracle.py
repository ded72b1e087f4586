"""A reader that knows only the text answers every question of tasks 1 to 3 and names the proof.

It shares nothing with the generator: it searches the sentences backwards, where the generator
keeps books. So it checks the books, and the official labels too.
"""

import re

import pytest

from memnets.data.babi import Question, Statement, Story, load_task
from memnets.data.babi_world import make_stories

MOVE = re.compile(r"(\w+) (?:went|journeyed|travelled|went back|moved) to the (\w+)\.")
GET = re.compile(r"(\w+) (?:picked up|got|grabbed|took) the (\w+)(?: there)?\.")
DROP = re.compile(r"(\w+) (?:left|discarded|dropped|put down) the (\w+)(?: there)?\.")

Told = tuple[Statement, ...]


def last_move(told: Told, actor: str) -> tuple[str, int]:
    for statement in reversed(told):
        found = MOVE.fullmatch(statement.text)
        if found and found[1] == actor:
            return found[2], statement.line
    raise AssertionError(f"nobody said where {actor} is")


def where_is(told: Told, thing: str) -> tuple[str, set[int]]:
    """The place of an object: where it was dropped, or where its holder is."""
    for index, statement in reversed(list(enumerate(told))):
        found = GET.fullmatch(statement.text) or DROP.fullmatch(statement.text)
        if found and found[2] == thing:
            dropped = DROP.fullmatch(statement.text)
            place, line = last_move(told[:index] if dropped else told, found[1])
            return place, {statement.line, line}
    raise AssertionError(f"nobody handled the {thing}")


def where_was(told: Told, thing: str, place: str) -> tuple[str, set[int]]:
    """The place of an object before its last visit of a place."""
    end = max(i for i, s in enumerate(told) if re.search(rf" the {thing}( there)?\.$", s.text))
    take = GET.fullmatch(told[end].text)
    start = end
    while not (GET.fullmatch(told[start].text) and thing in told[start].text):
        start -= 1
    holder = told[start].text.split()[0]
    carried = [
        (found[2], statement.line)
        for statement in told[start : None if take else end]
        if (found := MOVE.fullmatch(statement.text)) and found[1] == holder
    ]
    here = max(i for i, (visited, _) in enumerate(carried) if visited == place)
    before, line = carried[here - 1]
    return before, {told[end].line, carried[here][1], line}


def solve(told: Told, question: Question) -> tuple[str, set[int]]:
    if found := re.fullmatch(r"Where is the (\w+)\?", question.text):
        return where_is(told, found[1])
    if found := re.fullmatch(r"Where is (\w+)\?", question.text):
        place, line = last_move(told, found[1])
        return place, {line}
    found = re.fullmatch(r"Where was the (\w+) before the (\w+)\?", question.text)
    assert found
    return where_was(told, found[1], found[2])


def check(stories: list[Story]) -> int:
    asked = 0
    for story in stories:
        for told, question in story.asked():
            answer, proof = solve(told, question)
            place = (story.source, story.line, question)
            assert answer == question.answer, place
            assert proof == set(question.supports), place
            asked += 1
    return asked


@pytest.mark.parametrize("task", [1, 2, 3])
def test_generated_questions_are_answered_from_the_text(task):
    assert check(make_stories(task, 997, seed=5)) == 997


@pytest.mark.data
@pytest.mark.parametrize("task", [1, 2, 3])
@pytest.mark.parametrize("split", ["train", "test"])
def test_official_questions_are_answered_from_the_text(babi_root, task, split):
    assert check(load_task(task, split, path=babi_root)) == 1000
