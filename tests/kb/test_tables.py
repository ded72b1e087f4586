"""Tables of a row an entity as facts."""

import gzip

import pytest

from memnets.data.rows import BadRows
from memnets.files import write_json
from memnets.kb.store.from_table import FILE, FromTable, keep, kept
from memnets.kb.store.namesakes import Namesakes, namesakes
from memnets.kb.store.tables import first_column, table_facts, table_rows

FILMS = """title,directed_by,release_year,starred_actors
Alien,Ridley Scott,1979,Sigourney Weaver; Tom Skerritt
"Me, Myself",,2000,"Jim Carrey;"

Heat,Michael Mann
,Nobody,1,x
"open,Ridley Scott,1979,x
"""


def read(path, text, **more):
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    bad = BadRows()
    return list(table_facts(path, bad, **more)), bad


def test_a_cell_is_a_fact_and_may_be_several(tmp_path):
    facts, bad = read(tmp_path / "films.csv", FILMS)
    assert facts == [
        ("Alien", "directed_by", "Ridley Scott"),
        ("Alien", "release_year", "1979"),
        ("Alien", "starred_actors", "Sigourney Weaver"),
        ("Alien", "starred_actors", "Tom Skerritt"),
        ("Me, Myself", "release_year", "2000"),
        ("Me, Myself", "starred_actors", "Jim Carrey"),
    ]
    assert bad.count == 3
    assert (
        "films.csv:5: came 2 cells, 'Heat,Michael Mann'; expected 4, that of 'title'"
        in (bad.first[0])
    )
    assert "films.csv:6: came 4 cells, ',Nobody,1,x'" in bad.first[1]
    assert (
        "films.csv:7: came '\"open,Ridley Scott,1979,x'; expected quotes in pairs" in (bad.first[2])
    )


def test_a_cell_in_quotes_may_run_over_lines(tmp_path):
    text = 'title,plot\r\nAlien,"In space\r\nno one, ""hears"""\r\nUp,x\r\n'
    facts, bad = read(tmp_path / "t.csv", text)
    assert facts == [("Alien", "plot", 'In space no one, "hears"'), ("Up", "plot", "x")]
    assert bad.count == 0


def test_empty_cells_at_the_end_of_rows_are_passed_over(tmp_path):
    facts, bad = read(tmp_path / "t.csv", "title,year,,\nAlien,1979,,\nUp,2009\nRed,1994,x,\n")
    assert facts == [("Alien", "year", "1979"), ("Up", "year", "2009")]
    assert "t.csv:4: came 4 cells" in bad.first[0]


@pytest.mark.parametrize("text", ['{"title": "Alien"}', "[\n{}\n]"])
def test_json_is_refused_with_advice(tmp_path, text):
    with pytest.raises(ValueError, match=r"t\.json:1: this looks like JSON; .*Export it as CSV"):
        read(tmp_path / "t.json", text)


def test_what_is_no_text_is_refused_with_advice(tmp_path):
    with pytest.raises(ValueError, match=r"t\.csv: this is text in UTF-16; .*iconv"):
        read(tmp_path / "t.csv", "title,year\n".encode("utf-16"))


def test_rows_of_one_name_that_contradict_each_other_are_found(tmp_path):
    path = tmp_path / "staff.csv"
    path.write_text(
        "name,office,languages,room\n"
        "Dan,Rome,German; Czech,1\n"
        "Eva,Oslo,Czech,\n"
        "Dan,Lima,Czech,2\n"
        "Eva,Oslo,Polish,3\n"  # adds a room and a language, and contradicts nothing
        "bad row\n"
        "Dan,Rome,,1\n"
    )
    (found,) = namesakes(path)
    assert found == Namesakes("Dan", (2, 4, 7), "office", ("Rome", "Lima"))
    assert found.in_words("staff.csv") == (
        "'Dan' (staff.csv:2, staff.csv:4, staff.csv:7): office is 'Rome' and 'Lima'"
    )
    assert namesakes(path, subject="room") == []  # the rows of room 1 say the same


def test_three_rows_that_contradict_each_other_are_named_and_the_others_counted():
    for rows, said in (
        ((2, 3, 4), "f:2, f:3, f:4"),
        ((2, 3, 4, 5), "f:2, f:3, f:4 and 1 more"),
        ((2, 3, 4, *range(10, 1210)), "f:2, f:3, f:4 and 1,200 more"),
    ):
        assert Namesakes("Dan", rows, "c", ("a", "b")).in_words("f") == (
            f"'Dan' ({said}): c is 'a' and 'b'"
        )


def test_names_that_contradict_themselves_come_in_the_order_of_the_table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("name,a,b\nCy,1,1\nAda,1,1\nAda,1,2\nCy,1,3\nCy,2,3\nBo,1,1\nBo,1,1\n")
    found = namesakes(path)
    assert [(one.name, one.rows, one.column) for one in found] == [
        ("Cy", (2, 5, 6), "b"),
        ("Ada", (3, 4), "b"),
    ]
    assert found[0].objects == ("1", "3")
    path.write_text("name,a\nCy,1\nAda,2\n")
    assert namesakes(path) == []


def test_of_what_stands_as_often_in_the_first_row_the_likeliest_parts_the_columns(tmp_path):
    for first, separator in (("a\tb;c", "\t"), ("a;b|c", ";"), ("a|b,c", "|"), ("a,b,c|d", ",")):
        path = tmp_path / "t.csv"
        path.write_text(f"{first}\n{first.upper()}\n")
        (row,) = table_rows(path)
        assert row.separator == separator
        assert (row.line, row.about, list(row.cells)) == (2, "A", first.split(separator)[1:])


def test_what_a_table_says_is_of_the_kb_that_was_built_of_it(tmp_path):
    found = Namesakes("Dan", (2, 4), "office", ("Rome", "Lima"))
    words = "'Dan' (staff.csv:2, staff.csv:4): office is 'Rome' and 'Lima'"
    assert found.in_words("staff.csv") == words
    said = FromTable("person", {"Dan": words}, {"Eva (Oslo)": "Eva"}, "staff")
    keep(said, "one", tmp_path)
    assert kept(tmp_path, "one") == said
    before = {"generation": "one", "called": "person", "names": {}}  # labels and file came later
    write_json(tmp_path / FILE, before)
    assert kept(tmp_path, "one") == FromTable("person")
    assert kept(tmp_path, "another") == FromTable()
    keep(FromTable(), "one", tmp_path)
    assert kept(tmp_path, "one") == FromTable()


def test_the_first_column_says_what_the_rows_are(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("dish,price\nsoup,3\n")
    assert first_column(path) == "dish"
    path.write_text("dish,dish\nsoup,3\n")
    with pytest.raises(ValueError, match=r"t\.csv:1: "):
        first_column(path)


def test_another_column_may_be_what_a_row_is_about(tmp_path):
    facts, _ = read(tmp_path / "t.tsv", "n\tname\tage\n1\tAda\t36;37\n", subject="name", many="")
    assert facts == [("Ada", "n", "1"), ("Ada", "age", "36;37")]


def test_what_parts_the_columns_does_not_part_a_cell(tmp_path):
    facts, _ = read(tmp_path / "t.csv", '\ufeffname;likes\nAda;"a;b"\n')
    assert facts == [("Ada", "likes", "a;b")]


def test_a_table_may_be_zipped(tmp_path):
    facts, _ = read(tmp_path / "t.csv.gz", gzip.compress(b"name|age\r\nAda|36\r\n"))
    assert facts == [("Ada", "age", "36")]


@pytest.mark.parametrize("first", ["", "name", "name,", "name,name", '"name,age'])
def test_columns_need_names(tmp_path, first):
    with pytest.raises(
        ValueError, match=r"t\.csv:1: came .*; expected (the names of two|quotes in pairs)"
    ):
        read(tmp_path / "t.csv", f"{first}\nAda,36\n")


def test_an_unknown_column_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"t\.csv:1: no column 'Name'; expected one of name, age"):
        read(tmp_path / "t.csv", "name,age\nAda,36\n", subject="Name")


def test_a_broken_encoding_is_named(tmp_path):
    facts, bad = read(tmp_path / "t.csv", b"name,age\nAda,\xff\nBo,3\n")
    assert facts == [("Bo", "age", "3")]
    assert "t.csv:2: byte 0xff is not UTF-8" in bad.first[0]
