"""Write universities.csv: the universities and colleges of an invented continent, a row an institution.

All invented; a fixed seed. Hard on purpose: names that are words, virtues and weekdays, namesakes
in two cities, names that share a part with a city, a founder or each other, accents, areas partly
in hectares and partly in square metres, several values in a cell, mothers, partners and the rectors'
own schools that are rows themselves, people who found one school and head another, and empty cells.
    python3 invent_universities.py
"""

# ruff: noqa: E501
import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = [
    "institution",
    "Kind",
    "city",
    "Country",
    "founded_by",
    "opened_on",
    "rector",
    "rector since",
    "Rector Studied At",
    "students_enrolled",
    "tuition fee",
    "mother institution",
    "Partnered With",
    "Motto",
    "mascot",
    "Faculties",
    "teaches in",
    "campus_area",
    "shortest_degree",
    "Has Dormitories",
]
GAPS = {
    "founded_by": 0.06,
    "students_enrolled": 0.05,
    "tuition fee": 0.1,
    "mascot": 0.22,
    "campus_area": 0.12,
    "shortest_degree": 0.08,
    "Has Dormitories": 0.06,
    "opened_on": 0.04,
}
# Country: languages: cities
LANDS = """
Velmora: Velmoric, Old Tarnish: Tarnwick, Lower Tarn, Bellhaven, Saint Orrin, Fennimore
Østrana: Østran, Velmoric: Skarvik, Grønhavn, Nordmyr, Ålsund
Calvanda: Calvandese, Lusandian: Puerto Sereno, Villalonja, Cañaveda
Lusandé: Lusandian, Velmoric: Brévanne, Valmorin, Pont-Éloi
Krasnova: Krasnovan, Mirrish: Hradov, Młynek, Želín
Mirrowmark: Mirrish, Velmoric: Königswehr, Altbrück, Mirrow
"""
# Kind: students/fee in crowns/campus in m²/months to the first degree/faculties
KINDS = """
university: 4000-42000/300-3600/120000-1900000/30,36,36,48/law, medicine, theology, philosophy, history, mathematics, natural sciences, economics, languages, education
technical university: 2500-26000/400-3200/90000-900000/36,36,42/engineering, mathematics, architecture, computing, chemistry, physics
college: 180-3800/250-5200/6000-260000/18,24,36/history, languages, philosophy, mathematics, natural sciences, economics, education
technical college: 400-5200/150-1900/9000-120000/12,18,24/engineering, computing, metalwork, carpentry, surveying
seminary: 30-420/100-900/2500-60000/36,48,60/theology, philosophy, church music
conservatory: 90-900/900-6800/3000-40000/24,36,48/music, dance, opera, instrument making
art school: 120-1500/800-6400/2500-38000/24,36,48/painting, sculpture, photography, textiles, architecture
medical school: 500-4600/1500-9200/15000-170000/60,66,72/medicine, dentistry, pharmacy, nursing
nursing college: 90-1100/100-1400/3000-32000/18,24,30/nursing, midwifery
maritime academy: 150-2600/500-3900/12000-210000/24,30,36/navigation, shipbuilding, fisheries, meteorology
military academy: 200-1900/100-800/150000-1600000/24,36,48/strategy, engineering, fortification, cavalry
agricultural college: 160-2800/200-1700/140000-2600000/12,24,30/forestry, viticulture, animal husbandry, soil science
business school: 250-4400/2800-12500/4000-70000/12,18,36/economics, accounting, marketing
law school: 200-2300/1800-8600/3000-52000/36,42,48/law, diplomacy
culinary school: 60-640/700-5400/1500-18000/6,9,12,18/cookery, baking, wine
teacher training college: 150-2100/100-1200/5000-80000/24,30,36/education, languages, music
veterinary school: 180-1600/1200-5800/30000-240000/54,60,66/veterinary medicine, animal husbandry
"""
# City: name/kind
NAMES = """
Tarnwick: University of Tarnwick/university; New University of Tarnwick/university; Tarnwick Technical College/technical college; Tarnwick Evening College/college; The Ladder/college; Saint Brannoc's College/seminary; The Anvil/technical college; Wednesday College/college; Gaunt Hall/college; Royal Tarn Conservatory/conservatory; Justice/law school; Fell College/college; Aldous Fell College/college
Lower Tarn: Lower Tarn College/college; Patience/nursing college; Tarn Valley Agricultural College/agricultural college; Sister Agnes College/nursing college; Windmill/technical college; The Nest/teacher training college
Bellhaven: University of Bellhaven/university; Bellhaven Maritime Academy/maritime academy; Bellhaven Free University/university; Hope/college; The Lighthouse/maritime academy; Merchant Hall/business school; Marlow Bell College/college; Anchor/maritime academy; Second Chance/college; Pepper/culinary school
Saint Orrin: Saint Orrin's University/university; Saint Orrin's Seminary/seminary; Saint Orrin's School of Medicine/medical school; Cloister/seminary; Harvest/agricultural college; Mercy/nursing college; Old Schoolhouse/teacher training college
Fennimore: Fennimore College/college; Fennimore University of Technology/technical university; Northlight/art school; Otter Creek College/college; Queen Isaura College/college; King Aldous College/college; Grace College/college; Grace Hollow College/agricultural college
Skarvik: Skarvik University/university; Academy of Fine Arts/art school; Polar Institute/technical university; Needle/art school; Winter/college
Grønhavn: Grønhavn University/university; Grønhavn Business School/business school; Søren Dahl Conservatory/conservatory; Compass/maritime academy
Nordmyr: Nordmyr Forestry College/agricultural college; North/university; Snow College/college; Iron Gate/military academy
Ålsund: Ålsund Maritime Academy/maritime academy; Ålsund College/college; Ødegård College/teacher training college; Kestrel/technical college
Puerto Sereno: Universidad de Puerto Sereno/university; Hope/medical school; Colegio Ñandú/college; Instituto Peregrino/technical university; Santa Inés/nursing college; Estrella del Mar/maritime academy
Villalonja: Universidad de Villalonja/university; Academia Dulce/culinary school; Conservatorio Luz/conservatory; Universidad Isaura/university; La Balanza/law school
Cañaveda: Cañaveda Agricultural College/agricultural college; Universidad del Sol/university; Colegio Marqués/college; La Merced/nursing college
Brévanne: Université de Brévanne/university; Université Libre de Brévanne/university; École Noémi/art school; École du Fleuve/technical university; Collège Saint-Éloi/college
Valmorin: Université de Valmorin/university; Academy of Fine Arts/art school; Institut Hélène Varga/medical school; Grand Séminaire/seminary; Vendange/agricultural college
Pont-Éloi: Collège de la Côte/college; Pont-Éloi Business School/business school; Petit Séminaire/seminary; Académie Zoé/culinary school
Hradov: Hradov University/university; Hradov Technical University/technical university; Saint Brannoc's College/teacher training college; Veselá Conservatory/conservatory; Zorka Institute/technical college
Młynek: Młynek University/university; Mining Academy/technical university; Święty Jan Seminary/seminary; Golden Carp/culinary school
Želín: Želín Medical School/medical school; Želín Polytechnic/technical university; Lantern/college; Thistle/veterinary school
Königswehr: Universität Königswehr/university; Königswehr Military Academy/military academy; Königliche Musikschule/conservatory; Evening Star/business school
Altbrück: Universität Altbrück/university; Altbrück Law School/law school; Brückenkolleg/college; Fürst Emmerich College/college
Mirrow: University of Mirrow/university; Mirrow Lake College/college; Mirrow Veterinary School/veterinary school; The Orchard/agricultural college; Two Rivers/college; Academy of Music/conservatory
"""
# From year-until year: those who founded schools then
FOUNDERS = """
1238-1310: Queen Isaura, Bishop Odo Fell, Abbot Tancred, King Aldous
1440-1520: Duchess Melusine, Cardinal Rinaldi, the Weavers' Guild, Fürst Emmerich
1600-1700: King Aldous II, Mother Perpetua, Jan Młynarz, the Merchants of Bellhaven
1740-1830: Countess Zorka, Aldous Fell, Admiral Stroud, Éloi Perrault
1840-1900: Marlow Bell, Søren Dahl, Sister Agnes, Charlotta Veselá, Ignacio Luz
1905-1950: Hélène Varga, Noémi Sauvage, the Railway Union, Dr. Hanno Reuter, Gudrun Ødegård
1978-2016: Ottoline Marsh, Benedikt Frost, Zoé Lacombe, Rosario Paz, Tom Gaunt, Kazimierz Wolny
"""
RECTORS = "Ada Whitlock, Alma Frost, Amadou Perrin, Anselm Quill, Astrid Lunde, Bartholomew Pike, Beatriz Olmo, Bogdan Świt, Camille Roche, Cecily Marsh, Christof Amsel, Clemency Hart, Dagny Holm, Dolores Vega, Dorothea Klee, Edmund Gaunt, Edwin Gaunt, Élise Fournel, Emeric Vogt, Esme Fairweather, Ferdinand Roth, Fiona Marsh, Florian Berg, Gaspard Lenoir, Gerda Nyström, Gregor Malý, Hedwig Sturm, Henrike Sommer, Honoré Blanc, Ilse Brandt, Ingrid Dahl, Íñigo Robledo, Iris Bell, Jadwiga Orzeł, Jarl Ness, Joaquín Peral, Josef Kolář, Julian Cross, Karin Dahl, Katarzyna Lis, Lázaro Montes, Leopold Winter, Lieselotte Amsel, Livia Stone, Ludmila Horáková, Magnus Ek, Manuel Ortega Luz, Marguerite Thibault, Mateo Rivas, Maud Archer, Max Young, Mireille Colin, Nadezhda Bílá, Nell Porter, Nils Ødegård, Octavia Reed, Odile Marchand, Oscar Pym, Paloma Ruiz, Pascal Dumas, Penelope Swift, Petra Zeman, Piotr Wilk, Quentin Ashe, Rafael Cordero, Reinhild Kaiser, Rufus Lamb, Ruth Abbot, Sabine Engel, Selma Strand, Sigrid Moe, Silvestre Nieto, Solveig Aas, Stanisław Rój, Sybil Crane, Thaddeus Moor, Theodora Finch, Tomáš Říha, Ulrike Fuchs, Ursula Penn, Valentin Hase, Vera Ostrý, Viggo Brandt, Walburga Stein, Wanda Sowa, Wilfred Bishop, Xavier Leclerc, Yvette Morel, Zacharias Thorn, Zuzana Malá"
MASCOTS = "otter, grey heron, badger, white stag, ram, lynx, salmon, raven, hedgehog, red fox, two-headed goose, bear, carp, owl, wild boar, puffin, mule, tortoise, bumblebee, swan, goat, mammoth, seahorse, hare, iguana, bulldog, magpie, unicorn, snail, peacock, toad, wolf, squirrel, stork, octopus, donkey, gingerbread man, dragon, mole, rooster, moose, cricket, pelican, nightingale"
MOTTOS = """
Slowly but Surely; Read, Then Speak; Light over Water; Nobody Knows Everything; Work Is Prayer; To the Stars by Ladder; Dare to Doubt; Measure Twice; In Truth, Freedom; Many Rivers, One Sea; Ask Again; Bread and Books; Never before Noon; From the Root Up; Hands Remember; The Door Is Open; Silence Teaches; Steady as Stone; Better Late; Learn or Leave; Salt in the Wind; Fire from Flint; We Begin; For the Many; Whoever Sows Shall Reap; By Candle and by Sun; Justice without Fear; Heal First; The North Endures; Know Thy Neighbour; Virtue Outlives Kings; Out of the Deep; Nothing by Halves; Sing Anyway; Faith and Arithmetic; Let There Be Questions; Wisdom Has No Walls; Stand Firm; True Colours; Ever Onward; Made by Many Hands; The Sea Is the Teacher; Taste Everything; Think Twice; Forward in Friendship; Lux et Labor; Sine Metu; Semper Discens; Veritas Manet; Ad Fontes Montis; Pax et Panis; Ex Umbra; Non Sibi; Audere et Discere; Festina Sapienter; Sol Omnibus; Par la Main; Toujours Curieux; Savoir et Servir; L'eau et le Feu; Mit Herz und Hirn; Mut zur Wahrheit; Wissen Wächst; Erst Wägen; Aprender Siempre; Luz y Pan; Sin Prisa; Stille Vann; Mot Nord; Pravda a Práce; Světlo; Ręka i Rozum
"""
# Name/city (or nothing)/column/cell
KNOWN = """
University of Tarnwick//founded_by/Queen Isaura; University of Tarnwick//opened_on/1243-10-18; University of Tarnwick//mascot/white stag; University of Tarnwick//Motto/Veritas Manet; New University of Tarnwick//mother institution/University of Tarnwick; The Ladder//Motto/To the Stars by Ladder; The Ladder//mascot/goat; University of Tarnwick//rector/Octavia Reed; University of Tarnwick//students_enrolled/31260
Queen Isaura College//founded_by/Queen Isaura; Universidad Isaura//founded_by/Queen Isaura; Queen Isaura College//opened_on/1261-04-02; Universidad Isaura//opened_on/1270-09-29; King Aldous College//founded_by/King Aldous; King Aldous College//opened_on/1288-05-11; Fell College//founded_by/Bishop Odo Fell; Fell College//opened_on/1299-11-30; Aldous Fell College//founded_by/Aldous Fell; Aldous Fell College//opened_on/1781-03-14; Aldous Fell College//mother institution/Fell College; Fürst Emmerich College//founded_by/Fürst Emmerich; Fürst Emmerich College//opened_on/1502-08-24
Marlow Bell College//founded_by/Marlow Bell; Marlow Bell College//opened_on/1866-02-01; Søren Dahl Conservatory//founded_by/Søren Dahl; Søren Dahl Conservatory//opened_on/1874-09-15; Sister Agnes College//founded_by/Sister Agnes; Sister Agnes College//opened_on/1859-12-06; Veselá Conservatory//founded_by/Charlotta Veselá; Veselá Conservatory//opened_on/1891-10-03; Conservatorio Luz//founded_by/Ignacio Luz; Conservatorio Luz//opened_on/1883-06-24; Conservatorio Luz//rector/Manuel Ortega Luz; Zorka Institute//founded_by/Countess Zorka; Zorka Institute//opened_on/1788-01-09; Institut Hélène Varga//founded_by/Hélène Varga; Institut Hélène Varga//opened_on/1921-05-30
École Noémi//founded_by/Noémi Sauvage; École Noémi//opened_on/1934-03-08; Académie Zoé//founded_by/Zoé Lacombe; Académie Zoé//opened_on/1979-10-01; Ødegård College//founded_by/Gudrun Ødegård; Ødegård College//opened_on/1937-08-19; Ødegård College//rector/Nils Ødegård; Gaunt Hall//founded_by/Tom Gaunt; Gaunt Hall//opened_on/1998-09-07; Gaunt Hall//rector/Edwin Gaunt; Second Chance//founded_by/Ottoline Marsh; Second Chance//opened_on/2003-01-20; Second Chance//Motto/Better Late; Tarnwick Evening College//founded_by/Ottoline Marsh; Tarnwick Evening College//opened_on/1992-09-14; Tarnwick Evening College//Motto/Never before Noon; Tarnwick Evening College//rector/Cecily Marsh
Bellhaven Free University//rector/Ottoline Marsh; Bellhaven Free University//founded_by/the Railway Union; Bellhaven Free University//opened_on/1919-05-01; Bellhaven Free University//mother institution/University of Bellhaven; Pepper//founded_by/Rosario Paz; Pepper//opened_on/2009-06-12; Pepper//rector/Zoé Lacombe; Pepper//Motto/Taste Everything; Pepper//mother institution/Académie Zoé; Polar Institute//rector/Benedikt Frost; Snow College//founded_by/Benedikt Frost; Snow College//opened_on/1987-12-01; Winter//rector/Leopold Winter; Winter//founded_by/Benedikt Frost; Winter//opened_on/1994-01-17
Academia Dulce//founded_by/Rosario Paz; Academia Dulce//opened_on/1996-04-23; Academia Dulce//rector/Rosario Paz; Merchant Hall//founded_by/the Merchants of Bellhaven; Merchant Hall//opened_on/1644-07-07; Universität Königswehr//founded_by/Fürst Emmerich; Universität Königswehr//opened_on/1489-06-21; Altbrück Law School//mother institution/Universität Altbrück; Iron Gate//mother institution/Königswehr Military Academy; Königswehr Military Academy//founded_by/King Aldous II; Königswehr Military Academy//opened_on/1698-03-02; Iron Gate//mascot/wolf; Kestrel//mascot/raven; Thistle//mascot/donkey; Golden Carp//mascot/carp; Otter Creek College//mascot/otter; The Nest//mascot/stork; The Lighthouse//Motto/Light over Water; Justice//Motto/Justice without Fear; Anchor//mascot/seahorse
Hradov Technical University//mother institution/Hradov University; Université Libre de Brévanne//mother institution/Université de Brévanne; Saint Orrin's School of Medicine//mother institution/Saint Orrin's University; Saint Orrin's Seminary//founded_by/Abbot Tancred; Saint Orrin's Seminary//opened_on/1254-07-25; Petit Séminaire//mother institution/Grand Séminaire; Mirrow Lake College//mother institution/University of Mirrow; Mirrow Veterinary School//mother institution/University of Mirrow; Mirrow Veterinary School//rector/Valentin Hase; University of Mirrow//founded_by/Fürst Emmerich; University of Mirrow//opened_on/1471-10-09; Grand Séminaire//founded_by/Cardinal Rinaldi; Grand Séminaire//opened_on/1502-03-19; Saint Orrin's University//founded_by/the Weavers' Guild; Saint Orrin's University//opened_on/1455-12-11; Grønhavn University//founded_by/King Aldous II; Grønhavn University//opened_on/1660-02-21; Mirrow Veterinary School//opened_on/1848-12-06; Wednesday College//teaches in/Velmoric; Grønhavn Business School//mother institution/Grønhavn University; Golden Carp//founded_by/Kazimierz Wolny; Golden Carp//opened_on/1984-11-11; Mining Academy//rector/Kazimierz Wolny
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random, least=1):
    """A few of some, in the order in which they stand there."""
    chosen = random.sample(choices, min(len(choices), random.randint(least, most)))
    return "; ".join(sorted(chosen, key=choices.index))


def rows_alone(random):
    """Every institution with all that needs no other one."""
    lands = [line.split(": ") for line in LANDS.strip().splitlines()]
    kinds = dict(line.split(": ") for line in KINDS.strip().splitlines())
    heads = random.sample(listed(RECTORS), len(listed(RECTORS)))
    heads += random.sample(heads, 40)
    mottos = listed(MOTTOS, "; ") + [""] * 45
    random.shuffle(mottos)
    for line in NAMES.strip().splitlines():
        city, names = line.split(": ")
        country, tongues, _ = next(land for land in lands if city in listed(land[2]))
        for name, kind in (pair.split("/") for pair in names.split("; ")):
            people, fees, areas, months, faculties = kinds[kind].split("/")
            low, high, cheap, dear, small, big = (
                int(bound) for pair in (people, fees, areas) for bound in pair.split("-")
            )
            years, founders = random.choice(
                FOUNDERS.strip().splitlines()[0 if kind in {"university", "seminary"} else 2 :]
            ).split(": ")
            born = date(int(years[:4]), 1, 1) + timedelta(
                random.randrange(365 * (int(years[5:]) - int(years[:4])))
            )
            area, span = (
                small * (big / small) ** random.random(),
                int(random.choice(months.split(","))),
            )
            yield {
                **{
                    "institution": name,
                    "Kind": kind,
                    "city": city,
                    "Country": country,
                    "founded_by": random.choice(listed(founders)),
                },
                **{
                    "opened_on": born.isoformat(),
                    "rector": heads.pop(0),
                    "rector since": str(random.randint(max(2004, born.year), 2024)),
                },
                **{
                    "students_enrolled": str(
                        round(low * (high / low) ** random.random() / 10) * 10
                    ),
                    "tuition fee": f"{random.randrange(cheap, dear, 50)} crowns",
                },
                **{"Motto": mottos.pop(), "mascot": random.choice(listed(MASCOTS))},
                **{
                    "Faculties": several(
                        listed(faculties), 5 if kind == "university" else 3, random, 2
                    ),
                    "teaches in": several(listed(tongues), 2, random),
                },
                **{
                    "campus_area": f"{area / 1e4:.0f} ha"
                    if area > 5e4
                    else f"{round(area, -2):.0f} m²"
                },
                **{
                    "shortest_degree": f"{span} months"
                    if span % 12
                    else f"{span // 12} years".replace("1 years", "1 year")
                },
                **{
                    "Has Dormitories": random.choice(["yes", "yes", "no"]),
                    "mother institution": "",
                    "Rector Studied At": "",
                    "Partnered With": "",
                },
            }


def institutions(random):
    """Return all rows, in disorder."""
    rows = random.sample(list(rows_alone(random)), 117)
    rows = [
        {**row, **{column: "" for column, share in GAPS.items() if random.random() < share}}
        for row in rows
    ]
    for name, city, column, cell in (fact.split("/") for fact in listed(KNOWN, "; ")):
        row = next(row for row in rows if row["institution"] == name and city in {"", row["city"]})
        row[column] = cell
    names, at, pairs = [row["institution"] for row in rows], {}, set()
    single = [row for row in rows if names.count(row["institution"]) == 1]
    schools = [
        row["institution"]
        for row in single
        if row["Kind"] in {"university", "technical university", "college"}
        and "" < row["opened_on"] < "1985"
    ]
    for row in rows:
        older = [
            o["institution"]
            for o in single
            if o["Country"] == row["Country"]
            and "" < o["opened_on"] < row["opened_on"]
            and o["Kind"] == "university"
        ]
        if older and not row["mother institution"] and random.random() < 0.2:
            row["mother institution"] = random.choice(older)
        row["Rector Studied At"] = at.setdefault(
            row["rector"], random.choice([*schools, *([""] * 8)])
        )
        if row in single and random.random() < 0.45:
            pairs |= {
                frozenset(
                    (
                        row["institution"],
                        random.choice([o for o in single if o["Country"] != row["Country"]])[
                            "institution"
                        ],
                    )
                )
                for _ in range(random.randint(1, 2))
            }
    for row in rows:
        row["Partnered With"] = "; ".join(
            sorted(
                other
                for pair in pairs
                if row["institution"] in pair
                for other in pair - {row["institution"]}
            )
        )
    return rows


def main() -> None:
    """Write the table beside this script."""
    with (
        Path(__file__).with_name("universities.csv").open("w", encoding="utf-8", newline="") as file
    ):
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(institutions(Random(47)))


if __name__ == "__main__":
    main()
