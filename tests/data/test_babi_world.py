"""Generated stories keep the rules of the official ones, and have their statistics.

The shares are those of the official files: the 10k training files of tasks 1 and 2, and all of
task 3 at hand. `tests/data/test_official.py` compares both sets directly.
"""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

import pytest

from memnets.data.babi import Statement, Story, read_stories, tokens, write_stories
from memnets.data.babi.generate import make_stories, story_fingerprint
from memnets.data.babi.generate.dice import Dice

QUESTIONS = {1: 5000, 2: 5000, 3: 2503}
PLACES = ("bathroom", "bedroom", "garden", "hallway", "kitchen", "office")
SENTENCE = re.compile(
    r"(?P<actor>Mary|John|Sandra|Daniel) "
    r"(?P<verb>went to|journeyed to|travelled to|went back to|moved to"
    r"|picked up|got|grabbed|took|left|discarded|dropped|put down) "
    r"the (?P<what>\w+)(?P<there> there)?\."
)
KIND = (
    dict.fromkeys(("went to", "journeyed to", "travelled to", "went back to", "moved to"), "move")
    | dict.fromkeys(("picked up", "got", "grabbed", "took"), "get")
    | dict.fromkeys(("left", "discarded", "dropped", "put down"), "drop")
)


@cache
def made(task: int) -> list[Story]:
    return make_stories(task, QUESTIONS[task], seed=11)


def sentences(stories: Iterable[Story]) -> list[re.Match[str]]:
    found = [
        SENTENCE.fullmatch(item.text)
        for story in stories
        for item in story.items
        if isinstance(item, Statement)
    ]
    assert all(found)
    return found


def shares(values: Iterable[object]) -> dict[object, float]:
    counts = Counter(values)
    return {value: count / counts.total() for value, count in counts.items()}


def apart(one: dict, other: dict) -> float:
    """Total variation between two histograms."""
    return sum(abs(one.get(key, 0) - other.get(key, 0)) for key in {*one, *other}) / 2


def surprise(values: Iterable[object], expected: int) -> float:
    """How many standard deviations the chi-square of a uniform draw lies above its mean."""
    counts = Counter(values)
    assert len(counts) == expected
    mean = counts.total() / expected
    chi = sum((count - mean) ** 2 / mean for count in counts.values())
    return (chi - (expected - 1)) / (2 * (expected - 1)) ** 0.5


def gaps(stories: Iterable[Story]) -> tuple[list[int], list[int]]:
    """Statements before the first question, and between two questions."""
    first, later = [], []
    for story in stories:
        told = [len(memory) for memory, _ in story.asked()]
        first.append(told[0])
        later += [after - before for before, after in pairwise(told)]
    return first, later


def test_the_same_seed_gives_the_same_bytes_everywhere():
    # Written down once; every platform and Python version must agree.
    pinned = ["c8fe581ae63b046d", "4493cfe9c78ffb60", "e77aea76d31af647"]
    assert [story_fingerprint(make_stories(task, 101, seed=7))[:16] for task in QUESTIONS] == pinned


def test_seeds_splits_and_tasks_have_streams_of_their_own():
    prints = {
        story_fingerprint(make_stories(task, 11, seed, split))
        for task in QUESTIONS
        for seed in (0, 1)
        for split in ("train", "test")
    }
    assert len(prints) == len(QUESTIONS) * 4


def test_fewer_questions_are_the_head_of_more():
    assert make_stories(2, 35, seed=3) == make_stories(2, 70, seed=3)[:7]


def test_the_source_says_that_the_stories_are_generated(tmp_path):
    assert {story.source for story in make_stories(2, 11, seed=0)} == {"generated:qa2:seed=0"}
    assert make_stories(1, 1, seed=3, split="test")[0].source == "generated:qa1:seed=3:test"


@pytest.mark.parametrize("task", QUESTIONS)
def test_a_written_file_reads_back_with_the_same_line_numbers(task, tmp_path):
    stories = make_stories(task, 53, seed=0)
    write_stories(tmp_path / f"qa{task}_made.txt", stories)
    back = read_stories(tmp_path / f"qa{task}_made.txt")
    assert [(s.items, s.task, s.line) for s in back] == [(s.items, s.task, s.line) for s in stories]


@pytest.mark.parametrize("questions", [1, 5, 7, 53])
def test_exactly_the_questions_asked_for_are_made(questions):
    counts = [len(story.questions) for story in make_stories(1, questions, seed=0)]
    assert sum(counts) == questions
    assert set(counts[:-1]) <= {5}


def test_what_cannot_be_made_is_refused():
    with pytest.raises(ValueError, match=r"task=21: stories of this task .* Choose one of 1, 2, 3"):
        make_stories(21, 5, seed=0)
    with pytest.raises(ValueError, match="questions=0: expected at least one"):
        make_stories(1, 0, seed=0)


def test_dice_are_fair():
    dice = Dice("fair")
    assert surprise((dice.pick(range(7)) for _ in range(7000)), 7) < 4
    assert sum(dice.chance(0.2) for _ in range(5000)) / 5000 == pytest.approx(0.2, abs=0.02)


@pytest.mark.parametrize("task", QUESTIONS)
def test_nobody_moves_to_the_place_where_he_is(task):
    for story in made(task):
        at: dict[str, str] = {}
        for sentence in sentences([story]):
            if KIND[sentence["verb"]] == "move":
                assert at.get(sentence["actor"]) != sentence["what"]
                at[sentence["actor"]] = sentence["what"]


@pytest.mark.parametrize("task", [2, 3])
def test_objects_are_taken_where_they_lie_and_dropped_by_their_holder(task):
    taken = 0
    for story in made(task):
        at: dict[str, str] = {}
        holder: dict[str, str] = {}
        lies: dict[str, str] = {}
        for sentence in sentences([story]):
            actor, what = sentence["actor"], sentence["what"]
            if KIND[sentence["verb"]] == "move":
                at[actor] = what
            elif KIND[sentence["verb"]] == "get":
                assert what not in holder
                if what in lies and actor in at:
                    assert lies[what] == at[actor]
                    taken += 1
                holder[what] = actor
                lies.pop(what, None)
            else:
                assert holder.pop(what) == actor
                if actor in at:
                    lies[what] = at[actor]
    assert taken > 100


@pytest.mark.parametrize("task", QUESTIONS)
def test_things_are_told_in_pairs(task):
    first, later = gaps(made(task))
    assert all(gap % 2 == 0 for gap in first + later)


@pytest.mark.parametrize("task", [2, 3])
def test_the_thing_asked_for_was_handled_lately(task):
    for story in made(task):
        for told, question in story.asked():
            handled = [index for index, s in enumerate(told) if s.line == question.supports[0]]
            assert len(told) - handled[0] <= 5


def test_the_order_of_proofs():
    for story in made(2) + made(3):
        text = {item.line: item.text for item in story.items}
        for question in story.questions:
            kinds = [KIND[SENTENCE.fullmatch(text[line])["verb"]] for line in question.supports]
            assert kinds[0] in ("get", "drop")
            assert set(kinds[1:]) == {"move"}
            if story.task == 3 or kinds[0] == "drop":
                assert question.supports[-1] < question.supports[-2]
            else:
                assert question.supports[0] < question.supports[1]


@pytest.mark.parametrize("task", QUESTIONS)
def test_actors_places_and_verbs_are_uniform(task):
    found = sentences(made(task))
    moves = [sentence for sentence in found if KIND[sentence["verb"]] == "move"]
    assert surprise((s["actor"] for s in moves), 4) < 5
    assert surprise((s["what"] for s in moves), 6) < 5
    for kind, verbs in (("move", 5), ("get", 4), ("drop", 4)):
        if task > 1 or kind == "move":
            assert surprise((s["verb"] for s in found if KIND[s["verb"]] == kind), verbs) < 5


KINDS = {
    1: {"move": 1.0},
    2: {"move": 0.650, "get": 0.198, "drop": 0.152},
    3: {"move": 0.637, "get": 0.188, "drop": 0.175},
}


@pytest.mark.parametrize("task", QUESTIONS)
def test_the_shares_of_what_happens(task):
    assert apart(shares(KIND[s["verb"]] for s in sentences(made(task))), KINDS[task]) < 0.01


@pytest.mark.parametrize(
    ("task", "kind", "share"),
    [(2, "get", 1.0), (2, "drop", 0.2), (3, "get", 0.2), (3, "drop", 0.2)],
)
def test_the_share_of_there(task, kind, share):
    found = [bool(s["there"]) for s in sentences(made(task)) if KIND[s["verb"]] == kind]
    assert sum(found) / len(found) == pytest.approx(share, abs=0.015)


@pytest.mark.parametrize("task", QUESTIONS)
def test_answers_are_places_almost_uniform(task):
    answers = shares(question.answer for story in made(task) for question in story.questions)
    assert apart(answers, dict.fromkeys(PLACES, 1 / 6)) < 0.05


DISTANCES = {
    1: {1: 0.45, 2: 0.29, 4: 0.13, 5: 0.09},
    2: {1: 0.42, 2: 0.26, 4: 0.16, 5: 0.10},
    3: {1: 0.40, 2: 0.25, 4: 0.16, 5: 0.11},
}


@pytest.mark.parametrize("task", QUESTIONS)
def test_the_distance_to_the_latest_proof(task):
    distances = shares(
        question.line - max(question.supports)
        for story in made(task)
        for question in story.questions
    )
    for distance, share in DISTANCES[task].items():
        assert distances[distance] == pytest.approx(share, abs=0.02)


FIRST = {2: {6: 0.18, 4: 0.18, 8: 0.16, 10: 0.12, 12: 0.10}}
LATER = {
    2: {2: 0.71, 4: 0.15, 6: 0.07, 8: 0.03, 10: 0.02},
    3: {2: 0.57, 4: 0.06, 6: 0.05, 8: 0.04, 10: 0.03, 12: 0.03, 14: 0.03},
}


def test_a_question_of_task_1_follows_each_pair():
    assert {gap for part in gaps(made(1)) for gap in part} == {2}


@pytest.mark.parametrize("task", [2, 3])
def test_the_gaps_between_questions(task):
    first, later = (shares(part) for part in gaps(made(task)))
    for gap, share in FIRST.get(task, {}).items():
        assert first[gap] == pytest.approx(share, abs=0.03)
    for gap, share in LATER[task].items():
        # Of task 3 only 1,600 official gaps are known; thirty generated sets of that size put
        # 0.52 to 0.56 of theirs at 2, around 0.54.
        assert later[gap] == pytest.approx(share, abs=0.015 if task == 2 else 0.05)


@pytest.mark.parametrize(("task", "mean"), [(1, 6.0), (2, 15.58), (3, 50.5)])
def test_the_mean_size_of_a_memory(task, mean):
    sizes = [len(told) for story in made(task) for told, _ in story.asked()]
    assert sum(sizes) / len(sizes) == pytest.approx(mean, rel=0.05)


@pytest.mark.parametrize(("task", "dropped"), [(2, 0.69), (3, 0.79)])
def test_the_share_of_dropped_things(task, dropped):
    verbs = [
        SENTENCE.fullmatch(item.text)["verb"]
        for story in made(task)
        for question in story.questions
        for item in story.items
        if item.line == question.supports[0]
    ]
    assert sum(KIND[verb] == "drop" for verb in verbs) / len(verbs) == pytest.approx(
        dropped, abs=0.025
    )


def test_facts_of_task_1_are_asked_again_less_often_than_by_chance():
    again = 0
    for story in made(1):
        supports = [question.supports for question in story.questions]
        again += len(supports) - len(set(supports))
    assert again / QUESTIONS[1] == pytest.approx(0.126, abs=0.015)


def test_task_3_asks_for_the_place_before_the_present_one_in_four_of_five():
    present = 0
    for story in made(3):
        text = {item.line: item.text for item in story.items}
        for told, question in story.asked():
            handled, here, _ = question.supports
            holder = text[handled].split()[0]
            end = handled if KIND[SENTENCE.fullmatch(text[handled])["verb"]] == "drop" else 10**6
            moves = [
                s.line
                for s in told
                if s.line < end and s.text.startswith(holder) and " to the " in s.text
            ]
            present += here == moves[-1]
    assert present / QUESTIONS[3] == pytest.approx(0.80, abs=0.025)


@pytest.mark.parametrize(("task", "words"), [(1, 19), (2, 33), (3, 34)])
def test_the_vocabulary_is_the_official_one(task, words):
    said = {
        word
        for story in made(task)
        for item in story.items
        for word in (*tokens(item.text), *([] if isinstance(item, Statement) else [item.answer]))
    }
    assert len(said) == words
