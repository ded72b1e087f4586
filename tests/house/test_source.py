"""What the source text must and must not hold."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "memnets"
FILES = sorted(PACKAGE.rglob("*.py"))
PICKLES = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "shelve"}
PICKLING_CALLS = {"torch.load", "torch.save", "pandas.read_pickle"}

by_file = pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))


def forbidden(text):
    """Return what a text does that runs code from a file, or blinds the checks of shapes."""
    found = []
    for node in ast.walk(ast.parse(text)):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Import):
            found += [(line, a.name) for a in node.names if a.name.split(".")[0] in PICKLES]
        elif isinstance(node, ast.ImportFrom):
            if (node.module or "").split(".")[0] in PICKLES:
                found.append((line, node.module))
            elif node.module == "torch":
                found += [
                    (line, f"torch.{a.name}") for a in node.names if a.name in ("load", "save")
                ]
            elif node.module == "__future__":
                # Annotations of fields would be strings, which the checking hook skips.
                found += [(line, a.name) for a in node.names if a.name == "annotations"]
            elif node.module == "typing":
                # A method that returns Self cannot be imported under the checking hook.
                found += [(line, "typing.Self") for a in node.names if a.name == "Self"]
        elif isinstance(node, ast.Attribute) and ast.unparse(node) in PICKLING_CALLS:
            found.append((line, ast.unparse(node)))
        elif isinstance(node, ast.keyword) and node.arg == "allow_pickle":
            if not (isinstance(node.value, ast.Constant) and node.value.value is False):
                found.append((node.value.lineno, "allow_pickle"))
        elif isinstance(node, ast.ExceptHandler) and node.type is None:
            found.append((line, "except without a class"))
    return found


@by_file
def test_nothing_forbidden(path):
    assert forbidden(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "text",
    [
        "import pickle",
        "from pickle import loads",
        "import torch\ntorch.load('x')",
        "from torch import load",
        "import numpy as np\nnp.load('x', allow_pickle=True)",
        "from __future__ import annotations",
        "from typing import Self",
        "try:\n    pass\nexcept:\n    pass",
    ],
)
def test_each_is_caught(text):
    assert len(forbidden(text)) == 1


def test_refusing_pickles_aloud_is_fine():
    assert forbidden("import numpy as np\nnp.load('x', allow_pickle=False)") == []


@by_file
def test_public_things_have_docstrings(path):
    if path.name.startswith("_") and path.name != "__init__.py":
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef
    public = [
        node for node in tree.body if isinstance(node, kinds) and not node.name.startswith("_")
    ]
    missing = [f"{node.lineno}: {node.name}" for node in public if not ast.get_docstring(node)]
    assert missing == []
    assert ast.get_docstring(tree), "the file itself has none"


@by_file
def test_asserts_carry_no_message(path):
    # An assert states an invariant of ours; what a user can cause is a ValueError with a text.
    tree = ast.parse(path.read_text(encoding="utf-8"))
    spoken = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Assert) and node.msg]
    assert spoken == []
