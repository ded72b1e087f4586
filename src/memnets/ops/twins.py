"""Fast paths and their plain twins: which of the two is wanted."""

import os

from memnets.ops import native


def plain_is_forced() -> bool:
    """Return whether the environment asks for the plain twins, MEMNETS_PLAIN=1."""
    return os.environ.get(native.PLAIN, "0") not in ("", "0")
