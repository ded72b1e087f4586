"""A device that is not there: its tensors hold numbers, and meet no tensors of the CPU.

On a machine without an accelerator it shows what would fail on one: `with Elsewhere():` every
operation on tensors of two devices is refused, and so is a generator of another device than what
it draws. All else gives the numbers of the CPU.
"""

import copy
from contextlib import ExitStack
from itertools import islice
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map_only

from memnets.training.state import detached

ELSEWHERE = torch.device("meta")
"""What its tensors say of themselves; an accelerator's name would need its driver."""
CPU = torch.device("cpu")
MOVES = ("_to_copy", "copy_")
"""Operations that go from one device to another."""
INDEXING = ("index", "index_put", "index_put_", "_index_put_impl_")
"""Operations that take indices from the CPU as well, also on an accelerator."""


class MixedError(RuntimeError):
    """An accelerator would have refused this."""


class Far(Tensor):
    """A tensor elsewhere, around one that is here."""

    here: Tensor

    @staticmethod
    def __new__(cls, here: Tensor) -> "Far":
        sizes = {"strides": here.stride(), "storage_offset": here.storage_offset()}
        far = Tensor._make_wrapper_subclass(
            cls, here.shape, dtype=here.dtype, device=ELSEWHERE, **sizes
        )
        far.here = here
        return far

    @classmethod
    def __torch_dispatch__(cls, op: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return carry_out(op, args, kwargs or {})


class FarGenerator(torch.Generator):
    """A generator elsewhere, which draws what one here draws."""

    @property
    def device(self) -> torch.device:
        return ELSEWHERE


class Elsewhere(ExitStack):
    """Within it tensors are made elsewhere, and whoever mixes devices is refused."""

    def __enter__(self) -> "Elsewhere":
        self.enter_context(_Operations())
        self.enter_context(_Draws())
        return super().__enter__()


class _Operations(TorchDispatchMode):
    def __torch_dispatch__(self, op: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return carry_out(op, args, kwargs or {})


class _Draws(TorchFunctionMode):
    """What operations do not see: whose generator it was, and what comes from or becomes a list."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if func is Tensor.tolist:
            return func(args[0].here if isinstance(args[0], Far) else args[0])
        if func is torch.tensor and torch.device(kwargs.get("device") or CPU) == ELSEWHERE:
            return func(*args, **kwargs | {"device": CPU}).to(ELSEWHERE)  # a list holds numbers
        if func is Tensor.__getitem__ and isinstance(args[1], tuple):
            lists = [torch.tensor(one) if isinstance(one, list) else one for one in args[1]]
            args = (args[0], tuple(lists))
        leaves = tree_leaves((args, kwargs))
        for generator in (one for one in leaves if isinstance(one, torch.Generator)):
            drawn = [one.device for one in leaves if isinstance(one, Tensor)]
            where = (drawn or [torch.device(kwargs.get("device") or CPU)])[0]
            if callable(func) and where != generator.device:
                raise MixedError(f"{func}: a generator of {generator.device}, drawing for {where}")
        return func(*args, **kwargs)


def carry_out(op: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    """Carry an operation out here, and say that it was elsewhere.

    Raises:
        MixedError: its tensors, and where its result is to be, do not agree.
    """
    name, asked = op.overloadpacket.__name__, kwargs.get("device")
    tensors = [one for one in tree_leaves((args, kwargs)) if isinstance(one, Tensor)]
    places = {one.device for one in tensors if one.dim() or isinstance(one, Far)}
    if name in INDEXING and tensors[0].device == ELSEWHERE:
        places = {ELSEWHERE}
    if len(places) > 1 and name not in MOVES:
        shapes = [(tuple(one.shape), one.device.type) for one in tensors]
        raise MixedError(f"{op}: tensors of two devices, {shapes}")
    where = torch.device(asked) if asked is not None else next(iter(places), CPU)
    if name == "copy_":
        where = tensors[0].device
    here = {**kwargs, "device": CPU} if asked is not None else kwargs
    args, here = tree_map_only(Far, lambda far: far.here, (args, here))
    found = op(*args, **here)
    if op._schema.is_mutable and isinstance(found, Tensor):
        return tensors[0]
    return tree_map_only(Tensor, Far, found) if where == ELSEWHERE else found


def send(module: nn.Module) -> nn.Module:
    """Move a module elsewhere."""
    for part in module.modules():
        for name, parameter in part._parameters.items():
            if parameter is not None:
                part._parameters[name] = nn.Parameter(Far(parameter.data), parameter.requires_grad)
        for name, buffer in part._buffers.items():
            if buffer is not None:
                part._buffers[name] = Far(buffer)
    return module


def figures(task: Any, model: nn.Module, streams: Any, device: torch.device) -> dict[str, Any]:
    """Return what two updates of each stream and every evaluation give on a device."""
    found: dict[str, Any] = {}
    generator = torch.Generator if device == CPU else FarGenerator
    for stream in streams:
        noise, state = generator().manual_seed(2), None
        batches = task.batches(stream, torch.Generator().manual_seed(1), 0)
        for number, batch in enumerate(islice(batches, 2)):
            collated = task.collate(stream, tuple(part.to(device) for part in batch))
            state = task.start(stream, collated) if number == 0 else state
            step = task.loss(model, collated, state, noise)
            state = detached(step.state)
            step.loss_sum.backward()
            sums = {name: value.item() for name, value in step.sums.items()}
            own = {"loss": step.loss_sum.item(), "weight": step.weight, **sums}
            found[f"{stream} {number}"] = own
    model.eval()
    with torch.no_grad():
        every = dict.fromkeys((*task.splits, *task.final_splits))
        for split in getattr(task, "questions", every):
            found[split] = {name: ratio.mean for name, ratio in task.evaluate(model, split).items()}
    task.after_update(model)
    return found


def check_task(task: Any, model: nn.Module, streams: Any = ("train",)) -> None:
    """Check that a task gives the same figures elsewhere, on its way mixing no devices."""
    if getattr(model, "sparse", False):
        model.sparse = False  # nobody has sparse tensors elsewhere
    weights = copy.deepcopy(model.state_dict())
    here = figures(task, model, streams, CPU)
    model.load_state_dict(weights)
    send(model)
    with Elsewhere():
        task.to(ELSEWHERE)
        there = figures(task, model, streams, ELSEWHERE)
    assert here.keys() == there.keys()
    for name, expected in here.items():
        assert there[name] == pytest.approx(expected, nan_ok=True), name
