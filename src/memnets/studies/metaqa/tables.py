"""Questions of one, two and three hops (MetaQA), beside words counted and the published figures.

The epoch of a run is chosen by questions of one half of dev, and the other half is reported, whose
templates are others. The published figures are of the official test questions, after training on
the official training questions of as many hops, whose templates are the same.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memnets import results
from memnets.experiments.jobs import Runs
from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.experiments.tables import interval_note
from memnets.studies.metaqa.data import HOPS
from memnets.studies.metaqa.overlap import answered_by_words
from memnets.studies.metaqa.recipes import paths, paths_and_one_hop

PUBLISHED = {1: 96.2, 2: 82.7, 3: 48.9}
SOURCE = "Sun et al. 2019, KV-Mem, recalled; official test, learnt from the official training side"
TARGETS = {1: 95.0, 2: 90.0, 3: 80.0}
HITS = "hits at 1"
WORDS = "words of relations, hops known"
ALONE, BESIDE = "synthesised paths", "synthesised paths and questions of one hop"


def of_hops(hops: int) -> str:
    """Return what the name of a row ends with that is of so many hops."""
    return f", {hops} {'hop' if hops == 1 else 'hops'}"


@dataclass(frozen=True, kw_only=True)
class PathsTable(SeedsTable):
    """Rows of counted words, and rows of runs."""

    def rows(self, found: Mapping[str, Runs], data: Path | None) -> Iterator[results.Row]:
        where = self.entries[0].run.data
        sources = replace(where, path=data or where.path).load()
        for hops, share in answered_by_words(sources.facts, sources.asked["test"]).items():
            yield results.measured(
                f"{WORDS}{of_hops(hops)}",
                HITS,
                {0: 100.0 * share},
                unit="%",
                better="higher",
                selection="nothing is learnt",
                note="at each hop the slot whose relation has most words of the question",
            )
        yield from super().rows(found, data)

    def notes(
        self, entry: Entry, figure: Figure, runs: Runs, values: Mapping[int, float]
    ) -> Iterator[str]:
        yield from super().notes(entry, figure, runs, values)
        yield interval_note(list(values.values()))


def metaqa() -> PathsTable:
    """A key-value memory, hashed anew at every hop, answers questions of 1 to 3 hops (MetaQA)."""
    free = tuple(
        Figure(
            row=of_hops(hops),
            metric=f"hits_{hops}",
            words=HITS,
            published=PUBLISHED[hops],
            source=SOURCE,
            target=TARGETS[hops],
        )
        for hops in HOPS
    )
    known = tuple(
        Figure(row=f"{of_hops(hops)}, hops known", metric=f"known_{hops}", words=HITS)
        for hops in HOPS
    )
    return PathsTable(
        title="Questions of several hops by a key-value memory hashed at every hop (MetaQA)",
        data="WikiMovies' facts, MetaQA's dev questions, the half of other templates",
        split_name="half of dev",
        entries=(Entry(row=ALONE, run=paths()), Entry(row=BESIDE, run=paths_and_one_hop())),
        figures=(*free, *known),
        selection="epoch by the other half of dev; mean over all seeds",
    )


TABLES = {
    "metaqa": metaqa,
}
