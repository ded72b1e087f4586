"""Write orchestra.csv: the musicians of an invented orchestra, a row a musician.

All invented; a fixed seed. Hard on purpose: musicians whose names are words, instruments, months and
cities, namesakes in two sections, names that share a part, accents, desk partners, teachers and those
stood in for who are rows themselves, a few teachers who are not, instrument makers who also play,
distances partly in metres and partly in kilometres, practice partly in minutes and partly in hours,
several values in a cell, and many cells left empty.

    python3 invent_orchestra.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *(
        "musician",
        "instrument",
        "Section",
        "desk_partner",
        "Studied With",
        "stands_in_for",
        "born_on",
    ),
    *(
        "Home City",
        "joined on",
        "monthly_salary",
        "hobbies",
        "Languages Spoken",
        "instrument built by",
    ),
    *(
        "Year Built",
        "insured_for",
        "daily practice",
        "locker number",
        "Favourite Composer",
        "plays solos",
    ),
    "Distance To Hall",
)
GAPS = {
    **{
        "born_on": 0.1,
        "Home City": 0.08,
        "joined on": 0.06,
        "monthly_salary": 0.08,
        "hobbies": 0.1,
    },
    **{
        "Languages Spoken": 0.08,
        "instrument built by": 0.15,
        "Year Built": 0.2,
        "insured_for": 0.15,
    },
    **{
        "daily practice": 0.12,
        "locker number": 0.08,
        "Favourite Composer": 0.2,
        "plays solos": 0.06,
    },
    "Distance To Hall": 0.12,
}
# Section / instrument / years a builder may have lived in / thousands of euros / who plays it
PLAYERS = """
strings/violin/1690-2015/6-420/Ilse Brandt, Tomás Ibarra, Paris Lemaire, Hope Winter, Jana Nováková, Anna Berg, Annabel Berg, Frank Sharp, Łucja Zawada, Kenji Morita, Summer Day, Otto Lindqvist, Penny Price, Noémie Duval, Grace Tuning, Marek Wrona, Sunday Okoye, Bill Bow, Viveka Ström, Melody Fields, Tom Hale, Ángela Ruiz, Lee Park, Dawn Early, Ravi Menon, Florence Hill
strings/viola/1720-2018/5-160/Ottilie Lindqvist, Patience Long, Jan Novák, Miles Short, Çelik Aydın, Rosa Thorn, Henrik Vang, Will Stone, Beatriz Sá, Noor Haddad
strings/cello/1710-2012/9-310/Ernest Drum, Li Wei, Sofia Lindqvist, Klaus Berg, Inés Robledo, Harper Lane, Piet de Wit, May Rose, Gaspard Noir, Ruth Ash
strings/double bass/1780-2019/7-95/James Stone, Björk Anders, Old Tom Hale, Robin Bird, Zoltán Kis, Tuesday Brown, Carmela Bassi
strings/harp/1930-2020/15-48/Séraphine Roux, Ada Stringer
woodwind/flute/1955-2021/3-38/Li Wei, Birdie Lark, Yuki Tanabe, Cosmo Wind, Agnès Petit
woodwind/oboe/1970-2022/4-14/Reed Carter, Małgorzata Sroka, Hugo Pfeil, April Marsh, Dina Sabbagh
woodwind/clarinet/1965-2022/3-11/Rusty Horn, Anna Bergmann, Luís Peixoto, Ida Black, Samir Haddad
woodwind/bassoon/1958-2020/9-36/Tibor Szabó, Gunnar Holt, Faith Bell, Petr Novák, Wanda Low
brass/horn/1950-2021/4-15/Anna Berg, Viola Marsh, Casper Vang, Björn Ek, Oona Hunter, Leopold Wald, Chance Rivers
brass/trumpet/1960-2022/2-9/Duke Silver, Jürgen Blech, Parker Lee, Xenia Gold, Mateo Ríos
brass/trombone/1962-2021/2-10/James Stone, Ursula Zug, Slim Jim Kowalski, Fleur Long, Émile Duval
brass/tuba/1948-2019/6-19/Big Ben Archer, Tiny Okafor
percussion/timpani/1935-2018/8-30/Wilhelm Donner, Carol Singer
percussion/percussion/1985-2022/2-12/Cliff Hanger, Aiko Stone, Rory Bell, Dagmar Schell, Pepe Luz
keyboards/piano/1898-2016/20-140/Clara Kleve, Leonid Sharp
keyboards/celesta/1925-1990/12-32/Marcel Ivory
"""
SECOND = "Birdie Lark/flute; piccolo, Cosmo Wind/piccolo; flute, April Marsh/oboe; cor anglais, Samir Haddad/clarinet; bass clarinet, Wanda Low/bassoon; contrabassoon, Pepe Luz/percussion; timpani, Clara Kleve/piano; celesta, Ida Black/clarinet; saxophone"
CITIES = "Port Elder, Grünfeld, Saint Orla, Vila Serena, Łomna, Kastrel, Ostermond, Møllevik, Brandon, New Brandon, Chartreuil, Zlatna Hora, Qasr Nour, Hanabira, Lago Verde, Reading Green, Nice Harbour, Tall Oaks"
HOBBIES = "chess, gardening, sailing, baking, birdwatching, cycling, knitting, beekeeping, climbing, photography, model trains, tango, crosswords, running, fishing, pottery, astronomy, football, origami, poker, wild swimming, magic tricks"
LANGUAGES = "English, German, French, Polish, Spanish, Czech, Portuguese, Danish, Italian, Arabic, Japanese, Swedish"
BUILDERS = {
    "strings": "Giacomo Fontana, Brüder Kessler, Rosalind Pike, Atelier Marchetti, Henrik Vang, Étienne Vauquelin",
    "woodwind": "Yamori, Gull & Sons, Tibor Szabó, Maison Clairbois, Kessler Holzbau",
    "brass": "Nordhorn, Casper Vang, Messing Adler, Gull & Sons",
    "percussion": "Paukenhaus Rühl, Thunder Drums, Gull & Sons",
    "keyboards": "Sternberg & Co., Marchetti Pianos",
}
COMPOSERS = "Ignaz Thaler, Clara Whitlow, Amadeo Rossmann, Bedřich Holub, Jean-Luc Forêt, Sigrid Aasen, Elgin Moore, Ottilie Lindqvist, Teodora Vaz, The Elder Rossmann"
OUTSIDERS = "Professor Quint, Madame Orlova, Sister Benedikta, Maestro Galli"
# Known: musician / instrument / column / cell
KNOWN = """
Anna Berg/horn/Home City/Møllevik; Paris Lemaire/violin/Home City/Nice Harbour; Florence Hill/violin/Home City/Reading Green; Ernest Drum/cello/hobbies/chess; Björn Ek/horn/hobbies/beekeeping; Robin Bird/double bass/hobbies/birdwatching; Bill Bow/violin/hobbies/fishing; Will Stone/viola/Home City/Brandon
Old Tom Hale/double bass/born_on/1953-11-30; Old Tom Hale/double bass/joined on/1975-09-01; Tom Hale/violin/born_on/1984-05-17; Old Tom Hale/double bass/insured_for/61000 EUR; Ilse Brandt/violin/insured_for/1150000 EUR; Ilse Brandt/violin/Year Built/1694; Ilse Brandt/violin/instrument built by/Giacomo Fontana
Ilse Brandt/violin/monthly_salary/7400 EUR; Ilse Brandt/violin/plays solos/yes; Sunday Okoye/violin/daily practice/5.5 h; Cliff Hanger/percussion/daily practice/20 min; Cliff Hanger/percussion/hobbies/climbing; Marcel Ivory/celesta/monthly_salary/2650 EUR; Tiny Okafor/tuba/Distance To Hall/300 m; Gunnar Holt/bassoon/Distance To Hall/78 km
Tibor Szabó/bassoon/instrument built by/Tibor Szabó; Wanda Low/bassoon/instrument built by/Tibor Szabó; Viola Marsh/horn/instrument built by/Casper Vang; Miles Short/viola/instrument built by/Henrik Vang; Melody Fields/violin/Favourite Composer/Ottilie Lindqvist; Gunnar Holt/bassoon/Studied With/Tibor Szabó; Gunnar Holt/bassoon/born_on/1974-08-24; Gunnar Holt/bassoon/joined on/2002-04-01; Faith Bell/bassoon/Studied With/Gunnar Holt
Tom Hale/violin/Studied With/Ilse Brandt; Tom Hale/violin/joined on/2010-09-01; Florence Hill/violin/Studied With/Professor Quint; Łucja Zawada/violin/Studied With/Sister Benedikta; Fleur Long/trombone/Studied With/Madame Orlova; Clara Kleve/piano/Studied With/Madame Orlova; Summer Day/violin/Studied With/Tom Hale; Marcel Ivory/celesta/Studied With/Clara Kleve; Séraphine Roux/harp/Studied With/Sister Benedikta; Ada Stringer/harp/stands_in_for/Séraphine Roux; Carol Singer/timpani/stands_in_for/Wilhelm Donner
Kenji Morita/violin/Languages Spoken/Japanese; German; Kenji Morita/violin/Home City/Hanabira; Yuki Tanabe/flute/Home City/Hanabira; Samir Haddad/clarinet/Home City/Qasr Nour; Noor Haddad/viola/Home City/Qasr Nour; Big Ben Archer/tuba/locker number/100; Ravi Menon/violin/born_on/2001-02-11; Ravi Menon/violin/joined on/2024-09-01
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, the first ones more often than the last."""
    chosen = []
    for _ in range(random.randint(1, most)):
        choice = choices[int(len(choices) * random.random() ** 1.4)]
        chosen += [choice] * (choice not in chosen)
    return "; ".join(chosen)


def person(name, line, random):
    """A musician with all that needs no other musician."""
    section, instrument, years, worth, _ = line.split("/", 4)
    (oldest, newest), (cheap, dear) = ([int(b) for b in pair.split("-")] for pair in (years, worth))
    born = date(1956, 1, 1) + timedelta(random.randrange(16200))
    joined = max(
        date(born.year + random.randint(21, 34), random.choice((1, 4, 9, 9)), 1), date(1979, 9, 1)
    )
    minutes, metres = random.randrange(30, 301, 15), int(400 * 120 ** random.random())
    both = dict(pair.split("/") for pair in listed(SECOND))
    return {
        **dict.fromkeys(COLUMNS, ""),
        "musician": name,
        "instrument": both.get(name, instrument),
        "Section": section,
        "born_on": born.isoformat(),
        "Home City": several(listed(CITIES), 1, random),
        "joined on": min(joined, date(2024, 1, 1)).isoformat(),
        "monthly_salary": f"{random.randrange(2700, 6300, 50)} EUR",
        "hobbies": several(listed(HOBBIES), 3, random),
        "Languages Spoken": several(listed(LANGUAGES), 4, random),
        "instrument built by": several(listed(BUILDERS[section]), 1, random),
        "Year Built": str(random.randint(oldest, newest)),
        "insured_for": f"{int(cheap * (dear / cheap) ** random.random() * 2) * 500} EUR",
        "daily practice": f"{minutes} min" if minutes < 120 else f"{round(minutes / 30) / 2:g} h",
        "Favourite Composer": several(listed(COMPOSERS), 1, random),
        "plays solos": random.choice(("yes", "no", "no")),
        "Distance To Hall": f"{metres // 50 * 50} m"
        if metres < 1000
        else f"{metres / 1000:.1f} km",
    }


def acquainted(rows, random):
    """Fill in the columns that point to other rows; namesakes are never pointed to."""
    names = [row["musician"] for row in rows]
    single = [row for row in rows if names.count(row["musician"]) == 1]
    for line in PLAYERS.strip().splitlines():
        _section, instrument, *_ = line.split("/")
        desk = [
            r
            for r in single
            if r["Section"] == "strings" and r["instrument"] == instrument != "harp"
        ]
        for one, other in zip(desk[::2], desk[1::2], strict=False):
            one["desk_partner"], other["desk_partner"] = other["musician"], one["musician"]
    for row in rows:
        first = row["instrument"].split("; ")[0]
        older = [o for o in single if int(o["born_on"][:4]) + 8 < int(row["born_on"][:4])]
        near = [o["musician"] for o in older if first in o["instrument"]]
        near = near or [o["musician"] for o in older if o["Section"] == row["Section"]]
        if random.random() < 0.72:
            teachers = random.sample(near, min(len(near), random.choice((1, 1, 1, 2))))
            row["Studied With"] = "; ".join(teachers or [random.choice(listed(OUTSIDERS))])
        same = [o["musician"] for o in single if first in o["instrument"] and o is not row]
        if same and random.random() < 0.42:
            row["stands_in_for"] = random.choice(same)


def main() -> None:
    """Write the table beside this script."""
    random = Random(47)
    rows = []
    for line in PLAYERS.strip().splitlines():
        rows += [person(name, line, random) for name in listed(line.split("/", 4)[4])]
    for row, number in zip(
        rows, random.sample(range(1, 100), 99) + list(range(101, 120)), strict=False
    ):
        row["locker number"] = str(number)
    acquainted(rows, random)
    for row in rows:
        for column, share in GAPS.items():
            row[column] = "" if random.random() < share else row[column]
    for fact in (
        KNOWN.strip().replace("Japanese; German", "Japanese+German").replace("\n", "; ").split("; ")
    ):
        name, instrument, column, cell = fact.split("/")
        row = next(
            r for r in rows if r["musician"] == name and r["instrument"].startswith(instrument)
        )
        row[column] = cell.replace("+", "; ")
    for row in rows:  # what a musician built was built in that musician's lifetime
        if row["Year Built"] and row["instrument built by"] in {r["musician"] for r in rows}:
            row["Year Built"] = str(random.randint(1992, 2021))
    random.shuffle(rows)
    with Path(__file__).with_name("orchestra.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
