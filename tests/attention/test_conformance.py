"""Every score, every align and every pair of them, found by walking the package."""

import pytest

from memnets.attention import Align, Dot, Score, Softmax
from memnets.testing import check_align, check_pair, check_score, discover

SCORES, ALIGNS = discover(Score), discover(Align)


def name(part: type) -> str:
    return part.__name__


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize("score", SCORES, ids=name)
def test_score_conforms(score):
    """List 15, 21: slots have an order only where it is declared; memories and copies are apart."""
    check_score(score)


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize("align", ALIGNS, ids=name)
def test_align_conforms(align):
    """List 14, 15, 22: empty rows, declared orders, and half precision computed in float32."""
    check_align(align)


@pytest.mark.parametrize(
    ("score", "align"),
    [*((score, Softmax) for score in SCORES), *((Dot, align) for align in ALIGNS)],
    ids=name,
)
def test_shapes_are_as_annotated(score, align):
    """Every part in one pair at least, with the shapes checked at every call."""
    check_pair(score, align)


# The whole grid takes too long for every run: a tenth of it, every part with every tenth other,
# is read always, beside those above; a sixth is held to the loops, by test_oracle.py.
GRID = [
    pytest.param(align, score, marks=() if (i + j) % 10 == 0 else pytest.mark.slow)
    for i, score in enumerate(SCORES)
    for j, align in enumerate(ALIGNS)
]


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize(("align", "score"), GRID, ids=name)
def test_pair_conforms(align, score):
    """List 1, 14, 22: one query and seven, masks, NaN, spare slots, empty rows, half precision."""
    check_pair(score, align)


def test_the_grid_is_whole():
    """List 1: no score and no align is missing from it."""
    assert len(SCORES) >= 14
    assert len(ALIGNS) >= 19
