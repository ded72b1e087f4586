"""Layer-wise MemN2N is a recurrent network whose input is what the attention chose to read."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.testing import assert_close

from memnets.layers import CentredPositionEncoding
from memnets.models.memn2n import LayerWise, MemN2N

VOCAB, SLOTS, DIM, HOPS = 17, 7, 5, 3


def test_the_hops_are_the_steps_of_torchs_rnn_cell():
    reader = CentredPositionEncoding(words=5)
    model = MemN2N(VOCAB, reader, SLOTS, DIM, HOPS, LayerWise(), activation=nn.ReLU()).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_()
    sentences, story = torch.randint(1, VOCAB, (SLOTS, 4)), torch.arange(SLOTS)[None]
    time, question = torch.arange(SLOTS, 0, -1)[None], torch.randint(1, VOCAB, (1, 3))
    reply = model(sentences, story, time, question)
    keys, values, _ = model.remember(sentences, story, time)[0].laid_out()

    cell = nn.RNNCell(SLOTS, DIM, bias=False, nonlinearity="relu").double()
    with torch.no_grad():
        cell.weight_ih.copy_(values[0].T)  # U of the RNN is C: the contents that are read
        cell.weight_hh.copy_(model.carry.weight)  # W of the RNN is H
    tables = model.tables
    state = reader(F.pad(question, (0, 1)), tables[:, 2:3]).squeeze(1)
    state = state + reader.place(4, tables) * tables[0, 2]  # nil stands in the fourth place
    for hop in range(HOPS):
        read = (state @ keys[0].T).softmax(-1)  # the internal output, p, is the next input
        assert_close(reply.hops[hop].weights.squeeze(1), read)
        state = cell(read, state)
    assert_close(reply.logits, state @ tables[:, 3].T)  # the external output
