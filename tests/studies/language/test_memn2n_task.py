"""Windows of a text, exact evaluation, and what the memory is worth."""

import math

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from memnets.models.memn2n_lm import NOTHING, MemN2NLanguageModel
from memnets.reference import memn2n_lm as reference
from memnets.studies.language.memn2n import task as memory_language
from memnets.studies.language.memn2n.task import (
    ConsecutiveWindows,
    MemoryLanguageTask,
    RandomWindows,
)

VOCAB, MEMORY, DIM, HOPS, LINEAR = 13, 7, 5, 2, 2
SYMBOLS = [*"abcdefghijk", " ", "\n"]


def build(vocab=VOCAB, memory=MEMORY, dim=DIM, hops=HOPS, scale=10.0):
    model = MemN2NLanguageModel(vocab, memory, dim, hops, dim // 2).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(scale)
    return model


def task(windows=RandomWindows(5), words=211, memory=MEMORY, valid=97):
    return MemoryLanguageTask(
        {"train": torch.randint(VOCAB, (words,)), "valid": torch.randint(VOCAB, (valid,))},
        memory,
        windows,
        "characters",
    )


def drawn(given, updates, position=0, seed=3):
    batches = given.batches("train", torch.Generator().manual_seed(seed), position)
    return [next(batches)[0] for _ in range(updates)]


@pytest.mark.parametrize("words", [2, 7, 8, 32, 33, 34, 97, 1061])
@pytest.mark.parametrize("memory", [1, 7, 41])
def test_evaluation_equals_a_slow_loop(words, memory):
    model, given = build(memory=memory), task(valid=words, memory=memory)
    text = given.texts["valid"][memory - 1 :].tolist()
    A, C, H, W = (parameter.detach().numpy() for parameter in model.parameters())  # noqa: N806
    weights = reference.Weights(A[:VOCAB], C[:VOCAB], A[VOCAB:], C[VOCAB:], H, W)
    if words < 100:  # the loops take a while
        expected = reference.loss(text, weights, HOPS, LINEAR)
    else:
        logits = model(torch.tensor([text[:-1]])).logits[0]
        expected = F.cross_entropy(logits, torch.tensor(text[1:]), reduction="sum").item()
    found = given.evaluate(model, "valid")
    assert found["loss"].total == pytest.approx(expected, rel=1e-10)
    assert found["loss"].weight == words - 1
    mean = expected / (words - 1)
    assert found["bits"].mean == pytest.approx(mean / math.log(2), rel=1e-10)
    assert found["perplexity"].mean == pytest.approx(math.exp(mean), rel=1e-10)


@pytest.mark.parametrize(("rows", "steps"), [(1, 1), (3, 5), (7, 96), (2, 500)])
def test_evaluation_does_not_depend_on_how_it_is_cut(rows, steps, monkeypatch):
    model, given = build(), task()
    whole = given.evaluate(model, "valid")["loss"]
    monkeypatch.setattr(memory_language, "ROWS", rows)
    monkeypatch.setattr(memory_language, "STEPS", steps)
    found = given.evaluate(model, "valid")["loss"]
    assert found.weight == whole.weight
    assert found.total == pytest.approx(whole.total, rel=1e-10)


def test_a_model_that_knows_nothing_has_a_perplexity_of_the_vocabulary():
    assert task().evaluate(build(scale=0.0), "valid")["perplexity"].mean == pytest.approx(VOCAB)


@pytest.mark.parametrize("kind", [RandomWindows, ConsecutiveWindows])
@pytest.mark.parametrize("time", [1, 11])
def test_windows_are_stretches_of_the_text(kind, time):
    given = task(kind(5, time))
    text = given.texts["train"].tolist()
    for stretch in drawn(given, 30):
        assert stretch.shape == (5, MEMORY + time)
        for row in stretch.tolist():
            assert NOTHING not in row[MEMORY - 1 :]
            assert any(text[i : i + len(row)] == row for i in range(len(text) - len(row) + 1))


def test_random_windows_begin_anywhere_but_never_without_a_whole_memory():
    windows, words = RandomWindows(batch=500, time=3), 61
    generator = torch.Generator().manual_seed(3)
    starts = torch.cat([windows.starts(words, MEMORY, generator, k) for k in range(9)])
    # The last stretch ends with the last word; the first has a memory of the first 7 words.
    assert sorted(set(starts.tolist())) == list(range(MEMORY - 1, words - 3))
    counts = torch.bincount(starts - MEMORY + 1).double()
    assert (counts / len(starts)).max() < 2 / len(counts)


def test_a_text_shorter_than_the_memory_can_be_learnt():
    given = task(RandomWindows(5), words=MEMORY)
    assert all((stretch[:, -1] >= 0).all() for stretch in drawn(given, 9))


def test_consecutive_windows_read_every_row_from_left_to_right_again_and_again():
    given = task(ConsecutiveWindows(batch=5, time=4), words=211)
    text = given.texts["train"][MEMORY - 1 :]
    assert given.updates_per_epoch == 10  # rows of 42 words, 40 of them predicted
    stretches = drawn(given, 20)
    predicted = torch.cat([stretch[:, MEMORY:] for stretch in stretches[:10]], 1)
    expected = torch.stack([text[1 + 42 * row : 41 + 42 * row] for row in range(5)])
    assert torch.equal(predicted, expected)
    assert all(map(torch.equal, stretches[:10], stretches[10:]))
    assert (stretches[0][0, : MEMORY - 1] == NOTHING).all()
    assert stretches[0][1, MEMORY - 1 :].tolist() == text[42:47].tolist()


@pytest.mark.parametrize("kind", [RandomWindows, ConsecutiveWindows])
def test_a_stream_goes_on_at_any_place(kind):
    given = task(kind(5, 3))
    whole = drawn(given, 40)
    for position in (1, 13, 39):
        assert torch.equal(drawn(given, 1, position)[0], whole[position])
    same = torch.equal(drawn(given, 1, seed=5)[0], whole[0])
    assert same == (kind is ConsecutiveWindows)


def test_an_epoch_of_random_windows_is_as_many_updates_as_the_papers():
    assert RandomWindows(128).per_epoch(929_589) == 7263  # ceil(N / 128)
    assert RandomWindows(5, 4).per_epoch(211) == 11


def test_what_is_summed_is_the_loss_of_the_words_predicted():
    model, given = build(), task(RandomWindows(5, 3))
    (stretch,) = next(given.batches("train", torch.Generator().manual_seed(3), 0))
    step = given.loss(model, (stretch,), (), torch.Generator())
    logits = model(stretch[:, :-1]).logits[:, MEMORY - 1 :]
    expected = F.cross_entropy(logits.transpose(1, 2), stretch[:, MEMORY:], reduction="sum")
    assert step.weight == 15
    assert step.loss_sum.item() == pytest.approx(expected.item(), rel=1e-10)


def overfit(memory_is_read):
    """Learn 2,000 random words by heart, as far as that is possible; return the perplexity."""
    torch.manual_seed(3)
    text = torch.randint(17, (2000,))
    given = MemoryLanguageTask({"train": text, "valid": text}, 23, RandomWindows(100, 20))
    model = MemN2NLanguageModel(17, memory=23, dim=64, hops=2, linear=32)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    batches = given.batches("train", torch.Generator().manual_seed(3), 0)
    for _ in range(700 if memory_is_read else 100):
        if not memory_is_read:
            model.values.data.zero_()
        (stretch,) = next(batches)
        step = given.loss(model, (stretch,), (), torch.Generator())
        model.zero_grad()
        (step.loss_sum / step.weight).backward()
        optimizer.step()
    if not memory_is_read:
        model.values.data.zero_()
    counts = np.bincount(text.numpy(), minlength=17) / len(text)
    unigram = math.exp(-(counts * np.log(counts)).sum())
    return given.evaluate(model, "valid")["perplexity"].mean, unigram


@pytest.mark.slow
def test_learns_2000_words_by_heart():
    perplexity, _ = overfit(memory_is_read=True)
    assert perplexity < 2


@pytest.mark.slow
def test_without_its_memory_it_knows_no_more_than_how_often_words_come():
    perplexity, unigram = overfit(memory_is_read=False)
    assert perplexity > 0.999 * unigram


@pytest.mark.parametrize(
    ("windows", "words", "valid", "message"),
    [
        (RandomWindows(5, 3), 3, 97, "train text has 3 characters, expected at least 4"),
        (ConsecutiveWindows(5, 3), 15, 97, "train text has 15 characters, expected at least 16"),
        (RandomWindows(5, 3), 211, 1, "valid text has 1 characters, expected at least 2"),
    ],
)
def test_a_text_too_short_is_refused(windows, words, valid, message):
    with pytest.raises(ValueError, match=message):
        task(windows, words=words, valid=valid)
    task(windows, words=max(words, windows.least), valid=max(valid, 2))
