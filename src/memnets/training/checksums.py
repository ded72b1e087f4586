"""Checksums of files, kept in a JSON record beside them: what has changed since is not used.

A record without them, as those of before have none, vouches for nothing and refuses nothing.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from memnets.files import sha256

CHECKSUMS = "sha256"
"""Under which key a record holds them, by the files' names."""


def checksums(files: Iterable[Path]) -> dict[str, str]:
    """Return the SHA-256 of each file, by its name."""
    return {file.name: sha256(file) for file in sorted(files)}


def check_unchanged(file: Path, record: Mapping[str, Any], mend: str) -> None:
    """Refuse a file that is not as it was written; one that is missing passes.

    Args:
        file: with anything in it.
        record: the one that holds its checksum, if any does.
        mend: a sentence that says what to do.

    Raises:
        ValueError: its checksum is another one.
    """
    kept = record.get(CHECKSUMS)
    wanted = kept.get(file.name) if isinstance(kept, dict) else None
    if wanted is None or not file.is_file():
        return
    found = sha256(file)
    if found != wanted:
        raise ValueError(
            f"{file}: changed since the run wrote it (its SHA-256 begins with {found[:12]}, "
            f"expected {str(wanted)[:12]}). {mend}"
        )
