"""Write realms.csv: the countries of an invented world, a row a country.

All invented; a fixed seed. Hard on purpose: countries named like months, words and exports, two of exactly the same
name, names that share a part or lie in another, accents, apostrophes and hyphens, a capital called like another
country, several values in a cell, neighbours, allies, trading partners and former rulers that are countries of the
same table, and many cells left empty.

    python invent_realms.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "realm|Capital|Head of State|in_power_since|government|Continent|Neighbours|ally|Biggest Trading Partner|Formerly Ruled By|independence_date|currency|population|area_size|Official Languages|main export|Landlocked|Highest Point|national animal|keeps_an_army".split(
    "|"
)
GAPS = {
    "Head of State": 0.04,
    "in_power_since": 0.1,
    "Biggest Trading Partner": 0.12,
    "currency": 0.05,
    "population": 0.06,
    "area_size": 0.06,
    "main export": 0.06,
    "Highest Point": 0.14,
    "national animal": 0.2,
    "independence_date": 0.06,
    "keeps_an_army": 0.05,
    "Capital": 0.03,
}
# Continent, how many countries side by side (0: islands): realm/capital
WORLD = """
Hollin 6: Vell/Vellhaven, North Vell/Frostgate, Vellmark/Königsmarn, Greyholt/Ironmouth, Ember/Cinder Hill, Upper Tolmen/Tolm, Lower Tolmen/Marshbridge, Ashgrave/Saint Aldith, Skøldmar/Havnmark, Hrafney/Reykhöfn, Ostrawen/Wrenfield, Kaldoria/Kald, Drumlin/Ballyfar, March/Aprilstow, Thistle/Burr, Wend/Eelford, Eiderfjord/Dunsund, Lünefels/Mondburg, Brünnwald/Winterby, Szélhegy/Malomvár, Łomnor/Łęgowice, Žarovia/Zlatý Most, Čelanka/Včelov, Pelmora/Pelm, Winterby/Candle Street, Harrowmere/Plough, Oldermark/Elderstadt, King's Hollow/Queen's Cross, Saint Orrin/Orrinsgate, Fallow/Stubble
Meridane 6: Orla/Porto Orla, New Orla/Orla Nova, Orlaine/Rivière-Blanche, Belmarais/Les Roseaux, Petit Marais/Grenouille, Côte-d'Argile/Poterie, Val-d'Épine/Roncevine, Castilmora/Torre Mora, Peñaluz/Faro Viejo, São Tormé/Areal, Santa Vela/Candelaro, Santa Brisa/Ventosa Alta, Corvalho/Ninho, Aurelia/Aurum, Bellamare/Tre Ponti, Tramontane/Bise, Sabbia/Dunaro, Rosmarin/Jardin-Clos, Vesperia/Vespera, Citronne/Zeste, Almadora/Almaviva, Cinzaro/Cenere, Quintavalle/Quinta, Lagoverde/Ranocchia, Montenudo/Cima, Belle Rive/Pont-l'Abbesse, Serafine/Angelo, Amber Coast/Resin, August/Harvest, Turmalina/Gema
Kessara 5: Qasrabad/Qasr, Umm Zahra/Bir Zahra, Al-Shirin/Shirin City, Zarandúl/Zarandeh, Kharistan/Khar Balik, Khariput/Nadipur, Nur/Minaret, Samarith/Seven Wells, Bō-Lan/Lan, Tsukimori/Tsukinomiya, Phra Dao/Ban Dao, Ngọc Lân/Hồ Trăng, Tashbulak/Tash, Ulzhan/Ak Ordon, Jade/White Gate, Silk/Cocoon, Menduria/Mendur, Baharesh/Spice Harbour, West Oroz/Orozgrad, East Oroz/Sunrise
Great Tarn 4: Mbaluwé/Balu, Kowanda/Kowa Town, Tendéla/Porte-Sèche, Ubashi/Bashi, Lake Ubashi/Heron Landing, Zimbara/Zim Falls, Nyandoro/Nyando, Ifetunde/Ile Tunde, N'Gorra/Gorra, Dry River/Last Well, Sand/Oasis, Copper Plains/Anvil, Yawari/Yawa, Quillapán/Quilla, Tlacotl/Xochipan, Huanari/Huan Pata
Sundry Isles 0: Santa Lira/Arpa, Santa Lira/San Coro, Pearl/Oyster, Turtle Bay/Shell Beach, Motu Alofa/Apialofa, Hiva Nui/Hivaloa, Ka'aluna/Lunalei, Saint Peregrine/Pilgrim's Rest, Little Thistle/Prickle, Gull Rock/Nest, Coral/Reef Town, Isla Perdida/Brújula, Ærholm/Ærby, Fog Island/Lantern, Tuamina/Tua, Monday/Weekend
"""
# Continent: its colonial powers; its tongues; its forms of government
WAYS = """
Hollin: Vellmark, Skøldmar, Greyholt, Vellmark, Aurelia; Vellish, Skøldic, Tolmic, Marcher, Zaric, Szélish; kingdom, republic, duchy, kingdom, republic, principality, city-state
Meridane: Castilmora, Aurelia, Belmarais, Castilmora, Orla; Castilmoran, Aurelian, Belmaric, Orlese, Sabbian; republic, kingdom, duchy, republic, city-state, federation
Kessara: Kharistan, Tsukimori, Kharistan, Greyholt; Kharish, Tsukimi, Bō, Daoan, Oroz; sultanate, republic, empire, sultanate, theocracy, republic
Great Tarn: Belmarais, Castilmora, Greyholt; Ubashi, Belmaric, Castilmoran, Tlacotic, Vellish; republic, federation, republic, kingdom, council of elders
Sundry Isles: Skøldmar, Vellmark, Castilmora, Tsukimori, Orla; Vellish, Motuan, Castilmoran, Skøldic, Tsukimi; republic, kingdom, principality, council of elders
"""
TITLES = {
    "kingdom": ("King", "Queen"),
    "republic": ("President", "President"),
    "duchy": ("Duke", "Duchess"),
    "principality": ("Prince", "Princess"),
    "city-state": ("Lord Mayor", "Lady Mayor"),
    "federation": ("Chancellor", "Chancellor"),
    "sultanate": ("Sultan", "Sultana"),
    "empire": ("Emperor", "Empress"),
    "theocracy": ("High Priest", "High Priestess"),
    "council of elders": ("Elder", "Elder"),
}
REGNAL = {
    "King",
    "Queen",
    "Duke",
    "Duchess",
    "Prince",
    "Princess",
    "Sultan",
    "Sultana",
    "Emperor",
    "Empress",
}
# Men's first names; women's first names; family names
PEOPLE = """
Hollin: Osric, Aldwin, Gorm, Ludvik, Bertil, Tibor, Cuthbold, Rurik, Wojmir; Maud, Ingrith, Sunniva, Ilka, Hedvika, Brannagh, Ottilie, Žofka; Marsh, Quillfeather, Tannhold, Mákovec, Stormby, O'Dwyle, Wren, Szilva
Meridane: Anselmo, Régis, Teodoro, Baltasar, Lucien, Fausto, Ramiro; Apolline, Serena, Inês, Graziella, Violette, Consolata; Delacôte, Montefiume, Peñarola, d'Aubrac, Marsh, Ferrugem, Ventoso
Kessara: Jahandar, Sorush, Temür, Kaito, Rashidun, Bolat; Shirinoz, Nurbanu, Hanako, Altyn, Mehrangul; Zarandi, Khatunov, Tsukino, Olimbek, Daovong
Great Tarn: Babajide, Kwesi, Itzal, Sekani, Amaru; Folashade, Nomvula, Xochil, Adjoa, Killari; Mbeku, Oyelarin, Quispala, Tundé, Marsh
Sundry Isles: Tavita, Peleke, Joachim, Manu, Silas; Leilani, Moana, Sina, Dorothea, Pearl; Alofa, Whitecap, Kaleo, Brandybuoy, Marsh
"""
COINS = "crown, thaler, florin, shell, groat, ducat, kharu, moon, pelt, bead, obol, talent, tolm, peso d'oro, cowrie, sequin, half-crown, grain"
WARES = "timber, wool, salt, copper, saffron, wine, olives, amber, pearls, fish, tea, silk, clocks, cheese, honey, coal, glass, rice, horses, iron ore, coconuts, marble, cocoa, umbrellas, tulips"
BEASTS = "wolf, stork, lynx, bear, otter, heron, goat, camel, sea turtle, ibex, owl, hedgehog, snow leopard, crane, whale, gecko, elk, fox, bee, eel, swan, parrot, crocodile, elephant"
# Known: realm / column / cell
KNOWN = """
Silk/main export/cheese; Pearl/main export/fish; Amber Coast/main export/wine; Copper Plains/main export/horses; Coral/main export/umbrellas; March/Formerly Ruled By/Greyholt; Orla/Formerly Ruled By/Aurelia; March/independence_date/1843-05-01; Orla/independence_date/1799-08-12; Thistle/main export/wool
Monday/population/0.02 million; Gull Rock/population/0.004 million; Kharistan/population/148.6 million; Kharistan/area_size/1840000 km2; Gull Rock/area_size/19 km2; Tashbulak/Highest Point/7412 m; Sand/Highest Point/61 m; Čelanka/main export/honey; Čelanka/national animal/bee; Lünefels/main export/clocks
Monday/Head of State/Elder Dorothea Whitecap; Monday/in_power_since/1979; Monday/government/council of elders; March/government/kingdom; March/Head of State/Queen Maud III; August/Head of State/President Violette d'Aubrac; Winterby/government/city-state; Winterby/Head of State/Lady Mayor Ilka Wren; Winterby/keeps_an_army/no
Tsukimori/government/empire; Tsukimori/Head of State/Empress Hanako II; Little Thistle/Formerly Ruled By/Thistle; Ærholm/Formerly Ruled By/Skøldmar; Lake Ubashi/Formerly Ruled By/Ubashi; New Orla/Formerly Ruled By/Orla; Hrafney/main export/fish; Nur/government/theocracy; Nur/Head of State/High Priestess Altyn Zarandi
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def ways(text, continent):
    """The lists a continent has in a constant."""
    line = next(o for o in text.strip().splitlines() if o.startswith(continent + ":"))
    return [listed(part) for part in line.split(": ", 1)[1].split("; ")]


def leader(government, continent, random):
    """Who is at the head of such a country."""
    men, women, families = ways(PEOPLE, continent)
    woman = random.random() < 0.5
    title = TITLES[government][woman]
    first = random.choice(women if woman else men)
    if title in REGNAL:
        return f"{title} {first} {random.choice(['I', 'II', 'II', 'III', 'IV', 'VI'])}"
    return f"{title} {first} {random.choice(families)}"


def country(name, capital, continent, random):
    """A country with all that needs no other."""
    _, tongues, governments = ways(WAYS, continent)
    government = random.choice(governments)
    island = continent == "Sundry Isles"
    people = max(0.01, random.lognormvariate(-1.2 if island else 1.6, 1.0))
    spoken = {random.choice(tongues) for _ in range(random.choice([1, 1, 2, 2, 3]))}
    return {
        "realm": name,
        "Capital": capital,
        "Continent": continent,
        "government": government,
        "Head of State": leader(government, continent, random),
        "in_power_since": str(random.randint(1982, 2024)),
        "currency": random.choice(listed(COINS)),
        "population": f"{people:.2f} million" if people < 1 else f"{people:.1f} million",
        "area_size": f"{max(40, round(people * random.uniform(3000, 16000) / (6 if island else 1), -1)):.0f} km2",
        "Official Languages": "; ".join(sorted(spoken, key=tongues.index)),
        "main export": random.choice(listed(WARES)),
        "Highest Point": f"{random.randint(80, 1400) if island else random.randint(180, 4900)} m",
        "national animal": random.choice(listed(BEASTS)),
        "keeps_an_army": "no" if random.random() < (0.6 if island else 0.15) else "yes",
        "Landlocked": "no",
    }


def border(rows, wide, random):
    """Who lies beside whom on a continent, and who has no coast."""
    beside = {at: set() for at in range(len(rows))}
    for at in beside:
        for other in ([at + 1] if (at + 1) % wide else []) + [at + wide]:
            if other < len(rows) and random.random() < 0.85:
                beside[at].add(other)
                beside[other].add(at)
    for at, row in enumerate(rows):
        row["Neighbours"] = "; ".join(rows[o]["realm"] for o in sorted(beside[at]))
        inner = 0 < at % wide < wide - 1 and wide <= at < len(rows) - wide
        row["Landlocked"] = "yes" if inner and random.random() < 0.9 else "no"


def world(random):
    """Every country, and which belong together."""
    rows = []
    for block in WORLD.strip().splitlines():
        head, names = block.split(": ", 1)
        continent, wide = head.rsplit(" ", 1)
        here = [country(*pair.split("/"), continent, random) for pair in listed(names)]
        if wide == "0":
            for row in here:
                row["Neighbours"] = ""
        else:
            random.shuffle(here)
            border(here, int(wide), random)
        rows += here
    names = [row["realm"] for row in rows]
    single = [row for row in rows if names.count(row["realm"]) == 1]
    pairs = random.sample(single, 96)
    for one, other in zip(pairs[::2], pairs[1::2], strict=True):
        one["ally"], other["ally"] = other["realm"], one["realm"]
    powers = {p for o in WAYS.strip().splitlines() for p in ways(WAYS, o.split(":")[0])[0]}
    for row in rows:
        near = listed(row["Neighbours"], "; ") if row["Neighbours"] else []
        big = ["Kharistan", "Vellmark", "Aurelia", "Skøldmar", "Tsukimori", "Thistle", "Pearl"]
        row["Biggest Trading Partner"] = random.choice(
            [o for o in near * 2 + big + [random.choice(single)["realm"]] if o != row["realm"]]
        )
        masters = ways(WAYS, row["Continent"])[0]
        if row["realm"] not in powers and random.random() < 0.8:
            row["Formerly Ruled By"] = random.choice(masters)
            row["independence_date"] = (
                date(random.randint(1790, 1994), 1, 1) + timedelta(random.randrange(365))
            ).isoformat()
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["realm"] == name)[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("realms.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n", restval="")
        writer.writeheader()
        writer.writerows(world(Random(61)))


if __name__ == "__main__":
    main()
