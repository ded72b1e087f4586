"""Write wines.csv: the list of an invented wine merchant, its wines, wineries and importers, a row each.

All invented; a fixed seed. Hard on purpose: wines whose names are words, people and moods, namesakes
(one wine in two vintages, a wine called like its winery), names that share a part, accents, several
values in a cell, an importer who is a person and owns a winery, columns that only one kind of row
fills, and many cells left empty.

    python3 invent_wines.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from pathlib import Path
from random import Random

COLUMNS = (
    *(
        "name",
        "What It Is",
        "grape",
        "vintage",
        "made by",
        "Imported By",
        "region",
        "price",
        "ALCOHOL",
        "goes with",
    ),
    *(
        "sweetness",
        "bottles_left",
        "shelf",
        "drink_until",
        "Awards",
        "owned by",
        "founded",
        "Vineyard Area",
        "organic",
        "replaced by",
    ),
)
# Winery / region / owned by / founded / hectares / organic / imported by / replaced by
WINERIES = """
Kestrel Hill/Port Hollin/Maud Ferris/1974-03-11/18 ha/yes//
The Orchard/Port Hollin/Marlow & Finch/1999-10-02/6.5 ha/no//
Old Priory/Port Hollin/Sister Columba/1923-08-15//yes//
Château Mirelle/Les Ormes/Hélène Aubry/1788-04-19/64 ha/no/Marlow & Finch/
Domaine Aubry/Les Ormes/Hélène Aubry; Luc Aubry/1911-09-30/22 ha/yes/Blue Door/
Clos du Hibou/Les Ormes/Jean-Rémy Castel/1956-05-06/4 ha/yes/Blue Door/
Weingut Kraus/Kestelberg/Benno Kraus/1867-11-11/31 ha/no/Benno Kraus/
Weingut Vogt/Kestelberg/Anneliese Vogt/1902-02-02/12 ha/yes/Benno Kraus/
Schlosskeller/Kestelberg//1648-06-24/85 ha/no/Harbour Cellars/Weingut Vogt
Quinta da Névoa/Costa Bruma/Teresa Valadão/1938-07-07/40 ha/no/Casa Lopes/
Quinta do Lobo/Costa Bruma/Casa Lopes/1985-01-20/27 ha//Casa Lopes/
Bodega Sarrate/Valdoro/Íñigo Sarrate/1891-10-12/110 ha/no/Harbour Cellars/
Luna Rota/Valdoro/Paz Sarrate/2012-06-21/9 ha/yes/Gulliver/
Tre Fratelli/Upper Sarn/Aldo Bressi; Nino Bressi; Carlo Bressi/1961-03-19/35 ha/no/Gulliver/
Cantina Bressi/Upper Sarn/Aldo Bressi/1995-09-01/14 ha/yes/Finch Brothers/
Kőhegy Cellars/Tarnavia/Zsófia Bárány/2004-04-24/16 ha/yes/Sørensen Wine Trade/
Silence/Tarnavia//2016-12-01/2.5 ha/yes/Sørensen Wine Trade/
Bear Valley/Tarnavia/Sørensen Wine Trade/1949-05-09/150 ha/no/Sørensen Wine Trade/
"""
# Importer / region / owned by / founded / replaced by
IMPORTERS = """
Marlow & Finch/Port Hollin/Ruth Marlow; Edgar Finch/1936-02-14/
Finch Brothers/Port Hollin/Edgar Finch; Tom Finch/1988-08-01/
Benno Kraus/Kestelberg//2001-05-15/
Harbour Cellars/Port Hollin/Maud Ferris/1969-11-03/
Casa Lopes/Costa Bruma/Dulce Lopes/1977-06-10/
Gulliver/Upper Sarn/Nils Gulliver/2010-01-04/
Blue Door/Les Ormes/Odile Tran/2007-09-17/
Sørensen Wine Trade/Tarnavia/Karen Sørensen/1992-03-30/
Dutton's/Port Hollin/Percy Dutton/1925-07-01/Harbour Cellars
"""
# Winery: wine / kind (r w p s o) / grapes / sweetness; kinds: red, white, pink, sparkling, orange
WINES = """
Kestrel Hill: First Light/w/Bacchus/dry; Windhover/s/Chardonnay, Pinot Noir/brut; Maud/p/Pinot Noir/dry; Long Walk Home/r/Pinot Noir/dry
The Orchard: Lazy Sunday/w/Bacchus, Seyval Blanc/off-dry; Apple of My Eye/w/Seyval Blanc/medium sweet; Scarecrow/r/Rondo/dry
Old Priory: Vespers/r/Rondo, Pinot Noir/dry; Sister Columba/w/Bacchus/sweet; Forgiveness/s/Seyval Blanc/brut
Château Mirelle: Grand Mirelle/r/Merlot, Cabernet Franc/dry; Petit Mirelle/r/Merlot/dry; Mirelle Blanc/w/Sémillon, Sauvignon Blanc/dry; Larmes d'Or/w/Sémillon/sweet; Midnight/r/Cabernet Franc, Merlot/dry
Domaine Aubry: Old Vines/r/Syrah, Grenache/dry; La Cousine/p/Grenache, Cinsault/dry; L'Été Indien/w/Viognier/off-dry; Patience/r/Syrah/dry
Clos du Hibou: Le Hibou/w/Chenin Blanc/dry; Petit Hibou/w/Chenin Blanc/medium sweet; Night Owl/s/Chenin Blanc/brut
Weingut Kraus: Steinbruch/w/Riesling/dry; Eiswein/w/Riesling/sweet; Benno's Best/r/Spätburgunder/dry; Heimweh/w/Riesling/off-dry; Mondschein/s/Riesling/extra dry
Weingut Vogt: Steingarten/w/Riesling/dry; Fräulein Vogt/p/Spätburgunder/off-dry; Old Vines/w/Silvaner/dry; Katzensprung/w/Silvaner, Riesling/medium sweet
Schlosskeller: Burggraf/r/Spätburgunder/dry; Schlossberg/w/Riesling/off-dry; Kaiserin/s/Riesling/brut
Quinta da Névoa: Névoa Branco/w/Alvarinho/dry; Névoa Tinto/r/Touriga Nacional, Tinta Roriz/dry; Avó Teresa/r/Touriga Nacional/sweet; Saudade/r/Touriga Nacional, Tinta Roriz/sweet; Fog Horn/w/Alvarinho, Loureiro/dry
Quinta do Lobo: Lobo/r/Tinta Roriz/dry; Lobo Reserva/r/Tinta Roriz, Touriga Nacional/dry; Little Red/p/Touriga Nacional/off-dry
Bodega Sarrate: Sarrate Crianza/r/Tempranillo/dry; Sarrate Reserva/r/Tempranillo, Graciano/dry; Gran Íñigo/r/Tempranillo, Graciano, Garnacha/dry; Toro Loco/r/Garnacha/dry; Mañana/w/Verdejo/dry; Siesta/p/Garnacha/off-dry
Luna Rota: Broken Moon/o/Verdejo/dry; Half a Moon/w/Verdejo/dry; Sin Nombre/r/Garnacha/dry; Midday/p/Garnacha/dry
Tre Fratelli: Aldo/r/Sangiovese/dry; Nino/r/Sangiovese, Merlot/dry; Carlo/w/Vermentino/dry; Zia Pina/s/Glera/extra dry
Cantina Bressi: Uncle Aldo/r/Barbera/dry; Gossip/w/Vermentino/off-dry; Tramonto/o/Vermentino, Malvasia/dry; Bacio/s/Malvasia/sweet
Kőhegy Cellars: Stone Mountain/w/Furmint/dry; Five Baskets/w/Furmint, Hárslevelű/sweet; Bull's Tear/r/Kékfrankos/dry; Zsófi/p/Kékfrankos/dry
Silence: Silence/o/Furmint/dry; Second Silence/o/Furmint, Hárslevelű/dry; Whisper/w/Hárslevelű/dry
Bear Valley: Honey Bear/w/Hárslevelű/sweet; Grumpy Bear/r/Kékfrankos, Merlot/dry; Polar Bear/s/Furmint/brut; Bear Hug/r/Merlot/off-dry
"""
KINDS = {
    "r": "red wine",
    "w": "white wine",
    "p": "rosé wine",
    "s": "sparkling wine",
    "o": "orange wine",
}
FOOD = {
    "r": "roast beef, lamb, game, hard cheese, pizza, stew, duck, mushrooms, wild boar",
    "w": "fish, oysters, chicken, asparagus, salad, goat's cheese, sushi, risotto, mussels",
    "p": "salad, grilled prawns, barbecue, tapas, salmon, goat's cheese",
    "s": "oysters, strawberries, canapés, smoked salmon, crisps",
    "o": "curry, hard cheese, mushrooms, duck, aubergines",
    "sweet": "blue cheese, apple tart, foie gras, chocolate cake, crème brûlée, walnuts",
}
AWARDS = "Hollin Gold Medal, Silver Cork, Golden Grape, Sommeliers' Choice, Bronze Barrel, Regional Trophy, Best Label"
REPLACED = {
    **{
        "Scarecrow": "Vespers",
        "Petit Mirelle": "Nino",
        "Benno's Best": "Burggraf",
        "Schlossberg": "Steingarten",
        "Lobo": "Névoa Tinto",
    },
    **{
        "Toro Loco": "Sin Nombre",
        "Siesta": "Midday",
        "Gossip": "Carlo",
        "Bear Hug": "Bull's Tear",
        "Fog Horn": "Le Hibou",
        "Zia Pina": "Kaiserin",
    },
    **{"Maud": "La Cousine", "Heimweh": "Schlossberg", "Apple of My Eye": "Lazy Sunday"},
}
# Wines whose importer is not their winery's
OTHER_IMPORTER = {
    "Steinbruch": "Harbour Cellars",
    "Saudade": "Finch Brothers",
    "Larmes d'Or": "Blue Door",
    "Aldo": "Finch Brothers",
    "Midday": "Harbour Cellars",
}
GAPS = {
    "vintage": 0.08,
    "price": 0.05,
    "ALCOHOL": 0.08,
    "goes with": 0.1,
    "bottles_left": 0.06,
    "shelf": 0.1,
    "drink_until": 0.15,
    "organic": 0.12,
}


def wine(random, told, winery):
    """One wine's row."""
    name, kind, grapes, sweetness = told.split("/")
    sparkling, late = kind == "s", sweetness == "sweet"
    vintage = random.randrange(
        *((2004, 2019) if late else (2011, 2022) if kind == "r" else (2018, 2024))
    )
    low, high = (
        (18, 70)
        if late
        else {"r": (7, 60), "w": (6, 30), "p": (6, 18), "s": (12, 45), "o": (15, 38)}[kind]
    )
    strong = {"r": (12.5, 15), "w": (11, 14), "p": (11.5, 13), "s": (11, 12.5), "o": (11.5, 13.5)}[
        kind
    ]
    if late:
        strong = (17, 20) if kind == "r" else (7.5, 11)
    food = FOOD["sweet" if late else kind].split(", ")
    row = {
        "name": name,
        "What It Is": KINDS[kind],
        "grape": grapes.replace(", ", "; "),
        "vintage": "" if sparkling and random.random() < 0.5 else str(vintage),
        "made by": winery["name"],
        "Imported By": OTHER_IMPORTER.get(name, winery["Imported By"]),
        "region": winery["region"],
        "price": f"{random.randrange(low * 10, high * 10) // 5 / 2:.2f} EUR",
        "ALCOHOL": f"{random.randrange(int(strong[0] * 2), int(strong[1] * 2) + 1) / 2:.1f} %",
        "goes with": "; ".join(random.sample(food, random.choice((1, 2, 2, 3)))),
        "sweetness": sweetness,
        "bottles_left": str(
            0
            if name in REPLACED and random.random() < 0.7
            else random.choice((1, 3, 6, 8, 11, 12, 17, 24, 30, 36, 48, 60, 75, 96, 144, 210))
        ),
        "shelf": random.choice("ABCDEF") + str(random.randrange(1, 13)),
        "drink_until": str(
            vintage + random.randrange(*((12, 40) if late else (7, 19) if kind == "r" else (6, 11)))
        ),
        "Awards": "; ".join(
            random.sample(AWARDS.split(", "), random.choice((0, 0, 0, 1, 1, 2, 3)))
        ),
        "organic": "no" if winery["organic"] != "yes" or random.random() < 0.15 else "yes",
        "replaced by": REPLACED.get(name, ""),
    }
    for column, share in GAPS.items():
        if random.random() < share:
            row[column] = ""
    return row


def main():
    """Write the table beside this file."""
    random = Random(1961)
    heads = (
        "name",
        "region",
        "owned by",
        "founded",
        "Vineyard Area",
        "organic",
        "Imported By",
        "replaced by",
    )
    wineries = [
        dict(zip(heads, line.split("/"), strict=True), **{"What It Is": "winery"})
        for line in WINERIES.strip().splitlines()
    ]
    heads = ("name", "region", "owned by", "founded", "replaced by")
    importers = [
        dict(zip(heads, line.split("/"), strict=True), **{"What It Is": "importer"})
        for line in IMPORTERS.strip().splitlines()
    ]
    by_name = {winery["name"]: winery for winery in wineries}
    wines = []
    for line in WINES.strip().splitlines():
        name, rest = line.split(": ", 1)
        wines += [wine(random, told, by_name[name]) for told in rest.split("; ")]
    # One wine in a second, older vintage
    older = {
        **next(row for row in wines if row["name"] == "Midnight"),
        "vintage": "2009",
        "price": "48.00 EUR",
        "bottles_left": "5",
        "shelf": "F12",
        "ALCOHOL": "13.0 %",
        "drink_until": "2029",
    }
    wines.append(older)
    rows = wines + wineries + importers
    random.shuffle(rows)
    with open(Path(__file__).with_name("wines.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
