"""The tables of simple question answering. Figures of a split of our own: none is comparable."""

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memnets import results
from memnets.experiments.jobs import FinishedRun, Job, Runs, seeded, without_path
from memnets.experiments.run import to_json
from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.experiments.tables import matching, row_of
from memnets.studies.simple_qa.recipes import mini

if TYPE_CHECKING:
    from memnets.models.simple_qa import SimpleQA

NAIVE_BAYES = "naive Bayes over words and pairs of words"
"""A baseline that counts, and is not trained."""
MEMBERS = 5
"""Models of an ensemble."""
FOLLOWING = ("ensemble of", "candidate", "majority relation", "random guess")
"""How the rows begin that follow from runs of the first row."""
WORDS = {
    "accuracy": "subject and relation right",
    "subject": "subject right",
    "relation": "relation right",
    "answer": "objects right",
}
ALLOWED = "accuracy / candidate recall"
TARGET = 90.0
"""Accuracy, in per cent of candidate recall, that is to be reached."""
DRAWS = 2000
"""Samples of the questions, for an interval."""


def entries() -> dict[str, Entry]:
    """Return what is trained for the mini table, by row: whole, and with one part changed."""
    run = mini()
    data, training = run.data, run.training
    # As many wrong facts in all.
    strangers = replace(training, own=0, strangers=training.strangers + training.own)
    changed = {
        "no candidates as negatives": replace(run, training=strangers),
        "no questions made of facts": replace(run, training=replace(training, made=0.0)),
        "questions of WebQuestions too": replace(
            run, training=replace(training, webquestions=True)
        ),
        "ten drawn facts an entity": replace(run, data=replace(data, distractors=10)),
    }
    others = {row: Entry(row=row, run=run) for row, run in changed.items()}
    return {"all": Entry(row="all", run=run, seeds=MEMBERS), **others}


@dataclass(frozen=True, kw_only=True)
class SimpleQATable(SeedsTable):
    """Rows of runs, their ensemble, and baselines."""

    data: str = "SimpleQuestions mini with drawn facts, a split of our own"
    split_name: str = "test: the mini set's 1,000 valid questions"
    selection: str = "mean over all seeds, after the last update"
    folder: str = "simple-qa"  # which the tables share

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        counted = Entry(row=NAIVE_BAYES, run=None)  # nothing to train
        for one in matching(only, name, (*self.entries, counted), self.names):  # row after row
            if one is not counted:
                yield self.jobs(one, name, root, data)

    def config(self) -> dict[str, Any]:
        return without_path(to_json(mini()))

    def checksum(self, found: Mapping[str, Runs], data: Path | None) -> str | None:
        return next((ran.sha256 for ran in found["all"].done.values()), None)

    def rows(self, found: Mapping[str, Runs], data: Path | None) -> Iterator[results.Row]:
        made = [*super().rows(found, data), *_whole_rows(found["all"].done), _naive_bayes(data)]
        names = {row.row for row in made}
        before = found["all"].before.values()
        yield from made
        # What follows from runs that are not here stands as it was.
        others = (row for row in before if row.row not in names)
        yield from (row for row in others if row.row.startswith(FOLLOWING))

    def figures_of(self, entry: Entry) -> Iterator[Figure]:
        whole = entry.row == "all"
        for metric, words in WORDS.items() if whole else [("accuracy", WORDS["accuracy"])]:
            row = entry.row if metric == "accuracy" else f"{entry.row}: {words}"
            yield Figure(row=row, metric=metric, words=words)
        yield Figure(
            row=f"{entry.row}: of what candidates allow",
            metric="accuracy",
            words=ALLOWED,
            out_of="recall",
            target=TARGET if whole else None,
        )

    def notes(
        self, entry: Entry, figure: Figure, runs: Runs, values: Mapping[int, float]
    ) -> Iterator[str]:
        if figure.out_of:
            first = next(iter(runs.done.values()))
            yield f"{first.metrics['test']['candidates']:.1f} candidates a question"
        yield from super().notes(entry, figure, runs, values)


def share_of(
    name: str,
    metric: str,
    ran: Mapping[int, FinishedRun],
    shares: Mapping[int, float],
    target: float | None = None,
    note: str = "",
) -> results.Row:
    """Return shares that runs of the first row have, as a row in per cent."""
    return row_of(
        name,
        metric,
        {seed: 100 * share for seed, share in shares.items()},
        commits=[one.commit for one in ran.values()],
        whole=len(ran) == MEMBERS,
        note=note,
        selection="mean over all seeds, after the last update",
        wall_s=Runs(ran, frozenset()).wall_s,
        unit="%",
        better="higher",
        target=target,
    )


def _whole_rows(ran: Mapping[int, FinishedRun]) -> Iterator[results.Row]:
    """Yield what follows from all runs of the first row."""
    if len(ran) == MEMBERS:
        yield from _ensemble(ran)
    if ran:
        yield from _baselines(ran)


def _ensemble(ran: Mapping[int, FinishedRun]) -> Iterator[results.Row]:
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
    accuracy, recall = float(together.mean()), ran[0].metrics["test"]["recall"]
    yield share_of(name, "subject and relation right", ran, {0: accuracy})
    share = {0: accuracy / recall}
    yield share_of(f"{name}: of what candidates allow", ALLOWED, ran, share, TARGET)
    yield share_of(
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


def trained_models(ran: Mapping[int, FinishedRun]) -> "list[SimpleQA]":
    """Return the models of runs, trained."""
    models = []
    for one in ran.values():
        model = one.run.model.build(one.run.numbered().vocabulary)
        one.folder.load_weights(model)
        models.append(model.requires_grad_(False).eval())
    return models


def _baselines(ran: Mapping[int, FinishedRun]) -> Iterator[results.Row]:
    """Yield what the candidates allow, and what is right without reading the question."""
    from memnets.studies.simple_qa.task import by_majority, reach

    run = next(iter(ran.values())).run
    _, memory, questions = run.numbered()
    test = questions["test"]
    shares = {name: float(hit.double().mean()) for name, hit in reach(test).items()}
    asked = [question.relation for question in run.data.load().splits["train"]]
    majority = float(by_majority(memory, test, asked).double().mean())
    recall = {0: shares["recall"]}
    yield share_of("candidate recall", "right fact among the candidates", ran, recall)
    yield replace(
        share_of("candidates", "facts a question", ran, {0: shares["candidates"] / 100}), unit=""
    )
    yield share_of("majority relation", "subject and relation right", ran, {0: majority})
    yield share_of("random guess", "subject and relation right", ran, {0: shares["guess"]})


def _naive_bayes(data: Path | None) -> results.Row:
    """Return what counting words reaches; no run is needed for it, but the data are."""
    from memnets.studies.simple_qa.naive_bayes import by_naive_bayes

    metric = WORDS["accuracy"]
    run = seeded(mini(), 0, data)
    began = time.perf_counter()
    try:
        splits = run.data.load().splits
    except FileNotFoundError:
        return results.not_run(NAIVE_BAYES, metric, unit="%", better="higher")
    _, memory, questions = run.numbered()
    texts = [question.text for question in splits["test"]]
    hit = by_naive_bayes(memory, questions["test"], texts, splits["train"])
    return results.measured(
        NAIVE_BAYES,
        metric,
        {0: 100 * float(hit.double().mean())},
        unit="%",
        better="higher",
        selection="smoothing and pairs of words chosen on the questions set aside",
        wall_s=time.perf_counter() - began,
        note="chooses the relation, among the same candidates",
    )


def simple_qa_mini() -> SimpleQATable:
    """SimpleQuestions mini with drawn facts: accuracy beside candidate recall and baselines."""
    return SimpleQATable(
        title="SimpleQuestions mini: accuracy, ensemble, and what each part adds",
        entries=tuple(entries().values()),
    )
