"""Write cheeses.csv: the cheeses in the ledger of an invented cheese merchant, a row a cheese.

All invented; a fixed seed. Hard on purpose: cheeses whose names are words, days, people, dairies and
saints, namesakes from two dairies, names that share a part, accents and apostrophes, ripening in
days, weeks and months, weights in grams and kilos, several values in a cell, cheeses that point to
other cheeses three ways, people who both make and discover, and many cells left empty.

    python3 invent_cheeses.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("cheese", "Made By", "head_cheesemaker", "milk", "Region", "ripened_for", "Price per Kilo"),
    *("fat content", "rind", "pairs_with", "Modelled After", "mistaken for", "supplied_by"),
    *("discovered by", "first made in", "Medals", "wheel_weight", "Raw Milk", "wheels in stock"),
    *("stocked_since",),
)
GAPS = {
    **{"head_cheesemaker": 0.08, "ripened_for": 0.06, "Price per Kilo": 0.04, "fat content": 0.12},
    **{"rind": 0.06, "supplied_by": 0.06, "discovered by": 0.2, "first made in": 0.1},
    **{"wheel_weight": 0.08, "Raw Milk": 0.05, "wheels in stock": 0.06, "stocked_since": 0.1},
}
# Dairy / region / cheesemakers / supplier: cheese, kind of milk, kind of cheese
DAIRIES = """
Three Oaks Dairy/Hollow Valley/Agnes Pollard, Ned Pollard/Moon & Sons: Old Bishop, c, h; Young Bishop, c, e; Bishop's Hat, c, s; Acorn, c, f; Three Oaks Blue, c, b; Thunder, c, h; Hollow, c, w
Ferme du Tilleul/Val Perdu/Étienne Roche/Maison Garance: Tomme Éloi, c, e; Brebis d'Août, s, e; Petit Chagrin, g, s; Grand Chagrin, g, w; Cendrée du Tilleul, g, s; Lune Rousse, c, w; Noël, c, s
Käserei Sonnleitn/Upper Gletsch/Vreni Zurbuch, Beat Zurbuch/Alpenfracht: Käthchen, c, e; Alte Käthe, c, h; Gletscherkäse, c, h; Wolkenstein, cg, e; Stinker, c, w; Murmel, c, e; Sennerin, c, h
Quesería La Peña/Sierra Bruna/Íñigo Barral/Tres Ruedas: Señora Nieve, s, f; Viejo Ramón, s, h; Joven Ramón, s, e; Azul de Bruna, cs, b; Piedra, s, h; Ñoño, g, f; Domingo, g, e
Lambert's/Hollow Valley/Joss Lambert, Poppy Lambert/Moon & Sons: Monday, c, f; Friday, c, w; Lambert's Best, c, h; Lambert's Second Best, c, h; Cobbler, c, e; Miller, c, e; Snowdrop, s, s; Gold, c, h
Convent of Saint Brell/Saltmarsh Coast/Sister Perpetua/Harbour Cold Store: Abbess, c, w; Novice, c, f; Sister Blue, c, b; Vespers, c, w; Silence, c, s; Saint Brell, c, e; Penance, g, w
Mleczarnia Świt/Birch Lakes/Halina Wrzos/North Line: Świtek, c, f; Dym, cs, e; Babunia, c, f; Rosa, c, s; Jezioro, c, e; Wędrowiec, s, h
Fjord & Daughters/Kaldvik/Sølvi Nygård, Runa Nygård/North Line: Fjällrök, c, e; Brun, g, e; Kong Olav, c, b; Snow Queen, g, f; Ice Queen, g, s; Sølvskatt, s, h; Driftwood, c, w; Nordlys, c, b
Caseificio Bellaluna/Monte Cinghio/Ottavio Bellaluna/Due Fratelli: Bella, c, s; Brutta, c, w; Luna, b, f; Mezzaluna, b, s; Nonno Gino, c, h; Nonna Pina, s, h; Burrasca, bc, f
Old Station Dairy/Saltmarsh Coast/Martin Reed/Harbour Cold Store: Porter, c, w; Stationmaster, c, h; Last Train, c, b; Platform Nine, c, e; Whistle, g, f; Buffer, c, s; Smoke, c, e
Laiterie Mireille/Val Perdu/Mireille Roche/Maison Garance: Mireille, c, s; Petite Mireille, c, s; Triple Folie, c, s; Fleur d'Orage, g, s; Bleu Minuit, c, b; Cœur Volé, c, s; Moonstone, g, s
Goat Hill/Tansy Moor/Dora Winter/Carrier Pigeon: Billy, g, f; Nanny, g, s; Button, g, f; Snowdrop, g, f; Hill Fort, g, h; Chimney Pot, g, s; Wink, g, s
Black Ram Farm/Tansy Moor/Angus Winter/Carrier Pigeon: Black Ram, s, h; Ram's Horn, s, e; Wool, s, f; Moonstone, s, b; Lady Tansy, s, s; Storm, s, b; Lost Lamb, s, f
Queijaria do Vento/Serra Alta/Conceição Pires/Tres Ruedas: Ventania, gs, e; Serrana, s, s; São Brás, s, w; Avó Lina, g, h; Pedra Alta, s, h; Nuvem, g, f
Hofkäserei Brandt/Upper Gletsch/Luise Brandt, Emil Brandt/Alpenfracht: Luise, c, e; Fürst Albrecht, c, h; Miller, c, w; Heublume, c, e; Kleiner Bär, c, s; Großer Bär, c, h; Rebell, c, b
Bee Meadow/Birch Lakes/Tomasz Lipa/Tomasz Lipa: Bee Meadow Gold, c, h; Honeycomb, c, e; Sting, c, b; Drone, c, w; Queen, c, s; Clover, cg, f; May, c, f
"""
MILK = {"c": "cow", "g": "goat", "s": "sheep", "b": "buffalo"}
# Kind / ripening / rinds / cents per kilo / fat / grams / chance of raw milk
KINDS = """
f/3-18 days/rindless, rindless, rindless, ash, herbs/1490-2890/18-45/100-900/0.2
s/2-8 weeks/bloomy, bloomy, bloomy, ash, walnut leaves/2190-4490/45-72/120-1400/0.5
w/4-14 weeks/washed, washed, washed, beer-washed/2390-4290/42-58/200-2600/0.6
b/2-9 months/natural, natural, foil, vine leaves/2590-4690/46-60/800-5200/0.4
e/2-7 months/natural, waxed, smoked, hay, washed/1890-3690/40-54/1200-7000/0.5
h/8-36 months/natural, cloth, cloth, oiled, waxed/2690-6490/44-52/2500-38000/0.7
"""
WHO = "Hettie Marlow, Cosmo Finch, Ravi Anand, Old Mr. Tuttle, Berit Voss, Joss Lambert, Dora Winter, Sister Perpetua, Emma Finch"
# Known: cheese / dairy's first word / column / cell
KNOWN = """
Young Bishop/Three/Modelled After/Old Bishop; Bishop's Hat/Three/Modelled After/Young Bishop; Old Bishop/Three/ripened_for/30 months; Old Bishop/Three/first made in/1887; Young Bishop/Three/first made in/1921; Alte Käthe/Käserei/first made in/1799; Lambert's Second Best/Lambert's/Modelled After/Lambert's Best
Bishop's Hat/Three/first made in/1998; Old Bishop/Three/supplied_by/Moon & Sons; Old Bishop/Three/head_cheesemaker/Agnes Pollard; Old Bishop/Three/discovered by/Old Mr. Tuttle; Käthchen/Käserei/Modelled After/Alte Käthe; Käthchen/Käserei/mistaken for/Luise; Joven Ramón/Quesería/Modelled After/Viejo Ramón
Ice Queen/Fjord/mistaken for/Snow Queen; Snow Queen/Fjord/mistaken for/Ice Queen; Petite Mireille/Laiterie/Modelled After/Mireille; Mireille/Laiterie/discovered by/Cosmo Finch; Brutta/Caseificio/pairs_with/Bella; Bella/Caseificio/mistaken for/Mireille; Kleiner Bär/Hofkäserei/Modelled After/Großer Bär
Bee Meadow Gold/Bee/mistaken for/Gold; Gold/Lambert's/Medals/gold 2018; Gold/Lambert's/discovered by/Joss Lambert; Queen/Bee/mistaken for/Snow Queen; Penance/Convent/discovered by/Sister Perpetua; Wink/Goat/discovered by/Dora Winter; Abbess/Convent/head_cheesemaker/Sister Perpetua; Abbess/Convent/first made in/1834
Stinker/Käserei/mistaken for/Abbess; Last Train/Old/pairs_with/Porter; Smoke/Old/rind/smoked; Fjällrök/Fjord/rind/smoked; Dym/Mleczarnia/rind/smoked; Cendrée du Tilleul/Ferme/rind/ash; Chimney Pot/Goat/rind/ash; Porter/Old/rind/beer-washed; Heublume/Hofkäserei/rind/hay; Nonno Gino/Caseificio/ripened_for/36 months
Grand Chagrin/Ferme/Modelled After/Petit Chagrin; Storm/Black/mistaken for/Thunder; Monday/Lambert's/ripened_for/3 days; Moonstone/Black/ripened_for/4 months; Moonstone/Laiterie/ripened_for/5 weeks; Miller/Lambert's/Price per Kilo/24.50 EUR; Miller/Hofkäserei/Price per Kilo/33.90 EUR; Snowdrop/Goat/rind/rindless; Snowdrop/Lambert's/rind/bloomy
Mezzaluna/Caseificio/Modelled After/Luna; Sister Blue/Convent/pairs_with/Novice; Honeycomb/Bee/Medals/; Lost Lamb/Black/Modelled After/; Hollow/Three/mistaken for/; Silence/Convent/pairs_with/; Nordlys/Fjord/discovered by/; Triple Folie/Laiterie/fat content/75 %; Miller/Hofkäserei/first made in/1956; Miller/Lambert's/first made in/2003
Viejo Ramón/Quesería/first made in/1921; Joven Ramón/Quesería/first made in/1962; Mireille/Laiterie/first made in/1952; Petite Mireille/Laiterie/first made in/1988; Petit Chagrin/Ferme/first made in/1932; Grand Chagrin/Ferme/first made in/1951; Viejo Ramón/Quesería/Modelled After/
Großer Bär/Hofkäserei/first made in/1909; Kleiner Bär/Hofkäserei/first made in/1968; Luna/Caseificio/first made in/1907; Mezzaluna/Caseificio/first made in/1985; Miller/Hofkäserei/Modelled After/; Miller/Lambert's/Modelled After/; Old Bishop/Three/Modelled After/; Luna/Caseificio/Modelled After/; Mireille/Laiterie/Modelled After/; Pedra Alta/Queijaria/Modelled After/Piedra; Pedra Alta/Queijaria/first made in/1994
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def weight(grams):
    """A weight as the ledger has it: 180 g, 4.5 kg."""
    return f"{grams / 1000:.1f} kg" if grams >= 1000 else f"{round(grams / 10) * 10} g"


def cheese(name, milk, kind, dairy, random):
    """A cheese with all that needs no other cheese."""
    line = next(line for line in KINDS.strip().splitlines() if line[0] == kind)
    _, ripe, rinds, cents, fat, grams, raw = line.split("/")
    (low, high), unit = map(int, ripe.split()[0].split("-")), ripe.split()[1]
    made_by, region, makers, supplier = dairy.split("/")
    dear, rich, heavy = ([int(n) for n in pair.split("-")] for pair in (cents, fat, grams))
    years = random.sample(range(2009, 2025), 3)
    suppliers = [line.split(":")[0].split("/")[3] for line in DAIRIES.strip().splitlines()]
    return {
        "cheese": name,
        "Made By": made_by,
        "head_cheesemaker": random.choice(listed(makers)),
        "milk": "; ".join(MILK[letter] for letter in milk),
        "Region": region,
        "ripened_for": f"{random.randint(low, high)} {unit}",
        "Price per Kilo": f"{random.randrange(dear[0], dear[1], 10) / 100:.2f} EUR",
        "fat content": f"{random.randint(*rich)} %",
        "rind": random.choice(listed(rinds)),
        "supplied_by": supplier if random.random() < 0.85 else random.choice(suppliers),
        "discovered by": random.choice(listed(WHO)),
        "first made in": str(2008 - int(170 * random.random() ** 2)),
        "Medals": "; ".join(
            f"{random.choice(['gold', 'silver', 'silver', 'bronze', 'bronze'])} {year}"
            for year in sorted(years[: random.choice([0, 0, 0, 1, 1, 2, 3])])
        ),
        "wheel_weight": weight(heavy[0] * (heavy[1] / heavy[0]) ** random.random()),
        "Raw Milk": "yes" if random.random() < float(raw) else "no",
        "wheels in stock": str(int(1 + 60 * random.random() ** 2)),
        "stocked_since": (date(2009, 3, 1) + timedelta(random.randrange(5700))).isoformat(),
    }


def cheeses(random):
    """Return all rows."""
    rows = []
    for line in DAIRIES.strip().splitlines():
        dairy, names = line.split(": ", 1)
        rows += [cheese(*told.split(", "), dairy, random) for told in names.split("; ")]
    names = [row["cheese"] for row in rows]
    single = [row for row in rows if names.count(row["cheese"]) == 1]
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
        others = [o["cheese"] for o in single if o is not row]
        older = [o["cheese"] for o in single if "" < o["first made in"] < row["first made in"]]
        if random.random() < 0.6:
            row["pairs_with"] = "; ".join(random.sample(others, random.choice([1, 1, 2, 3])))
        if older and random.random() < 0.34:
            row["Modelled After"] = random.choice(older)
        if random.random() < 0.3:
            row["mistaken for"] = random.choice(others)
    for fact in listed(KNOWN, "; "):
        name, dairy, column, cell = fact.split("/")
        chosen = [r for r in rows if r["cheese"] == name and r["Made By"].split()[0] == dairy]
        assert len(chosen) == 1, fact
        assert column in COLUMNS, fact
        chosen[0][column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("cheeses.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(cheeses(Random(47)))


if __name__ == "__main__":
    main()
