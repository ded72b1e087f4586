"""The Neural Turing Machine as the core of a model, and what is compared with it.

What the paper leaves open stands among its sizes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memnets.training.config import expect_above, expect_at_least

if TYPE_CHECKING:
    from memnets.layers.recurrent import LSTM
    from memnets.memories.external import ControlledMemory
    from memnets.models.ntm import NTM

ScoreName = Literal["dot", "scaled-dot", "general", "additive", "cosine", "strength"]
"""Scores of the attention grid that a memory is read by."""


@dataclass(frozen=True)
class NTMCore:
    """What the machine is made of; memory and heads are the paper's for most of its tasks."""

    hidden: int = 100
    """Width of the controller's state."""
    slots: int = 128
    """Slots of the memory."""
    width: int = 20
    """Numbers of a slot."""
    reads: int = 1
    """Heads that read."""
    writes: int = 1
    """Heads that write."""
    controller: Literal["lstm", "feed-forward"] = "lstm"
    """The network that is told the input and what was read."""
    reach: int = 1
    """How far a head moves at a step, either way."""
    memory: Literal["constant", "learned"] = "constant"
    """What is remembered at first: one small number everywhere, or what was learned, as in the
    paper."""
    weights: Literal["learned", "first", "uniform"] = "first"
    """Where the heads stand at first."""
    carried: Literal["learned", "zeros"] = "learned"
    """What was read, and the controller's state, at first."""
    order: Literal["write first", "read first"] = "write first"
    """Whether a step reads what it has written."""
    key: Literal["none", "tanh"] = "none"
    """What is done to a key."""
    add: Literal["none", "tanh"] = "none"
    """What is done to what is added."""
    strength: float = 4.0
    """How sharply heads look for content before anything is learnt; with 0.7, as a linear layer
    would have it, 128 slots look nearly alike and what is in them is hardly learnt to be found."""

    def __post_init__(self) -> None:
        expect_at_least("core", self, hidden=1, slots=1, width=1, reads=1, writes=1, reach=0)
        expect_above("core", self, strength=0)
        if (self.memory, self.weights) == ("constant", "uniform"):
            raise ValueError(
                "core.memory is constant and core.weights is uniform: expected something by which "
                "slots differ, or they stay alike for ever. Pass --core.weights first."
            )

    @property
    def output(self) -> int:
        """Width of what it says: its controller's state, and what was read."""
        return self.hidden + self.reads * self.width

    def build(self, dim: int) -> "NTM":
        """Return the machine for inputs of a width."""
        from memnets.memories.external import Beginning
        from memnets.models.ntm import NTM, Conventions

        return NTM(
            dim,
            self.hidden,
            self.slots,
            self.width,
            (self.reads, self.writes),
            self.controller,
            self.reach,
            Conventions(
                Beginning(self.memory, self.weights, self.carried),
                self.order,
                key=self.key,
                add=self.add,
                strength=self.strength,
            ),
        )


@dataclass(frozen=True)
class ContentCore:
    """A memory whose one head looks by content alone, to read and to write."""

    hidden: int = 100
    """Width of the controller's state."""
    slots: int = 128
    """Slots of the memory; what they hold at first is learned."""
    width: int = 20
    """Numbers of a slot."""
    score: ScoreName = "strength"
    """How well a slot matches what is asked; `strength` is a cosine whose strength comes with what
    is asked, as the Turing machine has it."""

    def __post_init__(self) -> None:
        expect_at_least("core", self, hidden=1, slots=1, width=1)

    @property
    def output(self) -> int:
        """Width of what it says: its controller's state, and what was read."""
        return self.hidden + self.width

    def build(self, dim: int) -> "ControlledMemory":
        """Return the memory for inputs of a width."""
        from memnets import attention
        from memnets.models.ntm import simplified

        width = self.width
        scores: dict[str, Callable[[], attention.Score]] = {
            "dot": attention.Dot,
            "scaled-dot": attention.ScaledDot,
            "general": lambda: attention.General(width, width),
            "additive": lambda: attention.Additive(width, width, width),
            "cosine": attention.Cosine,
            "strength": attention.KeyStrengthCosine,
        }
        score = scores[self.score]()
        return simplified(dim, self.hidden, self.slots, width, score, attention.Softmax())


@dataclass(frozen=True)
class BesideCore:
    """An LSTM, for comparison."""

    hidden: int = 119
    """Width of the state; 119 for as many parameters as a Turing machine with 100 units."""
    layers: int = 1
    """One above the other."""

    def __post_init__(self) -> None:
        expect_at_least("core", self, hidden=1, layers=1)

    @property
    def output(self) -> int:
        """Width of what it says."""
        return self.hidden

    def build(self, dim: int) -> "LSTM":
        """Return the network for inputs of a width."""
        from memnets.layers.recurrent import LSTM

        return LSTM(dim, self.hidden, self.layers)
