"""Where a figure was measured: when, on what kind of machine, by which commit."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path

DIRTY = "-dirty"
"""How a commit's name ends where the source has changed since."""


def now() -> str:
    """Return the time in UTC, to the second."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def machine() -> str:
    """Return what a figure depends on, without naming anyone's computer."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    name = f"{cores} cores, {platform.machine()}, {platform.system()}"
    try:
        return f"{name}, torch {metadata.version('torch')}"
    except metadata.PackageNotFoundError:
        return name


def commit() -> str | None:
    """Return the short hash of the checkout, with "-dirty" where its source was changed."""
    root = _checkout()
    if root is None:
        return None
    git = ["git", "-C", str(root)]
    try:
        head = subprocess.run(
            [*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True
        ).stdout.strip()
        changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "src"], check=False)
    except (OSError, subprocess.CalledProcessError):
        return None
    return f"{head}{DIRTY}" if changed.returncode else head


@cache
def running_commit() -> str | None:
    """Return the commit of what this process runs: git is asked once, as files may change since.

    A table has hundreds of rows, and is written after each run.
    """
    return commit()


def results_folder() -> Path:
    """Return where results are written: the checkout's `results`, or the current folder's."""
    return (_checkout() or Path()) / "results"


def known_results() -> Path:
    """Return where memnets' own results are read: in the checkout, or as they were shipped."""
    root = _checkout()
    return root / "results" if root else Path(__file__).with_name("shipped")


def _checkout() -> Path | None:
    root = Path(__file__).parents[3]
    return root if (root / "pyproject.toml").exists() and (root / ".git").exists() else None
