"""Which table of embeddings plays which role in MemN2N."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar


class Tying(ABC):
    """Which table of embeddings plays which role: A^k, C^k, B and W of the paper.

    Tables that read the memory come first, so that all of them are looked up together.
    """

    recurrent: ClassVar[bool] = False
    """Whether a matrix H carries the state from hop to hop."""

    @abstractmethod
    def keys(self, hop: int) -> int:
        """Return the table A of hop `hop`, counted from 0."""

    @abstractmethod
    def values(self, hop: int) -> int:
        """Return the table C of hop `hop`."""

    @abstractmethod
    def memory_tables(self, hops: int) -> int:
        """Return how many tables read the memory."""

    @abstractmethod
    def question(self, hops: int) -> int:
        """Return the table B."""

    @abstractmethod
    def answer(self, hops: int) -> int:
        """Return the table W, transposed."""

    def tables(self, hops: int) -> int:
        """Return how many tables there are."""
        return max(self.memory_tables(hops), self.question(hops) + 1, self.answer(hops) + 1)


@dataclass(frozen=True)
class Untied(Tying):
    r"""Every $A^k$, $C^k$, $B$ and $W$ is free: layers stacked, nothing shared."""

    def keys(self, hop: int) -> int:
        return 2 * hop

    def values(self, hop: int) -> int:
        return 2 * hop + 1

    def memory_tables(self, hops: int) -> int:
        return 2 * hops

    def question(self, hops: int) -> int:
        return 2 * hops

    def answer(self, hops: int) -> int:
        return 2 * hops + 1


@dataclass(frozen=True)
class Adjacent(Tying):
    r"""What one hop reads is what the next one is found by (section 2.2, 1).

    $$ A^{k+1} = C^k, \qquad B = A^1, \qquad W^\top = C^K $$
    """

    def keys(self, hop: int) -> int:
        return hop

    def values(self, hop: int) -> int:
        return hop + 1

    def memory_tables(self, hops: int) -> int:
        return hops + 1

    def question(self, hops: int) -> int:
        return 0

    def answer(self, hops: int) -> int:
        return hops


@dataclass(frozen=True)
class LayerWise(Tying):
    r"""All hops share their tables, and a matrix carries the state (section 2.2, 2).

    $$ A^1 = \dots = A^K, \qquad C^1 = \dots = C^K, \qquad u^{k+1} = H u^k + o^k $$
    """

    recurrent = True

    def keys(self, hop: int) -> int:
        return 0

    def values(self, hop: int) -> int:
        return 1

    def memory_tables(self, hops: int) -> int:
        return 2

    def question(self, hops: int) -> int:
        return 2

    def answer(self, hops: int) -> int:
        return 3
