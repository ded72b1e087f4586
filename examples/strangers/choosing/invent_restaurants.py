"""Write restaurants.csv: the restaurants and cafés of Marrowick, an invented city, a row a house.

All invented; a fixed seed. Hard on purpose: houses named after months, weekdays and plain words, names that lie
within other names, two houses of one name, cooks and owners of one surname, accents, apostrophes, several values
in a cell, houses whose sister, bread and cook's training come from other houses of the same table, and empty cells.

    python invent_restaurants.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "name|Kind|Cuisine|head chef|chef_born|Chef Trained At|Owner|sister house|district|opened_on|Seats|price_per_head|stars|Closed On|Serves|Signature Dish|bread from|Distance To Station|terrace|Dogs Allowed".split(
    "|"
)
GAPS = {
    "chef_born": 0.12,
    "Owner": 0.05,
    "opened_on": 0.06,
    "Seats": 0.06,
    "price_per_head": 0.06,
    "stars": 0.06,
    "Closed On": 0.07,
    "Signature Dish": 0.1,
    "Distance To Station": 0.08,
    "terrace": 0.06,
    "Dogs Allowed": 0.08,
    "bread from": 0.12,
}
# District: name/kind/cuisine
HOUSES = """
Harbour Side: The Anchor/restaurant/seafood; The Old Anchor/pub/seafood; Salt/restaurant/seafood; Pier Nine/restaurant/Japanese; Casa Inês/restaurant/Portuguese; Mother Carey's/pub/British; Low Tide/wine bar/seafood; Kettle/café/cakes; The Blue Door/restaurant/Greek; Três Irmãs/restaurant/Portuguese; Gull & Daughter/bakery/cakes; Bosun's Table/restaurant/British
Old Mint: August/restaurant/French; L'Échelle/restaurant/French; The Counting House/restaurant/British; Penny/café/vegetarian; Chez Odette/restaurant/French; Odette/bakery/cakes; Bánh & Bún/canteen/Vietnamese; Zum Alten Hirsch/pub/German; Silver/wine bar/Spanish; Taverna Niko/restaurant/Greek; Crumb/bakery/cakes; Hundred Spoons/canteen/Indian; The Ladder/pub/British
Tanners' Row: Monday/café/vegetarian; Leather Apron/pub/British; Tbilisi Nights/restaurant/Georgian; Pani Zofia/canteen/Polish; Saffron/restaurant/Persian; Saffron House/restaurant/Indian; Injera Corner/canteen/Ethiopian; Smoke/restaurant/grill; Kovács/restaurant/Hungarian; Little Kovács/café/Hungarian; Brown Dog/pub/grill; Mill & Stone/bakery/cakes; Ümit's/canteen/Turkish
Upper Vell: Belvedere/restaurant/Italian; Belvedere Garden/café/Italian; June/restaurant/vegetarian; The Orangery/café/cakes; Hasegawa/restaurant/Japanese; Maison Perrault/restaurant/French; Nine Steps/wine bar/Italian; Chestnut/restaurant/Hungarian; Villa Amparo/restaurant/Spanish; Thé Noir/café/cakes; The Weathercock/pub/British; Quince/restaurant/Persian
Saint-Aubrin: Le Petit Clou/restaurant/French; Le Clou/wine bar/French; Bread and Ink/bakery/cakes; Sacristy/wine bar/Georgian; Café Dragan/café/Balkan; Dragan's Grill/restaurant/grill; Mamma Rosalba/restaurant/Italian; Two Sisters/café/cakes; Phở Tư/canteen/Vietnamese; Bell Tower/restaurant/British; Al-Nour/restaurant/Lebanese; Olive/restaurant/Greek
Lindenmarkt: Market Hall/canteen/German; Linden/café/cakes; Zur Linde/pub/German; Kettle/canteen/vegetarian; El Gallo Azul/restaurant/Mexican; Pickle/canteen/Polish; Cedar Tree/restaurant/Lebanese; Butcher's Son/restaurant/grill; Brotzeit Berta/bakery/cakes; Onda/café/Portuguese; Radish/restaurant/vegetarian; Sunday/restaurant/British; Ginger/restaurant/Indian
Glass Quarter: Prism/restaurant/Nordic; Kiln/restaurant/grill; Blown Away/wine bar/French; Mirror Mirror/café/cakes; Hōshi/restaurant/Japanese; Ingrid's Kitchen/restaurant/Nordic; Lantern/restaurant/Vietnamese; The Red Lantern/restaurant/Chinese; Trattoria Gemma/restaurant/Italian; Gemma/café/Italian; Furnace/bakery/pizza; Anneau/restaurant/French; Sésame/restaurant/Lebanese
Station Hill: Platform/café/British; Last Train/pub/British; Left Luggage/wine bar/Spanish; Masala Express/canteen/Indian; Noodle Junction/canteen/Chinese; Abebe's/restaurant/Ethiopian; Café Minuit/café/French; Pizza Ruggero/restaurant/pizza; Taquería Lupe/canteen/Mexican; Signal Box/bakery/cakes; Waiting Room/café/cakes; Grand Buffet/restaurant/French; March/restaurant/Nordic
Ropewalk: Hemp & Honey/café/vegetarian; The Knot/pub/British; Bodega Sol/wine bar/Spanish; Jean-Luc's/restaurant/French; Çiçek/restaurant/Turkish; Long Table/canteen/vegetarian; Ostrich/restaurant/grill; Good Luck Duck/restaurant/Chinese; Babcia/restaurant/Polish; Rope's End/pub/seafood; Half Moon/bakery/cakes; Moon/restaurant/Japanese
"""
DISHES = """
seafood: eel pie, grilled sardines, crab soup, mussels in cider, salt-baked bream, oyster stew; Japanese: black cod, eel rice, buckwheat noodles, tuna belly; Portuguese: cod fritters, clay-pot octopus, custard tarts, green soup; British: mutton pie, beef cheek pudding, rarebit, smoked haddock, rhubarb crumble, roast goose
cakes: plum cake, poppy seed roll, lemon tart, walnut torte, cardamom bun, rye loaf, cherry strudel; Greek: lamb shank, stuffed vine leaves, grilled octopus; French: duck confit, onion soup, pike dumplings, snails, rabbit in mustard, cheese soufflé; vegetarian: beetroot dumplings, nettle soup, mushroom pie, pumpkin curry, lentil stew
Vietnamese: beef noodle soup, lemongrass chicken, summer rolls; German: pork knuckle, spaetzle, venison goulash; Spanish: squid-ink rice, anchovies on toast, oxtail; Indian: fish curry, pumpkin curry, lamb biryani, lentil pancakes; Georgian: cheese bread, walnut aubergines; Polish: beetroot soup, potato dumplings, bigos
Persian: saffron chicken, pomegranate duck; Ethiopian: chicken stew, lentil stew; grill: lamb ribs, ox heart, smoked brisket, charred leeks; Hungarian: fish soup, goose liver, cherry soup; Turkish: lamb kebab, stuffed mussels; Italian: pumpkin ravioli, tripe, veal in tuna sauce, hazelnut ice cream; Balkan: bean soup
Lebanese: lamb kibbeh, smoked aubergine, pistachio pastries; Mexican: turkey in chocolate sauce, pork tacos; Nordic: pickled herring, reindeer tartare, birch ice cream; Chinese: hand-pulled noodles, roast duck, drunken chicken; pizza: potato pizza, anchovy pizza
"""
FIRST = "Tomasz, Beatriz, Ruth, Kenji, Inês, Albert, Delphine, Hugo, Eleni, Rui, Maud, Desmond, Solène, Gaspard, Winifred, Ivo, Odile, Linh, Rudolf, Paloma, Nikos, Agathe, Harpreet, Nora, Clemens, Giorgi, Halina, Shirin, Arjun, Selam, Marcus, Ilona, Zsolt, Bettina, Emre, Lorenzo, Fiamma, Ottilie, Naoko, Étienne, Cosimo, Réka, Amparo, Lucien, Barnaby, Darius, Yvette, Tamar, Goran, Milica, Rosalba, Greta, Tuyết, Ciarán, Rania, Stavros, Jost, Irmgard, Lupita, Bogdan, Karim, Axel, Åse, Jasmin, Matthias, Bao, Mei, Gemma, Sverre, Dinah"
LAST = "Wenzel, Marlowe, Pike, Nakagawa, Teixeira, Crabbe, Faucher, Lund, Pappas, Serrano, Holloway, Baker, Rosier, Vass, Cook, Petridis, Gill, Winter, Beridze, Nowak, Farahani, Tadesse, Stern, Kovács, Demir, Bellini, Orsini, Fujita, Perrault, Vidal, Lelieveld, Savić, Haddad, Steiner, Ruiz, Hansen, Lindqvist, Okafor, Sze, Tran"
OWNERS = "Cornelius Vane, Hortense Vane, Ignatius Pike, Dorothea Lund, Old Bastian Rook, Leonie Sternberg, Marguerite d'Aubry, Félix Oyelaran, Theo Kovács, Piroska Kovács, Gudrun Halvorsen, Walter Summer, Estela Brandão, Rashad Haddad, Madame Quill, Jasper Tolliver, Bronwen O'Shea, Nils-Peter Aagaard, Sabine Mossbach, Achille Corvo, Honoria Baker, Wei Lan Sze, Umberto Gallo, Prudence Achterberg, The Weavers' Cooperative, Zdenka Hrubá"
DAYS = "Monday; Tuesday; Sunday; Monday; Wednesday; never; Sunday; Sunday|Monday; Monday|Tuesday; Thursday; Monday; Saturday|Sunday; Tuesday|Wednesday; Monday; Friday".split(
    "; "
)
# Kind: price from, to; seats from, to; what it serves, perhaps
KINDS = {
    "restaurant": (
        24,
        98,
        22,
        130,
        ["lunch; dinner", "dinner", "dinner", "lunch; dinner", "brunch; dinner"],
    ),
    "pub": (14, 32, 40, 160, ["lunch; dinner", "dinner", "lunch; dinner; late snacks"]),
    "wine bar": (20, 45, 16, 48, ["dinner; late snacks", "late snacks", "dinner"]),
    "café": (
        7,
        19,
        12,
        60,
        [
            "breakfast; lunch",
            "breakfast; brunch",
            "breakfast; lunch; afternoon tea",
            "afternoon tea",
        ],
    ),
    "bakery": (4, 12, 4, 24, ["breakfast", "breakfast; lunch", "breakfast; afternoon tea"]),
    "canteen": (8, 16, 30, 120, ["lunch", "lunch; dinner", "breakfast; lunch"]),
}
METRES = {
    "Station Hill": 2,
    "Lindenmarkt": 7,
    "Old Mint": 11,
    "Ropewalk": 16,
    "Tanners' Row": 14,
    "Glass Quarter": 21,
    "Saint-Aubrin": 24,
    "Harbour Side": 30,
    "Upper Vell": 38,
}
# Known: name / column / cell
KNOWN = """
Monday/Closed On/Tuesday; Sunday/Closed On/Monday; August/opened_on/1994-03-17; June/opened_on/2016-11-02; August/stars/2; Maison Perrault/stars/3; Hasegawa/stars/3; Prism/stars/2; L'Échelle/stars/1; Salt/stars/1; Kiln/stars/1; Smoke/stars/0; Hōshi/stars/1
The Old Anchor/opened_on/1887-05-01; Zum Alten Hirsch/opened_on/1902-10-12; Grand Buffet/opened_on/1911-07-08; Little Kovács/sister house/Kovács; Kovács/sister house/Little Kovács; Belvedere Garden/sister house/Belvedere; Odette/sister house/Chez Odette; Chez Odette/sister house/Odette; Le Clou/sister house/Le Petit Clou
Kovács/Owner/Piroska Kovács; Little Kovács/Owner/Theo Kovács; Prism/Chef Trained At/Maison Perrault; Kiln/Chef Trained At/Prism; Pier Nine/Chef Trained At/Hasegawa; Moon/Chef Trained At/Hasegawa; Salt/Chef Trained At/August; Brown Dog/Dogs Allowed/no; Olive/terrace/no; Belvedere Garden/terrace/yes; Hasegawa/Signature Dish/eel rice; Maison Perrault/price_per_head/185 EUR; Hasegawa/price_per_head/160 EUR
Platform/Distance To Station/0.1 km; Last Train/Distance To Station/0.1 km; Long Table/Seats/212; Penny/price_per_head/6 EUR; Ostrich/head chef/Ruth Winter; Crumb/head chef/Honoria Baker; Crumb/Owner/Honoria Baker; Mamma Rosalba/head chef/Rosalba Orsini; Trattoria Gemma/head chef/Gemma Bellini; Gemma/head chef/Gemma Bellini; Hasegawa/head chef/Naoko Fujita; Jean-Luc's/head chef/Lucien Rosier
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def house(name, kind, cuisine, district, chef, dishes, random):
    """A house with all that needs no other house."""
    low, high, small, large, meals = KINDS[kind]
    born = random.randint(1955, 1996)
    return {
        "name": name,
        "Kind": kind,
        "Cuisine": cuisine,
        "head chef": chef,
        "chef_born": str(born),
        "Owner": chef if random.random() < 0.14 else random.choice(listed(OWNERS)),
        "district": district,
        "opened_on": (
            date(random.randint(1968, 2023), 1, 1) + timedelta(random.randrange(365))
        ).isoformat(),
        "Seats": str(random.randint(small, large)),
        "price_per_head": f"{random.randint(low, high)} EUR",
        "stars": random.choice("0000001") if kind == "restaurant" else "0",
        "Closed On": random.choice(DAYS).replace("|", "; "),
        "Serves": random.choice(meals),
        "Signature Dish": random.choice(dishes[cuisine]),
        "Distance To Station": f"{max(1, METRES[district] + random.randint(-6, 6)) / 10} km",
        "terrace": random.choice(["yes", "no"]),
        "Dogs Allowed": random.choice(["yes", "no", "no"]),
    }


def houses(random):
    """Every house of every district, and which belongs to which."""
    dishes = {c: d.split(", ") for c, d in (pair.split(": ") for pair in listed(DISHES, "; "))}
    lines = [
        (line.split(": ")[0], *h.split("/"))
        for line in HOUSES.strip().splitlines()
        for h in line.split(": ")[1].split("; ")
    ]
    chefs = set()
    rows = []
    for district, name, kind, cuisine in lines:
        while (chef := f"{random.choice(listed(FIRST))} {random.choice(listed(LAST))}") in chefs:
            pass
        chefs.add(chef)
        rows.append(house(name, kind, cuisine, district, chef, dishes, random))
    names = [row["name"] for row in rows]
    single = [row for row in rows if names.count(row["name"]) == 1]
    bakeries = [row for row in rows if row["Kind"] == "bakery"]
    for row in rows:
        others = [o for o in single if o is not row]
        owned = [o["name"] for o in others if o["Owner"] == row["Owner"]]
        row["sister house"] = random.choice(owned) if owned and random.random() < 0.75 else ""
        schools = [
            o
            for o in others
            if o["Kind"] in {"restaurant", row["Kind"]} and o["opened_on"] < row["opened_on"]
        ]
        near = [o["name"] for o in schools if o["Cuisine"] == row["Cuisine"]] or [
            o["name"] for o in schools
        ]
        row["Chef Trained At"] = random.choice(near) if near and random.random() < 0.8 else ""
        row["bread from"] = random.choice([o["name"] for o in bakeries if o is not row])
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN, "; "):
        name, column, cell = fact.split("/")
        next(row for row in rows if row["name"] == name)[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with (
        Path(__file__).with_name("restaurants.csv").open("w", encoding="utf-8", newline="") as file
    ):
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(houses(Random(83)))


if __name__ == "__main__":
    main()
