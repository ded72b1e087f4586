"""Write bands.csv: the acts in the files of an invented concert agency, a row a band or a musician.

All invented; a fixed seed. Hard on purpose: bands whose names are words, weekdays, things and people,
namesakes, names that share a part, accents, solo artists who also sing, drum or manage elsewhere,
lengths partly in minutes and partly in hours, several values in a cell, bands that split from,
followed or toured with others, and many cells left empty.

    python examples/strangers/choosing/invent_bands.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("band", "Kind of Act", "genre", "founded_on", "Home Town", "sung by", "drummer"),
    *("Influenced By", "split_from", "toured with", "record_label", "best album", "Copies Sold"),
    *("concert_fee", "members", "split up in", "managed_by", "On Tour", "signature song"),
    "longest show",
)
GAPS = {
    **{"founded_on": 0.08, "Home Town": 0.07, "sung by": 0.08, "drummer": 0.1, "genre": 0.04},
    **{"record_label": 0.12, "best album": 0.06, "Copies Sold": 0.12, "concert_fee": 0.1},
    **{"members": 0.05, "managed_by": 0.15, "On Tour": 0.08, "signature song": 0.06},
    **{"longest show": 0.25},
}
# Kind of act: fewest-most members / has a singer / has a drummer
KINDS = {
    **{"band": (3, 8, 1, 1), "solo artist": (1, 1, 1, 0), "duo": (2, 2, 0.9, 0.3)},
    **{"trio": (3, 3, 0.9, 0.8), "choir": (14, 48, 0, 0), "orchestra": (11, 36, 0.2, 0.4)},
}
# name/kind/genre
ACTS = """
Tin Sparrows/band/rock; Iron Sparrows/band/metal; The Sparrows/band/pop; Paper Wolves/band/indie rock; Wolves of Wick/band/metal; Breakfast/band/punk; Tuesday/band/indie rock; Nothing Much/band/punk; Who Else/trio/rock; The Same Again/band/rock
Later/duo/electronic; Perhaps/duo/pop; Anybody/band/soul; Lantern/band/rock; Lantern/duo/folk; Echo Farm/band/psychedelic rock; Little Red Tractor/band/country; Big Red Tractor/band/country; Grenna Brass/orchestra/jazz; Port Allis Choir/choir/gospel; Kråkvik Church Choir/choir/gospel
Löwenfurter Blech/orchestra/polka; Les Éclairs/band/chanson; Señor Trueno/band/ska; Žlutá Noc/band/post-punk; Mørk Måne/band/metal; Café Ébène/trio/jazz; Trio Żuraw/trio/jazz; Crème de la Crypt/band/goth rock; The Undertaker's Daughters/band/folk; The Undertaker/band/goth rock
Three Blind Mechanics/trio/blues; The Postmen/band/ska; The Postmen/trio/skiffle; Monday Drivers/band/pop; Fog Machine/band/electronic; Fog/band/shoegaze; Cold Soup/band/punk; Warm Soup/band/funk; The Lost Umbrellas/band/pop; The Found Umbrellas/band/pop
Salt/band/rock; Salt & Ladder/duo/folk; Ladder/trio/jazz; Velvet Spanner/band/glam rock; Spanner/band/punk; Dead Canary Club/band/post-punk; Canary/duo/pop; Honey Bureau/band/soul; The Bureau/band/new wave; Static Garden/band/shoegaze; Moth Parade/band/psychedelic rock; Moth/trio/ambient
Aunt Petunia/band/folk; Uncle Petunia/band/bluegrass; Quiet Please/duo/ambient; Loud Please/band/metal; Harbour Lights Out/band/rock; Seventh Floor/band/hip hop; Eighth Floor/duo/hip hop; Electric Nun/band/electronic; Nun of the Above/choir/gospel; Milk Train/band/country; Night Bus/band/soul; Last Night Bus/band/soul
Copper Kettle Band/band/bluegrass; Kettle/trio/skiffle; Rain Cheque/band/indie rock; Dog Day/band/rock; The Dogs of May/band/folk; The Hats/band/new wave; The Hatless/band/new wave; Gravel/band/blues; Gravel Road Sisters/trio/country; Polka Emergency/band/polka; Yesterday's Bread/band/folk; Bread Riot/band/punk
Golden Pigeons/band/glam rock; Pigeon/duo/electronic; Twelve Angry Cellos/orchestra/classical; Rubber Bishop/band/funk; El Niño Grande/band/cumbia; As Andorinhas/choir/fado; Ciągle Pada/band/post-punk; Wilde Möhre/band/punk; Übermorgen/duo/electronic; The Ministry of Naps/band/reggae; Naps/duo/ambient
Satellite Wedding/band/new wave; Wedding Crash/band/ska; Ghost Tram/band/shoegaze; The Ferrymen/band/folk; Blue Heifer/band/country; Zebra Crossing Guards/band/pop; Ines Quarrel/solo artist/folk; Old Tobias/solo artist/blues; Zoë Marchetti/solo artist/chanson; Big Lou Fenner/solo artist/soul; Noor Haddon/solo artist/pop
Jarek Wróbel/solo artist/jazz; DJ Pantry/solo artist/electronic; Sister Clemence/solo artist/gospel; Rue Halloran/solo artist/country; Caspar Dunn/solo artist/rock; Caspar Dunne/solo artist/hip hop; Violet Okoro/solo artist/soul; Tomás Ibarra/solo artist/cumbia; August May/solo artist/folk; Mercy Lane/solo artist/blues
"""
MORE_GENRES = "rock, pop, folk, jazz, blues, soul, punk, electronic, reggae"
TOWNS = "Port Allis, Grenna, Hook, Löwenfurt, Wick, Saint-Ébert, Mill End, Castro Ñuelo, Upper Wick, Kråkvik, Zelená, Ashby Cross, Dunmore Flats, Ravna"
LABELS = "Blue Plum Records, Basement Door, Third Sock, Lantern Records, Kite Recordings, Owl & Anchor, Żółw, Mill End Music, Disques Ébert, Small Change"
SINGERS = "Lila Brandt, Hugo Brandt, Margot Vane, Ines Quarrel, Dorian Peck, Elke Sturm, Noor Haddon, Sunny Oduya, Françoise Petit, Big Lou Fenner, Renata Kowal, Marta Sol, Jem Castle, Mercy Lane, Nils Åmodt, Will Ledger, Rosa Ledger, Joy Bell, Saskia Thorn, Íñigo Luz, Kofi Landers, Violet Okoro, Rue Halloran, Caspar Dunn, Zoë Marchetti, Tess Gallow"
DRUMMERS = "Boom Hendry, Ola Nyström, Kit Bellow, Marta Sol, Caspar Dunn, Thumper Reid, Ivo Bartók-Lund, Penny Rolls, Jarek Wróbel, Freya Stamp, Ángel Rojo, Teo Vance, Noor Haddon, Caspar Dunne, Lou Fenner, Hal Stick, Bo Lindqvist, Dorian Peck"
MANAGERS = "Edda Thorn, Hugo Brandt, Maurice Pelletier, Old Tobias, Sal Morello, Gwen Ashdown, Gwen Ashton, Rue Halloran, Dr. Ribbon, Petra Novák, Violet Okoro, Tess Gallow"
ALBUMS = """
Borrowed Weather, The Long Corridor, Teeth, Nine Kinds of Rust, Sorry About the Piano, Plans for a Shed, Good Shoes, Ask the Moon, Cardboard Kingdom, Live at the Laundry, Wrong Side of the Ferry, Homework, Twenty Chairs, Bees!, The Second Helping, Mother's Car, Ultramarine Monday, Small Hours, Larger Hours, Chalk, What the Butler Heard
Dust and Custard, A Hundred Doors, Velocity of Cows, Pockets, Nordlys, Fièvre, La Lluvia, Zima, Der lange Tisch, Half a Map, Elevator Prayers, The Orchard Tapes, Unpaid, Postcards to Nobody, Fire Drill, Midnight Allotment, Tall Grass, Kitchen Sink, The Understudy, No Encore, Rooftops, Sleeping in Shifts, Thirteen Spoons, Winter Coat, Ceremony of Keys
Marmalade Sky Hotel, Wet Paint, Goodbye Mr. Lamp, The Quiet Carriage, Instructions, Spare Room, Anchors, Heatwave, Blackbird Tax, Only Rehearsing, Sugar on the Rails, Pilot Light, Steam, Honest Work, A Map of Yawns, The Big Wash, Parade Ground, Crooked Mile Stone, Lower the Ceiling, Green Room, Overtime, Wishbone, Two Left Hands, Carnival of Dentists, Driftwood
Saltwater Choir, The Price of Eggs, Hymns for Mechanics, Plum Season, Barefoot to Ravna, Bridges, Turnstile, Ink, Old Money, Cabbage Moon, Signal Box, The Fourth Wall, Lullabies in Cement, Gone Fishing, Echoes of Hook, Fingerprints, Radio Grenna, Ballast, Open Sundays, Dry Dock, Vinegar, Last Orders, Snow on the Line, Grandstand, Feather Bed, Low Tide, Bottle Bank, Red Ink, Tailwind, Haystack
"""
SONGS = """
Mary of the Motorway, Don't Feed the Swans, Bus to Ravna, Tell Your Mother, Wooden Heart Attack, Left at the Lights, Ballad of the Bent Spoon, Chalk, Teeth, Pilot Light, I Owe You Soup, Every Other Sunday, Hello Trouble, Caroline's Umbrella, The Drowning Polka, Five More Minutes, Lampshade, Run Edwin Run, Bring Back the Trams, Sugar on the Rails
Old Dog New Moon, Nobody's Bicycle, Queue Here, Dancing with the Landlord, Mind the Gate, Paraffin, Sleep in the Hay, My Second Favourite Hat, Crows, Bury Me in Grenna, Kneecap, Turn It Down, Slow Train to Hook, Señorita Sal, Noche Larga, Jusqu'à Demain, Schnee im Mai, Deszcz, Låt Det Snö, Ten Past Never, The Lighthouse Keeper's Cough
Wake the Mayor, Gin and Gravy, Apple Core, Satellite Dish, Kiss Me in the Car Park, Half Price Heart, Nine to Nine, Too Many Stairs, Postcode, Broken Escalator, Saint of the Night Shift, Who Stole the Tuba, Red Sky at Lunch, Fold, Wasps, Cellophane Girl, Marbles, Walk Me to the Ferry, Hallelujah Harry, Windscreen, Oh Brenda, Fistful of Feathers, Hot Tin Shoes, Drive Slower
Under the Pier, Come In Number Nine, Good Morning Doctor, Pepper, The Goat Song, Backwards Waltz, Velvet Rope, Only When It Rains, Sing for Your Rent, Please Hold, Baker's Boy, Matchbox, Shipping Forecast, Blame the Bassist, Ring Road, Telegram, Seven Sisters Away, Cold Feet Blues, Button, Handbrake, Stay for the Credits, Ghost in the Pantry, Umbrella Weather, Tin Roof, Barn Owl, Ladder to Nowhere, Fire in the Bakery, Mended, Jackdaw, Canal Street Cats
"""
# Known: band / column / cell; it may be that of two namesakes, then the first of them
KNOWN = """
Iron Sparrows/split_from/Tin Sparrows; The Found Umbrellas/split_from/The Lost Umbrellas; Warm Soup/split_from/Cold Soup; The Hatless/split_from/The Hats; Eighth Floor/split_from/Seventh Floor; Uncle Petunia/split_from/Aunt Petunia; Last Night Bus/split_from/Night Bus; Loud Please/split_from/Quiet Please; Big Red Tractor/split_from/Little Red Tractor
Salt/split_from/Salt & Ladder; Ladder/split_from/Salt & Ladder; Moth/split_from/Moth Parade; Spanner/split_from/Velvet Spanner; Naps/split_from/The Ministry of Naps; Kettle/split_from/Copper Kettle Band; Pigeon/split_from/Golden Pigeons; Fog/split_from/Fog Machine; Canary/split_from/Dead Canary Club; Bread Riot/split_from/Yesterday's Bread; Honey Bureau/split_from/The Bureau
The Undertaker's Daughters/split_from/The Undertaker; The Sparrows/Home Town/Grenna; Grenna Brass/Home Town/Grenna; Port Allis Choir/Home Town/Port Allis; Kråkvik Church Choir/Home Town/Kråkvik; Löwenfurter Blech/Home Town/Löwenfurt; Wolves of Wick/Home Town/Wick; Tin Sparrows/Home Town/Port Allis; Mørk Måne/Home Town/Kråkvik; Les Éclairs/Home Town/Saint-Ébert
Tin Sparrows/drummer/Caspar Dunn; Cold Soup/drummer/Noor Haddon; Paper Wolves/sung by/Ines Quarrel; Tuesday/managed_by/Old Tobias; Breakfast/managed_by/Rue Halloran; Fog/drummer/Jarek Wróbel; Night Bus/sung by/Big Lou Fenner; Night Bus/managed_by/Violet Okoro; Gravel/sung by/Mercy Lane; Seventh Floor/sung by/Caspar Dunne; Wolves of Wick/managed_by/Old Tobias
Les Éclairs/sung by/Zoë Marchetti; El Niño Grande/sung by/Tomás Ibarra; The Dogs of May/sung by/August May; Paper Wolves/Influenced By/Tin Sparrows; Breakfast/Influenced By/Cold Soup; Noor Haddon/Influenced By/Sister Clemence; Ines Quarrel/Influenced By/Old Tobias; Twelve Angry Cellos/longest show/5.5 h; Port Allis Choir/members/44; Golden Pigeons/Copies Sold/6200000
Old Tobias/founded_on/1951-03-14; Grenna Brass/founded_on/1938-09-04; The Postmen/Home Town/Hook; Lantern/Home Town/Ashby Cross; Golden Pigeons/concert_fee/95000 EUR; Nothing Much/concert_fee/80 EUR; Polka Emergency/signature song/The Drowning Polka; Paper Wolves/managed_by/Edda Thorn; Tin Sparrows/record_label/Basement Door; Spanner/record_label/Third Sock
Old Tobias/record_label/Żółw; Old Tobias/Home Town/Dunmore Flats; Rue Halloran/Home Town/Ashby Cross; Violet Okoro/record_label/Blue Plum Records; Sister Clemence/Home Town/Saint-Ébert; Sister Clemence/founded_on/1955-06-19; The Lost Umbrellas/split up in/2015; Caspar Dunn/record_label/Small Change; Jarek Wróbel/Home Town/Zelená; Noor Haddon/signature song/Half Price Heart; Cold Soup/record_label/Basement Door; Ines Quarrel/best album/Driftwood
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def skewed(choices, random):
    """One of some, the first ones more often than the last."""
    return choices[int(len(choices) * random.random() ** 1.4)]


def rounded(low, high, random):
    """A number between two, as likely small as large, with two digits that say something."""
    number = low * (high / low) ** random.random()
    step = 10 ** (len(str(int(number))) - 2)
    return int(number / step) * step


def act(name, kind, genre, random):
    """A band with all that needs no other band."""
    fewest, most, sings, drums = KINDS[kind]
    born = date(1958, 1, 1) + timedelta(random.randrange(23000))
    genres = dict.fromkeys(
        [genre, *random.sample(listed(MORE_GENRES), random.choice([0, 0, 1, 1, 2]))]
    )
    singers = dict.fromkeys(
        skewed(listed(SINGERS), random) for _ in range(random.choice([1, 1, 1, 1, 2]))
    )
    ended = (
        random.randint(born.year + 2, 2024)
        if kind in ("band", "duo", "trio") and born.year < 2016 and random.random() < 0.4
        else ""
    )
    minutes = random.randrange(40, 260, 5)
    return {
        **{
            "band": name,
            "Kind of Act": kind,
            "genre": "; ".join(genres),
            "founded_on": born.isoformat(),
        },
        "Home Town": skewed(listed(TOWNS), random),
        "sung by": name
        if kind == "solo artist"
        else "; ".join(singers)
        if random.random() < sings
        else "",
        "drummer": skewed(listed(DRUMMERS), random) if random.random() < drums else "",
        **{"Influenced By": "", "split_from": "", "toured with": ""},
        "record_label": skewed(listed(LABELS), random),
        "Copies Sold": str(rounded(900, 3000000, random)),
        "concert_fee": f"{rounded(150, 70000, random)} EUR",
        **{"members": str(random.randint(fewest, most)), "split up in": str(ended)},
        "managed_by": skewed(listed(MANAGERS), random),
        "On Tour": "no" if ended else random.choice(["yes", "no"]),
        "longest show": f"{round(minutes / 30) / 2:g} h" if minutes >= 110 else f"{minutes} min",
    }


def acts(random):
    """Return all rows."""
    rows = [act(*line.split("/"), random) for line in listed(ACTS, "; ")]
    names = [row["band"] for row in rows]
    known = [fact.split("/") for fact in listed(KNOWN, "; ")]
    for column, titles in (("best album", listed(ALBUMS)), ("signature song", listed(SONGS))):
        taken = {cell for _, _, cell in known}
        titles = [title for title in titles if title not in taken]
        titles += [""] * (len(rows) - len(titles))
        for row, title in zip(rows, random.sample(titles, len(rows)), strict=True):
            row[column] = title
    for row in rows:
        if row["managed_by"] == row["band"]:
            row["managed_by"] = ""
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for name, column, cell in known:
        rows[names.index(name)][column] = cell
    for name, column, cell in known:  # who left a band came after it
        if (
            column == "split_from"
            and rows[names.index(cell)]["founded_on"] > rows[names.index(name)]["founded_on"] > ""
        ):
            swap = rows[names.index(name)], rows[names.index(cell)]
            swap[0]["founded_on"], swap[1]["founded_on"] = (
                swap[1]["founded_on"],
                swap[0]["founded_on"],
            )
    for row in rows:
        if row["split up in"] and row["split up in"] <= row["founded_on"][:4]:
            row["split up in"] = str(int(row["founded_on"][:4]) + 3)
        single = [other for other in rows if names.count(other["band"]) == 1 and other is not row]
        older = [other["band"] for other in single if "" < other["founded_on"] < row["founded_on"]]
        if not row["Influenced By"] and older and random.random() < 0.55:
            row["Influenced By"] = skewed(older, random)
        if random.random() < 0.5:
            row["toured with"] = "; ".join(
                other["band"] for other in random.sample(single, random.choice([1, 1, 2, 2, 3]))
            )
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("bands.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(acts(Random(47)))


if __name__ == "__main__":
    main()
