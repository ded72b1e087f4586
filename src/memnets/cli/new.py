"""`memnets new`: the folder of a study, its tests and its page, ready to be filled in."""

import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Literal

import tyro
from rich.console import Console

from memnets.cli.options import parse
from memnets.files import write_bytes
from memnets.studies import kinds, recipes, tables

LONGEST = 24
"""Characters of a name, so that no written line is too long."""
MARK = "FILL IN"
"""What stands, with what is wanted, where a study is to be filled in."""
FILES = {
    "data.py": "src/memnets/studies/{name}/data.py",
    "recipes.py": "src/memnets/studies/{name}/recipes.py",
    "task.py": "src/memnets/studies/{name}/task.py",
    "inference.py": "src/memnets/studies/{name}/inference.py",
    "tables.py": "src/memnets/studies/{name}/tables.py",
    "__init__.py": "src/memnets/studies/{name}/__init__.py",
    "test.py": "tests/studies/{name}/test_{name}.py",
    "page.md": "docs/{page}",
}
"""What is written, in the order in which it is filled in: templates of `new_study/`, and where."""


@dataclass(frozen=True)
class New:
    """Write a new study: a folder of src/memnets/studies, its tests and its page.

    No other file is touched, and none is overwritten. Its recipe and its table are listed at once;
    its tests fail until it is filled in. docs/extending.md goes through it.
    """

    kind: tyro.conf.Positional[Literal["study"]]
    """What is new."""
    name: tyro.conf.Positional[str]
    """The name of its folder, such as first_symbol."""


def main(arguments: Sequence[str]) -> int:
    """Write the files, and say what to fill in, in order."""
    options = parse(New, arguments, prog="memnets new")
    root = checkout()
    written = write_study(options.name, root)
    console = Console(highlight=False, soft_wrap=True, markup=False)
    console.print("Written:")
    for path in written:
        console.print(f"  {path.relative_to(root)}")
    console.print("\nFill in, in this order:")
    for path, line, wanted in left(written):
        console.print(f"  {path.relative_to(root)}:{line}: {wanted}")
    console.print("\nIts tests fail until then:")
    console.print(f"  python -m pytest tests/studies/{options.name}")
    return 0


def write_study(name: str, root: Path) -> list[Path]:
    """Write the files of a new study into a checkout, and return their paths.

    Raises:
        ValueError: it cannot have this name, or a study or one of its files is there already.
    """
    _check(name)
    page = name.replace("_", "-")
    written = {
        template: root / place.format(name=name, page=f"{page}.md")
        for template, place in FILES.items()
    }
    folder = root / "src/memnets/studies" / name
    there = [path for path in (folder, *written.values()) if path.exists()]
    if there:
        raise ValueError(
            f"{there[0].relative_to(root)}: this is there already, and nothing is overwritten. "
            f"Choose another name."
        )
    words = name.replace("_", " ")
    fields = {
        "name": name,
        "Name": "".join(word.capitalize() for word in name.split("_")),
        "words": words,
        "Words": words[0].upper() + words[1:],
        "kind": page,
        "page": f"{page}.md",
    }
    templates = files("memnets.cli") / "new_study"
    for template, path in written.items():
        text = (templates / f"{template}.txt").read_text(encoding="utf-8")
        write_bytes(path, Template(text).substitute(fields).encode())
    return list(written.values())


def left(paths: Sequence[Path]) -> Iterator[tuple[Path, int, str]]:
    """Yield what is to be filled in: the file, the line, and what is wanted there."""
    for path in paths:
        for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            _, mark, wanted = text.partition(f"{MARK} ")
            if mark:
                yield path, line, wanted.strip("\"' ,.")


def checkout() -> Path:
    """Return the checkout that this package is run from.

    Raises:
        ValueError: it was installed elsewhere.
    """
    package = Path(__file__).parents[1]
    root = package.parents[1]
    wanted = [root / part for part in ("pyproject.toml", "tests/studies", "docs")]
    missing = [path for path in wanted if not path.exists()]
    if package.parent.name != "src" or missing:
        raise ValueError(
            f"{package}: no checkout of memnets, in which a study has its tests and its page; "
            f"expected src/memnets, tests/studies and docs side by side. "
            f"Clone the repository and run: pip install --editable '.[dev]'"
        )
    return root


def _check(name: str) -> None:
    """Refuse a name that cannot be a folder's, or is a study's, a recipe's or a table's."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or keyword.iskeyword(name):
        raise ValueError(
            f"{name!r} cannot be a study's folder: expected lower-case words joined by _, "
            f"such as first_symbol."
        )
    if len(name) > LONGEST:
        raise ValueError(f"{name!r} has {len(name)} characters: expected at most {LONGEST}.")
    shown = name.replace("_", "-")
    taken = {*kinds(), *tables(), *(recipe.partition("/")[0] for recipe in recipes())}
    if shown in taken:
        raise ValueError(
            f"{shown!r} names a recipe, a table or a kind of run already (see `memnets list`). "
            f"Choose another name."
        )
