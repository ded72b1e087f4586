"""Write brigade.csv: an invented district's fire brigade in one table, a row a subject.

Fire fighters, stations, engines and other vehicles, drills and equipment; Kind says which. All
invented; a fixed seed. Hard on purpose: names that are words, namesakes, parts of names shared,
accents, units (t and kg, min and h), several values in a cell, many cells left empty.

    python3 invent_brigade.py
"""

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = [
    "name",
    "Kind",
    "rank",
    "Based In",
    "driven by",
    "commanded_by",
    "kept_in",
    "Trained By",
    "replaced",
    "Date of Birth",
    "Town",
    "held on",
    "duration",
    "in service since",
    "weight",
    "tank_capacity",
    "Monthly Pay",
    "volunteer",
    "Qualifications",
    "vehicles_used",
]
STATIONS = """
Central Station/Wendham/Ottilie Brandt/1908/no
North Station/Upper Wendham/Marek Dvořák/1956/no
Harbour Station/Saltby/Grace Halloran/1931/no
Mill Lane/Corrie/Pádraig Noone/1974/yes
Saint Florian/Göstling/Sepp Aigner/1889/yes
Aldermoor/Aldermoor/Hester Pyke//yes
"""
PEOPLE = """
Ottilie Brandt/chief/Central Station//no/incident command; languages
Marek Dvořák/station officer/North Station/Ottilie Brandt/no/incident command; heavy rescue
Grace Halloran/station officer/Harbour Station/Ottilie Brandt/no/water rescue; incident command
Pádraig Noone/station officer/Mill Lane/Grace Halloran/yes/first aid; incident command
Sepp Aigner/station officer/Saint Florian/Burt Ironside/yes/rope rescue
Hester Pyke/station officer/Aldermoor/Marek Dvořák/yes/first aid
Burt Ironside/instructor/Central Station//no/breathing apparatus; rope rescue; languages
Célestine Roux/instructor/Harbour Station/Grace Halloran/no/diving; water rescue
Amber Blaze/crew leader/Central Station/Burt Ironside/no/heavy rescue; first aid
Will Hart/crew leader/North Station/Marek Dvořák/no/driving; breathing apparatus
Rosie Hart/crew member/North Station/Will Hart/no/first aid
Sam Rivers/crew member/Harbour Station/Célestine Roux/no/diving
Sam Rivers/trainee/Mill Lane/Pádraig Noone/yes/
Jack Frost/crew member/Central Station/Amber Blaze/no/driving; chemicals
Summer Lane/crew member/Central Station/Burt Ironside/no/rope rescue; drones
Zoë Quist/crew member/North Station/Burt Ironside/no/breathing apparatus
Łukasz Wrona/crew leader/Harbour Station/Burt Ironside/no/driving; water rescue
Ines Ferreira/crew member/Harbour Station/Łukasz Wrona/no/water rescue; languages
Inés Ferrer/crew member/Central Station/Amber Blaze/no/chemicals; languages
Dirk Ahrens/mechanic/Central Station//no/driving; heavy rescue
Olga Ahrens/mechanic/Harbour Station/Dirk Ahrens/no/driving
Mia Bell/trainee/Central Station/Summer Lane/no/
Peter Bell/crew member/Aldermoor/Hester Pyke/yes/driving; first aid
Håkon Lie/crew leader/Mill Lane/Marek Dvořák/yes/driving; chainsaw
Joy Abara/crew member/Mill Lane/Pádraig Noone/yes/first aid; chainsaw
Faith Abara/crew member/Mill Lane/Joy Abara/yes/drones
Vroni Aigner/crew member/Saint Florian/Sepp Aigner/yes/rope rescue; first aid
Xaver Höß/crew leader/Saint Florian/Sepp Aigner/yes/driving; rope rescue
Ludwig Kofler/crew member/Saint Florian/Xaver Höß/yes/driving
Nora Pyke/trainee/Aldermoor/Peter Bell/yes/
Gus O'Malley/crew leader/Aldermoor/Burt Ironside/yes/chainsaw; driving
Teddy Marsh/crew member/Aldermoor/Gus O'Malley/yes/
Bao Tran/crew member/North Station/Zoë Quist/no/breathing apparatus; drones
Dolores Vega/cook/Central Station//no/first aid
Old Ned/caretaker/Harbour Station//no/
Ivy Stone/dispatcher/Central Station/Ottilie Brandt/no/languages; incident command
Chidi Okoye/dispatcher/Central Station/Ivy Stone/no/languages
Penny Farrow/crew member/Harbour Station/Célestine Roux/no/diving; first aid
"""
VEHICLES = """
Goliath/ladder truck/Central Station/Jack Frost; Dirk Ahrens/Long Tall Sally/2016/18.5 t/
Long Tall Sally/ladder truck/Saint Florian/Ludwig Kofler//1991/14.2 t/
Red Rosie/engine/Central Station/Jack Frost/Grandpa/2019/15.8 t/2400 l
Grandpa/engine/Aldermoor/Peter Bell; Gus O'Malley//1984/11.3 t/1600 l
Phoenix/engine/North Station/Will Hart/Cinders/2021/16.4 t/3000 l
Cinders/engine/Mill Lane/Håkon Lie//1998/12.7 t/2000 l
Müllerin/engine/Saint Florian/Xaver Höß; Ludwig Kofler/Old Florian/2007/13.9 t/2500 l
Old Florian/engine///Horse Cart/1962/6.1 t/800 l
Horse Cart/engine/Saint Florian///1889/1.4 t/400 l
Thirsty Camel/tanker/North Station/Will Hart; Marek Dvořák/Camel/2018/26.0 t/12000 l
Camel/tanker/Mill Lane/Håkon Lie//1995/19.6 t/7500 l
Niagara/tanker/Harbour Station/Łukasz Wrona//2011/24.3 t/10000 l
Pike/rescue boat/Harbour Station/Célestine Roux; Łukasz Wrona/Duckling/2014/1.9 t/
Duckling/rescue boat/Aldermoor///1987/0.6 t/
Boss/command car/Central Station/Ottilie Brandt; Ivy Stone//2022/2.3 t/
Weasel/command car/North Station/Marek Dvořák//2013//
Toolbox/rescue van/Harbour Station/Olga Ahrens//2009/7.5 t/
Señora/rescue van/Central Station/Dirk Ahrens/Toolbox/2020/9.2 t/500 l
"""
DRILLS = """
Hot Breakfast/Wendham/Amber Blaze/2023-03-11/90 min/Red Rosie; Goliath
Night Owl/Saltby/Grace Halloran/2022-11-19/5 h/Pike; Niagara; Toolbox
Wet Feet/Saltby/Célestine Roux/2023-06-24/3 h/Pike; Duckling
Phoenix/Upper Wendham/Marek Dvořák/2021-09-04/4 h/Phoenix; Thirsty Camel; Weasel
Black Smoke/Wendham/Burt Ironside/2020-02-15/45 min/
Thin Air/Göstling/Sepp Aigner/2022-07-30/6 h/Long Tall Sally; Müllerin
Barn Dance/Corrie/Pádraig Noone/2023-08-12/2 h/Cinders; Camel
Cat in the Tree/Wendham/Summer Lane/2024-04-01/20 min/Goliath
Wasps' Nest/Aldermoor/Hester Pyke/2021-05-22/40 min/Grandpa
Opéra/Wendham/Ottilie Brandt/2019-10-26/3 h/Boss; Red Rosie; Goliath; Señora
School Bell/Corrie//2022-05-05/30 min/Cinders
Dry Run/Upper Wendham/Will Hart/2024-06-08/75 min/Phoenix
Green Cloud/Saltby/Jack Frost/2024-09-14/150 min/Niagara; Señora
Moorfire/Aldermoor/Gus O'Malley/2018-08-18/8 h/Grandpa; Camel; Thirsty Camel
Snow White/Göstling/Vroni Aigner//2 h/Müllerin
Last Orders/Saltby/Łukasz Wrona/2024-12-31//Toolbox
"""
EQUIPMENT = """
Goliath/Toolbox//2005/38 kg/
Big Bite/Señora/Nutcracker/2020/21 kg/
Nutcracker/Aldermoor//1994/27 kg/
Gulper/Niagara//2011/165 kg/
Hiccup/Cinders//1999/58 kg/12 l
Wheezy/Grandpa/Bucket Chain/1985/72 kg/15 l
Bucket Chain/Saint Florian//1889/30 kg/
Blue Hose/Red Rosie/Grey Hose/2019/24 kg/
Grey Hose/Aldermoor//2001/29 kg/
Long Hose/Thirsty Camel//2018/46 kg/
Snorkel/Pike/Gills/2017/14 kg/
Gills/Harbour Station//2002/19 kg/
Dragonfly/Boss//2023/3.2 kg/
Bumblebee/Mill Lane//2021/1.8 kg/
Hot Eye/Phoenix/Cat's Eye/2021/1.1 kg/
Cat's Eye/Müllerin//2008/2.6 kg/
Jäger/Cinders//2015/6.4 kg/
Beaver/Grandpa/Old Saw/2012/7.1 kg/
Old Saw/Aldermoor//1979/11 kg/
Cloudmaker/Central Station//2010/17 kg/9 l
Foam Fräulein/Niagara//2016/88 kg/200 l
Bathtub/Thirsty Camel//2018/95 kg/5000 l
Jumping Sheet/Long Tall Sally//1991/33 kg/
Air Cushion/Goliath/Jumping Sheet/2016/55 kg/
Whistler/North Station///13 kg/
Teakettle/Central Station///4 kg/3 l
"""
PAY = {
    "chief": 5800,
    "station officer": 4600,
    "instructor": 4150,
    "crew leader": 3700,
    "dispatcher": 3350,
    "crew member": 3100,
    "mechanic": 3250,
    "trainee": 1900,
    "cook": 2400,
    "caretaker": 2200,
}
STAFF = {"mechanic", "cook", "caretaker", "dispatcher"}
PARTS = [  # rows / columns / kind, where it is not a column
    (STATIONS, ["name", "Town", "commanded_by", "in service since", "volunteer"], "station"),
    (
        PEOPLE,
        ["name", "rank", "Based In", "Trained By", "volunteer", "Qualifications"],
        "fire fighter",
    ),
    (
        VEHICLES,
        [
            "name",
            "Kind",
            "Based In",
            "driven by",
            "replaced",
            "in service since",
            "weight",
            "tank_capacity",
        ],
        "",
    ),
    (DRILLS, ["name", "Town", "commanded_by", "held on", "duration", "vehicles_used"], "drill"),
    (
        EQUIPMENT,
        ["name", "kept_in", "replaced", "in service since", "weight", "tank_capacity"],
        "equipment",
    ),
]


def main():
    """Write the table beside this script."""
    random = Random(112)
    rows = []
    for text, heads, kind in PARTS:
        for line in text.strip().split("\n"):
            row = {"Kind": kind} | dict(zip(heads, line.split("/"), strict=True))
            if kind == "fire fighter":
                low = {"trainee": 2000, "crew member": 1983}.get(row["rank"], 1962)
                born = date(low, 1, 1) + timedelta(
                    random.randrange(365 * (7 if low > 1999 else 18))
                )
                row["Date of Birth"] = born.isoformat() if random.random() < 0.9 else ""
                pay = PAY[row["rank"]] + random.randrange(0, 400, 5)
                row["Kind"] = "staff" if row["rank"] in STAFF else kind
                row["Monthly Pay"] = f"{pay} EUR" if row["volunteer"] == "no" else ""
            rows.append(row)
    random.shuffle(rows)
    with Path(__file__).with_name("brigade.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
