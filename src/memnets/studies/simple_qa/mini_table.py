"""The tables of simple question answering. Figures of a split of our own: none is comparable."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memnets import results
from memnets.experiments.jobs import Job, finished, seeded, slug, without_path
from memnets.experiments.run import to_json
from memnets.experiments.tables import COMMAND, PlannedTable
from memnets.studies.simple_qa.recipes import SimpleQAMini, mini

if TYPE_CHECKING:
    from memnets.models.simple_qa import SimpleQA

MEMBERS = 5
"""Models of an ensemble."""
RUNS = {
    "all": MEMBERS,
    "no candidates as negatives": 3,
    "no questions made of facts": 3,
    "questions of WebQuestions too": 3,
    "ten drawn facts an entity": 3,
}
"""Runs of each row."""
FOLDER = "simple-qa"
"""The run folders that the tables share."""
TARGET = 90.0
"""Accuracy, in per cent of candidate recall, that is to be reached."""
DRAWS = 2000
"""Samples of the questions, for an interval."""


def variant(row: str) -> SimpleQAMini:
    """Return the run of a row."""
    run = mini()
    training, data = run.training, run.data
    changes: dict[str, SimpleQAMini] = {
        "all": run,
        # As many wrong facts in all.
        "no candidates as negatives": replace(
            run, training=replace(training, own=0, strangers=training.strangers + training.own)
        ),
        "no questions made of facts": replace(run, training=replace(training, made=0.0)),
        "questions of WebQuestions too": replace(
            run, training=replace(training, webquestions=True)
        ),
        "ten drawn facts an entity": replace(run, data=replace(data, distractors=10)),
    }
    return changes[row]


def jobs(row: str, root: Path, data: Path | None) -> list[Job]:
    """Return the runs of a row."""
    folder = root / FOLDER / slug(row)
    return [
        Job(
            row,
            (row,),
            seeded(variant(row), seed, data),
            seed,
            folder / f"{seed}",
        )
        for seed in range(RUNS[row])
    ]


@dataclass(frozen=True, kw_only=True)
class SimpleQATable(PlannedTable):
    """Rows of runs, their ensemble, and baselines."""

    title: str
    rows: tuple[str, ...]

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        wanted = [row for row in self.rows if re.search(only, row)]
        if not wanted:
            raise ValueError(
                f"--only {only!r} matches no row of {name}. Its rows are {', '.join(self.rows)}."
            )
        for row in wanted:
            yield jobs(row, root, data)

    def collect(self, name: str, root: Path, data: Path | None) -> results.Table:
        done = {row: measured(jobs(row, root, data)) for row in self.rows}
        rows: list[results.Row] = []
        for row, ran in done.items():
            rows += _accuracies(row, ran)
        if len(done["all"]) == MEMBERS:
            rows += _ensemble(done["all"], data)
        rows += _baselines(done["all"], data)
        return table_of(name, rows, done["all"])


class Ran(NamedTuple):
    """A finished run."""

    row: str
    run: SimpleQAMini
    folder: Path
    metrics: Mapping[str, float]
    commit: str
    wall_s: float
    sha256: str


def measured(every: Sequence[Job]) -> list[Ran]:
    """Return the runs that have ended.

    Raises:
        ValueError: a folder holds a run of another configuration.
    """
    found = []
    for job in every:
        folder = finished(job)
        if folder is not None and (result := folder.result) is not None:
            assert isinstance(job.run, SimpleQAMini)
            record = folder.record
            found.append(
                Ran(
                    job.name,
                    job.run,
                    job.folder,
                    result["metrics"]["test"],
                    str(record["commit"]),
                    result["wall_s"],
                    record["data"]["sha256"],
                )
            )
    return found


def _accuracies(row: str, ran: Sequence[Ran]) -> Iterator[results.Row]:
    words = {
        "accuracy": "subject and relation right",
        "subject": "subject right",
        "relation": "relation right",
        "answer": "objects right",
    }
    for metric in words if row == "all" else ("accuracy",):
        name = row if metric == "accuracy" else f"{row}: {words[metric]}"
        yield row_of(
            name, words[metric], ran, {one.run.loop.seed: one.metrics[metric] for one in ran}
        )
    shares = {one.run.loop.seed: one.metrics["accuracy"] / one.metrics["recall"] for one in ran}
    target = TARGET if row == "all" else None
    note = f"{ran[0].metrics['candidates']:.1f} candidates a question" if ran else ""
    name = f"{row}: of what candidates allow"
    yield row_of(name, "accuracy / candidate recall", ran, shares, target, note)


def row_of(
    name: str,
    metric: str,
    ran: Sequence[Ran],
    shares: Mapping[int, float],
    target: float | None = None,
    note: str = "",
) -> results.Row:
    """Return shares, one a seed, as a row in per cent; not run where there are none."""
    described: dict[str, Any] = {"unit": "%", "better": "higher", "target": target}
    if not shares:
        return results.not_run(name, metric, **described)
    row = results.measured(
        name,
        metric,
        {seed: 100 * share for seed, share in shares.items()},
        selection="mean over all seeds, after the last update",
        status="done" if len(ran) == RUNS[ran[0].row] else "partial",
        wall_s=sum(one.wall_s for one in ran),
        note=note,
        **described,
    )
    return replace(row, commit=", ".join(sorted({one.commit for one in ran})))


def _ensemble(ran: Sequence[Ran], data: Path | None) -> Iterator[results.Row]:
    """Yield the ensemble's accuracy, and what it adds to its members'."""
    from memnets.models.simple_qa import ensemble
    from memnets.studies.simple_qa.task import answered, outcome

    _, memory, questions = ran[0].run.numbered()
    test = questions["test"]
    scores = [answered(model, memory.bags, test).scores for model in trained_models(ran)]
    together = outcome(memory, test, ensemble(scores))["accuracy"].double()
    alone = [outcome(memory, test, ensemble([one]))["accuracy"].double() for one in scores]
    gain = (together - sum(alone) / len(alone)).tolist()
    low, high = bootstrap(gain)
    name = f"ensemble of {MEMBERS}"
    accuracy, recall = float(together.mean()), ran[0].metrics["recall"]
    yield row_of(name, "subject and relation right", ran, {0: accuracy})
    share = {0: accuracy / recall}
    yield row_of(
        f"{name}: of what candidates allow", "accuracy / candidate recall", ran, share, TARGET
    )
    yield row_of(
        f"{name} minus its members",
        "difference",
        ran,
        {0: sum(gain) / len(gain)},
        note=f"95 % interval {100 * low:.1f} to {100 * high:.1f}, over {DRAWS} samples of the "
        f"questions",
    )


def bootstrap(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of a mean, from samples of the questions with replacement."""
    draw = random.Random(0)
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(DRAWS))
    return means[round(0.025 * DRAWS)], means[round(0.975 * DRAWS) - 1]


def trained_models(ran: Sequence[Ran]) -> "list[SimpleQA]":
    """Return the models of runs, trained."""
    from memnets.training.runs import RunFolder

    models = []
    for one in ran:
        model = one.run.model.build(one.run.numbered().lexicon)
        RunFolder.open(one.folder).load_weights(model)
        models.append(model.requires_grad_(False).eval())
    return models


def _baselines(ran: Sequence[Ran], data: Path | None) -> Iterator[results.Row]:
    """Yield what the candidates allow, and what is right without reading the question."""
    from memnets.studies.simple_qa.task import by_majority, reach

    if not ran:
        return
    run = ran[0].run
    _, memory, questions = run.numbered()
    test = questions["test"]
    shares = {name: float(hit.double().mean()) for name, hit in reach(test).items()}
    asked = [question.relation for question in run.data.load().splits["train"]]
    majority = float(by_majority(memory, test, asked).double().mean())
    yield row_of("candidate recall", "right fact among the candidates", ran, {0: shares["recall"]})
    yield replace(
        row_of("candidates", "facts a question", ran, {0: shares["candidates"] / 100}), unit=""
    )
    yield row_of("majority relation", "subject and relation right", ran, {0: majority})
    yield row_of("random guess", "subject and relation right", ran, {0: shares["guess"]})


def table_of(name: str, rows: Sequence[results.Row], ran: Sequence[Ran]) -> results.Table:
    """Return rows as a table."""
    return results.Table(
        name=name,
        command=f"{COMMAND} {name}",
        config=without_path(to_json(mini())),
        data=results.Data(
            "SimpleQuestions mini with drawn facts, a split of our own",
            ran[0].sha256 if ran else None,
            "test: the mini set's 1,000 valid questions",
        ),
        rows=tuple(rows),
    )


def simple_qa_mini() -> SimpleQATable:
    """SimpleQuestions mini with drawn facts: accuracy beside candidate recall and baselines."""
    return SimpleQATable(
        title="SimpleQuestions mini: accuracy, ensemble, and what each part adds",
        rows=tuple(RUNS),
    )
