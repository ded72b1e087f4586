"""Write powerplants.csv: the power stations of an invented country, a row a station.

All invented; a fixed seed. Hard on purpose: stations whose names are words, moods, tools and weather,
namesakes in two provinces, names that share a part with one another or with a river, a town or a
company, accents, outages partly in minutes, hours and days, several values in a cell, stations that
back up, control and feed one another, inspectors who run a station themselves, and many empty cells.

    python examples/strangers/choosing/invent_powerplants.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("station", "fuel", "Province", "nearest_town", "river", "operated by", "Plant Manager"),
    *("Inspected By", "opened_on", "Licence Until", "capacity", "Construction Cost", "staff"),
    *("Grid Partners", "backed up by", "controlled_from", "Last Outage", "outage cause"),
    *("outage_duration", "Open To Visitors"),
)
GAPS = {
    **{"Plant Manager": 0.1, "Inspected By": 0.12, "opened_on": 0.07, "Licence Until": 0.25},
    **{"Construction Cost": 0.15, "staff": 0.08, "Open To Visitors": 0.1, "nearest_town": 0.04},
}
# Town / province / river
TOWNS = """
Ambry/Osterholm/Ambre; Häven/Osterholm/Öre; Grauwald/Osterholm/Little Ambre; Oxley/Osterholm/Ambre; Dunmarr/High Marr/Sorrow; Cold Spring/High Marr/Kessel; Łany/High Marr/Sorrow; Tolna/Low Marr/Kessel; Farrow/Low Marr/Manso
Wick/Low Marr/Kessel; Saint-Loup/Sansège/Tirn; Rosette/Sansège/Little Ambre; Villeneige/Sansège/Tirn; Pebble Bay/Coastlands/; Bellmouth/Coastlands/Manso; Marram/Coastlands/; Skarvøy/Coastlands/
"""
# Fuel: smallest - largest MW / crowns a kW / staff / does it need a river? / share without an outage
FUELS = """
water: 4-310/2400/2-60/1/0.15; lignite: 180-980/1700/90-520/0.8/0.05; hard coal: 120-760/1600/80-430/0.7/0.05; natural gas: 60-690/900/20-140/0.4/0.15; uranium: 640-1450/5200/380-900/1/0.1; wind: 6-220/1500/0-14/0/0.3
sun: 2-95/1100/0-6/0/0.4; peat: 20-150/1900/30-120/0.5/0.1; straw: 5-40/2600/9-30/0/0.2; wood chips: 8-75/2500/12-48/0.2/0.2; diesel: 2-45/700/3-15/0/0.2; hot springs: 5-60/3900/8-35/0/0.3; tide: 10-240/4600/15-70/0/0.2
household waste: 12-65/4100/35-90/0.3/0.1
"""
# Fuel: station/town
NAMED = """
water: Upper Sorrow/Dunmarr; Lower Sorrow/Łany; Öre Falls/Häven; Old Mill/Farrow; Patience/Villeneige; Little Patience/Villeneige; Overflow/Tolna; The Weir/Oxley; Kessel I/Cold Spring; Kessel II/Tolna; Río Manso/Farrow; Grandmother's Dam/Wick; Barrage d'Été/Saint-Loup; Mirror/Rosette; Niagara/Ambry; Salmon Ladder/Bellmouth; Seven Locks/Ambry; Snowmelt/Villeneige; Żelazna Dam/Łany
lignite: Anvil/Grauwald; Black Cat/Oxley; Grauwald A/Grauwald; Grauwald B/Grauwald; Big Bertil/Dunmarr; Bellows/Tolna
hard coal: Kettle/Bellmouth; Dragon/Wick; Drei Schlote/Häven; Saint Barbara/Łany; Morning/Farrow
natural gas: Candle/Ambry; Lantern/Rosette; Pilot Light/Pebble Bay; Blue Flame/Tolna; Spark/Häven; Évian-la-Tour/Saint-Loup; Backstop/Oxley; Thunder/Marram
uranium: Hope/Ambry; Señora Marín/Bellmouth; Tarn Point/Saint-Loup; Curie/Wick; Big Quiet/Cold Spring
wind: Hope/Marram; Second Wind/Skarvøy; Whistler/Pebble Bay; Three Sisters/Marram; Bad Hair Day/Skarvøy; Thunder Ridge/Dunmarr; Tarn Head/Villeneige; Château-Vent/Rosette; Windy Miller/Oxley; North Sea Rose/Marram; South Sea Rose/Marram; Albatross/Pebble Bay
sun: Sunday/Rosette; Daisy Field/Wick; Noon/Farrow; Lizard/Saint-Loup; Mirror/Cold Spring; Champs d'Ambre/Rosette
peat: Old Bog/Dunmarr; Brown Bear/Łany; Tolna Moor/Tolna
straw: Old Mill/Grauwald; Scarecrow/Wick; Haystack/Farrow; Harvest Home/Oxley
wood chips: Pinocchio/Cold Spring; Splinter/Häven; Woodpecker/Grauwald; Ångström Hill/Villeneige
diesel: Last Resort/Skarvøy; Uncle Joe/Pebble Bay; Goose Island/Skarvøy; Plan B/Marram
hot springs: Devil's Bath/Cold Spring; Hellmouth/Dunmarr; Teakettle/Häven
tide: Moon/Pebble Bay; Bellmouth Barrage/Bellmouth; Twice Daily/Skarvøy
household waste: Phoenix/Ambry; Second Helping/Bellmouth; Ash Wednesday/Tolna
"""
KINDS = "water/Weir, Locks, Dam; wind/Wind Farm, Ridge; sun/Solar Field, Roofs; natural gas/Gasworks; wood chips/Sawmill"
OPERATORS = "Nordlicht, Brightwater Trust, Union Électrique, Kessel Brothers, City of Ambry, The People's Grid, Gale Partners, Sparrow & Daughters, Zenith"
MANAGERS = "Agnes Oakes, Tomasz Wróbel, Inga Sørensen, Petra Stark, Peter Stark, Ana Reyes, Anna Reyes, Lucien Fabre, Odile Garnier, Magnus Holt, Greta Lindqvist, Bartholomew Finch, Rosalind Frost, Dmitri Volkov, Yusuf Aydın, Clara Weiss, Hugo Bell, May Rivers, Ned Sparks, Ivo Černý, Noor Haddad, Sister Benedicta, Kofi Mensah, Ulla Bergström, Jean-Luc Pommier, Wendy Gale, Ruth Ashdown, Stanisław Bąk, Fern Hollis, Otto Kessel, Marta Kessel, Will Turner, Pia Nyström, Simón Duarte"
INSPECTORS = "Edith Marlow, Casimir Blum, Hannelore Vogt, Rosalind Frost, Dr. Emil Tarn, Oscar Winterbottom, Otto Kessel, Zoë Laurent, Ned Sparks"
CAUSES = "lightning, ice on the lines, storm, transformer fault, human error, software update, burst pipe, fallen tree, strike, fire, squirrel, earthquake"
SPECIAL = {
    **{
        "water": "flood, low water, driftwood",
        "wind": "no wind, ice on the blades, goose",
        "sun": "hail",
    },
    **{
        "uranium": "jellyfish, safety test",
        "tide": "jellyfish, seaweed",
        "peat": "wet fuel",
        "straw": "mice",
    },
}
# Known: station / fuel / column / cell
KNOWN = """
Curie/uranium/Plant Manager/Ulla Bergström; Curie/uranium/opened_on/1979-05-04; Hope/uranium/Plant Manager/Clara Weiss; Hope/wind/Plant Manager/Wendy Gale; Old Mill/water/opened_on/1908-09-12; Old Mill/straw/opened_on/2009-06-30; Upper Sorrow/water/opened_on/1931-04-18; Anvil/lignite/Plant Manager/Stanisław Bąk
Niagara/water/capacity/0.8 MW; Niagara/water/Open To Visitors/yes; Lower Sorrow/water/controlled_from/Upper Sorrow; Kessel II/water/controlled_from/Kessel I; Little Patience/water/controlled_from/Patience; South Sea Rose/wind/controlled_from/North Sea Rose; Grauwald B/lignite/controlled_from/Grauwald A; Señora Marín/uranium/backed up by/Kettle
Kettle/hard coal/backed up by/Plan B; Patience/water/backed up by/Last Resort; Candle/natural gas/backed up by/Backstop; Whistler/wind/Last Outage/2022-02-18; Whistler/wind/outage cause/goose; Whistler/wind/outage_duration/25 min; Curie/uranium/Last Outage/2021-08-03; Curie/uranium/outage cause/jellyfish; Curie/uranium/outage_duration/3 days
Kessel I/water/operated by/Kessel Brothers; Kessel II/water/operated by/Kessel Brothers; Kessel I/water/Plant Manager/Otto Kessel; Kessel II/water/Plant Manager/Marta Kessel; Anvil/lignite/Grid Partners/Phoenix; Lantern/natural gas/Plant Manager/Ana Reyes; Spark/natural gas/Plant Manager/Ned Sparks; Big Quiet/uranium/Inspected By/Otto Kessel; Phoenix/household waste/operated by/City of Ambry
Bad Hair Day/wind/outage cause/storm; Bad Hair Day/wind/Last Outage/2023-11-02; Bad Hair Day/wind/outage_duration/9 h; Dragon/hard coal/Plant Manager/; Sunday/sun/Open To Visitors/yes; Snowmelt/water/staff/; Splinter/wood chips/backed up by/; Moon/tide/Plant Manager/May Rivers; Tarn Point/uranium/Inspected By/Dr. Emil Tarn; Pinocchio/wood chips/Plant Manager/Kofi Mensah; Niagara/water/Construction Cost/2 million crowns; Niagara/water/staff/1; Moon/tide/outage cause/seaweed
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def skewed(choices, random):
    """One of some, the first ones more often than the last."""
    return choices[int(len(choices) * random.random() ** 1.4)]


def station(name, fuel, town, random):
    """A station with all that needs no other station."""
    line = next(line for line in listed(FUELS, "; ") if line.startswith(f"{fuel}: "))
    size, price, people, wet, spotless = line.split(": ")[1].split("/")
    (small, large), (few, many) = [[int(n) for n in pair.split("-")] for pair in (size, people)]
    share = random.random()
    megawatts = round(small * (large / small) ** share)
    province, stream = next(
        t.split("/")[1:] for t in listed(TOWNS, "; ") if t.startswith(f"{town}/")
    )
    first = {"wind": 1994, "sun": 2001, "uranium": 1968, "tide": 1971, "straw": 1996}.get(
        fuel, 1912
    )
    opened = date(first, 1, 1) + timedelta(random.randrange(365 * (2022 - first)))
    fuels = f"{fuel}; diesel" if fuel in {"natural gas", "peat"} and random.random() < 0.3 else fuel
    row = {
        **{"station": name, "fuel": fuels, "Province": province, "nearest_town": town},
        "river": stream if random.random() < float(wet) else "",
        "operated by": skewed(listed(OPERATORS), random),
        "Plant Manager": skewed(listed(MANAGERS), random),
        "Inspected By": skewed(listed(INSPECTORS), random),
        "opened_on": opened.isoformat(),
        "Licence Until": str(random.randint(2027, 2066)),
        "capacity": f"{megawatts} MW",
        "Construction Cost": f"{max(1, round(megawatts * int(price) * random.uniform(0.7, 1.3) / 1000))} million crowns",
        "staff": str(round(few + (many - few) * share * random.uniform(0.6, 1))),
        "Open To Visitors": "yes" if random.random() < 0.45 else "no",
    }
    if random.random() >= float(spotless):
        row["Last Outage"] = (date(2015, 1, 1) + timedelta(random.randrange(3500))).isoformat()
        causes = listed(SPECIAL[fuel]) * 3 if fuel in SPECIAL else []
        row["outage cause"] = (
            random.choice(causes + listed(CAUSES)) if random.random() < 0.9 else ""
        )
        spans = [
            f"{random.randrange(10, 60, 5)} min",
            f"{random.randint(2, 20)} h",
            f"{random.randint(2, 12)} days",
        ]
        row["outage_duration"] = random.choice(spans) if random.random() < 0.9 else ""
        if row["Last Outage"] < row["opened_on"]:
            row["Last Outage"] = row["outage cause"] = row["outage_duration"] = ""
    return row


def stations(random):
    """Return all rows."""
    rows = []
    for block in NAMED.strip().splitlines():
        fuel, names = block.split(": ", 1)
        rows += [
            station(pair.split("/")[0], fuel, pair.split("/")[1], random)
            for pair in listed(names, "; ")
        ]
    towns = [line.split("/") for line in listed(TOWNS, "; ")]
    made = [
        (t, k.split("/")[0], what)
        for t in towns
        for k in listed(KINDS, "; ")
        for what in listed(k.split("/")[1])
    ]
    made = [(t, fuel, what) for t, fuel, what in made if fuel != "water" or t[2]]
    rows += [
        station(f"{t[0]} {what}", fuel, t[0], random) for t, fuel, what in random.sample(made, 30)
    ]
    names = [row["station"] for row in rows]
    single = [row for row in rows if names.count(row["station"]) == 1]
    megawatts = {row["station"]: int(row["capacity"].split()[0]) for row in single}
    for row in rows:
        row.update((column, "") for column, share in GAPS.items() if random.random() < share)
        others = [o for o in single if o is not row]
        if random.random() < 0.65:
            partners = [o["station"] for o in random.sample(others, random.choice([1, 2, 2, 3]))]
            row["Grid Partners"] = "; ".join(partners)
        if random.random() < 0.55:
            reserve = [
                o
                for o in others
                if o["fuel"].split(";")[0] in {"diesel", "natural gas", "water", "peat"}
            ]
            row["backed up by"] = random.choice(reserve)["station"]
        near = [
            o["station"]
            for o in others
            if o["Province"] == row["Province"] and megawatts[o["station"]] > 60
        ]
        if near and int(row["capacity"].split()[0]) < 60 and random.random() < 0.6:
            row["controlled_from"] = random.choice(near)
    for fact in listed(KNOWN, "; "):
        name, fuel, column, cell = fact.split("/")
        next(r for r in rows if r["station"] == name and r["fuel"].split(";")[0] == fuel)[
            column
        ] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with (
        Path(__file__).with_name("powerplants.csv").open("w", encoding="utf-8", newline="") as file
    ):
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(stations(Random(47)))


if __name__ == "__main__":
    main()
