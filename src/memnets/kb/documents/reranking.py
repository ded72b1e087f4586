"""Attention over the sentences that were found: how likely each is the one that answers.

A candidate's score is a weighted sum of its clues, and the weights of candidates are their softmax,
learnt so that the right sentence gets much. The loss is convex, so that the same questions give the
same weights whatever they begin from.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnets.kb.documents.clues import Asked, Candidate, Clues, clues

DECAY = 0.1
"""How far weights are kept small; chosen with each file of questions left out in turn."""
STEPS, SMALLEST = 100, 1e-9
"""Newton's method ends after so many steps, or where one gains less."""


class Example(NamedTuple):
    """The clues of a question's candidates, and which of these is the answer."""

    clues: NDArray[np.float64]
    """A row a candidate."""
    right: int


class Reranker(NamedTuple):
    """Weighs candidates by their clues."""

    weights: Clues

    def weigh(self, asked: Asked, candidates: Sequence[Candidate]) -> NDArray[np.float64]:
        """Return how much of the attention each candidate gets, one together."""
        return softmax(clues(asked, candidates) @ np.array(self.weights))


def softmax(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what adds up to one; nothing of nothing."""
    if not len(scores):
        return scores
    raised = np.exp(scores - scores.max())
    return np.asarray(raised / raised.sum())


def fit(examples: Iterable[Example], decay: float = DECAY) -> Clues:
    """Return the weights under which right sentences get most, by Newton's method.

    $$ L(w) = \\sum_q \\big(\\ln \\sum_i e^{w \\cdot c_{qi}} - w \\cdot c_{q,right}\\big)
              + \\frac{\\lambda}{2} |w|^2 $$

    Args:
        examples: of questions whose answer is among the candidates.
        decay: $\\lambda$.

    Raises:
        ValueError: there are no examples, or the decay is not above 0.
    """
    learnt = list(examples)
    if not learnt or decay <= 0:
        raise ValueError(
            f"fit: {len(learnt)} examples and a decay of {decay}; expected one example at least "
            f"and a decay above 0. Pass questions whose answer is found."
        )
    weights = np.zeros(len(Clues._fields))
    loss = _loss(learnt, weights, decay)
    for _ in range(STEPS):
        step, slope = _step(learnt, weights, decay)
        size, new = 1.0, _loss(learnt, weights - step, decay)
        while new > loss - 1e-4 * size * slope and size > SMALLEST:
            size /= 2
            new = _loss(learnt, weights - size * step, decay)
        if loss - new < SMALLEST:
            break
        weights, loss = weights - size * step, new
    return Clues(*weights.tolist())


def _loss(examples: Iterable[Example], weights: NDArray[np.float64], decay: float) -> float:
    total = decay / 2 * float(weights @ weights)
    for one in examples:
        scores = one.clues @ weights
        total += float(np.log(np.exp(scores - scores.max()).sum()) + scores.max())
        total -= float(scores[one.right])
    return total


def _step(
    examples: Iterable[Example], weights: NDArray[np.float64], decay: float
) -> tuple[NDArray[np.float64], float]:
    """Return Newton's step, and how much the loss falls along it at first."""
    gradient = decay * weights
    curvature = decay * np.eye(len(weights))
    for one in examples:
        share = softmax(one.clues @ weights)
        mean = share @ one.clues
        gradient = gradient + mean - one.clues[one.right]
        curvature += (one.clues * share[:, None]).T @ one.clues - np.outer(mean, mean)
    step = np.asarray(np.linalg.solve(curvature, gradient), np.float64)
    return step, float(gradient @ step)


LEARNT = Reranker(
    Clues(
        score=4.437,
        headings=1.941,
        title=6.343,
        whole=3.735,
        previous=1.554,
        next=1.067,
        around=2.894,
        related=6.376,
        related_above=9.061,
        opens=0.413,
        refers=0.449,
        small=0.658,
        length=-0.48,
        fits=1.504,
    )
)
"""What the questions of `examples/documents/choosing.tsv` and `learning.tsv` teach
(`python -m tools.reranking`)."""
