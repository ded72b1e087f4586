"""Train, load what was trained, whatever it is, and ask it. Imports no torch by itself.

The one way for Python, notebooks, the command line and servers.
"""

from memnets.inference.kb import KB, build_kb
from memnets.inference.loading import load
from memnets.inference.runs import (
    evaluate,
    judge,
    kind_of,
    load_run,
    load_to_ask,
    next_free,
    open_run,
    progress,
    resume,
    train,
)

__all__ = [
    "KB",
    "build_kb",
    "evaluate",
    "judge",
    "kind_of",
    "load",
    "load_run",
    "load_to_ask",
    "next_free",
    "open_run",
    "progress",
    "resume",
    "train",
]
