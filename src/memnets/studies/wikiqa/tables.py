"""WikiQA beside Table 6 of Miller et al. (2016): words that are counted, memories that are read.

Figures are MAP and MRR over the 243 test questions that have an answer, as published; further rows
are over the 237 of which some candidate is no answer. Where candidates are equal, as most are to a
count of words, the order among them decides much: the baselines have rows for that.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from memnets import results
from memnets.data.qa.wikiqa import WikiQAQuestion, ranking
from memnets.experiments.jobs import Runs
from memnets.experiments.seeds import Entry, Figure, SeedsTable
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
class RankingTable(SeedsTable):
    """Rows of counted words, and rows of runs."""

    def checksum(self, found: Mapping[str, Runs], data: Path | None) -> str:
        return digest(self._questions(data))

    def rows(self, found: Mapping[str, Runs], data: Path | None) -> Iterator[results.Row]:
        yield from _counted(self._questions(data))
        yield from super().rows(found, data)

    def _questions(self, data: Path | None) -> Mapping[str, Sequence[WikiQAQuestion]]:
        where = self.entries[0].run.data
        return replace(where, path=data or where.path).load()


def wikiqa() -> RankingTable:
    """Answer sentences of WikiQA (Miller et al. 2016, Table 6)."""
    runs = {
        "MemNN": memnn(),
        "KV-MemNN": kv_memnn(),
        f"MemNN{PLACE}": _with_place(memnn()),
        f"KV-MemNN{PLACE}": _with_place(kv_memnn()),
    }
    return RankingTable(
        title="WikiQA, MAP and MRR (Miller et al. 2016, Table 6)",
        data="WikiQA",
        entries=tuple(Entry(row=row, run=run, **_published(row)) for row, run in runs.items()),
        figures=tuple(
            Figure(row=which, metric=metric + suffix, words=words, unit="")
            for (suffix, which), (metric, words) in product(SETS.items(), METRICS.items())
        ),
        selection=SELECTION,
        contrasts=(("KV-MemNN", "MemNN"), (f"KV-MemNN{PLACE}", f"MemNN{PLACE}")),
    )


def _with_place(run: WikiQA) -> WikiQA:
    return replace(run, model=replace(run.model, place=True))


def _counted(questions: Mapping[str, Sequence[WikiQAQuestion]]) -> Iterator[results.Row]:
    """Yield the rows of the baselines, equal candidates drawn and in the two extreme orders."""
    from memnets.studies.wikiqa.words import Rarity, weighted_word_count, word_count

    rarity = Rarity.of(questions["train"])
    test = [one for one in questions["test"] if one.answered]
    baselines: Mapping[str, Callable[[WikiQAQuestion], list[float]]] = {
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
            known = _published(row + order)
            for at, (key, metric) in enumerate(METRICS.items()):
                yield results.measured(
                    row + order,
                    metric,
                    {draw: mean[at] for draw, mean in enumerate(means)},
                    unit="",
                    better="higher",
                    selection=DRAWN if not order else COUNTED,
                    published=known.get("published", {}).get(key),
                    source=known.get("source"),
                )


def _means(
    test: Sequence[WikiQAQuestion],
    scores: Sequence[Sequence[float]],
    number: Callable[[int], float],
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


def _published(row: str) -> dict[str, Any]:
    """Return what was published of a row, by metric, and where."""
    if row not in TABLE_6:
        return {}
    average, reciprocal, recalled = TABLE_6[row]
    source = f"Miller et al. 2016, Table 6, {row}{recalled}"
    return {"published": {"map": average, "mrr": reciprocal}, "source": source}


TABLES = {
    "wikiqa": wikiqa,
}
