"""The folder of a run: what was asked, what happened, what came out. Imports no torch.

run.json             what was asked, by which code, where (`describe`)
vocabulary.json ...  whatever else the recipe needs to use the model again
log.jsonl            one line for each evaluation
checkpoints/000123/  all that is needed to go on after update 123
model.safetensors    the final weights
result.json          the final figures; it exists when the run is finished
"""

import json
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memnets.files import (
    UNFINISHED,
    read_json,
    sync_folder,
    without_nan,
    write_bytes,
    write_json,
)
from memnets.ops.native import kernels
from memnets.results import commit
from memnets.training.config import Loop

if TYPE_CHECKING:
    from torch import nn

FORMAT = 1
"""Version of the folder's layout."""

RESERVED = ("run.json", "result.json")


def describe(
    kind: str,
    config: Mapping[str, Any],
    loop: Loop,
    data: Mapping[str, Any] | None = None,
    recipe: str | None = None,
) -> dict[str, Any]:
    """Return the record of a run: what was asked, and all that its numbers may depend on.

    Args:
        kind: of the run; it tells which fields the configuration has.
        config: all fields, as JSON.
        loop: how it is run.
        data: name and checksum of the data, or the recipe and seed that made them.
        recipe: the one whose run it is; None for a run of a table, or of the user's own.
    """
    return {
        "kind": kind,
        "recipe": recipe,
        "config": dict(config),
        "data": None if data is None else dict(data),
        "seed": loop.seed,
        "processes": int(os.environ.get("WORLD_SIZE", "1")),
        "threads": loop.threads,
        "device": loop.device,
        "kernels": kernels(),
        "version": version("memnets"),
        "torch": version("torch"),
        "commit": commit(),
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": sys.argv,
    }


@dataclass(frozen=True)
class RunFolder:
    """The folder of a run. Of several processes only the first writes to it."""

    path: Path
    record: dict[str, Any]

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
        path.mkdir(parents=True, exist_ok=True)
        for name, content in (files or {}).items():
            write_json(path / name, content)
        write_json(path / "run.json", whole)  # last: a folder with it is complete
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
            raise ValueError(
                f"{path}: the folder is not empty. Go on with the run in it with --resume, or "
                f"choose another folder with --out."
            )

    @classmethod
    def open(cls, path: Path) -> "RunFolder":
        """Open a folder that `create` made.

        Raises:
            FileNotFoundError: there is no run.
            ValueError: its record is damaged, or of another version of the layout.
        """
        try:
            record = read_json(path / "run.json", needed=("config",))
        except (FileNotFoundError, NotADirectoryError):
            raise FileNotFoundError(
                f"{path}: not the folder of a run (it has no run.json). "
                f"Pass the folder that was given to --out."
            ) from None
        if record.get("format") != FORMAT:
            raise ValueError(
                f"{path / 'run.json'}: its format is {record.get('format')!r}, this version of "
                f"memnets reads {FORMAT}. Use memnets {record.get('version', 'of its time')}."
            )
        return cls(path, record)

    def read_json(self, name: str) -> dict[str, Any]:
        """Return one of the further files.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: it is damaged.
        """
        try:
            return read_json(self.path / name)
        except FileNotFoundError:
            raise FileNotFoundError(
                f"{self.path / name}: the run has no such file. Train anew into another folder."
            ) from None

    def check_config(self, config: Mapping[str, Any]) -> None:
        """Refuse to go on under another config.

        How the loop runs may change (its checkpoints, device, threads); what is learnt may not.

        Raises:
            ValueError: a field differs.
        """
        then, now = (_fields(_fixed(asked)) for asked in (self.record["config"], config))
        for name in sorted(then.keys() | now.keys()):
            if then.get(name) != now.get(name):
                raise ValueError(
                    f"{self.path / 'run.json'}: the run was begun with {name}={then.get(name)!r}, "
                    f"came {now.get(name)!r}. Leave the field out to go on with the run, or choose "
                    f"another folder with --out."
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
        lines = self.log_path.read_bytes().split(b"\n") if self.log_path.exists() else [b""]
        records = []
        for number, line in enumerate(lines[:-1], start=1):  # what has no newline is not whole
            try:
                records.append(json.loads(line))
            except ValueError:
                raise ValueError(
                    f"{self.log_path}:{number}: damaged JSON. "
                    f"Correct or delete the line, or train anew into another folder."
                ) from None
        return records

    def append(self, record: Mapping[str, Any]) -> None:
        """Add a line to the log."""
        line = json.dumps(without_nan(record), allow_nan=False) + "\n"
        with self.log_path.open("a", encoding="utf-8") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def cut_log(self, update: int) -> None:
        """Drop the lines that were written after an update."""
        kept = [record for record in self.log() if record["update"] <= update]
        lines = "".join(f"{json.dumps(record)}\n" for record in kept)
        write_bytes(self.log_path, lines.encode())

    @property
    def result(self) -> dict[str, Any] | None:
        """The final figures, once the run is finished."""
        path = self.path / "result.json"
        return read_json(path) if path.exists() else None

    def finish(self, result: Mapping[str, Any]) -> None:
        """Write the final figures: the run is finished."""
        write_json(self.path / "result.json", result)

    def checkpoints(self) -> dict[int, Path]:
        """Return the checkpoints by update, the oldest first."""
        found = {int(p.name): p for p in self._checkpoints.glob("*") if p.name.isdigit()}
        return dict(sorted(found.items()))

    @property
    def weights(self) -> Path:
        """The final weights, or those of the last checkpoint.

        Raises:
            FileNotFoundError: nothing was written yet.
        """
        places = [self.path, *reversed(self.checkpoints().values())]
        for place in places:
            if (place / "model.safetensors").exists():
                return place / "model.safetensors"
        raise FileNotFoundError(
            f"{self.path}: the run has written no weights yet. Let it reach a checkpoint, or go "
            f"on: memnets train --resume {self.path}"
        )

    def load_weights(self, model: "nn.Module") -> None:
        """Load the final weights, or those of the last checkpoint.

        Raises:
            FileNotFoundError: nothing was written yet.
            ValueError: they are damaged, or another model's.
        """
        from memnets.training.checkpoints import load_model  # the rest needs no torch

        load_model(model, self.weights)

    @property
    def _checkpoints(self) -> Path:
        return self.path / "checkpoints"

    def unfinished_checkpoint(self, update: int) -> Path:
        """Return the folder to write a checkpoint in, until `keep_checkpoint`."""
        return self._checkpoints / f".{update:06d}{UNFINISHED}"

    def keep_checkpoint(self, update: int, keep: int) -> None:
        """Give a checkpoint its name, all at once, and remove the oldest ones."""
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


_FREE = ("seed", "threads", "device", "checkpoint_seconds", "keep")
"""Fields of the loop that may change when a run is resumed; `differences` speaks of them."""


def _fixed(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return what may not change, as JSON holds it."""
    fixed = json.loads(json.dumps(config))
    for name in _FREE:
        fixed.get("loop", {}).pop(name, None)
    return fixed


def _fields(config: Any, name: str = "") -> dict[str, Any]:
    """Return the leaves of a config by their full names."""
    if not isinstance(config, dict):
        return {name: config}
    leaves: dict[str, Any] = {}
    for key, value in config.items():
        leaves |= _fields(value, f"{name}.{key}" if name else key)
    return leaves
