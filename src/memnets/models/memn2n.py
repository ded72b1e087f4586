"""End-to-end memory networks (Sukhbaatar, Szlam, Weston and Fergus, 2015)."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.attention import Align, Attention, Dot, Identity, PaddedSoftmax, Readout, Softmax
from memnets.layers.sentences import CentredPositionEncoding, SentenceReader, fixed_places
from memnets.memories.slots import SharedSlots
from memnets.ops import memn2n as native_memn2n
from memnets.ops.masking import readable_slots

INITIAL_SCALE = 0.1
"""Standard deviation of every initial weight (section 4.2)."""


class Tying(ABC):
    """Which table of embeddings plays which role: A^k, C^k, B and W of the paper.

    Tables that read the memory come first, so that all of them are looked up together.
    """

    recurrent: ClassVar[bool] = False
    """Whether a matrix H carries the state from hop to hop."""

    @abstractmethod
    def keys(self, hop: int) -> int:
        """Return the table A of hop `hop`, counted from 0."""

    @abstractmethod
    def values(self, hop: int) -> int:
        """Return the table C of hop `hop`."""

    @abstractmethod
    def memory_tables(self, hops: int) -> int:
        """Return how many tables read the memory."""

    @abstractmethod
    def question(self, hops: int) -> int:
        """Return the table B."""

    @abstractmethod
    def answer(self, hops: int) -> int:
        """Return the table W, transposed."""

    def tables(self, hops: int) -> int:
        """Return how many tables there are."""
        return max(self.memory_tables(hops), self.question(hops) + 1, self.answer(hops) + 1)


@dataclass(frozen=True)
class Untied(Tying):
    r"""Every $A^k$, $C^k$, $B$ and $W$ is free: layers stacked, nothing shared."""

    def keys(self, hop: int) -> int:
        return 2 * hop

    def values(self, hop: int) -> int:
        return 2 * hop + 1

    def memory_tables(self, hops: int) -> int:
        return 2 * hops

    def question(self, hops: int) -> int:
        return 2 * hops

    def answer(self, hops: int) -> int:
        return 2 * hops + 1


@dataclass(frozen=True)
class Adjacent(Tying):
    r"""What one hop reads is what the next one is found by (section 2.2, 1).

    $$ A^{k+1} = C^k, \qquad B = A^1, \qquad W^\top = C^K $$
    """

    def keys(self, hop: int) -> int:
        return hop

    def values(self, hop: int) -> int:
        return hop + 1

    def memory_tables(self, hops: int) -> int:
        return hops + 1

    def question(self, hops: int) -> int:
        return 0

    def answer(self, hops: int) -> int:
        return hops


@dataclass(frozen=True)
class LayerWise(Tying):
    r"""All hops share their tables, and a matrix carries the state (section 2.2, 2).

    $$ A^1 = \dots = A^K, \qquad C^1 = \dots = C^K, \qquad u^{k+1} = H u^k + o^k $$
    """

    recurrent = True

    def keys(self, hop: int) -> int:
        return 0

    def values(self, hop: int) -> int:
        return 1

    def memory_tables(self, hops: int) -> int:
        return 2

    def question(self, hops: int) -> int:
        return 2

    def answer(self, hops: int) -> int:
        return 3


class Reply(NamedTuple):
    """Scores of all words as the answer, and what each hop read (up to the longest story)."""

    logits: Float[Tensor, "batch vocab"]
    hops: tuple[Readout, ...]


class MemN2N(nn.Module):
    r"""Read a story several times with soft attention, then answer in one word.

    $$ u^1 = \sum_j l_j \circ B[q_j], \qquad
       m_i^k = \sum_j l_j \circ A^k[x_{ij}] + l_J \circ T_A^k(i), \qquad
       c_i^k = \sum_j l_j \circ C^k[x_{ij}] + l_J \circ T_C^k(i) $$
    $$ p^k = \mathrm{softmax}((u^k)^\top m_i^k), \quad o^k = \sum_i p_i^k c_i^k, \quad
       u^{k+1} = u^k + o^k, \quad \hat a = \mathrm{softmax}(W u^{K+1}) $$  (Eqs. 1-5)

    All tables are one parameter, `(vocab, table, dim)`: a word is looked up once for all hops. The
    time words $T(i)$, $i = 1$ the newest sentence, follow the words of the vocabulary in the same
    tables, so they are tied alike, and stand in the last place $J$ of a sentence, as in the
    authors' code.

    Deviations: the nil word is zero in all tables and from the start; in the authors' code it is
    so in the tables of keys, from the first update on.
    Their softmax also runs over empty slots, which matters: pass `PaddedSoftmax(memory)` as the
    align to have that.
    Cite: sukhbaatar2015

    Args:
        vocab: number of words, nil (0) included and the time words not.
        reader: how a sentence is read; its `words` is J, the place of the time word included.
        memory: how many time words there are, so the most sentences a story may have; 0 for no
            sense of time.
        dim: width of every embedding.
        hops: how often the story is read, K.
        tying: which tables are one and the same.
        activation: what is applied to the state after each hop (ReLU in the non-linear variant).
        align: how much of each sentence is read; the linear start puts another in its place.

    Raises:
        ValueError: a size is too small.
    """

    def __init__(
        self,
        vocab: int,
        reader: SentenceReader,
        memory: int = 50,
        dim: int = 20,
        hops: int = 3,
        tying: Tying = Adjacent(),
        activation: nn.Module | None = None,
        align: Align | None = None,
    ) -> None:
        super().__init__()
        for name, size, least in (
            ("vocab", vocab, 2),
            ("memory", memory, 0),
            ("dim", dim, 1),
            ("hops", hops, 1),
        ):
            if size < least:
                raise ValueError(f"MemN2N({name}={size}): expected at least {least}.")
        self.vocab, self.memory, self.hops, self.tying = vocab, memory, hops, tying
        self.reader = reader
        self.attention = Attention(score=Dot(), align=align or Softmax())
        self.activation = activation or nn.Identity()
        self.tables = nn.Parameter(torch.empty(vocab + memory, tying.tables(hops), dim))
        self.carry = nn.Linear(dim, dim, bias=False) if tying.recurrent else nn.Identity()
        self.reset_parameters()

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw every weight from N(0, 0.1); the nil word stays zero."""
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.normal_(0.0, INITIAL_SCALE, generator=generator)
        self.clear_nil()

    def clear_nil(self) -> None:
        """Set the nil word to zero again: a rule of the training, after every update."""
        with torch.no_grad():
            self.tables[0] = 0.0

    def forward(
        self,
        sentences: Int[Tensor, "sentence word"],
        story: Int[Tensor, "batch slot"],
        time: Int[Tensor, "batch slot"],
        question: Int[Tensor, "batch _"],
    ) -> Reply:
        """Answer a question about each story.

        Args:
            sentences: the distinct sentences of all stories, as words; each is read once.
            story: which of the sentences a slot holds.
            time: how long ago it was written, 1 the newest; 0 where the slot is empty.
            question: the words of the questions.
        """
        natively = self._answer_natively(sentences, story, time, question)
        return natively or self.answer(self.remember(sentences, story, time), question)

    def remember(
        self,
        sentences: Int[Tensor, "sentence word"],
        story: Int[Tensor, "batch slot"],
        time: Int[Tensor, "batch slot"],
    ) -> tuple[SharedSlots, ...]:
        """Read the stories into memory, one view of it a hop; many questions may follow.

        A slot is the sum of two entries, its sentence and its time, which many stories share.
        """
        kept = readable_slots((time > 0).unsqueeze(-2))
        story, time = story[:, :kept].long(), time[:, :kept]
        tables = self.tables[:, : self.tying.memory_tables(self.hops)]
        contents, entries = self.reader(sentences, tables), story.unsqueeze(-1)
        if self.memory:
            contents = torch.cat([contents, self._time_words(tables)])  # entry table dim
            time_word = len(sentences) + (time - 1).clamp(min=0)
            entries = torch.stack([story, time_word], -1)
        views = contents.unbind(-2)
        return tuple(
            SharedSlots(
                views[self.tying.keys(hop)], views[self.tying.values(hop)], entries, time > 0
            )
            for hop in range(self.hops)
        )

    def answer(self, memory: tuple[SharedSlots, ...], question: Int[Tensor, "batch word"]) -> Reply:
        """Answer from a memory that was read before."""
        table = self.tables[:, self.tying.question(self.hops)]
        state = self.reader(question, table.unsqueeze(1)).squeeze(1)
        hops = []
        for slots in memory:
            readout = self.attention.attend_shared(state, *slots)
            state = self.activation(self.carry(state) + readout.value.squeeze(-2))
            hops.append(readout)
        logits = state @ self.tables[:, self.tying.answer(self.hops)].mT
        return Reply(logits, tuple(hops))

    def _time_words(
        self, tables: Float[Tensor, "vocab table dim"]
    ) -> Float[Tensor, "time table dim"]:
        """Return the vectors of time 1 (the newest sentence), 2 and so on."""
        return tables[self.vocab :] * self.reader.place(self.reader.words, tables)

    def _answer_natively(self, *inputs: Tensor) -> Reply | None:
        """Return the same from the C++ op; None where it cannot be used, or this is no plain model.

        The op knows the parts that the paper's models are made of. Any other part, and one that a
        hook watches, is run as it is.
        """
        if type(self) is not MemN2N or not native_memn2n.runs_eagerly():
            return None
        plan, places = self._plan(), fixed_places(self.reader, self.tables)
        if plan is None or places is None:
            return None
        answered = native_memn2n.answer(
            plan, self.tables, getattr(self.carry, "weight", None), places, *inputs
        )
        if answered is None:
            return None
        hops = zip(answered.values.unbind(), answered.weights.unbind(), strict=True)
        return Reply(answered.logits, tuple(Readout(value, weights) for value, weights in hops))

    def _plan(self) -> native_memn2n.Plan | None:
        align, tying, hops = self.attention.align, self.tying, self.hops
        called = (self.reader, align, self.activation, self.carry)
        if (
            type(self.attention) is not Attention
            or type(self.attention.score) is not Dot
            or type(align) not in (Softmax, PaddedSoftmax, Identity)
            or type(self.activation) not in (nn.Identity, nn.ReLU)
            or type(self.carry) not in (nn.Identity, nn.Linear)
            or any(part._forward_hooks or part._forward_pre_hooks for part in called)
            or any(part._backward_hooks or part._backward_pre_hooks for part in called)
        ):
            return None
        return native_memn2n.Plan(
            vocab=self.vocab,
            memory=self.memory,
            keys=tuple(tying.keys(hop) for hop in range(hops)),
            values=tuple(tying.values(hop) for hop in range(hops)),
            question=tying.question(hops),
            answer=tying.answer(hops),
            softmax=type(align) is not Identity,
            room=align.slots if isinstance(align, PaddedSoftmax) else 0,
            relu=type(self.activation) is nn.ReLU,
        )


def example() -> tuple[MemN2N, tuple[Tensor, ...]]:
    """Return a small model and its inputs for the conformance tests."""
    model = MemN2N(vocab=13, reader=CentredPositionEncoding(words=5), memory=7, dim=3, hops=2)
    sentences = torch.randint(1, 13, (11, 4))
    story = torch.randint(0, 11, (2, 7))
    time = torch.tensor([[3, 2, 1, 0, 0, 0, 0], [5, 4, 3, 2, 1, 0, 0]])
    question = torch.randint(1, 13, (2, 3))
    return model, (sentences, story, time, question)


__all__ = ["Adjacent", "LayerWise", "MemN2N", "Reply", "Tying", "Untied", "example"]
