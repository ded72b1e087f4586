"""What may be asked of what a question names, by its relations and by what it means."""

import math
from itertools import pairwise

import numpy as np
import pytest

from memnets.kb.linking.opened import open_names
from memnets.kb.programs.guessing import ENOUGH
from memnets.kb.programs.meaning import Meanings
from memnets.kb.programs.operators import Having, Named, OtherThan, Path
from memnets.kb.programs.parsing import Parser
from memnets.kb.programs.possible import NONE, WEIGHTS, WORTH, probabilities
from memnets.kb.programs.vectors import RelationVectors
from memnets.kb.store.store import Store, build
from memnets.kb.values.columns import open_columns

FACTS = [
    *(("Moth", "given_by", "Ada Crane"), ("Geese", "given_by", "Ada Crane")),
    *(("Moth", "painted by", "Bo Lund"), ("Geese", "painted by", "Bo Lund")),
    *(("Chair", "painted by", "Ada Crane"), ("Moth", "year", "1901"), ("Geese", "year", "1950")),
]


class Letters:
    """Takes how often a text has each letter for its vector; a hop is one after the other."""

    fingerprint = "letters"

    def __init__(self):
        self.asked = []

    def encode(self, texts):
        self.asked += texts
        return np.array([self.of(text) for text in texts]).reshape(-1, 26)

    @staticmethod
    def of(text):
        counts = np.array([text.lower().count(chr(97 + at)) for at in range(26)])
        return counts / np.linalg.norm(counts)

    def hop(self, first, second):
        return first / 2 + second

    def strengths(self, question, vectors, kinds):
        return vectors @ question + np.array([0.0, 10.0, 20.0])[kinds]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("possible") / "kb"
    build(FACTS, folder)
    return Store.open(folder)


def possible(store, question, ranker=None):
    found = Parser(store, open_names(store), by=ranker or Letters()).possibilities.of(question)
    return {one.program: one for one in found}


def test_all_that_leads_from_a_name_and_to_it_may_be_asked(store):
    ada, moth = Named(("Ada Crane",)), Named(("Moth",))
    found = possible(store, "Which were presents from Ada Crane?")
    gave = {Path(ada, ("!given_by", then)) for then in ("given_by", "painted by", "year")}
    painted = Path(ada, ("!painted by", "painted by"))  # the chair has nothing else
    assert found.keys() == {Having("given_by", ada), Having("painted by", ada), *gave, painted}
    assert found[Having("given_by", ada)].outcome.answers == ("Geese", "Moth")
    assert found[Path(ada, ("!given_by", "year"))].outcome.answers == ("1901", "1950")
    of_moth = possible(store, "And what about Moth?")
    others = [("given_by", "!given_by"), ("given_by", "!painted by"), ("painted by", "!painted by")]
    likewise = {OtherThan(Path(moth, way), moth) for way in others}  # Ada Crane painted, too
    own = {Path(moth, (name,)) for name in ("given_by", "painted by", "year")}
    assert of_moth.keys() == own | likewise
    assert of_moth[OtherThan(Path(moth, others[0]), moth)].outcome.answers == ("Geese",)
    assert of_moth[OtherThan(Path(moth, others[1]), moth)].outcome.answers == ("Chair",)
    assert not possible(store, "What about it?")


def test_what_it_does_not_have_may_be_asked_too(store):
    year = Path(Named(("Chair",)), ("year",))
    found = possible(store, "When was the Chair made?")
    assert found[year].outcome.answers == ()
    assert (found[year].features["absent"], found[year].features["many"]) == (1, 0)
    painted = found[Path(Named(("Chair",)), ("painted by",))]
    assert painted.features["absent"] == 0


def test_what_its_relations_lead_to_may_be_asked(tmp_path):
    build([*FACTS, ("Ada Crane", "home", "Rome"), ("Bo Lund", "home", "Bari")], tmp_path / "kb")
    two = Path(Named(("Moth",)), ("painted by", "home"))
    found = possible(Store.open(tmp_path / "kb"), "Where do those who painted Moth live?")
    assert found[two].outcome.answers == ("Bari",)
    features = found[two].features
    assert (features["hop"], features["said"]) == (1, 0)
    assert 0.5 < features["hop said"] < 1  # "painted" says one, "where ... live" the other
    assert (features["hop back"], features["hop on"]) == (0, 0)
    assert features["hop unsaid"] == 0


def test_paths_take_three_steps_at_most_and_two_if_the_first_is_backwards(tmp_path, monkeypatch):
    monkeypatch.setattr("memnets.kb.programs.possible.TRIED", 99)
    chain = ("Ada", "Bo", "Cy", "Di", "Eve")
    facts = [(name, "boss", over) for name, over in pairwise(chain)]
    build([*facts, *((name, "pay", str(at)) for at, name in enumerate(chain))], tmp_path / "kb")
    found = possible(Store.open(tmp_path / "kb"), "What about Bo?")
    bo, on = Named(("Bo",)), {}
    for end in ("boss", "pay"):
        on |= {Path(bo, ("boss",) * before + (end,)): before for before in range(3)}
    back = {Path(bo, ("!boss", end)) for end in ("boss", "pay")}
    others = OtherThan(Path(bo, ("boss", "!boss")), bo)
    assert found.keys() == {*on, *back, Having("boss", bo), others}
    assert found[others].outcome.answers == ()  # nobody else has this boss
    assert found[Path(bo, ("boss", "boss", "pay"))].outcome.answers == ("3",)
    assert {path: found[path].features["hop on"] for path in on} == {
        path: max(0, before - 1) for path, before in on.items()
    }
    assert all(found[path].features["hop back"] for path in back)
    assert not any(found[path].features["hop ends back"] for path in back)


def test_those_may_be_asked_who_have_what_has_a_name(tmp_path):
    chain = ("Ada", "Bo", "Cy", "Di")
    facts = [*((name, "boss", over) for name, over in pairwise(chain)), ("Di", "town", "Rome")]
    build([*facts, ("Ada", "town", "Bari"), ("Eve", "boss", "Cy")], tmp_path / "kb")
    store = Store.open(tmp_path / "kb")
    cy, rome = Named(("Cy",)), Named(("Rome",))
    under = possible(store, "Whose boss lives in Rome?")[Path(rome, ("!town", "!boss"))]
    assert under.outcome.answers == ("Cy",)
    features = under.features
    assert [features[name] for name in ("hop", "hop back", "hop ends back")] == [1, 1, 1]
    assert features["backwards"] == features["backwards said"] == 0
    assert features["hop said"] > 0.5  # "boss" and "lives in" say both
    two = possible(store, "Whose boss has Cy as boss?")[Path(cy, ("!boss", "!boss"))]
    assert two.outcome.answers == ("Ada",)
    eve = Named(("Eve",))
    other = possible(store, "Who else has Eve's boss?")[
        OtherThan(Path(eve, ("boss", "!boss")), eve)
    ]
    assert other.outcome.answers == ("Bo",)
    assert [other.features[name] for name in ("hop back", "hop ends back")] == [0, 1]


def test_what_speaks_for_each_by_hand(store):
    moth, two = Path(Named(("Moth",)), ("year",)), Having("given_by", Named(("Ada Crane",)))
    found = possible(store, "When was Moth made, beside Ada Crane?")
    when = {"answers": 1.0, "fits": 1.0, "many": math.log(2)}
    none = dict.fromkeys(found[moth].features, 0.0)
    said = found[moth].features["said"]
    assert 0 < said < 1  # "when" and "made" bring a year to mind
    means = Letters.of("what is its year date 1901 1950") @ Letters.of(
        "when was it made beside ada crane"
    )
    unsaid = {"unheard": 1.0, "words unheard": 1.0}  # "beside" alone tells something, of nothing
    assert found[moth].features == pytest.approx(
        none | when | unsaid | {"said": said, "means": means}
    )
    backwards = {"backwards": 1.0, "many": math.log(3), "other names": 1.0}
    backwards |= {"besides": said, **unsaid}  # the year is brought to mind by others
    means = Letters.of("which have it as given by") @ Letters.of("when was moth made beside it")
    # and names are no answer to when
    assert found[two].features == pytest.approx(none | backwards | {"means": 10 + means})
    assert {*none} == {*WEIGHTS} - {NONE}
    given = possible(store, "What was donated by Ada Crane?")[two].features
    assert 0 < given["backwards said"] <= 1 - math.exp(-10 / ENOUGH)


def test_what_a_way_leaves_out_speaks_against_it(store):
    ada, bo = Named(("Ada Crane",)), Named(("Bo Lund",))
    found = possible(store, "In which year did Bo Lund paint those?")
    one, both = found[Having("painted by", bo)], found[Path(bo, ("!painted by", "year"))]
    assert (one.features["unheard"], one.features["words unheard"]) == (1 / 2, 1)
    assert (both.features["unheard"], both.features["words unheard"]) == (0, 0)
    found = possible(store, "Which were presents from Ada Crane?")
    given, painted = (found[Having(name, ada)].features for name in ("given_by", "painted by"))
    assert painted["besides"] == given["backwards said"] > 0
    assert given["besides"] == painted["backwards said"] == 0


def test_of_several_steps_the_last_alone_gives_what_is_asked_for(tmp_path):
    build([*FACTS, ("Ada Crane", "height", "170"), ("Bo Lund", "height", "180")], tmp_path / "kb")
    found = possible(Store.open(tmp_path / "kb"), "How tall is the person Moth was painted by?")
    path = Path(Named(("Moth",)), ("painted by", "height"))  # a painter is no answer to how tall
    assert found[path].features["hop unsaid"] == 0
    assert found[Path(Named(("Moth",)), ("painted by",))].features["said"] == 0


def test_the_likeliest_are_tried_and_no_more(store, monkeypatch):
    every = possible(store, "When was Moth made?")
    said = ("said", "backwards said", "hop said")
    likely = {
        program: one.features["means"] + WORTH * sum(one.features[name] for name in said)
        for program, one in every.items()
    }
    monkeypatch.setattr("memnets.kb.programs.possible.TRIED", 2)
    tried = possible(store, "When was Moth made?")
    assert [*tried] == sorted(likely, key=likely.get, reverse=True)[:2]


def test_the_likeliest_is_that_which_the_words_bring_to_mind(store):
    found = possible(store, "When was Moth made?")
    likely = dict(zip(found, probabilities([*found.values()], WEIGHTS), strict=True))
    year, painted = (Path(Named(("Moth",)), (name,)) for name in ("year", "painted by"))
    assert likely[year] > 2 * likely[painted]
    flat = dict.fromkeys(WEIGHTS, 0.0)
    six = [*found.values()]
    assert probabilities(six, flat) == pytest.approx([1 / 7] * 6)
    assert probabilities(six, flat | {NONE: math.log(2)}) == pytest.approx([1 / 8] * 6)
    assert probabilities([], WEIGHTS) == []


def test_relations_are_encoded_once(store):
    letters, columns = Letters(), open_columns(store)
    meanings = Meanings(letters, RelationVectors(letters, columns, store))
    ways = [("year",), ("!painted by",), ("painted by", "year"), ("!painted by", "year", "year")]
    ways.insert(3, ("!painted by", "year"))
    for _ in range(2):
        named = [(0, 1), (2, 3)]
        first, second = meanings.of(["moth", "or", "geese"], named, [ways, ways[:1]])
    assert len(first) == 5
    year, painted = (
        "what is its year date 1901 1950",
        "what is its painted by name bo lund ada crane",
    )
    asked = Letters.of("it or geese")
    assert first[0] == pytest.approx(Letters.of(year) @ asked)
    assert first[1] == pytest.approx(10 + Letters.of("which have it as painted by") @ asked)
    hop = Letters.of(painted) / 2 + Letters.of(year)
    assert first[2] == pytest.approx(20 + hop @ asked)
    hop = Letters.of("which have it as painted by") / 2 + Letters.of(year)
    assert first[3] == pytest.approx(20 + hop @ asked)
    assert first[4] == pytest.approx(20 + (hop / 2 + Letters.of(year)) @ asked)
    assert second == pytest.approx([Letters.of(year) @ Letters.of("moth or it")])
    assert letters.asked.count(year) <= 1  # it may be kept beside the knowledge base
    assert letters.asked.count("it or geese") == letters.asked.count("moth or it") == 2
    assert meanings.of(["moth"], [(0, 1)], [[]]) == [[]]


def test_who_shares_a_number_may_be_asked_where_a_word_says_so(store):
    moth = Named(("Moth",))
    of_year = OtherThan(Path(moth, ("year", "!year")), moth)
    given = OtherThan(Path(moth, ("given_by", "!given_by")), moth)
    found = possible(store, "What else is of the same year as Moth?")
    assert found[of_year].features["back shared"] == found[given].features["back shared"] == 1
    assert found[Path(moth, ("year",))].features["back shared"] == 0
    plain = possible(store, "And what about Moth?")
    assert of_year not in plain
    assert plain[given].features["back shared"] == 0
