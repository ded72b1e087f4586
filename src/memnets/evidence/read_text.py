"""A text, and what was read of its earlier words at every word. No tensors."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int


@dataclass(frozen=True)
class ReadText:
    r"""A text, and what was read of its earlier words at each word.

    Args:
        words: the text, one word a step.
        zones: $\alpha$ of each zone at each step, 0 where it was not chosen.
        slots: $a$ of each slot in its zone.
        steps: the step whose state the slot held, counted from 0 at the first word; negative
            where it was written before the text, below `-first` where no step wrote it.
        first: how many states were written before the text: zones are counted from there.
        unit: what its words are, such as "word", "character" or "step".

    Raises:
        ValueError: words and numbers are not of as many steps, or zones and slots not as many.
    """

    words: Sequence[str]
    zones: Float[np.ndarray, "_ _"]
    slots: Float[np.ndarray, "_ _ _"]
    steps: Int[np.ndarray, "_ _ _"]
    first: int = 0
    unit: str = "word"

    def __post_init__(self) -> None:
        shape = (len(self.words), *self.slots.shape[1:])
        found = (*self.zones.shape, self.slots.shape[-1]), self.slots.shape, self.steps.shape
        if any(part != shape for part in found):
            raise ValueError(
                f"ReadText of {len(self.words)} words: zones {self.zones.shape}, slots "
                f"{self.slots.shape} and steps {self.steps.shape} came; expected the words' number "
                f"first and as many zones and slots in all. Pass the numbers of one row."
            )

    @property
    def weights(self) -> Float[np.ndarray, "time time"]:
        """How much of each earlier word was taken at each word: the product of both weights."""
        return self._spread(self.zones[..., None] * self.slots)

    @property
    def readable(self) -> Bool[np.ndarray, "time time"]:
        """Which earlier words could be read at each word."""
        return self._spread(np.ones_like(self.slots)) > 0

    @property
    def before(self) -> Float[np.ndarray, " time"]:
        """How much was taken at each word of what was written before the text."""
        told = self.zones[..., None] * self.slots
        return (told * ((-self.first <= self.steps) & (self.steps < 0))).sum((1, 2))

    def zone_of(self, step: int) -> int:
        """Return the number, from 0, of the zone that a word's state was written to."""
        return (step + self.first) // self.slots.shape[-1]

    @property
    def borders(self) -> list[int]:
        """The words that opened a zone."""
        return [t for t in range(len(self.words)) if (t + self.first) % self.slots.shape[-1] == 0]

    def chosen(self, step: int) -> dict[int, float]:
        """Return the zones that were read at a word, by number, and how much of each."""
        found = {}
        for alpha, steps in zip(self.zones[step], self.steps[step], strict=True):
            if alpha > 0 and (steps >= 0).any():
                found[self.zone_of(int(steps.max()))] = float(alpha)
        return found

    def _spread(self, numbers: Float[np.ndarray, "time zone slot"]) -> Float[np.ndarray, "t t"]:
        spread = np.zeros((len(self.words), len(self.words)))
        step, zone, slot = np.nonzero(self.steps >= 0)
        np.add.at(spread, (step, self.steps[step, zone, slot]), numbers[step, zone, slot])
        return spread
