"""Discovery finds every part that the source text defines, and a user's own."""

import ast
import importlib
import inspect
import sys
from functools import cache
from pathlib import Path

import pytest

from memnets.attention import Align, Score
from memnets.layers import Encoder, Gate, SentenceReader
from memnets.testing import discover, model_modules
from memnets.testing.discovery import modules

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "memnets"


@cache
def parents_of_classes():
    """Return the names of the classes that each class of the text is derived from at once."""
    parents = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(("memnets", *path.relative_to(PACKAGE).with_suffix("").parts))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases = {ast.unparse(parent).split("[")[0].split(".")[-1] for parent in node.bases}
                parents[module.removesuffix(".__init__"), node.name] = bases
    return parents


def defined(base):
    """Return the names of all classes that the text derives from a class, however far."""
    parents = parents_of_classes()
    family = {base.__name__}
    while True:
        more = {key[1] for key, bases in parents.items() if bases & family} | family
        if more == family:
            return {key for key, bases in parents.items() if bases & family}
        family = more


@pytest.mark.parametrize(
    "base", [Score, Align, SentenceReader, Encoder, Gate], ids=lambda base: base.__name__
)
def test_nothing_is_skipped_silently(base):
    text = {
        (module, name)
        for module, name in defined(base)
        if not inspect.isabstract(getattr(importlib.import_module(module), name))
    }
    assert {(part.__module__, part.__name__) for part in discover(base)} == text
    assert len(text) >= 2


def test_every_public_model_file_or_folder_has_an_example():
    files = {
        f"memnets.models.{path.stem}"
        for path in (PACKAGE / "models").iterdir()
        if not path.stem.startswith("_")
    }
    assert {module.__name__ for module in model_modules()} == files


THEIRS = """
from memnets.attention import AlignContext, Dot, Score


class Theirs(Score):
    def match(self, query, remembered, context=AlignContext()):
        return query @ remembered.mT

    @classmethod
    def example(cls, query_dim, key_dim):
        return cls()


class StillAbstract(Score):
    pass
"""


def test_a_users_own_package_is_searched(tmp_path, monkeypatch):
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "__init__.py").write_text("from memnets.attention import Dot\n")
    (tmp_path / "theirs" / "scores.py").write_text(THEIRS)
    (tmp_path / "theirs" / "__main__.py").write_text("raise SystemExit('a script was run')")
    monkeypatch.syspath_prepend(tmp_path)
    assert [part.__name__ for part in discover(Score, package="theirs")] == ["Theirs"]
    for name in ("theirs", "theirs.scores"):
        del sys.modules[name]


def test_a_module_that_cannot_be_imported_is_an_error(tmp_path, monkeypatch):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "__init__.py").write_text("")
    (tmp_path / "broken" / "part.py").write_text("raise RuntimeError('half written')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(RuntimeError, match="half written"):
        modules("broken")
