"""Write choir.csv: the singers of an invented town choir, a row a singer.

All invented; a fixed seed. Hard on purpose: names that are words, voices and trades, namesakes, names
that share a part, accents, mentors, neighbours and car-sharing partners who are singers themselves,
distances partly in metres and practice partly in hours, several values in a cell, many cells empty.

    python examples/strangers/choosing/invent_choir.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501

import csv
import itertools
from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = (
    *("singer", "Voice", "joined_on", "birth year", "Day Job", "works_at", "Lives In"),
    *("next door to", "Mentored By", "shares_a_car_with", "annual fee", "Paid Up", "allergies"),
    *("Solos Sung", "also_plays", "rehearsals_missed", "home practice", "Committee Role"),
    *("distance_to_hall", "previous choir"),
)
SINGERS = {
    "soprano": """Anna Bell; Grace Note; May Lark; Žofie Dvořáčková; Renée Crête; Summer Hayes; Clara Winterbourne; Poppy Field
Łucja Wrzos; Núria Puig; Faith Church; Melody Baker; Ingeborg Ståhl; Joy Baker; Sister Ludmila; Máire Ní Bhriain; Daisy Chain; Hope Penrose
Carol Singer; Gréta Þórsdóttir; Aoife Quill; Lily Marsh; Beatriz Neves; Maria Santos; Pearl Fisher; Ottilie Grün""",
    "mezzo-soprano": "Viola Reed; Şebnem Yıldız; Dawn Chorus; Rosamund Pike-Hale; Inês Falcão; Willa Stone; Marguerite Lefèvre; Jo Tanner; Hazel Wood; Delphine Aubert",
    "alto": """Anna Bell; Harmony Cook; Ruth Ashdown; Olive Branch; Agnieszka Bąk; Çağla Öz; Rose Marsh; Martha Klein; Sandy Shaw-Rigby; Ida Holm; Old Mrs. Penrose
Annabel Reed; Constance Byrne; Dr. Edith Plumb; Wren Halloran; Petra Schäfer; Lucía Ibáñez; Maria Santos; Ivy Wall; Gudrun Klein; Heather Moor; Priscilla Drake; Noor Haddad""",
    "tenor": """Tom Reed; Bill Bass; Will Power; François Lefèvre; João Neves; Björn Ståhl; Young Tom; Chase Winterbourne; Ádám Szőke; Mark Down; Leo Lark
Iñaki Etxeberri; Noël Garçon; Jack Frost; Percy Tuck; Amadou Diop; Rowan Ashdown; Basil Thyme; Gabriel Church""",
    "baritone": """Søren Bøgh; Martin Klein; Guy Fisher; Đorđe Ilić; Frank Speke; Peter Halloran; Rob Banks; Dewi Prosser; Miles Long; Hans Grün; Clay Potter
Winston Abara; Benedikt Moor; Art Wall; Sasha Volkov""",
    "bass": """Tom Reed; Old Tom; Ēriks Kalns; Otto Schäfer; Father Anselm; Cliff Stone; Hugh Drake; Tenorio Díaz; Barnaby Hale; Samuel Haddad; Rocky Shaw
Igor Bąk; Victor Bell; Ernest Byrne; Mo Rahman; Ziggy; Matthias Wood; Lars Holm""",
}
# Place / distance to the hall in kilometres / how often somebody lives there
PLACES = "Old Town/0.3/8; Mill Lane/0.6/6; Harbour Quarter/1.4/8; Heron Walk/1.9/5; Priory Close/0.8/5; Little Marrow/6.5/5; Great Marrow/7.8/6; Cold Ash/11.2/4; Nether Wick/14.5/3; Pudding Hill/3.1/4"
# Trade / where
JOBS = """nurse/General Hospital; surgeon/General Hospital; midwife/General Hospital; teacher/St. Brigid's School; caretaker/St. Brigid's School; teacher/Marrow Primary
librarian/Town Library; baker/Corner Bakery; pastry cook/Corner Bakery; dentist/Marlow Dental; postman/Post Office; clerk/Town Hall; archivist/Town Hall; bank manager/Sparrow Bank; cashier/Sparrow Bank
mechanic/Station Garage; barkeeper/The Blue Heron; landlord/The Blue Heron; brewer/Hopwood Brewery; cooper/Hopwood Brewery; farmer/Marrow Farm; shepherd/Marrow Farm; ferryman/Ferry Office; harbour pilot/Ferry Office
gardener/Bloom's Nursery; florist/Bloom's Nursery; stage hand/Theatre Royal; seamstress/Theatre Royal; plumber/; potter/; piano tuner/; translator/; vet/; locksmith/; taxi driver/; beekeeper/"""
OLD = "retired teacher; retired judge; retired sailor; retired postman; retired nurse; retired butcher; retired engineer"
FIXED = {
    "Sister Ludmila": ("nun", "Priory of St. Brigid"),
    "Father Anselm": ("priest", "Priory of St. Brigid"),
    "Dr. Edith Plumb": ("vet", ""),
    "Melody Baker": ("locksmith", ""),
    "Joy Baker": ("baker", "Corner Bakery"),
}
BORN = {
    "Old Tom": 1938,
    "Old Mrs. Penrose": 1936,
    "Young Tom": 2007,
    "Ziggy": 2006,
    "Dr. Edith Plumb": 1966,
}
PIECES = "Lament of the Ferryman; Ave Stella; The Miller's Wedding; Snow on the Weir; Kyrie in Blue; O Bright Morning; Psalm of Salt; Three Herons; Magnificat for a Small Town; Midnight Train; Bread and Candles; Sleep, Little Otter"
ALLERGIES = "nuts; pollen; cats; bee stings; penicillin; dust; lactose; strawberries; lilies; latex"
INSTRUMENTS = "piano; violin; accordion; trombone; harp; ukulele; guitar; recorder; organ; cello; clarinet; bagpipes"
ROLES = "president; treasurer; secretary; librarian; webmaster; tea maker; robe keeper; photographer; bus driver; poster designer; ticket seller; assistant conductor; social secretary; fire warden"
CHOIRS = "Cathedral Singers; Dockside Shanty Crew; Ash Valley Gospel; University Chamber Choir; St. Brigid's School Choir; Police Choir; Marrow Bell Ringers; The Blue Notes; Opera Chorus of Lindau Bay"
FEES = ("96.00 EUR", "48.00 EUR", "30.00 EUR")


def some(random, text, counts, often):
    """A few values out of a list, or none at all."""
    if random.random() >= often:
        return ""
    return "; ".join(random.sample(text.split("; "), random.choice(counts)))


def singer(random, name, voice):
    """What does not hang on the other singers."""
    born = BORN.get(name) or random.randint(1940, 2006)
    first = max(date(1976, 1, 1), date(born + 16, 1, 1))
    joined = first + timedelta(random.randrange((date(2024, 11, 1) - first).days))
    job, place = random.choice(JOBS.strip().replace("\n", "; ").split("; ")).split("/")
    if born < 1957:
        job, place = random.choice(OLD.split("; ")), ""
    elif born > 2002:
        job, place = "student", ""
    job, place = FIXED.get(name, (job, place))
    fee = FEES[1] if born < 1957 else FEES[2] if born > 2002 else FEES[0]
    if random.random() < 0.14:
        fee = random.choice(("60.00 EUR", "72.50 EUR", "120.00 EUR", "0.00 EUR"))
    homes = [h.split("/") for h in PLACES.split("; ")]
    home, far, _ = random.choices(homes, [int(h[2]) for h in homes])[0]
    km = float(far) * random.uniform(0.75, 1.25)
    practice = random.choice((10, 15, 20, 25, 30, 35, 40, 45, 50, 60, 75, 90, 120))
    told = {
        "singer": (name, 1),
        "Voice": (voice, 1),
        "joined_on": (joined.isoformat(), 0.93),
        "birth year": (str(born), 0.85),
        "Day Job": (job, 0.93),
        "works_at": (place, 0.95),
        "Lives In": (home, 1),
        "annual fee": (fee, 0.95),
        "Paid Up": ("no" if random.random() < 0.22 else "yes", 0.94),
        "allergies": (some(random, ALLERGIES, (1, 1, 1, 2, 3), 0.35), 1),
        "Solos Sung": (some(random, PIECES, (1, 1, 2, 3), 0.36), 1),
        "also_plays": (some(random, INSTRUMENTS, (1, 1, 2), 0.45), 1),
        "rehearsals_missed": (str(min(random.randint(0, 9), random.randint(0, 14))), 0.92),
        "home practice": (f"{practice} min" if practice < 60 else f"{practice / 60:g} h", 0.75),
        "distance_to_hall": (f"{round(km * 100) * 10} m" if km < 1 else f"{km:.1f} km", 0.85),
        "previous choir": (some(random, CHOIRS, (1, 1, 1, 2), 0.4), 1),
    }
    return {c: v for c, (v, often) in told.items() if random.random() < often} | {"joined": joined}


def link(a, b, column):
    """Each names the other."""
    for one, other in ((a, b), (b, a)):
        one[column] = "; ".join(x for x in (one.get(column), other["singer"]) if x)


def main() -> None:
    """Write the table, singers in no order."""
    random = Random(1847)
    rows = []
    for voice, names in SINGERS.items():
        rows += [singer(random, n, voice) for n in names.replace("\n", "; ").split("; ")]
    random.shuffle(rows)
    often = Counter(row["singer"] for row in rows)
    known = [row for row in rows if often[row["singer"]] == 1]
    for home in PLACES.split("; "):
        here = [row for row in known if row["Lives In"] == home.split("/")[0]]
        for a, b in itertools.pairwise(here):
            if random.random() < 0.55:
                link(a, b, "next door to")
        random.shuffle(here)
        for a, b in zip(here[::2], here[1::2], strict=False):
            if random.random() < (0.85 if float(home.split("/")[1]) > 3 else 0.3):
                link(a, b, "shares_a_car_with")
    for a in random.sample([r for r in known if "shares_a_car_with" in r], 6):
        b = random.choice([r for r in known if "shares_a_car_with" not in r])
        link(a, b, "shares_a_car_with")
    mentors = sorted(known, key=lambda r: r["joined"])[:75]
    mentors = random.sample(mentors, 42)
    for row in rows:
        able = [m for m in mentors if m["joined"] < row["joined"]]
        able = [m for m in able if m["Voice"] == row["Voice"]] or able
        if able and random.random() < 0.7:
            row["Mentored By"] = random.choice(able)["singer"]
    for role, row in zip(ROLES.split("; "), random.sample(known, 14), strict=True):
        row["Committee Role"] = role
    random.choice([r for r in known if "Committee Role" not in r])["Committee Role"] = "tea maker"
    with Path(__file__).with_name("choir.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
