"""Write perfumes.csv: the perfumes of ten invented houses, with the houses and the perfumers, a row each.

All invented; a fixed seed. Hard on purpose: perfumes whose names are words, days and plants, namesakes in
two or three houses, a house and people and perfumes that share a part of the name, accents and
apostrophes, two perfumers whose names differ by a letter, a father and a son, perfumes that rework a
predecessor (sometimes of another house, sometimes several generations), houses owned by houses, perfumers
who draw bottles and own houses, times partly in minutes, several values in a cell, and many empty cells.

    python3 invent_perfumes.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("name", "kind", "House", "created_by", "predecessor", "launched_on", "scent family"),
    *("Opens With", "concentration", "bottle designed by", "Price", "lasts_for", "Bottles Sold"),
    *("still made", "Based In", "Founded", "owned_by", "head perfumer", "trained with", "born"),
)
GAPS = {
    **{"created_by": 0.07, "launched_on": 0.06, "scent family": 0.05, "Opens With": 0.06},
    **{"concentration": 0.15, "bottle designed by": 0.2, "Price": 0.08, "lasts_for": 0.12},
    **{"Bottles Sold": 0.15, "still made": 0.04},
}
# name / Based In / Founded / owned_by / head perfumer / usual prices / perfumers who work there
HOUSES = """
Maison Corvane/Lys-en-Vire/1871/Odile Corvane; Aurélie Corvane/Aurélie Corvane/120-380/Odile Corvane, Aurélie Corvane, Théo Lambrecq, Camille Dorvelle
Halloran & Pike/Port Merrow/1908/Hollis Pike/Rose Pepper/70-190/Ines Halloran, Hollis Pike, Rose Pepper, Joseph Marr
Oddment/Stoke Farthing/2009/Maison Corvane/Basil Wren/45-120/Basil Wren, Lucy Fairweather, Anna Lind
Casa Ybarro/Valdeluna/1926/Marta Ybarro/Íñigo Ybarro/80-260/Marta Ybarro, Íñigo Ybarro, Camille Dorvelle
Atelier Sèvremont/Lys-en-Vire/1954/Maison Corvane/Théo Lambrecq/140-450/Théo Lambrecq, Odile Corvane, Zofia Łącka
Lantern Street/Port Merrow/1987/Halloran & Pike/Joseph Marr Jr./30-85/Joseph Marr, Joseph Marr Jr., Rose Pepper
Nachtfalter/Grauweiler/1999/Greta Imhoff; Falk Stade/Anselm Vogt/90-240/Anselm Vogt, Anna Linde, Zofia Łącka
Fjordlys/Ålvik/2003/Sunniva Dahl/Sunniva Dahl/75-170/Sunniva Dahl, Anna Lind, Lucy Fairweather
The Dispensary/Stoke Farthing/1842/Oddment//25-60/Basil Wren, Grace Vane, Joseph Marr
Quill/Inkerby/1978/Tobias Quill/Grace Vane/110-300/Tobias Quill, Grace Vane, Anselm Vogt
"""
# name / Based In / trained with / born
PERFUMERS = """
Odile Corvane/Lys-en-Vire//1938; Aurélie Corvane/Lys-en-Vire/Odile Corvane/1969; Théo Lambrecq/Lys-en-Vire + Valdeluna/Odile Corvane + Marta Ybarro/1974; Camille Dorvelle/Valdeluna/Théo Lambrecq/1990
Ines Halloran/Port Merrow//1921; Hollis Pike/Port Merrow/Ines Halloran/1955; Rose Pepper/Port Merrow/Joseph Marr/1981; Joseph Marr/Port Merrow/Ines Halloran/1948; Joseph Marr Jr./Inkerby/Joseph Marr + Tobias Quill/1979
Basil Wren/Stoke Farthing/Grace Vane/1983; Lucy Fairweather/Ålvik/Sunniva Dahl + Basil Wren/1995; Anna Lind/Ålvik/Basil Wren/1988; Anna Linde/Grauweiler/Anselm Vogt/1992; Marta Ybarro/Valdeluna//1944
Íñigo Ybarro/Valdeluna/Marta Ybarro/1972; Zofia Łącka/Grauweiler/Anselm Vogt + Théo Lambrecq/; Anselm Vogt/Grauweiler/Tobias Quill/1961; Sunniva Dahl/Ålvik/Odile Corvane/1966; Tobias Quill/Inkerby/Ines Halloran/1946; Grace Vane//Tobias Quill/1959
"""
# house: name/scent family
PERFUMES = """
Maison Corvane: Été Perdu/floral; Été Retrouvé/floral; Reine Blanche/chypre; Reine Noire/chypre; Nocturne/oriental; Rosée/floral; Tante Aurélie/powdery; L'Étrangère/chypre; Corvane No. 7/citrus; Corvane No. 17/citrus; Velours/oriental
Halloran & Pike: Harbour Master/fougère; Harbour Master's Daughter/fougère; Tuesday/citrus; Wet Dog/leather; Gentleman's Excuse/fougère; Salt/marine; Pike/leather; Amber/oriental; Nocturne/woody; Old Rope/smoky; Regatta/marine
Oddment: Yes/citrus; No/smoky; Maybe/green; Photocopy/aldehydic; Burnt Toast/gourmand; Grandad's Shed/woody; Nothing/musk; Lost Glove/leather; Amber/gourmand
Casa Ybarro: Luna de Sal/marine; Naranjo/citrus; Naranjo en Flor/floral; Señora Ortiga/green; Siesta/powdery; Abuela/powdery; Toro Azul/leather; Mañana/citrus
Atelier Sèvremont: Cendre/smoky; Cendre d'Hiver/smoky; Le Parapluie/green; Orage/aldehydic; Miel Interdit/gourmand; Sous la Mousse/chypre; Pêche à Minuit/fruity; Amber/oriental
Lantern Street: Smoke/smoky; Smoke Again/smoky; Last Bus/aldehydic; Wet Pavement/green; Lamplighter/woody; Chip Paper/gourmand; Friday/fruity; Rain/marine
Nachtfalter: Motte/musk; Schwarze Motte/musk; Käfer/green; Mitternacht/oriental; Rost/leather; Fräulein Fuchs/leather; Nebel/aldehydic
Fjordlys: Snø/aldehydic; Rain/green; Tjære/smoky; Blåbær/fruity; Whale Song/marine; Nordlys/citrus; Salt/woody; Hytte/woody
The Dispensary: Carbolic/fougère; Camphor Ball/powdery; Matron/powdery; Cough Drop/gourmand; Nurse Lavender/fougère; Good Morning/citrus
Quill: Blotting Paper/woody; Love Letter/floral; Second Love Letter/floral; Last Love Letter/floral; Inkwell/leather; Margin/green; Ghost Writer/musk; Grace/floral
"""
NOTES = """
citrus: bergamot, lemon, bitter orange, grapefruit, petitgrain, mint; floral: rose, jasmine, violet, neroli, peony, freesia; chypre: bergamot, peach, oakmoss, geranium, galbanum; oriental: saffron, cardamom, plum, cinnamon, mandarin; woody: pine, cypress, juniper, pepper, nutmeg
fougère: lavender, clary sage, rosemary, basil, lemon; powdery: iris, violet, heliotrope, rice powder, rose; leather: birch tar, saffron, black tea, tobacco, raspberry; smoky: incense, burnt sugar, birch tar, black tea, pepper; marine: sea salt, seaweed, grapefruit, samphire, mint
green: fig leaf, cut grass, galbanum, nettle, violet; gourmand: caramel, toast, honey, coffee, malt; aldehydic: soap, snow, cold metal, neroli, paper; musk: white musk, pear, paper, linen, rice powder; fruity: peach, blackcurrant, raspberry, pear, bilberry
"""
BOTTLES = "Petra Glas, Cornelius Stopper, Mireille Vannier, Odile Corvane, Bo Lindqvist-Hare, Hollis Pike, Studio Kork, Tobias Quill, Ximena Prado-Lis, Greta Imhoff"
# perfume < predecessor, with the house where the name needs it
OLDER = """
Été Retrouvé < Été Perdu; Reine Noire < Reine Blanche; Corvane No. 17 < Corvane No. 7; Velours < Nocturne @ Maison Corvane; Harbour Master's Daughter < Harbour Master; Old Rope < Harbour Master; Maybe < No; No < Yes; Naranjo en Flor < Naranjo; Mañana < Naranjo en Flor
Cendre d'Hiver < Cendre; Smoke Again < Smoke; Smoke < Cendre; Schwarze Motte < Motte; Second Love Letter < Love Letter; Last Love Letter < Second Love Letter; Burnt Toast < Cough Drop; Nurse Lavender < Carbolic; Regatta < Harbour Master; Nordlys < Snø; Luna de Sal < Salt @ Halloran & Pike
Ghost Writer < Inkwell; Margin < Blotting Paper; Pêche à Minuit < Rosée; Nebel < Orage; Lamplighter < Gentleman's Excuse; Abuela < Siesta; Matron < Camphor Ball; Mitternacht < Nocturne @ Halloran & Pike; Lost Glove < Wet Dog; Sous la Mousse < L'Étrangère
"""
# perfume / column / cell
KNOWN = """
Été Perdu/created_by/Odile Corvane; Tante Aurélie/created_by/Théo Lambrecq; Grace/created_by/Tobias Quill; Love Letter/created_by/Tobias Quill; Carbolic/launched_on/1889-04-02; Carbolic/created_by/; Camphor Ball/launched_on/1903-10-19; Camphor Ball/created_by/
Wet Dog/lasts_for/25 min; Last Bus/lasts_for/40 min; Nothing/lasts_for/10 min; Tjære/lasts_for/26 h; Pike/bottle designed by/Hollis Pike; Velours/Price/1150 EUR; Carbolic/Price/9.50 EUR; Yes/Price/49.90 EUR; Nothing/concentration/0.5 %; Nothing/Opens With/
Harbour Master/created_by/Ines Halloran; Salt @ Halloran & Pike/created_by/Joseph Marr; Smoke/created_by/Joseph Marr; Cendre/created_by/Odile Corvane; Abuela/created_by/Íñigo Ybarro; Motte/created_by/Anselm Vogt; Snø/created_by/Sunniva Dahl; Yes/created_by/Basil Wren; Naranjo/created_by/Marta Ybarro
Second Love Letter/created_by/Grace Vane; Last Love Letter/created_by/Grace Vane; No/created_by/Lucy Fairweather; Inkwell/created_by/Tobias Quill; Siesta/created_by/Marta Ybarro; Regatta/created_by/Hollis Pike; Velours/still made/yes; Wet Dog/still made/no
Tante Aurélie/launched_on/2004-05-14; Salt @ Halloran & Pike/launched_on/1976-03-08; Siesta/launched_on/1979-08-21; Pike/launched_on/1983-10-21; Camphor Ball/bottle designed by/; Carbolic/bottle designed by/
"""


def listed(text, comma="; "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def find(rows, named):
    """The perfume of a name, which an @ and its house may follow."""
    name, _, house = named.partition(" @ ")
    return next(
        r
        for r in rows
        if r["name"] == name and house in ("", r.get("House")) and r["kind"] == "perfume"
    )


def perfume(name, family, house, random):
    """A perfume with all that needs no other perfume and no date."""
    cheap, dear = map(int, house[5].split("-"))
    notes = dict(line.split(": ") for line in listed(NOTES))[family].split(", ")
    hours = random.choice([0, 2, 3, 4, 4.5, 5, 6, 6, 7, 8, 8, 9, 10, 11, 12, 14])
    return {
        **{
            "name": name,
            "kind": "perfume",
            "House": house[0],
            "predecessor": "",
            "scent family": family,
        },
        "Opens With": "; ".join(random.sample(notes, random.randint(1, 3))),
        "concentration": f"{random.choice([4, 6, 8, 10, 12, 12.5, 15, 16, 18, 20, 22.5, 25, 30])} %",
        "bottle designed by": random.choice(BOTTLES.split(", ")),
        "Price": f"{round(random.randrange(cheap, dear) / 5) * 5} EUR",
        "lasts_for": f"{hours} h" if hours else f"{random.randrange(30, 95, 15)} min",
        "Bottles Sold": str(int(10 ** random.uniform(2.4, 5.8)) // 10 * 10),
        "still made": random.choice(["yes", "yes", "no"]),
    }


def everything(random):
    """Return all rows."""
    houses = {line.split("/")[0]: line.split("/") for line in listed(HOUSES, "\n")}
    keys = ("name", "Based In", "Founded", "owned_by", "head perfumer")
    rows = [{**dict(zip(keys, cells, strict=False)), "kind": "house"} for cells in houses.values()]
    keys, born = ("name", "Based In", "trained with", "born"), {}
    for line in listed(PERFUMERS):
        rows.append(
            {
                **dict(zip(keys, line.replace(" + ", "; ").split("/"), strict=False)),
                "kind": "perfumer",
            }
        )
        born[rows[-1]["name"]] = int(rows[-1]["born"] or 1976)
    for block in PERFUMES.strip().splitlines():
        house, names = block.split(": ", 1)
        rows += [perfume(*pair.split("/"), houses[house], random) for pair in names.split("; ")]
    older = [[find(rows, name) for name in pair.split(" < ")] for pair in listed(OLDER)]
    for new, old in older:
        new["predecessor"] = old["name"]
    perfumes = [row for row in rows if row["kind"] == "perfume"]
    while waiting := [row for row in perfumes if "launched_on" not in row]:
        for row in waiting:
            before = [old for new, old in older if new is row]
            if before and "launched_on" not in before[0]:
                continue
            house = houses[row["House"]]
            people = house[6].split(", ")
            first = date(max(int(house[2]), 24 + min(born[who] for who in people)), 1, 15)
            if before:
                first = max(first, date.fromisoformat(before[0]["launched_on"]) + timedelta(200))
            days = (date(2024, 11, 30) - first).days
            day = first + timedelta(int(days * random.random() ** (1.1 if before else 1.8)))
            able = [who for who in people if 23 <= day.year - born[who] <= 75]
            makers = random.sample(able, min(len(able), 2 if random.random() < 0.2 else 1))
            row.update({"launched_on": day.isoformat(), "created_by": "; ".join(makers)})
    for row in perfumes:
        row.update({column: "" for column, share in GAPS.items() if random.random() < share})
    for fact in listed(KNOWN):
        name, column, cell = fact.split("/")
        find(rows, name)[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("perfumes.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(everything(Random(47)))


if __name__ == "__main__":
    main()
