"""MemN2N's training step against its plain twins: the same model, recipe and batches.

    python benchmarks/memn2n.py --data PATH      writes results/bench-memn2n.json

One call is one update: forward, backward, clipping, SGD. Every pair starts from the same weights,
sees the same batches, and must have the same loss.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path

import torch
import tyro
from rich.console import Console
from torch import Tensor, nn

from memnets import results
from memnets.benchmarking import compare
from memnets.layers import SentenceReader
from memnets.memories import SharedSlots
from memnets.models.memn2n import MemN2N, Reply
from memnets.ops.bags import NIL
from memnets.recipes.memn2n import MemN2NBabi, babi, babi_joint
from memnets.report.tables import terminal
from memnets.tasks.babi import BabiTask, every_slot
from memnets.training.experiment import Experiment

BATCHES = 23
"""How many different batches are gone through."""


class WordByWord(SentenceReader):
    """The plain twin of a reader: every word's vectors side by side, weighted, summed."""

    def __init__(self, reader: SentenceReader) -> None:
        super().__init__(reader.words)
        self.reader = reader

    def forward(self, words: Tensor, tables: Tensor) -> Tensor:
        places = range(1, words.shape[1] + 1)
        weights = torch.stack([self.reader.place(place, tables) for place in places])
        here = (words != NIL)[..., None, None] * weights.unsqueeze(1)
        return (tables[words] * here).sum(1)  # sentence word table dim, summed over the words

    def place(self, position: int, like: Tensor) -> Tensor:
        return self.reader.place(position, like)


class LaidOut(MemN2N):
    """The plain twin of the read: every slot of every row by itself."""

    def answer(self, memory: tuple[SharedSlots, ...], question: Tensor) -> Reply:
        table = self.tables[:, self.tying.question(self.hops)]
        state = self.reader(question, table.unsqueeze(1)).squeeze(1)
        hops = []
        for slots in memory:
            keys, values, mask = slots.laid_out()
            readout = self.attention.attend(state.unsqueeze(-2), keys, values, mask.unsqueeze(-2))
            state = self.activation(self.carry(state) + readout.value.squeeze(-2))
            hops.append(readout)
        return Reply(state @ self.tables[:, self.tying.answer(self.hops)].mT, tuple(hops))


@dataclass(frozen=True)
class Benchmark:
    """Time MemN2N's training step against its plain twins."""

    data: Path | None = None
    """Where bAbI is; by default MEMNETS_DATA, then the download cache."""
    repeats: int = 9
    """Pairs of a comparison."""
    threads: int = 1
    """Threads of both."""
    results: Path | None = None
    """Where bench-memn2n.json goes; by default the checkout's results folder."""


def main() -> None:
    options = tyro.cli(Benchmark)
    torch.set_num_threads(options.threads)
    rows = []
    for title, run in (
        ("joint, 20 tasks, batch 128", _with(babi_joint(), 128, options.data)),
        ("task 1, batch 32", _with(babi(), 32, options.data)),
    ):
        for twin, name in (
            (_word_by_word, "no sentence shared, words side by side"),
            (_bags, "no sentence shared, bags of words"),
        ):
            ours, plain = step(run, lambda experiment: experiment), step(run, twin)
            rows.append(
                compare(
                    f"{title}: {name}",
                    ours,
                    plain,
                    baseline_name=f"plain twin: {name}",
                    same=lambda mine, theirs: torch.allclose(mine, theirs, rtol=1e-4),
                    repeats=options.repeats,
                    threads=options.threads,
                    note="one update",
                )
            )
    bench = results.Benchmark(
        name="memn2n",
        command="python benchmarks/memn2n.py",
        config={"repeats": options.repeats, "threads": options.threads},
        rows=tuple(rows),
    )
    path = results.write(bench, options.results or results.results_folder())
    Console().print(terminal(bench), f"\n{path}")


def _with(run: MemN2NBabi, batch: int, data: Path | None) -> MemN2NBabi:
    training = replace(run.training, batch=batch)
    return replace(run, training=training, data=replace(run.data, path=data))


def step(run: MemN2NBabi, twin: Callable[[Experiment], Experiment]) -> Callable[[], Tensor]:
    """Return a function that makes one update and returns its loss."""
    experiment = twin(run.prepare().experiment)
    experiment.phases[-1].prepare(experiment.model)
    model, task, optimizer = experiment.model, experiment.task, experiment.optimizer
    generator = torch.Generator().manual_seed(0)
    batches = cycle(list(islice(task.batches("train", generator, 0), BATCHES)))

    def update() -> Tensor:
        optimizer.zero_grad()
        loss = task.loss(model, next(batches), (), generator).loss_sum
        loss.backward()
        experiment.clip(model)
        optimizer.step()
        task.after_update(model)
        return loss.detach()

    return update


def _bags(experiment: Experiment) -> Experiment:
    """Read the sentence of every slot, and lay the slots out."""
    model = experiment.model
    assert isinstance(model, MemN2N)
    assert isinstance(experiment.task, BabiTask)
    model.__class__ = LaidOut
    task = experiment.task
    unshared = BabiTask(task.questions, task.memory, task.batch, task.noise, share=every_slot)
    return replace(experiment, task=unshared)


def _word_by_word(experiment: Experiment) -> Experiment:
    """The same, and look the words of all sentences up side by side."""
    model: nn.Module = experiment.model
    model.reader = WordByWord(model.reader)  # type: ignore[arg-type]
    return _bags(experiment)


if __name__ == "__main__":
    main()
