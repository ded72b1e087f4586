"""Write bills.csv: the laws and bills of an invented country's parliament, a row a law.

All invented; a fixed seed. Hard on purpose: laws whose names are common words, namesakes of two
periods, names that share a part, accents and apostrophes, presidents who proposed laws when they
were members, people called Law, Bill and Pardon, laws that amend, replace and refer to one another,
fines in crowns and in millions, terms in months and in years, several values in a cell, gaps.

    python examples/strangers/choosing/invent_bills.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "law, Topic, proposed by, Ministry, committee, year_introduced, Passed On, in force since, Votes For, votes_against, amends, Replaced By, refers_to, maximum fine, prison_term, Length, status, signed by, Applies To, contested in court".split(
    ", "
)
GAPS = {
    "proposed by": 0.04,
    "Ministry": 0.06,
    "committee": 0.1,
    "Votes For": 0.06,
    "votes_against": 0.06,
    "Length": 0.08,
    "Applies To": 0.06,
    "contested in court": 0.12,
}
# Ministry: law/year introduced/topics
LAWS = """
Agriculture: Bread Act/1949/food; Second Bread Act/1978/food, trade; Bees and Honey Act/1983/animals, food; Fishing Act 1961/1960/fishing; Fishing Act 1988/1987/fishing; River Fishing Act/1991/fishing, water; Salmon Act/1999/fishing, food; Goat Act/1954/animals, farming; Wolf Decree/2008/animals; Orchard Law/1967/farming; Potato Emergency Decree/1951/food, farming; Säldal Pasture Act/1964/farming; Loi des Forêts/1959/forests; New Forest Act/2003/forests, animals; Seed Freedom Bill/2021/farming
Finance: Salt Tax Act/1947/taxes, food; Sugar Tax Act/2012/taxes, food; Window Tax/1950/taxes, housing; Fair Coin Act/1948/money; Budget Act 2019/2018/money; Budget Act 2020/2019/money; Budget Act 2021/2020/money; Bank Secrecy Act/1966/money; Bank Honesty Act/1998/money; Lottery Act/1974/gambling, taxes; Inheritance Act/1969/taxes, family; Lex Ibarra/1986/taxes; Piggy Bank Act/2005/children, money; Golden Handshake Act/2010/money, work; Second Home Levy/2016/taxes, housing; Cash Forever Bill/2023/money
Interior: Dog Act/1957/animals; Dog Act/1996/animals; Fireworks Act/1985/noise; Passport Act/1953/travel; Name Change Act/1971/family; Citizenship Act/1948/citizenship; Citizenship (Children) Act/1990/citizenship, children; Sunday Act/1952/work, trade; Sunday Act/1994/trade; Flag Act/1947/symbols; Assembly Act/1968/protest; Police Act/1955/police; Second Police Act/2001/police; Quiet Night Act/1979/noise; Mask Ban/2011/protest; Drone Act/2015/flying; Election Act/1947/elections; Open Ballot Act/1989/elections; Żelm Autonomy Act/1976/regions; Isle of Orr Charter/1981/regions; Capital Act/1958/regions; Second Capital Bill/1993/regions; Beard Bill/1949/police; Night Mayor Bill/2023/noise
Justice: Penal Code/1950/crime; New Penal Code/1992/crime; Juvenile Justice Act/1974/crime, children; Witness Act/1977/courts; Slander Act/1962/press; Truth Act/2006/press; Silence/1984/courts; Jury Act/1965/courts; Pardon Act/1973/crime; Lex Holm/1987/crime; Lex Brandt/2009/crime; Marriage Act/1951/family; Marriage Act for All/2013/family; Divorce Act/1970/family; Adoption Act/1982/family, children; Right to Be Forgotten Act/2017/press; Prison Reform Act/1995/crime
Health: Clean Hands Act/1980/hygiene; Vaccination Act/1956/medicine; Tobacco Act/1993/smoking; Smoke-Free Rooms Act/2007/smoking; Midwives Act/1960/medicine, family; Good Death Bill/2022/medicine; Sunbed Act/2014/hygiene, children; Spirits Act/1949/alcohol; Ólafsdóttir Act/2000/alcohol, children; Sauna Act/1975/hygiene
Labour: Night Work Act/1961/work; Day Work Act/1962/work; Working Hours Act/1977/work; Strike Act/1975/work, protest; Minimum Wage Act/1997/work, money; Four-Day Week Bill/2022/work; Apprentice Act/1953/work, schools; Equal Pay Act/1981/work; Siesta/1988/work; Home Office Act/2020/work; Seamen's Act/1957/work, shipping
Education: School Act/1948/schools; New School Act/1985/schools; Tomorrow Act/2019/schools; Homework Limitation Act/2018/schools, children; School Meals Act/1998/schools, food; University of Orr Act/1974/schools, regions; Library Act/1969/books; Free Books Act/2000/books, children; Language Act/1978/language, schools; Broadcasting Act/1956/press; Théâtre National Act/1983/theatre; Film Fund Act/1986/film
Transport: Road Act/1954/roads; Road Act Reform/1990/roads; Bicycle Act/1976/cycling; Helmet Act/2002/cycling, children; Railway Act/1948/trains; Ferry Act/1972/shipping; Speed Limit Act/1983/roads; Electric Scooter Bill/2021/roads, cycling; Tunnel Act/1995/roads, trains; Bridge Toll Act/1966/roads, taxes; Lighthouse Act/1950/shipping; Airport Act/1968/flying; Sunday Driving Bill/1973/roads
Environment: Clean Air Act/1971/air; Clean Water Act/1973/water; Clean Beach Act/2004/water; Glacier Act/2009/water; Côte Verte Coast Act/1980/water, housing; Plastic Bag Act/2016/waste; Dark Sky Act/2012/light; Nuclear Exit Act/1999/energy; Wind Farm Act/2010/energy; Mining Act/1952/energy
Defence: Conscription Act/1949/army; Women in Arms Act/1989/army; Peace Act/1991/army; Island Guard Act/1966/army, regions; Secrets Act/1958/army, press
Housing: Fair Rent Act/1965/housing; Fair Rent Act/2015/housing; Tenants' Act/1979/housing; Empty House Act/2008/housing; Garden Act/1971/housing
"""
NAMESAKES = {"Dog Act", "Sunday Act", "Fair Rent Act"}
# Committees a ministry's laws go to
COMMITTEES = {
    "Agriculture": "Land and Water",
    "Finance": "Budget",
    "Interior": "Home Affairs, Home Affairs, Regions",
    "Justice": "Legal Affairs",
    "Health": "Health and Family",
    "Labour": "Trade and Labour",
    "Education": "Culture and Schools",
    "Transport": "Roads and Rails",
    "Environment": "Land and Water, Land and Water, Regions",
    "Defence": "Home Affairs",
    "Housing": "Health and Family, Budget",
}
# Member/first year/last year
MEMBERS = "Hilda Stone/1946/1958; Aldo Vance/1955/1970; Ottilie Brandt/1965/1982; Zdeněk Háj/1975/1994; Grace Pardon/1985/2006; Inés Ibarra/1998/2014; Ottokar Brandt/1946/1964; Søren Ibarra/1952/1989; Marta Holm/1972/2010; Martin Holm/1990/2024; May Winter/1960/1995; Will Bishop/1946/1975; Rose Field/1980/2024; Édith Garnier/1968/2003; Björk Ólafsdóttir/1996/2024; Karl-Heinz Moor/1950/1984; Tomasz Żuk/1977/2018; Petra Senn/2004/2024; Nuno Prates/2008/2024; Penny Law/1988/2022; Frank Bill/1946/1968"
PRESIDENTS = "Leo King/1946/1958; Hilda Stone/1959/1970; Aldo Vance/1971/1982; Ottilie Brandt/1983/1994; Zdeněk Háj/1995/2006; Grace Pardon/2007/2014; Inés Ibarra/2015/2030"
REGIONS = [
    "Northmark",
    "Isle of Orr",
    "Säldal",
    "Côte Verte",
    "Lower Fen",
    "Żelm",
    "Capital District",
]
AMENDS = "Helmet Act>Bicycle Act; Electric Scooter Bill>Helmet Act; Speed Limit Act>Road Act; Bridge Toll Act>Road Act; River Fishing Act>Fishing Act 1988; Salmon Act>River Fishing Act; Citizenship (Children) Act>Citizenship Act; Open Ballot Act>Election Act; Lex Ibarra>Inheritance Act; Lex Holm>Penal Code; Lex Brandt>New Penal Code; Truth Act>Slander Act; Silence>Witness Act; Juvenile Justice Act>Penal Code; Prison Reform Act>New Penal Code; Divorce Act>Marriage Act; Adoption Act>Marriage Act; Four-Day Week Bill>Working Hours Act; Siesta>Working Hours Act; Home Office Act>Working Hours Act; Homework Limitation Act>New School Act; School Meals Act>New School Act; Free Books Act>Library Act; Film Fund Act>Broadcasting Act; Language Act>School Act; Ferry Act>Seamen's Act; Tunnel Act>Railway Act; Plastic Bag Act>Clean Water Act; Clean Beach Act>Clean Water Act; Glacier Act>Clean Water Act; Dark Sky Act>Clean Air Act; Wind Farm Act>Côte Verte Coast Act; Women in Arms Act>Conscription Act; Island Guard Act>Conscription Act; Empty House Act>Tenants' Act; Golden Handshake Act>Bank Honesty Act; Piggy Bank Act>Bank Honesty Act; Seed Freedom Bill>Orchard Law; Wolf Decree>Goat Act; Drone Act>Airport Act; Mask Ban>Assembly Act; Fireworks Act>Quiet Night Act; Night Mayor Bill>Quiet Night Act; Right to Be Forgotten Act>Truth Act; Ólafsdóttir Act>Spirits Act; Second Capital Bill>Capital Act; Sunbed Act>Sauna Act"
REPLACED = "Bread Act>Second Bread Act; Potato Emergency Decree>Second Bread Act; Fishing Act 1961>Fishing Act 1988; Loi des Forêts>New Forest Act; Salt Tax Act>Sugar Tax Act; Window Tax>Second Home Levy; Budget Act 2019>Budget Act 2020; Budget Act 2020>Budget Act 2021; Bank Secrecy Act>Bank Honesty Act; Police Act>Second Police Act; Penal Code>New Penal Code; Marriage Act>Marriage Act for All; Tobacco Act>Smoke-Free Rooms Act; Night Work Act>Working Hours Act; Day Work Act>Working Hours Act; School Act>New School Act; New School Act>Tomorrow Act; Road Act>Road Act Reform; Conscription Act>Peace Act; Mining Act>Nuclear Exit Act"
STATUS = {
    "rejected": "Beard Bill, Second Capital Bill, Siesta",
    "withdrawn": "Sunday Driving Bill",
    "suspended": "Mask Ban, Wolf Decree",
    "repealed": "Flag Act, Garden Act",
}
SHARE_FINED = {
    "money": 0.6,
    "crime": 0.5,
    "animals": 0.9,
    "roads": 0.9,
    "water": 0.9,
    "smoking": 1,
    "food": 0.7,
    "housing": 0.8,
    "noise": 1,
    "press": 0.8,
    "fishing": 1,
}
# Law/column/cell, of laws with a name of their own
KNOWN = "Bread Act/proposed by/Frank Bill; Lex Holm/proposed by/Marta Holm; Lex Ibarra/proposed by/Søren Ibarra; Ólafsdóttir Act/proposed by/Björk Ólafsdóttir; Lex Brandt/proposed by/Petra Senn; Isle of Orr Charter/Applies To/Isle of Orr; Żelm Autonomy Act/Applies To/Żelm; University of Orr Act/Applies To/Isle of Orr; Säldal Pasture Act/Applies To/Säldal; Côte Verte Coast Act/Applies To/Côte Verte; Capital Act/Applies To/Capital District; Second Capital Bill/Applies To/Northmark; Glacier Act/Applies To/Northmark; Glacier Act/proposed by/Nuno Prates; Bank Honesty Act/maximum fine/2.5 million crowns; Bank Secrecy Act/maximum fine/1 million crowns; Golden Handshake Act/maximum fine/1.2 million crowns; Nuclear Exit Act/maximum fine/4 million crowns; Secrets Act/prison_term/15 years; New Penal Code/prison_term/25 years; Penal Code/prison_term/30 years; New Penal Code/Length/412 pages; Penal Code/Length/388 pages; Flag Act/Length/1 page; Mask Ban/contested in court/yes; Wolf Decree/contested in court/yes; Truth Act/contested in court/yes; Peace Act/Votes For/201; Peace Act/votes_against/0; Open Ballot Act/Votes For/101; Open Ballot Act/votes_against/100; Tenants' Act/proposed by/Édith Garnier; Clean Water Act/proposed by/Marta Holm; Orchard Law/proposed by/Aldo Vance; Budget Act 2019/maximum fine/; Budget Act 2019/prison_term/; Budget Act 2020/maximum fine/; Budget Act 2020/Applies To/whole country; Budget Act 2021/Applies To/whole country; Peace Act/Applies To/whole country; Fishing Act 1988/Passed On/1988-01-15; Sunday Driving Bill/prison_term/14 days"


def listed(text, mark="; "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", mark).split(mark)


def serving(people, year):
    """Who of some had a seat in a year."""
    spans = [line.split("/") for line in listed(people)]
    return [name for name, first, last in spans if int(first) <= year <= int(last)]


def several(choices, most, random):
    """A few of some, in the order in which they stand there."""
    chosen = random.sample(choices, min(len(choices), random.randint(1, most)))
    return "; ".join(sorted(chosen, key=choices.index))


def law(ministry, name, year, topics, random):
    """A law with all that needs no other law."""
    row = dict.fromkeys(COLUMNS, "")
    passed = date(year, 1, 20) + timedelta(random.randrange(60, 600))
    if name.startswith("Budget Act"):
        passed = date(year, 11, 20) + timedelta(random.randrange(30))
    against = random.randrange(3, 96)
    length = random.choice([2, 3, 4, 6, 8, 9, 12, 14, 18, 22, 27, 31, 36, 44, 58, 73, 96, 120])
    row |= {
        "law": name,
        "Topic": topics.replace(", ", "; "),
        "Ministry": ministry,
        "year_introduced": str(year),
    }
    row["proposed by"] = several(serving(MEMBERS, year), 1 if random.random() < 0.75 else 2, random)
    row["committee"] = random.choice(COMMITTEES[ministry].split(", "))
    row["Length"] = f"{length} pages"
    if random.random() < max(SHARE_FINED.get(topic, 0.25) for topic in topics.split(", ")):
        row["maximum fine"] = (
            f"{random.choice([50, 80, 100, 150, 200, 250, 300, 400, 500, 750, 800, 1200, 1500, 2000, 3000, 4500, 6000, 8000, 10000, 12000, 25000, 40000])} crowns"
        )
        if random.random() < 0.4:
            row["prison_term"] = random.choice(
                [
                    "14 days",
                    "1 month",
                    "3 months",
                    "6 months",
                    "9 months",
                    "18 months",
                    "1 year",
                    "2 years",
                    "3 years",
                    "5 years",
                ]
            )
    row["Applies To"] = "whole country" if random.random() < 0.6 else several(REGIONS, 4, random)
    row["contested in court"] = random.choice(["yes", "no", "no"])
    row["status"] = next(
        (status for status, names in STATUS.items() if name in names.split(", ")), "in force"
    )
    if year > 2020:
        row["status"] = "pending"
    if row["status"] in {"pending", "withdrawn"}:
        row["contested in court"] = "no"
        return row
    row["Votes For"], row["votes_against"] = str(201 - against - random.randrange(9)), str(against)
    if row["status"] == "rejected":
        row["Votes For"], row["votes_against"] = row["votes_against"], row["Votes For"]
        row["contested in court"] = "no"
        return row
    row["Passed On"] = passed.isoformat()
    row["in force since"] = (date(passed.year + 1, random.choice([1, 1, 4, 7]), 1)).isoformat()
    row["signed by"] = serving(PRESIDENTS, passed.year)[0]
    return row


def laws(random):
    """Return all rows."""
    rows = []
    for block in listed(LAWS, "\n"):
        ministry, lines = block.split(": ", 1)
        for line in lines.split("; "):
            name, year, topics = line.split("/")
            rows.append(law(ministry, name, int(year), topics, random))
    for row in rows:
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
        older = [
            o["law"]
            for o in rows
            if o["law"] not in NAMESAKES
            and o["year_introduced"] < row["year_introduced"]
            and o["Passed On"]
        ]
        if older and random.random() < 0.45:
            row["refers_to"] = several(older, 3, random)
    named = {row["law"]: row for row in rows}
    for line in listed(AMENDS):
        name, other = line.split(">")
        named[name]["amends"] = other
    for line in listed(REPLACED):
        name, other = line.split(">")
        named[name] |= {"Replaced By": other, "status": "repealed"}
    for line in listed(KNOWN):
        name, column, cell = line.split("/")
        named[name][column] = cell
    random.shuffle(rows)
    return rows


def main() -> None:
    """Write the table beside this script."""
    with Path(__file__).with_name("bills.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(laws(Random(47)))


if __name__ == "__main__":
    main()
