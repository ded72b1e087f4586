"""The files of published data sets: where they are, and whether they are what was published.

What differs from the published digest or count is read, with a warning: it may be a better file,
but figures from it are not figures of the published set.
"""

import os
import warnings
from collections import Counter
from importlib import resources
from pathlib import Path
from typing import Literal

from memnets.data.sources import locate, source
from memnets.files import sha256

State = Literal["official", "changed", "missing"]
"""What became of a published file."""


def find(name: str, names: tuple[str, ...], path: str | os.PathLike[str] | None = None) -> Path:
    """Find one file of a set, and warn if it is not the published one.

    Args:
        name: a key of `SOURCES`.
        names: the file in the official layout, then others under which copies have it.
        path: the set's folder, or one that contains it; by default MEMNETS_DATA, then the cache.

    Raises:
        FileNotFoundError: it is nowhere; the text has its digest, and how to get it.
    """
    published = digests(name)
    try:
        folder = locate(name, path, holds=names)
    except FileNotFoundError as error:
        digest = published.get(names[0])
        known = f"sha256 {digest}" if digest else "its sha256 is not published"
        raise FileNotFoundError(
            f"{names[0]}: this file of {name} is not there ({known}). {error}"
        ) from None
    inner = next(inner for inner in names if (folder / inner).exists())
    expected = published.get(inner, published.get(names[0]))
    if expected and (came := sha256(folder / inner)) != expected:
        warnings.warn(
            f"{folder / inner}: this is not the published file of {name}: its sha256 is {came}, "
            f"expected {expected}. Its figures are not those of {name}; fetch it anew from "
            f"{origin(name)}.",
            stacklevel=3,
        )
    return folder / inner


def check_count(file: Path, count: int, expected: int | None) -> None:
    """Warn if a file has another number of records than was published; None says nothing."""
    if expected is not None and count != expected:
        warnings.warn(
            f"{file}: it has {count:,} records, where {expected:,} were published. "
            f"It may be cut short, or another version.",
            stacklevel=3,
        )


def digests(name: str) -> dict[str, str]:
    """Return the published digests of a set's files, by their official place."""
    text = resources.files("memnets.data").joinpath(source(name).checksums).read_text("ascii")
    return {file: digest for digest, file in (line.split() for line in text.splitlines())}


def states(
    name: str, path: str | os.PathLike[str] | None = None
) -> dict[str, tuple[State, Path | None]]:
    """Compare a set's files with the published ones.

    Args:
        name: a key of `SOURCES`.
        path: the set's folder, or one that contains it; by default MEMNETS_DATA, then the cache.

    Returns:
        For each published file whether it is here unchanged, and where.
    """
    published = digests(name)
    bare = Counter(file.rsplit("/", 1)[-1] for file in published)
    found: dict[str, tuple[State, Path | None]] = {}
    for file, digest in published.items():
        last = file.rsplit("/", 1)[-1]
        names = (file, last) if bare[last] == 1 else (file,)
        try:
            folder = locate(name, path, holds=names)
        except FileNotFoundError:
            found[file] = ("missing", None)
            continue
        place = next(folder / inner for inner in names if (folder / inner).exists())
        found[file] = ("official" if sha256(place) == digest else "changed", place)
    return found


def origin(name: str) -> str:
    """Say where a set comes from."""
    known = source(name)
    return known.archives[0].address if known.archives else known.origin
