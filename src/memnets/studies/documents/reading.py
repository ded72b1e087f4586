"""How much of a handbook becomes facts, how many are right, and what questions they may answer."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from memnets import results
from memnets.data.rows import decoded, numbered, wrong
from memnets.experiments.jobs import Job
from memnets.experiments.tables import COMMAND, PlannedTable
from memnets.kb.documents.docstore import DocStore
from memnets.kb.documents.extraction import extract
from memnets.kb.documents.facts import LEAST, facts, stated
from memnets.studies.documents.asking import (
    CHOOSING,
    FOLDER,
    REPORTING,
    digest,
    handbook,
    read_questions,
)

JUDGED = "facts.tsv"
"""Facts that were judged by hand."""
VERDICTS = {"right": True, "wrong": False}
Triple = tuple[str, str, str]


class ReadFacts(NamedTuple):
    """What was read in one way."""

    triples: Collection[Triple]
    sentences: frozenset[int]
    """That it was read from."""


@dataclass(frozen=True, kw_only=True)
class FactsTable(PlannedTable):
    """Facts that are read from documents; nothing is trained.

    Args:
        title: of the table.
        sources: folder of documents, questions and judged facts.
    """

    title: str
    sources: Path = FOLDER

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        return iter(())

    def collect(
        self, name: str, root: Path, data: Path | None, before: results.Table | None = None
    ) -> results.Table:
        folder = data or self.sources
        files = CHOOSING, REPORTING
        asked = {(one.file, one.line) for file in files for one in read_questions(folder / file)}
        with handbook(folder) as store:
            ways = _ways(store)
            answers = [slot for slot in range(len(store)) if store.place(slot) in asked]
            sentences = len(store)
        judged = read_judged(folder / JUDGED)
        return results.Table(
            name=name,
            command=f"{COMMAND} {name}",
            config={"least": LEAST},
            data=results.Data(
                f"{sentences} sentences of an invented town",
                digest(folder, *files, JUDGED),
                "all facts",
            ),
            rows=tuple(
                row
                for way, read in ways.items()
                for row in _rows(way, read, sentences, answers, judged)
            ),
        )


def documents_facts() -> FactsTable:
    """Facts read from an invented handbook, as clauses state them and in canonical form."""
    return FactsTable(title="Facts read from the sentences of a handbook")


def read_judged(path: Path) -> dict[Triple, bool]:
    """Read facts that were judged: columns' names, then subject, relation, object and a verdict.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a row is bad; the text names file and line.
    """
    found: dict[Triple, bool] = {}
    for row, data in numbered(path):
        cells = decoded(data).split("\t")
        if row == 1:
            continue
        if len(cells) != 4 or cells[3] not in VERDICTS:
            complaint = wrong("\t".join(cells), "subject\trelation\tobject\tright or wrong")
            raise ValueError(f"{path}:{row}: {complaint}")
        subject, relation, item, verdict = cells
        found[subject, relation, item] = VERDICTS[verdict]
    return found


def _ways(store: DocStore) -> dict[str, ReadFacts]:
    raw: dict[Triple, None] = {}
    sentences: set[int] = set()
    before = 0
    for reading in store.readings():
        for one in extract(reading):
            raw[one.subject, "_".join(one.relation), one.object] = None
            sentences.add(before + one.origin.sentence)
        before += len(reading.sentences)
    found = {"as clauses state them": ReadFacts(raw, frozenset(sentences))}
    every = facts(stated(store.readings()))
    for way, least in (("canonical", 0.0), (f"canonical, {LEAST:g} likely at least", LEAST)):
        kept = [one for one in every if one.confidence >= least]
        from_where = frozenset(sentence for one in kept for sentence in one.sentences)
        found[way] = ReadFacts([one[:3] for one in kept], from_where)
    return found


def _rows(
    way: str,
    read: ReadFacts,
    sentences: int,
    answers: Sequence[int],
    judged: Mapping[Triple, bool],
) -> Iterator[results.Row]:
    figures: list[tuple[str, float, str]] = [
        ("facts", len(read.triples), ""),
        ("relations", len({relation for _, relation, _ in read.triples}), ""),
        ("sentences that were read", 100 * len(read.sentences) / sentences, "%"),
        (
            "sentences that answer a question, and were read",
            100 * len(read.sentences & set(answers)) / max(1, len(answers)),
            "%",
        ),
    ]
    if all(one in judged for one in read.triples):
        right = sum(judged[one] for one in read.triples) / max(1, len(read.triples))
        figures.append(("right, as judged by hand", 100 * right, "%"))
    for metric, value, unit in figures:
        yield results.measured(
            way,
            metric,
            {0: float(value)},
            unit=unit,
            better="lower" if metric == "relations" else "higher",
            selection="nothing is learnt",
        )
