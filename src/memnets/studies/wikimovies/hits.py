"""Hits at 1 on WikiMovies of runs that differ in their memory: how sure each row is."""

import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memnets.experiments.jobs import Runs
from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.experiments.tables import interval_note

HITS = "hits@1"


@dataclass(frozen=True, kw_only=True)
class Hits(Figure):
    """A share of the questions answered rightly.

    Args:
        asked: the metric that says how many questions this is a share of; the row then tells how
            sure so many make it.
    """

    words: str = HITS
    asked: str = ""


@dataclass(frozen=True, kw_only=True)
class HitsTable(SeedsTable):
    """Hits at 1 of several memories."""

    data: str = "WikiMovies, official dev questions divided by template and by entity"
    seeds: int = 5
    selection: str = "mean over all seeds, last update of every run"
    selection_of_differences: str = selection

    def notes(
        self, entry: Entry, figure: Figure, runs: Runs, values: Mapping[int, float]
    ) -> Iterator[str]:
        """Tell how far the mean is from what other seeds, and other questions, would give."""
        yield from super().notes(entry, figure, runs, values)
        shares = list(values.values())
        interval = interval_note(shares)
        if not isinstance(figure, Hits) or not figure.asked:
            yield interval
            return
        asked = int(next(iter(runs.done.values())).metrics["test"][figure.asked])
        low, high = wilson(statistics.fmean(shares) / 100, asked)
        yield f"{asked:,} questions"
        yield f"{interval} over seeds" if statistics.pstdev(shares) else ""
        yield f"{100 * low:.1f} to {100 * high:.1f} over questions"


def wilson(share: float, number: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of so many questions (Wilson's score)."""
    z = 1.959964
    middle = (share + z * z / (2 * number)) / (1 + z * z / number)
    half = (
        z / (1 + z * z / number) * (share * (1 - share) / number + (z / (2 * number)) ** 2) ** 0.5
    )
    return max(0.0, middle - half), min(1.0, middle + half)
