"""Find the parts of a package by walking it: no registry to edit, nothing to decorate."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from types import ModuleType
from typing import Any


def modules(package: str = "memnets") -> list[ModuleType]:
    """Import every module of a package and return them, sorted by name.

    Scripts (`__main__`) are left alone. A module that cannot be imported is an error here: what
    is not imported is not checked.
    """
    root = importlib.import_module(package)
    names = [
        found.name
        for found in pkgutil.walk_packages(getattr(root, "__path__", []), prefix=f"{package}.")
        if not found.name.endswith(".__main__")
    ]
    return [root, *(importlib.import_module(name) for name in sorted(names))]


def discover(base: type, package: str = "memnets") -> list[type]:
    """Return the concrete classes derived from `base` that a package defines.

    Args:
        base: an abstract class, such as `Score`.
        package: where to look; name your own package to have your own parts checked.

    Returns:
        The classes, sorted by qualified name.
    """
    found = {
        value
        for module in modules(package)
        for value in vars(module).values()
        if inspect.isclass(value)
        and value.__module__ == module.__name__
        and issubclass(value, base)
        and value is not base
        and not inspect.isabstract(value)
    }
    return sorted(found, key=lambda part: f"{part.__module__}.{part.__qualname__}")


def model_modules(package: str = "memnets.models") -> list[ModuleType]:
    """Return the public modules that hold a model: those with `example() -> (model, inputs)`.

    A folder that hands on the example of a file in it counts once, as the folder.
    """
    found: dict[Callable[..., Any], ModuleType] = {}
    for module in modules(package):
        if not module.__name__.rpartition(".")[2].startswith("_") and hasattr(module, "example"):
            found.setdefault(module.example, module)
    return list(found.values())
