"""What a run says of itself: its record, run.json, and its log. Imports no torch."""

import json
import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memnets.files import naming, without_nan
from memnets.training.config import Loop

FORMAT = 1
"""Version of the folder's layout."""

ANEW = "Restore it from a copy, or train anew into another folder."
"""What to do about a file that cannot be mended."""

_KINDS: dict[str, tuple[type, ...]] = {
    "kind": (str, type(None)),  # runs of before have none
    "recipe": (str, type(None)),
    "config": (dict,),
    "data": (dict, type(None)),
}
"""What a record holds, where it says anything of these."""


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
    from importlib.metadata import version  # a run that is only asked needs none of these

    from memnets.ops.native import kernels
    from memnets.results.provenance import commit

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


def check_record(path: Path, record: Mapping[str, Any]) -> None:
    """Refuse a record that no run of this version of the layout writes.

    Raises:
        ValueError: it is of another version, or damaged.
    """
    if record.get("format") != FORMAT:
        raise ValueError(
            f"{path}: its format is {record.get('format')!r}, this version of memnets reads "
            f"{FORMAT}. Use memnets {record.get('version', 'of its time')}."
        )
    for name, kinds in _KINDS.items():
        if not isinstance(record.get(name), kinds):
            raise ValueError(
                f"{path}: {name} is {record.get(name)!r:.40}, which no run writes. {ANEW}"
            )
    data = record.get("data")
    if data is not None and not isinstance(data.get("sha256"), str):
        raise ValueError(f"{path}: data has no checksum ({data!r:.60}). {ANEW}")


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a log; one that was cut short by a crash is left out.

    Raises:
        ValueError: a line before the last one is damaged.
    """
    lines = path.read_bytes().split(b"\n") if path.exists() else [b""]
    records = []
    for number, line in enumerate(lines[:-1], start=1):  # what has no newline is not whole
        try:
            records.append(json.loads(line))
            whole = isinstance(records[-1], dict) and type(records[-1].get("update")) is int
        except ValueError:
            whole = False
        if not whole:
            raise ValueError(
                f"{path}:{number}: damaged JSON. "
                f"Correct or delete the line, or train anew into another folder."
            )
    return records


def append_line(path: Path, record: Mapping[str, Any]) -> None:
    """Add a line to a log, durably."""
    with naming(path), path.open("a", encoding="utf-8") as file:
        file.write(in_json(without_nan(record)))
        file.flush()
        os.fsync(file.fileno())


def in_json(record: Mapping[str, Any]) -> str:
    """Return a line of a log."""
    return json.dumps(record, allow_nan=False) + "\n"
