"""Recipes: functions that return a complete, paper-faithful run. Imports no torch.

A recipe is a public function in a file of this folder that returns a `Run`; its name is
`file/function`. `recipes()` finds them all; there is no list to edit.
"""

import difflib
import importlib
import inspect
import pkgutil
from collections.abc import Callable
from typing import TypeVar

from memnets.experiments.run import Run

T = TypeVar("T")


def recipes() -> dict[str, Callable[[], Run]]:
    """Return every recipe by its name."""
    return functions_returning(Run)  # type: ignore[type-abstract]


def functions_returning(kind: type[T]) -> dict[str, Callable[[], T]]:
    """Return the public functions of the recipe files that return a `kind`, by name."""
    found: dict[str, Callable[[], T]] = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        for name, function in inspect.getmembers(module, inspect.isfunction):
            result = function.__annotations__.get("return")
            if (
                function.__module__ == module.__name__
                and not name.startswith("_")
                and inspect.isclass(result)
                and issubclass(result, kind)
                and not inspect.signature(function).parameters
            ):
                found[f"{info.name}/{name.replace('_', '-')}"] = function
    return found


def recipe(name: str) -> Callable[[], Run]:
    """Return one recipe by its name.

    Raises:
        ValueError: there is none of that name.
    """
    return named(name, recipes(), "recipe", "memnets list")


def named(name: str, known: dict[str, T], what: str, listing: str) -> T:
    """Look a name up, and say what was meant where it is unknown.

    Raises:
        ValueError: the name is unknown.
    """
    if name in known:
        return known[name]
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
    hint = f"Did you mean {close[0]}?" if close else f"See `{listing}`."
    raise ValueError(f"there is no {what} {name!r}. {hint}")
