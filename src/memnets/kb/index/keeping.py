"""What was worked out lately and may be wanted again, as far as there is room for it."""

from typing import Any

KEPT = 4096
"""So many things are kept of each kind."""


def make_room(kept: dict[Any, Any]) -> None:
    """Forget what is kept where it is much."""
    if len(kept) >= KEPT:
        kept.clear()
