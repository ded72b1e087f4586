"""Questions within questions, and words that bring a relation to mind."""

import math
from collections import Counter
from unittest.mock import Mock

import pytest

from memnets.kb.linking.opened import open_names
from memnets.kb.programs import associations, doubting, nesting, spans
from memnets.kb.programs.asides import plain
from memnets.kb.programs.associations import Association, Associations, Concept, concepts
from memnets.kb.programs.guessing import ENOUGH, RULED, Brought, Guessing
from memnets.kb.programs.nesting import put_in, turns_back
from memnets.kb.programs.operators import And, Count, Having, Named, OtherThan, Path
from memnets.kb.programs.reading import Reader, Reading
from memnets.kb.programs.spans import PLACE, Part, parts
from memnets.kb.store.store import Store, build
from memnets.kb.values.columns import open_columns

SHIPS = """
Swan;type:ferry;captain:Ada Lund;sister:Tern;built at:North Yard;berth:Pier 4;crew:12;fuel:diesel
Tern;type:ferry;captain:Bo Reed;sister:Gull;built at:North Yard;berth:Pier 4;crew:30;fuel:coal
Gull;type:tug;captain:Cy Hart;sister:Swan;built at:East Yard;berth:Pier 9;crew:7;fuel:diesel
Wren;type:tug;captain:Ada Lund;replaced by:Gull;built at:East Yard;berth:Pier 2;crew:5
Ada Lund;trained by:Bo Reed;lives in:Osk;pager:4491
Bo Reed;trained by:Cy Hart;lives in:Mar;pager:1207
Cy Hart;lives in:Osk
"""


@pytest.fixture(scope="module")
def ask(asking):
    lines = (line.split(";") for line in SHIPS.strip().splitlines())
    return asking([(name, *cell.split(":")) for name, *cells in lines for cell in cells])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where does the captain of the tug that Wren was replaced by live?", "Osk"),
        ("Where does the captain of the ship by which Wren was replaced live?", "Osk"),
        ("What is the fuel of the tug that Wren was replaced by?", "diesel"),
        ("Which ships have a captain trained by somebody from Osk?", "Tern"),
        ("What else is the captain of Swan the captain of?", "Wren"),
        ("Swan has a sister. What is the crew of that one?", "30"),
        ("Wren was replaced by another one; what does that one burn as fuel?", "diesel"),
        ("How big is the crew of whatever Wren was replaced by?", "7"),
        ("Whose captain lives in Mar?", "Tern"),
        ("Which are built at the same yard as Wren?", "Gull, Wren"),
    ],
)
def test_a_part_is_asked_first(ask, question, answer):
    assert ask(question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What brings Wren to a halt, which skipper commands it?", "Ada Lund"),
        ("Whose apprentice was Ada Lund?", "Bo Reed"),
        ("By which shipyard was Gull put together?", "East Yard"),
        ("What came after Wren?", "Gull"),
        ("At which quay does Gull moor?", "Pier 9"),
    ],
)
def test_words_bring_to_mind_what_they_do_not_say(ask, question, answer):
    assert ask(question) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many have Ada Lund as their captain?", "2"),
        ("How many ships does Cy Hart captain?", "1"),
        ("Which tugs have no known fuel?", "Wren"),
        ("tugs without any fuel", "Wren"),
        ("Which tugs have nobody noted as sister?", "Wren"),
        ("Was it Bo Reed who trained Ada Lund?", "yes"),
        ("Was it Cy Hart that trained Ada Lund?", "no"),
        ("Is Ada Lund trained by Cy Hart, right?", "no"),
        ("What was Wren replaced by?", "Gull"),
        ("What was replaced by Gull?", "Wren"),
        ("Ada Lund is the captain of what?", "Swan, Wren"),
        ("who is the skipper called, of the ferry Tern?", "Bo Reed"),
    ],
)
def test_forms_of_questions(ask, question, answer):
    assert ask(question) == answer


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Is it Ada who owns Tern?", "Did Ada owns Tern?"),
        ("was it the Old Swan that sank?", "Did the Old Swan sank?"),
        ("Is it true that Ada owns Tern?", "Did Ada owns Tern?"),
        ("is it vital that Tern sails?", "is it vital that Tern sails?"),
    ],
)
def test_only_who_it_is_may_be_asked_without_it(question, asked):
    assert plain(question) == asked


def test_what_a_column_says_the_kind_of_is_a_row(asking):
    told = "Moth;kind of act:duo;members:2,Owls;kind of act:choir;members:40"
    facts = (line.split(";") for line in told.split(","))
    ask = asking([(name, *cell.split(":")) for name, *cells in facts for cell in cells])
    assert ask("Which acts have more than 3 members?") == "Owls"
    assert ask("What kind of act is Moth?") == "duo"
    assert ask("How many acts are there?") == "2"


def test_nothing_goes_back_to_where_it_came_from_unasked():
    swan, captain = Named(("Swan",)), Path(Named(("Swan",)), ("captain",))
    assert turns_back(Having("captain", captain))
    assert turns_back(Count(And((Having("captain", captain), Having("crew")))))
    assert turns_back(OtherThan(Path(Having("type", swan), ("type", "captain")), swan))
    assert not turns_back(Having("trained by", captain))
    assert not turns_back(Path(Having("type"), ("type",)))


def test_else_leaves_out_what_led_to_a_part():
    part = Path(Named(("Swan",)), ("captain",))
    theirs = Having("captain", part)
    assert nesting._without(theirs, part) == OtherThan(theirs, Named(("Swan",)))
    assert nesting._without(Count(theirs), part) == Count(theirs)
    unnamed = Having("captain", Having("crew"))
    assert nesting._without(unnamed, Having("crew")) == unnamed


def test_what_answers_a_part_makes_one_program_with_the_rest():
    names, part = ("Tern",), Path(Named(("Swan",)), ("sister",))
    outer = Path(Named(names), ("captain", "lives in"))
    assert put_in(outer, names, part) == Path(Named(("Swan",)), ("sister", "captain", "lives in"))
    longer = Path(Named(("Swan",)), ("sister", "sister"))
    assert put_in(outer, names, longer) == Path(longer, ("captain", "lives in"))
    both = And((Having("captain", Named(names)), Having("crew")))
    assert put_in(both, names, part) == And((Having("captain", part), Having("crew")))
    assert put_in(both, ("Gull",), part) is None


def test_words_of_a_concept_tell_alone_or_together():
    concept = Concept("name", "tenant in+force by", "lease who+rent the")
    assert concept.named == (("tenant",), ("in", "force"), ("by",))
    assert concept.asked == (("tenant",), ("in", "force"), ("lease",), ("who", "rent"))


def test_words_of_columns_names_are_found_by_how_they_begin():
    begins = associations._begins
    heads = {name.partition("+")[0] for of in concepts() for name in of.names.split()}
    odd = {word for word in heads if begins(word) != word[: associations.ALIKE + 1]}
    assert {"bought", "kept"} <= odd  # of "buy" and "keep"
    for word in [*sorted(odd)[::9], "bought", "kept", "no", "yield", "e", "l"]:
        found = associations._named(frozenset({begins(word)}))[begins(word)]
        expected = [
            (number, name)
            for number, of in enumerate(concepts())
            for name in of.names.split()
            if begins(name.partition("+")[0]) == begins(word)
        ]
        assert found == expected


def test_the_fewer_concepts_words_are_of_the_more_they_tell():
    counts = Counter(word for of in concepts() for side in of[1:] for word in side.split())
    (once, *_), (often, *_) = (
        sorted(one for one, many in counts.items() if "+" not in one and many in how)
        for how in ((1,), range(10, 99))
    )
    assert associations._worth((once,)) == pytest.approx(1.0)
    many = len(concepts())
    rare = math.log(1 + many / counts[often]) / math.log(1 + many)
    assert associations._worth((often,)) == pytest.approx(rare)
    assert rare < 0.8
    both = next(one for one, number in counts.items() if "+" in one and number == 1)
    assert associations._worth(tuple(both.split("+"))) == pytest.approx(associations.TOGETHER)


@pytest.mark.parametrize(
    ("asks", "outer", "pronoun"),
    [
        ("what is its crew?", f"what is {PLACE}'s crew?", True),
        ("what is the crew of that one?", f"what is the crew of {PLACE}?", False),
        ("and who owns it now?", f"who owns {PLACE} now?", True),
        ("where does that other ship lie?", f"where does {PLACE} lie?", False),
    ],
)
def test_what_was_told_is_asked_about(asks, outer, pronoun):
    (part,) = spans._told_before(f"Swan has a sister, {asks}")
    assert part == Part("Swan has a sister", outer, told=True, pronoun=pronoun)
    assert not [*spans._told_before(f"Well, {asks}")]


def test_what_rules_say_is_brought_to_mind_the_surer_the_longer(tmp_path):
    build([("Soup", "based on", "Stew"), ("Soup", "rating", "7")], tmp_path / "kb")
    store = Store.open(tmp_path / "kb")
    columns = open_columns(store)
    reader = Reader(store, open_names(store), columns)
    nothing = Mock(spec=Associations, of=lambda words, free: [])
    guessing = Guessing(nothing, columns)
    own = frozenset({"based on", "rating"})
    brought = guessing.brought(reader.read("Soup was inspired by what?"), own)
    assert brought.strengths == {"based on": pytest.approx(RULED * 2**0.5)}  # by two words
    assert brought.places == {"based on": {2, 3}}
    brought = guessing.brought(reader.read("what inspired Soup"), own)
    assert brought == ({"based on": pytest.approx(RULED)}, {"based on": {1}}, {1})
    others = own - {"based on"}  # what Soup lacks is not brought to mind
    assert guessing.brought(reader.read("what inspired Soup"), others) == ({}, {}, {1})


def test_what_is_brought_to_mind_besides_some_relations():
    places = {"boss": {1, 2}, "pay": {2, 3}, "town": {4}}
    brought = Brought({"boss": 3.0, "pay": 1.5, "town": 0.5}, places, telling={1, 2, 4, 6})
    assert brought.surely("pay") == pytest.approx(1 - math.exp(-1.5 / ENOUGH))
    assert brought.surely("age") == 0
    assert brought.by(["boss", "town", "age"]) == {1, 2, 4}
    assert brought.unheard(["boss"]) == {4, 6}
    assert brought.besides(["boss"]) == brought.surely("town")  # "pay" is said by a word of both
    assert brought.besides(["town"]) == brought.surely("boss")
    assert brought.besides(["boss", "town"]) == 0


def test_what_is_counted_brings_a_number_to_mind(tmp_path):
    build([("Soup", "rating", "7"), ("Soup", "served with", "Bread")], tmp_path / "kb")
    store = Store.open(tmp_path / "kb")
    columns = open_columns(store)
    reader = Reader(store, open_names(store), columns)

    def guess(question, *places):
        told = [Association("rating", 2.0, places)]
        thought = Mock(spec=Associations, of=lambda words, free: told)
        return Guessing(thought, columns).guessed(reader.read(question))

    found = guess("how many stars has Soup", 0, 1, 2)
    assert found is not None
    assert (found.asked[0].begin, found.brought) == (2, {0, 1, 2})  # a count stands at "many"
    assert guess("how many corners has Soup", 0, 1) is None
    assert guess("how much is Soup", 0, 1) is not None
    assert guess("who marks Soup", 0) is None


def test_a_relation_is_of_a_concept_as_far_as_its_name_says_so(tmp_path):
    build([("Mill", "tenant", "Ada"), ("Mill", "tenant zone", "Ada")], tmp_path / "kb")
    columns = open_columns(Store.open(tmp_path / "kb"))
    found = Associations({"tenant": ("tenant",), "tenant zone": ("tenant", "zone")}, columns)
    strengths = {one.relation: one.strength for one in found.of(["lease"], [0])}
    assert strengths["tenant zone"] / strengths["tenant"] == pytest.approx(0.75)
    assert found.of(["lease"], []) == []


def test_the_share_of_words_that_bring_nothing_to_mind():
    words = ["does", "the", "zebra", "lease", "ponds"]
    reading = Reading(words, (), (), brought=frozenset({3}))
    assert doubting._unheard(reading) == pytest.approx(2 / 3)
    assert doubting._unheard(Reading(["the"], (), ())) == 1.0


def test_a_part_may_begin_with_what_says_a_relation(tmp_path):
    facts = [("Soup", "based on", "Stew"), ("Soup", "rating", "7"), ("Stew", "rating", "5")]
    build(facts, tmp_path / "kb")
    store = Store.open(tmp_path / "kb")
    question = "rating of the original of Soup"
    reader = Reader(store, open_names(store), open_columns(store))
    found = {one.inner: one for one in parts(question, reader.read(question), frozenset())}
    assert not found["the original of Soup"].brought
    assert found["the original of Soup"].outer == f"rating of {PLACE}?"


def test_every_concept_has_a_kind_and_words():
    kinds = {one.kind for one in concepts()}
    assert kinds == {"name", "number", "date", "flag", "any"}
    assert len(concepts()) > 1500
    assert all(one.named and one.asked for one in concepts())


def test_no_line_of_a_concept_has_words_twice():
    twice = [
        word
        for one in concepts()
        for word, many in Counter((*one.names.split(), *one.others.split())).items()
        if many > 1
    ]
    assert twice == []  # they would count as words of two concepts


def test_words_of_one_stem_begin_alike():
    words = {word for one in concepts() for asked in one.asked for word in asked}
    words -= {"dying", "lying", "tying"}
    begins: dict[str, set[str]] = {}
    for word in words:
        begins.setdefault(associations._stem(word), set()).add(associations._letters(word))
    assert {stem: one for stem, one in begins.items() if len(one) > 1} == {}
