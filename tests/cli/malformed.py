"""Malformed input, made from what the commands themselves say that they take."""

import contextlib
import io
import logging
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from memnets.cli.main import FAULT, main

SECONDS = 10
"""Of the processor, within which every case has an answer or says what it does."""
AT_LAST = 300
"""Seconds of the clock, for a case that waits instead; others may need the machine meanwhile."""


class TooLongError(BaseException):
    """Passes through everything that a command catches."""


class Told:
    """What became of a command."""

    def __init__(self, words: list[str], typed: str = "") -> None:
        def too_long(*given: object) -> None:
            raise TooLongError

        self.words = words
        out, err = io.StringIO(), io.StringIO()
        before = [signal.signal(kind, too_long) for kind in (signal.SIGPROF, signal.SIGALRM)]
        said = logging.StreamHandler(err)  # pytest takes what Python shows on stderr by itself
        logging.getLogger("memnets").addHandler(said)
        # Again and again: Python passes over what is raised where it collects garbage.
        signal.setitimer(signal.ITIMER_PROF, SECONDS, 0.5)
        signal.alarm(AT_LAST)
        try:
            with (
                contextlib.redirect_stdout(out),
                contextlib.redirect_stderr(err),
                pytest.MonkeyPatch.context() as patch,
            ):
                patch.setattr("sys.stdin", io.StringIO(typed))
                self.status = main(words)
        except TooLongError:
            self.status = -1
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.alarm(0)
            logging.getLogger("memnets").removeHandler(said)
            for kind, handler in zip((signal.SIGPROF, signal.SIGALRM), before, strict=True):
                signal.signal(kind, handler)
        self.out, self.err = out.getvalue(), err.getvalue()

    def problem(self) -> str:
        """Return what is wrong with it; nothing where all is well."""
        shown = " ".join(word if len(word) < 60 else f"{word[:60]}..." for word in self.words)
        both = self.out + self.err
        if self.status == -1 and not self.err:
            return f"{shown}: nothing was said for {SECONDS} s"
        if self.status == FAULT or "fault of ours" in both or "Traceback" in both:
            return f"{shown}: {self.err[-300:]}"
        if self.status > 0 and not self.err.strip():
            return f"{shown}: status {self.status} without a word"
        if self.status > 0 and len(self.err) > 3000:
            return f"{shown}: {len(self.err)} characters of error"
        return ""


VALUES: dict[str, tuple[str, ...]] = {
    "INT": ("-1", "0", "1000000000", "99999999999999999999", "1.5", "nan", "many", ""),
    "FLOAT": ("nan", "inf", "-inf", "-1", "1e300", "half", ""),
    "STR": ("", "\x1b[31m", "[/]", "../../..", "x" * 10_000, "\ud800", "-"),
    "PATH": ("missing", ".", "garbage", "", "x" * 300, "a\0b", "garbage/inside"),
}
"""By the type that a help text names: what nobody should pass."""
WRONG_CHOICE = ("neither", "", "None ")
OPTION = re.compile(r"(--[a-z][\w.-]*) (\[?(?:\{[^}]*\}|[A-Z]{3,})[^\s│]*)")


class Option(NamedTuple):
    """An option as a help text tells it."""

    name: str
    kind: str

    @property
    def bad(self) -> tuple[str, ...]:
        """Values that do not fit, or hardly."""
        known = [values for kind, values in VALUES.items() if kind in self.kind]
        return known[0] if known else WRONG_CHOICE


def options(command: tuple[str, ...], said) -> Iterator[Option]:
    """Yield the options of a command, from its help.

    Args:
        command: its words.
        said: pytest's `capsys`.
    """
    assert main([*command, "--help"]) == 0
    text = said.readouterr().out
    seen = set()
    for name, kind in OPTION.findall(text):
        if name not in seen:
            seen.add(name)
            yield Option(name, kind)


POSITIONAL = re.compile(r"^\W (\S*(?:STR|PATH|\{)\S*)", re.MULTILINE)


def positionals(command: tuple[str, ...], said) -> Iterator[Option]:
    """Yield what a command takes without a name, from its help; the last may stand many times.

    Args:
        command: its words.
        said: pytest's `capsys`.
    """
    assert main([*command, "--help"]) == 0
    block = said.readouterr().out.partition("positional arguments")[2]
    for kind in POSITIONAL.findall(re.split(r"(?m)^\W*options\W*$", block)[0]):
        yield Option("", kind)


DAMAGES = {
    "removed": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "a bit": lambda path: path.write_bytes(flipped(path.read_bytes())),
    "garbage": lambda path: path.write_bytes(bytes(range(256)) * 3),
    "an empty object": lambda path: path.write_bytes(b"{}"),
    "a folder": lambda path: (path.unlink(), path.mkdir()),
}
"""What may become of a file."""


def flipped(content: bytes) -> bytes:
    """Return the content with one bit of its middle changed."""
    if not content:
        return b"\x04"
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 4]) + content[middle + 1 :]


def files_of(folder: Path) -> list[str]:
    """Return the files of a folder and of the newest checkpoint in it, from there."""
    every = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))
    return [name for name in every if (folder / name).is_file() and "report" not in name]
