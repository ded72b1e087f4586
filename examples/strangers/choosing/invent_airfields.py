"""Write airfields.csv: the airfields of an invented island state, a row an airfield.

All invented; a fixed seed. Hard on purpose: names that are words, months and islands, one name used twice, names
inside other names, accents, apostrophes and hyphens, several values in a cell, airfields whose nearest
and alternate airfields are other rows, managers of several airfields, and many cells left empty.

    python examples/strangers/choosing/invent_airfields.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "airfield|code|Island|Nearest Airfield|alternate|runway length|Surface|elevation|Manager|opened_on|Last Resurfaced|Fuel Sold|airlines|passengers|Landing Fee|closest town|distance_to_town|Hazards|customs|night_landings".split(
    "|"
)
GAPS = {
    "alternate": 0.1,
    "elevation": 0.05,
    "Manager": 0.08,
    "opened_on": 0.06,
    "Last Resurfaced": 0.3,
    "Fuel Sold": 0.2,
    "airlines": 0.25,
    "passengers": 0.12,
    "Landing Fee": 0.12,
    "distance_to_town": 0.1,
    "Hazards": 0.3,
}
# Island, where it lies, its highest ground / its towns: its airfields, the main one first
ISLANDS = """
Great Tamsin 50 50 240/Port Amity, Candlewick, Upper Lathe: Amity International, Amity Docks, Candlewick, Harrow, Harrow Bay, Lathe Hill, Queen Isolde Field, Bellfounder, Tern Point, Potter's Green, May, Applecart
Little Tamsin 85 60 90/Ropewalk, Sallow: Ropewalk, Little Tamsin, Sallow Marsh, Tern Point West, Gull's Rest, Quill, Button, Sunday, Longsands, Miller's Strip
Orrel 130 30 310/Ninebridges, Dunmallow, Saltpans: Ninebridges, Orrel North, Orrel South, Dunmallow Moor, Saltpans, Old Saltpans, Kettle, Thimble Hill, Widow's Reach, Copper Gate, August
Vesk 40 150 420/Brønnvik, Sjøglim: Brønnvik, Vesk, Kråkvoll, Åsbekk, Nordvesk, Ravnskår, Great Skerry, Little Skerry, Sjøglim, Anchor, Hvalglim
Pa'olu 220 90 160/Hale'ani, Tokirau: Pa'olu Main, Tokirau, Hale'ani, Mo'ana Reef, Tapó, Vai-Tulu, Coral Nine, Turtle Beach, Longsands, Nānui, Breadfruit
Île-Cloche 160 150 280/Sainte-Mercie, Port-Chandelle: Sainte-Mercie, Port-Chandelle, Bourg-Tonnelle, Château-Mouette, Mouette, Pré-aux-Ânes, Île-Grise, Belle Étoile, Mont-Sifflet, La Crêpière, Cloche
Santa Brisa 240 170 500/Puerto Candil, Los Higos: Puerto Candil, Los Higos, Señal Alta, Señal Baja, El Piñonero, Doña Brisa, Niño Dormido, Tres Burros, Lagartija, Domingo
Ember 110 220 900/Cinder, Ashpan, Glasshouse: Cinder, Cinder Cone, Ashpan, Ember East, Ember West, Glasshouse, Hotwell, Chimney, Sulphur Steps, Hope, New Hope, Black Beach
Morrow 30 240 200/Morrow Cross, Pigeonhouse: Morrow Cross, Morrow, Tomorrow, Lantern Rock, Pigeonhouse, Nightingale Field, Owl, Runway Farm, Short Strip, High Meadow, Cook's Landing
Outer Spindles 290 250 60/Bobbin, Treadle: Bobbin, Treadle, Loom, Needle's Eye, North Spindle, Middle Spindle, South Spindle, Fleece, Last Light, December, Shuttle
"""
FIRST = "Ada, Bertil, Célestine, Dario, Edda, Fabian, Greta, Horace, Ilse, Joaquín, Kalani, Léonie, Magnus, Nerea, Osvald, Philippa, Quirin, Rosa, Søren, Tevita, Ursula, Víctor, Winifred, Ysolde, August, April, Moana, Gilbert"
LAST = "Plover, Vantongeren, Okonedo, Tarrasque, Fisk, Fairwind, Hale, O'Marra, Castañar, Lindqvarn, Pell, Taufono, Beaumarin, Grebe, Harrow, Sandgren, Dubrule, Kettleby, Rook, Mirabal"
AIRLINES = "Postal Wing, Tern Air, Island Hopper, Blue Kite, Air Cloche, Lantern Airways, Skerry Link, Brisa Express, Pelican Charter"
FUELS = "avgas, jet fuel, mogas, diesel, biofuel, paraffin"
HAZARDS = "crosswind, gulls, fog, sheep, sea spray, power lines, goats, volcanic ash, flooding, crabs, footballers"
SURFACES = "asphalt, grass, gravel, concrete, sand, coral, packed earth"
# Known: airfield / column / cell
KNOWN = """
Amity International/runway length/3150 m; Amity International/passengers/2140300; Amity International/airlines/Tern Air; Amity International/Landing Fee/310 EUR; Short Strip/runway length/2480 m; High Meadow/elevation/3 m; Tomorrow/opened_on/1921-06-04; Owl/night_landings/no; Last Light/night_landings/yes; Sulphur Steps/Hazards/volcanic ash; Turtle Beach/Hazards/crabs; May/opened_on/1958-09-01; August/opened_on/1964-05-17
December/opened_on/1977-08-08; Harrow/Manager/August Pell; Amity Docks/alternate/Amity International; Bobbin/alternate/Amity International; Brønnvik/alternate/Amity International; Ninebridges/alternate/Short Strip; Puerto Candil/alternate/Short Strip; Pa'olu Main/alternate/Puerto Candil; Chimney/elevation/842 m; Sunday/Surface/sand; Kettle/Fuel Sold/paraffin; Cinder Cone/Hazards/volcanic ash; Needle's Eye/distance_to_town/0.5 km
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


def airfield(name, island, place, high, towns, main, random):
    """An airfield with all that needs no other."""
    opened = date(random.randint(1924, 2018), 1, 1) + timedelta(random.randrange(365))
    surface = (
        random.choice(["asphalt", "concrete"]) if main else several(listed(SURFACES), 1, random)
    )
    length = (
        random.randrange(1800, 2700, 10)
        if main
        else random.randrange(900, 1900, 10)
        if surface in {"asphalt", "concrete"}
        else random.randrange(360, 1100, 10)
    )
    return {
        "airfield": name,
        "place": tuple(c + random.uniform(-14, 14) for c in place),
        "metres": length,
        "Island": island,
        "runway length": f"{length} m",
        "Surface": surface,
        "elevation": f"{int(2 + high * random.random() ** 2)} m",
        "opened_on": opened.isoformat(),
        "Last Resurfaced": str(random.randint(max(opened.year + 2, 1985), 2024)),
        "Fuel Sold": several(listed(FUELS), 3, random),
        "airlines": several(listed(AIRLINES), 4 if main else 2, random),
        "passengers": str(
            random.randrange(90000, 700000, 100) if main else random.randint(140, 38000)
        ),
        "Landing Fee": f"{random.randrange(80, 240, 5) if main else random.randint(6, 75)} EUR",
        "closest town": towns[0] if main else random.choice(towns),
        "distance_to_town": f"{random.randint(1, 24)} km"
        if random.random() < 0.7
        else f"{random.randint(1, 9)}.5 km",
        "Hazards": several(listed(HAZARDS), 3, random),
        "customs": "yes" if main or random.random() < 0.12 else "no",
        "night_landings": "yes" if main or random.random() < 0.3 else "no",
    }


def airfields(random):
    """Every airfield of every island, and which belongs to which."""
    rows = []
    for block in ISLANDS.strip().splitlines():
        head, names = block.split(": ")
        land, towns = head.split("/")
        island, x, y, high = land.rsplit(" ", 3)
        rows += [
            airfield(name, island, (int(x), int(y)), int(high), listed(towns), at == 0, random)
            for at, name in enumerate(listed(names))
        ]
    names = [row["airfield"] for row in rows]
    people = sorted(
        {f"{random.choice(listed(FIRST))} {random.choice(listed(LAST))}" for _ in range(92)}
    )
    random.shuffle(people)
    codes = set()
    for row in rows:
        others = [o for o in rows if o is not row and names.count(o["airfield"]) == 1]
        others.sort(
            key=lambda o: (
                (o["place"][0] - row["place"][0]) ** 2 + (o["place"][1] - row["place"][1]) ** 2
            )
        )
        row["Nearest Airfield"] = others[0]["airfield"]
        longer = [o["airfield"] for o in others[1:] if o["metres"] > row["metres"]]
        row["alternate"] = random.choice(longer[:3]) if longer else "Short Strip"
        row["Manager"] = (
            people.pop()
            if len(people) > 3 and random.random() < 0.9
            else random.choice(rows[: rows.index(row)] or [{"Manager": people[0]}])["Manager"]
        )
        letters = "".join(c for c in row["airfield"].upper() if "A" <= c <= "Z")
        code = letters[:3]
        while code in codes or len(code) < 3:
            code = letters[0] + "".join(random.choice(letters + "XYZ") for _ in "12")
        codes.add(code)
        row["code"] = code
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["airfield"] == name)[column] = cell
    for row in rows:
        del row["place"], row["metres"]
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("airfields.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(airfields(Random(75)))


if __name__ == "__main__":
    main()
