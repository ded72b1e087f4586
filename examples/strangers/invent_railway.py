"""Write railway.csv: stations, lines, engines, trains, tunnels and people of an invented railway.

A row a fact: subject, relation, object. The network is that of the Fells & Coast Railway and of its
neighbours; engines, sheds, works and the people on duty have rows of their own. Hard on purpose:
names that are words, months, animals and numbers, engines, places and people that share names,
names one letter apart, accents, apostrophes, hyphens and initials, times of day, weights in kilograms and
in tonnes, lengths in metres and in kilometres, and facts that nobody wrote down.

    python examples/strangers/invent_railway.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from pathlib import Path
from random import Random

# Line: length / gauge / colour / starts at / ends at / opened / electrified / operator / steepest gradient.
LINES = """
Main Line/84.5 km/1435 mm/red/Karsholm Central/Port Isarn/1859/yes/Fells & Coast Railway/1.2 %; Lake Line/38 km/1435 mm/blue/Ferring Cross/Lac Noir/1874/no/Fells & Coast Railway/2.1 %
Salt Line/26.3 km/1435 mm/white/Port Isarn/Mölnby/1881/no/Salt Line Trust/0.8 %; The Snail/9.4 km/800 mm/green/Ambersett/Summit/1898/yes/Cloud Mountain Company/24 %
Bracken Valley Line/31 km/1000 mm/brown/Dunlow/Orrery/1887/no/Fells & Coast Railway/3.5 %; Line 4/12.8 km/1435 mm/yellow/Karsholm Central/Airport/1931/yes/City of Karsholm/
Line 14/8.2 km/1435 mm/orange/Karsholm West/Karsholm East/1968/yes/City of Karsholm/2.4 %; Northern Loop/41 km/1435 mm/purple/Wick/Ambersett/1893/no/Fells & Coast Railway/1.9 %
Ghost Line/17 km/600 mm//Three Elms/Vane/1902/no/Salt Line Trust/; Königstal Line/44 km/1435 mm/black/Mölnby/Frontier/1906/yes//2.8 %
"""
# The stations of each line: name, metres above the sea, platforms (- where nobody counted), district.
STATIONS = """
Main Line: Karsholm Central 31 14 Karsholm; Karsholm East - 6 Karsholm; Dunlow 74 5 Dales; Wick 112 4 Dales; Ambersett 245 4 Fells; Three Elms 198 2 Dales; Halt 9 160 1 Dales; Ferring Cross 61 5 Coast; Ferring 22 2 Coast
  Port Isarn 4 6 Coast
Lake Line: Ferring Cross; Little Ferring 88 2 Lakes; Low Water 131 - Lakes; High Water 137 2 Lakes; Église-sous-Bois 176 2 Lakes; Lac Noir 204 3 Lakes
Salt Line: Port Isarn; Salt Quay - 2 Coast; Old Salt - - Coast; Whitepan - - Coast; Mölnby 11 4 Border
The Snail: Ambersett; Goat Bridge 410 - Fells; Upper Ambersett 688 2 Fells; Cloud 1012 - Fells; Summit 1365 2 Fells
Bracken Valley Line: Dunlow; Bracken 96 2 Dales; Bracken Mill 103 - Dales; Bracken Road 149 - Dales; Nettle Green 187 2 Dales; St. Ive's Well 231 1 Dales; Orrery 264 2 Dales
Line 4: Karsholm Central; Karsholm West - 4 Karsholm; Gasworks - 2 Karsholm; University - 2 Karsholm; Zoo - 2 Karsholm; Airport 52 3 Karsholm
Line 14: Karsholm West; Market - 2 Karsholm; Rosenhöhe - 2 Karsholm; Parliament - 2 Karsholm; Gasworks; Karsholm East
Northern Loop: Wick; Wick St. Mary 120 - Dales; Cold Harbour 171 2 Fells; Żabno 226 2 Fells; Nordby 301 2 Fells; Ambersett
Ghost Line: Three Elms; Nobody's Halt - 1 Dales; Vane - - Fells
Königstal Line: Mölnby; Königstal 318 3 Border; D'Arbeau 402 - Border; Frontier 455 4 Border
"""
# Station / opened / station master / step-free / designed by / passengers a day / facilities.
ABOUT = """
Karsholm Central/1859/Henrike Vosse/yes/Augustin Pardoe/48200/café, toilets, lift, left luggage, lost property; Karsholm East/1861/Jon Ashdale/yes//9700/toilets, lift
Dunlow/1859/Mabel Tarn/yes/Augustin Pardoe/4100/café, toilets; Wick/1860/Piers Lockwood/no/Augustin Pardoe/1900; Ambersett/1862/Ludmila Kočí/yes/Clara Wexelblatt/5200/café, toilets, lift, bicycle hire
Three Elms/1862//no//240; Halt 9/////35; Ferring Cross/1863/Joan Ashdale/yes//3300/café, toilets, bicycle hire; Ferring/1863/Tobias Reed/no//900
Port Isarn/1864/Emil Sørby/yes/Clara Wexelblatt/7600/café, toilets, left luggage, ferry tickets; Little Ferring/1874////120; High Water/1874/Agathe Lenoir/no/F. X. Stoll/410/toilets, boat hire
Église-sous-Bois/1875//no//150; Lac Noir/1876/Agathe Lenoir/yes/F. X. Stoll/1250/café, toilets, boat hire, bicycle hire; Salt Quay/////310; Old Salt/1881; Whitepan/1882
Mölnby/1883/Sven Mölnby/yes/F. X. Stoll/2800/café, toilets, left luggage; Upper Ambersett/1898////700/toilets, bicycle hire; Cloud/1899; Summit/1901/Bruno Halt/no/Clara Wexelblatt/1600/café, toilets
Bracken/1887/Mabel Tarn/yes//640; Bracken Road/1888////45; Nettle Green/1888//yes//380/bicycle hire; St. Ive's Well/1889; Orrery/1890/Fitz Pemberton/yes/Theodora Quill/830/café, toilets
Karsholm West/1931/Jon Ashdale/yes/Ingmar Lund/12400/toilets, lift; Gasworks/1931; University/1932//yes/Ingmar Lund/15800/café, lift; Zoo/1934//yes/Ingmar Lund/6100/toilets, lift
Airport/1958/Wanda Frost/yes/Ingmar Lund/21300/café, toilets, lift, left luggage; Market/1968//yes//8800/lift; Rosenhöhe/1969////2700; Parliament///yes/Theodora Quill/5400/lift
Wick St. Mary/1893////95; Cold Harbour/1893/Piers Lockwood///260; Żabno/1894/Kinga Wrona/yes//520/toilets, café; Nordby/1895; Vane/1902; Königstal/1906/Rolf Adler/yes/Theodora Quill/1700/café, toilets
D'Arbeau/////130; Frontier/1909/Odette Marchand/yes/Theodora Quill/2100/café, toilets, currency exchange
"""
# Type: works / years / tonnes / kilowatts / kilometres an hour / sheds / names.
ENGINES = """
steam engine/Hollin Works, Brandt & Daughters, Isarn Foundry/1878-1932/22-96/220-1150/45-115/Dunlow Shed, Isarn Roundhouse, Old Shed/
  Duchess; Old Bess; Iron Duke; May; Patience; No. 7; No. 17; Badger; Badger II; Wild Rose; Kaiserin; Mary Quill
diesel engine/Isarn Foundry, Torvald AB/1951-1988/34-118/300-1800/60-130/Dunlow Shed, Isarn Roundhouse, Mölnby Depot/
  Ox; Big Ox; Hedgehog; Thunder; D 401; D 410; Fräulein; Lady Isarn
electric engine/Torvald AB, Hollin Works/1934-2011/58-92/900-5600/80-200/West Depot, Mölnby Depot/
  Spark; Volt; E 12; E 21; Lightning; North Star
railcar/Brandt & Daughters, Lindqvist/1936-2016/18-49/110-640/70-140/West Depot, Dunlow Shed/
  Swift; Swallow; Ladybird; Grasshopper
rack engine/Cloud Works/1897-1962/14-24/90-360/10-22/Ambersett Shed/
  Goat; Billy
"""
# Engine / named after / nickname / built by / year built / weight / in service.
TOLD = """
Duchess//The Kettle/Hollin Works/1911; Old Bess///Isarn Foundry/1878/24.6 t/no; No. 17//Lucky/Hollin Works/1904; Mary Quill/Mary Quill the Elder
Lady Isarn/Port Isarn/The Whale; Badger II/Badger; Big Ox/Ox//Torvald AB/1971/118 t; North Star//; E 21//The Flat Iron; Ladybird///Lindqvist//19.8 t
Goat/Goat Bridge//; Kaiserin////1888//no; Swift//The Biscuit Tin
"""
# Train / origin / destination / departs / arrives / calls at / pulled by / driver / guard / runs on / dining car / fare.
TRAINS = """
Night Owl/Karsholm Central/Port Isarn/23:40/01:25/Dunlow, Ambersett, Ferring Cross/Thunder/Ike Mundy/Nora Steel/Friday, Saturday/no/14.50 kr
Milk Train/Orrery/Dunlow/04:55/06:10/Nettle Green, Bracken/Hedgehog/Greta Dahl//Monday, Thursday/no/3.20 kr
Fell Runner/Karsholm Central/Ambersett/08:12/09:15/Dunlow, Wick/Volt/Ike Mundy/Sami Okoro/Monday, Tuesday, Wednesday/yes/11.00 kr
Lake Express/Port Isarn/Lac Noir/09:30/10:28/Ferring Cross, High Water/Big Ox/Pat Coyle/Nora Steel/Saturday, Sunday/yes/9.80 kr
Slow Coach/Ferring Cross/Lac Noir/13:05/14:20/Little Ferring, Low Water, High Water, Église-sous-Bois/Swallow/Pat Coyle//Tuesday, Friday/no/6.40 kr
Salt Mary/Port Isarn/Mölnby/07:48/08:31/Salt Quay, Whitepan/Fräulein/Signe Bø/Otis Fairley/Monday, Wednesday, Friday/no/5.00 kr
The Frontiersman/Mölnby/Frontier/10:15/11:09/Königstal/E 12/Rolf Adler Jr.//Sunday/yes/8.70 kr; Sunrise/Ambersett/Summit/05:02/05:58//Goat/Vreni Zopf/Heidi Zopf/Sunday/no/19.00 kr
Sunset/Summit/Ambersett/19:45/20:41/Cloud, Upper Ambersett/Billy/Vreni Zopf//Saturday, Sunday/no/19.00 kr
Santa Special/Dunlow/Orrery/15:00/16:30/Bracken, Nettle Green/Duchess/Fergus Boyle/Mina Petrov/Saturday/yes/22.00 kr
Rusty Bucket/Wick/Ambersett/16:18/17:26/Cold Harbour, Żabno, Nordby/Ox/Greta Dahl//Tuesday, Thursday/no/4.60 kr
The Owl/Airport/Karsholm Central/00:15/00:39/Karsholm West/Swift//Mina Petrov/Friday, Saturday/no/4.00 kr
School Train/Żabno/Wick/07:21/08:04/Cold Harbour, Wick St. Mary/Grasshopper/Greta Dahl/Nora Steel/Monday, Tuesday, Friday/no/1.50 kr
Isarn Flyer/Port Isarn/Karsholm Central/06:40/07:52/Ambersett, Karsholm East/North Star/Lars Underwood/Otis Fairley/Monday, Wednesday/yes/16.20 kr
Lovers' Train/Port Isarn/Summit/14:00/17:05/Ferring, Ambersett/Wild Rose/Fergus Boyle/Heidi Zopf/Sunday/yes/31.00 kr
"""
# Person / job / joined on / lives in / speaks / trained by / born in.
PEOPLE = """
Henrike Vosse/station master/1999-04-12/Karsholm Central/English, German/Old Tom Pym; Jon Ashdale/station master/2006-09-01/Gasworks/English/Henrike Vosse/Dunlow
Joan Ashdale/station master/2008-02-18/Ferring/French/Henrike Vosse/Dunlow; Mabel Tarn/station master/1991-06-03/Bracken Mill/English//Bracken
Piers Lockwood/station master/2014-11-24/Wick/English, Welsh/Mabel Tarn; Ludmila Kočí/station master/2003-03-31/Ambersett/English, Czech, German
Emil Sørby/station master/1996-01-15/Salt Quay/Danish/Old Tom Pym/Nordby; Agathe Lenoir/station master/2010-05-10/Lac Noir/French//Église-sous-Bois
Sven Mölnby/station master/2001-10-22/Mölnby/Swedish, German/Emil Sørby; Bruno Halt/station master/2016-04-04/Cloud/German, Italian/Ludmila Kočí/Königstal
Wanda Frost/station master/2012-07-16/Zoo/English, Polish, Spanish/Jon Ashdale/Żabno; Kinga Wrona/station master/2021-09-27/Nordby/Polish/Wanda Frost/Żabno
Rolf Adler/station master/1988-12-05/Königstal/German/Old Tom Pym/Frontier; Odette Marchand/station master/2005-06-20/D'Arbeau/French, German/Rolf Adler
Ike Mundy/driver/1994-02-28/Dunlow/English/Old Tom Pym/Halt 9; Greta Dahl/driver/2011-03-14/Wick St. Mary/Danish/Ike Mundy/Nordby; Pat Coyle/driver/2007-10-08/Ferring Cross/Irish/Ike Mundy
Signe Bø/driver/2018-01-22/Whitepan/Danish/Pat Coyle/Whitepan; Rolf Adler Jr./driver/2015-09-14/Mölnby/German, French/Pat Coyle/Königstal
Vreni Zopf/driver/2002-05-06/Upper Ambersett/German/Bruno Halt/Ambersett; Fergus Boyle/driver/1998-08-17//English, Irish; Lars Underwood/driver/2013-04-29/University/Swedish/Greta Dahl
Nora Steel/guard/2017-06-12/Karsholm East/English, Spanish/Sami Okoro; Sami Okoro/guard/2009-11-02/Market/English, Yoruba, French
Otis Fairley/guard/2020-02-10/Port Isarn/English/Nora Steel/Port Isarn; Heidi Zopf/guard//Upper Ambersett/German, Italian//Ambersett
May Lockwood/signaller/2004-01-05/Cold Harbour/Welsh/Piers Lockwood/Wick; Red Ned/signaller/1986-05-19/Three Elms/English//Vane; Cyril Bracken/signaller/2016-07-25/Bracken Road/English/Red Ned/Bracken
Will Dunlow/signaller/2023-03-06/Nettle Green/English, German/May Lockwood; Ruben Katz/foreman/1990-03-26/Salt Quay/Hebrew; Zoë Marchetti/foreman/2011-12-05/Karsholm West/Italian, English/Ruben Katz
Moritz Engel/foreman/2008-06-30/Ambersett/German/Vreni Zopf/Summit; Tess Hollin/foreman//Dunlow//Astrid Holm
"""
# Name / kind / line / length / opened / crosses / built of.
STRUCTURES = """
Long Dark/tunnel/Main Line/2.4 km/1862//; Short Dark/tunnel/Main Line/310 m/1862//; Wolf's Throat/tunnel/Königstal Line/3.8 km/1906//; Spiral Tunnel/tunnel/The Snail/940 m/1898//
Bat Cave/tunnel/Ghost Line/120 m/1902//; Parliament Tunnel/tunnel/Line 14/1.7 km/1968//; Kate's Hole/tunnel/Northern Loop/620 m/1893//; Pardoe Viaduct/viaduct/Main Line/415 m/1861/Amber/brick
Seventeen Arches/viaduct/Northern Loop/288 m/1892/Wick Water/stone; Stoll Viaduct/viaduct/Königstal Line/530 m/1905/König/concrete; Salt Viaduct/viaduct/Salt Line/1.1 km/1880/Isarn Marsh/brick
Amber Bridge/bridge/Main Line/74 m/1860/Amber/iron; Goat Gorge Bridge/bridge/The Snail/38 m/1897/Amber/iron, stone; Swing Bridge/bridge/Salt Line/52 m/1881/Port Canal/steel
Cat's Cradle/bridge/Bracken Valley Line/66 m/1886/Bracken Beck/timber; Bridge 12/bridge/Lake Line/29 m/1874/Ferr/stone; Old Border Bridge/bridge/Königstal Line/97 m/1909/König/steel, stone
Ferr Footbridge/bridge//12 m/1990/Ferr/steel, timber
"""
SHEDS = "Dunlow Shed/Dunlow/9/Tess Hollin; Isarn Roundhouse/Port Isarn/16/Ruben Katz; Old Shed/Old Salt/2/; Mölnby Depot/Mölnby/7/Astrid Holm; West Depot/Karsholm West/12/Zoë Marchetti; Ambersett Shed/Ambersett/3/Moritz Engel"
WORKS = "Hollin Works/Dunlow/1866; Brandt & Daughters/Königstal/1882; Isarn Foundry/Port Isarn/1869; Torvald AB/Nordby/1921; Lindqvist/Mölnby/; Cloud Works/Ambersett/1895"
OPERATORS = "Fells & Coast Railway/Karsholm Central/1857/Beatrix Hall-Norton; Salt Line Trust/Mölnby/1977/Emil Sørby; Cloud Mountain Company/Ambersett/1896/Clemens Zopf; City of Karsholm//1929/Ingrid Pardoe"
ARCHITECTS = "Augustin Pardoe/1818/1891; Clara Wexelblatt/1831/1917; F. X. Stoll/1846/1913; Ingmar Lund/1899/1981; Theodora Quill/1870/"
DISTRICTS = (" Karsholm", " Dales", " Fells", " Coast", " Lakes", " Border")
Facts = dict[str, dict[str, list[str]]]


def table(text: str, *relations: str) -> Facts:
    """What each subject says of itself: cells part at slashes, values at commas."""
    facts: Facts = {}
    for row in text.strip().replace("\n", "; ").split("; "):
        subject, *cells = row.split("/")
        said = zip(relations, (cell.split(", ") for cell in cells), strict=False)
        facts[subject] = {relation: values for relation, values in said if values != [""]}
    return facts


def stations() -> Facts:
    """Every station with its lines, how high and how large it is, and what is told of it."""
    facts: Facts = {}
    for block in STATIONS.strip().replace("\n  ", "; ").splitlines():
        line, stops = block.split(": ", 1)
        for stop in stops.split("; "):
            name, *told = stop.rsplit(" ", 3) if stop.endswith(DISTRICTS) else (stop,)
            if told:
                height, platforms, district = told
                facts[name] = {"district": [district], "on line": []}
                facts[name] |= {} if height == "-" else {"altitude": [f"{height} m"]}
                facts[name] |= {} if platforms == "-" else {"platforms": [platforms]}
            facts[name]["on line"].append(line)
    relations = ("opened", "station_master", "step-free", "designed by")
    for name, told in table(ABOUT, *relations, "passengers_per_day", "facilities").items():
        facts[name] |= told
    return facts


def drawn(low: float, high: float, random: Random) -> float:
    """A size between two, small ones as often as large ones."""
    return low * (high / low) ** random.random()


def engine(kind: str, ranges: list[str], random: Random) -> dict[str, list[str]]:
    """An engine; some of its facts nobody wrote down."""
    works, years, tonnes, kilowatts, speeds, sheds = ranges
    weight, power, speed = (
        drawn(*map(float, bounds.split("-")), random) for bounds in (tonnes, kilowatts, speeds)
    )
    first, last = (int(year) for year in years.split("-"))
    # Each with how often it is kept.
    facts = {
        "type": ([kind], 1.0),
        "built_by": ([random.choice(works.split(", "))], 0.86),
        "year built": ([str(random.randint(first, last))], 0.84),
        "weight": ([f"{weight:.1f} t"], 0.7),
        "power": ([f"{power:.2g} kW" if power < 100 else f"{round(power, -1):.0f} kW"], 0.45),
        "top_speed": ([f"{speed:.0f} km/h"], 0.66),
        "shed": ([random.choice(sheds.split(", "))], 0.9),
        "in service": (["yes" if random.random() < 0.75 else "no"], 0.85),
    }
    return {name: said for name, (said, often) in facts.items() if random.random() < often}


def engines(random: Random) -> Facts:
    """All engines, type after type."""
    relations = ("named_after", "nickname", "built_by", "year built", "weight", "in service")
    facts, told = {}, table(TOLD, *relations)
    for block in ENGINES.strip().replace("\n  ", " ").splitlines():
        head, names = block.rsplit("/ ", 1)
        kind, *ranges = head.split("/")
        for name in names.split("; "):
            facts[name] = engine(kind, ranges, random) | told.get(name, {})
    return facts


def trains() -> Facts:
    """All trains, with how long they take."""
    relations = ("origin", "destination", "departs", "arrives", "calls_at", "pulled by", "driver")
    facts = table(TRAINS, *relations, "guard", "runs on", "dining car", "fare")
    for told in facts.values():
        left, arrived = (
            60 * int(time[:2]) + int(time[3:]) for time in (told["departs"][0], told["arrives"][0])
        )
        told["journey time"] = [f"{(arrived - left) % 1440} min"]
    return facts


def main() -> None:
    """Write the facts, a row each, under a row that names the columns."""
    lined = ("length", "gauge", "colour", "starts_at", "ends_at", "opened", "electrified")
    staffed = ("job", "joined_on", "lives_in", "speaks", "trained_by", "born_in")
    parts = (
        table(LINES, *lined, "operator", "steepest gradient"),
        stations(),
        engines(Random(5)),
        trains(),
        table(PEOPLE, *staffed),
        table(STRUCTURES, "kind", "line", "length", "opened", "crosses", "built of"),
        table(SHEDS, "stands at", "tracks", "foreman"),
        table(WORKS, "based in", "founded"),
        table(OPERATORS, "head office", "founded", "director"),
        table(ARCHITECTS, "born", "died"),
    )
    with Path(__file__).with_name("railway.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("subject", "relation", "object"))
        for part in parts:
            for subject, facts in part.items():
                for relation, values in facts.items():
                    writer.writerows((subject, relation, value) for value in values)


if __name__ == "__main__":
    main()
