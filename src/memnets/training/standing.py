"""Where a run stands: all that changes from update to update, as a checkpoint holds it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from memnets.files import read_json, write_json
from memnets.training.best import Kept
from memnets.training.checkpoints import (
    BEST,
    check_files,
    digest,
    global_random,
    load_model,
    load_optimizer,
    named,
    norm,
    optimizer_tensors,
    read_tensors,
    set_global_random,
    state_name,
    under,
    write_tensors,
)
from memnets.training.processes import Processes
from memnets.training.state import flatten, moved
from memnets.training.tally import Tally

FINGERPRINT_UPDATES = 5
"""After how many updates, or the last one if there are fewer, a run's fingerprint is taken."""
_PROGRESS = ("seen", "processes", "elapsed", "training", "window")
"""What a checkpoint's progress.json holds, beside what is said of the best line."""


@dataclass
class Standing:
    """What changes from update to update.

    Args:
        model: that learns.
        optimizer: over its parameters.
        processes: of the run; each writes what it alone knows, the first also what all know.
        noise: for the loss, another one for each process.
    """

    model: nn.Module
    optimizer: torch.optim.Optimizer
    processes: Processes
    noise: torch.Generator
    update: int = 0
    seen: float = 0.0
    """Weight of all updates."""
    state: Any = None
    """What is carried; None until the stream's first batch has come."""
    saved_state: dict[str, Tensor] = field(default_factory=dict)
    """A checkpoint's, until then."""
    tally: Tally = field(default_factory=Tally)
    elapsed: float = 0.0
    """Seconds, as are the next two."""
    training: float = 0.0
    window: float = 0.0
    """Of training since the last line of the log."""
    kept: Kept | None = None
    """The best line so far, where it is kept."""
    skipped: int = 0
    """Updates that were left out because a gradient was not finite."""
    fingerprint: str | None = None
    """Of the weights after the first updates: SHA-256, its first 16 digits, and norm."""

    @property
    def told(self) -> dict[str, int]:
        """What a line of the log and the result say of skipped updates, where there are any."""
        return {"skipped": self.skipped} if self.skipped else {}

    def count(self, weight: float, updates: int) -> None:
        """Count an update of a run that makes so many, and take the fingerprint when it is due."""
        self.update += 1
        self.seen += weight
        if self.update == min(FINGERPRINT_UPDATES, updates):
            weights = self.model.state_dict()
            self.fingerprint = f"{digest(weights)[:16]} {norm(weights):.9g}"

    def write(self, path: Path) -> None:
        """Write a checkpoint into a folder."""
        self._write_own(path)
        if self.processes.rank == 0:
            self._write_shared(path)

    def _write_own(self, path: Path) -> None:
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
        progress: dict[str, Any] = dict(zip(_PROGRESS, numbers, strict=True)) | self.told
        if self.fingerprint is not None:
            progress["fingerprint"] = self.fingerprint
        if self.kept is not None:
            write_tensors(path / BEST, self.kept.weights)
            progress["kept"] = {name: getattr(self.kept, name) for name in _KEPT}
        write_json(path / "progress.json", progress)

    def read(self, path: Path, update: int) -> None:
        """Read the checkpoint of an update.

        Raises:
            ValueError: it does not fit the model, the optimizer or the number of processes, is
                damaged, or holds a file of another kind.
        """
        progress = read_json(path / "progress.json", needed=_PROGRESS)
        check_files(path, progress["processes"])
        load_model(self.model, path / "model.safetensors")
        load_optimizer(self.optimizer, path / "optimizer.safetensors")
        self._read_own(path, progress["processes"])
        self.update = update
        self.seen, _, self.elapsed, self.training, self.window = (progress[k] for k in _PROGRESS)
        self.fingerprint = progress.get("fingerprint")
        self.skipped = progress.get("skipped", 0)
        if "kept" in progress:
            self.kept = self._read_kept(path, progress["kept"])

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

    def _read_kept(self, path: Path, said: dict[str, Any]) -> Kept:
        weights = read_tensors(path / BEST, needed=tuple(self.model.state_dict()))
        value = float("nan") if said["value"] is None else said["value"]
        return Kept(said["update"], value, said["waited"], moved(weights, self.processes.device))


_KEPT = ("update", "value", "waited")
"""What progress.json says of the best line."""
