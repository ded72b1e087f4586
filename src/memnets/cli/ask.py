"""`memnets ask`: tell a story, ask questions, see what was read; or let a text be gone on with."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import tyro

from memnets.cli.options import parse
from memnets.cli.pictures import ask_picture
from memnets.cli.places import expect_folder
from memnets.cli.status import USAGE
from memnets.cli.streams import print_json
from memnets.cli.tables import show
from memnets.cli.writing import Writing, show_texts
from memnets.evidence.heat import brief
from memnets.experiments.answerer import Answerer, as_question
from memnets.inference import load_to_ask

GO_ON = "Begin a text; every line is gone on with."
HINT = """\
Tell a story, one sentence a line. A line that ends with "?" asks; an empty line starts anew."""
TEXTS = "Type a text; every line is answered."
QUESTIONS = "Type a question about the picture; every line is answered."
POINTS = "Type a point a line, a comma between its numbers; the end of the input asks."


@dataclass(frozen=True)
class Ask:
    """Ask a trained run questions about a story; a language model continues your text.

    Without --question, story and questions are read from the keyboard or a pipe: a line that ends
    with "?" is a question, an empty line starts a new story. A line that cannot be read or answered
    is named and left out; the exit status is 2 then. A language model continues every line, every
    --question, or the whole --story. A model that takes a text alone, such as a tagger, answers
    every line; one that takes points those of --points, or all lines of a pipe; one that is
    asked about pictures answers about the --image.
    """

    run: tyro.conf.Positional[Path]
    """Folder of the run."""
    story: Path | None = None
    """Text file of the story, one sentence a line; it may hold questions too."""
    question: tuple[str, ...] = ()
    """Questions about the story, each in quotes."""
    points: Path | None = None
    """Of a network of points: a CSV file, a point a line."""
    image: Path | None = None
    """Of a model that is asked about pictures: the file of a picture."""
    out: Path | None = None
    """With --image: a folder for a page and a PNG of each answer, which show what every hop read;
    needs memnets[plot]."""
    data: Path | None = None
    """Folder of the data that answers are read from, where they have moved since training."""
    json: bool = False
    """Whether to print answers as JSON, one record with its evidence a line."""
    write: Writing = Writing()
    """Options of a language model."""


def main(arguments: Sequence[str]) -> int:
    """Answer every question."""
    if "--write.surprise" in arguments:
        raise ValueError("--write.surprise is called --write.surprisal now.")
    options = parse(Ask, arguments, prog="memnets ask")
    answerer = load_to_ask(options.run, options.data)
    if "points" in answerer.takes or options.points is not None:
        return _ask_points(answerer, options)
    if "image" in answerer.takes or options.image is not None or options.out is not None:
        return _ask_picture(answerer, options)
    if answerer.gives == "text":
        show_texts(answerer, _prompts(options), options.write, options.json)
        return 0
    if options.write != Writing():
        raise ValueError(
            f"--write...: {answerer.name} is no language model, so this would be ignored. "
            f"Leave it out."
        )
    lines: Iterable[str]
    if options.story is None and not options.question:
        lines = _typed(TEXTS) if answerer.takes_text else _typed()
    else:
        told = [] if options.story is None else _read(options.story)
        asked = options.question if answerer.takes_text else map(_question, options.question)
        lines = [*told, *asked]
    return answer_lines(answerer, lines, options.json)


def _ask_points(answerer: Answerer, options: Ask) -> int:
    """Answer about the points of a file, or of all lines that are typed."""
    if "points" not in answerer.takes:
        raise ValueError(f"--points: {answerer.name} takes {answerer.usage}. Leave it out.")
    other = replace(options, points=None, json=False)
    if other != Ask(options.run):
        raise ValueError(
            f"{answerer.name} takes points, and nothing else. Pass --points FILE, a CSV file with "
            f"a point a line, and leave all else out."
        )
    points = options.points
    if points is None:
        if sys.stdin.isatty():
            print(POINTS)
        show(answerer.ask(sys.stdin.read()), options.json)
    else:
        show(answerer.ask(points), options.json)
    return 0


def _ask_picture(answerer: Answerer, options: Ask) -> int:
    """Answer the questions about a picture, or all lines that are typed."""
    if "image" not in answerer.takes:
        name = "--out" if options.image is None else "--image"
        raise ValueError(f"{name}: {answerer.name} takes {answerer.usage}. Leave it out.")
    if options.image is None:
        raise ValueError(
            f"{answerer.name} is asked about a picture, and none came. Pass --image FILE."
        )
    used = ("image", "out", "question", "json")
    plain = Ask(options.run, **{name: getattr(options, name) for name in used})
    if options != plain:
        raise ValueError(
            f"{answerer.name} takes a picture and questions, and nothing else. Leave --story and "
            f"--write out."
        )
    if options.out is not None:
        expect_folder(options.out, "--out")
    questions = options.question or _typed(QUESTIONS)
    return ask_picture(answerer, options.image, questions, options.out, options.json)


def answer_lines(answerer: Answerer, lines: Iterable[str], json: bool = False) -> int:
    """Read sentences, answer questions, forget the story at an empty line.

    Where a text is all that is taken, every line is one. A line that cannot be read or answered is
    named, and the others go on.

    Returns:
        The exit status: 0 where every line was taken.

    Raises:
        ValueError: no line asks.
    """
    session = _Session(answerer, json)
    for line in lines:
        session.take(line.strip())
    if not session.asked:
        how = "Type a text" if answerer.takes_text else 'End a line with "?"'
        raise ValueError(f"nothing was asked. {how}, or pass --question.")
    return session.end()


class _Session:
    """A story as it is told, and what went wrong so far."""

    def __init__(self, answerer: Answerer, json: bool) -> None:
        self.answerer, self.json = answerer, json
        self.context: list[str] = []
        self.asked = self.unanswered = self.unread = 0

    def take(self, line: str) -> None:
        """Forget the story at an empty line, answer a question, remember all else."""
        question = line if self.answerer.takes_text else as_question(line)
        if not line:
            self.context = []
        elif question is None:
            self._hear(line)
        else:
            self.asked += 1
            self._answer(question)

    def _hear(self, line: str) -> None:
        try:
            self.answerer.expect_readable(line)
        except ValueError as error:
            self.unread += 1
            _complain(f"{error} This line is left out.")
        else:
            self.context.append(line)

    def _answer(self, question: str) -> None:
        try:
            answer = self.answerer.answer(self.context, question)
        except ValueError as error:
            self.unanswered += 1
            _complain(str(error))
            if self.json:
                print_json({"question": question, "error": str(error)})
        else:
            show(answer, self.json)

    def end(self) -> int:
        """Say how much was not taken, where there was more than one line; return the status."""
        if self.unread or (self.unanswered and self.asked > 1):
            _complain(
                f"not answered: {self.unanswered} of {self.asked} questions; "
                f"left out: {self.unread} of the lines told."
            )
        return USAGE if self.unread or self.unanswered else 0


def _complain(text: str) -> None:
    print(f"memnets: {brief(text)}", file=sys.stderr, flush=True)


def _typed(hint: str = HINT) -> Iterable[str]:
    if sys.stdin.isatty():
        print(hint)
    return sys.stdin


def _prompts(options: Ask) -> Iterable[str]:
    story = [] if options.story is None else ["\n".join(_read(options.story))]
    return [*story, *options.question] or (line.rstrip("\n") for line in _typed(GO_ON))


def _question(text: str) -> str:
    return as_question(text) or f"{text}?"


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
