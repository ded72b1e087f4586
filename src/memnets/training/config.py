"""What every run can set about its loop, whatever is trained. Imports no torch."""

from dataclasses import dataclass
from typing import Literal, get_args

Device = Literal["cpu", "cuda", "mps", "auto"]
Precision = Literal["32-true", "bf16-mixed"]


def expect_at_least(section: str, config: object, **least: int | float) -> None:
    """Refuse fields of a configuration that are too small.

    Raises:
        ValueError: a field is; the text says how it is set on the command line.
    """
    for name, bound in least.items():
        value = getattr(config, name)
        if not value >= bound:  # NaN is not, either
            option = f"--{section}.{name.replace('_', '-')}"
            raise ValueError(
                f"{section}.{name} is {value}: expected at least {bound}. "
                f"Pass {option} {bound}, or more."
            )


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
        for name, known in (("device", get_args(Device)), ("precision", get_args(Precision))):
            if getattr(self, name) not in known:
                raise ValueError(
                    f"loop.{name} is {getattr(self, name)!r}: expected one of {', '.join(known)}. "
                    f"Pass --loop.{name} {known[0]}, say."
                )
