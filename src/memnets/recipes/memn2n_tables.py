"""The tables of Sukhbaatar et al. (2015), to be reproduced cell by cell.

Test error in per cent, tasks 1 to 20. Where a column is marked as recalled, its figures are from
memory; their mean is the published one.
"""

from dataclasses import replace
from typing import NamedTuple

from memnets.recipes.babi import ALL_TASKS
from memnets.recipes.memn2n import MemN2NBabi, babi
from memnets.recipes.reproduction import Cell, Column, Reproduction


class Published(NamedTuple):
    """One column of Table 1."""

    name: str
    errors: tuple[float, ...]
    mean: float
    failed: float
    recalled: bool

    @property
    def source(self) -> str:
        mark = ", recalled" if self.recalled else ""
        return f"Sukhbaatar et al. 2015, Table 1, {self.name}{mark}"


# fmt: off
PE_LS_RN = Published("PE LS RN", (
    0.0, 8.3, 40.3, 2.8, 13.1, 7.6, 17.3, 10.0, 13.2, 15.1,
    0.9, 0.2, 0.4, 1.7, 0.0, 1.3, 51.0, 11.1, 82.8, 0.0,
), 13.9, 11.0, recalled=True)
# fmt: on

RUNS = 10
"""The paper reports the run of lowest training error out of ten (section 4.2)."""


def memn2n_babi_1k_single() -> Reproduction:
    """MemN2N on bAbI 1k, one model a task (Table 1): test error of the best of ten runs."""
    return Reproduction(
        title="MemN2N on bAbI 1k, one model a task (Sukhbaatar et al. 2015, Table 1)",
        recipe="memn2n/babi",
        data="bAbI v1.2 en, tasks 1-20",
        cells=_cells(PE_LS_RN, babi()),
        runs=RUNS,
        columns={
            PE_LS_RN.name: Column(
                mean=PE_LS_RN.mean,
                failed=PE_LS_RN.failed,
                source=PE_LS_RN.source,
                target=14.4,
            )
        },
    )


def memn2n_babi_1k_empty_slots() -> Reproduction:
    """What the empty slots of the memory do: read, as in the released code, or masked."""
    read, masked = babi(), replace(babi(), model=replace(babi().model, read_empty=False))
    tasks = (4, 6, 9, 10)
    return Reproduction(
        title="MemN2N on bAbI 1k, the empty slots of the memory read or masked",
        recipe="memn2n/babi",
        data="bAbI v1.2 en, tasks 4, 6, 9 and 10",
        cells=(
            *_cells(PE_LS_RN, read, "empty slots read", tasks),
            *_cells(None, masked, "empty slots masked", tasks),
        ),
        runs=RUNS,
        contrasts=(("empty slots read", "empty slots masked"),),
    )


def _cells(
    published: Published | None,
    run: MemN2NBabi,
    column: str | None = None,
    tasks: tuple[int, ...] = ALL_TASKS,
) -> tuple[Cell, ...]:
    return tuple(
        Cell(
            column=column or (published.name if published else ""),
            row=f"task {task}",
            run=replace(run, data=replace(run.data, tasks=(task,))),
            metric=f"accuracy/{task}",
            published=published.errors[task - 1] if published else None,
            source=published.source if published else None,
        )
        for task in tasks
    )
