"""Write heroes.csv: the characters of an invented comic universe, a row a character.

All invented; a fixed seed. Hard on purpose: names that are words, months and days, names inside other names
(Thistle, Captain Thistle), one name twice, accents, apostrophes, hyphens, several powers and creators in a
cell, enemies, sidekicks and mentors who are other characters of the same table, and many cells left empty.

    python examples/strangers/choosing/invent_heroes.py
"""

# ruff: noqa: E501

import csv
from datetime import date
from pathlib import Path
from random import Random

COLUMNS = [
    "Character",
    "real_name",
    "alignment",
    "Arch Enemy",
    "sidekick",
    "Mentor",
    "Powers",
    "weakness",
    "Created By",
    "First Appearance",
    "debut_on",
    "Home City",
    "height",
    "Weight",
    "Team",
    "occupation",
    "species",
    "birth_year",
    "can_fly",
    "issues",
]
GAPS = {
    "real_name": 0.08,
    "Arch Enemy": 0.1,
    "Mentor": 0.15,
    "weakness": 0.2,
    "Created By": 0.05,
    "debut_on": 0.05,
    "Home City": 0.06,
    "height": 0.08,
    "Weight": 0.2,
    "occupation": 0.07,
    "birth_year": 0.15,
    "issues": 0.05,
}
# Team | its city | its series | the year the series began: name/real name/alignment/species/occupation
CAST = """
Lantern League|Port Halcyon|Lantern Tales|1951: Captain Thistle/Maeve Dunnock/hero/human/botanist; Thistle/Rory Dunnock/hero/human/pupil; Brass Sparrow/Ignatius Obuya-Lowe/hero/human/clockmaker; Captain Ångström/Liv Bergqvist/hero/human/physicist; Umbrella/Prudence Wick/hero/human/librarian; The Gentle Giant/Olumide Farrow/hero/giant/baker; Lady Semaphore/Cordelia Hatley/hero/human/pilot; Dot/Dorothea Wick/hero/human/pupil; October/Anneke Roosdorp/hero/changeling/gardener; Señora Relámpago/Ximena Quirós/hero/human/electrician; Paper Kite/Tomoko Arisuda/hero/human/postwoman; The Lamplighter/Silas Grubb/hero/ghost/night watchman; Copper Wren/Agnes Obuya-Lowe/hero/human/nurse
Midnight Ledger|Grimhaven|Ledger of Crime|1954: Doctor Mildew/Cuthbert Sallow/villain/human/chemist; The Auditor/Edmund Prickett/villain/human/accountant; Madame Vitriol/Hortensia Sallow/villain/human/chemist; Anti-Lark/Jonas Lark/villain/changeling/opera singer; Count Backwards/Ludovic von Zahlen/villain/vampire/mathematician; The Devil's Postman/Obadiah Crumb/villain/demon/postman; Żmija/Halina Wrzosek/villain/human/dancer; Monday/Gregor Stumpf/villain/human/office clerk; Professor Gallows/Alaric Noose/villain/human/professor; Rust/Dale Hinkley/villain/human/scrap dealer; Iron Sparrow//villain/robot/; Velvet Mallet/Desdemona Pike/villain/human/judge; Red Clerk/Nigel Prickett/antihero/human/office clerk; Minus/Zahra Noll/villain/human/banker
Odd Socks|Lower Wexcombe|Odd Socks Weekly|1968: Half-Past/Benny Hillock/hero/human/pupil; Tick-Tock Tess/Tess Hillock/hero/human/pupil; Marmalade/Orla Peel/hero/human/pupil; Pocket/Stanisław Kopek/hero/human/pickpocket; Tinker's Boy/Jem Tinker/hero/human/mechanic; Little October/Mila Roosdorp/hero/changeling/pupil; Inkblot/Fergus Quill/antihero/changeling/cartoonist; Kid Kettle/Pádraig Steam/hero/human/pupil; Doorbell/Wendy Chime/hero/ghost/; Left Shoe//hero/robot/; Mrs. Button/Philippa Button/hero/human/teacher; Kettle/Brendan Steam/villain/human/cook; Nanny Nettle/Griselda Moorcock/villain/witch/nanny
Salt Brigade|Anvil Bay|Salt and Thunder|1959: Captain Barnacle/Hamish Gantry/hero/human/sailor; Kelp/Moana Rewita/hero/merfolk/marine biologist; The Harbourmaster/Constantine Drax-Hume/antihero/human/harbourmaster; Deep Nell/Nell Gantry/hero/merfolk/diver; Tío Trueno/Eusebio Quirós/hero/human/fisherman; Old Anchor/Barnaby Tarr/hero/ghost/sailor; Anchor/Lucy Tarr/hero/human/boxer; Pearl/Ama Serwaa-Blunt/antihero/merfolk/jeweller; Lighthouse Mary/Mary Grubb/hero/human/lighthouse keeper; Brine/Viktor Salzer/villain/merfolk/smuggler; Gull/Einar Skarvik/antihero/changeling/thief; Captain Scurvy/Roderick Bilge/villain/ghost/pirate; The Undertow//villain/demon/
Court of Moths|Sable City|The Moth Court|1972: Queen Moth/Isolde Lumley/villain/changeling/fashion designer; The Moth/Percival Lumley/antihero/changeling/tailor; Silk/Mei Hualing/villain/human/thief; Éclipse Noire/Solange Thibodot/villain/witch/astronomer; Mère Fantôme/Bérénice Thibodot/villain/ghost/; Vesper/Ada Lumley/hero/vampire/organist; Candle/Wim Kaarsen/hero/human/monk; Dusk/Tariq Benhaddad/antihero/vampire/detective; Lord Camphor/Rupert Camphor/villain/human/perfumer; Nuée/Joséphine Brouillet/villain/changeling/; Professor Pupa/Ernst Larvik/villain/human/professor; Cocoon/Beatrix Nymph/antihero/human/nurse
Clockwork Nine|Ticking Hill|Clockwork Annual|1963: Doktor Ärger/Friedemann Groll/villain/human/surgeon; Mainspring/Clara Uhrmann/hero/robot/mechanic; Unit Forty//hero/robot/; Unit Fourteen//villain/robot/; Madame Pendulum/Zénobie Balance/villain/human/hypnotist; Noon/Sol Meridew/hero/human/astronomer; Jack o' Hours/Jack Vane/antihero/ghost/thief; Copper/Duncan Wire/hero/robot/police officer; Sergeant Rivet/Hilde Brandauer/hero/robot/police officer; Sister Solder/Perpetua Flux/hero/human/nun; August/Augustin Vane/villain/human/magician; Quartz/Lina Kristall/antihero/robot/jeweller; Seven O'Clock/Rosie Uhrmann/hero/human/pupil
Star Choir|Outer Meridian|Songs of the Star Choir|1981: Alto Prime/Uulo of Vey/hero/alien/singer; Quaver/Iilo of Vey/hero/alien/singer; Ambassador Zzyrl/Zzyrl Om-Tarr/antihero/alien/diplomat; Ninth Moon/Hana Tsukuda/hero/human/pilot; Ix'tol/Ix'tol the Younger/villain/alien/emperor; Solo/Marek Zpěvák/antihero/human/bounty hunter; Treble/Pip Carroway/hero/human/pupil; Lull/Oona of Sarr/villain/alien/nanny; Cantor/Avram Zingher/hero/human/monk; The Hum//villain/alien/; Baritone Bob/Bob Carroway/hero/giant/bus driver; Discord/Kyra of Sarr/villain/alien/conductor
||Strange Parcels|1966: Widow O'Malley/Bridget O'Malley/antihero/human/undertaker; Gravel/Ned Quarrie/villain/giant/miner; Chalk/Miss Alba Slate/hero/ghost/teacher; The Understudy/Hugo Prompt/villain/changeling/actor; Magnet/Ferris Pohl/hero/human/scrap dealer; Doctor Monday/Gisela Stumpf/hero/human/surgeon; Čáp/Bohumil Čáp/hero/changeling/chimney sweep; Grandfather Hail/Oleg Gradov/antihero/giant/; Fog//villain/ghost/; Vesper/Sister Ludovica/villain/witch/nun; The Beekeeper/Tobias Meade/villain/human/beekeeper; The Beekeeper's Daughter/Honor Meade/hero/human/florist; Whistle/Ravi Pathmore/antihero/human/referee; Mirror Twin//antihero/changeling/; Sólbjörg/Sólbjörg Hallsdóttir/hero/witch/blacksmith; Doctor Sunday/Theodore Rest/villain/human/dentist; Mister May/Clive May/antihero/human/florist; Yes Man/Norman Naye/villain/human/butler
"""
CITIES = "Port Halcyon, Grimhaven, Lower Wexcombe, Anvil Bay, Sable City, Ticking Hill, Wexcombe, Saint-Orme, Tuesday Falls, Ödmark"
POWERS = "super strength, invisibility, telepathy, shapeshifting, super speed, lightning, illusions, healing, fire breath, teleportation, time stopping, walking through walls, talking to animals, magnetism, plant control, shrinking, super hearing, breathing under water, ice, poison touch"
WEAKNESSES = "salt water, loud music, rust, moonlight, cold iron, sunlight, onions, mirrors, vanity, lilac, hay fever, cats, heights, sugar"
MAKERS = "Nils Oberholt, Ramona Petticrew, Desmond Achterby, Teresa Blumen, Ottoline Blumen, Farid Zamandar, Gus Tindle, Éloïse Marchepin, Kwabena Stroud, Ines d'Albray"
# Who follows whom about
SIDEKICKS = """
Captain Thistle/Thistle; Brass Sparrow/Copper Wren; Umbrella/Dot; October/Little October; Señora Relámpago/Paper Kite; Doctor Mildew/Rust; The Auditor/Monday; Madame Vitriol/Żmija; Count Backwards/Minus; Half-Past/Tick-Tock Tess; Mrs. Button/Doorbell; Pocket/Left Shoe; Captain Barnacle/Deep Nell; Old Anchor/Anchor; Brine/Gull; Captain Scurvy/Kettle
Queen Moth/Silk; Éclipse Noire/Nuée; Dusk/Candle; Lord Camphor/Cocoon; Doktor Ärger/Unit Fourteen; Mainspring/Seven O'Clock; Sergeant Rivet/Copper; August/Jack o' Hours; Alto Prime/Quaver; Cantor/Treble; Ix'tol/Lull; Solo/Baritone Bob; The Beekeeper/Yes Man; Doctor Monday/Magnet; Widow O'Malley/Whistle; Lighthouse Mary/Marmalade; Sólbjörg/Chalk
"""
# Known: name / column / cell
KNOWN = """
Captain Thistle/Arch Enemy/Doctor Mildew; Doctor Mildew/Arch Enemy/Captain Thistle; Captain Thistle/Powers/plant control; Thistle/weakness/hay fever; Brass Sparrow/Arch Enemy/Iron Sparrow; Iron Sparrow/Arch Enemy/Brass Sparrow; Captain Barnacle/Arch Enemy/Captain Scurvy; Captain Scurvy/Arch Enemy/Captain Barnacle; Doctor Monday/Arch Enemy/Monday; Monday/Arch Enemy/Doctor Monday; Rust/weakness/salt water; Copper/weakness/rust; Copper Wren/weakness/rust
Iron Sparrow/weakness/rust; Magnet/Powers/magnetism; Noon/weakness/moonlight; The Gentle Giant/height/412 cm; Dot/height/9 cm; Dot/Powers/shrinking; Umbrella/can_fly/yes; Anti-Lark/can_fly/no; Paper Kite/can_fly/yes; Gull/can_fly/yes; Čáp/can_fly/yes; Kid Kettle/Arch Enemy/Kettle; Kettle/Arch Enemy/Kid Kettle; Kid Kettle/Mentor/Mrs. Button; Señora Relámpago/Powers/lightning; Ambassador Zzyrl/Home City/Outer Meridian
The Beekeeper's Daughter/Arch Enemy/The Beekeeper; Doctor Sunday/Arch Enemy/Doctor Monday; Kelp/Powers/breathing under water; Captain Thistle/issues/614; Captain Thistle/birth_year/1921; Queen Moth/weakness/lilac; Count Backwards/weakness/sunlight; Vesper/weakness/sunlight; Dot/Weight/0.2 kg; The Beekeeper's Daughter/birth_year/1949; Lord Camphor/Arch Enemy/Marmalade
"""
SIZES = {"giant": (280, 395), "robot": (95, 240), "alien": (110, 230), "human": (151, 199)}


def listed(text, comma="; "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, the first ones more often than the last."""
    chosen = {
        choices[int(len(choices) * random.random() ** 1.3)] for _ in range(random.randint(1, most))
    }
    return "; ".join(sorted(chosen, key=choices.index))


def character(fields, team, city, series, began, random):
    """A character with all that needs nobody else."""
    name, real, side, species, work = fields
    number = int(1 + 130 * random.random() ** 1.7)
    debut = date(began + (number - 1) // 12, (number - 1) % 12 + 1, random.randint(1, 28))
    tall = (
        random.randint(118, 149)
        if work == "pupil"
        else random.randint(*SIZES.get(species, SIZES["human"]))
    )
    mass = (
        {"robot": 2.1, "ghost": 0.03}.get(species, random.uniform(0.85, 1.25))
        * 22
        * (tall / 100) ** 2
    )
    young = random.randint(9, 16) if work == "pupil" else random.randint(21, 60)
    age = (
        random.randint(140, 500)
        if species in {"ghost", "vampire", "demon"}
        else 1 + random.randrange(9)
        if species == "robot"
        else young
    )
    return {
        "Character": name,
        "real_name": real,
        "alignment": side,
        "Powers": several(listed(POWERS, ", "), 3, random),
        "weakness": several(listed(WEAKNESSES, ", "), 1, random),
        "Created By": several(listed(MAKERS, ", "), 2, random),
        "First Appearance": f"{series} #{number}",
        "debut_on": debut.isoformat(),
        "Home City": city
        if city and random.random() < 0.7
        else several(listed(CITIES, ", "), 1, random),
        "height": f"{tall} cm",
        "Weight": f"{max(1, round(mass))} kg",
        "Team": team,
        "occupation": work,
        "species": species,
        "birth_year": str(debut.year - age),
        "can_fly": "yes" if random.random() < 0.24 else "no",
        "issues": str(int(4 + 390 * random.random() ** 2.2)),
    }


def cast(random):
    """Every character of every team, and who belongs to whom."""
    rows = []
    for block in CAST.strip().splitlines():
        head, names = block.split(": ", 1)
        team, city, series, began = head.split("|")
        rows += [
            character(who.split("/"), team, city, series, int(began), random)
            for who in names.split("; ")
        ]
    names = [row["Character"] for row in rows]
    single = [row for row in rows if names.count(row["Character"]) == 1]
    helpers = dict(pair.split("/") for pair in listed(SIDEKICKS))
    for row in rows:
        row["sidekick"] = helpers.get(row["Character"], "")
        good, bad = {"hero", "antihero"}, {"villain"}
        foes = [
            o["Character"]
            for o in single
            if o["alignment"] in (good if row["alignment"] == "villain" else bad)
        ]
        near = [
            o["Character"]
            for o in single
            if o["Character"] in foes and o["First Appearance"][:5] == row["First Appearance"][:5]
        ]
        row["Arch Enemy"] = random.choice(near if near and random.random() < 0.5 else foes)
        older = [
            o["Character"]
            for o in single
            if o["debut_on"] < row["debut_on"]
            and o["occupation"] != "pupil"
            and o["alignment"] == row["alignment"]
        ]
        row["Mentor"] = (
            random.choice(older[:9] if random.random() < 0.4 else older)
            if older and random.random() < 0.7
            else ""
        )
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["Character"] == name)[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("heroes.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(cast(Random(87)))


if __name__ == "__main__":
    main()
