"""How many questions a second are answered over HTTP, and how long one waits.

    python benchmarks/serve.py      writes results/bench-serve.json

Servers and the load on them are processes of their own on this machine, asked in turn: ours, ours
without batches, and the plainest FastAPI handler around the same model, in one run. Then a
knowledge base, by ours and by the plainest handler.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import statistics
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any

import tyro
from rich.console import Console

import memnets
from kb import told
from memnets import results
from memnets.data.worlds.statements import StatementWorld
from memnets.report.tables import Terminal
from serving import asked_of, first_answer, load, plain, server, write_bodies
from serving import memnets as ours
from timing import ratio_interval

NAME = "serve"
RECIPE = "memn2n/babi-generated"
PLAIN = "a plain FastAPI handler"
METRIC = "time a request (ms)"
SHARE = 0.7
"""Of the rate that is answered at most, at which waiting is measured."""


@dataclass(frozen=True)
class Options:
    """Ask servers, in turn.

    Raises:
        ValueError: too few repeats to give an interval.
    """

    repeats: int = 7
    """Times that each server is asked."""
    seconds: float = 2.0
    """How long, each time."""
    connections: int = 32
    """That ask at once."""
    facts: int = 2_000_000
    """Of the knowledge base; 0 for none."""
    run: Path | None = None
    """Run that is served; by default the quick start's is trained."""
    kb: Path | None = None
    """Trained knowledge base that is served; by default one is made."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""

    def __post_init__(self) -> None:
        if self.repeats < 7:
            raise ValueError(
                f"repeats={self.repeats}: expected 7 or more. Fewer give no interval worth "
                f"printing."
            )


@dataclass
class Asked:
    """What came of asking several servers in turn, server by server."""

    records: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def each(self, name: str, of: Callable[[dict[str, Any]], float]) -> list[float]:
        return [of(record) for record in self.records[name]]


def main(arguments: Sequence[str] | None = None) -> None:
    options = tyro.cli(Options, description=__doc__, args=arguments)
    with tempfile.TemporaryDirectory() as folder:
        bench = measure(options, Path(folder))
    path = results.write(bench, options.results or results.results_folder())
    Console().print(Terminal(bench))
    print(path)


def measure(options: Options, folder: Path) -> results.Benchmark:
    rows = list(of_stories(options, folder))
    if options.facts or options.kb:
        rows += of_kb(options, folder)
    kept = ("results", "run", "kb")
    config = {name: value for name, value in asdict(options).items() if name not in kept}
    return results.Benchmark(
        name=NAME, command="python benchmarks/serve.py", config=config, rows=tuple(rows)
    )


def of_stories(options: Options, folder: Path) -> Iterator[results.BenchRow]:
    run = options.run or folder / "quickstart"
    if options.run is None:
        memnets.train(RECIPE, out=run, show=False)
    asked = asked_of(run)
    bodies = write_bodies(asked, folder / "stories.jsonl")
    served = f"it={run}"
    servers = {
        "batched": ours(served),
        "unbatched": ours(served, "--batch-size", "1"),
        PLAIN: plain(run),
    }
    together = ask_in_turn(servers, bodies, options)
    size = f"stories of {statistics.fmean(len(one['story']) for one in asked):.0f} sentences"
    yield row("stories", together, "batched", PLAIN, note=size)
    yield row("stories, without batches", together, "unbatched", PLAIN, note=size)
    yield row("stories, batches beside none", together, "batched", "unbatched", note=size)
    rate = SHARE * statistics.median(together.each("batched", itemgetter("rate")))
    calm = ask_in_turn({"batched": servers["batched"]}, bodies, options, rate=rate)
    yield waiting("stories", calm, rate)


def of_kb(options: Options, folder: Path) -> Iterator[results.BenchRow]:
    path = options.kb or folder / "facts.kb"
    if options.kb is None:
        facts = options.facts
        world = StatementWorld(facts, 0, facts // 5 + 1, facts // 10 + 1)
        (folder / "facts.tsv").write_text("".join(told(world)))
        kb = memnets.build_kb(folder / "facts.tsv", path).train(show=False)
    else:
        kb = memnets.load(path)
    store = kb.store
    step = max(1, len(store.facts) // 500)
    asked = [
        {"question": f"what is the {fact.relation.replace('_', ' ')} of {fact.subject}?"}
        for fact in (store.facts[number] for number in range(0, len(store.facts), step))
    ]
    bodies = write_bodies(asked, folder / "questions.jsonl")
    del kb
    servers = {"one": ours(f"it={path}"), "two processes": ours(f"it={path}", "--processes", "2")}
    together = ask_in_turn(servers | {PLAIN: plain(path)}, bodies, options)
    size = f"{len(store.facts):,} facts"
    for which, words in servers.items():
        name = "a knowledge base" if which == "one" else f"a knowledge base, {which}"
        yield row(name, together, which, PLAIN, size)
        rate = SHARE * statistics.median(together.each(which, itemgetter("rate")))
        calm = ask_in_turn({"batched": words}, bodies, options, rate=rate)
        yield waiting(name, calm, rate)


def ask_in_turn(
    servers: Mapping[str, list[str]], bodies: Path, options: Options, rate: float = 0.0
) -> Asked:
    """Start all, ask one after the other, again and again; the first of each time in turn."""
    asked = Asked({name: [] for name in servers})
    with ExitStack() as stack:
        addresses = {name: stack.enter_context(server(*words)) for name, words in servers.items()}
        how = {"connections": options.connections, "seconds": options.seconds, "rate": rate}
        for name, address in addresses.items():
            first_answer(address, _thing(name), bodies)
            load(address, _thing(name), bodies, **(how | {"seconds": 0.5}))
        for repeat in range(options.repeats):
            for name in list(addresses)[:: 1 if repeat % 2 else -1]:
                record = load(addresses[name], _thing(name), bodies, warmup=0.3, **how)
                asked.records[name].append(record)
    return asked


def _thing(server: str) -> str:
    return "plain" if server == PLAIN else "it"


def row(name: str, asked: Asked, mine: str, other: str, note: str) -> results.BenchRow:
    """Return how long a request takes where as many as possible are answered, side by side."""
    times = [asked.each(one, lambda record: 1000 / record["rate"]) for one in (mine, other)]
    rate = statistics.median(asked.each(mine, itemgetter("rate")))
    p50, p99 = (
        statistics.median(asked.each(mine, lambda record, key=key: record[key]))
        for key in ("p50_ms", "p99_ms")
    )
    told = f"{note}; {rate:,.0f} requests/s, each within {p50:.1f} ms (median), {p99:.1f} ms (p99)"
    return _row(name, METRIC, times[0], times[1], other, told)


def waiting(name: str, asked: Asked, rate: float) -> results.BenchRow:
    """Return how long the slowest of a hundred waits beside the median, at a part of the load."""
    p99, p50 = (
        asked.each("batched", lambda record, key=key: record[key]) for key in ("p99_ms", "p50_ms")
    )
    told = f"at {rate:,.0f} requests/s, {SHARE:.0%} of what is answered at most"
    return _row(f"{name}, the slowest of a hundred", "p99 (ms)", p99, p50, "their median", told)


def _row(
    name: str, metric: str, mine: list[float], other: list[float], baseline: str, note: str
) -> results.BenchRow:
    ratio, low, high = ratio_interval(list(zip(mine, other, strict=True)))
    return results.BenchRow(
        row=name,
        metric=metric,
        measured=statistics.median(mine),
        baseline=statistics.median(other),
        baseline_name=baseline,
        ratio=ratio,
        ratio_interval=(low, high),
        repeats=len(mine),
        commit=results.commit(),
        created=results.now(),
        machine=results.machine(),
        note=note,
    )


if __name__ == "__main__":
    main()
