"""The test of whole stories, its arithmetic, and what it catches."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from memnets.data.babi import Question, Statement, Story
from memnets.data.babi.generate import make_stories
from tools.babi_check import official_statistics
from tools.babi_check.chance import (
    chi_square_tail,
    compare_means,
    compare_shares,
    holm,
)
from tools.babi_check.checking import compare, conclude
from tools.babi_check.forms import form, kind, named, verb
from tools.babi_check.moments import Numbers, Texts, moments, scale, sum_up
from tools.babi_check.table import STATISTICS
from tools.babi_check.verdict import TaskVerdict

STANDARDS = official_statistics()


def clustered(stories: int, seed: int) -> np.ndarray:
    """Counts in three cells; a story favours one of them, so its counts depend on each other."""
    rng = np.random.default_rng(seed)
    favoured = rng.dirichlet((1.0, 2.0, 3.0), stories)
    return np.array([rng.multinomial(rng.integers(3, 8), share) for share in favoured], float)


@pytest.mark.parametrize(
    ("x", "freedom", "tail"),
    # Of two degrees the tail is exp(-x/2); of one erfc(sqrt(x/2)); of four (1 + x/2) exp(-x/2).
    [(x, 2.0, math.exp(-x / 2)) for x in (0.1, 3.0, 40.0, 200.0)]
    + [(x, 1.0, math.erfc(math.sqrt(x / 2))) for x in (0.01, 1.0, 31.0, 97.0)]
    + [(x, 4.0, (1 + x / 2) * math.exp(-x / 2)) for x in (0.5, 4.0, 61.0)]
    + [(-1.0, 3.0, 1.0), (0.0, 3.0, 1.0)],
)
def test_the_tail_of_chi_square(x, freedom, tail):
    assert chi_square_tail(x, freedom) == pytest.approx(tail, rel=1e-11)


def test_p_is_that_of_relabelling_whole_stories():
    counts = clustered(211, seed=3)
    first = 101
    p = compare_shares(moments(counts[:first]), moments(counts[first:])).p
    share = counts.sum(0) / counts.sum()
    surplus = counts - counts.sum(1, keepdims=True) * share
    rng = np.random.default_rng(5)

    def pearson(order):
        return float((surplus[order[first:]].sum(0) ** 2 / share).sum())

    observed = pearson(np.arange(len(counts)))
    dealt = [pearson(rng.permutation(len(counts))) for _ in range(4000)]
    assert p == pytest.approx(np.mean([one >= observed for one in dealt]), abs=0.03)


def test_p_is_uniform_where_chance_alone_is_at_work():
    ps = []
    for seed in range(200):
        counts = clustered(149, seed)
        ps.append(compare_shares(moments(counts[:71]), moments(counts[71:])).p)
    for level in (0.05, 0.2, 0.5, 0.8):
        assert np.mean(np.array(ps) < level) == pytest.approx(level, abs=0.09)


def test_the_variation_that_chance_makes():
    made = [
        compare_shares(moments(counts[:71]), moments(counts[71:]))
        for counts in (clustered(149, seed) for seed in range(200))
    ]
    seen = np.mean([one.variation for one in made])
    assert np.mean([one.by_chance for one in made]) == pytest.approx(seen, rel=0.08)


def test_stories_that_are_all_alike_have_no_p():
    counts = np.tile([2.0, 3.0], (11, 1))
    found = compare_shares(moments(counts), moments(counts[:5]))
    assert found == (1.0, 0.0, pytest.approx(0.0, abs=1e-6))
    assert compare_means(moments(counts), moments(counts[:5])).p == 1.0


def test_the_drift_of_a_mean():
    rng = np.random.default_rng(1)
    one = np.stack([rng.normal(70.0, 7.0, 1009), np.full(1009, 7.0)], axis=1)
    other = np.stack([rng.normal(71.0, 7.0, 503), np.full(503, 7.0)], axis=1)
    drift = compare_means(moments(one), moments(other))
    assert drift.relative == pytest.approx(1 / 70, abs=0.01)
    assert drift.deviation == pytest.approx(7 / 70 * math.sqrt(1 / 1009 + 1 / 503), rel=0.05)
    z = drift.relative / drift.deviation
    assert drift.p == pytest.approx(math.erfc(abs(z) / math.sqrt(2)), rel=1e-3)


def test_holm_by_hand():
    # 0.01 x 4; 0.02 x 3; 0.03 x 2, not below the one before; 0.5.
    assert holm([0.03, 0.01, 0.5, 0.02]) == pytest.approx([0.06, 0.04, 0.5, 0.06])
    assert holm([0.4, 0.9]) == pytest.approx([0.8, 0.9])
    assert holm([]) == []


def test_numbers_are_joined_with_their_neighbours():
    cells = scale(Counter({2: 700, 4: 280, 6: 5, 8: 7, 10: 2, 60: 6}))
    assert cells == Numbers((2, 4, 6))
    assert cells.names == ["2-3", "4-5", "6-"]
    assert [cells.place_of(value) for value in (0, 2, 3, 4, 6, 1000)] == [0, 0, 0, 1, 2, 2]


@pytest.mark.parametrize(
    ("counts", "cells", "names"),
    [
        ({"a": 600, "b": 400}, Texts(("a", "b"), False), ["a", "b"]),
        # Rare ones that hold enough together have a cell; else they join the rarest that is kept.
        ({"a": 600, "b": 380, "c": 9, "d": 11}, Texts(("a", "b", "d"), True), ["a", "b", "others"]),
        ({"a": 600, "b": 391, "c": 9}, Texts(("a", "b"), True), ["a", "others"]),
        ({"a": 591, "b": 391, "c": 9, "d": 9}, Texts(("a", "b", "c"), True), ["a", "b", "others"]),
    ],
)
def test_rare_texts_are_put_together(counts, cells, names):
    assert scale(Counter(counts)) == cells
    assert cells.names == names
    assert cells.place_of("a") == 0
    assert cells.place_of("never seen") == len(names) - 1


def test_sums_over_stories():
    found = sum_up([Counter(a=2, b=1), Counter(b=3)], Texts(("a", "b"), False))
    assert found.stories == 2
    assert found.total.tolist() == [2, 4]
    assert found.square.tolist() == [[4, 2], [2, 10]]


@pytest.mark.parametrize(
    ("text", "shape", "names"),
    [
        ("Mary took the milk there.", "P took the O there.", ("mary", "milk")),
        ("Then she moved to the park.", "Then she moved to the L.", ("park",)),
        ("Is the red square below the box?", "Is the F below the B?", ("red square", "box")),
        ("The box of chocolates is bigger.", "The B is bigger.", ("box of chocolates",)),
        ("Mice are afraid of wolves.", "S are afraid of S.", ("mice", "wolves")),
    ],
)
def test_sentences_without_their_names(text, shape, names):
    assert form(text) == shape
    assert named(text) == names


def test_verbs_that_mean_the_same():
    assert kind("Mary took the milk there.") == kind("John got the apple.") == "P get the O"
    assert kind("Then she went back to the park.") == "she go the L"
    assert kind("Mice are afraid of wolves.") == "S are afraid of S"
    assert verb("Mary put down the milk.") == "drop"
    assert verb("Lily is a swan.") == ""


def verdict(task: int, stories: list[Story]) -> TaskVerdict:
    return conclude([compare(task, [stories], STANDARDS[task])]).tasks[0]


@pytest.mark.parametrize("task", STANDARDS)
def test_generated_stories_are_alike(task):
    assert verdict(task, make_stories(task, 251, seed=2)).reasons == []


def altered(stories: list[Story], change) -> list[Story]:
    """The stories with each item changed: `change(item, number)`; the number tells them apart."""
    changed, number = [], 0
    for story in stories:
        items = []
        for item in story.items:
            number += 1
            items.append(change(item, number))
        changed.append(replace(story, items=tuple(items)))
    return changed


def wrong_verbs(item, number):
    """Every other "went to" is told as "moved to"."""
    if number % 2 == 0:
        return replace(item, text=item.text.replace(" went to ", " moved to "))
    return item


def flipped_supports(item, number):
    """One in five proofs is named from its end."""
    if number % 5 == 0 and isinstance(item, Question):
        return replace(item, supports=item.supports[::-1])
    return item


def always_there(item, number):
    """One in three drops says "there" that would not."""
    if number % 3 == 0 and isinstance(item, Statement) and verb(item.text) == "drop":
        return replace(item, text=item.text.replace(" there.", ".").replace(".", " there."))
    return item


@pytest.mark.parametrize(
    ("task", "fault", "expected"),
    [
        (12, wrong_verbs, ("statement forms: corrected p", "statement forms: total variation")),
        (2, flipped_supports, ("order of supports: corrected p", "the answer follows: not so at")),
        (2, always_there, ("statement forms: corrected p",)),
    ],
)
def test_a_changed_share_is_rejected(task, fault, expected):
    reasons = verdict(task, altered(make_stories(task, 1009, seed=2), fault)).reasons
    for reason in expected:
        assert any(one.startswith(reason) for one in reasons)


def test_longer_stories_are_rejected():
    stories = make_stories(6, 503, seed=2)
    longer = [story for story in stories if len(story.items) > 15]
    reasons = verdict(6, longer * 11 + stories).reasons
    assert any(reason.startswith("memory mean: +") for reason in reasons)


def test_words_are_compared():
    found = verdict(1, altered(make_stories(1, 1009, seed=2), renamed))
    assert found.unknown == ["gardens"]
    assert found.missing == ["garden"]
    assert "unknown words: gardens" in found.reasons
    assert found.stories < 202  # the stories with a strange sentence are not counted
    assert any(reason.startswith("a known sentence: not so at") for reason in found.reasons)


def renamed(item, number):
    new = replace(item, text=item.text.replace("garden", "gardens"))
    if isinstance(new, Question):
        return replace(new, answer=new.answer.replace("garden", "gardens"))
    return new


def test_what_is_constant_is_a_rule():
    stories = make_stories(1, 503, seed=2)
    short = [replace(story, items=story.items[:6]) for story in stories[:2]]
    found = verdict(1, [*short, *stories])
    rules = Counter(broken.rule for broken in found.broken)
    assert rules == {"questions a story: always 5": 2, "statements a story: always 10": 2}
    assert found.broken[0].where == f"{stories[0].source}:{stories[0].line}"


def test_stories_of_another_task_cannot_be_compared():
    found = verdict(3, make_stories(19, 101, seed=2))
    assert found.memory is None
    assert "no story of it could be compared" in found.reasons


def test_a_story_that_cannot_be_read_is_listed_not_counted():
    stories = make_stories(3, 53, seed=2)
    broken = altered(stories[:3], lambda item, number: without_proof(item))
    found = verdict(3, broken + stories)
    assert found.stories == len(stories) - 1
    assert [one.rule for one in found.broken] == ["built like the official ones"] * 3


def without_proof(item):
    return replace(item, supports=()) if isinstance(item, Question) else item


def test_a_few_stories_are_too_few():
    found = verdict(1, make_stories(1, 53, seed=2))
    assert "distance of support" in found.too_few
    assert found.missing == []


def test_the_names_of_statistics_differ():
    for task in STANDARDS:
        names = [statistic.name for statistic in STATISTICS if task in statistic.tasks]
        assert len(names) == len(set(names))
