"""`memnets data`: list, download, inspect and generate data sets."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, get_args

import tyro
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TransferSpeedColumn,
)
from rich.table import Column, Table
from rich.text import Text

from memnets.cli.generate import MADE, Generate
from memnets.cli.options import parse
from memnets.data import official
from memnets.data.babi import FOLDERS, TASKS
from memnets.data.babi.files import (
    ALL_GENERATED,
    State,
    babi_folder,
    file_name,
    splits_of,
    state,
)
from memnets.data.download import download
from memnets.data.sources import SOURCES, Source, source
from memnets.files import read_json

KINDS: tuple[State, ...] = get_args(State)


@dataclass(frozen=True)
class List:
    """List the data sets: what they are, their licence, and what can be generated."""

    def run(self) -> int:
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("name", overflow="fold")
        table.add_column("what it is, whether it is downloaded, its licence", overflow="fold")
        for known in SOURCES.values():
            table.add_row(known.name, Text.assemble(known.title, (f"\n{_terms(known)}", "dim")))
        Console().print(table)
        return 0


@dataclass(frozen=True)
class Get:
    """Download a data set into the cache, and check it."""

    name: tyro.conf.Positional[str]
    """Name of the data set; `memnets data list` lists them."""

    def run(self) -> int:
        wanted = source(self.name)
        if not wanted.archives:
            from memnets.data.text import SETS  # needs NumPy, which the other sets do without

            origin = wanted.origin or SETS[wanted.name].origin
            raise ValueError(
                f"{wanted.name}: this set is not downloaded ({wanted.licence}). Get it from "
                f"{origin}, and name its folder with the data path or by MEMNETS_DATA in the "
                f"environment."
            )
        with _Bytes(wanted.folder) as progress:
            folder = download(wanted, progress)
        _say(f"{wanted.name}: {folder}")
        _say(f"{wanted.licence}\nPlease cite: {wanted.citation}")
        return 0


@dataclass(frozen=True)
class Info:
    """Show where a data set is, and compare its files with the official ones.

    A file is official (its checksum is the published one), changed, unlisted (no checksum is
    known) or missing.
    """

    name: tyro.conf.Positional[str]
    """Name of the data set; `memnets data list` lists them."""
    path: Path | None = None
    """Folder of the data set, or one above it; by default MEMNETS_DATA, then the cache."""

    def run(self) -> int:
        wanted = source(self.name)
        if wanted.checksums.startswith("text/"):
            return self._text()
        if wanted.checksums.startswith("checksums/"):
            return self._published()
        root = babi_folder(self.path)
        _say(f"{wanted.title}\n{root}\n{wanted.licence}\nPlease cite: {wanted.citation}")
        here = [folder for folder in (*FOLDERS, *ALL_GENERATED) if (root / folder).is_dir()]
        table = Table(*(Column(name, overflow="fold") for name in ("folder", *KINDS)))
        for folder in here:
            states = {name: state(root, f"{folder}/{name}") for name in _names(folder)}
            if folder in ALL_GENERATED:
                # It holds the tasks that somebody wanted; nothing is missing from it.
                states = {name: kind for name, kind in states.items() if kind != "missing"}
                _say_how_made(root / folder, states)
            counts = Counter(states.values())
            table.add_row(folder, *(str(counts[kind]) for kind in KINDS))
            for name, kind in states.items():
                if kind in ("changed", "missing"):
                    _say(f"{kind}: {folder}/{name}")
        Console().print(table)
        _say(f"not here: {', '.join(folder for folder in FOLDERS if folder not in here) or 'none'}")
        return 0

    def _published(self) -> int:
        wanted = source(self.name)
        _say(f"{wanted.title}\n{wanted.licence}\nPlease cite: {wanted.citation}")
        for name, (kind, place) in official.states(self.name, self.path).items():
            _say(f"{kind}: {place or name}")
        return 0

    def _text(self) -> int:
        from memnets.data.text import find_parts

        wanted = source(self.name)
        _say(f"{wanted.title}\n{wanted.licence}\nPlease cite: {wanted.citation}")
        for split, file in find_parts(self.name, self.path).items():
            _say(f"{split}: {file.path} (sha256 {file.sha256})")
        return 0


Data = (
    Annotated[List, tyro.conf.subcommand("list")]
    | Annotated[Get, tyro.conf.subcommand("get")]
    | Annotated[Info, tyro.conf.subcommand("info")]
    | Annotated[Generate, tyro.conf.subcommand("generate")]
)


def main(arguments: Sequence[str]) -> int:
    """Run one of the commands.

    Raises:
        ValueError: the command has gone elsewhere.
    """
    if list(arguments[:1]) == ["check"]:
        raise ValueError(
            "data check is no command any more. In a checkout, run: python -m tools.babi_check DIR"
        )
    if list(arguments[:1]) == ["make"]:
        raise ValueError("data make is called data generate now, and its --longer is --length.")
    command: List | Get | Info | Generate = parse(
        Data, arguments, prog="memnets data", description=__doc__
    )
    return command.run()


def _terms(known: Source) -> str:
    """Say how a data set is come by."""
    if not known.archives:
        download = "from a folder"
    elif (size := known.archives[0].size) is None:
        download = "download, size unknown"
    else:
        download = f"download, {size / 1e6:.0f} MB"
    made = f"; can be generated: {known.makes}" if known.makes else ""
    return f"{download}; licence: {known.licence}{made}"


def _names(folder: str) -> list[str]:
    return [file_name(task, split, folder) for task in TASKS for split in splits_of(folder)]


def _say_how_made(folder: Path, names: Iterable[str]) -> None:
    """In what the stories of generated files differ from the official ones."""
    made = read_json(folder / MADE) if (folder / MADE).exists() else {}
    for name in names:
        differs = made.get(name, {}).get("variant")
        if differs:
            said = ", ".join(f"{option}={value}" for option, value in differs.items())
            _say(f"{folder.name}/{name}: {said}")


def _say(text: str) -> None:
    # Paths must stay whole, for those who copy them or read them by program.
    Console().print(text, highlight=False, soft_wrap=True, markup=False)


class _Bytes:
    """A progress bar for one download, in the terms pooch knows."""

    def __init__(self, what: str) -> None:
        self._bar = Progress(
            TextColumn(what),
            BarColumn(),
            DownloadColumn(),
            TransferSpeedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bar.add_task("", total=None)

    def __enter__(self) -> "_Bytes":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    @property
    def total(self) -> int:
        return int(self._bar.tasks[0].total or 0)

    @total.setter
    def total(self, size: int) -> None:
        # A download starts here, and so does each further attempt.
        self._bar.reset(self._task, total=size or None)

    def update(self, size: int) -> None:
        self._bar.update(self._task, advance=size)

    def reset(self) -> None:
        self._bar.reset(self._task)

    def close(self) -> None:
        """Nothing to do: the bar goes when the command is done."""
