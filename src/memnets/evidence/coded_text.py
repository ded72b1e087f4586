"""A text, what each of its symbols cost a language model, and what was read before it came."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple


class PlacesRead(NamedTuple):
    """What one read took of the symbols that had come."""

    name: str
    """Who read: "hop 1", "zone 3", "neural cache"."""
    places: tuple[int, ...]
    """Of the symbols, 0 the first of the text; those of which hardly anything was read are left
    out."""
    weights: tuple[float, ...]
    """How much was read of each."""


class Expected(NamedTuple):
    """What a model thinks will come, and what it has read to think so."""

    likeliest: tuple[tuple[str, float], ...]
    """Symbols and their chances, the likeliest first."""
    read: tuple[PlacesRead, ...] | None
    """Nothing, (), where there was nothing to be read; None where it is not told."""

    def to_json(self) -> dict[str, Any]:
        read = None if self.read is None else tuple(one._asdict() for one in self.read)
        return {"likeliest": self.likeliest, "read": read}


class CodedSymbol(NamedTuple):
    """A symbol that came, what it cost, and what was expected in its place."""

    symbol: str
    bits: float
    expected: Expected

    @property
    def probability(self) -> float:
        """The chance that the model gave it."""
        return float(2.0**-self.bits)

    def to_json(self) -> dict[str, Any]:
        known = {"symbol": self.symbol, "bits": self.bits, "probability": self.probability}
        return known | self.expected.to_json()


@dataclass(frozen=True)
class CodedText:
    """A text as a language model took it; iterate over it for its symbols, all but the first."""

    text: str
    unit: str
    """What a symbol is: "character" or "word"."""
    first: str
    """The symbol at place 0, which nothing came before."""
    symbols: tuple[CodedSymbol, ...]
    """Those from place 1 on."""
    next: Expected
    """After the text."""
    slots: int | None = None
    """Of a memory of zones: how many symbols, one after the other, make a zone."""
    unknown: tuple[str, ...] = ()
    """Symbols that the model has never seen."""

    @property
    def bits(self) -> float | None:
        """What a symbol cost, in the mean; None where one alone came, which nothing predicts."""
        total = sum(one.bits for one in self.symbols)
        return total / len(self.symbols) if self.symbols else None

    def __iter__(self) -> Iterator[CodedSymbol]:
        return iter(self.symbols)

    def __len__(self) -> int:
        return len(self.symbols)

    def to_json(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "bits": self.bits,
            "unit": self.unit,
            "slots": self.slots,
            "unknown_words": self.unknown,
            "first": self.first,
            "symbols": tuple(one.to_json() for one in self.symbols),
            "next": self.next.to_json(),
        }
