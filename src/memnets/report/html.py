"""One page about a run, complete in itself: no script, no font, no address outside.

Everything that comes from data or files is escaped; it may say what it likes.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from memnets.evidence import Answer, PointsAnswer
from memnets.evidence.html import STYLE as HEAT_STYLE
from memnets.files import write_bytes
from memnets.report import plots, svg
from memnets.report.gallery import seen_regions
from memnets.report.logs import METRICS, SPLITS, called, curve
from memnets.report.over_steps import WIDE, over_steps
from memnets.report.points import points_plot
from memnets.report.tables import BAD, NUMERIC, cells, origin
from memnets.report.tasks import TaskScore, task_scores
from memnets.results import Result, Table

EVIDENCE = {
    "all supports read": "supports_read",
    "by chance": "chance",
    "any support read": "gold_read",
}
"""Columns of a task's score that say what was read."""
SHARES = ("accuracy", "supports_read", "supports_chance", "gold_read")
"""Metrics that are printed in per cent."""
STYLE = Path(__file__).with_name("page.css")


def write_report(
    path: Path,
    *,
    title: str,
    record: Mapping[str, Any],
    log: Sequence[Mapping[str, Any]] = (),
    result: Mapping[str, Mapping[str, float]] | None = None,
    answers: Sequence[Answer] = (),
    tables: Sequence[Result] = (),
    published: Mapping[str, float] | None = None,
    pages: Sequence[Path] = (),
) -> Path:
    """Write the page of a run, and its pictures beside it where matplotlib is installed.

    A part that is missing is left out of the page.

    Args:
        path: the page; the pictures go into its folder.
        title: heading of the page.
        record: the run's `run.json`.
        log: records of its `log.jsonl`.
        result: its metrics by split.
        answers: examples; show right and wrong ones.
        tables: results to show in full.
        published: test error in per cent that a paper reports, by metric (`accuracy/TASK`).
        pages: other pages in the same folder, to lead to.
    """
    metrics = result or {}
    scores = task_scores(metrics.get("test", {}), published or {})
    shown = "".join(answer.to_html() for answer in answers)
    body = [
        _section("What ran", _facts(record)),
        _section("Results", _metrics(metrics)),
        _section("Task by task", _tasks(scores)),
        _section("Learning curves", _curves(log)),
        _section("Answers and what was read for them", shown),
        _section("What was read, step by step", _links(page.name for page in pages)),
        *(_section(table.file_name.removesuffix(".json"), _result(table)) for table in tables),
        _section("Pictures", _pictures(path.parent, log, answers, tables, scores)),
    ]
    style = STYLE.read_text("utf-8") + HEAT_STYLE.read_text("utf-8")
    page = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head>"
        f'<body class="memnets"><main><h1>{escape(title)}</h1>'
        f"{''.join(body)}</main></body></html>\n"
    )
    write_bytes(path, page.encode())
    return path


def _section(heading: str, content: str) -> str:
    return f"<section><h2>{escape(heading)}</h2>{content}</section>" if content else ""


def _facts(record: Mapping[str, Any]) -> str:
    facts = "".join(
        f"<tr><th>{escape(name.replace('_', ' '))}</th><td>{escape(_words(value))}</td></tr>"
        for name, value in record.items()
        if name != "config"
    )
    table = f'<table class="facts">{facts}</table>' if facts else ""
    if "config" not in record:
        return table
    config = json.dumps(record["config"], indent=2, ensure_ascii=False, default=str)
    details = f"<summary>Configuration</summary><pre>{escape(config)}</pre>"
    return f"{table}<details>{details}</details>"


def _words(value: Any) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_words(item)}" for name, item in value.items())
    if isinstance(value, list | tuple):
        return " ".join(map(_words, value))
    return str(value)


def _metrics(metrics: Mapping[str, Mapping[str, float]]) -> str:
    """Show every figure in a line of its own, a column a split; splits without any are left out."""
    measured = {split: values for split, values in metrics.items() if values}
    names = dict.fromkeys(name for values in measured.values() for name in values)
    rows = [
        [
            escape(name.replace("_", " ").replace("/", ", ")),
            *(_figure(name, values.get(name)) for values in measured.values()),
        ]
        for name in names
        if not _of_one(name)
    ]
    return _table(["", *measured], rows, numeric=[*measured]) if rows else ""


def _of_one(name: str) -> bool:
    """Whether a metric is that of one task, or one lag, of many."""
    kind, _, part = name.partition("/")
    return part.isdecimal() or (bool(part) and kind.startswith(SHARES))


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    if name in SHARES:
        return f"{value:.1%}"
    return f"{value:,.0f}" if value.is_integer() else f"{value:,.4g}"


def _tasks(scores: Sequence[TaskScore]) -> str:
    if not scores:
        return ""
    compared = any(score.published is not None for score in scores)
    hops = [f"at hop {hop}" for hop in range(1, 1 + max(len(score.hops) for score in scores))]
    known = {
        column: [getattr(score, name) for score in scores]
        for column, name in EVIDENCE.items()
        if any(getattr(score, name) is not None for score in scores)
    }
    columns = ["task", "answered rightly", *(["published"] * compared), *known, *hops]
    rows = []
    for place, score in enumerate(scores):
        missed = ' <b class="bad">✗ below</b>' if score.missed else ""
        published = "–" if score.published is None else f"{score.published:.1%}{missed}"
        shares = (of[place] for of in known.values())
        read = ["–" if share is None else _bar(share, "gold-bar") for share in shares]
        right = _bar(score.accuracy, "right-bar")
        each = [f"{share:.1%}" for share in score.hops]
        each += ["–"] * (len(hops) - len(each))
        rows.append([escape(score.task), right, *([published] * compared), *read, *each])
    remark = (
        "<p>Shares of the test questions. Supports are the sentences that the data name as "
        "evidence; a sentence counts as read where no other is read more at that hop. By chance: "
        "if every hop picked any sentence.</p>"
    )
    return remark + _table(columns, rows, numeric=["task", "published", *hops])


def _bar(share: float, kind: str) -> str:
    width = f"{100 * min(1.0, max(0.0, share)):.1f}%"
    return f'<span class="bar {kind}" style="--share:{width}"></span>{share:.1%}'


def _curves(log: Sequence[Mapping[str, Any]]) -> str:
    figures = []
    for metric in METRICS:
        splits = [split for split in SPLITS if curve(log, split, metric)[0]]
        if drawing := svg.curves(log, metric, splits):
            key = " ".join(
                f'<span class="key-{number}">{escape(called(log, split, metric))}</span>'
                for number, split in enumerate(splits)
            )
            figures.append(f"<figure><figcaption>{metric}: {key}</figcaption>{drawing}</figure>")
    return f'<div class="side">{"".join(figures)}</div>' if figures else ""


def _result(result: Result) -> str:
    table = cells(result)
    rows = [[_cell(cell) for cell in row] for row in table.rows]
    below = [f"Written by {result.command}.", *origin(result)]
    remark = "<br>".join(map(escape, below))
    return f'{_table(table.columns, rows, numeric=NUMERIC)}<p class="remark">{remark}</p>'


def _cell(cell: str) -> str:
    return f'<b class="bad">{escape(cell)}</b>' if cell.startswith(BAD) else escape(cell)


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]], numeric: Collection[str]) -> str:
    """Return a table; the cells are HTML already, the columns are text."""
    kinds = [' class="number"' if name in numeric else "" for name in columns]
    head = "".join(
        f"<th{kind}>{escape(name)}</th>" for kind, name in zip(kinds, columns, strict=True)
    )
    lines = []
    for row in rows:
        row_cells = (f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, row, strict=True))
        lines.append(f"<tr>{''.join(row_cells)}</tr>")
    return f'<div class="wide"><table><tr>{head}</tr>{"".join(lines)}</table></div>'


def _pictures(
    folder: Path,
    log: Sequence[Mapping[str, Any]],
    answers: Sequence[Answer],
    tables: Sequence[Result],
    scores: Sequence[TaskScore],
) -> str:
    """Write the same pictures for papers and slides, and say which."""
    names = []
    try:
        for name, picture in _drawn(log, answers, tables, scores):
            plots.save(picture, folder / name)
            names.append(name)
    except ImportError as error:
        return f"<p>None were written: {escape(str(error))}</p>"
    return _links(names)


def _links(names: Iterable[str]) -> str:
    links = ", ".join(f'<a href="{escape(quote(name))}">{escape(name)}</a>' for name in names)
    return f"<p>Beside this page: {links}.</p>" if links else ""


def _drawn(
    log: Sequence[Mapping[str, Any]],
    answers: Sequence[Answer],
    tables: Sequence[Result],
    scores: Sequence[TaskScore],
) -> Iterator[tuple[str, Any]]:
    if any(curve(log, split, "loss")[0] for split in SPLITS):
        yield "curves.png", plots.learning_curves(log)
    if scores:
        yield "tasks.png", plots.accuracy_and_evidence(scores)
    for table in tables:
        if isinstance(table, Table) and table.rows:
            yield f"{table.name}.png", plots.published_against_measured(table)
    for number, answer in enumerate(answers, start=1):
        if answer.regions is not None:
            picture = seen_regions(answer)
        elif len(answer.steps) > WIDE:
            picture = over_steps(answer)
        else:
            picture = plots.evidence(answer)
        yield f"answer-{number:02}.png", picture
        if isinstance(answer, PointsAnswer) and answer.points:
            yield f"points-{number:02}.png", points_plot(answer)
