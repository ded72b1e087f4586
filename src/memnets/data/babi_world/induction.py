"""Task 16: the colours of animals, and so the colour of one more of a species."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from memnets.data.babi.stories import Question, Statement
from memnets.data.babi_world.dice import Dice

PEOPLE = ("Lily", "Bernhard", "Brian", "Julius", "Greg")
SPECIES = ("swan", "lion", "frog", "rhino")
COLOURS = ("gray", "white", "yellow", "green")


class Told(NamedTuple):
    """Something told of someone, and its line."""

    line: int
    what: str


class Animals(NamedTuple):
    """The species and the colours told, each by name in the order of telling."""

    species: dict[str, Told]
    colour: dict[str, Told]


def which_colour(dice: Dice, at_most: int) -> Iterator[Statement | Question]:
    """What color is P? Proof: P's species, another's species, the other's colour.

    P is the one whose colour is still untold, and the other is the last told of P's species, but
    for P. P's species has two, four or five members; stories in which it has one or three do not
    occur in the official files.
    """
    while True:
        animals = _animals(dice)
        (asked,) = animals.species.keys() - animals.colour.keys()
        line, species = animals.species[asked]
        if Counter(told.what for told in animals.species.values())[species] not in (1, 3):
            break
    items = [
        Statement(told.line, f"{name} is a {told.what}.") for name, told in animals.species.items()
    ]
    items += [
        Statement(told.line, f"{name} is {told.what}.") for name, told in animals.colour.items()
    ]
    yield from sorted(items, key=lambda item: item.line)
    other = [
        name for name, told in animals.species.items() if told.what == species and name != asked
    ][-1]
    proof = (line, animals.species[other].line, animals.colour[other].line)
    yield Question(
        len(items) + 1, f"What color is {asked}?", animals.colour[other].what, proof, before_tab=""
    )


def _animals(dice: Dice) -> Animals:
    """Tell the species of all and the colours of all but one, in random order, species first.

    Each animal told gives its species a new colour, and a colour that is told is the species'
    present one. So those told before any of their colours share it, and others need not.
    """
    animals = Animals({}, {})
    present: dict[str, str] = {}
    told = 0
    while told < 2 * len(PEOPLE) - 1:
        name = dice.pick(PEOPLE)
        if dice.chance(0.5):
            if name in animals.species:
                continue
            told += 1
            species = dice.pick(SPECIES)
            animals.species[name] = Told(told, species)
            present[species] = dice.pick(COLOURS)
        elif name in animals.species and name not in animals.colour:
            told += 1
            animals.colour[name] = Told(told, present[animals.species[name].what])
    return animals
