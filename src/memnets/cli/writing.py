"""What `memnets ask` shows of a language model: how it goes on, what surprised it, what it read."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from memnets.cli.streams import print_json
from memnets.evidence import Answer
from memnets.evidence.heat import visible
from memnets.training.config import expect_at_least, expect_numbers

PLACES = 8
"""Places of a step of evidence that are shown, those read most."""
SURPRISED = 4.0
"""A symbol that costs more bits is shown in bold red, one below a quarter of it dimmed."""


@dataclass(frozen=True)
class Writing:
    """How a language model continues a text."""

    length: int = 200
    """Number of symbols to write."""
    temperature: float = 0.8
    """Sampling temperature: 0 takes the likeliest symbol, 1 samples from the model."""
    seed: int = 0
    """Seed of the samples."""
    surprisal: bool = False
    """Whether to show the surprisal of each symbol of the text, in bits, instead of writing."""

    def __post_init__(self) -> None:
        expect_at_least("write", self, length=1, temperature=0, seed=0)
        for name, value in vars(self).items():
            expect_numbers(f"write.{name}", value)


def show_texts(answerer: Any, prompts: Iterable[str], how: Writing, as_json: bool) -> None:
    """Go on with every text, or show what surprises in it; empty lines are passed over."""
    for prompt in filter(None, prompts):
        if how.surprisal:
            _show_surprisal(answerer, prompt, as_json)
        else:
            _show(answerer.write(prompt, how.length, how.temperature, how.seed), as_json)


def _show(answer: Answer, as_json: bool) -> None:
    if as_json:
        print_json(answer.to_json())
        return
    console = Console()
    console.print(Text.assemble("\n", (_shown(answer.question), "bold"), _shown(answer.text)))
    likely = ", ".join(f"{symbol!r} {chance:.1%}" for symbol, chance in answer.runners_up)
    console.print(Text(f"\nfirst symbol: {likely}", "dim"))
    if answer.unknown_words:
        unknown = ", ".join(map(repr, answer.unknown_words))
        console.print(Text(f"symbols it has never seen: {unknown}", "yellow"))
    for table in places_tables(answer):
        console.print(table)


def places_tables(answer: Answer) -> list[Table]:
    """Return a table for each step of evidence: the earlier places that were read most."""
    tables = []
    for step in answer.steps:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        table.add_column(
            f"read by the {step.name} for the first symbol → what followed there", overflow="fold"
        )
        table.add_column("symbols back", justify="right", overflow="fold")
        table.add_column("weight", justify="right", overflow="fold")
        newest = max((support.slot for support in step.supports), default=0)
        most = sorted(step.supports, key=lambda support: -support.weight)[:PLACES]
        for support in most:
            shown = Text(visible(support.text).replace("\n", "⏎"))
            table.add_row(shown, str(newest + 1 - support.slot), f"{support.weight:.2f}")
        tables.append(table)
    return tables


def _show_surprisal(answerer: Any, text: str, as_json: bool) -> None:
    written = answerer.surprisal(text)
    if as_json:
        print_json(written.to_json())
        return
    if written.bits is None:
        raise ValueError(f"{text!r}: a text of one symbol surprises nobody. Pass a longer one.")
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("symbol", overflow="fold")
    table.add_column("bits", justify="right", overflow="fold")
    for one in written:
        table.add_row(Text(repr(one.symbol)), Text(f"{one.bits:.2f}", _shade(one.bits)))
    console = Console()
    console.print(table)
    console.print(f"{len(written)} symbols, {written.bits:.3f} bits each", highlight=False)


def _shown(text: str) -> str:
    """Return a text whose spaces are part of it, also where it is nothing else."""
    return text if text.isspace() else visible(text)


def _shade(bits: float) -> str:
    return "bold red" if bits > SURPRISED else "dim" if bits < SURPRISED / 4 else ""
