"""The C++ sources of this folder: the fast paths of some ops."""

from pathlib import Path
from typing import Literal

from memnets.native import PLAIN, Library, plain_is_forced

OPS = Library(Path(__file__).parent, "ops")

available = OPS.available
library = OPS.loaded


def kernels() -> Literal["native", "eager"]:
    """Return which path the ops take, as a run records it."""
    return "native" if available() else "eager"


__all__ = ["OPS", "PLAIN", "available", "kernels", "library", "plain_is_forced"]
