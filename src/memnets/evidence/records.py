"""What was read: slots of a memory, step by step, or a sentence for each word of another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Support:
    """One slot of the memory as a step read it."""

    slot: int
    """Its place in the memory, from 0."""
    text: str
    weight: float
    gold: bool | None = None
    """Whether the data name it as evidence; None where nobody said."""


@dataclass(frozen=True)
class Step:
    """One read of the memory: a hop, a pass, a time step."""

    name: str
    supports: tuple[Support, ...]
    """All slots in the order of the memory."""

    @property
    def most_read(self) -> Support | None:
        return max(self.supports, key=lambda support: support.weight, default=None)

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "supports": tuple({**vars(one)} for one in self.supports)}


@dataclass(frozen=True)
class Alignment:
    """What was read of a source, word by word, for each word that was said.

    `Answer.alignment` has it where every step read the same words.

    Raises:
        ValueError: there are not as many rows as words were said, or a row is of other words.
    """

    source: tuple[str, ...]
    said: tuple[str, ...]
    weights: tuple[tuple[float, ...], ...]
    """A row for each word that was said, a number for each word of the source."""

    def __post_init__(self) -> None:
        shape = len(self.said), len(self.source)
        if len(self.weights) != shape[0] or any(len(row) != shape[1] for row in self.weights):
            raise ValueError(
                f"Alignment: weights of {len(self.weights)} rows, the longest of "
                f"{max(map(len, self.weights), default=0)} numbers; expected {shape[0]} rows of "
                f"{shape[1]}: a row for each word that was said, a number for each of the source."
            )

    @property
    def steps(self) -> tuple[Step, ...]:
        """The same as reads of a memory, whose slots are the words of the source."""
        return tuple(
            Step(word, tuple(map(Support, range(len(row)), self.source, row)))
            for word, row in zip(self.said, self.weights, strict=True)
        )

    @classmethod
    def of(cls, steps: Sequence[Step]) -> "Alignment":
        """Return what steps have read that have the same slots, all of them."""
        source = tuple(support.text for support in steps[0].supports) if steps else ()
        weights = (tuple(support.weight for support in step.supports) for step in steps)
        return cls(source, tuple(step.name for step in steps), tuple(weights))
