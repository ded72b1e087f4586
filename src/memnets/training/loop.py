"""The loop: from an experiment and an empty folder to a trained model and its figures."""

import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from memnets.files import read_json, write_json
from memnets.training.checkpoints import (
    check_files,
    global_random,
    load_model,
    load_optimizer,
    named,
    optimizer_tensors,
    read_tensors,
    set_global_random,
    state_name,
    under,
    write_tensors,
)
from memnets.training.config import Loop
from memnets.training.experiment import Experiment, Phase
from memnets.training.processes import Processes, launch
from memnets.training.progress import Show, Silent
from memnets.training.runs import RunFolder
from memnets.training.state import detached, flatten, rebuild
from memnets.training.stopping import DivergenceError, Interrupted, StopRequest
from memnets.training.tally import PENDING, Tally
from memnets.training.task import Step, Task, fork

TICK_SECONDS = 0.1
"""How often the progress display is told."""

_PROGRESS = ("seen", "processes", "elapsed", "training", "window")
"""What a checkpoint's progress.json holds."""

_BATCHES, _LOSS, _GLOBAL = range(3)
"""What a stream of random numbers is for."""


def fit(
    experiment: Experiment,
    loop: Loop,
    folder: RunFolder,
    *,
    resume: bool = False,
    show: Show | None = None,
) -> dict[str, Any]:
    """Train a model, and return the final figures.

    A run that was stopped or killed goes on from its last checkpoint to the same bits. Every
    process of a run calls this; under torchrun each takes its share of every batch.

    Args:
        experiment: what is trained; its weights are changed.
        loop: how.
        folder: where everything is written.
        resume: go on with the run in the folder.
        show: who is told.

    Raises:
        ValueError: the folder holds a run and `resume` is not set, what it holds does not fit, or
            the stream of batches ends too early.
        DivergenceError: a loss or a weight is not finite; the last checkpoint is from before.
        Interrupted: the run was asked to stop; it wrote a checkpoint.
    """
    processes = launch(loop)
    _check_agreement(processes, str(folder.path), resume)
    show = show if show is not None and processes.rank == 0 else Silent()
    if resume and folder.result is not None:
        show.note(f"{folder.path}: the run is finished.")
        for phase in experiment.phases:
            phase.prepare(experiment.model)
        folder.load_weights(experiment.model)
        return folder.result
    if not resume and (folder.log() or folder.checkpoints() or folder.result is not None):
        raise ValueError(
            f"{folder.path}: a run was begun here. Go on with it with --resume, or choose another "
            f"folder with --out."
        )
    run = _Run(experiment, loop, folder, processes, show)
    if resume:
        run.restore()
    show.begin(experiment.updates, run.update, experiment.task.unit)
    try:
        with StopRequest() as stop:
            run.train(stop)
        return run.finish()
    finally:
        show.end()


def _check_agreement(processes: Processes, path: str, resume: bool) -> None:
    first = processes.agree((path, resume))
    if (path, resume) != tuple(first):
        raise ValueError(
            f"process {processes.rank} was given {path} with resume={resume}, process 0 "
            f"{first[0]} with resume={first[1]}. Name the same folder for all with --out."
        )


class _Run:
    """A run as it goes on: what changes from update to update, and is in a checkpoint."""

    def __init__(
        self,
        experiment: Experiment,
        loop: Loop,
        folder: RunFolder,
        processes: Processes,
        show: Show,
    ) -> None:
        self.experiment, self.loop, self.folder = experiment, loop, folder
        self.processes, self.show = processes, show
        self.model, self.task = experiment.model, experiment.task
        self.optimizer = experiment.optimizer

        self.update = 0
        self.prepared = 0  # phases whose `prepare` was applied
        self.seen = 0.0  # weight of all updates
        self.losses: list[float] = []  # of the lines of this phase, on the split evaluated first
        self.ended = False  # by a plateau
        self.state: Any = None  # None until the stream's first batch has come
        self.saved_state: dict[str, Tensor] = {}  # a checkpoint's, until then
        self.tally = Tally()
        self.elapsed, self.training, self.window = 0.0, 0.0, 0.0  # seconds; window: since a line
        self.checkpointed = -1  # the update of the last checkpoint

        self.root = torch.Generator().manual_seed(loop.seed)
        noise = fork(self.root, _LOSS, processes.rank).initial_seed()
        self.noise = torch.Generator(processes.device).manual_seed(noise)
        torch.manual_seed(fork(self.root, _GLOBAL, processes.rank).initial_seed())
        self.model.to(processes.device)
        processes.agree_on_weights(self.model)
        if processes.rank == 0:
            folder.clear_unfinished()

    # Training

    def train(self, stop: StopRequest) -> None:
        """Make all updates that are left."""
        self.model.train()
        self.mark = self.next_tick = time.monotonic()
        self.next_checkpoint = self.mark + self.loop.checkpoint_seconds
        while self.update < self.experiment.updates and not self.ended:
            self._train_phase(stop)
        self._checkpoint()

    def _train_phase(self, stop: StopRequest) -> None:
        place = self.experiment.place(self.update)
        phase = self.experiment.phases[place.phase]
        self._prepare(place.phase + 1)
        if place.position == 0:
            self.state, self.saved_state = None, {}
        if place.within == 0:
            self.losses = []
        batches = self.task.batches(
            phase.stream, fork(self.root, _BATCHES, place.began), place.position
        )
        for within in range(place.within + 1, phase.updates + 1):
            rate = phase.rate(within - 1, self.losses)
            if phase.ends(rate):
                self.ended = True
                return
            now = time.monotonic()
            due = now >= self.next_checkpoint
            stopping, saving = self._learn(self._next(batches, phase), rate, stop.asked, due)
            if within % phase.evaluate_every == 0 or within == phase.updates:
                self._log(phase, rate)
            elif self.update % PENDING == 0:
                self._flush()
            if stopping or saving:
                self._checkpoint()
            if stopping:
                self._stop()
            if now >= self.next_tick:
                self._tick(phase, now)

    def _prepare(self, phases: int) -> None:
        for phase in self.experiment.phases[self.prepared : phases]:
            phase.prepare(self.model)
        self.prepared = phases

    def _next(self, batches: Iterator[tuple[Tensor, ...]], phase: Phase) -> tuple[Tensor, ...]:
        batch = next(batches, None)
        if batch is None:
            raise ValueError(
                f"{type(self.task).__name__}.batches({phase.stream!r}) ended before update "
                f"{self.update + 1} of {self.experiment.updates}. It must go over the data again "
                f"and again; or shorten the phase {phase.name!r}."
            )
        return batch

    def _learn(
        self, batch: tuple[Tensor, ...], rate: float, stop: bool, due: bool
    ) -> tuple[bool, bool]:
        """Make one update; return whether any process was asked to stop, or to checkpoint."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        self.model.zero_grad()
        step = self._loss(self.processes.share(batch))
        numbers = (step.weight if step else 0, stop, due)
        weight, stops, dues = self.processes.total(*map(float, numbers))
        if step:
            mean = self.experiment.reduction == "mean"
            (step.loss_sum / (weight or 1.0) if mean else step.loss_sum).backward()
            self.tally.add(self.update + 1, step)
            self.state = detached(step.state)
        self.processes.sum_gradients(self.model)
        self.experiment.clip(self.model)
        self.optimizer.step()
        self.task.after_update(self.model)
        self.update += 1
        self.seen += weight
        return stops > 0, dues > 0

    def _loss(self, share: tuple[Tensor, ...]) -> Step | None:
        if len(share[0]) == 0:
            return None
        if self.state is None:
            self.state = self._first_state(share)
        with self.processes.autocast():
            return self.task.loss(self.model, share, self.state, self.noise)

    def _first_state(self, share: tuple[Tensor, ...]) -> Any:
        if not self.saved_state:
            return detached(self.task.start(share))
        with self._unnoticed():
            like = self.task.start(share)
        return rebuild(like, self.saved_state, str(self._path(self.checkpointed)))

    def _unnoticed(self) -> Any:
        """Return a context that leaves torch's global generators as they were."""
        device = self.processes.device
        return torch.random.fork_rng(devices=[device] if device.type == "cuda" else [])

    # Telling

    def _flush(self) -> None:
        self.tally.flush()
        broken = self.processes.least(self.tally.broken)
        if broken <= self.update:
            raise self._diverged(f"the loss of update {broken:.0f}", int(broken))

    def _diverged(self, what: str, update: int) -> DivergenceError:
        place = self.experiment.place(update - 1)
        phase = self.experiment.phases[place.phase]
        kept = [f"The last checkpoint is of update {n}." for n in self.folder.checkpoints()]
        return DivergenceError(
            f"{what} is not a finite number, in the phase {phase.name!r} at a learning rate of "
            f"{phase.rate(place.within, self.losses):g}. Lower the learning rate, or clip the "
            f"gradients. {kept[-1] if kept else 'There is no checkpoint yet.'}"
        )

    def _log(self, phase: Phase, rate: float) -> None:
        self._flush()
        self._account(training=True)
        names = self.processes.agree(self.tally.names)
        sums = (self.tally.sums.get(name, 0.0) for name in names)
        weight, *totals = self.processes.total(self.tally.weight, *sums)
        record = {
            "update": self.update,
            "phase": phase.name,
            "seen": self.seen,
            "learning_rate": rate,
            "train": {
                name: total / (weight or 1.0) for name, total in zip(names, totals, strict=True)
            },
            **{split: self._evaluate(split) for split in self.task.splits},
            "per_second": weight / self.window,
        }
        self._account(training=False)
        record["elapsed"] = self.elapsed
        self.losses.append(self.processes.agree(_loss_of(record, self.task)))
        if self.processes.rank == 0:
            self.folder.append(record)
        self.show.line(record)
        self.tally, self.window = Tally(), 0.0

    def _evaluate(self, split: str) -> dict[str, float]:
        self.model.eval()
        with torch.no_grad(), self._unnoticed(), self.processes.autocast():
            ratios = self.task.evaluate(self.model, split)
        self.model.train()
        return {name: ratio.mean for name, ratio in ratios.items()}

    def _tick(self, phase: Phase, now: float) -> None:
        self.tally.flush()
        seconds = self.window + now - self.mark
        rate = self.tally.weight * self.processes.world / seconds if seconds > 0 else 0.0
        self.show.tick(self.update, phase.name, self.tally.means, rate)
        self.next_tick = now + TICK_SECONDS

    def _account(self, training: bool) -> None:
        """Book the time since the last call."""
        now = time.monotonic()
        spent, self.mark = now - self.mark, now
        self.elapsed += spent
        if training:
            self.training += spent
            self.window += spent

    # Checkpoints

    def _path(self, update: int) -> Path:
        return self.folder.checkpoints()[update]

    def _checkpoint(self) -> None:
        if self.update == self.checkpointed:
            return
        self._account(training=True)
        self._flush()
        if not all(parameter.isfinite().all() for parameter in self.model.parameters()):
            raise self._diverged(f"a weight after update {self.update}", self.update)
        path = self.folder.unfinished_checkpoint(self.update)
        if self.processes.rank == 0:
            path.mkdir(parents=True)
        self.processes.wait()
        self._write_own(path)
        if self.processes.rank == 0:
            self._write_shared(path)
        self.processes.wait()
        if self.processes.rank == 0:
            self.folder.keep_checkpoint(self.update, self.loop.keep)
        self.checkpointed = self.update
        self._account(training=False)
        self.next_checkpoint = self.mark + self.loop.checkpoint_seconds

    def _write_own(self, path: Path) -> None:
        """Write what this process alone knows."""
        carried = self.saved_state if self.state is None else flatten(self.state)
        device = self.processes.device
        random = {f"noise.{device.type}": self.noise.get_state(), **global_random(device)}
        tensors = {
            **named("carried", carried),
            **named("random", random),
            **named("tally", self.tally.tensors()),
        }
        write_tensors(path / state_name(self.processes.rank), tensors)

    def _write_shared(self, path: Path) -> None:
        write_tensors(path / "model.safetensors", self.model.state_dict())
        write_tensors(path / "optimizer.safetensors", optimizer_tensors(self.optimizer))
        numbers = (self.seen, self.processes.world, self.elapsed, self.training, self.window)
        write_json(path / "progress.json", dict(zip(_PROGRESS, numbers, strict=True)))

    def restore(self) -> None:
        """Go back to the last checkpoint, or to the beginning where there is none.

        Raises:
            ValueError: it does not fit the experiment or the number of processes, is damaged, or
                holds a file of another kind.
        """
        for difference in self.folder.differences(self.loop):
            self.show.note(f"Going on under other conditions: {difference}. Bits may differ.")
        found = self.folder.checkpoints()
        if found:
            self._read(*list(found.items())[-1])
        else:
            self.show.note(f"{self.folder.path}: no checkpoint yet, starting from the beginning.")
        self.processes.wait()
        if self.processes.rank == 0:
            self.folder.cut_log(self.update)

    def _read(self, update: int, path: Path) -> None:
        if update > self.experiment.updates:
            raise ValueError(
                f"{path}: the run has made {update} updates, the experiment has "
                f"{self.experiment.updates}. Go on with the config of the run."
            )
        progress = read_json(path / "progress.json", needed=_PROGRESS)
        check_files(path, progress["processes"])
        place = self.experiment.place(update)
        self._prepare(place.phase + (place.within > 0))  # before the weights, which it may change
        load_model(self.model, path / "model.safetensors")
        load_optimizer(self.optimizer, path / "optimizer.safetensors")
        self._read_own(path, progress["processes"])
        self.update = self.checkpointed = update
        self.losses = [
            _loss_of(record, self.task)
            for record in self.folder.log()
            if update - place.within < record["update"] <= update
        ]
        self.seen, _, self.elapsed, self.training, self.window = (progress[k] for k in _PROGRESS)

    def _read_own(self, path: Path, wrote: int) -> None:
        """Read what the processes that wrote the checkpoint knew each for itself."""
        rank, world, device = self.processes.rank, self.processes.world, self.processes.device
        for writer in range(rank, wrote, world):
            file = path / state_name(writer)
            tensors = read_tensors(file, needed=("random/cpu", "tally/weight"))
            self.saved_state = under("carried", tensors)
            if self.saved_state and wrote != world:
                raise ValueError(
                    f"{file}: {wrote} processes carried a state of their own, now there are "
                    f"{world}. Go on with {wrote} processes."
                )
            self.tally.merge(under("tally", tensors))
            if writer == rank:
                random = under("random", tensors)
                set_global_random(random, device)
                if f"noise.{device.type}" in random:
                    self.noise.set_state(random[f"noise.{device.type}"])

    # Ends

    def _stop(self) -> None:
        self.show.end()
        self.show.note(
            f"Stopped after update {self.update} of {self.experiment.updates}. "
            f"Go on with memnets train --resume {self.folder.path}"
        )
        raise Interrupted

    def finish(self) -> dict[str, Any]:
        """Evaluate the final splits, once, and write weights and figures."""
        metrics = {split: self._evaluate(split) for split in self.task.final_splits}
        self._account(training=False)
        result = {
            "metrics": metrics,
            "updates": self.update,
            "seen": self.seen,
            "wall_s": self.elapsed,
            "per_second": self.seen / self.training,
        }
        if self.processes.rank == 0:
            write_tensors(self.folder.path / "model.safetensors", self.model.state_dict())
            self.folder.finish(result)
        self.processes.wait()
        return result


def _loss_of(record: dict[str, Any], task: Task) -> float:
    """Return what a line of the log says of the split evaluated first; inf if it is no number."""
    loss = record[task.splits[0]]["loss"] if task.splits else None
    return math.inf if loss is None or math.isnan(loss) else loss
