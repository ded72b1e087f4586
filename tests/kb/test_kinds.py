"""What kind of things a noun asks for, where a knowledge base has things of several kinds."""

import pytest

from memnets.kb.linking.opened import open_names
from memnets.kb.programs.cues import cues_of
from memnets.kb.programs.heads import asked_noun
from memnets.kb.programs.hops import UNUSED
from memnets.kb.programs.kinds import Kinds
from memnets.kb.programs.operators import (
    And,
    Compared,
    Count,
    Having,
    Most,
    Named,
    Not,
    OtherThan,
    Path,
    in_words,
)
from memnets.kb.programs.parsing import NARROWED, OF_KIND, Parser
from memnets.kb.programs.saying import Sayings
from memnets.kb.store.store import Store, build
from memnets.kb.values.columns import Columns

LANDS = """
Ost;currency:crown;capital:Oslo;population:900;area:50 km2
Rum;currency:lira;capital:Rome;population:800;area:70 km2
Gal;currency:lira;capital:Brest;population:700;area:60 km2
Oslo;mayor:Ada Lund;population:90;lies in:Ost;twin town:Rome
Rome;mayor:Bo Reed;population:80;lies in:Rum;twin town:Brest
Brest;mayor:Cy Hart;population:70;lies in:Gal
Bari;mayor:Di Wolf;population:60;lies in:Rum;twin town:Oslo
Ada Lund;born in:Rome;party:Greens;tutor:Di Wolf
Bo Reed;born in:Rome;party:Reds;tutor:Di Wolf
Cy Hart;born in:Bari;party:Greens
Di Wolf;born in:Oslo;party:Reds
Mount Sul;height:500 m;first climbed:1901;rises in:Rum
Mount Ode;height:900 m;first climbed:1955;rises in:Gal
Mount Ash;height:700 m;rises in:Ost
Old Fell;height:300 m;first climbed:1820;rises in:Ost
Mount Sul;guide:Ada Lund
Mount Ode;guide:Ada Lund
Lo Bridge;height:20 m;crosses:Sull
Hay Mill;height:30 m;turned by:Sull
Di Wolf;born at:Hay Mill
"""


def facts():
    for subject, *cells in (line.split(";") for line in LANDS.strip().splitlines()):
        for cell in cells:
            yield subject, *cell.split(":")


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kinds") / "kb"
    build(facts(), folder)
    return Store.open(folder)


@pytest.fixture(scope="module")
def parser(store):
    return Parser(store, open_names(store))


@pytest.fixture(scope="module")
def kinds(store):
    columns = Columns(store)
    return Kinds(store, open_names(store), columns, Sayings(columns, ()))


@pytest.mark.parametrize(
    ("noun", "relation"),
    [
        ("towns", "lies in"),  # a relation of the noun leads to some; all lie somewhere
        ("town", "lies in"),
        ("mounts", "rises in"),  # three names begin so; the fourth hill has the relation too
        ("countries", "area"),  # those with a currency have an area too
        ("people", "born in"),
        ("submarines", None),
    ],
)
def test_the_relation_that_all_of_a_kind_have(kinds, noun, relation):
    found = kinds.relation(noun)
    of = None if relation is None else subjects(relation)
    assert (found and subjects(found)) == of


def subjects(relation):
    return {subject for subject, name, _ in facts() if name == relation}


def test_what_leads_to_a_kind_leads_there_from_others(kinds):
    """A twin town is one of a town, and so says nothing of what leads to towns."""
    assert {*kinds.leading("towns")} == {"born in", "capital"}
    assert kinds.leading("submarines") == ()


def test_a_role_is_what_few_of_a_kind_are_to_others(kinds):
    assert kinds.is_role("guides")  # one of four people
    assert not kinds.is_role("towns")
    assert not kinds.is_role("people")
    assert not kinds.is_role("submarines")


def test_whether_all_that_have_a_relation_are_of_a_kind(kinds):
    assert kinds.holds("twin town", Having("mayor"))
    assert not kinds.holds("population", Having("mayor"))
    assert kinds.holds("mayor", Having("population"))


ROME = Named(("Rome",))
MANY = Compared("population", "more than", 65.0)
OF_TOWNS = And((MANY, Having("mayor")))


@pytest.mark.parametrize(
    ("program", "narrowed"),
    [
        (MANY, OF_TOWNS),
        (Count(MANY), Count(OF_TOWNS)),
        (OtherThan(MANY, ROME), OtherThan(OF_TOWNS, ROME)),
        (Most("population"), Most("population", Having("mayor"))),
        (Most("mayor"), Most("mayor")),
        (Most("population", MANY, True), Most("population", OF_TOWNS, True)),
        (And((MANY, Having("twin town"))), And((MANY, Having("twin town")))),
        (And((MANY, Having("!capital"))), OF_TOWNS),  # the kind says it better
        (And((Having("twin town"), Having("!capital"))), Having("twin town")),
        (Having("!capital"), Having("mayor")),
        (Having("!capital", ROME), And((Having("!capital", ROME), Having("mayor")))),
        (Having("twin town", ROME), Having("twin town", ROME)),
        (Not("population", ROME), And((Not("population", ROME), Having("mayor")))),
        (ROME, ROME),
        (And((ROME, Having("height"))), And((ROME, Having("height")))),  # whoever is named
    ],
    ids=lambda program: in_words(program),
)
def test_a_program_is_narrowed_to_a_kind(kinds, program, narrowed):
    assert kinds.narrowed(program, Having("mayor")) == narrowed


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which towns have more than 65 inhabitants?", "Brest, Oslo, Rome"),
        ("Which countries have more than 65 inhabitants?", "Gal, Ost, Rum"),
        ("How many towns are there?", "4"),
        ("How many countries are there?", "3"),
        ("What is the largest town?", "Oslo"),
        ("Which mountain is the lowest?", "Old Fell"),
        ("Which towns are in Rum?", "Bari, Rome"),
        ("Which mountains are in Rum?", "Mount Sul"),
        ("In which town was Cy Hart born?", "Bari"),
        ("In which country was Cy Hart born?", "Rum"),
        ("Which people were born in Rome?", "Ada Lund, Bo Reed"),
        ("How many submarines are there?", ""),
        # How large: of squares, by the square or not.
        ("How many square kilometres has Rum?", "70 km2"),
        ("Which country is larger than 55 sq km?", "Gal, Rum"),
        ("smallest country by area", "Ost"),
        ("What is the largest country?", "Rum"),
        # Years that are numbers, or dates.
        ("Which mountains were first climbed from 1900 to 1960?", "Mount Ode, Mount Sul"),
        ("Which mountain was first climbed in 1901?", "Mount Sul"),
        # "Born" says two relations, of which he has one.
        ("In which place was Cy Hart born?", "Bari"),
        ("Di Wolf is the mayor of which town?", "Bari"),  # a twin town is not read
        # Relations that English has, and these facts have not.
        ("What did Cy Hart study?", ""),
        ("Who is Cy Hart married to?", ""),
    ],
)
def test_questions_of_a_kind(parser, question, answers):
    assert first_answers(parser, question) == answers


def first_answers(parser, question):
    understood = parser.parse(question)
    first = understood.candidates[0].outcome.answers if understood.candidates else ()
    return ", ".join(sorted(first))


def test_a_word_for_a_relation_that_is_not_there_is_stranger_than_another(parser):
    assert (
        parser.parse("Does Cy Hart weigh?").strange == 2 * parser.parse("Is Cy Hart ohm?").strange
    )


def test_of_two_relations_of_one_word_that_is_meant_which_a_name_has(tmp_path):
    """ "Lies" says that a town lies on a river too; the mount has none, and no river a mount."""
    hills = "Sul;lies in:Ost,Ode;lies in:Gal,Ost;capital:Oslo,Gal;capital:Brest,Ken;in_country:Gal"
    towns = "Oslo;lies in:Ost;lies on river:Ken;mayor:Ada,Brest;lies in:Gal;lies on river:Ken"
    lines = [line.split(";") for line in f"{hills},{towns}".split(",")]
    build(((name, *cell.split(":")) for name, *cells in lines for cell in cells), tmp_path / "kb")
    store = Store.open(tmp_path / "kb")
    parser = Parser(store, open_names(store))
    assert first_answers(parser, "Sul lies in which country?") == "Ost"
    assert first_answers(parser, "On which river lies Oslo?") == "Ken"


@pytest.mark.parametrize(
    ("question", "program", "expected", "counts"),
    [
        ("which towns lie in Rum", Having("lies in", Named(("Rum",))), None, OF_KIND + UNUSED),
        ("which towns lie in Rum", Having("rises in", Named(("Rum",))), None, -OF_KIND),
        ("which towns knows Ada Lund", Path(Named(("Ada Lund",)), ("party",)), None, -OF_KIND),
        (
            "which mountains are there",
            Having("height"),
            And((Having("height"), Having("rises in"))),
            OF_KIND - NARROWED,
        ),
        ("who is in Rum", Having("lies in", Named(("Rum",))), None, 0.0),
    ],
)
def test_what_is_of_the_kind_that_a_noun_asks_for_counts_more(
    parser, question, program, expected, counts
):
    reading = parser._reader.read(question)
    cues = cues_of(reading, parser._reader.names_of(reading))
    at = asked_noun(reading.words, reading.heads)
    kind = None if at is None else parser._kind_at(at, reading, cues)
    ((found, score),) = parser._of_kind(program, 3.0, reading, at, kind)
    assert found == (expected or program)
    assert score == pytest.approx(3.0 + counts)
