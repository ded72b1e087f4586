"""Task 15: what each species fears, who is of which species, and so what someone fears."""

from collections.abc import Iterator

from memnets.data.babi.generate.dice import Dice
from memnets.data.babi.generate.world import Setting
from memnets.data.babi.stories import Question, Statement

PREY = Setting(("Gertrude", "Winona", "Jessica", "Emily"))
PLURAL = {"mouse": "mice", "sheep": "sheep", "wolf": "wolves", "cat": "cats"}
SPECIES = tuple(PLURAL)
QUESTIONS_A_STORY = 4


def what_is_feared(dice: Dice, setting: Setting) -> Iterator[Statement | Question]:
    """What is p afraid of? Proof: the line on p, then the line on its species.

    Four fears and four people are told in random order, but someone is only of a species whose
    fear has been told: another draw is made where it has not.
    """
    people = setting.actors
    untold = [*SPECIES, *people]
    feared: dict[str, tuple[int, str]] = {}
    members: dict[str, tuple[int, str]] = {}
    line = 0
    while untold:
        name, species = dice.pick(untold), dice.pick(SPECIES)
        if name in people and species not in feared:
            continue
        untold.remove(name)
        line += 1
        if name in people:
            members[name] = line, species
            yield Statement(line, f"{name} is a {species}.")
        else:
            feared[name] = line, dice.pick([other for other in SPECIES if other != name])
            fear = PLURAL[feared[name][1]]
            yield Statement(line, f"{PLURAL[name].capitalize()} are afraid of {fear}.")
    for _ in range(QUESTIONS_A_STORY):
        line += 1
        name = dice.pick(people)
        told, species = members[name]
        proof, answer = feared[species]
        text = f"What is {name.lower()} afraid of?"
        yield Question(line, text, answer, (told, proof), before_tab="")
