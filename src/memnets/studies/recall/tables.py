"""The tables of recall: CRAN and a Turing machine beside an LSTM of as many parameters."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from memnets.data.worlds.recall import (
    Copy,
    Episodes,
    MultiQuery,
    NextItem,
    RecallWorld,
    Rewritten,
    Stream,
)
from memnets.experiments.seeds import Entry
from memnets.studies.recall.comparison import RecallTable, figures
from memnets.studies.recall.recipes import (
    RECOMMENDED,
    CRANRecall,
    LSTMRecall,
    NTMRecall,
    RecallTraining,
)

RATES = (1e-3, 2e-3, 4e-3, 8e-3)
"""Learning rates to choose from."""


def recall_episodes() -> RecallTable:
    """16 keys are told and asked for, in one window of 32 steps."""
    cran = CRANRecall(data=Episodes(), training=RecallTraining(updates=500))
    lstm = LSTMRecall(data=Episodes(), training=RecallTraining(updates=500))
    ntm = NTMRecall(data=Episodes(), training=RecallTraining(updates=500))
    return RecallTable(
        title="Recall: episodes in one window, CRAN beside an LSTM of as many parameters",
        data="episodes of 16 pairs, generated",
        entries=(
            Entry(row="CRAN", run=cran, rates=RATES, targets={"accuracy": 99.0}),
            Entry(row="LSTM", run=lstm, rates=RATES),
            Entry(row="NTM", run=ntm, rates=RATES),
            Entry(row="LSTM, ten times as long", run=_with(lstm, updates=5000)),
            Entry(row="CRAN, not scaled", run=_core(cran, scaled=False)),
            Entry(row="CRAN, query 1.1", run=_core(cran, query="input")),
            Entry(row="CRAN, read 2.1", run=_core(cran, read="input")),
            Entry(row="CRAN, update 3.2", run=_core(cran, update="gated")),
            Entry(row="CRAN, 2 of 4 zones", run=_core(cran, k=2)),
            Entry(row="CRAN, 1 of 4 zones", run=_core(cran, k=1)),
            Entry(row="CRAN, nothing read", run=_core(cran, k=1, choice="none")),
        ),
    )


def recall_stream() -> RecallTable:
    """Told without end and asked for 2 to 35 steps later, in windows of 20 steps."""
    training = RecallTraining(updates=1000)
    cran, lstm = CRANRecall(training=training), LSTMRecall(training=training)
    return RecallTable(
        title="Recall: a stream, beyond the window, CRAN beside an LSTM of as many parameters",
        data="stream with lags of 2 to 35 steps, generated",
        entries=(
            Entry(row="CRAN", run=cran, rates=RATES, targets={"accuracy_beyond": 95.0}),
            Entry(row="LSTM", run=lstm, rates=RATES),
            Entry(row="NTM", run=NTMRecall(training=training), rates=RATES),
            Entry(row="CRAN, not scaled", run=_core(cran, scaled=False)),
            Entry(row="CRAN, update 3.2", run=_core(cran, update="gated")),
            Entry(
                row="CRAN, query 1.1, keys as written",
                run=_core(cran, query="input", refresh="write"),
            ),
            Entry(row="CRAN, gradient cut at every step", run=_core(cran, detached=True)),
            Entry(row="CRAN, nothing read", run=_core(cran, k=1, choice="none")),
        ),
        figures=figures("accuracy_near", "accuracy_beyond", "gold_read"),
    )


def recall_long() -> RecallTable:
    """Ten zones of ten steps, asked for 2 to 80 steps later, in windows of 20 steps."""
    data = Stream(keys=256, longest=80, unique=100, cliff=200)
    cran = CRANRecall(
        data=data,
        training=RecallTraining(updates=4000),
        core=replace(RECOMMENDED, zones=10, k=10),
    )
    return RecallTable(
        title="Recall: a stream, ten zones, CRAN beside an LSTM of as many parameters",
        data="stream with lags of 2 to 80 steps, generated",
        entries=(
            Entry(row="CRAN", run=cran, targets={"accuracy_beyond": 95.0}),
            Entry(row="LSTM", run=LSTMRecall(data=data, training=cran.training), rates=RATES),
            Entry(
                row="CRAN, query 1.1, keys as written",
                run=_core(cran, query="input", refresh="write"),
            ),
        ),
        figures=figures("accuracy_near", "accuracy_beyond", "gold_read"),
    )


def recall_choosing() -> RecallTable:
    """How many zones are read of a memory of 40 steps, chosen by their keys or at random."""
    cran = CRANRecall(training=RecallTraining(updates=1000, learning_rate=4e-3))
    return RecallTable(
        title="Recall: a stream, few zones chosen, CRAN beside an LSTM of as many parameters",
        data="stream with lags of 2 to 35 steps, generated",
        entries=tuple(
            Entry(
                row=f"{k} of {zones} zones of {40 // zones}{words}",
                run=_core(cran, zones=zones, slots=40 // zones, k=k, choice=choice),
            )
            for zones in (4,)
            for choice, words in (("top", ""), ("random", ", at random"))
            for k in (1, 2, 4, 8)
            if k < zones or (k == zones and choice == "top")  # all of them is no choice
        ),
        figures=figures("gold_zone", "gold_read"),
    )


def recall_others() -> RecallTable:
    """Tasks with limits of their own: duplicates, order, the step before, tokens of their own."""
    short = RecallTraining(updates=1500)
    # At twice this rate a Turing machine lost, after 2,000 updates, what it had learnt; after half
    # as many updates it was still getting better.
    long = RecallTraining(updates=20_000, learning_rate=1e-3)
    worlds: dict[str, tuple[RecallWorld, RecallTraining, tuple[dict[str, Any], ...]]] = {
        "rewritten": (Rewritten(), long, ({},)),
        "copy, 10 to 20": (Copy(), short, ({},)),
        "copy, thrice": (Copy(repeats=3), short, ({},)),
        "next item": (NextItem(), short, ({}, {"read": "input"})),
        "multi-query": (MultiQuery(), short, ({},)),
    }
    return RecallTable(
        title="Recall: five other worlds, CRAN and a Turing machine beside an LSTM of equal size",
        data="five worlds of recall, generated",
        entries=tuple(
            entry
            for name, (world, training, cores) in worlds.items()
            for entry in _pair(name, world, training, cores)
        ),
        figures=figures("gold_read"),
    )


def _pair(
    name: str, world: Any, training: RecallTraining, cores: tuple[dict[str, Any], ...]
) -> Iterator[Entry]:
    run = CRANRecall(data=world, training=training, core=replace(RECOMMENDED, zones=10, k=10))
    for core in cores:
        words = "".join(f", {field} {value}" for field, value in core.items())
        yield Entry(row=f"{name}, CRAN{words}", run=_core(run, **core))
    yield Entry(row=f"{name}, LSTM", run=LSTMRecall(data=world, training=training))
    yield Entry(
        row=f"{name}, NTM",
        run=NTMRecall(data=world, training=training),
        targets={"accuracy": 90.0} if name == "rewritten" else {},
    )


def _core(run: CRANRecall, **core: Any) -> CRANRecall:
    return replace(run, core=replace(run.core, **core))


def _with(run: Any, **training: Any) -> Any:
    return replace(run, training=replace(run.training, **training))


TABLES = {
    "recall-episodes": recall_episodes,
    "recall-stream": recall_stream,
    "recall-long": recall_long,
    "recall-choosing": recall_choosing,
    "recall-others": recall_others,
}
