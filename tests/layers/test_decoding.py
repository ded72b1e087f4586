"""Decoding against a search through everything that could be said, and against itself."""

from itertools import product
from typing import NamedTuple

import pytest
import torch
from torch import Tensor

from memnets.layers import decoding
from memnets.layers.decoding import beam_search, by_length, by_log_prob, greedy, never, select_rows

VOCAB, END, LONGEST, BATCH = 4, 1, 3, 5
ALL = VOCAB ** (LONGEST + 1)
"""A beam of this width leaves nothing out."""


class Carried(NamedTuple):
    """Which sentence a row is of, and a number that knows all words that were said."""

    table: Tensor
    history: Tensor
    nothing: None = None


class Spoken(NamedTuple):
    """Evidence: a number for each word, and another leaf."""

    word: Tensor
    history: tuple[Tensor, None]


def speaker(batch=BATCH, sharp=1.5, seed=7):
    """Return a step whose log-probabilities depend on all words before, and its first state."""
    drawn = torch.randn(batch, 97, VOCAB, generator=torch.Generator().manual_seed(seed))
    tables = (sharp * drawn.double()).log_softmax(-1)

    def step(state, word):
        history = (state.history * 5 + word + 1) % 97
        log = state.table[torch.arange(len(word)), history]
        return log, Carried(state.table, history), Spoken(word, (history.double() + 1, None))

    return step, Carried(tables, torch.zeros(batch, dtype=torch.long)), torch.zeros(batch).long()


def everything(step, state, row, divisor, allowed=None):
    """Return all that one sentence could say, as (ended, score, log-probability, words)."""
    found = []
    for length in range(1, LONGEST + 1):
        for words in product(range(VOCAB), repeat=length):
            ended = words[-1] == END
            if END in words[:-1] or (not ended and length < LONGEST):
                continue
            one, total, before = select_rows(state, torch.tensor([row])), 0.0, torch.zeros(1).long()
            for place, word in enumerate(words):
                log, one, _ = step(one, before)
                if allowed is not None:
                    said = torch.tensor([words[:place]], dtype=torch.long).view(1, place)
                    log = log.masked_fill(~allowed(said, torch.tensor([row])), -torch.inf)
                total, before = total + float(log[0, word]), torch.tensor([word])
            if total > -torch.inf:
                score = total / float(divisor(torch.tensor([[length]]))[0, 0])
                found.append((ended, score, total, words))
    return sorted(found, reverse=True)


def search(step, state, first, width, **options):
    return beam_search(step, state, first, END, LONGEST, width, **options)


def no_word_twice(said, sentence):
    """Forbid what was said, and word 3 to the first sentence."""
    mask = torch.ones(len(said), VOCAB, dtype=torch.bool)
    mask.scatter_(1, said, False)
    mask[:, 3] &= sentence != 0
    return mask


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize("divisor", [by_log_prob, by_length(1.0)], ids=["sum", "mean"])
@pytest.mark.parametrize("allowed", [None, no_word_twice], ids=["all", "masked"])
def test_a_beam_wide_enough_finds_all_there_is(divisor, allowed):
    """List 9: the n best of everything, in its order."""
    step, state, first = speaker(2)
    found = search(step, state, first, ALL, divisor=divisor, allowed=allowed)
    for row in range(2):
        expected = everything(step, state, row, divisor, allowed)
        there = int((found.scores[row] > -torch.inf).sum())
        assert there == len(expected)
        for slot, (ended, score, total, words) in enumerate(expected):
            assert found.words[row, slot, : len(words)].tolist() == list(words)
            assert int(found.lengths[row, slot]) == len(words)
            assert bool(found.ended[row, slot]) is ended
            assert float(found.scores[row, slot]) == pytest.approx(score, rel=1e-12)
            assert float(found.log_prob[row, slot]) == pytest.approx(total, rel=1e-12)
        assert not found.words[row, there:].any()


def same(one, other):
    """Raise an AssertionError where two finds are not the same, bit for bit."""
    for name, left, right in zip(one._fields, one, other, strict=True):
        if name == "evidence":
            left, right = left.word, right.word
        assert torch.equal(left, right), name


def cut(found, row):
    """Return one sentence, without the columns that only longer ones beside it needed."""
    one = found.index_select(torch.tensor([row]))
    longest = int(one.lengths.max())
    return one._replace(
        words=one.words[..., :longest], evidence=Spoken(one.evidence.word[:, :, :longest], None)
    )


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize("width", [1, 2, 3])
def test_a_batch_is_its_sentences_one_by_one(width):
    """List 9: although they end at different steps."""
    step, state, first = speaker(sharp=3.0)
    together = search(step, state, first, width, divisor=by_length(1.0))
    assert len(set(together.lengths[:, 0].tolist())) > 1
    for row in range(BATCH):
        one = select_rows(state, torch.tensor([row]))
        same(cut(together, row), cut(search(step, one, first[:1], width, divisor=by_length()), 0))


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize("allowed", [None, never(VOCAB, 0, 2), no_word_twice])
def test_a_beam_of_one_is_greedy(allowed):
    """List 9: in every field."""
    for sharp in (0.5, 3.0):
        step, state, first = speaker(sharp=sharp)
        one = greedy(step, state, first, END, LONGEST, allowed)
        same(one, search(step, state, first, 1, allowed=allowed))


@pytest.mark.usefixtures("shapes_unchecked")
def test_greedy_says_the_best_word_each_time():
    step, state, first = speaker()
    found = greedy(step, state, first, END, LONGEST)
    for row in range(BATCH):
        one, before, words = select_rows(state, torch.tensor([row])), first[:1], []
        while END not in words and len(words) < LONGEST:
            log, one, _ = step(one, before)
            before = log.argmax(-1)
            words.append(int(before))
        assert found.words[row, 0, : int(found.lengths[row, 0])].tolist() == words
        assert bool(found.ended[row, 0]) is (words[-1] == END)


@pytest.mark.usefixtures("shapes_unchecked")
def test_a_wider_beam_with_all_of_a_narrower_finds_no_worse():
    """List 9: the widest is no worse than greedy, under the same score."""
    step, state, first = speaker()
    best = search(step, state, first, ALL).log_prob[:, 0]
    ended = greedy(step, state, first, END, LONGEST)
    assert (best >= ended.log_prob[:, 0] - 1e-12)[ended.ended[:, 0]].all()


@pytest.mark.usefixtures("shapes_unchecked")
def test_evidence_is_that_of_the_way_that_was_gone():
    step, state, first = speaker(sharp=0.7)
    found = search(step, state, first, 3)
    crossed = False
    for row, slot in product(range(BATCH), range(3)):
        one, before = select_rows(state, torch.tensor([row])), first[:1]
        length = int(found.lengths[row, slot])
        for place in range(length):
            _, one, seen = step(one, before)
            assert int(found.evidence.word[row, slot, place]) == int(before)
            assert float(found.evidence.history[0][row, slot, place]) == float(seen.history[0])
            before = found.words[row, slot, place : place + 1]
        assert not found.evidence.history[0][row, slot, length:].any()
        crossed |= found.words[row, slot, 0] != found.words[row, 0, 0]
    assert crossed


@pytest.mark.usefixtures("shapes_unchecked")
def test_what_has_ended_never_changes():
    """List 9: given more words, it is found again as it was."""
    step, state, first = speaker(sharp=2.0)
    short = beam_search(step, state, first, END, 2, 3)
    long = beam_search(step, state, first, END, LONGEST, 3)
    ended = 0
    for row, slot in short.ended.nonzero().tolist():
        words = short.words[row, slot]
        (there,) = (long.words[row, :, :2] == words).all(-1).nonzero()[:, 0].tolist()
        assert long.ended[row, there]
        assert torch.equal(long.log_prob[row, there], short.log_prob[row, slot])
        assert torch.equal(long.evidence.word[row, there, :2], short.evidence.word[row, slot])
        ended += 1
    assert ended > 2


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize("width", [1, 3])
def test_a_search_in_which_nothing_ends_ends(width):
    """List 9: with the best that is not finished."""
    step, state, first = speaker()
    found = search(step, state, first, width, allowed=never(VOCAB, END))
    assert not found.ended.any()
    assert (found.lengths == LONGEST).all()
    assert (found.scores[:, 0] > -torch.inf).all()


@pytest.mark.usefixtures("shapes_unchecked")
def test_a_hypothesis_that_may_say_nothing_stays_as_it_is():
    step, state, first = speaker(1)

    def two_words(said, sentence):
        return torch.ones(len(said), VOCAB, dtype=torch.bool) & (said.shape[1] < 2)

    for found in (
        greedy(step, state, first, 99, LONGEST, two_words),
        beam_search(step, state, first, 99, LONGEST, 2, allowed=two_words),
    ):
        assert (found.lengths == 2).all()
        assert not found.ended.any()
        assert (found.scores > -torch.inf).all()


def test_a_finished_hypothesis_comes_first_whatever_its_score():
    def step(state, word):  # the end is unlikely, and costs less the later it comes
        return torch.tensor([0.05, 0.02, 0.9, 0.03]).log().expand(len(word), -1), state, None

    found = search(step, None, torch.zeros(1).long(), 30)
    ended = found.ended[0].tolist()
    assert ended == sorted(ended, reverse=True)
    assert found.words[0, 0].tolist() == [END, 0, 0]
    assert found.scores[0].max() > found.scores[0, 0]
    assert found.evidence is None


def test_no_sentences_are_no_words():
    step, state, first = speaker(1)
    state, first = select_rows(state, first[:0]), first[:0]
    for found in (greedy(step, state, first, END, 5), search(step, state, first, 3)):
        assert found.words.shape[0] == found.scores.shape[0] == 0


def test_a_length_of_no_weight_is_the_sum():
    lengths = torch.tensor([[1, 7]])
    assert torch.equal(by_length(0.0)(lengths), by_log_prob(lengths))
    assert by_length(2.0)(lengths).tolist() == [[1, 49]]


def test_what_cannot_be_searched_is_said():
    step, state, first = speaker(1)
    with pytest.raises(ValueError, match=r"beam_search\(width=0\): expected at least 1"):
        search(step, state, first, 0)
    with pytest.raises(ValueError, match=r"greedy\(longest=0\): expected at least 1"):
        greedy(step, state, first, END, 0)
    with pytest.raises(ValueError, match=r"by_length\(power=-1.0\): expected"):
        by_length(-1.0)
    with pytest.raises(TypeError, match=r"the state holds a list.*index_select"):
        select_rows((None, [1]), first)


FAULTS = {
    "closed hypotheses lose their slots": ("masked_fill(closed == 0, -torch.inf)", "mul(0) - 1e9"),
    "words of the wrong parent": ("words.flatten(1).gather(1, choice)", "words[:, 0, :1]"),
    "history is not reordered": (
        "beam.said.gather(1, before)",
        "beam.said[:, :1].expand_as(before)",
    ),
}


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_caught(fault, monkeypatch):
    import inspect

    right, wrong = FAULTS[fault]
    text = inspect.getsource(decoding._grow)
    assert right in text
    space = {}
    exec(text.replace(right, wrong), vars(decoding), space)
    monkeypatch.setattr(decoding, "_grow", space["_grow"])
    with pytest.raises(AssertionError):
        test_a_beam_wide_enough_finds_all_there_is(by_log_prob, None)


@pytest.mark.usefixtures("shapes_unchecked")
def test_evidence_of_the_wrong_slot_is_caught(monkeypatch):
    real = decoding._follow
    wrong = lambda path, trace: real(path.flip(1), trace)  # noqa: E731
    monkeypatch.setattr(decoding, "_follow", wrong)
    with pytest.raises(AssertionError):
        test_evidence_is_that_of_the_way_that_was_gone()
