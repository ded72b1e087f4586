"""The engines that benchmarks/candidates.py compares: how each builds, opens, looks up.

Each leaves out words of 1,000 statements or more by its own frequencies. What is not ours is set up
as it is fastest for this question, as far as we found: the docstrings say how.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module, metadata
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from memnets.kb import PAPER, Index, building

OURS = "memnets"
MAX_DF = PAPER.max_df or 0

Lookup = Callable[[Sequence[str]], Sequence[int]]
"""From the words of a question to the numbers of statements."""


class Engine(NamedTuple):
    """One way to find statements by their words."""

    build: Callable[[Path, Path], None]
    """Make an index of a text file, a statement a line, in a folder."""
    open: Callable[[Path], Lookup]
    version: Callable[[], str]
    needs: str | None = None
    """The package that it needs."""
    counts_only: bool = False
    """It says how many statements there are, and not which."""


def timed(make: Callable[[Path, Path], None], lines: Path, target: Path) -> tuple[float, int]:
    """Return the seconds that building takes, and the most memory that was used, in bytes."""
    import resource  # POSIX only

    began = time.perf_counter()
    make(lines, target)
    seconds = time.perf_counter() - began
    return seconds, 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def build_ours(lines: Path, folder: Path) -> None:
    with lines.open() as file, building(folder) as builder:
        builder.add(line.split() for line in file)


def open_ours(folder: Path) -> Lookup:
    index = Index.open(folder)
    return lambda question: index.candidates(question, PAPER)


def build_tantivy(lines: Path, folder: Path) -> None:
    """Words split at white space, document numbers only, and one thread."""
    tantivy = import_module("tantivy")
    folder.mkdir()
    writer = tantivy_index(folder).writer(heap_size=1_000_000_000, num_threads=1)
    with lines.open() as file:
        for number, line in enumerate(file):
            document = tantivy.Document()
            document.add_text("words", line)
            document.add_unsigned("number", number)
            writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def tantivy_index(folder: Path) -> Any:
    tantivy = import_module("tantivy")
    schema = tantivy.SchemaBuilder()
    schema.add_text_field("words", tokenizer_name="split", index_option="basic")
    schema.add_unsigned_field("number", fast=True)
    index = tantivy.Index(schema.build(), path=str(folder))
    split = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer("split", split)
    return index


def open_tantivy(folder: Path) -> Lookup:
    """A constant score, which spares it the ranking, and as many places as there can be hits."""
    tantivy, query, searcher = tantivy_query(folder)
    if searcher.num_segments == 1:

        def numbers(hits: list[Any]) -> list[int]:
            return [address.doc for _, address in hits]
    else:

        def numbers(hits: list[Any]) -> list[int]:
            return searcher.fast_field_values("number", [address for _, address in hits])

    def lookup(question: Sequence[str]) -> list[int]:
        wanted, most = query(question)
        if not most:
            return []
        alike = tantivy.Query.const_score_query(wanted, 1.0)
        return numbers(searcher.search(alike, limit=most, count=False).hits)

    return lookup


def open_tantivy_counting(folder: Path) -> Lookup:
    """What is left of its time when no number is handed to Python."""
    tantivy, query, searcher = tantivy_query(folder)

    def lookup(question: Sequence[str]) -> range:
        wanted, most = query(question)
        alike = tantivy.Query.const_score_query(wanted, 1.0)
        return range(searcher.search(alike, limit=1, count=True).count if most else 0)

    return lookup


def tantivy_query(folder: Path) -> tuple[Any, Callable[[Sequence[str]], tuple[Any, int]], Any]:
    tantivy, index = import_module("tantivy"), tantivy_index(folder)
    searcher, schema, should = index.searcher(), index.schema, tantivy.Occur.Should

    def query(question: Sequence[str]) -> tuple[Any, int]:
        """The query, and how many hits it can have."""
        terms, most = [], 0
        for word in dict.fromkeys(question):
            frequency = searcher.doc_freq("words", word)
            if 0 < frequency < MAX_DF:
                term = tantivy.Query.term_query(schema, "words", word, "basic")
                terms.append((should, term))
                most += frequency
        return tantivy.Query.boolean_query(terms), most

    return tantivy, query, searcher


def connect(folder: Path) -> sqlite3.Connection:
    folder.mkdir(exist_ok=True)
    connection = sqlite3.connect(folder / "index.sqlite")
    connection.execute("pragma journal_mode = off")
    connection.execute("pragma synchronous = off")
    connection.execute("pragma mmap_size = 4000000000")
    return connection


def build_fts5(lines: Path, folder: Path) -> None:
    """SQLite's own inverted index: no content, no positions; frequencies in a table beside it."""
    connection = connect(folder)
    options = "content='', detail=none, columnsize=0, tokenize='ascii'"
    connection.execute(f"create virtual table statements using fts5(words, {options})")
    with lines.open() as file:
        connection.executemany(
            "insert into statements(rowid, words) values (?, ?)", enumerate(file)
        )
    connection.execute("insert into statements(statements) values ('optimize')")
    connection.execute("create virtual table terms using fts5vocab(statements, row)")
    connection.execute("create table frequency(word text primary key, df integer) without rowid")
    connection.execute("insert into frequency select term, doc from terms")
    connection.commit()
    connection.close()


def open_fts5(folder: Path) -> Lookup:
    connection = connect(folder)

    def lookup(question: Sequence[str]) -> list[int]:
        marks = ",".join("?" * len(question))
        rare = connection.execute(
            f"select word from frequency where word in ({marks}) and df < {MAX_DF}", question
        ).fetchall()
        if not rare:
            return []
        wanted = " OR ".join(f'"{word}"' for (word,) in rare)
        found = connection.execute(
            "select rowid from statements where statements match ?", (wanted,)
        )
        return list(chain.from_iterable(found))

    return lookup


def build_rows(lines: Path, folder: Path) -> None:
    """One row a word and statement, clustered by word."""
    connection = connect(folder)
    numbers: dict[str, int] = {}
    counts: list[int] = []

    def pairs() -> Iterator[tuple[int, int]]:
        with lines.open() as file:
            for slot, line in enumerate(file):
                for word in dict.fromkeys(line.split()):
                    number = numbers.setdefault(word, len(numbers))
                    if number == len(counts):
                        counts.append(0)
                    counts[number] += 1
                    yield number, slot

    connection.execute("create table waiting(word integer, slot integer)")
    connection.executemany("insert into waiting values (?, ?)", pairs())
    connection.execute(
        "create table postings(word integer, slot integer, primary key (word, slot)) without rowid"
    )
    connection.execute("insert into postings select word, slot from waiting order by word, slot")
    connection.execute("drop table waiting")
    connection.execute(
        "create table words(word text primary key, number integer, df integer) without rowid"
    )
    connection.executemany(
        "insert into words values (?, ?, ?)",
        ((word, number, counts[number]) for word, number in sorted(numbers.items())),
    )
    connection.commit()
    connection.execute("vacuum")
    connection.close()


def open_rows(folder: Path) -> Lookup:
    connection = connect(folder)

    def lookup(question: Sequence[str]) -> list[int]:
        marks = ",".join("?" * len(question))
        rare = connection.execute(
            f"select number from words where word in ({marks}) and df < {MAX_DF}", question
        ).fetchall()
        wanted = ",".join(str(number) for (number,) in rare)
        found = connection.execute(f"select distinct slot from postings where word in ({wanted})")
        return list(chain.from_iterable(found))

    return lookup


def tantivy_version() -> str:
    return f"tantivy {metadata.version('tantivy')}"


def sqlite_version() -> str:
    return f"SQLite {sqlite3.sqlite_version}"


ENGINES = {
    OURS: Engine(build_ours, open_ours, lambda: "memnets"),
    "tantivy": Engine(build_tantivy, open_tantivy, tantivy_version, "tantivy"),
    "tantivy-counting": Engine(
        build_tantivy, open_tantivy_counting, tantivy_version, "tantivy", counts_only=True
    ),
    "sqlite-rows": Engine(build_rows, open_rows, lambda: f"{sqlite_version()}, rows"),
    "sqlite-fts5": Engine(build_fts5, open_fts5, lambda: f"{sqlite_version()}, FTS5"),
}


def absent(name: str) -> str | None:
    """Say why an engine cannot be used; None where it can."""
    needs = ENGINES[name].needs
    if needs is None:
        return None
    try:
        import_module(needs)
    except ModuleNotFoundError:
        return f"the package {needs} is not installed (pip install {needs})"
    return None
