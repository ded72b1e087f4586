"""The options of a command, read by tyro; its help in lines that the terminal has room for."""

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, TextIO

import tyro

MOST_LINES = 12
"""So many lines of a complaint are shown of its beginning, and of its end."""
_STYLE = re.compile(r"\x1b\[[0-9;]*m")
"""What sets a colour, and takes no room."""


def parse(kind: Any, arguments: Sequence[str], prog: str, **more: Any) -> Any:
    """Return the options of a command.

    Args:
        kind: the dataclass, or a union of dataclasses, of the options.
        arguments: words of the command line.
        prog: name of the command, as users type it.
        more: that `tyro.cli` takes.
    """
    with redirect_stdout(Wrapping(sys.stdout)), redirect_stderr(Complaining(sys.stderr)):
        return tyro.cli(kind, args=list(arguments), prog=prog, **more)


class Wrapping:
    """A stream that breaks lines where the terminal has no room for them.

    Args:
        stream: where everything goes.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

    def write(self, text: str) -> int:
        """Write a text of whole lines."""
        width = shutil.get_terminal_size().columns
        lines = (wrapped(line, width) for line in text.split("\n"))
        return self.stream.write("\n".join(lines))


class Complaining(Wrapping):
    """A stream of refused options, of which a very long one is shown by its beginning and end.

    Args:
        stream: where everything goes.
    """

    def write(self, text: str) -> int:
        """Write a complaint, which comes as one text."""
        lines = text.split("\n")
        if len(lines) > 2 * MOST_LINES:
            skipped = len(lines) - 2 * MOST_LINES
            said = f"[... {skipped:,} lines ...]"
            text = "\n".join([*lines[:MOST_LINES], said, *lines[-MOST_LINES:]])
        return self.stream.write(text)


def wrapped(line: str, width: int) -> str:
    """Break a line at its spaces; what follows stands below its text, or below its second column.

    A word that is longer than the width stays whole.
    """
    if len(_STYLE.sub("", line)) <= width:
        return line
    return "\n".join(_pieces(line, width))


def _pieces(line: str, width: int) -> Iterator[str]:
    head = re.match(r"\s*(?:\S+(?: \S+)*\s{2,}|usage: )?", _STYLE.sub("", line))
    indent = " " * (head.end() if head and head.end() < width / 2 else 0)
    begun, room = "", width
    for word in re.findall(r"\s*\S+", line):
        if begun.strip() and len(_STYLE.sub("", begun + word)) > room:
            yield begun
            begun, word = indent, word.lstrip()
        begun += word
    yield begun
