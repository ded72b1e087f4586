"""What every run can set about its loop, whatever is trained. Imports no torch."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

Device = Literal["cpu", "cuda", "mps", "auto"]
Precision = Literal["32-true", "bf16-mixed"]


MOST, MOST_SEED, MOST_THREADS = 2**31 - 1, 2**63 - 1, 1024
"""The largest whole number of a configuration, seed, and number of threads."""
MOST_HOPS = 1000
"""The most hops of one table of weights: nothing else would stop an update that never ends."""
MOST_FLOAT = 1e38
"""The largest other number of a configuration: float32 holds little more."""


def expect_at_least(section: str, config: object, **least: int | float) -> None:
    """Refuse fields of a configuration that are too small.

    Raises:
        ValueError: a field is; the text says how it is set on the command line.
    """
    for name, bound in least.items():
        if not getattr(config, name) >= bound:  # NaN is not, either
            _refuse(section, config, name, f"at least {bound}", f"{bound}, or more")


def expect_at_most(section: str, config: object, **most: int) -> None:
    """Refuse fields of a configuration that are too large for an update to end.

    Raises:
        ValueError: a field is; the text says how it is set on the command line.
    """
    for name, bound in most.items():
        if getattr(config, name) > bound:
            _refuse(section, config, name, f"at most {bound:,}", f"{bound}, or less")


def expect_above(section: str, config: object, **bounds: int | float) -> None:
    """Refuse fields of a configuration that are not above a bound.

    Raises:
        ValueError: a field is not; the text says how it is set on the command line.
    """
    for name, bound in bounds.items():
        if not getattr(config, name) > bound:
            usual = getattr(type(config), name)
            _refuse(section, config, name, f"a number above {bound}", f"{usual}, say")


def expect_share(section: str, config: object, *names: str, all_of_it: bool = False) -> None:
    """Refuse fields of a configuration that are no share: from 0 to below 1.

    Args:
        section: of the fields.
        config: that has them.
        names: of the fields.
        all_of_it: whether 1 is a share too.

    Raises:
        ValueError: a field is none; the text says how it is set on the command line.
    """
    within: Callable[[float], bool] = lambda x: 0 <= x < 1 or (all_of_it and x == 1)  # noqa: E731
    for name in names:
        if not within(getattr(config, name)):
            most = "1" if all_of_it else "below 1"
            _refuse(section, config, name, f"a share from 0 to {most}", "0.5, say")


def expect_used(section: str, config: Any, choice: str, users: Mapping[str, Sequence[str]]) -> None:
    """Refuse fields of a configuration that were set and that what is chosen does not read.

    Args:
        section: of the configuration.
        config: the dataclass; a field that differs from its default was set.
        choice: name of the field by which one thing of several is chosen.
        users: of the name of a field, the choices that read it.

    Raises:
        ValueError: a field is set that would be ignored; the text says which choices read it.
    """
    chosen = getattr(config, choice)
    for name, readers in users.items():
        value = getattr(config, name)
        if value != getattr(type(config), name) and chosen not in readers:
            raise ValueError(
                f'{section}.{name} is {value}, and {section}.{choice} is "{chosen}": it would be '
                f"ignored. Leave it out, or pass --{section}.{choice} {' or '.join(readers)}."
            )


def _refuse(section: str, config: object, name: str, expected: str, such: str) -> None:
    raise ValueError(
        f"{section}.{name} is {getattr(config, name)}: expected {expected}. "
        f"Pass --{section}.{name.replace('_', '-')} {such}."
    )


def expect_numbers(name: str, value: Any) -> None:
    """Refuse numbers of a configuration that nothing can be computed with, whatever they mean.

    Args:
        name: dotted, of the field.
        value: of any type; a tuple is looked into.

    Raises:
        ValueError: a float is not finite, or a number too large.
    """
    if isinstance(value, tuple):
        for one in value:
            expect_numbers(name, one)
    option = f"--{name.replace('_', '-')}"
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{name} is {value}: expected a finite number. Pass {option} 0.5, say.")
    if isinstance(value, float) and abs(value) > MOST_FLOAT:
        raise ValueError(
            f"{name} is {value}: expected at most {MOST_FLOAT}, as tensors hold. "
            f"Pass a smaller {option}."
        )
    most = MOST_SEED if name.rpartition(".")[2] == "seed" else MOST
    if isinstance(value, int) and abs(value) > most:
        raise ValueError(f"{name} is {value}: expected at most {most}. Pass a smaller {option}.")


@dataclass(frozen=True)
class Loop:
    """How the loop runs; nothing here changes what is learnt, but for seed and precision."""

    seed: int = 0
    """Everything random follows from it: weights, order, noise."""
    threads: int = 1
    """CPU threads of a process; small models are fastest with one."""
    device: Device = "cpu"
    """Accelerator, as Lightning Fabric names it."""
    precision: Precision = "32-true"
    """Number format, as Lightning Fabric names it."""
    checkpoint_seconds: float = 15.0
    """Write a checkpoint when this much time has passed since the last one."""
    keep: int = 2
    """How many checkpoints to keep."""

    def __post_init__(self) -> None:
        expect_at_least("loop", self, seed=0, threads=1, checkpoint_seconds=0, keep=1)
        if self.threads > MOST_THREADS:
            _refuse("loop", self, "threads", f"at most {MOST_THREADS}", "1, say")
        for name, known in (("device", get_args(Device)), ("precision", get_args(Precision))):
            if getattr(self, name) not in known:
                raise ValueError(
                    f"loop.{name} is {getattr(self, name)!r}: expected one of {', '.join(known)}. "
                    f"Pass --loop.{name} {known[0]}, say."
                )
