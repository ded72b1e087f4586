"""DMN+ on pictures beside what needs no picture, no attention, or another order."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from memnets.experiments.jobs import Runs
from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.experiments.tables import interval_note
from memnets.studies.visual_questions.recipes import VisualQuestions, easy_vqa, sort_of_clevr

SEEDS = 3
CLEVR = {
    "relational": "questions of one object and the others right",
    "non_relational": "questions of one object right",
    "closest": "shapes of closest objects right",
    "furthest": "shapes of furthest objects right",
    "count": "numbers of objects of one shape right",
}
EASY = {
    "accuracy": "questions right",
    "yes_no": "questions of yes or no right",
    "open": "other questions right",
    "shape": "shapes right",
    "colour": "colours right",
}
BESIDE = {"prior/": "without the picture", "shuffled/": "with another picture"}
LOOKED = {
    "place": "a random region is on what the question names",
    "named/1": "the region read most in hop 1 is",
    "named/2": "in hop 2",
    "meant/2": "the region read most in hop 2 is on what is asked for",
    "meant/3": "in hop 3",
    "moved/2": "hop 2 reads another region most than hop 1",
}


@dataclass(frozen=True, kw_only=True)
class VisualTable(SeedsTable):
    """Rows with the interval of their mean."""

    def notes(
        self, entry: Entry, figure: Figure, runs: Runs, values: Mapping[int, float]
    ) -> Iterator[str]:
        yield from super().notes(entry, figure, runs, values)
        yield interval_note(list(values.values()))

    def names(self, entry: Entry) -> tuple[str, ...]:
        return (entry.row,)


def entry(
    row: str,
    run: VisualQuestions,
    kinds: Mapping[str, str],
    targets: Mapping[str, float | None] | None = None,
    looks: bool = False,
) -> Entry:
    """Return runs of a configuration, with figures of their kinds of questions.

    Args:
        row: its name.
        run: what is trained.
        kinds: of questions, with their words.
        targets: to be reached, by kind, or None; beside these figures the controls stand.
        looks: whether it is reported where each hop looks.
    """
    aims, figures = targets or {}, []
    for kind, words in kinds.items():
        name = f"{row}, {kind}"
        figures.append(Figure(metric=kind, words=words, row=name, target=aims.get(kind)))
        for begins, how in BESIDE.items() if kind in aims else ():
            metric = begins.removesuffix("/") if kind == "accuracy" else f"{begins}{kind}"
            figures.append(Figure(metric=metric, words=f"{words}, {how}", row=f"{row}, {metric}"))
    for metric, words in LOOKED.items() if looks else ():
        figures.append(Figure(metric=metric, words=words, row=f"{row}, {metric}"))
    return Entry(row=row, run=run, figures=tuple(figures))


def _with_model(run: VisualQuestions, **changed: object) -> VisualQuestions:
    return replace(run, model=replace(run.model, **changed))  # type: ignore[arg-type]


def sort_of_clevr_table() -> VisualTable:
    """Relational and other questions: the attention GRU, a sum, rows in place of the snake."""
    run = sort_of_clevr()
    aims = {"relational": 75.0, "non_relational": 95.0}
    few = {name: CLEVR[name] for name in ("relational", "non_relational")}
    return VisualTable(
        title="Questions about six coloured objects",
        data="sort-of-CLEVR, generated",
        entries=(
            entry("DMN+", run, CLEVR, aims, looks=True),
            entry("rows", _with_model(run, order="rows"), few),
            entry("sum", _with_model(run, attention="sum"), few),
            entry("no attention", _with_model(run, attention="none"), few),
        ),
        seeds=SEEDS,
        generated=True,
        selection="mean over all seeds; epoch by validation pictures",
        contrasts=(
            ("DMN+, relational", "rows, relational"),
            ("DMN+, relational", "sum, relational"),
            ("DMN+, relational", "no attention, relational"),
        ),
    )


def easy_vqa_table() -> VisualTable:
    """easy-VQA by kind of question, beside what needs no picture."""
    run = easy_vqa()
    few = {name: EASY[name] for name in ("accuracy", "yes_no")}
    return VisualTable(
        title="Questions about one coloured shape",
        data="easy-VQA",
        entries=(
            entry("DMN+", run, EASY, {"accuracy": 85.0, "yes_no": 88.0, "open": None}),
            entry("no attention", _with_model(run, attention="none"), few),
        ),
        seeds=SEEDS,
        selection="mean over all seeds; epoch by training pictures that are held back",
        contrasts=(("DMN+, accuracy", "no attention, accuracy"),),
    )


TABLES = {"visual-questions": sort_of_clevr_table, "visual-questions-easy-vqa": easy_vqa_table}
