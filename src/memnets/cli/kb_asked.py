"""What `memnets kb ask` does; how its options are read stands apart, as that takes longer."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from memnets.cli.streams import print_json
from memnets.cli.tables import answer_line, evidence_table
from memnets.cli.terminal import say
from memnets.evidence.heat import visible
from memnets.files import check_new
from memnets.inference.kb import KB
from memnets.kb.questions.ranking import read_ahead

if TYPE_CHECKING:
    from memnets.studies.kb_qa.inference import KBAnswer

HOW = {
    "name": "by its name",
    "alias": "by another form of its name",
    "spelling": "by its spelling",
    "part": "by a part of its name",
}


def ask(
    path: Path,
    questions: Sequence[str],
    *,
    trained: Path | None = None,
    synonyms: Path | None = None,
    json: bool = False,
    report: Path | None = None,
    overwrite: bool = False,
) -> int:
    """Answer questions, or those that are typed; the arguments are the options of `Ask`."""
    if report is not None:
        check_new(report, overwrite)
    read_ahead()
    kb = KB(path, trained, synonyms=synonyms)
    if kb.changes:
        say(f"memnets: {kb.changes}", error=True)
    answers = []
    for question in questions or _typed():
        answers.append(kb.answerer.ask(question))
        show(answers[-1], json)
    if not answers:
        raise ValueError(f'nothing was asked. Try: memnets kb ask {path} "a question?"')
    if report is not None:
        _write_page(report, path, answers)
        say(str(report))
    return 0


def show(answer: "KBAnswer", json: bool = False) -> None:
    """Print an answer, how the question was understood, and what was read."""
    if json:
        print_json(answer.to_json())
        return
    console = Console(emoji=False)
    question = visible(answer.answer.question)
    console.print(f"\n{question}", style="bold", markup=False, highlight=False)
    console.print(answer_line(answer.answer), highlight=False)
    for line in understood(answer):
        console.print(visible(line), style="dim", markup=False, highlight=False)
    console.print(evidence_table(answer.answer, console.width))


def understood(answer: "KBAnswer") -> Iterator[str]:
    """Yield, line by line, how the question was understood."""
    for mention in answer.mentions:
        entities = " or ".join(mention.entities)
        likeness = f", {mention.likeness:.0%} alike" if mention.how == "spelling" else ""
        yield f"named: {entities} ({HOW[mention.how]}, {mention.name!r}{likeness})"
    if not answer.mentions:
        yield "named: nothing that the knowledge base knows"
    for word, taken_for in answer.corrected:
        yield f"read {word!r} as {taken_for!r}"
    if answer.answer.unknown_words:
        yield f"not understood: {', '.join(answer.answer.unknown_words)}"


def _typed() -> Iterable[str]:
    if sys.stdin.isatty():
        print("Ask, one question a line; an empty line ends.")
    for line in sys.stdin:
        if not line.strip():
            return
        yield line.strip()


def _write_page(path: Path, kb: Path, answers: list["KBAnswer"]) -> None:
    from memnets.report.html import write_report

    record = {"knowledge base": str(kb)}
    for answer in answers:
        record[visible(answer.answer.question)] = visible("; ".join(understood(answer)))
    pages = [answer.answer for answer in answers]
    write_report(path, title=f"Questions to {kb.name}", record=record, answers=pages)
