"""Sentence readers against the printed formulas, and faults that must be caught."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

from memnets.layers import (
    BagOfWords,
    CentredPositionEncoding,
    OwnLengthPositionEncoding,
    PositionEncoding,
    RecurrentEncoder,
    RecurrentReader,
    SentencesOfStory,
    WordsOfStory,
)
from memnets.layers import sentences as readers
from memnets.reference import dmn as dmn_loops
from memnets.reference import memn2n as reference

WORDS, VOCAB, DIM = 7, 13, 5
PLACES = {
    BagOfWords: reference.bag,
    PositionEncoding: reference.position,
    CentredPositionEncoding: reference.centred_position,
}
NAMES = {"argvalues": list(PLACES), "ids": [reader.__name__ for reader in PLACES]}


def sentences():
    words = torch.randint(1, VOCAB, (3, 5))
    words[1, 3:], words[2, 1] = 0, 0
    return words


def compare(reader, words, tables):
    """Raise an AssertionError where the reader and the loops differ."""
    found = reader(WORDS)(words, tables).numpy()
    sizes = reference.Sizes(WORDS, said=WORDS, first_time_word=None)
    tables = tables.index_fill(
        0, torch.tensor(0), 0.0
    )  # a reader leaves nil out, the loops read it
    for row, table in np.ndindex(*found.shape[:2]):
        expected = reference.sentence(
            words[row].tolist(), None, tables[:, table].numpy(), sizes, PLACES[reader]
        )
        np.testing.assert_allclose(found[row, table], expected, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("reader", **NAMES)
def test_equals_the_loops(reader):
    compare(reader, sentences(), torch.randn(VOCAB, 2, DIM).double())


@pytest.mark.parametrize("reader", **NAMES)
def test_place_is_the_printed_formula(reader):
    like = torch.zeros(1, DIM).double()
    for j in range(1, WORDS + 1):
        expected = [PLACES[reader](j, k, WORDS, DIM) for k in range(1, DIM + 1)]
        found = reader(WORDS).place(j, like)
        torch.testing.assert_close(found, torch.tensor(expected, dtype=torch.float64))


def test_position_encoding_by_hand():
    # J = 2, d = 2: l_1 = (1/2, 1/2), l_2 = (1/2, 1)
    found = [PositionEncoding(2).place(j, torch.zeros(1, 2)).tolist() for j in (1, 2)]
    assert found == [[0.5, 0.5], [0.5, 1.0]]


def test_centred_position_encoding_has_mean_one():
    reader = CentredPositionEncoding(WORDS)
    places = torch.stack([reader.place(j, torch.zeros(1, DIM).double()) for j in range(1, 8)])
    torch.testing.assert_close(places.mean(), torch.tensor(1.0).double())


def test_order_counts_except_for_a_bag():
    words, tables = sentences()[:1], torch.randn(VOCAB, 1, DIM).double()
    for reader in PLACES:
        same = torch.allclose(reader(WORDS)(words, tables), reader(WORDS)(words.flip(1), tables))
        assert same == (reader is BagOfWords)


def test_longest_sentence_is_that_of_the_data_set():
    words, tables = sentences(), torch.randn(VOCAB, 1, DIM).double()
    for reader in (PositionEncoding, CentredPositionEncoding):
        assert not torch.allclose(reader(WORDS)(words, tables), reader(5)(words, tables))


def places_from_zero(words, like):
    word, dim = PLACED(words, like)
    return word - 1 / words, dim


def dimensions_from_zero(words, like):
    word, dim = PLACED(words, like)
    return word, dim - 1 / like.shape[-1]


def swapped_ends(words, like):
    word, dim = PLACED(words, like)
    return word.flip(0), dim


PLACED = readers._places


@pytest.mark.parametrize("fault", [places_from_zero, dimensions_from_zero, swapped_ends])
@pytest.mark.parametrize("reader", [PositionEncoding, CentredPositionEncoding])
def test_a_planted_fault_is_caught(fault, reader, monkeypatch):
    monkeypatch.setattr(readers, "_places", fault)
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        compare(reader, sentences(), torch.randn(VOCAB, 2, DIM).double())


@pytest.mark.parametrize("reader", **NAMES)
def test_no_words_are_refused(reader):
    with pytest.raises(ValueError, match=rf"{reader.__name__}\(words=0\): expected at least 1"):
        reader(0)


@pytest.mark.parametrize("reader", **NAMES)
def test_a_sentence_too_long_is_refused(reader):
    words = torch.ones(1, 8, dtype=torch.long)
    with pytest.raises(ValueError, match=rf"{reader.__name__}\(words=7\): a sentence of 8 words"):
        reader(WORDS)(words, torch.randn(VOCAB, 1, DIM))


def test_position_encoding_at_the_length_of_the_sentence_is_the_loops():
    """List 7: a sentence of any length, by two bags or by the printed table."""
    words, tables = sentences(), torch.randn(VOCAB, 2, DIM).double()
    found = OwnLengthPositionEncoding()(words, tables)
    for row, sentence in enumerate(words.tolist()):
        said = [word for word in sentence if word]
        for table in range(2):
            expected = dmn_loops.placed(said, tables[:, table].numpy())
            np.testing.assert_allclose(found[row, table], expected, rtol=1e-12, atol=1e-14)


def test_a_sentence_of_one_word_is_that_word_times_its_dimension():
    """List 7: l_d = d / D where M = 1, whatever stands beside it."""
    tables = torch.randn(VOCAB, 1, DIM).double()
    ramp = torch.arange(1, DIM + 1) / DIM
    for words in ([[4]], [[4, 0, 0]], [[4, 0, 0], [1, 2, 3]]):
        read = OwnLengthPositionEncoding()(torch.tensor(words), tables)
        assert_close(read[0, 0], tables[4, 0] * ramp)


def test_a_recurrence_keeps_its_state_behind_the_last_word():
    gru, tables = nn.GRU(DIM, 4, bidirectional=True).double(), torch.randn(VOCAB, 1, DIM).double()
    read = RecurrentReader(gru)(torch.tensor([[3, 5, 0], [6, 0, 0], [0, 0, 0]]), tables)
    forth, back = gru(tables[[3, 5], 0])[0].chunk(2, -1)
    assert_close(read[0, 0], torch.cat([forth[1], back[0]]))
    assert_close(read[1, 0], gru(tables[[6], 0])[0][0])
    assert not read[2].any()


def story():
    """Return sentences, two stories of three and of one, and a table."""
    told = torch.tensor([[True, True, True], [True, False, False]])
    numbers = torch.tensor([[2, 0, 2], [1, 0, 0]])
    return sentences(), numbers, told, torch.randn(VOCAB, DIM).double()


def test_a_sentence_that_is_told_twice_is_read_alike_and_dropped_apart():
    reader = SentencesOfStory(BagOfWords(WORDS), DIM, dropout=0.5)
    words, numbers, told, table = story()
    slots = reader.train()(words, numbers, told, table)
    assert not torch.equal(slots[0, 0], slots[0, 2])  # each has a dropout of its own
    slots = reader.eval()(words, numbers, told, table)
    assert torch.equal(slots[0, 0], slots[0, 2])
    assert_close(slots[0, 1], table[words[0]].sum(0))
    assert not slots[1, 1:].any()
    assert reader.hidden == DIM


def test_the_fusion_of_a_short_story_knows_nothing_of_the_slots_behind_it():
    gru = nn.GRU(DIM, 4, bidirectional=True).double()
    reader = SentencesOfStory(BagOfWords(WORDS), DIM, RecurrentEncoder(gru))
    words, numbers, told, table = story()
    slots = reader(words, numbers, told, table)
    assert reader.hidden == 8
    assert_close(
        slots[1, 0], gru(table[words[1]].where(words[1, :, None] > 0, 0.0).sum(0)[None])[0][0]
    )
    assert not slots[1, 1:].any()


def test_words_of_a_story_are_one_sequence_with_an_end_behind_each_sentence():
    gru, end = nn.GRU(DIM, 4).double(), 9
    words, numbers, told, table = story()
    slots = WordsOfStory(gru, end)(words, numbers, told, table)
    spoken, ends = [], []
    for sentence in numbers[0].tolist():
        spoken += [*(word for word in words[sentence].tolist() if word), end]
        ends.append(len(spoken) - 1)
    assert_close(slots[0], gru(table[spoken])[0][ends])
    alone = [*(word for word in words[1].tolist() if word), end]
    assert_close(slots[1, 0], gru(table[alone])[0][-1])


def test_words_of_a_story_are_dropped_in_training_alone():
    gru, told = nn.GRU(DIM, 4).double(), story()
    reader, whole = WordsOfStory(gru, 9, dropout=0.5), WordsOfStory(gru, 9)(*told)
    assert_close(reader.eval()(*told), whole)
    assert not torch.allclose(reader.train()(*told), whole)


# Readers that know where a sentence ends.


def with_holes():
    """Return sentences with nil at their beginning, in their midst and after them, and of nil."""
    return torch.tensor([[0, 3, 0, 5, 2, 0], [7, 0, 0, 0, 0, 0], [0] * 6, [1, 2, 3, 4, 5, 6]])


@pytest.mark.parametrize("kind", [torch.nn.GRU, torch.nn.LSTM])
@pytest.mark.parametrize("both", [False, True], ids=["forth", "forth and back"])
def test_a_recurrent_reader_keeps_the_last_state_of_the_words_that_are_said(kind, both):
    """Of both directions the last of each: nil is passed by, wherever it stands."""
    reader = readers.RecurrentReader(kind(DIM, 4, bidirectional=both)).double()
    tables, words = torch.randn(VOCAB, 2, DIM).double(), with_holes()
    found = reader(words, tables)
    assert found.shape == (4, 2, reader.hidden) == (4, 2, 8 if both else 4)
    for row, table in np.ndindex(4, 2):
        said = words[row][words[row] != 0]
        if not len(said):
            assert not found[row, table].any()
            continue
        hidden = reader.encoder.recurrence(tables[said, table].unsqueeze(1))[1]
        hidden = hidden[0] if kind is torch.nn.LSTM else hidden
        torch.testing.assert_close(found[row, table], hidden.flatten())


def test_a_recurrent_reader_of_no_words_reads_zeros():
    reader, tables = readers.RecurrentReader(torch.nn.GRU(DIM, 4)), torch.randn(VOCAB, 2, DIM)
    for shape in ((3, 0), (0, 5)):
        found = reader(torch.zeros(shape, dtype=torch.long), tables)
        assert found.shape == (shape[0], 2, 4)
        assert not found.any()


def test_where_the_last_word_stands():
    said = with_holes() != 0
    assert readers._last(said).tolist() == [4, 0, 0, 5]
    assert readers._last(said[:, :0]).tolist() == [0, 0, 0, 0]


def test_places_in_a_sentence_of_its_own_length_are_those_of_its_words():
    """Nil words have no place; a sentence of nil is zero, not NaN."""
    reader, tables = readers.OwnLengthPositionEncoding(), torch.randn(VOCAB, 1, DIM).double()
    found = reader(with_holes(), tables)[:, 0]
    assert not found[2].any()
    for row, sentence in enumerate(with_holes().tolist()):
        said = [word for word in sentence if word]
        expected = torch.zeros(DIM).double()
        for j, word in enumerate(said, start=1):
            for k in range(1, DIM + 1):
                m = len(said)
                factor = (1 - j / m) - (k / DIM) * (1 - 2 * j / m)
                expected[k - 1] += factor * tables[word, 0, k - 1]
        torch.testing.assert_close(found[row], expected)


@pytest.mark.parametrize("reader", **NAMES)
def test_places_that_are_fixed_are_those_of_the_reader_and_may_be_learnt_with(reader):
    """A constant made once, for each width and precision; None where a class says otherwise."""
    for like in (torch.zeros(2, DIM), torch.zeros(1, 3).double(), torch.zeros(4, DIM)):
        with torch.inference_mode():
            found = readers.fixed_places(reader(WORDS), like)
        assert found.dtype == like.dtype
        torch.testing.assert_close(found, reader(WORDS).places(like), rtol=0, atol=0)
        assert not found.is_inference()

    class Other(reader):
        pass

    assert readers.fixed_places(Other(WORDS), torch.zeros(1, DIM)) is None


@pytest.mark.parametrize("reader", **NAMES)
def test_a_sentence_as_long_as_can_be_is_read(reader):
    words, tables = torch.ones(1, WORDS, dtype=torch.long), torch.randn(VOCAB, 1, DIM)
    total = (reader(WORDS).places(tables) * tables[1]).sum(0)
    torch.testing.assert_close(reader(WORDS)(words, tables)[0, 0], total)


def test_words_of_a_story_are_dropped_in_training_only_and_each_by_itself():
    gru = nn.GRU(DIM, 4)
    reader, (words, numbers, told, table) = WordsOfStory(gru, 9, dropout=0.5), story()
    table, seen = table.float(), []
    reader.encoder.register_forward_pre_hook(lambda _, given: seen.append(given[0]))
    reader(words, numbers, told, table)
    assert ((seen[0] == 0) & (seen[0] != 0).any(-1, keepdim=True)).any()
    kept = seen[0] != 0
    whole = reader.eval()(words, numbers, told, table)
    assert_close(seen[0][kept], 2 * seen[1][kept])
    assert torch.equal(whole, WordsOfStory(gru, 9)(words, numbers, told, table))
    assert WordsOfStory(gru, 9).dropout.p == SentencesOfStory(BagOfWords(3), 2).dropout.p == 0.0


@pytest.mark.parametrize(
    "make",
    [
        lambda: WordsOfStory(nn.GRU(DIM, 4).double(), 9),
        lambda: SentencesOfStory(BagOfWords(WORDS), DIM),
    ],
)
def test_what_stands_in_a_slot_that_tells_nothing_does_not_matter(make):
    """Not even a number that no sentence has."""
    reader, (words, numbers, told, table) = make(), story()
    expected = reader(words, numbers, told, table)
    for number in (99, -1):
        assert torch.equal(reader(words, numbers.masked_fill(~told, number), told, table), expected)
