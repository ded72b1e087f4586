"""Write market.csv: the stalls, traders, suppliers and farms of an invented weekly food market.

All invented; a fixed seed. A row a subject, of four kinds. Hard on purpose: stalls named after
words, days and goods, namesakes, families that share a name, accents, people who are rows and
people who are not, suppliers who buy from farms and from each other, several values in a cell,
units that change, and cells that only some kinds fill.

    python3 invent_market.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = [
    "name",
    "Kind",
    "run_by",
    "Supplied By",
    "next to",
    "learned the trade from",
    "Helpers",
    "sells",
    "pitch",
    "opened_on",
    "Date of Birth",
]
COLUMNS += [
    "Based In",
    "founded",
    "Daily Rent",
    "usual wait",
    "farm_size",
    "Distance to Market",
    "organic",
    "takes cards",
    "delivers_on",
]
GAPS = {
    "Date of Birth": 0.08,
    "opened_on": 0.07,
    "usual wait": 0.12,
    "Daily Rent": 0.06,
    "organic": 0.05,
}
GAPS |= {"takes cards": 0.06, "farm_size": 0.1, "founded": 0.1, "delivers_on": 0.1}
# Stall / run by / sells / supplied by / helpers
STALLS = """
Crumb/Rosa Lindqvist/bread, rolls, cakes/Old Mill, Sugar Loaf/Bea Lindqvist, Hugo Lindqvist
Olsen's Fish/Ivo Olsen/herring, cod, mackerel/Harbour Brothers/Karin Olsen
Olsen & Daughter/Karin Olsen/smoked eel, herring, shrimps/Harbour Brothers, Nordkai/Timmy Olsen
The Pear Tree/Tom Hedges/pears, apples, juice/Orchard End/Nell Hedges
Honest Onions/Mateusz Wrona/onions, leeks, garlic/Onion Field, Wrona Farm/
Plenty/Dorothy Plenty/potatoes, cabbages, pumpkins/Fair Share/Bea Lindqvist
Next Door/Yusuf Çiçek/olives, feta, stuffed vine leaves/Oil & Vinegar/Defne Çiçek, Emre Çiçek
Monday/Greta Sommer/cakes, coffee/Bean There, Old Mill/
Chez Odile/Odile Garnier/cheese, butter, crème fraîche/Molkerei Süd, Bergerie Noire/Luc Tissot
Big Cheese/Piet de Graaf/cheese, butter/Molkerei Süd/Saskia de Graaf
Little Cheese/Saskia de Graaf/goat's cheese, yoghurt/Goat Hill/Joost Vink
Cheap/Ronnie Cole/bananas, oranges, lemons/Southern Fruit/Danny Cole
Not So Cheap/Ronnie Cole/mangoes, pineapples, dates/Southern Fruit/Kit Bell
Señora Lima/Pilar Quispe/potatoes, chillies, corn/Finca Alegre/Inti Quispe
The Bee's Knees/Hannah Moss/honey, candles, mead/Humming Meadow/
Cave Dwellers/Hannah Moss/mushrooms, chestnuts/Mushroom Cave, Walnut Walk/Silas Moss
Salt/Bruno Amsel/salt, vinegar/Spice Route/
Sugar/Nadia Haddad/baklava, dates, halva/Sugar Loaf, Southern Fruit/Rami Haddad
Pepper & Daughters/Walter Pepper/spices, tea/Spice Route/Cora Pepper, Dot Pepper
Wurst Case/Klaus Brandt/sausages, ham/Schmidt Sausages/Kit Bell
Brandt's Poultry/Inge Brandt/chicken, eggs, duck/Hen Party, River Bend/
Eggs/Lou Fenwick/eggs/Feather Farm/Joost Vink
Jiří's Dumplings/Jiří Moravec/dumplings, soup/Old Mill, Windy Ridge/Jana Moravec
Soup/Maud Kettle/soup, stews/Windy Ridge, Schmidt Meats/Sam Finch
The Last Cabbage/Ludmila Moravec/cabbages, sauerkraut, gherkins/Wrona Farm/Jana Moravec
Gurken-Bö/Bö Anders/gherkins, mustard/Root & Branch/
Early Bird/Sam Finch/coffee, rolls/Bean There/Wren Finch
Root Cause/Elspeth Root/carrots, beetroot, parsnips/Muddy Boots/Gus Root
Carrot Top/Ginger Malone/carrots, radishes, herbs/Root & Branch, Nothing Doing/
Thyme Out/Zoë Thistle/herbs, salad, seedlings/Nothing Doing/Nell Hedges, Kit Bell
Zoë's/Zoë Abara/plantains, yams, hot sauce/Southern Fruit/Femi Abara
Pasta Presto/Enzo Ferrante/pasta, pesto, ravioli/Old Mill, Hen Party/
Nonna/Carla Ferrante, Enzo Ferrante/gnocchi, cannoli/Fair Share, Molkerei Süd/Gina Ferrante
The Old Goat/Fergus Tay/goat's cheese, goat meat/Goat Hill/
Butcher's Boy/Danny Cole/beef, pork, lamb/Schmidt Meats, Bergerie Noire/Ronnie Cole
Half a Pig/Agnes Stroud/pork, bacon, lard/Hog Heaven/Timmy Olsen
Jam Tomorrow/Ida Marsh/jam, marmalade, chutney/Orchard End, Sugar Loaf/
Plum Crazy/Otto Pflaum/plums, jam, schnapps/Pflaumenhof/Liesl Pflaum
Green Gate/Priya Raman/salad, spinach, herbs/Nothing Doing, Fair Share/Arun Raman
Tofu Fighters/Kenji Mori/tofu, miso, noodles/Eastern Pantry/
Rice & Shine/Mei Tan/rice, dumplings, spring rolls/Eastern Pantry/Lin Tan
Ostrich/Vera Sand/ostrich eggs, ostrich steaks/Sandy Bottom/
Nuts/Ahmad Karimi/walnuts, almonds, pistachios/Walnut Walk, Spice Route/Rami Haddad
"""
# Trader / lives in / learned the trade from; teachers first
TRADERS = """
Mathilda Graf/Mühlau/; Solomon Pike/Port Ansel/; Walter Pepper/Port Ansel/; Dorothy Plenty/Great Tarn/; Horst Schmidt/Süderfeld/
Rosa Lindqvist/Mühlau/Mathilda Graf; Ivo Olsen/Port Ansel/Solomon Pike; Karin Olsen/Port Ansel/Ivo Olsen; Tom Hedges/Bramley/Dorothy Plenty
Mateusz Wrona/Żabno/; Yusuf Çiçek/Market Wick/Walter Pepper; Greta Sommer/Mühlau/Rosa Lindqvist; Odile Garnier/Hochfeld/; Piet de Graaf/Süderfeld/
Saskia de Graaf/Süderfeld/Piet de Graaf; Ronnie Cole/Great Tarn/Solomon Pike; Danny Cole/Great Tarn/Horst Schmidt; Pilar Quispe/Bramley/Dorothy Plenty
Hannah Moss/Little Tarn/Mathilda Graf; Hannah Moss/Hochfeld/; Bruno Amsel/Market Wick/Walter Pepper; Nadia Haddad/Market Wick/Mathilda Graf; Klaus Brandt/Süderfeld/Horst Schmidt
Inge Brandt/Little Tarn/Dorothy Plenty; Lou Fenwick/Little Tarn/Inge Brandt; Jiří Moravec/Żabno/; Maud Kettle/Market Wick/Jiří Moravec; Ludmila Moravec/Żabno/Mateusz Wrona
Bö Anders/Ørsund/Ludmila Moravec; Sam Finch//Greta Sommer; Elspeth Root/Bramley/; Ginger Malone/Bramley/Elspeth Root; Zoë Thistle/Great Tarn/Ginger Malone
Zoë Abara/Market Wick/Ronnie Cole; Enzo Ferrante/Great Tarn/Carla Ferrante; Carla Ferrante/Great Tarn/Mathilda Graf; Fergus Tay/Hochfeld/Odile Garnier; Agnes Stroud/Ørsund/Horst Schmidt
Ida Marsh/Bramley/; Otto Pflaum/Mühlau/Ida Marsh; Priya Raman/Little Tarn/Tom Hedges; Kenji Mori/Port Ansel/; Mei Tan//Kenji Mori; Vera Sand/Ørsund/Lou Fenwick; Ahmad Karimi/Market Wick/Walter Pepper
"""
# Supplier / run by / based in / sells / supplied by
SUPPLIERS = """
Harbour Brothers/Nils Dorn, Per Dorn/Port Ansel/herring, cod, mackerel, shrimps/
Nordkai/Freya Kai/Ørsund/eel, salmon/
Old Mill/Jakob Speck/Mühlau/flour, oats/Bramble Hill, Long Acre
Molkerei Süd/Saskia de Graaf/Süderfeld/milk, butter, cheese/Cow Parsley, Hohe Wiese
Southern Fruit/Carmen Vidal/Port Ansel/bananas, oranges, lemons, mangoes/
Spice Route/Walter Pepper/Port Ansel/spices, tea, salt/
Root & Branch/Elspeth Root/Bramley/cucumbers, carrots, mustard seed/Muddy Boots
Hen Party/Inge Brandt/Little Tarn/eggs, chicken/Feather Farm
Fair Share/Dorothy Plenty/Great Tarn/potatoes, cabbages, pumpkins/Windy Ridge, Wrona Farm
Bean There/Luis Ortega/Market Wick/coffee, cocoa/Southern Fruit
Oil & Vinegar/Yannis Doukas/Port Ansel/olives, olive oil, feta/
Schmidt Meats/Horst Schmidt/Süderfeld/beef, pork/Black Barn, Hog Heaven
Schmidt Sausages/Helga Schmidt/Süderfeld/sausages, ham/Schmidt Meats
Cold Store/Nils Dorn/Great Tarn/ice, frozen peas/Windy Ridge
Eastern Pantry/Kenji Mori/Port Ansel/soybeans, rice, noodles/
Sugar Loaf/Tove Blom/Żabno/sugar, almonds/
"""
# Farm / run by / based in / sells
FARMS = """
Bramble Hill/Ada Speck/Mühlau/wheat, rye, blackberries; Long Acre/Tom Hedges/Bramley/barley, oats; Cow Parsley/Piet de Graaf/Süderfeld/milk; Hohe Wiese/Ursel Kamp/Hochfeld/milk, beef
Green Gate/Chester Vale/Little Tarn/salad, spinach; The Pear Tree/Ida Marsh/Bramley/pears, quinces; Orchard End/Tom Hedges/Great Tarn/pears, apples, plums; Feather Farm/Lou Fenwick/Little Tarn/eggs, chicken, duck
Bergerie Noire/Luc Tissot/Hochfeld/goat's milk, lamb; Goat Hill/Fergus Tay/Hochfeld/goat's milk, goat meat; Hog Heaven/Agnes Stroud/Ørsund/pork; Black Barn/Horst Schmidt/Süderfeld/beef, pork; Onion Field/Mateusz Wrona/Żabno/onions, garlic
Wrona Farm/Łucja Wrona/Żabno/cabbages, leeks, potatoes; Muddy Boots/Gus Root/Bramley/carrots, beetroot, parsnips; Humming Meadow/Bertil Moss/Little Tarn/honey; Mushroom Cave/Silas Moss/Hochfeld/mushrooms
Sandy Bottom/Vera Sand/Ørsund/ostrich eggs, ostrich meat; Pflaumenhof/Otto Pflaum/Mühlau/plums, cherries; Finca Alegre/Pilar Quispe/Bramley/potatoes, corn, chillies; Walnut Walk/Lady Amory/Great Tarn/walnuts, chestnuts
Nothing Doing/Chester Vale/Great Tarn/herbs, radishes, salad; Windy Ridge//Hochfeld/carrots, potatoes, cabbages; River Bend/Ingmar Holt/Little Tarn/trout, duck
"""
VILLAGES = {
    "Market Wick": 0.8,
    "Bramley": 6,
    "Mühlau": 9,
    "Little Tarn": 12,
    "Great Tarn": 14,
    "Süderfeld": 17,
    "Żabno": 22,
    "Hochfeld": 26,
    "Port Ansel": 31,
    "Ørsund": 48,
}
DAYS = "Monday, Tuesday, Wednesday, Thursday, Friday"


def listed(text):
    """The lines of a constant, taken apart at slashes; several values joined as a cell has them."""
    rows = text.strip().replace("\n", "; ").split("; ")
    return [[cell.replace(", ", "; ") for cell in row.split("/")] for row in rows]


def day(first, last, random):
    """A day in the years from first to last."""
    return (date(first, 1, 1) + timedelta(random.randrange(365 * (last - first + 1)))).isoformat()


def birth(name, teachers, born, random):
    """The year of a trader's birth, some years after the teacher's."""
    if name not in born:
        teacher = teachers[name]
        born[name] = (
            birth(teacher, teachers, born, random) + random.randint(9, 15)
            if teacher
            else random.randint(1939, 1958)
        )
    return born[name]


def rows_of(random):
    """Return all rows, shuffled, with gaps."""
    rows, born = [], {}
    teachers = {name: teacher for name, _, teacher in listed(TRADERS)}
    for name, home, teacher in listed(TRADERS):  # teachers come before their pupils, mostly
        year = birth(name, teachers, born, random)
        rows.append(
            {
                "name": name,
                "Kind": "trader",
                "Based In": home,
                "learned the trade from": teacher,
                "Date of Birth": day(year, year, random),
            }
        )
    stalls, pitches = (
        listed(STALLS),
        [f"{row}{number}" for row in "ABCD" for number in range(1, 12)],
    )
    pitches = pitches[: len(stalls)]
    random.shuffle(pitches)
    at = {pitch: stall[0] for pitch, stall in zip(pitches, stalls, strict=True)}
    for pitch, (name, trader, sells, suppliers, helpers) in zip(pitches, stalls, strict=True):
        near = [f"{pitch[0]}{int(pitch[1:]) + step}" for step in (-1, 1)]
        rows.append(
            {
                "name": name,
                "Kind": "stall",
                "run_by": trader,
                "sells": sells,
                "Supplied By": suppliers,
                "Helpers": helpers,
                "pitch": pitch,
                "next to": "; ".join(at[one] for one in near if one in at),
                "opened_on": day(max(1976, born[trader.split("; ")[0]] + 20), 2024, random),
                "Daily Rent": f"{random.randrange(1200, 4800, 50) / 100:.2f} EUR",
                "usual wait": random.choice([f"{random.randint(1, 18)} min"] * 6 + ["45 s"]),
                "organic": random.choice(["yes", "no"]),
                "takes cards": random.choice(["yes", "yes", "no"]),
            }
        )
    for name, boss, home, sells, *suppliers in listed(SUPPLIERS) + listed(FARMS):
        far = VILLAGES[home] + (
            random.choice([-1.5, -0.5, 0, 0.5, 1, 2]) if VILLAGES[home] > 1 else 0
        )
        days = sorted(random.sample(DAYS.split(", "), random.choice([1, 2, 2, 3])), key=DAYS.index)
        rows.append(
            {
                "name": name,
                "Kind": "supplier" if suppliers else "farm",
                "run_by": boss,
                "Based In": home,
                "sells": sells,
                "founded": str(random.randint(1805, 2019)),
                "Distance to Market": f"{far:g} km" if far >= 1 else f"{far * 1000:g} m",
                "organic": random.choice(["yes", "no"]),
                "delivers_on": "; ".join(days),
            }
        )
        rows[-1] |= (
            {"Supplied By": suppliers[0]}
            if suppliers
            else {"farm_size": f"{random.randint(4, 160)} ha"}
        )
    for row in rows:
        row |= {
            column: ""
            for column, share in GAPS.items()
            if column in row and random.random() < share
        }
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("market.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows_of(Random(47)))


if __name__ == "__main__":
    main()
