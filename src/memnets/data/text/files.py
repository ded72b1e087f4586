"""The files of the known texts: their names, sizes and digests, and where they are."""

import os
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from memnets.data.sources import locate
from memnets.files import sha256


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a set.

    Args:
        names: under which it is distributed; the digest decides, not the name.
        size: bytes; None where nobody measured it.
        needed: whether the set is of no use without it.
    """

    names: tuple[str, ...]
    size: int | None
    needed: bool = True


@dataclass(frozen=True, slots=True)
class TextSet:
    """The files of a set by the part they hold; "all" is cut into parts by us."""

    origin: str
    """Where it is known to be found."""
    parts: dict[str, Part]


class TextFile(NamedTuple):
    """A file and what it holds."""

    path: Path
    sha256: str


def _three(pattern: str, *sizes: int | None, test_needed: bool = True) -> dict[str, Part]:
    """Name train, valid and test; files are also known by the bare name of their part."""
    return {
        split: Part((pattern.format(split), f"{split}.txt"), size, test_needed or split != "test")
        for split, size in zip(("train", "valid", "test"), sizes, strict=True)
    }


SETS: dict[str, TextSet] = {
    "shakespeare": TextSet(
        "karpathy/char-rnn on GitHub, data/tinyshakespeare/input.txt",
        {"all": Part(("tinyshakespeare.txt", "input.txt"), 1_115_394)},
    ),
    "war-and-peace": TextSet(
        "timbmg/RNNLM on GitHub",
        _three("wap.{}.txt", 2_281_656, 490_831, 504_362, test_needed=False),
    ),
    "ptb": TextSet(
        "Mikolov's simple-examples.tgz, ptb.train.txt and so on",
        _three("ptb.{}.txt", 5_101_618, 399_782, 449_945),
    ),
    "wikitext-2": TextSet(
        "WikiText-2 v1 (word level), wiki.train.tokens and so on",
        _three("wiki.{}.tokens", None, 1_121_681, 1_256_449),
    ),
}


def find_parts(name: str, path: str | os.PathLike[str] | None = None) -> dict[str, TextFile]:
    """Find the files of a set, and check them.

    Args:
        name: a key of `SETS`.
        path: the folder with the files, or one that holds it; by default MEMNETS_DATA, then the
            cache.

    Raises:
        FileNotFoundError: the set, or a file without which it is of no use, is nowhere.
        ValueError: a file of that name is there, but is another text.
    """
    parts = SETS[name].parts
    holds = tuple(candidate for part in parts.values() for candidate in part.names)
    folder = locate(name, path, holds=holds)
    found = {split: _find(name, split, part, folder) for split, part in parts.items()}
    return {split: file for split, file in found.items() if file is not None}


def digest_of(name: str, split: str) -> str | None:
    """Return the digest of a file as it was published; None where we do not know it."""
    return _digests().get(f"{name}/{split}")


def _find(name: str, split: str, part: Part, folder: Path) -> TextFile | None:
    expected = digest_of(name, split)
    others = set(_digests().values()) - {expected}
    here = [TextFile(file, sha256(file)) for file in _present(folder, part)]
    for found in here:
        if found.sha256 == expected or (expected is None and found.sha256 not in others):
            return found
    wanted = f"sha256 {expected or 'not published'}"
    if part.size is not None:
        wanted += f", {part.size:,} bytes"
    if not here and not part.needed:
        return None
    if not here:
        raise FileNotFoundError(
            f"{folder / part.names[0]}: the {split} part of {name} is not there ({wanted}). "
            f"Expected {' or '.join(part.names)}; it comes from {SETS[name].origin}. "
            f"Put it into the folder, or name another folder with the data path."
        )
    raise ValueError(
        f"{here[0].path}: this is not the {split} part of {name}: sha256 {here[0].sha256}, "
        f"{here[0].path.stat().st_size:,} bytes, where expected is {wanted}. "
        f"Put the original back, byte for byte ({SETS[name].origin}): an editor or a download as "
        f"text may have changed its line ends."
    )


def _present(folder: Path, part: Part) -> list[Path]:
    return [folder / candidate for candidate in part.names if (folder / candidate).is_file()]


def _digests() -> dict[str, str]:
    table = resources.files("memnets.data").joinpath("text/checksums.txt").read_text("ascii")
    return {name: digest for digest, name in (line.split() for line in table.splitlines())}
