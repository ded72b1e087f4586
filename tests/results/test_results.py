"""The shape of results: what is written comes back, and what does not fit is refused by place."""

import json
import math
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from memnets import results
from memnets.results import Benchmark, BenchRow, Data, Series, Table, provenance


def row(name="task 1", **changes):
    return replace(
        results.measured(
            name,
            "error",
            {3: 1.5, 5: 2.5, 7: 3.5},
            unit="%",
            better="lower",
            selection="the mean of all runs",
            published=2.0,
            source="a paper, Table 1",
            target=3.0,
            wall_s=11.0,
        ),
        **changes,
    )


def table(*rows):
    return Table(
        name="toy",
        command="memnets reproduce toy",
        config={"dim": 20, "rate": 0.0123456789},
        data=Data("stories", "ab" * 32, "test"),
        rows=rows or (row(), results.not_run("task 2", "error", unit="%", better="lower")),
        series=(Series(name="loss", x=(1.0, 2.0), y=(3.0, 0.5)),),
    )


def bench_row(**changes):
    figures = {"measured": 1.0, "baseline": 3.0, "ratio": 3.0, "ratio_interval": (2.5, 3.5)}
    origin = {"commit": None, "created": None, "machine": None, "note": ""}
    fields = {"row": "read", "metric": "ms", "baseline_name": "a peer", "repeats": 7}
    return BenchRow(**(fields | figures | origin | changes))


def damaged(folder: Path, change, name="toy.json") -> Path:
    path = results.write(table(), folder)
    record = json.loads(path.read_text())
    change(record)
    path = folder / name
    path.write_text(json.dumps(record))
    return path


def test_a_table_comes_back_as_it_was_written(tmp_path):
    made = table()
    path = results.write(made, tmp_path)
    assert path == tmp_path / "toy.json"
    assert results.read(path) == made
    assert results.write(results.read(path), tmp_path / "again").read_bytes() == path.read_bytes()


def test_a_benchmark_comes_back_as_it_was_written(tmp_path):
    empty = dict.fromkeys(("measured", "baseline", "ratio", "ratio_interval"))
    benchmark = Benchmark(
        name="toy", command="c", config={}, rows=(bench_row(), bench_row(**empty, repeats=0))
    )
    assert results.read(results.write(benchmark, tmp_path)) == benchmark
    assert list(results.read_all(tmp_path)) == ["bench-toy"]


def test_figures_are_rounded_and_configurations_are_not(tmp_path):
    path = results.write(table(row(measured=1.23456789)), tmp_path)
    assert results.read(path).rows[0].measured == 1.23457
    assert results.read(path).config["rate"] == 0.0123456789


def test_whole_numbers_on_disk_are_read_as_numbers(tmp_path):
    path = damaged(tmp_path, lambda record: record["rows"][0].update(target=3, values=[1, 2, 3]))
    first = results.read(path).rows[0]
    assert all(type(figure) is float for figure in (first.target, *first.values))


def test_plain_lists_stand_on_one_line_and_texts_are_left_alone(tmp_path):
    note = "[1,  2]\n[\n3]"
    path = results.write(table(row(note=note)), tmp_path)
    assert '"seeds": [3, 5, 7],' in path.read_text()
    assert results.read(path).rows[0].note == note


def test_a_failed_write_leaves_the_old_file_and_no_rest(tmp_path):
    path = results.write(table(), tmp_path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=r"toy\.json: the result holds NaN or infinity"):
        results.write(table(row(measured=math.nan)), tmp_path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_row_of_seeds_has_mean_and_spread():
    assert (row().measured, row().spread) == (2.5, 1.0)
    chosen = results.measured(
        "t", "e", {0: 3.0}, unit="", better="lower", selection="s", reported=2.0
    )
    assert (chosen.measured, chosen.spread, chosen.values) == (2.0, None, (3.0,))
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", chosen.created or "")
    assert re.fullmatch(r"\d+ cores, \S+, \w+, torch \S+", chosen.machine or "")


@pytest.mark.parametrize(
    ("better", "measured", "target", "published", "reached"),
    [
        ("lower", 2.0, 2.0, 1.0, True),
        ("lower", 2.1, 2.0, 5.0, False),
        ("lower", 2.1, None, 2.0, False),
        ("higher", 2.0, None, 2.0, True),
        ("higher", 1.9, None, 2.0, False),
        ("higher", 1.9, None, None, None),
    ],
)
def test_a_goal_is_the_target_or_else_the_published_figure(
    better, measured, target, published, reached
):
    source = None if published is None else "a paper"
    one = row(better=better, measured=measured, target=target, published=published, source=source)
    assert one.reached is reached


def test_the_interval_is_students():
    # scipy.stats.t.ppf(0.975, n - 1) * stdev / sqrt(n)
    low, high = results.interval((1.0, 2.0, 4.0))
    assert (low, high) == pytest.approx((-1.461250, 6.127917), abs=1e-4)
    low, high = results.interval([float(value) for value in range(13)])
    assert (low, high) == pytest.approx((6 - 2.353387, 6 + 2.353387), abs=1e-4)
    assert results.interval((1.0,)) is None


def test_the_commit_is_a_hash_or_unknown():
    assert re.fullmatch(r"[0-9a-f]{7,}(-dirty)?", results.commit() or "0000000")


@pytest.mark.parametrize("there", [".git", "pyproject.toml"])
def test_another_project_is_not_our_checkout(tmp_path, monkeypatch, there):
    (tmp_path / there).mkdir()  # such as a project whose environment we are installed in
    here = tmp_path / "lib" / "memnets" / "results" / "provenance.py"
    monkeypatch.setattr(provenance, "__file__", str(here))
    assert results.commit() is None
    assert results.results_folder() == Path("results")


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"measured": None}, "row 'task 1': status 'done' with measured None"),
        ({"status": "not run"}, "row 'task 1': status 'not run' with measured 2.5"),
        ({"seeds": (3, 5)}, "row 'task 1': 3 values and 2 seeds"),
        ({"source": None}, "row 'task 1': published 2.0 with source None"),
    ],
)
def test_a_row_that_contradicts_itself_is_refused(changes, match):
    with pytest.raises(ValueError, match=match):
        row(**changes)


def test_a_row_without_values_is_refused():
    with pytest.raises(ValueError, match="row 'task 5': no values"):
        results.measured("task 5", "error", {}, unit="%", better="lower", selection="")


def test_a_series_of_unequal_length_is_refused():
    with pytest.raises(ValueError, match=r"series 'loss': .* hold \[2, 3\] numbers"):
        Series(name="loss", x=(1.0, 2.0), y=(1.0, 2.0, 3.0))


@pytest.mark.parametrize(
    ("changes", "match"),
    [
        ({"ratio": None}, r"row 'read': measured, .* are \(1.0, 3.0, None, \(2.5, 3.5\)\)"),
        ({"ratio_interval": (1.0, 2.0, 3.0)}, r"ratio_interval is \(1.0, 2.0, 3.0\); expected two"),
    ],
)
def test_half_a_benchmark_row_is_refused(changes, match):
    with pytest.raises(ValueError, match=match):
        bench_row(**changes)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda r: r.pop("config"), r"toy\.json lacks config; expected the fields name, command"),
        (lambda r: r.update(colour=1), r"toy\.json has the unknown field colour"),
        (
            lambda r: r["rows"][1].pop("unit"),
            r"toy\.json: rows\[1\] \('task 2'\) lacks unit; expected the fields",
        ),
        (
            lambda r: r["rows"][0].update(seed=1),
            r"toy\.json: rows\[0\] \('task 1'\) has the unknown field seed",
        ),
        (
            lambda r: r["rows"][0].update(status="finished"),
            r"\('task 1'\): status is 'finished'; expected 'done' or 'partial' or 'not run'",
        ),
        (
            lambda r: r["rows"][0].update(measured="2.5"),
            r"measured is '2.5'; expected a number or null",
        ),
        (lambda r: r["rows"][0].update(measured=True), r"measured is True; expected a number"),
        (
            lambda r: r["rows"][0].update(seeds=[1.5, 2, 3]),
            r"seeds is \[1.5, 2, 3\]; expected a list, each item a whole number",
        ),
        (
            lambda r: r["rows"][0].update(seeds=[1]),
            r"toy\.json: rows\[0\] \('task 1'\): row 'task 1': 3 values and 1 seeds",
        ),
        (lambda r: r.update(rows={}), r"toy\.json: rows is {}; expected a list, each item an obj"),
        (lambda r: r.update(rows=[7]), r"toy\.json: rows\[0\]: expected an object, found 7"),
        (lambda r: r["data"].pop("split"), r"toy\.json: data lacks split"),
        (lambda r: r.update(data=3), r"toy\.json: data is 3; expected an object or null"),
        (lambda r: r["series"][0].update(x=["a"]), r"series\[0\]: x is \['a'\]; expected a list"),
        (lambda r: r.update(name="other"), r"'other', which belongs into other\.json"),
        (lambda r: r["rows"][0].update(measured=math.inf), r"toy\.json: holds Infinity; expected"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_by_place(tmp_path, change, match):
    with pytest.raises(ValueError, match=match):
        results.read(damaged(tmp_path, change))


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b'{\n"name": }', r"toy\.json:2: not JSON \(Expecting value\)"),
        (b'"\xff"', r"toy\.json: byte 1 is not UTF-8"),
        (b"[" * 100_000, r"toy\.json: not JSON \(.*recursion"),
        (b'{"format": ' + b"1" * 5000 + b"}", r"toy\.json: not JSON \(.*digits"),
        (b"[1]", r"toy\.json: expected an object, found \[1\]"),
    ],
)
def test_a_file_that_is_no_result_is_refused(tmp_path, content, match):
    (tmp_path / "toy.json").write_bytes(content)
    with pytest.raises(ValueError, match=match):
        results.read_all(tmp_path)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"nowhere: no such folder. Name the one"):
        results.read_all(tmp_path / "nowhere")


@pytest.mark.parametrize(
    "module",
    ["memnets.results", "memnets.cli.results", "memnets.report.html"],
)
def test_importing_is_light(module):
    code = f"import sys, {module}; print({{'torch', 'matplotlib'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
