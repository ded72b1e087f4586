"""The folder of a run: what was asked, what happened, what came out. Imports no torch.

run.json             what was asked, by which code, where (`describe`); checksums of the next
vocabulary.json ...  whatever else the recipe needs to use the model again
log.jsonl            one line for each evaluation
checkpoints/000123/  all that is needed to go on after update 123
model.safetensors    the final weights
result.json          the final figures and the weights' checksum; it exists when the run is finished
"""

import json
import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memnets.files import UNFINISHED, alone, naming, read_json, sync_folder, write_bytes, write_json
from memnets.training.checksums import CHECKSUMS, check_unchanged, checksums
from memnets.training.config import Loop
from memnets.training.record import (
    ANEW,
    FORMAT,
    append_line,
    check_record,
    describe,
    in_json,
    read_lines,
)

if TYPE_CHECKING:
    from torch import nn

RESERVED = ("run.json", "result.json")

WEIGHTS, PROGRESS, CHECKPOINTS = "model.safetensors", "progress.json", "checkpoints"
"""Names within the folder, and within a checkpoint."""


@dataclass(frozen=True)
class RunFolder:
    """The folder of a run. Of several processes only the first writes to it.

    Args:
        path: of the folder.
        record: what its run.json holds.
        at: the update of the checkpoint that is meant; by default the end of the run.
    """

    path: Path
    record: dict[str, Any]
    at: int | None = None

    @classmethod
    def create(
        cls, path: Path, record: Mapping[str, Any], files: Mapping[str, Any] | None = None
    ) -> "RunFolder":
        """Begin a folder.

        Args:
            path: where; nothing may be there yet.
            record: what `describe` returns.
            files: further JSON files, by name.

        Raises:
            ValueError: something is there, or a file's name will not do.
        """
        whole = json.loads(json.dumps({"format": FORMAT, **record}))
        if os.environ.get("RANK", "0") != "0":
            return cls(path, whole)
        cls.expect_free(path)
        for name in files or {}:
            if Path(name).name != name or Path(name).suffix != ".json" or name in RESERVED:
                raise ValueError(
                    f"RunFolder.create(files={name!r}): expected a name such as vocabulary.json."
                )
        with naming(path):
            path.mkdir(parents=True, exist_ok=True)
        try:
            for name, content in (files or {}).items():
                write_json(path / name, content)
            whole[CHECKSUMS] = checksums(path / name for name in files or {})
            write_json(path / "run.json", whole)  # last: a folder with it is complete
        except BaseException:
            _empty(path)
            raise
        return cls(path, whole)

    @staticmethod
    def expect_free(path: Path) -> None:
        """Refuse a place where something is already.

        Raises:
            ValueError: a file, or a folder that is not empty.
        """
        if path.exists() and not path.is_dir():
            raise ValueError(f"{path}: a file is in the way. Choose another folder with --out.")
        if path.is_dir() and any(path.iterdir()):
            mend = "Go on with it with --resume" if (path / "run.json").exists() else "Empty it"
            holds = "a run is in it" if (path / "run.json").exists() else "no run is in it"
            raise ValueError(
                f"{path}: the folder is not empty, and {holds}. {mend}, or choose another folder "
                f"with --out."
            )

    @classmethod
    def open(cls, path: Path) -> "RunFolder":
        """Open a folder that `create` made, or one of its checkpoints as it stands.

        Raises:
            FileNotFoundError: there is no run.
            ValueError: its record is damaged, or of another version of the layout.
        """
        path, at = place(path)
        try:
            record = read_json(path / "run.json", needed=("config",))
        except (FileNotFoundError, NotADirectoryError):
            raise FileNotFoundError(
                f"{path}: not the folder of a run (it has no run.json). "
                f"Pass the folder that was given to --out."
            ) from None
        check_record(path / "run.json", record)
        return cls(path, record, at)

    def read_json(self, name: str) -> dict[str, Any]:
        """Return one of the further files.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: it is damaged, or has changed since it was written.
        """
        check_unchanged(self.path / name, self.record, ANEW)
        try:
            return read_json(self.path / name)
        except FileNotFoundError:
            raise FileNotFoundError(
                f"{self.path / name}: the run has no such file. Train anew into another folder."
            ) from None

    def check_data(self, sha256: str) -> None:
        """Refuse data that are not those of the training.

        Args:
            sha256: of the data that were found.

        Raises:
            ValueError: it is not the recorded one.
        """
        before = self.record.get("data")
        if before is not None and before["sha256"] != sha256:
            raise ValueError(
                f"{self.path}: this run was begun with {before.get('name')}, sha256 "
                f"{before['sha256'][:12]}; that of the data found now is {sha256[:12]}. "
                f"Put the same files back, or train anew."
            )

    def check_files(self, files: Mapping[str, Any]) -> None:
        """Refuse a run whose further files today's code would not make of the same data.

        Args:
            files: what it makes, by name.

        Raises:
            FileNotFoundError, ValueError: one is missing, has changed, or is another one.
        """
        for name, content in json.loads(json.dumps(files)).items():
            before = self.read_json(name)
            if any(content.get(key) != value for key, value in before.items()):
                raise ValueError(
                    f"{self.path / name}: this version of memnets makes another {name} of the same "
                    f"data, so that it cannot measure the run. Use memnets "
                    f"{self.record.get('version', 'of its time')}, or train anew."
                )

    def differences(self, loop: Loop) -> list[str]:
        """Return, in words, what is not as it was when the run was begun."""
        now = describe("", {}, loop)
        names = ("seed", "processes", "threads", "device", "kernels", "torch")
        return [
            f"{name} was {self.record.get(name)!r}, is {now[name]!r}"
            for name in names
            if self.record.get(name) != now[name]
        ]

    @property
    def log_path(self) -> Path:
        """Where the log is."""
        return self.path / "log.jsonl"

    def log(self) -> list[dict[str, Any]]:
        """Return the lines of the log; one that was cut short by a crash is left out.

        Raises:
            ValueError: a line before the last one is damaged.
        """
        return read_lines(self.log_path)

    def append(self, record: Mapping[str, Any]) -> None:
        """Add a line to the log."""
        append_line(self.log_path, record)

    def cut_log(self, update: int) -> None:
        """Drop the lines that were written after an update."""
        kept = [record for record in self.log() if record["update"] <= update]
        write_bytes(self.log_path, "".join(map(in_json, kept)).encode())

    @property
    def result(self) -> dict[str, Any] | None:
        """The final figures, once the run is finished.

        Raises:
            ValueError: the file is damaged.
        """
        result = self._result()
        return {key: value for key, value in result.items() if key != CHECKSUMS} or None

    def _result(self) -> dict[str, Any]:
        path = self.path / "result.json"
        if self.at is not None or not path.exists():
            return {}
        result = read_json(path, needed=("metrics",))
        metrics = result["metrics"]
        if not isinstance(metrics, dict) or not all(isinstance(m, dict) for m in metrics.values()):
            raise ValueError(
                f"{path}: metrics are {metrics!r:.40}; expected figures by split. "
                f"Restore the file from a copy, or delete it and run {self._resume}"
            )
        return result

    def finish(self, result: Mapping[str, Any]) -> None:
        """Write the final figures: the run is finished, its weights are written."""
        weights = [file for file in [self.path / WEIGHTS] if file.exists()]
        write_json(self.path / "result.json", {**result, CHECKSUMS: checksums(weights)})

    def checkpoints(self) -> dict[int, Path]:
        """Return the checkpoints by update, the oldest first."""
        found = {int(p.name): p for p in self._checkpoints.glob("*") if p.name.isdigit()}
        return dict(sorted(found.items()))

    @property
    def weights(self) -> Path:
        """The final weights, or those of the checkpoint that was named.

        Raises:
            FileNotFoundError: the training has not ended.
        """
        if self.at is not None:
            return self._checkpoints / f"{self.at:06d}" / WEIGHTS
        if self._result():
            return self.path / WEIGHTS
        if not self.checkpoints():
            raise FileNotFoundError(
                f"{self.path}: the run has written no weights yet. Let it reach a checkpoint, or "
                f"go on: {self._resume}"
            )
        update, last = list(self.checkpoints().items())[-1]
        raise FileNotFoundError(
            f"{self.path}: the training has not ended; its last checkpoint is of update {update}. "
            f"To use the run as it stood then, name {last}; or go on: {self._resume}"
        )

    def load_weights(self, model: "nn.Module") -> None:
        """Load the final weights, or those of the checkpoint that was named.

        Raises:
            FileNotFoundError: the training has not ended.
            ValueError: they are damaged, have changed, or are another model's.
        """
        from memnets.training.checkpoints import load_model  # the rest needs no torch

        check_unchanged(self.weights, self._vouching(), self._mend)
        load_model(model, self.weights, self._mend)

    def read_weights(self) -> dict[str, Any]:
        """Return the weights that `load_weights` loads as arrays, without torch.

        Raises:
            FileNotFoundError: the training has not ended.
            ValueError: they are damaged, or have changed.
        """
        from memnets.training.arrays import read_arrays

        check_unchanged(self.weights, self._vouching(), self._mend)
        return read_arrays(self.weights, self._mend)

    def damaged(self, tell: Callable[[str], None]) -> bool:
        """Whether the final weights have to be written anew, and can be, from a checkpoint.

        Args:
            tell: who is told so.

        Raises:
            FileNotFoundError, ValueError: they have to be, and there is no checkpoint.
        """
        from memnets.training.checkpoints import check_finite, read_tensors

        try:
            check_unchanged(self.weights, self._vouching(), self._mend)
            check_finite(read_tensors(self.weights, mend=self._mend), self.weights, self._mend)
        except (FileNotFoundError, ValueError):
            if not self.checkpoints():
                raise
            tell(f"{self.path / WEIGHTS}: damaged; it is written anew from the last checkpoint.")
            return True
        return False

    def _vouching(self) -> dict[str, Any]:
        """Return the record with the checksum of the weights that are used."""
        return self._result() if self.at is None else read_json(self.weights.parent / PROGRESS)

    @property
    def _mend(self) -> str:
        """What to do about weights that will not do."""
        if self.at is not None:
            return "Restore it from a copy, or name another checkpoint."
        if self.checkpoints():
            return f"Have it written anew from the last checkpoint: {self._resume}"
        return ANEW

    @property
    def _resume(self) -> str:
        return f"memnets train --resume {self.path}"

    @property
    def _checkpoints(self) -> Path:
        return self.path / CHECKPOINTS

    def unfinished_checkpoint(self, update: int) -> Path:
        """Return the folder to write a checkpoint in, until `keep_checkpoint`."""
        return self._checkpoints / f".{update:06d}{UNFINISHED}"

    def keep_checkpoint(self, update: int, keep: int) -> None:
        """Give a checkpoint its name, all at once, and remove the oldest ones."""
        _seal(self.unfinished_checkpoint(update))
        sync_folder(self.unfinished_checkpoint(update))
        os.replace(self.unfinished_checkpoint(update), self._checkpoints / f"{update:06d}")
        sync_folder(self._checkpoints)
        for old, path in list(self.checkpoints().items())[:-keep]:
            os.replace(path, self.unfinished_checkpoint(old))  # never half a checkpoint by name
            shutil.rmtree(self.unfinished_checkpoint(old))

    def clear_unfinished(self) -> None:
        """Remove what a process that was killed had not finished writing."""
        for folder in (self.path, self._checkpoints):
            for path in folder.glob(f".*{UNFINISHED}"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def locked(self) -> AbstractContextManager[None]:
        """Hold the folder while a run goes on in it; only the first of its processes does.

        Raises:
            ValueError: another run goes on in it.
        """
        if os.environ.get("RANK", "0") != "0":
            return nullcontext()
        return alone(
            self.path,
            f"{self.path}: another process is training here; two at once would mix their logs and "
            f"checkpoints. Wait until it ends, or stop it and then run {self._resume}",
        )

    def forget_unbegun(self) -> None:
        """Remove what `create` wrote, where nothing was learnt that a run could go on from."""
        begun = self.log_path.exists() or self.checkpoints() or (self.path / WEIGHTS).exists()
        if os.environ.get("RANK", "0") == "0" and not begun:
            _empty(self.path)


def place(path: Path) -> tuple[Path, int | None]:
    """Return the folder of a run, and the update of a checkpoint where one of it was named."""
    run = path.parent.parent
    named = path.parent.name == CHECKPOINTS and path.name.isdigit()
    return (run, int(path.name)) if named and (run / "run.json").exists() else (path, None)


def _empty(path: Path) -> None:
    """Remove what is in a folder that was free, and the folder."""
    shutil.rmtree(path, ignore_errors=True)


def _seal(checkpoint: Path) -> None:
    """Write the checksums of a checkpoint's files into its progress."""
    record = checkpoint / PROGRESS
    if record.exists():
        others = [file for file in checkpoint.iterdir() if file != record]
        write_json(record, {**read_json(record), CHECKSUMS: checksums(others)})
