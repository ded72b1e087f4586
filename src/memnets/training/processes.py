"""One process or many: the same run, each with its share of every batch."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.backends import mkldnn
from torch.backends.cpu import get_cpu_capability

from memnets.training.config import Loop


@contextmanager
def recurrences_on(device: torch.device) -> Iterator[None]:
    """Let an LSTM or GRU be cast to bfloat16 on a processor for which oneDNN has no kernel of it.

    Without AVX-512, oneDNN ends in "could not create a primitive descriptor"; PyTorch's own kernels
    do not.
    """
    lacking = device.type == "cpu" and not get_cpu_capability().startswith("AVX512")
    before = mkldnn.enabled
    if lacking and torch.is_autocast_enabled("cpu"):
        mkldnn.enabled = False  # type: ignore[assignment]  # torch types its property as itself
    try:
        yield
    finally:
        mkldnn.enabled = before


@dataclass(frozen=True)
class Processes:
    """What the loop needs of Lightning Fabric.

    Gradients are summed here, in one piece, and not by a wrapper around the model: a task sees the
    model itself, may call any of its methods, and a process may have nothing to do in an update.
    Alone, a process pays nothing for it.
    """

    fabric: Any

    @property
    def rank(self) -> int:
        """This process, counted from 0."""
        return self.fabric.global_rank

    @property
    def world(self) -> int:
        """How many processes there are."""
        return self.fabric.world_size

    @property
    def device(self) -> torch.device:
        """Where this process computes."""
        return self.fabric.device

    @contextmanager
    def autocast(self) -> Iterator[None]:
        """Let a forward pass compute in the run's precision."""
        with self.fabric.autocast(), recurrences_on(self.device):
            yield

    def share(self, batch: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        """Return this process's part of a batch, on its device; it may be empty."""
        if self.world > 1:
            batch = tuple(tensor[self.rank :: self.world] for tensor in batch)
        return tuple(tensor.to(self.device) for tensor in batch)

    def total(self, *numbers: float) -> list[float]:
        """Return each number summed over the processes."""
        if self.world == 1:
            return list(numbers)
        sums = torch.tensor(numbers, dtype=torch.float64, device=self.device)
        return self.fabric.all_reduce(sums, reduce_op="sum").tolist()

    def least(self, number: float) -> float:
        """Return the smallest of the processes' numbers."""
        if self.world == 1:
            return number
        least = torch.tensor(number, dtype=torch.float64, device=self.device)
        return self.fabric.all_reduce(least, reduce_op="min").item()

    def agree(self, value: Any) -> Any:
        """Return the first process's value."""
        return value if self.world == 1 else self.fabric.broadcast(value)

    def agree_on_weights(self, model: nn.Module) -> None:
        """Give every process the first one's weights."""
        if self.world > 1:
            for tensor in model.state_dict().values():
                torch.distributed.broadcast(tensor, 0)

    def sum_gradients(self, model: nn.Module) -> None:
        """Sum the gradients over the processes; what none of them used keeps none."""
        if self.world == 1:
            return
        learning = [p for p in model.parameters() if p.requires_grad]
        used = torch.tensor([float(p.grad is not None) for p in learning], device=self.device)
        parts = [p.new_zeros(p.numel()) if p.grad is None else p.grad.flatten() for p in learning]
        whole = self.fabric.all_reduce(torch.cat([used, *parts]), reduce_op="sum")
        used, *parts = whole.split([len(learning), *(p.numel() for p in learning)])
        for parameter, users, part in zip(learning, used.tolist(), parts, strict=True):
            parameter.grad = part.view_as(parameter).to(parameter.dtype) if users else None

    def wait(self) -> None:
        """Wait until all processes are here."""
        self.fabric.barrier()


def launch(loop: Loop) -> Processes:
    """Start this process's part of a run, alone or under torchrun.

    Raises:
        ValueError: the device is not there, or the processes would train apart.
    """
    from lightning_fabric import Fabric  # takes seconds, and only training needs it

    missing = {
        "cuda": not torch.cuda.is_available(),
        "mps": not torch.backends.mps.is_available(),
    }
    if missing.get(loop.device):
        raise ValueError(
            f"loop.device={loop.device!r}: this machine, or this build of torch "
            f"({torch.__version__}), has no such device. Pass --loop.device cpu."
        )
    torch.set_num_threads(loop.threads)
    expected, here, nodes = int(os.environ.get("WORLD_SIZE", "1")), 1, 1
    if torch.distributed.is_torchelastic_launched():
        here = int(os.environ["LOCAL_WORLD_SIZE"])
        nodes = expected // here
    # Without these two numbers Fabric lets every process of torchrun train by itself on a CPU.
    fabric = Fabric(
        accelerator=loop.device, devices=here, num_nodes=nodes, precision=loop.precision
    )
    fabric.launch()
    if fabric.world_size != expected:
        raise ValueError(
            f"WORLD_SIZE={expected}, but this process would train in a world of "
            f"{fabric.world_size}. Start with torchrun, or unset WORLD_SIZE."
        )
    return Processes(fabric)
