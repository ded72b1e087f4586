"""What the heads of an external memory write where they stand."""

from abc import ABC, abstractmethod

from jaxtyping import Float
from torch import Tensor, nn

from memnets.memories.external.addresses import Activation, activate
from memnets.ops.addressing import erase_add
from memnets.ops.sizes import at_least_one


class Write(nn.Module, ABC):
    """Turns what a controller says to each head, and where it stands, into the next memory.

    Attributes:
        size: how many numbers it is said a head.
    """

    size: int

    @abstractmethod
    def forward(
        self,
        memory: Float[Tensor, "batch slot dim"],
        weights: Float[Tensor, "batch head slot"],
        said: Float[Tensor, "batch head _"],
    ) -> Float[Tensor, "batch slot dim"]:
        """Return the memory as it is when all heads have written."""


class EraseAdd(Write):
    r"""Erase a share of each number, then add: all erases come before all adds.

    $$ M_t(i) = M_{t-1}(i) \circ \prod_h (1 - w_h(i) \, e_h) + \sum_h w_h(i) \, a_h $$
    (Graves et al., Eq. 3 and 4)

    $e$ is a sigmoid; it and $a$ are as wide as a slot.

    Deviations: none; the paper names no activation of $a$.
    Cite: graves2014

    Args:
        dim: width of a slot.
        activation: what is done to what is added.

    Raises:
        ValueError: the width is below 1.
    """

    def __init__(self, dim: int, activation: Activation = "none") -> None:
        super().__init__()
        at_least_one("EraseAdd", dim=dim)
        self.dim, self.activation, self.size = dim, activation, 2 * dim

    def forward(
        self,
        memory: Float[Tensor, "batch slot dim"],
        weights: Float[Tensor, "batch head slot"],
        said: Float[Tensor, "batch head _"],
    ) -> Float[Tensor, "batch slot dim"]:
        erase, add = said.chunk(2, -1)
        return erase_add(memory, weights, erase.sigmoid(), activate(add, self.activation))


class Overwrite(Write):
    r"""Replace what stands there, in the measure of the weights, by one vector.

    $$ M_t(i) = M_{t-1}(i) \, \textstyle\prod_h (1 - w_h(i)) + \sum_h w_h(i) \, a_h $$

    It is `EraseAdd` with all of $e$ at 1: a head that stands on one slot writes nothing but $a$
    there.

    Deviations: none; it is no paper's.

    Args:
        dim: width of a slot.
        activation: what is done to what is written.

    Raises:
        ValueError: the width is below 1.
    """

    def __init__(self, dim: int, activation: Activation = "none") -> None:
        super().__init__()
        at_least_one("Overwrite", dim=dim)
        self.dim, self.activation, self.size = dim, activation, dim

    def forward(
        self,
        memory: Float[Tensor, "batch slot dim"],
        weights: Float[Tensor, "batch head slot"],
        said: Float[Tensor, "batch head _"],
    ) -> Float[Tensor, "batch slot dim"]:
        add = activate(said, self.activation)
        return erase_add(memory, weights, add.new_ones(add.shape), add)
