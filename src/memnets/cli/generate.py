"""`memnets data generate`: write stories of bAbI, as the official ones are or beyond them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro
from rich.console import Console

from memnets.data.babi import write_stories
from memnets.data.babi.files import file_name
from memnets.data.babi.generate import Variant, make_stories
from memnets.files import check_new, read_json, sha256, write_json
from memnets.waiting import said_if_long

MADE = "made.json"
"""The record in a folder of generated files: how each of them was made."""


@dataclass(frozen=True)
class Generate:
    """Generate stories in the official format, under a name that says so.

    By default they are like the official ones; --actors to --language change their size, length,
    balance, words or language. made.json, beside the files, records the options of each.
    """

    name: tyro.conf.Positional[Literal["babi"]]
    """Format of the files."""
    out: Path
    """Folder for the new folder en-generated, or de-generated; pass it as --data afterwards."""
    task: tuple[str, ...] = ("1-20",)
    """Tasks: numbers and ranges, such as 3 5-14."""
    questions: int = 1000
    """Number of questions in each file."""
    seed: int = 0
    """Seed of all random choices; the same seed gives the same bytes everywhere."""
    split: Literal["train", "test", "both"] = "both"
    """Files to write; each has random numbers of its own."""
    variant: Annotated[Variant, tyro.conf.arg(name="")] = Variant()
    overwrite: bool = False
    """Whether existing files are replaced."""

    def run(self) -> int:
        splits: tuple[Literal["train", "test"], ...]
        splits = ("train", "test") if self.split == "both" else (self.split,)
        folder = self.out / f"{self.variant.language}-generated"
        wanted = [(task, split) for task in _tasks(self.task) for split in splits]
        files = {key: folder / file_name(*key, folder=folder.name) for key in wanted}
        for file in files.values():
            check_new(file, self.overwrite)
        with said_if_long(f"trying {len(wanted):,} files with one question each"):
            for task, split in wanted:
                # A task that cannot take the variant is refused before anything is written.
                make_stories(task, min(self.questions, 1), self.seed, split, self.variant)
        for (task, split), file in files.items():
            with said_if_long(f"{file}: making {self.questions:,} questions"):
                stories = make_stories(task, self.questions, self.seed, split, self.variant)
            write_stories(file, stories)
            self._record(task, split, file)
            differs = f", {self.variant}".replace(":", ", ") if self.variant.asked() else ""
            # Paths must stay whole, for those who copy them or read them by program.
            Console().print(
                f"{file} ({self.questions:,} questions, generated with seed {self.seed}{differs})",
                highlight=False,
                soft_wrap=True,
                markup=False,
            )
        return 0

    def _record(self, task: int, split: str, file: Path) -> None:
        record = file.with_name(MADE)
        made = read_json(record) if record.exists() else {}
        made[file.name] = {
            "task": task,
            "split": split,
            "questions": self.questions,
            "seed": self.seed,
            "variant": {name: getattr(self.variant, name) for name in self.variant.asked()},
            "sha256": sha256(file),
        }
        write_json(record, made)


def _tasks(wanted: Sequence[str]) -> list[int]:
    tasks: list[int] = []
    for word in wanted:
        found = re.fullmatch(r"(\d+)(?:-(\d+))?", word)
        numbers = range(int(found[1]), int(found[2] or found[1]) + 1) if found else range(0)
        if not numbers:
            raise ValueError(
                f"--task {word}: this is no task. Expected numbers and ranges, e.g. 3 5-14."
            )
        tasks += numbers
    return list(dict.fromkeys(tasks))
