"""Write pets.csv: the card index of an invented village vet, a row an animal.

All invented; a fixed seed. Hard on purpose: names that are words, months, days and animals, names that share
a part or hold one another, two animals of one name, accents, several values in a cell, mothers, best friends and
bogeymen that are other rows of the same table, and many cells left empty.

    python invent_pets.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = [
    "name",
    "Species",
    "breed",
    "sex",
    "Owner",
    "Home Street",
    "seen by",
    "weight",
    "year_born",
    "Mother",
    "best_friend",
    "scared of",
    "Vaccinations",
    "allergies",
    "Fee Owed",
    "Last Visit",
    "neutered",
    "insured_with",
    "Colour",
    "fed on",
]
GAPS = {
    "breed": 0.07,
    "seen by": 0.04,
    "weight": 0.06,
    "best_friend": 0.12,
    "scared of": 0.5,
    "Vaccinations": 0.1,
    "allergies": 0.55,
    "Fee Owed": 0.07,
    "Last Visit": 0.05,
    "insured_with": 0.4,
    "Colour": 0.06,
    "fed on": 0.1,
}
# Owner, street: name/breed/sex/year/mother
CARDS = """
Agathe Thistlewood, Church Row: Duchess/Persian/f/2010; Lady Marmalade/Persian/f/2014/Duchess; Sir Purrington/Persian/m/2017/Lady Marmalade; Lady Grey/Persian/f/2017/Lady Marmalade; Pip/Budgerigar/m/2021; Friday/Siamese/f/2016
Harold Pym, Mill Lane: Bramble/Border Collie/f/2011; Moss/Border Collie/m/2016/Bramble; Fern/Border Collie/f/2016/Bramble; Tiger/Jack Russell/m/2019/Patch; Rabbit/Greyhound/m/2018/Trumpet; Old Nan/Saanen/f/2011; Billy/Saanen/m/2015/Old Nan
Dorcas Pym, Duck Street: Mrs Pepper/Orpington/f/2020; Pepper/Shorthair/f/2014; Tiger/Shorthair/f/2018/Pepper; Salt/Shorthair/m/2018/Pepper; Little Pepper/Shorthair/f/2020/Pepper
Ottilie Pym-Brandt, Duck Street: Minka/Maine Coon/f/2016/Freyja; Poppy/Lop-Eared/f/2018; Button/Lop-Eared/f/2020/Poppy; Mr Whiskers/Siamese/m/2015; Fluff/Silkie/f/2022/Dumpling
Joost Kettering, Long Acre: Hannibal/Poitou/m/2005/Dolores; Dolores/Poitou/f/1998; Pancho/Poitou/m/2012/Dolores; Queenie/Kunekune/f/2015; Hamlet/Kunekune/m/2019/Queenie; Truffle/Kunekune/f/2019/Queenie; Woolly Winnie/Jacob/f/2014; Cloud/Jacob/f/2018/Woolly Winnie; Storm/Jacob/m/2020/Cloud; General/Embden/m/2016; Madame Zsa/Embden/f/2015; Bess/Border Collie/f/2014/Bramble
Father Anselm, Church Row: Deacon/Newfoundland/m/2017/Anchor; Psalm/Shorthair/f/2017/Muffin; August/Hermann's/m/1958; Vesper/Lop-Eared/f/2019
Inès Vaz-Moreau, Saint-Aubin Close: Éclair/Poodle/f/2013; Chouchou/Poodle/f/2018/Éclair; Crème Brûlée/Poodle/m/2018/Éclair; Félix/Siamese/m/2015/May; Soufflé/Angora/f/2020/Snow
Zoë O'Malley, Gooseberry Hill: Finnegan/Dachshund/m/2015/Žofka; Róisín/Dachshund/f/2014; Spud/Dachshund/m/2019/Róisín; D'Artagnan/Sable/m/2020/Milady; Milady/Sable/f/2018; Clover/Shetland/f/2007; Shamrock/Shetland/m/2014/Clover
Tobias Crumb, Bakehouse Passage: Biscuit/Abyssinian/f/2020; Ginger Biscuit/Abyssinian/m/2022/Biscuit; Crumpet/Abyssinian/f/2022/Biscuit; Bun/Dutch/f/2019; Currant Bun/Dutch/m/2021/Bun; Muffin/Shorthair/f/2012
Upper Green School, Upper Green: Professor/Dutch/m/2021/Bun; Chalk/Peruvian/f/2020; Doctor/Cockatiel/m/2018; Monday/Peruvian/m/2022/Chalk
Nils Østergård, Ferry Road: Bjørn/Maine Coon/m/2013; Freyja/Maine Coon/f/2012; Sif/Maine Coon/f/2016/Freyja; Thunder/Maine Coon/m/2019/Sif; Skipper/Newfoundland/m/2016; Anchor/Newfoundland/f/2013; Tug/Newfoundland/m/2018/Anchor
Ruprecht Haze, Upper Green: Captain Button/African Grey/m/1989; Captain Sock/Jack Russell/m/2014; Trumpet/Greyhound/f/2014; Bugle/Greyhound/m/2018/Trumpet; Parade/Exmoor/f/2006; March/Exmoor/m/2015/Parade
Ludmila Švecová, Tanner's Yard: Žofka/Dachshund/f/2011; Kašpar/Dachshund/m/2015/Žofka; Knedlík/Hermann's/m/1971; Paprika/Leghorn/f/2020; Mák/Leghorn/f/2022/Paprika
Gwen Applegarth, Gooseberry Hill: Pippin/Pygmy/f/2014; Russet/Pygmy/m/2018/Pippin; Bramley/Pygmy/f/2019/Pippin; Pip-Squeak/Dutch/m/2022; Apple/Exmoor/f/2008; Crumble/Exmoor/f/2017/Apple; Quince/Lop-Eared/f/2021/Vesper
Rosa Baker, Bakehouse Passage: Baker/Jack Russell/m/2017/Patch; Dumpling/Silkie/f/2020; Noodle/Silkie/f/2022/Dumpling; Snow/Angora/f/2018; Snow White/Angora/f/2021/Snow
June Marlow, Ferry Road: May/Siamese/f/2012; June/Siamese/f/2017/May; Otto/Mongrel/m/2010; Heron/Indian Runner/m/2022/Puddle; Puddle/Indian Runner/f/2020
Ned Tarrow, Long Acre: Old Bob/Mongrel/m/2009; Nell/Mongrel/f/2013; Young Bob/Mongrel/m/2018/Nell; Will/Greyhound/m/2016; Patch/Jack Russell/f/2013; Scrap/Jack Russell/m/2019/Patch; Ghost/Saanen/f/2016/Old Nan
Kwame Asante, : Kofi Bean/Siamese/m/2020/June; Sunday/African Grey/f/2003; Ginger/Shorthair/m/2016/Muffin; Nutmeg/Sable/f/2021/Milady; Mango/Cockatiel/m/2019
"""
# Species: vaccinations: food: colours: breed, least kg, most kg
KINDS = """
dog: rabies, distemper, kennel cough, parvovirus: dry food, raw meat, tinned meat, rice and chicken, leftovers: black, brown, black and white, white, grey, brindle: Border Collie 14 21, Jack Russell 5 8, Greyhound 26 34, Newfoundland 49 66, Poodle 18 28, Dachshund 7 11, Mongrel 11 27
cat: cat flu, rabies, leukaemia: dry food, tinned fish, raw meat, tinned meat, leftovers: black, white, ginger, grey, tabby, tortoiseshell: Persian 3.4 6, Siamese 2.8 5, Maine Coon 5.5 9, Shorthair 3 6.5
rabbit: myxomatosis, rabbit fever: hay, dandelions, carrots: white, grey, brown, black and white: Lop-Eared 1.7 2.8, Dutch 1.9 2.6, Angora 2.4 4
guinea pig: : hay, cucumber, carrots: ginger, white, black and white: Abyssinian 0.7 1.2, Peruvian 0.8 1.3
ferret: distemper, rabies: raw meat, eggs: brown, white: Sable 0.8 1.7
hen: fowl pox, bird flu: maize, barley, leftovers: white, brown, black: Orpington 2.8 4, Leghorn 1.8 2.6, Silkie 1 1.6
goose: bird flu: barley, grass: white, grey: Embden 8 11
duck: bird flu: slugs, barley: white, brown: Indian Runner 1.6 2.2
goat: tetanus, lungworm: hay, brambles, barley: white, brown, black and white: Saanen 55 75, Pygmy 22 34
sheep: tetanus, lungworm: grass, hay: black and white, brown: Jacob 50 80
pig: erysipelas, parvovirus: leftovers, barley, acorns: ginger, black, black and white: Kunekune 60 120
pony: tetanus, horse flu: hay, oats, grass: grey, brown, black: Shetland 160 200, Exmoor 270 350
donkey: tetanus, horse flu: hay, straw, carrots: brown, grey: Poitou 310 420
tortoise: : dandelions, cucumber: brown, green: Hermann's 2 4
parrot: bird flu: seeds, nuts, fruit: grey, green, yellow: African Grey 0.4 0.6, Cockatiel 0.1 0.2, Budgerigar 0.1 0.1
"""
ALLERGIES = "grass pollen, flea bites, chicken, penicillin, milk, dust, wasp stings, wheat, wool"
INSURERS = "Pawshield, Old Barn Mutual, Four Legs, Whisker & Daughters"
VETS = "Dr Winifred Lark, Dr Tamás Rigó, Dr Ivo Lark, Dr Babette Oyelaran, Nurse Pim"
# Known: name/column/cell
KNOWN = """
Rabbit/scared of/Duchess; Deacon/scared of/Pip; General/scared of/Button; Hannibal/best_friend/Mrs Pepper; Captain Button/best_friend/Captain Sock; August/best_friend/Knedlík; Knedlík/best_friend/August; Finnegan/scared of/General; Storm/scared of/Fluff
Spud/scared of/General; Friday/best_friend/Salt; Trumpet/allergies/dust; Doctor/seen by/Nurse Pim; Otto/Fee Owed/312 EUR; Old Bob/Last Visit/2024-11-29; Sunday/allergies/chicken; Baker/allergies/wheat; Snow/Colour/black; Ginger/Colour/black; Puddle/scared of/Heron; Dumpling/weight/1.4 kg
"""


def listed(text, comma=", "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def several(choices, most, random):
    """A few of some, in their own order."""
    chosen = random.sample(choices, random.randint(1, min(most, len(choices))))
    return "; ".join(sorted(chosen, key=choices.index))


def animal(card, owner, street, random):
    """An animal with all that needs no other animal but its mother."""
    name, breed, sex, year, mother = ([*card.split("/"), ""])[:5]
    line = next(x for x in KINDS.strip().splitlines() if breed in x)
    species, jabs, food, colours, breeds = (
        line.split(": ", 4) if ": :" not in line else line.replace(": :", ":  :").split(": ", 4)
    )
    low, high = map(float, next(b for b in listed(breeds) if b.startswith(breed)).split()[-2:])
    weight = random.uniform(low, high)
    vets = listed(VETS)
    home = vets[sum(map(ord, owner)) % 4]
    return {
        "name": name,
        "Species": species,
        "breed": breed,
        "sex": {"f": "female", "m": "male"}[sex],
        "Owner": owner,
        "Home Street": street,
        "seen by": home if random.random() < 0.55 else random.choice(vets),
        "weight": f"{weight:.0f} kg" if weight > 40 else f"{weight:.1f} kg",
        "year_born": year,
        "Mother": mother,
        "Vaccinations": several(listed(jabs), 3, random) if jabs.strip() else "",
        "allergies": several(listed(ALLERGIES), 2, random),
        "Fee Owed": f"{random.choice([0, 0, 0, random.randrange(8, 60), random.randrange(8, 120), random.randrange(20, 290)])} EUR",
        "Last Visit": (date(2022, 9, 1) + timedelta(random.randrange(800))).isoformat(),
        "neutered": ""
        if species in {"hen", "goose", "duck", "tortoise", "parrot"}
        else random.choice(["yes", "yes", "no"]),
        "insured_with": random.choice(listed(INSURERS)),
        "Colour": random.choice(listed(colours)),
        "fed on": random.choice(listed(food)),
    }


def cards(random):
    """Every animal of every owner, and which is whose friend."""
    rows = []
    for block in CARDS.strip().splitlines():
        home, pets = block.split(": ", 1)
        owner, street = home.split(",", 1)
        rows += [animal(card, owner, street.strip(), random) for card in pets.split("; ")]
    names = [row["name"] for row in rows]
    single = [row for row in rows if names.count(row["name"]) == 1]
    for row in rows:
        others = [o for o in single if o is not row]
        mates = [
            o["name"] for o in others if o["Owner"] == row["Owner"] and o["name"] != row["Mother"]
        ]
        near = [o["name"] for o in others if o["Home Street"] == row["Home Street"]]
        row["best_friend"] = random.choice(mates if random.random() < 0.7 else near)
        row["scared of"] = random.choice(
            [o["name"] for o in others if o["name"] not in {row["best_friend"], row["Mother"]}]
        )
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
    with Path(__file__).with_name("pets.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(cards(Random(61)))


if __name__ == "__main__":
    main()
