"""Which of the slots that share a word with a question are candidates: the published rules."""

from dataclasses import dataclass, fields


@dataclass(frozen=True)
class Rule:
    """What makes a slot a candidate; by default, that it shares any word with the question.

    The bucket of a word is the slots that it leads to.

    Raises:
        ValueError: a limit is below 1, or the window below 0.
    """

    max_df: int | None = None
    """A word in the keys of this many slots or more is not looked up: F of Miller et al."""
    max_bucket: int | None = None
    """A bucket of this many slots or more is thrown away, whole."""
    entities_only: bool = False
    """Only words that are entities are looked up."""
    hash_value: bool = False
    """A word leads also to the slots whose value holds it."""
    top_n: int | None = None
    """Keep the slots of the highest TF-IDF, this many; of equal ones the first written."""
    newest: int | None = None
    """Keep the slots that were written last, this many, as a memory of this size does."""
    doc_window: int = 0
    """Add the neighbours of each in its document, this many on either side."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value, least = getattr(self, field.name), int(field.name != "doc_window")
            if type(value) is int and value < least:
                raise ValueError(
                    f"Rule({field.name}={value}): expected {least} or more"
                    f"{', or None for no limit' if least else ''}. Correct the number."
                )


PAPER = Rule(max_df=1000)
"""Slots whose key shares a word of frequency F < 1000 with the question: Miller et al. (2016)."""
LUA_WIKIMOVIES = Rule(max_df=10_000, max_bucket=1000, entities_only=True, newest=1000)
"""What Miller's released code runs on WikiMovies: only entities are looked up.

Deviations: a frequency is the number of slots here, the number of occurrences in the text there.
"""
