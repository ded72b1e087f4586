"""Capacities: curves of recall, where they fall, and the table that keeps them."""

import math
from dataclasses import replace

import pytest
import torch

from memnets import results
from memnets.memories.hopfield import Exponential, Hebb, PseudoInverse, Storkey, random_patterns
from memnets.memories.hopfield.capacity import (
    bit_error,
    capacity,
    most_stable,
    recalled,
    share_stable,
)
from memnets.results import records
from memnets.studies.hopfield.capacity import CapacityTable, Curve
from memnets.studies.hopfield.tables import STABLE_LAW, hopfield_capacity

CURVES = (
    Curve(rule="hebb", neurons=30, loads=(0.05, 0.5), noise=0.1),
    Curve(rule="storkey", neurons=30, loads=(0.05, 0.9), published=0.2, source="a paper"),
)
SMALL = CapacityTable(title="small", curves=CURVES, seeds=2)


@pytest.fixture(autouse=True)
def _nobody_asks_git(monkeypatch):
    monkeypatch.setattr(results, "commit", lambda: "0000000")
    monkeypatch.setattr(records, "running_commit", lambda: "0000000")


def test_where_a_curve_falls_to_a_half():
    loads = (0.1, 0.2, 0.3)
    assert capacity(loads, (1.0, 0.75, 0.25)) == pytest.approx(0.25)
    assert capacity(loads, (1.0, 0.8, 0.4)) == pytest.approx(0.275)  # three quarters of the way
    assert capacity(loads, (0.4, 0.9, 0.1)) == 0.1
    assert capacity(loads, (1.0, 0.9, 0.8)) == 0.3


def test_one_step_errs_as_often_as_the_law_says():
    patterns = random_patterns(138, 1000, torch.Generator().manual_seed(0))
    network = Hebb().learn(patterns)
    found = float((patterns * network.field(patterns) < 0).double().mean())
    expected = bit_error(0.138)
    assert expected == pytest.approx(0.00355, abs=1e-4)
    assert found == pytest.approx(expected, abs=4 * math.sqrt(expected / patterns.numel()))


def test_hebb_follows_both_laws():
    stable = list(recalled(Hebb(), 600, (0.0782, 0.15)))
    assert stable[0] > 0.85
    assert stable[1] < 0.25
    assert share_stable(0.0782, 600) == pytest.approx(0.9, abs=0.05)
    near = list(recalled(Hebb(), 600, (0.11, 0.2), overlap=0.9))
    assert near[0] > 0.95
    assert near[1] < 0.35


def test_rules_that_add_patterns_are_as_if_begun_anew():
    loads = (0.1, 0.2, 0.4)
    for rule in (Hebb(), Storkey()):
        every = list(recalled(rule, 40, loads, noise=0.1, seed=3))
        # The generator draws all patterns first, so that a single load draws other cues.
        assert len(every) == 3
        assert every == list(recalled(rule, 40, loads, noise=0.1, seed=3))
        assert every[0] == 1.0
    assert list(recalled(PseudoInverse(), 40, (0.9,))) == [1.0]
    assert {size: round(most_stable(size), 4) for size in STABLE_LAW} == STABLE_LAW


def test_the_exponential_memory_holds_more_than_it_has_neurons():
    shares = list(recalled(Exponential(), 12, (1.0, 2.0, 20.0), noise=0.1))
    assert shares[0] > 0.6
    assert shares[0] >= shares[1] > shares[2]
    assert shares[2] < 0.4


def test_a_table_is_measured_kept_and_collected(tmp_path):
    stages = list(SMALL.stages("small", tmp_path, None, "^hebb"))
    assert stages == [[]]
    made = SMALL.collect("small", tmp_path, None)
    hebb, storkey = made.rows
    assert hebb.row == "hebb, N = 30, 10% turned"
    assert (hebb.status, hebb.seeds, storkey.status) == ("done", (0, 1), "not run")
    assert hebb.selection == "mean over all seeds"
    assert 0 < hebb.wall_s < 60  # how long it took, not when
    assert [one.name for one in made.series] == [hebb.row]
    list(SMALL.stages("small", tmp_path, None, ""))
    both = SMALL.collect("small", tmp_path, None)
    assert [row.status for row in both.rows] == ["done", "done"]
    results.write(both, tmp_path)
    again = SMALL.collect("small", tmp_path / "gone", None, results.read(tmp_path / "small.json"))
    assert [row.measured for row in again.rows] == pytest.approx([r.measured for r in both.rows])
    assert len(again.series) == 2
    other = replace(SMALL, curves=(replace(CURVES[0], overlap=0.8), CURVES[1]))
    changed = other.collect("small", tmp_path / "gone", None, both)
    assert [row.status for row in changed.rows] == ["not run", "done"]
    seeds = replace(SMALL, seeds=3).collect("small", tmp_path / "gone", None, both)
    assert {row.status for row in seeds.rows} == {"not run"}
    with pytest.raises(ValueError, match="measured with other numbers"):
        replace(SMALL, seeds=3).collect("small", tmp_path, None)
    with pytest.raises(ValueError, match="matches no row of small"):
        list(SMALL.stages("small", tmp_path, None, "nobody"))


def test_the_planned_curves_have_names_of_their_own():
    planned = hopfield_capacity()
    names = [str(curve) for curve in planned.curves]
    assert len(set(names)) == len(names)
    assert planned.seeds >= 10
