"""What is made of a question: programs that it may mean, and what is not certain about them."""

from typing import NamedTuple

from memnets.kb.programs.operators import Program
from memnets.kb.programs.running import Outcome


class Candidate(NamedTuple):
    """A program that a question may mean."""

    program: Program
    score: float
    """The higher, the more of the question it explains."""
    outcome: Outcome | None = None
    """What it gave, where it was carried out."""


class Doubts(NamedTuple):
    """What is not certain about the words of a question that were understood."""

    unsaid: float = 0.0
    """How far the least certain relation is from being said by its name."""
    rivals: int = 0
    """Further relations that one of the words may say as well."""
    misspelt: bool = False
    """Whether a name is not spelt so."""
    names: int = 0
    """Further entities of one of the names."""
    unread: float = 0.0
    """How surely relations are said that the likeliest program does not read."""
    guessed: float = 0.0
    """How strongly a relation is brought to mind that no word says."""
    equal: float = 0.0
    """How nearly another one is brought to mind as strongly."""
    unheard: float = 0.0
    """The share of the telling words that do not bring it to mind."""
    strays: bool = False
    """Whether the noun that is asked for is one of them: "which bus does Ada take"."""

    def or_worse(self, other: "Doubts") -> "Doubts":
        """Return the greater of either doubt."""
        return Doubts._make(max(one, two) for one, two in zip(self, other, strict=True))


class Understood(NamedTuple):
    """What was made of a question."""

    candidates: tuple[Candidate, ...]
    """The likeliest first; none where the question was not understood."""
    words: tuple[str, ...]
    """Those of the question that were understood."""
    strange: float = 0.0
    """What the others cost: how much of the question was not."""
    doubts: Doubts = Doubts()
    """What is not certain about the words that were."""
    told: bool = False
    """Whether nothing is asked."""

    @property
    def score(self) -> float:
        """How much of the question the likeliest program explains; 0 without one."""
        return self.candidates[0].score if self.candidates else 0.0

    @property
    def gives(self) -> bool:
        """Whether the likeliest program gives anything."""
        first = next(iter(self.candidates), None)
        return bool(first and first.outcome and first.outcome.answers)
