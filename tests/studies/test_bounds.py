"""No number of a recipe's configuration is taken that nothing could be computed with."""

import math

import pytest

from memnets.experiments.overrides import override
from memnets.experiments.run import fields
from memnets.studies import recipe, recipes

SHARES = {
    *("cool_down", "dropout", "made", "noise", "tested_unanswerable", "unanswerable"),
    *("validation", "warmup", "word_dropout"),
}
"""Floats of which there is no more than all."""
IMPOSSIBLE = {float: (math.nan, math.inf, -math.inf, -0.5), int: (-1, 10**30)}


@pytest.mark.parametrize("name", recipes())
def test_what_nothing_can_be_computed_with_is_refused(name):
    run = recipe(name)()
    for field, value in fields(run).items():
        bad = IMPOSSIBLE.get(type(value), ())
        if type(value) is float and field.rpartition(".")[2] in SHARES:
            bad = (*bad, 1.5)
        for one in bad:
            with pytest.raises(ValueError, match=r"expected|would be ignored") as caught:
                override(name, run, {field: one})
            said = str(caught.value)
            # too large a number may be told by the one that it has to fit
            assert field.rpartition(".")[2] in said or one == 10**30
            assert "\n" not in said


@pytest.mark.parametrize("name", recipes())
def test_nothing_is_0_or_empty_that_may_not_be(name):
    """What takes 0 has to work with it: here is the list, and it is short."""
    run, takes = recipe(name)(), set()
    for field, value in fields(run).items():
        if type(value) in (int, float) and not field.startswith("loop."):
            try:
                override(name, run, {field: type(value)(0)})
            except ValueError:
                continue
            takes.add(field.rpartition(".")[2])
    assert takes <= MAY_BE_0


MAY_BE_0 = {
    # numbers of something that may be missing
    *(
        "asked",
        "cliff",
        "deep",
        "distractors",
        "embed",
        "evidence_epochs",
        "first_epochs",
        "hops",
        "letters",
        "linear",
        "linear_epochs",
        "negatives",
    ),
    *("own", "seed", "strangers", "unique", "unseen_pairs", "warm_up"),
    # shares and strengths
    *(
        "coin",
        "cool_down",
        "dropout",
        "entropy",
        "evidence",
        "exact_match",
        "l2",
        "made",
        "margin",
        "noise",
        "penalty",
        "power",
        "reward",
    ),
    *("tested_unanswerable", "unanswerable", "warmup", "weight_decay", "word_dropout"),
    "window",  # of the neural cache
    "enough",  # a loss
    "reach",  # of heads that stay where they are
}


FROM_FILES = ("captions/flickr8k", "dmn-plus/easy-vqa")
OF_PHOTOS = ("data.side", "data.least")
IGNORED = {
    *((name, field) for name in FROM_FILES for field in ("data.train", "data.held_out")),
    *(
        (f"captions/{name}", f)
        for name in ("digits", "shape-scenes", "shape-scenes-hard")
        for f in OF_PHOTOS
    ),
    ("dmn-plus/sort-of-clevr", "data.side"),
}
"""What the pictures of a recipe do not read, so that no other number than the usual is taken."""
LEAST = (
    # there has to be more than one, or even more
    *(("", "data.values", 2), ("", "data.side", 8)),
    *(("pointers/hull", "data.least", 3), ("pointers/delaunay", "data.least", 3)),
    *(("ntm/associative-recall", "data.least", 2), ("ntm/priority-sort", "data.least", 2)),
    ("ntm/n-grams", "data.least", 6),
    # the others of a study have to fit in
    *(("recall/stream", "data.window", 2), ("recall/stream", "data.longest", 2)),
    *(("recall/rewritten", "data.window", 2), ("recall/rewritten", "data.longest", 2)),
    ("dmn-plus/sort-of-clevr", "training.patience", 6),
    # may be missing in one study alone, or may not
    *(("memnn/", "model.hops", 0), ("", "reader.model.hops", 0), ("", "cache.window", 0)),
    ("metaqa/", "data.made", 1),
    *(("kv_memnn/", "data.made", 1), ("kv_memnn/", "training.negatives", 1)),
)
"""The least that is taken of a field, in recipes that begin so; of all others 1, or 0."""
TOGETHER = {"data.items", "data.keys", "data.most", "data.steps"} | {"recall/copy data.longest"}
"""How small these may be depends on the others that are set."""
ALL_OF_IT = {"cool_down", "made", "noise", "warmup"}
"""Shares that may be 1."""


def taken(name, field, value):
    try:
        override(name, recipe(name)(), {field: value})
    except ValueError:
        return False
    return True


def least(name, field):
    for begins, known, number in LEAST:
        if known == field and name.startswith(begins):
            return number
    return int(field.rpartition(".")[2] not in MAY_BE_0 - {"hops", "window"})


@pytest.mark.parametrize("name", recipes())
def test_the_smallest_numbers_and_the_largest_shares_that_make_sense_are_taken(name):
    for field, value in fields(recipe(name)()).items():
        last = field.rpartition(".")[2]
        if field.startswith("loop.") or {field, f"{name} {field}"} & TOGETHER:
            continue
        if (name, field) in IGNORED:
            assert not taken(name, field, value + 1), field
        elif type(value) is int:
            smallest = least(name, field)
            assert taken(name, field, smallest), field
            assert smallest == 0 or not taken(name, field, smallest - 1), field
        elif type(value) is float and last in SHARES - {"validation"}:
            assert taken(name, field, 0.0), field
            assert taken(name, field, 1.0) == (last in ALL_OF_IT), field


@pytest.mark.parametrize("lessons", [((0, 10, 5),), ((1, 10, 5), (2, -1, 5)), ((1, 10, 10**30),)])
def test_a_lesson_is_of_something(lessons):
    with pytest.raises(ValueError, match=r"training\.lessons is "):
        override("recall/stream", recipe("recall/stream")(), {"training.lessons": lessons})
