"""The official files of bAbI v1.2: their folders, names and checksums, and how to load them."""

import hashlib
import os
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from typing import Literal, NamedTuple

from memnets.data.babi.reader import read_stories
from memnets.data.babi.stories import Story
from memnets.data.sources import locate
from memnets.files import sha256

Split = Literal["train", "valid", "test"]
State = Literal["official", "changed", "unlisted", "missing"]
"""How a file compares with the official one of its name; unlisted: no checksum is known."""


class TaskName(NamedTuple):
    """What a task is called in file names and in tables."""

    slug: str
    title: str


TASKS: dict[int, TaskName] = {
    1: TaskName("single-supporting-fact", "single supporting fact"),
    2: TaskName("two-supporting-facts", "two supporting facts"),
    3: TaskName("three-supporting-facts", "three supporting facts"),
    4: TaskName("two-arg-relations", "two-argument relations"),
    5: TaskName("three-arg-relations", "three-argument relations"),
    6: TaskName("yes-no-questions", "yes/no questions"),
    7: TaskName("counting", "counting"),
    8: TaskName("lists-sets", "lists and sets"),
    9: TaskName("simple-negation", "simple negation"),
    10: TaskName("indefinite-knowledge", "indefinite knowledge"),
    11: TaskName("basic-coreference", "basic coreference"),
    12: TaskName("conjunction", "conjunction"),
    13: TaskName("compound-coreference", "compound coreference"),
    14: TaskName("time-reasoning", "time reasoning"),
    15: TaskName("basic-deduction", "basic deduction"),
    16: TaskName("basic-induction", "basic induction"),
    17: TaskName("positional-reasoning", "positional reasoning"),
    18: TaskName("size-reasoning", "size reasoning"),
    19: TaskName("path-finding", "path finding"),
    20: TaskName("agents-motivations", "agents' motivations"),
}

FOLDERS: dict[str, str] = {
    "en": "English, 1,000 training questions a task",
    "en-10k": "English, 10,000 training questions a task; the test files are those of en",
    "hn": "romanised Hindi, 1,000 training questions a task; other stories than en",
    "hn-10k": "romanised Hindi, 10,000 training questions a task",
    "shuffled": "en under one permutation of the letters",
    "shuffled-10k": "en-10k under one permutation of the letters",
    "en-valid": "en with part of the training stories set aside for validation",
    "en-valid-10k": "en-10k with part of the training stories set aside for validation",
}
GENERATED = "en-generated"
"""Where ``memnets data generate babi`` puts its files: never a name of the official set."""
ALL_GENERATED = (GENERATED, "de-generated")
"""The same by language."""


def load_task(
    task: int,
    split: Split,
    *,
    folder: str = "en",
    path: str | os.PathLike[str] | None = None,
) -> list[Story]:
    """Load the stories of one task.

    Args:
        task: 1 to 20.
        split: "train" or "test"; "valid" in the folders en-valid and en-valid-10k only.
        folder: one of `FOLDERS`, or of `ALL_GENERATED`.
        path: the folder tasks_1-20_v1-2, or one that contains it; by default MEMNETS_DATA, then
            the download cache.

    Raises:
        FileNotFoundError: the file is not at hand; the text says where it was looked for.
        ValueError: no such task, split or folder; or the file is not what it should be.
    """
    file = task_file(task, split, folder=folder, path=path)
    stories = read_stories(file, task)
    if not any(story.questions for story in stories):
        raise ValueError(
            f"{file}: nothing is asked in this file. "
            f'Expected lines "N question?<TAB>answer<TAB>ids". '
            f"If an editor turned the TABs into spaces, download the file anew."
        )
    return stories


def task_file(
    task: int,
    split: Split,
    *,
    folder: str = "en",
    path: str | os.PathLike[str] | None = None,
) -> Path:
    """The file that `load_task` with the same arguments reads; the same errors."""
    name = file_name(task, split, folder)
    file = babi_folder(path) / folder / name
    if not file.is_file():
        raise FileNotFoundError(f"{file}: no such file. {_remedy(task, split, folder)}")
    return file


def babi_folder(path: str | os.PathLike[str] | None = None) -> Path:
    """The folder that holds en, en-10k and so on; see `memnets.data.sources.locate`."""
    return locate("babi", path, holds=(*FOLDERS, *ALL_GENERATED))


def file_name(task: int, split: Split, folder: str = "en") -> str:
    """The official name of a task's file in a folder."""
    if task not in TASKS:
        raise ValueError(f"task={task!r}: there is no such bAbI task. Choose one of 1 to 20.")
    if folder not in (*FOLDERS, *ALL_GENERATED):
        raise ValueError(
            f"folder={folder!r}: bAbI has no such folder. "
            f"Choose one of {', '.join((*FOLDERS, *ALL_GENERATED))}."
        )
    splits = splits_of(folder)
    if split not in splits:
        raise ValueError(
            f"split={split!r}: the folder {folder} has the splits {', '.join(splits)} only. "
            f"Set stories of the training file aside, or take folder='en-valid'."
        )
    slug = "" if "valid" in splits else f"_{TASKS[task].slug}"
    return f"qa{task}{slug}_{split}.txt"


def splits_of(folder: str) -> tuple[Split, ...]:
    """The splits that a folder has."""
    return ("train", "valid", "test") if folder.startswith("en-valid") else ("train", "test")


def _remedy(task: int, split: str, folder: str) -> str:
    generate = f"memnets data generate babi --task {task}"
    if task == 3 and split == "train" and folder.endswith("-10k"):
        return (
            "The 10k training file of task 3 is missing from many copies of bAbI. "
            "Download the whole set (memnets data get babi), or generate a substitute "
            f"({generate} --split train --questions 10000 --out DIR), load it with "
            f"folder='{GENERATED}', and label every figure trained on it \"task 3 generated\"."
        )
    if folder in ALL_GENERATED:
        generate += f" --language {folder[:2]}" if folder != GENERATED else ""
        return f"Generate it: {generate} --out DIR, and name DIR as the data path."
    return "This copy of bAbI is incomplete. Download the whole set: memnets data get babi"


def fingerprint(paths: Iterable[str | os.PathLike[str]]) -> str:
    """One SHA-256 that stands for a set of files, whatever their order or folder.

    For one file it is the file's own; for more it is that of their sorted sha256sum lines,
    "digest  name", joined by line ends.
    """
    lines = sorted((sha256(Path(path)), Path(path).name) for path in paths)
    if not lines:
        raise ValueError("fingerprint([]): there is no file. Name at least one.")
    if len(lines) == 1:
        return lines[0][0]
    listing = "\n".join(f"{digest}  {name}" for digest, name in lines)
    return hashlib.sha256(listing.encode()).hexdigest()


def official_checksums() -> dict[str, str]:
    """SHA-256 by file, e.g. "en/qa1_single-supporting-fact_test.txt"; en and en-10k only.

    The table can be checked by hand: ``sha256sum -c checksums.txt`` in tasks_1-20_v1-2. The
    training file of task 3 in en-10k is not in it: no copy was at hand to measure.
    """
    table = resources.files("memnets.data.babi").joinpath("checksums.txt").read_text("ascii")
    return {name: digest for digest, name in (line.split() for line in table.splitlines())}


def state(root: Path, name: str) -> State:
    """Compare a file, e.g. "en/qa1_single-supporting-fact_test.txt", with the official one."""
    file = root / name
    if not file.is_file():
        return "missing"
    expected = official_checksums().get(name)
    if expected is None:
        return "unlisted"
    return "official" if sha256(file) == expected else "changed"
