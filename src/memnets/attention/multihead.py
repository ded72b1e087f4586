"""Several heads on one memory: many queries at once, or many spaces to ask in.

The heads share the weights of score and align. What sets a head apart is its query (`QueryHeads`)
or its projections (`MultiHead`), so that all heads are read in one go, whatever the parts. Heads
whose scores have weights of their own are several `MultiHead` with one head each.
"""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from memnets.attention.attend import Attention, Readout
from memnets.attention.checks import expect_read
from memnets.attention.context import AlignContext
from memnets.ops.masking import readable_slots, silence
from memnets.ops.sizes import at_least_one


class QueryHeads(nn.Module):
    r"""Read one memory with several queries, and join what they read.

    $$ \mathrm{att}((K, V), Q) = \mathrm{att}((K, V), q_1) \oplus \dots \oplus
       \mathrm{att}((K, V), q_M) $$  (Qiu, chapter 8)

    All heads read the same keys and values; nothing is projected. To the memory, heads are but
    further queries.

    Deviations: none.
    Cite: qiu2020

    Args:
        attention: what every head reads with.
    """

    def __init__(self, attention: Attention) -> None:
        super().__init__()
        self.attention = attention

    def forward(
        self,
        queries: Float[Tensor, "*batch head query _"],
        keys: Float[Tensor, "*batch slot _"],
        values: Float[Tensor, "*batch slot dim"] | None = None,
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Readout:
        """Read `values` (the keys, if there are none) where `keys` match the heads' queries.

        Args:
            queries: what each head asks; `query` is the place that they all ask from.
            keys: what the slots are found by.
            values: what is read from them.
            mask: True where a slot may be read, the same for all heads.
            context: what this score or align needs besides. `previous`, `coverage` and `strength`
                have a head axis before the queries.

        Returns:
            The heads' values side by side, `(*batch, query, head * dim)`; the weights, and what
            else there is, with a head axis before the queries.
        """
        expect_read("QueryHeads", queries, keys, values, mask, context, ("head", "query", "dim"))
        query, mask, context = _as_queries(queries, keys, mask, context)
        return _joined(self.attention(query, keys, values, mask, context), queries)

    def attend(
        self,
        queries: Float[Tensor, "*batch head query _"],
        remembered: Float[Tensor, "*batch slot _"],
        values: Float[Tensor, "*batch slot dim"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Readout:
        """Read a memory that was remembered before (`attention.score.remember`).

        The memory must hold finite numbers where the mask is False; `forward` sees to that.
        """
        axes = "head", "query", "dim"
        expect_read("QueryHeads", queries, remembered, values, mask, context, axes)
        query, mask, context = _as_queries(queries, remembered, mask, context)
        return _joined(self.attention.attend(query, remembered, values, mask, context), queries)


def _as_queries(
    queries: Tensor, keys: Tensor, mask: Tensor | None, context: AlignContext
) -> tuple[Tensor, Tensor | None, AlignContext]:
    """Lay the heads out as further queries, head by head, and all that comes with a query too."""
    heads, step = queries.shape[-3], context.step
    if mask is not None:
        mask = _with_axes(mask, keys.ndim)
        mask = torch.cat([mask] * heads, -2) if mask.shape[-2] > 1 else mask
    if isinstance(step, Tensor) and step.ndim == queries.ndim - 2:  # one a query
        step = torch.cat([step] * heads, -1)
    return (
        queries.flatten(-3, -2),
        mask,
        context._replace(
            query=None,  # each head's own
            step=step,
            previous=None if context.previous is None else context.previous.flatten(-3, -2),
            coverage=None if context.coverage is None else context.coverage.flatten(-3, -2),
            strength=None if context.strength is None else context.strength.flatten(-2),
        ),
    )


def _joined(readout: Readout, queries: Tensor) -> Readout:
    """Give the heads their axis back, and put their values side by side."""
    heads = queries.shape[-3:-1]  # head query
    return Readout(
        _side_by_side(readout.value.unflatten(-2, heads)),
        readout.weights.unflatten(-2, heads),
        None if readout.indices is None else readout.indices.unflatten(-2, heads),
        None if readout.log_prob is None else readout.log_prob.unflatten(-1, heads),
        None if readout.entropy is None else readout.entropy.unflatten(-1, heads),
    )


def _side_by_side(
    values: Float[Tensor, "*batch head query dim"],
) -> Float[Tensor, "*batch query hidden"]:
    """Join the values of all heads along their width."""
    return values.transpose(-3, -2).flatten(-2)


class HeadMemory(NamedTuple):
    """What heads have remembered of a memory, each in its own space."""

    keys: Float[Tensor, "*batch head slot _"]
    values: Float[Tensor, "*batch head slot dim"]


class MultiHead(nn.Module):
    r"""Read a memory with several heads, each in a space of its own.

    $$ \mathrm{head}_i = \mathrm{att}(W_i^Q q, W_i^K K, W_i^V V), \qquad
       r = W^O [\mathrm{head}_1; \dots; \mathrm{head}_M] $$  (Vaswani et al., section 3.2.2)

    A head is `dim / heads` wide, in queries, keys and values alike: build the score for that width.
    One matrix projects for all heads; heads are one more batch axis, so that any score and any
    align serve.

    Deviations: none with `Attention(ScaledDot(), Softmax())` and without a bias, which the paper
    has not.
    Cite: vaswani2017

    Args:
        attention: what every head reads with; its weights are shared by all heads.
        heads: how many, $M$.
        dim: width of a query and of what is read.
        key_dim: width of a key as it comes, `dim` by default.
        value_dim: width of a value as it comes, `key_dim` by default.
        bias: whether the four projections have one.

    Raises:
        ValueError: a size is below 1, or the heads cannot share the width evenly.
    """

    def __init__(
        self,
        attention: Attention,
        heads: int,
        dim: int,
        key_dim: int | None = None,
        value_dim: int | None = None,
        bias: bool = False,
    ) -> None:
        super().__init__()
        key_dim = dim if key_dim is None else key_dim
        value_dim = key_dim if value_dim is None else value_dim
        at_least_one("MultiHead", heads=heads, dim=dim, key_dim=key_dim, value_dim=value_dim)
        if dim % heads:
            raise ValueError(
                f"MultiHead(heads={heads}, dim={dim}): expected a width that the heads share "
                f"evenly. Pass a multiple of {heads}."
            )
        self.attention, self.heads, self.head_dim = attention, heads, dim // heads
        self.query_weight = nn.Linear(dim, dim, bias)
        self.key_weight = nn.Linear(key_dim, dim, bias)
        self.value_weight = nn.Linear(value_dim, dim, bias)
        self.output_weight = nn.Linear(dim, dim, bias)

    def forward(
        self,
        query: Float[Tensor, "*batch query dim"],
        keys: Float[Tensor, "*batch slot _"],
        values: Float[Tensor, "*batch slot _"] | None = None,
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Readout:
        """Read `values` (the keys, if there are none) where `keys` match `query`.

        Args:
            query: what is asked.
            keys: what the slots are found by.
            values: what is read from them.
            mask: True where a slot may be read, the same for all heads.
            context: what this score or align needs besides. `previous`, `coverage` and `strength`
                have a head axis before the queries; the query is each head's own.

        Returns:
            The readout. Its weights, and what else there is, have a head axis before the queries:
            `(*batch, head, query, slot)`.
        """
        expect_read("MultiHead", query, keys, values, mask, context)
        values, slots = keys if values is None else values, keys.shape[-2]
        if mask is not None:
            # Before the projections: what stands in an unreadable slot must not meet a weight.
            kept = readable_slots(mask)
            mask = mask[..., :kept]
            keys, values = silence(keys[..., :kept, :], mask), silence(values[..., :kept, :], mask)
        readout = self.attention(
            self._ask(query), *self._project(keys, values), *_over_heads(query, mask, context)
        )
        readout = readout._replace(value=self.output_weight(_side_by_side(readout.value)))
        if mask is None:
            return readout
        room = (0, slots - kept)
        assert readout.scores is not None
        readout = readout._replace(scores=F.pad(readout.scores, room))
        if readout.indices is not None:
            return readout
        return readout._replace(weights=F.pad(readout.weights, room))

    def remember(
        self,
        keys: Float[Tensor, "*batch slot _"],
        values: Float[Tensor, "*batch slot _"] | None = None,
    ) -> HeadMemory:
        """Project keys and values for all heads, once per memory."""
        projected = self._project(keys, keys if values is None else values)
        return projected._replace(keys=self.attention.score.remember(projected.keys))

    def attend(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: HeadMemory,
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Readout:
        """Read a memory that was remembered before, for many steps or hops.

        The memory must hold finite numbers where the mask is False; `forward` sees to that.
        """
        readout = self.attention.attend(
            self._ask(query), *remembered, *_over_heads(query, mask, context)
        )
        return readout._replace(value=self.output_weight(_side_by_side(readout.value)))

    def read(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: HeadMemory,
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query dim"]:
        """Read as `attend` does, without the weights: by the kernels of `Attention.read`."""
        over_heads = _over_heads(query, mask, context)
        values = self.attention.read_remembered(self._ask(query), *remembered, *over_heads)
        return self.output_weight(_side_by_side(values))

    def _ask(self, query: Tensor) -> Tensor:
        return self._apart(self.query_weight(query))

    def _project(self, keys: Tensor, values: Tensor) -> HeadMemory:
        return HeadMemory(
            self._apart(self.key_weight(keys)), self._apart(self.value_weight(values))
        )

    def _apart(self, projected: Tensor) -> Tensor:
        """Give every head its share of the width: an axis before the slots."""
        return projected.unflatten(-1, (self.heads, self.head_dim)).transpose(-3, -2)


def _over_heads(
    query: Tensor, mask: Tensor | None, context: AlignContext
) -> tuple[Tensor | None, AlignContext]:
    """Give the head axis to what is the same for all heads, so that it broadcasts."""
    positions, length, step = context.positions, context.length, context.step
    if positions is not None and positions.ndim > 1:
        positions = positions.unsqueeze(-2)
    if isinstance(length, Tensor):
        length = length.unsqueeze(-1)
    if isinstance(step, Tensor):
        step = step.unsqueeze(-2 if step.ndim == query.ndim - 1 else -1)
    return (
        None if mask is None else _with_axes(mask, query.ndim).unsqueeze(-3),
        context._replace(query=None, positions=positions, length=length, step=step),
    )


def _with_axes(mask: Tensor, axes: int) -> Tensor:
    """Return a mask with all axes of the memory: it then says by itself which are the batch's."""
    return mask[(None,) * (axes - mask.ndim)]
