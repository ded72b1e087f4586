"""A random stream that gives the same draws on every Python version and platform."""

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

Option = TypeVar("Option")


class Dice:
    """Draws named by a stream, e.g. ``Dice("qa1", "train", 0)``.

    Python promises the same numbers for ``Random(seed).random()`` across versions, and for no
    other method, so every draw is made from it.
    """

    def __init__(self, *stream: str | int) -> None:
        name = ":".join(map(str, stream))
        seed = int.from_bytes(hashlib.sha256(name.encode()).digest(), "big")
        self._random = random.Random(seed).random

    def pick(self, options: Sequence[Option]) -> Option:
        """One of the options, all equally likely."""
        return options[int(self._random() * len(options))]

    def chance(self, share: float) -> bool:
        """True in this share of the draws."""
        return self._random() < share
