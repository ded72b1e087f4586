"""A folder of arrays that is whole or not there: built aside, named last, opened at once.

`index.json` names the generation of arrays that is in force, and is replaced in one step. Readers
of an older one keep what they have open; a builder that is killed leaves what was in force.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from memnets.files import read_json, sha256, sync_folder, write_json
from memnets.mapped import array_of


class Format(NamedTuple):
    """What a folder holds."""

    name: str
    version: int
    called: str
    """In complaints."""


INDEX = Format("memnets index", 1, "index")
MANIFEST = "index.json"
BUILDING = ".building"
"""The folder, inside an index, of a generation that is not finished."""

Arrays = dict[str, np.ndarray]

_GENERATION = re.compile("[0-9a-f]{16}")
_GENERATIONS = "[0-9a-f]" * 16


@contextmanager
def generation(folder: Path, kinds: Mapping[str, type], form: Format = INDEX) -> Iterator[Path]:
    """Let a new generation be built aside, and put it in force if the block ends well.

    Args:
        folder: of the index; made where it is missing.
        kinds: what must be built: the name of every array, which may begin with a folder's, with
            its type.
        form: what the folder holds.

    Yields:
        The folder into which to save the arrays, each as NAME.npy; other files are dropped.

    Raises:
        ValueError: something else is building here, or the folder holds something else.
    """
    _check_free(folder, form)
    folder.mkdir(parents=True, exist_ok=True)
    with _alone(folder):
        aside = folder / BUILDING
        shutil.rmtree(aside, ignore_errors=True)  # of a builder that was killed
        aside.mkdir()
        try:
            yield aside
            _put_in_force(folder, aside, kinds, form)
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def _check_free(folder: Path, form: Format) -> None:
    """Whether something may be built in a folder: nothing else is there."""
    if not folder.is_dir():
        strange = [folder.name] if folder.exists() else []
    elif (folder / MANIFEST).exists() and (found := _format(folder)) is not None:
        if found != form.name:
            raise ValueError(
                f"{folder}: this holds something else ({found}); expected a new folder, or "
                f"one of {form.name}, which would be replaced. Name another folder, or delete "
                f"this one first."
            )
        return
    else:
        strange = [path.name for path in folder.iterdir() if not path.name.startswith(".")]
        if any(folder.glob(_GENERATIONS)):  # one of ours, whose manifest is damaged or lost
            strange = []
    if strange:
        raise ValueError(
            f"{folder}: {min(strange)!r} is there; expected a new folder, or one that holds "
            f"such a thing ({form.name}). Name another one."
        )


def _format(folder: Path) -> str | None:
    """Return what a folder says that it holds; None where its manifest is damaged."""
    try:
        return str(read_json(folder / MANIFEST, ("format",))["format"])
    except ValueError:
        return None


def _put_in_force(folder: Path, aside: Path, kinds: Mapping[str, type], form: Format) -> None:
    wanted = {aside / f"{name}.npy" for name in kinds}
    for file in aside.rglob("*"):
        if file.is_file() and file not in wanted:
            file.unlink()
    files = {
        name: {"bytes": file.stat().st_size, "sha256": sha256(file)}
        for name in kinds
        for file in [aside / f"{name}.npy"]
    }
    for name in kinds:
        with (aside / f"{name}.npy").open("rb") as written:
            os.fsync(written.fileno())
    # Named by what it holds: the same content is the same bytes under the same names.
    name = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:16]
    sync_folder(aside)
    if (folder / name).is_dir():
        _mend(folder / name, aside, files)
    else:
        os.replace(aside, folder / name)
    write_json(
        folder / MANIFEST,
        {"format": form.name, "version": form.version, "generation": name, "files": files},
    )
    for old in folder.iterdir():
        if _GENERATION.fullmatch(old.name) and old.name != name:
            shutil.rmtree(old, ignore_errors=True)  # on POSIX its readers keep their maps


def _mend(there: Path, built: Path, files: Mapping[str, Mapping[str, Any]]) -> None:
    """Put what was built in the place of each file that is not what it was, one by one.

    So a reader finds every file at any time, and one that is whole is left alone.
    """
    for name, file in files.items():
        path = there / f"{name}.npy"
        if path.is_dir():
            shutil.rmtree(path)
        if not path.exists() or _differs(path, file):
            path.parent.mkdir(parents=True, exist_ok=True)
            os.replace(built / f"{name}.npy", path)
            sync_folder(path.parent)


def _differs(path: Path, file: Mapping[str, Any]) -> bool:
    return path.stat().st_size != file["bytes"] or sha256(path) != file["sha256"]


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, which ends with the process at the latest."""
    if os.name != "posix":
        yield
        return
    import fcntl  # POSIX only

    with (folder / ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(
                f"{folder}: another process, or an unfinished builder of this one, is building "
                f"here; expected one at a time. Wait for it to end, or build into another folder."
            ) from None
        yield


def in_force(folder: Path) -> str | None:
    """Return the name of the generation in force, or None where there is no index."""
    if not (folder / MANIFEST).is_file():
        return None
    return str(_manifest(folder, INDEX)["generation"])


def open_arrays(
    folder: Path, kinds: Mapping[str, type], form: Format = INDEX
) -> tuple[str, Arrays]:
    """Map the arrays in force into memory, without reading them.

    Args:
        folder: of the index.
        kinds: the name of every array, with its type.
        form: what the folder holds.

    Returns:
        The name of the generation, and its arrays.

    Raises:
        ValueError: there is no index, or it is of another version, cut short or damaged.
    """
    manifest = _manifest(folder, form)
    while True:
        try:
            return manifest["generation"], _map(folder, manifest, kinds, form)
        except FileNotFoundError as error:
            before, manifest = manifest, _manifest(folder, form)
            if manifest == before:  # else a builder put the next generation in force meanwhile
                raise ValueError(f"{error.filename}: no such file. {_again(form)}") from None


def _manifest(folder: Path, form: Format) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        manifest = read_json(path, ("format", "version", "generation", "files"), _again(form))
    except FileNotFoundError:
        raise ValueError(
            f"{folder}: no {form.called} here, since {MANIFEST} is missing; expected the folder "
            f"that a builder was given and finished. Name that folder, or build it first."
        ) from None
    if manifest["format"] != form.name:
        raise ValueError(
            f"{path}: the format is {manifest['format']!r}; expected {form.name!r}. Name a "
            f"folder that {form.name} has built."
        )
    if manifest["version"] != form.version:
        raise ValueError(
            f"{path}: the {form.called} is of version {manifest['version']}; expected version "
            f"{form.version}, which this memnets reads. {_again(form)}"
        )
    whole = isinstance(manifest["files"], dict)
    if not whole or not _GENERATION.fullmatch(str(manifest["generation"])):
        raise ValueError(
            f"{path}: the generation {manifest['generation']!r:.40} or its list of files is "
            f"damaged. {_again(form)}"
        )
    return manifest


def _map(folder: Path, manifest: dict[str, Any], kinds: Mapping[str, type], form: Format) -> Arrays:
    arrays = {}
    again = _again(form)
    for name, kind in kinds.items():
        path = folder / manifest["generation"] / f"{name}.npy"
        size, expected = path.stat().st_size, _recorded(folder, manifest, name, form)["bytes"]
        if size != expected:
            raise ValueError(f"{path}: {size:,} bytes; expected {expected:,}. {again}")
        array = array_of(path)
        if array is None:
            raise ValueError(f"{path}: not an array of NumPy's format. {again}")
        if array.dtype != kind or array.ndim != 1:
            raise ValueError(
                f"{path}: holds {array.dtype} in {array.ndim} dimensions; expected "
                f"{np.dtype(kind)} in one. {again}"
            )
        arrays[name] = array
    return arrays


def _recorded(folder: Path, manifest: dict[str, Any], name: str, form: Format) -> dict[str, Any]:
    """Return what the manifest says of a file."""
    of_name = manifest["files"].get(name)
    if not isinstance(of_name, dict) or not {"bytes", "sha256"} <= of_name.keys():
        raise ValueError(
            f"{folder / MANIFEST}: it says nothing of {name}; expected its size and its sha256. "
            f"{_again(form)}"
        )
    return of_name


def verify(folder: Path, form: Format = INDEX) -> None:
    """Compare every file in force with its checksum, which reads them whole.

    Args:
        folder: of the index.
        form: what it holds.

    Raises:
        ValueError: there is no index, or a file is not the one that was built.
    """
    manifest = _manifest(folder, form)
    for name in manifest["files"]:
        file = _recorded(folder, manifest, name, form)
        path = folder / manifest["generation"] / f"{name}.npy"
        found = sha256(path) if path.is_file() else "none, for there is no such file"
        if found != file["sha256"]:
            raise ValueError(
                f"{path}: the sha256 is {found}; expected {file['sha256']}. {_again(form)}"
            )


def _again(form: Format) -> str:
    return f"Build the {form.called} again from its source, into the same folder: that mends it."
