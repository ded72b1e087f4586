"""Facts from workbooks, records of JSON and standard input."""

import gzip
import io
import json
import re
import sys
import zipfile
from datetime import date, datetime, time
from types import SimpleNamespace

import pytest

from memnets.inference.kb import build
from memnets.kb.store.sources import as_text
from memnets.kb.store.store import Store

RECORDS = [
    {"title": "Alien", "by": "Scott", "starred": ["Weaver", "Skerritt"], "year": 1979},
    {"title": "Up", "by": "Docter", "in": {"country": "US", "town": None}, "seen": True},
]
FACTS = {
    ("Alien", "by", "Scott"), ("Alien", "starred", "Weaver"), ("Alien", "starred", "Skerritt"),
    ("Alien", "year", "1979"), ("Up", "by", "Docter"), ("Up", "in country", "US"),
    ("Up", "seen", "yes"),
}  # fmt: skip


def built(source, folder, **given):
    given = {"form": None, "header": None, "names": (), "table": False, "subject": None, **given}
    return build(source, folder / "kb", **given)


def facts(source, folder, **given):
    built(source, folder, **given)
    return {tuple(fact) for fact in Store.open(folder / "kb").facts}


def saved(folder, name, text):
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def workbook(path, rows, *, others=()):
    openpyxl = pytest.importorskip("openpyxl", reason="pip install 'memnets[sheets]'")
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for name in others:
        book.create_sheet(name).append(["other", "sheet"])
    book.save(path)
    return path


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(RECORDS),
        json.dumps(RECORDS, indent=2),
        "\ufeff" + json.dumps({"films": RECORDS}),
        "\n".join(map(json.dumps, RECORDS)) + "\n\n",
        json.dumps({"Alien": {**RECORDS[0], "title": "Alien"}, "Up": RECORDS[1]}),
    ],
    ids=["list", "over lines", "one list within", "a record a line", "by name"],
)
@pytest.mark.parametrize("zipped", [False, True])
def test_records_of_json_are_the_rows_of_a_table(tmp_path, text, zipped):
    path = tmp_path / "films.json"
    path.write_bytes(gzip.compress(text.encode()) if zipped else text.encode())
    wanted = FACTS
    if text.startswith('{"Alien"'):
        wanted = FACTS | {(name, "title", name) for name in ("Alien", "Up")}
    assert facts(path, tmp_path) == wanted
    assert facts(path, tmp_path, table=True, subject="by") != wanted
    assert built(path, tmp_path).table


@pytest.mark.parametrize(
    "text",
    [
        '[["Alien", "by", "Scott"], ["Up", "by", "say \\"Docter\\""]]',
        '[{"subject": "Alien", "relation": "by", "object": "Scott"},'
        '{"object": "say \\"Docter\\"", "subject": "Up", "relation": "by"}]',
    ],
)
def test_facts_may_be_json(tmp_path, text):
    path = saved(tmp_path, "films.json", text)
    assert facts(path, tmp_path) == {("Alien", "by", "Scott"), ("Up", "by", 'say "Docter"')}
    assert not built(path, tmp_path).table


def test_a_list_and_a_text_with_semicolons_are_several_objects(tmp_path):
    record = {"name": 'the "Old"; Mill', "tags": ["a;b", " c\n\td ", 1.50, False], "none": []}
    path = saved(tmp_path, "t.json", json.dumps([record]))
    assert facts(path, tmp_path) == {
        ('the "Old"; Mill', "tags", tag) for tag in ("a", "b", "c d", "1.5", "no")
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"a": 1, "b": 2}, 3]', r"t\.json, record 2: came 3; expected records, such as"),
        (
            '[{"a": 1}, {"b": [{"c": 1}]}]',
            r"t\.json, record 2: 'b' holds a list of dicts; expected",
        ),
        ('[{"a": 1,}]', r"t\.json: this begins as JSON, and cannot be .* line 1 column"),
        ('{"a": 1}\n{"a": \n', r"t\.json: this begins as JSON, and cannot be read as such"),
        ('[{"name": "Ada"}]', r"t\.json: came 'name'; expected the names of two columns or more"),
        ("[]", r"t\.json: no facts"),
        ('{"a": ' * 9000, r"t\.json: this begins as JSON"),
    ],
)
def test_what_is_wrong_is_named_by_its_record(tmp_path, text, said):
    with pytest.raises(ValueError, match=said):
        built(saved(tmp_path, "t.json", text), tmp_path)


def test_a_record_without_a_name_is_a_bad_row_of_its_number(tmp_path):
    rows = [{"name": "Ada", "town": "Rome"}, {"town": "Oslo"}]
    path = saved(tmp_path, "t.json", json.dumps(rows))
    (complaint,) = built(path, tmp_path).bad.first
    assert complaint.startswith(f"{path}, record 2: came 2 cells")


def test_namesakes_are_named_by_their_records(tmp_path):
    rows = [{"name": "Ada", "town": "Rome"}, {"name": "Ada", "town": "Oslo"}]
    path = saved(tmp_path, "t.json", json.dumps(rows))
    (merged,) = built(path, tmp_path).merged
    assert merged == f"'Ada' ({path}, record 1, {path}, record 2): town is 'Rome' and 'Oslo'"


def test_the_first_sheet_of_a_workbook_is_a_table(tmp_path):
    rows = [
        ["Our staff", None, None],
        [],
        ["name", "born", "share", "pay", "at work", "shift", "says"],
        ["Ada", date(1990, 2, 1), 0.25, 1000, True, time(9, 30), 'a "b"\nc'],
        ["Bo", datetime(1991, 2, 1, 12, 30), None, 10.10, False, None, "x;y", None],
        [None, None],
        [None, "1992"],
    ]
    path = workbook(tmp_path / "staff.xlsx", rows, others=["More"])
    book = pytest.importorskip("openpyxl").load_workbook(path)
    book.active["C4"].number_format = "0%"
    book.save(path)
    assert facts(path, tmp_path) == {
        ("Ada", "born", "1990-02-01"), ("Ada", "share", "25 %"), ("Ada", "pay", "1000"),
        ("Ada", "at work", "yes"), ("Ada", "shift", "09:30:00"), ("Ada", "says", 'a "b" c'),
        ("Bo", "born", "1991-02-01 12:30:00"), ("Bo", "pay", "10.1"), ("Bo", "at work", "no"),
        ("Bo", "says", "x"), ("Bo", "says", "y"),
    }  # fmt: skip
    (complaint,) = built(path, tmp_path).bad.first
    assert complaint.startswith(f"{path}:7: came 7 cells")


def test_a_sheet_that_says_less_of_its_size_is_read_whole(tmp_path):
    path = workbook(tmp_path / "staff.xlsx", [["name", "town"], ["Ada", "Rome"], ["Bo", "Oslo"]])
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]
    parts["xl/worksheets/sheet1.xml"] = re.sub(rb'ref="A1:B3"', b'ref="A1:A1"', sheet)
    assert parts["xl/worksheets/sheet1.xml"] != sheet
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    assert facts(path, tmp_path) == {("Ada", "town", "Rome"), ("Bo", "town", "Oslo")}


def test_facts_may_be_in_a_workbook(tmp_path):
    rows = [["Subject", "Relation", "Object"], ["Alien", "by", "Scott"]]
    path = workbook(tmp_path / "facts.xlsx", rows)
    assert facts(path, tmp_path) == {("Alien", "by", "Scott")}
    assert facts(path, tmp_path, form="csv", header=False) == {("Alien", "by", "Scott")}


def test_a_damaged_workbook_and_another_archive_are_named(tmp_path, monkeypatch):
    path = workbook(tmp_path / "staff.xlsx", [["name", "town"], ["Ada", "Rome"]])
    whole = path.read_bytes()
    at = whole.index(b"xl/worksheets/sheet1.xml") + 60
    path.write_bytes(whole[:at] + b"\0" * 20 + whole[at + 20 :])
    with pytest.raises(ValueError, match=rf"{re.escape(str(path))}: this workbook cannot be read"):
        built(path, tmp_path)
    path.write_bytes(whole[:200])
    with pytest.raises(ValueError, match=r"staff\.xlsx: this is a ZIP archive"):
        built(path, tmp_path)
    path.write_bytes(whole)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with pytest.raises(ModuleNotFoundError, match=r"staff\.xlsx is a workbook.*memnets\[sheets\]"):
        built(path, tmp_path)


@pytest.mark.parametrize(
    "text", ["name,town\nAda,Rome\nBo\n", '[{"name": "Ada", "town": "Rome"}, {"town": "x"}]']
)
def test_facts_may_come_by_standard_input(tmp_path, monkeypatch, text):
    def given():
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
        return "-"

    assert facts(given(), tmp_path, table=True) == {("Ada", "town", "Rome")}
    (complaint,) = built(given(), tmp_path, table=True).bad.first
    assert complaint.startswith(("standard input:3: came", "standard input, record 2: came"))
    text = "name\n"
    with pytest.raises(ValueError, match=r"^standard input:1: came 'name'; expected"):
        built(given(), tmp_path, table=True)


def test_text_files_are_read_where_they_are(tmp_path):
    path = saved(tmp_path, "f.csv", "Alien,by,Scott\n")
    with as_text(path) as text:
        assert (text.path, text.table, text.name) == (path, None, str(path))
        assert text.named(f"{path}:3: x") == f"{path}:3: x"
    assert facts(path, tmp_path) == {("Alien", "by", "Scott")}
    with pytest.raises(FileNotFoundError, match=r"none\.csv: this does not exist"):
        built(tmp_path / "none.csv", tmp_path)
    broken = tmp_path / "g.csv"
    broken.write_bytes(gzip.compress(b"Alien,by,Scott\n" * 9)[:20])
    with pytest.raises(ValueError, match=r"g\.csv:1: the gzip data cannot be read"):
        built(broken, tmp_path)


def test_nothing_is_left_behind(tmp_path):
    path = saved(tmp_path, "t.json", json.dumps(RECORDS))
    with as_text(path) as text:
        kept = text.path
        assert kept.is_file()
    assert not kept.parent.exists()
