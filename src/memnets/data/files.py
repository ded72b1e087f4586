"""Files, written whole or not at all, and their checksums."""

import hashlib
import os
from pathlib import Path


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file atomically: readers see the old one or the whole new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        unfinished.write_bytes(data)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def sha256(path: Path) -> str:
    """The SHA-256 of a file, as sha256sum prints it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
