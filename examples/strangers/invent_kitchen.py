"""Write kitchen.csv: the dishes in the card index of an invented inn's kitchen, a row a dish.

All invented; a fixed seed. Hard on purpose: dishes whose names are words, days, people and animals,
namesakes in two courses, names that share a part, accents and apostrophes, times partly in minutes
and partly in hours, several values in a cell, a dish based on another one and going well with
others, and many cells left empty.

    python examples/strangers/invent_kitchen.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from itertools import product
from pathlib import Path
from random import Random

COLUMNS = (
    *(
        "dish",
        "Course",
        "main_ingredient",
        "Comes From",
        "created_by",
        "FIRST COOKED",
        "based on",
        "oven_temperature",
    ),
    *(
        "cooking time",
        "Serves",
        "calories",
        "cost_per_portion",
        "Allergens",
        "vegetarian",
        "Goes Well With",
        "cook in charge",
    ),
    *(
        "season",
        "keeps_for",
        "salt content",
        "Recipe Page",
        "On the Menu",
        "spiciness",
        "guest rating",
    ),
)
GAPS = {
    **{
        "Comes From": 0.12,
        "created_by": 0.15,
        "FIRST COOKED": 0.18,
        "cooking time": 0.06,
        "Serves": 0.05,
        "calories": 0.14,
    },
    **{
        "cost_per_portion": 0.1,
        "cook in charge": 0.12,
        "season": 0.06,
        "keeps_for": 0.25,
        "salt content": 0.4,
    },
    **{"Recipe Page": 0.08, "On the Menu": 0.2, "guest rating": 0.3, "spiciness": 0.3},
}
# Course / how many / minutes / kcal / cents / share that goes into the oven
COURSES = """
soup/58/20-160/90-420/90-380/0; salad/36/5-40/80-390/110-420/0; starter/36/10-60/120-480/150-620/0.3; main course/96/25-300/380-1100/320-1450/0.5; side dish/40/10-70/110-430/60-250/0.4
dessert/66/10-120/180-690/120-480/0.5; bread/26/35-240/210-380/30-140/1; sauce/22/5-90/40-310/20-160/0; breakfast/24/5-45/190-620/90-390/0.2
"""
# Course: name/ingredient
NAMED = """
soup: Fisherman's Friday/pike; Old Boots/beef; Monday/lentils; Green Monk/peas; Poor Knight's Soup/bread; Crème Éloïse/cauliflower; Żurek Babci/rye; Long Night/onion; Widow's Broth/chicken; Red Sea/beetroot; The Ferryman/eel; Ferryman's Wife/trout; Pot of Gold/pumpkin; Cold Comfort/cucumber; Sopa Ñusta/maize; Stone Soup/turnip; Snowmelt/potato; Thunder/chilli
salad: Garden Gate/lettuce; Rabbit's Dream/carrot; Pink Slip/beetroot; Sunday Best/chicken; Meadow/dandelion; Grüne Wiese/cucumber; Sailor's Mistake/herring; Crunch/cabbage; Lady Ash/goat's cheese; Salade d'Hiver/endive; Bean Counter/beans; Small Talk/radish
starter: Golden Purse/goat's cheese; Three Sisters/pumpkin; Little Sins/liver; Devil's Fingers/peppers; Cloud/egg; Blind Date/dates; Pigeon Post/pigeon; Mussels in Disguise/mussels; Rösti Rosa/potato; Knock Knock/walnuts; Hot Potato/potato; Hedgehog/pork
main course: Drunken Goose/goose; Sober Goose/goose; Miller's Revenge/rabbit; Bishop's Nose/turkey; Lamb of the Lake/lamb; Uncle Otto/beef; Aunt Otti/beef; Snowball/potato; Seven Hours/lamb; Siege of Tern/pork; Peace of Tern/trout; Ox in a Coat/beef; Poacher's Pie/venison; Shepherdess/lamb; The Abbot/carp; Lazy Sunday/chicken; Bœuf Tante Zoë/beef; Fürst Emil/veal; Black Friday/cod; Hunter's Luck/mushrooms; Hunter's Bad Luck/beans; Toad in the Well/sausage; Angry Rooster/chicken; Gebackene Käthe/cheese; Señor Pulpo/octopus; Full Moon/cheese; Half Moon/spinach; Noah's Ark/pork; Salt and Sorrow/cod; Marriage/ham; Divorce/ham; Nine Lives/rabbit; Bride of Brackwater/trout; Wool Merchant's Chop/lamb; Iron Hand/beef; Will/duck; May/asparagus; Captain's Table/cod; Chimney Sweep/squid; Émincé Noémi/veal
side dish: Gold Dust/maize; Buttered Beggars/noodles; Ragged Peas/peas; Red Robin/cabbage; Straw/potato; Hay/leek; Smashed Windows/potato; Pebbles/dumplings; Sleepy Beans/beans; Knödel Oma/bread; Lightning/parsnip; Wet Hay/leek
dessert: Snowball/meringue; Golden Purse/apple; Burnt Nun/cream; Nun's Sigh/cream; Widow's Kiss/cherry; Lady in Red/raspberry; Black Forest Gate/chocolate; White Lie/coconut; Chocolate Truth/chocolate; Mole Hill/chocolate; Floating Village/egg; Pears of Penance/pear; Plum Job/plum; Lemon Aid/lemon; Crumbs of Comfort/rhubarb; Crème Brülow/cream; Señorita/orange; Fool's Gold/gooseberry; Fool/gooseberry; King Oskar/almond; Queen Oda/hazelnut; Bee Sting/honey; Drunken Sailor/raisins; Cold Feet/ice cream; Sweet Nothing/meringue; Sand Castle/almond; Ash Wednesday/poppy seed; Moonface/lemon; Apfel Ännchen/apple; Goodnight/milk; Rosa's Secret/rose
bread: Soldier/rye; Cobblestone/wheat; Pillow/wheat; Plait of Tern/wheat; Night Shift/rye; Sourpuss/rye; Doorstop/spelt; Ladder/olives; Pan Ñandu/maize; Brick/rye; Fairy Bread/milk; Soldier's Bread/barley
sauce: Green Envy/parsley; Mud/mushrooms; Dragon's Breath/chilli; Velvet/cream; Black Magic/balsamic vinegar; Grandmother's Secret/mustard; Sauce Zoë/mustard; Sunset/tomato; Tears/onion; Tar/plum
breakfast: Early Bird/egg; Rooster's Call/egg; Monk's Porridge/oats; Scrambled Mind/egg; Poor Knights/bread; Ploughboy/bacon; Hay Cart/oats; Sleepyhead/yoghurt; Sunny Side/egg; Monday Morning/coffee; Blå Morgon/blueberry
"""
KINDS = {
    "soup": "Leek Soup/leek, Carrot Soup/carrot, Bean Soup/beans, Trout Soup/trout, Barley Broth/barley, Pea Soup/peas, Mushroom Soup/mushrooms, Chestnut Soup/chestnut, Garlic Soup/garlic",
    "salad": "Potato Salad/potato, Bean Salad/beans, Herring Salad/herring, Noodle Salad/noodles, Celery Salad/celery, Egg Salad/egg, Beetroot Salad/beetroot",
    "starter": "Terrine/pork, Smoked Trout/trout, Stuffed Eggs/egg, Fritters/courgette, Rolls/ham, Cheese Puffs/cheese, Toasts/liver",
    "main course": "Goulash/beef, Pike Balls/pike, Meat Loaf/beef, Roast/pork, Fish Pie/cod, Stew/lamb, Duck/duck, Noodle Bake/noodles, Stuffed Cabbage/cabbage, Pancakes/spinach, Ragout/venison, Schnitzel/veal, Lentil Pot/lentils",
    "side dish": "Mash/potato, Dumplings/dumplings, Red Cabbage/cabbage, Noodles/noodles, Glazed Carrots/carrot, Roast Beets/beetroot, Rice/rice",
    "dessert": "Apple Cake/apple, Plum Cake/plum, Cheesecake/cheese, Rice Pudding/rice, Cherry Tart/cherry, Pancakes/egg, Walnut Cake/walnuts, Compote/pear, Sorbet/lemon, Trifle/raspberry",
    "bread": "Rye Loaf/rye, Rolls/wheat, Potato Bread/potato, Flatbread/barley, Nut Bread/walnuts",
    "sauce": "Gravy/beef, Horseradish/horseradish, Tomato Sauce/tomato, Mushroom Sauce/mushrooms, Mustard/mustard",
    "breakfast": "Omelette/egg, Porridge/oats, Waffles/wheat, Hash/potato",
}
MEAT = "pike, beef, chicken, eel, trout, herring, liver, pigeon, mussels, pork, goose, rabbit, turkey, lamb, venison, carp, veal, cod, sausage, octopus, ham, duck, squid, bacon"
FISH = {"pike", "eel", "trout", "herring", "carp", "cod"}
PLACES = "Tern, Upper Tern, Brackwater, Nether Brack, Öland Mill, Grünau, Święta, Val d'Orme, Hollow Ash, Kestrel Bay, Saltings, Monkton, Villa Rúa, Old Ferry, Cold Ash, Pear Tree Hill"
WHO = "Otto, Mathilde, Grandma Iris, Zoë, Old Benno, Father Kilian, Nelly, Cousin Ruth, Jarmila, Dr. Plumm, Aunt Vera, Little Hans, Ødegaard, Granny Smithers"
CREATORS = "Zoë Lambert, Benno Haas, Mathilde Kron, Father Kilian, Iris Fenn, Otto Fenn, Ruth Sandoz, Jarmila Nováková, Hal Pepper, Rosemary Cook, Basil Thorne, Ingrid Ødegaard, Marcel Aubry, Consuelo Páez, Big Ned, Sister Apollonia, Emil Brandt, Emilia Brandt"
COOKS = "Ada Quill, Bruno Salt, Cosima Reed, Dag Holm, Elif Kaya, Franz Koch, Greta Mund, Hal Pepper, Inés Robles, Jo March, Karel Dub, Lotte Stein, Lotta Stein, Rosemary Cook"
SEASONS = "spring, summer, autumn, winter"
DAYS = "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday"
# Known: dish / course / column / cell
KNOWN = """
Sober Goose/main course/based on/Drunken Goose; Aunt Otti/main course/based on/Uncle Otto; Peace of Tern/main course/based on/Siege of Tern; Ferryman's Wife/soup/based on/The Ferryman; Hunter's Bad Luck/main course/based on/Hunter's Luck
Divorce/main course/based on/Marriage; Nun's Sigh/dessert/based on/Burnt Nun; Half Moon/main course/based on/Full Moon; Fool's Gold/dessert/based on/Fool; Wet Hay/side dish/based on/Hay; Soldier's Bread/bread/based on/Soldier; Queen Oda/dessert/based on/King Oskar
Seven Hours/main course/cooking time/7 h; Siege of Tern/main course/Comes From/Tern; Plait of Tern/bread/Comes From/Tern; Bride of Brackwater/main course/Comes From/Brackwater; Sauce Zoë/sauce/created_by/Zoë Lambert; Bœuf Tante Zoë/main course/created_by/Zoë Lambert
Thunder/soup/spiciness/hot; Dragon's Breath/sauce/spiciness/very hot; Devil's Fingers/starter/spiciness/hot; Monday/soup/On the Menu/Monday; Fisherman's Friday/soup/On the Menu/Friday; Lazy Sunday/main course/On the Menu/Sunday; Ash Wednesday/dessert/On the Menu/Wednesday
Drunken Goose/main course/Goes Well With/Red Robin; Burnt Nun/dessert/FIRST COOKED/1931-12-06; Uncle Otto/main course/FIRST COOKED/1924-03-02; Uncle Otto/main course/created_by/Otto Fenn; Stone Soup/soup/cost_per_portion/0.90 EUR; Old Boots/soup/cooking time/4.5 h
The Abbot/main course/created_by/Father Kilian; Green Monk/soup/created_by/Sister Apollonia; Doorstop/bread/keeps_for/9 days; Brick/bread/keeps_for/14 days; Drunken Goose/main course/created_by/Benno Haas; Full Moon/main course/created_by/Marcel Aubry; Burnt Nun/dessert/created_by/Sister Apollonia
Poor Knights/breakfast/Recipe Page/212; King Oskar/dessert/created_by/Emil Brandt; King Oskar/dessert/Comes From/Grünau; Marriage/main course/Comes From/Val d'Orme; Hunter's Luck/main course/cook in charge/Franz Koch; Lady in Red/dessert/Goes Well With/Velvet; Drunken Goose/main course/cook in charge/Bruno Salt
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def skewed(choices, random):
    """One of some, the first ones more often than the last."""
    return choices[int(len(choices) * random.random() ** 1.5)]


def several(choices, most, random):
    """A few of some, in the order in which they stand there."""
    chosen = random.sample(choices, min(len(choices), random.randint(1, most)))
    return "; ".join(sorted(chosen, key=choices.index))


def span(minutes):
    """A time as a card has it: 35 min, 2.5 h."""
    if minutes >= 90:
        return f"{round(minutes / 30) / 2:g} h"
    return f"{round(minutes / 5) * 5 or 5} min"


def allergens(ingredient, course, random):
    """What a dish contains that some cannot eat."""
    found = set()
    if ingredient in FISH:
        found.add("fish")
    if ingredient in {"mussels", "squid", "octopus"}:
        found.add("shellfish")
    if ingredient == "egg" or random.random() < 0.3:
        found.add("egg")
    if ingredient in {"walnuts", "almond", "hazelnut"}:
        found.add("nuts")
    if (
        ingredient in {"cheese", "goat's cheese", "cream", "milk", "yoghurt", "ice cream"}
        or random.random() < 0.4
    ):
        found.add("milk")
    if ingredient == "mustard" or random.random() < 0.08:
        found.add("mustard")
    if ingredient == "celery" or random.random() < 0.1:
        found.add("celery")
    if (
        course == "bread"
        or ingredient in {"wheat", "rye", "barley", "noodles", "bread", "dumplings"}
        or random.random() < 0.3
    ):
        found.add("gluten")
    return "; ".join(sorted(found))


def dish(name, ingredient, line, random):
    """A dish with all that needs no other dish."""
    course, _, minutes, kcal, cents, oven = line.split("/")
    bounds = [[int(bound) for bound in pair.split("-")] for pair in (minutes, kcal, cents)]
    (quick, slow), (light, rich), (cheap, dear) = bounds
    born = date(1925, 1, 1) + timedelta(random.randrange(36000))
    return {
        "dish": name,
        "Course": course,
        "main_ingredient": ingredient,
        "Comes From": skewed(listed(PLACES), random),
        "created_by": skewed(listed(CREATORS), random),
        "FIRST COOKED": born.isoformat(),
        "based on": "",
        "oven_temperature": f"{random.randrange(140, 261, 10)} °C"
        if random.random() < float(oven)
        else "",
        "cooking time": span(quick * (slow / quick) ** random.random()),
        "Serves": str(random.choice([2, 4, 4, 4, 6, 6, 8, 10, 12])),
        "calories": f"{random.randrange(light, rich, 5)} kcal",
        "cost_per_portion": f"{random.randrange(cheap, dear, 5) / 100:.2f} EUR",
        "Allergens": allergens(ingredient, course, random),
        "vegetarian": "no" if ingredient in listed(MEAT) else "yes",
        "Goes Well With": "",
        "cook in charge": skewed(listed(COOKS), random),
        "season": several(listed(SEASONS), 2, random),
        "keeps_for": f"{random.choice([1, 2, 2, 3, 3, 4, 5, 7])} days".replace("1 days", "1 day"),
        "salt content": f"{random.uniform(0.1, 2.4):.1f} %",
        "Recipe Page": str(random.randint(1, 640)),
        "On the Menu": several(listed(DAYS), 2, random),
        "spiciness": random.choice(["mild", "mild", "mild", "medium", "hot"])
        if course not in {"dessert", "bread", "breakfast"}
        else "",
        "guest rating": f"{random.uniform(4.2, 9.9):.1f}",
    }


def named_rows(random):
    """Every dish of every course, those that somebody thought of first."""
    lines = {line.split("/")[0]: line for line in listed(COURSES, "; ")}
    places, people = listed(PLACES), [f"{who}'s" for who in listed(WHO)]
    rows, taken = [], set()
    for block in NAMED.strip().splitlines():
        course, names = block.split(": ", 1)
        chosen = [tuple(pair.split("/")) for pair in names.split("; ")]
        made = [
            (whose, *kind.split("/"))
            for whose, kind in product(places + people, listed(KINDS[course]))
        ]
        random.shuffle(made)
        rows += [dish(name, ingredient, lines[course], random) for name, ingredient in chosen]
        missing = int(lines[course].split("/")[1]) - len(chosen)
        for whose, kind, ingredient in made:
            name = f"{whose} {kind}"
            if not missing:
                break
            if name in taken:
                continue
            taken.add(name)
            missing -= 1
            row = dish(name, ingredient, lines[course], random)
            if whose in places:
                row["Comes From"] = whose
            rows.append(row)
    return rows


def dishes(random):
    """Return all rows."""
    rows = named_rows(random)
    names = [row["dish"] for row in rows]
    single = [row for row in rows if names.count(row["dish"]) == 1]
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
        older = [
            o["dish"]
            for o in single
            if o["Course"] == row["Course"] and "" < o["FIRST COOKED"] < row["FIRST COOKED"]
        ]
        if older and random.random() < 0.3:
            row["based on"] = random.choice(older)
        others = [o["dish"] for o in single if o["Course"] != row["Course"]]
        if random.random() < 0.42:
            row["Goes Well With"] = several(random.sample(others, 6), 3, random)
    for fact in listed(KNOWN, "; "):
        name, course, column, cell = fact.split("/")
        row = next(row for row in rows if (row["dish"], row["Course"]) == (name, course))
        row[column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("kitchen.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(dishes(Random(31)))


if __name__ == "__main__":
    main()
