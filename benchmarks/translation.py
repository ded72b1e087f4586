"""Translation: training beside the tutorial that is copied most, and beams beside a plain beam.

    python benchmarks/translation.py --peer CHECKOUT     writes results/bench-translation.json

CHECKOUT is bentrevett/pytorch-seq2seq. Both learn the same pairs of Multi30k, as whole words that
occur twice or more, with the widths of the tutorial: forward, backward, clipping, an update of
Adam. Batches are each one's own: the tutorial's are of any lengths, ours of like ones. Luong's
models are not in the tutorial; they stand beside its only model with attention. With `--minutes`
both RNNsearch learn all pairs for as long, and the BLEU of what each then says is beside the times.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any

import torch
import tyro
from rich.console import Console
from torch import nn

from memnets import results
from memnets.data.pairs import END, bleu
from memnets.layers.decoding import by_length
from memnets.models.seq2seq import Seq2Seq, luong, luong_fed, modern_initial, rnnsearch
from memnets.report.tables import Terminal
from memnets.studies.translation.data import TranslationData
from memnets.tasks.numbered_pairs import NumberedPairs, translations
from memnets.training.clipping import GlobalNorm
from memnets.training.schedules import seeded
from memnets.training.task import shuffled_by_length
from timing import compare
from translation_peer import BATCH, Peer, batches, open_peer

DIM, HIDDEN, MAXOUT = 256, 512, 256
"""The tutorial's widths; the readout is half a state wide, as in the paper."""
PAIRS = 128
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
    minutes: float = 0.0
    """Processor time that both then learn for, to have their BLEU measured; 0: none."""
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
        self.references = [pair.target for pair in splits["test"]]
        self.test = NumberedPairs.of(splits["test"], self.source, self.target)
        self.few = self.test.take(torch.arange(SENTENCES))

    def ours(self, kind: Callable[..., Seq2Seq], **options: Any) -> "Ours":
        """Return a model of ours with its first weights."""
        torch.manual_seed(0)
        sizes = len(self.source), len(self.target), DIM, HIDDEN
        model = kind(*sizes, initial=modern_initial, **options)
        return Ours(model, torch.optim.Adam(model.parameters(), fused=True))

    def theirs(self, peer: Peer) -> "Theirs":
        """Return a model of theirs with its first weights."""
        torch.manual_seed(0)
        model = peer.model(len(self.source), len(self.target), DIM, HIDDEN)
        return Theirs(peer, model, torch.optim.Adam(model.parameters()))

    def bleu(self, said: Iterable[list[int]]) -> float:
        """Return the BLEU of translations of the reported pairs, letters of both made small."""
        return bleu([self.target.text(words) for words in said], self.references, lower=True).score


@dataclass(frozen=True)
class Ours:
    """A model of ours and its optimizer."""

    model: Seq2Seq
    adam: torch.optim.Adam

    def learn(self, pairs: NumberedPairs, epoch: int = 0) -> Iterator[None]:
        """Learn some pairs, an update at a time."""
        self.model.train()
        clip, lengths = GlobalNorm(1.0), torch.stack([pairs.length, pairs.said], 1)
        updates = math.ceil(len(lengths) / BATCH)
        batched = shuffled_by_length(lengths, BATCH, seeded(0), epoch * updates)
        for rows in islice(batched, updates):
            batch = pairs.take(*rows)
            self.adam.zero_grad()
            loss = self.model.loss(*batch[:3]).sum() / batch.said.sum()
            loss.backward()
            clip(self.model)
            self.adam.step()
            yield

    def translate(self, pairs: NumberedPairs) -> list[list[int]]:
        """Say the likeliest word after word."""
        return translations(self.model.eval(), pairs, seeded(0))


@dataclass(frozen=True)
class Theirs:
    """A model of theirs and its optimizer."""

    peer: Peer
    model: nn.Module
    adam: torch.optim.Adam

    def learn(self, pairs: NumberedPairs, epoch: int = 0) -> Iterator[None]:
        """Learn some pairs, an update at a time."""
        order = torch.randperm(len(pairs.length), generator=seeded(epoch))
        for batch in batches(pairs, order):
            self.peer.learn(self.model, self.adam, [batch])
            yield

    def translate(self, pairs: NumberedPairs) -> list[list[int]]:
        """Say the likeliest word after word."""
        said = zip(pairs.source, pairs.length, strict=True)
        longest = 2 * pairs.source.shape[1]
        return [self.peer.translate(self.model, one[:number], longest) for one, number in said]


SEARCH = "RNNsearch"
MODELS: dict[str, tuple[Callable[..., Seq2Seq], dict[str, Any]]] = {
    SEARCH: (rnnsearch, {"maxout": MAXOUT}),
    "Luong, general": (luong, {"layers": 1}),
    "Luong, general, input feeding": (luong_fed, {"layers": 1}),
}


def main() -> None:
    options = tyro.cli(Options, description=__doc__)
    words, peer = Words(options.data), open_peer(options.peer)
    plan = {
        f"{name} learns {PAIRS} pairs": partial(learning, name, words, peer, options.minutes)
        for name in MODELS
    }
    plan[f"beam of {BEAM}, {SENTENCES} sentences"] = partial(searching, words)
    rows = [row(name, options.repeats) for name, row in plan.items() if options.only in name]
    bench = results.Benchmark(
        name="translation",
        command="python benchmarks/translation.py",
        config={
            "repeats": options.repeats,
            "minutes": options.minutes,
            "words": [len(words.source), len(words.target)],
        },
        rows=tuple(rows),
    )
    Console().print(Terminal(bench))
    if not options.only:
        path = results.write(bench, options.results or results.results_folder())
        Console().print(f"\n{path}")


def learning(
    name: str, words: Words, peer: Peer, minutes: float, row: str, repeats: int
) -> results.BenchRow:
    """Time the learning of the same pairs by a model of ours and by theirs."""
    kind, sizes = MODELS[name]
    some = words.train.take(words.some)
    ours, theirs = words.ours(kind, **sizes), words.theirs(peer)
    found = compare(
        row,
        lambda: list(ours.learn(some)),
        lambda: list(theirs.learn(some)),
        baseline_name=peer.name,
        repeats=repeats,
        warmup=1,
    )
    said = int(some.said.sum())
    told = f"{1e3 * said / found.measured:,.0f} words a second beside"
    told = f"{told} {1e3 * said / found.baseline:,.0f}, one thread"
    if minutes and name == SEARCH:
        models = words.ours(kind, **sizes), words.theirs(peer)
        learnt = " beside ".join(taught(model, words, minutes) for model in models)
        told = f"{told}; BLEU in {minutes:g} minutes of the processor: {learnt}"
    return replace(found, note=told)


def taught(learner: Ours | Theirs, words: Words, minutes: float) -> str:
    """Let a model learn all pairs for some time, and tell its BLEU and how often it saw them."""
    began, number, updates = time.process_time(), len(words.train.length), 0
    for epoch in count():
        for _ in learner.learn(words.train, epoch):
            updates += 1
            if time.process_time() - began > 60 * minutes:
                said = learner.translate(words.test)
                return f"{words.bleu(said):.1f} ({updates * BATCH / number:.1f} epochs)"
    raise AssertionError("epochs have no end")


def searching(words: Words, row: str, repeats: int) -> results.BenchRow:
    """Time our beam beside a plain one; both give the same translations."""
    model = words.ours(rnnsearch, maxout=MAXOUT).model.eval()
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
