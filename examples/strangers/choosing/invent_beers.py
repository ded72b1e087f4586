"""Write beers.csv: the beers of an invented region, a row a beer.

All invented; a fixed seed. Hard on purpose: names that are words, months, colours and styles, two beers of
one name, names that share a part or contain another's, accents, apostrophes, several values in a cell, beers
that were derived from or are served instead of other beers of the same table, and many cells left empty.

    python examples/strangers/choosing/invent_beers.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "Beer|brewery|Town|head brewer|Style|strength|Bitterness|derived_from|Served Instead|Hops|first_brewed|Bottle Price|Colour|tastes_of|serve at|yearly_output|last_medal_on|Goes With|vegan|bottle fermented".split(
    "|"
)
GAPS = {
    "head brewer": 0.06,
    "strength": 0.04,
    "Bitterness": 0.12,
    "Served Instead": 0.15,
    "Hops": 0.06,
    "first_brewed": 0.06,
    "Bottle Price": 0.07,
    "Colour": 0.06,
    "tastes_of": 0.1,
    "serve at": 0.15,
    "yearly_output": 0.12,
    "last_medal_on": 0.5,
    "Goes With": 0.2,
    "vegan": 0.05,
}
# Brewery (town; year it began; brewers): beer/style; the first of a brewery are its oldest
BREWERIES = """
Crooked Kettle (Harrowmere; 1871; Agnes Thorvald, Piet Olm): Ferryman/bitter; Ferryman's Daughter/pale ale; Blind Ferryman/stout; Same Again/lager; Copper/porter; Crooked Mile/red ale; Tuesday/pale ale; Old Tuesday/barley wine; Kettle Song/wheat beer; Half a Mind/bitter
Harrowmere Abbey (Pellingholt; 1693; Brother Cuthwin, Odile Vercaume): Grey Friar/bock; Grey Friar Reserve/barley wine; Vesper/saison; Little Vesper/saison; Penance/stout; Absolution/pale ale; Cellarer/porter; Saint Guthwin/wheat beer; Candlemas/smoked beer; Silent Supper/lager
Three Herons (Low Tolley; 1924; Tamsin Thorvald, Ezra Pole): Heron/pale ale; Grey Heron/bitter; Night Heron/stout; Mudlark/porter; Low Water/lager; October/red ale; Reed Cutter/saison; Eel Pie/smoked beer; Stout Fellow/pilsner; Lantern/wheat beer
Brasserie Quennevy (Quennevy; 1908; Émeric Lasnoux, Odile Vercaume): Petite Étoile/saison; Grande Étoile/barley wine; L'Ours Brun/porter; L'Ours Blanc/wheat beer; Mûre Sauvage/fruit beer; Cerise Noire/fruit beer; Sans Façon/pale ale; Déjà Bu/lager; Trois Sabots/red ale; Château d'Eau/pilsner
Salt Cellar (Gull's Landing; 1987; May Brewer, Rufus Oakapple): Gull/pale ale; Drowned Bell/stout; Brine/sour; Pickled Sailor/sour; Harbour Light/lager; Harbour Dark/porter; Barnacle/bitter; Lantern/smoked beer; Samphire/sour; March/bock
Dachsbräu (Sankt Olvar; 1755; Ulrike Hemmling, Jörg Hemmling): Dachs Hell/lager; Dachs Dunkel/bock; Doppeldachs/bock; Grüner Jäger/pilsner; Schöne Witwe/wheat beer; Kleiner Mönch/pilsner; Großer Mönch/bock; Räucherkammer/smoked beer; Mai/wheat beer; Zwölf Uhr/lager
Pivovar Žubín (Žubín; 1842; Lubor Čermíček, Radka Vlnová): Žubínská Desítka/pilsner; Žubínská Dvanáctka/pilsner; Černá Koza/stout; Bílá Koza/wheat beer; Švec/lager; Zlatý Švec/pilsner; Medvědí Tlapa/bock; Půlnoc/porter
Last Tram (Upper Tolley; 2009; Finn O'Dreary, Sunniva Strand): Last Tram Home/pale ale; Ticket Inspector/bitter; Single Fare/lager; Double Fare/barley wine; Mind the Step/sour; Amber/stout; Night Porter/porter; Depot/smoked beer; Terminus/stout; Sunday Service/wheat beer
Widow Parr (Pellingholt; 1819; Josephine Parr, Tobias Parr): Widow/bitter; Black Widow/stout; Merry Widow/fruit beer; Widow's Mite/pilsner; First Husband/pale ale; Second Husband/red ale; Third Husband/barley wine; Mother-in-Law/sour; Gooseberry Fool/fruit beer; Sober Judge/lager
Stone Barn (Brenn-on-Wold; 1960; Hal Winterbourne, Winifred Hale): Haymaker/saison; Threshing Day/pale ale; Barn Owl/porter; Winterbourne/barley wine; Plum Job/fruit beer; Bull by the Horns/bitter; Wheat Thief/wheat beer; August/lager; Scarecrow/red ale; Scarecrow's Hat/red ale; Muddy Boots/stout
Ninepin (Harrowmere; 2014; Ngozi Bellweather, Piet Olm): Skittle/pilsner; Ninth Pin/pale ale; Gutter Ball/sour; Strike/lager; Spare/lager; Smoke Alarm/pale ale; Quiet Please/bitter; Honeymoon/wheat beer
"""
# Style: strength, bitterness, price in cents, colours, tastes
STYLES = """
bitter: 36-48 28-42 260-390: amber, copper, brown: toffee, bread, hay, pepper
pale ale: 42-64 32-66 290-460: gold, amber, pale gold: orange peel, pine, lemon, honey
stout: 44-92 30-62 310-620: black, dark brown: coffee, chocolate, liquorice, smoke
porter: 46-68 24-44 300-480: brown, dark brown, black: chocolate, toffee, coffee, plum
lager: 41-54 14-28 210-340: gold, pale gold: bread, hay, lemon, honey
pilsner: 40-52 26-44 220-360: pale gold, gold: hay, bread, pepper, lemon
wheat beer: 45-58 9-17 270-400: cloudy yellow, pale gold: banana, clove, lemon, honey
bock: 63-88 18-30 340-520: copper, ruby, brown: toffee, bread, plum, honey
saison: 49-76 20-34 350-560: gold, cloudy yellow: pepper, orange peel, hay, clove
barley wine: 91-129 38-71 650-1150: ruby, brown, copper: plum, toffee, liquorice, orange peel
sour: 31-49 4-12 380-590: pale gold, ruby, cloudy yellow: sea salt, lemon, plum, hay
red ale: 43-61 22-36 290-420: ruby, copper: toffee, bread, pine, pepper
smoked beer: 47-69 19-33 330-540: brown, amber, black: smoke, toffee, liquorice, sea salt
fruit beer: 33-57 7-18 360-580: ruby, pale gold: plum, honey, lemon, clove
"""
HOPS = "Silverleaf, Goshawk, Marrowgold, Lady Fern, Old Bess, Tettling, Žubín Red, Bitter Wren, Foxtail, Northlow, Citrine"
DISHES = "fried fish, roast pork, goat's cheese, sausages, lentil stew, oysters, dumplings, apple pie, game pie, mussels, chocolate cake, pickled eggs"
# Known: name / column / cell
KNOWN = """
Ferryman/first_brewed/1871; Ferryman/derived_from/; Grey Friar/first_brewed/1693; Grey Friar/derived_from/; Blind Ferryman/derived_from/Ferryman; Ferryman's Daughter/derived_from/Ferryman; Grey Friar Reserve/derived_from/Grey Friar; Little Vesper/derived_from/Vesper; Black Widow/derived_from/Widow; Merry Widow/derived_from/Widow; Second Husband/derived_from/First Husband; Third Husband/derived_from/Second Husband
Scarecrow's Hat/derived_from/Scarecrow; Doppeldachs/derived_from/Dachs Dunkel; Double Fare/derived_from/Single Fare; Old Tuesday/derived_from/Tuesday; Zlatý Švec/derived_from/Švec; Großer Mönch/derived_from/Kleiner Mönch; Harbour Dark/derived_from/Harbour Light; Smoke Alarm/derived_from/Last Tram Home; Samphire/derived_from/Brine; Grande Étoile/derived_from/Petite Étoile; Ninth Pin/derived_from/Tuesday
Sober Judge/strength/0.4 %; Sober Judge/Served Instead/Spare; Amber/Colour/black; Copper/Colour/dark brown; Smoke Alarm/tastes_of/pine+ lemon; Tuesday/Served Instead/October; Black Widow/Served Instead/Night Heron; Gull/Served Instead/Heron; Eel Pie/Goes With/pickled eggs; Honeymoon/tastes_of/banana; Winterbourne/head brewer/Winifred Hale; Quiet Please/Served Instead/Ferryman; Widow/head brewer/Josephine Parr; Heron/head brewer/Ezra Pole; Brine/head brewer/May Brewer
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, the first ones more often than the last."""
    chosen = {
        choices[int(len(choices) * random.random() ** 1.3)] for _ in range(random.randint(1, most))
    }
    return "; ".join(sorted(chosen, key=choices.index))


def beer(name, style, house, place, random):
    """A beer with all that needs no other beer; house and place say whose it is."""
    line = next(line for line in listed(STYLES, "\n") if line.startswith(style + ":"))
    _, numbers, colours, tastes = line.split(": ")
    strong, bitter, price = (random.randint(*map(int, span.split("-"))) for span in numbers.split())
    town, begun, brewers = place.split("; ")
    medal = date(2016, 1, 1) + timedelta(random.randrange(3400))
    return {
        "Beer": name,
        "brewery": house,
        "Town": town,
        "head brewer": random.choice(listed(brewers)),
        "Style": style,
        "strength": f"{strong / 10} %",
        "Bitterness": f"{bitter} IBU",
        "derived_from": "",
        "Served Instead": "",
        "Hops": several(listed(HOPS), 4, random),
        "first_brewed": str(random.randint(int(begun), 2023)),
        "Bottle Price": f"{price // 10 / 10:.2f} EUR",
        "Colour": random.choice(listed(colours)),
        "tastes_of": several(listed(tastes), 3, random),
        "serve at": f"{random.randint(4, 7) if bitter < 30 else random.randint(7, 13)} °C",
        "yearly_output": f"{random.randrange(20, 900, 10)} hl",
        "last_medal_on": medal.isoformat(),
        "Goes With": several(listed(DISHES), 2, random),
        "vegan": "no" if random.random() < 0.3 else "yes",
        "bottle fermented": random.choice(["yes", "no", "no"]),
    }


def cellar(random):
    """Every beer of every brewery, and which belongs to which."""
    rows = []
    for block in listed(BREWERIES, "\n"):
        head, beers = block.split("): ")
        house, place = head.split(" (")
        rows += [beer(*pair.split("/"), house, place, random) for pair in beers.split("; ")]
    names = [row["Beer"] for row in rows]
    single = [row for row in rows if names.count(row["Beer"]) == 1]
    for row in rows:
        older = [
            o["Beer"]
            for o in single
            if o["brewery"] == row["brewery"] and o["first_brewed"] < row["first_brewed"]
        ]
        if older and random.random() < 0.45:
            row["derived_from"] = random.choice(older)
        others = [o for o in single if o is not row]
        alike = [o["Beer"] for o in others if o["Style"] == row["Style"]]
        near = [o["Beer"] for o in others if o["brewery"] == row["brewery"]]
        row["Served Instead"] = random.choice(alike if random.random() < 0.7 else near)
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["Beer"] == name)[column] = cell.replace("+", ";")
    for row in rows + rows + rows:  # nothing is older than what it was derived from
        source = next((o for o in rows if o["Beer"] == row["derived_from"]), row)
        if row["first_brewed"] and source["first_brewed"] > row["first_brewed"]:
            row["first_brewed"], source["first_brewed"] = (
                source["first_brewed"],
                row["first_brewed"],
            )
    for row in rows:  # no medal before the first brew
        if row["last_medal_on"][:4] <= row["first_brewed"]:
            row["last_medal_on"] = ""
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("beers.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(cellar(Random(85)))


if __name__ == "__main__":
    main()
