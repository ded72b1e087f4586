"""Inner products times a strength: how sharply the best match stands out of the others."""

from jaxtyping import Float
from torch import Tensor

from memnets.attention.context import AlignContext
from memnets.attention.scores import Dot, Factors
from memnets.ops.sizes import within


class StrengthDot(Dot):
    r"""Score a slot by its inner product with the query, times a constant strength.

    $$ e_{ij} = \beta \, q_i^\top k_j $$  (Ramsauer et al., Eq. 3)

    With `Softmax`, and the keys as values, it is one step of the modern Hopfield network. A
    strength of 0 reads the mean of all slots, a large one the slot of the highest product; for an
    infinite one compose `Dot` and `Argmax`.

    Deviations: none. [equation number recalled]
    Cite: ramsauer2021

    Args:
        strength: $\beta$.

    Raises:
        ValueError: the strength is negative or infinite; query and key have different widths.
    """

    def __init__(self, strength: float) -> None:
        super().__init__()
        expected = (
            "a number of at least 0. For an infinite one, the hard read, compose Dot() with "
            "Argmax()."
        )
        within(lambda x: x >= 0, "StrengthDot", expected, strength=strength)
        self.strength = strength

    def factors(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Factors:
        return super().factors(query, remembered)._replace(scale=self.strength)

    @classmethod
    def example(cls, query_dim: int, key_dim: int) -> "StrengthDot":
        return cls(0.7)


class KeyStrengthDot(Dot):
    r"""Score a slot by its inner product, times a strength that comes with each query.

    $$ e_{ij} = \beta_i \, q_i^\top k_j $$

    Deviations: none; whoever gives $\beta_i$, the context's `strength`, keeps it at 0 or above.
    Cite: ramsauer2021

    Raises:
        ValueError: the context has no strength; query and key have different widths.
    """

    def factors(
        self,
        query: Float[Tensor, "*batch query dim"],
        remembered: Float[Tensor, "*batch slot hidden"],
        context: AlignContext = AlignContext(),
    ) -> Factors:
        made = super().factors(query, remembered)
        strength = context.require("strength", "KeyStrengthDot").unsqueeze(-1)
        return made._replace(query=(strength * query).to(query.dtype))

    @classmethod
    def example(cls, query_dim: int, key_dim: int) -> "KeyStrengthDot":
        return cls()
