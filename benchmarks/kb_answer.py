"""A whole answer from a knowledge base of two million facts, and where its time goes.

    python benchmarks/kb_answer.py      writes results/bench-kb-answer.json

A question is cut into words, the store finds candidates, their facts are read from disk and
numbered, and a KV-MemNN of two hops reads them and ranks the objects. Its weights are as they were
drawn: learnt ones cost the same. Every step stands beside the whole answer, timed in the same run.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import torch
import tyro
from rich.console import Console

from kb import told
from memnets import results
from memnets.data.worlds.statements import StatementWorld
from memnets.kb import PAPER, Store, build, name_words
from memnets.memories.keyvalue import KeyValues, Ragged
from memnets.models.kv_memnn import KVMemNN
from memnets.report.tables import Terminal
from timing import ratio_interval

NAME = "kb-answer"
WHOLE = "the whole answer"
METRIC = "time a question, median (ms)"
BUCKETS, DIM, HOPS = 2**17, 128, 2


@dataclass(frozen=True)
class Options:
    """Time a whole answer, step by step.

    Raises:
        ValueError: too few repeats to give an interval.
    """

    facts: int = 2_000_000
    """How many are generated."""
    questions: int = 300
    """How many are asked."""
    repeats: int = 7
    """How often."""
    seed: int = 0
    """Of the facts."""
    folder: Path | None = None
    """Where to build; by default a temporary folder."""
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
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        bench = measure(options, Path(folder))
    path = results.write(bench, options.results or results.results_folder())
    Console().print(Terminal(bench))
    print(path)


def measure(options: Options, folder: Path) -> results.Benchmark:
    torch.set_num_threads(1)
    world = StatementWorld(
        options.facts, options.seed, options.facts // 5 + 1, options.facts // 10 + 1
    )
    (folder / "facts.tsv").write_text("".join(told(world)))
    build(folder / "facts.tsv", folder / "my.kb")
    steps = steps_over(Store.open(folder / "my.kb"))
    asked = [" ".join(q.words) for q in world.questions(options.questions, seed=1)]
    taken = np.stack([timed(steps, asked) for _ in range(options.repeats + 1)])[1:]
    medians = 1e3 * np.median(taken, axis=1)  # of the questions: repeat, step
    slots = statistics.fmean(len(steps["candidates"](name_words(text))[1]) for text in asked)
    whole = 1e3 * np.median(taken.sum(axis=2), axis=1)
    slow = 1e3 * np.percentile(taken.sum(axis=2), 99)
    note = f"{slots:,.0f} slots a question; the slowest of a hundred takes {slow:.1f} ms"
    return results.Benchmark(
        name=NAME,
        command="python benchmarks/kb_answer.py",
        config={
            name: value
            for name, value in asdict(options).items()
            if name not in ("folder", "results")
        },
        rows=tuple(row(name, medians[:, n], whole, note) for n, name in enumerate(steps)),
    )


Step = Callable[[Any], Any]


def steps_over(store: Store) -> dict[str, Step]:
    """What an answer takes; each step is given what the one before it has made."""
    torch.manual_seed(0)
    model = KVMemNN(BUCKETS, DIM, HOPS).eval()

    def numbers(words: Sequence[str]) -> list[int]:
        return [crc32(word.encode()) % BUCKETS for word in words]

    def candidates(words: list[str]) -> tuple[list[str], np.ndarray]:
        return words, store.words.candidates(words, PAPER)

    def numbered(found: tuple[list[str], np.ndarray]) -> tuple[Ragged, KeyValues, list[Any]]:
        words, places = found
        slots = [store.slots[int(place)] for place in places]
        keys = Ragged.of([numbers(slot.key) for slot in slots])
        values = Ragged.of([numbers(slot.value) for slot in slots])
        return Ragged.of([numbers(words)]), KeyValues(keys, values), slots

    @torch.no_grad()
    def read(made: tuple[Ragged, KeyValues, list[Any]]) -> str | None:
        question, memory, slots = made
        state, _ = model.read(question, memory, Ragged.of([range(len(slots))]))
        scores = model.embed_answers(memory.values) @ state[0]
        return slots[int(scores.argmax())].value[0] if slots else None

    return {
        "words of the question": name_words,
        "candidates": candidates,
        "their facts from disk": numbered,
        "reading and ranking": read,
    }


def timed(steps: dict[str, Step], questions: Sequence[str]) -> np.ndarray:
    """Answer all questions; return the seconds of every question and step."""
    seconds = np.empty((len(questions), len(steps)))
    for number, passed in enumerate(questions):
        began = [time.perf_counter()]
        for step in steps.values():
            passed = step(passed)
            began.append(time.perf_counter())
        seconds[number] = [end - begin for begin, end in pairwise(began)]
    return seconds


def row(name: str, step: np.ndarray, whole: np.ndarray, note: str) -> results.BenchRow:
    ratio, low, high = ratio_interval(list(zip(step.tolist(), whole.tolist(), strict=True)))
    return results.BenchRow(
        row=name,
        metric=METRIC,
        measured=statistics.median(step.tolist()),
        baseline=statistics.median(whole.tolist()),
        baseline_name=WHOLE,
        ratio=ratio,
        ratio_interval=(low, high),
        repeats=len(step),
        commit=results.commit(),
        created=results.now(),
        machine=f"{results.machine()}, 1 thread",
        note=note,
    )


if __name__ == "__main__":
    main()
