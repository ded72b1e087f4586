"""The solvers, one entry a task."""

from memnets.data.babi_oracle.places import where_is_actor, where_is_thing, where_was_thing
from memnets.data.babi_oracle.solved import Solved, Solver

__all__ = ["SOLVERS", "Solved"]

SOLVERS: dict[int, Solver] = {
    1: where_is_actor,
    2: where_is_thing,
    3: where_was_thing,
}
