"""Write rescue.csv: the animals and the staff of an invented animal shelter, a row an animal or a person.

All invented; a fixed seed. Hard on purpose: animals whose names are words, days, foods and other animals,
namesakes of two kinds, names that share a part (with keepers too), accents and titles, weights partly in
grams and partly in kilograms, exercise in minutes and hours, several values in a cell, parents, pen mates,
keepers and supervisors who are rows themselves, adopters who sometimes are, and many cells left empty.

    python3 invent_rescue.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *(
        "name",
        "Kind",
        "breed",
        "birth_year",
        "arrived_on",
        "Found At",
        "brought in by",
        "mother",
        "father",
    ),
    *(
        "Shares A Pen With",
        "looked_after_by",
        "supervised by",
        "Housed In",
        "weight",
        "vaccinated_against",
    ),
    *("neutered", "Adoption Fee", "adopted by", "daily exercise", "Afraid Of"),
)
GAPS = {
    **{"breed": 0.06, "birth_year": 0.08, "arrived_on": 0.05, "looked_after_by": 0.06},
    **{"weight": 0.1, "vaccinated_against": 0.14, "neutered": 0.12, "Adoption Fee": 0.1},
    **{"daily exercise": 0.14, "Afraid Of": 0.3, "Found At": 0.05, "brought in by": 0.15},
}
# Kind / first and last birth year / grams / fee in EUR / minutes of exercise / houses / vaccinations
KINDS = """
dog/2010-2024/2400-61000/120-380/20-180/Kennel Row, New Kennels/rabies, distemper, parvovirus, kennel cough
cat/2007-2024/2300-8900/60-180/10-45/Cat Attic, Sunroom/rabies, cat flu, leukaemia
rabbit/2016-2025/900-4600/20-55/60-240/Hutch Yard, Long Barn/myxomatosis, RHD
guinea pig/2018-2025/600-1250/15-30/30-120/Hutch Yard, Long Barn/
parrot/1969-2021/80-1300/70-650/30-150/Glasshouse/polyomavirus
goat/2012-2024/19000-72000/60-140/120-360/Orchard, Long Barn/tetanus, bluetongue
donkey/1994-2018/110000-240000/350-800/90-300/Orchard/tetanus, herpes, rabies
ferret/2017-2024/620-1900/25-70/30-120/Boiler Room/rabies, distemper
tortoise/1938-2012/700-5200/90-260/60-200/Glasshouse/
hedgehog/2021-2025/340-1100//40-120/Boiler Room/
goose/2011-2023/3600-7900/30-55/60-400/Orchard/bird flu
"""
# Kind: name/breed/sex
ANIMALS = """
dog: Button/beagle/f; Toast/dachshund/m; Friday/greyhound/f; Tuesday/greyhound/m; Old Otto/German shepherd/m; Little Otto/German shepherd/m; Queen Bess/bulldog/f; Bess/border collie/f; Bella/poodle/f; Max/boxer/m; Žofka/dachshund/f; Håkon/elkhound/m; Captain/Newfoundland/m; Captain Crumb/terrier mix/m; Nobody/lurcher/m; Rain/whippet/f; Chief Inspector/bloodhound/m; Señor Pérez/chihuahua/m; Duchess of Mud/cocker spaniel/f; Later/lurcher/m; Šmudla/terrier mix/f; Bjørn/husky/m; Ash/husky/m; Ember/husky/f; Sunday/greyhound/f; Crumpet/beagle/f; Wolf/chihuahua/m
cat: Lady Grey/British shorthair/f; Earl Grey/British shorthair/m; Mr. Whiskers/tabby/m; Mrs. Whiskers/tabby/f; Bella/Siamese/f; Luna/Persian/f; Müsli/tabby/m; Maybe/tortoiseshell/f; Émile/Chartreux/m; Zoë/Burmese/f; Soot/domestic shorthair/m; Cinder/domestic shorthair/f; Monday/domestic shorthair/m; The Admiral/Maine Coon/m; Admiral's Daughter/Maine Coon/f; Pudding/Persian/f; Black Pudding/domestic shorthair/m; Ghost/Siamese/m; Nightshade/Burmese/f; Professor Plumtree/Maine Coon/m; Ítaca/tortoiseshell/f; Mouse/Siamese/f
rabbit: Luna/Dutch/f; Clover/lop/f; Four-Leaf Clover/lop/m; Dandelion/Angora/f; Parsley/lop/m; Snowdrop/Angora/f; Biscuit/Dutch/m; Gingerbread/Rex/m; Doctor Bun/Rex/m; Bread/Dutch/m; Butter/Dutch/f; Old Nibbles/Flemish giant/m; Nibbles/Flemish giant/f
guinea pig: Peanut/Abyssinian/m; Peppercorn/Abyssinian/f; Tiger/Peruvian/m; Ada/American/f; Çiçek/Peruvian/f; Salt/American/m; Hazel/Abyssinian/f; Moss/Peruvian/m; Hazelnut/Abyssinian/f
parrot: Long John/macaw/m; Polly Esther/cockatoo/f; Kapitän Blau/macaw/m; Echo/African grey/f; Mango/budgerigar/m; Second Echo/African grey/f; Judge/cockatoo/m
goat: Max/pygmy goat/m; Heidi/Saanen/f; Gruff/Saanen/m; Billy Bell/pygmy goat/m; Nanny Bell/pygmy goat/f; Thistle/Saanen/f; Bramble/Boer/f
donkey: Balthazar/Poitou/m; Melchior/Poitou/m; Rosinda/miniature donkey/f; Straw/miniature donkey/f; Pharaoh/miniature donkey/m
ferret: Noodle/sable/m; Łasica/albino/f; Socks/sable/f; Quick/albino/m; Spaghetti/sable/m
tortoise: Methuselah/Hermann's tortoise/m; Hermína/Hermann's tortoise/f; Pebble/Greek tortoise/f; Speedy/Greek tortoise/m
hedgehog: Pins//f; Needles//m; Cactus//m
goose: Sir Honk/Toulouse/m; Gudrun/Toulouse/f; Agáta/Emden/f
"""
# Name / kind / born / started / supervised by / vaccinated against / afraid of
STAFF = """
Rosalind Grey/manager/1961/1996-03-01//tetanus; rabies/paperwork
Hanna Brück/keeper/1979/2004-09-15/Rosalind Grey/tetanus; rabies/
Tomasz Wilk/keeper/1984/2011-05-02/Rosalind Grey/tetanus/geese
Odile Marchand/keeper/1990/2015-10-19/Hanna Brück/tetanus; rabies/spiders
Pip Farrow/keeper/1998/2021-01-11/Hanna Brück//
Sam Bell/keeper/1987/2013-07-08/Tomasz Wilk/tetanus; rabies; bird flu/
Bella Sands/keeper/2000/2022-06-20/Odile Marchand/tetanus/thunder; geese
Jo Thorne/keeper/1993/2018-02-05/Tomasz Wilk/tetanus; rabies/
Joe Thorne/volunteer/1966/2019-04-22/Jo Thorne//heights
Ngozi Eze/keeper/1982/2009-11-30/Rosalind Grey/rabies/
Mateo Ríos/volunteer/2003/2023-08-01/Ngozi Eze/tetanus/parrots
Walter Button/volunteer/1949/2001-12-12/Ngozi Eze//
Dr. Inge Falk/vet/1972/2006-01-16/Rosalind Grey/tetanus; rabies; bird flu/
Lin Summer/volunteer//2024-05-27/Sam Bell//wasps
"""
KEEPERS = "Hanna Brück, Tomasz Wilk, Odile Marchand, Pip Farrow, Sam Bell, Bella Sands, Jo Thorne, Ngozi Eze, Mateo Ríos, Walter Button, Lin Summer"
ADOPTERS = "Greta Lindqvist, the Novák family, Desmond Pike, Aylin Demir, Father Anselm, Klára Veselá, Old Mill School, Pip Farrow, Walter Button, Odile Marchand, Dr. Inge Falk, Karl Amsel, Ms. Fox"
BRINGERS = "the police, the fire brigade, Desmond Pike, Mateo Ríos, Greta Lindqvist, Father Anselm, Karl Amsel, Jo Thorne, Klára Veselá, a lorry driver, Dr. Inge Falk"
PLACES = "Harbour Street, Tinker's Bridge, Old Quarry, Marsh Road, Station Car Park, Lime Avenue, St. Olave's Churchyard, Nettle Farm, Upper Nettle Farm, Ferry Landing, Motorway Exit 14, Käthe's Bakery"
FEARS = "thunder, vacuum cleaners, men with hats, bicycles, geese, fireworks, umbrellas, water, children, the vet, balloons, brooms"


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return [item for item in text.strip().replace("\n", comma).split(comma) if item]


def several(choices, most, random):
    """A few of some, in the order in which they stand there."""
    chosen = random.sample(choices, min(len(choices), random.randint(1, most)))
    return "; ".join(sorted(chosen, key=choices.index))


def animal(name, breed, line, random):
    """An animal with all that needs no other animal."""
    kind, years, grams, fee, minutes, houses, jabs = line.split("/")
    (old, young), (light, heavy), (short, long) = (
        [int(n) for n in pair.split("-")] for pair in (years, grams, minutes)
    )
    born = int(young - (young - old) * random.random() ** 1.4)
    came = date(max(born, 2012), 1, 5) + timedelta(random.randrange(330))
    came += timedelta(365 * random.randint(0, max(0, min(7, 2024 - came.year))))
    gram = light * (heavy / light) ** random.random()
    moved = round(short * (long / short) ** random.random() / 5) * 5
    money = random.randrange(*(int(n) for n in fee.split("-")), 5) if fee else 0
    return {
        **{
            "name": name,
            "Kind": kind,
            "breed": breed,
            "birth_year": str(born),
            "arrived_on": came.isoformat(),
        },
        "Found At": random.choice(listed(PLACES)),
        "brought in by": random.choice(listed(BRINGERS)),
        "looked_after_by": random.choice(listed(KEEPERS)),
        "Housed In": "Quarantine" if random.random() < 0.08 else random.choice(listed(houses)),
        "weight": f"{round(gram / 10) * 10} g" if gram < 1500 else f"{gram / 1000:.1f} kg",
        "vaccinated_against": several(listed(jabs), 3, random) if jabs else "",
        "neutered": "yes" if random.random() < 0.6 else "no",
        "Adoption Fee": f"{money} EUR" if money else "",
        "adopted by": random.choice(listed(ADOPTERS)) if random.random() < 0.3 else "",
        "daily exercise": f"{round(moved / 30) / 2:g} h" if moved >= 90 else f"{moved} min",
        "Afraid Of": several(listed(FEARS), 3, random),
    }


def animals(random):
    """Return every animal, with parents and pen mates; a namesake is neither."""
    lines = {line.split("/")[0]: line for line in KINDS.strip().splitlines()}
    rows, sexes = [], {}
    for block in ANIMALS.strip().splitlines():
        kind, told = block.split(": ")
        for name, breed, sex in (one.split("/") for one in told.split("; ")):
            rows.append(animal(name, breed, lines[kind], random))
            sexes[name] = sex
    names = [row["name"] for row in rows]
    single = [row for row in rows if names.count(row["name"]) == 1]
    for row in rows:
        older = [
            o
            for o in single
            if o["Kind"] == row["Kind"] and int(o["birth_year"]) < int(row["birth_year"])
        ]
        for parent, sex in (("mother", "f"), ("father", "m")):
            fit = [o["name"] for o in older if sexes[o["name"]] == sex]
            if fit and random.random() < 0.5:
                row[parent] = random.choice(fit)
        if row.get("mother") and random.random() < 0.5:
            row["Found At"] = row["brought in by"] = ""
        if row["adopted by"]:
            row["Housed In"] = ""
    free = [row for row in single if row["Housed In"]]
    random.shuffle(free)
    while free:
        first = free.pop()
        fit = [
            o
            for o in free
            if o["Housed In"] == first["Housed In"]
            and (o["Kind"] == first["Kind"] or first["Housed In"] in {"Orchard", "Hutch Yard"})
        ]
        pen = [first, *fit[: random.choice([0, 1, 1, 2, 2])]]
        for row in pen:
            row["Shares A Pen With"] = "; ".join(o["name"] for o in pen if o is not row)
        free = [row for row in free if all(row is not o for o in pen)]
    for row in rows:
        row.update({column: "" for column, share in GAPS.items() if random.random() < share})
    return rows


def main() -> None:
    """Write the rows, a line each, under a line that names the columns."""
    random = Random(41)
    rows = animals(random)
    keys = (
        "name",
        "Kind",
        "birth_year",
        "arrived_on",
        "supervised by",
        "vaccinated_against",
        "Afraid Of",
    )
    rows += [dict(zip(keys, line.split("/"), strict=True)) for line in STAFF.strip().splitlines()]
    random.shuffle(rows)
    with Path(__file__).with_name("rescue.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
