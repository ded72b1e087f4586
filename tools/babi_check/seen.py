"""What is seen of the stories of a task: the cells of every statistic, and what breaks a rule."""

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from memnets.data.babi.stories import Question, Statement, Story, tokens
from tools.babi_check.common import memory_sizes
from tools.babi_check.forms import form
from tools.babi_check.moments import Cell
from tools.babi_check.rules import RULES
from tools.babi_check.table import STATISTICS


class Broken(NamedTuple):
    """A rule that does not hold: its name, "file:line", and the text of that line."""

    rule: str
    where: str
    text: str


class Seen(NamedTuple):
    """What was seen of the stories of a task.

    Args:
        stories: how many were counted.
        questions: how many those ask.
        cells: by statistic, the counts of each story.
        memory: of each story, the sizes of its memories.
        words: how often each was read; joined answers are parted.
        forms: the sentences with slots for their names.
        broken: where a rule does not hold.
    """

    stories: int
    questions: int
    cells: dict[str, list[Counter[Cell]]]
    memory: list[list[int]]
    words: Counter[str]
    forms: frozenset[str]
    broken: list[Broken]


def look(
    task: int,
    files: Sequence[Sequence[Story]],
    forms: Container[str] | None = None,
    constants: Mapping[str, Cell] | None = None,
) -> Seen:
    """Look at the stories of a task, file by file.

    A story that cannot be read as one of its task is listed among what is broken, and not counted.
    Nor is the last story of a file, which may be cut short: rules alone are for it too.

    Args:
        task: its number.
        files: the stories of each file.
        forms: the sentences that are known, names taken out; by default any.
        constants: the statistics that should have one value only, and the value.
    """
    constants = constants or {}
    statistics = [statistic for statistic in STATISTICS if task in statistic.tasks]
    rules = [rule for rule in RULES if task in rule.tasks]
    cells: dict[str, list[Counter[Cell]]] = {statistic.name: [] for statistic in statistics}
    memory: list[list[int]] = []
    words: Counter[str] = Counter()
    seen_forms: set[str] = set()
    broken: list[Broken] = []
    for story, whole in _told_whole(files):
        for item in story.items:
            words.update(_words(item))
        unknown = [item for item in story.items if forms and form(item.text) not in forms]
        if unknown:
            broken += [_broken("a known sentence", story, item.line) for item in unknown]
            continue
        try:
            counted = {s.name: Counter(s.cells(story)) for s in statistics}
            lines = {r.name: list(r.broken(story)) for r in rules if whole or not r.whole}
        except (ValueError, LookupError):
            broken.append(_broken("built like the official ones", story, story.items[0].line))
            continue
        broken += [_broken(name, story, line) for name in lines for line in lines[name]]
        seen_forms.update(form(item.text) for item in story.items)
        if not whole:
            continue
        memory.append(memory_sizes(story))
        for name, counts in counted.items():
            cells[name].append(counts)
            if name in constants and counts.keys() - {constants[name]}:
                always = f"{name}: always {constants[name]}"
                broken.append(_broken(always, story, story.items[0].line))
    questions = sum(map(len, memory))
    return Seen(len(memory), questions, cells, memory, words, frozenset(seen_forms), broken)


def _told_whole(files: Sequence[Sequence[Story]]) -> Iterator[tuple[Story, bool]]:
    """Each story, and whether it is surely told whole: the last of a file may be cut short."""
    return ((story, story is not stories[-1]) for stories in files for story in stories)


def _words(item: Statement | Question) -> list[str]:
    answers = item.answer.lower().split(",") if isinstance(item, Question) else []
    return [*tokens(item.text), *answers]


def _broken(rule: str, story: Story, line: int) -> Broken:
    (text,) = (item.text for item in story.items if item.line == line)
    return Broken(rule, f"{story.source}:{story.line + line - 1}", text)
