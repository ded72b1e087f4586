"""Public names: what `__all__` promises is there."""

import inspect
from types import ModuleType

import pytest

import memnets
from memnets.testing.discovery import modules


def complaints(module):
    """Return what is wrong with a module's `__all__`, if it has one."""
    names = getattr(module, "__all__", None)
    if names is None:
        return []
    own = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == module.__name__
    }
    wrong = {
        "stands twice in __all__": {name for name in names if names.count(name) > 1},
        "is not there": {name for name in names if not hasattr(module, name)},
        "is public, but __all__ leaves it out": own - set(names),
    }
    return [f"{module.__name__}: {name} {what}" for what in wrong for name in sorted(wrong[what])]


def test_all_is_honest():
    assert [complaint for module in modules() for complaint in complaints(module)] == []


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["shown", "shown"], "part: shown stands twice in __all__"),
        (["shown", "gone"], "part: gone is not there"),
        ([], "part: shown is public, but __all__ leaves it out"),
    ],
)
def test_a_dishonest_all_is_caught(names, said):
    part = ModuleType("part")
    exec("def shown(): ...\ndef _hidden(): ...\nfrom ast import parse", vars(part))
    part.__all__ = ["shown"]
    assert complaints(part) == []
    part.__all__ = names
    assert complaints(part) == [said]


def test_every_name_of_the_package_imports():
    assert len(memnets.__all__) > 10
    values = {name: getattr(memnets, name) for name in memnets.__all__}
    assert [name for name, value in values.items() if not value.__doc__] == []
    assert [name for name, value in values.items() if value is not getattr(memnets, name)] == []
    assert set(memnets.__all__) <= set(dir(memnets))


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'memnets' has no attribute 'Transformer'"):
        memnets.Transformer  # noqa: B018
