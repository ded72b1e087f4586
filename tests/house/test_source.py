"""What the source text must and must not hold."""

import ast
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "memnets"
FILES = sorted(PACKAGE.rglob("*.py"))
PICKLES = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "shelve"}
PICKLING_CALLS = {"torch.load", "torch.save", "pandas.read_pickle"}
PICKLING_NAMES = {call.rpartition(".")[2] for call in PICKLING_CALLS}


@cache
def broken():
    """Return what each rule finds in each file; a text is parsed once for all of them."""
    rules, found = (forbidden, undocumented, spoken), {}
    for path in FILES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for rule in rules:
            found[rule, path] = rule(tree)
    return found


def offenders(rule, among=FILES):
    """Return what a rule finds in the source text, by file; nothing where nothing offends."""
    found = {path: broken()[rule, path] for path in among}
    return {str(path.relative_to(PACKAGE)): what for path, what in found.items() if what}


def parsed(text):
    """Return the tree of a text, which may be one already."""
    return ast.parse(text) if isinstance(text, str) else text


def forbidden(text):
    """Return what a text does that runs code from a file, or blinds the checks of shapes."""
    found, tree = [], parsed(text)
    plain = {id(node.func) for node in ast.walk(tree) if _of_tensors_alone(node)}
    for node in ast.walk(tree):
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
        elif isinstance(node, ast.Attribute) and node.attr in PICKLING_NAMES:
            if ast.unparse(node) in PICKLING_CALLS and id(node) not in plain:
                found.append((line, ast.unparse(node)))
        elif isinstance(node, ast.keyword) and node.arg == "allow_pickle":
            if not (isinstance(node.value, ast.Constant) and node.value.value is False):
                found.append((node.value.lineno, "allow_pickle"))
        elif isinstance(node, ast.ExceptHandler) and node.type is None:
            found.append((line, "except without a class"))
    return found


def _of_tensors_alone(node):
    """Whether a call loads tensors and nothing else: torch.load(..., weights_only=True)."""
    return isinstance(node, ast.Call) and any(
        one.arg == "weights_only" and ast.unparse(one.value) == "True" for one in node.keywords
    )


def undocumented(text):
    """Return the public classes and functions of a text that have no docstring, and the text."""
    tree = parsed(text)
    kinds = ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef
    public = [
        node for node in tree.body if isinstance(node, kinds) and not node.name.startswith("_")
    ]
    missing = [f"{node.lineno}: {node.name}" for node in public if not ast.get_docstring(node)]
    return missing + ([] if ast.get_docstring(tree) else ["the file itself"])


def spoken(text):
    """Return the lines of asserts with a message.

    An assert states an invariant of ours; what a user can cause is a ValueError with a text.
    """
    asserts = [node for node in ast.walk(parsed(text)) if isinstance(node, ast.Assert)]
    return [node.lineno for node in asserts if node.msg]


def test_nothing_forbidden():
    assert offenders(forbidden) == {}


@pytest.mark.parametrize(
    "text",
    [
        "import pickle",
        "from pickle import loads",
        "import torch\ntorch.load('x')",
        "import torch\ntorch.load('x', weights_only=False)",
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
    assert forbidden("import torch\ntorch.load('x', weights_only=True)") == []


def test_public_things_have_docstrings():
    public = [p for p in FILES if p.name == "__init__.py" or not p.name.startswith("_")]
    assert offenders(undocumented, public) == {}


def test_a_missing_docstring_is_caught():
    text = "'''A file.'''\ndef _one(): ...\nclass Two: ...\ndef three():\n    '''Said.'''"
    assert undocumented(text) == ["3: Two"]
    assert undocumented("def four():\n    '''Said.'''") == ["the file itself"]


def test_asserts_carry_no_message():
    assert offenders(spoken) == {}


def test_an_assert_with_a_message_is_caught():
    assert spoken("assert True\nassert True, 'so'") == [2]


def test_every_file_is_looked_at():
    assert {path for _, path in broken()} == set(PACKAGE.rglob("*.py"))
    assert len(FILES) > 100
