"""Which sentences and translations are learnt from."""

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from memnets.data.pairs import (
    SentencePair,
    SentenceVocabulary,
    Subwords,
    Words,
    load_multi30k,
    load_pairs,
)
from memnets.training.config import expect_at_least

Splits = Mapping[str, Sequence[SentencePair]]

Kind = Literal["multi30k", "files", "copy", "reversal"]
TOYS: Mapping[Kind, int] = {"copy": 1, "reversal": -1}
"""Generated pairs: the target has the words of the source, in their order or from behind."""
TOY_PAIRS = {"train": 4000, "valid": 300, "test": 300}
TOY_LENGTHS = range(4, 13)


@dataclass(frozen=True)
class TranslationData:
    """Pairs of sentences, and how they are cut into symbols.

    Multi30k's own test part is left alone: the even pairs of its validation part, counted from 0,
    choose, the odd ones are what is reported. Of files of your own, the last pairs are held back.
    """

    pairs: Kind = "multi30k"
    """A data set, two files, or generated pairs of letters."""
    path: Path | None = None
    """Folder of the data set, or one that contains it; by default MEMNETS_DATA."""
    source: str = "de"
    """Language of Multi30k that is translated."""
    target: str = "en"
    """Language that it is translated into."""
    source_file: Path | None = None
    """Of your own: a sentence a line."""
    target_file: Path | None = None
    """Of your own: their translations, in the same order."""
    held_out: int = 500
    """Pairs of your own files that choose, and as many that are reported."""
    symbols: Literal["subwords", "words"] = "subwords"
    """Pieces of words, which can write any text, or whole words, of which rare ones are unknown."""
    most: int = 4000
    """Symbols of each language, at most."""
    least: int = 2
    """Words that occur less often are unknown; pieces that meet less often are not joined."""

    def __post_init__(self) -> None:
        expect_at_least("data", self, held_out=1, most=1, least=1)
        files = (self.source_file, self.target_file)
        if (self.pairs == "files") != all(files) or any(files) != all(files):
            raise ValueError(
                f'data.pairs is "{self.pairs}", data.source_file {self.source_file} and '
                f"data.target_file {self.target_file}: expected both files with data.pairs files, "
                f"and none without. Pass --data.pairs files, --data.source-file A and "
                f"--data.target-file B."
            )

    def load(self) -> Splits:
        """Read the pairs.

        Raises:
            FileNotFoundError: a file is not at hand.
            ValueError: a file cannot be read, or has too few pairs.
        """
        if self.pairs in TOYS:
            return toys(TOYS[self.pairs])
        if self.source_file and self.target_file:
            return self._held_out(load_pairs(self.source_file, self.target_file))
        languages = {"source": self.source, "target": self.target}
        train, held = (load_multi30k(part, self.path, **languages) for part in ("train", "valid"))
        return {"train": train, "valid": held[::2], "test": held[1::2]}

    def _held_out(self, pairs: Sequence[SentencePair]) -> Splits:
        first, second = len(pairs) - 2 * self.held_out, len(pairs) - self.held_out
        if first < 1:
            raise ValueError(
                f"{self.source_file}: {len(pairs):,} pairs, of which {2 * self.held_out:,} are to "
                f"be held back: nothing is left to learn from. Pass a smaller --data.held-out."
            )
        return {"train": pairs[:first], "valid": pairs[first:second], "test": pairs[second:]}

    def vocabularies(
        self, train: Sequence[SentencePair]
    ) -> tuple[SentenceVocabulary, SentenceVocabulary]:
        """Return the symbols of both languages."""
        source, target = zip(*train, strict=True)
        if self.symbols == "words" or self.pairs in TOYS:
            return self._words(source), self._words(target)
        limits = {"most": self.most, "least": self.least}
        return Subwords.of(source, **limits), Subwords.of(target, **limits)

    def _words(self, texts: Sequence[str]) -> Words:
        return Words.of(texts, least=self.least, most=self.most)


def toys(step: int) -> Splits:
    """Return pairs of letters, their targets from before or from behind; always the same ones."""
    dice = random.Random(0)

    def pair() -> SentencePair:
        letters = dice.choices("abcdefghijklmnop", k=dice.choice(TOY_LENGTHS))
        return SentencePair(" ".join(letters), " ".join(letters[::step]))

    return {split: [pair() for _ in range(number)] for split, number in TOY_PAIRS.items()}


def digest(splits: Splits) -> str:
    """Return the SHA-256 of all pairs."""
    lines = (
        f"{split}\t{pair.source}\t{pair.target}\n"
        for split, part in splits.items()
        for pair in part
    )
    return hashlib.sha256("".join(lines).encode()).hexdigest()
