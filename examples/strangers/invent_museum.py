"""Write museum.csv: the objects of an invented museum, their makers, rooms, keepers, donors and towns.

python examples/strangers/invent_museum.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

# Maker / trade / born in / birth year / died / pupil of.
MAKERS = """
Inés Quiñola/painter/Puente Claro/1848/1921/Bruno Saltier; T. J. Brown/painter/Tallow/1822/1889/; Will Hartle/painter/Tallow/1861/1934/T. J. Brown
May Thistlewane/painter/Ottermouth/1870/1951/Inés Quiñola; Zoë Larkvist/painter/Nyberga/1903/1988/; Anton Brezko/painter/Mirovane/1815/1877/; Ikko Nomaru/painter//1925//
Jean-Luc Vésane/painter/Saint-Orme/1879/1946/Inés Quiñola; Lew Drummel/painter/Brask/1899/1971/; Sean O'Tarrel/painter/Pell/1890/1962/Will Hartle
Ottilie Frome/painter/Lindholt/1835//Anton Brezko; Ester Kaarn/painter/Brasker/1866/1940/Ottilie Frome; Hanna Kaarn/painter/Brasker/1868/1953/Ottilie Frome
Bruno Saltier/painter/Castra Alta/1801/1869/; Pale Tom/painter/Marreck//1790/; Grace Penhallick/painter/Ottermouth/1911/2004/Zoë Larkvist
Otto Marten/clockmaker/Zelm/1718/1794/Ulrich Köllbach; Elias Tock/clockmaker/Zelm/1755/1830/Otto Marten; Tobias Wren-Hale/clockmaker/Kerrowen/1790/1866/Elias Tock
Joan D'Arvel/clockmaker/Saint-Orme/1760/1822/; Ulrich Köllbach/clockmaker/Lindholt/1681/1750/; Matts Ångrist/clockmaker/Nyberga/1772/1841/Elias Tock
Hester Bright/clockmaker/Tallow/1805/1880/Tobias Wren-Hale; Abel Stone/clockmaker/Stonewater/1702/1769/; Abel Stane/clockmaker/Marreck/1740/1811/Abel Stone
Simon Pell/clockmaker/Aldersough/1731/1799/Abel Stone; Cornelis Vaart/mapmaker/Brask/1601/1668/; Ada K. Brown/mapmaker/Marreck/1633/1702/Cornelis Vaart
Rufina Caldeiro/mapmaker/Puente Claro/1650/1719/; Lukas Zahm/mapmaker/Köllbach/1715/1788/; Perrin Oake/mapmaker/Kerrowen/1744//; Widow Harrop/mapmaker///1731/
Søren Fjelde/mapmaker/Nyberga/1780/1849/Perrin Oake; Gerrit van Zelm/mapmaker/Brask/1622/1690/Cornelis Vaart; Luca Morvanti/luthier/Castra Alta/1690/1764/
Agnes Reed/luthier/Aldersough/1801/1877/; Piotr Żelak/luthier/Mirovane/1733/1802/Luca Morvanti; Nell Sparrow/luthier/Pell/1844/1919/Agnes Reed; Basil Hornwick/luthier/Tallow/1710/1772/
Edwin Glass/optician/Stonewater/1760/1829/; Rosalind Glass/optician/Stonewater/1792/1870/Edwin Glass; Henk Duiker/optician/Ysel Bridge/1702/1775/; J. P. Merrow/optician/Harl's End/1688/1741/
Cyprian Lode/optician/Aldersough/1820/1895/Rosalind Glass; Old Peter/bell founder/Saint-Orme//1698/; Fenna Holt/sculptor/Ysel Bridge/1881/1968/; Björn Isvik/sculptor/Nyberga/1840/1912/
Amadou Diarre/sculptor//1930//; Tamsin Ashe/sculptor/Harl's End/1946//Amadou Diarre; Clay Turner/potter/Pell/1852/1930/; Mirela Dusk/potter/Mirovane/1898/1975/Clay Turner
Zora Milk/potter/Mirovane/1909/1994/Mirela Dusk; Isaac Gold/silversmith/Castra Alta/1676/1740/; Will May/silversmith/Tallow/1729/1801/Isaac Gold; Rose Weaver/weaver/Köllbach/1780/1852/
Gudrun Ekelväg/weaver/Nyberga/1875/1957/
"""
TOWNS = """
Tallow/Tarrow/Ardany/48200; Little Tallow/Little Mell/Ardany/1900; Pell/Wend/Ardany/8700; Marreck/Tarrow, Mell/Ardany/112000; Ottermouth/Mell/Ardany/23500; Kerrowen/Wend/Ardany/15300
Stonewater/Little Mell/Ardany/30100; Aldersough//Ardany/6400; Harl's End//Ardany/; Brask/Bröda/Velland/205000; Brasker/Bröda/Velland/3100; Zelm/Greyle/Velland/41000
Ysel Bridge/Greyle, Bröda/Velland/27600; Lindholt/Greyle/Velland/; Nyberga//Nordmere/88000; Köllbach/Oune/Ostrany/19800; Mirovane/Oune/Ostrany/340000; Saint-Orme/Lenta/Sorela/12400
Puente Claro/Lenta/Sorela/57000; Castra Alta/Lenta/Sorela/151000
"""
RIVERS = "Tarrow/340 km; Mell/87.5 km; Little Mell/19 km; Wend/122 km; Bröda/610 km; Oune/455 km; Greyle/203 km"
COUNTRIES = "Ardany/Marreck/English; Velland/Brask/Dutch; Ostrany/Mirovane/Polish, German; Nordmere//Swedish; Sorela/Castra Alta/Spanish, French"
# Room / floor / named after / keeper / seats.
ROOMS = """
Silver Room/first floor/Ida Silver/Jonas Key/; Brown Room/first floor/Ada K. Brown/Della Finch/8; Clock Tower/third floor//Marcus Yew/; Map Room/second floor//Ann Penn/12
The Vault/basement//Jonas Key/; Long Gallery/first floor//Della Finch/24; Room 12/ground floor//Bill Mould/; Upper Landing/third floor///; Garden Hall/ground floor//Priya Samudral/120
Quiñola Gallery/first floor/Inés Quiñola/Čedo Varik/16; Marten Room/second floor/Otto Marten/Marcus Yew/; Martin Room/ground floor/Otto Martin/Priya Samudral/
Gate Hall/ground floor/Bess Gate/Bill Mould/40; Room 21/second floor//Anne Penn/; Store B/basement///; North Cabinet/third floor//Anne Penn/4; South Cabinet/third floor//Ann Penn/6
Music Room/second floor/Agnes Reed/Tilda Groet/60; Store A/basement//Jonas Key/
"""
# Keeper / started on / extension / speaks.
KEEPERS = """
Jonas Key/2004-03-01/118/English, Polish; Della Finch/2011-09-15/204/English, French; Marcus Yew/1998-01-05/301/English; Ann Penn/2016-06-20/222/English, Dutch, German
Anne Penn/2019-10-07/232//; Bill Mould/2001-04-30/101/English; Čedo Varik/2021-02-01/210/Polish, Spanish; Priya Samudral/2013-05-13//English, Spanish
Tilda Groet/2008-11-17/240/Dutch, English
"""
# Donor / lives in / member since.
DONORS = """
Ida Silver/Marreck/1974-05-02; Rufus Brown/Tallow/1988-10-11; Otto Martin/Brask/1979-01-20; Bess Gate/Pell/1991-06-30; Rose Fielding/Ottermouth/2003-03-08
Nora Quill/Little Tallow/1999-12-01; Dr. Emil Stang/Nyberga/; Lady Ashgrove/Harl's End/1970-04-17; Per-Olof Hjelme/Nyberga/2006-08-25; Mei Tanaro/Mirovane/2010-02-14
Hugo O'Tarrel/Pell/1983-09-09; K. Brask/Zelm/1995-07-07; Anna-Lena Vosk/Ysel Bridge/2001-11-23; Summer Haye//2012-05-01; Guild of Bakers/Marreck/
"""
BORROWERS = "The Civic/Pell; House of Clocks/Zelm; Maritime Hall/Ottermouth; Castra Gallery/Castra Alta; Nyberga Rooms/Nyberga"
# Kind: trade / rooms / least and most kilograms / least and most centimetres / materials / names.
OBJECTS = """
painting: painter/Brown Room, Quiñola Gallery, Long Gallery, Room 12, Room 21, Gate Hall, Store A/2-40/30-190/oil+canvas, oil+canvas, tempera+poplar, oil+oak, watercolour+paper, gouache+paper/
  The Gate; The Gate at Night; Orchard in Snow (1871); Orchard in Snow (1904); Will; May; June; Rose Field; Woman with a Lamp; Woman with Two Lamps; Portrait of Otto Marten;
  Portrait of Simon Pell; The Blue Ferry; The Blue Ferryman; Low Tide at Ottermouth; High Tide at Ottermouth; Market Day, Tallow; The Miller's Daughter; The Miller's Daughters; Nobody Home;
  Self-Portrait at 30; Self-Portrait at 60; Still Life with Eels; Still Life with Quinces; The Road to Pell; Evening, Kerrowen Bridge; The Wend in Flood; Three Geese; Thirteen Geese;
  St. Orme's Eve; The Tailor; The Sailor; Girl Reading; Brown Study; Storm over Brask; Café Zoë; L'Heure Lente; Winter Bathers; Night Shift; The Empty Chair; The Surgeon's Hands;
  A Cold Kitchen; Washing Day; Untitled No. 4; Untitled No. 14; The Long Wait; Dusk on the Mell; The Quarrel; Nocturne in Grey; The Beekeeper
clock: clockmaker/Clock Tower, Marten Room, Long Gallery, Upper Landing, Store B/3-140/25-240/oak+brass, walnut+brass+steel, mahogany+brass/ Tall Clock; The Old Lady; Winter Clock (oak);
  Winter Clock (walnut); Moon Clock; Sun Clock; Number 7; Tower Clock of Zelm; The Whisperer; Bracket Clock 1; Bracket Clock 2; Cuckoo of Lindholt; Night Clock; Skeleton Clock; Water Clock;
  The Limping Monk; Regulator A; Regulator B
watch: clockmaker/Marten Room, The Vault/0.08-0.3/4-7/silver+enamel, gold, gold+glass/ Captain's Watch; Bride's Watch; Mourning Watch; Harbour Chronometer
map: mapmaker/Map Room, South Cabinet, Store B/0.3-4/25-110/paper+ink, vellum+ink, paper/ Map of the Tarrow; Map of the Upper Tarrow; Plan of Tallow; Plan of Marreck; Plan of Stonewater;
  Chart of the Sorrow Isles; Brask 1650; Brask 1750; Road Book of Ardany; Pilgrims' Map; Miners' Map of Aldersough; Coast of Velland; Star Chart; Island That Is Not There; Silk Map;
  Toll Map of the Wend; Plague Map of Mirovane; The Traveller's Fan
atlas: mapmaker/Map Room/5-22/30-80/paper+leather, paper+vellum/ The Great Atlas; The Little Atlas
globe: mapmaker/Map Room, South Cabinet/3-30/30-130/paper+plaster+brass, copper/ Globe of Night; Globe of Winds
musical instrument: luthier/Music Room, Garden Hall, Store A/0.4-30/30-190/spruce+maple, pearwood+ivory, brass, walnut+gut/ Half-Moon Lute; Full-Moon Lute; Serpent; The Nightingale;
  Viola "Clara"; Swan Fiddle; Bone Flute; Glass Flute; Red Harpsichord; Travelling Organ; Shepherd's Pipe; Postman's Horn; Drum of the Guard; Kettledrum Pair; Hurdy-Gurdy of Brask;
  Silent Piano; The Big Bass; Child's Harp; Ångrist Zither; Dancing Master's Kit
bell: bell founder/Garden Hall/300-900/60-140/bronze/ Bell of Saint-Orme; Tarrow Bell
scientific instrument: optician/North Cabinet, South Cabinet, Martin Room/0.3-25/12-120/brass+glass, brass, steel+brass, mahogany+brass/ Theodolite No. 12; Theodolite No. 21; Sextant 3b;
  Sextant 3d; Brass Orrery; Kaarn Telescope; Glass Barometer; Weather Cat; Apothecary's Scales; Miner's Compass; Mirror Microscope; Pocket Sundial; Air Pump; Rain Gauge;
  Astrolabe of Mirovane; Tide Computer; Surveyor's Chain; Lode Magnet
sculpture: sculptor/Garden Hall, Gate Hall, Martin Room/12-600/35-220/bronze, marble, limestone, oak, plaster/ Sleeping Hound; The Diver; Head of a Boy; Head of an Old Boy; Kneeling Nurse;
  Stone Bride; The Two Porters; Bear and Child; Standing Figure II; Standing Figure III; Broken Wing; Weeping Baker
pottery: potter/Room 12, Martin Room, Upper Landing/0.3-9/8-60/porcelain, stoneware, earthenware/ Plum Vase; Peacock Bowl; Frog Jug; Salt Cellar with Mice; Tea Set for One; Widow's Teapot;
  Blue Tile 5; Blue Tile 6; Owl Jar; Moon Jar
silverware: silversmith/Silver Room, The Vault/0.05-0.9/5-30/silver, silver+gold/ Fish Slice; Guild Cup of Marreck; Coffin Plate; Christening Spoon; The Mayor's Chain; Traveller's Inkwell;
  Sugar Tongs
textile: weaver/Upper Landing, Room 21, Store B/0.8-35/60-380/wool, wool+silk, linen, silk/ The Unfinished Tapestry; Harvest Quilt; Mutiny Flag; Fisherman's Jersey; Night Curtain;
  Stag Carpet; Admiral's Coat
"""
# What a name gives away, or what chance would hardly give: object / made by / year made / material / weight / shows / height.
KNOWN = """
Orchard in Snow (1871)/T. J. Brown/1871; May/Will Hartle////Tallow; Orchard in Snow (1904)/May Thistlewane/1904; Portrait of Otto Marten/Pale Tom/1781///Otto Marten
Will/Sean O'Tarrel////Will Hartle; Portrait of Simon Pell/Pale Tom/1779///Simon Pell; Brown Study/Lew Drummel; Self-Portrait at 30/Inés Quiñola/1878///Inés Quiñola
Brask 1650/Gerrit van Zelm/1650///Brask; Self-Portrait at 60/Inés Quiñola/1908///Inés Quiñola; Brask 1750/Lukas Zahm/1750///Brask; The Quarrel/Ester Kaarn, Hanna Kaarn
The Great Atlas/Cornelis Vaart, Ada K. Brown/1661; Tower Clock of Zelm/Otto Marten, Ulrich Köllbach/1747//0.9 t; Brass Orrery/Edwin Glass, Rosalind Glass/1824/brass, ivory, ebony
Ångrist Zither/Piotr Żelak; Kaarn Telescope/Cyprian Lode; Café Zoë/Grace Penhallick////Zoë Larkvist; Bone Flute///bone/140 g//41 cm; Winter Clock (oak)///oak, brass; Winter Clock (walnut)///walnut, brass
Silk Map///silk; Glass Flute///glass, silver; Stone Bride///limestone/240 kg; Tarrow Bell////1.4 t; Mutiny Flag///linen; The Traveller's Fan///silk, ivory, ink; Kettledrum Pair///copper, calfskin/48 kg
Drum of the Guard///oak, calfskin; Postman's Horn///brass; Admiral's Coat///wool, gold; Fisherman's Jersey///wool; Sleeping Hound///bronze; Surveyor's Chain///steel
Pocket Sundial///ivory, brass; Glass Barometer///glass, mahogany, mercury; The Gate/////Marreck; The Gate at Night/////Marreck; Low Tide at Ottermouth/////Ottermouth
High Tide at Ottermouth/////Ottermouth; Market Day, Tallow/////Tallow; The Road to Pell/////Pell; Rose Field/////Aldersough; Evening, Kerrowen Bridge/////Kerrowen, Wend
The Wend in Flood/////Wend; Storm over Brask/////Brask; Dusk on the Mell/////Mell, Marreck; St. Orme's Eve/////Saint-Orme; Map of the Tarrow/////Tarrow; Map of the Upper Tarrow/////Tarrow
Plan of Tallow/////Tallow; Plan of Marreck/////Marreck; Plan of Stonewater/////Stonewater; Miners' Map of Aldersough/////Aldersough; Toll Map of the Wend/////Wend
Plague Map of Mirovane/////Mirovane; Washing Day/////Brasker; Tall Clock//////241 cm; Head of a Boy//////38 cm; Bracket Clock 2////9.5 kg; Red Harpsichord////31 kg; Miner's Compass////480 g
"""
Facts = dict[str, dict[str, list[str]]]


def table(text: str, *relations: str) -> Facts:
    """What each subject says of itself: cells part at slashes, values at commas."""
    facts: Facts = {}
    for row in text.strip().replace("\n", "; ").split("; "):
        subject, *cells = row.split("/")
        said = zip(relations, (cell.split(", ") for cell in cells), strict=False)
        facts[subject] = {relation: values for relation, values in said if values != [""]}
    return facts


def label(weight: float) -> str:
    """A weight as a label has it: 180 g, 2.4 kg, 37 kg."""
    if weight < 1:
        return f"{max(1, round(weight * 100)) * 10} g"
    return f"{weight:.1f} kg" if weight < 10 else f"{weight:.0f} kg"


def thing(kind: str, ranges: list[str], told: dict[str, list[str]], lives: Facts, random: Random):
    """An object; some of its facts nobody wrote down."""
    trade, rooms, weights, heights, stuffs = ranges
    living = [name for name, life in lives.items() if life["trade"] == [trade]]
    maker = told.get("made_by", [random.choice(living)])[0]
    born, died = (lives[maker].get(relation) for relation in ("birth_year", "died"))
    age = random.randrange(20, 50)
    year = int(told.get("year made", [int(born[0]) + age if born else int(died[0]) - age])[0])
    given, away = random.random() < 0.24, random.random() < 0.14
    first = date(1975 if given else max(1921, year + 1), 1, 1)
    acquired = first + timedelta(days=random.randrange((date(2024, 1, 1) - first).days))
    low, high = (float(bound) for bound in weights.split("-"))
    short, tall = (int(bound) for bound in heights.split("-"))
    worth = float(f"{500 * 10 ** random.uniform(0, 2.6):.2g}")
    # Each with how often it is kept; True and False do for always and never.
    drawn = {
        "kind": ([kind], True),
        "made_by": ([maker], 0.85),
        "year made": ([str(year)], 0.54),
        "material": (random.choice(stuffs.split(", ")).split("+"), 0.62),
        "weight": ([label(low * (high / low) ** random.random())], 0.28),
        "height": ([f"{random.randint(short, tall)} cm"], 0.24),
        "displayed in": ([random.choice(rooms.split(", "))], 0.96 * (not away)),
        "on loan": (["yes" if away else "no"], True),
        "lent to": ([random.choice(list(table(BORROWERS)))], away),
        "due back": ([str(date(2027, 1, 1) + timedelta(days=random.randrange(900)))], 0.8 * away),
        "date_acquired": ([str(acquired)], 0.34),
        "insured_value_eur": ([f"{worth:.0f}"], 0.3),
        "given_by": ([random.choice(list(table(DONORS)))], given),
    }
    return {name: said for name, (said, often) in drawn.items() if random.random() < often} | told


def things(lives: Facts, random: Random) -> Facts:
    """All objects, kind after kind."""
    facts, told = {}, table(KNOWN, "made_by", "year made", "material", "weight", "shows", "height")
    for block in OBJECTS.strip().replace("\n  ", " ").splitlines():
        kind, rest = block.split(": ", 1)
        *ranges, names = rest.split("/")
        for name in names.strip().split("; "):
            facts[name] = thing(kind, ranges, told.get(name, {}), lives, random)
    return facts


def main() -> None:
    """Write the facts, a row each, under a row that names the columns."""
    lives = table(MAKERS, "trade", "born_in", "birth_year", "died", "pupil_of")
    parts = (
        things(lives, Random(7)),
        lives,
        table(ROOMS, "floor", "named_after", "keeper", "seats"),
        table(KEEPERS, "started_on", "extension", "speaks"),
        table(DONORS, "lives in", "member since"),
        table(BORROWERS, "based in"),
        table(TOWNS, "lies on", "country", "inhabitants"),
        table(RIVERS, "length"),
        table(COUNTRIES, "capital", "language"),
    )
    with Path(__file__).with_name("museum.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("subject", "relation", "object"))
        for part in parts:
            for subject, facts in part.items():
                for relation, values in facts.items():
                    writer.writerows((subject, relation, value) for value in values)


if __name__ == "__main__":
    main()
