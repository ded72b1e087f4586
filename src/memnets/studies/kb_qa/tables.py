"""What is learnt of a KB from its own facts alone: answers given, declined and wrongly declined."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from memnets import results
from memnets.experiments.jobs import Job, finished, seeded, without_path
from memnets.experiments.run import to_json
from memnets.experiments.tables import COMMAND, PlannedTable
from memnets.kb.questions.questions import UNANSWERABLE
from memnets.studies.kb_qa.recipes import OwnKB, films, towns

SELECTION = "mean over all seeds; when to decline is set on ways of asking of their own"


class Figure(NamedTuple):
    """A row's metric, and what is to be reached."""

    metric: str
    words: str
    better: Literal["higher", "lower"]
    target: float | None = None


FIGURES = (
    Figure("accuracy", "answered rightly, with all objects", "higher"),
    Figure("refused", "answerable, but declined", "lower", 5.0),
    Figure("declined", "unanswerable, and declined", "higher", 90.0),
    *(Figure(f"declined/{kind}", f"declined: {kind}", "higher") for kind in UNANSWERABLE),
)


@dataclass(frozen=True, kw_only=True)
class OwnKBTable(PlannedTable):
    """Invented KBs, each learnt by several seeds; facts, ways of asking and weights are a seed's.

    Args:
        title: of the table.
        runs: by the name of what was invented.
        seeds: runs of each.
    """

    title: str
    runs: Mapping[str, OwnKB]
    seeds: int = 3

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        every = self._jobs(name, root)
        wanted = [job for job in every if re.search(only, job.name)]
        if not wanted:
            raise ValueError(
                f"--only {only!r} matches no row of {name}. Its rows are {', '.join(self.runs)}."
            )
        yield wanted

    def _jobs(self, name: str, root: Path) -> list[Job]:
        return [
            Job(world, (world,), seeded(run, seed, None), seed, folder)
            for seed in range(self.seeds)
            for world, run in self.runs.items()
            for folder in [root / name / world / f"{seed}"]
        ]

    def collect(self, name: str, root: Path, data: Path | None) -> results.Table:
        done: dict[str, dict[int, dict[str, Any]]] = {world: {} for world in self.runs}
        for job in self._jobs(name, root):
            folder = finished(job)
            if folder is None or (result := folder.result) is None:
                continue
            done[job.name][job.seed] = {**result, "commit": folder.record["commit"]}
        facts = {run.data.rows for run in self.runs.values()}
        return results.Table(
            name=name,
            command=f"{COMMAND} {name}",
            config={world: without_path(to_json(run)) for world, run in self.runs.items()},
            data=results.Data(f"{facts.pop():,} invented facts a seed", None, "test"),
            rows=tuple(row for world, runs in done.items() for row in self._rows(world, runs)),
        )

    def _rows(self, world: str, runs: Mapping[int, Mapping[str, Any]]) -> Iterator[results.Row]:
        for metric, words, better, target in FIGURES:
            described: dict[str, Any] = {"unit": "%", "better": better, "target": target}
            if not runs:
                yield results.not_run(world, words, **described)
                continue
            row = results.measured(
                world,
                words,
                {seed: 100 * run["metrics"]["test"][metric] for seed, run in runs.items()},
                selection=SELECTION,
                status="done" if len(runs) == self.seeds else "partial",
                wall_s=sum(run["wall_s"] for run in runs.values()),
                **described,
            )
            commits = sorted({str(run["commit"]) for run in runs.values()})
            yield replace(row, commit=", ".join(commits))


def own_kb() -> OwnKBTable:
    """Questions to a KB that nobody wrote questions for, asked in ways that were held out."""
    return OwnKBTable(
        title="A KB of 1,000 facts, learnt from its facts alone",
        runs={"films": films(), "towns": towns()},
        seeds=5,
    )


TABLES = {
    "own-kb": own_kb,
}
