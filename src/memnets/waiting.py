"""Say what is being done where it takes long, for those who wait. Imports no torch."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE = 2.0
"""Seconds after which something takes long."""


@contextmanager
def said_if_long(doing: str, patience: float | None = None) -> Iterator[None]:
    """Say on stderr what is being done inside, if it is not done soon.

    Args:
        doing: such as "reading the data".
        patience: seconds before it is said; `PATIENCE` by default.
    """
    timer = threading.Timer(PATIENCE if patience is None else patience, _say, (doing,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _say(doing: str) -> None:
    import logging  # which takes longer than most of what nobody has to wait for

    # A warning, for those are shown on stderr where nobody has set up logging.
    logging.getLogger("memnets").warning("memnets: %s", doing)
