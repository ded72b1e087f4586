"""Parts of speech on UD English-EWT, beside what a count of tags reaches.

The epoch of a run is chosen by one half of the dev sentences, and the other half is reported. No
figure of a paper is for the same text.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memnets import results
from memnets.experiments.jobs import Runs
from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.experiments.tables import interval_note
from memnets.studies.tagging.data import COMMONEST, Tags, most_frequent_tag
from memnets.studies.tagging.recipes import Tagging, tagging

UNKNOWN = ", unknown words"
"""What the name of a row ends with that is of words which no training sentence has."""
FLOOR = "most frequent tag"
COUNTED = "nothing is learnt but counts"
TARGET = 92.0


@dataclass(frozen=True, kw_only=True)
class TaggingTable(SeedsTable):
    """Rows of counted tags, and rows of runs."""

    def rows(self, found: Mapping[str, Runs], data: Path | None) -> Iterator[results.Row]:
        for tags in COMMONEST:
            yield from self._counted(tags, data)
        yield from super().rows(found, data)

    def _counted(self, tags: Tags, data: Path | None) -> Iterator[results.Row]:
        where = self.entries[0].run.data
        splits = replace(where, tags=tags, path=data or where.path).load()
        floor = most_frequent_tag(splits["train"], splits["test"], COMMONEST[tags])
        shares = {"": floor.right / floor.words, UNKNOWN: floor.unknown_right / floor.unknown}
        for which, share in shares.items():
            yield results.measured(
                f"{FLOOR}, {tags.upper()}{which}",
                "accuracy",
                {0: 100.0 * share},
                unit="%",
                better="higher",
                selection=COUNTED,
                note=f"unknown words are {COMMONEST[tags]}",
            )

    def notes(
        self, entry: Entry, figure: Figure, runs: Runs, values: Mapping[int, float]
    ) -> Iterator[str]:
        yield from super().notes(entry, figure, runs, values)
        yield interval_note(list(values.values()))


def dmn_tagging() -> TaggingTable:
    """A DMN tags English words (UD English-EWT), beside every word's most frequent tag."""
    upos = tagging()
    runs = {
        "UPOS": upos,
        "UPOS, words only": replace(upos, model=replace(upos.model, spelling=False)),
        "XPOS": replace(upos, data=replace(upos.data, tags="xpos")),
    }
    return TaggingTable(
        title="Parts of speech by a DMN, accuracy of words (UD English-EWT, half of dev)",
        data="UD English-EWT, the odd sentences of dev",
        split_name="half of dev",
        entries=tuple(_entry(row, run) for row, run in runs.items()),
        figures=(
            Figure(metric="accuracy", words="accuracy"),
            Figure(row=UNKNOWN, metric="accuracy_unknown", words="accuracy"),
        ),
        selection="epoch by the other half of dev; mean over all seeds",
        contrasts=(("UPOS", "UPOS, words only"),),
    )


def _entry(row: str, run: Tagging) -> Entry:
    return Entry(row=row, run=run, targets={"accuracy": TARGET} if row == "UPOS" else {})


TABLES = {
    "dmn-tagging": dmn_tagging,
}
