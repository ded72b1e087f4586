"""Tables of rows of several sorts, which a column tells."""

import pytest

from memnets.kb.linking.opened import open_names
from memnets.kb.programs.operators import Having, Named
from memnets.kb.programs.reading import Reader
from memnets.kb.programs.sorts import Roles, Sorts, is_sort
from memnets.kb.store.store import Store, build
from memnets.kb.values.columns import open_columns

MARKET = """
Green Gate;kind:stall;run by:Ada Lund;supplied by:Long Acre;next to:Nuts;rent:30 EUR;sells:leeks
Nuts;kind:stall;run by:Bo Reed;supplied by:Old Mill;next to:Green Gate;rent:20 EUR;sells:nuts
Soup;kind:stall;run by:Cy Hart;supplied by:Old Mill;next to:Nuts;rent:50 EUR;sells:soup
Old Mill;kind:supplier;run by:Cy Hart;supplied by:Top End;based in:Osk;founded:1850
Long Acre;kind:farm;run by:Ada Lund;based in:Mar;farm size:17 ha;organic:yes
Top End;kind:farm;run by:Bo Reed;based in:Osk;farm size:63 ha;organic:no
Ada Lund;kind:trader;based in:Mar;taught by:Bo Reed
Bo Reed;kind:trader;based in:Osk;taught by:Cy Hart
Cy Hart;kind:trader;based in:Osk
Di Fox;kind:trader;based in:Mar
North Run;kind:route;vehicle used:Bertha;leads to:Osk;length:30 km
Night Owl;kind:route;vehicle used:Dora;leads to:Mar;length:12 km
Bertha;kind:lorry;carries:timber;cooled:no
Dora;kind:van;carries:bread;cooled:yes
"""


@pytest.fixture(scope="module")
def facts():
    lines = (line.split(";") for line in MARKET.strip().splitlines())
    return [(name, *cell.split(":")) for name, *cells in lines for cell in cells]


@pytest.fixture(scope="module")
def ask(asking, facts):
    return asking(facts)


@pytest.fixture(scope="module")
def store(tmp_path_factory, facts):
    folder = tmp_path_factory.mktemp("sorts")
    build(facts, folder)
    return Store.open(folder)


@pytest.fixture(scope="module")
def sorts(store):
    columns = open_columns(store)
    return Sorts(store, columns, Reader(store, open_names(store), columns).relations)


def sort(*cells):
    return Having("kind", Named(cells))


def test_a_column_tells_sorts_in_the_singular_and_the_plural(sorts):
    assert sorts.of("stalls") == sorts.of("stall") == sort("stall")
    assert sorts.of("lorries") == sort("lorry")
    assert sorts.of("baker") is None


def test_what_a_relation_leads_to_is_of_several_sorts(sorts):
    assert sorts.of("vehicles") == sort("lorry", "van")
    assert sorts.of("used") is None


def test_the_relations_by_which_a_sort_belongs_to_others(sorts):
    assert sorts.roles(sort("lorry")) == Roles(frozenset({"vehicle used"}), frozenset())
    assert sorts.roles(sort("stall")) == Roles(frozenset(), frozenset({"run by", "supplied by"}))
    assert sorts.between(sort("route"), sort("lorry")) == ("vehicle used",)
    assert sorts.between(sort("lorry"), sort("route")) == ("!vehicle used",)
    assert sorts.between(sort("stall"), sort("route")) == ()


@pytest.mark.parametrize("name", ["kind", "type", "kind of act"])
def test_what_columns_of_sorts_are_called(name):
    assert is_sort(name.split())
    assert not is_sort(("kind", "to", "animals"))
    assert not is_sort(("fuel", "type"))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # Of what sort the answers are.
        ("How many stalls are there at the market?", "3"),
        ("Which farms in Osk are not organic?", "Top End"),
        ("Osk farms", "Top End"),
        ("All farms except Top End", "Long Acre"),
        ("What farms does Ada Lund run?", "Long Acre"),
        ("Which stall does Ada Lund run?", "Green Gate"),
        ("How many vehicles are there?", "2"),
        ("Which traders are from Osk?", "Bo Reed, Cy Hart"),
        ("how much traders are based in Mar?", "2"),
        ("Who of the traders was not taught by anybody?", "Cy Hart, Di Fox"),
        ("Which of the farms is the largest?", "Top End"),
        # What belongs to somebody.
        ("What is the rent of Ada Lund's stall?", "30 EUR"),
        ("Where is the trader behind Nuts based?", "Osk"),
        ("Who taught the trader of the stall next to Nuts?", "Bo Reed"),
        ("What does the lorry that does the North Run carry?", "timber"),
        ("What is carried by the van on the Night Owl?", "bread"),
        ("Soup has a supplier. Where is that one based?", "Osk"),
        ("Which traders have no stall?", "Di Fox"),
        # What one sort is to another.
        ("Which routes use a cooled van?", "Night Owl"),
        ("Which stalls are supplied by a farm?", "Green Gate"),
    ],
)
def test_nouns_for_sorts_are_asked_about(ask, question, answer):
    assert ask(question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is there a trader nobody taught, and if so, who?", "Cy Hart, Di Fox"),
        ("Are there farms in Osk? Which ones?", "Top End"),
        ("Is it true that Bo Reed runs Top End?", "yes"),
        ("Am I right that Old Mill is based in Mar?", "no"),
        ("How long is the route that Dora goes on?", "12 km"),
    ],
)
def test_names_are_asked_for_behind_all(ask, question, answer):
    assert ask(question) == answer


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """A reader of a port in which a sort is called as a relation is, and another as part of one."""
    folder = tmp_path_factory.mktemp("port")
    facts = [("Swan", "type", "ferry"), ("Ada Lund", "type", "captain"), ("Bo", "type", "driver")]
    facts += [("Swan", "captain", "Ada Lund"), ("Swan", "usual driver", "Bo")]
    facts += [("Bo", "lives in", "Osk"), ("Ada Lund", "lives in", "Mar")]
    build(facts, folder)
    store = Store.open(folder)
    return Reader(store, open_names(store), open_columns(store))


def test_what_a_relation_is_called_is_no_sort(port):
    assert port.kinds.sorts.of("captains") is None
    assert port.kinds.sorts.of("ferries") == Having("type", Named(("ferry",)))


def test_a_part_of_a_relations_name_is_no_sort(port):
    (asked,) = port.read("Who is the usual driver of the Swan?").asked
    assert asked.options[0] == ("usual driver", 1.0)
    assert asked.sort is None


def test_a_clause_that_says_no_relation_joins_a_sort_to_a_name(store):
    reader = Reader(store, open_names(store), open_columns(store))
    (asked,) = reader.read("Where is the lorry that does the North Run?").asked[1:]
    assert (asked.sort, asked.options[0]) == (sort("lorry"), ("vehicle used", 0.6))
