"""The entity list: to find entities in a text, and to split lists of answers."""

import os
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memnets.data.rows import BadRows, records

_TOKEN = re.compile(r"\w+|[^\w\s]")


class EntitySpan(NamedTuple):
    """An entity in a text, and where it stands."""

    entity: str
    start: int
    end: int


class Entities:
    """A list of names, in the order of the file.

    Many are ordinary words ("What", "FM") or single characters ("$"), 238 hold ", ", one is a
    no-break space: names are compared as they stand.

    Args:
        names: each name once; a repeated one is dropped.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.names: tuple[str, ...] = tuple(dict.fromkeys(names))
        self._known = frozenset(self.names)
        self._most_pieces = 1 + max((name.count(", ") for name in self.names), default=0)
        self._most_tokens: dict[str, int] = {}
        for name in self.names:
            tokens = _TOKEN.findall(name)
            if tokens:
                self._most_tokens[tokens[0]] = max(len(tokens), self._most_tokens.get(tokens[0], 0))

    def __contains__(self, name: object) -> bool:
        return name in self._known

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def every_mention(self, text: str) -> list[EntitySpan]:
        """Find every entity in a text, also inside another.

        Only whole words count, so "Red" is not found in "Redford".
        """
        tokens = list(_TOKEN.finditer(text))
        return [
            EntitySpan(name, first.start(), last.end())
            for position, first in enumerate(tokens)
            for last in tokens[position : position + self._most_tokens.get(first[0], 0)]
            if (name := text[first.start() : last.end()]) in self._known
        ]

    def mentions(self, text: str) -> list[EntitySpan]:
        """Find entities in a text, the longest first; none overlap.

        Returns:
            The mentions in the order of the text.
        """
        taken = bytearray(len(text))
        chosen = []
        for mention in sorted(
            self.every_mention(text), key=lambda one: (one.start - one.end, one.start)
        ):
            if not any(taken[mention.start : mention.end]):
                taken[mention.start : mention.end] = b"\1" * (mention.end - mention.start)
                chosen.append(mention)
        return sorted(chosen, key=lambda one: one.start)

    def split(self, text: str) -> tuple[str, ...]:
        """Split "answer, answer" where entities end: ", " also stands inside names.

        Of all ways to cut it is the one with the fewest pieces that are no entities, then the one
        with the fewest pieces, then the one with the longest first piece.
        """
        pieces = text.split(", ")
        # best[i]: of pieces[i:], (pieces that are no entities, pieces, minus where the first ends)
        best = [(0, 0, 0)] * (len(pieces) + 1)
        for start in reversed(range(len(pieces))):
            ends = range(start + 1, min(len(pieces), start + self._most_pieces) + 1)
            best[start] = min(
                (best[end][0] + (not known), best[end][1] + 1, -end)
                for end in ends
                if (known := ", ".join(pieces[start:end]) in self) or end == start + 1
            )
        answers, start = [], 0
        while start < len(pieces):
            end = -best[start][2]
            answers.append(", ".join(pieces[start:end]))
            start = end
        return tuple(answers)


def read_entities(path: str | os.PathLike[str], bad: BadRows | None = None) -> Entities:
    """Read a list of entities, one a line."""
    return Entities(records(path, str, bad))
