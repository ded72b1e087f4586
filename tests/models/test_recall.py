"""The small model of recall: embeddings, a core, answers."""

import pytest
import torch
from torch.testing import assert_close

from memnets.layers.recurrent import LSTM
from memnets.models.recall import Recall, example


def steps(keys: int, values: int):
    torch.manual_seed(3)
    return torch.randint(keys + 1, (3, 13)), torch.randint(values + 1, (3, 13))


def test_it_answers_from_the_cores_output():
    model = Recall(LSTM(5, 7), keys=11, values=3, answers=3, dim=5, hidden=7)
    keys, values = steps(11, 3)
    x = model.key_embedding.weight[keys] + model.value_embedding.weight[values]
    output, state = model.core(x, model.core.init_state(3))
    reply = model(keys, values)
    assert_close(reply.logits, output @ model.answer_weight.weight.T + model.answer_weight.bias)
    assert_close(reply.state, state)


def test_what_is_not_shown_adds_nothing():
    model, _ = example()
    none = torch.full((1, 1), 11), torch.full((1, 1), 3)
    assert not model.embed(*none).any()
    key = model.embed(torch.tensor([[4]]), none[1])
    assert_close(key[0, 0], model.key_embedding.weight[4])


@pytest.mark.parametrize("kind", ["cran", "lstm"])
def test_windows_add_up_to_the_whole(kind):
    model, _ = example()
    if kind == "lstm":
        model = Recall(LSTM(5, 7), keys=11, values=3, answers=3, dim=5, hidden=7)
    keys, values = steps(11, 3)
    whole = model(keys, values)
    first = model(keys[:, :5], values[:, :5])
    then = model(keys[:, 5:], values[:, 5:], first.state)
    assert_close(torch.cat([first.logits, then.logits], 1), whole.logits)


@pytest.mark.parametrize("name", ["keys", "values", "answers", "dim", "hidden"])
def test_a_size_of_zero_is_refused(name):
    sizes = {"keys": 11, "values": 3, "answers": 3, "dim": 5, "hidden": 7, name: 0}
    with pytest.raises(ValueError, match=rf"Recall\({name}=0\): expected at least 1"):
        Recall(LSTM(5, 7), **sizes)


def test_every_number_is_that_of_its_own_table():
    """One more key and value, for none; answers need not be values."""
    model = Recall(LSTM(5, 7), keys=11, values=4, answers=3, dim=5, hidden=7)
    tables = (model.key_embedding, model.value_embedding, model.answer_weight)
    assert [tuple(table.weight.shape) for table in tables] == [(12, 5), (5, 5), (3, 7)]
    assert (model.key_embedding.padding_idx, model.value_embedding.padding_idx) == (11, 4)
    assert model(*steps(11, 4)).logits.shape == (3, 13, 3)
