"""Write recipes.csv: the dishes, cooks and houses of an invented restaurant group, a row each.

All invented; a fixed seed. Hard on purpose: dishes whose names are words, days, people and weather,
namesakes of two kinds, names that share a part, accents, side dishes that are dishes, cooks trained
under other cooks, times partly in minutes and partly in hours, several values in a cell, and many
cells left empty.

    python3 invent_recipes.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *(
        "name",
        "kind",
        "Price",
        "cooking_time",
        "main ingredient",
        "Allergens",
        "side_dishes",
        "cooked by",
        "Invented By",
        "Served At",
    ),
    *(
        "replaces",
        "country_of_origin",
        "On Menu Since",
        "Portion Weight",
        "vegetarian",
        "plates sold last year",
        "Works At",
        "trained_under",
        "Based In",
        "opened",
    ),
)
GAPS = {
    "Price": 0.04,
    "cooking_time": 0.06,
    "cooked by": 0.07,
    "Invented By": 0.15,
    "country_of_origin": 0.12,
    "On Menu Since": 0.1,
    "Portion Weight": 0.12,
    "plates sold last year": 0.1,
}
# kind: pence / minutes / grams
SIZES = {
    "starter": (620, 1480, 5, 45, 90, 220),
    "soup": (540, 1150, 20, 170, 240, 380),
    "main course": (1290, 3150, 20, 260, 260, 620),
    "side dish": (320, 690, 8, 70, 110, 260),
}
SIZES |= {
    "dip": (150, 390, 5, 40, 30, 80),
    "dessert": (480, 1190, 10, 120, 80, 230),
    "breakfast": (590, 1350, 6, 40, 150, 420),
}
# kind: name/main ingredient/country
DISHES = """
starter: Paper Boats/chicory/Belgium; First Snow/mozzarella/Italy; Good Neighbours/chickpeas/Lebanon; Velvet Glove/duck liver/France; Lantern/prawns/Thailand; Handkerchief/lamb/Turkey; Whisper/oysters/France; Northern Star/herring/Norway; Crooked Toast/sardines/Portugal; Gåsøga/quail eggs/Norway; Old Friends/mushrooms/Poland; Old Enemies/anchovies/Spain; Matchsticks/asparagus/Germany
soup: Rainy Tuesday/leek/Wales; Borrowed Umbrella/tomato/Italy; Żabka/sorrel/Poland; Grandfather Clock/oxtail/England; Lost Button/barley/Scotland; Fogbank/clams/Scotland; Sopa Begoña/garlic/Spain; Ember/pumpkin/Austria; Green Ribbon/peas/Sweden; Slow Train/black beans/Cuba
main course: Harbour Master/monkfish/Portugal; Harbour Mistress/sea bass/Greece; Gamekeeper/venison/Scotland; Quiet Gamekeeper/mushrooms/Scotland; Red Umbrella/duck/France; Brother Anselm/pork/Germany; Sister Anselma/pork/Germany; Hat Trick/beef/England; Ladrón/lamb/Spain; Kåre's Catch/cod/Norway; Winter Coat/beef/Hungary; Summer Coat/courgette/Hungary; The Long Weekend/pork/Cuba; Short Weekend/chicken/Cuba; Feijão Rei/black beans/Brazil; Emperor's Slippers/veal/Austria
main course: Miner's Pie/lamb/Wales; Postman/chicken/England; Postman's Holiday/chicken/Morocco; Tofu or Not/tofu/Japan; Pearl Diver/scallops/Japan; Étouffée Odile/crayfish/France; Jötunn/elk/Sweden; Three Wishes/salmon/Norway; Bad Weather/sausages/Germany; Good Weather/trout/Austria; Käsekönig/cheese/Switzerland; Rosa/pork/Portugal; Sunday/chicken/England; Mirage/lamb/Morocco; Caravan/goat/Morocco; Night Ferry/mussels/Belgium
side dish: Gravel/bulgur/Turkey; Golden Gravel/couscous/Morocco; Bonfire Potatoes/potatoes/England; Drowned Potatoes/potatoes/Spain; Butter Street/cabbage/Poland; Little Rug/wheat/Lebanon; Confetti/peppers/Hungary; Green Fingers/green beans/France; Moss/spinach/Italy; Hat Trick/rice/Japan; Driftwood/parsnips/England; Rocket Science/rocket/Italy; Crackle/fennel/Italy; Purée Aimée/celeriac/France; Bread and Patience/rye/Sweden; Pebble Beach/lentils/France
dip: Quicksand/sesame/Lebanon; Lava/chilli/Mexico; Bluebeard/blue cheese/England; Kiss/lime/Mexico; Allioli Ximena/garlic/Spain; Dusk/aubergine/Turkey
dessert: Northern Star/cloudberries/Norway; Regret/chocolate/Belgium; No Regret/dates/Morocco; Blue Hour/blueberries/Sweden; Île d'Éléonore/egg whites/France; Snow Queen/coconut/Brazil; Crescent/pistachios/Turkey; Curtain Call/cherries/Austria; Encore/coffee/Italy; Umbrella/pineapple/Cuba; Pudim Inês/milk/Portugal; Hazel/hazelnuts/Italy; Lullaby/rice/Portugal; Sunday/rhubarb/England; Käthchen/quark/Germany; Goodbye/lemon/Italy
breakfast: Alarm Clock/eggs/Mexico; Snooze/oats/Scotland; Early Shift/bacon/England; Late Shift/buckwheat/France; Smörgås Stina/salmon/Sweden; Hangover/eggs/Poland
"""
MEAT = {
    "duck liver",
    "prawns",
    "lamb",
    "oysters",
    "herring",
    "sardines",
    "anchovies",
    "oxtail",
    "clams",
    "monkfish",
    "sea bass",
    "venison",
    "duck",
    "pork",
    "beef",
    "cod",
    "chicken",
    "veal",
    "scallops",
    "crayfish",
    "elk",
    "salmon",
    "sausages",
    "trout",
    "goat",
    "mussels",
    "bacon",
}
HAVE = {
    "fish": "herring,sardines,anchovies,monkfish,sea bass,cod,salmon,trout",
    "shellfish": "prawns,oysters,clams,scallops,crayfish,mussels",
    "milk": "mozzarella,cheese,blue cheese,quark,milk,coffee",
    "egg": "eggs,quail eggs,egg whites",
}
HAVE |= {
    "gluten": "barley,bulgur,couscous,wheat,rye,oats,sausages",
    "nuts": "pistachios,hazelnuts",
    "sesame": "sesame,chickpeas",
    "soya": "tofu",
    "celery": "celeriac",
}
MORE = {"milk": 0.3, "gluten": 0.25, "egg": 0.15, "mustard": 0.1, "celery": 0.08, "nuts": 0.07}
# cook/works at/trained under/country
COOKS = """
Amparo Ruiz/Casa Bergamota//Spain; Anselm Brandt/Copper Kettle//Germany; Odile Marchand/The Blue Door//France; Rosa Pinto/Casa Bergamota/Amparo Ruiz/Portugal; Per Lindqvist/Fjällstuga//Sweden; Petra Lindqvist/Upstairs/Odile Marchand/Sweden; Tomasz Wilk/Copper Kettle/Anselm Brandt/Poland
Yusuf Demir/Downstairs/Petra Lindqvist/Turkey; Basil Hart/The Anchor/Giles Fairweather/England; Holly Hart/Saltbox/Odile Marchand/England; Jun Mori/Upstairs//Japan; Kwabena Osei/Saltbox/Jun Mori/Ghana; Maeve Kerrigan/The Anchor/Giles Fairweather/Ireland; Núria Soler/The Blue Door/Amparo Ruiz/Spain
Giles Fairweather/The Anchor//England; Sophie Weiß/Downstairs/Anselm Brandt/Austria; Ximena Cruz/Casa Bergamota/Rosa Pinto/Mexico; Stina Åberg/Fjällstuga/Per Lindqvist/
"""
HOUSES = "Saltbox/Port Ellery/2011; The Anchor/Port Ellery/1978; Copper Kettle/Ashcombe/1994; Casa Bergamota/Marlow Quay/2006; Fjällstuga/Upper Ashcombe/2015; Upstairs/Dunmere/2001; Downstairs/Dunmere/2019; The Blue Door/Sankt Lorenz/1989; Tin Roof//2023"
GUESTS = ["Old Mr Peeters", "Aunt Dorothea", "Fernanda Vale", "Brother Anselm Krug"]
# Known: name / kind / column / cell
KNOWN = """
Sister Anselma/main course/replaces/Brother Anselm; Quiet Gamekeeper/main course/replaces/Gamekeeper; Summer Coat/main course/replaces/Winter Coat; Good Weather/main course/replaces/Bad Weather; No Regret/dessert/replaces/Regret; Golden Gravel/side dish/replaces/Gravel; Harbour Mistress/main course/replaces/Harbour Master; Short Weekend/main course/replaces/The Long Weekend
Grandfather Clock/soup/Served At/The Anchor; Grandfather Clock/soup/cooked by/Maeve Kerrigan; Grandfather Clock/soup/Invented By/Giles Fairweather; Winter Coat/main course/cooking_time/4 h; Miner's Pie/main course/cooking_time/95 min
The Long Weekend/main course/cooking_time/9 h; The Long Weekend/main course/Portion Weight/1.2 kg; Étouffée Odile/main course/Invented By/Odile Marchand; Allioli Ximena/dip/Invented By/Ximena Cruz; Smörgås Stina/breakfast/Invented By/Stina Åberg; Rosa/main course/Invented By/Rosa Pinto; Brother Anselm/main course/Invented By/Anselm Brandt
Grandfather Clock/soup/On Menu Since/1978-05-06; Hat Trick/main course/On Menu Since/1981-11-14; Brother Anselm/main course/On Menu Since/1994-10-03; Gamekeeper/main course/On Menu Since/1989-09-18; Winter Coat/main course/On Menu Since/1996-01-15; Regret/dessert/On Menu Since/1999-12-31; Bad Weather/main course/On Menu Since/2002-03-04
Harbour Master/main course/On Menu Since/2004-06-21; The Long Weekend/main course/On Menu Since/2007-08-24; Sunday/dessert/plates sold last year/6120; Jötunn/main course/Price/£38.00; Crackle/side dish/side_dishes/Kiss; Bonfire Potatoes/side dish/side_dishes/Bluebeard; Little Rug/side dish/side_dishes/Quicksand; Drowned Potatoes/side dish/side_dishes/Allioli Ximena
"""


def listed(text):
    """What a constant names, one after another."""
    return [part.split("/") for part in text.strip().replace("\n", "; ").split("; ")]


def some(choices, most, random):
    """A few of some, joined as in a cell."""
    return "; ".join(random.sample(choices, min(len(choices), random.randint(1, most))))


def dish(kind, name, ingredient, country, cooks, random):
    """A dish with all that needs no other dish."""
    low, high, quick, slow, light, heavy = SIZES[kind]
    minutes = quick * (slow / quick) ** random.random()
    cook = cooks[int(len(cooks) * random.random() ** 1.4)]
    houses = [
        cook[1],
        *random.sample(
            [h[0] for h in listed(HOUSES) if h[0] not in (cook[1], "Tin Roof")],
            random.choice([0, 0, 1, 1, 2, 3]),
        ),
    ]
    found = {what for what, where in HAVE.items() if ingredient in where.split(",")} | {
        what for what, share in MORE.items() if random.random() < share
    }
    found -= {"mustard", "celery"} if kind == "dessert" else set()
    return {
        **{
            "name": name,
            "kind": kind,
            "Price": f"£{random.randrange(low, high, 10) / 100:.2f}",
            "main ingredient": ingredient,
            "country_of_origin": country,
        },
        **{
            "cooking_time": f"{round(minutes / 30) / 2:g} h"
            if minutes >= 90
            else f"{round(minutes)} min",
            "Allergens": "; ".join(sorted(found)),
            "cooked by": cook[0],
        },
        **{
            "Served At": "; ".join(houses),
            "On Menu Since": (date(2005, 1, 1) + timedelta(random.randrange(7200))).isoformat(),
            "Portion Weight": f"{random.randrange(light, heavy, 5)} g",
        },
        **{
            "vegetarian": "no" if ingredient in MEAT else "yes",
            "plates sold last year": str(random.randint(140, 4900)),
        },
        "Invented By": random.choice(GUESTS) if random.random() < 0.2 else random.choice(cooks)[0],
    }


def dishes(cooks, random):
    """All dishes, with what joins them to each other."""
    rows = []
    for block in DISHES.strip().splitlines():
        kind, names = block.split(": ", 1)
        rows += [dish(kind, *one, cooks, random) for one in listed(names)]
    names = [row["name"] for row in rows]
    single = [row for row in rows if names.count(row["name"]) == 1]
    sides, dips = (
        [row["name"] for row in single if row["kind"] == kind] for kind in ("side dish", "dip")
    )
    breads = ["Bread and Patience", "Little Rug", "Rocket Science", "Green Fingers"]
    for row in rows:
        for column, share in GAPS.items():
            row[column] = "" if random.random() < share else row[column]
        choices, most, share = {
            "main course": (sides, 3, 0.92),
            "soup": (breads[:2], 1, 0.7),
            "starter": (breads + dips[:2], 2, 0.5),
        }.get(row["kind"], ([], 0, 0))
        row["side_dishes"] = some(choices, most, random) if random.random() < share else ""
        older = [
            o["name"]
            for o in single
            if o["kind"] == row["kind"] and "" < o["On Menu Since"] < row["On Menu Since"]
        ]
        row["replaces"] = random.choice(older) if older and random.random() < 0.18 else ""
    for name, kind, column, cell in listed(KNOWN):
        row = next(row for row in rows if (row["name"], row["kind"]) == (name, kind))
        row[column] = cell
    for row in rows:  # what took another's place came later, and never twice
        old = next((o for o in single if o["name"] == row["replaces"]), None)
        if old and row["On Menu Since"] and row["On Menu Since"] <= old["On Menu Since"]:
            row["On Menu Since"] = (
                date.fromisoformat(old["On Menu Since"]) + timedelta(400)
            ).isoformat()
    return rows


def main() -> None:
    """Write the table beside this script."""
    random = Random(47)
    cooks = listed(COOKS)
    rows = dishes(cooks, random)
    for name, house, teacher, country in cooks:
        rows.append(
            {
                "name": name,
                "kind": "cook",
                "Works At": house,
                "trained_under": teacher,
                "country_of_origin": country,
            }
        )
    rows += [
        {"name": name, "kind": "restaurant", "Based In": town, "opened": year}
        for name, town, year in listed(HOUSES)
    ]
    random.shuffle(rows)
    with Path(__file__).with_name("recipes.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
