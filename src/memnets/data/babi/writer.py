"""Write stories in bAbI's line format, so that they read back as the same stories."""

import os
from collections.abc import Iterable
from pathlib import Path

from memnets.data.babi.reader import parse_stories
from memnets.data.babi.stories import Question, Statement, Story
from memnets.files import write_bytes


def write_stories(path: str | os.PathLike[str], stories: Iterable[Story]) -> None:
    """Write stories to a file, atomically; official files come back byte for byte.

    Raises:
        ValueError: the stories would not read back as they are, e.g. a text holds a TAB.
    """
    stories = list(stories)
    text = format_stories(stories)
    try:
        read_back = [story.items for story in parse_stories(text, 0, str(path))]
        data = text.encode("utf-8")
    except ValueError as error:
        raise ValueError(f"{error} Nothing was written to {path}.") from None
    for place, story in enumerate(stories):
        if read_back[place : place + 1] != [story.items]:
            raise ValueError(
                f"{path}: the story from {story.source}:{story.line} would read back as another. "
                f"Expected lines that count from 1 and texts without TAB, line end or outer "
                f"white space. Nothing was written; mend the story."
            )
    write_bytes(Path(path), data)


def format_stories(stories: Iterable[Story]) -> str:
    """The stories as text in bAbI's line format."""
    return "".join(_line(item) for story in stories for item in story.items)


def _line(item: Statement | Question) -> str:
    if isinstance(item, Statement):
        return f"{item.line} {item.text}\n"
    supports = " ".join(map(str, item.supports))
    return f"{item.line} {item.text}{item.before_tab}\t{item.answer}\t{supports}\n"
