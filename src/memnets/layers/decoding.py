"""Decoding: say the likeliest words one after the other, greedily or with a beam.

What says them is a *step*: given what it carries and the word before, it returns the
log-probabilities of the next word, what it carries on, and its evidence. A batch of sentences, and
all hypotheses of each, take a step as rows of one batch.

What is carried, and the evidence, are trees whose first axis are the rows: a tensor, a tuple of
trees (a NamedTuple too), None, or anything else that has `index_select(rows)`.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from memnets.ops.bags import NIL
from memnets.ops.sizes import at_least, within

Step = Callable[[Any, Tensor], tuple[Tensor, Any, Any]]
"""`step(state, word) -> (log-probabilities (row, vocab), state, evidence)`, of words `(row,)`."""

Allowed = Callable[[Tensor, Tensor], Tensor]
"""`allowed(said, sentence) -> mask`: of rows that have said `(row, word)`, and whose sentences have
the numbers `(row,)`, what each may say next: Bool `(row, vocab)`, or `(1, vocab)` for all."""

R = TypeVar("R")

Divisor = Callable[[Tensor], Tensor]
"""What the log-probability of hypotheses of these lengths is divided by, to be ranked."""


class Hypotheses(NamedTuple):
    """What was found for every sentence, the best first.

    Attributes:
        words: what each says; nil (0) behind its last word.
        lengths: how many words that is, the end among them; 0 where nothing was found.
        scores: what they are ranked by; minus infinity where nothing was found.
        log_prob: of all words together.
        ended: whether the end was said; those that have not been cut off come first.
        evidence: what the step returned for every word, a tree of `(batch, hypothesis, word, ...)`
            with zeros behind the last word.
    """

    words: Int[Tensor, "batch hypothesis word"]
    lengths: Int[Tensor, "batch hypothesis"]
    scores: Float[Tensor, "batch hypothesis"]
    log_prob: Float[Tensor, "batch hypothesis"]
    ended: Bool[Tensor, "batch hypothesis"]
    evidence: Any

    def index_select(self, index: Int[Tensor, " row"]) -> "Hypotheses":
        """Return the sentences in another order or number."""
        return Hypotheses(*(select_rows(part, index) for part in self))


def by_log_prob(lengths: Tensor) -> Tensor:
    """Rank by the log-probability itself, which is kind to what is short."""
    return torch.ones_like(lengths)


def by_length(power: float = 1.0) -> Divisor:
    r"""Rank by $\log p(y) / |y|^\alpha$: with 1, by the mean over the words.

    Args:
        power: $\alpha$.

    Raises:
        ValueError: it is negative.
    """
    expected = "a number of at least 0. With 0 the length plays no part."
    within(lambda x: x >= 0, "by_length", expected, power=power)
    return lambda lengths: lengths**power


def never(vocab: int, *words: int) -> Allowed:
    """Allow everything but some words, such as nil and the unknown word.

    Args:
        vocab: how many words there are.
        words: those that are never said.
    """
    mask = torch.ones(1, vocab, dtype=torch.bool)
    mask[0, list(words)] = False
    return lambda said, sentence: mask.to(said.device)


@torch.no_grad()
def greedy(
    step: Step,
    state: Any,
    first: Int[Tensor, " batch"],
    end: int,
    longest: int,
    allowed: Allowed | None = None,
) -> Hypotheses:
    """Say the likeliest word each time: one hypothesis a sentence.

    Arguments are those of `beam_search`, and what is returned is that of a beam of one.

    Raises:
        ValueError: the end is negative, or the most words are below 1.
    """
    _check("greedy", end=end, longest=longest)
    sentence = torch.arange(len(first), device=first.device)
    ended = torch.zeros_like(first, dtype=torch.bool)
    going, lengths, word = ~ended, torch.zeros_like(first), first
    log_prob: Tensor | float = 0.0
    said, seen = first.new_zeros(len(first), 0), []
    while going.any() and said.shape[1] < longest:
        log, state, evidence = step(state, word)
        best, word = _hide(log, allowed, said, sentence).max(-1)
        going = going & (best > -torch.inf)
        word = word.masked_fill(~going, NIL)
        said = torch.cat([said, word.unsqueeze(1)], 1)
        log_prob = log_prob + best.masked_fill(~going, 0.0)
        lengths = lengths + going
        ended = ended | (going & (word == end))
        going = going & ~ended
        seen.append(evidence)
    log_prob = torch.as_tensor(log_prob).expand(len(first))
    found = (said, lengths, log_prob, log_prob, ended, _stacked(seen, 1))
    found = Hypotheses(*(_each(lambda leaf: leaf.unsqueeze(1), part) for part in found))
    return found._replace(evidence=_zeros_behind(found.evidence, found.lengths))


@torch.no_grad()
def beam_search(
    step: Step,
    state: Any,
    first: Int[Tensor, " batch"],
    end: int,
    longest: int,
    width: int,
    divisor: Divisor = by_log_prob,
    allowed: Allowed | None = None,
) -> Hypotheses:
    """Go on with the likeliest hypotheses at once, and return them all.

    A hypothesis that says the end, or may say nothing, is set aside as it is, and the beam of its
    sentence is one narrower from there on. The search is over when no hypothesis goes on, or all
    have as many words as they may; so it ends whatever the step returns. With a beam as wide as
    there are word sequences it finds the best of all.

    Args:
        step: says the next word, of all hypotheses at once.
        state: what it carries at first, one row a sentence.
        first: the word before the first.
        end: the word that ends a hypothesis.
        longest: the most words of one, its end among them.
        width: how many hypotheses a sentence has.
        divisor: how hypotheses of unequal lengths are ranked in the end: `by_log_prob`,
            `by_length(1.0)`, or one of your own.
        allowed: what may be said next; everything by default.

    Raises:
        ValueError: the end is negative, or the most words or the width are below 1.
    """
    _check("beam_search", end=end, longest=longest, width=width)
    beam, word, done, trace = _start(first), first, [], []
    while len(beam.sentence) and beam.said.shape[2] < longest:
        log, state, evidence = step(state, word)
        slots = beam.log_prob.shape[1]
        sentences = beam.sentence.repeat_interleave(slots)
        log = _hide(log, allowed, beam.said.flatten(0, 1), sentences)
        grown, parent = _grow(beam, log.unflatten(0, (-1, slots)), end, width)
        trace.append(_Taken(evidence, beam.sentence, parent))
        row = parent + slots * torch.arange(len(parent), device=parent.device).unsqueeze(1)
        goes = grown.going.any(1)
        if not goes.all():
            done.append(select_rows(grown, (~goes).nonzero().squeeze(1)))
            rest = goes.nonzero().squeeze(1)
            grown, row = select_rows(grown, rest), row[rest]
        beam, word = grown, grown.said[:, :, -1].flatten()
        state = select_rows(state, row.flatten())
    return _ranked([*done, beam], trace, divisor)


def select_rows(tree: Any, rows: Int[Tensor, " row"]) -> Any:
    """Return the rows of a tree, in another order or number.

    Args:
        tree: a tensor, a tuple of trees, None, or anything that has `index_select(rows)`.
        rows: which.

    Raises:
        TypeError: the tree holds something else.
    """
    if tree is None:
        return None
    if isinstance(tree, Tensor):
        return tree.index_select(0, rows)
    if hasattr(tree, "index_select"):
        return tree.index_select(rows)
    if isinstance(tree, tuple):
        parts = [select_rows(part, rows) for part in tree]
        return type(tree)(*parts) if hasattr(tree, "_fields") else tuple(parts)
    raise TypeError(
        f"select_rows: the state holds a {type(tree).__name__}, expected tensors, tuples of them, "
        f"None, or an object with index_select(rows). Give your state that method."
    )


def select_shared(
    remembered: R, sentences: int, state: Any, index: Int[Tensor, " row"]
) -> tuple[R, Any]:
    """Return hypotheses in another order or number, with the sentences that they need.

    What is remembered has a row a sentence, the state one a hypothesis, as many for each sentence:
    those of a sentence share what is remembered of it, which is never laid out for each.

    Args:
        remembered: a tree of rows, as `select_rows` takes it.
        sentences: how many rows it has.
        state: a tree of rows too.
        index: which hypotheses.
    """
    several = max(_rows(state) // max(sentences, 1), 1)
    needed, times = (index // several).unique_consecutive(return_counts=True)
    if len(times) and not (times == times[0]).all():
        needed = needed.repeat_interleave(times)
    if not torch.equal(needed, torch.arange(sentences, device=index.device)):
        remembered = select_rows(remembered, needed)
    return remembered, select_rows(state, index)


def _rows(tree: Any) -> int:
    """Return how many rows a tree has."""
    return len(tree) if isinstance(tree, Tensor) else _rows(tree[0])


class _Beam(NamedTuple):
    """Hypotheses of the sentences that go on; an empty slot has a probability of 0."""

    sentence: Int[Tensor, " sentence"]
    said: Int[Tensor, "sentence slot word"]
    lengths: Int[Tensor, "sentence slot"]
    log_prob: Float[Tensor, "sentence slot"]
    going: Bool[Tensor, "sentence slot"]
    ended: Bool[Tensor, "sentence slot"]


class _Taken(NamedTuple):
    """What a step returned for its rows, and which of its slots each new one goes on from."""

    evidence: Any
    sentence: Int[Tensor, " sentence"]
    parent: Int[Tensor, "sentence slot"]


def _start(first: Tensor) -> _Beam:
    """Return one hypothesis a sentence, which has said nothing."""
    none = torch.zeros_like(first).unsqueeze(1)
    sentence, ended = torch.arange(len(first), device=first.device), none.bool()
    return _Beam(sentence, none[:, :, None][..., :0], none, none.float(), ~ended, ended)


def _grow(beam: _Beam, log: Tensor, end: int, width: int) -> tuple[_Beam, Tensor]:
    """Return the best hypotheses with one word more, and the slot that each comes from."""
    likely, words = log.topk(min(width, log.shape[-1]), -1)  # sentence slot choice
    slots, choices = likely.shape[1:]
    there = beam.log_prob > -torch.inf
    going = beam.going & (likely[..., 0] > -torch.inf)
    total = (beam.log_prob.unsqueeze(-1) + likely).masked_fill(~going.unsqueeze(-1), -torch.inf)
    # Those that go on no longer come first, whatever their probability: they keep their slots.
    closed = torch.zeros_like(total[..., 0]).masked_fill(there & ~going, torch.inf)
    keys = torch.cat([closed.masked_fill(closed == 0, -torch.inf), total.flatten(1)], 1)
    keys = F.pad(keys, (0, max(0, width - keys.shape[1])), value=-torch.inf)
    best, place = keys.topk(width, 1)
    place = place.masked_fill(best == -torch.inf, 0)
    stays, new = best == torch.inf, (best < torch.inf) & (best > -torch.inf)
    choice = (place - slots).clamp(min=0)
    parent = torch.where(new, choice // choices, place)
    word = words.flatten(1).gather(1, choice).masked_fill(~new, NIL)
    ended = (new & (word == end)) | (stays & beam.ended.gather(1, parent))
    before = parent.unsqueeze(-1).expand(-1, -1, beam.said.shape[2])
    grown = _Beam(
        beam.sentence,
        torch.cat([beam.said.gather(1, before), word.unsqueeze(-1)], 2),
        (beam.lengths.gather(1, parent) + new) * (new | stays),
        torch.where(stays, beam.log_prob.to(best).gather(1, parent), best),
        new & ~ended,
        ended,
    )
    return grown, parent


def _ranked(parts: list[_Beam], trace: list[_Taken], divisor: Divisor) -> Hypotheses:
    """Join what was found of all sentences, the best of each first."""
    parts = [
        part._replace(said=F.pad(part.said, (0, len(trace) - part.said.shape[2]))) for part in parts
    ]
    order = torch.cat([part.sentence for part in parts]).argsort()
    beam = _Beam(*(torch.cat(part).index_select(0, order) for part in zip(*parts, strict=True)))
    scores = beam.log_prob / divisor(beam.lengths.clamp(min=1)).to(beam.log_prob)
    by_score = scores.argsort(dim=1, descending=True, stable=True)
    first = beam.ended.int().gather(1, by_score).argsort(dim=1, descending=True, stable=True)
    path = by_score.gather(1, first)
    lengths = beam.lengths.gather(1, path)
    said = beam.said.gather(1, path.unsqueeze(-1).expand_as(beam.said))
    evidence = _stacked(_follow(path, trace), 2)
    ranked = (part.gather(1, path) for part in (scores, beam.log_prob, beam.ended))
    words, seen = _zeros_behind(said, lengths), _zeros_behind(evidence, lengths)
    return Hypotheses._make((words, lengths, *ranked, seen))


def _follow(path: Tensor, trace: list[_Taken]) -> list[Any]:
    """Return what each step returned for the hypotheses that were found, in their slots."""
    found = []
    for evidence, sentence, parent in reversed(trace):
        before = parent.gather(1, path.index_select(0, sentence))
        path = path.index_copy(0, sentence, before)

        def picked(
            leaf: Tensor, sentence: Tensor = sentence, before: Tensor = before, path: Tensor = path
        ) -> Tensor:
            slots = len(leaf) // max(len(sentence), 1)
            row = before + slots * torch.arange(len(before), device=leaf.device).unsqueeze(1)
            chosen = leaf.index_select(0, row.flatten()).unflatten(0, row.shape)
            empty = leaf.new_zeros(*path.shape, *leaf.shape[1:])
            return empty.index_copy(0, sentence, chosen)

        found.append(_each(picked, evidence))
    return found[::-1]


def _hide(log: Tensor, allowed: Allowed | None, said: Tensor, sentence: Tensor) -> Tensor:
    return log if allowed is None else log.masked_fill(~allowed(said, sentence), -torch.inf)


def _stacked(trees: list[Any], axis: int) -> Any:
    """Join the evidence of all steps along a new axis."""
    if not trees or trees[0] is None:
        return None
    if isinstance(trees[0], Tensor):
        return torch.stack(trees, axis)
    parts = [_stacked(list(part), axis) for part in zip(*trees, strict=True)]
    return type(trees[0])(*parts) if hasattr(trees[0], "_fields") else tuple(parts)


def _zeros_behind(tree: Any, lengths: Int[Tensor, "batch hypothesis"]) -> Any:
    """Clear what belongs to words that are not there."""

    def cleared(leaf: Tensor) -> Tensor:
        beyond = torch.arange(leaf.shape[2], device=leaf.device) >= lengths.unsqueeze(-1)
        return leaf.masked_fill(beyond.reshape(*beyond.shape, *[1] * (leaf.ndim - 3)), 0)

    return _each(cleared, tree)


def _each(change: Callable[[Tensor], Tensor], tree: Any) -> Any:
    """Return a tree with every tensor of it changed."""
    if tree is None:
        return None
    if isinstance(tree, Tensor):
        return change(tree)
    parts = [_each(change, part) for part in tree]
    return type(tree)(*parts) if hasattr(tree, "_fields") else tuple(parts)


def _check(part: str, end: int, **sizes: int) -> None:
    at_least(0, part, "Pass the number of a word.", end=end)
    at_least(1, part, "Pass 50 words, or a width of 5, say.", **sizes)
