"""Facts that nobody can know: films and towns, with their people and rivers, all of them invented.

For trying a KB out, and for measuring what is learnt of one from nothing but its own facts. The
same seed gives the same facts everywhere.
"""

import random
from collections.abc import Callable, Iterator
from types import MappingProxyType

from memnets.data.facts import Triple


def _words(text: str) -> list[str]:
    return text.split()


_SYLLABLES = _words(
    """ba be bo da do du fa fi ga go ha ka ki ko la le li lo lu ma me mi mo na ne no
    pa po ra re ri ro sa se si so ta te ti to tu va ve vi wa we wi za ze zo"""
)
_ENDINGS = _words("l n r s th nd ck rn st m")
_FIRST = _words(
    """Ada Ben Cora Dan Elsa Finn Gina Hugo Ines Jon Kira Leo Mara Nils Olga Piet Rosa Sven Tara Ugo
    Vera Wim Xenia Yann Zoe"""
)
_ADJECTIVES = _words(
    """Silent Broken Last Golden Hidden Frozen Burning Empty Second Crooked Distant Paper
    Winter Hollow Scarlet Restless Forgotten Narrow Midnight Patient"""
)
_NOUNS = _words(
    """Harbour Garden Letter Mirror Orchard Bridge Lantern Window Voyage Island Clock Winter
    Stranger Violin River Staircase Crown Engine Promise Shadow Market Tower Summer Witness"""
)
_PLACES = _words("ford ton ham burg field mouth haven wick")
_GENRES = "Drama,Comedy,Thriller,Western,Science Fiction,Romance,Documentary,Musical,Horror"
_LANGUAGES = "Velic,Ormish,Tarran,Lower Sund,Old Kess"
_TRADES = "glass,wool,salt,clocks,paper,amber,timber,copper"


class _Namer:
    """Gives out names, each once."""

    def __init__(self, dice: random.Random) -> None:
        self._dice, self._given = dice, set[str]()

    def fresh(self, make: Callable[[], str]) -> str:
        """Return a name that differs from all others by more than an article."""
        while (name := make()).removeprefix("The ") in self._given:
            pass
        self._given.add(name.removeprefix("The "))
        return name

    def person(self) -> str:
        return self.fresh(lambda: f"{self._dice.choice(_FIRST)} {self._word()}")

    def town(self) -> str:
        return self.fresh(lambda: self._word() + self._dice.choice(_PLACES))

    def river(self) -> str:
        return self.fresh(lambda: f"River {self._word()}")

    def title(self) -> str:
        return self.fresh(self._title)

    def _word(self) -> str:
        syllables = self._dice.choices(_SYLLABLES, k=self._dice.randint(1, 3))
        return ("".join(syllables) + self._dice.choice(_ENDINGS)).capitalize()

    def _title(self) -> str:
        adjective, noun = self._dice.choice(_ADJECTIVES), self._dice.choice(_NOUNS)
        forms = (f"The {adjective} {noun}", f"{adjective} {noun}", f"{noun} of {self._word()}")
        return self._dice.choice(forms)


def films(seed: int) -> Iterator[Triple]:
    """Yield facts of films and of the people who make them, without end."""
    dice = random.Random(f"films {seed}")
    namer = _Namer(dice)
    towns = [namer.town() for _ in range(20)]
    people: list[str] = []

    def person() -> Iterator[Triple]:
        people.append(namer.person())
        yield Triple(people[-1], "born_in", dice.choice(towns))
        if dice.random() < 0.7:
            yield Triple(people[-1], "birth_year", str(dice.randint(1890, 1985)))

    while True:
        title = namer.title()
        while len(people) < 20 or dice.random() < 0.3:
            yield from person()
        yield Triple(title, "directed_by", dice.choice(people))
        if dice.random() < 0.8:
            yield Triple(title, "written_by", dice.choice(people))
        for actor in dice.sample(people, dice.randint(1, 3)):
            yield Triple(title, "starred_actors", actor)
        if dice.random() < 0.9:
            yield Triple(title, "release_year", str(dice.randint(1920, 2020)))
        if dice.random() < 0.8:
            yield Triple(title, "has_genre", dice.choice(_GENRES.split(",")))
        if dice.random() < 0.5:
            yield Triple(title, "in_language", dice.choice(_LANGUAGES.split(",")))


def towns(seed: int) -> Iterator[Triple]:
    """Yield facts of towns, their mayors and rivers, without end."""
    dice = random.Random(f"towns {seed}")
    namer = _Namer(dice)
    rivers = [namer.river() for _ in range(15)]
    counties = [namer.fresh(lambda: f"County {namer.town()}") for _ in range(8)]
    built: list[str] = []
    for county in counties:
        built.append(namer.town())
        yield Triple(built[-1], "capital_of", county)
    for river in rivers:
        yield Triple(river, "length_in_km", str(dice.randint(20, 900)))
    while True:
        built.append(namer.town())
        town = built[-1]
        yield Triple(town, "located_in", dice.choice(counties))
        if dice.random() < 0.9:
            yield Triple(town, "population", f"{dice.randint(1, 400)},{dice.randint(100, 999)}")
        if dice.random() < 0.8:
            yield Triple(town, "mayor", namer.person())
        if dice.random() < 0.7:
            yield Triple(town, "founded_in", str(dice.randint(900, 1900)))
        if dice.random() < 0.5:
            yield Triple(dice.choice(rivers), "flows_through", town)
        if dice.random() < 0.5:
            yield Triple(town, "twinned_with", dice.choice(built[:-1]))
        for trade in dice.sample(_TRADES.split(","), dice.randint(0, 2)):
            yield Triple(town, "knownFor", trade)


WORLDS = MappingProxyType({"films": films, "towns": towns})
"""What can be invented, by name."""
