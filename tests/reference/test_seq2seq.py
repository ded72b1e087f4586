"""The loops of translation by hand, and their LSTM against PyTorch's."""

import math

import numpy as np
import torch
from torch import nn

from memnets.reference import seq2seq as loops

RANDOM = np.random.default_rng(5)


def same(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def drawn(*shapes):
    return [RANDOM.standard_normal(shape) for shape in shapes]


def unit(dim, hidden, context=None):
    w, u = [(hidden, dim)] * 3, [(hidden, hidden)] * 3
    c = drawn(*[(hidden, context)] * 3) if context else [None] * 3
    return loops.Unit(*drawn(*w, *u), *c, *drawn(*[hidden] * 3))


def test_a_gated_step_by_hand():
    """Of one number each."""

    def one(number):
        return np.array([[float(number)]])

    zero = np.zeros(1)
    f = loops.Unit(
        *map(one, (0.01, 0.1, 0.2)), *map(one, (0.4, 0.5, 0.6)), *map(one, (0.7, 0.8, 0.9)),
        *[zero] * 3,
    )  # fmt: skip
    y, s, c = np.array([1.0]), np.array([2.0]), np.array([-1.0])
    z = 1 / (1 + math.exp(-(0.1 + 0.5 * 2 - 0.8)))
    r = 1 / (1 + math.exp(-(0.2 + 0.6 * 2 - 0.9)))
    candidate = math.tanh(0.01 + 0.4 * (r * 2) - 0.7)
    same(loops.gated(y, s, c, f), [(1 - z) * 2 + z * candidate])


def test_the_reset_stands_before_the_matrix():
    """Where U mixes numbers, r * (U s) is another state."""
    f = unit(2, 3)
    y, s = drawn(2, 3)
    r = 1 / (1 + np.exp(-(f.W_r @ y + f.b_r + f.U_r @ s)))
    z = 1 / (1 + np.exp(-(f.W_z @ y + f.b_z + f.U_z @ s)))
    before, behind = (np.tanh(f.W @ y + f.b + part) for part in (f.U @ (r * s), r * (f.U @ s)))
    same(loops.gated(y, s, None, f), (1 - z) * s + z * before)
    assert np.abs(before - behind).max() > 0.01


def test_annotations_know_of_both_sides():
    forth, back = unit(2, 3), unit(2, 3)
    (x,) = drawn((4, 2))
    h = loops.annotations(x, forth, back)
    changed = x.copy()
    changed[2] += 1
    moved = np.abs(loops.annotations(changed, forth, back) - h) > 1e-9
    assert [bool(row[:3].any()) for row in moved] == [False, False, True, True]
    assert [bool(row[3:].any()) for row in moved] == [True, True, True, False]
    same(h[0, :3], loops.gated(x[0], np.zeros(3), None, forth))
    same(h[3, 3:], loops.gated(x[3], np.zeros(3), None, back))


def test_pairs_are_neighbours():
    same(loops.max_of_pairs(np.array([1.0, 5.0, 3.0, 2.0])), [5, 3])


def test_a_word_of_rnnsearch_hears_the_state_before_it():
    """So the first does not hear the unit, and alpha is asked with s_0."""
    h, y = drawn((4, 6), (2, 2))
    d = loops.Search(*drawn((3, 3), 3, (8, 3), (8, 2), (8, 6), 8, (5, 4), 5))
    asked = []

    def weigh(query, states, step):
        asked.append(query)
        return np.array([1.0, 0, 0, 0])

    first, weights = loops.rnnsearch(h, y, unit(2, 3, 6), d, weigh)
    other, _ = loops.rnnsearch(h, y, unit(2, 3, 6), d, weigh)
    same(first[0], other[0])
    assert np.abs(first[1] - other[1]).max() > 1e-6
    same(asked[0], np.tanh(d.W_s @ h[0, 3:] + d.b_s))
    same(weights, [[1, 0, 0, 0]] * 2)
    t = d.U_o @ asked[0] + d.V_o @ y[0] + d.C_o @ h[0] + d.b_o
    same(first[0], d.W_o @ np.maximum(t[::2], t[1::2]) + d.b)


def layers(dim, hidden):
    return [
        loops.LSTM(*drawn((4 * hidden, wide), (4 * hidden, hidden), 4 * hidden))
        for wide in (dim, hidden)
    ]


def test_the_lstm_is_pytorchs():
    given, (x,) = layers(2, 3), drawn((5, 2))
    torchs = nn.LSTM(2, 3, 2, batch_first=True).double()
    with torch.no_grad():
        for mine, theirs in zip(given, torchs.all_weights, strict=True):
            for weight, number in zip(theirs, (*mine, 0 * mine.b), strict=True):
                weight.copy_(torch.from_numpy(number))
    states, (hidden, cell) = torchs(torch.from_numpy(x)[None])
    found, last = loops.stacked(x, given)
    same(found, states[0].detach().numpy())
    same([h for h, _ in last], hidden[:, 0].detach().numpy())
    same([c for _, c in last], cell[:, 0].detach().numpy())
    turned, _ = loops.turned_round(x, given)
    same(turned, loops.stacked(x[::-1], given)[0][::-1])


def test_who_asks_luongs_source():
    """h_t, behind the step; with feeding the first step is given zeros beside its word."""
    h, y = drawn((4, 3), (2, 2))
    d, start = loops.Attentional(*drawn((3, 6), (5, 3), 5)), [(np.zeros(3), np.zeros(3))] * 2
    for run, wide in ((loops.luong, 2), (loops.luong_fed, 5)):
        given, asked = layers(wide, 3), []

        def weigh(query, states, step, asked=asked):
            asked.append(query)
            return np.full(4, 0.25)

        logits, _ = run(h, y, start, given, d, weigh)
        top, state = loops.lstm(np.array([*y[0], *[0.0] * (wide - 2)]), start, given)
        same(asked[0], top)
        attentional = np.tanh(d.W_c @ np.array([*h.mean(0), *top]))
        same(logits[0], d.W_s @ attentional + d.b)
        fed = attentional if wide == 5 else []
        same(asked[1], loops.lstm(np.array([*y[1], *fed]), state, given)[0])


def test_log_probabilities_are_of_the_right_words():
    (logits,) = drawn((3, 5))
    expected = torch.from_numpy(logits).log_softmax(-1).numpy()
    same(loops.log_probability(logits, [4, 0, 2]), expected[[0, 1, 2], [4, 0, 2]])
