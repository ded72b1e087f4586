"""Whether a server stays as it is: memory and open files while it is asked for a long time.

    python benchmarks/serve_soak.py --minutes 60      writes results/bench-serve-soak.json

A run and a small knowledge base are served by one process and asked without a pause, while the
knowledge base is built anew again and again. Memory and open files at the end stand beside those
after the first tenth of the time.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import statistics
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import tyro
from rich.console import Console

import memnets
from memnets import results
from memnets.report.tables import Terminal
from serve import RECIPE
from serving import asked_of, figure, load, server, write_bodies
from serving import memnets as ours
from timing import ratio_interval

NAME = "serve-soak"
FILMS = [f"Film {number}" for number in range(200)]
SAMPLES = 7
"""Looks at the beginning, and at the end, that are compared."""
FIGURES = {
    "memory": ("process_resident_memory_bytes", "memory (MB)", 1e-6),
    "open files": ("process_open_fds", "open files", 1.0),
}


@dataclass(frozen=True)
class Options:
    """Ask for a long time."""

    minutes: float = 60.0
    """How long."""
    rebuilt: float = 30.0
    """Seconds from one building of the knowledge base to the next."""
    connections: int = 16
    """That ask each thing at once."""
    run: Path | None = None
    """Run that is served; by default the quick start's is trained."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""


def main(arguments: Sequence[str] | None = None) -> None:
    options = tyro.cli(Options, description=__doc__, args=arguments)
    with tempfile.TemporaryDirectory() as folder:
        bench = measure(options, Path(folder))
    path = results.write(bench, options.results or results.results_folder())
    Console().print(Terminal(bench))
    print(path)


def measure(options: Options, folder: Path) -> results.Benchmark:
    run = options.run or folder / "quickstart"
    if options.run is None:
        memnets.train(RECIPE, out=run, show=False)
    kb = memnets.build_kb(facts(0), folder / "films.kb").train(questions=1000, show=False)
    stories = write_bodies(asked_of(run), folder / "stories.jsonl")
    questions = [{"question": f"who directed {film}?"} for film in FILMS]
    questions = write_bodies(questions, folder / "questions.jsonl")
    begun, ended = time.monotonic(), threading.Event()
    built = [0]

    def rebuild() -> None:
        while not ended.wait(options.rebuilt):
            built[0] += 1
            memnets.build_kb(facts(built[0]), kb.path)

    with server(*ours(f"stories={run}", f"films={kb.path}")) as address:
        looks: list[dict[str, float]] = []
        answered = [0, 0]

        def ask(number: int, name: str, bodies: Path) -> None:
            seconds = 60 * options.minutes / 100
            while not ended.is_set():
                how = {"connections": options.connections, "seconds": seconds, "warmup": 0}
                answered[number] += load(address, name, bodies, **how)["requests"]

        threads = [
            threading.Thread(target=rebuild),
            threading.Thread(target=ask, args=(0, "stories", stories)),
            threading.Thread(target=ask, args=(1, "films", questions)),
        ]
        for thread in threads:
            thread.start()
        while time.monotonic() < begun + 60 * options.minutes:
            time.sleep(60 * options.minutes / 200)
            looks.append({name: figure(address, FIGURES[name][0]) for name in FIGURES})
        ended.set()
        for thread in threads:
            thread.join()
    note = f"{sum(answered):,} requests answered, {built[0]:,} times built anew"
    kept = ("results", "run")
    config = {name: value for name, value in asdict(options).items() if name not in kept}
    return results.Benchmark(
        name=NAME,
        command=f"python benchmarks/serve_soak.py --minutes {options.minutes:g}",
        config=config,
        rows=tuple(row(name, looks, note) for name in FIGURES),
    )


def facts(number: int) -> list[tuple[str, str, str]]:
    return [(film, "directed_by", f"Director {number} {place}") for place, film in enumerate(FILMS)]


def row(name: str, looks: Sequence[dict[str, float]], note: str) -> results.BenchRow:
    """Compare the last looks with those after a tenth of the time."""
    _, metric, unit = FIGURES[name]
    first = len(looks) // 10
    values: list[Any] = [unit * look[name] for look in looks]
    late, early = values[-SAMPLES:], values[first : first + SAMPLES]
    ratio, low, high = ratio_interval(list(zip(late, early, strict=True)))
    grown = statistics.median(late) / statistics.median(early) - 1
    return results.BenchRow(
        row=name,
        metric=metric,
        measured=statistics.median(late),
        baseline=statistics.median(early),
        baseline_name="after a tenth of the time",
        ratio=ratio,
        ratio_interval=(low, high),
        repeats=len(late),
        commit=results.commit(),
        created=results.now(),
        machine=results.machine(),
        note=f"{note}; grown by {grown:.2%}",
    )


if __name__ == "__main__":
    main()
