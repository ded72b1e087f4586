"""`memnets ask`: tell a story, ask questions, see what was read; or let a text be gone on with."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.console import Console

from memnets.cli.tables import answer_line, evidence_table
from memnets.cli.writing import Writing, show_texts
from memnets.evidence import Answer
from memnets.evidence.heat import visible
from memnets.experiments.answerer import Answerer
from memnets.inference import load_run

GO_ON = "Begin a text; every line is gone on with."
HINT = """\
Tell a story, one sentence a line. A line that ends with "?" asks; an empty line starts anew."""


@dataclass(frozen=True)
class Ask:
    """Ask a trained run questions about a story; a language model continues your text.

    Without --question, story and questions are read from the keyboard or a pipe: a line that ends
    with "?" is a question, an empty line starts a new story. A language model continues every line,
    every --question, or the whole --story.
    """

    run: tyro.conf.Positional[Path]
    """Folder of the run."""
    story: Path | None = None
    """Text file of the story, one sentence a line; it may hold questions too."""
    question: tuple[str, ...] = ()
    """Questions about the story, each in quotes."""
    json: bool = False
    """Whether to print answers as JSON, one record with its evidence a line."""
    write: Writing = Writing()
    """Options of a language model."""


def main(arguments: Sequence[str]) -> int:
    """Answer every question."""
    if "--write.surprise" in arguments:
        raise ValueError("--write.surprise is called --write.surprisal now.")
    options = tyro.cli(Ask, args=list(arguments), prog="memnets ask")
    answerer = load_run(options.run)
    if answerer.gives == "text":
        show_texts(answerer, _prompts(options), options.write, options.json)
        return 0
    if options.write != Writing():
        raise ValueError(
            f"--write...: {answerer.name} is no language model, so this would be ignored. "
            f"Leave it out."
        )
    lines: list[str] = [] if options.story is None else _read(options.story)
    lines += options.question
    if not options.question and options.story is None:
        answer_lines(answerer, _typed(), options.json)
    else:
        asked = [_question(line) if line in options.question else line for line in lines]
        answer_lines(answerer, asked, options.json)
    return 0


def answer_lines(answerer: Answerer, lines: Iterable[str], json: bool = False) -> None:
    """Read sentences, answer questions, forget the story at an empty line.

    Raises:
        ValueError: no line asks.
    """
    context: list[str] = []
    asked = False
    for line in (line.strip() for line in lines):
        if not line:
            context = []
        elif line.endswith("?"):
            asked = True
            show(answerer.answer(context, line), json)
        else:
            context.append(line)
    if not asked:
        raise ValueError('nothing was asked. End a line with "?", or pass --question.')


def show(answer: Answer, json: bool = False) -> None:
    """Print an answer and its evidence."""
    if json:
        from json import dumps

        print(dumps(answer.to_json(), ensure_ascii=False))
        return
    console = Console()
    console.print(f"\n{visible(answer.question)}", style="bold", markup=False, highlight=False)
    console.print(answer_line(answer), highlight=False)
    if answer.unknown_words:
        words = ", ".join(answer.unknown_words)
        unknown = f"unknown words, read as nothing: {visible(words)}"
        console.print(unknown, style="yellow", markup=False, highlight=False)
    console.print(evidence_table(answer))


def _typed(hint: str = HINT) -> Iterable[str]:
    if sys.stdin.isatty():
        print(hint)
    return sys.stdin


def _prompts(options: Ask) -> Iterable[str]:
    story = [] if options.story is None else ["\n".join(_read(options.story))]
    return [*story, *options.question] or (line.rstrip("\n") for line in _typed(GO_ON))


def _question(text: str) -> str:
    return text if text.endswith("?") else text + "?"


def _read(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8").splitlines()
    except FileNotFoundError:
        raise FileNotFoundError(
            f"{path}: no such file. Name a text file with the story, one sentence a line."
        ) from None
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path}: byte {error.start} is not UTF-8. Save the story as plain UTF-8 text."
        ) from None
