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

    The fast path of `memnets.tasks.energies` with `torch.optim.SGD`; by contrastive divergence
    the same draws give the same weights but for rounding. Both biases are a last row and a last
    column of the weights, whose units are always 1: a product with the weights adds them, and one
    product of both layers is the gradient of all three.

    Deviations: none. Chains that go on do so with hidden bits, drawn before an update, where the
    task's go on with visible ones: so one product less is needed.
    Cite: tieleman2008, hinton2002

    Args:
        machine: what is trained; `write` gives it what was learnt.
        data: rows of bits, or of numbers from 0 to 1.
        batch: rows of an update, at most.
        chains: hidden bits of the chains that go on from update to update. Without any they begin
            at the rows of every update, which is contrastive divergence.
        steps: of the chains for every update.
        fill: draws; by default from seed 0.

    Raises:
        TypeError: the machine is another one, or a size is no whole number.
        ValueError: a size is below 1, data or chains are not as wide as the machine, or it is of
            other numbers than float32 or float64.
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
        if not isinstance(machine, RestrictedBoltzmannMachine):
            raise TypeError(
                f"Updates(machine=...): a {type(machine).__name__} came, expected a "
                f"RestrictedBoltzmannMachine, whose units are bits. Train others by "
                f"memnets.tasks.energies."
            )
        weight = machine.weight.detach()
        if weight.dtype not in ONE:
            raise ValueError(
                f"Updates(machine=...): weights of {weight.dtype} came, expected float32 or "
                f"float64. Call machine.float() first."
            )
        _expect_rows("data", data, machine.visible)
        self.machine, self._steps = machine, steps
        self._fill = uniform(0) if fill is None else fill
        self._weight = F.pad(weight, (0, 1, 0, 1))
        self._weight[:-1, -1] = machine.visible_bias.detach()
        self._weight[-1, :-1] = machine.hidden_bias.detach()
        self._gradient = torch.empty_like(self._weight)
        self._data = F.pad(data.to(weight), (0, 1), value=1.0)
        self._chains = None
        if chains is not None:
            _expect_rows("chains", chains, machine.hidden)
            self._chains = F.pad(chains.to(weight), (0, 1), value=1.0)
        count = batch if chains is None else len(chains)
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
        if self._chains is None:
            self._begin_anew(part, part.draws[turn])
        else:
            self._go_on(part, part.draws[turn])
        torch.mul(part.chain_chances, part.share, out=part.chain_chances)
        part.gradient()
        self._weight.add_(self._gradient, alpha=rate / size)

    def _begin_anew(self, part: "_Parts", draws: "_Draws") -> None:
        """Work out all chances, of chains that begin at the data."""
        part.down_from_data()
        chances = part.data_chances.sigmoid_()
        for for_hidden, for_visible in draws:
            torch.lt(for_hidden, chances, out=part.hidden)
            part.up()
            torch.lt(for_visible, part.visible_chances.sigmoid_(), out=part.chain)
            part.down_from_chain()
            chances = part.chain_chances.sigmoid_()

    def _go_on(self, part: "_Parts", draws: "_Draws") -> None:
        """Work out all chances, of chains that begin where they are."""
        last = len(draws) - 1
        for step, (for_hidden, for_visible) in enumerate(draws):
            part.up()
            torch.lt(for_visible, part.visible_chances.sigmoid_(), out=part.chain)
            if step < last:
                part.down_from_chain()
                part.chain_chances.sigmoid_()
            else:
                part.down_from_both()
                part.chances.sigmoid_()
            torch.lt(for_hidden, part.chain_chances, out=part.hidden)

    @torch.no_grad()
    def write(self) -> RestrictedBoltzmannMachine:
        """Return the machine with what it has learnt until now."""
        self.machine.weight.copy_(self._weight[:-1, :-1])
        self.machine.visible_bias.copy_(self._weight[:-1, -1])
        self.machine.hidden_bias.copy_(self._weight[-1, :-1])
        return self.machine

    def _cut(self, size: int) -> "_Parts":
        """Return what an update of so many rows reads and writes."""
        new = self._weight
        hidden = self._chains
        if hidden is None:
            hidden = new.new_ones(size, self.machine.hidden + 1)
        count = len(hidden)
        seen = new.new_ones(count + size, self.machine.visible + 1)
        chances = new.new_ones(count + size, self.machine.hidden + 1)
        visible_chances = new.new_empty(count, self.machine.visible)
        share = new.new_tensor(-size / count)
        chances[:count, -1] = share  # the one of the chains, for the gradient of the biases
        bits, down, up = chances[:, :-1], self._weight[:, :-1], self._weight[:-1].mT
        return _Parts(
            data=seen[count:],
            data_chances=bits[count:],
            chain=seen[:count, :-1],
            chain_chances=bits[:count],
            chances=bits,
            hidden=hidden[:, :-1],
            visible_chances=visible_chances,
            share=share,
            draws=[self._draws(numbers, count) for numbers in self._noise],
            up=_Product(hidden, up, visible_chances),
            down_from_data=_Product(seen[count:], down, bits[count:]),
            down_from_chain=_Product(seen[:count], down, bits[:count]),
            down_from_both=_Product(seen, down, bits),
            gradient=_Product(seen.mT, chances, self._gradient),
        )

    def _draws(self, numbers: Tensor, count: int) -> "_Draws":
        """Return an update's uniform numbers of hidden and of visible bits, step by step."""
        hidden, visible = self.machine.hidden, self.machine.visible
        steps = numbers[: self._steps * count * (hidden + visible)].chunk(self._steps)
        pairs = [step.split((count * hidden, count * visible)) for step in steps]
        return [(one.view(count, hidden), other.view(count, visible)) for one, other in pairs]


_Draws = list[tuple[Tensor, Tensor]]


class _Product:
    """Writes a product of two tensors into a third: by NumPy, quicker than torch where small."""

    def __init__(self, left: Tensor, right: Tensor, out: Tensor) -> None:
        self.left, self.right, self.out = left.numpy(), right.numpy(), out.numpy()

    def __call__(self) -> None:
        np.matmul(self.left, self.right, out=self.out)


class _Parts(NamedTuple):
    """Parts of the buffers: chains come before data, and units that are always 1 last."""

    data: Tensor
    data_chances: Tensor
    chain: Tensor
    chain_chances: Tensor
    chances: Tensor
    hidden: Tensor
    visible_chances: Tensor
    share: Tensor
    draws: list[_Draws]
    up: _Product
    down_from_data: _Product
    down_from_chain: _Product
    down_from_both: _Product
    gradient: _Product


def _expect_rows(name: str, rows: Tensor, width: int) -> None:
    if rows.ndim != 2 or rows.shape[1] != width or not len(rows):
        raise ValueError(
            f"Updates({name}=...): shape {tuple(rows.shape)} came, expected (row, {width}): one "
            f"row at least, of a number for each bit. Pass others, or another machine."
        )
