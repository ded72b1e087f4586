"""Translation: training beside the tutorial that is copied most, and beams beside a plain beam.

    python benchmarks/translation.py --peer CHECKOUT     writes results/bench-translation.json

CHECKOUT is bentrevett/pytorch-seq2seq. Both learn the same pairs of Multi30k, as whole words that
occur twice or more, with the widths of the tutorial: forward, backward, clipping, an update of
Adam. Batches are each one's own: the tutorial's are of any lengths, ours of like ones. Luong's
models are not in the tutorial; they stand beside its only model with attention.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
import tyro
from rich.console import Console

from memnets import results
from memnets.data.pairs import END
from memnets.layers.decoding import by_length
from memnets.models.seq2seq import Seq2Seq, luong, luong_fed, modern_initial, rnnsearch
from memnets.report.tables import Terminal
from memnets.studies.translation.data import TranslationData
from memnets.tasks.numbered_pairs import NumberedPairs
from memnets.training.clipping import GlobalNorm
from memnets.training.schedules import seeded
from memnets.training.task import shuffled_by_length
from timing import compare
from translation_peer import BATCH, Peer, batches, open_peer

DIM, HIDDEN, MAXOUT = 256, 512, 256
"""The tutorial's widths; the readout is half a state wide, as in the paper."""
PAIRS = 256
"""Pairs of a measurement."""
BEAM, SENTENCES = 5, 16


@dataclass(frozen=True)
class Options:
    """Time translation beside a tutorial and a plain beam."""

    peer: Path
    """A checkout of bentrevett/pytorch-seq2seq."""
    data: Path | None = None
    """Folder of Multi30k; by default MEMNETS_DATA."""
    only: str = ""
    """Only the rows whose name has this in it; nothing is then written."""
    repeats: int = 7
    """Pairs of a comparison."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""


class Words:
    """Multi30k in numbers, and some pairs of it for both."""

    def __init__(self, folder: Path | None) -> None:
        data = TranslationData(path=folder, symbols="words", most=10_000)
        splits = data.load()
        self.source, self.target = data.vocabularies(splits["train"])
        self.train = NumberedPairs.of(splits["train"], self.source, self.target)
        draws = torch.Generator().manual_seed(0)
        self.some = torch.randperm(len(self.train.length), generator=draws)[:PAIRS]
        self.few = NumberedPairs.of(splits["test"][:SENTENCES], self.source, self.target)

    def ours(self, kind: Callable[..., Seq2Seq], **options: Any) -> Callable[[], None]:
        """Return a call that learns the pairs with a model of ours."""
        torch.manual_seed(0)
        model = kind(
            *(len(self.source), len(self.target), DIM, HIDDEN), initial=modern_initial, **options
        )
        adam = torch.optim.Adam(model.parameters(), fused=True)
        clip, pairs = GlobalNorm(1.0), self.train.take(self.some)
        lengths = torch.stack([pairs.length, pairs.said], 1)

        def learn() -> None:
            model.train()
            for rows in shuffled_by_length(lengths, BATCH, seeded(0), 0):
                batch = pairs.take(*rows)
                adam.zero_grad()
                loss = model.loss(*batch[:3]).sum() / batch.said.sum()
                loss.backward()
                clip(model)
                adam.step()

        return learn

    def theirs(self, peer: Peer) -> Callable[[], float]:
        """Return a call that learns the pairs with theirs."""
        torch.manual_seed(0)
        model = peer.model(len(self.source), len(self.target), DIM, HIDDEN)
        adam = torch.optim.Adam(model.parameters())
        return lambda: peer.learn(model, adam, list(batches(self.train, self.some)))


MODELS: dict[str, tuple[Callable[..., Seq2Seq], dict[str, Any]]] = {
    "RNNsearch": (rnnsearch, {"maxout": MAXOUT}),
    "Luong, general": (luong, {"layers": 1}),
    "Luong, general, input feeding": (luong_fed, {"layers": 1}),
}


def main() -> None:
    options = tyro.cli(Options, description=__doc__)
    words, peer = Words(options.data), open_peer(options.peer)
    plan = {f"{name} learns {PAIRS} pairs": partial(learning, name, words, peer) for name in MODELS}
    plan[f"beam of {BEAM}, {SENTENCES} sentences"] = partial(searching, words)
    rows = [row(name, options.repeats) for name, row in plan.items() if options.only in name]
    bench = results.Benchmark(
        name="translation",
        command="python benchmarks/translation.py",
        config={"repeats": options.repeats, "words": [len(words.source), len(words.target)]},
        rows=tuple(rows),
    )
    Console().print(Terminal(bench))
    if not options.only:
        path = results.write(bench, options.results or results.results_folder())
        Console().print(f"\n{path}")


def learning(name: str, words: Words, peer: Peer, row: str, repeats: int) -> results.BenchRow:
    """Time the learning of the same pairs by a model of ours and by theirs."""
    kind, sizes = MODELS[name]
    found = compare(
        row,
        words.ours(kind, **sizes),
        words.theirs(peer),
        baseline_name=peer.name,
        repeats=repeats,
        warmup=1,
    )
    said = int(words.train.said[words.some].sum())
    told = f"{1e3 * said / found.measured:,.0f} words a second beside"
    return replace(found, note=f"{told} {1e3 * said / found.baseline:,.0f}, one thread")


def searching(words: Words, row: str, repeats: int) -> results.BenchRow:
    """Time our beam beside a plain one; both give the same translations."""
    torch.manual_seed(0)
    sizes = len(words.source), len(words.target), DIM, HIDDEN
    model = rnnsearch(*sizes, maxout=MAXOUT, initial=modern_initial).eval()
    with torch.no_grad():
        model.output.weight.mul_(8.0)  # so that hypotheses are not all as likely
    few = words.few
    longest = int(few.said.max())

    def ours() -> list[list[int]]:
        found = model.translate(few.source, few.length, END, longest, BEAM, by_length(1.0))
        said = zip(found.words[:, 0].tolist(), found.lengths[:, 0].tolist(), strict=True)
        return [one[:number] for one, number in said]

    return compare(
        row,
        ours,
        lambda: [plain_beam(model, few.take(torch.tensor([n])), longest) for n in range(SENTENCES)],
        baseline_name="a beam of one sentence, a step for each hypothesis",
        same=lambda mine, theirs: mine == theirs,
        repeats=repeats,
        note="the same translations",
    )


@torch.no_grad()
def plain_beam(model: Seq2Seq, asked: NumberedPairs, longest: int) -> list[int]:
    """Search as it is usually written: hypotheses in a list, each a step of its own."""
    first = model.start(asked.source, asked.length)
    beam: list[tuple[float, list[int], Any]] = [(0.0, [], first)]
    done: list[tuple[float, list[int]]] = []
    for _ in range(longest):
        candidates = []
        for log_prob, said, state in beam:
            found = model.step(state, torch.tensor(said[-1:] or [0]))
            best = found.log_prob[0].topk(BEAM)
            candidates += [
                (log_prob + float(one), [*said, int(word)], found.state)
                for one, word in zip(best.values, best.indices, strict=True)
            ]
        candidates.sort(key=lambda one: -one[0])
        kept = candidates[: BEAM - len(done)]
        done += [one[:2] for one in kept if one[1][-1] == END]
        beam = [one for one in kept if one[1][-1] != END]
        if not beam:
            break
    every: Iterable[tuple[float, list[int]]] = [*done, *(one[:2] for one in beam)]
    return max(every, key=lambda one: one[0] / len(one[1]))[1]


if __name__ == "__main__":
    main()
