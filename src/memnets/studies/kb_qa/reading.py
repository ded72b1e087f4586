"""Read for one question what a model has learnt: in PyTorch, or in NumPy where that will do.

A question is read in a few products of small arrays, and importing torch for that takes ten times
as long as answering.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from memnets.models.kv_memnn import KVMemNN

Bags = Sequence[Sequence[int]]
Floats = NDArray[np.floating]


@runtime_checkable
class ReadsOne(Protocol):
    """Reads for one question that may read every slot."""

    def read_one(self, question: Sequence[int], keys: Bags, values: Bags) -> tuple[Floats, Floats]:
        """Return the score of each value, and how much each hop read; see `KVMemNN.read_one`."""


class ByTorch:
    """Reads with the model itself, wherever it is.

    Args:
        model: a trained one.
    """

    def __init__(self, model: "KVMemNN") -> None:
        self._model = model

    def read_one(self, question: Sequence[int], keys: Bags, values: Bags) -> tuple[Floats, Floats]:
        import torch

        with torch.inference_mode():
            scores, hops = self._model.read_one(question, keys, values)
        return scores.numpy(force=True), hops.numpy(force=True)


class ByNumPy:
    """Reads with the weights of a model, in float64 and without torch: the twin of `ByTorch`.

    Args:
        weights: of a `KVMemNN` as `KVModel` builds it, by name.
        dim: width of every embedding.
        hops: how often the facts are read.

    Raises:
        ValueError: a weight is missing, or of another shape.
    """

    def __init__(self, weights: Mapping[str, Any], words: int, dim: int, hops: int) -> None:
        shapes: dict[str, tuple[int, ...]] = {"table": (words, dim)}
        for hop in range(hops):
            shapes |= {f"carry.{hop}.weight": (dim, dim), f"carry.{hop}.bias": (dim,)}
        came = {name: weight.shape for name, weight in weights.items()}
        if came != shapes:
            raise ValueError(f"the weights are {came}; expected {shapes}. Train anew.")
        self._table = weights["table"]
        self._carry = [
            tuple(weights[f"carry.{hop}.{part}"].astype(np.float64) for part in ("weight", "bias"))
            for hop in range(hops)
        ]

    def read_one(self, question: Sequence[int], keys: Bags, values: Bags) -> tuple[Floats, Floats]:
        bags = self._embedded([question, *keys, *values])
        state, found, read = bags[0], bags[1 : len(keys) + 1], bags[len(keys) + 1 :]
        hops = []
        for weight, bias in self._carry:
            hops.append(softmax(found @ state))
            state = weight @ (state + hops[-1] @ read) + bias
        return read @ state, np.stack(hops)

    def _embedded(self, bags: Bags) -> Floats:
        r"""Return $A \Phi$ of bags: the sum of their words, over the root of how many these are."""
        lengths = np.array([*map(len, bags)])
        words = self._table[np.fromiter(chain.from_iterable(bags), np.int64, lengths.sum())]
        summed = np.zeros((len(bags), self._table.shape[1]))
        some = lengths > 0
        starts = np.cumsum(lengths) - lengths
        summed[some] = np.add.reduceat(words, starts[some], axis=0, dtype=np.float64)
        return summed / np.sqrt(np.maximum(lengths, 1))[:, None]


def softmax(scores: Floats) -> Floats:
    """Return the shares of some scores."""
    shares: Floats = np.exp(scores.astype(np.float64) - scores.max())
    return shares / shares.sum()
