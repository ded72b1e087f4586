"""Predicting the next symbol: what is counted, in which order, and from which memory."""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

from memnets.layers.recurrent import LSTM
from memnets.models.language import LanguageModel, NextSymbol
from memnets.studies.language.neural_cache import Grid
from memnets.studies.language.task import LanguageTask, read, read_in_rows
from memnets.training.clipping import GlobalNorm
from memnets.training.config import Loop
from memnets.training.experiment import Experiment, Phase
from memnets.training.loop import fit
from memnets.training.record import describe
from memnets.training.runs import RunFolder

VOCAB, TRAIN, VALID = 7, 131, 61


class Counted(NamedTuple):
    seen: torch.Tensor


class Unigram(nn.Module):
    """Predict by fixed logits, and count in its state what it has read."""

    def __init__(self, logits):
        super().__init__()
        self.logits = nn.Parameter(logits)

    def init_state(self, batch):
        return Counted(torch.zeros(batch, 1))

    def forward(self, words, state=None):
        state = self.init_state(len(words)) if state is None else state
        logits = self.logits.expand(*words.shape, -1)
        return NextSymbol(logits, Counted(state.seen + words.shape[1]), logits)


@pytest.fixture
def streams():
    return {"train": torch.randint(VOCAB, (TRAIN,)), "valid": torch.randint(VOCAB, (VALID,))}


@pytest.fixture
def model():
    return LanguageModel(VOCAB, LSTM(3, 5), dim=3).eval()


def task(streams, model, **more):
    return LanguageTask(streams, model.init_state, **{"batch": 3, "window": 5} | more)


def plain_loss(model, stream):
    """Return the loss as loops over every token, one row, no window at all."""
    total, state = 0.0, None
    for now, following in pairwise(stream):
        found = model(now.view(1, 1), state)
        state = found.state
        logits = found.logits[0, 0].detach().double().numpy()
        total -= logits[following] - np.log(np.exp(logits).sum())
    return total / (len(stream) - 1)


@pytest.mark.parametrize("window", [1, 7, 20, 35, 60, 70])
def test_the_loss_counts_every_symbol_but_the_first_whatever_the_window(streams, model, window):
    reading = read(model, streams["valid"], window)
    assert len(reading.log_prob) == VALID - 1
    loss = -float(reading.log_prob.double().mean())
    assert loss == pytest.approx(plain_loss(model, streams["valid"]), abs=1e-6)


def test_the_figures_are_those_of_the_loss(streams, model):
    figures = task(streams, model).evaluate(model, "valid")
    loss = plain_loss(model, streams["valid"])
    assert figures["predicted"].mean == VALID - 1
    assert figures["loss"].weight == VALID - 1
    assert figures["perplexity"].mean == pytest.approx(math.exp(loss), rel=1e-5)
    assert figures["bits"].mean == pytest.approx(loss / math.log(2), rel=1e-5)
    halves = (figures["bits/tuning"], figures["bits/reporting"])
    assert [half.weight for half in halves] == [30, 30]
    assert sum(half.total for half in halves) == pytest.approx(figures["bits"].total)


def test_a_part_that_is_not_at_hand_has_no_figures(streams, model):
    assert task(streams, model).evaluate(model, "test") == {}


def test_a_uniform_model_has_the_perplexity_of_its_vocabulary(streams):
    uniform = Unigram(torch.full((VOCAB,), 2.3))
    figures = task(streams, uniform).evaluate(uniform, "valid")
    assert figures["perplexity"].mean == pytest.approx(VOCAB, rel=1e-5)


def test_a_unigram_model_has_the_cross_entropy_of_the_counts(streams):
    counts = torch.bincount(streams["train"], minlength=VOCAB).double()
    unigram = Unigram((counts / counts.sum()).log().float())
    seen = torch.bincount(streams["valid"][1:], minlength=VOCAB).double()
    entropy = -(seen / seen.sum() * (counts / counts.sum()).log()).sum()
    found = task(streams, unigram).evaluate(unigram, "valid")
    assert found["perplexity"].mean == pytest.approx(math.exp(entropy), rel=1e-5)


@pytest.mark.parametrize("rows", [1, 4, 7, 200])
def test_the_quick_look_predicts_every_symbol_but_the_first_too(streams, model, rows):
    quick = read_in_rows(model, streams["valid"], rows, window=3)
    assert len(quick) == VALID - 1
    exact = read(model, streams["valid"]).log_prob
    length = math.ceil((VALID - 1) / min(rows, VALID - 1))
    assert_close(quick[:length], exact[:length])  # the first row begins as the text does
    if rows > 1:
        begins = read(model, streams["valid"][length:][: length + 1]).log_prob
        assert_close(quick[length : 2 * length], begins)


def test_the_quick_look_bears_its_own_name(streams, model):
    assert LanguageTask.splits == ("quick",)
    assert "quick" not in LanguageTask.final_splits
    figures = task(streams, model, quick_rows=7).evaluate(model, "quick")
    assert figures["loss"].weight == VALID - 1
    assert figures["loss"].mean != task(streams, model).evaluate(model, "valid")["loss"].mean


@pytest.mark.parametrize("batch", [1, 3, 10])
@pytest.mark.parametrize("window", [5, 6, 43, 200])
def test_an_epoch_predicts_every_symbol_of_its_rows_once(streams, model, batch, window):
    made = task(streams, model, batch=batch, window=window)
    batches = made.batches("train", torch.Generator(), 0)
    epoch = [next(batches) for _ in range(made.updates_per_epoch)]
    length = TRAIN // batch
    rows = streams["train"][: batch * length].view(batch, length)
    assert torch.equal(torch.cat([words for words, *_ in epoch], 1), rows[:, :-1])
    assert torch.equal(torch.cat([following for _, following, _ in epoch], 1), rows[:, 1:])
    assert [bool(begins.any()) for *_, begins in epoch] == [True] + [False] * (len(epoch) - 1)
    again = next(batches)
    assert all(torch.equal(one, other) for one, other in zip(again, epoch[0], strict=True))


def test_batches_can_be_taken_up_anywhere(streams, model):
    made = task(streams, model)
    all_of_them = made.batches("train", torch.Generator(), 0)
    twenty = [next(all_of_them) for _ in range(20)]
    for position in (1, 8, 9, 19):
        found = next(made.batches("train", torch.Generator(), position))
        for one, other in zip(found, twenty[position], strict=True):
            assert torch.equal(one, other)


@pytest.mark.parametrize("tokens", [1, 15, 100, 126, 127, 1000])
def test_a_budget_of_symbols_is_met_within_a_window(streams, model, tokens):
    made = task(streams, model)
    batches = made.batches("train", torch.Generator(), 0)
    seen = [next(batches)[0].numel() for _ in range(made.updates_for(tokens))]
    assert sum(seen) >= tokens > sum(seen[:-1])


def test_the_state_is_carried_and_begins_anew_with_the_text(streams):
    unigram = Unigram(torch.zeros(VOCAB))
    made = task(streams, unigram)
    batches, generator = made.batches("train", torch.Generator(), 0), torch.Generator()
    state, seen = made.start("train", next(made.batches("train", generator, 0))), []
    for _ in range(made.updates_per_epoch + 2):
        step = made.loss(unigram, next(batches), state, generator)
        state = step.state
        seen.append(int(state.seen[0, 0]))
    assert seen == [5, 10, 15, 20, 25, 30, 35, 40, 42, 5, 10]


def test_the_steps_loss_is_summed_over_the_window(streams, model):
    made = task(streams, model)
    batch = next(made.batches("train", torch.Generator(), 0))
    step = made.loss(model, batch, made.start("train", batch), torch.Generator())
    rows = [read(model, row).log_prob for row in torch.cat([batch[0], batch[1][:, -1:]], 1)]
    assert_close(step.loss_sum, -torch.cat(rows).sum())
    assert step.weight == 15


def test_more_rows_than_the_text_allows_are_refused(streams, model):
    with pytest.raises(ValueError, match=r"batch=66: the training text has 131.*batch 65 or less"):
        task(streams, model, batch=66)


def test_a_single_symbol_is_refused(model):
    with pytest.raises(ValueError, match="a text of 1 symbols: nothing of it is predicted"):
        read(model, torch.tensor([3]))


def test_a_cache_is_tuned_on_the_first_half_and_never_sees_the_second(model):
    text = torch.randint(VOCAB, (VALID,))
    grid = Grid(window=11, shares=(0.0, 0.2, 0.7))
    once = task({"train": text, "valid": text}, model, cache=grid).evaluate(model, "valid")
    other = text.clone()
    other[31:] = torch.randint(VOCAB, (VALID - 31,))
    changed = task({"train": text, "valid": other}, model, cache=grid).evaluate(model, "valid")
    for name in ("cache_flatness", "cache_share", "joint_flatness", "joint_offset"):
        assert once[name] == changed[name]
    assert once["cache_bits/tuning"] == changed["cache_bits/tuning"]
    assert once["cache_bits/reporting"] != changed["cache_bits/reporting"]
    assert once["cache_bits/tuning"].mean <= once["bits/tuning"].mean  # a share of 0 was tried


def test_the_test_part_is_read_with_the_scalars_of_valid(streams, model):
    streams["test"] = torch.randint(VOCAB, (41,))
    made = task(streams, model, cache=Grid(window=11))
    valid, test = (made.evaluate(model, split) for split in ("valid", "test"))
    assert test["cache_share"] == valid["cache_share"]
    assert test["joint_offset"] == valid["joint_offset"]
    assert test["cache_bits"].weight == 40
    assert "bits/tuning" not in test


def test_a_run_learns_and_goes_through_the_loop(tmp_path):
    text = torch.arange(VOCAB).repeat(40)
    model = LanguageModel(VOCAB, LSTM(5, 11), dim=5)
    made = task({"train": text, "valid": text[:VALID]}, model, cache=Grid(window=5))
    optimizer = torch.optim.Adam(model.parameters())
    phase = Phase("all", 150, lambda update: 0.02, 75)
    experiment = Experiment(model, made, optimizer, (phase,), "mean", GlobalNorm(1.0))
    folder = RunFolder.create(
        tmp_path / "run", describe("toy", {}, Loop(), {"name": "toy", "sha256": ""}), {}
    )
    result = fit(experiment, Loop(), folder)
    assert result["metrics"]["valid"]["perplexity"] < 1.5
    assert result["metrics"]["test"] == {}
    assert folder.log()[-1]["quick"]["loss"] < 1.0
