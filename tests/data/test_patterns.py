"""Patterns from a user's pictures."""

import numpy as np
from PIL import Image

from memnets.data.patterns import read_patterns


def test_what_is_darker_than_the_middle_grey_is_one(tmp_path):
    """The middle of 40 and 100 is 70: what is on it counts as light."""
    greys = np.array([[40, 69], [70, 100]], np.uint8).repeat(4, 0).repeat(4, 1)
    Image.fromarray(greys).save(tmp_path / "a.png")
    found = read_patterns(tmp_path, 8).rows.reshape(8, 8)
    assert (found == np.array([[1, 1], [-1, -1]]).repeat(4, 0).repeat(4, 1)).all()
