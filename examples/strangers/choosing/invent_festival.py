"""Write festival.csv: the summer festival of an invented town, a row an event, venue, artist, sponsor or organiser.

All invented; a fixed seed. Hard on purpose: rows of five kinds in one table, so that most columns are
empty for most rows, names that are words, days and buildings, a band and a shop and a hall of the same
name, a singer and an organiser of the same name, two events of the same name, accents, lengths partly in
minutes and partly in hours, distances partly in metres and partly in kilometres, artists who teach other
artists, run a venue or supervise an event, and several values in a cell.

    python3 invent_festival.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = [
    "name",
    "kind",
    "held at",
    "performed_by",
    "Paid For By",
    "supervised by",
    "takes_place_on",
    "duration",
    "Ticket Price",
    "Seats",
    "opened_on",
    "wheelchair access",
    "Distance From Station",
    "Food and Drink",
    "Based In",
    "plays",
    "active_since",
    "taught_by",
    "yearly gift",
    "Run By",
]
# name | held at | performed_by | Paid For By | supervised by | day of June
EVENTS = """
Opening Night|Town Hall|Kelder Brass; Nightingale; Big Otis|Kelder Savings Bank|Agnes Haverkamp|20
Thunder and Fiddles|Castle Yard|Three Left Feet; Hanne Mørk|Brewery Röhm|Will Archer|21
Breakfast with Brass|Fish Market|Kelder Brass|Haverkamp Bakery|Grace Field|22
Puppet Hour|The Orchard|Pépé Lunette|Sweet Tooth|Nadja Pohl|21
Puppet Hour|Lantern House|Professor Plunk|Blue Door Books|Grace Field|27
Silence|Saint Brida's Church|Sister Calliope||Father Anselm|24
The Long Table|Pier Garden|The Tin Sparrows; Mabel Thorne|Orchard Cider|Renata Bloch|28
Dance of the Herrings|Fish Market|The Herring Girls; Old Salt Choir|Northlight Ferries|Will Archer|25
Lantern Walk|Lantern House||The Daily Heron|Nadja Pohl|26
Harbour Mass|Saint Brida's Church|Old Salt Choir|Northlight Ferries|Father Anselm|22
Poets at Noon|Café Noémie|Noor Valentin|Blue Door Books|Dr. Orla Finch|23
Monday|The Cellar|Gravel|Moss Motors|Mabel Thorne|23
Night of the Accordions|Old Gasworks|Zoltán Kerekes; Lucía Páramo; Duo Åström|Vällby Tiles|Dr. Orla Finch|27
Late Jazz|The Cellar|Emeka Dunn; Big Otis|Lund & Löwe|Mabel Thorne|26
Farewell Waltz|Theatre Röhm|Quartet Vesna|Brewery Röhm|Agnes Haverkamp|29
Fireworks|The Boathouse||Kelder Savings Bank|Henk Löwe|29
Sea Shanty Contest|The Boathouse|Old Salt Choir; The Herring Girls; Ferdy Moss|Northlight Ferries|Henk Löwe|24
Barefoot Ball|Rose Garden|Three Left Feet|Lund & Löwe|Renata Bloch|28
Kelder Suite|Theatre Röhm|The Second Violins; Ida Brandvold|Kelder Savings Bank|Dr. Orla Finch|25
Ghost Stories|Castle Yard|Bruno Quist|The Daily Heron|May Robin|26
Wind and Strings|Town Hall|Quartet Vesna; Hanne Mørk|Lund & Löwe|Will Archer|22
Sing Along|Rose Garden|Mabel Thorne|Pharmacy at the Bridge|Grace Field|24
Señora Luna|Theatre Röhm|Lucía Páramo|Hat Shop Émile|Renata Bloch|21
Whisper|The Orchard|Wren||May Robin|23
Trombone Picnic|Pier Garden|Big Otis|Sweet Tooth|May Robin|22
Rain or Shine|Old Gasworks|Ashes; Gravel; The Nightwatch|Moss Motors|Will Archer|28
Open Stage|Café Noémie|Jule Haverkamp; Baltazar Roux||Ida Brandvold|25
Second Breakfast|Café Noémie|Ilse Ravn|Haverkamp Bakery|Renata Bloch|29
Clown School|School Gym|Madame Éclair|Sweet Tooth|Madame Éclair|21
Drums at Dawn|Bridge Stage|Kettle & Spoon|Kettleworks|Henk Löwe|27
Fête d'Été|Bridge Stage|Baltazar Roux; Ilsa Ravn|Hat Shop Émile|Agnes Haverkamp|21
Tall Tales|Lantern House|Grandfather Clock|The Daily Heron|Nadja Pohl|28
Battle of the Bands|Silo|The Nightwatch; The Tin Sparrows; Gravel|Moss Motors|Henk Löwe|27
Closing Night|Castle Yard|Nightingale; Ashes|Brewery Röhm|Agnes Haverkamp|29
"""
# name | Run By | Food and Drink, with + between
VENUES = """
The Orchard|Renata Bloch|cider+apple cake; Town Hall|Dr. Orla Finch|; Old Gasworks|Kelder Savings Bank|beer+sausages; Saint Brida's Church|Father Anselm|; Pier Garden|Grace Field|lemonade+waffles+ice cream; The Cellar|Mabel Thorne|beer+wine+olives
Fish Market|Henk Löwe|beer+fried herring+coffee; Theatre Röhm|Brewery Röhm|wine+pretzels; Café Noémie|Noémie Sorbier|coffee+apple cake+waffles; Rose Garden||lemonade; School Gym|Nadja Pohl|; The Boathouse|Northlight Ferries|fried herring+beer; Castle Yard|May Robin|wine+sausages
Bridge Stage||pretzels+coffee; Silo|Joost Röhm|beer; Lantern House|Blue Door Books|tea+ginger biscuits
"""
# name | Based In | plays | taught_by
ARTISTS = """
The Tin Sparrows|Kelderwick|banjo; washboard; voice|
Ida Brandvold|Vällby|cello|Zoltán Kerekes
Nightingale|Saint-Orme|voice|Sister Calliope
The Nightwatch|Graufurt|guitar; drums|
Duo Åström|Vällby|accordion; fiddle|Hanne Mørk
Quartet Vesna|Zimnice|violin; viola; cello|Ida Brandvold
Baltazar Roux|Saint-Orme|hurdy-gurdy|Mabel Thorne
Mabel Thorne|Lower Kelder|piano; voice|Father Anselm
Old Salt Choir|Kelderwick|voice|Mabel Thorne
Zoltán Kerekes|Zimnice|accordion; piano|
Gravel|Graufurt|guitar; bass; drums|
Marigold|Thistlecombe|harp; flute|Hanne Mørk
Pépé Lunette|Saint-Orme||Madame Éclair
Hanne Mørk|Ravnholt|fiddle; flute|
Tom Weller|Thistlecombe|guitar; voice|Big Otis
Big Otis|Puerto Bruma|trombone|
Sister Calliope|Lower Kelder|organ; voice|Father Anselm
Kelder Brass|Kelderwick|trumpet; trombone; tuba|Big Otis
The Herring Girls|Ravnholt|voice; drums|Ilse Ravn
Lucía Páramo|Puerto Bruma|accordion; voice|Zoltán Kerekes
Emeka Dunn|Graufurt|saxophone|Big Otis
Wren|Thistlecombe|flute|Marigold Hume
Silo|Graufurt|synthesizer; drums|Emeka Dunn
Professor Plunk|Kelderwick|ukulele|
Jule Haverkamp|Kelderwick|violin|Ida Brandvold
Ashes|Zimnice|guitar; cello; drums|
Three Left Feet|Lower Kelder|fiddle; accordion; washboard|Hanne Mørk
Noor Valentin|Saint-Orme||Dr. Orla Finch
Grandfather Clock|Thistlecombe||Bruno Quist
Ilse Ravn|Ravnholt|piano|Hanne Mørk
Ilsa Ravn|Vällby|harp|Ilse Ravn
Kettle & Spoon|Lower Kelder|drums; washboard|
The Second Violins|Kelderwick|violin|Jule Haverkamp
Ferdy Moss|Kelderwick|concertina; voice|Professor Plunk
Madame Éclair|Puerto Bruma|trumpet|
Bruno Quist|Ravnholt||
"""
# name | Based In | Run By
SPONSORS = """
Kelder Savings Bank|Kelderwick|Agnes Haverkamp; Haverkamp Bakery|Kelderwick|Piet Haverkamp; Marigold|Kelderwick|Marigold Hume; Lund & Löwe|Vällby|Henk Löwe; Northlight Ferries|Ravnholt|Sunniva Aske; Brewery Röhm|Graufurt|Joost Röhm; Sweet Tooth|Lower Kelder|Grace Field
Pharmacy at the Bridge|Kelderwick|Dr. Orla Finch; The Daily Heron|Thistlecombe|Will Archer; Moss Motors|Graufurt|Ferdy Moss; Orchard Cider|Lower Kelder|Renata Bloch; Blue Door Books|Saint-Orme|Noor Valentin; Vällby Tiles|Vällby|; Hat Shop Émile|Saint-Orme|Noémie Sorbier; Kettleworks|Lower Kelder|Piet Haverkamp
"""
ORGANISERS = "Agnes Haverkamp/Kelderwick; Piet Haverkamp/Lower Kelder; Tom Weller/Kelderwick; Dr. Orla Finch/Thistlecombe; Father Anselm/Lower Kelder; May Robin/Kelderwick; Grace Field/Vällby; Henk Löwe/Ravnholt; Noémie Sorbier/Saint-Orme; Renata Bloch/Zimnice; Will Archer/Thistlecombe; Joost Röhm/Graufurt; Nadja Pohl/Kelderwick; Marigold Hume/Thistlecombe"
# How often a cell is left empty.
GAPS = {
    "Paid For By": 0.04,
    "supervised by": 0.06,
    "duration": 0.1,
    "Ticket Price": 0.14,
    "Seats": 0.12,
    "opened_on": 0.1,
    "Distance From Station": 0.1,
    "wheelchair access": 0.08,
    "active_since": 0.14,
    "yearly gift": 0.12,
    "Based In": 0.04,
}


def rows(random):
    """Every row, without its gaps."""
    for line in EVENTS.strip().splitlines():
        name, place, artists, sponsor, boss, day = line.split("|")
        minutes = random.choice([30, 45, 60, 75, 90, 105, 120, 150, 180, 240, 300])
        yield {
            "name": name,
            "kind": "event",
            "held at": place,
            "performed_by": artists,
            "Paid For By": sponsor,
            "supervised by": boss,
            "takes_place_on": f"2025-06-{day}",
            "duration": f"{minutes / 60:g} h"
            if minutes > 90 and minutes % 30 == 0
            else f"{minutes} min",
            "Ticket Price": f"{random.randrange(300, 3200, 50) / 100:.2f} EUR",
        }
    for name, runner, food in (
        part.split("|") for part in VENUES.strip().replace("\n", "; ").split("; ")
    ):
        metres = random.randrange(100, 3200, 50)
        yield {
            "name": name,
            "kind": "venue",
            "Run By": runner,
            "Food and Drink": food.replace("+", "; "),
            "Seats": str(random.randrange(40, 1500, 10)),
            "opened_on": (date(1880, 1, 1) + timedelta(random.randrange(52000))).isoformat(),
            "wheelchair access": random.choice(["yes", "yes", "no"]),
            "Distance From Station": f"{metres / 1000:g} km" if metres >= 1000 else f"{metres} m",
        }
    for line in ARTISTS.strip().splitlines():
        name, town, instruments, teacher = line.split("|")
        since = str(random.randint(1968, 2023))
        yield {
            "name": name,
            "kind": "artist",
            "Based In": town,
            "plays": instruments,
            "taught_by": teacher,
            "active_since": since,
        }
    for name, town, runner in (
        part.split("|") for part in SPONSORS.strip().replace("\n", "; ").split("; ")
    ):
        gift = f"{random.randrange(500, 15000, 250)} EUR"
        yield {
            "name": name,
            "kind": "sponsor",
            "Based In": town,
            "Run By": runner,
            "active_since": str(random.randint(1840, 2015)),
            "yearly gift": gift,
        }
    for name, town in (part.split("/") for part in ORGANISERS.split("; ")):
        yield {
            "name": name,
            "kind": "organiser",
            "Based In": town,
            "active_since": str(random.randint(1985, 2023)),
        }


def main() -> None:
    """Write the table beside this script."""
    random = Random(47)
    made = list(rows(random))
    for row in made:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    random.shuffle(made)
    with Path(__file__).with_name("festival.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(made)


if __name__ == "__main__":
    main()
