"""Questions of strangers that were misread once, about tables whose questions were read.

What answers them stands in the files that they are from.
"""

import warnings
from functools import cache
from pathlib import Path

import pytest

CHOOSING = Path(__file__).resolve().parents[2] / "examples" / "strangers" / "choosing"
MISREAD = """
packages
  naive words forkd from
  How many of Greta Holm's packages have a manual?
  What takes the longest to build in the networking category?
  packages with no dependencies at all in text, networking or command line?
  hey do echo and kazoo have the same maintainer
  which packages haven't been replaced but are in the parsing category
cottages
  which cottage is furthest from the sea?
  We need step-free and dogs allowed, somewhere in Pellwick, Gannet Bay or Crane Sands. Which?
airfields
  landing fe bourg tonelle
  highest airfield in the country?
  Which fields on Little Tamsin are older than Quill?
  Which airfields are more than 23 km from town?
  sand strips on Vesk or Morrow?
players
  number of left handed players
  how many clubs are there in the league
  Which player lives closest to the hall?
  Which players won between 600 and 700 EUR?
  who in the wexmoor rooks hasn't won any prize money
manuscripts
  since when have we owned Life of Saint Ulvar
  How many manuscripts are there in all?
  How many of the manuscripts are out on loan?
  What is the oldest manuscript in the library?
  Which manuscripts have no number of folios?
breeds
  Which breeds are heavier than the Dogue Cendré?
  Which terriers have no date when they were accepted?
  which breeds with a curly coat are NOT hypoallergenic?
  Which herding breeds have nothing written about their coat?
volunteers
  ignac dvorsky day jbo
  how many without a driving licence in the Orchard round
  Who lives furthest from the depot?
  Who at the Depot shares a car with nobody?
  who comes from Isla Redonda or was born in 1938
telescopes
  how many telescopes are on Hollow Peak
  How many telescopes in all lie above 4000 m?
  What telescope stands the highest?
  who directs the telescope with the largest staff on Hollow Peak
  Which telescopes are robotic and open to visitors at the Ondaril University Observatory?
  Is Tarrow Little Dish bigger than Tarrow Great Dish?
doctorates
  Who was born earliest of them all?
finds
  nobody drew which finds from Well Shaft?
  Which finds of the Ash Kings came out of the Well Shaft?
diplomats
  Which ambassadors are not married?
  Who reports to nobody?
beers
  Which beers cost 2.40 EUR a bottle?
  Which is the oldest beer in the region?
  which pilsners are older than Žubínská Desítka
  which bocks arent derived from any other beer
stops
  Which stops in Old Town are older than Berger Street?
  Which stop lies farthest from the depot?
wines
  Could you list the wines that Finch Brothers import?
  How many wines contain Riesling?
"""


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """Return what the likeliest program of a question gives, and what its file says."""
    from memnets.data.qa.asked import read_asked
    from memnets.kb.linking.opened import open_names
    from memnets.kb.programs.parsing import Parser
    from memnets.kb.programs.respelling import Respelling
    from memnets.kb.store.from_table import build_table
    from memnets.kb.store.store import Store

    @cache
    def opened(table):
        folder = tmp_path_factory.mktemp(table) / "kb"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # namesakes are meant to be there
            build_table(CHOOSING / f"{table}.csv", folder)
        store = Store.open(folder)
        names = open_names(store)
        parser = Parser(store, names)
        answers = {one.text: one.answers for one in read_asked(CHOOSING / f"{table}.questions.tsv")}
        relations = [column.relation for column in parser.programs.columns]
        return parser, Respelling(names, relations), answers

    def given(table, question):
        parser, respelling, answers = opened(table)
        best = next(iter(parser.parse(respelling.respelt(question)[0]).candidates), None)
        return {*best.outcome.answers} if best else set(), {*answers[question]}

    return given


def misread():
    table = ""
    for line in MISREAD.strip().splitlines():
        if line.startswith(" "):
            yield pytest.param(table, line.strip(), id=line.strip())
        else:
            table = line


@pytest.mark.parametrize(("table", "question"), [*misread()])
def test_what_was_misread_is_read(asked, table, question):
    given, answers = asked(table, question)
    called = {name.rpartition(" (")[0] or name for name in given}  # namesakes are told apart
    assert answers in (given, called)
