"""Attention: a score, an align and the read, composed."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeGuard

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.attention.aligns import Align, Softmax
from memnets.attention.checks import expect_read
from memnets.attention.context import AlignContext
from memnets.attention.local import LocalM
from memnets.attention.scores import InnerProduct, Remembered, Score
from memnets.ops.dot import read_dot
from memnets.ops.masking import readable_slots, silence
from memnets.ops.reading import gather_scores, read, read_indexed, read_shared
from memnets.ops.twins import is_watched
from memnets.ops.windows import read_windows


class Readout(NamedTuple):
    """What was read, and the evidence for it.

    Attributes:
        value: the read itself.
        weights: how much of each slot was taken; of each kept slot where `indices` are given.
        indices: which slots were kept, where an align keeps only some.
        log_prob: log-probability of a sampled choice.
        entropy: entropy of the distribution it was sampled from.
        scores: what was aligned, where it is known; what a mask hides has one too, of no meaning.
    """

    value: Float[Tensor, "*batch query dim"]
    weights: Float[Tensor, "*batch query slot"]
    indices: Int[Tensor, "*batch query slot"] | None = None
    log_prob: Float[Tensor, "*batch query"] | None = None
    entropy: Float[Tensor, "*batch query"] | None = None
    scores: Float[Tensor, "*batch query slot"] | None = None

    def each(self, change: Callable[[Tensor], Tensor]) -> "Readout":
        """Return it with every tensor changed; what is None stays so."""
        return Readout._make(None if part is None else change(part) for part in self)


class Attention(nn.Module):
    r"""Read a memory: score its slots, align the scores, sum the values.

    $$ w_i = \mathrm{align}(\mathrm{score}(q_i, k_1), \dots, \mathrm{score}(q_i, k_n)), \qquad
       r_i = \sum_j w_{ij} v_j $$

    Slots that no query of a row may read never change a result, not even when they hold NaN: the
    memory is cut to its last readable slot and the holes before it are silenced, so that padding
    and spare capacity are bit-for-bit without effect. What is hidden from some queries only, as
    by a causal mask, has weights of zero there but must hold finite numbers: 0 * NaN is NaN.

    A memory without slots is read as a row with nothing to read: weights and value are zero.

    Hooks of the score are called, although the score is not: with the query, what was
    `Remembered` and the context. An align that keeps only some slots is asked by its method
    `align`, past its hooks: hook the attention, whose readout has what was kept.

    Args:
        score: how well a slot matches a query.
        align: how much of each slot is taken.

    Raises:
        TypeError: one of them is not what it should be.
    """

    def __init__(self, score: Score, align: Align) -> None:
        super().__init__()
        _expect_part("score", score, Score)
        _expect_part("align", align, Align)
        self.score = score
        self.align = align

    def forward(
        self,
        query: Float[Tensor, "*batch query _"],
        keys: Float[Tensor, "*batch slot _"],
        values: Float[Tensor, "*batch slot dim"] | None = None,
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Readout:
        """Read `values` (the keys, if there are none) where `keys` match `query`.

        Args:
            query: what is asked; a single question is `query = 1`.
            keys: what the slots are found by.
            values: what is read from them.
            mask: True where a slot may be read, `(*batch, query, slot)`; it is broadcast over
                batch and query. For one line a row, `(batch, slot)`, pass `mask.unsqueeze(-2)`.
            context: what this score or align needs besides.

        Returns:
            The readout, its weights as wide as the memory.

        Raises:
            TypeError: something is no tensor, or of another type of numbers than it should be.
            ValueError: the shapes do not belong together, or may mean two things.
        """
        expect_read(type(self).__name__, query, keys, values, mask, context)
        slots = keys.shape[-2]
        keys, values, mask, context = _readable(keys, values, mask, context)
        readout = self._attend(query, self.score.remember(keys), values, mask, context)
        if keys.shape[-2] == slots:
            return readout
        room = (0, slots - keys.shape[-2])
        assert readout.scores is not None
        readout = readout._replace(scores=F.pad(readout.scores, room))
        if readout.indices is not None:
            return readout
        return readout._replace(weights=F.pad(readout.weights, room))

    def read(
        self,
        query: Float[Tensor, "*batch query _"],
        keys: Float[Tensor, "*batch slot _"],
        values: Float[Tensor, "*batch slot dim"] | None = None,
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query dim"]:
        """Return the value that `forward` reads, where nobody asks for the weights.

        A softmax of inner products is then read by torch's fused kernel, which never holds all
        weights at once; `LocalM` over consecutive steps meets only the slots about each step.
        Anything else is read as ever. Arguments and errors as in `forward`.
        """
        expect_read(type(self).__name__, query, keys, values, mask, context)
        keys, values, mask, context = _readable(keys, values, mask, context)
        return self._read(query, self.score.remember(keys), values, mask, context)

    def read_remembered(
        self,
        query: Float[Tensor, "*batch query _"],
        remembered: Float[Tensor, "*batch slot _"],
        values: Float[Tensor, "*batch slot dim"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query dim"]:
        """Return the value that `attend` reads, by the kernels of `read`.

        The memory must hold finite numbers where the mask is False, as in `attend`.
        """
        expect_read(type(self).__name__, query, remembered, values, mask, context)
        return self._read(query, remembered, values, mask, context)

    def _read(
        self,
        query: Tensor,
        remembered: Tensor,
        values: Tensor,
        mask: Tensor | None,
        context: AlignContext,
    ) -> Tensor:
        if reads_by_dot(self.score):
            made, found_by, scale = self.score.factors(query, remembered, context)
            by_dot = partial(read_dot, scale=scale)
            if type(self.align) is Softmax:
                return by_dot(made, found_by, values, mask)
            first = consecutive(self.align, query, context)
            if isinstance(self.align, LocalM) and first is not None:
                window = self.align.window
                return read_windows(made, found_by, values, window, first, mask, by_dot)
        return self._attend(query, remembered, values, mask, context).value

    def attend(
        self,
        query: Float[Tensor, "*batch query _"],
        remembered: Float[Tensor, "*batch slot _"],
        values: Float[Tensor, "*batch slot dim"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Readout:
        """Read a memory that was remembered before (`score.remember`), for many steps or hops.

        The memory must hold finite numbers where the mask is False; `forward` sees to that.
        """
        expect_read(type(self).__name__, query, remembered, values, mask, context)
        return self._attend(query, remembered, values, mask, context)

    def _attend(
        self,
        query: Tensor,
        remembered: Tensor,
        values: Tensor,
        mask: Tensor | None,
        context: AlignContext,
    ) -> Readout:
        context = context._replace(query=query) if context.query is None else context
        scores = _match(self.score, query, remembered, context)
        weights, indices, log_prob, entropy = self.align.align(scores, mask, context)
        if indices is None:
            value = read(weights, values)
        else:
            value = read_indexed(weights, values, indices)
        return Readout(value, weights, indices, log_prob, entropy, scores)

    def attend_shared(
        self,
        query: Float[Tensor, "query _"],
        keys: Float[Tensor, "entry _"],
        values: Float[Tensor, "entry dim"],
        entries: Int[Tensor, "query slot part"],
        mask: Bool[Tensor, "query slot"],
    ) -> Readout:
        r"""Read slots that are sums of entries shared by all rows, without laying them out.

        $$ k_{ij} = \sum_p E_k[x_{ijp}], \qquad v_{ij} = \sum_p E_v[x_{ijp}] $$

        A sentence that stands in many stories is one entry. With a score that is linear in the
        keys every query meets every entry once, in one matrix product; with any other the slots
        are laid out and read by `attend`, which is the plain twin.

        Args:
            query: one for each row.
            keys: what entries are found by.
            values: what they hold.
            entries: which of them add up to a slot.
            mask: True where a slot may be read; the entries of other slots do not matter.
        """
        if not self.score.linear_in_keys:
            slots = _laid_out(keys, entries), _laid_out(values, entries)
            remembered, contents = self.score.remember(slots[0]), slots[1]
            return self.attend(query.unsqueeze(-2), remembered, contents, mask.unsqueeze(-2))
        matched = _match(self.score, query, self.score.remember(keys), AlignContext())
        scores = gather_scores(matched, entries)
        aligned = self.align.align(scores.unsqueeze(-2), mask.unsqueeze(-2))
        kept = entries if aligned.indices is None else _kept(entries, aligned.indices)
        value = read_shared(aligned.weights.squeeze(-2), values, kept)
        return Readout(value.unsqueeze(-2), *aligned, scores=scores.unsqueeze(-2))


def reads_by_dot(score: Score) -> TypeGuard[InnerProduct]:
    """Return whether a score is the product of its factors, as nobody watches or alters it."""
    return (
        isinstance(score, InnerProduct)
        and type(score).match is InnerProduct.match
        and not is_watched(score)
    )


def _match(score: Score, query: Tensor, remembered: Tensor, context: AlignContext) -> Tensor:
    """Match, by way of the score's hooks where it has any."""
    if is_watched(score):
        watched: Tensor = score(query, Remembered(remembered), context)
        return watched
    return score.match(query, remembered, context)


def consecutive(align: Align, query: Tensor, context: AlignContext) -> int | None:
    """Return the first slot of `LocalM` whose steps, and slots, go on by one; None for all else."""
    if type(align) is not LocalM or context.step is None or context.positions is None:
        return None
    if torch._C._are_functorch_transforms_active():
        return None  # no number may be looked at
    step, places = context.step, context.positions
    if isinstance(step, int) or step.ndim != query.ndim - 1 or not step.numel() * places.numel():
        return None
    first, zero = int(step.flatten()[0]), int(places.flatten()[0])
    for numbers, start in ((step, first), (places, zero)):
        counted = torch.arange(start, start + numbers.shape[-1], device=numbers.device)
        if not torch.equal(numbers, counted.to(numbers.dtype).expand_as(numbers)):
            return None
    return first - zero


def _expect_part(name: str, part: object, kind: type) -> None:
    if not isinstance(part, kind):
        found = f"the class {part.__name__}" if isinstance(part, type) else type(part).__name__
        raise TypeError(
            f"Attention({name}=...): {found} came, expected an object that derives from "
            f"{kind.__name__}. Write Attention(score=Dot(), align=Softmax())."
        )


def _readable(
    keys: Tensor, values: Tensor | None, mask: Tensor | None, context: AlignContext
) -> tuple[Tensor, Tensor, Tensor | None, AlignContext]:
    """Cut the memory to its last readable slot, and silence the holes before it."""
    values = keys if values is None else values
    if mask is None:
        return keys, values, mask, context
    kept = readable_slots(mask)
    mask = mask[..., :kept]
    keys, values = silence(keys[..., :kept, :], mask), silence(values[..., :kept, :], mask)
    return keys, values, mask, _cut(context, kept)


def _laid_out(table: Tensor, entries: Tensor) -> Tensor:
    return table[entries].sum(-2)


def _kept(entries: Tensor, indices: Tensor) -> Tensor:
    rows = indices.squeeze(-2).unsqueeze(-1).expand(-1, -1, entries.shape[-1])
    return entries.gather(1, rows)


def _cut(context: AlignContext, slots: int) -> AlignContext:
    cut = {}  # a loop: torch.compile cannot look into a comprehension here
    for field in ("positions", "previous", "coverage"):
        found = getattr(context, field)
        if found is not None:
            cut[field] = found[..., :slots]
    return context._replace(**cut)
