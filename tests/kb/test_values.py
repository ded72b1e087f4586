"""Cells that are read as numbers, dates, yes or no; and what a relation's objects are."""

import datetime
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memnets.kb.store.store import Store, build
from memnets.kb.values.columns import Column, Columns, _told, open_columns
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
        ("236,200 km2", "236200", "km²"),
        ("5 sq km", "5", "km²"),
        ("5 square kilometres", "5", "km²"),
        ("2 cubic metres", "2", "m³"),
        ("2 m³", "2", "m³"),
        ("9.8 m/s2", "9.8", "m/s²"),
        ("60 miles per hour", "60", "mph"),
        # A unit that is known may stand close, a million of a currency be "m".
        ("5km", "5", "km"),
        ("8TB", "8", "tb"),
        ("30s", "30", "s"),
        ("640 m EUR", "640000000", "eur"),
        ("$12m", "12000000", "usd"),
        ("3 mn EUR", "3000000", "eur"),
        # Two units of one measure, in the smaller.
        ("1 h 20 min", "80", "min"),
        ("5 ft, 3 in", "63", "in"),
        ("2 years and 3 months", "27", "months"),
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
    [
        *(
            "",
            "many",
            "2022-09-18",
            "1,2,3",
            "+-3",
            "3 4",
            "9" * 61,
            "A4",
            "$5 EUR",
            "-$-5",
            "+$-5",
        ),
        *("1990s", "2nd", "10am", "7up", "5 h 3 kg", "5 km 3 km", "5 cats 3 dogs"),
    ],
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
        (("5 km", "number"), ("5 kg", "number"), "the number 5 km and the number 5 kg cannot"),
        (("2020", "date"), ("2020", "number"), "the dates 2020-01-01 to 2020-12-31 and the number"),
        (("yes", "yes or no"), ("1.5", "number"), "yes and the number 1.5"),
        (("2020-01-02", "date"), ("no", "yes or no"), "the date 2020-01-02 and no"),
    ],
)
def test_other_kinds_and_units_are_refused(one, other, said):
    with pytest.raises(ValueError, match=said):
        read(*one).before(read(*other))


def test_units_of_one_measure_are_converted_exactly():
    assert read("999.9 m", "number").in_unit("km").before(read("1 km", "number"))
    assert read("0.1 km", "number").in_unit("m").low == 100
    assert read("90 min", "number").in_unit("h").low == Decimal("1.5")
    for unit in ("kg", "", "EUR"):  # mass, none, and money, which has no fixed rate
        assert read("5 km", "number").in_unit(unit) == read("5 km", "number")


def test_times_of_the_day_are_compared_with_each_other_alone():
    for text, minutes in (("06:40", 400), ("6.40 pm", 1120), ("12 am", 0), ("12 p.m.", 720)):
        assert (read(text, "date").low, read(text, "date").unit) == (minutes, "clock")
    assert [read(text, "date") for text in ("24:00", "06:60", "13 pm", "0 am")] == [None] * 4
    assert read("06:40", "date").before(read("7 am", "date"))
    with pytest.raises(ValueError, match="the time 06:40 and the dates 1999"):
        read("06:40", "date").before(read("1999", "date"))


FACTS = [
    *(("ABCD"[n], "boss", "BCDA"[n]) for n in range(4)),
    *(("ABCD"[n], "pay", f"{n}00 EUR") for n in range(3)),
    ("D", "pay", "100 USD"),
    *(("ABCD"[n], "year built", f"{1970 + n}") for n in range(4)),
    *(("ABCD"[n], "seats", f"{1970 + n}") for n in range(4)),
    *(("ABCD"[n], "begun", ["2020", "May 2021", "2022-01-01", "soon"][n]) for n in range(4)),
    *(("ABCD"[n], "open", ["yes", "no", "yes", "no"][n]) for n in range(4)),
    *(("ABCD"[n], "likes", ["tea", "rum", "1", "ale"][n]) for n in range(4)),
    *(("ABCD"[n], "long", ["2 km", "1.5 km", "900 m", "3 kg"][n]) for n in range(4)),
]


@pytest.fixture(scope="module")
def columns(tmp_path_factory):
    folder = tmp_path_factory.mktemp("values") / "kb"
    build(FACTS, folder)
    return Columns(Store.open(folder))


def test_cells_of_one_measure_are_compared_in_the_unit_of_most(columns):
    values = columns.values("long")
    assert (values.column.unit, values.column.share) == ("km", 0.75)
    assert [cell.text for cell in values.exceptions] == ["3 kg"]
    assert values.place(read("1000 m", "number")) == values.place(read("1 km", "number"))
    assert values.bounds == (Decimal("0.9"), Decimal("1.5"), 2)


def test_relations_are_typed_by_most_of_their_objects(columns):
    assert {column.in_words for column in columns} == {
        "boss: link",
        "pay: number in eur, 25% others",
        "year built: date",
        "seats: number",
        "begun: date, 25% others",
        "open: yes or no",
        "likes: text",
        "long: number in km, 25% others",
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


# At the edges


@settings(max_examples=40, deadline=None)
@given(st.dates(datetime.date(1000, 1, 1), datetime.date(9999, 12, 31)))
def test_a_day_is_the_same_however_it_is_written(day):
    year, month, number = day.year, day.month, day.day
    name = day.strftime("%B")
    written = [
        *(day.isoformat(), f"{year}/{month}/{number}", f"{number}. {month}. {year}"),
        *(f"{number}th of {name}, {year}", f"{name[:3]} {number} {year}"),
        *(f"{year}-{month}-{number}t7:05:59.25+02:00", f" {day.isoformat()} ".upper()),
    ]
    packed = year * 10000 + month * 100 + number
    for text in written:
        found = read(text, "date")
        assert (found.low, found.high, found.unit) == (packed, packed, "")
        assert found.in_words == f"the date {day.isoformat()}"
    slashed = read(f"{number}/{month}/{year}", "date"), read(f"{month}/{number}/{year}", "date")
    clear = number > 12 or number == month
    assert slashed == ((read(day.isoformat(), "date"),) * 2 if clear else (None, None))


@settings(max_examples=40, deadline=None)
@given(st.integers(1000, 9998), st.integers(1, 12))
def test_a_month_goes_to_its_last_day(year, month):
    last = (datetime.date(year, month, 28) + datetime.timedelta(4)).replace(day=1)
    last -= datetime.timedelta(1)
    name = last.strftime("%B")
    for text in (f"{year}-{month:02}", f"{name} {year}", f"{name[:3]}. {year}"):
        found = read(text, "date")
        assert found.low == year * 10000 + month * 100 + 1
        assert found.high == year * 10000 + month * 100 + last.day
    assert read(f"{year}-{month:02}-{last.day + 1}", "date") is None


@pytest.mark.parametrize(
    "text", ["2020-00-01", "2020-01-00", "2020-1-32", "13/14/2020", "0/4/2020", "13-13-2020"]
)
def test_a_day_beyond_the_calendar_is_none(text):
    assert read(text, "date") is None


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("1 BC", 101, 1231),  # the year 0
        ("2 BC", -9899, -8769),
        ("-0004-02-29", -39771, -39771),  # the year 0 is a leap year, and so is this
        ("326 AD", 3260101, 3261231),
        ("1905-1905", 19050101, 19051231),
        ("2020-05-02 to 2020-05-02", 20200502, 20200502),
        ("may 1900 \u2013 1901", 19000501, 19011231),
    ],
)
def test_years_before_ours_and_spans(text, low, high):
    value = read(text, "date")
    assert (value.low, value.high) == (low, high)


def test_a_day_of_long_ago_has_four_digits_of_a_year():
    assert read("326 AD", "date").in_words == "the dates 0326-01-01 to 0326-12-31"
    assert read("-0003-02-29", "date") is None


def test_what_is_equal_is_not_before_and_lies_within():
    for text, kind in (("5 km", "number"), ("2020-05-01", "date"), ("yes", "yes or no")):
        value = read(text, kind)
        assert not value.before(value)
        assert value.within(value)
    more, less = read("6", "number"), read("5 km", "number")  # of one a unit, of the other none
    assert less.before(more)
    assert not more.within(less)
    first, last = read("2020-12-31", "date"), read("2021", "date")
    assert first.before(last)
    assert not read("2020", "date").before(first)


@pytest.mark.parametrize(
    ("texts", "relation", "kind", "unit", "share"),
    [
        (["yes", "no", "tea", "rum"], "open", "text", "", 1.0),  # a half is not most
        (["yes", "no", "true", "rum"], "open", "yes or no", "", 0.75),
        (["1 km", "2 km", "tea", "rum"], "far", "text", "", 1.0),
        (["1 km", "2 km", "3 km", "5"], "far", "number", "km", 0.75),
        (["1 kg", "2 m", "3 m", "rum"], "far", "number", "m", 0.5),
        (["1 km", "2 m", "3 m", "rum"], "far", "number", "m", 0.75),  # of one measure
        (["1", "2 m", "3 m", "4"], "far", "number", "", 0.5),  # of as many the first
        (["2020-05", "2020-06", "tea", "rum"], "year", "text", "", 1.0),
        (["2020-05", "2020-06", "2020-07", "rum"], "far", "date", "", 0.75),
        (["1974", "1975", "1976", "2020-05"], "far", "date", "", 1.0),  # one is a date, so all are
        (["1000", "2100", "1975"], "year", "date", "", 1.0),
        (["1000", "2101", "1975"], "year", "number", "", 1.0),
        (["0999", "2100", "1975"], "year", "number", "", 1.0),
        (["1000", "2100", "1975"], "seats", "number", "", 1.0),
    ],
)
def test_what_most_of_some_texts_are(texts, relation, kind, unit, share):
    assert _told(texts, relation) == (kind, unit, share)


def test_half_of_what_is_named_leads_nowhere(tmp_path):
    facts = [("A", "boss", "B"), ("A", "boss", "C"), ("B", "boss", "X"), ("B", "boss", "Y")]
    for number, (more, kind) in enumerate((([], "text"), ([("C", "boss", "A")], "link"))):
        build([*facts[1 - number :], *more], tmp_path / f"kb{number}")
        columns = Columns(Store.open(tmp_path / f"kb{number}"))
        assert columns.of("boss").kind == kind


def test_a_sample_goes_from_the_first_to_the_last(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr("memnets.kb.values.columns.SAMPLE", 3)
    monkeypatch.setattr(
        "memnets.kb.values.columns._told",
        lambda texts, relation: seen.append((texts, relation)) or ("number", "km", 0.5),
    )
    objects = [f"{n} km" for n in range(7)]
    build(
        [(f"e{n}", "far", one) for n, one in enumerate([*objects, *objects[:2]])], tmp_path / "kb"
    )
    store = Store.open(tmp_path / "kb")
    columns = Columns(store)
    assert columns.of("far") == Column("far", "number", "km", 9, 0.5)
    order = sorted(objects, key=store.entities.number)
    assert seen == [([order[0], order[3], order[6]], "far")]
    assert columns.values("far").column.share == 1.0  # all are read
    assert columns.rows("none").tolist() == []
    assert columns.rows("none").dtype == columns.rows("far").dtype


def test_every_value_has_its_ends_among_the_bounds(tmp_path):
    spans = ["2020", "2020-05", "2020-05-01", "2021", "soon", "2020"]
    build([(f"e{n}", "begun", one) for n, one in enumerate(spans)], tmp_path / "kb")
    values = Columns(Store.open(tmp_path / "kb")).values("begun")
    assert values.rows.tolist() == [0, 1, 2, 3, 5]
    told = [spans[row] for row in values.rows.tolist()]
    ends = [(read(one, "date").low, read(one, "date").high) for one in told]
    found = zip(values.low.tolist(), values.high.tolist(), strict=True)
    assert [(values.bounds[low], values.bounds[high]) for low, high in found] == ends
    assert list(values.bounds) == sorted({end for both in ends for end in both})
    assert values.place(read("2020-05", "date")) == (values.low[1], values.high[1])
    assert values.place(read("1900", "date")) == (-0.5, -0.5)
    assert values.place(read("2100", "date")) == (len(values.bounds) - 0.5,) * 2


def test_the_relation_read_longest_ago_goes_first(columns, monkeypatch):
    monkeypatch.setattr("memnets.kb.values.columns.KEPT", 2)
    fresh = Columns(columns._store)
    first, second = fresh.values("seats"), fresh.values("open")
    assert fresh.values("seats") is first
    fresh.values("begun")
    assert fresh.values("open") is second
    assert fresh.values("seats") is not first


def test_the_facts_of_a_relation_are_in_the_order_of_their_source(tmp_path):
    relations = [f"r{n * n % 7}" for n in range(300)]
    build([(f"e{n}", one, f"{n}") for n, one in enumerate(relations)], tmp_path / "kb")
    columns = Columns(Store.open(tmp_path / "kb"))
    for relation in sorted({*relations}):
        expected = [n for n, one in enumerate(relations) if one == relation]
        assert columns.rows(relation).tolist() == expected
