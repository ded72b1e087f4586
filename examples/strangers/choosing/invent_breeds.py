"""Write breeds.csv: the dog breeds in the book of an invented kennel club, a row a breed.

All invented; a fixed seed. Hard on purpose: names that are words, months, colours and coats, names that
share a part or hold another name, two breeds of one name, accents, several values in a cell, breeds bred
from and rivals of other breeds of the same table, and many cells left empty.

    python examples/strangers/choosing/invent_breeds.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "Breed|country|Group|bred_from|Rival Breed|founder|year_founded|accepted_on|Recognised In|Weight|shoulder_height|coat|Colours|Original Work|life expectancy|Puppy Price|registered_dogs|daily_exercise|Known Weakness|hypoallergenic".split(
    "|"
)
GAPS = {
    "bred_from": 0.08,
    "Rival Breed": 0.2,
    "founder": 0.12,
    "year_founded": 0.05,
    "accepted_on": 0.1,
    "Weight": 0.05,
    "shoulder_height": 0.08,
    "coat": 0.04,
    "Original Work": 0.1,
    "life expectancy": 0.1,
    "Puppy Price": 0.1,
    "registered_dogs": 0.08,
    "daily_exercise": 0.12,
    "Known Weakness": 0.4,
    "hypoallergenic": 0.06,
}
# Country: breed/group
BREEDS = """
Velmark: Grau-Spitz/toy; Velmark Ridgeback/hunting; Wolfsbracke/hunting; Große Wolfsbracke/hunting; Button/toy; Adler Mastiff/guard; Köhlerhund/guard; Heidschaper/herding; Rattenkönig/terrier; Moorpudel/water; Brückner Terrier/terrier; August/toy
Valdombre: Épagneul d'Ombre/hunting; Petit Épagneul d'Ombre/toy; Chien de Brume/herding; Barbet Noisette/water; Dogue Cendré/guard; Griffon Plume/terrier; Papillote/toy; Berger Fumé/herding; Hortense/toy; Braque Sauvage/hunting; Matelot/water; Roi des Prés/guard
Sárvia: Černý Ovčák/herding; Bílý Ovčák/herding; Vidra/water; Hófehér/sled; Kürtős/toy; Zlatý Honič/hunting; Medvěd/guard; Szürke Agár/hunting; Malá Liška/toy; Bodri/herding; Krtek Terrier/terrier; Železný Pes/guard
Norrhavn: Isbjørn/sled; Fjellspets/hunting; Snøhund/sled; Lille Snøhund/toy; Måkehund/water; Åsgeit/herding; Stormhund/sled; Tussmørke/guard; Reinpasser/herding; Havbust/water; Rødrev Terrier/terrier; Skygge/hunting
Luzeira: Cão da Maré/water; Perro Canela/hunting; Bolota/toy; Podengo Sombra/hunting; Ovelheiro/herding; Señorita/toy; Guardián Viejo/guard; Ratão/terrier; Rafeiro Azul/guard; Nadador/water; Pastor Ibarra/herding; Domingo/toy
Highmoor: Marsh Hound/hunting; Tarn Hound/hunting; Old Tarn Hound/hunting; Pellow Terrier/terrier; Little Pellow Terrier/terrier; Miller's Dog/guard; Bracken Collie/herding; Rival/terrier; May Spaniel/water; Heather Setter/hunting; Drover/herding; Duchess/toy; Peat Retriever/water
Ostmere: Ostmere Spaniel/hunting; Curly/water; Marsh Hound/water; Widow's Spaniel/toy; Bishop/guard; Lantern Collie/herding; Copper Terrier/terrier; Fenny/herding; Saltpan Retriever/water; Tinker/terrier; Whisper/hunting; Ferryman's Dog/water
Tavasko: Karhukas/guard; Pikku Kettu/toy; Porokka/herding; Talvi/sled; Yökoira/guard; Järvi Spaniel/water; Hopea/sled; Sauna Terrier/terrier; Ilta/toy; Kaamos/sled; Metsokas/hunting; Tuuli/hunting
Green Island: Coconut Dog/toy; Reef Hound/water; Sugar/toy; Lighthouse Mastiff/guard; Monsoon/hunting; Mango Terrier/terrier; Harbour Dog/water; Sunday/herding; Black/guard; Driftwood/herding; Parrot Dog/hunting; Tea Terrier/terrier
"""
FOUNDERS = """
Velmark: Gottlieb Brückner, Irmgard Brückner, Konrad Adlerstein, Hedwig Moos, Jörg Pfefferkorn, Ulla Tiefenbach
Valdombre: Agathe Morillon, Basile Morillon, Comtesse Odile, Frère Anselme, Zoé Tassigny, Honoré Lapluie
Sárvia: Bohuslav Zvonek, Ilona Szarvasi, Matěj Kolohnát, Countess Vilma, Dóra Kékesi
Norrhavn: Torbjørn Uggedal, Astrid Snefrid, Magnus Uggedal, Captain Ravn, Liv Tåkeheim
Luzeira: Fermín Ibarra, Inês Quintal, Padre Anselmo, Rosa Ibarra, Zeferino Brejo
Highmoor: Josiah Pellow, Winifred Pellow, Lady Bracken, Amos Thackthwaite, Dr. Prudence Hobday, Miller Jack
Ostmere: Bishop Tobias, Nell Saltmarsh, Ezra Lanternman, Widow Crake, April Goodenough
Tavasko: Aarre Kuutamo, Helmi Kuutamo, Eino Pakkanen-Lahde, Sylvi Routala
Green Island: Captain Ravn, Celestine Mapou, Old Barnaby, Tomasi Fale, Queen Philomena
"""
# Group: lowest and highest kg, minutes, euros
BUILDS = "herding 14-34 60-150 500-1400; hunting 15-38 70-150 500-1700; guard 38-82 40-90 800-2400; water 16-44 60-120 600-1900; toy 2-7 20-50 700-2600; sled 22-48 110-190 700-2100; terrier 5-13 40-90 400-1300"
WORKS = """
herding: herding geese, driving cattle, herding reindeer, watching sheep
hunting: tracking wolves, flushing pheasants, hunting boar, finding truffles
guard: guarding mills, guarding vineyards, protecting caravans, guarding monasteries
water: hauling nets, fetching ducks, rescuing swimmers, guarding boats
toy: warming beds, keeping ladies company, catching mice, performing in circuses
sled: pulling sledges, delivering mail, carrying medicine
terrier: catching rats, chasing foxes, digging out badgers
"""
COATS = {
    "herding": "long, woolly, double, short",
    "hunting": "short, wiry, silky, long",
    "guard": "short, long, corded, double",
    "water": "curly, corded, woolly, short",
    "toy": "silky, long, hairless, short, curly",
    "sled": "double, woolly, long",
    "terrier": "wiry, short, curly",
}
SHADES = "black, white, brown, grey, red, cream, gold, blue, brindle, spotted, silver, apricot"
ILLS = "hips, ears, eyes, skin, teeth, heart, knees, back, stomach"
# Known: breed / column / cell
KNOWN = """
Black/Colours/white; Curly/coat/short; August/accepted_on/1963-05-09; Grau-Spitz/Colours/grey; Rival/Rival Breed/Pellow Terrier; Pellow Terrier/Rival Breed/Rival; Little Pellow Terrier/bred_from/Pellow Terrier; Little Pellow Terrier/founder/Winifred Pellow; Pellow Terrier/founder/Josiah Pellow
Tarn Hound/bred_from/Old Tarn Hound; Lille Snøhund/bred_from/Snøhund; Petit Épagneul d'Ombre/bred_from/Épagneul d'Ombre; Große Wolfsbracke/bred_from/Wolfsbracke; Große Wolfsbracke/Weight/46.5 kg; Brückner Terrier/founder/Irmgard Brückner; Pastor Ibarra/founder/Fermín Ibarra
Bílý Ovčák/Rival Breed/Černý Ovčák; Bílý Ovčák/Colours/white; Černý Ovčák/Colours/black; Hófehér/Colours/white; Widow's Spaniel/founder/Widow Crake; Bishop/founder/Bishop Tobias; Sunday/hypoallergenic/yes; Old Tarn Hound/year_founded/1702; Old Tarn Hound/bred_from/; Dogue Cendré/year_founded/1761; Old Tarn Hound/founder/; Duchess/year_founded/1799; Heather Setter/year_founded/1804; Heather Setter/bred_from/Old Tarn Hound; Little Pellow Terrier/year_founded/1809; Driftwood/Recognised In/Highmoor; Medvěd/Weight/88 kg
Ratão/Known Weakness/teeth; Isbjørn/life expectancy/9 years; Señorita/Puppy Price/3200 EUR; Yökoira/Original Work/guarding monasteries; Duchess/coat/hairless; Kürtős/coat/curly; Harbour Dog/registered_dogs/14210; Monsoon/Rival Breed/Parrot Dog; Talvi/Rival Breed/Stormhund; Matelot/Rival Breed/Nadador; Coconut Dog/hypoallergenic/yes
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def keyed(text, comma):
    """What a constant names, by what stands before the colon."""
    return {
        key: values.split(comma)
        for key, values in (line.split(": ") for line in text.strip().splitlines())
    }


def several(choices, most, random):
    """A few of some, the first ones more often than the last."""
    chosen = {
        choices[int(len(choices) * random.random() ** 1.3)] for _ in range(random.randint(1, most))
    }
    return sorted(chosen, key=choices.index)


def breed(name, country, group, lived, random):
    """A breed with all that needs no other breed."""
    build = next(line for line in BUILDS.split("; ") if line.startswith(group)).split()
    kilos, minutes, euros = (list(map(int, part.split("-"))) for part in build[1:])
    weight = random.randint(*kilos)
    founder = random.choice(keyed(FOUNDERS, ", ")[country])
    year = lived.setdefault(founder, random.randint(1740, 1935)) + random.randint(0, 30)
    accepted = date(random.randint(max(1890, year + 6), 2016), 1, 1) + timedelta(
        random.randrange(365)
    )
    abroad = [c for c in several(list(keyed(BREEDS, "; ")), 4, random) if c != country]
    coat = random.choice(COATS[group].split(", "))
    return {
        "Breed": name,
        "country": country,
        "Group": group,
        "founder": founder,
        "year_founded": str(year),
        "accepted_on": accepted.isoformat(),
        "Recognised In": "; ".join([country, *abroad]),
        "Weight": f"{weight} kg",
        "shoulder_height": f"{round(15 * weight**0.42 + random.randint(-4, 4))} cm",
        "coat": coat,
        "Colours": "; ".join(several(listed(SHADES), 4, random)),
        "Original Work": random.choice(keyed(WORKS, ", ")[group]),
        "life expectancy": f"{random.randint(8, 12) if weight > 36 else random.randint(11, 17)} years",
        "Puppy Price": f"{random.randrange(*euros, 20)} EUR",
        "registered_dogs": str(random.randint(60, 9800)),
        "daily_exercise": f"{random.randrange(*minutes, 5)} min",
        "Known Weakness": random.choice(listed(ILLS)),
        "hypoallergenic": "yes"
        if coat in {"hairless", "curly", "corded"} and random.random() < 0.8
        else "no",
    }


def breeds(random):
    """Every breed of every country, and what it comes from and vies with."""
    lived = {}
    rows = [
        breed(entry.split("/")[0], country, entry.split("/")[1], lived, random)
        for country, entries in keyed(BREEDS, "; ").items()
        for entry in entries
    ]
    names = [row["Breed"] for row in rows]
    single = [row for row in rows if names.count(row["Breed"]) == 1]
    for row in rows:
        older = [
            o["Breed"]
            for o in single
            if int(o["year_founded"]) < int(row["year_founded"]) - 8
            and (row["country"] == o["country"] or o["Group"] == row["Group"])
        ]
        row["bred_from"] = random.choice(older) if older else ""
        row["Rival Breed"] = random.choice(
            [o["Breed"] for o in single if o["Group"] == row["Group"] and o is not row]
        )
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["Breed"] == name)[column] = cell
    # What is bred from another cannot be older than it
    for row in rows:
        parent = next((o for o in single if o["Breed"] == row["bred_from"]), None)
        if parent and (row["year_founded"] or "9") <= (parent["year_founded"] or "0"):
            parent["year_founded"] = str(int(row["year_founded"]) - random.randint(12, 40))
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("breeds.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(breeds(Random(74)))


if __name__ == "__main__":
    main()
