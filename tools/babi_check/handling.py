"""Statistics of tasks 1 to 14: who is where, who has what, who was asked about."""

import re
from collections.abc import Iterator
from itertools import pairwise

from memnets.data.babi.stories import Question, Statement, Story
from tools.babi_check.common import Cells, text_of, told
from tools.babi_check.forms import named, verb

TIMES = ("yesterday", "this morning", "this afternoon", "this evening")
TIME = re.compile("|".join(TIMES), re.IGNORECASE)
NEGATED = re.compile(r"is (?:not|no longer) in")


def person_asked(story: Story) -> Cells:
    """How many statements ago the one asked about was told of last."""
    for memory, question in _asked(story):
        people = named(question.text, "P")
        if people:
            later = (ago for ago, s in enumerate(reversed(memory)) if people[0] in _people(s))
            yield next(later, len(memory))


def person_asked_share(story: Story) -> Cells:
    """How often the one asked about was told of in the last five statements."""
    for memory, question in _asked(story):
        people = named(question.text, "P")
        if people:
            yield sum(people[0] in _people(statement) for statement in memory[-5:])


def thing_asked(story: Story) -> Cells:
    """How lately the object asked about was handled: its rank, and how many were."""
    for memory, question in _asked(story):
        things = named(question.text, "O")
        if things:
            lately = [name for s in reversed(memory) for name in named(s.text, "O")]
            ranks = list(dict.fromkeys(lately))
            yield f"{ranks.index(things[0]) + 1} of {len(ranks)}" if things[0] in ranks else "never"


def moves_since(story: Story) -> Cells:
    """Task 3: how often the object was carried on after the visit asked about."""
    text = text_of(story)
    for memory, question in _asked(story):
        handled, here, _ = question.supports
        end = handled if verb(text[handled]) == "drop" else question.line
        yield sum(here < line < end for line in _moves(memory, named(text[handled], "P")[0]))


def places_carried(story: Story) -> Cells:
    """Task 3: how many places the object was carried to, and how many different ones."""
    text = text_of(story)
    for memory, question in _asked(story):
        handled = question.supports[0]
        thing = named(question.text, "O")[0]
        end = handled if verb(text[handled]) == "drop" else question.line
        gets = [s.line for s in memory if s.line <= end and verb(s.text) == "get"]
        start = max(line for line in gets if named(text[line], "O")[0] == thing)
        moves = _moves(memory, named(text[handled], "P")[0])
        visited = [named(text[line], "L")[0] for line in moves if start < line < end]
        yield f"{len(visited)} visits, {len(set(visited))} places"


def gifts_since(story: Story) -> Cells:
    """Task 5: how many gives were told after the one asked about."""
    for memory, question in _asked(story):
        yield sum(s.line > question.supports[0] and verb(s.text) == "give" for s in memory)


def gift_after_gift(story: Story) -> Cells:
    """Tasks 5 and 7: what a give has in common with the give before."""
    gifts = [named(s.text, "PO") for s in told(story) if verb(s.text) == "give"]
    for (giver, thing, receiver), (next_giver, next_thing, next_receiver) in pairwise(gifts):
        same = "same" if thing == next_thing else "other"
        back = (giver, receiver) == (next_receiver, next_giver)
        again = (giver, receiver) == (next_giver, next_receiver)
        yield f"{same} object, {'back' if back else 'again' if again else 'otherwise'}"


def receivers(story: Story) -> Cells:
    """Tasks 5 and 7: who gives to whom."""
    for statement in told(story):
        if verb(statement.text) == "give":
            yield " to ".join(named(statement.text, "P"))


def holding(story: Story) -> Cells:
    """How many objects are in someone's hands after each statement."""
    held = 0
    for statement in told(story):
        held += {"get": 1, "drop": -1}.get(verb(statement.text), 0)
        yield held


def carried_by_supports(story: Story) -> Cells:
    """Tasks 7 and 8: how many objects are carried, by the number of supports."""
    for question in story.questions:
        count = question.answer.count(",") + 1
        what = question.answer if question.text.startswith("How many") else str(count)
        what = "nothing" if question.answer == "nothing" else what
        yield f"{min(len(question.supports), 9)} supports: {what}"


def place_of_untold(story: Story) -> Cells:
    """Task 9: what is told of someone after a negation: the same place, or another."""
    negated: dict[str, str] = {}
    for statement in told(story):
        person, place = named(statement.text, "P")[0], named(statement.text, "L")[0]
        negative = NEGATED.search(statement.text) is not None
        if person in negated:
            how = "negated" if negative else "told"
            yield f"{how}: {'same' if negated[person] == place else 'another'}"
        negated.pop(person, None)
        if negative:
            negated[person] = place


def either_places(story: Story) -> Cells:
    """Task 10: which place of an either is the one that was known before."""
    known: dict[str, str] = {}
    for statement in told(story):
        person, places = named(statement.text, "P")[0], named(statement.text, "L")
        if len(places) == 2:
            same = places[0] == places[1]
            last = known.get(person)
            place = "none" if last not in places else "first" if places[0] == last else "second"
            yield f"{'one place' if same else 'two places'}, known: {place if last else 'nothing'}"
        known.pop(person, None)
        if len(places) == 1:
            known[person] = places[0]


def either_asked(story: Story) -> Cells:
    """Task 10: which place of an either is asked for."""
    text = text_of(story)
    for question in story.questions:
        places = named(text[question.supports[0]], "L")
        if len(places) == 2:
            (asked,) = named(question.text, "L")
            yield "none" if asked not in places else "first" if places[0] == asked else "second"


def pairs_of_people(story: Story) -> Cells:
    """Tasks 12 and 13: who goes with whom, by the order named."""
    people = (named(statement.text, "P") for statement in told(story))
    return (" and ".join(names) for names in people if len(names) == 2)


def people_in_common(story: Story) -> Cells:
    """Tasks 11 to 13: how many go that went in the trip before."""
    people = [set(names) for s in told(story) if (names := named(s.text, "P"))]
    return (len(one & other) for one, other in pairwise(people))


def time_told(story: Story) -> Cells:
    """Task 14: the times of day."""
    return (time(statement.text) for statement in told(story))


def time_after_time(story: Story) -> Cells:
    """Task 14: which time of day is told after which, and whether of the same person."""
    for one, other in pairwise(told(story)):
        same = named(one.text, "P") == named(other.text, "P")
        yield f"{time(one.text)}, {time(other.text)}{', same' * same}"


def times_asked(story: Story) -> Cells:
    """Task 14: the time asked about, the one before it, and how many later ones were told."""
    text = text_of(story)
    for memory, question in _asked(story):
        later, before = (time(text[line]) for line in question.supports)
        person = named(question.text, "P")
        times = [TIMES.index(time(s.text)) for s in memory if named(s.text, "P") == person]
        after = sum(one > TIMES.index(later) for one in times)
        yield f"{later}, before it {before}, later {after}"


def visits_of_place_asked(story: Story) -> Cells:
    """Task 14: how often the person asked about was at the place asked about."""
    for memory, question in _asked(story):
        yield sum(named(s.text, "PL") == named(question.text, "PL") for s in memory)


def time(text: str) -> str:
    """The time of day in a statement."""
    found = TIME.search(text)
    return found[0].lower() if found else "no time"


def _people(statement: Statement) -> tuple[str, ...]:
    return named(statement.text, "P")


def _moves(memory: list[Statement], person: str) -> Iterator[int]:
    return (s.line for s in memory if verb(s.text) == "go" and _people(s) == (person,))


def _asked(story: Story) -> Iterator[tuple[list[Statement], Question]]:
    """Each question with all that was told before it; the list grows as the story goes on."""
    memory: list[Statement] = []
    for item in story.items:
        if isinstance(item, Statement):
            memory.append(item)
        else:
            yield memory, item
