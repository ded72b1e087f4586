"""A stem that sees pictures, and what tells of them."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.layers.decoding import Divisor, Hypotheses, by_log_prob
from memnets.layers.stems import Stem
from memnets.models.show_attend_tell.network import ShowAttendTell, Told


class Captioner(nn.Module):
    """See pictures once each, whatever number of captions they have, and tell them.

    Args:
        stem: makes annotations of pictures, or passes on those that are given.
        teller: says captions of annotations.
    """

    def __init__(self, stem: Stem, teller: ShowAttendTell) -> None:
        super().__init__()
        self.stem, self.teller = stem, teller

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw the first weights of both; those that were published stay."""
        self.stem.reset_parameters(generator)
        self.teller.reset_parameters(generator)

    def forward(
        self,
        images: Float[Tensor, "image ..."],
        target: Int[Tensor, "row _"],
        of: Int[Tensor, " row"] | None = None,
        generator: torch.Generator | None = None,
        samples: int = 1,
    ) -> Told:
        """Return the log-probability of every right word; see `ShowAttendTell.forward`.

        Args:
            images: pictures, or what the stem passes on.
            target: captions with their ends, and nil behind them.
            of: the picture of each caption; by default as many for each, one behind the other.
            generator: source of randomness where places are drawn.
            samples: how often every caption is gone through.
        """
        places = self.stem(images)
        if of is not None:
            places = places.index_select(0, of)
        return self.teller(places, target, generator, samples)

    def caption(
        self,
        images: Float[Tensor, "image ..."],
        end: int,
        longest: int,
        width: int = 1,
        divisor: Divisor = by_log_prob,
        generator: torch.Generator | None = None,
    ) -> Hypotheses:
        """Search for the likeliest captions; see `ShowAttendTell.caption`."""
        with torch.no_grad():
            places = self.stem(images)
        return self.teller.caption(places, end, longest, width, divisor, generator)
