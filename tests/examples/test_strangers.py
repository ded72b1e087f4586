"""The questions of strangers: their answers are what the facts say, and enough of every kind."""

import csv
import importlib.util
from collections import Counter
from pathlib import Path

import pytest

from memnets.data.qa.asked import PARTS, read_asked

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "strangers"
NAMES = sorted(path.stem for path in FOLDER.glob("*.csv"))
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
UNANSWERABLE = ("no such name", "no such fact", "no such relation", "not a question")


def rows(name):
    with (FOLDER / f"{name}.questions.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_there_are_five():
    assert NAMES == ["lands", "museum", "railway", "seeds", "staff"]


@pytest.mark.parametrize("name", NAMES)
def test_the_facts_are_those_that_are_invented(name, tmp_path, monkeypatch):
    path = FOLDER / f"invent_{name}.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "__file__", str(tmp_path / path.name))
    module.main()
    assert (tmp_path / f"{name}.csv").read_bytes() == (FOLDER / f"{name}.csv").read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_what_the_facts_say(name):
    duckdb = pytest.importorskip("duckdb")
    facts, path = duckdb.connect(), FOLDER / f"{name}.csv"
    told = facts.read_csv(str(path), all_varchar=True, header=True)  # noqa: F841  # read by name
    facts.execute("create table facts as from told")
    for row in rows(name):
        if row["query"]:
            found = {str(answer) for (answer,) in facts.execute(row["query"]).fetchall()}
            assert found == set(row["answers"].split(PARTS)), row["question"]
        else:
            assert not row["answers"], row["question"]
            assert row["kind"] in UNANSWERABLE, row["question"]


@pytest.mark.parametrize("name", NAMES)
def test_there_are_enough_of_every_kind_and_none_twice(name):
    asked = read_asked(FOLDER / f"{name}.questions.tsv")
    kinds = Counter(question.kind for question in asked)
    assert kinds.keys() == LEAST.keys() | set(UNANSWERABLE)
    assert all(kinds[kind] >= least for kind, least in LEAST.items())
    assert sum(kinds[kind] for kind in UNANSWERABLE) >= 40
    assert all(bool(q.answers) == (q.kind not in UNANSWERABLE) for q in asked)
    assert max(Counter(question.text.casefold() for question in asked).values()) == 1
