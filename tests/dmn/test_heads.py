"""Answers: known as a whole, or said word by word."""

import pytest
import torch
from torch.testing import assert_close

from memnets.models.dmn import Decoder, OneAnswer

HIDDEN, VOCAB, END = 5, 9, 1


def given(rows=3):
    return torch.randn(rows, HIDDEN), torch.randn(rows, HIDDEN)


def test_teaching_equals_saying_where_the_right_words_are_said():
    """List 16: the scores of each word are the same when its own words are taught."""
    head, (memory, question) = Decoder(HIDDEN, VOCAB, END, longest=4), given()
    scores = head(memory, question)
    assert_close(head.taught(memory, question, scores.argmax(-1)), scores)


def test_the_end_ends_an_answer():
    """List 16: what a decoder says after it is nothing."""
    head = Decoder(HIDDEN, VOCAB, END, longest=4)
    said = torch.tensor([[3, END, 4, END], [END, 2, 2, 2], [2, 3, 4, 5]])
    words = head.words(torch.nn.functional.one_hot(said, VOCAB).float())
    assert words.tolist() == [[3, END, -1, -1], [END, -1, -1, -1], [2, 3, 4, 5]]


def test_an_answer_of_several_words_is_learnt():
    """List 16: it round-trips, and one word beside it."""
    torch.manual_seed(0)
    head, (memory, question) = Decoder(HIDDEN, VOCAB, END, longest=3), given(2)
    right = torch.tensor([[4, 7, END], [7, END, -1]])
    optimizer = torch.optim.Adam(head.parameters(), lr=0.05)
    for _ in range(150):
        optimizer.zero_grad()
        head.loss(memory, question, right).sum().backward()
        optimizer.step()
    assert head.words(head(memory, question)).tolist() == right.tolist()


def test_the_loss_is_that_of_all_words_up_to_the_end():
    head, (memory, question) = Decoder(HIDDEN, VOCAB, END, longest=3), given()
    right = torch.tensor([[4, 7, END], [7, END, -1], [-2, END, -1]])
    likely = head.taught(memory, question, right).log_softmax(-1)
    expected = [
        -sum(likely[row, place, word] for place, word in enumerate(words) if word >= 0)
        for row, words in enumerate(right.tolist())
    ]
    assert_close(head.loss(memory, question, right), torch.stack(expected))


def test_one_answer_is_a_layer_over_question_and_memory():
    head, (memory, question) = OneAnswer(HIDDEN, answers=4, dropout=0.5).eval(), given()
    expected = torch.cat([question, memory], -1) @ head.choice.weight.mT + head.choice.bias
    assert_close(head(memory, question).squeeze(1), expected)
    assert head.words(head(memory, question)).shape == (3, 1)
    unknown = head.loss(memory, question, torch.tensor([[0], [-2], [3]]))
    assert unknown[1] == 0
    assert (unknown[[0, 2]] > 0).all()


def test_a_word_that_is_none_says_nothing_to_the_word_after_it():
    """As at the beginning: not even that it was the word of number 0."""
    head, (memory, question) = Decoder(HIDDEN, VOCAB, END, longest=3), given(1)
    scores = head.taught(memory, question, torch.tensor([[-2, 4]]))
    state = memory
    for place in range(2):
        state = head.cell(torch.cat([torch.zeros(1, VOCAB), question], -1), state)
        assert_close(scores[:, place], head.choice(state))


def test_dropout_stands_before_the_choice_and_in_training_only():
    """A decoder carries its states whole: what is dropped of one is there for the next word."""
    memory, question = given(7)
    one = OneAnswer(HIDDEN, 4, dropout=1.0)
    assert_close(one(memory, question)[:, 0], one.choice.bias.expand(7, 4))
    assert (one.eval()(memory, question)[:, 0] != one.choice.bias).any(-1).all()
    head = Decoder(HIDDEN, VOCAB, END, longest=3, dropout=1.0)
    said = torch.randint(0, VOCAB, (7, 3))
    assert not head(memory, question).any()
    assert not head.taught(memory, question, said).any()
    states = []
    head.cell.register_forward_hook(lambda _, given, state: states.append((given[1], state)))
    head.taught(memory, question, said)
    assert torch.equal(states[1][0], states[0][1])
    assert head.eval()(memory, question).all()
    for part in (one, head):
        assert part.dropout.p == 1.0
    assert OneAnswer(HIDDEN, 4).dropout.p == Decoder(HIDDEN, VOCAB, END, 3).dropout.p == 0.0


def test_a_decoder_has_another_word_than_its_end():
    with pytest.raises(ValueError, match=r"Decoder\(vocab=1\): expected at least 2. The end is"):
        Decoder(HIDDEN, 1, 0, longest=4)
