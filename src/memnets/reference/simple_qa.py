"""Simple question answering as loops, one question and one fact at a time (Bordes et al. 2015)."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

Vector = Float[np.ndarray, " d"]
Matrix = Float[np.ndarray, "d N"]
Words = Float[np.ndarray, "d N_V"]
Symbols = Float[np.ndarray, "d N_S"]
Features = Float[np.ndarray, " N"]


def g(words: Sequence[int], N_V: int) -> Features:  # noqa: N803
    """A bag of n-grams: how often each is in the question."""
    features = np.zeros(N_V)
    for word in words:
        features[word] += 1
    return features


def f(subject: int, relation: int, objects: Sequence[int], N_S: int) -> Features:  # noqa: N803
    """A bag of symbols: 1 for subject and relation, 1/k for each of k objects."""
    features = np.zeros(N_S)
    features[subject] += 1
    features[relation] += 1
    for symbol in objects:
        features[symbol] += 1 / len(objects)
    return features


def h(words: Sequence[int], symbols: Sequence[int], N_V: int, N_S: int) -> Features:  # noqa: N803
    """A fact in strings: its words, then the symbols of the entities that were linked."""
    features = np.zeros(N_V + N_S)
    for word in words:
        features[word] += 1
    for symbol in symbols:
        features[N_V + symbol] += 1
    return features


def embed(W: Matrix, features: Features) -> Vector:  # noqa: N803
    """W phi, feature by feature."""
    embedded = np.zeros(W.shape[0])
    for number, count in enumerate(features):
        embedded += count * W[:, number]
    return embedded


def cosine(a: Vector, b: Vector) -> float:
    """cos(a, b); 0 where one of them is 0."""
    lengths = np.sqrt(sum(x * x for x in a)) * np.sqrt(sum(x * x for x in b))
    return float(sum(x * y for x, y in zip(a, b, strict=True)) / lengths) if lengths else 0.0


def s_qa(
    W_V: Words,  # noqa: N803
    W_S: Symbols,  # noqa: N803
    question: Float[np.ndarray, " N_V"],
    fact: Float[np.ndarray, " N_S"],
) -> float:
    """S_QA(q, y) = cos(W_V g(q), W_S f(y))."""
    return cosine(embed(W_V, question), embed(W_S, fact))


def s_rvb(
    W_V: Words,  # noqa: N803
    W_S: Symbols,  # noqa: N803
    question: Float[np.ndarray, " N_V"],
    fact: Float[np.ndarray, " N_VS"],
) -> float:
    """S_RVB(q, y) = cos(W_V g(q), W_VS h(y)), W_VS = [W_V; W_S]: nothing new is learnt."""
    W_VS = np.concatenate([W_V, W_S], axis=1)  # noqa: N806
    return cosine(embed(W_V, question), embed(W_VS, fact))


def ranking_loss(right: float, wrong: Sequence[float], gamma: float) -> float:
    """Sum max(0, gamma - S(q, y) + S(q, y')) over the wrong facts y'."""
    return sum(max(0.0, gamma - right + score) for score in wrong)


def renormalised(W: Matrix, entities: int) -> Matrix:  # noqa: N803
    """Shorten the first columns, the entities', to length 1 where they are longer."""
    W = W.copy()  # noqa: N806
    for number in range(entities):
        length = np.sqrt(sum(x * x for x in W[:, number]))
        if length > 1:
            W[:, number] /= length
    return W


def summed(scores: Sequence[Sequence[float]]) -> list[float]:
    """The scores of an ensemble: of every fact, the sum over the models."""
    return [sum(of_fact) for of_fact in zip(*scores, strict=True)]
