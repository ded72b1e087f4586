"""Sentences that are copied or turned round: what was read for each word is known."""

import pytest
import torch

from memnets.attention import Additive, Attention, General, LocalP, Softmax
from memnets.models.seq2seq import luong, luong_fed, modern_initial, rnnsearch

VOCAB, END, WORDS = 12, 1, 6


def batch(generator, turned, rows=64):
    """Return sources of 3 to 6 words, targets with their ends, and the place of every word."""
    length = torch.randint(3, WORDS + 1, (rows,), generator=generator)
    source = torch.randint(2, VOCAB, (rows, WORDS), generator=generator)
    place = torch.arange(WORDS).expand(rows, -1)
    place = (length[:, None] - 1 - place) if turned else place
    there = torch.arange(WORDS) < length[:, None]
    source, target = source * there, source.gather(1, place.clamp(min=0)) * there
    target = torch.cat([target, torch.zeros(rows, 1, dtype=torch.long)], 1)
    target.scatter_(1, length[:, None], END)
    return source, length, target, place, there


def learn(model, turned, updates, rate):
    generator = torch.Generator().manual_seed(3)
    optimiser = torch.optim.Adam(model.parameters(), lr=rate)
    for _ in range(updates):
        source, length, target, _, _ = batch(generator, turned)
        loss = model.loss(source, length, target).mean()
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
    return float(loss.detach())


def aligned(model, turned):
    """Return how many words were read most where they stand, and how many are right."""
    generator = torch.Generator().manual_seed(5)
    source, length, target, place, there = batch(generator, turned, 300)
    model.eval()
    weights = model(source, length, target).readout.weights[:, :WORDS, :WORDS]
    read = (weights.argmax(-1) == place)[there].float().mean()
    said = model.translate(source, length, END, WORDS + 1).words[:, 0]
    said = torch.nn.functional.pad(said, (0, WORDS + 1 - said.shape[1]))
    return float(read), float((said == target).all(1).float().mean())


NETWORKS = {
    "rnnsearch": lambda: rnnsearch(
        VOCAB, VOCAB, 24, 32, 24, Attention(Additive(32, 64, 32), Softmax()), initial=modern_initial
    ),
    "luong": lambda: luong(VOCAB, VOCAB, 24, 32, 1, dropout=0.0, initial=modern_initial),
    "fed, local-p": lambda: luong_fed(
        VOCAB, VOCAB, 24, 32, 1, Attention(General(32, 32), LocalP(32, 2)),
        dropout=0.0, initial=modern_initial,
    ),
}  # fmt: skip


@pytest.mark.usefixtures("shapes_unchecked")
def test_words_of_a_sentence_turned_round_are_read_where_they_stand():
    """List 12: most of them, after half a second."""
    model = NETWORKS["luong"]()
    learn(model, True, 60, 2e-2)
    read, _ = aligned(model, True)
    assert read > 0.95


@pytest.mark.slow
@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize("turned", [False, True], ids=["copied", "turned round"])
@pytest.mark.parametrize("name", NETWORKS)
def test_what_is_read_is_what_is_said(name, turned):
    """List 12: alignment with a known truth, after a short run."""
    model = NETWORKS[name]()
    learn(model, turned, 300, 5e-3)
    read, right = aligned(model, turned)
    assert read > 0.99
    assert right > 0.97
