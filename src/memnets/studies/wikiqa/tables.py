"""WikiQA beside Table 6 of Miller et al. (2016): words that are counted, memories that are read.

Figures are MAP and MRR over the 243 test questions that have an answer, as published; further rows
are over the 237 of which some candidate is no answer. Where candidates are equal, as most are to a
count of words, the order among them decides much: the baselines have rows for that.
"""

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from memnets import results
from memnets.data.qa.wikiqa import Question, ranking
from memnets.experiments.jobs import Job, finished, seeded, slug, without_path
from memnets.experiments.run import to_json
from memnets.experiments.tables import COMMAND, PlannedTable
from memnets.studies.wikiqa.recipes import WikiQA, digest, kv_memnn, memnn

TABLE_6: Mapping[str, tuple[float, float, str]] = {
    "word count": (0.4891, 0.4924, ""),
    "weighted word count": (0.5099, 0.5132, ""),
    "MemNN": (0.5170, 0.5236, ", MRR recalled"),
    "KV-MemNN": (0.7069, 0.7265, ""),
}
"""MAP and MRR as published, and what was not read in the paper."""
METRICS = {"map": "MAP", "mrr": "MRR"}
DRAWS = 20
"""So many orders of equal candidates are drawn."""
SELECTION = "last update of every run; the settings were chosen by the dev questions"
DRAWN = f"mean over {DRAWS} orders of equal candidates; nothing is learnt"
COUNTED = "nothing is learnt"
SETS = {"": "", "_mixed": ", of the questions with right and wrong candidates"}
"""What the name of a metric ends with, and that of its row."""
PLACE = " + place"


@dataclass(frozen=True, kw_only=True)
class Ranking(PlannedTable):
    """Rows of counted words, and rows of runs.

    Args:
        title: of the table.
        rows: the run of each row.
        seeds: how many runs a row has.
        contrasts: pairs of rows whose difference is reported, seed by seed.
    """

    title: str
    rows: Mapping[str, WikiQA]
    seeds: int
    contrasts: tuple[tuple[str, str], ...] = ()

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        wanted = [job for job in self._jobs(name, root, data) if re.search(only, job.name)]
        if not wanted:
            raise ValueError(
                f"--only {only!r} matches no row of {name}. Its rows are {', '.join(self.rows)}."
            )
        yield wanted

    def collect(self, name: str, root: Path, data: Path | None) -> results.Table:
        run = next(iter(self.rows.values()))
        questions = replace(run.data, path=data or run.data.path).load()
        found = {row: dict[int, dict[str, Any]]() for row in self.rows}
        for job in self._jobs(name, root, data):
            folder = finished(job)
            if folder is not None and (result := folder.result) is not None:
                found[job.name][job.seed] = {**result, "commit": folder.record["commit"]}
        learnt = [one for row in self.rows for one in self._learnt(row, found[row])]
        return results.Table(
            name=name,
            command=f"{COMMAND} {name}",
            config={row: without_path(to_json(run)) for row, run in self.rows.items()},
            data=results.Data("WikiQA", digest(questions), "test"),
            rows=(*_counted(questions), *learnt, *self._differences(found)),
        )

    def _jobs(self, name: str, root: Path, data: Path | None) -> list[Job]:
        return [
            Job(
                row,
                (row,),
                seeded(run, seed, data),
                seed,
                root / name / slug(row) / f"{seed}",
            )
            for seed in range(self.seeds)
            for row, run in self.rows.items()
        ]

    def _learnt(self, row: str, found: Mapping[int, dict[str, Any]]) -> Iterator[results.Row]:
        for (suffix, which), (key, metric) in product(SETS.items(), METRICS.items()):
            described = _described(row, key, which)
            values = {
                seed: one["metrics"]["test"][key + suffix] for seed, one in sorted(found.items())
            }
            if not values:
                yield results.not_run(row + which, metric, **described)
                continue
            measured = results.measured(
                row + which,
                metric,
                values,
                selection=SELECTION,
                status="done" if len(values) == self.seeds else "partial",
                wall_s=sum(one["wall_s"] for one in found.values()),
                **described,
            )
            commits = sorted({str(one["commit"]) for one in found.values()})
            yield replace(measured, commit=", ".join(commits))

    def _differences(
        self, found: Mapping[str, Mapping[int, dict[str, Any]]]
    ) -> Iterator[results.Row]:
        for one, other in self.contrasts:
            name, metric = f"{one} minus {other}", "difference in MAP"
            values = {
                seed: found[one][seed]["metrics"]["test"]["map"]
                - found[other][seed]["metrics"]["test"]["map"]
                for seed in sorted(found[one].keys() & found[other].keys())
            }
            interval = results.interval(list(values.values()))
            if interval is None:
                yield results.not_run(name, metric, unit="", better="higher")
                continue
            yield results.measured(
                name,
                metric,
                values,
                unit="",
                better="higher",
                selection="mean over all seeds",
                status="done" if len(values) == self.seeds else "partial",
                note=f"95 % interval {interval[0]:.4f} to {interval[1]:.4f}",
            )


def wikiqa() -> Ranking:
    """Answer sentences of WikiQA (Miller et al. 2016, Table 6)."""
    return Ranking(
        title="WikiQA, MAP and MRR (Miller et al. 2016, Table 6)",
        rows={
            "MemNN": memnn(),
            "KV-MemNN": kv_memnn(),
            f"MemNN{PLACE}": _with_place(memnn()),
            f"KV-MemNN{PLACE}": _with_place(kv_memnn()),
        },
        seeds=3,
        contrasts=(("KV-MemNN", "MemNN"), (f"KV-MemNN{PLACE}", f"MemNN{PLACE}")),
    )


def _with_place(run: WikiQA) -> WikiQA:
    return replace(run, model=replace(run.model, place=True))


def _counted(questions: Mapping[str, Sequence[Question]]) -> Iterator[results.Row]:
    """Yield the rows of the baselines, equal candidates drawn and in the two extreme orders."""
    from memnets.studies.wikiqa.words import Rarity, weighted_word_count, word_count

    rarity = Rarity.of(questions["train"])
    test = [one for one in questions["test"] if one.answered]
    baselines: Mapping[str, Callable[[Question], list[float]]] = {
        "word count": word_count,
        "weighted word count": lambda one: weighted_word_count(one, rarity),
        "no words": lambda one: [0.0] * len(one.candidates),
    }
    for row, score in baselines.items():
        scores = [score(one) for one in test]
        for order, numbers in ORDERS.items():
            means = [
                _means(test, scores, numbers(draw)) for draw in range(DRAWS if not order else 1)
            ]
            for at, (key, metric) in enumerate(METRICS.items()):
                yield results.measured(
                    row + order,
                    metric,
                    {draw: mean[at] for draw, mean in enumerate(means)},
                    selection=DRAWN if not order else COUNTED,
                    **_described(row + order, key, ""),
                )


def _means(
    test: Sequence[Question], scores: Sequence[Sequence[float]], number: Callable[[int], float]
) -> tuple[float, float]:
    from memnets.studies.wikiqa.words import ordered

    found = ranking(test, [ordered(one, [number(at) for at in range(len(one))]) for one in scores])
    return found.average_precision, found.reciprocal_rank


def _drawn(draw: int) -> Callable[[int], float]:
    numbers = random.Random(draw)
    return lambda _: numbers.random()


ORDERS: Mapping[str, Callable[[int], Callable[[int], float]]] = {
    "": _drawn,
    ", the earlier of equal ones first": lambda _: lambda place: -float(place),
    ", the later of equal ones first": lambda _: lambda place: float(place),
}
"""How equal candidates are ordered: what the name of the row says, and who of them comes first."""


def _described(row: str, key: str, which: str) -> dict[str, Any]:
    """Return what a row says beside its figure."""
    described: dict[str, Any] = {"unit": "", "better": "higher"}
    if row in TABLE_6 and not which:
        average, reciprocal, recalled = TABLE_6[row]
        described["published"] = average if key == "map" else reciprocal
        described["source"] = f"Miller et al. 2016, Table 6, {row}{recalled}"
    return described


TABLES = {
    "wikiqa": wikiqa,
}
