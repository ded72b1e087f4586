"""A key-value memory network that follows a path of facts, hop by hop, until it chooses to stop."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.attention import Attention, General, Readout, Softmax
from memnets.layers import BagOfWords, SentencesOfStory, SummedDirections
from memnets.layers.story_readers import StoryReader
from memnets.memories.frontiers import FactMemory, Frontier
from memnets.ops.sizes import at_least, at_least_one, share_of_it

SPREAD = 0.1
"""Embeddings start uniform between minus and plus this: a word sums several."""


class Question(NamedTuple):
    """A question as it was read: a state behind every word."""

    words: Float[Tensor, "batch time hidden"]
    told: Bool[Tensor, "batch time"]


class Addressed(NamedTuple):
    """What one hop makes of a question.

    Attributes:
        scores: of every slot, the stop at last; those that are not hashed are minus infinity.
        read: which words were read.
        query: what the slots were matched with.
    """

    scores: Float[Tensor, "batch slot"]
    read: Readout
    query: Float[Tensor, "batch hidden"]


class Hop(NamedTuple):
    """One hop of a path.

    Attributes:
        frontier: where it begins.
        addressed: what was made of the question there.
        chosen: the slot of the highest score; the stop at the end of a path, and ever after.
    """

    frontier: Frontier
    addressed: Addressed
    chosen: Int[Tensor, " batch"]


class KVPaths(nn.Module):
    r"""Address one slot after the other, each among those that what was read last has.

    $$ r_t = \sum_i \mathrm{softmax}_i(q_t^\top W f_i)\, f_i, \qquad
       u_t = \tanh(U [q_t; r_t]), \qquad
       p_t = \mathrm{softmax}_{s \in S_t}(u_t \cdot k_s), \qquad
       q_{t+1} = \mathrm{GRU}(k_{s_t}, u_t) $$

    $f_i$ are the words of the question, read in both directions. The keys are slots: a relation in
    one direction each, and one that stops. $S_t$ are the slots that the entities of the frontier
    have, so that the memory is hashed anew by what was read last; the stop is always among them
    but at the first hop. Of Miller et al. are the hops, the keys that are matched with a query, and
    the hashing. They read a mean of all slots at every hop, and hash once.

    Deviations: this is our own, beside KV-MemNN: there is no paper of it.
    Cite: miller2016

    Args:
        vocab: number of things that words are made of, nil (0) included.
        dim: width of an embedding.
        reader: from words to a state behind each.
        attention: how a query reads the words.
        hidden: width of a state.
        slots: how many slots an entity may have, without the stop.
        dropout: share of the numbers of a query that is set to zero in training.

    Raises:
        ValueError: a size is too small, or the dropout is no share.
    """

    def __init__(
        self,
        vocab: int,
        dim: int,
        reader: StoryReader,
        attention: Attention,
        hidden: int,
        slots: int,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        at_least(2, "KVPaths", "Nil is one of them.", vocab=vocab)
        at_least_one("KVPaths", dim=dim, hidden=hidden, slots=slots)
        share_of_it("KVPaths", dropout=dropout)
        self.embedding = nn.Parameter(torch.empty(vocab, dim))
        self.first = nn.Parameter(torch.empty(hidden))
        self.keys = nn.Parameter(torch.empty(slots + 1, hidden))
        self.reader, self.attention = reader, attention
        self.join = nn.Linear(2 * hidden, hidden)
        self.carry = nn.GRUCell(hidden, hidden)
        self.dropout = nn.Dropout(dropout)
        self.reset_parameters()

    @property
    def stop(self) -> int:
        """The number of the slot that stops."""
        return len(self.keys) - 1

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw every matrix as Xavier does; embeddings uniform; biases are zero."""
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                if name in ("embedding", "first"):
                    parameter.uniform_(-SPREAD, SPREAD, generator=generator)
                elif parameter.ndim > 1:
                    nn.init.xavier_uniform_(parameter, generator=generator)
                else:
                    parameter.zero_()

    def read(
        self,
        words: Int[Tensor, "word part"],
        sentence: Int[Tensor, "batch time"],
        length: Int[Tensor, " batch"],
    ) -> tuple[Question, Float[Tensor, "batch hidden"]]:
        """Read questions, and return the queries of the first hop.

        Args:
            words: distinct words, as what they are made of; nil fills them up.
            sentence: which of the words stands where.
            length: how many words a question has.
        """
        longest = int(length.max()) if len(length) else 0
        told = torch.arange(longest, device=length.device) < length.unsqueeze(-1)
        states = self.reader(words, sentence[:, :longest], told, self.embedding)
        return Question(states, told), self.first.expand(len(length), -1)

    def address(
        self,
        question: Question,
        query: Float[Tensor, "batch hidden"],
        hashed: Bool[Tensor, "batch slot"],
    ) -> Addressed:
        """Score the slots that are hashed, the stop among them where it is."""
        words, told = question
        read = self.attention(query.unsqueeze(1), words, mask=told.unsqueeze(-2))
        joined = self.join(torch.cat([query, read.value.squeeze(1)], -1)).tanh()
        query = self.dropout(joined)
        scores = (query @ self.keys.mT).masked_fill(~hashed, -torch.inf)
        return Addressed(scores, read, query)

    def follow(
        self, query: Float[Tensor, "batch hidden"], chosen: Int[Tensor, " batch"]
    ) -> Float[Tensor, "batch hidden"]:
        """Return the queries of the next hop, after the slots that were chosen."""
        return self.carry(self.keys[chosen], query)

    def forward(
        self,
        words: Int[Tensor, "word part"],
        sentence: Int[Tensor, "batch time"],
        length: Int[Tensor, " batch"],
        path: Int[Tensor, "batch hop"],
        hashed: Bool[Tensor, "batch hop slot"],
    ) -> Float[Tensor, "batch hop slot"]:
        """Return the scores of the slots along known paths.

        Args:
            words: see `read`.
            sentence: see `read`.
            length: see `read`.
            path: the slots of each path, its stop included; what follows does not matter.
            hashed: which slots each hop may address.
        """
        question, query = self.read(words, sentence, length)
        scores = []
        for hop in range(path.shape[1]):
            addressed = self.address(question, query, hashed[:, hop])
            scores.append(addressed.scores)
            query = self.follow(addressed.query, path[:, hop])
        return torch.stack(scores, 1)

    def walk(
        self,
        words: Int[Tensor, "word part"],
        sentence: Int[Tensor, "batch time"],
        length: Int[Tensor, " batch"],
        memory: FactMemory,
        topics: Int[Tensor, " batch"],
        most: int,
        stops: bool = True,
    ) -> tuple[Frontier, tuple[Hop, ...]]:
        """Follow the likeliest slot of every hop, and return where that leads.

        Args:
            words: see `read`.
            sentence: see `read`.
            length: see `read`.
            memory: the facts.
            topics: the entities that the questions begin at; no path returns to its own.
            most: how many hops there are at most.
            stops: whether a path may end before that.
        """
        question, query = self.read(words, sentence, length)
        frontier, hops = Frontier.at(topics), []
        ended = torch.zeros_like(topics, dtype=torch.bool)
        for hop in range(most):
            hashed = with_stop(memory.hashed(frontier), ended, stops and hop > 0)
            addressed = self.address(question, query, hashed)
            chosen = addressed.scores.argmax(-1)
            hops.append(Hop(frontier, addressed, chosen))
            ended = chosen == self.stop
            if ended.all():
                break
            reached = memory.read(frontier, chosen.clamp(max=self.stop - 1)).without(topics)
            frontier = frontier.or_else(reached, ended)
            query = self.follow(addressed.query, chosen)
        return frontier, tuple(hops)


def with_stop(
    hashed: Bool[Tensor, "batch slot"], ended: Bool[Tensor, " batch"], stops: bool
) -> Bool[Tensor, "batch _"]:
    """Return what may be addressed, the stop at last: alone where a path has ended, or must.

    Args:
        hashed: the slots that the entities of each row have.
        ended: paths that have stopped.
        stops: whether the others may.
    """
    there = hashed & ~ended.unsqueeze(-1)
    stop = torch.ones_like(ended) if stops else ~there.any(-1)
    return torch.cat([there, stop.unsqueeze(-1)], -1)


def example() -> tuple[KVPaths, tuple[Tensor, ...]]:
    """Return a small model, and two questions with paths of three hops through four slots."""
    reader = SentencesOfStory(BagOfWords(2), 5, SummedDirections(nn.GRU(5, 6, bidirectional=True)))
    model = KVPaths(9, 5, reader, Attention(General(6, 6), Softmax()), hidden=6, slots=4)
    words = torch.tensor([[2, 3], [4, 0], [5, 3], [6, 8], [7, 0]])
    sentence = torch.tensor([[0, 1, 2, 3], [4, 1, 0, 0]])
    path = torch.tensor([[0, 2, 4], [3, 4, 4]])
    hashed = torch.ones(2, 3, 5, dtype=torch.bool)
    return model, (words, sentence, torch.tensor([4, 2]), path, hashed)
