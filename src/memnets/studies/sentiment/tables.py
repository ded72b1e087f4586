"""Sentiment on the Stanford Sentiment Treebank, beside a count of words and the paper.

The epoch of a run is chosen by the dev sentences; test sentences are reported.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memnets import results
from memnets.experiments.jobs import Runs
from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.experiments.tables import interval_note
from memnets.studies.sentiment.data import naive_bayes_accuracy
from memnets.studies.sentiment.recipes import Sentiment, sentiment, sentiment_binary

PUBLISHED = {"fine": 52.1, "binary": 88.6}
SOURCE = "Kumar et al. 2016, Table 2, recalled; begins with word vectors trained elsewhere"
FLOORS = {"fine": 40.1, "binary": 82.0}
"""What is to be passed: naive Bayes at its best, here or as it was measured elsewhere."""


@dataclass(frozen=True, kw_only=True)
class SentimentTable(SeedsTable):
    """Rows of naive Bayes, and rows of runs."""

    def rows(self, found: Mapping[str, Runs], data: Path | None) -> Iterator[results.Row]:
        for entry in self.entries:
            yield self._counted(entry.run, data)
        yield from super().rows(found, data)

    def _counted(self, run: Sentiment, data: Path | None) -> results.Row:
        where = replace(run.data, phrases=False, path=data or run.data.path)
        splits = where.load()
        return results.measured(
            f"naive Bayes on words, {run.data.classes}",
            "test accuracy",
            {0: 100.0 * naive_bayes_accuracy(splits["train"], splits["test"])},
            unit="%",
            better="higher",
            selection="nothing is learnt but counts",
            note="of sentences alone",
        )

    def notes(
        self, entry: Entry, figure: Figure, runs: Runs, values: Mapping[int, float]
    ) -> Iterator[str]:
        yield from super().notes(entry, figure, runs, values)
        yield interval_note(list(values.values()))


def dmn_sentiment() -> SentimentTable:
    """A DMN tells how sentences about films sound (Kumar et al. 2016, Table 2)."""
    runs = {"fine": sentiment(), "binary": sentiment_binary()}
    return SentimentTable(
        title="Sentiment of sentences by a DMN, test accuracy (Kumar et al. 2016, Table 2)",
        data="Stanford Sentiment Treebank",
        entries=tuple(
            Entry(
                row=f"DMN, {classes}",
                run=run,
                published={"accuracy": PUBLISHED[classes]},
                source=SOURCE,
                targets={"accuracy": FLOORS[classes]},
            )
            for classes, run in runs.items()
        ),
        figures=(Figure(metric="accuracy", words="test accuracy"),),
        selection="update by the dev sentences; mean over all seeds",
    )


TABLES = {
    "dmn-sentiment": dmn_sentiment,
}
