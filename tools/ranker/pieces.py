"""Tokens of the networks that rankers begin from or learn from, by the library tokenizers."""

from collections.abc import Sequence
from pathlib import Path


class Pieces:
    """Takes pieces of words for tokens.

    Args:
        path: of `tokenizer.json`.
    """

    def __init__(self, path: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(path))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    def numbers(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the tokens of each text."""
        return [one.ids for one in self._tokenizer.encode_batch(list(texts))]
