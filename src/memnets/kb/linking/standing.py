"""Whole names that stand in a question, some of their words misspelt: "karsholm centrall"."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from memnets.kb.linking.parts import ONE_ERROR, SHORTEST, distance, likeness
from memnets.kb.linking.sounds import sound_alike


class Standing(NamedTuple):
    """Where a whole name stands, nearly; the greater, the likelier."""

    words: int
    right: int
    """Minus the number of errors."""
    begin: int
    name: str

    @property
    def end(self) -> int:
        """The word behind it."""
        return self.begin + self.words


def standing(
    names: Iterable[Sequence[str]],
    words: Sequence[str],
    place: tuple[int, int],
    not_in: Collection[str],
    short: bool,
) -> Standing | None:
    """Return where one of some names stands whole around a part; None where none does.

    Args:
        names: the words of each.
        words: of the question.
        place: where the part begins and ends.
        not_in: words that are not misspelt.
        short: whether short words may be misspelt too: "lay ash" of "Lady Ash".
    """
    begin, end = place
    found = []
    for name in names:
        for first in range(max(0, end - len(name)), begin + 1):
            errors = _errors(words[first : first + len(name)], name, not_in, short)
            if errors is not None:
                found.append(Standing(len(name), -errors, first, " ".join(name)))
    return max(found, default=None)


def _errors(
    typed: Sequence[str], name: Sequence[str], not_in: Collection[str], short: bool
) -> int | None:
    """Return how many letters are wrong if some words are meant as a name; None if they are not."""
    if len(typed) != len(name):
        return None
    wrong = [pair for pair in zip(typed, name, strict=True) if pair[0] != pair[1]]
    if all(one not in not_in and _is_nearly(one, other, short) for one, other in wrong):
        return sum(distance(one, other) for one, other in wrong)
    return None


def _is_nearly(typed: str, word: str, short: bool) -> bool:
    """Whether a word may be misspelt."""
    if sound_alike(typed, word):
        return True
    if short and SHORTEST <= min(len(typed), len(word)) < ONE_ERROR:
        return distance(typed, word) == 1
    return likeness(typed, word) > 0
