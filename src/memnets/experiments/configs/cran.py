"""The cache-based recurrent attention network as the core of a model: its parts by name.

The names are readable ones; the proposal's numbers stand beside them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memnets.training.config import expect_at_least

if TYPE_CHECKING:
    from memnets.layers import ZoneKey
    from memnets.layers.zone_choice import ZoneChoice
    from memnets.models.cran import CRAN


@dataclass(frozen=True)
class CRANCore:
    """What the network is made of; the values are those that were found to work."""

    hidden: int = 128
    """Width of the state."""
    key_dim: int = 64
    """Width of a zone's key."""
    zones: int = 10
    """How many zones are remembered, N."""
    slots: int = 10
    """How many states a zone holds, L."""
    k: int = 4
    """How many zones are read at a step, k."""
    query: Literal["input", "joint"] = "joint"
    """What zones are asked for with: the input (1.1), or the state before as well (1.2)."""
    read: Literal["input", "joint"] = "joint"
    """What slots are asked for with: the input (2.1), or the state before as well (2.2)."""
    update: Literal["relu", "gated"] = "relu"
    """The new state: one layer with a ReLU (3.1), or gates (3.2)."""
    key: Literal["linear", "mlp", "bilstm", "transformer", "mean", "last"] = "linear"
    """A zone's key: 4.1, 4.2, 4.3, 4.4, and two that are not in the proposal."""
    depth: int = 1
    """Layers of the key, where it is an MLP or a Transformer."""
    choice: Literal["top", "renormalised", "twice", "random", "none"] = "top"
    """Which zones are read, and with which weights; `top` is the proposal's."""
    scaled: bool = True
    """Whether both dot products are divided by the root of their width; the proposal's are not."""
    refresh: Literal["write", "window"] = "window"
    """When keys are made: at every write as in the proposal, or at the start of a window too."""
    detached: bool = False
    """Whether gradient is cut at every step, so that no step learns what to write for later."""
    blank: bool = False
    """Whether the memory begins with zones full of zeros, which are read like others."""

    def __post_init__(self) -> None:
        expect_at_least("core", self, hidden=1, key_dim=1, zones=1, slots=1, k=1, depth=1)

    @property
    def output(self) -> int:
        """Width of what it says."""
        return self.hidden

    def build(self, dim: int) -> "CRAN":
        """Return the network for inputs of a width."""
        from memnets.attention import Dot, ScaledDot
        from memnets.memories import BlankZones, ZoneMemory
        from memnets.models import cran

        hidden, score = self.hidden, ScaledDot if self.scaled else Dot
        joint = self.query == "joint"
        cell = cran.CRANCell(
            cran.JointQuery(dim, hidden, self.key_dim)
            if joint
            else cran.InputQuery(dim, self.key_dim),
            (cran.JointRead if self.read == "joint" else cran.InputRead)(dim, hidden, hidden),
            (cran.GatedUpdate if self.update == "gated" else cran.ReluUpdate)(dim, hidden),
            self._key(),
            (BlankZones if self.blank else ZoneMemory)(self.zones, self.slots),
            self._choice(),
            score(),
            score(),
        )
        return cran.CRAN(cell, self.refresh, self.detached)

    def _key(self) -> "ZoneKey":
        from memnets import layers

        hidden, dim, slots = self.hidden, self.key_dim, self.slots
        if self.key == "linear":
            return layers.LinearKey(hidden, slots, dim)
        if self.key == "mlp":
            return layers.MLPKey(hidden, slots, dim, self.depth)
        if self.key == "transformer":
            return layers.TransformerKey(hidden, dim, layers=self.depth)
        by_width: dict[str, Callable[[int, int], ZoneKey]]
        by_width = {"bilstm": layers.BiLSTMKey, "mean": layers.MeanKey, "last": layers.LastKey}
        return by_width[self.key](hidden, dim)

    def _choice(self) -> "ZoneChoice":
        from memnets.layers import zone_choice

        if self.choice == "none":
            return zone_choice.NoZones()
        kinds: dict[str, Callable[[int], ZoneChoice]] = {
            "top": zone_choice.TopZones,
            "renormalised": zone_choice.RenormalisedZones,
            "twice": zone_choice.TwiceSoftmaxZones,
            "random": zone_choice.RandomZones,
        }
        return kinds[self.choice](self.k)


def literal() -> CRANCore:
    """The proposal to the letter, its slip in the slots' keys mended; nothing is scaled."""
    return CRANCore(scaled=False, refresh="write")


def recommended() -> CRANCore:
    """The proposal with two changes: both dot products are scaled, and keys are made anew in time.

    Scaling is what lets it learn to recall quickly. A zone's key that was made by the weights of
    long ago is found no longer; made anew at the start of a window, it also teaches its encoder.
    """
    return CRANCore()


def unrepaired() -> CRANCore:
    """What the proposal's author had and was repaired here: gradient cut, two softmaxes, blanks.

    For comparison only, with the query and the width of keys of the presets beside it. His own
    network is `memnets.models.cran.longterm`: its query is that of 1.1, its keys are as wide as
    the input, and the empty slots of the zone that is being filled are read too.
    """
    return CRANCore(choice="twice", refresh="write", detached=True, blank=True)
