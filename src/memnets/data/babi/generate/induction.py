"""Task 16: the colours of animals, and so the colour of one more of a species."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memnets.data.babi.generate.dice import Dice
from memnets.data.babi.generate.world import Setting
from memnets.data.babi.stories import Question, Statement

ZOO = Setting(("Lily", "Bernhard", "Brian", "Julius", "Greg"))
SPECIES = ("swan", "lion", "frog", "rhino")
COLOURS = ("gray", "white", "yellow", "green")


class ToldLine(NamedTuple):
    """Something told of someone, and its line."""

    line: int
    what: str


class Animals(NamedTuple):
    """What was told; and by name, in the order of telling, the species and the colours."""

    told: list[Statement]
    species: dict[str, ToldLine]
    colour: dict[str, ToldLine]


def which_colour(dice: Dice, setting: Setting) -> Iterator[Statement | Question]:
    """What color is P? Proof: P's species, another's species, the other's colour.

    P is the one whose colour is still untold; the other is the last told of P's species, but for
    P. The species has two, four or five members: in the official files never one or three.
    """
    while True:
        animals = _animals(setting.actors, dice)
        (asked,) = animals.species.keys() - animals.colour.keys()
        line, species = animals.species[asked]
        members = [name for name, told in animals.species.items() if told.what == species]
        if len(members) not in (1, 3):
            break
    yield from animals.told
    other = [name for name in members if name != asked][-1]
    known, answer = animals.colour[other]
    proof = (line, animals.species[other].line, known)
    text = f"What color is {asked}?"
    yield Question(len(animals.told) + 1, text, answer, proof, before_tab="")


def _animals(people: Sequence[str], dice: Dice) -> Animals:
    """Tell the species of all and the colours of all but one, in random order, species first.

    Each animal told gives its species a new colour, and a colour that is told is the species'
    present one. So those told before any of their colours share it, and others need not.
    """
    animals = Animals([], {}, {})
    present: dict[str, str] = {}
    while len(animals.told) < 2 * len(people) - 1:
        line = len(animals.told) + 1
        name = dice.pick(people)
        tell_species = dice.chance(0.5)
        if tell_species and name not in animals.species:
            species = dice.pick(SPECIES)
            present[species] = dice.pick(COLOURS)
            animals.species[name] = ToldLine(line, species)
            animals.told.append(Statement(line, f"{name} is a {species}."))
        elif not tell_species and name in animals.species and name not in animals.colour:
            colour = present[animals.species[name].what]
            animals.colour[name] = ToldLine(line, colour)
            animals.told.append(Statement(line, f"{name} is {colour}."))
    return animals
