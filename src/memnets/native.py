"""Build and load the C++ sources of a folder: the fast paths of what is there.

They are compiled when first wanted, with whatever compiler there is, into one library with a plain
C interface, and kept in the cache folder. All that uses it has a plain twin, in PyTorch or NumPy,
and does without where there is no library. Imports no torch.
"""

import ctypes
import hashlib
import os
import shlex
import shutil
import threading
from ctypes import c_int64, c_void_p
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memnets.waiting import said_if_long

if TYPE_CHECKING:
    import subprocess

FLAGS = (
    *("-std=c++17", "-O3", "-fPIC", "-shared", "-fopenmp-simd"),
    # What of -ffast-math leaves NaN and infinity alone, and the order of sums but where we say so.
    *("-fno-math-errno", "-fno-trapping-math", "-ffp-contract=fast"),
)
"""Never -ffast-math: a NaN must stay one."""

PLAIN = "MEMNETS_PLAIN"
"""The environment variable that forces the plain twins; 0 is as good as none."""

_COMPILERS = ("g++", "clang++", "c++")


class _BuildError(Exception):
    """Why there is no library, in one clause."""


def plain_is_forced() -> bool:
    """Return whether the environment asks for the plain twins, MEMNETS_PLAIN=1."""
    return os.environ.get(PLAIN, "0") not in ("", "0")


class Library:
    """What the C++ sources of a folder are built to.

    Args:
        folder: of the sources and their headers.
        called: what they are, for the warning that they cannot be had.
    """

    def __init__(self, folder: Path, called: str) -> None:
        self.sources = tuple(sorted(folder.glob("*.cpp")))
        self.headers = tuple(sorted(folder.glob("*.h")))
        self.called = called
        self._lock = threading.Lock()
        self._tried = False
        self._library: ctypes.CDLL | None = None
        self.functions: dict[str, Any] = {}  # those that were called

    def available(self) -> bool:
        """Return whether the fast paths can be used; the first call may build them, in seconds."""
        return not plain_is_forced() and self.loaded() is not None

    def loaded(self) -> ctypes.CDLL | None:
        """Return the built sources, or None where they cannot be built; that is said once."""
        with self._lock:
            if not self._tried:
                self._tried, self._library = True, self._loaded_or_said()
            return self._library

    def forget(self) -> None:
        """Forget what was loaded: the next call builds or loads anew."""
        self._tried, self._library = False, None
        self.functions.clear()

    def _loaded_or_said(self) -> ctypes.CDLL | None:
        try:
            return self._load()
        except (_BuildError, OSError) as error:
            import logging  # which takes longer than a question's words

            logging.getLogger("memnets").warning(
                "memnets runs without its C++ %s, slower and otherwise the same: %s. Install a "
                "compiler (g++ or clang++, or name one in CXX); %s=1 silences this.",
                self.called,
                error,
                PLAIN,
            )
            return None

    def _load(self) -> ctypes.CDLL:
        compiler = compiler_command()
        flags, target = _target(compiler)
        digest = hashlib.sha256(repr((compiler, flags)).encode() + target)
        for source in (*self.sources, *self.headers):
            digest.update(source.read_bytes())
        path = _cache_folder() / f"ops-{digest.hexdigest()[:24]}.so"
        if path.exists():
            try:
                return ctypes.CDLL(str(path))
            except OSError:  # damaged: built anew
                pass
        with said_if_long(f"compiling its C++ {self.called}, once: about half a minute"):
            _build([*compiler, *flags, *map(str, self.sources)], path)
        return ctypes.CDLL(str(path))


class Function:
    """A function of a library, declared once; it is found when it is first called.

    Args:
        library: whose it is.
        name: in the source.
        arguments: their names in order, as in the source; `name#` is a 64-bit number, any other
            an address.
        returns: whether it returns a 64-bit number.
    """

    def __init__(self, library: Library, name: str, arguments: str, returns: bool = False) -> None:
        self.library, self.name, self.returns = library, name, returns
        self.kinds = [c_int64 if word.endswith("#") else c_void_p for word in arguments.split()]

    def __call__(self, *parts: Any) -> Any:
        found = self.library.functions.get(self.name)
        return (found or self._declare())(*parts)

    def _declare(self) -> Any:
        found = getattr(self.library.loaded(), self.name)
        found.argtypes, found.restype = self.kinds, c_int64 if self.returns else None
        return self.library.functions.setdefault(self.name, found)


def compiler_command() -> list[str]:
    """Return the C++ compiler: that of CXX, or the first that is found."""
    named = shlex.split(os.environ.get("CXX", ""))
    if named:
        return named
    for name in _COMPILERS:
        if shutil.which(name):
            return [name]
    raise _BuildError(f"no compiler was found ({', '.join(_COMPILERS)})")


def _target(compiler: list[str]) -> tuple[tuple[str, ...], bytes]:
    """Return the flags to compile with, and what they make the compiler predefine.

    That names its version and every instruction set of the processor: all that a library
    depends on besides its sources.
    """
    for flags in ((*FLAGS, "-march=native"), FLAGS):
        done = _run([*compiler, *flags, "-dM", "-E", "-x", "c++", os.devnull])
        if done.returncode == 0:
            return flags, done.stdout
    raise _BuildError(f"{shlex.join(compiler)} does not compile C++17 ({_last_line(done.stderr)})")


def _cache_folder() -> Path:
    """Return where built libraries are kept: MEMNETS_CACHE, else the system's cache folder."""
    import pooch  # 0.04 s, and only wanted when a library is.

    return Path(os.environ.get("MEMNETS_CACHE") or pooch.os_cache("memnets")) / "ops"


def _build(command: list[str], path: Path) -> None:
    """Compile beside the place and move there: another process may be doing the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    import tempfile

    with tempfile.TemporaryDirectory(dir=path.parent, prefix="building-") as folder:
        built = Path(folder) / path.name
        done = _run([*command, "-o", str(built)])
        if done.returncode != 0 or not built.exists():
            raise _BuildError(f"{command[0]} failed ({_last_line(done.stderr)})")
        os.replace(built, path)


def _run(command: list[str]) -> "subprocess.CompletedProcess[bytes]":
    import subprocess

    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)


def _last_line(text: bytes) -> str:
    lines = text.decode(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else "it says nothing"
