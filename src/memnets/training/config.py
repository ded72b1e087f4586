"""What every run can set about its loop, whatever is trained. Imports no torch."""

from dataclasses import dataclass


def expect_at_least(section: str, config: object, **least: float) -> None:
    """Refuse fields of a configuration that are too small.

    Raises:
        ValueError: a field is; the text says how it is set on the command line.
    """
    for name, bound in least.items():
        value = getattr(config, name)
        if value < bound:
            option = f"--{section}.{name.replace('_', '-')}"
            raise ValueError(
                f"{section}.{name} is {value}: expected at least {bound}. "
                f"Pass {option} {bound}, or more."
            )


@dataclass(frozen=True)
class Loop:
    """How the loop runs; nothing here changes what is learnt, but for the seed."""

    seed: int = 0
    """Everything random follows from it: weights, order, noise."""
    threads: int = 1
    """CPU threads of a process; small models are fastest with one."""
    device: str = "cpu"
    """Accelerator, as Lightning Fabric names it: cpu, cuda, mps, auto."""
    precision: str = "32-true"
    """Number format, as Lightning Fabric names it."""
    checkpoint_seconds: float = 15.0
    """Write a checkpoint when this much time has passed since the last one."""
    keep: int = 2
    """How many checkpoints to keep."""

    def __post_init__(self) -> None:
        expect_at_least("loop", self, seed=0, threads=1, checkpoint_seconds=0, keep=1)
