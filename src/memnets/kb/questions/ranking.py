"""Which relation a question asks for, of those that a name has: a ranker that was trained on this.

It was trained, by `python -m tools.ranker`, on questions that were written for invented tables of
many kinds (`examples/phrasings`). None of these is one of `examples/strangers`.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np

from memnets.kb.questions.sentences import Array, SentenceEncoder
from memnets.kb.values.typed import Kind

SMALL, LARGE = "small", "large"
"""The folders of the ranker of this package, and of what makes one of all-MiniLM-L6-v2."""
HEAD, CHANGES = "head.safetensors", "changes.safetensors"
"""What follows the encoder, and what is added to weights of the network."""
BASE = "base"
"""The first weights of that network, to tell it from others."""
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
        large: whether it is the one that is not part of this package.
    """

    def __init__(
        self, encoder: SentenceEncoder, head: Mapping[str, Array], large: bool = False
    ) -> None:
        self.encoder, self.head, self.large = encoder, head, large

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


@cache
def small_ranker() -> RelationRanker:
    """Return the ranker that is part of this package; it is loaded once."""
    return RelationRanker(SentenceEncoder(_own() / SMALL), _head(_own() / SMALL / HEAD))


def large_ranker(folder: Path) -> RelationRanker:
    """Return a ranker that is all-MiniLM-L6-v2, with some of its weights changed.

    Args:
        folder: of that network.

    Raises:
        FileNotFoundError: a file of it is not there.
        ModuleNotFoundError: the library tokenizers is not installed.
        ValueError: it is another network.
    """
    path = _own() / LARGE
    encoder = SentenceEncoder(folder, _load(path / CHANGES))
    head = _head(path / HEAD)
    begins = encoder.begins(len(head[BASE]))
    if begins.shape != head[BASE].shape or not np.allclose(begins, head[BASE], atol=1e-5):
        raise ValueError(
            f"{folder}: came other weights than those of all-MiniLM-L6-v2, for which alone "
            f"there are changes. Name the folder of that one: memnets data info all-minilm-l6-v2."
        )
    return RelationRanker(encoder, head, large=True)


def _own() -> Path:
    return Path(str(resources.files("memnets.kb.questions")))


def _head(path: Path) -> dict[str, Array]:
    return {name: one.astype(np.float32) for name, one in _load(path).items()}


def _load(path: Path) -> dict[str, Array]:
    from safetensors.numpy import load_file

    loaded: dict[str, Array] = load_file(path)
    return loaded
