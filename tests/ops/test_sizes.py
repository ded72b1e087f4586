"""What is no size and no number is refused, and what just fits is not."""

import numpy as np
import pytest

from memnets.ops.sizes import LAST_AXIS, any_finite, at_least, at_least_one, within

pytestmark = pytest.mark.usefixtures("shapes_unchecked")  # which would refuse the types before


@pytest.mark.parametrize("least", [0, 1, 2])
def test_the_smallest_size_is_taken_and_the_next_smaller_is_not(least):
    for size in (least, least + 1, np.int64(least), np.uint8(200)):
        at_least(least, "Part", size=size)
    with pytest.raises(ValueError, match=rf"^Part\(size={least - 1}\): expected at least {least}"):
        at_least(least, "Part", size=least - 1)


@pytest.mark.parametrize("wrong", [True, False, 2.0, 2.5, "2", None, [2]])
def test_what_is_no_whole_number_is_no_size(wrong):
    with pytest.raises(TypeError, match=r"^Part\(size=.*\): expected at least 0, a whole number"):
        at_least(0, "Part", size=wrong)


def test_the_first_size_that_is_wrong_is_named_and_how_to_mend_it():
    at_least(7, "Part")  # of no sizes none is wrong
    with pytest.raises(ValueError, match=r"^Part\(b=0\): expected at least 1\. Take more\.$"):
        at_least(1, "Part", "Take more.", a=1, b=0, c=-1)
    with pytest.raises(ValueError, match=rf"^Part\(c=0\): expected at least 1\. {LAST_AXIS}$"):
        at_least_one("Part", a=1, c=0)


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), -float("inf"), -0.5])
def test_a_number_that_is_not_finite_or_does_not_fit_is_refused(wrong):
    with pytest.raises(ValueError, match=rf"^Part\(share={wrong}\): expected a share\.$"):
        within(lambda x: x >= 0, "Part", "a share.", other=1, share=wrong)


@pytest.mark.parametrize("wrong", [True, "1", None, 1j])
def test_what_is_no_number_is_refused(wrong):
    with pytest.raises(TypeError, match=r"^Part\(share=.*\): expected a share\.$"):
        within(any_finite, "Part", "a share.", share=wrong)


def test_every_finite_number_fits_where_any_does():
    for number in (0, -3, 1e308, np.float32(0.5), np.int64(-1)):
        within(any_finite, "Part", "a number.", number=number)
