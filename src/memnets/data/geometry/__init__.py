"""Sets of points, and what is asked of them, exactly: hulls, triangulations, tours, their order.

`problems.py` draws sets with their answers and measures outputs. `exact.py` decides on which side a
point lies; `hulls.py`, `triangles.py` and `tours.py` find the answers, of many sets at once;
`measures.py` has the figures of Vinyals et al. (2015); `files.py` reads points.
"""

from memnets.data.geometry.exact import in_circle, orientation
from memnets.data.geometry.files import MOST_POINTS, listed_points, load_points, parse_points
from memnets.data.geometry.hulls import convex_hulls, repeated
from memnets.data.geometry.measures import have_failed, is_simple, is_tour, same_polygon
from memnets.data.geometry.problems import PROBLEMS, Drawn, Part, Problem
from memnets.data.geometry.tours import HEURISTIC, MOST_OPTIMAL, short_tours, tour_lengths, two_opt
from memnets.data.geometry.triangles import incenters, triangulations

__all__ = [
    "HEURISTIC",
    "MOST_OPTIMAL",
    "MOST_POINTS",
    "PROBLEMS",
    "Drawn",
    "Part",
    "Problem",
    "convex_hulls",
    "have_failed",
    "in_circle",
    "incenters",
    "is_simple",
    "is_tour",
    "listed_points",
    "load_points",
    "orientation",
    "parse_points",
    "repeated",
    "same_polygon",
    "short_tours",
    "tour_lengths",
    "triangulations",
    "two_opt",
]
