"""Places that a command will write to, looked at before it begins its work."""

import os
from pathlib import Path


def expect_folder(path: Path, option: str) -> None:
    """Refuse a place where no folder is and none can be made.

    Args:
        path: of the folder.
        option: that names it, such as "--out".

    Raises:
        ValueError: a file is in the way, nobody may write there, or it is no path.
    """
    if "\0" in str(path):
        raise ValueError(f"{option} {str(path)!r}: a path holds no NUL character. Leave it out.")
    there = next(one for one in (path, *path.absolute().parents) if one.exists())
    if not there.is_dir():
        raise ValueError(f"{there}: a file is in the way. Choose another folder with {option}.")
    if not os.access(there, os.W_OK):
        raise ValueError(
            f"{there}: this folder cannot be written to. Choose another one with {option}."
        )
