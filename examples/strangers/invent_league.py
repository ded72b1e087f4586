"""Write league.csv: an invented football league, with its clubs, players, matches and towns.

Grounds, coaches, referees, trophies and mascots too. A row a fact: subject, relation, object. All
invented; a fixed seed. Hard on purpose: names that are words, namesakes, parts of names shared,
accents, relation names as people leave them, units, gaps.

    python examples/strangers/invent_league.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

# Club / town / founded / home ground / colours / nickname / head coach / chairman / mascot / sponsor / rivals
CLUBS = """
Brume Wanderers/Brume/1894/The Meadow/blue, white/The Herons/Lena Okafor/Hugh Pellow/Harry Heron/Sunrise Bakery/Athletic Brume
Athletic Brume/Brume/1911/Gasworks Lane/red/The Stokers/Dieter Maas/Ottavia Renn//Tidewater Insurance/Brume Wanderers
Harrowgate United/Harrowgate/1888/Old Brewery Ground/green, gold/The Brewers/Milan Kovář/Sir Percy Dunne/Barley the Bear/Old Brewery/Harrowgate Rovers, Candlewick Town
Harrowgate Rovers/Harrowgate/1902/Paradise/black, white/The Magpies/Tamsin Bright/Noor Hadley/Maggie/Halls Hardware/Harrowgate United
Morning Star/Port Sorrel/1907/Harbour View/yellow/The Lanterns/Rui Falcão//Twinkle/Lighthouse Ferries/Dockers
Dockers/Port Sorrel/1919/Pier Nine/navy, orange/The Anchors/Walt Grady/Marguerite Sands/Captain Crab/Lighthouse Ferries/Morning Star
Vörde 04/Vörde/1904/Birkenstadion/black, yellow/Die Birken/Anke Löwe/Jürgen Stahl/Berti/Löwe Brewery/Bergheim
Bergheim/Bergheim/1923/Alpenblick/red, white/The Goats/Silvio Conti/Ursula Kern/Billy/Alpine Dairy/Vörde 04
Sporting Łęka/Łęka/1921/Mill Field/purple/The Millers/Ewa Zielińska/Tadeusz Bór//Flour & Sons/Real Ostra
Real Ostra/Ostra/1931/Estadio Ñandú/white/The Ostriches/Íñigo Vela/Carmen del Río/Pluma/Sol Ceramics/Sporting Łęka, São Telmo
São Telmo/São Telmo/1915/Campo Velho/green, white/The Sailors/João Prado/Beatriz Lobo/Old Salt/Tidewater Insurance/Real Ostra
Candlewick Town/Candlewick/1898/The Wick/gold/The Waxmen/Bob Carter/Ida Stone/Flicker/Candlewick Soap/Harrowgate United
Dragonfly/Marsh End/1977/Reed Park/turquoise, green/The Dragons/Priya Nair/Felix Moor/Zip/Marsh End Garden Centre/
Ironbridge Albion/Ironbridge/1879/Foundry Road/maroon, grey/The Hammers of Hell/Robert Carter/Gwen Steel/Rusty/Steel's Scrapyard/Coldwater City
Coldwater City/Coldwater/1926/The Icebox/light blue/The Penguins/Freya Holm/Lars Dahl/Pingo/Holm Outdoor/Ironbridge Albion
Saint Alban's/Alban/1968/The Cloister/white, purple/The Monks/Father Bruno/Sister Agatha/Brother Ball//
"""
# Club / place / points / goals for / goals against / members / budget / titles / last title
TABLE = """
Brume Wanderers/1/67/61/24/8400/4.2 million EUR/9/2022
Coldwater City/2/64/55/21/6100/5.6 million EUR/3/2021
Harrowgate United/3/58/52/30/9900/3.9 million EUR/14/2018
Real Ostra/4/55/49/33/7200/4.8 million EUR/6/2023
Vörde 04/5/54/47/31/5300/3.1 million EUR/4/2015
Dockers/6/49/44/38/4100/2.2 million EUR/2/1998
São Telmo/7/46/50/47/3800/2.5 million EUR/5/2009
Athletic Brume/8/44/39/40/3300/1.9 million EUR/1/1954
Ironbridge Albion/9/41/36/39/4700/2.4 million EUR/11/1987
Harrowgate Rovers/10/38/41/48/2900/1.6 million EUR/2/1971
Bergheim/11/37/33/42/2100/1.4 million EUR/0/
Morning Star/12/35/38/51/1900/1.2 million EUR/1/1963
Sporting Łęka/13/33/30/46/2600/1.3 million EUR/0/
Dragonfly/14/29/35/58/1500/0.9 million EUR/0/
Candlewick Town/15/24/27/57/2300//3/1936
Saint Alban's/16/19/22/53/600/0.4 million EUR/0/
"""
# Ground / capacity / built / surface / roofed / floodlights / ticket price / food / architect
GROUNDS = """
The Meadow/18200/1896/grass/no/yes/18.00 EUR/pies, tea, chips/Enid Marlowe
Gasworks Lane/9400/1912/grass/no/yes/14.00 EUR/hot dogs, beer/
Old Brewery Ground/21500/1890/grass/no/yes/19.50 EUR/beer, pies, pretzels/Enid Marlowe
Paradise/8800/1925/artificial turf/no/yes/12.00 EUR/chips/
Harbour View/6200/1908//no/no/11.00 EUR/fish and chips, tea/
Pier Nine/7500/1951/artificial turf/no/yes/13.50 EUR/fish and chips, beer/Otto Brandl
Birkenstadion/14600/1974/grass/yes/yes/16.00 EUR/pretzels, beer, sausages/Otto Brandl
Alpenblick/5100/1928/grass/no/no/10.00 EUR/cheese rolls/
Mill Field/6900/1949/grass/no/yes/9.50 EUR/dumplings, tea/Zofia Klimek
Estadio Ñandú/16800/1982/hybrid grass/yes/yes/17.00 EUR/churros, coffee, olives/Rafael Montes
Campo Velho/11200/1917/grass/no/yes/12.50 EUR/sardines, beer/
The Wick/8100/1899/grass/no/no/8.00 EUR/pies/
Reed Park/4300/1979/grass//yes/9.00 EUR//
Foundry Road/13900/1881/grass/no/yes/13.00 EUR/pies, beer/Enid Marlowe
The Icebox/15500/2011/heated grass/yes/yes/21.00 EUR/soup, coffee, hot dogs/Signe Lund
The Cloister/1900//grass/no/no/5.00 EUR/honey cake/
"""
# Club: player / position / born in / nickname
PLAYERS = """
Brume Wanderers: Sam Frost/striker/Coldwater/Icicle; Nadia Bloom/midfielder/Brume/; Kwame Adjei/defender/Port Sorrel/The Wall; Zoë Marsh/goalkeeper/Marsh End/; Will Post/winger/Brume/Letterbox
Athletic Brume: Jonas Frost/midfielder/Coldwater/; Rosa Lind/goalkeeper/Harrowgate/; Mark Corner/winger/Brume/
Harrowgate United: Bettina Grau/striker/Vörde/; Tom Archer/midfielder/Harrowgate/Robin Hood; Dele Akande/defender/Ironbridge/; Hope Summers/goalkeeper/Candlewick/; Luc Bérard/winger//
Harrowgate Rovers: Tom Archer Jr./defender/Harrowgate/; Sunny Day/winger/Ostra/; Piet Haas/goalkeeper/Bergheim/; Mina Rask/striker/Coldwater/
Morning Star: Cleo Vance/midfielder/Port Sorrel/; Rafael Pinto/striker/São Telmo/Pintinho; Ned Ball/goalkeeper/Port Sorrel/Butterfingers
Dockers: Bruno Keel/defender/Port Sorrel/The Anchor; Stella Wharf/striker/Port Sorrel/; Ömer Aslan/midfielder/Vörde/; Grace Tully/goalkeeper/Alban/
Vörde 04: Jörg Müller/striker/Vörde/Der Bomber; Jorge Muller/winger/Ostra/; Katja Stern/midfielder/Bergheim/; Hans Ofen/goalkeeper/Vörde/
Bergheim: Sepp Rainer/defender/Bergheim/; Marta Gipfel/midfielder/Bergheim/Mountain Goat; Noah Winter/striker/Coldwater/; Élodie Caron/goalkeeper//
Sporting Łęka: Kuba Młynarz/midfielder/Łęka/; Olga Wrona/striker/Łęka/Crow; Piotr Sowa/goalkeeper/Łęka/Owl; Danny Field/defender/Harrowgate/
Real Ostra: Lola Cruz/striker/Ostra/La Pluma; Íker Sáez/midfielder/Ostra/; Ángel Peña/goalkeeper/São Telmo/; Victor Bloom/defender/Brume/
São Telmo: Inês Prado/midfielder/São Telmo/; Tiago Lobo/winger/São Telmo/; Gil Mar/goalkeeper/Ostra/; Rita Faria/striker/São Telmo/Foguete
Candlewick Town: May Waxman/striker/Candlewick/; Jack Light/goalkeeper/Candlewick/; Abel Stone/midfielder/Ironbridge/
Dragonfly: Lily Pond/midfielder/Marsh End/; Reed Waters/winger/Marsh End/; Asha Nair/striker/Brume/; Dov Stein/goalkeeper/Vörde/
Ironbridge Albion: Rex Cannon/striker/Ironbridge/Boom Boom; Maud Anvil/defender/Ironbridge/; Finn Barrow/midfielder/Marsh End/; Olive Hand/goalkeeper/Harrowgate/
Coldwater City: Astrid Snø/striker/Coldwater/Snowplough; Nils Dahl/midfielder/Coldwater/; Beau Chance/winger/Ironbridge/; Ingrid Fjeld/goalkeeper/Coldwater/
Saint Alban's: Peter Bell/defender/Alban/; Paul Bell/midfielder/Alban/; Clare Novice/striker/Alban/; Simon Pew/goalkeeper/Candlewick/
"""
CAPTAINS = "Brume Wanderers/Nadia Bloom; Athletic Brume/Rosa Lind; Harrowgate United/Dele Akande; Harrowgate Rovers/Tom Archer Jr.; Dockers/Bruno Keel; Vörde 04/Katja Stern; Bergheim/Sepp Rainer; Sporting Łęka/Piotr Sowa; Real Ostra/Íker Sáez; São Telmo/Inês Prado; Candlewick Town/Jack Light; Dragonfly/Reed Waters; Ironbridge Albion/Maud Anvil; Coldwater City/Nils Dahl; Saint Alban's/Peter Bell"
# Coach / born / birthplace / in charge since / speaks / assistant / used to coach
COACHES = """
Lena Okafor/1979-05-14/Brume/2019-07-01/English, Igbo/Gary Stubbs/Dragonfly; Dieter Maas/1964-11-02/Vörde/2022-01-10/German, English/Uwe Blank/Vörde 04, Bergheim
Milan Kovář/1971-03-30//2020-06-15/Czech, English/Petra Lane/Sporting Łęka; Tamsin Bright/1985-08-08/Harrowgate/2023-10-05/English/Joe Salt/
Rui Falcão/1969-12-24/São Telmo/2018-02-20/Portuguese, Spanish/Dulce Reis/São Telmo; Walt Grady/1958-04-17/Port Sorrel/2009-07-01/English//
Anke Löwe/1976-09-09/Vörde/2021-05-25/German, French, English/Timo Falk/Bergheim; Silvio Conti/1967-06-06//2024-01-03/Italian, German/Ella Senn/Real Ostra, Athletic Brume
Ewa Zielińska/1982-01-19/Łęka/2022-07-01/Polish//; Íñigo Vela/1973-10-11/Ostra/2017-08-01/Spanish, Basque/Paz Gil/Morning Star
João Prado/1960-07-21/São Telmo/2015-03-09/Portuguese/Dulce Reis/Real Ostra; Bob Carter/1955-02-28/Candlewick/2024-02-12/English/May Waxman/Harrowgate Rovers, Dockers, Ironbridge Albion
Priya Nair/1988-04-04/Marsh End/2021-11-15/English, Malayalam/Kit Rush/; Robert Carter/1981-05-05/Ironbridge/2023-07-01/English, Welsh/Al Forge/Candlewick Town
Freya Holm/1977-12-12/Coldwater/2016-07-01/Norwegian, English, German/Siv Berg/; Father Bruno/1949-10-04/Alban/1994-08-15/Latin, Italian, English//
"""
# Referee / born / lives in / day job / matches / red cards / nickname
REFEREES = """
Norma Rule/1974-03-03/Harrowgate/judge/312/41/; Colin Whistle/1981-09-17/Brume/dentist/187/12/Old Softy; Agnes Fair/1986-01-30/Candlewick/teacher/96/9/
Horst Pfeiffer/1969-06-21/Vörde/postman/344/77/The Butcher; Magda Ostrowska/1983-12-01/Łęka/nurse/141//; Salvador Justo/1978-07-14/Ostra/baker/203/38/
Ben Eyre/1992-10-10/Ironbridge/teacher/41/6/; Ruth Card/1972-02-02//librarian/268/59/Red Ruth; Kjell Strand/1980-04-25/Coldwater/fisherman/175/20/; Joy Penny/1995-05-19/Port Sorrel/student/12/0/
"""
# Match / played on / played at / home team / away team / score / winner / attendance / referee / man of the match / weather
MATCHES = """
Fog Match/1987-11-14/Foundry Road/Ironbridge Albion/Coldwater City/0-0//7300/Horst Pfeiffer//fog
Cup Final 2019/2019-05-25/Old Brewery Ground/Harrowgate United/Real Ostra/1-2/Real Ostra/21300/Norma Rule/Lola Cruz/sun
Cup Final 2021/2021-05-29/The Icebox/Coldwater City/Vörde 04/3-1/Coldwater City/4000/Horst Pfeiffer/Astrid Snø/snow
Cup Final 2022/2022-05-28/The Meadow/Brume Wanderers/Dockers/4-3/Brume Wanderers/18200/Ruth Card/Sam Frost/rain
Cup Final 2023/2023-05-27/Estadio Ñandú/São Telmo/Dragonfly/2-3/Dragonfly/16100/Salvador Justo/Lily Pond/sun
Battle of Brume/2018-03-04/Gasworks Lane/Athletic Brume/Brume Wanderers/2-2//9400/Colin Whistle/Mark Corner/rain
Snow Derby/2020-02-15/Alpenblick/Bergheim/Vörde 04/1-0/Bergheim/4900/Agnes Fair/Marta Gipfel/snow
Harbour Derby/2023-09-09/Pier Nine/Dockers/Morning Star/5-0/Dockers/7500/Joy Penny/Stella Wharf/wind
Night of the Owls/2021-10-22/Mill Field/Sporting Łęka/Brume Wanderers/1-0/Sporting Łęka/6900/Magda Ostrowska/Piotr Sowa/
Miracle of Reed Park/2022-04-30/Reed Park/Dragonfly/Harrowgate United/6-5/Dragonfly/4300/Kjell Strand/Asha Nair/rain
Candle Match/1999-12-23/The Wick/Candlewick Town/Harrowgate United/0-7/Harrowgate United//Norma Rule//dark
Opening Night/2011-08-12/The Icebox/Coldwater City/Ironbridge Albion/2-1/Coldwater City/15500/Kjell Strand//
Monks' Revenge/2024-01-20/The Cloister/Saint Alban's/Candlewick Town/3-0/Saint Alban's/1850/Ben Eyre/Clare Novice/frost
"""
# Trophy / awarded for / held by / first awarded / made of / weight / kept at
TROPHIES = """
Silver Jug/league champions/Brume Wanderers/1889/silver/6.4 kg/The Meadow; Iron Cup/cup winners/Dragonfly/1903/iron, oak/11.2 kg/Reed Park; Golden Boot/top scorer/Astrid Snø/1955/brass/1.3 kg/
Clean Glove/best goalkeeper/Zoë Marsh/1988/leather, silver/0.7 kg/; Wooden Spoon/last place/Saint Alban's/1948/beech/0.2 kg/The Cloister; Golden Whistle/best referee/Norma Rule/2004/gold/85 g/; Fair Play Plate/fewest cards//1979/pewter/2.1 kg/
Harbour Anchor/Harbour Derby winners/Dockers/1926/iron/48 kg/Pier Nine
"""
# Mascot / animal / worn by / height
MASCOTS = "Harry Heron/heron/Oliver Pike/2.3 m; Barley the Bear/bear/Jan Hopper/2.1 m; Maggie/magpie//1.7 m; Twinkle/star/Cleo Vance's brother/; Captain Crab/crab/Dot Sands/1.5 m; Berti/birch tree/Kai Stahl/2.6 m; Billy/goat//; Pluma/ostrich/Teo Cruz/2.4 m; Old Salt/sailor/Zé Lobo/1.9 m; Flicker/candle/Amy Stone/2.0 m; Zip/dragonfly//1.6 m; Rusty/hammer/Ted Steel/1.8 m; Pingo/penguin/Mo Berg/1.4 m; Brother Ball/monk/Brother Anselm/1.8 m"
# Town / population / river / county
TOWNS = "Brume/148000/Brue/Northshire; Harrowgate/96000/Harrow/Northshire; Port Sorrel/71000//Seaward; Vörde/83000/Aach/Upper March; Bergheim/12400/Aach/Upper March; Łęka/38500/Wierna/Eastmark; Ostra/112000/Tajo Chico/Southlands; São Telmo/44000//Southlands; Candlewick/9800/Harrow/Northshire; Marsh End/5200/Brue/Seaward; Ironbridge/54000/Severa/Westvale; Coldwater/67000/Severa/Westvale; Alban//Harrow/"

CLUB_REL = (
    "town",
    "Founded",
    "home ground",
    "club_colours",
    "Nickname",
    "head coach",
    "Chairman",
    "mascot",
    "main_sponsor",
    "rival of",
)
TABLE_REL = (
    "league position",
    "points",
    "Goals For",
    "Goals Against",
    "members",
    "annual budget",
    "league_titles",
    "last title",
)
GROUND_REL = (
    "Capacity",
    "built_in",
    "surface",
    "has a roof",
    "floodlights",
    "TICKET PRICE",
    "food stalls",
    "architect",
)
COACH_REL = ("date of birth", "born_in", "in charge since", "speaks", "Assistant", "used to coach")
REF_REL = (
    "date of birth",
    "lives in",
    "day_job",
    "matches refereed",
    "red_cards_shown",
    "Nickname",
)
MATCH_REL = (
    "Played On",
    "played at",
    "home_team",
    "away_team",
    "final score",
    "winner",
    "attendance",
    "Referee",
    "man of the match",
    "weather",
)
TROPHY_REL = ("awarded for", "currently held by", "first_awarded", "made of", "weight", "kept at")
TOWN_REL = ("population", "River", "county")


def table(text, relations):
    """What each subject says of itself: cells part at slashes, values at commas."""
    facts = {}
    for row in text.strip().replace("\n", "; ").split("; "):
        subject, *cells = row.split("/")
        assert len(cells) == len(relations), row
        facts[subject] = {r: c.split(", ") for r, c in zip(relations, cells, strict=True) if c}
    return facts


def players(random):
    """Every player with what is known of them."""
    facts = {}
    clubs = [line.split(": ")[0] for line in PLAYERS.strip().splitlines()]
    goals = {
        "striker": (4, 24),
        "winger": (2, 13),
        "midfielder": (0, 10),
        "defender": (0, 4),
        "goalkeeper": (0, 0),
    }
    for line in PLAYERS.strip().splitlines():
        club, rest = line.split(": ", 1)
        numbers = random.sample(range(2, 40), 8)
        for told in rest.split("; "):
            name, position, born_in, nickname = told.split("/")
            low, high = goals[position]
            born = date(1986, 1, 1) + timedelta(random.randrange(7300))
            tall = round(random.gauss(1.90 if position == "goalkeeper" else 1.79, 0.07), 2)
            others = [c for c in clubs if c != club]
            every = {
                "plays for": ([club], 1),
                "Position": ([position], 1),
                "shirt number": (["1" if position == "goalkeeper" else str(numbers.pop())], 0.85),
                "date of birth": ([born.isoformat()], 0.75),
                "born_in": ([born_in], 1 if born_in else 0),
                "Nickname": ([nickname], 1 if nickname else 0),
                "height": ([f"{tall:.2f} m"], 0.6),
                "goals this season": ([str(random.randint(low, high))], 0.93 if high else 0.2),
                "Previous Clubs": (random.sample(others, random.choice([1, 1, 2, 3])), 0.4),
                "injured": (["yes" if random.random() < 0.2 else "no"], 0.6),
            }
            facts[name] = {r: v for r, (v, often) in every.items() if random.random() < often}
    facts["Astrid Snø"]["goals this season"] = ["27"]
    facts["Sam Frost"]["goals this season"] = ["22"]
    return facts


def main() -> None:
    """Write the facts, a row each, under a row that names the columns."""
    clubs = table(CLUBS, CLUB_REL)
    for club, told in table(TABLE, TABLE_REL).items():
        clubs[club] |= told
    for club, told in table(CAPTAINS, ("captain",)).items():
        clubs[club] |= told
    parts = (
        clubs,
        table(GROUNDS, GROUND_REL),
        players(Random(23)),
        table(COACHES, COACH_REL),
        table(REFEREES, REF_REL),
        table(MATCHES, MATCH_REL),
        table(TROPHIES, TROPHY_REL),
        table(MASCOTS, ("what animal", "worn by", "height")),
        table(TOWNS, TOWN_REL),
    )
    with Path(__file__).with_name("league.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("subject", "relation", "object"))
        for part in parts:
            for subject, facts in part.items():
                for relation, values in facts.items():
                    writer.writerows((subject, relation, value) for value in values)


if __name__ == "__main__":
    main()
