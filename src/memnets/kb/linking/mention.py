"""Where a question names entities."""

from typing import Literal, NamedTuple

How = Literal["name", "alias", "spelling", "part"]
MOST = 20
"""Of the entities of one name so many are kept, those with the most facts."""


class Mention(NamedTuple):
    """Where a question names entities, and how that was recognised."""

    begin: int
    end: int
    """The words from `begin` to `end`, not included."""
    entities: tuple[str, ...]
    """Those of this name, the one with the most facts first."""
    how: How
    name: str
    """The name that was recognised, as the KB is searched for it."""
    likeness: float = 1.0
    """Of a spelling to the name."""
    others: tuple[str, ...] = ()
    """Those that have the name in theirs: they are meant where those of the name have no answer."""
