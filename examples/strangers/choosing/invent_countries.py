"""Write countries.csv: the countries of an invented world, a row a country.

All invented; a fixed seed. Hard on purpose: countries whose names are words, two namesakes, names
that share a part, accents and apostrophes, a capital that is called like another country, rulers
that occur in several rows and columns, neighbours, former rulers and trading partners that are rows
themselves, several values in a cell, and cells left empty.

    python3 invent_countries.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("country", "capital", "Continent", "official_languages", "Currency", "population"),
    *("Surface Area", "shares_border_with", "Head of State", "head_of_government"),
    *("independent since", "Formerly Ruled By", "highest mountain", "mountain_height"),
    *(
        "Main Exports",
        "biggest trading partner",
        "drives_on",
        "dialling code",
        "member of",
        "Has Coast",
    ),
)
# Continent: country/capital; a * before the name: an island
PLACES = """
Osmera: Kaldovia/Brenn; North Kaldovia/Upper Brenn; Harrow/Saddleford; Åsmark/Hällestad; Żelva/Ruda Wielka; Grand Duchy of Lorn/Lorn; Lornmark/Eisen; Vellmar/Port Regent; Upper Tessin/Glarn; Lower Tessin/Marsch; Butter/Churnwick; Ostrel Free State/Ostrel; Corvia/Tamber; *Stilt/Herons' Landing; *Isle of Wrens/Nest; Brandovar/Kestrin; Marrow/Pith; Ludmark/Königsruh; Pellania/Pella Nova; *Fogg/Low Light; Tsarn/Belozar; Saint Odile/Odile; Monday/Weekend
Karran: Qasr al-Nur/Nur; Tamber/Azoul; Zahir/Mirwan; Emirate of Sabb/Sabb; Hadda/Well of Hadda; South Hadda/Tell Amra; Ember/Cinder; Karroun/Bab Karroun; Dunes Republic/Oasis; Ifrana Coast/Port Azure; Numa/Old Numa; New Numa/Freetide; Jebel Tarr/Tarr; Salt/White Pans; Oumbala/Lissende; Lissenga/Moko; Great Lissenga/Mokolo; Bélandia/Sainte-Aube; Kingdom of Ngari/Ngaro; Asanda/Kwemi; Tulu/Tulu City; *Clove/Spicewell
Velladar: São Brízio/Brízia; Nueva Almenara/Almenara; Peñalva del Sur/Laguna Fría; Costa Brasa/Puerto Brasa; Ixtal/Xochi; Quillana/Alto Quillán; Río Pardo/Pardo; Mango/Juice Harbour; Corvia/Santa Corva; *Turtleback/Shell Bay; Tierra Honda/Pozo; Uruama/Iquará; Amapé/Vila Amapé; Dominion of Harrow/New Saddleford; Selva/Liana; *Saint Basil and Thyme/Port Regent; Guayra/Ciudad Lira; Paloma/Palomar; Bolona/Serrana; Patria/Plaza; Chimún/Chan Alto
Thulland: Echo/Answer; Snøland/Isvik; Frostmark/Hvalsund; *Eiderey/Dún; *Rìgh Skerries/Craignish; Kaamos/Revontuli; East Kaamos/Ruska; Boreal Union/Nordhaven; Pinewood/Cone; Tuvva/Khorum; Great Steppe/Tent; Yurtistan/Felt City; Altún/Altún Ordo; Lantern/Wick; Moose Republic/Antler; Winter/Hearth; Sölvi/Sölvihöfn; Noatak/Umiak; Klippen Minor/Klippe; Halv/Helv
Jadewater: Shan Lai/Lai Fu; West Shan Lai/Lai Men; Hinomori/Asahara; Mekhala/Wat Thep; Phu Vang/Hội Sen; Daro/Daro Town; *Daro Islands/Lagoon; Nāgapur/Himavat; Khumbal/Lhakpa; Bell/Clapper; Lotus/Pond; Bao/Steamer; *Mālie/Fale; *Tiki Atoll/Palm Point; *Vaitonga/Nuku'ora; Sundaram/Chola Port; Lower Sundaram/Kaveri; Rubai/Jambu; Teak/Sawmill; *Hope/Despair; *Coral Confederation/Reef; Orchid Kingdom/Petal; Ganjari/Tirtha; Mistral Sands/Zephyr; *Kiri/Kiri
"""
LANGUAGES = {
    "Osmera": "Kaldish, Tessinese, Harrovian, Lornish, Zelvan, Åsmarkish",
    "Karran": "Hadic, Numan, Lissengo, Harrovian, Belandian",
    "Velladar": "Almenaran, Brizian, Quillan, Harrovian",
    "Thulland": "Snønorsk, Kaamic, Steppe Turkish, Harrovian",
    "Jadewater": "Shannese, Hinomoric, Sundari, Malian, Darovian, Harrovian",
}
CURRENCIES = {
    "Osmera": "Kaldish mark, Osmeran crown, Osmeran crown, shilling, thaler",
    "Karran": "dinar, cowrie, karra, karra, salt pound",
    "Velladar": "peso, sol, guaraná, Harrow dollar",
    "Thulland": "krona, tugrik, fur, krona",
    "Jadewater": "yuen, rupal, tael, shell, Harrow dollar",
}
POWERS = {
    "Osmera": "Kaldovia, Kaldovia, Harrow, Åsmark",
    "Karran": "Harrow, Pellania, Vellmar, Qasr al-Nur",
    "Velladar": "Pellania, Pellania, Harrow, Nueva Almenara",
    "Thulland": "Åsmark, Boreal Union, Harrow",
    "Jadewater": "Shan Lai, Harrow, Hinomori, Vellmar",
}
GREAT = "Kaldovia, Harrow, Pellania, Vellmar, Åsmark, Qasr al-Nur, Boreal Union, Shan Lai, Hinomori, Nueva Almenara"
LEAGUES = {
    "Osmera": "Osmeran Union, Crown Zone, Northern Pact",
    "Karran": "Karran League, Oil Club, Pact of Nur",
    "Velladar": "Velladar Common Market, Southern Alliance, Coffee Board",
    "Thulland": "Northern Pact, Whaling Council, Steppe Forum",
    "Jadewater": "Jadewater Forum, Rice Board, Island League",
}
EXPORTS = "coal, steel, wheat, cheese, watches, cars, timber, fish, oil, gas, dates, cotton, gold, cocoa, coffee, bananas, sugar, copper, beef, wool, furs, tin, tea, rice, silk, rubber, spices, pearls, computer chips, toys, wine, salt"
TOPS = "Mount Alder, Old Man, Weisszahn, Jebel Sirr, Pico da Nuvem, Cerro Mudo, Snøhetta Minor, The Anvil, Kara Dag, Phu Sai, Hinoyama, Mount Mercy, Broken Tooth, Ben Varr, Volcán Tía Rosa, Sugar Hill, Grandmother, Mount Regent, Dôme d'Aube, Lhotsang, Needle, Tall Tom, Mount Hollis, Bald Top, Three Sisters, Mauna Fale, Cloudgate, Thunderhead, Pale Rider, Ox Horn"
FIRST = "Maren, Otto, Ilse, Rashid, Leïla, Amadou, Inês, Joaquín, Sunniva, Temür, Mei, Kenji, Anand, Tala, Hugo, Blanca, Piotr, Nadia, Solveig, Farouk"
LAST = "Holt, Brandt, Kowal, al-Sabbi, Diarra, Moreira, Quispar, Lindqvist, Batu, Lin, Mori, Rao, Fetu, Pell, Vega, Bakker, Salt, Monday"
CROWNS = "King Aldous IV, Queen Isaura II, Sultan Karim, Emperor Tadamori, Grand Duke Leopold, Queen Mother Nali, Princess Odile, King Sverre"
# Known: country / column / cell
KNOWN = """
Harrow/Head of State/Queen Isaura II; Dominion of Harrow/Head of State/Queen Isaura II; Dominion of Harrow/Formerly Ruled By/Harrow; Fogg/Head of State/Queen Isaura II; Clove/Head of State/Queen Isaura II; Isle of Wrens/Head of State/Queen Isaura II; Grand Duchy of Lorn/Head of State/Grand Duke Leopold
Hinomori/Head of State/Emperor Tadamori; Hinomori/head_of_government/Kenji Mori; Bell/Head of State/Kenji Mori; Saint Odile/Head of State/Princess Odile; Åsmark/Head of State/King Sverre; Snøland/Head of State/King Sverre; North Kaldovia/Formerly Ruled By/Kaldovia; Daro Islands/Formerly Ruled By/Daro; Daro/Formerly Ruled By/Shan Lai
South Hadda/Formerly Ruled By/Hadda; New Numa/Formerly Ruled By/Numa; Numa/Formerly Ruled By/Vellmar; Hadda/Formerly Ruled By/Qasr al-Nur; East Kaamos/Formerly Ruled By/Kaamos; Kaamos/Formerly Ruled By/Boreal Union; West Shan Lai/Formerly Ruled By/Shan Lai; Butter/Main Exports/cheese; Salt/Main Exports/salt; Clove/Main Exports/spices; Teak/Main Exports/timber; Mango/Main Exports/sugar; Tamber/Head of State/Leïla Diarra; Tamber/head_of_government/Leïla Diarra; Lornmark/Formerly Ruled By/Grand Duchy of Lorn; Hope/drives_on/left; Harrow/drives_on/left; Khumbal/mountain_height/8413 m; Khumbal/highest mountain/Lhotsang; Monday/head_of_government/Piotr Monday
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().split(comma)


def land(name, capital, continent, island, number, random):
    """A country with all that needs no other country."""
    people = 10 ** random.uniform(4.2, 6.2) if island else 10 ** random.uniform(5.4, 8)
    area = 10 ** random.uniform(1.5, 4) if island else 10 ** random.uniform(3.6, 6.1)
    crown = random.random() < 0.2
    person = [f"{random.choice(listed(FIRST))} {random.choice(listed(LAST))}" for _ in range(2)]
    head = random.choice(listed(CROWNS)[:3]) if crown else person[0]
    tongues = listed(LANGUAGES[continent])
    return {
        "country": name,
        "capital": capital,
        "Continent": continent,
        "official_languages": "; ".join(random.sample(tongues, random.choice([1, 1, 1, 2, 2, 3]))),
        "Currency": random.choice(listed(CURRENCIES[continent])),
        "population": str(int(round(people, -3 if people > 1e5 else -2))),
        "Surface Area": f"{int(round(area, -2 if area > 4000 else 0))} km²",
        "shares_border_with": "",
        "Head of State": head,
        "head_of_government": person[1] if crown or random.random() < 0.6 else head,
        "independent since": "",
        "Formerly Ruled By": "",
        "highest mountain": random.choice(listed(TOPS)) if random.random() < 0.85 else "",
        "mountain_height": f"{int(10 ** random.uniform(2.2, 3.8))} m",
        "Main Exports": "; ".join(random.sample(listed(EXPORTS), random.randint(1, 4))),
        "biggest trading partner": "",
        "drives_on": random.choice(["left", "right", "right"]),
        "dialling code": f"+{200 + 7 * number}",
        "member of": "; ".join(
            sorted(random.sample(listed(LEAGUES[continent]), random.choice([0, 1, 1, 2, 3])))
        ),
        "Has Coast": "yes" if island or random.random() < 0.68 else "no",
    }


def countries(random):
    """Return all rows."""
    rows = []
    for line in PLACES.strip().splitlines():
        continent, pairs = line.split(": ", 1)
        there = []
        for pair in pairs.split("; "):
            name, capital = pair.split("/")
            row = land(name.strip("*"), capital, continent, name[0] == "*", len(rows), random)
            rows.append(row)
            if name[0] != "*":
                there.append((random.random(), random.random(), row))
        near = {row["country"]: set() for _, _, row in there}
        for x, y, row in there:
            by = sorted(
                (o for o in there if o[2] is not row),
                key=lambda o: (o[0] - x) ** 2 + (o[1] - y) ** 2,
            )
            for other in by[: random.randint(1, 3)]:
                near[row["country"]].add(other[2]["country"])
                near[other[2]["country"]].add(row["country"])
        for _, _, row in there:
            row["shares_border_with"] = "; ".join(sorted(near[row["country"]]))
    for row in rows:
        own = row["country"]
        if own not in listed(GREAT) and random.random() < 0.75:
            row["Formerly Ruled By"] = random.choice(
                [p for p in listed(POWERS[row["Continent"]]) if p != own]
            )
        partners = [
            p
            for p in listed(GREAT) + row["shares_border_with"].split("; ")
            if p not in (own, "", "Corvia")
        ]
        row["biggest trading partner"] = random.choice(partners)
    for fact in KNOWN.strip().replace("\n", "; ").split("; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["country"] == name)[column] = cell
    for row in rows:
        if row["Formerly Ruled By"]:
            row["independent since"] = (
                date(1810, 1, 1) + timedelta(random.randrange(69000))
            ).isoformat()
        row["mountain_height"] = row["mountain_height"] if row["highest mountain"] else ""
        for column, share in {
            "head_of_government": 0.08,
            "biggest trading partner": 0.08,
            "drives_on": 0.06,
            "dialling code": 0.07,
            "population": 0.04,
            "Currency": 0.05,
            "independent since": 0.05,
        }.items():
            if random.random() < share and f"{row['country']}/{column}" not in KNOWN:
                row[column] = ""
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("countries.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(countries(Random(47)))


if __name__ == "__main__":
    main()
