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


@pytest.mark.parametrize("lessons", [((0, 10, 5),), ((1, 10, 5), (2, -1, 5)), ((1, 10, 10**30),)])
def test_a_lesson_is_of_something(lessons):
    with pytest.raises(ValueError, match=r"training\.lessons is "):
        override("recall/stream", recipe("recall/stream")(), {"training.lessons": lessons})
