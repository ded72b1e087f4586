"""`memnets translate`: translate what is typed, or a file, line by line."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import tyro
from rich.console import Console

from memnets.cli.options import parse
from memnets.cli.streams import print_json
from memnets.data.pairs import read_sentences
from memnets.evidence import Answer
from memnets.evidence.heat import brief, visible
from memnets.files import write_bytes
from memnets.inference import load_run

HINT = "Type a sentence; every line is translated."
TOGETHER = 500
"""Sentences of a file that are translated before the first of them is printed."""


@dataclass(frozen=True)
class Translate:
    """Translate sentences with a trained run: those of a file, or every line that is typed.

    A translation stands in a line of its own, also that of an empty line, so that line k is the
    translation of line k. Words that the run does not know are named on standard error, and so is
    a line that is too long: it is left empty, and the exit status is 2.
    """

    run: tyro.conf.Positional[Path]
    """Folder of the run."""
    file: Path | None = None
    """Text file with a sentence a line; by default the keyboard, or what is piped in."""
    out: Path | None = None
    """Text file for the translations; by default they are printed."""
    beam: int = 5
    """Hypotheses of a sentence that are gone on with; 1 takes the likeliest symbol each time."""
    evidence: bool = False
    """Whether to print which word of the source each word was read from most."""
    json: bool = False
    """Whether to print JSON, one record with all weights a line."""

    def __post_init__(self) -> None:
        if self.beam < 1:
            raise ValueError(f"--beam {self.beam}: expected at least 1 hypothesis a sentence.")
        if self.out and (self.evidence or self.json):
            raise ValueError(
                f"--out {self.out} takes translations alone. Leave --evidence and --json."
            )


def main(arguments: Sequence[str]) -> int:
    """Translate every line."""
    options = parse(Translate, arguments, prog="memnets translate")
    answerer = load_run(options.run)
    if not (hasattr(answerer, "translate") and hasattr(answerer, "unfit")):
        raise ValueError(
            f"{options.run}: {answerer.name} does not translate. Train one that does: "
            f"memnets list translation"
        )
    lines = (
        _typed() if options.file is None else read_sentences(options.file, most_words=sys.maxsize)
    )
    at_once = 1 if options.file is None and sys.stdin.isatty() else TOGETHER
    together = iter(lambda: list(islice(lines, at_once)), [])
    left_out = 0

    def answers() -> Iterator[Answer]:
        nonlocal left_out
        for some in together:
            unfit = [answerer.unfit(sentence) for sentence in some]
            fit = [("" if told else one) for one, told in zip(some, unfit, strict=True)]
            for answer, told in zip(answerer.translate(fit, options.beam), unfit, strict=True):
                left_out += bool(told)
                yield replace(answer, caution=f"left out: {told}") if told else answer

    if options.out is None:
        for answer in answers():
            _show(answer, options)
    else:
        texts = [_named(answer).text for answer in answers()]
        write_bytes(options.out, "".join(f"{text}\n" for text in texts).encode())
        done = len(texts) - left_out
        print(f"{done:,} sentences translated: {options.out}", file=sys.stderr)
    if left_out:
        print(f"memnets: sentences left out: {left_out:,}, see above", file=sys.stderr)
    return 2 if left_out else 0


def _typed() -> Iterator[str]:
    if sys.stdin.isatty():
        print(HINT)
    return (line.strip() for line in sys.stdin)


def _show(answer: Answer, options: Translate) -> None:
    if options.json:
        print_json(answer.to_json())
        return
    console = Console(soft_wrap=True, markup=False, highlight=False)
    console.print(visible(_named(answer).text))
    if options.evidence:
        console.print(f"  {'  '.join(_read(answer))}", style="dim")


def _read(answer: Answer) -> Iterable[str]:
    """Yield each word with the word of the source that was read most for it."""
    for step in answer.steps:
        most = step.most_read
        if most is not None:
            yield f"{visible(step.name)} ← {visible(most.text)} {most.weight:.0%}"


def _named(answer: Answer) -> Answer:
    """Return an answer, its unknown words named on standard error."""
    for remark in (answer.caution, *answer.remarks):
        if remark:
            about = f"{answer.question}: " if answer.question else ""
            print(f"memnets: {brief(about + remark)}", file=sys.stderr)
    return answer
