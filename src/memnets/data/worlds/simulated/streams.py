"""Stories as one string of words, for a segmenter that has to find where a statement ends.

"Joe went to the garden then Fred picked up the milk; Joe moved to the bathroom" (after Figure 2):
statements are joined by one of a few connectives, and no sign is left between them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from memnets.data.babi.generate.dice import Dice
from memnets.data.babi.stories import Statement, tokens

# A statement begins with one of these; a full stop or a semicolon leaves no word.
CONNECTIVES = ((), ("and",), ("then",), ("and", "then"), ("next",), ("after", "that"))


class WordStream(NamedTuple):
    """Words without a sign of where a statement ends; `ends` counts the words up to each end."""

    words: tuple[str, ...]
    ends: tuple[int, ...]

    @property
    def segments(self) -> tuple[tuple[str, ...], ...]:
        """The words of each statement, its connective included."""
        starts = (0, *self.ends[:-1])
        return tuple(self.words[a:b] for a, b in zip(starts, self.ends, strict=True))


def word_stream(statements: Sequence[Statement], seed: int) -> WordStream:
    """Join statements; the same arguments give the same words everywhere."""
    dice = Dice("word-stream", seed)
    words: list[str] = []
    ends = []
    for statement in statements:
        words += [*(dice.pick(CONNECTIVES) if words else ()), *tokens(statement.text)]
        ends.append(len(words))
    return WordStream(tuple(words), tuple(ends))
