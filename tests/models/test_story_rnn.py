"""The recurrent baseline answers after the last word of a question, and from what it read."""

import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

from memnets.models.story_rnn import StoryRNN, example


def test_it_is_the_nets_equations_one_word_at_a_time():
    model = StoryRNN(13, nn.RNN(3, 5, batch_first=True)).double()
    words, place = torch.randint(1, 13, (2, 11)), torch.tensor([[2, 7, 10], [4, 4, 6]])
    found = model(words, place).detach().numpy()
    weight = {name: part.detach().numpy() for name, part in model.named_parameters()}
    for row in range(2):
        state, states = np.zeros(5), []
        for word in words[row].tolist():
            state = np.tanh(
                weight["recurrence.weight_ih_l0"] @ weight["embedding.weight"][word]
                + weight["recurrence.bias_ih_l0"]
                + weight["recurrence.weight_hh_l0"] @ state
                + weight["recurrence.bias_hh_l0"]
            )
            states.append(weight["answer.weight"] @ state + weight["answer.bias"])
        expected = [states[when] for when in place[row].tolist()]
        np.testing.assert_allclose(found[row], expected, rtol=1e-10)


def test_what_comes_after_a_question_does_not_matter():
    model, (words, place) = example()
    later = words.clone()
    later[:, 8:] = 1 + later[:, 8:] % 12
    assert_close(model(later, place)[:, 0], model(words, place)[:, 0], rtol=0, atol=0)
    assert not torch.equal(model(later, place)[:, 2], model(words, place)[:, 2])


def test_one_word_is_no_language():
    with pytest.raises(ValueError, match=r"StoryRNN\(vocab=1\): expected at least 2"):
        StoryRNN(1, nn.RNN(3, 5, batch_first=True))


@pytest.mark.parametrize(
    "net",
    [nn.RNN(3, 5), nn.LSTM(3, 5, batch_first=True, bidirectional=True)],
    ids=["time first", "both ends"],
)
def test_a_net_that_reads_otherwise_is_refused(net):
    with pytest.raises(ValueError, match=r"StoryRNN\(recurrence=.*\): expected one direction"):
        StoryRNN(13, net)


def test_every_word_may_be_the_answer_and_no_other_number():
    model = StoryRNN(13, nn.LSTM(3, 5, num_layers=2, batch_first=True))
    assert model.embedding.weight.shape == (13, 3)
    assert model.answer.weight.shape == (13, 5)
    words, place = torch.randint(1, 13, (2, 11)), torch.tensor([[2, 7, 10], [4, 4, 6]])
    states = model.recurrence(model.embedding(words))[0]  # those of the last layer
    expected = model.answer(states[torch.arange(2)[:, None], place])
    assert_close(model(words, place), expected)
