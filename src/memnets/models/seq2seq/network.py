"""A sequence-to-sequence model: a source is read, and a target said word by word."""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.attention import Baseline, Readout, reinforce
from memnets.layers.decoding import (
    Divisor,
    Hypotheses,
    beam_search,
    by_log_prob,
    never,
    select_shared,
)
from memnets.layers.stepwise import Annotations, StepReader
from memnets.models.seq2seq.initial import Initial, modern_initial
from memnets.models.seq2seq.sources import Source, SourceReader
from memnets.models.seq2seq.targets import Given, cut
from memnets.ops.bags import NIL
from memnets.ops.sizes import at_least, at_least_one, share_of_it


class Said(NamedTuple):
    """What a decoder made of some steps.

    Attributes:
        features: what the next words are chosen by.
        state: behind the last step.
        readout: what was read of the source.
    """

    features: Float[Tensor, "row step feature"]
    state: Any
    readout: Readout


class Decoder(nn.Module, ABC):
    """Says words, one after the other, by what it reads of a source."""

    reader: StepReader
    dim: int
    """Width of the features."""

    @abstractmethod
    def start(self, source: Source, annotations: Annotations) -> Any:
        """Return the state before the first step: a tuple of tensors, one row a sentence."""

    @abstractmethod
    def forward(
        self, annotations: Annotations, state: Any, words: Float[Tensor, "row step dim"]
    ) -> Said:
        """Take steps, each given the embedded word before the one that it says."""


class State(NamedTuple):
    """What a translation carries from word to word.

    The annotations have a row a sentence, the decoder's state one a hypothesis, as many for each
    sentence: those of a sentence share what is remembered of it.
    """

    annotations: Annotations
    decoder: Any

    def index_select(self, index: Int[Tensor, " row"]) -> "State":
        """Return the hypotheses in another order or number, with the sentences that they need."""
        sentences = len(self.annotations.length)
        return State(*select_shared(self.annotations, sentences, self.decoder, index))


class NextWord(NamedTuple):
    """What may follow: log-probabilities of all words, what is carried on, what was read."""

    log_prob: Float[Tensor, "row vocab"]
    state: State
    readout: Readout


class Taught(NamedTuple):
    """Targets that were given, word by word.

    Attributes:
        log_prob: of every right word; 0 behind the last.
        readout: what was read for each; of a draw, its log-probability and entropy, 0 likewise.
        told: where a target has a word.
    """

    log_prob: Float[Tensor, "batch word"]
    readout: Readout
    told: Bool[Tensor, "batch word"]

    def objective(
        self, baseline: Baseline, reward_weight: float = 1.0, entropy_weight: float = 0.0
    ) -> Float[Tensor, " batch"]:
        r"""Return what is to be maximised: $\log p$ of the targets, or of draws their estimator.

        Args:
            baseline: of rewards, the log-probabilities; it matters for draws only.
            reward_weight: as in `reinforce`.
            entropy_weight: as in `reinforce`.
        """
        reward, drawn, spread = self.log_prob.sum(-1), self.readout.log_prob, self.readout.entropy
        if drawn is None or spread is None:
            return reward
        weights = reward_weight, entropy_weight
        return reinforce(reward, drawn.sum(-1), spread.sum(-1), baseline, *weights)


class Seq2Seq(nn.Module):
    r"""Read a source, then say a target word by word.

    $$ p(y \mid x) = \prod_i p(y_i \mid y_{<i}, x), \qquad
       p(y_i \mid y_{<i}, x) = \mathrm{softmax}(W_o \, d_i + b) $$

    $d_i$ are the decoder's features. Nil (word 0) fills rows up, and stands before the first word
    of a target. A target holds the word that ends it; whether a source does is up to its words.
    Every part is given: `presets` has the models of the papers.

    Deviations: none of its own; see the parts.
    Cite: bahdanau2015, luong2015

    Args:
        source_vocab: number of words of the source, nil included.
        target_vocab: number of words of the target, nil included.
        dim: width of an embedding.
        source: reads embedded words.
        decoder: says words by what it reads.
        dropout: share of the numbers of embeddings and features that is set to zero in training.
        initial: draws the first weights.

    Raises:
        ValueError: a size is too small, or the dropout is no share.
    """

    def __init__(
        self,
        source_vocab: int,
        target_vocab: int,
        dim: int,
        source: SourceReader,
        decoder: Decoder,
        dropout: float = 0.0,
        initial: Initial = modern_initial,
    ) -> None:
        super().__init__()
        mend = "Nil is one of them."
        at_least(2, "Seq2Seq", mend, source_vocab=source_vocab, target_vocab=target_vocab)
        at_least_one("Seq2Seq", dim=dim)
        share_of_it("Seq2Seq", dropout=dropout)
        self.source_embedding = nn.Embedding(source_vocab, dim)
        self.target_embedding = nn.Embedding(target_vocab, dim)
        self.source, self.decoder = source, decoder
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(decoder.dim, target_vocab)
        self.initial = initial
        self.reset_parameters()

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw the first weights."""
        with torch.no_grad():
            self.initial(self, generator)

    def start(
        self,
        source: Int[Tensor, "batch slot"],
        length: Int[Tensor, " batch"],
        generator: torch.Generator | None = None,
    ) -> State:
        """Read sources, once for all words that are said of them.

        Args:
            source: words, filled up.
            length: how many words there are.
            generator: source of randomness for a sampled read.

        Raises:
            ValueError: a length is of more words than there are columns.
        """
        longest = int(length.max()) if len(length) else 0
        if longest > source.shape[1]:
            raise ValueError(
                f"Seq2Seq: a length of {longest} words came, and sources of {source.shape[1]} "
                f"columns, expected {source.shape[1]} words at most. Pass the number of words of "
                f"each row, what fills it up not counted."
            )
        words = cut(source, longest)
        read = self.source(self.dropout(self.source_embedding(words)), length)
        annotations = self.decoder.reader.remember(read.states, read.last, length, generator)
        return State(annotations, self.decoder.start(read, annotations))

    def step(self, state: State, word: Int[Tensor, " row"]) -> NextWord:
        """Return what may follow a word: the step that `memnets.layers.decoding` searches.

        Args:
            state: `start`'s at first, then the one that the step before returned.
            word: the word before, nil at first; one for each hypothesis.
        """
        features, decoder, readout = self._say(state, word.unsqueeze(1))
        log_prob = self.output(features.squeeze(1)).log_softmax(-1)
        here = readout.each(lambda part: part.squeeze(1))
        return NextWord(log_prob, State(state.annotations, decoder), here)

    def forward(
        self,
        source: Int[Tensor, "batch slot"],
        length: Int[Tensor, " batch"],
        target: Int[Tensor, "batch _"],
        generator: torch.Generator | None = None,
    ) -> Taught:
        """Return the log-probability of every right word, the right ones before it given.

        Args:
            source: words, filled up.
            length: how many words there are.
            target: words with their ends, and nil behind them.
            generator: source of randomness for a sampled read.

        Raises:
            ValueError: nil stands before a word of a target, or a length is too large.
        """
        given = Given.of(target, "Seq2Seq")
        features, _, readout = self._say(self.start(source, length, generator), given.before)
        log_prob = given.log_prob(self.output, features)
        return Taught(log_prob, _cleared(readout, given.told), given.told)

    def loss(
        self,
        source: Int[Tensor, "batch slot"],
        length: Int[Tensor, " batch"],
        target: Int[Tensor, "batch _"],
        generator: torch.Generator | None = None,
    ) -> Float[Tensor, " batch"]:
        r"""Return $-\log p$ of every target; `forward` has it word by word."""
        return -self(source, length, target, generator).log_prob.sum(-1)

    def translate(
        self,
        source: Int[Tensor, "batch slot"],
        length: Int[Tensor, " batch"],
        end: int,
        longest: int,
        width: int = 1,
        divisor: Divisor = by_log_prob,
        generator: torch.Generator | None = None,
    ) -> Hypotheses:
        """Search for the likeliest targets; their evidence is what was read for each word.

        Args:
            source: words, filled up.
            length: how many words there are.
            end: the word that ends a target.
            longest: the most words of one.
            width: of the beam.
            divisor: how hypotheses of unequal lengths are ranked.
            generator: source of randomness for a sampled read.
        """
        with torch.no_grad():
            state = self.start(source, length, generator)
        allowed = never(self.output.out_features, NIL)
        first = torch.full_like(length, NIL)
        return beam_search(self.step, state, first, end, longest, width, divisor, allowed)

    def _say(self, state: State, words: Tensor) -> Said:
        embedded = self.dropout(self.target_embedding(words))
        said: Said = self.decoder(state.annotations, state.decoder, embedded)
        return said._replace(features=self.dropout(said.features))


def _cleared(readout: Readout, told: Tensor) -> Readout:
    """Return what was read, zeros where no word was."""
    return readout.each(lambda part: part.masked_fill(~told[(..., *[None] * (part.ndim - 2))], 0))
