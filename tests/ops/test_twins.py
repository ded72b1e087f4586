"""Where only the plain twin will do: each reason by itself."""

import pytest
import torch
from torch import nn
from torch.autograd import forward_ad
from torch.utils._python_dispatch import TorchDispatchMode

from memnets.ops.twins import is_watched, runs_eagerly


class Passing(TorchDispatchMode):
    """See all that torch computes, as a profiler does."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def test_nothing_is_in_the_way_at_first_nor_afterwards():
    assert runs_eagerly()
    for way in (forward_ad.dual_level, lambda: torch.autocast("cpu", torch.bfloat16), Passing):
        with way():
            assert not runs_eagerly()
        assert runs_eagerly()
    seen = []
    torch.func.vmap(lambda x: seen.append(runs_eagerly()) or x)(torch.zeros(3))
    assert seen == [False]
    with torch.no_grad(), torch.inference_mode():
        assert runs_eagerly()


@pytest.mark.parametrize(
    ("where", "name", "found"),
    [
        (torch.compiler, "is_compiling", True),
        (torch._C, "_get_tracing_state", object()),
    ],
)
def test_what_is_captured_or_traced_is_not_computed_here(where, name, found, monkeypatch):
    monkeypatch.setattr(where, name, lambda: found)
    assert not runs_eagerly()


@pytest.mark.parametrize("kind", ["forward", "forward_pre", "full_backward", "full_backward_pre"])
def test_a_hook_of_any_kind_watches(kind):
    part = nn.Linear(2, 2)
    hook = getattr(part, f"register_{kind}_hook")(lambda *given: None)
    assert is_watched(part)
    hook.remove()
    assert not is_watched(part)
