"""Tables that several commands print."""

from collections.abc import Mapping

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from memnets.cli.streams import print_json
from memnets.evidence import Answer, Support
from memnets.evidence.heat import matched, visible

EVIDENCE = {"supports_read", "gold_read"}
"""Metrics of what was read, of which a model of stories has one at least."""
SHADES = (0.5, 0.1)
"""A weight above the first is printed in bold, below the second dimmed."""
GAP, ROOM = 2, 12
"""Columns between two hops, and the least for the sentences."""
MOST_OF_HOP = 3
"""Slots that are named of a hop with a line of its own."""


def metrics_table(metrics: Mapping[str, Mapping[str, float]]) -> Table:
    """Show what was measured by split; accuracy and evidence by task where there are several."""
    if not any(EVIDENCE & values.keys() for values in metrics.values()):
        return _plain_table(metrics)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("split", overflow="fold")
    table.add_column("task", overflow="fold")
    for column in ("questions right", "all supports read", "by chance", "loss"):
        table.add_column(column, justify="right", overflow="fold")
    for split, values in metrics.items():
        tasks = sorted(int(name.split("/")[1]) for name in values if name.startswith("accuracy/"))
        rows = [f"/{task}" for task in tasks] if len(tasks) > 1 else []
        for suffix in [*rows, ""]:
            # Of stories whose file names no task it is 0.
            of = suffix[1:] or (str(tasks[0]) if len(tasks) == 1 and tasks[0] else "all")
            names = ("accuracy", "supports_read", "supports_chance")
            shares = (values.get(f"{name}{suffix}") for name in names)
            loss = f"{values['loss']:.4f}" if not suffix else ""
            table.add_row(split, of, *map(_share, shares), loss)
    return table


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.1%}"


def _plain_table(metrics: Mapping[str, Mapping[str, float]]) -> Table:
    """Show every figure in a line of its own, a column a split; splits without any are left out."""
    measured = {split: values for split, values in metrics.items() if values}
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", overflow="fold")
    for split in measured:
        table.add_column(split, justify="right", overflow="fold")
    for name in dict.fromkeys(name for values in measured.values() for name in values):
        figures = (values.get(name) for values in measured.values())
        shown = ("–" if figure is None else f"{figure:,.6g}" for figure in figures)
        table.add_row(name.replace("_", " ").replace("/", ", "), *shown)
    return table


def evidence_table(answer: Answer, width: int = 80) -> Table:
    """Show the sentences, and how much of each was read at every hop.

    Words that the question holds too are underlined. Where the hops do not fit beside each other,
    as those of a long sequence, or read other facts, each has a line: what it read most.
    """
    words = (max(map(len, (*step.name.split(), "0.00"))) for step in answer.steps)
    beside = sum(word + GAP for word in words)
    slots = {tuple(support.slot for support in step.supports) for step in answer.steps}
    return _by_hop(answer) if beside + ROOM > width or len(slots) > 1 else _by_sentence(answer)


def _by_sentence(answer: Answer) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("read", overflow="fold")
    for step in answer.steps:
        table.add_column(step.name, justify="right", overflow="fold")
    for row in zip(*(step.supports for step in answer.steps), strict=True):
        told = _told(row[0], answer.question)
        table.add_row(told, *(_weight(support.weight) for support in row))
    return table


def _by_hop(answer: Answer) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("hop", "read most"):
        table.add_column(name, overflow="fold")
    table.add_column("", justify="right")
    for step in answer.steps:
        ranked = sorted(step.supports, key=lambda support: -abs(support.weight))
        for place, support in enumerate(ranked[:MOST_OF_HOP]):
            if not place or abs(support.weight) >= SHADES[1]:
                told = _told(support, answer.question)
                table.add_row("" if place else step.name, told, _weight(support.weight))
    return table


def _told(support: Support, question: str) -> Text:
    pieces = matched(visible(support.text), question)
    styled = ((piece, "underline" if both else "") for piece, both in pieces)
    return Text.assemble(*styled, " *" if support.gold else "")


def answer_line(answer: Answer) -> Text:
    """Show the answer with its probability and its rivals."""
    line = Text(f"{visible(answer.caution)}:\n" if answer.caution else "", style="yellow")
    line = Text.assemble(line, (visible(answer.text), "bold"), f"  {answer.probability:.1%}")
    rivals = ", ".join(f"{visible(text)} {share:.1%}" for text, share in answer.runners_up)
    line.append(f"   then {rivals}" if rivals else "", style="dim")
    return line


def _weight(weight: float) -> Text:
    high, low = SHADES
    style = "bold" if abs(weight) >= high else "dim" if abs(weight) < low else ""
    return Text(f"{weight:.2f}", style=style)


def show(answer: Answer, json: bool = False) -> None:
    """Print an answer and its evidence."""
    if json:
        print_json(answer.to_json())
        return
    console = Console()
    console.print(f"\n{visible(answer.question)}", style="bold", markup=False, highlight=False)
    console.print(answer_line(answer), highlight=False)
    for remark in answer.remarks:
        console.print(visible(remark), style="yellow", markup=False, highlight=False)
    console.print(evidence_table(answer, console.width))
