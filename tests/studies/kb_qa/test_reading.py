"""What was learnt is read in NumPy as it is in PyTorch."""

import numpy as np
import pytest
import torch

from memnets.models.kv_memnn import KVMemNN
from memnets.studies.kb_qa.reading import ByNumPy, ByTorch, softmax

QUESTION = (1, 5, 5, 16)
KEYS = [(0,), (2, 3), (2, 4, 7), ()]
VALUES = [(0,), (8, 9), (10,), (11, 12, 13)]


@pytest.fixture
def model() -> KVMemNN:
    model = KVMemNN(vocab=17, dim=11, hops=3)
    with torch.no_grad():
        for carry in model.carry:
            carry.weight.add_(0.2 * torch.randn(11, 11))
            carry.bias.normal_()
    return model


def weights_of(model: KVMemNN) -> dict[str, np.ndarray]:
    return {name: weight.detach().numpy() for name, weight in model.named_parameters()}


@pytest.mark.parametrize("question", [QUESTION, (3,), ()])
def test_numpy_reads_what_torch_reads(model, question):
    scores, hops = ByNumPy(weights_of(model), 17, 11, 3).read_one(question, KEYS, VALUES)
    wanted, wanted_hops = ByTorch(model).read_one(question, KEYS, VALUES)
    np.testing.assert_allclose(scores, wanted, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(hops, wanted_hops, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(hops.sum(1), np.ones(3))


def test_a_planted_fault_is_seen(model):
    reader = ByNumPy(weights_of(model), 17, 11, 3)
    reader._carry[1] = (reader._carry[1][0].T, reader._carry[1][1])
    scores, _ = reader.read_one(QUESTION, KEYS, VALUES)
    assert not np.allclose(scores, ByTorch(model).read_one(QUESTION, KEYS, VALUES)[0], atol=1e-3)


def test_shares_of_large_scores_are_finite():
    np.testing.assert_allclose(softmax(np.array([1e4, 1e4, -1e4])), [0.5, 0.5, 0])


@pytest.mark.parametrize("change", [{"words": 16}, {"dim": 12}, {"hops": 2}])
def test_weights_of_another_shape_are_refused(model, change):
    with pytest.raises(ValueError, match=r"the weights are .*; expected .*Train anew"):
        ByNumPy(weights_of(model), **({"words": 17, "dim": 11, "hops": 3} | change))
