"""Write satellites.csv: invented satellites and space probes, a row a craft.

All invented; a fixed seed. Hard on purpose: names that are words, months and persons, families whose names share a
part, names within names, two craft of one name, accents, apostrophes, several values in a cell, craft that follow
other craft and send their data home through other craft of the same table, and many cells left empty.

    python invent_satellites.py
"""

# The lists keep what belongs together on a line, however long.
# ruff: noqa: E501, SIM905

import csv
from datetime import date, timedelta
from pathlib import Path
from random import Random

COLUMNS = "spacecraft|Operator|launched_on|Launch Vehicle|launch site|Orbit|altitude|Launch Mass|Instruments|predecessor|relays_data_through|Control Centre|design_life|Lead Scientist|Built By|purpose|still_active|Total Cost|year proposed|has_thrusters".split(
    "|"
)
GAPS = {
    "launch site": 0.08,
    "altitude": 0.06,
    "Launch Mass": 0.05,
    "Instruments": 0.05,
    "design_life": 0.08,
    "Lead Scientist": 0.12,
    "Built By": 0.06,
    "Total Cost": 0.14,
    "year proposed": 0.12,
}
# Operator: name/purpose/orbit, and what it follows if that is known
FLEETS = """
Hvalmark Space Office: Halcyon 1/weather/polar; Halcyon 2/weather/polar/Halcyon 1; Halcyon 3/weather; oceans/polar/Halcyon 2; Halcyon 4/weather; oceans/polar/Halcyon 3; Old Postman/data relay/geostationary; Pigeon/data relay/geostationary/Old Postman; Pigeon 2/data relay/geostationary/Pigeon; Frostbite/ice/polar; Snow Hare/ice/polar/Frostbite; Þorgerður/astronomy/halo; Long Goodbye/deep space/solar; Sparrow/technology test/low
Agence Céleste de Morvelle: Étincelle/technology test/low; Petite Étincelle/technology test/low/Étincelle; Belle-Aube/astronomy/elliptical; Œil-de-Chat/Earth observation/sun-synchronous; Œil-de-Chat bis/Earth observation/sun-synchronous/Œil-de-Chat; Messagère/data relay/geostationary; L'Escargot/deep space/solar; Noémie/oceans/polar; Tante Odette/weather/geostationary; Mille Pattes/mapping/lunar; Hérisson/astronomy/halo/Belle-Aube; Août/oceans/polar/Noémie
Sarn State Bureau: Plough 1/mapping/low; Plough 2/mapping/low/Plough 1; Plough 7/mapping/sun-synchronous/Plough 2; Red Kettle/technology test/low; Grandmother/communications/elliptical; Granddaughter/communications/elliptical/Grandmother; Zvonek/navigation/elliptical; Zvonek-M/navigation/elliptical/Zvonek; Digger/mapping/lunar; Big Digger/mapping/lunar/Digger; Iron Monday/deep space/solar; Switchboard/data relay/elliptical
Lantern Telecom: Lantern/communications/geostationary; Lantern Minor/communications/geostationary/Lantern; New Lantern/communications/geostationary/Lantern; Gossip/data relay/geostationary; Gossip Too/data relay/geostationary/Gossip; Town Crier/television/geostationary; Matinee/television/geostationary/Town Crier; Hullabaloo/television; communications/geostationary/Matinee; Switch/communications/geostationary; Parlour/television/geostationary; Evensong/communications/geostationary; Jukebox/television/geostationary/Parlour
Hollin University: Thimble/technology test/low; Thimble II/technology test/low/Thimble; Button/technology test/low; Moth/astronomy/low; Moth Hunter/astronomy/low/Moth; Crumb/technology test/low/Button; Professor Quill/astronomy/elliptical; Tuesday/weather/low; Dandelion/Earth observation/low; Sparrow/weather/low; Pencil/mapping/low; Paperclip/technology test/low/Crumb
Royal Weather Service of Ambry: April/weather/geostationary; April Rain/weather/geostationary/April; October/weather/geostationary/April Rain; Queen Maud/weather/polar; Princess Ilse/weather/polar/Queen Maud; Barnaby/oceans/polar; Barnaby's Ghost/oceans/polar/Barnaby; Thunderhead/weather/elliptical; Drizzle/weather/sun-synchronous; Umbrella/weather/sun-synchronous/Drizzle; Weathercock/weather/geostationary/October; Wet Socks/oceans/low
Tellurian Institute: Far Walker/deep space/solar; Farther Walker/deep space/solar/Far Walker; Ember/deep space/solar; Cold Ember/deep space/solar/Ember; Moon Beetle/mapping/lunar; Moon Moth/mapping/lunar/Moon Beetle; Saint Brannoc/astronomy/halo; Deep Ear/astronomy/halo; O'Hanrahan/astronomy/elliptical; Heliograph/data relay/halo; Whisper/data relay/lunar; Patience/deep space/solar; Quarry/mapping/lunar/Moon Moth
Compass Rose Cooperative: Compass A/navigation/elliptical; Compass B/navigation/elliptical/Compass A; Compass C/navigation/elliptical/Compass B; Compass C-Prime/navigation/elliptical/Compass C; Pilot/navigation/geostationary; Harbour Light/navigation; communications/geostationary/Pilot; Tern/oceans/polar; Arctic Tern/ice; oceans/polar/Tern; Lodestar/navigation/elliptical; Dead Reckoning/navigation/low; Anker/navigation/elliptical/Lodestar
Fundación Cielo Claro: Luciérnaga/Earth observation/sun-synchronous; Luciérnaga 2/Earth observation/sun-synchronous/Luciérnaga; Ñandú/mapping/sun-synchronous; Colibrí/technology test/low; Abuela Rosa/Earth observation/polar; Doña Inés/Earth observation/polar/Abuela Rosa; Sábado/astronomy/low; Mensajero/data relay/geostationary; Pez Volador/oceans/low; Tortuga/deep space/solar; Green Thumb/Earth observation/sun-synchronous; Greenhouse/Earth observation/sun-synchronous/Green Thumb
Kitchen Table Satellites: Jam Jar/technology test/low; Teaspoon/technology test/low/Jam Jar; Rolling Pin/Earth observation/low; Marmalade/communications/low; Cousin Piotr/technology test/low; Biscuit/weather; Earth observation/low/Rolling Pin; Łyżka/technology test/low/Teaspoon
"""
# Operator: its rockets, its launch sites, its control centres, its builders
MEANS = """
Hvalmark Space Office: Longbow II, Longbow III, Mule Heavy: Skarvholm, Cape Sorrow: Hexley, Nordhavn Tower: Brannock Works, Ostler Aerospace
Agence Céleste de Morvelle: Grand Duc, Petit Duc, Longbow III: Île aux Vents, Cape Sorrow: Villemarche, Saint-Aubrac: Ateliers Roche-Noire, Brannock Works
Sarn State Bureau: Anvil, Anvil-K: Dry Lake, Platform Nine: Korvila: Sarn State Factory
Lantern Telecom: Mule, Mule Heavy, Grand Duc: Cape Sorrow, Île aux Vents, Platform Nine: Port Amity, Villemarche: Ostler Aerospace, Hammer & Reed
Hollin University: Petrel, Mule, Thistle: Dunmarrow Flats, Skarvholm: Hollin, Hexley: Hollin University, Hammer & Reed
Royal Weather Service of Ambry: Mule, Longbow II, Grand Duc: Cape Sorrow, Skarvholm: Ambry Castle, Hexley: Brannock Works, Ostler Aerospace
Tellurian Institute: Longbow III, Mule Heavy, Anvil-K: Cape Sorrow, Dry Lake: Tarn Hill, Hexley, Port Amity: Ostler Aerospace, Hammer & Reed, Tellurian Institute
Compass Rose Cooperative: Mule, Anvil, Petit Duc: Platform Nine, Dry Lake, Île aux Vents: Port Amity, Nordhavn Tower: Hammer & Reed, Sarn State Factory
Fundación Cielo Claro: Petit Duc, Thistle, Mule: Île aux Vents, Dunmarrow Flats: Puerto Lirio, Saint-Aubrac: Talleres Montoro, Ateliers Roche-Noire
Kitchen Table Satellites: Petrel, Thistle: Dunmarrow Flats: Tarn Hill, Hollin: Kitchen Table Satellites
"""
SCIENTISTS = """
Hvalmark Space Office: Ingrid Halloway, Åse Tverrli, Bertil Halloway; Agence Céleste de Morvelle: Rémi d'Aubrac, Solange Piquet, Åse Tverrli; Sarn State Bureau: Vadim Orlesko, Ludmila Orlesko, Tamaz Beridan; Lantern Telecom: Gus Pennywhistle, Marian Loft; Hollin University: Edith Quill, Tom Rookwood, Adaeze Lund-Obi
Royal Weather Service of Ambry: Percival Storm, Marian Loft, Ingrid Halloway; Tellurian Institute: Adaeze Lund-Obi, Kenji Marrow, Edith Quill, Tamaz Beridan; Compass Rose Cooperative: Jory Tangye, Beatriz Faro; Fundación Cielo Claro: Inés Valdoro, Beatriz Faro, Solange Piquet; Kitchen Table Satellites: Piotr Wrona, Tom Rookwood
"""
# Purpose: what such a craft may carry
GEAR = """
weather: rain radar, infrared sounder, lightning detector, cloud camera, wind lidar; oceans: altimeter, rain radar, sea thermometer, colour camera; data relay: transponder, laser terminal, atomic clock; ice: ice radar, altimeter, colour camera; astronomy: infrared telescope, gamma-ray detector, star tracker, X-ray mirror, spectrometer; deep space: colour camera, dust counter, magnetometer, spectrometer, microphone, sampling arm
technology test: solar sail, star tracker, magnetometer, colour camera, tether; Earth observation: colour camera, spectrometer, thermal camera, cloud camera; mapping: altimeter, colour camera, radar imager, laser reflector; communications: transponder, phased antenna, laser terminal; navigation: atomic clock, laser reflector, transponder; television: transponder, phased antenna
"""
# Orbit: altitude, and mass in kg
ORBITS = "polar 620-890 700-2900, low 310-580 90-900, geostationary 35786-35787 1400-5600, elliptical 19100-41000 600-2400, sun-synchronous 500-790 300-1900, lunar 60-210 400-2100, halo 1480000-1510000 900-6200, solar - 350-2600"
# Known: name / column / cell
KNOWN = """
Long Goodbye/launched_on/1969-11-02; Long Goodbye/still_active/yes; Long Goodbye/year proposed/1961; Grandmother/launched_on/1968-04-17; Patience/design_life/30 years; Crumb/Launch Mass/1.3 kg; Jam Jar/Launch Mass/2.8 kg; Teaspoon/Launch Mass/0.9 kg; Button/Launch Mass/4.5 kg; Red Kettle/design_life/3 months; Thimble/design_life/6 months
Deep Ear/Total Cost/2150 million EUR; Jam Jar/Total Cost/0.2 million EUR; Teaspoon/Total Cost/0.1 million EUR; Crumb/Total Cost/0.3 million EUR; October/launched_on/2004-04-30; April Rain/launched_on/1995-10-12; April/launched_on/1987-02-05; Tuesday/launched_on/2011-06-17; Gossip/relays_data_through/; Whisper/relays_data_through/Heliograph; Switch/relays_data_through/Switchboard
L'Escargot/relays_data_through/Heliograph; Far Walker/relays_data_through/Heliograph; Moon Beetle/relays_data_through/Whisper; Digger/relays_data_through/Switchboard; Mille Pattes/relays_data_through/Whisper; Cousin Piotr/Lead Scientist/Piotr Wrona; Sábado/launched_on/2016-09-03; Cold Ember/predecessor/Ember; Greenhouse/Built By/Talleres Montoro
Grandmother/year proposed/1960; Weathercock/launched_on/2013-03-19; Weathercock/year proposed/2005; Tuesday/year proposed/2006; Thimble/launched_on/2014-02-01; Thimble II/launched_on/2022-02-18; October/year proposed/1998; April/year proposed/1979; April Rain/year proposed/1989; Sábado/year proposed/2009; Grandmother/relays_data_through/; Łyżka/Launch Mass/5 kg
"""


def listed(text, comma="; "):
    """What a constant names, one after another."""
    return text.strip().replace("\n", comma).split(comma)


def named(text):
    """A constant's heads with what stands after each."""
    return dict(entry.split(": ", 1) for entry in text)


def fleet():
    """Every craft: operator, name, purposes, orbit, what it follows."""
    for line in FLEETS.strip().splitlines():
        operator, crafts = line.split(": ", 1)
        held = ""
        for piece in crafts.split("; "):
            parts = (held + piece).split("/")
            if len(parts) < 3:  # a purpose of several parts was cut
                held += piece + "; "
                continue
            held = ""
            yield operator, parts[0], parts[1], parts[2], parts[3] if len(parts) > 3 else ""


def craft(operator, name, purpose, orbit, follows, known, random):
    """A craft with all that needs nobody else."""
    rockets, sites, centres, builders = (
        p.split(", ") for p in named(MEANS.strip().splitlines())[operator].split(": ")
    )
    _, heights, masses = next(o for o in ORBITS.split(", ") if o.startswith(orbit)).split()
    start = date(
        random.randint(1972, 1996)
        if not follows
        else known[follows]["born"] + random.randint(3, 9),
        1,
        1,
    )
    start += timedelta(random.randrange(365))
    small = operator in {"Kitchen Table Satellites", "Hollin University"}
    if small and not follows:
        start = start.replace(year=start.year + 22, day=1)
    gear = list(
        dict.fromkeys(g for p in purpose.split("; ") for g in named(listed(GEAR))[p].split(", "))
    )
    mass = random.randint(3, 140) if small else random.randint(*map(int, masses.split("-")))
    cost = random.randint(1, 14) if small else int(mass * random.uniform(0.06, 0.5)) + 20
    carried = sorted(random.sample(gear, min(len(gear), random.randint(1, 3))), key=gear.index)
    return {
        "spacecraft": name,
        "Operator": operator,
        "launched_on": start.isoformat(),
        "Launch Vehicle": random.choice(rockets),
        "launch site": random.choice(sites),
        "Orbit": orbit,
        "altitude": "" if heights == "-" else f"{random.randint(*map(int, heights.split('-')))} km",
        "Launch Mass": f"{mass} kg",
        "Instruments": "; ".join(carried),
        "predecessor": follows,
        "relays_data_through": "",
        "Control Centre": random.choice(centres),
        "design_life": f"{random.choice([2, 3, 5]) if small else random.choice([3, 4, 5, 7, 8, 10, 12, 15])} years",
        "Lead Scientist": random.choice(named(listed(SCIENTISTS))[operator].split(", ")),
        "Built By": random.choice(builders),
        "purpose": purpose,
        "still_active": "yes" if random.random() < (start.year - 1968) / 58 else "no",
        "Total Cost": f"{cost} million EUR",
        "year proposed": str(start.year - random.randint(3, 11)),
        "has_thrusters": "no"
        if (small and random.random() < 0.8) or random.random() < 0.12
        else "yes",
        "born": start.year,
    }


def main() -> None:
    """Write the table beside this script."""
    random = Random(83)
    rows, known = [], {}
    for told in fleet():
        rows.append(craft(*told, known, random))
        known[told[1]] = rows[-1]
    relays = [r["spacecraft"] for r in rows if r["purpose"] == "data relay"]
    for row in rows:
        if random.random() < (0.25 if row["spacecraft"] in relays else 0.68):
            own = [n for n in relays if known[n]["Operator"] == row["Operator"]] * 4
            row["relays_data_through"] = random.choice(
                [n for n in relays + own if n != row["spacecraft"]]
            )
        for column, share in GAPS.items():
            if random.random() < share:
                row[column] = ""
    for fact in listed(KNOWN):
        name, column, cell = fact.split("/")
        known[name][column] = cell
    for row in rows:
        del row["born"]
    random.shuffle(rows)
    with Path(__file__).with_name("satellites.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
