"""How much of a knowledge base is read again from documents that were written of it.

Miller et al. (2016) read triples from Wikipedia; their triples relate the subject and the object of
about 56 % of the facts. Ours are read from texts written by templates, which is much easier.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memnets import results
from memnets.data import official
from memnets.data.facts import Triple
from memnets.data.qa import wikimovies
from memnets.data.qa.wikimovies.documents import LADDER, Style, write_about
from memnets.experiments.jobs import Job
from memnets.experiments.tables import COMMAND, PlannedTable
from memnets.files import sha256
from memnets.kb.documents.extraction import ExtractedTriple, extract, matched
from memnets.kb.store.layouts import Find, read


@dataclass(frozen=True, kw_only=True)
class ExtractionTable(PlannedTable):
    """Texts that are read; no run fills a row.

    Args:
        title: of the table.
        styles: how the texts of each row are written.
        every: one of so many movies is written about.
    """

    title: str
    styles: Mapping[str, Style]
    every: int

    def stages(self, name: str, root: Path, data: Path | None, only: str) -> Iterator[list[Job]]:
        return iter(())

    def collect(
        self, name: str, root: Path, data: Path | None, before: results.Table | None = None
    ) -> results.Table:
        find = wikimovies.load_entities(data).mentions
        file = official.find("wikimovies", ("kb_triples.txt",), data)
        facts = _sampled(wikimovies.load_triples(data), self.every)
        return results.Table(
            name=name,
            command=f"{COMMAND} {name}",
            config={"every": self.every},
            data=results.Data(f"WikiMovies, every {self.every}th movie", sha256(file), "all facts"),
            rows=tuple(
                row
                for label, style in self.styles.items()
                for row in _rows(label, style, facts, find)
            ),
        )


def wikimovies_extraction() -> ExtractionTable:
    """Facts of WikiMovies read again from documents written of them, rung by rung."""
    return ExtractionTable(title="Facts read from synthesised documents", styles=LADDER, every=17)


def _sampled(triples: Sequence[Triple], every: int) -> list[Triple]:
    facts = list(dict.fromkeys(triples))
    movies = set(list(dict.fromkeys(fact.subject for fact in facts))[::every])
    return [fact for fact in facts if fact.subject in movies]


def _rows(label: str, style: Style, facts: Sequence[Triple], find: Find) -> Iterator[results.Row]:
    statements: list[ExtractedTriple] = []
    for document in write_about(facts, style):
        texts = [sentence.text for sentence in document.sentences]
        statements += extract(read(document.title, texts, find))
    figures: Mapping[str, Callable[[], float]] = {
        "facts that a statement matches": lambda: matched(statements, facts),
        "statements that match a fact": lambda: _right(statements, facts),
    }
    for metric, figure in figures.items():
        yield results.measured(
            label,
            metric,
            {0: 100 * figure()},
            unit="%",
            better="higher",
            selection="nothing is learnt",
            note=f"{len(facts):,} facts, {len(statements):,} statements",
        )


def _right(statements: Sequence[ExtractedTriple], facts: Sequence[Triple]) -> float:
    related = {frozenset((fact.subject, fact.object)) for fact in facts}
    right = sum(frozenset((one.subject, one.object)) in related for one in statements)
    return right / max(len(statements), 1)
