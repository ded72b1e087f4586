"""What a language model read before each symbol of a text: by hop, by zone, by a neural cache."""

from collections.abc import Iterator, Sequence
from typing import Any

from jaxtyping import Float, Int
from torch import Tensor

from memnets.evidence.coded_text import PlacesRead
from memnets.studies.language.neural_cache import read_cache

LEAST = 0.005
"""A place of which less was read is left out: it would be shown as nothing."""


def of_hops(
    hops: Sequence[Float[Tensor, "time slot"]], steps: Sequence[int]
) -> Iterator[list[PlacesRead]]:
    """Yield what each hop read at some steps of a text.

    Args:
        hops: the weights of each hop; slots from the oldest symbol to that of the step.
        steps: which are told of.
    """
    rows = [weights[list(steps)].tolist() for weights in hops]
    for number, step in enumerate(steps):
        yield [
            _kept(f"hop {hop}", enumerate(weights[number], start=step + 1 - len(weights[number])))
            for hop, weights in enumerate(rows, start=1)
        ]


def of_zones(
    zones: Float[Tensor, "time zone"],
    slots: Float[Tensor, "time zone slot"],
    written: Int[Tensor, "time zone slot"],
    steps: Sequence[int],
) -> Iterator[list[PlacesRead]]:
    """Yield what was read of each zone that was chosen at some steps, the oldest zone first.

    Args:
        zones: how much of each was taken.
        slots: how much of each slot in its zone.
        written: the step whose state a slot held; negative where there was none.
        steps: which are told of.
    """
    width = slots.shape[-1]
    weights = zones[..., None] * slots
    for step in steps:
        found = {}
        for places, shares in zip(written[step].tolist(), weights[step].tolist(), strict=True):
            number = max(places) // width
            one = _kept(f"zone {number + 1}", zip(places, shares, strict=True))
            if one.places:
                found[number] = one
        yield [found[number] for number in sorted(found)]


def of_cache(
    hidden: Float[Tensor, "time dim"], window: int, flatness: float, steps: Sequence[int]
) -> Iterator[list[PlacesRead]]:
    """Yield what a neural cache of so many steps read at some steps."""
    for step in steps:
        weights = read_cache(hidden[: step + 1], window, flatness).tolist()
        places = enumerate(weights, start=step - len(weights))
        yield [_kept("neural cache", places)] if weights else []


def _kept(name: str, read: Any) -> PlacesRead:
    """Return what was read, the oldest place first, but for what hardly was."""
    kept = sorted((place, round(share, 4)) for place, share in read if place >= 0)
    kept = [pair for pair in kept if pair[1] >= LEAST]
    places, weights = zip(*kept, strict=True) if kept else ((), ())
    return PlacesRead(name, places, weights)
