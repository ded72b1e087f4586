"""Facts as plain records: one object, or all objects of a subject and a relation."""

from typing import NamedTuple


class Triple(NamedTuple):
    """One atomic fact."""

    subject: str
    relation: str
    object: str


class Fact(NamedTuple):
    """A grouped fact: every object of a subject and a relation."""

    subject: str
    relation: str
    objects: tuple[str, ...]
