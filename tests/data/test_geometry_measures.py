"""What an output of points is worth, by hand; and files of points, right and wrong."""

import numpy as np
import pytest

from memnets.data import geometry
from memnets.data.geometry import PROBLEMS, listed_points, load_points, measures, parse_points

SQUARE = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5]])
RIGHT = [1, 2, 3, 4, 1]


def test_a_polygon_is_the_same_wherever_it_starts_and_turns():
    """List 5: and it is canonical in one way alone."""
    same = ([2, 3, 4, 1, 2], [1, 4, 3, 2, 1], [3, 2, 1, 4, 3])
    for other in same:
        assert geometry.same_polygon(other, RIGHT)
    for wrong in ([1, 3, 2, 4, 1], [1, 2, 3, 1], [1, 2, 3, 4, 5, 1], [1, 2, 3, 4], []):
        assert not geometry.same_polygon(wrong, RIGHT)
    figures = PROBLEMS["hull"].measure(SQUARE[None].repeat(3, 0), same, [RIGHT] * 3)
    assert figures["accuracy"] == (3, 3)
    assert figures["canonical"] == (0, 3)
    assert figures["area"] == (3, 3)


def test_a_polygon_that_does_not_close_is_none():
    """List 5: it is reported, not guessed; nor does a point come twice."""
    assert measures.corners(RIGHT) == [1, 2, 3, 4]
    for said in ([1, 2, 3, 4], [1, 2, 1], [1, 2, 2, 3, 1], [], [1]):
        assert measures.corners(said) is None
    figures = PROBLEMS["hull"].measure(SQUARE[None], [[1, 2, 3, 4]], [RIGHT])
    assert figures["valid"] == (0, 1)
    assert figures["area"] == (0, 0)


def test_areas_by_hand():
    """List 5: of the unit square, a triangle of it, and a bow-tie, which has none."""
    assert measures.area(SQUARE[:4]) == 1
    assert measures.covered(SQUARE, RIGHT, RIGHT) == 1
    assert measures.covered(SQUARE, [1, 2, 3, 1], RIGHT) == 0.5
    assert measures.covered(SQUARE, [1, 2, 3, 5, 1], RIGHT) == 0.5  # 5 lies on the edge 3 1
    assert measures.covered(SQUARE, [1, 2, 5, 1], RIGHT) == 0.25
    assert measures.covered(SQUARE, [1, 3, 2, 4, 1], RIGHT) is None


def test_simple_polygons():
    """List 5: no two edges that are no neighbours meet, not even in a corner."""
    assert measures.is_simple(SQUARE[:4])
    assert measures.is_simple(SQUARE[[0, 1, 2, 4, 3]])
    assert not measures.is_simple(SQUARE[[0, 2, 1, 3]])
    assert not measures.is_simple(SQUARE[:2])
    assert not measures.is_simple(np.array([[0.0, 0], [2, 0], [1, 0]]))  # turns back
    touching = np.array([[0.0, 0], [4, 0], [4, 2], [2, 0], [0, 2]])
    assert not measures.is_simple(touching)


def test_edges_in_one_line_that_do_not_meet_leave_a_polygon_simple():
    """List 5: a letter U, lying on either side; and one whose arms touch, or lie on each other."""
    letter = np.array([[0.0, 0], [3, 0], [3, 1], [2, 1], [2, 0.5], [1, 0.5], [1, 1], [0, 1]])
    assert measures.area(letter) == measures.area(letter[::-1]) == 2.5
    for turned in (letter, letter[:, ::-1], letter[::-1]):
        assert measures.is_simple(turned)
    touching = np.array([[0.0, 0], [3, 0], [3, 1], [1, 1], [2, 0.5], [1, 0.5], [1, 1], [0, 1]])
    assert not measures.is_simple(touching)
    over = np.array([[0.0, 0], [3, 0], [3, 1], [1, 1], [2, 0.5], [1, 0.5], [2, 1], [0, 1]])
    assert not measures.is_simple(over)
    assert measures.is_simple(np.array([[0.0, 0], [1, 0], [2, 0], [0, 1]]))  # a flat corner


def test_areas_are_a_mean_over_polygons_and_coverage_over_triangles():
    half, none = [1, 2, 3, 1], [1, 3, 2, 4, 1]
    hulls = PROBLEMS["hull"].measure(
        SQUARE[None].repeat(4, 0), [half, none, RIGHT, []], [RIGHT] * 4
    )
    assert hulls["area"] == (1.5, 2)
    assert hulls["valid"] == (2, 4)
    assert hulls["accuracy"] == hulls["canonical"] == (1, 4)
    assert measures.triangle_coverage([1, 2, 3], []) == 0
    assert measures.triangles([1, 2, 3, 4, 5]) is None
    assert measures.triangles([3, 1, 2, 1, 2, 4]) == {(1, 2, 3), (1, 2, 4)}
    tour = PROBLEMS["tour"]
    single = tour.measure(np.zeros((2, 1, 2)), [[1], []], [[1], [1]])
    assert single["excess"] == (0, 1)
    assert single["accuracy"] == single["valid"] == (1, 2)
    assert not geometry.is_tour([2, 1], 2)
    assert not geometry.is_tour([1, 2, 3], 2)
    assert geometry.is_tour([], 0)
    assert tour.is_right([3, 2, 1], [1, 2, 3])
    assert not tour.is_right([1, 3, 2, 4], [1, 2, 3, 4])


def test_exactly_one_of_a_hundred_has_not_failed():
    """List 5: the paper prints FAIL for more than 1 %."""
    assert not geometry.have_failed(99 / 100)
    assert not geometry.have_failed(990 / 1000)
    assert geometry.have_failed(989 / 1000)
    assert not geometry.have_failed(1.0)


def test_triangles_are_a_set():
    """List 5: in any order; the share of the right ones that were said."""
    right, delaunay = [1, 2, 5, 2, 3, 5], PROBLEMS["delaunay"]
    assert delaunay.is_right([5, 3, 2, 1, 2, 5], right)
    assert not delaunay.is_right([1, 2, 5], right)
    assert not delaunay.is_right([1, 2, 5, 2, 3, 5, 1], right)
    said = [[5, 3, 2, 1, 2, 5], [1, 2, 5], [1, 2, 5, 4], [1, 1, 2], [], [1, 2, 5, 1, 2, 5]]
    figures = delaunay.measure(np.zeros((6, 5, 2)), said, [right] * 6)
    assert figures["accuracy"] == (1, 6)
    assert figures["triangles"] == (1 + 0.5 + 0.5 + 0 + 0 + 0.5, 6)
    assert figures["valid"] == (3, 6)


def test_tours_by_hand():
    """List 5: of a square; what is no tour counts to neither length nor excess."""
    tour = PROBLEMS["tour"]
    said = [[1, 4, 3, 2], [1, 3, 2, 4], [1, 2, 3], [2, 3, 4, 1], [1, 2, 3, 3]]
    figures = tour.measure(SQUARE[None, :4].repeat(5, 0), said, [[1, 2, 3, 4]] * 5)
    assert figures["valid"] == (2, 5)
    assert figures["length"] == pytest.approx((4 + 2 + 2 * 2**0.5, 2))
    assert figures["best"] == (20, 5)
    assert figures["excess"] == pytest.approx(((2 + 2 * 2**0.5) / 4 - 1, 2))
    assert figures["accuracy"] == (2, 5)


def test_sorted_numbers_by_hand():
    figures = PROBLEMS["sorting"].measure(
        np.zeros((4, 3, 1)), [[2, 1, 3], [2, 3], [], [3, 1, 2]], [[2, 1, 3]] * 4
    )
    assert figures["accuracy"] == (1, 4)
    assert figures["places"] == (5, 12)
    assert figures["valid"] == (2, 4)


HULL, SORTING, TOUR = PROBLEMS["hull"], PROBLEMS["sorting"], PROBLEMS["tour"]


def test_files_of_points_are_read(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text('\ufeffx,y\n0.5,1\n\n-2; 3e1\n"7"\t8.25\n', "utf-8")
    assert load_points(path, HULL).tolist() == [[0.5, 1], [-2, 30], [7, 8.25]]
    assert parse_points(["3", "1", "2"], SORTING).tolist() == [[3], [1], [2]]
    assert parse_points(["1 2"], TOUR).tolist() == [[1, 2]]
    assert parse_points(["0 0", "1 1", "2 2"], TOUR).tolist() == [[0, 0], [1, 1], [2, 2]]
    assert len(parse_points([f"{i},{i * i}" for i in range(1000)], HULL)) == 1000
    assert parse_points(["1e100,-1e100"], TOUR).tolist() == [[1e100, -1e100]]
    assert listed_points([(0, 0), (1, 0), (0, 1)], HULL).tolist() == [[0, 0], [1, 0], [0, 1]]
    assert listed_points([3, 1], SORTING).tolist() == [[3], [1]]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["0,0", "1,0", "zero,1"], r"p\.csv:3: 'zero' is no number, expected a point a line: 0\.2"),
        (["x,y", "0,0", "one,two"], r"p\.csv:3: 'one' is no number"),
        (["nan,0"], r"p\.csv:1: nan is no place of a point, expected a number of at most 1e\+100"),
        (["0,0", "inf,0"], r"p\.csv:2: inf is no place"),
        (["0,0", "1e101,0"], r"p\.csv:2: 1e101 is no place"),
        (["0,0", "1"], r"p\.csv:2: 1 number came, expected 2 a line"),
        (["0,0", "1,2,3"], r"p\.csv:2: 3 numbers came, expected 2 a line"),
        (["0,0", "1,2", "0.0,-0"], r"p\.csv:3: the point of line 1 comes again, expected every"),
        (["0,0", "1,2"], r"p\.csv: 2 points, expected 3 at least for a hull\. Add points, a line"),
        (["0,0"], r"p\.csv: 1 point, expected 3"),
        ([], r"p\.csv: 0 points, expected 3"),
        (["x,y"], r"p\.csv: 0 points, expected 3"),
        (["0,0", "1,1", "2,2"], r"p\.csv: all 3 points lie in one line, so that there is no hull"),
        ([f"{i},{i * i}" for i in range(2000)], r"p\.csv:1001: more than 1,000 points\. The netw"),
        (["0,0", "-1e101,0"], r"p\.csv:2: -1e101 is no place"),
        (["0,0", "", "1,0", "", "1,x"], r"p\.csv:5: 'x' is no number"),
        (["", "1,2", "0,0", "", "0,0"], r"p\.csv:5: the point of line 3 comes again"),
        (["0,0", "x,y"], r"p\.csv:2: 'x' is no number"),
        (["<html>", "<p>"], r"p\.csv:1: '<html>' is no number"),
    ],
)  # fmt: skip
def test_what_is_no_set_of_points_is_refused(lines, message):
    with pytest.raises(ValueError, match=message):
        parse_points(lines, HULL, "p.csv")


def test_a_million_points_are_not_read_to_their_end():
    lines = iter(f"{i},{i % 7}" for i in range(1_000_000))
    with pytest.raises(ValueError, match="more than 1,000 points"):
        parse_points(lines, HULL)
    assert next(lines).startswith("1001,")


def test_what_is_no_file_of_points_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no\.csv: no such file\. Name a text file with"):
        load_points(tmp_path / "no.csv", HULL)
    with pytest.raises(OSError, match=r": a folder\. Name a text file with a point a line\."):
        load_points(tmp_path, HULL)
    (tmp_path / "picture").write_bytes(b"\x89PNG\r\n")
    with pytest.raises(ValueError, match=r"picture: byte 0 is not UTF-8\. Save the points as a"):
        load_points(tmp_path / "picture", HULL)
    with pytest.raises(ValueError, match=r"p: all 3 points lie in one line, so that there is no d"):
        parse_points(["0,0", "1,1", "2,2"], PROBLEMS["delaunay"], "p")
    with pytest.raises(ValueError, match=r"points: 0 points, expected 1 at least for a sorting"):
        parse_points([], SORTING)
    with pytest.raises(ValueError, match=r"points came as 3, expected a list of points such as \["):
        listed_points(3, HULL)
    with pytest.raises(ValueError, match=r"points:1: 1 number came, expected 2"):
        listed_points([1, 2, 3], HULL)
