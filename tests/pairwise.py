"""Products of choices, cut to the few rows that every run needs; the others are slow."""

from itertools import combinations, product

import pytest


def covering(*axes, together=2):
    """Return the product of some axes as parameters; all but a covering part are slow.

    Args:
        axes: the choices, each an iterable.
        together: any two choices of different axes meet in a row of every run; 1 asks only that
            every choice is there.
    """
    rows = list(product(*map(tuple, axes)))
    places = list(product(*(range(len(tuple(axis))) for axis in axes)))
    always = cover(places, together)
    return [
        pytest.param(*row, marks=() if place in always else pytest.mark.slow)
        for place, row in zip(places, rows, strict=True)
    ]


def cover(rows, together=2):
    """Return some rows in which all that meets in any row still meets; always the same ones."""
    met = {row: set(combinations(enumerate(row), together)) for row in rows}
    wanted, chosen = set().union(*met.values()), []
    while wanted:
        best = max(rows, key=lambda row: len(met[row] & wanted))
        chosen.append(best)
        wanted -= met[best]
    return chosen
