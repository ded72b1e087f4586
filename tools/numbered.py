"""List the numbers of a test list that no test's docstring names.

python tools/numbered.py tests/attention/list.txt attention tests
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path


def listed(path: Path) -> dict[int, tuple[str, str]]:
    """Return every number of a list, with who answers for it and its title."""
    lines = (line for line in path.read_text("utf-8").splitlines() if not line.startswith("#"))
    rows = (line.split(" ", 2) for line in lines if line)
    return {int(number): (owner, title) for number, owner, title in rows}


def named(folder: Path) -> dict[int, list[str]]:
    """Return the numbers that tests name, each with its tests."""
    found: dict[int, list[str]] = {}
    for path in sorted(folder.rglob("test_*.py")):
        for name, numbers in _tests(ast.parse(path.read_text("utf-8"))):
            for number in numbers:
                found.setdefault(number, []).append(f"{path}::{name}")
    return found


def _tests(tree: ast.Module) -> Iterator[tuple[str, list[int]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            match = re.match(r"List (\d+(?:, \d+)*): ", ast.get_docstring(node) or "")
            yield node.name, [int(number) for number in match[1].split(", ")] if match else []


def main(path: str, owner: str, folder: str) -> int:
    """Print what is missing; return 1 where the owner misses something."""
    numbers, tests = listed(Path(path)), named(Path(folder))
    unknown = [f"{place} names {n}" for n in tests.keys() - numbers.keys() for place in tests[n]]
    without = {n: numbers[n] for n in sorted(numbers.keys() - tests.keys())}
    missing = [f"{n} {title}" for n, (whose, title) in without.items() if whose == owner]
    others = [f"{n} {title} ({whose})" for n, (whose, title) in without.items() if whose != owner]
    for title, places in (
        ("not in the list", unknown),
        ("without a test", missing),
        ("left to others", others),
    ):
        print("\n  ".join([f"{len(places)} {title}", *places]))
    return 1 if missing or unknown else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
