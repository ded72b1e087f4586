"""MemN2N's update against its plain twins, and against other people's MemN2N.

    python benchmarks/memn2n.py --data PATH      writes results/bench-memn2n.json
    python benchmarks/memn2n.py --peer PATH      writes results/bench-memn2n-peers.json

An update is forward, backward, clipping, SGD. A plain twin starts from the same weights, sees the
same batches, and must have the same loss. A peer is another implementation of a like model.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import torch
import torch.nn.functional as F
import tyro
from rich.console import Console
from torch import Tensor

from memn2n_peers import BATCHES, Match, Trained, open_peer, train
from memnets import results
from memnets.data.babi.files import babi_folder
from memnets.experiments import execute
from memnets.memories import SharedSlots
from memnets.models.memn2n import MemN2N, MemN2NOutput
from memnets.ops import native
from memnets.report.tables import Terminal
from memnets.studies.babi.memn2n.recipes import MemN2NBabi, babi, babi_joint
from memnets.training.experiment import Experiment
from timing import compare

METRIC = "time of an update (ms)"


class InPyTorch(MemN2N):
    """The plain twin of the native kernel."""

    def forward(
        self, sentences: Tensor, story: Tensor, age: Tensor, question: Tensor
    ) -> MemN2NOutput:
        return self.answer(self.remember(sentences, story, age), question)


class LaidOut(InPyTorch):
    """The plain twin of the shared read: the sentence of every slot is read, and laid out."""

    def remember(self, sentences: Tensor, story: Tensor, time: Tensor) -> tuple[SharedSlots, ...]:
        own = torch.arange(story.numel()).view_as(story)
        return super().remember(sentences[story.flatten()], own, time)

    def answer(self, memory: tuple[SharedSlots, ...], question: Tensor) -> MemN2NOutput:
        table = self.tables[:, self.tying.question(self.hops)]
        state = self._read(question, table.unsqueeze(1)).squeeze(1)
        hops = []
        for slots in memory:
            keys, values, mask = slots.laid_out()
            readout = self.attention.attend(state.unsqueeze(-2), keys, values, mask.unsqueeze(-2))
            state = self.activation(self.carry(state) + readout.value.squeeze(-2))
            hops.append(readout)
        logits = state @ self.tables[:, self.tying.answer(self.hops)].mT
        return MemN2NOutput(logits, tuple(hops), state)


class WordByWord(LaidOut):
    """The plain twin of a reader: all words' vectors side by side, nil's too, weighted, summed."""

    def _read(self, words: Tensor, tables: Tensor) -> Tensor:
        weights = self.reader.places(tables)[: self.reader.words - 1]
        words = F.pad(words, (0, len(weights) - words.shape[1]))
        return (tables[words] * weights.unsqueeze(1)).sum(1)  # sentence word table dim, by words


@dataclass(frozen=True)
class Options:
    """Time MemN2N's update against its plain twins, or against other people's MemN2N."""

    data: Path | None = None
    """Where bAbI is; by default MEMNETS_DATA, then the download cache."""
    peer: Annotated[tuple[Path, ...], tyro.conf.UseAppendAction] = ()
    """Checkout of a peer; several may be named. The twins are then left out."""
    accuracy: bool = False
    """Let us and each peer learn task 1 to the end, and say the test accuracy."""
    repeats: int = 9
    """Pairs of a comparison."""
    threads: int = 1
    """Threads of both."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""

    def __post_init__(self) -> None:
        if self.accuracy and not self.peer:
            raise ValueError(
                "--accuracy without a peer would be ignored: a plain twin learns the same. "
                "Name a peer's checkout with --peer PATH."
            )


def main() -> None:
    options = tyro.cli(Options, description=__doc__)
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    bench = against_peers(options) if options.peer else against_twins(options)
    path = results.write(bench, options.results or results.results_folder())
    Console().print(Terminal(bench), f"\n{path}", sep="\n")


def against_twins(options: Options) -> results.Benchmark:
    rows = []
    for title, run in (
        ("joint, batch 128", on(babi_joint(), 128, options.data)),
        ("task 1, batch 32", on(babi(), 32, options.data)),
    ):
        for twin, name in (
            (WordByWord, "words side by side"),
            (LaidOut, "bags of words"),
            (InPyTorch, "shared, in PyTorch"),
        ):
            ours, plain = step(run, _as(MemN2N)), step(run, _as(twin))
            row = compare(
                f"{title}, {name}",
                ours,
                plain,
                baseline_name="plain twin",
                same=lambda mine, theirs: torch.allclose(mine, theirs, rtol=1e-4),
                repeats=options.repeats,
                threads=options.threads,
            )
            rows.append(replace(row, metric=METRIC))
    return results.Benchmark(
        name="memn2n",
        command="python benchmarks/memn2n.py",
        config=_config(options),
        rows=tuple(rows),
    )


def against_peers(options: Options) -> results.Benchmark:
    data = babi_folder(options.data)
    peers = [open_peer(folder, data) for folder in options.peer]
    ours = learn_task_1(data, options.threads) if options.accuracy else None
    rows = []
    for peer in peers:
        accuracy = ""
        if ours is not None:
            accuracy = f"; {ours}, theirs {train(peer, data, options.threads)}"
        for match in peer.matches():
            row = against(match, peer.name, options)
            rows.append(replace(row, note=row.note + ("" if match.ready else accuracy)))
    words = [f"--peer {peer.repository.partition('/')[2]}" for peer in peers]
    return results.Benchmark(
        name="memn2n-peers",
        command=" ".join(
            ["python benchmarks/memn2n.py", *words, *(["--accuracy"] if options.accuracy else [])]
        ),
        config=_config(options) | {"peers": [peer.repository for peer in peers]},
        rows=tuple(rows),
    )


def _config(options: Options) -> dict[str, Any]:
    return {
        "repeats": options.repeats,
        "threads": options.threads,
        "kernels": native.kernels(),
    }


def against(match: Match, name: str, options: Options) -> results.BenchRow:
    """Time a peer's updates and as many of ours; the row is of one update."""
    experiment = on(match.run, match.batch, options.data).prepare().experiment
    update = step_of(experiment, BATCHES if match.ready else None)

    def ours() -> None:
        for _ in range(match.updates):
            update()

    row = compare(
        match.row,
        ours,
        match.epoch,
        baseline_name=name,
        repeats=options.repeats,
        threads=options.threads,
    )
    assert row.measured is not None
    assert row.baseline is not None
    mine = 1e3 * match.batch * match.updates / row.measured
    theirs = 1e3 * match.stories / row.baseline
    return replace(
        row,
        metric=METRIC,
        measured=row.measured / match.updates,
        baseline=row.baseline / match.updates,
        note=f"models alike, not the same; {mine:,.0f} stories/s, theirs {theirs:,.0f}",
    )


def learn_task_1(data: Path, threads: int) -> Trained:
    """Learn task 1 to the end by our own command, as a peer does by its own."""
    with TemporaryDirectory() as folder:
        run = Path(folder, "run")
        words = ["train", "memn2n/babi", "--out", str(run), "--data.path", str(data)]
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "memnets", *words, "--loop.threads", str(threads)],
            check=True,
            capture_output=True,
        )
        seconds = time.perf_counter() - start
        result = execute.finished(run)
    assert result is not None
    return Trained(result["metrics"]["test"]["accuracy"], seconds)


def on(run: MemN2NBabi, batch: int, data: Path | None) -> MemN2NBabi:
    training = replace(run.training, batch=batch)
    return replace(run, training=training, data=replace(run.data, path=data))


def step(run: MemN2NBabi, twin: Callable[[Experiment], Experiment]) -> Callable[[], Tensor]:
    """Return a function that makes one update of a twin and returns its loss."""
    return step_of(twin(run.prepare().experiment), BATCHES)


def step_of(experiment: Experiment, ready: int | None) -> Callable[[], Tensor]:
    """Return a function that makes one update and returns its loss.

    Args:
        experiment: its model is trained, with the softmax.
        ready: how many batches are made beforehand and gone through; None to draw each in time.
    """
    experiment.phases[-1].prepare(experiment.model)
    model, task, optimizer = experiment.model, experiment.task, experiment.optimizer
    generator = torch.Generator().manual_seed(0)
    batches = task.batches("train", generator, 0)
    if ready is not None:
        batches = cycle(list(islice(batches, ready)))

    def update() -> Tensor:
        optimizer.zero_grad()
        loss = task.loss(model, task.collate("train", next(batches)), (), generator).loss_sum
        loss.backward()
        experiment.clip(model)
        optimizer.step()
        task.after_update(model)
        return loss.detach()

    return update


def _as(kind: type[MemN2N]) -> Callable[[Experiment], Experiment]:
    def twin(experiment: Experiment) -> Experiment:
        experiment.model.__class__ = kind
        return experiment

    return twin


if __name__ == "__main__":
    main()
