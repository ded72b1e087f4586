"""Write villagers.csv: the inhabitants of an invented village, a row a person.

All invented; a fixed seed. Hard on purpose: names that are months, trades and other words, namesakes, a name
within another, accents, several pets, instruments and languages in a cell, people who are married to, befriended
with and employed by other people of the same table, and many cells left empty.

    python invent_villagers.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "name|Trade|employed_by|Spouse|best friend|House|lane|born|Home Town|moved_in|Pets|plays|church_pew|Height|savings|Car|Speaks|in_choir|Rings Bells|Favourite Dish".split(
    "|"
)
GAPS = {
    "best friend": 0.12,
    "born": 0.06,
    "Home Town": 0.07,
    "moved_in": 0.1,
    "Pets": 0.25,
    "plays": 0.35,
    "church_pew": 0.15,
    "Height": 0.08,
    "savings": 0.1,
    "Car": 0.35,
    "Favourite Dish": 0.12,
}
# Lane: house = who lives there, name/trade; a couple is joined by +
PEOPLE = """
Church Lane: The Old Rectory = Ambrose Tidy/vicar + Philippa Tidy/organist; Bell Cottage = Gideon Knell/sexton; Yew House = Cordelia Marchbanks/headmistress, Winifred Marchbanks/beekeeper; Lantern Cottage = Tobias Marl/thatcher + Edith Marl/seamstress; Candle End = Seán O'Malt/brewer + Zoë Brandreth/potter; Pilgrim's Rest = Granny Olwen/midwife; Vestry View = Clement Ashby/teacher + Tamsin Ashby/teacher; Number Nine = Dmitri Volkonin/clockmaker
Duck Lane: Pond Cottage = Ned Harrow/eel catcher + Maud Harrow/dairymaid; Mallard House = Ned Harrowgate/postman + Ivy Harrowgate/teacher; Drake's Nook = April Moon/florist; Webfoot Barn = Bjørn Haug/boatbuilder + Sunniva Haug/weaver; Willow End = Fern Hill/gardener + Barnaby Hill/carpenter; Teal Cottage = June/laundress; Reed House = June Tallow/candlemaker + August Penny/carpenter; Moorhen Cottage = Jory Penhallick/sailmaker, Kerensa Penhallick/spinner
Mill Row: The Mill = Walter Baker/miller + Hyacinth Baker/bookkeeper; Flour House = Hortense Crumb/baker + Émile Garreau/pastry cook; Sack Cottage = Piet Verbrugge/mill hand, Joost Verbrugge/mill hand; Wheel Cottage = Rusty Miller/delivery rider; Race End = Inés Calloway/doctor + Matthias Calloway/vet; Sluice House = Dorothea Smith/librarian; The Grindstone = Jack Cooper/blacksmith + Prudence Cooper/glazier; Barley Cottage = Lorenzo Fiordalba/brewery hand + Agnes Fiordalba/seamstress; Hopper Cottage = Tobias Marl/carter
The Green: The Jolly Badger = Magnus Tapper/innkeeper + Rosalba Tapper/cook, Dilys Tapper/barmaid; Post House = Beryl Quince/postmistress, May Quince/barmaid; Maypole Cottage = Rufus Law/constable + Gwenllian Law/clerk; Shop House = Percival Grocott/shopkeeper + Ottilie Grocott/bookkeeper; Chestnut House = Noor Haddadi/nurse + Karim Haddadi/pharmacist; Cricket Cottage = Will Bowler/plumber + Poppy Fields/shop assistant; Pump House = Major Thornby/retired; Lamp Cottage = Fidelity Crane/shop assistant
Tanner's Bank: Hide House = Silas Tanner/cobbler + Grace Tanner/saddler; Bark Cottage = Oswin Pike/cobbler, Perpetua Pike/spinner; Awl Cottage = Jan Kowalczuk/farrier + Łucja Wren/basket maker; Lime Pit House = Ferelith Stone/stonemason + Peter Stone/stonemason; Oxhide Cottage = Christmas Evans-Pugh/ploughman + Bronwen Evans-Pugh/dairymaid; Stitch House = Thérèse Aubépin/glover; Strop Cottage = Mungo Sharp/barber + Belinda Sharp/hairdresser; Bridle End = Hope Rider/farrier
Foxglove Path: Thimble Hall = Ludovica Sartorello/dressmaker; Hedgehog House = Archie Bramble/postman + Hettie Bramble/florist; Brock House = Absalom Grey/chimney sweep; Snail Cottage = Tuesday Cole/painter + Rowan Cole/painter; Bramble Cottage = Ann Petch/bookbinder; Owl Cottage = Ann Petch-Dill/librarian + Jasper Dill/printer; Nettle House = Wolfgang Käsmann/cheesemaker + Liesl Käsmann/cheesemaker; Cuckoo Cottage = Robin Swift/taxi driver, Martin Swift/taxi driver; Rook House = Olga Novotná/piano tuner
Manor Drive: Vole Manor = Lady Araminta Vole/landowner + Sir Osbert Vole/landowner; The Gatehouse = Crispin Butler/gamekeeper + Nell Butler/housekeeper; Coach House = Bartholomew Gale/chauffeur; Rose Cottage = Flora Gale/gardener + Hamish Gale/gardener; Walled Garden House = Ximena Duarte/cook, Pascoe Trewick/footman; Stable Flat = Mercy Trewick/groom + Abel Lanyon/groom; Ice House = Winter Frost/butler
Back Hill: Top Farm = Humphrey Dray/farmer + Eliza Dray/farmer, Sonny Dray/tractor driver; Lambing Cottage = Shepherd Lowe/ploughman + Bess Lowe/shepherd; Ridge Cottage = Torquil MacUrran/shepherd; Windy Cottage = Sol Marrow/greengrocer + Olive Marrow/jam maker; Quarry House = Cliff Edge/stonemason + Dawn Edge/nurse; Heather House = Yusuf Demirkol/tailor + Emine Demirkol/dressmaker; Furze Cottage = Old Tom/hedge layer, Young Tom/hedge layer; Gorse End = Ruth D'Arcy/poet; Larkspur = Simeon Lark/piano teacher + Phoebe Lark/violin maker
"""
# Employer: whom they employ
WORK = """
Ambrose Tidy: Philippa Tidy, Gideon Knell; Cordelia Marchbanks: Clement Ashby, Tamsin Ashby, Ivy Harrowgate, Simeon Lark; Walter Baker: Hyacinth Baker, Piet Verbrugge, Joost Verbrugge; Hortense Crumb: Émile Garreau, Rusty Miller; Magnus Tapper: Rosalba Tapper, Dilys Tapper, May Quince; Beryl Quince: Ned Harrowgate, Archie Bramble; Seán O'Malt: Lorenzo Fiordalba, Tobias Marl
Bjørn Haug: Barnaby Hill, August Penny, Jory Penhallick; Sunniva Haug: Kerensa Penhallick, Perpetua Pike; Inés Calloway: Granny Olwen, Noor Haddadi, Dawn Edge; Jack Cooper: Jan Kowalczuk, Hope Rider; Percival Grocott: Poppy Fields, Fidelity Crane, Ottilie Grocott; Silas Tanner: Oswin Pike, Thérèse Aubépin; April Moon: Hettie Bramble; Rufus Law: Gwenllian Law; Ferelith Stone: Peter Stone, Cliff Edge
Lady Araminta Vole: Fern Hill, Crispin Butler, Nell Butler, Flora Gale, Hamish Gale, Ximena Duarte, Winter Frost, Mercy Trewick; Sir Osbert Vole: Bartholomew Gale, Pascoe Trewick, Abel Lanyon; Humphrey Dray: Maud Harrow, Sonny Dray, Christmas Evans-Pugh, Bronwen Evans-Pugh, Shepherd Lowe, Bess Lowe, Torquil MacUrran; Ludovica Sartorello: Edith Marl, Agnes Fiordalba, Emine Demirkol; Jasper Dill: Ann Petch; Martin Swift: Robin Swift; Old Tom: Young Tom; Dorothea Smith: Ann Petch-Dill; Mungo Sharp: Belinda Sharp
"""
TOWNS = "Thrumble, Upper Thrumble, Saltby Quay, Dunmoor, Port Aurel, Vieux-Tilleul, Krähenfels, Sildevåg, Otterbourne Hythe, Vila Serena, Zlatá Lhotka, Grimscar"
PETS = "cat, dog, goat, parrot, tortoise, rabbit, ferret, goldfish, donkey, canary, hedgehog"
INSTRUMENTS = "fiddle, piano, accordion, flute, harp, tuba, banjo, cello, tin whistle, drum"
TONGUES = "English, Welsh, French, German, Italian, Polish, Dutch, Norwegian, Gaelic, Turkish, Portuguese, Arabic, Cornish, Russian"
CARS = "Bantam van, Puffin 600, Wagtail Estate, Corvo Due, Otter 4x4, Bumble, Heron Six, Moppet"
DISHES = "leek pie, eel stew, rhubarb crumble, cheese dumplings, mutton broth, mushroom pancakes, smoked trout, plum tart, lentil soup, roast goose"
# Known: name / column / cell
KNOWN = """
June/born/1951; June Tallow/born/1978; Granny Olwen/born/1938; Sonny Dray/born/2003; Young Tom/born/1999; Old Tom/born/1947; Major Thornby/born/1941; Major Thornby/plays/tuba; Rusty Miller/Car/Bantam van; Cliff Edge/Height/201 cm; Granny Olwen/Height/148 cm; Lady Araminta Vole/savings/912000 crowns; Sir Osbert Vole/savings/344000 crowns; Winter Frost/Favourite Dish/lentil soup; Ned Harrow/Favourite Dish/eel stew; Ned Harrow/best friend/Old Tom; Old Tom/best friend/Ned Harrow
Bjørn Haug/Home Town/Sildevåg; Sunniva Haug/Home Town/Sildevåg; Bjørn Haug/Speaks/English; Émile Garreau/Home Town/Vieux-Tilleul; Émile Garreau/Speaks/English; Thérèse Aubépin/Home Town/Vieux-Tilleul; Olga Novotná/Home Town/Zlatá Lhotka; Wolfgang Käsmann/Home Town/Krähenfels; Liesl Käsmann/Home Town/Krähenfels; Olga Novotná/plays/piano; Phoebe Lark/plays/fiddle; Simeon Lark/plays/piano; Philippa Tidy/in_choir/yes; Gideon Knell/Rings Bells/yes; Robin Swift/Car/Heron Six; Martin Swift/Car/Otter 4x4; Ruth D'Arcy/Pets/
"""


def listed(text, comma="; "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, the first ones more often than the last."""
    chosen = {
        choices[int(len(choices) * random.random() ** 1.2)] for _ in range(random.randint(1, most))
    }
    return "; ".join(sorted(chosen, key=choices.index))


def person(name, trade, house, lane, random):
    """A villager with all that needs nobody else."""
    born = random.randint(1944, 2001)
    town = several(listed(TOWNS, ", "), 1, random)
    came = date(random.randint(max(born + 1, 1962), 2024), 1, 1) + timedelta(random.randrange(365))
    return {
        "name": name,
        "Trade": trade,
        "House": house,
        "lane": lane,
        "born": str(born),
        "Home Town": town,
        "moved_in": "" if town == "Thrumble" else came.isoformat(),
        "Pets": several(listed(PETS, ", "), 3, random),
        "plays": several(listed(INSTRUMENTS, ", "), 2, random),
        "church_pew": str(random.randint(1, 24)),
        "Height": f"{random.randint(151, 196)} cm",
        "savings": f"{random.randrange(200, 48000, 50)} crowns",
        "Car": several(listed(CARS, ", "), 1, random),
        "Speaks": "; ".join(
            dict.fromkeys(["English", *several(listed(TONGUES, ", "), 3, random).split("; ")])
        ),
        "in_choir": random.choice(["yes", "no", "no"]),
        "Rings Bells": random.choice(["yes", "no", "no", "no"]),
        "Favourite Dish": several(listed(DISHES, ", "), 1, random),
    }


def village(random):
    """Every villager, and who belongs to whom."""
    rows = []
    for block in PEOPLE.strip().splitlines():
        lane, houses = block.split(": ", 1)
        for home in listed(houses):
            house, inside = home.split(" = ")
            for part in inside.split(", "):
                couple = [person(*p.split("/"), house, lane, random) for p in part.split(" + ")]
                for one, other in zip(couple, couple[::-1], strict=True):
                    one["Spouse"] = other["name"] if one is not other else ""
                rows += couple
    bosses = {}
    for line in listed(WORK):
        boss, hands = line.split(": ")
        bosses |= dict.fromkeys(hands.split(", "), boss)
    names = [row["name"] for row in rows]
    for row in rows:
        row["employed_by"] = "" if row["Trade"] == "thatcher" else bosses.get(row["name"], "")
        others = [
            o["name"] for o in rows if o["House"] != row["House"] and names.count(o["name"]) == 1
        ]
        row["best friend"] = random.choice(others)
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["name"] == name)[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("villagers.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(village(Random(83)))


if __name__ == "__main__":
    main()
