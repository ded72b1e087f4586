"""The statistics that every task has: what is told and asked, when, of whom, and what proves it.

Each is a function of a story that gives the cells to count, one for each observation.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from memnets.data.babi.stories import Question, Statement, Story
from tools.babi_check.forms import form, kind, named
from tools.babi_check.moments import Cell

Cells = Iterator[Cell]
OPENING = 6
"""So many statements open a story; they are counted by their place."""


def told(story: Story) -> list[Statement]:
    """The statements of a story."""
    return [item for item in story.items if isinstance(item, Statement)]


def text_of(story: Story) -> dict[int, str]:
    """The lines of a story by their numbers."""
    return {item.line: item.text for item in story.items}


def memory_sizes(story: Story) -> list[int]:
    """How many statements were told before each question."""
    sizes, count = [], 0
    for item in story.items:
        if isinstance(item, Question):
            sizes.append(count)
        else:
            count += 1
    return sizes


def statement_form(story: Story) -> Cells:
    """The sentence told, its names taken out."""
    return (form(statement.text) for statement in told(story))


def question_form(story: Story) -> Cells:
    """The question asked, its names taken out."""
    return (form(question.text) for question in story.questions)


def names_told(story: Story) -> Cells:
    """Each name in a statement."""
    return (name for statement in told(story) for name in named(statement.text))


def names_asked(story: Story) -> Cells:
    """Each name in a question."""
    return (name for question in story.questions for name in named(question.text))


def answer(story: Story) -> Cells:
    """The answer."""
    return (question.answer for question in story.questions)


def opening(story: Story) -> Cells:
    """What the first statements of a story tell, by place."""
    places = enumerate(told(story)[:OPENING], 1)
    return (f"{place}: {kind(statement.text)}" for place, statement in places)


def sequence(story: Story) -> Cells:
    """What is told after what, and whether of the same one."""
    for one, other in pairwise(told(story)):
        same = named(one.text)[:1] == named(other.text)[:1]
        yield f"{kind(one.text)}, {kind(other.text)}{', same' * same}"


def same_actor(story: Story) -> Cells:
    """Whether a statement is about the one of the statement before, within a pair and between."""
    for place, (one, other) in enumerate(pairwise(told(story))):
        same = named(one.text)[:1] == named(other.text)[:1]
        yield f"{'between pairs' if place % 2 else 'in a pair'}: {'same' if same else 'another'}"


def first_gap(story: Story) -> Cells:
    """How many statements come before the first question."""
    yield from memory_sizes(story)[:1]


def gap(story: Story) -> Cells:
    """How many statements come between two questions."""
    return (later - before for before, later in pairwise(memory_sizes(story)))


def memory_size(story: Story) -> Cells:
    """How many statements come before a question."""
    yield from memory_sizes(story)


def distance(story: Story) -> Cells:
    """How many lines the latest support is above the question."""
    return (q.line - max(q.supports) for q in story.questions if q.supports)


def span(story: Story) -> Cells:
    """How many lines lie between the first and the last support."""
    return (max(q.supports) - min(q.supports) for q in story.questions if len(q.supports) > 1)


def support_count(story: Story) -> Cells:
    """How many supports a question has."""
    return (len(question.supports) for question in story.questions)


def support_order(story: Story) -> Cells:
    """Whether the supports are named in the order told."""
    for question in story.questions:
        order = sorted(question.supports)
        if len(order) > 1:
            up, down = list(question.supports) == order, list(question.supports) == order[::-1]
            yield "ascending" if up else "descending" if down else "mixed"


def support_kinds(story: Story) -> Cells:
    """What the supports tell of, in the order named; from the fourth on, how many."""
    text = text_of(story)
    for question in story.questions:
        kinds = [kind(text[line]) for line in question.supports]
        yield " + ".join(kinds[:3]) + (f" + {len(kinds) - 3}" if len(kinds) > 3 else "")


def answer_by_support(story: Story) -> Cells:
    """The answer, by what the first support tells; a name counts as its slot."""
    text = text_of(story)
    for question in story.questions:
        if question.supports:
            yield f"{kind(text[question.supports[0]])}: {form(question.answer)}"


def asked_again(story: Story) -> Cells:
    """How often the same supports answer questions of one story."""
    yield from Counter(question.supports for question in story.questions).values()


def same_asked(story: Story) -> Cells:
    """Which names a question shares with the one before."""
    for one, other in pairwise(story.questions):
        same = set(named(one.text)) & set(named(other.text))
        yield f"{len(same)} of {len(set(named(other.text)))}"


def distinct_questions(story: Story) -> Cells:
    """How many different questions a story asks."""
    yield len({question.text for question in story.questions})


def question_count(story: Story) -> Cells:
    """How many questions a story asks."""
    yield len(story.questions)


def statement_count(story: Story) -> Cells:
    """How many statements a story tells."""
    yield len(told(story))
