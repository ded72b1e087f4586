"""Broken parts: each rule of the conformance suite is broken once, and says so."""

from types import SimpleNamespace

import pytest
import torch
from torch import nn

from memnets.attention import (
    Align,
    AlignContext,
    Argmax,
    Dot,
    Identity,
    ScaledDot,
    Score,
    Softmax,
    StraightThroughArgmax,
    attend,
)
from memnets.layers import BagOfWords
from memnets.memories import SlotMemory, Slots
from memnets.ops.masking import masked_softmax
from memnets.testing import check_align, check_memory, check_pair, check_reader, check_score


class General(Score):
    """A sound score, to be broken below."""

    linear_in_keys = True

    def __init__(self, query_dim, key_dim):
        super().__init__()
        self.weight = nn.Linear(key_dim, query_dim, bias=False)

    def remember(self, keys):
        return self.weight(keys)

    def match(self, query, remembered, context=AlignContext()):
        return query @ remembered.mT

    @classmethod
    def example(cls, query_dim, key_dim):
        return cls(query_dim, key_dim)


class RemembersTheFirstMemory(General):
    def remember(self, keys):
        if not hasattr(self, "kept"):
            self.kept = self.weight(keys)
        return self.kept


class WritesInPlace(General):
    def remember(self, keys):
        keys[..., 0] = 0.0
        return self.weight(keys)


class LooksAtTheWholeBatch(General):
    def match(self, query, remembered, context=AlignContext()):
        return (query - query.flatten(0, -2).mean(0)) @ remembered.mT


class LooksAtOtherQueries(General):
    def match(self, query, remembered, context=AlignContext()):
        return (query - query.mean(-2, keepdim=True)) @ remembered.mT


class CountsSlots(General):
    def match(self, query, remembered, context=AlignContext()):
        return query @ remembered.mT + torch.arange(remembered.shape[-2])


class DeclaresAnOrder(General):
    depends_on_positions = True


class HidesThatItIsLinear(General):
    linear_in_keys = False


class ClaimsToBeLinear(General):
    def remember(self, keys):
        return self.weight(keys) + 1.0


class ForgetsItsOwnPreparation(General):
    def forward(self, query, keys, context=AlignContext()):
        return super().forward(query, keys, context) / 2


class AcceptsAnyWidth(Dot):
    def match(self, query, remembered, context=AlignContext()):
        width = min(query.shape[-1], remembered.shape[-1])
        return query[..., :width] @ remembered[..., :width].mT


class SaysNoWidths(Dot):
    def match(self, query, remembered, context=AlignContext()):
        if query.shape[-1] != remembered.shape[-1]:
            raise ValueError("wrong")
        return query @ remembered.mT


class Overflows(General):
    def match(self, query, remembered, context=AlignContext()):
        return (1e5 * query @ remembered.mT) / 1e5


class HasAWrongGradient(General):
    def match(self, query, remembered, context=AlignContext()):
        scores = query @ remembered.mT
        return scores + (scores - scores.detach())


class HasAWrongGradientInItsWeights(General):
    def remember(self, keys):
        return keys @ (2 * self.weight.weight - self.weight.weight.detach()).mT


def test_the_sound_score_conforms():
    check_score(General)


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (RemembersTheFirstMemory, "two memories, used alternately, stay apart"),
        (WritesInPlace, "wrote into the caller's keys"),
        (LooksAtTheWholeBatch, "a batch = a loop over its rows"),
        (LooksAtOtherQueries, "queries = a loop over queries"),
        (CountsSlots, "slots have no order"),
        (DeclaresAnOrder, "another order of the slots changed nothing"),
        (HidesThatItIsLinear, "the score is linear: declare it"),
        (ClaimsToBeLinear, "the score of a sum = the sum of scores"),
        (ForgetsItsOwnPreparation, r"match\(query, remember\(keys\)\) = forward"),
        (AcceptsAnyWidth, "it took a query 5 and keys 7 wide"),
        (SaysNoWidths, "its message names not both widths"),
        (Overflows, "scores in torch.float16"),
        (HasAWrongGradient, "gradient: autograd and finite differences differ"),
        (HasAWrongGradientInItsWeights, "gradient: autograd and finite differences differ"),
    ],
)
def test_a_broken_score_is_caught(score, text):
    with pytest.raises(AssertionError, match=f"{score.__name__}: .*({text})"):
        check_score(score)


class Leaks(Softmax):
    def forward(self, scores, mask=None, context=AlignContext()):
        return scores.softmax(-1) if mask is None else scores.masked_fill(~mask, -9.0).softmax(-1)


class GivesNaN(Softmax):
    def forward(self, scores, mask=None, context=AlignContext()):
        lowered = scores if mask is None else scores.masked_fill(~mask, -torch.inf)
        return lowered.softmax(-1)


class GivesNaNInTheGradient(Softmax):
    def forward(self, scores, mask=None, context=AlignContext()):
        weights = GivesNaN.forward(self, scores, mask)
        return weights if mask is None else weights.masked_fill(~mask, 0.0)


class SumsToTwo(Softmax):
    def forward(self, scores, mask=None, context=AlignContext()):
        return 2 * masked_softmax(scores, mask)


class HidesItsSum(Softmax):
    sums_to = None


class PrefersTheFirst(Softmax):
    def forward(self, scores, mask=None, context=AlignContext()):
        return masked_softmax(scores - torch.arange(scores.shape[-1]), mask)


class DeclaresAnOrderOfWeights(Softmax):
    depends_on_positions = True


class StaysNarrow(Align):
    def forward(self, scores, mask=None, context=AlignContext()):
        if mask is None:
            return scores.softmax(-1)
        return masked_softmax(scores, mask).to(scores.dtype)


class SharesOverTheBatch(Align):
    sums_to = None

    def forward(self, scores, mask=None, context=AlignContext()):
        wide = scores.float() if scores.dtype.itemsize < 4 else scores
        return Identity()(wide, mask) * wide.sigmoid().mean()


class DrawsFromTheGlobalSeed(Align):
    sums_to = None

    def forward(self, scores, mask=None, context=AlignContext()):
        weights = masked_softmax(scores, mask)
        return weights * torch.rand_like(weights)


class WritesIntoTheScores(Softmax):
    def forward(self, scores, mask=None, context=AlignContext()):
        with torch.no_grad():
            scores.clamp_(max=1.0)
        return masked_softmax(scores, mask)


class NeedsAWholeMask(Softmax):
    def forward(self, scores, mask=None, context=AlignContext()):
        weights = masked_softmax(scores, mask)
        return weights if mask is None or mask.shape == scores.shape else weights / 2


class HidesItsGradient(Softmax):
    passes_gradient = False


class ClaimsAGradient(Argmax):
    passes_gradient = True


class RelaxesToAnother(StraightThroughArgmax):
    def relaxed(self, scores, mask=None, context=AlignContext()):
        return masked_softmax(2 * scores, mask)

    def forward(self, scores, mask=None, context=AlignContext()):
        soft = masked_softmax(scores, mask)
        return Argmax()(scores, mask) + (soft - soft.detach())


class DoublesItsGradient(Softmax):
    def forward(self, scores, mask=None, context=AlignContext()):
        weights = masked_softmax(scores, mask)
        return weights + (weights - weights.detach())


class ReadsTheScoresOfOthers(Softmax):
    def forward(self, scores, mask=None, context=AlignContext()):
        return masked_softmax(scores * scores.detach().max(), mask)


@pytest.mark.parametrize(
    ("align", "text"),
    [
        (HidesItsGradient, "passes_gradient is False, but the weights' requires_grad is True"),
        (ClaimsAGradient, "passes_gradient is True, but the weights' requires_grad is False"),
        (RelaxesToAnother, "the gradient of the weights = that of relaxed"),
        (DoublesItsGradient, "gradient: autograd and finite differences differ"),
        (ReadsTheScoresOfOthers, "what unreadable slots score changes other weights"),
        (Leaks, "unreadable slots have weight 0"),
        (GivesNaN, "a weight is not finite"),
        (SumsToTwo, r"a readable row sums to 1"),
        (HidesItsSum, "all rows sum to 1: declare it|all rows sum to 1"),
        (PrefersTheFirst, "slots have no order"),
        (DeclaresAnOrderOfWeights, "another order changed nothing"),
        (StaysNarrow, "weights computed in float32"),
        (SharesOverTheBatch, "what unreadable slots score changes other weights"),
        (DrawsFromTheGlobalSeed, "the same generator gives the same weights"),
        (WritesIntoTheScores, "wrote into the caller's scores"),
        (NeedsAWholeMask, r"a mask of shape .* is broadcast"),
    ],
)
def test_a_broken_align_is_caught(align, text):
    with pytest.raises(AssertionError, match=f"{align.__name__}: .*({text})"):
        check_align(align)


def test_nan_in_a_gradient_is_caught():
    with pytest.raises((AssertionError, RuntimeError), match=r"not finite|returned nan values"):
        check_align(GivesNaNInTheGradient)


class Mean(Align):
    """Sound by itself, and for `Attention` to spoil."""

    def forward(self, scores, mask=None, context=AlignContext()):
        return masked_softmax(0 * scores, mask)


def keep_the_whole_memory(patch):
    patch.setattr(attend, "readable_slots", lambda mask: mask.shape[-1])
    patch.setattr(attend, "silence", lambda memory, mask: memory)


def leave_the_holes(patch):
    patch.setattr(attend, "silence", lambda memory, mask: memory)


def leave_the_weights_short(patch):
    patch.setattr(attend, "F", SimpleNamespace(pad=lambda weights, room: weights))


def cut_one_slot_too_many(patch):
    readable = attend.readable_slots
    patch.setattr(attend, "readable_slots", lambda mask: readable(mask) - 1)


def read_in_double(patch):
    patch.setattr(attend, "read", lambda weights, values: weights.double() @ values.double())


def share_one_memory(patch):
    def first_row(weights, values):
        return read(weights, values[:1].expand_as(values) if values.ndim == 3 else values)

    read = attend.read
    patch.setattr(attend, "read", first_row)


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        (keep_the_whole_memory, "spare slots full of NaN change"),
        (leave_the_holes, "NaN in unreadable slots changes|not finite|with nothing to read"),
        (leave_the_weights_short, "weights|shape"),
        (cut_one_slot_too_many, "of a ragged batch|laid out|with nothing|shape"),
        (read_in_double, "the value is torch.float64|expected"),
        (share_one_memory, "of a ragged batch|with nothing"),
    ],
)
def test_a_fault_in_attention_is_caught(fault, text, monkeypatch):
    check_pair(ScaledDot, Mean)
    fault(monkeypatch)
    with pytest.raises((AssertionError, RuntimeError), match=f"{text}|nan values"):
        check_pair(ScaledDot, Mean)


class ReadsOneWordLate(BagOfWords):
    def forward(self, words, tables):
        return super().forward(words.roll(1, -1)[:, 1:], tables)


class AddsNil(BagOfWords):
    def forward(self, words, tables):
        self._check(words)
        return tables[words].sum(1)


class TakesAnyLength(BagOfWords):
    def _check(self, words):
        pass


class MixesTables(BagOfWords):
    def forward(self, words, tables):
        read = super().forward(words, tables)
        return read + 0 * read + (tables.shape[1] - 1) * read[:, :1] * 1e-6


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        (ReadsOneWordLate, "the sum of place"),
        (AddsNil, "the sum of place|the nil word is read|nil words"),
        (TakesAnyLength, "it took 8 words, but says at most 7"),
        (MixesTables, "the sum of place|several tables"),
    ],
)
def test_a_broken_reader_is_caught(reader, text):
    with pytest.raises(AssertionError, match=f"{reader.__name__}: .*({text})"):
        check_reader(reader)


class ForgetsTheNewest(SlotMemory):
    def step(self, state, key, value):
        written = super().step(state, key, value)
        return state if state.mask.all() else written


class WritesFromTheEnd(SlotMemory):
    def step(self, state, key, value):
        written = super().step(state, key, value)
        return Slots(*(field.flip(1) for field in written))


class WritesOverTheOldState(SlotMemory):
    def step(self, state, key, value):
        written = super().step(state, key, value)
        state.values.copy_(written.values)
        return written


class ForgetsValues(SlotMemory):
    def step(self, state, key, value):
        return super().step(state, key, value.detach())


@pytest.mark.parametrize(
    ("memory", "text"),
    [
        (ForgetsTheNewest, "row 0, key of slot 0"),
        (WritesFromTheEnd, "row 0, filled slots"),
        (WritesOverTheOldState, "wrote into the state it was given|after reset|row"),
        (ForgetsValues, "no gradient reaches what was written"),
    ],
)
def test_a_broken_memory_is_caught(memory, text):
    with pytest.raises(AssertionError, match=text):
        check_memory(memory(3, 2, 5))


def test_identity_is_sound():
    check_align(Identity)
