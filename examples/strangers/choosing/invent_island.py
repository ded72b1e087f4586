"""Write island.csv: an invented small island nation, with its islands, villages, ferries and people.

Schools, festivals and companies too. A row a fact: subject, relation, object. All invented; a fixed
seed. Hard on purpose: names that are words, namesakes, parts of names shared, accents, relation
names as people leave them, units, gaps; nothing says of which kind a subject is.

    python3 invent_island.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from pathlib import Path
from random import Random

# Island / population / area / highest point / doctor / nickname
ISLANDS = """
Korvane/8420/212 km²/914 m/yes/The Mainland; Great Sull/3150/96 km²/402 m/yes/
Little Sull/240/7.5 km²/61 m/no/The Crumb; Elbow/1180/38 km²/233 m/yes/
Öllen/690/22 km²/310 m/yes/The Green Isle; Saint Brisa/2075/54 km²/487 m/yes/The Windy One
Perrú/960/31 km²/655 m/yes/Smoky; Lantern/85/2.4 km²/48 m/no/
Nób/0/1.1 km²/19 m/no/Bird Island; Vashti/540/17.8 km²/126 m/yes/
Orm/1320/44 km²//yes/The Worm; Monday/310/9.6 km²/88 m/no/
"""
# Village / lies on / population / mayor / founded / doctor / nickname
VILLAGES = """
Port Aldis/Korvane/2940/Osric Vane/1612/yes/The Anchor; Quay End/Korvane/640/Ida Fallow/1702/no/
Saltery/Korvane/815/Benno Halloran/1688/yes/Salt Town; Upper Marl/Korvane/430/Greta Loom/1655/no/
Lower Marl/Korvane/1260/Greta Loom/1649/yes/Butter Bottom; Kestrel Cove/Korvane/190//1840/no/
Nine Wells/Korvane/1075/Tobias Rook/1590/yes/The Thirsty Village; Sullhaven/Great Sull/1530/Agatha Spindle/1634/yes/
Haste/Great Sull/320/Mirabel Stone/1811/no/Sleepyhead; Grønvik/Great Sull/705/Leif Aster/1577/yes/
Whitsand/Great Sull/410//1903/no/Kite Corner; Pebble/Little Sull/240/Wanda Crisp/1866/no/
Wrist/Elbow/520/Dorrit Vane/1729/yes/; Old Harbour/Elbow/385/Abe Lantry/1641/no/
Tórva/Elbow/225/Abe Lantry/1798/no/The Nest; Öllenby/Öllen/505/Petr Ollen/1602/yes/
Mör/Öllen/150///no/; Brisa Town/Saint Brisa/1210/Consuelo Arrás/1620/yes/
Calm/Saint Brisa/290/Hugo Calm/1777/no/Stormy; Santa Lluna/Saint Brisa/475/Inés Torral/1749/no/
Cinder/Perrú/560/Bruna Smoke/1855/yes/Ash Town; Perrú Bay/Perrú/370/Bruna Smoke/1693//
Wick/Lantern/85/Tam Tully/1822/no/; Vash/Vashti/365/Rana Deel/1671/yes/
New Harbour/Vashti/160//1958/no/; Ormshead/Orm/720/Ylva Strand/1583/yes/
Ormstail/Orm/355/Jory Penhale/1619/no/; Supper/Orm/205/Ylva Strand//no/The Kitchen
Early/Monday/275/Hanne Drift/1880/no/
"""
# Ferry / commanded by / operated by / calls at / built in / duration / ticket price / passengers / cars / nickname / doctor
FERRIES = """
Patience/Ilmar Quist/Halloran Lines/Port Aldis, Sullhaven, Whitsand, Grønvik/1987/90 minutes/8.50 crowns/220/yes/Slowcoach/no
Tuesday/Tove Marrin/Sull Sea Transport/Sullhaven, Pebble/2003/25 minutes/3.00 crowns/60/no//no
Queen Ottoline/Agatha Spindle/Blue Ribbon Ferries/Port Aldis, Brisa Town, Cinder/2016/210 minutes/24.00 crowns/540/yes/The Big Lady/yes
Sea Otter/Emeka Lark/Halloran Lines/Quay End, Wrist, Old Harbour, Tórva/1999/55 minutes/6.50 crowns/140/yes//no
Grey Gull/Silas Noon/Blue Ribbon Ferries/Brisa Town, Calm, Santa Lluna/1978/70 minutes/5.00 crowns/95/no/Granny/no
White Gull/Marisol Ferrand/Blue Ribbon Ferries/Port Aldis, Vash, New Harbour/2009/120 minutes/13.00 crowns/310/yes//yes
Sólveig/Rúna Sævik/Sull Sea Transport/Grønvik, Öllenby, Mör/2012/80 minutes/9.00 crowns/180/yes/Sunny/no
Hurry/Kit Wherry/Halloran Lines/Saltery, Haste/2021/18 minutes/11.50 crowns/75/no//no
Marl Star/Dorrit Vane/Marl Dairy/Lower Marl, Kestrel Cove, Quay End/1969/40 minutes//40/no/The Milk Boat/no
Old Tub/Benno Halloran/Halloran Lines/Saltery, Wick/1951/150 minutes/2.50 crowns/28/no//no
Elbow Grease/Jory Penhale/Sull Sea Transport/Wrist, Ormshead, Ormstail, Supper/1994/100 minutes/7.00 crowns/125/yes//no
Second Wind/Yusuf Brandt/Blue Ribbon Ferries/Brisa Town, Perrú Bay/2018/45 minutes/10.00 crowns/160/yes//no
Kestrel//Halloran Lines/Port Aldis, Early/2023/65 minutes/12.00 crowns/200/yes//yes
"""
# Captain / born on / born in / lives in / speaks / nickname / at sea since / school / married to
CAPTAINS = """
Tove Marrin/1971-04-12/Pebble/Sullhaven/Sullish, English/The Duchess/1993-05-01/Academy of the Sea/Leif Aster; Ilmar Quist/1963-11-30/Port Aldis/Lower Marl/Korvan, German/Old Iron/1981-09-15/Academy of the Sea/
Benno Halloran/1949-02-08/Saltery/Saltery/Korvan/Barnacle/1965-06-20//Greta Loom; Rúna Sævik/1980-07-19/Grønvik/Öllenby/Sullish, Icelandic, English//2004-03-11/Sullhaven Primary/Eskil Vane
Agatha Spindle/1968-12-05/Sullhaven/Sullhaven/Sullish, English, Korvan/The Needle/1990-04-02/Academy of the Sea/; Jory Penhale/1958-08-23/Ormstail/Ormstail/Korvan, English/Porridge/1976-07-07/Orm Academy/Gwen Pike
Silas Noon/1974-01-17/Calm/Brisa Town/Brisan, Spanish/Twelve/1997-10-30/Convent of Saint Brisa/; Dorrit Vane/1985-05-26/Lower Marl/Wrist/Korvan, English//2008-02-14/Aldis Grammar/Abe Lantry
Emeka Lark/1979-09-03//Quay End/English, Korvan, Igbo/Early Bird/2001-08-19/Academy of the Sea/Bibi Tansy; Yusuf Brandt/1983-03-28/Perrú Bay/Cinder/Brisan, English//2010-05-05/Aldis Grammar/Marisol Ferrand
Marisol Ferrand/1982-10-14/Santa Lluna/Cinder/Brisan, Spanish, English/Windfall/2006-09-09/Academy of the Sea/Yusuf Brandt; Petr Ollen/1955-06-02/Öllenby/Öllenby/Sullish, German//1973-04-21//
Kit Wherry/1994-02-27/Haste/Saltery/English, Sullish/Turbo/2017-06-01/Sullhaven Primary/; Hanne Drift/1961-05-09/Early/Early/Korvan, German/The Broom/1984-11-12/Little Bells/
Hugo Calm/1976-12-21/Port Aldis/Calm/Brisan, French//1999-01-25//Célia Brandt
"""
# Musician / born on / born in / lives in / speaks / nickname / instrument / school / married to
MUSICIANS = """
Ilo Marrin/1998-03-06/Sullhaven/Port Aldis/Sullish, English//accordion, voice/Sullhaven Primary/; Moth/1990-08-15/Early/Quay End/Korvan, English//synthesizer/Little Bells/
Lucía Ferrand/1987-01-11/Santa Lluna/Brisa Town/Brisan, Spanish/La Chispa/guitar, voice/Convent of Saint Brisa/Dov Harker; Bibi Tansy/1981-06-29/Nine Wells/Quay End/Korvan, English/Buttercup/ukulele/Nine Wells School/Emeka Lark
Old Crow/1944-10-31/Haste/Haste/Sullish//fiddle, mouth harp//; Pearl Noon/1969-07-04/Calm/Santa Lluna/Brisan, English//harp/Convent of Saint Brisa/
Jonah Reel/1992-04-18/Wrist/Old Harbour/Korvan, English/Spool/drums/Elbow Free School/; Anders Quist/1995-09-25/Lower Marl/Port Aldis/Korvan, German//trumpet/Aldis Grammar/Winter Hale
Zsófi Bereck/1984-12-12//Nine Wells/English, Hungarian, Korvan/Goulash/cello, piano/Aldis Grammar/; Winter Hale/1993-01-02/Nine Wells/Port Aldis/Korvan, English//piano, voice/Nine Wells School/Anders Quist
Tam Tully/1957-05-13/Wick/Wick/Korvan/The Lamp/bagpipes/Lighthouse School/; Sunday Okoro/1989-02-19/Vash/Vash/English, Igbo/Weekend/saxophone/Aldis Grammar/
Eskil Vane/1978-11-08/Grønvik/Öllenby/Sullish, English//fiddle/Sullhaven Primary/Rúna Sævik; Mirabel Stone/1966-03-20/Haste/Haste/Sullish, German//organ, voice/Sullhaven Primary/
Dov Harker/1985-08-07/Ormshead/Brisa Town/English, Brisan/Thunder/drums, bass/Orm Academy/Lucía Ferrand; Célia Brandt/1977-04-30/Perrú Bay/Calm/Brisan, French//clarinet/Convent of Saint Brisa/Hugo Calm
Fiddler Finn/1972-09-17/Supper//English/The Bow/fiddle, guitar/Orm Academy/; Gwen Pike/1960-12-24/Ormshead/Ormstail/Korvan, English//accordion//Jory Penhale
Oskar Loom/1991-06-14/Lower Marl/Lower Marl/Korvan, English/Woolly/banjo, voice/Aldis Grammar/; Saffi Deel/2001-10-09/Vash/New Harbour/English, Arabic/Spark/guitar, voice/Orm Academy/
Mister Midnight/1988-02-29/Ormshead/Supper/English, German/Middy/theremin, piano/Orm Academy/
"""
# Others: born on / born in / lives in / speaks / nickname / school / married to
OTHERS = """
Leif Aster/1969-09-30/Sullhaven/Sullhaven/Sullish, English, German/Starry/Sullhaven Primary/Tove Marrin; Greta Loom/1951-07-17/Upper Marl/Saltery/Korvan, English/Mother Marl/Aldis Grammar/Benno Halloran
Abe Lantry/1984-03-05/Tórva/Wrist/Korvan, English//Elbow Free School/Dorrit Vane; Bruna Smoke/1975-11-19/Cinder/Perrú Bay/Brisan, English/Chimney/Convent of Saint Brisa/Inés Torral
"""
# School / based in / head teacher / pupils / founded / sponsors / nickname / doctor
SCHOOLS = """
Aldis Grammar/Port Aldis/Zsófi Bereck/412/1784/Halloran Lines, Northern Light Brewery/The Grinder/yes
Nine Wells School/Nine Wells/Tobias Rook/138/1902///no
Convent of Saint Brisa/Brisa Town/Sister Perpetua/205/1731/Perrú Coffee/The Nunnery/yes
Sullhaven Primary/Sullhaven/Mirabel Stone/176/1888/Sull Sea Transport//no
Lighthouse School/Wick/Tam Tully/6/1826//The Tower/no
Orm Academy/Ormshead/Nils Ockley/154/1919/Honest Rope//yes
Elbow Free School/Wrist/Abe Lantry/97/1974///no
Academy of the Sea/Port Aldis/Ilmar Quist/88/1856/Halloran Lines, Quist Boatyard, Blue Ribbon Ferries/The Fishbowl/yes
Little Bells/Early//31/1937///no
"""
# Company / based in / managing director / employees / makes / yearly turnover / founded / nickname
COMPANIES = """
Halloran Lines/Saltery/Benno Halloran/146//12.4 million crowns/1908/
Blue Ribbon Ferries/Brisa Town/Consuelo Arrás/210//18.9 million crowns/1962/The Ribbon
Sull Sea Transport/Sullhaven/Leif Aster/64//4.7 million crowns/1985/
Honest Rope/Ormshead/Ylva Strand/38/rope, nets, hammocks/2.1 million crowns/1847/
Marl Dairy/Lower Marl/Greta Loom/52/butter, cheese, yoghurt/3.6 million crowns/1926/The Cow
Smoke & Sons/Cinder/Bruna Smoke/27/smoked herring, smoked eel/1.8 million crowns/1871/
Perrú Coffee/Perrú Bay/Inés Torral/71/coffee, chocolate/6.3 million crowns/1934/
Penny Bakery/Port Aldis/Penny Wharton/19/bread, honey cake, biscuits, pies/0.9 million crowns/1998/
Quist Boatyard/Quay End/Anders Quist/23/rowing boats, sails/1.4 million crowns/1891/
Öllen Wool/Öllenby/Petr Ollen/45/jumpers, blankets, hats/2.8 million crowns/1953/
Northern Light Brewery/Nine Wells/Ida Fallow/58/beer, cider, lemonade/5.2 million crowns/1979/The Tap
Tin Whistle Works/Wrist/Jonah Reel/8/tin whistles, drums/0.3 million crowns/2011/
Saltery Salt/Saltery/Osric Vane/34/salt, soap//1760/
Bright Candle Company/Wick//5/candles, soap//2006/
"""
# Festival / held in / opening day / duration / headliners / sponsors / ticket price / founded / doctor / nickname
FESTIVALS = """
Herring Week/Cinder/2024-06-10/7 days/Lucía Ferrand, Dov Harker/Smoke & Sons/15.00 crowns/1952/yes/
Long Night/Port Aldis/2024-12-21/1 day/Moth, Winter Hale, Ilo Marrin/Northern Light Brewery/28.00 crowns/1996/yes/No Sleep
Festival of Lanterns/Wick/2024-11-02/2 days/Tam Tully/Bright Candle Company/4.00 crowns/1830/no/
Wool Fair/Öllenby/2024-05-18/3 days/Eskil Vane, Oskar Loom/Öllen Wool//1611/no/The Old Fair
Fiddle Moot/Haste/2024-08-23/3 days/Old Crow, Eskil Vane, Fiddler Finn//9.00 crowns/1964/no/
Fête du Sel/Saltery/2024-09-07/2 days/Célia Brandt/Saltery Salt, Halloran Lines/6.00 crowns/1921/yes/
Silent Weekend/Calm/2024-02-16/2 days//Blue Ribbon Ferries/20.00 crowns/2014/no/The Hush
First Boat/Quay End/2024-03-30/1 day/Jonah Reel, Bibi Tansy/Quist Boatyard, Halloran Lines/5.50 crowns/1893/no/
Coffee Carnival/Perrú Bay/2024-07-12/4 days/Sunday Okoro, Pearl Noon, Lucía Ferrand/Perrú Coffee/18.00 crowns/1978/yes/
Big Noise/Brisa Town/2024-08-02/3 days/Dov Harker, Sunday Okoro, Moth, Mister Midnight/Blue Ribbon Ferries, Northern Light Brewery/45.00 crowns/2005/yes/The Racket
Kite Day/Whitsand/2024-04-27/1 day/Bibi Tansy, Saffi Deel/Penny Bakery//1987/no/
"""
PERSON = "date_of_birth|born in|lives_in|speaks|Nickname"
KINDS = (
    (ISLANDS, "Population|area|Highest Point|has a doctor|Nickname"),
    (VILLAGES, "Lies On|Population|mayor|founded|has a doctor|Nickname"),
    (
        FERRIES,
        "commanded by|operated_by|Calls At|Built In|duration|TICKET PRICE|max_passengers|takes cars|Nickname|has a doctor",
    ),
    (CAPTAINS, PERSON + "|at_sea_since|Went To School At|married_to"),
    (MUSICIANS, PERSON + "|instrument|Went To School At|married_to"),
    (OTHERS, PERSON + "|Went To School At|married_to"),
    (SCHOOLS, "based in|Head Teacher|pupils|founded|sponsored by|Nickname|has a doctor"),
    (COMPANIES, "based in|Managing Director|employees|makes|yearly turnover|founded|Nickname"),
    (
        FESTIVALS,
        "held_in|Opening Day|duration|headliners|sponsored by|TICKET PRICE|founded|has a doctor|Nickname",
    ),
)


def main() -> None:
    """Write the facts, subjects of all kinds mixed, under a row that names the columns."""
    rows = [
        (line, names.split("|"))
        for text, names in KINDS
        for line in text.strip().replace("\n", "; ").split("; ")
    ]
    Random(31).shuffle(rows)
    with Path(__file__).with_name("island.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("subject", "relation", "object"))
        for line, names in rows:
            subject, *cells = line.split("/")
            assert len(cells) == len(names), line
            for name, cell in zip(names, cells, strict=True):
                writer.writerows((subject, name, value) for value in cell.split(", ") if value)


if __name__ == "__main__":
    main()
