"""Write fleet.csv: an invented haulage firm, with its depots, drivers, lorries, vans and routes.

One table, a row a subject, rows of several kinds: most columns are filled for some kinds only. All
invented; a fixed seed. Hard on purpose: names that are words, namesakes, parts of names shared,
accents, column names as people leave them, units, gaps, cells of several values.

    python3 invent_fleet.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

HEADER = (
    "name",
    "kind",
    "Based In",
    "supervised by",
    "usual_driver",
    "starts_from",
    "Destination",
    "Vehicle Used",
    "town",
    "opened_on",
    "Hired On",
    "year built",
    "payload",
    "Distance",
    "driving_time",
    "Hourly Pay",
    "licences",
    "Carries",
    "refrigerated",
    "parking bays",
)
# Depot / town / supervised by / opened / parking bays
DEPOTS = """
Coldharbour/Wexcombe/Odile Tremaine/1974-03-11/48 | Halfway/Brandle/Norman Carter/1989-09-01/22
The Yard/Wexcombe/Pat Wheeler/1961-05-02/65 | Old Yard/Tarn Moor/Ulla Brandt/1952-10-20/14
Sankt Luzia/Hohenried/Jürgen Brandt/1998-04-15/30 | Pont-Élan/Vaucourt/Régine Foulard/2006-06-30/36
Kestrel Wharf/Port Ansel/Odile Tremaine/1983-01-17/52 | North Gate/Brandle/Bilal Çelik/2015-11-09/27
Młyn/Żelin/Agnieszka Żak/2011-08-22/ | Long Acre/Saltreach//2019-02-04/40
Monk's Rest/Tarn Moor/Rose Barrow//18
"""
# Driver / based in / supervised by / town / licences
DRIVERS = """
Ada Finch/Coldharbour/Pat Wheeler/Wexcombe/lorry; trailer; forklift | Tom Reeve/The Yard/Pat Wheeler/Wexcombe/lorry; trailer
Tom Reeve/Old Yard/Ulla Brandt/Tarn Moor/van | Marta Kowal/Młyn/Agnieszka Żak/Żelin/lorry; hazardous goods
Piotr Kowal/Młyn/Agnieszka Żak/Żelin/van; forklift | Joaquín Baral/Kestrel Wharf/Norman Carter/Port Ansel/lorry; trailer; hazardous goods
Josefa Baral/Kestrel Wharf/Joaquín Baral/Port Ansel/lorry; crane | Sven Åkerblad/North Gate/Bilal Çelik/Brandle/lorry; trailer
Renée Foulard/Pont-Élan/Régine Foulard/Vaucourt/van | Grace Miller/Halfway/Norman Carter/Brandle/lorry
Miller Grantham/Halfway/Norman Carter/Saltreach/lorry; trailer; crane | Bilal Çelik/North Gate/Odile Tremaine/Brandle/lorry; trailer; hazardous goods; forklift
Rose Barrow/Monk's Rest/Ulla Brandt/Tarn Moor/lorry; forklift | Will Driver/The Yard/Ada Finch/Wexcombe/van
Will Carter/Halfway/Norman Carter/Brandle/lorry; trailer | Norman Carter/Halfway/Odile Tremaine/Brandle/lorry; bus
Happy Okorie/Coldharbour/Ada Finch/Wexcombe/lorry; hazardous goods | Ulla Brandt/Old Yard//Tarn Moor/lorry; trailer; bus
Jürgen Brandt/Sankt Luzia/Ulla Brandt/Hohenried/lorry; trailer; forklift | Dónal Quirke/Long Acre/Odile Tremaine/Saltreach/lorry; trailer
Zsófia Bárdi/Sankt Luzia/Jürgen Brandt/Hohenried/lorry; hazardous goods; crane | Frank Early/Long Acre/Dónal Quirke/Saltreach/van; bus
May Long/Long Acre/Dónal Quirke//van | Inés Rocamar/Kestrel Wharf/Joaquín Baral/Port Ansel/lorry; trailer
Olu Adebanke/North Gate/Bilal Çelik/Brandle/lorry; forklift | Pat Wheeler/The Yard/Odile Tremaine/Wexcombe/lorry; trailer; crane; bus
Faith Sharp/The Yard/Pat Wheeler/Wexcombe/ | Mabel Stone/Old Yard/Ulla Brandt/Tarn Moor/lorry; trailer
Kit Marsh/Monk's Rest/Rose Barrow/Tarn Moor/van; forklift | Agnieszka Żak/Młyn/Jürgen Brandt/Żelin/lorry; trailer; hazardous goods
Ted Bowler/Coldharbour/Ada Finch/Wexcombe/lorry; trailer; crane | Nora Quick/Pont-Élan/Régine Foulard/Vaucourt/van
Cy Bell/Pont-Élan/Régine Foulard//lorry; trailer | Archie Sands/Kestrel Wharf/Norman Carter/Port Ansel/van; bus
Vikram Tandel/Sankt Luzia/Jürgen Brandt/Hohenried/lorry
"""
# Vehicle / kind / based in / usual driver / year built / carries / refrigerated
VEHICLES = """
Daisy/lorry/Coldharbour/Happy Okorie/2014/milk; cheese/yes
Daisy/van/Long Acre/Frank Early/2020/flowers/no
Bertha/lorry/The Yard/Pat Wheeler/2003/steel; timber/no
Duke/lorry/Halfway/Will Carter/2016/beer/no
Duchess/lorry/Halfway/Grace Miller/2017/beer; lemonade/no
Thunder/lorry/Coldharbour/Ted Bowler/2011/gravel; sand/no
Rust Bucket/lorry/Old Yard/Mabel Stone/1996/scrap; gravel/no
Old Faithful/lorry/Monk's Rest/Rose Barrow/1999/flour; grain/no
Blue Monday/lorry/North Gate/Olu Adebanke/2019/furniture/no
Goliath/lorry/Sankt Luzia/Zsófia Bárdi/2018/steel; glass/no
Little Goliath/van/Sankt Luzia/Vikram Tandel/2021/glass; furniture/no
Señorita/lorry/Kestrel Wharf/Inés Rocamar/2015/fish; fruit/yes
Björn/lorry/North Gate/Sven Åkerblad/2022/frozen food/yes
Sunday/van/The Yard/Will Driver/2012/newspapers; parcels/no
Mule/lorry/Halfway/Miller Grantham/2008/timber/no
Tortoise/van/Old Yard//2001/parcels/no
Hare/van/Pont-Élan/Nora Quick/2023/medicine; parcels/yes
Snowflake/van/Pont-Élan/Renée Foulard/2020/frozen food; medicine/yes
Ice Queen/lorry/Kestrel Wharf/Josefa Baral/2017/fish; frozen food/yes
Penguin/van/Młyn/Piotr Kowal/2016/milk; butter; cheese/yes
Sœur Thérèse/lorry/Pont-Élan/Cy Bell/2010/wine/
Sparrow/van/Monk's Rest/Kit Marsh/2019/bread/no
Bumblebee/lorry/Młyn/Marta Kowal/2013/fuel/no
Marmalade/lorry/Long Acre/Dónal Quirke/2018/sugar; fruit/no
Lucky Seven/lorry/The Yard//2021/steel/no
Number Nine/van/Kestrel Wharf/Archie Sands/2022/post; parcels/no
Captain/lorry/Kestrel Wharf/Joaquín Baral/2006/fuel; paint/no
Whisper/van/Long Acre/May Long; Frank Early/2024/flowers; bread/
Patience/lorry/Sankt Luzia/Jürgen Brandt/2005/timber; grain/no
Grumble/lorry/Coldharbour/Ada Finch/2009/gravel/no
Żubr/lorry/Młyn/Agnieszka Żak; Marta Kowal/2020/grain; sugar/no
Tin Can/van//Faith Sharp/1998//no
"""
# Route / starts from / destination / vehicle used / carries / km
ROUTES = """
Milk Run/Coldharbour/The Yard/Daisy/milk/12
Milk Run/Młyn/Sankt Luzia/Penguin/milk; butter/118
Night Owl/The Yard/North Gate/Sunday/newspapers/143
Coast Road/Kestrel Wharf/Long Acre/Captain/fuel/96
Coast Road Express/Kestrel Wharf/Coldharbour/Señorita/fish; fruit/171
Bread and Butter/Monk's Rest/Old Yard/Sparrow/bread/14
Long Haul/Sankt Luzia/Kestrel Wharf/Goliath; Patience/steel; glass/684
Short Straw/Old Yard/Monk's Rest/Rust Bucket/scrap/14
Salt Road/Long Acre/Halfway/Marmalade/salt; sugar/205
Fishwife/Kestrel Wharf/Halfway/Ice Queen/fish/158
Brewer's Round/Halfway/The Yard/Duke/beer/121
Monday Loop/North Gate/North Gate/Blue Monday/furniture/87
Graveyard Shift/North Gate/Młyn/Björn/frozen food/572
Timber Line/Halfway/Sankt Luzia/Mule/timber/497
Over the Top/Sankt Luzia/Pont-Élan/Patience/grain; timber/334
Postman's Knock/Kestrel Wharf/Port Ansel Station/Number Nine/post; parcels/9
Žitná Shuttle/Młyn/Żelin Mills/Żubr/grain/22
Flour Power/Monk's Rest/Brandle Bakery/Old Faithful/flour/76
Cold Chain/Pont-Élan/Sankt Luzia/Snowflake/medicine; frozen food/334
Ferry Link/Coldharbour/Kestrel Wharf//parcels/171
Back and Forth/The Yard/Coldharbour/Bertha/steel/12
Sugar Rush/Młyn/Long Acre/Żubr/sugar/611
Quarry Run/Coldharbour/Hob Quarry/Thunder/gravel; sand/38
Rosengarten/Long Acre/Hohenried Market/Whisper/flowers/540
Route des Vins/Pont-Élan/Halfway/Sœur Thérèse/wine/655
Early Bird/The Yard/Monk's Rest/Sunday/newspapers; bread/64
Last Orders/Halfway/Tarn Moor Brewery/Duchess/beer; lemonade/73
Pharmacy Dash/Pont-Élan/North Gate/Hare/medicine/702
"""


def table(text):
    """The rows of a list, which part at bars; cells part at slashes."""
    return [line.split("/") for line in text.strip().replace(" | ", "\n").splitlines()]


def day(random, first, last):
    """Some day of these years."""
    return (date(first, 1, 1) + timedelta(random.randrange(365 * (last - first + 1)))).isoformat()


def rows():
    """Every row as a dict."""
    random = Random(61)
    for name, town, boss, opened, bays in table(DEPOTS):
        yield {
            "name": name,
            "kind": "depot",
            "town": town,
            "supervised by": boss,
            "opened_on": opened,
            "parking bays": bays,
        }
    bosses = {row[2] for row in table(DRIVERS)}
    for name, depot, boss, town, licences in table(DRIVERS):
        hired = day(random, 1985, 2004) if name in bosses else day(random, 2001, 2024)
        pay = random.randrange(2150, 2900, 5) if name in bosses else random.randrange(1420, 2200, 5)
        yield {
            "name": name,
            "kind": "driver",
            "Based In": depot,
            "supervised by": boss,
            "town": town,
            "licences": licences,
            "Hired On": hired if random.random() < 0.93 else "",
            "Hourly Pay": f"{pay / 100:.2f} EUR" if random.random() < 0.93 else "",
        }
    for name, kind, depot, driver, built, carries, cold in table(VEHICLES):
        load = (
            f"{random.randrange(70, 280) / 10:.1f} t"
            if kind == "lorry"
            else f"{random.randrange(600, 1500, 25)} kg"
        )
        yield {
            "name": name,
            "kind": kind,
            "Based In": depot,
            "usual_driver": driver,
            "year built": built,
            "Carries": carries,
            "refrigerated": cold,
            "payload": load if random.random() < 0.93 else "",
        }
    for name, start, end, vehicle, carries, km in table(ROUTES):
        minutes = round(int(km) / random.uniform(50, 72) * 12) * 5
        spent = f"{minutes // 60} h {minutes % 60} min".removeprefix("0 h ").removesuffix(" 0 min")
        yield {
            "name": name,
            "kind": "route",
            "starts_from": start,
            "Destination": end,
            "Vehicle Used": vehicle,
            "Carries": carries,
            "Distance": f"{km} km",
            "driving_time": spent if random.random() < 0.9 else "",
            "opened_on": day(random, 1994, 2024) if random.random() < 0.75 else "",
        }


def main() -> None:
    """Write the table, a row a subject, under a row that names the columns."""
    with Path(__file__).with_name("fleet.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, HEADER, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows())


if __name__ == "__main__":
    main()
