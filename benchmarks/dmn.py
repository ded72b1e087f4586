"""The recurrences of DMN and DMN+: our op, a loop of linear layers, and PyTorch's GRU.

    python benchmarks/dmn.py --peer CHECKOUT --data TASKS      writes results/bench-dmn.json

The attention GRU reads the same facts in three passes, each with gates of its own, and learns:
facts, gates and weights get gradients. A GRU of both directions reads stories of any length, as
fusion does. PyTorch's GRU in the place of the attention GRU is another model, which hears no gates;
it is there as the speed that a user would take for the limit. With a checkout of
dandelin/Dynamic-memory-networks-plus-Pytorch a whole DMN+ learns task 2 of bAbI 10k beside ours,
batch by batch of as many questions, each with its own loader.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import torch
import tyro
from rich.console import Console
from torch import Tensor, nn
from torch.nn.functional import linear
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from dmn_peer import BATCH, Peer, open_peer
from memnets import results
from memnets.ops import native
from memnets.ops.gru import Direction, both_directions, last_of_gated_gru
from memnets.ops.ragged import Places
from memnets.report.tables import Terminal
from memnets.studies.babi.data import BabiData
from memnets.studies.babi.dmn.recipes import dmn_plus
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
        places = Places.of(mask)
        told = places.pick(facts)
        one, other = (
            Direction(linear(told, w, b), u, v) for w, u, b, v in (weights[:4], weights[4:])
        )
        forth, back = both_directions(one, other, places)
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
    peer: Path | None = None
    """A checkout of dandelin/Dynamic-memory-networks-plus-Pytorch."""
    data: Path | None = None
    """The folder tasks_1-20_v1-2, for the peer and for ours."""
    epochs: int = 3
    """How many both learn, for the accuracy after each."""
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
    if options.peer is not None and options.data is not None:
        rows.append((partial(whole, options, options.peer, options.data), "DMN+ learns task 2"))
    return rows


UPDATES = 9
"""Of a measurement: the peer makes as many in a second or two."""


class Ours(NamedTuple):
    """DMN+ as its recipe trains it, in batches of the peer's size."""

    model: Any
    task: Any
    optimizer: torch.optim.Optimizer

    @classmethod
    def new(cls, data: Path, task: int) -> "Ours":
        run = dmn_plus()
        stories = BabiData(tasks=(task,), size="10k", path=data)
        run = replace(run, data=stories, training=replace(run.training, batch=BATCH))
        experiment = run.prepare().experiment
        return cls(experiment.model, experiment.task, experiment.optimizer)

    def learn(self, first: int, updates: int) -> None:
        self.model.train()
        draws = torch.Generator().manual_seed(0)
        for batch in islice(self.task.batches("train", draws, first), updates):
            self.optimizer.zero_grad()
            step = self.task.loss(self.model, self.task.collate("train", batch), (), draws)
            (step.loss_sum / step.weight).backward()
            self.optimizer.step()


def whole(options: Options, folder: Path, data: Path, task: int = 2) -> results.BenchRow:
    """Time the learning of a task, and say what both have learnt epoch by epoch."""
    peer = open_peer(folder, data, task)
    ours, (theirs, adam) = Ours.new(data, task), peer.model()
    row = compare(
        f"DMN+ learns task {task} of bAbI 10k, {UPDATES} batches of {BATCH}",
        partial(ours.learn, 0, UPDATES),
        partial(peer.learn, theirs, adam, UPDATES),
        baseline_name=peer.name,
        repeats=options.repeats,
    )
    told = accuracies(options.epochs, Ours.new(data, task), peer)
    return replace(row, metric="time (ms)", note=told)


def accuracies(epochs: int, ours: Ours, peer: Peer) -> str:
    """Return the validation accuracy of both after every epoch, in words."""
    (theirs, adam), mine, others = peer.model(), [], []
    for epoch in range(epochs):
        ours.learn(epoch * ours.task.updates_per_epoch, ours.task.updates_per_epoch)
        ours.model.eval()
        mine.append(ours.task.evaluate(ours.model, "valid")["accuracy"].mean)
        peer.learn(theirs, adam, None)
        others.append(peer.accuracy(theirs))
    shown = (", ".join(f"{one:.1%}" for one in both) for both in (mine, others))
    return "validation accuracy by epoch: ours {}; theirs {}".format(*shown)


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
            f"{what}, {threads} thread{'s' * (threads > 1)}",
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
