"""What some scores and aligns need besides a query, the keys and a mask."""

from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor


class AlignContext(NamedTuple):
    """Everything about a read that is not in the scores. A part names the fields it needs.

    Attributes:
        query: the queries, `(*batch, query, dim)`; a predicted centre (local-p) is made from them.
        positions: the place of each slot in its sequence, `(slot,)` or `(*batch, slot)`.
        length: true lengths of the sequences, `(*batch,)`, padding not counted.
        step: index of the query in its own sequence: an integer or `(*batch,)`; where one call
            holds many steps, `(*batch, query)`.
        previous: the weights of the step before, `(*batch, query, slot)`.
        coverage: the sum of the weights of all steps before, `(*batch, query, slot)`.
        strength: how sharply each query is meant, `(*batch, query)`.
        generator: source of randomness for a sampled read.
    """

    query: Tensor | None = None
    positions: Tensor | None = None
    length: Tensor | int | None = None
    step: Tensor | int | None = None
    previous: Tensor | None = None
    coverage: Tensor | None = None
    strength: Tensor | None = None
    generator: torch.Generator | None = None

    def require(self, field: str, part: str) -> Any:
        """Return a field that `part` cannot do without.

        Raises:
            ValueError: the context has no such field.
        """
        found = getattr(self, field)
        if found is None:
            raise ValueError(
                f"{part} needs the context's `{field}`, which is missing. "
                f"Pass context=AlignContext({field}=...) to the attention."
            )
        return found


def start_uniform(
    mask: Bool[Tensor, "*batch query slot"], dtype: torch.dtype | None = None
) -> Float[Tensor, "*batch query slot"]:
    """Return the `previous` of a first step that has looked at every readable slot alike."""
    weights = mask.to(dtype or torch.get_default_dtype())
    return weights / weights.sum(-1, keepdim=True).clamp(min=1.0)


def start_at_first(
    mask: Bool[Tensor, "*batch query slot"], dtype: torch.dtype | None = None
) -> Float[Tensor, "*batch query slot"]:
    """Return the `previous` of a first step that stands at the first readable slot."""
    first = mask & (mask.cumsum(-1) == 1)
    return first.to(dtype or torch.get_default_dtype())
