"""List the modules, and the public functions and classes, that nothing in the package uses.

    python -m tools.unused

A thing is used where another file imports it or reaches it through its module, and where its own
file names it outside its definition. What is found by name or by walking, and what is there for
users alone, is a root: `ROOTS` names it, with the reason.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "memnets"
ROOTS = {
    r"memnets(\.__main__)?": "what users import and run",
    r"memnets\.cli\.\w+(\.main)?": "the command line finds a command by its name",
    r"memnets\.studies(\.\w+)+\.(recipes|tables)": "found by walking the studies",
    r"memnets\.models\.\w+(\.example\(\))?": "models and their examples are found by walking",
    r"memnets\.memories\..+": "parts of users' own models (docs/library.md, docs/kb.md)",
    r"memnets\.tasks\.memnn\.memory_network": "a trained model as such parts (docs/memnn.md)",
    r"memnets\.reference.*": "the papers as loops, which tests compare with",
    r"memnets\.tasks\.picture_features(\.compute_features)?": "run on photos (docs/captions.md)",
    r"memnets\.testing": "for whoever checks parts of their own (docs/extending.md)",
    r"memnets\.(inference\.estimators(\.RBM)?|tasks\.energies(\.\w+)?)": "for users' own machines",
    r"memnets\.data\..+\.(load|read)_\w+": "readers of data sets (docs/data.md)",
    r"memnets\.data\.worlds\.statements(\.StatementWorld)?": "a generated set, of examples",
    r"memnets\.data\.babi.*\.solve": "what tests and tools/babi_check hold stories against",
    r"memnets\.kb\.store\.preprocess.*": "for users' own sessions of Spark or DuckDB (docs/kb.md)",
}
"""Regular expressions of dotted names, and why nothing has to import what fits them. () follows a
function without arguments."""

Definition = ast.FunctionDef | ast.ClassDef


def unused(package: Path = PACKAGE, roots: Mapping[str, str] = ROOTS) -> list[str]:
    """Return what nothing uses and no root excuses, sorted."""
    idle = _idle(package)
    return sorted(name for name in idle if not any(re.fullmatch(root, name) for root in roots))


def stale(package: Path = PACKAGE, roots: Mapping[str, str] = ROOTS) -> list[str]:
    """Return the roots that excuse nothing."""
    idle = _idle(package)
    return [root for root in roots if not any(re.fullmatch(root, name) for name in idle)]


@cache
def _idle(package: Path) -> list[str]:
    files = {_module(path, package): path for path in sorted(package.rglob("*.py"))}
    trees = {name: ast.parse(path.read_text("utf-8")) for name, path in files.items()}
    uses = {name: set(_used(trees[name], name, files[name])) for name in files}
    used = set().union(*uses.values())
    # A package is not used by what lies in it; one that is a docstring alone holds nothing to use.
    users: dict[str, set[str]] = {}
    for here, names in uses.items():
        for module in {above for name in names for above in _above(name)}:
            users.setdefault(module, set()).add(here)
    modules = [
        module
        for module, tree in trees.items()
        if not _only_a_docstring(tree)
        and all(_within(here, module) for here in users.get(module, ()))
    ]
    things = [
        (f"{name}.{node.name}", node)
        for name, tree in trees.items()
        for node in tree.body
        if isinstance(node, Definition) and not node.name.startswith("_")
    ]
    return modules + [_shown(name, node) for name, node in things if name not in used]


def _module(path: Path, package: Path) -> str:
    parts = path.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _only_a_docstring(tree: ast.Module) -> bool:
    return len(tree.body) == 1 and ast.get_docstring(tree) is not None


def _within(name: str, module: str) -> bool:
    return name == module or name.startswith(f"{module}.")


def _above(name: str) -> Iterator[str]:
    """Yield a dotted name, and what it lies in."""
    while name:
        yield name
        name = name.rpartition(".")[0]


def _shown(name: str, node: Definition) -> str:
    plain = isinstance(node, ast.FunctionDef) and not ast.unparse(node.args)
    return f"{name}()" if plain else name


def _used(tree: ast.Module, here: str, path: Path) -> Iterator[str]:
    """Yield the dotted names that a file uses; of its own those named outside their definition."""
    local = {node.name: f"{here}.{node.name}" for node in tree.body if isinstance(node, Definition)}
    statements = [(statement, list(ast.walk(statement))) for statement in tree.body]
    is_package = path.name == "__init__.py"
    for node in (node for _, nodes in statements for node in nodes):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for name, there in _imported(node, here, is_package):
                local[name] = there
                yield there
    for statement, nodes in statements:
        itself = f"{here}.{getattr(statement, 'name', '')}"
        for name in _named(nodes):
            first, _, rest = name.partition(".")
            there = f"{local.get(first, '')}.{rest}".strip(".")
            if there != itself:
                yield there


def _imported(
    node: ast.Import | ast.ImportFrom, here: str, is_package: bool
) -> Iterator[tuple[str, str]]:
    """Yield what an import binds: the local name, and what it stands for."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield (alias.asname or alias.name, alias.name)
    else:
        up = here.split(".")[: len(here.split(".")) - node.level + is_package]
        base = ".".join([*(up if node.level else []), *([node.module] if node.module else [])])
        for alias in node.names:
            yield (alias.asname or alias.name, f"{base}.{alias.name}")


def _named(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Yield the names and dotted names of a statement, those in quoted annotations too."""
    first = nodes[0]
    if isinstance(first, ast.Assign) and ast.unparse(first.targets[0]) == "__all__":
        return
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute):
            yield _dotted(node)
        elif isinstance(node, ast.Constant) and re.fullmatch(r"[\w.]+(\[.*\])?", str(node.value)):
            yield from re.findall(r"[A-Za-z_][\w.]*", str(node.value))


def _dotted(node: ast.expr) -> str:
    """Return a name with what is taken from it; "" where anything but a name is taken from."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    return ".".join([node.id, *parts]) if isinstance(node, ast.Name) else ""


def main() -> int:
    """Print what is unused; return 1 where there is something."""
    found = unused()
    print("\n".join([*found, f"{len(found)} unused"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
