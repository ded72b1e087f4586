"""Updates of a restricted machine by their formula: no graph, and memory that is used again."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from memnets.memories.boltzmann.restricted import RestrictedBoltzmannMachine
from memnets.ops.sizes import at_least

Fill = Callable[[Tensor], object]
"""Writes uniform numbers from 0 to below 1 into a tensor."""
AT_ONCE = 2**15
"""Uniform numbers that are drawn together, where an update takes fewer."""
ONE = {  # of a float's bits: those after the point, and all bits of 1.0
    torch.float32: (np.int32, torch.int32, 0x007FFFFF, 0x3F800000),
    torch.float64: (np.int64, torch.int64, 0x000FFFFFFFFFFFFF, 0x3FF0000000000000),
}


def uniform(seed: int) -> Fill:
    """Return a source of uniform numbers, of all bits that a number holds after the point.

    Torch's own takes four times as long, a third of the whole training.
    """
    source = np.random.SFC64(seed)

    def fill(numbers: Tensor) -> None:
        integers, same_size, fraction, one = ONE[numbers.dtype]
        words = source.random_raw(-(-numbers.nbytes // 8)).view(integers)[: numbers.numel()]
        bits = numbers.view(same_size)
        torch.bitwise_and(torch.from_numpy(words).view(bits.shape), fraction, out=bits)
        bits.bitwise_or_(one)
        numbers.sub_(1)  # it was between 1 and 2

    return fill


class Updates:
    r"""Plain gradient descent of a restricted machine of bits, update by update.

    $$ \Delta W = \eta \Big( \overline{v^\top \sigma(c + v W)}^{\text{ data}} -
       \overline{v^\top \sigma(c + v W)}^{\text{ chains}} \Big) $$

    The fast path of `memnets.tasks.energies` with `torch.optim.SGD`: of the same draws come the
    same weights but for rounding. Both biases are a last row and a last column of the weights,
    whose units are always 1: a product with the weights adds them, and one product of both layers
    is the gradient of all three.

    Deviations: none.
    Cite: tieleman2008, hinton2002

    Args:
        machine: what is trained; `write` gives it what was learnt.
        data: rows of bits, or of numbers from 0 to 1.
        batch: rows of an update, at most.
        chains: states that go on from update to update. Without any they begin at the rows of
            every update, which is contrastive divergence.
        steps: of the chains for every update.
        fill: draws; by default from seed 0.

    Raises:
        TypeError: a size is no whole number.
        ValueError: a size is below 1, or data or chains are not as wide as the machine.
    """

    def __init__(
        self,
        machine: RestrictedBoltzmannMachine,
        data: Float[Tensor, "row _"],
        batch: int,
        chains: Float[Tensor, "chain _"] | None = None,
        steps: int = 1,
        fill: Fill | None = None,
    ) -> None:
        at_least(1, "Updates", "Pass 100, say.", batch=batch)
        at_least(1, "Updates", "1 is usual.", steps=steps)
        _expect_rows(machine, data=data, chains=data if chains is None else chains)
        self.machine, self._carried = machine, chains is not None
        self._steps, self._fill = steps, uniform(0) if fill is None else fill
        weight = machine.weight.detach()
        self._weight = F.pad(weight, (0, 1, 0, 1))
        self._weight[:-1, -1] = machine.visible_bias.detach()
        self._weight[-1, :-1] = machine.hidden_bias.detach()
        self._data = F.pad(data.to(weight), (0, 1), value=1.0)
        count = batch if chains is None else len(chains)
        self._seen = weight.new_ones(count + batch, machine.visible + 1)
        if chains is not None:
            self._seen[:count, :-1] = chains
        self._count = count
        needed = steps * count * (machine.visible + machine.hidden)
        self._noise = weight.new_empty(max(1, AT_ONCE // needed), needed)
        self._update = 0
        self._parts: dict[int, _Parts] = {}

    def follow(self, rows: Int[Tensor, " batch"], rate: float) -> None:
        """Take a step towards rows of the data, and away from where the chains go.

        Args:
            rows: their numbers.
            rate: of the descent.
        """
        size = len(rows)
        if size not in self._parts:
            self._parts[size] = self._cut(size)
        part = self._parts[size]
        turn = self._update % len(self._noise)
        if not turn:
            self._fill(self._noise)
        self._update += 1
        torch.index_select(self._data, 0, rows, out=part.data)
        torch.mm(part.known, part.down, out=part.known_chances).sigmoid_()
        chances = part.begin
        for for_hidden, for_seen in part.draws[turn]:
            torch.lt(for_hidden, chances, out=part.hidden)
            torch.mm(part.hidden_and_one, part.up, out=part.visible_chances).sigmoid_()
            torch.lt(for_seen, part.visible_chances, out=part.chain)
            chances = torch.mm(part.chain_and_one, part.down, out=part.chances).sigmoid_()
        torch.mul(chances, part.share, out=chances)
        self._weight.addmm_(part.seen, part.all_chances, alpha=rate / size)

    @torch.no_grad()
    def write(self) -> RestrictedBoltzmannMachine:
        """Return the machine with what it has learnt until now."""
        self.machine.weight.copy_(self._weight[:-1, :-1])
        self.machine.visible_bias.copy_(self._weight[:-1, -1])
        self.machine.hidden_bias.copy_(self._weight[-1, :-1])
        return self.machine

    def _cut(self, size: int) -> "_Parts":
        """Return what an update of so many rows reads and writes."""
        count = self._count if self._carried else size
        seen = self._seen[: count + size]
        hidden = self._seen.new_ones(count, self.machine.hidden + 1)
        chances = self._seen.new_ones(count + size, self.machine.hidden + 1)
        share = self._seen.new_tensor(-size / count)
        chances[:count, -1] = share  # the constant of the chains, for the visible biases
        known = 0 if self._carried else count  # chains that begin at the data are not known yet
        return _Parts(
            data=seen[count:],
            known=seen[known:],
            known_chances=chances[known:, :-1],
            begin=(chances[:count] if self._carried else chances[count:])[:, :-1],
            draws=[self._draws(numbers, count) for numbers in self._noise],
            hidden=hidden[:, :-1],
            hidden_and_one=hidden,
            visible_chances=self._seen.new_empty(count, self.machine.visible),
            chain=seen[:count, :-1],
            chain_and_one=seen[:count],
            chances=chances[:count, :-1],
            share=share,
            seen=seen.mT,
            all_chances=chances,
            down=self._weight[:, :-1],
            up=self._weight[:-1].mT,
        )

    def _draws(self, numbers: Tensor, count: int) -> list[tuple[Tensor, Tensor]]:
        """Return an update's uniform numbers of hidden and of visible bits, step by step."""
        hidden, visible = self.machine.hidden, self.machine.visible
        steps = numbers[: self._steps * count * (hidden + visible)].chunk(self._steps)
        pairs = [step.split((count * hidden, count * visible)) for step in steps]
        return [(one.view(count, hidden), other.view(count, visible)) for one, other in pairs]


class _Parts(NamedTuple):
    """Parts of the buffers: chains come before data, and units that are always 1 last."""

    data: Tensor
    known: Tensor
    known_chances: Tensor
    begin: Tensor
    draws: list[list[tuple[Tensor, Tensor]]]
    hidden: Tensor
    hidden_and_one: Tensor
    visible_chances: Tensor
    chain: Tensor
    chain_and_one: Tensor
    chances: Tensor
    share: Tensor
    seen: Tensor
    all_chances: Tensor
    down: Tensor
    up: Tensor


def _expect_rows(machine: RestrictedBoltzmannMachine, **rows: Tensor) -> None:
    for name, one in rows.items():
        if one.ndim != 2 or one.shape[1] != machine.visible or not len(one):
            raise ValueError(
                f"Updates({name}=...): shape {tuple(one.shape)} came, expected (row, "
                f"{machine.visible}): one row at least, of a number for each visible bit. "
                f"Pass other rows, or a machine as wide as they are."
            )
    if machine.weight.dtype not in ONE:
        raise ValueError(
            f"Updates(machine=...): weights of {machine.weight.dtype} came, expected float32 or "
            f"float64. Call machine.float() first."
        )
