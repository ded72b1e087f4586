"""Download a data set into the cache: checked, unpacked aside, then moved into place at once.

A set is either whole under its final name or not there; a killed download leaves a hidden folder
beside it at worst.
"""

import gzip
import hashlib
import os
import shutil
import tarfile
import tempfile
import zlib
from importlib import resources
from pathlib import Path
from typing import Protocol, runtime_checkable

from memnets.data.sources import Archive, Source, cache_folder
from memnets.files import sha256

UNPACKED_CAP = 2**30
"""The most bytes an archive may unpack to; all of bAbI is about 134 MB."""

ATTEMPTS = 3
"""How often one address is tried before the next one."""


@runtime_checkable
class DownloadProgress(Protocol):
    """What shows a download's progress: pooch's protocol, a subset of tqdm's."""

    total: int

    def update(self, size: int) -> object: ...
    def reset(self) -> object: ...
    def close(self) -> object: ...


def download(source: Source, progress: DownloadProgress | None = None) -> Path:
    """Download a set, unless the cache has it, and return its folder.

    Args:
        source: the set; its addresses are tried in order.
        progress: told of the bytes as they come.

    Raises:
        ValueError: no address gave the set; the text says what each one gave.
    """
    place = cache_folder() / source.name
    target = place / source.folder
    if target.is_dir():
        return target
    failures = []
    for archive in source.archives:
        try:
            file = _fetch(archive, place / "archives", progress)
            _unpack(file, archive, source, target)
            return target
        except (OSError, ValueError) as error:
            failures.append(f"{archive.address}: {_first_line(error)}")
    raise ValueError(
        f"{source.name}: no address gave the data set. "
        + " ".join(f"[{number}] {text}" for number, text in enumerate(failures, start=1))
        + f" Expected {source.folder} from one of them. Try again later, or fetch an archive "
        f"by other means, unpack it, and point at it by MEMNETS_DATA in the environment."
    )


def _fetch(archive: Archive, folder: Path, progress: DownloadProgress | None) -> Path:
    """The archive's file, from the cache or the network."""
    import pooch  # 0.2 s, and only wanted for a download.

    # Its log would repeat what the progress and our errors say.
    pooch.get_logger().setLevel("ERROR")
    # Two addresses may use one name for different bytes.
    name = hashlib.sha256(archive.address.encode()).hexdigest()[:8] + "-" + archive.name
    known = f"sha256:{archive.sha256}" if archive.sha256 else None
    store = pooch.create(
        path=folder,
        base_url="",
        registry={name: known},
        urls={name: archive.address},
        retry_if_failed=ATTEMPTS - 1,
    )
    # pooch takes False for none, and adapts anything else that has tqdm's verbs.
    bar = progress if progress is not None else False
    return Path(store.fetch(name, downloader=pooch.HTTPDownloader(progressbar=bar, timeout=30)))


def _unpack(file: Path, archive: Archive, source: Source, target: Path) -> None:
    aside = Path(tempfile.mkdtemp(prefix=".unpacking-", dir=target.parent))
    try:
        _extract(file, aside)
        found = aside / source.folder
        if not found.is_dir():
            raise ValueError(f"the archive holds no folder {source.folder}.")
        if archive.sha256 is None:
            _check_files(found, source)
        os.replace(found, target)
    except ValueError:
        # Bytes that nobody vouches for must not be taken from the cache the next time.
        if archive.sha256 is None:
            file.unlink()
        raise
    finally:
        shutil.rmtree(aside)


def _extract(file: Path, aside: Path) -> None:
    room = UNPACKED_CAP
    try:
        with tarfile.open(file, "r:gz") as tar:
            for member in tar:
                room -= member.size
                if room < 0:
                    raise ValueError(
                        f"the archive unpacks to more than {UNPACKED_CAP:,} bytes "
                        f"(at {member.name!r}). Nothing was kept."
                    )
                tar.extract(member, aside, filter="data")
    except tarfile.FilterError as error:
        raise ValueError(f"the archive is not safe to unpack: {error}. Nothing was kept.") from None
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(
            f"the archive cannot be read: {_first_line(error)}. It is cut short or damaged."
        ) from None


def _check_files(found: Path, source: Source) -> None:
    """Compare the files with the table, where the archive itself has no published checksum."""
    table = resources.files("memnets.data").joinpath(source.checksums).read_text("ascii")
    for line in table.splitlines():
        expected, name = line.split()
        if not (found / name).is_file() or sha256(found / name) != expected:
            raise ValueError(f"{name} is not the official file: its sha256 should be {expected}.")


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).splitlines()[0]
