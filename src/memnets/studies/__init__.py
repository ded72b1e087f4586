"""Studies: one folder for each thing that is trained, and asked, on some data. Imports no torch.

A study's `recipes.py` names its recipes in `RECIPES`, functions that return a complete,
paper-faithful run; its `tables.py` names its tables in `TABLES`. `recipes()` and `tables()` walk
the folders: there is no list of studies to edit. A study never imports another one: what two of
them share stands further down, in `experiments/`, `tasks/` or `data/`.
"""

import importlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from memnets.experiments.run import Run
from memnets.lookup import named

if TYPE_CHECKING:
    from memnets.experiments.tables import PlannedTable


@cache
def recipes() -> dict[str, Callable[[], Run]]:
    """Return every recipe by its name."""
    return _collected("recipes", "RECIPES")


@cache
def tables() -> "dict[str, Callable[[], PlannedTable]]":
    """Return every table by its name."""
    return _collected("tables", "TABLES")


@cache
def kinds() -> dict[str, type[Run]]:
    """Return every kind of run that a recipe makes, by the name that a run folder records."""
    made = (type(recipe()) for recipe in recipes().values())
    return {kind.kind: kind for kind in made}


def kind(name: str) -> type[Run]:
    """Return one kind of run by its name; of the studies only the one so called is imported.

    Raises:
        ValueError: there is none of that name.
    """
    study = name.partition("/")[0].replace("-", "_")
    here = [str(Path(folder) / study) for folder in __path__]
    for module in _modules(here, f"{__name__}.{study}", "recipes"):
        for recipe in module.RECIPES.values():
            if (made := type(recipe())).kind == name:
                return made
    return named(name, kinds(), "kind of run", "memnets list")


RENAMED = {"own_kb/films": "kb_qa/films", "own_kb/towns": "kb_qa/towns"}
"""Recipes that had another name."""


def recipe(name: str) -> Callable[[], Run]:
    """Return one recipe by its name.

    Raises:
        ValueError: there is none of that name, or it has another one now.
    """
    if name in RENAMED:
        raise ValueError(f"the recipe {name} is called {RENAMED[name]} now.")
    return named(name, recipes(), "recipe", "memnets list")


def table(name: str) -> "PlannedTable":
    """Return one table by its name.

    Raises:
        ValueError: there is none of that name.
    """
    return named(name, tables(), "table", "memnets list")()


def _collected(file: str, attribute: str) -> dict[str, Callable[[], Any]]:
    """Return what the files of this name list, by name; no other file of a study is imported."""
    found: dict[str, Callable[[], Any]] = {}
    for module in _modules(__path__, __name__, file):
        listed = getattr(module, attribute)
        if twice := found.keys() & listed.keys():
            raise ValueError(f"{module.__name__}: {min(twice)!r} is named by another study too")
        found |= listed
    return dict(sorted(found.items()))


def _modules(path: list[str], package: str, file: str) -> Iterator[ModuleType]:
    import pkgutil  # which few commands need

    for info in pkgutil.iter_modules(path):
        name = f"{package}.{info.name}"
        if info.ispkg:
            folder = importlib.import_module(name)
            yield from _modules(list(folder.__path__), name, file)
        elif info.name == file:
            yield importlib.import_module(name)
