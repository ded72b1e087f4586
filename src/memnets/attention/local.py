"""Local aligns: a softmax inside a window about a place that is given or predicted."""

from typing import ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from memnets.attention.aligns import Align
from memnets.attention.context import AlignContext
from memnets.ops.masking import masked_softmax, widen
from memnets.ops.sizes import at_least_one


class LocalM(Align):
    r"""Take slots by a softmax inside a window that moves with the step.

    $$ p_t = t, \qquad w_s = \mathrm{softmax}_{s \in [p_t - D, \, p_t + D]}(e_s) $$
    (Luong et al., section 3.2, "local-m")

    What stands outside the sentence is left out of the window; a window with nothing readable in
    it, as of a step far beyond the end, gives zeros.

    Deviations: none from the paper. The authors' released code keeps $p_t$ at the last word where
    the step is beyond it; for that pass the context `step.clamp(max=length - 1)`.
    Cite: luong2015

    Args:
        window: $D$, slots on either side, 10 in the paper.

    Raises:
        ValueError: the window is below 1; the context has no positions or no step.
    """

    depends_on_positions = True

    def __init__(self, window: int = 10) -> None:
        super().__init__()
        at_least_one("LocalM", window=window)
        self.window = window

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        centre = _of_queries(context.require("step", "LocalM"), scores)
        distance = _places(context.require("positions", "LocalM")) - centre
        return masked_softmax(scores, _within(distance, self.window, mask))

    @classmethod
    def example(cls) -> "LocalM":
        return cls(window=3)


class LocalP(Align):
    r"""Take slots inside a window about a predicted place, the more the nearer they are.

    $$ p_t = S \, \sigma(v_p^\top \tanh(W_p q_t)) $$  (Luong et al., Eq. 9)

    $$ w_s = \mathrm{softmax}_{s \in [\lfloor p_t \rfloor - D, \, \lfloor p_t \rfloor + D]}(e_s)
       \exp\Bigl(-\frac{(s - p_t)^2}{2 \sigma^2}\Bigr), \qquad \sigma = D / 2 $$  (Eq. 10)

    Here $S$ is the true length without the end token, and slots are counted from 0. The weights
    are not normalised again: they sum to less than one. The prediction learns through the
    Gaussian only; the floor passes no gradient.

    Deviations: none.
    Cite: luong2015

    Args:
        query_dim: width of a query.
        window: $D$, 10 in the paper.

    Raises:
        ValueError: a size is below 1; the context has no query, positions or length.
    """

    depends_on_positions = True
    sums_to: ClassVar[float | None] = None

    def __init__(self, query_dim: int, window: int = 10) -> None:
        super().__init__()
        at_least_one(type(self).__name__, query_dim=query_dim, window=window)
        self.window = window
        self.hidden_weight = nn.Linear(query_dim, query_dim, bias=False)
        self.centre_weight = nn.Linear(query_dim, 1, bias=False)

    def centre(
        self, query: Float[Tensor, "*batch query dim"], length: Tensor | int
    ) -> Float[Tensor, "*batch query 1"]:
        """Return the predicted place of each query, between 0 and the length."""
        share = torch.sigmoid(widen(self.centre_weight(torch.tanh(self.hidden_weight(query)))))
        return share * _of_queries(length, share)

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        near, exponent = self._look(mask, context)
        return masked_softmax(scores, near) * exponent.exp()

    def _look(self, mask: Tensor | None, context: AlignContext) -> tuple[Tensor, Tensor]:
        """Return the window, and the exponent of the Gaussian."""
        query, positions, length = (
            context.require(field, type(self).__name__)
            for field in ("query", "positions", "length")
        )
        centre, places = self.centre(query, length), _places(positions)
        near = _within(places - centre.floor(), self.window, mask)
        return near, -((places - centre) / (self.window / 2)).square() / 2

    @classmethod
    def example(cls) -> "LocalP":
        return cls(query_dim=5, window=3)


class NormalisedLocalP(LocalP):
    r"""Take slots as `LocalP` does, but normalise after the Gaussian.

    $$ w_s = \mathrm{softmax}_{s \in [\lfloor p_t \rfloor - D, \, \lfloor p_t \rfloor + D]}
       \Bigl(e_s - \frac{(s - p_t)^2}{2 \sigma^2}\Bigr) $$

    These are `LocalP`'s weights divided by their sum.

    Deviations: from Eq. 10, the normalisation.
    Cite: luong2015

    Args:
        query_dim: width of a query.
        window: $D$, 10 in the paper.

    Raises:
        ValueError: a size is below 1; the context has no query, positions or length.
    """

    sums_to = 1.0

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        near, exponent = self._look(mask, context)
        return masked_softmax(widen(scores) + exponent, near)


def _of_queries(number: Tensor | int, like: Tensor) -> Tensor | int:
    """Give a number a row, or one a query, the two last axes of the scores."""
    if isinstance(number, int):
        return number
    one_a_query = number.ndim == like.ndim - 1
    return number.unsqueeze(-1) if one_a_query else number[..., None, None]


def _places(positions: Tensor) -> Tensor:
    """Give positions the axis of the queries."""
    return positions.unsqueeze(-2)


def _within(distance: Tensor, window: int, mask: Tensor | None) -> Tensor:
    near = distance.abs() <= window
    return near if mask is None else near & mask
