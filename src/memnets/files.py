"""Files that are whole or not there, also after a crash; JSON with its place in every complaint."""

import hashlib
import json
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_REMEDY = "Restore the file from a copy, or train anew into another folder."
UNFINISHED = ".unfinished"
"""How the name of a file or folder ends that is still being written."""


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file atomically and durably: after a crash it is the old one or the new one."""
    with naming(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}{UNFINISHED}")
    with naming(path):
        try:
            with unfinished.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(unfinished, path)
        finally:
            unfinished.unlink(missing_ok=True)
        sync_folder(path.parent)


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an error of the system name this path: that of a full disk names none."""
    try:
        yield
    except OSError as error:
        if error.errno is None:  # one of our own, which says all
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


@contextmanager
def alone(folder: Path, busy: str) -> Iterator[None]:
    """Hold the lock of a folder; the system ends it with the process, however that ends.

    The folder itself is locked, so that nothing is left in it. Where the system or the disk has no
    such lock, nothing is held.

    Args:
        folder: that exists.
        busy: what is said where another process holds it.

    Raises:
        ValueError: another process holds it.
    """
    if os.name != "posix":
        yield
        return
    import fcntl  # POSIX only

    held = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(busy) from None
        except OSError:  # some disks of a network lock no folders
            pass
        yield
    finally:
        os.close(held)


def check_new(path: Path, overwrite: bool = False) -> Path:
    """Return the path of a file that may be written.

    Args:
        path: where something is to be written.
        overwrite: whether a file that is there may be replaced.

    Raises:
        ValueError: it is there, or is a folder.
    """
    if path.is_dir():
        raise ValueError(f"{path}: this is a folder; expected the name of a file. Name one in it.")
    if path.exists() and not overwrite:
        raise ValueError(
            f"{path}: this file is there already; expected a new one. "
            f"Choose another name, or pass --overwrite."
        )
    return path


def sync_folder(path: Path) -> None:
    """Make the names in a folder durable, where the system can."""
    if os.name == "posix":
        folder = os.open(path, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file, as sha256sum prints it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_json(path: Path, value: Any) -> None:
    """Write JSON, atomically; a number that JSON lacks (NaN, infinity) becomes null."""
    text = json.dumps(without_nan(value), indent=1, ensure_ascii=False, allow_nan=False)
    write_bytes(path, f"{text}\n".encode())


def without_nan(value: Any) -> Any:
    """Return a JSON value with null for every number that JSON lacks."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [without_nan(item) for item in value]
    return value


def read_json(path: Path, needed: tuple[str, ...] = (), remedy: str = _REMEDY) -> dict[str, Any]:
    """Read a JSON object.

    Args:
        path: the file.
        needed: keys without which it is of no use.
        remedy: what a complaint advises.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it is damaged, not an object, or lacks a key.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a text file. {remedy}") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{path}:{error.lineno}: damaged JSON ({error.msg}). {remedy}") from None
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits, 1,000 brackets
        raise ValueError(f"{path}: damaged JSON ({error}). {remedy}") from None
    if not isinstance(value, dict):
        raise ValueError(f"{path}: expected a JSON object, came {type(value).__name__}. {remedy}")
    for key in needed:
        if key not in value:
            raise ValueError(f"{path}: it lacks {key!r}. {remedy}")
    return value
