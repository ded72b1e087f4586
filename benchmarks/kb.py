"""A knowledge base of two million generated facts: building it, finding candidates, nearest keys.

    python benchmarks/kb.py                      writes results/bench-kb.json
    python benchmarks/kb.py --facts 14000000     ours alone, as large as FB2M; another file

Build is from a TSV file on disk to an index that opens. Ours makes all of a knowledge base: facts,
two slots each, names, words and aliases, with its C++ compiled before; tantivy one document a fact,
of the words of its subject and object, in a thread of its own beside the one that reads. A
candidate is a fact whose subject or object shares with the question a word that fewer than 1,000
have. All engines must find the same: ours counts slots and the others facts, so questions with a
word between are left out.
"""

import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from importlib import import_module, metadata
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import tyro
from rich.console import Console

from candidates import PERCENTILES, Built, ask, bench_row
from candidates_engines import (
    MAX_DF,
    Engine,
    Lookup,
    open_tantivy,
    tantivy_index,
    tantivy_version,
    timed,
)
from memnets import results
from memnets.data.worlds.statements import StatementWorld
from memnets.kb import PAPER, Store, build
from memnets.kb.index.strings import LIBRARY
from memnets.memories.nearest import exact
from memnets.report.tables import Terminal
from timing import compare

NAME, FACTS, ALONE = "kb", 2_000_000, 14_000_000
OURS = "memnets"
KEYS, DIM, MOST = 1_000_000, 128, 10
BATCHES = (1, 64)


@dataclass(frozen=True)
class Options:
    """Time a knowledge base beside other engines.

    Raises:
        ValueError: too few repeats to give an interval.
    """

    facts: int = FACTS
    """How many are generated."""
    questions: int = 1000
    """How many are asked."""
    repeats: int = 7
    """Interleaved measurements of all engines."""
    builds: int = 7
    """Interleaved builds; 1 for no rows about building."""
    keys: int = KEYS
    """Among how many the nearest are searched; 0 for no row about it."""
    seed: int = 0
    """Of the facts."""
    folder: Path | None = None
    """Where to build; by default a temporary folder."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""

    def __post_init__(self) -> None:
        if self.repeats < 7 or self.builds not in (1, *range(7, 100)):
            raise ValueError(
                f"repeats={self.repeats}, builds={self.builds}: expected 7 or more of each, or "
                f"builds=1 for no rows about building. Fewer give no interval worth printing."
            )

    @property
    def name(self) -> str:
        return NAME if self.facts == FACTS else f"{NAME}-{self.facts}"


def main(arguments: Sequence[str] | None = None) -> None:
    options = tyro.cli(Options, description=__doc__, args=arguments)
    LIBRARY.available()  # compiled once on a machine, and not while it is timed
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        bench = measure(options, Path(folder))
    path = results.write(bench, options.results or results.results_folder())
    Console().print(Terminal(bench))
    print(path)


def measure(options: Options, folder: Path) -> results.Benchmark:
    world = StatementWorld(
        options.facts, options.seed, options.facts // 5 + 1, options.facts // 10 + 1
    )
    lines = folder / "facts.tsv"
    with lines.open("w") as file:
        file.writelines(told(world))
    alone = options.facts >= ALONE
    engines = {name: ENGINES[name] for name in ENGINES if name == OURS or not (alone or away(name))}
    built = {name: [] for name in engines}
    for repeat in range(1 if alone else options.builds):
        for name in engines if repeat % 2 == 0 else reversed(engines):
            built[name].append(built_once(name, lines, folder))
    lookups, notes = {}, {}
    for name, engine in engines.items():
        began = time.perf_counter()
        lookups[name] = engine.open(folder / name)
        notes[name] = said(name, built[name], time.perf_counter() - began)
    questions = clear(world, options.questions, Store.open(folder / OURS))
    hits = same_facts(lookups, questions)
    times = ask(lookups, questions, options.repeats)
    rows = []
    for name in list(engines)[1:]:
        note = f"{hits:,.0f} facts a question; {notes[OURS]}; {notes[name]}"
        if options.builds > 1:
            took = [np.array([one.seconds for one in built[side]]) for side in (OURS, name)]
            rows.append(bench_row(f"build beside {name}", "time (s)", *took, engines[name], note))
        for label, share in PERCENTILES.items():
            mine, theirs = (
                1e3 * np.percentile(times[side], share, axis=1) for side in (OURS, name)
            )
            metric, what = "time of a lookup (ms)", f"{label} beside {name}"
            rows.append(bench_row(what, metric, mine, theirs, engines[name], note))
    if options.keys and not alone:
        rows += nearest(options)
    config = asdict(options) | {"max_df": PAPER.max_df, "ours": notes[OURS]}
    config["p50 and p99, ms"] = [
        float(np.median(1e3 * np.percentile(times[OURS], share, axis=1)))
        for share in PERCENTILES.values()
    ]
    del config["results"], config["folder"]
    command = "python benchmarks/kb.py"
    command += "" if options.name == NAME else f" --facts {options.facts}"
    return results.Benchmark(name=options.name, command=command, config=config, rows=tuple(rows))


def away(name: str) -> bool:
    """Whether a peer is not installed, which is said."""
    try:
        import_module(ENGINES[name].needs or "memnets")
    except ModuleNotFoundError as error:
        print(f"{name} is left out: {error.name} is not installed", file=sys.stderr)
        return True
    return False


def told(world: StatementWorld) -> Iterator[str]:
    """The facts of a world, a line each."""
    names = [" ".join(world.name(number)) for number in range(len(world.named))]
    for first in range(0, world.statements, 10_000):
        for subject, relation, _, item in world.facts[first : first + 10_000].tolist():
            yield f"{names[subject]}\trelation_{relation}\t{names[item]}\n"


def built_once(name: str, lines: Path, folder: Path) -> Built:
    """Build in a process of its own."""
    target = folder / name
    shutil.rmtree(target, ignore_errors=True)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
        seconds, peak = alone.submit(timed, ENGINES[name].build, lines, target).result()
    disk = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    return Built(seconds, peak / 1e6, disk / 1e6)


def said(name: str, built: list[Built], opened: float) -> str:
    last = built[-1]
    return (
        f"{name}: built with {last.peak_mb:,.0f} MB in {last.seconds:.1f} s, "
        f"{last.disk_mb:,.0f} MB on disk, opened in {1e3 * opened:.1f} ms"
    )


def clear(world: StatementWorld, count: int, store: Store) -> list[tuple[str, ...]]:
    """Questions in which no word is frequent by one count and rare by the other."""
    asked = (question.words for question in world.questions(2 * count, seed=1))
    found = [
        words
        for words in asked
        if not any(MAX_DF <= store.words.frequency(word) < 2 * MAX_DF for word in words)
    ]
    return found[:count]


def same_facts(lookups: dict[str, Lookup], questions: Sequence[Sequence[str]]) -> float:
    """Check that all engines find the same; return how many facts a question.

    Raises:
        ValueError: two engines differ.
    """
    found = 0
    for question in questions:
        facts = {name: set(map(int, lookup(question))) for name, lookup in lookups.items()}
        facts[OURS] = {slot // 2 for slot in facts[OURS]}
        for name, other in facts.items():
            if other != facts[OURS]:
                raise ValueError(
                    f"{name} finds {len(other)} facts for {' '.join(question)!r}; expected the "
                    f"{len(facts[OURS])} that ours finds. One of the two is wrong."
                )
        found += len(facts[OURS])
    return found / len(questions)


def nearest(options: Options) -> list[results.BenchRow]:
    """Exact search beside faiss's, in keys without clusters, which are the hardest."""
    import faiss
    import torch

    generator = torch.Generator().manual_seed(options.seed)
    keys = torch.randn(options.keys, DIM, generator=generator)
    queries = torch.randn(max(BATCHES), DIM, generator=generator)
    faiss.omp_set_num_threads(1)
    flat = faiss.IndexFlatIP(DIM)
    flat.add(keys.numpy())
    search = exact(keys)

    def beside(batch: int) -> results.BenchRow:
        some = queries[:batch]
        return compare(
            f"nearest {MOST} of {options.keys:,} keys, {batch} at once",
            lambda: search(some, MOST).places,
            lambda: torch.from_numpy(flat.search(some.numpy(), MOST)[1]),
            baseline_name=f"faiss-cpu {metadata.version('faiss-cpu')}, Flat",
            same=torch.equal,
            repeats=options.repeats,
            note=f"width {DIM}, normal, no clusters",
        )

    return [beside(batch) for batch in BATCHES]


def build_ours(lines: Path, folder: Path) -> None:
    build(lines, folder)


def open_ours(folder: Path) -> Lookup:
    words = Store.open(folder).words
    return lambda question: words.candidates(question, PAPER)


def build_tantivy(lines: Path, folder: Path) -> None:
    tantivy = import_module("tantivy")
    folder.mkdir()
    writer = tantivy_index(folder).writer(heap_size=1_000_000_000, num_threads=1)
    with lines.open() as file:
        for number, line in enumerate(file):
            subject, _, item = line[:-1].split("\t")
            document = tantivy.Document()
            document.add_text("words", subject)
            document.add_text("words", item)
            document.add_unsigned("number", number)
            writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()


def build_duckdb(lines: Path, folder: Path) -> None:
    """Postings of the rarer words, sorted by word, so that it can pass over blocks."""
    folder.mkdir()
    with duckdb_at(folder) as connection:
        connection.execute(
            "create temp table facts as select row_number() over () - 1 as fact, * from "
            "read_csv(?, delim='\t', header=false, quote='', columns="
            "{'subject': 'text', 'relation': 'text', 'object': 'text'})",
            [str(lines)],
        )
        connection.execute(
            "create temp table said as select distinct fact::integer as fact, "
            "unnest(string_split(subject || ' ' || object, ' ')) as word from facts"
        )
        connection.execute(
            f"create table postings as select word, fact from said where word in "
            f"(select word from said group by word having count(*) < {MAX_DF}) order by word, fact"
        )


def open_duckdb(folder: Path) -> Lookup:
    connection = duckdb_at(folder)

    def lookup(question: Sequence[str]) -> list[int]:
        marks = ",".join("?" * len(question))
        found = connection.execute(
            f"select distinct fact from postings where word in ({marks})", list(question)
        )
        return found.fetchnumpy()["fact"].tolist()

    return lookup


def duckdb_at(folder: Path):
    connection = import_module("duckdb").connect(str(folder / "postings.duckdb"))
    connection.execute("set threads = 1")
    return connection


ENGINES: dict[str, Engine] = {
    OURS: Engine(build_ours, open_ours, lambda: "memnets"),
    "tantivy": Engine(build_tantivy, open_tantivy, tantivy_version, "tantivy"),
    "duckdb": Engine(
        build_duckdb, open_duckdb, lambda: f"DuckDB {metadata.version('duckdb')}", "duckdb"
    ),
}

if __name__ == "__main__":
    main()
