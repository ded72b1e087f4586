"""States and patterns of a Hopfield network: rows of 1 and -1."""

import torch
from jaxtyping import Int8, Num
from torch import Tensor

from memnets.ops.sizes import at_least, within


def signs(
    name: str, rows: Num[Tensor, "*batch dim"], dim: int | None = None
) -> Int8[Tensor, "*batch dim"]:
    """Return rows of 1 and -1 as whole numbers of a byte.

    Args:
        name: of the rows, for what is said of wrong ones.
        rows: of any type of numbers.
        dim: how many neurons there are, where that is known.

    Raises:
        TypeError: it is no tensor.
        ValueError: a number is neither 1 nor -1, or the rows have another width.
    """
    expect_tensor(name, rows)
    if dim is not None and rows.shape[-1:] != (dim,):
        raise ValueError(
            f"{name}: shape {tuple(rows.shape)} came, expected rows of {dim} numbers, one for each "
            f"neuron. Bring them to the width of the stored patterns."
        )
    strange = rows[(rows != 1) & (rows != -1)]
    if len(strange):
        found = strange[0].item()
        mend = "Pass 2 * bits - 1." if found == 0 else "Turn each number into its sign."
        raise ValueError(f"{name}: {found:g} came, expected numbers that are 1 or -1. {mend}")
    return rows.to(torch.int8)


def expect_tensor(name: str, numbers: object) -> None:
    """Refuse a list or an array, in words that say what to do.

    Raises:
        TypeError: it is no tensor.
    """
    if not isinstance(numbers, Tensor):
        raise TypeError(
            f"{name}: a {type(numbers).__name__} came, expected a tensor. Pass "
            f"torch.as_tensor(numbers)."
        )


def random_patterns(
    patterns: int, dim: int, generator: torch.Generator | None = None
) -> Int8[Tensor, "pattern dim"]:
    """Return patterns whose every number is 1 or -1 with equal chance.

    Raises:
        TypeError: a size is no whole number.
        ValueError: a size is negative.
    """
    at_least(0, "random_patterns", "Pass more.", patterns=patterns, dim=dim)
    bits = torch.randint(0, 2, (patterns, dim), generator=generator, dtype=torch.int8)
    return 2 * bits - 1


def flipped(
    rows: Num[Tensor, "*batch dim"], share: float, generator: torch.Generator | None = None
) -> Num[Tensor, "*batch dim"]:
    """Return rows with a share of their numbers turned, the same number of them in each row.

    Args:
        rows: of 1 and -1.
        share: from 0 to 1; rounded to whole numbers of a row.
        generator: chooses which.

    Raises:
        ValueError: the share is not within.
    """
    within(lambda x: 0 <= x <= 1, "flipped", "a share from 0 to 1. 0.1 turns a tenth.", share=share)
    count = round(share * rows.shape[-1])
    chance = torch.rand(rows.shape, generator=generator)
    turned = torch.zeros(rows.shape, dtype=torch.bool)
    turned.scatter_(-1, chance.topk(count, dim=-1).indices, True)
    return torch.where(turned, -rows, rows)
