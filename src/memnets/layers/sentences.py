"""Sentence readers: from the words of a sentence to one vector, without recurrence."""

from abc import ABC, abstractmethod
from functools import lru_cache
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.ops.bags import weighted_bag
from memnets.ops.sizes import at_least


class SentenceReader(nn.Module, ABC):
    r"""Sum the words of a sentence, each multiplied by a vector of its place.

    $$ s = \sum_j l_j \circ E[x_j] $$

    Word 0 is nil and adds nothing. Several tables $E$ are read in one go.

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
    def forward(
        self, words: Int[Tensor, "sentence word"], tables: Float[Tensor, "vocab table dim"]
    ) -> Float[Tensor, "sentence table dim"]:
        """Return a vector for each sentence and table."""

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
    def example(cls) -> "SentenceReader":
        """Return a small instance for the conformance tests."""
        return cls(words=7)


class BagOfWords(SentenceReader):
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


class PositionEncoding(SentenceReader):
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


def fixed_places(
    reader: SentenceReader, like: Float[Tensor, "*batch dim"]
) -> Float[Tensor, "place dim"] | None:
    """Return $l_1$ to $l_J$ if that is all there is to the reader, None for any other reader."""
    if type(reader) not in (BagOfWords, PositionEncoding, CentredPositionEncoding):
        return None
    return _fixed_places(type(reader), reader.words, like.shape[-1], like.dtype, like.device)


@lru_cache(maxsize=64)
def _fixed_places(
    kind: type[SentenceReader], words: int, dim: int, dtype: torch.dtype, device: torch.device
) -> Tensor:
    # A constant that outlives the call: an inference tensor could not be used in training.
    with torch.inference_mode(False):
        return kind(words).places(torch.empty(dim, dtype=dtype, device=device))


def _places(words: int, like: Tensor) -> tuple[Tensor, Tensor]:
    """Return $j/J$ and $k/d$ in the precision of the tables."""
    word = torch.arange(1, words + 1, dtype=like.dtype, device=like.device) / words
    width = like.shape[-1]
    return word, torch.arange(1, width + 1, dtype=like.dtype, device=like.device) / width
