"""Preprocessing: what each step makes of a few facts, and the same rows from both engines."""

import builtins
import random
from collections import defaultdict

import pytest

from memnets.kb.store import preprocess as steps
from memnets.kb.store.preprocess import COLUMNS, collapse, embedded, group, preprocess, unnamed


@pytest.fixture(scope="module")
def duckdb():
    pytest.importorskip("sqlframe", reason="SQLFrame is not installed: pip install memnets[kb]")
    return embedded()


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip(
        "pyspark.sql", reason="PySpark is not installed: pip install memnets[spark]"
    )
    builder = sql.SparkSession.builder.master("local[2]")
    options = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "3",
    }
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session, sql.functions
    session.stop()


def frame(engine, rows, columns=COLUMNS):
    return engine[0].createDataFrame(rows, schema=list(columns))


def rows(table):
    return [tuple(row) for row in table.collect()]


MARRIED = [
    ("ann", "marriage", "m1"),
    ("m1", "spouse", "ann"),
    ("m1", "spouse", "bob"),
    ("m1", "place", "oslo"),
    ("m1", "next", "m2"),
    ("m2", "spouse", "eve"),
    ("ann", "likes", "ann"),
    ("oslo", "in", "norway"),
]


def test_mediators_are_collapsed(duckdb):
    facts = frame(duckdb, MARRIED)
    mediators = frame(duckdb, [("m1",), ("m2",), ("m1",)], ["entity"])
    assert sorted(rows(collapse(facts, duckdb[1], mediators))) == [
        ("ann", "likes", "ann"),
        ("ann", "place", "oslo"),
        ("ann", "spouse", "bob"),
        ("oslo", "in", "norway"),
    ]


def test_mediators_are_what_has_no_name_between_facts(duckdb):
    named = frame(duckdb, [("ann",), ("ann",), ("oslo",)], ["entity"])
    found = rows(unnamed(frame(duckdb, MARRIED), named))
    assert sorted(found) == [("m1",), ("m2",)]  # bob and norway lead nowhere


def test_objects_weigh_one_together(duckdb):
    grouped = group(frame(duckdb, [("a", "r", "ü"), ("a", "r", "Z"), ("a", "q", "b")]), duckdb[1])
    assert rows(grouped) == [("a", "q", ["b"], 1.0), ("a", "r", ["Z", "ü"], 0.5)]


def test_everything_at_once(duckdb):
    facts = frame(duckdb, [("a", "r", "b"), ("c", "r", "b"), ("a", "r", "b")])
    assert rows(preprocess(facts, duckdb[1])) == [
        ("a", "r", ["b"], 1.0),
        ("b", "!r", ["a", "c"], 0.5),
        ("c", "r", ["b"], 1.0),
    ]


def random_facts(seed, count=307):
    draw = random.Random(seed)
    names = ["ann", "Ann", "ünder", "z", "a b", "10", "9", "漢", "e\u0301", "é", "🎬", "'", '"']
    names += [f"name {number}" for number in range(97)]
    return [(draw.choice(names), draw.choice("rst"), draw.choice(names)) for _ in range(count)]


def by_hand(facts, mediators):
    """The rows of `preprocess`, by loops."""
    plain = {f for f in facts if mediators.isdisjoint((f[0], f[2]))}
    plain |= {
        (s, second, o)
        for s, _, middle in facts
        if middle in mediators and s not in mediators
        for start, second, o in facts
        if start == middle and o not in mediators and s != o
    }
    objects = defaultdict(list)
    for s, r, o in plain:
        objects[s, r].append(o)
        objects[o, "!" + r].append(s)
    return [(*key, sorted(objects[key]), 1 / len(objects[key])) for key in sorted(objects)]


def preprocessed(engine):
    facts = random_facts(3)
    mediators = [(f"name {number}",) for number in range(7)]
    found = preprocess(
        frame(engine, facts), engine[1], mediators=frame(engine, mediators, ["entity"])
    )
    return rows(found), by_hand(facts, {name for (name,) in mediators})


def test_rows_and_their_order_are_those_of_loops(duckdb):
    found, expected = preprocessed(duckdb)
    assert found == expected


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # py4j's sockets
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_spark_gives_the_same_rows_in_the_same_order(duckdb, spark):
    found, expected = preprocessed(spark)
    assert found == expected == preprocessed(duckdb)[0]


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def without(name, *arguments):
        if name.startswith("sqlframe"):
            raise ModuleNotFoundError("No module named 'sqlframe'", name="sqlframe")
        return real(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ModuleNotFoundError, match=r"sqlframe is not installed.*memnets\[kb\]"):
        steps.embedded()
