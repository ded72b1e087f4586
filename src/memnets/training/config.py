"""What every run can set about its loop, whatever is trained. Imports no torch."""

from dataclasses import dataclass


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
        for name, least in (("threads", 1), ("checkpoint_seconds", 0), ("keep", 1)):
            if getattr(self, name) < least:
                raise ValueError(
                    f"loop.{name}={getattr(self, name)}: expected at least {least}. "
                    f"Pass --loop.{name.replace('_', '-')} {least} or more."
                )
