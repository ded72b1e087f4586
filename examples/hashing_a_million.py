"""Hashing a memory of a million statements: what it costs in answers, and what it saves in time.

    python examples/hashing_a_million.py

MemNN learns from questions with their supports which statement of a generated world answers one.
A question may name its subject in other words than the statement, and say the relation in another
way. It is then answered from all statements, from those that share a word with it, and from those
that share a cluster of words. Writes results/hashing-a-million.json; takes some minutes on a core.
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from torch import Tensor

from memnets import results
from memnets.data.statements import Question, World
from memnets.kb import Clusters, Index, Rule, building, coverage, kmeans
from memnets.layers.bag_features import embed_bags
from memnets.models.memnn import CHOICE, QUESTION, Asked, Matching, MemNN

NAME = "hashing-a-million"
TRAIN, TEST = 1, 2
"""Seeds of the questions."""


@dataclass(frozen=True)
class Options:
    """Measure what hashing keeps, finds and saves."""

    statements: int = 1_000_000
    """Statements in the memory."""
    names: int = 100_000
    """Names that they speak of."""
    words: int = 5_000
    """Words that names are made of; each has a synonym."""
    relations: int = 100
    """Relations between names; each can be said in three ways."""
    renamed: float = 0.3
    """Share of a name's words that a question replaces by their synonyms."""
    train: int = 50_000
    """Questions to learn from."""
    asked: int = 1_000
    """Questions of the test."""
    updates: int = 4_000
    """How often MemNN is trained, with Adam."""
    batch: int = 64
    """Questions of an update."""
    rivals: int = 20
    """Wrong statements that each is trained against; half of them share a word with it."""
    dim: int = 100
    """Width of an embedding."""
    learning_rate: float = 3e-3
    """Of Adam; it falls to nothing."""
    clusters: int = 1_000
    """Clusters of words."""
    max_df: int = 10_000
    """A word or cluster of this many statements or more is not looked up."""
    seeds: int = 1
    """How often everything is repeated."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""


class Memory(NamedTuple):
    """Statements as bags of word numbers, and the index of their words."""

    numbers: dict[str, int]
    """Of every word; 0 is nil."""
    bags: Tensor
    index: Index


class Measured(NamedTuple):
    """What one way to choose candidates gave."""

    accuracy: float
    recall: float
    kept: float
    milliseconds: float


Chooser = Callable[[Sequence[str]], NDArray[np.int32]]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and write the figures."""
    options = tyro.cli(Options, description=__doc__, args=arguments)
    path = results.write(measure(options), options.results or results.results_folder())
    print(path)


def measure(options: Options) -> results.Table:
    """Train, hash, and answer with every seed."""
    began, found = time.perf_counter(), {}
    for seed in range(options.seeds):
        with TemporaryDirectory() as folder:
            found[seed] = one_world(options, seed, Path(folder))
    wall = time.perf_counter() - began
    kept = {k: v for k, v in asdict(options).items() if k != "results"}
    return results.Table(
        name=NAME,
        command="python examples/hashing_a_million.py",
        config=kept,
        data=results.Data(f"{options.statements:,} statements, generated", None, "test"),
        rows=tuple(rows(found, wall)),
    )


def one_world(options: Options, seed: int, folder: Path) -> dict[str, Measured]:
    """Return what no hashing, word hashing and cluster hashing give in one world."""
    torch.manual_seed(seed)
    world = World(options.statements, seed, options.names, options.words, options.relations)
    memory = remember(world, folder / "words")
    questions = world.questions(options.train, TRAIN, options.renamed)
    model = train(memory, numbered(questions, memory), options, seed)
    rule = Rule(max_df=options.max_df)
    asked = world.questions(options.asked, TEST, options.renamed)
    everything = np.arange(options.statements, dtype=np.int32)
    choosers: dict[str, Chooser] = {
        "none": lambda _: everything,
        "word": lambda words: memory.index.candidates(words, rule),
        "cluster": cluster_hashing(world, memory, model, options, folder / "clusters"),
    }
    table = model.output.features.table().detach()
    slots = embedded(memory.bags, table, CHOICE)
    found = {}
    for name, choose in choosers.items():
        found[name] = answer(asked, choose, slots, memory, table)
        print(f"seed {seed}, {name}: {found[name]}", file=sys.stderr)
    return found


def remember(world: World, folder: Path) -> Memory:
    """Number the words of all statements, and index them."""
    numbers: dict[str, int] = {}
    bags = np.zeros((world.statements, 9), np.int32)

    def told() -> Iterator[list[str]]:
        for slot, words in enumerate(world.texts()):
            bags[slot, : len(words)] = [number(numbers, word) for word in words]
            yield words

    with building(folder) as builder:
        builder.add(told())
    return Memory(numbers, torch.from_numpy(bags), Index.open(folder))


def number(numbers: dict[str, int], word: str) -> int:
    """Return the number of a word, a new one if need be."""
    return numbers.setdefault(word, len(numbers) + 1)


def numbered(questions: Sequence[Question], memory: Memory) -> list[tuple[list[int], Question]]:
    """Number the words of questions; new ones join the dictionary."""
    return [([number(memory.numbers, word) for word in q.words], q) for q in questions]


def train(
    memory: Memory, questions: list[tuple[list[int], Question]], options: Options, seed: int
) -> MemNN:
    """Learn which statement answers a question, by the ranking loss of s_O."""
    # R has only nil and one word to say, and stays as it is: it is the support that counts here.
    matching = Matching(options.dim)
    features = len(memory.numbers) + 1
    model = MemNN(features, 2, matching, hops=1, time=False, latest=False)
    model.response.requires_grad_(False)
    adam = torch.optim.Adam(model.output.parameters(), options.learning_rate)
    falling = torch.optim.lr_scheduler.LinearLR(adam, 1.0, 0.0, options.updates)
    rng = np.random.default_rng(seed)
    rule = Rule(max_df=options.max_df)
    nothing_said = torch.full((options.batch, 1), -1)
    first = torch.zeros(options.batch, 1, dtype=torch.long)
    for update in range(options.updates):
        drawn = [questions[int(n)] for n in rng.random(options.batch) * len(questions)]
        slots = np.stack([with_rivals(q, memory, rule, options, rng) for _, q in drawn])
        asked = Asked(
            memory.bags[slots.ravel()],
            torch.arange(slots.size, dtype=torch.int32).view(slots.shape),
            torch.full((options.batch,), slots.shape[1], dtype=torch.int32),
            padded([words for words, _ in drawn]),
        )
        adam.zero_grad()
        loss = model.loss(asked, first, nothing_said).sum
        loss.backward()
        adam.step()
        falling.step()
        if update % 500 == 0:
            print(f"update {update}: loss {loss.item() / options.batch:.3f}", file=sys.stderr)
    return model


def with_rivals(
    question: Question, memory: Memory, rule: Rule, options: Options, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return a support of a question, then statements that are none, half of them alike."""
    alike = memory.index.candidates(question.words, rule)
    alike = alike[~np.isin(alike, question.supports)]
    half = options.rivals // 2 if len(alike) else 0
    near = alike[(rng.random(half) * len(alike)).astype(np.int64)] if half else []
    far = (rng.random(options.rivals - half) * len(memory.bags)).astype(np.int64)
    return np.concatenate([[question.supports[0]], near, far]).astype(np.int64)


def padded(bags: Sequence[Sequence[int]]) -> Tensor:
    """Lay bags side by side, with nil where one is shorter."""
    longest = max(map(len, bags))
    return torch.tensor([[*bag, *[0] * (longest - len(bag))] for bag in bags], dtype=torch.int32)


def cluster_hashing(
    world: World, memory: Memory, model: MemNN, options: Options, folder: Path
) -> Chooser:
    """Cluster the rows of U_O: a word has one as part of a question, and one of a statement."""
    table = model.output.features.table().detach()
    rows = torch.cat([table[1:, QUESTION], table[1:, CHOICE]])
    directions = torch.nn.functional.normalize(rows, dim=-1).numpy()
    owners = kmeans(directions, min(options.clusters, len(rows))).owners.tolist()
    half = len(owners) // 2
    in_question = Clusters(dict(zip(memory.numbers, owners[:half], strict=True)))
    in_statement = Clusters(dict(zip(memory.numbers, owners[half:], strict=True)))
    with building(folder) as builder:
        builder.add(map(in_statement.of, world.texts()))
    index, rule = Index.open(folder), Rule(max_df=10 * options.max_df)
    return lambda words: index.candidates(in_question.of(words), rule)


def embedded(bags: Tensor, table: Tensor, role: int) -> Tensor:
    """Embed bags, some at a time."""
    return torch.cat([embed_bags(part, table, [role])[0] for part in bags.split(100_000)])


def answer(
    asked: Sequence[Question], choose: Chooser, slots: Tensor, memory: Memory, table: Tensor
) -> Measured:
    """Answer every question from its candidates."""
    right, seconds, candidates = [], [], []
    for question in asked:
        words = [memory.numbers[word] for word in question.words if word in memory.numbers]
        began = time.perf_counter()
        state = embed_bags(padded([words]), table, [QUESTION])[0, 0]
        chosen = choose(question.words)
        # All slots are scored where they lie; gathering them would only cost time.
        some = slots if len(chosen) == len(slots) else slots[torch.from_numpy(chosen)]
        best = int(chosen[int((some @ state).argmax())]) if len(chosen) else -1
        seconds.append(time.perf_counter() - began)
        right.append(best in question.supports)
        # As many as a million a question would not fit.
        candidates.append(
            chosen if len(chosen) < len(slots) else np.array(question.supports, np.int32)
        )
    kept = coverage(candidates, [question.supports for question in asked])
    whole = len(chosen) == len(slots)
    return Measured(
        100 * statistics.fmean(right),
        100 * kept.recall,
        float(len(slots)) if whole else kept.kept,
        1e3 * statistics.median(seconds),
    )


def rows(found: dict[int, dict[str, Measured]], wall: float) -> Iterator[results.Row]:
    """Yield a row for each way and figure."""
    selection = "last update; nothing was chosen"
    for way in next(iter(found.values())):
        each = {seed: ways[way] for seed, ways in found.items()}
        speed_up = {
            seed: ways["none"].milliseconds / ways[way].milliseconds for seed, ways in found.items()
        }
        figures = {
            "answers right": ({seed: m.accuracy for seed, m in each.items()}, "%", "higher"),
            "supports kept": ({seed: m.recall for seed, m in each.items()}, "%", "higher"),
            "candidates of a question": ({s: m.kept for s, m in each.items()}, "", "lower"),
            "speed-up": (speed_up, "times", "higher"),
        }
        for metric, (values, unit, better) in figures.items():
            yield results.measured(
                f"{way} hashing" if way != "none" else "no hashing",
                metric,
                values,
                unit=unit,
                better=better,
                selection=selection,
                wall_s=wall,
                note=f"{statistics.fmean(m.milliseconds for m in each.values()):.2f} ms a question",
            )


if __name__ == "__main__":
    main()
