"""Rows of one name: entities of their own, which are both called by it."""

import json

import pytest

from memnets.data.rows import BadRows
from memnets.kb.linking.naming import Names
from memnets.kb.linking.opened import OpenedFacts, OpenedNames, further_names, open_names
from memnets.kb.linking.words import question_words
from memnets.kb.programs.parsing import Parser
from memnets.kb.questions.matching import StringMatcher
from memnets.kb.questions.questions import Facts
from memnets.kb.store.from_table import FILE, build_table, kept
from memnets.kb.store.namesakes import namesakes, told_apart
from memnets.kb.store.store import Store

STALLS = """name,kind,based in,run by,supplied by,rent,id
Ada Lund,trader,Mar,,,,1
Bo Reed,trader,Osk,,,,2
Cy Hart,trader,Osk,,,,3
Di Fox,trader,Mar,,,,4
Tom Reeve,trader,Mar,,,,5
Tom Reeve,trader,Osk,,,,6
Long Acre,farm,Mar,Ada Lund,,,7
Old Mill,farm,Osk,Bo Reed,,,8
Top End,farm,Osk,Di Fox,,,9
Pear Tree,farm,Mar,Cy Hart,,,10
Pear Tree,stall,Osk,Tom Reeve,Pear Tree; Old Mill,30 EUR,11
Soup,stall,Osk,Bo Reed,Long Acre,50 EUR,12
Nuts,stall,Mar,Di Fox,Pear Tree,20 EUR,13
Leeks,stall,Mar,Ada Lund,Top End,40 EUR,14
Cider,stall,Osk,Cy Hart,Pear Tree,35 EUR,15
Bread,stall,Mar,Cy Hart,Old Mill,60 EUR,16
Honey,stall,Mar,Di Fox,Long Acre,15 EUR,17
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("stalls") / "stalls.csv"
    path.write_text(STALLS)
    return path


@pytest.fixture(scope="module")
def store(table):
    build_table(table, table.with_suffix(".kb"))
    return Store.open(table.with_suffix(".kb"))


@pytest.fixture(scope="module")
def ask(store):
    parser = Parser(store, open_names(store))

    def answer(question):
        first = next(iter(parser.parse(question).candidates), None)
        return first.outcome.answers if first else ()

    return answer


def of(store, subject):
    return {(relation, item) for name, relation, item in store.facts if name == subject}


def test_each_row_is_an_entity_called_by_the_first_cell_that_differs(store):
    assert of(store, "Tom Reeve (Mar)") == {("kind", "trader"), ("id", "5"), ("based in", "Mar")}
    assert of(store, "Tom Reeve (Osk)") == {("kind", "trader"), ("id", "6"), ("based in", "Osk")}
    assert ("kind", "stall") in of(store, "Pear Tree (stall)")
    assert not of(store, "Tom Reeve") | of(store, "Pear Tree")
    labels = kept(store.folder, store.generation).labels
    assert labels == {
        "Tom Reeve (Mar)": "Tom Reeve", "Tom Reeve (Osk)": "Tom Reeve",
        "Pear Tree (farm)": "Pear Tree", "Pear Tree (stall)": "Pear Tree",
    }  # fmt: skip


def test_a_name_in_another_cell_means_all_that_have_it(store):
    assert {("run by", "Tom Reeve (Mar)"), ("run by", "Tom Reeve (Osk)")} <= of(
        store, "Pear Tree (stall)"
    )


def test_a_column_that_names_one_sort_means_that_of_two_sorts(store):
    """All others that supply stalls are farms, so no stall supplies one."""
    suppliers = {item for name, relation, item in store.facts if relation == "supplied by"}
    assert suppliers == {"Pear Tree (farm)", "Old Mill", "Long Acre", "Top End"}


def test_two_that_a_column_names_tell_nothing(tmp_path):
    rows = STALLS.replace("Long Acre,", "Old Mill,").replace(
        "\nOld Mill,farm,Mar", "\nLong Acre,farm,Mar"
    )
    (tmp_path / "t.csv").write_text(rows)
    build_table(tmp_path / "t.csv", tmp_path / "kb")
    facts = list(Store.open(tmp_path / "kb").facts)
    assert ("Nuts", "supplied by", "Pear Tree (farm)") in facts
    assert ("Nuts", "supplied by", "Pear Tree (stall)") in facts


def test_a_column_that_names_both_sorts_means_both(tmp_path):
    rows = STALLS.replace("Honey,stall,Mar,Di Fox,Long Acre", "Honey,stall,Mar,Di Fox,Soup")
    (tmp_path / "t.csv").write_text(rows)
    build_table(tmp_path / "t.csv", tmp_path / "kb")
    facts = list(Store.open(tmp_path / "kb").facts)
    assert ("Nuts", "supplied by", "Pear Tree (farm)") in facts
    assert ("Nuts", "supplied by", "Pear Tree (stall)") in facts


def test_a_name_that_is_a_common_word_is_that_of_all_who_have_it(tmp_path):
    rows = "".join(f"Name {n},town {n}\n" for n in range(9))
    (tmp_path / "t.csv").write_text(f"name,town\nWill,Rome\nWill,Oslo\n{rows}")
    build_table(tmp_path / "t.csv", tmp_path / "kb")
    store = Store.open(tmp_path / "kb")
    parser = Parser(store, open_names(store))
    for question in ("What is the town of Will?", "Will's town?"):
        assert parser.parse(question).candidates[0].outcome.answers == ("Oslo", "Rome")


def test_questions_name_all_of_one_name_or_the_one(store):
    on_disk = open_names(store)
    assert isinstance(on_disk, OpenedNames)
    labels = kept(store.folder, store.generation).labels
    in_memory = Names(Facts(list(store.facts)).links(), on_disk.ordinary, (), labels)
    for names in (on_disk, in_memory):
        (both,) = names.mentions(question_words("Where is Tom Reeve based?"))
        assert (both.how, both.name) == ("name", "tom reeve")
        assert {*both.entities} == {"Tom Reeve (Mar)", "Tom Reeve (Osk)"}
        (one,) = names.mentions(question_words("Where is Tom Reeve (Osk) based?"))
        assert one.entities == ("Tom Reeve (Osk)",)
        (part,) = names.mentions(question_words("Where is Reeve based?"))
        assert {*part.entities} == {*both.entities}
        having = map(names.parts.entity, names.parts.having("farm").tolist())
        assert list(having) == ["farm"]  # and not "Pear Tree (farm)"
        assert {*names.apart["Pear Tree"]} == {"Pear Tree (farm)", "Pear Tree (stall)"}
    assert list(further_names(store)) != []


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("How many traders are there?", ("6",)),
        ("How many farms are in Mar?", ("2",)),
        ("Which traders are not based in Osk?", ("Ada Lund", "Di Fox", "Tom Reeve (Mar)")),
        ("Where is Tom Reeve based?", ("Mar", "Osk")),
        ("who does Tom Reeve run", ("Pear Tree (stall)",)),
        ("What is the rent of the Pear Tree?", ("30 EUR",)),
    ],
)
def test_they_are_counted_compared_and_excluded_one_by_one(ask, question, answers):
    assert ask(question) == answers


def test_strings_match_the_facts_of_all_of_a_name(store):
    assert {*StringMatcher(store).ask("where is tom reeve based?")} == {"Mar", "Osk"}
    assert OpenedFacts(store).of("Tom Reeve (Mar)")["based in"] == ("Mar",)


def test_a_key_tells_rows_apart_however_many_there_are(table, tmp_path):
    built = build_table(table, tmp_path / "kb", key="id")
    assert built.apart == (
        "Tom Reeve (5)", "Tom Reeve (6)", "Pear Tree (10)", "Pear Tree (11)",
    )  # fmt: skip
    assert built.merged == ()
    most = tmp_path / "most.csv"
    most.write_text("name,id\nAda,1\nAda,2\nBo,3\n")
    assert build_table(most, tmp_path / "kb").merged != ()
    assert ("Ada", "id", "2") in list(Store.open(tmp_path / "kb").facts)
    assert build_table(most, tmp_path / "kb", key="id").apart == ("Ada (1)", "Ada (2)")
    with pytest.raises(ValueError, match=r"most\.csv:1: no column 'key' beside 'name' .* of id\."):
        build_table(most, tmp_path / "kb", key="key")


def test_rows_that_share_their_key_are_one(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("name,id,room\nAda,1,a\nAda,1,b\nAda,,c\nAda,2,d\n")
    apart = told_apart(path, namesakes(path), key="id")
    assert list(apart.rows.values()) == ["Ada (1)", "Ada (1)", "Ada", "Ada (2)"]
    assert apart.labels == {"Ada (1)": "Ada", "Ada (2)": "Ada"}


def test_without_a_column_that_differs_in_all_the_lines_tell(tmp_path):
    path = tmp_path / "t.csv"
    long = "x" * 41
    path.write_text(f"name,a,b,c\nAda,1,x,{long}\nAda,1,y,2\nAda,2,,3\n")
    apart = told_apart(path, namesakes(path))
    assert list(apart.rows.values()) == ["Ada (row 2)", "Ada (row 3)", "Ada (row 4)"]


def test_names_that_come_again_in_a_quarter_of_the_rows_are_namesakes(tmp_path):
    path = tmp_path / "t.csv"
    for others, are in ((6, True), (5, False)):
        rows = [f"n{number},{number}" for number in range(others)]
        path.write_text("\n".join(["name,a", "Ada,x", "Ada,y", *rows]) + "\n")
        built = build_table(path, tmp_path / "kb")
        assert (bool(built.apart), bool(built.merged)) == (are, not are)


def test_a_kb_built_before_they_were_told_apart_has_no_labels(tmp_path):
    (tmp_path / FILE).write_text(json.dumps({"generation": "g", "called": "n", "names": {}}))
    assert kept(tmp_path, "g").labels == {}


def test_bad_rows_are_counted_once(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(STALLS + "bad\n")
    built = build_table(path, tmp_path / "kb")
    assert (built.bad.count, len(built.apart)) == (1, 4)
    assert isinstance(built.bad, BadRows)
