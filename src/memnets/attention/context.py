"""What some scores and aligns need besides a query, the keys and a mask."""

from typing import NamedTuple

import torch
from torch import Tensor


class AlignContext(NamedTuple):
    """Everything about a read that is not in the scores. A part names the fields it needs.

    Attributes:
        query: the queries, `(*batch, query, dim)`; a predicted centre (local-p) is made from them.
        positions: the place of each slot in its sequence, `(slot,)` or `(*batch, slot)`.
        length: true lengths of the sequences, `(*batch,)`, padding not counted.
        step: index of the query in its own sequence, an integer or `(*batch,)`.
        previous: the weights of the step before, `(*batch, query, slot)`.
        generator: source of randomness for a sampled read.
    """

    query: Tensor | None = None
    positions: Tensor | None = None
    length: Tensor | None = None
    step: Tensor | int | None = None
    previous: Tensor | None = None
    generator: torch.Generator | None = None

    def require(self, field: str, part: str) -> object:
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
