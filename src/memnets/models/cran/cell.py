"""A step of CRAN: its memory, what it reads there, what it writes."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.attention.scores import InnerProduct, ScaledDot
from memnets.layers.zone_choice import ZoneChoice
from memnets.layers.zone_keys import ZoneKey
from memnets.memories.zones import ZoneMemory, Zones
from memnets.models.cran.parts import (
    GatedUpdate,
    InputQuery,
    InputRead,
    JointQuery,
    JointRead,
    ReluUpdate,
)
from memnets.ops.masking import masked_softmax


class CRANState(NamedTuple):
    """What is carried from step to step; plain tensors, rows of any age side by side.

    Attributes:
        hidden: $h^{(t-1)}$.
        values: the zones, oldest first; empty slots are zero.
        keys: of the zones, as they were at their last write.
        written: how many states were ever written to each row.
    """

    hidden: Float[Tensor, "batch hidden"]
    values: Float[Tensor, "batch zone slot hidden"]
    keys: Float[Tensor, "batch zone dim"]
    written: Int[Tensor, " batch"]

    @property
    def memory(self) -> Zones:
        return Zones(self.values, self.keys, self.written)

    def detach(self) -> "CRANState":
        return CRANState(self.hidden.detach(), *self.memory.detach())

    def reset(self, rows: Bool[Tensor, " batch"]) -> "CRANState":
        """Return a state whose marked rows begin anew (the end of a document)."""
        hidden = self.hidden.masked_fill(rows[:, None], 0.0)
        return CRANState(hidden, *self.memory.reset(rows))

    def index_select(self, index: Int[Tensor, " row"]) -> "CRANState":
        """Return the rows in another order or number (beam search, batching)."""
        return CRANState(*(field.index_select(0, index) for field in self))


class Evidence(NamedTuple):
    """What a step read: the step behind a slot was taken with the product of both weights."""

    zones: Float[Tensor, "batch zone"]
    slots: Float[Tensor, "batch zone slot"]


class CRANCell(nn.Module):
    r"""One step of the cache-based recurrent attention network.

    $$ \{\alpha_i, Z_i\}_k = \mathrm{Query}(x^{(t)}, M) \quad (1) \qquad
       A_i = \sum_j \mathrm{softmax}_j(Q \cdot K_{ij}) \, Z_{ij} \quad (2, 3) $$
    $$ y^{(t)} = \sum_i \alpha_i A_i \quad (4) \qquad
       h^{(t)} = \mathrm{update}(x^{(t)}, y^{(t)}) \quad (5) \qquad
       M \leftarrow \mathrm{renew}(h^{(t)}, M) \quad (6) $$

    All is read before the new state is written. Where nothing is remembered $y$ is zero.

    Deviations: both dot products are scaled by the root of their width by default; the
    proposal's are not, `zone_score=Dot(), slot_score=Dot()`. Points on which it is silent are
    settled as docs/cran.md says.

    Args:
        query: what zones are asked for with, `InputQuery` (1.1) or `JointQuery` (1.2).
        read: how slots are read, `InputRead` (2.1) or `JointRead` (2.2).
        update: the new state, `ReluUpdate` (3.1) or `GatedUpdate` (3.2).
        key: a zone's key from its states (4.1 to 4.4).
        memory: how many zones of how many slots.
        choice: which zones are read; `TopZones(k)` in the proposal.
        zone_score: how well a zone's key matches.
        slot_score: how well a slot matches.

    Raises:
        ValueError: more zones are to be read than there are, the key is made for zones of another
            size, or the parts are made for other widths.
    """

    def __init__(
        self,
        query: InputQuery | JointQuery,
        read: InputRead | JointRead,
        update: ReluUpdate | GatedUpdate,
        key: ZoneKey,
        memory: ZoneMemory,
        choice: ZoneChoice,
        zone_score: InnerProduct | None = None,
        slot_score: InnerProduct | None = None,
    ) -> None:
        super().__init__()
        if choice.k > memory.zones:
            raise ValueError(
                f"{type(choice).__name__}({choice.k}) of ZoneMemory(zones={memory.zones}): "
                f"expected no more than there are. Keep {memory.zones}, or remember more zones."
            )
        if key.slots not in (None, memory.slots):
            raise ValueError(
                f"{type(key).__name__}(slots={key.slots}) of ZoneMemory(slots={memory.slots}): "
                f"expected as many as a zone has. Make the key for {memory.slots} slots."
            )
        _check_widths(query, read, update, key)
        self.query, self.read, self.update, self.key = query, read, update, key
        self.memory, self.choice = memory, choice
        self.zone_score = ScaledDot() if zone_score is None else zone_score
        self.slot_score = ScaledDot() if slot_score is None else slot_score

    @property
    def hidden(self) -> int:
        """Width of the state."""
        return self.read.key.in_features

    def init_state(self, batch: int) -> CRANState:
        """Return the memory as it is at the start, and a state of zeros."""
        like = self.read.key.weight
        memory = self.memory.init_state(batch, self.hidden, self.key.dim, like)
        return CRANState(like.new_zeros(batch, self.hidden), *memory)

    def forward(
        self, x: Float[Tensor, "batch dim"], state: CRANState | None = None
    ) -> tuple[CRANState, Evidence]:
        """Make a step.

        Args:
            x: the input of each row.
            state: what is carried; empty at first. Rows may be of any age.

        Returns:
            The new state, whose `hidden` is the output, and what was read.
        """
        state = self.init_state(len(x)) if state is None else state
        h, readable = state.hidden, self.memory.readable(state.written)
        live, row = readable.any(-1), torch.arange(len(x), device=x.device)[:, None]
        # (1) u asks for zones by their keys; alpha_i is how much is taken of each of the k chosen.
        u, keys = self.query(x, h), state.keys.masked_fill(~live.unsqueeze(-1), 0.0)
        chosen = self.choice(_match(self.zone_score, u, keys), live, state.written)
        # (2, 3) Q asks for slots in them; a_ij is how much is taken of each state Z_ij.
        mask = readable[row, chosen.indices]
        zones = state.values[row, chosen.indices].masked_fill(~mask.unsqueeze(-1), 0.0)
        q, k = self.read.query(x, h).relu(), self.read.keys(zones.flatten(1, 2))
        a = masked_softmax(_match(self.slot_score, q, k).view(mask.shape), mask).to(x.dtype)
        y = torch.einsum("bk,bkl,bklh->bh", chosen.weights, a, zones)  # (4)
        h = self.update(x, y)  # (5)
        memory = self.memory.write(state.memory, h, self.key)  # (6)
        slots = a.new_zeros(readable.shape).scatter(1, chosen.indices.unsqueeze(-1).expand_as(a), a)
        return CRANState(h, *memory), Evidence(chosen.spread(self.memory.zones), slots)


def _match(
    score: InnerProduct, query: Float[Tensor, "batch dim"], keys: Float[Tensor, "batch place dim"]
) -> Float[Tensor, "batch place"]:
    return score.match(query.unsqueeze(1), score.remember(keys)).squeeze(1)


def _check_widths(
    *parts: InputQuery | JointQuery | JointRead | ReluUpdate | GatedUpdate | ZoneKey,
) -> None:
    """Refuse parts that were made for inputs, states or keys of different widths."""
    found: dict[str, tuple[int, str]] = {}
    for part in parts:
        for name, width in part.widths.items():
            first, of = found.setdefault(name, (width, type(part).__name__))
            if width != first:
                raise ValueError(
                    f"{type(part).__name__}({name}={width}) beside {of}({name}={first}): expected "
                    f"one width. Make both with {name}={first}."
                )
