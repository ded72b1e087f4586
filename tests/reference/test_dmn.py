"""The loops of DMN by hand, and their GRU against PyTorch's."""

from functools import partial

import numpy as np
import pytest
import torch
from torch import nn

from memnets.ops.gru import gated_gru
from memnets.reference import dmn
from memnets.reference.attention import sigmoid
from memnets.reference.dmn import GRU
from memnets.reference.encoders import Linear

H, E, FACTS = 3, 4, 5
SENTENCES = [[1, 2, 3], [4], [2, 2]]
RANDOM = np.random.default_rng(3)
TABLE = RANDOM.standard_normal((6, E))


def drawn(parts=3, inputs=E, hidden=H):
    rows = parts * hidden
    return GRU(*map(RANDOM.standard_normal, [(rows, inputs), (rows, hidden), rows, rows]))


def same(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def torch_states(x, cell):
    layer = nn.GRU(cell.W.shape[1], cell.U.shape[1], batch_first=True).double()
    for parameter, given in zip(layer.parameters(), cell, strict=True):
        parameter.data = torch.from_numpy(given)
    return layer(torch.from_numpy(np.array(x))[None])[0][0].detach().numpy()


def test_the_gru_is_pytorchs():
    cell, x = drawn(), RANDOM.standard_normal((FACTS, E))
    same(dmn.states(x, cell), torch_states(x, cell))


def test_facts_are_the_states_at_the_ends_of_sentences():
    cell = drawn()
    states = torch_states(TABLE[[1, 2, 3, 4, 2, 2]], cell)
    same(dmn.word_facts(SENTENCES, TABLE, cell), states[[2, 3, 5]])
    same(dmn.question([1, 2, 3], TABLE, cell), states[2])


def test_places_are_those_of_the_sentence_alone():
    """The first words of two, d = 1 of 2: (1 - 1/2) - (1/2) (1 - 2/2) = 1/2; the last, 1/2."""
    table = np.array([[0.0, 0.0], [1.0, 10.0], [100.0, 1000.0]])
    same(dmn.placed([1], table), [0.5, 10])  # d / D
    same(dmn.placed([1, 2], table), [0.5 * 1 + 0.5 * 100, 0.5 * 10 + 1 * 1000])
    same(dmn.bag([1, 2, 2], table), [201, 2010])


def test_fusion_adds_both_directions():
    f, forth, back = RANDOM.standard_normal((FACTS, E)), drawn(), drawn()
    found = dmn.fused(f, forth, back)
    same(found, torch_states(f, forth) + torch_states(f[::-1], back)[::-1])


def test_features_by_hand():
    c, m, q = np.array([1.0, 2.0]), np.array([3.0, -1.0]), np.array([0.5, 4.0])
    z = dmn.features(c, m, q, np.array([[1.0, 2.0], [0.0, 3.0]]))
    same(z, [1, 2, 3, -1, 0.5, 4, 0.5, 8, 3, -2, 0.5, 2, 2, 3, 32.5, -5])
    assert len(z) == 7 * 2 + 2
    same(dmn.features_plus(c, m, q), [0.5, 8, 3, -2, 0.5, 2, 2, 3])


def test_gates_are_over_facts():
    inner, outer = Linear(np.eye(2), np.zeros(2)), Linear(np.array([[1.0, 2.0]]), np.array([0.3]))
    z = RANDOM.standard_normal((FACTS, 2))
    logits = np.tanh(z) @ [1, 2] + 0.3
    same(dmn.gates(z, inner, outer), np.exp(logits) / np.exp(logits).sum())
    same(dmn.gates(z, inner, outer, sigmoid), 1 / (1 + np.exp(-logits)))


@pytest.mark.parametrize(("parts", "loop"), [(2, dmn.attention_gru), (3, dmn.gated_gru)])
def test_the_op_is_what_the_loops_say(parts, loop):
    cell = drawn(parts)
    f, g = RANDOM.standard_normal((FACTS, E)), RANDOM.random(FACTS)
    g[1] = 0
    projected, gates = (torch.from_numpy(part)[None] for part in (f @ cell.W.T + cell.b_x, g))
    found = gated_gru(projected, gates, torch.from_numpy(cell.U), torch.from_numpy(cell.b_h))
    same(found[0].numpy(), loop(f, g, cell))
    wrong = cell._replace(b_x=cell.b_x + cell.b_h, b_h=0 * cell.b_h)  # beside the reset gate
    assert np.abs(found[0].numpy() - loop(f, g, wrong)).max() > 1e-3


def test_who_hears_the_order_of_facts():
    f, g = RANDOM.standard_normal((FACTS, E)), RANDOM.random(FACTS)
    same(dmn.soft(f, g), dmn.soft(f[::-1], g[::-1]))
    same(dmn.soft(f, g), g @ f)
    for parts, loop in ((2, dmn.attention_gru), (3, dmn.gated_gru)):
        cell = drawn(parts)
        assert np.abs(loop(f, g, cell)[-1] - loop(f[::-1], g[::-1], cell)[-1]).max() > 1e-3


def test_gates_of_1_are_a_gru():
    cell, f = drawn(), RANDOM.standard_normal((FACTS, E))
    same(dmn.gated_gru(f, np.ones(FACTS), cell), dmn.states(f, cell))
    same(dmn.gated_gru(f, np.zeros(FACTS), cell), np.zeros((FACTS, H)))


def test_passes_start_at_the_question_and_update_by_their_own():
    f, q = np.array([[1.0, 0.0], [0.0, 2.0]]), np.array([1.0, 1.0])
    layers = [Linear(np.hstack([np.eye(2), k * np.eye(2), -np.eye(2)]), np.ones(2)) for k in (1, 2)]
    updates = [partial(dmn.relu_update, layer=layer) for layer in layers]
    gates = lambda f, m, q: f @ m  # noqa: E731
    m, seen = dmn.passes(f, q, gates, dmn.soft, updates)
    # g = [1, 2], c = [1, 4], m = 1 + 1 + [1, 4] - 1; then g = [2, 10], c = [2, 20], m = ...
    same(seen, [[1, 2], [2, 10]])
    same(m, [2 + 2 * 2 - 1 + 1, 5 + 2 * 20 - 1 + 1])
    same(dmn.relu_update(-q, -q, q, layers[0]), [0, 0])
    same(dmn.added(q, f[0]), [2, 1])


def test_the_answer_hears_the_question_and_the_memory():
    m, c = RANDOM.standard_normal(H), RANDOM.standard_normal(H)
    layer = Linear(RANDOM.standard_normal((7, 2 * H)), RANDOM.standard_normal(7))
    same(dmn.answer(c, m, layer), layer.W[:, :H] @ c + layer.W[:, H:] @ m + layer.b)


def test_the_decoder_starts_at_the_memory_and_hears_the_question():
    cell, q, m = drawn(inputs=E + H), RANDOM.standard_normal(H), RANDOM.standard_normal(H)
    W_a, y = RANDOM.standard_normal((6, H)), TABLE[:2]  # noqa: N806
    logits = dmn.said(q, m, y, cell, W_a)
    first = dmn.gru(np.array([*y[0], *q]), m, cell)
    same(logits[0], W_a @ first)
    same(logits[1], W_a @ dmn.gru(np.array([*y[1], *q]), first, cell))
