"""What is always so in the official files, and where a story breaks it.

Each rule is a function of a story that gives the lines where it does not hold. Every "n of n" of
the official files is here; what else is constant there is found by `tools.babi_check.reference`.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from memnets.data.babi.solve import Solved, solve
from memnets.data.babi.solve.comparisons import proofs
from memnets.data.babi.stories import Question, Statement, Story
from tools.babi_check.common import memory_sizes, text_of, told
from tools.babi_check.forms import named, verb
from tools.babi_check.handling import NEGATED, time
from tools.babi_check.reasoning import OPPOSITE, facts

Lines = Iterator[int]
NO_SPACE = (4, 15, 16, 17, 18, 19, 20)
"""The tasks in which no space precedes the TAB after a question."""
WOMEN = frozenset({"mary", "sandra"})


class Rule(NamedTuple):
    """Something that always holds, the lines where it does not, and its tasks.

    `whole`: it is of the whole story, so the last of a file, which may be cut short, is left out.
    """

    name: str
    broken: Callable[[Story], Iterator[int]]
    tasks: tuple[int, ...]
    whole: bool = False


def follows(story: Story) -> Lines:
    """The answer follows from the text, and the supports prove it, in the official order."""
    memory: list[Statement] = []
    for item in story.items:
        if isinstance(item, Statement):
            memory.append(item)
        elif Solved(item.answer, item.supports) not in _solutions(story.task, memory, item):
            yield item.line


def _solutions(task: int, memory: list[Statement], question: Question) -> list[Solved]:
    try:
        if task == 18:
            # A thing told twice proves it twice; any of the proofs will do.
            return proofs(memory, question.text)
        if task == 5:
            # A question can fit a later give too: it is read as of when its support was told.
            until = max(question.supports, default=0)
            memory = [statement for statement in memory if statement.line <= until]
        return [solve(task, memory, question.text)]
    except ValueError:  # the solver does not understand the question, or finds nothing
        return []


def space_before_tab(story: Story) -> Lines:
    """A space parts the question from the TAB, or nothing does, by the task."""
    expected = "" if story.task in NO_SPACE else " "
    return (question.line for question in story.questions if question.before_tab != expected)


def ends_with_question(story: Story) -> Lines:
    """A story ends with a question."""
    if isinstance(story.items[-1], Statement):
        yield story.items[-1].line


def told_in_pairs(story: Story) -> Lines:
    """Statements come in pairs, so each question has an even number before it."""
    sizes = zip(story.questions, memory_sizes(story), strict=True)
    return (question.line for question, size in sizes if size % 2)


def goes_elsewhere(story: Story) -> Lines:
    """Nobody goes to where he is, as far as that is told."""
    at: dict[str, str] = {}
    before: tuple[str, ...] = ()
    for statement in told(story):
        people = named(statement.text, "P") or before
        places = named(statement.text, "L")
        if verb(statement.text) == "go" and any(at.get(name) == places[0] for name in people):
            yield statement.line
        if verb(statement.text) == "go" or " is in " in statement.text:
            at.update(dict.fromkeys(people, places[0]))
        elif places:
            # It is told vaguely; he moved, and nobody knows where to.
            at = {name: place for name, place in at.items() if name not in people}
        before = people


def handles_what_he_can(story: Story) -> Lines:
    """Things are taken where they lie, by nobody while held; given and dropped by the holder."""
    at: dict[str, str] = {}
    holder: dict[str, str] = {}
    lies: dict[str, str | None] = {}
    for statement in told(story):
        person, *others = named(statement.text, "P")
        act = verb(statement.text)
        if act == "go":
            at[person] = named(statement.text, "L")[0]
            continue
        (thing,) = named(statement.text, "O")
        here = at.get(person)
        if act == "get":
            lain = lies.get(thing)
            if thing in holder or (lain and here and lain != here):
                yield statement.line
            holder[thing] = person
        elif holder.get(thing, person) != person:
            yield statement.line
        if act == "give":
            there = at.get(others[0])
            if others[0] == person or (here and there and here != there):
                yield statement.line
            holder[thing] = others[0]
        if act == "drop":
            holder.pop(thing, None)
            lies[thing] = here


def on_one_axis(story: Story) -> Lines:
    """Task 4: three rooms on one axis, one after the other."""
    (a, one, b), (c, other, d) = facts(told(story))
    # Told of the middle room twice or never, the directions are opposite, else the same.
    middle = a == c or b == d
    if len({a, b, c, d}) != 3 or other != (OPPOSITE[one] if middle else one):
        yield 2


def given_lately(story: Story) -> Lines:
    """Tasks 5, 7 and 8: who or what is asked about was handled in the last five statements."""
    memory: list[Statement] = []
    for item in story.items:
        if isinstance(item, Statement):
            memory.append(item)
        elif not any(
            set(named(item.text, "PO")) & set(named(statement.text, "PO"))
            for statement in memory[-5:]
            if verb(statement.text) != "go"
        ):
            yield item.line


def negates_what_was_known(story: Story) -> Lines:
    """Task 9: the place negated is the last place known, and never that negated just before."""
    known: dict[str, str] = {}
    negated: dict[str, str] = {}
    for statement in told(story):
        (person,), (place,) = named(statement.text, "P"), named(statement.text, "L")
        if NEGATED.search(statement.text):
            if known.pop(person, place) != place or negated.get(person) == place:
                yield statement.line
            negated[person] = place
        else:
            known[person] = place
            negated.pop(person, None)


def asks_what_was_negated(story: Story) -> Lines:
    """Task 9: after a negation the place negated is asked for."""
    text = text_of(story)
    for question in story.questions:
        proof = text[question.supports[0]]
        if NEGATED.search(proof) and named(question.text, "L") != named(proof, "L"):
            yield question.line


def asked_places(story: Story) -> Lines:
    """Task 14: nobody is told of twice at one time of day."""
    seen: set[tuple[str, str]] = set()
    for statement in told(story):
        when = named(statement.text, "P")[0], time(statement.text)
        if when in seen:
            yield statement.line
        seen.add(when)


def pronoun_fits(story: Story) -> Lines:
    """Tasks 11 and 13: he, she and they are those of the statement before."""
    for one, other in pairwise(told(story)):
        people = named(one.text, "P")
        words = set(other.text.lower().split())
        said = words & {"he", "she", "they"}
        right = "they" if len(people) > 1 else "she" if set(people) <= WOMEN else "he"
        if said and (not people or said != {right}):
            yield other.line


def two_different_people(story: Story) -> Lines:
    """Tasks 12 and 13: two go, who are not the same."""
    for statement in told(story):
        people = named(statement.text, "P")
        if people and (len(people) != 2 or people[0] == people[1]):
            yield statement.line


def fears_are_told_first(story: Story) -> Lines:
    """Task 15: each species fears one other; nobody is of a species whose fear is untold."""
    singular = {"mice": "mouse", "wolves": "wolf", "cats": "cat", "sheep": "sheep"}
    feared: set[str] = set()
    for statement in told(story):
        species = named(statement.text, "S")
        if " afraid " in statement.text:
            if species[0] == species[1] or singular[species[0]] in feared:
                yield statement.line
            feared.add(singular[species[0]])
        elif species[0] not in feared:
            yield statement.line


def one_without_colour(story: Story) -> Lines:
    """Task 16: all but the one asked about have a colour, told after the species."""
    species: dict[str, str] = {}
    colours: set[str] = set()
    for statement in told(story):
        (person,) = named(statement.text, "P")
        if named(statement.text, "C"):
            if person not in species or person in colours:
                yield statement.line
            colours.add(person)
        else:
            species[person] = named(statement.text, "S")[0]
    for question in story.questions:
        (asked,) = named(question.text, "P")
        members = list(species.values()).count(species.get(asked, ""))
        if {*species} - colours != {asked} or members in (0, 1, 3):
            yield question.line


def asks_for_the_ends(story: Story) -> Lines:
    """Task 17: the two shapes are asked for that no fact compares."""
    (a, _, b), (c, _, d) = facts(told(story))
    for question in story.questions:
        if set(named(question.text, "F")) != {a, b} ^ {c, d}:
            yield question.line


def sizes_have_an_order(story: Story) -> Lines:
    """Task 18: chocolate, then its box, then the rest; nothing is smaller and bigger too."""
    seen: set[tuple[str, ...]] = set()
    for statement in told(story):
        pair = named(statement.text, "B")
        small, big = pair if " fits " in statement.text else pair[::-1]
        chocolate = big == "chocolate" or (big == "box of chocolates" and small != "chocolate")
        if (big, small) in seen or small == big or chocolate:
            yield statement.line
        seen.add((small, big))


def tree_of_six(story: Story) -> Lines:
    """Task 19: five facts join six rooms to a tree, which is never a bare path."""
    pairs = [{one, other} for one, _, other in facts(told(story))]
    degree = Counter(room for pair in pairs for room in pair)
    joined = set(pairs[0])
    for _ in pairs:
        joined |= {room for pair in pairs if pair & joined for room in pair}
    if len(pairs) != 5 or len(degree) != 6 or len(joined) != 6 or max(degree.values()) < 3:
        yield story.items[0].line


def feels_goes_takes(story: Story) -> Lines:
    """Task 20: everyone feels, then goes, then takes; each thing is taken once."""
    done: Counter[str] = Counter()
    taken: set[str] = set()
    for statement in told(story):
        (person,) = named(statement.text, "P")
        step = ("", "go", "get").index(verb(statement.text))
        thing = set(named(statement.text, "O"))
        if done[person] != step or thing & taken:
            yield statement.line
        done[person] += 1
        taken |= thing


def all_four_are_done(story: Story) -> Lines:
    """Task 20: a story ends when nobody of four can do more."""
    taken = {name for s in told(story) if verb(s.text) == "get" for name in named(s.text, "O")}
    motives = {name for statement in told(story) for name in named(statement.text, "M")}
    people = {name for statement in told(story) for name in named(statement.text, "P")}
    goes = sum(verb(statement.text) == "go" for statement in told(story))
    if (len(people), goes, len(taken)) != (4, 4, len(motives)):
        yield story.items[-1].line


PAIRS = (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)
RULES = (
    Rule("the answer follows", follows, tuple(range(1, 21))),
    Rule("space before the TAB", space_before_tab, tuple(range(1, 21))),
    Rule("ends with a question", ends_with_question, tuple(range(1, 21))),
    Rule("told in pairs", told_in_pairs, PAIRS),
    Rule("goes elsewhere", goes_elsewhere, (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13)),
    Rule("handles what he can", handles_what_he_can, (2, 3, 5, 6, 7, 8)),
    Rule("rooms on one axis", on_one_axis, (4,)),
    Rule("asked of what was handled lately", given_lately, (2, 3, 5, 7, 8)),
    Rule("negates what was known", negates_what_was_known, (9,)),
    Rule("asks what was negated", asks_what_was_negated, (9,)),
    Rule("one place at a time", asked_places, (14,)),
    Rule("pronoun fits", pronoun_fits, (11, 13)),
    Rule("two different people", two_different_people, (12, 13)),
    Rule("fears are told first", fears_are_told_first, (15,)),
    Rule("one without a colour", one_without_colour, (16,)),
    Rule("asks for the two ends", asks_for_the_ends, (17,)),
    Rule("sizes have an order", sizes_have_an_order, (18,)),
    Rule("a tree of six rooms", tree_of_six, (19,)),
    Rule("feels, goes, takes", feels_goes_takes, (20,)),
    Rule("all four are done", all_four_are_done, (20,), whole=True),
)
