"""Write lands.csv: about 1,500 facts on an invented continent, as somebody might keep them.

Countries with their capitals, neighbours and rulers; towns, rivers, mountains; and the people who
govern them. Nothing in it exists. The names are hard on purpose: common words, accents, digits,
one letter between two of them, and two things of one name.

python examples/strangers/invent_lands.py
"""

import csv
import random
from pathlib import Path

# Four rows from north to south; a country borders those beside, above and below it.
MAP = """Tøvland, Brannoe, Marsk, Upper Sel, Qirat
Corrow, Lower Sel, Ostrel, Hesk, Ummar, Dunmere
Sarn, Veldria, The Marches, Kessary, Ilvane, Nantor
Côte-Brune, Sarne, Ket'al, Free Coast, Çelmar"""
COASTS = """Pale Sea: Tøvland, Brannoe, Marsk, Upper Sel, Qirat; Amber Gulf: Dunmere, Nantor
Southern Deep: Côte-Brune, Sarne, Ket'al, Free Coast, Çelmar, Twelve Islands
West Ocean: Corrow, Sarn, Saint Orrin"""

# Country: towns, the capital first | currency | languages | exports | head of government |
# monarch (K) or president (P).
COUNTRIES = """
Tøvland: Ångvik, Skarø, Hammerlid, Post 9 | tøv mark | Tøvic | cod, timber | Ingrid Halvar | K Eystor III
Brannoe: Brannow, Eld, Rose Field, Kirkhold | florin | Brannish | wool, cheese | Will May | K Isaura II
Marsk: Marskholm, Thorn, Vessel, Grauwick | florin | Brannish, Selic | clocks, amber, paper | Jürgen Thorn | P Lena Brown
Upper Sel: Selhaven, Overmoor, Three Oaks, Ozra | sel crown | Selic | tin, wool | Zoë Aldersey | P Zoë Aldersey
Qirat: Qirat City, Zahl, Nal'at, Bir Dura | qiri | Qiri, Old Ummaric | oil, salt | Samir Nal | K Rashun I
Corrow: Corrowgate, Newbridge (Corrow), Stone, Wych End | florin | Corrish | coal, glass, cod | May Brown | P Ann-Marie Stone
Lower Sel: Selbrück, Aldersey, Hope, Miller's Rest | sel crown | Selic, Velder | paper, cheese, tin | J. P. Orrel | P Otto Brandau
Ostrel: Ostrella, Petrau, Łorz, Marnik, Velden | lat | Ostrelian | glass, horses | Marten Quist | P Ludmila Petrau
Hesk: Heskar, Tindal, Broda, Kolm | hesk mark | Heskan, Ostrelian | silver, coal, timber | Irena Łoza | P Goran Tindel
Ummar: Ummarat, Dessin, Tel Orim, Sand | dinar | Old Ummaric | oil, copper, marble | Dalia Umbari | K Faris VI
Dunmere: Port Hallow, Old Hallow, Sailor's Rest, Gull Point | dun pound | Dunnish | cod, tin, whisky | Fergus O'Dwale | K Aldith IV
Sarn: Sarnport, Ilse, The Gate, Fisk | sarn gulden | Sarnish | tulips, cheese | Piet van der Holm | K Lambrecht V
Veldria: Veldra, Käferau, Holz, Lindrach | thaler | Velder | clocks, timber, glass | Käthe Grünau | P Heinz Käferle
The Marches: March Town, Fort 14, Border, Newbridge (The Marches) | march penny | Corrish, Velder, Marcher | wool, horses, salt | Edmund Vayle | K Aldemar IX
Kessary: Kess, Tamáz, Orshk, Kessandor | kes | Kessar | wine, horses, copper | Tamáz Kerrek | P Bela Orshan
Ilvane: Ilvanna, Fontelle, Belle Rive, Saint-Aubrel | écu | Ilvois | wine, marble | Aurélie Fontrel | P Aurélie Fontrel
Nantor: Nan'tuk, Pirrit, Ohué, Long Sands | shell | Nantuk | pearls, rice, tea | Pirro Nakoa | P Kai Nakoa
Côte-Brune: Port-Brun, Marzel, L'Étang, Vigne | écu | Brunois, Ilvois | wine, salt, oranges | Jean-Luc Marzel | P Odile Vigneau
Sarne: Sarnhaven, Tolle, Eichmoor | thaler | Velder, Sarnish | paper, amber | Martin Quist | P Frieda Tollmann
Ket'al: Xalté, Tecolo, Quimbo | peso nuevo | Ket, Brunois | silver, oranges, coffee, copper | Inés Núñal | P Rufina de la Cal
Free Coast: Freehaven, Nine Wells, Salt, Anker | common dollar | Coastal | salt, rice | Grace Summer | P Grace Summer
Çelmar: Çelmarin, Iznar, Şarla | para | Çelmari | tea, oranges, marble | Şule Demirgör | P Kemran Iznar
Saint Orrin: Orrin, Parson's Bay, Cray | dun pound | Dunnish | whisky | Hope Carrow | K Aldith IV
Twelve Islands: First Landing, Lagoon, Koro'a | common dollar | Nantuk, Coastal | pearls, cod | | P Tui Koroa
"""  # noqa: E501

MOUNTAINS = """Ozra: Upper Sel; The Needle: Tøvland; Old Man: Corrow; V4: Kessary; Peak 31: Hesk
First Sister: Lower Sel; Second Sister: Lower Sel, Veldria; Mount Halder: Ostrel; Iron Tooth: Marsk
Grand Corne: Ilvane, Çelmar; Dent Fauve: Côte-Brune; Tindhorn: Hesk, Ostrel; Lesser Tindhorn: Hesk
Skarhorn: Tøvland; Ångtind: Tøvland, Corrow; Kolmspitze: Sarne; Koljan: Ostrel; Koljen: Veldria
Jebel Zahl: Qirat, Ummar; Pico Xalté: Ket'al; Cerro Núñal: Ket'al, Free Coast; Widow: Brannoe
Devil's Table: The Marches; The Anvil (Hesk): Hesk; The Anvil (Dunmere): Dunmere; Wolfsrück: Veldria
St. Aubrel's Chair: Ilvane; Brown Hill: Saint Orrin; Mount May: Nantor; Kara Gör: Çelmar
Long Back: The Marches, Kessary; Smoking Peter: Twelve Islands"""

# A river and the mountain where it rises, or nothing.
RIVERS = """Marl: Mount Halder; Marle: Koljan; Long: Long Back; Slow Water: Devil's Table; Sel: Ozra
Ouden: Wolfsrück; Brann: Widow; Grey Ann: Iron Tooth; Öre: Ångtind; Hesk Water: Peak 31; Will: V4
Umm: Jebel Zahl; Ilve: Grand Corne; Nant: Mount May; Kesh: Long Back; Little Kesh: V4; Lind: Koljen
Étoile: Dent Fauve; River Sarn: Second Sister; Dun: The Anvil (Dunmere); Corr: Old Man; Qir:
Wend: First Sister; Black Eel: St. Aubrel's Chair; Vistra: Tindhorn; Tolle: Kolmspitze; Pirr:
Three Mile Creek: Brown Hill; Ånga: Skarhorn; Rio Quimbo: Pico Xalté; Goose: Cerro Núñal"""

MAYORS = """Astrid Nøk, Ole Skarben, Bjørn Halvar, Zoë Marsh, Rosie Field, Nils Kirkhold, Uwe Grau
Greta Thornby, Anke Vossel, Silas Overmoor, Dora Oakes, Ben Halder, Leyla Zahr, Omar Duray
Yusuf Nal, Clem Wych, April Stone, Hugh Bridger, Elsie Gatt, Mathis Alder, Mark Hope, Vera Lorzek
Paweł Marnik, Dušan Petrik, Jana Velde, Mira Kolmar, Stepan Brodar, Nadia Sandur, Idris Telorim
Amal Dessin, Kit O'Dwale, Peg Hallow, Jack Gull, Brigid Rowe-Hallow, Ilse Fisker, Joost Gatema
Floor de Wend, Konrad Käfer, Liesl Holzer, Bruno Lindrach, Percy Fort, Agnes Border, Tilda Marchmain
Árpád Kesk, Réka Tamázi, Sándor Orshi, Noémie Rive, Blaise Aubrel, Théo Fontrel, Lani Pirrit
Moana Sands, Kiri Nakoa, Luc Étang, Mireille Vigneau, Bastien Brun, Elke Eichmoor, Rolf Sarnow
Xochi Tecol, Ramón Quimbal, Pilar Xal, Nell Quay, Walt Wells, Deniz Çelmen, Ayşe Şarlan, Ned Parson
Ivy Cray, Tane Koroa, Ana T. Vesk, R. J. Crumb, Will Brown"""
PARTIES = """Harvest Party, The Lanterns, Free Road, National Union, Blue List, Labour Front
Reform 21, Workers' Bloc, independent"""
PROFESSIONS = """lawyer, teacher, doctor, farmer, engineer, economist, soldier, journalist, baker
nurse, judge, actor, historian, fisherman, architect, miner, vet"""


def listed(text: str, mark: str = ",") -> list[str]:
    """Return the parts of a text, lines being parts as well."""
    return [part.strip() for part in text.replace("\n", mark).split(mark) if part.strip()]


def borders() -> dict[str, list[str]]:
    """Return the neighbours of each country; rows of five are half a country narrower each side."""
    places = {
        name: (row, column + (6 - len(names)) / 2)
        for row, names in enumerate(map(listed, MAP.splitlines()))
        for column, name in enumerate(names)
    }
    return {
        name: [
            other
            for other, (r, c) in places.items()
            if other != name and abs(r - row) <= 1 and abs(c - column) <= (1 if r == row else 0.5)
        ]
        for name, (row, column) in places.items()
    }


def facts(dice: random.Random) -> list[tuple[str, str, str]]:
    """Return all facts, entity by entity."""
    found: list[tuple[str, str, str]] = []
    near, towns, home = borders(), dict[str, str](), dict[str, str]()
    coasts = [line.split(": ") for line in listed(COASTS, ";")]
    sea = {country: name for name, countries in coasts for country in listed(countries)}

    def add(subject: str, relation: str, *objects: object, known: float = 1.0) -> None:
        if dice.random() < known:
            found.extend((subject, relation, str(o)) for o in objects if o)

    def date(first: int, last: int) -> str:
        return f"{dice.randint(first, last)}-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}"

    for line in COUNTRIES.strip().splitlines():
        country, rest = line.split(": ")
        within, currency, languages, exports, head, state = map(str.strip, rest.split("|"))
        towns |= dict.fromkeys(listed(within), country)
        home |= {name: country for name in (head, state[2:]) if name and name not in home}
        add(country, "capital", listed(within)[0])
        add(country, "currency", currency, known=0.96)
        add(country, "official language", *listed(languages))
        size = 100 * dice.randint(240, 3_900)
        add(country, "population", size * dice.randint(50, 210), known=0.96)
        add(country, "area", f"{size:,} km2", known=0.92)
        add(country, "borders", *near.get(country, []))
        year = dice.randint(1180, 1975)
        add(country, "founded", date(year, year) if year > 1750 else year, known=0.88)
        add(country, "head of government", head)
        add(country, "monarch" if state[0] == "K" else "president", state[2:])
        add(country, "exports", *listed(exports), known=0.96)
        add(country, "drives_on", dice.choice(["left", "right", "right"]), known=0.9)
        add(country, "landlocked", "no" if country in sea else "yes")

    passing: dict[str, list[str]] = {}  # the rivers of a country
    mountains = dict(part.split(": ") for part in listed(MOUNTAINS, ";"))
    for part in listed(RIVERS, ";"):
        river, source = (side.strip() for side in part.split(":"))
        path = listed(mountains.get(source, {"Qir": "Qirat"}.get(river, "Nantor")))[-1:]
        while path[-1] not in sea and (path[-1] not in passing or dice.random() < 0.7):
            path.append(dice.choice([country for country in near[path[-1]] if country not in path]))
        into = sea.get(path[-1]) or dice.choice(passing[path[-1]])
        for country in path:
            passing.setdefault(country, []).append(river)
        add(river, "length", f"{sum(dice.randint(60, 290) for _ in path)} km", known=0.94)
        add(river, "flows_into", into)
        add(river, "rises_in", source)
    for mountain, countries in mountains.items():
        add(mountain, "height", f"{dice.randint(890, 5400):,} m")
        add(mountain, "lies in", *listed(countries))
        add(mountain, "first_climbed", dice.randint(1786, 1968), known=0.8)

    mayors, pairs = listed(MAYORS), list(towns)
    dice.shuffle(pairs)
    twins: dict[str, list[str]] = {town: [] for town in towns}
    for one, other in zip(pairs[:70:2], pairs[11:81:2], strict=True):
        if towns[one] != towns[other]:
            twins[one], twins[other] = [*twins[one], other], [*twins[other], one]
    for town, country in towns.items():
        big = (country, "capital", town) in found
        people = dice.randint(190_000, 1_600_000) if big else dice.randint(1_900, 170_000)
        add(town, "in_country", country)
        add(town, "population", people, known=0.95)
        mayor = f"Marten Vael ({town})" if town in ("Thorn", "Anker") else None
        if mayor or (mayors and dice.random() < 0.8):
            home[mayor := mayor or mayors.pop(0)] = country
            add(town, "mayor", mayor)
        rivers = ["Tolle"] if town == "Tolle" else passing.get(country, [])
        some = dice.sample(rivers, min(len(rivers), 2 if dice.random() < 0.12 else 1))
        add(town, "lies on river", *some, known=0.92)
        add(town, "elevation", f"{dice.randint(2, 980):,} m", known=0.9)
        add(town, "twin town", *twins[town])
    for person, country in home.items():
        there = [town for town in towns if towns[town] == country]
        add(person, "born_in", dice.choice(there if dice.random() < 0.7 else pairs), known=0.93)
        add(person, "born_on", date(1938, 1991), known=0.9)
        if (country, "monarch", person) not in found:
            add(person, "party", dice.choice(listed(PARTIES)), known=0.85)
            trades = dice.sample(listed(PROFESSIONS), 2 if dice.random() < 0.1 else 1)
            add(person, "profession", *trades, known=0.93)
    return found


def main() -> None:
    """Write the facts beside this script, under a row that names the columns."""
    with Path(__file__).with_name("lands.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("subject", "relation", "object"))
        writer.writerows(facts(random.Random(11)))


if __name__ == "__main__":
    main()
