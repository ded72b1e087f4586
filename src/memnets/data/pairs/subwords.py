"""Sentences as pieces of words, learnt by byte-pair encoding (Sennrich 2016), back to the letter.

The library tokenizers learns and applies the merges; it comes with memnets[translation].

Cite: sennrich2016
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from types import ModuleType
from typing import Any

from memnets.data.pairs.vocabulary import SPECIAL, said
from memnets.data.pairs.words import split_words

BYTES = 256
"""Every text is bytes, so that none has an unknown piece."""
_PART = "|".join(
    (
        r"['’](?:[sdmt]|re|ve|ll)(?!\p{L})",
        r" ?\p{L}[\p{L}\p{M}]*",
        r" ?\p{N}+",
        r" ?[^\s\p{L}\p{N}]",
        r"\s+(?!\S)|\s+",
    )
)
"""Within these parts letters are merged: no piece reaches over two words of `split_words`."""


@dataclass(frozen=True)
class Subwords:
    """Pieces of words: single bytes, and what was merged of them, in this order.

    A piece is written in GPT-2's alphabet, one letter a byte, where "Ġ" is a space.
    Every word begins with its space, so a space is set before the first one.

    Args:
        merges: pairs of pieces that become one; the earlier, the sooner.
    """

    merges: tuple[tuple[str, str], ...]

    @staticmethod
    def of(texts: Iterable[str], *, most: int = 8_000, least: int = 2) -> "Subwords":
        """Learn the merges of training sentences; the same sentences give the same merges.

        Args:
            texts: the sentences; of both languages for a vocabulary that they share.
            most: how many numbers there are at most, the special words among them.
            least: how often two pieces must meet to be merged.

        Raises:
            ModuleNotFoundError: tokenizers is not installed.
            ValueError: `most` leaves no room for the single bytes.
        """
        if most < len(SPECIAL) + BYTES:
            raise ValueError(
                f"most={most}: a vocabulary of subwords has at least {len(SPECIAL) + BYTES} "
                f"numbers, of {len(SPECIAL)} special words and {BYTES} single bytes. Allow more."
            )
        library = _library()
        learner = library.Tokenizer(library.models.BPE())
        learner.pre_tokenizer = _parting(library)
        trainer = library.trainers.BpeTrainer(
            vocab_size=most - len(SPECIAL),
            min_frequency=least,
            initial_alphabet=library.pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        )
        learner.train_from_iterator((f" {text}" for text in texts), trainer)
        return Subwords(_merges(learner))

    def __len__(self) -> int:
        return len(self.symbols)

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """What each number stands for, in the byte-level alphabet."""
        alphabet = sorted(_library().pre_tokenizers.ByteLevel.alphabet())
        # Two merges may make the same piece, which has one number.
        merged = (first + second for first, second in self.merges)
        return (*SPECIAL, *dict.fromkeys((*alphabet, *merged)))

    def split(self, text: str) -> list[str]:
        """Return what each of its numbers stands for in this sentence."""
        return self.pieces(self.numbers(text))

    def numbers(self, text: str) -> list[int]:
        """Return the numbers of the pieces of a sentence."""
        found = self._tokenizer.encode(f" {text}").ids if text else ()
        return [number + len(SPECIAL) for number in found]

    def pieces(self, numbers: Iterable[int]) -> list[str]:
        """Return the text of each number; that of a part of a letter shows as a question mark.

        A piece with a space before it begins a word.
        """
        return [
            self.symbols[number] if number < len(SPECIAL) else self._decoded([number])
            for number in numbers
        ]

    def word_places(self, numbers: Sequence[int]) -> list[int]:
        """Return of which word of their sentence, as `split_words` parts it, each number is.

        Args:
            numbers: of a sentence, without special words.
        """
        text = self._decoded(numbers)
        word_at: list[int] = []  # of every byte
        words = split_words(text)
        at = 0
        for place, word in enumerate(words):
            end = text.index(word, at) + len(word)
            word_at += [place] * len(text[at:end].encode())
            at = end
        word_at += [max(0, len(words) - 1)] * (len(text[at:].encode()) + 1)
        sizes = [len(self.symbols[number]) for number in numbers]  # one letter a byte
        lasts = (end - 1 for end in accumulate(sizes))
        return [word_at[min(last, len(word_at) - 1)] for last in lasts]

    def text(self, numbers: Iterable[int]) -> str:
        """Return the sentence of some numbers, up to the first end.

        It is the very text whose numbers they are.
        """
        return self._decoded(said(numbers)).removeprefix(" ")

    def unknown(self, text: str) -> tuple[str, ...]:
        """Return nothing: every text can be written."""
        return ()

    def to_json(self) -> dict[str, Any]:
        return {"kind": "subwords", "merges": [" ".join(merge) for merge in self.merges]}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "Subwords":
        first_and_second = (merge.split(" ") for merge in record["merges"])
        return cls(tuple((first, second) for first, second in first_and_second))

    @cached_property
    def _tokenizer(self) -> Any:
        library = _library()
        numbers = {symbol: at for at, symbol in enumerate(self.symbols[len(SPECIAL) :])}
        tokenizer = library.Tokenizer(library.models.BPE(numbers, list(self.merges)))
        tokenizer.pre_tokenizer = _parting(library)
        return tokenizer

    def _decoded(self, numbers: Iterable[int]) -> str:
        shown = [self.symbols[number] for number in numbers]
        return _library().decoders.ByteLevel().decode(shown)


def _parting(library: ModuleType) -> Any:
    parts = library.pre_tokenizers
    return parts.Sequence(
        [
            parts.Split(library.Regex(_PART), "isolated"),
            parts.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )


def _merges(learner: Any) -> tuple[tuple[str, str], ...]:
    found = json.loads(learner.to_str())["model"]["merges"]
    return tuple((first, second) for first, second in found)


def _library() -> ModuleType:
    try:
        import tokenizers
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "subwords need tokenizers, which is not installed. "
            "Run: pip install 'memnets[translation]', or use whole words."
        ) from None
    return tokenizers
