"""Small experiments of three kinds beside bAbI; also a script, for tests of whole processes."""

import atexit
import json
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from memnets.training.best import Best
from memnets.training.clipping import GlobalNorm, PerMatrix
from memnets.training.config import Loop
from memnets.training.experiment import Experiment, Phase
from memnets.training.loop import fit
from memnets.training.progress import Lines, Show
from memnets.training.record import describe
from memnets.training.runs import RunFolder
from memnets.training.task import Ratio, Step, Task, fold_in


class Hidden(NamedTuple):
    hidden: Tensor


class LanguageModel(nn.Module):
    def __init__(self, vocab: int = 11, dim: int = 7) -> None:
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.cell = nn.GRU(dim, dim, batch_first=True)
        self.drop = nn.Dropout(0.3)
        self.words = nn.Linear(dim, vocab, bias=False)
        self.words.weight = self.embed.weight  # tied: two names, one parameter

    def forward(self, words: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor]:
        states, hidden = self.cell(self.drop(self.embed(words)), hidden)
        return self.words(self.drop(states)), hidden


class LanguageTask(Task):
    """An ordered stream, a carried hidden state and dropout from torch's global generator."""

    splits = ("valid",)
    final_splits = ("train", "valid", "test")
    unit = "words"

    def __init__(self) -> None:
        self.text = {
            split: torch.arange(5 * 39).view(5, 39).mul(k).remainder(11)
            for k, split in enumerate(("train", "valid", "test"), start=2)
        }

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        windows = self.text[split].unfold(1, 4, 3).unbind(1)
        while True:
            yield (windows[position % len(windows)],)
            position += 1

    def start(self, split: str, batch: tuple[Tensor, ...]) -> Hidden:
        return Hidden(0.1 * torch.randn(1, len(batch[0]), 7))

    def loss(
        self, model: nn.Module, batch: tuple[Tensor, ...], state: Any, generator: torch.Generator
    ) -> Step:
        (words,) = batch
        logits, hidden = model(words[:, :-1], state.hidden)
        loss = F.cross_entropy(logits.flatten(0, 1), words[:, 1:].flatten(), reduction="sum")
        right = (logits.argmax(-1) == words[:, 1:]).sum()
        return Step(loss, words[:, 1:].numel(), Hidden(hidden), {"accuracy": right})

    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        torch.rand(3)  # must not disturb the training
        words = self.text[split]
        logits, _ = model(words[:, :-1], torch.zeros(1, len(words), 7))
        loss = F.cross_entropy(logits.flatten(0, 1), words[:, 1:].flatten(), reduction="sum")
        return {"loss": Ratio(loss.item(), words[:, 1:].numel())}


class EndlessTask(Task):
    """Regression on numbers that never end, noise from the loss's generator, no carried state."""

    final_splits = ("valid",)
    batch = 7
    noise = 0.1

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        while True:
            x = torch.randn(self.batch, 5, generator=fold_in(generator, position))
            yield x, x.sum(-1, keepdim=True).tanh()
            position += 1

    def loss(
        self, model: nn.Module, batch: tuple[Tensor, ...], state: Any, generator: torch.Generator
    ) -> Step:
        x, y = batch
        if self.noise:
            y = y + self.noise * torch.randn(y.shape, generator=generator)
        return Step((model(x) - y).square().sum(), len(x), state, {})

    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        x, y = next(self.batches(split, torch.Generator().manual_seed(3), 0))
        return {"loss": Ratio((model(x) - y).square().sum().item(), len(x))}


class SampledTask(EndlessTask):
    """A loss by sampling, with a running baseline that is carried."""

    def start(self, split: str, batch: tuple[Tensor, ...]) -> dict[str, Tensor]:
        return {"baseline": torch.zeros(())}

    def loss(
        self, model: nn.Module, batch: tuple[Tensor, ...], state: Any, generator: torch.Generator
    ) -> Step:
        logits = model(batch[0])
        choice = torch.multinomial(logits.softmax(-1), 1, generator=generator)
        reward = (choice == batch[0].argmax(-1, keepdim=True)).float()
        chance = logits.log_softmax(-1).gather(-1, choice)
        baseline = 0.9 * state["baseline"] + 0.1 * reward.mean()
        loss = -((reward - state["baseline"]) * chance).sum()
        return Step(loss, len(choice), {"baseline": baseline}, {"reward": reward.sum()})

    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        x, _ = next(self.batches(split, torch.Generator().manual_seed(3), 0))
        right = (model(x).argmax(-1) == x.argmax(-1)).sum().item()
        return {"loss": Ratio(len(x) - right, len(x)), "reward": Ratio(right, len(x))}


def swap(activation: nn.Module, model: nn.Module) -> None:
    """Put another activation into the model, as a linear start does."""
    model[1] = activation  # type: ignore[index]


def falling(update: int) -> float:
    return 0.03 / (1 + update)


def language() -> Experiment:
    torch.manual_seed(1)
    model = LanguageModel()
    optimizer = torch.optim.Adam(model.parameters())
    phases = (Phase("all", 29, lambda update: 0.01, evaluate_every=7),)
    return Experiment(model, LanguageTask(), optimizer, phases, "mean", GlobalNorm(0.5))


def endless(task: Task | None = None, reduction: Any = "sum") -> Experiment:
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(5, 7), nn.Identity(), nn.Linear(7, 1))
    optimizer = torch.optim.SGD(model.parameters(), momentum=0.9)
    phases = (
        Phase("linear", 11, lambda update: 0.01, 5, partial(swap, nn.Identity())),
        Phase("squashed", 13, falling, 5, partial(swap, nn.Tanh())),
        Phase("other", 5, falling, 3, stream="other"),
    )
    return Experiment(model, task or EndlessTask(), optimizer, phases, reduction, PerMatrix(1.0))


def kept(patience: int | None = None) -> Experiment:
    """Of the last phase's lines that of update 36 is best; four lines before it are not."""
    experiment = endless()
    last = Phase("last", 14, lambda update: 0.02, 2)
    best = Best("valid/loss", patience=patience)
    return replace(experiment, phases=(*experiment.phases[:2], last), keep=best)


def sampled() -> Experiment:
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(5, 5))
    optimizer = torch.optim.SGD(model.parameters())
    phases = (Phase("all", 29, lambda update: 0.1, evaluate_every=7),)
    return Experiment(model, SampledTask(), optimizer, phases, "mean")


class SlowTask(EndlessTask):
    """Long enough to be killed on the way."""

    def after_update(self, model: nn.Module) -> None:
        time.sleep(0.001)


def slow() -> Experiment:
    experiment = endless(SlowTask())
    phases = (Phase("all", 400, falling, evaluate_every=13),)
    return Experiment(experiment.model, experiment.task, experiment.optimizer, phases, "sum")


def noiseless(reduction: str) -> Experiment:
    task = EndlessTask()
    task.noise = 0.0
    return endless(task, reduction)


TOYS: dict[str, Callable[[], Experiment]] = {
    "language": language,
    "endless": endless,
    "sampled": sampled,
    "kept": kept,
    "patient": partial(kept, 3),
    "slow": slow,
    "sum": partial(noiseless, "sum"),
    "mean": partial(noiseless, "mean"),
}


class PowerCutError(Exception):
    """Stands for a power cut: nothing may be written after it."""


def die_after(experiment: Experiment, updates: int) -> Experiment:
    """Return the experiment with a task that fails after so many updates of this process."""
    left = iter(range(updates, -1, -1))

    def after_update(model: nn.Module) -> None:
        if next(left) == 0:
            raise PowerCutError

    experiment.task.after_update = after_update  # type: ignore[method-assign]
    return experiment


def train(
    name: str,
    path: Path,
    loop: Loop = Loop(),
    show: Show | None = None,
    die: int | None = None,
    resume: bool | None = None,
) -> dict[str, Any]:
    """Begin a toy run, or go on with it; which of them, the folder tells where nobody does."""
    experiment = TOYS[name]()
    if die is not None:
        die_after(experiment, die)
    if resume is None:
        resume = (path / "run.json").exists()
    folder = RunFolder.open(path) if resume else RunFolder.create(path, describe(name, {}, loop))
    return fit(experiment, loop, folder, resume=resume, show=show)


def outcome(path: Path) -> tuple[Any, ...]:
    """Return all that a run has written, but for the times: also the order within a line."""
    lines = [json.loads(line) for line in (path / "log.jsonl").read_text().splitlines()]
    result = json.loads((path / "result.json").read_text())
    for record in (*lines, result):
        for name in ("elapsed", "per_second", "wall_s"):
            record.pop(name, None)
    weights = (path / "model.safetensors").read_bytes()
    return weights, lines, result, json.dumps((lines, result))


def become_two() -> None:
    """Fork, and tell both what torchrun would; the first ends with the worse of both statuses."""
    import lightning_fabric  # noqa: F401  # as each of them would

    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    given = {"GROUP_RANK": 0, "WORLD_SIZE": 2, "LOCAL_WORLD_SIZE": 2, "TORCHELASTIC_RUN_ID": "toy"}
    given |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    other = os.fork()
    rank = int(other == 0)
    given |= {"RANK": rank, "LOCAL_RANK": rank}
    os.environ.update({name: str(value) for name, value in given.items()})
    if rank == 0:
        atexit.register(lambda: os.waitpid(other, 0)[1] and os._exit(1))


def main() -> None:
    """Train toys; one named language:17 fails after 17 updates and is resumed."""
    out, *names = sys.argv[1:]
    if out == "--two":
        become_two()
        out, *names = names
    for name in names:
        toy, _, die = name.partition(":")
        if die:
            try:
                train(
                    toy, Path(out) / name, Loop(checkpoint_seconds=0.0), die=int(die), resume=False
                )
            except PowerCutError:
                torch.distributed.barrier()
        train(toy, Path(out) / name, Loop(checkpoint_seconds=0.01), Lines(), resume=bool(die))


if __name__ == "__main__":
    main()
