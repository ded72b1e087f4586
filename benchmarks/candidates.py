"""Candidate lookup in our index, in tantivy and in SQLite: which statements share a rarer word?

    python benchmarks/candidates.py                          writes results/bench-candidates.json
    python benchmarks/candidates.py --statements 14000000    writes another file, named after it

All engines index the same generated statements and are asked the same questions: every statement
that shares with the question a word of fewer than 1,000 statements. All must give the same numbers.
Each question is asked three times in a row, and the shortest time counts: on a busy machine the
others measure its other work. A peer that is not installed is left out, and said so.
"""

import gc
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import numpy as np
import tyro
from rich.console import Console

from candidates_engines import ENGINES, OURS, Engine, Lookup, absent, timed
from memnets import results
from memnets.data.worlds.statements import StatementWorld
from memnets.kb import PAPER
from memnets.report.tables import Terminal
from timing import ratio_interval

NAME, STATEMENTS = "candidates", 1_000_000
IN_A_ROW = 3
PERCENTILES = {"p50": 50, "p99": 99}
BUILT_IN_TURN = "tantivy"
"""The peer that building is compared with; the others are built once."""


@dataclass(frozen=True)
class Options:
    """Time candidate lookup beside other engines.

    Raises:
        ValueError: too few repeats to give an interval.
    """

    statements: int = STATEMENTS
    """How many are generated."""
    questions: int = 1000
    """How many are asked."""
    repeats: int = 7
    """Interleaved measurements of all engines."""
    builds: int = 7
    """Interleaved builds of ours and tantivy's; 1 for no row about building."""
    peers: tuple[str, ...] = tuple(name for name in ENGINES if name != OURS)
    """Whom to compare with."""
    seed: int = 0
    """Of the statements."""
    folder: Path | None = None
    """Where to build; by default a temporary folder."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""

    def __post_init__(self) -> None:
        if self.repeats < 7 or self.builds not in (1, *range(7, 100)):
            raise ValueError(
                f"repeats={self.repeats}, builds={self.builds}: expected 7 or more of each, or "
                f"builds=1 for no row about building. Fewer give no interval worth printing."
            )
        if unknown := set(self.peers) - (ENGINES.keys() - {OURS}):
            raise ValueError(
                f"peers: there is no {min(unknown)!r}; expected some of "
                f"{', '.join(name for name in ENGINES if name != OURS)}."
            )

    @property
    def name(self) -> str:
        return NAME if self.statements == STATEMENTS else f"{NAME}-{self.statements}"


class Built(NamedTuple):
    """What building cost."""

    seconds: float
    peak_mb: float
    disk_mb: float


def main(arguments: Sequence[str] | None = None) -> None:
    options = tyro.cli(Options, description=__doc__, args=arguments)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        bench = measure(options, Path(folder))
    path = results.write(bench, options.results or results.results_folder())
    Console().print(Terminal(bench))
    print(path)


def measure(options: Options, folder: Path) -> results.Benchmark:
    """Write the statements, build every engine's index, and ask."""
    left_out = {name: reason for name in options.peers if (reason := absent(name))}
    for name, reason in left_out.items():
        print(f"{name} is left out: {reason}", file=sys.stderr)
    names = [OURS, *(name for name in options.peers if name not in left_out)]
    # As many names for a statement in a small world as in a large one.
    names_drawn, words = options.statements // 5 + 1, options.statements // 10 + 1
    world = StatementWorld(options.statements, options.seed, names=names_drawn, words=words)
    lines = folder / "statements.txt"
    with lines.open("w") as file:
        file.writelines(f"{' '.join(words)}\n" for words in world.texts())
    questions = [question.words for question in world.questions(options.questions, seed=1)]
    built = {name: [build(name, lines, folder)] for name in names}
    rows = []
    if options.builds > 1 and BUILT_IN_TURN in names:
        pairs = in_turn(options.builds, lines, folder)
        built |= pairs
        rows.append(build_row(pairs))
    opened, lookups = {}, {}
    for name in names:
        began = time.perf_counter()
        lookups[name] = ENGINES[name].open(folder / name)
        opened[name] = time.perf_counter() - began
    hits = same_answers(lookups, questions)
    times = ask(lookups, questions, options.repeats)
    for name in names[1:]:
        notes = f"{hits:,.0f} candidates a question; {told(name, built[name][0], opened[name])}"
        rows += [row(name, times, label, notes) for label in PERCENTILES]
    config = asdict(options) | {"left_out": left_out, "max_df": PAPER.max_df}
    del config["results"], config["folder"]
    config["ours"] = told(OURS, built[OURS][0], opened[OURS])
    return results.Benchmark(
        name=options.name, command=command(options), config=config, rows=tuple(rows)
    )


def command(options: Options) -> str:
    text = "python benchmarks/candidates.py"
    return text if options.name == NAME else f"{text} --statements {options.statements}"


def build(name: str, lines: Path, folder: Path) -> Built:
    """Build an index in a process of its own."""
    target = folder / name
    shutil.rmtree(target, ignore_errors=True)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
        seconds, peak = alone.submit(timed, ENGINES[name].build, lines, target).result()
    disk = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    return Built(seconds, peak / 1e6, disk / 1e6)


def in_turn(builds: int, lines: Path, folder: Path) -> dict[str, list[Built]]:
    """Build ours and the peer's, the first of a pair in turn."""
    sides = [OURS, BUILT_IN_TURN]
    found: dict[str, list[Built]] = {name: [] for name in sides}
    for repeat in range(builds):
        for name in sides if repeat % 2 == 0 else reversed(sides):
            found[name].append(build(name, lines, folder))
    return found


def same_answers(lookups: dict[str, Lookup], questions: Sequence[Sequence[str]]) -> float:
    """Check that all engines find the same; return how many a question.

    Raises:
        ValueError: two engines differ.
    """
    found = 0
    for question in questions:
        answers = {name: sorted(map(int, lookup(question))) for name, lookup in lookups.items()}
        for name, answer in answers.items():
            same = len if ENGINES[name].counts_only else list
            if same(answer) != same(answers[OURS]):
                raise ValueError(
                    f"{name} finds {len(answer)} statements for {' '.join(question)!r}; expected "
                    f"the {len(answers[OURS])} that ours finds. One of the two is wrong."
                )
        found += len(answers[OURS])
    return found / len(questions)


def ask(
    lookups: dict[str, Lookup], questions: Sequence[Sequence[str]], repeats: int
) -> dict[str, np.ndarray]:
    """Return the seconds of every question, by repeat, of each engine."""
    times = {name: np.empty((repeats, len(questions))) for name in lookups}
    gc.collect()
    gc.disable()
    try:
        for repeat in range(repeats):
            order = list(lookups) if repeat % 2 == 0 else list(reversed(lookups))
            for name in order:
                for number, question in enumerate(questions):
                    times[name][repeat, number] = shortest(lookups[name], question)
    finally:
        gc.enable()
    return times


def shortest(lookup: Lookup, question: Sequence[str]) -> float:
    best = float("inf")
    for _ in range(IN_A_ROW):
        began = time.perf_counter()
        lookup(question)
        best = min(best, time.perf_counter() - began)
    return best


def row(name: str, times: dict[str, np.ndarray], label: str, note: str) -> results.BenchRow:
    """Compare a percentile over questions, repeat by repeat."""
    ours, theirs = (np.percentile(times[n], PERCENTILES[label], axis=1) for n in (OURS, name))
    return bench_row(
        f"{label} beside {name}",
        "time of a lookup (ms)",
        1e3 * ours,
        1e3 * theirs,
        ENGINES[name],
        note,
    )


def build_row(pairs: dict[str, list[Built]]) -> results.BenchRow:
    """Compare the seconds from a text file to an index on disk."""
    ours, theirs = (np.array([b.seconds for b in pairs[n]]) for n in (OURS, BUILT_IN_TURN))
    note = (
        f"peak memory {pairs[OURS][0].peak_mb:,.0f} MB, {pairs[BUILT_IN_TURN][0].peak_mb:,.0f} MB"
    )
    engine = ENGINES[BUILT_IN_TURN]
    return bench_row(f"build beside {BUILT_IN_TURN}", "time (s)", ours, theirs, engine, note)


def bench_row(
    label: str, metric: str, ours: np.ndarray, theirs: np.ndarray, engine: Engine, note: str
) -> results.BenchRow:
    ratio, low, high = ratio_interval(list(zip(ours.tolist(), theirs.tolist(), strict=True)))
    return results.BenchRow(
        row=label,
        metric=metric,
        measured=statistics.median(ours.tolist()),
        baseline=statistics.median(theirs.tolist()),
        baseline_name=engine.version(),
        ratio=ratio,
        ratio_interval=(low, high),
        repeats=len(ours),
        commit=results.commit(),
        created=results.now(),
        machine=f"{results.machine()}, 1 thread",
        note=note,
    )


def told(name: str, built: Built, opened: float) -> str:
    """Say what an engine's index takes; how long building takes is worth saying in pairs only."""
    return (
        f"{name}: {built.disk_mb:,.0f} MB on disk, opened in {1e3 * opened:.1f} ms, "
        f"built with {built.peak_mb:,.0f} MB"
    )


if __name__ == "__main__":
    main()
