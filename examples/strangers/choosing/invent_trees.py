"""Write trees.csv: the named old trees of an invented county, and the wardens who look after them.

A row a tree or a warden. All invented; a fixed seed. Hard on purpose: trees whose names are words,
people and days, namesakes in two parishes, a tree called Warden, names that share a part, accents,
a few girths in centimetres, several values in a cell, wardens who own and plant trees too, trees
grown from other trees beside other trees, and many cells left empty.

    python3 invent_trees.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    "name",
    "species",
    "Parish",
    "girth",
    "Height",
    "estimated_age",
    "owned by",
    "warden",
    "Nearest Neighbour",
    "grown_from",
    "planted_by",
    "diseases",
    "Protected Since",
    "open to visitors",
    "yearly_upkeep",
    "LAST INSPECTED",
    "home_to",
    "took office",
    "Trained By",
    "Day Job",
)
# Parish: owners: wardens: name/species/age in years
TREES = """
Nettlecombe: Nettlecombe School, Saint Bride's Church, Percy Wainfleet: Percy Wainfleet, Chloë Birch: The Judge/oak/620, Hangman's Oak/oak/480, Bishop's Yew/yew/1400, Patience/pear/160, Old Faithful/lime/310, Milkmaid/hawthorn/190, Queen Maud/beech/270, Little Judge/oak/45
Upper Wend: Wend Valley Trust, the Crown, Agnes Thorn: Agnes Thorn, Małgorzata Lis: King's Oak/oak/540, Queen's Oak/oak/510, The Needle/Scots pine/180, Widow Tansley/walnut/230, Wishing Tree/hawthorn/260, Monday/ash/210, Crown Prince/oak/70, Señora/mulberry/300
Lower Wend: Wend Valley Trust, Captain Rudge, Lower Wend Parish Council: Captain Rudge, Rosa Alder: Ferryman's Poplar/black poplar/240, Ferryman's Daughter/black poplar/90, Drowned Man/willow/140, Wishing Tree/ash/330, Old Nick/elm/280, Noah/walnut/350, Seven Sisters/lime/290, The Kettle/sweet chestnut/410
Saint Osyth: Sisters of Saint Osyth: Sister Benedicta: Osyth's Yew/yew/1600, The Bell Rope/yew/700, Monk's Mulberry/mulberry/420, Abbot/oak/660, Prioress/pear/250, Sanctuary/lime/370, The Novice/mulberry/55, Thirteen/holly/200
Crowmarsh: County Council, Crowmarsh Farm, Tom Alder: Tom Alder, Grace Marsh: Gallows Oak/oak/590, Crow's Parliament/elm/260, Black Meg/yew/850, Raven/beech/220, Lightning/ash/170, Tinker's Rest/oak/390, Ribbon Tree/hawthorn/150, Smuggler/black poplar/130
Hollin: Hollin Cricket Club, County Council, Mrs Finch: Ivy Penhale, Woody Farrar: Gallows Oak/oak/440, Old Faithful/yew/1100, Holly/holly/240, Grandmother/beech/340, Grandfather/oak/710, Thunder/oak/300, Baby/oak/38, Cricket Elm/elm/190
Hollin Bridge: County Council, Railway Company, The Fiddler Inn: Holly Marsh: Tollgate Lime/lime/250, Trooper/plane/215, Blücher/plane/185, Élodie/pear/175, Fiddler's Ash/ash/265, The Postman/lime/125, Ladder/Scots pine/165, Lovers' Knot/hornbeam/320
Bréval: Huguenot Society, Noémie Lacroix, Béranger family: Noémie Lacroix, Íñigo Barr: Notre Dame/sweet chestnut/500, Père Augustin/sweet chestnut/450, Noémie's Lime/lime/135, Huguenot Mulberry/mulberry/345, Petit Augustin/sweet chestnut/120, Béranger/walnut/285, The Exile/cedar/255, Silk/mulberry/110
Fenny Stoke: Stoke Cider Works, Frank Root, Saint Bride's Church: Frank Root, Ash Patel: Cromwell/oak/430, Half Cromwell/oak/205, Eel Willow/willow/115, Sunday School/lime/195, Mole/elm/155, Bride of Stoke/apple/145, Bridegroom of Stoke/apple/143, Stoke Giant/black poplar/275
Ansty Park: Ansty Estate: Jürgen Weiss, Grace Hedges: Lord Ansty/cedar/282, Lady Ansty/cedar/281, Poor Relation/cedar/95, Great Hornbeam/hornbeam/400, Ballroom/beech/305, Butler/plane/178, Emperor/sweet chestnut/560, Björn/Scots pine/152
Wythy: Dilys Pryce, Wythy Common Trust: Dilys Pryce, Ben Sallow Jr.: Shepherd's Clock/rowan/118, Wythy Yew/yew/950, Warden/hornbeam/225, Signpost/ash/235, Dead Man's Hand/oak/530, Two Brothers/beech/208, Żubr/oak/360, Miller's Apple/apple/104
Long Marden: Saint Bride's Church, Mrs Finch, Stoke Cider Works: Ben Sallow, Íñigo Barr: Parson's Nose/pear/198, Parson's Oak/oak/415, Drummer Boy/rowan/85, The Long Wait/lime/295, Charity/apple/101, Hope/walnut/168, Faith/yew/800, Twisted Kate/hornbeam/335, Sentinel/Scots pine/220
"""
PARENTS = """
Little Judge/The Judge; Hangman's Oak/The Judge; Crown Prince/King's Oak; Queen's Oak/King's Oak; Ferryman's Daughter/Ferryman's Poplar; Smuggler/Ferryman's Poplar; The Bell Rope/Osyth's Yew; Faith/Osyth's Yew; The Novice/Monk's Mulberry
Thunder/Grandfather; Parson's Oak/Grandfather; Baby/Thunder; Żubr/Abbot; Tollgate Lime/Sanctuary; Sunday School/Sanctuary; The Postman/Tollgate Lime; Noémie's Lime/Tollgate Lime; Blücher/Trooper; Butler/Trooper; Élodie/Prioress; Parson's Nose/Prioress
Patience/Élodie; Ladder/Sentinel; Björn/Sentinel; The Needle/Sentinel; Twisted Kate/Great Hornbeam; Lovers' Knot/Great Hornbeam; Warden/Twisted Kate; Raven/Grandmother; Two Brothers/Queen Maud; Béranger/Noah; Hope/Noah; Wythy Yew/Bishop's Yew
Cricket Elm/Old Nick; Mole/Cricket Elm; Petit Augustin/Père Augustin; Silk/Huguenot Mulberry; Half Cromwell/Cromwell; Charity/Bride of Stoke; Miller's Apple/Bridegroom of Stoke; Poor Relation/Lady Ansty; Eel Willow/Drowned Man
"""
# Planter / age of what they planted, from - to
PLANTERS = "Bishop Odo/600-665; Prior Anselm/500-545; Brother Lucan/400-455; Jean Béranger/330-372; Sir Roland Ansty/255-310; Hester Tansley/205-252; Amelia Ludd/150-184; Reverend Ludd/165-200; Colonel Fairweather/100-145; Ottilie Fairweather/84-121; Sister Benedicta/55-55; Percy Wainfleet/45-45; Ivy Penhale/38-38"
# Warden / parish / day job / took office / trained by
WARDENS = """
Percy Wainfleet/Nettlecombe/retired schoolmaster/1989/; Ivy Penhale/Hollin/beekeeper/1994/Percy Wainfleet; Sister Benedicta/Saint Osyth/nun/1991/; Captain Rudge/Lower Wend/ferryman/1998/; Agnes Thorn/Upper Wend/vet/2003/Percy Wainfleet
Tom Alder/Crowmarsh/carpenter/2006/Captain Rudge; Rosa Alder/Upper Wend/basket weaver/2012/Tom Alder; Noémie Lacroix/Bréval/pastry cook/2009/Agnes Thorn; Holly Marsh/Hollin/bus driver/2015/Ivy Penhale; Ash Patel/Fenny Stoke/pharmacist/2017/Frank Root
Jürgen Weiss/Ansty Park/gardener, piano tuner/2001/Percy Wainfleet; Dilys Pryce/Wythy/shepherd/1996/; Ben Sallow/Long Marden/thatcher/2004/Dilys Pryce; Ben Sallow Jr./Long Marden/thatcher, musician/2021/Ben Sallow; Woody Farrar/Hollin/carpenter/2019/Ivy Penhale
Chloë Birch/Nettlecombe/teacher/2020/Percy Wainfleet; Małgorzata Lis/Upper Wend/nurse/2016/Agnes Thorn; Frank Root/Fenny Stoke/dentist//Captain Rudge; Grace Hedges/Ansty Park/photographer, town guide/2022/Jürgen Weiss; Íñigo Barr/Bréval//2018/Noémie Lacroix; Grace Marsh/Crowmarsh/teacher/2023/Tom Alder
"""
DISEASES = {
    "oak": "oak decline, bracket fungus, honey fungus",
    "ash": "ash dieback, canker",
    "elm": "Dutch elm disease, root rot",
    "yew": "root rot, bracket fungus",
    "beech": "bracket fungus, leaf blight",
    "pear": "canker, leaf blight",
    "apple": "canker, powdery mildew",
    "sweet chestnut": "ink disease, honey fungus",
    "plane": "leaf blight, bracket fungus",
    "lime": "honey fungus, leaf blight",
    "black poplar": "root rot, canker",
    "cedar": "honey fungus, needle cast",
}
HEIGHTS = "oak/17-29; yew/9-19; pear/8-15; lime/20-34; hawthorn/5-9; beech/24-36; Scots pine/21-33; walnut/14-22; ash/19-30; mulberry/6-11; black poplar/24-35; willow/11-20; elm/20-31; sweet chestnut/18-30; holly/8-14; plane/25-37; hornbeam/14-23; cedar/22-35; apple/5-10; rowan/6-12"
GUESTS = "barn owls, bats, jackdaws, stag beetles, hornets, woodpeckers, honey bees, red squirrels, dormice, mistletoe"
GAPS = {
    "girth": 0.06,
    "Height": 0.1,
    "estimated_age": 0.05,
    "owned by": 0.08,
    "warden": 0.05,
    "Nearest Neighbour": 0.1,
    "Protected Since": 0.2,
    "open to visitors": 0.08,
    "yearly_upkeep": 0.13,
    "LAST INSPECTED": 0.12,
    "home_to": 0.25,
}
# Known: tree / column / cell
KNOWN = """
The Judge/Nearest Neighbour/Hangman's Oak; Lord Ansty/Nearest Neighbour/Lady Ansty; Lady Ansty/Nearest Neighbour/Lord Ansty; Bride of Stoke/Nearest Neighbour/Bridegroom of Stoke; Bridegroom of Stoke/Nearest Neighbour/Bride of Stoke; Grandmother/Nearest Neighbour/Grandfather
King's Oak/warden/Agnes Thorn; Osyth's Yew/girth/10.90 m; Grandfather/girth/11.35 m; Great Hornbeam/warden/Jürgen Weiss; Black Meg/Protected Since/1951-06-14; Baby/girth/94 cm; Warden/warden/Dilys Pryce; Holly/warden/Ivy Penhale; Monday/LAST INSPECTED/2025-03-10
King's Oak/open to visitors/yes; Sentinel/warden/Ben Sallow; Prioress/owned by/Sisters of Saint Osyth; The Judge/warden/Percy Wainfleet; Noah/owned by/Captain Rudge; Great Hornbeam/open to visitors/yes; Emperor/yearly_upkeep/3150 GBP; Trooper/Height/37 m
"""


def listed(text, comma="; "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def some_day(first, last, random):
    """A date from one year to another."""
    start = date(first, 1, 1)
    return (start + timedelta(random.randrange((date(last, 12, 31) - start).days))).isoformat()


def tree(name, species, age, random):
    """A tree with all that needs no other row."""
    small = (
        0.45
        if species in {"hawthorn", "rowan", "holly", "apple", "pear", "mulberry", "Scots pine"}
        else 1
    )
    girth = min(0.12 * age**0.65 * small * random.uniform(0.85, 1.15), 10.6)
    low, high = next(h.split("/")[1] for h in listed(HEIGHTS) if h.startswith(species + "/")).split(
        "-"
    )
    planters = [
        p
        for p in listed(PLANTERS)
        if int(p.split("/")[1].split("-")[0]) <= age <= int(p.split("-")[1])
    ]
    known = listed(DISEASES.get(species, ""), ", ") if random.random() < 0.55 else [""]
    return {
        "name": name,
        "species": species,
        "girth": f"{girth:.2f} m" if girth >= 1 else f"{100 * girth:.0f} cm",
        "Height": f"{random.randint(int(low), int(high)) if age > 60 else 8} m",
        "estimated_age": f"{age} years",
        "planted_by": random.choice(planters).split("/")[0]
        if planters and (age < 60 or random.random() < 0.6)
        else "",
        "diseases": "; ".join(sorted(random.sample(known, random.randint(1, min(2, len(known)))))),
        "Protected Since": some_day(1948, 2012, random)
        if age > 60
        else some_day(2014, 2020, random),
        "open to visitors": random.choice(["yes", "yes", "no"]),
        "yearly_upkeep": f"{random.randrange(40, 700 + 2 * age, 5)} GBP",
        "LAST INSPECTED": some_day(2021, 2025, random),
        "home_to": "; ".join(sorted(random.sample(listed(GUESTS, ", "), random.randint(1, 3)))),
    }


def rows(random):
    """All rows, trees and wardens."""
    parents = dict(pair.split("/") for pair in listed(PARENTS))
    found = []
    for line in TREES.strip().splitlines():
        parish, owners, wardens, trees = (listed(part, ", ") for part in line.split(": "))
        names = [t.split("/")[0] for t in trees]
        for name, species, age in (t.split("/") for t in trees):
            row = tree(name, species, int(age), random)
            row |= {
                "Parish": parish[0],
                "owned by": random.choice(owners),
                "grown_from": parents.get(name, ""),
            }
            row["warden"] = "; ".join(
                wardens if random.random() < 0.12 else [random.choice(wardens)]
            )
            others = [
                n for n in names if n not in {name, "Wishing Tree", "Gallows Oak", "Old Faithful"}
            ]
            row["Nearest Neighbour"] = random.choice(others)
            for column, share in GAPS.items():
                if random.random() < share:
                    row[column] = ""
            found.append(row)
    for fact in listed(KNOWN):
        name, column, cell = fact.split("/")
        next(row for row in found if row["name"] == name)[column] = cell
    for told in listed(WARDENS):
        name, parish, job, year, trainer = told.split("/")
        found.append(
            {
                "name": name,
                "Parish": parish,
                "Day Job": job.replace(", ", "; "),
                "took office": year,
                "Trained By": trainer,
            }
        )
    random.shuffle(found)
    return found


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("trees.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows(Random(47)))


if __name__ == "__main__":
    main()
