"""End-to-end memory networks as a language model (Sukhbaatar et al., 2015, section 5)."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.attention import Align, Readout, Softmax
from memnets.ops.sizes import at_least

INITIAL_SCALE = 0.05
"""Standard deviation of every initial weight (section 5)."""

QUERY = 0.1
"""What every unit of the first state is: there is no question (section 5)."""

NOTHING = -1
"""Stands where a text has not begun yet; such a slot is not read."""

LAYING_OUT = 20
"""What it costs to lay a word out for its row alone, in products with a word that all share."""


class LastWords(NamedTuple):
    """What is carried from one stretch of a text to the next: the words before it."""

    words: Int[Tensor, "batch slot"]
    """The latest last; NOTHING before the beginning."""

    def detach(self) -> "LastWords":
        return self

    def reset(self, rows: Bool[Tensor, " batch"]) -> "LastWords":
        """Return a state whose marked rows begin a new text."""
        return LastWords(self.words.masked_fill(rows.unsqueeze(-1), NOTHING))

    def index_select(self, index: Int[Tensor, " row"]) -> "LastWords":
        """Return the state's rows in another order or number."""
        return LastWords(self.words.index_select(0, index))


class NextWord(NamedTuple):
    """The next word at every step, and what was read for it.

    Attributes:
        logits: scores of all words.
        state: to be carried to the steps that follow.
        hidden: $u^{K+1}$, which the logits are made of.
        hops: what each hop read; slots from the oldest word to the newest.
    """

    logits: Float[Tensor, "batch time vocab"]
    state: LastWords
    hidden: Float[Tensor, "batch time dim"]
    hops: tuple[Readout, ...]


class HalfLinear(nn.Module):
    r"""Apply a ReLU to all units but the first (section 5).

    Args:
        linear: how many units stay as they are.
    """

    def __init__(self, linear: int) -> None:
        super().__init__()
        at_least(0, "HalfLinear", linear=linear)
        self.linear = linear

    def forward(self, state: Float[Tensor, "*batch dim"]) -> Float[Tensor, "*batch dim"]:
        return torch.cat([state[..., : self.linear], state[..., self.linear :].relu()], -1)


class _Memory(NamedTuple):
    """The last words of every step. A slot is the sum of two entries, its word and its time.

    Words are shared: by all rows, or by the steps of a row.
    """

    keys: Float[Tensor, "*row entry dim"]
    values: Float[Tensor, "*row entry dim"]
    key_times: Float[Tensor, "slot dim"]
    value_times: Float[Tensor, "slot dim"]
    entries: Int[Tensor, "batch time slot"]
    told: Bool[Tensor, "batch time slot"] | None
    """Which slots hold a word; None where all do."""


class MemN2NLanguageModel(nn.Module):
    r"""Predict the next word by reading the last N words K times.

    $$ m_i = A[w_i] + T_A(i), \qquad c_i = C[w_i] + T_C(i), \qquad u^1 = 0.1 $$
    $$ p^k = \mathrm{softmax}((u^k)^\top m_i), \quad o^k = \sum_i p_i^k c_i, \quad
       u^{k+1} = f(H u^k + o^k), \quad \hat a = \mathrm{softmax}(W u^{K+1}) $$
    (sections 2.2, 4.1 and 5; $f$ is a ReLU on the last units)

    All hops share their tables (layer-wise tying). A memory slot is one word. The times $T(i)$,
    $i = 1$ the newest word, follow the words of the vocabulary in the same tables.

    Nothing of the size `(batch, time, slot, dim)` is made. A small vocabulary meets every state in
    one matrix product, of which each slot takes its own; of a large one, only the words that stand
    in a row's stretch of text are laid out, once for all steps that read them.

    Deviations: at the beginning of a text the memory is shorter than N; the released code predicts
    no word there.
    Cite: sukhbaatar2015

    Args:
        vocab: number of words.
        memory: how many words are remembered, N.
        dim: width of every embedding.
        hops: how often the memory is read, K.
        linear: how many units of the state have no ReLU.
        align: how much of each word is read.

    Raises:
        ValueError: a size is too small, or more units are to be linear than there are.
    """

    def __init__(
        self,
        vocab: int,
        memory: int = 100,
        dim: int = 150,
        hops: int = 6,
        linear: int = 75,
        align: Align | None = None,
    ) -> None:
        super().__init__()
        at_least(2, "MemN2NLanguageModel", "Nil is one of them.", vocab=vocab)
        at_least(1, "MemN2NLanguageModel", memory=memory, dim=dim, hops=hops)
        at_least(0, "MemN2NLanguageModel", linear=linear)
        if linear > dim:
            raise ValueError(
                f"MemN2NLanguageModel(linear={linear}): the state has {dim} units. "
                f"Pass a number from 0 to {dim}."
            )
        self.vocab, self.memory, self.hops = vocab, memory, hops
        self.align = align or Softmax()
        self.keys = nn.Parameter(torch.empty(vocab + memory, dim))
        self.values = nn.Parameter(torch.empty(vocab + memory, dim))
        self.carry = nn.Linear(dim, dim, bias=False)
        self.activation = HalfLinear(linear)
        self.decoder = nn.Linear(dim, vocab, bias=False)
        self.reset_parameters()

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw every weight from N(0, 0.05)."""
        with torch.no_grad():
            for parameter in self.parameters():
                parameter.normal_(0.0, INITIAL_SCALE, generator=generator)

    def init_state(self, batch: int) -> LastWords:
        """Return the state of texts that have not begun."""
        before = torch.full((batch, self.memory - 1), NOTHING, device=self.keys.device)
        return LastWords(before)

    def forward(self, words: Int[Tensor, "batch time"], state: LastWords | None = None) -> NextWord:
        """Predict the word after each of these.

        Args:
            words: consecutive words of each row's text; NOTHING where it has not begun.
            state: the words before them; none where the texts begin here.
        """
        before = (self.init_state(len(words)) if state is None else state).words
        stretch = torch.cat([before, words], 1).long()
        memory = self._remember(stretch)
        hidden = self.keys.new_full((1, 1, self.keys.shape[1]), QUERY)
        hops = []
        for _ in range(self.hops):
            readout = self._read(hidden, memory)
            hidden = self.activation(self.carry(hidden) + readout.value)
            hops.append(readout)
        carried = LastWords(stretch[:, words.shape[1] :])
        return NextWord(self.decoder(hidden), carried, hidden, tuple(hops))

    def _remember(self, stretch: Int[Tensor, "batch place"]) -> _Memory:
        batch, places = stretch.shape
        told, named = stretch >= 0, stretch.clamp(min=0)
        keys, key_times = self.keys.split([self.vocab, self.memory])
        values, value_times = self.values.split([self.vocab, self.memory])
        steps = places - self.memory + 1
        if self.vocab <= places * (1 + LAYING_OUT / steps):
            entries = named.unfold(1, self.memory, 1)
        else:
            keys, values = F.embedding(named, keys), F.embedding(named, values)
            order = torch.arange(places, device=stretch.device).unfold(0, self.memory, 1)
            entries = order.expand(batch, -1, -1)
        whole = not torch.compiler.is_compiling() and bool(told.all())
        return _Memory(
            keys,
            values,
            key_times.flip(0),  # the newest word, time 1, stands in the last slot
            value_times.flip(0),
            entries,
            None if whole else told.unfold(1, self.memory, 1),
        )

    def _read(self, state: Float[Tensor, "#batch #time dim"], memory: _Memory) -> Readout:
        """Read once; a first state that is the same for all is scored once for all."""
        batch, time, slots = memory.entries.shape
        by_entry = (state @ memory.keys.mT).expand(batch, time, -1)
        scores = by_entry.gather(-1, memory.entries) + state @ memory.key_times.mT
        weights = self.align.align(scores, memory.told).dense(slots)
        together = weights.new_zeros(by_entry.shape).scatter_add(-1, memory.entries, weights)
        values, times = memory.values, memory.value_times
        value = together.to(values.dtype) @ values + weights.to(times.dtype) @ times
        return Readout(value, weights)


def example() -> tuple[MemN2NLanguageModel, tuple[Tensor, ...]]:
    """Return a small model and its inputs for the conformance tests."""
    model = MemN2NLanguageModel(vocab=11, memory=7, dim=5, hops=3, linear=2)
    words = torch.randint(0, 11, (2, 13))
    words[1, :3] = NOTHING
    return model, (words,)


__all__ = ["HalfLinear", "LastWords", "MemN2NLanguageModel", "NextWord", "example"]
