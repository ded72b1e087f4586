"""Answer heads: from the memory and the question to an answer, known as a whole or word by word."""

from abc import ABC, abstractmethod

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.ops.sizes import at_least, at_least_one, share_of_it

UNSAID = -1
"""Stands after the last word of an answer."""


class AnswerHead(nn.Module, ABC):
    """Answer from a memory and a question.

    An answer is the words of `said`, one after the other: a whole one that is known by its number
    is a single word.
    """

    @abstractmethod
    def forward(
        self, memory: Float[Tensor, "batch hidden"], question: Float[Tensor, "batch hidden"]
    ) -> Float[Tensor, "batch word choice"]:
        """Return the scores of every choice for each word of the likeliest answer."""

    @abstractmethod
    def taught(
        self,
        memory: Float[Tensor, "batch hidden"],
        question: Float[Tensor, "batch hidden"],
        said: Int[Tensor, "batch word"],
    ) -> Float[Tensor, "batch word choice"]:
        """Return the scores of every choice for each word, the right ones before it given."""

    def words(self, scores: Float[Tensor, "batch word choice"]) -> Int[Tensor, "batch word"]:
        """Return what is said: the best choices, and `UNSAID` after the last."""
        return scores.argmax(-1)

    def loss(
        self,
        memory: Float[Tensor, "batch hidden"],
        question: Float[Tensor, "batch hidden"],
        said: Int[Tensor, "batch word"],
    ) -> Float[Tensor, " batch"]:
        r"""Return $-\log p$ of each right answer; a word that no choice is does not count."""
        scores = self.taught(memory, question, said)
        targets = said.long().clamp(min=UNSAID)
        return F.cross_entropy(
            scores.transpose(1, 2), targets, ignore_index=UNSAID, reduction="none"
        ).sum(-1)


class OneAnswer(AnswerHead):
    r"""Choose one of the answers that are known: $\mathrm{softmax}(W [q; m] + b)$.

    (Xiong et al., section 3.3)

    Deviations: none; "milk, football" is an answer of its own.
    Cite: xiong2016

    Args:
        hidden: width of memory and question.
        answers: how many are known.
        dropout: share of the numbers of $[q; m]$ that is set to zero in training.

    Raises:
        ValueError: a size is below 1, or the dropout is no share.
    """

    def __init__(self, hidden: int, answers: int, dropout: float = 0.0) -> None:
        super().__init__()
        at_least_one("OneAnswer", hidden=hidden, answers=answers)
        share_of_it("OneAnswer", dropout=dropout)
        self.dropout = nn.Dropout(dropout)
        self.choice = nn.Linear(2 * hidden, answers)

    def forward(
        self, memory: Float[Tensor, "batch hidden"], question: Float[Tensor, "batch hidden"]
    ) -> Float[Tensor, "batch 1 choice"]:
        scores: Tensor = self.choice(self.dropout(torch.cat([question, memory], -1)))
        return scores.unsqueeze(1)

    def taught(
        self,
        memory: Float[Tensor, "batch hidden"],
        question: Float[Tensor, "batch hidden"],
        said: Int[Tensor, "batch 1"],
    ) -> Float[Tensor, "batch 1 choice"]:
        return self(memory, question)


class Decoder(AnswerHead):
    r"""Say the answer word by word.

    $$ a_0 = m, \qquad a_t = \mathrm{GRU}([y_{t-1}; q], a_{t-1}), \qquad
       y_t = \mathrm{softmax}(W a_t) $$  (Kumar et al., section 2.4)

    The word before is given as one number of `vocab` that is 1; the first has none before it.

    Deviations: the likeliest word is said and given, where the paper writes $y_{t-1}$ for what the
    softmax returned.
    Cite: kumar2016

    Args:
        hidden: width of memory and question.
        vocab: number of words.
        end: the word that ends an answer.
        longest: the most words of an answer, its end among them.
        dropout: share of the numbers of $a_t$ that is set to zero in training.

    Raises:
        ValueError: a size is too small, or the dropout is no share.
    """

    def __init__(
        self, hidden: int, vocab: int, end: int, longest: int, dropout: float = 0.0
    ) -> None:
        super().__init__()
        at_least_one("Decoder", hidden=hidden, longest=longest)
        at_least(2, "Decoder", "The end is one of them.", vocab=vocab)
        at_least(0, "Decoder", "Pass the number of a word.", end=end)
        share_of_it("Decoder", dropout=dropout)
        self.end, self.longest, self.vocab = end, longest, vocab
        self.cell = nn.GRUCell(vocab + hidden, hidden)
        self.dropout = nn.Dropout(dropout)
        self.choice = nn.Linear(hidden, vocab, bias=False)

    def forward(
        self, memory: Float[Tensor, "batch hidden"], question: Float[Tensor, "batch hidden"]
    ) -> Float[Tensor, "batch word choice"]:
        state, before, said = memory, memory.new_zeros(len(memory), self.vocab), []
        for _ in range(self.longest):
            state, scores = self._word(state, before, question)
            before = _one_hot(scores.argmax(-1), self.vocab, scores)
            said.append(scores)
        return torch.stack(said, 1)

    def taught(
        self,
        memory: Float[Tensor, "batch hidden"],
        question: Float[Tensor, "batch hidden"],
        said: Int[Tensor, "batch word"],
    ) -> Float[Tensor, "batch word choice"]:
        state, before, scores = memory, memory.new_zeros(len(memory), self.vocab), []
        for word in said.unbind(-1):
            state, here = self._word(state, before, question)
            scores.append(here)
            before = _one_hot(word, self.vocab, here)
        return torch.stack(scores, 1)

    def _word(self, state: Tensor, before: Tensor, question: Tensor) -> tuple[Tensor, Tensor]:
        state = self.cell(torch.cat([before, question], -1), state)
        return state, self.choice(self.dropout(state))

    def words(self, scores: Float[Tensor, "batch word choice"]) -> Int[Tensor, "batch word"]:
        said = scores.argmax(-1)
        ends = (said == self.end).int()
        return said.masked_fill(ends.cumsum(-1) > ends, UNSAID)


def _one_hot(word: Int[Tensor, " batch"], vocab: int, like: Tensor) -> Float[Tensor, "batch vocab"]:
    """Return a 1 at each word; nothing for one that is none of them."""
    known = (word >= 0).unsqueeze(-1)
    return F.one_hot(word.long().clamp(min=0), vocab).to(like.dtype) * known
