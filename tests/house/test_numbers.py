"""Every number that is set somewhere stands in numbers.txt too: none moves unnoticed.

The tables of results/ were measured with them, and whoever leaves an argument out relies on them.
Where one is meant to move, `python tests/house/test_numbers.py` writes the list anew, and the
change shows what else moved.
"""

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FunctionType, ModuleType

import memnets
from memnets.experiments.run import Run, fields
from memnets.experiments.seeds import SeedsTable
from memnets.studies import recipes, tables

LISTED = Path(__file__).parent / "numbers.txt"
ELSEWHERE = {"memnets.cli.reproduce.Reproduce.workers"}  # as many as this machine has cores


def plain(value: object) -> bool:
    """Whether a value is written alike everywhere: numbers, words, and what holds these."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return all(plain(getattr(value, one.name)) for one in dataclasses.fields(value))
    if isinstance(value, Mapping):
        return plain(tuple(value)) and plain(tuple(value.values()))
    if isinstance(value, tuple | list):
        return all(map(plain, value))
    return value is None or isinstance(value, bool | int | float | str)


def numbered(value: object) -> bool:
    """Whether there is a number in a plain value."""
    if dataclasses.is_dataclass(value):
        return any(numbered(getattr(value, one.name)) for one in dataclasses.fields(value))
    if isinstance(value, Mapping):
        return numbered((*value, *value.values()))
    return isinstance(value, int | float) or (
        isinstance(value, tuple | list) and any(map(numbered, value))
    )


def written(value: object) -> str:
    """Return a value in words; of a long one the beginning and a checksum."""
    whole = repr(dict(value) if isinstance(value, Mapping) else value)
    return whole if len(whole) <= 160 else f"{whole[:80]}... {zlib.crc32(whole.encode()):08x}"


def constants(module: ModuleType) -> Iterator[tuple[str, object]]:
    """Yield what a module itself names in capitals."""
    for node in ast.parse(inspect.getsource(module)).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for one in targets:
            for name in one.elts if isinstance(one, ast.Tuple) else [one]:
                if isinstance(name, ast.Name) and name.id.isupper():
                    yield name.id, getattr(module, name.id)


def made_here(module: ModuleType) -> Iterator[tuple[str, object]]:
    """Yield the functions and classes of a module, and the methods of these."""
    for name, made in vars(module).items():
        if getattr(made, "__module__", None) == module.__name__ and name == getattr(
            made, "__name__", None
        ):
            yield name, made
            if isinstance(made, type):
                for method, function in vars(made).items():
                    function = getattr(function, "__func__", function)
                    generated = dataclasses.is_dataclass(made) and method == "__init__"
                    if isinstance(function, FunctionType) and not generated:
                        yield f"{name}.{method}", function


def left_out(made: object) -> Iterator[tuple[str, object]]:
    """Yield what stands for an argument, or a field, that is left out."""
    if isinstance(made, type):
        if dataclasses.is_dataclass(made):
            for one in dataclasses.fields(made):
                if one.default is not dataclasses.MISSING:
                    yield one.name, one.default
                elif one.default_factory is not dataclasses.MISSING:
                    yield one.name, one.default_factory()
        yield from getattr(made, "_field_defaults", {}).items()
        return
    for one in inspect.signature(made).parameters.values() if callable(made) else ():
        if one.default is not one.empty:
            yield one.name, one.default


def changed(run: Run) -> str:
    """Return the fields of a run that are not as its kind has them."""
    usual = fields(type(run)())
    found = {name: value for name, value in fields(run).items() if usual.get(name) != value}
    return str({name: value for name, value in found.items() if name != "data.tasks"})


def numbers() -> Iterator[str]:
    for found in pkgutil.walk_packages(memnets.__path__, "memnets."):
        if found.name.endswith("__main__"):
            continue
        module = importlib.import_module(found.name)
        for name, value in constants(module):
            if plain(value) and numbered(value):
                yield f"{found.name}.{name} = {written(value)}"
        for name, made in made_here(module):
            for argument, value in left_out(made):
                whole = f"{found.name}.{name}.{argument}"
                if value is not None and plain(value) and whole not in ELSEWHERE:
                    yield f"{whole} = {written(value)}"
    for name, make in recipes().items():
        yield f"recipe {name} = {changed(make())}"
    for name, make in tables().items():
        table, rows = make(), {}
        for entry in table.entries if isinstance(table, SeedsTable) else ():
            told = f"seeds {entry.seeds or table.seeds}, rates {entry.rates or table.rates}"
            run = "" if entry.run is None else f", {changed(entry.run)}"
            rows.setdefault(f"{told}{run}", []).append(entry.row)
        for told, alike in rows.items():  # most tables have a row of every task
            yield f"table {name}, {len(alike)} rows from {alike[0]!r}: {told}"


def test_no_number_moves_unnoticed():
    listed = LISTED.read_text(encoding="utf-8").splitlines()
    found = list(numbers())
    moved = [*sorted(set(listed) - set(found)), "is now", *sorted(set(found) - set(listed))]
    assert found == listed, "\n".join(moved)


if __name__ == "__main__":
    LISTED.write_text("".join(f"{line}\n" for line in numbers()), encoding="utf-8")
