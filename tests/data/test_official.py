"""The official files of bAbI, as they are: checksums, round trips and statistics."""

from collections import Counter
from itertools import pairwise

import pytest

from memnets.data.babi import (
    TASKS,
    Statement,
    Story,
    fingerprint,
    load_task,
    read_stories,
    task_file,
    tokens,
    write_stories,
)
from memnets.data.babi.files import official_checksums, state
from memnets.data.babi.generate import make_stories

pytestmark = pytest.mark.data


@pytest.mark.parametrize("name", official_checksums())
def test_each_file_is_official_and_comes_back_byte_for_byte(babi_root, tmp_path, name):
    file = babi_root / name
    assert state(babi_root, name) == "official"
    assert fingerprint([file]) == official_checksums()[name]
    write_stories(tmp_path / "back.txt", read_stories(file))
    assert (tmp_path / "back.txt").read_bytes() == file.read_bytes()


@pytest.mark.parametrize("task", [task for task in TASKS if task != 3])
def test_the_small_training_file_is_the_head_of_the_large_one(babi_root, task):
    small = task_file(task, "train", path=babi_root).read_bytes()
    large = task_file(task, "train", folder="en-10k", path=babi_root).read_bytes()
    assert large.startswith(small)
    assert len(large) > len(small)


# Of train and test together: stories, vocabulary, memory least / mean / most, most words in a
# sentence, classes of answers, the most frequent answer's share. A joined answer is one word.
STATISTICS = {
    1: (400, 19, 2, 6.0, 10, 6, 6, None),
    2: (400, 33, 2, 15.4, 88, 6, 6, None),
    3: (400, 34, 4, 50.5, 228, 7, 6, None),
    4: (2000, 14, 2, 2.0, 2, 7, 6, None),
    5: (400, 39, 2, 19.4, 102, 7, 7, 0.180),
    6: (400, 35, 2, 6.3, 26, 6, 2, 0.503),
    7: (400, 43, 2, 8.5, 34, 6, 4, 0.488),
    8: (400, 45, 2, 8.8, 58, 6, 14, 0.340),
    9: (400, 23, 2, 6.0, 10, 7, 2, 0.636),
    10: (400, 24, 2, 6.0, 10, 9, 3, 0.452),
    11: (400, 26, 2, 6.0, 10, 8, 6, None),
    12: (400, 20, 2, 6.0, 10, 8, 6, None),
    13: (400, 26, 2, 6.0, 10, 8, 6, None),
    14: (400, 25, 2, 7.8, 14, 8, 6, None),
    15: (500, 17, 8, 8.0, 8, 5, 4, 0.279),
    16: (2000, 17, 9, 9.0, 9, 4, 4, None),
    17: (250, 18, 2, 2.0, 2, 11, 2, 0.513),
    18: (397, 18, 5, 6.2, 15, 9, 2, 0.513),
    19: (2000, 31, 5, 5.0, 5, 10, 12, None),
    20: (187, 35, 1, 5.9, 12, 7, 7, 0.183),
}


@pytest.mark.parametrize("task", TASKS)
def test_the_statistics(babi_root, task):
    stories = load_task(task, "train", path=babi_root) + load_task(task, "test", path=babi_root)
    count, vocabulary, least, mean, most, words, classes, share = STATISTICS[task]
    items = [item for story in stories for item in story.items]
    questions = [item for item in items if not isinstance(item, Statement)]
    said = {word for item in items for word in tokens(item.text)}
    memories = [len(told) for story in stories for told, _ in story.asked()]
    answers = Counter(question.answer for question in questions)
    assert len(questions) == 2000
    assert len(stories) == count
    assert len(said | {answer.lower() for answer in answers}) == vocabulary
    assert (min(memories), max(memories)) == (least, most)
    assert sum(memories) / len(memories) == pytest.approx(mean, abs=0.051)
    sentences = [item for item in items if isinstance(item, Statement)]
    assert max(len(tokens(item.text)) for item in sentences + questions) == words
    assert len(answers) == classes
    if share is not None:
        assert max(answers.values()) / 2000 == pytest.approx(share, abs=0.001)


def histograms(stories: list[Story]) -> dict[str, Counter]:
    """What a story looks like from outside, in eight histograms."""
    found = {name: Counter() for name in ("gap", "first", "distance", "span", "order", "answer")}
    found |= {"verb": Counter(), "again": Counter()}
    for story in stories:
        told = [len(memory) for memory, _ in story.asked()]
        found["first"][min(told[0], 30) // 4] += 1
        found["gap"].update(min(after - before, 12) for before, after in pairwise(told))
        for item in story.items:
            if isinstance(item, Statement):
                found["verb"][" ".join(tokens(item.text)[1:3])] += 1
        for question in story.questions:
            proof = question.supports
            found["distance"][min(question.line - max(proof), 9)] += 1
            found["span"][min(max(proof) - min(proof), 12) // 2] += 1
            found["order"][tuple(sorted(proof)) == proof] += 1
            found["answer"][question.answer] += 1
        found["again"].update(Counter(q.supports for q in story.questions).values())
    return found


def apart(one: Counter, other: Counter) -> float:
    """Total variation between two histograms."""
    return sum(abs(one[key] / one.total() - other[key] / other.total()) for key in one | other) / 2


@pytest.mark.parametrize("task", [1, 2, 3])
def test_generated_stories_are_like_the_official_ones(babi_root, task):
    if task == 3:
        official = load_task(3, "train", path=babi_root) + load_task(3, "test", path=babi_root)
    else:
        official = load_task(task, "train", folder="en-10k", path=babi_root)
    questions = sum(len(story.questions) for story in official)
    real = histograms(official)
    one, other = (histograms(make_stories(task, questions, seed)) for seed in (1, 2))
    for name in real:
        # Two generated sets differ too. Twice that, and what a small histogram varies by.
        limit = 2 * apart(one[name], other[name]) + 1.5 / questions**0.5
        assert apart(real[name], one[name]) < limit, name
