"""Hulls, triangulations and tours against other ways to find them, and by hand."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from memnets.data import geometry
from memnets.data.geometry import PROBLEMS, hulls, tours, triangles
from memnets.data.geometry.exact import in_circle, orientation

SQUARE = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])


def dice(seed=7):
    return np.random.default_rng(seed)


def said(row):
    return [number for number in row.tolist() if number]


def hulls_by_edges(points):
    """Return the hulls of sets: an edge is where all other points lie to the left."""
    a, b, c = points[:, :, None, None], points[:, None, :, None], points[:, None, None]
    same = np.eye(points.shape[1], dtype=bool)
    turns = (b - a)[..., 0] * (c - a)[..., 1] - (b - a)[..., 1] * (c - a)[..., 0]  # no rounding
    turns = np.where(same[:, None] | same[None], 1, turns)
    edge = (turns > 0).all(-1) & ~same
    for one in edge:
        following = {i: int(row.argmax()) for i, row in enumerate(one) if row.any()}
        walk = [min(following)]
        while len(walk) == 1 or walk[-1] != walk[0]:
            walk.append(following[walk[-1]])
        yield [i + 1 for i in walk]


def test_hulls_are_those_of_another_way():
    """List 4: of 1000 sets; counter-clockwise, from the lowest number and back to it."""
    for sets, number in ((300, 3), (400, 5), (300, 10), (5, 30)):
        drawn = PROBLEMS["hull"].draw(dice(), sets, number)
        points = drawn.points.astype(float)
        assert [said(row) for row in drawn.targets] == list(hulls_by_edges(points))


def test_hulls_are_as_large_as_they_are_known_to_be():
    """List 4: corners of 5, 10 and 50 points in the mean."""
    for number, mean, sets in ((5, 4.24, 4000), (10, 5.97, 2000), (50, 10.14, 200)):
        targets = PROBLEMS["hull"].draw(dice(), sets, number).targets
        assert ((targets > 0).sum(1) - 1).mean() == pytest.approx(mean, rel=0.03)


def test_points_on_an_edge_are_no_corners():
    """List 4: of a grid; points in line have no hull, those that come twice are told."""
    grid = np.array([[[x, y] for x in range(3) for y in range(3)]], dtype=float)
    assert said(hulls.convex_hulls(grid)[0]) == [1, 7, 9, 3, 1]
    line = np.array([[[i, 2 * i] for i in range(5)]], dtype=float)
    assert not hulls.convex_hulls(line).any()
    twice = np.array([[[0, 1], [1, 0], [0, 1]], [[0, 1], [1, 0], [1, 1]]], dtype=float)
    assert hulls.repeated(twice).tolist() == [True, False]
    apart = np.array([[[0, 1], [0, 0], [0, 1]], [[1, 0], [0, 0], [1, 0]], [[0, 1], [1, 1], [1, 0]]])
    assert hulls.repeated(apart).tolist() == [True, True, False]
    assert hulls.repeated(np.array([[[2], [1], [2]], [[2], [1], [3]]])).tolist() == [True, False]


class Loaded:
    """Dice that show what was put into them."""

    def __init__(self, *shown):
        self.shown = list(shown)

    def random(self, shape, dtype):
        return np.array(self.shown.pop(0), dtype=dtype).reshape(shape)


@pytest.mark.parametrize("name", ["hull", "delaunay"])
@pytest.mark.parametrize(
    "bad",
    [[[0, 0], [0.25, 0.25], [0.5, 0.5]], [[0, 0], [0.5, 0.25], [0, 0]]],
    ids=["in line", "twice"],
)
def test_sets_without_an_answer_are_drawn_anew(name, bad):
    """List 4: those of one row, and no others."""
    good, other = [[0, 0], [1, 0], [0, 1]], [[0, 0], [1, 0], [0.5, 0.5]]
    shown = Loaded([good, bad], [other])
    drawn = PROBLEMS[name].draw(shown, 2, 3)
    assert drawn.points.tolist() == [good, other]
    assert not shown.shown
    with pytest.raises(ValueError, match=f"{name}: sets of 2 points, expected 3 at least"):
        PROBLEMS[name].draw(dice(), 1, 2)


def test_sets_that_hold_a_point_twice_are_drawn_anew_whatever_their_answer():
    inner, good = [[0, 0], [1, 0], [0, 1], [0.25, 0.25], [0.25, 0.25]], [[0, 0], [1, 0], [0, 1]]
    shown = Loaded([inner], [[*good, [0.25, 0.25], [0.25, 0.5]]])
    drawn = PROBLEMS["hull"].draw(shown, 1, 5)
    assert drawn.points[0, 4].tolist() == [0.25, 0.5]
    numbers = PROBLEMS["sorting"].draw(Loaded([[0.5, 0.25, 0.5]], [[0.5, 0.25, 0.75]]), 1, 3)
    assert numbers.points.tolist() == [[[0.5], [0.25], [0.75]]]
    assert numbers.targets.tolist() == [[2, 1, 3]]
    with pytest.raises(ValueError, match=r"tour: sets of 0 points, expected 1 at least\. Pass a"):
        PROBLEMS["tour"].draw(dice(), 1, 0)


def test_the_longest_outputs_by_hand():
    """A hull of all points and its first again; as many triangles as three corners leave."""
    longest = {name: [one.longest(n) for n in (3, 5, 10)] for name, one in PROBLEMS.items()}
    assert longest == {
        "hull": [5, 7, 12],  # and the stop
        "delaunay": [3 * 1 + 1, 3 * 5 + 1, 3 * 15 + 1],
        "delaunay-by-number": [3 * 1 + 1, 3 * 5 + 1, 3 * 15 + 1],
        "tour": [4, 6, 11],
        "sorting": [4, 6, 11],
    }
    assert [triangles.most_triangles(n) for n in (0, 2, 3, 4)] == [0, 0, 1, 3]
    kinds = {name: (one.dim, one.fewest, one.shape) for name, one in PROBLEMS.items()}
    assert kinds == {
        **{"hull": (2, 3, "polygon"), "delaunay": (2, 3, "triangles")},
        "delaunay-by-number": (2, 3, "triangles"),
        **{"tour": (2, 1, "tour"), "sorting": (1, 1, "order")},
    }
    solved = {name: (one.is_solved(13), one.label(13)) for name, one in PROBLEMS.items()}
    assert solved == dict.fromkeys(PROBLEMS, (True, "exact")) | {
        "tour": (False, "nearest neighbour + 2-opt")
    }
    assert PROBLEMS["tour"].is_solved(12)


def test_signs_are_exact_where_floats_are_not():
    """List 4: of points that nearly lie in a line, or on a circle, as fractions have them."""
    step = 2.0**-53
    a, b = np.array([12.0, 12.0]), np.array([24.0, 24.0])
    near = np.array([[0.5 + i * step, 0.5 + j * step] for i in range(6) for j in range(6)])
    exact = [np.sign(Fraction(float(y)) - Fraction(float(x))) for x, y in near]
    assert orientation(a, b, near).tolist() == [int(one) for one in exact]
    determinant = (b - a)[0] * (near - a)[:, 1] - (b - a)[1] * (near - a)[:, 0]
    assert (np.sign(determinant) != [int(one) for one in exact]).any()  # plain floats are wrong
    corners = SQUARE[:3]
    for far, sign in ((1 + 2.0**-52, -1), (1.0, 0), (1 - step, 1)):
        assert in_circle(*corners, np.array([0.0, far])) == sign
    huge = np.array([[0, 0], [1e300, 0], [0, 1e300]])
    assert orientation(*huge) == 1
    assert in_circle(*huge, np.array([1.0, 1.0])) == 1


@pytest.mark.parametrize("number", [3, 4, 5, 7, 9, 20])
def test_no_point_lies_in_the_circle_of_a_triangle(number):
    """List 4: as many triangles as Euler says, in the order of their incenters; both ways."""
    sets = 10 if number < 8 else 2
    drawn = PROBLEMS["delaunay-by-number"].draw(dice(), sets, number)
    for points, target in zip(drawn.points.astype(float), drawn.targets, strict=True):
        found = np.array(said(target)).reshape(-1, 3)
        corners = np.count_nonzero(hulls.convex_hulls(points[None])) - 1
        assert len(found) == 2 * number - 2 - corners
        assert (np.diff(found, axis=1) > 0).all()
        places = triangles.incenters(points[found - 1]).tolist()
        assert places == sorted(places)
        for triangle in found - 1:
            a, b, c = points[triangle]
            turn = orientation(a, b, c)
            others = np.delete(points, triangle, 0)
            assert (in_circle(a, b, c, others) * turn < 0).all()


def test_triangles_turn_counter_clockwise_from_their_leftmost_corner():
    """Wherever their points stand in the list; the triangles stay in their order."""
    drawn, by_number = (
        PROBLEMS[name].draw(dice(), 20, 6) for name in ("delaunay", "delaunay-by-number")
    )
    assert (drawn.points == by_number.points).all()
    for points, target, other in zip(
        drawn.points.astype(float), drawn.targets, by_number.targets, strict=True
    ):
        found, sorted_ones = (np.array(said(one)).reshape(-1, 3) for one in (target, other))
        assert (np.sort(found, 1) == sorted_ones).all()
        corners = points[found - 1]
        assert (orientation(*np.moveaxis(corners, 1, 0)) == 1).all()
        assert (corners[..., 0].argmin(1) == 0).all()


def test_both_ways_to_triangulate_agree(monkeypatch):
    drawn = PROBLEMS["delaunay-by-number"].draw(dice(), 30, 6)
    monkeypatch.setattr(triangles, "FEW", 3)
    other = triangles.triangulations(drawn.points.astype(float))
    assert other.decided.all()
    assert (other.targets == drawn.targets).all()
    one_circle = np.array([SQUARE, SQUARE * [2, 1]])
    line = np.array([[[i, 2 * i] for i in range(4)]], dtype=float)
    for few in (3, 7):
        monkeypatch.setattr(triangles, "FEW", few)
        assert not triangles.triangulations(one_circle).decided.any()
        assert not triangles.triangulations(line).decided.any()


def test_sets_are_triangulated_some_at_a_time(monkeypatch):
    points = PROBLEMS["delaunay"].draw(dice(), 7, 5).points.astype(float)
    points[3] = [*SQUARE, [3, 2.5]]  # four of them on one circle
    whole = triangles.triangulations(points)
    assert whole.decided.tolist() == [n != 3 for n in range(7)]
    monkeypatch.setattr(triangles, "AT_ONCE", 40)  # two sets of 10 triangles and 2 others
    some = triangles.triangulations(points)
    assert (some.targets == whole.targets).all()
    assert (some.decided == whole.decided).all()
    none = triangles.triangulations(points[:, :2])
    assert (none.targets.shape, none.decided.any()) == ((7, 0), False)


def test_an_incenter_is_as_far_from_every_side():
    (place,) = triangles.incenters(np.array([[[0.0, 0], [4, 0], [0, 3]]]))
    np.testing.assert_allclose(place, [1, 1])


def test_without_scipy_large_triangulations_say_what_is_missing(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "scipy", None)
    triangles.triangulations(dice().random((1, 7, 2)))
    with pytest.raises(ImportError, match=r"more than 7 points need scipy.*memnets\[geometry\]"):
        triangles.triangulations(dice().random((1, 8, 2)))


def every_tour(points):
    """Return the length of the shortest tour of all."""
    rest = range(2, len(points) + 1)
    ways = np.array([(1, *way) for way in permutations(rest)])
    spread = np.broadcast_to(points, (len(ways), *points.shape))
    return tours.tour_lengths(spread, ways).min()


@pytest.mark.parametrize("number", range(1, 8))
def test_tours_are_the_shortest_of_all(number):
    """List 4: as all of them say, one by one; from city 1, counter-clockwise."""
    points = dice().random((6, number, 2))
    found = tours.short_tours(points)
    lengths = tours.tour_lengths(points, found)
    np.testing.assert_allclose(lengths, [every_tour(one) for one in points], rtol=1e-12)
    for one, row in zip(points, found.tolist(), strict=True):
        assert geometry.is_tour(row, number)
        x, y = one[np.array(row) - 1].T
        assert number < 3 or x @ np.roll(y, -1) > y @ np.roll(x, -1)


def test_optimal_tours_are_as_long_as_they_are_known_to_be():
    """List 4: of 5 cities and of 10."""
    for number, mean, sets in ((5, 2.125, 2000), (10, 2.860, 300)):
        drawn = PROBLEMS["tour"].draw(dice(), sets, number)
        found = tours.tour_lengths(drawn.points.astype(float), drawn.targets).mean()
        assert found == pytest.approx(mean, rel=0.02)


def test_tours_and_their_lengths_by_hand(monkeypatch):
    """The next city is the nearest of those left; a tour comes home; both ways are as long."""
    line = np.array([[[0.0, 0], [10, 0], [1, 0], [3, 0]], [[5.0, 0], [0, 0], [9, 0], [7, 0]]])
    assert tours.nearest_neighbours(line).tolist() == [[0, 2, 3, 1], [0, 3, 2, 1]]
    assert tours.tour_lengths(line, np.array([[1, 3, 4, 2], [1, 2, 3, 4]])).tolist() == [20, 18]
    assert tours.distances(line)[1, 1].tolist() == [5, 0, 9, 7]
    square = np.array([[[0.0, 0], [1, 0], [1, 1], [0, 1]]] * 2)
    both = np.array([[0, 1, 2, 3], [0, 3, 2, 1]])
    assert tours.directed(square, both).tolist() == [[0, 1, 2, 3]] * 2
    assert tours.directed(-square[..., ::-1], both).tolist() == [[0, 3, 2, 1]] * 2
    flat = tours.directed(0 * line, np.array([[0, 3, 1, 2], [0, 1, 3, 2]]))
    assert flat.tolist() == [[0, 2, 1, 3], [0, 1, 3, 2]]  # without an area, by the numbers
    assert tours.directed(square[:1], np.array([[0, 1]])).tolist() == [[0, 1]]
    points = dice().random((5, 6, 2))
    whole = tours.short_tours(points)
    for few in (2, 5):
        monkeypatch.setattr(tours, "AT_ONCE", few)
        assert (tours.short_tours(points) == whole).all()
    assert tours.short_tours(points[:0]).shape == (0, 6)


def test_exchanges_of_edges_never_lengthen_a_tour():
    """List 4: and at their end none shortens; what is returned still visits every city once."""
    points = dice().random((20, 13, 2))
    start = tours.nearest_neighbours(points)
    found = tours.two_opt(points, start)
    before, after = (tours.tour_lengths(points, one + 1) for one in (start, found))
    assert (after <= before + 1e-12).all()
    assert (after < before - 1e-3).any()
    assert (np.sort(found, 1) == np.arange(13)).all()
    assert (found[:, 0] == 0).all()
    assert (tours.two_opt(points, found) == found).all()
    for one, path, length in zip(points, found, after, strict=True):
        for i in range(13):
            for j in range(i + 1, 13):
                turned = np.concatenate([path[:i], path[i : j + 1][::-1], path[j + 1 :]])
                other = tours.tour_lengths(one[None], turned[None] + 1)[0]
                assert other > length - 1e-9


def test_many_cities_have_a_named_heuristic():
    problem = PROBLEMS["tour"]
    assert problem.label(12) == "optimal"
    assert problem.label(13) == geometry.HEURISTIC == "nearest neighbour + 2-opt"
    few = dice().random((3, 12, 2))
    assert (tours.short_tours(few) == tours.directed(few, tours.optimal(few)) + 1).all()
    many = dice().random((3, 14, 2))
    assert (tours.short_tours(many) == tours.directed(many, tours.shortened(many)) + 1).all()


def test_numbers_are_sorted():
    drawn = PROBLEMS["sorting"].draw(dice(), 5, 7)
    for points, target in zip(drawn.points[..., 0], drawn.targets, strict=True):
        assert (np.diff(points[target - 1]) > 0).all()


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_same_dice_draw_the_same(name):
    problem = PROBLEMS[name]
    one, again, other = (problem.draw(dice(seed), 4, 6) for seed in (3, 3, 4))
    assert (one.points == again.points).all()
    assert (one.targets == again.targets).all()
    assert (one.points != other.points).any()
    assert one.points.dtype == np.float32
    assert max(len(said(row)) for row in one.targets) < problem.longest(6)
