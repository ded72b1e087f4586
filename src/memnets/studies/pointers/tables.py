"""Hulls, triangulations, tours and sorting by pointer networks, with the paper's baselines beside.

Every row has as many updates of as many sets as the rows that it is compared with; validation sets
choose the weights, test sets of the same sizes are reported, the same ones for every run.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from memnets.data.geometry import have_failed
from memnets.experiments.jobs import Runs
from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.experiments.tables import interval_note
from memnets.studies.pointers import recipes
from memnets.studies.pointers.recipes import Pointers

PAPER = "Vinyals et al. 2015"
HULLS, TOURS, TRIANGLES = f"{PAPER}, Table 1", f"{PAPER}, Table 2", f"{PAPER}, section 4.3"


@dataclass(frozen=True, kw_only=True)
class PointersTable(SeedsTable):
    """Rows that say FAIL where the paper does: of too many outputs that are no polygons."""

    def notes(
        self, entry: Entry, figure: Figure, runs: Runs, values: Mapping[int, float]
    ) -> Iterator[str]:
        yield from super().notes(entry, figure, runs, values)
        if figure.metric.partition("area")[1]:
            valid = figure.metric.replace("area", "valid")
            shares = [ran.metrics["test"][valid] for ran in runs.done.values()]
            mean = sum(share or 0.0 for share in shares) / len(shares)
            if have_failed(mean):
                lost = f"{1 - mean:.1%} of the outputs"
                yield f"FAIL: {lost} are no simple polygons, and have no area"
        yield interval_note(list(values.values()))


def _hull(size: int, accuracy: float | None = None, area: float | None = None) -> list[Figure]:
    """Return the figures of hulls of a size, with the paper's."""
    source = HULLS if accuracy or area else None
    known = {"accuracy": accuracy, "area": area, "beam_accuracy": None, "beam_area": None}
    return [
        Figure(metric=f"{name}_{size}", words=f"{_WORDS[name]}, n = {size}", published=value,
               source=source if value else None)
        for name, value in known.items()
    ]  # fmt: skip


_WORDS = {
    "accuracy": "same polygon",
    "area": "area covered",
    "beam_accuracy": "same polygon, beam of 3",
    "beam_area": "area covered, beam of 3",
}


def _named(row: str, figures: list[Figure], **targets: float) -> tuple[Figure, ...]:
    """Return figures as the rows of an entry."""
    return tuple(
        replace(one, row=f"{row}: {one.words}", target=targets.get(one.metric)) for one in figures
    )


def _entry(row: str, run: Pointers, figures: list[Figure], **targets: float) -> Entry:
    return Entry(row=row, run=run, figures=_named(row, figures, **targets))


def _with(run: Pointers, **model: Any) -> Pointers:
    return replace(run, model=replace(run.model, **model))


def pointers_hull() -> PointersTable:
    """Convex hulls of 5 and of 10 points, and of 5 to 50 tested at other sizes."""
    five, ten, sizes = recipes.hull(), recipes.hull_10(), recipes.hull_sizes()
    mixed = [
        *_hull(5, 92.0, 99.6), *_hull(10, 87.0, 99.8), *_hull(50, 69.6, 99.9),
        *_hull(100, 50.3, 99.9), *_hull(200, 22.1, 99.9),
    ]  # fmt: skip
    best = {"accuracy_10": 60.0, "area_10": 99.0}
    lstm = "LSTM, n = 10"
    return PointersTable(
        title="Convex hulls by pointers, and by indices of a fixed vocabulary",
        data="points, uniform in the unit square",
        generated=True,
        entries=(
            _entry("pointer, n = 5", five, _hull(5), accuracy_5=85.0, area_5=99.0),
            _entry("pointer, n = 10", ten, _hull(10), **best),
            _entry("attention, n = 10", _with(ten, decoder="attention"), _hull(10)),
            _entry(lstm, _with(ten, decoder="lstm"), _hull(10, 29.9)),
            _entry("study notes' form, n = 10", _with(ten, decoder="notes"), _hull(10)),
            _entry("pointer, n = 5 to 50", sizes, mixed),
        ),
        contrasts=(
            (f"pointer, n = 10: {_WORDS['accuracy']}, n = 10", f"attention, n = 10: {_AT_TEN}"),
            (f"attention, n = 10: {_AT_TEN}", f"{lstm}: {_AT_TEN}"),
            (f"pointer, n = 10: {_AT_TEN}", f"study notes' form, n = 10: {_AT_TEN}"),
        ),
        split_name="test, 1,000 sets a size; of 5 to 50 points 300",
    )


_AT_TEN = f"{_WORDS['accuracy']}, n = 10"


def pointers_tasks() -> PointersTable:
    """Triangulations of 5 points, shortest tours of 5 and 10 cities, and sorting.

    The published figures of triangulations are of corners by number.
    """

    def tour(size: int, published: float) -> list[Figure]:
        longer = Figure(metric=f"length_{size}", words="length", unit="", better="lower")
        found = [replace(longer, published=published, source=TOURS)]
        found += [replace(longer, metric=f"beam_length_{size}", words="length, beam of 3")]
        found += [replace(longer, metric=f"best_{size}", words="length of the shortest")]
        for name, words in (("excess", "longer"), ("beam_excess", "longer, beam of 3")):
            found.append(Figure(metric=f"{name}_{size}", words=f"{words}", better="lower"))
        for name, words in (("valid", "valid"), ("valid_unruled", "valid where anything is said")):
            found.append(Figure(metric=f"{name}_{size}", words=words))
        return found

    triangles = [
        Figure(metric="accuracy_5", words="all triangles", published=80.7, source=TRIANGLES),
        Figure(metric="triangles_5", words="triangles", published=93.0, source=TRIANGLES),
        Figure(metric="beam_accuracy_5", words="all triangles, beam of 3"),
        Figure(metric="beam_triangles_5", words="triangles, beam of 3"),
    ]
    numbers = [
        Figure(metric="accuracy_5", words="all in order"),
        Figure(metric="beam_accuracy_5", words="all in order, beam of 3"),
    ]
    within = {"excess": 3.0, "beam_excess": 3.0}
    ends = {size: {f"{name}_{size}": most for name, most in within.items()} for size in (5, 10)}
    return PointersTable(
        title="Triangulations, tours and sorting by pointers",
        data="points, uniform in the unit square",
        generated=True,
        entries=(
            _entry("Delaunay, n = 5", recipes.delaunay(), triangles, triangles_5=85.0),
            _entry("Delaunay by number, n = 5", recipes.delaunay_by_number(), triangles),
            _entry("tour, n = 5", recipes.tours(), tour(5, 2.12), **ends[5]),
            _entry("tour, n = 10", recipes.tours_10(), tour(10, 2.88), **ends[10]),
            _entry("sorting, n = 5", recipes.sorting(), numbers),
        ),
        contrasts=(("Delaunay, n = 5: triangles", "Delaunay by number, n = 5: triangles"),),
        split_name="test, 1,000 sets a size",
    )


TABLES = {
    "pointers-hull": pointers_hull,
    "pointers-tasks": pointers_tasks,
}
