"""A question to a knowledge base as a process of its own, beside what starting Python takes.

    python benchmarks/kb_ask.py      writes results/bench-kb-ask.json

A knowledge base of a thousand facts is built and trained, as a reader of docs/ask-your-kb.md does
it. Then each of some questions is asked by a process of `memnets kb ask`, in turn with a process
that does nothing and one that imports the libraries alone.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import tyro
from rich.console import Console

from memnets import results
from memnets.inference.kb import KB, build_kb
from memnets.report.tables import Terminal
from timing import ratio_interval

FACTS = Path(__file__).parents[1] / "examples" / "films.csv"
QUESTIONS = (
    "who directed Burning Letter?",
    "who directd burnig letter",
    "when was the director of Burning Letter born",
    "how many films are dramas",
    "which film was released first",
    "what colour is Burning Letter",
)
"""A plain one, a misspelt one, one over two facts, a number, an extreme, and one without answer."""
PYTHON, LIBRARIES = "starting Python", "importing NumPy, safetensors and rich"
OTHERS = {
    PYTHON: ["-c", "pass"],
    LIBRARIES: ["-c", "import numpy, rich.console, rich.table, safetensors.numpy"],
}
METRIC = "time of a process, median (ms)"


@dataclass(frozen=True)
class Options:
    """Time a question as a process.

    Raises:
        ValueError: too few repeats to give an interval.
    """

    repeats: int = 15
    """How often each question is asked."""
    kb: Path | None = None
    """A knowledge base that is built and trained; by default one is made of examples/films.csv."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""

    def __post_init__(self) -> None:
        if self.repeats < 7:
            raise ValueError(
                f"repeats={self.repeats}: expected 7 or more. Fewer give no interval worth "
                f"printing."
            )


def main(arguments: Sequence[str] | None = None) -> None:
    options = tyro.cli(Options, description=__doc__, args=arguments)
    with tempfile.TemporaryDirectory() as folder:
        bench = measure(options, options.kb or trained(Path(folder)))
    path = results.write(bench, options.results or results.results_folder())
    Console().print(Terminal(bench))
    print(path)


def trained(folder: Path) -> Path:
    """Build a knowledge base and train it; return its folder."""
    build_kb(FACTS, folder / "films.kb")
    KB(folder / "films.kb").train()
    return folder / "films.kb"


def measure(options: Options, kb: Path) -> results.Benchmark:
    ask = [["-m", "memnets", "kb", "ask", str(kb), question] for question in QUESTIONS]
    for command in (*ask, *OTHERS.values()):
        seconds(command)  # files are read from memory from here on, and modules are compiled
    taken = [
        (seconds(command), *map(seconds, OTHERS.values()))
        for _ in range(options.repeats)
        for command in ask
    ]
    times = 1e3 * np.array(taken).reshape(options.repeats, len(QUESTIONS), 1 + len(OTHERS))
    own = np.median(times[:, :, 0] - times[:, :, 1], axis=0)
    note = (
        f"{np.median(own):.0f} ms beside starting Python; by question {own.min():.0f} to "
        f"{own.max():.0f}"
    )
    return results.Benchmark(
        name="kb-ask",
        command="python benchmarks/kb_ask.py",
        config={"repeats": asdict(options)["repeats"], "questions": list(QUESTIONS)},
        rows=tuple(row(name, times, at, note) for at, name in enumerate(OTHERS, start=1)),
    )


def seconds(command: Sequence[str]) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def row(baseline: str, times: np.ndarray, at: int, note: str) -> results.BenchRow:
    mine, theirs = np.median(times[:, :, 0], axis=1), np.median(times[:, :, at], axis=1)
    ratio, low, high = ratio_interval(list(zip(mine.tolist(), theirs.tolist(), strict=True)))
    return results.BenchRow(
        row="a question",
        metric=METRIC,
        measured=statistics.median(mine.tolist()),
        baseline=statistics.median(theirs.tolist()),
        baseline_name=baseline,
        ratio=ratio,
        ratio_interval=(low, high),
        repeats=len(times),
        commit=results.commit(),
        created=results.now(),
        machine=results.machine(),
        note=note,
    )


if __name__ == "__main__":
    main()
