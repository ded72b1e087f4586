"""End-to-end memory networks (Sukhbaatar, Szlam, Weston and Fergus, 2015)."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.attention import Align, Attention, Dot, Identity, Readout, Softmax
from memnets.layers.sentences import CentredPositionEncoding, SentenceReader, fixed_places
from memnets.memories.slots import SharedSlots
from memnets.ops import memn2n as native_memn2n
from memnets.ops.bags import NIL
from memnets.ops.masking import readable_slots
from memnets.ops.twins import runs_eagerly

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
    """Scores of all words as the answer, and what each hop read, empty slots included."""

    logits: Float[Tensor, "batch vocab"]
    hops: tuple[Readout, ...]


class Loss(NamedTuple):
    """The cross entropy summed over the questions, and how many of them were answered right."""

    sum: Float[Tensor, ""]
    right: Int[Tensor, ""]


class MemN2N(nn.Module):
    r"""Read a story several times with soft attention, then answer in one word.

    $$ u^1 = \sum_j l_j \circ B[q_j], \qquad
       m_i^k = \sum_j l_j \circ A^k[x_{ij}] + l_J \circ T_A^k(i), \qquad
       c_i^k = \sum_j l_j \circ C^k[x_{ij}] + l_J \circ T_C^k(i) $$
    $$ p^k = \mathrm{softmax}((u^k)^\top m_i^k), \quad o^k = \sum_i p_i^k c_i^k, \quad
       u^{k+1} = u^k + o^k, \quad \hat a = \mathrm{softmax}(W u^{K+1}) $$  (Eqs. 1-5)

    All tables are one parameter, `(vocab, table, dim)`: a word is looked up once for all hops. The
    time words $T(i)$, $i = 1$ the newest sentence, follow the words of the vocabulary in the same
    tables, so they are tied alike, and stand in the last place $J$ of a sentence.

    Nil, word 0, fills what is left of a sentence or a question, and, where the model has `slots`,
    whole sentences: those of the empty slots, in the place of their time too. It is a word like
    any other but for `clear_nil`, which sets it to zero in the tables that read the memory. Empty
    slots have their share in the softmax, so that a short story is read more faintly, and nil has
    a gradient, which counts where gradients are clipped.

    Deviations: from the paper, what is said of nil, which is what the authors' code does; from
    that code, none.
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
        slots: size of a memory whose empty slots are read as well; 0 to read filled slots only.

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
        slots: int = 0,
    ) -> None:
        super().__init__()
        for name, size, least in (
            ("vocab", vocab, 2),
            ("memory", memory, 0),
            ("dim", dim, 1),
            ("hops", hops, 1),
            ("slots", slots, 0),
        ):
            if size < least:
                raise ValueError(f"MemN2N({name}={size}): expected at least {least}.")
        self.vocab, self.memory, self.hops, self.tying = vocab, memory, hops, tying
        self.reader, self.slots = reader, slots
        self.attention = Attention(score=Dot(), align=align or Softmax())
        self.activation = activation or nn.Identity()
        self.tables = nn.Parameter(torch.empty(vocab + memory, tying.tables(hops), dim))
        self.carry = nn.Linear(dim, dim, bias=False) if tying.recurrent else nn.Identity()
        self.reset_parameters()

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw every weight from N(0, 0.1), nil's too."""
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.normal_(0.0, INITIAL_SCALE, generator=generator)

    def clear_nil(self) -> None:
        """Set nil to zero in the tables that read the memory: a rule for after every update.

        In layer-wise tying the question and the answer have tables of their own, and keep theirs.
        """
        with torch.no_grad():
            self.tables[NIL, : self.tying.memory_tables(self.hops)].zero_()

    def forward(
        self,
        sentences: Int[Tensor, "sentence word"],
        story: Int[Tensor, "batch slot"],
        time: Int[Tensor, "batch slot"],
        question: Int[Tensor, "batch _"],
    ) -> Reply:
        """Answer a question about each story.

        Args:
            sentences: distinct sentences, as words; each is read once, if any story tells it.
            story: which of the sentences a slot holds.
            time: how long ago it was written, 1 the newest; 0 where the slot is empty.
            question: the words of the questions.
        """
        asked = native_memn2n.Asked(sentences, story, time, question)
        natively = self._natively(native_memn2n.answer, asked)
        if natively is None:
            return self.answer(self.remember(sentences, story, time), question)
        hops = zip(natively.values.unbind(), natively.weights.unbind(), strict=True)
        return Reply(natively.logits, tuple(Readout(value, weights) for value, weights in hops))

    def loss(
        self,
        sentences: Int[Tensor, "sentence word"],
        story: Int[Tensor, "batch slot"],
        time: Int[Tensor, "batch slot"],
        question: Int[Tensor, "batch _"],
        answer: Int[Tensor, " batch"],
    ) -> Loss:
        r"""Return the loss of the right answers, $-\sum \log \hat a_{answer}$ over the batch.

        It is that of `forward`'s logits; the C++ op computes its gradient in the same pass.
        """
        asked = native_memn2n.Asked(sentences, story, time, question)
        natively = self._natively(native_memn2n.learn, asked, answer)
        if natively is not None and torch.is_grad_enabled():
            return Loss(*natively)
        logits = self(*asked).logits
        loss = F.cross_entropy(logits, answer.long(), reduction="sum")
        return Loss(loss, (logits.argmax(-1) == answer).sum())

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
        capacity = (0, max(self.slots - kept, 0))
        story, time = (F.pad(part[:, :kept].long(), capacity) for part in (story, time))
        told = time > 0
        sentences, story = _those_told(sentences, story, told)
        tables = self.tables[:, : self.tying.memory_tables(self.hops)]
        nil = len(sentences)  # the entry of a sentence of nil words
        contents = self._read(F.pad(sentences, (0, 0, 0, 1)), tables)
        # A number that names no sentence must not name a time instead, nor nil: it is an error.
        named = story.masked_fill(story >= nil, nil + 2 + self.memory)
        entries = torch.where(told, named, nil).unsqueeze(-1)
        if self.memory:
            contents = torch.cat([contents, self._time_words(tables)])  # entry table dim
            entries = torch.cat([entries, (nil + 1 + time.clamp(min=0)).unsqueeze(-1)], -1)
        views, read = contents.unbind(-2), told | self._within_room(time)
        return tuple(
            SharedSlots(views[self.tying.keys(hop)], views[self.tying.values(hop)], entries, read)
            for hop in range(self.hops)
        )

    def answer(self, memory: tuple[SharedSlots, ...], question: Int[Tensor, "batch word"]) -> Reply:
        """Answer from a memory that was read before."""
        table = self.tables[:, self.tying.question(self.hops)]
        state = self._read(question, table.unsqueeze(1)).squeeze(1)
        hops = []
        for slots in memory:
            readout = self.attention.attend_shared(state, *slots)
            state = self.activation(self.carry(state) + readout.value.squeeze(-2))
            hops.append(readout)
        logits = state @ self.tables[:, self.tying.answer(self.hops)].mT
        return Reply(logits, tuple(hops))

    def _read(
        self, words: Int[Tensor, "sentence word"], tables: Float[Tensor, "vocab table dim"]
    ) -> Float[Tensor, "sentence table dim"]:
        """Read sentences or questions, nil in all places of words that they leave."""
        places = self.reader.words - (1 if self.memory else 0)
        if words.shape[1] > places:
            raise ValueError(
                f"MemN2N: a sentence of {words.shape[1]} words came, the reader has places for "
                f"{places}. Shorten it, or build the reader for longer sentences."
            )
        nil = F.pad(words == NIL, (0, places - words.shape[1]), value=True).to(tables.dtype)
        filled_up = nil @ self.reader.places(tables)[:places]  # sentence dim
        return self.reader(words, tables) + filled_up.unsqueeze(-2) * tables[NIL]

    def _time_words(
        self, tables: Float[Tensor, "vocab table dim"]
    ) -> Float[Tensor, "time table dim"]:
        """Return the vectors of no time (nil), time 1 (the newest sentence), 2 and so on."""
        words = torch.cat([tables[:1], tables[self.vocab :]])
        return words * self.reader.place(self.reader.words, tables)

    def _within_room(self, time: Tensor) -> Tensor:
        """Return which slots are read although they may be empty."""
        return torch.arange(time.shape[1], device=time.device) < self.slots

    def _natively(self, op: Callable[..., Any], *inputs: Any) -> Any:
        """Return what the C++ op does; None where it cannot be used, or this is no plain model.

        The op knows the parts that the paper's models are made of. Any other part, and one that a
        hook watches, is run as it is.
        """
        if type(self) is not MemN2N or not runs_eagerly():
            return None
        plan, places = self._plan(), fixed_places(self.reader, self.tables)
        if plan is None or places is None:
            return None
        weights = native_memn2n.Weights(self.tables, getattr(self.carry, "weight", None), places)
        return op(plan, weights, *inputs)

    def _plan(self) -> native_memn2n.Plan | None:
        align, tying, hops = self.attention.align, self.tying, self.hops
        called = (self.reader, align, self.activation, self.carry)
        if (
            type(self.attention) is not Attention
            or type(self.attention.score) is not Dot
            or type(align) not in (Softmax, Identity)
            or type(self.activation) not in (nn.Identity, nn.ReLU)
            or type(self.carry) not in (nn.Identity, nn.Linear)
            or any(part._forward_hooks or part._forward_pre_hooks for part in called)
            or any(part._backward_hooks or part._backward_pre_hooks for part in called)
        ):
            return None
        softmax, relu = type(align) is Softmax, type(self.activation) is nn.ReLU
        return _plan(tying, hops, self.vocab, self.memory, self.slots, softmax, relu)


@lru_cache(maxsize=64)
def _plan(
    tying: Tying, hops: int, vocab: int, memory: int, slots: int, softmax: bool, relu: bool
) -> native_memn2n.Plan:
    return native_memn2n.Plan(
        vocab=vocab,
        memory=memory,
        keys=tuple(tying.keys(hop) for hop in range(hops)),
        values=tuple(tying.values(hop) for hop in range(hops)),
        question=tying.question(hops),
        answer=tying.answer(hops),
        softmax=softmax,
        room=slots,
        relu=relu,
    )


def _those_told(
    sentences: Int[Tensor, "sentence word"],
    story: Int[Tensor, "batch slot"],
    told: Bool[Tensor, "batch slot"],
) -> tuple[Tensor, Tensor]:
    """Keep the sentences that are told, each once, where finding them costs less than reading."""
    if len(sentences) <= story.numel():
        return sentences, story
    which, number = torch.unique(story.masked_fill(~told, 0), return_inverse=True)
    return sentences[which], number


def example() -> tuple[MemN2N, tuple[Tensor, ...]]:
    """Return a small model and its inputs for the conformance tests."""
    model = MemN2N(vocab=13, reader=CentredPositionEncoding(words=5), memory=7, dim=3, hops=2)
    sentences = torch.randint(1, 13, (11, 4))
    story = torch.randint(0, 11, (2, 7))
    time = torch.tensor([[3, 2, 1, 0, 0, 0, 0], [5, 4, 3, 2, 1, 0, 0]])
    question = torch.randint(1, 13, (2, 3))
    return model, (sentences, story, time, question)


__all__ = ["Adjacent", "LayerWise", "Loss", "MemN2N", "Reply", "Tying", "Untied", "example"]
