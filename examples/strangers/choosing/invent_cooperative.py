"""Write cooperative.csv: the ledger of an invented small-town housing cooperative, a row a flat.

All invented; a fixed seed. Hard on purpose: flats whose names are words, days, animals and people,
flats with numbers only, namesakes in two houses, names that share a part, accents and apostrophes,
tenants who look after other flats or lived in one before, families with one surname, several values
in a cell, meters and spare keys that lead from flat to flat, and many cells left empty.

    python3 invent_cooperative.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("flat", "Rented By", "previous_tenants", "shares meter with", "caretaker"),
    *("Committee Member", "floor", "living_area", "monthly rent", "deposit"),
    *("moved_in_on", "notice_period", "pets", "Heated With", "parking space"),
    *("complaints", "Last Painted", "balcony", "left behind", "Spare Key At"),
)
GAPS = {
    **{"shares meter with": 0.45, "caretaker": 0.08, "Committee Member": 0.1, "floor": 0.04},
    **{"living_area": 0.05, "monthly rent": 0.05, "deposit": 0.12, "notice_period": 0.15},
    **{"Heated With": 0.06, "Last Painted": 0.12, "balcony": 0.07, "Spare Key At": 0.3},
}
NAMED = """
Swallow's Nest, Magpie, Crow's Nest, The Drawer, Old Bakery, Bakery Loft, Little Bakery, Monday, Sunday, Good Friday, Aunt Hilde, Uncle Hilmar, Captain's Cabin, Lighthouse, Lower Lighthouse
Sugar Loaf, Villa Ñandú, Chez Zoë, Łabędź, Snow White, The Wolf, Seven Dwarfs, Red House, Red House Attic, Patience, Hope, No Hope, October, May, Will's Place, Hazel, Ivy, Rosa, Rosa, Hatbox, Matchbox
Pigeon Loft, Pigeon Hole, Doctor's Rooms, Schoolroom, Belltower, Over the Butcher, Behind the Chapel, Café Élise, Größe Null, Bear, Honeypot, The Lodge, The Lodge, The Annexe, Nowhere, Blue Door, Green Door
Widow's Walk, Peter's Corner, St. Ågot, Penny Farthing, Stork, Owl, Barn Owl, Sparrow, Whale, Mole, Quiet Room, Coal Cellar, Music Room, Winter Garden, Summer House
"""
NUMBERED = """
Flat 1, Flat 2, Flat 3, Flat 4, Flat 5, Flat 7, Flat 8, Flat 9, Flat 11, Flat 12, Flat 14, Flat 17, Flat 21, Flat 22, Mill Lane 2, Mill Lane 4a, Mill Lane 4b, Mill Lane 6, Mill Lane 9, Station Road 1
Station Road 3, Station Road 5, Station Road 8, Station Road 12, Canal Side 7, Canal Side 9, Canal Side 10, Canal Side 15, Tower B2, Tower B5, Tower C1, Tower C4
"""
# Tenants who live in one flat each; the first ones are also caretakers or in the committee.
TENANTS = """
Olga Sturm, Benedikt Wren, Farida Haddad, Jonas Pelikan, Zdeněk Malý, Rosa Quint, Hugo Lantern, Ines Carvão, Walter Plum, Agnieszka Żuraw, Tom Baker, Grace Holloway, Øystein Berg, Marta Pelikan
Kofi Mensah-Lund, Violet Marsh, Edgar Marsh, Ida Nightingale, Lucía Peña, Pablo Peña, Sven Oak, April Winters, May Winters, Günther Kloß, Dilara Aydın, Nell Fairweather, Bo Lind, Bo Lindgren
Mr. Bishop, Frau Bischoff, Anton Weiss, Antonia Weiss, Ruby Stone, Peter Stone, Petra Steiner, Célestine Roux, Marcel Roux, Jack Miller, Jacqueline Miller, Harriet Bell, Noor Rahimi, Samir Rahimi
Cosmo Finch, Linnet Finch, Old Tobias, Young Tobias, Irena Kovač, Vera Kovač, Arthur Penny, Dora Penny, Felix Summer, Wilma Summer, Hope Ainsley, Will Hatch, Hazel Wood, Mina Thorn, Siân Rhys, Gareth Rhys
Ludmila Horn, Ottokar Horn, Fennimore Fox, Emma Fox, Leontine Kraus, Rufus Black, Nora Black, Clara Feather, Malcolm Feather, Yusuf Demir, Erik Ström, Åsa Ström, Joy Carpenter, Peg Turner, Basil Cook
Tilda Graves, Xaver Moos, Quentin Lark, Ursula Hahn, Mirko Babić, Pia Dorn, Jasper Dunn, Odile Marchand, Teodor Lupu, Ferdinand Groß, Gisela Groß, Ivo Petrov, Sunniva Dahl, Barnaby Tripp, Cora Tripp
Lamar Whitlock, Eszter Nagy, Old Nagy, Priya Raman, Ronan Daly, Beatrix Vane, Conrad Vane, Molly Vane, Émile Garnier, Saskia de Wit, Viggo Holt, Annika Holt
"""
FORMER = """
Old Mrs. Krull, Sergeant Pike, Gustav Adler, Wanda Liszt, Theo Brandt, The Zimmer Sisters, Dr. Ohm, Father Lorenz, Blanche Duval, Nils Aaberg, Cato Brook, Philippa Stern, Ernst Vogel, Alma Vogel, Mr. Sand, Lady Croft, Henk Visser, Bruno the Baker
"""
CARETAKERS = "Zdeněk Malý, Walter Plum, Benedikt Wren, Olga Sturm, Tom Baker, Hugo Lantern, Ruby Stone, Günther Kloß, Hausmann & Sons"
COMMITTEE = "Farida Haddad, Jonas Pelikan, Agnieszka Żuraw, Ines Carvão, Grace Holloway, Olga Sturm, Violet Marsh"
PETS = "cat, cat, cat, dog, dog, budgerigar, tortoise, goldfish, rabbit, hamster, parrot, iguana, ferret, stick insects"
HEATING = "district heating, district heating, gas, gas, gas, oil, wood stove, wood stove, electric heaters, heat pump"
TROUBLES = "damp, noise, noise, leaking tap, mice, draughty windows, broken lift, smell of fish, mould, blocked drain, creaking floor, wasps, slow internet, barking"
LEFT = "piano, stuffed owl, wardrobe, sewing machine, box of letters, bicycle, wedding dress, accordion, grandfather clock, aquarium, wooden leg, rocking chair, trunk, stamp album, ladder, jar of buttons, skis, typewriter"


def listed(text):
    """What a constant names, one after another."""
    return text.strip().replace("\n", ", ").split(", ")


def several(choices, most, random):
    """A few of some, none twice."""
    chosen = random.sample(choices, random.randint(1, most))
    return "; ".join(dict.fromkeys(chosen))


def sometimes(share, cell, random):
    """A cell that many rows have not got."""
    return cell if random.random() < share else ""


def one_flat(name, spaces, random):
    """A flat with all that needs neither people nor other flats."""
    area = random.randint(19, 118)
    rent = round(area * random.uniform(6.2, 10.4))
    painted = random.randint(1987, 2024)
    return {
        "flat": name,
        "floor": "5"
        if name.endswith("Attic")
        else str(random.choice([0, 0, 1, 1, 2, 2, 3, 3, 4, 5])),
        "living_area": f"{area} m²",
        "monthly rent": f"{rent} EUR",
        "deposit": f"{random.choice([1, 2, 2, 3]) * round(rent, -1)} EUR",
        "notice_period": random.choice(
            ["1 month", "2 months", *["3 months"] * 3, "6 months", "6 weeks"]
        ),
        "pets": sometimes(0.5, several(listed(PETS), 2, random), random),
        "Heated With": random.choice(listed(HEATING)),
        "parking space": sometimes(0.45, f"P{spaces.pop()}", random),
        "complaints": sometimes(0.55, several(listed(TROUBLES), 3, random), random),
        "Last Painted": str(painted),
        "balcony": random.choice(["yes", "no"]),
        "left behind": sometimes(0.45, several(listed(LEFT), 3, random), random),
    }


def settle(rows, random):
    """Give the flats their people: tenants now and before, caretakers and the committee."""
    tenants = listed(TENANTS)
    empty = {row["flat"] for row in random.sample(rows, 6)}
    lived = [row for row in rows if row["flat"] not in empty]
    random.shuffle(lived)
    waiting = list(tenants)
    for row in lived:
        couple = len(waiting) > 8 and random.random() < 0.35
        names = [waiting.pop(0) for _ in range(2 if couple else 1) if waiting]
        if couple and names[0].split()[-1] != names[1].split()[-1]:
            waiting.insert(0, names.pop())
        row["Rented By"] = "; ".join(names)
        moved = date(1979, 1, 1) + timedelta(int(16900 * random.random() ** 0.6))
        row["moved_in_on"] = moved.isoformat() if names else ""
    for row in rows:
        row["pets"] = row["pets"] if row.get("Rented By") else ""
        here = row.get("Rented By", "").split("; ")
        before = [name for name in listed(FORMER) * 2 + tenants if name not in here]
        row["previous_tenants"] = sometimes(0.75, several(before, 3, random), random)
        row["caretaker"] = random.choice([name for name in listed(CARETAKERS) if name not in here])
        row["Committee Member"] = random.choice(
            [name for name in listed(COMMITTEE) if name not in here]
        )


def flats(random):
    """Return all rows."""
    names = listed(NAMED) + listed(NUMBERED)
    spaces = random.sample(range(1, 160), len(names))
    rows = [one_flat(name, spaces, random) for name in names]
    settle(rows, random)
    single = [name for name in names if names.count(name) == 1]
    pairs = random.sample(single, len(single))
    for one, other in zip(pairs[::2], pairs[1::2], strict=False):
        for name, partner in ((one, other), (other, one)):
            next(row for row in rows if row["flat"] == name)["shares meter with"] = partner
    for row in rows:
        row["Spare Key At"] = random.choice([name for name in single if name != row["flat"]])
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with (
        Path(__file__).with_name("cooperative.csv").open("w", encoding="utf-8", newline="") as file
    ):
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(flats(Random(52)))


if __name__ == "__main__":
    main()
