"""Evidence: an answer, and what was read to give it, in words. Plain records, no tensors.

`ask`, `serve` and `report` all show these.
"""

from dataclasses import asdict, dataclass
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


@dataclass(frozen=True)
class Answer:
    """An answer with its probability, its rivals and the evidence it rests on."""

    question: str
    text: str
    probability: float
    runners_up: tuple[tuple[str, float], ...]
    """Other answers and their probabilities, the likeliest first."""
    steps: tuple[Step, ...]
    unknown_words: tuple[str, ...] = ()
    """Words of the input that the model has never seen; they were read as nothing."""
    gold: str | None = None
    """The right answer where it is known."""

    @property
    def correct(self) -> bool | None:
        return None if self.gold is None else self.text == self.gold

    @property
    def rests_on_gold(self) -> bool | None:
        """Whether the slot read most at some step is gold evidence; None where none is known."""
        read = [step.most_read for step in self.steps]
        known = [support.gold for support in read if support and support.gold is not None]
        return any(known) if known else None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
