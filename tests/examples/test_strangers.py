"""The questions of strangers: their answers are what the facts say, and enough of every kind."""

import csv
import importlib.util
from collections import Counter
from pathlib import Path

import pytest

from memnets.data.qa.asked import PARTS, read_asked
from tools.weighing.hearing import UNREAD

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "strangers"
CHOOSING = FOLDER / "choosing"
NAMES = sorted(path.stem for path in FOLDER.glob("*.csv"))
CHOOSERS = sorted(path.stem for path in CHOOSING.glob("*.csv"))
TABLES = [*(FOLDER / name for name in NAMES), *(CHOOSING / name for name in CHOOSERS)]
LEAST = {
    "plain": 30,
    "typed": 25,
    "ambiguous": 6,
    "synonyms": 30,
    "reversed": 25,
    "two hops": 25,
    "counting": 10,
    "comparing": 12,
    "negating": 8,
    "joining": 6,
    "yes or no": 6,
}
LEAST_TO_CHOOSE = {
    **{"plain": 15, "typed": 10, "ambiguous": 3, "synonyms": 25, "reversed": 14, "two hops": 20},
    **{"counting": 8, "comparing": 10, "negating": 6, "joining": 5, "yes or no": 4},
}
UNANSWERABLE = ("no such name", "no such fact", "no such relation", "not a question")


every_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
those_that_are_asked = pytest.mark.parametrize(
    "table",
    [
        table if table.parent == FOLDER else pytest.param(table, marks=pytest.mark.slow)
        for table in TABLES
    ],
    ids=lambda table: table.stem,
)
"""Of the others, which nobody changes, `make test-slow` looks at facts and answers."""


def questions(table):
    return table.with_name(f"{table.name}.questions.tsv")


def facts(table):
    return table.with_name(f"{table.name}.csv")


def rows(table):
    with questions(table).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_nine_are_asked_and_others_are_chosen_by():
    assert NAMES[:6] == ["kitchen", "lands", "league", "museum", "railway", "seeds"]
    assert NAMES[6:] == ["staff", "theatre", "workshop"]
    read = [name for name in CHOOSERS if name not in UNREAD]
    assert read[:7] == ["airfields", "bands", "beers", "bills", "boardgames", "books", "breeds"]
    assert read[7:13] == ["brigade", "castles", "clinic", "club", "cooperative", "cottages"]
    assert read[13:18] == ["countries", "courses", "diplomats", "doctorates", "engineers"]
    assert read[18:25] == ["festival", "films", "finds", "fleet", "garden", "harbour", "horses"]
    assert read[25:32] == ["hotel", "houses", "island", "lab", "lawoffice", "manuscripts", "market"]
    assert read[32:38] == ["office", "packages", "pets", "players", "podcasts", "products"]
    assert read[38:43] == ["realms", "restaurants", "satellites", "school", "shop"]
    assert read[43:47] == ["stops", "suppliers", "systems", "telescopes"]
    assert read[47:] == ["volunteers", "wines", "zoo"]
    assert len(UNREAD) == len(CHOOSERS) - len(read) == 20


@those_that_are_asked
def test_the_facts_are_those_that_are_invented(table, tmp_path, monkeypatch):
    alone = table.with_name(f"invent_{table.name}.py")
    path = alone if alone.exists() else table.with_name("invent.py")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "__file__", str(tmp_path / path.name))
    module.main()
    assert (tmp_path / facts(table).name).read_bytes() == facts(table).read_bytes()


@those_that_are_asked
def test_every_answer_is_what_the_facts_say(table):
    duckdb = pytest.importorskip("duckdb")
    base = duckdb.connect()
    told = base.read_csv(  # noqa: F841  # read by name
        str(facts(table)), all_varchar=True, header=True
    )
    base.execute("create table facts as from told")
    for row in rows(table):
        if row["query"]:
            found = {str(answer) for (answer,) in base.execute(row["query"]).fetchall()}
            assert found == set(row["answers"].split(PARTS)), row["question"]
        else:
            assert not row["answers"], row["question"]
            assert row["kind"] in UNANSWERABLE, row["question"]


@every_table
def test_there_are_enough_of_every_kind_and_none_twice(table):
    asked = read_asked(questions(table))
    kinds = Counter(question.kind for question in asked)
    least = LEAST if table.parent == FOLDER else LEAST_TO_CHOOSE
    assert kinds.keys() == least.keys() | set(UNANSWERABLE)
    assert all(kinds[kind] >= enough for kind, enough in least.items())
    assert sum(kinds[kind] for kind in UNANSWERABLE) >= (40 if table.parent == FOLDER else 11)
    assert all(bool(q.answers) == (q.kind not in UNANSWERABLE) for q in asked)
    assert max(Counter(question.text.casefold() for question in asked).values()) == 1
