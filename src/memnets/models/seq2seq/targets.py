"""Targets that are given: which words there are, and how likely the right ones are."""

from typing import NamedTuple

import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.ops.bags import NIL
from memnets.ops.likelihood import log_likelihood
from memnets.ops.ragged import Places


class Given(NamedTuple):
    """Targets as a decoder is taught by them.

    Attributes:
        words: cut to the longest.
        before: the word before each; nil before the first.
        told: where a target has a word.
    """

    words: Int[Tensor, "batch word"]
    before: Int[Tensor, "batch word"]
    told: Bool[Tensor, "batch word"]

    @classmethod
    def of(cls, target: Int[Tensor, "batch _"], model: str) -> "Given":
        """Cut targets to their longest, for what nobody says costs time.

        Args:
            target: words with their ends, and nil behind them.
            model: what is taught.

        Raises:
            ValueError: nil stands before a word.
        """
        told = target != NIL
        if (told[:, 1:] & ~told[:, :-1]).any():
            raise ValueError(
                f"{model}: nil (0) stands before a word of a target, expected it behind the last "
                f"word only. Number the words from 1, and fill rows up at their ends."
            )
        target = cut(target, int(told.any(0).sum()))
        return cls(target, F.pad(target[:, :-1], (1, 0), value=NIL), target != NIL)

    def log_prob(
        self, output: nn.Module, features: Float[Tensor, "batch word feature"]
    ) -> Float[Tensor, "batch word"]:
        """Return the log-probability of every right word, 0 behind the last.

        The output layer costs only the words that there are.

        Args:
            output: turns features into a number for every word of the vocabulary.
            features: what each word is chosen by.
        """
        places = Places.of(self.told)
        found = log_likelihood(output(places.pick(features)), self.words[self.told])
        return places.lay_out(found)

    def scored(
        self, output: nn.Module, features: Float[Tensor, "batch word feature"]
    ) -> tuple[Float[Tensor, "batch word"], Float[Tensor, "batch word"]]:
        """Return it, and beside it a one where the right word is the likeliest.

        Args:
            output: turns features into a number for every word of the vocabulary.
            features: what each word is chosen by.
        """
        places, right = Places.of(self.told), self.words[self.told]
        scores = output(places.pick(features))
        found = log_likelihood(scores, right)
        likeliest = (scores.detach().argmax(-1) == right).to(found.dtype)
        return places.lay_out(found), places.lay_out(likeliest)


def cut(words: Int[Tensor, "batch _"], longest: int) -> Int[Tensor, "batch word"]:
    """Return as many columns as the longest row has words, but one at least.

    More of them would regroup sums, and cost time.
    """
    longest = max(longest, 1)
    return F.pad(words[:, :longest], (0, max(0, longest - words.shape[1])), value=NIL)
