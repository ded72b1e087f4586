"""A heat map of what was read, in HTML: no script, nothing from outside, all escaped."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from memnets.evidence.heat import HeatRow, heat_map, left_out, matched, visible
from memnets.evidence.records import Step

DARK = 0.77
"""From this weight on a cell is so dark that its figure is set in white."""
STYLE = Path(__file__).with_name("heat.css")


def article(
    question: str,
    answer: str,
    kind: str,
    steps: Sequence[Step],
    remarks: Iterable[str],
    picture: str = "",
    seen: str = "",
) -> str:
    """Return a question, its answer and what was read for it.

    Args:
        question, answer: in words.
        kind: class of the answer: "good", "bad" or none.
        steps: what was read.
        remarks: stand below; empty ones are left out.
        picture: of the answer, in HTML.
        seen: of a picture, shown in place of the heat map; it is HTML.
    """
    heat = heat_map(() if seen else steps)
    below = [
        *remarks,
        left_out(heat.left_out) if heat.left_out else "",
        "★ gold evidence" if any(row.gold for row in heat.rows) else "",
    ]
    columns = "".join(f"<th>{escape(name)}</th>" for name in heat.columns)
    rows = "".join(_heat_row(row, heat.columns, question) for row in heat.rows)
    table = f'<table class="heat"><tr><th class="text">read</th>{columns}</tr>{rows}</table>'
    return (
        f"<article><h3>{escape(visible(question))}</h3>"
        f'<p class="{kind}">{escape(visible(answer))}</p>{picture}{seen or table}'
        f'<p class="remark">{escape(visible("; ".join(filter(None, below))))}</p></article>'
    )


def alone(content: str) -> str:
    """Return content that stands in a page of somebody else, with its style."""
    return f'<div class="memnets"><style>{STYLE.read_text("utf-8")}</style>{content}</div>'


def _heat_row(row: HeatRow, columns: Sequence[str], question: str) -> str:
    pieces = (
        f"<mark>{escape(piece)}</mark>" if both else escape(piece)
        for piece, both in matched(row.text, question)
    )
    text = "".join(pieces)
    text = f"★ <b>{text}</b>" if row.gold else text
    return f'<tr><td class="text">{text}</td>{"".join(_heat_cells(row, columns))}</tr>'


def _heat_cells(row: HeatRow, columns: Sequence[str]) -> Iterator[str]:
    for name, weight in zip(columns, row.weights, strict=True):
        depth = min(1.0, abs(weight))
        hover = escape(f"{name}, slot {row.slot + 1}: {weight:.6f}")
        dark = ' class="dark"' if depth > DARK else ""
        yield f'<td{dark} style="--depth:{100 * depth:.1f}%" title="{hover}">{weight:.2f}</td>'
