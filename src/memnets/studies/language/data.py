"""Which text a language model learns."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from memnets.data.text import Text, load_text, make_text


@dataclass(frozen=True)
class TextData:
    """Which text."""

    text: Literal[
        "shakespeare", "war-and-peace", "ptb", "ptb-characters", "wikitext-2", "generated"
    ] = "shakespeare"
    """Its name; a generated text is never put in the place of another unasked."""
    path: Path | None = None
    """Folder with its files; by default MEMNETS_DATA, then the cache."""

    def __post_init__(self) -> None:
        if self.text == "generated" and self.path is not None:
            raise ValueError(
                f"data.text is generated, so data.path {self.path} would be ignored. Leave it out, "
                f"or name a text with --data.text."
            )

    def load(self) -> Text:
        """Read the text.

        Raises:
            FileNotFoundError: its files are not at hand.
        """
        return make_text() if self.text == "generated" else load_text(self.text, self.path)
