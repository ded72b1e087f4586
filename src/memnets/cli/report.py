"""`memnets report`: a page with the curves, tables and evidence of a run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import tyro
from rich.console import Console

from memnets.cli.options import parse
from memnets.cli.places import expect_folder
from memnets.evidence import Answer
from memnets.experiments.answerer import Answerer
from memnets.inference import load_run
from memnets.report.published import published_for
from memnets.waiting import said_if_long

LOOKED_AT = 300
"""How many questions of a task are asked in search of examples."""

REPORT = b'<body class="memnets">'
"""What every page of a report holds."""

WHOLE = 0
"""Stands for all data where they are no tasks: a text."""


@dataclass(frozen=True)
class Report:
    """Write one self-contained HTML page about a run, and its pictures as PNG."""

    run: tyro.conf.Positional[Path]
    """Folder of the run."""
    out: Path | None = None
    """Folder for the page; by default `report` in the run's folder."""
    right: int = 2
    """Number of right answers shown for each task."""
    wrong: int = 2
    """Number of wrong answers shown for each task, where there are as many."""

    def __post_init__(self) -> None:
        for name in ("right", "wrong"):
            if getattr(self, name) < 0:
                raise ValueError(
                    f"--{name} {getattr(self, name)}: expected a number of answers, 0 for none."
                )


def main(arguments: Sequence[str]) -> int:
    """Write the report and print where it is."""
    options = parse(Report, arguments, prog="memnets report")
    page = write(options.run, options.out, options.right, options.wrong)
    Console().print(f"report: {page}", highlight=False, soft_wrap=True, markup=False)
    return 0


def write(path: Path, out: Path | None = None, right: int = 2, wrong: int = 2) -> Path:
    """Write the report of a run and return its page."""
    from memnets.report.html import write_report
    from memnets.report.zones import write_texts

    if out is not None:
        _expect_ours(out / "index.html")
    answerer = load_run(path)
    at = answerer.folder.at  # the page of a checkpoint is not put among its files
    page = out or answerer.folder.path / ("report" if at is None else f"report-{at}")
    page /= "index.html"
    _expect_ours(page)
    with said_if_long("reading the data"):
        answerer.check_data()
    record = answerer.folder.record
    tasks = _tasks(answerer.metrics) or [WHOLE]
    with said_if_long("asking for examples"):
        answers = [
            answer for task in tasks for answer in choose(answerer, task, right=right, wrong=wrong)
        ]
    with said_if_long("drawing"):
        return write_report(
            page,
            title=f"{answerer.name}: {record['data']['name']}",
            record=record,
            log=answerer.folder.log(),
            result=answerer.metrics,
            answers=answers,
            published=published_for(answerer.run),
            pages=list(write_texts(page.parent, answerer.read_texts(), answerer.name)),
        )


def _expect_ours(page: Path) -> None:
    """Refuse a place where something else is: only a report of before is written over."""
    expect_folder(page.parent, "--out")
    try:
        ours = REPORT in page.read_bytes()
    except FileNotFoundError:
        return
    except OSError:
        ours = False
    if not ours:
        raise ValueError(
            f"{page}: this page is no report of memnets, and would be overwritten. Choose another "
            f"folder with --out."
        )


def choose(answerer: Answerer, task: int, right: int, wrong: int) -> Iterator[Answer]:
    """Yield the first few right and wrong answers to the test questions of a task."""
    left = {True: right, False: wrong}
    for answer in islice(answerer.examples("test", task), LOOKED_AT):
        if left[bool(answer.correct)] > 0:
            left[bool(answer.correct)] -= 1
            yield answer
        if not any(left.values()):
            return


def _tasks(metrics: dict[str, dict[str, float]]) -> list[int]:
    test = metrics.get("test", {})
    return sorted(int(name.split("/")[1]) for name in test if name.startswith("accuracy/"))
