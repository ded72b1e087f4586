"""What a read must be given, said in one sentence where it is not.

Shape annotations are checked under pytest only, and torch broadcasts: without this a mask of one
axis too few reads other rows' slots and says nothing. Only ranks, sizes and types are looked at.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from memnets.attention.context import AlignContext


def expect_read(
    part: str,
    query: Tensor,
    keys: Tensor,
    values: Tensor | None,
    mask: Tensor | None,
    context: AlignContext,
    axes: Sequence[str] = ("query", "dim"),
) -> None:
    """Refuse what would be read otherwise than meant, or not at all.

    Args:
        part: who was called.
        query: what is asked; its last axes are `axes`, those before are the batch's.
        keys: what the slots are found by.
        values: what is read from them, if that is not the keys.
        mask: True where a slot may be read.
        context: what score or align need besides.
        axes: of the query, behind the batch.

    Raises:
        TypeError: something is not what it should be: a tensor, of floats, of Bool, a context.
        ValueError: the shapes do not belong together.
    """
    if not isinstance(context, AlignContext):
        raise TypeError(
            f"{part}: the context is a {_kind(context)}, expected an AlignContext. "
            f"Pass context=AlignContext(positions=..., ...)."
        )
    expect_floats(part, "query", query)
    expect_floats(part, "keys", keys)
    if query.dtype != keys.dtype and not torch.is_autocast_enabled(query.device.type):
        raise TypeError(
            f"{part}: the query is {query.dtype} and the keys are {keys.dtype}, expected one "
            f"precision. Pass query.to(keys.dtype), or read under torch.autocast."
        )
    asked, kept = query.shape, keys.shape
    if len(kept) < 2 or len(asked) < len(axes) or asked[: -len(axes)] != kept[:-2]:
        raise ValueError(_other_batch(part, query, keys, axes))
    if values is not None and values is not keys:
        expect_floats(part, "values", values)
        if values.shape[:-1] != kept[:-1]:
            raise ValueError(
                f"{part}: the values have shape {_shape(values)} and the keys {_shape(keys)}, "
                f"expected all but the last axis to be equal. A slot has one key and one value."
            )
    if mask is not None:
        expect_mask(part, mask, (*kept[:-2], asked[-2], kept[-2]))


def expect_mask(part: str, mask: Tensor, weights: tuple[int, ...]) -> None:
    """Refuse a mask that is not Bool, does not fit the weights, or may mean two things.

    Raises:
        TypeError: the mask is not a Bool tensor.
        ValueError: it does not broadcast to the weights, or one of the batch for each row has the
            shape of one for each query.
    """
    if not isinstance(mask, Tensor) or mask.dtype != torch.bool:
        raise TypeError(
            f"{part}: the mask is a {_kind(mask)}, expected a Bool tensor, True where a slot may "
            f"be read. Pass mask.bool(), or mask == 0 where a number says what is left out."
        )
    found = tuple(mask.shape)
    if _fits(found, weights) and not _may_be_of_rows(found, weights):
        return
    raise ValueError(_other_mask(part, found, weights))


def expect_floats(part: str, name: str, tensor: Tensor) -> None:
    """Refuse what is no tensor of floating-point numbers.

    Raises:
        TypeError: it is not; the text says what it is.
    """
    if not (isinstance(tensor, Tensor) and tensor.dtype.is_floating_point):
        raise TypeError(
            f"{part}: the {name} {'are' if name.endswith('s') else 'is'} a {_kind(tensor)}, "
            f"expected a tensor of floating-point numbers. "
            f"Pass {'torch.as_tensor(...)' if not isinstance(tensor, Tensor) else '.float()'}."
        )


def _fits(mask: tuple[int, ...], weights: tuple[int, ...]) -> bool:
    """Return whether a mask broadcasts to weights of just this shape."""
    if not 2 <= len(mask) <= len(weights) or mask[-1] != weights[-1]:
        return False
    return all(one in (1, size) for one, size in zip(mask, weights[-len(mask) :], strict=True))


def _may_be_of_rows(mask: tuple[int, ...], weights: tuple[int, ...]) -> bool:
    """Return whether a mask has the shape of the memory, so that it may be meant for each row."""
    return len(mask) < len(weights) and mask == (*weights[:-2], weights[-1]) and max(mask[:-1]) > 1


def _other_batch(part: str, query: Tensor, keys: Tensor, axes: Sequence[str]) -> str:
    wanted = ", ".join(("*batch", *axes))
    if query.ndim == keys.ndim + len(axes) - 3 and query.shape[: 1 - len(axes)] == keys.shape[:-2]:
        mend = "For one question a row pass query.unsqueeze(-2)."
    else:
        mend = "Expand the one that all rows share: keys.expand(*batch, -1, -1)."
    return (
        f"{part}: the query has shape {_shape(query)} and the keys {_shape(keys)}, expected "
        f"({wanted}) and (*batch, slot, dim) of one batch. {mend}"
    )


def _other_mask(part: str, mask: tuple[int, ...], weights: tuple[int, ...]) -> str:
    text = f"{part}: the mask has shape {mask} and the weights {weights}, "
    if mask == (*weights[:-2], weights[-1]):
        if _fits(mask, weights):
            text += "so that it may mean a line a row or a line a query"
            mend = "Pass mask.unsqueeze(-2) for the rows, mask.unsqueeze(0) for the queries"
        else:
            text += "expected (*batch, query, slot), any but the last may be 1"
            mend = "For one line a row pass mask.unsqueeze(-2)"
    else:
        text += "expected a shape that broadcasts to the weights, with as many slots"
        mend = "Its axes are (*batch, query, slot); pass 1 for a batch or queries that share it"
    return f"{text}. {mend}."


def _kind(found: object) -> str:
    if isinstance(found, Tensor):
        return f"tensor of {found.dtype}"
    return f"class, {found.__name__}" if isinstance(found, type) else type(found).__name__


def _shape(tensor: Tensor) -> tuple[int, ...]:
    return tuple(tensor.shape)
