"""Statistics of tasks 4 and 15 to 20: how facts hang together, and which of them are asked."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from memnets.data.babi.stories import Statement, Story
from tools.babi_check.common import Cells, text_of, told
from tools.babi_check.forms import kind, named

WAY = re.compile(r"north|south|east|west|above|below|left|right")
OPPOSITE = dict(
    zip(
        ("north", "south", "east", "west", "above", "below", "left", "right"),
        ("south", "north", "west", "east", "below", "above", "right", "left"),
        strict=True,
    )
)
STEP = {
    **{"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)},
    **{"above": (0, 1), "below": (0, -1), "right": (1, 0), "left": (-1, 0)},
}
Fact = tuple[str, str, str]
"""What it speaks of, in which direction it lies, and of what."""


def facts(statements: Sequence[Statement]) -> list[Fact]:
    """The facts of tasks 4, 17 and 19."""
    found = []
    for statement in statements:
        one, other = named(statement.text, "LF")
        found.append((one, WAY.findall(statement.text)[-1], other))
    return found


def middle_thing(story: Story) -> Cells:
    """Tasks 4 and 17: where the two facts name the thing they share."""
    (a, _, b), (c, _, d) = facts(told(story))
    one, other = ("first" if a in (c, d) else "second", "first" if c in (a, b) else "second")
    yield f"{one}, {other}"


def two_ways(story: Story) -> Cells:
    """Tasks 4 and 17: the directions of the two facts."""
    (_, one, _), (_, other, _) = facts(told(story))
    same = "same" if one == other else "opposite" if OPPOSITE[one] == other else "other axis"
    yield f"{one}: {same}"


def way_asked(story: Story) -> Cells:
    """Task 4: whether the question keeps the direction of its fact, and names the middle room."""
    text = text_of(story)
    (a, _, b), (c, _, d) = facts(told(story))
    for question in story.questions:
        kept = WAY.findall(question.text)[-1] == WAY.findall(text[question.supports[0]])[-1]
        middle = named(question.text, "L")[0] in {a, b} & {c, d}
        yield f"{'kept' if kept else 'turned'}, {'middle' if middle else 'end'} named"


def first_support(story: Story) -> Cells:
    """Tasks 4 and 15 to 19: the place of the first support among the statements."""
    place = {statement.line: place for place, statement in enumerate(told(story), 1)}
    return (place[question.supports[0]] for question in story.questions)


def question_after_question(story: Story) -> Cells:
    """Task 17: whether a question asks for the same two in the same order, with the same words."""
    for one, other in pairwise(story.questions):
        order = "same" if named(one.text, "F") == named(other.text, "F") else "turned"
        way = WAY.findall(one.text)[-1] == WAY.findall(other.text)[-1]
        yield f"{order}, {'same' if way else 'another'} relation"


def relation_asked(story: Story) -> Cells:
    """Task 17: the relation asked and the answer."""
    return (f"{WAY.findall(q.text)[-1]}: {q.answer}" for q in story.questions)


def species_of_people(story: Story) -> Cells:
    """Tasks 15 and 16: how many people each species has, from many to few."""
    sizes = Counter(_species(story).values())
    yield " ".join(map(str, sorted(sizes.values(), reverse=True)))


def kinds_in_order(story: Story) -> Cells:
    """Tasks 15 and 16: what each statement tells of, by its place."""
    return (f"{place}: {kind(s.text)}" for place, s in enumerate(told(story), 1))


def fears(story: Story) -> Cells:
    """Task 15: how many species fear the same one, from many to few."""
    feared = Counter(named(s.text, "S")[1] for s in told(story) if " afraid " in s.text)
    yield " ".join(map(str, sorted(feared.values(), reverse=True)))


def fear_and_feared(story: Story) -> Cells:
    """Task 15: which species fears which."""
    return (" > ".join(named(s.text, "S")) for s in told(story) if " afraid " in s.text)


def lines_to_second_support(story: Story) -> Cells:
    """Tasks 15 to 19: how many lines the second support is below the first."""
    return (q.supports[1] - q.supports[0] for q in story.questions)


def species_asked(story: Story) -> Cells:
    """Task 16: of how many the species asked about is, and which place the one asked has."""
    species = _species(story)
    for question in story.questions:
        person = named(question.text, "P")[0]
        size = list(species.values()).count(species[person])
        yield f"{size} members, {list(species).index(person) + 1}. told"


def colours_agree(story: Story) -> Cells:
    """Task 16: how many colours a species of several coloured members has."""
    species, colours = _species(story), _colours(story)
    for one in dict.fromkeys(species.values()):
        seen = [colours[name] for name in species if species[name] == one and name in colours]
        if len(seen) > 1:
            yield f"{len(set(seen))} of {len(seen)}"


def colour_after_species(story: Story) -> Cells:
    """Task 16: how many statements after someone's species the colour is told."""
    place: dict[str, int] = {}
    for number, statement in enumerate(told(story)):
        person = named(statement.text, "P")[0]
        if named(statement.text, "C"):
            yield number - place[person]
        else:
            place[person] = number


def answer_among_colours(story: Story) -> Cells:
    """Task 16: how many of the four colours told are the answer."""
    colours = list(_colours(story).values())
    return (f"{colours.count(q.answer)} of {len(set(colours))}" for q in story.questions)


def sizes_told(story: Story) -> Cells:
    """Task 18: which things a fact compares; the four big ones are alike."""
    return (" < ".join(_small_first(statement)) for statement in told(story))


def sizes_asked(story: Story) -> Cells:
    """Task 18: which things a question compares, and the answer."""
    for question in story.questions:
        pair = [name if "chocolate" in name else "big" for name in named(question.text, "B")]
        yield f"{' and '.join(pair)}: {question.answer}"


def facts_told_again(story: Story) -> Cells:
    """Task 18: how many facts of the first five say what was said before."""
    pairs = {frozenset(named(statement.text, "B")) for statement in told(story)[:5]}
    yield 5 - len(pairs)


def blocks(story: Story) -> Cells:
    """Task 18: how many facts and questions follow each other."""
    letters = "".join("f" if isinstance(item, Statement) else "q" for item in story.items)
    runs = re.findall("f+|q+", letters)
    yield " ".join(f"{len(run)}{run[0]}" for run in runs)


def order_by_answer(story: Story) -> Cells:
    """Task 18: the answer, and whether its proof goes down the page or up."""
    for question in story.questions:
        one, other = question.supports
        yield f"{question.answer}, {'down' if one < other else 'up'}"


def trees(story: Story) -> Cells:
    """Task 19: how many neighbours the rooms have, from few to many."""
    degree = Counter(room for one, _, other in facts(told(story)) for room in (one, other))
    yield " ".join(map(str, sorted(degree.values())))


def rooms_in_fact(story: Story) -> Cells:
    """Task 19: the neighbours of the room a fact speaks of, and of the other."""
    told_facts = facts(told(story))
    degree = Counter(room for one, _, other in told_facts for room in (one, other))
    return (f"{degree[one]} of {degree[other]}" for one, _, other in told_facts)


def rooms_of_way(story: Story) -> Cells:
    """Task 19: the neighbours of the start, the middle and the end of the way asked for."""
    told_facts = facts(told(story))
    degree = Counter(room for one, _, other in told_facts for room in (one, other))
    for question in story.questions:
        start, end = named(question.text, "L")
        line = question.supports[0]
        one, _, other = told_facts[line - 1]
        yield f"{degree[start]} {degree[other if one == start else one]} {degree[end]}"


def turn(story: Story) -> Cells:
    """Task 19: whether the way turns, and which of its facts are told in the way's direction."""
    told_facts = facts(told(story))
    for question in story.questions:
        one, other = question.answer.split(",")
        start, end = named(question.text, "L")
        forward = told_facts[question.supports[0] - 1][2] == start
        onward = told_facts[question.supports[1] - 1][0] == end
        yield f"{'straight' if one == other else 'turn'}, {forward:d}{onward:d}"


def spots(story: Story) -> Cells:
    """Task 19: on how many different spots the six rooms lie."""
    told_facts = facts(told(story))
    spot = {told_facts[0][0]: (0, 0)}
    for _ in told_facts:
        for one, way, other in told_facts:
            x, y = STEP[way]
            if other in spot:
                spot.setdefault(one, (spot[other][0] + x, spot[other][1] + y))
            elif one in spot:
                spot[other] = spot[one][0] - x, spot[one][1] - y
    yield len(set(spot.values()))


def support_places(story: Story) -> Cells:
    """Tasks 15, 17, 18 and 19: the supports by their lines."""
    return (" ".join(map(str, question.supports)) for question in story.questions)


def motives_shared(story: Story) -> Cells:
    """Task 20: how many people each motive has, from many to few."""
    motives = Counter(name for statement in told(story) for name in named(statement.text, "M"))
    yield " ".join(map(str, sorted(motives.values(), reverse=True)))


def steps(story: Story) -> Cells:
    """Task 20: the steps of each person, and his motive."""
    done: dict[str, list[str]] = {}
    motive: dict[str, str] = {}
    for statement in told(story):
        person = named(statement.text, "P")[0]
        done.setdefault(person, []).append(kind(statement.text).split()[1])
        for name in named(statement.text, "M"):
            motive[person] = name
    return (f"{motive.get(person)}: {len(said)} steps" for person, said in done.items())


def _species(story: Story) -> dict[str, str]:
    """The species of each person, in the order told."""
    pairs = (named(statement.text, "PS") for statement in told(story) if " is a " in statement.text)
    return {pair[0]: pair[1] for pair in pairs}


def _colours(story: Story) -> dict[str, str]:
    pairs = (named(s.text, "PC") for s in told(story) if named(s.text, "C"))
    return {pair[0]: pair[1] for pair in pairs}


def _small_first(statement: Statement) -> Iterator[str]:
    pair = named(statement.text, "B")
    ordered = pair if " fits " in statement.text else pair[::-1]
    return (name if "chocolate" in name else "big" for name in ordered)
