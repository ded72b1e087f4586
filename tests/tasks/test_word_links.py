"""Links between words: model 1 against loops, on a toy whose links are known, and agreement."""

import random
from collections import defaultdict
from itertools import pairwise

import numpy as np
import pytest

from memnets.tasks.link_agreement import agreement, over_words
from memnets.tasks.word_links import NOTHING, Links, Model1, WordLinks, _grown


def toy(pairs, words=9, longest=5, seed=3):
    """Sentences whose word n is translated by word n + 20, in another order; and their links."""
    draw = random.Random(seed)
    sources = [draw.sample(range(1, words), draw.randint(1, longest)) for _ in range(pairs)]
    orders = [draw.sample(range(len(source)), len(source)) for source in sources]
    targets = [
        [source[at] + 20 for at in order] for source, order in zip(sources, orders, strict=True)
    ]
    return sources, targets, [np.eye(len(order), dtype=bool)[order] for order in orders]


def by_loops(sources, targets, rounds):
    """Model 1 as it is written: t[source word, target word], and the log-likelihood of rounds."""
    chance = defaultdict(lambda: 1.0)
    likelihoods = []
    for _ in range(rounds):
        counts, totals, likelihood = defaultdict(float), defaultdict(float), 0.0
        for source, target in zip(sources, targets, strict=True):
            for word in target:
                every = sum(chance[other, word] for other in [NOTHING, *source])
                likelihood += np.log(every / (len(source) + 1))
                for other in [NOTHING, *source]:
                    counts[other, word] += chance[other, word] / every
                    totals[other] += chance[other, word] / every
        chance = defaultdict(float, {key: counts[key] / totals[key[0]] for key in counts})
        likelihoods.append(likelihood)
    return chance, likelihoods


@pytest.mark.parametrize("rounds", [1, 4])
def test_model_1_is_its_loops(rounds):
    sources, targets, _ = toy(30)
    sources, targets = [*sources, [1, 1, 2], [], [3]], [*targets, [21, 22], [23], []]
    model = Model1.of(sources, targets, rounds)
    expected, likelihoods = by_loops(sources, targets, rounds)
    for source, target in zip(sources, targets, strict=True):
        table = model.table([NOTHING, *source], target)
        loops = [[expected[one, word] for one in [NOTHING, *source]] for word in target]
        np.testing.assert_allclose(table, np.reshape(loops, table.shape), rtol=1e-10)
    assert all(before < after for before, after in pairwise(likelihoods[1:]))


def test_one_shifted_word_is_told_from_the_loops():
    sources, targets, _ = toy(30)
    model = Model1.of(sources, targets[1:] + targets[:1], 4)
    expected, _ = by_loops(sources, targets, 4)
    assert model.table([1], [21])[0, 0] != pytest.approx(expected[1, 21], rel=1e-3)


def test_chances_of_a_source_word_sum_to_one():
    sources, targets, _ = toy(30)
    model = Model1.of(sources, targets)
    every = model.table(range(9), range(1, 40))
    np.testing.assert_allclose(every.sum(0), 1)
    assert model.table([1], [39, 999]).tolist() == [[0], [0]]


def test_both_directions_are_learnt_in_as_many_rounds():
    sources, targets, _ = toy(30)
    for rounds in (1, 3):
        both = WordLinks.of(sources, targets, rounds)
        for found, expected in (
            (both.forward, Model1.of(sources, targets, rounds)),
            (both.backward, Model1.of(targets, sources, rounds)),
        ):
            np.testing.assert_array_equal(found.met, expected.met)
            np.testing.assert_array_equal(found.chances, expected.chances)
            assert found.targets == expected.targets
    assert both.forward.targets == 29
    assert both.backward.targets == 9


def test_known_links_are_found_in_both_directions():
    sources, targets, known = toy(300)
    words = WordLinks.of(sources, targets)
    found = [words.links(*pair) for pair in zip(sources, targets, strict=True)]
    for links, expected in zip(found, known, strict=True):
        np.testing.assert_array_equal(links.sure, expected)
        np.testing.assert_array_equal(links.possible, expected)


def test_of_equal_words_the_nearest_to_the_diagonal_is_linked():
    sources, targets, _ = toy(300)
    model = Model1.of(sources, targets)
    assert np.argwhere(model.links([1, 2, 1], [21, 22, 21])).tolist() == [[0, 0], [1, 1], [2, 2]]
    assert np.argwhere(model.links([1, 1], [21])).tolist() == [[0, 0]]  # both are as near
    assert np.argwhere(model.links([1, 1, 1], [21])).tolist() == [[0, 1]]


def test_a_word_that_comes_from_nothing_as_likely_has_no_link():
    """Of one pair nothing is known: both chances are 1."""
    model = Model1.of([[1]], [[21]])
    assert model.table([NOTHING, 1], [21]).tolist() == [[1.0, 1.0]]
    assert not model.links([1], [21]).any()


def test_words_that_have_never_met_and_empty_sentences_have_no_links():
    sources, targets, _ = toy(300)
    words = WordLinks.of(sources, targets)
    assert not words.links([1, 500], [22, 700]).possible.any()
    for pair in (([], [21]), ([1], []), ([], [])):
        links = words.links(*pair)
        assert links.sure.shape == links.possible.shape == (len(pair[1]), len(pair[0]))


def test_links_grow_beside_sure_ones_where_a_word_has_none():
    # Three words that one says, beside a pair that is plain.
    plain = [([1], [21])] * 20
    phrase = [([1, 2], [21, 22, 23, 24])] * 20
    other = [([3, 2], [25, 22, 23, 24])] * 20
    sources, targets = zip(*plain, *phrase, *other, strict=True)
    links = WordLinks.of(sources, targets).links([1, 2], [21, 22, 23, 24])
    assert links.sure.sum() == 2
    assert links.possible.tolist() == [[True, False], [False, True], [False, True], [False, True]]


def test_links_grow_in_every_direction_round_by_round_to_the_corners():
    sure, either = np.zeros((3, 3), bool), np.eye(3, dtype=bool)
    for start in range(3):
        sure[:] = False
        sure[start, start] = True
        assert (_grown(sure, either) == either).all()
        assert (_grown(sure[::-1], either[::-1]) == either[::-1]).all()
    assert not _grown(np.zeros((3, 3), bool), either).any()
    # Beside one, but of words that have links already; and two rows away.
    full = np.array([[1, 0], [1, 1], [0, 0], [0, 1]], bool)
    first = np.array([[1, 0], [0, 1], [0, 0], [0, 0]], bool)
    assert _grown(first, full).tolist() == first.tolist()


@pytest.mark.parametrize(
    ("sources", "targets", "said"),
    [
        ([[1]], [], "1 sentences and 0 translations; expected as many"),
        ([[1]], [[]], "there is no word on one side"),
        ([], [], "there is no word on one side"),
    ],
)
def test_what_is_no_corpus_is_refused(sources, targets, said):
    with pytest.raises(ValueError, match=said):
        WordLinks.of(sources, targets)


# Agreement


def linked(rows, possible=None):
    sure = np.array(rows, bool)
    return Links(sure, sure if possible is None else np.array(possible, bool))


def test_agreement_by_hand():
    links = linked([[1, 0, 0], [0, 0, 0], [0, 0, 1]], [[1, 1, 0], [0, 1, 0], [0, 0, 1]])
    weights = np.array([[0.2, 0.8, 0], [0, 1, 0], [0.3, 0.3, 0.4]])
    found = agreement([weights], [links])
    assert found.words == 2
    # Chosen are 1, 1, 2: one of two sure links, and all three are possible.
    assert found.attention == (0.5, pytest.approx(1 - (1 + 3) / (3 + 2)))
    assert found.diagonal == (1, pytest.approx(1 - (2 + 3) / (3 + 2)))
    assert found.chance == (
        pytest.approx(1 / 3), pytest.approx(1 - (2 / 3 + 4 / 3) / (3 + 2))
    )  # fmt: skip


def test_the_links_themselves_agree_and_the_mean_is_over_words():
    links = [linked([[0, 1], [1, 0]]), linked([[1, 0, 0]])]
    right = [one.sure.astype(float) for one in links]
    found = agreement(right, links)
    assert found.attention == (1, 0)
    assert found.diagonal.agreement == 0
    assert found.chance.agreement == pytest.approx((1 / 2 + 1 / 2 + 1 / 3) / 3)
    assert agreement([*right, np.zeros((0, 3))], [*links, linked(np.zeros((0, 3)))]) == found


def test_words_are_counted_that_have_a_link_however_many():
    """One word of the target with two links is a word; two with the same one are two."""
    one, two = linked([[1, 1, 0]]), linked([[1, 0], [1, 0], [0, 0]])
    weights = np.eye(3)[:1], np.eye(3, 2)
    found = [agreement([each], [links]) for each, links in zip(weights, (one, two), strict=True)]
    assert [each.words for each in found] == [1, 2]
    assert [each.attention.agreement for each in found] == [1, 1 / 2]


def test_agreement_with_other_words_is_refused():
    links = linked([[1, 0]])
    with pytest.raises(ValueError, match=r"pair 2 are \(2, 2\), its links \(1, 2\)"):
        agreement([np.zeros((1, 2)), np.zeros((2, 2))], [links, links])
    with pytest.raises(ValueError, match="weights of 1 pairs and links of 2"):
        agreement([np.zeros((1, 2))], [links, links])
    with pytest.raises(ValueError, match="no word of these pairs has a link"):
        agreement([np.zeros((1, 2))], [linked([[0, 0]])])


def test_weights_of_pieces_are_those_of_their_words():
    weights = np.array([[0.1, 0.2, 0.7], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])
    words = over_words(weights, [0, 0, 1], [0, 0, 1])
    np.testing.assert_allclose(words, [[0.65, 0.35], [0, 1]])
    np.testing.assert_allclose(words.sum(1), 1)
    assert over_words(np.zeros((0, 3)), [], [0, 1, 1]).shape == (0, 2)
