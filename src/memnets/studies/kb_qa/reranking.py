"""Which of the answers that may be given is right, or none: networks that were trained on this.

They were trained, by `python -m tools.weighing`, on questions that were typed for this, about
knowledge bases that no table reports.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from memnets.kb.questions.sentences import Array
from memnets.mapped import tensors_of
from memnets.studies.kb_qa.reading import Floats, softmax

WEIGHTS = Path(__file__).with_name("reranker.safetensors")
"""Of the networks of this package."""
WITHIN = 4.0
"""So many standard deviations from its mean a clue counts at most."""


class AnswerReranker:
    r"""Tells how likely each answer is right by its clues $x_i$, and those of the question, $q$.

    $$p_i = \frac{e^{s_i}}{\sum_{j=0}^n e^{s_j}},
      \qquad s_i = v^\top h_i, \quad h_i = \max(0, W [x_i; q] + b),
      \qquad s_0 = u^\top \max(0, U [q; \max_i h_i] + c),$$

    where $s_0$ stands for none. Several networks that began from other weights are asked, and the
    mean of their $p$ is told. Clues count in standard deviations from their means, four at most.

    Args:
        weights: "mean" and "deviation" (F + Q) of the clues, and for each of E networks $W$
            ("hidden", (E, F + Q, H)), $b$ ("bias", (E, H)), $v$ ("out", (E, H)), $U$
            ("none.hidden", (E, Q + H, H)), $c$ ("none.bias", (E, H)) and $u$ ("none.out", (E, H)).
    """

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self.weights = weights

    def probabilities(self, answers: Array, question: Array) -> Floats:
        """Return how likely each answer is the right one.

        Args:
            answers: their clues (N, F); of one at least.
            question: its clues (Q).
        """
        w = self.weights
        x = np.concatenate([answers, np.broadcast_to(question, (len(answers), len(question)))], 1)
        x = ((x - w["mean"]) / w["deviation"]).clip(-WITHIN, WITHIN)
        h = np.maximum(x @ w["hidden"] + w["bias"][:, None], 0)
        asked = np.broadcast_to(x[0, answers.shape[1] :], (len(h), len(question)))
        most = np.concatenate([asked, h.max(1)], 1)[:, None]
        none = np.maximum(most @ w["none.hidden"] + w["none.bias"][:, None], 0)
        scores = np.concatenate([h @ w["out"][..., None], none @ w["none.out"][..., None]], 1)
        told: Floats = np.mean([softmax(one) for one in scores[..., 0]], 0)[:-1]
        return told


@cache
def reranker() -> AnswerReranker:
    """Return the one of this package; it is loaded once."""
    return AnswerReranker(tensors_of(WEIGHTS)[0])
