"""A memory that follows paths: by loops, and what a walk may never do."""

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from memnets.memories.frontiers import FactMemory
from memnets.models.kv_paths import SPREAD, KVPaths, example, with_stop

# 0 leads to 1 and 2 by slot 0, these to 3 by slot 1 and back by slot 2; 3 leads on by slot 0.
FACTS = [(0, 0, 1), (0, 0, 2), (1, 1, 3), (2, 1, 3), (1, 2, 0), (2, 2, 0), (3, 0, 4), (4, 0, 5)]
STOP = 4


@pytest.fixture
def model():
    torch.manual_seed(3)
    model, _ = example()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter))
    return model.double().eval()


@pytest.fixture
def memory():
    return FactMemory.of(torch.tensor(FACTS), 7, 4)


def asked():
    return example()[1][:3]


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def follow(state, key, query):
    """The GRU's cell, as torch has it."""
    into = state["carry.weight_ih"] @ key + state["carry.bias_ih"]
    inner = state["carry.weight_hh"] @ query + state["carry.bias_hh"]
    (ir, iz, inew), (hr, hz, hnew) = np.split(into, 3), np.split(inner, 3)
    update = sigmoid(iz + hz)
    return (1 - update) * np.tanh(inew + sigmoid(ir + hr) * hnew) + update * query


def test_scores_along_a_path_are_those_of_loops(model):
    inputs = list(example()[1])
    inputs[4][0, 1, 1] = inputs[4][1, 0, 0] = False
    found = model(*inputs).detach().numpy()
    question, _ = model.read(*inputs[:3])
    state = {name: tensor.numpy() for name, tensor in model.state_dict().items()}
    for row, length in enumerate(inputs[2].tolist()):
        words, query = question.words[row, :length].detach().numpy(), state["first"]
        for hop, chosen in enumerate(inputs[3][row].tolist()):
            match = np.exp(
                [query @ state["attention.score.weight.weight"] @ word for word in words]
            )
            read = (match / match.sum()) @ words
            joined = state["join.weight"] @ np.concatenate([query, read]) + state["join.bias"]
            query = np.tanh(joined)
            expected = state["keys"] @ query
            expected[~inputs[4][row, hop].numpy()] = -np.inf
            np.testing.assert_allclose(found[row, hop], expected, rtol=1e-10)
            query = follow(state, state["keys"][chosen], query)


@pytest.mark.parametrize("seed", range(8))
def test_a_walk_takes_slots_that_are_there_and_never_returns(model, memory, seed):
    torch.manual_seed(seed)
    with torch.no_grad():
        model.keys.normal_()
    topics = torch.tensor([0, 3])
    frontier, hops = model.walk(*asked(), memory, topics, 3)
    for hop in hops:
        hashed = memory.hashed(hop.frontier)
        for row, slot in enumerate(hop.chosen.tolist()):
            assert slot == STOP or hashed[row, slot]
    assert not (hops[0].chosen == STOP).any()
    assert not (frontier.entities.items == topics[frontier.entities.owners()]).any()
    ended = torch.stack([hop.chosen == STOP for hop in hops]).long()
    assert (ended.diff(dim=0) >= 0).all()


def test_where_a_walk_leads_does_not_depend_on_when_the_others_end(model, memory):
    words, sentence, length = asked()
    topics, apart = torch.tensor([0, 3]), 0
    for _ in range(12):
        with torch.no_grad():
            model.keys.normal_()
        both, hops = model.walk(words, sentence, length, memory, topics, 3)
        apart += any(bool((hop.chosen == STOP).sum() == 1) for hop in hops)
        for row in range(2):
            some = slice(row, row + 1)
            alone, _ = model.walk(words, sentence[some], length[some], memory, topics[some], 3)
            assert alone.entities.row(0) == both.entities.row(row)
    assert apart >= 3


def test_a_known_number_of_hops_is_made_where_there_are_facts(model, memory):
    topics = torch.tensor([3, 4])
    _, hops = model.walk(*asked(), memory, topics, 3, stops=False)
    # From 3 to 4 and 5, from 4 to 5, behind which there is nothing.
    assert [(hop.chosen == STOP).tolist() for hop in hops] == [
        *([False, False], [False, True], [True, True])
    ]
    _, hops = model.walk(*asked(), memory, topics, 1, stops=False)
    assert len(hops) == 1


def test_nobody_has_no_slot_and_stops_at_once(model, memory):
    frontier, hops = model.walk(*asked(), memory, torch.tensor([6, 6]), 3)
    assert len(hops) == 1
    assert frontier.first().tolist() == [6, 6]


def test_embeddings_are_drawn_between_two_bounds_and_biases_are_zero():
    model, _ = example()
    model.reset_parameters(torch.Generator().manual_seed(0))
    for drawn in (model.embedding, model.first):
        assert drawn.min() < 0 < drawn.max()
        assert drawn.abs().max() <= SPREAD
        assert drawn.unique().numel() == drawn.numel()
    assert not model.join.bias.any()


def test_the_stop_stands_last():
    hashed = torch.tensor([[True, False], [False, False], [True, True]])
    ended = torch.tensor([False, False, True])
    assert with_stop(hashed, ended, False).int().tolist() == [[1, 0, 0], [0, 0, 1], [0, 0, 1]]
    assert with_stop(hashed, ended, True).int().tolist() == [[1, 0, 1], [0, 0, 1], [0, 0, 1]]


def test_the_first_queries_are_learnt_and_alike(model):
    question, query = model.read(*asked())
    assert_close(query[0], model.first)
    assert question.told.tolist() == [[True] * 4, [True, True, False, False]]


def test_what_no_network_can_be_built_of_is_refused(model):
    with pytest.raises(ValueError, match=r"KVPaths\(slots=0\)"):
        KVPaths(9, 5, model.reader, model.attention, 6, 0)
