"""Where a figure was measured: the commit, the time, the machine; and how results are rounded."""

import os
import subprocess
import time
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

import pytest

from memnets import results
from memnets.results import Series, provenance
from memnets.results.statistics import _t


def test_a_commit_is_dirty_where_its_source_has_changed(tmp_path, monkeypatch):
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]

    def run(*words):
        done = subprocess.run([*git, *words], check=True, capture_output=True, text=True)
        return done.stdout.strip()

    here = tmp_path / "src" / "memnets" / "results" / "provenance.py"
    monkeypatch.setattr(provenance, "__file__", str(here))
    assert results.commit() is None
    here.parent.mkdir(parents=True)
    here.touch()
    (tmp_path / "pyproject.toml").touch()
    run("init", "-q")
    assert results.commit() is None  # nothing is committed
    run("add", ".")
    run("commit", "-qm", "a")
    head = run("rev-parse", "--short", "HEAD")
    assert results.commit() == head
    (tmp_path / "pyproject.toml").write_text("a")
    assert results.commit() == head
    here.write_text("a")
    assert results.commit() == f"{head}-dirty"
    run("add", ".")
    assert results.commit() == f"{head}-dirty"
    assert (results.results_folder(), results.known_results()) == (tmp_path / "results",) * 2


def test_a_process_is_of_the_commit_that_it_began_with(monkeypatch):
    asked = iter(["a1", "b2"])
    monkeypatch.setattr(provenance, "commit", lambda: next(asked))
    provenance.running_commit.cache_clear()
    try:
        like = {"unit": "%", "better": "higher", "selection": "mean"}
        rows = [results.measured(row, "right", {0: 1.0}, **like) for row in ("one", "two")]
        assert [row.commit for row in rows] == ["a1", "a1"]
    finally:
        provenance.running_commit.cache_clear()


def test_results_are_those_that_were_shipped_where_there_is_no_checkout(tmp_path, monkeypatch):
    here = tmp_path / "lib" / "memnets" / "results" / "provenance.py"
    monkeypatch.setattr(provenance, "__file__", str(here))
    assert results.known_results() == here.parent / "shipped"
    assert results.results_folder() == Path("results")


def test_the_time_is_in_utc_and_the_machine_has_so_many_cores(monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        told = datetime.strptime(results.now(), "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        assert abs((datetime.now(UTC) - told).total_seconds()) < 60
    finally:
        monkeypatch.undo()
        time.tzset()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert results.machine().startswith(f"{cores} cores, ")

    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert "torch" not in results.machine()


@pytest.mark.parametrize(("freedom", "quantile"), [(11, 2.200872), (15, 2.131417), (60, 2.000298)])
def test_quantiles_by_expansion(freedom, quantile):
    """Abramowitz and Stegun, 26.7.5, to its third term: Student's are 1.2e-4 above at most."""
    assert _t(freedom) == pytest.approx(quantile, abs=1e-6)


def test_curves_are_rounded_as_rows_are(tmp_path):
    table = results.Table(
        name="t",
        command="c",
        config={},
        data=None,
        rows=(),
        series=(Series(name="s", x=(1.23456789,), y=(2e-9,), spread=(123456789.0,)),),
    )
    (made,) = results.read(results.write(table, tmp_path)).series
    assert (made.x, made.y, made.spread) == ((1.23457,), (2e-9,), (123457000.0,))


@pytest.mark.parametrize("spread", [(1.0,), (1.0, 2.0, 3.0)])
def test_a_curve_has_as_many_deviations_as_points(spread):
    with pytest.raises(ValueError, match=r"x, y and spread hold \[2, 2, [13]\] numbers"):
        Series(name="s", x=(1.0, 2.0), y=(1.0, 2.0), spread=spread)


def test_a_row_says_all_that_it_was_given():
    made = results.measured(
        "r", "m", {4: 1.0, 5: 3.0}, unit="u", better="higher", selection="s", published=1.0,
        source="p", target=2.0, status="partial", wall_s=7.0, fingerprint="f", note="n",
    )  # fmt: skip
    told = (made.published, made.source, made.target, made.status, made.wall_s, made.fingerprint)
    assert told == (1.0, "p", 2.0, "partial", 7.0, "f")
    assert (made.note, made.selection, made.measured, made.reached) == ("n", "s", 2.0, True)
    bare = results.not_run(
        "r", "m", unit="u", better="lower", published=1.0, source="p", target=2.0, note="n"
    )
    assert (bare.published, bare.source, bare.target, bare.note) == (1.0, "p", 2.0, "n")
    assert (bare.unit, bare.better, bare.status, bare.measured) == ("u", "lower", "not run", None)
    assert (bare.commit, bare.created, bare.machine, bare.wall_s) == (None,) * 4
