"""The recurrences of DMN and DMN+: our op, a loop of linear layers, and PyTorch's GRU.

    python benchmarks/dmn.py      writes results/bench-dmn.json

The attention GRU reads the same facts in three passes, each with gates of its own, and learns:
facts, gates and weights get gradients. A GRU of both directions reads stories of any length, as
fusion does. PyTorch's GRU in the place of the attention GRU is another model, which hears no gates;
it is there as the speed that a user would take for the limit.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import torch
import tyro
from rich.console import Console
from torch import Tensor, nn
from torch.nn.functional import linear
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from memnets import results
from memnets.ops import native
from memnets.ops.gru import Direction, both_directions, last_of_gated_gru
from memnets.report.tables import Terminal
from timing import compare


@dataclass(frozen=True)
class Setting:
    """What is read.

    Attributes:
        facts: of the longest story.
        batch: how many stories are read at once.
        hidden: the width of a fact and of a state.
        passes: over the same facts.
    """

    facts: int
    batch: int = 128
    hidden: int = 80
    passes: int = 3


SETTINGS = tuple(map(Setting, (20, 50, 100)))


class AttentionGRU(nn.Module):
    """What is read of the facts, with the gates of each pass: ours."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.given, self.held = nn.Linear(hidden, 2 * hidden), nn.Linear(hidden, 2 * hidden)

    def forward(self, facts: Tensor, gates: Tensor) -> Tensor:
        projected = self.given(facts)
        return torch.stack(
            [last_of_gated_gru(projected, g, self.held.weight, self.held.bias) for g in gates]
        )


class Loop(AttentionGRU):
    """The same as papers write it: four linear layers at every step of every pass."""

    def forward(self, facts: Tensor, gates: Tensor) -> Tensor:
        halves = (part.chunk(2) for part in self.parameters())
        (w_r, w_c), (b_r, b_c), (u_r, u_c), (v_r, v_c) = halves
        found = []
        for g in gates.unsqueeze(-1):
            h = torch.zeros_like(facts[:, 0])
            for fact, gate in zip(facts.unbind(1), g.unbind(1), strict=True):
                r = torch.sigmoid(linear(fact, w_r, b_r) + linear(h, u_r, v_r))
                c = torch.tanh(linear(fact, w_c, b_c) + r * linear(h, u_c, v_c))
                h = gate * c + (1 - gate) * h
            found.append(h)
        return torch.stack(found)


class PlainGRU(nn.Module):
    """PyTorch's GRU in the place of an attention GRU: it hears no gates."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.gru = nn.GRU(hidden, hidden, batch_first=True)

    def forward(self, facts: Tensor, gates: Tensor) -> Tensor:
        return torch.stack([self.gru(facts)[1][0] for _ in gates])


class Fusion(nn.Module):
    """A GRU in both directions over stories of any length, whose states are added: ours."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.gru = nn.GRU(hidden, hidden, batch_first=True, bidirectional=True)

    def forward(self, facts: Tensor, mask: Tensor) -> Tensor:
        weights = list(self.gru.parameters())
        directions = (
            Direction(linear(facts, w, b), u, v) for w, u, b, v in (weights[:4], weights[4:])
        )
        forth, back = both_directions(*directions, mask)
        return (forth + back).masked_fill(~mask.unsqueeze(-1), 0.0)


class PackedFusion(Fusion):
    """The same in PyTorch's GRU, whose stories must be packed."""

    def forward(self, facts: Tensor, mask: Tensor) -> Tensor:
        packed = pack_padded_sequence(facts, mask.sum(1), batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(
            self.gru(packed)[0], batch_first=True, total_length=facts.shape[1]
        )
        forth, back = states.chunk(2, -1)
        return forth + back


@dataclass(frozen=True)
class Options:
    """Time the recurrences of DMN against a loop and PyTorch's GRU."""

    only: str = ""
    """Only the rows whose name has this in it; nothing is then written."""
    repeats: int = 7
    """Pairs of a comparison."""
    threads: tuple[int, ...] = (1, 2)
    """Threads of both; each number is tried."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""


def main() -> None:
    options = tyro.cli(Options, description=__doc__)
    rows = [row for make, name in plan(options) if options.only in name for row in (make(),)]
    bench = results.Benchmark(
        name="dmn",
        command="python benchmarks/dmn.py",
        config={"repeats": options.repeats, "kernels": native.kernels()},
        rows=tuple(rows),
    )
    Console().print(Terminal(bench))
    if not options.only:
        path = results.write(bench, options.results or results.results_folder())
        Console().print(f"\n{path}")


Row = tuple[Callable[[], results.BenchRow], str]


def plan(options: Options) -> list[Row]:
    """Return every row by its name, to be measured when it is called."""
    rows: list[Row] = []
    for threads in options.threads:
        for setting in SETTINGS:
            for theirs, name in ((Loop, "four linear layers a step"), (PlainGRU, "nn.GRU")):
                what = f"attention GRU, {setting.passes} passes over {setting.facts} facts"
                rows.append(_row(what, (AttentionGRU, theirs), name, setting, threads, options))
            what = f"GRU in both directions over up to {setting.facts} facts"
            kinds = (Fusion, PackedFusion)
            rows.append(_row(what, kinds, "nn.GRU, packed", setting, threads, options))
    return rows


def _row(
    what: str,
    kinds: tuple[type[nn.Module], type[nn.Module]],
    baseline: str,
    setting: Setting,
    threads: int,
    options: Options,
) -> Row:
    def measure() -> results.BenchRow:
        calls = [learning(kind, setting) for kind in kinds]
        row = compare(
            what,
            *calls,
            baseline_name=baseline,
            same=None if kinds[1] is PlainGRU else _are_close,
            repeats=options.repeats,
            threads=threads,
        )
        return replace(row, metric="time there and back (ms)")

    return measure, f"{what}, {threads} threads against {baseline}"


def _are_close(mine: list[Tensor], theirs: list[Tensor]) -> bool:
    """Return whether outputs and gradients agree, each to a part of its largest number."""
    return all(
        bool((one - other).abs().max() <= 1e-4 * other.abs().max())
        for one, other in zip(mine, theirs, strict=True)
    )


def learning(kind: type[nn.Module], setting: Setting) -> Callable[[], list[Tensor]]:
    """Return a function that reads, goes back, and returns output and gradients.

    Weights, facts, gates and lengths are the same for all that are called alike.
    """
    torch.manual_seed(0)
    model = kind(setting.hidden)
    facts = torch.randn(setting.batch, setting.facts, setting.hidden, requires_grad=True)
    if isinstance(model, Fusion):
        lengths = torch.randint(1, setting.facts + 1, (setting.batch,))
        heard = torch.arange(setting.facts) < lengths.unsqueeze(1)
        outer = torch.randn_like(facts)
    else:
        logits = torch.randn(setting.passes, setting.batch, setting.facts)
        heard = logits.softmax(-1).requires_grad_()
        outer = torch.randn(setting.passes, setting.batch, setting.hidden)
    learned = [facts, *model.parameters(), *([heard] if heard.requires_grad else [])]

    def once() -> list[Tensor]:
        for part in learned:
            part.grad = None
        output = model(facts, heard)
        output.backward(outer)
        return [output.detach(), *(part.grad for part in learned if part.grad is not None)]

    return once


if __name__ == "__main__":
    main()
