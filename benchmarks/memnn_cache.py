"""MemNN answering from cached embeddings, and from a memory that is embedded at every answer.

    python benchmarks/memnn_cache.py      writes results/bench-memnn-cache.json

The memory holds texts. Every way numbers and embeds the question, scores all texts, and must find
the same one. The texts' vectors come from an `EmbeddingCache`, or are made anew: from the texts, or
from their numbered words. What writing the cache costs is noted.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch
import tyro
from rich.console import Console
from torch import Tensor

from memnets import results
from memnets.data.worlds.statements import StatementWorld
from memnets.layers.bag_features import embed_bags
from memnets.memories.texts import EmbeddingCache
from memnets.models.memnn import Matching
from memnets.ops.bags import NIL
from memnets.report.tables import Terminal
from timing import compare

STATEMENT, QUESTION = 0, 1
"""The roles of a word."""


@dataclass(frozen=True)
class Options:
    """Time MemNN's answers from cached embeddings against embedding the memory anew."""

    sizes: tuple[int, ...] = (10, 100, 1_000, 10_000)
    """Texts in the memory."""
    dim: int = 50
    """Width of an embedding, bAbI's."""
    repeats: int = 31
    """Pairs of a comparison."""
    threads: int = 1
    """Threads of both."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""


class Scorer:
    """s_O of MemNN over texts."""

    def __init__(self, texts: Sequence[str], dim: int) -> None:
        words = dict.fromkeys(word for text in texts for word in text.split())
        self.numbers = {word: number for number, word in enumerate(words, start=1)}
        self.match = Matching(dim, nonlinear=True).build(len(words) + 1, roles=2)

    def number(self, texts: Sequence[str]) -> Tensor:
        """Return the bags of texts; a word that is unknown is nil."""
        bags = [[self.numbers.get(word, NIL) for word in text.split()] for text in texts]
        longest = max(map(len, bags))
        return torch.tensor([bag + [NIL] * (longest - len(bag)) for bag in bags])

    def embed(self, texts: Sequence[str]) -> Tensor:
        return self.embed_bags(self.number(texts))

    def embed_bags(self, bags: Tensor, role: int = STATEMENT) -> Tensor:
        return self.match.embed(embed_bags(bags, self.match.features.table(), [role])[0])

    def best(self, question: str, vectors: Tensor) -> int:
        """Return the text that the question prefers."""
        asked = self.embed_bags(self.number([question]), QUESTION)
        return int((vectors @ asked[0]).argmax())


@torch.no_grad()
def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write the figures."""
    options = tyro.cli(Options, description=__doc__, args=arguments)
    bench = results.Benchmark(
        name="memnn-cache",
        command="python benchmarks/memnn_cache.py",
        config={"sizes": list(options.sizes), "dim": options.dim, "repeats": options.repeats},
        rows=tuple(row for size in options.sizes for row in rows(size, options)),
    )
    path = results.write(bench, options.results or results.results_folder())
    Console().print(Terminal(bench), f"\n{path}", sep="\n")


def rows(size: int, options: Options) -> Iterator[results.BenchRow]:
    """Compare the cache with both ways to do without, on a memory of one size."""
    texts, question = told(size)
    torch.manual_seed(0)
    scorer = Scorer(texts, options.dim)
    bags = scorer.number(texts)
    cache = EmbeddingCache(scorer.embed, scorer.match)
    began = time.perf_counter()
    memory = cache.write(texts)
    note = f"written once in {1e3 * (time.perf_counter() - began):.2f} ms"

    def answer(vectors: Callable[[], Tensor]) -> Callable[[], int]:
        return lambda: scorer.best(question, vectors())

    ways = {
        "texts numbered and embedded anew": lambda: scorer.embed(texts),
        "bags embedded anew": lambda: scorer.embed_bags(bags),
    }
    for name, vectors in ways.items():
        compared = compare(
            f"{size:,} texts, {name}",
            answer(lambda: cache.read(memory)),
            answer(vectors),
            baseline_name=name,
            same=lambda mine, theirs: mine == theirs,
            repeats=options.repeats,
            threads=options.threads,
            note=note,
        )
        yield replace(compared, metric="time of an answer (ms)")


def told(size: int) -> tuple[list[str], str]:
    """Return the texts of a memory, and a question about one of them."""
    world = StatementWorld(size, names=size, words=size, relations=100)
    (asked,) = world.questions(1, seed=1)
    return [" ".join(words) for words in world.texts()], " ".join(asked.words)


if __name__ == "__main__":
    main()
