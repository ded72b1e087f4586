"""Sentence readers: from the words of a sentence to one vector."""

from abc import ABC, abstractmethod
from functools import lru_cache
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.layers.encoders import RecurrentEncoder
from memnets.ops.bags import NIL, weighted_bag
from memnets.ops.sizes import at_least


class SentenceReader(nn.Module, ABC):
    """Read the words of a sentence, looked up in a table, as one vector.

    Word 0 is nil and is not read. Several tables $E$ are read in one go.
    """

    @abstractmethod
    def forward(
        self, words: Int[Tensor, "sentence word"], tables: Float[Tensor, "vocab table dim"]
    ) -> Float[Tensor, "sentence table hidden"]:
        """Return a vector for each sentence and table."""

    @classmethod
    @abstractmethod
    def example(cls, dim: int) -> "SentenceReader":
        """Return a small instance for the conformance tests, of words of a width."""


class PlacedWords(SentenceReader):
    r"""Sum the words of a sentence, each multiplied by a vector of its place.

    $$ s = \sum_j l_j \circ E[x_j] $$

    Args:
        words: the longest sentence, in words; fixed for a data set.

    Raises:
        ValueError: the number of words is below 1, or a sentence is longer.
    """

    def __init__(self, words: int) -> None:
        super().__init__()
        mend = "Pass the number of words in the longest sentence."
        at_least(1, type(self).__name__, mend, words=words)
        self.words = words

    @abstractmethod
    def places(self, like: Float[Tensor, "*batch dim"]) -> Float[Tensor, "place dim"]:
        """Return $l_1$ to $l_J$ in the width of `like`."""

    def place(self, position: int, like: Float[Tensor, "*batch dim"]) -> Float[Tensor, " dim"]:
        """Return $l_j$ for the word at `position`, counted from 1."""
        return self.places(like)[position - 1]

    def _check(self, words: Tensor) -> None:
        if words.shape[-1] > self.words:
            raise ValueError(
                f"{type(self).__name__}(words={self.words}): a sentence of {words.shape[-1]} "
                f"words came. Shorten it, or build the reader for longer sentences."
            )

    @classmethod
    def example(cls, dim: int) -> "PlacedWords":
        return cls(words=7)


class BagOfWords(PlacedWords):
    r"""Sum the words; their order is lost.

    $$ l_j = 1 $$  (Sukhbaatar et al., section 4.1, "BoW")

    Deviations: none.
    Cite: sukhbaatar2015
    """

    def forward(
        self, words: Int[Tensor, "sentence word"], tables: Float[Tensor, "vocab table dim"]
    ) -> Float[Tensor, "sentence table dim"]:
        self._check(words)
        return weighted_bag(words, tables.new_ones(words.shape[-1]), tables)

    def places(self, like: Float[Tensor, "*batch dim"]) -> Float[Tensor, "place dim"]:
        return like.new_ones(self.words, like.shape[-1])


class _Affine(NamedTuple):
    """The three factors of $l_{jk} = a_j + b_k c_j$."""

    offset: Float[Tensor, " word"]
    slope: Float[Tensor, " word"]
    ramp: Float[Tensor, " dim"]


class PositionEncoding(PlacedWords):
    r"""Weight the words by their place, differently in each dimension.

    $$ l_{jk} = (1 - j/J) - (k/d)(1 - 2j/J) $$  (Sukhbaatar et al., section 4.1, "PE")

    Here $j$ is the place of the word and $k$ the dimension, both from 1, $J$ the longest sentence
    of the whole data set (not of this sentence) and $d$ the width. For a given dimension $l$ is
    affine in $j$, so that two plain bags give the sum: nothing of size $J \times d$ is multiplied.

    Deviations: none. The authors' code uses `CentredPositionEncoding`.
    Cite: sukhbaatar2015
    """

    def factors(self, like: Float[Tensor, "*batch dim"]) -> _Affine:
        place, dim = _places(self.words, like)
        return _Affine(1 - place, 1 - 2 * place, -dim)

    def forward(
        self, words: Int[Tensor, "sentence word"], tables: Float[Tensor, "vocab table dim"]
    ) -> Float[Tensor, "sentence table dim"]:
        self._check(words)
        offset, slope, ramp = self.factors(tables)
        here = words.shape[-1]
        return torch.addcmul(
            weighted_bag(words, offset[:here], tables),
            weighted_bag(words, slope[:here], tables),
            ramp,
        )

    def places(self, like: Float[Tensor, "*batch dim"]) -> Float[Tensor, "place dim"]:
        offset, slope, ramp = self.factors(like)
        return torch.addcmul(offset.unsqueeze(-1), slope.unsqueeze(-1), ramp)


class CentredPositionEncoding(PositionEncoding):
    r"""Weight the words by their place, as the authors' code does: mean weight 1.

    $$ l_{jk} = 1 + 4\,\frac{(k - (d + 1)/2)\,(j - (J + 1)/2)}{d\,J} $$

    The published formula up to an affine map; symbols as in `PositionEncoding`.

    Deviations: from the paper's text, none from its released code.
    Cite: sukhbaatar2015
    """

    def factors(self, like: Float[Tensor, "*batch dim"]) -> _Affine:
        place, dim = _places(self.words, like)
        half_word, half_dim = 0.5 * (1 + 1 / self.words), 0.5 * (1 + 1 / like.shape[-1])
        return _Affine(torch.ones_like(place), 4 * (place - half_word), dim - half_dim)


class OwnLengthPositionEncoding(SentenceReader):
    r"""Weight the words by their place in their own sentence, differently in each dimension.

    $$ l_{jk} = (1 - j/M) - (k/d)(1 - 2j/M) $$  (Xiong et al., section 3.1)

    Symbols as in `PositionEncoding`, but for $M$: the number of words of this sentence, so that a
    sentence reads the same beside longer ones.

    Deviations: none; the printed sum has its limits swapped and writes one letter for two sizes.
    Cite: xiong2016
    """

    def forward(
        self, words: Int[Tensor, "sentence word"], tables: Float[Tensor, "vocab table dim"]
    ) -> Float[Tensor, "sentence table dim"]:
        said = words != NIL
        # Nil words in the midst are no words of the sentence: they have no place of their own.
        length = said.sum(-1, keepdim=True).clamp(min=1)
        place = said.cumsum(-1).to(tables.dtype) / length
        width = tables.shape[-1]
        ramp = torch.arange(1, width + 1, dtype=tables.dtype, device=tables.device) / width
        return torch.addcmul(
            weighted_bag(words, 1 - place, tables),
            weighted_bag(words, 1 - 2 * place, tables),
            -ramp,
        )

    @classmethod
    def example(cls, dim: int) -> "OwnLengthPositionEncoding":
        return cls()


class RecurrentReader(SentenceReader):
    r"""Read the words one after the other, and keep the last state.

    $$ h_j = f(E[x_j], h_{j-1}), \qquad s = h_M $$  (Kumar et al., section 2.2)

    With a recurrence in both directions it is $[\overrightarrow{h}_M; \overleftarrow{h}_1]$.

    Deviations: none. A sentence without words is zero.
    Cite: kumar2016

    Args:
        recurrence: `nn.GRU(dim, hidden)`, `nn.LSTM(...)` or the like.
    """

    def __init__(self, recurrence: nn.RNNBase) -> None:
        super().__init__()
        self.encoder = RecurrentEncoder(recurrence)
        self.hidden = self.encoder.hidden

    def forward(
        self, words: Int[Tensor, "sentence word"], tables: Float[Tensor, "vocab table dim"]
    ) -> Float[Tensor, "sentence table hidden"]:
        said = words != NIL
        last = _last(said)
        read = [
            self._read(F.embedding(words.long(), table), said, last) for table in tables.unbind(1)
        ]
        return torch.stack(read, 1)

    def _read(self, x: Tensor, said: Tensor, last: Tensor) -> Tensor:
        states = self.encoder(x, said)
        if not states.numel():
            return states.new_zeros(len(x), self.hidden)
        ends = states.gather(1, last[:, None, None].expand(-1, 1, states.shape[-1])).squeeze(1)
        if not self.encoder.recurrence.bidirectional:
            return ends
        first = said.int().argmax(-1)[:, None, None].expand(-1, 1, states.shape[-1])
        half = self.hidden // 2
        return torch.cat([ends[:, :half], states.gather(1, first).squeeze(1)[:, half:]], -1)

    @classmethod
    def example(cls, dim: int) -> "RecurrentReader":
        return cls(nn.GRU(dim, 3, bidirectional=True))


def _last(said: Bool[Tensor, "sentence word"]) -> Int[Tensor, " sentence"]:
    """Return where the last word of each sentence stands; 0 if it has none."""
    places = torch.arange(said.shape[-1], device=said.device)
    return (places * said).amax(-1) if said.shape[-1] else places.new_zeros(len(said))


def fixed_places(
    reader: PlacedWords, like: Float[Tensor, "*batch dim"]
) -> Float[Tensor, "place dim"] | None:
    """Return $l_1$ to $l_J$ if that is all there is to the reader, None for any other reader."""
    if type(reader) not in (BagOfWords, PositionEncoding, CentredPositionEncoding):
        return None
    return _fixed_places(type(reader), reader.words, like.shape[-1], like.dtype, like.device)


@lru_cache(maxsize=64)
def _fixed_places(
    kind: type[PlacedWords], words: int, dim: int, dtype: torch.dtype, device: torch.device
) -> Tensor:
    # A constant that outlives the call: an inference tensor could not be used in training.
    with torch.inference_mode(False):
        return kind(words).places(torch.empty(dim, dtype=dtype, device=device))


def _places(words: int, like: Tensor) -> tuple[Tensor, Tensor]:
    """Return $j/J$ and $k/d$ in the precision of the tables."""
    word = torch.arange(1, words + 1, dtype=like.dtype, device=like.device) / words
    width = like.shape[-1]
    return word, torch.arange(1, width + 1, dtype=like.dtype, device=like.device) / width
