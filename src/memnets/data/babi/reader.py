"""Read bAbI's line format, tolerantly where nothing is lost and strictly where meaning is.

A line is ``N text.`` (told) or ``N question?<TAB>answer<TAB>ids`` (asked); N restarts at 1 with
each story.

Accepted: LF, CRLF or CR line ends, a byte order mark, blank lines,
white space around a field, a missing or empty ids column (no evidence is named), gaps in the
numbering, a story that asks nothing, a question before anything was told, any UTF-8 text.

Refused, with file and line: bytes that are 0 or not UTF-8, a file without a story, a line without a
number or without text, a story that does not start at 1, numbers that repeat or go back, a
question or an answer without text, a question without its answer or without the TAB before it, more
than three columns, evidence that is not a statement above the question, a file whose last line has
no end: it may have been cut within it, which nothing else would tell.
"""

import os
import re
from pathlib import Path

from memnets.data.babi.stories import Question, Statement, Story

_EXPECTED_QUESTION = (
    'Expected "question?<TAB>answer<TAB>line numbers", each number one of the story\'s own '
    "statements. Correct the line, or download the file anew."
)
_LOST_TAB = re.compile(r"\?\s+[^?]*[^\W_]\s*$")
"""A question with more behind it that ends like no sentence: an answer, line numbers."""


def read_stories(path: str | os.PathLike[str], task: int | None = None) -> list[Story]:
    """Read every story of a file.

    Args:
        path: a file in bAbI's line format.
        task: the task's number; by default what the file's name says ("qa7_..." is 7), else 0.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is not in the format; the text names file, line and remedy.
    """
    path = Path(path)
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise FileNotFoundError(
            f"{path}: this {what}; expected a file of bAbI stories. "
            f"Name the file, e.g. qa1_single-supporting-fact_train.txt."
        )
    if task is None:
        named = re.match(r"qa(\d{1,2})_", path.name)
        task = int(named[1]) if named else 0
    text = _decoded(path.read_bytes(), str(path))
    if text and text[-1] not in "\r\n":
        row = len(_lines(text))
        raise ValueError(
            f"{path}:{row}: the file ends within this line, {_lines(text)[-1][-40:]!r}: it has no "
            f"line end. Download the file anew; or, if the line is whole, add a line end to it."
        )
    return parse_stories(text, task, str(path))


def parse_stories(text: str, task: int, source: str) -> list[Story]:
    """Parse text in bAbI's line format; `source` names it in records and errors."""
    stories: list[Story] = []
    items: list[Statement | Question] = []
    told: set[int] = set()
    start = 0
    for row, line in enumerate(_lines(text), start=1):
        if not line.strip():
            continue
        place = f"{source}:{row}"
        if "\0" in line:
            raise ValueError(
                f"{place}: a byte of the line is 0, which no text has. "
                f"Expected a text file. Save it as UTF-8, or download it anew."
            )
        number, rest = _numbered(line, place)
        if number == 1:
            if len(items) == 1 and isinstance(items[0], Statement):
                raise ValueError(
                    f"{place}: line 1 follows line 1. Expected numbers that rise, and a story of "
                    f"more than one statement. Renumber the lines, or download the file anew."
                )
            if items:
                stories.append(Story(tuple(items), task, source, start))
            items, told, start = [], set(), row
        else:
            _check_follows(number, items, place)
        if "\t" in rest:
            items.append(_question(number, rest, told, place))
        elif rest.rstrip().endswith("?"):
            raise ValueError(f"{place}: the question has no answer. {_EXPECTED_QUESTION}")
        elif _LOST_TAB.search(rest):
            raise ValueError(
                f"{place}: no TAB stands between the question and its answer. {_EXPECTED_QUESTION}"
            )
        else:
            items.append(Statement(number, rest.strip()))
            told.add(number)
    if not items:
        raise ValueError(
            f"{source}: there is no story in this file. "
            f'Expected lines "N text." and "N question?<TAB>answer<TAB>ids". '
            f"Download the file anew."
        )
    stories.append(Story(tuple(items), task, source, start))
    return stories


def _decoded(data: bytes, source: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = data.count(b"\n", 0, error.start) + 1
        raise ValueError(
            f"{source}:{row}: byte 0x{data[error.start]:02x} is not UTF-8 text. "
            f"Expected a text file. Save it as UTF-8, or download it anew."
        ) from None


def _lines(text: str) -> list[str]:
    # Not str.splitlines: it also breaks at form feeds and other characters a text may hold.
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _number(text: str) -> int | None:
    # int() alone would take "+3", "1_0", other scripts' digits, and fail on very long numbers.
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _numbered(line: str, place: str) -> tuple[int, str]:
    head, _, rest = line.lstrip().partition(" ")
    number = _number(head)
    if number is None:
        raise ValueError(
            f"{place}: the line starts with {head[:40]!r}, not with a number. "
            f'Expected "N text." with N counted from 1 in each story. Correct the line.'
        )
    if not rest.strip():
        raise ValueError(
            f"{place}: line {number} of the story has no text. "
            f'Expected "N text.". Write the text, or remove the line.'
        )
    return number, rest


def _check_follows(number: int, items: list[Statement | Question], place: str) -> None:
    if not items:
        raise ValueError(
            f"{place}: the first story starts at line {number}. "
            f"Expected each story to start at 1. The head of the file is missing: download it anew."
        )
    last = items[-1].line
    if number <= last:
        raise ValueError(
            f"{place}: line {number} follows line {last} of the same story. "
            f"Expected numbers that rise, and 1 where a new story starts. Renumber the lines."
        )


def _question(number: int, rest: str, told: set[int], place: str) -> Question:
    text, answer, *columns = rest.split("\t")
    if len(columns) > 1:
        raise ValueError(
            f"{place}: the question has {len(columns) + 2} columns. {_EXPECTED_QUESTION}"
        )
    asked = text.strip()
    for name, field in (("question", asked), ("answer", answer.strip())):
        if not field:
            raise ValueError(f"{place}: the {name} has no text. {_EXPECTED_QUESTION}")
    supports = []
    for word in columns[0].split() if columns else ():
        support = _number(word)
        if support is None:
            raise ValueError(
                f"{place}: the answer names {word[:40]!r} as its evidence. {_EXPECTED_QUESTION}"
            )
        if support not in told:
            raise ValueError(
                f"{place}: the answer names line {support} as its evidence, "
                f"but {_what_stands(support, number)}. {_EXPECTED_QUESTION}"
            )
        supports.append(support)
    before_tab = text[len(text.rstrip()) :]
    return Question(number, asked, answer.strip(), tuple(supports), before_tab)


def _what_stands(support: int, number: int) -> str:
    if 0 < support < number:
        return "that is not a statement of this story"
    return f"this story has lines 1 to {number - 1} above it"
