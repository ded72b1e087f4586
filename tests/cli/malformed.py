"""Malformed input, made from what the commands themselves say that they take."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from memnets.cli.main import main

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


FACTS = {
    "nothing": b"",
    "blank lines": b"\n\n\n",
    "one word": b"word\n",
    "NUL": b"a\tb\tc\n\0\0\0\n",
    "UTF-16": "Ada\tborn_in\tOslo\n".encode("utf-16"),
    "latin-1": "Ada\tborn_in\tTromsø\n".encode("latin-1"),
    "a zip": b"PK\x03\x04" + bytes(range(256)),
    "gzip": b"\x1f\x8b\x08" + bytes(range(200)),
    "an image": b"\x89PNG\r\n\x1a\n" + bytes(range(200)),
    "JSON": b'[{"subject": "Ada", "relation": "born_in", "object": "Oslo"}]\n',
    "HTML": b"<table><tr><td>Ada</td></tr></table>\n",
    "an open quote": b'subject,relation,object\n"Ada,born_in,Oslo\n',
    "a quoted newline": b'subject,relation,object\n"Ada\nLovelace",born_in,London\n',
    "columns that vary": b"a\tb\tc\nd\te\nf\tg\th\ti\n",
    "an empty name": b"\tborn_in\tOslo\n",
    "an empty relation": b"Ada\t\tOslo\n",
    "an empty object": b"Ada\tborn_in\t\n",
    "a header alone": b"subject\trelation\tobject\n",
    "escapes": b"\x1b[31mAda\tborn_in\tOslo\n",
    "right to left": "Ada\u202e\tborn_in\tOslo\n".encode(),
    "a long line": b"Ada\tborn_in\t" + b"x" * 100_000 + b"\n",
    "carriage returns": b"Ada\tborn_in\tOslo\rBo\tborn_in\tRome\r",
    "markup": b"[/]\t[bold]\t[red]x[/]\n",
    "surrogates": b"Ada\tborn_in\t\xed\xa0\x80\n",
}
"""Files of facts."""

TABLES = {
    "empty header cells": b"name,,town\nAda,1,Oslo\n",
    "trailing empty header cells": b"name,town,,\nAda,Oslo,,\n",
    "a header twice": b"name,town,town\nAda,Oslo,Rome\n",
    "rows too long": b"name,town\nAda,Oslo,Rome\n",
    "rows too short": b"name,town,born\nAda\n",
    "a header alone": b"name,town\n",
    "one column": b"name\nAda\n",
    "two of one name": b"name,town\nAda,Oslo\nAda,Rome\n",
    "no names": b"name,town\n,Oslo\n",
}
"""Tables with a row an entity."""

STORIES = {
    "nothing": "",
    "a question first": "Where is Mary?\n",
    "unknown words": "Xyzzy plugh.\nWhere is the frobnitz?\n",
    "brackets": "[/] went [bold].\nWhere is [red]?\n",
    "escapes": "\x1b[2JMary went home.\nWhere is Mary?\n",
    "a long sentence": f"{'Mary ' * 5000}.\nWhere is Mary?\n",
    "many sentences": "Mary moved to the garden.\n" * 2000 + "Where is Mary?\n",
    "full width": "Mary moved to the garden.\nWhere is Mary？\n",
    "quotes": 'Mary moved to the garden.\n"Where is Mary?"\n',
    "question marks": "???\n?\n",
    "NUL": "Mary\0moved.\nWhere is Mary?\n",
    "another script": "玛丽 去了 花园。\n玛丽在哪里？\n",
    "emoji": "Mary 🏃 garden.\nWhere is 🏃?\n",
}
"""What may be typed into `ask`."""

BABI = {
    "no tab": "1 Mary moved to the garden.\n2 Where is Mary? garden 1\n",
    "a line number twice": "1 Mary ran.\n1 John ran.\n1 Where is Mary?\tgarden\t1\n",
    "numbers that fall": "2 Mary moved.\n1 John ran.\n0 Where is Mary?\tgarden\t1\n",
    "no numbers": "Mary moved to the garden.\nWhere is Mary?\tgarden\t1\n",
    "cut in the line": "1 Mary moved to the garden.\n2 Where is Mary?\tgard",
    "cut before the support": "1 Mary moved to the garden.\n2 Where is Mary?\tgarden\t",
    "a support to come": "1 Mary moved.\n2 Where is Mary?\tgarden\t3\n3 John ran.\n",
    "a support that is a question": "1 Is it?\tno\t\n2 Where is Mary?\tgarden\t1\n",
    "an answer that is empty": "1 Mary moved.\n2 Where is Mary?\t\t1\n",
    "no questions": "1 Mary moved to the garden.\n2 John ran.\n",
    "nothing": "",
    "a huge number": f"{'9' * 5000} Mary moved.\n",
    "a negative number": "-1 Mary moved.\n2 Where is Mary?\tgarden\t1\n",
    "NUL": "1 Mary\0moved.\n2 Where is Mary?\tgarden\t1\n",
    "supports that are no numbers": "1 Mary moved.\n2 Where is Mary?\tgarden\tone\n",
    "too many tabs": "1 Mary moved.\n2 Where is Mary?\tgarden\t1\t2\t3\n",
}
"""Files of bAbI, in the place of task 1."""
