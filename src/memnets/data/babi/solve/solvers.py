"""The solvers, one entry a task."""

from memnets.data.babi.solve.companions import where_is_one
from memnets.data.babi.solve.comparisons import what_fits_where
from memnets.data.babi.solve.days import where_before
from memnets.data.babi.solve.inference import what_is_feared, which_colour, why_it_is_done
from memnets.data.babi.solve.layouts import how_they_lie, how_to_go, what_lies_where
from memnets.data.babi.solve.places import where_is_actor, where_is_thing, where_was_thing
from memnets.data.babi.solve.possessions import how_many, what_is_carried, who_gave_what
from memnets.data.babi.solve.rumours import is_in
from memnets.data.babi.solve.solved import Solved, Solver

__all__ = ["SOLVERS", "Solved"]

SOLVERS: dict[int, Solver] = {
    1: where_is_actor,
    2: where_is_thing,
    3: where_was_thing,
    4: what_lies_where,
    5: who_gave_what,
    6: is_in,
    7: how_many,
    8: what_is_carried,
    9: is_in,
    10: is_in,
    11: where_is_one,
    12: where_is_one,
    13: where_is_one,
    14: where_before,
    15: what_is_feared,
    16: which_colour,
    17: how_they_lie,
    18: what_fits_where,
    19: how_to_go,
    20: why_it_is_done,
}
