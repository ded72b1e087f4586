"""The bAbI task: its order, its noise, its loss and what it reports."""

import math
from itertools import islice

import pytest
import torch
from torch.testing import assert_close

from memnets.data.babi.generate import make_stories
from memnets.layers import CentredPositionEncoding
from memnets.models.memn2n import MemN2N
from memnets.studies.babi.memn2n.task import BabiTask, noisy_recency
from memnets.tasks.stories import StoryVocabulary, number_stories, recency


@pytest.fixture(scope="module")
def world():
    stories = make_stories(2, 997, seed=3)
    vocabulary = StoryVocabulary.of(stories, memory=50)
    return vocabulary, number_stories(stories, vocabulary)


@pytest.fixture
def task(world):
    vocabulary, data = world
    return BabiTask({"train": data, "valid": data}, vocabulary.memory, batch=7, noise=0.1)


@pytest.fixture
def model(world):
    vocabulary, _ = world
    reader = CentredPositionEncoding(vocabulary.sentence_words + 1)
    return MemN2N(len(vocabulary.words), reader, memory=vocabulary.memory, dim=5)


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("position", [1, 141, 142, 143, 301])
def test_the_stream_goes_on_from_any_batch(task, position):
    whole = list(islice(task.batches("train", seeded(5), 0), position, position + 3))
    resumed = list(islice(task.batches("train", seeded(5), position), 3))
    for expected, came in zip(whole, resumed, strict=True):
        assert all(torch.equal(e, c) for e, c in zip(expected, came, strict=True))


def test_the_stream_depends_on_the_seed_not_on_what_was_drawn(task):
    used = seeded(5)
    torch.rand(11, generator=used)
    first, again = (next(task.batches("train", random, 0))[0] for random in (seeded(5), used))
    assert torch.equal(first, again)
    assert not torch.equal(first, next(task.batches("train", seeded(6), 0))[0])


def test_an_epoch_draws_with_replacement_and_drops_the_rest(task):
    assert task.updates_per_epoch == 997 // 7
    rows = torch.cat([rows for rows, _ in islice(task.batches("train", seeded(0), 0), 142)])
    distinct = len(rows.unique())
    assert abs(distinct / 997 - (1 - math.exp(-142 * 7 / 997))) < 0.04


LENGTHS = torch.tensor([1, 2, 10, 11, 50])


def test_noise_puts_gaps_between_times_and_loses_no_sentence():
    time = noisy_recency(LENGTHS.repeat(400), 53, 0.1, 50, seeded(1))
    plain = recency(LENGTHS.repeat(400), 53)
    assert torch.equal(time > 0, plain > 0)
    for row, length in zip(time, LENGTHS.repeat(400).tolist(), strict=True):
        times = row[:length]
        assert (times[:-1] - times[1:] >= 0).all()  # oldest first, so the times fall
        below = times[times < 50]
        assert len(below.unique()) == len(below)
        assert times[-1] >= 1
        assert times[0] <= min(50, length + math.ceil(0.1 * length))


def test_the_number_of_gaps_is_uniform_up_to_a_tenth_of_the_story():
    time = noisy_recency(torch.full((8000,), 11), 11, 0.1, 50, seeded(2))
    # Of 11 times out of 11 + b the longest is 11 + g; b is 0, 1 or 2 with equal chance.
    longest = torch.bincount(time[:, 0] - 11, minlength=3).double() / 8000
    chosen = [math.comb(11 + g - 1, 10) for g in range(3)]
    expected = [sum(chosen[g] / math.comb(11 + b, 11) for b in range(g, 3)) / 3 for g in range(3)]
    assert_close(longest, torch.tensor(expected).double(), atol=0.02, rtol=0)


def test_without_noise_time_is_recency():
    assert torch.equal(noisy_recency(LENGTHS, 53, 0.0, 50, seeded(0)), recency(LENGTHS, 53))


def test_the_loss_is_summed_over_the_batch(task, model):
    rows, time = next(task.batches("train", seeded(0), 0))
    whole = task.loss(model, task.collate("train", (rows, time)), (), seeded(0))
    ones = [(rows[i : i + 1], time[i : i + 1]) for i in range(7)]
    single = [task.loss(model, task.collate("train", one), (), seeded(0)).loss_sum for one in ones]
    assert_close(whole.loss_sum, torch.stack(single).sum())
    assert whole.weight == 7
    assert 0 <= int(whole.sums["accuracy"]) <= 7


def test_every_question_is_reported(task, model):
    ratios = task.evaluate(model, "valid")
    assert ratios["accuracy"].weight == 997
    assert ratios["accuracy/2"] == ratios["accuracy"]
    assert 0 <= ratios["supports_read"].mean <= ratios["gold_read"].mean <= 1
    assert 0 < ratios["supports_chance/2"].mean < 0.5
    assert ratios["loss"].mean > 0


def test_evaluation_is_without_noise(world, model):
    vocabulary, data = world
    noisy, quiet = (
        BabiTask({"valid": data}, vocabulary.memory, noise=noise).evaluate(model, "valid")
        for noise in (0.9, 0.0)
    )
    assert noisy == quiet


def test_an_answer_never_seen_in_training_counts_as_wrong(world, model):
    vocabulary, data = world
    unseen = data._replace(answer=torch.full_like(data.answer, -1))
    ratios = BabiTask({"valid": unseen}, vocabulary.memory).evaluate(model, "valid")
    assert ratios["accuracy"].total == 0
    assert ratios["accuracy"].weight == 997


def test_the_nil_word_is_zero_after_an_update(task, model):
    with torch.no_grad():
        model.tables += 1.0
    task.after_update(model)
    assert not model.tables[0].any()
    assert model.tables[1:].all()


def test_the_loss_of_a_task_is_that_of_its_logits(task, model):
    rows, time = next(task.batches("train", seeded(3), 0))
    data = task.questions["train"]
    step = task.loss(model, task.collate("train", (rows, time)), (), seeded(0))
    logits = model(data.sentences, data.story[rows], time, data.question[rows]).logits
    likely = logits.log_softmax(-1).gather(1, data.answer[rows, None])
    assert_close(step.loss_sum, -likely.sum())
    assert int(step.sums["accuracy"]) == int((logits.argmax(-1) == data.answer[rows]).sum())


def test_gold_is_counted_for_each_hop_and_for_any(task, model):
    ratios = task.evaluate(model, "valid")
    each = [ratios[f"gold_read_{hop}/2"].mean for hop in (1, 2, 3)]
    assert 0 < max(each) <= ratios["gold_read/2"].mean <= sum(each)


def test_the_evidence_is_taught_beside_the_answer(world, model):
    vocabulary, data = world
    plain = BabiTask({"train": data}, vocabulary.memory, batch=7, noise=0.0)
    taught = BabiTask({"train": data}, vocabulary.memory, batch=7, noise=0.0, evidence=0.5)
    batch = next(plain.batches("train", seeded(3), 0))
    without = plain.loss(model, plain.collate("train", batch), (), seeded(0))
    both = taught.loss(model, taught.collate("train", batch), (), seeded(0))
    assert_close(both.loss_sum, without.loss_sum + 0.5 * both.sums["evidence"])
    assert_close(both.sums["accuracy"], without.sums["accuracy"])
    # -log of the weight of the t-th support at hop t, where there is one.
    rows, time = batch
    reply = model(data.sentences, data.story[rows], time, data.question[rows])
    expected = sum(
        -reply.hops[hop].weights[row, 0, slot].log()
        for row, supports in enumerate(data.supports[rows].tolist())
        for hop, slot in enumerate(supports[: len(reply.hops)])
        if slot >= 0
    )
    assert_close(both.sums["evidence"], expected)
