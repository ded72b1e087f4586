"""The small model of the recall tasks: what it can do, its core can do."""

from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.layers.zone_choice import TopZones
from memnets.layers.zone_keys import LinearKey
from memnets.memories.zones import ZoneMemory
from memnets.models.cran import CRAN, CRANCell, InputQuery, JointRead, ReluUpdate
from memnets.ops.sizes import at_least


class Recalled(NamedTuple):
    """What the model says at every step, and what is carried on."""

    logits: Float[Tensor, "batch time answer"]
    state: Any


class Recall(nn.Module):
    r"""Feed what a step shows to a recurrent core, and answer from the core's output.

    $$ x_t = K_{k_t} + V_{v_t}, \qquad h_t, s_t = \mathrm{core}(x_t, s_{t-1}), \qquad
       o_t = W h_t + b $$

    Args:
        core: anything with `core(inputs (batch, time, dim), state) -> (output, state)` and
            `init_state(batch)`.
        keys: how many keys there are; the number after the last stands for none, and adds nothing.
        values: how many values there are; the number after the last stands for none.
        answers: how many answers there are.
        dim: width of a step's input.
        hidden: width of the core's output.

    Raises:
        ValueError: a number is below 1.
    """

    def __init__(
        self, core: nn.Module, keys: int, values: int, answers: int, dim: int, hidden: int
    ) -> None:
        super().__init__()
        at_least(1, "Recall", keys=keys, values=values, answers=answers, dim=dim, hidden=hidden)
        self.core: Any = core
        self.key_embedding = nn.Embedding(keys + 1, dim, padding_idx=keys)
        self.value_embedding = nn.Embedding(values + 1, dim, padding_idx=values)
        self.answer_weight = nn.Linear(hidden, answers)

    def embed(
        self, keys: Int[Tensor, "batch time"], values: Int[Tensor, "batch time"]
    ) -> Float[Tensor, "batch time dim"]:
        """Return what the core is fed."""
        return self.key_embedding(keys) + self.value_embedding(values)

    def forward(
        self, keys: Int[Tensor, "batch time"], values: Int[Tensor, "batch time"], state: Any = None
    ) -> Recalled:
        """Answer at every step.

        Args:
            keys: the key that each step shows.
            values: the value that each step shows.
            state: what the window before returned; the core's empty one at first.
        """
        state = self.core.init_state(len(keys)) if state is None else state
        output, state = self.core(self.embed(keys, values), state)
        return Recalled(self.answer_weight(output), state)


def example() -> tuple[Recall, tuple[Tensor, ...]]:
    """Return a small model over a CRAN, and steps for it."""
    dim, hidden, keys, values = 5, 7, 11, 3
    cell = CRANCell(
        InputQuery(dim, 5),
        JointRead(dim, hidden, 13),
        ReluUpdate(dim, hidden),
        LinearKey(hidden, slots=2, dim=5),
        ZoneMemory(zones=3, slots=2),
        TopZones(2),
    )
    model = Recall(CRAN(cell), keys, values, answers=3, dim=dim, hidden=hidden)
    steps = torch.arange(2 * 17).view(2, 17)
    return model, (steps % (keys + 1), steps % (values + 1))
