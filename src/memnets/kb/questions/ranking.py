"""Which relation a question asks for, of those that a name has: a ranker that was trained on this.

It was trained, by `python -m tools.ranker`, on questions that were written for invented tables of
many kinds (`examples/phrasings`). None of these is one of `examples/strangers`.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from threading import Lock, Thread

import numpy as np

from memnets.kb.questions.sentences import Array, SentenceEncoder
from memnets.kb.values.typed import Kind
from memnets.mapped import tensors_of

FOLDER, HEAD = "ranker", "head.safetensors"
"""The ranker of this package, and in it what follows the encoder."""
FORWARDS, BACKWARDS, PATHS = range(3)
"""Relations that lead from a name, those that lead to it, and several, one after the other."""
OBJECTS = 3
"""Of a relation that are told of it."""
LETTERS = 30
"""Of each of them."""
SAID: Mapping[Kind, str] = {
    "link": "one", "text": "name", "number": "number", "date": "date", "yes or no": "yes"
}  # fmt: skip
"""What a relation's objects are, in words."""


class RelationRanker:
    r"""Tells how strongly a question asks for a relation, in each direction, or for several.

    Both are encoded alone, to $e(\cdot)$ of length 1 (Reimers and Gurevych 2019, as bi-encoder).
    Of several relations, each of which is asked of what the one before gives,

    $$e(r_1 \ldots r_n) = \frac{v}{\lVert v \rVert},
      \quad v = e(r_n) + H e(r_1 \ldots r_{n-1}) + c,
      \qquad s(q, r) = \tau\, e(q)^\top e(r) + b,$$

    with a $b$ for relations forwards, one for those backwards, and one for several. $s$ is the
    logarithm of how much likelier it is asked than none: the softmax of all $s$ and 0 was trained.

    Args:
        encoder: of questions and relations.
        head: the weights $H$ ("hop.weight"), $c$ ("hop.bias"), $\tau$ ("scale") and the three $b$
            ("biases").
        fingerprint: tells it from others, of which other vectors are.
    """

    def __init__(
        self, encoder: SentenceEncoder, head: Mapping[str, Array], fingerprint: str = ""
    ) -> None:
        self.encoder, self.head, self.fingerprint = encoder, head, fingerprint

    def encode(self, texts: Sequence[str]) -> Array:
        """Return the vectors of questions, which say "it" for what they name, or of relations.

        Args:
            texts: for a relation as `asking` returns them.
        """
        return self.encoder.encode(texts)

    def hop(self, first: Array, second: Array) -> Array:
        """Return the vectors (N, D) of relations that are asked of what others lead to."""
        both: Array = second + first @ self.head["hop.weight"].T + self.head["hop.bias"]
        return both / np.linalg.norm(both, axis=1, keepdims=True)

    def strengths(self, question: Array, vectors: Array, kinds: Sequence[int]) -> Array:
        """Return how strongly a question asks for what some vectors stand for.

        Args:
            question: its vector (D).
            vectors: of relations (N, D).
            kinds: `FORWARDS`, `BACKWARDS` or `PATHS` for each.
        """
        strengths: Array = self.head["scale"] * (vectors @ question) + self.head["biases"][kinds]
        return strengths


def asking(name: str, kind: Kind, objects: Sequence[str]) -> tuple[str, str]:
    """Return plain questions for a relation of a name, and for what has the name as relation."""
    shown = " ".join(one[:LETTERS] for one in objects[:OBJECTS]).lower().replace(",", " ")
    return " ".join(f"what is its {name} {SAID[kind]} {shown}".split()), f"which have it as {name}"


_reading = Lock()


def ranker() -> RelationRanker:
    """Return the ranker that is part of this package; it is read once, or waited for."""
    with _reading:
        return _packed()


def read_ahead() -> None:
    """Begin to read the ranker and its weights in a thread, while others are imported or opened."""
    Thread(target=_read).start()


def _read() -> None:
    with _reading:
        _packed().encoder.weights  # noqa: B018, they are read when they are first asked for


@cache
def _packed() -> RelationRanker:
    folder = Path(__file__).parent / FOLDER
    weights, _ = tensors_of(folder / HEAD)
    head = {name: one.astype(np.float32) for name, one in weights.items()}
    encoder = SentenceEncoder(folder)
    return RelationRanker(encoder, head, encoder.config["fingerprint"])
