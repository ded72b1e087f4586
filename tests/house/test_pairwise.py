"""The part of a product that every run tests: small, and with every two choices in it."""

from itertools import combinations, product

import pytest

from pairwise import cover, covering

AXES = (range(3), range(5), range(2), range(7))


@pytest.mark.parametrize(("together", "few"), [(1, 7), (2, 45), (4, 210)])
def test_what_meets_in_the_product_meets_in_its_cover(together, few):
    rows = list(product(*AXES))
    chosen = cover(rows, together)
    assert chosen == cover(rows, together)
    assert len(chosen) == len(set(chosen)) <= few
    for axes in combinations(range(4), together):
        met = {tuple(row[axis] for axis in axes) for row in chosen}
        assert met == set(product(*(AXES[axis] for axis in axes)))


def test_the_whole_product_is_there_and_the_rest_of_it_is_slow():
    parameters = covering("abc", {"x": 1, "y": 2}, [True, False])
    assert {each.values for each in parameters} == set(product("abc", "xy", [True, False]))
    always = [each.values for each in parameters if not each.marks]
    assert 6 <= len(always) < len(parameters) == 12
    assert {row[:2] for row in always} == set(product("abc", "xy"))
    assert all(each.marks[0].name == "slow" for each in parameters if each.values not in always)
