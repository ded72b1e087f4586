"""Write gallery.csv: what an invented city gallery keeps, its painters, restorers and rooms too.

A row a subject. All invented; a fixed seed. Hard on purpose: titles that are words, seasons and
rooms, namesakes (three self-portraits, a picture and a room of one name), painters who share a
surname, who give, restore and are painted, accents, heights in cm and in m, sums in euros and in
millions, several values in a cell, companion pieces, chains of teachers, many empty cells.

    python examples/strangers/choosing/invent_gallery.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("title", "kind", "painted by", "year_finished", "Height", "hangs in", "floor"),
    *("On Loan To", "loan period", "Insured For", "frame", "restored_by", "condition"),
    *("Acquired On", "given_by", "companion piece", "Depicts", "Born In", "pupil_of", "signed"),
)
KINDS = {"o": "oil painting", "w": "watercolour", "d": "drawing", "p": "pastel", "e": "etching"}
# Name / born in / pupil of / first year / last year
PAINTERS = """
Master of the Blue Hands///1590/1612; Old Tobias/Halvern//1710/1745; Aurélien Dubosc/Aurelle/Old Tobias/1761/1790; Wilhelmina Oster/Ostermark//1862/1899
Ilse Vandermoor/Port Isolde/Wilhelmina Oster/1880/1921; Theo Marchbank/Halvern/Ilse Vandermoor/1904/1938; Clara Marchbank/Halvern/Ilse Vandermoor/1908/1951
Søren Hallqvist/Nordvik/Wilhelmina Oster/1891/1939; Lucien Ferré/Saint-Ombre//1895/1930; Joaquín Beltranza/Villa Rosal/Lucien Ferré/1925/1968; Zdeňka Hrubá/Zlatná/Søren Hallqvist/1930/1977
Béla Kádas/Tarn//1922/1960; May Winter/Port Isolde/Clara Marchbank/1948/1990; Nora Finch/Halvern/May Winter/1965/2016; Rosalind Grey/Lower Quay/Zdeňka Hrubá/1951/1984
Ottilie Grey/Lower Quay/Rosalind Grey/1979/2018; Basil Stone/Tarn/Béla Kádas/1958/1999; Agnes Quince//Basil Stone/1972/2017
"""
# Painter: title / kind / what it shows
WORKS = """
Master of the Blue Hands: Tobit and the Fish/o/angel, fish, river; The Money Changer/o/coins, old man; Saint Odile Asleep/o/saint, lamb; Study of a Hand/d/hand
Old Tobias: The Town from the South/o/town wall, bridge, cows; The Burgomaster/o/old man, dog; Hares/d/hare; Brewers at Table/o/men, beer, dog
Aurélien Dubosc: Les Trois Sœurs/o/women, swing; Été/o/cornfield, reapers; Hiver/o/snow, wolves; La Fenêtre/p/window, cat; The Duel/o/men, pistols, dawn
Wilhelmina Oster: Self-Portrait/o/Wilhelmina Oster, parrot; Geese/w/geese, girl; The Miller's Debt/o/mill, men, coins; Nach dem Regen/o/puddles, street; Sunday/o/church, women; Orchard Wall/w/apples, wall
Ilse Vandermoor: Nobody/o/chair; Morning at the Lock/o/barge, horse, mist; The Ferryman's Lunch/o/boat, bread, man; Ebb Tide/o/sea, gulls; Flood Tide/o/sea, boat; Rain on Copper Street/w/street, umbrella; Portrait of Theo Marchbank/o/Theo Marchbank, pipe
Theo Marchbank: Winter Garden/o/snow, hedge, bench; The Judge/o/old man, books; The Judge's Wife/o/old woman, fan; Harbour at Dusk/o/harbour, boat, lamps; Still Life with Lemons/o/lemons, knife; My Sister Clara/d/Clara Marchbank; Station Clock/e/clock, crowd
Clara Marchbank: My Brother Theo/d/Theo Marchbank; Harbour at Dusk/w/harbour, gulls; Laundry Day/o/women, sheets, wind; Kitchen Cat/p/cat, stove; Two Pears/o/pears; Self-Portrait/d/Clara Marchbank, cat
Søren Hallqvist: Blå Time/o/fjord, boat; Ice Cutters/o/men, horse, ice; Midsummer Pole/w/dancers, flowers; The Widow/o/woman, candle; Näckrosor/p/water lilies
Lucien Ferré: Café Noir/o/waiter, cups; The Yellow Tram/o/tram, street; Absinthe Hour/p/woman, glass; Poppies/w/poppies
Joaquín Beltranza: Toro/o/bull; El Niño y la Luna/o/boy, moon; Still Life with Lemons/p/lemons, jug; Siesta/w/man, dog, shade
Zdeňka Hrubá: Červená Řeka/o/river, factory; The Quarry/e/cliff, men; Night Train/e/train, moon; Beekeeper/o/man, bees; Mother and Tomáš/p/woman, boy
Béla Kádas: Fiddlers/o/men, fiddle, wedding; Horse Fair/o/horse, crowd; Fog/d/bridge, mist
May Winter: May/o/hawthorn, lane; Blackbird/w/blackbird; Allotments/o/sheds, cabbages; Clara at Eighty/o/Clara Marchbank, chair; Low Water/w/mud, boat
Nora Finch: Finches/w/finch; Car Park/o/cars, puddles; The Swimmer/o/girl, sea; High Water/w/sea, street; Bus Stop/p/umbrella, women; Self-Portrait/o/Nora Finch, dog
Rosalind Grey: Grey/o/nothing; Chimneys/e/roofs, smoke; The Allotment/o/cabbages, woman; Portrait of Ottilie/p/Ottilie Grey; Chess Players/o/men, chessboard
Ottilie Grey: Supermarket/o/trolley, crowd; Twins/d/girl; My Aunt Rosalind/d/Rosalind Grey; Sleepless/o/bed, moon
Basil Stone: Stone on Stone/o/cliff; Pylons/e/pylons, field; Goal/o/boys, ball; Chair/d/chair
Agnes Quince: Quinces/w/quinces, knife; Lighthouse/o/lighthouse, sea; The Welder/o/woman, sparks; Moth/d/moth
"""
# Name / born in / pupil of
RESTORERS = "Cuthbert Reeve/Lower Quay/; Hedda Lark/Halvern/Cuthbert Reeve; Matteo Brandolini/Castelbruno/; Irena Šimková/Zlatná/Matteo Brandolini; Ruth Lark/Halvern/Hedda Lark"
# Room / floor / height / given by
ROOMS = "Blue Room/1/4.2 m/; Long Gallery/1/5.1 m/Consul Peregrin; Attic Room/3/2.3 m/; Lantern Room/2/6.4 m/Brewers' Guild; Crypt/0/2.9 m/; Winter Garden/0/7.5 m/Lady Thistlewood; Print Cabinet/2/3 m/Clara Marchbank; Great Staircase//9.2 m/; Oval Room/2/4.6 m/; Depot/0/3.4 m/"
DONORS = "Lady Thistlewood, Friends of the Gallery, Widow Tanner, Dr. Anselm Roth, Brewers' Guild, Consul Peregrin, Clara Marchbank, Nora Finch, Hedda Lark, Père Lachance"
BORROWERS = "Museum of Halvern, Kunsthalle Ostermark, Palazzo Corvi, Town Hall, Musée d'Aurelle, Seamen's Hospital, Bishop's Palace, Villa Rosal"
FRAMES = "gilded oak, walnut, black pearwood, plain pine, silvered beech, aluminium, ebony"
STATES = "good, good, good, very good, fair, fair, fragile, poor"
PAIRS = "Été/Hiver; Ebb Tide/Flood Tide; The Judge/The Judge's Wife; My Sister Clara/My Brother Theo; Low Water/High Water; The Allotment/Allotments; Portrait of Ottilie/My Aunt Rosalind; Geese/Hares; Blackbird/Finches; Nobody/Chair; Night Train/Station Clock; The Widow/Absinthe Hour; Pylons/Chimneys; Blå Time/Lighthouse"
# Known: title / column / cell
KNOWN = """
Été/hangs in/Oval Room; Hiver/hangs in/Lantern Room; The Judge/hangs in/Long Gallery; The Judge's Wife/hangs in/Great Staircase; Goal/On Loan To/Town Hall; Goal/loan period/2 years; Tobit and the Fish/Insured For/1.4 million EUR; Les Trois Sœurs/Insured For/2.1 million EUR; Été/Insured For/1.15 million EUR
Nobody/frame/; Portrait of Theo Marchbank/year_finished/1909; Goal/frame/; Grey/hangs in/Blue Room; May/Acquired On/1991-05-01; Self-Portrait/signed/yes; Poppies/condition/poor; Laundry Day/restored_by/Nora Finch; Bus Stop/restored_by/; Tobit and the Fish/restored_by/Matteo Brandolini; Chair/hangs in/Attic Room; Sunday/given_by/Widow Tanner
The Town from the South/Height/1.9 m; Ice Cutters/Height/2.25 m; Horse Fair/Height/1.6 m; Moth/Height/9 cm; Supermarket/Height/2.1 m; Fiddlers/given_by/; Quinces/On Loan To/Seamen's Hospital; Quinces/loan period/6 months; Clara at Eighty/given_by/Clara Marchbank; Ebb Tide/restored_by/Hedda Lark; Flood Tide/restored_by/Irena Šimková
"""
GAPS = {
    "year_finished": 0.08,
    "Height": 0.07,
    "Insured For": 0.1,
    "frame": 0.12,
    "condition": 0.08,
    "Acquired On": 0.1,
    "signed": 0.1,
}


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def work(title, kind, painter, depicts, years, random):
    """A picture with all that needs no other picture."""
    first, last = years
    year = random.randint(first, last)
    bought = date(max(year + 2, 1888), 1, 1)
    bought += timedelta(random.randrange((date(2024, 1, 1) - bought).days))
    worth = random.randrange(4, 60) * 10 ** (3 if kind in "o" else 2) * (4 if first < 1870 else 1)
    row = dict.fromkeys(COLUMNS, "") | {
        "title": title,
        "kind": KINDS[kind],
        "painted by": painter,
        "year_finished": str(year),
        "Height": f"{random.randint(40, 148) if kind == 'o' else random.randint(14, 62)} cm",
        "Insured For": f"{worth} EUR",
        "frame": random.choice(listed(FRAMES)),
        "condition": random.choice(listed(STATES)),
        "Acquired On": bought.isoformat(),
        "Depicts": "; ".join(depicts.split(", ")),
        "signed": "yes" if random.random() < 0.65 else "no",
    }
    if random.random() < 0.2:
        row["On Loan To"] = random.choice(listed(BORROWERS))
        row["loan period"] = random.choice(
            ["3 months", "6 months", "10 weeks", "1 year", "18 months", "2 years"]
        )
    else:
        rooms = [room.split("/")[0] for room in listed(ROOMS, "; ")]
        row["hangs in"] = (
            "Print Cabinet" if kind in "de" and random.random() < 0.6 else random.choice(rooms)
        )
    if random.random() < 0.45:
        row["restored_by"] = random.choice(
            [*(r.split("/")[0] for r in listed(RESTORERS, "; ")), "Nora Finch"]
        )
    if random.random() < 0.5:
        givers = [d for d in listed(DONORS) if d != "Clara Marchbank" or bought.year < 1970]
        row["given_by"] = random.choice(
            [d for d in givers if d != "Nora Finch" or bought.year > 1970]
        )
    for column, share in GAPS.items():
        if random.random() < share:
            row[column] = ""
    return row


def gallery(random):
    """Every row, in the order in which somebody typed them."""
    rows, years = [], {}
    for line in listed(PAINTERS, "; "):
        name, born_in, teacher, first, last = line.split("/")
        years[name] = int(first), int(last)
        rows.append({"title": name, "kind": "painter", "Born In": born_in, "pupil_of": teacher})
    for line in listed(RESTORERS, "; "):
        name, born_in, teacher = line.split("/")
        rows.append({"title": name, "kind": "restorer", "Born In": born_in, "pupil_of": teacher})
    for line in listed(ROOMS, "; "):
        name, floor, height, giver = line.split("/")
        rows.append(
            {"title": name, "kind": "room", "floor": floor, "Height": height, "given_by": giver}
        )
    for block in WORKS.strip().splitlines():
        painter, works = block.split(": ", 1)
        for told in works.split("; "):
            title, kind, depicts = told.split("/")
            rows.append(work(title, kind, painter, depicts, years[painter], random))
    pictures = [row for row in rows if row["kind"] not in {"painter", "restorer", "room"}]
    for pair in listed(PAIRS, "; "):
        one, other = pair.split("/")
        for row in pictures:
            if row["title"] in {one, other}:
                row["companion piece"] = other if row["title"] == one else one
    for fact in listed(KNOWN, "; "):
        title, column, cell = fact.split("/")
        for row in pictures:
            if row["title"] == title:
                row[column] = cell
                if column in {"hangs in", "On Loan To"}:
                    row |= (
                        {"On Loan To": "", "loan period": ""}
                        if column == "hangs in"
                        else {"hangs in": ""}
                    )
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("gallery.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(gallery(Random(47)))


if __name__ == "__main__":
    main()
