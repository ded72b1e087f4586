"""Hard attention: one place is drawn for each word, in training; at test there are three ways."""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from memnets.attention import Align, Argmax, Attention, Readout, Sampled, Score
from memnets.layers.stepwise import Annotations, Past, StepReader, Stepwise
from memnets.ops.sizes import share_of_it

Coin = Callable[[int, torch.Generator], Tensor]
"""`coin(images, generator)` returns of which images the expectation is read: Bool `(image,)`."""


def coin_for_each(share: float = 0.5) -> Coin:
    """Toss for every image, as the paper says (section 4.1).

    Args:
        share: of images whose draws are replaced by their expectation.

    Raises:
        ValueError: it is no share.
    """
    share_of_it("coin_for_each", share=share)

    def toss(images: int, generator: torch.Generator) -> Tensor:
        return torch.rand(images, generator=generator, device=generator.device) < share

    return toss


def coin_for_all(share: float = 0.5) -> Coin:
    """Toss once for a whole batch, as the authors' code does.

    Args:
        share: of batches whose draws are replaced by their expectation.

    Raises:
        ValueError: it is no share.
    """
    each = coin_for_each(share)
    return lambda images, generator: each(1, generator).expand(images)


class DrawnPast(NamedTuple):
    """What the next step must know: those before, and whose expectation is read all along."""

    past: Past
    soft: Bool[Tensor, " row"]


class Drawn(StepReader):
    r"""Read one place, drawn from the softmax, and at test as an align of your choice does.

    $$ \tilde s_t \sim \mathrm{Multinoulli}(\alpha_t), \qquad \hat z_t = a_{\tilde s_t} $$
    (Xu et al., section 4.1)

    In training a coin decides for a whole caption whether all of its draws are replaced by their
    expectation, $\sum_i \alpha_{ti} a_i$; such a row says nothing of its draws, whose
    log-probability is then 0. In evaluation `test` reads: `Argmax()`, `Softmax()`, which is the
    expectation and what the authors' release does, or `Sampled()`.

    Deviations: none.
    Cite: xu2015

    Args:
        score: how well a place matches a state.
        coin: `coin_for_each()` as in the paper; None never reads an expectation.
        test: how it reads in evaluation.
    """

    def __init__(
        self, score: Score, coin: Coin | None = coin_for_each(), test: Align | None = None
    ) -> None:
        super().__init__()
        self.drawing = Stepwise(Attention(score, Sampled()))
        self.coin, self.test = coin, test or Argmax()

    def remember(
        self,
        states: Float[Tensor, "batch slot dim"],
        last: Float[Tensor, "batch dim"],
        length: Int[Tensor, " batch"],
        generator: torch.Generator | None = None,
    ) -> Annotations:
        return self.drawing.remember(states, last, length, generator)

    def start(self, annotations: Annotations) -> DrawnPast:  # type: ignore[override]
        soft = torch.zeros_like(annotations.length, dtype=torch.bool)
        if self.training and self.coin is not None and annotations.generator is not None:
            soft = self.coin(len(soft), annotations.generator)
        return DrawnPast(self.drawing.start(annotations), soft)

    def forward(  # type: ignore[override]
        self, annotations: Annotations, query: Float[Tensor, "row step _"], past: DrawnPast
    ) -> tuple[Readout, DrawnPast]:
        if not self.training:
            reader = Stepwise(Attention(self.drawing.attention.score, self.test))
            readout, after = reader(annotations, query, past.past)
            return readout, DrawnPast(after, past.soft)
        readout, after = self.drawing(annotations, query, past.past)
        if past.soft.any():
            readout = _softened(annotations, readout, past.soft)
        return readout, DrawnPast(after, past.soft)


def _softened(annotations: Annotations, readout: Readout, soft: Bool[Tensor, " row"]) -> Readout:
    """Return a readout with the expectations of some rows in place of their draws."""
    assert readout.scores is not None
    assert readout.log_prob is not None
    here = soft[:, None, None]
    weights = readout.scores.softmax(-1).to(readout.weights)  # every place may be read
    images = len(annotations.length)
    by_image = weights.reshape(images, -1, weights.shape[-1])
    expected = (by_image @ annotations.values).reshape(readout.value.shape)
    return readout._replace(
        value=torch.where(here, expected, readout.value),
        weights=torch.where(here, weights, readout.weights),
        log_prob=readout.log_prob.masked_fill(soft[:, None], 0.0),
    )
