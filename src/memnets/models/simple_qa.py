"""Simple question answering at scale (Bordes et al., 2015): which fact answers a question."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.ops.bags import NIL
from memnets.ops.sizes import at_least

EPSILON = 1e-12
"""Lengths below it count as this long, so that an empty bag has cosine 0 with everything."""

NO_FACT = -1
"""Fills a list of candidates up."""

NEVER = -2.0
"""The score of no fact: less than any cosine."""


class Bags(NamedTuple):
    """Bags of features, each filled up with nil."""

    features: Int[Tensor, "bag feature"]
    weights: Float[Tensor, "bag feature"]
    """How much of each is in the bag; of k objects each is 1 / k."""

    def take(self, rows: Int[Tensor, " row"]) -> "Bags":
        """Return some of them, no wider than they need be."""
        return Bags(self.features[rows], self.weights[rows]).cut()

    def cut(self) -> "Bags":
        """Leave out the columns in which all bags have ended: nothing but nil stands there."""
        filled = (self.features != NIL).any(0).nonzero()
        width = int(filled[-1]) + 1 if len(filled) else min(1, self.features.shape[1])
        return Bags(self.features[:, :width], self.weights[:, :width])


class Rivals(NamedTuple):
    """Wrong facts that the right one is to beat."""

    own: Bags
    """The questions' own candidates: as many of each question, one question after another."""
    strangers: Bags
    """Facts that all questions share."""
    counted: Bool[Tensor, "batch rival"]
    """Which of them count for a question: first its own, then the strangers."""


class SimpleQAOutput(NamedTuple):
    """The candidates' scores, and the fact that is returned."""

    scores: Float[Tensor, "batch slot"]
    """Cosines; `NEVER` where there is no fact."""
    slot: Int[Tensor, " batch"]
    """The best candidate's place; -1 where a question has none."""


class SimpleQA(nn.Module):
    r"""Score facts by the cosine between the bag of a question and the bag of a fact.

    $$ S_{QA}(q, y) = \cos(W_V g(q), W_S f(y)), \qquad
       S_{RVB}(q, y) = \cos(W_V g(q), W_{VS} h(y)), \qquad W_{VS} = [W_V; W_S] $$

    $g(q)$ counts the n-grams of a question. $f(y)$ counts the symbols of a fact of the knowledge
    base: 1 for its subject and its relation, $1/k$ for each of its $k$ objects. $h(y)$ counts the
    words of a fact in strings, and symbols where these were linked. Features number the words
    first, nil (0) among them, and then the symbols, so that one table is $W_{VS}$ and both others
    are views of it: a fact in strings is scored by what was learnt without it.

    Deviations: none known in the equations, which are recalled; `begin_as_called` is ours.
    Cite: bordes2015

    Args:
        words: number of n-grams, nil included: $N_V$.
        symbols: number of entities and relations, $N_S$; the entities come first.
        entities: how many of them are entities.
        dim: width of an embedding, d.
        sparse: whether gradients hold the rows of a batch only; few optimisers take them.

    Raises:
        ValueError: a size is too small.
    """

    def __init__(
        self, words: int, symbols: int, entities: int, dim: int = 64, sparse: bool = False
    ) -> None:
        super().__init__()
        at_least(2, "SimpleQA", "Nil is one of them.", words=words)
        at_least(1, "SimpleQA", symbols=symbols, dim=dim)
        at_least(0, "SimpleQA", entities=entities)
        if entities > symbols:
            raise ValueError(
                f"SimpleQA(entities={entities}): expected at most {symbols}, all symbols. "
                f"Count the relations as symbols too."
            )
        self.words, self.entities, self.sparse = words, entities, sparse
        self.weight = nn.Parameter(torch.empty(words + symbols, dim))
        self.reset_parameters()

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw all rows anew, about 1 long; nil is 0."""
        with torch.no_grad():
            self.weight.normal_(0.0, self.weight.shape[1] ** -0.5, generator=generator)
            self.weight[NIL] = 0.0
            self.renormalise()

    @property
    def word_weight(self) -> Float[Tensor, "word dim"]:
        """$W_V$, a view of the table."""
        return self.weight[: self.words]

    @property
    def symbol_weight(self) -> Float[Tensor, "symbol dim"]:
        """$W_S$, a view of the table."""
        return self.weight[self.words :]

    def embed(self, bags: Bags) -> Float[Tensor, "bag dim"]:
        """Return the unit vector of each bag, of a question or a fact; 0 of an empty one."""
        there = bags.weights != 0  # facts have few objects or very many: nil would cost most
        sizes = there.sum(1)
        summed = F.embedding_bag(
            bags.features[there],
            self.weight,
            sizes.cumsum(0) - sizes,
            mode="sum",
            per_sample_weights=bags.weights[there].to(self.weight.dtype),
            sparse=self.sparse,
        )
        return F.normalize(summed, dim=-1, eps=EPSILON)

    def forward(
        self,
        questions: Bags,
        facts: Bags,
        candidates: Int[Tensor, "batch slot"],
    ) -> SimpleQAOutput:
        """Find the fact that answers each question among its own candidates.

        Args:
            questions: one a question.
            facts: the memory.
            candidates: which facts are scored, `NO_FACT` after the last.
        """
        return self.find(self.embed(questions), self.embed(facts), candidates)

    @staticmethod
    def find(
        questions: Float[Tensor, "batch dim"],
        facts: Float[Tensor, "fact dim"],
        candidates: Int[Tensor, "batch slot"],
    ) -> SimpleQAOutput:
        """Do the same for what was embedded before."""
        chosen = facts[candidates.clamp(min=0).long()]
        scores = torch.einsum("qd,qsd->qs", questions, chosen)
        return found(scores.masked_fill(candidates == NO_FACT, NEVER))

    def loss(
        self, questions: Bags, right: Bags, rivals: Rivals, margin: float = 0.1
    ) -> tuple[Float[Tensor, ""], Int[Tensor, ""]]:
        r"""Return the margin ranking loss, and how many right facts beat all their rivals.

        $$ \sum_{y'} \max(0, \gamma - S(q, y) + S(q, y')) $$

        Args:
            questions: one a question.
            right: y, one a question.
            rivals: every y'.
            margin: gamma.
        """
        asked, own = self.embed(questions), self.embed(rivals.own)
        right_score = (asked * self.embed(right)).sum(-1, keepdim=True)
        own_scores = torch.einsum("qd,qsd->qs", asked, own.unflatten(0, (len(asked), -1)))
        scores = torch.cat([own_scores, asked @ self.embed(rivals.strangers).mT], 1)
        loss = (F.relu(margin - right_score + scores) * rivals.counted).sum()
        return loss, ((scores < right_score) | ~rivals.counted).all(-1).sum()

    @torch.no_grad()
    def begin_as_called(self, called: Bags) -> None:
        """Let every symbol begin with the unit vector of the n-grams that it is called by.

        Args:
            called: one bag of n-grams a symbol; one without n-grams keeps its vector.
        """
        vectors = self.embed(called)
        known = (called.weights != 0).any(1, keepdim=True)
        self.symbol_weight.copy_(torch.where(known, vectors, self.symbol_weight))

    @torch.no_grad()
    def renormalise(self) -> None:
        """Shorten the entities' vectors to length 1 where they are longer."""
        entities = self.weight[self.words : self.words + self.entities]
        entities.div_(entities.norm(dim=-1, keepdim=True).clamp(min=1.0))


def found(scores: Float[Tensor, "batch slot"]) -> SimpleQAOutput:
    """Return the best candidate of each question; of equal ones the first."""
    if not scores.shape[1]:
        return SimpleQAOutput(scores, torch.full((len(scores),), NO_FACT, device=scores.device))
    best = scores.max(-1)
    return SimpleQAOutput(scores, best.indices.masked_fill(best.values <= NEVER, NO_FACT))


def ensemble(scores: Sequence[Float[Tensor, "batch slot"]]) -> SimpleQAOutput:
    """Let several models choose together: their scores are summed.

    A sum of low scores may be below `NEVER`, and is that of a fact all the same.
    """
    lacking = scores[0] <= NEVER
    summed = torch.stack(list(scores)).sum(0).masked_fill(lacking, NEVER)
    if not summed.shape[1]:
        return found(summed)
    best = summed.masked_fill(lacking, -torch.inf).argmax(-1)
    return SimpleQAOutput(summed, best.masked_fill(lacking.all(-1), NO_FACT))


def example() -> tuple[SimpleQA, tuple[Bags, Bags, Tensor]]:
    """Return a small model, two questions and five facts."""
    model = SimpleQA(words=7, symbols=11, entities=8, dim=5)
    questions = Bags(torch.tensor([[1, 2, 3], [4, 5, 6]]), torch.ones(2, 3))
    # Subject, relation and two objects; the last fact is one in strings, with a linked object.
    facts = torch.tensor(
        [[7, 15, 8, 9], [8, 15, 9, 10], [9, 16, 11, 12], [13, 17, 14, 10], [1, 4, 5, 7]]
    )
    shares = torch.tensor([[1, 1, 0.5, 0.5]] * 4 + [[1.0, 1, 1, 1]])
    return model, (questions, Bags(facts, shares), torch.tensor([[0, 1, 4], [2, 3, 4]]))
