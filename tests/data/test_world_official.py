"""Generated stories have the statistics of the official 10k training files, task by task."""

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev

import pytest

from memnets.data.babi import Statement, Story, load_task, tokens
from memnets.data.babi.generate import make_stories

pytestmark = pytest.mark.data

NAMES = re.compile(r"\b(Mary|John|Sandra|Daniel|Fred|Bill|Jeff|Julie)\b")
PLACES = re.compile(r"\b(bedroom|bathroom|kitchen|garden|hallway|office|school|park|cinema)\b")
OBJECTS = re.compile(r"\b(apple|football|milk)\b")
TASKS = range(5, 15)


@cache
def template(text: str) -> str:
    return OBJECTS.sub("O", PLACES.sub("L", NAMES.sub("P", text)))


def histograms(stories: list[Story]) -> dict[str, Counter]:
    """What can be seen of stories, each as a histogram; long tails in one cell."""
    found = {
        name: Counter()
        for name in (
            *("statement", "question", "answer", "questions", "length", "first", "gap"),
            *("distance", "span", "supports", "order", "again", "same person"),
        )
    }
    for story in stories:
        found["questions"][len(story.questions)] += 1
        found["length"][min(len(story.items), 60) // 3] += 1
        told = [len(memory) for memory, _ in story.asked()]
        found["first"][min(told[0], 30)] += 1
        found["gap"].update(min(after - before, 16) for before, after in pairwise(told))
        for item in story.items:
            if isinstance(item, Statement):
                found["statement"][template(item.text)] += 1
        for question in story.questions:
            proof = question.supports
            found["question"][template(question.text)] += 1
            found["answer"][question.answer] += 1
            found["distance"][min(question.line - max(proof), 12)] += 1
            found["span"][min(max(proof) - min(proof), 20)] += 1
            found["supports"][len(proof)] += 1
            found["order"][proof == tuple(sorted(proof))] += 1
        found["again"].update(Counter(q.supports for q in story.questions).values())
        asked = [NAMES.findall(question.text) for question in story.questions]
        found["same person"].update(before == after for before, after in pairwise(asked))
    return found


def apart(one: Counter, other: Counter) -> float:
    """Total variation between two histograms."""
    return sum(abs(one[key] / one.total() - other[key] / other.total()) for key in one | other) / 2


@cache
def generated(task: int, seed: int) -> list[Story]:
    return make_stories(task, 10_000, seed)


@cache
def official(root: Path, task: int) -> list[Story]:
    return load_task(task, "train", folder="en-10k", path=root)


@pytest.mark.parametrize("task", TASKS)
def test_generated_stories_are_like_the_official_ones(babi_root, task):
    sets = (official(babi_root, task), generated(task, 1), generated(task, 2))
    real, one, other = map(histograms, sets)
    for name, seen in real.items():
        # Two generated sets differ too. Twice that, and what a small histogram varies by.
        limit = 2 * apart(one[name], other[name]) + 1.5 / max(seen.total(), 1) ** 0.5
        assert apart(seen, one[name]) < limit, name


def words(stories: list[Story]) -> set[str]:
    items = [item for story in stories for item in story.items]
    answers = {item.answer for item in items if not isinstance(item, Statement)}
    # A joined answer is a word of its own; which of the rare ones occur is chance.
    return {word for item in items for word in tokens(item.text)} | {
        word for answer in answers for word in answer.split(",")
    }


@pytest.mark.parametrize("task", TASKS)
def test_the_vocabulary_is_the_official_one(babi_root, task):
    assert words(generated(task, 1)) == words(official(babi_root, task))


@pytest.mark.parametrize("task", TASKS)
def test_the_mean_size_of_a_memory_is_the_official_one(babi_root, task):
    one, other = (
        [fmean(len(told) for told, _ in story.asked()) for story in stories]
        for stories in (official(babi_root, task), generated(task, 1))
    )
    # By whole stories: the memories of one are not independent. 0 where all stories are alike.
    by_chance = (stdev(one) ** 2 / len(one) + stdev(other) ** 2 / len(other)) ** 0.5
    assert abs(fmean(one) - fmean(other)) <= 3 * by_chance
