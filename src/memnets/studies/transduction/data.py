"""Which sequences are learnt from: generated, always the same ones."""

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from memnets.data.pairs import SentencePair, Words
from memnets.data.pairs.expressions import expressions
from memnets.data.pairs.spelled import spelled
from memnets.training.config import expect_at_least, expect_at_most

Splits = Mapping[str, Sequence[SentencePair]]


@dataclass(frozen=True)
class TransductionData:
    """Generated pairs: what is read, and how it is to be said."""

    pairs: Literal["trees", "order"] = "trees"
    """Expressions from prefix to infix, or letters to words in another order."""
    size: int = 3
    """Depth of the expressions, or the most clauses of a sentence."""
    train: int = 3000
    """Pairs to learn from."""
    held_out: int = 500
    """Pairs that choose the epoch, and as many that are reported."""

    def __post_init__(self) -> None:
        expect_at_least("data", self, size=1, train=1, held_out=1)
        expect_at_most("data", self, size=8, train=1_000_000, held_out=100_000)
        if self.pairs == "trees" and self.size == 1 and self.train + 2 * self.held_out > 10_000:
            raise ValueError(
                f"data.size is 1 and data.train {self.train}: expected 10,000 pairs at most, as "
                f"there are few expressions of one operator. Pass --data.size 2, say."
            )
        if self.pairs == "order" and self.size == 1 and self.train + 2 * self.held_out > 5000:
            raise ValueError(
                f"data.size is 1 and data.train {self.train}: expected 5,000 pairs at most, as "
                f"there are few sentences of one clause. Pass --data.size 2, say."
            )

    def load(self) -> Splits:
        """Draw the pairs; no split has a pair of another."""
        draw = expressions if self.pairs == "trees" else spelled
        pairs = draw(self.train + 2 * self.held_out, self.size, random.Random(0))
        end = len(pairs) - self.held_out
        return {
            "train": pairs[: self.train],
            "valid": pairs[self.train : end],
            "test": pairs[end:],
        }

    @staticmethod
    def vocabularies(train: Sequence[SentencePair]) -> tuple[Words, Words]:
        """Return the symbols that are read, and those that are said."""
        source, target = zip(*train, strict=True)
        return Words.of(source, least=1), Words.of(target, least=1)


def digest(splits: Splits) -> str:
    """Return the SHA-256 of all pairs."""
    lines = (
        f"{split}\t{pair.source}\t{pair.target}\n"
        for split, part in splits.items()
        for pair in part
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()
