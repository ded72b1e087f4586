"""How long the gradients of the last updates were, part by part: which part broke a run."""

import torch
from torch import Tensor, nn

NAMED = 3
"""So many parts are named."""


class Lengths:
    """The norms of the gradients of every parameter, since they were last looked at.

    They stay where they were computed, so that a GPU does not wait at every update.
    """

    def __init__(self) -> None:
        self._rows: list[tuple[int, list[str], Tensor]] = []

    def add(self, update: int, model: nn.Module) -> None:
        """Take in the gradients of an update, before they are clipped."""
        gradients = {
            name: weight.grad.detach()
            for name, weight in model.named_parameters()
            if weight.grad is not None
        }
        numbers = [one._values() if one.is_sparse else one for one in gradients.values()]
        if numbers:
            lengths = torch.stack(torch._foreach_norm(numbers))
            self._rows.append((update, list(gradients), lengths))

    @property
    def finite(self) -> bool:
        """Whether all gradients of the last update are finite; waits until they are computed."""
        return not self._rows or bool(self._rows[-1][2].isfinite().all())

    def forget(self) -> None:
        """Drop all but the last update's."""
        del self._rows[:-1]

    def blame(self, last: int) -> str:
        """Return a sentence of which gradients were too long; nothing where none are known.

        The first that were not finite, or else the longest of the last update.

        Args:
            last: update whose gradients may be to blame.
        """
        known = [row for row in self._rows if row[0] <= last]
        for at, names, lengths in known:
            broken = [repr(names[place]) for place in (~lengths.isfinite()).nonzero().flatten()]
            if broken:
                more = f" and of {len(broken) - NAMED} more" if len(broken) > NAMED else ""
                parts = ", ".join(broken[:NAMED])
                return f" The gradient of {parts}{more} was not finite in update {at}."
        if not known:
            return ""
        at, names, lengths = known[-1]
        length, longest = lengths.max(0)
        return f" The longest gradient of update {at} was {length:.3g}, of {names[longest]!r}."
