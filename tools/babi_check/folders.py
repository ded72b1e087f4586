"""Which files of a folder hold which task."""

import os
import re
from pathlib import Path

from memnets.data.babi import TASKS
from memnets.data.babi.files import file_name

NAMED = re.compile(r"qa(\d+)_.+\.txt")


def files_by_task(path: str | os.PathLike[str]) -> dict[int, list[Path]]:
    """The files qaN_....txt of a folder by task; if it has none, those of its only subfolder.

    In tasks_1-20_v1-2 they are the training files of en-10k, and for a task that has none there
    (task 3, in most copies) both files of en.

    Raises:
        FileNotFoundError: there is no such folder.
        ValueError: no file has such a name, or a name has no task, or several subfolders have some.
    """
    folder = Path(path)
    if not folder.is_dir():
        raise FileNotFoundError(
            f"{folder}: there is no such folder. Expected one with files such as "
            f"{file_name(1, 'train')}. Generate one: memnets data generate babi --out DIR"
        )
    if (folder / "en-10k").is_dir():
        return _official(folder)
    found = _named(folder)
    if not found:
        inside = [inner for inner in sorted(folder.iterdir()) if inner.is_dir() and _named(inner)]
        if len(inside) > 1:
            names = ", ".join(inner.name for inner in inside)
            raise ValueError(
                f"{folder}: several folders in it hold bAbI files ({names}). "
                f"Expected one. Name the one that is meant."
            )
        found = _named(inside[0]) if inside else {}
    if not found:
        raise ValueError(
            f"{folder}: no file in it is named like one of bAbI's. Expected names such as "
            f"{file_name(1, 'train')}. Rename the files, or name another folder."
        )
    return dict(sorted(found.items()))


def _named(folder: Path) -> dict[int, list[Path]]:
    found: dict[int, list[Path]] = {}
    for file in sorted(folder.iterdir()):
        match = NAMED.fullmatch(file.name)
        if match and file.is_file():
            task = int(match[1])
            if task not in TASKS:
                raise ValueError(
                    f"{file}: bAbI has no task {task}. Expected qa1_ to qa20_. Rename the file."
                )
            found.setdefault(task, []).append(file)
    return found


def _official(root: Path) -> dict[int, list[Path]]:
    found = {}
    for task in TASKS:
        large = root / "en-10k" / file_name(task, "train", "en-10k")
        small = [root / "en" / file_name(task, split) for split in ("train", "test")]
        files = [large] if large.is_file() else [file for file in small if file.is_file()]
        if not files:
            raise FileNotFoundError(
                f"{large}: no such file, and none of this task in {root / 'en'}. "
                f"This copy of bAbI is incomplete. Download the whole set: memnets data get babi"
            )
        found[task] = files
    return found
