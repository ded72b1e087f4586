"""Imports point one way, in no circle, and what should import without torch does."""

import ast
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"
PACKAGE = SOURCE / "memnets"
FILES = sorted(PACKAGE.rglob("*.py"))

# DESIGN 2: a part imports only from parts below it; those on one line do not know each other.
CHAIN = {
    "ops": 1,
    "attention": 2,
    "layers": 3,
    "memories": 4,
    "models": 5,
    "training": 6,
    "tasks": 7,
    "experiments": 8,
    "studies": 9,
    "inference": 10,
    "report": 11,
    "serve": 12,
    "cli": 13,
    "__main__": 14,
}
# Beside the chain, knowing nothing of it.
BESIDE = {
    "data",
    "kb",
    "evidence",
    "results",
    "reference",
    "citations",
    "files",
    "lookup",
    "native",
    "mapped",
    "waiting",
}
# Takes tensors, never a task's batch or a data set's record.
KNOWS_NO_DATA = {"ops", "attention", "layers", "memories", "models"}
TORCH_FREE = (
    "data",
    "kb",
    "evidence",
    "files",
    "native",
    "mapped",
    "waiting",
    "results",
    "citations",
    "lookup",
    "experiments",
    "inference",
    "cli",
    "training.config",
)


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache  # two tests ask the same of every file
def imported(text: str, here: str, is_package: bool) -> list[tuple[int, str]]:
    """Return every module of memnets that a text imports, in any form, with its line.

    `from memnets import x` counts as `memnets.x`, which is right for a folder or a file and does
    no harm for anything else.
    """
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parent = here.split(".")[: len(here.split(".")) - node.level + is_package]
                base = ".".join([*parent, *([base] if base else [])])
            found += [(node.lineno, f"{base}.{alias.name}") for alias in node.names]
        elif isinstance(node, ast.Call) and _called(node).endswith("import_module"):
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant):
                found.append((node.lineno, str(first.value)))
    return [(line, name) for line, name in found if name.split(".")[0] == "memnets"]


def _called(node: ast.Call) -> str:
    """Return the last name of what is called; "" where that has none."""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def part_of(name: str) -> str:
    """Return the folder or file of memnets that a module belongs to; "" for memnets itself."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else ""


def study_of(name: str) -> str:
    """Return the study that a module belongs to; "" for all others."""
    parts = name.split(".")
    return parts[2] if part_of(name) == "studies" and len(parts) > 2 else ""


def wrong(here: str, there: str) -> bool:
    """Whether one part may not import another."""
    if here == there or here == "testing":
        return False
    if there == "testing" or (here in BESIDE and there not in BESIDE):
        return True
    if there in BESIDE:
        return here in KNOWS_NO_DATA and there != "native"
    return CHAIN[there] >= CHAIN[here]


def complaints(text: str, here: str, is_package: bool = False) -> list[str]:
    return [
        f"line {line}: {here} imports {name}"
        for line, name in imported(text, here, is_package)
        if part_of(name) in CHAIN.keys() | BESIDE | {"testing"}
        and (
            wrong(part_of(here), part_of(name))
            or (study_of(here) and study_of(name) not in ("", study_of(here)))
        )
    ]


def test_imports_point_one_way():
    # memnets itself loads its names when they are first used; held below.
    modules = {module_name(path): path for path in FILES if module_name(path) != "memnets"}
    new = {part_of(here) for here in modules} - CHAIN.keys() - BESIDE - {"testing"}
    assert not new, "give this new part its place in CHAIN or BESIDE"
    found = [
        complaint
        for here, path in modules.items()
        for complaint in complaints(
            path.read_text(encoding="utf-8"), here, path.name == "__init__.py"
        )
    ]
    assert found == []


@pytest.mark.parametrize(
    ("here", "text"),
    [
        ("memnets.ops.reading", "import memnets.attention"),
        ("memnets.ops.reading", "import memnets.attention.scores as scores"),
        ("memnets.ops.reading", "from memnets import attention"),
        ("memnets.ops.reading", "from memnets.attention import Score"),
        ("memnets.ops.reading", "from .. import attention"),
        ("memnets.ops.reading", "from ..attention.scores import Score"),
        ("memnets.ops.reading", "def read():\n    from memnets.models import memn2n"),
        ("memnets.ops.reading", "import importlib\nimportlib.import_module('memnets.cli')"),
        ("memnets.models.memn2n", "from memnets.data.babi import Story"),
        ("memnets.models.memn2n", "from memnets.testing import discover"),
        ("memnets.data.babi", "from memnets.tasks import stories"),
        ("memnets.evidence", "from memnets.models import memn2n"),
        ("memnets.training.loop", "from memnets.tasks import stories"),
        ("memnets.serve.app", "from memnets.cli import main"),
        ("memnets.studies.babi.data", "from memnets.studies.recall.task import RecallTask"),
    ],
)
def test_a_wrong_import_is_caught(here, text):
    assert len(complaints(text, here)) == 1


@pytest.mark.parametrize(
    ("here", "text"),
    [
        ("memnets.models.memn2n", "from memnets.attention import Score"),
        ("memnets.models.memn2n", "from memnets.models import other"),
        ("memnets.tasks.stories", "from memnets.data.babi import Story"),
        ("memnets.testing.anything", "from memnets.cli import main"),
        ("memnets.studies.babi.memn2n.task", "from memnets.studies.babi.data import BabiData"),
        ("memnets.ops.reading", "from . import masking"),
    ],
)
def test_a_right_import_passes(here, text):
    assert complaints(text, here) == []


def circle(texts):
    """Return the modules of a circle of imports, in any form of import; none if there is none.

    Args:
        texts: of every module, by its name, and whether it is a package.
    """
    imports = {}
    for here, (text, is_package) in texts.items():
        for _, name in imported(text, here, is_package):
            while name not in texts:  # a class or function: the module that it is taken from
                name = name.rpartition(".")[0]
            if name != here:
                imports.setdefault(here, set()).add(name)
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def test_no_imports_in_a_circle():
    texts = {
        module_name(path): (path.read_text(encoding="utf-8"), path.name == "__init__.py")
        for path in FILES
    }
    assert circle(texts) == []


@pytest.mark.parametrize(
    "text",
    [
        "from memnets.ops import beside",
        "from memnets.ops.beside import Beside",
        "import memnets.ops.beside as beside",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from . import beside",
        "def read():\n    from memnets.ops.beside import Beside",
        "from memnets.ops import folder",
        "from memnets.ops.folder import reading",
    ],
)
def test_a_circle_is_caught(text):
    texts = {
        "memnets": ("", True),
        "memnets.ops": ("", True),
        "memnets.ops.reading": (text, False),
        "memnets.ops.beside": ("from memnets.ops.reading import Readout", False),
        "memnets.ops.folder": ("from memnets.ops.folder.inner import Inner", True),
        "memnets.ops.folder.inner": ("from memnets.ops import reading", False),
    }
    assert "memnets.ops.reading" in circle(texts)
    assert circle(texts | {"memnets.ops.reading": ("import memnets.ops", False)}) == []


def test_the_package_and_its_plain_parts_import_without_torch():
    # In one process, which ends where torch is looked for; the first module to do so is named.
    names = ["memnets", *sorted(name for name in map(module_name, FILES) if torch_free(name))]
    script = f"""
import importlib, sys
class NoTorch:
    def find_spec(name, path=None, target=None):
        if name == "torch":
            sys.exit(f"{{here}} imports torch")
sys.meta_path.insert(0, NoTorch)
for here in {names}:
    importlib.import_module(here)
assert "torch" not in sys.modules
import memnets
try:
    memnets.MemN2N
except SystemExit:
    sys.exit()
sys.exit("the check itself is blind")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def torch_free(name: str) -> bool:
    if name.startswith("memnets.studies."):
        return name.rpartition(".")[2] in ("recipes", "tables", "data")
    return name == "memnets.studies" or any(
        name == f"memnets.{part}" or name.startswith(f"memnets.{part}.") for part in TORCH_FREE
    )
