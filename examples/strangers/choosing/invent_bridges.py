"""Write bridges.csv: the bridges and tunnels of an invented country, Tamarland, a row a crossing.

All invented; a fixed seed. Hard on purpose: crossings whose names are words, days and people, namesakes
in two towns, names that share a part, accents, lengths partly in metres and partly in kilometres,
building times in months and in years, several values in a cell, crossings that replace others, are
twinned with others or send their traffic over others, engineers who now keep bridges, and many gaps.

    python3 invent_bridges.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("name", "Kind", "Crosses", "nearest_town", "Designed By", "built_by", "opened_on"),
    *(
        "construction time",
        "length",
        "made of",
        "Carries",
        "toll",
        "daily traffic",
        "Last Repaired",
    ),
    *("damaged_by", "replaces", "twinned_with", "Detour Via", "Bridge Keeper", "listed monument"),
)
GAPS = {
    **{
        "Designed By": 0.1,
        "built_by": 0.12,
        "opened_on": 0.04,
        "construction time": 0.15,
        "length": 0.05,
    },
    **{
        "made of": 0.08,
        "daily traffic": 0.15,
        "Last Repaired": 0.15,
        "Bridge Keeper": 0.15,
        "Detour Via": 0.2,
    },
    **{"listed monument": 0.1},
}
# Kind / opened between / metres between / months between / materials / carries
KINDS = """
stone arch bridge/1640-1880/35-290/14-110/sandstone, granite, limestone, brick/road, pedestrians, trams
covered bridge/1690-1890/18-140/5-30/oak, larch, sandstone/pedestrians, horses, road
aqueduct/1610-1830/120-1400/30-160/brick, limestone, lead/water, canal boats
railway viaduct/1848-1935/210-1500/20-70/brick, granite, steel, wrought iron/railway
suspension bridge/1835-1985/160-1900/16-80/steel, wrought iron, granite/road, pedestrians, cyclists
swing bridge/1860-1962/40-260/9-40/steel, cast iron, oak/road, pedestrians, trams
lift bridge/1898-1972/50-340/10-44/steel, concrete/road, railway, pedestrians
cable-stayed bridge/1970-2023/320-2600/24-75/steel, concrete/road, cyclists, trams, pedestrians
footbridge/1885-2022/12-180/2-16/steel, oak, larch, aluminium/pedestrians, cyclists
road tunnel/1924-2022/400-9400/26-120/concrete, steel/road, cyclists
railway tunnel/1852-2014/700-17200/40-150/brick, concrete, granite/railway
"""
# What is crossed / towns: name/kind
CROSSINGS = """
Harl/Tessen, Harlmouth, Ombre: Old Harl Bridge/stone arch bridge; New Harl Bridge/cable-stayed bridge; Upper Harl Bridge/suspension bridge; King's Bridge/stone arch bridge; Queen's Bridge/suspension bridge; The Needle/footbridge; Patience/swing bridge; Harlmouth Viaduct/railway viaduct; Mill Bridge/covered bridge; Thursday Bridge/stone arch bridge; Lantern/cable-stayed bridge; Butcher's Leap/footbridge
Little Harl/Ombre, Quern: Little Harl Bridge/stone arch bridge; Mill Bridge/stone arch bridge; Mouse/footbridge; Monks' Water/aqueduct; Widow Tamm's Bridge/covered bridge; Goose Walk/footbridge; Quern Viaduct/railway viaduct
Söve/Sövestad, Lindau Cross, Æbel: Sövebro/suspension bridge; Old Sövebro/stone arch bridge; High Bridge/railway viaduct; Åsa Lind Bridge/cable-stayed bridge; Elbow/swing bridge; Ladder/lift bridge; Kungsbro/stone arch bridge; Red Rooster/lift bridge; Whisper/footbridge; Sister Dorthe's Bridge/covered bridge
Ambla/Ambla Ferry, Cray, Port Ellery: Ambla Bridge/suspension bridge; Ambla Rail Bridge/railway viaduct; King's Bridge/lift bridge; Grey Ladies/stone arch bridge; Hope/cable-stayed bridge; Charity/swing bridge; Cray Footbridge/footbridge; The Sleeper/lift bridge; Chancellor Idris Bridge/cable-stayed bridge; Salt Gate/stone arch bridge; Ellery Swing/swing bridge
Łuna/Biały Most, Zdrój: Biały Most Bridge/stone arch bridge; Łuna Viaduct/railway viaduct; Most Zofii/suspension bridge; Black Cat/covered bridge; High Bridge/stone arch bridge; Pod Lipą/footbridge; Młyn Aqueduct/aqueduct; Most Nowy/cable-stayed bridge
Rio Verão/São Bento, Vila Clara: Ponte Velha/stone arch bridge; Ponte Nova/suspension bridge; São Bento Aqueduct/aqueduct; Dona Inês/cable-stayed bridge; Seven Arches/stone arch bridge; Pomba/footbridge; Vila Clara Viaduct/railway viaduct; Sardine/swing bridge
Drune/Castle Drune, Nether Drune, Holt: Drune Bridge/stone arch bridge; Drune Chain Bridge/suspension bridge; Long Goodbye/railway viaduct; Castle Steps/footbridge; Hangman's Bridge/covered bridge; High Bridge/suspension bridge; Penny Bridge/swing bridge; Twopenny Bridge/lift bridge; Holt Aqueduct/aqueduct; Saint Odo's Bridge/stone arch bridge; Saint Oda's Bridge/stone arch bridge
Tiefe Aar/Söll, Brückenau: Söller Brücke/stone arch bridge; Jubilee Bridge/suspension bridge; Aar Viaduct/railway viaduct; Goat Bridge/footbridge; Käthe-Voss-Brücke/cable-stayed bridge; Wet Feet/covered bridge; Iron Lady/lift bridge; Teufelsbrücke/stone arch bridge
Strait of Ness/Port Ellery, Nessend: Ness Tunnel/road tunnel; Ness Rail Tunnel/railway tunnel; Great Ness Bridge/suspension bridge; Grand Prospect/cable-stayed bridge; Seal/lift bridge
Mount Kessel/Söll, Kesselbad: Kessel Tunnel/road tunnel; Old Kessel Tunnel/railway tunnel; Kessel Base Tunnel/railway tunnel; Mole/road tunnel; Cold Heart/railway tunnel
The Old Woman/Zdrój, Holt: Old Woman Tunnel/road tunnel; Thimble/road tunnel; Ivo Marsh Tunnel/railway tunnel; Darning Hole/railway tunnel; Midnight/road tunnel
Fjord of Skarn/Skarn, Æbel: Skarn Bridge/suspension bridge; Skarn Tunnel/road tunnel; Ingeborg/cable-stayed bridge; Troll's Throat/railway tunnel; The Hyphen/footbridge; Herring Gate/lift bridge
Castle Moat/Castle Drune: Drawbridge/lift bridge; Moat Walk/footbridge; Page's Bridge/covered bridge
"""
# Engineer / working years
ENGINEERS = "Master Anselm/1600-1672; Brother Matthias/1625-1710; Cornelis de Wael/1665-1745; Godfrey Stone/1730-1800; Amalia Stone/1775-1842; Ambrose Holloway/1790-1862; Karl Voss/1838-1895; Stanisław Bór/1840-1902; Ivo Marsh/1850-1912; Henriette Aubry/1880-1940; Édouard Aubry/1885-1944; Åsa Lind/1905-1966; Joaquim Prata/1915-1975; Käthe Voss/1930-1981; Tomás Prata/1965-2030; Ottilie Varga/1968-2030; Desmond Achebe/1970-2030; Sunniva Berg/1985-2030"
BUILDERS = "Masons' Guild of Tessen/1600-1810; Abbey of Saint Odo/1600-1760; Crown Works/1700-1905; Varga & Sons/1820-1990; Nordholm Ironworks/1835-1975; Ellery Dock Company/1850-1960; Bór Brothers/1845-1930; Royal Sappers/1600-2030; Brückner Bau/1920-2030; Prata Construções/1935-2030; Skarn Deep/1950-2030; Achebe Lind/1975-2030"
KEEPERS = "May Bridges, Jonas Weir, Jonah Weir, Ottilie Varga, Will Ford, Rosa Pilar, Desmond Achebe, Old Tam, Birgit Sø, Grace Quay, Piotr Bór, Noémi Fargo, Hugh Lock, Sunniva Berg"
DAMAGE = "flood, ice, rust, fire, storm, earthquake, a barge, woodworm, lightning"
# Known: name / column / cell; every date here fits the list of who replaces whom
KNOWN = """
New Harl Bridge/replaces/Old Harl Bridge; Sövebro/replaces/Old Sövebro; Ponte Nova/replaces/Ponte Velha; Most Nowy/replaces/Biały Most Bridge; Drune Chain Bridge/replaces/Drune Bridge; Kessel Base Tunnel/replaces/Old Kessel Tunnel; Twopenny Bridge/replaces/Penny Bridge; Jubilee Bridge/replaces/Wet Feet; Grand Prospect/replaces/Great Ness Bridge; Chancellor Idris Bridge/replaces/Ambla Bridge; Hope/replaces/Charity
Åsa Lind Bridge/replaces/Ladder; Ladder/replaces/Sister Dorthe's Bridge; Lantern/replaces/Queen's Bridge; Queen's Bridge/replaces/Thursday Bridge; Midnight/replaces/Thimble; Ingeborg/replaces/Skarn Bridge; Käthe-Voss-Brücke/replaces/Iron Lady; Iron Lady/replaces/Söller Brücke; Dona Inês/replaces/Sardine; Drawbridge/replaces/Page's Bridge; Butcher's Leap/replaces/Patience
Ladder/opened_on/1931-05-08; Queen's Bridge/opened_on/1902-06-21; Thimble/opened_on/1934-09-30; Midnight/opened_on/1998-12-31; Iron Lady/opened_on/1911-04-01; Great Ness Bridge/opened_on/1926-07-14; Old Kessel Tunnel/opened_on/1874-10-19; Kessel Base Tunnel/opened_on/2009-03-27; Penny Bridge/opened_on/1867-08-12; Patience/opened_on/1889-02-28; Butcher's Leap/opened_on/1961-06-03; Drune Chain Bridge/opened_on/1844-05-24; Jubilee Bridge/opened_on/1897-06-22; Sövebro/opened_on/1936-08-15; Ponte Nova/opened_on/1928-01-06; Ivo Marsh Tunnel/opened_on/1908-11-02; Käthe-Voss-Brücke/opened_on/1979-10-05; Åsa Lind Bridge/opened_on/1972-03-08; Thursday Bridge/opened_on/1684-05-11; Old Harl Bridge/opened_on/1658-09-29; Drune Bridge/opened_on/1756-01-02; Skarn Bridge/opened_on/1927-03-12; Ingeborg/opened_on/1978-12-13
Ivo Marsh Tunnel/Designed By/Ivo Marsh; Käthe-Voss-Brücke/Designed By/Käthe Voss; Åsa Lind Bridge/Designed By/Joaquim Prata; Old Harl Bridge/Designed By/Master Anselm; Penny Bridge/toll/0.01 crowns; Twopenny Bridge/toll/0.02 crowns; Lantern/Bridge Keeper/Ottilie Varga; Goat Bridge/Carries/goats; pedestrians; Kessel Base Tunnel/length/17.2 km; The Hyphen/length/9 m; Saint Odo's Bridge/built_by/Abbey of Saint Odo; Teufelsbrücke/damaged_by/lightning
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, in the order in which they stand there."""
    chosen = random.sample(choices, min(len(choices), random.randint(1, most)))
    return "; ".join(sorted(chosen, key=choices.index))


def at_work(text, year):
    """Those of a list who worked in a year."""
    pairs = [who.split("/") for who in listed(text, "; ")]
    return [who for who, years in pairs if int(years[:4]) <= year <= int(years[5:])]


def crossing(name, kind, crosses, town, fixed, random):
    """A crossing with all that needs no other crossing."""
    line = next(line for line in KINDS.strip().splitlines() if line.startswith(kind + "/"))
    _, *bounds, materials, carries = line.split("/")
    (first, last), (short, long), (quick, slow) = (
        [int(b) for b in pair.split("-")] for pair in bounds
    )
    opened = date(first, 1, 1) + timedelta(random.randrange((last - first) * 365))
    opened = date.fromisoformat(fixed.get((name, "opened_on"), opened.isoformat()))
    metres = short * (long / short) ** random.random()
    months = random.randint(quick, slow)
    made = several(listed(materials), 2, random)
    perils = [
        d
        for d in listed(DAMAGE)
        if not ("tunnel" in kind and d in {"a barge", "lightning", "storm"})
    ]
    perils = [
        d
        for d in perils
        if d != {True: "rust", False: "woodworm"}["oak" in made or "larch" in made]
    ]
    return {
        **{
            "name": name,
            "Kind": kind,
            "Crosses": crosses,
            "nearest_town": town,
            "opened_on": opened.isoformat(),
        },
        "Designed By": random.choice(at_work(ENGINEERS, opened.year)),
        "built_by": several(at_work(BUILDERS, opened.year), 2, random),
        "construction time": f"{months} months" if months < 36 else f"{months / 12:.0f} years",
        "length": f"{metres / 1000:.1f} km" if metres >= 1000 else f"{metres:.0f} m",
        "made of": made,
        "Carries": several(listed(carries), 3, random),
        "toll": f"{random.randrange(20, 900, 10) / 100:.2f} crowns"
        if random.random() < 0.5 and kind != "aqueduct" and "railway" not in kind
        else "",
        "daily traffic": str(
            random.randrange(40, 900, 10)
            if "foot" in kind or "covered" in kind
            else random.randrange(900, 42000, 50)
        )
        if kind != "aqueduct"
        else "",
        "Last Repaired": str(random.randint(max(1950, opened.year + 3), 2025))
        if opened.year < 2015
        else "",
        "damaged_by": several(perils, 2, random) if random.random() < 0.5 else "",
        **{"replaces": "", "twinned_with": "", "Detour Via": ""},
        "Bridge Keeper": random.choice(listed(KEEPERS)),
        "listed monument": "yes"
        if random.random() < (0.8 if opened.year < 1900 else 0.25)
        else "no",
    }


def crossings(random):
    """Return all rows."""
    known = [
        fact.split("/")
        for fact in KNOWN.strip().replace("\n", "; ").replace("goats; p", "goats|p").split("; ")
    ]
    fixed = {(name, column): cell.replace("|", "; ") for name, column, cell in known}
    rows = []
    for line in CROSSINGS.strip().splitlines():
        place, names = line.split(": ", 1)
        crosses, towns = place.split("/")
        for told in names.split("; "):
            rows.append(
                crossing(*told.split("/"), crosses, random.choice(listed(towns)), fixed, random)
            )
    gone = {cell for (_, column), cell in fixed.items() if column == "replaces"}
    names = [row["name"] for row in rows]
    single = [row for row in rows if names.count(row["name"]) == 1]
    free = random.sample(single, len(single) * 2 // 3)
    for one, two in zip(free[::2], free[1::2], strict=False):
        if one["Crosses"] != two["Crosses"]:
            one["twinned_with"], two["twinned_with"] = two["name"], one["name"]
    for row in rows:
        near = [
            o["name"]
            for o in single
            if o["Crosses"] == row["Crosses"] and o is not row and o["name"] not in gone
        ]
        row["Detour Via"] = several(random.sample(near, min(3, len(near))), 2, random)
        emptied = [column for column, share in GAPS.items() if random.random() < share]
        if row["name"] in gone:
            emptied += ["toll", "daily traffic", "Bridge Keeper", "Detour Via"]
        row.update(dict.fromkeys(emptied, ""))
        row.update({column: cell for (name, column), cell in fixed.items() if name == row["name"]})
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("bridges.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(crossings(Random(57)))


if __name__ == "__main__":
    main()
