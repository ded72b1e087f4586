"""Recall: learn to say again what a recall world told some steps before."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from memnets.data.worlds.recall import RecallWorld, Steps, Zoned, joined
from memnets.training.state import moved
from memnets.training.task import Ratio, Step, Task

HELD_OUT = {"valid": 1_000_003, "test": 2_000_003, "cliff": 3_000_017}
"""Seeds of what is evaluated: the same for every run, whatever its own seed."""
COUNTED = {"valid": 20, "test": 100, "cliff": 100}
"""Batches of an evaluation."""
SETTLING = 200
"""Windows of a stream that come before any is counted: a network that was trained on one endless
stream is less sure while its memory is young, for much longer than it takes to fill it."""
YOUNG = 10
"""Windows of which the accuracy is told together while the memory is young."""
TRACED = 5
"""The last batches of an evaluation, for which it is told what was read."""


class RecallTask(Task):
    """Answer where something is asked, with the cross entropy of all answers as the loss.

    Args:
        worlds: what each stream shows: "train", "valid", "test", what further phases name, and
            "cliff" if there is such a test.
        init_state: from a number of rows to the state before the first step.
        batch: rows.
        memory: by which the ceiling is told; None where nothing is forgotten by rule.
        counted: batches of an evaluation, by split; in a stream others come before, not counted.
    """

    unit = "questions"
    final_splits = ("valid", "test")

    def __init__(
        self,
        worlds: Mapping[str, RecallWorld],
        init_state: Callable[[int], Any],
        batch: int = 64,
        memory: Zoned | None = None,
        counted: Mapping[str, int] | None = None,
    ) -> None:
        self.worlds, self.init_state = worlds, init_state
        self.batch, self.memory = batch, memory
        self.counted = COUNTED if counted is None else counted
        self.device = torch.device("cpu")

    def to(self, device: torch.device) -> None:
        """Say where steps are to be shown; there are no other data."""
        self.device = device

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        seed = generator.initial_seed()
        for steps in self.worlds[split].batches(seed, self.batch, position):
            yield _tensors(steps)

    def start(self, split: str, batch: tuple[Tensor, ...]) -> Any:
        return self.init_state(len(batch[0])) if self.worlds[split].carried else ()

    def loss(
        self, model: nn.Module, batch: tuple[Tensor, ...], state: Any, generator: torch.Generator
    ) -> Step:
        keys, values, answers, lags = batch
        reply = model(keys, values, state or None)
        asked = lags > 0
        logits, right = reply.logits[asked], answers[asked]
        loss = F.cross_entropy(logits, right, reduction="sum")
        hits = (logits.argmax(-1) == right).sum()
        return Step(loss, len(right), reply.state if state else (), {"accuracy": hits})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return loss and accuracy, the ceiling, and what was read where the core can tell.

        `_near` are the questions that a window can hold together with their answer, `_beyond`
        those that are asked later; `recall/LAG`, of the test, those asked LAG steps later,
        and `cliff/LAG` likewise where each write is asked for once. `young/STEP`, of a stream, are
        the questions of the ten windows from that step on, counted from an empty memory.
        `gold_read` counts those for which the step that told the answer was read most,
        `gold_zone` those for which its zone was among the chosen.
        """
        every, near = self._asked(model, split), self.worlds[split].near
        asked = every.where(every.batch >= self._begin(split))
        parts = {"": asked.lag > 0}
        if near is not None:
            parts |= {"_near": asked.lag <= near, "_beyond": asked.lag > near}
        ratios = {"loss": _ratio(asked.loss)}
        for suffix, part in parts.items():
            ratios[f"accuracy{suffix}"] = _ratio(asked.right[part])
            ratios[f"ceiling{suffix}"] = _ratio(asked.ceiling[part])
        ratios |= {"gold_read": _ratio(asked.read), "gold_zone": _ratio(asked.zone)}
        if split == "test":
            ratios |= _by_lag("recall", asked) | self._young(every)
            if "cliff" in self.worlds:
                cliff = self._asked(model, "cliff")
                ratios |= _by_lag("cliff", cliff.where(cliff.batch >= self._begin("cliff")))
        return ratios

    def _begin(self, split: str) -> int:
        """Return the first batch that is counted."""
        return SETTLING if self.worlds[split].carried else 0

    def _young(self, asked: "Outcomes") -> dict[str, Ratio]:
        steps = YOUNG * (self.worlds["test"].near or 0)
        return {
            f"young/{place * steps}": _ratio(asked.right[asked.batch // YOUNG == place])
            for place in range(self._begin("test") // YOUNG)
        }

    def _asked(self, model: nn.Module, split: str) -> "Outcomes":
        """Show a split, and return every question of it."""
        world = self.worlds[split]
        number = self._begin(split) + self.counted[split]
        batches = list(islice(world.batches(HELD_OUT[split], self.batch), number))
        ceilings = _ceilings(world, batches, self.memory)
        state: Any = None
        kept = []
        for place, (steps, ceiling) in enumerate(zip(batches, ceilings, strict=True)):
            read = _read if place >= number - TRACED and hasattr(model.core, "trace") else _unread
            keys, values, *_ = _tensors(steps)
            told = torch.from_numpy(steps.told)
            keys, values, told = moved((keys, values, told), self.device)
            state = state if world.carried else None
            logits, state, gold = read(model, keys, values, told, state)
            kept.append(_questions(place, steps, logits.cpu(), ceiling, gold.cpu()))
        return Outcomes(*map(torch.cat, zip(*kept, strict=True)))


def fingerprint(world: RecallWorld) -> str:
    """Return the SHA-256 of a world's first batch: the same worlds give the same."""
    digest = hashlib.sha256()
    for array in next(world.batches(0, 1))[:4]:
        digest.update(array.astype("<i8").tobytes())
    return digest.hexdigest()


class Outcomes(NamedTuple):
    """Questions, and what became of each; NaN where nobody knows."""

    batch: Tensor
    lag: Tensor
    loss: Tensor
    right: Tensor
    ceiling: Tensor
    read: Tensor
    zone: Tensor

    def where(self, kept: Tensor) -> "Outcomes":
        return Outcomes(*(field[kept] for field in self))


def _tensors(steps: Steps) -> tuple[Tensor, ...]:
    return tuple(map(torch.from_numpy, steps[:4]))


def _ceilings(
    world: RecallWorld, batches: Sequence[Steps], memory: Zoned | None
) -> Sequence[Float[np.ndarray, "row step"]]:
    if memory is None:
        return [np.ones(steps.lags.shape) for steps in batches]
    if not world.carried:
        return [world.ceiling(steps, memory) for steps in batches]
    whole = world.ceiling(joined(batches), memory)
    return np.split(whole, [steps.first for steps in batches[1:]], axis=1)


def _unread(
    model: Any, keys: Tensor, values: Tensor, told: Tensor, state: Any
) -> tuple[Tensor, Any, Tensor]:
    reply = model(keys, values, state)
    return reply.logits, reply.state, torch.full((2, *keys.shape), torch.nan)


def _read(
    model: Any, keys: Tensor, values: Tensor, told: Tensor, state: Any
) -> tuple[Tensor, Any, Tensor]:
    """Answer, and tell whether the step that told was read most, and its zone among the chosen."""
    trace = model.core.trace(model.embed(keys, values), state)
    gold = trace.steps == told[..., None, None]
    weights = (trace.zones.unsqueeze(-1) * trace.slots).flatten(2)
    weight, place = weights.max(-1, keepdim=True)
    most = ((weight > 0) & gold.flatten(2).gather(-1, place)).squeeze(-1)
    chosen = (gold.any(-1) & (trace.zones > 0)).any(-1)
    return model.answer_weight(trace.output), trace.state, torch.stack([most, chosen]).float()


def _questions(batch: int, steps: Steps, logits: Tensor, ceiling: Any, gold: Tensor) -> Outcomes:
    _, _, answers, lags = _tensors(steps)
    asked = lags > 0
    logits, answer = logits[asked], answers[asked]
    return Outcomes(
        torch.full_like(answer, batch),
        lags[asked],
        F.cross_entropy(logits, answer, reduction="none"),
        (logits.argmax(-1) == answer).float(),
        torch.from_numpy(ceiling)[asked],
        *gold[:, asked],
    )


def _by_lag(name: str, asked: Outcomes) -> dict[str, Ratio]:
    lags = asked.lag.unique().tolist()
    return {f"{name}/{lag}": _ratio(asked.right[asked.lag == lag]) for lag in lags}


def _ratio(values: Tensor) -> Ratio:
    return Ratio.of(values[~values.isnan()])
