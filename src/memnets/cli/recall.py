"""`memnets recall`: what a damaged picture, or a row of a CSV, brings back."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import tyro
from rich import box
from rich.console import Console
from rich.table import Table

from memnets.cli.options import parse
from memnets.data.patterns import Patterns, read_patterns

if TYPE_CHECKING:
    import numpy as np
    from torch import Tensor

    from memnets.memories.hopfield import HopfieldNetwork, Recalled
    from memnets.report.recall import Told

NAMED = 3
"""Patterns that are named at most where several are equal, or equally near."""


@dataclass(frozen=True)
class Recall:
    """Store patterns in a Hopfield network, and let it recall one from a damaged cue.

    A pattern is a picture, made black and white at its middle grey, or a row of a CSV of 0 and 1,
    or of -1 and 1.
    """

    patterns: tyro.conf.Positional[Path]
    """CSV, picture, or folder of pictures: what is stored."""
    cue: tyro.conf.Positional[Path | None] = None
    """CSV or picture of the cue, of its first row; by default a stored pattern, with --noise."""
    pattern: int | None = None
    """Without a cue: the number of the stored pattern that is damaged; by default 1, the first."""
    noise: float | None = None
    """Without a cue: share of its neurons that are turned; by default 0.2."""
    rule: Literal["hebb", "storkey", "pseudo-inverse", "boltzmann"] = "pseudo-inverse"
    """Learning rule. Pictures resemble each other, which the pseudo-inverse takes into account."""
    side: int = 32
    """Pixels of a side to which pictures are brought; a CSV stays as it is."""
    seed: int = 0
    """Seed of what is turned."""
    out: Path | None = None
    """PNG or PDF of the recall, or a GIF that shows it sweep by sweep."""

    def __post_init__(self) -> None:
        if self.noise is not None and not 0 <= self.noise <= 1:
            raise ValueError(f"--noise {self.noise:g}: expected 0 to 1. Pass --noise 0.2, say.")
        if self.cue is not None and (self.noise, self.pattern) != (None, None):
            raise ValueError(
                f"the cue {self.cue} came with --pattern or --noise, which damage a stored pattern "
                f"and would be ignored. Leave the cue out, or these."
            )
        for name, value, least in (("side", self.side, 2), ("seed", self.seed, 0)):
            if value < least:
                raise ValueError(f"--{name} {value}: expected at least {least}. Pass more.")

    def run(self) -> int:
        from memnets.memories.hopfield import Asynchronous
        from memnets.memories.hopfield.capacity import RULES
        from memnets.memories.hopfield.rules import LearningRule

        stored = read_patterns(self.patterns, self.side)
        cue = self._cue(stored)
        rule = RULES[self.rule]()
        assert isinstance(rule, LearningRule)
        network = rule.learn(_tensor(stored))
        ended = Asynchronous().recall(network, cue)
        words = _ending(stored, ended, None if self.cue else (self.pattern or 1) - 1)
        _print(network, ended)
        print(words)
        if self.out is not None:
            from memnets.report.plots import save
            from memnets.report.recall import recall_plot, save_animation

            told = _told(stored, network, cue, ended, words)
            if self.out.suffix.lower() == ".gif":
                save_animation(told, self.out)
            else:
                save(recall_plot(told), self.out)
            print(self.out, file=sys.stderr)
        return 0

    def _cue(self, stored: Patterns) -> "Tensor":
        import torch

        from memnets.memories.hopfield import flipped

        if self.cue is not None:
            found = read_patterns(self.cue, self.side)
            if found.rows.shape[1] != stored.rows.shape[1]:
                raise ValueError(
                    f"{self.cue}: {found.rows.shape[1]} numbers, but the patterns of "
                    f"{self.patterns} have {stored.rows.shape[1]}; expected as many. Give a cue of "
                    f"the same kind."
                )
            return _tensor(found)[:1]
        number = 1 if self.pattern is None else self.pattern
        if not 1 <= number <= len(stored.rows):
            raise ValueError(
                f"--pattern {number}: {self.patterns} holds {len(stored.rows)} patterns. "
                f"Pass a number from 1 to {len(stored.rows)}."
            )
        share = 0.2 if self.noise is None else self.noise
        chosen = _tensor(stored)[number - 1 : number]
        return flipped(chosen, share, torch.Generator().manual_seed(self.seed))


def _print(network: "HopfieldNetwork", ended: "Recalled") -> None:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("sweep", justify="right")
    table.add_column("energy", justify="right")
    for step, energy in enumerate((ended.energies[0].double() / network.scale).tolist()):
        table.add_row(str(step), f"{energy:.6g}")
    Console().print(table)


def _tensor(patterns: Patterns) -> "Tensor":
    import torch

    return torch.from_numpy(patterns.rows)


def _ending(stored: Patterns, ended: "Recalled", asked: int | None) -> str:
    """Say what was recalled, and of which stored pattern the cue was, where that is another."""
    state = ended.states[0].numpy().astype(int)
    overlaps = stored.rows.astype(int) @ state / len(state)
    overlap = overlaps[int(abs(overlaps).argmax())]
    name = _listed(
        [name for name, one in zip(stored.names, overlaps, strict=True) if one == overlap]
    )
    flips = f"{int(ended.flips[0])} neurons flipped"
    if asked is not None and overlaps[asked] != overlap:
        flips += f"; the cue was of {stored.names[asked]}"
    if overlap == 1:
        return f"recalled exactly: {name}; {flips}."
    if overlap == -1:
        return f"recalled the negative of {name}; {flips}."
    return f"no stored pattern: nearest is {name}, overlap {overlap:.3f}; {flips}."


def _listed(names: list[str]) -> str:
    """Return names of patterns that the end is equally near to."""
    if len(names) > NAMED:
        names = [*names[:NAMED], f"{len(names) - NAMED} more"]
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _told(
    stored: Patterns, network: "HopfieldNetwork", cue: "Tensor", ended: "Recalled", words: str
) -> "Told":
    """Return the recall as it is drawn: gone through once more, flip by flip."""
    from memnets.memories.hopfield import falls
    from memnets.report.recall import Told

    states, energies = zip(*falls(network, cue[0]), strict=True)
    overlaps = stored.rows.astype(int) @ ended.states[0].numpy().astype(int)

    def picture(row: "np.ndarray") -> "np.ndarray":
        return (row.reshape(stored.shape) > 0).astype(float)

    return Told(
        picture(stored.rows[int(abs(overlaps).argmax())]),
        picture(cue.numpy()),
        [picture(state.numpy()) for state in states],
        [energy / network.scale for energy in energies],
        words,
    )


def main(arguments: Sequence[str]) -> int:
    """Recall, print and draw."""
    return parse(Recall, arguments, prog="memnets recall").run()
