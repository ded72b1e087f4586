"""List every `raise` of the package that no test reached: run by `make coverage`.

coverage json -o coverage.json && python tools/unraised.py coverage.json
"""

import ast
import json
import sys
from pathlib import Path


def unraised(path: Path, missing: set[int]) -> list[str]:
    """Return file:line of the raises of a file among the lines that were not run."""
    tree = ast.parse(path.read_text("utf-8"))
    lines = (node.lineno for node in ast.walk(tree) if isinstance(node, ast.Raise))
    return [f"{path}:{line}" for line in sorted(lines) if line in missing]


def main(report: str) -> int:
    """Print the places; return 1 where there are some."""
    files = json.loads(Path(report).read_text("utf-8"))["files"]
    found = [
        place
        for name, figures in files.items()
        for place in unraised(Path(name), set(figures["missing_lines"]))
    ]
    print("\n".join([*found, f"{len(found)} raises were not reached by a test"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
