"""Every score, every align and every pair of them, found by walking the package."""

import pytest

from memnets.attention import Align, Score
from memnets.testing import check_align, check_pair, check_score, discover

SCORES, ALIGNS = discover(Score), discover(Align)


def name(part: type) -> str:
    return part.__name__


@pytest.mark.parametrize("score", SCORES, ids=name)
def test_score_conforms(score):
    check_score(score)


@pytest.mark.parametrize("align", ALIGNS, ids=name)
def test_align_conforms(align):
    check_align(align)


@pytest.mark.parametrize("score", SCORES, ids=name)
@pytest.mark.parametrize("align", ALIGNS, ids=name)
def test_pair_conforms(score, align):
    check_pair(score, align)
