"""The loop: from an experiment and an empty folder to a trained model and its figures."""

import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from memnets.training.checkpoints import place_optimizer, write_tensors
from memnets.training.config import Loop
from memnets.training.experiment import Experiment, Phase
from memnets.training.gradients import Lengths
from memnets.training.processes import Processes, launch
from memnets.training.progress import Show, Silent
from memnets.training.runs import RunFolder
from memnets.training.standing import Standing
from memnets.training.state import detached, rebuild
from memnets.training.stopping import DivergenceError, Interrupted, StopRequest
from memnets.training.tally import PENDING, Tally
from memnets.training.task import Step, Task, fold_in

TICK_SECONDS = 0.1
"""How often the progress display is told."""

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
    if resume and folder.result is not None and not folder.damaged(show.note):
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
    run = TrainingRun(experiment, loop, folder, processes, show)
    if resume:
        run.restore()
    show.begin(experiment.updates, run.at.update, experiment.task.unit)
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


class TrainingRun:
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

        self.prepared = 0  # phases whose `prepare` was applied
        self.losses: list[float] = []  # of the lines of this phase, on the split evaluated first
        self.ended = False  # by a plateau
        self.checkpointed = -1  # the update of the last checkpoint
        self.lengths = Lengths()  # of the gradients, to tell which part made a run diverge

        self.root = torch.Generator().manual_seed(loop.seed)
        noise = fold_in(self.root, _LOSS, processes.rank).initial_seed()
        generator = torch.Generator(processes.device).manual_seed(noise)
        torch.manual_seed(fold_in(self.root, _GLOBAL, processes.rank).initial_seed())
        self.model.to(processes.device)
        self.task.to(processes.device)
        place_optimizer(self.optimizer)
        processes.agree_on_weights(self.model)
        self.at = Standing(self.model, self.optimizer, processes, generator)
        if processes.rank == 0:
            folder.clear_unfinished()

    # Training

    def train(self, stop: StopRequest) -> None:
        """Make all updates that are left."""
        self.model.train()
        self.mark = self.next_tick = time.monotonic()
        self.next_checkpoint = self.mark + self.loop.checkpoint_seconds
        while self.at.update < self.experiment.updates and not self._ended():
            self._train_phase(stop)
        self._checkpoint()

    def _train_phase(self, stop: StopRequest) -> None:
        place = self.experiment.place(self.at.update)
        phase = self.experiment.phases[place.phase]
        self._prepare(place.phase + 1)
        if place.position == 0:
            self.at.state, self.at.saved_state = None, {}
        if place.within == 0:
            self.losses = []
        batches = self.task.batches(
            phase.stream, fold_in(self.root, _BATCHES, place.began), place.position
        )
        for within in range(place.within + 1, phase.updates + 1):
            rate = phase.rate(within - 1, self.losses)
            if phase.ends(rate):
                self.ended = True
                return
            now = time.monotonic()
            due = now >= self.next_checkpoint
            batch = self._next(batches, phase)
            stopping, saving = self._learn(phase.stream, batch, rate, stop.asked, due)
            if within % phase.evaluate_every == 0 or within == phase.updates:
                self._log(phase, rate)
            elif self.at.update % PENDING == 0:
                self._flush()
            if stopping or saving:
                self._checkpoint()
            if stopping:
                self._stop()
            if self._ended():
                return
            if now >= self.next_tick:
                self._tick(phase, now)

    def _ended(self) -> bool:
        """Return whether the run ends before all updates are made."""
        best, kept = self.experiment.keep, self.at.kept
        return self.ended or (best is not None and kept is not None and best.gives_up(kept))

    def _prepare(self, phases: int) -> None:
        for phase in self.experiment.phases[self.prepared : phases]:
            phase.prepare(self.model)
        self.prepared = phases

    def _next(self, batches: Iterator[tuple[Tensor, ...]], phase: Phase) -> tuple[Tensor, ...]:
        batch = next(batches, None)
        if batch is None:
            raise ValueError(
                f"{type(self.task).__name__}.batches({phase.stream!r}) ended before update "
                f"{self.at.update + 1} of {self.experiment.updates}. It must go over the data "
                f"again and again; or shorten the phase {phase.name!r}."
            )
        return batch

    def _learn(
        self, stream: str, batch: tuple[Tensor, ...], rate: float, stop: bool, due: bool
    ) -> tuple[bool, bool]:
        """Make one update; return whether any process was asked to stop, or to checkpoint."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group.get("share", 1.0)
        self.model.zero_grad()
        step = self._loss(stream, self.processes.share(batch))
        numbers = (step.weight if step else 0, stop, due)
        weight, stops, dues = self.processes.total(*map(float, numbers))
        if step:
            mean = self.experiment.reduction == "mean"
            (step.loss_sum / (weight or 1.0) if mean else step.loss_sum).backward()
            self.at.tally.add(self.at.update + 1, step)
            self.at.state = detached(step.state)
        self.processes.sum_gradients(self.model)
        self.lengths.add(self.at.update + 1, self.model)
        if self.at.skipped < self.experiment.skips and not self.lengths.finite:
            self.at.skipped += 1
        else:
            self.experiment.clip(self.model)
            self.optimizer.step()
            self.task.after_update(self.model)
        self.at.count(weight, self.experiment.updates)
        return stops > 0, dues > 0

    def _loss(self, stream: str, share: tuple[Tensor, ...]) -> Step | None:
        if len(share[0]) == 0:
            return None
        batch = self.task.collate(stream, share)
        if self.at.state is None:
            self.at.state = self._first_state(stream, batch)
        with self.processes.autocast():
            return self.task.loss(self.model, batch, self.at.state, self.at.noise)

    def _first_state(self, stream: str, batch: Any) -> Any:
        if not self.at.saved_state:
            return detached(self.task.start(stream, batch))
        with self._unnoticed():
            like = self.task.start(stream, batch)
        return rebuild(like, self.at.saved_state, str(self.folder.checkpoints()[self.checkpointed]))

    def _unnoticed(self) -> Any:
        """Return a context that leaves torch's global generators as they were."""
        device = self.processes.device
        return torch.random.fork_rng(devices=[device] if device.type == "cuda" else [])

    # Telling

    def _flush(self) -> None:
        self.at.tally.flush()
        broken = self.processes.least(self.at.tally.broken)
        if broken <= self.at.update:
            raise self._diverged(f"the loss of update {broken:.0f}", int(broken), before=1)
        self.lengths.forget()

    def _diverged(self, what: str, update: int, before: int = 0) -> DivergenceError:
        place = self.experiment.place(update - 1)
        phase = self.experiment.phases[place.phase]
        kept = [f"The last checkpoint is of update {n}." for n in self.folder.checkpoints()]
        return DivergenceError(
            f"{what} is not a finite number, in the phase {phase.name!r} at a learning rate of "
            f"{phase.rate(place.within, self.losses):g}. Lower the learning rate, or clip the "
            f"gradients. {kept[-1] if kept else 'There is no checkpoint yet.'}"
            f"{self.lengths.blame(update - before)}"
        )

    def _log(self, phase: Phase, rate: float) -> None:
        self._flush()
        self._account(training=True)
        weight, means = self.at.tally.over(self.processes)
        record = {
            "update": self.at.update,
            "phase": phase.name,
            "seen": self.at.seen,
            "learning_rate": rate,
            "train": means,
            **{split: self._evaluate(split) for split in self.task.splits},
            "per_second": weight / self.at.window,
            **self.at.told,
        }
        self._account(training=False)
        record["elapsed"] = self.at.elapsed
        self.losses.append(self.processes.agree(_loss_of(record, self.task)))
        best = self.experiment.keep
        if best is not None and phase is self.experiment.phases[-1]:
            value = self.processes.agree(best.value(record))
            self.at.kept = best.keep(self.at.kept, self.at.update, value, self.model)
        if self.processes.rank == 0:
            self.folder.append(record)
        self.show.line(record)
        self.at.tally, self.at.window = Tally(), 0.0

    def _evaluate(self, split: str) -> dict[str, float]:
        self.model.eval()
        with torch.no_grad(), self._unnoticed(), self.processes.autocast():
            ratios = self.task.evaluate(self.model, split)
        self.model.train()
        return {name: ratio.mean for name, ratio in ratios.items()}

    def _tick(self, phase: Phase, now: float) -> None:
        self.at.tally.flush()
        seconds = self.at.window + now - self.mark
        rate = self.at.tally.weight * self.processes.world / seconds if seconds > 0 else 0.0
        self.show.tick(self.at.update, phase.name, self.at.tally.means, rate)
        self.next_tick = now + TICK_SECONDS

    def _account(self, training: bool) -> None:
        """Book the time since the last call."""
        now = time.monotonic()
        spent, self.mark = now - self.mark, now
        self.at.elapsed += spent
        if training:
            self.at.training += spent
            self.at.window += spent

    # Checkpoints

    def _checkpoint(self) -> None:
        if self.at.update == self.checkpointed:
            return
        self._account(training=True)
        self._flush()
        if not all(parameter.isfinite().all() for parameter in self.model.parameters()):
            raise self._diverged(f"a weight after update {self.at.update}", self.at.update)
        path = self.folder.unfinished_checkpoint(self.at.update)
        if self.processes.rank == 0:
            path.mkdir(parents=True)
        self.processes.wait()
        self.at.write(path)
        self.processes.wait()
        if self.processes.rank == 0:
            self.folder.keep_checkpoint(self.at.update, self.loop.keep)
        self.checkpointed = self.at.update
        self._account(training=False)
        self.next_checkpoint = self.mark + self.loop.checkpoint_seconds

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
            self.folder.cut_log(self.at.update)

    def _read(self, update: int, path: Path) -> None:
        if update > self.experiment.updates:
            raise ValueError(
                f"{path}: the run has made {update} updates, the experiment has "
                f"{self.experiment.updates}. Go on with the config of the run."
            )
        place = self.experiment.place(update)
        self._prepare(place.phase + (place.within > 0))  # before the weights, which it may change
        self.at.read(path, update)
        self.checkpointed = update
        self.losses = [
            _loss_of(record, self.task)
            for record in self.folder.log()
            if update - place.within < record["update"] <= update
        ]

    # Ends

    def _stop(self) -> None:
        self.show.end()
        self.show.note(
            f"Stopped after update {self.at.update} of {self.experiment.updates}. "
            f"Go on with memnets train --resume {self.folder.path}"
        )
        raise Interrupted

    def finish(self) -> dict[str, Any]:
        """Evaluate the final splits, once, and write weights and figures."""
        said = self._take_best()
        metrics = {split: self._evaluate(split) for split in self.task.final_splits}
        self._account(training=False)
        result = {
            "metrics": metrics,
            "updates": self.at.update,
            "seen": self.at.seen,
            "wall_s": self.at.elapsed,
            "per_second": self.at.seen / self.at.training,
            "fingerprint": self.at.fingerprint,
            **self.at.told,
            **said,
        }
        if self.processes.rank == 0:
            write_tensors(self.folder.path / "model.safetensors", self.model.state_dict())
            self.folder.finish(result)
        self.processes.wait()
        return result

    def _take_best(self) -> dict[str, Any]:
        """Go back to the weights that are kept, and return what the result says of them."""
        best, kept = self.experiment.keep, self.at.kept
        if best is None or kept is None:
            return {}
        self.model.load_state_dict(dict(kept.weights))
        return {"kept": {"update": kept.update, "metric": best.metric, "value": kept.value}}


def _loss_of(record: dict[str, Any], task: Task) -> float:
    """Return what a line of the log says of the split evaluated first; inf if it is no number."""
    loss = record[task.splits[0]]["loss"] if task.splits else None
    return math.inf if loss is None or math.isnan(loss) else loss
