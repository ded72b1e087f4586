"""Hashing a memory of a million statements: what it costs in answers, and what it saves in time.

    python examples/hashing_a_million.py

MemNN learns from questions with their supports which statement of a generated world answers one.
It reads a statement's subject and relation; the object is the answer. A question may name the
subject in other words than the statement, and say the relation in another way. It is answered from
all statements, from those that share a word with it, and from those that share a cluster of words.
Writes results/hashing-a-million.json; takes some minutes a seed, and keeps what each has measured.
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
import tyro
from jaxtyping import Float, Int
from numpy.typing import NDArray
from torch import Tensor

from memnets import results
from memnets.data.worlds.statements import StatementQuestion, StatementWords, StatementWorld
from memnets.files import read_json, write_json
from memnets.kb import Clusters, Index, Rule, building, coverage, kmeans
from memnets.layers.bag_features import count_features, embed_bags
from memnets.models.memnn import Matching, ranking_loss

NAME = "hashing-a-million"
TRAIN, TEST = 1, 2
"""Seeds of the questions."""
STATEMENT, QUESTION = 0, 1
"""Roles of a word: it has a row of U_O for each."""
MOST_ALIKE = 20
"""Of so many statements some are drawn as rivals."""


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
    train: int = 100_000
    """Questions to learn from."""
    asked: int = 150
    """Questions of the test."""
    updates: int = 700
    """How often MemNN is trained, with Adam."""
    batch: int = 128
    """Questions of an update; the statements that are drawn for one are rivals of all."""
    rivals: int = 8
    """Wrong statements that are drawn for a question: half share a word, half share most."""
    dim: int = 200
    """Width of an embedding."""
    exact_match: float = 1.0
    """Weight of a word that question and statement share, lambda."""
    margin: float = 1.0
    """Gamma."""
    learning_rate: float = 3e-3
    """Of Adam; it falls to nothing."""
    clusters: int = 2_500
    """Clusters of words."""
    max_df: int = 10_000
    """A word of this many statements or more is neither looked up nor matched exactly."""
    seeds: tuple[int, ...] = (0, 1, 2)
    """Each makes a world, questions and a model of its own."""
    parts: Path = Path("runs/hashing-a-million")
    """Folder that keeps what each seed has measured."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""

    @property
    def config(self) -> dict[str, Any]:
        """What decides the figures of a seed."""
        left_out = ("seeds", "parts", "results")
        return {name: value for name, value in asdict(self).items() if name not in left_out}


class Memory(NamedTuple):
    """Statements as bags of words, and the index of these."""

    numbers: dict[str, int]
    """Of every word, those that only questions use last; 0 is nil."""
    told: int
    """How many of them statements use."""
    bags: Int[Tensor, "statement word"]
    lookup: Index
    rule: Rule


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
    parts = {seed: measured(options, seed) for seed in options.seeds}
    wall = sum(part["wall_s"] for part in parts.values())
    found = {
        seed: {way: Measured(**figures) for way, figures in part["ways"].items()}
        for seed, part in parts.items()
    }
    return results.Table(
        name=NAME,
        command="python examples/hashing_a_million.py",
        config=options.config,
        data=results.Data(f"{options.statements:,} statements, generated", None, "test"),
        rows=tuple(rows(found, wall)),
    )


def measured(options: Options, seed: int) -> dict[str, Any]:
    """Return what a seed has measured, now or before.

    Raises:
        ValueError: it was measured with other options.
    """
    path = options.parts / f"{seed}.json"
    if not path.exists():
        began = time.perf_counter()
        with TemporaryDirectory() as folder:
            found = one_world(options, seed, Path(folder))
        wall = time.perf_counter() - began
        ways = {way: figures._asdict() for way, figures in found.items()}
        write_json(path, {"config": options.config, "wall_s": wall, "ways": ways})
    part: dict[str, Any] = read_json(path, needed=("config", "wall_s", "ways"))
    if part["config"] != options.config:
        raise ValueError(
            f"{path}: seed {seed} was measured with {part['config']}; expected {options.config}. "
            f"Remove the file, or keep the figures elsewhere with --parts."
        )
    return part


def one_world(options: Options, seed: int, folder: Path) -> dict[str, Measured]:
    """Return what no hashing, word hashing and cluster hashing give in one world."""
    torch.manual_seed(seed)
    world = StatementWorld(
        options.statements, seed, options.names, options.words, options.relations
    )
    questions = world.questions(options.train, TRAIN, options.renamed)
    memory = remember(world, questions, options.max_df, folder / "words")
    table = train(memory, questions, options, seed)
    asked = world.questions(options.asked, TEST, options.renamed)
    everything = np.arange(options.statements, dtype=np.int32)
    choosers: dict[str, Chooser] = {
        "none": lambda _: everything,
        "word": lambda words: memory.lookup.candidates(words, memory.rule),
        "cluster": cluster_hashing(world, memory, table, options, folder / "clusters"),
    }
    slots = torch.cat([embed(part, table, STATEMENT) for part in memory.bags.split(100_000)])
    found = {}
    for name, choose in choosers.items():
        found[name] = answer(asked, choose, slots, memory, table, options.exact_match)
        print(f"seed {seed}, {name}: {found[name]}", file=sys.stderr, flush=True)
    return found


def remember(
    world: StatementWorld, questions: Sequence[StatementQuestion], max_df: int, folder: Path
) -> Memory:
    """Number the words of all statements, then those of the questions, and index the statements."""
    numbers: dict[str, int] = {}
    bags = np.zeros((world.statements, 6), np.int32)

    def told() -> Iterator[list[str]]:
        for slot, words in enumerate(map(read, world.triples())):
            bags[slot, : len(words)] = [number(numbers, word) for word in words]
            yield words

    with building(folder) as builder:
        builder.add(told())
    used = len(numbers)
    for question in questions:
        for word in question.words:
            number(numbers, word)
    return Memory(numbers, used, torch.from_numpy(bags), Index.open(folder), Rule(max_df=max_df))


def number(numbers: dict[str, int], word: str) -> int:
    """Return the number of a word, a new one if need be."""
    return numbers.setdefault(word, len(numbers) + 1)


def read(statement: StatementWords) -> list[str]:
    """Return the words by which a statement is found."""
    return [*statement.subject, *statement.relation]


def train(
    memory: Memory, questions: Sequence[StatementQuestion], options: Options, seed: int
) -> Float[Tensor, "word role dim"]:
    """Learn which statement answers a question, by the ranking loss of s_O, and return U_O."""
    matching = Matching(options.dim, exact_match=options.exact_match)
    match = matching.build(len(memory.numbers) + 1, roles=2)
    adam = torch.optim.Adam(match.parameters(), options.learning_rate)
    falling = torch.optim.lr_scheduler.LinearLR(adam, 1.0, 0.0, options.updates)
    rng = np.random.default_rng(seed)
    first = (1 + options.rivals) * torch.arange(options.batch).unsqueeze(1)
    for update in range(options.updates):
        asked = [questions[int(n)] for n in rng.random(options.batch) * len(questions)]
        slots = np.concatenate([with_rivals(q, memory, options.rivals, rng) for q in asked])
        wrong = np.stack([~np.isin(slots, question.supports) for question in asked])
        scores = score(asked, memory.bags[slots], memory, match.features.table(), match.exact_match)
        right = scores.gather(1, first)
        loss = ranking_loss(options.margin, right - scores, torch.from_numpy(wrong))
        adam.zero_grad()
        loss.backward()
        adam.step()
        falling.step()
        if update % 500 == 0:
            print(f"update {update}: loss {loss.item() / options.batch:.3f}", file=sys.stderr)
    return match.features.table().detach()


def with_rivals(
    question: StatementQuestion, memory: Memory, rivals: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return a support of a question, then statements that are alike, half of them most alike."""
    alike = memory.lookup.candidates(question.words, memory.rule)
    rule = Rule(max_df=memory.rule.max_df, top_n=MOST_ALIKE)
    most = memory.lookup.candidates(question.words, rule)
    drawn = [question.supports[0]]
    for slots, count in ((alike, rivals // 2), (most, rivals - rivals // 2)):
        chosen = (rng.random(count) * (len(slots) or len(memory.bags))).astype(np.int64)
        drawn.extend(slots[chosen] if len(slots) else chosen)
    return np.array(drawn, np.int64)


def score(
    asked: Sequence[StatementQuestion],
    bags: Int[Tensor, "statement word"],
    memory: Memory,
    table: Float[Tensor, "word role dim"],
    exact_match: float,
) -> Float[Tensor, "question statement"]:
    """Return s_O of every statement for every question."""
    x = embed(padded([known(question, memory) for question in asked]), table, QUESTION)
    rare = padded([rarer(question, memory) for question in asked])
    return x @ embed(bags, table, STATEMENT).T + exact_match * shared(rare, bags)


def embed(
    bags: Int[Tensor, "bag word"], table: Float[Tensor, "word role dim"], role: int
) -> Float[Tensor, "bag dim"]:
    """Return the sum of the rows of every bag."""
    return embed_bags(bags, table, [role])[0]


def known(question: StatementQuestion, memory: Memory) -> list[int]:
    """Return the numbers of a question's words, without those that were never met."""
    return [memory.numbers[word] for word in question.words if word in memory.numbers]


def rarer(question: StatementQuestion, memory: Memory) -> list[int]:
    """Return those that are matched exactly: of words that statements use, but not too many."""
    frequencies = ((word, memory.lookup.frequency(word)) for word in question.words)
    most = memory.rule.max_df
    return [memory.numbers[word] for word, df in frequencies if df and (not most or df < most)]


def shared(
    questions: Int[Tensor, "question word"], statements: Int[Tensor, "statement word"]
) -> Float[Tensor, "question statement"]:
    r"""Return how many words each question shares with each statement, $\Phi_x^\top \Phi_y$.

    Only the columns of words that some question has are laid out.
    """
    words, places = torch.unique(F.pad(questions, (1, 0)), return_inverse=True)
    columns = torch.zeros(1 + int(max(words.max(), statements.max())), dtype=torch.long)
    columns[words.long()] = torch.arange(len(words))
    counts = [
        count_features(bags, len(words))[:, 1:] for bags in (places, columns[statements.long()])
    ]
    return counts[0] @ counts[1].T


def padded(bags: Sequence[Sequence[int]]) -> Int[Tensor, "bag word"]:
    """Lay bags side by side, with nil where one is shorter."""
    longest = max(map(len, bags))
    return torch.tensor([[*bag, *[0] * (longest - len(bag))] for bag in bags], dtype=torch.int32)


def cluster_hashing(
    world: StatementWorld,
    memory: Memory,
    table: Float[Tensor, "word role dim"],
    options: Options,
    folder: Path,
) -> Chooser:
    """Put every word into the cluster of its row of U_O: as statements use it, where they do."""
    told, asked = table[1:, STATEMENT][: memory.told], table[1:, QUESTION][memory.told :]
    rows = F.normalize(torch.cat([told, asked]), dim=-1).numpy()
    # Centres are of words that statements use, and the words of questions join the nearest.
    clustering = kmeans(rows[: memory.told], min(options.clusters, memory.told))
    centres = clustering.centres / np.linalg.norm(clustering.centres, axis=1, keepdims=True)
    nearest = (rows[memory.told :] @ centres.T).argmax(1)
    owners = [*clustering.owners.tolist(), *nearest.tolist()]
    clusters = Clusters(dict(zip(memory.numbers, owners, strict=True)))
    with building(folder) as builder:
        builder.add(clusters.of(read(statement)) for statement in world.triples())
    index, rule = Index.open(folder), Rule(max_df=10 * options.max_df)
    return lambda words: index.candidates(clusters.of(words), rule)


def answer(
    asked: Sequence[StatementQuestion],
    choose: Chooser,
    slots: Float[Tensor, "statement dim"],
    memory: Memory,
    table: Float[Tensor, "word role dim"],
    exact_match: float,
) -> Measured:
    """Answer every question from its candidates."""
    right, seconds, candidates, sizes = [], [], [], []
    for question in asked:
        began = time.perf_counter()
        x = embed(padded([known(question, memory)]), table, QUESTION)[0]
        chosen = choose(question.words)
        # All slots are scored where they lie; gathering them would only cost time.
        every = len(chosen) == len(slots)
        matched = exact_match * exact_matches(question, memory)
        scores = slots @ x + matched if every else slots[chosen] @ x + matched[chosen]
        best = int(chosen[int(scores.argmax())]) if len(chosen) else -1
        seconds.append(time.perf_counter() - began)
        right.append(best in question.supports)
        sizes.append(len(chosen))
        # As many as a million a question would not fit.
        candidates.append(np.array(question.supports, np.int32) if every else chosen)
    kept = coverage(candidates, [question.supports for question in asked])
    return Measured(
        100 * statistics.fmean(right),
        100 * kept.recall,
        statistics.fmean(sizes),
        1e3 * statistics.median(seconds),
    )


def exact_matches(question: StatementQuestion, memory: Memory) -> Float[Tensor, " statement"]:
    """Return how many of its rarer words each statement has: the index knows which have any."""
    counts = torch.zeros(len(memory.bags))
    for word in question.words:
        counts[memory.lookup.candidates([word], memory.rule)] += 1
    return counts


def rows(found: dict[int, dict[str, Measured]], wall: float) -> Iterator[results.Row]:
    """Yield a row for each way and figure."""
    selection = "last update; nothing was chosen"
    all_ways = next(iter(found.values()))
    for way in all_ways:
        each = {seed: ways[way] for seed, ways in found.items()}
        speed_up = {
            seed: ways["none"].milliseconds / ways[way].milliseconds for seed, ways in found.items()
        }
        figures: dict[str, tuple[dict[int, float], str, Literal["higher", "lower"]]] = {
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
                wall_s=wall / len(all_ways) / len(figures),  # its share
                note=f"{statistics.fmean(m.milliseconds for m in each.values()):.2f} ms a question",
            )


if __name__ == "__main__":
    try:
        main()
    except ValueError as error:
        sys.exit(f"memnets: {error}")
