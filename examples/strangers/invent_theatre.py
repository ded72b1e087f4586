"""Write theatre.csv: an invented travelling theatre company, with its plays, people and venues.

Towns, props, festivals, prizes and vans too. A row a fact: subject, relation, object. All invented;
a fixed seed. Hard on purpose: titles that are words or days, namesakes, parts of names shared,
accents, relation names as people leave them, units, gaps.

    python examples/strangers/invent_theatre.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

# Play / written by / directed by / lead actor / supporting cast / genre / premiered on / premiered at / running time / budget / based on / prizes / language / tickets sold / set designer
PLAYS = """
Monday/Ida Blom/Hector Lund/Rose Winter/Jon Ash, Mae Day/comedy/2014-03-03/Corn Exchange/95 min/18500 EUR//Audience Heart/English/8210/Gil Paint
Monday Again/Ida Blom/Inga Lund/Rose Winter/Jon Ash, Will Stage/comedy/2017-09-11/Corn Exchange/100 min/26000 EUR/Monday//English/6120/Gil Paint
Thursday/Cornelius Pike/Paul Wednesday/Art Major/Grace Note, Kit Marlow/tragedy/2011-10-20/Royal/2.5 h/41000 EUR//Golden Curtain, Laurel Wreath/English/11900/Ottoline Frame
Home/Łucja Wolska/Elif Şahin/Ágnes Fekete/Zoltán Fekete, Ivo Čapek/drama/2019-01-18/The Other Room/80 min/9500 EUR//Whisper Prize/Polish, English/2430/Jens Kulisse
The Long Way Home/E. M. Farrow/Dame Hilda Crow/Miles Long/Rosa Winter, Faith Monday, Peter Quick/drama/2006-04-28/Station Hall/3 h/38500 EUR/a diary//English/7050/Ottoline Frame
Nothing/Sven Åkerblad/Otto Kranz/Björn Ekdal//absurd play/2021-11-05/Barn/45 min/1200 EUR//Critics' Lemon/Swedish/310/
Rain/Beatrix Mole/Marguerite Vane/Léa Fontaine/Léon Fontaine, Summer Hale/musical/2016-06-10/Winter Garden/2 h/64000 EUR//Silver Curtain, Audience Heart/English, French/14300/Ottoline Frame
Yes/Max Farrow/Renée Olivier/Petra Quick/Peter Quick/comedy/2018-02-14/The Old Laundry/70 min/7800 EUR///English/3890/Gil Paint
Who/Anonymous/Paul Wednesday/Kit Marlowe/Bea Curtain, Ignatius Bell/thriller/2012-10-31/Globe Minor/105 min/15500 EUR/an old ballad//English/5100/Jens Kulisse
Mother/Thérèse Noir/Renée Olivier/Noémie Sauvage/Dora Spark/tragedy/2009-05-10/Théâtre du Phare/110 min/22000 EUR//Prix Lumière/French/4720/Ottoline Frame
Mother of Pearl/Thérèse Noir/Marguerite Vane/Chiara Bellini/Noémie Sauvage, Victor Rey/opera/2020-02-29/Teatro Ámbar/3.5 h/118000 EUR//Prix Lumière, Golden Curtain/French, Italian/9640/Ottoline Frame
Bluebeard (1998)/Cornelius Pike/Dame Hilda Crow/Ignatius Bell/Olga Rey/thriller/1998-11-13/Royal/2 h/19000 EUR/a fairy tale//English/6600/
Bluebeard (2016)/Łucja Wolska/Elif Şahin/Hana Dvořáková/Yusuf Demir, Ulf Bergström/musical/2016-01-22/Kulturhaus Ödwang/130 min/52000 EUR/a fairy tale/Silver Curtain/German/8800/Jens Kulisse
Señora Nadie/Ramón Íñiguez/Marguerite Vane/Nuria Peñalver/José Peña, Victor Rey/drama/2013-09-07/Teatro Ámbar/90 min/27500 EUR/a novel/Laurel Wreath/Spanish/5480/Gil Paint
Don Ramón/Ramón Íñiguez/Tobias Ash/Victor Rey/José Peña/farce/2015-07-19/Circus Ground/85 min/14000 EUR///Spanish/6010/Gil Paint
Hamster/Max Farrow/Hector Lund/Will Stage/Penny Candle, Tom Thumb/farce/2022-04-01/Barn/65 min/4300 EUR/an old tragedy/Critics' Lemon/English/1980/
Éclipse/Thérèse Noir/Renée Olivier/Léon Fontaine/Léa Fontaine/dance piece/1999-08-11/Théâtre du Phare/1 h/16500 EUR///French/3300/Jens Kulisse
Ågot's Window/Sven Åkerblad/Inga Lund/Søren Kjær/Mira Ash/drama/2010-12-03/Town Hall Ljunga/100 min/13000 EUR/a short story//Swedish, Danish/1760/Jens Kulisse
Old Quay/E. M. Farrow/Dame Hilda Crow/Ignatius Bell/Old Tom Thumb, Dora Spark/drama/1994-06-24/Station Hall/140 min/11500 EUR/a novel/Laurel Wreath/English/9200/
The Ghost of Old Quay/Beatrix Mole/Paul Wednesday/Mira Ash/August Hale, Tom Thumb/thriller/2023-10-27/Station Hall/115 min/36000 EUR/Old Quay/Audience Heart/English/10450/Ottoline Frame
March/Cornelius Pike/Hector Lund/August Hale/Rosa Winter/tragedy/2004-03-15/Globe Minor/2.5 h/20500 EUR//Golden Curtain/English/5900/
May/Ida Blom/Inga Lund/Mae Day/Summer Hale/musical/2024-05-01/Winter Garden/105 min/71000 EUR/a fairy tale//English/12100/Gil Paint
Salt/Anonymous/Tobias Ash/Yusuf Demir/Chiara Bellini/dance piece/2008-09-19/The Old Laundry/50 min/6200 EUR//Whisper Prize/Turkish/1450/
The Salt Merchant/Max Farrow/Tobias Ash/Jon Ash/Yusuf Demir, Bea Curtain/musical/2019-07-06/Circus Ground/2 h/58000 EUR/Salt//English, Turkish/7700/Ottoline Frame
The Director/Beatrix Mole/Otto Kranz/Ulf Bergström/Ludmila Štern/farce/2007-02-02/Kulturhaus Ödwang/75 min/8900 EUR///German/2890/Jens Kulisse
Intermission/Sven Åkerblad/Otto Kranz/Ludmila Štern//absurd play/2003-10-10/The Other Room/20 min/800 EUR///German/640/
Three Cousins/Łucja Wolska/Elif Şahin/Hana Dvořáková/Ágnes Fekete, Ludmila Štern, Olga Rey/drama/2012-03-23/Chapel of Ease/2.5 h/17500 EUR/a play//Polish/2310/Jens Kulisse
Sleep/Pauline Wednesday/Marguerite Vane/Grace Note/Miles Long/dance piece/2022-12-21/Chapel of Ease/8 h/33000 EUR//Whisper Prize, Critics' Lemon/English/290/Jens Kulisse
Sweet Dreams/Pauline Wednesday/Paul Wednesday/Faith Monday/Kit Marlow, Dora Spark/comedy/2005-11-25/Royal/90 min/12500 EUR/Sleep Well//English/7480/Gil Paint
Sleep Well/Max Farrow/Hector Lund/Bea Curtain/Art Major/comedy/2001-01-12/Corn Exchange/85 min/9900 EUR///English/6340/
Želno by Night/Łucja Wolska/Elif Şahin/Ivo Čapek/Zoltán Fekete/musical/2018-08-17/Circus Ground/2.5 h/47500 EUR/a film/Audience Heart/Czech/5230/Gil Paint
The Bear's Wedding/Anonymous/Dame Hilda Crow/Old Tom Thumb/Penny Candle/puppet play/1991-12-06/Barn/55 min/2600 EUR/a fairy tale//English/10800/
Late/Pauline Wednesday/Inga Lund/Kit Marlowe/Petra Quick, August Hale/thriller/2024-09-13//90 min//a newspaper story//English//
"""
# Actor / home town / taught by / nickname / instrument
ACTORS = """
Rose Winter/Market Fenwick/Dame Hilda Crow/The Thorn/piano
Rosa Winter/Port Amber/Madame Orsini//violin, piano
Jon Ash/Hollin/Ignatius Bell/Cinders/
Mira Ash/Hollin/Dame Hilda Crow, Ignatius Bell//flute
Mae Day/Wickerham/Rose Winter/Mayday/ukulele
Will Stage/Great Fenwick/Bruno Falk//drums
Art Major/Wickerham/Ignatius Bell/The General/trumpet
Grace Note/Sunday/Madame Orsini//harp
Petra Quick/Great Fenwick/Bea Curtain/Turbo/
Peter Quick/Great Fenwick/Bruno Falk//banjo
Zoltán Fekete/Želno/Hana Dvořáková//violin
Ágnes Fekete/Želno/Madame Orsini/The Owl/cello
Björn Ekdal/Ljunga/Otto Kranz/The Silent One/
Søren Kjær/Ljunga/Björn Ekdal//accordion
Nuria Peñalver/Villanueva del Mar/Olga Rey/La Chispa/guitar
José Peña/Villanueva del Mar/Victor Rey//guitar
Léa Fontaine/Saint-Phare/Noémie Sauvage/Minnow/flute, piano
Léon Fontaine/Saint-Phare/Noémie Sauvage//
Bea Curtain/Market Fenwick/Bruno Falk/Drapes/
Miles Long/Port Amber/Dame Hilda Crow/The Ladder/saxophone
Faith Monday/Crow's Rest/Art Major//organ
Tom Thumb/Wickerham/Old Tom Thumb/Sprat/tin whistle
Old Tom Thumb/Wickerham//Grandad/concertina
Hana Dvořáková/Želno/Ludmila Štern//
Ludmila Štern/Ödwang//The Iron Lady/zither
Kit Marlow/Port Amber/Ignatius Bell/Foxy/
Kit Marlowe/Hollin/Madame Orsini//bassoon
Dora Spark/Sunday/Bea Curtain/Matches/
Ignatius Bell//Leopold Grau/Ding-Dong/bagpipes
Summer Hale/Crow's Rest/Rose Winter//harp, ukulele
August Hale/Crow's Rest/Art Major/Harvest/
Noémie Sauvage/Saint-Phare/Madame Orsini//piano
Ulf Bergström/Ödwang/Ludmila Štern/The Moose/tuba
Chiara Bellini/Port Amber/Madame Orsini/The Nightingale/
Ivo Čapek/Želno/Bruno Falk//double bass
Yusuf Demir/Port Amber/Elif Şahin//oud
Penny Candle/Market Fenwick/Old Tom Thumb/Wick/
Victor Rey/Villanueva del Mar/Leopold Grau/El Rey/castanets
Olga Rey/Villanueva del Mar/Leopold Grau//piano
"""
TONGUES = "Rose Winter/English, French; Rosa Winter/English, Italian, Spanish; Jon Ash/English; Mira Ash/English, Swedish; Art Major/English, German; Grace Note/English, Welsh; Petra Quick/English, Dutch; Zoltán Fekete/Hungarian, Czech, English; Ágnes Fekete/Hungarian, Polish; Björn Ekdal/Swedish; Søren Kjær/Danish, Swedish, German; Nuria Peñalver/Spanish, Catalan; José Peña/Spanish; Léa Fontaine/French, English; Léon Fontaine/French, Breton; Miles Long/English; Hana Dvořáková/Czech, German, Polish; Ludmila Štern/German, Czech, Russian; Kit Marlow/English, Latin; Kit Marlowe/English, Irish; Ignatius Bell/English, Latin; Noémie Sauvage/French, Italian; Ulf Bergström/German, Swedish; Chiara Bellini/Italian, French, English; Ivo Čapek/Czech; Yusuf Demir/Turkish, English; Victor Rey/Spanish, French, Portuguese; Olga Rey/Russian, Spanish; Penny Candle/English"
UNDERSTUDIES = "Rose Winter/Mae Day; Art Major/Will Stage; Léa Fontaine/Summer Hale; Nuria Peñalver/Rosa Winter; Victor Rey/José Peña; Ignatius Bell/August Hale; Hana Dvořáková/Olga Rey; Chiara Bellini/Grace Note; Miles Long/Peter Quick; Ulf Bergström/Søren Kjær; Noémie Sauvage/Léa Fontaine; Mira Ash/Penny Candle; Kit Marlowe/Kit Marlow"
# Director / born on / home town / taught by / speaks / joined in / bad habit
DIRECTORS = """
Hector Lund/1968-02-19/Ljunga/Dame Hilda Crow/English, Swedish/2000/whistling
Inga Lund/1975-08-30/Ljunga/Hector Lund/English, Swedish, Norwegian/2009/
Marguerite Vane/1962-12-12/Port Amber/Leopold Grau/English, French, Spanish, Italian/2007/shouting
Tobias Ash/1971-05-06/Hollin/Marguerite Vane/English, Turkish/2006/chewing pencils
Elif Şahin/1980-10-23/Ödwang/Otto Kranz/Turkish, German, Polish/2011/smoking
Paul Wednesday/1966-01-05/Sunday/Dame Hilda Crow/English/2004/arriving late
Renée Olivier//Saint-Phare/Leopold Grau/French/1999/
Otto Kranz/1953-07-17/Ödwang//German, English/2002/falling asleep
Dame Hilda Crow/1939-04-23/Crow's Rest//English, Latin/1989/swearing, smoking
"""
# Playwright / born on / home town / taught by / speaks / pen name / died in
WRITERS = """
Ida Blom/1977-11-28/Wickerham/Beatrix Mole/English, Norwegian//
Cornelius Pike/1951-06-09/Great Fenwick//English/The Fish/2015
Łucja Wolska/1979-03-02/Želno/Pauline Wednesday/Polish, Czech, English//
E. M. Farrow/1920-09-14/Market Fenwick//English/Ferry/1996
Max Farrow/1974-04-04/Market Fenwick/E. M. Farrow/English, Spanish//
Sven Åkerblad/1948-12-31/Ljunga//Swedish, German/Null/2022
Beatrix Mole/1959-07-07/Hollin/E. M. Farrow/English//
Thérèse Noir/1957-10-01/Saint-Phare//French/La Nuit/
Ramón Íñiguez//Villanueva del Mar/Thérèse Noir/Spanish/El Gato/
Pauline Wednesday/1970-02-11/Sunday/Cornelius Pike/English, Welsh//
"""
# Venue / seats / town / opened in / owner / stage width / ticket price / bar sells / haunted by / heated
VENUES = """
Corn Exchange/420/Market Fenwick/1861/Fenwick Town Council/9.5 m/16.00 EUR/ale, crisps/a miller/yes
Royal/780/Port Amber/1889/Amber Trust/14 m/28.00 EUR/champagne, wine, olives/the Grey Lady/yes
The Other Room/60/Wickerham/2008/Nell Garrett/4.5 m/9.00 EUR/tea//no
Station Hall/350/Great Fenwick/1923/Northern Railways/11 m/14.50 EUR/tea, buns, ale/a stationmaster/no
Barn/120/Hollin/1978/Farmer Giles/6 m/7.00 EUR/cider, crisps//no
Winter Garden/610/Port Amber/1904/Amber Trust/13 m/24.00 EUR/wine, ice cream/the Grey Lady/yes
The Old Laundry/95/Wickerham/1996/Nell Garrett/5 m/10.00 EUR///yes
Globe Minor/240/Crow's Rest/1934/Dame Hilda Crow/8 m/12.50 EUR/ale, pies/Dick the Prompter/
Théâtre du Phare/300/Saint-Phare/1911/Saint-Phare Lighthouse Society/8.5 m/15.00 EUR/wine, oysters/a drowned sailor/no
Teatro Ámbar/540/Villanueva del Mar/1926/Familia Rey/12 m/19.00 EUR/coffee, olives, wine//yes
Kulturhaus Ödwang/460/Ödwang/1982/Ödwang Savings Bank/12.5 m/17.50 EUR/beer, pretzels//yes
Circus Ground/1100/Želno//Želno Fire Brigade/18 m/11.00 EUR/beer, popcorn/an elephant/no
Town Hall Ljunga/200/Ljunga/1899//7 m/13.00 EUR/coffee, buns//yes
Chapel of Ease/150/Sunday/1790/Diocese of Hollin//8.00 EUR//a bishop/no
"""
# Town / population / river / region / twinned with / mayor
TOWNS = """
Market Fenwick/14200/Fen/Fenland//Abel Groat
Great Fenwick/9100/Fen/Fenland/Ödwang/Mona Tull
Port Amber/187000//Amber Coast/Villanueva del Mar, Saint-Phare/Sir Toby Wren
Wickerham/31500/Wick/Midmarch//Ida Stubbs
Hollin/2300/Wick/Midmarch//
Sunday/640//Midmarch//Mother Clement
Crow's Rest/4800/Black Water/Highmoor/Želno/Angus Crow
Ljunga/22700/Ljungan/Norrland//Karin Sjö
Ödwang/56000/Öd/Upper Vale/Great Fenwick/Heinz Nagel
Saint-Phare/17900//Amber Coast/Port Amber/Yvonne Guérin
Villanueva del Mar/43300/Río Claro/Costa Baja/Port Amber/
Želno/88000/Zela/Upper Vale/Crow's Rest/Jan Hrubý
"""
# Prop / used in / made of / weight / made by / kept in / insured for
PROPS = """
Yorick/Hamster, Thursday/plaster/1.1 kg/Gil Paint/Big Bertha/40 EUR
Green Umbrella/Rain/silk, bamboo/650 g/Wanda Pins/Snail/85 EUR
Black Umbrella/Rain, Late/cotton, steel/800 g//Snail/
Big Moon/Éclipse, Sleep/plywood, silver leaf/34 kg/Jens Kulisse/The Ark/900 EUR
Little Moon/Éclipse/tin/2.4 kg/Jens Kulisse/The Ark/120 EUR
Wooden Sword/March, Don Ramón/beech/900 g/Gil Paint/Big Bertha/25 EUR
Silver Sword/Thursday/steel, silver/1.8 kg/Smith & Sons/Big Bertha/2400 EUR
Aunt Sofa/Monday, Monday Again, Yes/oak, velvet/62 kg//The Ark/300 EUR
Stuffed Bear/The Bear's Wedding/fur, straw/28 kg/Old Tom Thumb/The Ark/650 EUR
Rubber Chicken/Hamster, The Director, Don Ramón/rubber/350 g///5 EUR
Telephone/Monday, Who, Late/bakelite/2.1 kg//Big Bertha/60 EUR
Thunder Sheet/Rain, The Ghost of Old Quay/copper/17 kg/Smith & Sons/The Ark/480 EUR
Cardboard Horse/Don Ramón/cardboard/4.2 kg/Gil Paint/Daisy/15 EUR
Bride's Veil/The Bear's Wedding, Bluebeard (2016)/lace/120 g/Wanda Pins/Snail/210 EUR
Seven Keys/Bluebeard (1998), Bluebeard (2016)/iron/1.4 kg/Smith & Sons/Big Bertha/95 EUR
Pearl Necklace/Mother of Pearl/glass/180 g/Wanda Pins/Snail/1500 EUR
The Window/Ågot's Window/pine, glass/23 kg/Jens Kulisse//260 EUR
Empty Chair/Nothing, Home/ash/5.5 kg//Daisy/
"""
# Festival / held in / begins on / lasts / first held / patron / visitors / company last played there in
FESTIVALS = """
Festival of Fools/Hollin/2025-04-01/3 days/1983/Farmer Giles/2800/2022
Lamplight Week/Port Amber/2025-11-10/7 days/1947/Lady Wren/41000/2023
Ödwang Summer/Ödwang/2025-07-04/30 days/1974/Ödwang Savings Bank/66000/2016
Festival of Ghosts/Great Fenwick/2025-10-31/2 days/2001/Mona Tull/5200/2023
Sea Stage/Saint-Phare, Port Amber/2025-08-15/10 days/1988//19500/2020
Nights of May/Villanueva del Mar/2025-05-09/5 days/1931/Familia Rey/12400/
Silent Weekend/Sunday/2025-12-20/2 days/2014/Mother Clement//2022
"""
# Prize / given for / sponsor / prize money / first given in / given at / latest winner
PRIZES = """
Golden Curtain/best production/Amber Trust/20000 EUR/1952/Lamplight Week/Chiara Bellini
Silver Curtain/best musical/Amber Trust/10000 EUR/1971/Lamplight Week/Hana Dvořáková
Laurel Wreath/best new play/Fenwick Town Council/5000 EUR/1964//Ramón Íñiguez
Whisper Prize/quietest play/Mother Clement/750 EUR/2014/Silent Weekend/Grace Note
Critics' Lemon/worst play/The Amber Post/1 EUR/1990/Festival of Fools/Will Stage
Audience Heart/favourite of the public/Ödwang Savings Bank/3000 EUR/1986/Ödwang Summer/Mira Ash
Prix Lumière/best play in French/Saint-Phare Lighthouse Society/8000 EUR/1949/Sea Stage/Chiara Bellini
Broken Leg/best stage accident/Dr. Splint/100 EUR/2010/Festival of Fools/Peter Quick
"""
# Vehicle / kind of vehicle / driver / bought in / seats / top speed / number plate
VEHICLES = """
Gudrun/tour bus/Fergus Boyle/2003/48/95 km/h/PA 417
Big Bertha/lorry/Dot Wheeler/1997/3/80 km/h/PA 88
Snail/van/Penny Candle/2012/2/110 km/h/WK 1206
Daisy/horse cart/Old Tom Thumb/1989/4/12 km/h/
The Ark/lorry/Fergus Boyle/2015/3/90 km/h/PA 902
"""

PLAY_REL = (
    "written_by",
    "Directed By",
    "lead_actor",
    "supporting cast",
    "genre",
    "premiered on",
    "premiered_at",
    "running time",
    "BUDGET",
    "based on",
    "Prizes Won",
    "performed_in",
    "tickets sold",
    "set designer",
)
ACTOR_REL = ("Home Town", "taught by", "Nickname", "plays_instrument")
DIRECTOR_REL = ("born_on", "Home Town", "taught by", "speaks", "joined_in", "bad habit")
WRITER_REL = ("born_on", "Home Town", "taught by", "speaks", "Pen Name", "died_in")
VENUE_REL = (
    "Seats",
    "town",
    "opened_in",
    "Owner",
    "stage width",
    "TICKET PRICE",
    "bar sells",
    "haunted by",
    "heated",
)
TOWN_REL = ("Population", "river", "region", "twinned_with", "Mayor")
PROP_REL = ("used in", "made_of", "Weight", "made by", "kept_in", "insured for")
FESTIVAL_REL = (
    "held in",
    "begins_on",
    "lasts",
    "First Held",
    "patron",
    "visitors",
    "company last there",
)
PRIZE_REL = ("given for", "Sponsor", "prize_money", "first given in", "given_at", "latest winner")
VEHICLE_REL = (
    "kind of vehicle",
    "Driver",
    "bought_in",
    "Seats",
    "top speed",
    "number_plate",
)


def table(text, relations):
    """What each subject says of itself: cells part at slashes, values at commas."""
    facts = {}
    for row in text.strip().replace("\n", "; ").split("; "):
        subject, *cells = row.replace("km/h", "km per h").split("/")
        cells = [cell.replace("km per h", "km/h") for cell in cells]
        assert len(cells) == len(relations), row
        facts[subject] = {r: c.split(", ") for r, c in zip(relations, cells, strict=True) if c}
    return facts


def actors(random):
    """Every actor with what is known of them."""
    facts = table(ACTORS, ACTOR_REL)
    spoken = table(TONGUES, ("speaks",))
    covers = table(UNDERSTUDIES, ("understudy",))
    old = {"Ignatius Bell", "Old Tom Thumb", "Ludmila Štern", "Olga Rey"}
    for name, told in facts.items():
        born = date(1938 if name in old else 1964, 1, 1) + timedelta(
            random.randrange(4700 if name in old else 7700)
        )
        joined = random.randint(1990, 1996) if name in old else max(1999, born.year + 20)
        every = {
            "born_on": ([born.isoformat()], 0.85),
            "joined_in": ([str(joined + random.randrange(4))], 0.75),
            "height": ([f"{random.gauss(1.73, 0.09):.2f} m"], 0.55),
            "fee per show": ([f"{random.randrange(12, 68) * 5} EUR"], 0.6),
            "vegetarian": (["yes" if random.random() < 0.35 else "no"], 0.35),
        }
        told |= {r: v for r, (v, often) in every.items() if random.random() < often}
        told |= spoken.get(name, {}) | covers.get(name, {})
    facts["Miles Long"]["height"] = ["2.03 m"]
    facts["Tom Thumb"]["height"] = ["1.49 m"]
    return facts


def main() -> None:
    """Write the facts, a row each, under a row that names the columns."""
    parts = (
        table(PLAYS, PLAY_REL),
        actors(Random(41)),
        table(DIRECTORS, DIRECTOR_REL),
        table(WRITERS, WRITER_REL),
        table(VENUES, VENUE_REL),
        table(TOWNS, TOWN_REL),
        table(PROPS, PROP_REL),
        table(FESTIVALS, FESTIVAL_REL),
        table(PRIZES, PRIZE_REL),
        table(VEHICLES, VEHICLE_REL),
    )
    with Path(__file__).with_name("theatre.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("subject", "relation", "object"))
        for part in parts:
            for subject, facts in part.items():
                for relation, values in facts.items():
                    writer.writerows((subject, relation, value) for value in values)


if __name__ == "__main__":
    main()
