"""How the names and values of a question are taken: as starts, or as what narrows a set."""

from typing import NamedTuple


class Filter(NamedTuple):
    """An argument that narrows a set by a relation."""

    argument: int
    relation: str
    weight: float
    """How surely the question says the relation."""
    rivals: int
    """Relations by which it might."""
    compares: bool = False
    placed: bool = False
    """Whether a preposition of the relation's name stands before the argument."""
    counts: bool = False
    """Whether it says how many objects there are: "more than two languages"."""


class Frame(NamedTuple):
    """For every argument how it narrows a set, or None where it does not."""

    roles: tuple[Filter | None, ...]
