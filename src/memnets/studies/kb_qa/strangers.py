"""Questions that strangers typed, to knowledge bases that a model has learnt from their facts."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from memnets import results
from memnets.data.qa.asked import AskedQuestion, read_asked
from memnets.data.qa.judged import ALL, Tally, tallies
from memnets.experiments.jobs import FinishedRun, Job, Runs
from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.experiments.tables import row_of
from memnets.files import read_json, write_json
from memnets.kb.questions.judged import Given, judge
from memnets.kb.questions.matching import StringMatcher
from memnets.kb.questions.synonyms import read_synonyms
from memnets.kb.store.from_table import build_table
from memnets.kb.store.store import Store, build
from memnets.studies.kb_qa.data import KBData
from memnets.studies.kb_qa.recipes import KBQA, KBAnswerer, KBQATraining

KINDS = (
    *("plain", "typed", "ambiguous", "synonyms", "reversed", "two hops", "counting"),
    *("comparing", "negating", "joining", "yes or no"),
)
UNANSWERABLE = ("no such name", "no such fact", "no such relation", "not a question")
MATCHING = "string matching"
ASKED = "asked.json"
"""What the folder of a run holds of the answers that it gave to the questions."""
FAILED: Given = ("(failed)",), 0.0
"""What is taken for the answer to a question at which answering fails."""
WORDNET = Path("/usr/share/wordnet")
"""Where the system's package puts WordNet's files."""
PLACE = Path("examples") / "strangers"
"""Where facts and questions are, in a checkout of the repository."""


class Help(NamedTuple):
    """What tells which words, or which questions, mean nearly the same."""

    words: str
    """With which the rows are told apart."""
    kept: str
    """What the folder of a run holds of the answers that it gave with this help."""
    find: Callable[[], Path | None]
    """Returns where it is, if it is there."""


def find_wordnet() -> Path | None:
    """Return the folder of WordNet's files, if they are installed."""
    return WORDNET if WORDNET.is_dir() else None


HELPS = (Help(", with WordNet", "asked-with-wordnet.json", find_wordnet),)


@dataclass(frozen=True, kw_only=True)
class StrangersTable(SeedsTable):
    """Rows of questions that were typed by hand, by their kind, beside matching of strings.

    Facts are built into knowledge bases beside the runs; when a run has ended, it is asked.
    """

    sources: Path = PLACE
    wide: tuple[str, ...] = ()
    """Rows whose file has a row an entity, and not a row a fact."""
    helped: tuple[Help, ...] = ()
    """With what all runs are asked again; those rows are not run where it is missing."""

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        for jobs in super().stages(name, root, data, only):
            for run in (job.run for job in jobs):
                assert isinstance(run, KBQA)
                assert run.data.path
                self._build(run.data.path, data)
            yield jobs

    def jobs(self, entry: Entry, name: str, root: Path, data: Path | None) -> list[Job]:
        path = root / name / f"{entry.row}.kb"
        there = replace(entry, run=replace(entry.run, data=replace(entry.run.data, path=path)))
        return super().jobs(there, name, root, None)

    def possible_runs(self, entry: Entry, seed: int, data: Path | None) -> Iterator[Any]:
        with TemporaryDirectory() as folder:
            path = Path(folder) / f"{entry.row}.kb"
            self._build(path, data)
            there = replace(entry, run=replace(entry.run, data=replace(entry.run.data, path=path)))
            yield from super().possible_runs(there, seed, None)

    def _build(self, path: Path, data: Path | None) -> None:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            file = self._file(data, f"{path.stem}.csv")
            (build_table if path.stem in self.wide else build)(file, path)

    def _file(self, data: Path | None, name: str) -> Path:
        path = (data or self.sources) / name
        if not path.is_file():
            raise FileNotFoundError(
                f"{path}: no such file. Run this in a checkout of the repository, or name the "
                f"folder of {name} with --data."
            )
        return path

    def collect(
        self, name: str, root: Path, data: Path | None, before: results.Table | None = None
    ) -> results.Table:
        table = super().collect(name, root, data, before)
        known = {} if before is None else {(row.row, row.metric): row for row in before.rows}
        return replace(table, rows=(*table.rows, *self._matched(root / name, data, known)))

    def rows(self, found: Mapping[str, Runs], data: Path | None) -> Iterator[results.Row]:
        yield from super().rows(self._all_asked(found, data, None), data)
        for by in self.helped:
            asked = self._all_asked(found, data, by)
            entries = [
                replace(one, row=one.row + by.words, targets={"synonyms": HELPED})
                for one in self.entries
            ]
            again = replace(self, entries=tuple(entries), helped=())
            yield from SeedsTable.rows(again, {r + by.words: of for r, of in asked.items()}, data)

    def notes(
        self, entry: Entry, figure: Figure, runs: Runs, values: Mapping[int, float]
    ) -> Iterator[str]:
        yield from super().notes(entry, figure, runs, values)
        failed = [one.metrics[self.split].get("failed", 0.0) for one in runs.done.values()]
        if figure.metric == "wrong" and any(failed):
            yield f"answering fails at {100 * fmean(failed):.1f} %, which count as wrong"

    def _all_asked(
        self, found: Mapping[str, Runs], data: Path | None, by: Help | None
    ) -> dict[str, Runs]:
        asked = dict(found)
        path = by.find() if by else None
        for row, runs in found.items():
            done = runs.done.items() if path or not by else ()
            kept = by.kept if by else ASKED
            told = {seed: self._asked(one, row, data, kept, path) for seed, one in done}
            asked[row] = runs._replace(done=told)
        return asked

    def _asked(
        self, ran: FinishedRun, row: str, data: Path | None, name: str, synonyms: Path | None
    ) -> FinishedRun:
        """Return a run with what it answered; it is asked the first time, which is kept."""
        kept = ran.folder.path / name
        if not kept.exists():
            known = None if synonyms is None else read_synonyms(synonyms)
            answerer = KBAnswerer(ran.run, ran.folder.path, synonyms=known)

            def ask(question: str) -> Given:
                answer = answerer.understand(question)
                return answer.objects, answer.probability

            write_json(kept, figures_of(self._questions(row, data), ask))
        told = {**ran.metrics, self.split: read_json(kept)}
        return ran._replace(result={**ran.result, "metrics": told})

    def _questions(self, row: str, data: Path | None) -> list[AskedQuestion]:
        return read_asked(self._file(data, f"{row}.questions.tsv"))

    def _matched(
        self, folder: Path, data: Path | None, known: Mapping[tuple[str, str], results.Row]
    ) -> Iterator[results.Row]:
        """Yield what matching of strings answers; nothing is learnt, so there is one figure."""
        for entry in self.entries:
            path, values = folder / f"{entry.row}.kb", {}
            if path.exists():
                values = _by_strings(path, self._questions(entry.row, data))
            for figure in self.figures:
                told = {} if not values else {0: 100 * values[figure.metric]}
                described = {**figure.described, "target": None}
                name = f"{entry.row}, {MATCHING}"
                if not told and (name, figure.words) in known:  # asked elsewhere
                    yield known[name, figure.words]
                    continue
                yield row_of(
                    name, figure.words, told, commits=(), whole=True,
                    selection="nothing is learnt", **described,
                )  # fmt: skip


def _by_strings(path: Path, questions: list[AskedQuestion]) -> dict[str, float]:
    matcher = StringMatcher(Store.open(path))
    return figures_of(questions, lambda question: (matcher.ask(question), 1.0))


def figures_of(questions: list[AskedQuestion], ask: Callable[[str], Given]) -> dict[str, float]:
    """Return shares of questions: right by kind, and of all wrong, and wrong though sure.

    Nothing is answered to a question without words. One at which `ask` fails is answered wrongly:
    it should have been declined at least, and the others are to be asked.

    Args:
        questions: with their kinds and right answers.
        ask: returns what is answered, and how probable it is.
    """
    failed = []

    def given(question: str) -> Given:
        try:
            return ask(question)
        except (LookupError, TypeError, ValueError):
            failed.append(question)
            return FAILED

    rows = {tally.kind: tally for tally in tallies(judge(questions, given))}
    found = {kind: _share(rows, (kind,), "right") for kind in KINDS}
    found["declined"] = _share(rows, UNANSWERABLE, "right")
    found["refused"] = _share(rows, KINDS, "declined")
    found["failed"] = len(failed) / len(questions)
    return found | {name: _share(rows, (ALL,), name) for name in ("right", "wrong", "sure")}


def _share(rows: Mapping[str, Tally], kinds: tuple[str, ...], name: str) -> float:
    some: list[Any] = [rows[kind] for kind in kinds if kind in rows]
    return sum(getattr(row, name) for row in some) / max(1, sum(row.asked for row in some))


TARGETS = {
    **{"plain": 95.0, "typed": 90.0, "synonyms": 60.0, "reversed": 90.0, "two hops": 80.0},
    **dict.fromkeys(("counting", "comparing", "negating"), 75.0),
}
HELPED = 80.0
"""What is to be reached of synonyms where WordNet or vectors help."""
FIGURES = (
    *(Figure(metric=kind, words=f"right: {kind}", target=TARGETS.get(kind)) for kind in KINDS),
    Figure(metric="declined", words="unanswerable, and declined", target=92.0),
    Figure(metric="refused", words="answerable, but declined", better="lower", target=5.0),
    Figure(metric="right", words="right, of all"),
    Figure(metric="wrong", words="wrong, of all", better="lower"),
    Figure(metric="sure", words="wrong, and told above 90 %", better="lower", target=2.0),
)


def strangers() -> StrangersTable:
    """Questions typed in a stranger's words, to eight knowledge bases.

    All were written by somebody who did not know how questions are understood. Those of theatre and
    workshop report: they were not read, and nothing was mended or fitted by them. The others were
    read to mend the parser, and the weighing is fitted to them among others.
    """
    names = ("theatre", "workshop", "kitchen", "league", "museum", "lands", "railway", "seeds")
    run = KBQA(data=KBData(held_out=False), training=KBQATraining(questions=8000))
    return StrangersTable(
        title="Eight knowledge bases, asked in a stranger's words",
        data=f"{', '.join(names[:-1])} and {names[-1]}, questions typed by hand",
        entries=tuple(Entry(row=row, run=run) for row in names),
        figures=FIGURES,
        seeds=5,
        helped=HELPS,
        wide=("workshop", "kitchen", "seeds"),
        selection="mean over all seeds; questions about theatre and workshop were not read; "
        "those about the others were read to mend the parser",
    )
