"""Cells that are read as numbers, dates, yes or no; and what a relation's objects are."""

from decimal import Decimal

import pytest

from memnets.kb.store.store import Store, build
from memnets.kb.values.columns import Columns, open_columns
from memnets.kb.values.typed import read


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [
        ("38700 EUR", "38700", "eur"),
        ("€ 5", "5", "eur"),
        ("1,200 km", "1200", "km"),
        ("1 200 000", "1200000", ""),
        ("1,5 kg", "1.5", "kg"),
        ("$1,200.50", "1200.50", "usd"),
        ("3.2 million", "3200000", ""),
        ("40k", "40000", ""),
        ("12 m", "12", "m"),
        ("-4", "-4", ""),
        ("\u22124 °C", "-4", "°c"),
        ("12%", "12", "%"),
        ("0.1", "0.1", ""),
        ("0326", "326", ""),
        ("9" * 60, "9" * 60, ""),
    ],
)
def test_numbers(text, amount, unit):
    value = read(text, "number")
    assert (value.low, value.high, value.unit) == (Decimal(amount), Decimal(amount), unit)


@pytest.mark.parametrize(
    "text",
    ["", "many", "2022-09-18", "1,2,3", "+-3", "3 4", "9" * 61, "A4", "$5 EUR", "-$-5", "+$-5"],
)
def test_what_is_no_number(text):
    assert read(text, "number") is None


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("2022-09-18", 20220918, 20220918),
        ("2022-09-18T10:00:00Z", 20220918, 20220918),
        ("26 September 2024", 20240926, 20240926),
        ("the 3rd"[4:] + " of May, 2001", 20010503, 20010503),
        ("March 3rd, 2001", 20010303, 20010303),
        ("may 2025", 20250501, 20250531),
        ("Feb 2024", 20240201, 20240229),
        ("1974", 19740101, 19741231),
        ("1901-1905", 19010101, 19051231),
        ("13/4/2020", 20200413, 20200413),
        ("3.4.2020", 20200403, 20200403),
        ("44 BC", -429899, -428769),
        ("Feb 1900", 19000201, 19000228),
        ("Feb 2000", 20000201, 20000229),
        ("4/4/2020", 20200404, 20200404),
    ],
)
def test_dates(text, low, high):
    value = read(text, "date")
    assert (value.low, value.high) == (low, high)


@pytest.mark.parametrize(
    "text", ["2023-02-30", "2023-13-01", "3/4/2020", "soon", "1905-1901", "12", "c. 1850", "may"]
)
def test_what_is_no_date(text):
    assert read(text, "date") is None


def test_yes_and_no():
    assert [read(text, "yes or no").low for text in ("Yes", "no", "TRUE")] == [1, 0, 1]
    assert read("maybe", "yes or no") is None
    assert read("yes", "text") is None


def test_values_are_compared_exactly():
    tenth, sum_ = read("0.1", "number"), read("0.10000000000000000000000000000000000001", "number")
    assert tenth.before(sum_)
    assert not sum_.before(tenth)
    assert read("0.10", "number").within(tenth)
    assert read("44 BC", "date").before(read("43 BC", "date"))
    year, day = read("2020", "date"), read("2020-05-01", "date")
    assert day.within(year)
    assert not any((year.within(day), year.before(day), day.before(year)))


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (("5 km", "number"), ("5 m", "number"), "the number 5 km and the number 5 m cannot"),
        (("2020", "date"), ("2020", "number"), "the dates 2020-01-01 to 2020-12-31 and the number"),
        (("yes", "yes or no"), ("1.5", "number"), "yes and the number 1.5"),
        (("2020-01-02", "date"), ("no", "yes or no"), "the date 2020-01-02 and no"),
    ],
)
def test_other_kinds_and_units_are_refused(one, other, said):
    with pytest.raises(ValueError, match=said):
        read(*one).before(read(*other))


FACTS = [
    *(("ABCD"[n], "boss", "BCDA"[n]) for n in range(4)),
    *(("ABCD"[n], "pay", f"{n}00 EUR") for n in range(3)),
    ("D", "pay", "100 USD"),
    *(("ABCD"[n], "year built", f"{1970 + n}") for n in range(4)),
    *(("ABCD"[n], "seats", f"{1970 + n}") for n in range(4)),
    *(("ABCD"[n], "begun", ["2020", "May 2021", "2022-01-01", "soon"][n]) for n in range(4)),
    *(("ABCD"[n], "open", ["yes", "no", "yes", "no"][n]) for n in range(4)),
    *(("ABCD"[n], "likes", ["tea", "rum", "1", "ale"][n]) for n in range(4)),
]


@pytest.fixture(scope="module")
def columns(tmp_path_factory):
    folder = tmp_path_factory.mktemp("values") / "kb"
    build(FACTS, folder)
    return Columns(Store.open(folder))


def test_relations_are_typed_by_most_of_their_objects(columns):
    assert {column.in_words for column in columns} == {
        "boss: link",
        "pay: number in eur, 25% others",
        "year built: date",
        "seats: number",
        "begun: date, 25% others",
        "open: yes or no",
        "likes: text",
    }


def test_what_does_not_fit_is_kept_with_its_fact(columns):
    values = columns.values("pay")
    assert [(cell.fact, cell.text) for cell in values.exceptions] == [(7, "100 USD")]
    assert values.rows.tolist() == [4, 5, 6]
    assert values.low.tolist() == [0, 1, 2]
    assert values.column.share == 0.75
    assert columns.values("pay") is values


def test_a_share_is_of_facts_and_not_of_what_they_say(tmp_path):
    facts = [*((person, "pay", "100 EUR") for person in "ABC"), ("D", "pay", "200 EUR")]
    build([*facts, ("E", "pay", "a lot")], tmp_path / "kb")
    assert Columns(Store.open(tmp_path / "kb")).values("pay").column.share == 0.8


def test_values_between_those_there_are_have_a_place(columns):
    values = columns.values("pay")
    assert values.place(read("100 EUR", "number")) == (1, 1)
    assert values.place(read("150", "number")) == (1.5, 1.5)
    assert values.place(read("-1", "number")) == (-0.5, -0.5)
    with pytest.raises(ValueError, match="cannot be compared"):
        values.place(read("150 USD", "number"))


def test_text_and_relations_that_are_not_there_are_refused(columns):
    with pytest.raises(ValueError, match="'likes' cannot be compared: its objects are text"):
        columns.values("likes")
    with pytest.raises(ValueError, match=r"no relation 'owns' in .*; expected one of"):
        columns.of("owns")


def test_only_some_relations_are_kept_in_memory(columns, monkeypatch):
    monkeypatch.setattr("memnets.kb.values.columns.KEPT", 2)
    for relation in ("boss", "seats", "begun", "open", "boss"):
        assert len(columns.rows(relation)) == 4
    for relation in ("seats", "begun", "open"):
        columns.values(relation)
    assert len(columns._values) <= 2


def test_columns_are_looked_at_once_and_written_beside_the_kb(tmp_path, monkeypatch):
    build(FACTS, tmp_path / "kb")
    store = Store.open(tmp_path / "kb")
    first = [*open_columns(store)]
    assert first == [*Columns(store)]
    (kept,) = store.folder.glob("columns-*.json")
    whole = kept.read_text()
    with monkeypatch.context() as patch:
        patch.setattr(Columns, "_looked_at", None)
        assert [*open_columns(store)] == first
    for damaged in ("{", "[]", '{"version": 1}', whole.replace('"version": 1', '"version": 0')):
        kept.write_text(damaged)
        assert [*open_columns(store)] == first
        assert kept.read_text() == whole
    build([*FACTS, ("Z", "pay", "7 EUR")], tmp_path / "kb")
    changed = {one.relation: one.facts for one in open_columns(Store.open(tmp_path / "kb"))}
    assert changed["pay"] == {one.relation: one.facts for one in first}["pay"] + 1
    assert len([*store.folder.glob("columns-*.json")]) == 1


def test_columns_of_a_folder_that_may_only_be_read_are_not_kept(tmp_path, monkeypatch):
    def full(path, value):
        raise OSError(30, "read-only", str(path))

    build(FACTS, tmp_path / "kb")
    monkeypatch.setattr("memnets.kb.values.columns.write_json", full)
    assert [*open_columns(Store.open(tmp_path / "kb"))] == [*Columns(Store.open(tmp_path / "kb"))]
