"""Sentences as slots: numbers, batches, and words that are forgotten."""

import torch

from memnets.tasks.word_slots import UNKNOWN, WordSlots, WordVocabulary

KNOWN = WordVocabulary(["a", "b", "c"])


def slots(*sentences):
    return WordSlots.of([one.split() for one in sentences], KNOWN.parts, KNOWN.parts_unknown)


def test_words_have_numbers_and_all_others_are_one():
    assert [KNOWN[word] for word in ("a", "c", "x")] == [2, 4, UNKNOWN]
    assert len(KNOWN) == 5
    assert ("b" in KNOWN, "x" in KNOWN) == (True, False)


def test_sentences_are_filled_up():
    found = slots("a b a", "x", "")
    assert found.length.tolist() == [3, 1, 0]
    assert found.sentence.tolist() == [[0, 1, 0], [2, 0, 0], [0, 0, 0]]
    assert found.words.flatten().tolist() == [2, 3, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN]


def test_there_may_be_no_sentences():
    none = slots()
    assert (none.words.shape, none.sentence.shape, none.length.tolist()) == ((0, 0), (0, 0), [])
    assert none.take(none.length).sentence.shape == (0, 0)
    assert slots("a b", "c").take(none.length).sentence.shape == (0, 0)  # and none may be taken


def test_a_batch_is_cut_to_its_longest():
    some = slots("a b a", "x", "b c").take(torch.tensor([2, 1]))
    assert some.sentence.tolist() == [[1, 3], [2, 0]]
    assert some.length.tolist() == [2, 1]


def test_a_share_of_the_words_is_forgotten():
    found = slots(*["a b c"] * 500)
    some = found.forgetful(0.3, torch.Generator().manual_seed(0))
    gone = some.sentence >= 3
    assert torch.equal(some.sentence, found.sentence + 3 * gone)
    assert 0.25 < gone.double().mean() < 0.35
    assert (some.words[some.sentence[gone]] == UNKNOWN).all()
    again = found.forgetful(0.3, torch.Generator().manual_seed(0))
    assert torch.equal(some.sentence, again.sentence)
    assert found.forgetful(0.0, torch.Generator()) is found
