"""Write four small tables to choose the parser and its weights by: films, books, harbour, zoo.

All is invented. Hard on purpose: names that are words or months, names one letter apart, two of
one surname, accents, apostrophes, digits, several values in a cell, units, and cells left empty.

    python examples/strangers/choosing/invent.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

Row = dict[str, str]

FILMS = """
Rain|Home|The Wait|The Waiters|Under the Viaduct|Nine Lanterns|Ten Lanterns|Señor Nobody|When Geese Fly|Last Bus to Corvane|The Red Door|The Red Floor|Ægir's Wedding
Dinner for One and a Half|Monday|A Month of Sundays|The Beekeeper's Alibi|Paper Moon Hotel|Crow|Crows|Long Division|Twelve Steps Down|Mother's Ruin|Mr. Pocket|Mr. Pocket Returns
Mr. Pocket in Love|Salt Road|Salt Road II|Winter Rules|Quiet, Please|The Tin Flute|Love in 4B|Zebra Crossing|Kestrel|A Spare Key|The Ferryman's Sons|Ashes & Sugar|Blind Corner
North by Tram|The Understudy|Café Lointain|Everybody Sings|Glass Orchard|Half a Sky|Running Late|Sleepers' Row|Silver Tongue|The Accordion Thief|Umbrella Weather|Goodnight, Osric
Thunder Lane|The Colour of Tea|Hello, Stranger|1911|The Third Aunt|Under the Aqueduct
"""
DIRECTORS = "Mira Lund|Anton Varga|Petra Lund-Hale|Ko Adeyo|Inès Courvoix|Will Frost|Jonas Frost|Dolores Quill|Tomás Ríos|Björk Halldén|Sam Early|Grace Oyelaran|Old Nick Farrow"
ACTORS = """Vera Sloane|Verna Sloan|Max Bright|Lily Marsh-Doyle|Idris Penn|Noor Castell|Oskar Vey|Rosa Delmar|Hope Winter|Art Fields|Zoë Brandt|Milo Brandt|Cosima Teague|Dov Hartmann
Éloïse Garnier|Fay Summers|Rex Sterling|Tilly Bone|Prudence Achter|Ngozi Eze|Lars Holm|June Pepper|Ivo Kralj|Buck Wilder"""
WRITERS = "Hattie Coombe|Leo Stark|Samira Nouri|B. T. Oakes|Mira Lund|Will Frost"
COMPOSERS = "Arvo Lindt|Dinah Wells|Rex Sterling|Cleo O'Hanlon"
STUDIOS = "Blue Kite Pictures|Meridian|Foxglove Films|Two Owls|Tram Nine"
PLACES = "Corvane:Lysia|Port Lisle:Lysia|Sankt Odo:Castelund|Ostermark:Castelund|Brindle Bay:Trevany|Montclary:Lysia|Kalla:Castelund|Tarn Hollow:Trevany|Old Harrow:Trevany"
GENRES = "comedy|drama|thriller|western|musical|romance|mystery|war film"
PRIZES = "Golden Heron|Silver Heron|Critics' Pebble"

TITLES = """
The Salt Ledger|A House of Doors|Small Bones|Winterhouse|Winterhorse|The Clockless Year|Marrow Street|The Quince Tree|Notes on Fog|Owl Logic|The Owl at Noon|Bread for Beginners|More Bread for Beginners
Tide Tables|Lantern Hill|Return to Lantern Hill|Farewell, Lantern Hill|My Aunt the Spy|May|Thirteen Maps|The Thirteenth Map|Letters to a Plumber|Élise in Exile|The Gravel King|Gravel|How to Sit Still
Knots and Hitches|The Orchard Thief|Blue|A Short History of Buttons|A Long History of Rope|The Understairs|Night Ferry|Ask the Moon|Why Bees Sleep|The Ninth Bell|Saint Nobody|The Paper Wife|The Paper Wives
Three Weeks in Ålund|A Cook in Every Port|Stone Soup|The Weather Makers|Jonah's Cousin|Number 44|The Hollow Year|Hare & Moon|Murder at Pell Lock|Murder on the 8.15|Death of a Goose|The Glass Sisters|Ink
Mrs. Abbot's Umbrella|The Last Lamplighter|Ferns of the North|Ferns of the South|Pocket Stars|Under Plum Blossom|The Cartographer's Son|A Field Guide to Ghosts|Queen of Rust|Heart of Rust|Rust|When Rivers Turn
The Slow Train|Quiet Hours|The Tin Prince|Tin|Wolf Hour|What the Heron Saw|Zero Is a Number|Sums for Sailors|The Baker's Algebra|O Captain's Cat|The Second Lighthouse|Ten Thousand Steps
"""
AUTHORS = """Clara Moss:novel|Ben Moss:crime|Ó Súil, Niamh:novel|Harriet Vole:children's|Jan Terwiel:novel|Rosalind Achebe-Low:essays|T. S. Quill:poetry|Pia Lundqvist:crime|Edmund Grey:history
Mary Grey:novel|Yusra Haddad:cookery|Otto Blum:mathematics|Sister Agnes:cookery|Frédéric Oz:fantasy|Lin Wei-Marsh:fantasy|Anon.:poetry|Dara Finch:nature|Rob Roy Peel:children's"""
PRESSES = "Lantern Press|Hob & Daughters|Quayside|Three Hares|Ålund Bokförlag|Pell University Press"
HOUSES = "Iris Vane|Karl Dorn|Maud Ellery|Ana Brizuela"
BOOK_PLACES = "Ålund|Pell|Marseillan|Tern Island|Upper Wick|Garrow|Old Garrow"
BOOK_PRIZES = "Heron Medal|Little Heron|Booksellers' Cup"
FOLLOWS = """More Bread for Beginners:Bread for Beginners|Return to Lantern Hill:Lantern Hill|Farewell, Lantern Hill:Return to Lantern Hill|The Thirteenth Map:Thirteen Maps|Heart of Rust:Queen of Rust
Rust:Heart of Rust|Ferns of the South:Ferns of the North|Murder on the 8.15:Murder at Pell Lock|Death of a Goose:Murder on the 8.15|The Owl at Noon:Owl Logic|The Paper Wives:The Paper Wife"""

SHIPS = """
Patience:schooner|Hope:trawler|Hopeful:trawler|May Queen:ferry|Sankt Olav:ferry|Ålesta:ferry|Grey Goose:tug|Gray Goose:tug|Little Thunder:tug|Bull:tug|Marta K.:container ship|Marta L.:container ship
Orinda:container ship|Ever Late:container ship|Number Nine:barge|Number Ten:barge|Old Ben:barge|Île Rouge:tanker|Petrol Prince:tanker|Black Swan:tanker|Coldharbour:bulk carrier|Vistula Star:bulk carrier
Ibis:bulk carrier|Night Heron:trawler|Saint Brannock:trawler|Two Brothers:trawler|Nellie:sailing yacht|Zephyr:sailing yacht|D'Artagnan:sailing yacht|Widow's Mite:sailing yacht|Aurora:cruise ship
Queen Isolde:cruise ship|Pole Star:icebreaker|Kestrel II:pilot boat|Kestrel III:pilot boat|Fortune:schooner|Gdynia Maid:bulk carrier|Tramontana:tanker|Silver Darling:trawler|Bo'sun's Pride:barge
"""
CAPTAINS = """Ada Brandt|Ida Brandt|Jorge Peña|Will Rush|Søren Holm|Hanna Holm|Anna Holm|Old Tom Cray|Tom Cray|Fenella March|Piet van Loon|Zygmunt Król|Aoife Ní Bhriain|J. B. Salt|Olga Reef|April Stone
Marco Bellini|Ines Duarte|Kofi Sands|Lou Merriman|Gunnar Frey|Ruth Ankersmit|Bill Keel|Dora Keel"""
BERTHS = "A1|A2|A3|B1|B2|Long Pier|Short Pier|The Elbow|Coal Wharf|Fish Quay"
FLAGS = "Norrland|Castelund|Trevany|Lysia|Malvern Isles"
PORTS = "Tarnhaven|Brask Sound|Port Lisle|Ålvik|San Telmo|Kingsferry"
CARGO = "timber|coal|grain|bananas|herring|cod|crude oil|paint|machinery|cement|coffee|passengers|cars|salt|wool"
CARRIES = {
    **{
        "trawler": "herring|cod",
        "ferry": "passengers|cars",
        "tanker": "crude oil|paint",
        "cruise ship": "passengers",
    },
    **{
        "bulk carrier": "coal|grain|cement|salt|timber",
        "container ship": "bananas|machinery|coffee|wool|paint|timber",
    },
    **{
        "barge": "coal|cement|timber|salt",
        "schooner": "coffee|wool|salt",
        "tug": "",
        "pilot boat": "",
        "icebreaker": "",
        "sailing yacht": "",
    },
}
SIZES = {
    "container ship": 22000,
    "tanker": 30000,
    "bulk carrier": 18000,
    "cruise ship": 41000,
    "ferry": 9000,
    "barge": 900,
    "icebreaker": 6000,
    "schooner": 300,
    "trawler": 240,
    "tug": 180,
    "pilot boat": 40,
    "sailing yacht": 25,
}
AGENTS = "Halloran & Pike|Nordsjö Agency|Bellweather Shipping|Quay Office"

ANIMALS = """
lion=Savanna=Sultan:m,Nala:f,Cleo:f,Titus:m,Biscuit:f|zebra=Savanna=Domino:m,Stripe:f,Barcode:f,Humbug:m|giraffe=Savanna=Stretch:m,Twiga:f,Lofty:m,Dot:f|meerkat=Desert House=Pip:m,Pippa:f,Squeak:f,Sunday:f,Monday:m
fennec fox=Desert House=Sahara:f,Dune:m|Nile crocodile=Reptile House=Snap:m,Old Green:m,Duchess:f|python=Reptile House=Noodle:f,Garden Hose:m|tortoise=Reptile House=Methuselah:m,Rosie:f,Tank:m
emperor penguin=Ice Shelf=Zoë:f,Chilly:m,Admiral:m,Puddle:f,Björn:m,Flip:m,Flop:f|polar bear=Ice Shelf=Snowy:f,Ursa:f,Big Sven:m|seal=Seal Pool=Salty:m,Bubbles:f,Olive:f,Ærø:m|otter=Seal Pool=Ripple:f,Dash:m,Hope:f
gorilla=Ape House=Kibo:m,Amara:f,Juma:m,Little Kibo:m|orangutan=Ape House=Saffron:f,Rusty:m,Mango:f|chimpanzee=Ape House=Charlie:m,Lola:f,Peanut:m,Will:m|elephant=Elephant Barn=Tara:f,Rani:f,Tembo:m,Trunky:m,Bella:f
flamingo=Aviary=Pinky:f,Rosa:f,Señor Pink:m|macaw=Aviary=Captain Blue:m,Scarlett:f,Pieces of Eight:m|snowy owl=Aviary=Hedwina:f,Dr. Hoot:m|wolf=Wolf Wood=Grey:m,Luna:f,Ash:m,Shadow:f,Storm:f|lynx=Wolf Wood=Tuft:f,Ivar:m
brown bear=Wolf Wood=Bruno:m,Honey:f,Berry:f|red panda=Bamboo Walk=Mei:f,Maple:f,Chai:m|giant panda=Bamboo Walk=Bao Bao:m,Lin Lin:f|tapir=Rain Forest=Tulip:f,Boris:m|sloth=Rain Forest=Flash:f,Speedy:m|capybara=Rain Forest=Coco:f,Cocoa:f,Pancho:m
"""
MASSES = {
    "lion": 160,
    "zebra": 300,
    "giraffe": 900,
    "meerkat": 0.7,
    "fennec fox": 1.3,
    "Nile crocodile": 380,
    "python": 35,
    "tortoise": 190,
    "emperor penguin": 28,
    "polar bear": 390,
    "seal": 95,
    "otter": 8.5,
    "gorilla": 140,
    "orangutan": 70,
    "chimpanzee": 48,
    "elephant": 3900,
    "flamingo": 2.6,
    "macaw": 1.1,
    "snowy owl": 2,
    "wolf": 41,
    "lynx": 21,
    "brown bear": 260,
    "red panda": 5,
    "giant panda": 105,
    "tapir": 220,
    "sloth": 6,
    "capybara": 52,
}
FOOD = {
    "lion": "beef|rabbit",
    "meerkat": "insects|eggs",
    "fennec fox": "insects|dates|mice",
    "Nile crocodile": "chicken|fish",
    "python": "rats",
    "emperor penguin": "herring|squid",
    "polar bear": "herring|seal blubber|carrots",
    "seal": "herring|mackerel",
    "otter": "trout|crabs",
    "flamingo": "shrimps",
    "macaw": "nuts|fruit",
    "snowy owl": "mice",
    "wolf": "beef|chicken",
    "lynx": "rabbit|chicken",
    "brown bear": "salmon|honey|fruit",
    "red panda": "bamboo|apples",
    "giant panda": "bamboo",
    "tapir": "leaves|bananas",
    "sloth": "leaves",
    "capybara": "hay|carrots",
}
KEEPERS = {
    "Savanna": "Joe Fielding|Maya Okoro",
    "Desert House": "Tess Arden",
    "Reptile House": "Nat Greene|Tess Arden",
    "Ice Shelf": "Per Isaksen|Lily Stone",
    "Seal Pool": "Lily Stone",
    "Ape House": "Ruth Bell|Maya Okoro",
    "Elephant Barn": "Anil Desai",
    "Aviary": "Robin Swift|Nat Green",
    "Wolf Wood": "Joe Fielding|Björn Ek",
    "Bamboo Walk": "Sue Lin",
    "Rain Forest": "Nat Green|Sue Lin",
}
ZOOS = "Tallinn Zoo|Zoo Basel-Süd|Marwick Park|Safari Nord|Port Lisle Zoo"
FRIENDS = (
    "Class 4B|Hobbs Bakery|Mrs. Tennant|Rotary Club|Fire Station 2|Ólafur Dahl|the Meyer twins"
)
PARENTS = "Biscuit:Nala:Sultan|Titus:Cleo:Sultan|Barcode:Stripe:Domino|Dot:Twiga:Stretch|Pip:Pippa:|Squeak:Pippa:Monday|Sunday:Pippa:Monday|Puddle:Zoë:Admiral|Flip:Zoë:Björn|Flop:Zoë:Björn|Ursa:Snowy:Big Sven|Hope:Ripple:Dash|Little Kibo:Amara:Kibo|Juma:Amara:Kibo|Mango:Saffron:Rusty|Peanut:Lola:Charlie|Will:Lola:Charlie|Trunky:Tara:Tembo|Bella:Rani:Tembo|Ash:Luna:Grey|Shadow:Luna:Grey|Storm:Shadow:|Berry:Honey:Bruno|Chai:Maple:|Cocoa:Coco:Pancho|Olive:Bubbles:Salty"


def parts(text: str) -> list[str]:
    """Return what bars and lines part."""
    return text.strip().replace("\n", "|").split("|")


def day(random: Random, first: int, last: int) -> str:
    """Return a day from the first of a year to the end of another, as ISO writes it."""
    days = (date(last, 12, 31) - date(first, 1, 1)).days
    return (date(first, 1, 1) + timedelta(random.randint(0, days))).isoformat()


def gaps(rows: list[Row], random: Random, **shares: float) -> list[Row]:
    """Empty some cells of every column that is named, with a space or with a low line."""
    for row in rows:
        for column, share in shares.items():
            if random.random() < share:
                row.pop(column, None)
                row.pop(column.replace("_", " "), None)
    return rows


def films(random: Random) -> list[Row]:
    """Return what is told of films, of their people, studios and places."""
    rows: list[Row] = []
    places = dict(place.split(":") for place in parts(PLACES))
    sequels = {
        "Mr. Pocket Returns": "Mr. Pocket",
        "Mr. Pocket in Love": "Mr. Pocket Returns",
        "Salt Road II": "Salt Road",
    }
    for title in parts(FILMS):
        row = {
            "film": title,
            "directed_by": "; ".join(
                random.sample(parts(DIRECTORS), random.choice((1, 1, 1, 1, 2)))
            ),
            "written_by": random.choice(parts(WRITERS)),
            "starring": "; ".join(random.sample(parts(ACTORS), random.choice((2, 2, 3)))),
            "music_by": random.choice(parts(COMPOSERS)),
            "released_on": day(random, 1961, 2022),
            "running_time": f"{random.randint(71, 168)} min",
            "genre": "; ".join(random.sample(parts(GENRES), random.choice((1, 1, 2)))),
            "filmed_in": random.choice([*places]),
            "studio": random.choice(parts(STUDIOS)),
            "budget": f"{random.randint(4, 290) * 10000} EUR",
            "in_colour": random.choice(("yes", "yes", "no")),
            "won": random.choice([*parts(PRIZES), *[""] * 5]),
            "sequel_of": sequels.get(title, ""),
        }
        rows += gaps([row], random, music_by=0.1, running_time=0.1, filmed_in=0.15, budget=0.2)
    people = dict.fromkeys(parts(f"{DIRECTORS}|{ACTORS}|{WRITERS}|{COMPOSERS}"))
    spouses = {
        "Mira Lund": "Oskar Vey",
        "Will Frost": "Vera Sloane",
        "Zoë Brandt": "Leo Stark",
        "Ko Adeyo": "Dinah Wells",
        "Ivo Kralj": "June Pepper",
    }
    spouses |= {one: other for other, one in spouses.items()}
    for name in people:
        born = random.randint(1921, 1985)
        row = {
            "film": name,
            "born_in": random.choice([*places]),
            "born_on": day(random, born, born),
        }
        row |= {"married_to": spouses.get(name, "")}
        row |= {"died_on": day(random, 2001, 2023)} if born < 1945 else {}
        rows += gaps([row], random, born_in=0.2, born_on=0.15)
    for name, owner in zip(
        parts(STUDIOS), ("", "Blue Kite Pictures", "Dolores Quill", "", "Meridian"), strict=True
    ):
        rows.append(
            {
                "film": name,
                "founded": str(random.randint(1919, 1990)),
                "headquarters": random.choice([*places]),
                "owner": owner,
            }
        )
    return [*rows, *({"film": name, "country": country} for name, country in places.items())]


def books(random: Random) -> list[Row]:
    """Return a row a book."""
    authors = dict(author.split(":") for author in parts(AUTHORS))
    follows = dict(pair.split(":") for pair in parts(FOLLOWS))
    rows: dict[str, Row] = {}
    for title in parts(TITLES):
        first = rows.get(follows.get(title, ""), {})
        author = first.get("author") or random.choice([*authors])
        year = int(first["year"]) + random.randint(1, 4) if first else random.randint(1936, 2021)
        translated = random.random() < 0.3
        row = {
            "title": title,
            "author": author,
            "genre": first.get("genre") or authors[author],
            "publisher": first.get("publisher") or random.choice(parts(PRESSES)),
            "year": str(year),
            "pages": str(random.randint(48, 912)),
            "price": f"{random.randint(6, 48)}.{random.choice(('00', '50', '95'))} EUR",
            "original language": random.choice(("Dutch", "French", "Swedish", "Arabic"))
            if translated
            else "English",
            "translator": random.choice(parts(HOUSES)) if translated else "",
            "in print": random.choice(("yes", "yes", "no")),
            "sequel to": follows.get(title, ""),
            "set in": "; ".join(random.sample(parts(BOOK_PLACES), random.choice((1, 1, 2))))
            if authors[author] in ("novel", "crime", "fantasy", "children's")
            else "",
            "prizes": "; ".join(
                random.sample(parts(BOOK_PRIZES), random.choice((0, 0, 0, 1, 1, 2)))
            ),
        }
        rows[title] = row
    return gaps([*rows.values()], random, pages=0.06, price=0.12, in_print=0.05, year=0.04)


def harbour(random: Random) -> list[Row]:
    """Return a row a ship, a captain or a berth."""
    rows = []
    captains = parts(CAPTAINS)
    for ship in parts(SHIPS):
        name, kind = ship.split(":")
        size = round(SIZES[kind] * random.uniform(0.6, 1.6))
        arrived = date(2031, 3, 1) + timedelta(random.randint(0, 60))
        cargo = [one for one in CARRIES[kind].split("|") if one]
        row = {
            "name": name,
            "type": kind,
            "flag": random.choice(parts(FLAGS)),
            "home port": random.choice(parts(PORTS)),
            "captain": random.choice(captains),
            "berth": random.choice(parts(BERTHS)),
            "cargo": "; ".join(random.sample(cargo, min(len(cargo), random.choice((1, 1, 2))))),
            "tonnage": f"{size} t",
            "length": f"{round(7 * size**0.33, 1)} m",
            "built": str(random.randint(1931, 2029)),
            "arrived_on": arrived.isoformat(),
            "leaves_on": (arrived + timedelta(random.randint(1, 12))).isoformat(),
            "insured": random.choice(("yes", "yes", "no")),
            "agent": random.choice(parts(AGENTS)),
        }
        rows += gaps(
            [row],
            random,
            captain=0.06,
            berth=0.1,
            leaves_on=0.1,
            insured=0.08,
            agent=0.2,
            built=0.06,
        )
    for place, name in enumerate(captains):
        spoken = random.sample(
            ("English", "Polish", "Danish", "Spanish", "Irish", "Dutch"), random.choice((1, 2, 3))
        )
        row = {
            "name": name,
            "type": "captain",
            "born_on": day(random, 1968, 2003),
            "home town": random.choice(parts(PORTS)),
        }
        row |= {
            "speaks": "; ".join(spoken),
            "trained by": random.choice(captains[:place]) if place % 3 else "",
        }
        rows += gaps([row], random, born_on=0.1, home_town=0.15, speaks=0.08)
    for name in parts(BERTHS):
        row = {
            "name": name,
            "type": "berth",
            "depth": f"{random.randint(30, 160) / 10} m",
            "crane": random.choice(("yes", "no")),
        }
        rows += gaps([row | {"harbour master": random.choice(captains)}], random, depth=0.1)
    return rows


def zoo(random: Random) -> list[Row]:
    """Return a row an animal."""
    parents = {name: found for name, *found in (one.split(":") for one in parts(PARENTS))}
    born: dict[str, str] = {}
    rows = []
    for group in parts(ANIMALS):
        species, house, names = group.split("=")
        for name, sex in (one.split(":") for one in names.split(",")):
            mother, father = parents.get(name, ("", ""))
            young = 2017 if mother == "Shadow" else 2013 if mother else 1988
            born[name] = day(random, young, young + 4 if mother else 2008)
            weight = MASSES[species] * random.uniform(0.4 if mother else 0.8, 1.25)
            came = "" if mother or random.random() < 0.2 else random.choice(parts(ZOOS))
            row = {
                "animal": name,
                "species": species,
                "sex": "male" if sex == "m" else "female",
                "born": born[name],
                "weight": f"{weight:.1f} kg" if weight < 60 else f"{weight:.0f} kg",
                "enclosure": house,
                "keeper": random.choice(parts(KEEPERS[house])),
                "mother": mother,
                "father": father,
                "eats": "; ".join(
                    parts(FOOD.get(species, "hay|fruit"))[: random.choice((1, 2, 3))]
                ),
                "came from": came,
                "arrived": day(random, 2009, 2012) if came else "",
                "adopted by": random.choice([*parts(FRIENDS), "", "", ""]),
                "vaccinated": random.choice(("yes", "yes", "yes", "no")),
            }
            rows += gaps([row], random, born=0.07, weight=0.07, vaccinated=0.06, keeper=0.04)
    random.shuffle(rows)
    return rows


def write(path: Path, rows: list[Row], triples: bool = False) -> None:
    """Write a row an entity; or, for triples, a line a fact."""
    columns = [*dict.fromkeys(column for row in rows for column in row)]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if not triples:
            writer.writerow(columns)
            writer.writerows([row.get(column, "") for column in columns] for row in rows)
            return
        writer.writerow(("subject", "relation", "object"))
        for row in rows:
            about, *cells = row.items()
            for column, cell in cells:
                writer.writerows((about[1], column, value) for value in cell.split("; ") if value)


def main() -> None:
    """Write the tables beside this script."""
    there = Path(__file__).parent
    write(there / "films.csv", films(Random(11)), triples=True)
    write(there / "books.csv", books(Random(12)))
    write(there / "harbour.csv", harbour(Random(13)))
    write(there / "zoo.csv", zoo(Random(14)))


if __name__ == "__main__":
    main()
