"""How often the sentence that answers stands first, among three, among ten. Imports no torch."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from memnets import results
from memnets.data.qa.placed import PlacedQuestion
from memnets.experiments.jobs import Job
from memnets.experiments.tables import COMMAND, MINUS, PlannedTable
from memnets.kb.documents.docstore import LOOKED_AT, DocStore
from memnets.kb.documents.ranking import Fields, bm25, rarity
from memnets.kb.documents.stems import SMALL, plain_words
from memnets.studies.documents.asking import (
    CHOOSING,
    FIGURES,
    FOLDER,
    LEARNING,
    REPORTING,
    Heard,
    crossed,
    digest,
    handbook,
    hear,
    learn,
    read_questions,
)
from memnets.studies.documents.reading import documents_facts

Ranks = Sequence[int | None]
WORDS, STEMS, WEIGHED = "words of sentence and title", "stems, headings and file", "re-ranked"
DRAWN = 10_000
"""So often questions and seeds are drawn anew for an interval."""


@dataclass(frozen=True, kw_only=True)
class DocumentsTable(PlannedTable):
    """Ranks of the sentences that answer; what is learnt takes a moment, so no run fills a row.

    Args:
        title: of the table.
        sources: folder of documents and questions.
        seeds: draws, with replacement, of the questions that are learnt from.
    """

    title: str
    sources: Path = FOLDER
    seeds: int = 5

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        return iter(())

    def collect(
        self, name: str, root: Path, data: Path | None, before: results.Table | None = None
    ) -> results.Table:
        folder = data or self.sources
        choosing, reporting = (read_questions(folder / file) for file in (CHOOSING, REPORTING))
        taught = [one for file in LEARNING for one in read_questions(folder / file)]
        with handbook(folder) as store:
            heard = hear(store, taught)
            rows = (
                *self._chosen(store, choosing, heard),
                *self._reported(store, reporting, heard),
            )
        return results.Table(
            name=name,
            command=f"{COMMAND} {name}",
            config={"seeds": self.seeds},
            data=results.Data(
                f"{len(store)} sentences of an invented town",
                digest(folder, *LEARNING, REPORTING),
                "questions apart",
            ),
            rows=rows,
        )

    def _chosen(
        self, store: DocStore, questions: Sequence[PlacedQuestion], heard: Sequence[Heard]
    ) -> Iterator[results.Row]:
        said = f"chosen by, {len(questions)} questions: "
        yield from _rows(said + WORDS, {0: _by_words(store, questions)}, UNLEARNT)
        found = heard[: len(questions)]  # the questions to choose by come first
        yield from _rows(said + STEMS, {0: [one.rank() for one in found]}, UNLEARNT)
        ranks = crossed(heard)[: len(questions)]
        yield from _rows(said + WEIGHED, {0: ranks}, "learnt from questions about other files")

    def _reported(
        self, store: DocStore, questions: Sequence[PlacedQuestion], heard: Sequence[Heard]
    ) -> Iterator[results.Row]:
        said = f"reported, {len(questions)} questions: "
        found = hear(store, questions)
        plain = [one.rank() for one in found]
        ranks = {seed: _drawn(found, heard, seed) for seed in range(self.seeds)}
        yield from _rows(said + WORDS, {0: _by_words(store, questions)}, UNLEARNT)
        yield from _rows(said + STEMS, {0: plain}, UNLEARNT)
        learnt = f"{len(heard)} questions about other files, drawn with replacement"
        yield from _rows(said + WEIGHED, ranks, learnt)
        every = learn(heard)
        whole = f"all {len(heard)} questions about other files: as it comes"
        yield from _rows(
            f"{said}{WEIGHED}, as shipped", {0: [one.rank(every) for one in found]}, whole
        )
        yield from _gained(said, plain, ranks)


def documents() -> DocumentsTable:
    """Sentences of an invented handbook, asked for in a stranger's words."""
    return DocumentsTable(title="The sentence that answers, among those of a handbook")


UNLEARNT = "nothing is learnt"
TABLES = {"documents": documents, "documents-facts": documents_facts}


def _drawn(found: Sequence[Heard], heard: Sequence[Heard], seed: int) -> list[int | None]:
    """Return ranks by weights of questions that a seed draws."""
    drawn = np.random.default_rng(seed).integers(len(heard), size=len(heard))
    weights = learn(heard[place] for place in drawn)
    return [one.rank(weights) for one in found]


def _rows(row: str, ranks: Mapping[int, Ranks], selection: str) -> Iterator[results.Row]:
    for metric, counts in FIGURES.items():
        share = metric != "MRR"
        values = {
            seed: (100 if share else 1) * float(np.mean([counts(rank) for rank in of]))
            for seed, of in ranks.items()
        }
        unit = "%" if share else ""
        yield results.measured(row, metric, values, unit=unit, better="higher", selection=selection)


def _gained(said: str, plain: Ranks, ranks: Mapping[int, Ranks]) -> Iterator[results.Row]:
    """Yield what re-ranking gains; intervals are of other questions and other draws to learn by."""
    generator = np.random.default_rng(0)
    for metric, counts in FIGURES.items():
        scale = 1 if metric == "MRR" else 100
        before = np.array([counts(rank) for rank in plain])
        gains = scale * np.array([[counts(rank) for rank in of] for of in ranks.values()]) - (
            scale * before
        )
        low, high = np.percentile(_means_of_draws(gains, generator), [2.5, 97.5])
        digits = 1 if scale == 100 else 3
        yield results.measured(
            f"{said}{WEIGHED}{MINUS}{STEMS}",
            f"difference in {metric}",
            dict(zip(ranks, gains.mean(1).tolist(), strict=True)),
            unit="%" if scale == 100 else "",
            better="higher",
            selection="mean over all seeds",
            note=f"95 % interval {low:.{digits}f} to {high:.{digits}f}",
        )


def _means_of_draws(gains: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """Return the mean gain of questions that are drawn with replacement, each time by one seed."""
    seeds, questions = gains.shape
    seed = generator.integers(seeds, size=(DRAWN, 1))
    return np.asarray(gains[seed, generator.integers(questions, size=(DRAWN, questions))].mean(1))


def _by_words(store: DocStore, questions: Sequence[PlacedQuestion]) -> list[int | None]:
    """Return ranks by BM25 over the words of a sentence and its title, as they stand."""
    places = [store.place(slot) for slot in range(len(store))]
    told = [
        Fields(tuple(plain_words(text)), (), tuple(plain_words(store.title(slot))), ())
        for slot, text in enumerate(store.sentences)
    ]
    having = Counter(word for one in told for word in {*one.own, *one.title})
    mean = sum(len(one.own) for one in told) / len(told)
    found: list[int | None] = []
    for question in questions:
        words = dict.fromkeys(word for word in plain_words(question.text) if word not in SMALL)
        asked = {word: rarity(len(told), having[word]) for word in words if having[word]}
        scores = np.array([bm25(asked, one, mean) for one in told])
        right = places.index((question.file, question.line))
        order = np.argsort(-scores, kind="stable").tolist()
        rank = order.index(right) + 1
        found.append(rank if scores[right] > 0 and rank <= LOOKED_AT else None)
    return found
