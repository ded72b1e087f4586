"""What a part may be built of: sizes that are whole numbers, numbers that are finite.

Without these a size of 2.5 is refused by torch in words of its own, a NaN is trained with, and
`True` is a size of 1.
"""

import math
from collections.abc import Callable
from numbers import Real
from typing import SupportsIndex

LAST_AXIS = "Pass the size of the last axis."


def at_least_one(part: str, **sizes: int) -> None:
    """Refuse what is no size; see `at_least`."""
    at_least(1, part, LAST_AXIS, **sizes)


def at_least(least: int, part: str, mend: str = "Pass another one.", **sizes: int) -> None:
    """Refuse a size that is no whole number, or too small.

    Args:
        least: the smallest that there may be.
        part: what is built.
        mend: what to do about it.
        sizes: by their names.

    Raises:
        TypeError: one is no whole number; the text names it.
        ValueError: one is too small.
    """
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, SupportsIndex):
            raise TypeError(
                f"{part}({name}={size!r}): expected at least {least}, a whole number. {mend}"
            )
        if size < least:
            raise ValueError(f"{part}({name}={size}): expected at least {least}. {mend}")


def within(fits: Callable[[float], bool], part: str, expected: str, **numbers: float) -> None:
    """Refuse what is no finite number, or does not fit.

    Args:
        fits: says whether a number does.
        part: what is built.
        expected: the words for that, and what to do about it.
        numbers: by their names.

    Raises:
        TypeError: one is no number; the text names it.
        ValueError: one is not finite, or does not fit.
    """
    for name, number in numbers.items():
        if isinstance(number, bool) or not isinstance(number, Real):
            raise TypeError(f"{part}({name}={number!r}): expected {expected}")
        if not (math.isfinite(number) and fits(number)):
            raise ValueError(f"{part}({name}={number}): expected {expected}")


def share_of_it(part: str, **numbers: float) -> None:
    """Refuse what is no share from 0 to 1, such as of what a dropout sets to zero.

    Args:
        part: what is built.
        numbers: by their names.

    Raises:
        TypeError: one is no number; the text names it.
        ValueError: one is not within.
    """
    expected = "a share from 0 to 1. Pass 0 to drop nothing."
    within(lambda x: 0 <= x <= 1, part, expected, **numbers)


def any_finite(number: float) -> bool:
    """Let every finite number fit."""
    return True
