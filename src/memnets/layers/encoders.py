"""Encoders: from a sequence of vectors to as many vectors that know of their neighbourhood.

Two ways lead to what is far away: more layers, each of which sees a little, or one that sees all.
`reach` says how far an encoder sees.
"""

import math
from abc import ABC, abstractmethod
from typing import Literal, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from memnets.attention import Attention, MultiHead, ScaledDot, Softmax
from memnets.ops import native
from memnets.ops.binding import are_plain
from memnets.ops.gru import Direction, both_directions, gru_over
from memnets.ops.masking import readable_slots, widen
from memnets.ops.ragged import Places
from memnets.ops.sizes import at_least_one
from memnets.ops.twins import is_watched, runs_eagerly

LONGEST_WAVE = 10000.0
"""The slowest sinusoid takes 2 pi times this many steps (Vaswani et al., section 3.5)."""


class Reach(NamedTuple):
    """How many steps before and after a step its vector depends on; infinity is all there are."""

    before: float
    after: float


class Encoder(nn.Module, ABC):
    """Encode sequences of any length, in a batch of unequal ones too.

    Subclass it, set `hidden` and `layers`, write `encode`, `layer_reach` and `example`, and the
    conformance tests find and check it.
    """

    hidden: int
    """Width of what comes out."""
    layers: int

    @property
    @abstractmethod
    def layer_reach(self) -> Reach:
        """How far one layer sees."""

    @property
    def reach(self) -> Reach:
        """How far all layers together see."""
        before, after = self.layer_reach
        return Reach(before * self.layers, after * self.layers)

    def forward(
        self,
        x: Float[Tensor, "batch time dim"],
        mask: Bool[Tensor, "batch time"] | None = None,
    ) -> Float[Tensor, "batch time hidden"]:
        """Encode every step; what is masked is zero, and changes nothing whatever it holds.

        Args:
            x: the sequences.
            mask: True where a step may be read.
        """
        rows, time, _ = x.shape
        if 0 in (rows, time):
            return x.new_zeros(rows, time, self.hidden)
        if mask is None:
            return self.encode(x, torch.ones(rows, time, dtype=torch.bool, device=x.device))
        # Cut to the longest: steps beyond it would regroup sums, and cost time.
        kept = readable_slots(mask.unsqueeze(-2))
        hole = ~mask[:, :kept].unsqueeze(-1)
        encoded = self.encode(x[:, :kept].masked_fill(hole, 0.0), mask[:, :kept])
        return F.pad(encoded.masked_fill(hole, 0.0), (0, 0, 0, time - kept))

    @abstractmethod
    def encode(
        self, x: Float[Tensor, "batch time dim"], mask: Bool[Tensor, "batch time"]
    ) -> Float[Tensor, "batch time hidden"]:
        """Encode sequences that are zero where the mask is False; the outcome there is not used."""

    @classmethod
    @abstractmethod
    def example(cls, dim: int) -> "Encoder":
        """Return a small instance for the conformance tests."""


class ConvolutionalEncoder(Encoder):
    r"""Encode each step with its neighbours, a few on either side in each layer.

    $$ [a; b] = F^l * h^{l-1} + c^l, \qquad
       h^l_t = \sqrt{1/2} \, (h^{l-1}_t + a_t \circ \sigma(b_t)) $$
    (Gehring et al., sections 3.2 and 3.4)

    $h^0$ is a projection of $x$. Outside the sequence, and where it is masked, $h$ is zero. The
    filters start from a normal distribution of variance $4 / (\mathrm{width} \cdot
    \mathrm{hidden})$, under which the variance of $h$ is kept from layer to layer (their section
    3.5); with smaller ones a deep stack learns its neighbourhood only.

    Deviations: no position embeddings (their section 3.1). [section numbers recalled]
    Cite: gehring2017

    Args:
        dim: width of a step.
        hidden: width of what comes out.
        width: how many steps a filter sees, an odd number.
        layers: how many follow each other.

    Raises:
        ValueError: a size is below 1, or the width is even.
    """

    def __init__(self, dim: int, hidden: int, width: int = 3, layers: int = 1) -> None:
        super().__init__()
        at_least_one("ConvolutionalEncoder", dim=dim, hidden=hidden, width=width, layers=layers)
        if width % 2 == 0:
            raise ValueError(
                f"ConvolutionalEncoder(width={width}): expected an odd number. "
                f"A filter has a step in its middle and as many on either side."
            )
        self.hidden, self.layers, self.width = hidden, layers, width
        self.input_weight = nn.Linear(dim, hidden)
        self.filters = nn.ModuleList(_gated_filters(hidden, width) for _ in range(layers))

    @property
    def layer_reach(self) -> Reach:
        """Half of a filter on either side."""
        return Reach(self.width // 2, self.width // 2)

    def encode(
        self, x: Float[Tensor, "batch time dim"], mask: Bool[Tensor, "batch time"]
    ) -> Float[Tensor, "batch time hidden"]:
        hole = ~mask.unsqueeze(-1)
        state = self.input_weight(x)
        for filters in self.filters:
            state = state.masked_fill(hole, 0.0)
            state = math.sqrt(0.5) * (state + F.glu(filters(state.mT).mT))
        return state

    @classmethod
    def example(cls, dim: int) -> "ConvolutionalEncoder":
        return cls(dim, hidden=2, width=5, layers=2)


def _gated_filters(hidden: int, width: int) -> nn.Conv1d:
    filters = nn.Conv1d(hidden, 2 * hidden, width, padding=width // 2)
    nn.init.normal_(filters.weight, std=2 / math.sqrt(width * hidden))
    assert filters.bias is not None
    nn.init.zeros_(filters.bias)
    return filters


class RecurrentEncoder(Encoder):
    r"""Encode each step with what came before it, and, in both directions, with what follows.

    $$ \overrightarrow{h}_t = f(x_t, \overrightarrow{h}_{t-1}), \quad
       \overleftarrow{h}_t = f(x_t, \overleftarrow{h}_{t+1}), \qquad
       h_t = [\overrightarrow{h}_t; \overleftarrow{h}_t] $$  (Bahdanau et al., section 3.2)

    Masked steps are skipped: the state passes them by, and they cost nothing. A GRU of one layer is
    run by the op of `ops/gru`, where that will do, and else, as all others, by torch.

    Deviations: none; $f$ is the recurrence that is given.
    Cite: bahdanau2015, schuster1997

    Args:
        recurrence: `nn.LSTM(dim, hidden, bidirectional=True)`, `nn.GRU(...)` or the like. Its
            `batch_first` does not matter.
    """

    def __init__(self, recurrence: nn.RNNBase) -> None:
        super().__init__()
        self.recurrence = recurrence
        width = recurrence.proj_size or recurrence.hidden_size
        self.hidden = width * (2 if recurrence.bidirectional else 1)
        self.layers = recurrence.num_layers

    @property
    def layer_reach(self) -> Reach:
        """All that came before; in both directions, all."""
        return Reach(math.inf, math.inf if self.recurrence.bidirectional else 0)

    def encode(
        self, x: Float[Tensor, "batch time dim"], mask: Bool[Tensor, "batch time"]
    ) -> Float[Tensor, "batch time hidden"]:
        if _has_an_op(self.recurrence, x):
            assert isinstance(self.recurrence, nn.GRU)
            return _by_op(self.recurrence, x, mask)
        # What may be read comes first, in its own order: holes and padding end up behind it.
        order = mask.int().argsort(dim=-1, descending=True, stable=True).unsqueeze(-1)
        lengths = mask.sum(-1).clamp(min=1).cpu()  # a row with nothing to read is masked later
        packed = pack_padded_sequence(
            x.gather(1, order.expand_as(x)), lengths, batch_first=True, enforce_sorted=False
        )
        states, _ = pad_packed_sequence(
            self.recurrence(packed)[0], batch_first=True, total_length=x.shape[1]
        )
        return torch.zeros_like(states).scatter(1, order.expand_as(states), states)

    @classmethod
    def example(cls, dim: int) -> "RecurrentEncoder":
        return cls(nn.GRU(dim, 2, bidirectional=True))


def _has_an_op(recurrence: nn.RNNBase, x: Tensor) -> bool:
    """Return whether the op for GRUs computes what the recurrence would."""
    return (
        type(recurrence) is nn.GRU
        and recurrence.num_layers == 1
        and recurrence.bias
        and not is_watched(recurrence)
        and runs_eagerly()
        and not native.plain_is_forced()
        and native.available()
        and are_plain(x, *recurrence.parameters())
    )


def _by_op(
    gru: nn.GRU, x: Float[Tensor, "batch time dim"], mask: Bool[Tensor, "batch time"]
) -> Float[Tensor, "batch time hidden"]:
    places = Places.of(mask)
    picked = places.pick(x)

    def direction(suffix: str) -> Direction:
        names = (f"{part}_l0{suffix}" for part in ("weight_ih", "bias_ih", "weight_hh", "bias_hh"))
        into, bias, recurrent, inner = (getattr(gru, name) for name in names)
        return Direction(F.linear(picked, into, bias), recurrent, inner)

    forth = direction("")
    if gru.bidirectional:
        return torch.cat(both_directions(forth, direction("_reverse"), places), -1)
    return gru_over(forth, places)


class SummedDirections(RecurrentEncoder):
    r"""Encode each step in both directions, and add the two, so that the width stays.

    $$ h_t = \overrightarrow{h}_t + \overleftarrow{h}_t $$  (Xiong et al., section 3.1, "fusion")

    Deviations: none.
    Cite: xiong2016

    Args:
        recurrence: `nn.GRU(dim, hidden, bidirectional=True)` or the like.

    Raises:
        ValueError: the recurrence reads in one direction only.
    """

    def __init__(self, recurrence: nn.RNNBase) -> None:
        super().__init__(recurrence)
        if not recurrence.bidirectional:
            raise ValueError(
                f"SummedDirections(recurrence={recurrence}): expected both directions. "
                f"Build it with bidirectional=True."
            )
        self.hidden //= 2

    def encode(
        self, x: Float[Tensor, "batch time dim"], mask: Bool[Tensor, "batch time"]
    ) -> Float[Tensor, "batch time hidden"]:
        forward, backward = super().encode(x, mask).chunk(2, -1)
        return forward + backward

    @classmethod
    def example(cls, dim: int) -> "SummedDirections":
        return cls(nn.GRU(dim, 2, bidirectional=True))


class SelfAttentionEncoder(Encoder):
    r"""Encode each step by blocks in which all steps read each other.

    $$ a = \mathrm{norm}(h^{l-1} + \mathrm{heads}(h^{l-1})), \qquad
       h^l = \mathrm{norm}(a + W_2 \max(0, W_1 a + b_1) + b_2) $$
    (Vaswani et al., sections 3.1 to 3.3)

    $h^0$ is a projection of $x$ plus the sinusoids of each place, without which the steps would
    have no order. With `norm="before"` each part of a block reads a normalised $h$ instead, and
    what is passed on is not: $a = h^{l-1} + \mathrm{heads}(\mathrm{norm}(h^{l-1}))$.

    Deviations: no dropout. $h^0$ is projected from vectors, where the paper looks words up and
    multiplies by $\sqrt{d}$.
    Cite: vaswani2017

    Args:
        dim: width of a step.
        hidden: width of what comes out.
        heads: how many, in every block.
        layers: how many blocks follow each other.
        inner: width of $W_1 a$, four times `hidden` by default, as in the paper.
        norm: where it stands; after the sum, as in the paper, or before each part.

    Raises:
        ValueError: a size is below 1, or the heads cannot share the width evenly.
    """

    def __init__(
        self,
        dim: int,
        hidden: int,
        heads: int,
        layers: int = 1,
        inner: int | None = None,
        norm: Literal["after", "before"] = "after",
    ) -> None:
        super().__init__()
        at_least_one("SelfAttentionEncoder", hidden=hidden)
        inner = 4 * hidden if inner is None else inner
        sizes = {"dim": dim, "hidden": hidden, "heads": heads, "layers": layers, "inner": inner}
        at_least_one("SelfAttentionEncoder", **sizes)
        self.hidden, self.layers = hidden, layers
        self.input_weight = nn.Linear(dim, hidden)
        self.blocks = nn.ModuleList(_Block(hidden, heads, inner, norm) for _ in range(layers))

    @property
    def layer_reach(self) -> Reach:
        """Everything."""
        return Reach(math.inf, math.inf)

    def encode(
        self, x: Float[Tensor, "batch time dim"], mask: Bool[Tensor, "batch time"]
    ) -> Float[Tensor, "batch time hidden"]:
        state = self.input_weight(x)
        state = state + sinusoids(x.shape[1], state)
        for block in self.blocks:
            state = block(state, mask.unsqueeze(-2))
        return state

    @classmethod
    def example(cls, dim: int) -> "SelfAttentionEncoder":
        return cls(dim, hidden=4, heads=2, layers=2, inner=7)


class _Block(nn.Module):
    def __init__(self, hidden: int, heads: int, inner: int, norm: str) -> None:
        super().__init__()
        self.norm = norm
        self.heads = MultiHead(Attention(ScaledDot(), Softmax()), heads, hidden)
        self.inner_weight = nn.Linear(hidden, inner)
        self.outer_weight = nn.Linear(inner, hidden)
        self.norms = nn.ModuleList(nn.LayerNorm(hidden) for _ in range(2))

    def forward(
        self, state: Float[Tensor, "batch time hidden"], mask: Bool[Tensor, "batch 1 time"]
    ) -> Float[Tensor, "batch time hidden"]:
        if self.norm == "before":
            state = state + self._heads(self.norms[0](state), mask)
            return state + self._inner(self.norms[1](state))
        state = self.norms[0](state + self._heads(state, mask))
        return self.norms[1](state + self._inner(state))

    def _heads(self, state: Tensor, mask: Tensor) -> Tensor:
        return self.heads.read(state, self.heads.remember(state), mask)

    def _inner(self, state: Tensor) -> Tensor:
        return self.outer_weight(torch.relu(self.inner_weight(state)))


def sinusoids(time: int, like: Float[Tensor, "*batch hidden"]) -> Float[Tensor, "time hidden"]:
    r"""Return a vector for every place, counted from 0.

    $$ p_{t,2i} = \sin(t / 10000^{2i/d}), \qquad p_{t,2i+1} = \cos(t / 10000^{2i/d}) $$
    (Vaswani et al., section 3.5)

    Deviations: none.
    Cite: vaswani2017

    Args:
        time: how many places.
        like: gives the width $d$, the precision and the device.
    """
    width = like.shape[-1]
    wide = widen(like)
    place = torch.arange(time, dtype=wide.dtype, device=like.device).unsqueeze(-1)
    pair = torch.arange(width, device=like.device) // 2
    angle = place * LONGEST_WAVE ** (-2 * pair.to(wide.dtype) / width)
    even = torch.arange(width, device=like.device) % 2 == 0
    return torch.where(even, angle.sin(), angle.cos()).to(like.dtype)
