"""MemN2N: a story read several times, the question carried from hop to hop."""

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.attention import Align, Attention, Dot, Softmax
from memnets.layers.sentences import CentredPositionEncoding, PlacedWords
from memnets.memories.slots import SharedSlots
from memnets.models.memn2n import native
from memnets.models.memn2n.reply import MemN2NOutput
from memnets.models.memn2n.tying import Adjacent, Tying
from memnets.ops.bags import NIL, distinct_told
from memnets.ops.masking import readable_slots
from memnets.ops.memn2n import Loss
from memnets.ops.sizes import at_least

INITIAL_SCALE = 0.1
"""Standard deviation of every initial weight (section 4.2)."""


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
        reader: PlacedWords,
        memory: int = 50,
        dim: int = 20,
        hops: int = 3,
        tying: Tying = Adjacent(),
        activation: nn.Module | None = None,
        align: Align | None = None,
        slots: int = 0,
    ) -> None:
        super().__init__()
        at_least(2, "MemN2N", "Nil is one of them.", vocab=vocab)
        at_least(1, "MemN2N", dim=dim, hops=hops)
        at_least(0, "MemN2N", memory=memory, slots=slots)
        self.vocab, self.memory, self.hops, self.tying = vocab, memory, hops, tying
        self.reader, self.slots = reader, slots
        self.attention = Attention(score=Dot(), align=align or Softmax())
        self.activation: nn.Module = activation or nn.Identity()
        self.tables = nn.Parameter(torch.empty(vocab + memory, tying.tables(hops), dim))
        h = nn.Linear(dim, dim, bias=False) if tying.recurrent else nn.Identity()
        self.carry: nn.Module = h
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
    ) -> MemN2NOutput:
        """Answer a question about each story.

        Args:
            sentences: distinct sentences, as words; each is read once, if any story tells it.
            story: which of the sentences a slot holds.
            time: how long ago it was written, 1 the newest; 0 where the slot is empty.
            question: the words of the questions.
        """
        if type(self) is MemN2N and (fast := native.answer(self, sentences, story, time, question)):
            return fast
        return self.answer(self.remember(sentences, story, time), question)

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
        room = (0, max(self.slots - kept, 0))
        story, time = (F.pad(part[:, :kept].long(), room) for part in (story, time))
        sentences, story = distinct_told(sentences, story, time > 0)
        tables = self.tables[:, : self.tying.memory_tables(self.hops)]  # all A^k and C^k
        # sum_j l_j A[x_ij], and the same of C, of each sentence and of one of nil words
        contents = self._read(F.pad(sentences, (0, 0, 0, 1)), tables)  # entry table dim
        if self.memory:
            contents = torch.cat([contents, self._time_words(tables)])  # l_J T_A(i), l_J T_C(i)
        views, entries = contents.unbind(-2), self._entries(story, time, len(sentences))
        read = (time > 0) | (torch.arange(time.shape[1], device=time.device) < self.slots)
        m, c = self.tying.keys, self.tying.values  # m^k is read with A^k, c^k with C^k
        return tuple(
            SharedSlots(views[m(hop)], views[c(hop)], entries, read) for hop in range(self.hops)
        )

    def answer(
        self, memory: tuple[SharedSlots, ...], question: Int[Tensor, "batch word"]
    ) -> MemN2NOutput:
        """Answer from a memory that was read before."""
        b = self.tying.question(self.hops)
        u = self._read(question, self.tables[:, b].unsqueeze(1)).squeeze(1)  # sum_j l_j B[q_j]
        hops = []
        for m, c, entries, read in memory:
            o = self.attention.attend_shared(u, m, c, entries, read)  # p = softmax(u m), o = p c
            u = self.activation(self.carry(u) + o.value.squeeze(-2))  # u + o; layer-wise H u + o
            hops.append(o)
        return MemN2NOutput(self.scores(u), tuple(hops), u)

    def scores(self, state: Float[Tensor, "batch dim"]) -> Float[Tensor, "batch word"]:
        """Return $W u$, of which the answer is the softmax; many rows round otherwise than one."""
        return state @ self.tables[:, self.tying.answer(self.hops)].mT

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
        asked = sentences, story, time, question
        if type(self) is MemN2N and (fast := native.loss(self, *asked, gold=answer)):
            return fast
        logits = self(*asked).logits
        loss = F.cross_entropy(logits, answer.long(), reduction="sum")
        return Loss(loss, (logits.argmax(-1) == answer).sum())

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

    def _entries(
        self, story: Int[Tensor, "batch slot"], time: Int[Tensor, "batch slot"], nil: int
    ) -> Int[Tensor, "batch slot part"]:
        """Return which entries add up to each slot: its sentence, or entry `nil`, and its time."""
        # A number that names no sentence must not name a time instead, nor nil: it is an error.
        named = story.masked_fill(story >= nil, nil + 2 + self.memory)
        entries = torch.where(time > 0, named, nil).unsqueeze(-1)
        if not self.memory:
            return entries
        return torch.cat([entries, (nil + 1 + time.clamp(min=0)).unsqueeze(-1)], -1)


def example() -> tuple[MemN2N, tuple[Tensor, ...]]:
    """Return a small model and its inputs for the conformance tests."""
    model = MemN2N(vocab=13, reader=CentredPositionEncoding(words=5), memory=7, dim=3, hops=2)
    sentences = torch.randint(1, 13, (11, 4))
    story = torch.randint(0, 11, (2, 7))
    time = torch.tensor([[3, 2, 1, 0, 0, 0, 0], [5, 4, 3, 2, 1, 0, 0]])
    question = torch.randint(1, 13, (2, 3))
    return model, (sentences, story, time, question)
