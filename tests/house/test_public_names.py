"""Public names: what `__all__` promises is there, and the hook that checks shapes is on."""

import inspect

import jaxtyping
import pytest
import torch

import memnets
from memnets.attention import Dot
from memnets.testing.discovery import modules

MODULES = modules()


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_all_is_honest(module):
    names = getattr(module, "__all__", None)
    if names is None:
        return
    assert len(set(names)) == len(names), "a name stands twice in __all__"
    for name in names:
        assert hasattr(module, name), f"{module.__name__}.__all__ names {name}, which is not there"
    own = [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == module.__name__
    ]
    assert set(own) <= set(names), "a public class or function that __all__ leaves out"


@pytest.mark.parametrize("name", memnets.__all__)
def test_every_name_of_the_package_imports(name):
    value = getattr(memnets, name)
    assert value.__doc__
    assert value is getattr(memnets, name)
    assert name in dir(memnets)


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'memnets' has no attribute 'Transformer'"):
        memnets.Transformer  # noqa: B018


def test_the_hook_that_checks_shapes_is_on():
    with pytest.raises(jaxtyping.TypeCheckError, match="remembered"):
        Dot().match(torch.zeros(2, 3, 5), torch.zeros(3, 7, 5))
    with pytest.raises(jaxtyping.TypeCheckError, match="query"):
        Dot()(torch.zeros(3, 5, dtype=torch.long), torch.zeros(7, 5))
