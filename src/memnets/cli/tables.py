"""Tables that several commands print."""

from collections.abc import Mapping

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from memnets.cli.streams import print_json
from memnets.evidence import Answer
from memnets.evidence.heat import matched, visible

EVIDENCE = {"supports_read", "gold_read"}
"""Metrics of what was read, of which a model of stories has one at least."""
SHADES = (0.5, 0.1)
"""A weight above the first is printed in bold, below the second dimmed."""


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
            of = suffix[1:] or (str(tasks[0]) if len(tasks) == 1 else "all")
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


def evidence_table(answer: Answer) -> Table:
    """Show the sentences, and how much of each was read at every hop.

    Words that the question holds too are underlined.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("read", overflow="fold")
    for step in answer.steps:
        table.add_column(step.name, justify="right", overflow="fold")
    for row in zip(*(step.supports for step in answer.steps), strict=True):
        mark = " *" if row[0].gold else ""
        pieces = matched(visible(row[0].text), answer.question)
        told = Text.assemble(
            *((piece, "underline" if both else "") for piece, both in pieces), mark
        )
        table.add_row(told, *(_weight(support.weight) for support in row))
    return table


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
    console.print(evidence_table(answer))
