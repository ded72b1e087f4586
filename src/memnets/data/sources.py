"""The data sets that can be downloaded, and where a set is looked for.

The order is: the path that the user names, the folder in MEMNETS_DATA, the download cache. What
is not found is an error. Nothing is downloaded or generated in silence: only
``memnets data get`` downloads, only ``memnets data make`` generates.
"""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Archive:
    """One address of a data set.

    Args:
        address: where it is downloaded from.
        size: bytes, as published; for the reader, not checked.
        sha256: of the archive; None where nobody published it, then its files are checked.
    """

    address: str
    size: int
    sha256: str | None

    @property
    def name(self) -> str:
        return self.address.rsplit("/", 1)[1]


@dataclass(frozen=True, slots=True)
class Source:
    """One data set that can be downloaded.

    Args:
        name: what the commands call it.
        title: what it is.
        folder: the folder that its archives unpack to, or that it is looked for in.
        archives: the same set at several addresses, tried in order; none where we may not or cannot
            download it, and a folder has to be named.
        checksums: a sha256sum table of its files, relative to ``memnets.data``.
        licence: of the data.
        citation: whom to cite.
        makes: what ``memnets data make`` can generate in its format; empty for nothing.
    """

    name: str
    title: str
    folder: str
    archives: tuple[Archive, ...]
    checksums: str
    licence: str
    citation: str
    makes: str


SOURCES: dict[str, Source] = {
    "babi": Source(
        name="babi",
        title="bAbI v1.2: twenty toy tasks of reading stories and answering questions",
        folder="tasks_1-20_v1-2",
        archives=(
            Archive(
                "https://dl.fbaipublicfiles.com/parlai/babi/babi.tar.gz",
                19_212_062,
                "f7f0bee187efca0d81c3daac1b162cda4eb7f9505dee5ad6846eabbed3dbf92e",
            ),
            Archive(
                "http://www.thespermwhale.com/jaseweston/babi/tasks_1-20_v1-2.tar.gz",
                15_719_851,
                "0364ebde659f14d11bc21744516c5ec49d3d06cb692733f66680771244998898",
            ),
            Archive(
                "https://s3.amazonaws.com/text-datasets/babi_tasks_1-20_v1-2.tar.gz",
                11_745_123,
                None,
            ),
        ),
        checksums="babi/checksums.txt",
        licence="CC BY 3.0 (c) 2015-present Facebook, Inc.",
        citation="Weston et al. 2015, Towards AI-Complete Question Answering, arXiv:1502.05698",
        makes="tasks 1 to 20",
    ),
}
SOURCES |= {
    name: Source(
        name=name,
        title=title,
        folder="text",
        archives=(),
        checksums="text/checksums.txt",
        licence=licence,
        citation=citation,
        makes="",
    )
    for name, title, licence, citation in (
        (
            "shakespeare",
            "tinyshakespeare: 1,115,394 characters of plays, for language models",
            "public domain text; the file is of karpathy/char-rnn (MIT)",
            "Karpathy 2015, The Unreasonable Effectiveness of Recurrent Neural Networks",
        ),
        (
            "war-and-peace",
            "War and Peace in English, raw, in three parts, for language models",
            "public domain text (Project Gutenberg); the split is that of timbmg/RNNLM",
            "Tolstoy 1869, translated by Louise and Aylmer Maude",
        ),
        (
            "ptb",
            "Penn Treebank as Mikolov prepared it: words, and characters made of them",
            "LDC User Agreement for Non-Members; the text is the Wall Street Journal's",
            "Marcus et al. 1993, Building a Large Annotated Corpus of English; Mikolov et al. 2010",
        ),
        (
            "wikitext-2",
            "WikiText-2 v1: words of good Wikipedia articles",
            "CC BY-SA",
            "Merity et al. 2017, Pointer Sentinel Mixture Models, arXiv:1609.07843",
        ),
    )
}


def source(name: str) -> Source:
    """The data set of that name; a ValueError that lists the names if there is none."""
    if name not in SOURCES:
        raise ValueError(
            f"{name!r}: there is no data set of this name. Choose one of {', '.join(SOURCES)}."
        )
    return SOURCES[name]


def cache_folder() -> Path:
    """Where downloads are kept: MEMNETS_CACHE, else the system's cache folder."""
    import pooch  # 0.2 s, and only wanted when the cache is.

    return Path(os.environ.get("MEMNETS_CACHE") or pooch.os_cache("memnets"))


def locate(
    name: str,
    path: str | os.PathLike[str] | None = None,
    *,
    holds: tuple[str, ...] = (),
) -> Path:
    """Find the folder of a data set.

    Args:
        name: a key of `SOURCES`.
        path: the set's folder, or one that contains it; it is not searched elsewhere then.
        holds: folders or files of which the set's folder has at least one; so it is recognised.

    Raises:
        FileNotFoundError: the set is nowhere; the text lists places, address and commands.
    """
    wanted = source(name)
    if path is not None:
        found = _inside(Path(path), wanted, holds)
        if found is None:
            raise FileNotFoundError(_not_there(wanted, Path(path), "the path"))
        return found
    places = []
    setting = os.environ.get("MEMNETS_DATA")
    if setting:
        if not Path(setting).is_dir():
            raise FileNotFoundError(_not_there(wanted, Path(setting), "MEMNETS_DATA"))
        places.append(Path(setting))
    places.append(cache_folder() / name)
    for place in places:
        found = _inside(place, wanted, holds)
        if found:
            return found
    raise FileNotFoundError(_nowhere(wanted, places))


def _inside(place: Path, wanted: Source, holds: tuple[str, ...]) -> Path | None:
    """The set's folder at a place: a folder of its name, or the place itself."""
    for folder in (place / wanted.folder, place):
        if any((folder / inner).exists() for inner in holds):
            return folder
    return None


def _not_there(wanted: Source, place: Path, what: str) -> str:
    state = "holds no" if place.is_dir() else "is no folder, so it holds no"
    otherwise = (
        f"leave it out and download: memnets data get {wanted.name}"
        if wanted.archives
        else "name the folder with its files"
    )
    return (
        f"{place}: {what} {state} {wanted.folder} ({wanted.name}). "
        f"Expected that folder, or one that contains it. Correct {what}, or {otherwise}"
    )


def _nowhere(wanted: Source, places: list[Path]) -> str:
    looked = (
        f"{wanted.folder} ({wanted.name}): the data set was not found. "
        f"Looked in: {', '.join(map(str, places))}. "
    )
    if not wanted.archives:
        return (
            f"{looked}It is not downloaded ({wanted.licence}): point at a copy, by the data path "
            f"option or by MEMNETS_DATA in the environment."
        )
    first = wanted.archives[0]
    return (
        f"{looked}Download it: memnets data get {wanted.name} "
        f"(from {first.address}, sha256 {first.sha256}). "
        f"Or point at a copy, by the data path option or by MEMNETS_DATA in the environment."
    )
