"""Tasks 4, 17 and 19: what lies where, how two shapes lie, and the way between two rooms."""

import re
from collections.abc import Iterator, Sequence

from memnets.data.babi.solve.solved import Solved, matched
from memnets.data.babi.stories import Statement

STEP = {
    "north": (0, 1),
    "south": (0, -1),
    "east": (1, 0),
    "west": (-1, 0),
    "above": (0, 1),
    "below": (0, -1),
    "to the right of": (1, 0),
    "to the left of": (-1, 0),
}
LETTER = {(0, 1): "n", (0, -1): "s", (1, 0): "e", (-1, 0): "w"}
ROOM_FACT = re.compile(r"The (\w+) is (north|south|east|west) of the (\w+)\.")
SHAPE_FACT = re.compile(r"The (.+) is (above|below|to the (?:left|right) of) the (.+)\.")
WHAT_LIES = re.compile(r"What is (?:(\w+) of the (\w+)|the (\w+) (\w+) of)\?")
DO_THEY_LIE = re.compile(r"Is the (.+) (above|below|to the (?:left|right) of) the (.+)\?")
WHICH_WAY = re.compile(r"How do you go from the (\w+) to the (\w+)\?")

Step = tuple[int, int]


def what_lies_where(told: Sequence[Statement], question: str) -> Solved:
    """What is north of the B? What is the B north of? The one fact that says so, either way."""
    direction, room, other, backwards = matched(WHAT_LIES, question).groups()
    asked = STEP[direction] if direction else _back(STEP[backwards])
    for line, start, step, end in _steps(ROOM_FACT, told):
        if start == (room or other) and step == asked:
            return Solved(end, (line,))
    raise ValueError(f"{question} Nothing told says so. Expected a fact on it before.")


def how_they_lie(told: Sequence[Statement], question: str) -> Solved:
    """Is the A above the B? Go from A to B by way of the third shape, and look back."""
    shape, relation, other = matched(DO_THEY_LIE, question).groups()
    (line, step), (further, onward) = _way(SHAPE_FACT, told, shape, other)
    asked = STEP[relation]
    ahead = sum(way[axis] * asked[axis] for way in (step, onward) for axis in (0, 1))
    return Solved("yes" if ahead < 0 else "no", (line, further))


def how_to_go(told: Sequence[Statement], question: str) -> Solved:
    """How do you go from the A to the B? By two facts that share a room."""
    way = _way(ROOM_FACT, told, *matched(WHICH_WAY, question).groups())
    answer = ",".join(LETTER[step] for _, step in way)
    return Solved(answer, tuple(line for line, _ in way))


def _way(
    fact: re.Pattern[str], told: Sequence[Statement], start: str, end: str
) -> list[tuple[int, Step]]:
    """The two steps from the start to the end, each with its line."""
    for line, here, step, middle in _steps(fact, told):
        for further, there, onward, last in _steps(fact, told):
            if (here, middle, last) == (start, there, end):
                return [(line, step), (further, onward)]
    raise ValueError(f"no two facts lead from the {start} to the {end}. Expected them before.")


def _steps(
    fact: re.Pattern[str], told: Sequence[Statement]
) -> Iterator[tuple[int, str, Step, str]]:
    """Each fact read both ways: its line, from where, in which direction, to where."""
    for statement in told:
        end, direction, start = matched(fact, statement.text).groups()
        yield statement.line, start, STEP[direction], end
        yield statement.line, end, _back(STEP[direction]), start


def _back(step: Step) -> Step:
    return -step[0], -step[1]
