"""What was read: slots of a memory, step by step."""

from dataclasses import dataclass


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
