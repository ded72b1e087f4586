"""Look a name up among those that are known, and say what was meant where it is not."""

from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")


def named(name: str, known: Mapping[str, T], what: str, listing: str) -> T:
    """Return what has this name.

    Args:
        name: as a user gave it.
        known: everything that has a name.
        what: a word for these things, such as "recipe".
        listing: the command that lists them.

    Raises:
        ValueError: the name is unknown; the text names the nearest one.
    """
    if name in known:
        return known[name]
    import difflib

    close = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
    hint = f"Did you mean {close[0]}?" if close else f"See `{listing}`."
    raise ValueError(f"there is no {what} {name!r}. {hint}")
